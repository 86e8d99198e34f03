/// \file kinematics.h
/// Forward kinematics: poses, velocities and accelerations of bodies and frames, O(N).
///
///   mbd_set_position         stage: placements of all bodies     Jain (3.9)
///   mbd_set_velocity         stage: velocities of all bodies     Jain (3.19)
///   mbd_set_state            position and velocity, computed when needed
///   mbd_set_acceleration     stage: accelerations of all bodies  Jain (5.23)
///   mbd_frame_placement      pose of a frame in the world
///   mbd_frame_velocity       velocity of a frame in a chosen reference
///   mbd_frame_acceleration   time derivative of the frame velocity
#ifndef MBDYN__KINEMATICS_H_
#define MBDYN__KINEMATICS_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Set the configuration and compute the placements of all bodies. Invalidates all other stages.
/// \param[in] q  model->nq [rad, m]; quaternions are normalised in the workspace, not in q
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION (data->error_body)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_position(const mbd_model_t * model, mbd_data_t * data, const double * q);

/// Set the velocity and compute the velocities of all bodies. Needs the position stage.
///   V_k = phi_k^T V_p + S_k v_k                                       Jain (3.19)
/// \param[in] v  model->nv [rad/s, m/s]
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_velocity(const mbd_model_t * model, mbd_data_t * data, const double * v);

/// Set configuration and velocity, and defer all computation: the following calls compute only what
/// they need. This is the fastest way to one or two results per state: for revolute, prismatic and
/// free joints, SIMD kernels compute gravity, bias, mass matrix and its inverse, operational-space
/// inertias, Jacobian, Jdot v and centroidal momentum directly from q and v. Other calls compute the
/// stages first, once, as does mbd_complete_stages. If many results of one state are needed,
/// mbd_set_position and mbd_set_velocity share intermediate results.
/// \param[in] q  model->nq [rad, m]; quaternions are normalised in the workspace, not in q
/// \param[in] v  model->nv [rad/s, m/s]; NULL: only the configuration is set
/// \return as mbd_set_position
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_state(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v);

/// Set the joint acceleration and compute the accelerations of all bodies. Needs the velocity stage.
///   alpha_k = phi_k^T alpha_p + S_k qdd_k + a_k                       Jain (5.23)
/// \param[in] qdd  time derivative of v, component by component, model->nv
/// \return as mbd_set_velocity
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_acceleration(const mbd_model_t * model, mbd_data_t * data, const double * qdd);

/// Pose of a frame in the world. Needs the position stage.
/// \param[in]  frame  index from mbd_find_frame
/// \param[out] X      x_world = X.R x_frame + X.p
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT (frame)
///
/// Complexity O(1) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_frame_placement(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_placement_t * X);

/// Velocity of a frame. Needs the velocity stage.
/// \param[in]  reference  point and axes of the result
/// \param[out] V          angular [rad/s] and linear [m/s]
/// \return as mbd_frame_placement
///
/// Complexity O(1) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_frame_velocity(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * V);

/// Acceleration of a frame: the time derivative of the components of mbd_frame_velocity in the same
/// reference. For MBD_LOCAL_WORLD_ALIGNED this is the classical acceleration of the frame's origin;
/// for MBD_LOCAL and MBD_WORLD it is the spatial acceleration. Gravity is not included. Needs the
/// acceleration stage.
/// \return as mbd_frame_placement
///
/// Complexity O(1) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_frame_acceleration(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * A);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__KINEMATICS_H_
