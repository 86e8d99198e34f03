// Operational-space compliances of one state. Included by kernel_instance.c after
// kernel_articulated.h.
//
// Six unit wrenches at a frame go down its path side by side: what each joint takes up of them is a
// row of the frame's factor E, divided by the root of D, and what it lets through goes on. Then
// J_a M^-1 J_b^T = E_a^T E_b, a sum over the joints that carry both frames (7.18).
//
// A factor has eight numbers for each degree of freedom, six of which count.

// articulated bodies of all, left in args->work
static bool
one_articulate(const mbdi_kernel_args_t * args)
{
  const one_tree_t tree = tree_of(args);
  hinges_outward(args, &tree);
  return hinges_inward(args, &tree);
}

// vectors that eight numbers are in
#define PARTS (8 / KERNEL_LANES)

// six wrenches side by side: moments first
typedef struct wrenches {
  lanes_t x[6][PARTS];
} wrenches_t;

ALWAYS void
eight_of(four_t low, four_t high, lanes_t * out)
{
#if KERNEL_LANES == 8
  out[0] = (lanes_t)_mm512_insertf64x4(_mm512_castpd256_pd512((__m256d)low), (__m256d)high, 1);
#else
  out[0] = low, out[1] = high;
#endif
}

ALWAYS four_t
half_of(const lanes_t * x, int half)
{
#if KERNEL_LANES == 8
  if (half == 0) return (four_t)_mm512_castpd512_pd256((__m512d)x[0]);
  return (four_t)_mm512_extractf64x4_pd((__m512d)x[0], 1);
#else
  return x[half];
#endif
}

// axes and point of a reference, in world axes from the body's origin
ALWAYS void
reference_axes(
  const mbdi_plan_t * plan, const one_hinge_t * body, const mbd_frame_t * frame,
  mbd_reference_t reference, four_t * axes, four_t * point)
{
  const one_hinge_t * o = &body[frame->body];
  axes[0] = (four_t){1, 0, 0, 0};
  axes[1] = (four_t){0, 1, 0, 0};
  axes[2] = (four_t){0, 0, 1, 0};
  *point = times(o->R, &frame->X.p.x);
  if (reference == MBD_LOCAL) {
    const double * m = frame->X.R.m;
    for (int k = 0; k < 3; k++) {
      axes[k] = o->R[0] * splat(m[k]) + o->R[1] * splat(m[3 + k]) + o->R[2] * splat(m[6 + k]);
    }
  } else if (reference == MBD_WORLD) {
    *point = (four_t){0};
    for (int i = frame->body; i >= 0; i = plan->body[i].parent) *point -= body[i].d;
  }
}

// forces along the axes' three directions come after moments about them
ALWAYS wrenches_t
unit_wrenches(const four_t * axes, four_t point)
{
  const four_t zero = {0};
  const four_t moment[3] = {cross(point, axes[0]), cross(point, axes[1]), cross(point, axes[2])};
  const four_t column[4][4] = {
    {axes[0], axes[1], axes[2], moment[0]},
    {moment[1], moment[2], zero, zero},
    {zero, zero, zero, axes[0]},
    {axes[1], axes[2], zero, zero}};
  four_t row[4][4];
  wrenches_t z;
  for (int k = 0; k < 4; k++) transpose_four(column[k], row[k]);
  for (int k = 0; k < 3; k++) {
    eight_of(row[0][k], row[1][k], z.x[k]);
    eight_of(row[2][k], row[3][k], z.x[k + 3]);
  }
  return z;
}

