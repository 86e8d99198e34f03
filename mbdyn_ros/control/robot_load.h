/// \file robot_load.h
/// A robot description to a model, as the parameters say: base, locked joints, loops, flexible links.
///
///   robot_load, robot_load_fini
#ifndef MBDYN_ROS__ROBOT_LOAD_H_
#define MBDYN_ROS__ROBOT_LOAD_H_

#include "mbdyn/mbdyn.h"
#include "node_parameters.h"

typedef struct robot_load {
  mbd_model_t * model;
  mbd_model_t * flexible;         ///< the same with flexible links, or NULL
  mbdx_ros2_control_t * control;  ///< joints of <ros2_control>
  int nwarning;
  char ** warning;
} robot_load_t;

/// Its dynamics can be computed, or it is refused.
/// \param[in] source  of the text, in messages
/// \param[in] strict  in addition to the parameter
/// \param[out] reason  with file and line
/// \return the core's error; nothing of it is left then
mbd_status_t robot_load(
  const param_values_t * values, const char * text, size_t length, const char * source, bool strict,
  robot_load_t * load, char * reason, size_t size);
void robot_load_fini(robot_load_t * load);

#endif  // MBDYN_ROS__ROBOT_LOAD_H_
