// Projected Gauss-Seidel on friction cones, and the active set as equations.
#include "complementarity.h"

#include <math.h>
#include <string.h>

#include "lq.h"

size_t
mbd_complementarity_work(int n, int ncontact, int nlimit)
{
  const int m = 3 * ncontact + nlimit;
  const size_t rows = (size_t)m, numbers = (size_t)n;
  // a truth value takes no more room than a number
  return rows * numbers + 7 * rows + 3 * (size_t)ncontact + 3 * numbers + mbd_lq_work(m, n) +
         mbd_lq_work(m, m);
}

void
mbd_complementarity_init(mbd_complementarity_t * c, int n, int ncontact, int nlimit, double * work)
{
  const int m = 3 * ncontact + nlimit;
  c->n = n;
  c->ncontact = ncontact;
  c->nlimit = nlimit;
  c->B = work;
  c->bias = c->B + (size_t)m * (size_t)n;
  c->p = c->bias + m;
  c->square = c->p + m;
  c->force = c->square + m;
  c->b = c->force + m;
  c->y = c->b + m;
  c->mu = c->y + m;
  c->slip = c->mu + ncontact;
  c->x = c->slip + 2 * (size_t)ncontact;
  c->trial = c->x + n;
  c->g = c->trial + n;
  c->equations = c->g + n;
  c->small = c->equations + mbd_lq_work(m, n);
  c->active = (bool *)(void *)(c->small + mbd_lq_work(m, m));
}

