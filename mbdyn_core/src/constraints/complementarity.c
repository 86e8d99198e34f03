// Complementarity problem with friction cones: reduction, residual, and the order of the methods.
#include "constraints/complementarity.h"

#include <math.h>
#include <string.h>

#include "util/arena.h"
#include "util/dense.h"
#include "util/lq.h"

size_t
mbdi_complementarity_init(
  mbdi_complementarity_t * c, int n, int ncontact, int nlimit, double * work)
{
  const int most = 3 * ncontact + nlimit;
  const size_t m = (size_t)most, numbers = (size_t)mbdi_row_wide(n), behind = MBDI_ROWS_BEHIND;
  const size_t ld = (size_t)mbdi_row_wide(most + 1);
  size_t at = 0;
  c->n = mbdi_row_wide(n);
  c->ncontact = ncontact;
  c->nlimit = nlimit;
#define TAKE(field, count) c->field = mbdi_arena_work(work, &at, (count), sizeof *c->field)
  TAKE(on, m);
  TAKE(B, m * numbers);
  TAKE(bias, m);
  TAKE(motion, m);
  TAKE(p, m);
  TAKE(square, m);
  TAKE(mu, (size_t)ncontact);
  TAKE(bound, (size_t)nlimit);
  TAKE(slip, 2 * (size_t)ncontact);
  TAKE(x, numbers);
  TAKE(w, m);
  TAKE(cone, (size_t)(ncontact + nlimit));
  TAKE(rows, (m + behind) * numbers);
  TAKE(forces, (m + behind) * numbers);
  TAKE(A, m * ld);
  TAKE(b, m);
  TAKE(f, m);
  TAKE(u, m);
  TAKE(best, m);
  TAKE(start, m);
  TAKE(J, (m + 1) * ld);
  TAKE(F, m + 1);
  TAKE(step, ld);
  TAKE(path, mbdi_cone_path_work(most));
  TAKE(equations, mbdi_lq_work(most, c->n));
  TAKE(small, mbdi_lq_work(most, most));
  TAKE(all.order, m);
  TAKE(all.Lt, (m + behind) * ld);
  TAKE(redundant.order, m);
  TAKE(redundant.Lt, m * ld);
  TAKE(roots, ld);
  TAKE(diagonal, ld);
  TAKE(rhs, ld);
  TAKE(gram, m * ld);
  TAKE(force, ld);
  TAKE(y, ld);
  TAKE(trial, numbers);
  TAKE(held, m);
  TAKE(active, m);
#undef TAKE
  return at;
}

size_t
mbdi_complementarity_work(int n, int ncontact, int nlimit)
{
  mbdi_complementarity_t unused;
  return mbdi_complementarity_init(&unused, n, ncontact, nlimit, NULL);
}

//---------- the reduced problem ----------

// a row of zeros has no force
static const double NO_COMPLIANCE = 1e-24;

static void
add_cone(mbdi_complementarity_t * c, int row, int contact)
{
  const size_t n = (size_t)c->n;
  mbdi_cone_t * cone = &c->cone[c->ncone++];
  *cone = (mbdi_cone_t){.row = row, .at = c->m, .size = 1};
  if (contact >= 0 && c->mu[contact] > 0) {
    cone->mu = c->mu[contact];
    memcpy(cone->slip, c->slip + 2 * (size_t)contact, sizeof cone->slip);
    const bool given = cone->slip[0] != 0 || cone->slip[1] != 0;
    const bool rubs = c->square[row + 1] + c->square[row + 2] > NO_COMPLIANCE;
    if (!given && rubs) cone->size = 3;
  }
  if (contact < 0) cone->bound = c->bound[row - 3 * c->ncontact];
  for (int j = 0; j < cone->size; j++) {
    const size_t to = (size_t)(cone->at + j), from = (size_t)(row + j);
    memcpy(c->rows + to * n, c->B + from * n, n * sizeof *c->rows);
    c->b[to] = c->bias[from];
    c->f[to] = c->p[from];
    cone->compliance += c->square[from];
  }
  cone->root = sqrt(cone->compliance);
  c->symmetric &= cone->size == 3 || (cone->slip[0] == 0 && cone->slip[1] == 0);
  c->m += cone->size;
}

static const double *
forces_of(const mbdi_complementarity_t * c)
{
  return c->symmetric ? c->rows : c->forces;
}

// friction at a given slip direction is proportional to the normal force
static void
add_given_friction(mbdi_complementarity_t * c)
{
  const size_t n = (size_t)c->n;
  memcpy(c->forces, c->rows, (size_t)(c->m + MBDI_ROWS_BEHIND) * n * sizeof *c->forces);
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    for (int j = 0; cone->size == 1 && cone->mu > 0 && j < 2; j++) {
      const double part = -cone->mu * cone->slip[j];
      if (part == 0) continue;
      const double * tangent = c->B + (size_t)(cone->row + 1 + j) * n;
      for (size_t i = 0; i < n; i++) c->forces[(size_t)cone->at * n + i] += part * tangent[i];
    }
  }
}

