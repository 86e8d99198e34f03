// Mass matrices of several states whose bodies are far from their bases, and what those of others need
// too. Included by kernel_instance.c after kernel_world.h.
//
// As for one state (kernel_mass.h): the first body is put at the origin of the world, every degree of
// freedom gets its axis and the force that moves its subtree, both at the origin of the tree's first
// body, and an element of the matrix is the product of the two. Moments of subtrees, though, are summed
// in body axes, where those of a lean body are constant, few, and cheap to turn.

// numbers of all lanes at any address
typedef double lanes_at_t __attribute__((vector_size(8 * KERNEL_LANES), aligned(8), may_alias));

// of one degree of freedom: axis, or moment and force
typedef struct KN(six) {
  V3 ang, lin;
} KN(six);

typedef struct KN(mass_body) {
  M3 R;       // body axes in the world
  V3 origin;  // from that of the tree's first body
} KN(mass_body);

typedef struct KN(mass_dof) {
  KN(six) axis, force;
} KN(mass_dof);

// What is kept of a degree of freedom: little, as robots of fifty joints are to stay near the processor.
// The place of the body is with the first of its joint's, until axes and forces take its room.
typedef union KN(mass_record) {
  KN(mass_body) body;
  KN(mass_dof) dof;
} KN(mass_record);

// of a subtree, about the origin of its first body, in the axes of that
typedef struct KN(composite) {
  V3 h;
  S3 J;  // second moments
} KN(composite);

typedef struct KN(mass_room) {
  KN(mass_record) * record;  // [nv]
  KN(composite) * slot;      // of the plan
  REAL * diagonal;           // of the matrix, but for free joints
  REAL *sine, *cosine;
  REAL * packed;
} KN(mass_room);

static size_t
KN(mass_work)(const mbdi_plan_t * plan)
{
  const size_t nv = (size_t)plan->nv;
  const size_t matrices = plan->nv <= PLAN_MATRIX ? plan->pack[nv] : 0;
  return nv * sizeof(KN(mass_record)) + (size_t)plan->slots * sizeof(KN(composite)) +
         (nv + 2 * (size_t)PADDED(plan->nbody) + matrices) * sizeof(REAL);
}

ALWAYS
KN(mass_room) KN(mass_room_of)(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  KN(mass_room) r;
  r.record = args->work;
  r.slot = (KN(composite) *)(r.record + plan->nv);
  r.diagonal = (REAL *)(r.slot + plan->slots);
  r.sine = r.diagonal + plan->nv;
  r.cosine = r.sine + PADDED(plan->nbody);
  r.packed = r.cosine + PADDED(plan->nbody);
  return r;
}

//---------- bases to tips ----------

// R = P L, row by row: what turns a vector of the parent into one of the child turns a row of P
ALWAYS void
KN(lean_rows)(int kind, const KN(joint) * j, const M3 * P, M3 * R)
{
  for (int k = 0; k < 9; k += 3) {
    const V3 row = KN(to_child)(kind, j, KN(load)(&P->m[k]));
    R->m[k] = row.x, R->m[k + 1] = row.y, R->m[k + 2] = row.z;
  }
}

ALWAYS void
KN(mass_place)(int kind, const mbdi_kernel_args_t * args, const KN(mass_room) * r, int i)
{
  const mbdi_lean_body_t * b = &args->plan->lean[i];
  const KN(joint) j = KN(joint_at)(kind, b, args->q, r->sine[i], r->cosine[i]);
  const KN(mass_body) * from = &r->record[args->plan->lean[b->parent].v].body;
  KN(mass_body) * o = &r->record[b->v].body;
  KN(lean_rows)(kind, &j, &from->R, &o->R);
  o->origin = KN(add)(from->origin, KN(mul)(&from->R, j.p));
}

// a base: the world is put where it is
static void
KN(mass_base)(KN(mass_body) * o)
{
  for (int k = 0; k < 9; k++) o->R.m[k] = SPLAT(k % 4 == 0 ? 1.0 : 0.0);
  o->origin = (V3){SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)};
}

