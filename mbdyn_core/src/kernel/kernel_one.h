// Kernels for one state: three-vectors in the lanes of vectors of four. Included by
// kernel_instance.c.
//
// Everything is in world axes, each body at its own origin. Velocities, accelerations and forces
// then go from body to body by additions alone, so that what one body waits for of the last is short,
// and an inertia moves to the parent by a shift without rotation. The fourth lane is zero.

#ifdef __clang__
#define SHUFFLE(v, a, b, c, d) __builtin_shufflevector(v, v, a, b, c, d)
#else
#define SHUFFLE(v, a, b, c, d) __builtin_shuffle(v, (four_int_t){a, b, c, d})
#endif
#define YZX(v) SHUFFLE(v, 1, 2, 0, 3)

typedef struct one_body {
  four_t R[3];  // columns: body axes in the world
  four_t d;     // from the parent's origin
  four_t h;     // first moment
  four_t I[3];  // rotational inertia about the origin, columns
  four_t w, alpha, a, f, n;
} one_body_t;

ALWAYS four_t
splat(double x)
{
  return (four_t){x, x, x, x};
}

// C x, x in memory
ALWAYS four_t
times(const four_t * C, const double * x)
{
  return C[0] * splat(x[0]) + C[1] * splat(x[1]) + C[2] * splat(x[2]);
}

// C x, x in a register
ALWAYS four_t
times_v(const four_t * C, four_t x)
{
  return C[0] * SHUFFLE(x, 0, 0, 0, 0) + C[1] * SHUFFLE(x, 1, 1, 1, 1) +
         C[2] * SHUFFLE(x, 2, 2, 2, 2);
}

// a x b with the lanes still turned: YZX of it is the product
ALWAYS four_t
cross_turned(four_t a, four_t b)
{
  return a * YZX(b) - YZX(a) * b;
}

ALWAYS four_t
cross(four_t a, four_t b)
{
  return YZX(cross_turned(a, b));
}

ALWAYS double
dot(four_t a, four_t b)
{
  const four_t p = a * b;
  return p[0] + p[1] + p[2];
}

ALWAYS four_t
vector(const double * x)
{
  return (four_t){x[0], x[1], x[2], 0};
}

//---------- places and inertias ----------

// child axes in the parent's, columns, of one body
ALWAYS void
local_axes(const mbd_plan_body_t * b, const double * q, double s, double c, four_t * out)
{
  const four_t * T = (const four_t *)b->column;
  if (b->kind == PLAN_REVOLUTE) {
    out[0] = c * T[0] + s * T[1];
    out[1] = c * T[1] - s * T[0];
    out[2] = T[2];
    return;
  }
  for (int k = 0; k < 3; k++) out[k] = T[k];
  if (b->kind == PLAN_FREE) {
    const m3_plain turn = from_quaternion_plain(q + b->q + 3);
    for (int k = 0; k < 3; k++) {
      out[k] = T[0] * splat(turn.m[k]) + T[1] * splat(turn.m[3 + k]) + T[2] * splat(turn.m[6 + k]);
    }
  }
}

// origin of the child in the parent
ALWAYS four_t
local_origin(const mbd_plan_body_t * b, const double * q)
{
  const four_t * T = (const four_t *)b->column;
  const four_t p = *(const four_t *)b->origin;
  if (b->kind == PLAN_REVOLUTE) return p;
  if (b->kind == PLAN_PRISMATIC) return p + T[2] * splat(q[b->q]);
  return p + times(T, q + b->q);
}

// R and d of all bodies
ALWAYS void
place_all(
  const mbd_plan_t * plan, const double * q, one_body_t * body, double * sine, double * cosine)
{
  joint_sines_plain(plan, q, sine, cosine);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    one_body_t * o = &body[i];
    four_t local[3];
    local_axes(b, q, sine[i], cosine[i], local);
    if (b->parent < 0) {
      for (int k = 0; k < 3; k++) o->R[k] = local[k];
      o->d = local_origin(b, q);
    } else {
      const four_t * P = body[b->parent].R;
      for (int k = 0; k < 3; k++) o->R[k] = times_v(P, local[k]);
      o->d = b->kind == PLAN_REVOLUTE ? times(P, b->origin) : times_v(P, local_origin(b, q));
    }
  }
}

