// The workspace behind its public fields: which stages are deferred, and checks of arguments.
#ifndef STATE__STATE_H_
#define STATE__STATE_H_

#include <stdbool.h>

#include "mbdyn/data.h"
#include "model/engine.h"
#include "util/check.h"

// stages that are computed when they are needed
#define STAGES_LATER \
  ((uint32_t)(MBD_STAGE_LATER | MBD_STAGE_LATER_VELOCITY | MBD_STAGE_LATER_POSITION))

// those of them that come with a velocity
#define STAGES_WITH_VELOCITY ((uint32_t)(MBD_STAGE_LATER | MBD_STAGE_LATER_VELOCITY))

// accelerations that were left for later are not to come any more: what they depend on has changed
static inline void
forget_later_acceleration(mbd_data_t * data)
{
  if (!(data->stage & MBD_STAGE_LATER)) return;
  data->stage &= ~(uint32_t)MBD_STAGE_LATER;
  data->stage |= MBD_STAGE_LATER_VELOCITY;
}

// what accelerations and forces were computed from has changed: no stage has them any more
static inline void
forget_acceleration(mbd_data_t * data)
{
  forget_later_acceleration(data);
  data->stage &= ~(uint32_t)(MBD_STAGE_ACCELERATION | MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL);
}

// the data belongs to the model and has the stages a call needs; the model may be an embedded one
static inline mbd_status_t
check_any(const mbd_model_t * model, mbd_data_t * data, uint32_t stages)
{
  if (!model || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (data->model != model) return MBD_ERROR_MODEL_MISMATCH;
  if ((data->stage & STAGES_LATER) && stages != 0) CHECK(mbd_complete_stages(model, data));
  return (data->stage & stages) == stages ? MBD_OK : MBD_ERROR_STAGE;
}

// the same for calls that take spanning trees alone
static inline mbd_status_t
check_data(const mbd_model_t * model, mbd_data_t * data, uint32_t stages)
{
  CHECK(check_any(model, data, 0));
  if (!model->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  return stages ? check_any(model, data, stages) : MBD_OK;
}

// a mimic joint must not be taken for an independent one unless the caller says so
static inline mbd_status_t
check_mimic(const mbd_model_t * model, const mbd_data_t * data)
{
  const bool free = model->nmimic == 0 || model->mimic_independent || data->keeps_mimic;
  return free ? MBD_OK : MBD_ERROR_MIMIC;
}

// the same for calls that are dynamics
static inline mbd_status_t
check_any_dynamics(const mbd_model_t * model, mbd_data_t * data, uint32_t stages)
{
  CHECK(check_any(model, data, stages));
  return check_mimic(model, data);
}

static inline mbd_status_t
check_dynamics(const mbd_model_t * model, mbd_data_t * data, uint32_t stages)
{
  CHECK(check_data(model, data, 0));
  return check_any_dynamics(model, data, stages);
}

static inline mbd_status_t
check_frame(const mbd_model_t * model, int frame, mbd_reference_t reference)
{
  if (frame < 0 || frame >= model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  return (int)reference >= MBD_LOCAL && (int)reference <= MBD_LOCAL_WORLD_ALIGNED
           ? MBD_OK
           : MBD_ERROR_BAD_ARGUMENT;
}

// the inertia in use of a body, and its second moments: J = tr(I)/2 - I
static inline void
mbdi_put_inertia(mbd_data_t * data, int i, const mbd_inertia_t * M)
{
  const mbd_sym3_t * I = &M->I;
  const double half = 0.5 * (I->xx + I->yy + I->zz);
  data->inertia[i] = *M;
  data->base_inertia_ready = false;
  data->moments[i] = (mbd_sym3_t){half - I->xx, -I->xy, -I->xz, half - I->yy, -I->yz, half - I->zz};
}

#endif  // STATE__STATE_H_
