// `mbdyn bench`: every function has its times. How long they are is not looked at.
#include <string.h>

#include "cli.h"
#include "close.h"

#define QUICK "--seconds", "0.001", "--rounds", "3"

// ours alone: a line for each function
static void
every_function_is_measured(void ** state)
{
  (void)state;
  static const char * const lines[] = {
    "\nforward kinematics ",
    "\ninverse dynamics ",
    "\ngravity torque ",
    "\nbias ",
    "\nmass matrix ",
    "\nforward dynamics ",
    "\nM inverse ",
    "\nJacobian of one frame ",
    "\nJdot v ",
    "\noperational-space inertia ",
    "\ncentroidal momentum ",
    "\nbatch inverse dynamics ",
    "\nbatch forward kinematics ",
    "\nmass matrix, SoA "};
  run_t run = RUN("", "bench", "arm.urdf", QUICK);
  assert_int_equal(run.code, 0);
  assert_string_equal(run.err, "");
  assert_contains(run.out, "arm: 2 degrees of freedom");
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) assert_contains(run.out, lines[i]);
  assert_null(strstr(run.out, "cannot"));
  run_free(&run);
}

// with a floating base and two frames there is one function more
static void
json_has_min_and_median(void ** state)
{
  (void)state;
  json_t * root = run_json(
    "", (const char * const[]){
          "bench", "arm.urdf", QUICK, "--json", "--base", "floating", "--frame", "upper", "--frame",
          "lower", NULL});
  const json_t * functions = value_at(root, "functions");
  assert_int_equal(json_object_size(functions), 38);
  const char * key;
  json_t * value;
  json_object_foreach((json_t *)functions, key, value)
  {
    const double min = json_number_value(json_object_get(value, "min"));
    const double median = json_number_value(json_object_get(value, "median"));
    if (!(min > 0 && median >= min)) print_error("%s: %g %g\n", key, min, median);
    assert_true(min > 0 && median >= min);
  }
  json_decref(root);

  root = run_json(
    "", (const char * const[]){"bench", "arm.urdf", QUICK, "--json", "--functions", "id,fd", NULL});
  assert_int_equal(json_object_size(value_at(root, "functions")), 2);
  json_decref(root);
}

static void
wrong_input_is_refused(void ** state)
{
  (void)state;
  static const struct {
    const char *robot, *option, *value, *says;
  } cases[] = {
    {"arm.urdf", "--functions", "id,bogus", "expected a list"},
    {"arm.urdf", "--seconds", "0", "expected a number of seconds"},
    {"arm.urdf", "--rounds", "x", "expected a whole number"},
    {"arm.urdf", "--frame", "uper", "did you mean 'upper'?"},
    {"mimic.urdf", "--seed", "1", "mimic"},
    {"rigid.urdf", "--seed", "1", "no moving joint"},
    {"nowhere.urdf", "--seed", "1", "nowhere.urdf"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run_t run = RUN("", "bench", cases[i].robot, cases[i].option, cases[i].value);
    assert_int_equal(run.code, 2);
    assert_contains(run.err, cases[i].says);
    run_free(&run);
  }
}

// a robot with a joint that moves nothing: what cannot be computed is said, the rest is measured
static void
a_massless_joint_is_named(void ** state)
{
  (void)state;
  run_t run = RUN("", "bench", "massless.urdf", "--allow-massless", QUICK);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "forward dynamics            cannot be computed");
  assert_null(strstr(run.out, "inverse dynamics            cannot"));
  run_free(&run);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_function_is_measured),
    cmocka_unit_test(json_has_min_and_median),
    cmocka_unit_test(wrong_input_is_refused),
    cmocka_unit_test(a_massless_joint_is_named),
  };
  return cmocka_run_group_tests_name("mbdyn bench", tests, cli_setup, cli_teardown);
}
