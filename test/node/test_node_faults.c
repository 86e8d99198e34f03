// Joint states as they should not be: the command stops or goes on as it must, and is counted.
#include <signal.h>
#include <string.h>

#include "node_core.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

enum { N = PEER_JOINTS, TIMEOUT_MS = 500 };

#define SHORT_ARG "-p", "timeout:=0.5", "-p", "max_rate:=1000000.0"

static peer_t peer;
static core_t core;

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
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

#define START(...) peer_start(&peer, (const char *[]){PEER_ROBOT_ARG, __VA_ARGS__, NULL})

static void
expect_gravity(int k)
{
  double g[N];
  core_gravity(&core, STATES[k][0], g);
  assert_near(peer.command, g, N);
}

// joint states that must not give a command; a good one then does, at once
static void
publish_refused(void)
{
  const uint64_t before = peer.commands->count;
  peer_publish(&peer);
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_step(&peer);
  peer_listen_for(&peer, 10);
  assert_int_equal(peer.commands->count, before + 1);
  expect_gravity(0);
}

//---------- silence ----------

static void
publish_some(int n)
{
  for (int k = 0; k < n; k++) {
    peer_publish_now(&peer);
    peer_listen_for(&peer, 5);
  }
}

static void
expect_stop(const char * action, const double * gravity)
{
  const int64_t silent = now_ns();
  const uint64_t before = peer.commands->count;
  double last[N];
  memcpy(last, peer.command, sizeof last);
  peer_logged(&peer, "no joint state for 0.5");
  peer_wait_count(&peer, "stale", 1);
  if (strcmp(action, "hold") == 0) {
    assert_int_equal(peer.commands->count, before);
  } else {
    assert_int_equal(peer.commands->count, before + 1);
    assert_true(peer.commands->arrival - silent > (TIMEOUT_MS - 50) * INT64_C(1000000));
    assert_near(peer.command, strcmp(action, "zero") == 0 ? (double[N]){0} : gravity, N);
    assert_true(fabs(last[1] - peer.command[1]) > 0.1);
  }
}

static void
check_stale(const char * argument, const char * action)
{
  double g[N];
  core_gravity(&core, STATES[1][0], g);
  START(SHORT_ARG, "-p", "mode:=computed_torque", "-p", "good_inputs:=5", "-p", argument);
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_bring_up(&peer);
  peer_set_state(&peer, STATES[1][0], STATES[1][1]);
  publish_some(5);
  peer_forget_log(&peer);
  expect_stop(action, g);
  assert_int_equal(peer.report.status.data[0].level, 3);  // STALE
  assert_string_equal(peer.report.status.data[0].message.data, "joint states are missing or stale");
  assert_string_equal(peer_state(&peer), "active");

  // five good ones again before there is a command
  const uint64_t before = peer.commands->count;
  publish_some(4);
  peer_listen_for(&peer, 30);
  assert_int_equal(peer.commands->count, before);
  publish_some(1);
  assert_true(peer_wait(&peer, &peer.commands->count, before + 1, PEER_TIMEOUT));
}

static void
test_stale_zero(void ** state)
{
  (void)state;
  check_stale("on_stale:=zero", "zero");
}

static void
test_stale_hold(void ** state)
{
  (void)state;
  check_stale("on_stale:=hold", "hold");
}

static void
test_stale_gravity(void ** state)
{
  (void)state;
  check_stale("on_stale:=gravity", "gravity");
}

// gravity is not ours to send: there is nothing to hold
static void
test_stale_without_gravity(void ** state)
{
  (void)state;
  START(
    SHORT_ARG, "-p", "mode:=computed_torque", "-p", "on_stale:=gravity", "-p",
    "command_terms:=[inertia, coriolis]");
  peer_bring_up(&peer);
  peer_set_state(&peer, STATES[1][0], STATES[1][1]);
  publish_some(6);
  peer_forget_log(&peer);
  expect_stop("zero", NULL);
}

//---------- numbers ----------

