// mbdyn/simulated_robot.h: the plant, its sensors, and drives for joints that are commanded a position or velocity.
#include "mbdyn/simulated_robot.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints/embedding.h"
#include "parameters_internal.h"
#include "sim_robot.h"
#include "sim_settings.h"

// of the drives [rad/s]; steps are of 1 ms, in which it turns the error by a sixteenth
static const double BANDWIDTH = 60;

struct mbds_robot {
  param_values_t * values;
  sim_robot_t robot;
  sim_settings_t * settings;
  plant_t * plant;
  sensors_t * sensors;
  sensor_sample_t truth, seen;
  double rate;  // least steps per second
  double time;
  uint64_t steps, not_finite;
  bool braked;
  mbd_status_t fault;
  mbds_command_t * last;  // finite command of each joint [njoint]
  double * tau;           // of the motors [nv]

  // drives
  const mbd_model_t * model;  // of independent velocities
  mbd_data_t * data;
  int * driven;                  // joint of each independent velocity; -1: none [model->nv]
  int * independent;             // velocity of each joint; -1: none [njoint]
  double *v, *acceleration, *x;  // [model->nv]
};

__attribute__((format(printf, 4, 5))) static mbd_status_t
refuse(mbd_status_t status, char * reason, size_t size, const char * format, ...)
{
  va_list list;
  if (!reason || size == 0) return status;
  va_start(list, format);
  vsnprintf(reason, size, format, list);
  va_end(list);
  return status;
}

//---------- parameters ----------

// what the caller gives itself, or does: description, topics, time
static bool
is_of_node(int parameter)
{
  switch (parameter) {
    case SIM_ROBOT_DESCRIPTION:
    case SIM_ROBOT_DESCRIPTION_FILE:
    case SIM_COMMAND_JOINTS:
    case SIM_PUBLISH_RATE:
    case SIM_REAL_TIME_FACTOR:
    case SIM_COMMAND_TIMEOUT:
    case SIM_PUBLISH_CONTACTS:
    case SIM_PUBLISH_CLOCK:
    case SIM_PUBLISH_DESCRIPTION:
    case SIM_PUBLISH_VELOCITY:
    case SIM_PUBLISH_EFFORT: return true;
    default: return false;
  }
}

bool
mbds_parameter_at(size_t k, const char ** name, const char ** initial, const char ** description)
{
  for (int i = 0; i < SIM_PARAMETER_COUNT; i++) {
    if (is_of_node(i) || k-- > 0) continue;
    if (name) *name = SIM_PARAMETERS[i].name;
    if (initial) *initial = SIM_PARAMETERS[i].initial;
    if (description) *description = SIM_PARAMETERS[i].description;
    return true;
  }
  return false;
}

static mbd_status_t
set_parameter(
  param_values_t * values, const char * name, const char * text, char * reason, size_t size)
{
  char why[PARAM_REASON];
  param_value_t value;
  const int index = name ? param_find(values, name) : -1;
  if (!name || !text) return MBD_ERROR_NULL_ARGUMENT;
  if (index < 0) {
    param_unknown(values, name, why, sizeof why);
    return refuse(MBD_ERROR_NOT_FOUND, reason, size, "%s", why);
  }
  if (is_of_node(index)) {
    return refuse(
      MBD_ERROR_NOT_FOUND, reason, size, "parameter '%s' is one of mbdyn_sim alone", name);
  }
  const param_type_t type = SIM_PARAMETERS[index].type;
  if (!param_parse(type, text, &value)) {
    return refuse(
      MBD_ERROR_BAD_ARGUMENT, reason, size, "parameter '%s' must be %s, not '%.100s'", name,
      param_type_name(type), text);
  }
  const bool good = param_values_set(values, index, &value, why, sizeof why);
  param_value_fini(&value);
  if (good) return MBD_OK;
  return refuse(MBD_ERROR_BAD_ARGUMENT, reason, size, "parameter '%s' %s", name, why);
}

