// Timers.
#include "rcl/timer.h"

#include "impl.h"
#include "rcutils/logging_macros.h"

rcl_timer_t
rcl_get_zero_initialized_timer(void)
{
  return (rcl_timer_t){0};
}

// the source of time changes: keep what is left of the period
static void
clock_changed(rcl_timer_impl_t * impl, bool before, int64_t now)
{
  if (now == 0) return;
  if (before) {
    atomic_store(&impl->time_credit, atomic_load(&impl->next_call) - now);
    return;
  }
  int64_t credit = atomic_exchange(&impl->time_credit, 0);
  if (credit == 0) return;
  atomic_store(&impl->next_call, now - credit + atomic_load(&impl->period));
  atomic_store(&impl->last_call, now - credit);
}

static void
on_time_jump(const rcl_time_jump_t * jump, bool before, void * user_data)
{
  rcl_timer_impl_t * impl = user_data;
  int64_t now = 0;
  if (rcl_clock_get_now(impl->clock, &now) != RCL_RET_OK) {
    rcl_reset_error();
  } else if (jump->clock_change != RCL_ROS_TIME_NO_CHANGE) {
    clock_changed(impl, before, now);
  } else if (before) {
    // nothing to do until the time is set
  } else if (atomic_load(&impl->next_call) <= now) {
    if (rcl_trigger_guard_condition(&impl->guard) != RCL_RET_OK) rcl_reset_error();
  } else if (now < atomic_load(&impl->last_call)) {
    // back in time: the next call is one period from here
    atomic_store(&impl->next_call, now + atomic_load(&impl->period));
    atomic_store(&impl->last_call, now);
  }
}

static rcl_ret_t
follow_clock(rcl_timer_impl_t * impl)
{
  if (impl->clock->type != RCL_ROS_TIME) return RCL_RET_OK;
  rcl_jump_threshold_t every = {
    .on_clock_change = true, .min_forward.nanoseconds = 1, .min_backward.nanoseconds = -1};
  return rcl_clock_add_jump_callback(impl->clock, every, on_time_jump, impl);
}

