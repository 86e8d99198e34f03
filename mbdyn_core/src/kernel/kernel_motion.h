// Inverse dynamics, gravity and momentum of one state, in world axes. Included by kernel_instance.c
// after kernel_place.h.
//
// What moves is not angular velocity and acceleration but the three axes of a body: R is the
// matrix of axes, R' and R'' its rates. With P of the parent and L of the child in the parent,
//
//   R = P L,   R' = P' L + P L',   R'' = P'' L + 2 P' L' + P L''
//
// which are products by the numbers of L alone; then a place r of the body has the acceleration
// a + R'' r, and with the second moments J of the body (the integral of r r^T)
//
//   f = m a + R'' h          n = sum_j R_j x (R'' J_j + h_j a)
//
// so that shuffles are few, and a body waits for its parent for three products and a sum. Moments
// are kept with their lanes turned, as cross_turned leaves them.
//
// body[-1] is the world, so that forces have somewhere to go to from every base.

#define ZXY(v) SHUFFLE(v, 2, 0, 1, 3)

typedef struct one_moving {
  four_t axis[3];  // R
  four_t rate[3];  // R'' (inverse dynamics) or R' (momentum)
  four_t w, a;     // angular velocity; acceleration or velocity of the origin
  four_t d;        // from the parent's origin, or from the world's (momentum)
  four_t f, n;     // force and turned moment at the origin
} one_moving_t;

typedef struct one_motion_work {
  one_local_t * local;
  one_moving_t * body;
} one_motion_work_t;

// bodies in their parents, and room for what follows
ALWAYS one_motion_work_t
motion_begin(const mbd_kernel_args_t * args)
{
  const int n = args->plan->nbody;
  one_local_t * local = args->work;
  one_moving_t * body = (one_moving_t *)(local + n) + 1;
  locate_all(args->plan, NULL, n, args->q, (double *)(body + n), local);
  world_axes(body[-1].axis);
  return (one_motion_work_t){local, body};
}

// columns of M tilde(w), w three numbers
ALWAYS void
spin(const four_t * M, const double * w, four_t * out)
{
  out[0] = M[1] * splat(w[2]) - M[2] * splat(w[1]);
  out[1] = M[2] * splat(w[0]) - M[0] * splat(w[2]);
  out[2] = M[0] * splat(w[1]) - M[1] * splat(w[0]);
}

// m a + R'' h and its moment, or the momentum of the same form
ALWAYS void
moving_force(const mbd_inertia_t * M, const mbd_sym3_t * J, one_moving_t * o)
{
  const four_t *A = o->rate, *R = o->axis, a = o->a;
  const four_t hx = splat(M->h.x), hy = splat(M->h.y), hz = splat(M->h.z);
  const four_t xx = splat(J->xx), xy = splat(J->xy), xz = splat(J->xz);
  const four_t yy = splat(J->yy), yz = splat(J->yz), zz = splat(J->zz);
  o->f = splat(M->mass) * a + A[0] * hx + A[1] * hy + A[2] * hz;
  const four_t x = hx * a + A[0] * xx + A[1] * xy + A[2] * xz;
  const four_t y = hy * a + A[0] * xy + A[1] * yy + A[2] * yz;
  const four_t z = hz * a + A[0] * xz + A[1] * yz + A[2] * zz;
  o->n = (cross_turned(R[0], x) + cross_turned(R[1], y)) + cross_turned(R[2], z);
}

//---------- inverse dynamics ----------

// Joints that are not revolute: what they add to the acceleration of the axes (rate) and of the
// origin (a), and the angular velocity; w is the parent's.
static void
other_motion(
  const mbd_plan_body_t * b, const double * v, const double * u, four_t w, one_moving_t * o)
{
  const double still[6] = {0}, *rate = v ? v + b->v : still, *accel = u ? u + b->v : still;
  const four_t * R = o->axis;
  if (b->kind == PLAN_PRISMATIC) {
    for (int k = 0; k < 3; k++) o->rate[k] = splat(0);
    o->a = cross(w, R[2] * splat(2 * rate[0])) + R[2] * splat(accel[0]);
    o->w = w;
    return;
  }
  // R'' = P'' L + (2 P' L + R tilde(w)) tilde(w) + R tilde(w')
  four_t K[3], change[3];
  spin(R, rate + 3, K);
  for (int k = 0; k < 3; k++) K[k] += cross(w + w, R[k]);
  spin(K, rate + 3, o->rate);
  spin(R, accel + 3, change);
  for (int k = 0; k < 3; k++) o->rate[k] += change[k];
  const four_t lin = times(R, rate), ang = times(R, rate + 3);
  o->a = cross(w + w + ang, lin) + times(R, accel);
  o->w = w + ang;
}

