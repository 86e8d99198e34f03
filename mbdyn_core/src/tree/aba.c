// Articulated bodies (Alg 6.1), forward dynamics (Alg 7.2, 9.5) and the inverse mass matrix.
#include "mbdyn/forward.h"

#include <math.h>
#include <string.h>

#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"

// relative threshold below which a hinge inertia is rounding error: the joint is massless
#define SMALLEST_HINGE_INERTIA 1e-12

//---------- articulated bodies ----------

// magnitude of the terms of S^T P S, and the rounding error of their sum
double
mbdi_hinge_floor(const mbd_sym6_t * P, mbd_motion_t S)
{
  const double rotation = P->J.xx + P->J.yy + P->J.zz, translation = P->M.xx + P->M.yy + P->M.zz;
  return SMALLEST_HINGE_INERTIA *
         (rotation * mbdu_vec3_dot(S.ang, S.ang) + translation * mbdu_vec3_dot(S.lin, S.lin));
}

bool
mbdi_hinge_inverse(int n, double * D, const double * floor, double * inverse)
{
  double L[36];
  if (!mbdi_cholesky(n, D, floor, L)) return false;
  for (int column = 0; column < n; column++) {
    double y[6];
    for (int i = 0; i < n; i++) y[i] = i == column;
    mbdi_solve_lower(n, L, y);
    mbdi_solve_upper(n, L, y);
    for (int i = 0; i < n; i++) inverse[i * n + column] = y[i];
  }
  return true;
}

bool
mbdi_hinge_gain(const mbd_model_t * model, mbd_data_t * data, int i, mbd_force_t * U)
{
  const mbd_body_t * body = &model->body[i];
  const mbd_motion_t * S = data->S + body->v_index;
  const double rotor = joint_rotor(data, body);
  double D[36], floor[6] = {0};
  for (int k = 0; k < body->nv; k++) {
    U[k] = mbdu_sym6_mul_motion(&data->P[i], S[k]);
    floor[k] = mbdi_hinge_floor(&data->P[i], S[k]);
    double column[6];
    joint_project(body, S, U[k], column);
    column[k] += rotor;
    for (int j = 0; j < body->nv; j++) D[j * body->nv + k] = column[j];
  }
  double * D_inv = data->D_inv + body->d_index;
  if (!mbdi_hinge_inverse(body->nv, D, floor, D_inv)) return false;

  mbd_force_t * G = data->G + body->v_index;
  for (int k = 0; k < body->nv; k++) {
    mbd_force_t g = {{0, 0, 0}, {0, 0, 0}};
    for (int j = 0; j < body->nv; j++) {
      g = mbdu_force_add(g, mbdu_force_scale(D_inv[j * body->nv + k], U[j]));
    }
    G[k] = g;
  }
  return true;
}

mbd_status_t
mbdi_tree_articulated_inertia(const mbd_model_t * model, mbd_data_t * data)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (stage_any(data, MBD_STAGE_ARTICULATED)) return MBD_OK;
  for (int i = 0; i < model->nbody; i++) data->P[i] = mbdu_sym6_from_inertia(&data->inertia[i]);

  // tips to bases: add the articulated inertia transmitted by the hinge to the parent
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbd_body_t * body = &model->body[i];
    mbd_force_t U[6];
    if (!mbdi_hinge_gain(model, data, i, U)) {
      data->error_body = i;
      return MBD_ERROR_MASSLESS_SUBTREE;
    }
    if (body->parent < 0) continue;
    // P+ = P - G D G^T = P - U G^T                                                (6.26)
    mbd_sym6_t P_plus = data->P[i];
    for (int k = 0; k < body->nv; k++) {
      const mbd_force_t * G = &data->G[body->v_index + k];
      mbdu_sym6_add_outer(&P_plus, -0.5, U[k].ang, U[k].lin, G->ang, G->lin);
    }
    // P_p += phi_k P+_k phi_k^T                                                   (6.24)
    const mbd_sym6_t shifted = mbdu_sym6_to_parent(&data->X_parent[i], &P_plus);
    data->P[body->parent] = mbdu_sym6_add(&data->P[body->parent], &shifted);
  }
  stage_set(data, MBD_STAGE_ARTICULATED);
  return MBD_OK;
}

//---------- forward dynamics ----------

// tips to bases: residual forces and innovations                                  (7.27), (7.42)
static void
residual_sweep(const mbd_model_t * model, mbd_data_t * data, const double * tau)
{
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbd_body_t * body = &model->body[i];
    // eps = tau - S^T z, nu = D^-1 eps
    double eps[6];
    joint_project(body, data->S + body->v_index, data->z[i], eps);
    for (int k = 0; k < body->nv; k++) eps[k] = tau[body->v_index + k] - eps[k];
    joint_D_inv(data, body, eps, data->work->nu + body->v_index);
    if (body->parent < 0) continue;
    // z_p += phi_k (z_k + G_k eps_k)
    const mbd_force_t z_plus = mbdu_force_add(data->z[i], joint_gain(data, body, eps));
    data->z[body->parent] =
      mbdu_force_add(data->z[body->parent], mbdu_force_to_parent(&data->X_parent[i], z_plus));
  }
}