ALWAYS void
KN(mass_outward)(const mbdi_kernel_args_t * args, const KN(mass_room) * r)
{
  const mbdi_plan_t * plan = args->plan;
  KN(lean_sines)(plan, args->q, r->sine, r->cosine);
  for (int i = 0; i < plan->nbody; i++) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    if (b->parent < 0) {
      KN(mass_base)(&r->record[b->v].body);
      continue;
    }
#define PLACE(kind)                 \
  KN(mass_place)(kind, args, r, i); \
  break
    LEAN_KINDS(b, PLACE)
#undef PLACE
  }
}

//---------- tips to bases ----------

ALWAYS void
KN(add_composite)(KN(composite) * to, const KN(composite) * from)
{
  to->h = KN(add)(to->h, from->h);
  to->J.xx += from->J.xx, to->J.xy += from->J.xy, to->J.xz += from->J.xz;
  to->J.yy += from->J.yy, to->J.yz += from->J.yz, to->J.zz += from->J.zz;
}

// A symmetric block turned in its plane. Squares do not depend on the moments, which then wait for
// few products only.
ALWAYS void
KN(turn_block)(REAL ss, REAL cs, REAL sin2, REAL cos2, REAL * xx, REAL * xy, REAL * yy)
{
  const REAL d = *xx - *yy, much = ss * d + sin2 * *xy;
  *xy = cs * d + cos2 * *xy;
  *xx -= much;
  *yy += much;
}

ALWAYS void
KN(turn_pair)(REAL s, REAL c, REAL * x, REAL * y)
{
  const REAL a = *x, b = *y;
  *x = c * a - s * b;
  *y = s * a + c * b;
}

// about z
ALWAYS void
KN(turn_sym_z)(REAL c, REAL s, S3 * J)
{
  const REAL ss = s * s, cs = c * s;
  KN(turn_block)(ss, cs, cs + cs, 1.0 - (ss + ss), &J->xx, &J->xy, &J->yy);
  KN(turn_pair)(s, c, &J->xz, &J->yz);
}

// and about x
ALWAYS void
KN(turn_sym_x)(int kind, const mbdi_lean_body_t * b, S3 * J)
{
  if (kind == LEAN_PARALLEL) return;
  if (kind == LEAN_RIGHT) {
    *J = (S3){J->xx, J->xz, -J->xy, J->zz, -J->yz, J->yy};
    return;
  }
  const mbdi_lean_squares_t * q = &b->square;
  KN(turn_block)
  (SPLAT(q->ss), SPLAT(q->cs), SPLAT(q->sin2), SPLAT(q->cos2), &J->yy, &J->yz, &J->zz);
  KN(turn_pair)(SPLAT(b->twist.s), SPLAT(b->twist.c), &J->xy, &J->xz);
}

// any other turn: columns, then rows
ALWAYS void
KN(turn_sym)(int kind, const KN(joint) * j, S3 * J)
{
  const V3 x = KN(to_parent)(kind, j, (V3){J->xx, J->xy, J->xz});
  const V3 y = KN(to_parent)(kind, j, (V3){J->xy, J->yy, J->yz});
  const V3 z = KN(to_parent)(kind, j, (V3){J->xz, J->yz, J->zz});
  const V3 a = KN(to_parent)(kind, j, (V3){x.x, y.x, z.x});
  const V3 b = KN(to_parent)(kind, j, (V3){x.y, y.y, z.y});
  const V3 c = KN(to_parent)(kind, j, (V3){x.z, y.z, z.z});
  *J = (S3){a.x, a.y, a.z, b.y, b.z, c.z};
}

