/// \file integrate.h
/// Operations on the configuration manifold: integrate, difference, neutral and random configurations.
///
///   mbd_neutral                neutral configuration
///   mbd_normalize              normalise quaternions
///   mbd_integrate              integrate q along v for dt
///   mbd_difference             velocity that takes q0 to q1 in one second
///   mbd_random_configuration   reproducible random configuration within the position limits
///
/// The velocity of spherical, planar and free joints is that of the child, in child axes. Integration
/// uses the exponential map, so the result is exact for constant v.
#ifndef MBDYN__INTEGRATE_H_
#define MBDYN__INTEGRATE_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Neutral configuration, model->nq: zeros and identity quaternions; for user-defined joints that of `neutral`.
/// In an embedded model, the loops are closed.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_neutral(const mbd_model_t * model, double * q);

/// Normalise the quaternions of q in place.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION. On error, q is unchanged.
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_normalize(const mbd_model_t * model, double * q);

/// Integrate q along v for dt; quaternions of the result are normalised.
/// \param[in]  q      model->nq
/// \param[in]  v      model->nv
/// \param[in]  dt     [s], any sign
/// \param[out] q_out  model->nq; may alias q
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION. On error, q_out is not written.
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_integrate(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out);

/// Velocity that takes q0 to q1 in one second, along the shortest rotation for spherical, planar and
/// free joints. Angles of other joints are not wrapped.
/// \param[out] v  model->nv
/// \return as mbd_integrate
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_difference(
  const mbd_model_t * model, const double * q0, const double * q1, double * v);

/// Random configuration: within the position limits if they are finite, else angles in [-pi, pi] and
/// displacements in [-1, 1] m; quaternions are uniformly distributed. Equal seeds give equal results on
/// all machines. User-defined joints are integrated from neutral with a random velocity in [-1, 1].
/// \param[in]  seed  any value
/// \param[out] q     model->nq
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_random_configuration(const mbd_model_t * model, uint64_t seed, double * q);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__INTEGRATE_H_
