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
  loop_destroy(node->loop);
  loaded_destroy(node->loaded);
  node->loop = NULL;
  node->loaded = NULL;
  memset(&node->payloads, 0, sizeof node->payloads);
}

bool
node_loop_start(mbdyn_node_t * node, loaded_t * loaded, char * reason, size_t size)
{
  const param_values_t * values = node_values(node);
  loop_settings_t * settings = loop_settings_build(&loaded->robot, values, NULL, reason, size);
  const loop_options_t options = {node->node, &node->clock, &loaded->robot, values, settings};
  control_loop_t * loop = settings ? loop_create(&options, reason, size) : NULL;
  if (!loop) {
    loaded_destroy(loaded);
    return false;
  }
  if (node->payloads.n > 0) {
    NODE_LOG(node->node, WARN, "another robot: its payloads start anew");
  }
  node_robot_drop(node);
  node->loaded = loaded;
  node->loop = loop;
  return true;
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
      node->node, INFO, "%d loops and gears: %d of %d joint velocities are independent",
      tree->nclosure, loaded->model->nv, tree->nv);
  }
  if (!loop_is_realtime(node->loop)) {
    NODE_LOG(
      node->node, WARN,
      "thread_priority, cpu or lock_memory refused by the system: the control thread runs without "
      "(see limits.conf: rtprio, memlock)");
  }
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

static lifecycle_result_t
deactivate(void * context)
{
  mbdyn_node_t * node = context;
  loop_deactivate(node->loop, false);
  NODE_LOG(
    node->node, INFO, "deactivated; last command: %s",
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
  if (node->loop && from == LIFECYCLE_ACTIVE) loop_deactivate(node->loop, true);
  // a process that ends does this last: its publishers may wait for peers that have died
  if (!node->finished) node_robot_drop(node);
  node->start_pending = false;
  if (node->finished && !node->stopping) node->finished(node->context);
  return LIFECYCLE_DONE;
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
