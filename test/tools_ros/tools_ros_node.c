// A node for the tests of the ROS commands; it runs until SIGTERM.
#include "tools_ros_node.h"

#include <signal.h>
#include <stdio.h>

#include "rclc/rclc.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/string.h"
#include "std_srvs/srv/set_bool.h"

static volatile sig_atomic_t stopped;
static rcl_publisher_t joint_states, note;
static sensor_msgs__msg__JointState state;
static std_srvs__srv__SetBool_Request request;
static std_srvs__srv__SetBool_Response response;

static void
on_signal(int number)
{
  (void)number;
  stopped = 1;
}

static void
on_timer(rcl_timer_t * timer, int64_t last_call)
{
  (void)timer;
  (void)last_call;
  state.header.stamp.nanosec++;
  if (rcl_publish(&joint_states, &state, NULL) != RCL_RET_OK) stopped = 1;
}

static void
on_enable(const void * req, void * resp)
{
  const std_srvs__srv__SetBool_Request * q = req;
  std_srvs__srv__SetBool_Response * r = resp;
  r->success = q->data;
  rosidl_runtime_c__String__assign(&r->message, q->data ? "enabled" : "disabled");
}

static rcl_allocator_t allocator;
static rclc_support_t support;
static rcl_node_t node;
static rclc_executor_t executor;
static rcl_timer_t timer;
static rcl_service_t enable;

static bool
open_node(int argc, char ** argv)
{
  allocator = rcl_get_default_allocator();
  node = rcl_get_zero_initialized_node();
  executor = rclc_executor_get_zero_initialized_executor();
  const size_t handles = PARAM_SERVICE_COUNT + 2;
  return rclc_support_init(&support, argc, (const char * const *)argv, &allocator) == RCL_RET_OK &&
         rclc_node_init_default(&node, "arm", "demo", &support) == RCL_RET_OK &&
         rclc_executor_init(&executor, &support.context, handles, &allocator) == RCL_RET_OK;
}

static bool
open_topics(void)
{
  rmw_qos_profile_t latched = rmw_qos_profile_default;
  latched.depth = 1;
  latched.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  std_msgs__msg__String text;
  const bool made =
    rclc_publisher_init(
      &note, &node, ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String), "note", &latched) ==
      RCL_RET_OK &&
    rclc_publisher_init_best_effort(
      &joint_states, &node, ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState),
      "joint_states") == RCL_RET_OK;
  if (!made || !std_msgs__msg__String__init(&text)) return false;
  rosidl_runtime_c__String__assign(&text.data, "latched text");
  const bool published = rcl_publish(&note, &text, NULL) == RCL_RET_OK;
  std_msgs__msg__String__fini(&text);
  return published;
}

static bool
open_timer(void)
{
  timer = rcl_get_zero_initialized_timer();
  return sensor_msgs__msg__JointState__init(&state) &&
         rclc_timer_init_default(&timer, &support, RCL_MS_TO_NS(10), on_timer) == RCL_RET_OK &&
         rclc_executor_add_timer(&executor, &timer) == RCL_RET_OK;
}

static bool
open_service(void)
{
  enable = rcl_get_zero_initialized_service();
  const rosidl_service_type_support_t * type = ROSIDL_GET_SRV_TYPE_SUPPORT(std_srvs, srv, SetBool);
  return std_srvs__srv__SetBool_Request__init(&request) &&
         std_srvs__srv__SetBool_Response__init(&response) &&
         rclc_service_init_default(&enable, &node, type, "enable") == RCL_RET_OK &&
         rclc_executor_add_service(&executor, &enable, &request, &response, on_enable) ==
           RCL_RET_OK;
}

static bool
close_all(void)
{
  params_close(&node);
  sensor_msgs__msg__JointState__fini(&state);
  std_srvs__srv__SetBool_Request__fini(&request);
  std_srvs__srv__SetBool_Response__fini(&response);
  return rclc_executor_fini(&executor) == RCL_RET_OK && rcl_timer_fini(&timer) == RCL_RET_OK &&
         rcl_service_fini(&enable, &node) == RCL_RET_OK &&
         rcl_publisher_fini(&note, &node) == RCL_RET_OK &&
         rcl_publisher_fini(&joint_states, &node) == RCL_RET_OK &&
         rcl_node_fini(&node) == RCL_RET_OK && rclc_support_fini(&support) == RCL_RET_OK;
}

int
main(int argc, char ** argv)
{
  const struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGTERM, &action, NULL);
  const bool good = open_node(argc, argv) && open_topics() && open_timer() && open_service() &&
                    params_open(&node, &executor);
  if (!good) {
    fprintf(stderr, "cannot start\n");
    return 1;
  }
  while (!stopped) rclc_executor_spin_some(&executor, RCL_MS_TO_NS(50));
  return close_all() ? 0 : 1;
}
