/// \file view_messages.h
/// The messages of docs/view_protocol.md as text. All append to a cleared text; robots are looked at
/// under the lock, bytes are copies.
#ifndef VIEW_MESSAGES_H_
#define VIEW_MESSAGES_H_

#include "view_client.h"

void view_hello(json_out_t * text, const view_facts_t * facts);
void view_robots(json_out_t * text, const view_sources_t * sources, double now);
void view_playback(json_out_t * text, const recording_state_t * state);
/// \param[in] mechanism  file with springs, or NULL
void view_model(json_out_t * text, const live_robot_t * robot, const char * mechanism);
void view_reset(json_out_t * text, const live_robot_t * robot);
void view_saturated(json_out_t * text, const live_robot_t * robot);
void view_status(json_out_t * text, const live_robot_t * robot, uint64_t thinned);
void view_diagnostics(json_out_t * text, const live_diagnostics_t * diagnostics);

/// False if the bytes are not the message, or if it is too large to be sent.
bool view_mass_matrix(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size);
bool view_jacobian(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size);
bool view_inertia(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size);
bool view_summary(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size);
bool view_singularity(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size);
bool view_wrench(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size);

/// The newest state of all joints, copied.
typedef struct view_pose {
  double t;
  double position[LIVE_JOINTS];
  double base[7];
  bool floating;
} view_pose_t;

typedef struct view_rows {
  const char * robot;
  uint64_t model;
  int joints;  ///< of the robot
  size_t rows, width;
  const double * t;
  const float * x;
  const view_pose_t * pose;  ///< NULL: history
} view_rows_t;

void view_samples(json_out_t * text, const view_client_t * client, const view_rows_t * rows);

#endif  // VIEW_MESSAGES_H_