static mbd_status_t
set_description(mbds_robot_t * r, const char * urdf, size_t length, char * reason, size_t size)
{
  char why[PARAM_REASON];
  char * text = malloc(length + 1);
  if (!text) return refuse(MBD_ERROR_OUT_OF_MEMORY, reason, size, "out of memory");
  memcpy(text, urdf, length);
  text[length] = 0;
  const param_value_t value = {.type = PARAM_STRING, .string = text};
  const bool good = param_values_set(r->values, SIM_ROBOT_DESCRIPTION, &value, why, sizeof why);
  free(text);
  if (good) return MBD_OK;
  return refuse(MBD_ERROR_BAD_ARGUMENT, reason, size, "robot description %s", why);
}

//---------- life ----------

static bool
make_plant(mbds_robot_t * r)
{
  const sim_robot_t * robot = &r->robot;
  r->plant = plant_create(robot->embedded ? robot->embedded : robot->model);
  if (!r->plant || (robot->flexible && !plant_set_flexible(r->plant, robot->flexible)))
    return false;
  if (!plant_set_contacts(r->plant, robot->ncontact, robot->contact)) return false;
  return !robot->chart || plant_set_chart(r->plant, robot->chart, robot->method);
}

// a sample for n joints
static bool
make_sample(sensor_sample_t * sample, size_t n)
{
  sample->position = calloc(3 * n + 1, sizeof *sample->position);
  if (!sample->position) return false;
  sample->velocity = sample->position + n;
  sample->effort = sample->position + 2 * n;
  return true;
}

static bool
make_drives(mbds_robot_t * r)
{
  const sim_robot_t * robot = &r->robot;
  r->model = robot->embedded ? robot->embedded : robot->model;
  const size_t nv = (size_t)r->model->nv + 1, n = (size_t)robot->njoint + 1;
  r->driven = calloc(nv, sizeof *r->driven);
  r->independent = calloc(n, sizeof *r->independent);
  r->v = calloc(3 * nv, sizeof *r->v);
  r->last = calloc(n, sizeof *r->last);
  r->tau = calloc((size_t)robot->model->nv + 1, sizeof *r->tau);
  if (!r->driven || !r->independent || !r->v || !r->last || !r->tau) return false;
  if (mbd_data_create(r->model, &r->data) != MBD_OK) return false;
  r->acceleration = r->v + nv;
  r->x = r->v + 2 * nv;
  for (int i = 0; i < robot->njoint; i++) r->independent[i] = -1;
  for (int k = 0; k < r->model->nv; k++) {
    const int dof = robot->embedded ? r->model->dof_tree[k] : k;
    r->driven[k] = -1;
    for (int i = 0; i < robot->njoint; i++) {
      if (robot->joint[i].v_index == dof) r->driven[k] = i, r->independent[i] = k;
    }
  }
  return true;
}

// what the settings say to the plant, and to the model of the drives, which know all but the stiction
static mbd_status_t
use_settings(mbds_robot_t * r)
{
  const sim_settings_t * s = r->settings;
  plant_set_options(r->plant, &s->plant);
  const uint32_t terms = MBD_TERM_ELEMENTS | (s->plant.rotors ? MBD_TERM_ROTORS : 0) |
                         (s->plant.friction ? MBD_TERM_FRICTION : 0);
  mbd_status_t status = mbd_set_terms(r->data, terms);
  if (status == MBD_OK) status = mbd_set_gravity(r->data, s->plant.gravity);
  if (status != MBD_OK || s->payload_frame < 0) return status;
  status = plant_payload(r->plant, s->payload_frame, &s->payload);
  if (status != MBD_OK) return status;
  return mbd_payload_attach(r->model, r->data, s->payload_frame, &s->payload);
}

