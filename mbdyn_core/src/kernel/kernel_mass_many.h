// Mass matrices of several states, one in each lane. Included by kernel_instance.c after
// kernel_world.h.
//
// As for one state (kernel_mass.h): the first body is put at the origin of the world, every degree of
// freedom gets its axis and the force that moves its subtree, both at the origin of the tree's first
// body, and an element of the matrix is the product of the two. Only what is on or below the diagonal
// and not zero by structure is computed: row by row, of each the degrees of freedom that carry it, in
// order. The plan knows where a row begins (pack). Small matrices of numbers are made of these.

// numbers of all lanes at any address
typedef double lanes_at_t __attribute__((vector_size(8 * KERNEL_LANES), aligned(8), may_alias));

// of one degree of freedom: axis, or moment and force
typedef struct KN(six) {
  V3 ang, lin;
} KN(six);

// what is kept of a body: little, as robots of fifty joints are to stay near the processor
typedef struct KN(mass_body) {
  M3 R;       // body axes in the world
  V3 d;       // from the parent's origin
  V3 origin;  // from that of the tree's first body
} KN(mass_body);

// of a subtree, about the origin of its first body
typedef struct KN(composite) {
  V3 h;
  S3 I;
} KN(composite);

typedef struct KN(mass_room) {
  KN(mass_body) * body;
  KN(composite) * slot;  // of the plan
  KN(six) * axis, *force;
  REAL *sine, *cosine;
  REAL * packed;
} KN(mass_room);

static size_t
KN(mass_work)(const mbd_plan_t * plan)
{
  const size_t nbody = (size_t)plan->nbody, nv = (size_t)plan->nv;
  const size_t matrices = plan->nv <= PLAN_MATRIX ? plan->pack[nv] : 0;
  return nbody * sizeof(KN(mass_body)) + (size_t)plan->slots * sizeof(KN(composite)) +
         2 * nv * sizeof(KN(six)) + (2 * (size_t)PADDED(plan->nbody) + matrices) * sizeof(REAL);
}

ALWAYS
KN(mass_room) KN(mass_room_of)(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  KN(mass_room) r;
  r.body = args->work;
  r.slot = (KN(composite) *)(r.body + plan->nbody);
  r.axis = (KN(six) *)(r.slot + plan->slots);
  r.force = r.axis + plan->nv;
  r.sine = (REAL *)(r.force + plan->nv);
  r.cosine = r.sine + PADDED(plan->nbody);
  r.packed = r.cosine + PADDED(plan->nbody);
  return r;
}

//---------- bases to tips ----------

ALWAYS void
KN(mass_axes)(const mbd_plan_body_t * b, const M3 * R, V3 origin, KN(six) * axis)
{
  const V3 zero = {SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)}, e = KN(column)(R, 2);
  KN(six) * to = axis + b->v;
  if (b->kind == PLAN_REVOLUTE) {
    *to = (KN(six)){e, KN(cross)(origin, e)};
  } else if (b->kind == PLAN_PRISMATIC) {
    *to = (KN(six)){zero, e};
  } else {
    for (int k = 0; k < 3; k++) {
      const V3 x = KN(column)(R, k);
      to[k] = (KN(six)){zero, x};
      to[k + 3] = (KN(six)){x, KN(cross)(origin, x)};
    }
  }
}

// the first body is at the origin of the world
ALWAYS void
KN(mass_outward)(const mbd_kernel_args_t * args, const KN(mass_room) * r)
{
  const mbd_plan_t * plan = args->plan;
  KN(joint_sines)(plan, args->q, r->sine, r->cosine);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    KN(mass_body) * o = &r->body[i];
    V3 origin = {SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)};
    if (i == 0) {
      for (int k = 0; k < 9; k++) o->R.m[k] = SPLAT(k % 4 == 0 ? 1.0 : 0.0);
    } else {
      const M3 * P = b->parent < 0 ? NULL : &r->body[b->parent].R;
      KN(world_place)(b, P, args->q, r->sine[i], r->cosine[i], &o->R, &o->d);
      if (b->parent >= 0) origin = KN(add)(r->body[b->parent].origin, o->d);
    }
    o->origin = origin;
    KN(mass_axes)(b, &o->R, origin, r->axis);
  }
}

//---------- tips to bases ----------

ALWAYS void
KN(add_composite)(KN(composite) * to, const KN(composite) * from)
{
  to->h = KN(add)(to->h, from->h);
  to->I.xx += from->I.xx, to->I.xy += from->I.xy, to->I.xz += from->I.xz;
  to->I.yy += from->I.yy, to->I.yz += from->I.yz, to->I.zz += from->I.zz;
}

