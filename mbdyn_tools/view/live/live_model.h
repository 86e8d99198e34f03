/// \file live_model.h
/// What a URDF says about the joints of a robot that is watched.
#ifndef LIVE_MODEL_H_
#define LIVE_MODEL_H_

#include "live_robot.h"

/// Fills in types, axes and limits of the joints from the model, if there is one. Names of topics
/// are joints of the URDF, or "joint.vx" where a joint has several degrees of freedom.
void live_model_joints(live_robot_t * robot);

#endif  // LIVE_MODEL_H_
