// Operational space of several frames: compliances block by block, then small dense algebra.
#include "mbdyn/dynamics/task.h"

#include <math.h>

#include "mbdyn/dynamics/compliance.h"
#include "mbdyn/forward.h"
#include "mbdyn/inverse.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/opspace.h"
#include "simd/simd_args.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/dense.h"

int
mbd_task_rows(const mbd_tasks_t * tasks)
{
  int rows = 0;
  for (int k = 0; tasks && tasks->t && k < tasks->n; k++) {
    if (tasks->t[k].nrow < 1 || tasks->t[k].nrow > 6) return 0;
    rows += tasks->t[k].nrow;
  }
  return rows;
}

size_t
mbd_task_work(const mbd_model_t * model, const mbd_tasks_t * tasks)
{
  if (!model || !model->finalized || !tasks) return 0;
  const size_t m = (size_t)mbd_task_rows(tasks), nv = (size_t)model->nv;
  if (m == 0 && tasks->n != 0) return 0;
  // a compliance and its inverse at work, a Jacobian, vectors of either length, and the factor of each
  // frame's compliance
  return 3 * m * m + m * nv + 3 * m + 2 * nv + 8 * nv * (size_t)tasks->n;
}

static mbd_status_t
check_tasks(const mbd_model_t * model, const mbd_tasks_t * tasks)
{
  if (!tasks || (tasks->n > 0 && !tasks->t)) return MBD_ERROR_NULL_ARGUMENT;
  if (tasks->n < 0) return MBD_ERROR_BAD_ARGUMENT;
  for (int k = 0; k < tasks->n; k++) {
    const mbd_task_t * t = &tasks->t[k];
    CHECK(check_frame(model, t->frame, t->reference));
    if (t->nrow < 1 || t->nrow > 6) return MBD_ERROR_BAD_ARGUMENT;
    if (!finite_array(t->row[0], 6 * t->nrow)) return MBD_ERROR_NOT_FINITE;
  }
  return MBD_OK;
}

//---------- Jacobian, Jdot v, compliance ----------

mbd_status_t
mbd_task_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double * J)
{
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (!J) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_tasks(model, tasks));
  memset(J, 0, (size_t)mbd_task_rows(tasks) * (size_t)model->nv * sizeof *J);
  const size_t nv = (size_t)model->nv;
  double * whole = data->work->E;
  for (int k = 0, first = 0; k < tasks->n; first += tasks->t[k++].nrow) {
    const mbd_task_t * t = &tasks->t[k];
    CHECK(mbd_jacobian(model, data, t->frame, t->reference, whole));
    for (int r = 0; r < 6 * t->nrow; r++) {
      double * row = J + (size_t)(first + r / 6) * nv;
      const double factor = t->row[r / 6][r % 6];
      for (size_t c = 0; c < nv; c++) row[c] += factor * whole[(size_t)(r % 6) * nv + c];
    }
  }
  return MBD_OK;
}

mbd_status_t
mbd_task_bias(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double * bias)
{
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  if (!bias) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_tasks(model, tasks));
  for (int k = 0, first = 0; k < tasks->n; first += tasks->t[k++].nrow) {
    const mbd_task_t * t = &tasks->t[k];
    mbd_motion_t A;
    CHECK(mbd_jacobian_bias(model, data, t->frame, t->reference, &A));
    for (int r = 0; r < t->nrow; r++) bias[first + r] = mbdi_row_times(t->row[r], A);
  }
  return MBD_OK;
}

// the six rows of the frame itself
static bool
is_whole(const mbd_task_t * t)
{
  static const double unit[6][6] = {{1},          {0, 1},          {0, 0, 1},
                                    {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};
  return t->nrow == 6 && memcmp(t->row, unit, sizeof unit) == 0;
}

// y = row X of a 6 x 6 matrix; most rows select one of its rows
static inline void
row_times(const double * row, const double * X, double * y)
{
  memset(y, 0, 6 * sizeof *y);
  for (int k = 0; k < 6; k++) {
    if (row[k] == 0) continue;
    for (int j = 0; j < 6; j++) y[j] += row[k] * X[6 * k + j];
  }
}

// rows of task a times the 6 x 6 compliance between them times rows of task b, and the transpose
static void
put_block(
  const mbd_task_t * a, const mbd_task_t * b, const double * omega, int row, int column, int m,
  double * compliance)
{
  double y[6], product[36] = {0};  // of omega^T and the rows of a, which are its columns
  for (int i = 0; i < a->nrow; i++) {
    row_times(a->row[i], omega, y);
    for (int k = 0; k < 6; k++) product[6 * k + i] = y[k];
  }
  for (int j = 0; j < b->nrow; j++) {
    row_times(b->row[j], product, y);
    for (int i = 0; i < a->nrow; i++) {
      compliance[(row + i) * m + column + j] = y[i];
      compliance[(column + j) * m + row + i] = y[i];
    }
  }
}

mbd_status_t
mbd_task_compliance(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double * compliance)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!compliance) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_tasks(model, tasks));
  const int m = mbd_task_rows(tasks);
  for (int a = 0, row = 0; a < tasks->n; row += tasks->t[a++].nrow) {
    for (int b = 0, column = 0; b <= a; column += tasks->t[b++].nrow) {
      const mbd_task_t *ta = &tasks->t[a], *tb = &tasks->t[b];
      double omega[36];
      CHECK(mbd_compliance_between(
        model, data, ta->frame, ta->reference, tb->frame, tb->reference, omega));
      put_block(ta, tb, omega, row, column, m, compliance);
    }
  }
  return MBD_OK;
}

