// The mass matrix of one state. Included by kernel_instance.c after kernel_one.h.
//
// Inertias of subtrees are summed at the origins of their bodies. Then every degree of freedom has its
// axis and the force that moves its subtree, both at the origin of the tree's first body, where an
// element of the matrix is a product of six numbers with six: sixteen of them at a time, and only
// where one degree of freedom carries the other (the plan has a list).

// four numbers at any address
typedef double four_at_t __attribute__((vector_size(32), aligned(8), may_alias));

typedef struct mass_lists {
  double * axis;   // six arrays, angular first
  size_t stride;   // of one to the next
  four_t * force;  // moment and force of each degree of freedom
} mass_lists_t;

// inertia of a subtree, to that of the parent; masses are in all lanes of w
ALWAYS void
add_to_parent(const one_body_t * o, one_body_t * to)
{
  const four_t m = o->w, d = o->d, half = o->h + splat(0.5) * m * d;
  const double *x = (const double *)&o->d, *y = (const double *)&half;
  const four_t twice = splat(2) * lane_sum(half * d);
  to->w += m;
  to->h += o->h + m * d;
  for (int k = 0; k < 3; k++) {
    four_t diagonal = {0};
    diagonal[k] = twice[k];
    // what is known early first: the sum of the moments is what the next body waits for
    to->I[k] += diagonal - half * splat(x[k]) - d * splat(y[k]);
    to->I[k] += o->I[k];
  }
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

ALWAYS void
put_axes(const mass_lists_t * lists, const mbd_plan_body_t * b, const one_body_t * o, four_t r)
{
  const four_t zero = {0}, e = o->R[2];
  if (b->kind == PLAN_REVOLUTE) {
    put_axis(lists, b->v, e, cross(r, e));
  } else if (b->kind == PLAN_PRISMATIC) {
    put_axis(lists, b->v, zero, e);
  } else {
    for (int k = 0; k < 3; k++) {
      put_axis(lists, b->v + k, zero, o->R[k]);
      put_axis(lists, b->v + k + 3, o->R[k], cross(r, o->R[k]));
    }
  }
}

// force and moment of one degree of freedom, at distance r
ALWAYS void
put_force(const mass_lists_t * lists, int v, four_t f, four_t n, four_t r)
{
  lists->force[2 * v] = n + cross(r, f);
  lists->force[2 * v + 1] = f;
}

ALWAYS void
put_forces(const mass_lists_t * lists, const mbd_plan_body_t * b, const one_body_t * o, four_t r)
{
  const four_t h = o->h, m = o->w;
  if (b->kind == PLAN_REVOLUTE) {
    put_force(lists, b->v, cross(o->R[2], h), times(o->I, (const double *)&o->R[2]), r);
  } else if (b->kind == PLAN_PRISMATIC) {
    put_force(lists, b->v, m * o->R[2], cross(h, o->R[2]), r);
  } else {
    for (int k = 0; k < 3; k++) {
      const four_t e = o->R[k];
      put_force(lists, b->v + k, m * e, cross(h, e), r);
      put_force(lists, b->v + k + 3, cross(e, h), times(o->I, (const double *)&o->R[k]), r);
    }
  }
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
block_products(const mass_lists_t * lists, const mbd_plan_block_t * block, four_t * row)
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
put_block(const four_t * row, const mbd_plan_block_t * block, size_t nv, double * M)
{
  four_t column[4];
  double *at = M + block->at, *mirror = M + block->mirror;
  transpose_four(row, column);
  for (int k = 0; k < 4; k++, at += nv, mirror += nv) {
    *(four_at_t *)at = row[k];
    *(four_at_t *)mirror = column[k];
  }
}

// a block on the diagonal, of which only the lower triangle is given
ALWAYS void
put_diagonal(const four_t * row, const mbd_plan_block_t * block, size_t nv, double * M)
{
  four_t column[4];
  double * at = M + block->at;
  transpose_four(row, column);
  for (int k = 0; k < 4; k++, at += nv) {
    const four_int_t lower = lane_masks[(2 << k) - 1];
    *(four_at_t *)at = masked(row[k], lower) + masked(column[k], ~lower);
  }
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

static bool
one_mass_matrix(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  const size_t nv = (size_t)plan->nv, padded = (size_t)PADDED(plan->nv);
  one_body_t * body = args->work;
  double * work = (double *)(body + plan->nbody);
  double * axis = work + 2 * PADDED(plan->nbody);
  const mass_lists_t lists = {axis, padded, (four_t *)(axis + 6 * padded)};
  double * M = args->out;
  place_all(plan, args->q, work, body);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    one_body_t * o = &body[i];
    const four_t zero = {0};
    o->a = b->parent < 0 ? zero : body[b->parent].a + o->d;
    put_axes(&lists, b, o, o->a);
    turn_inertia(&args->inertia[i], o);
    o->w = splat(args->inertia[i].mass);
  }
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbd_plan_body_t * b = &plan->body[i];
    put_forces(&lists, b, &body[i], body[i].a);
    if (b->parent >= 0) add_to_parent(&body[i], &body[b->parent]);
  }
  if (plan->sparse) memset(M, 0, nv * nv * sizeof *M);
  for (int k = 0; k < plan->nblock; k++) {
    const mbd_plan_block_t * block = &plan->block[k];
    const size_t j = (size_t)block->row, i = (size_t)block->column;
    four_t row[4] = {{0}};
    if (block->mask) block_products(&lists, block, row);
    if (i + 3 <= j)
      put_block(row, block, nv, M);
    else if (i == j && nv >= 4)
      put_diagonal(row, block, nv, M);
    else
      put_corner(row, j, i, nv, M);
  }
  for (size_t k = 0; args->rotor && k < nv; k++) M[k * (nv + 1)] += args->rotor[k];
  return true;
}
