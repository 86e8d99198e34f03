// Inverse dynamics in body axes, where a turn about z is cheap and inertias stay constant: included by
// kernel_instance.c with REAL (a number, or one number of several states), SPLAT and KN(name).

typedef struct KN(v3) {
  REAL x, y, z;
} KN(v3);

#define V3 KN(v3)
#define M3 KN(m3)

ALWAYS V3
KN(load)(const REAL * x)
{
  return (V3){x[0], x[1], x[2]};
}

ALWAYS V3
KN(add)(V3 a, V3 b)
{
  return (V3){a.x + b.x, a.y + b.y, a.z + b.z};
}

ALWAYS V3
KN(cross)(V3 a, V3 b)
{
  return (V3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

ALWAYS V3
KN(mul)(const M3 * R, V3 a)
{
  const REAL * m = R->m;
  return (V3){
    m[0] * a.x + m[1] * a.y + m[2] * a.z, m[3] * a.x + m[4] * a.y + m[5] * a.z,
    m[6] * a.x + m[7] * a.y + m[8] * a.z};
}

ALWAYS V3
KN(tmul)(const M3 * R, V3 a)
{
  const REAL * m = R->m;
  return (V3){
    m[0] * a.x + m[3] * a.y + m[6] * a.z, m[1] * a.x + m[4] * a.y + m[7] * a.z,
    m[2] * a.x + m[5] * a.y + m[8] * a.z};
}

//---------- joints ----------

// What turns vectors between a lean body and its parent: T, the constant turn to where the joint is
// mounted, then the joint's own. One after the other costs little more than the product, which nobody
// has to keep; kinds are constants of the compiler here.
typedef struct KN(joint) {
  const mbdi_lean_body_t * b;
  REAL s, c;  // of a joint that turns
  M3 turn;    // of a free joint
  V3 p;       // origin of the child in the parent
} KN(joint);

ALWAYS
KN(joint) KN(joint_at)(int kind, const mbdi_lean_body_t * b, const REAL * q, REAL s, REAL c)
{
  const double *T = b->T, *p = b->p;
  KN(joint) j;
  j.b = b;
  j.s = s, j.c = c;
  j.p = (V3){SPLAT(p[0]), SPLAT(p[1]), SPLAT(p[2])};
  if (kind == LEAN_SLIDE) {
    const REAL d = q[b->q];
    j.p = (V3){p[0] + d * T[2], p[1] + d * T[5], p[2] + d * T[8]};
  } else if (kind == LEAN_FREE) {
    const REAL * x = q + b->q;
    j.turn = KN(from_quaternion)(x + 3);
    j.p = (V3){
      p[0] + T[0] * x[0] + T[1] * x[1] + T[2] * x[2],
      p[1] + T[3] * x[0] + T[4] * x[1] + T[5] * x[2],
      p[2] + T[6] * x[0] + T[7] * x[1] + T[8] * x[2]};
  }
  return j;
}

// a vector of the parent in the child's axes
ALWAYS V3
KN(to_child)(int kind, const KN(joint) * j, V3 x)
{
  const mbdi_lean_angle_t mount = j->b->mount, twist = j->b->twist;
  const double * T = j->b->T;
  if (kind == LEAN_SLIDE || kind == LEAN_FREE) {
    const V3 y = {
      T[0] * x.x + T[3] * x.y + T[6] * x.z, T[1] * x.x + T[4] * x.y + T[7] * x.z,
      T[2] * x.x + T[5] * x.y + T[8] * x.z};
    return kind == LEAN_SLIDE ? y : KN(tmul)(&j->turn, y);
  }
  if (kind == LEAN_TURN) {
    x = (V3){mount.c * x.x + mount.s * x.y, mount.c * x.y - mount.s * x.x, x.z};
  }
  V3 y = {x.x, twist.c * x.y + twist.s * x.z, twist.c * x.z - twist.s * x.y};
  if (kind == LEAN_RIGHT) y = (V3){x.x, -x.z, x.y};
  if (kind == LEAN_PARALLEL) y = x;
  return (V3){j->c * y.x + j->s * y.y, j->c * y.y - j->s * y.x, y.z};
}

// and back
ALWAYS V3
KN(to_parent)(int kind, const KN(joint) * j, V3 x)
{
  const mbdi_lean_angle_t mount = j->b->mount, twist = j->b->twist;
  const double * T = j->b->T;
  if (kind == LEAN_SLIDE || kind == LEAN_FREE) {
    const V3 y = kind == LEAN_SLIDE ? x : KN(mul)(&j->turn, x);
    return (V3){
      T[0] * y.x + T[1] * y.y + T[2] * y.z, T[3] * y.x + T[4] * y.y + T[5] * y.z,
      T[6] * y.x + T[7] * y.y + T[8] * y.z};
  }
  const V3 y = {j->c * x.x - j->s * x.y, j->s * x.x + j->c * x.y, x.z};
  const V3 z = {y.x, twist.c * y.y - twist.s * y.z, twist.s * y.y + twist.c * y.z};
  if (kind == LEAN_RIGHT) return (V3){y.x, y.z, -y.y};
  if (kind == LEAN_PARALLEL) return y;
  if (kind == LEAN_TWIST) return z;
  return (V3){mount.c * z.x - mount.s * z.y, mount.s * z.x + mount.c * z.y, z.z};
}

// Moment n, with that of a force f at the child's origin p, both in the parent's axes: of p x f what
// is added, and what is taken away. The two need not wait for each other.
ALWAYS V3
KN(moment_more)(int kind, const KN(joint) * j, V3 n, V3 f)
{
  const double foot = j->b->foot, along = j->b->along;
  if (kind == LEAN_RIGHT) return (V3){n.x + along * f.z, n.y, n.z + foot * f.y};
  if (kind == LEAN_PARALLEL) return (V3){n.x, n.y + along * f.x, n.z + foot * f.y};
  return (V3){n.x + j->p.y * f.z, n.y + j->p.z * f.x, n.z + j->p.x * f.y};
}

ALWAYS V3
KN(moment_less)(int kind, const KN(joint) * j, V3 n, V3 f)
{
  const double foot = j->b->foot, along = j->b->along;
  if (kind == LEAN_RIGHT) return (V3){n.x, n.y - foot * f.z, n.z - along * f.x};
  if (kind == LEAN_PARALLEL) return (V3){n.x - along * f.y, n.y - foot * f.z, n.z};
  return (V3){n.x - j->p.z * f.y, n.y - j->p.x * f.z, n.z - j->p.y * f.x};
}

// a + U p, p the child's origin
ALWAYS V3
KN(carried_along)(int kind, const KN(joint) * j, const M3 * U, V3 a)
{
  const double foot = j->b->foot, along = j->b->along;
  const REAL * m = U->m;
  const V3 p = j->p;
  if (kind == LEAN_RIGHT || kind == LEAN_PARALLEL) {
    const int z = kind == LEAN_RIGHT ? 1 : 2;
    return (V3){
      a.x + foot * m[0] + along * m[z], a.y + foot * m[3] + along * m[3 + z],
      a.z + foot * m[6] + along * m[6 + z]};
  }
  return (V3){
    a.x + m[0] * p.x + m[1] * p.y + m[2] * p.z, a.y + m[3] * p.x + m[4] * p.y + m[5] * p.z,
    a.z + m[6] * p.x + m[7] * p.y + m[8] * p.z};
}

// what follows, once for each kind
#define LEAN_KINDS(b, CALL)                  \
  switch ((b)->form) {                       \
    case LEAN_RIGHT: CALL(LEAN_RIGHT);       \
    case LEAN_PARALLEL: CALL(LEAN_PARALLEL); \
    case LEAN_TWIST: CALL(LEAN_TWIST);       \
    case LEAN_TURN: CALL(LEAN_TURN);         \
    case LEAN_SLIDE: CALL(LEAN_SLIDE);       \
    default: CALL(LEAN_FREE);                \
  }

//---------- inverse dynamics, in body axes ----------

// what the sweep from the tips needs of a body
typedef struct KN(id_body) {
  V3 f, n;  // force and moment at the origin
} KN(id_body);

// what its children need of a body, in one of the plan's slots
typedef struct KN(id_motion) {
  V3 w, alpha, a;  // angular velocity and acceleration, acceleration of the origin
  M3 U;            // tilde(alpha) + tilde(w) tilde(w): acceleration per place in the body
} KN(id_motion);

typedef struct KN(id_room) {
  KN(id_body) * body;
  KN(id_motion) * slot;
  REAL *sine, *cosine;
} KN(id_room);

static size_t
KN(id_work)(const mbdi_plan_t * plan)
{
  return (size_t)plan->nbody * sizeof(KN(id_body)) + (size_t)plan->slots * sizeof(KN(id_motion)) +
         2 * (size_t)PADDED(plan->nbody) * sizeof(REAL);
}

ALWAYS
KN(id_room) KN(id_room_of)(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  KN(id_body) * body = args->work;
  KN(id_motion) * slot = (KN(id_motion) *)(body + plan->nbody);
  REAL * sine = (REAL *)(slot + plan->slots);
  REAL * cosine = sine + PADDED(plan->nbody);
  KN(lean_sines)(plan, args->q, sine, cosine);
  return (KN(id_room)){body, slot, sine, cosine};
}

// tilde(alpha) + tilde(w)^2
ALWAYS M3
KN(rates)(V3 w, V3 al)
{
  const REAL xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  return (M3){
    {-yy - zz, w.x * w.y - al.z, w.x * w.z + al.y, w.x * w.y + al.z, -xx - zz, w.y * w.z - al.x,
     w.x * w.z - al.y, w.y * w.z + al.x, -xx - yy}};
}

// The force m a + U h, and its moment about the origin: of U J what is not symmetric, and h x a. A
// body that turns has no mass, and no moments along z, left.
ALWAYS void
KN(newton_euler)(
  int kind, const mbdi_lean_inertia_t * M, const KN(id_motion) * b, KN(id_body) * out)
{
  const V3 a = b->a;
  const REAL * U = b->U.m;
  const double hx = M->h.x, hy = M->h.y, hz = M->h.z, m = M->mass;
  const mbd_sym3_t * J = &M->J;
  out->f = (V3){U[0] * hx + U[1] * hy, U[3] * hx + U[4] * hy, U[6] * hx + U[7] * hy};
  out->n = (V3){
    (U[6] * J->xy + U[7] * J->yy + U[8] * J->yz) - (U[3] * J->xz + U[4] * J->yz) + hy * a.z,
    (U[0] * J->xz + U[1] * J->yz) - (U[6] * J->xx + U[7] * J->xy + U[8] * J->xz) - hx * a.z,
    (U[3] * J->xx + U[4] * J->xy + U[5] * J->xz) - (U[0] * J->xy + U[1] * J->yy + U[2] * J->yz) +
      (hx * a.y - hy * a.x)};
  if (is_turning(kind)) return;
  out->f = KN(add)(out->f, (V3){m * a.x + U[2] * hz, m * a.y + U[5] * hz, m * a.z + U[8] * hz});
  out->n.x -= U[5] * J->zz + hz * a.y;
  out->n.y += U[2] * J->zz + hz * a.x;
}

// velocities and accelerations of a body from those of its parent: w0, alpha0, a0 are the parent's
// in the child's axes, at the child's origin
ALWAYS void
KN(move_body)(
  int kind, const mbdi_lean_body_t * b, const REAL * v, const REAL * u, V3 w0, V3 alpha0, V3 a0,
  KN(id_motion) * out)
{
  const REAL rate = v ? v[b->v] : SPLAT(0.0);
  out->w = w0;
  out->alpha = alpha0;
  out->a = a0;
  if (is_turning(kind)) {
    out->w.z += rate;
    out->alpha = (V3){alpha0.x + w0.y * rate, alpha0.y - w0.x * rate, alpha0.z};
    if (u) out->alpha.z += u[b->v];
  } else if (kind == LEAN_SLIDE) {
    const REAL twice = rate + rate;
    out->a = (V3){a0.x + w0.y * twice, a0.y - w0.x * twice, a0.z};
    if (u) out->a.z += u[b->v];
  } else {
    V3 lin = {SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)}, ang = lin, dlin = lin, dang = lin;
    if (v) lin = KN(load)(&v[b->v]), ang = KN(load)(&v[b->v + 3]);
    if (u) dlin = KN(load)(&u[b->v]), dang = KN(load)(&u[b->v + 3]);
    out->w = KN(add)(w0, ang);
    out->alpha = KN(add)(KN(add)(alpha0, dang), KN(cross)(w0, ang));
    // 2 w0 x lin + ang x lin
    const V3 turn = {w0.x + w0.x + ang.x, w0.y + w0.y + ang.y, w0.z + w0.z + ang.z};
    out->a = KN(add)(KN(add)(a0, dlin), KN(cross)(turn, lin));
  }
}

// bases to tips: body i, whose parent's motion is in a slot (NULL: the world)
ALWAYS void
KN(id_outward)(
  int kind, const mbdi_kernel_args_t * args, const REAL * v, const REAL * u,
  const KN(id_room) * room, int i, const KN(id_motion) * from)
{
  const mbdi_lean_body_t * b = &args->plan->lean[i];
  const REAL * g = args->gravity;
  const KN(joint) j = KN(joint_at)(kind, b, args->q, room->sine[i], room->cosine[i]);
  V3 w0 = {SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)}, alpha0 = w0, at = {-g[0], -g[1], -g[2]};
  if (from) {
    w0 = KN(to_child)(kind, &j, from->w);
    alpha0 = KN(to_child)(kind, &j, from->alpha);
    at = KN(carried_along)(kind, &j, &from->U, from->a);
  }
  KN(id_motion) moved;
  KN(move_body)(kind, b, v, u, w0, alpha0, KN(to_child)(kind, &j, at), &moved);
  moved.U = KN(rates)(moved.w, moved.alpha);
  KN(newton_euler)(kind, &args->lean[i], &moved, &room->body[i]);
  if (!b->leaf) room->slot[args->plan->span[i].slot] = moved;
}

