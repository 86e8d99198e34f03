// `mbdyn action` with the node and a simulated arm.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "ros_cli.h"

static run_t robot, node;

static int
set_up(void ** state)
{
  if (cli_setup(state) != 0) return -1;
  static const char * const sim[] = {
    "--ros-args", "-p", "robot_description_file:=" ROBOT, "-r", "joint_states:=/joint_states",
    NULL};
  static const char * const mbdyn[] = {
    "--ros-args",
    "-p",
    "robot_description_file:=" ROBOT,
    "-p",
    "mode:=computed_torque",
    "-p",
    "command_terms:=[gravity, coriolis, inertia, friction]",
    "-p",
    "stop_jerk:=20.0",
    "-r",
    "~/command:=/robot/commands",
    NULL};
  robot = start(MBDYN_SIM, sim);
  node = start(MBDYN_NODE, mbdyn);
  // it is active
  run_t command = RUN("topic", "echo", "--once", "--timeout", "15", "/robot/commands");
  expect_code(&command, 0);
  run_free(&command);
  return 0;
}

static int
tear_down(void ** state)
{
  finish_process(&node, SIGTERM);
  finish_process(&robot, SIGTERM);
  const int codes = node.code + robot.code;
  run_free(&node);
  run_free(&robot);
  assert_int_equal(codes, 0);
  return cli_teardown(state);
}

static void
expect(run_t run, int code, const char * out, const char * err)
{
  expect_code(&run, code);
  expect_text(run.out, out);
  expect_text(run.err, err);
  run_free(&run);
}

static void
goals(void ** state)
{
  (void)state;
  expect(
    RUN("action", "list", "-t"), 0,
    "/mbdyn/follow_joint_trajectory [control_msgs/action/FollowJointTrajectory]\n", "");
  expect(
    RUN("action", "move", "joint1=0.2", "--duration", "0.5"), 0, "SUCCEEDED: goal reached", "");

  FILE * table = fopen("motion.csv", "w");
  assert_non_null(table);
  fputs("t,tau_joint1,q_joint2,q_joint1\n0.4,7,0.05,0.1\n0.8,7,0.1,0.2\n", table);
  assert_int_equal(fclose(table), 0);
  expect(
    RUN("action", "follow", "motion.csv", "--goal-time", "5", "--path-tolerance", "0.3"), 0,
    "largest error", "");
  run_t run = RUN(
    "action", "send_goal", "--feedback", "/mbdyn/follow_joint_trajectory",
    "control_msgs/action/FollowJointTrajectory",
    "{trajectory: {joint_names: [joint1], points: [{positions: [0.1], velocities: [0],"
    " time_from_start: {nanosec: 500000000}}]}}");
  expect_code(&run, 0);
  expect_text(run.out, "Feedback:\n    header:");
  expect_text(run.out, "Result:\n    error_code: 0\n    error_string: goal reached");
  expect_text(run.out, "Goal finished with status: SUCCEEDED\n");
  run_free(&run);
}

static void
canceled(void ** state)
{
  (void)state;
  run_t run = START("action", "move", "joint1=1.5", "-d", "6");
  assert_true(printed(&run, "   1."));
  finish_process(&run, SIGINT);
  expect_code(&run, 1);
  expect_text(run.err, "canceling\n");
  expect_text(run.err, "CANCELED: canceled at ");
  run_free(&run);
  run_t now = RUN("topic", "echo", "--once", "/joint_states");
  expect_text(now.out, "position:\n- 0.");
  run_free(&now);
}

static void
mistakes(void ** state)
{
  (void)state;
  const char * type = "control_msgs/action/FollowJointTrajectory";
  expect(
    RUN("action", "move", "elbow=1"), 1, "",
    "ABORTED (error_code -2): the robot has no moving joint 'elbow'\n");
  expect(RUN("action", "move", "joint1"), 2, "", "'joint1' is not JOINT=POSITION");
  expect(RUN("action", "move", "joint1=nan"), 2, "", "'joint1=nan' is not JOINT=POSITION");
  expect(RUN("action", "follow", "nothing.csv"), 2, "", "nothing.csv: ");
  FILE * table = fopen("bad.csv", "w");
  assert_non_null(table);
  fputs("t,q_joint1,v_joint1,q_joint2\n1,0,0,0\n", table);
  assert_int_equal(fclose(table), 0);
  expect(RUN("action", "follow", "bad.csv"), 2, "", "bad.csv:1: missing column v_joint2\n");
  table = fopen("late.csv", "w");
  assert_non_null(table);
  fputs("t,q_joint1\n1,0\n0.5,0\n", table);
  assert_int_equal(fclose(table), 0);
  expect(RUN("action", "follow", "late.csv"), 2, "", "late.csv:3: column 1 (t): time 0.5 is");
  expect(
    RUN("action", "send_goal", "/a", "b/action/C", "{}"), 2, "",
    "unknown action type 'b/action/C'");
  expect(
    RUN("action", "send_goal", "/mbdyn/follow_joint_trajectory", type, "{speed: 1}"), 2, "",
    "speed");
  expect(
    RUN("action", "move", "a=1", "--action", "/b", "--wait", "0.2"), 1, "", "is not available");
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(goals), cmocka_unit_test(canceled), cmocka_unit_test(mistakes)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
