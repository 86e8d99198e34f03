/// \file rcl/logging.h
/// Logging to the console and to /rosout.
#ifndef RCL__LOGGING_H_
#define RCL__LOGGING_H_

#include <stdarg.h>
#include "rcl/allocator.h"
#include "rcl/arguments.h"
#include "rcl/macros.h"
#include "rcl/types.h"
#include "rcutils/logging.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef rcutils_logging_output_handler_t rcl_logging_output_handler_t;

/// Log levels and switches from the arguments; nodes made after this have a /rosout publisher.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_logging_configure(const rcl_arguments_t * global_args, const rcl_allocator_t * allocator);
/// The same with a handler of your own, which calls rcl_logging_multiple_output_handler.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_logging_configure_with_output_handler(
  const rcl_arguments_t * global_args, const rcl_allocator_t * allocator,
  rcl_logging_output_handler_t output_handler);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_logging_fini(void);
RCL_PUBLIC RCL_WARN_UNUSED bool rcl_logging_rosout_enabled(void);
RCL_PUBLIC void rcl_logging_multiple_output_handler(
  const rcutils_log_location_t * location, int severity, const char * name,
  rcutils_time_point_value_t timestamp, const char * format, va_list * args);

#ifdef __cplusplus
}
#endif

#endif  // RCL__LOGGING_H_