// tips to bases: force and moment of body i to its parent
ALWAYS void
KN(id_inward)(int kind, const mbdi_kernel_args_t * args, const KN(id_room) * room, int i)
{
  const mbdi_lean_body_t * b = &args->plan->lean[i];
  const KN(joint) j = KN(joint_at)(kind, b, args->q, room->sine[i], room->cosine[i]);
  KN(id_body) * to = &room->body[b->parent];
  const V3 F = KN(to_parent)(kind, &j, room->body[i].f);
  const V3 N = KN(to_parent)(kind, &j, room->body[i].n);
  to->f = KN(add)(to->f, F);
  to->n = KN(add)(KN(moment_more)(kind, &j, to->n, F), KN(moment_less)(kind, &j, N, F));
}

// what a joint feels of force and moment
ALWAYS void
KN(joint_torque)(const mbdi_lean_body_t * b, const KN(id_body) * o, REAL * tau)
{
  REAL * t = tau + b->v;
  const V3 f = o->f, n = o->n;
  if (b->kind == LEAN_TWIST || b->kind == LEAN_TURN)
    t[0] = n.z;
  else if (b->kind == LEAN_SLIDE)
    t[0] = f.z;
  else
    t[0] = f.x, t[1] = f.y, t[2] = f.z, t[3] = n.x, t[4] = n.y, t[5] = n.z;
}

