// Forward dynamics with bearings: loads by Newton's method on forces that are affine in them.
//
//   f_i = f0_i + sum over j of N_j F_ij,   N_i = n_i(f_i)
//
// So are accelerations and multipliers: those of the loads are sums of responses.
#include <math.h>
#include <string.h>

#include "constraints/bearing.h"
#include "constraints/cut.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/forward.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/mbdyn.h"
#include "state/state.h"
#include "util/arena.h"
#include "util/dense.h"

mbd_bearing_options_t
mbd_bearing_options_default(void)
{
  return (mbd_bearing_options_t){.tolerance = 1e-10, .iterations = 50, .steps = 10};
}

typedef struct solver {
  const mbd_model_t * model;
  mbd_data_t * data;
  const double * tau;
  mbd_bearing_options_t options;
  int n;                         // bearings
  int nwrench;                   // of the caller, at the front of the list
  mbdi_bearing_at_t * at;        // [n]
  double *f0, *F;                // forces without friction [6 n], of unit loads [6 n n]
  double *N, *trial;             // loads [n]
  double *residual, *A, *step;   // of Newton's method [n], [n n], [n n]
  double *total, *qdd, *lambda;  // torques, results [nv], [nv], [nrow]
  double *qdd_of, *lambda_of;  // without friction, then of unit loads [nv (n + 1)], [nrow (n + 1)]
  mbd_wrench_t * list;
  double * constrained;  // work
  mbdi_cut_t cut;        // rows, factorised once
  int count;             // Newton steps
} solver_t;

static size_t
lay_out_solver(const mbd_model_t * model, int nwrench, double * work, solver_t * s)
{
  size_t used = 0;
  const size_t n = (size_t)model->nbearing, nv = (size_t)model->nv, word = sizeof(double);
  const size_t m = (size_t)model->nrow;
  s->at = mbdi_arena_work(work, &used, n, sizeof *s->at);
  s->f0 = mbdi_arena_work(work, &used, 6 * n, word);
  s->F = mbdi_arena_work(work, &used, 6 * n * n, word);
  double ** vectors[] = {&s->N, &s->trial, &s->residual};
  for (int k = 0; k < 3; k++) *vectors[k] = mbdi_arena_work(work, &used, n, word);
  s->A = mbdi_arena_work(work, &used, n * n, word);
  s->step = mbdi_arena_work(work, &used, n * n, word);
  s->total = mbdi_arena_work(work, &used, nv, word);
  s->qdd = mbdi_arena_work(work, &used, nv, word);
  s->lambda = mbdi_arena_work(work, &used, m, word);
  s->qdd_of = mbdi_arena_work(work, &used, nv * (n + 1), word);
  s->lambda_of = mbdi_arena_work(work, &used, m * (n + 1), word);
  s->list = mbdi_arena_work(work, &used, (size_t)nwrench + 2 * n, sizeof *s->list);
  s->constrained = mbdi_arena_work(work, &used, mbd_constrained_work(model), word);
  return used;
}

size_t
mbd_bearing_work(const mbd_model_t * model, int nwrench)
{
  solver_t unused;
  if (!model || !model->finalized || nwrench < 0) return 0;
  return lay_out_solver(model, nwrench, NULL, &unused);
}

const double *
mbdi_bearing_responses(const mbd_model_t * model, int nwrench, double * work)
{
  solver_t s;
  lay_out_solver(model, nwrench, work, &s);
  return s.F;
}

//---------- dynamics ----------

// torques and wrenches with these loads, into s->total and s->list
static mbd_wrenches_t
apply(solver_t * s, const double * load)
{
  const mbd_model_t * model = s->model;
  int n = s->nwrench;
  memset(s->total, 0, (size_t)model->nv * sizeof *s->total);
  if (s->tau) copy_array(s->total, s->tau, model->nv);
  for (int i = 0; load && i < s->n; i++) {
    if (load[i] == 0) continue;
    n += mbdi_bearing_apply(
      model, s->data, &model->bearing[i], &s->at[i], load[i], s->total, s->list + n);
  }
  return (mbd_wrenches_t){n, s->list};
}

// accelerations and multipliers with these loads
static mbd_status_t
dynamics(solver_t * s, const double * load)
{
  const mbd_wrenches_t all = apply(s, load);
  if (s->model->nrow == 0)
    return mbd_forward_dynamics(s->model, s->data, NULL, NULL, s->total, &all, s->qdd);
  return mbdi_cut_forward_again(&s->cut, s->total, &all, s->qdd, s->lambda);
}

