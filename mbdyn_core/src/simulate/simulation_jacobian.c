// Jacobian of x'' = g(t, x, x') for implicit steps: Index-0 residual, Haug (5.5.16) to (5.5.18).
//
// The residual R = ID(q, v, qdd) - tau - G^T lambda vanishes on N^T, the tangent space. With lambda and N
// fixed its derivative along x or x' is
//
//   N^T (dID/dq dq + dID/dv dv + M dqdd - d(G^T lambda) - dtau)
//
// where dq, dv, dqdd are those of the chart at constant x'': kinematics.
#include <math.h>
#include <string.h>

#include "mbdyn/constraints/constrained.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/jacobian.h"
#include "simulate/chart_internal.h"
#include "simulate/simulation_internal.h"
#include "state/state.h"
#include "util/dense.h"

static const double EPSILON = 1e-7;

// N^T M N and dID at the evaluation `now`
static mbd_status_t
derivatives(mbd_simulation_t * sim)
{
  const mbd_model_t * model = sim->model;
  const int nv = model->nv, n = sim->info.n;
  const mbdi_evaluation_t * e = &sim->now;
  for (int j = 0; j < n; j++) mbdi_chart_column(sim->chart, j, sim->N + (size_t)j * (size_t)nv);
  const bool keeps_mimic = sim->data->work->keeps_mimic;
  sim->data->work->keeps_mimic = true;
  const mbd_status_t status = mbd_inverse_dynamics_derivatives(
    model, sim->data, e->q, e->v, e->qdd, NULL, sim->derivatives, sim->dq, sim->dv, sim->M);
  sim->data->work->keeps_mimic = keeps_mimic;
  CHECK(status);
  for (int j = 0; j < n; j++) {
    const double * column = sim->N + (size_t)j * (size_t)nv;
    for (int k = 0; k < nv; k++)
      sim->sum[k] = mbdi_dot(nv, sim->M + (size_t)k * (size_t)nv, column);
    for (int i = 0; i < n; i++) {
      sim->reduced[i * n + j] = mbdi_dot(nv, sim->N + (size_t)i * (size_t)nv, sim->sum);
    }
  }
  return MBD_OK;
}

// G^T lambda of `now` and J^T f of the wrenches at the position of the workspace
static mbd_status_t
row_torque(mbd_simulation_t * sim, double * torque)
{
  const mbd_model_t * model = sim->model;
  memset(torque, 0, (size_t)model->nv * sizeof *torque);
  if (model->nrow > 0) CHECK(mbd_closure_torque(model, sim->data, sim->now.lambda, torque));
  if (!sim->wrenches || sim->wrenches->n == 0) return MBD_OK;
  CHECK(mbd_jacobian_transpose_product(model, sim->data, sim->wrenches, sim->sum));
  for (int k = 0; k < model->nv; k++) torque[k] += sim->sum[k];
  return MBD_OK;
}

// derivative of the residual along column j of x (or x'), into column `to` of sim->right
static mbd_status_t
column(
  mbd_simulation_t * sim, double t, const double * x, const double * xd, const double * xdd, int j,
  bool velocity, int to)
{
  const mbd_model_t * model = sim->model;
  const int nv = model->nv, n = sim->info.n;
  mbdi_evaluation_t * e = &sim->other;
  const mbdi_evaluation_t * now = &sim->now;
  copy_array(sim->x, x, n), copy_array(sim->xd, xd, n);
  double * moved = velocity ? sim->xd : sim->x;
  const double eps = EPSILON * fmax(1, fabs(moved[j]));
  moved[j] += eps;
  CHECK(mbd_chart_state(sim->chart, sim->data, t, sim->x, sim->xd, e->q, e->v));
  CHECK(mbd_chart_motion(sim->chart, sim->data, t, xdd, e->qdd));
  CHECK(row_torque(sim, sim->torque));
  CHECK(mbdi_simulation_input(sim, t, e->q, e->v, e->tau));
  const double * dq = sim->N + (size_t)j * (size_t)nv;
  for (int k = 0; k < nv; k++) {
    const size_t row = (size_t)k * (size_t)nv;
    double sum = sim->base[k] - sim->torque[k] - (e->tau[k] - now->tau[k]);
    for (int i = 0; i < nv; i++) {
      sum += sim->dv[row + (size_t)i] * (e->v[i] - now->v[i]);
      sum += sim->M[row + (size_t)i] * (e->qdd[i] - now->qdd[i]);
    }
    sim->sum[k] = sum / eps + (velocity ? 0 : mbdi_dot(nv, sim->dq + row, dq));
  }
  for (int i = 0; i < n; i++) {
    sim->right[i * 2 * n + to] = -mbdi_dot(nv, sim->N + (size_t)i * (size_t)nv, sim->sum);
  }
  return MBD_OK;
}

