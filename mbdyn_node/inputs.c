// Subscriptions of the control thread in a wait set of their own.
#include "inputs.h"

#include <math.h>
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
#include "mbdyn/spatial.h"
#include "messages_in.h"
#include "nav_msgs/msg/odometry.h"
#include "rclc/rclc.h"
#include "reference_limits.h"
#include "rmw/qos_profiles.h"
#include "sensor_msgs/msg/joint_state.h"
#include "serialized.h"

enum {
  LONGEST_MESSAGE = 256 * 1024,  // of joint states with WIRE_MAX_NAMES names of sixty characters
  LONGEST_NAME = 256,
  // messages of one topic in one spin: a flood must not keep the thread from computing
  DRAIN = 32
};

// No target means a number beyond this, whatever its unit: such messages are refused as malformed.
static const double LARGEST_TARGET = 1e6;
// Ten times the earth's [m/s^2]: the range of the parameter.
static const double LARGEST_GRAVITY = 100;

struct inputs {
  const node_robot_t * robot;
  rcl_guard_condition_t * wake;
  rcl_subscription_t subscription[INPUT_COUNT];
  bool open[INPUT_COUNT];
  bool ready[INPUT_COUNT];
  rcl_wait_set_t waits;
  bool waits_open;
  serialized_t bytes;
  inputs_counts_t count;
  double *q, *v, *a;  // of a reference while it is checked, of the model's sizes
  bool * met;         // joints in it [nbody]
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
allocate(inputs_t * in)
{
  const mbd_model_t * model = in->robot->model;
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  in->q = calloc(nq + 2 * nv + 1, sizeof *in->q);
  in->met = calloc((size_t)model->nbody + 1, sizeof *in->met);
  if (!in->q || !in->met) return false;
  in->v = in->q + nq;
  in->a = in->v + nv;
  return true;
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
  if (allocate(inputs) && create_subscriptions(inputs, node, floating, reliable)) return inputs;
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
  free(inputs->q);
  free(inputs->met);
  free(inputs);
}

inputs_counts_t
inputs_refused(const inputs_t * inputs)
{
  inputs_counts_t count = inputs->count;
  count.refused += inputs->bytes.refused;
  return count;
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

// where a message's numbers are: the world, or a frame of the robot in the state last computed
static bool
frame_in_world(
  const inputs_t * in, const controller_t * c, wire_text_t name, mbd_placement_t * X, int * frame)
{
  char text[LONGEST_NAME];
  *frame = -1;
  *X = mbdu_placement_identity();
  if (name.size == 0 || wire_text_is(name, in->robot->world_frame)) return true;
  if (name.size >= sizeof text) return false;
  memcpy(text, name.data, name.size);
  text[name.size] = 0;
  if (mbd_find_frame(in->robot->model, text, frame) != MBD_OK) return false;
  return mbd_frame_placement(in->robot->model, c->data, *frame, X) == MBD_OK;
}

// finite, and not beyond what a target can mean
static bool
all_sane(const double * x, int n)
{
  for (int i = 0; i < n; i++) {
    if (!(fabs(x[i]) <= LARGEST_TARGET)) return false;
  }
  return true;
}

static mbd_vec3_t
vec(const double * x)
{
  return mbdu_vec3(x[0], x[1], x[2]);
}

static bool
take_pose(inputs_t * in, controller_t * c, const wire_stamped_t * m)
{
  mbd_placement_t X, pose;
  int frame;
  const mbd_quat_t q = {m->x[3], m->x[4], m->x[5], m->x[6]};
  if (!all_sane(m->x, 7) || !(mbdu_quat_norm(q) > 1e-6)) return false;
  if (!frame_in_world(in, c, m->frame_id, &X, &frame)) return false;
  pose.R = mbdu_quat_to_mat3(mbdu_quat_normalize(q));
  pose.p = vec(m->x);
  c->targets.pose = mbdu_placement_mul(&X, &pose);
  c->targets.pose_known = true;
  return true;
}

static bool
take_twist(inputs_t * in, controller_t * c, const wire_stamped_t * m)
{
  mbd_placement_t X;
  int frame;
  if (!all_sane(m->x, 6) || !frame_in_world(in, c, m->frame_id, &X, &frame)) return false;
  c->targets.twist.lin = mbdu_mat3_vec(&X.R, vec(m->x));
  c->targets.twist.ang = mbdu_mat3_vec(&X.R, vec(m->x + 3));
  c->targets.twist_time = steady_now();
  c->targets.twist_known = true;
  return true;
}

static bool
take_target_wrench(inputs_t * in, controller_t * c, const wire_stamped_t * m)
{
  mbd_placement_t X;
  int frame;
  if (!all_sane(m->x, 6) || !frame_in_world(in, c, m->frame_id, &X, &frame)) return false;
  c->targets.wrench.lin = mbdu_mat3_vec(&X.R, vec(m->x));
  c->targets.wrench.ang = mbdu_mat3_vec(&X.R, vec(m->x + 3));
  c->targets.wrench_time = steady_now();
  c->targets.wrench_known = true;
  return true;
}

static bool
take_gravity(inputs_t * in, controller_t * c, const wire_stamped_t * m)
{
  mbd_placement_t X;
  int frame;
  if (!all_sane(m->x, 3) || !frame_in_world(in, c, m->frame_id, &X, &frame)) return false;
  if (mbdu_vec3_norm(vec(m->x)) > LARGEST_GRAVITY) return false;
  c->targets.gravity = mbdu_mat3_vec(&X.R, vec(m->x));
  c->targets.gravity_time = steady_now();
  c->targets.gravity_known = true;
  return true;
}

// on the frame that the header names, in its axes; a second one on a frame replaces the first
static bool
take_wrench(inputs_t * in, controller_t * c, const wire_stamped_t * m)
{
  controller_targets_t * t = &c->targets;
  enum { MOST = sizeof t->external / sizeof t->external[0] };
  mbd_placement_t X;
  int frame, at = 0;
  if (!all_sane(m->x, 6) || !frame_in_world(in, c, m->frame_id, &X, &frame) || frame < 0)
    return false;
  while (at < t->nexternal && t->external[at].frame != frame) at++;
  if (at == MOST) return false;
  t->external[at].frame = frame;
  t->external[at].reference = MBD_LOCAL;
  t->external[at].f.lin = vec(m->x);
  t->external[at].f.ang = vec(m->x + 3);
  t->external_time[at] = steady_now();
  if (at == t->nexternal) t->nexternal++;
  return true;
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

// the reference as it is now, for those joints that a message does not name
static void
start_reference(inputs_t * in, const controller_t * c)
{
  const size_t nq = (size_t)c->model->nq * sizeof(double);
  const size_t nv = (size_t)c->model->nv * sizeof(double);
  const controller_stream_t * s = &c->stream;
  memset(in->met, 0, (size_t)c->model->nbody * sizeof *in->met);
  memset(in->v, 0, 2 * nv);
  memcpy(in->q, s->known ? s->q : c->q_ref, nq);
  if (!s->known) return;
  memcpy(in->v, s->v, nv);
  memcpy(in->a, s->a, nv);
}

// x: position, velocity, acceleration
static bool
check_reference(inputs_t * in, const controller_t * c, int i, const double * x)
{
  const mbd_body_t * body = &c->model->body[i];
  const controller_settings_t * s = c->settings;
  const double step = fabs(x[0] - c->q_ref[body->q_index]), most = s->max_step[body->v_index];
  const reference_fault_t fault =
    reference_fault(&body->limits, s->max_acceleration[body->v_index], x[0], x[1], x[2]);
  const bool far = most > 0 && step > most;
  if (fault == REFERENCE_GOOD && !far && !in->met[i]) return true;
  in->count.joint = i;
  if (fault > REFERENCE_NOT_FINITE) in->count.beyond_limits++;
  if (fault == REFERENCE_GOOD && far) in->count.steps++;
  return false;
}

// The reference of a joint trajectory controller; joints that it does not have stay where they are.
// All of it is checked before any of it counts.
static bool
take_reference(inputs_t * in, controller_t * c, const wire_reference_t * m)
{
  const mbd_model_t * model = c->model;
  size_t at = 0;
  // what it does not name keeps the reference that there is: none before the first cycle
  if (m->position.n != m->names.n || !c->referenced) return false;
  start_reference(in, c);
  for (uint32_t i = 0; i < m->names.n; i++) {
    const double x[3] = {
      element(&m->position, i), element(&m->velocity, i), element(&m->acceleration, i)};
    const int body = find_joint(model, wire_next_name(&m->names, &at));
    if (body < 0) continue;
    if (!check_reference(in, c, body, x)) return false;
    in->met[body] = true;
    in->q[model->body[body].q_index] = x[0];
    in->v[model->body[body].v_index] = x[1];
    in->a[model->body[body].v_index] = x[2];
  }
  memcpy(c->stream.q, in->q, (size_t)model->nq * sizeof(double));
  memcpy(c->stream.v, in->v, (size_t)model->nv * sizeof(double));
  memcpy(c->stream.a, in->a, (size_t)model->nv * sizeof(double));
  c->stream.time = steady_now();
  c->stream.known = true;
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
    case INPUT_TARGET_POSE: return wire_read_pose(data, n, &m) && take_pose(in, c, &m);
    case INPUT_TARGET_TWIST: return wire_read_twist(data, n, &m) && take_twist(in, c, &m);
    case INPUT_TARGET_WRENCH: return wire_read_wrench(data, n, &m) && take_target_wrench(in, c, &m);
    case INPUT_GRAVITY: return wire_read_vector(data, n, &m) && take_gravity(in, c, &m);
    case INPUT_WRENCH: return wire_read_wrench(data, n, &m) && take_wrench(in, c, &m);
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
      if (!take_other(in, (node_input_t)k, controller)) in->count.refused++;
    }
  }
  if (in->ready[INPUT_ODOM]) take_joints(in, INPUT_ODOM, joints, clock);
  return in->ready[INPUT_JOINT_STATES] ? take_joints(in, INPUT_JOINT_STATES, joints, clock) : 0;
}
