// The mass matrix of one state. Included by kernel_instance.c after kernel_one.h.
//
// Where the first body is does not matter to it: it is put at the origin of the world, with its
// axes. Everything is about the origin of the tree's first body: first and second moments of subtrees,
// which are then sums, and of every degree of freedom its axis and the force that moves its subtree.
// There the forces are the rows and columns of a free base as they are. Any other element of the
// matrix is a product of six numbers with six: sixteen of them at a time, and only where one degree of
// freedom carries the other (the plan has a list).

// four numbers at any address
typedef double four_at_t __attribute__((vector_size(32), aligned(8), may_alias));

// of a body, then of its subtree
typedef struct mass_sum {
  four_t h;     // first moment
  four_t J[3];  // second moments, columns
} mass_sum_t;

typedef struct mass_body {
  four_t z, lin;  // axis of a joint that turns, and how it moves the origin of the tree
  mass_sum_t sum;
  // where others than the next body need them:
  four_t R[3];  // columns: body axes in the world
  four_t a;     // origin
} mass_body_t;

typedef struct mass_lists {
  double * axis;   // six arrays, angular first
  size_t stride;   // of one to the next
  four_t * force;  // moment and force of each degree of freedom
} mass_lists_t;

//---------- bases to tips ----------

// Moments of a body that turns, with axes X, Y, Z in R and its origin at a: R h and
//
//   R J R^T + a (R h)^T + (R h) a^T = (J_xx X + u) X^T + X u^T + (J_yy Y + w) Y^T + Y w^T
//   u = J_xy Y + J_xz Z + h_x a,   w = J_yz Z + h_y a
ALWAYS void
turn_moments(const mbdi_lean_inertia_t * M, const four_t * R, four_t a, mass_sum_t * sum)
{
  const mbd_sym3_t * J = &M->J;
  const four_t hx = splat(M->h.x), hy = splat(M->h.y);
  const four_t w = R[2] * splat(J->yz) + a * hy, W = w + R[1] * splat(J->yy);
  const four_t u = R[2] * splat(J->xz) + a * hx + R[1] * splat(J->xy), U = u + R[0] * splat(J->xx);
  const four_t memory[4] = {R[0], R[1], u, w};
  const double *x = (const double *)memory, *y = x + 4, *ux = x + 8, *wx = x + 12;
  sum->h = R[0] * hx + R[1] * hy;
  for (int k = 0; k < 3; k++) {
    sum->J[k] = (U * splat(x[k]) + W * splat(y[k])) + (R[0] * splat(ux[k]) + R[1] * splat(wx[k]));
  }
}

// what other bodies have more
ALWAYS void
turn_others(const mbdi_lean_inertia_t * M, four_t z, four_t a, mass_sum_t * sum)
{
  const four_t hz = splat(M->h.z), m = splat(M->mass), Jz = z * splat(M->J.zz) + a * hz;
  const four_t h = z * hz + a * m;
  sum->h += h;
  for (int k = 0; k < 3; k++) sum->J[k] += Jz * splat(z[k]) + h * splat(a[k]);
}

// one by one: the compiler would call for a string of zeros, which takes longer
ALWAYS void
clear_sum(mass_sum_t * s)
{
  s->h = s->J[0] = s->J[1] = s->J[2] = splat(0);
}

ALWAYS void
put_axis(const mass_lists_t * lists, int v, four_t ang, four_t lin)
{
  double * x = lists->axis + v;
  for (int k = 0; k < 3; k++) {
    x[(size_t)k * lists->stride] = ang[k];
    x[(size_t)(k + 3) * lists->stride] = lin[k];
  }
}

// lin: of a joint that turns
ALWAYS void
put_axes(
  const mass_lists_t * lists, const mbdi_lean_body_t * b, const four_t * R, four_t a, four_t lin)
{
  const four_t zero = {0};
  if (__builtin_expect(b->kind == LEAN_TWIST || b->kind == LEAN_TURN, 1)) {
    put_axis(lists, b->v, R[2], lin);
  } else if (b->kind == LEAN_SLIDE) {
    put_axis(lists, b->v, zero, R[2]);
  } else {
    for (int k = 0; k < 3; k++) {
      put_axis(lists, b->v + k, zero, R[k]);
      put_axis(lists, b->v + k + 3, R[k], cross(a, R[k]));
    }
  }
}