static void
reduce(mbdi_complementarity_t * c)
{
  const size_t n = (size_t)c->n;
  c->ncone = 0;
  c->m = 0;
  c->symmetric = true;
  for (int i = 0; i < mbdi_complementarity_rows(c); i++) {
    const double * row = c->B + (size_t)i * n;
    c->square[i] = c->on[i] ? c->kernels->dot(c->n, row, row) : 0;
  }
  for (int k = 0; k < c->ncontact; k++) {
    if (c->square[3 * k] > NO_COMPLIANCE) add_cone(c, 3 * k, k);
  }
  for (int k = 3 * c->ncontact; k < mbdi_complementarity_rows(c); k++) {
    if (c->square[k] > NO_COMPLIANCE) add_cone(c, k, -1);
  }
  c->ld = mbdi_row_wide(c->m);
  memset(c->rows + (size_t)c->m * n, 0, MBDI_ROWS_BEHIND * n * sizeof *c->rows);
  if (!c->symmetric) add_given_friction(c);
  c->kernels->gram(c->m, c->n, c->ld, c->rows, forces_of(c), c->symmetric, c->A);
}

// p and w of f; u is that of f
static void
expand(mbdi_complementarity_t * c)
{
  memset(c->p, 0, (size_t)mbdi_complementarity_rows(c) * sizeof *c->p);
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    double * p = c->p + cone->row;
    memcpy(p, c->f + cone->at, (size_t)cone->size * sizeof *p);
    memcpy(c->w + cone->row, c->u + cone->at, (size_t)cone->size * sizeof *p);
    if (cone->size == 3 || cone->row >= 3 * c->ncontact) continue;
    for (int i = cone->row + 1; i < cone->row + 3; i++) {
      c->w[i] = 0;
      if (c->on[i]) c->w[i] = c->bias[i] + mbdi_dot(c->n, c->B + (size_t)i * (size_t)c->n, c->x);
    }
    for (int j = 0; cone->mu > 0 && j < 2; j++) p[1 + j] = -cone->mu * cone->slip[j] * p[0];
  }
}

//---------- residual ----------

// through x = B^T p: opposing large forces cancel here as they do for the caller
void
mbdi_cone_motion(mbdi_complementarity_t * c)
{
  c->kernels->combine(c->m, c->n, forces_of(c), c->f, c->x);
  c->kernels->product(c->m, c->n, c->rows, c->x, c->b, c->u);
}

void
mbdi_cone_project(double mu, double * z)
{
  const double length = mbdi_cone_length(z[1], z[2]);
  if (length <= mu * z[0]) return;
  if (mu * length <= -z[0]) {
    z[0] = z[1] = z[2] = 0;
    return;
  }
  const double normal = (z[0] + mu * length) / (1 + mu * mu);
  z[0] = normal;
  z[1] *= mu * normal / length;
  z[2] *= mu * normal / length;
}

static double
cone_residual(const mbdi_cone_t * cone, const double * f, const double * u)
{
  const double w = cone->compliance;
  if (cone->bound > 0) return fabs(f[0] - mbdi_interval_project(cone->bound, f[0] - u[0] / w));
  if (cone->size == 1) return fabs(f[0] - fmax(0, f[0] - u[0] / w));
  const double slip = mbdi_cone_length(u[1], u[2]);
  double z[3] = {f[0] - (u[0] + cone->mu * slip) / w, f[1] - u[1] / w, f[2] - u[2] / w};
  mbdi_cone_project(cone->mu, z);
  for (int j = 0; j < 3; j++) z[j] -= f[j];
  return sqrt(mbdi_dot(3, z, z));
}

double
mbdi_cone_residual(mbdi_complementarity_t * c)
{
  double worst = 0;
  c->scale = 0;
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    const double * f = c->f + cone->at;
    const double root = cone->root;
    const double wrong = root * cone_residual(cone, f, c->u + cone->at);
    if (!isfinite(wrong)) return HUGE_VAL;
    worst = fmax(worst, wrong);
    // open contacts are excluded: their gaps would mask the errors of the others
    if (cone->bound == 0 && !(f[0] > 0) && !(c->b[cone->at] < 0)) continue;
    for (int j = 0; j < cone->size; j++) {
      c->scale = fmax(c->scale, fabs(c->b[cone->at + j]) / root);
    }
  }
  // no active contact: no forces, and no penetration without them
  return c->scale == 0 ? 0 : worst / c->scale;
}

