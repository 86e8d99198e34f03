// Alg 7.3 with the sign that the algorithm (not its derivation) has: + M^-1 J^T f.
#include "mbdyn/dynamics/response.h"

#include <string.h>

#include "mbdyn/forward.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"

mbd_status_t
mbd_force_response(
  const mbd_model_t * model, mbd_data_t * data, const mbd_wrenches_t * wrenches, double * dqdd)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!dqdd) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbdi_check_wrenches(model, wrenches));
  CHECK(model->internal->engine->prepare_solve(model, data));
  stage_clear(data, MBD_STAGE_RESPONSE);

  // J^T f, then M^-1: the second scatter leaves the bodies' accelerations in data->response
  memset(data->work->F, 0, (size_t)mbdi_body_count(model) * sizeof *data->work->F);
  mbdi_add_wrenches(model, data, wrenches, 1, data->work->F);
  model->internal->engine->gather_forces(model, data, data->work->F, data->work->x);
  model->internal->engine->solve(model, data, data->work->x);
  if (!finite_array(data->work->x, model->nv)) return MBD_ERROR_NOT_FINITE;
  memcpy(data->response, data->work->W, (size_t)mbdi_body_count(model) * sizeof *data->work->W);
  stage_set(data, MBD_STAGE_RESPONSE);
  memcpy(dqdd, data->work->x, (size_t)model->nv * sizeof *dqdd);
  return MBD_OK;
}

mbd_status_t
mbd_impulse_response(
  const mbd_model_t * model, mbd_data_t * data, const mbd_wrenches_t * impulses, double * dv)
{
  return mbd_force_response(model, data, impulses, dv);
}

mbd_status_t
mbd_response_acceleration(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * A)
{
  CHECK(check_any(model, data, MBD_STAGE_RESPONSE));
  if (!A) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  memset(A, 0, sizeof *A);
  const int body = model->frame[frame].body;
  if (body < 0) return MBD_OK;
  const mbd_placement_t X = mbdi_reference_in_body(model, data, frame, reference);
  *A = mbdu_motion_to_child(&X, data->response[body]);
  return MBD_OK;
}
