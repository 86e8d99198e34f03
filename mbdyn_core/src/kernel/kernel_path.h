// One frame of one state: only the bodies between its base and itself are looked at. World axes.
// Included by kernel_instance.c after kernel_motion.h.

// bodies from a base to this one, into path; how many
ALWAYS int
path_to(const mbd_plan_t * plan, int body, int * path)
{
  const mbd_plan_body_t * b = plan->body;
  const int n = b[body].depth;
  path[n - 1] = body;
  for (int i = body, k = n - 1, first = b[i].run; k > 0; k--) {
    // parents are one before as long as the run lasts: nothing to wait for
    if (i > first) {
      i--;
    } else {
      i = b[i].parent;
      first = b[i].run;
    }
    path[k - 1] = i;
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

//---------- Jacobian ----------

// a body in the world
typedef struct one_world {
  four_t axis[3], origin;
} one_world_t;

// three rows of a column
ALWAYS void
store_rows(four_t x, size_t nv, double * J)
{
  J[0] = x[0], J[nv] = x[1], J[2 * nv] = x[2];
}

// columns of a joint, zeros left out; axes: to write them in, or NULL for the world's
ALWAYS void
joint_columns(
  const mbd_plan_body_t * b, const one_world_t * o, four_t point, const four_t * axes, size_t nv,
  double * J)
{
  const four_t arm = point - o->origin;
  double *ang = J + b->v, *lin = ang + 3 * nv;
  if (__builtin_expect(b->kind == PLAN_REVOLUTE, 1)) {
    const four_t e = o->axis[2], arc = cross(e, arm);
    store_rows(axes ? along(axes, e) : e, nv, ang);
    store_rows(axes ? along(axes, arc) : arc, nv, lin);
    return;
  }
  for (int k = b->kind == PLAN_FREE ? 0 : 2; k < 3; k++, ang++, lin++) {
    const four_t e = axes ? along(axes, o->axis[k]) : o->axis[k];
    store_rows(e, nv, lin);
    if (b->kind == PLAN_PRISMATIC) return;
    const four_t arc = cross(o->axis[k], arm);
    store_rows(e, nv, ang + 3);
    store_rows(axes ? along(axes, arc) : arc, nv, lin + 3);
  }
}

// a call of memset would take longer
ALWAYS void
zero_numbers(double * x, size_t n)
{
  const four_t zero = splat(0);
  size_t i = 0;
  for (; i + 4 <= n; i += 4) memcpy(x + i, &zero, sizeof zero);
  for (; i < n; i++) x[i] = 0;
}

// out: the matrix
static bool
one_jacobian(
  const mbd_kernel_args_t * args, const mbd_frame_t * frame, mbd_reference_t reference, int * path)
{
  const mbd_plan_t * plan = args->plan;
  const int n = path_to(plan, frame->body, path);
  one_local_t * local = args->work;
  one_world_t * world = (one_world_t *)(local + n);
  locate_all(plan, path, n, args->q, (double *)(world + n), local);
  four_t P[3] = {local[0].axis[0], local[0].axis[1], local[0].axis[2]}, p = local[0].origin;
  world[0].axis[0] = P[0], world[0].axis[1] = P[1], world[0].axis[2] = P[2], world[0].origin = p;
  for (int k = 1; k < n; k++) {
    const one_local_t * l = &local[k];
    const four_t x = from_parent(P, &l->axis[0]), y = from_parent(P, &l->axis[1]);
    const four_t z = from_parent(P, &l->axis[2]);
    p += from_parent(P, &l->origin);
    P[0] = x, P[1] = y, P[2] = z;
    world[k].axis[0] = x, world[k].axis[1] = y, world[k].axis[2] = z, world[k].origin = p;
  }
  const size_t nv = (size_t)plan->nv;
  zero_numbers(args->out, 6 * nv);
  const four_t point = reference == MBD_WORLD ? splat(0) : p + times(P, &frame->X.p.x);
  if (reference == MBD_LOCAL) {
    four_t axes[3];
    frame_axes(P, frame, axes);
    for (int k = 0; k < n; k++) {
      joint_columns(&plan->body[path[k]], &world[k], point, axes, nv, args->out);
    }
    return true;
  }
  for (int k = 0; k < n; k++) {
    joint_columns(&plan->body[path[k]], &world[k], point, NULL, nv, args->out);
  }
  return true;
}

//---------- Jdot v ----------

// a body on the path: axes and origin, velocity, and acceleration at zero joint acceleration
typedef struct one_tip {
  four_t axis[3], origin, w, v, alpha, a;
} one_tip_t;

// a joint that is not revolute; d: from the last origin
static void
move_tip_other(const mbd_plan_body_t * b, const double * rate, four_t w, one_tip_t * t)
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
move_tip(const mbd_plan_body_t * b, const double * v, const one_local_t * l, one_tip_t * t)
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
  const mbd_kernel_args_t * args, const mbd_frame_t * frame, mbd_reference_t reference, int * path)
{
  const mbd_plan_t * plan = args->plan;
  const int n = path_to(plan, frame->body, path);
  one_local_t * local = args->work;
  locate_all(plan, path, n, args->q, (double *)(local + n), local);
  one_tip_t t;
  world_axes(t.axis);
  t.origin = t.w = t.v = t.alpha = t.a = splat(0);
  for (int k = 0; k < n; k++) move_tip(&plan->body[path[k]], args->v, &local[k], &t);

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
