/// \file rmw/rmw.h
/// Messages to bytes and back; the rest of rmw is inside rcl here.
#ifndef RMW__RMW_H_
#define RMW__RMW_H_

#include "rmw/qos_profiles.h"
#include "rmw/serialized_message.h"
#include "rmw/types.h"
#include "rosidl_runtime_c/message_type_support_struct.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Answers rmw_cyclonedds_cpp: that is what we look like on the wire.
RMW_PUBLIC RMW_WARN_UNUSED const char * rmw_get_implementation_identifier(void);
RMW_PUBLIC RMW_WARN_UNUSED const char * rmw_get_serialization_format(void);

/// \param[out] serialized_message  resized with its own allocator
RMW_PUBLIC RMW_WARN_UNUSED rmw_ret_t rmw_serialize(
  const void * ros_message, const rosidl_message_type_support_t * type_support,
  rmw_serialized_message_t * serialized_message);
/// \param[in,out] ros_message  initialized message; its memory is reused
RMW_PUBLIC RMW_WARN_UNUSED rmw_ret_t rmw_deserialize(
  const rmw_serialized_message_t * serialized_message,
  const rosidl_message_type_support_t * type_support, void * ros_message);

#ifdef __cplusplus
}
#endif

#endif  // RMW__RMW_H_
