// /diagnostics once a second, and log lines when something changes: what the control thread counts,
// reported on the executor's thread.
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostic_msgs/msg/diagnostic_status.h"
#include "diagnostic_msgs/msg/key_value.h"
#include "inertia_shaping.h"
#include "mbdyn/operators/factors.h"
#include "node_internal.h"
#include "rosidl_runtime_c/string_functions.h"
#include "singularity.h"

typedef diagnostic_msgs__msg__DiagnosticStatus status_t;
typedef diagnostic_msgs__msg__KeyValue key_value_t;

enum { MOST_VALUES = 80, PERIOD = 1000000000, CONDITION_MAX_DOF = 100 };

bool
diagnostics_init(mbdyn_node_t * node)
{
  diagnostics_t * d = &node->diagnostics;
  d->publisher = rcl_get_zero_initialized_publisher();
  d->open =
    rclc_publisher_init_default(
      &d->publisher, node->node, ROSIDL_GET_MSG_TYPE_SUPPORT(diagnostic_msgs, msg, DiagnosticArray),
      "/diagnostics") == RCL_RET_OK;
  return d->open && diagnostic_msgs__msg__DiagnosticArray__init(&d->message);
}

void
diagnostics_fini(mbdyn_node_t * node)
{
  diagnostics_t * d = &node->diagnostics;
  if (d->open && rcl_publisher_fini(&d->publisher, node->node) != RCL_RET_OK) rcl_reset_error();
  diagnostic_msgs__msg__DiagnosticArray__fini(&d->message);
}

//---------- log lines ----------

static void
say_input(mbdyn_node_t * node, const loop_state_t * now, const loop_state_t * last)
{
  const joint_input_counts_t *n = &now->input, *o = &last->input;
  if (n->new_layouts != o->new_layouts && n->unknown_joints > 0) {
    NODE_LOG(
      node->node, INFO,
      "joint_states has %" PRIu32 " names that the robot does not have, such as '%s'",
      n->unknown_joints, now->unknown_name);
  }
  if (n->differentiated > 0 && o->differentiated == 0) {
    NODE_LOG(
      node->node, WARN,
      "joint_states has no velocities: differentiating positions with a low-pass of %g Hz",
      param_double(node_values(node), P_VELOCITY_CUTOFF));
  }
  if (n->clock_jumps != o->clock_jumps) {
    NODE_LOG(node->node, WARN, "stamps of joint_states went backwards: restarting");
  }
  if (now->gravity_message && !last->gravity_message) {
    NODE_LOG(node->node, INFO, "using gravity from ~/gravity");
  }
  if (!now->gravity_message && last->gravity_message && now->active) {
    NODE_LOG(
      node->node, WARN, "no message on ~/gravity for %g s: using the parameter gravity",
      param_double(node_values(node), P_TARGET_TIMEOUT));
  }
}

// why commands stopped: no joint states at all, some without a joint, or no result of them
static void
describe_stop(mbdyn_node_t * node, const rt_gaps_t * gaps, char * text, size_t size)
{
  const double timeout = param_double(node_values(node), P_TIMEOUT);
  if (gaps->silence >= timeout) {
    snprintf(text, size, "no joint state for %.3g s", gaps->silence);
  } else if (*gaps->missing) {
    snprintf(text, size, "no complete joint state for %g s, missing %s", timeout, gaps->missing);
  } else {
    snprintf(text, size, "no result for %g s", timeout);
  }
}

void
diagnostics_describe_abandoned(
  mbdyn_node_t * node, const rt_gaps_t * gaps, char * text, size_t size)
{
  char why[256] = "stamps of joint_states went backwards";
  if (gaps->reason == GAP_STALE) describe_stop(node, gaps, why, sizeof why);
  if (gaps->reason == GAP_STEP) {
    snprintf(
      why, sizeof why, "it deviates from the joint positions by more than max_reference_step");
  }
  if (gaps->reason == GAP_COMPONENT) {
    snprintf(why, sizeof why, "it leads across a singularity (stay_in_component)");
  }
  snprintf(text, size, "trajectory abandoned at %.2f s: %s", gaps->abandoned_at, why);
}

