// Subscriptions of the control thread in a wait set of their own.
#include "inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef MBDYN_CONTROL_MSGS
#include "control_msgs/msg/joint_trajectory_controller_state.h"
#endif
#include "geometry_msgs/msg/pose_stamped.h"
#include "geometry_msgs/msg/twist_stamped.h"
#include "geometry_msgs/msg/vector3_stamped.h"
#include "geometry_msgs/msg/wrench_stamped.h"
#include "messages_in.h"
#include "nav_msgs/msg/odometry.h"
#include "rclc/rclc.h"
#include "rmw/qos_profiles.h"
#include "sensor_msgs/msg/joint_state.h"
#include "serialized.h"
#include "stream.h"
#include "targets.h"

enum {
  LONGEST_MESSAGE = 256 * 1024,  // of joint states with WIRE_MAX_NAMES names of sixty characters
  LONGEST_NAME = 256,
  // messages of one topic in one spin: a flood must not keep the thread from computing
  DRAIN = 32
};

struct inputs {
  const node_robot_t * robot;
  rcl_guard_condition_t * wake;
  rcl_subscription_t subscription[INPUT_COUNT];
  bool open[INPUT_COUNT];
  bool ready[INPUT_COUNT];
  rcl_wait_set_t waits;
  bool waits_open;
  serialized_t bytes;
  uint64_t refused;
  stream_t stream;
};

static const char * const TOPIC[INPUT_COUNT] = {
  [INPUT_JOINT_STATES] = "joint_states",
  [INPUT_ODOM] = "odom",
  [INPUT_TARGET_POSE] = "~/target_pose",
  [INPUT_TARGET_TWIST] = "~/target_twist",
  [INPUT_TARGET_WRENCH] = "~/target_wrench",
  [INPUT_GRAVITY] = "~/gravity",
  [INPUT_WRENCH] = "~/wrench",
  [INPUT_CONTROLLER_STATE] = "~/controller_state"};

const char *
inputs_topic(node_input_t input)
{
  return TOPIC[input];
}

//---------- making them ----------

static const rosidl_message_type_support_t *
type_of(node_input_t input)
{
  switch (input) {
    case INPUT_JOINT_STATES: return ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState);
    case INPUT_ODOM: return ROSIDL_GET_MSG_TYPE_SUPPORT(nav_msgs, msg, Odometry);
    case INPUT_TARGET_POSE: return ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, PoseStamped);
    case INPUT_TARGET_TWIST: return ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, TwistStamped);
    case INPUT_TARGET_WRENCH:
    case INPUT_WRENCH: return ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, WrenchStamped);
    case INPUT_GRAVITY: return ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, Vector3Stamped);
    case INPUT_CONTROLLER_STATE:
#ifdef MBDYN_CONTROL_MSGS
      return ROSIDL_GET_MSG_TYPE_SUPPORT(control_msgs, msg, JointTrajectoryControllerState);
#endif
    default: return NULL;
  }
}

static bool
subscribe(inputs_t * in, rcl_node_t * node, node_input_t input, bool reliable)
{
  // best effort matches every publisher; some depth, since joints may come from several
  rmw_qos_profile_t qos = rmw_qos_profile_sensor_data;
  qos.depth = input == INPUT_JOINT_STATES ? 10 : 1;
  if (reliable) qos.reliability = RMW_QOS_POLICY_RELIABILITY_RELIABLE;
  in->subscription[input] = rcl_get_zero_initialized_subscription();
  in->open[input] =
    rclc_subscription_init(&in->subscription[input], node, type_of(input), TOPIC[input], &qos) ==
    RCL_RET_OK;
  return in->open[input];
}

static bool
create_subscriptions(inputs_t * in, rcl_node_t * node, bool floating, bool reliable)
{
  for (int k = 0; k < INPUT_COUNT; k++) {
    if (!type_of((node_input_t)k) || (k == INPUT_ODOM && !floating)) continue;
    if (!subscribe(in, node, (node_input_t)k, k == INPUT_JOINT_STATES && reliable)) return false;
  }
  in->waits = rcl_get_zero_initialized_wait_set();
  in->waits_open = rcl_wait_set_init(
                     &in->waits, INPUT_COUNT, 1, 0, 0, 0, 0, node->context,
                     rcl_get_default_allocator()) == RCL_RET_OK;
  return in->waits_open && serialized_init(&in->bytes, LONGEST_MESSAGE);
}

inputs_t *
inputs_create(
  rcl_node_t * node, const node_robot_t * robot, rcl_guard_condition_t * wake, bool floating,
  bool reliable, char * reason, size_t size)
{
  inputs_t * inputs = calloc(1, sizeof *inputs);
  if (!inputs) return NULL;
  inputs->robot = robot;
  inputs->wake = wake;
  if (
    stream_init(&inputs->stream, robot->model) &&
    create_subscriptions(inputs, node, floating, reliable))
    return inputs;
  snprintf(
    reason, size, "subscriptions: %s",
    rcl_error_is_set() ? rcl_get_error_string().str : "out of memory");
  rcl_reset_error();
  inputs_destroy(inputs, node);
  return NULL;
}

void
inputs_destroy(inputs_t * inputs, rcl_node_t * node)
{
  if (!inputs) return;
  if (inputs->waits_open && rcl_wait_set_fini(&inputs->waits) != RCL_RET_OK) rcl_reset_error();
  for (int k = 0; k < INPUT_COUNT; k++) {
    if (!inputs->open[k]) continue;
    if (rcl_subscription_fini(&inputs->subscription[k], node) != RCL_RET_OK) rcl_reset_error();
  }
  serialized_fini(&inputs->bytes);
  stream_fini(&inputs->stream);
  free(inputs);
}