// bases to tips: axes, and what each joint adds to their acceleration. The last body stays in
// registers: most often it is the parent of the next.
ALWAYS void
place_moving(
  const mbd_plan_t * plan, const double * v, const double * u, const one_local_t * local,
  one_moving_t * body)
{
  four_t P[3] = {splat(0), splat(0), splat(0)}, w = P[0];
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    const one_local_t * l = &local[i];
    one_moving_t * o = &body[i];
    four_t x = l->axis[0], y = l->axis[1], z = l->axis[2], d = l->origin;
    if (b->parent >= 0) {
      if (b->parent != i - 1) {
        const one_moving_t * from = &body[b->parent];
        P[0] = from->axis[0], P[1] = from->axis[1], P[2] = from->axis[2], w = from->w;
      }
      x = from_parent(P, &l->axis[0]), y = from_parent(P, &l->axis[1]);
      z = from_parent(P, &l->axis[2]), d = from_parent(P, &l->origin);
    } else {
      w = splat(0);
    }
    o->d = d;
    o->axis[0] = P[0] = x, o->axis[1] = P[1] = y, o->axis[2] = P[2] = z;
    if (__builtin_expect(b->kind == PLAN_REVOLUTE, 1)) {
      // L0' = L1, L1' = -L0, and P' L_k = w x R_k
      const four_t rate = v ? splat(v[b->v]) : splat(0), twice = rate + rate, square = rate * rate;
      four_t rate_x = twice * cross(w, y) - square * x, rate_y = twice * cross(w, x) + square * y;
      if (u) rate_x += splat(u[b->v]) * y, rate_y += splat(u[b->v]) * x;
      o->rate[0] = rate_x, o->rate[1] = -rate_y;
      o->w = w += rate * z;
    } else {
      other_motion(b, v, u, w, o);
      w = o->w;
    }
  }
}

// bases to tips: accelerations and forces
ALWAYS void
accelerate_moving(const mbd_kernel_args_t * args, const one_local_t * local, one_moving_t * body)
{
  const mbd_plan_t * plan = args->plan;
  const four_t up = -vector(args->gravity);
  four_t A[3] = {splat(0), splat(0), splat(0)}, a = up;
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    const one_local_t * l = &local[i];
    one_moving_t * o = &body[i];
    four_t x = o->rate[0], y = o->rate[1], z = splat(0);
    if (b->parent >= 0) {
      if (b->parent != i - 1) {
        const one_moving_t * from = &body[b->parent];
        A[0] = from->rate[0], A[1] = from->rate[1], A[2] = from->rate[2], a = from->a;
      }
      x += from_parent(A, &l->axis[0]), y += from_parent(A, &l->axis[1]);
      z = from_parent(A, &l->axis[2]), a += from_parent(A, &l->origin);
    } else {
      a = up;
    }
    if (__builtin_expect(b->kind != PLAN_REVOLUTE, 0)) z += o->rate[2], a += o->a;
    o->rate[0] = A[0] = x, o->rate[1] = A[1] = y, o->rate[2] = A[2] = z, o->a = a;
    moving_force(&args->inertia[i], &args->moments[i], o);
  }
}

// three numbers along the axes of a body
ALWAYS void
along_axes(const four_t * R, four_t x, double * out)
{
  for (int k = 0; k < 3; k++) out[k] = dot(R[k], x);
}

// tips to bases: torques, and forces to the parents; f and n come from the body after this one, if
// it is a child
ALWAYS void
gather_one(const mbd_plan_t * plan, one_moving_t * body, double * tau)
{
  four_t f = splat(0), n = splat(0);
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbd_plan_body_t * b = &plan->body[i];
    const one_moving_t * o = &body[i];
    f += o->f;
    n += o->n;
    if (__builtin_expect(b->kind == PLAN_REVOLUTE, 1)) {
      tau[b->v] = dot(ZXY(o->axis[2]), n);
    } else if (b->kind == PLAN_PRISMATIC) {
      tau[b->v] = dot(o->axis[2], f);
    } else {
      along_axes(o->axis, f, tau + b->v);
      along_axes(o->axis, YZX(n), tau + b->v + 3);
    }
    n += cross_turned(o->d, f);
    if (b->parent == i - 1) continue;
    body[b->parent].f += f;
    body[b->parent].n += n;
    f = n = splat(0);
  }
}

ALWAYS void
inverse_one(const mbd_kernel_args_t * args, const double * v, const double * u)
{
  const mbd_plan_t * plan = args->plan;
  const one_motion_work_t work = motion_begin(args);
  place_moving(plan, v, u, work.local, work.body);
  accelerate_moving(args, work.local, work.body);
  gather_one(plan, work.body, args->out);
  for (int k = 0; args->rotor && u && k < plan->nv; k++) {
    ((double *)args->out)[k] += args->rotor[k] * u[k];
  }
}

