/// \file flexible/flexible_file.h
/// Links that bend, from YAML beside the URDF: beams, modal data in YAML or CSV.
///
///   mbdx_flexible_load_file     file -> robot with links that bend
///   mbdx_flexible_load_string   text -> the same
///
/// Library mbdyn_urdf. docs/flexible.md has the schema. Whatever is wrong is in the report, with
/// file, line and a way out; nothing is printed.
///
/// Refused as too large (MBD_ERROR_LIMIT): more than 16 MB of a file, 100 modes or 10 000 nodes of a
/// link.
#ifndef MBDYN__FLEXIBLE__FLEXIBLE_FILE_H_
#define MBDYN__FLEXIBLE__FLEXIBLE_FILE_H_

#include "mbdyn/flexible/flexible_links.h"
#include "mbdyn/urdf.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Read which links of a robot bend, and how.
/// \param[in]  model     finalized tree, as from mbdx_urdf_load_file with embed off or without loops;
///   must outlive the robot
/// \param[in]  path      YAML file; files that it names are beside it
/// \param[out] flexible  give it to mbd_model_destroy; NULL on an error
/// \param[out] report    made in every case but MBD_ERROR_NULL_ARGUMENT and
///   MBD_ERROR_OUT_OF_MEMORY; free with mbdx_report_free; may be NULL
/// \return MBD_OK, MBD_ERROR_FILE, MBD_ERROR_BAD_MODES (whatever is wrong in the files),
///   MBD_ERROR_LIMIT, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED,
///   MBD_ERROR_MIMIC, MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_flexible_load_file(
  const mbd_model_t * model, const char * path, mbd_model_t ** flexible, mbdx_report_t ** report);

/// The same from text.
/// \param[in] text    YAML; need not end in 0
/// \param[in] size    its bytes
/// \param[in] source  what to call it in the report; NULL: "flexible"; files that the text names are
///   in the folder of this path
/// \return as mbdx_flexible_load_file
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_flexible_load_string(
  const mbd_model_t * model, const char * text, size_t size, const char * source,
  mbd_model_t ** flexible, mbdx_report_t ** report);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__FLEXIBLE__FLEXIBLE_FILE_H_
