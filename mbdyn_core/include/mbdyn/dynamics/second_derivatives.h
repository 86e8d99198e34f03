/// \file dynamics/second_derivatives.h
/// Second derivatives of inverse and forward dynamics, contracted with a vector (vector-Hessian products).
///
///   mbd_second_derivatives_work                size of the work memory
///   mbd_inverse_dynamics_second_derivatives    of lambda^T tau(q, v, qdd)
///   mbd_forward_dynamics_second_derivatives    of mu^T qdd(q, v, tau)
///
/// Optimal control with second-order methods (DDP, SQP with exact Hessian) needs these terms: lambda is the
/// multiplier of the dynamics at one knot.
///
/// **Entries** are in the tangent space, as in derivatives.h: entry (j, k) of d2/dq2 is the derivative along
/// q_k of entry j of the gradient. d2/dq2 is symmetric, except within the block of a spherical, planar or
/// free joint, whose rotations do not commute.
///
/// **Method.** With Lambda_b the velocity of body b at the joint velocities lambda, lambda^T tau is the power
/// sum_b Lambda_b . f_b. Its gradient consists of subtree sums of I Lambda, of 2 B^T Lambda (coriolis.h) and
/// of f. The variation of each sum along q_k or v_k is that of one motion common to the subtree, so each entry
/// takes two or three products of 6-vectors.
///
/// **Models.** Rigid trees with all joint types except user-defined joints. Embedded models, flexible links,
/// user-defined joints and MBD_TERM_ELEMENTS return MBD_ERROR_UNSUPPORTED.
#ifndef MBDYN__DYNAMICS__SECOND_DERIVATIVES_H_
#define MBDYN__DYNAMICS__SECOND_DERIVATIVES_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Size of `work` in doubles for the functions below; 0 if the model is NULL or not finalized.
MBD_PUBLIC
size_t mbd_second_derivatives_work(const mbd_model_t * model);

/// Second derivatives of lambda^T tau(q, v, qdd), with friction if selected by mbd_set_terms.
/// \param[in]  q, v    state; must not be NULL
/// \param[in]  qdd     acceleration, or NULL for zero
/// \param[in]  lambda  nv
/// \param      work    mbd_second_derivatives_work(model) doubles
/// \param[out] d2_dq2  row-major nv x nv, or NULL
/// \param[out] d2_dqdv  entry (j, k): with respect to q_j and v_k; or NULL
/// \param[out] d2_dv2  symmetric, or NULL
/// \param[out] d2_dqdqdd  entry (j, k): with respect to q_j and qdd_k, the derivative of (M lambda)_k along
///   q_j; or NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION, MBD_ERROR_MIMIC, MBD_ERROR_UNSUPPORTED (user-defined joint: data->error_body)
///
/// Complexity O(N depth), plus writing the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_inverse_dynamics_second_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const double * lambda, double * work, double * d2_dq2, double * d2_dqdv,
  double * d2_dv2, double * d2_dqdqdd);

/// Second derivatives of mu^T qdd(q, v, tau). Those with respect to (v, tau) and (tau, tau) are zero.
///   lambda = M^-1 mu,  d2/dx dy = -(d2(lambda^T tau)/dx dy + N_x dqdd/dy + (N_y dqdd/dx)^T)
/// with N_q = d2(lambda^T tau)/dq dqdd, N_v = 0.
/// \param[in]  tau     torque, or NULL for zero
/// \param[in]  mu      nv
/// \param[out] qdd     acceleration, nv
/// \param[out] d2_dq2, d2_dv2  row-major nv x nv
/// \param[out] d2_dqdv  entry (j, k): with respect to q_j and v_k
/// \param[out] d2_dqdtau  entry (j, k): with respect to q_j and tau_k
/// \return as mbd_inverse_dynamics_second_derivatives, and MBD_ERROR_MASSLESS_SUBTREE (data->error_body)
///
/// Complexity O(N^2 depth) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_forward_dynamics_second_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const double * mu, double * work, double * qdd, double * d2_dq2,
  double * d2_dqdv, double * d2_dv2, double * d2_dqdtau);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__SECOND_DERIVATIVES_H_
