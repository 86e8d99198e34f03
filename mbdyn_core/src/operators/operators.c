// phi and psi as sweeps (Lem 9.1, 9.2), blocks of phi M phi^T (9.11), views of a joint's force
// (6.1).
#include "mbdyn/operators/spatial_operators.h"

#include <string.h>

#include "mbdyn/forward.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"

//---------- phi and psi ----------

// taubar^T V = V - H^T G^T V
static mbd_motion_t
hand_through(const mbd_data_t * data, const mbd_body_t * body, mbd_motion_t V)
{
  double gain[6];
  for (int k = 0; k < body->nv; k++) gain[k] = mbdu_power(data->G[body->v_index + k], V);
  return mbdu_motion_sub(V, joint_motion(body, data->S + body->v_index, gain));
}

static void
gather(const mbd_model_t * model, const mbd_data_t * data, bool free_joints, mbd_force_t * y)
{
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbd_body_t * body = &model->body[i];
    if (body->parent < 0) continue;
    const mbd_force_t f = free_joints ? joint_transmit_force(data, body, y[i]) : y[i];
    y[body->parent] = mbdu_force_add(y[body->parent], mbdu_force_to_parent(&data->X_parent[i], f));
  }
}

static void
scatter(const mbd_model_t * model, const mbd_data_t * data, bool free_joints, mbd_motion_t * y)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (body->parent < 0) continue;
    mbd_motion_t V = mbdu_motion_to_child(&data->X_parent[i], y[body->parent]);
    if (free_joints) V = hand_through(data, body, V);
    y[i] = mbdu_motion_add(y[i], V);
  }
}

mbd_status_t
mbd_phi_product(
  const mbd_model_t * model, mbd_data_t * data, const mbd_force_t * x, mbd_force_t * y)
{
  CHECK(check_data(model, data, MBD_STAGE_POSITION));
  if (!x || !y) return MBD_ERROR_NULL_ARGUMENT;
  memmove(y, x, (size_t)model->nbody * sizeof *y);
  gather(model, data, false, y);
  return MBD_OK;
}

mbd_status_t
mbd_phi_transpose_product(
  const mbd_model_t * model, mbd_data_t * data, const mbd_motion_t * x, mbd_motion_t * y)
{
  CHECK(check_data(model, data, MBD_STAGE_POSITION));
  if (!x || !y) return MBD_ERROR_NULL_ARGUMENT;
  memmove(y, x, (size_t)model->nbody * sizeof *y);
  scatter(model, data, false, y);
  return MBD_OK;
}

mbd_status_t
mbd_psi_product(
  const mbd_model_t * model, mbd_data_t * data, const mbd_force_t * x, mbd_force_t * y)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!x || !y) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_articulated_inertia(model, data));
  memmove(y, x, (size_t)model->nbody * sizeof *y);
  gather(model, data, true, y);
  return MBD_OK;
}

mbd_status_t
mbd_psi_transpose_product(
  const mbd_model_t * model, mbd_data_t * data, const mbd_motion_t * x, mbd_motion_t * y)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!x || !y) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_articulated_inertia(model, data));
  memmove(y, x, (size_t)model->nbody * sizeof *y);
  scatter(model, data, true, y);
  return MBD_OK;
}

//---------- cross inertia ----------