inputs_counts_t
inputs_refused(const inputs_t * inputs)
{
  const stream_t * stream = &inputs->stream;
  return (inputs_counts_t){
    inputs->refused + inputs->bytes.refused, stream->beyond_limits, stream->steps, stream->joint};
}

//---------- waiting ----------

bool
inputs_wait(inputs_t * in, int64_t nanoseconds)
{
  size_t index[INPUT_COUNT] = {0};
  // what is waited for has to be said anew every time
  bool ok = rcl_wait_set_clear(&in->waits) == RCL_RET_OK &&
            rcl_wait_set_add_guard_condition(&in->waits, in->wake, NULL) == RCL_RET_OK;
  for (int k = 0; ok && k < INPUT_COUNT; k++) {
    if (!in->open[k]) continue;
    ok = rcl_wait_set_add_subscription(&in->waits, &in->subscription[k], &index[k]) == RCL_RET_OK;
  }
  const rcl_ret_t ret = ok ? rcl_wait(&in->waits, nanoseconds) : RCL_RET_ERROR;
  for (int k = 0; k < INPUT_COUNT; k++) {
    in->ready[k] = ret == RCL_RET_OK && in->open[k] && in->waits.subscriptions[index[k]];
  }
  if (ret == RCL_RET_OK || ret == RCL_RET_TIMEOUT) return true;
  rcl_reset_error();
  return false;
}

//---------- what messages do ----------

// frame of the robot whose axes a message has; -1: the world
static bool
find_frame(const inputs_t * in, wire_text_t name, int * frame)
{
  char text[LONGEST_NAME];
  *frame = -1;
  if (name.size == 0 || wire_text_is(name, in->robot->world_frame)) return true;
  if (name.size >= sizeof text) return false;
  memcpy(text, name.data, name.size);
  text[name.size] = 0;
  return mbd_find_frame(in->robot->model, text, frame) == MBD_OK;
}

static bool
take_target(inputs_t * in, controller_t * c, target_kind_t kind, const wire_stamped_t * m)
{
  int frame;
  return find_frame(in, m->frame_id, &frame) && target_take(c, kind, frame, m->x, steady_now());
}

static int
find_joint(const mbd_model_t * model, wire_text_t name)
{
  for (int i = 0; i < model->nbody; i++) {
    if (model->body[i].nv == 1 && wire_text_is(name, model->body[i].joint_name)) return i;
  }
  return -1;
}

static double
element(const wire_numbers_t * numbers, uint32_t i)
{
  return i < numbers->n ? wire_number(numbers, i) : 0;
}

// The reference of a joint trajectory controller; joints that it does not have stay where they are.
static bool
take_reference(inputs_t * in, controller_t * c, const wire_reference_t * m)
{
  size_t at = 0;
  if (m->position.n != m->names.n || !stream_begin(&in->stream, c)) return false;
  for (uint32_t i = 0; i < m->names.n; i++) {
    const double x[3] = {
      element(&m->position, i), element(&m->velocity, i), element(&m->acceleration, i)};
    const int body = find_joint(c->model, wire_next_name(&m->names, &at));
    if (body >= 0 && !stream_joint(&in->stream, c, body, x)) return false;
  }
  stream_commit(&in->stream, c, steady_now());
  return true;
}

static bool
take_other(inputs_t * in, node_input_t input, controller_t * c)
{
  const uint8_t * data = in->bytes.message.buffer;
  const size_t n = in->bytes.message.buffer_length;
  wire_stamped_t m;
  wire_reference_t reference;
  switch (input) {
    case INPUT_TARGET_POSE:
      return wire_read_pose(data, n, &m) && take_target(in, c, TARGET_POSE, &m);
    case INPUT_TARGET_TWIST:
      return wire_read_twist(data, n, &m) && take_target(in, c, TARGET_TWIST, &m);
    case INPUT_TARGET_WRENCH:
      return wire_read_wrench(data, n, &m) && take_target(in, c, TARGET_WRENCH, &m);
    case INPUT_GRAVITY:
      return wire_read_vector(data, n, &m) && take_target(in, c, TARGET_GRAVITY, &m);
    case INPUT_WRENCH:
      return wire_read_wrench(data, n, &m) && take_target(in, c, TARGET_ON_FRAME, &m);
    case INPUT_CONTROLLER_STATE:
      return wire_read_controller_state(data, n, &reference) && take_reference(in, c, &reference);
    default: return false;
  }
}

static int
take_joints(inputs_t * in, node_input_t input, joint_input_t * joints, const ros_clock_t * clock)
{
  int good = 0;
  for (int k = 0; k < DRAIN && serialized_take(&in->bytes, &in->subscription[input]); k++) {
    const uint8_t * data = in->bytes.message.buffer;
    const size_t n = in->bytes.message.buffer_length;
    const int64_t now = ros_clock_now(clock), arrival = steady_now();
    good += input == INPUT_ODOM ? joint_input_take_base(joints, data, n, now, arrival)
                                : joint_input_take(joints, data, n, now, arrival);
  }
  return good;
}

int
inputs_take(
  inputs_t * in, joint_input_t * joints, controller_t * controller, const ros_clock_t * clock)
{
  // targets and the base first: the joint state then finds them there
  for (int k = INPUT_TARGET_POSE; k < INPUT_COUNT; k++) {
    for (int n = 0; in->ready[k] && n < DRAIN; n++) {
      if (!serialized_take(&in->bytes, &in->subscription[k])) break;
      if (!take_other(in, (node_input_t)k, controller)) in->refused++;
    }
  }
  if (in->ready[INPUT_ODOM]) take_joints(in, INPUT_ODOM, joints, clock);
  return in->ready[INPUT_JOINT_STATES] ? take_joints(in, INPUT_JOINT_STATES, joints, clock) : 0;
}