// Each body waits for the one before it: a quarter turn about x, as most robots have, is no product.
ALWAYS void
turn_axes(const mbdi_lean_body_t * b, lean_turns_t turns, int i, four_t * R)
{
  if (__builtin_expect(b->form != LEAN_RIGHT, 0)) {
    lean_turn(b, turns, i, R);
    return;
  }
  const four_t s = splat(turns.sine[i]), c = splat(turns.cosine[i]), x = R[0], z = R[2];
  R[0] = c * x - s * z;
  R[2] = R[1];
  R[1] = -c * z - s * x;
}

// the first body, at the origin of the world
ALWAYS void
mass_first(const mbdi_kernel_args_t * args, const mass_lists_t * lists, mass_body_t * o)
{
  const mbdi_lean_inertia_t * M = args->lean;
  const mbd_sym3_t * J = &M->J;
  world_axes(o->R);
  o->z = o->R[2];
  o->lin = o->a = splat(0);
  o->sum.h = vector(&M->h.x);
  o->sum.J[0] = (four_t){J->xx, J->xy, J->xz};
  o->sum.J[1] = (four_t){J->xy, J->yy, J->yz};
  o->sum.J[2] = (four_t){J->xz, J->yz, J->zz};
  if (!args->plan->free_base) put_axes(lists, args->plan->lean, o->R, o->a, o->lin);
}

// The last body stays in registers: most often it is the parent of the next. body[-1] is the world.
ALWAYS void
mass_outward(
  const mbdi_kernel_args_t * args, lean_turns_t turns, const mass_lists_t * lists,
  mass_body_t * body)
{
  const mbdi_plan_t * plan = args->plan;
  torque_state_t t;
  four_t a = splat(0), d;
  world_axes(t.axis);
  world_axes(body[-1].R);
  body[-1].a = a;
  clear_sum(&body[-1].sum);
  mass_first(args, lists, body);
  for (int i = 1; i < plan->nbody; i++) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    mass_body_t * o = &body[i];
    if (b->parent != i - 1) {
      const mass_body_t * from = &body[b->parent];
      t.axis[0] = from->R[0], t.axis[1] = from->R[1], t.axis[2] = from->R[2], a = from->a;
    }
    const bool turning = b->kind == LEAN_TWIST || b->kind == LEAN_TURN;
    if (__builtin_expect(turning, 1)) {
      d = times(t.axis, b->p);
      turn_axes(b, turns, i, t.axis);
    } else {
      torque_state_t other;
      copy_axes(&t, &other);
      other_axes(b, args->q, &other, &d);
      copy_axes(&other, &t);
    }
    a = b->parent < 0 ? a : a + d;
    o->z = t.axis[2];
    o->lin = cross(a, t.axis[2]);
    turn_moments(&args->lean[i], t.axis, a, &o->sum);
    if (__builtin_expect(!turning || b->forks, 0)) {
      for (int k = 0; k < 3; k++) o->R[k] = t.axis[k];
      o->a = a;
      if (!turning) turn_others(&args->lean[i], t.axis[2], a, &o->sum);
    }
    put_axes(lists, b, t.axis, a, o->lin);
  }
}

//---------- tips to bases ----------

ALWAYS void
put_force(const mass_lists_t * lists, int v, four_t f, four_t n)
{
  lists->force[2 * v] = n;
  lists->force[2 * v + 1] = f;
}

// of a rotation about an axis, which is in memory, and that moves the origin by lin: h x lin +
// tr(J) e - J e
ALWAYS four_t
moment_about(const mass_sum_t * s, const four_t * e, four_t lin)
{
  const four_t trace = splat(s->J[0][0] + s->J[1][1] + s->J[2][2]);
  return cross(s->h, lin) + (trace * *e - times(s->J, (const double *)e));
}

