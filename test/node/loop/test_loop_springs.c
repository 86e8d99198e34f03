// An arm that springs balance: gravity compensation holds it if the node knows the springs, and lifts it
// if the node does not.
#include <math.h>

#include "loop_rig.h"
#include "mbdyn/mechanism.h"

#define ARM       MBDYN_SOURCE_DIR "/config/robots/balanced_arm.urdf"
#define MECHANISM MBDYN_SOURCE_DIR "/config/robots/balanced_arm.mechanism.yaml"
#define SPRINGS   "-p", "mechanism_file:=" MECHANISM
#define SIM(...)                                                                           \
  ARGS(                                                                                    \
    SIM_ARG, "-p", "robot_description_file:=" ARM, SPRINGS, "-p", "friction:=false", "-p", \
    "rate:=1000.0", __VA_ARGS__)
#define NODE(...)                                                                             \
  ARGS(                                                                                       \
    NODE_ARG, "-p", "robot_description_file:=" ARM, "-p", "mode:=gravity_compensation", "-p", \
    "damping:=[0.0]", "-p", "publish.terms:=1", __VA_ARGS__)

static rig_t rig;

// released from the brakes at the pose of the file; the largest way of a joint in a second
static double
drift_of(const char * const * sim, const char * const * node)
{
  rig_open(&rig, ARM, false);
  track_t * states = rig_track(&rig, "/joint_states");
  rig_start_sim(&rig, sim);
  rig_start_node(&rig, node);
  const size_t released = rig_released(&rig, states);
  rig_run_to(&rig, states, states->sample[released].stamp + 1000000000);
  const double drift = track_drift(states, released);
  assert_driven(states, released);
  // the pose is that of the section `initial`
  const double start[3] = {0, 0.3, -0.6};
  assert_close(states->sample[0].q, start, 3, 1e-9, "initial pose");
  print_message("  drift %.3g rad in 1 s\n", drift);
  rig_close(&rig);
  return drift;
}

static void
springs_that_count_hold_the_arm(void ** state)
{
  (void)state;
  assert_true(drift_of(SIM("-p", "integrator:=semi_implicit"), NODE(SPRINGS)) < 1e-3);
}

// the same on charts
static void
springs_hold_it_on_charts(void ** state)
{
  (void)state;
  const char * const * sim = SIM("-p", "integrator:=chart_rk4", "-p", "limits:=false");
  assert_true(drift_of(sim, NODE(SPRINGS)) < 1e-3);
}

static void
springs_left_out_let_it_rise(void ** state)
{
  (void)state;
  assert_true(drift_of(SIM("-p", "integrator:=semi_implicit"), NODE("-p", "rotors:=true")) > 0.3);
}

//---------- what the node publishes ----------

// holding torque: slope of the potential energy of weights and springs, by hand
static double
potential(const double * q)
{
  const double g = 9.81, s = q[1], t = q[1] + q[2];
  const double weight = g * (4 * 0.25 * sin(s) + 2 * (0.5 * sin(s) + 0.2 * sin(t)));
  // spring of 720 N/m from 0.2 m above the shoulder to 0.2 m along the upper arm
  const double x = 0.2 * cos(s), z = 0.2 * sin(s) - 0.2, stretch = sqrt(x * x + z * z) - 0.05;
  return weight + 360 * stretch * stretch + 0.25 * q[2] * q[2] - 3 * q[2];
}

static void
gravity_torques_are_those_of_weight_and_springs(void ** state)
{
  (void)state;
  static const double at[3][3] = {{0.2, 0.3, -0.6}, {-1, 0.9, -1.4}, {0.5, -0.4, 0.2}};
  rig_open(&rig, ARM, false);
  const track_t * torques = rig_track(&rig, "/mbdyn/torques/gravity");
  const track_t * states = rig_track(&rig, "/joint_states");
  char positions[80];
  int compared = 0;
  for (int k = 0; k < 3; k++) {
    snprintf(
      positions, sizeof positions, "initial_positions:=[%.3f, %.3f, %.3f]", at[k][0], at[k][1],
      at[k][2]);
    rig_start_sim(&rig, SIM("-p", positions));
    rig_start_node(&rig, NODE(SPRINGS, "-p", "mode:=passive"));
    const size_t n = torques->n;
    rig_wait(&rig, torques, n + 20);
    double tau[3];
    for (int i = 0; i < 3; i++) {
      double up[3], down[3];
      for (int j = 0; j < 3; j++) up[j] = down[j] = at[k][j];
      up[i] += 1e-5, down[i] -= 1e-5;
      tau[i] = (potential(up) - potential(down)) / 2e-5;
    }
    // a passive node commands nothing: the brakes stay on
    assert_close(torques->sample[n + 5].effort, tau, 3, 1e-6, "pose %d", k);
    compared++;
    while (rig.nprocess > 0) {
      assert_int_equal(process_end(&rig.process[--rig.nprocess], SIGINT, PEER_TIMEOUT), 0);
    }
  }
  assert_int_equal(compared, 3);
  assert_true(states->n > 0);
  rig_close(&rig);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(springs_that_count_hold_the_arm, rig_kill),
    cmocka_unit_test_teardown(springs_hold_it_on_charts, rig_kill),
    cmocka_unit_test_teardown(springs_left_out_let_it_rise, rig_kill),
    cmocka_unit_test_teardown(gravity_torques_are_those_of_weight_and_springs, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
