// From parameter values to what the control thread is told, with a reason where that cannot be.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inertia_shaping.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/spatial.h"
#include "node_parameters.h"
#include "singularity.h"

// what a builder works on
typedef struct builder {
  const node_robot_t * robot;
  const param_values_t * values;
  loop_settings_t * settings;
  char * reason;
  size_t size;
} builder_t;

__attribute__((format(printf, 2, 3))) static bool
refuse_setting(builder_t * b, const char * format, ...)
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

//---------- kinds of destinations: a value into a field ----------

static bool
store_flag(builder_t * b, node_parameter_t index, void * field)
{
  *(bool *)field = param_bool(b->values, (int)index);
  return true;
}

static bool
store_integer(builder_t * b, node_parameter_t index, void * field)
{
  *(int *)field = (int)param_integer(b->values, (int)index);
  return true;
}

// every n-th cycle
static bool
store_every(builder_t * b, node_parameter_t index, void * field)
{
  *(int64_t *)field = param_integer(b->values, (int)index);
  return true;
}

static bool
store_number(builder_t * b, node_parameter_t index, void * field)
{
  *(double *)field = param_double(b->values, (int)index);
  return true;
}

// one bit for each of the choices in a list
static unsigned
bits_of(builder_t * b, node_parameter_t index)
{
  size_t n;
  unsigned bits = 0;
  const char * const * text = param_strings(b->values, (int)index, &n);
  for (size_t i = 0; i < n; i++) {
    bits |= 1u << param_choice(&NODE_PARAMETERS[index], text[i]);
  }
  return bits;
}

static bool
store_bits(builder_t * b, node_parameter_t index, void * field)
{
  *(unsigned *)field = bits_of(b, index);
  return true;
}

// one bool for each choice
static bool
store_flags(builder_t * b, node_parameter_t index, void * field)
{
  const unsigned bits = bits_of(b, index);
  for (int k = 0; k < 6; k++) ((bool *)field)[k] = bits & 1u << k;
  return true;
}

// an enum in the order of the choices
static bool
store_choice(builder_t * b, node_parameter_t index, void * field)
{
  _Static_assert(
    sizeof(controller_mode_t) == sizeof(int) && sizeof(gate_action_t) == sizeof(int) &&
      sizeof(observer_source_t) == sizeof(int) && sizeof(task_axes_t) == sizeof(int) &&
      sizeof(mbd_singular_policy_t) == sizeof(int),
    "enums that are stored as int");
  *(int *)field = param_choice(&NODE_PARAMETERS[index], param_string(b->values, (int)index));
  return true;
}

// one number for all degrees of freedom, or one per command joint (`elsewhere` for the others)
static bool
expand_per_joint(builder_t * b, node_parameter_t index, double * out, double elsewhere)
{
  const node_robot_t * robot = b->robot;
  size_t n;
  const double * x = param_doubles(b->values, (int)index, &n);
  if (n != 1 && n != (size_t)robot->ncommand) {
    return refuse_setting(
      b, "%s has %zu values; expected one, or one for each of the %d command joints",
      name_of(index), n, robot->ncommand);
  }
  for (int k = 0; k < robot->model->nv; k++) out[k] = n == 1 ? x[0] : elsewhere;
  for (int i = 0; n > 1 && i < robot->ncommand; i++) out[robot->command_dof[i]] = x[i];
  return true;
}

static bool
store_joints(builder_t * b, node_parameter_t index, void * field)
{
  return expand_per_joint(b, index, *(double **)field, 0);
}

// six numbers, linear first, from one, two or six
static bool
store_task(builder_t * b, node_parameter_t index, void * field)
{
  size_t n;
  const double * x = param_doubles(b->values, (int)index, &n);
  if (n != 1 && n != 2 && n != 6) {
    return refuse_setting(b, "%s has %zu values; expected one, two or six", name_of(index), n);
  }
  for (int k = 0; k < 6; k++) ((double *)field)[k] = n == 6 ? x[k] : n == 2 ? x[k / 3] : x[0];
  return true;
}

