// Forward dynamics of several states, one in each lane, in the axes of lean bodies. Included by
// kernel_instance.c after kernel_mass_many.h.
//
// Three sweeps: from bases to tips the forces that velocities and gravity ask for while no joint
// accelerates; from tips to bases articulated inertias, and what these forces leave of the torques;
// from bases to tips what joints and bodies accelerate more than in the first sweep. There a joint
// that turns without rotor lets nothing of an inertia through about its axis: of 21 numbers 15 are left
// to be turned. Forces are those of what is left of inertias (lean.h), as a mass on the axis of a joint
// does not move it; articulated inertias are those of whole bodies.

// What is kept of each body is little, as robots of fifty joints are to stay near the processor. A joint
// accelerates by `own` less the product of n and f with the acceleration of its parent. Of a free
// joint n and f are the accelerations. Before, these are moment and force.
typedef struct KN(fd_body) {
  KN(id_body) force;
  REAL own;
} KN(fd_body);

// articulated inertia [J H; H^T M] and residual force, at the origin and in the axes of a body
typedef struct KN(fd_part) {
  S3 J, M;
  M3 H;
  V3 n, f;
} KN(fd_part);

typedef struct KN(fd_motion) {
  V3 alpha, a;
} KN(fd_motion);

// one of the plan's slots has the one after the other
typedef union KN(fd_slot) {
  KN(id_motion) bias;
  KN(fd_part) part;
  KN(fd_motion) motion;
} KN(fd_slot);

typedef struct KN(fd_room) {
  KN(fd_body) * body;
  KN(fd_slot) * slot;
  REAL *sine, *cosine;
} KN(fd_room);

static size_t
KN(fd_work)(const mbdi_plan_t * plan)
{
  return (size_t)plan->nbody * sizeof(KN(fd_body)) + (size_t)plan->slots * sizeof(KN(fd_slot)) +
         2 * (size_t)PADDED(plan->nbody) * sizeof(REAL);
}

ALWAYS
KN(fd_room) KN(fd_room_of)(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  KN(fd_room) r;
  r.body = args->work;
  r.slot = (KN(fd_slot) *)(r.body + plan->nbody);
  r.sine = (REAL *)(r.slot + plan->slots);
  r.cosine = r.sine + PADDED(plan->nbody);
  return r;
}

//---------- ways between bodies ----------

// what follows, once for each way
#define LEAN_WAYS(way, CALL)               \
  switch (way) {                           \
    case WAY_RIGHT: CALL(WAY_RIGHT);       \
    case WAY_PARALLEL: CALL(WAY_PARALLEL); \
    case WAY_TWIST: CALL(WAY_TWIST);       \
    case WAY_TURN: CALL(WAY_TURN);         \
    case WAY_SLIDE: CALL(WAY_SLIDE);       \
    default: CALL(WAY_FREE);               \
  }

// along two axes only
ALWAYS bool
KN(is_short)(int way)
{
  return way == WAY_RIGHT || way == WAY_PARALLEL || way == WAY_TWIST;
}

ALWAYS int
KN(kind_of)(int way)
{
  if (way == WAY_SLIDE) return LEAN_SLIDE;
  if (way == WAY_FREE) return LEAN_FREE;
  return KN(is_short)(way) ? LEAN_TWIST : LEAN_TURN;
}

ALWAYS V3
KN(way_child)(int way, const KN(joint) * j, V3 x)
{
  if (way == WAY_PARALLEL) return (V3){j->c * x.x + j->s * x.y, j->c * x.y - j->s * x.x, x.z};
  if (way != WAY_RIGHT) return KN(to_child)(KN(kind_of)(way), j, x);
  return (V3){j->c * x.x - j->s * x.z, -j->c * x.z - j->s * x.x, x.y};
}

//---------- bases to tips: forces while no joint accelerates ----------

