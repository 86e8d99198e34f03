// Following a motion: computed torque, feed-forward alone, and the state of a trajectory controller.
#include <math.h>
#include <string.h>

#include "control_msgs/msg/joint_trajectory_controller_state.h"
#include "loop_messages.h"
#include "loop_rig.h"
#include "trajectory_msgs/msg/joint_trajectory.h"

#define TYPE(package, name) ROSIDL_GET_MSG_TYPE_SUPPORT(package, msg, name)

static rig_t rig;

//---------- the motion ----------

static const double START[PEER_JOINTS] = ARM7_START;
static const double PERIOD = 3;  // [s]; at rest at its beginning and end
static double first_error;       // of the motion's joints from where the arm starts

// q0 + A (1 - cos w t): every joint by itself, all at once
static void
motion(double t, double * q, double * v, double * a)
{
  static const double amplitude[PEER_JOINTS] = {0.3, 0.2, -0.25, 0.25, 0.3, -0.3, 0.4};
  static const int turns[PEER_JOINTS] = {1, 2, 1, 2, 2, 1, 2};
  for (int i = 0; i < PEER_JOINTS; i++) {
    const double w = 2 * acos(-1.0) * turns[i] / PERIOD;
    q[i] = START[i] + first_error + amplitude[i] * (1 - cos(w * t));
    v[i] = amplitude[i] * w * sin(w * t);
    a[i] = amplitude[i] * w * w * cos(w * t);
  }
}

// of positions at the stamps of joint states, from one time of the motion to another; the motion
// ends at rest
static double
rms_error(const track_t * states, int64_t start, double from, double to)
{
  double sum = 0, n = 0;
  for (size_t i = track_after(states, start + (int64_t)(1e9 * from)); i < states->n; i++) {
    const sample_t * s = &states->sample[i];
    const double t = 1e-9 * (double)(s->stamp - start);
    double q[PEER_JOINTS], v[PEER_JOINTS], a[PEER_JOINTS];
    if (t > to) break;
    motion(t < PERIOD ? t : PERIOD, q, v, a);
    for (int k = 0; k < PEER_JOINTS; k++) sum += pow(s->q[k] - q[k], 2);
    n += PEER_JOINTS;
  }
  assert_true(n > 100 * PEER_JOINTS);
  return sqrt(sum / n);
}

//---------- trajectories ----------

#define SIM(...) ARGS(SIM_ARM7_ARG, "-p", __VA_ARGS__)

// follows the motion for some seconds, from 0.4 s from now on
static int64_t
follow(
  const char * const * sim, const char * const * node, double seconds, const track_t ** states_out)
{
  rig_open(&rig, ARM7, false);
  const track_t * states = *states_out = rig_track(&rig, "/joint_states");
  rcl_publisher_t * trajectories =
    peer_publisher(&rig.peer, TYPE(trajectory_msgs, JointTrajectory), "/mbdyn/joint_trajectory");
  rig_start_sim(&rig, sim);
  rig_start_node(&rig, node);
  rig_released(&rig, states);
  peer_wait_matched(&rig.peer, trajectories);
  const int64_t start = track_last(states)->stamp + 400000000;
  send_trajectory(&rig, trajectories, motion, start, PERIOD, 31);
  if (track_last(states)->stamp >= start) fail_msg("the node took the trajectory too late");
  rig_run_to(&rig, states, start + (int64_t)(1e9 * seconds));
  return start;
}

// closes the rig
static double
finish_track(const track_t * states, int64_t start, double from, double to, double * stall)
{
  const double rms = rms_error(states, start, from, to);
  *stall = track_stall(states, track_after(states, start));
  print_message("  rms %.3g rad\n", rms);
  rig_close(&rig);
  return rms;
}

static double
follow_from_outside(double * stall)
{
  const track_t * states;
  first_error = 0.05;
  const int64_t start = follow(
    SIM("friction:=false"), ARGS(NODE_ARG, "-p", "mode:=computed_torque"), PERIOD + 0.3, &states);
  return finish_track(states, start, 0.5, PERIOD + 0.3, stall);
}

static void
computed_torque_tracks(void ** state)
{
  (void)state;
  assert_true(rig_attempts(follow_from_outside, 5e-3) < 5e-3);
}