static bool
exactly(builder_t * b, node_parameter_t index, size_t wanted, const double ** x)
{
  size_t n;
  *x = param_doubles(b->values, (int)index, &n);
  if (n == wanted) return true;
  return refuse_setting(b, "%s has %zu values instead of %zu", name_of(index), n, wanted);
}

static bool
store_pair(builder_t * b, node_parameter_t index, void * field)
{
  const double * x;
  if (!exactly(b, index, 2, &x)) return false;
  memcpy(field, x, 2 * sizeof *x);
  return true;
}

static bool
store_vec3(builder_t * b, node_parameter_t index, void * field)
{
  const double * x;
  if (!exactly(b, index, 3, &x)) return false;
  *(mbd_vec3_t *)field = mbdu_vec3(x[0], x[1], x[2]);
  return true;
}

typedef struct destination {
  bool (*store)(builder_t *, node_parameter_t, void *);  // NULL: elsewhere
  bool controller;                                       // a field of its settings
  bool node_alone;
  size_t offset;
} destination_t;

static const destination_t DESTINATIONS[NODE_PARAMETER_COUNT] = {
#define ELSEWHERE         \
  {                       \
    NULL, false, false, 0 \
  }
#define NODE_ALONE       \
  {                      \
    NULL, false, true, 0 \
  }
#define LOOP(kind, field)                                        \
  {                                                              \
    store_##kind, false, false, offsetof(loop_settings_t, field) \
  }
#define NODE_LOOP(kind, field)                                  \
  {                                                             \
    store_##kind, false, true, offsetof(loop_settings_t, field) \
  }
#define CONTROLLER(kind, field)                                       \
  {                                                                   \
    store_##kind, true, false, offsetof(controller_settings_t, field) \
  }
#define NODE_CONTROLLER(kind, field)                                 \
  {                                                                  \
    store_##kind, true, true, offsetof(controller_settings_t, field) \
  }
#define PARAMETER(id, name, type, initial, text, min, max, choices, read_only, destination) \
  [id] = destination,
#include "node_parameters.inc"
};

bool
node_parameter_only(node_parameter_t index)
{
  return DESTINATIONS[index].node_alone;
}

static bool
store_all(builder_t * b, loop_settings_t * s)
{
  for (int k = 0; k < NODE_PARAMETER_COUNT; k++) {
    const destination_t * d = &DESTINATIONS[k];
    char * settings = d->controller ? (char *)s->controller : (char *)s;
    if (d->store && !d->store(b, (node_parameter_t)k, settings + d->offset)) return false;
  }
  return true;
}

//---------- what takes more than one parameter ----------

// a frame by name; the fallback where the parameter is empty
static bool
frame_of(builder_t * b, node_parameter_t index, int fallback, int * frame)
{
  const char * name = param_string(b->values, (int)index);
  *frame = fallback;
  if (*name == 0 || mbd_find_frame(b->robot->model, name, frame) == MBD_OK) return true;
  return refuse_setting(b, "%s: the robot has no link or frame '%s'", name_of(index), name);
}

//---------- supports ----------

// per support, of one value or of one each
static bool
per_support(
  builder_t * b, node_parameter_t index, size_t width, int nsupport, const double ** x,
  size_t * stride)
{
  size_t n;
  *x = param_doubles(b->values, (int)index, &n);
  *stride = n == width ? 0 : width;
  if (n == width || n == width * (size_t)nsupport) return true;
  return refuse_setting(
    b, "%s has %zu values; expected %zu, or %zu for each of the %d support_frames", name_of(index),
    n, width, width, nsupport);
}