// acceleration of where a way leaves the parent
ALWAYS V3
KN(fd_leave)(int way, const KN(joint) * j, const KN(id_motion) * from)
{
  if (!KN(is_short)(way)) return KN(add)(from->a, KN(mul)(&from->U, j->p));
  return KN(axpy)(SPLAT(j->b->foot), KN(column)(&from->U, 0), from->a);
}

ALWAYS void
KN(fd_bias)(int way, const mbdi_kernel_args_t * args, const KN(fd_room) * r, int i, bool base)
{
  const mbdi_lean_body_t * b = &args->plan->lean[i];
  const mbdi_plan_span_t * span = &args->plan->span[i];
  const KN(id_motion) * from = &r->slot[span->from].bias;
  const REAL * g = args->gravity;
  const KN(joint) j = KN(joint_at)(KN(kind_of)(way), b, args->q, r->sine[i], r->cosine[i]);
  V3 w0 = {SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)}, alpha0 = w0, at = {-g[0], -g[1], -g[2]};
  if (!base) {
    w0 = KN(way_child)(way, &j, from->w);
    alpha0 = KN(way_child)(way, &j, from->alpha);
    at = KN(fd_leave)(way, &j, from);
  }
  KN(id_motion) to;
  at = KN(way_child)(way, &j, at);
  KN(move_body)(KN(kind_of)(way), b, args->v, NULL, w0, alpha0, at, &to);
  to.U = KN(rates)(to.w, to.alpha);
  // points of its axis move with the parent, and with the body
  if (!base && KN(is_short)(way)) to.a = KN(axpy)(SPLAT(b->along), KN(column)(&to.U, 2), to.a);
  KN(newton_euler)(KN(kind_of)(way), &args->lean[i], &to, &r->body[i].force);
  if (!b->leaf) r->slot[span->slot].bias = to;
}

ALWAYS void
KN(fd_forces)(const mbdi_kernel_args_t * args, const KN(fd_room) * r)
{
  for (int i = 0; i < args->plan->nbody; i++) {
    const mbdi_lean_body_t * b = &args->plan->lean[i];
#define BIAS(way)                        \
  if (b->parent < 0)                     \
    KN(fd_bias)(way, args, r, i, true);  \
  else                                   \
    KN(fd_bias)(way, args, r, i, false); \
  break
    LEAN_WAYS(b->way, BIAS)
#undef BIAS
  }
}

//---------- articulated inertias: turned ----------

// a block that is not symmetric, turned in its plane
ALWAYS void
KN(turn_any)(REAL ss, REAL cs, REAL * xx, REAL * xy, REAL * yx, REAL * yy)
{
  const REAL d = *xx - *yy, e = *xy + *yx, much = ss * d + cs * e, more = cs * d - ss * e;
  *xx -= much;
  *yy += much;
  *xy += more;
  *yx += more;
}

// about z; flat: nothing is about z
ALWAYS void
KN(fd_turn_z)(bool flat, REAL s, REAL c, KN(fd_part) * p)
{
  const REAL ss = s * s, cs = c * s, sin2 = cs + cs, cos2 = 1.0 - (ss + ss);
  S3 *J = &p->J, *M = &p->M;
  REAL * H = p->H.m;
  KN(turn_block)(ss, cs, sin2, cos2, &J->xx, &J->xy, &J->yy);
  KN(turn_block)(ss, cs, sin2, cos2, &M->xx, &M->xy, &M->yy);
  KN(turn_any)(ss, cs, &H[0], &H[1], &H[3], &H[4]);
  KN(turn_pair)(s, c, &M->xz, &M->yz);
  KN(turn_pair)(s, c, &H[2], &H[5]);
  KN(turn_pair)(s, c, &p->f.x, &p->f.y);
  KN(turn_pair)(s, c, &p->n.x, &p->n.y);
  if (flat) return;
  KN(turn_pair)(s, c, &J->xz, &J->yz);
  KN(turn_pair)(s, c, &H[6], &H[7]);
}

