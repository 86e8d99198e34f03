// Forward dynamics of several states, one in each lane, in world axes, each body at
// its own origin: moving an inertia to the parent is then a shift without any rotation, and nothing is
// ever seen from far away. Included by kernel_instance.c after kernel_inverse.h.

typedef struct KN(s3) {
  REAL xx, xy, xz, yy, yz, zz;
} KN(s3);

#define S3 KN(s3)

ALWAYS REAL
KN(dot)(V3 a, V3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// y + a x
ALWAYS V3
KN(axpy)(REAL a, V3 x, V3 y)
{
  return (V3){y.x + a * x.x, y.y + a * x.y, y.z + a * x.z};
}

ALWAYS V3
KN(smul)(const S3 * I, V3 a)
{
  return (V3){
    I->xx * a.x + I->xy * a.y + I->xz * a.z, I->xy * a.x + I->yy * a.y + I->yz * a.z,
    I->xz * a.x + I->yz * a.y + I->zz * a.z};
}

// rows of T turned about z by the angle with sine s and cosine c
ALWAYS void
KN(turn_z)(const REAL * T, REAL s, REAL c, REAL * R)
{
  for (int i = 0; i < 9; i += 3) {
    R[i] = c * T[i] + s * T[i + 1];
    R[i + 1] = c * T[i + 1] - s * T[i];
    R[i + 2] = T[i + 2];
  }
}

//---------- bodies in world axes, each at its own origin ----------

ALWAYS M3
KN(mul_const)(const M3 * B, const double * T)
{
  M3 C;
  for (int i = 0; i < 9; i += 3) {
    for (int j = 0; j < 3; j++) {
      C.m[i + j] = B->m[i] * T[j] + B->m[i + 1] * T[3 + j] + B->m[i + 2] * T[6 + j];
    }
  }
  return C;
}

ALWAYS M3
KN(mat_mul)(const M3 * A, const M3 * B)
{
  M3 C;
  for (int i = 0; i < 9; i += 3) {
    for (int j = 0; j < 3; j++) {
      C.m[i + j] = A->m[i] * B->m[j] + A->m[i + 1] * B->m[3 + j] + A->m[i + 2] * B->m[6 + j];
    }
  }
  return C;
}

// R I R^T
ALWAYS S3
KN(turn_inertia)(const M3 * R, const double * I)
{
  const REAL * m = R->m;
  V3 row[3];
  for (int i = 0; i < 3; i++) {
    const REAL x = m[3 * i], y = m[3 * i + 1], z = m[3 * i + 2];
    row[i] = (V3){
      I[0] * x + I[1] * y + I[2] * z, I[1] * x + I[3] * y + I[4] * z,
      I[2] * x + I[4] * y + I[5] * z};
  }
  return (S3){
    row[0].x * m[0] + row[0].y * m[1] + row[0].z * m[2],
    row[0].x * m[3] + row[0].y * m[4] + row[0].z * m[5],
    row[0].x * m[6] + row[0].y * m[7] + row[0].z * m[8],
    row[1].x * m[3] + row[1].y * m[4] + row[1].z * m[5],
    row[1].x * m[6] + row[1].y * m[7] + row[1].z * m[8],
    row[2].x * m[6] + row[2].y * m[7] + row[2].z * m[8]};
}

ALWAYS V3
KN(column)(const M3 * R, int j)
{
  return (V3){R->m[j], R->m[3 + j], R->m[6 + j]};
}

// body axes in the world from those of the parent (NULL: the world's), and the way between origins
ALWAYS void
KN(world_place)(
  const mbd_plan_body_t * b, const M3 * P, const REAL * q, REAL s, REAL c, M3 * R, V3 * d)
{
  const double *T = b->R, *p = b->p;
  M3 B;
  if (!P) {
    for (int k = 0; k < 9; k++) B.m[k] = SPLAT(T[k]);
    *d = (V3){SPLAT(p[0]), SPLAT(p[1]), SPLAT(p[2])};
  } else {
    B = KN(mul_const)(P, T);
    *d = (V3){
      P->m[0] * p[0] + P->m[1] * p[1] + P->m[2] * p[2],
      P->m[3] * p[0] + P->m[4] * p[1] + P->m[5] * p[2],
      P->m[6] * p[0] + P->m[7] * p[1] + P->m[8] * p[2]};
  }
  if (b->kind == PLAN_REVOLUTE) {
    KN(turn_z)(B.m, s, c, R->m);
  } else if (b->kind == PLAN_PRISMATIC) {
    *R = B;
    *d = KN(axpy)(q[b->q], KN(column)(&B, 2), *d);
  } else {
    const REAL * x = q + b->q;
    const M3 turn = KN(from_quaternion)(x + 3);
    *R = KN(mat_mul)(&B, &turn);
    *d = KN(add)(*d, KN(mul)(&B, (V3){x[0], x[1], x[2]}));
  }
}

// first moment and inertia in world axes
ALWAYS void
KN(world_inertia)(const mbd_inertia_t * M, const M3 * R, V3 * h, S3 * I)
{
  const double hx = M->h.x, hy = M->h.y, hz = M->h.z;
  const REAL * m = R->m;
  *h = (V3){
    m[0] * hx + m[1] * hy + m[2] * hz, m[3] * hx + m[4] * hy + m[5] * hz,
    m[6] * hx + m[7] * hy + m[8] * hz};
  *I = KN(turn_inertia)(R, &M->I.xx);
}

//---------- joints ----------

// axis and kind of degree of freedom k of a body: linear or angular
ALWAYS bool
KN(is_linear)(const mbd_plan_body_t * b, int k)
{
  return b->kind == PLAN_PRISMATIC || (b->kind == PLAN_FREE && k < 3);
}

ALWAYS V3
KN(axis)(const mbd_plan_body_t * b, const M3 * R, int k)
{
  return KN(column)(R, b->kind == PLAN_FREE ? k % 3 : 2);
}

//---------- forward dynamics ----------

// What is kept of each body is little, as robots of fifty joints are to stay near the processor:
// articulated inertias and accelerations are in the plan's slots.
typedef struct KN(fd_body) {
  M3 R;         // body axes in the world
  V3 d;         // from the parent's origin
  V3 rate;      // angular velocity
  V3 c_a, c_l;  // acceleration that velocities cause: angular, linear
  V3 U_a, U_l;  // P S; of a free joint the acceleration
  REAL inverse_D, u;
} KN(fd_body);

// articulated inertia [J H; H^T M] and residual force
typedef struct KN(fd_part) {
  S3 J, M;
  M3 H;
  V3 n, f;
} KN(fd_part);

typedef struct KN(fd_motion) {
  V3 alpha, a;
} KN(fd_motion);

static size_t
KN(fd_work)(const mbd_plan_t * plan)
{
  return (size_t)plan->nbody * sizeof(KN(fd_body)) + (size_t)plan->slots * sizeof(KN(fd_part)) +
         2 * (size_t)PADDED(plan->nbody) * sizeof(REAL);
}

// velocity, and the accelerations that it causes
ALWAYS void
KN(fd_velocity)(
  const mbd_plan_body_t * b, const REAL * v, const KN(fd_body) * from, KN(fd_body) * out)
{
  const V3 zero = {SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)};
  const V3 w0 = from ? from->rate : zero;
  const REAL rate = v ? v[b->v] : SPLAT(0.0);
  out->rate = w0;
  out->c_a = zero;
  out->c_l = from ? KN(cross)(w0, KN(cross)(w0, out->d)) : zero;
  if (b->kind == PLAN_REVOLUTE) {
    const V3 turn = KN(axpy)(rate, KN(column)(&out->R, 2), zero);
    out->rate = KN(add)(w0, turn);
    if (from) out->c_a = KN(cross)(w0, turn);
  } else if (b->kind == PLAN_PRISMATIC) {
    const V3 slide = KN(axpy)(rate + rate, KN(column)(&out->R, 2), zero);
    if (from) out->c_l = KN(add)(out->c_l, KN(cross)(w0, slide));
  } else if (v) {
    const V3 lin = KN(mul)(&out->R, KN(load)(&v[b->v]));
    const V3 ang = KN(mul)(&out->R, KN(load)(&v[b->v + 3]));
    const V3 turn = {w0.x + w0.x + ang.x, w0.y + w0.y + ang.y, w0.z + w0.z + ang.z};
    out->rate = KN(add)(w0, ang);
    out->c_a = KN(cross)(w0, ang);
    out->c_l = KN(add)(out->c_l, KN(cross)(turn, lin));
  }
}

