// Dual of the least-norm problem: f = P(G^T y), P the projection onto the cones, y six numbers.
//
//   phi(y) = |P(G^T y)|^2 / 2 - w y + (y - y_k)^T E (y - y_k) / 2,    E = epsilon metric
//
// is convex with the gradient G f - w + E (y - y_k), and its second derivative is G P' G^T + E. At its
// minimum w - G f = E (y - y_k): the proximal steps k end where nothing is missing any more, or where what is
// missing, which is then the least, does not change any more (the method of multipliers).
#include "operators/cone_forces.h"

#include <math.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "util/dense.h"

enum { MOST_STEPS = 100, STEPS_AT_ONCE = 8, MOST_HALVINGS = 30 };

// epsilon, relative to G G^T: large ones are easy, of small ones the missing wrench shrinks by about as much
// in a proximal step. The first, the smallest; change after an easy and after a hard step.
static const double FIRST = 0.1, SMALLEST = 1e-6, EASIER = 10, HARDER = 1e-2;
// of wrenches, relative to the required one
static const double REACHED = 1e-11, SETTLED = 1e-8, ROUNDING = 1e-14;

// projection of z onto the cone, and its derivative D unless NULL
static mbd_vec3_t
project(const mbdi_cone_point_t * p, mbd_vec3_t z, double * D)
{
  const double mu = p->friction, along = mbdu_vec3_dot(z, p->normal);
  const mbd_vec3_t t = mbdu_vec3_sub(z, mbdu_vec3_scale(along, p->normal));
  const double length = mbdu_vec3_norm(t);
  if (D) memset(D, 0, 9 * sizeof *D);
  if (length < mu * along) {
    if (D) D[0] = D[4] = D[8] = 1;
    return z;
  }
  if (mu * length <= -along || (along <= 0 && mu == 0)) return mbdu_vec3(0, 0, 0);
  const double size = (along + mu * length) / (1 + mu * mu);
  const mbd_vec3_t side = length > 0 ? mbdu_vec3_scale(1 / length, t) : mbdu_vec3(0, 0, 0);
  const mbd_vec3_t edge = mbdu_vec3_add(p->normal, mbdu_vec3_scale(mu, side));
  const double e[3] = {edge.x, edge.y, edge.z}, s[3] = {side.x, side.y, side.z};
  const double n[3] = {p->normal.x, p->normal.y, p->normal.z};
  const double turn = length > 0 ? mu * size / length : 0;
  for (int i = 0; D && i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      D[3 * i + j] =
        e[i] * e[j] / (1 + mu * mu) + turn * ((i == j ? 1 : 0) - n[i] * n[j] - s[i] * s[j]);
    }
  }
  return mbdu_vec3_scale(size, edge);
}

typedef struct dual {
  int n;
  mbdi_cone_point_t * point;
  double w[6], E[36];
  double centre[6];                 // y_k
  double gradient[6], hessian[36];  // at the last y
} dual_t;

// rows of (arm x f, f) of one point, 6 x 3
static void
map_of(mbd_vec3_t a, double * G)
{
  const double rows[18] = {0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  memcpy(G, rows, sizeof rows);
}

static void
add_hessian(double * H, const double * G, const double * D)
{
  double GD[18];
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 3; j++) {
      GD[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) GD[3 * i + j] += G[3 * i + k] * D[3 * k + j];
    }
  }
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) H[6 * i + j] += mbdi_dot(3, GD + 3 * i, G + 3 * j);
  }
}

// phi, its gradient, and with `second` its second derivative
static double
evaluate(dual_t * d, const double * y, bool second)
{
  double value = 0, step[6];
  for (int i = 0; i < 6; i++) step[i] = y[i] - d->centre[i];
  for (int i = 0; i < 6; i++) {
    const double pull = mbdi_dot(6, d->E + 6 * i, step);
    d->gradient[i] = pull - d->w[i];
    value += step[i] * pull / 2 - d->w[i] * y[i];
  }
  if (second) memcpy(d->hessian, d->E, sizeof d->hessian);
  const mbd_vec3_t moment = mbdu_vec3(y[0], y[1], y[2]), force = mbdu_vec3(y[3], y[4], y[5]);
  for (int i = 0; i < d->n; i++) {
    mbdi_cone_point_t * p = &d->point[i];
    double D[9], G[18];
    const mbd_vec3_t z = mbdu_vec3_add(force, mbdu_vec3_cross(moment, p->arm));
    p->force = project(p, z, second ? D : NULL);
    const mbd_vec3_t m = mbdu_vec3_cross(p->arm, p->force);
    const double wrench[6] = {m.x, m.y, m.z, p->force.x, p->force.y, p->force.z};
    for (int k = 0; k < 6; k++) d->gradient[k] += wrench[k];
    value += mbdu_vec3_dot(p->force, p->force) / 2;
    if (!second) continue;
    map_of(p->arm, G);
    add_hessian(d->hessian, G, D);
  }
  return value;
}

static double
norm6(const double * x)
{
  return sqrt(mbdi_dot(6, x, x));
}

