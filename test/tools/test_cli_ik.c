// `mbdyn ik`: solutions whose poses `mbdyn eval` confirms, and answers to bad requests.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "close.h"

#define ROBOTS MBDYN_SOURCE_DIR "/config/robots/"
#define ARM6   ROBOTS "arm6.urdf"
#define ARM7   ROBOTS "arm7.urdf"
#define POSE6  "0.4,0.2,0.3,3,0.1,-0.2"

// position, and the quaternion x y z w of roll, pitch, yaw 3, 0.1, -0.2: half angles
static void
wanted_pose(double * pose)
{
  const double c[3] = {cos(1.5), cos(0.05), cos(-0.1)}, s[3] = {sin(1.5), sin(0.05), sin(-0.1)};
  const double x[7] = {
    0.4,
    0.2,
    0.3,
    s[0] * c[1] * c[2] - c[0] * s[1] * s[2],
    c[0] * s[1] * c[2] + s[0] * c[1] * s[2],
    c[0] * c[1] * s[2] - s[0] * s[1] * c[2],
    c[0] * c[1] * c[2] + s[0] * s[1] * s[2]};
  memcpy(pose, x, sizeof x);
}

// pose of the tool by `mbdyn eval`
static void
pose_by_eval(const char * robot, const double * q, int n, double * pose)
{
  char input[512] = "{\"states\": [{\"q\": [";
  for (int k = 0; k < n; k++) {
    const size_t used = strlen(input);
    snprintf(input + used, sizeof input - used, "%s%.17g", k ? ", " : "", q[k]);
  }
  strcat(input, "]}]}");
  json_t * root = run_json(input, (const char * const[]){"eval", robot, "--frame", "tool", NULL});
  numbers_at(root, "states/0/frames/tool/pose", pose, 7);
  json_decref(root);
}

static void
check_solution(const char * robot, const json_t * root, int k, int n)
{
  char path[64];
  double q[7], pose[7], wanted[7];
  snprintf(path, sizeof path, "solutions/%d/q", k);
  numbers_at(root, path, q, (size_t)n);
  pose_by_eval(robot, q, n, pose);
  wanted_pose(wanted);
  double dot = 0;
  for (int i = 3; i < 7; i++) dot += pose[i] * wanted[i];
  assert_true(fabs(fabs(dot) - 1) < 1e-10);
  assert_close(pose, wanted, 3, 4e-6, "solution %d", k);
}

static void
one_solution_has_the_pose(void ** state)
{
  (void)state;
  json_t * root = run_json(
    "", (const char * const[]){"ik", ARM7, "--frame", "tool", "--pose", POSE6, "--json", NULL});
  assert_string_equal(json_string_value(value_at(root, "outcome")), "solved");
  assert_int_equal(json_array_size(value_at(root, "solutions")), 1);
  check_solution(ARM7, root, 0, 7);
  json_decref(root);
}

static void
all_solutions_of_six_axes(void ** state)
{
  (void)state;
  json_t * root = run_json(
    "", (const char * const[]){
          "ik", ARM6, "--all", "--frame", "tool", "--pose", POSE6, "--json", NULL});
  assert_string_equal(json_string_value(value_at(root, "closed_form")), "three parallel axes");
  assert_int_equal(json_array_size(value_at(root, "solutions")), 8);
  for (int k = 0; k < 8; k++) check_solution(ARM6, root, k, 6);
  json_decref(root);
}

// the seed's own configuration comes first
static void
the_nearest_to_the_seed_is_first(void ** state)
{
  (void)state;
  json_t * root = run_json(
    "", (const char * const[]){
          "ik", ARM6, "--all", "--frame", "tool", "--pose", POSE6, "--json", NULL});
  double q[6], first[6];
  numbers_at(root, "solutions/5/q", q, 6);
  json_decref(root);
  char seed[256] = "";
  for (int k = 0; k < 6; k++) {
    const size_t used = strlen(seed);
    snprintf(seed + used, sizeof seed - used, "%s%.17g", k ? "," : "", q[k] + 0.01);
  }
  root = run_json(
    "", (const char * const[]){
          "ik", ARM6, "--all", "--frame", "tool", "--pose", POSE6, "--seed", seed, "--json", NULL});
  numbers_at(root, "solutions/0/q", first, 6);
  assert_close(first, q, 6, 1e-6, "seed");
  json_decref(root);
}

static void
text_names_joints_and_limits(void ** state)
{
  (void)state;
  run_t run = RUN("", "ik", ARM6, "--all", "--frame", "tool", "--pose", POSE6);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "tool at 0.4,0.2,0.3,3,0.1,-0.2\n");
  assert_contains(run.out, "closed form: three parallel axes\n8 solutions\n");
  assert_contains(run.out, "solution 8: error ");
  assert_contains(run.out, "nearest limit: ");
  assert_contains(run.out, "  shoulder_pan ");
  run_free(&run);
}