// to the parent's origin, at -d
ALWAYS void
KN(shift_composite)(V3 d, double m, KN(composite) * c)
{
  const V3 half = KN(axpy)(SPLAT(0.5 * m), d, c->h);
  const REAL x = half.x * d.x, y = half.y * d.y, z = half.z * d.z;
  c->h = KN(axpy)(SPLAT(m), d, c->h);
  c->I.xx += 2.0 * (y + z);
  c->I.yy += 2.0 * (x + z);
  c->I.zz += 2.0 * (x + y);
  c->I.xy -= half.x * d.y + half.y * d.x;
  c->I.xz -= half.x * d.z + half.z * d.x;
  c->I.yz -= half.y * d.z + half.z * d.y;
}

// what moves a subtree of mass m along degree of freedom k of a body
ALWAYS
KN(six)
KN(mass_force)
(const mbd_plan_body_t * b, const KN(mass_body) * o, double m, const KN(composite) * c, int k)
{
  const V3 e = KN(axis)(b, &o->R, k);
  V3 f, n;
  if (KN(is_linear)(b, k)) {
    f = (V3){m * e.x, m * e.y, m * e.z};
    n = KN(cross)(c->h, e);
  } else {
    f = KN(cross)(e, c->h);
    n = KN(smul)(&c->I, e);
  }
  return (KN(six)){KN(add)(n, KN(cross)(o->origin, f)), f};
}

// The last child is the first to come here: it finds nothing in the slot that it gives to. Masses of
// subtrees are the same in all lanes.
ALWAYS void
KN(mass_inward)(const mbd_kernel_args_t * args, const KN(mass_room) * r)
{
  const mbd_plan_t * plan = args->plan;
  double * mass = (double *)r->sine;  // which nobody needs any more
  for (int i = 0; i < plan->nbody; i++) mass[i] = args->inertia[i].mass;
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbd_plan_body_t * b = &plan->body[i];
    const mbd_plan_span_t * span = &plan->span[i];
    const KN(mass_body) * o = &r->body[i];
    KN(composite) c;
    KN(world_inertia)(&args->inertia[i], &o->R, &c.h, &c.I);
    if (!span->leaf) KN(add_composite)(&c, &r->slot[span->slot]);
    for (int k = 0; k < span->nv; k++) r->force[b->v + k] = KN(mass_force)(b, o, mass[i], &c, k);
    if (b->parent < 0) continue;
    mass[b->parent] += mass[i];
    KN(shift_composite)(o->d, mass[i], &c);
    if (span->slot != span->from) KN(add_composite)(&c, &r->slot[span->from]);
    r->slot[span->from] = c;
  }
}

//---------- rows ----------

ALWAYS REAL
KN(mass_element)(const KN(six) * axis, V3 n, V3 f)
{
  return KN(dot)(axis->ang, n) + KN(dot)(axis->lin, f);
}