static bool
find_support(builder_t * b, controller_settings_t * c, const char * name)
{
  mbd_support_t * support = &c->support[c->nsupport];
  *support = mbd_support_default();
  if (mbd_find_frame(b->robot->model, name, &support->frame) != MBD_OK) {
    return refuse_setting(b, "support_frames: the robot has no link or frame '%s'", name);
  }
  for (int k = 0; k < c->nsupport; k++) {
    if (c->support[k].frame == support->frame) {
      return refuse_setting(b, "support_frames: duplicate frame '%s'", name);
    }
  }
  c->nsupport++;
  return true;
}

static bool
shape_supports(builder_t * b, controller_settings_t * c, const char * const * name)
{
  const double *sole, *radius, *friction, none[4] = {0};
  size_t per_sole, per_radius, per_friction, nsole;
  param_doubles(b->values, P_SUPPORT_SOLES, &nsole);
  sole = none, per_sole = 0;
  if (nsole > 0 && !per_support(b, P_SUPPORT_SOLES, 4, c->nsupport, &sole, &per_sole)) return false;
  if (
    !per_support(b, P_SUPPORT_RADIUS, 1, c->nsupport, &radius, &per_radius) ||
    !per_support(b, P_SUPPORT_FRICTION, 1, c->nsupport, &friction, &per_friction)) {
    return false;
  }
  for (size_t k = 0; k < (size_t)c->nsupport; k++) {
    mbd_support_t * s = &c->support[k];
    memcpy(s->x, sole + k * per_sole, sizeof s->x);
    memcpy(s->y, sole + k * per_sole + 2, sizeof s->y);
    s->radius = radius[k * per_radius];
    s->friction = friction[k * per_friction];
    const bool point = s->x[0] == 0 && s->x[1] == 0 && s->y[0] == 0 && s->y[1] == 0;
    if (!point && !(s->x[0] < s->x[1] && s->y[0] < s->y[1])) {
      return refuse_setting(
        b, "support_soles: %g to %g by %g to %g of '%s' is no area; x_min, x_max, y_min, y_max",
        s->x[0], s->x[1], s->y[0], s->y[1], name[k]);
    }
    if (!(s->friction > 0)) {
      return refuse_setting(
        b,
        "support_friction of '%s' is 0: a foot without friction slides away; set a value below "
        "that of "
        "the ground, such as 0.5",
        name[k]);
    }
  }
  return true;
}

// What the core says about them in the neutral configuration: a frame that the base does not carry.
static bool
try_supports(builder_t * b, controller_settings_t * c, const char * const * name)
{
  const mbd_model_t * model = b->robot->model;
  const size_t nv = (size_t)model->nv, nq = (size_t)model->nq;
  double * work = calloc(mbd_support_work(model, 1) + nv + nq, sizeof *work);
  mbd_data_t * data;
  if (!work) return refuse_setting(b, "out of memory");
  if (mbd_data_create(model, &data) != MBD_OK) {
    free(work);
    return refuse_setting(b, "out of memory");
  }
  double *tau = work + mbd_support_work(model, 1), *q = tau + nv;
  int k = 0;
  mbd_status_t status = mbd_neutral(model, q);
  if (status == MBD_OK) status = mbd_set_position(model, data, q);
  for (; status == MBD_OK && k < c->nsupport; k++) {
    mbd_support_t support = c->support[k];
    status = mbd_support_torques(model, data, 0, tau, NULL, 1, &support, work, tau, NULL, NULL);
  }
  mbd_data_destroy(data);
  free(work);
  if (status == MBD_OK) return true;
  return refuse_setting(
    b, "support_frames: '%s' cannot carry the robot: %s", name[k > 0 ? k - 1 : 0],
    mbd_status_string(status));
}

