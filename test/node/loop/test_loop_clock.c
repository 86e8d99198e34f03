// Simulated time: the robot's clock runs at half speed, and the node keeps to it.
#include <math.h>

#include "loop_messages.h"
#include "loop_rig.h"
#include "trajectory_msgs/msg/joint_trajectory.h"

#define TRAJECTORY ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory)

static rig_t rig;

static const double START[PEER_JOINTS] = ARM7_START;
static const double DURATION = 1.2;  // of the simulation [s]

// from rest to rest
static void
motion(double t, double * q, double * v, double * a)
{
  static const double displacement[PEER_JOINTS] = {0.5, 0.3, -0.4, 0.4, 0.5, -0.4, 0.6};
  const double s = fmin(t / DURATION, 1);
  for (int i = 0; i < PEER_JOINTS; i++) {
    q[i] = START[i] + displacement[i] * s * s * s * (10 - 15 * s + 6 * s * s);
    v[i] = displacement[i] / DURATION * 30 * s * s * (1 - s) * (1 - s);
    a[i] = displacement[i] / (DURATION * DURATION) * 60 * s * (1 - s) * (1 - 2 * s);
  }
}

static double
rms_error(const track_t * states, int64_t start)
{
  double sum = 0, n = 0;
  for (size_t i = track_after(states, start); i < states->n; i++, n += PEER_JOINTS) {
    const sample_t * s = &states->sample[i];
    double q[PEER_JOINTS], v[PEER_JOINTS], a[PEER_JOINTS];
    motion(1e-9 * (double)(s->stamp - start), q, v, a);
    for (int k = 0; k < PEER_JOINTS; k++) sum += pow(s->q[k] - q[k], 2);
  }
  return sqrt(sum / n);
}

static void
start_sim(void)
{
  rig_start_sim(
    &rig,
    ARGS(SIM_ARM7_ARG, "-p", "friction:=false", SIM_CLOCK_ARG, "-p", "real_time_factor:=0.5"));
}

static double
follow(double * stall)
{
  rig_open(&rig, ARM7, false);
  const track_t * states = rig_track(&rig, "/joint_states");
  rcl_publisher_t * trajectories = peer_publisher(&rig.peer, TRAJECTORY, "/mbdyn/joint_trajectory");
  start_sim();
  rig_start_node(&rig, ARGS(NODE_ARG, "-p", "use_sim_time:=true", "-p", "mode:=computed_torque"));
  rig_released(&rig, states);
  peer_wait_matched(&rig.peer, trajectories);
  const int64_t begun = now_ns(), stamp = track_last(states)->stamp, start = stamp + 300000000;
  send_trajectory(&rig, trajectories, motion, start, DURATION, 7);
  assert_true(track_last(states)->stamp < start);
  rig_run_to(&rig, states, start + (int64_t)(1e9 * (DURATION + 0.2)));
  const double rms = rms_error(states, start);
  const double pace = (double)(track_last(states)->stamp - stamp) / (double)(now_ns() - begun);
  print_message("  rms %.3g rad at %.2f of real time\n", rms, pace);
  *stall = track_stall(states, track_after(states, start));
  rig_close(&rig);
  // stamps are seconds since the simulation began, not of the machine
  assert_true(start < INT64_C(600) * 1000000000 && pace < 0.6);
  return rms;
}

static void
trajectory_is_followed_in_simulated_time(void ** state)
{
  (void)state;
  assert_true(rig_attempts(follow, 5e-3) < 5e-3);
}

// stamps that are fifty years old are no joint states: no command
static void
node_on_the_clock_of_the_machine_refuses(void ** state)
{
  (void)state;
  rig_open(&rig, ARM7, false);
  const track_t * states = rig_track(&rig, "/joint_states");
  start_sim();
  rig_start_node(&rig, ARGS(NODE_ARG, "-p", "mode:=computed_torque"));
  peer_logged(&rig.peer, " late");
  rig_run(&rig, states, 0.2);
  assert_int_equal(rig.peer.commands->count, 0);
  assert_true(track_drift(states, 0) == 0);
  rig_close(&rig);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(trajectory_is_followed_in_simulated_time, rig_kill),
    cmocka_unit_test_teardown(node_on_the_clock_of_the_machine_refuses, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
