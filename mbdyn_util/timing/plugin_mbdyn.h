/// \file plugin_mbdyn.h
/// Ours as a plug-in, for programs that have it built in.
///
///   bench_mbdyn         the plug-in; its load builds a model from the links of the robot
///   bench_mbdyn_adopt   in place of load: a model that is there already, of any joints
#ifndef PLUGIN_MBDYN_H_
#define PLUGIN_MBDYN_H_

#include "bench_plugin.h"
#include "mbdyn/model.h"

extern const bench_plugin_t bench_mbdyn;

/// The model ready to be asked, with the frames and states of the robot (its links, joints and URDF
/// are not looked at). The model is destroyed by bench_mbdyn.unload, or here on an error.
void * bench_mbdyn_adopt(mbd_model_t * model, const bench_robot_t * robot, char * why);

#endif  // PLUGIN_MBDYN_H_
