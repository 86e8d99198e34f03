// Kernels for one state: three-vectors in the lanes of vectors of four. Included by
// kernel_instance.c.
//
// Everything is in world axes, each body at its own origin. Velocities, accelerations and forces
// then go from body to body by additions alone, so that what one body waits for of the last is short,
// and an inertia moves to the parent by a shift without rotation. The fourth lane is zero.

#ifdef __clang__
#define MERGE(u, v, a, b, c, d) __builtin_shufflevector(u, v, a, b, c, d)
#else
#define MERGE(u, v, a, b, c, d) __builtin_shuffle(u, v, (four_int_t){a, b, c, d})
#endif
#define SHUFFLE(v, a, b, c, d) MERGE(v, v, a, b, c, d)
#define YZX(v)                 SHUFFLE(v, 1, 2, 0, 3)

typedef struct one_body {
  four_t R[3];  // columns: body axes in the world
  four_t d;     // from the parent's origin
  four_t h;     // first moment
  four_t I[3];  // rotational inertia about the origin, columns
  four_t w, alpha, a, f, n;
} one_body_t;

ALWAYS four_t
splat(double x)
{
  return (four_t){x, x, x, x};
}

// C x, x in memory
ALWAYS four_t
times(const four_t * C, const double * x)
{
  return C[0] * splat(x[0]) + C[1] * splat(x[1]) + C[2] * splat(x[2]);
}

// C x, x in a register
ALWAYS four_t
times_v(const four_t * C, four_t x)
{
  return C[0] * SHUFFLE(x, 0, 0, 0, 0) + C[1] * SHUFFLE(x, 1, 1, 1, 1) +
         C[2] * SHUFFLE(x, 2, 2, 2, 2);
}

// a x b with the lanes still turned: YZX of it is the product
ALWAYS four_t
cross_turned(four_t a, four_t b)
{
  return a * YZX(b) - YZX(a) * b;
}

ALWAYS four_t
cross(four_t a, four_t b)
{
  return YZX(cross_turned(a, b));
}

ALWAYS double
dot(four_t a, four_t b)
{
  const four_t p = a * b;
  return p[0] + p[1] + p[2];
}

// the sum of the lanes in each of them
ALWAYS four_t
lane_sum(four_t a)
{
  const four_t pairs = a + SHUFFLE(a, 1, 0, 3, 2);
  return pairs + SHUFFLE(pairs, 2, 3, 0, 1);
}

ALWAYS four_t
vector(const double * x)
{
  return (four_t){x[0], x[1], x[2], 0};
}

//---------- places and inertias ----------

// child axes in the parent's, columns, of one body
ALWAYS void
local_axes(const mbdi_plan_body_t * b, const double * q, double s, double c, four_t * out)
{
  const four_t * T = (const four_t *)b->column;
  if (b->kind == PLAN_REVOLUTE) {
    out[0] = c * T[0] + s * T[1];
    out[1] = c * T[1] - s * T[0];
    out[2] = T[2];
    return;
  }
  for (int k = 0; k < 3; k++) out[k] = T[k];
  if (b->kind == PLAN_FREE) {
    const m3_plain turn = from_quaternion_plain(q + b->q + 3);
    for (int k = 0; k < 3; k++) {
      out[k] = T[0] * splat(turn.m[k]) + T[1] * splat(turn.m[3 + k]) + T[2] * splat(turn.m[6 + k]);
    }
  }
}

// origin of the child in the parent
ALWAYS four_t
local_origin(const mbdi_plan_body_t * b, const double * q)
{
  const four_t * T = (const four_t *)b->column;
  const four_t p = *(const four_t *)b->origin;
  if (b->kind == PLAN_REVOLUTE) return p;
  if (b->kind == PLAN_PRISMATIC) return p + T[2] * splat(q[b->q]);
  return p + times(T, q + b->q);
}

// first moment and rotational inertia in world axes
ALWAYS void
turn_inertia(const mbd_inertia_t * M, one_body_t * o)
{
  const double * I = &M->I.xx;
  const four_t * R = o->R;
  // A = R I, then A R^T
  const four_t A[3] = {
    R[0] * splat(I[0]) + R[1] * splat(I[1]) + R[2] * splat(I[2]),
    R[0] * splat(I[1]) + R[1] * splat(I[3]) + R[2] * splat(I[4]),
    R[0] * splat(I[2]) + R[1] * splat(I[4]) + R[2] * splat(I[5])};
  const double *x = (const double *)&R[0], *y = (const double *)&R[1], *z = (const double *)&R[2];
  o->h = times(R, &M->h.x);
  for (int k = 0; k < 3; k++) {
    o->I[k] = A[0] * splat(x[k]) + A[1] * splat(y[k]) + A[2] * splat(z[k]);
  }
}