// H and J about x, of which nothing is about z
ALWAYS void
KN(twist_flat)(const mbdi_lean_body_t * b, KN(fd_part) * p)
{
  const mbdi_lean_squares_t * q = &b->square;
  const REAL s = SPLAT(b->twist.s), c = SPLAT(b->twist.c), xy = p->J.xy, yy = p->J.yy;
  REAL * H = p->H.m;
  p->J.xy = c * xy, p->J.xz = s * xy;
  p->J.yy = q->cc * yy, p->J.yz = q->cs * yy, p->J.zz = q->ss * yy;
  KN(turn_pair)(s, c, &H[1], &H[2]);
  KN(turn_pair)(s, c, &H[4], &H[5]);
  for (int k = 3; k < 6; k++) {
    H[k + 3] = s * H[k];
    H[k] = c * H[k];
  }
}

ALWAYS void
KN(twist_whole)(const mbdi_lean_body_t * b, KN(fd_part) * p)
{
  const mbdi_lean_squares_t * q = &b->square;
  const REAL s = SPLAT(b->twist.s), c = SPLAT(b->twist.c), ss = SPLAT(q->ss), cs = SPLAT(q->cs);
  const REAL sin2 = SPLAT(q->sin2), cos2 = SPLAT(q->cos2);
  REAL * H = p->H.m;
  KN(turn_block)(ss, cs, sin2, cos2, &p->J.yy, &p->J.yz, &p->J.zz);
  KN(turn_pair)(s, c, &p->J.xy, &p->J.xz);
  KN(turn_any)(ss, cs, &H[4], &H[5], &H[7], &H[8]);
  KN(turn_pair)(s, c, &H[1], &H[2]);
  KN(turn_pair)(s, c, &H[3], &H[6]);
}

// about x
ALWAYS void
KN(fd_turn_x)(bool flat, const mbdi_lean_body_t * b, KN(fd_part) * p)
{
  const mbdi_lean_squares_t * q = &b->square;
  const REAL s = SPLAT(b->twist.s), c = SPLAT(b->twist.c), ss = SPLAT(q->ss), cs = SPLAT(q->cs);
  const REAL sin2 = SPLAT(q->sin2), cos2 = SPLAT(q->cos2);
  S3 * M = &p->M;
  KN(turn_block)(ss, cs, sin2, cos2, &M->yy, &M->yz, &M->zz);
  KN(turn_pair)(s, c, &M->xy, &M->xz);
  KN(turn_pair)(s, c, &p->f.y, &p->f.z);
  KN(turn_pair)(s, c, &p->n.y, &p->n.z);
  if (flat)
    KN(twist_flat)(b, p);
  else
    KN(twist_whole)(b, p);
}

// A quarter turn about x, from y to -z: nothing was about z, nothing is about y. What is zero is not
// set: KN(fd_step_right) does.
ALWAYS void
KN(fd_quarter)(KN(fd_part) * p)
{
  const S3 M = p->M, J = p->J;
  const M3 H = p->H;
  const REAL * h = H.m;
  const V3 f = p->f, n = p->n;
  p->M = (S3){M.xx, M.xz, -M.xy, M.zz, -M.yz, M.yy};
  p->J.xz = -J.xy, p->J.zz = J.yy;
  p->H.m[1] = h[2], p->H.m[2] = -h[1];
  p->H.m[6] = -h[3], p->H.m[7] = -h[5], p->H.m[8] = h[4];
  p->f = (V3){f.x, f.z, -f.y};
  p->n = (V3){n.x, n.z, -n.y};
}

// any other turn: columns, then rows
ALWAYS void
KN(fd_turn)(int kind, const KN(joint) * j, KN(fd_part) * p)
{
  REAL * H = p->H.m;
  KN(turn_sym)(kind, j, &p->J);
  KN(turn_sym)(kind, j, &p->M);
  for (int k = 0; k < 3; k++) {
    const V3 x = KN(to_parent)(kind, j, KN(column)(&p->H, k));
    H[k] = x.x, H[3 + k] = x.y, H[6 + k] = x.z;
  }
  for (int k = 0; k < 9; k += 3) {
    const V3 x = KN(to_parent)(kind, j, KN(load)(&H[k]));
    H[k] = x.x, H[k + 1] = x.y, H[k + 2] = x.z;
  }
  p->f = KN(to_parent)(kind, j, p->f);
  p->n = KN(to_parent)(kind, j, p->n);
}

