/// \file node_kinematics.h
/// Services of kinematics: ~/inverse_kinematics, ~/self_motion. On the executor's thread, never the control thread's.
#ifndef MBDYN_NODE__NODE_KINEMATICS_H_
#define MBDYN_NODE__NODE_KINEMATICS_H_

#include <stdbool.h>

#include "rclc/executor.h"

#define NODE_KINEMATICS_HANDLES 2

struct mbdyn_node;
typedef struct node_kinematics node_kinematics_t;

node_kinematics_t * node_kinematics_create(struct mbdyn_node * node);
bool node_kinematics_add(node_kinematics_t * kinematics, rclc_executor_t * executor);
void node_kinematics_destroy(node_kinematics_t * kinematics);

#endif  // MBDYN_NODE__NODE_KINEMATICS_H_