static mbd_status_t
set_up(mbds_robot_t * r, char * reason, size_t size)
{
  char why[2 * PARAM_REASON];
  if (!sim_robot_load(&r->robot, r->values, why, sizeof why))
    return refuse(MBD_ERROR_BAD_ARGUMENT, reason, size, "%s", why);
  r->settings = sim_settings_build(&r->robot, r->values, why, sizeof why);
  if (!r->settings) return refuse(MBD_ERROR_BAD_ARGUMENT, reason, size, "%s", why);
  const size_t n = (size_t)r->robot.njoint;
  r->rate = param_double(r->values, SIM_RATE);
  const size_t on_their_way = (size_t)(SIM_DELAY_MAX * r->rate) + 2;
  r->sensors = sensors_create(n, on_their_way, (uint64_t)param_integer(r->values, SIM_SEED));
  if (!r->sensors || !make_sample(&r->truth, n) || !make_sample(&r->seen, n) || !make_drives(r))
    return refuse(MBD_ERROR_OUT_OF_MEMORY, reason, size, "out of memory");
  if (!make_plant(r)) {
    return refuse(
      MBD_ERROR_BAD_ARGUMENT, reason, size, "the robot's dynamics cannot be computed%s",
      r->robot.chart ? ": its loops lock or cannot be closed, or drivers leave no motion" : "");
  }
  mbd_status_t status = use_settings(r);
  if (status == MBD_OK) status = mbds_reset(r);
  if (status == MBD_OK) return MBD_OK;
  return refuse(
    MBD_ERROR_BAD_ARGUMENT, reason, size, "the robot cannot start: %s", mbd_status_string(status));
}

mbd_status_t
mbds_create(
  const char * urdf, size_t length, int n, const char * const * name, const char * const * value,
  mbds_robot_t ** robot, char * reason, size_t size)
{
  if (!robot) return MBD_ERROR_NULL_ARGUMENT;
  *robot = NULL;
  if (!urdf || (n > 0 && (!name || !value))) return MBD_ERROR_NULL_ARGUMENT;
  mbds_robot_t * r = calloc(1, sizeof *r);
  if (r) r->values = param_values_create(SIM_PARAMETERS, SIM_PARAMETER_COUNT);
  mbd_status_t status = MBD_OK;
  if (!r || !r->values) status = refuse(MBD_ERROR_OUT_OF_MEMORY, reason, size, "out of memory");
  for (int i = 0; i < n && status == MBD_OK; i++)
    status = set_parameter(r->values, name[i], value[i], reason, size);
  if (status == MBD_OK) status = set_description(r, urdf, length, reason, size);
  if (status == MBD_OK) status = set_up(r, reason, size);
  if (status == MBD_OK)
    *robot = r;
  else
    mbds_destroy(r);
  return status;
}

void
mbds_destroy(mbds_robot_t * r)
{
  if (!r) return;
  plant_destroy(r->plant);
  sensors_destroy(r->sensors);
  if (r->settings) r->settings->mail.destroy(&r->settings->mail);
  mbd_data_destroy(r->data);
  free(r->truth.position);
  free(r->seen.position);
  free(r->last);
  free(r->tau);
  free(r->driven);
  free(r->independent);
  free(r->v);
  sim_robot_fini(&r->robot);
  param_values_destroy(r->values);
  free(r);
}

const char *
mbds_warning(const mbds_robot_t * r)
{
  return r ? r->robot.warnings : NULL;
}

int
mbds_joint_count(const mbds_robot_t * r)
{
  return r ? r->robot.njoint : 0;
}

const char *
mbds_joint_name(const mbds_robot_t * r, int joint)
{
  return r && joint >= 0 && joint < r->robot.njoint ? r->robot.joint[joint].name : NULL;
}

int
mbds_joint_find(const mbds_robot_t * r, const char * name)
{
  for (int i = 0; r && name && i < r->robot.njoint; i++) {
    if (strcmp(r->robot.joint[i].name, name) == 0) return i;
  }
  return -1;
}