// m: of the subtree
ALWAYS void
put_forces(
  const mass_lists_t * lists, const mbdi_lean_body_t * b, const mass_body_t * o, four_t m,
  const mass_sum_t * s)
{
  const four_t h = s->h, *R = o->R;
  if (__builtin_expect(b->kind == LEAN_TWIST || b->kind == LEAN_TURN, 1)) {
    four_t f = cross(o->z, h);
    if (!b->light) f += m * o->lin;
    put_force(lists, b->v, f, moment_about(s, &o->z, o->lin));
  } else if (b->kind == LEAN_SLIDE) {
    put_force(lists, b->v, m * o->z, cross(h, o->z));
  } else {
    for (int k = 0; k < 3; k++) {
      const four_t lin = cross(o->a, R[k]);
      put_force(lists, b->v + k, m * R[k], cross(h, R[k]));
      put_force(lists, b->v + k + 3, m * lin + cross(R[k], h), moment_about(s, &R[k], lin));
    }
  }
}

ALWAYS void
mass_add(const mass_sum_t * s, mass_sum_t * to)
{
  to->h += s->h;
  for (int k = 0; k < 3; k++) to->J[k] += s->J[k];
}

// of a free base at the origin of the world
ALWAYS void
put_base_forces(const mass_lists_t * lists, double m, const mass_sum_t * s)
{
  const double x = s->h[0], y = s->h[1], z = s->h[2];
  const double trace = s->J[0][0] + s->J[1][1] + s->J[2][2];
  const four_t f[3] = {{m}, {0, m}, {0, 0, m}}, n[3] = {{0, z, -y}, {-z, 0, x}, {y, -x}};
  const four_t spin[3] = {{trace}, {0, trace}, {0, 0, trace}};
  for (int k = 0; k < 3; k++) {
    lists->force[2 * k] = n[k], lists->force[2 * k + 1] = f[k];
    lists->force[2 * k + 6] = spin[k] - s->J[k], lists->force[2 * k + 7] = -n[k];
  }
}

// What comes from the body after this one stays in registers, if that is a child.
ALWAYS void
mass_inward(const mbdi_kernel_args_t * args, const mass_lists_t * lists, mass_body_t * body)
{
  const mbdi_plan_t * plan = args->plan;
  const int first = plan->free_base ? 1 : 0;
  mass_sum_t s;
  clear_sum(&s);
  for (int i = plan->nbody - 1; i >= first; i--) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    const four_t m = splat(args->lean[i].total);
    const mass_body_t * o = &body[i];
    mass_add(&o->sum, &s);
    put_forces(lists, b, o, m, &s);
    if (b->parent == i - 1) continue;
    mass_add(&s, &body[b->parent].sum);
    clear_sum(&s);
  }
  if (!first) return;
  mass_add(&body->sum, &s);
  put_base_forces(lists, args->lean->total, &s);
}

//---------- blocks ----------

// lanes of the bits of a number
#define B(k) -(int64_t)(k & 1), -(int64_t)(k >> 1 & 1), -(int64_t)(k >> 2 & 1), -(int64_t)(k >> 3)
static const four_int_t lane_masks[16] = {{B(0)},  {B(1)},  {B(2)},  {B(3)}, {B(4)},  {B(5)},
                                          {B(6)},  {B(7)},  {B(8)},  {B(9)}, {B(10)}, {B(11)},
                                          {B(12)}, {B(13)}, {B(14)}, {B(15)}};
#undef B

ALWAYS four_t
masked(four_t x, four_int_t keep)
{
  return (four_t)((four_int_t)x & keep);
}

// sixteen elements; those of degrees of freedom of which none carries the other are zero
ALWAYS void
block_products(const mass_lists_t * lists, const mbdi_plan_block_t * block, four_t * row)
{
  const double * x = lists->axis + block->column;
  const double * f = (const double *)(lists->force + 2 * block->row);
  four_t axis[6];
  for (size_t k = 0; k < 6; k++) axis[k] = *(const four_at_t *)(x + k * lists->stride);
  for (int r = 0; r < 4; r++, f += 8) {
    row[r] = (axis[0] * splat(f[0]) + axis[1] * splat(f[1]) + axis[2] * splat(f[2])) +
             (axis[3] * splat(f[4]) + axis[4] * splat(f[5]) + axis[5] * splat(f[6]));
  }
  if (block->mask == 0xffff) return;
  for (int r = 0; r < 4; r++) row[r] = masked(row[r], lane_masks[block->mask >> 4 * r & 15]);
}

