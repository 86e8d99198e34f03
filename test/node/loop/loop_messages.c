// Messages and requests, built and sent.
#include "loop_messages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "control_msgs/msg/joint_trajectory_controller_state.h"
#include "geometry_msgs/msg/pose_stamped.h"
#include "geometry_msgs/msg/twist_stamped.h"
#include "geometry_msgs/msg/vector3_stamped.h"
#include "mbdyn/srv/apply_wrench.h"
#include "mbdyn/srv/clear_payload.h"
#include "mbdyn/srv/set_payload.h"
#include "rcl_interfaces/msg/parameter.h"
#include "rcl_interfaces/msg/parameter_type.h"
#include "rcl_interfaces/srv/set_parameters_atomically.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "trajectory_msgs/msg/joint_trajectory.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"

#define SERVICE(package, name) ROSIDL_GET_SRV_TYPE_SUPPORT(package, srv, name)

static builtin_interfaces__msg__Time
time_of(int64_t nanoseconds)
{
  return (builtin_interfaces__msg__Time){
    (int32_t)(nanoseconds / 1000000000), (uint32_t)(nanoseconds % 1000000000)};
}

static void
assign(rosidl_runtime_c__String * to, const char * text)
{
  assert_true(rosidl_runtime_c__String__assign(to, text));
}

static geometry_msgs__msg__Vector3
vector_of(mbd_vec3_t x)
{
  return (geometry_msgs__msg__Vector3){x.x, x.y, x.z};
}

//---------- joint references ----------

// last joint first, so that names count
static void
fill_names(rosidl_runtime_c__String__Sequence * names)
{
  assert_true(rosidl_runtime_c__String__Sequence__init(names, PEER_JOINTS));
  for (size_t i = 0; i < PEER_JOINTS; i++) {
    char name[16];
    snprintf(name, sizeof name, "joint%zu", PEER_JOINTS - i);
    assign(&names->data[i], name);
  }
}

static void
fill_reversed(rosidl_runtime_c__double__Sequence * to, const double * x)
{
  assert_true(rosidl_runtime_c__double__Sequence__init(to, PEER_JOINTS));
  for (size_t i = 0; i < PEER_JOINTS; i++) to->data[i] = x[PEER_JOINTS - 1 - i];
}

static void
fill_point(trajectory_msgs__msg__JointTrajectoryPoint * point, motion_t motion, double t)
{
  double q[PEER_JOINTS], v[PEER_JOINTS], a[PEER_JOINTS];
  motion(t, q, v, a);
  fill_reversed(&point->positions, q);
  fill_reversed(&point->velocities, v);
  fill_reversed(&point->accelerations, a);
  point->time_from_start.sec = (int32_t)floor(t);
  point->time_from_start.nanosec = (uint32_t)lround(1e9 * (t - floor(t)));
}

void
send_trajectory(
  rig_t * rig, rcl_publisher_t * publisher, motion_t motion, int64_t start, double duration,
  size_t npoint)
{
  trajectory_msgs__msg__JointTrajectory m;
  assert_true(trajectory_msgs__msg__JointTrajectory__init(&m));
  m.header.stamp = time_of(start);
  fill_names(&m.joint_names);
  assert_true(trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&m.points, npoint));
  for (size_t i = 0; i < npoint; i++) {
    fill_point(&m.points.data[i], motion, duration * (double)i / (double)(npoint - 1));
  }
  // what is sent before the node has found our publisher is lost; twice is the same as once
  peer_forget_log(&rig->peer);
  peer_wait_matched(&rig->peer, publisher);
  for (int tries = 0; tries < 20 && !strstr(rig->peer.log_text, "trajectory of"); tries++) {
    OK(rcl_publish(publisher, &m, NULL));
    const int64_t end = now_ns() + 100000000;
    while (now_ns() < end && !strstr(rig->peer.log_text, "trajectory of")) peer_spin(&rig->peer, 5);
  }
  peer_logged(&rig->peer, "INFO trajectory of");
  trajectory_msgs__msg__JointTrajectory__fini(&m);
}

void
send_controller_state(rcl_publisher_t * publisher, motion_t motion, int64_t stamp, double t)
{
  control_msgs__msg__JointTrajectoryControllerState m;
  assert_true(control_msgs__msg__JointTrajectoryControllerState__init(&m));
  m.header.stamp = time_of(stamp);
  fill_names(&m.joint_names);
  fill_point(&m.reference, motion, t);
  OK(rcl_publish(publisher, &m, NULL));
  control_msgs__msg__JointTrajectoryControllerState__fini(&m);
}

//---------- targets ----------

void
send_pose(rcl_publisher_t * publisher, const char * frame_id, const mbd_placement_t * X)
{
  const mbd_quat_t q = mbdu_quat_from_mat3(&X->R);
  geometry_msgs__msg__PoseStamped m;
  assert_true(geometry_msgs__msg__PoseStamped__init(&m));
  m.header.stamp = time_of(peer_clock());
  assign(&m.header.frame_id, frame_id);
  m.pose.position = (geometry_msgs__msg__Point){X->p.x, X->p.y, X->p.z};
  m.pose.orientation = (geometry_msgs__msg__Quaternion){q.x, q.y, q.z, q.w};
  OK(rcl_publish(publisher, &m, NULL));
  geometry_msgs__msg__PoseStamped__fini(&m);
}

void
send_twist(rcl_publisher_t * publisher, const char * frame_id, mbd_motion_t V)
{
  geometry_msgs__msg__TwistStamped m;
  assert_true(geometry_msgs__msg__TwistStamped__init(&m));
  m.header.stamp = time_of(peer_clock());
  assign(&m.header.frame_id, frame_id);
  m.twist.linear = vector_of(V.lin);
  m.twist.angular = vector_of(V.ang);
  OK(rcl_publish(publisher, &m, NULL));
  geometry_msgs__msg__TwistStamped__fini(&m);
}

