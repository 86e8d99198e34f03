/// \file stance_rig.h
/// Robots on rigid ground with friction: the controller at a fixed rate, the ground by mbd_contact_step.
///
///   stance_load         a robot of config/robots in its standing pose, feet on the ground
///   stance_run          simulated time; a push on the base
///   stance_push         from now on
///   stance_pose         the base shifted, a foot lifted: joints by inverse kinematics
///   stance_move         a trajectory from where the reference is to a pose
///   stance_carry        supports from now on
///   stance_weight, stance_normal, stance_load_of   of the ground
#ifndef STANCE_RIG_H_
#define STANCE_RIG_H_

#include <stdio.h>

#include "control_rig.h"
#include "mbdyn/constraints/contact.h"
#include "mbdyn/ik.h"

enum { STANCE_POINTS = 8 };

typedef struct stance {
  rig_t rig;
  mbd_model_t * model;
  mbd_data_t * plant;
  double q[RIG_MAX], v[RIG_MAX], home[RIG_MAX];
  double t, dt;
  int period;     // steps of the plant in one of the controller
  double ground;  // friction coefficient
  int n;          // contacts
  mbd_contact_t contact[STANCE_POINTS];
  mbd_vec3_t local[STANCE_POINTS];  // in the frame; a ball's centre
  double radius;
  double * work;
  mbd_wrench_t push;  // on the base link
  double push_from, push_to;
  int missed;  // steps of the plant that did not converge
  uint64_t seed;
  bool noisy;
  int nfoot;
  mbd_support_t foot[4];
  trajectory_t * trajectory;
  double reference[RIG_MAX];  // where the last trajectory ends
  int limited;                // commands at a limit of a motor
} stance_t;

typedef struct stance_robot {
  const char * name;
  int nfoot;
  const char * foot[4];
  double x[2], y[2], radius;
  int njoint;
  const char * joint[12];
  double pose[12];
} stance_robot_t;

static const stance_robot_t QUADRUPED = {
  .name = "quadruped",
  .nfoot = 4,
  .foot = {"fl_foot", "fr_foot", "rl_foot", "rr_foot"},
  .radius = 0.02,
  .njoint = 8,
  .joint =
    {"fl_thigh_joint", "fr_thigh_joint", "rl_thigh_joint", "rr_thigh_joint", "fl_calf_joint",
     "fr_calf_joint", "rl_calf_joint", "rr_calf_joint"},
  .pose = {0.8, 0.8, 0.8, 0.8, -1.6, -1.6, -1.6, -1.6}};

static const stance_robot_t HUMANOID = {
  .name = "humanoid",
  .nfoot = 2,
  .foot = {"l_sole", "r_sole"},
  .x = {-0.0635, 0.1905},
  .y = {-0.045, 0.045},
  .njoint = 6,
  .joint = {"l_hip_pitch", "r_hip_pitch", "l_knee", "r_knee", "l_ankle_pitch", "r_ankle_pitch"},
  .pose = {-0.15, -0.15, 0.3, 0.3, -0.15, -0.15}};

static inline int
stance_dof(const mbd_model_t * model, const char * joint)
{
  int body;
  assert_ok(mbd_find_joint(model, joint, &body));
  return body;
}

// lowest point of all contacts
static inline double
stance_lowest(stance_t * s)
{
  double lowest = HUGE_VAL;
  assert_ok(mbd_set_position(s->model, s->plant, s->q));
  for (int i = 0; i < s->n; i++) {
    mbd_placement_t X;
    assert_ok(mbd_frame_placement(s->model, s->plant, s->contact[i].frame_b, &X));
    lowest = fmin(lowest, mbdu_placement_point(&X, s->local[i]).z - s->radius);
  }
  return lowest;
}

