// Driven mechanisms in time: the curve d(q, t) = 0 in q and t, Haug 3.7 and 3.8.
//
// u = (q, t) moves along the tangent w of the curve, [G, -U] w = 0, with w . w = 1: one second weighs as much as
// one radian or metre.
#include "mbdyn/simulate/driven.h"

#include <math.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "state/state.h"
#include "util/arena.h"
#include "util/lq.h"

enum { NEWTON_ITERATIONS = 10, LOCATE_ITERATIONS = 80, INVERSE_ITERATIONS = 12 };

static const double LARGEST_MOTION = 0.2;       // of a joint in one step [rad, m]
static const double LARGEST_TURN = 0.95;        // cosine between the tangents of a step
static const double SMALLEST_STEP = 1e-10;      // of u
static const double SMALLEST_TURN = 1e-8;       // of u, below which a tangent may turn at once
static const double CROSSING_STEP = 2e-3;       // of u, in which two curves cross
static const double CROSSING_TOLERANCE = 1e-6;  // of rows of the curve, below which curves cross
static const double TIME_TOLERANCE = 1e-10;     // of singular configurations [s]
static const double SINGULAR_TOLERANCE = 1e-5;  // of the rank at a located singular configuration

// a point of the curve
typedef struct point {
  double t;
  double * q;  // [nq]
  double * w;  // tangent [nv + 1]
} point_t;

struct mbd_driven {
  const mbd_model_t * model;
  mbd_driven_options_t options;
  mbd_driven_info_t info;
  bool started;
  int nclosures;                  // rank of the closures without drivers, at the start
  double *q, *v, *qdd, *q_event;  // of info
  bool * implied;
  point_t at, next, between;  // of the curve: where it is, the end of a step, within the step
  double * R;      // rows [G, -U] by their scales                         [nrow (nv + 1)]
  double * scale;  //                                                      [nrow]
  mbdi_lq_t lq;    // of R
  int * row;       // independent rows at the last point                   [nv]
  double * B;      // square matrix                                        [(nv + 1)^2]
  double * d;      //                                                      [nrow]
  double * y;      // scratch                                              [nrow]
  double * x;      // scratch                                              [nv + 1]
  double * xi;     // of an interpolation [nv + 1]
  double * work;   // of the factorisation, and of the assembly
};

mbd_driven_options_t
mbd_driven_options_default(void)
{
  return (mbd_driven_options_t){.tolerance = 1e-10, .rank_tolerance = 1e-7, .step = 0.01};
}

const char *
mbd_driven_type_name(mbd_driven_type_t type)
{
  static const char * const names[] = {"regular", "bifurcation", "lock-up", "singular driver"};
  return (unsigned)type < 4 ? names[type] : "unknown";
}

//---------- memory ----------

static size_t
lay_out(const mbd_model_t * model, char * base, mbd_driven_t * a)
{
  size_t offset = 0;
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv, m = (size_t)model->nrow;
  const size_t word = sizeof(double);
  const size_t lq = mbdi_lq_work(model->nrow, model->nv + 1), assembly = mbd_assembly_work(model);
  mbdi_arena_take(base, &offset, 1, sizeof *a);
  double ** positions[] = {&a->q, &a->q_event, &a->at.q, &a->next.q, &a->between.q};
  double ** velocities[] = {&a->v, &a->qdd, &a->at.w, &a->next.w, &a->between.w, &a->x, &a->xi};
  double ** rows[] = {&a->scale, &a->d, &a->y};
  for (int k = 0; k < 5; k++) *positions[k] = mbdi_arena_take(base, &offset, nq, word);
  for (int k = 0; k < 7; k++) *velocities[k] = mbdi_arena_take(base, &offset, nv + 1, word);
  for (int k = 0; k < 3; k++) *rows[k] = mbdi_arena_take(base, &offset, m, word);
  a->implied = mbdi_arena_take(base, &offset, m, sizeof *a->implied);
  a->row = mbdi_arena_take(base, &offset, nv, sizeof *a->row);
  a->R = mbdi_arena_take(base, &offset, m * (nv + 1), word);
  a->B = mbdi_arena_take(base, &offset, (nv + 1) * (nv + 1), word);
  a->work = mbdi_arena_take(base, &offset, lq > assembly ? lq : assembly, word);
  return offset;
}

size_t
mbd_driven_size(const mbd_model_t * model)
{
  mbd_driven_t unused;
  return model && model->finalized ? lay_out(model, NULL, &unused) : 0;
}

