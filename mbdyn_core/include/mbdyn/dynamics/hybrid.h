/// \file dynamics/hybrid.h
/// Mixed dynamics: for each joint either its acceleration is given or its torque, chosen at every
/// call; and what prescribed joints do to the others and to a frame.
///
///   mbd_hybrid_dynamics        the other half of accelerations and torques      Jain Alg. 16.2
///   mbd_disturbance_jacobian   accelerations of the others per prescribed one   Jain (16.19)
///   mbd_generalized_jacobian   acceleration of a frame per prescribed one       Jain (16.21)
///   mbd_hybrid_control         torques that give a frame a wanted acceleration  Jain Alg. 16.4
///
/// The book calls a joint whose acceleration is known *active*, the others *passive*; that is not
/// the same as having a motor. All passive is forward dynamics, all active inverse dynamics. A
/// failed actuator is a passive joint with torque zero, a joint that a servo holds an active one
/// with acceleration zero, a free-flying base a passive one.
///
/// These functions use the memory of the articulated stage and leave it to be computed anew.
#ifndef MBDYN__DYNAMICS__HYBRID_H_
#define MBDYN__DYNAMICS__HYBRID_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Accelerations of joints whose torque is given, torques of joints whose acceleration is given.
///
///   M qdd + C + g = tau + sum_k J_k^T f_k, half of qdd and half of tau known
///
/// with friction and rotor inertia if mbd_set_terms says so. Modes of flexible links are passive; with
/// them it takes dense matrices, O(nv^3).
///
/// \param[in]     q       configuration; NULL: the position stage as it is
/// \param[in]     v       velocity; NULL: the velocity stage as it is (q must be NULL too)
/// \param[in]     active  of each body: the acceleration of its joint is given [nbody]
/// \param[in]     f_ext   wrenches on frames, or NULL
/// \param[in,out] qdd     given for active joints, found for the others [nv]
/// \param[in,out] tau     found for active joints, given for the others [nv]
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE (of the given halves, or of the results),
///   MBD_ERROR_BAD_QUATERNION, MBD_ERROR_MIMIC, MBD_ERROR_UNSUPPORTED, MBD_ERROR_MASSLESS_SUBTREE
///   (data->error_body). On an error neither is written.
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_hybrid_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const bool * active, const mbd_wrenches_t * f_ext, double * qdd, double * tau);

/// J_D = - M_pp^-1 M_pa: how active joints disturb passive ones. Needs the position stage.
///   qdd_p = J_D qdd_a, by inertia alone
/// \param[in]  active  as mbd_hybrid_dynamics [nbody]
/// \param[out] J_D     row-major nv x nv: rows of passive, columns of active degrees of freedom;
///   zero elsewhere
/// \return as mbd_hybrid_dynamics
///
/// Complexity O(N active) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_disturbance_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, double * J_D);

/// J_G = J_a + J_p J_D: how active joints move a frame when the passive ones give way. Needs the
/// position stage.
/// \param[in]  active     as mbd_hybrid_dynamics [nbody]
/// \param[in]  reference  of the Jacobian
/// \param[out] J_G        row-major 6 x nv, angular first; zero columns for passive joints
/// \return as mbd_hybrid_dynamics
///
/// Complexity O(N active) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_generalized_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, int frame,
  mbd_reference_t reference, double * J_G);

/// Under-actuated computed torque: accelerations and torques of the active joints that give a frame
/// a wanted acceleration while the passive ones do as their torques and the motion say. Where there
/// are more active joints than needed, the smallest accelerations; where the frame cannot be moved
/// so, the nearest that it can (rank tells).
/// \param[in]     q, v    as mbd_hybrid_dynamics
/// \param[in]     wanted  spatial acceleration of the frame in the reference, gravity not in it
/// \param[in,out] qdd     found for all joints [nv]
/// \param[in,out] tau     given for passive joints, found for active ones [nv]
/// \param[out]    rank    directions of the frame that the active joints command, or NULL
/// \return as mbd_hybrid_dynamics
///
/// Complexity O(N active) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_hybrid_control(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const bool * active, int frame, mbd_reference_t reference, mbd_motion_t wanted, double * qdd,
  double * tau, int * rank);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__HYBRID_H_
