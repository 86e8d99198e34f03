// `mbdyn topic` against the test node and against itself.
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "ros_cli.h"

static void
test_list(void ** state)
{
  (void)state;
  run_t run = RUN("topic", "list", "-t", "--wait", "1");
  expect_code(&run, 0);
  expect_text(run.out, "/demo/joint_states [sensor_msgs/msg/JointState]\n");
  expect_text(run.out, "/demo/note [std_msgs/msg/String]\n");
  run_free(&run);

  run = RUN("topic", "list");
  expect_code(&run, 0);
  assert_string_equal(run.out, "/demo/joint_states\n/demo/note\n");
  run_free(&run);
}

static void
test_info(void ** state)
{
  (void)state;
  run_t run = RUN("topic", "info", "-v", "/demo/note");
  expect_code(&run, 0);
  expect_text(run.out, "Type: std_msgs/msg/String\n");
  expect_text(run.out, "Publisher count: 1\n");
  expect_text(run.out, "Node name: arm\nNode namespace: /demo\n");
  expect_text(run.out, "Reliability: RELIABLE\n");
  expect_text(run.out, "History (Depth): KEEP_LAST (1)\n");
  expect_text(run.out, "Durability: TRANSIENT_LOCAL\n");
  expect_text(run.out, "Subscription count: 0\n");
  run_free(&run);

  run = RUN("topic", "info", "/demo/joint_states");
  expect_code(&run, 0);
  assert_string_equal(
    run.out, "Type: sensor_msgs/msg/JointState\nPublisher count: 1\nSubscription count: 0\n");
  run_free(&run);
}

static void
test_latched(void ** state)
{
  (void)state;
  run_t run = RUN("topic", "echo", "--once", "--timeout", "10", "/demo/note");
  expect_code(&run, 0);
  assert_string_equal(run.out, "data: latched text\n---\n");
  run_free(&run);

  // who asks for less gets nothing
  run = RUN("topic", "echo", "--once", "--timeout", "0.5", "--qos", "volatile", "/demo/note");
  expect_code(&run, 1);
  expect_text(run.err, "no message on '/demo/note'");
  run_free(&run);
}

static void
test_best_effort(void ** state)
{
  (void)state;
  run_t run = RUN("topic", "echo", "-n", "3", "--json", "--timeout", "10", "demo/joint_states");
  expect_code(&run, 0);
  int lines = 0;
  for (const char * c = run.out; (c = strchr(c, '\n')) != NULL; c++) lines++;
  assert_int_equal(lines, 3);
  expect_text(run.out, "\"frame_id\": \"\"");
  run_free(&run);
}

static void
test_pub_echo(void ** state)
{
  (void)state;
  run_t pub = START(
    "topic", "pub", "-r", "20", "/chat", "geometry_msgs/msg/WrenchStamped",
    "{header: {frame_id: tool0}, wrench: {force: {x: 1.5, y: -2}}}");
  run_t echo = RUN("topic", "echo", "--once", "--timeout", "10", "/chat");
  expect_code(&echo, 0);
  assert_string_equal(
    echo.out,
    "header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: tool0\n"
    "wrench:\n  force:\n    x: 1.5\n    y: -2.0\n    z: 0.0\n"
    "  torque:\n    x: 0.0\n    y: 0.0\n    z: 0.0\n---\n");
  run_free(&echo);
  finish_process(&pub, SIGINT);
  expect_code(&pub, 0);
  expect_text(pub.out, "publishing #1: {");
  run_free(&pub);
}

static void
test_pub_once(void ** state)
{
  (void)state;
  run_t echo = START(
    "topic", "echo", "--once", "--timeout", "15", "--wait", "0.1", "--type", "std_msgs/msg/String",
    "/late");
  run_t pub =
    RUN("topic", "pub", "--once", "--wait", "10", "/late", "std_msgs/String", "{\"data\": \"x\"}");
  expect_code(&pub, 0);
  assert_string_equal(pub.out, "publishing #1: {\"data\": \"x\"}\n");
  run_free(&pub);
  finish_process(&echo, 0);
  expect_code(&echo, 0);
  assert_string_equal(echo.out, "data: x\n---\n");
  run_free(&echo);

  // nobody listens
  pub = RUN("topic", "pub", "--once", "--wait", "0.3", "/nobody", "std_msgs/msg/Empty");
  expect_code(&pub, 1);
  expect_text(pub.err, "0 of 1 subscriptions");
  run_free(&pub);
}

static void
test_remap(void ** state)
{
  (void)state;
  run_t run = RUN(
    "topic", "echo", "--once", "--timeout", "10", "other", "--ros-args", "-r", "other:=/demo/note");
  expect_code(&run, 0);
  assert_string_equal(run.out, "data: latched text\n---\n");
  run_free(&run);
}

static void
test_hz(void ** state)
{
  (void)state;
  run_t run = RUN("topic", "hz", "-n", "2", "/demo/joint_states");
  expect_code(&run, 0);
  expect_text(run.out, "std dev: ");
  const char * last = run.out;
  for (const char * c = run.out; (c = strstr(c, "average rate: ")) != NULL; c++) last = c;
  const double rate = strtod(last + strlen("average rate: "), NULL);
  if (fabs(rate - 100) > 10) fail_msg("%g Hz", rate);
  run_free(&run);
}

static void
test_interrupt(void ** state)
{
  (void)state;
  run_t echo = START("topic", "echo", "/demo/joint_states");
  assert_true(printed(&echo, "---"));
  finish_process(&echo, SIGINT);
  expect_code(&echo, 0);
  assert_string_equal(echo.err, "");
  // the last message is whole
  const size_t length = strlen(echo.out);
  assert_true(length > 4);
  assert_string_equal(echo.out + length - 4, "---\n");
  run_free(&echo);

  // while it still looks for the topic
  echo = START("topic", "echo", "--wait", "60", "/nothing");
  sleep_ms(300);
  finish_process(&echo, SIGTERM);
  expect_code(&echo, 1);
  run_free(&echo);
}

static void
test_unknown(void ** state)
{
  (void)state;
  run_t run = RUN("topic", "echo", "--wait", "0.3", "/nothing");
  expect_code(&run, 1);
  expect_text(run.err, "no publisher of '/nothing'");
  run_free(&run);

  // another type than that of the publisher
  run = RUN("topic", "echo", "--type", "std_msgs/Bool", "--timeout", "0.3", "/demo/note");
  expect_code(&run, 1);
  expect_text(run.err, "note: '/demo/note' has the type std_msgs/msg/String");
  run_free(&run);

  run = RUN("topic", "info", "--wait", "0.3", "/nothing");
  expect_code(&run, 1);
  expect_text(run.err, "unknown topic '/nothing'");
  run_free(&run);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_list),      cmocka_unit_test(test_info),
    cmocka_unit_test(test_latched),   cmocka_unit_test(test_best_effort),
    cmocka_unit_test(test_pub_echo),  cmocka_unit_test(test_pub_once),
    cmocka_unit_test(test_remap),     cmocka_unit_test(test_hz),
    cmocka_unit_test(test_interrupt), cmocka_unit_test(test_unknown),
  };
  return cmocka_run_group_tests(tests, node_setup, node_teardown);
}
