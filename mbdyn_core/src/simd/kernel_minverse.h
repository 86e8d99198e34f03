// The inverse of the mass matrix of one state. Included by kernel_instance.c after
// kernel_articulated.h.
//
// Every column is the acceleration that a unit torque on one joint causes: forward dynamics without
// velocities, with as many unit torques side by side as fit into vectors. Such a block of columns goes
// from its joints to the bases and back with everything in registers, and its numbers are in the
// cache until both triangles of the matrix are written. Only rows up to its own columns are
// computed, as the matrix is symmetric.
//
// Blocks follow each other from the last column on, so that the first may begin in front of the matrix.
// Torques there never begin, and lanes without a torque stay zero.

// columns in a block of so many vectors
#define COLUMNS(vectors) ((vectors)*KERNEL_LANES)

// of the columns of a block: moments or angular accelerations first; one or both of the vectors count,
// which is the first argument of what follows
typedef struct motions {
  lanes_t x[6][2];
} motions_t;

// a block
typedef struct inverse_block {
  int first, end;    // columns
  int bodies;        // those that the columns or torques before them move
  double * row;      // of every degree of freedom, COLUMNS numbers each
  motions_t * slot;  // of accelerations, as in the plan
} inverse_block_t;

#define EACH for (int h = 0; h < vectors; h++)

ALWAYS lanes_t
lanes_below(lanes_t x, int k)
{
  const int64_t * from = low_lanes + KERNEL_LANES - (k < 0 ? 0 : at_most(k, KERNEL_LANES));
  return (lanes_t)((lanes_int_t)x & *(const wide_int_at_t *)from);
}

// y += a x b
ALWAYS void
add_cross(int vectors, const double * a, lanes_t (*b)[2], lanes_t (*y)[2])
{
  EACH y[1][h] -= a[0] * b[2][h];
  EACH y[2][h] += a[0] * b[1][h];
  EACH y[2][h] -= a[1] * b[0][h];
  EACH y[0][h] += a[1] * b[2][h];
  EACH y[0][h] -= a[2] * b[1][h];
  EACH y[1][h] += a[2] * b[0][h];
}

// y -= a x b
ALWAYS void
subtract_cross(int vectors, const double * a, lanes_t (*b)[2], lanes_t (*y)[2])
{
  EACH y[1][h] += a[0] * b[2][h];
  EACH y[2][h] -= a[0] * b[1][h];
  EACH y[2][h] += a[1] * b[0][h];
  EACH y[0][h] -= a[1] * b[2][h];
  EACH y[0][h] += a[2] * b[1][h];
  EACH y[1][h] -= a[2] * b[0][h];
}

ALWAYS void
add_times(int vectors, const double * a, const lanes_t * x, lanes_t (*y)[2])
{
  for (int k = 0; k < 3; k++) EACH y[k][h] += a[k] * x[h];
}

// x -= a . y
ALWAYS void
subtract_product(int vectors, const double * a, lanes_t (*y)[2], lanes_t * x)
{
  for (int k = 0; k < 3; k++) EACH x[h] -= a[k] * y[k][h];
}

//---------- tips to bases ----------

// What is left of the torques at a joint goes into its row, over D; what it lets through goes on to the
// parent (7.27). Lanes from `inside` on are not in the subtree; own: lane of the joint's own torque.
ALWAYS void
inward(
  int vectors, int32_t kind, const one_hinge_t * o, int inside, int own, motions_t * z,
  double * row)
{
  const double *e = (const double *)&o->R[2], *d = (const double *)&o->d;
  lanes_t x[2] = {{0}, {0}};
  if (own >= 0) EACH x[h] = unit_lane(own - h * KERNEL_LANES);
  subtract_product(vectors, e, kind == PLAN_REVOLUTE ? z->x : z->x + 3, x);
  if (__builtin_expect(inside < COLUMNS(vectors), 0)) {
    lanes_t f[3][2];
    EACH x[h] = lanes_below(x[h], inside - h * KERNEL_LANES);
    for (int k = 0; k < 3; k++)
      EACH f[k][h] = lanes_below(z->x[3 + k][h], inside - h * KERNEL_LANES);
    add_cross(vectors, d, f, z->x);
  } else {
    add_cross(vectors, d, z->x + 3, z->x);
  }
  // W is at the parent's origin already
  add_times(vectors, (const double *)&o->W_a, x, z->x);
  add_times(vectors, (const double *)&o->W_l, x, z->x + 3);
  EACH((lanes_t *)row)[h] = x[h] * o->inverse_D[0];
}

// torques of a free joint's own that are in these lanes, with their wrenches about a point at r
ALWAYS void
add_own(const one_hinge_t * o, four_t r, double sign, int own, lanes_t * z)
{
  for (int c = 0; c < 3; c++) {
    const lanes_t force = sign * unit_lane(own + c), moment = sign * unit_lane(own + 3 + c);
    const four_t about = cross(r, o->R[c]);
    for (int k = 0; k < 3; k++) {
      z[k] += about[k] * force + o->R[c][k] * moment;
      z[k + 3] += o->R[c][k] * force;
    }
  }
}