void
send_vector(rcl_publisher_t * publisher, const char * frame_id, mbd_vec3_t x)
{
  geometry_msgs__msg__Vector3Stamped m;
  assert_true(geometry_msgs__msg__Vector3Stamped__init(&m));
  m.header.stamp = time_of(peer_clock());
  assign(&m.header.frame_id, frame_id);
  m.vector = vector_of(x);
  OK(rcl_publish(publisher, &m, NULL));
  geometry_msgs__msg__Vector3Stamped__fini(&m);
}

//---------- the simulated robot ----------

void
call_push(rig_t * rig, const char * robot, const char * frame, mbd_force_t f, double duration)
{
  char name[64];
  mbdyn__srv__ApplyWrench_Request request;
  mbdyn__srv__ApplyWrench_Response response;
  snprintf(name, sizeof name, "%s/push", robot);
  assert_true(mbdyn__srv__ApplyWrench_Request__init(&request));
  assert_true(mbdyn__srv__ApplyWrench_Response__init(&response));
  assign(&request.frame, frame);
  request.wrench.force = vector_of(f.lin);
  request.wrench.torque = vector_of(f.ang);
  request.reference = mbdyn__srv__ApplyWrench_Request__LOCAL_WORLD_ALIGNED;
  request.duration = duration;
  peer_call(&rig->peer, SERVICE(mbdyn, ApplyWrench), name, &request, &response);
  if (!response.success) fail_msg("push: %s", response.message.data);
  mbdyn__srv__ApplyWrench_Request__fini(&request);
  mbdyn__srv__ApplyWrench_Response__fini(&response);
}

static rcl_interfaces__msg__ParameterValue *
parameter(rcl_interfaces__msg__Parameter * p, const char * name, uint8_t type)
{
  assign(&p->name, name);
  p->value.type = type;
  return &p->value;
}

static void
fill_numbers(rosidl_runtime_c__double__Sequence * to, size_t n, const double * x)
{
  assert_true(rosidl_runtime_c__double__Sequence__init(to, n));
  memcpy(to->data, x, n * sizeof *x);
}

void
set_sim_payload(rig_t * rig, const load_t * load)
{
  const load_t none = {"", 0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  const load_t * l = load != NULL ? load : &none;
  const double com[3] = {l->com.x, l->com.y, l->com.z};
  const double I[6] = {l->inertia.xx, l->inertia.xy, l->inertia.xz,
                       l->inertia.yy, l->inertia.yz, l->inertia.zz};
  rcl_interfaces__srv__SetParametersAtomically_Request request;
  rcl_interfaces__srv__SetParametersAtomically_Response response;
  assert_true(rcl_interfaces__srv__SetParametersAtomically_Request__init(&request));
  assert_true(rcl_interfaces__srv__SetParametersAtomically_Response__init(&response));
  assert_true(rcl_interfaces__msg__Parameter__Sequence__init(&request.parameters, 4));
  rcl_interfaces__msg__Parameter * p = request.parameters.data;
  assign(&parameter(&p[0], "payload.frame", 4)->string_value, l->frame);
  parameter(&p[1], "payload.mass", 3)->double_value = l->mass;
  fill_numbers(&parameter(&p[2], "payload.com", 8)->double_array_value, 3, com);
  fill_numbers(&parameter(&p[3], "payload.inertia", 8)->double_array_value, 6, I);
  peer_call(
    &rig->peer, SERVICE(rcl_interfaces, SetParametersAtomically),
    "/robot/set_parameters_atomically", &request, &response);
  if (!response.result.successful) fail_msg("payload: %s", response.result.reason.data);
  rcl_interfaces__srv__SetParametersAtomically_Request__fini(&request);
  rcl_interfaces__srv__SetParametersAtomically_Response__fini(&response);
}

//---------- the node ----------

double
call_set_payload(rig_t * rig, const load_t * load)
{
  mbdyn__srv__SetPayload_Request request;
  mbdyn__srv__SetPayload_Response response;
  assert_true(mbdyn__srv__SetPayload_Request__init(&request));
  assert_true(mbdyn__srv__SetPayload_Response__init(&response));
  assign(&request.frame, load->frame);
  request.inertia.m = load->mass;
  request.inertia.com = vector_of(load->com);
  request.inertia.ixx = load->inertia.xx;
  request.inertia.ixy = load->inertia.xy;
  request.inertia.ixz = load->inertia.xz;
  request.inertia.iyy = load->inertia.yy;
  request.inertia.iyz = load->inertia.yz;
  request.inertia.izz = load->inertia.zz;
  peer_call(&rig->peer, SERVICE(mbdyn, SetPayload), "/mbdyn/set_payload", &request, &response);
  if (!response.success) fail_msg("set_payload: %s", response.message.data);
  const double mass = response.mass;
  mbdyn__srv__SetPayload_Request__fini(&request);
  mbdyn__srv__SetPayload_Response__fini(&response);
  return mass;
}

double
call_clear_payload(rig_t * rig)
{
  mbdyn__srv__ClearPayload_Request request;
  mbdyn__srv__ClearPayload_Response response;
  assert_true(mbdyn__srv__ClearPayload_Request__init(&request));
  assert_true(mbdyn__srv__ClearPayload_Response__init(&response));
  peer_call(&rig->peer, SERVICE(mbdyn, ClearPayload), "/mbdyn/clear_payload", &request, &response);
  if (!response.success) fail_msg("clear_payload: %s", response.message.data);
  const double mass = response.mass;
  mbdyn__srv__ClearPayload_Request__fini(&request);
  mbdyn__srv__ClearPayload_Response__fini(&response);
  return mass;
}
