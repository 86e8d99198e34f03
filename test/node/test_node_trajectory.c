// Trajectories that come back with efforts: inverse dynamics at every point, against the core.
#include <signal.h>
#include <string.h>

#include "node_core.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "trajectory_msgs/msg/joint_trajectory.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"

enum { N = PEER_JOINTS, POINTS = 3 };

typedef trajectory_msgs__msg__JointTrajectory trajectory_t;

static peer_t peer;
static core_t core;
static trajectory_t answer;
static peer_listener_t * answers;

static const double ACCELERATION[N] = {0.5, -1.5, 2.0, 0.3, -0.7, 1.1, -2.5};
// of the velocities of the states: faster ones would leave the limits between the points
static const double SLOW = 0.3;

static int
set_up(void ** state)
{
  (void)state;
  memset(&answer, 0, sizeof answer);
  assert_true(trajectory_msgs__msg__JointTrajectory__init(&answer));
  peer_open(&peer);
  core_open(&core);
  answers = peer_listen(
    &peer, ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory),
    "/mbdyn/joint_trajectory_effort", &answer);
  peer_start(
    &peer, (const char *[]){
             PEER_ROBOT_ARG, PEER_CALM_ARG, "-p", "mode:=computed_torque", "-p",
             "publish.trajectory_effort:=true", NULL});
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_bring_up(&peer);
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  core_close(&core);
  peer_close(&peer);
  trajectory_msgs__msg__JointTrajectory__fini(&answer);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

static void
fill(rosidl_runtime_c__double__Sequence * to, const double * x)
{
  assert_true(rosidl_runtime_c__double__Sequence__init(to, N));
  memcpy(to->data, x, N * sizeof *x);
}

// through three states, in the opposite order of joints
static void
make(trajectory_t * t)
{
  memset(t, 0, sizeof *t);
  assert_true(trajectory_msgs__msg__JointTrajectory__init(t));
  memset(&t->header.stamp, 0, sizeof t->header.stamp);
  assert_true(rosidl_runtime_c__String__Sequence__init(&t->joint_names, N));
  assert_true(trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&t->points, POINTS));
  for (int j = 0; j < N; j++) {
    const char name[] = {'j', 'o', 'i', 'n', 't', (char)('7' - j), 0};
    assert_true(rosidl_runtime_c__String__assign(&t->joint_names.data[j], name));
  }
  for (int i = 0; i < POINTS; i++) {
    double q[N], v[N], a[N];
    for (int j = 0; j < N; j++) {
      q[j] = STATES[i + 1][0][N - 1 - j], v[j] = SLOW * STATES[i + 1][1][N - 1 - j];
      a[j] = ACCELERATION[N - 1 - j];
    }
    fill(&t->points.data[i].positions, q);
    fill(&t->points.data[i].velocities, v);
    fill(&t->points.data[i].accelerations, a);
    t->points.data[i].time_from_start.sec = 3 * (i + 1);
    t->points.data[i].time_from_start.nanosec = 0;
  }
}

// efforts of the answer are the core's torques, gravity and payload being those of the node
static void
check_answer(void)
{
  assert_int_equal(answer.points.size, POINTS);
  for (int i = 0; i < POINTS; i++) {
    double tau[N], v[N];
    for (int j = 0; j < N; j++) v[j] = SLOW * STATES[i + 1][1][j];
    assert_int_equal(
      mbd_inverse_dynamics(core.model, core.data, STATES[i + 1][0], v, ACCELERATION, NULL, tau),
      MBD_OK);
    assert_int_equal(answer.points.data[i].effort.size, N);
    for (int j = 0; j < N; j++) {
      // the last point is sampled a nanosecond before the end
      assert_true(fabs(answer.points.data[i].effort.data[j] - tau[N - 1 - j]) < 1e-6);
    }
  }
}

static void
send(trajectory_t * t)
{
  rcl_publisher_t * out = peer_publisher(
    &peer, ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory),
    "/mbdyn/joint_trajectory");
  const uint64_t before = answers->count;
  peer_wait_matched(&peer, out);
  assert_int_equal(rcl_publish(out, t, NULL), RCL_RET_OK);
  assert_true(peer_wait(&peer, &answers->count, before + 1, PEER_TIMEOUT));
}

static void
efforts_are_inverse_dynamics(void ** state)
{
  (void)state;
  trajectory_t t;
  make(&t);
  send(&t);
  check_answer();

  // another gravity and a load count, as they do in the command
  const double gravity[3] = {0, 1, -5};
  const mbd_inertia_t load = {2, {0, 0, 0.2}, {0.03, 0, 0, 0.03, 0, 0.01}};
  int frame;
  assert_int_equal(mbd_find_frame(core.model, "tool", &frame), MBD_OK);
  assert_int_equal(mbd_set_gravity(core.data, (mbd_vec3_t){0, 1, -5}), MBD_OK);
  assert_int_equal(mbd_payload_attach(core.model, core.data, frame, &load), MBD_OK);
  assert_string_equal(peer_set_doubles(&peer, "gravity", 3, gravity), "");
  const double com[3] = {0, 0, 0.1}, inertia[6] = {0.01, 0, 0, 0.01, 0, 0.01};
  assert_string_equal(peer_set_doubles(&peer, "payload.com", 3, com), "");
  assert_string_equal(peer_set_doubles(&peer, "payload.inertia", 6, inertia), "");
  assert_string_equal(peer_set_double(&peer, "payload.mass", 2), "");
  assert_string_equal(peer_set_string(&peer, "payload.frame", "tool"), "");
  send(&t);
  check_answer();
  trajectory_msgs__msg__JointTrajectory__fini(&t);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(efforts_are_inverse_dynamics, set_up, tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
