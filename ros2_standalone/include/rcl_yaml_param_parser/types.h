/// \file rcl_yaml_param_parser/types.h
/// Parameters as the command line and parameter files give them.
#ifndef RCL_YAML_PARAM_PARSER__TYPES_H_
#define RCL_YAML_PARAM_PARSER__TYPES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "rcutils/allocator.h"
#include "rcutils/types/string_array.h"

typedef struct rcl_bool_array_s {
  bool * values;
  size_t size;
} rcl_bool_array_t;

typedef struct rcl_int64_array_s {
  int64_t * values;
  size_t size;
} rcl_int64_array_t;

typedef struct rcl_double_array_s {
  double * values;
  size_t size;
} rcl_double_array_t;

typedef struct rcl_byte_array_s {
  uint8_t * values;
  size_t size;
} rcl_byte_array_t;

/// One value: the pointer that is not NULL gives the type; an empty sequence has none.
typedef struct rcl_variant_s {
  bool * bool_value;
  int64_t * integer_value;
  double * double_value;
  char * string_value;
  rcl_byte_array_t * byte_array_value;
  rcl_bool_array_t * bool_array_value;
  rcl_int64_array_t * integer_array_value;
  rcl_double_array_t * double_array_value;
  rcutils_string_array_t * string_array_value;
} rcl_variant_t;

typedef struct rcl_node_params_s {
  char ** parameter_names;
  rcl_variant_t * parameter_values;
  size_t num_params;
  size_t capacity_params;
} rcl_node_params_t;

/// Blocks by node name as written ("/**", "arm", "/left/arm"), in order of first appearance.
typedef struct rcl_params_s {
  char ** node_names;
  rcl_node_params_t * params;
  size_t num_nodes;
  size_t capacity_nodes;
  rcutils_allocator_t allocator;
} rcl_params_t;

#endif  // RCL_YAML_PARAM_PARSER__TYPES_H_
