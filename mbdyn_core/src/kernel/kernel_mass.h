// The mass matrix of one state. Included by kernel_instance.c after kernel_world.h.
//
// Bodies are placed one after the other, three numbers in the lanes of a vector; all that follows has
// as many degrees of freedom in the lanes as there are, of which each knows the body that it moves
// (of those of a joint, the last has the body's inertia). Where the first body is does not matter: it
// is put at the origin of the world, with its axes. About the origin of its tree each degree of
// freedom gets its axis, the first and second moments of its subtree, and the force that moves that.
// There the forces are the rows and columns of a free base as they are. Any other element of the
// matrix is a product of six numbers with six, and only where one degree of freedom carries the other.
//
// Arrays begin with the first degree of freedom that is not of a free base.

// the body of a degree of freedom
typedef struct mass_place {
  four_t axis[3];  // columns: its axes in the world, the last one that of the joint
  four_t a;        // its origin from that of the tree's first body
} mass_place_t;

// of as many as there are lanes: second moments, with the diagonal halved, and first moment
typedef struct mass_sum {
  lanes_t x[9];
} mass_sum_t;

typedef struct mass_room {
  mass_place_t * place;  // and before the first: a free base, and the world
  mass_sum_t * sum;      // of subtrees; vector by vector
  size_t stride;         // from one array to the next of the following
  double *axis, *force;  // six arrays: angular first
  lean_turns_t turns;
} mass_room_t;

static size_t
mass_work_one(const mbd_plan_t * plan)
{
  const size_t nv = (size_t)PADDED(plan->nv);
  return (nv + 1) * sizeof(mass_place_t) +
         (21 * nv + 2 * (size_t)PADDED(plan->nbody)) * sizeof(double);
}

ALWAYS mass_room_t
mass_room_one(const mbd_kernel_args_t * args)
{
  const size_t nv = (size_t)PADDED(args->plan->nv), nbody = (size_t)PADDED(args->plan->nbody);
  mass_sum_t * sum = args->work;
  double *axis = (double *)args->work + 9 * nv, *sine = axis + 12 * nv;
  mass_place_t * place = (mass_place_t *)(sine + 2 * nbody) + 1;
  return (mass_room_t){place, sum, nv, axis, axis + 6 * nv, {sine, sine + nbody}};
}

//---------- places ----------

ALWAYS void
put_place(const mbd_lean_body_t * b, const four_t * R, four_t a, mass_place_t * to)
{
  to->axis[0] = R[0], to->axis[1] = R[1], to->axis[2] = R[2], to->a = a;
  if (__builtin_expect(b->kind != LEAN_FREE, 1)) return;
  for (int k = 1; k < 6; k++) to[k] = *to;
  for (int k = 0; k < 5; k++) to[k].axis[2] = R[k % 3];
}

// Each body waits for the one before it: a quarter turn about x, as most robots have them, is no product.
ALWAYS void
turn_place(const mbd_lean_body_t * b, lean_turns_t turns, int i, four_t * R)
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

// The last body stays in registers: most often it is the parent of the next.
ALWAYS void
mass_places(const mbd_kernel_args_t * args, const mass_room_t * room)
{
  const mbd_plan_t * plan = args->plan;
  const int first = plan->free_base ? 6 : 0;
  torque_state_t t;
  four_t a = splat(0);
  world_axes(t.axis);
  room->place[-1] = (mass_place_t){{t.axis[0], t.axis[1], t.axis[2]}, a};
  if (!first) put_place(plan->lean, t.axis, a, room->place);
  for (int i = 1; i < plan->nbody; i++) {
    const mbd_lean_body_t * b = &plan->lean[i];
    if (b->parent != i - 1) {
      const int p = b->parent;
      const mass_place_t * from =
        &room->place[p < 0 ? -1 : plan->lean[p].v + plan->span[p].nv - 1 - first];
      t.axis[0] = from->axis[0], t.axis[1] = from->axis[1], t.axis[2] = from->axis[2], a = from->a;
    }
    four_t d;
    if (__builtin_expect(b->kind == LEAN_TWIST || b->kind == LEAN_TURN, 1)) {
      d = times(t.axis, b->p);
      turn_place(b, room->turns, i, t.axis);
    } else {
      torque_state_t other;
      copy_axes(&t, &other);
      other_axes(b, args->q, &other, &d);
      copy_axes(&other, &t);
    }
    a = b->parent < 0 ? a : a + d;
    put_place(b, t.axis, a, &room->place[b->v - first]);
  }
}