// the same as sums of responses, and the force stage
static mbd_status_t
combine(solver_t * s, const double * load)
{
  const mbd_model_t * model = s->model;
  const int nv = model->nv, m = model->nrow;
  copy_array(s->qdd, s->qdd_of, nv), copy_array(s->lambda, s->lambda_of, m);
  for (int j = 0; j < s->n; j++) {
    const double *qdd = s->qdd_of + (j + 1) * nv, *lambda = s->lambda_of + (j + 1) * m;
    for (int k = 0; k < nv; k++) s->qdd[k] += load[j] * qdd[k];
    for (int k = 0; k < m; k++) s->lambda[k] += load[j] * lambda[k];
  }
  if (!finite_array(s->qdd, nv) || !finite_array(s->lambda, m)) return MBD_ERROR_NOT_FINITE;
  const mbd_wrenches_t all = apply(s, load);
  mbdi_constrained_force_stage(model, s->data, s->qdd, &all, s->lambda);
  return MBD_OK;
}

static mbd_status_t
force(solver_t * s, int i, double f[6])
{
  return mbdi_bearing_force(s->model, s->data, &s->model->bearing[i], &s->at[i], s->lambda, f);
}

// rows of the closures, for all loads
static mbd_status_t
factor_rows(solver_t * s)
{
  mbd_constrained_t unused = {.error_closure = -1};
  if (s->model->nrow == 0) return MBD_OK;
  CHECK(check_cut(s->model, s->data, MBD_STAGE_VELOCITY));
  CHECK(mbdi_cut_begin(&s->cut, s->model, s->data, s->options.constrained, s->constrained));
  s->cut.M = s->cut.dense;
  // forces of closures are multipliers
  s->cut.without_forces = true;
  for (int i = 0; i < s->n; i++)
    if (s->model->bearing[i].closure < 0) s->cut.without_forces = false;
  const bool keeps_mimic = s->data->work->keeps_mimic;
  s->data->work->keeps_mimic = true;
  const mbd_status_t status = mbdi_cut_factor(&s->cut, &unused);
  s->data->work->keeps_mimic = keeps_mimic;
  return status;
}

// f0 and F
static mbd_status_t
responses(solver_t * s)
{
  double unused[6];
  CHECK(factor_rows(s));
  CHECK(dynamics(s, NULL));
  for (int i = 0; i < s->n; i++) CHECK(force(s, i, s->f0 + 6 * i));
  const int nv = s->model->nv, m = s->model->nrow;
  copy_array(s->qdd_of, s->qdd, nv), copy_array(s->lambda_of, s->lambda, m);
  memset(s->qdd_of + nv, 0, (size_t)(nv * s->n) * sizeof *s->qdd_of);
  memset(s->lambda_of + m, 0, (size_t)(m * s->n) * sizeof *s->lambda_of);
  memset(s->F, 0, 6 * (size_t)(s->n * s->n) * sizeof *s->F);
  for (int j = 0; j < s->n; j++) {
    if (s->at[j].force == 0 && s->at[j].torque == 0) continue;
    // a load of the size to expect, for the digits of the difference
    const double size =
      1 + mbdi_bearing_load(s->model, &s->model->bearing[j], s->f0 + 6 * j, unused);
    memset(s->trial, 0, (size_t)s->n * sizeof *s->trial);
    s->trial[j] = size;
    CHECK(dynamics(s, s->trial));
    for (int i = 0; i < s->n; i++) {
      double * f = s->F + 6 * (i * s->n + j);
      CHECK(force(s, i, f));
      for (int k = 0; k < 6; k++) f[k] = (f[k] - s->f0[6 * i + k]) / size;
    }
    double *qdd = s->qdd_of + (j + 1) * nv, *lambda = s->lambda_of + (j + 1) * m;
    for (int k = 0; k < nv; k++) qdd[k] = (s->qdd[k] - s->qdd_of[k]) / size;
    for (int k = 0; k < m; k++) lambda[k] = (s->lambda[k] - s->lambda_of[k]) / size;
  }
  return MBD_OK;
}

//---------- loads ----------

// N - n(f) with a share of the friction into residual, its matrix into A; returns its size
static double
residual_of(solver_t * s, double share, const double * N)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++) {
    double f[6], df[6];
    copy_array(f, s->f0 + 6 * i, 6);
    for (int j = 0; j < s->n; j++) {
      const double * F = s->F + 6 * (i * s->n + j);
      for (int k = 0; k < 6; k++) f[k] += share * N[j] * F[k];
    }
    s->residual[i] = N[i] - mbdi_bearing_load(s->model, &s->model->bearing[i], f, df);
    for (int j = 0; j < s->n; j++) {
      s->A[i * s->n + j] = (i == j) - share * mbdi_dot(6, df, s->F + 6 * (i * s->n + j));
    }
    sum += fabs(s->residual[i]);
  }
  return sum;
}

