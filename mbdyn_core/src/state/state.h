// The workspace behind its public fields: which stages are deferred, and checks of arguments.
#ifndef STATE__STATE_H_
#define STATE__STATE_H_

#include <stdbool.h>

#include "mbdyn/data.h"
#include "model/engine.h"
#include "util/check.h"

// stages that are computed when they are needed
#define STAGES_DEFERRED \
  ((uint32_t)(MBD_STAGE_DEFERRED | MBD_STAGE_DEFERRED_VELOCITY | MBD_STAGE_DEFERRED_POSITION))

// those of them that come with a velocity
#define STAGES_DEFERRED_VELOCITY ((uint32_t)(MBD_STAGE_DEFERRED | MBD_STAGE_DEFERRED_VELOCITY))

// Stages are dirty bits: these functions alone read and write them. The first of them: any of `stages`
// is up to date or deferred.
static inline bool
stage_any(const mbd_data_t * data, uint32_t stages)
{
  return data->stage & stages;
}

// the bits themselves, to be put back by stage_reset
static inline uint32_t
stage_bits(const mbd_data_t * data)
{
  return data->stage;
}

static inline void
stage_set(mbd_data_t * data, uint32_t stages)
{
  data->stage |= stages;
}

static inline void
stage_clear(mbd_data_t * data, uint32_t stages)
{
  data->stage &= ~stages;
}

// clears all but `stages`
static inline void
stage_keep(mbd_data_t * data, uint32_t stages)
{
  data->stage &= stages;
}

// these and no other
static inline void
stage_reset(mbd_data_t * data, uint32_t stages)
{
  data->stage = stages;
}

// a state has been loaded: its position, or velocity, stage is up to date or deferred
static inline bool
stage_has_position(const mbd_data_t * data)
{
  return stage_any(data, MBD_STAGE_POSITION | STAGES_DEFERRED);
}

static inline bool
stage_has_velocity(const mbd_data_t * data)
{
  return stage_any(data, MBD_STAGE_VELOCITY | STAGES_DEFERRED_VELOCITY);
}

// what deferred accelerations depend on has changed: only position and velocity stay deferred
static inline void
forget_deferred_acceleration(mbd_data_t * data)
{
  if (!(data->stage & MBD_STAGE_DEFERRED)) return;
  data->stage &= ~(uint32_t)MBD_STAGE_DEFERRED;
  data->stage |= MBD_STAGE_DEFERRED_VELOCITY;
}

// what accelerations and forces were computed from has changed: no stage has them any more
static inline void
forget_acceleration(mbd_data_t * data)
{
  forget_deferred_acceleration(data);
  data->stage &= ~(uint32_t)(MBD_STAGE_ACCELERATION | MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL);
}

// the data belongs to the model and has the stages a call needs; the model may be an embedded one
static inline mbd_status_t
check_any(const mbd_model_t * model, mbd_data_t * data, uint32_t stages)
{
  if (!model || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (data->model != model) return MBD_ERROR_MODEL_MISMATCH;
  if ((data->stage & STAGES_DEFERRED) && stages != 0) CHECK(mbd_complete_stages(model, data));
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

// the same for calls that close loops which the dynamics of the model leave open
static inline mbd_status_t
check_cut(const mbd_model_t * model, mbd_data_t * data, uint32_t stages)
{
  CHECK(check_any(model, data, 0));
  if (!model->engine->cut_loops) return MBD_ERROR_UNSUPPORTED;
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
