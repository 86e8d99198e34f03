// Operational space: the frame's errors, and the torques that correct them.
#include "controller_private.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/operators/factors.h"
#include "singularity.h"

// from one placement to another, in world axes, linear first
static void
pose_error(const mbd_placement_t * from, const mbd_placement_t * to, double * e)
{
  const mbd_mat3_t inverse = mbdu_mat3_transpose(&from->R);
  const mbd_mat3_t turn = mbdu_mat3_mul(&to->R, &inverse);
  const mbd_motion_t error = {
    mbdu_quat_log(mbdu_quat_from_mat3(&turn)), mbdu_vec3_sub(to->p, from->p)};
  mbdu_motion_to_linear_first(&error, e);
}

// acceleration wanted of each controlled row, and the pose that it leads to
static mbd_status_t
task_acceleration(
  controller_t * c, const controller_cycle_t * cycle, double * u, mbd_placement_t * pose)
{
  const controller_settings_t * s = c->settings;
  mbd_placement_t X;
  mbd_motion_t V;
  CHECK(mbd_frame_placement(c->model, c->data, s->task_frame, &X));
  CHECK(mbd_frame_velocity(c->model, c->data, s->task_frame, MBD_LOCAL_WORLD_ALIGNED, &V));

  mbd_motion_t twist;
  *pose = controller_task_target(c, cycle, &twist);
  const mbd_motion_t slip = mbdu_motion_sub(twist, V);

  double e[6], de[6];
  pose_error(&X, pose, e);
  mbdu_motion_to_linear_first(&slip, de);
  for (int k = 0; k < 6; k++) e[k] = s->task_row[k] ? e[k] : 0;
  controller_task_cut(c, e);
  for (int k = 0, row = 0; k < 6; k++) {
    if (!s->task_row[k]) continue;
    const double slow = controller_bound_slowdown(c, "operational_kd", k, s->task_kd[k]);
    u[row++] = slow * slow * s->task_kp[k] * e[k] + slow * s->task_kd[k] * de[k];
  }
  return MBD_OK;
}

// tau0 = M a_posture + h: the core leaves gravity and Coriolis of the null space to its caller
static mbd_status_t
posture_torque(controller_t * c, const controller_cycle_t * cycle, double * tau0)
{
  const controller_gains_t gains = {c->settings->posture_kp, c->settings->posture_kd, "posture_kd"};
  CHECK(controller_feedback(c, cycle->input, gains, c->acceleration));
  CHECK(mbd_mass_product(c->model, c->data, c->acceleration, tau0));
  for (int k = 0; k < c->model->nv; k++) tau0[k] += c->gravity[k] + c->coriolis[k];
  return MBD_OK;
}

// the posture is not to move the frame; a damped inertia would let some of it through
static mbd_status_t
keep_to_null_space(controller_t * c, const mbd_tasks_t * tasks, double * tau)
{
  double rest[6], Lambda[36], *work = c->p->task_work;
  CHECK(mbd_task_bias(c->model, c->data, tasks, rest));
  CHECK(mbd_task_inertia(c->model, c->data, tasks, NULL, work, Lambda, NULL));
  return mbd_task_control(c->model, c->data, tasks, Lambda, rest, tau, work, tau);
}

// inertia and acceleration, once the other terms are there
static mbd_status_t
task_law(controller_t * c, const controller_cycle_t * cycle)
{
  const mbd_task_t task = singularity_task(c->settings->task_frame, c->settings->task_row);
  const mbd_tasks_t tasks = {1, &task};
  double u[6], Lambda[36], *tau = c->p->torque, *work = c->p->task_work;
  mbd_placement_t pose;
  CHECK(posture_torque(c, cycle, tau));
  // where nothing is controlled all of it is null space
  if (c->settings->task_frame >= 0 && task.nrow > 0) {
    CHECK(task_acceleration(c, cycle, u, &pose));
    if (c->settings->singular.policy == MBD_SINGULAR_DAMP) {
      CHECK(keep_to_null_space(c, &tasks, tau));
    }
    CHECK(mbd_task_inertia(c->model, c->data, &tasks, &c->settings->singular, work, Lambda, NULL));
    CHECK(mbd_task_control(c->model, c->data, &tasks, Lambda, u, tau, work, tau));
    // known to be good now
    c->p->task_hold = pose;
  }
  // gravity and Coriolis are terms of their own
  for (int k = 0; k < c->model->nv; k++) c->inertia[k] = tau[k] - c->gravity[k] - c->coriolis[k];
  return mbd_mass_solve(c->model, c->data, c->inertia, c->acceleration);
}

mbd_status_t
controller_operational_space(controller_t * c, const controller_cycle_t * cycle)
{
  CHECK(controller_bias_terms(c, c->data, cycle));
  CHECK(task_law(c, cycle));
  return controller_task_wrench(c, cycle, c->p->added);
}