ALWAYS void
KN(inverse_sweep)(const mbdi_kernel_args_t * args, const REAL * v, const REAL * u)
{
  const mbdi_plan_t * plan = args->plan;
  const KN(id_room) room = KN(id_room_of)(args);
  for (int i = 0; i < plan->nbody; i++) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    const KN(id_motion) * from = &room.slot[plan->span[i].from];
#define OUTWARD(kind)                                 \
  if (b->parent < 0)                                  \
    KN(id_outward)(kind, args, v, u, &room, i, NULL); \
  else                                                \
    KN(id_outward)(kind, args, v, u, &room, i, from); \
  break
    LEAN_KINDS(b, OUTWARD)
#undef OUTWARD
  }
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    KN(joint_torque)(b, &room.body[i], args->out);
    if (b->parent < 0) continue;
#define INWARD(kind)                   \
  KN(id_inward)(kind, args, &room, i); \
  break
    LEAN_KINDS(b, INWARD)
#undef INWARD
  }
  for (int k = 0; args->rotor && u && k < plan->nv; k++) {
    ((REAL *)args->out)[k] += args->rotor[k] * u[k];
  }
}

static bool
KN(inverse_dynamics)(const mbdi_kernel_args_t * args)
{
  KN(inverse_sweep)(args, args->v, args->u);
  return true;
}

