/// \file view_springs.h
/// Springs of a robot, so that the page can draw them: from a mechanism file that belongs to its URDF.
#ifndef VIEW_SPRINGS_H_
#define VIEW_SPRINGS_H_

#include "json_out.h"
#include "live_robot.h"

/// The member `springs`: those between two points of links, with what their force follows from; and
/// `springs_error`, why the file is none of this robot.
void view_springs(json_out_t * text, const live_robot_t * robot, const char * mechanism);

#endif  // VIEW_SPRINGS_H_
