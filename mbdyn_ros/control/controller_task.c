// What the modes of the task frame share: where it is to be, and the wrench that it is to exert.
#include "controller_private.h"

// where the frame is to be; a twist alone carries that along, but no further than the robot follows
static mbd_placement_t
wanted_pose(const controller_t * c, const mbd_motion_t * twist, double dt)
{
  if (c->targets.pose_known) return c->targets.pose;
  mbd_placement_t X = c->p->task_hold;
  if (c->p->task_cut || !(dt > 0)) return X;
  X.p = mbdu_vec3_add(X.p, mbdu_vec3_scale(dt, twist->lin));
  const mbd_quat_t turn = mbdu_quat_exp(mbdu_vec3_scale(dt, twist->ang));
  const mbd_quat_t turned = mbdu_quat_mul(turn, mbdu_quat_from_mat3(&X.R));
  X.R = mbdu_quat_to_mat3(mbdu_quat_normalize(turned));
  return X;
}

mbd_placement_t
controller_task_target(
  const controller_t * c, const controller_cycle_t * cycle, mbd_motion_t * twist)
{
  const controller_targets_t * t = &c->targets;
  const bool moving = t->twist_known && controller_fresh(c, t->twist_time, cycle);
  const mbd_motion_t none = {{0, 0, 0}, {0, 0, 0}};
  *twist = moving ? t->twist : none;
  return wanted_pose(c, twist, cycle->dt);
}

// \return whether the error was longer than it may be
static bool
cut(double * e, double longest)
{
  const double length = mbdu_vec3_norm(mbdu_vec3(e[0], e[1], e[2]));
  if (!(longest > 0) || !(length > longest)) return false;
  for (int k = 0; k < 3; k++) e[k] *= longest / length;
  return true;
}

void
controller_task_cut(controller_t * c, double * e)
{
  const double * longest = c->settings->task_max_error;
  const bool far = cut(e, longest[0]), turned = cut(e + 3, longest[1]);
  c->p->task_cut = far || turned;
}

mbd_status_t
controller_task_wrench(controller_t * c, const controller_cycle_t * cycle, double * tau)
{
  const controller_targets_t * t = &c->targets;
  const bool wanted = t->wrench_known && controller_fresh(c, t->wrench_time, cycle);
  const mbd_wrench_t wrench = {c->settings->task_frame, MBD_LOCAL_WORLD_ALIGNED, t->wrench};
  const mbd_wrenches_t wrenches = {1, &wrench};
  if (!wanted || c->settings->task_frame < 0) return MBD_OK;
  return mbd_jacobian_transpose_product(c->model, c->data, &wrenches, tau);
}