// a joint of one degree of freedom takes its part, and the rest goes on to the parent's origin
ALWAYS void
pass_hinge(int32_t kind, const one_hinge_t * o, wrenches_t * z, double * E)
{
  const double *e = (const double *)&o->R[2], *d = (const double *)&o->d;
  const double *W_a = (const double *)&o->W_a, *W_l = (const double *)&o->W_l;
  const double root = sqrt(o->inverse_D[0]);
  const int first = kind == PLAN_REVOLUTE ? 0 : 3;
  for (int h = 0; h < PARTS; h++) {
    const lanes_t n[3] = {z->x[0][h], z->x[1][h], z->x[2][h]};
    const lanes_t f[3] = {z->x[3][h], z->x[4][h], z->x[5][h]};
    const lanes_t x = e[0] * z->x[first][h] + e[1] * z->x[first + 1][h] + e[2] * z->x[first + 2][h];
    *(wide_at_t *)(E + KERNEL_LANES * h) = root * x;
    z->x[0][h] = n[0] + d[1] * f[2] - d[2] * f[1] - W_a[0] * x;
    z->x[1][h] = n[1] + d[2] * f[0] - d[0] * f[2] - W_a[1] * x;
    z->x[2][h] = n[2] + d[0] * f[1] - d[1] * f[0] - W_a[2] * x;
    for (int k = 0; k < 3; k++) z->x[3 + k][h] = f[k] - W_l[k] * x;
  }
}

// a free joint takes everything
ALWAYS void
pass_free(const one_free_t * p, wrenches_t * z, double * E)
{
  for (int h = 0; h < PARTS; h++) {
    for (int r = 0; r < 6; r++) {
      lanes_t sum = p->T[r][0] * z->x[0][h];
      for (int k = 1; k <= r; k++) sum += p->T[r][k] * z->x[k][h];
      *(wide_at_t *)(E + 8 * r + KERNEL_LANES * h) = sum;
    }
    for (int r = 0; r < 6; r++) z->x[r][h] = (lanes_t){0};
  }
}

// A chain of thousands of bodies leaves next to nothing of a wrench: numbers so small that every sum of
// them takes the processor a hundred times as long. They are zero then.
ALWAYS void
forget_small(wrenches_t * z)
{
  const double * x = (const double *)z;
  double most = 0;
  for (int k = 0; k < 48; k++) most = fmax(most, fabs(x[k]));
  if (most > 1e-150) return;
  for (int k = 0; k < 6; k++) {
    for (int h = 0; h < PARTS; h++) z->x[k][h] = (lanes_t){0};
  }
}

// factor of a frame that a body carries, after one_articulate; returns how far it is from the base,
// along the bodies
static double
one_factor(
  const mbdi_kernel_args_t * args, const mbd_frame_t * frame, mbd_reference_t reference, double * E)
{
  const mbdi_plan_t * plan = args->plan;
  const one_tree_t tree = tree_of(args);
  const one_hinge_t * body = tree.body;
  four_t axes[3], point;
  reference_axes(plan, body, frame, reference, axes, &point);
  double length = sqrt(dot(point, point));
  wrenches_t z = unit_wrenches(axes, point);
  int passed = 0;
  for (int i = frame->body; i >= 0; i = plan->body[i].parent) {
    if (++passed % 64 == 0) forget_small(&z);
    const mbdi_plan_body_t * b = &plan->body[i];
    double * row = E + 8 * b->v;
    length += sqrt(dot(body[i].d, body[i].d));
    if (b->kind == PLAN_REVOLUTE)
      pass_hinge(PLAN_REVOLUTE, &body[i], &z, row);
    else if (b->kind == PLAN_PRISMATIC)
      pass_hinge(PLAN_PRISMATIC, &body[i], &z, row);
    else
      pass_free(&tree.free[i], &z, row);
  }
  return length;
}

// C = E_a^T E_b (6 x 6), in rows of `stride` numbers, over the joints of a body and of what carries it
static void
one_factor_product(
  const mbdi_plan_t * plan, int body, const double * E_a, const double * E_b, int stride,
  double * C)
{
  lanes_t sum[6][PARTS] = {{{0}}};
  for (int i = body; i >= 0; i = plan->body[i].parent) {
    const size_t v = (size_t)plan->body[i].v, last = v + (size_t)plan->span[i].nv;
    for (size_t k = 8 * v; k < 8 * last; k += 8) {
      for (size_t h = 0; h < PARTS; h++) {
        const lanes_t part = *(const wide_at_t *)(E_b + k + h * KERNEL_LANES);
        for (size_t r = 0; r < 6; r++) sum[r][h] += E_a[k + r] * part;
      }
    }
  }
  for (int r = 0; r < 6; r++, C += stride) {
    const four_t high = half_of(sum[r], 1);
    *(four_at_t *)C = half_of(sum[r], 0);
    C[4] = high[0], C[5] = high[1];
  }
}