// the body alone
ALWAYS
KN(fd_part) KN(fd_rigid)(const mbd_inertia_t * M, const KN(fd_body) * b)
{
  const V3 w = b->rate;
  const REAL zero = SPLAT(0.0), m = SPLAT(M->mass);
  V3 h;
  KN(fd_part) p;
  KN(world_inertia)(M, &b->R, &h, &p.J);
  p.H = (M3){{zero, -h.z, h.y, h.z, zero, -h.x, -h.y, h.x, zero}};
  p.M = (S3){m, zero, zero, m, zero, m};
  p.n = KN(cross)(w, KN(smul)(&p.J, w));
  p.f = KN(cross)(w, KN(cross)(w, h));
  return p;
}

ALWAYS void
KN(fd_add)(KN(fd_part) * to, const KN(fd_part) * p)
{
  to->J.xx += p->J.xx, to->J.xy += p->J.xy, to->J.xz += p->J.xz;
  to->J.yy += p->J.yy, to->J.yz += p->J.yz, to->J.zz += p->J.zz;
  to->M.xx += p->M.xx, to->M.xy += p->M.xy, to->M.xz += p->M.xz;
  to->M.yy += p->M.yy, to->M.yz += p->M.yz, to->M.zz += p->M.zz;
  for (int k = 0; k < 9; k++) to->H.m[k] += p->H.m[k];
  to->f = KN(add)(to->f, p->f);
  to->n = KN(add)(to->n, p->n);
}

