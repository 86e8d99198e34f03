/// \file forward.h
/// Forward dynamics: joint accelerations for given torques, O(N).
///
///   mbd_forward_dynamics       q, v, tau -> qdd                 Jain (7.42)
///   mbd_articulated_inertia    stage: P, G, D^-1 of every body  Jain (6.24), (6.13)
///   mbd_mass_matrix_inverse    M^-1 explicitly                  Jain (7.18)
///   mbd_step, mbd_step_work    one time step, Runge-Kutta of fourth order
///
/// The recursions are those of Jain, chapters 6 and 7, with bodies numbered from base to tip.
#ifndef MBDYN__FORWARD_H_
#define MBDYN__FORWARD_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Joint accelerations under joint torques, gravity and external wrenches.
///
///   qdd = M(q)^-1 (tau - C(q,v) v - g(q) + sum_k J_k^T f_k)
///
/// with friction, rotor inertia and force elements if selected by mbd_set_terms.
///
/// \param[in]  q      configuration, model->nq; NULL: the current position stage
/// \param[in]  v      velocity, model->nv; NULL: the current velocity stage (q must also be NULL)
/// \param[in]  tau    joint torque, model->nv [N m, N]; NULL: zero
/// \param[in]  f_ext  wrenches on frames, or NULL
/// \param[out] qdd    acceleration, model->nv; may alias tau
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_QUATERNION, MBD_ERROR_MIMIC,
///   MBD_ERROR_MASSLESS_SUBTREE (data->error_body). On error, qdd is not written.
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd);

/// Articulated-body inertias of all bodies: data->P, data->G, data->D_inv. Needs the position
/// stage.
///   P_k = M_k + sum over children phi_j P+_j phi_j^T, P+ = P - G D G^T  Jain (6.24), (6.26)
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_MIMIC, MBD_ERROR_MASSLESS_SUBTREE (data->error_body)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_articulated_inertia(const mbd_model_t * model, mbd_data_t * data);

/// Inverse of the mass matrix, without forming the mass matrix. Needs the position stage.
///   M^-1 = (I - H psi K)^T D^-1 (I - H psi K)                           Jain (7.18)
/// \param[out] M_inv  row-major nv x nv, both triangles
/// \return as mbd_articulated_inertia
///
/// Complexity O(N^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_matrix_inverse(const mbd_model_t * model, mbd_data_t * data, double * M_inv);

/// Size of `work` for mbd_step in doubles; 0 if the model is NULL or not finalized.
MBD_PUBLIC
size_t mbd_step_work(const mbd_model_t * model);

/// One time step with an explicit Runge-Kutta method of fourth order, commutator-free for joints with
/// v != dq/dt (Celledoni, Marthinsen and Owren). For models with flexible links, dt times the highest
/// natural frequency must stay below 2.8.
/// \param[in,out] q, v   model->nq, model->nv
/// \param[in]     tau    constant over the step, or NULL
/// \param[in]     f_ext  constant over the step, or NULL
/// \param         work   mbd_step_work(model) doubles
/// \return as mbd_forward_dynamics and mbd_integrate; on error, q and v are unchanged
///
/// Complexity four times forward dynamics | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_step(
  const mbd_model_t * model, mbd_data_t * data, double * q, double * v, const double * tau,
  const mbd_wrenches_t * f_ext, double dt, double * work);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__FORWARD_H_
