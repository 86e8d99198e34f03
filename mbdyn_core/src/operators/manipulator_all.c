// All configurations of a manipulator for given inputs or outputs: curves with one value released, and deflated
// Newton steps from random configurations.
#include <math.h>
#include <string.h>

#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "operators/manipulator_internal.h"
#include "operators/self_motion_internal.h"
#include "state/state.h"
#include "util/dense.h"

#define TURN 6.28318530717958647692

typedef struct solutions {
  mbd_manipulator_t * m;
  mbdi_rows_t * rows;
  int most, n;
  double * q;  // [most nq]
} solutions_t;

static double *
solution(const solutions_t * s, int i)
{
  return s->q + (size_t)i * (size_t)s->rows->model->nq;
}

//---------- list ----------

// largest difference of a measure
static mbd_status_t
differ(mbdi_rows_t * rows, const double * a, const double * b, double * most)
{
  double largest;
  CHECK(mbd_set_position(rows->model, rows->data, a));
  for (int k = 0; k < rows->nmeasure; k++) {
    CHECK(mbd_measure(rows->model, rows->data, &rows->measure[k], &rows->y[k], NULL, NULL));
  }
  for (int k = 0; k < rows->nmeasure; k++) {
    const double keep = rows->wanted[k];
    rows->wanted[k] = rows->y[k], rows->y[k] = keep;
  }
  const mbd_status_t status = mbdi_rows_errors(rows, b, &largest);
  for (int k = 0; k < rows->nmeasure; k++) rows->wanted[k] = rows->y[k];
  CHECK(status);
  for (int k = 0; k < rows->nmeasure; k++) {
    double e = fabs(rows->e[rows->nclosed + k]);
    // joints that turn count turns, their links do not
    const mbd_measure_t * x = &rows->measure[k];
    if (x->type == MBD_MEASURE_JOINT) {
      const int dof = rows->model->body[x->body].v_index + x->coordinate;
      if (mbdi_self_motion_turns(rows->model, dof)) e = fabs(remainder(e, TURN));
    }
    *most = fmax(*most, e);
  }
  return MBD_OK;
}

// q into the list, if it is within limits and not there yet
static mbd_status_t
add(solutions_t * s, const double * q, bool * is_new)
{
  int dof;
  *is_new = false;
  if (s->n == s->most || mbdi_manipulator_outside(s->m, q, &dof) > 0) return MBD_OK;
  for (int i = 0; i < s->n; i++) {
    double most = 0;
    CHECK(differ(&s->m->of_input, solution(s, i), q, &most));
    CHECK(differ(&s->m->of_output, solution(s, i), q, &most));
    if (most < 1e-5) return MBD_OK;
  }
  copy_array(solution(s, s->n++), q, s->rows->model->nq);
  *is_new = true;
  return MBD_OK;
}

//---------- curves ----------

// the curve of all rows but that of measure k, through a solution
static mbd_status_t
release(solutions_t * s, int k, const double * q)
{
  mbdi_curve_t * curve = &s->m->curve;
  mbdi_rows_t *to = &curve->rows, *rows = s->rows;
  to->data = rows->data;
  to->t = rows->t;
  to->measure = rows->measure;
  to->nmeasure = rows->nmeasure;
  to->m = to->checked = rows->m;
  to->n = rows->n;
  to->closed_rank = rows->closed_rank;
  to->skip = rows->nclosed + k;
  to->rank = 0;
  copy_array(to->wanted, rows->wanted, rows->nmeasure);
  memcpy(to->column, rows->column, (size_t)rows->model->nv * sizeof *to->column);
  for (int i = 0; i < rows->rank; i++) {
    if (rows->keep[i] != to->skip) to->keep[to->rank++] = rows->keep[i];
  }
  curve->tolerance = s->m->options.tolerance;
  copy_array(curve->q, q, rows->model->nq);
  return mbdi_curve_begin(curve, NULL);
}