static bool
KN(bias)(const mbdi_kernel_args_t * args)
{
  KN(inverse_sweep)(args, args->v, NULL);
  return true;
}

//---------- gravity ----------

// nothing moves: a is the way up, in body axes. Weights of a subtree that is light are moments alone.
ALWAYS void
KN(weigh)(
  int kind, const mbdi_kernel_args_t * args, const KN(id_room) * room, int i, const V3 * from)
{
  const mbdi_lean_body_t * b = &args->plan->lean[i];
  const mbdi_lean_inertia_t * M = &args->lean[i];
  const KN(joint) j = KN(joint_at)(kind, b, args->q, room->sine[i], room->cosine[i]);
  const V3 a = KN(to_child)(kind, &j, *from);
  const double m = M->mass, hx = M->h.x, hy = M->h.y, hz = M->h.z;
  room->slot[args->plan->span[i].slot].a = a;
  KN(id_body) * to = &room->body[i];
  to->n = (V3){hy * a.z, -hx * a.z, hx * a.y - hy * a.x};
  to->f = (V3){SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)};
  if (is_turning(kind)) return;
  to->n = (V3){to->n.x - hz * a.y, to->n.y + hz * a.x, to->n.z};
  to->f = (V3){m * a.x, m * a.y, m * a.z};
}