rcl_ret_t
rcl_timer_init(
  rcl_timer_t * timer, rcl_clock_t * clock, rcl_context_t * context, int64_t period,
  const rcl_timer_callback_t callback, rcl_allocator_t allocator)
{
  RCL_CHECK_ALLOCATOR_WITH_MSG(&allocator, "invalid allocator", return RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(timer, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(clock, RCL_RET_INVALID_ARGUMENT);
  if (period < 0) {
    RCL_SET_ERROR_MSG("timer period must not be negative");
    return RCL_RET_INVALID_ARGUMENT;
  }
  if (timer->impl != NULL) {
    RCL_SET_ERROR_MSG("timer already initialized, or not zero-initialized");
    return RCL_RET_ALREADY_INIT;
  }
  int64_t now = 0;
  rcl_ret_t ret = rcl_clock_get_now(clock, &now);
  if (ret != RCL_RET_OK) return ret;
  rcl_timer_impl_t * impl = allocator.zero_allocate(1, sizeof *impl, allocator.state);
  if (impl == NULL) return RCL_RET_BAD_ALLOC;
  impl->clock = clock;
  impl->allocator = allocator;
  atomic_init(&impl->callback, callback);
  atomic_init(&impl->period, period);
  atomic_init(&impl->last_call, now);
  atomic_init(&impl->next_call, now + period);
  ret = rcl_guard_condition_init(&impl->guard, context, rcl_guard_condition_get_default_options());
  if (ret == RCL_RET_OK) {
    ret = follow_clock(impl);
    if (ret == RCL_RET_OK) {
      timer->impl = impl;
      return RCL_RET_OK;
    }
    if (rcl_guard_condition_fini(&impl->guard) != RCL_RET_OK) rcl_reset_error();
  }
  allocator.deallocate(impl, allocator.state);
  return ret;
}

rcl_ret_t
rcl_timer_fini(rcl_timer_t * timer)
{
  if (timer == NULL || timer->impl == NULL) return RCL_RET_OK;
  rcl_timer_impl_t * impl = timer->impl;
  rcl_allocator_t a = impl->allocator;
  rcl_ret_t ret = RCL_RET_OK;
  if (impl->clock->type == RCL_ROS_TIME) {
    ret = rcl_clock_remove_jump_callback(impl->clock, on_time_jump, impl);
    if (ret != RCL_RET_OK) rcl_reset_error();
  }
  ret = rcl_guard_condition_fini(&impl->guard);
  a.deallocate(impl, a.state);
  timer->impl = NULL;
  return ret;
}

rcl_ret_t
rcl_timer_call(rcl_timer_t * timer)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(timer, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(timer->impl, RCL_RET_TIMER_INVALID);
  rcl_timer_impl_t * impl = timer->impl;
  if (atomic_load(&impl->canceled)) {
    RCL_SET_ERROR_MSG("timer is canceled");
    return RCL_RET_TIMER_CANCELED;
  }
  int64_t now = 0;
  rcl_ret_t ret = rcl_clock_get_now(impl->clock, &now);
  if (ret != RCL_RET_OK) return ret;
  int64_t last = atomic_exchange(&impl->last_call, now);

  // the phase is kept; periods that were missed are skipped
  int64_t period = atomic_load(&impl->period);
  int64_t next = atomic_load(&impl->next_call) + period;
  if (next < now) next = period == 0 ? now : next + (1 + (now - next - 1) / period) * period;
  atomic_store(&impl->next_call, next);

  rcl_timer_callback_t callback = atomic_load(&impl->callback);
  if (callback != NULL) callback(timer, now - last);
  return RCL_RET_OK;
}

rcl_ret_t
rcl_timer_clock(rcl_timer_t * timer, rcl_clock_t ** clock)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(timer, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(timer->impl, RCL_RET_TIMER_INVALID);
  RCL_CHECK_ARGUMENT_FOR_NULL(clock, RCL_RET_INVALID_ARGUMENT);
  *clock = timer->impl->clock;
  return RCL_RET_OK;
}

rcl_ret_t
rcl_timer_get_time_until_next_call(const rcl_timer_t * timer, int64_t * time_until_next_call)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(timer, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(timer->impl, RCL_RET_TIMER_INVALID);
  RCL_CHECK_ARGUMENT_FOR_NULL(time_until_next_call, RCL_RET_INVALID_ARGUMENT);
  if (atomic_load(&timer->impl->canceled)) return RCL_RET_TIMER_CANCELED;
  int64_t now = 0;
  rcl_ret_t ret = rcl_clock_get_now(timer->impl->clock, &now);
  if (ret == RCL_RET_OK) *time_until_next_call = atomic_load(&timer->impl->next_call) - now;
  return ret;
}

rcl_ret_t
rcl_timer_is_ready(const rcl_timer_t * timer, bool * is_ready)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(is_ready, RCL_RET_INVALID_ARGUMENT);
  int64_t until = 0;
  rcl_ret_t ret = rcl_timer_get_time_until_next_call(timer, &until);
  *is_ready = ret == RCL_RET_OK && until <= 0;
  return ret == RCL_RET_TIMER_CANCELED ? RCL_RET_OK : ret;
}

rcl_ret_t
rcl_timer_get_time_since_last_call(const rcl_timer_t * timer, int64_t * time_since_last_call)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(timer, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(timer->impl, RCL_RET_TIMER_INVALID);
  RCL_CHECK_ARGUMENT_FOR_NULL(time_since_last_call, RCL_RET_INVALID_ARGUMENT);
  int64_t now = 0;
  rcl_ret_t ret = rcl_clock_get_now(timer->impl->clock, &now);
  if (ret == RCL_RET_OK) *time_since_last_call = now - atomic_load(&timer->impl->last_call);
  return ret;
}

rcl_ret_t
rcl_timer_get_period(const rcl_timer_t * timer, int64_t * period)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(timer, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(timer->impl, RCL_RET_TIMER_INVALID);
  RCL_CHECK_ARGUMENT_FOR_NULL(period, RCL_RET_INVALID_ARGUMENT);
  *period = atomic_load(&timer->impl->period);
  return RCL_RET_OK;
}

rcl_ret_t
rcl_timer_exchange_period(const rcl_timer_t * timer, int64_t new_period, int64_t * old_period)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(timer, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(timer->impl, RCL_RET_TIMER_INVALID);
  RCL_CHECK_ARGUMENT_FOR_NULL(old_period, RCL_RET_INVALID_ARGUMENT);
  if (new_period < 0) return RCL_RET_INVALID_ARGUMENT;
  *old_period = atomic_exchange(&timer->impl->period, new_period);
  return RCL_RET_OK;
}

rcl_timer_callback_t
rcl_timer_get_callback(const rcl_timer_t * timer)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(timer, NULL);
  RCL_CHECK_ARGUMENT_FOR_NULL(timer->impl, NULL);
  return atomic_load(&timer->impl->callback);
}

rcl_ret_t
rcl_timer_cancel(rcl_timer_t * timer)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(timer, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(timer->impl, RCL_RET_TIMER_INVALID);
  atomic_store(&timer->impl->canceled, true);
  return RCL_RET_OK;
}

rcl_ret_t
rcl_timer_is_canceled(const rcl_timer_t * timer, bool * is_canceled)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(timer, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(timer->impl, RCL_RET_TIMER_INVALID);
  RCL_CHECK_ARGUMENT_FOR_NULL(is_canceled, RCL_RET_INVALID_ARGUMENT);
  *is_canceled = atomic_load(&timer->impl->canceled);
  return RCL_RET_OK;
}

rcl_ret_t
rcl_timer_reset(rcl_timer_t * timer)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(timer, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(timer->impl, RCL_RET_TIMER_INVALID);
  int64_t now = 0;
  rcl_ret_t ret = rcl_clock_get_now(timer->impl->clock, &now);
  if (ret != RCL_RET_OK) return ret;
  atomic_store(&timer->impl->next_call, now + atomic_load(&timer->impl->period));
  atomic_store(&timer->impl->canceled, false);
  return rcl_trigger_guard_condition(&timer->impl->guard);
}
