// External torques, from what the motors are known to do.
#include <math.h>
#include <string.h>

#include "controller_private.h"
#include "mbdyn/dynamics/observer.h"

void
controller_observer_restart(controller_t * c)
{
  // it says no only to NULL
  const mbd_status_t status = mbd_observer_reset(c->observer);
  (void)status;
}

// a free base has no motor
static bool
has_motor(const mbd_model_t * model, int dof)
{
  return model->body[model->dof_body[dof]].type != MBD_JOINT_FREE;
}

// gravity, where the robot adds it to the command itself
static mbd_status_t
own_gravity(controller_t * c, double * tau)
{
  memset(tau, 0, (size_t)c->model->nv * sizeof(double));
  if (c->settings->command_terms & TERM_GRAVITY) return MBD_OK;
  return mbd_gravity(c->model, c->data, tau);
}

static void
add(int n, double sign, const double * x, double * sum)
{
  for (int k = 0; k < n; k++) sum[k] += sign * x[k];
}

// terms of the measured state; c->p->torque is scratch
mbd_status_t
controller_measured_efforts(controller_t * c, const controller_cycle_t * cycle)
{
  const controller_settings_t * s = c->settings;
  const int nv = c->model->nv;
  double * term = c->p->torque;
  for (int k = 0; k < nv; k++) c->effort[k] = s->effort_scale[k] * cycle->input->effort[k];
  const unsigned bias = s->effort_excludes & (EXCLUDES_GRAVITY | EXCLUDES_CORIOLIS);
  if (bias & EXCLUDES_CORIOLIS) {
    CHECK(mbd_bias(c->model, c->data, term));
    add(nv, 1, term, c->effort);
  }
  // the bias has gravity, too
  if (bias == EXCLUDES_GRAVITY || bias == EXCLUDES_CORIOLIS) {
    CHECK(mbd_gravity(c->model, c->data, term));
    add(nv, bias == EXCLUDES_GRAVITY ? 1 : -1, term, c->effort);
  }
  if ((s->effort_excludes & EXCLUDES_FRICTION) && (s->model_terms & MBD_TERM_FRICTION)) {
    CHECK(controller_friction(c, c->data, NULL, term));
    add(nv, 1, term, c->effort);
  }
  return MBD_OK;
}

// torque of one motor: as measured, else as sent with what the robot adds to it
static void
take_torque(controller_t * c, int k, const double * effort, const double * sent)
{
  double *torque = &c->p->torque[k], *held = &c->p->held[k];
  const double own = has_motor(c->model, k) ? *torque : 0;
  // where there is no motor nothing is measured, and what was sent went nowhere
  const double x =
    effort ? (isnan(effort[k]) ? 0 : effort[k]) - own : (has_motor(c->model, k) ? sent[k] : 0);
  // a command was held over the whole step; the observer's mean takes half of what was before
  if (!effort && c->observer->started) c->observer->beta[k] += x - *held;
  *held = x;
  *torque = own + x;
}

mbd_status_t
controller_observe(controller_t * c, const controller_cycle_t * cycle)
{
  const observer_source_t source = c->settings->observer_source;
  const bool measured = source != OBSERVE_COMMAND && cycle->input->effort_known;
  const bool sent = !measured && source != OBSERVE_MEASURED && cycle->sent;
  const bool known = c->settings->observer && (measured || sent);
  if (!known || !(cycle->dt > 0)) controller_observer_restart(c);
  if (!known) return MBD_OK;

  CHECK(own_gravity(c, c->p->torque));
  for (int k = 0; k < c->model->nv; k++) {
    take_torque(c, k, measured ? c->effort : NULL, cycle->sent);
  }
  // the first update only starts it, for which any time will do
  const double dt = cycle->dt > 0 ? cycle->dt : 1;
  const mbd_status_t status = mbd_observer_update(c->observer, c->data, c->p->torque, dt);
  if (status != MBD_OK) controller_observer_restart(c);
  // no estimate for loops whose motion depends on time or rolls: their momentum rate is not known
  return status == MBD_ERROR_UNSUPPORTED ? MBD_OK : status;
}
