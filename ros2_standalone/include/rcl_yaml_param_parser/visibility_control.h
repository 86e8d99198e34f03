/// \file rcl_yaml_param_parser/visibility_control.h
/// What the parser exports.
#ifndef RCL_YAML_PARAM_PARSER__VISIBILITY_CONTROL_H_
#define RCL_YAML_PARAM_PARSER__VISIBILITY_CONTROL_H_

#define RCL_YAML_PARAM_PARSER_PUBLIC __attribute__((visibility("default")))

#endif  // RCL_YAML_PARAM_PARSER__VISIBILITY_CONTROL_H_
