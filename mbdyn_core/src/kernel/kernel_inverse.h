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

// A joint turns by T, the constant turn to where it is mounted, then by its own. Turning vectors one
// step after the other costs little more than with the product, which nobody has to keep.
typedef struct KN(joint) {
  const mbd_plan_body_t * b;
  REAL s, c;  // of a revolute joint
  M3 turn;    // of a free joint
  V3 p;       // origin of the child in the parent
} KN(joint);

ALWAYS
KN(joint) KN(joint_at)(const mbd_plan_body_t * b, const REAL * q, REAL s, REAL c)
{
  const double *T = b->R, *p = b->p;
  KN(joint) j;
  j.b = b;
  j.s = s;
  j.c = c;
  j.p = (V3){SPLAT(p[0]), SPLAT(p[1]), SPLAT(p[2])};
  if (b->kind == PLAN_PRISMATIC) {
    const REAL d = q[b->q];
    j.p = (V3){p[0] + d * T[2], p[1] + d * T[5], p[2] + d * T[8]};
  } else if (b->kind == PLAN_FREE) {
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
KN(to_child)(const KN(joint) * j, V3 x)
{
  const double * T = j->b->R;
  const V3 y = {
    T[0] * x.x + T[3] * x.y + T[6] * x.z, T[1] * x.x + T[4] * x.y + T[7] * x.z,
    T[2] * x.x + T[5] * x.y + T[8] * x.z};
  if (j->b->kind == PLAN_REVOLUTE) {
    return (V3){j->c * y.x + j->s * y.y, j->c * y.y - j->s * y.x, y.z};
  }
  return j->b->kind == PLAN_FREE ? KN(tmul)(&j->turn, y) : y;
}

// and back
ALWAYS V3
KN(to_parent)(const KN(joint) * j, V3 x)
{
  const double * T = j->b->R;
  V3 y = x;
  if (j->b->kind == PLAN_REVOLUTE) {
    y.x = j->c * x.x - j->s * x.y;
    y.y = j->s * x.x + j->c * x.y;
  } else if (j->b->kind == PLAN_FREE) {
    y = KN(mul)(&j->turn, x);
  }
  return (V3){
    T[0] * y.x + T[1] * y.y + T[2] * y.z, T[3] * y.x + T[4] * y.y + T[5] * y.z,
    T[6] * y.x + T[7] * y.y + T[8] * y.z};
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
KN(id_work)(const mbd_plan_t * plan)
{
  return (size_t)plan->nbody * sizeof(KN(id_body)) + (size_t)plan->slots * sizeof(KN(id_motion)) +
         2 * (size_t)PADDED(plan->nbody) * sizeof(REAL);
}

ALWAYS
KN(id_room) KN(id_room_of)(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  KN(id_body) * body = args->work;
  KN(id_motion) * slot = (KN(id_motion) *)(body + plan->nbody);
  REAL * sine = (REAL *)(slot + plan->slots);
  REAL * cosine = sine + PADDED(plan->nbody);
  KN(joint_sines)(plan, args->q, sine, cosine);
  return (KN(id_room)){body, slot, sine, cosine};
}

// tilde(alpha) + tilde(w)^2
ALWAYS M3
KN(rates)(V3 w, V3 al)
{
  const REAL xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const REAL xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return (M3){
    {-yy - zz, xy - al.z, xz + al.y, xy + al.z, -xx - zz, yz - al.x, xz - al.y, yz + al.x,
     -xx - yy}};
}

// m a + U h and I alpha + w x I w + h x a
ALWAYS void
KN(newton_euler)(const mbd_inertia_t * M, const KN(id_motion) * b, KN(id_body) * out)
{
  const V3 w = b->w, al = b->alpha, a = b->a;
  const double m = M->mass, *I = &M->I.xx;
  const V3 h = {SPLAT(M->h.x), SPLAT(M->h.y), SPLAT(M->h.z)};
  const V3 Uh = KN(mul)(&b->U, h);
  out->f = (V3){Uh.x + m * a.x, Uh.y + m * a.y, Uh.z + m * a.z};
  const V3 L = {
    I[0] * w.x + I[1] * w.y + I[2] * w.z, I[1] * w.x + I[3] * w.y + I[4] * w.z,
    I[2] * w.x + I[4] * w.y + I[5] * w.z};
  out->n = (V3){
    I[0] * al.x + I[1] * al.y + I[2] * al.z + (w.y * L.z - w.z * L.y) + (h.y * a.z - h.z * a.y),
    I[1] * al.x + I[3] * al.y + I[4] * al.z + (w.z * L.x - w.x * L.z) + (h.z * a.x - h.x * a.z),
    I[2] * al.x + I[4] * al.y + I[5] * al.z + (w.x * L.y - w.y * L.x) + (h.x * a.y - h.y * a.x)};
}

// velocities and accelerations of a body from those of its parent: w0, alpha0, a0 are the parent's
// in the child's axes, at the child's origin
ALWAYS void
KN(move_body)(
  const mbd_plan_body_t * b, const REAL * v, const REAL * u, V3 w0, V3 alpha0, V3 a0,
  KN(id_motion) * out)
{
  const REAL rate = v ? v[b->v] : SPLAT(0.0), accel = u ? u[b->v] : SPLAT(0.0);
  out->w = w0;
  out->alpha = alpha0;
  out->a = a0;
  if (b->kind == PLAN_REVOLUTE) {
    out->w.z += rate;
    out->alpha = (V3){alpha0.x + w0.y * rate, alpha0.y - w0.x * rate, alpha0.z + accel};
  } else if (b->kind == PLAN_PRISMATIC) {
    const REAL twice = rate + rate;
    out->a = (V3){a0.x + w0.y * twice, a0.y - w0.x * twice, a0.z + accel};
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

// tips to bases: torques, forces to the parents
ALWAYS void
KN(gather)(const mbd_kernel_args_t * args, const KN(id_room) * room)
{
  const mbd_plan_t * plan = args->plan;
  REAL * tau = args->out;
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbd_plan_body_t * b = &plan->body[i];
    const V3 f = room->body[i].f, n = room->body[i].n;
    if (b->kind == PLAN_REVOLUTE)
      tau[b->v] = n.z;
    else if (b->kind == PLAN_PRISMATIC)
      tau[b->v] = f.z;
    else {
      REAL * t = tau + b->v;
      t[0] = f.x, t[1] = f.y, t[2] = f.z, t[3] = n.x, t[4] = n.y, t[5] = n.z;
    }
    if (b->parent < 0) continue;
    const KN(joint) j = KN(joint_at)(b, args->q, room->sine[i], room->cosine[i]);
    KN(id_body) * to = &room->body[b->parent];
    const V3 F = KN(to_parent)(&j, f), N = KN(to_parent)(&j, n), p = j.p;
    to->f = KN(add)(to->f, F);
    to->n = (V3){
      to->n.x + N.x + (p.y * F.z - p.z * F.y), to->n.y + N.y + (p.z * F.x - p.x * F.z),
      to->n.z + N.z + (p.x * F.y - p.y * F.x)};
  }
}

ALWAYS void
KN(inverse_sweep)(const mbd_kernel_args_t * args, const REAL * v, const REAL * u)
{
  const mbd_plan_t * plan = args->plan;
  const REAL * g = args->gravity;
  const KN(id_room) room = KN(id_room_of)(args);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    const KN(joint) j = KN(joint_at)(b, args->q, room.sine[i], room.cosine[i]);
    V3 w0 = {SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)}, alpha0 = w0, at = {-g[0], -g[1], -g[2]};
    if (b->parent >= 0) {
      const KN(id_motion) * from = &room.slot[plan->span[i].from];
      w0 = KN(to_child)(&j, from->w);
      alpha0 = KN(to_child)(&j, from->alpha);
      at = KN(add)(from->a, KN(mul)(&from->U, j.p));
    }
    KN(id_motion) moved;
    KN(move_body)(b, v, u, w0, alpha0, KN(to_child)(&j, at), &moved);
    moved.U = KN(rates)(moved.w, moved.alpha);
    KN(newton_euler)(&args->inertia[i], &moved, &room.body[i]);
    if (!plan->span[i].leaf) room.slot[plan->span[i].slot] = moved;
  }
  KN(gather)(args, &room);
  for (int k = 0; args->rotor && u && k < plan->nv; k++) {
    ((REAL *)args->out)[k] += args->rotor[k] * u[k];
  }
}

static bool
KN(inverse_dynamics)(const mbd_kernel_args_t * args)
{
  KN(inverse_sweep)(args, args->v, args->u);
  return true;
}

static bool
KN(bias)(const mbd_kernel_args_t * args)
{
  KN(inverse_sweep)(args, args->v, NULL);
  return true;
}

// the same with nothing moving
static bool
KN(gravity)(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  const REAL * g = args->gravity;
  const KN(id_room) room = KN(id_room_of)(args);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    const mbd_inertia_t * M = &args->inertia[i];
    const KN(joint) j = KN(joint_at)(b, args->q, room.sine[i], room.cosine[i]);
    const V3 up = {-g[0], -g[1], -g[2]};
    const V3 a = KN(to_child)(&j, b->parent >= 0 ? room.slot[plan->span[i].from].a : up);
    const double m = M->mass, hx = M->h.x, hy = M->h.y, hz = M->h.z;
    room.slot[plan->span[i].slot].a = a;
    room.body[i].f = (V3){m * a.x, m * a.y, m * a.z};
    room.body[i].n = (V3){hy * a.z - hz * a.y, hz * a.x - hx * a.z, hx * a.y - hy * a.x};
  }
  KN(gather)(args, &room);
  return true;
}
