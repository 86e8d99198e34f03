/// \file robot_write.h
/// Models as files: URDF and MJCF text of a robot, with numbers that are read back to the last bit.
///
///   mbdx_urdf_write         model -> URDF text
///   mbdx_mjcf_write         model -> MJCF text, for MuJoCo 2.2 and later
///   mbdx_robot_text_free    free a text
///
/// What a format cannot hold is in the report: an error if the robot's motion would be another one (a ball joint in
/// URDF, a helical one in both), a warning where something is left out (springs in URDF, limits of velocity in MJCF).
/// Links on fixed joints are part of the bodies that carry them; they remain as links without mass. Links that are
/// fixed to the world have no mass in the text, for it has no effect.
///
/// The text of a model, read by the loader of its format, has the same joints, coordinates and dynamics.
#ifndef MBDYN__ROBOT_WRITE_H_
#define MBDYN__ROBOT_WRITE_H_

#include "mbdyn/urdf.h"

#ifdef __cplusplus
extern "C" {
#endif

/// URDF text of a model: version 1.0, or 1.2 if joints have limits of acceleration.
/// \param[in]  model   finalized; of an embedded one the tree with its closures
/// \param[out] text    ends in a zero; NULL on error; free with mbdx_robot_text_free
/// \param[out] size    bytes without the zero; may be NULL
/// \param[out] report  what was left out and why; free with mbdx_report_free; may be NULL
/// \return MBD_OK; MBD_ERROR_UNSUPPORTED (the report says what); MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED,
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_urdf_write(
  const mbd_model_t * model, char ** text, size_t * size, mbdx_report_t ** report);

/// MJCF text of a model, in radians and with all limits stated.
/// \return as mbdx_urdf_write
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_mjcf_write(
  const mbd_model_t * model, char ** text, size_t * size, mbdx_report_t ** report);

/// Free a text; NULL is allowed.
MBD_PUBLIC
void mbdx_robot_text_free(char * text);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__ROBOT_WRITE_H_
