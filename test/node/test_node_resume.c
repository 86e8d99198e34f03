// Joint states that stop for a while in the middle of a trajectory: what the robot does, what is said.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "node_core.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "trajectory_msgs/msg/joint_trajectory.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"

enum { N = PEER_JOINTS };

static const double DURATION = 4;  // of the trajectory [s]
static const double REST[N] = {0};

static peer_t peer;
static core_t core;
static double held[N];
static int64_t start;  // of the trajectory [ns]
static double distance;

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  core_gravity(&core, STATES[0][0], held);
  peer_set_state(&peer, STATES[0][0], REST);
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

// the arm stays where it is in its first state, whatever the command
static void
publish_for(int milliseconds)
{
  const int64_t end = now_ns() + milliseconds * INT64_C(1000000);
  while (now_ns() < end) {
    peer_publish_now(&peer);
    peer_listen_for(&peer, 5);
  }
}

static void
send_trajectory(rcl_publisher_t * out)
{
  trajectory_msgs__msg__JointTrajectory m = {0};
  const double q = STATES[0][0][0] + distance, zero = 0;
  assert_true(trajectory_msgs__msg__JointTrajectory__init(&m));
  m.header.stamp.sec = (int32_t)(start / 1000000000);
  m.header.stamp.nanosec = (uint32_t)(start % 1000000000);
  assert_true(rosidl_runtime_c__String__Sequence__init(&m.joint_names, 1));
  assert_true(rosidl_runtime_c__String__assign(&m.joint_names.data[0], "joint1"));
  assert_true(trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&m.points, 1));
  trajectory_msgs__msg__JointTrajectoryPoint * p = &m.points.data[0];
  assert_true(rosidl_runtime_c__double__Sequence__init(&p->positions, 1));
  assert_true(rosidl_runtime_c__double__Sequence__init(&p->velocities, 1));
  p->positions.data[0] = q, p->velocities.data[0] = zero;
  p->time_from_start.sec = (int32_t)DURATION, p->time_from_start.nanosec = 0;
  OK(rcl_publish(out, &m, NULL));
  trajectory_msgs__msg__JointTrajectory__fini(&m);
}

// follows a trajectory of joint1 for 0.8 s
static void
follow(const char * on_resume, double by)
{
  rcl_publisher_t * out = peer_publisher(
    &peer, ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory),
    "/mbdyn/joint_trajectory");
  distance = by;
  peer_start(
    &peer, (const char *[]){
             PEER_ROBOT_ARG, "-p", "timeout:=0.5", "-p", "max_rate:=1000000.0", "-p",
             "mode:=computed_torque", "-p", "command_terms:=[gravity, coriolis, inertia]", "-p",
             on_resume, NULL});
  peer_bring_up(&peer);
  peer_wait_matched(&peer, out);
  publish_for(50);
  start = peer_clock();
  send_trajectory(out);
  for (int k = 0; k < 50 && !strstr(peer.log_text, "trajectory of 1 points"); k++) publish_for(20);
  peer_logged(&peer, "trajectory of 1 points");
  while (peer_clock() < start + 800000000) publish_for(10);
  peer_forget_log(&peer);
}

// torque of joint1 for the reference at this time, the arm being at rest where it began
static double
torque_at(int64_t time)
{
  const double s = fmin(1e-9 * (double)(time - start) / DURATION, 1);
  const double q = distance * s * s * (3 - 2 * s), v = distance * 6 * s * (1 - s) / DURATION;
  const double a = distance * 6 * (1 - 2 * s) / (DURATION * DURATION);
  const double wanted[N] = {s < 1 ? a + 100 * q + 20 * v : 100 * q};
  double tau[N];
  core_torques(&core, STATES[0][0], REST, wanted, tau);
  return tau[0];
}

static double
number_after(const char * line, const char * text)
{
  const char * at = strstr(line, text);
  assert_non_null(at);
  return strtod(at + strlen(text), NULL);
}

