// Second derivatives of s = lambda^T tau = sum_b Lambda_b . f_b, Lambda the velocities of the bodies at joint
// velocities lambda. All 6-vectors are in world axes at the origin of the first body.
//
// Sums over the subtree of degree of freedom j: I; 2 B(V) and 2 B(Lambda), as in velocity_matrix.h; f;
// u = sum I Lambda; w = sum 2 B(V)^T Lambda. With psi and c as in derivatives.c and theta_j = Lambda_p x S_j the
// gradient is
//   ds/dq_j = psi_j . w_j + c_j . u_j + theta_j . f_j,  ds/dv_j = S_j . w_j + c_v,j . u_j,  ds/dqdd_j = S_j . u_j
// Along q_k everything in the subtree of k turns by S_k, and velocities change by psi_k and theta_k, accelerations
// by c_k + psi_k x V; along v_k velocities change by S_k. What subtrees that k carries add to f, u and w is
//   F_q = S x* f + 2 B(V) psi + I c,  E = S x* u + I theta,
//   Y = S x* w - 2 B(Lambda) psi + 2 psi x* u + 2 B(V)^T theta,  Z = -2 B(Lambda) S + 2 S x* u,
// by 2 B(x)^T Lambda = -2 B(Lambda) x + 2 x x* (I Lambda). For j that carries k (or is of the same joint, with j
// and k exchanged):
//   d2s/dq_j dq_k = psi_j . Y_k + c_j . E_k + theta_j . F_q,k
//   d2s/dq_j dv_k = psi_j . Z_k + theta_j . F_v,k,  d2s/dv_j dq_k = S_j . Y_k + c_v,j . E_k
//   d2s/dv_j dv_k = S_j . Z_k,  d2s/dqdd_j dq_k = S_j . E_k,  d2s/dq_j dqdd_k = theta_j . I_k S_k
#include "mbdyn/dynamics/second_derivatives.h"

#include <math.h>
#include <string.h>

#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/inertia.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/derivative_kernels.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "tree/velocity_matrix.h"
#include "util/arena.h"

typedef struct motions {
  mbd_motion_t V, A, L;  // velocity, acceleration, Lambda
} motions_t;

// sums over subtrees
typedef struct composite {
  mbd_inertia_t I;
  velocity_matrix_t B, B_L;
  mbd_force_t f, u;
  mbd_vec3_t w;
} composite_t;

// terms of a degree of freedom as an ancestor
typedef struct carrier {
  mbd_motion_t S, psi, c, c_v, theta;
  int first, end;  // first of its joint, end of its subtree
} carrier_t;

// terms of a degree of freedom as a descendant, structure of arrays
enum { AT_Y = 0, AT_E = 3, AT_F_Q = 9, AT_Z = 15, AT_F_V = 18, AT_U = 24, AT_NUMBERS = 30 };

// rows of results for the degrees of freedom in the subtree of one
enum { ROW_QQ, ROW_QV, ROW_VQ, ROW_VV, ROW_AQ, ROW_QA, ROWS };

typedef struct scratch {
  size_t ld;
  motions_t * body;         // [nbody + 1], the first one is the world
  composite_t * composite;  // [nbody]
  carrier_t * dof;          // [nv]
  double * carried;         // [AT_NUMBERS][ld]
  double * row;             // [ROWS][ld]
} scratch_t;

static size_t
lay_out_second(const mbd_model_t * model, double * work, scratch_t * s)
{
  const size_t nv = (size_t)model->nv, nbody = (size_t)model->nbody, ld = (nv + 7) / 8 * 8;
  size_t n = 0;
  s->ld = ld;
#define TAKE(field, count) s->field = mbdi_arena_work(work, &n, (count), sizeof *s->field)
  TAKE(body, nbody + 1);
  TAKE(composite, nbody);
  TAKE(dof, nv);
  TAKE(carried, AT_NUMBERS * ld);
  TAKE(row, ROWS * ld);
#undef TAKE
  return n;
}