static void
without_gains_it_does_not(void ** state)
{
  (void)state;
  const track_t * states;
  first_error = 0.05;
  const int64_t start = follow(
    SIM("friction:=false"),
    ARGS(NODE_ARG, "-p", "mode:=computed_torque", "-p", "kp:=[0.0]", "-p", "kd:=[0.0]"), 1,
    &states);
  double stall;
  assert_true(finish_track(states, start, 0.5, 1, &stall) > 0.03);
}

// with the default terms and gains
static double
follow_with_friction(double * stall)
{
  const track_t * states;
  first_error = 0;
  const int64_t start =
    follow(SIM("friction:=true"), ARGS(NODE_ARG, "-p", "mode:=computed_torque"), PERIOD, &states);
  return finish_track(states, start, 0, PERIOD, stall);
}

static void
friction_is_compensated(void ** state)
{
  (void)state;
  assert_true(rig_attempts(follow_with_friction, 0.025) < 0.025);
}

// hanging from the ceiling, where errors do not grow by themselves; late commands would count, so
// on a clock that leaves time for them
static double
follow_open_loop(double * stall)
{
  const track_t * states;
  first_error = 0;
  const int64_t start = follow(
    SIM(
      "friction:=false", "-p", "gravity:=[0.0, 0.0, 9.81]", SIM_CLOCK_ARG, "-p",
      "real_time_factor:=0.5"),
    ARGS(
      NODE_ARG, NODE_CLOCK_ARG, "-p", "mode:=inverse_dynamics", "-p", "friction:=false", "-p",
      "gravity:=[0.0, 0.0, 9.81]"),
    1, &states);
  return finish_track(states, start, 0, 1, stall);
}

static void
feed_forward_tracks_open_loop(void ** state)
{
  (void)state;
  assert_true(rig_attempts(follow_open_loop, 0.03) < 0.03);
}

//---------- the state of a joint trajectory controller ----------

static void
motion_then_rest(double t, double * q, double * v, double * a)
{
  motion(t < PERIOD ? t : PERIOD, q, v, a);
  if (t < PERIOD) return;
  memset(v, 0, PEER_JOINTS * sizeof *v);
  memset(a, 0, PEER_JOINTS * sizeof *a);
}

// publishes the motion at 200 Hz from now on, until some time after its end
static int64_t
stream(rcl_publisher_t * publisher)
{
  const int64_t start = peer_clock(), end = start + (int64_t)(1e9 * (PERIOD + 0.1));
  for (int64_t next = start; next < end; next += 5000000) {
    while (peer_clock() < next) peer_spin(&rig.peer, 1);
    const int64_t now = peer_clock();
    send_controller_state(publisher, motion_then_rest, now, 1e-9 * (double)(now - start));
  }
  return start;
}

static double
follow_stream(double * stall)
{
  first_error = 0;
  rig_open(&rig, ARM7, false);
  const track_t * states = rig_track(&rig, "/joint_states");
  rcl_publisher_t * publisher = peer_publisher(
    &rig.peer, TYPE(control_msgs, JointTrajectoryControllerState), "/jtc/controller_state");
  rig_start_sim(&rig, SIM("friction:=false"));
  rig_start_node(
    &rig,
    ARGS(
      NODE_ARG, "-p", "mode:=computed_torque", "-r", "~/controller_state:=/jtc/controller_state"));
  rig_released(&rig, states);
  peer_wait_matched(&rig.peer, publisher);
  // then it is silent, for longer than target_timeout: the end is held
  const int64_t start = stream(publisher);
  rig_run_to(&rig, states, start + (int64_t)(1e9 * (PERIOD + 0.5)));
  return finish_track(states, start, 0, PERIOD + 0.5, stall);
}

static void
state_of_a_trajectory_controller_is_followed(void ** state)
{
  (void)state;
  assert_true(rig_attempts(follow_stream, 0.01) < 0.01);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(computed_torque_tracks, rig_kill),
    cmocka_unit_test_teardown(without_gains_it_does_not, rig_kill),
    cmocka_unit_test_teardown(friction_is_compensated, rig_kill),
    cmocka_unit_test_teardown(state_of_a_trajectory_controller_is_followed, rig_kill),
    cmocka_unit_test_teardown(feed_forward_tracks_open_loop, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
