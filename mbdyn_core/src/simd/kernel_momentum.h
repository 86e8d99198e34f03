// Momentum of one state about the centre of mass, in world axes. Included by kernel_instance.c after
// kernel_place.h.
//
// As in kernel_torque.h, what moves is the three axes R of a body: with P of the parent and L of the
// child in the parent, R' = P' L + P L'. A place r of the body has the velocity a + R' r, and with the
// second moments J of the body (the integral of r r^T)
//
//   f = m a + R' h          n = sum_j R_j x (R' J_j + h_j a)
//
// Moments are kept with their lanes turned, as cross_turned leaves them. body[-1] is the world.

typedef struct one_moving {
  four_t axis[3];  // R
  four_t rate[3];  // R'
  four_t a;        // velocity of the origin
  four_t d;        // from the world's origin
  four_t f, n;     // momentum and turned moment of momentum at the origin
} one_moving_t;

typedef struct one_motion_work {
  one_local_t * local;
  one_moving_t * body;
} one_motion_work_t;

// bodies in their parents, and room for what follows
ALWAYS one_motion_work_t
motion_begin(const mbdi_kernel_args_t * args)
{
  const int n = args->plan->nbody;
  one_local_t * local = args->work;
  one_moving_t * body = (one_moving_t *)(local + n) + 1;
  locate_all(args->plan, args->q, (double *)(body + n), local);
  world_axes(body[-1].axis);
  return (one_motion_work_t){local, body};
}

// m a + R' h and its moment
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

ALWAYS void
move_body_one(
  const mbdi_plan_body_t * b, const double * v, const one_local_t * l, const one_moving_t * from,
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
one_momentum(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  const one_motion_work_t work = motion_begin(args);
  one_moving_t * body = work.body;
  four_t mass = splat(0), moment = mass, f = mass, n = mass;
  for (int k = 0; k < 3; k++) body[-1].rate[k] = splat(0);
  body[-1].a = body[-1].d = splat(0);
  for (int i = 0; i < plan->nbody; i++) {
    const mbdi_plan_body_t * b = &plan->body[i];
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