// first derivatives, and five matrices and a vector of forward dynamics
size_t
mbdi_tree_second_derivatives_work(const mbd_model_t * model)
{
  scratch_t unused;
  const size_t nv = (size_t)model->nv, own = lay_out_second(model, NULL, &unused);
  const size_t first = mbdi_tree_derivatives_work(model);
  return (own > first ? own : first) + 4 * nv * nv + nv;
}

//---------- bodies ----------

// S and psi of one degree of freedom, and its contribution to the motions m of its subtree
static void
add_joint_motion(
  const mbd_data_t * data, const double * qdd, const double * lambda, int j,
  const mbd_placement_t * X, const motions_t * p, carrier_t * dof, motions_t * m)
{
  const mbd_motion_t S = mbdu_motion_to_parent(X, data->S[j]);
  dof->S = S;
  dof->psi = mbdu_motion_cross(p->V, S);
  dof->theta = mbdu_motion_cross(p->L, S);
  dof->c = mbdu_motion_add(mbdu_motion_cross(p->A, S), mbdu_motion_cross(p->V, dof->psi));
  m->V = mbdu_motion_add(m->V, mbdu_motion_scale(data->v[j], S));
  m->L = mbdu_motion_add(m->L, mbdu_motion_scale(lambda[j], S));
  m->A = mbdu_motion_add(m->A, mbdu_motion_scale(data->v[j], dof->psi));
  if (qdd) m->A = mbdu_motion_add(m->A, mbdu_motion_scale(qdd[j], S));
}

static void
take_joint(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd, const double * lambda,
  int i, const scratch_t * s)
{
  const mbd_body_t * body = &model->body[i];
  const mbd_body_t * last = &model->body[body->subtree_end - 1];
  const int first = body->v_index, next = first + body->nv;
  // two revolute joints in series
  const bool chain = body->type == MBD_JOINT_UNIVERSAL;
  const mbd_placement_t X = mbdi_derivative_placement(data, i);
  const motions_t parent = s->body[body->parent + 1];
  motions_t m = parent;
  for (int j = first; j < next; j++) {
    carrier_t * dof = &s->dof[j];
    const motions_t p = chain ? m : parent;
    add_joint_motion(data, qdd, lambda, j, &X, &p, dof, &m);
    dof->first = chain ? j : first;
    dof->end = last->v_index + last->nv;
  }
  for (int j = first; j < next; j++) {
    carrier_t * dof = &s->dof[j];
    const mbd_motion_t own = chain ? dof->psi : mbdu_motion_cross(m.V, dof->S);
    dof->c_v = mbdu_motion_add(dof->psi, own);
  }
  s->body[i + 1] = m;
}

static void
take_body(const mbd_data_t * data, int i, const scratch_t * s)
{
  const motions_t * m = &s->body[i + 1];
  composite_t * C = &s->composite[i];
  const mbd_placement_t X = mbdi_derivative_placement(data, i);
  C->I = mbdu_inertia_to_parent(&X, &data->inertia[i]);
  C->B = velocity_matrix(2, &C->I, m->V);
  C->B_L = velocity_matrix(2, &C->I, m->L);
  // f = M A + V x M V                                                            (2.28)
  C->f = mbdu_force_add(
    mbdu_inertia_mul(&C->I, m->A), mbdu_force_cross(m->V, mbdu_inertia_mul(&C->I, m->V)));
  C->u = mbdu_inertia_mul(&C->I, m->L);
  C->w = velocity_matrix_tmul(&C->B, m->L).ang;
}

static void
add_composite(const composite_t * from, composite_t * to)
{
  to->I = mbdu_inertia_add(&to->I, &from->I);
  to->B = velocity_matrix_add(&to->B, &from->B);
  to->B_L = velocity_matrix_add(&to->B_L, &from->B_L);
  to->f = mbdu_force_add(to->f, from->f);
  to->u = mbdu_force_add(to->u, from->u);
  to->w = mbdu_vec3_add(to->w, from->w);
}

