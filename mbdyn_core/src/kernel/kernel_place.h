// Where the bodies are, for one state, in world axes: what the kernels of kernel_motion.h and
// kernel_path.h start from. Included by kernel_instance.c after kernel_one.h.
//
// A first pass has no body wait for another: sines of four joints at once, then every body in its
// parent. The second one goes along the tree with products alone. Its factors are read from memory one
// by one into all lanes, which needs no shuffles; from body to body it waits for three products.

// a body in its parent: axes and origin
typedef struct one_local {
  four_t axis[3], origin;
} one_local_t;

// which body comes as number k: on a path, or of all
ALWAYS int
body_at(const int * path, int k)
{
  return path ? path[k] : k;
}

ALWAYS bool
any_large(four_t x)
{
  const four_int_t large = (x > splat(SINCOS_LARGEST)) | (x < splat(-SINCOS_LARGEST));
  return (large[0] | large[1] | large[2] | large[3]) != 0;
}

// Sines and cosines of the first numbers of all joints: angles, where they turn. Others do no harm.
ALWAYS void
joint_sines_one(
  const mbd_plan_t * plan, const int * path, int n, const double * q, double * sine,
  double * cosine)
{
  const mbd_plan_body_t * b = plan->body;
  for (int i = 0; i < n; i += 4) {
    const int left = n - i;
    const int i1 = left > 1 ? i + 1 : i, i2 = left > 2 ? i + 2 : i, i3 = left > 3 ? i + 3 : i;
    const four_t x = {
      q[b[body_at(path, i)].q], q[b[body_at(path, i1)].q], q[b[body_at(path, i2)].q],
      q[b[body_at(path, i3)].q]};
    four_t s, c;
    if (__builtin_expect(any_large(x), 0)) {
      for (int k = 0; k < 4; k++) s[k] = sin(x[k]), c[k] = cos(x[k]);
    } else {
      sincos_four(x, &s, &c);
    }
    *(four_t *)(sine + i) = s;
    *(four_t *)(cosine + i) = c;
  }
}

ALWAYS void
locate(const mbd_plan_body_t * b, const double * q, double sine, double cosine, one_local_t * out)
{
  const four_t * T = (const four_t *)b->column;
  if (__builtin_expect(b->kind == PLAN_REVOLUTE, 1)) {
    const four_t s = splat(sine), c = splat(cosine);
    out->axis[0] = c * T[0] + s * T[1];
    out->axis[1] = c * T[1] - s * T[0];
    out->axis[2] = T[2];
    out->origin = *(const four_t *)b->origin;
    return;
  }
  local_axes(b, q, sine, cosine, out->axis);
  out->origin = local_origin(b, q);
}

// every body of a path (of all: NULL) in its parent; work holds 2 PADDED(n) numbers
ALWAYS void
locate_all(
  const mbd_plan_t * plan, const int * path, int n, const double * q, double * work,
  one_local_t * local)
{
  double *sine = work, *cosine = work + PADDED(n);
  joint_sines_one(plan, path, n, q, sine, cosine);
  for (int k = 0; k < n; k++) {
    locate(&plan->body[body_at(path, k)], q, sine[k], cosine[k], &local[k]);
  }
}

// P x, x in memory
ALWAYS four_t
from_parent(const four_t * P, const four_t * x)
{
  return times(P, (const double *)x);
}

ALWAYS void
world_axes(four_t * R)
{
  R[0] = (four_t){1, 0, 0, 0};
  R[1] = (four_t){0, 1, 0, 0};
  R[2] = (four_t){0, 0, 1, 0};
}

//---------- forward kinematics ----------

// columns to the rows of a placement; each row is written with a number too many, which the next one
// overwrites
ALWAYS void
store_placement(four_t x, four_t y, four_t z, four_t p, mbd_placement_t * X)
{
  const four_t even = MERGE(x, y, 0, 4, 2, 6), odd = MERGE(x, y, 1, 5, 3, 7);
  const four_t row0 = MERGE(even, z, 0, 1, 4, 5), row2 = MERGE(even, z, 2, 3, 6, 7);
  const four_t row1 = MERGE(odd, SHUFFLE(z, 1, 0, 2, 3), 0, 1, 4, 5);
  memcpy(&X->R.m[0], &row0, sizeof row0);
  memcpy(&X->R.m[3], &row1, sizeof row1);
  memcpy(&X->R.m[6], &row2, sizeof row2);
  X->p = (mbd_vec3_t){p[0], p[1], p[2]};
}

typedef struct one_world {
  four_t axis[3], origin;
} one_world_t;

static void
one_placements(
  const mbd_plan_t * plan, const double * q, void * work, mbd_placement_t * X_parent,
  mbd_placement_t * X_world)
{
  const int n = plan->nbody;
  one_local_t * local = work;
  one_world_t * world = (one_world_t *)(local + n) + 1;
  locate_all(plan, NULL, n, q, (double *)(world + n), local);
  // the last body, which most often is the parent of the next
  four_t P[3], p = {0};
  world_axes(P);
  world_axes(world[-1].axis);
  world[-1].origin = p;
  for (int i = 0; i < n; i++) {
    const one_world_t * from = &world[plan->body[i].parent];
    if (from != &world[i - 1]) {
      P[0] = from->axis[0], P[1] = from->axis[1], P[2] = from->axis[2], p = from->origin;
    }
    const one_local_t * l = &local[i];
    const four_t x = from_parent(P, &l->axis[0]), y = from_parent(P, &l->axis[1]);
    const four_t z = from_parent(P, &l->axis[2]);
    p += from_parent(P, &l->origin);
    P[0] = x, P[1] = y, P[2] = z;
    world[i].axis[0] = x, world[i].axis[1] = y, world[i].axis[2] = z, world[i].origin = p;
    store_placement(l->axis[0], l->axis[1], l->axis[2], l->origin, &X_parent[i]);
    store_placement(x, y, z, p, &X_world[i]);
  }
}