//---------- articulated inertias: moved ----------

// along z by d, while nothing is about z
ALWAYS void
KN(fd_step_z)(REAL d, KN(fd_part) * p)
{
  const S3 * M = &p->M;
  S3 * J = &p->J;
  REAL * H = p->H.m;
  const REAL k[6] = {H[0] - d * M->xy, H[1] - d * M->yy, H[2] - d * M->yz,
                     H[3] + d * M->xx, H[4] + d * M->xy, H[5] + d * M->xz};
  J->xx -= d * H[1] + d * k[1];
  J->xy += d * k[0] - d * H[4];
  J->yy += d * H[3] + d * k[3];
  for (int i = 0; i < 6; i++) H[i] = k[i];
  p->n.x -= d * p->f.y;
  p->n.y += d * p->f.x;
}

// along x by d
ALWAYS void
KN(fd_step_x)(REAL d, KN(fd_part) * p)
{
  const S3 * M = &p->M;
  S3 * J = &p->J;
  REAL * H = p->H.m;
  const REAL k[6] = {H[3] - d * M->xz, H[4] - d * M->yz, H[5] - d * M->zz,
                     H[6] + d * M->xy, H[7] + d * M->yy, H[8] + d * M->yz};
  J->xy -= d * H[2];
  J->xz += d * H[1];
  J->yy -= d * H[5] + d * k[2];
  J->yz += d * k[1] - d * H[8];
  J->zz += d * H[7] + d * k[4];
  for (int i = 0; i < 6; i++) H[3 + i] = k[i];
  p->n.y -= d * p->f.z;
  p->n.z += d * p->f.y;
}

// the same while nothing is about y
ALWAYS void
KN(fd_step_right)(REAL d, KN(fd_part) * p)
{
  const S3 * M = &p->M;
  S3 * J = &p->J;
  REAL * H = p->H.m;
  const REAL k[6] = {-d * M->xz,       -d * M->yz,       -d * M->zz,
                     H[6] + d * M->xy, H[7] + d * M->yy, H[8] + d * M->yz};
  J->xy = -d * H[2];
  J->xz += d * H[1];
  J->yy = -d * k[2];
  J->yz = d * k[1] - d * H[8];
  J->zz += d * H[7] + d * k[4];
  for (int i = 0; i < 6; i++) H[3 + i] = k[i];
  p->n.y -= d * p->f.z;
  p->n.z += d * p->f.y;
}

// the same while nothing is about z
ALWAYS void
KN(fd_step_flat)(REAL d, KN(fd_part) * p)
{
  const S3 * M = &p->M;
  S3 * J = &p->J;
  REAL * H = p->H.m;
  const REAL k[6] = {H[3] - d * M->xz, H[4] - d * M->yz, H[5] - d * M->zz,
                     d * M->xy,        d * M->yy,        d * M->yz};
  J->xy -= d * H[2];
  J->xz = d * H[1];
  J->yy -= d * H[5] + d * k[2];
  J->yz = d * k[1];
  J->zz = d * k[4];
  for (int i = 0; i < 6; i++) H[3 + i] = k[i];
  p->n.y -= d * p->f.z;
  p->n.z += d * p->f.y;
}

// by any way: T^T P T and T^T f, T the shift by d
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

