/// \file view_motion.h
/// Self-motion of a watched robot, from its URDF and a configuration: no message goes to the robot.
///
///   view_motion_create   with the robot locked
///   view_motion          computes it and writes the message, with the robot free
///   view_motion_destroy
#ifndef VIEW_MOTION_H_
#define VIEW_MOTION_H_

#include "json_out.h"
#include "live_robot.h"

/// Shortest time between two of one page [s].
#define VIEW_MOTION_PERIOD 0.25

typedef struct view_motion view_motion_t;

/// \param[in] position  of the robot's joints [n], or NULL: the newest
/// \return NULL if out of memory
view_motion_t * view_motion_create(
  const live_robot_t * robot, const char * frame, const double * position, int n);
void view_motion_destroy(view_motion_t * motion);

/// NULL is an error in the message.
void view_motion(json_out_t * text, const view_motion_t * motion);

#endif  // VIEW_MOTION_H_
