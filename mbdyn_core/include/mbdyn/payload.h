/// \file payload.h
/// Payloads: tools and loads attached to frames at run time.
///
///   mbd_payload_attach   attach a rigid body to a frame; replaces the previous payload
///   mbd_payload_remove   remove the payload; restores the inertia exactly
///   mbd_payload_clear    remove all payloads
///
/// Payloads belong to a workspace, not to the model: every thread has its own.
#ifndef MBDYN__PAYLOAD_H_
#define MBDYN__PAYLOAD_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Attach a rigid body to a frame, replacing its previous payload. Invalidates the stages that depend
/// on inertia, including accelerations; positions and velocities stay valid.
/// \param[in] frame    index from mbd_find_frame
/// \param[in] inertia  about the frame's origin, in the frame's axes (see mbdu_inertia_from_com)
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_BAD_ARGUMENT,
///   MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_INERTIA. On error, nothing changes.
///
/// Complexity O(frames) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_payload_attach(
  const mbd_model_t * model, mbd_data_t * data, int frame, const mbd_inertia_t * inertia);

/// Remove the payload of a frame.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_BAD_ARGUMENT,
///   MBD_ERROR_NOT_FOUND (the frame has no payload)
///
/// Complexity O(frames) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_payload_remove(const mbd_model_t * model, mbd_data_t * data, int frame);

/// Remove all payloads.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH
///
/// Complexity O(frames) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_payload_clear(const mbd_model_t * model, mbd_data_t * data);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__PAYLOAD_H_
