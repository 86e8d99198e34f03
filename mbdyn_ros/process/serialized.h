/// \file serialized.h
/// Bytes of a message, taken from a subscription without the heap: the buffer is ours and bounded,
/// and stays where it is whatever rmw does (it reallocates whenever a length changes).
///
///   serialized_init, serialized_fini
///   serialized_take        the next message, if there is one
#ifndef MBDYN_ROS__SERIALIZED_H_
#define MBDYN_ROS__SERIALIZED_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rcl/rcl.h"

typedef struct serialized {
  rcl_serialized_message_t message;  ///< buffer and buffer_length after a take
  uint8_t * memory;
  size_t capacity;
  uint64_t refused;  ///< messages that were too long, or that rmw could not give
} serialized_t;

/// The object must not move afterwards.
bool serialized_init(serialized_t * serialized, size_t capacity);
void serialized_fini(serialized_t * serialized);

/// \return true with message->buffer and buffer_length; false if there is nothing (more) to take. A
///   message that does not fit is dropped and counted, and the next one tried.
bool serialized_take(serialized_t * serialized, const rcl_subscription_t * subscription);

#endif  // MBDYN_ROS__SERIALIZED_H_
