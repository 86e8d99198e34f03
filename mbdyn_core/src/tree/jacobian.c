// Jacobians by walking from a frame to its base; products by sweeps.
#include "mbdyn/jacobian.h"

#include <string.h>

#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"

static void
set_column(double * J, int columns, int column, mbd_motion_t V)
{
  const double numbers[6] = {V.ang.x, V.ang.y, V.ang.z, V.lin.x, V.lin.y, V.lin.z};
  for (int row = 0; row < 6; row++) J[row * columns + column] = numbers[row];
}

mbd_status_t
mbdi_tree_jacobian(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * J)
{
  if (!J) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  CHECK(check_data(model, data, MBD_STAGE_POSITION));
  memset(J, 0, 6 * (size_t)model->nv * sizeof *J);
  if (model->frame[frame].body < 0) return MBD_OK;
  const mbd_placement_t X = mbdi_reference_in_world(model, data, frame, reference);
  const mbd_placement_t world = mbdu_placement_inverse(&X);

  for (int i = model->frame[frame].body; i >= 0; i = model->body[i].parent) {
    // phi^T from body i to the reference                                         (3.53)
    const mbd_placement_t body_in_reference = mbdu_placement_mul(&world, &data->X_world[i]);
    const int first = model->body[i].v_index;
    for (int k = first; k < first + model->body[i].nv; k++) {
      set_column(J, model->nv, k, mbdu_motion_to_parent(&body_in_reference, data->S[k]));
    }
  }
  return MBD_OK;
}

mbd_status_t
mbdi_tree_jacobian_product(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  const double * x, mbd_motion_t * V)
{
  CHECK(check_data(model, data, MBD_STAGE_POSITION));
  if (!x || !V) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  if (!finite_array(x, model->nv)) return MBD_ERROR_NOT_FINITE;
  mbd_motion_t sum = {{0, 0, 0}, {0, 0, 0}};
  for (int i = model->frame[frame].body; i >= 0; i = model->body[i].parent) {
    const mbd_body_t * body = &model->body[i];
    const mbd_motion_t part = joint_motion(body, data->S + body->v_index, x + body->v_index);
    sum = mbdu_motion_add(sum, mbdu_motion_to_parent(&data->X_world[i], part));
  }
  const mbd_placement_t X = mbdi_reference_in_world(model, data, frame, reference);
  *V = mbdu_motion_to_child(&X, sum);
  return MBD_OK;
}

//---------- wrenches ----------

mbd_status_t
mbdi_check_wrenches(const mbd_model_t * model, const mbd_wrenches_t * wrenches)
{
  if (!wrenches || wrenches->n == 0) return MBD_OK;
  if (wrenches->n < 0) return MBD_ERROR_BAD_ARGUMENT;
  if (!wrenches->w) return MBD_ERROR_NULL_ARGUMENT;
  for (int k = 0; k < wrenches->n; k++) {
    const mbd_wrench_t * w = &wrenches->w[k];
    CHECK(check_frame(model, w->frame, w->reference));
    if (!finite_array(&w->f.ang.x, 6)) return MBD_ERROR_NOT_FINITE;
  }
  return MBD_OK;
}

void
mbdi_add_wrenches(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_wrenches_t * wrenches, double sign,
  mbd_force_t * F)
{
  for (int k = 0; wrenches && k < wrenches->n; k++) {
    const mbd_wrench_t * w = &wrenches->w[k];
    const int body = model->frame[w->frame].body;
    if (body < 0) continue;
    const mbd_placement_t X = mbdi_reference_in_body(model, data, w->frame, w->reference);
    const mbd_force_t f = mbdu_force_to_parent(&X, w->f);
    F[body] = mbdu_force_add(F[body], mbdu_force_scale(sign, f));
  }
}

void
mbdi_tree_gather_forces(
  const mbd_model_t * model, const mbd_data_t * data, mbd_force_t * F, double * tau)
{
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbd_body_t * body = &model->body[i];
    joint_project(body, data->S + body->v_index, F[i], tau + body->v_index);
    if (body->parent >= 0) {
      F[body->parent] =
        mbdu_force_add(F[body->parent], mbdu_force_to_parent(&data->X_parent[i], F[i]));
    }
  }
}

mbd_status_t
mbd_jacobian_transpose_product(
  const mbd_model_t * model, mbd_data_t * data, const mbd_wrenches_t * wrenches, double * tau)
{
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbdi_check_wrenches(model, wrenches));
  memset(data->work->F, 0, (size_t)mbdi_body_count(model) * sizeof *data->work->F);
  mbdi_add_wrenches(model, data, wrenches, 1, data->work->F);
  model->internal->engine->gather_forces(model, data, data->work->F, tau);
  return MBD_OK;
}

//---------- Jdot v ----------

void
mbdi_tree_bias_stage(const mbd_model_t * model, mbd_data_t * data)
{
  if (stage_any(data, MBD_STAGE_BIAS)) return;
  model->internal->engine->accelerate(
    model, data, data->work->bias_qdd, mbdu_vec3(0, 0, 0), data->A_bias);
  stage_set(data, MBD_STAGE_BIAS);
}

mbd_status_t
mbdi_tree_jacobian_bias(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * bias)
{
  if (!bias) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  memset(bias, 0, sizeof *bias);
  const int body = model->frame[frame].body;
  if (body < 0) return MBD_OK;
  model->internal->engine->bias_stage(model, data);
  *bias = mbdi_acceleration_in_reference(model, data, frame, reference, data->A_bias[body]);
  return MBD_OK;
}