// A free joint's acceleration does not depend on what it hangs on: it goes into its six rows, in world
// axes, angular first. Of the torques within only its own reach the parent. One vector h.
static void
inward_free(
  const one_hinge_t * o, const one_free_t * p, int inside, int own, size_t stride, int h,
  motions_t * z, double * row)
{
  lanes_t in[6], y[6], out[6];
  for (int k = 0; k < 6; k++) {
    in[k] = lanes_below(z->x[k][h], inside);
    out[k] = z->x[k][h] - in[k];
  }
  const bool here = own > -6 && own < KERNEL_LANES;
  if (here) add_own(o, splat(0), -1, own, in);
  for (int r = 0; r < 6; r++) {
    y[r] = p->T[r][0] * in[0];
    for (int k = 1; k <= r; k++) y[r] += p->T[r][k] * in[k];
  }
  for (int r = 0; r < 6; r++) {
    lanes_t x = -p->T[5][r] * y[5];
    for (int k = r; k < 5; k++) x -= p->T[k][r] * y[k];
    *(lanes_t *)(row + (size_t)r * stride) = x;
  }
  if (here) add_own(o, o->d, 1, own, out);
  for (int k = 0; k < 6; k++) z->x[k][h] = out[k];
}

ALWAYS void
block_inward(
  int vectors, const mbdi_plan_t * plan, const one_tree_t * tree, const inverse_block_t * block)
{
  const size_t stride = (size_t)COLUMNS(vectors);
  motions_t z = {0};
  for (int i = block->bodies - 1; i >= 0; i--) {
    const mbdi_plan_body_t * b = &plan->body[i];
    const one_hinge_t * o = &tree->body[i];
    const int inside = plan->span[i].end - block->first, own = b->v - block->first;
    double * row = block->row + (size_t)b->v * stride;
    if (b->kind == PLAN_FREE) {
      // a copy, as what a function gets the address of does not stay in registers
      motions_t copy = z;
      for (int h = 0; h < vectors; h++) {
        const int lane = h * KERNEL_LANES;
        inward_free(o, &tree->free[i], inside - lane, own - lane, stride, h, &copy, row + lane);
      }
      z = copy;
    } else if (inside <= 0) {
      EACH((lanes_t *)row)[h] = (lanes_t){0};
    } else if (b->kind == PLAN_REVOLUTE) {
      inward(vectors, PLAN_REVOLUTE, o, inside, own, &z, row);
    } else {
      inward(vectors, PLAN_PRISMATIC, o, inside, own, &z, row);
    }
  }
}

//---------- bases to tips ----------

// accelerations of a joint and of its body from that of its parent (7.38); rows above the columns of the
// block go into the matrix too
ALWAYS void
outward(int vectors, int32_t kind, const one_hinge_t * o, motions_t * A, double * row, double * out)
{
  const double *e = (const double *)&o->R[2], *d = (const double *)&o->d;
  lanes_t x[2], y[2] = {{0}, {0}};
  EACH x[h] = ((const lanes_t *)row)[h];
  subtract_product(vectors, (const double *)&o->W_a, A->x, x);
  subtract_product(vectors, (const double *)&o->W_l, A->x + 3, y);
  EACH x[h] += y[h];
  // a + alpha x d
  subtract_cross(vectors, d, A->x, A->x + 3);
  add_times(vectors, e, x, kind == PLAN_REVOLUTE ? A->x : A->x + 3);
  EACH((lanes_t *)row)[h] = x[h];
  if (out) EACH((wide_at_t *)out)[h] = x[h];
}

static void
outward_free(int vectors, const one_hinge_t * o, motions_t * A, double * row)
{
  const size_t stride = (size_t)COLUMNS(vectors);
  lanes_t relative[6][2], turned[6][2] = {{{0}}};
  subtract_cross(vectors, (const double *)&o->d, A->x, A->x + 3);
  for (size_t k = 0; k < 6; k++) {
    EACH relative[k][h] = A->x[k][h];
    EACH A->x[k][h] = ((const lanes_t *)(row + k * stride))[h];
    EACH relative[k][h] -= A->x[k][h];
  }
  for (size_t c = 0; c < 3; c++) {
    const double * e = (const double *)&o->R[c];
    subtract_product(vectors, e, relative + 3, turned[c]);
    subtract_product(vectors, e, relative, turned[c + 3]);
  }
  for (size_t k = 0; k < 6; k++) EACH((lanes_t *)(row + k * stride))[h] = turned[k][h];
}

