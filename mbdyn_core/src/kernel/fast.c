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
mbd_fast_args(const mbd_model_t * model, mbd_data_t * data, mbd_kernel_args_t * args)
{
  const mbd_plan_t * plan = model->plan;
  // embedded models have none
  if (!plan || !plan->plain) return false;
  args->plan = plan;
  args->inertia = data->inertia;
  args->moments = data->moments;
  args->rotor = data->terms & MBD_TERM_ROTORS ? plan->rotor : NULL;
  args->gravity = &data->gravity;
  args->q = data->q;
  args->v = data->v;
  args->u = NULL;
  args->out = data->x;
  args->work = data->kernel;
  // the memory has something else in it now
  data->stage &= ~(uint32_t)MBD_STAGE_FACTORED;
  return true;
}

bool
mbd_fast_world(const mbd_model_t * model, mbd_data_t * data, mbd_kernel_args_t * args)
{
  return model->plan && model->plan->depth <= PLAN_DEEPEST && mbd_fast_args(model, data, args);
}

bool
mbd_fast_articulated(const mbd_model_t * model, mbd_data_t * data, mbd_kernel_args_t * args)
{
  const bool there = data->stage & MBD_STAGE_FACTORED;
  if (data->stage & MBD_STAGE_COMPLIANCE || !mbd_fast_world(model, data, args)) return false;
  if (args->rotor && model->plan->free_rotor) return false;
  if (!there && !model->plan->one->articulate(args)) return false;
  data->stage |= MBD_STAGE_FACTORED;
  return true;
}

mbd_status_t
mbd_fast_state(const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v)
{
  if (!finite_array(q, model->nq)) return MBD_ERROR_NOT_FINITE;
  if (v && !finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  data->stage = 0;
  data->culprit = -1;
  copy_array(data->q, q, model->nq);
  if (v) copy_array(data->v, v, model->nv);
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
