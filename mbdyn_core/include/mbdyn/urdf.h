/// \file urdf.h
/// Robots from URDF, strictly: what is wrong is refused with file, line and a way out; what is
/// changed or left out is listed in a report.
///
///   mbdx_urdf_options_default   fixed base, mimic joints and loops embedded, not strict
///   mbdx_urdf_load_file         URDF file -> finalized model
///   mbdx_urdf_load_string       URDF text -> finalized model
///   mbdx_report_free            free a report
///   mbdx_severity_name          "error", "warning", "note"
///
/// **Versions.** URDF 1.0, 1.1 (`quat_xyzw` of `<origin>`, capsules) and 1.2 (limits of acceleration,
/// deceleration and jerk; no default for `lower` and `upper`), by `version` of `<robot>`. A quaternion
/// of another norm than 1 is normalised, as urdfdom does, and noted; of norm 0 it is an error, and so
/// is `rpy` beside it.
///
/// **What a number could depend on is never ignored.** An unknown attribute of `<origin>`, `<mass>`,
/// `<inertia>`, `<inertial>`, `<axis>`, `<limit>`, `<dynamics>` or `<mimic>`, an unknown element of
/// `<inertial>`, and one that the file's version does not have, are errors. Attributes of other
/// namespaces (`drake:acceleration`) are noted. An unknown element of `<robot>`, `<link>` or `<joint>` is
/// a warning, and an error if it is one letter off a known one (`<limits>`, `<inertal>`). Shapes (`<visual>`, `<collision>`) are not read.
///
/// **Two readers.** urdfdom reads the same bytes after our own reader has checked them, and the robot is
/// built from its numbers. Where it reads another number, the file is refused with both values. What it
/// refuses or does not know (URDF 1.1 and 1.2, transmissions, loop joints) is our own reading. A note
/// says whose reading the robot is (docs/urdf.md).
///
/// Loops and gears that the tree of a URDF cannot say come from `<mimic>`, from `<loop_joint>` and
/// from YAML beside the file (docs/loops.md has the schema).
///
/// Library mbdyn_urdf. Numbers are read the same way in every locale; nothing is printed.
///
/// Refused as too large (MBD_ERROR_LIMIT): more than 16 MB, elements nested more than 64 deep, more
/// than 500 000 elements and attributes, a tag of more than 8 kB, more than 4096 links or joints, a
/// name of more than 256 bytes. A DOCTYPE is refused, so that there are no entities to expand, and so is
/// a processing instruction with a '>' inside. Of YAML:
/// more than 1 MB, 64 levels, 1000 anchors and aliases, 16 directives, or 4096 keys in one mapping; a
/// second document is an error.
#ifndef MBDYN__URDF_H_
#define MBDYN__URDF_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the root link stands in the world.
typedef enum mbdx_base {
  MBDX_BASE_FIXED = 0,
  MBDX_BASE_FLOATING = 1  ///< a free joint named "root_joint" carries the root link
} mbdx_base_t;

/// Drive of one joint, in place of what the file says; see mbd_drive_t.
typedef struct mbdx_joint_drive {
  const char * joint;
  mbd_drive_t drive;
} mbdx_joint_drive_t;

typedef struct mbdx_urdf_options {
  mbdx_base_t base;        ///< of the root link
  bool mimic_independent;  ///< dynamics may treat mimic joints as joints of their own
  bool strict;             ///< what is ignored or suspicious (warnings) becomes an error
  bool allow_massless;     ///< a moving subtree without mass is a warning, not an error
  mbd_vec3_t gravity;      ///< in world axes [m/s^2]
  int ndrive;
  const mbdx_joint_drive_t * drive;  ///< [ndrive]
  /// Rotors as bodies of their own, geared to their joints (gear.h), in place of a term on the diagonal
  bool exact_rotors;
  const char * loops_file;    ///< YAML with loops and gears, or NULL
  const char * loops_text;    ///< the same as text, or NULL; not both
  const char * loops_source;  ///< name of loops_text in reports; NULL: "loops"
  /// A model with closures comes back in independent velocities: embedding.h. Off: the spanning tree
  /// with its closures, for constrained.h. Mimic joints that are treated as independent are no reason
  /// to embed.
  bool embed;
} mbdx_urdf_options_t;

typedef enum mbdx_severity {
  MBDX_NOTE = 0,     ///< read, merged or normalised: the model means what the file means
  MBDX_WARNING = 1,  ///< ignored or suspicious
  MBDX_ERROR = 2     ///< refused
} mbdx_severity_t;

/// One line of a report. Text from the file is quoted so that it is safe to print: valid UTF-8,
/// without control characters, long values cut.
typedef struct mbdx_report_entry {
  mbdx_severity_t severity;
  int line;        ///< 1-based, 0 if it is about the whole file
  char * source;   ///< file that the line is of: the report's, or that of loops; never NULL
  char * element;  ///< e.g. "link 'forearm'", never NULL
  char * what;     ///< what was found or done, never NULL
  char * hint;     ///< what to do about it, or NULL
  char * text;     ///< the whole sentence: "FILE:LINE: ELEMENT: WHAT; HINT", never NULL
} mbdx_report_entry_t;

typedef struct mbdx_report {
  char * source;                   ///< file name or what load_string was told, never NULL
  int n, nerror, nwarning, nnote;  ///< a list too long ends in "N further ... are not listed"
  mbdx_report_entry_t * entry;     ///< [n], in the order of lines
} mbdx_report_t;

/// Fixed base, gravity (0, 0, -9.81), embed; everything else off.
MBD_PUBLIC
mbdx_urdf_options_t mbdx_urdf_options_default(void);

/// Read a robot from a URDF file.
/// \param[in]  path     file
/// \param[in]  options  or NULL for the defaults
/// \param[out] model    finalized; NULL on an error; free with mbd_model_destroy
/// \param[out] report   made in every case but MBD_ERROR_NULL_ARGUMENT and
///   MBD_ERROR_OUT_OF_MEMORY; free with mbdx_report_free; may be NULL
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

/// Read a robot from URDF text.
/// \param[in] xml     text in UTF-8 (or what its XML declaration says: US-ASCII, ISO-8859-1); need
///   not end in 0
/// \param[in] size    its bytes
/// \param[in] source  what to call it in the report; NULL: "robot_description"
/// \return as mbdx_urdf_load_file
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_urdf_load_string(
  const char * xml, size_t size, const char * source, const mbdx_urdf_options_t * options,
  mbd_model_t ** model, mbdx_report_t ** report);

/// Free a report; NULL is fine.
MBD_PUBLIC
void mbdx_report_free(mbdx_report_t * report);

/// "note", "warning" or "error".
MBD_PUBLIC
const char * mbdx_severity_name(mbdx_severity_t severity);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__URDF_H_
