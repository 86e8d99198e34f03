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

ALWAYS M3
KN(const_mul)(const double * T, const M3 * B)
{
  M3 C;
  for (int i = 0; i < 9; i += 3) {
    for (int j = 0; j < 3; j++) {
      C.m[i + j] = T[i] * B->m[j] + T[i + 1] * B->m[3 + j] + T[i + 2] * B->m[6 + j];
    }
  }
  return C;
}

// child in the parent: R and p
ALWAYS void
KN(joint_place)(const mbd_plan_body_t * b, const REAL * q, REAL s, REAL c, M3 * R, V3 * p)
{
  const double * T = b->R;
  const V3 origin = {SPLAT(b->p[0]), SPLAT(b->p[1]), SPLAT(b->p[2])};
  *p = origin;
  if (b->kind == PLAN_REVOLUTE) {
    for (int i = 0; i < 9; i += 3) {
      R->m[i] = c * T[i] + s * T[i + 1];
      R->m[i + 1] = c * T[i + 1] - s * T[i];
      R->m[i + 2] = SPLAT(T[i + 2]);
    }
  } else if (b->kind == PLAN_PRISMATIC) {
    const REAL d = q[b->q];
    for (int i = 0; i < 9; i++) R->m[i] = SPLAT(T[i]);
    *p = (V3){origin.x + d * T[2], origin.y + d * T[5], origin.z + d * T[8]};
  } else {
    const REAL * x = q + b->q;
    const M3 turn = KN(from_quaternion)(x + 3);
    *R = KN(const_mul)(T, &turn);
    *p = (V3){
      origin.x + T[0] * x[0] + T[1] * x[1] + T[2] * x[2],
      origin.y + T[3] * x[0] + T[4] * x[1] + T[5] * x[2],
      origin.z + T[6] * x[0] + T[7] * x[1] + T[8] * x[2]};
  }
}

//---------- inverse dynamics, in body axes ----------

typedef struct KN(id_body) {
  M3 R;
  V3 p;
  V3 w, alpha, a;  // angular velocity and acceleration, acceleration of the origin
  M3 U;            // tilde(alpha) + tilde(w) tilde(w): acceleration per place in the body
  V3 f, n;         // force and moment at the origin
} KN(id_body);

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
KN(newton_euler)(const mbd_inertia_t * M, KN(id_body) * b)
{
  const V3 w = b->w, al = b->alpha, a = b->a;
  const double m = M->mass, *I = &M->I.xx;
  const V3 h = {SPLAT(M->h.x), SPLAT(M->h.y), SPLAT(M->h.z)};
  const V3 Uh = KN(mul)(&b->U, h);
  b->f = (V3){Uh.x + m * a.x, Uh.y + m * a.y, Uh.z + m * a.z};
  const V3 L = {
    I[0] * w.x + I[1] * w.y + I[2] * w.z, I[1] * w.x + I[3] * w.y + I[4] * w.z,
    I[2] * w.x + I[4] * w.y + I[5] * w.z};
  b->n = (V3){
    I[0] * al.x + I[1] * al.y + I[2] * al.z + (w.y * L.z - w.z * L.y) + (h.y * a.z - h.z * a.y),
    I[1] * al.x + I[3] * al.y + I[4] * al.z + (w.z * L.x - w.x * L.z) + (h.z * a.x - h.x * a.z),
    I[2] * al.x + I[4] * al.y + I[5] * al.z + (w.x * L.y - w.y * L.x) + (h.x * a.y - h.y * a.x)};
}

// velocities and accelerations of a body from those of its parent: w0, alpha0, a0 are the parent's
// in the child's axes, at the child's origin
ALWAYS void
KN(move_body)(
  const mbd_plan_body_t * b, const REAL * v, const REAL * u, V3 w0, V3 alpha0, V3 a0,
  KN(id_body) * out)
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
KN(gather)(const mbd_plan_t * plan, KN(id_body) * body, REAL * tau)
{
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbd_plan_body_t * b = &plan->body[i];
    const V3 f = body[i].f, n = body[i].n;
    if (b->kind == PLAN_REVOLUTE)
      tau[b->v] = n.z;
    else if (b->kind == PLAN_PRISMATIC)
      tau[b->v] = f.z;
    else {
      REAL * t = tau + b->v;
      t[0] = f.x, t[1] = f.y, t[2] = f.z, t[3] = n.x, t[4] = n.y, t[5] = n.z;
    }
    if (b->parent < 0) continue;
    KN(id_body) * to = &body[b->parent];
    const V3 F = KN(mul)(&body[i].R, f), N = KN(mul)(&body[i].R, n), p = body[i].p;
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
  const REAL *q = args->q, *g = args->gravity;
  KN(id_body) * body = args->work;
  REAL *sine = (REAL *)(body + plan->nbody), *cosine = sine + PADDED(plan->nbody);
  KN(joint_sines)(plan, q, sine, cosine);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    KN(id_body) * out = &body[i];
    KN(joint_place)(b, q, sine[i], cosine[i], &out->R, &out->p);
    V3 w0 = {SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)}, alpha0 = w0, at = {-g[0], -g[1], -g[2]};
    if (b->parent >= 0) {
      const KN(id_body) * from = &body[b->parent];
      const V3 Up = KN(mul)(&from->U, out->p);
      w0 = KN(tmul)(&out->R, from->w);
      alpha0 = KN(tmul)(&out->R, from->alpha);
      at = KN(add)(from->a, Up);
    }
    KN(move_body)(b, v, u, w0, alpha0, KN(tmul)(&out->R, at), out);
    out->U = KN(rates)(out->w, out->alpha);
    KN(newton_euler)(&args->inertia[i], out);
  }
  KN(gather)(plan, body, args->out);
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
  const REAL *q = args->q, *g = args->gravity;
  KN(id_body) * body = args->work;
  REAL *sine = (REAL *)(body + plan->nbody), *cosine = sine + PADDED(plan->nbody);
  KN(joint_sines)(plan, q, sine, cosine);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    const mbd_inertia_t * M = &args->inertia[i];
    KN(id_body) * out = &body[i];
    KN(joint_place)(b, q, sine[i], cosine[i], &out->R, &out->p);
    const V3 up = {-g[0], -g[1], -g[2]};
    const V3 a = KN(tmul)(&out->R, b->parent >= 0 ? body[b->parent].a : up);
    const double m = M->mass, hx = M->h.x, hy = M->h.y, hz = M->h.z;
    out->a = a;
    out->f = (V3){m * a.x, m * a.y, m * a.z};
    out->n = (V3){hy * a.z - hz * a.y, hz * a.x - hx * a.z, hx * a.y - hy * a.x};
  }
  KN(gather)(plan, body, args->out);
  return true;
}
