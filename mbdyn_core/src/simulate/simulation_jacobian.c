// Jacobian of x'' = g(t, x, x') for implicit steps: Index-0 residual, Haug (5.5.16) to (5.5.18).
//
// The residual R = ID(q, v, qdd) - tau - G^T lambda vanishes on N^T, the tangent space. With lambda and N
// fixed its derivative along x or x' is
//
//   N^T r,   r = dID/dq dq + dID/dv dv + M dqdd - d(G^T lambda) - dtau
//
// where dq, dv, dqdd are those of the chart at constant x'': kinematics. Then N^T M N dx'' = -N^T r.
//
// Bearings: with its load P fixed, friction is a torque as others, by the slope of its curve. What follows for the
// forces f through the joints, from dx'' and G^T dlambda = r + M N dx'', changes the loads P = p(f), Haug 8.6:
//
//   (1 - p' F) dP = p' df,   dx'' += X dP
//
// with F and X the forces and x'' of unit loads.
#include <math.h>
#include <string.h>

#include "constraints/cut.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/jacobian.h"
#include "simulate/chart_internal.h"
#include "simulate/simulation_internal.h"
#include "state/state.h"
#include "util/dense.h"

static const double EPSILON = 1e-7;

// row of N, the tangent space
static const double *
tangent(const mbd_simulation_t * sim, int j)
{
  return sim->N + (size_t)j * (size_t)sim->model->nv;
}

// N^T M N with its factor, and dID at the evaluation `now`
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
    for (int k = 0; k < nv; k++)
      sim->sum[k] = mbdi_dot(nv, sim->M + (size_t)k * (size_t)nv, tangent(sim, j));
    for (int i = 0; i < n; i++) sim->reduced[i * n + j] = mbdi_dot(nv, tangent(sim, i), sim->sum);
  }
  memset(sim->step, 0, (size_t)n * sizeof *sim->step);
  return mbdi_cholesky(n, sim->reduced, sim->step, sim->root) ? MBD_OK : MBD_ERROR_SINGULAR;
}

// x'' of a torque
static void
respond(mbd_simulation_t * sim, const double * torque, double sign, double * out)
{
  const int n = sim->info.n;
  for (int i = 0; i < n; i++) out[i] = sign * mbdi_dot(sim->model->nv, tangent(sim, i), torque);
  mbdi_solve_lower(n, sim->root, out);
  mbdi_solve_upper(n, sim->root, out);
}

//---------- torques of rows, wrenches and friction ----------

// bearings at the state of the workspace, their friction by its slope from that of `at`
static mbd_status_t
move_bearings(mbd_simulation_t * sim)
{
  const mbd_model_t * model = sim->model;
  mbdi_bearing_column_t * c = &sim->column;
  if (model->nbearing > 0) CHECK(mbd_complete_stages(model, sim->data));
  for (int i = 0; i < model->nbearing; i++) {
    const mbdi_bearing_at_t * at = &c->at[i];
    mbdi_bearing_at_t * moved = &c->moved[i];
    mbdi_bearing_at(model, sim->data, &model->bearing[i], moved);
    moved->force = at->force + at->force_slope * (moved->speed - at->speed);
    moved->torque = at->torque + at->torque_slope * (moved->omega - at->omega);
  }
  return MBD_OK;
}

// wrenches of the caller and of the friction of these bearings; friction in joints of the tree is added to torque
static mbd_wrenches_t
all_wrenches(mbd_simulation_t * sim, const mbdi_bearing_at_t * at, double * torque)
{
  const mbd_model_t * model = sim->model;
  if (model->nbearing == 0) return sim->wrenches ? *sim->wrenches : (mbd_wrenches_t){0};
  mbd_wrench_t * list = sim->column.list;
  int n = sim->wrenches ? sim->wrenches->n : 0;
  if (n > 0) memcpy(list, sim->wrenches->w, (size_t)n * sizeof *list);
  for (int i = 0; i < model->nbearing; i++)
    n += mbdi_bearing_apply(
      model, sim->data, &model->bearing[i], &at[i], sim->load[i], torque, list + n);
  return (mbd_wrenches_t){n, list};
}