mbd_status_t
mbd_driven_init(
  const mbd_model_t * model, const mbd_driven_options_t * options, void * memory, size_t size,
  mbd_driven_t ** driven)
{
  if (!model || !memory || !driven) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  const mbd_driven_options_t o = options ? *options : mbd_driven_options_default();
  const bool good = o.tolerance > 0 && o.tolerance < 1 && o.rank_tolerance > 0 &&
                    o.rank_tolerance < 1 && o.step > 0 && isfinite(o.step);
  if (!good) return MBD_ERROR_BAD_ARGUMENT;
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  for (int k = 0; k < model->nclosure; k++) {
    if (model->closure[k].nposition == 0) return MBD_ERROR_UNSUPPORTED;
  }
  if (size < mbd_driven_size(model)) return MBD_ERROR_TOO_SMALL;
  mbd_driven_t * a = memory;
  memset(memory, 0, mbd_driven_size(model));
  lay_out(model, memory, a);
  a->model = model, a->options = o;
  a->info.q = a->q, a->info.v = a->v, a->info.qdd = a->qdd, a->info.implied = a->implied;
  a->info.event.q = a->q_event, a->info.event.closure = -1;
  *driven = a;
  return MBD_OK;
}

const mbd_driven_info_t *
mbd_driven_info(const mbd_driven_t * driven)
{
  return driven ? &driven->info : NULL;
}

//---------- rows ----------

static bool
is_driver(const mbd_model_t * model, int row)
{
  const mbd_closure_t * c = &model->closure[mbdi_closure_of_row(model, row)];
  const bool driven = c->driver.at || c->driver.value != 0 || c->driver.rate != 0;
  return driven && row == c->row + c->driver.row;
}

// R and its scales at the position stage
static mbd_status_t
fill(mbd_driven_t * a, mbd_data_t * data, double t)
{
  const mbd_model_t * m = a->model;
  const int n = m->nv + 1;
  CHECK(mbd_closure_target(m, t, a->y));
  for (int k = 0; k < m->nclosure; k++) {
    const mbd_closure_t * c = &m->closure[k];
    mbdi_closure_fill(m, data, c, NULL, n, a->R + (size_t)c->row * (size_t)n);
    mbdi_closure_scale(m, data, c, a->scale + c->row);
  }
  for (int r = 0; r < m->nrow; r++) {
    double * row = a->R + (size_t)r * (size_t)n;
    if (!(a->scale[r] > 0)) a->scale[r] = 1;
    row[m->nv] = -a->y[r];
    for (int k = 0; k < n; k++) row[k] /= a->scale[r];
  }
  return finite_array(a->R, m->nrow * n) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// rows of R (their first `columns`), factorised; rows of drivers are left out if `closures`
static void
factor(mbd_driven_t * a, int columns, bool closures, double tolerance)
{
  const int m = a->model->nrow, n = a->model->nv + 1;
  mbdi_lq_init(&a->lq, m, columns, a->work);
  for (int r = 0; r < m; r++) {
    double * to = a->lq.A + (size_t)r * (size_t)columns;
    memcpy(to, a->R + (size_t)r * (size_t)n, (size_t)columns * sizeof *to);
    if (closures && is_driver(a->model, r)) memset(to, 0, (size_t)columns * sizeof *to);
    a->lq.scale[r] = 1;
  }
  mbdi_lq_factor(&a->lq, tolerance, -1);
}

// d by the scales at (q, t); returns the largest in units of the rows
static mbd_status_t
rows_at(mbd_driven_t * a, mbd_data_t * data, const double * q, double t, double * largest)
{
  CHECK(mbd_set_position(a->model, data, q));
  CHECK(mbd_closure_error(a->model, data, t, a->d));
  *largest = 0;
  for (int r = 0; r < a->model->nrow; r++) {
    if (!isfinite(a->d[r])) return MBD_ERROR_NOT_FINITE;
    *largest = fmax(*largest, fabs(a->d[r]));
  }
  return MBD_OK;
}

static double
norm(const double * x, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

// Rows that follow from those before them, closures first: Gram-Schmidt, twice. B has room for nv rows.
static void
find_implied(mbd_driven_t * a)
{
  const mbd_model_t * m = a->model;
  const int nv = m->nv;
  int rank = 0;
  a->info.nimplied = a->info.ndriver = a->nclosures = 0;
  for (int drivers = 0; drivers < 2; drivers++) {
    for (int r = 0; r < m->nrow; r++) {
      if (is_driver(m, r) != (drivers == 1)) continue;
      double * u = a->x;
      memcpy(u, a->R + (size_t)r * (size_t)(nv + 1), (size_t)nv * sizeof *u);
      for (int k = 0; k < 2 * rank; k++) {
        const double * b = a->B + (size_t)(k % rank) * (size_t)nv;
        double along = 0;
        for (int j = 0; j < nv; j++) along += b[j] * u[j];
        for (int j = 0; j < nv; j++) u[j] -= along * b[j];
      }
      const double left = norm(u, nv);
      a->implied[r] = rank == nv || !(left > a->options.rank_tolerance);
      a->info.nimplied += a->implied[r];
      a->info.ndriver += drivers;
      if (a->implied[r]) continue;
      for (int j = 0; j < nv; j++) a->B[(size_t)rank * (size_t)nv + (size_t)j] = u[j] / left;
      rank++;
    }
    if (!drivers) a->nclosures = rank;
  }
  a->info.mobility = nv - a->nclosures;
  a->info.mobility_count = nv - (m->nrow - a->info.ndriver);
}

// determinant of the n x n matrix B, which is overwritten: sign, and logarithm of its size
static int
determinant(double * B, int n, double * logarithm)
{
  int sign = 1;
  *logarithm = 0;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(B[i * n + k]) > fabs(B[best * n + k])) best = i;
    }
    const double p = B[best * n + k];
    if (p == 0) return 0;
    for (int j = 0; best != k && j < n; j++) {
      const double swap = B[k * n + j];
      B[k * n + j] = B[best * n + j], B[best * n + j] = swap;
    }
    if ((best != k) != (p < 0)) sign = -sign;
    *logarithm += log(fabs(p));
    for (int i = k + 1; i < n; i++) {
      const double f = B[i * n + k] / p;
      for (int j = k; f != 0 && j < n; j++) B[i * n + j] -= f * B[k * n + j];
    }
  }
  return sign;
}