// where the released value passes the wanted one between q and q_next
static mbd_status_t
take_crossing(solutions_t * s, double before)
{
  enum { BISECTIONS = 20, ITERATIONS = 10 };
  mbdi_curve_t * curve = &s->m->curve;
  const int skip = curve->rows.skip;
  double low = 0, high = 1;
  for (int i = 0; i < BISECTIONS; i++) {
    const double middle = 0.5 * (low + high);
    const mbd_status_t status = mbdi_curve_between(curve, middle);
    if (status != MBD_OK) return MBD_OK;
    *(curve->rows.e[skip] * before > 0 ? &low : &high) = middle;
  }
  bool is_new;
  double * q = s->m->q;
  copy_array(q, curve->q_next, curve->rows.model->nq);
  const mbd_status_t status =
    mbdi_rows_correct(s->rows, s->m->options.tolerance, ITERATIONS, q, NULL);
  if (status == MBD_ERROR_NOT_CONVERGED || status == MBD_ERROR_SINGULAR) return MBD_OK;
  CHECK(status);
  return add(s, q, &is_new);
}

// one direction; *closed: it came back
static mbd_status_t
walk(solutions_t * s, double direction, const double * q0, bool * closed)
{
  enum { STEPS = 1500 };
  mbdi_curve_t * curve = &s->m->curve;
  mbdi_rows_t * rows = &curve->rows;
  const int skip = rows->skip;
  double before = 0;
  *closed = false;
  for (int i = 0; i < STEPS && s->n < s->most; i++) {
    double h = direction * s->m->options.step;
    mbd_status_t status;
    if (!mbdi_curve_step(curve, &h, &status)) return status;
    const double now = rows->e[skip];
    // the first step starts at a solution; an angle that jumps by a turn passes nothing
    if (i > 0 && before * now < 0 && fabs(before - now) < 2) {
      CHECK(mbdi_rows_difference(rows, curve->q, curve->q_next, s->m->x));
      copy_array(s->m->q_try, curve->q_next, rows->model->nq);
      CHECK(take_crossing(s, before));
      copy_array(curve->q_next, s->m->q_try, rows->model->nq);
    }
    before = now;
    mbdi_curve_accept(curve);
    CHECK(mbdi_rows_difference(rows, curve->q, q0, s->m->x));
    double square = 0;
    for (int k = 0; k < rows->model->nv; k++) {
      const int c = rows->column[k];
      if (c < 0) continue;
      const double x = s->m->x[c];
      const double d = mbdi_self_motion_turns(rows->model, k) ? remainder(x, TURN) : x;
      square += d * d;
    }
    *closed = i > 3 && square < s->m->options.step * s->m->options.step;
    if (*closed) return MBD_OK;
  }
  return MBD_OK;
}

static mbd_status_t
walk_from(solutions_t * s, int i)
{
  mbd_manipulator_t * m = s->m;
  for (int k = 0; k < s->rows->nmeasure; k++) {
    bool closed = false;
    for (int side = 0; side < 2 && !closed; side++) {
      copy_array(m->q_best, solution(s, i), s->rows->model->nq);
      const mbd_status_t status = release(s, k, m->q_best);
      if (status == MBD_ERROR_SINGULAR || status == MBD_ERROR_NOT_CONVERGED) break;
      CHECK(status);
      CHECK(walk(s, side == 0 ? 1 : -1, m->q_best, &closed));
    }
  }
  return MBD_OK;
}

//---------- deflation ----------

// w . p, w the gradient of the logarithm of prod (1 / |q - q_k|^2 + 1), for the step p in columns
static mbd_status_t
deflation(const solutions_t * s, const double * q, const double * p, double * slope)
{
  mbdi_rows_t * rows = s->rows;
  double * d = s->m->P;
  *slope = 0;
  for (int k = 0; k < s->n; k++) {
    CHECK(mbdi_rows_difference(rows, solution(s, k), q, d));
    const double square = mbdi_dot(rows->n, d, d) + 1e-300;
    *slope -= 2 * mbdi_dot(rows->n, d, p) / (square * (1 + square));
  }
  return MBD_OK;
}

