// References that must not move the robot: refused whole, counted, and nothing of them remains.
#include <signal.h>
#include <string.h>

#include "control_msgs/msg/joint_trajectory_controller_state.h"
#include "geometry_msgs/msg/pose_stamped.h"
#include "geometry_msgs/msg/twist_stamped.h"
#include "geometry_msgs/msg/vector3_stamped.h"
#include "geometry_msgs/msg/wrench_stamped.h"
#include "node_core.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "trajectory_msgs/msg/joint_trajectory.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"

enum { N = PEER_JOINTS };

#define TYPE(package, name) ROSIDL_GET_MSG_TYPE_SUPPORT(package, msg, name)

typedef rosidl_runtime_c__double__Sequence doubles_t;
typedef rosidl_runtime_c__String__Sequence names_t;
typedef trajectory_msgs__msg__JointTrajectoryPoint point_t;

static peer_t peer;
static core_t core;
static double held[N];  // torques of the hold
static long long refused;

static const double REST[N] = {0};

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  refused = 0;
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  core_close(&core);
  peer_close(&peer);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

#define START(...) \
  peer_start(      \
    &peer, (const char *[]){PEER_ROBOT_ARG, PEER_CALM_ARG, "-p", "friction:=false", __VA_ARGS__})

// at rest where it is to hold: the command is gravity's
static void
bring_up(void)
{
  peer_set_state(&peer, STATES[0][0], REST);
  peer_bring_up(&peer);
  core_gravity(&core, STATES[0][0], held);
}

static void
expect(const double * command)
{
  peer_step(&peer);
  near(peer.command, command, N, 1e-6, __FILE__, __LINE__);
}

// after a message that must have been refused
static void
expect_refusal(void)
{
  refused++;
  peer_listen_for(&peer, 30);
  expect(held);
}

//---------- a stream of references ----------

typedef struct reference {
  const char * name[3];
  double q[3], v[3], a[3];
  size_t n, nv, na;
} reference_t;

static void
fill(doubles_t * to, const double * x, size_t n)
{
  assert_true(rosidl_runtime_c__double__Sequence__init(to, n));
  if (n > 0) memcpy(to->data, x, n * sizeof *x);
}

static void
fill_names(names_t * to, const char * const * name, size_t n)
{
  assert_true(rosidl_runtime_c__String__Sequence__init(to, n));
  for (size_t i = 0; i < n; i++) {
    assert_true(rosidl_runtime_c__String__assign(&to->data[i], name[i]));
  }
}

static void
fill_point(point_t * point, const reference_t * r)
{
  fill(&point->positions, r->q, r->n);
  fill(&point->velocities, r->v, r->nv);
  fill(&point->accelerations, r->a, r->na);
}

static void
send_reference(rcl_publisher_t * out, reference_t r)
{
  control_msgs__msg__JointTrajectoryControllerState m = {0};
  assert_true(control_msgs__msg__JointTrajectoryControllerState__init(&m));
  fill_names(&m.joint_names, r.name, r.n);
  fill_point(&m.reference, &r);
  OK(rcl_publish(out, &m, NULL));
  control_msgs__msg__JointTrajectoryControllerState__fini(&m);
}

static rcl_publisher_t *
open_stream(void)
{
  rcl_publisher_t * out = peer_publisher(
    &peer, TYPE(control_msgs, JointTrajectoryControllerState), "/mbdyn/controller_state");
  START("-p", "mode:=computed_torque", "-p", "target_timeout:=0.0", NULL);
  bring_up();
  peer_wait_matched(&peer, out);
  return out;
}

// torques of a reference for joint1 alone, the arm being at rest in its first state
static void
torques_of(double q, double v, double a, double * tau)
{
  double wanted[N] = {a + 100 * (q - STATES[0][0][0]) + 20 * v};
  core_torques(&core, STATES[0][0], REST, wanted, tau);
}