// rows of the transposed block
ALWAYS void
transpose_four(const four_t * a, four_t * out)
{
  const four_t low01 = MERGE(a[0], a[1], 0, 4, 2, 6), high01 = MERGE(a[0], a[1], 1, 5, 3, 7);
  const four_t low23 = MERGE(a[2], a[3], 0, 4, 2, 6), high23 = MERGE(a[2], a[3], 1, 5, 3, 7);
  out[0] = MERGE(low01, low23, 0, 1, 4, 5);
  out[1] = MERGE(high01, high23, 0, 1, 4, 5);
  out[2] = MERGE(low01, low23, 2, 3, 6, 7);
  out[3] = MERGE(high01, high23, 2, 3, 6, 7);
}

// a block below the diagonal, and its image above
ALWAYS void
put_block(const four_t * row, const mbdi_plan_block_t * block, size_t nv, double * M)
{
  four_t column[4];
  double *at = M + block->at, *mirror = M + block->mirror;
  transpose_four(row, column);
  for (int k = 0; k < 4; k++, at += nv, mirror += nv) {
    *(four_at_t *)at = row[k];
    *(four_at_t *)mirror = column[k];
  }
}

// more zero blocks than this are written faster with all the rest of the matrix, in its order
enum { FEW_ZEROS = 8 };

ALWAYS void
put_zeros(const mbdi_plan_block_t * block, size_t nv, double * M)
{
  double *at = M + block->at, *mirror = M + block->mirror;
  for (int k = 0; k < 4; k++, at += nv, mirror += nv) {
    *(four_at_t *)at = *(four_at_t *)mirror = splat(0);
  }
}

// a block on the diagonal, of which only the lower triangle is given
ALWAYS void
put_diagonal(const four_t * row, const mbdi_plan_block_t * block, size_t nv, double * M)
{
  four_t column[4];
  double * at = M + block->at;
  transpose_four(row, column);
  *(four_at_t *)at = MERGE(row[0], column[0], 0, 5, 6, 7);
  *(four_at_t *)(at + nv) = MERGE(row[1], column[1], 0, 1, 6, 7);
  *(four_at_t *)(at + 2 * nv) = MERGE(row[2], column[2], 0, 1, 2, 7);
  *(four_at_t *)(at + 3 * nv) = row[3];
}

// the part below the diagonal of a block that it passes through anywhere, or that is too large
ALWAYS void
put_corner(const four_t * row, size_t j, size_t i, size_t nv, double * M)
{
  for (size_t r = 0; r < 4 && j + r < nv; r++) {
    for (size_t c = 0; c < 4; c++) {
      if (i + c <= j + r) M[(j + r) * nv + i + c] = M[(i + c) * nv + j + r] = row[r][c];
    }
  }
}

// Rows and columns of a free base: forces of what it carries, of which four at a time begin at v.
// Each row is written with a zero too many, which what comes next overwrites.
ALWAYS void
put_base_four(const mass_lists_t * lists, size_t v, size_t nv, double * M)
{
  four_t n[4], f[4], across[4];
  double * row = M + v * nv;
  for (size_t k = 0; k < 4; k++, row += nv) {
    n[k] = lists->force[2 * (v + k)], f[k] = lists->force[2 * (v + k) + 1];
    *(four_at_t *)row = f[k];
    *(four_at_t *)(row + 3) = n[k];
  }
  transpose_four(f, across);
  for (size_t k = 0; k < 3; k++) *(four_at_t *)(M + k * nv + v) = across[k];
  transpose_four(n, across);
  for (size_t k = 0; k < 3; k++) *(four_at_t *)(M + (k + 3) * nv + v) = across[k];
}

