// The active set of a complementarity problem as equations.
#include <math.h>
#include <string.h>

#include "constraints/complementarity.h"
#include "util/lq.h"

static const double *
row_of(const mbdi_complementarity_t * c, int i)
{
  return c->rows + (size_t)i * (size_t)c->n;
}

// An interval is active inside its bound, otherwise its force is held there.
static void
start_interval(mbdi_complementarity_t * c, const mbdi_cone_t * cone)
{
  const double f = c->f[cone->at];
  c->active[cone->at] = fabs(f) < cone->bound * (1 - 1e-9);
  c->held[cone->at] = c->active[cone->at] ? 0 : copysign(cone->bound, f);
}

// active rows according to f, if no contact slides: forces inside the cones, or zero velocity
static bool
rows_that_stick(mbdi_complementarity_t * c, double tolerance)
{
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    const double *f = c->f + cone->at, *u = c->u + cone->at;
    if (cone->bound > 0) {
      start_interval(c, cone);
      continue;
    }
    if (cone->size == 1 && cone->mu > 0 && (cone->slip[0] != 0 || cone->slip[1] != 0)) return false;
    const double rounding = 10 * tolerance * c->scale * cone->root;
    const bool slips = cone->size == 3 && !(mbdi_cone_length(u[1], u[2]) <= rounding);
    const bool inside =
      cone->size == 1 || mbdi_cone_length(f[1], f[2]) < cone->mu * f[0] * (1 - 1e-6);
    // contacts at rest without force may become active
    const bool acts = f[0] > 0 || (!slips && fabs(u[0]) <= rounding);
    if (acts && slips && !inside) return false;
    for (int j = 0; j < cone->size; j++) {
      c->active[cone->at + j] = acts;
      c->held[cone->at + j] = 0;
    }
  }
  return true;
}

// Minimum-norm forces for zero motion of the active rows, of rows divided by the roots of their
// compliances: by factors of A. False if the rank of A is not clear.
static bool
solve_by_pivots(mbdi_complementarity_t * c)
{
  enum { PASSES = 2 };
  // a pivot is the square of what a row adds to those before
  static const double SINGULAR = 1e-13, REGULAR = 1e-8;
  const mbdi_row_kernels_t * kernels = c->kernels;
  const int m = c->m, ld = c->ld;
  mbdi_pivots_t *all = &c->all, *again = &c->redundant;
  int active = 0;
  if (!c->symmetric) return false;
  for (int i = 0; i < ld; i++) {
    c->roots[i] = i < m && c->active[i] ? 1 / sqrt(c->A[i * (ld + 1)]) : 0;
    active += c->roots[i] > 0;
  }
  kernels->factorize(m, ld, c->A, c->roots, SINGULAR, c->diagonal, all);
  if (!(all->smallest > REGULAR)) return false;
  const int rank = all->rank, small = mbdi_row_wide(rank);
  if (rank < active) {
    memset(all->Lt + rank * ld, 0, (size_t)(MBDI_ROWS_BEHIND * ld) * sizeof *all->Lt);
    kernels->gram(rank, ld, small, all->Lt, all->Lt, true, c->gram);
    for (int i = 0; i < small; i++) c->rhs[i] = 1;
    kernels->factorize(rank, small, c->gram, c->rhs, 0, c->diagonal, again);
    if (again->rank < rank) return false;
  }
  memcpy(c->f, c->held, (size_t)m * sizeof *c->f);
  mbdi_cone_motion(c);
  // the second pass corrects rounding errors of A
  for (int pass = 0; pass < PASSES; pass++) {
    for (int i = 0; i < ld; i++) c->rhs[i] = i < m ? -c->roots[i] * c->u[i] : 0;
    kernels->forward(ld, all, c->rhs, c->y);
    if (rank < active) {
      // S f = L (L^T L)^-1 y
      kernels->forward(small, again, c->y, c->rhs);
      kernels->backward(small, again, c->rhs, c->diagonal);
      kernels->combine(rank, ld, all->Lt, c->diagonal, c->step);
    } else {
      kernels->backward(ld, all, c->y, c->step);
    }
    for (int i = 0; i < m; i++) c->f[i] += c->roots[i] * c->step[i];
    mbdi_cone_motion(c);
  }
  return true;
}

