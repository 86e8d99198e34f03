// Wrong command lines and help of the ROS commands: nobody else is on the network.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "ros_cli.h"

static void
refused(const char * const * args, const char * why)
{
  run_t run = run_to_end(args);
  expect_code(&run, 2);
  assert_string_equal(run.out, "");
  expect_text(run.err, why);
  run_free(&run);
}

#define REFUSED(why, ...) refused((const char * const[]){__VA_ARGS__, NULL}, why)

static void
test_wrong_usage(void ** state)
{
  (void)state;
  REFUSED("usage: mbdyn topic VERB", "topic");
  REFUSED("unknown verb 'eco'; did you mean 'echo'?", "topic", "eco");
  REFUSED("expected TOPIC", "topic", "echo");
  REFUSED("unexpected argument '/b'", "topic", "echo", "/a", "/b");
  REFUSED("unknown option '--onc'; did you mean '--once'?", "topic", "echo", "--onc", "/a");
  REFUSED("--times needs N", "topic", "echo", "/a", "-n");
  REFUSED("--times 'x': expected a non-negative integer", "topic", "echo", "/a", "-n", "x");
  REFUSED("--wait '-1': expected a number", "topic", "list", "--wait=-1");
  REFUSED("--once takes no value", "topic", "echo", "--once=1", "/a");
  REFUSED("expected TOPIC TYPE", "topic", "pub", "/a");
  REFUSED("expected NODE NAME VALUE", "param", "set", "/a", "b");
  REFUSED("'/a//b' is not a valid name", "topic", "echo", "/a//b");
  REFUSED("--qos 'odd': expected", "topic", "pub", "--qos", "odd", "/a", "std_msgs/msg/Empty");
}

static void
test_wrong_values(void ** state)
{
  (void)state;
  REFUSED(
    "unknown message type 'std_msgs/msg/Strin'; did you mean 'std_msgs/msg/String'?", "topic",
    "pub", "/a", "std_msgs/msg/Strin");
  REFUSED(
    "sensor_msgs/msg: CompressedImage Imu JointState", "topic", "pub", "/a", "nothing/like/this");
  REFUSED("std_srvs/srv: ", "service", "call", "/a", "nothing/like/this");
  // a message is no service
  REFUSED("unknown service type", "service", "call", "/a", "std_msgs/msg/String");
  REFUSED("no field 'dta' in String", "topic", "pub", "/a", "std_msgs/msg/String", "{dta: x}");
  REFUSED("values: line 1, column", "topic", "pub", "/a", "std_msgs/msg/String", "{data: [x}");
  REFUSED("duplicate name", "topic", "pub", "/a", "std_msgs/msg/String", "{data: x, data: y}");
  REFUSED("values: ", "topic", "pub", "/a", "std_msgs/msg/Bool", "{data: 3}");
}

static void
test_bad_ros_args(void ** state)
{
  (void)state;
  REFUSED("cannot start", "topic", "list", "--ros-args", "-r", "no rule");
  setenv("ROS_DOMAIN_ID", "x", 1);
  REFUSED("ROS_DOMAIN_ID 'x' is not a number", "topic", "list");
  setenv("ROS_DOMAIN_ID", getenv("TEST_DOMAIN"), 1);
}

static void
test_help(void ** state)
{
  (void)state;
  static const char * const verbs[][2] = {
    {"topic", "list"},   {"topic", "echo"},  {"topic", "hz"},       {"topic", "pub"},
    {"topic", "info"},   {"node", "list"},   {"node", "info"},      {"param", "list"},
    {"param", "get"},    {"param", "set"},   {"param", "describe"}, {"param", "dump"},
    {"service", "list"}, {"service", "call"}};
  for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
    run_t run = RUN(verbs[i][0], verbs[i][1], i % 2 ? "-h" : "--help");
    expect_code(&run, 0);
    expect_text(run.out, "usage: mbdyn ");
    expect_text(run.out, "examples:\n  mbdyn ");
    run_free(&run);
    run = RUN(verbs[i][0], "--help");
    expect_code(&run, 0);
    expect_text(run.out, verbs[i][1]);
    run_free(&run);
  }
}

static void
test_nobody(void ** state)
{
  (void)state;
  static const char * const commands[][3] = {
    {"topic", "list", "found no topic in ROS domain"},
    {"node", "list", "found no node in ROS domain"},
    {"service", "list", "found no service in ROS domain"},
    {"param", "list", "found no node with parameters in ROS domain"},
    {"lifecycle", "nodes", "found no lifecycle node in ROS domain"},
    {"lifecycle", "get", "found no lifecycle node in ROS domain"}};
  for (size_t i = 0; i < 6; i++) {
    run_t run = RUN(commands[i][0], commands[i][1], "--wait", "0.2");
    expect_code(&run, 1);
    assert_string_equal(run.out, "");
    expect_text(run.err, commands[i][2]);
    expect_text(run.err, getenv("ROS_DOMAIN_ID"));
    run_free(&run);
  }
}

// the loopback interface has no multicast on most machines: known, and no warning to every command
static void
test_localhost_only(void ** state)
{
  (void)state;
  char * uri = strdup(getenv("CYCLONEDDS_URI"));
  unsetenv("CYCLONEDDS_URI");
  setenv("ROS_LOCALHOST_ONLY", "1", 1);
  run_t node = start(TEST_NODE, (const char * const[]){NULL});
  run_t run = RUN("node", "list", "--wait", "2");
  finish_process(&node, SIGTERM);
  expect_code(&run, 0);
  expect_text(run.out, "/");
  assert_string_equal(run.err, "");
  run_free(&run);
  run_free(&node);
  unsetenv("ROS_LOCALHOST_ONLY");
  setenv("CYCLONEDDS_URI", uri, 1);
  free(uri);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_wrong_usage),  cmocka_unit_test(test_wrong_values),
    cmocka_unit_test(test_bad_ros_args), cmocka_unit_test(test_help),
    cmocka_unit_test(test_nobody),       cmocka_unit_test(test_localhost_only),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
