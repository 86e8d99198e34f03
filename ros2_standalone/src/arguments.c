// The command line between --ros-args and --.
#include "rcl/arguments.h"

#include <stdio.h>
#include <string.h>

#include "impl.h"
#include "rcutils/isalnum_no_locale.h"
#include "rcutils/logging_macros.h"
#include "rcutils/strdup.h"

rcl_arguments_t
rcl_get_zero_initialized_arguments(void)
{
  return (rcl_arguments_t){0};
}

//---------- values of flags ----------

// length of a token of rcl's lexer: a letter or '_', then letters, digits, and '_' one at a time
static size_t
token_length(const char * text)
{
  bool bad = (text[0] >= '0' && text[0] <= '9') || strncmp(text, "__", 2) == 0;
  size_t n = 0;
  while (!bad && (rcutils_isalnum_no_locale(text[n]) ||
                  (text[n] == '_' && (n == 0 || text[n - 1] != '_')))) {
    n++;
  }
  return n;
}

// tokens and '/', with a '.' between them
static bool
is_param_name(const char * text, const char * end)
{
  bool dot = true;  // or the start: something must follow
  while (text < end) {
    size_t n = *text == '/' ? 1 : token_length(text);
    if (n == 0 && (dot || *text != '.')) return false;
    dot = n == 0;
    text += dot ? 1 : n;
  }
  return !dot;
}

// "[node:]name:=value"; without a node it is for all of them
static bool
param_rule(rcl_arguments_impl_t * impl, const char * rule)
{
  const char * separator = strstr(rule, ":=");
  if (separator == NULL) return false;
  char node[256] = "/**";
  char param[256];
  const char * name = rule;
  size_t token = token_length(rule);
  if (rule[token] == ':' && rule + token < separator) {
    if (token >= sizeof node) return false;
    snprintf(node, sizeof node, "%.*s", (int)token, rule);
    name += token + 1;
  }
  size_t length = (size_t)(separator - name);
  if (length >= sizeof param || !is_param_name(name, separator)) return false;
  snprintf(param, sizeof param, "%.*s", (int)length, name);
  return rcl_parse_yaml_value(node, param, separator + 2, impl->params);
}

static bool
param_file(rcl_arguments_impl_t * impl, const char * path)
{
  if (!rcl_parse_yaml_file(path, impl->params)) return false;
  impl->param_files++;
  return true;
}

static bool
remap_rule(rcl_arguments_impl_t * impl, const char * text)
{
  if (!sa_remap_parse(text, impl->allocator, &impl->remaps[impl->remap_count])) return false;
  impl->remap_count++;
  return true;
}

// "level" for all loggers, "name:=level" for one
static bool
log_level(rcl_arguments_impl_t * impl, const char * text)
{
  rcl_log_levels_t * levels = &impl->log_levels;
  const char * separator = strstr(text, ":=");
  int level = 0;
  const char * word = separator == NULL ? text : separator + 2;
  if (rcutils_logging_severity_level_from_string(word, impl->allocator, &level) != RCUTILS_RET_OK) {
    return false;
  }
  if (separator == NULL) {
    levels->default_logger_level = (rcl_log_severity_t)level;
    return true;
  }
  if (separator == text) return false;
  char * name = rcutils_strndup(text, (size_t)(separator - text), impl->allocator);
  if (name == NULL) return false;
  levels->logger_settings[levels->num_logger_settings++] =
    (rcl_logger_setting_t){name, (rcl_log_severity_t)level};
  return true;
}

static bool
enclave(rcl_arguments_impl_t * impl, const char * text)
{
  impl->allocator.deallocate(impl->enclave, impl->allocator.state);
  impl->enclave = rcutils_strdup(text, impl->allocator);
  return impl->enclave != NULL;
}

// there is no external logger: its configuration is accepted and not used
static bool
log_config(rcl_arguments_impl_t * impl, const char * text)
{
  (void)impl;
  (void)text;
  return true;
}

static const struct {
  const char *flag, *short_flag;
  bool (*read)(rcl_arguments_impl_t *, const char *);
} flags[] = {
  {RCL_PARAM_FLAG, RCL_SHORT_PARAM_FLAG, param_rule},
  {RCL_PARAM_FILE_FLAG, RCL_PARAM_FILE_FLAG, param_file},
  {RCL_REMAP_FLAG, RCL_SHORT_REMAP_FLAG, remap_rule},
  {RCL_LOG_LEVEL_FLAG, RCL_LOG_LEVEL_FLAG, log_level},
  {RCL_ENCLAVE_FLAG, RCL_SHORT_ENCLAVE_FLAG, enclave},
  {RCL_EXTERNAL_LOG_CONFIG_FLAG, RCL_EXTERNAL_LOG_CONFIG_FLAG, log_config},
};

// --enable-X and --disable-X
static bool
log_switch(rcl_arguments_impl_t * impl, const char * text)
{
  const struct {
    const char * name;
    bool * off;
  } switches[] = {
    {RCL_LOG_STDOUT_FLAG_SUFFIX, &impl->stdout_off},
    {RCL_LOG_ROSOUT_FLAG_SUFFIX, &impl->rosout_off},
    {RCL_LOG_EXT_LIB_FLAG_SUFFIX, &impl->ext_lib_off}};
  bool enable = strncmp(text, "--enable-", 9) == 0;
  bool disable = strncmp(text, "--disable-", 10) == 0;
  if (!enable && !disable) return false;
  for (size_t i = 0; i < 3; i++) {
    if (strcmp(text + (enable ? 9 : 10), switches[i].name) != 0) continue;
    *switches[i].off = disable;
    return true;
  }
  return false;
}

