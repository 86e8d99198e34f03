/// \file info.h
/// What `mbdyn info` shows of a robot, in two forms.
///
///   info_text, info_json    the whole, on standard output
///   info_loops_text, _json  loops and gears
///   info_flexible_text, _json   flexible links
///   info_rotor_error        what the diagonal approximation of rotors gets wrong
///   info_axis               axis of a joint in the axes of its link
///   info_com                centre of mass of a body in the frame of its link
#ifndef INFO_H_
#define INFO_H_

#include <stdbool.h>

#include "json_out.h"
#include "mbdyn/model.h"
#include "mbdyn/urdf.h"
#include "robot_options.h"

/// What the diagonal approximation of rotors gets wrong (gear.h), and between which joints.
typedef struct info_rotors {
  double error;  ///< of the mass matrix at rest, by the diagonal
  const char *one, *other;
} info_rotors_t;

typedef struct info {
  const mbd_model_t * model;     ///< all joints
  const mbd_model_t * embedded;  ///< with loops and gears; the same model without
  const info_rotors_t * rotors;  ///< NULL: there are none, or they are exact
  const mbdx_report_t * report;
  const mbd_model_t * flexible;           ///< flexible links, or NULL
  const mbdx_report_t * flexible_report;  ///< of reading them, or NULL
  bool floating;                          ///< base, as loaded
} info_t;

void info_text(const info_t * info);
void info_json(const info_t * info);

/// Axis of a joint that has one, in link axes; false for the other types.
bool info_axis(const mbd_model_t * model, const mbd_body_t * body, mbd_vec3_t * axis);

/// Centre of mass of a body, with all that is merged into it, in its link's frame [m]; false if it
/// has no mass.
bool info_com(const mbd_model_t * model, const mbd_body_t * body, mbd_vec3_t * com);

/// Closures, what they hold together, and what is left to move; nothing without loops.
void info_loops_text(const mbd_model_t * model);
void info_loops_json(json_out_t * out, const mbd_model_t * model);

/// Flexible links, their modes and the robot's natural frequencies; nothing for NULL.
void info_flexible_text(const mbd_model_t * flexible);
void info_flexible_json(json_out_t * out, const mbd_model_t * flexible);

/// False if the robot has no rotors, or they are exact already.
bool info_rotor_error(
  const char * path, const robot_options_t * options, const mbd_model_t * model,
  info_rotors_t * rotors);
void info_rotors_text(const info_rotors_t * rotors);

/// Links among the frames.
int info_link_count(const mbd_model_t * model);

#endif  // INFO_H_
