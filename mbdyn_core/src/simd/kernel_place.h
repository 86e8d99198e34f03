// Where the bodies are, for one state, in world axes: what the kernels of kernel_momentum.h and
// kernel_path.h start from. Included by kernel_instance.c after kernel_one.h.
//
// A first pass has no body wait for another: sines of four joints at once, then every body in its
// parent. The second one goes along the tree with products alone. Its factors are read from memory
// one by one into all lanes, which needs no shuffles; from body to body it waits for three
// products.

// a body in its parent: axes and origin
typedef struct one_local {
  four_t axis[3], origin;
} one_local_t;

// axes of a unit quaternion v, w, columns: (2 w^2 - 1) 1 + 2 v v^T + 2 w tilde(v)
ALWAYS void
quaternion_axes(const double * q, four_t * out)
{
  const four_t all = {q[0], q[1], q[2], q[3]}, twice = all * (four_t){2, 2, 2, 0};
  // 2 w v, and 2 w^2 - 1 in the last lane
  const four_t u = all * splat(q[3] + q[3]) - (four_t){0, 0, 0, 1};
  out[0] = splat(q[0]) * twice + SHUFFLE(u, 3, 2, 1, 0) * (four_t){1, 1, -1, 0};
  out[1] = splat(q[1]) * twice + SHUFFLE(u, 2, 3, 0, 1) * (four_t){-1, 1, 1, 0};
  out[2] = splat(q[2]) * twice + SHUFFLE(u, 1, 0, 3, 2) * (four_t){1, -1, 1, 0};
}

// a free joint; most have their base frame in the world's for a parent frame
ALWAYS void
locate_free(const mbdi_plan_body_t * b, const double * q, one_local_t * out)
{
  const four_t * T = (const four_t *)b->column;
  quaternion_axes(q + 3, out->axis);
  if (__builtin_expect(b->upright, 1)) {
    out->origin = vector(q);
    return;
  }
  for (int k = 0; k < 3; k++) out->axis[k] = times_v(T, out->axis[k]);
  out->origin = *(const four_t *)b->origin + times(T, q);
}

ALWAYS void
locate(const mbdi_plan_body_t * b, const double * q, double sine, double cosine, one_local_t * out)
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
  if (b->kind == PLAN_FREE) {
    locate_free(b, q + b->q, out);
    return;
  }
  local_axes(b, q, sine, cosine, out->axis);
  out->origin = local_origin(b, q);
}

// every body in its parent; work holds 2 PADDED(nbody) numbers
ALWAYS void
locate_all(const mbdi_plan_t * plan, const double * q, double * work, one_local_t * local)
{
  const int n = plan->nbody;
  double *sine = work, *cosine = work + PADDED(n);
  joint_sines(plan, q, sine, cosine);
  for (int k = 0; k < n; k++) {
    locate(&plan->body[k], q, sine[k], cosine[k], &local[k]);
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

// R and d of all bodies; work holds 2 PADDED(nbody) numbers
ALWAYS void
place_all(const mbdi_plan_t * plan, const double * q, double * work, one_body_t * body)
{
  const int n = plan->nbody;
  double *sine = work, *cosine = work + PADDED(n);
  joint_sines(plan, q, sine, cosine);
  for (int i = 0; i < n; i++) {
    one_local_t local;
    locate(&plan->body[i], q, sine[i], cosine[i], &local);
    for (int k = 0; k < 3; k++) body[i].R[k] = local.axis[k];
    body[i].d = local.origin;
  }
  for (int i = 0; i < n; i++) {
    const int parent = plan->body[i].parent;
    if (parent < 0) continue;
    const four_t P[3] = {body[parent].R[0], body[parent].R[1], body[parent].R[2]};
    one_body_t * o = &body[i];
    const four_t x = from_parent(P, &o->R[0]), y = from_parent(P, &o->R[1]);
    const four_t z = from_parent(P, &o->R[2]);
    o->d = from_parent(P, &o->d);
    o->R[0] = x, o->R[1] = y, o->R[2] = z;
  }
}

//---------- a state ----------

// Numbers go as vectors of four, the last of which begins earlier rather than end outside. Vectors
// of eight would slow down those of four that come after them.

ALWAYS four_t
load_four(const double * x)
{
  four_t four;
  memcpy(&four, x, sizeof four);
  return four;
}

ALWAYS void
store_four(four_t four, double * x)
{
  memcpy(x, &four, sizeof four);
}

// zeros, or not-a-number in some lane: zero times infinity or not-a-number is not-a-number
ALWAYS four_t
zero_times(const double * x, int n)
{
  four_t sum = splat(0);
  if (n < 4) {
    for (int i = 0; i < n; i++) sum[0] += x[i] * 0.0;
    return sum;
  }
  const int last = n - 4;
  sum = load_four(x + last) * 0.0;
  for (int i = 0; i < last; i += 4) sum += load_four(x + i) * 0.0;
  return sum;
}

ALWAYS bool
no_nan(four_t x)
{
#ifdef __AVX__
  return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)x, (__m256d)x, _CMP_UNORD_Q)) == 0;
