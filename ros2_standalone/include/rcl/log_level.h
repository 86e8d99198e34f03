/// \file rcl/log_level.h
/// Log levels from the command line.
#ifndef RCL__LOG_LEVEL_H_
#define RCL__LOG_LEVEL_H_

#include "rcl/allocator.h"
#include "rcl/macros.h"
#include "rcl/types.h"
#include "rcutils/logging.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RCUTILS_LOG_SEVERITY rcl_log_severity_t;

typedef struct rcl_logger_setting_s {
  const char * name;
  rcl_log_severity_t level;
} rcl_logger_setting_t;

typedef struct rcl_log_levels_s {
  rcl_log_severity_t default_logger_level;
  rcl_logger_setting_t * logger_settings;
  size_t num_logger_settings;
  size_t capacity_logger_settings;
  rcl_allocator_t allocator;
} rcl_log_levels_t;

RCL_PUBLIC RCL_WARN_UNUSED rcl_log_levels_t rcl_get_zero_initialized_log_levels(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_log_levels_copy(const rcl_log_levels_t * src, rcl_log_levels_t * dst);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_log_levels_fini(rcl_log_levels_t * log_levels);

#ifdef __cplusplus
}
#endif

#endif  // RCL__LOG_LEVEL_H_
