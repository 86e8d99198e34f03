// One frame of one state: only the bodies between its base and itself are looked at. World axes.
// Included by kernel_instance.c after kernel_momentum.h.

// Sines of the joints of a run, to where their numbers are in q, four at once from the last one
// backwards: what comes before does no harm. Numbers of q and v follow each other within a run; a
// free base in front has no sines.
ALWAYS void
run_sines(const mbdi_plan_body_t * b, int last, const double * q, double * sine, double * cosine)
{
  const mbdi_plan_body_t * from = &b[b[last].run];
  const int first = from->q + (from->kind == PLAN_FREE ? 7 : 0);
  for (int end = b[last].q + 1; end > first; end -= 4) {
    const int at = end > 4 ? end - 4 : 0;
    sines_of_four(q + at, sine + at, cosine + at);
  }
}

// The bodies from a base to this one, as runs of bodies that follow each other, each the parent of
// the next: the last one of every run, from the tip on; how many. And the sines of all of them, which
// are waited for, as soon as it is known which.
ALWAYS int
runs_to(
  const mbdi_plan_t * plan, int body, const double * q, int * run, double * sine, double * cosine)
{
  const mbdi_plan_body_t * b = plan->body;
  const bool few = plan->nq < 4;
  if (__builtin_expect(few, 0)) sines(plan->nq, q, sine, cosine);
  int n = 0;
  for (int i = body; i >= 0; i = b[b[i].run].parent) {
    if (__builtin_expect(!few, 1)) run_sines(b, i, q, sine, cosine);
    run[n++] = i;
  }
  return n;
}

// R^T x, R by columns
ALWAYS four_t
along(const four_t * R, four_t x)
{
  return (four_t){dot(R[0], x), dot(R[1], x), dot(R[2], x), 0};
}

// axes of a frame in the world, columns
ALWAYS void
frame_axes(const four_t * R, const mbd_frame_t * frame, four_t * out)
{
  const double * m = frame->X.R.m;
  for (int k = 0; k < 3; k++) {
    out[k] = R[0] * splat(m[k]) + R[1] * splat(m[3 + k]) + R[2] * splat(m[6 + k]);
  }
}

//---------- a body after the other ----------

// a body in the world
typedef struct one_pose {
  four_t axis[3], origin;
} one_pose_t;

// by the axes and the origin of a body in its parent, from there to the body
ALWAYS void
follow(const four_t * x, const four_t * y, const four_t * z, const four_t * d, one_pose_t * w)
{
  const four_t * P = w->axis;
  const four_t new_x = from_parent(P, x), new_y = from_parent(P, y);
  w->origin += from_parent(P, d);
  w->axis[2] = from_parent(P, z);
  w->axis[0] = new_x, w->axis[1] = new_y;
}

ALWAYS void
follow_revolute(const mbdi_plan_body_t * b, double sine, double cosine, one_pose_t * w)
{
  const four_t *T = (const four_t *)b->column, s = splat(sine), c = splat(cosine);
  // in memory, from where numbers come one by one
  const four_t x = c * T[0] + s * T[1], y = c * T[1] - s * T[0];
  follow(&x, &y, &T[2], (const four_t *)b->origin, w);
}

// a joint that is not revolute, behind another
static void
follow_other(const mbdi_plan_body_t * b, const double * q, one_pose_t * w)
{
  one_local_t l;
  locate(b, q, 0, 1, &l);
  follow(&l.axis[0], &l.axis[1], &l.axis[2], &l.origin, w);
}

// how many revolute joints there are from body i to the last one of a run
ALWAYS int
turns_to(const mbdi_plan_t * plan, int i, int last)
{
  const int turns = plan->body[i].turns;
  return turns <= last - i ? turns : last - i + 1;
}

//---------- Jacobian ----------

// what the columns of a joint come from: its axis in the world and its origin; of a free joint the
// x axis, and then the other two
typedef struct one_screw {
  four_t axis, origin;
} one_screw_t;

ALWAYS one_screw_t *
put_screw(int kind, const one_pose_t * w, one_screw_t * out)
{
  if (kind != PLAN_FREE) {
    out[0] = (one_screw_t){w->axis[2], w->origin};
    return out + 1;
  }
  out[0] = (one_screw_t){w->axis[0], w->origin};
  out[1] = (one_screw_t){w->axis[1], w->axis[2]};
  return out + 2;
}

