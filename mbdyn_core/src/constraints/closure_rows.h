// Terms of closure rows shared by closure.c and closure_rates.c.
#ifndef CLOSURE_ROWS_H_
#define CLOSURE_ROWS_H_

#include <math.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/spatial.h"

static const mbd_vec3_t AXIS[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
#define TURN 6.283185307179586476925

static inline mbd_vec3_t
column_of(const mbd_mat3_t * R, int k)
{
  return mbdu_vec3(R->m[k], R->m[3 + k], R->m[6 + k]);
}

static inline double
component(mbd_vec3_t x, int k)
{
  return k == 0 ? x.x : k == 1 ? x.y : x.z;
}

// rows of a closure type, in this order
typedef struct parts {
  int first_point, npoint;  // coordinates of p
  bool parallel;            // two rows: z axes agree
  bool oriented;            // three rows: all axes agree
} parts_t;

static inline parts_t
parts_of(mbd_closure_type_t type)
{
  switch (type) {
    case MBD_CLOSURE_WELD: return (parts_t){0, 3, false, true};
    case MBD_CLOSURE_REVOLUTE: return (parts_t){0, 3, true, false};
    case MBD_CLOSURE_PRISMATIC: return (parts_t){0, 2, false, true};
    case MBD_CLOSURE_SCREW:
    case MBD_CLOSURE_CYLINDRICAL: return (parts_t){0, 2, true, false};
    case MBD_CLOSURE_UNIVERSAL:
    case MBD_CLOSURE_SPHERICAL: return (parts_t){0, 3, false, false};
    case MBD_CLOSURE_PLANAR: return (parts_t){2, 1, true, false};
    case MBD_CLOSURE_ON_LINE: return (parts_t){0, 2, false, false};
    case MBD_CLOSURE_ON_PLANE: return (parts_t){2, 1, false, false};
    default: return (parts_t){0, 0, false, false};
  }
}

// Axis n of B that is to be z of A: rows n_x f and n_y f with f(n_z) = sqrt(2 / (1 + n_z)), which
// makes their norm 2 sin(angle / 2). At 180 degrees the direction is undefined: x is used.
typedef struct parallel {
  mbd_vec3_t n;
  double f, f1, f2, f3;  // f and its derivatives
} parallel_t;

static inline parallel_t
parallel_of(const mbd_mat3_t * R)
{
  parallel_t a = {.n = column_of(R, 2)};
  const double s = hypot(a.n.x, a.n.y);
  // 1 + n_z without cancellation near 180 degrees
  double h = a.n.z > -0.5 ? 1 + a.n.z : s * s / (1 - a.n.z);
  if (h < 1e-16) {
    a.n.x = 1e-8, a.n.y = 0;
    h = 0.5e-16;
  }
  a.f = sqrt(2 / h);
  a.f1 = -a.f / (2 * h);
  a.f2 = 3 * a.f / (4 * h * h);
  a.f3 = -15 * a.f / (8 * h * h * h);
  return a;
}

// gradient of row i with respect to n
static inline mbd_vec3_t
parallel_gradient(const parallel_t * a, int i)
{
  mbd_vec3_t g = mbdu_vec3_scale(a->f, AXIS[i]);
  g.z += component(a->n, i) * a->f1;
  return g;
}

// direction in which a distance grows; x where it is zero
static inline mbd_vec3_t
direction_of(mbd_vec3_t p)
{
  const double length = mbdu_vec3_norm(p);
  return length > 1e-150 ? mbdu_vec3_scale(1 / length, p) : AXIS[0];
}

// Angle of B about z of A, after the shortest rotation that turns A's z axis to B's axis n. Its rate is
// w . (n + z) / (1 + n_z).
static inline double
twist_of(const mbd_mat3_t * R)
{
  return atan2(R->m[3] - R->m[1], R->m[0] + R->m[4]);
}

static inline mbd_vec3_t
twist_gradient(const mbd_mat3_t * R)
{
  const mbd_vec3_t n = column_of(R, 2);
  return mbdu_vec3_scale(1 / fmax(1 + n.z, 1e-16), mbdu_vec3_add(n, AXIS[2]));
}

// of the gradient while B turns with w
static inline mbd_vec3_t
twist_rate(const mbd_mat3_t * R, mbd_vec3_t w)
{
  const mbd_vec3_t dn = mbdu_vec3_cross(w, column_of(R, 2));
  const double h = fmax(1 + R->m[8], 1e-16);
  return mbdu_vec3_scale(1 / h, mbdu_vec3_sub(dn, mbdu_vec3_scale(dn.z, twist_gradient(R))));
}

#endif  // CLOSURE_ROWS_H_