// y := y - s step, s halved until phi falls; false if it does not. The gradient is that of the new y.
static bool
descend(dual_t * d, double value, const double * step, double * y)
{
  const double slope = mbdi_dot(6, d->gradient, step), before = norm6(d->gradient);
  double s = 1, trial[6];
  for (int k = 0; k <= MOST_HALVINGS; k++, s /= 2) {
    for (int i = 0; i < 6; i++) trial[i] = y[i] - s * step[i];
    const double now = evaluate(d, trial, false);
    // where phi cannot be told from rounding, the gradient decides
    const bool lower = now <= value - 1e-4 * s * slope;
    const bool flat = fabs(now - value) <= 1e-12 * (fabs(value) + 1);
    if (!lower && !(flat && norm6(d->gradient) < before)) continue;
    memcpy(y, trial, sizeof trial);
    return true;
  }
  return false;
}

// the minimum of phi; false if it is not found in so many steps, which are counted
static bool
minimize(dual_t * d, int most, double * y, int * count)
{
  static const double floor[6] = {0};
  double L[36], step[6];
  for (int k = 0; k <= most; k++, ++*count) {
    const double value = evaluate(d, y, true);
    double largest = 1;
    for (int i = 0; i < 6; i++) largest = fmax(largest, fabs(y[i] - d->centre[i]));
    if (!(norm6(d->gradient) > 10 * ROUNDING * largest)) return true;
    memcpy(step, d->gradient, sizeof step);
    if (k == most || !mbdi_cholesky(6, d->hessian, floor, L)) return false;
    mbdi_solve_lower(6, L, step);
    mbdi_solve_upper(6, L, step);
    // as far as rounding lets it
    if (!descend(d, value, step, y)) return true;
  }
  return false;
}

// E: metric scaled to a part of G G^T
static void
scale_metric(dual_t * d, const double * metric, double part)
{
  double trace = 0, size = 0;
  for (int i = 0; i < d->n; i++) {
    trace += 3 + 2 * mbdu_vec3_dot(d->point[i].arm, d->point[i].arm);
  }
  for (int i = 0; i < 6; i++) size += metric[7 * i];
  for (int i = 0; i < 36; i++) d->E[i] = part * trace / size * metric[i];
}

// what the forces do not give; the largest change since the last time
static double
update_missing(const dual_t * d, double * missing)
{
  double w[6], change = 0;
  memcpy(w, d->w, sizeof w);
  for (int i = 0; i < d->n; i++) {
    const mbd_vec3_t f = d->point[i].force, m = mbdu_vec3_cross(d->point[i].arm, f);
    w[0] -= m.x, w[1] -= m.y, w[2] -= m.z;
    w[3] -= f.x, w[4] -= f.y, w[5] -= f.z;
  }
  for (int i = 0; i < 6; i++) change = fmax(change, fabs(w[i] - missing[i]));
  memcpy(missing, w, sizeof w);
  return change;
}

// y of the least forces without cones, with a part of E: where the cones hold them, the solution
static void
start(dual_t * d, double part, double * y)
{
  static const double floor[6] = {0}, unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double H[36], L[36], G[18];
  for (int i = 0; i < 36; i++) H[i] = part * d->E[i];
  for (int i = 0; i < d->n; i++) {
    map_of(d->point[i].arm, G);
    add_hessian(H, G, unit);
  }
  if (!mbdi_cholesky(6, H, floor, L)) return;
  memcpy(y, d->w, sizeof d->w);
  mbdi_solve_lower(6, L, y);
  mbdi_solve_upper(6, L, y);
}

bool
mbdi_cone_forces(
  int n, mbdi_cone_point_t * point, const double wrench[6], const double metric[36],
  double missing[6], int * iterations)
{
  dual_t d = {.n = n, .point = point};
  const double size = norm6(wrench);
  double y[6] = {0};
  bool reached = size == 0;
  *iterations = 0;
  memcpy(missing, wrench, 6 * sizeof *missing);
  for (int i = 0; i < n; i++) point[i].force = mbdu_vec3(0, 0, 0);
  if (n == 0 || size == 0) return reached;
  for (int i = 0; i < 6; i++) missing[i] = d.w[i] = wrench[i] / size;
  double part = FIRST;
  scale_metric(&d, metric, part);
  start(&d, 1e-13, y);
  evaluate(&d, y, false);
  update_missing(&d, missing);
  *iterations = 1;
  reached = norm6(missing) <= REACHED;
  if (!reached) start(&d, 1, y);
  while (!reached && *iterations < MOST_STEPS) {
    const int left = MOST_STEPS - *iterations, most = left < STEPS_AT_ONCE ? left : STEPS_AT_ONCE;
    int steps = 0;
    const bool easy = minimize(&d, most, y, &steps);
    // a proximal step counts, also one without a Newton step
    *iterations += steps > 0 ? steps : 1;
    evaluate(&d, y, false);
    const double change = update_missing(&d, missing);
    reached = norm6(missing) <= REACHED;
    const bool settled = change <= fmax(SETTLED * norm6(missing), ROUNDING * norm6(y));
    if (settled && easy && part <= SMALLEST) break;
    part = easy ? fmax(SMALLEST, steps < 4 ? HARDER * part : part / EASIER) : EASIER * part;
    scale_metric(&d, metric, part);
    memcpy(d.centre, y, sizeof y);
  }
  for (int i = 0; i < 6; i++) missing[i] *= size;
  for (int i = 0; i < n; i++) point[i].force = mbdu_vec3_scale(size, point[i].force);
  return reached;
}
