// States for kernels, and the stages that they leave for later.
#include "fast.h"

#include <string.h>

#include "check.h"
#include "embedding_internal.h"
#include "joint.h"
#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "sweeps.h"

bool
mbd_fast_articulated(const mbd_model_t * model, mbd_data_t * data, mbd_kernel_args_t * args)
{
  const bool there = data->stage & MBD_STAGE_FACTORED;
  if (data->stage & MBD_STAGE_COMPLIANCE || !mbd_fast_args(model, data, args)) return false;
  if (args->rotor && model->plan->free_rotor) return false;
  if (!there && !model->plan->one->articulate(args)) return false;
  data->stage |= MBD_STAGE_FACTORED;
  return true;
}

mbd_status_t
mbd_fast_state(const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v)
{
  const mbd_plan_t * plan = model->plan;
  if (!plan->one->take_state(plan, q, v, data->q, data->v)) return MBD_ERROR_NOT_FINITE;
  data->stage = 0;
  data->culprit = -1;
  if (!mbd_normalize_in_place(model, data)) return MBD_ERROR_BAD_QUATERNION;
  data->stage = MBD_STAGE_LATER_POSITION;
  return MBD_OK;
}

mbd_status_t
mbd_set_state(const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v)
{
  if (model && model->tree) {
    CHECK(mbd_embedded_set_position(model, data, q));
    return v ? mbd_embedded_set_velocity(model, data, v) : MBD_OK;
  }
  CHECK(check_data(model, data, 0));
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_fast_state(model, data, q, v));
  if (v) data->stage = MBD_STAGE_LATER_VELOCITY;
  return MBD_OK;
}

void
mbd_fast_acceleration(const mbd_model_t * model, mbd_data_t * data, const double * qdd)
{
  if (qdd)
    copy_array(data->qdd, qdd, model->nv);
  else
    memset(data->qdd, 0, (size_t)model->nv * sizeof *qdd);
  data->stage = MBD_STAGE_LATER;
}

mbd_status_t
mbd_complete_stages(const mbd_model_t * model, mbd_data_t * data)
{
  if (!model || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (data->model != model) return MBD_ERROR_MODEL_MISMATCH;
  const uint32_t later = data->stage & STAGES_LATER;
  if (!later) return MBD_OK;
  data->stage = 0;
  mbd_position_stage(model, data);
  if (later == MBD_STAGE_LATER_POSITION) return MBD_OK;
  mbd_velocity_stage(model, data);
  if (later == MBD_STAGE_LATER_VELOCITY) return MBD_OK;
  mbd_force_stage(model, data, data->qdd, NULL);
  return MBD_OK;
}