// to the axes and the origin of the parent
ALWAYS void
KN(fd_carry)(int way, const KN(joint) * j, KN(fd_part) * p)
{
  const mbdi_lean_body_t * b = j->b;
  const bool flat = way != WAY_ROTOR;
  if (way == WAY_SLIDE || way == WAY_FREE) {
    KN(fd_turn)(KN(kind_of)(way), j, p);
  } else {
    KN(fd_turn_z)(flat, j->s, j->c, p);
    if (KN(is_short)(way) && b->along != 0) KN(fd_step_z)(SPLAT(b->along), p);
    if (way == WAY_RIGHT)
      KN(fd_quarter)(p);
    else if (way != WAY_PARALLEL)
      KN(fd_turn_x)(flat, b, p);
  }
  if ((way == WAY_TURN || way == WAY_ROTOR) && b->kind == LEAN_TURN) {
    KN(fd_turn_z)(false, SPLAT(b->mount.s), SPLAT(b->mount.c), p);
  }
  if (way == WAY_RIGHT)
    KN(fd_step_right)(SPLAT(b->foot), p);
  else if (way == WAY_PARALLEL)
    KN(fd_step_flat)(SPLAT(b->foot), p);
  else if (way == WAY_TWIST)
    KN(fd_step_x)(SPLAT(b->foot), p);
  else
    KN(fd_shift)(j->p, p);
}

//---------- articulated inertias: joints ----------