// first moment and rotational inertia in world axes
ALWAYS void
turn_inertia(const mbd_inertia_t * M, one_body_t * o)
{
  const double * I = &M->I.xx;
  const four_t * R = o->R;
  // A = R I, then A R^T
  const four_t A[3] = {
    R[0] * splat(I[0]) + R[1] * splat(I[1]) + R[2] * splat(I[2]),
    R[0] * splat(I[1]) + R[1] * splat(I[3]) + R[2] * splat(I[4]),
    R[0] * splat(I[2]) + R[1] * splat(I[4]) + R[2] * splat(I[5])};
  const double *x = (const double *)&R[0], *y = (const double *)&R[1], *z = (const double *)&R[2];
  o->h = times(R, &M->h.x);
  for (int k = 0; k < 3; k++) {
    o->I[k] = A[0] * splat(x[k]) + A[1] * splat(y[k]) + A[2] * splat(z[k]);
  }
}

//---------- mass matrix ----------

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

//---------- forward dynamics ----------

// articulated body [J H; G M], G = H^T, columns: moments first
typedef struct one_articulated {
  four_t J[3], H[3], G[3], M[3];
  four_t c_a, c_l;  // acceleration that velocities cause
  four_t U_a, U_l;  // P S, or the solution of a free joint
  double inverse_D, u;
  double pad[2];
} one_articulated_t;

// velocity, the accelerations that it causes, and the forces that go with it
ALWAYS void
fd_velocity(
  const mbd_plan_body_t * b, const double * v, const one_body_t * from, one_body_t * o,
  one_articulated_t * p)
{
  const four_t zero = {0}, axis = o->R[2], w0 = from ? from->w : zero;
  o->w = w0;
  p->c_a = zero;
  p->c_l = from ? cross(w0, cross(w0, o->d)) : zero;
  if (!v) return;
  if (b->kind == PLAN_REVOLUTE) {
    o->w = w0 + axis * splat(v[b->v]);
    if (from) p->c_a = cross(w0, o->w);
  } else if (b->kind == PLAN_PRISMATIC) {
    p->c_l += cross(w0, axis * splat(2 * v[b->v]));
  } else {
    const four_t lin = times(o->R, v + b->v), ang = times(o->R, v + b->v + 3);
    o->w = w0 + ang;
    p->c_a = cross(w0, ang);
    p->c_l += cross(w0 + w0 + ang, lin);
  }
}

ALWAYS void
fd_rigid(double m, one_body_t * o, one_articulated_t * p)
{
  const four_t h = o->h, w = o->w;
  o->n = cross(w, times_v(o->I, w));
  o->f = cross(w, cross(w, h));
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

// U, D and u of a joint of one degree of freedom; false where nothing resists it
ALWAYS bool
fd_hinge(int32_t kind, double tau, double rotor, const one_body_t * o, one_articulated_t * p)
{
  const four_t e = o->R[2];
  double D, floor;
  if (kind == PLAN_REVOLUTE) {
    p->U_a = times_v(p->J, e);
    p->U_l = times_v(p->G, e);
    D = dot(e, p->U_a);
    floor = trace(p->J);
    p->u = tau - dot(e, o->n);
  } else {
    p->U_a = times_v(p->H, e);
    p->U_l = times_v(p->M, e);
    D = dot(e, p->U_l);
    floor = trace(p->M);
    p->u = tau - dot(e, o->f);
  }
  D += rotor;
  p->inverse_D = 1 / D;
  return D > 1e-12 * floor;
}

// P - U U^T / D, and the force that the joint lets through, shifted to the parent
ALWAYS void
fd_to_parent(
  const one_body_t * o, const one_articulated_t * p, one_body_t * to, one_articulated_t * into)
{
  const four_t a = p->U_a, l = p->U_l, s = splat(p->inverse_D), ga = s * a, gl = s * l;
  four_t J[3], H[3], G[3], M[3];
  for (int k = 0; k < 3; k++) {
    const four_t x = splat(ga[k]), y = splat(gl[k]);
    J[k] = p->J[k] - a * x;
    H[k] = p->H[k] - a * y;
    G[k] = p->G[k] - l * x;
    M[k] = p->M[k] - l * y;
  }
  const four_t u = splat(p->u), d = o->d, d_yzx = YZX(d);
  const four_t n = o->n + ga * u + times_v(J, p->c_a) + times_v(H, p->c_l);
  const four_t f = o->f + gl * u + times_v(G, p->c_a) + times_v(M, p->c_l);
  to->f += f;
  to->n += n + YZX(d * YZX(f) - d_yzx * f);

  // H2 = H + [d] M, G2 = G - M [d], J2 = J + [d] G - H2 [d]
  const four_t dx = SHUFFLE(d, 0, 0, 0, 0), dy = SHUFFLE(d, 1, 1, 1, 1),
               dz = SHUFFLE(d, 2, 2, 2, 2);
  for (int k = 0; k < 3; k++) {
    J[k] += YZX(d * YZX(G[k]) - d_yzx * G[k]);
    H[k] += YZX(d * YZX(M[k]) - d_yzx * M[k]);
  }
  into->J[0] += J[0] - (H[1] * dz - H[2] * dy);
  into->J[1] += J[1] - (H[2] * dx - H[0] * dz);
  into->J[2] += J[2] - (H[0] * dy - H[1] * dx);
  into->G[0] += G[0] - (M[1] * dz - M[2] * dy);
  into->G[1] += G[1] - (M[2] * dx - M[0] * dz);
  into->G[2] += G[2] - (M[0] * dy - M[1] * dx);
  for (int k = 0; k < 3; k++) into->H[k] += H[k], into->M[k] += M[k];
}

// acceleration that a free joint ends up with: P^-1 (torque - residual)
static bool
fd_free(const one_body_t * o, const double * tau, one_articulated_t * p)
{
  const double turn = 1e-12 * trace(p->J), move = 1e-12 * trace(p->M);
  const double floor[6] = {turn, turn, turn, move, move, move};
  double A[6][6], x[6];
  four_t f = -o->f, n = -o->n;
  if (tau) f += times(o->R, tau), n += times(o->R, tau + 3);
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 3; i++) {
      A[i][j] = p->J[j][i];
      A[3 + i][j] = p->G[j][i];
      A[3 + i][3 + j] = p->M[j][i];
    }
    x[j] = n[j], x[3 + j] = f[j];
  }
  const bool good = factor6_plain(A, floor);
  solve6_plain(A, x);
  p->U_a = vector(x);
  p->U_l = vector(x + 3);
  return good;
}