// along a run, from body i on
ALWAYS one_screw_t *
follow_run(
  const mbdi_plan_t * plan, int i, int last, const double * q, const double * sine,
  const double * cosine, one_pose_t * w, one_screw_t * screw)
{
  while (i <= last) {
    const mbdi_plan_body_t *b = &plan->body[i], *end = b + turns_to(plan, i, last);
    const double *s = sine + b->q, *c = cosine + b->q;
    for (; b < end; b++, i++, s++, c++, screw++) {
      follow_revolute(b, *s, *c, w);
      *screw = (one_screw_t){w->axis[2], w->origin};
    }
    if (__builtin_expect(i > last, 1)) break;
    // a copy, so that w stays in registers
    one_pose_t other = *w;
    follow_other(b, q, &other);
    *w = other;
    screw = put_screw(b->kind, w, screw);
    i++;
  }
  return screw;
}

// along all runs to the last body; what columns need of every joint to screw
ALWAYS void
follow_runs(
  const mbdi_kernel_args_t * args, const int * run, int n, const double * sine,
  const double * cosine, one_screw_t * screw, one_pose_t * w)
{
  const mbdi_plan_t * plan = args->plan;
  const double * q = args->q;
  // a base has the world for its parent
  int i = plan->body[run[n - 1]].run;
  const mbdi_plan_body_t * b = &plan->body[i];
  one_local_t l;
  locate(b, q, sine[b->q], cosine[b->q], &l);
  *w = (one_pose_t){{l.axis[0], l.axis[1], l.axis[2]}, l.origin};
  screw = put_screw(b->kind, w, screw);
  i++;
  for (int r = n - 1; r >= 0; r--) {
    screw = follow_run(plan, i, run[r], q, sine, cosine, w, screw);
    if (r > 0) i = plan->body[run[r - 1]].run;
  }
}

// where columns go, and as to what point and axes (NULL: the world's)
typedef struct one_columns {
  size_t nv;
  double * J;
  four_t point;
  const four_t * axes;
} one_columns_t;

// three rows of a column
ALWAYS void
store_rows(four_t x, size_t nv, double * J)
{
  J[0] = x[0], J[nv] = x[1], J[2 * nv] = x[2];
}

// columns of a joint of any kind; zeros of a free joint are left out
static void
joint_columns(const mbdi_plan_body_t * b, const one_screw_t * screw, const one_columns_t * to)
{
  const four_t arm = to->point - screw->origin, *axes = to->axes;
  const size_t nv = to->nv;
  double *ang = to->J + b->v, *lin = ang + 3 * nv;
  if (b->kind == PLAN_PRISMATIC) {
    store_rows(splat(0), nv, ang);
    store_rows(axes ? along(axes, screw->axis) : screw->axis, nv, lin);
    return;
  }
  const four_t axis[3] = {screw[0].axis, screw[1].axis, screw[1].origin};
  for (int k = 0; k < 3; k++, ang++, lin++) {
    const four_t e = axes ? along(axes, axis[k]) : axis[k], arc = cross(axis[k], arm);
    store_rows(e, nv, lin);
    store_rows(e, nv, ang + 3);
    store_rows(axes ? along(axes, arc) : arc, nv, lin + 3);
  }
}

// the first three numbers, or fewer
ALWAYS void
store_some(four_t x, int m, double * to)
{
  if (m == 1) {
    to[0] = x[0];
    return;
  }
  memcpy(to, &x, 2 * sizeof *to);
  if (m == 3) to[2] = x[2];
}

// four vectors as rows: x, y and z of each
ALWAYS void
turn_four(four_t a, four_t b, four_t c, four_t d, four_t * out)
{
  const four_t ab_even = MERGE(a, b, 0, 4, 2, 6), ab_odd = MERGE(a, b, 1, 5, 3, 7);
  const four_t cd_even = MERGE(c, d, 0, 4, 2, 6), cd_odd = MERGE(c, d, 1, 5, 3, 7);
  out[0] = MERGE(ab_even, cd_even, 0, 1, 4, 5);
  out[1] = MERGE(ab_odd, cd_odd, 0, 1, 4, 5);
  out[2] = MERGE(ab_even, cd_even, 2, 3, 6, 7);
}

// numbers of vectors along axes, in lanes
ALWAYS void
lanes_along(const four_t * axes, four_t * x)
{
  const four_t from[3] = {x[0], x[1], x[2]};
  for (int k = 0; k < 3; k++) {
    const double * axis = (const double *)&axes[k];
    x[k] = from[0] * splat(axis[0]) + from[1] * splat(axis[1]) + from[2] * splat(axis[2]);
  }
}

