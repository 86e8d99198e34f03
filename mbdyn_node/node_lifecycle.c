// What the lifecycle's transitions do, and how settings reach the control thread.
#include <stdio.h>
#include <string.h>

#include "node_internal.h"

bool
node_settings_refresh(mbdyn_node_t * node, char * reason, size_t size)
{
  if (!node->loop) return true;
  loop_settings_t * settings =
    loop_settings_build(&node->loaded->robot, node_values(node), &node->payloads, reason, size);
  if (!settings) return false;
  loop_settings_post(node->loop, settings);
  return true;
}

void
node_robot_drop(mbdyn_node_t * node)
{
  trajectory_action_abort(node, "the robot was unloaded");
  loop_destroy(node->loop);
  loaded_destroy(node->loaded);
  node->loop = NULL;
  node->loaded = NULL;
  payloads_drop(node);
}

bool
node_loop_start(mbdyn_node_t * node, loaded_t * loaded, char * reason, size_t size)
{
  param_values_t * values = payloads_own_values(node);
  snprintf(reason, size, "out of memory");
  loop_settings_t * settings =
    values ? loop_settings_build(&loaded->robot, values, NULL, reason, size) : NULL;
  const loop_options_t options = {node->node, &node->clock, &loaded->robot,
                                  values,     settings,     loaded->flexible};
  control_loop_t * loop = settings ? loop_create(&options, reason, size) : NULL;
  param_values_destroy(values);
  if (!loop) {
    loaded_destroy(loaded);
    return false;
  }
  if (node->payloads.n > 0 || node->payload.lent) {
    NODE_LOG(node->node, WARN, "new robot: removed the payloads of the previous one");
  }
  node_robot_drop(node);
  node->loaded = loaded;
  node->loop = loop;
  if (size > 0) reason[0] = '\0';
  if (loaded->robot.by_control) {
    NODE_LOG(
      node->node, INFO,
      "commands the %d joints with an effort interface in <ros2_control>, in its order",
      loaded->robot.ncommand);
  }
  return true;
}

static void
say_realtime(mbdyn_node_t * node)
{
  const realtime_result_t * result = loop_realtime(node->loop);
  const int priority = (int)param_integer(node_values(node), P_THREAD_PRIORITY);
  const int cpu = (int)param_integer(node_values(node), P_CPU);
  const bool asked = priority > 0 || cpu >= 0;
  if (result->scheduling_error != 0) {
    NODE_LOG(
      node->node, WARN,
      "cannot set thread_priority %d or cpu %d (%s): using default scheduling. This requires "
      "CAP_SYS_NICE, or rtprio in limits.conf, and an existing CPU",
      priority, cpu, strerror(result->scheduling_error));
  } else if (asked && result->threads == 0) {
    NODE_LOG(
      node->node, WARN,
      "thread_priority and cpu apply only to the control thread: the threads of this middleware "
      "are unknown (docs/realtime.md)");
  } else if (asked) {
    NODE_LOG(
      node->node, INFO, "priority %d, CPU %d for the control thread and %d middleware threads",
      priority, cpu, result->threads);
  }
  if (result->memory_error != 0) {
    NODE_LOG(
      node->node, WARN, "cannot lock memory (%s): see memlock in limits.conf",
      strerror(result->memory_error));
  }
}

static void
say_configured(mbdyn_node_t * node)
{
  const loaded_t * loaded = node->loaded;
  const node_robot_t * robot = &loaded->robot;
  NODE_LOG(
    node->node, INFO,
    "robot '%s' from %s: %d degrees of freedom, %d commanded, %.3f kg, hash %016llx",
    loaded->model->name, node->description.source, loaded->model->nv, robot->ncommand,
    loaded->model->mass, (unsigned long long)loaded->hash);
  for (int i = 0; i < loaded->nwarning && i < LOG_BURST - 1; i++) {
    NODE_LOG(node->node, WARN, "%s", loaded->warning[i]);
  }
  if (loaded->nwarning >= LOG_BURST) {
    NODE_LOG(
      node->node, WARN, "%d more warnings; `mbdyn check` lists them",
      loaded->nwarning - (LOG_BURST - 1));
  }
  const mbd_model_t * tree = loaded->model->tree;
  if (tree) {
    NODE_LOG(
      node->node, INFO, "%d loop closures and gears: %d of %d joint velocities are independent",
      tree->nclosure, loaded->model->nv, tree->nv);
  }
  say_realtime(node);
}

static lifecycle_result_t
configure(void * context)
{
  mbdyn_node_t * node = context;
  char reason[REASON_MAX];
  if (!node->description.text) {
    NODE_LOG(
      node->node, ERROR,
      "no robot description yet: set robot_description or robot_description_file, or publish the "
      "topic robot_description (robot_state_publisher does)");
    return LIFECYCLE_REFUSED;
  }
  node->tried = node->description.version;
  loaded_t * loaded = description_load(node, &node->description, false, reason, sizeof reason);
  if (!loaded || !node_loop_start(node, loaded, reason, sizeof reason)) {
    NODE_LOG(node->node, ERROR, "cannot configure: %s", reason);
    return LIFECYCLE_REFUSED;
  }
  say_configured(node);
  return LIFECYCLE_DONE;
}

static lifecycle_result_t
activate(void * context)
{
  mbdyn_node_t * node = context;
  node->start_pending = false;
  loop_poll(node->loop);
  loop_activate(node->loop);
  NODE_LOG(node->node, INFO, "active: %s", param_string(node_values(node), P_MODE));
  return LIFECYCLE_DONE;
}

static bool
stop_commands(mbdyn_node_t * node, bool shutdown)
{
  // the last command goes first
  const bool stopped = loop_deactivate(node->loop, shutdown);
  trajectory_action_abort(node, "the node was deactivated");
  if (stopped) return true;
  NODE_LOG(
    node->node, ERROR,
    "no response from the control thread for 0.5 s: the final command has not been sent yet");
  return false;
}

static lifecycle_result_t
deactivate(void * context)
{
  mbdyn_node_t * node = context;
  // error processing then ends the thread
  if (!stop_commands(node, false)) return LIFECYCLE_BROKEN;
  NODE_LOG(
    node->node, INFO, "deactivated; final command: %s",
    param_string(node_values(node), P_ON_DEACTIVATE));
  return LIFECYCLE_DONE;
}

static lifecycle_result_t
cleanup(void * context)
{
  mbdyn_node_t * node = context;
  node_robot_drop(node);
  node->start_pending = false;
  return LIFECYCLE_DONE;
}

static lifecycle_result_t
shut_down(void * context, lifecycle_state_t from)
{
  mbdyn_node_t * node = context;
  const bool stopped = !node->loop || from != LIFECYCLE_ACTIVE || stop_commands(node, true);
  // a process that ends does this last: its publishers may wait for peers that have died
  if (!node->finished) node_robot_drop(node);
  node->start_pending = false;
  if (node->finished && !node->stopping) node->finished(node->context);
  return stopped ? LIFECYCLE_DONE : LIFECYCLE_REFUSED;
}

static bool
recover(void * context)
{
  node_robot_drop(context);
  return true;
}

lifecycle_hooks_t
node_lifecycle_hooks(mbdyn_node_t * node)
{
  return (lifecycle_hooks_t){node, configure, cleanup, activate, deactivate, shut_down, recover};
}