// bases to tips: accelerations; gravity is an upward acceleration of the world   (7.38)
static void
acceleration_sweep(const mbd_model_t * model, mbd_data_t * data, double * qdd)
{
  const mbd_motion_t world = {{0, 0, 0}, mbdu_vec3_neg(data->gravity)};
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const mbd_motion_t from = body->parent < 0 ? world : data->A[body->parent];
    const mbd_motion_t A_plus = mbdu_motion_to_child(&data->X_parent[i], from);
    // qdd = nu - G^T A+
    double * accel = qdd + body->v_index;
    for (int k = 0; k < body->nv; k++) {
      accel[k] = data->work->nu[body->v_index + k] - mbdu_power(data->G[body->v_index + k], A_plus);
    }
    // A = A+ + S qdd + a
    const mbd_motion_t relative = joint_motion(body, data->S + body->v_index, accel);
    data->A[i] = mbdu_motion_add(mbdu_motion_add(A_plus, relative), data->a[i]);
  }
}

void
mbdi_take_torques(const mbd_model_t * model, mbd_data_t * data, const double * tau)
{
  const size_t bytes = (size_t)model->nv * sizeof *tau;
  if (!tau) {
    memset(data->work->x, 0, bytes);
  } else if (tau != data->work->x) {
    memcpy(data->work->x, tau, bytes);
  }
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(model, data->v, -1, data->work->x);
}

mbd_status_t
mbdi_tree_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd)
{
  CHECK(check_mimic(model, data));
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  if (tau && !finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_check_wrenches(model, f_ext));
  CHECK(mbdi_take_state(model, data, q, v));
  CHECK(mbd_articulated_inertia(model, data));
  stage_clear(data, MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL | MBD_STAGE_ACCELERATION);

  mbdi_take_torques(model, data, tau);

  // P_k a_k + b_k - f_ext                                                         (7.42)
  for (int i = 0; i < model->nbody; i++) {
    const mbd_force_t momentum = mbdu_inertia_mul(&data->inertia[i], data->V[i]);
    data->z[i] = mbdu_force_add(
      mbdu_sym6_mul_motion(&data->P[i], data->a[i]), mbdu_force_cross(data->V[i], momentum));
  }
  mbdi_add_wrenches(model, data, f_ext, -1, data->z);
  residual_sweep(model, data, data->work->x);
  acceleration_sweep(model, data, data->work->x);
  if (!copy_if_finite(qdd, data->work->x, model->nv)) return MBD_ERROR_NOT_FINITE;
  stage_set(data, MBD_STAGE_RESIDUAL | MBD_STAGE_ACCELERATION);
  return MBD_OK;
}

//---------- inverse of the mass matrix ----------

// a unit torque on degree of freedom j: innovations of its body and of all its ancestors.
// data->path gets these bodies, tip first; returns their number
static int
unit_torque_innovations(const mbd_model_t * model, mbd_data_t * data, int j)
{
  int i = model->dof_body[j], depth = 0;
  double eps[6] = {0};
  eps[j - model->body[i].v_index] = 1;
  mbd_force_t z = {{0, 0, 0}, {0, 0, 0}};
  for (;;) {
    const mbd_body_t * body = &model->body[i];
    data->work->path[depth++] = i;
    joint_D_inv(data, body, eps, data->work->nu + body->v_index);
    z = mbdu_force_add(z, joint_gain(data, body, eps));
    if (body->parent < 0) return depth;
    z = mbdu_force_to_parent(&data->X_parent[i], z);
    i = body->parent;
    joint_project(&model->body[i], data->S + model->body[i].v_index, z, eps);
    for (int k = 0; k < model->body[i].nv; k++) eps[k] = -eps[k];
  }
}

// acceleration of one joint, and of its body in data->W, from that of its parent; `driven`:
// data->nu of the joint is not zero
static void
response_step(const mbd_model_t * model, mbd_data_t * data, int i, bool driven, double * qdd)
{
  const mbd_body_t * body = &model->body[i];
  mbd_motion_t W = {{0, 0, 0}, {0, 0, 0}};
  if (body->parent >= 0) W = mbdu_motion_to_child(&data->X_parent[i], data->work->W[body->parent]);
  for (int k = 0; k < body->nv; k++) {
    const int dof = body->v_index + k;
    qdd[k] = (driven ? data->work->nu[dof] : 0) - mbdu_power(data->G[dof], W);
  }
  data->work->W[i] = mbdu_motion_add(W, joint_motion(body, data->S + body->v_index, qdd));
}

// row j of M^-1 from the diagonal on, mirrored: the response to a unit torque. Bodies are in depth
// first order, so that bodies after j are children of j, of an ancestor of j, or of each other.
static void
inverse_row(const mbd_model_t * model, mbd_data_t * data, int j, double * M_inv)
{
  const size_t nv = (size_t)model->nv;
  const int body_j = model->dof_body[j];
  const int depth = unit_torque_innovations(model, data, j);
  double qdd[6];
  for (int k = depth - 1; k > 0; k--) response_step(model, data, data->work->path[k], true, qdd);
  for (int i = body_j; i < model->body[data->work->path[depth - 1]].subtree_end; i++) {
    const mbd_body_t * body = &model->body[i];
    response_step(model, data, i, i == body_j, qdd);
    for (int k = 0; k < body->nv; k++) {
      const size_t row = (size_t)j, column = (size_t)(body->v_index + k);
      if (column < row) continue;
      M_inv[row * nv + column] = qdd[k];
      M_inv[column * nv + row] = qdd[k];
    }
  }
}

mbd_status_t
mbdi_tree_mass_matrix_inverse(const mbd_model_t * model, mbd_data_t * data, double * M_inv)
{
  if (!M_inv) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  CHECK(mbd_articulated_inertia(model, data));
  const size_t nv = (size_t)model->nv;
  memset(M_inv, 0, nv * nv * sizeof *M_inv);
  for (int j = 0; j < model->nv; j++) inverse_row(model, data, j, M_inv);
  return MBD_OK;
}
