// Complementarity problem with friction cones: reduction, residual, and the order of the methods.
#include "constraints/complementarity.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "util/arena.h"
#include "util/lq.h"

static size_t
cone_numbers(int ncone)
{
  return ((size_t)ncone * sizeof(mbdi_cone_t) + sizeof(double) - 1) / sizeof(double);
}

size_t
mbdi_complementarity_work(int n, int ncontact, int nlimit)
{
  const int m = 3 * ncontact + nlimit;
  const size_t rows = (size_t)m, numbers = (size_t)n, border = rows + 1;
  // a truth value takes no more room than a number
  return 3 * rows * numbers + 5 * rows + 3 * (size_t)ncontact + 2 * numbers +
         cone_numbers(ncontact + nlimit) + rows * rows + 8 * rows + border * border + 2 * border +
         mbdi_cone_path_work(m) + mbdi_lq_work(m, n) + mbdi_lq_work(m, m);
}

void
mbdi_complementarity_init(
  mbdi_complementarity_t * c, int n, int ncontact, int nlimit, double * work)
{
  const int most = 3 * ncontact + nlimit;
  const size_t m = (size_t)most, numbers = (size_t)n;
  size_t at = 0;
  c->n = n;
  c->ncontact = ncontact;
  c->nlimit = nlimit;
  c->B = mbdi_arena_work(work, &at, m * numbers, sizeof *work);
  c->bias = mbdi_arena_work(work, &at, m, sizeof *work);
  c->motion = mbdi_arena_work(work, &at, m, sizeof *work);
  c->p = mbdi_arena_work(work, &at, m, sizeof *work);
  c->square = mbdi_arena_work(work, &at, m, sizeof *work);
  c->mu = mbdi_arena_work(work, &at, (size_t)ncontact, sizeof *work);
  c->slip = mbdi_arena_work(work, &at, 2 * (size_t)ncontact, sizeof *work);
  c->x = mbdi_arena_work(work, &at, numbers, sizeof *work);
  c->w = mbdi_arena_work(work, &at, m, sizeof *work);
  c->cone = (mbdi_cone_t *)(void *)mbdi_arena_work(
    work, &at, cone_numbers(ncontact + nlimit), sizeof *work);
  c->rows = mbdi_arena_work(work, &at, m * numbers, sizeof *work);
  c->forces = mbdi_arena_work(work, &at, m * numbers, sizeof *work);
  c->A = mbdi_arena_work(work, &at, m * m, sizeof *work);
  c->b = mbdi_arena_work(work, &at, m, sizeof *work);
  c->f = mbdi_arena_work(work, &at, m, sizeof *work);
  c->u = mbdi_arena_work(work, &at, m, sizeof *work);
  c->best = mbdi_arena_work(work, &at, m, sizeof *work);
  c->start = mbdi_arena_work(work, &at, m, sizeof *work);
  c->J = mbdi_arena_work(work, &at, (m + 1) * (m + 1), sizeof *work);
  c->F = mbdi_arena_work(work, &at, m + 1, sizeof *work);
  c->step = mbdi_arena_work(work, &at, m + 1, sizeof *work);
  c->path = mbdi_arena_work(work, &at, mbdi_cone_path_work(most), sizeof *work);
  c->equations = mbdi_arena_work(work, &at, mbdi_lq_work(most, n), sizeof *work);
  c->small = mbdi_arena_work(work, &at, mbdi_lq_work(most, most), sizeof *work);
  c->force = mbdi_arena_work(work, &at, m, sizeof *work);
  c->y = mbdi_arena_work(work, &at, m, sizeof *work);
  c->trial = mbdi_arena_work(work, &at, numbers, sizeof *work);
  c->active = (bool *)(void *)mbdi_arena_work(work, &at, m, sizeof *work);
}

static double
dot(const double * a, const double * b, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

//---------- the reduced problem ----------

// a row that nothing moves has no force
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
  for (int j = 0; j < cone->size; j++) {
    const size_t to = (size_t)(cone->at + j), from = (size_t)(row + j);
    memcpy(c->rows + to * n, c->B + from * n, n * sizeof *c->rows);
    memcpy(c->forces + to * n, c->B + from * n, n * sizeof *c->forces);
    c->b[to] = c->bias[from];
    c->f[to] = c->p[from];
    cone->compliance += c->square[from];
  }
  // friction against a given slip comes with the normal force
  for (int j = 0; cone->size == 1 && j < 2; j++) {
    const double part = -cone->mu * cone->slip[j];
    if (part == 0) continue;
    const double * tangent = c->B + (size_t)(row + 1 + j) * n;
    for (size_t k = 0; k < n; k++) c->forces[(size_t)cone->at * n + k] += part * tangent[k];
  }
  c->m += cone->size;
}

static void
reduce(mbdi_complementarity_t * c)
{
  c->ncone = 0;
  c->m = 0;
  for (int i = 0; i < mbdi_complementarity_rows(c); i++) {
    c->square[i] = dot(c->B + (size_t)i * (size_t)c->n, c->B + (size_t)i * (size_t)c->n, c->n);
  }
  for (int k = 0; k < c->ncontact; k++) {
    if (c->square[3 * k] > NO_COMPLIANCE) add_cone(c, 3 * k, k);
  }
  for (int k = 3 * c->ncontact; k < mbdi_complementarity_rows(c); k++) {
    if (c->square[k] > NO_COMPLIANCE) add_cone(c, k, -1);
  }
  const size_t n = (size_t)c->n, m = (size_t)c->m;
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < m; j++) {
      c->A[i * m + j] = dot(c->rows + i * n, c->forces + j * n, c->n);
    }
  }
}

