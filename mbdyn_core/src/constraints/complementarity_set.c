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

// rows of the set that f says, if nothing in it slides: forces are inside the cones, or nothing moves
static bool
rows_that_stick(mbdi_complementarity_t * c, double tolerance)
{
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    const double *f = c->f + cone->at, *u = c->u + cone->at;
    if (cone->size == 1 && cone->mu > 0 && (cone->slip[0] != 0 || cone->slip[1] != 0)) return false;
    const double rounding = 10 * tolerance * c->scale * sqrt(cone->compliance);
    const bool slips = cone->size == 3 && !(hypot(u[1], u[2]) <= rounding);
    const bool inside = cone->size == 1 || hypot(f[1], f[2]) < cone->mu * f[0] * (1 - 1e-6);
    // what stands still without a force may take its share
    const bool acts = f[0] > 0 || (!slips && fabs(u[0]) <= rounding);
    if (acts && slips && !inside) return false;
    for (int j = 0; j < cone->size; j++) c->active[cone->at + j] = acts;
  }
  return true;
}

// forces of least norm that make the rows of the set stand still, and what they do
static void
solve_equations(mbdi_complementarity_t * c)
{
  const int m = c->m, n = c->n;
  mbdi_lq_t lq;
  mbdi_lq_init(&lq, m, n, c->equations);
  for (int i = 0; i < m; i++) {
    double * row = lq.A + (size_t)i * (size_t)n;
    c->step[i] = c->active[i] ? -c->b[i] : 0;
    lq.scale[i] = 1;
    memset(row, 0, (size_t)n * sizeof *row);
    if (!c->active[i]) continue;
    memcpy(row, row_of(c, i), (size_t)n * sizeof *row);
    lq.scale[i] = sqrt(c->A[(size_t)i * (size_t)m + (size_t)i]);
  }
  mbdi_lq_factor(&lq, 1e-9, -1);
  mbdi_lq_solve(&lq, c->step, c->y, c->trial, NULL);
  mbdi_lq_solve_transpose_least(&lq, c->trial, c->small, c->f);
  mbdi_cone_motion(c);
}

// the cone that is most wrong: one that pulls, or one that is open and goes through; NULL: none
static const mbdi_cone_t *
most_wrong(const mbdi_complementarity_t * c, double tolerance)
{
  const mbdi_cone_t * worst = NULL;
  double largest = 0;
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    const int i = cone->at;
    const double own = c->A[(size_t)i * (size_t)c->m + (size_t)i];
    // a pull as the motion that it holds back
    const double wrong =
      c->active[i] ? -c->f[i] * own : -c->u[i] - 0.1 * tolerance * c->scale * sqrt(own);
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
    solve_equations(c);
    wrong = most_wrong(c, tolerance);
    for (int j = 0; wrong && j < wrong->size; j++) {
      c->active[wrong->at + j] = !c->active[wrong->at + j];
    }
  }
  if (!wrong && mbdi_cone_check(c) <= tolerance) return true;
  memcpy(c->f, c->force, size);
  return false;
}