static void
stream_refused_whole(void ** state)
{
  (void)state;
  rcl_publisher_t * out = open_stream();
  // joint1 within all limits, and a second number that is not
  send_reference(out, (reference_t){{"joint1", "joint2"}, {0.3, NAN}, {0}, {0}, 2, 0, 0});
  expect_refusal();
  send_reference(out, (reference_t){{"joint1", "joint2"}, {0.3, HUGE_VAL}, {0}, {0}, 2, 0, 0});
  expect_refusal();
  send_reference(out, (reference_t){{"joint1", "joint2"}, {0.3, -0.4}, {0, NAN}, {0}, 2, 2, 0});
  expect_refusal();
  send_reference(
    out, (reference_t){{"joint1", "joint2"}, {0.3, -0.4}, {0}, {0, HUGE_VAL}, 2, 2, 2});
  expect_refusal();
  // a joint twice: which one is meant?
  send_reference(out, (reference_t){{"joint1", "joint1"}, {0.3, 0.2}, {0}, {0}, 2, 0, 0});
  expect_refusal();
  peer_wait_count(&peer, "refused_targets", refused);

  double tau[N];
  torques_of(0.3, 0.1, 0.5, tau);
  send_reference(
    out, (reference_t){{"joint1", "wheel", "joint2"}, {0.3, NAN, -0.4}, {0.1}, {0.5}, 3, 3, 3});
  peer_listen_for(&peer, 30);
  expect(tau);
  assert_int_equal(peer_count(&peer, "refused_targets"), refused);
}

static void
stream_within_limits(void ** state)
{
  (void)state;
  rcl_publisher_t * out = open_stream();
  // of joint1: 2.8973 rad, 2.175 rad/s
  send_reference(out, (reference_t){{"joint1"}, {3.0}, {0}, {0}, 1, 0, 0});
  expect_refusal();
  send_reference(out, (reference_t){{"joint1"}, {1e200}, {0}, {0}, 1, 0, 0});
  expect_refusal();
  send_reference(out, (reference_t){{"joint1"}, {0.2}, {2.2}, {0}, 1, 1, 0});
  expect_refusal();
  send_reference(out, (reference_t){{"joint1"}, {0.2}, {-1e200}, {0}, 1, 1, 0});
  expect_refusal();
  send_reference(out, (reference_t){{"joint1"}, {0.2}, {0}, {1001}, 1, 1, 1});
  expect_refusal();
  send_reference(out, (reference_t){{"joint1"}, {0.2}, {0}, {-1e200}, 1, 1, 1});
  expect_refusal();
  peer_wait_count(&peer, "references_beyond_limits", refused);

  // within its limits, and yet further than a reference jumps
  send_reference(out, (reference_t){{"joint2", "joint1"}, {-0.4, 1.1}, {0}, {0}, 2, 0, 0});
  expect_refusal();
  send_reference(out, (reference_t){{"joint1", "joint2"}, {0.2, -0.95}, {0}, {0}, 2, 0, 0});
  expect_refusal();
  peer_wait_count(&peer, "reference_steps", 2);
  assert_int_equal(peer_count(&peer, "refused_targets"), refused);
  peer_logged(&peer, "'joint2'");
  peer_logged(&peer, "max_reference_step");

  // from step to step it goes anywhere
  double tau[N];
  for (double q = 0.3; q < 1.2; q += 0.4) {
    torques_of(q, 0, 0, tau);
    for (int i = 0; i < N; i++) tau[i] = fmin(fmax(tau[i], -PEER_LIMIT[i]), PEER_LIMIT[i]);
    send_reference(out, (reference_t){{"joint1"}, {q}, {0}, {0}, 1, 0, 0});
    peer_listen_for(&peer, 30);
    expect(tau);
  }
}

//---------- trajectories ----------

typedef struct trajectory_case {
  double time, q, v, a;
  const char * logged;
} trajectory_case_t;

static void
send_trajectory(rcl_publisher_t * out, const trajectory_case_t * c, int64_t stamp)
{
  trajectory_msgs__msg__JointTrajectory m = {0};
  const reference_t r = {{"joint1"}, {c->q}, {c->v}, {c->a}, 1, 1, 1};
  assert_true(trajectory_msgs__msg__JointTrajectory__init(&m));
  fill_names(&m.joint_names, r.name, 1);
  assert_true(trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&m.points, 1));
  fill_point(&m.points.data[0], &r);
  m.header.stamp.sec = (int32_t)(stamp / 1000000000);
  m.header.stamp.nanosec = (uint32_t)(stamp % 1000000000);
  m.points.data[0].time_from_start.sec = (int32_t)floor(c->time);
  m.points.data[0].time_from_start.nanosec = (uint32_t)lround(1e9 * (c->time - floor(c->time)));
  OK(rcl_publish(out, &m, NULL));
  trajectory_msgs__msg__JointTrajectory__fini(&m);
}

