// Forward dynamics of one state. Included by kernel_instance.c after kernel_articulated.h.
//
// What is kept of a body is little, so that long chains stay near the processor: inertias are turned on
// the way from the tips, and articulated bodies are in the plan's slots.

typedef struct fd_one {
  four_t R[3];      // columns: body axes in the world
  four_t d;         // from the parent's origin
  four_t w;         // angular velocity; in the end angular acceleration
  four_t c_a, c_l;  // acceleration that velocities cause; in the end c_l is that of the origin
  four_t W_a, W_l;  // U / D at the parent's origin; of a free joint the acceleration
  four_t rate;      // acceleration of the joint if the parent has none, in all lanes
} fd_one_t;

// what a subtree lets through to the body that carries it
typedef struct fd_slot {
  four_t J[3], H[3], G[3], M[3], n, f;
} fd_slot_t;

// velocity, and the accelerations that it causes
ALWAYS void
fd_velocity(const mbdi_plan_body_t * b, const double * v, const fd_one_t * from, fd_one_t * o)
{
  const four_t zero = {0}, axis = o->R[2], w0 = from ? from->w : zero;
  o->w = w0;
  o->c_a = zero;
  o->c_l = from ? cross(w0, cross(w0, o->d)) : zero;
  if (!v) return;
  if (b->kind == PLAN_REVOLUTE) {
    o->w = w0 + axis * splat(v[b->v]);
    if (from) o->c_a = cross(w0, o->w);
  } else if (b->kind == PLAN_PRISMATIC) {
    o->c_l += cross(w0, axis * splat(2 * v[b->v]));
  } else {
    const four_t lin = times(o->R, v + b->v), ang = times(o->R, v + b->v + 3);
    o->w = w0 + ang;
    o->c_a = cross(w0, ang);
    o->c_l += cross(w0 + w0 + ang, lin);
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
  int32_t kind, double tau, const one_body_t * o, const one_articulated_t * p, fd_one_t * x,
  fd_slot_t * to)
{
  const four_t e = o->R[2], a = p->U_a, l = p->U_l, d = o->d;
  const double *c_a = (const double *)&x->c_a, *c_l = (const double *)&x->c_l;
  const four_t u = splat(tau) - lane_sum(e * (kind == PLAN_REVOLUTE ? o->n : o->f));
  const four_t s = (u - lane_sum(a * x->c_a + l * x->c_l)) * p->inverse_D;
  x->rate = s;
  x->W_a = p->W_a;
  x->W_l = p->W_l;
  const four_t n = o->n + times(p->J, c_a) + times(p->H, c_l) + a * s;
  const four_t f = o->f + times(p->G, c_a) + times(p->M, c_l) + l * s;
  to->f = f;
  to->n = n + cross(d, f);
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
fd_accelerate(const mbdi_plan_body_t * b, four_t alpha, four_t a, fd_one_t * o, double * qdd)
{
  const four_t alpha0 = alpha + o->c_a, a0 = a + o->c_l + cross(alpha, o->d);
  if (b->kind == PLAN_FREE) {
    o->w = o->W_a;
    o->c_l = o->W_l;
    for (int k = 0; k < 3; k++) {
      qdd[b->v + k] = dot(o->R[k], o->c_l - a0);
      qdd[b->v + 3 + k] = dot(o->R[k], o->w - alpha0);
    }
    return;
  }
  const four_t rate = o->rate - lane_sum(o->W_a * alpha + o->W_l * a);
  qdd[b->v] = rate[0];
  o->w = b->kind == PLAN_REVOLUTE ? alpha0 + o->R[2] * rate : alpha0;
  o->c_l = b->kind == PLAN_REVOLUTE ? a0 : a0 + o->R[2] * rate;
}

//---------- three sweeps ----------

ALWAYS void
fd_outward(const mbdi_kernel_args_t * args, double * work, fd_one_t * body)
{
  const mbdi_plan_t * plan = args->plan;
  const int n = plan->nbody;
  double *sine = work, *cosine = work + PADDED(n);
  joint_sines(plan, args->q, sine, cosine);
  for (int i = 0; i < n; i++) {
    one_local_t local;
    locate(&plan->body[i], args->q, sine[i], cosine[i], &local);
    for (int k = 0; k < 3; k++) body[i].R[k] = local.axis[k];
    body[i].d = local.origin;
  }
  for (int i = 0; i < n; i++) {
    const mbdi_plan_body_t * b = &plan->body[i];
    const fd_one_t * from = b->parent < 0 ? NULL : &body[b->parent];
    fd_one_t * o = &body[i];
    if (from) {
      const four_t P[3] = {from->R[0], from->R[1], from->R[2]};
      const four_t x = from_parent(P, &o->R[0]), y = from_parent(P, &o->R[1]);
      const four_t z = from_parent(P, &o->R[2]);
      o->d = from_parent(P, &o->d);
      o->R[0] = x, o->R[1] = y, o->R[2] = z;
    }
    fd_velocity(b, args->v, from, o);
  }
}

ALWAYS void
fd_add(const fd_slot_t * from, fd_slot_t * to)
{
  for (int k = 0; k < 3; k++) {
    to->J[k] += from->J[k], to->H[k] += from->H[k];
    to->G[k] += from->G[k], to->M[k] += from->M[k];
  }
  to->n += from->n, to->f += from->f;
}

// a body with its velocity, and what it carries
ALWAYS void
fd_assemble(
  const mbd_inertia_t * M, const fd_one_t * x, const fd_slot_t * carried, one_body_t * o,
  one_articulated_t * p)
{
  for (int k = 0; k < 3; k++) o->R[k] = x->R[k];
  o->d = x->d;
  o->w = x->w;
  turn_inertia(M, o);
  fd_bias(o);
  rigid_body(M->mass, o, p);
  if (!carried) return;
  for (int k = 0; k < 3; k++) {
    p->J[k] += carried->J[k], p->H[k] += carried->H[k];
    p->G[k] += carried->G[k], p->M[k] += carried->M[k];
  }
  o->n += carried->n;
  o->f += carried->f;
}

// the last child is the first to come here: it finds nothing in the slot that it gives to
ALWAYS bool
fd_inward(const mbdi_kernel_args_t * args, fd_slot_t * slot, fd_one_t * body)
{
  const mbdi_plan_t * plan = args->plan;
  const double * tau = args->u;
  bool good = true;
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbdi_plan_body_t * b = &plan->body[i];
    const mbdi_plan_span_t * span = &plan->span[i];
    const double * t = tau ? tau + b->v : NULL;
    one_body_t o;
    one_articulated_t p, through = {0};
    fd_slot_t up = {0};
    fd_assemble(&args->inertia[i], &body[i], span->leaf ? NULL : &slot[span->slot], &o, &p);
    if (b->kind == PLAN_FREE) {
      good = fd_free(&o, t, &p) && good;
      body[i].W_a = p.U_a;
      body[i].W_l = p.U_l;
      // nothing of its inertia gets through, only the joint's own torque
      if (t) up.f = times(o.R, t), up.n = times(o.R, t + 3) + cross(o.d, up.f);
    } else {
      good = hinge(b->kind, args->rotor ? args->rotor[b->v] : 0, &o, &p) && good;
      fd_to_parent(b->kind, t ? *t : 0, &o, &p, &body[i], &up);
      if (b->parent >= 0) inertia_to_parent(&o, &p, &through);
    }
    if (b->parent < 0) continue;
    for (int k = 0; k < 3; k++) {
      up.J[k] = through.J[k], up.H[k] = through.H[k];
      up.G[k] = through.G[k], up.M[k] = through.M[k];
    }
    if (span->slot != span->from) fd_add(&slot[span->from], &up);
    slot[span->from] = up;
  }
  return good;
}

static bool
one_forward_dynamics(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  fd_one_t * body = args->work;
  fd_slot_t * slot = (fd_slot_t *)(body + plan->nbody);
  fd_outward(args, (double *)(slot + plan->slots), body);
  const bool good = fd_inward(args, slot, body);
  const four_t zero = {0}, up = -vector(args->gravity);
  for (int i = 0; i < plan->nbody; i++) {
    const mbdi_plan_body_t * b = &plan->body[i];
    const fd_one_t * from = &body[b->parent];
    const bool base = b->parent < 0;
    fd_accelerate(b, base ? zero : from->w, base ? up : from->c_l, &body[i], args->out);
  }
  return good;
}
