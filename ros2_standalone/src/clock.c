// Clocks.
#include <string.h>

#include "impl.h"
#include "rcl/time.h"

typedef struct {
  atomic_int_fast64_t now;  // 0: time has not been set
  atomic_bool active;
} ros_clock_t;

static rcl_ret_t
system_now(void * data, rcl_time_point_value_t * now)
{
  (void)data;
  return rcutils_system_time_now(now) == RCUTILS_RET_OK ? RCL_RET_OK : RCL_RET_ERROR;
}

static rcl_ret_t
steady_now(void * data, rcl_time_point_value_t * now)
{
  (void)data;
  return rcutils_steady_time_now(now) == RCUTILS_RET_OK ? RCL_RET_OK : RCL_RET_ERROR;
}

static rcl_ret_t
ros_now(void * data, rcl_time_point_value_t * now)
{
  ros_clock_t * ros = data;
  if (!atomic_load(&ros->active)) return system_now(NULL, now);
  *now = atomic_load(&ros->now);
  return RCL_RET_OK;
}

rcl_ret_t
rcl_clock_init(rcl_clock_type_t clock_type, rcl_clock_t * clock, rcl_allocator_t * allocator)
{
  RCL_CHECK_ALLOCATOR_WITH_MSG(allocator, "invalid allocator", return RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(clock, RCL_RET_INVALID_ARGUMENT);
  memset(clock, 0, sizeof *clock);
  clock->type = clock_type;
  clock->allocator = *allocator;
  switch (clock_type) {
    case RCL_CLOCK_UNINITIALIZED: return RCL_RET_OK;
    case RCL_SYSTEM_TIME: clock->get_now = system_now; return RCL_RET_OK;
    case RCL_STEADY_TIME: clock->get_now = steady_now; return RCL_RET_OK;
    case RCL_ROS_TIME: {
      ros_clock_t * ros = allocator->allocate(sizeof *ros, allocator->state);
      if (ros == NULL) return RCL_RET_BAD_ALLOC;
      atomic_init(&ros->now, 0);
      atomic_init(&ros->active, false);
      clock->data = ros;
      clock->get_now = ros_now;
      return RCL_RET_OK;
    }
    default: return RCL_RET_INVALID_ARGUMENT;
  }
}

rcl_ret_t
rcl_clock_fini(rcl_clock_t * clock)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(clock, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ALLOCATOR_WITH_MSG(
    &clock->allocator, "clock has invalid allocator", return RCL_RET_ERROR);
  if (clock->type == RCL_CLOCK_UNINITIALIZED) return RCL_RET_INVALID_ARGUMENT;
  clock->allocator.deallocate(clock->jump_callbacks, clock->allocator.state);
  clock->allocator.deallocate(clock->data, clock->allocator.state);
  clock->jump_callbacks = NULL;
  clock->num_jump_callbacks = 0;
  clock->data = NULL;
  return RCL_RET_OK;
}

bool
rcl_clock_valid(rcl_clock_t * clock)
{
  return clock != NULL && clock->type != RCL_CLOCK_UNINITIALIZED && clock->get_now != NULL;
}

rcl_ret_t
rcl_clock_get_now(rcl_clock_t * clock, rcl_time_point_value_t * time_point_value)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(clock, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(time_point_value, RCL_RET_INVALID_ARGUMENT);
  if (rcl_clock_valid(clock)) return clock->get_now(clock->data, time_point_value);
  RCL_SET_ERROR_MSG("clock is not initialized");
  return RCL_RET_ERROR;
}

bool
rcl_clock_time_started(rcl_clock_t * clock)
{
  rcl_time_point_value_t now = 0;
  return rcl_clock_get_now(clock, &now) == RCL_RET_OK && now > 0;
}

//---------- jumps ----------

static void
call_jump_callbacks(rcl_clock_t * clock, const rcl_time_jump_t * jump, bool before)
{
  bool change =
    jump->clock_change == RCL_ROS_TIME_ACTIVATED || jump->clock_change == RCL_ROS_TIME_DEACTIVATED;
  int64_t delta = jump->delta.nanoseconds;
  for (size_t i = 0; i < clock->num_jump_callbacks; i++) {
    const rcl_jump_callback_info_t * info = &clock->jump_callbacks[i];
    int64_t back = info->threshold.min_backward.nanoseconds;
    int64_t forward = info->threshold.min_forward.nanoseconds;
    bool call = (change && info->threshold.on_clock_change) || (back < 0 && delta <= back) ||
                (forward > 0 && delta >= forward);
    if (call) info->callback(jump, before, info->user_data);
  }
}

static ros_clock_t *
ros_clock(rcl_clock_t * clock)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(clock, NULL);
  if (clock->type == RCL_ROS_TIME && clock->data != NULL) return clock->data;
  RCL_SET_ERROR_MSG("clock is not of type RCL_ROS_TIME");
  return NULL;
}