// T^T P T and T^T f, T the shift by d
ALWAYS void
KN(fd_shift)(V3 d, KN(fd_part) * p)
{
  const S3 * M = &p->M;
  S3 * J = &p->J;
  const REAL * H = p->H.m;
  // H2 = H + [d] M
  const M3 N = {
    {H[0] + d.y * M->xz - d.z * M->xy, H[1] + d.y * M->yz - d.z * M->yy,
     H[2] + d.y * M->zz - d.z * M->yz, H[3] + d.z * M->xx - d.x * M->xz,
     H[4] + d.z * M->xy - d.x * M->yz, H[5] + d.z * M->xz - d.x * M->zz,
     H[6] + d.x * M->xy - d.y * M->xx, H[7] + d.x * M->yy - d.y * M->xy,
     H[8] + d.x * M->yz - d.y * M->xz}};
  const REAL * K = N.m;
  // J2 = J + [d] H^T - H2 [d]
  J->xx += (d.y * H[2] - d.z * H[1]) + (K[2] * d.y - K[1] * d.z);
  J->xy += (d.y * H[5] - d.z * H[4]) + (K[0] * d.z - K[2] * d.x);
  J->xz += (d.y * H[8] - d.z * H[7]) + (K[1] * d.x - K[0] * d.y);
  J->yy += (d.z * H[3] - d.x * H[5]) + (K[3] * d.z - K[5] * d.x);
  J->yz += (d.z * H[6] - d.x * H[8]) + (K[4] * d.x - K[3] * d.y);
  J->zz += (d.x * H[7] - d.y * H[6]) + (K[7] * d.x - K[6] * d.y);
  p->H = N;
  p->n = KN(add)(p->n, KN(cross)(d, p->f));
}

// P -= U U^T / D, and the force that the joint lets through
ALWAYS void
KN(fd_project)(const KN(fd_body) * b, KN(fd_part) * p)
{
  const V3 a = b->U_a, l = b->U_l;
  const REAL s = b->inverse_D;
  const V3 ga = {s * a.x, s * a.y, s * a.z}, gl = {s * l.x, s * l.y, s * l.z};
  S3 *J = &p->J, *M = &p->M;
  REAL * H = p->H.m;
  J->xx -= ga.x * a.x, J->xy -= ga.x * a.y, J->xz -= ga.x * a.z;
  J->yy -= ga.y * a.y, J->yz -= ga.y * a.z, J->zz -= ga.z * a.z;
  M->xx -= gl.x * l.x, M->xy -= gl.x * l.y, M->xz -= gl.x * l.z;
  M->yy -= gl.y * l.y, M->yz -= gl.y * l.z, M->zz -= gl.z * l.z;
  H[0] -= ga.x * l.x, H[1] -= ga.x * l.y, H[2] -= ga.x * l.z;
  H[3] -= ga.y * l.x, H[4] -= ga.y * l.y, H[5] -= ga.y * l.z;
  H[6] -= ga.z * l.x, H[7] -= ga.z * l.y, H[8] -= ga.z * l.z;
  p->n = KN(axpy)(b->u, ga, KN(add)(p->n, KN(add)(KN(smul)(J, b->c_a), KN(mul)(&p->H, b->c_l))));
  p->f = KN(axpy)(b->u, gl, KN(add)(p->f, KN(add)(KN(tmul)(&p->H, b->c_a), KN(smul)(M, b->c_l))));
}

