// The inverse of the mass matrix of one state. Included by kernel_instance.c after
// kernel_articulated.h.
//
// Every column is the acceleration that a unit torque on one joint causes: forward dynamics without
// velocities, with four unit torques side by side in the lanes of vectors. Towards the bases only
// the torques within a body's subtree count, which are neighbours in number; from the bases to the
// tips only the upper triangle is computed, row by row, and mirrored at the end.
//
// Blocks of lanes go down from the end of a range until they hold its first number. What is in front
// of it in the last block is never read: these torques have not begun yet, or are done with.

typedef int64_t four_int_at_t __attribute__((vector_size(32), aligned(8), may_alias));

// six numbers of every degree of freedom: moments or angular accelerations first
typedef struct torques {
  double * x;
  size_t stride;
} torques_t;

ALWAYS four_t
load_torques(torques_t t, int k, int j)
{
  return *(const four_at_t *)(t.x + (size_t)k * t.stride + j);
}

ALWAYS void
store_torques(four_t x, torques_t t, int k, int j)
{
  *(four_at_t *)(t.x + (size_t)k * t.stride + j) = x;
}

// numbers j, j + 1, ... of a row, which may begin in front of it
ALWAYS four_t
load_row(const double * row, int j)
{
  if (__builtin_expect(j >= 0, 1)) return *(const four_at_t *)(row + j);
  four_t x;
  for (int k = 0; k < 4; k++) x[k] = j + k < 0 ? 0 : row[j + k];
  return x;
}

ALWAYS void
store_row(four_t x, double * row, int j)
{
  if (__builtin_expect(j >= 0, 1)) {
    *(four_at_t *)(row + j) = x;
    return;
  }
  for (int k = 0; k < 4; k++) {
    if (j + k >= 0) row[j + k] = x[k];
  }
}

// a three-vector in all lanes
typedef struct wide_three {
  four_t x, y, z;
} wide_three_t;

ALWAYS wide_three_t
wide_of(const four_t * a)
{
  const double * x = (const double *)a;
  return (wide_three_t){splat(x[0]), splat(x[1]), splat(x[2])};
}

ALWAYS wide_three_t
load_three(torques_t t, int k, int j)
{
  return (wide_three_t){
    load_torques(t, k, j), load_torques(t, k + 1, j), load_torques(t, k + 2, j)};
}

ALWAYS void
store_three(wide_three_t a, torques_t t, int k, int j)
{
  store_torques(a.x, t, k, j);
  store_torques(a.y, t, k + 1, j);
  store_torques(a.z, t, k + 2, j);
}