// changes of the subtree sums of its ancestors with one degree of freedom
static void
take_carried(const composite_t * C, const carrier_t * d, double * x, size_t ld)
{
  const mbd_motion_t psi2 = mbdu_motion_scale(2, d->psi), S2 = mbdu_motion_scale(2, d->S);
  const mbd_force_t E =
    mbdu_force_add(mbdu_force_cross(d->S, C->u), mbdu_inertia_mul(&C->I, d->theta));
  const mbd_force_t F_q = mbdu_force_add(
    mbdu_force_cross(d->S, C->f),
    mbdu_force_add(velocity_matrix_mul(&C->B, d->psi), mbdu_inertia_mul(&C->I, d->c)));
  const mbd_force_t F_v =
    mbdu_force_add(velocity_matrix_mul(&C->B, d->S), mbdu_inertia_mul(&C->I, d->c_v));
  mbd_vec3_t Y = mbdu_vec3_cross(d->S.ang, C->w);
  Y = mbdu_vec3_sub(Y, velocity_matrix_mul(&C->B_L, d->psi).ang);
  Y = mbdu_vec3_add(Y, mbdu_force_cross(psi2, C->u).ang);
  Y = mbdu_vec3_add(Y, velocity_matrix_tmul(&C->B, d->theta).ang);
  const mbd_vec3_t Z =
    mbdu_vec3_sub(mbdu_force_cross(S2, C->u).ang, velocity_matrix_mul(&C->B_L, d->S).ang);
  const mbd_force_t U = mbdu_inertia_mul(&C->I, d->S);
  const double number[AT_NUMBERS] = {
    Y.x,     Y.y,       Y.z,       E.ang.x,   E.ang.y,   E.ang.z,   E.lin.x,   E.lin.y,
    E.lin.z, F_q.ang.x, F_q.ang.y, F_q.ang.z, F_q.lin.x, F_q.lin.y, F_q.lin.z, Z.x,
    Z.y,     Z.z,       F_v.ang.x, F_v.ang.y, F_v.ang.z, F_v.lin.x, F_v.lin.y, F_v.lin.z,
    U.ang.x, U.ang.y,   U.ang.z,   U.lin.x,   U.lin.y,   U.lin.z};
  for (size_t k = 0; k < AT_NUMBERS; k++) x[k * ld] = number[k];
}

//---------- matrices ----------

// out[r] += the products of n numbers a with rows of x, for r in [first, end)
static void
add_products(
  int n, const double * a, const double * restrict x, size_t ld, int first, int end,
  double * restrict out)
{
  for (int k = 0; k < n; k++) {
    const double factor = a[k];
    const double * from = x + (size_t)k * ld;
    for (int r = first; r < end; r++) out[r] += factor * from[r];
  }
}

static void
take_rows(const carrier_t * d, const scratch_t * s)
{
  const size_t ld = s->ld;
  const double * x = s->carried;
  double S[6], psi[6], c[6], c_v[6], theta[6];
  put_motion(d->S, S, 1);
  put_motion(d->psi, psi, 1);
  put_motion(d->c, c, 1);
  put_motion(d->c_v, c_v, 1);
  put_motion(d->theta, theta, 1);
  for (size_t k = 0; k < ROWS; k++) {
    memset(s->row + k * ld + d->first, 0, (size_t)(d->end - d->first) * sizeof *s->row);
  }
#define ADD(row_, n, a, at) \
  add_products(n, a, x + (size_t)(at)*ld, ld, d->first, d->end, s->row + (row_)*ld)
  ADD(ROW_QQ, 3, psi, AT_Y);
  ADD(ROW_QQ, 6, c, AT_E);
  ADD(ROW_QQ, 6, theta, AT_F_Q);
  ADD(ROW_QV, 3, psi, AT_Z);
  ADD(ROW_QV, 6, theta, AT_F_V);
  ADD(ROW_VQ, 3, S, AT_Y);
  ADD(ROW_VQ, 6, c_v, AT_E);
  ADD(ROW_VV, 3, S, AT_Z);
  ADD(ROW_AQ, 6, S, AT_E);
  ADD(ROW_QA, 6, theta, AT_U);
#undef ADD
}

typedef struct hessians {
  double *qq, *qv, *vv, *qa;
} hessians_t;

