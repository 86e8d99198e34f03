/// \file info.h
/// What `mbdyn info` shows of a robot, in two forms.
///
///   info_text, info_json    the whole, on standard output
///   info_axis               axis of a joint in the axes of its link
///   info_com                centre of mass of a body in the frame of its link
#ifndef INFO_H_
#define INFO_H_

#include <stdbool.h>

#include "mbdyn/model.h"
#include "mbdyn/urdf.h"

typedef struct info {
  const mbd_model_t * model;
  const mbdx_report_t * report;
  bool floating;  ///< base, as loaded
} info_t;

void info_text(const info_t * info);
void info_json(const info_t * info);

/// Axis of a joint that has one, in link axes; false for the other types.
bool info_axis(const mbd_model_t * model, const mbd_body_t * body, mbd_vec3_t * axis);

/// Centre of mass of a body, with all that is merged into it, in its link's frame [m]; false if it
/// has no mass.
bool info_com(const mbd_model_t * model, const mbd_body_t * body, mbd_vec3_t * com);

/// Links among the frames.
int info_link_count(const mbd_model_t * model);

#endif  // INFO_H_
