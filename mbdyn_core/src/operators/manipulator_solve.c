// One configuration of a manipulator for given inputs or outputs.
#include <math.h>
#include <string.h>

#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "operators/manipulator_internal.h"
#include "state/state.h"
#include "util/dense.h"

#define TURN 6.28318530717958647692

//---------- along a path ----------

// wanted values less those at the position stage, in the units of rows->e, where they are left
static mbd_status_t
find_change(mbd_manipulator_t * m, mbdi_rows_t * rows, const double * value, const double * q)
{
  double largest;
  copy_array(rows->wanted, value, rows->nmeasure);
  CHECK(mbdi_rows_errors(rows, q, &largest));
  for (int k = 0; k < rows->nmeasure; k++) {
    m->change[k] = -rows->e[rows->nclosed + k];
    m->start[k] = value[k] - m->change[k];
  }
  return MBD_OK;
}

// the step in columns for a change of all values by `fraction`, at the factors there are; its norm
static double
predict(mbd_manipulator_t * m, mbdi_rows_t * rows, double fraction)
{
  memset(rows->b, 0, (size_t)rows->rank * sizeof *rows->b);
  for (int k = 0; k < rows->nmeasure; k++) {
    rows->b[rows->closed_rank + k] = fraction * m->change[k];
  }
  (void)mbdi_lq_solve(&rows->lq, rows->b, rows->y, m->x, NULL);
  return sqrt(mbdi_dot(rows->n, m->x, m->x));
}

// one step to `to` of the path; false: not without changing the sign, or too far
static bool
try_path(
  mbd_manipulator_t * m, mbdi_rows_t * rows, double to, int sign, const double * q, double * q_next)
{
  enum { ITERATIONS = 6 };
  for (int k = 0; k < rows->nmeasure; k++) rows->wanted[k] = m->start[k] + to * m->change[k];
  if (mbdi_rows_move(rows, m->x, q, q_next) != MBD_OK) return false;
  if (mbdi_rows_correct(rows, m->options.tolerance, ITERATIONS, q_next, NULL) != MBD_OK)
    return false;
  if (mbdi_rows_factor(rows) != MBD_OK) return false;
  if (mbdi_rows_difference(rows, q, q_next, rows->step) != MBD_OK) return false;
  double square = 0;
  for (int k = 0; k < rows->n; k++) {
    square += (rows->step[k] - m->x[k]) * (rows->step[k] - m->x[k]);
  }
  const double size = sqrt(mbdi_dot(rows->n, m->x, m->x));
  int now = sign;
  if (mbdi_manipulator_square(rows)) (void)mbdi_rows_determinant(rows, NULL, &now);
  return now == sign && sqrt(square) <= 0.3 * size + 1e-9;
}

// q follows the values from where they are to `value`; *fraction of the way
static mbd_status_t
follow(
  mbd_manipulator_t * m, mbdi_rows_t * rows, const double * value, double * q, double * fraction)
{
  int sign = 0;
  double at = 0, step = 1;
  *fraction = 0;
  CHECK(find_change(m, rows, value, q));
  mbd_status_t status = mbdi_rows_factor(rows);
  if (status == MBD_ERROR_SINGULAR) return MBD_OK;
  CHECK(status);
  if (mbdi_manipulator_square(rows)) (void)mbdi_rows_determinant(rows, NULL, &sign);
  while (at < 1) {
    const double size = predict(m, rows, 1);
    step = fmin(fmin(step, 1 - at), size > 0 ? m->options.step / size : 1);
    if (!(step > 1e-7)) break;
    for (int k = 0; k < rows->n; k++) m->x[k] *= step;
    const double to = 1 - at - step < 1e-9 ? 1 : at + step;
    if (try_path(m, rows, to, sign, q, m->q_try)) {
      copy_array(q, m->q_try, rows->model->nq);
      at = to;
      step *= 2;
    } else {
      // factors at q again
      double unused;
      CHECK(mbdi_rows_errors(rows, q, &unused));
      status = mbdi_rows_factor(rows);
      if (status == MBD_ERROR_SINGULAR) break;
      CHECK(status);
      step *= 0.25;
    }
  }
  *fraction = at;
  copy_array(rows->wanted, value, rows->nmeasure);
  return MBD_OK;
}

