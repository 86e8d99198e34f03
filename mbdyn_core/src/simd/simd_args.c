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
  const mbdi_kernel_work_t more = plan->kernels->articulated_work;
  return plan->articulated_offset + (more ? more(plan) : 0);
}

void
mbdi_simd_general_joints(
  const mbd_model_t * model, mbd_data_t * data, const double * v, mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = model->internal->plan;
  mbdi_general_joint_t * to = mbdi_simd_general(data);
  args->general = to;
  for (int k = 0; k < plan->ngeneral; k++, to++) {
    const int i = plan->general_body[k];
    const mbd_body_t * body = &model->body[i];
    const mbdi_joint_ops_t * ops = &mbdi_joint_ops[body->type];
    if (plan->dh[i].form == KIND_SPHERICAL) continue;
    const double *q = data->q + body->q_index, *joint_v = v ? v + body->v_index : NULL;
    double s[2], c[2];
    if (ops->nangle > 0) plan->kernels->sincos(ops->nangle, q + ops->first_angle, s, c);
    ops->local(body, q, s, c, &to->J, data->S + body->v_index);
    to->subspace_moves = v && mbdi_joint_subspace_rate(body, q, joint_v, to->S_rate);
  }
}

bool
mbdi_simd_articulated(const mbd_model_t * model, mbd_data_t * data, mbdi_kernel_args_t * args)
{
  const bool there = stage_any(data, MBD_STAGE_ARTICULATED_SIMD);
  // embedded models have no plan
  const mbdi_plan_t * plan = model->internal->plan;
  if (!plan || !plan->single_supported || !plan->kernels->articulate) return false;
  mbdi_simd_args(model, data, args);
  args->articulated = data->work->kernel + plan->articulated_offset;
  if (args->rotor && plan->free_rotor) return false;
  if (!there) mbdi_simd_load_general_joints(model, data, NULL, args);
  if (!there && !plan->kernels->articulate(args)) return false;
  stage_set(data, MBD_STAGE_ARTICULATED_SIMD);
  return true;
}
