#include "demo_talk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry_msgs/msg/pose_stamped.h"
#include "geometry_msgs/msg/twist_stamped.h"
#include "mbdyn/spatial.h"
#include "ros_service.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "trajectory_msgs/msg/joint_trajectory.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"

typedef trajectory_msgs__msg__JointTrajectory trajectory_t;
typedef trajectory_msgs__msg__JointTrajectoryPoint point_t;

//---------- set-up ----------

bool
demo_talk_open(demo_talk_t * talk, ros_session_t * session)
{
  static const char * const topic[DEMO_SPEECHES] = {
    "/mbdyn/joint_trajectory", "/mbdyn/target_pose", "/mbdyn/target_twist"};
  const rosidl_message_type_support_t * type[DEMO_SPEECHES] = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory),
    ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, PoseStamped),
    ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, TwistStamped)};
  *talk = (demo_talk_t){.session = session};
  for (int k = 0; k < DEMO_SPEECHES; k++) {
    talk->publisher[k] = rcl_get_zero_initialized_publisher();
    talk->open[k] = rclc_publisher_init_default(
                      &talk->publisher[k], &session->node, type[k], topic[k]) == RCL_RET_OK;
    if (!talk->open[k]) return ros_complain(session->args, "cannot publish"), false;
  }
  return true;
}

void
demo_talk_close(demo_talk_t * talk)
{
  for (int k = 0; k < DEMO_SPEECHES; k++) {
    if (talk->open[k]) ros_ignore(rcl_publisher_fini(&talk->publisher[k], &talk->session->node));
    talk->open[k] = false;
  }
}

bool
demo_talk_ready(demo_talk_t * talk)
{
  for (int k = 0; k < DEMO_SPEECHES; k++) {
    size_t count = 0;
    ros_ignore(rcl_publisher_get_subscription_count(&talk->publisher[k], &count));
    if (count == 0) return false;
  }
  return true;
}

static bool
publish(demo_talk_t * talk, demo_speech_t what, const void * message)
{
  if (rcl_publish(&talk->publisher[what], message, NULL) == RCL_RET_OK) return true;
  ros_complain(talk->session->args, "cannot publish");
  return false;
}

static builtin_interfaces__msg__Time
to_stamp(int64_t time)
{
  return (builtin_interfaces__msg__Time){
    (int32_t)(time / 1000000000), (uint32_t)(time % 1000000000)};
}

//---------- services ----------

// whether the answer says yes; a message if it does not
static bool
agreed(demo_talk_t * talk, const json_t * answer, const char * yes, const char * why)
{
  if (!answer) return false;
  if (json_is_true(json_object_get(answer, yes))) return true;
  const char * reason = json_string_value(json_object_get(answer, why));
  fprintf(
    stderr, "mbdyn %s: refused: %s\n", talk->session->args->command, reason ? reason : "no reason");
  return false;
}

// parameters of the node, all or none; the request is taken over
static bool
set_parameters(demo_talk_t * talk, json_t * request)
{
  int code;
  json_t * answer = ros_call_json(
    talk->session, "/mbdyn/set_parameters_atomically", "rcl_interfaces/srv/SetParametersAtomically",
    request, &code);
  const bool good =
    answer && agreed(talk, json_object_get(answer, "result"), "successful", "reason");
  json_decref(answer);
  return good;
}

bool
demo_talk_mode(demo_talk_t * talk, const char * mode)
{
  enum { STRING = 4, STRING_ARRAY = 9 };
  // an arm that floats keeps its friction: it then comes to rest
  const bool floats = strcmp(mode, "gravity_compensation") == 0;
  json_t * terms = floats ? json_pack("[s]", "gravity")
                          : json_pack("[s, s, s, s]", "gravity", "coriolis", "inertia", "friction");
  return set_parameters(
    talk, json_pack(
            "{s: [{s: s, s: {s: i, s: s}}, {s: s, s: {s: i, s: o}}]}", "parameters", "name", "mode",
            "value", "type", STRING, "string_value", mode, "name", "command_terms", "value", "type",
            STRING_ARRAY, "string_array_value", terms));
}

bool
demo_talk_supports(demo_talk_t * talk, const demo_stand_t * stand, int without)
{
  enum { DOUBLE_ARRAY = 8, STRING_ARRAY = 9 };
  json_t *names = json_array(), *soles = json_array(), *radius = json_array();
  for (int k = 0; k < stand->n; k++) {
    if (k == without) continue;
    json_array_append_new(names, json_string(stand->foot[k].name));
    json_array_append_new(radius, json_real(stand->foot[k].radius));
    for (int i = 0; i < 4; i++) json_array_append_new(soles, json_real(stand->foot[k].sole[i]));
  }
  return set_parameters(
    talk,
    json_pack(
      "{s: [{s: s, s: {s: i, s: o}}, {s: s, s: {s: i, s: o}}, {s: s, s: {s: i, s: o}}]}",
      "parameters", "name", "support_frames", "value", "type", STRING_ARRAY, "string_array_value",
      names, "name", "support_soles", "value", "type", DOUBLE_ARRAY, "double_array_value", soles,
      "name", "support_radius", "value", "type", DOUBLE_ARRAY, "double_array_value", radius));
}