// the body alone
ALWAYS
KN(fd_part) KN(fd_rigid)(const mbdi_lean_inertia_t * whole, const KN(fd_body) * b)
{
  const REAL zero = SPLAT(0.0), m = SPLAT(whole->mass);
  const mbd_vec3_t h = whole->h;
  const mbd_sym3_t * J = &whole->J;
  KN(fd_part) p;
  p.J = (S3){SPLAT(J->xx), SPLAT(J->xy), SPLAT(J->xz), SPLAT(J->yy), SPLAT(J->yz), SPLAT(J->zz)};
  p.H = (M3){
    {zero, SPLAT(-h.z), SPLAT(h.y), SPLAT(h.z), zero, SPLAT(-h.x), SPLAT(-h.y), SPLAT(h.x), zero}};
  p.M = (S3){m, zero, zero, m, zero, m};
  p.n = b->force.n;
  p.f = b->force.f;
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

// one by one: the compiler would call for a string of numbers, which takes longer
ALWAYS void
KN(fd_put)(const KN(fd_part) * p, KN(fd_part) * to)
{
  to->J.xx = p->J.xx, to->J.xy = p->J.xy, to->J.xz = p->J.xz;
  to->J.yy = p->J.yy, to->J.yz = p->J.yz, to->J.zz = p->J.zz;
  to->M.xx = p->M.xx, to->M.xy = p->M.xy, to->M.xz = p->M.xz;
  to->M.yy = p->M.yy, to->M.yz = p->M.yz, to->M.zz = p->M.zz;
  for (int k = 0; k < 9; k++) to->H.m[k] = p->H.m[k];
  to->f = p->f;
  to->n = p->n;
}

// the body and what hangs on it
ALWAYS
KN(fd_part)
KN(fd_with_children)
(const mbdi_lean_inertia_t * whole, const KN(fd_body) * b, const KN(fd_part) * of)
{
  const mbd_vec3_t h = whole->h;
  const mbd_sym3_t * J = &whole->J;
  const double m = whole->mass;
  const S3 *I = &of->J, *M = &of->M;
  const REAL * H = of->H.m;
  KN(fd_part) p;
  p.J =
    (S3){I->xx + J->xx, I->xy + J->xy, I->xz + J->xz, I->yy + J->yy, I->yz + J->yz, I->zz + J->zz};
  p.H = (M3){
    {H[0], H[1] - h.z, H[2] + h.y, H[3] + h.z, H[4], H[5] - h.x, H[6] - h.y, H[7] + h.x, H[8]}};
  p.M = (S3){M->xx + m, M->xy, M->xz, M->yy + m, M->yz, M->zz + m};
  p.f = KN(add)(of->f, b->force.f);
  p.n = KN(add)(of->n, b->force.n);
  return p;
}

// P -= U U^T / D, and the force that the joint lets through: what is not about z
ALWAYS void
KN(fd_project_flat)(REAL tau, const KN(fd_body) * b, KN(fd_part) * p)
{
  const V3 ga = b->force.n, gl = b->force.f, l = {p->H.m[6], p->H.m[7], p->H.m[8]};
  const REAL x = p->J.xz, y = p->J.yz;
  S3 *J = &p->J, *M = &p->M;
  REAL * H = p->H.m;
  J->xx -= ga.x * x, J->xy -= ga.x * y, J->yy -= ga.y * y;
  M->xx -= gl.x * l.x, M->xy -= gl.x * l.y, M->xz -= gl.x * l.z;
  M->yy -= gl.y * l.y, M->yz -= gl.y * l.z, M->zz -= gl.z * l.z;
  H[0] -= ga.x * l.x, H[1] -= ga.x * l.y, H[2] -= ga.x * l.z;
  H[3] -= ga.y * l.x, H[4] -= ga.y * l.y, H[5] -= ga.y * l.z;
  p->n = (V3){p->n.x + b->own * x, p->n.y + b->own * y, tau};
  p->f = KN(axpy)(b->own, l, p->f);
}

// all of it: a and l are U
ALWAYS void
KN(fd_project)(V3 a, V3 l, const KN(fd_body) * b, KN(fd_part) * p)
{
  const V3 ga = b->force.n, gl = b->force.f;
  S3 *J = &p->J, *M = &p->M;
  REAL * H = p->H.m;
  J->xx -= ga.x * a.x, J->xy -= ga.x * a.y, J->xz -= ga.x * a.z;
  J->yy -= ga.y * a.y, J->yz -= ga.y * a.z, J->zz -= ga.z * a.z;
  M->xx -= gl.x * l.x, M->xy -= gl.x * l.y, M->xz -= gl.x * l.z;
  M->yy -= gl.y * l.y, M->yz -= gl.y * l.z, M->zz -= gl.z * l.z;
  H[0] -= ga.x * l.x, H[1] -= ga.x * l.y, H[2] -= ga.x * l.z;
  H[3] -= ga.y * l.x, H[4] -= ga.y * l.y, H[5] -= ga.y * l.z;
  H[6] -= ga.z * l.x, H[7] -= ga.z * l.y, H[8] -= ga.z * l.z;
  p->n = KN(axpy)(b->own, a, p->n);
  p->f = KN(axpy)(b->own, l, p->f);
}

// One degree of freedom: U / D, u / D, and what it lets through to a parent; bits of *weak in lanes
// where nothing resists the joint.
ALWAYS void
KN(fd_hinge)(int way, REAL tau, double rotor, KN(fd_part) * p, KN(fd_body) * b, INT * weak)
{
  const REAL * H = p->H.m;
  const bool slide = way == WAY_SLIDE;
  const V3 a = slide ? KN(column)(&p->H, 2) : (V3){p->J.xz, p->J.yz, p->J.zz};
  const V3 l = slide ? (V3){p->M.xz, p->M.yz, p->M.zz} : (V3){H[6], H[7], H[8]};
  const S3 * of = slide ? &p->M : &p->J;
  REAL D = of->zz;
  if (slide || way == WAY_ROTOR) D += rotor;
  *weak |= ~(D > 1e-12 * (of->xx + of->yy + of->zz));
  const REAL s = 1.0 / D;
  b->force.n = (V3){s * a.x, s * a.y, s * a.z};
  b->force.f = (V3){s * l.x, s * l.y, s * l.z};
  b->own = s * (tau - (slide ? p->f.z : p->n.z));
  if (slide || way == WAY_ROTOR)
    KN(fd_project)(a, l, b, p);
  else
    KN(fd_project_flat)(tau, b, p);
}

//---------- a free joint: six by six ----------

// the lower triangle
ALWAYS void
KN(fd_square)(const KN(fd_part) * p, REAL A[6][6])
{
  const REAL * H = p->H.m;
  A[0][0] = p->J.xx;
  A[1][0] = p->J.xy, A[1][1] = p->J.yy;
  A[2][0] = p->J.xz, A[2][1] = p->J.yz, A[2][2] = p->J.zz;
  for (int k = 0; k < 3; k++) A[3 + k][0] = H[k], A[3 + k][1] = H[3 + k], A[3 + k][2] = H[6 + k];
  A[3][3] = p->M.xx;
  A[4][3] = p->M.xy, A[4][4] = p->M.yy;
  A[5][3] = p->M.xz, A[5][4] = p->M.yz, A[5][5] = p->M.zz;
}

// x = A^-1 x by L D L^T; bits of *weak in lanes where a pivot is too small
ALWAYS void
KN(fd_solve)(REAL turn, REAL move, REAL A[6][6], REAL * x, INT * weak)
{
  REAL inverse[6];
  for (int j = 0; j < 6; j++) {
    // rows below still have the factor times D
    for (int k = 0; k < j; k++) {
      const REAL f = A[j][k] * inverse[k];
      for (int i = j; i < 6; i++) A[i][j] -= A[i][k] * f;
      x[j] -= f * x[k];
    }
    *weak |= ~(A[j][j] > (j < 3 ? turn : move));
    inverse[j] = 1.0 / A[j][j];
  }
  for (int i = 5; i >= 0; i--) {
    for (int k = i + 1; k < 6; k++) x[i] -= A[k][i] * x[k];
    x[i] *= inverse[i];
  }
}

// Acceleration that the joint's torque, less the residual force, gives the whole. Of the inertia the
// joint lets nothing through, only its own torque.
ALWAYS void
KN(fd_free)(const REAL * tau, KN(fd_part) * p, KN(fd_body) * b, INT * weak)
{
  const REAL zero = SPLAT(0.0);
  const V3 none = {zero, zero, zero}, f = tau ? KN(load)(tau) : none;
  const V3 n = tau ? KN(load)(tau + 3) : none;
  REAL x[6] = {n.x - p->n.x, n.y - p->n.y, n.z - p->n.z, f.x - p->f.x, f.y - p->f.y, f.z - p->f.z};
  REAL A[6][6];
  KN(fd_square)(p, A);
  KN(fd_solve)
  (1e-12 * (p->J.xx + p->J.yy + p->J.zz), 1e-12 * (p->M.xx + p->M.yy + p->M.zz), A, x, weak);
  b->force.n = KN(load)(x);
  b->force.f = KN(load)(x + 3);
  p->J = p->M = (S3){zero, zero, zero, zero, zero, zero};
  p->H = (M3){{zero, zero, zero, zero, zero, zero, zero, zero, zero}};
  p->f = f;
  p->n = n;
}

//---------- tips to bases ----------

// The last child is the first to come here: it finds nothing in the slot that it gives to.
ALWAYS void
KN(fd_gather)(int way, const mbdi_kernel_args_t * args, const KN(fd_room) * r, int i, INT * weak)
{
  const mbdi_plan_t * plan = args->plan;
  const mbdi_lean_body_t * b = &plan->lean[i];
  const mbdi_plan_span_t * span = &plan->span[i];
  const mbdi_lean_inertia_t * whole = &args->lean[plan->nbody + i];
  const REAL * tau = args->u ? (const REAL *)args->u + b->v : NULL;
  KN(fd_body) * o = &r->body[i];
  KN(fd_part) p;
  if (b->leaf)
    p = KN(fd_rigid)(whole, o);
  else
    p = KN(fd_with_children)(whole, o, &r->slot[span->slot].part);
  if (way == WAY_FREE)
    KN(fd_free)(tau, &p, o, weak);
  else
    KN(fd_hinge)(way, tau ? *tau : SPLAT(0.0), args->rotor ? args->rotor[b->v] : 0, &p, o, weak);
  if (b->parent < 0) return;
  const KN(joint) j = KN(joint_at)(KN(kind_of)(way), b, args->q, r->sine[i], r->cosine[i]);
  KN(fd_carry)(way, &j, &p);
  KN(fd_part) * to = &r->slot[span->from].part;
  if (span->slot != span->from)
    KN(fd_add)(to, &p);
  else
    KN(fd_put)(&p, to);
}

ALWAYS bool
KN(fd_inertias)(const mbdi_kernel_args_t * args, const KN(fd_room) * r)
{
  INT weak = {0};
  for (int i = args->plan->nbody - 1; i >= 0; i--) {
    const mbdi_lean_body_t * b = &args->plan->lean[i];
    const bool turning = b->way != WAY_SLIDE && b->way != WAY_FREE;
    if (turning && args->rotor && args->rotor[b->v] != 0) {
      KN(fd_gather)(WAY_ROTOR, args, r, i, &weak);
      continue;
    }
#define GATHER(way)                      \
  KN(fd_gather)(way, args, r, i, &weak); \
  break
    LEAN_WAYS(b->way, GATHER)
#undef GATHER
  }
  return !KN(any)(weak);
}

//---------- bases to tips: accelerations ----------

// what a body would accelerate with its parent
ALWAYS
KN(fd_motion) KN(fd_follow)(int way, const KN(joint) * j, const KN(fd_motion) * from)
{
  const REAL foot = SPLAT(j->b->foot), along = SPLAT(j->b->along);
  KN(fd_motion) to;
  V3 at = from->a;
  if (KN(is_short)(way))
    at = (V3){at.x, at.y + foot * from->alpha.z, at.z - foot * from->alpha.y};
  else
    at = KN(add)(at, KN(cross)(from->alpha, j->p));
  to.alpha = KN(way_child)(way, j, from->alpha);
  to.a = KN(way_child)(way, j, at);
  if (!KN(is_short)(way)) return to;
  to.a.x += along * to.alpha.y;
  to.a.y -= along * to.alpha.x;
  return to;
}

ALWAYS void
KN(fd_accelerate)(int way, const mbdi_kernel_args_t * args, const KN(fd_room) * r, int i)
{
  const mbdi_lean_body_t * b = &args->plan->lean[i];
  const mbdi_plan_span_t * span = &args->plan->span[i];
  const V3 n = r->body[i].force.n, f = r->body[i].force.f,
           zero = {SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)};
  REAL * out = (REAL *)args->out + b->v;
  KN(fd_motion) to = {zero, zero};
  if (b->parent >= 0) {
    const KN(joint) j = KN(joint_at)(KN(kind_of)(way), b, args->q, r->sine[i], r->cosine[i]);
    to = KN(fd_follow)(way, &j, &r->slot[span->from].motion);
  }
  if (way == WAY_FREE) {
    const V3 a = to.a, alpha = to.alpha;
    out[0] = f.x - a.x, out[1] = f.y - a.y, out[2] = f.z - a.z;
    out[3] = n.x - alpha.x, out[4] = n.y - alpha.y, out[5] = n.z - alpha.z;
    to = (KN(fd_motion)){n, f};
  } else {
    const REAL x = r->body[i].own - KN(dot)(n, to.alpha) - KN(dot)(f, to.a);
    out[0] = x;
    if (way == WAY_SLIDE)
      to.a.z += x;
    else
      to.alpha.z += x;
  }
  if (!b->leaf) r->slot[span->slot].motion = to;
}

static bool
KN(forward_dynamics)(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  const KN(fd_room) r = KN(fd_room_of)(args);
  KN(lean_sines)(plan, args->q, r.sine, r.cosine);
  KN(fd_forces)(args, &r);
  const bool good = KN(fd_inertias)(args, &r);
  for (int i = 0; i < plan->nbody; i++) {
#define ACCELERATE(way)                \
  KN(fd_accelerate)(way, args, &r, i); \
  break
    LEAN_WAYS(plan->lean[i].way, ACCELERATE)
#undef ACCELERATE
  }
  return good;
}
