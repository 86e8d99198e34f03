/// \file plugin_mbdyn.h
/// The plug-in of mbdyn, for programs that link it statically.
///
///   bench_mbdyn         the plug-in; its load builds a model from the links of the robot
///   bench_mbdyn_adopt   instead of load: use an existing model, with any joint types
#ifndef PLUGIN_MBDYN_H_
#define PLUGIN_MBDYN_H_

#include "bench_plugin.h"
#include "mbdyn/model.h"

extern const bench_plugin_t bench_mbdyn;

/// Use an existing model with the frames and states of the robot, whose links, joints and URDF are ignored.
/// Takes ownership: bench_mbdyn.unload destroys the model, or this function on error.
/// \return as bench_plugin_t.load
void * bench_mbdyn_adopt(mbd_model_t * model, const bench_robot_t * robot, char * why);

#endif  // PLUGIN_MBDYN_H_