static bool
build_supports(builder_t * b, controller_settings_t * c)
{
  const mbd_model_t * model = b->robot->model;
  const bool floats = model->nbody > 0 && model->body[0].type == MBD_JOINT_FREE;
  const double * normal;
  size_t n;
  const char * const * name = param_strings(b->values, P_SUPPORT_FRAMES, &n);
  if (n == 0) return true;
  if (!floats) return refuse_setting(b, "support_frames: the base is fixed; set base to floating");
  if (n > CONTROLLER_SUPPORTS) {
    return refuse_setting(b, "support_frames: at most %d frames", CONTROLLER_SUPPORTS);
  }
  for (size_t i = 0; i < n; i++) {
    if (!find_support(b, c, name[i])) return false;
  }
  if (!shape_supports(b, c, name) || !exactly(b, P_SUPPORT_NORMAL, 3, &normal)) return false;
  const mbd_vec3_t up = mbdu_vec3(normal[0], normal[1], normal[2]);
  const double length = mbdu_vec3_norm(up);
  if (!(length > 1e-9)) return refuse_setting(b, "support_normal has zero length");
  for (int k = 0; k < c->nsupport; k++) c->support[k].normal = mbdu_vec3_scale(1 / length, up);
  return try_supports(b, c, name);
}

// Where joints have gains of their own, a free base that stands has the lowest.
static void
free_base_gains(builder_t * b, controller_settings_t * c)
{
  const node_robot_t * robot = b->robot;
  double * const gains[4] = {c->kp, c->kd, c->posture_kp, c->posture_kd};
  if (c->nsupport == 0) return;
  for (int g = 0; g < 4; g++) {
    double least = robot->ncommand > 0 ? HUGE_VAL : 0;
    for (int i = 0; i < robot->ncommand; i++) least = fmin(least, gains[g][robot->command_dof[i]]);
    for (int k = 0; k < 6; k++) gains[g][k] = least;
  }
}

static bool
build_joint_space(builder_t * b, controller_settings_t * c)
{
  c->model_terms = (param_bool(b->values, P_FRICTION) ? MBD_TERM_FRICTION : 0u) |
                   (param_bool(b->values, P_ROTORS) ? MBD_TERM_ROTORS : 0u) |
                   (b->robot->model->nelement > 0 ? MBD_TERM_ELEMENTS : 0u);
  free_base_gains(b, c);
  // what is not commanded is not damped, and must not count where the joints' damping is bounded
  for (int k = 0; k < b->robot->model->nv; k++) {
    if (b->robot->commanded[k]) continue;
    c->damping[k] = c->joint_stiffness[k] = c->nullspace_stiffness[k] = 0;
  }
  return true;
}

// linear first; what is not given is the robot's own
static bool
store_inertia(builder_t * b, double * inertia)
{
  size_t n;
  const double * x = param_doubles(b->values, P_CARTESIAN_INERTIA, &n);
  if (n > 3 && n != 6) {
    return refuse_setting(
      b, "cartesian_inertia has %zu values; expected one, two, three or six, or none", n);
  }
  for (size_t k = 0; k < 6 && n > 0; k++) {
    inertia[k] = n == 6 ? x[k] : k >= 3 ? (n == 2 ? x[1] : 0) : x[n == 3 ? k : 0];
  }
  return true;
}

// dampers by numbers, where there are some; inertias
static bool
build_impedance(builder_t * b, controller_settings_t * c)
{
  size_t n;
  param_doubles(b->values, P_JOINT_DAMPING, &n);
  c->joint_by_ratio = n == 0;
  if (n > 0 && !expand_per_joint(b, P_JOINT_DAMPING, c->joint_damping, 0)) return false;
  param_doubles(b->values, P_CARTESIAN_DAMPING, &n);
  c->task_by_ratio = n == 0;
  if (n > 0 && !store_task(b, P_CARTESIAN_DAMPING, c->task_damping)) return false;
  return store_inertia(b, c->task_inertia);
}

static bool
is_shaped(const controller_settings_t * c)
{
  for (int k = 0; k < 6; k++) {
    if (c->task_row[k] && c->task_inertia[k] > 0) return true;
  }
  return false;
}

// What is compensated is not felt: an inertia is for what pushes the frame.
static unsigned
terms_of_mode(const controller_settings_t * c)
{
  const bool felt = c->mode == MODE_CARTESIAN_IMPEDANCE && is_shaped(c);
  return controller_mode_terms(c->mode) & ~(felt ? (unsigned)TERM_EXTERNAL : 0u);
}

