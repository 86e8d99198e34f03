/// \file dynamics/compliance.h
/// Operational-space compliance of every body, and between bodies.
///
///   mbd_compliance_between   acceleration of one frame per wrench on another  Jain (10.13)
///   mbd_mobility             directions in which a frame can and cannot move  Jain Remark 10.1
///   mbd_effective_mass       effective mass at a point of a link
///
/// opspace.h has the compliance of all bodies (mbd_compliance) and of one frame.
#ifndef MBDYN__DYNAMICS__COMPLIANCE_H_
#define MBDYN__DYNAMICS__COMPLIANCE_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Cross compliance J_i M^-1 J_j^T: acceleration of frame i per wrench on frame j, from the compliance
/// of their closest common ancestor; zero across separate trees. Needs the position stage.
///   Omega(i,j) = psi^T(k,i) Y_k psi(k,j)                                Jain (10.13), (10.17)
/// \param[out] omega  row-major 6 x 6, angular first
/// \return as mbd_compliance, and MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(N) for the first call per configuration, then O(depth) | Allocates no |
/// Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_compliance_between(
  const mbd_model_t * model, mbd_data_t * data, int frame_i, mbd_reference_t reference_i,
  int frame_j, mbd_reference_t reference_j, double * omega);

/// Mobility of a frame: number of directions in which it can be accelerated, and a basis of the others.
/// Needs the position stage.
/// \param[out] rank      0 to 6
/// \param[out] immobile  6 - rank orthonormal rows of 6 numbers, angular first: directions d with
///   d . V = 0 for every velocity V of the frame in the reference; 36 numbers, or NULL
/// \return as mbd_compliance, and MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mobility(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, int * rank,
  double * immobile);

/// Effective mass [kg] of the robot with free joints at a point of a link in a direction, as in a
/// collision. Infinite if the point cannot move in that direction. Needs the position stage.
///   m = 1 / (d^T Omega_point d), |d| = 1
/// \param[in]  point      in the frame's axes, from its origin [m]
/// \param[in]  direction  in world axes; of any nonzero length
/// \return as mbd_compliance, and MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE
///
/// Complexity O(N) for the first call per configuration, then O(depth) | Allocates no |
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
