// One frame of one state: only the bodies between its base and itself are looked at. World axes.
// Included by kernel_instance.c after kernel_motion.h.

// bodies from a base to this one, into path; how many
ALWAYS int
path_to(const mbd_plan_t * plan, int body, int * path)
{
  int n = 0;
  for (int i = body; i >= 0; i = plan->body[i].parent) n++;
  for (int i = body, k = n - 1; k >= 0; k--, i = plan->body[i].parent) path[k] = i;
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

ALWAYS void
store_column(four_t ang, four_t lin, size_t nv, double * J)
{
  J[0] = ang[0], J[nv] = ang[1], J[2 * nv] = ang[2];
  J[3 * nv] = lin[0], J[4 * nv] = lin[1], J[5 * nv] = lin[2];
}

// columns of a joint; frame: axes to write them in, or NULL for the world's
ALWAYS void
joint_columns(
  const mbd_plan_body_t * b, const one_world_t * o, four_t point, const four_t * axes, size_t nv,
  double * J)
{
  const four_t zero = splat(0), arm = point - o->origin;
  double * column = J + b->v;
  if (__builtin_expect(b->kind == PLAN_REVOLUTE, 1)) {
    const four_t ang = o->axis[2], lin = cross(ang, arm);
    store_column(axes ? along(axes, ang) : ang, axes ? along(axes, lin) : lin, nv, column);
  } else if (b->kind == PLAN_PRISMATIC) {
    const four_t lin = o->axis[2];
    store_column(zero, axes ? along(axes, lin) : lin, nv, column);
  } else {
    for (int k = 0; k < 3; k++) {
      const four_t e = o->axis[k], lin = cross(e, arm);
      store_column(zero, axes ? along(axes, e) : e, nv, column + k);
      store_column(axes ? along(axes, e) : e, axes ? along(axes, lin) : lin, nv, column + 3 + k);
    }
  }
}

// out: the matrix, zero where it is not written
static bool
one_jacobian(
  const mbd_kernel_args_t * args, const mbd_frame_t * frame, mbd_reference_t reference, int * path)
{
  const mbd_plan_t * plan = args->plan;
  const int n = path_to(plan, frame->body, path);
  one_local_t * local = args->work;
  one_world_t * world = (one_world_t *)(local + n);
  locate_all(plan, path, n, args->q, (double *)(world + n), local);
  four_t P[3], p = {0};
  world_axes(P);
  for (int k = 0; k < n; k++) {
    const one_local_t * l = &local[k];
    const four_t x = from_parent(P, &l->axis[0]), y = from_parent(P, &l->axis[1]);
    const four_t z = from_parent(P, &l->axis[2]);
    p += from_parent(P, &l->origin);
    P[0] = x, P[1] = y, P[2] = z;
    world[k].axis[0] = x, world[k].axis[1] = y, world[k].axis[2] = z, world[k].origin = p;
  }
  const size_t nv = (size_t)plan->nv;
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
