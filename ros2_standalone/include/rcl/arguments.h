/// \file rcl/arguments.h
/// The command line between --ros-args and --.
/// Unknown flags there are counted, not refused; a flag with a bad value is refused.
#ifndef RCL__ARGUMENTS_H_
#define RCL__ARGUMENTS_H_

#include "rcl/allocator.h"
#include "rcl/log_level.h"
#include "rcl/macros.h"
#include "rcl/types.h"
#include "rcl_yaml_param_parser/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rcl_arguments_impl_s rcl_arguments_impl_t;

typedef struct rcl_arguments_s {
  rcl_arguments_impl_t * impl;
} rcl_arguments_t;

#define RCL_ROS_ARGS_FLAG               "--ros-args"
#define RCL_ROS_ARGS_EXPLICIT_END_TOKEN "--"
#define RCL_PARAM_FLAG                  "--param"
#define RCL_SHORT_PARAM_FLAG            "-p"
#define RCL_PARAM_FILE_FLAG             "--params-file"
#define RCL_REMAP_FLAG                  "--remap"
#define RCL_SHORT_REMAP_FLAG            "-r"
#define RCL_ENCLAVE_FLAG                "--enclave"
#define RCL_SHORT_ENCLAVE_FLAG          "-e"
#define RCL_LOG_LEVEL_FLAG              "--log-level"
#define RCL_EXTERNAL_LOG_CONFIG_FLAG    "--log-config-file"
#define RCL_LOG_STDOUT_FLAG_SUFFIX      "stdout-logs"
#define RCL_LOG_ROSOUT_FLAG_SUFFIX      "rosout-logs"
#define RCL_LOG_EXT_LIB_FLAG_SUFFIX     "external-lib-logs"

RCL_PUBLIC RCL_WARN_UNUSED rcl_arguments_t rcl_get_zero_initialized_arguments(void);
/// \return RCL_RET_INVALID_ROS_ARGS for a bad rule, a missing value or an unreadable file
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_parse_arguments(
  int argc, const char * const * argv, rcl_allocator_t allocator, rcl_arguments_t * args_output);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_arguments_fini(rcl_arguments_t * args);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_arguments_copy(const rcl_arguments_t * args, rcl_arguments_t * args_out);

/// Arguments that are not for ROS: number, or -1; indices into argv (caller frees).
RCL_PUBLIC RCL_WARN_UNUSED int rcl_arguments_get_count_unparsed(const rcl_arguments_t * args);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_arguments_get_unparsed(
  const rcl_arguments_t * args, rcl_allocator_t allocator, int ** output_unparsed_indices);
/// Arguments between --ros-args and -- that nobody knows.
RCL_PUBLIC RCL_WARN_UNUSED int rcl_arguments_get_count_unparsed_ros(const rcl_arguments_t * args);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_arguments_get_unparsed_ros(
  const rcl_arguments_t * args, rcl_allocator_t allocator, int ** output_unparsed_ros_indices);
/// argv without what was for ROS (caller frees the array, not the strings).
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_remove_ros_arguments(
  const char * const * argv, const rcl_arguments_t * args, rcl_allocator_t allocator,
  int * nonros_argc, const char *** nonros_argv);

RCL_PUBLIC RCL_WARN_UNUSED int rcl_arguments_get_param_files_count(const rcl_arguments_t * args);
/// A copy for the caller to rcl_yaml_node_struct_fini; stays NULL if there are none.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_arguments_get_param_overrides(
  const rcl_arguments_t * arguments, rcl_params_t ** parameter_overrides);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_arguments_get_log_levels(const rcl_arguments_t * arguments, rcl_log_levels_t * log_levels);

#ifdef __cplusplus
}
#endif

#endif  // RCL__ARGUMENTS_H_