// J + p h^T + h p^T + m p p^T, p the origin in the parent
ALWAYS void
KN(shift_composite)(int kind, const KN(joint) * j, double m, KN(composite) * c)
{
  const V3 p = j->p, half = m == 0 ? c->h : KN(axpy)(SPLAT(0.5 * m), p, c->h);
  const V3 twice = KN(add)(half, half);
  const double foot = j->b->foot, along = j->b->along;
  S3 * J = &c->J;
  if (m != 0) c->h = KN(axpy)(SPLAT(m), p, c->h);
  if (kind == LEAN_RIGHT) {
    J->xx += foot * twice.x, J->xy += foot * half.y + along * half.x, J->xz += foot * half.z;
    J->yy += along * twice.y, J->yz += along * half.z;
  } else if (kind == LEAN_PARALLEL) {
    J->xx += foot * twice.x, J->xy += foot * half.y, J->xz += foot * half.z + along * half.x;
    J->yz += along * half.y, J->zz += along * twice.z;
  } else {
    J->xx += p.x * twice.x, J->yy += p.y * twice.y, J->zz += p.z * twice.z;
    J->xy += p.x * half.y + half.x * p.y;
    J->xz += p.x * half.z + half.x * p.z;
    J->yz += p.y * half.z + half.y * p.z;
  }
}

// what moves a subtree of mass m along degree of freedom k of a body, in its axes
ALWAYS
KN(six)
KN(mass_force)(int kind, double m, const KN(composite) * c, int k)
{
  const REAL zero = SPLAT(0.0), x = c->h.x, y = c->h.y, z = c->h.z, mass = SPLAT(m);
  const S3 * J = &c->J;
  const int at = kind == LEAN_FREE ? k % 3 : 2;
  if (kind == LEAN_SLIDE || (kind == LEAN_FREE && k < 3)) {
    if (at == 0) return (KN(six)){{zero, z, -y}, {mass, zero, zero}};
    if (at == 1) return (KN(six)){{-z, zero, x}, {zero, mass, zero}};
    return (KN(six)){{y, -x, zero}, {zero, zero, mass}};
  }
  if (at == 0) return (KN(six)){{J->yy + J->zz, -J->xy, -J->xz}, {zero, -z, y}};
  if (at == 1) return (KN(six)){{-J->xy, J->xx + J->zz, -J->yz}, {z, zero, -x}};
  return (KN(six)){{-J->xz, -J->yz, J->xx + J->yy}, {-y, x, zero}};
}

// axis of degree of freedom k
ALWAYS
KN(six)
KN(mass_axis)(int kind, const KN(mass_body) * o, int k)
{
  const V3 e = KN(column)(&o->R, kind == LEAN_FREE ? k % 3 : 2);
  const V3 zero = {SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)};
  if (kind == LEAN_SLIDE || (kind == LEAN_FREE && k < 3)) return (KN(six)){zero, e};
  return (KN(six)){e, KN(cross)(o->origin, e)};
}

// a force of the body in the world, at the origin of the tree's first body
ALWAYS
KN(six) KN(mass_turned)(int kind, const KN(mass_body) * o, KN(six) own)
{
  V3 f = KN(mul)(&o->R, own.lin);
  if (is_turning(kind)) {
    const V3 x = KN(column)(&o->R, 0), y = KN(column)(&o->R, 1);
    f = (V3){
      own.lin.y * y.x + own.lin.x * x.x, own.lin.y * y.y + own.lin.x * x.y,
      own.lin.y * y.z + own.lin.x * x.z};
  }
  return (KN(six)){KN(add)(KN(mul)(&o->R, own.ang), KN(cross)(o->origin, f)), f};
}

// axes and forces in place of where the body is
ALWAYS void
KN(put_dofs)(
  int kind, const mbdi_kernel_args_t * args, const KN(mass_room) * r, int i,
  const KN(composite) * c)
{
  const mbdi_lean_body_t * b = &args->plan->lean[i];
  const KN(mass_body) o = r->record[b->v].body;
  const double m = args->lean[i].total;
  for (int k = 0; k < (kind == LEAN_FREE ? 6 : 1); k++) {
    const KN(six) own = KN(mass_force)(kind, m, c, k);
    const KN(mass_dof)
      to = {KN(mass_axis)(kind, &o, k), b->parent < 0 ? own : KN(mass_turned)(kind, &o, own)};
    r->record[b->v + k].dof = to;
    if (kind != LEAN_FREE) r->diagonal[b->v] = kind == LEAN_SLIDE ? own.lin.z : own.ang.z;
  }
}