static void
trajectory_refused(void ** state)
{
  (void)state;
  static const trajectory_case_t CASES[] = {
    {2, 0.5, 1e200, 0, "velocity of 'joint1' is 1e+200"},
    {2, 0.5, -2.2, 0, "velocity of 'joint1' is -2.2"},
    {2, 0.5, 0, 1e200, "acceleration of 'joint1' is 1e+200"},
    {2, 0.5, 0, -1001, "acceleration of 'joint1' is -1001"},
    {2, 0.5, NAN, 0, "velocity of 'joint1' is not finite"},
    // the points are fine; what is between them is not
    {0.1, 0.8, 0, 0, "between 0 s and 0.1 s"},
    {60, 0.5, 2, 0, "between 0 s and 60 s"},
    // at once, which is a step of 0.6
    {0, 0.7, 0, 0, "max_reference_step"}};
  rcl_publisher_t * out =
    peer_publisher(&peer, TYPE(trajectory_msgs, JointTrajectory), "/mbdyn/joint_trajectory");
  START("-p", "mode:=computed_torque", NULL);
  bring_up();
  peer_wait_matched(&peer, out);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    peer_forget_log(&peer);
    // a line a second of these
    for (int tries = 0; tries < 30 && !strstr(peer.log_text, CASES[i].logged); tries++) {
      send_trajectory(out, &CASES[i], 0);
      peer_listen_for(&peer, 100);
    }
    peer_logged(&peer, CASES[i].logged);
    expect(held);
    peer_wait_value(&peer, "tracking", "false");
  }
  // a start in the past: the reference would jump to the middle
  const trajectory_case_t good = {2, 1.4, 0, 0, ""};
  peer_forget_log(&peer);
  for (int tries = 0; tries < 30 && !strstr(peer.log_text, "max_reference_step"); tries++) {
    send_trajectory(out, &good, peer_clock() - 1800000000);
    peer_listen_for(&peer, 100);
  }
  peer_logged(&peer, "max_reference_step");
  expect(held);
  send_trajectory(out, &good, 0);
  peer_logged(&peer, "trajectory of 1 points");
  // it is said before the control thread has it
  for (int k = 0; k < 50 && peer.command[0] < held[0] + 5; k++) {
    peer_listen_for(&peer, 100);
    peer_step(&peer);
  }
  assert_true(peer.command[0] > held[0] + 5);
}

//---------- targets of operational space, gravity, wrenches ----------

static void
set_frame(std_msgs__msg__Header * header, const char * frame)
{
  assert_true(rosidl_runtime_c__String__assign(&header->frame_id, frame));
}

static void
send_pose(rcl_publisher_t * out, const char * frame, double x, double w)
{
  geometry_msgs__msg__PoseStamped m = {0};
  assert_true(geometry_msgs__msg__PoseStamped__init(&m));
  set_frame(&m.header, frame);
  m.pose.position = (geometry_msgs__msg__Point){x, 0.2, 0.5};
  m.pose.orientation = (geometry_msgs__msg__Quaternion){0, 0, 0, w};
  OK(rcl_publish(out, &m, NULL));
  geometry_msgs__msg__PoseStamped__fini(&m);
}

static void
send_twist(rcl_publisher_t * out, const char * frame, double z)
{
  geometry_msgs__msg__TwistStamped m = {0};
  assert_true(geometry_msgs__msg__TwistStamped__init(&m));
  set_frame(&m.header, frame);
  m.twist.linear = (geometry_msgs__msg__Vector3){0.3, 0.2, 0.1};
  m.twist.angular = (geometry_msgs__msg__Vector3){0, 0, z};
  OK(rcl_publish(out, &m, NULL));
  geometry_msgs__msg__TwistStamped__fini(&m);
}

static void
send_wrench(rcl_publisher_t * out, const char * frame, double z)
{
  geometry_msgs__msg__WrenchStamped m = {0};
  assert_true(geometry_msgs__msg__WrenchStamped__init(&m));
  set_frame(&m.header, frame);
  m.wrench.force = (geometry_msgs__msg__Vector3){3, 2, 1};
  m.wrench.torque = (geometry_msgs__msg__Vector3){0, 0, z};
  OK(rcl_publish(out, &m, NULL));
  geometry_msgs__msg__WrenchStamped__fini(&m);
}

