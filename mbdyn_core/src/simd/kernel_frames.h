// Placements and Jacobians of frames for several states, one in each lane. Included by
// kernel_instance.c after kernel_world.h, whose bodies in world axes these are.

typedef struct KN(placed) {
  M3 R;  // body axes in the world
  V3 d;  // from the parent's origin
  V3 p;  // origin in the world
} KN(placed);

static size_t
KN(frames_work)(const mbdi_plan_t * plan)
{
  return (size_t)plan->nbody * sizeof(KN(placed)) + 2 * (size_t)PADDED(plan->nbody) * sizeof(REAL);
}

ALWAYS void
KN(place)(
  const mbdi_kernel_args_t * args, int i, const REAL * sine, const REAL * cosine, KN(placed) * body)
{
  const mbdi_plan_body_t * b = &args->plan->body[i];
  const KN(placed) * from = b->parent < 0 ? NULL : &body[b->parent];
  KN(world_place)
  (b, from ? &from->R : NULL, args->q, sine[i], cosine[i], &body[i].R, &body[i].d);
  body[i].p = from ? KN(add)(from->p, body[i].d) : body[i].d;
}

// frame in the world
ALWAYS void
KN(place_frame)(const mbd_frame_t * frame, const KN(placed) * body, M3 * R, V3 * p)
{
  const double *T = frame->X.R.m, *o = &frame->X.p.x;
  if (frame->body < 0) {
    for (int k = 0; k < 9; k++) R->m[k] = SPLAT(T[k]);
    *p = (V3){SPLAT(o[0]), SPLAT(o[1]), SPLAT(o[2])};
    return;
  }
  const KN(placed) * b = &body[frame->body];
  *R = KN(mul_const)(&b->R, T);
  *p = KN(add)(b->p, KN(mul)(&b->R, (V3){SPLAT(o[0]), SPLAT(o[1]), SPLAT(o[2])}));
}

static bool
KN(frame_placements)(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  const mbdi_kernel_frames_t * frames = args->frames;
  KN(placed) * body = args->work;
  REAL *sine = (REAL *)(body + plan->nbody), *cosine = sine + PADDED(plan->nbody);
  REAL * out = args->out;
  KN(joint_sines)(plan, args->q, sine, cosine);
  for (int i = 0; i < plan->nbody; i++) KN(place)(args, i, sine, cosine, body);
  for (int k = 0; k < frames->n; k++, out += 12) {
    M3 R;
    V3 p;
    KN(place_frame)(&frames->all[frames->index[k]], body, &R, &p);
    for (int j = 0; j < 9; j++) out[j] = R.m[j];
    out[9] = p.x, out[10] = p.y, out[11] = p.z;
  }
  return true;
}

// the six numbers of degree of freedom k of a body, seen at `at`, and in the axes of R if there are
ALWAYS void
KN(jacobian_column)(
  const mbdi_plan_body_t * b, const KN(placed) * body, int k, V3 at, const M3 * R, size_t nv,
  REAL * J)
{
  V3 ang = {SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)}, lin = KN(axis)(b, &body->R, k);
  if (!KN(is_linear)(b, k)) {
    const V3 p = body->p;
    ang = lin;
    lin = KN(cross)(ang, (V3){at.x - p.x, at.y - p.y, at.z - p.z});
  }
  if (R) ang = KN(tmul)(R, ang), lin = KN(tmul)(R, lin);
  REAL * to = J + (size_t)(b->v + k);
  to[0] = ang.x, to[nv] = ang.y, to[2 * nv] = ang.z;
  to[3 * nv] = lin.x, to[4 * nv] = lin.y, to[5 * nv] = lin.z;
}

static bool
KN(frame_jacobian)(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  const mbdi_kernel_frames_t * frames = args->frames;
  const mbd_frame_t * frame = &frames->all[frames->index[0]];
  const size_t nv = (size_t)plan->nv;
  KN(placed) * body = args->work;
  REAL *sine = (REAL *)(body + plan->nbody), *cosine = sine + PADDED(plan->nbody);
  REAL * J = args->out;
  int32_t path[PLAN_DEEPEST];
  int n = 0;
  for (int i = frame->body; i >= 0; i = plan->body[i].parent) path[n++] = i;
  KN(joint_sines)(plan, args->q, sine, cosine);
  for (int k = n - 1; k >= 0; k--) KN(place)(args, path[k], sine, cosine, body);
  M3 R;
  V3 at;
  KN(place_frame)(frame, body, &R, &at);
  if (frames->reference == MBD_WORLD) at = (V3){SPLAT(0.0), SPLAT(0.0), SPLAT(0.0)};
  for (size_t k = 0; k < 6 * nv; k++) J[k] = SPLAT(0.0);
  for (int k = 0; k < n; k++) {
    const mbdi_plan_body_t * b = &plan->body[path[k]];
    const M3 * axes = frames->reference == MBD_LOCAL ? &R : NULL;
    const int last = b->kind == PLAN_FREE ? 6 : 1;
    for (int j = 0; j < last; j++) KN(jacobian_column)(b, &body[path[k]], j, at, axes, nv, J);
  }
  return true;
}