//---------- least squares within the closures ----------

mbd_status_t
mbdi_manipulator_assemble(mbd_manipulator_t * m, mbdi_rows_t * rows, int iterations, double * q)
{
  const int rank = rows->rank;
  rows->rank = rows->closed_rank;
  rows->checked = rows->nclosed;
  const mbd_status_t status = mbdi_rows_correct(rows, m->options.tolerance, iterations, q, NULL);
  rows->rank = rank;
  rows->checked = rows->m;
  return status;
}

static double
half_square(const mbdi_rows_t * rows)
{
  const double * e = rows->e + rows->nclosed;
  return 0.5 * mbdi_dot(rows->nmeasure, e, e);
}

// step -P^T (P P^T + damping)^-1 e in m->x, P = rows of the measures less what the closures keep; the
// gradient's size in *slope
static mbd_status_t
damped_step(mbd_manipulator_t * m, mbdi_rows_t * rows, double damping, double * slope)
{
  const int n = rows->n, f = rows->nmeasure, rank = rows->rank;
  rows->rank = rows->closed_rank;
  const mbd_status_t status = mbdi_rows_factor(rows);
  rows->rank = rank;
  if (status != MBD_OK && status != MBD_ERROR_SINGULAR) return status;
  for (int k = 0; k < f; k++) {
    copy_array(m->P + k * n, rows->J + (size_t)(rows->nclosed + k) * (size_t)n, n);
    mbdi_lq_null_part(&rows->lq, m->P + k * n);
    m->e[k] = -rows->e[rows->nclosed + k];
  }
  *slope = 0;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int k = 0; k < f; k++) sum += m->P[k * n + j] * m->e[k];
    *slope = fmax(*slope, fabs(sum));
  }
  double trace = 0;
  for (int i = 0; i < f; i++) {
    for (int j = 0; j < f; j++) m->A[i * f + j] = mbdi_dot(n, m->P + i * n, m->P + j * n);
    trace += m->A[i * f + i];
  }
  for (int i = 0; i < f; i++) m->A[i * f + i] += fmax(damping, 1e-13 * trace + 1e-300);
  double * floor = m->start;
  memset(floor, 0, (size_t)f * sizeof *floor);
  memset(m->x, 0, (size_t)n * sizeof *m->x);
  if (!mbdi_cholesky(f, m->A, floor, m->L)) return MBD_OK;
  mbdi_solve_lower(f, m->L, m->e);
  mbdi_solve_upper(f, m->L, m->e);
  double most = 0;
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < f; k++) m->x[j] += m->P[k * n + j] * m->e[k];
    most = fmax(most, fabs(m->x[j]));
  }
  // steps are trusted for half a radian
  for (int j = 0; most > 0.5 && j < n; j++) m->x[j] *= 0.5 / most;
  return MBD_OK;
}

mbd_status_t
mbdi_manipulator_descend(mbd_manipulator_t * m, mbdi_rows_t * rows, double * q, double * error)
{
  enum { ITERATIONS = 200, CLOSING = 15 };
  double factor = 1, largest;
  CHECK(mbdi_rows_errors(rows, q, error));
  double square = half_square(rows);
  for (int i = 0; i<ITERATIONS && * error> m->options.tolerance; i++) {
    double slope;
    CHECK(mbdi_rows_errors(rows, q, &largest));
    CHECK(damped_step(m, rows, factor * square, &slope));
    if (slope <= 1e-9 * sqrt(2 * square)) break;
    CHECK(mbdi_rows_move(rows, m->x, q, m->q_try));
    mbd_status_t status = mbdi_manipulator_assemble(m, rows, CLOSING, m->q_try);
    bool good = status == MBD_OK;
    if (!good && status != MBD_ERROR_NOT_CONVERGED && status != MBD_ERROR_SINGULAR) return status;
    if (good) {
      CHECK(mbdi_rows_errors(rows, m->q_try, &largest));
      good = half_square(rows) < square;
    }
    factor = good ? fmax(factor / 4, 1e-6) : 8 * factor;
    if (!good && factor > 1e12) break;
    if (!good) continue;
    copy_array(q, m->q_try, rows->model->nq);
    square = half_square(rows);
    *error = largest;
  }
  return MBD_OK;
}

