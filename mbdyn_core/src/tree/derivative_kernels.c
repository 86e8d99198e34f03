// Compiled once per instruction set, its name KERNEL_SET and the number of doubles in its vectors
// KERNEL_VECTOR_LENGTH (2, 4 or 8).
#include "tree/derivative_kernels.h"

#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "model/joint.h"

#define LENGTH      KERNEL_VECTOR_LENGTH
#define GLUE_(a, b) a##_##b
#define GLUE(a, b)  GLUE_(a, b)
#define ALWAYS      static inline __attribute__((always_inline))

// numbers of a composite in whole vectors
enum { COMPOSITE_PADDED = (COMPOSITE_NUMBERS + LENGTH - 1) / LENGTH * LENGTH };

typedef double vec_t __attribute__((vector_size(8 * LENGTH)));
typedef double vec_unaligned_t __attribute__((vector_size(8 * LENGTH), aligned(8), may_alias));
#ifndef __clang__
typedef long long vec_int_t __attribute__((vector_size(8 * LENGTH)));
#endif

#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (vec_int_t){__VA_ARGS__})
#endif

ALWAYS vec_t
load(const double * x)
{
  return *(const vec_unaligned_t *)x;
}

ALWAYS void
store(double * x, vec_t v)
{
  *(vec_unaligned_t *)x = v;
}

ALWAYS vec_t
splat(double x)
{
  return x - (vec_t){0};
}