static void
test_not_finite(void ** state)
{
  (void)state;
  START(PEER_CALM_ARG);
  peer_bring_up(&peer);
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 3; k++) {
    peer_stamp(&peer, peer_clock());
    peer.state.position.data[2] = bad[k];
    publish_refused();
    peer_stamp(&peer, peer_clock());
    peer.state.velocity.data[6] = bad[k];
    publish_refused();
  }
  peer_stamp(&peer, peer_clock());
  assert_true(rosidl_runtime_c__double__Sequence__init(&peer.state.effort, N));
  for (int i = 0; i < N; i++) peer.state.effort.data[i] = i == 3 ? HUGE_VAL : 0;
  publish_refused();
  peer_wait_count(&peer, "not_finite", 7);
  assert_int_equal(peer_count(&peer, "dropped"), 7);
  peer_logged(&peer, "not finite");

  // an effort that is NaN is one that is not known
  assert_true(rosidl_runtime_c__double__Sequence__init(&peer.state.effort, N));
  for (int i = 0; i < N; i++) peer.state.effort.data[i] = (double)NAN;
  peer_step(&peer);
  expect_gravity(0);
  peer_wait_report(&peer);
  assert_int_equal(peer_count(&peer, "not_finite"), 7);
}

// joint states of which no command comes: the robot is not left with the last one
static void
expect_stop_while_publishing(void)
{
  const uint64_t before = peer.commands->count;
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  while (peer.commands->count == before && now_ns() < end) publish_some(1);
  assert_near(peer.command, ((double[N]){0}), N);
  peer_wait_report(&peer);
  assert_int_equal(peer_count(&peer, "stale"), 1);
}

static void
test_huge(void ** state)
{
  (void)state;
  START(SHORT_ARG, "-p", "mode:=computed_torque");
  peer_bring_up(&peer);
  publish_some(6);
  assert_true(fabs(peer.command[1]) > 1);
  for (int i = 0; i < N; i++) peer.state.velocity.data[i] = 1e200;
  expect_stop_while_publishing();
  assert_true(peer_count(&peer, "implausible") > 0);
}

// stretched out, where the frame cannot be turned about x
static void
test_singular(void ** state)
{
  (void)state;
  START(SHORT_ARG, "-p", "mode:=operational_space", "-p", "singular_policy:=refuse");
  peer_bring_up(&peer);
  publish_some(6);
  peer_forget_log(&peer);
  assert_true(fabs(peer.command[1]) > 1);
  peer_set_state(&peer, (const double[N]){0}, (const double[N]){0});
  expect_stop_while_publishing();
  assert_true(peer_count(&peer, "compute_errors") > 0);
}

static void
test_no_velocities(void ** state)
{
  (void)state;
  double q[N];
  sensor_msgs__msg__JointState torques = {0};
  START(PEER_CALM_ARG, "-p", "velocity_cutoff:=0.0");
  peer_listener_t * listener = peer_listen(&peer, JOINT_STATE, "/mbdyn/torques", &torques);
  peer_set_state(&peer, STATES[0][0], NULL);
  peer_bring_up(&peer);
  peer_logged(&peer, "joint_states has no velocities: differentiating positions");
  while (listener->count == 0) peer_step(&peer);
  peer_listen_for(&peer, 50);
  const int64_t begin = peer_clock();
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < N; i++) q[i] = STATES[0][0][i] + 0.01 * k * STATES[1][1][i];
    peer_set_state(&peer, q, NULL);
    peer_stamp(&peer, begin + k * 10000000);
    const uint64_t before = listener->count;
    peer_publish(&peer);
    assert_true(peer_wait(&peer, &listener->count, before + 1, PEER_TIMEOUT));
  }
  near(torques.velocity.data, STATES[1][1], N, 1e-6, __FILE__, __LINE__);
  peer_wait_report(&peer);
  assert_string_equal(peer_value(&peer, "velocities"), "differentiated");
  assert_true(peer_count(&peer, "differentiated") >= 5);
  sensor_msgs__msg__JointState__fini(&torques);
}

//---------- names ----------

