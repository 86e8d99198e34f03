// Two robots at once, each in its namespace: what happens to one is nothing to the other.
#include <signal.h>

#include "loop_messages.h"
#include "loop_rig.h"

static rig_t rig;    // of arm7 on the left
static rig_t right;  // of arm6: its model alone

static const mbd_vec3_t EARTH = {0, 0, -9.81};

// the torques that a node has published are those of its own robot
static void
check_torques(const rig_t * robot, const track_t * torques)
{
  assert_true(torques->n > 100);
  for (size_t i = 0; i < torques->n; i += 50) {
    double expected[RIG_DOFS];
    rig_gravity(robot, torques->sample[i].q, EARTH, expected);
    assert_close(torques->sample[i].effort, expected, robot->model->nv, 1e-12, "sample %zu", i);
  }
}

static void
start_left(void)
{
  rig_start_sim(
    &rig, ARGS(
            "-r", "__ns:=/left", "-r", "~/commands:=/left/mbdyn/command", "-p",
            "robot_description_file:=" ARM7, "-p", "friction:=false", ARM7_START_ARG));
  rig_start_node(&rig, ARGS("-r", "__ns:=/left", NODE_ARG, "-p", "publish.terms:=1"));
}

static void
start_right(void)
{
  rig_start_sim(
    &rig, ARGS(
            "-r", "__ns:=/right", "-r", "~/commands:=/right/mbdyn/command", "-p",
            "robot_description_file:=" ARM6, "-p", "friction:=false", "-p",
            "initial_positions:=[0.3, -1.0, 1.2, -0.5, 0.6, 0.2]"));
  rig_start_node(
    &rig,
    ARGS("-r", "__ns:=/right", NODE_ARG, "-p", "mode:=computed_torque", "-p", "publish.terms:=1"));
}

static void
two_robots_do_not_disturb_each_other(void ** state)
{
  (void)state;
  rig_open(&rig, ARM7, false);
  rig_load(&right, ARM6, false);
  const track_t * a = rig_track(&rig, "/left/joint_states");
  const track_t * b = rig_track_of(&rig, right.model, "/right/joint_states");
  const track_t * a_torques = rig_track(&rig, "/left/mbdyn/torques/gravity");
  const track_t * b_torques = rig_track_of(&rig, right.model, "/right/mbdyn/torques/gravity");
  start_left();
  start_right();
  const size_t a_free = rig_released(&rig, a), b_free = rig_released(&rig, b);
  rig_run(&rig, a, 1);
  assert_driven(a, a_free);
  assert_driven(b, b_free);
  const double a_still = track_drift(a, a_free), b_still = track_drift(b, b_free);

  // one is pushed
  call_push(&rig, "/left/robot", "tool", (mbd_force_t){{0, 0, 0}, {0, 15, 0}}, 0.3);
  rig_run(&rig, a, 0.6);
  const double a_pushed = track_drift(a, a_free), b_other = track_drift(b, b_free);

  // the node of the other ends: motors without torque, and that arm falls
  const size_t a_end = a->n - 1, b_end = b->n - 1;
  assert_int_equal(process_end(&rig.process[--rig.nprocess], SIGINT, PEER_TIMEOUT), 0);
  rig_run(&rig, a, 0.5);
  const double b_fell = track_drift(b, b_end);
  assert_driven(a, a_end);
  print_message(
    "  still: %.3g and %.3g rad; one pushed: %.3g and %.3g; one let go: %.3g\n", a_still, b_still,
    a_pushed, b_other, b_fell);
  check_torques(&rig, a_torques);
  check_torques(&right, b_torques);
  rig_close(&rig);
  rig_unload(&right);
  assert_true(a_still < 1e-3 && b_still < 1e-3);
  assert_true(a_pushed > 0.05 && b_other < 1e-3);
  assert_true(b_fell > 0.1);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(two_robots_do_not_disturb_each_other, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
