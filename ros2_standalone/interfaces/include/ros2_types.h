/// \file ros2_types.h
/// Every message and service that is compiled in, by its ROS name.
///
///   ros2_find_type       "sensor_msgs/msg/JointState" -> its type support
///   ros2_types           the whole table, to walk through
///   ros2_type_members    the fields of a message
///   ros2_service_members the fields of a service's request and response
///
/// Requests and responses of services are listed as messages too: "std_srvs/srv/SetBool_Request".
#ifndef ROS2_TYPES_H_
#define ROS2_TYPES_H_

#include <stddef.h>

#include "rosidl_runtime_c/message_type_support_struct.h"
#include "rosidl_runtime_c/service_type_support_struct.h"
#include "rosidl_typesupport_introspection_c/message_introspection.h"
#include "rosidl_typesupport_introspection_c/service_introspection.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ros2_type {
  const char * name;                              ///< "package/msg/Name" or "package/srv/Name"
  const rosidl_message_type_support_t * message;  ///< NULL for a service
  const rosidl_service_type_support_t * service;  ///< NULL for a message
} ros2_type_t;

/// The type of a name, or NULL. "package/Name" finds a message, or else a service.
const ros2_type_t * ros2_find_type(const char * name);

/// All types: messages by name, then services by name.
/// \param[out] count  how many
const ros2_type_t * ros2_types(size_t * count);

/// Fields of a message, or NULL if the type is a service.
const rosidl_typesupport_introspection_c__MessageMembers * ros2_type_members(
  const ros2_type_t * type);

/// Fields of a service's request and response, or NULL if the type is a message.
const rosidl_typesupport_introspection_c__ServiceMembers * ros2_service_members(
  const ros2_type_t * type);

#ifdef __cplusplus
}
#endif

#endif  // ROS2_TYPES_H_