//---------- random configurations ----------

static double
uniform(uint64_t * state)
{
  // splitmix64
  uint64_t z = *state += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// coordinates of a body's joint that are translations without limits
static bool
is_free_translation(const mbd_body_t * body, int k)
{
  switch (body->type) {
    case MBD_JOINT_PRISMATIC:
      return !(isfinite(body->limits.lower) && isfinite(body->limits.upper));
    case MBD_JOINT_FREE: return k < 3;
    case MBD_JOINT_PLANAR: return k < 2;
    case MBD_JOINT_CYLINDRICAL: return k == 1;
    default: return false;
  }
}

mbd_status_t
mbdi_manipulator_random(
  mbd_manipulator_t * m, const mbdi_rows_t * rows, uint64_t number, const double * seed, double * q)
{
  const mbd_model_t * model = rows->model;
  uint64_t state = 77 * (m->options.random_seed + number) + 1;
  double length = 1;
  for (int k = 0; k < rows->nmeasure; k++) length = fmax(length, fabs(rows->wanted[k]));
  CHECK(mbd_random_configuration(model, m->options.random_seed + number, q));
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    for (int k = 0; k < body->nq; k++) {
      const double x = length * (2 * uniform(&state) - 1);
      if (is_free_translation(body, k)) q[body->q_index + k] = seed[body->q_index + k] + x;
    }
    // what moves no row stays
    const bool moves = body->nv > 0 && rows->column[body->v_index] >= 0;
    if (!moves) copy_array(q + body->q_index, seed + body->q_index, body->nq);
  }
  return MBD_OK;
}

//---------- solve ----------

double
mbdi_manipulator_outside(const mbd_manipulator_t * m, const double * q, int * dof)
{
  const mbdi_rows_t * rows = &m->of_input;
  const mbd_model_t * model = rows->model;
  double most = 0;
  *dof = -1;
  for (int k = 0; k < model->nv && !m->options.ignore_limits; k++) {
    const mbd_body_t * body = &model->body[model->dof_body[k]];
    const int at = k - body->v_index;
    if (rows->column[k] < 0 || at >= mbdi_joint_positions(body)) continue;
    if (body->type == MBD_JOINT_CONTINUOUS) continue;
    double x = q[body->q_index + at];
    const double low = body->limits.lower, high = body->limits.upper;
    // inputs count turns; of other angles the one within limits is meant
    if (body->type == MBD_JOINT_REVOLUTE && isfinite(low) && isfinite(high)) {
      x -= TURN * round((x - 0.5 * (low + high)) / TURN);
    }
    const double outside = fmax(low - x, x - high);
    if (outside > most + 1e-9) most = outside, *dof = k;
  }
  return most;
}

static mbd_status_t
sign_of(mbdi_rows_t * rows, const double * q, int * sign)
{
  double largest;
  *sign = 0;
  CHECK(mbdi_rows_errors(rows, q, &largest));
  const mbd_status_t status = mbdi_rows_factor(rows);
  if (status == MBD_ERROR_SINGULAR || !mbdi_manipulator_square(rows)) return MBD_OK;
  CHECK(status);
  (void)mbdi_rows_determinant(rows, NULL, sign);
  return MBD_OK;
}

// from the seed and from random configurations, until one solution is within limits; the nearest is in q_best
static mbd_status_t
search(
  mbd_manipulator_t * m, mbdi_rows_t * rows, const double * seed, double * best, double * outside)
{
  const int nq = rows->model->nq;
  for (int k = 0; k <= m->options.restarts; k++) {
    double error;
    int dof;
    if (k == 0) copy_array(m->q, seed, nq);
    if (k > 0) CHECK(mbdi_manipulator_random(m, rows, (uint64_t)k, seed, m->q));
    mbd_status_t status = mbdi_manipulator_assemble(m, rows, 50, m->q);
    if (status == MBD_ERROR_NOT_CONVERGED || status == MBD_ERROR_SINGULAR) continue;
    CHECK(status);
    CHECK(mbdi_manipulator_descend(m, rows, m->q, &error));
    const double out = mbdi_manipulator_outside(m, m->q, &dof);
    const bool solved = error <= m->options.tolerance, had = *best <= m->options.tolerance;
    if (solved && had ? out < *outside : error < *best) {
      *best = error, *outside = out;
      copy_array(m->q_best, m->q, nq);
    }
    if (solved && out == 0) break;
  }
  return MBD_OK;
}