static void
say_gaps(mbdyn_node_t * node, const rt_gaps_t * now, const rt_gaps_t * last)
{
  diagnostics_t * d = &node->diagnostics;
  if (now->abandoned != last->abandoned) {
    diagnostics_describe_abandoned(node, now, d->abandoned, sizeof d->abandoned);
    NODE_LOG(node->node, WARN, "%s", d->abandoned);
  }
  if (now->ended == last->ended) return;
  if (now->continued) {
    NODE_LOG(
      node->node, INFO, "joint states resumed after %.3g s: continuing the trajectory at %.2f s",
      now->length, now->continued_at);
  } else {
    NODE_LOG(node->node, INFO, "joint states resumed after %.3g s: holding position", now->length);
  }
}

static void
say_commands(mbdyn_node_t * node, const loop_state_t * now, const loop_state_t * last)
{
  if (now->gate.stale != last->gate.stale) {
    char why[256];
    describe_stop(node, &now->gaps, why, sizeof why);
    NODE_LOG(
      node->node, WARN, "%s: command stopped (on_stale: %s)", why,
      param_string(node_values(node), P_ON_STALE));
  }
  say_gaps(node, &now->gaps, &last->gaps);
  if (now->gate.not_finite != last->gate.not_finite) {
    NODE_LOG(node->node, ERROR, "a non-finite command was not sent");
  }
  if (now->compute_errors != last->compute_errors) {
    NODE_LOG(
      node->node, ERROR, "%" PRIu64 " cycles without a result: %s",
      now->compute_errors - last->compute_errors, mbd_status_string(now->last_error));
  }
}

static void
say_component(
  mbdyn_node_t * node, const controller_component_t * now, const controller_component_t * last)
{
  if (now->holds != last->holds) {
    NODE_LOG(
      node->node, WARN,
      "holding position: the command leads across a singularity (stay_in_component); the next "
      "target that does not is followed");
  }
  if (last->held && !now->held) NODE_LOG(node->node, INFO, "no longer holding position");
  if (now->crossings != last->crossings) {
    NODE_LOG(
      node->node, WARN, "the robot has crossed a singularity: staying in the component it is in");
  }
}

static void
say_refused(mbdyn_node_t * node, const inputs_counts_t * n, const inputs_counts_t * o)
{
  const uint64_t limits = n->beyond_limits - o->beyond_limits, steps = n->steps - o->steps;
  const uint64_t others = n->refused - o->refused - limits - steps;
  const mbd_model_t * model = node->loaded->model;
  const char * joint = n->joint < model->nbody ? model->body[n->joint].joint_name : "";
  if (limits > 0) {
    NODE_LOG(
      node->node, WARN, "%" PRIu64 " references rejected: '%s' beyond its limits", limits, joint);
  }
  if (steps > 0) {
    NODE_LOG(
      node->node, WARN,
      "%" PRIu64 " references rejected: '%s' jumps by more than max_reference_step", steps, joint);
  }
  if (others > 0) {
    NODE_LOG(
      node->node, WARN,
      "%" PRIu64 " targets rejected: malformed, not finite, too large, or in an unknown frame",
      others);
  }
}

// degree of freedom, or direction of the operational frame
static const char *
gain_place(const mbdyn_node_t * node, const controller_bound_t * bound)
{
  static const char * const AXES[] = {"linear_x",  "linear_y",  "linear_z",
                                      "angular_x", "angular_y", "angular_z"};
  const char * name = bound->parameter;
  const bool task = strcmp(name, "operational_kd") == 0 || strncmp(name, "cartesian_", 10) == 0;
  if (task) return AXES[bound->index];
  return node->loaded->robot.dof_name[bound->index];
}

static bool
is_inertia(const controller_bound_t * bound)
{
  return strcmp(bound->parameter, "cartesian_inertia") == 0;
}

// once a second: velocity gains that the robot cannot take at this rate, when that begins
static void
say_bound(mbdyn_node_t * node, const loop_state_t * now, const loop_state_t * last)
{
  const controller_bound_t * b = &now->bound;
  const bool was = node->diagnostics.gains_bounded;
  node->diagnostics.gains_bounded = b->cycles != last->bound.cycles;
  if (was || !node->diagnostics.gains_bounded) return;
  if (is_inertia(b)) {
    NODE_LOG(
      node->node, WARN,
      "cartesian_inertia of %s is %g, which makes the frame more than %d times lighter than it is "
      "here: %.3g is used",
      gain_place(node, b), b->gain, INERTIA_MOST, b->bound);
    return;
  }
  const bool bounded = param_bool(node_values(node), P_BOUND_GAINS);
  NODE_LOG(
    node->node, WARN,
    "%s of %s is %g, above the stability bound %.3g at %.0f commands per second: %s", b->parameter,
    gain_place(node, b), b->gain, b->bound, 1 / now->sample_time,
    bounded ? "limited to the bound" : "the joint may oscillate (bound_gains is false)");
}

