/// \file inverse.h
/// Inverse dynamics: joint torques for a given motion, O(N).
///
///   mbd_inverse_dynamics   q, v, qdd -> tau, with gravity and external wrenches  Jain (5.43)
///   mbd_bias               bias torque (at qdd = 0): Coriolis, centrifugal, gravity
///   mbd_gravity            gravity torque
///   mbd_friction           joint friction
///   mbd_joint_force        reaction force of one joint, after inverse or forward dynamics
#ifndef MBDYN__INVERSE_H_
#define MBDYN__INVERSE_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Joint torques for the acceleration qdd.
///
///   tau = M(q) qdd + C(q,v) v + g(q) - sum_k J_k^T f_k
///
/// plus friction, rotor inertia and force elements if selected by mbd_set_terms.
///
/// \param[in]  q      configuration, model->nq; NULL: the current position stage
/// \param[in]  v      velocity, model->nv; NULL: the current velocity stage (q must also be NULL)
/// \param[in]  qdd    acceleration, model->nv [rad/s^2, m/s^2]; NULL: zero
/// \param[in]  f_ext  wrenches on frames, or NULL
/// \param[out] tau    model->nv [N m, N]; may alias qdd
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT (a wrench's frame or reference), MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION, MBD_ERROR_MIMIC. On error, tau is not written.
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau);

/// Bias torque C(q,v) v + g(q): inverse dynamics at qdd = 0 without friction and rotors, with force elements if
/// selected by mbd_set_terms. Needs the velocity stage.
/// \param[out] h  model->nv [N m, N]
/// \return as mbd_inverse_dynamics
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_bias(const mbd_model_t * model, mbd_data_t * data, double * h);

/// Gravity torque g(q), which holds the robot at rest, against force elements too if selected by mbd_set_terms.
/// Needs the position stage.
/// \param[out] g  model->nv [N m, N]
/// \return as mbd_inverse_dynamics
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_gravity(const mbd_model_t * model, mbd_data_t * data, double * g);

/// Joint friction viscous v + coulomb tanh(v / coulomb_velocity), positive for positive velocity: the
/// torque that a drive must add. Independent of mbd_set_terms.
/// \param[in]  v    model->nv
/// \param[out] tau  model->nv [N m, N]; may alias v
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_NOT_FINITE
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_friction(const mbd_model_t * model, const double * v, double * tau);

/// Force that the parent exerts on a link through its joint, including the actuator, in the state of
/// the last mbd_inverse_dynamics or mbd_forward_dynamics; needs no further sweep, except after forward
/// dynamics with flexible links. Jain (5.43), (7.40)
/// \param[in]  body  index from mbd_find_joint
/// \param[out] f     moment and force at the link frame's origin, in link axes
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(1) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_joint_force(
  const mbd_model_t * model, mbd_data_t * data, int body, mbd_force_t * f);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__INVERSE_H_