static void
set_names(size_t n, const char * const * name, const double * q)
{
  rosidl_runtime_c__String__Sequence__fini(&peer.state.name);
  rosidl_runtime_c__double__Sequence__fini(&peer.state.position);
  rosidl_runtime_c__double__Sequence__fini(&peer.state.velocity);
  assert_true(rosidl_runtime_c__String__Sequence__init(&peer.state.name, n));
  assert_true(rosidl_runtime_c__double__Sequence__init(&peer.state.position, n));
  assert_true(rosidl_runtime_c__double__Sequence__init(&peer.state.velocity, n));
  for (size_t i = 0; i < n; i++) {
    assert_true(rosidl_runtime_c__String__assign(&peer.state.name.data[i], name[i]));
    peer.state.position.data[i] = q[i];
    peer.state.velocity.data[i] = 0;
  }
}

static void
test_names(void ** state)
{
  (void)state;
  START(PEER_CALM_ARG);
  peer_bring_up(&peer);
  // another order
  const double * q = STATES[0][0];
  set_names(
    N, (const char *[]){"joint3", "joint1", "joint2", "joint7", "joint6", "joint5", "joint4"},
    (const double[]){q[2], q[0], q[1], q[6], q[5], q[4], q[3]});
  peer_step(&peer);
  expect_gravity(0);
  // more of them
  q = STATES[1][0];
  set_names(
    9,
    (const char *[]){
      "finger", "joint1", "joint2", "joint3", "joint4", "wheel", "joint5", "joint6", "joint7"},
    (const double[]){NAN, q[0], q[1], q[2], q[3], 1e300, q[4], q[5], q[6]});
  peer_step(&peer);
  expect_gravity(1);
  peer_logged(&peer, "joint_states has 2 names that the robot does not have, such as 'finger'");
  peer_wait_count(&peer, "unknown_joints", 2);
  assert_int_equal(peer_count(&peer, "name_changes"), 3);
  // one of them twice; none of the robot; more names than numbers; none at all
  set_names(
    8,
    (const char *[]){
      "joint1", "joint2", "joint3", "joint4", "joint5", "joint6", "joint7", "joint1"},
    (const double[8]){0});
  peer_stamp(&peer, peer_clock());
  publish_refused();
  set_names(2, (const char *[]){"wheel1", "wheel2"}, (const double[2]){0});
  peer_stamp(&peer, peer_clock());
  publish_refused();
  peer.state.position.size = 5;
  peer_stamp(&peer, peer_clock());
  publish_refused();
  set_names(0, NULL, NULL);
  peer_stamp(&peer, peer_clock());
  publish_refused();
  peer_wait_count(&peer, "dropped", 4);
  assert_int_equal(peer_count(&peer, "duplicate_names"), 1);
  assert_int_equal(peer_count(&peer, "malformed"), 1);
  assert_int_equal(peer_count(&peer, "no_joint"), 2);
}

static void
test_lost_joint(void ** state)
{
  (void)state;
  START(SHORT_ARG);
  peer_bring_up(&peer);
  publish_some(6);
  peer_forget_log(&peer);
  const double * q = STATES[0][0];
  set_names(6, (const char *[]){"joint1", "joint2", "joint3", "joint4", "joint5", "joint6"}, q);
  // it is heard of no more: commands go on until that is too long ago
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  while (peer.command[1] != 0 && now_ns() < end) publish_some(1);
  assert_near(peer.command, ((double[N]){0}), N);
  peer_logged(&peer, "no complete joint state for 0.5 s, missing joint7: command stopped");
  // the others still come: that is why it does not hold
  publish_some(20);
  assert_near(peer.command, ((double[N]){0}), N);
  const int64_t begin = now_ns();
  while (!peer_value(&peer, "missing_joint") ||
         strcmp(peer_value(&peer, "missing_joint"), "joint7")) {
    assert_true(now_ns() - begin < PEER_TIMEOUT * INT64_C(1000000));
    publish_some(1);
  }
  assert_string_equal(peer_state(&peer), "active");
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_bring_up(&peer);
}

//---------- stamps ----------

