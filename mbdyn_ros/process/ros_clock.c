// The time: of the machine, or of /clock.
#include <time.h>

#include "rcl/error_handling.h"
#include "rmw/qos_profiles.h"
#include "ros_process.h"
#include "rosidl_runtime_c/message_type_support_struct.h"

static int64_t
read_clock(clockid_t id)
{
  struct timespec now;
  clock_gettime(id, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t
steady_now(void)
{
  return read_clock(CLOCK_MONOTONIC);
}

static void
on_clock(const void * message, void * context)
{
  const rosgraph_msgs__msg__Clock * clock = message;
  ros_clock_t * own = context;
  // not a time
  if (clock->clock.sec < 0 || clock->clock.nanosec >= 1000000000) return;
  atomic_store(&own->now, (int64_t)clock->clock.sec * 1000000000 + clock->clock.nanosec);
}

bool
ros_clock_init(ros_clock_t * clock, rcl_node_t * node, bool simulated)
{
  *clock = (ros_clock_t){.simulated = simulated};
  clock->subscription = rcl_get_zero_initialized_subscription();
  if (!simulated) return true;
  rmw_qos_profile_t latest = rmw_qos_profile_default;
  latest.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  latest.depth = 1;
  const bool made =
    rosgraph_msgs__msg__Clock__init(&clock->message) &&
    rclc_subscription_init(
      &clock->subscription, node, ROSIDL_GET_MSG_TYPE_SUPPORT(rosgraph_msgs, msg, Clock), "/clock",
      &latest) == RCL_RET_OK;
  if (made) return true;
  NODE_LOG(node, ERROR, "cannot subscribe to /clock");
  clock->simulated = false;
  return false;
}

bool
ros_clock_add(ros_clock_t * clock, rclc_executor_t * executor)
{
  if (!clock->simulated) return true;
  return rclc_executor_add_subscription_with_context(
           executor, &clock->subscription, &clock->message, on_clock, clock, ON_NEW_DATA) ==
         RCL_RET_OK;
}

int64_t
ros_clock_now(const ros_clock_t * clock)
{
  return clock->simulated ? atomic_load(&clock->now) : read_clock(CLOCK_REALTIME);
}

void
ros_clock_fini(ros_clock_t * clock, rcl_node_t * node)
{
  if (!clock->simulated) return;
  if (rcl_subscription_fini(&clock->subscription, node) != RCL_RET_OK) rcl_reset_error();
  rosgraph_msgs__msg__Clock__fini(&clock->message);
  clock->simulated = false;
}
