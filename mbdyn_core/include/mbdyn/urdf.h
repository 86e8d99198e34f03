/// \file urdf.h
/// Strict URDF loader: errors are reported with file, line and a hint, and nothing is ignored silently.
///
///   mbdx_urdf_options_default   fixed base, mimic joints and loops embedded, not strict
///   mbdx_urdf_load_file         URDF file -> finalized model
///   mbdx_urdf_load_string       URDF text -> finalized model
///   mbdx_report_free            free a report
///   mbdx_severity_name          "error", "warning", "note"
///
/// **Versions.** URDF 1.0, 1.1 (`quat_xyzw` of `<origin>`, capsules) and 1.2 (limits of acceleration,
/// deceleration and jerk; no default for `lower` and `upper`), selected by the attribute `version` of
/// `<robot>`. Quaternions are normalised with a note, as in urdfdom; a quaternion of norm 0 is an error,
/// and so is `rpy` next to a quaternion.
///
/// **Elements that affect the dynamics are never ignored.** Unknown attributes of `<origin>`, `<mass>`,
/// `<inertia>`, `<inertial>`, `<axis>`, `<limit>`, `<dynamics>` or `<mimic>`, unknown elements of
/// `<inertial>`, and elements that the version of the file does not have, are errors. Attributes of
/// other namespaces (`drake:acceleration`) are noted. An unknown element of `<robot>`, `<link>` or
/// `<joint>` is a warning, or an error if it differs from a known one in one letter (`<limits>`,
/// `<inertal>`). Shapes (`<visual>`, `<collision>`) are not read; shapes.h reads those of `<collision>`.
///
/// **Two parsers.** The strict parser of this library checks the text, then urdfdom parses the same
/// text, and the model is built from the values of urdfdom. If the two parsers differ, the file is rejected
/// and the report shows both values. Elements that urdfdom rejects or does not know (URDF 1.1 and 1.2,
/// transmissions, loop joints) come from the strict parser. A note in the report says which parser was used (docs/urdf.md).
///
/// Loop closures and gears come from `<mimic>`, from `<loop_joint>` and from a YAML file next to the
/// URDF (schema in docs/loops.md).
///
/// Library mbdyn_urdf. Parsing does not depend on the locale; nothing is printed.
///
/// Size limits (MBD_ERROR_LIMIT): 16 MB, 64 levels of nesting, 500 000 elements and attributes, 8 kB per
/// tag, 4096 links or joints, 256 bytes per name. DOCTYPE declarations are rejected, so that no entities
/// are expanded, and so are processing instructions that contain a '>'. Limits for YAML: 1 MB, 64
/// levels, 1000 anchors and aliases, 16 directives, 4096 keys per mapping; a second document is an error.
#ifndef MBDYN__URDF_H_
#define MBDYN__URDF_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Connection of the root link to the world.
typedef enum mbdx_base {
  MBDX_BASE_FIXED = 0,
  MBDX_BASE_FLOATING = 1  ///< by a free joint named "root_joint"
} mbdx_base_t;

/// Drive of one joint, overriding the file; see mbd_drive_t.
typedef struct mbdx_joint_drive {
  const char * joint;
  mbd_drive_t drive;
} mbdx_joint_drive_t;

