/// \file payload.h
/// Tools and loads, held at frames, exchanged at run time.
///
///   mbd_payload_attach   hold a rigid body at a frame; replaces what was held there
///   mbd_payload_remove   let it go; the inertia is then exactly what it was
///   mbd_payload_clear    let everything go
///
/// A payload belongs to a workspace, not to the model: every thread has its own.
#ifndef MBDYN__PAYLOAD_H_
#define MBDYN__PAYLOAD_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Hold a rigid body at a frame, in place of what that frame held before. Stages that depend on
/// inertia become stale, accelerations included; positions and velocities stay.
/// \param[in] frame    index from mbd_find_frame
/// \param[in] inertia  about the frame's origin, in the frame's axes (mbdu_inertia_from_com helps)
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_BAD_ARGUMENT,
///   MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_INERTIA. On an error nothing changes.
///
/// Complexity O(frames) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_payload_attach(
  const mbd_model_t * model, mbd_data_t * data, int frame, const mbd_inertia_t * inertia);

/// Let go of what a frame holds.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_BAD_ARGUMENT,
///   MBD_ERROR_NOT_FOUND (it holds nothing)
///
/// Complexity O(frames) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_payload_remove(const mbd_model_t * model, mbd_data_t * data, int frame);

/// Let go of everything.
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