ALWAYS void
KN(weight_inward)(int kind, const mbdi_kernel_args_t * args, const KN(id_room) * room, int i)
{
  const mbdi_lean_body_t * b = &args->plan->lean[i];
  if (!b->light) {
    KN(id_inward)(kind, args, room, i);
    return;
  }
  const KN(joint) j = KN(joint_at)(kind, b, args->q, room->sine[i], room->cosine[i]);
  V3 * n = &room->body[b->parent].n;
  *n = KN(add)(*n, KN(to_parent)(kind, &j, room->body[i].n));
}

static bool
KN(gravity)(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  const REAL * g = args->gravity;
  const V3 up = {-g[0], -g[1], -g[2]};
  const KN(id_room) room = KN(id_room_of)(args);
  for (int i = 0; i < plan->nbody; i++) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    const V3 * from = b->parent < 0 ? &up : &room.slot[plan->span[i].from].a;
#define WEIGH(kind)                      \
  KN(weigh)(kind, args, &room, i, from); \
  break
    LEAN_KINDS(b, WEIGH)
#undef WEIGH
  }
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    KN(joint_torque)(b, &room.body[i], args->out);
    if (b->parent < 0) continue;
#define INWARD(kind)                       \
  KN(weight_inward)(kind, args, &room, i); \
  break
    LEAN_KINDS(b, INWARD)
#undef INWARD
  }
  return true;
}