typedef struct mbdx_urdf_options {
  mbdx_base_t base;        ///< of the root link
  bool mimic_independent;  ///< treat mimic joints as independent joints in dynamics
  bool strict;             ///< treat warnings (ignored or suspicious elements) as errors
  bool allow_massless;     ///< a moving subtree without mass is a warning instead of an error
  mbd_vec3_t gravity;      ///< in world axes [m/s^2]
  int ndrive;
  const mbdx_joint_drive_t * drive;  ///< [ndrive]
  /// Joints to lock, as if they were fixed (mbd_model_lock): "JOINT", at 0 or the limit nearest to it, or
  /// "JOINT: POSITION" [rad or m]. Not for mbdx_mechanism_load_urdf.
  int nlock;
  const char * const * lock;  ///< [nlock]
  /// Model rotors as bodies geared to their joints (gear.h) instead of a reflected inertia
  bool exact_rotors;
  const char * loops_file;    ///< YAML with loops and gears, or NULL
  const char * loops_text;    ///< the same as text, or NULL; not both
  const char * loops_source;  ///< name of loops_text in reports; NULL: "loops"
  /// Return an embedded model (embedding.h) if there are closures. Off: return the spanning tree with
  /// its closures, for constrained.h. Independent mimic joints do not count as closures.
  bool embed;
  /// The loops file is a mechanism file (docs/mechanism.md, "Beside a URDF"). Its closures, forces and bearings
  /// are those of the model; drivers and the initial state are checked, but only mechanism.h uses them
  bool mechanism;
} mbdx_urdf_options_t;

typedef enum mbdx_severity {
  MBDX_NOTE = 0,     ///< merged or normalised without changing the meaning
  MBDX_WARNING = 1,  ///< ignored or suspicious
  MBDX_ERROR = 2     ///< the file is rejected
} mbdx_severity_t;

/// One entry of a report. Text from the file is sanitised for printing: valid UTF-8, without control
/// characters, long values truncated.
typedef struct mbdx_report_entry {
  mbdx_severity_t severity;
  int line;        ///< 1-based, 0 for the whole file
  char * source;   ///< file of the line: the URDF or the loops file; never NULL
  char * element;  ///< e.g. "link 'forearm'", never NULL
  char * what;     ///< what was found or done, never NULL
  char * hint;     ///< what to do about it, or NULL
  char * text;     ///< the whole sentence: "FILE:LINE: ELEMENT: WHAT; HINT", never NULL
} mbdx_report_entry_t;

typedef struct mbdx_report {
  char * source;                   ///< file name or `source` of mbdx_urdf_load_string, never NULL
  int n, nerror, nwarning, nnote;  ///< long lists end with "N further ... are not listed"
  mbdx_report_entry_t * entry;     ///< [n], in the order of lines
} mbdx_report_t;

/// Default options: fixed base, gravity (0, 0, -9.81), embed; everything else off.
MBD_PUBLIC
mbdx_urdf_options_t mbdx_urdf_options_default(void);

/// Load a robot from a URDF file.
/// \param[in]  path     file
/// \param[in]  options  or NULL for the defaults
/// \param[out] model    finalized; NULL on error; free with mbd_model_destroy
/// \param[out] report   created except on MBD_ERROR_NULL_ARGUMENT and MBD_ERROR_OUT_OF_MEMORY; free
///   with mbdx_report_free; may be NULL
/// \return MBD_OK, MBD_ERROR_FILE, MBD_ERROR_XML, MBD_ERROR_URDF, MBD_ERROR_LIMIT,
///   MBD_ERROR_BAD_ARGUMENT (options), MBD_ERROR_NULL_ARGUMENT (path, model),
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_urdf_load_file(
  const char * path, const mbdx_urdf_options_t * options, mbd_model_t ** model,
  mbdx_report_t ** report);

/// Load a robot from URDF text.
/// \param[in] xml     text in UTF-8 (or US-ASCII, ISO-8859-1 if declared); need not be terminated by 0
/// \param[in] size    size in bytes
/// \param[in] source  name in the report; NULL: "robot_description"
/// \return as mbdx_urdf_load_file
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_urdf_load_string(
  const char * xml, size_t size, const char * source, const mbdx_urdf_options_t * options,
  mbd_model_t ** model, mbdx_report_t ** report);

/// Free a report; NULL is allowed.
MBD_PUBLIC
void mbdx_report_free(mbdx_report_t * report);

/// Name of a severity: "note", "warning" or "error".
MBD_PUBLIC
const char * mbdx_severity_name(mbdx_severity_t severity);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__URDF_H_