// LENGTH rows to columns
ALWAYS void
transpose(vec_t * x)
{
#if LENGTH == 8
  // pairs of rows, then of halves of 256 bits, then the halves of 512
  vec_t a[8], b[8];
  for (int k = 0; k < 8; k += 2) {
    a[k] = SHUFFLE(x[k], x[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    a[k + 1] = SHUFFLE(x[k], x[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int k = 0; k < 8; k += 4) {
    for (int i = k; i < k + 2; i++) {
      b[i] = SHUFFLE(a[i], a[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + 2] = SHUFFLE(a[i], a[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int k = 0; k < 4; k++) {
    x[k] = SHUFFLE(b[k], b[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    x[k + 4] = SHUFFLE(b[k], b[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
#elif LENGTH == 4
  const vec_t a = SHUFFLE(x[0], x[1], 0, 4, 2, 6), b = SHUFFLE(x[0], x[1], 1, 5, 3, 7);
  const vec_t c = SHUFFLE(x[2], x[3], 0, 4, 2, 6), d = SHUFFLE(x[2], x[3], 1, 5, 3, 7);
  x[0] = SHUFFLE(a, c, 0, 1, 4, 5);
  x[1] = SHUFFLE(b, d, 0, 1, 4, 5);
  x[2] = SHUFFLE(a, c, 2, 3, 6, 7);
  x[3] = SHUFFLE(b, d, 2, 3, 6, 7);
#else
  const vec_t a = SHUFFLE(x[0], x[1], 0, 2), b = SHUFFLE(x[0], x[1], 1, 3);
  x[0] = a;
  x[1] = b;
#endif
}

// the first n (a multiple of LENGTH) numbers of LENGTH structures
ALWAYS void
load_rows(const double * const * row, int n, vec_t * x)
{
  for (int k = 0; k < n; k += LENGTH) {
    for (int i = 0; i < LENGTH; i++) x[k + i] = load(row[i] + k);
    transpose(x + k);
  }
}

// Numbers [first, end) of them, less than LENGTH, in the last vectors that end there: gathered one by one they
// would go through the stack, a store-forwarding stall each.
ALWAYS void
load_rest(const double * const * row, int first, int end, vec_t * x)
{
  vec_t last[LENGTH];
  if (first == end) return;
  for (int i = 0; i < LENGTH; i++) last[i] = load(row[i] + end - LENGTH);
  transpose(last);
  for (int k = first; k < end; k++) x[k] = last[LENGTH - end + k];
}

ALWAYS int
smaller(int a, int b)
{
  return a < b ? a : b;
}

//---------- spatial algebra ----------

ALWAYS void
cross(const vec_t * a, const vec_t * b, vec_t * out)
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

ALWAYS void
add_cross(const vec_t * a, const vec_t * b, vec_t * out)
{
  // two fused operations each
  out[0] += a[1] * b[2];
  out[1] += a[2] * b[0];
  out[2] += a[0] * b[1];
  out[0] -= a[2] * b[1];
  out[1] -= a[0] * b[2];
  out[2] -= a[1] * b[0];
}

ALWAYS void
add_mat3_vec(const vec_t * m, const vec_t * x, vec_t * out)
{
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) out[k] += m[3 * k + i] * x[i];
  }
}

// out += V x W of motions
ALWAYS void
add_motion_cross(const vec_t * V, const vec_t * W, vec_t * out)
{
  add_cross(V, W, out);
  add_cross(V, W + 3, out + 3);
  add_cross(V + 3, W, out + 3);
}

// out += V x f of a force
ALWAYS void
add_force_cross(const vec_t * V, const vec_t * f, vec_t * out)
{
  add_cross(V, f, out);
  add_cross(V + 3, f + 3, out);
  add_cross(V, f + 3, out + 3);
}

// out += M V; M as in mbd_inertia_t
ALWAYS void
add_inertia_mul(const vec_t * M, const vec_t * V, vec_t * out)
{
  const vec_t *h = M + 1, *I = M + 4, *w = V, *v = V + 3;
  const vec_t full[9] = {I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]};
  add_mat3_vec(full, w, out);
  add_cross(h, v, out);
  for (int k = 0; k < 3; k++) out[3 + k] += M[0] * v[k];
  add_cross(w, h, out + 3);
}

// out += B V; B as in velocity_matrix.h
ALWAYS void
add_velocity_matrix_mul(const vec_t * B, const vec_t * V, vec_t * out)
{
  add_mat3_vec(B, V, out);
  add_cross(V, B + 9, out + 3);
}

//---------- bodies ----------

// an inertia in world axes at the world's origin                              (mbdu_inertia_to_parent)
ALWAYS void
inertia_to_world(const vec_t * X, const vec_t * M, vec_t * out)
{
  const vec_t *R = X, *p = X + 9, *I = M + 4, m = M[0];
  vec_t h[3] = {splat(0), splat(0), splat(0)}, RI[9], mp[3], g[3];
  add_mat3_vec(R, M + 1, h);
  for (int k = 0; k < 3; k++) {
    const vec_t * r = R + 3 * k;
    mp[k] = m * p[k];
    // h and g = h + m p / 2 together: I' = R I R^T - p~ g~ - g~ p~
    g[k] = h[k] + 0.5 * mp[k];
    RI[3 * k] = r[0] * I[0] + r[1] * I[1] + r[2] * I[2];
    RI[3 * k + 1] = r[0] * I[1] + r[1] * I[3] + r[2] * I[4];
    RI[3 * k + 2] = r[0] * I[2] + r[1] * I[4] + r[2] * I[5];
    out[1 + k] = h[k] + mp[k];
  }
  const vec_t pg = 2.0 * (p[0] * g[0] + p[1] * g[1] + p[2] * g[2]);
  int n = 4;
  out[0] = m;
  for (int i = 0; i < 3; i++) {
    for (int j = i; j < 3; j++, n++) {
      out[n] = RI[3 * i] * R[3 * j] + RI[3 * i + 1] * R[3 * j + 1] + RI[3 * i + 2] * R[3 * j + 2];
      out[n] -= p[i] * g[j] + p[j] * g[i];
      if (i == j) out[n] += pg;
    }
  }
}

// 2 B                                                                          (velocity_matrix.h)
ALWAYS void
velocity_matrix_of(const vec_t * M, const vec_t * V, vec_t * B)
{
  const vec_t *h = M + 1, *I = M + 4;
  const vec_t w[3] = {2.0 * V[0], 2.0 * V[1], 2.0 * V[2]};
  const vec_t v[3] = {2.0 * V[3], 2.0 * V[4], 2.0 * V[5]};
  const vec_t half = 0.5 * (I[0] + I[3] + I[5]);
  const vec_t J[9] = {half - I[0], -I[1], -I[2], -I[1],      half - I[3],
                      -I[4],       -I[2], -I[4], half - I[5]};
  const vec_t hv = h[0] * v[0] + h[1] * v[1] + h[2] * v[2];
  for (int j = 0; j < 3; j++) {
    // column j of - w~ J - v h^T + (h . v) 1
    B[j] = w[2] * J[3 + j] - w[1] * J[6 + j] - v[0] * h[j];
    B[3 + j] = w[0] * J[6 + j] - w[2] * J[j] - v[1] * h[j];
    B[6 + j] = w[1] * J[j] - w[0] * J[3 + j] - v[2] * h[j];
    B[4 * j] += hv;
    B[9 + j] = M[0] * v[j];
  }
  add_cross(w, h, B + 9);
}

// S of the degrees of freedom, V and A of the bodies
static void
motions_in_world(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd,
  const mbdi_derivative_dofs_t * dof, const mbdi_derivative_bodies_t * bodies)
{
  const size_t ld = dof->ld, nv = (size_t)model->nv;
  mbd_motion_t world = {{0, 0, 0}, {0, 0, 0}};
  memset(bodies->V, 0, DERIVATIVE_MOTION * sizeof(double));
  memset(bodies->A, 0, DERIVATIVE_MOTION * sizeof(double));
  // gravity is an acceleration of the world upwards                              (5.39)
  world.lin = mbdu_vec3_neg(data->gravity);
  put_motion(world, bodies->A, 1);
  for (size_t k = 0; k < 6; k++) {
    for (size_t j = nv; j < ld; j++) dof->S[k * ld + j] = 0;
  }
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const mbd_placement_t * X = &data->X_world[i];
    const int first = body->v_index, parent = (body->parent + 1) * DERIVATIVE_MOTION;
    const mbd_motion_t V_p = get_motion(bodies->V + parent, 1);
    mbd_motion_t delta = {{0, 0, 0}, {0, 0, 0}}, A = get_motion(bodies->A + parent, 1);
    for (int j = first; j < first + body->nv; j++) {
      const mbd_vec3_t z = {X->R.m[2], X->R.m[5], X->R.m[8]};
      mbd_motion_t S = {{0, 0, 0}, z};
      switch (body->type) {
        case MBD_JOINT_REVOLUTE:
        case MBD_JOINT_CONTINUOUS: S = (mbd_motion_t){z, mbdu_vec3_cross(X->p, z)}; break;
        case MBD_JOINT_PRISMATIC: break;
        default: S = mbdu_motion_to_parent(X, data->S[j]); break;
      }
      put_motion(S, dof->S + j, ld);
      delta = mbdu_motion_add(delta, mbdu_motion_scale(data->v[j], S));
      if (qdd) A = mbdu_motion_add(A, mbdu_motion_scale(qdd[j], S));
    }
    const double * rate = data->v + first;
    mbd_motion_t * S_rate = data->S_rate + first;
    if (mbdi_joint_subspace_rate(body, data->q + body->q_index, rate, S_rate))
      A = mbdu_motion_add(A, mbdu_motion_to_parent(X, joint_motion(body, S_rate, rate)));
    // d/dt S = V_k x S, of which that of the joint itself vanishes
    A = mbdu_motion_add(A, mbdu_motion_cross(V_p, delta));
    put_motion(mbdu_motion_add(V_p, delta), bodies->V + (i + 1) * DERIVATIVE_MOTION, 1);
    put_motion(A, bodies->A + (i + 1) * DERIVATIVE_MOTION, 1);
  }
}

static void
bodies_in_world(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd,
  const mbdi_derivative_dofs_t * dof, const mbdi_derivative_bodies_t * bodies)
{
  motions_in_world(model, data, qdd, dof, bodies);
  const int last = model->nbody - 1;
  for (int i = 0; i < model->nbody; i += LENGTH) {
    const double *X_row[LENGTH], *M_row[LENGTH], *V_row[LENGTH], *A_row[LENGTH];
    vec_t X[12], M[12], V[DERIVATIVE_MOTION], A[DERIVATIVE_MOTION], C[COMPOSITE_PADDED];
    for (int k = 0; k < LENGTH; k++) {
      const int body = smaller(i + k, last);
      X_row[k] = data->X_world[body].R.m;
      M_row[k] = &data->inertia[body].mass;
      V_row[k] = bodies->V + (size_t)(body + 1) * DERIVATIVE_MOTION;
      A_row[k] = bodies->A + (size_t)(body + 1) * DERIVATIVE_MOTION;
    }
    // a placement has twelve numbers, an inertia ten: no more may be read
    load_rows(X_row, 12 / LENGTH * LENGTH, X);
    load_rest(X_row, 12 / LENGTH * LENGTH, 12, X);
    load_rows(M_row, 8, M);
    load_rest(M_row, 8, 10, M);
    load_rows(V_row, DERIVATIVE_MOTION, V);
    load_rows(A_row, DERIVATIVE_MOTION, A);
    inertia_to_world(X, M, C);
    velocity_matrix_of(C, V, C + COMPOSITE_B);
    // f = M A + V x M V                                                          (2.28)
    vec_t * f = C + COMPOSITE_FORCE;
    vec_t momentum[6];
    for (int k = 0; k < 6; k++) f[k] = momentum[k] = splat(0);
    add_inertia_mul(C, A, f);
    add_inertia_mul(C, V, momentum);
    add_force_cross(V, momentum, f);
    for (int k = COMPOSITE_NUMBERS; k < COMPOSITE_PADDED; k++) C[k] = splat(0);
    const int count = smaller(LENGTH, model->nbody - i);
    for (int n = 0; n < COMPOSITE_PADDED; n += LENGTH) {
      transpose(C + n);
      for (int k = 0; k < count; k++)
        store(bodies->composite + (size_t)(i + k) * COMPOSITE_STRIDE + n, C[n + k]);
    }
  }
}

static void
sum_subtrees(const mbd_model_t * model, const mbdi_derivative_bodies_t * bodies)
{
  for (int i = model->nbody - 1; i >= 0; i--) {
    const int parent = model->body[i].parent;
    if (parent < 0) continue;
    const double * from = bodies->composite + (size_t)i * COMPOSITE_STRIDE;
    double * to = bodies->composite + (size_t)parent * COMPOSITE_STRIDE;
    for (int k = 0; k < COMPOSITE_PADDED; k += LENGTH) store(to + k, load(to + k) + load(from + k));
  }
}

//---------- degrees of freedom ----------

static void
dof_motions(
  const mbd_model_t * model, const mbdi_derivative_bodies_t * bodies,
  const mbdi_derivative_dofs_t * dof)
{
  const size_t ld = dof->ld;
  for (int j = 0; j < model->nv; j += LENGTH) {
    const double *V_row[LENGTH], *A_row[LENGTH], *own_row[LENGTH];
    vec_t V[DERIVATIVE_MOTION], A[DERIVATIVE_MOTION], own[DERIVATIVE_MOTION];
    vec_t S[6], psi[6], c[6], c_v[6];
    for (int k = 0; k < LENGTH; k++) {
      const int body = model->dof_body[smaller(j + k, model->nv - 1)];
      const size_t parent = (size_t)(model->body[body].parent + 1) * DERIVATIVE_MOTION;
      V_row[k] = bodies->V + parent;
      A_row[k] = bodies->A + parent;
      own_row[k] = bodies->V + (size_t)(body + 1) * DERIVATIVE_MOTION;
    }
    load_rows(V_row, DERIVATIVE_MOTION, V);
    load_rows(A_row, DERIVATIVE_MOTION, A);
    load_rows(own_row, DERIVATIVE_MOTION, own);
    for (int k = 0; k < 6; k++) {
      S[k] = load(dof->S + (size_t)k * ld + (size_t)j);
      psi[k] = c[k] = splat(0);
    }
    add_motion_cross(V, S, psi);
    add_motion_cross(A, S, c);
    add_motion_cross(V, psi, c);
    for (int k = 0; k < 6; k++) c_v[k] = psi[k];
    add_motion_cross(own, S, c_v);
    for (int k = 0; k < 6; k++) {
      store(dof->psi + (size_t)k * ld + (size_t)j, psi[k]);
      store(dof->c + (size_t)k * ld + (size_t)j, c[k]);
      store(dof->c_v + (size_t)k * ld + (size_t)j, c_v[k]);
    }
  }
}

static void
dof_forces(
  const mbd_model_t * model, const mbdi_derivative_bodies_t * bodies,
  const mbdi_derivative_dofs_t * dof)
{
  const size_t ld = dof->ld;
  for (int j = 0; j < model->nv; j += LENGTH) {
    const double * row[LENGTH];
    vec_t C[COMPOSITE_PADDED], S[6], psi[6], c[6], c_v[6], U[6], W[3], F_q[6], F_v[6];
    for (int k = 0; k < LENGTH; k++) {
      const int body = model->dof_body[smaller(j + k, model->nv - 1)];
      row[k] = bodies->composite + (size_t)body * COMPOSITE_STRIDE;
    }
    load_rows(row, COMPOSITE_PADDED, C);
    for (int k = 0; k < 6; k++) {
      const size_t at = (size_t)k * ld + (size_t)j;
      S[k] = load(dof->S + at);
      psi[k] = load(dof->psi + at);
      c[k] = load(dof->c + at);
      c_v[k] = load(dof->c_v + at);
      U[k] = F_q[k] = F_v[k] = splat(0);
    }
    const vec_t * B = C + COMPOSITE_B;
    add_inertia_mul(C, S, U);
    // 2 B^T S, of which the force is zero
    cross(B + 9, S + 3, W);
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) W[k] += B[3 * i + k] * S[i];
    }
    add_velocity_matrix_mul(B, psi, F_q);
    add_inertia_mul(C, c, F_q);
    add_force_cross(S, C + COMPOSITE_FORCE, F_q);
    add_velocity_matrix_mul(B, S, F_v);
    add_inertia_mul(C, c_v, F_v);
    double * to = dof->forces + (size_t)j * DOF_FORCES;
    for (int k = 0; k < 6; k++) {
      store(to + (DOF_U + k) * LENGTH, U[k]);
      store(to + (DOF_F_Q + k) * LENGTH, F_q[k]);
      store(to + (DOF_F_V + k) * LENGTH, F_v[k]);
      if (k < 3) store(to + (DOF_W + k) * LENGTH, W[k]);
    }
  }
}

//---------- matrices ----------

// first degree of freedom behind the subtree of a body
ALWAYS int
subtree_dof_end(const mbd_model_t * model, int body)
{
  const mbd_body_t * last = &model->body[model->body[body].subtree_end - 1];
  return last->v_index + last->nv;
}

ALWAYS void
store_part(double * to, vec_t x, int n)
{
  if (n >= LENGTH) {
    store(to, x);
    return;
  }
#if LENGTH == 8
  _mm512_mask_storeu_pd(to, (__mmask8)((1u << n) - 1), (__m512d)x);
#else
  for (int k = 0; k < n; k++) to[k] = x[k];
#endif
}

ALWAYS vec_t
dot(int n, const vec_t * a, const double * x, size_t ld)
{
  vec_t sum = a[0] * load(x);
  for (int k = 1; k < n; k++) sum += a[k] * load(x + (size_t)k * ld);
  return sum;
}

ALWAYS void
splat_dof(const double * x, size_t ld, int j, int n, vec_t * out)
{
  for (int k = 0; k < n; k++) out[k] = splat(x[(size_t)k * ld + (size_t)j]);
}

ALWAYS void
zero(double * x, int n)
{
  int k = 0;
  for (; k + LENGTH <= n; k += LENGTH) store(x + k, splat(0));
  if (k < n) store_part(x + k, splat(0), n - k);
}

// a row but for [first, end); `row` may be NULL
ALWAYS void
zero_outside(double * row, int first, int end, size_t stride)
{
  if (!row) return;
  zero(row, first);
  zero(row + end, (int)stride - end);
}

// where a row of the matrices goes
typedef struct row {
  double *to_q, *to_v, *dq, *dv, *M;
} row_t;

// Torques of r and the next ones when j, which carries them (or is of the same joint), changes, and of j
// when they change; `count` elements are written
ALWAYS void
row_block(const double * forces, const row_t row, const vec_t * x, int r, int count, bool all)
{
  const vec_t *S = x, *psi = x + 6, *c = x + 9, *c_v = x + 15;
  const double * f = forces + (size_t)r * DOF_FORCES;
  vec_t q = splat(0), v = splat(0), m = splat(0), dq = splat(0), dv = splat(0);
  for (int k = 0; k < 3; k++) {
    const vec_t W = load(f + (DOF_W + k) * LENGTH);
    q += psi[k] * W;
    v += S[k] * W;
  }
  for (int k = 0; k < 6; k++) {
    const vec_t U = load(f + (DOF_U + k) * LENGTH);
    q += c[k] * U;
    v += c_v[k] * U;
    if (all || row.M) m += S[k] * U;
    dq += S[k] * load(f + (DOF_F_Q + k) * LENGTH);
    dv += S[k] * load(f + (DOF_F_V + k) * LENGTH);
  }
  store(row.to_q + r, q);
  store(row.to_v + r, v);
  if (all || row.M) store_part(row.M + r, m, count);
  if (all || row.dq) store_part(row.dq + r, dq, count);
  if (all || row.dv) store_part(row.dv + r, dv, count);
}

// a row from the block of `first` on to that of the last before `end`
ALWAYS void
row_blocks(
  const double * forces, const row_t row, const vec_t * x, int first, int end, int stride, bool all)
{
  int r = first / LENGTH * LENGTH;
  for (; r < end && r + LENGTH <= stride; r += LENGTH) row_block(forces, row, x, r, LENGTH, all);
  if (r < end) row_block(forces, row, x, r, stride - r, all);
}

static void
descendants(
  const mbd_model_t * model, const mbdi_derivative_dofs_t * dof,
  const mbdi_derivative_outputs_t * out)
{
  const double * forces = dof->forces;
  const size_t ld = dof->ld;
  const int stride = (int)out->stride;
  for (int j = 0; j < model->nv; j++) {
    const int body = model->dof_body[j], first = model->body[body].v_index;
    const int end = subtree_dof_end(model, body);
    const size_t at = (size_t)j * out->stride, own = (size_t)j * ld;
    const row_t row = {
      out->dq_ancestor + own, out->dv_ancestor + own, out->dq ? out->dq + at : NULL,
      out->dv ? out->dv + at : NULL, out->M ? out->M + at : NULL};
    vec_t x[21];
    splat_dof(dof->S, ld, j, 6, x);
    splat_dof(dof->psi, ld, j, 3, x + 6);
    splat_dof(dof->c, ld, j, 6, x + 9);
    splat_dof(dof->c_v, ld, j, 6, x + 15);
    if (row.M && row.dq && row.dv)
      row_blocks(forces, row, x, first, end, stride, true);
    else
      row_blocks(forces, row, x, first, end, stride, false);
    // what is not related, and what `ancestors` writes
    zero_outside(row.dq, first, end, out->stride);
    zero_outside(row.dv, first, end, out->stride);
    zero_outside(row.M, first, end, out->stride);
  }
}

static void
add_descendants(
  const mbd_model_t * model, size_t ld, const double * S_all, const double * E, double * to)
{
  for (int j = 0; j < model->nv; j++) {
    const int body = model->dof_body[j], end = subtree_dof_end(model, body);
    vec_t S[6];
    splat_dof(S_all, ld, j, 6, S);
    double * row = to + (size_t)j * ld;
    for (int r = model->body[body].v_index; r < end; r += LENGTH)
      store_part(row + r, load(row + r) + dot(6, S, E + r, ld), end - r);
  }
}

static void
ancestors(const mbd_model_t * model, size_t ld, double * from, size_t stride, double * out)
{
  const int nv = model->nv;
  for (int j = 0; j < nv; j += LENGTH) {
    const int count = smaller(LENGTH, nv - j);
    int last[LENGTH], end = 0;
    for (int k = 0; k < count; k++) {
      last[k] = subtree_dof_end(model, model->dof_body[j + k]);
      if (last[k] > end) end = last[k];
    }
    for (int k = 0; k < count; k++) zero(from + (size_t)(j + k) * ld + last[k], end - last[k]);
#if LENGTH == 8
    vec_t own[LENGTH];
    for (int k = 0; k < LENGTH; k++)
      own[k] = load(from + (size_t)smaller(j + k, nv - 1) * ld + (size_t)j);
    transpose(own);
    for (int r = 0; r < count; r++) store_part(out + (size_t)(j + r) * stride + j, own[r], r + 1);
#else
    for (int r = 0; r < count; r++) {
      for (int k = 0; k <= r; k++)
        out[(size_t)(j + r) * stride + (size_t)(j + k)] =
          from[(size_t)(j + k) * ld + (size_t)(j + r)];
    }
#endif
    for (int r = j + LENGTH; r < end; r += LENGTH) {
      vec_t x[LENGTH];
      for (int k = 0; k < LENGTH; k++) x[k] = load(from + (size_t)(j + k) * ld + (size_t)r);
      transpose(x);
      const int rows = smaller(LENGTH, end - r);
      for (int k = 0; k < rows; k++) store(out + (size_t)(r + k) * stride + (size_t)j, x[k]);
    }
  }
  // joints of several degrees of freedom: each of them is an ancestor of the others
  for (int i = 0; i < model->nbody; i++) {
    const int first = model->body[i].v_index, next = first + model->body[i].nv;
    for (int r = first; r < next; r++) {
      for (int k = r + 1; k < next; k++)
        out[(size_t)r * stride + (size_t)k] = from[(size_t)k * ld + (size_t)r];
    }
  }
}

static bool
finite(const double * x, size_t n)
{
  // independent sums: one would take the latency of an addition a vector
  enum { SUMS = 8 };
  vec_t a[SUMS];
  size_t i = 0;
  double sum = 0;
  for (int k = 0; k < SUMS; k++) a[k] = splat(0);
  for (; i + SUMS * LENGTH <= n; i += SUMS * LENGTH) {
    for (int k = 0; k < SUMS; k++) a[k] += 0.0 * load(x + i + (size_t)(k * LENGTH));
  }
  for (; i + LENGTH <= n; i += LENGTH) a[0] += 0.0 * load(x + i);
  for (; i < n; i++) sum += 0 * x[i];
  for (int k = 1; k < SUMS; k++) a[0] += a[k];
  for (int k = 0; k < LENGTH; k++) sum += a[0][k];
  return sum == 0;
}

//---------- M^-1 A ----------

// rows of a block at most: with both products 16 sums in 32 registers
enum { PRODUCT_MOST = LENGTH == 8 ? 8 : 4 };

// `rows` rows and LENGTH * wide columns of both products
ALWAYS void
product_block(
  int rows, int wide, size_t nv, int runs, const int * run, size_t ld, const double * M_inv,
  const double * const A[2], size_t i, size_t j, vec_t sum[2][PRODUCT_MOST][2])
{
  for (int b = 0; b < 2; b++) {
    for (int r = 0; r < rows; r++) {
      for (int w = 0; w < wide; w++) sum[b][r][w] = splat(0);
    }
  }
  for (int n = 0; n < runs; n++) {
    const size_t end = (size_t)run[2 * n + 1];
    for (size_t k = (size_t)run[2 * n]; k < end; k++) {
      for (int r = 0; r < rows; r++) {
        const vec_t factor = splat(M_inv[(i + (size_t)r) * nv + k]);
        for (int b = 0; b < 2; b++) {
          for (int w = 0; w < wide; w++)
            sum[b][r][w] -= factor * load(A[b] + k * ld + j + (size_t)(w * LENGTH));
        }
      }
    }
  }
}

#define PRODUCT_ROWS(ROWS, WIDE)                                                    \
  for (; i + (ROWS) <= nv; i += (ROWS)) {                                           \
    vec_t sum[2][PRODUCT_MOST][2];                                                  \
    product_block(ROWS, WIDE, nv, runs, run, ld, M_inv, A, i, j, sum);              \
    for (int b = 0; b < 2; b++) {                                                   \
      for (int r = 0; r < (ROWS); r++) {                                            \
        for (int w = 0; w < (WIDE); w++)                                            \
          store_part(                                                               \
            out[b] + (i + (size_t)r) * nv + j + (size_t)(w * LENGTH), sum[b][r][w], \
            (int)(end - j) - w * LENGTH);                                           \
      }                                                                             \
    }                                                                               \
  }

static void
product(
  size_t nv, size_t begin, size_t end, int runs, const int * run, size_t ld, const double * M_inv,
  const double * const A[2], double * const out[2])
{
  for (size_t j = begin; j < end;) {
    size_t i = 0;
    if (end - j > LENGTH) {
      PRODUCT_ROWS(3, 2)
      PRODUCT_ROWS(1, 2)
      j += 2 * LENGTH;
    } else {
#if LENGTH == 8
      PRODUCT_ROWS(8, 1)
#endif
      PRODUCT_ROWS(4, 1)
      PRODUCT_ROWS(1, 1)
      j += LENGTH;
    }
  }
}

// vectors of columns that a sweep takes at once, so that they share what they are multiplied with
enum { WIDE = 2, COLUMNS = WIDE * LENGTH };

typedef struct columns {
  vec_t x[WIDE];
} columns_t;

ALWAYS columns_t
load_columns(const double * x)
{
  columns_t c;
  for (int w = 0; w < WIDE; w++) c.x[w] = load(x + w * LENGTH);
  return c;
}

ALWAYS void
store_columns(double * x, columns_t c)
{
  for (int w = 0; w < WIDE; w++) store(x + w * LENGTH, c.x[w]);
}

// to + s x and to - s x
ALWAYS columns_t
add_scaled(columns_t to, double s, columns_t x)
{
  const vec_t factor = splat(s);
  for (int w = 0; w < WIDE; w++) to.x[w] += factor * x.x[w];
  return to;
}

ALWAYS columns_t
sub_scaled(columns_t to, double s, columns_t x)
{
  const vec_t factor = splat(s);
  for (int w = 0; w < WIDE; w++) to.x[w] -= factor * x.x[w];
  return to;
}

// Body i has children other than i + 1. What goes between i and i + 1 otherwise stays in registers: in memory
// it would exceed L1 from some 50 bodies on.
ALWAYS bool
branches(const mbd_model_t * model, int i)
{
  const int end = model->body[i].subtree_end;
  return end > i + 1 && model->body[i + 1].subtree_end != end;
}

// tips to bases: residual forces z of bodies that branch, f from i + 1 otherwise; innovations u  (7.27)
ALWAYS void
residuals(
  const mbd_model_t * model, const double * G, const double * S, size_t ld, const double * A,
  double * z, double * u, int i, columns_t * f)
{
  const mbd_body_t * body = &model->body[i];
  const size_t first = (size_t)body->v_index, next = first + (size_t)body->nv;
  const bool leaf = body->subtree_end == i + 1, several = branches(model, i);
  for (int k = 0; k < 6 && leaf; k++) f[k] = (columns_t){{splat(0)}};
  for (int k = 0; k < 6 && several; k++) f[k] = load_columns(z + (i * 6 + k) * COLUMNS);
  for (size_t j = first; j < next; j++) {
    columns_t eps = load_columns(A + j * ld);
    for (int k = 0; k < 6; k++) eps = sub_scaled(eps, S[6 * j + (size_t)k], f[k]);
    store_columns(u + j * COLUMNS, eps);
  }
  if (body->parent < 0) return;
  for (size_t j = first; j < next; j++) {
    const columns_t eps = load_columns(u + j * COLUMNS);
    for (int k = 0; k < 6; k++) f[k] = add_scaled(f[k], G[6 * j + (size_t)k], eps);
  }
  if (!branches(model, body->parent)) return;
  // the last child comes first
  const bool begins = model->body[body->parent].subtree_end == body->subtree_end;
  double * to = z + body->parent * 6 * COLUMNS;
  for (int k = 0; k < 6; k++) {
    if (!begins) f[k] = add_scaled(load_columns(to + k * COLUMNS), 1, f[k]);
    store_columns(to + k * COLUMNS, f[k]);
  }
}

// bases to tips: accelerations take the place of the forces, results that of A; sum: of i - 1, then of i  (7.32)
ALWAYS void
accelerations(
  const mbd_model_t * model, const double * D_inv, const double * G, const double * S, size_t ld,
  double * A, double * z, const double * u, int i, columns_t * sum)
{
  const mbd_body_t * body = &model->body[i];
  const size_t first = (size_t)body->v_index, n = (size_t)body->nv;
  columns_t a[6];
  for (int k = 0; k < 6; k++) {
    if (body->parent < 0)
      sum[k] = (columns_t){{splat(0)}};
    else if (body->parent != i - 1)
      sum[k] = load_columns(z + (body->parent * 6 + k) * COLUMNS);
    a[k] = sum[k];
  }
  for (size_t j = 0; j < n; j++) {
    // -x: what the caller asked for
    columns_t x = {{splat(0)}};
    for (size_t k = 0; k < n; k++) {
      const double number = D_inv[(size_t)body->d_index + j * n + k];
      x = sub_scaled(x, number, load_columns(u + (first + k) * COLUMNS));
    }
    for (int k = 0; k < 6; k++) x = add_scaled(x, G[6 * (first + j) + (size_t)k], a[k]);
    for (int k = 0; k < 6; k++) sum[k] = sub_scaled(sum[k], S[6 * (first + j) + (size_t)k], x);
    store_columns(A + (first + j) * ld, x);
  }
  const bool several = branches(model, i);
  for (int k = 0; k < 6 && several; k++) store_columns(z + (i * 6 + k) * COLUMNS, sum[k]);
}

static void
solve(
  const mbd_model_t * model, const double * D_inv, const double * G, const double * S, size_t ld,
  double * work, double * A)
{
  double *z = work, *u = work + (size_t)model->nbody * 6 * COLUMNS;
  for (int j = 0; j < model->nv; j += COLUMNS) {
    columns_t x[6] = {0};
    for (int i = model->nbody - 1; i >= 0; i--) residuals(model, G, S, ld, A + j, z, u, i, x);
    for (int i = 0; i < model->nbody; i++) accelerations(model, D_inv, G, S, ld, A + j, z, u, i, x);
  }
}

const mbdi_derivative_kernels_t GLUE(mbdi_derivative_kernels, KERNEL_SET) = {
  .vector_length = LENGTH,
  .bodies = bodies_in_world,
  .sum_subtrees = sum_subtrees,
  .motions = dof_motions,
  .forces = dof_forces,
  .descendants = descendants,
  .add_descendants = add_descendants,
  .ancestors = ancestors,
  .finite = finite,
  .product = product,
  .solve = solve,
};