static bool
one_inverse_dynamics(const mbd_kernel_args_t * args)
{
  if (args->plan->depth > PLAN_DEEPEST) return inverse_dynamics_plain(args);
  inverse_one(args, args->v, args->u);
  return true;
}

static bool
one_bias(const mbd_kernel_args_t * args)
{
  if (args->plan->depth > PLAN_DEEPEST) return bias_plain(args);
  inverse_one(args, args->v, NULL);
  return true;
}

//---------- gravity ----------

// The weight of a subtree is its mass times one vector, at its centre of mass: first moments are
// summed, in f, and masses, in a.
static bool
one_gravity(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  if (plan->depth > PLAN_DEEPEST) return gravity_plain(args);
  const one_motion_work_t work = motion_begin(args);
  one_moving_t * body = work.body;
  for (int i = 0; i < plan->nbody; i++) {
    const four_t * P = body[plan->body[i].parent].axis;
    const one_local_t * l = &work.local[i];
    const mbd_inertia_t * M = &args->inertia[i];
    one_moving_t * o = &body[i];
    const four_t x = from_parent(P, &l->axis[0]), y = from_parent(P, &l->axis[1]);
    const four_t z = from_parent(P, &l->axis[2]);
    o->axis[0] = x, o->axis[1] = y, o->axis[2] = z;
    o->d = from_parent(P, &l->origin);
    o->f = x * splat(M->h.x) + y * splat(M->h.y) + z * splat(M->h.z);
    o->a = splat(M->mass);
  }
  const four_t up = -vector(args->gravity), up_turned = YZX(up);
  double * tau = args->out;
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbd_plan_body_t * b = &plan->body[i];
    const one_moving_t * o = &body[i];
    one_moving_t * to = &body[b->parent];
    const four_t h = o->f, m = o->a, n = h * up_turned - YZX(h) * up;
    to->a += m;
    to->f += h + m * o->d;
    if (__builtin_expect(b->kind == PLAN_REVOLUTE, 1)) {
      tau[b->v] = dot(ZXY(o->axis[2]), n);
    } else if (b->kind == PLAN_PRISMATIC) {
      tau[b->v] = dot(o->axis[2], m * up);
    } else {
      along_axes(o->axis, m * up, tau + b->v);
      along_axes(o->axis, YZX(n), tau + b->v + 3);
    }
  }
  return true;
}

//---------- momentum about the centre of mass ----------

ALWAYS void
move_body_one(
  const mbd_plan_body_t * b, const double * v, const one_local_t * l, const one_moving_t * from,
  one_moving_t * o)
{
  const four_t *P = from->axis, *A = from->rate;
  const double * rate = v + b->v;
  for (int k = 0; k < 3; k++) {
    o->axis[k] = from_parent(P, &l->axis[k]);
    o->rate[k] = from_parent(A, &l->axis[k]);
  }
  o->d = from->d + from_parent(P, &l->origin);
  o->a = from->a + from_parent(A, &l->origin);
  if (__builtin_expect(b->kind == PLAN_REVOLUTE, 1)) {
    o->rate[0] += splat(rate[0]) * o->axis[1];
    o->rate[1] -= splat(rate[0]) * o->axis[0];
  } else if (b->kind == PLAN_PRISMATIC) {
    o->a += o->axis[2] * splat(rate[0]);
  } else {
    four_t turn[3];
    spin(o->axis, rate + 3, turn);
    for (int k = 0; k < 3; k++) o->rate[k] += turn[k];
    o->a += times(o->axis, rate);
  }
}

// out: mbd_force_t; false: nothing that moves has mass
static bool
one_momentum(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  const one_motion_work_t work = motion_begin(args);
  one_moving_t * body = work.body;
  four_t mass = splat(0), moment = mass, f = mass, n = mass;
  for (int k = 0; k < 3; k++) body[-1].rate[k] = splat(0);
  body[-1].a = body[-1].d = splat(0);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    const mbd_inertia_t * M = &args->inertia[i];
    one_moving_t * o = &body[i];
    move_body_one(b, args->v, &work.local[i], &body[b->parent], o);
    moving_force(M, &args->moments[i], o);
    mass += splat(M->mass);
    moment += splat(M->mass) * o->d + times(o->axis, &M->h.x);
    f += o->f;
    n += o->n + cross_turned(o->d, o->f);
  }
  // from the world's origin to the centre of mass
  n = YZX(n - cross_turned(moment / mass, f));
  *(mbd_force_t *)args->out = (mbd_force_t){{n[0], n[1], n[2]}, {f[0], f[1], f[2]}};
  return mass[0] > 0;
}