// a base that carries nothing
static void
put_base_alone(const mass_lists_t * lists, double * M)
{
  const double * F = (const double *)lists->force;
  for (size_t k = 0; k < 36; k++) M[k] = F[k / 6 * 8 + (k % 6 < 3 ? 4 + k % 6 : k % 6 - 3)];
}

static void
put_base(const mass_lists_t * lists, size_t end, size_t nv, double * M)
{
  if (nv == 6)
    put_base_alone(lists, M);
  else
    for (size_t v = 0; v < end; v += 4) put_base_four(lists, v + 4 <= end ? v : end - 4, nv, M);
  // rounding must not leave it unsymmetric
  for (size_t j = 4; j < 6; j++) {
    for (size_t i = 3; i < j; i++) M[i * nv + j] = M[j * nv + i];
  }
  // other trees
  for (size_t v = end; v < nv; v++) {
    for (size_t k = 0; k < 6; k++) M[v * nv + k] = M[k * nv + v] = 0;
  }
}

// in the order of the plan: below the diagonal, zeros there, and what the diagonal passes through
ALWAYS void
put_blocks(const mbdi_plan_t * plan, const mass_lists_t * lists, double * M)
{
  const size_t nv = (size_t)plan->nv, rest = nv - (plan->free_base ? 6 : 0);
  const mbdi_plan_block_t *block = plan->block, *below = block + plan->nbelow;
  const mbdi_plan_block_t *zeros = below + plan->nzero, *end = block + plan->nblock;
  four_t row[4];
  for (; block < below; block++) {
    block_products(lists, block, row);
    put_block(row, block, nv, M);
  }
  for (; block < zeros && plan->nzero <= FEW_ZEROS; block++) put_zeros(block, nv, M);
  block = zeros;
  for (; block < end; block++) {
    block_products(lists, block, row);
    if (block->row == block->column && rest >= 4)
      put_diagonal(row, block, nv, M);
    else
      put_corner(row, (size_t)block->row, (size_t)block->column, nv, M);
  }
}

//---------- the same without a list of blocks ----------

// Both triangles are computed, row by row from left to right: a block's image would be far away from
// it in memory. The products are the same numbers, so that the matrix is symmetric.

// forces as six arrays, with the stride of the axes, behind those they come from
ALWAYS double *
force_arrays(const mass_lists_t * lists, size_t nv)
{
  double * arrays = (double *)(lists->force + 2 * lists->stride);
  for (size_t v = 0; v < nv; v += 4) {
    for (size_t half = 0; half < 2; half++) {
      four_t a[4], out[4];
      for (size_t k = 0; k < 4; k++) a[k] = lists->force[2 * (v + k) + half];
      transpose_four(a, out);
      for (size_t k = 0; k < 3; k++) {
        *(four_at_t *)(arrays + (3 * half + k) * lists->stride + v) = out[k];
      }
    }
  }
  return arrays;
}

// six numbers of each of four columns times six of each of four rows
ALWAYS void
products_of(const double * column, const double * row, size_t stride, four_t * out)
{
  four_t x[6];
  for (size_t k = 0; k < 6; k++) x[k] = *(const four_at_t *)(column + k * stride);
  for (int r = 0; r < 4; r++, row++) {
    out[r] = (x[0] * splat(row[0]) + x[1] * splat(row[stride]) + x[2] * splat(row[2 * stride])) +
             (x[3] * splat(row[3 * stride]) + x[4] * splat(row[4 * stride]) +
              x[5] * splat(row[5 * stride]));
  }
}

// the larger of four
ALWAYS double
most_of(const double * x)
{
  const double a = x[0] > x[1] ? x[0] : x[1], b = x[2] > x[3] ? x[2] : x[3];
  return a > b ? a : b;
}

ALWAYS void
store_rows_of_four(const four_t * row, size_t nv, double * at)
{
  for (size_t k = 0; k < 4; k++) *(four_at_t *)(at + k * nv) = row[k];
}

// rows from j on, columns from i on, all below the diagonal: element (j, i) counts if i carries j
ALWAYS void
lower_four(const double * reach, size_t j, four_t * row)
{
  const four_t end = *(const four_at_t *)reach;
  for (size_t k = 0; k < 4; k++) row[k] = masked(row[k], end > splat((double)(j + k)));
}

