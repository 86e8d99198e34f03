#include "kinematics_request.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "mbdyn/srv/inverse_kinematics.h"
#include "mbdyn/srv/self_motion.h"

#define SAME(name)                                         \
  _Static_assert(                                          \
    (int)mbdyn__srv__InverseKinematics_Response__##name == \
      (int)mbdyn__srv__SelfMotion_Response__##name,        \
    "the services have the same numbers")
SAME(SOLVED);
SAME(UNREACHABLE);
SAME(AT_LIMIT);
SAME(TIMEOUT);
SAME(REJECTED);

bool
kinematics_refuse(kinematics_reason_t reason, const char * format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(reason.text, reason.size, format, list);
  va_end(list);
  return false;
}

// linear first in messages, angular first in the core
bool
kinematics_axes(
  const rosidl_runtime_c__String__Sequence * names, bool axis[6], kinematics_reason_t reason)
{
  static const char * const AXES[6] = {"linear_x",  "linear_y",  "linear_z",
                                       "angular_x", "angular_y", "angular_z"};
  for (int k = 0; k < 6; k++) axis[k] = names->size == 0;
  for (size_t i = 0; i < names->size; i++) {
    int k = 0;
    while (k < 6 && strcmp(names->data[i].data, AXES[k]) != 0) k++;
    if (k == 6) {
      return kinematics_refuse(
        reason,
        "axes: '%s' is none of linear_x, linear_y, linear_z, angular_x, angular_y, angular_z",
        names->data[i].data);
    }
    axis[(k + 3) % 6] = true;
  }
  return true;
}

bool
kinematics_frame(mbdyn_node_t * node, const char * name, int * frame, kinematics_reason_t reason)
{
  const mbd_model_t * model = node->loaded->model;
  if (*name == 0) name = param_string(node_values(node), P_OPERATIONAL_FRAME);
  *frame = node_robot_tip(model);
  if (*name == 0) return true;
  if (mbd_find_frame(model, name, frame) == MBD_OK) return true;
  return kinematics_refuse(reason, "the robot has no link or frame '%s'", name);
}

bool
kinematics_pose(
  const geometry_msgs__msg__Pose * pose, const char * what, mbd_placement_t * X,
  kinematics_reason_t reason)
{
  const mbd_quat_t q = {
    pose->orientation.x, pose->orientation.y, pose->orientation.z, pose->orientation.w};
  const double x[7] = {pose->position.x, pose->position.y, pose->position.z, q.x, q.y, q.z, q.w};
  for (int k = 0; k < 7; k++) {
    if (!(fabs(x[k]) <= 1e9))
      return kinematics_refuse(reason, "%s: a value is not finite or too large", what);
  }
  // written by hand with a few digits, it is still meant as a rotation
  const double norm = mbdu_quat_norm(q);
  if (!(fabs(norm - 1) <= 0.01)) {
    return kinematics_refuse(
      reason, "%s: the norm of the orientation is %.3g; give a unit quaternion x y z w", what,
      norm);
  }
  X->R = mbdu_quat_to_mat3(mbdu_quat_normalize(q));
  X->p = mbdu_vec3(x[0], x[1], x[2]);
  return true;
}

void
fill_pose(const mbd_placement_t * X, geometry_msgs__msg__Pose * pose)
{
  const mbd_quat_t q = mbdu_quat_from_mat3(&X->R);
  pose->position = (geometry_msgs__msg__Point){X->p.x, X->p.y, X->p.z};
  pose->orientation = (geometry_msgs__msg__Quaternion){q.x, q.y, q.z, q.w};
}

uint8_t
kinematics_failure(const ik_search_t * s, const char * joint, char * text, size_t size)
{
  const mbd_ik_result_t * r = &s->result;
  const bool late = s->timed_out || r->outcome == MBD_IK_ITERATIONS;
  char limit[REASON_MAX / 2] = "";
  if (joint) snprintf(limit, sizeof limit, "; '%s' is at its limit", joint);
  snprintf(
    text, size,
    "%s: the nearest pose found is %.3g m and %.3g rad away%s. Take the pose in reached, relax "
    "axes, or %s",
    late ? "no solution within the time" : "the pose is out of reach", r->position, r->rotation,
    limit, late ? "raise timeout" : "try another seed");
  if (late) return mbdyn__srv__InverseKinematics_Response__TIMEOUT;
  return r->outcome == MBD_IK_AT_LIMIT ? mbdyn__srv__InverseKinematics_Response__AT_LIMIT
                                       : mbdyn__srv__InverseKinematics_Response__UNREACHABLE;
}