// G^T lambda and loads of `now`, J^T f of the wrenches at the position of the workspace
static mbd_status_t
row_torque(
  mbd_simulation_t * sim, const mbdi_bearing_at_t * at, double * torque, mbd_wrenches_t * all)
{
  const mbd_model_t * model = sim->model;
  memset(torque, 0, (size_t)model->nv * sizeof *torque);
  if (model->nrow > 0) CHECK(mbd_closure_torque(model, sim->data, sim->now.lambda, torque));
  *all = all_wrenches(sim, at, torque);
  if (all->n == 0) return MBD_OK;
  CHECK(mbd_jacobian_transpose_product(model, sim->data, all, sim->sum));
  for (int k = 0; k < model->nv; k++) torque[k] += sim->sum[k];
  return MBD_OK;
}

//---------- bearings ----------

static mbd_status_t
unit_response(mbd_simulation_t * sim, int j)
{
  const mbd_model_t * model = sim->model;
  mbdi_bearing_column_t * c = &sim->column;
  memset(sim->torque, 0, (size_t)model->nv * sizeof *sim->torque);
  const int n =
    mbdi_bearing_apply(model, sim->data, &model->bearing[j], &c->at[j], 1, sim->torque, c->list);
  if (n > 0) {
    const mbd_wrenches_t on_links = {n, c->list};
    CHECK(mbd_jacobian_transpose_product(model, sim->data, &on_links, sim->sum));
    for (int k = 0; k < model->nv; k++) sim->torque[k] += sim->sum[k];
  }
  respond(sim, sim->torque, 1, c->response + (size_t)j * (size_t)model->nv);
  return MBD_OK;
}

// bearings, their forces and the derivatives of their loads at `now`, whose stages are set
static mbd_status_t
begin_bearings(mbd_simulation_t * sim, mbdi_cut_t * cut)
{
  const mbd_model_t * model = sim->model;
  const int n = model->nbearing;
  mbdi_bearing_column_t * c = &sim->column;
  const double * F =
    mbdi_bearing_responses(model, sim->wrenches ? sim->wrenches->n : 0, sim->bearing);
  memset(c->inverse, 0, (size_t)(n * n) * sizeof *c->inverse);
  for (int i = 0; i < n; i++) {
    const mbd_bearing_t * b = &model->bearing[i];
    mbdi_bearing_at(model, sim->data, b, &c->at[i]);
    CHECK(mbdi_bearing_force(model, sim->data, b, &c->at[i], sim->now.lambda, c->f + 6 * i));
    mbdi_bearing_load(model, b, c->f + 6 * i, c->df + 6 * i);
    for (int j = 0; j < n; j++)
      c->A[i * n + j] = (i == j) - mbdi_dot(6, c->df + 6 * i, F + 6 * (i * n + j));
    c->inverse[i * n + i] = 1;
  }
  if (!mbdi_solve(n, n, c->A, c->inverse)) return MBD_ERROR_SINGULAR;
  if (model->nrow == 0) return MBD_OK;
  mbd_constrained_t unused;
  mbd_constrained_options_t options = mbd_constrained_options_default();
  options.rank = mbd_chart_info(sim->chart)->velocity_rank;
  CHECK(mbdi_cut_begin(cut, model, sim->data, &options, sim->work));
  return mbdi_cut_rank(cut, &unused);
}

