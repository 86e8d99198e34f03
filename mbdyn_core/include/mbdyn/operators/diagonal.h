/// \file operators/diagonal.h
/// Diagonalised dynamics in quasi-velocities, and derivatives of the articulated-body quantities.
///
///   mbd_articulated_rate            dP, dG, dD along a motion, O(N)                     Jain Alg. 18.1
///   mbd_factor_rates                dF, d(F^-1), dD along a motion                      Jain Ex. 18.11
///   mbd_factor_rate_product         dF/dt^T v, the rate of the factor of M              Jain (18.64)
///   mbd_log_determinant_gradient    d log det M / dq (Fixman potential)                 Jain Ex. 18.15
///   mbd_quasi_coriolis              C(q, eta), which does no work                       Jain (19.29)
///   mbd_unnormalized_coriolis       C(q, xi) of the quasi-velocities xi = F^T v         Jain (19.42)
///   mbd_quasi_velocity_damping      tau = -L c L^T v: decoupled damping                 Jain (19.33)
///
/// With M = F D F^T, L = F D^1/2 (mbd_mass_sqrt):
///
///   eta = L^T v, zeta = L^-1 tau      eta' + C(q, eta) = zeta,   eta . C = 0,  energy |eta|^2 / 2
///   xi  = F^T v                       D xi' + C(q, xi) = F^-1 tau,             energy xi . D xi / 2
///
/// tau here is the torque minus gravity and external forces. eta and xi are not time derivatives of
/// coordinates. All joint types are supported; for joints with several degrees of freedom D^1/2 is the
/// Cholesky factor used by mbd_mass_sqrt.
#ifndef MBDYN__OPERATORS__DIAGONAL_H_
#define MBDYN__OPERATORS__DIAGONAL_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Directional derivatives of the articulated-body quantities: the time derivative for u = v, the
/// sensitivity to one degree of freedom for a unit vector u. In body axes, like data->P and data->G.
/// Needs the position stage; computes the articulated stage if necessary.
///   dD = S^T dP S + ..., dG = (dU - G dD) D^-1, dP+ = dP - dU G^T - G dU^T + G dD G^T
///   dP_p += phi (dP+ + bar(S u) P+ - P+ tilde(S u)) phi^T
/// \param[in]  u   direction in the tangent space, model->nv
/// \param[out] dP  [nbody]
/// \param[out] dG  [nv]
/// \param[out] dD  [nD], blocks as in data->D_inv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE, MBD_ERROR_MIMIC, MBD_ERROR_UNSUPPORTED, MBD_ERROR_MASSLESS_SUBTREE
///   (data->error_body)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_articulated_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * u, mbd_sym6_t * dP, mbd_force_t * dG,
  double * dD);

/// Gradient of log det M: the generalised force of the Fixman potential is half of it, times the
/// temperature. Needs the position stage.
/// \param[out] gradient  in the tangent space, model->nv
/// \return as mbd_articulated_rate
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_log_determinant_gradient(
  const mbd_model_t * model, mbd_data_t * data, double * gradient);

/// Size of `work` in doubles for the functions below; 0 if the model is NULL or not finalized.
MBD_PUBLIC
size_t mbd_diagonal_work(const mbd_model_t * model);

/// Directional derivatives of the innovations factors M = F D F^T: time derivatives for u = v,
/// sensitivities to one degree of freedom for a unit vector u. Needs the position stage. They give
/// d(F D) = dF D + F dD, dM = dF D F^T + F dD F^T + F D dF^T.
/// \param[in]  u       direction in the tangent space, model->nv
/// \param      work    mbd_diagonal_work(model) doubles
/// \param[out] dF      of I + H phi K, row-major nv x nv, zero where F is; or NULL
/// \param[out] dF_inv  of I - H psi K, row-major nv x nv; or NULL
/// \param[out] dD      of the hinge inertias, row-major nv x nv, block-diagonal; or NULL
/// \return as mbd_articulated_rate
///
/// Complexity O(N depth), plus writing the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_factor_rates(
  const mbd_model_t * model, mbd_data_t * data, const double * u, double * work, double * dF,
  double * dF_inv, double * dD);

/// Product dF/dt^T v with the time derivative of the factor F = I + H phi K: xi' = F^T qdd + dF/dt^T v.
/// Needs the velocity stage.
/// \param      work  mbd_diagonal_work(model) doubles
/// \param[out] y     model->nv
/// \return as mbd_articulated_rate
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_factor_rate_product(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * y);

/// Coriolis vector of the normalised quasi-velocities: eta' + C = L^-1 tau. Needs the velocity
/// stage.
/// \param      work  mbd_diagonal_work(model) doubles
/// \param[out] C     model->nv
/// \return as mbd_articulated_rate
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_quasi_coriolis(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * C);

/// Coriolis vector of the quasi-velocities xi = F^T v: D xi' + C = F^-1 tau. Needs the velocity
/// stage.
/// \return as mbd_quasi_coriolis
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_unnormalized_coriolis(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * C);

/// Torques that damp each quasi-velocity independently: zeta = -c eta. The dissipated power is
/// sum c_k eta_k^2 at any configuration. Needs the velocity stage.
/// \param[in]  c    decay rate of each quasi-velocity, non-negative, model->nv [1/s]
/// \param[out] tau  model->nv [N m, N]
/// \return as mbd_articulated_rate, and MBD_ERROR_BAD_ARGUMENT (negative c)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_quasi_velocity_damping(
  const mbd_model_t * model, mbd_data_t * data, const double * c, double * tau);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__DIAGONAL_H_
