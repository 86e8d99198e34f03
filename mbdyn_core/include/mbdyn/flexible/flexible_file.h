/// \file flexible/flexible_file.h
/// Flexible links from a YAML file next to the URDF: beams, and modal data in YAML or CSV.
///
///   mbdx_flexible_load_file     load flexible links from a file
///   mbdx_flexible_load_string   load flexible links from text
///
/// Library mbdyn_urdf. docs/flexible.md has the schema. Errors are in the report, with file, line and a
/// hint; nothing is printed.
///
/// Size limits (MBD_ERROR_LIMIT): 16 MB per file, 100 modes and 10 000 nodes per link.
#ifndef MBDYN__FLEXIBLE__FLEXIBLE_FILE_H_
#define MBDYN__FLEXIBLE__FLEXIBLE_FILE_H_

#include "mbdyn/flexible/flexible_links.h"
#include "mbdyn/urdf.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Load the flexible links of a robot.
/// \param[in]  model     finalized tree, as from mbdx_urdf_load_file with embed off or without loops;
///   must outlive the result
/// \param[in]  path      YAML file; paths in it are relative to its folder
/// \param[out] flexible  model with flexible links; free with mbd_model_destroy; NULL on error
/// \param[out] report    created except on MBD_ERROR_NULL_ARGUMENT and MBD_ERROR_OUT_OF_MEMORY; free
///   with mbdx_report_free; may be NULL
/// \return MBD_OK, MBD_ERROR_FILE, MBD_ERROR_BAD_MODES (any error in the files),
///   MBD_ERROR_LIMIT, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED,
///   MBD_ERROR_MIMIC, MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_flexible_load_file(
  const mbd_model_t * model, const char * path, mbd_model_t ** flexible, mbdx_report_t ** report);

/// Load the flexible links of a robot from text.
/// \param[in] text    YAML; need not be terminated by 0
/// \param[in] size    size in bytes
/// \param[in] source  name in the report; NULL: "flexible". Paths in the text are relative to
///   the folder of this path
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
