/// \file ros_topic.h
/// The verbs of `mbdyn topic` that have a file of their own.
///
///   ros_topic_echo, ros_topic_hz, ros_topic_pub   the verbs
///   ros_topic_several_types                       a topic whose type is not clear
///   ros_topic_qos                                 what all publishers can serve
///   ros_qos_parse                                 "best_effort,depth=1" on top of a profile
#ifndef ROS_TOPIC_H_
#define ROS_TOPIC_H_

#include "ros_graph.h"

int ros_topic_echo(const ros_args_t * args);
int ros_topic_hz(const ros_args_t * args);
int ros_topic_pub(const ros_args_t * args);

/// True after a message on stderr.
bool ros_topic_several_types(
  const ros_args_t * args, const ros_graph_t * graph, const char * topic);

/// QoS of a subscription that all publishers of a topic can serve.
rmw_qos_profile_t ros_topic_qos(const ros_graph_t * graph, const char * topic);

/// What --qos takes, for the help.
#define ROS_QOS_HELP                                    \
  "comma-separated: reliable, best_effort, volatile,\n" \
  "transient_local, keep_all, depth=N, sensor_data"

/// False after a message on stderr.
bool ros_qos_parse(const ros_args_t * args, rmw_qos_profile_t * qos);

#endif  // ROS_TOPIC_H_