// a column of as many places as there are lanes
ALWAYS V3
place_lanes(const four_t * column)
{
  enum { NEXT = sizeof(mass_place_t) / sizeof(four_t) };
#if KERNEL_LANES == 8
#define BOTH(i, j)    \
  _mm512_insertf64x4( \
    _mm512_castpd256_pd512((__m256d)column[(i)*NEXT]), (__m256d)column[(j)*NEXT], 1)
  const __m512d a = BOTH(0, 2), b = BOTH(1, 3), c = BOTH(4, 6), d = BOTH(5, 7);
#undef BOTH
  const __m512d low01 = _mm512_unpacklo_pd(a, b), low23 = _mm512_unpacklo_pd(c, d);
  const __m512d high01 = _mm512_unpackhi_pd(a, b), high23 = _mm512_unpackhi_pd(c, d);
  return (V3){
    (lanes_t)_mm512_shuffle_f64x2(low01, low23, 0x88),
    (lanes_t)_mm512_shuffle_f64x2(high01, high23, 0x88),
    (lanes_t)_mm512_shuffle_f64x2(low01, low23, 0xdd)};
#else
  const four_t row[4] = {column[0], column[NEXT], column[2 * NEXT], column[3 * NEXT]};
  four_t out[4];
  transpose_four(row, out);
  return (V3){out[0], out[1], out[2]};
#endif
}

// six arrays
ALWAYS void
put_arrays(const lanes_t * x, size_t stride, double * to)
{
  for (size_t k = 0; k < 6; k++) memcpy(to + k * stride, &x[k], sizeof *x);
}

// constants of the bodies from v on, as lean.h has them
ALWAYS const double *
lean_at(const mbd_kernel_args_t * args, int v)
{
  return args->lean_arrays + v / 8 * (8 * LEAN_ARRAYS) + v % 8;
}

//---------- moments, axes and forces ----------

typedef struct mass_axes {
  V3 x, y, z, a;
} mass_axes_t;

ALWAYS V3
KN(scale)(lanes_t a, V3 x)
{
  return (V3){a * x.x, a * x.y, a * x.z};
}

// which lanes
#if KERNEL_LANES == 8
typedef __mmask8 mass_lanes_t;
#else
typedef lanes_int_t mass_lanes_t;
#endif

// of a row of bits
ALWAYS mass_lanes_t
lanes_of_bits(unsigned bits)
{
#if KERNEL_LANES == 8
  return (__mmask8)bits;
#else
  return lane_masks[bits];
#endif
}

ALWAYS bool
any_lane(mass_lanes_t lanes)
{
#if KERNEL_LANES == 8
  return lanes != 0;
#elif defined(__AVX__)
  return _mm256_movemask_pd((__m256d)lanes) != 0;
#else
  return any_many(lanes);
#endif
}

// those before lane k that carry degree of freedom v
ALWAYS mass_lanes_t
carriers(lanes_t reach, int k, int v)
{
  const mass_lanes_t before = lanes_of_bits((1u << k) - 1);
#if KERNEL_LANES == 8
  return _mm512_mask_cmp_pd_mask(before, (__m512d)reach, _mm512_set1_pd(v), _CMP_GT_OQ);
#else
  return before & (reach > SPLAT((double)v));
#endif
}