bool
mbds_floating(const mbds_robot_t * r)
{
  return r && r->robot.base >= 0;
}

//---------- sensors ----------

static void
copy_sample(size_t n, const sensor_sample_t * from, sensor_sample_t * to)
{
  memcpy(to->position, from->position, 3 * n * sizeof(double));
  memcpy(to->base, from->base, sizeof to->base);
}

static void
observe(mbds_robot_t * r)
{
  const sim_robot_t * robot = &r->robot;
  sensor_sample_t * truth = &r->truth;
  truth->time = llround(1e9 * r->time);
  for (int i = 0; i < robot->njoint; i++) {
    truth->position[i] = r->plant->q[robot->joint[i].q_index];
    truth->velocity[i] = r->plant->v[robot->joint[i].v_index];
    truth->effort[i] = r->plant->effort[robot->joint[i].v_index];
  }
  if (robot->base < 0) return;
  const mbd_body_t * body = &robot->model->body[robot->base];
  memcpy(truth->base, r->plant->q + body->q_index, 7 * sizeof(double));
  memcpy(truth->base + 7, r->plant->v + body->v_index, 6 * sizeof(double));
}

static void
sense(mbds_robot_t * r)
{
  const sensor_settings_t * settings = &r->settings->sensors;
  const sensor_sample_t * sample;
  observe(r);
  sensors_measure(r->sensors, settings, &r->truth);
  while ((sample = sensors_next(r->sensors, settings, r->truth.time)) != NULL)
    copy_sample(r->sensors->n, sample, &r->seen);
}

void
mbds_measure(mbds_robot_t * r, double * position, double * velocity, double * effort, double * base)
{
  if (!r) return;
  const size_t bytes = r->sensors->n * sizeof(double);
  if (position) memcpy(position, r->seen.position, bytes);
  if (velocity) memcpy(velocity, r->seen.velocity, bytes);
  if (effort) memcpy(effort, r->seen.effort, bytes);
  if (base && r->robot.base >= 0) memcpy(base, r->seen.base, sizeof r->seen.base);
}

//---------- a step ----------

mbd_status_t
mbds_reset(mbds_robot_t * r)
{
  if (!r) return MBD_ERROR_NULL_ARGUMENT;
  const sim_settings_t * s = r->settings;
  r->fault = plant_reset(r->plant, s->initial);
  if (r->fault == MBD_OK && r->robot.mechanism && !s->hold_until_command)
    r->fault = plant_set_velocity(r->plant, r->robot.mechanism->v);
  r->braked = s->hold_until_command;
  for (int i = 0; i < r->robot.njoint; i++) r->last[i] = (mbds_command_t){MBDS_OFF, 0};
  sensors_clear(r->sensors);
  observe(r);
  // the start is known, whatever becomes of measurements later
  copy_sample(r->sensors->n, &r->truth, &r->seen);
  return r->fault;
}

// \return whether a joint has a position or velocity to follow
static bool
take_commands(mbds_robot_t * r, const mbds_command_t * command)
{
  bool followed = false;
  memset(r->tau, 0, (size_t)r->robot.model->nv * sizeof *r->tau);
  for (int i = 0; i < r->robot.njoint; i++) {
    mbds_command_t * last = &r->last[i];
    const bool off = command[i].drive == MBDS_OFF, finite = isfinite(command[i].value);
    if (off || finite)
      *last = command[i];
    else if (last->drive != command[i].drive)
      *last = (mbds_command_t){MBDS_OFF, 0};
    if (!off && !finite) r->not_finite++;
    if (last->drive != MBDS_OFF) r->braked = false;
    if (last->drive == MBDS_EFFORT) r->tau[r->robot.joint[i].v_index] = last->value;
    followed = followed || last->drive > MBDS_EFFORT;
  }
  return followed;
}

