/// \file codegen_axes.h
/// Choosing the frames of bodies so that generated code has little to do.
///
///   axes_choose   from the geometry alone: axes along common normals, offsets with few numbers
///   axes_improve  by trying: moves frames as long as a cost goes down
#ifndef CODEGEN_AXES_H_
#define CODEGEN_AXES_H_

#include "codegen_robot.h"

/// Fill robot->choice. The bodies' model, kind and parent must be set.
void axes_choose(gen_robot_t * robot);

/// Cost of the robot as it is, or a negative number if it cannot be told.
typedef int (*axes_cost_t)(const gen_robot_t * robot, void * context);

/// Try, body by body, frames that make numbers of the inertia zero; keep what lowers the cost. The
/// robot is derived from the best choice on return.
void axes_improve(gen_robot_t * robot, axes_cost_t cost, void * context);

#endif  // CODEGEN_AXES_H_
