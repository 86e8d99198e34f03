// Coriolis matrix by composite bodies: sums of M_k and B_k over subtrees, tips to bases.
#include "mbdyn/dynamics/coriolis.h"

#include <string.h>

#include "mbdyn/inertia.h"
#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "tree/velocity_matrix.h"

// B of every subtree, in data->B
static velocity_matrix_t *
subtree_matrices(const mbd_model_t * model, mbd_data_t * data)
{
  velocity_matrix_t * B = (void *)data->work->B;
  for (int i = 0; i < model->nbody; i++) B[i] = velocity_matrix(1, &data->inertia[i], data->V[i]);
  for (int i = model->nbody - 1; i >= 0; i--) {
    const int parent = model->body[i].parent;
    if (parent < 0) continue;
    const velocity_matrix_t shown = velocity_matrix_to_parent(&data->X_parent[i], &B[i]);
    B[parent] = velocity_matrix_add(&B[parent], &shown);
  }
  return B;
}

// d/dt in the world of column k of S, in body axes
static mbd_motion_t
column_rate(const mbd_model_t * model, const mbd_data_t * data, int k)
{
  const int i = model->dof_body[k];
  return mbdu_motion_add(mbdu_motion_cross(data->V[i], data->S[k]), data->S_rate[k]);
}

// row and column k of C, for body k and its ancestors
static void
fill_row_and_column(
  const mbd_model_t * model, const mbd_data_t * data, const velocity_matrix_t * matrix, int k,
  double * C)
{
  const size_t nv = (size_t)model->nv, column = (size_t)k;
  int i = model->dof_body[k];
  const velocity_matrix_t * B = &matrix[i];
  const mbd_motion_t S = data->S[k];
  mbd_force_t inertial = mbdu_inertia_mul(&data->R[i], S);
  mbd_force_t adjoint = velocity_matrix_tmul(B, S);
  mbd_force_t F = mbdu_force_add(
    mbdu_inertia_mul(&data->R[i], column_rate(model, data, k)), velocity_matrix_mul(B, S));

  for (bool same_body = true;; same_body = false) {
    const mbd_body_t * body = &model->body[i];
    for (int j = body->v_index; j < body->v_index + body->nv; j++) {
      const size_t row = (size_t)j;
      // C(j,k) = S_j^T (R S'_k + B S_k), C(k,j) = S'_j^T R S_k + S_j^T B^T S_k
      C[row * nv + column] = mbdu_power(F, data->S[j]);
      if (same_body) continue;
      C[column * nv + row] =
        mbdu_power(inertial, column_rate(model, data, j)) + mbdu_power(adjoint, data->S[j]);
    }
    if (body->parent < 0) return;
    const mbd_placement_t * X = &data->X_parent[i];
    F = mbdu_force_to_parent(X, F);
    inertial = mbdu_force_to_parent(X, inertial);
    adjoint = mbdu_force_to_parent(X, adjoint);
    i = body->parent;
  }
}

mbd_status_t
mbdi_tree_coriolis_matrix(const mbd_model_t * model, mbd_data_t * data, double * C)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!C) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_composite_inertia(model, data));
  const velocity_matrix_t * B = subtree_matrices(model, data);
  const size_t nv = (size_t)model->nv;
  memset(C, 0, nv * nv * sizeof *C);
  for (int k = 0; k < model->nv; k++) fill_row_and_column(model, data, B, k, C);
  return MBD_OK;
}

//---------- what follows from it ----------

// momentum of every subtree in data->F, and S^T of it in p
static void
subtree_momenta(const mbd_model_t * model, mbd_data_t * data, double * p)
{
  for (int i = 0; i < model->nbody; i++) {
    data->work->F[i] = mbdu_inertia_mul(&data->inertia[i], data->V[i]);
  }
  model->internal->engine->gather_forces(model, data, data->work->F, p);
}

void
mbdi_momentum_sweep(const mbd_model_t * model, mbd_data_t * data, double * p, double * y)
{
  // B^T V = 0, so that only the rotation of the axes remains: (C^T v)_k = S'_k^T h_k
  subtree_momenta(model, data, p);
  for (int k = 0; k < model->nv; k++) {
    y[k] = mbdu_power(data->work->F[model->dof_body[k]], column_rate(model, data, k));
  }
}

mbd_status_t
mbdi_tree_coriolis_transpose_product(const mbd_model_t * model, mbd_data_t * data, double * y)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!y) return MBD_ERROR_NULL_ARGUMENT;
  mbdi_momentum_sweep(model, data, data->work->x, y);
  return MBD_OK;
}

mbd_status_t
mbd_mass_matrix_rate(const mbd_model_t * model, mbd_data_t * data, double * M_rate)
{
  CHECK(mbd_coriolis_matrix(model, data, M_rate));
  const size_t nv = (size_t)model->nv;
  for (size_t i = 0; i < nv; i++) {
    for (size_t j = 0; j <= i; j++) {
      const double sum = M_rate[i * nv + j] + M_rate[j * nv + i];
      M_rate[i * nv + j] = M_rate[j * nv + i] = sum;
    }
  }
  return MBD_OK;
}