static bool
build_task(builder_t * b, controller_settings_t * c)
{
  bool any = false;
  if (c->command_terms & TERMS_OF_MODE) c->command_terms |= terms_of_mode(c);
  for (int k = 0; k < 6; k++) any = any || c->task_row[k];
  if (controller_mode_needs(c->mode, NEEDS_TASK) && !any) {
    return refuse_setting(
      b, "operational_axes is empty: mode %s requires at least one axis",
      controller_mode_name(c->mode));
  }
  if (c->singular.policy == MBD_SINGULAR_DAMP && c->singular.damping == 0) {
    return refuse_setting(
      b, "singular_damping is 0: set a positive value, or singular_policy truncate");
  }
  return frame_of(b, P_OPERATIONAL_FRAME, node_robot_tip(b->robot->model), &c->task_frame);
}

// it needs a side: as many joints as rows, or more
static bool
build_component(builder_t * b, controller_settings_t * c)
{
  const mbd_task_t task = singularity_task(c->task_frame, c->task_row);
  const mbd_tasks_t tasks = {1, &task};
  if (!c->stay_in_component || c->task_frame < 0) return true;
  if (b->robot->model->body[0].type == MBD_JOINT_FREE) {
    return refuse_setting(
      b, "stay_in_component: not supported with a floating base, with which no frame is singular");
  }
  const int n = singularity_columns(b->robot->model, &tasks);
  if (task.nrow >= 1 && task.nrow <= n) return true;
  return refuse_setting(
    b,
    "stay_in_component: %d joints move '%s', and operational_axes has %d: choose at least one, and "
    "at most as many as joints",
    n, b->robot->model->frame[c->task_frame].name, task.nrow);
}

static bool
build_observer(builder_t * b, controller_settings_t * c)
{
  const double threshold = param_double(b->values, P_OBSERVER_THRESHOLD);
  if (threshold > 0) {
    c->observer_options.threshold_on = threshold;
    c->observer_options.threshold_off = 0.5 * threshold;
  }
  if (!expand_per_joint(b, P_EFFORT_SCALE, c->effort_scale, 1)) return false;
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
    return refuse_setting(b, "at most %d payloads are supported", CONTROLLER_PAYLOADS);
  }
  c->payload[c->npayload++] = (controller_payload_t){frame, inertia};
  return true;
}

// values that fit by their own count alone
static bool
read_numbers(const param_values_t * values, node_parameter_t index, size_t n, double * x)
{
  size_t given;
  const double * numbers = param_doubles(values, (int)index, &given);
  if (given != n) return false;
  memcpy(x, numbers, n * sizeof *x);
  return true;
}

bool
node_load_of_parameters(
  const param_values_t * values, const mbd_model_t * model, node_load_t * load)
{
  load->mass = param_double(values, P_PAYLOAD_MASS);
  return load->mass > 0 && read_numbers(values, P_PAYLOAD_COM, 3, load->com) &&
         read_numbers(values, P_PAYLOAD_INERTIA, 6, load->inertia) &&
         mbd_find_frame(model, param_string(values, P_PAYLOAD_FRAME), &load->frame) == MBD_OK;
}