// the same by the rows, which tell the rank
static void
solve_by_rows(mbdi_complementarity_t * c)
{
  const int m = c->m, n = c->n;
  mbdi_lq_t lq;
  memcpy(c->f, c->held, (size_t)m * sizeof *c->f);
  mbdi_cone_motion(c);
  mbdi_lq_init(&lq, m, n, c->equations);
  for (int i = 0; i < m; i++) {
    double * row = lq.A + (size_t)i * (size_t)n;
    c->step[i] = c->active[i] ? -c->u[i] : 0;
    lq.scale[i] = 1;
    memset(row, 0, (size_t)n * sizeof *row);
    if (!c->active[i]) continue;
    memcpy(row, row_of(c, i), (size_t)n * sizeof *row);
    lq.scale[i] = sqrt(c->A[i * (c->ld + 1)]);
  }
  mbdi_lq_factor(&lq, 1e-9, -1);
  mbdi_lq_solve(&lq, c->step, c->y, c->trial, NULL);
  mbdi_lq_solve_transpose_least(&lq, c->trial, c->small, c->step);
  for (int i = 0; i < m; i++) c->f[i] += c->step[i];
  mbdi_cone_motion(c);
}

// by how much an interval's force exceeds its bound, as the velocity it prevents, or a force that is held
// there pushes along the motion
static double
interval_wrong(const mbdi_complementarity_t * c, const mbdi_cone_t * cone, double rounding)
{
  const int i = cone->at;
  const double own = c->A[i * (c->ld + 1)];
  if (c->active[i]) return (fabs(c->f[i]) - cone->bound) * own;
  return copysign(c->u[i], c->u[i] * c->held[i]) - rounding * sqrt(own);
}

// exchange a cone: force against motion
static void
exchange(mbdi_complementarity_t * c, const mbdi_cone_t * cone)
{
  const int i = cone->at;
  if (cone->bound > 0) c->held[i] = c->active[i] ? copysign(cone->bound, c->f[i]) : 0;
  for (int j = i; j < i + cone->size; j++) c->active[j] = !c->active[j];
}

// the most violated cone: tensile force, or open and penetrating; NULL: none
static const mbdi_cone_t *
most_wrong(const mbdi_complementarity_t * c, double tolerance)
{
  const mbdi_cone_t * worst = NULL;
  double largest = 0;
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    const int i = cone->at;
    const double own = c->A[i * (c->ld + 1)];
    // tensile force expressed as the velocity it prevents
    double wrong =
      c->active[i] ? -c->f[i] * own : -c->u[i] - 0.1 * tolerance * c->scale * sqrt(own);
    if (cone->bound > 0) wrong = interval_wrong(c, cone, 0.1 * tolerance * c->scale);
    if (wrong > largest) largest = wrong, worst = cone;
  }
  return worst;
}

bool
mbdi_cone_try_set(mbdi_complementarity_t * c, double tolerance)
{
  const size_t size = (size_t)c->m * sizeof *c->f;
  const mbdi_cone_t * wrong = NULL;
  memcpy(c->force, c->f, size);
  if (!rows_that_stick(c, tolerance)) return false;
  for (int tries = 0; tries == 0 || (wrong && tries < 8); tries++) {
    if (!solve_by_pivots(c)) solve_by_rows(c);
    wrong = most_wrong(c, tolerance);
    if (wrong) exchange(c, wrong);
  }
  if (!wrong && mbdi_cone_check(c) <= tolerance) return true;
  memcpy(c->f, c->force, size);
  return false;
}
