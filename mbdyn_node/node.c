// The node put together: parameters, lifecycle, services, timer, executor.
#include "node.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node_internal.h"

enum {
  HANDLES = PARAM_SERVER_HANDLES + LIFECYCLE_HANDLES + NODE_SERVICE_HANDLES +
            NODE_KINEMATICS_HANDLES + SPINNER_HANDLES + ROS_CLOCK_HANDLES +
            4  // timer, trajectory, goals
};

static const int64_t TICK = 50000000;  // [ns]

//---------- parameters ----------

static bool
check_description(mbdyn_node_t * node, const param_values_t * proposed, char * reason, size_t size)
{
  const char * text = param_string(proposed, P_ROBOT_DESCRIPTION);
  if (strcmp(text, param_string(node_values(node), P_ROBOT_DESCRIPTION)) == 0) return true;
  if (lifecycle_state(node->lifecycle) == LIFECYCLE_ACTIVE) {
    snprintf(reason, size, "robot_description cannot change while the node is active");
    return false;
  }
  const description_t from = {(char *)(uintptr_t)text, strlen(text), "robot_description", 0};
  loaded_t * loaded = description_load(node, &from, false, reason, size);
  loaded_destroy(loaded);
  return loaded;
}

// while active the next message would win, and the parameter have no effect
static bool
check_gravity(mbdyn_node_t * node, const param_values_t * proposed, char * reason, size_t size)
{
  size_t n, now;
  const double * gravity = param_doubles(proposed, P_GRAVITY, &n);
  const double * old = param_doubles(node_values(node), P_GRAVITY, &now);
  const loop_state_t * state = loop_state(node->loop);
  if (n == now && memcmp(gravity, old, n * sizeof *old) == 0) return true;
  if (lifecycle_state(node->lifecycle) != LIFECYCLE_ACTIVE) return true;
  if (!state || !state->gravity_message) return true;
  snprintf(
    reason, size,
    "using gravity from ~/gravity until target_timeout expires (%g s; 0: never) or the node is "
    "deactivated",
    param_double(node_values(node), P_TARGET_TIMEOUT));
  return false;
}

static bool
check_safety(mbdyn_node_t * node, char * reason, size_t size)
{
  if (lifecycle_state(node->lifecycle) != LIFECYCLE_ACTIVE) return true;
  const node_robot_t * robot = &node->loaded->robot;
  loop_settings_t * now =
    loop_settings_build(robot, node_values(node), &node->payloads, reason, size);
  const bool kept = now && safety_limits_kept(robot, now, node->checked, reason, size);
  if (now) now->mail.destroy(&now->mail);
  return kept;
}

static bool
check_parameters(void * context, const param_values_t * proposed, char * reason, size_t size)
{
  mbdyn_node_t * node = context;
  node->payload_changed = !payloads_same(proposed, node_values(node));
  if (!check_description(node, proposed, reason, size)) return false;
  if (!node->loop) return true;
  if (!check_gravity(node, proposed, reason, size)) return false;
  if (node->checked) node->checked->mail.destroy(&node->checked->mail);
  node->checked =
    loop_settings_build(&node->loaded->robot, proposed, &node->payloads, reason, size);
  return node->checked && check_safety(node, reason, size);
}

static void
take_parameters(void * context, const param_values_t * now)
{
  mbdyn_node_t * node = context;
  char reason[REASON_MAX];
  const char * text = param_string(now, P_ROBOT_DESCRIPTION);
  if (node->payload_changed) payloads_taken_over(node);
  if (node->checked && node->loop) {
    loop_settings_post(node->loop, node->checked);
    node->checked = NULL;
  }
  const bool same = node->description.text && strcmp(text, node->description.text) == 0;
  if (*text == 0 || same || strcmp(text, node->parameter_text) == 0) return;
  static const char source[] = "parameter robot_description";
  const bool set = description_set(node, text, strlen(text), source, reason, sizeof reason);
  char * copy = strdup(text);
  if (copy) {
    free(node->parameter_text);
    node->parameter_text = copy;
  }
  if (!set || (node->loaded && !description_swap(node, reason, sizeof reason))) {
    NODE_LOG(node->node, ERROR, "robot_description: %s", reason);
  }
}

//---------- now and then ----------

// configure once there is a description, activate once the whole robot has been heard of
static void
autostart(mbdyn_node_t * node)
{
  if (!node->start_pending) return;
  const lifecycle_state_t state = lifecycle_state(node->lifecycle);
  if (state == LIFECYCLE_UNCONFIGURED && node->description.text) {
    if (node->tried != node->description.version) {
      lifecycle_change(node->lifecycle, LIFECYCLE_CONFIGURE);
    }
  } else if (state == LIFECYCLE_INACTIVE) {
    const loop_state_t * seen = loop_state(node->loop);
    if (seen && seen->whole) lifecycle_change(node->lifecycle, LIFECYCLE_ACTIVATE);
  }
}

static void
on_tick(rcl_timer_t * timer, int64_t since)
{
  (void)since;
  if (!timer) return;
  mbdyn_node_t * node = (mbdyn_node_t *)(void *)((char *)timer - offsetof(mbdyn_node_t, timer));
  if (node->loop) loop_poll(node->loop);
  trajectory_action_tick(node);
  node_markers_tick(node);
  description_poll(node);
  if (node->payload.restore) payloads_restore(node);
  description_trim(node);
  autostart(node);
  diagnostics_tick(node);
}

//---------- set-up and end ----------