ALWAYS void
fd_accelerate(
  const mbd_plan_body_t * b, const one_body_t * from, four_t up, one_body_t * o,
  const one_articulated_t * p, double * qdd)
{
  four_t alpha = p->c_a, a = p->c_l + up;
  if (from) {
    alpha += from->alpha;
    a = p->c_l + from->a + cross(from->alpha, o->d);
  }
  if (b->kind == PLAN_FREE) {
    o->alpha = p->U_a;
    o->a = p->U_l;
    for (int k = 0; k < 3; k++) {
      qdd[b->v + k] = dot(o->R[k], o->a - a);
      qdd[b->v + 3 + k] = dot(o->R[k], o->alpha - alpha);
    }
    return;
  }
  const four_t both = p->U_a * alpha + p->U_l * a;
  const double x = p->inverse_D * (p->u - (both[0] + both[1] + both[2]));
  qdd[b->v] = x;
  o->alpha = b->kind == PLAN_REVOLUTE ? alpha + o->R[2] * splat(x) : alpha;
  o->a = b->kind == PLAN_REVOLUTE ? a : a + o->R[2] * splat(x);
}

static bool
one_forward_dynamics(const mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = args->plan;
  const double *v = args->v, *tau = args->u;
  one_body_t * body = args->work;
  one_articulated_t * art = (one_articulated_t *)(body + plan->nbody);
  double *sine = (double *)(art + plan->nbody), *cosine = sine + PADDED(plan->nbody);
  bool good = true;
  place_all(plan, args->q, body, sine, cosine);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    turn_inertia(&args->inertia[i], &body[i]);
    fd_velocity(b, v, b->parent < 0 ? NULL : &body[b->parent], &body[i], &art[i]);
    fd_rigid(args->inertia[i].mass, &body[i], &art[i]);
  }
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbd_plan_body_t * b = &plan->body[i];
    const double rotor = args->rotor ? args->rotor[b->v] : 0;
    const double * t = tau ? tau + b->v : NULL;
    one_body_t * to = b->parent < 0 ? NULL : &body[b->parent];
    if (b->kind == PLAN_FREE) {
      good = fd_free(&body[i], t, &art[i]) && good;
      // nothing of its inertia gets through, only the joint's own torque
      if (!to || !t) continue;
      const four_t f = times(body[i].R, t);
      to->f += f;
      to->n += times(body[i].R, t + 3) + cross(body[i].d, f);
      continue;
    }
    good = fd_hinge(b->kind, t ? *t : 0, rotor, &body[i], &art[i]) && good;
    if (to) fd_to_parent(&body[i], &art[i], to, &art[b->parent]);
  }
  const four_t up = -vector(args->gravity);
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_plan_body_t * b = &plan->body[i];
    const one_body_t * from = b->parent < 0 ? NULL : &body[b->parent];
    fd_accelerate(b, from, up, &body[i], &art[i], args->out);
  }
  return good;
}
