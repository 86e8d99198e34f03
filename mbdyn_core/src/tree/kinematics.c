// Sweeps from the bases to the tips: placements, velocities, accelerations.
#include "mbdyn/kinematics.h"

#include <string.h>

#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"

mbd_status_t
mbdi_tree_load_state(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * u, double * to_u, uint32_t stage)
{
  if (!finite_array(q, model->nq) || (v && !finite_array(v, model->nv)))
    return MBD_ERROR_NOT_FINITE;
  if (u && !finite_array(u, model->nv)) return MBD_ERROR_NOT_FINITE;
  memmove(data->q, q, (size_t)model->nq * sizeof *q);
  if (v) memmove(data->v, v, (size_t)model->nv * sizeof *v);
  if (u) memmove(to_u, u, (size_t)model->nv * sizeof *u);
  stage_reset(data, 0);
  data->error_body = -1;
  for (int i = 0; i < model->nbody; i++) {
    const int offset = mbdi_joint_quaternion(model->body[i].type);
    if (offset < 0 || mbdi_quat_normalize_numbers(data->q + model->body[i].q_index + offset))
      continue;
    data->error_body = i;
    return MBD_ERROR_BAD_QUATERNION;
  }
  stage_reset(data, stage);
  return MBD_OK;
}

mbd_status_t
mbd_complete_stages(const mbd_model_t * model, mbd_data_t * data)
{
  if (!model || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (data->model != model) return MBD_ERROR_MODEL_MISMATCH;
  const uint32_t deferred = stage_bits(data) & STAGES_DEFERRED;
  if (!deferred) return MBD_OK;
  const mbdi_engine_t * engine = model->internal->engine;
  if (engine->complete_stages) return engine->complete_stages(model, data);
  const uint32_t kept = stage_bits(data) & MBD_STAGE_ARTICULATED_SIMD;
  const bool closures = stage_any(data, MBD_STAGE_DEFERRED_CLOSURES);
  stage_reset(data, 0);
  model->internal->engine->position_stage(model, data);
  stage_set(data, kept);
  if (deferred == MBD_STAGE_DEFERRED_POSITION) return MBD_OK;
  mbdi_velocity_stage(model, data);
  if (deferred == MBD_STAGE_DEFERRED_VELOCITY) return MBD_OK;
  mbd_wrenches_t wrenches = {0, NULL};
  if (model->internal->engine->deferred_wrenches)
    wrenches = model->internal->engine->deferred_wrenches(data);
  if (closures)
    data->work->closure_force_stage(model, data, &wrenches);
  else
    mbdi_force_stage(model, data, data->work->qdd, &wrenches);
  return MBD_OK;
}

mbd_status_t
mbdi_tree_set_position(const mbd_model_t * model, mbd_data_t * data, const double * q)
{
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(model->internal->engine->load_state(
    model, data, q, NULL, NULL, NULL, MBD_STAGE_DEFERRED_POSITION));
  model->internal->engine->position_stage(model, data);
  return MBD_OK;
}

void
mbdi_tree_position_stage(const mbd_model_t * model, mbd_data_t * data)
{
  stage_reset(data, MBD_STAGE_POSITION);
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    mbd_placement_t * X = &data->X_parent[i];
    mbdi_joint_position(body, data->q + body->q_index, X, data->S + body->v_index);
    // I_T_k = I_T_p p_T_k                                                        (3.9)
    data->X_world[i] = body->parent < 0 ? *X : mbdu_placement_mul(&data->X_world[body->parent], X);
  }
}

mbd_status_t
mbdi_tree_set_velocity(const mbd_model_t * model, mbd_data_t * data, const double * v)
{
  CHECK(check_data(model, data, MBD_STAGE_POSITION));
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  if (!copy_if_finite(data->v, v, model->nv)) return MBD_ERROR_NOT_FINITE;
  stage_keep(
    data, MBD_STAGE_POSITION | MBD_STAGE_COMPOSITE | MBD_STAGE_ARTICULATED | MBD_STAGE_COMPLIANCE |
            MBD_STAGE_RESPONSE | MBD_STAGE_ARTICULATED_SIMD);
  mbdi_velocity_stage(model, data);
  return MBD_OK;
}

void
mbdi_velocity_stage(const mbd_model_t * model, mbd_data_t * data)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const double * rate = data->v + body->v_index;
    const mbd_motion_t delta = joint_motion(body, data->S + body->v_index, rate);

    // V_k = phi_k^T V_p + S_k v_k                                                (3.19)
    mbd_motion_t V = delta;
    if (body->parent >= 0) {
      V = mbdu_motion_add(V, mbdu_motion_to_child(&data->X_parent[i], data->V[body->parent]));
    }
    // a_k = tilde(V_k) S_k v_k + (dS_k/dt) v_k, the derivative in child axes      (5.11)
    mbd_motion_t a = mbdu_motion_cross(V, delta);
    mbd_motion_t * S_rate = data->S_rate + body->v_index;
    if (mbdi_joint_subspace_rate(body, data->q + body->q_index, rate, S_rate)) {
      for (int k = 0; k < body->nv; k++) {
        a = mbdu_motion_add(a, mbdu_motion_scale(rate[k], S_rate[k]));
      }
    }
    data->V[i] = V;
    data->a[i] = a;
  }
  stage_set(data, MBD_STAGE_VELOCITY);
}

