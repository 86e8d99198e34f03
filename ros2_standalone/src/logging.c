// Logging: the console by rcutils, and one /rosout publisher per node.
#include "rcl/logging.h"

#include <string.h>

#include "impl.h"
#include "rcl_interfaces/msg/log.h"
#include "rcutils/types/char_array.h"
#include "rosidl_runtime_c/string_functions.h"

typedef struct rosout {
  struct rosout * next;
  rcl_node_impl_t * node;
  rcl_publisher_t publisher;
} rosout_t;

static struct {
  pthread_mutex_t lock;
  bool to_console, to_rosout;
  rcl_allocator_t allocator;
  rosout_t * rosouts;
} logging = {.lock = PTHREAD_MUTEX_INITIALIZER};

//---------- /rosout ----------

rcl_ret_t
sa_rosout_open(rcl_node_t * node)
{
  if (!rcl_logging_rosout_enabled() || !node->impl->options.enable_rosout) return RCL_RET_OK;
  rcl_allocator_t a = node->impl->options.allocator;
  rosout_t * rosout = a.zero_allocate(1, sizeof *rosout, a.state);
  if (rosout == NULL) return RCL_RET_BAD_ALLOC;
  rosout->node = node->impl;
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos = node->impl->options.rosout_qos;
  rcl_ret_t ret = rcl_publisher_init(
    &rosout->publisher, node, ROSIDL_GET_MSG_TYPE_SUPPORT(rcl_interfaces, msg, Log), "/rosout",
    &options);
  if (ret != RCL_RET_OK) {
    a.deallocate(rosout, a.state);
    return ret;
  }
  pthread_mutex_lock(&logging.lock);
  rosout->next = logging.rosouts;
  logging.rosouts = rosout;
  pthread_mutex_unlock(&logging.lock);
  return RCL_RET_OK;
}

void
sa_rosout_close(rcl_node_t * node)
{
  pthread_mutex_lock(&logging.lock);
  rosout_t ** place = &logging.rosouts;
  while (*place != NULL && (*place)->node != node->impl) place = &(*place)->next;
  rosout_t * rosout = *place;
  if (rosout != NULL) *place = rosout->next;
  pthread_mutex_unlock(&logging.lock);
  if (rosout == NULL) return;
  rcl_allocator_t a = node->impl->options.allocator;
  if (rcl_publisher_fini(&rosout->publisher, node) != RCL_RET_OK) rcl_reset_error();
  a.deallocate(rosout, a.state);
}

static void
fill_text(rosidl_runtime_c__String * string, const char * text)
{
  string->data = (char *)(uintptr_t)(text == NULL ? "" : text);
  string->size = strlen(string->data);
  string->capacity = string->size + 1;
}

static void
publish_log(
  const rosout_t * rosout, const rcutils_log_location_t * location, int severity,
  rcutils_time_point_value_t timestamp, const char * text)
{
  // the message borrows its texts: it is only read
  rcl_interfaces__msg__Log log;
  memset(&log, 0, sizeof log);
  log.stamp.sec = (int32_t)(timestamp / 1000000000);
  log.stamp.nanosec = (uint32_t)(timestamp % 1000000000);
  log.level = (uint8_t)severity;
  log.line = location == NULL ? 0 : (uint32_t)location->line_number;
  fill_text(&log.name, rosout->node->logger_name);
  fill_text(&log.msg, text);
  fill_text(&log.file, location == NULL ? NULL : location->file_name);
  fill_text(&log.function, location == NULL ? NULL : location->function_name);
  if (rcl_publish(&rosout->publisher, &log, NULL) != RCL_RET_OK) rcl_reset_error();
}

// only the exact name of a node's logger goes to /rosout
static void
log_to_rosout(
  const rcutils_log_location_t * location, int severity, const char * name,
  rcutils_time_point_value_t timestamp, const char * format, va_list * args)
{
  pthread_mutex_lock(&logging.lock);
  const rosout_t * rosout = logging.rosouts;
  while (rosout != NULL && (name == NULL || strcmp(rosout->node->logger_name, name) != 0)) {
    rosout = rosout->next;
  }
  if (rosout != NULL) {
    char text_buffer[1024];
    rcutils_char_array_t text = {
      .buffer = text_buffer, .buffer_capacity = sizeof text_buffer, .allocator = logging.allocator};
    if (rcutils_char_array_vsprintf(&text, format, *args) == RCUTILS_RET_OK) {
      publish_log(rosout, location, severity, timestamp, text.buffer);
    }
    if (rcutils_char_array_fini(&text) != RCUTILS_RET_OK) rcutils_reset_error();
  }
  pthread_mutex_unlock(&logging.lock);
}

//---------- set-up ----------

void
rcl_logging_multiple_output_handler(
  const rcutils_log_location_t * location, int severity, const char * name,
  rcutils_time_point_value_t timestamp, const char * format, va_list * args)
{
  va_list again;
  va_copy(again, *args);
  if (logging.to_console) {
    rcutils_logging_console_output_handler(location, severity, name, timestamp, format, args);
  }
  if (logging.to_rosout) log_to_rosout(location, severity, name, timestamp, format, &again);
  va_end(again);
}

rcl_ret_t
rcl_logging_configure_with_output_handler(
  const rcl_arguments_t * global_args, const rcl_allocator_t * allocator,
  rcl_logging_output_handler_t output_handler)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(global_args, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(global_args->impl, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ALLOCATOR_WITH_MSG(allocator, "invalid allocator", return RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(output_handler, RCL_RET_INVALID_ARGUMENT);
  if (rcutils_logging_initialize() != RCUTILS_RET_OK) return RCL_RET_ERROR;
  const rcl_arguments_impl_t * args = global_args->impl;
  logging.allocator = *allocator;
  logging.to_console = !args->stdout_off;
  logging.to_rosout = !args->rosout_off;

  const rcl_log_levels_t * levels = &args->log_levels;
  if (levels->default_logger_level != RCUTILS_LOG_SEVERITY_UNSET) {
    rcutils_logging_set_default_logger_level((int)levels->default_logger_level);
  }
  for (size_t i = 0; i < levels->num_logger_settings; i++) {
    const rcl_logger_setting_t * setting = &levels->logger_settings[i];
    if (rcutils_logging_set_logger_level(setting->name, (int)setting->level) != RCUTILS_RET_OK) {
      return RCL_RET_ERROR;
    }
  }
  rcutils_logging_set_output_handler(output_handler);
  return RCL_RET_OK;
}

rcl_ret_t
rcl_logging_configure(const rcl_arguments_t * global_args, const rcl_allocator_t * allocator)
{
  return rcl_logging_configure_with_output_handler(
    global_args, allocator, rcl_logging_multiple_output_handler);
}

rcl_ret_t
rcl_logging_fini(void)
{
  rcutils_logging_set_output_handler(rcutils_logging_console_output_handler);
  logging.to_console = true;
  logging.to_rosout = false;
  return RCL_RET_OK;
}

bool
rcl_logging_rosout_enabled(void)
{
  return logging.to_rosout;
}