bool
demo_talk_push(demo_talk_t * talk, const char * frame, mbd_vec3_t force, double seconds)
{
  enum { LOCAL_WORLD_ALIGNED = 2 };
  json_t * request = json_pack(
    "{s: s, s: {s: {s: f, s: f, s: f}}, s: i, s: f}", "frame", frame, "wrench", "force", "x",
    force.x, "y", force.y, "z", force.z, "reference", LOCAL_WORLD_ALIGNED, "duration", seconds);
  int code;
  json_t * answer =
    ros_call_json(talk->session, "/robot/push", "mbdyn/srv/ApplyWrench", request, &code);
  const bool good = agreed(talk, answer, "success", "message");
  json_decref(answer);
  return good;
}

//---------- trajectory ----------

static bool
fill_point(point_t * point, const demo_motion_t * motion, double t)
{
  const size_t n = (size_t)motion->n;
  const double whole = floor(t + 1e-9);
  point->time_from_start.sec = (int32_t)whole;
  point->time_from_start.nanosec = (uint32_t)lround(1e9 * fmax(t - whole, 0));
  if (
    !rosidl_runtime_c__double__Sequence__init(&point->positions, n) ||
    !rosidl_runtime_c__double__Sequence__init(&point->velocities, n) ||
    !rosidl_runtime_c__double__Sequence__init(&point->accelerations, n)) {
    return false;
  }
  demo_motion_at(
    motion, t, point->positions.data, point->velocities.data, point->accelerations.data);
  return true;
}

static bool
fill_trajectory(
  trajectory_t * m, const demo_robot_t * robot, const demo_motion_t * motion, int64_t start)
{
  const size_t steps = (size_t)lround(demo_motion_duration(motion) / DEMO_STEP);
  m->header.stamp = to_stamp(start);
  bool good = rosidl_runtime_c__String__Sequence__init(&m->joint_names, (size_t)robot->n) &&
              trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&m->points, steps + 1);
  for (int i = 0; good && i < robot->n; i++) {
    good = rosidl_runtime_c__String__assign(&m->joint_names.data[i], robot->joint[i].name);
  }
  for (size_t k = 0; good && k <= steps; k++) {
    good = fill_point(&m->points.data[k], motion, (double)k * DEMO_STEP);
  }
  return good;
}

bool
demo_talk_trajectory(
  demo_talk_t * talk, const demo_robot_t * robot, const demo_motion_t * motion, int64_t start)
{
  trajectory_t * message = trajectory_msgs__msg__JointTrajectory__create();
  const bool filled = message && fill_trajectory(message, robot, motion, start);
  const bool good = filled && publish(talk, SAY_TRAJECTORY, message);
  if (!filled) ros_complain(talk->session->args, "out of memory");
  if (message) trajectory_msgs__msg__JointTrajectory__destroy(message);
  return good;
}

//---------- target ----------

bool
demo_talk_target(
  demo_talk_t * talk, int64_t stamp, const mbd_placement_t * pose, mbd_vec3_t velocity)
{
  const mbd_quat_t q = mbdu_quat_from_mat3(&pose->R);
  // init leaves numbers as they are
  geometry_msgs__msg__PoseStamped p = {0};
  geometry_msgs__msg__TwistStamped v = {0};
  if (!geometry_msgs__msg__PoseStamped__init(&p)) return false;
  if (!geometry_msgs__msg__TwistStamped__init(&v)) return false;
  p.header.stamp = v.header.stamp = to_stamp(stamp);
  p.pose.position = (geometry_msgs__msg__Point){pose->p.x, pose->p.y, pose->p.z};
  p.pose.orientation = (geometry_msgs__msg__Quaternion){q.x, q.y, q.z, q.w};
  v.twist.linear = (geometry_msgs__msg__Vector3){velocity.x, velocity.y, velocity.z};
  v.twist.angular = (geometry_msgs__msg__Vector3){0, 0, 0};
  const bool good = publish(talk, SAY_POSE, &p) && publish(talk, SAY_TWIST, &v);
  geometry_msgs__msg__PoseStamped__fini(&p);
  geometry_msgs__msg__TwistStamped__fini(&v);
  return good;
}