// of the independent rows of the last factorisation of `at`, with the tangent w below: regular unless two
// curves cross. R is that of the point.
static int
curve_determinant(mbd_driven_t * a, const double * w, double * logarithm)
{
  const size_t n = (size_t)a->model->nv + 1;
  for (size_t i = 0; i + 1 < n; i++)
    memcpy(a->B + i * n, a->R + (size_t)a->row[i] * n, n * sizeof *a->B);
  memcpy(a->B + (n - 1) * n, w, n * sizeof *w);
  return determinant(a->B, (int)n, logarithm);
}

//---------- points of the curve ----------

// Newton's method for d = 0 with steps of least norm in (q, t), or in q alone with t fixed
static mbd_status_t
correct(mbd_driven_t * a, mbd_data_t * data, double * q, double * t, bool fixed, bool * found)
{
  const mbd_model_t * m = a->model;
  const int columns = fixed ? m->nv : m->nv + 1;
  double largest, before = HUGE_VAL;
  *found = false;
  CHECK(rows_at(a, data, q, *t, &largest));
  for (int k = 0; k < NEWTON_ITERATIONS; k++) {
    // as small as rounding allows
    if (largest == 0 || (before < a->options.tolerance && largest > 0.1 * before)) break;
    if (!(largest < 2 * before)) break;
    before = largest;
    CHECK(fill(a, data, *t));
    for (int r = 0; r < m->nrow; r++) a->d[r] /= -a->scale[r];
    // off the curve redundant rows differ: truncated early while the error is large
    const double coarse = fmin(1e-2, 0.1 * norm(a->d, m->nrow));
    factor(a, columns, false, fmax(a->options.rank_tolerance, coarse));
    mbdi_lq_solve(&a->lq, a->d, a->y, a->x, NULL);
    if (!finite_array(a->x, columns) || norm(a->x, columns) > 1) return MBD_OK;
    CHECK(mbd_integrate(m, q, a->x, 1, q));
    if (!fixed) *t += a->x[m->nv];
    CHECK(rows_at(a, data, q, *t, &largest));
  }
  *found = largest <= a->options.tolerance;
  return MBD_OK;
}

static double
last_pivot(const mbdi_lq_t * lq)
{
  return lq->A[(size_t)lq->row[lq->rank - 1] * (size_t)lq->n + (size_t)lq->rank - 1];
}

