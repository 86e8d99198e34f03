// Projected Gauss-Seidel on friction cones: each contact is solved exactly, the others held.
#include <math.h>
#include <string.h>

#include "constraints/complementarity.h"

// Fraction of a contact's compliance added to its 3 x 3 block, and subtracted again with the previous
// force: regularizes a singular block without changing the fixed point of the sweeps.
static const double PROXIMAL = 1e-6;

// no motion: p = -D^-1 b; false if that is not in the cone
static bool
stick(const double * D, const double * b, double mu, double * p)
{
  const double c00 = D[4] * D[8] - D[5] * D[5], c01 = D[2] * D[5] - D[1] * D[8];
  const double c02 = D[1] * D[5] - D[2] * D[4], c11 = D[0] * D[8] - D[2] * D[2];
  const double c12 = D[2] * D[1] - D[0] * D[5], c22 = D[0] * D[4] - D[1] * D[1];
  const double det = D[0] * c00 + D[1] * c01 + D[2] * c02;
  if (!(det > 0)) return false;
  p[0] = -(c00 * b[0] + c01 * b[1] + c02 * b[2]) / det;
  p[1] = -(c01 * b[0] + c11 * b[1] + c12 * b[2]) / det;
  p[2] = -(c02 * b[0] + c12 * b[1] + c22 * b[2]) / det;
  return p[0] >= 0 && mbdi_cone_length(p[1], p[2]) <= mu * p[0];
}

// Slip along d = (cos a, sin a) has p = p_n (1, -mu d) with p_n = -b_n / (D_nn - mu D_nt d) from
// w_n = 0. That w_t is along d is then, times the denominator, a trigonometric polynomial of second
// degree in a: k0 + k1 cos a + k2 sin a + k3 cos 2a + k4 sin 2a = 0.
static void
slip_polynomial(const double * D, const double * b, double mu, double * k)
{
  const double x = D[0] * b[1] - b[0] * D[1], y = D[0] * b[2] - b[0] * D[2];
  k[0] = -mu * (D[1] * b[2] - D[2] * b[1]) / 2;
  k[1] = y;
  k[2] = -x;
  k[3] = mu * (b[0] * D[5] - (D[1] * b[2] + D[2] * b[1]) / 2);
  k[4] = mu * (b[0] * (D[8] - D[4]) - (D[2] * b[2] - D[1] * b[1])) / 2;
}

static double
value(const double * k, double cosine, double sine)
{
  return k[0] + k[1] * cosine + k[2] * sine + k[3] * (cosine * cosine - sine * sine) +
         2 * k[4] * cosine * sine;
}

// a root between two angles whose values have opposite signs: regula falsi, Illinois
static double
root_between(const double * k, double low, double high, double at_low, double at_high)
{
  double size = 0, angle = low;
  for (int j = 0; j < 5; j++) size += fabs(k[j]);
  for (int tries = 0; tries < 60 && high - low > 1e-15; tries++) {
    angle = (low * at_high - high * at_low) / (at_high - at_low);
    if (!(angle > low && angle < high)) angle = (low + high) / 2;
    const double at = value(k, cos(angle), sin(angle));
    if (fabs(at) <= 1e-15 * size) break;
    if ((at <= 0) == (at_low <= 0)) {
      low = angle, at_low = at, at_high /= 2;
    } else {
      high = angle, at_high = at, at_low /= 2;
    }
  }
  return angle;
}

// force for slip in a direction; false if it is tensile, or the slip is opposite
static bool
slip_along(const double * D, const double * b, double mu, double angle, double * p)
{
  const double c = cos(angle), s = sin(angle);
  const double share = D[0] - mu * (D[1] * c + D[2] * s);
  if (!(share > 0)) return false;
  p[0] = -b[0] / share;
  p[1] = -mu * p[0] * c;
  p[2] = -mu * p[0] * s;
  const double wx = b[1] + D[1] * p[0] + D[4] * p[1] + D[5] * p[2];
  const double wy = b[2] + D[2] * p[0] + D[5] * p[1] + D[8] * p[2];
  return c * wx + s * wy >= 0;
}

// all slip directions; of several solutions the one with friction closest to the previous
static bool
slide(const double * D, const double * b, double mu, const double * before, double * p)
{
  enum { SECTORS = 24 };
  static const double sector = 0.26179938779914943654, turn_cos = 0.96592582628906828675,
                      turn_sin = 0.25881904510252076235;
  double k[5], c = 1, s = 0, likeness = -HUGE_VAL;
  slip_polynomial(D, b, mu, k);
  double at = value(k, c, s);
  for (int i = 0; i < SECTORS; i++) {
    const double c_next = c * turn_cos - s * turn_sin, s_next = s * turn_cos + c * turn_sin;
    const double next = value(k, c_next, s_next);
    double force[3];
    if (
      (at <= 0) != (next <= 0) &&
      slip_along(D, b, mu, root_between(k, i * sector, (i + 1) * sector, at, next), force)) {
      const double like = force[1] * before[1] + force[2] * before[2];
      if (like > likeness) likeness = like, memcpy(p, force, sizeof force);
    }
    c = c_next, s = s_next, at = next;
  }
  return likeness > -HUGE_VAL;
}

// a contact by itself; u is its motion with its force p, which is written
static void
solve_contact(
  const mbdi_complementarity_t * c, const mbdi_cone_t * cone, const double * u, double * p)
{
  double D[9], b[3], to[3];
  for (int i = 0; i < 3; i++) {
    const double * row = c->A + (cone->at + i) * c->ld + cone->at;
    for (int j = 0; j < 3; j++) D[3 * i + j] = row[j];
    D[4 * i] += PROXIMAL * cone->compliance;
    b[i] = u[i] - D[3 * i] * p[0] - D[3 * i + 1] * p[1] - D[3 * i + 2] * p[2];
  }
  if (b[0] >= 0) {
    to[0] = to[1] = to[2] = 0;
  } else if (!stick(D, b, cone->mu, to) && !slide(D, b, cone->mu, p, to)) {
    // a double root without sign change in any sector: one projected gradient step instead
    const double w = cone->compliance;
    to[0] = p[0] - (u[0] + cone->mu * mbdi_cone_length(u[1], u[2])) / w;
    to[1] = p[1] - u[1] / w;
    to[2] = p[2] - u[2] / w;
    mbdi_cone_project(cone->mu, to);
  }
  memcpy(p, to, sizeof to);
}

void
mbdi_cone_sweep(mbdi_complementarity_t * c)
{
  const int m = c->m, ld = c->ld;
  for (int k = 0; k < c->ncone; k++) {
    const mbdi_cone_t * cone = &c->cone[k];
    const double * rows = c->A + cone->at * ld;
    double *f = c->f + cone->at, u[3];
    for (int j = 0; j < cone->size; j++) {
      u[j] = c->b[cone->at + j];
      for (int i = 0; i < m; i++) u[j] += rows[j * ld + i] * c->f[i];
    }
    if (cone->size == 3) {
      solve_contact(c, cone, u, f);
    } else {
      // with a given slip its own compliance may be negative (Painleve): then a safe step
      const double own = rows[cone->at];
      const double to = f[0] - u[0] / (own > 1e-9 * cone->compliance ? own : cone->compliance);
      f[0] = cone->bound > 0 ? mbdi_interval_project(cone->bound, to) : fmax(0, to);
    }
  }
}
