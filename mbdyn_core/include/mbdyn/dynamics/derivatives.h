/// \file dynamics/derivatives.h
/// Analytic derivatives of inverse and forward dynamics, linearisation, and derivatives of M and J.
///
///   mbd_derivatives_work                    size of the work memory
///   mbd_inverse_dynamics_derivatives        dtau/dq, dtau/dv, dtau/dqdd = M
///   mbd_forward_dynamics_derivatives        dqdd/dq, dqdd/dv, dqdd/dtau = M^-1
///   mbd_linearize                           d/dt [dq; dv] = A [dq; dv] + B dtau
///   mbd_mass_matrix_derivative              dM/dq_j of one degree of freedom
///   mbd_mass_matrix_tensor                  dM/dq_j of all degrees of freedom
///   mbd_christoffel_tensor                  all Christoffel symbols, exploiting branch sparsity
///   mbd_jacobian_rate                       dJ/dt of a frame as a matrix
///
/// **Columns** are in the tangent space: column j of d/dq is the derivative along mbd_integrate with
/// velocity e_j. For a free joint this is the right exponential: body axes, linear first, like v.
///
/// **Embedded models** (embedding.h) are supported, with exact derivatives through X: derivatives of the
/// dynamics cost O(nv N^2), the others O(N nv) per column. With time-dependent drivers these functions
/// return MBD_ERROR_UNSUPPORTED, and so does mbd_linearize for nonholonomic closures (rolling).
///
/// **Method.** The variation of a subtree along degree of freedom j is a displacement by S_j and one
/// velocity and one acceleration common to all bodies of the subtree, so each entry takes two products
/// of 6-vectors.
#ifndef MBDYN__DYNAMICS__DERIVATIVES_H_
#define MBDYN__DYNAMICS__DERIVATIVES_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Size of `work` in doubles for the functions below; 0 if the model is NULL or not finalized.
MBD_PUBLIC
size_t mbd_derivatives_work(const mbd_model_t * model);

/// Derivatives of inverse dynamics tau(q, v, qdd), with friction and rotor inertia if selected by
/// mbd_set_terms.
///
/// The components of wrenches in their reference are constant: a wrench in MBD_LOCAL rotates with its
/// frame, one in MBD_WORLD is fixed, one in MBD_LOCAL_WORLD_ALIGNED moves with the frame's origin
/// without rotating.
///
/// All derivatives are analytic except the second derivative of joints with a configuration-dependent
/// motion subspace (universal, user): a sixth-order finite difference of the joint's dS/dt, accurate to
/// about 1e-11.
///
/// \param[in]  q       configuration; NULL: the current position stage
/// \param[in]  v       velocity; NULL: the current velocity stage (q must also be NULL)
/// \param[in]  qdd     acceleration, or NULL for zero
/// \param[in]  f_ext   wrenches on frames, or NULL
/// \param      work    mbd_derivatives_work(model) doubles
/// \param[out] dtau_dq, dtau_dv  row-major nv x nv, or NULL
/// \param[out] M       mass matrix, nv x nv, or NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_QUATERNION, MBD_ERROR_MIMIC,
///   MBD_ERROR_UNSUPPORTED
///
/// Complexity O(N depth), plus writing the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_inverse_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * work, double * dtau_dq,
  double * dtau_dv, double * M);

/// Derivatives of forward dynamics qdd(q, v, tau).
///   dqdd/dx = - M^-1 dtau/dx at the computed qdd,  dqdd/dtau = M^-1
/// \param[in]  tau      torque, or NULL for zero
/// \param[out] qdd      acceleration, nv
/// \param[out] dqdd_dq, dqdd_dv  row-major nv x nv
/// \param[out] M_inv    nv x nv
/// \return as mbd_inverse_dynamics_derivatives, and MBD_ERROR_MASSLESS_SUBTREE (data->error_body)
///
/// Complexity O(N^2), plus two O(N) solves per column | Allocates no | Thread-safe per data |
/// Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_forward_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * dqdd_dq,
  double * dqdd_dv, double * M_inv);

/// Linearised dynamics d/dt x = A x + B u at a state, with x = [dq; dv] in the tangent space and
/// u = dtau.
///   A = [-ad(v), 1; dqdd/dq, dqdd/dv], B = [0; M^-1]
/// ad(v) is the Lie bracket of spherical, planar and free joints, and zero for other joints; user-defined
/// joints must have dq/dt = v.
/// \param[out] qdd  acceleration at the state, nv
/// \param[out] A    row-major 2 nv x 2 nv
/// \param[out] B    row-major 2 nv x nv
/// \return as mbd_forward_dynamics_derivatives; MBD_ERROR_BAD_JOINT (data->error_body) for a user
///   joint whose nq is not its nv
///
/// Complexity as mbd_forward_dynamics_derivatives | Allocates no | Thread-safe per data |
/// Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_linearize(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * A,
  double * B);

/// Derivative dM/dq_j of the mass matrix with respect to one degree of freedom. Needs the position
/// stage.
/// \param[in]  j   degree of freedom, 0 to nv - 1
/// \param[out] dM  row-major nv x nv, symmetric
/// \return as mbd_inverse_dynamics_derivatives
///
/// Complexity O(N^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_matrix_derivative(
  const mbd_model_t * model, mbd_data_t * data, int j, double * work, double * dM);

/// Full tensor dM/dq, Jain (18.36). Entry (a, b) of dM/dq_j is nonzero only if the body of a or b is an
/// ancestor of that of j, and the other is an ancestor, the same body or a descendant (for joints with
/// a configuration-dependent motion subspace also their own entries). Needs the position stage.
/// \param[out] dM  [nv][nv][nv]: dM/dq_j is the row-major matrix at dM + j nv^2
/// \return as mbd_mass_matrix_derivative
///
/// Complexity O(N depth^2), plus writing the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_matrix_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * dM);

/// All Christoffel symbols of the first kind, Jain (4.35): slice k is the result of mbd_christoffel,
/// C_ij = sum_k G[k][i][j] v_k. Entries are zero, and not computed, unless the three bodies lie on one
/// path from the base to a tip. Needs the position stage, and does not change the velocity stage.
/// \param[out] G  [nv][nv][nv]
/// \return as mbd_mass_matrix_derivative
///
/// Complexity O(N depth^2), plus writing the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_christoffel_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * G);

/// Time derivative of a frame Jacobian: J qdd + dJ/dt v is the result of mbd_frame_acceleration. Needs
/// the velocity stage.
/// \param[in]  reference  of the Jacobian
/// \param[out] J_rate     row-major 6 x nv, angular first
/// \return as mbd_inverse_dynamics_derivatives
///
/// Complexity O(depth), plus writing the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_jacobian_rate(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * J_rate);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__DERIVATIVES_H_