// out of reach: the nearest pose, and exit code 1
static void
out_of_reach_is_said(void ** state)
{
  (void)state;
  run_t run = RUN("", "ik", ARM6, "--frame", "tool", "--pose", "2,0,0.3");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "no solution: out of reach\n");
  assert_contains(run.out, "nearest pose found of tool: ");
  run_free(&run);
  // close to the shoulder, joint4 would have to bend the elbow beyond its limit
  run = RUN("", "ik", ARM7, "--frame", "tool", "--pose", "0.2,0,0.5,0,0,0");
  assert_int_equal(run.code, 1);
  assert_contains(
    run.out, "joint 'joint4' is held at its limit; --ignore-limits shows solutions beyond it");
  run_free(&run);
  // limits bend the nearest pose, but are not why there is none
  run = RUN("", "ik", ARM7, "--frame", "tool", "--pose", "5,0,0.5,3.14,0,0");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "no solution: out of reach, without position limits too\n");
  assert_null(strstr(run.out, "--ignore-limits"));
  run_free(&run);
  run = RUN("", "ik", "arm.urdf", "--frame", "tool", "--pose", "9,0,0", "--json");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "\"solutions\": []");
  assert_contains(run.out, "\"nearest\": {");
  run_free(&run);
}

static void
bad_requests_have_a_way_out(void ** state)
{
  (void)state;
  write_file("empty.urdf", "");
  static const struct {
    const char * args[10];
    const char * says;
  } CASES[] = {
    {{"ik", ARM6, "--frame", "tol", "--pose", POSE6}, "did you mean 'tool'?\nframes: "},
    {{"ik", ARM6, "--frame", "tool", "--pose", "1,nan,0"}, "three finite numbers X,Y,Z"},
    {{"ik", ARM6, "--frame", "tool", "--pose", "1,0,0,0"}, "or six with ROLL,PITCH,YAW"},
    {{"ik", ARM6, "--frame", "tool", "--pose", "1,0,0x"}, "three finite numbers X,Y,Z"},
    {{"ik", ARM6, "--frame", "tool", "--pose", "1e308,0,0"}, "up to 1e9"},
    {{"ik", ARM6, "--frame", "tool", "--pose", ""}, "three finite numbers X,Y,Z"},
    {{"ik", "empty.urdf", "--frame", "tool", "--pose", POSE6}, "empty.urdf: error: file: is empty"},
    {{"ik", ARM6, "--frame", "tool"}, "1 --frame and 0 --pose; give one --pose for each --frame"},
    {{"ik", ARM6, "--pose", POSE6}, "0 --frame and 1 --pose"},
    {{"ik", ARM6, "--frame", "tool", "--pose", POSE6, "--seed", "1,2,3"},
     "expected 6 finite numbers separated by commas, in the order of `mbdyn info`: shoulder_pan"},
    {{"ik", ARM6, "--frame", "tool", "--pose", POSE6, "--seed", "1,2,3,4,5,6,7"}, "expected 6"},
    {{"ik", ARM6, "--frame", "tool", "--pose", POSE6, "--tolerance", "-1"}, "at least 1e-12"},
    {{"ik", ARM6, "--frame", "tool", "--pose", POSE6, "--tolerance", "1e-300"}, "at least 1e-12"},
    {{"ik", ARM6, "--frame", "tool", "--pose", POSE6, "--restarts", "x"}, "a number from 0"},
    {{"ik", ARM6, "--frame", "base", "--pose", POSE6}, NULL},
    {{"ik", "mimic.urdf", "--frame", "tool", "--pose", POSE6}, "--mimic independent"},
    {{"ik", ROBOTS "finger.urdf", "--frame", "tip", "--pose", POSE6}, "--loops none"},
    {{"ik", "nowhere.urdf", "--frame", "tool", "--pose", POSE6}, "nowhere.urdf"},
  };
  for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
    run_t run = run_cli("", NULL, CASES[k].args);
    // a frame that no joint moves is nowhere near
    assert_int_equal(run.code, CASES[k].says ? 2 : 1);
    if (CASES[k].says) assert_contains(run.err, CASES[k].says);
    run_free(&run);
  }
}

static void
help_shows_the_options(void ** state)
{
  (void)state;
  run_t run = RUN("", "ik", "--help");
  assert_int_equal(run.code, 0);
  static const char * const SAYS[] = {"--frame LINK",    "--pose X,Y,Z[,R,P,Y]",
                                      "--seed Q,...",    "--all",
                                      "--ignore-limits", "exit code: 0 solved"};
  for (size_t k = 0; k < sizeof SAYS / sizeof *SAYS; k++) assert_contains(run.out, SAYS[k]);
  run_free(&run);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_solution_has_the_pose),
    cmocka_unit_test(all_solutions_of_six_axes),
    cmocka_unit_test(the_nearest_to_the_seed_is_first),
    cmocka_unit_test(text_names_joints_and_limits),
    cmocka_unit_test(out_of_reach_is_said),
    cmocka_unit_test(bad_requests_have_a_way_out),
    cmocka_unit_test(help_shows_the_options),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