// Columns of m revolute joints that follow each other, one to four: a number of each in the lanes.
// Lanes that are none of theirs become zeros, which what comes later overwrites.
ALWAYS void
four_columns(size_t v, int m, const one_screw_t * s, const one_columns_t * to)
{
  four_t e[3], arm[3], arc[3];
  turn_four(s[0].axis, s[1].axis, s[2].axis, s[3].axis, e);
  turn_four(s[0].origin, s[1].origin, s[2].origin, s[3].origin, arm);
  for (int k = 0; k < 3; k++) arm[k] = splat(to->point[k]) - arm[k];
  for (int k = 0; k < 3; k++) {
    const int y = (k + 1) % 3, z = (k + 2) % 3;
    arc[k] = e[y] * arm[z] - e[z] * arm[y];
  }
  if (m < 4) {
    static const int64_t keep[7] = {-1, -1, -1, 0, 0, 0, 0};
    four_int_t mask;
    memcpy(&mask, keep + 3 - m, sizeof mask);
    for (int k = 0; k < 3; k++) {
      e[k] = (four_t)((four_int_t)e[k] & mask);
      arc[k] = (four_t)((four_int_t)arc[k] & mask);
    }
  }
  if (to->axes) lanes_along(to->axes, e), lanes_along(to->axes, arc);
  double *ang = to->J + v, *lin = ang + 3 * to->nv;
  if (__builtin_expect(v + 4 <= to->nv, 1)) {
    for (int k = 0; k < 3; k++, ang += to->nv) store_four(e[k], ang);
    for (int k = 0; k < 3; k++, lin += to->nv) store_four(arc[k], lin);
    return;
  }
  for (int k = 0; k < 3; k++, ang += to->nv) store_some(e[k], m, ang);
  for (int k = 0; k < 3; k++, lin += to->nv) store_some(arc[k], m, lin);
}

// The columns of a free base, the first of a path. Rows are written with a number too many, a zero
// which what comes later overwrites: but for the very last.
ALWAYS void
base_columns(size_t v, const one_screw_t * screw, const one_columns_t * to)
{
  const four_t arm = to->point - screw->origin;
  const four_t x = splat(arm[0]), y = splat(arm[1]), z = splat(arm[2]);
  four_t e[3];
  turn_four(screw[0].axis, screw[1].axis, screw[1].origin, splat(0), e);
  four_t arc[3] = {e[1] * z - e[2] * y, e[2] * x - e[0] * z, e[0] * y - e[1] * x};
  if (to->axes) lanes_along(to->axes, e), lanes_along(to->axes, arc);
  double *ang = to->J + v, *lin = ang + 3 * to->nv;
  for (int k = 0; k < 3; k++, ang += to->nv) store_four(e[k], ang + 3);
  for (int k = 0; k < 2; k++, lin += to->nv) {
    store_four(e[k], lin);
    store_four(arc[k], lin + 3);
  }
  store_four(e[2], lin);
  store_some(arc[2], 3, lin + 3);
}

// columns of runs of bodies
ALWAYS void
run_columns(
  const mbdi_plan_t * plan, const int * run, int n, const one_screw_t * screw,
  const one_columns_t * to)
{
  for (int r = n - 1; r >= 0; r--) {
    const int last = run[r];
    for (int i = plan->body[last].run; i <= last;) {
      const mbdi_plan_body_t * b = &plan->body[i];
      const size_t v = (size_t)b->v;
      const int turns = turns_to(plan, i, last), m = turns < 4 ? turns : 4;
      if (__builtin_expect(m > 0, 1)) {
        four_columns(v, m, screw, to);
        screw += m, i += m;
        continue;
      }
      if (b->kind == PLAN_FREE && b->parent < 0) {
        base_columns(v, screw, to);
      } else {
        joint_columns(b, screw, to);
      }
      screw += b->kind == PLAN_FREE ? 2 : 1, i++;
    }
  }
}

// the same apart, so that the others have registers
static __attribute__((noinline)) void
columns_local(
  const mbdi_plan_t * plan, const int * run, int n, const one_screw_t * screw,
  const one_columns_t * to)
{
  run_columns(plan, run, n, screw, to);
}

// a call of memset would take longer
ALWAYS void
zero_numbers(double * x, size_t n)
{
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    for (size_t k = 0; k < 16; k += 4) store_four(splat(0), x + i + k);
  }
  for (; i + 4 <= n; i += 4) store_four(splat(0), x + i);
  for (; i < n; i++) x[i] = 0;
}