// once a second: when the supports cannot give the motion, and when they can again
static void
say_supports(mbdyn_node_t * node, const loop_state_t * now, const loop_state_t * last)
{
  const bool was = node->diagnostics.support_limited;
  const uint64_t cycles = now->support_limited - last->support_limited;
  node->diagnostics.support_limited = cycles > 0;
  if (cycles > 0 && !was) {
    NODE_LOG(
      node->node, WARN,
      "support_frames: contact forces within the friction cones could not give the motion in "
      "%" PRIu64 " cycles, %.3g N missing: the base is accelerated as nearly as they can",
      cycles, now->support_missing);
  }
}

// once a second
static void
say_slowly(mbdyn_node_t * node, const loop_state_t * now, const loop_state_t * last)
{
  const joint_input_counts_t *n = &now->input, *o = &last->input;
  const uint64_t refused = (n->messages - n->taken) - (o->messages - o->taken);
  if (refused > 0) {
    NODE_LOG(
      node->node, WARN,
      "%" PRIu64 " joint states rejected (total: %" PRIu64 " malformed, %" PRIu64
      " not finite, %" PRIu64 " implausible, %" PRIu64 " with duplicate names, %" PRIu64
      " late, %" PRIu64 " from the future, %" PRIu64 " with decreasing stamps, %" PRIu64
      " without any known joint)",
      refused, n->malformed, n->not_finite, n->implausible, n->duplicates, n->late, n->future,
      n->backwards, n->no_joint);
  }
  if (now->gate.saturated != last->gate.saturated) {
    NODE_LOG(
      node->node, WARN, "commands beyond effort limits: %" PRIu64,
      now->gate.saturated - last->gate.saturated);
  }
  say_refused(node, &now->refused, &last->refused);
  const double silence = 1e-9 * (double)(steady_now() - now->last_message);
  if (now->whole || n->taken == 0) return;
  if (silence > param_double(node_values(node), P_TIMEOUT)) {
    NODE_LOG(node->node, WARN, "no joint state has arrived for %.3g s", silence);
  } else if (*now->missing_name) {
    NODE_LOG(node->node, WARN, "waiting for joint '%s' on joint_states", now->missing_name);
  }
}

//---------- the message ----------

typedef struct report {
  status_t * status;
  size_t n;
} report_t;

__attribute__((format(printf, 3, 4))) static void
add_value(report_t * r, const char * key, const char * format, ...)
{
  char text[512];
  va_list list;
  if (r->n == MOST_VALUES) return;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  char printable[sizeof text];
  key_value_t * pair = &r->status->values.data[r->n++];
  if (!rosidl_runtime_c__String__assign(&pair->key, key)) return;
  (void)!rosidl_runtime_c__String__assign(
    &pair->value, text_printable(text, printable, sizeof printable));
}

// quantiles since the last report, in microseconds
static void
add_times(
  report_t * r, const char * what, const histogram_t * from, histogram_copy_t * last,
  diagnostics_t * d)
{
  char key[64];
  static const struct {
    const char * name;
    double q;
  } QUANTILES[] = {{"p50", 0.5}, {"p99", 0.99}};
  histogram_read(from, &d->scratch);
  histogram_since(&d->scratch, last, &d->since);
  *last = d->scratch;
  for (int k = 0; k < 2; k++) {
    snprintf(key, sizeof key, "%s_%s_us", what, QUANTILES[k].name);
    add_value(r, key, "%.3f", 1e6 * histogram_quantile(&d->since, QUANTILES[k].q));
  }
  snprintf(key, sizeof key, "%s_max_us", what);
  add_value(r, key, "%.3f", 1e-3 * (double)d->scratch.max);
}

static void
add_rate(report_t * r, mbdyn_node_t * node)
{
  diagnostics_t * d = &node->diagnostics;
  histogram_read(&loop_times(node->loop)->interval, &d->scratch);
  histogram_since(&d->scratch, &d->interval, &d->since);
  d->interval = d->scratch;
  const double mean = histogram_mean(&d->since);
  add_value(r, "input_rate_hz", "%.3f", mean > 0 ? 1 / mean : 0.0);
  const double jitter = histogram_quantile(&d->since, 0.99) - histogram_quantile(&d->since, 0.5);
  add_value(r, "input_jitter_us", "%.3f", isfinite(jitter) ? 1e6 * jitter : 0.0);
}

