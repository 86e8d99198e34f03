// The workspace behind its public fields: which stages are deferred, and checks of arguments.
#ifndef STATE__STATE_H_
#define STATE__STATE_H_

#include <stdbool.h>

#include "mbdyn/data.h"
#include "model/engine.h"
#include "util/check.h"

// What of the state has been computed, as bits of data->work->stage.
typedef enum mbdi_stage {
  MBD_STAGE_POSITION = 1 << 0,      // mbd_set_position
  MBD_STAGE_VELOCITY = 1 << 1,      // mbd_set_velocity
  MBD_STAGE_BIAS = 1 << 2,          // accelerations at zero joint acceleration
  MBD_STAGE_ACCELERATION = 1 << 3,  // mbd_set_acceleration, inverse and forward dynamics
  MBD_STAGE_COMPOSITE = 1 << 4,     // mbd_composite_inertia
  MBD_STAGE_ARTICULATED = 1 << 5,   // mbd_articulated_inertia
  MBD_STAGE_COMPLIANCE = 1 << 6,    // mbd_compliance
  MBD_STAGE_FORCE = 1 << 7,         // forces through the joints: mbd_inverse_dynamics
  MBD_STAGE_RESIDUAL = 1 << 8,      // residual forces, from which they follow: _forward_dynamics
  MBD_STAGE_RESPONSE = 1 << 9,      // mbd_force_response, mbd_impulse_response
  // A one-call form has taken q and v and left position, velocity, acceleration and force stage for
  // when they are needed; mbd_complete_stages computes them at once.
  MBD_STAGE_DEFERRED = 1 << 10,
  MBD_STAGE_DEFERRED_VELOCITY = 1 << 11,  // the same of position and velocity stage alone
  MBD_STAGE_DEFERRED_POSITION = 1 << 12,  // the same of the position stage alone
  // Articulated bodies in world axes, for operational space, in the memory of the kernels.
  MBD_STAGE_ARTICULATED_SIMD = 1 << 13,
  // with MBD_STAGE_DEFERRED: forces of closures act too, work->lambda of them
  MBD_STAGE_DEFERRED_CLOSURES = 1 << 14,
  // sines of the joint angles, in the memory of the kernels
  MBD_STAGE_SINES = 1 << 15
} mbdi_stage_t;

// accelerations and forces through the joints, from work->qdd, wrenches and work->lambda
typedef void mbdi_closure_force_fn(
  const mbd_model_t * model, mbd_data_t * data, const mbd_wrenches_t * f_ext);

// The private part of a workspace.
struct mbdi_data {
  uint32_t stage;    // bits of mbdi_stage_t
  bool keeps_mimic;  // the caller keeps mimic joints, so that dynamics need not refuse
  void * owned;      // what mbd_data_destroy frees, or NULL

  mbd_sym3_t * moments;  // second moments of the inertias in use: tr(I)/2 - I      [nbody]

  // scratch: holds nothing between two calls
  mbd_force_t * F;   // a force of each body                                      [nbody]
  mbd_motion_t * W;  // a motion of each body                                     [nbody]
  double * x;        // a joint-space vector                                      [nv]
  double * nu;       // innovations                                               [nv]     (7.32)
  double * B;        // velocity-dependent 6x6 of each subtree                    [36 nbody]
  int * path;        // bodies from a base to one of them                         [nbody]
  double * qdd;      // acceleration of a call that deferred its stages           [nv]
  double * E;        // factor of a frame's compliance                            [8 nv]
  double * lambda;   // multipliers of a call that deferred its stages            [nrow],
  mbdi_closure_force_fn * closure_force_stage;  // and what computes them
  char * kernel;                                // of the kernels

  // the inertia in use as kernels see it
  struct mbdi_base_inertia * base_inertia;  // [2 nbody]
  bool base_inertia_ready;                  // made of `inertia` as it is

  struct mbdi_embedded * embedded;       // of an embedded model (embedding_internal.h)
  const double * bias_qdd;               // what the bias stage takes for zero acceleration, or NULL
  struct mbdi_elements * elements;       // of a model with force elements (tree/element.h)
  struct mbdi_flexible_data * flexible;  // of a model with flexible links (flexible_internal.h)
};

// what a workspace begins with
typedef struct mbdi_data_block {
  mbd_data_t data;
  struct mbdi_data work;
} mbdi_data_block_t;

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
  return data->work->stage & stages;
}

// the bits themselves, to be put back by stage_reset
static inline uint32_t
stage_bits(const mbd_data_t * data)
{
  return data->work->stage;
}

static inline void
stage_set(mbd_data_t * data, uint32_t stages)
{
  data->work->stage |= stages;
}

static inline void
stage_clear(mbd_data_t * data, uint32_t stages)
{
  data->work->stage &= ~stages;
}

// clears all but `stages`
static inline void
stage_keep(mbd_data_t * data, uint32_t stages)
{
  data->work->stage &= stages;
}

// these and no other
static inline void
stage_reset(mbd_data_t * data, uint32_t stages)
{
  data->work->stage = stages;
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
  if (!(data->work->stage & MBD_STAGE_DEFERRED)) return;
  data->work->stage &= ~(uint32_t)MBD_STAGE_DEFERRED;
  data->work->stage |= MBD_STAGE_DEFERRED_VELOCITY;
}

// what accelerations and forces were computed from has changed: no stage has them any more
static inline void
forget_acceleration(mbd_data_t * data)
{
  forget_deferred_acceleration(data);
  data->work->stage &= ~(uint32_t)(MBD_STAGE_ACCELERATION | MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL);
}

// the data belongs to the model and has the stages a call needs; the model may be an embedded one
static inline mbd_status_t
check_any(const mbd_model_t * model, mbd_data_t * data, uint32_t stages)
{
  if (!model || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (data->model != model) return MBD_ERROR_MODEL_MISMATCH;
  if ((data->work->stage & STAGES_DEFERRED) && stages != 0) CHECK(mbd_complete_stages(model, data));
  return (data->work->stage & stages) == stages ? MBD_OK : MBD_ERROR_STAGE;
}

// the same for calls that take spanning trees alone
static inline mbd_status_t
check_data(const mbd_model_t * model, mbd_data_t * data, uint32_t stages)
{
  CHECK(check_any(model, data, 0));
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  return stages ? check_any(model, data, stages) : MBD_OK;
}

// the same for calls that close loops which the dynamics of the model leave open
static inline mbd_status_t
check_cut(const mbd_model_t * model, mbd_data_t * data, uint32_t stages)
{
  CHECK(check_any(model, data, 0));
  if (!model->internal->engine->cut_loops) return MBD_ERROR_UNSUPPORTED;
  return stages ? check_any(model, data, stages) : MBD_OK;
}

// a mimic joint must not be taken for an independent one unless the caller says so
static inline mbd_status_t
check_mimic(const mbd_model_t * model, const mbd_data_t * data)
{
  const bool free = model->nmimic == 0 || model->mimic_independent || data->work->keeps_mimic;
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
  data->work->moments[i] =
    (mbd_sym3_t){half - I->xx, -I->xy, -I->xz, half - I->yy, -I->yz, half - I->zz};
}

#endif  // STATE__STATE_H_
