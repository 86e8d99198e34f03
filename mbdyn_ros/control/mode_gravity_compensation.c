// Gravity compensation with joint damping.
#include "controller_private.h"

mbd_status_t
controller_gravity_compensation(controller_t * c, const controller_cycle_t * cycle)
{
  CHECK(controller_measured_motion(c, cycle));
  CHECK(controller_bound_damping(c, "damping", c->settings->damping, c->p->gain));
  for (int k = 0; k < c->model->nv; k++) c->p->added[k] = -c->p->gain[k] * cycle->input->v[k];
  return MBD_OK;
}