double
mbdi_cone_check(mbdi_complementarity_t * c)
{
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    double * f = c->f + cone->at;
    if (cone->bound > 0) {
      f[0] = isfinite(f[0]) ? mbdi_interval_project(cone->bound, f[0]) : 0;
      continue;
    }
    const double length = cone->size == 3 ? mbdi_cone_length(f[1], f[2]) : 0,
                 most = cone->mu * f[0];
    if (!(f[0] > 0) || !isfinite(f[0]) || !isfinite(length)) {
      memset(f, 0, (size_t)cone->size * sizeof *f);
    } else if (length > most) {
      f[1] *= most / length;
      f[2] *= most / length;
    }
  }
  mbdi_cone_motion(c);
  return mbdi_cone_residual(c);
}

//---------- the methods in order ----------

enum {
  ROUNDS = 5,  // of sweeps and Newton steps
  SWEEPS = 8,  // of the first round; half as many more in each that follows
  NEWTON_STEPS = 20,
  NEWTON_HALVINGS = 2
};

typedef struct search {
  mbdi_complementarity_t * c;
  double tolerance;
  int left;  // iterations
  double best;
} search_t;

static bool
found(const search_t * s)
{
  return s->best <= s->tolerance;
}

// residual of f; keep the best iterate
static double
judge(search_t * s)
{
  const double residual = mbdi_cone_check(s->c);
  if (residual < s->best) {
    s->best = residual;
    memcpy(s->c->best, s->c->f, (size_t)s->c->m * sizeof *s->c->f);
  }
  return residual;
}

static void
newton(search_t * s, int halvings)
{
  const int most = s->left < NEWTON_STEPS ? s->left : NEWTON_STEPS;
  s->left -= mbdi_cone_newton(s->c, s->tolerance, most, halvings);
}

// Gauss-Seidel finds most of the active set, Newton converges from there; more sweeps if it fails
static void
sweep_and_newton(search_t * s)
{
  mbdi_complementarity_t * c = s->c;
  const size_t size = (size_t)c->m * sizeof *c->f;
  int sweeps = SWEEPS;
  for (int round = 0; round < ROUNDS && !found(s) && s->left > 0; round++) {
    for (int k = 0; k < sweeps && s->left > 0; k++, s->left--) mbdi_cone_sweep(c);
    sweeps += sweeps / 2;
    const double before = judge(s);
    memcpy(c->start, c->f, size);
    // full steps converge from most points, damped steps from some of the others
    newton(s, round % 2 ? NEWTON_HALVINGS : 0);
    if (!(judge(s) < 0.5 * before)) memcpy(c->f, c->start, size);
  }
}

// The best iterate, if it adds kinetic energy to the motion without forces so much of it that adds
// least
static void
fall_back(mbdi_complementarity_t * c)
{
  mbdi_cone_motion(c);
  expand(c);
  const double square = mbdi_dot(c->n, c->x, c->x);
  const double along = mbdi_dot(mbdi_complementarity_rows(c), c->p, c->motion);
  if (square / 2 + along <= 0) return;
  const double part = along < 0 ? -along / square : 0;
  for (int i = 0; i < c->m; i++) c->f[i] *= part;
}

static bool
pushes(const mbdi_complementarity_t * c)
{
  for (int i = 0; i < c->m; i++) {
    if (c->f[i] != 0) return true;
  }
  return false;
}

mbdi_complementarity_info_t
mbdi_complementarity_solve(mbdi_complementarity_t * c, double tolerance, int most)
{
  search_t s = {c, tolerance, most, HUGE_VAL};
  reduce(c);
  const size_t size = (size_t)c->m * sizeof *c->f;
  memset(c->best, 0, size);
  judge(&s);
  const bool warm = pushes(c);
  bool least = false;
  if (warm || !found(&s)) {
    memcpy(c->start, c->f, size);
    least = mbdi_cone_try_set(c, tolerance);
    if (least) {
      s.best = HUGE_VAL;
      judge(&s);
    } else if (warm) {
      newton(&s, 0);
      if (!(judge(&s) <= tolerance)) memcpy(c->f, c->start, size);
    }
  }
  mbdi_cone_motion(c);
  sweep_and_newton(&s);
  if (!found(&s) && s.left > 0) {
    s.left -= mbdi_cone_follow_path(c, tolerance, s.left);
    judge(&s);
  }
  memcpy(c->f, c->best, size);
  double residual = mbdi_cone_check(c);
  if (!found(&s)) {
    fall_back(c);
    residual = mbdi_cone_check(c);
  } else if (!least && pushes(c)) {
    // minimum-norm forces of sticking contacts: redundant contacts have many solutions
    mbdi_cone_try_set(c, tolerance);
    residual = mbdi_cone_check(c);
  }
  expand(c);
  return (mbdi_complementarity_info_t){residual <= tolerance, most - s.left, residual};
}
