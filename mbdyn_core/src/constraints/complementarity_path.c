// Homotopy (path following): smoothed problems from one with a known solution to the given one.
//
// In scaled coordinates, in which each friction cone is the second-order cone, forces p and motions v
// (with mu |u_t| added along the normal) solve the problem where p o v = 0, the Jordan product. Both
// come from one vector z of the same size
//
//   p = (z + sqrt(z^2 + 4 e^2)) / 2,   v = p - z,   so that p o v = e^2
//
// and the path is the curve of (z, t) with e = start t and
//
//   h(z, t) = v - (sqrt(|v_t|^2 + e^2) - e) n - S p - b - t r = 0
//
// from t = 1, z = 0, where r makes it hold, to t = 0. It may turn back in t on the way, which Newton's
// method alone cannot: it is followed by its arc length, tangent first, then Newton steps across it. A
// diverging path (unbounded forces) is abandoned for one from another start.
#include <math.h>
#include <string.h>

#include "constraints/complementarity.h"
#include "util/dense.h"

typedef struct path {
  mbdi_complementarity_t * c;
  double * S;     // A, scaled                                                  [m m]
  double * b;     // b, scaled                                                  [m]
  double * unit;  // f = unit size p                                            [m]
  double *z, *p, *v, *h, *r;
  double * by_e;     // derivative of p and of v to e                              [m]
  double * D;        // of p to z: three numbers of each row, those of its cone    [3 m]
  double * tangent;  // of (z, t)                                                  [m + 1]
  double * from;     // z before a step                                            [m]
  double size;       // largest of b, scaled
  double start, t;
} path_t;

size_t
mbdi_cone_path_work(int m)
{
  const size_t rows = (size_t)m;
  return rows * rows + 13 * rows + 1;
}

static void
init(path_t * q, mbdi_complementarity_t * c)
{
  const size_t m = (size_t)c->m;
  double ** array[] = {&q->b, &q->unit, &q->z, &q->p, &q->v, &q->h, &q->r, &q->by_e, &q->from};
  double * work = c->path;
  q->c = c;
  q->S = work;
  work += m * m;
  for (size_t k = 0; k < sizeof array / sizeof *array; k++, work += m) *array[k] = work;
  q->D = work;
  q->tangent = work + 3 * m;
}

// scale to second-order cones, with compliance and b of order one; false: no active contact
static bool
set_scales(path_t * q)
{
  const mbdi_complementarity_t * c = q->c;
  const size_t m = (size_t)c->m, ld = (size_t)c->ld;
  q->size = 0;
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    double trace = 0;
    for (int j = 0; j < cone->size; j++) {
      const size_t i = (size_t)(cone->at + j);
      q->unit[i] = j == 0 ? 1 : cone->mu;
      trace += c->A[i * ld + i] * q->unit[i] * q->unit[i];
    }
    if (!(trace > 1e-9 * cone->compliance)) trace = cone->compliance;
    const double root = sqrt(trace / cone->size);
    const bool goes_through = cone->bound > 0 || c->b[cone->at] < 0;
    for (int i = cone->at; i < cone->at + cone->size; i++) {
      q->unit[i] /= root;
      q->b[i] = c->b[i] * q->unit[i];
      if (goes_through) q->size = fmax(q->size, fabs(q->b[i]));
    }
  }
  if (!(q->size > 0)) return false;
  for (size_t i = 0; i < m; i++) {
    q->b[i] /= q->size;
    for (size_t j = 0; j < m; j++) q->S[i * m + j] = c->A[i * ld + j] * q->unit[i] * q->unit[j];
  }
  return true;
}

// (x + sqrt(x^2 + 4 e^2)) / 2 without cancellation
static double
smooth(double x, double e)
{
  const double root = sqrt(x * x + 4 * e * e);
  return x >= 0 ? (x + root) / 2 : 2 * e * e / (root - x);
}

// its derivatives to x and to e
static double
smooth_by_x(double x, double e)
{
  const double root = sqrt(x * x + 4 * e * e);
  return x >= 0 ? (1 + x / root) / 2 : 2 * e * e / (root * (root - x));
}

static double
smooth_by_e(double x, double e)
{
  return 2 * e / sqrt(x * x + 4 * e * e);
}

// p of z in an interval, and its derivatives: max(z + bound, 0) - max(z - bound, 0) - bound, smoothed
static void
split_interval(double bound, double z, double e, double * p, double * D, double * by_e)
{
  if (!isfinite(bound)) {
    *p = z, *D = 1, *by_e = 0;
    return;
  }
  *p = smooth(z + bound, e) - smooth(z - bound, e) - bound;
  *D = smooth_by_x(z + bound, e) - smooth_by_x(z - bound, e);
  *by_e = smooth_by_e(z + bound, e) - smooth_by_e(z - bound, e);
}