// weight that makes a row of the compliance dimensionless, of order one
static void
row_scales(const mbd_task_t * t, const double * C, int stride, double length, double * w)
{
  double angular, linear;
  mbdi_compliance_size(C, stride, length, &angular, &linear);
  for (int r = 0; r < t->nrow; r++) {
    const double * row = t->row[r];
    const double size = angular * (row[0] * row[0] + row[1] * row[1] + row[2] * row[2]) +
                        linear * (row[3] * row[3] + row[4] * row[4] + row[5] * row[5]);
    w[r] = size > 0 ? 1 / sqrt(size) : 0;
  }
}

// a frame of fast_compliance
typedef struct factored {
  const mbd_task_t * task;
  const double * E;
  int body;
  int row;  // where its rows begin
  bool whole;
} factored_t;

// compliance between the rows of two tasks, and its transpose; of the same task its scales too
static void
fast_block(
  const mbd_model_t * model, const factored_t * a, const factored_t * b, double length, int m,
  double * compliance, double * w)
{
  const mbdi_kernels_t * k = model->internal->plan->kernels;
  const int both = a->body == b->body ? a->body : mbdi_common_body(model, a->body, b->body);
  double * at = compliance + a->row * m + b->row;
  if (a->whole && b->whole) {
    k->factor_product(model->internal->plan, both, a->E, b->E, m, at);
    if (a->row == b->row)
      mbdi_compliance_scales(at, m, length, w + a->row);
    else
      k->factor_product(
        model->internal->plan, both, b->E, a->E, m, compliance + b->row * m + a->row);
    return;
  }
  double omega[36];
  k->factor_product(model->internal->plan, both, a->E, b->E, 6, omega);
  put_block(a->task, b->task, omega, a->row, b->row, m, compliance);
  if (a->row == b->row) row_scales(a->task, omega, 6, length, w + a->row);
}

// compliance of all rows and their scales by kernel; a factor of 8 nv numbers for each task in E
static bool
fast_compliance(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, int m, double * E,
  double * compliance, double * w)
{
  mbdi_kernel_args_t args;
  if (stage_any(data, MBD_STAGE_COMPLIANCE) || !mbdi_simd_articulated(model, data, &args)) {
    return false;
  }
  const size_t size = 8 * (size_t)model->nv;
  for (int k = 0, row = 0; k < tasks->n; row += tasks->t[k++].nrow) {
    const mbd_task_t * t = &tasks->t[k];
    const mbd_frame_t * frame = &model->frame[t->frame];
    const factored_t a = {t, E + (size_t)k * size, frame->body, row, is_whole(t)};
    const double length = a.body < 0 ? 0
                                     : model->internal->plan->kernels->factor(
                                         &args, frame, t->reference, E + (size_t)k * size);
    for (int l = 0, column = 0; l <= k; column += tasks->t[l++].nrow) {
      const mbd_task_t * u = &tasks->t[l];
      const factored_t b = {
        u, E + (size_t)l * size, model->frame[u->frame].body, column, a.whole && is_whole(u)};
      fast_block(model, &a, &b, length, m, compliance, w);
    }
  }
  return true;
}

// the same in general
static mbd_status_t
scaled_compliance(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double * compliance,
  double * w)
{
  CHECK(mbd_task_compliance(model, data, tasks, compliance));
  for (int k = 0, first = 0; k < tasks->n; first += tasks->t[k++].nrow) {
    const mbd_task_t * t = &tasks->t[k];
    double C[36], length;
    CHECK(mbdi_frame_compliance(model, data, t->frame, t->reference, C, &length));
    row_scales(t, C, 6, length, w + first);
  }
  return MBD_OK;
}

