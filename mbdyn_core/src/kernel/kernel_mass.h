// The mass matrix of one state. Included by kernel_instance.c after kernel_one.h.

// inertia of a subtree, to that of the parent; masses are in the first lane of w
ALWAYS void
add_to_parent(const one_body_t * o, one_body_t * to)
{
  const four_t m = o->w, d = o->d, half = o->h + splat(0.5) * m * d;
  const double * x = (const double *)&o->d;
  const double twice = 2 * dot(half, d);
  to->w += m;
  to->h += o->h + m * d;
  for (int k = 0; k < 3; k++) {
    four_t diagonal = {0};
    diagonal[k] = twice;
    to->I[k] += o->I[k] + diagonal - half * splat(x[k]) - d * splat(half[k]);
  }
}

// row and column of a degree of freedom whose force and moment are given
ALWAYS void
mass_walk(
  const mbd_plan_t * plan, const one_body_t * body, int i, four_t f, four_t n, size_t column,
  double * M)
{
  const size_t nv = (size_t)plan->nv;
  for (;;) {
    const mbd_plan_body_t * b = &plan->body[i];
    const one_body_t * o = &body[i];
    if (b->kind == PLAN_FREE) {
      for (size_t k = 0; k < 3; k++) {
        const size_t row = (size_t)b->v + k;
        const double lin = dot(o->R[k], f), ang = dot(o->R[k], n);
        M[row * nv + column] = M[column * nv + row] = lin;
        M[(row + 3) * nv + column] = M[column * nv + row + 3] = ang;
      }
    } else {
      const double x = dot(o->R[2], b->kind == PLAN_REVOLUTE ? n : f);
      M[(size_t)b->v * nv + column] = M[column * nv + (size_t)b->v] = x;
    }
    if (b->parent < 0) return;
    n += cross(o->d, f);
    i = b->parent;
  }
}

ALWAYS void
mass_columns(const mbd_plan_t * plan, const one_body_t * body, int i, double * M)
{
  const mbd_plan_body_t * b = &plan->body[i];
  const one_body_t * o = &body[i];
  const size_t v = (size_t)b->v;
  if (b->kind == PLAN_REVOLUTE) {
    mass_walk(plan, body, i, cross(o->R[2], o->h), times_v(o->I, o->R[2]), v, M);
  } else if (b->kind == PLAN_PRISMATIC) {
    mass_walk(plan, body, i, o->w * o->R[2], cross(o->h, o->R[2]), v, M);
  } else {
    for (size_t k = 0; k < 3; k++) {
      mass_walk(plan, body, i, o->w * o->R[k], cross(o->h, o->R[k]), v + k, M);
      mass_walk(plan, body, i, cross(o->R[k], o->h), times_v(o->I, o->R[k]), v + 3 + k, M);
    }
  }
}

static bool
one_mass_matrix(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  const size_t nv = (size_t)plan->nv;
  one_body_t * body = args->work;
  double *sine = (double *)(body + plan->nbody), *cosine = sine + PADDED(plan->nbody);
  double * M = args->out;
  place_all(plan, args->q, body, sine, cosine);
  for (int i = 0; i < plan->nbody; i++) {
    turn_inertia(&args->inertia[i], &body[i]);
    body[i].w = splat(args->inertia[i].mass);
  }
  memset(M, 0, nv * nv * sizeof *M);
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const int parent = plan->body[i].parent;
    mass_columns(plan, body, i, M);
    if (parent >= 0) add_to_parent(&body[i], &body[parent]);
  }
  for (size_t k = 0; args->rotor && k < nv; k++) M[k * (nv + 1)] += args->rotor[k];
  return true;
}