// p and v of z, and their derivatives
static void
split(path_t * q, const mbdi_cone_t * cone)
{
  const int a = cone->at;
  const double *z = q->z + a, e = q->start * q->t;
  double *p = q->p + a, *v = q->v + a, *by_e = q->by_e + a, *D = q->D + 3 * (size_t)a;
  if (cone->bound > 0) {
    split_interval(cone->bound / (q->unit[a] * q->size), z[0], e, p, D, by_e);
    v[0] = p[0] - z[0];
    return;
  }
  if (cone->size == 1) {
    p[0] = smooth(z[0], e);
    v[0] = smooth(-z[0], e);
    D[0] = smooth_by_x(z[0], e);
    by_e[0] = smooth_by_e(z[0], e);
    return;
  }
  const double length = mbdi_cone_length(z[1], z[2]);
  const double w[2] = {length > 0 ? z[1] / length : 1, length > 0 ? z[2] / length : 0};
  // of the two eigenvalues of z
  const double high = z[0] + length, low = z[0] - length;
  const double p_high = smooth(high, e), p_low = smooth(low, e);
  const double v_high = smooth(-high, e), v_low = smooth(-low, e);
  const double d_high = smooth_by_x(high, e), d_low = smooth_by_x(low, e);
  const double e_high = smooth_by_e(high, e), e_low = smooth_by_e(low, e);
  const double mean = (d_high + d_low) / 2, half = (d_high - d_low) / 2;
  const double across = length > 1e-12 ? (p_high - p_low) / (2 * length) : mean;
  p[0] = (p_high + p_low) / 2;
  v[0] = (v_high + v_low) / 2;
  by_e[0] = (e_high + e_low) / 2;
  D[0] = mean;
  for (int i = 0; i < 2; i++) {
    p[1 + i] = (p_high - p_low) / 2 * w[i];
    v[1 + i] = (v_high - v_low) / 2 * w[i];
    by_e[1 + i] = (e_high - e_low) / 2 * w[i];
    D[1 + i] = D[3 * (1 + i)] = half * w[i];
    for (int j = 0; j < 2; j++) {
      D[3 * (1 + i) + 1 + j] = (i == j ? across : 0) + (mean - across) * w[i] * w[j];
    }
  }
}

// row i of the Jacobian of v - S p to (z, t)
static void
linear_part(const path_t * q, int i, double * row)
{
  const mbdi_complementarity_t * c = q->c;
  const double * S = q->S + (size_t)i * (size_t)c->m;
  double by_t = q->by_e[i];
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    for (int j = 0; j < cone->size; j++) {
      double sum = 0;
      for (int l = 0; l < cone->size; l++) {
        const size_t at = (size_t)(cone->at + l);
        sum += S[at] * q->D[3 * at + (size_t)j];
      }
      row[cone->at + j] = -sum;
      by_t -= S[cone->at + j] * q->by_e[cone->at + j];
    }
  }
  row[c->m] = q->start * by_t - q->r[i];
}

// h at (z, t), and its Jacobian in the first m of m + 1 rows of c->J; returns the largest of h
static double
evaluate(path_t * q)
{
  mbdi_complementarity_t * c = q->c;
  const size_t m = (size_t)c->m, wide = (size_t)mbdi_row_wide(c->m + 1);
  double largest = 0;
  for (int k = 0; k < c->ncone; k++) split(q, &c->cone[k]);
  for (size_t i = 0; i < m; i++) {
    double sum = q->v[i] - q->b[i] - q->t * q->r[i];
    for (size_t j = 0; j < m; j++) sum -= q->S[i * m + j] * q->p[j];
    q->h[i] = sum;
    linear_part(q, (int)i, c->J + i * wide);
  }
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    const int a = cone->at;
    double * J = c->J + (size_t)a * wide;
    const double *D = q->D + 3 * (size_t)a, *v = q->v + a, *by_e = q->by_e + a, e = q->start * q->t;
    for (int i = 0; i < cone->size; i++) {
      for (int j = 0; j < cone->size; j++)
        J[(size_t)i * wide + (size_t)(a + j)] += D[3 * i + j] - (i == j);
    }
    if (cone->size == 1) continue;
    const double slip = sqrt(v[1] * v[1] + v[2] * v[2] + e * e);
    const double x = v[1] / slip, y = v[2] / slip;
    q->h[a] -= slip - e;
    for (int j = 0; j < 3; j++) J[a + j] -= x * (D[3 + j] - (j == 1)) + y * (D[6 + j] - (j == 2));
    J[m] -= q->start * (x * by_e[1] + y * by_e[2] + e / slip - 1);
  }
  for (size_t i = 0; i < m; i++) largest = fmax(largest, fabs(q->h[i]));
  return largest;
}

// solve with the Jacobian and, as the last row, the tangent; the right-hand side is in c->step
static bool
solve_bordered(path_t * q)
{
  mbdi_complementarity_t * c = q->c;
  const int wide = mbdi_row_wide(c->m + 1);
  memcpy(c->J + c->m * wide, q->tangent, (size_t)(c->m + 1) * sizeof *c->J);
  return c->kernels->solve(c->m + 1, wide, c->J, c->step);
}

