/// \file ros_node.h
/// Nodes on the network by name.
///
///   ros_node_names, ros_node_names_free   all of them, sorted
#ifndef ROS_NODE_H_
#define ROS_NODE_H_

#include "ros_common.h"

/// Full names such as "/ns/name", sorted.
typedef struct ros_node_names {
  char ** names;
  size_t count;
} ros_node_names_t;

/// Those known now; hidden ones with --all only. False after a message on stderr.
bool ros_node_names(ros_session_t * session, ros_node_names_t * names);
void ros_node_names_free(ros_node_names_t * names);

#endif  // ROS_NODE_H_
