// Once a second: how the simulation is doing, on /diagnostics and as a debug line.
#include <math.h>

#include "rcl/error_handling.h"
#include "rcutils/time.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sim_node_internal.h"
#include "sim_topics.h"

typedef diagnostic_msgs__msg__DiagnosticStatus status_t;

// what the report has, in this order
static const char * const KEYS[] = {
  "simulation time [s]", "real-time factor", "step time p50 [us]", "step time p99 [us]",
  "step time max [us]", "overruns", "commands taken", "commands refused", "command timeouts",
  "published", "lost by dropout", "publish errors", "joint stops", "active pushes",
  "kinetic energy [J]", "potential energy [J]",
  // of a chart integrator
  "integration steps", "failed steps", "steps beyond max_steps", "time lost [s]",
  "closure error [m]", "bearing condition",
  // of the ground
  "contact points", "sum of normal forces [N]", "penetration [m]", "steps with approximate forces",
  "steps with too many points"};
enum { NKEYS = sizeof KEYS / sizeof KEYS[0] };

static bool
make_message(sim_node_t * node)
{
  diagnostic_msgs__msg__DiagnosticArray * array = &node->diagnostics.message;
  char name[512];
  if (
    !diagnostic_msgs__msg__DiagnosticArray__init(array) ||
    !diagnostic_msgs__msg__DiagnosticStatus__Sequence__init(&array->status, 1)) {
    return false;
  }
  status_t * status = &array->status.data[0];
  snprintf(name, sizeof name, "%s: simulation", rcl_node_get_name(node->node));
  bool good = rosidl_runtime_c__String__assign(&status->name, name) &&
              rosidl_runtime_c__String__assign(&status->hardware_id, node->robot.model->name) &&
              diagnostic_msgs__msg__KeyValue__Sequence__init(&status->values, NKEYS);
  for (size_t i = 0; good && i < NKEYS; i++) {
    good = rosidl_runtime_c__String__assign(&status->values.data[i].key, KEYS[i]);
  }
  return good;
}

bool
sim_diagnostics_init(sim_node_t * node)
{
  sim_diagnostics_t * d = &node->diagnostics;
  const rmw_qos_profile_t qos = sim_topic_qos(SIM_TOPIC_DIAGNOSTICS);
  d->publisher = rcl_get_zero_initialized_publisher();
  d->open =
    rclc_publisher_init(
      &d->publisher, node->node, ROSIDL_GET_MSG_TYPE_SUPPORT(diagnostic_msgs, msg, DiagnosticArray),
      SIM_TOPICS[SIM_TOPIC_DIAGNOSTICS].name, &qos) == RCL_RET_OK;
  d->last_report = steady_now();
  return d->open && make_message(node);
}

static uint64_t
refused(const command_counts_t * count)
{
  return count->malformed + count->length + count->not_finite + count->unknown;
}

static void
fill_values(sim_diagnostics_t * d, const sim_loop_state_t * s, double factor)
{
  const double value[NKEYS] = {
    s->time,
    factor,
    1e6 * histogram_quantile(&d->since, 0.5),
    1e6 * histogram_quantile(&d->since, 0.99),
    1e-3 * (double)d->since.max,
    (double)s->overruns,
    (double)s->commands.taken,
    (double)refused(&s->commands),
    (double)s->timeouts,
    (double)s->published,
    (double)s->lost,
    (double)s->publish_errors,
    (double)s->stops,
    (double)s->pushes,
    s->kinetic,
    s->potential,
    (double)s->integration.steps,
    (double)s->integration.halved,
    (double)s->integration.exceeded,
    s->integration.lost,
    s->integration.error,
    s->integration.condition,
    (double)s->touch.points,
    s->touch.normal_force,
    s->touch.depth,
    (double)s->touch.unsolved,
    (double)s->touch.crowded};
  for (size_t i = 0; i < NKEYS; i++) {
    char text[32];
    snprintf(text, sizeof text, "%.10g", value[i]);
    rosidl_runtime_c__String__assign(&d->message.status.data[0].values.data[i].value, text);
  }
}

