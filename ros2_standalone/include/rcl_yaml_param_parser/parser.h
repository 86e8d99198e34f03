/// \file rcl_yaml_param_parser/parser.h
/// Parameter files and single values in YAML.
#ifndef RCL_YAML_PARAM_PARSER__PARSER_H_
#define RCL_YAML_PARAM_PARSER__PARSER_H_

#include <stdbool.h>
#include <stdlib.h>
#include "rcl_yaml_param_parser/types.h"
#include "rcl_yaml_param_parser/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

RCL_YAML_PARAM_PARSER_PUBLIC
rcl_params_t * rcl_yaml_node_struct_init(const rcutils_allocator_t allocator);
RCL_YAML_PARAM_PARSER_PUBLIC
rcl_params_t * rcl_yaml_node_struct_copy(const rcl_params_t * params_st);
RCL_YAML_PARAM_PARSER_PUBLIC
void rcl_yaml_node_struct_fini(rcl_params_t * params_st);

/// Adds the file's parameters; false, with an error message that has the line, on bad input.
RCL_YAML_PARAM_PARSER_PUBLIC
bool rcl_parse_yaml_file(const char * file_path, rcl_params_t * params_st);
RCL_YAML_PARAM_PARSER_PUBLIC
bool rcl_parse_yaml_value(
  const char * node_name, const char * param_name, const char * yaml_value,
  rcl_params_t * params_st);
/// The value, made empty if it was not there; NULL when out of memory.
RCL_YAML_PARAM_PARSER_PUBLIC
rcl_variant_t * rcl_yaml_node_struct_get(
  const char * node_name, const char * param_name, rcl_params_t * params_st);

#ifdef __cplusplus
}
#endif

#endif  // RCL_YAML_PARAM_PARSER__PARSER_H_