static void
test_few_backwards(void ** state)
{
  (void)state;
  START(PEER_CALM_ARG);
  peer_bring_up(&peer);
  const int64_t now = peer_clock();
  peer_step(&peer);
  const int64_t past[] = {now - 1000000, now - 2000000, now - 1000000000};
  for (int k = 0; k < 3; k++) {
    peer_stamp(&peer, past[k]);
    publish_refused();
  }
  // the same once more: delivered twice, or a publisher that stands still
  publish_refused();
  peer_wait_count(&peer, "backwards", 4);
  assert_int_equal(peer_count(&peer, "clock_jumps"), 0);
  peer_logged(&peer, "4 with decreasing stamps");
}

static void
test_clock_jump(void ** state)
{
  (void)state;
  START(SHORT_ARG, "-p", "check_stamp:=false");
  peer_bring_up(&peer);
  publish_some(6);
  peer_forget_log(&peer);
  expect_gravity(0);
  peer_set_state(&peer, STATES[1][0], STATES[1][1]);
  int64_t stamp = peer_clock() - INT64_C(100000000000);
  const uint64_t before = peer.commands->count;
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  while (peer.commands->count < before + 2 && now_ns() < end) {
    peer_stamp(&peer, stamp += 5000000);
    peer_publish(&peer);
    peer_listen_for(&peer, 5);
    if (peer.commands->count == before + 1) assert_near(peer.command, ((double[N]){0}), N);
  }
  // stopped first, then on with the new stamps
  expect_gravity(1);
  peer_logged(&peer, "stamps of joint_states went backwards: restarting");
  peer_wait_count(&peer, "clock_jumps", 1);
  assert_int_equal(peer_count(&peer, "late"), 0);
}

static void
test_late_and_future(void ** state)
{
  (void)state;
  START(PEER_CALM_ARG, "-p", "timeout:=8.0");
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_bring_up(&peer);
  for (int k = 0; k < 3; k++) {
    peer_stamp(&peer, peer_clock() - INT64_C(12000000000));
    publish_refused();
    peer_stamp(&peer, peer_clock() + INT64_C(12000000000));
    publish_refused();
  }
  peer_wait_report(&peer);
  assert_int_equal(peer_count(&peer, "late"), 3);
  assert_int_equal(peer_count(&peer, "future"), 3);
  assert_true(peer_change_state(&peer, "deactivate"));
  assert_string_equal(peer_set_bool(&peer, "check_stamp", false), "");
  assert_true(peer_change_state(&peer, "activate"));
  // until the last command has come
  peer_listen_for(&peer, 100);
  peer_set_state(&peer, STATES[1][0], STATES[1][1]);
  const uint64_t before = peer.commands->count;
  peer_stamp(&peer, peer_clock() + INT64_C(12000000000));
  peer_publish(&peer);
  assert_true(peer_wait(&peer, &peer.commands->count, before + 1, PEER_TIMEOUT));
  expect_gravity(1);
}

// without a stamp: when it comes is when it was
static void
test_no_stamp(void ** state)
{
  (void)state;
  sensor_msgs__msg__JointState torques = {0};
  START(PEER_CALM_ARG);
  peer_listener_t * listener = peer_listen(&peer, JOINT_STATE, "/mbdyn/torques", &torques);
  peer_bring_up(&peer);
  while (listener->count == 0) peer_step(&peer);
  peer_listen_for(&peer, 50);
  for (int k = 0; k < 3; k++) {
    const uint64_t before = listener->count;
    const int64_t begin = peer_clock();
    peer_stamp(&peer, 0);
    peer_publish(&peer);
    assert_true(peer_wait(&peer, &listener->count, before + 1, PEER_TIMEOUT));
    const builtin_interfaces__msg__Time * stamp = &torques.header.stamp;
    const int64_t at = (int64_t)stamp->sec * 1000000000 + stamp->nanosec;
    assert_true(at >= begin && at <= peer_clock());
  }
  sensor_msgs__msg__JointState__fini(&torques);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {TEST(test_stale_zero),      TEST(test_stale_hold),
                                     TEST(test_stale_gravity),   TEST(test_stale_without_gravity),
                                     TEST(test_not_finite),      TEST(test_huge),
                                     TEST(test_singular),        TEST(test_no_velocities),
                                     TEST(test_names),           TEST(test_lost_joint),
                                     TEST(test_few_backwards),   TEST(test_clock_jump),
                                     TEST(test_late_and_future), TEST(test_no_stamp)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