static inline void
stance_load(stance_t * s, const stance_robot_t * robot, double kp, double kd)
{
  memset(s, 0, sizeof *s);
  char path[300];
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  snprintf(path, sizeof path, "%s/config/robots/%s.urdf", MBDYN_SOURCE_DIR, robot->name);
  assert_ok(mbdx_urdf_load_file(path, &options, &s->model, NULL));
  rig_on(&s->rig, s->model);
  assert_ok(mbd_data_create(s->model, &s->plant));
  memcpy(s->q, s->rig.q, sizeof s->q);
  for (int i = 0; i < robot->njoint; i++) {
    s->q[s->model->body[stance_dof(s->model, robot->joint[i])].q_index] = robot->pose[i];
  }
  s->dt = 0.001;
  s->period = 1;
  s->ground = 0.8;
  s->radius = robot->radius;
  controller_settings_t * set = s->rig.s;
  set->mode = MODE_COMPUTED_TORQUE;
  for (int k = 0; k < s->model->nv; k++) set->kp[k] = kp, set->kd[k] = kd;
  set->nsupport = s->nfoot = robot->nfoot;
  s->seed = 1;
  for (int k = 0; k < robot->nfoot; k++) {
    mbd_support_t * p = &set->support[k];
    *p = mbd_support_default();
    assert_ok(mbd_find_frame(s->model, robot->foot[k], &p->frame));
    memcpy(p->x, robot->x, sizeof p->x);
    memcpy(p->y, robot->y, sizeof p->y);
    p->radius = robot->radius;
    p->friction = 0.6;
    for (int i = 0; i < mbd_support_points(p); i++, s->n++) {
      s->contact[s->n] = mbd_contact_default();
      s->contact[s->n].frame_b = p->frame;
      s->contact[s->n].friction = s->ground;
      s->local[s->n] = mbdu_vec3(p->x[i == 1 || i == 2], p->y[i > 1], 0);
    }
  }
  s->q[2] -= stance_lowest(s);
  memcpy(s->home, s->q, sizeof s->home);
  memcpy(s->reference, s->q, sizeof s->home);
  memcpy(s->foot, set->support, sizeof s->foot);
  s->work = calloc(mbd_contact_work(s->model, s->n), sizeof *s->work);
  s->rig.c->sample_time = 0.001;
  controller_apply(s->rig.c, set);
}

static inline void
stance_free(stance_t * s)
{
  free(s->work);
  rig_drop(s->trajectory);
  mbd_data_destroy(s->plant);
  rig_free(&s->rig);
  mbd_model_destroy(s->model);
}

// contacts of the plant at its state
static inline void
place_contacts(stance_t * s)
{
  assert_ok(mbd_set_position(s->model, s->plant, s->q));
  assert_ok(mbd_set_velocity(s->model, s->plant, s->v));
  for (int i = 0; i < s->n; i++) {
    mbd_contact_t * c = &s->contact[i];
    mbd_placement_t X;
    assert_ok(mbd_frame_placement(s->model, s->plant, c->frame_b, &X));
    c->frame_a = MBD_WORLD_BODY;
    c->normal = mbdu_vec3(0, 0, 1);
    c->point = mbdu_placement_point(&X, s->local[i]);
    c->point.z -= s->radius;
    c->gap = c->point.z;
  }
}

// one step of the plant under torques
static inline void
stance_step(stance_t * s, const double * tau)
{
  const bool pushed = s->t >= s->push_from && s->t < s->push_to;
  const mbd_wrenches_t wrenches = {pushed ? 1 : 0, &s->push};
  double v[RIG_MAX];
  place_contacts(s);
  const mbd_status_t status = mbd_contact_step(
    s->model, s->plant, tau, &wrenches, s->dt, s->n, s->contact, NULL, s->work, v, NULL, NULL,
    NULL);
  s->missed += status == MBD_ERROR_NOT_CONVERGED;
  if (status != MBD_ERROR_NOT_CONVERGED) assert_ok(status);
  memcpy(s->v, v, sizeof v);
  assert_ok(mbd_integrate(s->model, s->q, s->v, s->dt, s->q));
  s->t += s->dt;
}

static inline void
stance_run(stance_t * s, double seconds)
{
  const int cycles = (int)lround(seconds / (s->dt * s->period));
  for (int n = 0; n < cycles; n++) {
    rig_state(&s->rig, s->q, s->v);
    // encoders and tachometers, an inertial unit
    for (int k = 7; s->noisy && k < s->model->nq; k++)
      s->rig.q[k] += 1e-5 * random_signed(&s->seed);
    for (int k = 0; s->noisy && k < s->model->nv; k++)
      s->rig.v[k] += 2e-4 * random_signed(&s->seed);
    rig_step(&s->rig, s->t, s->t > 0 ? s->dt * s->period : 0, NULL);
    for (int k = 0; k < 6; k++) assert_true(s->rig.c->command[k] == 0);
    for (int k = 6; k < s->model->nv; k++) {
      const double limit = s->model->body[s->model->dof_body[k]].limits.effort;
      s->limited += fabs(s->rig.c->command[k]) > limit;
    }
    for (int k = 0; k < s->period; k++) stance_step(s, s->rig.c->command);
  }
}

