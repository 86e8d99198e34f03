// Velocity gains that are more than the robot takes at the rate of its commands.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loop_rig.h"

#define FINGER   MBDYN_SOURCE_DIR "/config/robots/finger.urdf"
#define LOOPS    "-p", "loops_file:=" MBDYN_SOURCE_DIR "/config/robots/finger.loops.yaml"
#define FILE_ARG "--params-file", MBDYN_SOURCE_DIR "/config/gravity_compensation.yaml"

static rig_t rig;

// a light robot with the parameter file of the launch default: its damping is more than a joint of
// 1e-4 kg m^2 takes at 1 kHz
static void
finger_floats_at_rest(void ** state)
{
  (void)state;
  double peak = 0;
  rig_open(&rig, FINGER, false);
  const track_t * states = rig_track(&rig, "/joint_states");
  rig_start_sim(
    &rig,
    ARGS(SIM_ARG, "-p", "robot_description_file:=" FINGER, LOOPS, "-p", "noise.velocity:=2.0e-4"));
  rig_start_node(&rig, ARGS(FILE_ARG, NODE_ARG, LOOPS));
  const size_t released = rig_released(&rig, states);
  rig_run(&rig, states, 3);
  for (size_t i = released; i < states->n; i++) peak = fmax(peak, fabs(states->sample[i].v[0]));
  print_message("  %zu states, at most %.2g rad/s\n", states->n - released, peak);
  // it is 0.001 rad/s; a machine that stands still for a tenth of a second, its last command held,
  // makes 25 times that. Without the bound it goes to 40 rad/s
  assert_true(peak < 1);
  assert_driven(states, released);

  // the log and the diagnostics say which gain, and what it is bounded to
  const char * line = peer_logged(&rig.peer, "damping of knuckle is 0.5");
  assert_non_null(strstr(line, "limited to the bound"));
  peer_wait_report(&rig.peer);
  assert_true(peer_count(&rig.peer, "gains_bounded") > 0);
  assert_int_equal(peer_count(&rig.peer, "saturations"), 0);
  assert_string_equal(peer_value(&rig.peer, "bounded_gain"), "damping of knuckle: 0.5");
  const double bound = strtod(peer_value(&rig.peer, "gain_bound"), NULL);
  assert_true(bound > 1e-4 && bound < 0.1);
  assert_true(strtod(peer_value(&rig.peer, "command_rate_hz"), NULL) > 1);
  rig_close(&rig);
}

// every fifth joint state is answered: it is the rate of commands that counts
static void
rate_of_commands_counts(void ** state)
{
  (void)state;
  rig_open(&rig, ARM7, false);
  const track_t * states = rig_track(&rig, "/joint_states");
  rig_start_sim(&rig, ARGS(SIM_ARM7_ARG, "-p", "rate:=500.0"));
  rig_start_node(
    &rig, ARGS(
            NODE_ARG, "-p", "mode:=computed_torque", "-p", "publish.command:=5", "-p",
            "kp:=[900.0]", "-p", "kd:=[60.0]"));
  rig_released(&rig, states);
  // 60 / s are fine at 500 Hz, and not at 100
  peer_logged(&rig.peer, "kd of joint1 is 60");
  peer_wait_report(&rig.peer);
  const double rate = strtod(peer_value(&rig.peer, "command_rate_hz"), NULL);
  const double bound = strtod(peer_value(&rig.peer, "gain_bound"), NULL);
  print_message("  %.1f commands per second, bound %g\n", rate, bound);
  assert_true(rate > 5 && rate < 110);
  // 1 / 4 T; both are of the same moment
  assert_true(fabs(bound / rate - 0.25) < 1e-3);
  rig_close(&rig);
}

// what is guessed of the rate before the first joint states is no reason for a warning
static void
usual_gains_are_not_reported(void ** state)
{
  (void)state;
  rig_open(&rig, ARM7, false);
  const track_t * states = rig_track(&rig, "/joint_states");
  rig_start_sim(&rig, ARGS(SIM_ARM7_ARG));
  rig_start_node(&rig, ARGS(NODE_ARG, "-p", "mode:=computed_torque", "-p", "kd:=[2.0]"));
  rig_released(&rig, states);
  rig_run(&rig, states, 2);
  peer_wait_report(&rig.peer);
  assert_int_equal(peer_count(&rig.peer, "gains_bounded"), 0);
  assert_null(strstr(rig.peer.log_text, "kd of"));
  rig_close(&rig);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(finger_floats_at_rest, rig_kill),
    cmocka_unit_test_teardown(rate_of_commands_counts, rig_kill),
    cmocka_unit_test_teardown(usual_gains_are_not_reported, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
