// Articulated bodies of one state, in world axes, each at its own origin. Included by
// kernel_instance.c after kernel_one.h.

// [J H; G M], G = H^T, columns: moments first
typedef struct one_articulated {
  four_t J[3], H[3], G[3], M[3];
  four_t U_a, U_l;   // P S, or the solution of a free joint
  four_t W_a, W_l;   // U / D at the parent's origin
  four_t inverse_D;  // in all lanes
} one_articulated_t;

ALWAYS void
rigid_body(double m, const one_body_t * o, one_articulated_t * p)
{
  const four_t h = o->h;
  for (int k = 0; k < 3; k++) p->J[k] = o->I[k];
  // H = [h]
  p->H[0] = (four_t){0, h[2], -h[1], 0};
  p->H[1] = (four_t){-h[2], 0, h[0], 0};
  p->H[2] = (four_t){h[1], -h[0], 0, 0};
  for (int k = 0; k < 3; k++) p->G[k] = -p->H[k];
  p->M[0] = (four_t){m, 0, 0, 0};
  p->M[1] = (four_t){0, m, 0, 0};
  p->M[2] = (four_t){0, 0, m, 0};
}

ALWAYS double
trace(const four_t * A)
{
  return A[0][0] + A[1][1] + A[2][2];
}

// U and D of a joint of one degree of freedom (6.13); false where nothing resists it
ALWAYS bool
hinge(int32_t kind, double rotor, const one_body_t * o, one_articulated_t * p)
{
  const double * e = (const double *)&o->R[2];
  const bool turns = kind == PLAN_REVOLUTE;
  p->U_a = times(turns ? p->J : p->H, e);
  p->U_l = times(turns ? p->G : p->M, e);
  const four_t D = lane_sum(o->R[2] * (turns ? p->U_a : p->U_l)) + splat(rotor);
  const four_t s = splat(1) / D;
  p->inverse_D = s;
  p->W_a = (p->U_a + cross(o->d, p->U_l)) * s;
  p->W_l = p->U_l * s;
  return D[0] > 1e-12 * trace(turns ? p->J : p->M);
}

// P - U U^T / D, shifted to the parent's origin (6.24), (6.26): the shift does not wait for D, as it
// is done to P and to U
ALWAYS void
inertia_to_parent(const one_body_t * o, const one_articulated_t * p, one_articulated_t * into)
{
  const four_t d = o->d, d_yzx = YZX(d), l = p->U_l;
  const four_t a = p->U_a + cross(d, l), s = p->inverse_D;
  const double * x = (const double *)&o->d;
  const four_t dx = splat(x[0]), dy = splat(x[1]), dz = splat(x[2]);
  const four_t *G = p->G, *M = p->M;
  four_t J[3], H[3];
  // H2 = H + [d] M, G2 = G - M [d], J2 = J + [d] G - H2 [d]
  for (int k = 0; k < 3; k++) {
    J[k] = p->J[k] + YZX(d * YZX(G[k]) - d_yzx * G[k]);
    H[k] = p->H[k] + YZX(d * YZX(M[k]) - d_yzx * M[k]);
  }
  const four_t J2[3] = {
    J[0] - (H[1] * dz - H[2] * dy), J[1] - (H[2] * dx - H[0] * dz), J[2] - (H[0] * dy - H[1] * dx)};
  const four_t G2[3] = {
    G[0] - (M[1] * dz - M[2] * dy), G[1] - (M[2] * dx - M[0] * dz), G[2] - (M[0] * dy - M[1] * dx)};
  for (int k = 0; k < 3; k++) {
    const four_t ak = splat(a[k]), lk = splat(l[k]);
    into->J[k] += J2[k] - a * ak * s;
    into->H[k] += H[k] - a * lk * s;
    into->G[k] += G2[k] - l * ak * s;
    into->M[k] += M[k] - l * lk * s;
  }
}

// L D L^T of the articulated inertia of a free joint, angular first; false as in hinge
ALWAYS bool
factor_free(const one_articulated_t * p, double A[6][6])
{
  const double turn = 1e-12 * trace(p->J), move = 1e-12 * trace(p->M);
  const double floor[6] = {turn, turn, turn, move, move, move};
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 3; i++) {
      A[i][j] = p->J[j][i];
      A[3 + i][j] = p->G[j][i];
      A[3 + i][3 + j] = p->M[j][i];
    }
  }
  return factor6_plain(A, floor);
}

//---------- all bodies ----------

// what is kept of a body for operational space and the inverse of the mass matrix: four cache lines,
// so that long chains stay near the processor
typedef struct one_hinge {
  four_t R[3];  // columns: body axes in the world
  four_t d, h;  // from the parent's origin; first moment
  union {
    four_t I[3];  // rotational inertia, columns
    struct {
      four_t W_a, W_l;   // in the end U / D at the parent's origin
      four_t inverse_D;  // in all lanes
    };
  };
} one_hinge_t;

// of a free joint: P^-1 = T^T T, angular first
typedef struct one_free {
  double T[6][6];
} one_free_t;