// the row of degree of freedom v of body i, from its end; a free base needs no products
ALWAYS void
KN(mass_row)(const mbd_plan_t * plan, const KN(mass_room) * r, int i, int v, lanes_at_t * end)
{
  const V3 n = r->force[v].ang, f = r->force[v].lin;
  for (int last = v;; last = plan->body[i].v + plan->span[i].nv - 1) {
    const mbd_plan_body_t * b = &plan->body[i];
    if (i == 0 && plan->free_base) {
      const REAL own[6] = {f.x, f.y, f.z, n.x, n.y, n.z};
      for (int j = v < 5 ? v : 5; j >= 0; j--) *--end = own[j];
      return;
    }
    for (int j = last; j >= b->v; j--) *--end = KN(mass_element)(&r->axis[j], n, f);
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
KN(rows_together)(const mbd_plan_t * plan, int i)
{
  int n = 1;
  if (plan->body[i].kind == PLAN_FREE) return 1;
  while (n < ROWS_TOGETHER && i + n < plan->nbody && plan->body[i + n].parent == i + n - 1 &&
         plan->body[i + n].kind != PLAN_FREE)
    n++;
  return n;
}

// what carries body i of the rows from v on; end: of the row of v in front of its diagonal
ALWAYS void
KN(mass_columns)(const mbd_plan_t * plan, const KN(mass_room) * r, int i, int v, lanes_at_t ** end)
{
  KN(six) f[ROWS_TOGETHER];
  for (int k = 0; k < ROWS_TOGETHER; k++) f[k] = r->force[v + k];
  while (i >= 0) {
    const mbd_plan_body_t * b = &plan->body[i];
    if (i == 0 && plan->free_base) {
      for (int k = 0; k < ROWS_TOGETHER; k++) {
        lanes_at_t * to = end[k] - 6;
        to[0] = f[k].lin.x, to[1] = f[k].lin.y, to[2] = f[k].lin.z;
        to[3] = f[k].ang.x, to[4] = f[k].ang.y, to[5] = f[k].ang.z;
      }
      return;
    }
    for (int j = b->v + plan->span[i].nv - 1; j >= b->v; j--) {
      const KN(six) axis = r->axis[j];
      for (int k = 0; k < ROWS_TOGETHER; k++) {
        *--end[k] = KN(mass_element)(&axis, f[k].ang, f[k].lin);
      }
    }
    i = b->parent;
  }
}

// rows of bodies i to i + ROWS_TOGETHER - 1
ALWAYS void
KN(mass_few_rows)(const mbd_plan_t * plan, const KN(mass_room) * r, int i, lanes_at_t * packed)
{
  const int v = plan->body[i].v;
  lanes_at_t * end[ROWS_TOGETHER];
  for (int k = 0; k < ROWS_TOGETHER; k++) {
    end[k] = packed + plan->pack[v + k + 1];
    for (int j = k; j >= 0; j--) {
      *--end[k] = KN(mass_element)(&r->axis[v + j], r->force[v + k].ang, r->force[v + k].lin);
    }
  }
  KN(mass_columns)(plan, r, plan->body[i].parent, v, end);
}

// All rows. An element is not larger than those of the diagonal in its row and column: if these are
// finite, all are.
ALWAYS bool
KN(mass_rows)(const mbd_kernel_args_t * args, const KN(mass_room) * r, lanes_at_t * packed)
{
  const mbd_plan_t * plan = args->plan;
  REAL sum = SPLAT(0.0);
  for (int i = 0, n; i < plan->nbody; i += n) {
    n = KN(rows_together)(plan, i);
    if (n == ROWS_TOGETHER) {
      KN(mass_few_rows)(plan, r, i, packed);
      continue;
    }
    const int first = plan->body[i].v, last = first + plan->span[i].nv;
    for (int v = first; v < last; v++) KN(mass_row)(plan, r, i, v, packed + plan->pack[v + 1]);
    n = 1;
  }
  for (int v = 0; v < plan->nv; v++) {
    lanes_at_t * diagonal = packed + plan->pack[v + 1] - 1;
    if (args->rotor) *diagonal += args->rotor[v];
    sum += 0.0 * *diagonal;
  }
  return finite_sum(sum);
}

// out: rows as the plan packs them, lane by lane
static bool
KN(mass_packed)(const mbd_kernel_args_t * args)
{
  const KN(mass_room) r = KN(mass_room_of)(args);
  KN(mass_outward)(args, &r);
  KN(mass_inward)(args, &r);
  return KN(mass_rows)(args, &r, args->out);
}

//---------- matrices of numbers ----------

// Whole matrices of `count` states, row by row: as many numbers as there are lanes at a time. Above the
// diagonal a row has the degrees of freedom that its own carries.
ALWAYS void
KN(mass_whole)(const mbd_plan_t * plan, const REAL * packed, int count, double * M)
{
  const size_t nv = (size_t)plan->nv, *pack = plan->pack;
  REAL few[KERNEL_LANES];
  size_t n = 0;
  for (size_t i = 0; i < nv; i++) {
    const REAL *row = packed + pack[i], *column = packed + (pack[i + 1] - pack[i] - 1);
    for (size_t j = 0; j < nv; j++) {
      REAL x = SPLAT(0.0);
      if (j <= i && plan->reach[j] > (double)i) x = *row++;
      if (j > i && plan->reach[i] > (double)j) x = column[pack[j]];
      few[n++ % KERNEL_LANES] = x;
      if (n % KERNEL_LANES == 0) {
        collect_rows(few, KERNEL_LANES, nv * nv, count, M + n - KERNEL_LANES);
      }
    }
  }
  const size_t rest = n % KERNEL_LANES;
  collect_rows(few, rest, nv * nv, count, M + n - rest);
}

// out: args->count matrices of no more than PLAN_MATRIX degrees of freedom; larger ones in lanes would
// not stay near the processor
static bool
KN(mass_matrix)(const mbd_kernel_args_t * args)
{
  const KN(mass_room) r = KN(mass_room_of)(args);
  KN(mass_outward)(args, &r);
  KN(mass_inward)(args, &r);
  if (!KN(mass_rows)(args, &r, (lanes_at_t *)r.packed)) return false;
  KN(mass_whole)(args->plan, r.packed, args->count, args->out);
  return true;
}
