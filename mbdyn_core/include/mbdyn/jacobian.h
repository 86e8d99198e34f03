/// \file jacobian.h
/// Frame Jacobians, and products with them without forming the matrix.
///
///   mbd_jacobian                     6 x nv, in a chosen reference              Jain (3.53)
///   mbd_jacobian_product             J x in one sweep
///   mbd_jacobian_transpose_product   sum of J_k^T f_k over wrenches, one sweep  Jain (5.38)
///   mbd_jacobian_bias                Jdot v
///
/// Rows are angular first, like all 6-vectors of the core; order.h converts them to linear first.
#ifndef MBDYN__JACOBIAN_H_
#define MBDYN__JACOBIAN_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// External wrench on a frame.
typedef struct mbd_wrench {
  int frame;
  mbd_reference_t reference;  ///< reference point and axes of f
  mbd_force_t f;              ///< moment [N m] and force [N]
} mbd_wrench_t;

/// A list of wrenches; several on one frame are summed. A NULL list means none.
typedef struct mbd_wrenches {
  int n;
  const mbd_wrench_t * w;
} mbd_wrenches_t;

/// Jacobian of a frame: velocity of the frame = J v. Needs the position stage.
/// \param[in]  reference  reference point and axes of the velocity
/// \param[out] J          row-major 6 x model->nv: rows 0-2 angular, 3-5 linear
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT (frame or reference)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_jacobian(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * J);

/// J x for one frame, computed along the path from the base. Needs the position stage; does not change
/// the velocity stage.
/// \param[in]  x  model->nv
/// \param[out] V  J x
/// \return as mbd_jacobian, and MBD_ERROR_NOT_FINITE
///
/// Complexity O(depth) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_jacobian_product(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  const double * x, mbd_motion_t * V);

/// Joint torques equivalent to these wrenches: tau = sum_k J_k^T f_k. Needs the position stage.
/// \param[in]  wrenches  any number on any frames, or NULL
/// \param[out] tau       model->nv [N m, N]
/// \return as mbd_jacobian, and MBD_ERROR_NOT_FINITE
///
/// Complexity O(N + wrenches) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_jacobian_transpose_product(
  const mbd_model_t * model, mbd_data_t * data, const mbd_wrenches_t * wrenches, double * tau);

/// Jdot v: the acceleration of a frame (mbd_frame_acceleration) at zero joint acceleration. Needs
/// the velocity stage.
/// \return as mbd_jacobian
///
/// Complexity O(N) for the first call per state, then O(1) | Allocates no | Thread-safe per data |
/// Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_jacobian_bias(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * bias);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__JACOBIAN_H_