void
mbdi_accelerate(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd, mbd_vec3_t base,
  mbd_motion_t * A)
{
  const mbd_motion_t world = {{0, 0, 0}, base};
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const mbd_motion_t from = body->parent < 0 ? world : A[body->parent];

    // alpha_k = phi_k^T alpha_p + S_k qdd_k + a_k                                (5.23)
    mbd_motion_t alpha =
      mbdu_motion_add(mbdu_motion_to_child(&data->X_parent[i], from), data->a[i]);
    if (qdd) {
      alpha =
        mbdu_motion_add(alpha, joint_motion(body, data->S + body->v_index, qdd + body->v_index));
    }
    A[i] = alpha;
  }
}

mbd_status_t
mbdi_tree_set_acceleration(const mbd_model_t * model, mbd_data_t * data, const double * qdd)
{
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  stage_clear(data, MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL);
  // gravity is an upward acceleration of the world                               (5.39)
  model->internal->engine->accelerate(model, data, qdd, mbdu_vec3_neg(data->gravity), data->A);
  stage_set(data, MBD_STAGE_ACCELERATION);
  return MBD_OK;
}

//---------- frames ----------

mbd_placement_t
mbdi_frame_in_world(const mbd_model_t * model, const mbd_data_t * data, int frame)
{
  const mbd_frame_t * f = &model->frame[frame];
  return f->body < 0 ? f->X : mbdu_placement_mul(&data->X_world[f->body], &f->X);
}

mbd_placement_t
mbdi_reference_in_world(
  const mbd_model_t * model, const mbd_data_t * data, int frame, mbd_reference_t reference)
{
  mbd_placement_t X = mbdu_placement_identity();
  if (reference != MBD_WORLD) {
    const mbd_placement_t frame_X = mbdi_frame_in_world(model, data, frame);
    X.p = frame_X.p;
    if (reference == MBD_LOCAL) X.R = frame_X.R;
  }
  return X;
}

mbd_placement_t
mbdi_reference_in_body(
  const mbd_model_t * model, const mbd_data_t * data, int frame, mbd_reference_t reference)
{
  const mbd_frame_t * f = &model->frame[frame];
  if (reference == MBD_LOCAL || f->body < 0) return f->X;
  const mbd_placement_t X = mbdi_reference_in_world(model, data, frame, reference);
  const mbd_placement_t world_in_body = mbdu_placement_inverse(&data->X_world[f->body]);
  return mbdu_placement_mul(&world_in_body, &X);
}

mbd_status_t
mbd_frame_placement(const mbd_model_t * model, mbd_data_t * data, int frame, mbd_placement_t * X)
{
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (!X) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, MBD_LOCAL));
  *X = mbdi_frame_in_world(model, data, frame);
  return MBD_OK;
}

mbd_status_t
mbd_frame_velocity(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * V)
{
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  if (!V) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  memset(V, 0, sizeof *V);
  const int body = model->frame[frame].body;
  if (body < 0) return MBD_OK;
  const mbd_placement_t X = mbdi_reference_in_body(model, data, frame, reference);
  *V = mbdu_motion_to_child(&X, data->V[body]);
  return MBD_OK;
}

mbd_motion_t
mbdi_acceleration_in_reference(
  const mbd_model_t * model, const mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t A)
{
  const int body = model->frame[frame].body;
  const mbd_placement_t X = mbdi_reference_in_body(model, data, frame, reference);
  mbd_motion_t out = mbdu_motion_to_child(&X, A);
  if (reference == MBD_LOCAL_WORLD_ALIGNED) {
    // the point moves with the frame, the axes keep their orientation: classical acceleration
    const mbd_motion_t V = mbdu_motion_to_child(&X, data->V[body]);
    out.lin = mbdu_vec3_add(out.lin, mbdu_vec3_cross(V.ang, V.lin));
  }
  return out;
}

mbd_status_t
mbd_frame_acceleration(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * A)
{
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY | MBD_STAGE_ACCELERATION));
  if (!A) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  memset(A, 0, sizeof *A);
  const int body = model->frame[frame].body;
  if (body < 0) return MBD_OK;
  // data->A is the acceleration minus gravity: add it again
  mbd_motion_t alpha = data->A[body];
  alpha.lin = mbdu_vec3_add(alpha.lin, mbdu_mat3_tvec(&data->X_world[body].R, data->gravity));
  *A = mbdi_acceleration_in_reference(model, data, frame, reference, alpha);
  return MBD_OK;
}