// entries of j and its subtree; for r < own of the same joint, k is j in the formulas above
static void
put_rows(int nv, int j, const carrier_t * d, int own, const scratch_t * s, const hessians_t * out)
{
  const size_t n = (size_t)nv, ld = s->ld, at = (size_t)j * n;
  const double * row = s->row;
  for (int r = d->first; r < d->end; r++) {
    const size_t k = (size_t)r, mirror = k * n + (size_t)j;
    const bool strict = r >= own;
    if (out->qq) out->qq[mirror] = row[ROW_QQ * ld + k];
    if (out->qq && strict) out->qq[at + k] = row[ROW_QQ * ld + k];
    if (out->qv) out->qv[at + k] = row[ROW_QV * ld + k];
    if (out->qv && strict) out->qv[mirror] = row[ROW_VQ * ld + k];
    if (out->vv) out->vv[mirror] = row[ROW_VV * ld + k];
    if (out->vv && strict) out->vv[at + k] = row[ROW_VV * ld + k];
    if (out->qa) out->qa[at + k] = row[ROW_QA * ld + k];
    if (out->qa && strict) out->qa[mirror] = row[ROW_AQ * ld + k];
  }
}

// within a joint the parent's velocity does not change with v: once S_k x S_j less in c_v
static void
joint_velocities(
  const mbd_model_t * model, const mbd_body_t * body, const composite_t * C, const scratch_t * s,
  double * vv)
{
  const size_t n = (size_t)model->nv;
  const int first = body->v_index, next = first + body->nv;
  for (int j = first; j < next; j++) {
    for (int k = first; k < next; k++) {
      const mbd_motion_t turned = mbdu_motion_cross(s->dof[k].S, s->dof[j].S);
      vv[(size_t)j * n + (size_t)k] -= mbdu_power(C->u, turned);
    }
  }
}

static void
add_friction(const mbd_model_t * model, const mbd_data_t * data, const double * lambda, double * vv)
{
  const size_t n = (size_t)model->nv;
  if (!(data->terms & MBD_TERM_FRICTION)) return;
  for (size_t k = 0; k < n; k++) {
    const mbd_drive_t * drive = &model->body[model->dof_body[k]].drive;
    if (!(drive->coulomb > 0)) continue;
    const double h = drive->coulomb_velocity, t = tanh(data->v[k] / h);
    vv[k * n + k] -= 2 * lambda[k] * drive->coulomb / (h * h) * t * (1 - t * t);
  }
}

static mbd_status_t
check_joints(const mbd_model_t * model, mbd_data_t * data)
{
  for (int i = 0; i < model->nbody; i++) {
    if (model->body[i].type != MBD_JOINT_USER) continue;
    data->error_body = i;
    return MBD_ERROR_UNSUPPORTED;
  }
  return MBD_OK;
}

mbd_status_t
mbdi_tree_inverse_second_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const double * lambda, double * work, double * d2_dq2, double * d2_dqdv,
  double * d2_dv2, double * d2_dqdqdd)
{
  CHECK(check_dynamics(model, data, 0));
  if (!q || !v || !lambda || !work) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_joints(model, data));
  if (!finite_array(lambda, model->nv)) return MBD_ERROR_NOT_FINITE;
  if (qdd && !finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_derivative_state(model, data, q, v, qdd));
  scratch_t s;
  lay_out_second(model, work, &s);
  memset(s.body, 0, sizeof *s.body);
  // gravity is an upward acceleration of the world                               (5.39)
  s.body[0].A.lin = mbdu_vec3_neg(data->gravity);
  for (int i = 0; i < model->nbody; i++) {
    take_joint(model, data, qdd, lambda, i, &s);
    take_body(data, i, &s);
  }
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbd_body_t * body = &model->body[i];
    if (body->parent >= 0) add_composite(&s.composite[i], &s.composite[body->parent]);
    for (int j = body->v_index; j < body->v_index + body->nv; j++)
      take_carried(&s.composite[i], &s.dof[j], s.carried + j, s.ld);
  }
  const hessians_t out = {d2_dq2, d2_dqdv, d2_dv2, d2_dqdqdd};
  double * const matrix[4] = {d2_dq2, d2_dqdv, d2_dv2, d2_dqdqdd};
  const size_t size = (size_t)model->nv * (size_t)model->nv;
  for (int k = 0; k < 4; k++) {
    if (matrix[k]) memset(matrix[k], 0, size * sizeof *matrix[k]);
  }
  for (int j = 0; j < model->nv; j++) {
    const mbd_body_t * body = &model->body[model->dof_body[j]];
    const bool chain = body->type == MBD_JOINT_UNIVERSAL;
    take_rows(&s.dof[j], &s);
    put_rows(model->nv, j, &s.dof[j], chain ? j : body->v_index + body->nv, &s, &out);
  }
  for (int i = 0; d2_dv2 && i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (body->nv > 1 && body->type != MBD_JOINT_UNIVERSAL)
      joint_velocities(model, body, &s.composite[i], &s, d2_dv2);
  }
  if (d2_dv2) add_friction(model, data, lambda, d2_dv2);
  const mbdi_derivative_kernels_t * kernels = mbdi_derivative_kernels(model);
  for (int k = 0; k < 4; k++) {
    if (matrix[k] && !kernels->finite(matrix[k], size)) return MBD_ERROR_NOT_FINITE;
  }
  return MBD_OK;
}

