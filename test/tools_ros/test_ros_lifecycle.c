// `mbdyn lifecycle` against two managed nodes, one of them in a namespace, and one that is not.
#include <signal.h>
#include <string.h>

#include "ros_cli.h"

static run_t walker, left, plain;

static int
set_up(void ** state)
{
  if (cli_setup(state) != 0) return -1;
  walker = start(TEST_WALKER, (const char * const[]){NULL});
  left = start(
    TEST_WALKER,
    (const char * const[]){"--ros-args", "-r", "__node:=leg", "-r", "__ns:=/left", NULL});
  plain = start(TEST_NODE, (const char * const[]){NULL});
  return 0;
}

static int
tear_down(void ** state)
{
  run_t * const runs[] = {&walker, &left, &plain};
  int code = 0;
  for (size_t i = 0; i < 3; i++) {
    finish_process(runs[i], SIGTERM);
    if (runs[i]->code != 0) {
      print_error("a test node returned %d:\n%s\n", runs[i]->code, runs[i]->err);
      code = -1;
    }
    run_free(runs[i]);
  }
  return cli_teardown(state) == 0 ? code : -1;
}

// output and exit code of one command
static void
check(const char * const * args, int code, const char * out, const char * err)
{
  run_t run = run_to_end(args);
  expect_code(&run, code);
  assert_string_equal(run.out, out);
  expect_text(run.err, err);
  run_free(&run);
}

#define CHECK(code, out, err, ...) \
  check((const char * const[]){"lifecycle", __VA_ARGS__, NULL}, code, out, err)

static void
test_nodes(void ** state)
{
  (void)state;
  CHECK(0, "/left/leg\n/walker\n", "", "nodes");
  CHECK(0, "/left/leg: unconfigured [1]\n/walker: unconfigured [1]\n", "", "get");
  CHECK(0, "unconfigured [1]\n", "", "get", "/walker");
  CHECK(0, "unconfigured [1]\n", "", "get", "left/leg");
  // not there, and not managed
  CHECK(1, "", "service '/nobody/get_state' is not available", "get", "--wait", "0.3", "/nobody");
  CHECK(1, "", "is not available", "set", "--wait", "0.3", "/demo/arm", "configure");
  CHECK(1, "", "is not available", "list", "--wait", "0.3", "/demo/arm");
}

static void
test_list(void ** state)
{
  (void)state;
  CHECK(
    0,
    "- configure [1]\n\tStart: unconfigured\n\tGoal: configuring\n"
    "- shutdown [5]\n\tStart: unconfigured\n\tGoal: shuttingdown\n",
    "", "list", "/walker");
  run_t run = RUN("lifecycle", "list", "-a", "/walker");
  expect_code(&run, 0);
  expect_text(run.out, "- deactivate [4]\n\tStart: active\n\tGoal: deactivating\n");
  expect_text(run.out, "- transition_error [62]\n\tStart: errorprocessing\n\tGoal: finalized\n");
  size_t lines = 0;
  for (const char * c = run.out; *c; c++) lines += *c == '\n';
  assert_int_equal(lines, 3 * 25);
  run_free(&run);
}

static void
test_set(void ** state)
{
  (void)state;
  const char * done = "Transitioning successful\n";
  const char * failed = "Transitioning failed\n";
  CHECK(0, done, "", "set", "/left/leg", "configure");
  CHECK(0, "/left/leg: inactive [2]\n/walker: unconfigured [1]\n", "", "get");
  CHECK(
    1, "",
    "Unknown transition requested, available ones are:\n"
    "- cleanup [2]\n- activate [3]\n- shutdown [6]\n",
    "set", "/left/leg", "configure");
  CHECK(1, "", "- shutdown [6]\n", "set", "/left/leg", "5");
  CHECK(1, "", failed, "set", "/left/leg", "cleanup");
  CHECK(0, "inactive [2]\n", "", "get", "/left/leg");
  // by number
  CHECK(0, done, "", "set", "/left/leg", "3");
  CHECK(0, "active [3]\n", "", "get", "/left/leg");
  CHECK(1, "", failed, "set", "/left/leg", "deactivate");
  CHECK(0, "unconfigured [1]\n", "", "get", "/left/leg");
  CHECK(0, done, "", "set", "/left/leg", "shutdown");
  CHECK(0, "finalized [4]\n", "", "get", "/left/leg");
  CHECK(0, "", "", "list", "/left/leg");
  CHECK(1, "", "available ones are:\n", "set", "/left/leg", "configure");
}

static void
test_usage(void ** state)
{
  (void)state;
  CHECK(2, "", "expected NODE TRANSITION", "set", "/walker");
  CHECK(2, "", "unknown verb 'sett'; did you mean 'set'?", "sett");
  CHECK(2, "", "'/a//b' is not a valid name", "get", "/a//b");
  static const char * const VERBS[] = {"nodes", "get", "list", "set"};
  for (size_t i = 0; i < 4; i++) {
    run_t run = RUN("lifecycle", VERBS[i], "--help");
    expect_code(&run, 0);
    expect_text(run.out, "usage: mbdyn lifecycle ");
    expect_text(run.out, "examples:\n  mbdyn lifecycle ");
    run_free(&run);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_nodes),
    cmocka_unit_test(test_list),
    cmocka_unit_test(test_set),
    cmocka_unit_test(test_usage),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
