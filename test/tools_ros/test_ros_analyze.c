// The simulated robot is recorded while it falls without friction, and the recording analysed: what
// the motors gave is what inverse dynamics says, and what they did is what the energy gained.
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "ros_cli.h"

static double
number(const json_t * json, const char * group, const char * key)
{
  const json_t * x = json_object_get(json_object_get(json, group), key);
  if (!json_is_number(x)) fail_msg("no number %s/%s", group, key);
  return json_number_value(x);
}

static void
record_fall(void)
{
  run_t sim = start(
    MBDYN_SIM, (const char * const[]){
                 "--ros-args", "-p", "robot_description_file:=" ROBOT, "-p", "integrator:=rk4",
                 "-p", "friction:=false", "-p", "limits:=false", NULL});
  // brakes hold it until then
  run_t pub = RUN(
    "topic", "pub", "--once", "--wait", "20", "/robot/commands", "std_msgs/msg/Float64MultiArray",
    "{data: [1, 0, 0, 0, 0, 0]}");
  expect_code(&pub, 0);
  run_free(&pub);
  run_t rec = RUN(
    "record", "/joint_states", "/robot_description", "-o", "fall", "-d", "4", "--compression",
    "lz4");
  expect_code(&rec, 0);
  run_free(&rec);
  finish_process(&sim, SIGINT);
  run_free(&sim);
}

static json_t *
analyze(void)
{
  run_t run = RUN("analyze", "fall", "--json", "--cutoff", "0", "--without", "friction");
  expect_code(&run, 0);
  json_error_t error;
  json_t * json = json_loads(run.out, 0, &error);
  if (!json) fail_msg("%s", error.text);
  run_free(&run);
  return json;
}

static void
test_fall(void ** state)
{
  (void)state;
  record_fall();
  json_t * json = analyze();
  // 2000 at full speed; a tenth of that with the sanitizers on a busy machine
  assert_true(number(json, "recording", "analyzed") > 100);
  // the first law, with what was measured
  const double change = number(json, "energy", "change");
  const double work = number(json, "energy", "work_measured");
  const double moved = json_number_value(
    json_object_get(json_object_get(json_object_get(json, "energy"), "kinetic"), "max"));
  assert_true(moved > 5);
  assert_true(fabs(work - change) < 5e-3 * moved);
  assert_true(fabs(number(json, "energy", "work_model") - work) < 2e-2 * moved);
  // large terms that cancel but for the torque of the motor
  size_t i;
  const json_t * joint;
  json_array_foreach(json_object_get(json, "joints"), i, joint)
  {
    const double inertia = number(joint, "inertia", "rms"), error = number(joint, "error", "rms");
    const double external = number(joint, "external", "max");
    assert_true(error < 0.05 * inertia + 1e-2);
    assert_true(fabs(external) < 0.1 * inertia + 1e-2);
    if (i == 0) assert_true(fabs(number(joint, "tau", "max") - 1) < 1e-9);
    if (i == 1) assert_true(inertia > 10);
  }
  json_decref(json);
}

static int
teardown(void ** state)
{
  if (system("rm -rf fall") != 0) return -1;
  return cli_teardown(state);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fall)};
  return cmocka_run_group_tests(tests, cli_setup, teardown);
}
