/// \file parameter_messages.h
/// Between param_value_t and the messages of rcl_interfaces.
///
///   param_view, param_view_fini    a message's value, borrowed
///   param_to_message               a value, copied
///   param_describe                 a line of the table
///   param_text                     a string of a message, or ""
#ifndef MBDYN_ROS__PARAMETER_MESSAGES_H_
#define MBDYN_ROS__PARAMETER_MESSAGES_H_

#include "parameters.h"
#include "rcl_interfaces/msg/parameter_descriptor.h"
#include "rcl_interfaces/msg/parameter_value.h"

/// A value that points into the message; only param_view_fini may end it.
/// \param[out] reason  as in param_values_set
bool param_view(
  const rcl_interfaces__msg__ParameterValue * message, param_value_t * view, char * reason,
  size_t size);
void param_view_fini(param_value_t * view);

/// Into a message that has just been initialized. False when out of memory.
bool param_to_message(const param_value_t * value, rcl_interfaces__msg__ParameterValue * message);
bool param_describe(
  const param_spec_t * spec, rcl_interfaces__msg__ParameterDescriptor * descriptor);

/// NULL if there is a zero byte within: then it is no text of ours.
const char * param_text(const rosidl_runtime_c__String * string);

#endif  // MBDYN_ROS__PARAMETER_MESSAGES_H_
