// Closures and measures as one system of equations.
#include "operators/rows.h"

#include <math.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "state/state.h"
#include "util/arena.h"
#include "util/dense.h"

// rows that add less than this to those before, relative to their size, are redundant
#define RANK_TOLERANCE 1e-8

//---------- memory ----------

static int
closed_rows(const mbd_model_t * model)
{
  int n = 0;
  for (int k = 0; k < model->nclosure; k++) n += model->closure[k].nposition;
  return n;
}

void
mbdi_rows_lay_out(mbdi_rows_t * rows, char * base, size_t * offset)
{
  const size_t nv = (size_t)rows->model->nv;
  rows->nclosed = closed_rows(rows->model);
  rows->m = rows->nclosed + rows->nmeasure;
  const size_t m = (size_t)rows->m;
  const size_t nq = (size_t)rows->model->nq, wanted = (size_t)rows->nmeasure;
  double ** part[] = {&rows->wanted, &rows->e, &rows->scale, &rows->y, &rows->b,   &rows->step,
                      &rows->v,      &rows->g, &rows->q,     &rows->J, &rows->work};
  const size_t size[] = {
    wanted, m, m, m, m, nv, nv, nv, nq, m * nv, mbdi_lq_work(rows->m, rows->model->nv)};
  for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
    *part[i] = mbdi_arena_take(base, offset, size[i], sizeof(double));
  }
  rows->column = mbdi_arena_take(base, offset, nv, sizeof(int));
  rows->keep = mbdi_arena_take(base, offset, m, sizeof(int));
}

mbd_status_t
mbdi_rows_check(const mbd_model_t * model)
{
  if (!model->internal->engine->cut_loops || model->flexible) return MBD_ERROR_UNSUPPORTED;
  for (int k = 0; k < model->nclosure; k++) {
    if (model->closure[k].nposition == 0) return MBD_ERROR_UNSUPPORTED;
  }
  return MBD_OK;
}

//---------- errors ----------

// whole turns of an angle do not count; those of a joint do
static double
miss(const mbd_measure_t * measure, double value, double wanted)
{
  const bool angle = measure->type >= MBD_MEASURE_ANGLE && measure->type <= MBD_MEASURE_ROTATION_Z;
  return angle ? mbdu_angle_between(wanted, value) : value - wanted;
}