// torques of joints that follow a position or velocity, with all that moves them
static mbd_status_t
follow(mbds_robot_t * r)
{
  const sim_robot_t * robot = &r->robot;
  for (int k = 0; k < r->model->nv; k++) {
    const int i = r->driven[k];
    const double v = r->plant->v[robot->embedded ? r->model->dof_tree[k] : k];
    const mbds_command_t * c = i < 0 ? NULL : &r->last[i];
    const double q = i < 0 ? 0 : r->plant->q[robot->joint[i].q_index];
    r->v[k] = v;
    r->acceleration[k] = 0;
    if (c && c->drive == MBDS_POSITION)
      r->acceleration[k] = BANDWIDTH * (BANDWIDTH * (c->value - q) - 2 * v);
    else if (c && c->drive == MBDS_VELOCITY)
      r->acceleration[k] = 2 * BANDWIDTH * (c->value - v);
  }
  const mbd_status_t status =
    mbd_inverse_dynamics(r->model, r->data, r->plant->q, r->v, r->acceleration, NULL, r->x);
  for (int i = 0; i < robot->njoint && status == MBD_OK; i++) {
    if (r->last[i].drive > MBDS_EFFORT && r->independent[i] >= 0)
      r->tau[robot->joint[i].v_index] = r->x[r->independent[i]];
  }
  return status;
}

static mbd_status_t
step(mbds_robot_t * r, bool followed, double dt)
{
  if (r->braked) return plant_brake(r->plant, dt);
  const mbd_status_t status = followed ? follow(r) : MBD_OK;
  return status == MBD_OK ? plant_step(r->plant, r->tau, dt) : status;
}

mbd_status_t
mbds_step(mbds_robot_t * r, const mbds_command_t * command, double period)
{
  if (!r || !command) return MBD_ERROR_NULL_ARGUMENT;
  if (!(period >= 0 && period <= 1)) return MBD_ERROR_BAD_ARGUMENT;
  if (period == 0) return r->fault;
  const int n = (int)fmax(1, round(period * r->rate));
  const bool followed = take_commands(r, command);
  for (int i = 0; i < n && r->fault == MBD_OK; i++) {
    r->fault = step(r, followed, period / n);
    r->steps++;
  }
  if (r->fault != MBD_OK) plant_hold(r->plant, period);
  r->time += period;
  sense(r);
  return r->fault;
}

mbd_status_t
mbds_push(mbds_robot_t * r, const char * frame, const double * wrench, double seconds)
{
  if (!r || !frame || !wrench) return MBD_ERROR_NULL_ARGUMENT;
  plant_push_t push = {.reference = MBD_LOCAL_WORLD_ALIGNED, .remaining = seconds};
  if (!(seconds >= 0)) return MBD_ERROR_BAD_ARGUMENT;
  for (int i = 0; i < 6; i++) {
    if (!isfinite(wrench[i])) return MBD_ERROR_NOT_FINITE;
  }
  if (mbd_find_frame(r->robot.model, frame, &push.frame) != MBD_OK) return MBD_ERROR_NOT_FOUND;
  push.f.lin = (mbd_vec3_t){wrench[0], wrench[1], wrench[2]};
  push.f.ang = (mbd_vec3_t){wrench[3], wrench[4], wrench[5]};
  return plant_push(r->plant, &push) ? MBD_OK : MBD_ERROR_LIMIT;
}

mbds_status_t
mbds_get_status(mbds_robot_t * r)
{
  mbds_status_t status = {0};
  if (!r) return status;
  status = (mbds_status_t){
    .time = r->time,
    .braked = r->braked,
    .fault = r->fault,
    .steps = r->steps,
    .stops = r->plant->stops,
    .not_finite = r->not_finite};
  if (plant_energy(r->plant, &status.kinetic, &status.potential) != MBD_OK)
    status.kinetic = status.potential = NAN;
  return status;
}