static double
dot(const double * a, const double * b, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

static const double *
row_of(const mbd_complementarity_t * c, int i)
{
  return c->B + (size_t)i * (size_t)c->n;
}

// a row that nothing moves has no force
static const double NO_COMPLIANCE = 1e-24;

static double
motion(const mbd_complementarity_t * c, int i)
{
  return c->bias[i] + dot(row_of(c, i), c->x, c->n);
}

// change force i; returns by how much that moves its own row at most
static double
change(mbd_complementarity_t * c, int i, double to)
{
  const double step = to - c->p[i];
  if (step == 0) return 0;
  const double * row = row_of(c, i);
  for (int k = 0; k < c->n; k++) c->x[k] += step * row[k];
  c->p[i] = to;
  return fabs(step) * c->square[i];
}

//---------- projected Gauss-Seidel ----------

static double
push(mbd_complementarity_t * c, int i)
{
  if (!(c->square[i] > NO_COMPLIANCE)) return change(c, i, 0);
  return change(c, i, fmax(0, c->p[i] - motion(c, i) / c->square[i]));
}

// tangents of a contact: onto its disc; against a slip that is there already
static double
rub(mbd_complementarity_t * c, int contact)
{
  const int t = 3 * contact + 1;
  const double most = c->mu[contact] * c->p[t - 1];
  const double * slip = c->slip + 2 * (size_t)contact;
  double to[2];
  if (slip[0] != 0 || slip[1] != 0) {
    to[0] = -most * slip[0], to[1] = -most * slip[1];
  } else {
    // one step size for both: then the force ends up against the slip, whatever the compliance
    const double size = c->square[t] + c->square[t + 1];
    if (!(size > NO_COMPLIANCE)) return 0;
    to[0] = c->p[t] - motion(c, t) / size;
    to[1] = c->p[t + 1] - motion(c, t + 1) / size;
    const double length = hypot(to[0], to[1]);
    if (length > most) to[0] *= most / length, to[1] *= most / length;
  }
  return fmax(change(c, t, to[0]), change(c, t + 1, to[1]));
}

static double
sweep(mbd_complementarity_t * c)
{
  double largest = 0;
  for (int k = 0; k < c->ncontact; k++) {
    largest = fmax(largest, push(c, 3 * k));
    if (c->mu[k] > 0) largest = fmax(largest, rub(c, k));
  }
  for (int k = 0; k < c->nlimit; k++) largest = fmax(largest, push(c, 3 * c->ncontact + k));
  return largest;
}

//---------- the active set as equations ----------

static bool
is_normal(const mbd_complementarity_t * c, int i)
{
  return i >= 3 * c->ncontact || i % 3 == 0;
}

// rows of the set that p says, if nothing in it slides
static bool
rows_that_stick(mbd_complementarity_t * c)
{
  bool * active = c->active;
  for (int i = 0; i < mbd_complementarity_rows(c); i++) {
    active[i] = is_normal(c, i) && c->p[i] > 0;
  }
  for (int k = 0; k < c->ncontact; k++) {
    if (c->slip[2 * k] != 0 || c->slip[2 * k + 1] != 0) return false;
    if (!active[3 * k] || c->mu[k] == 0) continue;
    const double rubs = hypot(c->p[3 * k + 1], c->p[3 * k + 2]);
    if (!(rubs < c->mu[k] * c->p[3 * k] * (1 - 1e-6))) return false;
    active[3 * k + 1] = active[3 * k + 2] = true;
  }
  return true;
}

// forces that make the rows of the set stand still, and what they do
static void
solve_equations(mbd_complementarity_t * c)
{
  const int m = mbd_complementarity_rows(c);
  mbd_lq_t lq;
  mbd_lq_init(&lq, m, c->n, c->equations);
  for (int i = 0; i < m; i++) {
    double * row = lq.A + (size_t)i * (size_t)c->n;
    c->b[i] = c->active[i] ? -c->bias[i] : 0;
    lq.scale[i] = c->active[i] ? sqrt(c->square[i]) : 1;
    memset(row, 0, (size_t)c->n * sizeof *row);
    if (c->active[i]) memcpy(row, row_of(c, i), (size_t)c->n * sizeof *row);
  }
  mbd_lq_factor(&lq, 1e-9, -1);
  mbd_lq_solve(&lq, c->b, c->y, c->trial, NULL);
  memcpy(c->g, c->trial, (size_t)c->n * sizeof *c->g);
  mbd_lq_solve_transpose_least(&lq, c->g, c->small, c->force);
}

// the normal row that is most wrong: one that pulls, or one that is open and goes through; -1: none
static int
most_wrong(const mbd_complementarity_t * c, double tolerance)
{
  int worst = -1;
  double largest = 0;
  for (int i = 0; i < mbd_complementarity_rows(c); i++) {
    if (!is_normal(c, i)) continue;
    const double w = c->bias[i] + dot(row_of(c, i), c->trial, c->n);
    // a pull as the motion that it holds back
    double wrong = c->active[i] ? -c->force[i] * c->square[i] : -w - tolerance;
    if (!c->active[i] && !(c->square[i] > NO_COMPLIANCE)) wrong = 0;
    if (wrong > largest) largest = wrong, worst = i;
  }
  return worst;
}

// in or out of the set, with the tangents of a contact that has friction
static void
toggle(mbd_complementarity_t * c, int i)
{
  c->active[i] = !c->active[i];
  if (i >= 3 * c->ncontact || c->mu[i / 3] == 0) return;
  c->active[i + 1] = c->active[i + 2] = c->active[i];
}

// what acts stands still, and no force leaves its cone
static bool
is_solution(const mbd_complementarity_t * c, double tolerance)
{
  const double * force = c->force;
  for (int i = 0; i < mbd_complementarity_rows(c); i++) {
    const double w = c->bias[i] + dot(row_of(c, i), c->trial, c->n);
    if (!isfinite(force[i]) || (is_normal(c, i) && force[i] < 0)) return false;
    if (c->active[i] && !(fabs(w) <= tolerance)) return false;
  }
  for (int k = 0; k < c->ncontact; k++) {
    if (hypot(force[3 * k + 1], force[3 * k + 2]) > c->mu[k] * force[3 * k]) return false;
  }
  return true;
}

// the set that p says as equations, corrected row by row for a while; taken if it is a solution
static bool
try_set(mbd_complementarity_t * c, double tolerance)
{
  if (!rows_that_stick(c)) return false;
  int wrong = 0;
  for (int tries = 0; tries < 8 && wrong >= 0; tries++) {
    solve_equations(c);
    wrong = most_wrong(c, tolerance);
    if (wrong >= 0) toggle(c, wrong);
  }
  if (wrong >= 0 || !is_solution(c, tolerance)) return false;
  memcpy(c->p, c->force, (size_t)mbd_complementarity_rows(c) * sizeof *c->p);
  memcpy(c->x, c->trial, (size_t)c->n * sizeof *c->x);
  return true;
}

//---------- both ----------

bool
mbd_complementarity_solve(
  mbd_complementarity_t * c, double tolerance, int most, int * iterations, double * residual)
{
  const int m = mbd_complementarity_rows(c);
  *iterations = 0;
  *residual = 0;
  for (int i = 0; i < m; i++) c->square[i] = dot(row_of(c, i), row_of(c, i), c->n);
  memset(c->x, 0, (size_t)c->n * sizeof *c->x);
  if (m == 0 || try_set(c, tolerance)) return true;
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < c->n; k++) c->x[k] += c->p[i] * row_of(c, i)[k];
  }
  do {
    *residual = sweep(c);
    // sets settle long before forces do
    if (++*iterations % 20 == 0 && try_set(c, tolerance)) return true;
  } while (*residual > tolerance && *iterations < most);
  if (!(*residual <= tolerance)) return false;
  try_set(c, tolerance);
  return true;
}
