// What each mode makes of the terms.
#include <string.h>

#include "controller_private.h"

static double
clamped(double x, double limit)
{
  if (x > limit) return limit;
  return x < -limit ? -limit : x;
}

// Ki int e, which stops growing at its limit
static void
integrate_error(controller_t * c, double dt)
{
  const controller_settings_t * s = c->settings;
  double * integral = c->p->integral;
  for (int k = 0; k < c->model->nv; k++) {
    const double slow = controller_bound_slowdown(c, "kd", k, s->kd[k]);
    if (dt > 0) integral[k] += slow * slow * slow * s->ki[k] * c->p->error[k] * dt;
    integral[k] = clamped(integral[k], s->integral_limit);
    c->acceleration[k] += integral[k];
  }
}

// the terms of a motion, in the workspace that has its position and velocity
static mbd_status_t
terms_of_motion(controller_t * c, mbd_data_t * data, const controller_cycle_t * cycle)
{
  CHECK(controller_bias_terms(c, data, cycle));
  return mbd_mass_product(c->model, data, c->acceleration, c->inertia);
}

static mbd_status_t
measured_motion(controller_t * c, const controller_cycle_t * cycle)
{
  memcpy(c->acceleration, cycle->input->acceleration, (size_t)c->model->nv * sizeof(double));
  return terms_of_motion(c, c->data, cycle);
}

static mbd_status_t
reference_motion(controller_t * c, const controller_cycle_t * cycle)
{
  mbd_data_t * data = c->p->at_reference;
  memcpy(c->acceleration, c->a_ref, (size_t)c->model->nv * sizeof(double));
  CHECK(mbd_set_position(c->model, data, c->q_ref));
  CHECK(mbd_set_velocity(c->model, data, c->v_ref));
  return terms_of_motion(c, data, cycle);
}

static mbd_status_t
corrected_motion(controller_t * c, const controller_cycle_t * cycle)
{
  const controller_gains_t gains = {c->settings->kp, c->settings->kd, "kd"};
  CHECK(controller_feedback(c, cycle->input, gains, c->acceleration));
  integrate_error(c, cycle->dt);
  return terms_of_motion(c, c->data, cycle);
}

static mbd_status_t
task_motion(controller_t * c, const controller_cycle_t * cycle)
{
  CHECK(controller_bias_terms(c, c->data, cycle));
  return controller_task_law(c, cycle);
}

static mbd_status_t
terms_of_mode(controller_t * c, const controller_cycle_t * cycle)
{
  switch (c->settings->mode) {
    case MODE_PASSIVE:
    case MODE_GRAVITY_COMPENSATION:
    case MODE_DECOUPLED_DAMPING: return measured_motion(c, cycle);
    case MODE_INVERSE_DYNAMICS: return reference_motion(c, cycle);
    case MODE_COMPUTED_TORQUE: return corrected_motion(c, cycle);
    case MODE_OPERATIONAL_SPACE: return task_motion(c, cycle);
  }
  return MBD_ERROR_BAD_ARGUMENT;
}

// terms that a mode may have in its command
static unsigned
terms_allowed(controller_mode_t mode)
{
  if (mode == MODE_PASSIVE) return 0;
  if (mode == MODE_GRAVITY_COMPENSATION || mode == MODE_DECOUPLED_DAMPING)
    return TERM_GRAVITY | TERM_FRICTION | TERM_EXTERNAL;
  return TERM_GRAVITY | TERM_CORIOLIS | TERM_INERTIA | TERM_FRICTION | TERM_EXTERNAL;
}

static void
sum_terms(controller_t * c)
{
  enum { TERMS = 5 };
  const double * const term[TERMS] = {
    c->gravity, c->coriolis, c->inertia, c->friction, c->external};
  const unsigned chosen = c->settings->command_terms & terms_allowed(c->settings->mode);
  for (int k = 0; k < c->model->nv; k++) {
    c->total[k] = c->command[k] = 0;
    for (unsigned i = 0; i < TERMS; i++) {
      c->total[k] += term[i][k];
      if (chosen & 1u << i) c->command[k] += term[i][k];
    }
  }
}

// what a mode adds that is no term
static mbd_status_t
add_to_command(controller_t * c, const controller_cycle_t * cycle)
{
  const controller_settings_t * s = c->settings;
  if (s->mode == MODE_GRAVITY_COMPENSATION) {
    CHECK(controller_bound_damping(c, c->p->gain));
    for (int k = 0; k < c->model->nv; k++) c->command[k] -= c->p->gain[k] * cycle->input->v[k];
  }
  if (s->mode == MODE_DECOUPLED_DAMPING) {
    for (int k = 0; k < c->model->nv; k++) {
      c->p->gain[k] = controller_bound_rate(c, "damping_rates", k, s->damping_rate[k]);
    }
    CHECK(mbd_decoupled_damping(c->model, c->data, c->p->gain, c->p->torque));
    for (int k = 0; k < c->model->nv; k++) c->command[k] += c->p->torque[k];
  }
  if (s->mode == MODE_OPERATIONAL_SPACE) {
    CHECK(controller_task_wrench(c, cycle, c->p->torque));
    for (int k = 0; k < c->model->nv; k++) c->command[k] += c->p->torque[k];
  }
  return MBD_OK;
}

mbd_status_t
controller_law(controller_t * c, const controller_cycle_t * cycle)
{
  c->commanding = c->settings->mode != MODE_PASSIVE;
  CHECK(terms_of_mode(c, cycle));
  sum_terms(c);
  return add_to_command(c, cycle);
}
