// The node itself under the policy that we ship: it is allowed everything it has, hears the robot
// and the operator that have keys, and not those that have none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "keystore.h"
#include "process.h"

enum { CALL_MS = 60000, END_MS = 10000 };

static keystore_t ours;
static char output[16384];  // of the last command

// runs a command of `mbdyn` as somebody
static int
mbdyn(const keystore_t * keystore, const char * enclave, const char * const * argv)
{
  be(keystore, enclave);
  return process_run(argv, output, sizeof output);
}

#define MBDYN_AS(keystore, enclave, ...) \
  mbdyn(keystore, enclave, (const char * const[]){MBDYN_CLI, __VA_ARGS__, NULL})

static void
says(const char * text)
{
  if (strstr(output, text) == NULL) fail_msg("no '%s' in:\n%s", text, output);
}

static void
state_is(const char * label)
{
  assert_int_equal(
    MBDYN_AS(
      &ours, "/operator", "service", "call", "--wait", "30", "/mbdyn/get_state",
      "lifecycle_msgs/srv/GetState"),
    0);
  says(label);
}

static void
mode_is(const char * mode)
{
  assert_int_equal(
    MBDYN_AS(&ours, "/operator", "param", "get", "--wait", "30", "/mbdyn", "mode"), 0);
  says(mode);
}

// every topic that it can have, so that the policy must allow every one
static void
start_node(process_t * node)
{
  static const char * const argv[] = {MBDYN_NODE, "--ros-args",
                                      "-p",       "publish.terms:=1",
                                      "-p",       "publish.trajectory_effort:=true",
                                      "-p",       "frames:=[tool, flange]",
                                      "-p",       "use_sim_time:=false",
                                      "-p",       "on_stale:=hold",
                                      NULL};
  be(&ours, "/mbdyn");
  process_start(node, argv);
}

static void
start_robot(process_t * robot, const keystore_t * keystore, const char * file)
{
  const char * const argv[] = {MBDYN_SIM, "--ros-args", "-p", file, NULL};
  be(keystore, "/robot");
  process_start(robot, argv);
}

// a stranger's robot is on the air first, with another description
static void
robot_with_keys_is_taken(void ** state)
{
  (void)state;
  static process_t node, robot, stranger;
  start_robot(&stranger, NULL, "robot_description_file:=" ROBOTS "/arm7.urdf");
  assert_int_equal(
    MBDYN_AS(NULL, NULL, "topic", "echo", "--once", "--wait", "30", "/joint_states"), 0);
  start_node(&node);
  state_is("label: unconfigured\n");
  start_robot(&robot, &ours, "robot_description_file:=" ROBOTS "/arm6.urdf");
  assert_int_equal(
    MBDYN_AS(&ours, "/viewer", "topic", "echo", "--once", "--wait", "30", "/mbdyn/dynamics"), 0);
  says("model_name: arm6");
  state_is("label: active\n");
  assert_int_equal(process_end(&stranger, SIGTERM, END_MS), 0);
  assert_int_equal(process_end(&node, SIGTERM, END_MS), 0);
  assert_int_equal(process_end(&robot, SIGTERM, END_MS), 0);
}

static void
only_the_operator_sets(void ** state)
{
  (void)state;
  static process_t node;
  start_node(&node);
  mode_is("gravity_compensation");
  assert_int_not_equal(MBDYN_AS(NULL, NULL, "param", "set", "/mbdyn", "mode", "passive"), 0);
  assert_int_not_equal(MBDYN_AS(&ours, "/viewer", "param", "set", "/mbdyn", "mode", "passive"), 0);
  assert_int_not_equal(MBDYN_AS(&ours, "/robot", "param", "set", "/mbdyn", "mode", "passive"), 0);
  mode_is("gravity_compensation");
  assert_int_equal(
    MBDYN_AS(&ours, "/operator", "param", "set", "--wait", "30", "/mbdyn", "mode", "passive"), 0);
  mode_is("passive");
  assert_int_equal(process_end(&node, SIGTERM, END_MS), 0);
}

// a policy that lacks one of its topics: the node does not run on without it
static void
missing_right_is_an_error(void ** state)
{
  (void)state;
  static process_t node;
  be(&ours, "/viewer");
  const char * const argv[] = {MBDYN_NODE, NULL};
  process_start(&node, argv);
  assert_int_not_equal(process_end(&node, 0, CALL_MS), 0);
}

static int
make_keys(void ** state)
{
  (void)state;
  keystore_make(&ours);
  return 0;
}

static int
remove_keys(void ** state)
{
  (void)state;
  keystore_remove(&ours);
  return 0;
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(robot_with_keys_is_taken, process_kill_all),
    cmocka_unit_test_teardown(only_the_operator_sets, process_kill_all),
    cmocka_unit_test_teardown(missing_right_is_an_error, process_kill_all),
  };
  return cmocka_run_group_tests(tests, make_keys, remove_keys);
}