// moments of a degree of freedom, to some lanes
ALWAYS void
add_moments(const double * from, mass_lanes_t to, mass_sum_t * sum)
{
  for (size_t k = 0; k < 9; k++, from += KERNEL_LANES) {
    lanes_t * x = &sum->x[k];
#if KERNEL_LANES == 8
    *x = (lanes_t)_mm512_mask_add_pd((__m512d)*x, to, (__m512d)*x, _mm512_set1_pd(*from));
#else
    *x += (lanes_t)((lanes_int_t)SPLAT(*from) & to);
#endif
  }
}

// where those of number v are
ALWAYS const double *
moments_at(const mass_room_t * room, int v)
{
  return (const double *)(room->sum + v / KERNEL_LANES) + v % KERNEL_LANES;
}

// The axes of bodies that turn, X, Y, Z, and their origins a. With the first moment h and the second
// moments J of a lean body its moments about the origin of the world are
//
//   R h,   R J R^T + a (R h)^T + (R h) a^T = X u^T + u X^T + Y w^T + w Y^T
//   u = J_xx / 2 X + J_xy Y + J_xz Z + h_x a,   w = J_yy / 2 Y + J_yz Z + h_y a
//
// of which the diagonal is halved.
ALWAYS void
own_moments(const mass_axes_t * R, const double * lean, lanes_t * x)
{
  lanes_t c[7];
  for (int k = 0; k < 7; k++) memcpy(&c[k], lean + 8 * k, sizeof *c);
  const V3 X = R->x, Y = R->y;
  const V3 u = KN(axpy)(c[5], R->a, KN(axpy)(c[2], R->z, KN(axpy)(c[1], Y, KN(scale)(c[0], X))));
  const V3 w = KN(axpy)(c[6], R->a, KN(axpy)(c[4], R->z, KN(scale)(c[3], Y)));
  x[0] = X.x * u.x + Y.x * w.x;
  x[1] = (X.x * u.y + X.y * u.x) + (Y.x * w.y + Y.y * w.x);
  x[2] = (X.x * u.z + X.z * u.x) + (Y.x * w.z + Y.z * w.x);
  x[3] = X.y * u.y + Y.y * w.y;
  x[4] = (X.y * u.z + X.z * u.y) + (Y.y * w.z + Y.z * w.y);
  x[5] = X.z * u.z + Y.z * w.z;
  x[6] = c[5] * X.x + c[6] * Y.x;
  x[7] = c[5] * X.y + c[6] * Y.y;
  x[8] = c[5] * X.z + c[6] * Y.z;
}

// what others have more: Z w^T + w Z^T + m a a^T, w = J_zz / 2 Z + h_z a
static void
other_moments(const mass_axes_t * R, const double * lean, lanes_t * x)
{
  lanes_t zz, hz, m;
  memcpy(&zz, lean + 8 * 7, sizeof zz);
  memcpy(&hz, lean + 8 * 8, sizeof hz);
  memcpy(&m, lean + 8 * 9, sizeof m);
  const V3 Z = R->z, a = R->a, w = KN(axpy)(hz, a, KN(scale)(zz, Z)), g = KN(scale)(m, a);
  x[0] += Z.x * w.x + 0.5 * (g.x * a.x);
  x[1] += (Z.x * w.y + Z.y * w.x) + g.x * a.y;
  x[2] += (Z.x * w.z + Z.z * w.x) + g.x * a.z;
  x[3] += Z.y * w.y + 0.5 * (g.y * a.y);
  x[4] += (Z.y * w.z + Z.z * w.y) + g.y * a.z;
  x[5] += Z.z * w.z + 0.5 * (g.z * a.z);
  x[6] += hz * Z.x + g.x;
  x[7] += hz * Z.y + g.y;
  x[8] += hz * Z.z + g.z;
}

