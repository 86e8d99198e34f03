// Gravity compensation with a damping that acts on each quasi-velocity by itself.
#include "controller_private.h"
#include "mbdyn/operators/diagonal.h"

mbd_status_t
controller_quasi_velocity_damping(controller_t * c, const controller_cycle_t * cycle)
{
  const double * rate = c->settings->damping_rate;
  CHECK(controller_measured_motion(c, cycle));
  for (int k = 0; k < c->model->nv; k++) {
    c->p->gain[k] = controller_bound_rate(c, "damping_rates", k, rate[k]);
  }
  return mbd_quasi_velocity_damping(c->model, c->data, c->p->gain, c->p->added);
}