// a body and what hangs on it
ALWAYS
KN(composite) KN(mass_subtree)(const mbdi_kernel_args_t * args, const KN(mass_room) * r, int i)
{
  const mbdi_plan_span_t * span = &args->plan->span[i];
  const mbdi_lean_inertia_t * M = &args->lean[i];
  const mbd_sym3_t * J = &M->J;
  KN(composite)
  c = {
    {SPLAT(M->h.x), SPLAT(M->h.y), SPLAT(M->h.z)},
    {SPLAT(J->xx), SPLAT(J->xy), SPLAT(J->xz), SPLAT(J->yy), SPLAT(J->yz), SPLAT(J->zz)}};
  if (!span->leaf) KN(add_composite)(&c, &r->slot[span->slot]);
  return c;
}

// To the parent. The last child is the first to come here: it finds nothing in the slot that it gives
// to.
ALWAYS void
KN(mass_give)(
  int kind, const mbdi_kernel_args_t * args, const KN(mass_room) * r, int i, const KN(joint) * j,
  KN(composite) c)
{
  const mbdi_lean_body_t * b = j->b;
  const mbdi_plan_span_t * span = &args->plan->span[i];
  c.h = KN(to_parent)(kind, j, c.h);
  if (is_turning(kind)) {
    KN(turn_sym_z)(j->c, j->s, &c.J);
    KN(turn_sym_x)(kind, b, &c.J);
    if (kind == LEAN_TURN) KN(turn_sym_z)(SPLAT(b->mount.c), SPLAT(b->mount.s), &c.J);
  } else {
    KN(turn_sym)(kind, j, &c.J);
  }
  KN(shift_composite)(kind, j, b->light ? 0 : args->lean[i].total, &c);
  if (span->slot != span->from) KN(add_composite)(&c, &r->slot[span->from]);
  r->slot[span->from] = c;
}

ALWAYS void
KN(mass_gather)(int kind, const mbdi_kernel_args_t * args, const KN(mass_room) * r, int i)
{
  const mbdi_lean_body_t * b = &args->plan->lean[i];
  const KN(composite) c = KN(mass_subtree)(args, r, i);
  KN(put_dofs)(kind, args, r, i, &c);
  if (b->parent < 0) return;
  const KN(joint) j = KN(joint_at)(kind, b, args->q, r->sine[i], r->cosine[i]);
  KN(mass_give)(kind, args, r, i, &j, c);
}

ALWAYS void
KN(mass_inward)(const mbdi_kernel_args_t * args, const KN(mass_room) * r)
{
  for (int i = args->plan->nbody - 1; i >= 0; i--) {
#define GATHER(kind)                 \
  KN(mass_gather)(kind, args, r, i); \
  break
    LEAN_KINDS(&args->plan->lean[i], GATHER)
#undef GATHER
  }
}

//---------- rows ----------

ALWAYS REAL
KN(mass_element)(const KN(six) * axis, V3 n, V3 f)
{
  return axis->ang.x * n.x + axis->ang.y * n.y + axis->ang.z * n.z + axis->lin.x * f.x +
         axis->lin.y * f.y + axis->lin.z * f.z;
}

// the row of degree of freedom v of body i, from its end; a free base needs no products
ALWAYS void
KN(mass_row)(const mbdi_plan_t * plan, const KN(mass_room) * r, int i, int v, lanes_at_t * end)
{
  const V3 n = r->record[v].dof.force.ang, f = r->record[v].dof.force.lin;
  for (int last = v;; last = plan->body[i].v + plan->span[i].nv - 1) {
    const mbdi_plan_body_t * b = &plan->body[i];
    if (i == 0 && plan->free_base) {
      const REAL own[6] = {f.x, f.y, f.z, n.x, n.y, n.z};
      for (int j = v < 5 ? v : 5; j >= 0; j--) *--end = own[j];
      return;
    }
    for (int j = last; j >= b->v; j--) *--end = KN(mass_element)(&r->record[j].dof.axis, n, f);
    i = b->parent;
    if (i < 0) return;
  }
}

// Rows of bodies that follow each other, each the parent of the next, are computed together: what
// carries the first carries all of them, and is read once.
#if KERNEL_LANES == 8
enum { ROWS_TOGETHER = 4 };
#else
enum { ROWS_TOGETHER = 2 };
#endif

