// Questions about parsed arguments.
#include <string.h>

#include "impl.h"
#include "rcutils/strdup.h"

int
rcl_arguments_get_count_unparsed(const rcl_arguments_t * args)
{
  return args == NULL || args->impl == NULL ? -1 : args->impl->unparsed_count;
}

int
rcl_arguments_get_count_unparsed_ros(const rcl_arguments_t * args)
{
  return args == NULL || args->impl == NULL ? -1 : args->impl->unparsed_ros_count;
}

int
rcl_arguments_get_param_files_count(const rcl_arguments_t * args)
{
  return args == NULL || args->impl == NULL ? -1 : args->impl->param_files;
}

static rcl_ret_t
copy_indices(const int * from, int count, rcl_allocator_t allocator, int ** to)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(to, RCL_RET_INVALID_ARGUMENT);
  *to = NULL;
  if (count == 0) return RCL_RET_OK;
  *to = allocator.allocate((size_t)count * sizeof(int), allocator.state);
  if (*to == NULL) return RCL_RET_BAD_ALLOC;
  memcpy(*to, from, (size_t)count * sizeof(int));
  return RCL_RET_OK;
}

rcl_ret_t
rcl_arguments_get_unparsed(const rcl_arguments_t * args, rcl_allocator_t allocator, int ** indices)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(args, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(args->impl, RCL_RET_INVALID_ARGUMENT);
  return copy_indices(args->impl->unparsed, args->impl->unparsed_count, allocator, indices);
}

rcl_ret_t
rcl_arguments_get_unparsed_ros(
  const rcl_arguments_t * args, rcl_allocator_t allocator, int ** indices)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(args, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(args->impl, RCL_RET_INVALID_ARGUMENT);
  return copy_indices(args->impl->unparsed_ros, args->impl->unparsed_ros_count, allocator, indices);
}

