/// \file dynamics/derivatives.h
/// How torques and accelerations change with the state: for optimisation, estimation and control.
///
///   mbd_derivatives_work                    numbers of working memory that a model needs
///   mbd_inverse_dynamics_derivatives        dtau/dq, dtau/dv, dtau/dqdd = M
///   mbd_forward_dynamics_derivatives        dqdd/dq, dqdd/dv, dqdd/dtau = M^-1
///   mbd_linearize                           d/dt [dq; dv] = A [dq; dv] + B dtau
///   mbd_mass_matrix_derivative              dM/dq_j of one degree of freedom
///   mbd_mass_matrix_tensor                  dM/dq_j of all of them
///   mbd_christoffel_tensor                  all Christoffel symbols, with the tree's zeros
///   mbd_jacobian_rate                       dJ/dt of a frame as a matrix
///
/// **Columns** are on the tangent space: column j of d/dq is the change when q is moved by
/// mbd_integrate with velocity e_j. For a free joint that is the exponential applied on the right:
/// body axes, linear first, as v is.
///
/// **Embedded models** (embedding.h) have all of them, exact through X and its derivatives: those of
/// the dynamics from the tree's dense ones, O(nv N^2), the others column by column, O(N nv) each. Where
/// drivers depend on time they return MBD_ERROR_UNSUPPORTED, and mbd_linearize also where rows of
/// velocity (rolling) leave more configurations than velocities.
///
/// The change of a subtree that moves with degree of freedom j is a displacement by S_j, which all
/// of it shares, and a change of velocity and acceleration which, seen from within, is one motion
/// each for all bodies of the subtree: so each entry is two products of 6-vectors.
#ifndef MBDYN__DYNAMICS__DERIVATIVES_H_
#define MBDYN__DYNAMICS__DERIVATIVES_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Numbers that `work` of the functions below must have room for; 0 if the model is NULL or not
/// finalized.
MBD_PUBLIC
size_t mbd_derivatives_work(const mbd_model_t * model);

/// Derivatives of inverse dynamics tau(q, v, qdd), with friction and rotor inertia if mbd_set_terms
/// says so.
///
/// Wrenches keep the numbers they have in their reference: one in MBD_LOCAL turns with its frame,
/// one in MBD_WORLD stays where it is, one in MBD_LOCAL_WORLD_ALIGNED moves with the frame's origin
/// and does not turn.
///
/// Analytic but for the second derivative of joints whose axes move in the child (universal, user):
/// that is a difference of sixth order of the joint's own rate, good to about 1e-11.
///
/// \param[in]  q       configuration; NULL: the position stage as it is
/// \param[in]  v       velocity; NULL: the velocity stage as it is (q must be NULL too)
/// \param[in]  qdd     acceleration, or NULL for zero
/// \param[in]  f_ext   wrenches on frames, or NULL
/// \param      work    mbd_derivatives_work(model) numbers
/// \param[out] dtau_dq, dtau_dv  row-major nv x nv, or NULL
/// \param[out] M       mass matrix, nv x nv, or NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_QUATERNION, MBD_ERROR_MIMIC,
///   MBD_ERROR_UNSUPPORTED
///
/// Complexity O(N depth) and the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_inverse_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * work, double * dtau_dq,
  double * dtau_dv, double * M);

/// Derivatives of forward dynamics qdd(q, v, tau).
///   dqdd/dx = - M^-1 dtau/dx at that qdd,  dqdd/dtau = M^-1
/// \param[in]  tau      torque, or NULL for zero
/// \param[out] qdd      acceleration, nv
/// \param[out] dqdd_dq, dqdd_dv  row-major nv x nv
/// \param[out] M_inv    nv x nv
/// \return as mbd_inverse_dynamics_derivatives, and MBD_ERROR_MASSLESS_SUBTREE (data->error_body)
///
/// Complexity O(N^2) and two solves of O(N) a column | Allocates no | Thread-safe per data |
/// Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_forward_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * dqdd_dq,
  double * dqdd_dv, double * M_inv);

/// The robot near a state: d/dt x = A x + B u, x = [dq; dv] on the tangent spaces of q and v that
/// move with the robot, u = dtau.
///   A = [-ad(v), 1; dqdd/dq, dqdd/dv], B = [0; M^-1]
/// ad(v) is the bracket of joints that turn with their own axes (spherical, planar, free), zero for
/// the others; user joints must have q' = v.
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

/// dM/dq_j, the change of the mass matrix with one degree of freedom. Needs the position stage.
/// \param[in]  j   degree of freedom, 0 to nv - 1
/// \param[out] dM  row-major nv x nv, symmetric
/// \return as mbd_inverse_dynamics_derivatives
///
/// Complexity O(N^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_matrix_derivative(
  const mbd_model_t * model, mbd_data_t * data, int j, double * work, double * dM);

/// All of dM/dq. Entry (a, b) of dM/dq_j is not zero only where one of a and b is of a body that
/// carries that of j, and the other of one that carries it, is it, or is carried by it (joints whose
/// axes move in the child: their own entries as well). Needs the position stage.   Jain (18.36)
/// \param[out] dM  [nv][nv][nv]: dM/dq_j is the row-major matrix at dM + j nv^2
/// \return as mbd_mass_matrix_derivative
///
/// Complexity O(N depth^2) and the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_matrix_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * dM);

/// All Christoffel symbols of the first kind: slice k is what mbd_christoffel gives, C_ij =
/// sum_k G[k][i][j] v_k. Zero wherever the three bodies are not on one way from a base to a tip:
/// these entries are never computed. Needs the position stage, and leaves the velocity stage alone.
///                                                                            Jain (4.35)
/// \param[out] G  [nv][nv][nv]
/// \return as mbd_mass_matrix_derivative
///
/// Complexity O(N depth^2) and the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_christoffel_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * G);

/// dJ/dt of a frame's Jacobian: J qdd + dJ/dt v is its acceleration as mbd_frame_acceleration has
/// it. Needs the velocity stage.
/// \param[in]  reference  of the Jacobian
/// \param[out] J_rate     row-major 6 x nv, angular first
/// \return as mbd_inverse_dynamics_derivatives
///
/// Complexity O(depth) and the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_jacobian_rate(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * J_rate);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__DERIVATIVES_H_