mbd_status_t
mbdi_rows_errors(mbdi_rows_t * rows, const double * q, double * largest)
{
  const mbd_model_t * model = rows->model;
  CHECK(mbd_set_position(model, rows->data, q));
  for (int k = 0, row = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    CHECK(mbdi_closure_fill_error(model, rows->data, c, rows->t, rows->e + row));
    row += c->nposition;
  }
  for (int k = 0; k < rows->nmeasure; k++) {
    double value;
    CHECK(mbd_measure(model, rows->data, &rows->measure[k], &value, NULL, NULL));
    rows->e[rows->nclosed + k] = miss(&rows->measure[k], value, rows->wanted[k]);
  }
  *largest = 0;
  for (int i = 0; i < rows->checked; i++) {
    if (i != rows->skip) *largest = fmax(*largest, fabs(rows->e[i]));
  }
  return finite_array(rows->e, rows->m) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

mbd_status_t
mbdi_rows_jacobian(mbdi_rows_t * rows)
{
  const mbd_model_t * model = rows->model;
  const size_t n = (size_t)rows->n;
  for (int k = 0, row = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    mbdi_closure_fill(model, rows->data, c, rows->column, rows->n, rows->J + (size_t)row * n);
    row += c->nposition;
  }
  for (int k = 0; k < rows->nmeasure; k++) {
    double * J = rows->J + (size_t)(rows->nclosed + k) * n;
    CHECK(mbd_measure(model, rows->data, &rows->measure[k], NULL, rows->g, NULL));
    for (int i = 0; i < model->nv; i++) {
      if (rows->column[i] >= 0) J[rows->column[i]] = rows->g[i];
    }
  }
  return MBD_OK;
}

//---------- choice of rows and columns ----------

static double
norm_of(const double * x, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

// rows of J from `first` on into the factorisation
static void
put_rows(const mbdi_rows_t * rows, int first, mbdi_lq_t * lq)
{
  const size_t n = (size_t)rows->n;
  memcpy(lq->A, rows->J + (size_t)first * n, (size_t)lq->m * n * sizeof *lq->A);
  for (int i = 0; i < lq->m; i++) lq->scale[i] = rows->scale[first + i];
}

static void
add_kept(mbdi_rows_t * rows, int row)
{
  int at = rows->rank++;
  for (; at > 0 && rows->keep[at - 1] > row; at--) rows->keep[at] = rows->keep[at - 1];
  rows->keep[at] = row;
}

// sizes below which rows are rounding errors: of closures as in assembly, of measures by the largest one
static void
scale_rows(mbdi_rows_t * rows)
{
  const mbd_model_t * model = rows->model;
  for (int k = 0, row = 0; k < model->nclosure; k++) {
    mbdi_closure_scale(model, rows->data, &model->closure[k], rows->scale + row);
    row += model->closure[k].nposition;
  }
  double most = 0;
  for (int k = rows->nclosed; k < rows->m; k++) {
    rows->scale[k] = norm_of(rows->J + (size_t)k * (size_t)rows->n, rows->n);
    most = fmax(most, rows->scale[k]);
  }
  for (int k = rows->nclosed; k < rows->m; k++) rows->scale[k] = fmax(rows->scale[k], 1e-3 * most);
}

// ranks of the closures, and of what they leave of the measures, of J; the factors are in rows->work
static void
find_ranks(mbdi_rows_t * rows, mbdi_lq_t * closed, mbdi_lq_t * free)
{
  scale_rows(rows);
  double * rest = mbdi_lq_init(closed, rows->nclosed, rows->n, rows->work);
  put_rows(rows, 0, closed);
  mbdi_lq_factor(closed, RANK_TOLERANCE, -1);
  (void)mbdi_lq_init(free, rows->nmeasure, rows->n, rest);
  put_rows(rows, rows->nclosed, free);
  for (int k = 0; k < rows->nmeasure; k++) {
    mbdi_lq_null_part(closed, free->A + (size_t)k * (size_t)rows->n);
  }
  mbdi_lq_factor(free, RANK_TOLERANCE, -1);
}

// degrees of freedom that move a row: at q, and at q displaced, where *closed and *free are the ranks
static mbd_status_t
choose_columns(mbdi_rows_t * rows, const double * q, int * closed, int * free)
{
  const int nv = rows->model->nv;
  mbdi_lq_t a, b;
  rows->n = nv;
  for (int k = 0; k < nv; k++) rows->column[k] = k;
  CHECK(mbdi_rows_jacobian(rows));
  for (int k = 0; k < nv; k++) {
    rows->step[k] = 0;
    for (int i = 0; i < rows->m; i++) {
      rows->step[k] = fmax(rows->step[k], fabs(rows->J[(size_t)i * (size_t)nv + (size_t)k]));
    }
    rows->v[k] = 0.1 * sin(1.7 + 3.1 * k);
  }
  CHECK(mbd_integrate(rows->model, q, rows->v, 1, rows->q));
  CHECK(mbd_set_position(rows->model, rows->data, rows->q));
  *closed = *free = 0;
  const mbd_status_t status = mbdi_rows_jacobian(rows);
  if (status != MBD_OK && status != MBD_ERROR_SINGULAR) return status;
  int n = 0;
  for (int k = 0; k < nv; k++) {
    bool moves = rows->step[k] > 0;
    for (int i = 0; i < rows->m && !moves; i++) {
      moves = rows->J[(size_t)i * (size_t)nv + (size_t)k] != 0;
    }
    rows->column[k] = moves ? n++ : -1;
  }
  if (status == MBD_OK) {
    find_ranks(rows, &a, &b);
    *closed = a.rank, *free = b.rank;
  }
  rows->n = n;
  return mbd_set_position(rows->model, rows->data, q);
}

mbd_status_t
mbdi_rows_choose(mbdi_rows_t * rows, const double * q, bool every)
{
  double largest;
  int displaced_closed, displaced_free;
  mbdi_lq_t closed, free;
  rows->checked = rows->m;
  rows->skip = -1;
  CHECK(mbdi_rows_errors(rows, q, &largest));
  CHECK(choose_columns(rows, q, &displaced_closed, &displaced_free));
  CHECK(mbdi_rows_jacobian(rows));
  find_ranks(rows, &closed, &free);
  rows->rank = 0;
  for (int i = 0; i < closed.rank; i++) add_kept(rows, closed.row[i]);
  rows->closed_rank = rows->rank;
  for (int i = 0; i < (every ? rows->nmeasure : free.rank); i++) {
    add_kept(rows, rows->nclosed + (every ? i : free.row[i]));
  }
  // closures may have a lower rank because they are closed, measures not
  const bool lower = closed.rank == displaced_closed && free.rank < displaced_free;
  return lower && !every ? MBD_ERROR_SINGULAR : MBD_OK;
}

void
mbdi_rows_share_columns(mbdi_rows_t * a, mbdi_rows_t * b)
{
  int n = 0;
  for (int k = 0; k < a->model->nv; k++) {
    a->column[k] = b->column[k] = a->column[k] >= 0 || b->column[k] >= 0 ? n++ : -1;
  }
  a->n = b->n = n;
}

//---------- factors ----------

static void
put_kept(mbdi_rows_t * rows, bool unit)
{
  const size_t n = (size_t)rows->n;
  (void)mbdi_lq_init(&rows->lq, rows->rank, rows->n, rows->work);
  for (int i = 0; i < rows->rank; i++) {
    const double * J = rows->J + (size_t)rows->keep[i] * n;
    memcpy(rows->lq.A + (size_t)i * n, J, n * sizeof *J);
    // a row that vanishes here is singular by itself, not a direction of rounding errors
    const double least = rows->scale[rows->keep[i]] * (rows->keep[i] < rows->nclosed ? 1e-3 : 1);
    rows->lq.scale[i] = unit ? fmax(norm_of(J, rows->n), least) : 1;
    if (!(rows->lq.scale[i] > 0)) rows->lq.scale[i] = 1;
  }
}

mbd_status_t
mbdi_rows_factor(mbdi_rows_t * rows)
{
  CHECK(mbdi_rows_jacobian(rows));
  put_kept(rows, false);
  mbdi_lq_factor(&rows->lq, 0, -1);
  return rows->lq.rank == rows->rank ? MBD_OK : MBD_ERROR_SINGULAR;
}

void
mbdi_rows_tangent(const mbdi_rows_t * rows, double * tangent)
{
  memset(tangent, 0, (size_t)rows->n * sizeof *tangent);
  tangent[rows->n - 1] = 1;
  mbd_lq_Q_transpose(&rows->lq, tangent);
}

double
mbdi_rows_determinant(const mbdi_rows_t * rows, const double * tangent, int * sign)
{
  const mbdi_lq_t * lq = &rows->lq;
  double logarithm = 0;
  // rows of Q are those of as many reflections
  int s = lq->rank % 2 ? -1 : 1;
  for (int i = 0; i < lq->rank; i++) {
    const double pivot = lq->A[(size_t)lq->row[i] * (size_t)lq->n + (size_t)i];
    logarithm += log(fabs(pivot));
    if (pivot < 0) s = -s;
    for (int j = 0; j < i; j++) {
      if (lq->row[j] > lq->row[i]) s = -s;
    }
  }
  if (tangent) {
    mbdi_rows_tangent(rows, rows->v);
    double dot = 0;
    for (int k = 0; k < rows->n; k++) dot += rows->v[k] * tangent[k];
    if (dot < 0) s = -s;
  }
  *sign = lq->rank == rows->rank ? s : 0;
  return lq->rank == rows->rank ? logarithm : -HUGE_VAL;
}

double
mbdi_rows_condition(mbdi_rows_t * rows, int * nearest)
{
  enum { ITERATIONS = 12 };
  const int m = rows->rank, n = rows->n;
  double *u = rows->b, *x = rows->step, smallest = 0, largest = 0;
  put_kept(rows, true);
  // largest singular value by powers of A A^T
  for (int i = 0; i < m; i++) u[i] = 1 + 0.3 * sin(1.0 + i);
  for (int k = 0; k < ITERATIONS; k++) {
    const double size = norm_of(u, m);
    memset(x, 0, (size_t)n * sizeof *x);
    for (int i = 0; i < m; i++) {
      const double * A = rows->lq.A + (size_t)i * (size_t)n;
      const double f = u[i] / (size * rows->lq.scale[i]);
      for (int j = 0; j < n; j++) x[j] += f * A[j];
    }
    largest = norm_of(x, n);
    for (int i = 0; i < m; i++) {
      u[i] = mbdi_dot(n, rows->lq.A + (size_t)i * (size_t)n, x) / rows->lq.scale[i];
    }
  }
  mbdi_lq_factor(&rows->lq, 0, -1);
  for (int i = 0; i < m; i++) u[i] = rows->lq.rank == m ? 1 + 0.3 * sin(1.0 + i) : 0;
  if (rows->lq.rank < m) {
    u[rows->lq.row[rows->lq.rank]] = 1;
  }
  // smallest by powers of its inverse
  for (int k = 0; k < ITERATIONS && rows->lq.rank == m; k++) {
    const double size = norm_of(u, m);
    for (int i = 0; i < m; i++) u[i] *= rows->lq.scale[i] / size;
    (void)mbdi_lq_solve(&rows->lq, u, rows->y, x, NULL);
    smallest = 1 / norm_of(x, n);
    mbdi_lq_solve_transpose(&rows->lq, x, u);
    for (int i = 0; i < m; i++) u[i] *= rows->lq.scale[i];
  }
  int at = 0;
  for (int i = 1; i < m; i++) {
    if (fabs(u[i]) > fabs(u[at])) at = i;
  }
  *nearest = m > 0 ? rows->keep[at] : -1;
  // at least one, unless all rows vanish
  return m > 0 ? fmin(smallest / fmax(largest, 1), 1) : 1;
}

//---------- steps ----------

mbd_status_t
mbdi_rows_move(mbdi_rows_t * rows, const double * step, const double * q, double * q_out)
{
  for (int k = 0; k < rows->model->nv; k++) {
    rows->v[k] = rows->column[k] >= 0 ? step[rows->column[k]] : 0;
  }
  return mbd_integrate(rows->model, q, rows->v, 1, q_out);
}

mbd_status_t
mbdi_rows_difference(mbdi_rows_t * rows, const double * q0, const double * q1, double * step)
{
  CHECK(mbd_difference(rows->model, q0, q1, rows->v));
  for (int k = 0; k < rows->model->nv; k++) {
    if (rows->column[k] >= 0) step[rows->column[k]] = rows->v[k];
  }
  return MBD_OK;
}

mbd_status_t
mbdi_rows_correct(mbdi_rows_t * rows, double tolerance, int iterations, double * q, int * taken)
{
  double error, last = HUGE_VAL;
  for (int i = 0;; i++) {
    CHECK(mbdi_rows_errors(rows, q, &error));
    if (taken) *taken = i;
    if (error <= tolerance) return MBD_OK;
    if (i == iterations || error > 4 * last) return MBD_ERROR_NOT_CONVERGED;
    last = error;
    CHECK(mbdi_rows_factor(rows));
    for (int k = 0; k < rows->rank; k++) rows->b[k] = -rows->e[rows->keep[k]];
    (void)mbdi_lq_solve(&rows->lq, rows->b, rows->y, rows->step, NULL);
    CHECK(mbdi_rows_move(rows, rows->step, q, q));
  }
}