// one degree of freedom: U, D, u; bits of *weak in lanes where nothing resists the joint
ALWAYS void
KN(fd_hinge)(
  const mbd_plan_body_t * plan, REAL tau, double rotor, const KN(fd_part) * p, KN(fd_body) * b,
  INT * weak)
{
  const V3 e = KN(column)(&b->R, 2);
  REAL D, floor;
  if (plan->kind == PLAN_REVOLUTE) {
    b->U_a = KN(smul)(&p->J, e);
    b->U_l = KN(tmul)(&p->H, e);
    D = KN(dot)(e, b->U_a);
    floor = p->J.xx + p->J.yy + p->J.zz;
    b->u = tau - KN(dot)(e, p->n);
  } else {
    b->U_a = KN(mul)(&p->H, e);
    b->U_l = KN(smul)(&p->M, e);
    D = KN(dot)(e, b->U_l);
    floor = p->M.xx + p->M.yy + p->M.zz;
    b->u = tau - KN(dot)(e, p->f);
  }
  D += rotor;
  b->inverse_D = 1.0 / D;
  *weak |= ~(D > 1e-12 * floor);
}

//---------- a free joint: six by six ----------

// torque of the joint in world axes
ALWAYS void
KN(fd_free_torque)(const KN(fd_body) * b, const REAL * tau, V3 * f, V3 * n)
{
  *f = *n = (V3){SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)};
  if (tau) *f = KN(mul)(&b->R, KN(load)(tau)), *n = KN(mul)(&b->R, KN(load)(tau + 3));
}

// U = P^-1 (tau - residual): acceleration that the joint's torque, less the residual force, gives the
// whole. Of the inertia it lets nothing through, only the torque of the joint itself.
ALWAYS bool
KN(fd_free)(const REAL * tau, KN(fd_part) * p, KN(fd_body) * b)
{
  const REAL * H = p->H.m;
  const REAL turn = 1e-12 * (p->J.xx + p->J.yy + p->J.zz),
             move = 1e-12 * (p->M.xx + p->M.yy + p->M.zz), zero = SPLAT(0.0);
  const REAL floor[6] = {turn, turn, turn, move, move, move};
  REAL A[6][6] = {
    {p->J.xx},
    {p->J.xy, p->J.yy},
    {p->J.xz, p->J.yz, p->J.zz},
    {H[0], H[3], H[6], p->M.xx},
    {H[1], H[4], H[7], p->M.xy, p->M.yy},
    {H[2], H[5], H[8], p->M.xz, p->M.yz, p->M.zz}};
  V3 f, n;
  KN(fd_free_torque)(b, tau, &f, &n);
  REAL x[6] = {n.x - p->n.x, n.y - p->n.y, n.z - p->n.z, f.x - p->f.x, f.y - p->f.y, f.z - p->f.z};
  const bool good = KN(factor6)(A, floor);
  KN(solve6)(A, x);
  b->U_a = (V3){x[0], x[1], x[2]};
  b->U_l = (V3){x[3], x[4], x[5]};
  p->J = p->M = (S3){zero, zero, zero, zero, zero, zero};
  p->H = (M3){{zero, zero, zero, zero, zero, zero, zero, zero, zero}};
  p->f = f;
  p->n = n;
  return good;
}

//---------- three sweeps ----------

ALWAYS void
KN(fd_place)(
  const mbd_kernel_args_t * args, const REAL * sine, const REAL * cosine, KN(fd_body) * body)
{
  const mbd_plan_t * plan = args->plan;
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    const KN(fd_body) * from = b->parent >= 0 ? &body[b->parent] : NULL;
    KN(fd_body) * out = &body[i];
    KN(world_place)(b, from ? &from->R : NULL, args->q, sine[i], cosine[i], &out->R, &out->d);
    KN(fd_velocity)(b, args->v, from, out);
  }
}

