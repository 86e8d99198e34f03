// States for kernels, and the stages that they leave for later.
#include "simd/fast.h"

#include "constraints/embedding_internal.h"
#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "state/check.h"
#include "tree/sweeps.h"

bool
mbdi_fast_articulated(const mbd_model_t * model, mbd_data_t * data, mbdi_kernel_args_t * args)
{
  const bool there = data->stage & MBD_STAGE_FACTORED;
  if (data->stage & MBD_STAGE_COMPLIANCE || !mbdi_fast_args(model, data, args)) return false;
  if (args->rotor && model->plan->free_rotor) return false;
  if (!there && !model->plan->one->articulate(args)) return false;
  data->stage |= MBD_STAGE_FACTORED;
  return true;
}

// most quaternions that come in have unit length but for rounding, which is seen without a call
static inline bool
is_unit(const double * q)
{
  const double square = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
  return square > 1 - 1e-15 && square < 1 + 1e-15;
}

// quaternions of data->q to unit length; false names the joint whose quaternion has none
static inline bool
normalize_quaternions(const mbdi_plan_t * plan, mbd_data_t * data)
{
  for (int k = 0; k < plan->nquaternion; k++) {
    double * q = data->q + plan->quaternion[k].q;
    if (is_unit(q) || mbdi_quat_normalize_numbers(q)) continue;
    data->culprit = plan->quaternion[k].body;
    return false;
  }
  return true;
}

// in place where it is called: every call for one state goes through it
static inline mbd_status_t
take(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * u, double * to_u, uint32_t stage)
{
  const mbdi_plan_t * plan = model->plan;
  if (!plan->one->take_state(plan, q, v, u, data->q, data->v, to_u)) return MBD_ERROR_NOT_FINITE;
  data->stage = 0;
  data->culprit = -1;
  if (!normalize_quaternions(plan, data)) return MBD_ERROR_BAD_QUATERNION;
  data->stage = stage;
  return MBD_OK;
}

mbd_status_t
mbdi_fast_state(const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v)
{
  return take(model, data, q, v, NULL, NULL, MBD_STAGE_LATER_POSITION);
}

mbd_status_t
mbdi_fast_state_and(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * u, double * to_u)
{
  return take(model, data, q, v, u, to_u, MBD_STAGE_LATER_POSITION);
}

mbd_status_t
mbd_set_state(const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v)
{
  if (model && model->tree) {
    CHECK(mbdi_embedded_set_position(model, data, q));
    return v ? mbdi_embedded_set_velocity(model, data, v) : MBD_OK;
  }
  CHECK(check_data(model, data, 0));
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  const uint32_t stage = v ? MBD_STAGE_LATER_VELOCITY : MBD_STAGE_LATER_POSITION;
  return take(model, data, q, v, NULL, NULL, stage);
}

mbd_status_t
mbd_complete_stages(const mbd_model_t * model, mbd_data_t * data)
{
  if (!model || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (data->model != model) return MBD_ERROR_MODEL_MISMATCH;
  const uint32_t later = data->stage & STAGES_LATER;
  if (!later) return MBD_OK;
  data->stage = 0;
  mbdi_position_stage(model, data);
  if (later == MBD_STAGE_LATER_POSITION) return MBD_OK;
  mbdi_velocity_stage(model, data);
  if (later == MBD_STAGE_LATER_VELOCITY) return MBD_OK;
  mbdi_force_stage(model, data, data->qdd, NULL);
  return MBD_OK;
}