// how many rows from body i on are computed together
ALWAYS int
KN(rows_together)(const mbdi_plan_t * plan, int i)
{
  int n = 1;
  if (plan->body[i].kind == PLAN_FREE) return 1;
  while (n < ROWS_TOGETHER && i + n < plan->nbody && plan->body[i + n].parent == i + n - 1 &&
         plan->body[i + n].kind != PLAN_FREE)
    n++;
  return n;
}

// Elements of n rows at `columns` degrees of freedom that follow each other; end: of each row in front
// of what is there already.
ALWAYS void
KN(mass_run)(const KN(mass_record) * from, int columns, int n, const KN(six) * f, lanes_at_t ** end)
{
  lanes_at_t * row[ROWS_TOGETHER];
  for (int k = 0; k < n; k++) row[k] = end[k] -= columns;
  for (int j = 0; j < columns; j++) {
    const KN(six) axis = from[j].dof.axis;
    for (int k = 0; k < n; k++) row[k][j] = KN(mass_element)(&axis, f[k].ang, f[k].lin);
  }
}

// what carries body i of n rows from v on
ALWAYS void
KN(mass_columns)(
  const mbdi_plan_t * plan, const KN(mass_room) * r, int n, int i, int v, lanes_at_t ** end)
{
  KN(six) f[ROWS_TOGETHER];
  for (int k = 0; k < n; k++) f[k] = r->record[v + k].dof.force;
  while (i > 0 || (i == 0 && !plan->free_base)) {
    const mbdi_plan_body_t *last = &plan->body[i], *first = &plan->body[last->run];
    if (last->run == 0 && plan->free_base) first++;
    KN(mass_run)
    (r->record + first->v, last->v + plan->span[i].nv - first->v, n, f, end);
    i = first->parent;
  }
  for (int k = 0; i == 0 && k < n; k++) {
    lanes_at_t * to = end[k] - 6;
    to[0] = f[k].lin.x, to[1] = f[k].lin.y, to[2] = f[k].lin.z;
    to[3] = f[k].ang.x, to[4] = f[k].ang.y, to[5] = f[k].ang.z;
  }
}

// rows of bodies i to i + n - 1
ALWAYS void
KN(mass_few_rows)(
  const mbdi_plan_t * plan, const KN(mass_room) * r, int n, int i, lanes_at_t * packed)
{
  const int v = plan->body[i].v;
  lanes_at_t * end[ROWS_TOGETHER];
  for (int k = 0; k < n; k++) {
    const KN(six) f = r->record[v + k].dof.force;
    end[k] = packed + plan->pack[v + k + 1];
    *--end[k] = r->diagonal[v + k];
    for (int j = v + k - 1; j >= v; j--) {
      *--end[k] = KN(mass_element)(&r->record[j].dof.axis, f.ang, f.lin);
    }
  }
  KN(mass_columns)(plan, r, n, plan->body[i].parent, v, end);
}

// all rows
ALWAYS void
KN(mass_rows)(const mbdi_plan_t * plan, const KN(mass_room) * r, lanes_at_t * packed)
{
  for (int i = 0, n; i < plan->nbody; i += n) {
    const int first = plan->body[i].v, last = first + plan->span[i].nv;
    n = KN(rows_together)(plan, i);
    if (last > first + 1) {
      for (int v = first; v < last; v++) KN(mass_row)(plan, r, i, v, packed + plan->pack[v + 1]);
    } else if (n == 1) {
      KN(mass_few_rows)(plan, r, 1, i, packed);
    } else if (n == 2) {
      KN(mass_few_rows)(plan, r, 2, i, packed);
    } else if (n == 3) {
      KN(mass_few_rows)(plan, r, ROWS_TOGETHER < 3 ? 1 : 3, i, packed);
    } else {
      KN(mass_few_rows)(plan, r, ROWS_TOGETHER, i, packed);
    }
  }
}

static void
KN(mass_deep)(const mbdi_kernel_args_t * args, const KN(mass_room) * r, lanes_at_t * packed)
{
  KN(mass_outward)(args, r);
  KN(mass_inward)(args, r);
  KN(mass_rows)(args->plan, r, packed);
}
