// From parameter values to what the control thread is told, with a reason where that cannot be.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "node_parameters.h"

// what a builder works on
typedef struct builder {
  const node_robot_t * robot;
  const param_values_t * values;
  loop_settings_t * settings;
  char * reason;
  size_t size;
} builder_t;

__attribute__((format(printf, 2, 3))) static bool
refuse(builder_t * b, const char * format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(b->reason, b->size, format, list);
  va_end(list);
  return false;
}

static const char *
name_of(node_parameter_t index)
{
  return NODE_PARAMETERS[index].name;
}

// one number for all degrees of freedom, or one per command joint (0 elsewhere)
static bool
spread(builder_t * b, node_parameter_t index, double * out, double elsewhere)
{
  const node_robot_t * robot = b->robot;
  size_t n;
  const double * x = param_doubles(b->values, (int)index, &n);
  if (n != 1 && n != (size_t)robot->ncommand) {
    return refuse(
      b, "%s has %zu numbers; give one, or one for each of the %d command joints", name_of(index),
      n, robot->ncommand);
  }
  for (int k = 0; k < robot->model->nv; k++) out[k] = n == 1 ? x[0] : elsewhere;
  for (int i = 0; n > 1 && i < robot->ncommand; i++) out[robot->command_dof[i]] = x[i];
  return true;
}

// six numbers, linear first, from one, two or six
static bool
spread_task(builder_t * b, node_parameter_t index, double * out)
{
  size_t n;
  const double * x = param_doubles(b->values, (int)index, &n);
  if (n != 1 && n != 2 && n != 6) {
    return refuse(b, "%s has %zu numbers; give one, two or six", name_of(index), n);
  }
  for (int k = 0; k < 6; k++) out[k] = n == 6 ? x[k] : n == 2 ? x[k / 3] : x[0];
  return true;
}

static bool
exactly(builder_t * b, node_parameter_t index, size_t wanted, const double ** x)
{
  size_t n;
  *x = param_doubles(b->values, (int)index, &n);
  if (n == wanted) return true;
  return refuse(b, "%s has %zu numbers instead of %zu", name_of(index), n, wanted);
}

// a frame by name; the fallback where the parameter is empty
static bool
frame_of(builder_t * b, node_parameter_t index, int fallback, int * frame)
{
  const char * name = param_string(b->values, (int)index);
  *frame = fallback;
  if (*name == 0 || mbd_find_frame(b->robot->model, name, frame) == MBD_OK) return true;
  return refuse(b, "%s: the robot has no link or frame '%s'", name_of(index), name);
}

static unsigned
bits_of(
  const param_values_t * values, node_parameter_t index, const char * const * names, int nname)
{
  size_t n;
  unsigned bits = 0;
  const char * const * text = param_strings(values, (int)index, &n);
  for (size_t i = 0; i < n; i++) {
    for (int k = 0; k < nname; k++) {
      if (strcmp(text[i], names[k]) == 0) bits |= 1u << k;
    }
  }
  return bits;
}

static bool
build_joint_space(builder_t * b, controller_settings_t * c)
{
  static const char * const TERMS[] = {"gravity", "coriolis", "inertia", "friction", "external"};
  const double * gravity;
  c->mode = (controller_mode_t)controller_mode_find(param_string(b->values, P_MODE));
  c->command_terms = bits_of(b->values, P_COMMAND_TERMS, TERMS, 5);
  c->model_terms = (param_bool(b->values, P_FRICTION) ? MBD_TERM_FRICTION : 0u) |
                   (param_bool(b->values, P_ROTORS) ? MBD_TERM_ROTORS : 0u);
  c->bound_gains = param_bool(b->values, P_BOUND_GAINS);
  c->integral_limit = param_double(b->values, P_INTEGRAL_LIMIT);
  c->target_timeout = param_double(b->values, P_TARGET_TIMEOUT);
  if (!exactly(b, P_GRAVITY, 3, &gravity)) return false;
  c->gravity = mbdu_vec3(gravity[0], gravity[1], gravity[2]);
  if (
    !spread(b, P_MAX_REFERENCE_STEP, c->max_step, 0) ||
    !spread(b, P_MAX_REFERENCE_ACCELERATION, c->max_acceleration, 0)) {
    return false;
  }
  if (!spread(b, P_DAMPING, c->damping, 0)) return false;
  // what is not commanded is not damped, and must not count where the joints' damping is bounded
  for (int k = 0; k < b->robot->model->nv; k++) {
    if (!b->robot->commanded[k]) c->damping[k] = 0;
  }
  return spread(b, P_KP, c->kp, 0) && spread(b, P_KD, c->kd, 0) && spread(b, P_KI, c->ki, 0) &&
         spread(b, P_DAMPING_RATES, c->damping_rate, 0);
}