// The loads change with a column, and x'' (in sim->step) with them. sim->sum: r of the column; the workspace and
// `other` are at the state that is `eps` along it.
static mbd_status_t
add_loads(mbd_simulation_t * sim, mbdi_cut_t * cut, const mbd_wrenches_t * wrenches, double eps)
{
  const mbd_model_t * model = sim->model;
  const int nv = model->nv, n = sim->info.n;
  mbdi_bearing_column_t * c = &sim->column;
  mbdi_evaluation_t * e = &sim->other;
  double * accelerated = sim->torque;  // N dx''
  for (int k = 0; k < nv; k++) {
    accelerated[k] = 0;
    for (int j = 0; j < n; j++) accelerated[k] += tangent(sim, j)[k] * sim->step[j];
    e->qdd[k] += eps * accelerated[k];
  }
  if (model->nrow > 0) {
    for (int k = 0; k < nv; k++)
      cut->g[k] = sim->sum[k] + mbdi_dot(nv, sim->M + (size_t)k * (size_t)nv, accelerated);
    mbdi_lq_solve_transpose_least(&cut->G, cut->g, cut->small, e->lambda);
    for (int k = 0; k < model->nrow; k++) e->lambda[k] = sim->now.lambda[k] + eps * e->lambda[k];
  }
  mbdi_constrained_force_stage(model, sim->data, e->qdd, wrenches, e->lambda);
  for (int i = 0; i < model->nbearing; i++) {
    double f[6];
    CHECK(mbdi_bearing_force(model, sim->data, &model->bearing[i], &c->moved[i], e->lambda, f));
    for (int k = 0; k < 6; k++) f[k] = (f[k] - c->f[6 * i + k]) / eps;
    c->change[i] = mbdi_dot(6, c->df + 6 * i, f);
  }
  for (int j = 0; j < model->nbearing; j++) {
    const double load = mbdi_dot(model->nbearing, c->inverse + j * model->nbearing, c->change);
    for (int i = 0; i < n; i++)
      sim->step[i] += load * c->response[(size_t)j * (size_t)nv + (size_t)i];
  }
  return MBD_OK;
}

//---------- columns ----------

// derivative of x'' along column j of x (or x') into that column of `out`
static mbd_status_t
column(
  mbd_simulation_t * sim, mbdi_cut_t * cut, double t, const double * x, const double * xd,
  const double * xdd, int j, bool velocity, double * out)
{
  const mbd_model_t * model = sim->model;
  const int nv = model->nv, n = sim->info.n;
  mbdi_evaluation_t * e = &sim->other;
  const mbdi_evaluation_t * now = &sim->now;
  mbd_wrenches_t wrenches;
  copy_array(sim->x, x, n), copy_array(sim->xd, xd, n);
  double * moved = velocity ? sim->xd : sim->x;
  const double eps = EPSILON * fmax(1, fabs(moved[j]));
  moved[j] += eps;
  CHECK(mbd_chart_state(sim->chart, sim->data, t, sim->x, sim->xd, e->q, e->v));
  CHECK(mbd_chart_motion(sim->chart, sim->data, t, xdd, e->qdd));
  CHECK(move_bearings(sim));
  CHECK(row_torque(sim, sim->column.moved, sim->torque, &wrenches));
  CHECK(mbdi_simulation_input(sim, t, e->q, e->v, e->tau));
  for (int k = 0; k < nv; k++) {
    const size_t row = (size_t)k * (size_t)nv;
    double sum = sim->base[k] - sim->torque[k] - (e->tau[k] - now->tau[k]);
    for (int i = 0; i < nv; i++) {
      sum += sim->dv[row + (size_t)i] * (e->v[i] - now->v[i]);
      sum += sim->M[row + (size_t)i] * (e->qdd[i] - now->qdd[i]);
    }
    sim->sum[k] = sum / eps + (velocity ? 0 : mbdi_dot(nv, sim->dq + row, tangent(sim, j)));
  }
  respond(sim, sim->sum, -1, sim->step);
  if (model->nbearing > 0) CHECK(add_loads(sim, cut, &wrenches, eps));
  for (int i = 0; i < n; i++) out[i * n + j] = sim->step[i];
  return MBD_OK;
}

mbd_status_t
mbdi_simulation_jacobian(
  void * ctx, double t, const double * x, const double * xd, double * dx, double * dxd)
{
  mbd_simulation_t * sim = ctx;
  double * xdd = sim->xdd;
  mbdi_cut_t cut;
  mbd_wrenches_t unused;
  CHECK(mbdi_simulation_evaluate(sim, t, x, xd, &sim->now, xdd, NULL));
  CHECK(mbdi_simulation_multipliers(sim, &sim->now));
  if (sim->model->nbearing > 0) CHECK(begin_bearings(sim, &cut));
  CHECK(row_torque(sim, sim->column.at, sim->base, &unused));
  CHECK(derivatives(sim));
  for (int j = 0; j < sim->model->nbearing; j++) CHECK(unit_response(sim, j));
  for (int j = 0; j < sim->info.n; j++) {
    CHECK(column(sim, &cut, t, x, xd, xdd, j, false, dx));
    CHECK(column(sim, &cut, t, x, xd, xdd, j, true, dxd));
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