// With bearings: differences of the whole, for their forces depend on everything.
static mbd_status_t
difference(
  mbd_simulation_t * sim, double t, const double * x, const double * xd, double * dx, double * dxd)
{
  const int n = sim->info.n;
  CHECK(mbdi_simulation_evaluate(sim, t, x, xd, &sim->now, sim->base, NULL));
  for (int to = 0; to < 2 * n; to++) {
    const int j = to % n;
    copy_array(sim->x, x, n), copy_array(sim->xd, xd, n);
    double * moved = to < n ? sim->x : sim->xd;
    const double eps = EPSILON * fmax(1, fabs(moved[j]));
    moved[j] += eps;
    CHECK(mbdi_simulation_evaluate(sim, t, sim->x, sim->xd, &sim->other, sim->xdd, NULL));
    double * out = to < n ? dx : dxd;
    for (int i = 0; i < n; i++) out[i * n + j] = (sim->xdd[i] - sim->base[i]) / eps;
  }
  return MBD_OK;
}

mbd_status_t
mbdi_simulation_jacobian(
  void * ctx, double t, const double * x, const double * xd, double * dx, double * dxd)
{
  mbd_simulation_t * sim = ctx;
  const int n = sim->info.n;
  double * xdd = sim->xdd;
  if (sim->model->nbearing > 0) return difference(sim, t, x, xd, dx, dxd);
  CHECK(mbdi_simulation_evaluate(sim, t, x, xd, &sim->now, xdd, NULL));
  CHECK(mbdi_simulation_multipliers(sim, &sim->now));
  CHECK(row_torque(sim, sim->base));
  CHECK(derivatives(sim));
  for (int j = 0; j < n; j++) {
    CHECK(column(sim, t, x, xd, xdd, j, false, j));
    CHECK(column(sim, t, x, xd, xdd, j, true, n + j));
  }
  if (!mbdi_solve(n, 2 * n, sim->reduced, sim->right)) return MBD_ERROR_SINGULAR;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      dx[i * n + j] = sim->right[i * 2 * n + j];
      dxd[i * n + j] = sim->right[i * 2 * n + n + j];
    }
  }
  return MBD_OK;
}

mbd_status_t
mbd_simulation_jacobian(mbd_simulation_t * sim, double * dx, double * dxd)
{
  if (!sim || !dx || !dxd) return MBD_ERROR_NULL_ARGUMENT;
  if (!sim->started) return MBD_ERROR_STAGE;
  if (mbdi_chart_has_velocity_rows(sim->chart)) return MBD_ERROR_UNSUPPORTED;
  const mbd_ode_info_t * ode = mbd_ode_info(sim->ode);
  CHECK(mbdi_simulation_jacobian(sim, ode->t, ode->x, ode->xd, dx, dxd));
  // stages and results as info has them
  CHECK(mbdi_simulation_evaluate(sim, ode->t, ode->x, ode->xd, &sim->now, sim->xdd, NULL));
  return mbdi_simulation_multipliers(sim, &sim->now);
}