static void
judge(status_t * status, const sim_loop_state_t * s, const sim_loop_state_t * last)
{
  char text[256];
  status->level = diagnostic_msgs__msg__DiagnosticStatus__OK;
  snprintf(text, sizeof text, "%s", s->held ? "brakes engaged until the first command" : "running");
  if (s->let_go) snprintf(text, sizeof text, "no torque: command watchdog expired");
  if (s->slips > last->slips) snprintf(text, sizeof text, "slower than real_time_factor");
  const bool exceeded = s->integration.exceeded > last->integration.exceeded;
  if (exceeded) {
    snprintf(
      text, sizeof text,
      "%llu steps took max_steps integration steps and were not at their end: %.3g s of simulated "
      "time lost",
      (unsigned long long)(s->integration.exceeded - last->integration.exceeded),
      s->integration.lost - last->integration.lost);
  }
  const uint64_t bad = refused(&s->commands) - refused(&last->commands);
  if (bad > 0) {
    snprintf(
      text, sizeof text,
      "%llu commands rejected: %llu of a wrong length, %llu not finite, %llu with unknown joints, "
      "%llu malformed",
      (unsigned long long)bad, (unsigned long long)(s->commands.length - last->commands.length),
      (unsigned long long)(s->commands.not_finite - last->commands.not_finite),
      (unsigned long long)(s->commands.unknown - last->commands.unknown),
      (unsigned long long)(s->commands.malformed - last->commands.malformed));
  }
  const bool warn = s->let_go || s->slips > last->slips || bad > 0 || exceeded;
  if (warn) status->level = diagnostic_msgs__msg__DiagnosticStatus__WARN;
  if (s->fault != MBD_OK) {
    status->level = diagnostic_msgs__msg__DiagnosticStatus__ERROR;
    snprintf(text, sizeof text, "stopped: %s; call ~/reset", mbd_status_string(s->fault));
  }
  rosidl_runtime_c__String__assign(&status->message, text);
}

static void
stamp(sim_node_t * node, const sim_loop_state_t * s)
{
  builtin_interfaces__msg__Time * to = &node->diagnostics.message.header.stamp;
  int64_t now = (int64_t)(1e9 * s->time);
  if (!param_bool(param_server_values(node->parameters), SIM_PUBLISH_CLOCK)) {
    rcutils_time_point_value_t machine;
    if (rcutils_system_time_now(&machine) == RCUTILS_RET_OK) now = machine;
  }
  to->sec = (int32_t)(now / 1000000000);
  to->nanosec = (uint32_t)(now % 1000000000);
}

void
sim_diagnostics_tick(sim_node_t * node)
{
  sim_diagnostics_t * d = &node->diagnostics;
  const sim_loop_state_t * s = sim_loop_state(node->loop);
  if (s == NULL) return;
  const int64_t now = steady_now();
  const double factor = (s->time - d->last.time) / (1e-9 * (double)(now - d->last_report));
  histogram_read(sim_loop_step_times(node->loop), &d->now);
  histogram_since(&d->now, &d->before, &d->since);
  stamp(node, s);
  fill_values(d, s, factor);
  status_t * status = &d->message.status.data[0];
  judge(status, s, &d->last);
  sim_ignore(rcl_publish(&d->publisher, &d->message, NULL));
  NODE_LOG(
    node->node, DEBUG, "%s; t = %.3f s, factor %.3f, step %.0f us, %llu overruns, energy %.6g J",
    status->message.data, s->time, factor, 1e6 * histogram_quantile(&d->since, 0.5),
    (unsigned long long)s->overruns, s->kinetic + s->potential);
  if (s->fault != MBD_OK && d->last.fault == MBD_OK) {
    NODE_LOG(node->node, ERROR, "the simulation %s", status->message.data);
  }
  if (s->fault == MBD_OK && s->integration.exceeded > d->last.integration.exceeded) {
    NODE_LOG(node->node, WARN, "%s", status->message.data);
  }
  d->before = d->now;
  d->last = *s;
  d->last_report = now;
}

void
sim_diagnostics_fini(sim_node_t * node)
{
  sim_diagnostics_t * d = &node->diagnostics;
  if (d->open) sim_ignore(rcl_publisher_fini(&d->publisher, node->node));
  diagnostic_msgs__msg__DiagnosticArray__fini(&d->message);
}
