/// \file operators/noc.h
/// Natural orthogonal complement (Angeles, chapter 7): an independent formulation for serial chains.
///
///   mbd_noc_create, _destroy             a chain from its table (dh.h)
///   mbd_noc_dof                          number of joints
///   mbd_noc_inverse_dynamics             q, v, qdd -> tau          recursions 7.4.1, 7.4.2
///   mbd_noc_joint_wrench                 constraint and drive wrench of a joint, after inverse dynamics
///   mbd_noc_mass_matrix                  I = P^T P                 algorithm 7.6.2
///   mbd_noc_forward_dynamics             q, v, tau -> qdd by I = L^T L              Angeles (7.102)
///   mbd_noc_forward_dynamics_orthogonal  the same without forming I                 Angeles (7.106)
///   mbd_noc_complement, _complement_rate T and its rate: twists of all links = T v  Angeles (7.54)
///   mbd_noc_constraint_matrix            K, with K T = 0                            Angeles (7.48)
///   mbd_noc_coriolis_matrix              C = T^T M dT + T^T W M T                   Angeles (7.58)
///   mbd_noc_mass_rate                    dI/dt
///
/// Uses: test oracle, teaching, and arms with an ill-conditioned mass matrix, because the condition number of
/// P is the square root of that of I. inverse.h and forward.h are faster.
///
/// A twist is that of a link's centre of mass, angular first. q, v and tau are in the order of the
/// rows. A chain contains its workspace, so it must be used by one thread at a time.
#ifndef MBDYN__OPERATORS__NOC_H_
#define MBDYN__OPERATORS__NOC_H_

#include "mbdyn/operators/dh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_noc mbd_noc_t;

/// Create a chain with all its memory.
/// \param[in]  table  any convention; not needed afterwards. Limits and drives are ignored
/// \param[out] noc    free with mbd_noc_destroy; NULL on error
/// \return MBD_OK; as mbd_dh_convert; MBD_ERROR_BAD_INERTIA, MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_noc_create(const mbd_dh_t * table, mbd_noc_t ** noc);

/// Free a chain; NULL is allowed.
MBD_PUBLIC
void mbd_noc_destroy(mbd_noc_t * noc);

/// Number of joints, 0 for NULL.
MBD_PUBLIC
int mbd_noc_dof(const mbd_noc_t * noc);

/// Inverse dynamics, with gravity as an acceleration of the base, Angeles (7.25) to (7.44).
/// \param[in]  q, v   n [rad, m], [rad/s, m/s]
/// \param[in]  qdd    n [rad/s^2, m/s^2]; NULL: zero
/// \param[in]  f_tool external wrench on the tool, at its origin in its axes [N m, N], or NULL
/// \param[out] tau    n [N m, N]; may alias qdd
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE; tau is not written on error
///
/// Complexity O(n) | Allocates no | Thread-safe per noc | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_noc_inverse_dynamics(
  mbd_noc_t * noc, const double * q, const double * v, const double * qdd,
  const mbd_force_t * f_tool, double * tau);

/// Wrench of link i - 1 on link i through joint i, including the drive, in the motion of the last
/// mbd_noc_inverse_dynamics, e.g. for sizing bearings, Angeles (7.38).
/// \param[in]  joint  0 to n - 1
/// \param[out] f      in world axes, moment about the origin of the standard frame before the joint
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_STAGE (no motion yet)
///
/// Complexity O(n) | Allocates no | Thread-safe per noc | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_noc_joint_wrench(mbd_noc_t * noc, int joint, mbd_force_t * f);

/// Generalized inertia matrix, Angeles (7.101).
/// \param[out] I  n x n row-major
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE
///
/// Complexity O(n^3) | Allocates no | Thread-safe per noc | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_noc_mass_matrix(mbd_noc_t * noc, const double * q, double * I);

/// Accelerations under torques: I = L^T L with L lower triangular, L^T x = tau - bias, L qdd = x.
/// \param[in]  tau     n [N m, N]; dissipative forces, if any, are part of it (dissipation.h)
/// \param[in]  f_tool  as in mbd_noc_inverse_dynamics
/// \param[out] qdd     n; may alias tau
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_SINGULAR (a joint moves
///   no mass); qdd is not written on error
///
/// Complexity O(n^3) | Allocates no | Thread-safe per noc | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_noc_forward_dynamics(
  mbd_noc_t * noc, const double * q, const double * v, const double * tau,
  const mbd_force_t * f_tool, double * qdd);

/// Forward dynamics by Householder QR of P, with I = P^T P: minimum-norm solution of
/// P^T y = tau - bias, then P qdd = y, Angeles (7.106).
/// \return as mbd_noc_forward_dynamics
///
/// Complexity O(n^3) | Allocates no | Thread-safe per noc | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_noc_forward_dynamics_orthogonal(
  mbd_noc_t * noc, const double * q, const double * v, const double * tau,
  const mbd_force_t * f_tool, double * qdd);

/// The twist-shaping matrix T, orthogonal complement of K: six rows for each link, in world axes.
/// \param[out] T  6n x n row-major
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE
///
/// Complexity O(n^2) | Allocates no | Thread-safe per noc | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_noc_complement(mbd_noc_t * noc, const double * q, double * T);

/// Time derivative dT/dt at (q, v), Angeles (7.84) to (7.86).
/// \param[out] dT  6n x n row-major
/// \return as mbd_noc_complement
///
/// Complexity O(n^2) | Allocates no | Thread-safe per noc | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_noc_complement_rate(
  mbd_noc_t * noc, const double * q, const double * v, double * dT);

/// The matrix K of kinematic constraints between the twists of the links, of rank 5n: K t = 0.
/// \param[out] K  6n x 6n row-major
/// \return as mbd_noc_complement                               Angeles (7.63) to (7.68), (7.79)
///
/// Complexity O(n^2) | Allocates no | Thread-safe per noc | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_noc_constraint_matrix(mbd_noc_t * noc, const double * q, double * K);

/// Coriolis matrix: C v is the Coriolis and centrifugal torque, and dI/dt - 2 C is skew-symmetric.
/// \param[out] C  n x n row-major
/// \return as mbd_noc_complement
///
/// Complexity O(n^3) | Allocates no | Thread-safe per noc | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_noc_coriolis_matrix(
  mbd_noc_t * noc, const double * q, const double * v, double * C);

/// Time derivative of the inertia matrix at (q, v): dI/dt = T^T M dT + dT^T M T + T^T (W M - M W) T.
/// \param[out] dI  n x n row-major
/// \return as mbd_noc_complement
///
/// Complexity O(n^3) | Allocates no | Thread-safe per noc | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_noc_mass_rate(mbd_noc_t * noc, const double * q, const double * v, double * dI);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__NOC_H_
