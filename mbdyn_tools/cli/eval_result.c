// Everything `mbdyn eval` computes for a state.
#include "eval_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval_loops.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"
#include "return_if_error.h"

bool
eval_result_create(const mbd_model_t * model, int nframe, eval_result_t * result)
{
  const size_t nv = (size_t)model->nv;
  *result = (eval_result_t){0};
  // one more of each, so that a robot that cannot move is no special case
  double * x = calloc(5 * nv + 3 * nv * nv + 6 * nv * (size_t)nframe + 1, sizeof *x);
  result->frame = calloc((size_t)nframe + 1, sizeof *result->frame);
  result->tau = x;
  if (!x || !result->frame) {
    fputs("mbdyn eval: out of memory\n", stderr);
    return false;
  }
  double ** const vectors[] = {
    &result->tau, &result->gravity, &result->bias, &result->qdd, &result->friction};
  double ** const matrices[] = {&result->M, &result->M_inv, &result->C};
  for (int i = 0; i < 5; i++, x += nv) *vectors[i] = x;
  for (int i = 0; i < 3; i++, x += nv * nv) *matrices[i] = x;
  for (int i = 0; i < nframe; i++, x += 6 * nv) result->frame[i].jacobian = x;
  return true;
}

void
eval_result_free(eval_result_t * result)
{
  // the other vectors and matrices are in the same block
  free(result->tau);
  free(result->frame);
}

//---------- of the robot ----------

static void
copy(double * to, const double * from, size_t n)
{
  memcpy(to, from, n * sizeof *to);
}

static mbd_status_t
compute_free_torques(mbd_data_t * data, const eval_batched_t * batched, eval_result_t * result)
{
  const mbd_model_t * model = data->model;
  const size_t nv = (size_t)model->nv;
  if (batched) {
    copy(result->gravity, batched->gravity, nv);
    copy(result->bias, batched->bias, nv);
    return MBD_OK;
  }
  RETURN_IF_ERROR(mbd_gravity(model, data, result->gravity));
  return mbd_bias(model, data, result->bias);
}

static mbd_status_t
compute_torques(
  mbd_data_t * data, const eval_state_t * state, const eval_batched_t * batched,
  eval_result_t * result)
{
  const mbd_model_t * model = data->model;
  const size_t nv = (size_t)model->nv;
  RETURN_IF_ERROR(compute_free_torques(data, batched, result));
  RETURN_IF_ERROR(
    result->loops ? eval_loops_friction(data, result->loops, result->friction)
                  : mbd_friction(model, state->v, result->friction));
  if (batched && state->f_ext.n == 0) {
    copy(result->tau, batched->tau, nv);
    copy(result->qdd, batched->qdd, nv);
    return MBD_OK;
  }
  RETURN_IF_ERROR(
    mbd_inverse_dynamics(model, data, NULL, NULL, state->a, &state->f_ext, result->tau));
  return mbd_forward_dynamics(model, data, NULL, NULL, state->tau, &state->f_ext, result->qdd);
}

static mbd_status_t
compute_matrices(mbd_data_t * data, const eval_batched_t * batched, eval_result_t * result)
{
  const mbd_model_t * model = data->model;
  if (batched)
    copy(result->M, batched->M, (size_t)model->nv * (size_t)model->nv);
  else
    RETURN_IF_ERROR(mbd_mass_matrix(model, data, result->M));
  RETURN_IF_ERROR(mbd_mass_matrix_inverse(model, data, result->M_inv));
  return mbd_coriolis_matrix(model, data, result->C);
}

static mbd_status_t
compute_whole(mbd_data_t * data, eval_result_t * result)
{
  const mbd_model_t * model = data->model;
  RETURN_IF_ERROR(mbd_kinetic_energy(model, data, &result->kinetic));
  RETURN_IF_ERROR(mbd_potential_energy(model, data, &result->potential));
  result->has_com = model->mass > 0;
  if (!result->has_com) return MBD_OK;
  mbd_vec3_t com;
  mbd_force_t momentum;
  RETURN_IF_ERROR(mbd_center_of_mass(model, data, NULL, &com));
  RETURN_IF_ERROR(mbd_centroidal_momentum(model, data, &momentum));
  result->com[0] = com.x, result->com[1] = com.y, result->com[2] = com.z;
  mbdu_force_to_linear_first(&momentum, result->momentum);
  return MBD_OK;
}

//---------- of a frame ----------

static mbd_status_t
compute_frame(
  int frame, mbd_reference_t reference, mbd_data_t * data, const double * jacobian,
  eval_frame_result_t * result)
{
  const mbd_model_t * model = data->model;
  mbd_placement_t X;
  RETURN_IF_ERROR(mbd_frame_placement(model, data, frame, &X));
  const mbd_quat_t r = mbdu_quat_from_mat3(&X.R);
  const double pose[7] = {X.p.x, X.p.y, X.p.z, r.x, r.y, r.z, r.w};
  for (int i = 0; i < 7; i++) result->pose[i] = pose[i];

  mbd_motion_t V, bias;
  RETURN_IF_ERROR(mbd_frame_velocity(model, data, frame, reference, &V));
  RETURN_IF_ERROR(mbd_jacobian_bias(model, data, frame, reference, &bias));
  mbdu_motion_to_linear_first(&V, result->velocity);
  mbdu_motion_to_linear_first(&bias, result->bias);

  if (jacobian)
    copy(result->jacobian, jacobian, 6 * (size_t)model->nv);
  else
    RETURN_IF_ERROR(mbd_jacobian(model, data, frame, reference, result->jacobian));
  mbdu_rows_swap(result->jacobian, model->nv);
  RETURN_IF_ERROR(
    mbd_operational_space_inertia(model, data, frame, reference, result->inertia, &result->rank));
  mbdu_blocks_swap(result->inertia);
  return MBD_OK;
}

mbd_status_t
eval_compute(
  const eval_frames_t * frames, mbd_data_t * data, const eval_state_t * state,
  const eval_batched_t * batched, eval_result_t * result)
{
  RETURN_IF_ERROR(mbd_set_position(data->model, data, state->q));
  RETURN_IF_ERROR(mbd_set_velocity(data->model, data, state->v));
  RETURN_IF_ERROR(compute_torques(data, state, batched, result));
  RETURN_IF_ERROR(compute_matrices(data, batched, result));
  RETURN_IF_ERROR(compute_whole(data, result));
  if (result->loops) RETURN_IF_ERROR(eval_loops_compute(data, state, result->qdd, result->loops));
  for (int i = 0; i < frames->n; i++) {
    const double * J = batched ? batched->jacobian + (size_t)i * batched->next_jacobian : NULL;
    RETURN_IF_ERROR(compute_frame(frames->frame[i], frames->reference, data, J, &result->frame[i]));
  }
  return MBD_OK;
}