static void
send_gravity(rcl_publisher_t * out, const char * frame, double y, double z)
{
  geometry_msgs__msg__Vector3Stamped m = {0};
  assert_true(geometry_msgs__msg__Vector3Stamped__init(&m));
  set_frame(&m.header, frame);
  m.vector = (geometry_msgs__msg__Vector3){0, y, z};
  OK(rcl_publish(out, &m, NULL));
  geometry_msgs__msg__Vector3Stamped__fini(&m);
}

#define REFUSED(call) \
  do {                \
    call;             \
    expect_refusal(); \
  } while (0)

static void
targets_refused_whole(void ** state)
{
  (void)state;
  rcl_publisher_t * pose =
    peer_publisher(&peer, TYPE(geometry_msgs, PoseStamped), "/mbdyn/target_pose");
  rcl_publisher_t * twist =
    peer_publisher(&peer, TYPE(geometry_msgs, TwistStamped), "/mbdyn/target_twist");
  rcl_publisher_t * push =
    peer_publisher(&peer, TYPE(geometry_msgs, WrenchStamped), "/mbdyn/target_wrench");
  rcl_publisher_t * wrench =
    peer_publisher(&peer, TYPE(geometry_msgs, WrenchStamped), "/mbdyn/wrench");
  rcl_publisher_t * gravity =
    peer_publisher(&peer, TYPE(geometry_msgs, Vector3Stamped), "/mbdyn/gravity");
  START("-p", "mode:=operational_space", "-p", "target_timeout:=0.0", NULL);
  bring_up();
  rcl_publisher_t * const all[] = {pose, twist, push, wrench, gravity};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) peer_wait_matched(&peer, all[i]);

  REFUSED(send_pose(pose, "", 0.3, NAN));
  REFUSED(send_pose(pose, "", 0.3, 0));
  REFUSED(send_pose(pose, "nowhere", 0.3, 1));
  REFUSED(send_pose(pose, "", 1e300, 1));
  REFUSED(send_twist(twist, "", NAN));
  REFUSED(send_twist(twist, "nowhere", 0));
  REFUSED(send_twist(twist, "", 1e300));
  REFUSED(send_wrench(push, "", HUGE_VAL));
  REFUSED(send_wrench(push, "nowhere", 0));
  REFUSED(send_wrench(push, "", 1e300));
  REFUSED(send_wrench(wrench, "tool", NAN));
  REFUSED(send_wrench(wrench, "nowhere", 0));
  REFUSED(send_wrench(wrench, "tool", -1e300));
  REFUSED(send_gravity(gravity, "", 5, NAN));
  REFUSED(send_gravity(gravity, "nowhere", 0, -3));
  // ten times that of the earth is no gravity any more
  REFUSED(send_gravity(gravity, "", 0, -101));
  peer_wait_count(&peer, "refused_targets", refused);
  send_twist(twist, "", 0);
  peer_listen_for(&peer, 30);
  peer_step(&peer);
  assert_true(fabs(peer.command[0] - held[0]) > 0.1);
}

//---------- joint states ----------

static void
joint_states_implausible(void ** state)
{
  (void)state;
  // outside its limits of 2.8973 rad by less than its range and a turn: an encoder that is off
  const double odd[N] = {10, -0.4, 0.3, -1.9, 0.2, 1.7, 0.6};
  const double bad[] = {1e308, -1e308, 1e10, 16, -16};
  START(NULL);
  bring_up();
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    const uint64_t before = peer.commands->count;
    peer.state.position.data[1] = 0.9;
    peer.state.position.data[0] = bad[k];
    peer_publish_now(&peer);
    peer_listen_for(&peer, 30);
    assert_int_equal(peer.commands->count, before);
    peer_set_state(&peer, STATES[0][0], REST);
    expect(held);
  }
  peer.state.velocity.data[3] = 1e100;
  peer_publish_now(&peer);
  peer_wait_count(&peer, "implausible", sizeof bad / sizeof *bad + 1);
  peer_logged(&peer, "6 implausible");
  double g[N];
  core_gravity(&core, odd, g);
  peer_set_state(&peer, odd, REST);
  expect(g);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    TEST(stream_refused_whole), TEST(stream_within_limits), TEST(trajectory_refused),
    TEST(targets_refused_whole), TEST(joint_states_implausible)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