// phi(i,j) R_j for a body i that carries j (or is j), row-major
static void
carried_block(const mbd_model_t * model, const mbd_data_t * data, int i, int j, double * block)
{
  for (int c = 0; c < 6; c++) {
    const mbd_motion_t unit = {{c == 0, c == 1, c == 2}, {c == 3, c == 4, c == 5}};
    mbd_force_t f = mbdu_inertia_mul(&data->R[j], unit);
    for (int k = j; k != i; k = model->body[k].parent) {
      f = mbdu_force_to_parent(&data->X_parent[k], f);
    }
    const double numbers[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
    for (int r = 0; r < 6; r++) block[6 * r + c] = numbers[r];
  }
}

mbd_status_t
mbd_cross_inertia(
  const mbd_model_t * model, mbd_data_t * data, int body_i, int body_j, double * block)
{
  CHECK(check_data(model, data, MBD_STAGE_POSITION));
  if (!block) return MBD_ERROR_NULL_ARGUMENT;
  const int n = model->nbody;
  if (body_i < 0 || body_i >= n || body_j < 0 || body_j >= n) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(mbd_composite_inertia(model, data));
  memset(block, 0, 36 * sizeof *block);
  if (mbdi_carries(model, body_i, body_j)) {
    carried_block(model, data, body_i, body_j, block);
  } else if (mbdi_carries(model, body_j, body_i)) {
    double transposed[36];
    carried_block(model, data, body_j, body_i, transposed);
    for (int r = 0; r < 6; r++) {
      for (int c = 0; c < 6; c++) block[6 * r + c] = transposed[6 * c + r];
    }
  }
  return MBD_OK;
}

//---------- inverse dynamics by composite bodies ----------

mbd_status_t
mbd_composite_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, const mbd_wrenches_t * f_ext,
  double * tau)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  if (qdd && !finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_check_wrenches(model, f_ext));
  CHECK(mbd_composite_inertia(model, data));
  stage_clear(data, MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL);
  mbdi_accelerate(model, data, qdd, mbdu_vec3_neg(data->gravity), data->A);
  stage_set(data, MBD_STAGE_ACCELERATION);

  // y_k = b_k - f_ext + sum phi_j (y_j + R_j (S_j qdd_j + a_j)), f_k = R_k A_k + y_k       (5.44)
  mbd_force_t * y = data->work->F;
  for (int i = 0; i < model->nbody; i++) {
    y[i] = mbdu_force_cross(data->V[i], mbdu_inertia_mul(&data->inertia[i], data->V[i]));
  }
  mbdi_add_wrenches(model, data, f_ext, -1, y);
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbd_body_t * body = &model->body[i];
    data->f[i] = mbdu_force_add(mbdu_inertia_mul(&data->R[i], data->A[i]), y[i]);
    if (body->parent >= 0) {
      mbd_motion_t own = data->a[i];
      if (qdd) {
        own =
          mbdu_motion_add(own, joint_motion(body, data->S + body->v_index, qdd + body->v_index));
      }
      const mbd_force_t y_plus = mbdu_force_add(y[i], mbdu_inertia_mul(&data->R[i], own));
      y[body->parent] =
        mbdu_force_add(y[body->parent], mbdu_force_to_parent(&data->X_parent[i], y_plus));
    }
    joint_project(body, data->S + body->v_index, data->f[i], data->work->x + body->v_index);
  }
  CHECK(copy_checked(tau, data->work->x, model->nv));
  stage_set(data, MBD_STAGE_FORCE);
  return MBD_OK;
}

mbd_status_t
mbd_joint_force_views(
  const mbd_model_t * model, mbd_data_t * data, int body, mbd_force_views_t * views)
{
  if (!views) return MBD_ERROR_NULL_ARGUMENT;
  mbd_force_t f;
  CHECK(mbd_joint_force(model, data, body, &f));
  CHECK(mbd_composite_inertia(model, data));
  CHECK(mbd_articulated_inertia(model, data));
  const mbd_placement_t * link = &model->frame[model->body[body].link_frame].X;
  const mbd_motion_t A = data->A[body];
  mbd_force_views_t v;
  v.terminal = mbdu_force_to_child(link, mbdu_inertia_mul(&data->inertia[body], A));
  v.composite = mbdu_force_to_child(link, mbdu_inertia_mul(&data->R[body], A));
  v.articulated = mbdu_force_to_child(link, mbdu_sym6_mul_motion(&data->P[body], A));
  v.terminal_rest = mbdu_force_sub(f, v.terminal);
  v.composite_rest = mbdu_force_sub(f, v.composite);
  v.articulated_rest = mbdu_force_sub(f, v.articulated);
  *views = v;
  return MBD_OK;
}
