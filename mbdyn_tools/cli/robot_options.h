/// \file robot_options.h
/// The robot of a command: its options, and loading.
///
///   ROBOT_OPTIONS           table for args_parse; writes to robot_options_t
///   ROOT_OPTIONS            --root, for commands that support another link as the base
///   robot_options_default   fixed base, mimic joints rejected, not strict
///   robot_load              load, and print the report to stderr
///   robot_read              load, and return the report
///   robot_free              free everything
///   robot_text              the text of a robot description
///   robot_urdf_text         the same as URDF
///   robot_file_beside       ROBOT.loops.yaml next to ROBOT.urdf, and others
///   robot_find_loops        loops or mechanism file: that of the options, or beside the URDF
///   robot_embed             for commands that support loops, gears and mimic joints
///   robot_allow_flexible    for commands that support flexible links
///   robot_warn_forces       message of commands that leave out springs
///   robot_refuse_mimic      message of commands that support only trees
#ifndef ROBOT_OPTIONS_H_
#define ROBOT_OPTIONS_H_

#include <stdbool.h>
#include <stdio.h>

#include "args.h"
#include "mbdyn/flexible/flexible_links.h"
#include "mbdyn/model.h"
#include "mbdyn/operators/reroot.h"
#include "mbdyn/urdf.h"

/// Maximum number of --lock options.
#define ROBOT_LOCKS_MAX 64

typedef struct robot_options {
  mbdx_urdf_options_t urdf;
  bool no_loops;          ///< --loops none or --mechanism none: not even a file beside the URDF
  const char * root;      ///< --root: link that is to be the floating base, or NULL
  const char * flexible;  ///< YAML with flexible links, or NULL: that beside the URDF
  bool no_flexible;       ///< --flexible none: not even that
  bool allow_flexible;    ///< the command can take flexible links
  const char * lock[ROBOT_LOCKS_MAX];  ///< --lock, in the order given
} robot_options_t;

extern const option_t ROBOT_OPTIONS[];
extern const option_t ROOT_OPTIONS[];

robot_options_t robot_options_default(void);

typedef struct robot {
  mbd_model_t * model;     ///< NULL if it did not load
  mbdx_report_t * report;  ///< NULL only if the file could not be read at all
  mbd_status_t status;
  mbd_model_t * whole;              ///< with --root: the robot as the file has it
  mbd_reroot_t * reroot;            ///< which `model` then belongs to
  mbd_model_t * flexible;           ///< with flexible links, or NULL: none do
  mbdx_report_t * flexible_report;  ///< of reading them, or NULL
} robot_t;

/// The text of a robot description, as robot_read takes it; "robot.xacro" is what xacro prints.
/// \return to be freed, not terminated by 0; NULL after a message on stderr
char * robot_text(const char * path, size_t * size);

/// The same as URDF, for who reads URDF only: MJCF is converted (robot_write.h).
char * robot_urdf_text(const char * path, size_t * size);

/// Read a robot; prints nothing but the reason if the file cannot be read at all.
/// \param[in] path  URDF file, xacro file (*.xacro), or "-" for standard input
robot_t robot_read(const char * path, const robot_options_t * options);

/// Read a robot and print its warnings and errors on stderr. False if it did not load.
bool robot_load(const char * path, const robot_options_t * options, robot_t * robot);

void robot_free(robot_t * robot);

/// Fill in options->loops_file and options->mechanism, if a file is beside the URDF and the options have none.
/// \param[out] beside  memory for the path
/// \return false, after a message, if there are a loops file and a mechanism file
bool robot_find_loops(const char * path, robot_options_t * options, char * beside, size_t size);

/// A file beside a URDF: arm.urdf has arm.loops.yaml, arm.flexible.yaml, arm.mechanism.yaml. False if there
/// is none.
bool robot_file_beside(const char * path, const char * ending, char * beside, size_t size);

/// Ask for a model in independent velocities where there are loops, gears or mimic joints.
void robot_embed(robot_options_t * options);

/// Ask for flexible links, too.
void robot_allow_flexible(robot_options_t * options);

/// True, after a message on stderr, if dynamics of the robot would refuse its mimic joints.
bool robot_refuse_mimic(const char * path, const mbd_model_t * model);

/// A message on stderr if the robot has springs or other forces, which the command leaves out.
void robot_warn_forces(const char * path, const mbd_model_t * model);

/// Three finite numbers separated by commas; false if the text is anything else.
bool robot_parse_vec3(const char * text, mbd_vec3_t * x);

/// A load report down to a severity, a line per entry: "FILE:LINE: SEVERITY: ELEMENT: WHAT; HINT".
/// NULL is an empty report.
void robot_print_report(FILE * to, const mbdx_report_t * report, mbdx_severity_t lowest);

#endif  // ROBOT_OPTIONS_H_
