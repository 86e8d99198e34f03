// `mbdyn` itself, `mbdyn info` and `mbdyn check`.
#include <string.h>

#include "arm.h"
#include "cli.h"
#include "close.h"

static void
help_and_version_go_to_stdout(void ** state)
{
  (void)state;
  static const char * const CASES[][3] = {
    {"--help", NULL, "usage: mbdyn COMMAND"},
    {"-h", NULL, "commands:"},
    {"--version", NULL, "mbdyn 0."},
    {"info", "--help", "usage: mbdyn info"},
    {"check", "--help", "usage: mbdyn check"},
    {"eval", "--help", "usage: mbdyn eval"},
    {"eval", "-h", "origin of the link frame"},
    {"eval", "--help", "--gravity X,Y,Z"},
    {"check", "--help", "FILE:LINE: SEVERITY: "},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    run_t run = RUN("", CASES[i][0], CASES[i][1]);
    assert_int_equal(run.code, 0);
    assert_contains(run.out, CASES[i][2]);
    assert_string_equal(run.err, "");
    run_free(&run);
  }
}

static void
unknown_commands_get_a_hint(void ** state)
{
  (void)state;
  static const char * const CASES[][2] = {
    {"evla", "mbdyn: unknown command 'evla'; did you mean 'eval'?"},
    {"frobnicate", "mbdyn: unknown command 'frobnicate'\n"},
    {"--hlep", "mbdyn: unknown option '--hlep'; did you mean '--help'?"},
    {NULL, "usage: mbdyn COMMAND"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    run_t run = RUN("", CASES[i][0]);
    assert_int_equal(run.code, 2);
    assert_contains(run.err, CASES[i][1]);
    assert_string_equal(run.out, "");
    run_free(&run);
  }
}

static void
info_shows_the_robot(void ** state)
{
  (void)state;
  run_t run = RUN("", "info", "arm.urdf");
  assert_int_equal(run.code, 0);
  static const char * const PARTS[] = {
    "robot    arm (fixed base)",
    "2 moving joints, nq 2, nv 2; 4 links",
    "5.25 kg moving, 2 kg",
    "└─ 0 shoulder (revolute) → upper",
    "   └─ 1 elbow (continuous) → lower",
    "tool (fixed link)",
    "viscous",
    "lower",
    "load report",
  };
  for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) assert_contains(run.out, PARTS[i]);
  run_free(&run);

  run = RUN(ARM_URDF, "info", "-", "--base", "floating");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "nq 9, nv 8");
  assert_contains(run.out, "root_joint (free)");
  run_free(&run);
}

static void
info_as_json_is_complete(void ** state)
{
  (void)state;
  json_t * root = run_json("", (const char * const[]){"info", "arm.urdf", "--json", NULL});
  assert_string_equal(json_string_value(value_at(root, "joints/0/name")), "shoulder");
  assert_true(json_is_null(value_at(root, "joints/0/parent_link")));
  assert_string_equal(json_string_value(value_at(root, "joints/1/parent_link")), "upper");
  double axis[3], com[3], lower[1], viscous[1];
  numbers_at(root, "joints/0/axis", axis, 3);
  numbers_at(root, "joints/0/com", com, 3);
  numbers_at(root, "joints/0/limits/lower", lower, 1);
  numbers_at(root, "joints/0/drive/viscous", viscous, 1);
  assert_close(axis, ((const double[]){0, 1, 0}), 3, 1e-15, "axis");
  assert_close(com, ((const double[]){0, 0.02, -C1}), 3, 1e-15, "com");
  assert_close(lower, ((const double[]){-2}), 1, 0, "lower");
  assert_close(viscous, ((const double[]){DAMP1}), 1, 0, "viscous");
  assert_true(json_is_null(value_at(root, "joints/1/limits/upper")));
  assert_int_equal(json_array_size(value_at(root, "frames")), 4);
  json_decref(root);

  root = run_json("", (const char * const[]){"info", "mimic.urdf", "--json", NULL});
  assert_string_equal(json_string_value(value_at(root, "joints/1/mimic/joint")), "left_joint");
  json_decref(root);
}