// memory of these kernels
typedef struct one_tree {
  one_hinge_t * body;        // [nbody]
  one_free_t * free;         // [nbody], those of free joints
  one_articulated_t * slot;  // [slots]: what a subtree lets through to the body that carries it
  double * rest;
} one_tree_t;

ALWAYS one_tree_t
tree_of(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  one_hinge_t * body = args->work;
  one_articulated_t * slot = (one_articulated_t *)(body + plan->nbody);
  one_free_t * free = (one_free_t *)(slot + plan->slots);
  return (one_tree_t){body, free, slot, (double *)(free + plan->nbody)};
}

// a body in its parent P: axes and where its origin is
ALWAYS void
hinge_place(
  const mbdi_plan_body_t * b, const double * q, double sine, double cosine, const four_t * P,
  four_t * R, four_t * d)
{
  if (__builtin_expect(b->kind == PLAN_REVOLUTE, 1)) {
    const four_t x = times(P, b->column[0]), y = times(P, b->column[1]);
    R[0] = splat(cosine) * x + splat(sine) * y;
    R[1] = splat(cosine) * y - splat(sine) * x;
    R[2] = times(P, b->column[2]);
    *d = times(P, b->origin);
    return;
  }
  four_t axis[3];
  local_axes(b, q, sine, cosine, axis);
  for (int k = 0; k < 3; k++) R[k] = times_v(P, axis[k]);
  *d = times_v(P, local_origin(b, q));
}

// Places and inertias. The last body's axes stay in registers: most often it is the parent of the next.
ALWAYS void
hinges_outward(const mbdi_kernel_args_t * args, const one_tree_t * tree)
{
  const mbdi_plan_t * plan = args->plan;
  double *sine = tree->rest, *cosine = sine + PADDED(plan->nbody);
  joint_sines(plan, args->q, sine, cosine);
  four_t P[3];
  world_axes(P);
  for (int i = 0; i < plan->nbody; i++) {
    const mbdi_plan_body_t * b = &plan->body[i];
    one_hinge_t * x = &tree->body[i];
    if (b->parent < 0) {
      world_axes(P);
    } else if (b->parent != i - 1) {
      for (int k = 0; k < 3; k++) P[k] = tree->body[b->parent].R[k];
    }
    one_body_t turned;
    hinge_place(b, args->q, sine[i], cosine[i], P, turned.R, &x->d);
    for (int k = 0; k < 3; k++) x->R[k] = P[k] = turned.R[k];
    turn_inertia(&args->inertia[i], &turned);
    x->h = turned.h;
    for (int k = 0; k < 3; k++) x->I[k] = turned.I[k];
  }
}

ALWAYS void
add_articulated(const one_articulated_t * from, one_articulated_t * to)
{
  for (int k = 0; k < 3; k++) {
    to->J[k] += from->J[k], to->H[k] += from->H[k];
    to->G[k] += from->G[k], to->M[k] += from->M[k];
  }
}

// T = L^-1 over the roots of the pivots
static bool
free_inverse(const one_articulated_t * p, one_free_t * out)
{
  double A[6][6];
  const bool good = factor_free(p, A);
  for (int r = 0; r < 6; r++) {
    double row[6] = {0};
    row[r] = 1;
    for (int k = r - 1; k >= 0; k--) {
      for (int l = k + 1; l <= r; l++) row[k] -= row[l] * A[l][k];
    }
    const double root = 1 / sqrt(A[r][r]);
    for (int k = 0; k < 6; k++) out->T[r][k] = root * row[k];
  }
  return good;
}

// tips to bases; the last child is the first to come here: it finds nothing in the slot that it gives
// to. False where nothing resists a joint.
ALWAYS bool
hinges_inward(const mbdi_kernel_args_t * args, const one_tree_t * tree)
{
  const mbdi_plan_t * plan = args->plan;
  bool good = true;
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbdi_plan_body_t * b = &plan->body[i];
    const mbdi_plan_span_t * span = &plan->span[i];
    one_hinge_t * x = &tree->body[i];
    one_body_t o = {.R = {x->R[0], x->R[1], x->R[2]}, .d = x->d, .h = x->h};
    one_articulated_t p, up = {0};
    for (int k = 0; k < 3; k++) o.I[k] = x->I[k];
    rigid_body(args->inertia[i].mass, &o, &p);
    if (!span->leaf) add_articulated(&tree->slot[span->slot], &p);
    if (b->kind == PLAN_FREE) {
      good = free_inverse(&p, &tree->free[i]) && good;
    } else {
      good = hinge(b->kind, args->rotor ? args->rotor[b->v] : 0, &o, &p) && good;
      x->W_a = p.W_a, x->W_l = p.W_l, x->inverse_D = p.inverse_D;
      if (b->parent >= 0) inertia_to_parent(&o, &p, &up);
    }
    if (b->parent < 0) continue;
    if (span->slot != span->from) add_articulated(&tree->slot[span->from], &up);
    for (int k = 0; k < 3; k++) {
      one_articulated_t * to = &tree->slot[span->from];
      to->J[k] = up.J[k], to->H[k] = up.H[k], to->G[k] = up.G[k], to->M[k] = up.M[k];
    }
  }
  return good;
}