static mbd_status_t
solve(
  mbd_manipulator_t * m, mbd_data_t * data, bool of_inputs, const double * value,
  const double * seed, mbd_manipulator_result_t * result)
{
  mbdi_rows_t * rows = mbdi_manipulator_rows(m, data, of_inputs, NULL);
  mbdi_rows_t * other = mbdi_manipulator_rows(m, data, !of_inputs, NULL);
  const int nq = rows->model->nq;
  mbd_manipulator_result_t r = {.limit = -1};
  int before, after;
  copy_array(m->q_seed, seed, nq);
  const mbd_status_t status = mbdi_manipulator_assemble(m, rows, 50, m->q_seed);
  if (status != MBD_OK) return status == MBD_ERROR_NOT_CONVERGED ? MBD_ERROR_NOT_ASSEMBLED : status;
  CHECK(sign_of(other, m->q_seed, &before));
  copy_array(m->q, m->q_seed, nq);
  CHECK(follow(m, rows, value, m->q, &r.fraction));
  copy_array(m->q_best, m->q, nq);
  CHECK(mbdi_rows_errors(rows, m->q, &r.error));
  double outside = mbdi_manipulator_outside(m, m->q, &r.limit);
  r.outcome = MBD_MANIPULATOR_SOLVED;
  if (r.fraction < 1 || outside > 0) {
    r.outcome = MBD_MANIPULATOR_OTHER;
    if (r.fraction < 1) r.error = HUGE_VAL;
    CHECK(search(m, rows, m->q_seed, &r.error, &outside));
    (void)mbdi_manipulator_outside(m, m->q_best, &r.limit);
    if (outside > 0) r.outcome = MBD_MANIPULATOR_AT_LIMIT;
    if (r.error > m->options.tolerance) r.outcome = MBD_MANIPULATOR_UNREACHABLE;
  }
  CHECK(sign_of(other, m->q_best, &after));
  r.crossed = before != after;
  CHECK(mbd_set_position(rows->model, data, m->q_best));
  *result = r;
  return MBD_OK;
}

static mbd_status_t
solve_for(
  mbd_manipulator_t * m, mbd_data_t * data, bool of_inputs, const double * value,
  const double * seed, double * q, double * found, mbd_manipulator_result_t * result)
{
  if (!m || !value || !seed || !q || !result) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_cut(m->of_input.model, data, 0));
  const mbdi_rows_t * rows = of_inputs ? &m->of_input : &m->of_output;
  const mbdi_rows_t * other = of_inputs ? &m->of_output : &m->of_input;
  if (!finite_array(value, rows->nmeasure)) return MBD_ERROR_NOT_FINITE;
  // checks the seed
  CHECK(mbd_set_position(rows->model, data, seed));
  CHECK(solve(m, data, of_inputs, value, seed, result));
  for (int k = 0; k < other->nmeasure && found; k++) {
    CHECK(mbd_measure(rows->model, data, &other->measure[k], &found[k], NULL, NULL));
  }
  copy_array(q, m->q_best, rows->model->nq);
  return MBD_OK;
}

mbd_status_t
mbd_manipulator_forward(
  mbd_manipulator_t * m, mbd_data_t * data, const double * y, const double * seed, double * q,
  double * z, mbd_manipulator_result_t * result)
{
  return solve_for(m, data, true, y, seed, q, z, result);
}

mbd_status_t
mbd_manipulator_inverse(
  mbd_manipulator_t * m, mbd_data_t * data, const double * z, const double * seed, double * q,
  double * y, mbd_manipulator_result_t * result)
{
  return solve_for(m, data, false, z, seed, q, y, result);
}