// rows of a free joint that are above the columns of the block, or of a body that these do not move
static void
put_rows(const inverse_block_t * block, int width, int v, int last, size_t nv, double * M)
{
  for (; v < last && v < block->first; v++) {
    const double * row = block->row + v * width;
    double * out = M + (size_t)v * nv + (size_t)block->first;
    for (int k = 0; k < width; k += 4) *(four_at_t *)(out + k) = *(const four_at_t *)(row + k);
  }
}

// The last body's acceleration stays in registers. It is kept where others than the next one hang on it.
ALWAYS void
block_outward(
  int vectors, const mbdi_plan_t * plan, const one_tree_t * tree, const inverse_block_t * block,
  double * M)
{
  const size_t width = (size_t)COLUMNS(vectors), nv = (size_t)plan->nv;
  motions_t A = {0};
  for (int i = 0; i < block->bodies; i++) {
    const mbdi_plan_body_t * b = &plan->body[i];
    const mbdi_plan_span_t * span = &plan->span[i];
    double * row = block->row + (size_t)b->v * width;
    double * out = b->v < block->first ? M + (size_t)b->v * nv + (size_t)block->first : NULL;
    if (b->parent < 0)
      A = (motions_t){0};
    else if (b->parent != i - 1)
      for (int k = 0; k < 6; k++) EACH A.x[k][h] = block->slot[span->from].x[k][h];
    // of another tree: rows of zeros are there already
    const bool other = span->tree_end <= block->first;
    if (other || b->kind == PLAN_FREE) {
      motions_t copy = A;
      if (!other) outward_free(vectors, &tree->body[i], &copy, row);
      put_rows(block, (int)width, b->v, b->v + span->nv, nv, M);
      A = copy;
    } else if (b->kind == PLAN_REVOLUTE) {
      outward(vectors, PLAN_REVOLUTE, &tree->body[i], &A, row, out);
    } else {
      outward(vectors, PLAN_PRISMATIC, &tree->body[i], &A, row, out);
    }
    if (span->leaf || span[1].slot == span->slot) continue;
    for (int k = 0; k < 6; k++) EACH block->slot[span->slot].x[k][h] = A.x[k][h];
  }
}

//---------- the whole ----------

// rows above the columns of a block are in the matrix already: their image below the diagonal
ALWAYS void
put_image(int width, const inverse_block_t * block, size_t nv, double * M)
{
  const int rows = block->first;
  double * image = M + (size_t)block->first * nv;
  if (rows < 4) {
    for (int k = 0; k < rows * width; k++) {
      image[(size_t)(k % width) * nv + (size_t)(k / width)] = block->row[k];
    }
    return;
  }
  for (int i = 0; i < rows; i += 4) {
    const int r = at_most(i, rows - 4);
    for (int j = 0; j < width; j += 4) {
      const double * from = block->row + r * width + j;
      double * at = image + (size_t)j * nv + (size_t)r;
      four_t row[4], column[4];
      for (int k = 0; k < 4; k++) row[k] = *(const four_at_t *)(from + k * width);
      transpose_four(row, column);
      for (size_t k = 0; k < 4; k++) *(four_at_t *)(at + k * nv) = column[k];
    }
  }
}

// columns of the block that are in the matrix, in the rows of the same
ALWAYS void
put_middle(int width, const inverse_block_t * block, size_t nv, double * M)
{
  const int first = block->first < 0 ? 0 : block->first, n = block->end - first;
  const double * from = block->row + first * width + (first - block->first);
  if (n == width)
    put_symmetric(width, width, from, (int)nv, M + (size_t)first * (nv + 1));
  else
    put_symmetric(n, width, from, (int)nv, M + (size_t)first * (nv + 1));
}

ALWAYS void
inverse_columns(int vectors, const mbdi_plan_t * plan, const one_tree_t * tree, double * M)
{
  const int width = COLUMNS(vectors), nv = plan->nv;
  double * rows = (double *)(((uintptr_t)tree->rest + 63) & ~(uintptr_t)63);
  inverse_block_t block = {
    .bodies = plan->nbody, .row = rows, .slot = (motions_t *)(rows + (size_t)((nv + 8) * width))};
  for (block.end = nv; block.end > 0; block.end -= width) {
    block.first = block.end - width;
    while (plan->body[block.bodies - 1].v >= block.end) block.bodies--;
    block_inward(vectors, plan, tree, &block);
    block_outward(vectors, plan, tree, &block, M);
    put_image(width, &block, (size_t)nv, M);
    put_middle(width, &block, (size_t)nv, M);
  }
}

static bool
one_mass_inverse(const mbdi_kernel_args_t * args)
{
  const one_tree_t tree = tree_of(args);
  hinges_outward(args, &tree);
  if (!hinges_inward(args, &tree)) return false;
  if (args->plan->nv <= 24)
    inverse_columns(1, args->plan, &tree, args->out);
  else
    inverse_columns(2, args->plan, &tree, args->out);
  return true;
}