// What hangs on the degrees of freedom of a vector: first on other vectors, which come before it.
ALWAYS void
sum_subtrees(
  const mbd_plan_t * plan, const mass_room_t * room, int v, const mbd_plan_branch_t ** branch,
  mass_sum_t * sum)
{
  const int first = plan->free_base ? 6 : 0, end = v + KERNEL_LANES;
  const double * reach = plan->reach + first;
  if (end + first < plan->nv && reach[end - 1] > (double)(end + first)) {
    add_moments(moments_at(room, end), lanes_of_bits(1u << (KERNEL_LANES - 1)), sum);
  }
  for (; (*branch)->parent - first >= v; ++*branch) {
    const int child = (*branch)->child - first, at = (*branch)->parent - first - v;
    if (child >= end) add_moments(moments_at(room, child), lanes_of_bits(1u << at), sum);
  }
  mass_sum_t * to = &room->sum[v / KERNEL_LANES];
  lanes_t ends;
  for (int k = 0; k < 9; k++) to->x[k] = sum->x[k];
  // Numbers are read back from memory, which is free; the compiler would permute registers.
  __asm__("" : "+m"(*to));
  memcpy(&ends, reach + v, sizeof ends);
  for (int k = 1; k < KERNEL_LANES; k++) {
    const mass_lanes_t some = carriers(ends, k, v + first + k);
    if (any_lane(some)) add_moments((const double *)to + k, some, sum);
  }
  for (int k = 0; k < 9; k++) to->x[k] = sum->x[k];
}

// axes, of which some may slide
typedef struct mass_motion {
  V3 e, lin;
} mass_motion_t;

ALWAYS mass_motion_t
motion_of(const mass_axes_t * R, const double * lean, bool slides)
{
  if (!slides) return (mass_motion_t){R->z, KN(cross)(R->a, R->z)};
  lanes_t turns;
  memcpy(&turns, lean + 8 * 11, sizeof turns);
  const V3 e = KN(scale)(turns, R->z), slide = KN(scale)(1.0 - turns, R->z);
  return (mass_motion_t){e, KN(add)(KN(cross)(R->a, e), slide)};
}

// Force and moment of the moments x of subtrees. total: their masses, where something is left of them
ALWAYS void
put_forces(
  const mass_room_t * room, int v, const mass_motion_t * s, const lanes_t * total,
  const lanes_t * x)
{
  const V3 e = s->e, lin = s->lin, h = KN(load)(x + 6), n = KN(cross)(h, lin);
  const V3 twice = KN(add)(e, e);
  V3 f = KN(cross)(e, h);
  if (total) f = KN(axpy)(*total, lin, f);
  const lanes_t force[6] = {
    n.x + (x[3] + x[5]) * twice.x - x[1] * e.y - x[2] * e.z,
    n.y + (x[0] + x[5]) * twice.y - x[1] * e.x - x[4] * e.z,
    n.z + (x[0] + x[3]) * twice.z - x[2] * e.x - x[4] * e.y,
    f.x,
    f.y,
    f.z};
  put_arrays(force, room->stride, room->force + v);
}

// of as many degrees of freedom as there are lanes
ALWAYS void
mass_vector(
  const mbd_kernel_args_t * args, const mass_room_t * room, int v, bool slides,
  const mbd_plan_branch_t ** branch)
{
  const mass_place_t * place = room->place + v;
  const double * lean = lean_at(args, v);
  const mass_axes_t R = {
    place_lanes(&place->axis[0]), place_lanes(&place->axis[1]), place_lanes(&place->axis[2]),
    place_lanes(&place->a)};
  const mass_motion_t s = motion_of(&R, lean, slides);
  const lanes_t axis[6] = {s.e.x, s.e.y, s.e.z, s.lin.x, s.lin.y, s.lin.z};
  mass_sum_t sum;
  lanes_t total;
  put_arrays(axis, room->stride, room->axis + v);
  own_moments(&R, lean, sum.x);
  if (slides) other_moments(&R, lean, sum.x);
  sum_subtrees(args->plan, room, v, branch, &sum);
  memcpy(&total, lean + 8 * 10, sizeof total);
  put_forces(room, v, &s, slides ? &total : NULL, sum.x);
}