static bool
build_task(builder_t * b, controller_settings_t * c)
{
  // as the rows of Jacobians are called; a bare y would be a bool in YAML
  static const char * const AXES[] = {"linear_x",  "linear_y",  "linear_z",
                                      "angular_x", "angular_y", "angular_z"};
  static const char * const POLICIES[] = {"truncate", "damp", "refuse"};
  const double * error;
  const unsigned axes = bits_of(b->values, P_OPERATIONAL_AXES, AXES, 6);
  for (int k = 0; k < 6; k++) c->task_row[k] = axes & (1u << k);
  if (controller_mode_needs(c->mode, NEEDS_TASK) && axes == 0) {
    return refuse(
      b, "operational_axes is empty: mode %s needs at least one", controller_mode_name(c->mode));
  }
  for (int k = 0; k < 3; k++) {
    if (strcmp(POLICIES[k], param_string(b->values, P_SINGULAR_POLICY)) == 0) {
      c->singular.policy = (mbd_singular_policy_t)k;
    }
  }
  c->singular.damping = param_double(b->values, P_SINGULAR_DAMPING);
  if (c->singular.policy == MBD_SINGULAR_DAMP && c->singular.damping == 0) {
    return refuse(b, "singular_damping is 0: give more, or singular_policy truncate");
  }
  if (!exactly(b, P_OPERATIONAL_MAX_ERROR, 2, &error)) return false;
  memcpy(c->task_max_error, error, sizeof c->task_max_error);
  return frame_of(b, P_OPERATIONAL_FRAME, node_robot_tip(b->robot->model), &c->task_frame) &&
         spread_task(b, P_OPERATIONAL_KP, c->task_kp) &&
         spread_task(b, P_OPERATIONAL_KD, c->task_kd) &&
         spread(b, P_POSTURE_KP, c->posture_kp, 0) && spread(b, P_POSTURE_KD, c->posture_kd, 0);
}

static bool
build_observer(builder_t * b, controller_settings_t * c)
{
  const char * source = param_string(b->values, P_OBSERVER_SOURCE);
  c->observer = param_bool(b->values, P_OBSERVER);
  c->observer_source = strcmp(source, "measured") == 0  ? OBSERVE_MEASURED
                       : strcmp(source, "command") == 0 ? OBSERVE_COMMAND
                                                        : OBSERVE_AUTO;
  c->observer_options = mbd_observer_options_default();
  c->observer_options.order = (int)param_integer(b->values, P_OBSERVER_ORDER);
  c->observer_options.gain = param_double(b->values, P_OBSERVER_GAIN);
  const double threshold = param_double(b->values, P_OBSERVER_THRESHOLD);
  if (threshold > 0) {
    c->observer_options.threshold_on = threshold;
    c->observer_options.threshold_off = 0.5 * threshold;
  }
  const int fallback = b->robot->nframe > 0 ? b->robot->frame[0] : -1;
  return frame_of(b, P_OBSERVER_FRAME, fallback, &c->observer_frame);
}

static bool
add_payload(builder_t * b, controller_settings_t * c, int frame, mbd_inertia_t inertia)
{
  for (int i = 0; i < c->npayload; i++) {
    if (c->payload[i].frame != frame) continue;
    c->payload[i].inertia = inertia;
    return true;
  }
  if (c->npayload == CONTROLLER_PAYLOADS) {
    return refuse(b, "no more than %d payloads", CONTROLLER_PAYLOADS);
  }
  c->payload[c->npayload++] = (controller_payload_t){frame, inertia};
  return true;
}

// the workspace knows what a rigid body is
static bool
check_payloads(builder_t * b, const controller_settings_t * c)
{
  mbd_data_t * data;
  if (c->npayload == 0) return true;
  if (mbd_data_create(b->robot->model, &data) != MBD_OK) return refuse(b, "out of memory");
  mbd_status_t status = MBD_OK;
  for (int i = 0; i < c->npayload && status == MBD_OK; i++) {
    status = mbd_payload_attach(b->robot->model, data, c->payload[i].frame, &c->payload[i].inertia);
  }
  mbd_data_destroy(data);
  return status == MBD_OK ? true : refuse(b, "payload: %s", mbd_status_string(status));
}

