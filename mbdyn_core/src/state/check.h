// Checks of numbers and arguments that several files share.
#ifndef CHECK_H_
#define CHECK_H_

#include <stdbool.h>

#include "mbdyn/data.h"
#include "model/engine.h"

#define CHECK(call)                                    \
  do {                                                 \
    const mbd_status_t check_status_ = (call);         \
    if (check_status_ != MBD_OK) return check_status_; \
  } while (0)

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

// true if all n numbers are finite: zero times infinity or not-a-number is not-a-number
static inline bool
finite_array(const double * x, int n)
{
  // in parts that need not wait for each other
  double a = 0, b = 0, c = 0, d = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    a += 0 * x[i], b += 0 * x[i + 1], c += 0 * x[i + 2], d += 0 * x[i + 3];
  }
  for (; i < n; i++) a += 0 * x[i];
  return a + b + (c + d) == 0;
}

// few numbers, for which a call of memcpy takes longer
static inline void
copy_array(double * to, const double * from, int n)
{
  for (int i = 0; i < n; i++) to[i] = from[i];
}

// false, and nothing is copied: not all are finite
static inline bool
copy_if_finite(double * to, const double * from, int n)
{
  if (!finite_array(from, n)) return false;
  copy_array(to, from, n);
  return true;
}

static inline bool
finite_vec3(mbd_vec3_t x)
{
  return finite_array(&x.x, 1) && finite_array(&x.y, 1) && finite_array(&x.z, 1);
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

// finite, mass and moments not negative, and no first moment without mass          (Ex 2.2)
mbd_status_t mbdi_check_inertia(const mbd_inertia_t * inertia);

#endif  // CHECK_H_