static inline double
stance_weight(stance_t * s)
{
  double mass = 0;
  for (int i = 0; i < s->model->nbody; i++) mass += s->model->body[i].inertia.mass;
  return 9.81 * mass;
}

/// of the ground in the last step [N]
static inline double
stance_normal(const stance_t * s)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++) sum += s->contact[i].force.z / s->dt;
  return sum;
}

/// of a foot in the last step, about the origin of its frame, world axes
static inline mbd_force_t
stance_load_of(const stance_t * s, int foot)
{
  mbd_force_t sum = {{0, 0, 0}, {0, 0, 0}};
  mbd_placement_t X;
  assert_ok(mbd_frame_placement(s->model, s->plant, s->foot[foot].frame, &X));
  for (int i = 0; i < s->n; i++) {
    const mbd_contact_t * c = &s->contact[i];
    if (c->frame_b != s->foot[foot].frame) continue;
    const mbd_vec3_t f = mbdu_vec3_scale(1 / s->dt, c->force);
    sum.lin = mbdu_vec3_add(sum.lin, f);
    sum.ang = mbdu_vec3_add(sum.ang, mbdu_vec3_cross(mbdu_vec3_sub(c->point, X.p), f));
  }
  return sum;
}

/// From now on.
static inline void
stance_push(stance_t * s, mbd_vec3_t force, double seconds)
{
  s->push = (mbd_wrench_t){0, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, force}};
  s->push_from = s->t;
  s->push_to = s->t + seconds;
}

/// Joints for the base at home but for a shift and a pitch, the feet at home but for one that is lifted (-1: none).
static inline void
stance_pose(stance_t * s, mbd_vec3_t shift, double pitch, int lifted, double lift, double * q)
{
  mbd_ik_target_t target[5];
  mbd_ik_result_t result;
  mbd_placement_t X;
  mbd_data_t * data;
  assert_ok(mbd_data_create(s->model, &data));
  assert_ok(mbd_set_position(s->model, data, s->home));
  assert_ok(mbd_frame_placement(s->model, data, 0, &X));
  X.p = mbdu_vec3_add(X.p, shift);
  X.R = mbdu_quat_to_mat3(mbdu_quat_exp(mbdu_vec3(0, pitch, 0)));
  target[0] = mbdu_ik_pose(0, X);
  for (int k = 0; k < s->nfoot; k++) {
    assert_ok(mbd_frame_placement(s->model, data, s->foot[k].frame, &X));
    if (k == lifted) X.p.z += lift;
    target[k + 1] = mbd_support_points(&s->foot[k]) > 1 ? mbdu_ik_pose(s->foot[k].frame, X)
                                                        : mbdu_ik_position(s->foot[k].frame, X.p);
  }
  const mbd_ik_targets_t targets = {s->nfoot + 1, target};
  double * work = calloc(mbd_ik_work(s->model, &targets), sizeof *work);
  assert_ok(mbd_ik(s->model, data, &targets, NULL, s->home, work, q, &result));
  if (result.outcome != MBD_IK_SOLVED) {
    const int dof = result.limit;
    fail_msg(
      "pose out of reach by %g m, %g rad: %s", result.position, result.rotation,
      dof < 0 ? "" : s->model->body[s->model->dof_body[dof]].joint_name);
  }
  free(work);
  mbd_data_destroy(data);
}

static inline void
stance_move(stance_t * s, const double * q, double seconds)
{
  const char * name[RIG_MAX];
  double from[RIG_MAX], to[RIG_MAX];
  int n = 0;
  for (int i = 1; i < s->model->nbody; i++, n++) {
    name[n] = s->model->body[i].joint_name;
    from[n] = s->reference[s->model->body[i].q_index];
    to[n] = q[s->model->body[i].q_index];
  }
  trajectory_t * old = s->trajectory;
  s->trajectory = rig_trajectory(&s->rig, n, name, from, to, s->t, seconds);
  controller_follow(s->rig.c, s->trajectory);
  rig_drop(old);
  memcpy(s->reference, q, sizeof s->reference);
}

/// Without a foot (-1: with all of them).
static inline void
stance_carry(stance_t * s, int without)
{
  controller_settings_t * set = s->rig.s;
  set->nsupport = 0;
  for (int k = 0; k < s->nfoot; k++) {
    if (k != without) set->support[set->nsupport++] = s->foot[k];
  }
  controller_apply(s->rig.c, set);
}

#endif  // STANCE_RIG_H_
