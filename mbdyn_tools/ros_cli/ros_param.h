/// \file ros_param.h
/// Values of parameters: rcl_interfaces/msg/ParameterValue as JSON, and what the user writes.
///
///   param_value        its value, whatever the type
///   param_print        its value as `ros2 param get` prints it
///   param_from_text    text of the command line -> ParameterValue
///   param_type_name    "double array"
///   param_title        "Double values are"
///   param_field        "double_array_value"
#ifndef ROS_PARAM_H_
#define ROS_PARAM_H_

#include <jansson.h>
#include <stdio.h>

/// As rcl_interfaces/msg/ParameterType has them.
typedef enum param_type {
  PARAM_NOT_SET,
  PARAM_BOOL,
  PARAM_INTEGER,
  PARAM_DOUBLE,
  PARAM_STRING,
  PARAM_BYTE_ARRAY,
  PARAM_BOOL_ARRAY,
  PARAM_INTEGER_ARRAY,
  PARAM_DOUBLE_ARRAY,
  PARAM_STRING_ARRAY,
  PARAM_TYPE_COUNT
} param_type_t;

/// New reference; NULL if the parameter is not set.
json_t * param_value(const json_t * message);

/// As Python does: "True", "0.1", "text" as it is, "array('d', [1.0, 2.0])", "['a', 'b']".
void param_print(const json_t * message, FILE * out);

/// The type that a ParameterValue or ParameterDescriptor says it has.
param_type_t param_type(const json_t * message);

/// A value for a parameter that has had this type: 1 is a double for a parameter that was one.
/// \param[in]  type   PARAM_NOT_SET: take the type from the text
/// \param[out] error  one line
/// \return new reference, or NULL
json_t * param_from_text(const char * text, param_type_t type, char * error, size_t error_size);

const char * param_type_name(param_type_t type);
const char * param_title(param_type_t type);
/// Of rcl_interfaces/msg/ParameterValue; "" for PARAM_NOT_SET.
const char * param_field(param_type_t type);

#endif  // ROS_PARAM_H_