// p and w of f; x is that of f
static void
expand(mbdi_complementarity_t * c)
{
  for (int i = 0; i < mbdi_complementarity_rows(c); i++) {
    c->w[i] = c->bias[i] + dot(c->B + (size_t)i * (size_t)c->n, c->x, c->n);
  }
  memset(c->p, 0, (size_t)mbdi_complementarity_rows(c) * sizeof *c->p);
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    double * p = c->p + cone->row;
    memcpy(p, c->f + cone->at, (size_t)cone->size * sizeof *p);
    for (int j = 0; cone->size == 1 && cone->mu > 0 && j < 2; j++) {
      p[1 + j] = -cone->mu * cone->slip[j] * p[0];
    }
  }
}

//---------- residual ----------

// by way of x: large forces that hold each other lose digits here as they do for the caller
void
mbdi_cone_motion(mbdi_complementarity_t * c)
{
  const size_t n = (size_t)c->n;
  memset(c->x, 0, n * sizeof *c->x);
  for (int i = 0; i < c->m; i++) {
    const double *row = c->forces + (size_t)i * n, f = c->f[i];
    for (size_t k = 0; f != 0 && k < n; k++) c->x[k] += f * row[k];
  }
  for (int i = 0; i < c->m; i++) c->u[i] = c->b[i] + dot(c->rows + (size_t)i * n, c->x, c->n);
}

void
mbdi_cone_project(double mu, double * z)
{
  const double length = hypot(z[1], z[2]);
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
  if (cone->size == 1) return fabs(f[0] - fmax(0, f[0] - u[0] / w));
  const double slip = hypot(u[1], u[2]);
  double z[3] = {f[0] - (u[0] + cone->mu * slip) / w, f[1] - u[1] / w, f[2] - u[2] / w};
  mbdi_cone_project(cone->mu, z);
  for (int j = 0; j < 3; j++) z[j] -= f[j];
  return sqrt(dot(z, z, 3));
}

double
mbdi_cone_residual(mbdi_complementarity_t * c)
{
  double worst = 0;
  c->scale = 0;
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    const double * f = c->f + cone->at;
    const double root = sqrt(cone->compliance);
    const double wrong = root * cone_residual(cone, f, c->u + cone->at);
    if (!isfinite(wrong)) return HUGE_VAL;
    worst = fmax(worst, wrong);
    // contacts that stay open do not count: their gaps would hide the errors of the others
    if (!(f[0] > 0) && !(c->b[cone->at] < 0)) continue;
    for (int j = 0; j < cone->size; j++) {
      c->scale = fmax(c->scale, fabs(c->b[cone->at + j]) / root);
    }
  }
  // none counts: no forces, and nothing goes through without them
  return c->scale == 0 ? 0 : worst / c->scale;
}

double
mbdi_cone_check(mbdi_complementarity_t * c)
{
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    double * f = c->f + cone->at;
    const double length = cone->size == 3 ? hypot(f[1], f[2]) : 0, most = cone->mu * f[0];
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
  NEWTON_HALVINGS = 2,
  RESTARTS = 200
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

// what f is worth; kept if it is the best
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

// Gauss-Seidel finds most of the active set, Newton steps do the rest: from further on if they miss
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
    // full steps do best from most points, shorter ones from some of the others
    newton(s, round % 2 ? NEWTON_HALVINGS : 0);
    if (!(judge(s) < 0.5 * before)) memcpy(c->f, c->start, size);
  }
}

// a number from 0 to 1, the next of a fixed sequence (xorshift)
static double
draw(uint64_t * state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) * 0x1p-53;
}

// Newton steps from forces drawn at random, about as large as those that stop the free motion: the last
// resort, mostly for problems of few contacts
static void
newton_from_anywhere(search_t * s)
{
  mbdi_complementarity_t * c = s->c;
  uint64_t state = 88172645463325252u;
  for (int k = 0; k < RESTARTS && !found(s) && s->left > 0; k++) {
    for (int j = 0; j < c->ncone; j++) {
      const mbdi_cone_t * cone = &c->cone[j];
      double * f = c->f + cone->at;
      const double root = sqrt(cone->compliance), acts = draw(&state) < 0.3 ? 0 : 1;
      f[0] = acts * 2 * draw(&state) * c->scale / root;
      for (int i = 1; i < cone->size; i++) f[i] = cone->mu * f[0] * (2 * draw(&state) - 1);
    }
    mbdi_cone_check(c);
    for (int j = 0; j < 3 && s->left > 0; j++, s->left--) mbdi_cone_sweep(c);
    newton(s, k % 2 ? NEWTON_HALVINGS : 0);
    judge(s);
  }
}

// The best iterate, if it adds kinetic energy to the motion without forces so much of it that adds
// least
static void
fall_back(mbdi_complementarity_t * c)
{
  mbdi_cone_motion(c);
  expand(c);
  const double square = dot(c->x, c->x, c->n);
  const double along = dot(c->p, c->motion, mbdi_complementarity_rows(c));
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
    // half of what is left: long paths seldom end well
    s.left -= mbdi_cone_follow_path(c, tolerance, (s.left + 1) / 2);
    judge(&s);
    newton_from_anywhere(&s);
  }
  memcpy(c->f, c->best, size);
  double residual = mbdi_cone_check(c);
  if (!found(&s)) {
    fall_back(c);
    residual = mbdi_cone_check(c);
  } else if (!least && pushes(c)) {
    // of contacts that stick the least forces: redundant ones have many
    mbdi_cone_try_set(c, tolerance);
    residual = mbdi_cone_check(c);
  }
  expand(c);
  return (mbdi_complementarity_info_t){residual <= tolerance, most - s.left, residual};
}
