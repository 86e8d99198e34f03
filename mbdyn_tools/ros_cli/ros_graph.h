/// \file ros_graph.h
/// Who publishes and subscribes to what, and with which QoS.
///
///   ros_graph_read, ros_graph_free   all endpoints of topics on the network, as known now
///   ros_graph_find                   the next endpoint of a kind with this name
///   ros_graph_wait_topic             wait until a topic is there
#ifndef ROS_GRAPH_H_
#define ROS_GRAPH_H_

#include <stddef.h>
#include <stdint.h>

#include "rmw/types.h"
#include "ros_common.h"

typedef enum ros_endpoint_kind { ROS_PUBLISHER = 1, ROS_SUBSCRIPTION = 2 } ros_endpoint_kind_t;

typedef struct ros_endpoint {
  ros_endpoint_kind_t kind;
  char * name;            ///< of the topic, absolute
  char * type;            ///< "std_msgs/msg/String"
  char * node;            ///< "/ns/name"; NULL if nobody has said whose it is
  char * node_namespace;  ///< "/ns"; NULL like node
  uint8_t guid[16];
  rmw_qos_profile_t qos;
} ros_endpoint_t;

/// Sorted by name, then by type.
typedef struct ros_graph {
  ros_endpoint_t * endpoints;
  size_t count;
} ros_graph_t;

/// False after a message on stderr.
bool ros_graph_read(ros_session_t * session, ros_graph_t * graph);
void ros_graph_free(ros_graph_t * graph);
/// By name, then by type; for ros_graph_read.
void ros_graph_sort(ros_graph_t * graph);

/// \param[in] kinds  of ros_endpoint_kind_t, or'ed
/// \param[in] from   the one found before, or NULL
/// \return the next one, or NULL
const ros_endpoint_t * ros_graph_find(
  const ros_graph_t * graph, unsigned kinds, const char * name, const ros_endpoint_t * from);

/// Waits until somebody has an endpoint of these kinds, but not longer than --wait (3 s).
/// \param[out] graph  as it was then, to be freed in any case
/// \return ROS_WOKEN if it is there
ros_wake_t ros_graph_wait_topic(
  ros_session_t * session, unsigned kinds, const char * name, ros_graph_t * graph);

#endif  // ROS_GRAPH_H_
