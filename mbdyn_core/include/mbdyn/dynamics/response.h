/// \file dynamics/response.h
/// Response of the robot to wrenches and impulses: accelerations and velocity jumps.
///
///   mbd_force_response         qdd caused by wrenches on frames: M^-1 sum J^T f  Jain Alg. 7.3
///   mbd_impulse_response       velocity jump caused by impulses on frames
///   mbd_response_acceleration  resulting acceleration or velocity jump of a frame
///
/// Articulated inertias are computed once per configuration; then each set of wrenches costs O(N). With
/// one wrench at a time, mbd_response_acceleration gives the columns of the contact (Delassus) matrix;
/// mbd_task_compliance (task.h) gives the whole matrix.
#ifndef MBDYN__DYNAMICS__RESPONSE_H_
#define MBDYN__DYNAMICS__RESPONSE_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Joint accelerations caused by wrenches on frames: their contribution to forward dynamics. Needs the
/// position stage.
///
///   dqdd = + M^-1 sum_k J_k^T f_k
///
/// \param[in]  wrenches  any number on any frames, or NULL
/// \param[out] dqdd      model->nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_MIMIC, MBD_ERROR_MASSLESS_SUBTREE
///
/// Complexity O(N + wrenches) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_force_response(
  const mbd_model_t * model, mbd_data_t * data, const mbd_wrenches_t * wrenches, double * dqdd);

/// Jump of the joint velocities caused by impulses on frames, with free joints and without friction: the
/// same operator, with wrenches in N s and N m s.
/// \param[out] dv  model->nv
/// \return as mbd_force_response
///
/// Complexity O(N + impulses) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_impulse_response(
  const mbd_model_t * model, mbd_data_t * data, const mbd_wrenches_t * impulses, double * dv);

/// Acceleration (or velocity jump) J dqdd of a frame in the last mbd_force_response or
/// mbd_impulse_response, without another sweep.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(1) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_response_acceleration(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * A);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__RESPONSE_H_