rcl_ret_t
rcl_remove_ros_arguments(
  const char * const * argv, const rcl_arguments_t * args, rcl_allocator_t allocator,
  int * nonros_argc, const char *** nonros_argv)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(argv, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(nonros_argc, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(nonros_argv, RCL_RET_INVALID_ARGUMENT);
  int count = rcl_arguments_get_count_unparsed(args);
  if (count < 0 || *nonros_argv != NULL) return RCL_RET_INVALID_ARGUMENT;
  *nonros_argc = count;
  if (count == 0) return RCL_RET_OK;
  *nonros_argv = allocator.allocate((size_t)count * sizeof(char *), allocator.state);
  if (*nonros_argv == NULL) return RCL_RET_BAD_ALLOC;
  for (int i = 0; i < count; i++) (*nonros_argv)[i] = argv[args->impl->unparsed[i]];
  return RCL_RET_OK;
}

rcl_ret_t
rcl_arguments_get_param_overrides(
  const rcl_arguments_t * arguments, rcl_params_t ** parameter_overrides)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(arguments, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(arguments->impl, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(parameter_overrides, RCL_RET_INVALID_ARGUMENT);
  if (*parameter_overrides != NULL) {
    RCL_SET_ERROR_MSG("output pointer is not NULL");
    return RCL_RET_INVALID_ARGUMENT;
  }
  if (arguments->impl->params->num_nodes == 0) return RCL_RET_OK;
  *parameter_overrides = rcl_yaml_node_struct_copy(arguments->impl->params);
  return *parameter_overrides == NULL ? RCL_RET_BAD_ALLOC : RCL_RET_OK;
}

//---------- log levels ----------

rcl_log_levels_t
rcl_get_zero_initialized_log_levels(void)
{
  return (rcl_log_levels_t){.default_logger_level = RCUTILS_LOG_SEVERITY_UNSET};
}

rcl_ret_t
rcl_log_levels_copy(const rcl_log_levels_t * src, rcl_log_levels_t * dst)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(src, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(dst, RCL_RET_INVALID_ARGUMENT);
  *dst = *src;
  dst->num_logger_settings = 0;
  dst->capacity_logger_settings = src->num_logger_settings;
  dst->logger_settings = src->allocator.zero_allocate(
    src->num_logger_settings + 1, sizeof(rcl_logger_setting_t), src->allocator.state);
  if (dst->logger_settings == NULL) return RCL_RET_BAD_ALLOC;
  for (size_t i = 0; i < src->num_logger_settings; i++) {
    const char * name = rcutils_strdup(src->logger_settings[i].name, src->allocator);
    if (name == NULL) return RCL_RET_BAD_ALLOC;
    dst->logger_settings[dst->num_logger_settings++] =
      (rcl_logger_setting_t){name, src->logger_settings[i].level};
  }
  return RCL_RET_OK;
}

rcl_ret_t
rcl_log_levels_fini(rcl_log_levels_t * log_levels)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(log_levels, RCL_RET_INVALID_ARGUMENT);
  rcl_allocator_t a = log_levels->allocator;
  for (size_t i = 0; i < log_levels->num_logger_settings; i++) {
    a.deallocate((char *)log_levels->logger_settings[i].name, a.state);
  }
  if (log_levels->logger_settings != NULL) a.deallocate(log_levels->logger_settings, a.state);
  *log_levels = rcl_get_zero_initialized_log_levels();
  return RCL_RET_OK;
}

rcl_ret_t
rcl_arguments_get_log_levels(const rcl_arguments_t * arguments, rcl_log_levels_t * log_levels)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(arguments, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(arguments->impl, RCL_RET_INVALID_ARGUMENT);
  return rcl_log_levels_copy(&arguments->impl->log_levels, log_levels);
}

//---------- copies ----------

static bool
copy_remap(const sa_remap_t * from, sa_remap_t * to, rcl_allocator_t allocator)
{
  to->kinds = from->kinds;
  if (from->node != NULL) to->node = rcutils_strdup(from->node, allocator);
  if (from->match != NULL) to->match = rcutils_strdup(from->match, allocator);
  to->replacement = rcutils_strdup(from->replacement, allocator);
  return (to->node != NULL) == (from->node != NULL) && to->replacement != NULL &&
         (to->match != NULL) == (from->match != NULL);
}

static bool
copy_parts(const rcl_arguments_impl_t * from, rcl_arguments_impl_t * to)
{
  rcl_allocator_t a = from->allocator;
  to->remaps = a.zero_allocate(from->remap_count + 1, sizeof *to->remaps, a.state);
  if (to->remaps == NULL) return false;
  for (size_t i = 0; i < from->remap_count; i++) {
    if (!copy_remap(&from->remaps[i], &to->remaps[to->remap_count++], a)) return false;
  }
  to->params = rcl_yaml_node_struct_copy(from->params);
  if (from->enclave != NULL) to->enclave = rcutils_strdup(from->enclave, a);
  return to->params != NULL && (to->enclave != NULL) == (from->enclave != NULL) &&
         rcl_log_levels_copy(&from->log_levels, &to->log_levels) == RCL_RET_OK &&
         copy_indices(from->unparsed, from->unparsed_count, a, &to->unparsed) == RCL_RET_OK &&
         copy_indices(from->unparsed_ros, from->unparsed_ros_count, a, &to->unparsed_ros) ==
           RCL_RET_OK;
}

rcl_ret_t
rcl_arguments_copy(const rcl_arguments_t * args, rcl_arguments_t * args_out)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(args, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(args->impl, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(args_out, RCL_RET_INVALID_ARGUMENT);
  if (args_out->impl != NULL) return RCL_RET_INVALID_ARGUMENT;
  rcl_allocator_t a = args->impl->allocator;
  rcl_arguments_impl_t * copy = a.zero_allocate(1, sizeof *copy, a.state);
  if (copy == NULL) return RCL_RET_BAD_ALLOC;
  copy->allocator = a;
  copy->param_files = args->impl->param_files;
  copy->unparsed_count = args->impl->unparsed_count;
  copy->unparsed_ros_count = args->impl->unparsed_ros_count;
  copy->stdout_off = args->impl->stdout_off;
  copy->rosout_off = args->impl->rosout_off;
  copy->ext_lib_off = args->impl->ext_lib_off;
  args_out->impl = copy;
  if (copy_parts(args->impl, copy)) return RCL_RET_OK;
  return rcl_arguments_fini(args_out) == RCL_RET_OK ? RCL_RET_BAD_ALLOC : RCL_RET_ERROR;
}
