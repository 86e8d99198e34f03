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
  const size_t general = ((size_t)plan->ngeneral + 1) / 2 * 2 * sizeof(mbdi_general_joint_t);
  return sizeof(mbdi_simd_memory_t) + general + plan->kernels->work(plan);
}

static void
store_motion(mbd_motion_t V, double * out)
{
  memcpy(out, &V.lin, sizeof V.lin);
  memcpy(out + 3, &V.ang, sizeof V.ang);
}

void
mbdi_simd_general_joints(
  const mbd_model_t * model, mbd_data_t * data, bool dh, const double * v, const double * u)
{
  const mbdi_plan_t * plan = model->plan;
  for (int k = 0; k < plan->ngeneral; k++) {
    const int i = plan->general_body[k];
    const mbd_body_t * body = &model->body[i];
    const double * q = data->q + body->q_index;
    mbd_motion_t *S = data->S + body->v_index, rate = {{0, 0, 0}, {0, 0, 0}}, accel = rate;
    mbdi_general_joint_t * to = &mbdi_simd_general(data)[k];
    mbd_placement_t X;
    mbdi_joint_position(body, q, &X, S);
    if (dh) X = mbdi_in_dh_frame(plan, body->parent, X);
    for (int j = 0; j < 9; j++) to->column[j % 3][j / 3] = X.R.m[j];
    memcpy(to->origin, &X.p, sizeof X.p);
    if (v) {
      const double * joint_v = v + body->v_index;
      mbd_motion_t S_rate[6];
      rate = joint_motion(body, S, joint_v);
      if (mbdi_joint_subspace_rate(body, q, joint_v, S_rate)) {
        accel = joint_motion(body, S_rate, joint_v);
      }
    }
    if (u) accel = mbdu_motion_add(accel, joint_motion(body, S, u + body->v_index));
    store_motion(rate, to->rate);
    store_motion(accel, to->accel);
  }
}

bool
mbdi_simd_articulated(const mbd_model_t * model, mbd_data_t * data, mbdi_kernel_args_t * args)
{
  const bool there = data->stage & MBD_STAGE_FACTORED;
  // embedded models have no plan
  if (
    !model->plan || !model->plan->single_supported || model->plan->ngeneral > 0 ||
    data->stage & MBD_STAGE_COMPLIANCE)
    return false;
  mbdi_simd_args(model, data, args);
  if (args->rotor && model->plan->free_rotor) return false;
  if (!there && !model->plan->kernels->articulate(args)) return false;
  data->stage |= MBD_STAGE_FACTORED;
  return true;
}
