#include "sim_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
destroy(mail_t * mail)
{
  free(mail);
}

// what charts do not do, and what they must be told at the start
static bool
check_charts(const sim_robot_t * robot, const param_values_t * values, char * reason, size_t size)
{
  const char * name = param_string(values, SIM_INTEGRATOR);
  const int method = sim_robot_method(values);
  if (method != (robot->chart ? (int)robot->method : -1)) {
    snprintf(
      reason, size, "integrator: cannot change to %s while it runs; restart with integrator:=%s",
      name, name);
    return false;
  }
  if (!robot->chart) return true;
  const long long least = param_integer(values, SIM_SUBSTEPS);
  if (param_integer(values, SIM_MAX_STEPS) >= least) return true;
  snprintf(reason, size, "max_steps: must not be less than substeps, %lld", least);
  return false;
}

static bool
read_ground(plant_ground_t * ground, const param_values_t * values, char * reason, size_t size)
{
  size_t n;
  const double * x = param_doubles(values, SIM_GROUND_NORMAL, &n);
  if (n != 3) {
    snprintf(reason, size, "ground.normal: expected three values, not %zu", n);
    return false;
  }
  const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  if (!(length > 0)) {
    snprintf(reason, size, "ground.normal: must not be zero");
    return false;
  }
  *ground = (plant_ground_t){
    .on = param_bool(values, SIM_GROUND),
    .normal = {x[0] / length, x[1] / length, x[2] / length},
    .height = param_double(values, SIM_GROUND_HEIGHT),
    .friction = param_double(values, SIM_GROUND_FRICTION),
    .restitution = param_double(values, SIM_GROUND_RESTITUTION),
    .clearance = param_double(values, SIM_GROUND_CLEARANCE)};
  return true;
}

// ground and exact friction are those of semi-implicit steps of rigid links
static bool
check_steps(const sim_robot_t * robot, const param_values_t * values, char * reason, size_t size)
{
  const char * integrator = param_string(values, SIM_INTEGRATOR);
  const bool semi_implicit = strcmp(integrator, "semi_implicit") == 0;
  const char * model = param_string(values, SIM_FRICTION_MODEL);
  const bool exact = strcmp(model, "exact") == 0, ground = param_bool(values, SIM_GROUND);
  const char * what = exact ? "friction_model: exact" : "ground: true";
  if ((exact || ground) && robot->flexible) {
    snprintf(reason, size, "%s is not supported with flexible_file; use rigid links", what);
    return false;
  }
  if ((exact || ground) && !semi_implicit) {
    snprintf(
      reason, size, "%s is not supported by integrator %s; set integrator:=semi_implicit", what,
      integrator);
    return false;
  }
  // what get_mechanism has relied on
  if (!exact && robot->mechanism && robot->mechanism->model->nbearing > 0 && !robot->chart) {
    snprintf(
      reason, size, "friction_model: %s does not simulate bearings of %s; use exact", model,
      param_string(values, SIM_MECHANISM_FILE));
    return false;
  }
  if (strcmp(model, "smooth") == 0 && (robot->chart || robot->flexible)) {
    snprintf(
      reason, size, "friction_model: smooth is not supported %s; use tanh",
      robot->flexible ? "with flexible_file" : "by chart integrators");
    return false;
  }
  return true;
}

static bool
read_plant(plant_options_t * plant, const param_values_t * values, char * reason, size_t size)
{
  size_t n;
  const double * gravity = param_doubles(values, SIM_GRAVITY, &n);
  if (n != 3) {
    snprintf(reason, size, "gravity: expected three values, not %zu", n);
    return false;
  }
  if (!read_ground(&plant->ground, values, reason, size)) return false;
  const plant_ground_t ground = plant->ground;
  const char * model = param_string(values, SIM_FRICTION_MODEL);
  const bool rk4 = strcmp(param_string(values, SIM_INTEGRATOR), "rk4") == 0;
  *plant = (plant_options_t){
    .integrator = rk4 ? PLANT_RK4 : PLANT_SEMI_IMPLICIT,
    .substeps = (int)param_integer(values, SIM_SUBSTEPS),
    .max_steps = (int)param_integer(values, SIM_MAX_STEPS),
    .friction = param_bool(values, SIM_FRICTION),
    .friction_model = strcmp(model, "exact") == 0    ? PLANT_FRICTION_EXACT
                      : strcmp(model, "smooth") == 0 ? PLANT_FRICTION_SMOOTH
                                                     : PLANT_FRICTION_TANH,
    .stiction = param_double(values, SIM_FRICTION_STATIC),
    .ground = ground,
    .rotors = param_bool(values, SIM_ROTORS),
    .limits = param_bool(values, SIM_LIMITS),
    .gravity = {gravity[0], gravity[1], gravity[2]}};
  return true;
}

static bool
read_time(sim_settings_t * s, const param_values_t * values, char * reason, size_t size)
{
  s->real_time_factor = param_double(values, SIM_REAL_TIME_FACTOR);
  if (s->real_time_factor == 0 || s->real_time_factor >= 0.001) return true;
  snprintf(
    reason, size, "real_time_factor: must be 0 or at least 0.001, not %g", s->real_time_factor);
  return false;
}

sim_settings_t *
sim_settings_build(
  const sim_robot_t * robot, const param_values_t * values, char * reason, size_t size)
{
  const size_t nq = (size_t)robot->model->nq;
  sim_settings_t * s = calloc(1, sizeof *s + nq * sizeof(double));
  if (s == NULL) {
    snprintf(reason, size, "out of memory");
    return NULL;
  }
  s->mail.destroy = destroy;
  s->hold_until_command = param_bool(values, SIM_HOLD_UNTIL_COMMAND);
  s->command_timeout = param_double(values, SIM_COMMAND_TIMEOUT);
  s->sensors = (sensor_settings_t){
    .position = param_double(values, SIM_NOISE_POSITION),
    .velocity = param_double(values, SIM_NOISE_VELOCITY),
    .effort = param_double(values, SIM_NOISE_EFFORT),
    .delay = param_double(values, SIM_DELAY),
    .dropout = param_double(values, SIM_DROPOUT)};
  if (
    read_plant(&s->plant, values, reason, size) && check_charts(robot, values, reason, size) &&
    check_steps(robot, values, reason, size) && read_time(s, values, reason, size) &&
    sim_robot_initial(robot, values, s->initial, reason, size) &&
    sim_robot_payload(robot, values, &s->payload_frame, &s->payload, reason, size)) {
    return s;
  }
  free(s);
  return NULL;
}