static double
condition_of(mbdyn_node_t * node, const loop_state_t * now)
{
  const loaded_t * l = node->loaded;
  const size_t nv = (size_t)l->model->nv;
  double condition = NAN;
  if (!now->whole || nv > CONDITION_MAX_DOF) return NAN;
  double * work = calloc(2 * nv * nv + 1, sizeof *work);
  if (!work) return NAN;
  if (
    mbd_set_state(l->model, l->data, loop_numbers(now), NULL) != MBD_OK ||
    mbd_mass_condition(l->model, l->data, work, &condition) != MBD_OK) {
    condition = NAN;
  }
  free(work);
  return condition;
}

// of the operational frame, in the rows that are controlled; false if it is not known
static bool
measure_singularity(mbdyn_node_t * node, const loop_state_t * now, int * frame, singularity_t * s)
{
  const loaded_t * l = node->loaded;
  const param_values_t * values = node_values(node);
  bool row[6] = {false};
  size_t n;
  const char * const * axes = param_strings(values, P_OPERATIONAL_AXES, &n);
  for (size_t i = 0; i < n; i++) {
    row[param_choice(&NODE_PARAMETERS[P_OPERATIONAL_AXES], axes[i])] = true;
  }
  for (int k = 0; n == 0 && k < 6; k++) row[k] = true;
  const char * name = param_string(values, P_OPERATIONAL_FRAME);
  if (*name == 0 || mbd_find_frame(l->model, name, frame) != MBD_OK) {
    *frame = node_robot_tip(l->model);
  }
  if (!now->whole || *frame < 0) return false;
  const mbd_task_t task = singularity_task(*frame, row);
  const mbd_tasks_t tasks = {1, &task};
  double * work = calloc(singularity_work(l->model, &tasks) + 1, sizeof *work);
  const bool good = work && singularity_nearest(
                              l->model, l->data, &tasks, singularity_length(l->model, *frame),
                              loop_numbers(now), work, s) == MBD_OK;
  free(work);
  return good;
}

static void
add_singularity(report_t * r, mbdyn_node_t * node, const loop_state_t * now)
{
  const double warning = param_double(node_values(node), P_SINGULARITY_WARNING);
  const controller_component_t * c = &now->component;
  const bool watched = controller_mode_needs(now->mode, NEEDS_TASK) ||
                       param_bool(node_values(node), P_STAY_IN_COMPONENT);
  singularity_t s;
  int frame;
  node->diagnostics.singular = false;
  if (measure_singularity(node, now, &frame, &s)) {
    node->diagnostics.singular = watched && s.reciprocal < warning;
    add_value(r, "singularity_frame", "%s", node->loaded->model->frame[frame].name);
    add_value(r, "reciprocal_condition", "%.6g", s.reciprocal);
    add_value(r, "determinant_sign", "%d", s.sign);
    add_value(
      r, "singularity_joint", "%s", s.nearest < 0 ? "" : node->loaded->robot.dof_name[s.nearest]);
  }
  add_value(r, "singularity_warning", "%g", watched ? warning : 0.0);
  add_value(r, "held", "%s", c->held ? "true" : "false");
  add_value(r, "holds", "%" PRIu64, c->holds);
  add_value(r, "singularities_crossed", "%" PRIu64, c->crossings);
}

