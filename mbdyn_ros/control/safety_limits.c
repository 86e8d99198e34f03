// Safety limits while the node is active: a client may tighten them, not lift them. docs/safety.md
// has the list.
#include <math.h>
#include <stdio.h>

#include "node_parameters.h"

// limits that are none where they are zero
static bool
higher(double now, double next)
{
  return (next > 0 ? next : HUGE_VAL) > (now > 0 ? now : HUGE_VAL);
}

static bool
held(gate_action_t now, gate_action_t next)
{
  return next == GATE_HOLD && now != GATE_HOLD;
}

// the first limit of a joint that is looser, or NODE_PARAMETER_COUNT
static node_parameter_t
looser_joint(
  const node_robot_t * robot, const loop_settings_t * now, const loop_settings_t * next, int k)
{
  const controller_settings_t *a = now->controller, *b = next->controller;
  // here zero is a limit, and none is infinite
  if (robot->commanded[k] && next->limit[k] > now->limit[k]) return P_EFFORT_LIMITS;
  if (robot->commanded[k] && next->slew[k] > now->slew[k]) return P_SLEW_LIMIT;
  if (higher(a->max_step[k], b->max_step[k])) return P_MAX_REFERENCE_STEP;
  if (higher(a->max_acceleration[k], b->max_acceleration[k])) return P_MAX_REFERENCE_ACCELERATION;
  return NODE_PARAMETER_COUNT;
}

static node_parameter_t
looser(const node_robot_t * robot, const loop_settings_t * now, const loop_settings_t * next)
{
  const controller_settings_t *a = now->controller, *b = next->controller;
  for (int k = 0; k < robot->model->nv; k++) {
    const node_parameter_t found = looser_joint(robot, now, next, k);
    if (found != NODE_PARAMETER_COUNT) return found;
  }
  for (int k = 0; k < 2; k++) {
    if (higher(a->task_max_error[k], b->task_max_error[k])) return P_OPERATIONAL_MAX_ERROR;
  }
  if (now->gate.clamp && !next->gate.clamp) return P_CLAMP_EFFORT;
  if (a->bound_gains && !b->bound_gains) return P_BOUND_GAINS;
  if (next->gate.good_inputs < now->gate.good_inputs) return P_GOOD_INPUTS;
  if (next->input.timeout > now->input.timeout) return P_TIMEOUT;
  if (now->input.check_stamp && !next->input.check_stamp) return P_CHECK_STAMP;
  if (a->stay_in_component && !b->stay_in_component) return P_STAY_IN_COMPONENT;
  if (a->stay_in_component && b->component_horizon < a->component_horizon) {
    return P_COMPONENT_HORIZON;
  }
  if (higher(a->target_timeout, b->target_timeout)) return P_TARGET_TIMEOUT;
  if (held(now->gate.on_stale, next->gate.on_stale)) return P_ON_STALE;
  if (next->resume && !now->resume) return P_ON_RESUME;
  if (held(now->on_deactivate, next->on_deactivate)) return P_ON_DEACTIVATE;
  if (held(now->on_shutdown, next->on_shutdown)) return P_ON_SHUTDOWN;
  return NODE_PARAMETER_COUNT;
}

bool
safety_limits_kept(
  const node_robot_t * robot, const loop_settings_t * now, const loop_settings_t * next,
  char * reason, size_t size)
{
  const node_parameter_t found = looser(robot, now, next);
  if (found == NODE_PARAMETER_COUNT) return true;
  snprintf(
    reason, size,
    "%s is a safety limit: it can only be tightened while the node is active; deactivate it first",
    NODE_PARAMETERS[found].name);
  return false;
}