#else
  return (x[0] + x[1]) + (x[2] + x[3]) == 0;
#endif
}

ALWAYS void
copy_numbers(const double * from, int n, double * to)
{
  if (n < 4) {
    for (int i = 0; i < n; i++) to[i] = from[i];
    return;
  }
  const int last = n - 4;
  for (int i = 0; i < last; i += 4) store_four(load_four(from + i), to + i);
  store_four(load_four(from + last), to + last);
}

static bool
one_take_numbers(int n, const double * from, double * to)
{
  if (__builtin_expect(!no_nan(zero_times(from, n)), 0)) return false;
  copy_numbers(from, n, to);
  return true;
}

static bool
one_take_state(
  const mbdi_plan_t * plan, const double * q, const double * v, const double * u, double * to_q,
  double * to_v, double * to_u)
{
  const int nq = plan->nq, nv = plan->nv;
  four_t sum = zero_times(q, nq);
  if (v) sum += zero_times(v, nv);
  if (u) sum += zero_times(u, nv);
  if (__builtin_expect(!no_nan(sum), 0)) return false;
  copy_numbers(q, nq, to_q);
  if (v) copy_numbers(v, nv, to_v);
  if (u) copy_numbers(u, nv, to_u);
  return true;
}

//---------- forward kinematics ----------

// columns to the rows of a placement; each row is written with a number too many, which the next
// one overwrites
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

// a body in its parent, row by row: two columns of X_tree are turned
ALWAYS void
place_in_parent(
  const mbdi_plan_body_t * b, const double * q, double sine, double cosine, mbd_placement_t * X)
{
  if (__builtin_expect(b->kind != PLAN_REVOLUTE, 0)) {
    four_t axis[3];
    local_axes(b, q, sine, cosine, axis);
    store_placement(axis[0], axis[1], axis[2], local_origin(b, q), X);
    return;
  }
  // the last of four numbers belongs to the next row, and is written once more with it
  const double * T = (const double *)((const char *)b + offsetof(mbdi_plan_body_t, R));
  const four_t c = MERGE(splat(cosine), splat(1), 0, 1, 6, 7);
  const four_t s = splat(sine) * (four_t){1, -1, 0, 0};
  for (int i = 0; i < 3; i++) {
    four_t row;
    memcpy(&row, T + 3 * i, sizeof row);
    row = row * c + SHUFFLE(row, 1, 0, 3, 2) * s;
    memcpy(&X->R.m[3 * i], &row, sizeof row);
  }
  X->p = (mbd_vec3_t){b->p[0], b->p[1], b->p[2]};
}

// P times column k of a rotation in memory
ALWAYS four_t
times_column(four_t x, four_t y, four_t z, const double * R, int k)
{
  return x * splat(R[k]) + y * splat(R[3 + k]) + z * splat(R[6 + k]);
}

static void
one_placements(
  const mbdi_plan_t * plan, const double * q, void * work, mbd_placement_t * X_parent,
  mbd_placement_t * X_world)
{
  const int n = plan->nbody;
  double *sine = work, *cosine = sine + PADDED(n);
  joint_sines(plan, q, sine, cosine);
  for (int i = 0; i < n; i++) {
    place_in_parent(&plan->body[i], q, sine[i], cosine[i], &X_parent[i]);
  }
  // the last body stays in registers: most often it is the parent of the next
  four_t x = {1, 0, 0, 0}, y = {0, 1, 0, 0}, z = {0, 0, 1, 0}, p = {0};
  for (int i = 0; i < n; i++) {
    const int parent = plan->body[i].parent;
    if (parent != i - 1) {
      const mbd_placement_t world = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};
      const mbd_placement_t * P = parent < 0 ? &world : &X_world[parent];
      const double * m = P->R.m;
      x = (four_t){m[0], m[3], m[6], 0};
      y = (four_t){m[1], m[4], m[7], 0};
      z = (four_t){m[2], m[5], m[8], 0};
      p = vector(&P->p.x);
    }
    const mbd_placement_t * X = &X_parent[i];
    p += x * splat(X->p.x) + y * splat(X->p.y) + z * splat(X->p.z);
    const four_t new_x = times_column(x, y, z, X->R.m, 0);
    const four_t new_y = times_column(x, y, z, X->R.m, 1);
    z = times_column(x, y, z, X->R.m, 2);
    x = new_x, y = new_y;
    store_placement(x, y, z, p, &X_world[i]);
  }
}