// tangent at a point nearest to w0; false where two curves cross. Sets R and lq.
static mbd_status_t
find_tangent(mbd_driven_t * a, mbd_data_t * data, point_t * p, const double * w0, bool * found)
{
  const int n = a->model->nv + 1;
  CHECK(mbd_set_position(a->model, data, p->q));
  CHECK(fill(a, data, p->t));
  factor(a, n, false, a->options.rank_tolerance);
  *found = a->lq.rank == n - 1;
  if (!*found) return MBD_OK;
  // pivots fall: so near a crossing the tangent would be that of rounding errors
  if (n > 1) *found = fabs(last_pivot(&a->lq)) > CROSSING_TOLERANCE;
  if (!*found) return MBD_OK;
  memmove(p->w, w0, (size_t)n * sizeof *w0);
  mbdi_lq_null_part(&a->lq, p->w);
  double size = norm(p->w, n);
  // w0 was almost normal to it: from another direction; the sign is of no use then
  *found = size > 1e-6;
  for (int k = 0; *found && k < n; k++) p->w[k] /= size;
  return MBD_OK;
}

typedef enum outcome {
  STEP_DONE,
  STEP_FAILED,
  STEP_TURNED,  // the tangent is another one: a crossing, a long step, or a driver whose rate jumps
  STEP_SINGULAR  // rows depend on each other
} outcome_t;

// the point at a distance from `at` along its tangent
static mbd_status_t
step(mbd_driven_t * a, mbd_data_t * data, double distance, point_t * to, outcome_t * outcome)
{
  const mbd_model_t * m = a->model;
  bool found;
  double cosine = 0;
  *outcome = STEP_FAILED;
  CHECK(mbd_integrate(m, a->at.q, a->at.w, distance, to->q));
  to->t = a->at.t + distance * a->at.w[m->nv];
  CHECK(correct(a, data, to->q, &to->t, false, &found));
  if (!found) return MBD_OK;
  CHECK(find_tangent(a, data, to, a->at.w, &found));
  *outcome = STEP_SINGULAR;
  if (!found) return MBD_OK;
  for (int k = 0; k <= m->nv; k++) cosine += a->at.w[k] * to->w[k];
  *outcome = cosine > LARGEST_TURN ? STEP_DONE : STEP_TURNED;
  return MBD_OK;
}

static void
copy_point(const mbd_model_t * m, point_t * to, const point_t * from)
{
  to->t = from->t;
  memcpy(to->q, from->q, (size_t)m->nq * sizeof *to->q);
  memcpy(to->w, from->w, (size_t)(m->nv + 1) * sizeof *to->w);
}

//---------- singular configurations ----------

// the driver with the largest part in a row that depends on those factorised, or the driver itself
static int
blamed_driver(mbd_driven_t * a, int row)
{
  const mbdi_lq_t * lq = &a->lq;
  const size_t n = (size_t)lq->n;
  if (is_driver(a->model, row)) return row;
  // row = c . independent rows: c = L^-T of its part of L
  double * c = a->x;
  memcpy(c, lq->A + (size_t)row * n, (size_t)lq->rank * sizeof *c);
  int best = row;
  double largest = 0;
  for (int i = lq->rank - 1; i >= 0; i--) {
    const double * L = lq->A + (size_t)lq->row[i] * n;
    c[i] /= L[i];
    for (int j = 0; j < i; j++) c[j] -= L[j] * c[i];
    if (is_driver(a->model, lq->row[i]) && fabs(c[i]) > largest)
      best = lq->row[i], largest = fabs(c[i]);
  }
  return best;
}

// what the rows at `between` say about a singular configuration
static mbd_status_t
classify(mbd_driven_t * a, mbd_data_t * data, bool locked)
{
  const mbd_model_t * m = a->model;
  mbd_driven_event_t * e = &a->info.event;
  CHECK(mbd_set_position(m, data, a->between.q));
  CHECK(fill(a, data, a->between.t));
  factor(a, m->nv, true, SINGULAR_TOLERANCE);
  e->driver = a->lq.rank >= a->nclosures;
  if (e->driver) factor(a, m->nv, false, SINGULAR_TOLERANCE);
  // the row that would come next, rather one that is not implied everywhere
  int row = -1;
  for (int implied = 0; implied < 2 && row < 0; implied++) {
    for (int i = a->lq.rank; i < m->nrow && row < 0; i++) {
      const int r = a->lq.row[i];
      if (a->implied[r] == (implied == 1) && (e->driver || !is_driver(m, r))) row = r;
    }
  }
  if (row >= 0 && e->driver) row = blamed_driver(a, row);
  e->closure = row < 0 ? -1 : mbdi_closure_of_row(m, row);
  e->type = locked      ? MBD_DRIVEN_LOCK_UP
            : e->driver ? MBD_DRIVEN_SINGULAR_DRIVER
                        : MBD_DRIVEN_BIFURCATION;
  e->t = a->between.t;
  memcpy(a->q_event, a->between.q, (size_t)m->nq * sizeof *a->q_event);
  a->info.nsingular++;
  return MBD_OK;
}

