// What `mbdyn eval` refuses: exit code 2, a message with the place, and nothing on stdout.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "close.h"

// a run that must fail with all fragments (separated by '|') in its message
static void
assert_refused(run_t run, const char * fragments)
{
  char copy[256];
  snprintf(copy, sizeof copy, "%s", fragments);
  for (char * part = strtok(copy, "|"); part; part = strtok(NULL, "|")) {
    assert_contains(run.err, part);
  }
  if (run.code != 2) print_error("exit code %d for '%s'\n", run.code, fragments);
  assert_int_equal(run.code, 2);
  assert_string_equal(run.out, "");
  run_free(&run);
}

static void
documents_that_are_not_states(void ** state)
{
  (void)state;
  static const char * const CASES[][2] = {
    {"", "stdin:1:0: not valid JSON"},
    {"{\"states\": [}]}", "stdin:1:13: not valid JSON"},
    {"{\"states\":\n [{\"q\": [0, NaN]}]}", "stdin:2:|not valid JSON"},
    {"{\"states\": [{\"q\": [0, 1e999]}]}", "stdin:1:|not valid JSON|overflow"},
    {"{\"states\": []} and more", "stdin:1:|not valid JSON"},
    {"{\"states\": [{\"q\": [0, 0], \"q\": [1, 1]}]}", "not valid JSON|duplicate"},
    {"[]", "stdin: expected an object {\"states\": [...]}, got a list"},
    {"7", "not valid JSON"},
    {"{}", "stdin: states: expected a list of states, got nothing"},
    {"{\"states\": {}}", "stdin: states: expected a list of states, got an object"},
    {"{\"states\": [{}, 3]}", "stdin: states[1]: expected an object|got a number"},
    {"{\"states\": [null]}", "stdin: states[0]: expected an object|got null"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    assert_refused(RUN(CASES[i][0], "eval", "arm.urdf"), CASES[i][1]);
  }
}

static void
states_that_do_not_fit_the_robot(void ** state)
{
  (void)state;
  static const char * const CASES[][2] = {
    {"{}, {}, {}, {\"q\": [1, 2, 3]}", "stdin: states[3].q: expected 2 numbers, got 3"},
    {"{\"v\": [1]}", "states[0].v: expected 2 numbers, got 1"},
    {"{\"a\": 1}", "states[0].a: expected 2 numbers, or an object by joint name, got a number"},
    {"{\"tau\": \"x\"}", "states[0].tau: |got a string"},
    {"{\"q\": null}", "states[0].q: |got null"},
    {"{\"q\": [0, true]}", "states[0].q: element 1: expected a number, got true"},
    {"{\"q\": {\"elbwo\": 1}}", "states[0].q: no moving joint 'elbwo'|did you mean 'elbow'?"},
    {"{\"v\": {\"xyz\": 1}}", "states[0].v: no moving joint 'xyz'|moving joints: shoulder elbow"},
    {"{\"q\": {\"flange\": 1}}", "states[0].q: no moving joint 'flange'"},
    {"{\"q\": {\"elbow\": \"1\"}}", "states[0].q.elbow: expected 1 number, got a string"},
    {"{\"q\": {\"elbow\": [1, 2]}}", "states[0].q.elbow: expected 1 number, got 2"},
    {"{\"f_ext\": [1]}", "states[0].f_ext: expected an object|got a list"},
    {"{\"f_ext\": {\"tol\": [0]}}", "states[0].f_ext.tol: no such link|did you mean 'tool'?"},
    {"{\"f_ext\": {\"tool\": [0]}}", "states[0].f_ext.tool: expected 6 numbers, got 1"},
    {"{\"f_ext\": {\"tool\": 0}}", "states[0].f_ext.tool: expected 6 numbers, got a number"},
    {"{\"qd\": [0, 0]}", "states[0]: unknown key 'qd'"},
    {"{}, {\"v\": [1e200, 1e200]}", "states[1]: |finite"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    char input[256];
    snprintf(input, sizeof input, "{\"states\": [%s]}", CASES[i][0]);
    assert_refused(RUN(input, "eval", "arm.urdf"), CASES[i][1]);
  }
}

static void
states_of_a_floating_robot(void ** state)
{
  (void)state;
  static const char * const CASES[][2] = {
    {"{\"q\": [0, 0]}", "states[0].q: expected 9 numbers, got 2"},
    {"{\"q\": {\"root_joint\": 1}}", "states[0].q.root_joint: expected 7 numbers, got a number"},
    {"{\"v\": {\"root_joint\": [1, 2, 3]}}", "states[0].v.root_joint: expected 6 numbers, got 3"},
    {"{\"q\": {\"root_joint\": [0, 0, 0, 0, 0, 0, 0]}}", "states[0]: joint 'root_joint': |quatern"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    char input[256];
    snprintf(input, sizeof input, "{\"states\": [%s]}", CASES[i][0]);
    assert_refused(RUN(input, "eval", "arm.urdf", "--base", "floating"), CASES[i][1]);
  }
}

static void
wrong_usage(void ** state)
{
  (void)state;
  const char * none = "{\"states\": []}";
  assert_refused(RUN(none, "eval"), "mbdyn eval: ROBOT.urdf is missing|mbdyn eval --help");
  assert_refused(RUN(none, "eval", "arm.urdf", "b.urdf"), "unexpected argument 'b.urdf'");
  assert_refused(
    RUN(none, "eval", "arm.urdf", "--gravty", "0,0,0"),
    "mbdyn eval: unknown option '--gravty'; did you mean '--gravity'?");
  assert_refused(RUN(none, "eval", "arm.urdf", "--gravity"), "--gravity needs X,Y,Z");
  static const char * const VALUES[][3] = {
    {"--gravity", "0,0", "expected three numbers"},
    {"--gravity", "0,0,nan", "expected three numbers"},
    {"--gravity", "0,0,1 ", "expected three numbers"},
    {"--gravity", "", "expected three numbers"},
    {"--base", "flying", "--base 'flying': expected fixed or floating"},
    {"--mimic", "dependent", "expected independent"},
    {"--reference", "body", "expected local, world or local_world_aligned"},
    {"--with", "friction,", "expected friction, rotors"},
    {"--with", "gears", "expected friction, rotors"},
    {"--frame", "tol", "arm.urdf: --frame tol: no such link in robot 'arm'; did you mean 'tool'?"},
    {"--input", "none.json", "none.json: cannot be read: No such file"},
    {"--input", ".", ".: cannot be read: Is a directory"},
    {"--output", "none/out.json", "none/out.json: cannot be written: No such file"},
  };
  for (size_t i = 0; i < sizeof VALUES / sizeof VALUES[0]; i++) {
    assert_refused(RUN(none, "eval", "arm.urdf", VALUES[i][0], VALUES[i][1]), VALUES[i][2]);
  }
  assert_refused(RUN(none, "eval", "-"), "cannot both be standard input");
  assert_refused(RUN(none, "eval", "arm.urdf", "--strict=yes"), "--strict takes no value");
}

static void
robots_that_do_not_load(void ** state)
{
  (void)state;
  const char * one = "{\"states\": [{}]}";
  assert_refused(RUN(one, "eval", "none.urdf"), "none.urdf");
  assert_refused(RUN(one, "eval", "broken.urdf"), "broken.urdf:4: error: |joint 'j'");
  assert_refused(
    RUN("", "codegen", "mimic.urdf", "-o", "generated"),
    "mimic.urdf|joint 'right_joint' mimics 'left_joint'|"
    "--mimic independent");
  assert_refused(RUN(one, "eval", "mimic.urdf", "--operators"), "--operators|--mimic");
  assert_refused(RUN(one, "eval", "arm.urdf", "--loops", "none.yaml"), "none.yaml");
  assert_refused(RUN(one, "eval", "massless.urdf"), "massless.urdf|error: |light");
}

// an error of the dynamics itself says in which state, and at which joint
static void
dynamics_that_have_no_answer(void ** state)
{
  (void)state;
  run_t run = RUN("{\"states\": [{}]}", "eval", "massless.urdf", "--allow-massless");
  assert_contains(run.err, "warning");
  assert_refused(run, "stdin: states[0]: joint 'ghost_joint': |MBD_ERROR_MASSLESS_SUBTREE");
}

// nothing is written unless all is well, not even an empty file
static void
a_bad_state_leaves_no_file(void ** state)
{
  (void)state;
  const char * bad = "{\"states\": [{}, {\"q\": [1]}]}";
  assert_refused(RUN(bad, "eval", "arm.urdf", "--output", "bad.json"), "states[1].q");
  assert_int_not_equal(access("bad.json", F_OK), 0);
}

static void
output_that_cannot_be_written(void ** state)
{
  (void)state;
  const char * one = "{\"states\": [{}]}";
  static const char * const COMMANDS[][4] = {
    {"eval", "arm.urdf", NULL},  {"info", "arm.urdf", NULL}, {"info", "arm.urdf", "--json", NULL},
    {"check", "arm.urdf", NULL}, {"eval", "--help", NULL},   {"--version", NULL},
  };
  for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++) {
    assert_refused(run_cli(one, "/dev/full", COMMANDS[i]), "cannot be written");
  }
  assert_refused(RUN(one, "eval", "arm.urdf", "--output", "/dev/full"), "/dev/full: cannot be");
}

// what would be ignored is said
static void
keys_beside_states_are_warned_about(void ** state)
{
  (void)state;
  run_t run = RUN("{\"states\": [], \"stats\": 1}", "eval", "arm.urdf");
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "stdin: warning: 'stats' is ignored");
  run_free(&run);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(documents_that_are_not_states),
    cmocka_unit_test(states_that_do_not_fit_the_robot),
    cmocka_unit_test(states_of_a_floating_robot),
    cmocka_unit_test(wrong_usage),
    cmocka_unit_test(robots_that_do_not_load),
    cmocka_unit_test(dynamics_that_have_no_answer),
    cmocka_unit_test(a_bad_state_leaves_no_file),
    cmocka_unit_test(output_that_cannot_be_written),
    cmocka_unit_test(keys_beside_states_are_warned_about),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