// loads of a share of the friction, from those in s->N
static bool
newton(solver_t * s, double share)
{
  const int n = s->n;
  double size = residual_of(s, share, s->N);
  for (int round = 0; round < s->options.iterations; round++) {
    double largest = 1;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(s->N[i]));
    if (!isfinite(size)) return false;
    if (size <= s->options.tolerance * largest) return true;
    copy_array(s->step, s->residual, n);
    if (!mbdi_solve(n, 1, s->A, s->step)) return false;
    s->count++;
    // shorter while the residual does not fall; the last one is taken in any case, out of a kink
    double factor = 1, next = size;
    for (int half = 0; half < 8; half++, factor /= 2) {
      for (int i = 0; i < n; i++) s->trial[i] = s->N[i] - factor * s->step[i];
      next = residual_of(s, share, s->trial);
      if (next < size) break;
    }
    copy_array(s->N, s->trial, n);
    size = next;
  }
  return false;
}

static bool
continuation(solver_t * s)
{
  double unused[6];
  for (int i = 0; i < s->n; i++)
    s->N[i] = mbdi_bearing_load(s->model, &s->model->bearing[i], s->f0 + 6 * i, unused);
  for (int k = 1; k <= s->options.steps; k++) {
    if (!newton(s, (double)k / s->options.steps)) return false;
  }
  return true;
}

static bool
is_guess(const double * load, int n)
{
  for (int i = 0; load && i < n; i++) {
    if (!(load[i] >= 0) || !isfinite(load[i])) return false;
  }
  return load != NULL;
}

// of the matrix at the loads; that of one bearing is a number, to be compared with 1, its value without friction
static double
condition_of(solver_t * s)
{
  const int n = s->n;
  residual_of(s, 1, s->N);
  const double size = fmax(1, mbdi_norm_1(n, s->A));
  memset(s->step, 0, (size_t)(n * n) * sizeof *s->step);
  for (int i = 0; i < n; i++) s->step[i * n + i] = 1;
  return mbdi_solve(n, n, s->A, s->step) ? size * mbdi_norm_1(n, s->step) : HUGE_VAL;
}

static mbd_status_t
solve(solver_t * s, const double * guess, mbd_bearing_info_t * info)
{
  const mbd_model_t * model = s->model;
  for (int i = 0; i < s->n; i++) mbdi_bearing_at(model, s->data, &model->bearing[i], &s->at[i]);
  CHECK(responses(s));
  bool found = false;
  if (is_guess(guess, s->n)) {
    copy_array(s->N, guess, s->n);
    found = newton(s, 1);
  }
  info->continuation = !found;
  if (!found && !continuation(s)) return MBD_ERROR_NO_SOLUTION;
  info->condition = s->n > 0 ? condition_of(s) : 1;
  info->iterations = s->count;
  info->power = 0;
  for (int i = 0; i < s->n; i++)
    info->power += s->N[i] * (s->at[i].force * s->at[i].speed + s->at[i].torque * s->at[i].omega);
  return combine(s, s->N);
}

mbd_status_t
mbd_bearing_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, const mbd_bearing_options_t * options,
  double * work, double * load, double * qdd, double * lambda, mbd_bearing_info_t * info)
{
  mbd_bearing_info_t unasked;
  if (!model || !data || !work || !qdd) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  solver_t s = {.model = model, .data = data, .tau = tau, .n = model->nbearing};
  s.options = options ? *options : mbd_bearing_options_default();
  if (!(s.options.tolerance > 0) || s.options.iterations < 1 || s.options.steps < 1)
    return MBD_ERROR_BAD_ARGUMENT;
  s.nwrench = f_ext ? f_ext->n : 0;
  if (s.nwrench < 0 || (s.nwrench > 0 && !f_ext->w)) return MBD_ERROR_BAD_ARGUMENT;
  lay_out_solver(model, s.nwrench, work, &s);
  if (s.nwrench > 0) memcpy(s.list, f_ext->w, (size_t)s.nwrench * sizeof *s.list);
  if (tau && !finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  if (v && !q) return MBD_ERROR_BAD_ARGUMENT;
  if (q && !v) CHECK(mbd_set_position(model, data, q));
  if (q && v) CHECK(mbd_set_state(model, data, q, v));
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  CHECK(mbd_complete_stages(model, data));
  CHECK(solve(&s, load, info ? info : &unasked));
  copy_array(qdd, s.qdd, model->nv);
  if (lambda) copy_array(lambda, s.lambda, model->nrow);
  if (load) copy_array(load, s.N, s.n);
  return MBD_OK;
}