// out: the matrix
static bool
one_jacobian(
  const mbdi_kernel_args_t * args, const mbd_frame_t * frame, mbd_reference_t reference, int * path)
{
  const mbdi_plan_t * plan = args->plan;
  const int depth = plan->body[frame->body].depth;
  double *sine = args->work, *cosine = sine + PADDED(plan->nq);
  // room for two of each joint, and for the last of them to be read as four
  one_screw_t * screw = (one_screw_t *)(cosine + PADDED(plan->nq));
  const int n = runs_to(plan, frame->body, args->q, path, sine, cosine);
  one_pose_t w;
  follow_runs(args, path, n, sine, cosine, screw, &w);
  if (depth != plan->nv) zero_numbers(args->out, 6 * (size_t)plan->nv);
  one_columns_t to = {(size_t)plan->nv, args->out, splat(0), NULL};
  if (reference != MBD_WORLD) to.point = w.origin + times(w.axis, &frame->X.p.x);
  if (reference == MBD_LOCAL) {
    four_t axes[3];
    frame_axes(w.axis, frame, axes);
    to.axes = axes;
    columns_local(plan, path, n, screw, &to);
    return true;
  }
  run_columns(plan, path, n, screw, &to);
  return true;
}

//---------- Jdot v ----------

// a body on the path: axes and origin, velocity, and acceleration at zero joint acceleration
typedef struct one_tip {
  four_t axis[3], origin, w, v, alpha, a;
} one_tip_t;

// a joint that is not revolute; d: from the last origin
static void
move_tip_other(const mbdi_plan_body_t * b, const double * rate, four_t w, one_tip_t * t)
{
  const four_t * R = t->axis;
  if (b->kind == PLAN_PRISMATIC) {
    const four_t slide = R[2] * splat(rate[0]);
    t->v += slide;
    t->a += cross(w + w, slide);
    return;
  }
  const four_t lin = times(R, rate), ang = times(R, rate + 3);
  t->v += lin;
  t->a += cross(w + w + ang, lin);
  t->w = w + ang;
  t->alpha += cross(w, ang);
}

ALWAYS void
move_tip(const mbdi_plan_body_t * b, const double * v, const one_local_t * l, one_tip_t * t)
{
  const four_t * P = t->axis;
  const four_t w = t->w, d = from_parent(P, &l->origin), arc = cross(w, d);
  const four_t x = from_parent(P, &l->axis[0]), y = from_parent(P, &l->axis[1]);
  const four_t z = from_parent(P, &l->axis[2]);
  t->axis[0] = x, t->axis[1] = y, t->axis[2] = z;
  t->origin += d;
  t->v += arc;
  t->a += YZX(cross_turned(t->alpha, d) + cross_turned(w, arc));
  if (__builtin_expect(b->kind == PLAN_REVOLUTE, 1)) {
    const four_t turn = z * splat(v[b->v]);
    t->w = w + turn;
    t->alpha += cross(w, turn);
    return;
  }
  move_tip_other(b, v + b->v, w, t);
}

// out: mbd_motion_t
static bool
one_jacobian_bias(
  const mbdi_kernel_args_t * args, const mbd_frame_t * frame, mbd_reference_t reference, int * path)
{
  const mbdi_plan_t * plan = args->plan;
  const double * q = args->q;
  double *sine = args->work, *cosine = sine + PADDED(plan->nq);
  const int n = runs_to(plan, frame->body, q, path, sine, cosine);
  one_tip_t t;
  world_axes(t.axis);
  t.origin = t.w = t.v = t.alpha = t.a = splat(0);
  for (int r = n - 1; r >= 0; r--) {
    const mbdi_plan_body_t *last = &plan->body[path[r]], *b = &plan->body[last->run];
    for (; b <= last; b++) {
      one_local_t l;
      locate(b, q, sine[b->q], cosine[b->q], &l);
      move_tip(b, args->v, &l, &t);
    }
  }

  const four_t arm = times(t.axis, &frame->X.p.x), arc = cross(t.w, arm);
  four_t alpha = t.alpha, a = t.a + cross(alpha, arm) + cross(t.w, arc);
  if (reference != MBD_LOCAL_WORLD_ALIGNED) a -= cross(t.w, t.v + arc);
  if (reference == MBD_WORLD) a -= cross(alpha, t.origin + arm);
  if (reference == MBD_LOCAL) {
    four_t axes[3];
    frame_axes(t.axis, frame, axes);
    alpha = along(axes, alpha), a = along(axes, a);
  }
  *(mbd_motion_t *)args->out = (mbd_motion_t){{alpha[0], alpha[1], alpha[2]}, {a[0], a[1], a[2]}};
  return true;
}