static void
hold_is_said(void ** state)
{
  (void)state;
  follow("on_resume:=hold", 0.3);
  const double at_stop = 1e-9 * (double)(peer_clock() - start);
  peer_wait_value(&peer, "trajectories_abandoned", "1");
  const double at = number_after(peer_logged(&peer, "WARN trajectory abandoned"), "abandoned at ");
  assert_true(at > at_stop - 0.3 && at < at_stop + 0.1);
  const double silence =
    number_after(peer_logged(&peer, "WARN trajectory abandoned"), " s: no joint state for ");
  assert_true(silence >= 0.5 && silence < 1.5);
  peer_logged(&peer, "no joint state for 0.5");
  peer_logged(&peer, "command stopped (on_stale: zero)");
  assert_non_null(strstr(peer_value(&peer, "trajectory_abandoned"), "no joint state for 0.5"));
  // silence is not a joint's fault
  assert_null(strstr(peer.log_text, "missing"));
  peer_logged(&peer, "no joint state has arrived for");
  assert_null(strstr(peer.log_text, "waiting for joint"));
  assert_near(peer.command, REST, N);

  publish_for(200);
  assert_near(peer.command, held, N);
  peer_logged(&peer, "INFO joint states resumed after");
  peer_logged(&peer, "holding position");
  // for good
  publish_for(300);
  assert_near(peer.command, held, N);
  peer_wait_value(&peer, "tracking", "false");
  assert_int_equal(peer_count(&peer, "trajectories_abandoned"), 1);
}

static void
continue_in_time(void ** state)
{
  (void)state;
  follow("on_resume:=continue", 0.3);
  peer_wait_value(&peer, "stale", "1");
  assert_near(peer.command, REST, N);
  peer_listen_for(&peer, 200);
  publish_for(100);
  peer_logged(&peer, "INFO joint states resumed after");
  peer_logged(&peer, "continuing the trajectory at ");
  int compared = 0;
  for (int64_t before = 0, sent = 0; sent < start + (int64_t)(1e9 * (DURATION + 0.2));) {
    const uint64_t count = peer.commands->count;
    before = sent, sent = peer_clock();
    peer_publish_now(&peer);
    const bool answered = peer_wait(&peer, &peer.commands->count, count + 1, 50);
    if (!answered) {
      // until there is no more answer to come that could be taken for one to the next
      peer_listen_for(&peer, 200);
      continue;
    }
    // the answer to this joint state, or a late one to that before: computed at some time since then,
    // in which the torque may pass an extremum. A machine that stalls leaves too much time to tell.
    const int64_t heard = peer_clock();
    if (heard - before < 40000000) {
      double least = HUGE_VAL, most = -HUGE_VAL;
      for (int k = 0; k <= 16; k++) {
        const double torque = torque_at(before + (heard - before) * k / 16);
        least = fmin(least, torque), most = fmax(most, torque);
      }
      const double torque = peer.command[0];
      if (!(torque >= least - 1e-4 && torque <= most + 1e-4)) {
        fail_msg(
          "%g N m at %g s (%g ms after the joint state before), expected %g to %g", torque,
          1e-9 * (double)(heard - start), 1e-6 * (double)(heard - before), least, most);
      }
      compared++;
    }
    peer_listen_for(&peer, 10);
  }
  assert_true(compared > 20);
  peer_wait_report(&peer);
  assert_int_equal(peer_count(&peer, "trajectories_abandoned"), 0);
  assert_null(strstr(peer.log_text, "abandoned"));
}

// the trajectory is too far away when joint states are back: no jump to it
static void
continue_is_no_jump(void ** state)
{
  (void)state;
  follow("on_resume:=continue", 2.4);
  while (peer_clock() < start + 2000000000) peer_listen_for(&peer, 20);
  // twice the 0.5 rad that a reference may step
  assert_true(peer_count(&peer, "trajectories_abandoned") == 0);
  publish_for(200);
  assert_near(peer.command, held, N);
  const char * line = peer_logged(&peer, "WARN trajectory abandoned");
  assert_non_null(strstr(line, "max_reference_step"));
  const double at = number_after(line, "abandoned at ");
  assert_true(at >= 2 && at < 3);
  peer_logged(&peer, "holding position");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    TEST(hold_is_said), TEST(continue_in_time), TEST(continue_is_no_jump)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