mbd_status_t
mbd_task_inertia(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks,
  const mbd_singular_t * singular, double * work, double * inertia, mbd_task_info_t * info)
{
  if (!work || !inertia) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_singular_t choice =
    singular ? *singular : (mbd_singular_t){MBD_SINGULAR_TRUNCATE, 0, 0};
  if ((int)choice.policy < MBD_SINGULAR_TRUNCATE || (int)choice.policy > MBD_SINGULAR_REFUSE) {
    return MBD_ERROR_BAD_ARGUMENT;
  }
  // written so that not-a-number fails
  if (!(choice.tolerance >= 0 && choice.tolerance < 1)) return MBD_ERROR_BAD_ARGUMENT;
  const bool damp = choice.policy == MBD_SINGULAR_DAMP;
  if (damp && !(choice.damping > 0 && choice.damping < HUGE_VAL)) return MBD_ERROR_BAD_ARGUMENT;

  CHECK(check_any_dynamics(model, data, 0));
  CHECK(check_tasks(model, tasks));
  // a state is enough: it need not have been computed from
  if (!stage_has_position(data)) return MBD_ERROR_STAGE;
  const int m = mbd_task_rows(tasks);
  const size_t square = (size_t)m * (size_t)m;
  double *w = work, *compliance = work + m, *rest = compliance + square;
  if (!fast_compliance(model, data, tasks, m, rest + 2 * square, compliance, w)) {
    CHECK(scaled_compliance(model, data, tasks, compliance, w));
  }
  mbd_task_info_t found;
  found.rank = mbdi_invert_semidefinite(
    model->internal->engine->invert, m, compliance, w,
    choice.tolerance > 0 ? choice.tolerance : MBD_SMALLEST_COMPLIANCE, damp ? choice.damping : 0,
    rest, inertia, info ? &found.condition : NULL);
  if (info) *info = found;
  return choice.policy == MBD_SINGULAR_REFUSE && found.rank < m ? MBD_ERROR_SINGULAR : MBD_OK;
}

//---------- forces ----------

// task acceleration J x of a joint acceleration x, from the bodies' motions in data->W
static void
task_motion(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_tasks_t * tasks, double * out)
{
  for (int k = 0, first = 0; k < tasks->n; first += tasks->t[k++].nrow) {
    const mbd_task_t * t = &tasks->t[k];
    const int body = model->frame[t->frame].body;
    mbd_motion_t A = {{0, 0, 0}, {0, 0, 0}};
    if (body >= 0) {
      const mbd_placement_t X = mbdi_reference_in_body(model, data, t->frame, t->reference);
      A = mbdu_motion_to_child(&X, data->work->W[body]);
    }
    for (int r = 0; r < t->nrow; r++) out[first + r] = mbdi_row_times(t->row[r], A);
  }
}

// y = A x, A row-major n x n
static void
multiply(const double * A, const double * x, int n, double * y)
{
  for (int i = 0; i < n; i++) y[i] = mbdi_dot(n, A + (size_t)i * (size_t)n, x);
}

// out = Lambda J M^-1 x; x is overwritten
static mbd_status_t
effective_force(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * inertia,
  double * x, double * rows, double * out)
{
  CHECK(model->internal->engine->prepare_solve(model, data));
  model->internal->engine->solve(model, data, x);
  task_motion(model, data, tasks, rows);
  const int m = mbd_task_rows(tasks);
  multiply(inertia, rows, m, out);
  return MBD_OK;
}

mbd_status_t
mbd_task_forces(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * inertia,
  double * work, double * mu, double * p)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!inertia || !work) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_tasks(model, tasks));
  const int m = mbd_task_rows(tasks);
  double *rows = work, *bias = work + m, *x = work + 2 * m, *g = x + model->nv;
  CHECK(mbd_gravity(model, data, g));
  if (mu) {
    // Lambda (J M^-1 C v - Jdot v)
    CHECK(mbd_bias(model, data, x));
    for (int k = 0; k < model->nv; k++) x[k] -= g[k];
    CHECK(effective_force(model, data, tasks, inertia, x, rows, mu));
    CHECK(mbd_task_bias(model, data, tasks, bias));
    multiply(inertia, bias, m, rows);
    for (int k = 0; k < m; k++) mu[k] -= rows[k];
  }
  if (p) CHECK(effective_force(model, data, tasks, inertia, g, rows, p));
  return MBD_OK;
}

