#include "sim_node.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "rcl/error_handling.h"
#include "rmw/qos_profiles.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sim_node_internal.h"
#include "sim_topics.h"
#include "std_msgs/msg/string.h"

// parameters, two services, the timer, and what wakes the thread
enum { HANDLES = PARAM_SERVER_HANDLES + 2 + 1 + SPINNER_HANDLES };

//---------- parameters ----------

static bool
check(void * context, const param_values_t * proposed, char * reason, size_t size)
{
  sim_node_t * node = context;
  sim_settings_t * settings = sim_settings_build(&node->robot, proposed, reason, size);
  if (settings == NULL) return false;
  settings->mail.destroy(&settings->mail);
  return true;
}

static void
changed(void * context, const param_values_t * now)
{
  sim_node_t * node = context;
  char reason[REASON_MAX];
  sim_settings_t * settings = sim_settings_build(&node->robot, now, reason, sizeof reason);
  if (settings != NULL)
    sim_loop_settings(node->loop, settings);
  else
    NODE_LOG(node->node, ERROR, "invalid parameters: %s", reason);
}

//---------- robot ----------

static void
warn_line_by_line(sim_node_t * node, char * text)
{
  char * rest = text;
  for (char * line; rest != NULL && (line = strtok_r(rest, "\n", &rest)) != NULL;) {
    NODE_LOG(node->node, WARN, "%s", line);
  }
}

static bool
load_robot(sim_node_t * node)
{
  char reason[REASON_MAX];
  const param_values_t * values = param_server_values(node->parameters);
  if (!sim_robot_load(&node->robot, values, reason, sizeof reason)) {
    NODE_LOG(node->node, ERROR, "%s", reason);
    return false;
  }
  warn_line_by_line(node, node->robot.warnings);
  return true;
}

static bool
start_loop(sim_node_t * node)
{
  char reason[REASON_MAX];
  const param_values_t * values = param_server_values(node->parameters);
  sim_settings_t * settings = sim_settings_build(&node->robot, values, reason, sizeof reason);
  if (settings != NULL) {
    const sim_loop_options_t options = {node->node, &node->robot, values, settings};
    node->loop = sim_loop_create(&options, reason, sizeof reason);
  }
  if (node->loop == NULL) NODE_LOG(node->node, ERROR, "%s", reason);
  return node->loop != NULL;
}

static bool
publish_description(sim_node_t * node)
{
  const param_values_t * values = param_server_values(node->parameters);
  if (!param_bool(values, SIM_PUBLISH_DESCRIPTION)) return true;
  const rmw_qos_profile_t qos = sim_topic_qos(SIM_TOPIC_DESCRIPTION);
  std_msgs__msg__String message;
  if (!std_msgs__msg__String__init(&message)) return false;
  node->description = rcl_get_zero_initialized_publisher();
  node->description_open =
    rclc_publisher_init(
      &node->description, node->node, ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String),
      SIM_TOPICS[SIM_TOPIC_DESCRIPTION].name, &qos) == RCL_RET_OK;
  const bool good =
    node->description_open &&
    rosidl_runtime_c__String__assignn(&message.data, node->robot.text, node->robot.size) &&
    rcl_publish(&node->description, &message, NULL) == RCL_RET_OK;
  std_msgs__msg__String__fini(&message);
  return good;
}

//---------- executor ----------

static void
on_timer(rcl_timer_t * timer, int64_t since)
{
  (void)since;
  if (timer == NULL) return;
  // rclc gives no context to timers
  sim_diagnostics_tick((sim_node_t *)(void *)((char *)timer - offsetof(sim_node_t, timer)));
}

static bool
open_timer(sim_node_t * node)
{
  node->clock_open = rcl_clock_init(RCL_STEADY_TIME, &node->clock, &node->allocator) == RCL_RET_OK;
  node->timer = rcl_get_zero_initialized_timer();
  node->timer_open = node->clock_open && rcl_timer_init(
                                           &node->timer, &node->clock, node->node->context,
                                           RCL_S_TO_NS(1), on_timer, node->allocator) == RCL_RET_OK;
  return node->timer_open;
}

static bool
open_executor(sim_node_t * node)
{
  node->executor = rclc_executor_get_zero_initialized_executor();
  node->executor_open =
    rclc_executor_init(&node->executor, node->node->context, HANDLES, &node->allocator) ==
    RCL_RET_OK;
  node->spinner_open =
    node->executor_open && spinner_init(&node->spinner, node->node->context, &node->executor);
  return node->spinner_open && open_timer(node) &&
         param_server_add(node->parameters, &node->executor) && sim_services_add(node) &&
         rclc_executor_add_timer(&node->executor, &node->timer) == RCL_RET_OK;
}

//---------- all together ----------

static bool
open_all(sim_node_t * node)
{
  // the robot first: most mistakes are there
  if (!load_robot(node)) return false;
  const bool open =
    sim_services_init(node) && sim_diagnostics_init(node) && publish_description(node);
  if (!open || !open_executor(node)) {
    NODE_LOG(node->node, ERROR, "cannot open topics and services: %s", rcl_get_error_string().str);
    rcl_reset_error();
    return false;
  }
  if (!start_loop(node)) return false;
  param_server_set_hooks(node->parameters, (param_hooks_t){node, check, changed});
  return spinner_start(&node->spinner, "mbdyn_executor");
}

sim_node_t *
sim_node_create(rcl_node_t * rcl_node, const rcl_params_t * overrides)
{
  sim_node_t * node = calloc(1, sizeof *node);
  if (node == NULL) return NULL;
  node->node = rcl_node;
  node->allocator = rcl_get_default_allocator();
  node->parameters =
    param_server_init(rcl_node, SIM_PARAMETERS, SIM_PARAMETER_COUNT, overrides, NULL);
  if (node->parameters != NULL && open_all(node)) {
    const param_values_t * values = param_server_values(node->parameters);
    NODE_LOG(
      rcl_node, INFO, "simulating '%s': %d joints, %g Hz", node->robot.model->name,
      node->robot.njoint, param_double(values, SIM_RATE));
    return node;
  }
  sim_node_destroy(node);
  return NULL;
}

void
sim_node_destroy(sim_node_t * node)
{
  if (node == NULL) return;
  if (node->spinner_open) spinner_stop(&node->spinner);
  sim_loop_destroy(node->loop);
  if (node->executor_open) sim_ignore(rclc_executor_fini(&node->executor));
  if (node->timer_open) sim_ignore(rcl_timer_fini(&node->timer));
  if (node->clock_open) sim_ignore(rcl_clock_fini(&node->clock));
  if (node->spinner_open) spinner_fini(&node->spinner);
  sim_services_fini(node);
  sim_diagnostics_fini(node);
  if (node->description_open) sim_ignore(rcl_publisher_fini(&node->description, node->node));
  if (node->parameters != NULL) param_server_fini(node->parameters);
  sim_robot_fini(&node->robot);
  free(node);
}
