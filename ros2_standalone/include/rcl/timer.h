/// \file rcl/timer.h
/// Timers on any clock.
#ifndef RCL__TIMER_H_
#define RCL__TIMER_H_

#include <stdbool.h>
#include "rcl/allocator.h"
#include "rcl/context.h"
#include "rcl/guard_condition.h"
#include "rcl/macros.h"
#include "rcl/time.h"
#include "rcl/types.h"
#include "rmw/rmw.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rcl_timer_impl_s rcl_timer_impl_t;

typedef struct rcl_timer_s {
  rcl_timer_impl_t * impl;
} rcl_timer_t;

/// Second argument: nanoseconds since the last call.
typedef void (*rcl_timer_callback_t)(rcl_timer_t *, int64_t);

RCL_PUBLIC RCL_WARN_UNUSED rcl_timer_t rcl_get_zero_initialized_timer(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_timer_init(
  rcl_timer_t * timer, rcl_clock_t * clock, rcl_context_t * context, int64_t period,
  const rcl_timer_callback_t callback, rcl_allocator_t allocator);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_timer_fini(rcl_timer_t * timer);
/// Calls the callback; periods that were missed are skipped, the phase is kept.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_timer_call(rcl_timer_t * timer);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_timer_clock(rcl_timer_t * timer, rcl_clock_t ** clock);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_timer_is_ready(const rcl_timer_t * timer, bool * is_ready);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_timer_get_time_until_next_call(const rcl_timer_t * timer, int64_t * time_until_next_call);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_timer_get_time_since_last_call(const rcl_timer_t * timer, int64_t * time_since_last_call);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_timer_get_period(const rcl_timer_t * timer, int64_t * period);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_timer_exchange_period(const rcl_timer_t * timer, int64_t new_period, int64_t * old_period);
RCL_PUBLIC RCL_WARN_UNUSED rcl_timer_callback_t rcl_timer_get_callback(const rcl_timer_t * timer);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_timer_cancel(rcl_timer_t * timer);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_timer_is_canceled(const rcl_timer_t * timer, bool * is_canceled);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_timer_reset(rcl_timer_t * timer);

#ifdef __cplusplus
}
#endif

#endif  // RCL__TIMER_H_
