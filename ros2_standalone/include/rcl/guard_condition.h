/// \file rcl/guard_condition.h
/// Wake a wait set from another thread.
#ifndef RCL__GUARD_CONDITION_H_
#define RCL__GUARD_CONDITION_H_

#include "rcl/allocator.h"
#include "rcl/context.h"
#include "rcl/macros.h"
#include "rcl/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rcl_guard_condition_impl_s rcl_guard_condition_impl_t;

typedef struct rcl_guard_condition_s {
  rcl_context_t * context;
  rcl_guard_condition_impl_t * impl;
} rcl_guard_condition_t;

typedef struct rcl_guard_condition_options_s {
  rcl_allocator_t allocator;
} rcl_guard_condition_options_t;

RCL_PUBLIC RCL_WARN_UNUSED rcl_guard_condition_t rcl_get_zero_initialized_guard_condition(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_guard_condition_options_t
rcl_guard_condition_get_default_options(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_guard_condition_init(
  rcl_guard_condition_t * guard_condition, rcl_context_t * context,
  const rcl_guard_condition_options_t options);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_guard_condition_fini(rcl_guard_condition_t * guard_condition);
/// Remembered until a wait sees it; two triggers before that make one wake. Not for signal
/// handlers.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_trigger_guard_condition(rcl_guard_condition_t * guard_condition);
RCL_PUBLIC RCL_WARN_UNUSED const rcl_guard_condition_options_t * rcl_guard_condition_get_options(
  const rcl_guard_condition_t * guard_condition);

#ifdef __cplusplus
}
#endif

#endif  // RCL__GUARD_CONDITION_H_