// the next trial of regula falsi (Illinois) for a zero of f in the bracket, and what it was worth
typedef struct bracket {
  double lo, hi, f_lo, f_hi;
} bracket_t;

static double
trial(const bracket_t * b)
{
  const double weight = b->f_lo / (b->f_lo - b->f_hi);
  return b->lo + (b->hi - b->lo) * (weight > 0.01 && weight < 0.99 ? weight : 0.5);
}

static void
narrow(bracket_t * b, double x, double f)
{
  if ((f > 0) == (b->f_lo > 0))
    b->lo = x, b->f_lo = f, b->f_hi *= 0.5;
  else
    b->hi = x, b->f_hi = f, b->f_lo *= 0.5;
}

// `between` where time turns back in a step of this length, at which it runs backwards
static mbd_status_t
locate_end(mbd_driven_t * a, mbd_data_t * data, double length)
{
  const int nv = a->model->nv;
  bracket_t b = {0, length, a->at.w[nv], a->next.w[nv]};
  copy_point(a->model, &a->between, &a->next);
  // time changes with the square of the distance
  for (int k = 0; k < LOCATE_ITERATIONS && b.hi - b.lo > 1e-7; k++) {
    outcome_t outcome;
    const double x = trial(&b);
    CHECK(step(a, data, x, &a->between, &outcome));
    if (outcome != STEP_DONE) return MBD_ERROR_STEP;
    narrow(&b, x, a->between.w[nv]);
  }
  return MBD_OK;
}

// `between` at x of the way from `at` to `next`, by cubic Hermite interpolation, and the determinant there.
// So near a crossing Newton's method would not converge.
static mbd_status_t
interpolate(mbd_driven_t * a, mbd_data_t * data, double x, double reference, double * f)
{
  const mbd_model_t * m = a->model;
  const int nv = m->nv;
  const double y = 1 - x, dt = a->next.t - a->at.t;
  double *xi = a->xi, size;
  CHECK(mbd_difference(m, a->at.q, a->next.q, xi));
  xi[nv] = dt;
  const double length = norm(xi, nv + 1);
  for (int k = 0; k <= nv; k++) {
    const double w0 = a->at.w[k], w1 = a->next.w[k];
    a->between.w[k] = y * w0 + x * w1;
    xi[k] = x * x * (3 - 2 * x) * xi[k] + length * x * y * (y * w0 - x * w1);
  }
  CHECK(mbd_integrate(m, a->at.q, xi, 1, a->between.q));
  a->between.t = a->at.t + xi[nv];
  CHECK(mbd_set_position(m, data, a->between.q));
  CHECK(fill(a, data, a->between.t));
  *f = curve_determinant(a, a->between.w, &size);
  *f *= exp(size - reference);
  return MBD_OK;
}

// `between` where curves cross, in a step whose ends have these determinants
static mbd_status_t
locate_crossing(mbd_driven_t * a, mbd_data_t * data, double f0, double f1, double reference)
{
  bracket_t b = {0, 1, f0, f1};
  const double span = fabs(a->next.t - a->at.t);
  for (int k = 0; k < LOCATE_ITERATIONS && (k == 0 || (b.hi - b.lo) * span > TIME_TOLERANCE); k++) {
    const double x = trial(&b);
    double f;
    CHECK(interpolate(a, data, x, reference, &f));
    if (f == 0) break;
    narrow(&b, x, f);
  }
  return MBD_OK;
}

//---------- states ----------

// q at t near `at`, by moving along its tangent
static mbd_status_t
land(mbd_driven_t * a, mbd_data_t * data, double t, bool * found)
{
  const mbd_model_t * m = a->model;
  const double rate = a->at.w[m->nv], distance = (t - a->at.t) / rate;
  *found = rate > 0 && fabs(distance) <= LARGEST_MOTION;
  if (!*found) return MBD_OK;
  CHECK(mbd_integrate(m, a->at.q, a->at.w, distance, a->between.q));
  double at = t;
  CHECK(correct(a, data, a->between.q, &at, true, found));
  if (!*found) return MBD_OK;
  // not on another branch
  CHECK(mbd_difference(m, a->at.q, a->between.q, a->x));
  *found = norm(a->x, m->nv) <= 2 * fabs(distance) + 1e-3;
  return MBD_OK;
}

