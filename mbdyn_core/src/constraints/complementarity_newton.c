// Semismooth Newton steps on the equations of Alart and Curnier.
#include <math.h>
#include <string.h>

#include "constraints/complementarity.h"

// u_j = 0, over the root of the compliance
static void
stand_still(const mbdi_complementarity_t * c, int i, double root, double * F, double * J)
{
  const double inverse = 1 / root;
  F[i] = c->u[i] * inverse;
  if (!J) return;
  for (int k = i * c->ld; k < (i + 1) * c->ld; k++) J[k] = c->A[k] * inverse;
}

// p_t = mu z_n z_t / |z_t|, z = f - u / compliance
static void
rub_on_the_cone(
  const mbdi_complementarity_t * c, const mbdi_cone_t * cone, const double * z, double * F,
  double * J)
{
  const int ld = c->ld, a = cone->at;
  const double w = cone->compliance, root = cone->root, length = mbdi_cone_length(z[1], z[2]);
  const double d[2] = {z[1] / length, z[2] / length}, radius = cone->mu * z[0];
  const double * A = c->A + a * ld;
  for (int j = 0; j < 2; j++) {
    F[a + 1 + j] = root * (c->f[a + 1 + j] - radius * d[j]);
    if (!J) continue;
    double * row = J + (a + 1 + j) * ld;
    const double turn = radius / length, by_normal = cone->mu * d[j];
    const double by_x = turn * ((j == 0) - d[j] * d[0]), by_y = turn * ((j == 1) - d[j] * d[1]);
    const double n = root / w * by_normal, x = root / w * by_x, y = root / w * by_y;
    for (int i = 0; i < ld; i++) row[i] = n * A[i] + x * A[ld + i] + y * A[2 * ld + i];
    row[a] -= root * by_normal;
    row[a + 1] -= root * by_x;
    row[a + 2] -= root * by_y;
    row[a + 1 + j] += root;
  }
}

// F(f), which is zero for a solution, and its Jacobian unless J is NULL; returns |F|^2
static double
equations(const mbdi_complementarity_t * c, double * F, double * J)
{
  const int ld = c->ld;
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    const int a = cone->at;
    const double w = cone->compliance, root = cone->root;
    double z[3] = {0};
    for (int j = 0; j < cone->size; j++) z[j] = c->f[a + j] - c->u[a + j] / w;
    const double held = mbdi_interval_project(cone->bound, z[0]);
    if (cone->bound > 0 ? held != z[0] : z[0] <= 0) {
      for (int j = 0; j < cone->size; j++) {
        F[a + j] = root * (c->f[a + j] - held);
        if (!J) continue;
        memset(J + (a + j) * ld, 0, (size_t)ld * sizeof *J);
        J[(a + j) * ld + a + j] = root;
      }
      continue;
    }
    stand_still(c, a, root, F, J);
    if (cone->size == 1) continue;
    if (mbdi_cone_length(z[1], z[2]) > cone->mu * z[0]) {
      rub_on_the_cone(c, cone, z, F, J);
    } else {
      for (int j = 1; j < 3; j++) stand_still(c, a + j, root, F, J);
    }
  }
  double sum = 0;
  for (int i = 0; i < c->m; i++) sum += F[i] * F[i];
  return sum;
}

// proximal term: redundant contacts make J singular, wrong sets even inconsistent; less of it the
// nearer the solution, so that convergence stays quadratic
static void
add_proximal(const mbdi_complementarity_t * c, double residual, double * J)
{
  const double part = fmin(1e-2, fmax(1e-11, 0.1 * residual));
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    for (int j = cone->at; j < cone->at + cone->size; j++) {
      J[j * (c->ld + 1)] += part * cone->root;
    }
  }
}

int
mbdi_cone_newton(mbdi_complementarity_t * c, double tolerance, int most, int halvings)
{
  const int m = c->m;
  const size_t size = (size_t)m * sizeof *c->f;
  double * before = c->force;
  int steps = 0;
  mbdi_cone_motion(c);
  double residual = mbdi_cone_residual(c);
  // tighter than the tolerance: costs at most one more step
  while (steps < most && residual > 1e-3 * tolerance) {
    const double merit = equations(c, c->F, c->J);
    add_proximal(c, residual, c->J);
    memcpy(c->step, c->F, size);
    if (!c->kernels->solve(m, c->ld, c->J, c->step)) break;
    steps++;
    memcpy(before, c->f, size);
    double part = 1;
    for (int k = 0; k <= halvings; k++, part /= 2) {
      for (int i = 0; i < m; i++) c->f[i] = before[i] - part * c->step[i];
      mbdi_cone_motion(c);
      if (halvings == 0 || equations(c, c->F, NULL) < merit * (1 - 1e-4 * part)) break;
    }
    const double next = mbdi_cone_residual(c);
    const bool worse = residual <= tolerance && !(next < 0.5 * residual);
    if (worse && !(next < residual)) memcpy(c->f, before, size);
    if (worse || !isfinite(next)) break;
    residual = next;
  }
  return steps;
}