// all above: element (i, j) counts if i carries j
ALWAYS void
upper_four(const double * reach, size_t j, four_t * row)
{
  const four_t column = (four_t){0, 1, 2, 3} + splat((double)j);
  for (size_t k = 0; k < 4; k++) row[k] = masked(row[k], column < splat(reach[k]));
}

// where the diagonal passes through
static void
put_crossed(
  const mass_lists_t * lists, const double * force, const double * reach, size_t r, size_t c,
  size_t nv, double * M)
{
  four_t below[4], above[4];
  products_of(lists->axis + c, force + r, lists->stride, below);
  lower_four(reach + c, r, below);
  products_of(force + c, lists->axis + r, lists->stride, above);
  upper_four(reach + r, c, above);
  const four_t column = (four_t){0, 1, 2, 3} + splat((double)c);
  for (size_t k = 0; k < 4; k++) {
    const four_int_t lower = column <= splat((double)(r + k));
    below[k] = masked(below[k], lower) + masked(above[k], ~lower);
  }
  store_rows_of_four(below, nv, M + r * nv + c);
}

// four rows, without the columns of a free base
ALWAYS void
put_four_rows(
  const mass_lists_t * lists, const double * force, const mbdi_plan_t * plan, size_t r, double * M)
{
  const size_t nv = (size_t)plan->nv, first = plan->free_base ? 6 : 0;
  const double *reach = plan->reach, most = most_of(reach + r);
  const four_t zero[4] = {splat(0), splat(0), splat(0), splat(0)};
  for (size_t next = first; next < nv; next += 4) {
    const size_t c = next + 4 <= nv ? next : nv - 4;
    double * at = M + r * nv + c;
    four_t row[4];
    if (c + 3 <= r) {
      if (most_of(reach + c) <= (double)r) {
        store_rows_of_four(zero, nv, at);
        continue;
      }
      products_of(lists->axis + c, force + r, lists->stride, row);
      lower_four(reach + c, r, row);
      store_rows_of_four(row, nv, at);
    } else if (c < r + 3) {
      put_crossed(lists, force, reach, r, c, nv, M);
    } else if (most <= (double)c) {
      store_rows_of_four(zero, nv, at);
    } else {
      products_of(force + c, lists->axis + r, lists->stride, row);
      upper_four(reach + r, c, row);
      store_rows_of_four(row, nv, at);
    }
  }
}

static void
put_unlisted(const mbdi_plan_t * plan, const mass_lists_t * lists, double * M)
{
  const size_t nv = (size_t)plan->nv;
  const double * force = force_arrays(lists, nv);
  for (size_t r = plan->free_base ? 6 : 0; r < nv; r += 4) {
    put_four_rows(lists, force, plan, r + 4 <= nv ? r : nv - 4, M);
  }
}

static bool
one_mass_matrix(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  const size_t nv = (size_t)plan->nv, padded = (size_t)PADDED(plan->nv);
  mass_body_t * body = (mass_body_t *)args->work + 1;
  double * sine = (double *)(body + plan->nbody);
  const lean_turns_t turns = {sine, sine + PADDED(plan->nbody)};
  double * axis = turns.cosine + PADDED(plan->nbody);
  const mass_lists_t lists = {axis, padded, (four_t *)(axis + 6 * padded)};
  double * M = args->out;
  if (plan->nbody == 0) return true;
  lean_turns_of(plan, args->q, turns);
  mass_outward(args, turns, &lists, body);
  mass_inward(args, &lists, body);
  if (plan->nzero > FEW_ZEROS) memset(M, 0, nv * nv * sizeof *M);
  if (plan->free_base) put_base(&lists, (size_t)plan->span[0].end, nv, M);
  if (plan->nv > PLAN_LISTED)
    put_unlisted(plan, &lists, M);
  else
    put_blocks(plan, &lists, M);
  for (size_t k = 0; args->rotor && k < nv; k++) M[k * (nv + 1)] += args->rotor[k];
  return true;
}