// Newton's method on the deflated system: a multiple of the Newton step (Farrell, Birkisson and Funke,
// SIAM Journal on Scientific Computing 37(4), 2015)
static mbd_status_t
deflated_newton(solutions_t * s, double * q, bool * solved)
{
  enum { ITERATIONS = 50 };
  mbdi_rows_t * rows = s->rows;
  double error = 0;
  for (int i = 0; i < ITERATIONS; i++) {
    CHECK(mbdi_rows_errors(rows, q, &error));
    *solved = error <= s->m->options.tolerance;
    if (*solved) return MBD_OK;
    const mbd_status_t status = mbdi_rows_factor(rows);
    if (status == MBD_ERROR_SINGULAR) return MBD_OK;
    CHECK(status);
    double * p = s->m->x;
    for (int k = 0; k < rows->rank; k++) rows->b[k] = -rows->e[rows->keep[k]];
    (void)mbdi_lq_solve(&rows->lq, rows->b, rows->y, p, NULL);
    double slope, most = 0;
    CHECK(deflation(s, q, p, &slope));
    for (int k = 0; k < rows->n; k++) {
      p[k] /= fabs(1 - slope) > 1e-3 ? 1 - slope : 1e-3;
      most = fmax(most, fabs(p[k]));
    }
    if (!isfinite(most)) return MBD_OK;
    for (int k = 0; most > 0.7 && k < rows->n; k++) p[k] *= 0.7 / most;
    CHECK(mbdi_rows_move(rows, p, q, q));
  }
  return MBD_OK;
}

static mbd_status_t
search(solutions_t * s, const double * seed)
{
  mbd_manipulator_t * m = s->m;
  const int nq = s->rows->model->nq;
  int walked = 0, without = 0;
  for (uint64_t k = 0; s->n < s->most && without <= m->options.restarts; k++) {
    bool is_new = false, solved = false;
    copy_array(m->q, seed, nq);
    if (k > 0) CHECK(mbdi_manipulator_random(m, s->rows, k, seed, m->q));
    const mbd_status_t status = mbdi_manipulator_assemble(m, s->rows, 50, m->q);
    if (status == MBD_OK && k % 2 == 0) {
      double error;
      CHECK(mbdi_manipulator_descend(m, s->rows, m->q, &error));
      solved = error <= m->options.tolerance;
    } else if (status == MBD_OK) {
      CHECK(deflated_newton(s, m->q, &solved));
    } else if (status != MBD_ERROR_NOT_CONVERGED && status != MBD_ERROR_SINGULAR) {
      return status;
    }
    if (solved) CHECK(add(s, m->q, &is_new));
    without = is_new ? 0 : without + 1;
    for (; walked < s->n && s->n < s->most; walked++) CHECK(walk_from(s, walked));
  }
  return MBD_OK;
}

mbd_status_t
mbd_manipulator_solutions(
  mbd_manipulator_t * m, mbd_data_t * data, bool of_inputs, const double * value,
  const double * seed, int most, double * q, int * n)
{
  if (!m || !value || !seed || !q || !n) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * model = m->of_input.model;
  CHECK(check_cut(model, data, 0));
  if (most < 1 || (!of_inputs && m->info.redundant)) return MBD_ERROR_BAD_ARGUMENT;
  mbdi_rows_t * rows = of_inputs ? &m->of_input : &m->of_output;
  if (!finite_array(value, rows->nmeasure)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbd_set_position(model, data, seed));
  solutions_t s = {m, mbdi_manipulator_rows(m, data, of_inputs, value), most, 0, q};
  (void)mbdi_manipulator_rows(m, data, !of_inputs, NULL);
  copy_array(m->q_seed, seed, model->nq);
  CHECK(search(&s, m->q_seed));
  *n = s.n;
  return MBD_OK;
}
