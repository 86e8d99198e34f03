// Forward dynamics of one state. Included by kernel_instance.c after kernel_articulated.h.

// what a joint has beside its articulated body
typedef struct one_motion {
  four_t c_a, c_l;  // acceleration that velocities cause
  four_t rate;      // acceleration of the joint if the parent has none, in all lanes
} one_motion_t;

// velocity, the accelerations that it causes, and the forces that go with it
ALWAYS void
fd_velocity(
  const mbd_plan_body_t * b, const double * v, const one_body_t * from, one_body_t * o,
  one_motion_t * p)
{
  const four_t zero = {0}, axis = o->R[2], w0 = from ? from->w : zero;
  o->w = w0;
  p->c_a = zero;
  p->c_l = from ? cross(w0, cross(w0, o->d)) : zero;
  if (!v) return;
  if (b->kind == PLAN_REVOLUTE) {
    o->w = w0 + axis * splat(v[b->v]);
    if (from) p->c_a = cross(w0, o->w);
  } else if (b->kind == PLAN_PRISMATIC) {
    p->c_l += cross(w0, axis * splat(2 * v[b->v]));
  } else {
    const four_t lin = times(o->R, v + b->v), ang = times(o->R, v + b->v + 3);
    o->w = w0 + ang;
    p->c_a = cross(w0, ang);
    p->c_l += cross(w0 + w0 + ang, lin);
  }
}

// forces that go with the velocity
ALWAYS void
fd_bias(one_body_t * o)
{
  const four_t w = o->w;
  o->n = cross(w, times_v(o->I, w));
  o->f = cross(w, cross(w, o->h));
}

// the force that the joint lets through, shifted to the parent: z + P c + U (u - U c) / D
ALWAYS void
fd_to_parent(
  int32_t kind, double tau, const one_body_t * o, const one_articulated_t * p, one_motion_t * x,
  one_body_t * to)
{
  const four_t e = o->R[2], a = p->U_a, l = p->U_l, d = o->d;
  const double *c_a = (const double *)&x->c_a, *c_l = (const double *)&x->c_l;
  const four_t u = splat(tau) - lane_sum(e * (kind == PLAN_REVOLUTE ? o->n : o->f));
  const four_t s = (u - lane_sum(a * x->c_a + l * x->c_l)) * p->inverse_D;
  x->rate = s;
  if (!to) return;
  const four_t n = o->n + times(p->J, c_a) + times(p->H, c_l) + a * s;
  const four_t f = o->f + times(p->G, c_a) + times(p->M, c_l) + l * s;
  to->f += f;
  to->n += n + cross(d, f);
}

// acceleration that a free joint ends up with: P^-1 (torque - residual)
static bool
fd_free(const one_body_t * o, const double * tau, one_articulated_t * p)
{
  double A[6][6], x[6];
  four_t f = -o->f, n = -o->n;
  if (tau) f += times(o->R, tau), n += times(o->R, tau + 3);
  for (int j = 0; j < 3; j++) x[j] = n[j], x[3 + j] = f[j];
  const bool good = factor_free(p, A);
  solve6_plain(A, x);
  p->U_a = vector(x);
  p->U_l = vector(x + 3);
  return good;
}

ALWAYS void
fd_accelerate(
  const mbd_plan_body_t * b, four_t alpha, four_t a, one_body_t * o, const one_articulated_t * p,
  const one_motion_t * x, double * qdd)
{
  const four_t alpha0 = alpha + x->c_a, a0 = a + x->c_l + cross(alpha, o->d);
  if (b->kind == PLAN_FREE) {
    o->alpha = p->U_a;
    o->a = p->U_l;
    for (int k = 0; k < 3; k++) {
      qdd[b->v + k] = dot(o->R[k], o->a - a0);
      qdd[b->v + 3 + k] = dot(o->R[k], o->alpha - alpha0);
    }
    return;
  }
  const four_t rate = x->rate - lane_sum(p->W_a * alpha + p->W_l * a);
  qdd[b->v] = rate[0];
  o->alpha = b->kind == PLAN_REVOLUTE ? alpha0 + o->R[2] * rate : alpha0;
  o->a = b->kind == PLAN_REVOLUTE ? a0 : a0 + o->R[2] * rate;
}

static bool
one_forward_dynamics(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  const double *v = args->v, *tau = args->u;
  one_body_t * body = args->work;
  one_articulated_t * art = (one_articulated_t *)(body + plan->nbody);
  one_motion_t * motion = (one_motion_t *)(art + plan->nbody);
  double * work = (double *)(motion + plan->nbody);
  bool good = true;
  place_all(plan, args->q, work, body);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    turn_inertia(&args->inertia[i], &body[i]);
    fd_velocity(b, v, b->parent < 0 ? NULL : &body[b->parent], &body[i], &motion[i]);
    fd_bias(&body[i]);
    rigid_body(args->inertia[i].mass, &body[i], &art[i]);
  }
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbd_plan_body_t * b = &plan->body[i];
    const double rotor = args->rotor ? args->rotor[b->v] : 0;
    const double * t = tau ? tau + b->v : NULL;
    one_body_t * to = b->parent < 0 ? NULL : &body[b->parent];
    if (b->kind == PLAN_FREE) {
      good = fd_free(&body[i], t, &art[i]) && good;
      // nothing of its inertia gets through, only the joint's own torque
      if (!to || !t) continue;
      const four_t f = times(body[i].R, t);
      to->f += f;
      to->n += times(body[i].R, t + 3) + cross(body[i].d, f);
      continue;
    }
    good = hinge(b->kind, rotor, &body[i], &art[i]) && good;
    fd_to_parent(b->kind, t ? *t : 0, &body[i], &art[i], &motion[i], to);
    if (to) inertia_to_parent(&body[i], &art[i], &art[b->parent]);
  }
  const four_t zero = {0}, up = -vector(args->gravity);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    const one_body_t * from = &body[b->parent];
    const bool base = b->parent < 0;
    fd_accelerate(
      b, base ? zero : from->alpha, base ? up : from->a, &body[i], &art[i], &motion[i], args->out);
  }
  return good;
}
