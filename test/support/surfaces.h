/// \file surfaces.h
/// Random surfaces for closures, and placements in which they touch.
///
///   has_surfaces       closure types with surfaces
///   random_surfaces    surfaces of a closure: A is less bent than B, so that they touch in one point
///   surface_value      0 on A, and its gradient
///   furthest           point of B furthest along a direction
///   touching           a placement of B in A in which they touch
///   turn_screw         a random motion that a screw leaves free
#ifndef SURFACES_H_
#define SURFACES_H_

#include <math.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/spatial.h"
#include "random_tree.h"

static inline bool
has_surfaces(mbd_closure_type_t type)
{
  return type == MBD_CLOSURE_ON_SURFACE || type == MBD_CLOSURE_TOUCH || type == MBD_CLOSURE_ROLL;
}

static inline void
random_surfaces(uint64_t * state, mbd_closure_spec_t * spec)
{
  static const mbd_surface_type_t type_a[] = {
    MBD_SURFACE_PLANE, MBD_SURFACE_SPHERE, MBD_SURFACE_ELLIPSOID, MBD_SURFACE_CYLINDER,
    MBD_SURFACE_PARABOLOID};
  static const mbd_surface_type_t type_b[] = {
    MBD_SURFACE_SPHERE, MBD_SURFACE_ELLIPSOID, MBD_SURFACE_DISK};
  if (spec->type == MBD_CLOSURE_SCREW) {
    spec->pitch = (random_below(state, 2) ? 1 : -1) * random_between(state, 0.1, 0.5);
  }
  if (!has_surfaces(spec->type)) return;
  mbd_surface_t *a = &spec->surface_a, *b = &spec->surface_b;
  a->type = type_a[random_below(state, 5)], b->type = type_b[random_below(state, 3)];
  const bool graph = a->type == MBD_SURFACE_PLANE || a->type == MBD_SURFACE_PARABOLOID;
  a->inside = !graph && random_below(state, 3) == 0;
  for (int k = 0; k < 3; k++) {
    a->size[k] = graph ? random_between(state, -0.5, 0.5) : random_between(state, 0.8, 1.1);
    b->size[k] = random_between(state, 0.15, 0.25);
  }
}

static inline double
surface_value(const mbd_surface_t * a, mbd_vec3_t x, mbd_vec3_t * gradient)
{
  const double *s = a->size, y[3] = {x.x, x.y, x.z};
  double g[3] = {0, 0, 1}, value = x.z;
  if (a->type == MBD_SURFACE_PARABOLOID) {
    for (int k = 0; k < 2; k++) value -= s[k] * y[k] * y[k], g[k] = -2 * s[k] * y[k];
  } else if (a->type != MBD_SURFACE_PLANE) {
    value = -1, g[2] = 0;
    for (int k = 0; k < (a->type == MBD_SURFACE_CYLINDER ? 2 : 3); k++) {
      const double r = a->type == MBD_SURFACE_ELLIPSOID ? s[k] : s[0];
      value += y[k] * y[k] / (r * r), g[k] = 2 * y[k] / (r * r);
    }
  }
  *gradient = mbdu_vec3_scale(a->inside ? -1 : 1, mbdu_vec3(g[0], g[1], g[2]));
  return value;
}

static inline mbd_vec3_t
furthest(const mbd_surface_t * b, mbd_vec3_t n)
{
  const double * s = b->size;
  if (b->type == MBD_SURFACE_SPHERE) return mbdu_vec3_scale(s[0] / mbdu_vec3_norm(n), n);
  if (b->type == MBD_SURFACE_DISK) {
    const double f = s[0] / hypot(n.x, n.y);
    return mbdu_vec3(f * n.x, f * n.y, 0);
  }
  if (b->type != MBD_SURFACE_ELLIPSOID) return mbdu_vec3(0, 0, 0);
  const mbd_vec3_t m = {s[0] * s[0] * n.x, s[1] * s[1] * n.y, s[2] * s[2] * n.z};
  return mbdu_vec3_scale(1 / sqrt(mbdu_vec3_dot(m, n)), m);
}

static inline mbd_placement_t
touching(const mbd_closure_spec_t * spec, uint64_t * state)
{
  const mbd_surface_t * a = &spec->surface_a;
  const mbd_surface_t point = {MBD_SURFACE_POINT, {0}, false};
  const mbd_surface_t * b = spec->type == MBD_CLOSURE_ON_SURFACE ? &point : &spec->surface_b;
  const double * s = a->size;
  mbd_vec3_t x = random_vec3(state, 1), g;
  if (a->type == MBD_SURFACE_PARABOLOID) {
    x.z = s[0] * x.x * x.x + s[1] * x.y * x.y;
  } else if (a->type == MBD_SURFACE_PLANE) {
    x.z = 0;
  } else if (a->type == MBD_SURFACE_CYLINDER) {
    const double f = s[0] / hypot(x.x, x.y);
    x.x *= f, x.y *= f;
  } else {
    const double f = 1 / mbdu_vec3_norm(x);
    const bool round = a->type == MBD_SURFACE_SPHERE;
    x = mbdu_vec3(f * s[0] * x.x, f * s[round ? 0 : 1] * x.y, f * s[round ? 0 : 2] * x.z);
  }
  surface_value(a, x, &g);
  mbd_placement_t X = {random_rotation(state), {0, 0, 0}};
  mbd_vec3_t down = mbdu_mat3_tvec(&X.R, mbdu_vec3_scale(-1 / mbdu_vec3_norm(g), g));
  // a disk that is nearly flat on A is less bent than A
  while (b->type == MBD_SURFACE_DISK && fabs(down.z) > 0.8) {
    X.R = random_rotation(state);
    down = mbdu_mat3_tvec(&X.R, mbdu_vec3_scale(-1 / mbdu_vec3_norm(g), g));
  }
  X.p = mbdu_vec3_sub(x, mbdu_mat3_vec(&X.R, furthest(b, down)));
  return X;
}

static inline mbd_placement_t
turn_screw(const mbd_closure_spec_t * spec, uint64_t * state)
{
  // several turns
  const double angle = random_between(state, -20, 20);
  const mbd_placement_t X = {mbdu_rotation_z(cos(angle), sin(angle)), {0, 0, spec->pitch * angle}};
  return X;
}

#endif  // SURFACES_H_
