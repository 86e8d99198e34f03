// The terms of the equation of motion, one by one.
#include <string.h>

#include "controller_private.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/flexible/flexible_links.h"
#include "mbdyn/operators/factors.h"

int
controller_live_wrenches(
  const controller_t * c, const controller_cycle_t * cycle, mbd_wrench_t * out)
{
  const int most = (int)(sizeof c->targets.external / sizeof *c->targets.external);
  int n = 0;
  for (int i = 0; i < c->targets.nexternal && i < most; i++) {
    if (!controller_fresh(c, c->targets.external_time[i], cycle)) continue;
    out[n++] = c->targets.external[i];
  }
  return n;
}

mbd_status_t
controller_friction(controller_t * c, mbd_data_t * data, const double * v, double * tau)
{
  const mbd_model_t * model = c->model;
  if (!model->tree) return mbd_friction(model, v ? v : data->v, tau);
  double *every = c->p->all, *all = c->p->all + model->tree->nv;
  CHECK(mbd_tree_velocity(model, data, v, every));
  CHECK(mbd_friction(model->tree, every, all));
  return mbd_reduce_torque(model, data, all, tau);
}

// Gravity torques with the links deflected by weight and payloads: modes are not measured, so they are
// taken to be at rest.
static mbd_status_t
flexible_gravity(controller_t * c, const mbd_data_t * data)
{
  struct controller_private * p = c->p;
  memcpy(p->flexible_q, data->q, (size_t)c->model->nq * sizeof(double));
  CHECK(mbd_set_gravity(p->flexible_data, data->gravity));
  CHECK(mbd_flexible_static(p->flexible, p->flexible_data, p->flexible_q));
  CHECK(mbd_gravity(p->flexible, p->flexible_data, p->flexible_tau));
  memcpy(c->gravity, p->flexible_tau, (size_t)c->model->nv * sizeof(double));
  return MBD_OK;
}

// C(q, v) v; with force elements, gravity is still in it
static mbd_status_t
bias_without_gravity(controller_t * c, mbd_data_t * data)
{
  if (data->terms & MBD_TERM_ELEMENTS) return mbd_bias(c->model, data, c->coriolis);
  // without gravity rather than less gravity, which would leave rounding errors where it is zero
  const mbd_vec3_t gravity = data->gravity;
  CHECK(mbd_set_gravity(data, mbdu_vec3(0, 0, 0)));
  const mbd_status_t status = mbd_bias(c->model, data, c->coriolis);
  CHECK(mbd_set_gravity(data, gravity));
  return status;
}

mbd_status_t
controller_bias_terms(controller_t * c, mbd_data_t * data, const controller_cycle_t * cycle)
{
  const int nv = c->model->nv;
  c->p->at = data;
  CHECK(bias_without_gravity(c, data));
  CHECK(c->p->flexible ? flexible_gravity(c, data) : mbd_gravity(c->model, data, c->gravity));
  // springs count as gravity, their dampers stay
  for (int k = 0; (data->terms & MBD_TERM_ELEMENTS) && k < nv; k++) c->coriolis[k] -= c->gravity[k];

  memset(c->friction, 0, (size_t)nv * sizeof(double));
  if (c->settings->model_terms & MBD_TERM_FRICTION) {
    CHECK(controller_friction(c, data, NULL, c->friction));
  }

  mbd_wrench_t wrench[sizeof c->targets.external / sizeof *c->targets.external];
  const mbd_wrenches_t wrenches = {controller_live_wrenches(c, cycle, wrench), wrench};
  memset(c->external, 0, (size_t)nv * sizeof(double));
  if (wrenches.n == 0) return MBD_OK;
  CHECK(mbd_jacobian_transpose_product(c->model, data, &wrenches, c->external));
  for (int k = 0; k < nv; k++) c->external[k] = -c->external[k];
  return MBD_OK;
}

mbd_status_t
controller_motion_terms(controller_t * c, mbd_data_t * data, const controller_cycle_t * cycle)
{
  CHECK(controller_bias_terms(c, data, cycle));
  return mbd_mass_product(c->model, data, c->acceleration, c->inertia);
}

mbd_status_t
controller_measured_motion(controller_t * c, const controller_cycle_t * cycle)
{
  memcpy(c->acceleration, cycle->input->acceleration, (size_t)c->model->nv * sizeof(double));
  return controller_motion_terms(c, c->data, cycle);
}
