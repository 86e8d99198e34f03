// Derivatives of the dynamics of a model with flexible links. By q: central differences of sixth order
// along mbd_integrate, 6 nv times inverse dynamics. By v: inverse dynamics is quadratic in v but for
// friction, so that one central difference is exact; friction is differentiated by hand.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/forward.h"
#include "mbdyn/integrate.h"
#include "mbdyn/inverse.h"
#include "model/joint.h"

typedef struct scratch {
  double *q, *moved, *v, *unit, *tau;
} scratch_t;

static size_t
lay_out_derivatives(const mbd_model_t * model, double * work, scratch_t * s)
{
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  if (work) {
    s->q = work;
    s->moved = s->q + nq;
    s->v = s->moved + nq;
    s->unit = s->v + nv;
    s->tau = s->unit + nv;
  }
  return 2 * nq + 3 * nv + 2 * nv * nv;
}

size_t
mbdi_flexible_derivatives_work(const mbd_model_t * model)
{
  scratch_t unused;
  return lay_out_derivatives(model, NULL, &unused) + 1;
}

// a step that turns no node by more than a hundredth: all else is polynomial in a mode
static double
step_of(const mbd_model_t * model, int k)
{
  double turn = 1;
  for (int p = 0; p < model->flexible->npart; p++) {
    const mbd_flexible_part_t * part = &model->flexible->part[p];
    const mbd_modal_body_t * body = part->body;
    const int mode = k - part->v_index, m = body->nmode;
    if (mode < 0 || mode >= m) continue;
    turn = 0;
    for (int s = 0; s < body->nnode; s++) {
      turn = fmax(turn, mbdu_vec3_norm(body->shape[s * m + mode].ang));
    }
    if (body->has_hinge) turn = fmax(turn, mbdu_vec3_norm(body->hinge[mode].ang));
    if (!(turn > 0)) turn = 1;
  }
  return 1e-2 / turn;
}

static mbd_status_t
by_position(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, const mbd_wrenches_t * f_ext,
  const scratch_t * s, double * dtau)
{
  static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  const size_t nv = (size_t)model->nv;
  memset(dtau, 0, nv * nv * sizeof *dtau);
  for (size_t j = 0; j < nv; j++) {
    const double h = step_of(model, (int)j);
    for (size_t k = 0; k < nv; k++) s->unit[k] = k == j;
    for (int side = -3; side <= 3; side++) {
      if (side == 0) continue;
      CHECK(mbd_integrate(model, s->q, s->unit, side * h, s->moved));
      CHECK(mbdi_flexible_inverse_dynamics(model, data, s->moved, s->v, qdd, f_ext, s->tau));
      const double w = (side < 0 ? -1 : 1) * weight[abs(side) - 1] / h;
      for (size_t k = 0; k < nv; k++) dtau[k * nv + j] += w * s->tau[k];
    }
  }
  return MBD_OK;
}

static mbd_status_t
by_velocity(const mbd_model_t * model, mbd_data_t * data, const scratch_t * s, double * dtau)
{
  const size_t nv = (size_t)model->nv;
  CHECK(mbdi_flexible_set_position(model, data, s->q));
  memset(dtau, 0, nv * nv * sizeof *dtau);
  for (size_t j = 0; j < nv; j++) {
    for (int side = -1; side <= 1; side += 2) {
      for (size_t k = 0; k < nv; k++) s->unit[k] = s->v[k] + (k == j ? side : 0);
      CHECK(mbdi_flexible_set_velocity(model, data, s->unit));
      CHECK(mbdi_flexible_bias(model, data, s->tau));
      for (size_t k = 0; k < nv; k++) dtau[k * nv + j] += 0.5 * side * s->tau[k];
    }
  }
  for (int k = 0; (data->terms & MBD_TERM_FRICTION) && k < model->flexible->rigid->nv; k++) {
    const mbd_drive_t * d = &model->body[model->dof_body[k]].drive;
    double slope = d->viscous;
    if (d->coulomb > 0) {
      const double t = tanh(s->v[k] / d->coulomb_velocity);
      slope += d->coulomb / d->coulomb_velocity * (1 - t * t);
    }
    dtau[(size_t)k * (nv + 1)] += slope;
  }
  return MBD_OK;
}

mbd_status_t
mbdi_flexible_inverse_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * work, double * dtau_dq,
  double * dtau_dv, double * M)
{
  CHECK(check_any_dynamics(model, data, 0));
  if (!work) return MBD_ERROR_NULL_ARGUMENT;
  if (qdd && !finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_check_wrenches(model, f_ext));
  CHECK(mbdi_take_state(model, data, q, v));
  scratch_t s;
  lay_out_derivatives(model, work, &s);
  memcpy(s.q, data->q, (size_t)model->nq * sizeof *s.q);
  memcpy(s.v, data->v, (size_t)model->nv * sizeof *s.v);
  if (dtau_dq) CHECK(by_position(model, data, qdd, f_ext, &s, dtau_dq));
  if (dtau_dv) CHECK(by_velocity(model, data, &s, dtau_dv));
  // the state as it was, with the stages of inverse dynamics
  CHECK(mbdi_flexible_inverse_dynamics(model, data, s.q, s.v, qdd, f_ext, s.tau));
  if (M) CHECK(mbd_mass_matrix(model, data, M));
  const int n = model->nv * model->nv;
  const bool finite =
    (!dtau_dq || finite_array(dtau_dq, n)) && (!dtau_dv || finite_array(dtau_dv, n));
  return finite ? MBD_OK : MBD_ERROR_NOT_FINITE;
}