ALWAYS four_t
wide_dot(wide_three_t a, wide_three_t b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// y + a x b
ALWAYS wide_three_t
plus_cross(wide_three_t y, wide_three_t a, wide_three_t b)
{
  return (wide_three_t){
    y.x + a.y * b.z - a.z * b.y, y.y + a.z * b.x - a.x * b.z, y.z + a.x * b.y - a.y * b.x};
}

ALWAYS wide_three_t
plus_times(wide_three_t y, wide_three_t a, four_t x)
{
  return (wide_three_t){y.x + a.x * x, y.y + a.y * x, y.z + a.z * x};
}

//---------- tips to bases ----------

// all ones in the lanes behind k, and one in lane k
static const int64_t lanes_behind[8] = {0, 0, 0, 0, -1, -1, -1, -1};
static const double lane_one[8] = {0, 0, 0, 1, 0, 0, 0, 0};

// torques from j on: what is left of them at the joint goes into the row, what it lets through goes
// on to the parent (7.27); `own`: lane of the joint's own torque, or -1
ALWAYS void
inward_block(
  int32_t kind, wide_three_t e, wide_three_t d, wide_three_t W_a, wide_three_t W_l, int own,
  bool base, torques_t z, int j, double * row)
{
  wide_three_t n = load_three(z, 0, j), f = load_three(z, 3, j);
  four_t x = -wide_dot(e, kind == PLAN_REVOLUTE ? n : f);
  if (own >= 0) {
    const four_int_t keep = *(const four_int_at_t *)(lanes_behind + 3 - own);
    x = masked(x, keep) + *(const four_at_t *)(lane_one + 3 - own);
    n = (wide_three_t){masked(n.x, keep), masked(n.y, keep), masked(n.z, keep)};
    f = (wide_three_t){masked(f.x, keep), masked(f.y, keep), masked(f.z, keep)};
  }
  store_row(x, row, j);
  if (base) return;
  // W is at the parent's origin already
  n = plus_times(plus_cross(n, d, f), W_a, x);
  f = plus_times(f, W_l, x);
  store_three(n, z, 0, j);
  store_three(f, z, 3, j);
}

ALWAYS void
inward(
  const mbd_plan_body_t * b, int32_t kind, int end, const one_body_t * o,
  const one_articulated_t * p, torques_t z, double * row)
{
  const wide_three_t e = wide_of(&o->R[2]), d = wide_of(&o->d);
  const wide_three_t W_a = wide_of(&p->W_a), W_l = wide_of(&p->W_l);
  const bool base = b->parent < 0;
  const int v = b->v;
  int j = end - 4;
  for (; j > v; j -= 4) inward_block(kind, e, d, W_a, W_l, -1, base, z, j, row);
  inward_block(kind, e, d, W_a, W_l, v - j, base, z, j, row);
}

// A free joint's acceleration does not depend on what it hangs on: it goes into its six rows, in world
// axes, angular first. Of the torques within only its own reach the parent.
static bool
inward_free(
  const mbd_plan_body_t * b, int end, const one_body_t * o, const one_articulated_t * p,
  torques_t z, double * rows, size_t nv)
{
  double A[6][6];
  const bool good = factor_free(p, A);
  for (size_t k = 0; k < 3; k++) {
    double *a = z.x + k * z.stride + b->v, *l = a + 3 * z.stride;
    for (int c = 0; c < 3; c++) {
      a[c] = l[3 + c] = 0;
      l[c] = a[3 + c] = -o->R[c][k];
    }
  }
  for (int j = end - 4; j > b->v - 4; j -= 4) {
    four_t x[6];
    for (int r = 0; r < 6; r++) x[r] = -load_torques(z, r, j);
    for (int r = 1; r < 6; r++) {
      for (int k = 0; k < r; k++) x[r] -= A[r][k] * x[k];
    }
    for (int r = 5; r >= 0; r--) {
      x[r] *= splat(1 / A[r][r]);
      for (int k = r + 1; k < 6; k++) x[r] -= A[k][r] * x[k];
    }
    for (int r = 0; r < 6; r++) {
      store_row(x[r], rows + (size_t)r * nv, j);
      if (b->parent >= 0) store_torques(splat(0), z, r, j);
    }
  }
  if (b->parent < 0) return good;
  for (int c = 0; c < 3; c++) {
    const four_t moment = cross(o->d, o->R[c]);
    for (size_t k = 0; k < 3; k++) {
      double *a = z.x + k * z.stride + b->v, *l = a + 3 * z.stride;
      a[c] = moment[k], l[c] = a[3 + c] = o->R[c][k];
    }
  }
  return good;
}

//---------- bases to tips ----------

// accelerations of a joint and of its body from that of its parent                     (7.38)
ALWAYS void
outward(
  const mbd_plan_body_t * b, int32_t kind, const mbd_plan_span_t * span, const one_body_t * o,
  const one_articulated_t * p, torques_t from, torques_t to, double * row)
{
  const wide_three_t e = wide_of(&o->R[2]), d = wide_of(&o->d);
  const wide_three_t W_a = wide_of(&p->W_a), W_l = wide_of(&p->W_l);
  const four_t s = splat(p->inverse_D[0]), zero = splat(0);
  const bool base = b->parent < 0, leaf = span->leaf;
  const int v = b->v;
  for (int j = span->tree_end - 4; j > v - 4; j -= 4) {
    four_t x = s * load_row(row, j);
    wide_three_t alpha = {zero, zero, zero}, a = alpha;
    if (!base) {
      alpha = load_three(from, 0, j), a = load_three(from, 3, j);
      x -= wide_dot(W_a, alpha) + wide_dot(W_l, a);
    }
    store_row(x, row, j);
    if (leaf) continue;
    a = plus_cross(a, alpha, d);
    store_three(kind == PLAN_REVOLUTE ? plus_times(alpha, e, x) : alpha, to, 0, j);
    store_three(kind == PLAN_REVOLUTE ? a : plus_times(a, e, x), to, 3, j);
  }
}

static void
outward_free(
  const mbd_plan_body_t * b, const mbd_plan_span_t * span, const one_body_t * o, torques_t from,
  torques_t to, double * rows, size_t nv)
{
  for (int j = span->tree_end - 4; j > b->v - 4; j -= 4) {
    four_t x[6];
    for (int k = 0; k < 6; k++) x[k] = load_row(rows + (size_t)k * nv, j);
    wide_three_t alpha = {x[0], x[1], x[2]}, a = {x[3], x[4], x[5]};
    if (b->parent >= 0) {
      const wide_three_t up = load_three(from, 0, j);
      const wide_three_t down = plus_cross(load_three(from, 3, j), up, wide_of(&o->d));
      alpha = plus_times(alpha, up, splat(-1));
      a = plus_times(a, down, splat(-1));
    }
    for (int k = 0; k < 6; k++) store_torques(x[k], to, k, j);
    for (size_t c = 0; c < 3; c++) {
      const wide_three_t e = wide_of(&o->R[c]);
      store_row(wide_dot(e, a), rows + c * nv, j);
      store_row(wide_dot(e, alpha), rows + (c + 3) * nv, j);
    }
  }
}

//---------- the whole ----------

// a four by four block of the upper triangle to the lower one
ALWAYS void
mirror_block(double * M, size_t nv, size_t i, size_t j)
{
  four_t row[4], column[4];
  for (size_t k = 0; k < 4; k++) row[k] = *(const four_at_t *)(M + (i + k) * nv + j);
  transpose_four(row, column);
  for (size_t k = 0; k < 4; k++) *(four_at_t *)(M + (j + k) * nv + i) = column[k];
}

// lower triangle from the upper one
static void
mirror(double * M, size_t nv)
{
  for (size_t i = 0; i < nv; i += 4) {
    const size_t last = i + 4 < nv ? i + 4 : nv;
    size_t j = last;
    for (; j + 4 <= nv; j += 4) mirror_block(M, nv, i, j);
    for (size_t r = i; r < last; r++) {
      for (size_t c = r + 1; c < last; c++) M[c * nv + r] = M[r * nv + c];
      for (size_t c = j; c < nv; c++) M[c * nv + r] = M[r * nv + c];
    }
  }
}

// torques of one slot, with room for a block in front
ALWAYS torques_t
slot_torques(double * memory, size_t nv, int slot)
{
  const size_t whole = (nv + 3) & ~(size_t)3, stride = whole + 8;
  // blocks that end with the last torque are aligned
  return (torques_t){memory + (size_t)slot * 6 * stride + 8 + (whole - nv), stride};
}

static void
inverse_outward(
  const mbd_plan_t * plan, const one_body_t * body, const one_articulated_t * art, double * memory,
  double * M)
{
  const size_t nv = (size_t)plan->nv;
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    const mbd_plan_span_t * span = &plan->span[i];
    const torques_t from = slot_torques(memory, nv, span->from),
                    to = slot_torques(memory, nv, span->slot);
    double * row = M + (size_t)b->v * nv;
    if (b->kind == PLAN_REVOLUTE)
      outward(b, PLAN_REVOLUTE, span, &body[i], &art[i], from, to, row);
    else if (b->kind == PLAN_PRISMATIC)
      outward(b, PLAN_PRISMATIC, span, &body[i], &art[i], from, to, row);
    else
      outward_free(b, span, &body[i], from, to, row, nv);
  }
}

