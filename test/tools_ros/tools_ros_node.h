/// \file tools_ros_node.h
/// A node for the tests of the ROS commands: /demo/arm with a bit of everything.
///
///   /demo/note           std_msgs/msg/String, latched, one message
///   /demo/joint_states   sensor_msgs/msg/JointState, best effort, 100 Hz
///   /demo/enable         std_srvs/srv/SetBool
///   parameters           rate (double, 1 to 1000), label (string), limits.torque (integer, read
///                        only)
#ifndef TOOLS_ROS_NODE_H_
#define TOOLS_ROS_NODE_H_

#include "rcl/node.h"
#include "rclc/executor.h"

enum { PARAM_SERVICE_COUNT = 6 };

/// The six parameter services; all live until the program ends.
bool params_open(const rcl_node_t * node, rclc_executor_t * executor);
void params_close(rcl_node_t * node);

#endif  // TOOLS_ROS_NODE_H_
