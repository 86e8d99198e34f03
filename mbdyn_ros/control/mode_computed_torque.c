// Computed torque: feedback on the joints, through the mass matrix.
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

mbd_status_t
controller_computed_torque(controller_t * c, const controller_cycle_t * cycle)
{
  const controller_gains_t gains = {c->settings->kp, c->settings->kd, "kd"};
  CHECK(controller_feedback(c, cycle->input, gains, c->acceleration));
  integrate_error(c, cycle->dt);
  if (c->settings->nsupport > 0) CHECK(controller_support_base(c, c->data, c->acceleration));
  CHECK(controller_motion_terms(c, c->data, cycle));
  double * rate = c->p->gain;
  for (int k = 0; k < c->model->nv; k++) {
    const double slow = controller_bound_slowdown(c, "kd", k, gains.kd[k]);
    rate[k] = gains.kd[k] > 0 ? slow * gains.kp[k] / gains.kd[k] : 0;
  }
  return controller_reference_friction(c, rate);
}