static bool
one_mass_inverse(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  const size_t nv = (size_t)plan->nv;
  one_body_t * body = args->work;
  one_articulated_t * art = (one_articulated_t *)(body + plan->nbody);
  double * work = (double *)(art + plan->nbody);
  double *memory = work + 2 * PADDED(plan->nbody), *M = args->out;
  const torques_t z = slot_torques(memory, nv, 0);
  bool good = true;
  place_all(plan, args->q, work, body);
  for (int i = 0; i < plan->nbody; i++) {
    turn_inertia(&args->inertia[i], &body[i]);
    rigid_body(args->inertia[i].mass, &body[i], &art[i]);
  }
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbd_plan_body_t * b = &plan->body[i];
    const int end = plan->span[i].end;
    double * row = M + (size_t)b->v * nv;
    for (size_t k = 0; k < (size_t)plan->span[i].nv && end < plan->nv; k++) {
      memset(row + k * nv + end, 0, (nv - (size_t)end) * sizeof *row);
    }
    if (b->kind == PLAN_FREE) {
      good = inward_free(b, end, &body[i], &art[i], z, row, nv) && good;
      continue;
    }
    good = hinge(b->kind, args->rotor ? args->rotor[b->v] : 0, &body[i], &art[i]) && good;
    if (b->parent >= 0) inertia_to_parent(&body[i], &art[i], &art[b->parent]);
    if (b->kind == PLAN_REVOLUTE)
      inward(b, PLAN_REVOLUTE, end, &body[i], &art[i], z, row);
    else
      inward(b, PLAN_PRISMATIC, end, &body[i], &art[i], z, row);
  }
  if (!good) return false;
  inverse_outward(plan, body, art, memory, M);
  mirror(M, nv);
  return true;
}