// What is left of the branches is a free base's.
ALWAYS const mbd_plan_branch_t *
mass_vectors(const mbd_kernel_args_t * args, const mass_room_t * room)
{
  const mbd_plan_t * plan = args->plan;
  const int n = plan->nv - (plan->free_base ? 6 : 0);
  const int last = (n + KERNEL_LANES - 1) / KERNEL_LANES - 1;
  const mbd_plan_branch_t * branch = plan->branch;
  if (plan->slides) {
    for (int k = last; k >= 0; k--) mass_vector(args, room, k * KERNEL_LANES, true, &branch);
  } else {
    for (int k = last; k >= 0; k--) mass_vector(args, room, k * KERNEL_LANES, false, &branch);
  }
  return branch;
}

//---------- blocks ----------

// axes and forces of all degrees of freedom but those of a free base
typedef struct mass_lists {
  const double *axis, *force;  // as if they began with number 0
  size_t stride;
} mass_lists_t;

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

// sixteen elements; those of degrees of freedom of which none carries the other are zero
ALWAYS void
block_products(const mass_lists_t * lists, const mbd_plan_block_t * block, four_t * row)
{
  products_of(lists->axis + block->column, lists->force + block->row, lists->stride, row);
  if (block->mask == 0xffff) return;
  for (int r = 0; r < 4; r++) row[r] = masked(row[r], lane_masks[block->mask >> 4 * r & 15]);
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

// more zero blocks than this are written faster with all the rest of the matrix, in its order
enum { FEW_ZEROS = 8 };

ALWAYS void
put_zeros(const mbd_plan_block_t * block, size_t nv, double * M)
{
  double *at = M + block->at, *mirror = M + block->mirror;
  for (int k = 0; k < 4; k++, at += nv, mirror += nv) {
    *(four_at_t *)at = *(four_at_t *)mirror = splat(0);
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

// in the order of the plan: below the diagonal, zeros there, and what the diagonal passes through
ALWAYS void
put_blocks(const mbd_plan_t * plan, const mass_lists_t * lists, double * M)
{
  const size_t nv = (size_t)plan->nv, rest = nv - (plan->free_base ? 6 : 0);
  const mbd_plan_block_t *block = plan->block, *below = block + plan->nbelow;
  const mbd_plan_block_t *zeros = below + plan->nzero, *end = block + plan->nblock;
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
  const mass_lists_t * lists, const double * reach, size_t r, size_t c, size_t nv, double * M)
{
  four_t below[4], above[4];
  products_of(lists->axis + c, lists->force + r, lists->stride, below);
  lower_four(reach + c, r, below);
  products_of(lists->force + c, lists->axis + r, lists->stride, above);
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
put_four_rows(const mass_lists_t * lists, const mbd_plan_t * plan, size_t r, double * M)
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
      products_of(lists->axis + c, lists->force + r, lists->stride, row);
      lower_four(reach + c, r, row);
      store_rows_of_four(row, nv, at);
    } else if (c < r + 3) {
      put_crossed(lists, reach, r, c, nv, M);
    } else if (most <= (double)c) {
      store_rows_of_four(zero, nv, at);
    } else {
      products_of(lists->force + c, lists->axis + r, lists->stride, row);
      upper_four(reach + r, c, row);
      store_rows_of_four(row, nv, at);
    }
  }
}

static void
put_unlisted(const mbd_plan_t * plan, const mass_lists_t * lists, double * M)
{
  const size_t nv = (size_t)plan->nv;
  for (size_t r = plan->free_base ? 6 : 0; r < nv; r += 4) {
    put_four_rows(lists, plan, r + 4 <= nv ? r : nv - 4, M);
  }
}

//---------- a free base ----------

// its own rows and columns: m, h and J of all it carries, about its origin
ALWAYS void
put_base_self(double m, const double * J, const double * h, size_t nv, double * M)
{
  const double x = h[0], y = h[1], z = h[2];
  const double xx = 2 * (J[3] + J[5]), yy = 2 * (J[0] + J[5]), zz = 2 * (J[0] + J[3]);
  const four_t left[6] = {{m, 0, 0, 0},   {0, m, 0, -z},     {0, 0, m, y},
                          {0, -z, y, xx}, {z, 0, -x, -J[1]}, {-y, x, 0, -J[2]}};
  const four_t right[6] = {{0, 0, z, -y},         {0, -z, 0, x},          {m, y, -x, 0},
                           {y, xx, -J[1], -J[2]}, {-x, -J[1], yy, -J[4]}, {0, -J[2], -J[4], zz}};
  for (size_t k = 0; k < 6; k++) {
    *(four_at_t *)(M + k * nv) = left[k];
    *(four_at_t *)(M + k * nv + 2) = right[k];
  }
}

// rows and columns with four others from v on
ALWAYS void
put_base_four(const mass_lists_t * lists, size_t v, size_t nv, double * M)
{
  four_t n[4] = {{0}}, f[4] = {{0}}, across[4];
  const double * force = lists->force + v;
  for (size_t k = 0; k < 3; k++) {
    n[k] = *(const four_at_t *)(force + k * lists->stride);
    f[k] = *(const four_at_t *)(force + (k + 3) * lists->stride);
    *(four_at_t *)(M + k * nv + v) = f[k];
    *(four_at_t *)(M + (k + 3) * nv + v) = n[k];
  }
  f[3] = n[0];
  transpose_four(f, across);
  for (size_t k = 0; k < 4; k++) *(four_at_t *)(M + (v + k) * nv) = across[k];
  f[0] = f[2];
  f[1] = n[0], f[2] = n[1], f[3] = n[2];
  transpose_four(f, across);
  for (size_t k = 0; k < 4; k++) *(four_at_t *)(M + (v + k) * nv + 2) = across[k];
}

// fewer than four
static void
put_base_few(const mass_lists_t * lists, size_t v, size_t end, size_t nv, double * M)
{
  for (; v < end; v++) {
    for (size_t k = 0; k < 6; k++) {
      M[v * nv + k] = M[k * nv + v] = lists->force[(k + 3) % 6 * lists->stride + v];
    }
  }
}

static void
put_base(
  const mbd_kernel_args_t * args, const mass_room_t * room, const mass_lists_t * lists,
  const mbd_plan_branch_t * branch, double * M)
{
  const size_t nv = (size_t)args->plan->nv, end = (size_t)args->plan->span[0].end;
  const mbd_lean_inertia_t * base = args->lean;
  const mbd_sym3_t * J = &base->J;
  double x[9] = {0.5 * J->xx, J->xy,     J->xz,     0.5 * J->yy, J->yz,
                 0.5 * J->zz, base->h.x, base->h.y, base->h.z};
  for (; branch->parent >= 0; branch++) {
    const double * from = moments_at(room, branch->child - 6);
    for (size_t k = 0; k < 9; k++) x[k] += from[k * KERNEL_LANES];
  }
  put_base_self(base->total, x, x + 6, nv, M);
  if (end < 10) {
    put_base_few(lists, 6, end, nv, M);
  } else {
    for (size_t v = 6; v < end; v += 4) put_base_four(lists, v + 4 <= end ? v : end - 4, nv, M);
  }
  // other trees
  for (size_t v = end; v < nv; v++) {
    for (size_t k = 0; k < 6; k++) M[v * nv + k] = M[k * nv + v] = 0;
  }
}

static bool
one_mass_matrix(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  const mass_room_t room = mass_room_one(args);
  const size_t nv = (size_t)plan->nv, first = plan->free_base ? 6 : 0;
  const mass_lists_t lists = {room.axis - first, room.force - first, room.stride};
  double * M = args->out;
  if (plan->nbody == 0) return true;
  lean_turns_of(plan, args->q, room.turns);
  mass_places(args, &room);
  const mbd_plan_branch_t * branch = mass_vectors(args, &room);
  if (plan->nzero > FEW_ZEROS) memset(M, 0, nv * nv * sizeof *M);
  if (first) put_base(args, &room, &lists, branch, M);
  if (plan->nv > PLAN_LISTED)
    put_unlisted(plan, &lists, M);
  else
    put_blocks(plan, &lists, M);
  for (size_t k = 0; args->rotor && k < nv; k++) M[k * (nv + 1)] += args->rotor[k];
  return true;
}