//---------- inverse, null space, control ----------

// x = J^T y by a sweep
static void
transpose_times(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * y,
  double * x)
{
  memset(data->work->F, 0, (size_t)mbdi_body_count(model) * sizeof *data->work->F);
  for (int k = 0, first = 0; k < tasks->n; first += tasks->t[k++].nrow) {
    const mbd_task_t * t = &tasks->t[k];
    double f[6] = {0};
    for (int r = 0; r < t->nrow; r++) {
      for (int c = 0; c < 6; c++) f[c] += t->row[r][c] * y[first + r];
    }
    const mbd_wrench_t w = {t->frame, t->reference, {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}}};
    const mbd_wrenches_t one = {1, &w};
    mbdi_add_wrenches(model, data, &one, 1, data->work->F);
  }
  model->internal->engine->gather_forces(model, data, data->work->F, x);
}

// column k of M^-1 J^T Lambda; work: rows and nv numbers
static const double *
inverse_column(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * inertia,
  int m, int k, double * work)
{
  for (int i = 0; i < m; i++) work[i] = inertia[i * m + k];
  transpose_times(model, data, tasks, work, work + m);
  model->internal->engine->solve(model, data, work + m);
  return work + m;
}

mbd_status_t
mbd_task_inverse(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * inertia,
  double * work, double * inverse)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!inertia || !work || !inverse) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_tasks(model, tasks));
  CHECK(model->internal->engine->prepare_solve(model, data));
  const int m = mbd_task_rows(tasks), nv = model->nv;
  for (int k = 0; k < m; k++) {
    const double * x = inverse_column(model, data, tasks, inertia, m, k, work);
    for (int i = 0; i < nv; i++) inverse[(size_t)i * (size_t)m + (size_t)k] = x[i];
  }
  return MBD_OK;
}

mbd_status_t
mbd_task_nullspace(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * inertia,
  double * work, double * N)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!inertia || !work || !N) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_tasks(model, tasks));
  CHECK(model->internal->engine->prepare_solve(model, data));
  const int m = mbd_task_rows(tasks);
  const size_t nv = (size_t)model->nv;
  double * J = work + m + nv;
  CHECK(mbd_task_jacobian(model, data, tasks, J));
  memset(N, 0, nv * nv * sizeof *N);
  for (size_t i = 0; i < nv; i++) N[i * nv + i] = 1;
  for (int k = 0; k < m; k++) {
    const double * x = inverse_column(model, data, tasks, inertia, m, k, work);
    for (size_t i = 0; i < nv; i++) {
      for (size_t j = 0; j < nv; j++) N[i * nv + j] -= x[i] * J[(size_t)k * nv + j];
    }
  }
  return MBD_OK;
}

// force on the tasks: Lambda u + mu + p - Lambda J M^-1 tau0                        (10.10)
static mbd_status_t
control_force(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * inertia,
  const double * u, const double * tau0, double * work, double * f)
{
  const int m = mbd_task_rows(tasks);
  double *rows = work, *bias = work + m, *x = work + 2 * m;
  // what the torques tau0 - h alone would give the tasks; the rest is up to f
  CHECK(mbd_bias(model, data, x));
  for (int k = 0; k < model->nv; k++) x[k] = (tau0 ? tau0[k] : 0) - x[k];
  CHECK(model->internal->engine->prepare_solve(model, data));
  model->internal->engine->solve(model, data, x);
  task_motion(model, data, tasks, rows);
  CHECK(mbd_task_bias(model, data, tasks, bias));
  for (int k = 0; k < m; k++) rows[k] = u[k] - bias[k] - rows[k];
  multiply(inertia, rows, m, f);
  return MBD_OK;
}

mbd_status_t
mbd_task_control(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * inertia,
  const double * u, const double * tau0, double * work, double * tau)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!inertia || !u || !work || !tau) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_tasks(model, tasks));
  const int m = mbd_task_rows(tasks);
  if (!finite_array(u, m) || (tau0 && !finite_array(tau0, model->nv))) return MBD_ERROR_NOT_FINITE;
  double *f = work + 2 * (size_t)m + 2 * (size_t)model->nv, *x = work + 2 * m;
  CHECK(control_force(model, data, tasks, inertia, u, tau0, work, f));
  // N^T tau0 = tau0 - J^T Lambda J M^-1 tau0, the second part being in f already
  transpose_times(model, data, tasks, f, x);
  for (int k = 0; k < model->nv; k++) x[k] += tau0 ? tau0[k] : 0;
  return copy_checked(tau, x, model->nv);
}