// smallest singular value of G, and the sign of its rows that are not implied; R is filled
static void
find_condition(mbd_driven_t * a)
{
  const int nv = a->model->nv, m = a->model->nrow;
  const size_t n = (size_t)nv;
  double unused;
  int k = 0;
  for (int r = 0; r < m && k < nv; r++) {
    if (!a->implied[r])
      memcpy(a->B + n * (size_t)k++, a->R + (size_t)r * (n + 1), n * sizeof *a->B);
  }
  a->info.sign = k == nv ? determinant(a->B, nv, &unused) : 0;
  factor(a, nv, false, a->options.rank_tolerance);
  a->info.smallest = 0;
  if (a->lq.rank < nv) return;
  // inverse iteration with L L^T
  for (int i = 0; i < nv; i++) a->x[i] = 1 + 0.1 * i;
  for (int pass = 0; pass < INVERSE_ITERATIONS; pass++) {
    const double size = norm(a->x, nv);
    for (int i = 0; i < nv; i++) {
      const double * L = a->lq.A + (size_t)a->lq.row[i] * n;
      double sum = a->x[i] / size;
      for (int j = 0; j < i; j++) sum -= L[j] * a->x[j];
      a->x[i] = sum / L[i];
    }
    for (int i = nv - 1; i >= 0; i--) {
      a->x[i] /= a->lq.A[(size_t)a->lq.row[i] * n + (size_t)i];
      const double * L = a->lq.A + (size_t)a->lq.row[i] * n;
      for (int j = 0; j < i; j++) a->x[j] -= L[j] * a->x[i];
    }
  }
  a->info.smallest = 1 / sqrt(norm(a->x, nv));
}

