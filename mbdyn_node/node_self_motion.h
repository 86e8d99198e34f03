/// \file node_self_motion.h
/// ~/self_motion: the answer to one request. Memory as node_services.c says.
#ifndef MBDYN_NODE__NODE_SELF_MOTION_H_
#define MBDYN_NODE__NODE_SELF_MOTION_H_

#include "mbdyn/srv/self_motion.h"

struct mbdyn_node;

void node_self_motion(
  struct mbdyn_node * node, const mbdyn__srv__SelfMotion_Request * request,
  mbdyn__srv__SelfMotion_Response * response);

#endif  // MBDYN_NODE__NODE_SELF_MOTION_H_
