/// \file dynamics/coriolis.h
/// Coriolis matrix, Christoffel symbols, and time derivative of the mass matrix.
///
///   mbd_coriolis_matrix              C(q,v) with C v = bias - gravity and Mdot - 2 C skew
///   mbd_coriolis_transpose_product   C^T v in one sweep, O(N)
///   mbd_mass_matrix_rate             Mdot = C + C^T
///   mbd_momentum_gradient            M_D = d(M v)/dq at constant v                   Jain (4.28)
///   mbd_kinetic_energy_gradient      dKe/dq at constant v, O(N)                      Jain (18.38)
///   mbd_christoffel                  one slice of the Christoffel symbols            Jain (4.35)
///
/// **Embedded models** (embedding.h): C = X^T (M dX/dt + C X), O(N) per column, with the terms selected
/// by mbd_set_terms in M. The gradients and Christoffel symbols are computed from unit velocities and
/// keep the velocity stage. C does not include the bias of drivers, and models with time-dependent
/// drivers have no gradients (MBD_ERROR_UNSUPPORTED).
#ifndef MBDYN__DYNAMICS__CORIOLIS_H_
#define MBDYN__DYNAMICS__CORIOLIS_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Coriolis matrix: C v is the Coriolis and centrifugal torque, and Mdot - 2 C is skew-symmetric.
/// For joints with v = qdot its elements are the Christoffel symbols of the first kind times v.
/// Needs the velocity stage.
///
///   C = sum_k J_k^T (M_k Jdot_k + B_k J_k),  B_k = 1/2 (bar(V) M - M tilde(V) - hat(M V))
///
/// with derivatives in the world frame. B_k V_k = bar(V_k) M_k V_k is the gyroscopic force, Jain (2.28),
/// and 2 B_k - dM_k/dt = -hat(M_k V_k) is skew-symmetric.
///
/// \param[out] C  row-major nv x nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_MIMIC
///
/// Complexity O(N^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_coriolis_matrix(const mbd_model_t * model, mbd_data_t * data, double * C);

/// Product C^T v. Without torques, dp/dt = C^T v - g for the momentum p = M v; Mdot v = C v + C^T v. Needs the
/// velocity stage.
/// \param[out] y  model->nv [N m, N]
/// \return as mbd_coriolis_matrix
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_coriolis_transpose_product(
  const mbd_model_t * model, mbd_data_t * data, double * y);

/// Time derivative of the mass matrix. Needs the velocity stage.
/// \param[out] M_rate  row-major nv x nv, symmetric
/// \return as mbd_coriolis_matrix
///
/// Complexity O(N^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_matrix_rate(const mbd_model_t * model, mbd_data_t * data, double * M_rate);

/// Momentum gradient M_D(i,j): derivative of the momentum (M v)_i with respect to degree of freedom j
/// (in the sense of mbd_integrate) at constant v. M_D^T v is twice the gradient of the kinetic energy,
/// Mdot x = M_D(x) v, and for joints with v = qdot: C v = (M_D - M_D^T / 2) v, Jain (4.28)-(4.32). Needs
/// the velocity stage.
/// \param[out] MD  row-major nv x nv
/// \return as mbd_coriolis_matrix
///
/// Complexity O(N^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_momentum_gradient(const mbd_model_t * model, mbd_data_t * data, double * MD);

/// Gradient of the kinetic energy with respect to each degree of freedom (in the sense of
/// mbd_integrate) at constant v: 1/2 v^T dM/dq_j v, Jain (18.38). Needs the velocity stage.
/// \param[out] gradient  model->nv [J/rad, J/m]
/// \return as mbd_coriolis_matrix, and MBD_ERROR_NOT_FINITE
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_kinetic_energy_gradient(
  const mbd_model_t * model, mbd_data_t * data, double * gradient);

/// Slice k of the Christoffel symbols of the first kind: G(i,j) with C_ij = sum_k G_k(i,j) v_k,
/// Jain (4.35). For joints with v = qdot, G_k(i,j) = 1/2 (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i); for
/// others it is the matrix C at unit velocity k. Needs the position stage; invalidates the velocity
/// stage.
/// \param[in]  k  degree of freedom
/// \param[out] G  row-major nv x nv
/// \return as mbd_coriolis_matrix, and MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(N^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_christoffel(const mbd_model_t * model, mbd_data_t * data, int k, double * G);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__CORIOLIS_H_