// the next tangent: in the direction of the one before
static bool
find_tangent(path_t * q)
{
  mbdi_complementarity_t * c = q->c;
  const int wide = c->m + 1;
  evaluate(q);
  memset(c->step, 0, (size_t)wide * sizeof *c->step);
  c->step[c->m] = 1;
  if (!solve_bordered(q)) return false;
  const double length = sqrt(mbdi_dot(wide, c->step, c->step));
  if (!isfinite(length)) return false;
  for (int i = 0; i < wide; i++) q->tangent[i] = c->step[i] / length;
  return true;
}

// Newton steps across the path after a step of ds along it; returns how many it took, or -1 if they
// do not contract: that ds is too long. *iterations counts up to `most`.
static int
correct(path_t * q, double ds, int most, int * iterations)
{
  enum { STEPS = 6 };
  mbdi_complementarity_t * c = q->c;
  const int m = c->m;
  double longest = 0.7 * ds + 1e-3 * q->t;
  for (int k = 0; k < STEPS; k++) {
    if (evaluate(q) <= 1e-3 * fmin(1, q->t)) return k;
    if (*iterations >= most) return -1;
    memcpy(c->step, q->h, (size_t)m * sizeof *c->step);
    c->step[m] = 0;
    ++*iterations;
    if (!solve_bordered(q)) return -1;
    const double length = sqrt(mbdi_dot(m + 1, c->step, c->step));
    if (!(length <= longest)) return -1;
    longest = length / 2;
    for (int i = 0; i < m; i++) q->z[i] -= c->step[i];
    q->t -= c->step[m];
    if (!(q->t > 0)) return -1;
  }
  return -1;
}

// one step along the path with the largest ds that converges; false if none does
static bool
advance(path_t * q, double * ds, int most, int * iterations)
{
  const int m = q->c->m;
  const double t = q->t, slope = q->tangent[m];
  // the next ds by Newton steps taken
  static const double grow[] = {3, 3, 2, 1, 0.5, 0.5};
  memcpy(q->from, q->z, (size_t)m * sizeof *q->z);
  while (*ds > 1e-7 * t && *iterations < most) {
    // t goes down by a factor of ten at most
    const double length = t + *ds * slope < 0.1 * t ? -0.9 * t / slope : *ds;
    for (int i = 0; i < m; i++) q->z[i] = q->from[i] + length * q->tangent[i];
    q->t = t + length * slope;
    const int steps = correct(q, length, most, iterations);
    *ds = length * (steps < 0 ? 1.0 / 3 : grow[steps]);
    if (steps >= 0) return true;
  }
  return false;
}

static void
write_forces(path_t * q)
{
  for (int i = 0; i < q->c->m; i++) q->c->f[i] = q->p[i] * q->unit[i] * q->size;
}

// from one start; *solved
static int
follow(path_t * q, double tolerance, int most, bool * solved)
{
  enum { NEWTON_EVERY = 40, NEWTON_STEPS = 15 };
  static const double TOO_FAR = 1e6, NEAR_ENOUGH = 1e-13;
  mbdi_complementarity_t * c = q->c;
  const size_t m = (size_t)c->m;
  int iterations = 0, next_newton = NEWTON_EVERY;
  double ds = 0.3, newton_below = 0.02;
  memset(q->z, 0, m * sizeof *q->z);
  memset(q->r, 0, m * sizeof *q->r);
  q->t = 1;
  evaluate(q);
  memcpy(q->r, q->h, m * sizeof *q->r);
  memset(q->tangent, 0, (m + 1) * sizeof *q->tangent);
  q->tangent[m] = -1;
  *solved = false;
  while (iterations < most && q->t > NEAR_ENOUGH) {
    iterations++;
    if (!find_tangent(q) || !advance(q, &ds, most, &iterations)) break;
    if (!(sqrt(mbdi_dot(c->m, q->z, q->z)) < TOO_FAR) || q->t > TOO_FAR) break;
    // once the active set is right, Newton steps end it
    if (!(q->t < newton_below) && !(iterations >= next_newton && q->t < 0.1)) continue;
    write_forces(q);
    const int left = most - iterations;
    iterations += mbdi_cone_newton(c, tolerance, left < NEWTON_STEPS ? left : NEWTON_STEPS, 0);
    *solved = mbdi_cone_check(c) <= tolerance;
    if (*solved) return iterations;
    newton_below = 0.2 * q->t;
    next_newton = iterations + NEWTON_EVERY;
  }
  write_forces(q);
  return iterations;
}

int
mbdi_cone_follow_path(mbdi_complementarity_t * c, double tolerance, int most)
{
  static const double start[] = {1, 10, 0.1};
  path_t q;
  int iterations = 0;
  bool solved = false;
  init(&q, c);
  if (!set_scales(&q)) return 0;
  for (int k = 0; k < 3 && !solved && iterations < most; k++) {
    q.start = start[k];
    iterations += follow(&q, tolerance, most - iterations, &solved);
  }
  return iterations;
}
