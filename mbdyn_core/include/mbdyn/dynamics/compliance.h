/// \file dynamics/compliance.h
/// How every body answers a push: compliances of bodies and between bodies.
///
///   mbd_compliance_between   acceleration of one frame per wrench on another  Jain (10.13)
///   mbd_mobility             directions in which a frame can and cannot move  Jain Remark 10.1
///   mbd_effective_mass       mass that a collision at a point of a link would feel
///
/// opspace.h has the compliance of all bodies (mbd_compliance) and of one frame.
#ifndef MBDYN__DYNAMICS__COMPLIANCE_H_
#define MBDYN__DYNAMICS__COMPLIANCE_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Acceleration of frame i per wrench on frame j: J_i M^-1 J_j^T, from the compliance of the
/// closest body that carries both; zero across separate trees. Needs the position stage.
///   Omega(i,j) = psi^T(k,i) Y_k psi(k,j)                                Jain (10.13), (10.17)
/// \param[out] omega  row-major 6 x 6, angular first
/// \return as mbd_compliance, and MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(N) the first time for a configuration, then O(depth) | Allocates no |
/// Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_compliance_between(
  const mbd_model_t * model, mbd_data_t * data, int frame_i, mbd_reference_t reference_i,
  int frame_j, mbd_reference_t reference_j, double * omega);

/// In how many directions a frame can be accelerated, and which wrenches move nothing at it. Needs
/// the position stage.
/// \param[out] rank      0 to 6
/// \param[out] immobile  6 - rank orthonormal rows of 6 numbers, angular first: directions d with
///   d . V = 0 for every velocity V of the frame in the reference; room for 36 numbers, or NULL
/// \return as mbd_compliance, and MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mobility(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, int * rank,
  double * immobile);

/// Effective mass [kg] of the robot, joints free, at a point of a link in a direction: what a
/// collision there would feel. Infinite where the point cannot move that way. Needs the position
/// stage.
///   m = 1 / (d^T Omega_point d), |d| = 1
/// \param[in]  point      in the frame's axes, from its origin [m]
/// \param[in]  direction  in world axes; any length but zero
/// \return as mbd_compliance, and MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE
///
/// Complexity O(N) the first time for a configuration, then O(depth) | Allocates no |
/// Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_effective_mass(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_vec3_t point, mbd_vec3_t direction,
  double * mass);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__COMPLIANCE_H_
