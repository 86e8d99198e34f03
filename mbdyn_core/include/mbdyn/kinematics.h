/// \file kinematics.h
/// Where everything is, how fast it moves, how it accelerates. O(N).
///
///   mbd_set_position         stage: placements of all bodies               (3.9)
///   mbd_set_velocity         stage: velocities of all bodies               (3.19)
///   mbd_set_state            both, computed when a call needs them
///   mbd_set_acceleration     stage: accelerations of all bodies            (5.23)
///   mbd_frame_placement      a frame in the world
///   mbd_frame_velocity       its velocity in a chosen reference
///   mbd_frame_acceleration   the time derivative of those six numbers
#ifndef MBDYN__KINEMATICS_H_
#define MBDYN__KINEMATICS_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Take a configuration: placements of all bodies. Every other stage becomes stale.
/// \param[in] q  model->nq [rad, m]; quaternions are normalised in the workspace, not in q
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION (data->error_body)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_position(const mbd_model_t * model, mbd_data_t * data, const double * q);

/// Take a velocity: velocities of all bodies. Needs the position stage.
///   V_k = phi_k^T V_p + S_k v_k                                            (3.19)
/// \param[in] v  model->nv [rad/s, m/s]
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_velocity(const mbd_model_t * model, mbd_data_t * data, const double * v);

/// Take a configuration and a velocity, and compute nothing yet: what comes next computes what it
/// needs and no more. The fastest way to one or two results of a state: on robots of revolute,
/// prismatic and free joints, gravity, bias, mass matrix and its inverse, operational-space
/// inertias, Jacobian, Jdot v and centroidal momentum go from the numbers to the result at once.
/// Other calls compute the stages first, once, and so does mbd_complete_stages. For many results
/// of one state mbd_set_position and mbd_set_velocity share what they have in common.
/// \param[in] q  model->nq [rad, m]; quaternions are normalised in the workspace, not in q
/// \param[in] v  model->nv [rad/s, m/s]; NULL: the configuration alone
/// \return as mbd_set_position
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_state(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v);

/// Take a joint acceleration: accelerations of all bodies. Needs the velocity stage.
///   alpha_k = phi_k^T alpha_p + S_k qdd_k + a_k                            (5.23)
/// \param[in] qdd  time derivative of v, component by component, model->nv
/// \return as mbd_set_velocity
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_acceleration(const mbd_model_t * model, mbd_data_t * data, const double * qdd);

/// A frame in the world. Needs the position stage.
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

/// Acceleration of a frame: the time derivative of the numbers that mbd_frame_velocity gives in the
/// same reference. For MBD_LOCAL_WORLD_ALIGNED this is the classical acceleration of the frame's
/// origin; for MBD_LOCAL and MBD_WORLD the spatial one. Gravity is not in it. Needs the
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