static bool
log_unless(mbdyn_node_t * node, bool ok, const char * what)
{
  if (ok) return true;
  NODE_LOG(
    node->node, ERROR, "%s: %s", what,
    rcl_error_is_set() ? rcl_get_error_string().str : "out of memory");
  rcl_reset_error();
  return false;
}

static bool
init_timer(mbdyn_node_t * node)
{
  rcl_allocator_t allocator = rcl_get_default_allocator();
  node->steady_open = rcl_clock_init(RCL_STEADY_TIME, &node->steady, &allocator) == RCL_RET_OK;
  if (!node->steady_open) return false;
  node->timer = rcl_get_zero_initialized_timer();
  node->timer_open =
    rcl_timer_init(&node->timer, &node->steady, node->node->context, TICK, on_tick, allocator) ==
    RCL_RET_OK;
  return node->timer_open;
}

static bool
init_parts(mbdyn_node_t * node, const mbdyn_node_options_t * options)
{
  node->parameters = param_server_init(
    node->node, NODE_PARAMETERS, NODE_PARAMETER_COUNT, options->overrides, options->extra);
  if (!node->parameters) return false;  // it has said why
  const param_values_t * values = node_values(node);
  node->start_pending = param_bool(values, P_AUTOSTART);
  node->parameter_text = strdup(param_string(values, P_ROBOT_DESCRIPTION));
  node->clock_open = ros_clock_init(&node->clock, node->node, param_bool(values, P_USE_SIM_TIME));
  node->lifecycle = lifecycle_create(node->node, node_lifecycle_hooks(node));
  node->services = node_services_create(node);
  node->kinematics = node_kinematics_create(node);
  return log_unless(node, node->parameter_text && node->clock_open, "clock") &&
         log_unless(node, node->lifecycle, "lifecycle services") &&
         log_unless(node, node->services && node->kinematics, "services") &&
         description_init(node) &&
         log_unless(node, trajectory_input_init(node), "trajectory topics") &&
         log_unless(node, trajectory_action_init(node), "trajectory action") &&
         log_unless(node, node_markers_init(node), "markers") &&
         log_unless(node, diagnostics_init(node), "diagnostics") &&
         log_unless(node, init_timer(node), "timer");
}

static bool
fill_executor(mbdyn_node_t * node)
{
  node->allocator = rcl_get_default_allocator();
  node->executor = rclc_executor_get_zero_initialized_executor();
  node->executor_open =
    rclc_executor_init(&node->executor, node->node->context, HANDLES, &node->allocator) ==
    RCL_RET_OK;
  if (!node->executor_open) return false;
  node->spinner_open = spinner_init(&node->spinner, node->node->context, &node->executor);
  return node->spinner_open && param_server_add(node->parameters, &node->executor) &&
         lifecycle_add(node->lifecycle, &node->executor) &&
         node_services_add(node->services, &node->executor) &&
         node_kinematics_add(node->kinematics, &node->executor) && trajectory_input_add(node) &&
         trajectory_action_add(node) && ros_clock_add(&node->clock, &node->executor) &&
         rclc_executor_add_timer(&node->executor, &node->timer) == RCL_RET_OK;
}

mbdyn_node_t *
mbdyn_node_create(const mbdyn_node_options_t * options)
{
  mbdyn_node_t * node = calloc(1, sizeof *node);
  if (!node) return NULL;
  node->node = options->node;
  node->finished = options->finished;
  node->context = options->context;
  if (init_parts(node, options) && log_unless(node, fill_executor(node), "executor")) {
    const param_hooks_t hooks = {node, check_parameters, take_parameters};
    param_server_set_hooks(node->parameters, hooks);
    param_server_set_text_limit(
      node->parameters, (size_t)param_integer(node_values(node), P_MAX_DESCRIPTION_SIZE));
    return node;
  }
  mbdyn_node_destroy(node);
  return NULL;
}

bool
mbdyn_node_start(mbdyn_node_t * node)
{
  return log_unless(node, spinner_start(&node->spinner, "mbdyn_executor"), "thread");
}

void
mbdyn_node_stop(mbdyn_node_t * node)
{
  if (node->stopping) return;
  if (node->spinner_open) spinner_stop(&node->spinner);
  node->stopping = true;
  // the executor has ended: this thread may do its work
  if (node->lifecycle) lifecycle_change(node->lifecycle, LIFECYCLE_SHUTDOWN);
}

void
mbdyn_node_destroy(mbdyn_node_t * node)
{
  if (!node) return;
  mbdyn_node_stop(node);
  node_robot_drop(node);
  if (node->spinner_open) spinner_fini(&node->spinner);
  if (node->executor_open && rclc_executor_fini(&node->executor) != RCL_RET_OK) rcl_reset_error();
  if (node->timer_open && rcl_timer_fini(&node->timer) != RCL_RET_OK) rcl_reset_error();
  if (node->steady_open && rcl_clock_fini(&node->steady) != RCL_RET_OK) rcl_reset_error();
  diagnostics_fini(node);
  node_markers_fini(node);
  trajectory_action_fini(node);
  trajectory_input_fini(node);
  description_fini(node);
  node_services_destroy(node->services);
  node_kinematics_destroy(node->kinematics);
  lifecycle_destroy(node->lifecycle);
  if (node->clock_open) ros_clock_fini(&node->clock, node->node);
  if (node->checked) node->checked->mail.destroy(&node->checked->mail);
  payloads_fini(node);
  param_server_fini(node->parameters);
  free(node->parameter_text);
  free(node);
}