static void
add_counts(report_t * r, const loop_state_t * s)
{
  add_value(r, "joint_states", "%" PRIu64, s->input.messages);
  add_value(r, "joint_states_taken", "%" PRIu64, s->input.taken);
  add_value(r, "dropped", "%" PRIu64, s->input.messages - s->input.taken);
  add_value(r, "malformed", "%" PRIu64, s->input.malformed);
  add_value(r, "duplicate_names", "%" PRIu64, s->input.duplicates);
  add_value(r, "not_finite", "%" PRIu64, s->input.not_finite);
  add_value(r, "implausible", "%" PRIu64, s->input.implausible);
  add_value(r, "late", "%" PRIu64, s->input.late);
  add_value(r, "future", "%" PRIu64, s->input.future);
  add_value(r, "backwards", "%" PRIu64, s->input.backwards);
  add_value(r, "no_joint", "%" PRIu64, s->input.no_joint);
  add_value(r, "name_changes", "%" PRIu64, s->input.new_layouts);
  add_value(r, "clock_jumps", "%" PRIu64, s->input.clock_jumps);
  add_value(r, "differentiated", "%" PRIu64, s->input.differentiated);
  add_value(r, "unknown_joints", "%" PRIu32, s->input.unknown_joints);
  add_value(r, "missing_joint", "%s", s->missing_name);
  add_value(r, "gaps", "%" PRIu64, s->gaps.ended);
  add_value(r, "trajectories_abandoned", "%" PRIu64, s->gaps.abandoned);
  add_value(r, "skipped", "%" PRIu64, s->skipped);
  add_value(r, "refused_targets", "%" PRIu64, s->refused.refused);
  add_value(r, "references_beyond_limits", "%" PRIu64, s->refused.beyond_limits);
  add_value(r, "reference_steps", "%" PRIu64, s->refused.steps);
  add_value(r, "cycles", "%" PRIu64, s->cycles);
  add_value(r, "compute_errors", "%" PRIu64, s->compute_errors);
  add_value(r, "commands", "%" PRIu64, s->gate.passed);
  add_value(r, "commands_not_finite", "%" PRIu64, s->gate.not_finite);
  add_value(r, "saturations", "%" PRIu64, s->gate.saturated);
  add_value(r, "slew_limited", "%" PRIu64, s->gate.slewed);
  add_value(r, "gains_bounded", "%" PRIu64, s->bound.cycles);
  add_value(r, "stale", "%" PRIu64, s->gate.stale);
  add_value(r, "publish_errors", "%" PRIu64, s->publish_errors);
  add_value(r, "contacts", "%d", s->contacts);
  add_value(r, "supports", "%d", s->supports);
  add_value(r, "support_normal_force", "%.3f", s->supports > 0 ? s->support_normal : 0.0);
  add_value(r, "support_limited", "%" PRIu64, s->support_limited);
  add_value(r, "support_missing_force", "%.3f", s->support_missing);
  add_value(r, "velocities", "%s", s->velocities_given ? "measured" : "differentiated");
}

static void
add_robot(report_t * r, mbdyn_node_t * node, const loop_state_t * now)
{
  add_value(r, "model", "%s", node->loaded->model->name);
  add_value(r, "model_hash", "%016" PRIx64, node->loaded->hash);
  add_value(r, "degrees_of_freedom", "%d", node->loaded->model->nv);
  add_value(r, "mode", "%s", controller_mode_name(now->mode));
  add_value(r, "gravity", "%s", now->gravity_message ? "message" : "parameter");
  add_value(r, "tracking", "%s", now->tracking ? "true" : "false");
  double mass;
  add_value(r, "payloads", "%d", payloads_count(node, &mass));
  add_value(r, "payload_mass", "%g", mass);
  add_value(r, "mass_matrix_condition", "%.6g", condition_of(node, now));
  add_value(r, "command_rate_hz", "%.3f", now->sample_time > 0 ? 1 / now->sample_time : 0.0);
  // of the last cycle that had one
  const controller_bound_t * b = &now->bound;
  if (!b->parameter) return;
  add_value(r, "bounded_gain", "%s of %s: %g", b->parameter, gain_place(node, b), b->gain);
  add_value(r, "gain_bound", "%.6g", b->bound);
}

static uint8_t
judge(mbdyn_node_t * node, const loop_state_t * now, const loop_state_t * last, const char ** text)
{
  const lifecycle_state_t state = lifecycle_state(node->lifecycle);
  *text = lifecycle_state_name(state);
  if (!now) {
    *text = node->description.text ? "unconfigured" : "waiting for a robot description";
    return node->description.text && node->tried == node->description.version
             ? diagnostic_msgs__msg__DiagnosticStatus__ERROR
             : diagnostic_msgs__msg__DiagnosticStatus__OK;
  }
  if (!now->whole) {
    *text = now->input.taken ? "joint states are missing or stale" : "waiting for joint states";
    return state == LIFECYCLE_ACTIVE ? diagnostic_msgs__msg__DiagnosticStatus__STALE
                                     : diagnostic_msgs__msg__DiagnosticStatus__WARN;
  }
  if (
    now->compute_errors != last->compute_errors || now->gate.not_finite != last->gate.not_finite) {
    *text = "cycles without a command";
    return diagnostic_msgs__msg__DiagnosticStatus__ERROR;
  }
  if (now->gaps.abandoned != last->gaps.abandoned) {
    *text = node->diagnostics.abandoned;
    return diagnostic_msgs__msg__DiagnosticStatus__WARN;
  }
  if (now->input.messages - now->input.taken != last->input.messages - last->input.taken) {
    *text = "joint states rejected";
    return diagnostic_msgs__msg__DiagnosticStatus__WARN;
  }
  if (now->component.held) {
    *text = "holding position: the command leads across a singularity";
    return diagnostic_msgs__msg__DiagnosticStatus__WARN;
  }
  if (node->diagnostics.singular) {
    *text = "near a singularity";
    return diagnostic_msgs__msg__DiagnosticStatus__WARN;
  }
  if (now->gate.saturated != last->gate.saturated) {
    *text = "commands at their limits";
    return diagnostic_msgs__msg__DiagnosticStatus__WARN;
  }
  if (now->support_limited != last->support_limited) {
    *text = "contact forces within the friction cones cannot give the motion";
    return diagnostic_msgs__msg__DiagnosticStatus__WARN;
  }
  if (now->bound.cycles != last->bound.cycles) {
    *text = is_inertia(&now->bound) ? "cartesian_inertia is too small here"
                                    : "velocity gains exceed the stability bound at this rate";
    return diagnostic_msgs__msg__DiagnosticStatus__WARN;
  }
  return diagnostic_msgs__msg__DiagnosticStatus__OK;
}