// the workspace knows what a rigid body is
static bool
check_payloads(builder_t * b, const controller_settings_t * c)
{
  mbd_data_t * data;
  if (c->npayload == 0) return true;
  if (mbd_data_create(b->robot->model, &data) != MBD_OK) return refuse_setting(b, "out of memory");
  mbd_status_t status = MBD_OK;
  for (int i = 0; i < c->npayload && status == MBD_OK; i++) {
    status = mbd_payload_attach(b->robot->model, data, c->payload[i].frame, &c->payload[i].inertia);
  }
  mbd_data_destroy(data);
  return status == MBD_OK ? true : refuse_setting(b, "payload: %s", mbd_status_string(status));
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

static mbd_status_t
natural_inertia(
  const mbd_model_t * model, const controller_settings_t * c, const mbd_task_t * task,
  double range[2][2])
{
  mbd_data_t * data;
  double * work = calloc((size_t)(2 * model->nq + model->nv) + 1, sizeof *work);
  if (!work) return MBD_ERROR_OUT_OF_MEMORY;
  mbd_status_t status = mbd_data_create(model, &data);
  if (status == MBD_OK) {
    status = mbd_set_terms(data, c->model_terms);
    for (int i = 0; i < c->npayload && status == MBD_OK; i++) {
      status = mbd_payload_attach(model, data, c->payload[i].frame, &c->payload[i].inertia);
    }
    if (status == MBD_OK) status = inertia_natural(model, data, task, work, range);
    mbd_data_destroy(data);
  }
  free(work);
  return status;
}

// it needs joints that can give it, and forces that are not many times those that are measured
static bool
check_inertia(builder_t * b, const controller_settings_t * c)
{
  static const char * const UNIT[2] = {"kg", "kg m^2"};
  const mbd_model_t * model = b->robot->model;
  if (!is_shaped(c) || c->task_frame < 0) return true;
  const mbd_task_t task = singularity_task(c->task_frame, c->task_row);
  const mbd_tasks_t tasks = {1, &task};
  const char * frame = model->frame[c->task_frame].name;
  if (model->body[0].type == MBD_JOINT_FREE) {
    return refuse_setting(
      b, "cartesian_inertia: not supported with a floating base; leave it empty");
  }
  const int n = singularity_columns(model, &tasks);
  if (task.nrow > n) {
    return refuse_setting(
      b, "cartesian_inertia: %d joints move '%s', too few for the %d operational_axes", n, frame,
      task.nrow);
  }
  double range[2][2];
  const mbd_status_t status = natural_inertia(model, c, &task, range);
  if (status != MBD_OK)
    return refuse_setting(b, "cartesian_inertia: %s", mbd_status_string(status));
  for (int k = 0; k < 6; k++) {
    const double m = c->task_inertia[k], *own = range[k / 3];
    if (!c->task_row[k] || m == 0 || !(own[1] > 0)) continue;
    if (m * INERTIA_MOST >= own[0] && m <= INERTIA_MOST * own[1]) continue;
    return refuse_setting(
      b,
      "cartesian_inertia: %g %s of '%s' is more than %d times its own inertia, or less than 1/%d "
      "of it, which is %.3g to %.3g; 0 leaves that as it is",
      m, UNIT[k / 3], frame, INERTIA_MOST, INERTIA_MOST, own[0], own[1]);
  }
  return true;
}

static bool
build_gate(builder_t * b, loop_settings_t * s)
{
  const mbd_model_t * model = b->robot->model;
  size_t n;
  s->resume = strcmp(param_string(b->values, P_ON_RESUME), "continue") == 0;
  s->min_interval = 1 / param_double(b->values, P_MAX_RATE);
  for (int k = 0; k < model->nv; k++) {
    s->limit[k] = model->body[model->dof_body[k]].limits.effort;
    if (s->slew[k] == 0) s->slew[k] = HUGE_VAL;
  }
  param_doubles(b->values, P_EFFORT_LIMITS, &n);
  return n == 0 || expand_per_joint(b, P_EFFORT_LIMITS, s->limit, HUGE_VAL);
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
  if (!memory) refuse_setting(&b, "out of memory");
  if (
    memory && store_all(&b, s) && build_supports(&b, s->controller) &&
    build_joint_space(&b, s->controller) && build_impedance(&b, s->controller) &&
    build_task(&b, s->controller) && build_component(&b, s->controller) &&
    build_observer(&b, s->controller) && build_payloads(&b, s->controller, payloads) &&
    check_inertia(&b, s->controller) && build_gate(&b, s)) {
    return s;
  }
  destroy(&s->mail);
  return NULL;
}