// x := nearest to x with R x = b, b in units of the rows (spoilt); lq is that of G
static mbd_status_t
project(mbd_driven_t * a, double * b, double * x)
{
  const int nv = a->model->nv;
  for (int r = 0; r < a->model->nrow; r++) {
    const double * row = a->R + (size_t)r * (size_t)(nv + 1);
    b[r] /= a->scale[r];
    for (int k = 0; k < nv; k++) b[r] -= row[k] * x[k];
  }
  mbdi_lq_solve(&a->lq, b, a->y, a->x, NULL);
  for (int k = 0; k < nv; k++) x[k] += a->x[k];
  return finite_array(x, nv) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// Where curves cross, rows do not determine the motion along either: q, v and dv/dt of the curve from `at` to a
// point beyond t, by cubic Hermite interpolation in time. v in between.w, dv/dt in qdd.
static mbd_status_t
interpolate_in_time(mbd_driven_t * a, mbd_data_t * data, double t, bool * found)
{
  const mbd_model_t * m = a->model;
  const int nv = m->nv;
  outcome_t outcome = STEP_FAILED;
  double s = CROSSING_STEP;
  for (int k = 0; k < 8 && outcome != STEP_DONE; k++, s *= 1.17)
    CHECK(step(a, data, s, &a->next, &outcome));
  *found = outcome == STEP_DONE && a->next.w[nv] > 0 && a->next.t > a->at.t;
  if (!*found) return MBD_OK;
  const double h = a->next.t - a->at.t, x = (t - a->at.t) / h, y = 1 - x;
  CHECK(mbd_difference(m, a->at.q, a->next.q, a->xi));
  for (int k = 0; k < nv; k++) {
    const double d = a->xi[k];
    const double v0 = a->at.w[k] / a->at.w[nv], v1 = a->next.w[k] / a->next.w[nv];
    a->xi[k] = x * x * (3 - 2 * x) * d + h * x * y * (y * v0 - x * v1);
    a->between.w[k] = 6 * x * y * d / h + y * (1 - 3 * x) * v0 + x * (3 * x - 2) * v1;
    a->qdd[k] = (6 * (1 - 2 * x) * d / h + (6 * x - 4) * v0 + (6 * x - 2) * v1) / h;
  }
  return mbd_integrate(m, a->at.q, a->xi, 1, a->between.q);
}

// state of info at the configuration `between`: velocity and acceleration
static mbd_status_t
take_state(mbd_driven_t * a, mbd_data_t * data, double t)
{
  const mbd_model_t * m = a->model;
  bool crossing = false;
  for (int k = 0; k < m->nv; k++) a->between.w[k] = a->at.w[k] / a->at.w[m->nv];
  CHECK(mbd_set_position(m, data, a->between.q));
  CHECK(fill(a, data, t));
  find_condition(a);
  if (a->info.smallest < SINGULAR_TOLERANCE) {
    CHECK(interpolate_in_time(a, data, t, &crossing));
    CHECK(mbd_set_position(m, data, a->between.q));
    CHECK(fill(a, data, t));
  }
  factor(a, m->nv, false, crossing ? SINGULAR_TOLERANCE : a->options.rank_tolerance);
  CHECK(mbd_closure_target(m, t, a->d));
  CHECK(project(a, a->d, a->between.w));
  CHECK(mbd_set_velocity(m, data, a->between.w));
  CHECK(mbd_closure_bias(m, data, t, a->d));
  CHECK(project(a, a->d, a->qdd));
  memcpy(a->q, a->between.q, (size_t)m->nq * sizeof *a->q);
  memcpy(a->v, a->between.w, (size_t)m->nv * sizeof *a->v);
  a->info.t = t;
  return MBD_OK;
}

//---------- the analysis ----------

// a start without a tangent, or with one along which time stands still
static mbd_status_t
refuse_start(mbd_driven_t * a, mbd_data_t * data, bool singular)
{
  const mbd_model_t * m = a->model;
  int dependent = -1;
  memcpy(a->between.q, a->q, (size_t)m->nq * sizeof *a->q);
  a->between.t = a->info.t;
  for (int r = 0; r < m->nrow; r++) {
    if (a->implied[r] && is_driver(m, r)) dependent = r;
  }
  if (!singular && dependent < 0) return MBD_ERROR_UNDERACTUATED;
  factor(a, m->nv, false, a->options.rank_tolerance);
  const bool regular = a->lq.rank == m->nv;
  factor(a, m->nv + 1, false, a->options.rank_tolerance);
  const bool curve = !regular && a->lq.rank == m->nv;
  CHECK(classify(a, data, curve));
  if (dependent >= 0) {
    mbd_driven_event_t * e = &a->info.event;
    e->driver = true;
    e->closure = mbdi_closure_of_row(m, dependent);
    if (!curve) e->type = MBD_DRIVEN_SINGULAR_DRIVER;
  } else if (!curve) {
    a->info.event.type = MBD_DRIVEN_BIFURCATION, a->info.event.driver = false;
  }
  return MBD_ERROR_LOCKED;
}

mbd_status_t
mbd_driven_start(
  mbd_driven_t * driven, mbd_data_t * data, double t, const double * guess, mbd_assembly_t * result)
{
  mbd_driven_t * a = driven;
  if (!a || !data || !guess) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * m = a->model;
  mbd_assembly_t unasked;
  mbd_assembly_options_t options = mbd_assembly_options_default();
  options.t = t;
  options.tolerance = a->options.tolerance, options.rank_tolerance = a->options.rank_tolerance;
  a->started = false;
  a->info.nsingular = 0, a->info.event.type = MBD_DRIVEN_REGULAR, a->info.event.closure = -1;
  if (!result) result = &unasked;
  const mbd_status_t status = mbd_assemble(m, data, &options, guess, a->work, a->at.q, result);
  if (status != MBD_OK && status != MBD_ERROR_LOCKED) return status;
  memcpy(a->q, a->at.q, (size_t)m->nq * sizeof *a->q);
  memset(a->v, 0, (size_t)m->nv * sizeof *a->v);
  memset(a->qdd, 0, (size_t)m->nv * sizeof *a->qdd);
  a->info.t = a->at.t = t;
  CHECK(fill(a, data, t));
  find_implied(a);
  factor(a, m->nv, false, a->options.rank_tolerance);
  bool found = a->lq.rank == m->nv && a->info.ndriver <= a->info.mobility;
  if (!found) return refuse_start(a, data, status == MBD_ERROR_LOCKED);
  for (int k = 0; k <= m->nv; k++) a->at.w[k] = k == m->nv;
  CHECK(find_tangent(a, data, &a->at, a->at.w, &found));
  if (!found) return refuse_start(a, data, true);
  memcpy(a->row, a->lq.row, (size_t)m->nv * sizeof *a->row);
  memcpy(a->between.q, a->at.q, (size_t)m->nq * sizeof *a->q);
  CHECK(take_state(a, data, t));
  a->started = true;
  return MBD_OK;
}

// One step of the curve towards t, of at most *distance, which is halved if it fails; crossings and the end of
// the motion within it.
static mbd_status_t
advance(mbd_driven_t * a, mbd_data_t * data, double t, double * distance)
{
  const mbd_model_t * m = a->model;
  const int nv = m->nv;
  double size, reference, largest = 0;
  outcome_t outcome;
  for (int k = 0; k < nv; k++) largest = fmax(largest, fabs(a->at.w[k]));
  double s = fmin(*distance, fmin((t - a->at.t), a->options.step) / a->at.w[nv]);
  s = fmin(s, LARGEST_MOTION / fmax(largest, 1e-3));
  // the determinant where the step begins
  CHECK(mbd_set_position(m, data, a->at.q));
  CHECK(fill(a, data, a->at.t));
  const int sign = curve_determinant(a, a->at.w, &reference);
  int after;
  for (;;) {
    CHECK(step(a, data, s, &a->next, &outcome));
    const bool jump = outcome == STEP_TURNED && s < SMALLEST_TURN && a->next.w[nv] > 0;
    if (outcome == STEP_DONE || jump) {
      // R is that of the end of the step
      after = curve_determinant(a, a->next.w, &size);
      // a crossing is approached by short steps
      if (after == sign || a->next.w[nv] <= 0 || s < CROSSING_STEP) break;
      s *= 0.5;
    } else {
      // a little beyond a singular configuration that was hit exactly
      s *= outcome == STEP_SINGULAR ? 1.17 : 0.5;
    }
    if (!(s > SMALLEST_STEP) || s > 2 * LARGEST_MOTION / 1e-3) return MBD_ERROR_STEP;
  }
  *distance = 2 * s;
  if (a->next.w[nv] <= 0) {
    CHECK(locate_end(a, data, s));
    return MBD_ERROR_LOCKED;
  }
  if (after != sign) {
    CHECK(locate_crossing(a, data, sign, after * exp(size - reference), reference));
    CHECK(classify(a, data, false));
  }
  CHECK(find_tangent(a, data, &a->next, a->next.w, &(bool){false}));
  memcpy(a->row, a->lq.row, (size_t)nv * sizeof *a->row);
  copy_point(m, &a->at, &a->next);
  return MBD_OK;
}

// the curve turns back within the next step, beyond t: to t by halves of the way
static mbd_status_t
approach(mbd_driven_t * a, mbd_data_t * data, double t, bool * landed)
{
  const mbd_model_t * m = a->model;
  for (int k = 0; k < LOCATE_ITERATIONS; k++) {
    CHECK(land(a, data, t, landed));
    if (*landed) return MBD_OK;
    outcome_t outcome = STEP_FAILED;
    double s = fmin(LARGEST_MOTION, 0.5 * (t - a->at.t) / a->at.w[m->nv]);
    for (; outcome != STEP_DONE && s > SMALLEST_STEP; s *= 0.5) {
      CHECK(step(a, data, s, &a->next, &outcome));
      const bool before = a->next.w[m->nv] > 0 && a->next.t < t;
      if (outcome == STEP_DONE && !before) outcome = STEP_FAILED;
    }
    if (outcome != STEP_DONE) return MBD_ERROR_STEP;
    memcpy(a->row, a->lq.row, (size_t)m->nv * sizeof *a->row);
    copy_point(m, &a->at, &a->next);
  }
  return MBD_ERROR_STEP;
}

mbd_status_t
mbd_driven_to(mbd_driven_t * driven, mbd_data_t * data, double t)
{
  mbd_driven_t * a = driven;
  if (!a || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (!isfinite(t)) return MBD_ERROR_NOT_FINITE;
  if (!a->started) return MBD_ERROR_STAGE;
  if (t < a->info.t) return MBD_ERROR_BAD_ARGUMENT;
  bool landed = false;
  double distance = HUGE_VAL;
  for (;;) {
    // within a hundredth of the largest step, or beyond t
    if (a->at.t >= t - 0.01 * a->options.step) CHECK(land(a, data, t, &landed));
    if (landed) return take_state(a, data, t);
    if (a->at.t >= t) return MBD_ERROR_STEP;
    const mbd_status_t status = advance(a, data, t, &distance);
    if (status == MBD_ERROR_LOCKED && t <= a->between.t) {
      CHECK(approach(a, data, t, &landed));
      continue;
    }
    if (status == MBD_ERROR_LOCKED) {
      CHECK(classify(a, data, true));
      a->started = false;
    }
    if (status != MBD_OK) return status;
  }
}
