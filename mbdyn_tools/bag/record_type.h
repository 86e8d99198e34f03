/// \file record_type.h
/// Topics whose messages are only bytes to us: types that are not compiled in, and QoS as text.
///
///   raw_types_get, raw_types_free   type support of any type, enough for serialized messages
///   raw_qos_print                   offered QoS profiles as rosbag2 keeps them
///   raw_qos_parse                   the QoS that serves whoever could subscribe when it was recorded
#ifndef RECORD_TYPE_H_
#define RECORD_TYPE_H_

#include "ros_graph.h"
#include "rosidl_runtime_c/message_type_support_struct.h"

typedef struct raw_types {
  struct raw_type * first;
} raw_types_t;

/// \param[in]  name   "package/msg/Name"
/// \param[out] known  it is compiled in; NULL: not asked
/// \return NULL if the name is not one of a message, or out of memory
const rosidl_message_type_support_t * raw_types_get(
  raw_types_t * types, const char * name, bool * known);
void raw_types_free(raw_types_t * types);

/// YAML of the profiles of all publishers of a topic; to be freed, NULL if out of memory.
char * raw_qos_print(const ros_graph_t * graph, const char * topic);

/// What publishers are to offer; the default for empty text.
rmw_qos_profile_t raw_qos_parse(const char * text);

#endif  // RECORD_TYPE_H_