// what URDF 1.1 and 1.2 added reaches every command: 1 kg, 1 m out, laid down by a quaternion
static void
newer_urdf_is_read(void ** state)
{
  (void)state;
  static const char robot[] = MBDYN_SOURCE_DIR "/test/data/version_1_2.urdf";
  run_t run = RUN("", "info", robot);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "acceleration limits\n");
  assert_contains(run.out, "swing            12            20          150\n");
  run_free(&run);
  json_t * root = run_json("", (const char * const[]){"info", robot, "--json", NULL});
  double rates[3];
  numbers_at(root, "joints/0/limits/acceleration", rates, 1);
  numbers_at(root, "joints/0/limits/deceleration", rates + 1, 1);
  numbers_at(root, "joints/0/limits/jerk", rates + 2, 1);
  assert_close(rates, ((const double[]){12, 20, 150}), 3, 0, "limits");
  json_decref(root);
  run = RUN("", "check", "--strict", robot);
  assert_int_equal(run.code, 0);
  run_free(&run);
  double gravity;
  root = run_json(
    "{\"states\": [{\"q\": [0], \"v\": [0]}]}", (const char * const[]){"eval", robot, NULL});
  numbers_at(root, "states/0/gravity", &gravity, 1);
  assert_close(&gravity, ((const double[]){-9.81}), 1, 1e-14, "gravity");
  json_decref(root);
  // without any there is no table of them
  run = RUN("", "info", "arm.urdf");
  assert_null(strstr(run.out, "acceleration limits"));
  run_free(&run);
}

static void
info_refuses_what_does_not_load(void ** state)
{
  (void)state;
  static const char * const ROBOTS[] = {"none.urdf", "broken.urdf", "."};
  for (size_t i = 0; i < sizeof ROBOTS / sizeof ROBOTS[0]; i++) {
    run_t run = RUN("", "info", ROBOTS[i]);
    assert_int_equal(run.code, 2);
    assert_contains(run.err, ROBOTS[i]);
    assert_string_equal(run.out, "");
    run_free(&run);
  }
}

// the last line of a text
static const char *
last_line(const char * text)
{
  const char * line = text;
  for (const char * c = text; *c; c++) {
    if (*c == '\n' && c[1]) line = c + 1;
  }
  return line;
}

static void
check_finds_errors(void ** state)
{
  (void)state;
  run_t run = RUN("", "check", "arm.urdf");
  assert_int_equal(run.code, 0);
  assert_contains(last_line(run.out), "arm.urdf: 0 errors, ");
  run_free(&run);

  run = RUN("", "check", "broken.urdf");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "broken.urdf:4: error: joint 'j'");
  assert_contains(last_line(run.out), "broken.urdf: ");
  assert_contains(last_line(run.out), " error");
  run_free(&run);

  run = RUN("<robot name='x'><link name='a'>", "check", "-");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "stdin:");
  run_free(&run);
}

// what is a warning by default is a finding when strict
static void
check_can_be_strict(void ** state)
{
  (void)state;
  run_t run = RUN("", "check", "massless.urdf", "--allow-massless");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, ": warning: ");
  run_free(&run);
  run = RUN("", "check", "massless.urdf");
  assert_int_equal(run.code, 1);
  run_free(&run);
  run = RUN("", "check", "--strict", "--allow-massless", "massless.urdf");
  assert_int_equal(run.code, 1);
  run_free(&run);
}

static void
check_cannot_check_what_it_cannot_read(void ** state)
{
  (void)state;
  static const char * const ARGS[][2] = {
    {"none.urdf", NULL}, {".", NULL}, {NULL, NULL}, {"arm.urdf", "--stric"}};
  for (size_t i = 0; i < sizeof ARGS / sizeof ARGS[0]; i++) {
    run_t run = RUN("", "check", ARGS[i][0], ARGS[i][1]);
    assert_int_equal(run.code, 2);
    assert_string_equal(run.out, "");
    assert_true(strlen(run.err) > 0);
    run_free(&run);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(help_and_version_go_to_stdout),
    cmocka_unit_test(unknown_commands_get_a_hint),
    cmocka_unit_test(info_shows_the_robot),
    cmocka_unit_test(info_as_json_is_complete),
    cmocka_unit_test(newer_urdf_is_read),
    cmocka_unit_test(info_refuses_what_does_not_load),
    cmocka_unit_test(check_finds_errors),
    cmocka_unit_test(check_can_be_strict),
    cmocka_unit_test(check_cannot_check_what_it_cannot_read),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
