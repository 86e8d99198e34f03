// States for kernels, and the stages that they leave for later.
#include "simd/fast.h"

#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"

bool
mbdi_fast_articulated(const mbd_model_t * model, mbd_data_t * data, mbdi_kernel_args_t * args)
{
  const bool there = data->stage & MBD_STAGE_FACTORED;
  // embedded models have no plan
  if (!model->plan || !model->plan->single || data->stage & MBD_STAGE_COMPLIANCE) return false;
  mbdi_fast_args(model, data, args);
  if (args->rotor && model->plan->free_rotor) return false;
  if (!there && !model->plan->one->articulate(args)) return false;
  data->stage |= MBD_STAGE_FACTORED;
  return true;
}
