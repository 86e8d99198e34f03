/// \file dynamics/hybrid.h
/// Hybrid dynamics: some joints are torque-driven, others acceleration-driven, chosen at every call.
///
///   mbd_hybrid_dynamics        unknown accelerations and torques              Jain Alg. 16.2
///   mbd_disturbance_jacobian   passive accelerations per active acceleration  Jain (16.19)
///   mbd_generalized_jacobian   frame acceleration per active acceleration     Jain (16.21)
///   mbd_hybrid_control         torques for a desired frame acceleration       Jain Alg. 16.4
///
/// As in Jain, a joint with given acceleration is *active*, one with given torque *passive*, whether it
/// has a motor or not. All joints passive is forward dynamics, all active inverse dynamics. A failed
/// actuator is a passive joint with zero torque, a joint held by a servo an active joint with zero
/// acceleration, a floating base a passive joint.
///
/// All functions of this header invalidate the articulated stage.
#ifndef MBDYN__DYNAMICS__HYBRID_H_
#define MBDYN__DYNAMICS__HYBRID_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Accelerations of the passive joints and torques of the active joints.
///
///   M qdd + C + g = tau + sum_k J_k^T f_k, with part of qdd and part of tau known
///
/// with friction and rotor inertia if selected by mbd_set_terms. Modes of flexible links are passive;
/// models with flexible links use dense matrices, O(nv^3).
///
/// \param[in]     q       configuration; NULL: the current position stage
/// \param[in]     v       velocity; NULL: the current velocity stage (q must also be NULL)
/// \param[in]     active  for each body: true if the acceleration of its joint is given [nbody]
/// \param[in]     f_ext   wrenches on frames, or NULL
/// \param[in,out] qdd     given for active joints, computed for passive joints [nv]
/// \param[in,out] tau     computed for active joints, given for passive joints [nv]
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE (given entries, or results),
///   MBD_ERROR_BAD_QUATERNION, MBD_ERROR_MIMIC, MBD_ERROR_UNSUPPORTED, MBD_ERROR_MASSLESS_SUBTREE
///   (data->error_body). On error, qdd and tau are not written.
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_hybrid_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const bool * active, const mbd_wrenches_t * f_ext, double * qdd, double * tau);

/// Disturbance Jacobian J_D = - M_pp^-1 M_pa of active on passive joints. Needs the position stage.
///   qdd_p = J_D qdd_a, due to inertial coupling
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

/// Generalised Jacobian J_G = J_a + J_p J_D: motion of a frame per motion of the active joints, with the
/// passive joints free. Needs the position stage.
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

/// Computed torque for under-actuated robots: accelerations and torques of the active joints that give a
/// frame the desired acceleration, with given torques of the passive joints. For redundant active
/// joints the accelerations have minimum norm; at rank deficiency the frame acceleration is the
/// least-squares approximation.
/// \param[in]     q, v    as mbd_hybrid_dynamics
/// \param[in]     wanted  desired spatial acceleration of the frame in the reference, without gravity
/// \param[in,out] qdd     computed for all joints [nv]
/// \param[in,out] tau     given for passive joints, computed for active joints [nv]
/// \param[out]    rank    number of frame directions that the active joints control, or NULL
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