//---------- the walk over argv ----------

static rcl_ret_t
bad_value(const char * flag, const char * value)
{
  char why[512] = "";
  if (rcl_error_is_set()) snprintf(why, sizeof why, ": %.500s", rcl_get_error_string().str);
  rcl_reset_error();
  RCL_SET_ERROR_MSG_WITH_FORMAT_STRING(
    "cannot use '%s %s'%s", flag, value == NULL ? "(nothing)" : value, why);
  return RCL_RET_INVALID_ROS_ARGS;
}

// an argument for ROS; steps over the flag's value
static rcl_ret_t
ros_argument(rcl_arguments_impl_t * impl, int argc, const char * const * argv, int * i)
{
  const char * text = argv[*i];
  for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++) {
    if (strcmp(text, flags[k].flag) != 0 && strcmp(text, flags[k].short_flag) != 0) continue;
    if (*i + 1 >= argc) return bad_value(text, NULL);
    ++*i;
    return flags[k].read(impl, argv[*i]) ? RCL_RET_OK : bad_value(text, argv[*i]);
  }
  if (!log_switch(impl, text)) impl->unparsed_ros[impl->unparsed_ros_count++] = *i;
  return RCL_RET_OK;
}

static rcl_ret_t
walk(rcl_arguments_impl_t * impl, int argc, const char * const * argv)
{
  bool ros = false;
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], RCL_ROS_ARGS_FLAG) == 0) {
      ros = true;
    } else if (ros && strcmp(argv[i], RCL_ROS_ARGS_EXPLICIT_END_TOKEN) == 0) {
      ros = false;
    } else if (ros) {
      rcl_ret_t ret = ros_argument(impl, argc, argv, &i);
      if (ret != RCL_RET_OK) return ret;
    } else if (remap_rule(impl, argv[i])) {
      RCUTILS_LOG_WARN_NAMED(
        "rcl", "Remap rule '%s' without --ros-args -r is deprecated.", argv[i]);
    } else {
      impl->unparsed[impl->unparsed_count++] = i;
    }
  }
  return RCL_RET_OK;
}

static bool
reserve(rcl_arguments_impl_t * impl, size_t n)
{
  rcl_allocator_t a = impl->allocator;
  impl->remaps = a.zero_allocate(n, sizeof *impl->remaps, a.state);
  impl->unparsed = a.zero_allocate(n, sizeof *impl->unparsed, a.state);
  impl->unparsed_ros = a.zero_allocate(n, sizeof *impl->unparsed_ros, a.state);
  impl->log_levels.logger_settings = a.zero_allocate(n, sizeof(rcl_logger_setting_t), a.state);
  impl->log_levels.capacity_logger_settings = n;
  impl->log_levels.allocator = a;
  impl->params = rcl_yaml_node_struct_init(a);
  return impl->remaps != NULL && impl->unparsed != NULL && impl->unparsed_ros != NULL &&
         impl->log_levels.logger_settings != NULL && impl->params != NULL;
}

rcl_ret_t
rcl_parse_arguments(
  int argc, const char * const * argv, rcl_allocator_t allocator, rcl_arguments_t * args_output)
{
  RCL_CHECK_ALLOCATOR_WITH_MSG(&allocator, "invalid allocator", return RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(args_output, RCL_RET_INVALID_ARGUMENT);
  if (argc < 0 || (argc > 0 && argv == NULL) || args_output->impl != NULL) {
    RCL_SET_ERROR_MSG("invalid argument count, NULL arguments, or output already initialized");
    return RCL_RET_INVALID_ARGUMENT;
  }
  rcl_arguments_impl_t * impl = allocator.zero_allocate(1, sizeof *impl, allocator.state);
  if (impl == NULL) return RCL_RET_BAD_ALLOC;
  impl->allocator = allocator;
  args_output->impl = impl;
  rcl_ret_t ret = RCL_RET_BAD_ALLOC;
  if (reserve(impl, (size_t)argc + 1)) ret = walk(impl, argc, argv);
  if (ret != RCL_RET_OK && rcl_arguments_fini(args_output) != RCL_RET_OK) return RCL_RET_ERROR;
  return ret;
}

rcl_ret_t
rcl_arguments_fini(rcl_arguments_t * args)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(args, RCL_RET_INVALID_ARGUMENT);
  rcl_arguments_impl_t * impl = args->impl;
  if (impl == NULL) {
    RCL_SET_ERROR_MSG("arguments are already finalized");
    return RCL_RET_ERROR;
  }
  rcl_allocator_t a = impl->allocator;
  for (size_t i = 0; i < impl->remap_count; i++) sa_remap_free(&impl->remaps[i], a);
  a.deallocate(impl->remaps, a.state);
  a.deallocate(impl->unparsed, a.state);
  a.deallocate(impl->unparsed_ros, a.state);
  a.deallocate(impl->enclave, a.state);
  rcl_yaml_node_struct_fini(impl->params);
  rcl_ret_t ret = rcl_log_levels_fini(&impl->log_levels);
  a.deallocate(impl, a.state);
  args->impl = NULL;
  return ret;
}