//---------- forward dynamics ----------

// out = A B, with the zeros of A
static void
product(size_t n, const double * A, const double * B, double * restrict out)
{
  memset(out, 0, n * n * sizeof *out);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < n; k++) {
      const double factor = A[i * n + k];
      if (factor == 0) continue;
      for (size_t j = 0; j < n; j++) out[i * n + j] += factor * B[k * n + j];
    }
  }
}

mbd_status_t
mbdi_tree_forward_second_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const double * mu, double * work, double * qdd, double * d2_dq2,
  double * d2_dqdv, double * d2_dv2, double * d2_dqdtau)
{
  CHECK(check_dynamics(model, data, 0));
  if (!q || !v || !mu || !work || !qdd) return MBD_ERROR_NULL_ARGUMENT;
  if (!d2_dq2 || !d2_dqdv || !d2_dv2 || !d2_dqdtau) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_joints(model, data));
  if (!finite_array(mu, model->nv)) return MBD_ERROR_NOT_FINITE;
  const size_t n = (size_t)model->nv, size = n * n;
  double * A_q = work + mbdi_tree_second_derivatives_work(model) - 4 * size - n;
  double *A_v = A_q + size, *M_inv = A_v + size, *N = M_inv + size, *lambda = N + size;
  CHECK(mbd_forward_dynamics_derivatives(model, data, q, v, tau, NULL, work, qdd, A_q, A_v, M_inv));
  for (size_t i = 0; i < n; i++) {
    lambda[i] = 0;
    for (size_t k = 0; k < n; k++) lambda[i] += M_inv[i * n + k] * mu[k];
  }
  CHECK(mbdi_tree_inverse_second_derivatives(
    model, data, q, v, qdd, lambda, work, d2_dq2, d2_dqdv, d2_dv2, N));
  // d2_dqdtau is scratch for each product until M^-1 is applied
  product(n, N, A_q, d2_dqdtau);
  for (size_t j = 0; j < n; j++) {
    for (size_t k = 0; k < n; k++)
      d2_dq2[j * n + k] = -(d2_dq2[j * n + k] + d2_dqdtau[j * n + k] + d2_dqdtau[k * n + j]);
  }
  product(n, N, A_v, d2_dqdtau);
  for (size_t k = 0; k < size; k++) {
    d2_dqdv[k] = -(d2_dqdv[k] + d2_dqdtau[k]);
    d2_dv2[k] = -d2_dv2[k];
  }
  product(n, N, M_inv, d2_dqdtau);
  for (size_t k = 0; k < size; k++) d2_dqdtau[k] = -d2_dqdtau[k];
  const mbdi_derivative_kernels_t * kernels = mbdi_derivative_kernels(model);
  const bool finite = kernels->finite(d2_dq2, size) && kernels->finite(d2_dqdv, size) &&
                      kernels->finite(d2_dv2, size) && kernels->finite(d2_dqdtau, size);
  return finite ? MBD_OK : MBD_ERROR_NOT_FINITE;
}
