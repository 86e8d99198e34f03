// Accelerations of a simulation. Where the tree is small, its equations of motion are projected onto the
// tangent space of the chart, Haug 5.4: with v' = N x'' + a
//
//   N^T M N x'' = N^T (tau - h - M a)
//
// which needs neither multipliers nor inertia of what closures keep from moving. Large trees and
// bearings take forward dynamics with cut joints.
#include <string.h>

#include "constraints/cut.h"
#include "constraints/mass_factor.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/forward.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "mbdyn/jacobian.h"
#include "simulate/chart_internal.h"
#include "simulate/simulation_internal.h"
#include "state/state.h"
#include "tree/element.h"
#include "util/arena.h"
#include "util/dense.h"

// pivots of N^T M N, relative to its diagonal
static const double SMALLEST_PIVOT = 1e-13;

static bool
is_projected(const mbd_model_t * model)
{
  return model->nrow > 0 && model->nbearing == 0 && model->nv <= MBDI_DENSE_DOF;
}

void
mbdi_lay_out_projected(
  const mbd_model_t * model, char * base, size_t * offset, mbdi_projected_t * p)
{
  const size_t nv = is_projected(model) ? (size_t)model->nv : 0;
  double ** vectors[] = {&p->a, &p->h, &p->torque};
  double ** squares[] = {&p->N, &p->NT, &p->M, &p->MN, &p->S};
  for (int k = 0; k < 3; k++) *vectors[k] = mbdi_arena_take(base, offset, nv, sizeof(double));
  for (int k = 0; k < 5; k++) *squares[k] = mbdi_arena_take(base, offset, nv * nv, sizeof(double));
}

mbd_status_t
mbdi_simulation_input(
  mbd_simulation_t * sim, double t, const double * q, const double * v, double * tau)
{
  memset(tau, 0, (size_t)sim->model->nv * sizeof *tau);
  return sim->input ? sim->input(sim->input_ctx, sim->data, t, q, v, tau) : MBD_OK;
}

//---------- projection ----------

// M, and h + M a - tau; mimic joints are closures here
static mbd_status_t
find_forces(mbd_simulation_t * sim, const double * tau)
{
  const mbd_model_t * model = sim->model;
  mbdi_projected_t * p = &sim->projected;
  const bool keeps_mimic = sim->data->work->keeps_mimic;
  sim->data->work->keeps_mimic = true;
  mbd_status_t status =
    mbd_inverse_dynamics(model, sim->data, NULL, NULL, p->a, sim->wrenches, p->h);
  forget_acceleration(sim->data);
  if (status == MBD_OK) status = mbd_mass_matrix(model, sim->data, p->M);
  sim->data->work->keeps_mimic = keeps_mimic;
  for (int k = 0; k < model->nv; k++) p->h[k] -= tau[k];
  return status;
}

// C += A B of rows; zeros of A, of branches and of joints that do not move together, cost nothing
static void
add_product(int rows, int inner, int columns, const double * A, const double * B, double * C)
{
  for (int i = 0; i < rows; i++) {
    double * to = C + i * columns;
    for (int k = 0; k < inner; k++) {
      const double a = A[i * inner + k], *row = B + k * columns;
      for (int j = 0; a != 0 && j < columns; j++) to[j] += a * row[j];
    }
  }
}

// N^T M N; N^T is there
static void
project_inertia(mbdi_projected_t * p, int n, int nv)
{
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < nv; k++) p->N[k * n + j] = p->NT[j * nv + k];
  }
  memset(p->MN, 0, (size_t)(nv * n) * sizeof *p->MN);
  memset(p->S, 0, (size_t)(n * n) * sizeof *p->S);
  add_product(nv, nv, n, p->M, p->N, p->MN);
  add_product(n, nv, n, p->NT, p->MN, p->S);
}

// x'' and accelerations; *solved is false without inertia
static mbd_status_t
project(mbd_simulation_t * sim, double t, mbdi_evaluation_t * e, double * xdd, bool * solved)
{
  mbdi_projected_t * p = &sim->projected;
  const int nv = sim->model->nv, n = nv - mbd_chart_info(sim->chart)->velocity_rank;
  memset(xdd, 0, (size_t)sim->info.n * sizeof *xdd);
  CHECK(mbd_chart_motion(sim->chart, sim->data, t, xdd, p->a));
  CHECK(find_forces(sim, e->tau));
  for (int j = 0; j < n; j++) {
    mbdi_chart_column(sim->chart, j, p->NT + j * nv);
    xdd[j] = -mbdi_dot(nv, p->NT + j * nv, p->h);
  }
  project_inertia(p, n, nv);
  for (int j = 0; j < n; j++) sim->sum[j] = SMALLEST_PIVOT * p->S[j * n + j];
  *solved = mbdi_cholesky(n, p->S, sim->sum, p->M);
  if (!*solved) return MBD_OK;
  mbdi_solve_lower(n, p->M, xdd);
  mbdi_solve_upper(n, p->M, xdd);
  for (int k = 0; k < nv; k++) {
    e->qdd[k] = p->a[k] + mbdi_dot(n, p->N + k * n, xdd);
    p->torque[k] = p->h[k] + mbdi_dot(n, p->MN + k * n, xdd);
  }
  if (!finite_array(xdd, n) || !finite_array(p->torque, nv)) return MBD_ERROR_NOT_FINITE;
  // the velocities that nonholonomic rows leave are fewer than coordinates
  return n < sim->info.n ? mbd_chart_acceleration(sim->chart, e->qdd, xdd) : MBD_OK;
}