// the last child is the first to come here: it finds nothing in the slot that it gives to
ALWAYS bool
KN(fd_gather)(const mbd_kernel_args_t * args, KN(fd_part) * slot, KN(fd_body) * body)
{
  const mbd_plan_t * plan = args->plan;
  const REAL * tau = args->u;
  INT weak = {0};
  bool good = true;
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbd_plan_body_t * b = &plan->body[i];
    const mbd_plan_span_t * span = &plan->span[i];
    KN(fd_part) p = KN(fd_rigid)(&args->inertia[i], &body[i]);
    if (!span->leaf) KN(fd_add)(&p, &slot[span->slot]);
    if (b->kind == PLAN_FREE) {
      good = KN(fd_free)(tau ? tau + b->v : NULL, &p, &body[i]) && good;
    } else {
      const double rotor = args->rotor ? args->rotor[b->v] : 0;
      KN(fd_hinge)(b, tau ? tau[b->v] : SPLAT(0.0), rotor, &p, &body[i], &weak);
      if (b->parent >= 0) KN(fd_project)(&body[i], &p);
    }
    if (b->parent < 0) continue;
    KN(fd_shift)(body[i].d, &p);
    if (span->slot != span->from) KN(fd_add)(&p, &slot[span->from]);
    slot[span->from] = p;
  }
  return good && !any_many(weak);
}

// acceleration of a body from its parent's, and of its joint
ALWAYS void
KN(fd_accelerate)(
  const mbd_plan_body_t * p, const KN(fd_motion) * from, const REAL * g, const KN(fd_body) * b,
  KN(fd_motion) * to, REAL * out)
{
  V3 alpha = b->c_a, a = KN(add)(b->c_l, (V3){-g[0], -g[1], -g[2]});
  if (from) {
    alpha = KN(add)(from->alpha, b->c_a);
    a = KN(add)(KN(add)(from->a, KN(cross)(from->alpha, b->d)), b->c_l);
  }
  if (p->kind == PLAN_FREE) {
    // U_a and U_l hold the solution: acceleration that the joint gives to what was still
    const V3 turn = b->U_a, move = b->U_l;
    const V3 lin = KN(tmul)(&b->R, (V3){move.x - a.x, move.y - a.y, move.z - a.z});
    const V3 ang = KN(tmul)(&b->R, (V3){turn.x - alpha.x, turn.y - alpha.y, turn.z - alpha.z});
    REAL * o = out + p->v;
    o[0] = lin.x, o[1] = lin.y, o[2] = lin.z, o[3] = ang.x, o[4] = ang.y, o[5] = ang.z;
    *to = (KN(fd_motion)){turn, move};
    return;
  }
  const V3 e = KN(column)(&b->R, 2);
  const REAL x = b->inverse_D * (b->u - KN(dot)(b->U_a, alpha) - KN(dot)(b->U_l, a));
  out[p->v] = x;
  to->alpha = p->kind == PLAN_REVOLUTE ? KN(axpy)(x, e, alpha) : alpha;
  to->a = p->kind == PLAN_REVOLUTE ? a : KN(axpy)(x, e, a);
}

static bool
KN(forward_dynamics)(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  KN(fd_body) * body = args->work;
  KN(fd_part) * slot = (KN(fd_part) *)(body + plan->nbody);
  KN(fd_motion) * motion = (KN(fd_motion) *)slot;  // when the inertias are no more needed
  REAL *sine = (REAL *)(slot + plan->slots), *cosine = sine + PADDED(plan->nbody);
  KN(joint_sines)(plan, args->q, sine, cosine);
  KN(fd_place)(args, sine, cosine, body);
  const bool good = KN(fd_gather)(args, slot, body);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_span_t * span = &plan->span[i];
    const KN(fd_motion) * from = plan->body[i].parent >= 0 ? &motion[span->from] : NULL;
    KN(fd_motion) to;
    KN(fd_accelerate)(&plan->body[i], from, args->gravity, &body[i], &to, args->out);
    motion[span->slot] = to;
  }
  return good;
}