static bool
add_load(builder_t * b, controller_settings_t * c, const node_load_t * load)
{
  const double * I = load->inertia;
  const mbd_sym3_t about_com = {I[0], I[1], I[2], I[3], I[4], I[5]};
  const mbd_vec3_t com = mbdu_vec3(load->com[0], load->com[1], load->com[2]);
  return add_payload(b, c, load->frame, mbdu_inertia_from_com(load->mass, com, about_com));
}

static bool
build_payloads(builder_t * b, controller_settings_t * c, const node_payloads_t * payloads)
{
  int frame;
  const double * numbers;
  node_load_t load;
  if (!frame_of(b, P_PAYLOAD_FRAME, -1, &frame)) return false;
  if (!exactly(b, P_PAYLOAD_COM, 3, &numbers)) return false;
  if (!exactly(b, P_PAYLOAD_INERTIA, 6, &numbers)) return false;
  for (int i = 0; payloads && i < payloads->n; i++) {
    if (!add_load(b, c, &payloads->load[i])) return false;
  }
  // last: on one frame the parameters' load counts
  if (node_load_of_parameters(b->values, b->robot->model, &load) && !add_load(b, c, &load)) {
    return false;
  }
  return check_payloads(b, c);
}

static bool
build_gate(builder_t * b, loop_settings_t * s)
{
  const mbd_model_t * model = b->robot->model;
  size_t n;
  s->gate.clamp = param_bool(b->values, P_CLAMP_EFFORT);
  s->gate.good_inputs = (int)param_integer(b->values, P_GOOD_INPUTS);
  s->gate.on_stale = (gate_action_t)gate_action_find(param_string(b->values, P_ON_STALE));
  s->resume = strcmp(param_string(b->values, P_ON_RESUME), "continue") == 0;
  s->on_deactivate = (gate_action_t)gate_action_find(param_string(b->values, P_ON_DEACTIVATE));
  s->on_shutdown = (gate_action_t)gate_action_find(param_string(b->values, P_ON_SHUTDOWN));
  for (int k = 0; k < model->nv; k++) s->limit[k] = model->body[model->dof_body[k]].limits.effort;
  param_doubles(b->values, P_EFFORT_LIMITS, &n);
  if (n > 0 && !spread(b, P_EFFORT_LIMITS, s->limit, HUGE_VAL)) return false;
  if (!spread(b, P_SLEW_LIMIT, s->slew, 0)) return false;
  for (int k = 0; k < model->nv; k++) {
    if (s->slew[k] == 0) s->slew[k] = HUGE_VAL;
  }
  return true;
}

static void
build_rest(builder_t * b, loop_settings_t * s)
{
  for (int k = 0; k < OUTPUT_COUNT; k++) {
    s->divider[k] = param_integer(b->values, P_PUBLISH_COMMAND + k);
  }
  s->input.timeout = param_double(b->values, P_TIMEOUT);
  s->input.check_stamp = param_bool(b->values, P_CHECK_STAMP);
  s->input.velocity_cutoff = param_double(b->values, P_VELOCITY_CUTOFF);
  s->input.acceleration_cutoff = param_double(b->values, P_ACCELERATION_CUTOFF);
  s->min_interval = 1 / param_double(b->values, P_MAX_RATE);
}

static void
destroy(mail_t * mail)
{
  loop_settings_t * s = (loop_settings_t *)mail;
  if (s->controller) s->controller->mail.destroy(&s->controller->mail);
  free(s->limit);
  free(s->slew);
  free(s);
}

loop_settings_t *
loop_settings_build(
  const node_robot_t * robot, const param_values_t * values, const node_payloads_t * payloads,
  char * reason, size_t size)
{
  loop_settings_t * s = calloc(1, sizeof *s);
  if (!s) return NULL;
  builder_t b = {robot, values, s, reason, size};
  const size_t nv = (size_t)robot->model->nv;
  s->mail.destroy = destroy;
  s->controller = controller_settings_create(robot->model);
  s->limit = calloc(nv + 1, sizeof *s->limit);
  s->slew = calloc(nv + 1, sizeof *s->slew);
  const bool memory = s->controller && s->limit && s->slew;
  if (!memory) refuse(&b, "out of memory");
  build_rest(&b, s);
  if (
    memory && build_joint_space(&b, s->controller) && build_task(&b, s->controller) &&
    build_observer(&b, s->controller) && build_payloads(&b, s->controller, payloads) &&
    build_gate(&b, s)) {
    return s;
  }
  destroy(&s->mail);
  return NULL;
}