static bool
start_message(mbdyn_node_t * node, report_t * r)
{
  diagnostic_msgs__msg__DiagnosticArray * m = &node->diagnostics.message;
  const int64_t now = ros_clock_now(&node->clock);
  diagnostic_msgs__msg__DiagnosticArray__fini(m);
  if (!diagnostic_msgs__msg__DiagnosticArray__init(m)) return false;
  m->header.stamp.sec = (int32_t)(now / 1000000000);
  m->header.stamp.nanosec = (uint32_t)(now % 1000000000);
  if (!diagnostic_msgs__msg__DiagnosticStatus__Sequence__init(&m->status, 1)) return false;
  r->status = &m->status.data[0];
  r->n = 0;
  return diagnostic_msgs__msg__KeyValue__Sequence__init(&r->status->values, MOST_VALUES);
}

static void
publish(mbdyn_node_t * node, const loop_state_t * now)
{
  diagnostics_t * d = &node->diagnostics;
  report_t r;
  const char * text;
  char name[512];
  if (!start_message(node, &r)) return;
  snprintf(name, sizeof name, "%s: dynamics", rcl_node_get_fully_qualified_name(node->node));
  add_value(&r, "state", "%s", lifecycle_state_name(lifecycle_state(node->lifecycle)));
  if (now) {
    const loop_times_t * times = loop_times(node->loop);
    add_robot(&r, node, now);
    add_singularity(&r, node, now);
    add_rate(&r, node);
    add_times(&r, "input_age", &times->age, &d->age, d);
    add_times(&r, "compute", &times->compute, &d->compute, d);
    add_times(&r, "cycle", &times->cycle, &d->cycle, d);
    add_counts(&r, now);
    add_value(&r, "trajectory_abandoned", "%s", d->abandoned);
  }
  r.status->level = judge(node, now, &d->last, &text);
  // what is not used must not be sent
  r.status->values.size = r.n;
  if (
    rosidl_runtime_c__String__assign(&r.status->name, name) &&
    rosidl_runtime_c__String__assign(&r.status->message, text) &&
    rosidl_runtime_c__String__assign(
      &r.status->hardware_id, node->loaded ? node->loaded->model->name : "none") &&
    rcl_publish(&d->publisher, &d->message, NULL) != RCL_RET_OK) {
    rcl_reset_error();
  }
  r.status->values.size = MOST_VALUES;
}

void
diagnostics_tick(mbdyn_node_t * node)
{
  diagnostics_t * d = &node->diagnostics;
  const loop_state_t * now = node->loop ? loop_state(node->loop) : NULL;
  const int64_t time = steady_now();
  if (now && now->input.messages < d->last.input.messages) {
    // another control thread counts from zero
    memset(&d->last, 0, sizeof d->last);
    memset(&d->reported, 0, sizeof d->reported);
    memset(d->abandoned, 0, sizeof d->abandoned);
    memset(&d->interval, 0, sizeof d->interval);
    d->age = d->compute = d->cycle = d->interval;
  }
  if (now) {
    say_input(node, now, &d->reported);
    say_commands(node, now, &d->reported);
    say_component(node, &now->component, &d->reported.component);
    memcpy(&d->reported, now, sizeof d->reported);
  }
  if (time < d->next) return;
  d->next = time + PERIOD;
  publish(node, now);
  if (now) {
    say_bound(node, now, &d->last);
    say_supports(node, now, &d->last);
    say_slowly(node, now, &d->last);
    memcpy(&d->last, now, sizeof d->last);
  }
}