static rcl_ret_t
set_override(rcl_clock_t * clock, bool active)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(clock, RCL_RET_INVALID_ARGUMENT);
  ros_clock_t * ros = ros_clock(clock);
  if (ros == NULL) return RCL_RET_ERROR;
  if (atomic_load(&ros->active) == active) return RCL_RET_OK;
  rcl_time_jump_t jump = {
    .clock_change = active ? RCL_ROS_TIME_ACTIVATED : RCL_ROS_TIME_DEACTIVATED};
  call_jump_callbacks(clock, &jump, true);
  atomic_store(&ros->active, active);
  call_jump_callbacks(clock, &jump, false);
  return RCL_RET_OK;
}

rcl_ret_t
rcl_enable_ros_time_override(rcl_clock_t * clock)
{
  return set_override(clock, true);
}

rcl_ret_t
rcl_disable_ros_time_override(rcl_clock_t * clock)
{
  return set_override(clock, false);
}

rcl_ret_t
rcl_is_enabled_ros_time_override(rcl_clock_t * clock, bool * is_enabled)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(clock, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(is_enabled, RCL_RET_INVALID_ARGUMENT);
  ros_clock_t * ros = ros_clock(clock);
  if (ros == NULL) return RCL_RET_ERROR;
  *is_enabled = atomic_load(&ros->active);
  return RCL_RET_OK;
}

rcl_ret_t
rcl_set_ros_time_override(rcl_clock_t * clock, rcl_time_point_value_t time_value)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(clock, RCL_RET_INVALID_ARGUMENT);
  ros_clock_t * ros = ros_clock(clock);
  if (ros == NULL) return RCL_RET_ERROR;
  rcl_time_jump_t jump = {
    .clock_change = RCL_ROS_TIME_NO_CHANGE,
    .delta.nanoseconds = time_value - atomic_load(&ros->now)};
  bool active = atomic_load(&ros->active);
  if (active) call_jump_callbacks(clock, &jump, true);
  atomic_store(&ros->now, time_value);
  if (active) call_jump_callbacks(clock, &jump, false);
  return RCL_RET_OK;
}

rcl_ret_t
rcl_clock_add_jump_callback(
  rcl_clock_t * clock, rcl_jump_threshold_t threshold, rcl_jump_callback_t callback,
  void * user_data)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(clock, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(callback, RCL_RET_INVALID_ARGUMENT);
  if (threshold.min_forward.nanoseconds < 0 || threshold.min_backward.nanoseconds > 0) {
    RCL_SET_ERROR_MSG("a jump threshold has the wrong sign");
    return RCL_RET_INVALID_ARGUMENT;
  }
  size_t n = clock->num_jump_callbacks;
  for (size_t i = 0; i < n; i++) {
    const rcl_jump_callback_info_t * info = &clock->jump_callbacks[i];
    if (info->callback == callback && info->user_data == user_data) {
      RCL_SET_ERROR_MSG("the jump callback is already registered");
      return RCL_RET_ERROR;
    }
  }
  rcl_jump_callback_info_t * more = clock->allocator.reallocate(
    clock->jump_callbacks, (n + 1) * sizeof *more, clock->allocator.state);
  if (more == NULL) return RCL_RET_BAD_ALLOC;
  more[n] = (rcl_jump_callback_info_t){callback, threshold, user_data};
  clock->jump_callbacks = more;
  clock->num_jump_callbacks = n + 1;
  return RCL_RET_OK;
}

rcl_ret_t
rcl_clock_remove_jump_callback(rcl_clock_t * clock, rcl_jump_callback_t callback, void * user_data)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(clock, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(callback, RCL_RET_INVALID_ARGUMENT);
  rcl_jump_callback_info_t * infos = clock->jump_callbacks;
  for (size_t i = 0; i < clock->num_jump_callbacks; i++) {
    if (infos[i].callback != callback || infos[i].user_data != user_data) continue;
    clock->num_jump_callbacks--;
    memmove(&infos[i], &infos[i + 1], (clock->num_jump_callbacks - i) * sizeof *infos);
    return RCL_RET_OK;
  }
  RCL_SET_ERROR_MSG("jump callback was not found");
  return RCL_RET_ERROR;
}
