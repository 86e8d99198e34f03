#include "simd/simd_args.h"

#include <string.h>

#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"

size_t
mbdi_simd_memory_size(const mbdi_plan_t * plan)
{
  return plan->work_offset + plan->kernels->work(plan);
}

void
mbdi_simd_general_joints(
  const mbd_model_t * model, mbd_data_t * data, bool dh, const double * v,
  mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = model->internal->plan;
  args->general = mbdi_simd_general(data);
  args->S = data->S;
  for (int k = 0; k < plan->ngeneral; k++) {
    const int i = plan->general_body[k];
    const mbd_body_t * body = &model->body[i];
    if (plan->dh[i].form == KIND_SPHERICAL) continue;
    const double * q = data->q + body->q_index;
    mbd_motion_t * S = data->S + body->v_index;
    mbdi_general_joint_t * to = &mbdi_simd_general(data)[k];
    mbd_placement_t X;
    mbdi_joint_position(body, q, &X, S);
    if (dh) X = mbdi_in_dh_frame(plan, body->parent, X);
    for (int j = 0; j < 9; j++) to->column[j % 3][j / 3] = X.R.m[j];
    memcpy(to->origin, &X.p, sizeof X.p);
    if (!v) continue;
    mbd_motion_t S_rate[6];
    const double * joint_v = v + body->v_index;
    to->subspace_moves = mbdi_joint_subspace_rate(body, q, joint_v, S_rate);
    if (!to->subspace_moves) continue;
    const mbd_motion_t S_rate_v = joint_motion(body, S_rate, joint_v);
    memcpy(to->S_rate_v, &S_rate_v, sizeof S_rate_v);
  }
}

bool
mbdi_simd_articulated(const mbd_model_t * model, mbd_data_t * data, mbdi_kernel_args_t * args)
{
  const bool there = stage_any(data, MBD_STAGE_ARTICULATED_SIMD);
  // embedded models have no plan
  if (
    !model->internal->plan || !model->internal->plan->single_supported ||
    model->internal->plan->ngeneral > 0 || stage_any(data, MBD_STAGE_COMPLIANCE))
    return false;
  mbdi_simd_args(model, data, args);
  if (args->rotor && model->internal->plan->free_rotor) return false;
  if (!there && !model->internal->plan->kernels->articulate(args)) return false;
  stage_set(data, MBD_STAGE_ARTICULATED_SIMD);
  return true;
}