mbd_status_t
mbdi_simulation_multipliers(mbd_simulation_t * sim, mbdi_evaluation_t * e)
{
  mbdi_cut_t cut;
  mbd_constrained_t unused;
  if (!sim->projected.used) return MBD_OK;
  mbd_constrained_options_t options = mbd_constrained_options_default();
  options.rank = mbd_chart_info(sim->chart)->velocity_rank;
  CHECK(mbdi_cut_begin(&cut, sim->model, sim->data, &options, sim->work));
  CHECK(mbdi_cut_rank(&cut, &unused));
  copy_array(cut.g, sim->projected.torque, sim->model->nv);
  mbdi_lq_solve_transpose_least(&cut.G, cut.g, cut.small, e->lambda);
  return finite_array(e->lambda, sim->model->nrow) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

mbd_status_t
mbdi_simulation_forces(mbd_simulation_t * sim, mbdi_evaluation_t * e)
{
  if (!sim->projected.used) return MBD_OK;
  CHECK(mbdi_simulation_multipliers(sim, e));
  mbdi_constrained_force_stage(sim->model, sim->data, e->qdd, sim->wrenches, e->lambda);
  return MBD_OK;
}

//---------- cut joints ----------

static mbd_status_t
cut_joints(mbd_simulation_t * sim, double t, mbdi_evaluation_t * e, double * xdd)
{
  const mbd_model_t * model = sim->model;
  mbd_constrained_options_t options = mbd_constrained_options_default();
  options.t = t;
  options.rank = mbd_chart_info(sim->chart)->velocity_rank;
  if (model->nbearing > 0) {
    mbd_bearing_options_t bearings = mbd_bearing_options_default();
    bearings.constrained = &options;
    CHECK(mbd_bearing_forward_dynamics(
      model, sim->data, e->q, e->v, e->tau, sim->wrenches, &bearings, sim->bearing, sim->load,
      e->qdd, e->lambda, &e->bearing));
  } else if (model->nrow == 0) {
    CHECK(mbd_forward_dynamics(model, sim->data, e->q, e->v, e->tau, sim->wrenches, e->qdd));
  } else {
    CHECK(mbd_constrained_forward_dynamics(
      model, sim->data, NULL, NULL, e->tau, sim->wrenches, &options, sim->work, e->qdd, e->lambda,
      NULL));
  }
  return mbd_chart_acceleration(sim->chart, e->qdd, xdd);
}

//---------- power ----------

// what multipliers do is what drivers do: G v = U
static mbd_status_t
power_of_drivers(mbd_simulation_t * sim, double t, const mbdi_evaluation_t * e, double * power)
{
  const mbd_model_t * model = sim->model;
  bool driven = false;
  *power = 0;
  CHECK(mbd_closure_target(model, t, sim->rate));
  for (int k = 0; k < model->nrow; k++) driven = driven || sim->rate[k] != 0;
  if (!driven) return MBD_OK;
  if (sim->projected.used) {
    mbdi_chart_driven(sim->chart, sim->sum);
    *power = mbdi_dot(model->nv, sim->projected.torque, sim->sum);
  } else {
    *power = mbdi_dot(model->nrow, e->lambda, sim->rate);
  }
  return MBD_OK;
}

static mbd_status_t
power_of(mbd_simulation_t * sim, double t, const mbdi_evaluation_t * e, double * power)
{
  const mbd_model_t * model = sim->model;
  *power = mbdi_dot(model->nv, e->tau, e->v);
  if (sim->wrenches && sim->wrenches->n > 0) {
    CHECK(mbd_jacobian_transpose_product(model, sim->data, sim->wrenches, sim->torque));
    *power += mbdi_dot(model->nv, sim->torque, e->v);
  }
  if (mbdi_elements_count(model, sim->data)) {
    // dampers, and what has no potential energy
    mbd_energy_rates_t rates;
    CHECK(mbd_energy_rates(model, sim->data, NULL, NULL, &rates));
    *power += rates.external - rates.friction;
  } else if (sim->data->terms & MBD_TERM_FRICTION) {
    CHECK(mbd_friction(model, e->v, sim->friction));
    *power -= mbdi_dot(model->nv, sim->friction, e->v);
  }
  if (model->nbearing > 0) *power += e->bearing.power;
  if (model->nrow > 0) {
    double drivers;
    CHECK(power_of_drivers(sim, t, e, &drivers));
    *power += drivers;
  }
  return MBD_OK;
}

mbd_status_t
mbdi_simulation_evaluate(
  mbd_simulation_t * sim, double t, const double * x, const double * xd, mbdi_evaluation_t * e,
  double * xdd, double * power)
{
  const mbd_model_t * model = sim->model;
  bool solved = false;
  CHECK(mbd_chart_state(sim->chart, sim->data, t, x, xd, e->q, e->v));
  if (model->nelement > 0) CHECK(mbd_set_time(model, sim->data, t));
  CHECK(mbdi_simulation_input(sim, t, e->q, e->v, e->tau));
  if (is_projected(model)) CHECK(project(sim, t, e, xdd, &solved));
  sim->projected.used = solved;
  if (!solved) CHECK(cut_joints(sim, t, e, xdd));
  return power ? power_of(sim, t, e, power) : MBD_OK;
}
