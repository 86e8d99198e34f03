/// \file integrate.h
/// Configurations as points of a manifold: move along a velocity, and back.
///
///   mbd_neutral                the configuration at rest
///   mbd_normalize              quaternions to unit length
///   mbd_integrate              q moved along v for dt
///   mbd_difference             the velocity that takes q0 to q1 in one second
///   mbd_random_configuration   reproducible, within position limits
///
/// On spherical and free joints the velocity is that of the child, in child axes; planar likewise:
/// the exponential of the group is taken, so that the result is exact for constant v.
#ifndef MBDYN__INTEGRATE_H_
#define MBDYN__INTEGRATE_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Configuration at rest: zeros and identity quaternions, model->nq.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_neutral(const mbd_model_t * model, double * q);

/// Scale the quaternions of q to unit length, in place.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION. On an error q is unchanged.
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_normalize(const mbd_model_t * model, double * q);

/// q moved along v for dt; quaternions come out normalised.
/// \param[in]  q      model->nq
/// \param[in]  v      model->nv
/// \param[in]  dt     [s], any sign
/// \param[out] q_out  model->nq; may alias q
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION. On an error q_out is not written.
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_integrate(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out);

/// Velocity that takes q0 to q1 in one second, along the shortest way for rotations of spherical,
/// planar and free joints. Angles of other joints are plain numbers: no wrapping.
/// \param[out] v  model->nv
/// \return as mbd_integrate
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_difference(
  const mbd_model_t * model, const double * q0, const double * q1, double * v);

/// A random configuration: within position limits where they are finite, else angles in [-pi, pi],
/// displacements in [-1, 1] m; quaternions uniform on the sphere. The same on every machine for
/// the same seed. User-defined joints are moved from rest by a random velocity in [-1, 1].
/// \param[in]  seed  any number
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