// derivative of S along degree of freedom j of the same joint, times v; zero for most types
static mbd_motion_t
subspace_derivative(
  const mbd_model_t * model, const mbd_data_t * data, int j, mbd_motion_t * column)
{
  const mbd_body_t * body = &model->body[model->dof_body[j]];
  double unit[6] = {0};
  unit[j - body->v_index] = 1;
  mbd_motion_t sum = {{0, 0, 0}, {0, 0, 0}};
  memset(column, 0, 6 * sizeof *column);
  if (!mbdi_joint_subspace_rate(body, data->q + body->q_index, unit, column)) return sum;
  for (int k = 0; k < body->nv; k++) {
    sum = mbdu_motion_add(sum, mbdu_motion_scale(data->v[body->v_index + k], column[k]));
  }
  return sum;
}

// column j of M_D. Joint j rotates its subtree and all momenta in it, except for the velocity
// V_p that the subtree has from the joint's parent: delta h_k = bar(S) h_k - M_k (S x V_p) + M_k dS
// v.
static void
momentum_gradient_column(const mbd_model_t * model, mbd_data_t * data, int j, double * MD)
{
  const size_t nv = (size_t)model->nv, column = (size_t)j;
  const int b = model->dof_body[j];
  const mbd_body_t * body = &model->body[b];
  mbd_motion_t dS[6];
  const mbd_motion_t own = subspace_derivative(model, data, j, dS);
  mbd_motion_t V_p = {{0, 0, 0}, {0, 0, 0}};
  if (body->parent >= 0) V_p = mbdu_motion_to_child(&data->X_parent[b], data->V[body->parent]);
  data->work->W[b] = mbdu_motion_sub(own, mbdu_motion_cross(data->S[j], V_p));

  // in the subtree, axes and momenta rotate together: R_i W remains
  for (int i = b; i < body->subtree_end; i++) {
    const mbd_body_t * inner = &model->body[i];
    if (i > b)
      data->work->W[i] = mbdu_motion_to_child(&data->X_parent[i], data->work->W[inner->parent]);
    const mbd_force_t f = mbdu_inertia_mul(&data->R[i], data->work->W[i]);
    double y[6];
    joint_project(inner, data->S + inner->v_index, f, y);
    for (int k = 0; k < inner->nv; k++) {
      if (i == b) y[k] += mbdu_power(data->work->F[b], dS[k]);
      MD[(size_t)(inner->v_index + k) * nv + column] = y[k];
    }
  }
  // for ancestors the momentum of the whole subtree rotates
  mbd_force_t f = mbdu_force_add(
    mbdu_force_cross(data->S[j], data->work->F[b]),
    mbdu_inertia_mul(&data->R[b], data->work->W[b]));
  for (int i = b; model->body[i].parent >= 0;) {
    f = mbdu_force_to_parent(&data->X_parent[i], f);
    i = model->body[i].parent;
    const mbd_body_t * below = &model->body[i];
    double y[6];
    joint_project(below, data->S + below->v_index, f, y);
    for (int k = 0; k < below->nv; k++) MD[(size_t)(below->v_index + k) * nv + column] = y[k];
  }
}

mbd_status_t
mbdi_tree_momentum_gradient(const mbd_model_t * model, mbd_data_t * data, double * MD)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!MD) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_composite_inertia(model, data));
  subtree_momenta(model, data, data->work->x);
  memset(MD, 0, (size_t)model->nv * (size_t)model->nv * sizeof *MD);
  for (int j = 0; j < model->nv; j++) momentum_gradient_column(model, data, j, MD);
  return MBD_OK;
}

mbd_status_t
mbdi_tree_kinetic_energy_gradient(const mbd_model_t * model, mbd_data_t * data, double * gradient)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!gradient) return MBD_ERROR_NULL_ARGUMENT;
  subtree_momenta(model, data, data->work->x);
  for (int j = 0; j < model->nv; j++) {
    // what moves with j keeps its velocity but for that of the parent, against which it is turned,
    // and for axes that move in the child: V_p x S + (dS/dq_j) v
    const int i = model->dof_body[j], p = model->body[i].parent;
    mbd_motion_t dS[6], change = subspace_derivative(model, data, j, dS);
    if (p >= 0) {
      const mbd_motion_t V = mbdu_motion_to_child(&data->X_parent[i], data->V[p]);
      change = mbdu_motion_add(change, mbdu_motion_cross(V, data->S[j]));
    }
    data->work->x[j] = mbdu_power(data->work->F[i], change);
  }
  return copy_checked(gradient, data->work->x, model->nv);
}

mbd_status_t
mbdi_tree_christoffel(const mbd_model_t * model, mbd_data_t * data, int k, double * G)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!G) return MBD_ERROR_NULL_ARGUMENT;
  if (k < 0 || k >= model->nv) return MBD_ERROR_BAD_ARGUMENT;
  memset(data->work->x, 0, (size_t)model->nv * sizeof *data->work->x);
  data->work->x[k] = 1;
  // C is linear in v
  CHECK(mbd_set_velocity(model, data, data->work->x));
  CHECK(mbd_coriolis_matrix(model, data, G));
  stage_clear(data, MBD_STAGE_VELOCITY | MBD_STAGE_BIAS);
  return MBD_OK;
}
