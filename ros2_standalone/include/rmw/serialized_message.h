/// \file rmw/serialized_message.h
/// A CDR message as bytes: rcutils' byte array.
#ifndef RMW__SERIALIZED_MESSAGE_H_
#define RMW__SERIALIZED_MESSAGE_H_

#include "rcutils/types/uint8_array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef rcutils_uint8_array_t rmw_serialized_message_t;

#define rmw_get_zero_initialized_serialized_message rcutils_get_zero_initialized_uint8_array
#define rmw_serialized_message_init(message, capacity, allocator) \
  rcutils_uint8_array_init(message, capacity, allocator)
#define rmw_serialized_message_fini(message)         rcutils_uint8_array_fini(message)
#define rmw_serialized_message_resize(message, size) rcutils_uint8_array_resize(message, size)

#ifdef __cplusplus
}
#endif

#endif  // RMW__SERIALIZED_MESSAGE_H_
