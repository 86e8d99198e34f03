#include "targets.h"

#include <math.h>

#include "mbdyn/kinematics.h"
#include "mbdyn/spatial.h"

// No target means a number beyond this, whatever its unit.
static const double LARGEST_TARGET = 1e6;
// Ten times the earth's [m/s^2]: the range of the parameter.
static const double LARGEST_GRAVITY = 100;

int
target_numbers(target_kind_t kind)
{
  return kind == TARGET_POSE ? 7 : kind == TARGET_GRAVITY ? 3 : 6;
}

static mbd_vec3_t
vec(const double * x)
{
  return mbdu_vec3(x[0], x[1], x[2]);
}

static mbd_quat_t
turn(const double * x)
{
  return (mbd_quat_t){x[3], x[4], x[5], x[6]};
}

bool
target_sane(target_kind_t kind, const double * x)
{
  for (int i = 0; i < target_numbers(kind); i++) {
    if (!(fabs(x[i]) <= LARGEST_TARGET)) return false;
  }
  if (kind == TARGET_POSE) return mbdu_quat_norm(turn(x)) > 1e-6;
  return kind != TARGET_GRAVITY || mbdu_vec3_norm(vec(x)) <= LARGEST_GRAVITY;
}

static void
take_pose(controller_targets_t * t, const mbd_placement_t * X, const double * x)
{
  const mbd_placement_t pose = {.R = mbdu_quat_to_mat3(mbdu_quat_normalize(turn(x))), .p = vec(x)};
  t->pose = mbdu_placement_mul(X, &pose);
  t->pose_known = true;
}

static void
take_twist(controller_targets_t * t, const mbd_mat3_t * R, const double * x, int64_t arrival)
{
  t->twist.lin = mbdu_mat3_vec(R, vec(x));
  t->twist.ang = mbdu_mat3_vec(R, vec(x + 3));
  t->twist_time = arrival;
  t->twist_known = true;
}

static void
take_wrench(controller_targets_t * t, const mbd_mat3_t * R, const double * x, int64_t arrival)
{
  t->wrench.lin = mbdu_mat3_vec(R, vec(x));
  t->wrench.ang = mbdu_mat3_vec(R, vec(x + 3));
  t->wrench_time = arrival;
  t->wrench_known = true;
}

static void
take_gravity(controller_targets_t * t, const mbd_mat3_t * R, const double * x, int64_t arrival)
{
  t->gravity = mbdu_mat3_vec(R, vec(x));
  t->gravity_time = arrival;
  t->gravity_known = true;
}

static bool
take_on_frame(controller_targets_t * t, int frame, const double * x, int64_t arrival)
{
  enum { MOST = sizeof t->external / sizeof t->external[0] };
  int at = 0;
  while (at < t->nexternal && t->external[at].frame != frame) at++;
  if (frame < 0 || at == MOST) return false;
  t->external[at].frame = frame;
  t->external[at].reference = MBD_LOCAL;
  t->external[at].f.lin = vec(x);
  t->external[at].f.ang = vec(x + 3);
  t->external_time[at] = arrival;
  if (at == t->nexternal) t->nexternal++;
  return true;
}

bool
target_take(
  controller_t * controller, target_kind_t kind, int frame, const double * x, int64_t arrival)
{
  controller_targets_t * t = &controller->targets;
  mbd_placement_t X = mbdu_placement_identity();
  if (!target_sane(kind, x)) return false;
  if (frame >= 0 && mbd_frame_placement(controller->model, controller->data, frame, &X) != MBD_OK) {
    return false;
  }
  switch (kind) {
    case TARGET_POSE: take_pose(t, &X, x); return true;
    case TARGET_TWIST: take_twist(t, &X.R, x, arrival); return true;
    case TARGET_WRENCH: take_wrench(t, &X.R, x, arrival); return true;
    case TARGET_GRAVITY: take_gravity(t, &X.R, x, arrival); return true;
    default: return take_on_frame(t, frame, x, arrival);
  }
}
