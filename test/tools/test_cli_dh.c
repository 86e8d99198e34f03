// `mbdyn dh`: tables into URDF and back, and what it refuses.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "close.h"

#define ROBOTS MBDYN_SOURCE_DIR "/config/robots/"

static const char STATES[] =
  "{\"states\": [{\"q\": [0.1, -0.7, 0.3, 1.4, 0.5, -0.6], \"v\": [1, -2, 0.3, 0.4, 0.5, 0.6], "
  "\"a\": [1, 2, -3, 4, 5, 6]}]}";
static const char STATES7[] =
  "{\"states\": [{\"q\": [0.1, -0.7, 0.3, -1.4, 0.5, 0.6, 1], \"v\": [1, -2, 0.3, 0.4, 0.5, 0.6, "
  "1], "
  "\"a\": [1, 2, -3, 4, 5, 6, 7]}]}";

// exit code 0 and nothing on stderr
static void
assert_quiet(run_t run)
{
  if (run.code != 0 || run.err[0]) print_error("exit code %d: %s\n", run.code, run.err);
  assert_int_equal(run.code, 0);
  assert_string_equal(run.err, "");
  run_free(&run);
}

// all fragments (separated by '|') in the message of a run that fails
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

//---------- there and back ----------

// torques, mass matrix and tool of two robots at one state
static void
assert_same_robot(const char * a, const char * b, const char * states, const char * tip, int n)
{
  json_t * one = run_json(states, (const char * const[]){"eval", a, "--frame", tip, NULL});
  json_t * two = run_json(states, (const char * const[]){"eval", b, "--frame", tip, NULL});
  char place[4][64] = {"states/0/tau", "states/0/mass_matrix"};
  snprintf(place[2], sizeof place[2], "states/0/frames/%s/pose", tip);
  snprintf(place[3], sizeof place[3], "states/0/frames/%s/jacobian", tip);
  const size_t size[4] = {(size_t)n, (size_t)(n * n), 7, (size_t)(6 * n)};
  for (int k = 0; k < 4; k++) {
    double x[49], y[49];
    numbers_at(one, place[k], x, size[k]);
    numbers_at(two, place[k], y, size[k]);
    assert_close(y, x, size[k], 1e-9, "%s of %s", place[k], b);
  }
  json_decref(one);
  json_decref(two);
}

static void
tables_of_robots_become_the_robots(void ** state)
{
  (void)state;
  static const struct {
    const char *urdf, *convention, *states, *tip;
    int n;
  } CASES[] = {
    {ROBOTS "arm6.urdf", "standard", STATES, "tool", 6},
    {ROBOTS "arm6.urdf", "modified", STATES, "tool", 6},
    {ROBOTS "arm7.urdf", "standard", STATES7, "flange", 7},
    {ROBOTS "arm7.urdf", "modified", STATES7, "flange", 7}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    for (int degrees = 0; degrees < 2; degrees++) {
      assert_quiet(RUN(
        "", "dh", CASES[i].urdf, "--format", "yaml", "--convention", CASES[i].convention, "--tip",
        CASES[i].tip, "-o", "table.yaml", degrees ? "--degrees" : "--format=yaml"));
      assert_quiet(RUN("", "dh", "table.yaml", "-o", "again.urdf"));
      assert_same_robot(CASES[i].urdf, "again.urdf", CASES[i].states, CASES[i].tip, CASES[i].n);
    }
  }
}

// as text: the numbers of the data sheet
static void
table_of_a_robot_is_readable(void ** state)
{
  (void)state;
  run_t run = RUN("", "dh", ROBOTS "arm6.urdf", "--degrees", "--tip", "tool");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "arm6: 6 joints, standard convention");
  assert_contains(
    run.out, "elbow         revolute         -0.39225              0              0 ");
  assert_contains(
    run.out, "wrist_2       revolute                0            -90        0.09465 ");
  assert_contains(run.out, "tool: xyz 0 0 0 [m], rpy");
  run_free(&run);
}

// offsets have one sign, and what is only the rounding of the file is zero
static void
offsets_of_the_joint_variable(void ** state)
{
  (void)state;
  // yaw of each joint's origin
  static const char * const YAW[] = {"0", "2.8e-10", "-0.5", "-2.8e-10", "0"};
  char text[4096] = "<robot name='offset'><link name='l0'/>";
  for (int k = 0; k < 5; k++) {
    snprintf(
      text + strlen(text), sizeof text - strlen(text),
      "<link name='l%d'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
      "ixz='0' iyz='0'/></inertial></link><joint name='j%d' type='continuous'><parent link='l%d'/>"
      "<child link='l%d'/><origin xyz='1 0 0' rpy='0 0 %s'/><axis xyz='0 0 1'/></joint>",
      k + 1, k + 1, k, k + 1, YAW[k]);
  }
  strcat(text, "</robot>");
  write_file("offset.urdf", text);
  run_t run = RUN("", "dh", "offset.urdf");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "q - 0.5\n");
  assert_null(strstr(run.out, "+ -"));
  assert_null(strstr(run.out, "e-"));
  run_free(&run);
}

// columns, degrees, pi; a slide; what the file does not say is said by options
static void
tables_in_csv(void ** state)
{
  (void)state;
  write_file(
    "scara.csv",
    "# a SCARA\n"
    "joint, type,      a,    alpha, d,   theta, mass, com,       inertia\n"
    "j1,    revolute,  0.4,  0,     0.5, 0,     3,    -0.2 0 0,  0.1 0 0 0.1 0 0.1\n"
    "\n"
    "j2,    R,         0.3,  180,   0,   ,      2,    -0.15 0 0, 0.1 0 0 0.1 0 0.1\n"
    "\"j3\",P,         0,    0,     ,    90,    1,    0 0 0,     0.1 0 0 0.1 0 0.1\n");
  assert_quiet(RUN("", "dh", "scara.csv", "--degrees", "--name", "scara", "-o", "scara.urdf"));
  json_t * root = run_json(
    "{\"states\": [{\"q\": [0, 0, 0.1]}]}",
    (const char * const[]){"eval", "scara.urdf", "--frame", "tool", NULL});
  double pose[7], tau[3];
  numbers_at(root, "states/0/frames/tool/pose", pose, 7);
  numbers_at(root, "states/0/tau", tau, 3);
  assert_close(pose, ((double[]){0.7, 0, 0.4}), 3, 1e-12, "tool");
  // the slide points downwards: its own weight pulls it out
  assert_close(tau, ((double[]){0, 0, -9.81}), 3, 1e-12, "torque");
  json_decref(root);
  run_t run = RUN("", "check", "scara.urdf");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "0 errors, 0 warnings");
  run_free(&run);
  // radians by expressions, from standard input
  assert_quiet(RUN(
    "a,alpha,d,theta,mass,inertia\n0,-pi/2,0,2*pi/3,1,1 0 0 1 0 1\n", "dh", "-", "--from", "csv",
    "--convention", "modified", "-o", "pi.urdf"));
  run = RUN("", "dh", "pi.urdf", "--degrees", "--convention", "modified", "--tip", "tool");
  assert_contains(run.out, "base: xyz 0 0 0 [m], rpy -90 0 0 [deg]");
  assert_contains(run.out, "tool: xyz 0 0 0 [m], rpy 0 0 120 [deg]");
  run_free(&run);
}

static void
places_and_limits_go_through(void ** state)
{
  (void)state;
  write_file(
    "one.yaml",
    "name: one & only\nangles: degrees\n"
    "base: {xyz: [1, 2, 3], rpy: [90, 0, 0], name: floor}\n"
    "tool: {xyz: [0, 0, 0.5], rpy: [0, 0, 0], name: pen}\n"
    "joints:\n"
    "  - {joint: turn, link: arm, a: 1, alpha: 0, d: 0, lower: -90, upper: 180, velocity: 90,\n"
    "     acceleration: 180, deceleration: 360, jerk: 90,\n"
    "     effort: 7, damping: 0.3, friction: 0.2, mass: 1, inertia: [1, 0, 0, 1, 0, 1],\n"
    "     rotor_inertia: 0.001, gear_ratio: 50}\n");
  run_t run = RUN("", "dh", "one.yaml");
  assert_int_equal(run.code, 0);
  static const char * const PARTS[] = {
    "<robot name=\"one &amp; only\" version=\"1.2\"",
    "<link name=\"floor\"/>",
    "<origin xyz=\"1 2 3\" rpy=\"1.5707963267949 0 0\"/>",
    "<limit lower=\"-1.5707963267949\" upper=\"3.1415926535898\" effort=\"7\" "
    "velocity=\"1.5707963267949\" acceleration=\"3.1415926535898\" "
    "deceleration=\"6.2831853071796\" jerk=\"1.5707963267949\"/>",
    "<dynamics damping=\"0.3\" friction=\"0.2\"/>",
    "<mechanicalReduction>50</mechanicalReduction>",
    "<drake:rotor_inertia value=\"0.001\"/>",
    "<child link=\"pen\"/>",
    "<origin xyz=\"1 0 0.5\" rpy=\"0 0 0\"/>"};
  for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) assert_contains(run.out, PARTS[i]);
  write_file("one.urdf", run.out);
  run_free(&run);
  // what comes back has all of it
  run = RUN("", "dh", "one.urdf", "--tip", "pen", "--degrees", "--format", "yaml");
  assert_int_equal(run.code, 0);
  static const char * const KEYS[] = {
    "acceleration: 180",    "deceleration: 360", "jerk: 90",     "upper: 180",
    "velocity: 90",         "effort: 7",         "damping: 0.3", "friction: 0.2",
    "rotor_inertia: 0.001", "gear_ratio: 50",    "name: \"pen\""};
  for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) assert_contains(run.out, KEYS[i]);
  run_free(&run);
}

//---------- what is refused ----------

#define JOINT "- {a: 0, alpha: 0, d: 0"
#define EIGHT "[[[[[[[["

static void
bad_tables_are_refused_with_their_line(void ** state)
{
  (void)state;
  static const char * const CASES[][2] = {
    {"joints:\n  " JOINT ", thet: 1}\n", "bad.yaml:2: unknown key 'thet'|did you mean 'theta'?"},
    {"joints:\n  " JOINT "}\n  - {a: x, alpha: 0, d: 0}\n", "bad.yaml:3: a: 'x' is not a number"},
    {"joints:\n  - {a: 1,\n     alpha: 0}\n", "bad.yaml:2: the joint has no d; write 0 if it is"},
    {"joints:\n  - {a: 1, alpha: 0, d: 0, type: ball}\n", "bad.yaml:2: type: 'ball' is unknown"},
    {"joints:\n  " JOINT ",\n     com: [1, 2]}\n", "bad.yaml:3: com: '1 2' is not three numbers"},
    {"joints:\n  " JOINT ", a: 2}\n", "bad.yaml:2: duplicate 'a', first"},
    {"joints:\n  " JOINT ", mass: -1}\n", "bad.yaml:2: joint 1: an inertia is not"},
    {"joints:\n  " JOINT ", mass: 1e999}\n", "bad.yaml:2: mass: '1e999' is not a number"},
    {"joints:\n  " JOINT ", d: {x: 1}}\n", "bad.yaml:2: 'd' must be a value"},
    {"joints:\n  " JOINT ", lower: 1, upper: 0}\n", "bad.yaml:2: joint 1: a joint description"},
    {"joints:\n  " JOINT ", joint: j}\n  " JOINT ", joint: j}\n", "bad.yaml:3: joint 2: two links"},
    {"joints:\n  " JOINT ", gear_ratio: 0}\n", "bad.yaml:2: gear_ratio: must not be 0"},
    {"convention: craig\njoints:\n  " JOINT "}\n", "bad.yaml:1: convention: 'craig' is unknown"},
    {"\nangle: degrees\njoints:\n  " JOINT "}\n",
     "bad.yaml:2: unknown key 'angle'|did you mean 'angles'?"},
    {"base: {xyz: [1, 2]}\njoints:\n  " JOINT "}\n", "bad.yaml:1: base.xyz: '1 2' is not three"},
    {"joints: 3\n", "bad.yaml:1: 'joints' must be a list"},
    {"joints:\n  - 3\n", "bad.yaml:2: a joint has no keys"},
    {"joints: []\n", "bad.yaml: has no joints"},
    {"- 1\n", "bad.yaml:1: is not a DH table"},
    {"", "bad.yaml:1: is not a DH table"},
    {"joints:\n  - {a: [1\n", "bad.yaml:|is not YAML"},
    {"joints: []\n---\njoints: []\n", "bad.yaml:2: has a second document"},
    {"joints: " EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT,
     "bad.yaml:1: is nested more than 64 deep"},
    {"joints:\n  " JOINT ", link: base_link}\n",
     "bad.yaml: the base and another link are both named 'base_link'"},
    {"joints:\n  " JOINT ", link: tool}\n", "bad.yaml: tool of joint 1: two links"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    write_file("bad.yaml", CASES[i][0]);
    assert_refused(RUN("", "dh", "bad.yaml"), CASES[i][1]);
  }
  write_file("bad.csv", "a,alpha,d\n0,0,0\n0,0\n");
  assert_refused(RUN("", "dh", "bad.csv"), "bad.csv:3: expected 3 columns as in the header, got 2");
  write_file("bad.csv", "link,a,alpha,d\nx\x01,0,0,0\n");
  assert_refused(RUN("", "dh", "bad.csv"), "bad.csv:2: link: contains control characters");
  write_file("bad.csv", "joint,a,alpha,d\n\xc3\xa4\xff,0,0,0\n");
  assert_refused(
    RUN("", "dh", "bad.csv"), "bad.csv:2: joint: contains control characters or invalid UTF-8");
  write_file("bad.csv", "# nothing\n");
  assert_refused(RUN("", "dh", "bad.csv"), "bad.csv: has no joints");
}

// bytes changed or cut off: a robot or a message, never anything else
static void
garbled_tables_do_no_harm(void ** state)
{
  (void)state;
  static const char YAML[] =
    "angles: degrees\nbase: {xyz: [1, 2, 3], rpy: [90, 0, 0]}\njoints:\n"
    "  - {joint: a, a: 1, alpha: 0, d: 0, lower: -90, upper: 180, mass: 1, com: [1, 0, 0]}\n"
    "  - {joint: b, type: P, a: 1, alpha: pi/2, theta: -3e1, inertia: [1, 0, 0, 1, 0, 1]}\n";
  static const char CSV[] =
    "joint,type,a,alpha,d,theta,mass\nj1,R,0.4,pi/2,0.5,0,3\nj2,P,1,2,,4,5\n";
  static const char BYTES[] = "[]{}:,-#&*!|>'\"%@`\n\t\\0/9eE.\x01\xff ";
  unsigned seed = 7;
  for (int k = 0; k < 120; k++) {
    char text[512];
    snprintf(text, sizeof text, "%s", k % 2 ? CSV : YAML);
    const size_t n = strlen(text);
    for (int i = 0; i < 1 + k % 3; i++) {
      seed = seed * 1664525u + 1013904223u;
      text[(seed >> 8) % n] = BYTES[(seed >> 20) % (sizeof BYTES - 1)];
    }
    if (k % 5 == 0) text[(seed >> 12) % n] = 0;
    run_t run = RUN(text, "dh", "-", "--from", k % 2 ? "csv" : "yaml");
    if (run.code != 0 && run.code != 2)
      print_error("case %d: exit code %d\n%s\n", k, run.code, text);
    assert_true(run.code == 0 || run.code == 2);
    // a message where there is no robot, and a whole robot where there is one
    assert_true(
      run.code == 0 ? strstr(run.out, "</robot>") != NULL : run.out[0] == 0 && run.err[0]);
    assert_null(strstr(run.out, "nan"));
    assert_null(strstr(run.out, "\"inf"));
    run_free(&run);
  }
}

static void
robots_without_a_table_are_refused(void ** state)
{
  (void)state;
  assert_refused(
    RUN("", "dh", ROBOTS "quadruped.urdf"),
    "not a serial chain: joint '|starts another branch; --tip");
  assert_refused(
    RUN("", "dh", ROBOTS "arm6.urdf", "--tip", "tol"), "no link 'tol'; did you mean 'tool'?");
  assert_refused(
    RUN("", "dh", ROBOTS "arm6.urdf", "--base", "floating"), "joint 'root_joint' is free");
  assert_refused(RUN("", "dh", "mimic.urdf"), "mimics");
  assert_refused(RUN("", "dh", "rigid.urdf"), "rigid.urdf: no moving joint");
  assert_refused(RUN("", "dh", "none.urdf"), "none.urdf");
  assert_refused(RUN("", "dh", "none.yaml"), "none.yaml: cannot be read: No such file");
  assert_refused(
    RUN("", "dh", "arm.txt"), "arm.txt: unknown extension; give --from yaml, csv or urdf");
  assert_refused(
    RUN("", "dh", ROBOTS "arm6.urdf", "--format", "xml"), "expected text, yaml or csv");
  assert_refused(RUN("", "dh", ROBOTS "arm6.urdf", "--parallel", "1"), "expected an angle");
  assert_refused(RUN("", "dh", ROBOTS "arm6.urdf", "-o", "no/such/file"), "cannot be written");
}

// names with commas go into YAML, not into CSV
static void
names_that_csv_cannot_say(void ** state)
{
  (void)state;
  write_file(
    "odd.yaml",
    "joints:\n  - {joint: 'a, \"b\"', link: 'gr\xc3\xbc\xc3\x9f <dich>', a: 0, alpha: 0, d: 0, "
    "mass: 1}\n");
  assert_quiet(RUN("", "dh", "odd.yaml", "-o", "odd.urdf"));
  assert_refused(
    RUN("", "dh", "odd.urdf", "--format", "csv"), "has a comma or a quote in its name");
  run_t run = RUN("", "dh", "odd.urdf", "--format", "yaml");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "joint: \"a, \\\"b\\\"\"");
  assert_contains(run.out, "link: \"gr\xc3\xbc\xc3\x9f <dich>\"");
  run_free(&run);
}

// one leg of a robot, with a word about what is left out; a table without masses, with a word too
static void
what_is_left_out_is_said(void ** state)
{
  (void)state;
  run_t run = RUN("", "dh", ROBOTS "humanoid.urdf", "--tip", "l_foot");
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "moving bodies off the path are omitted, with their mass");
  assert_contains(run.out, "6 joints");
  run_free(&run);
  write_file("thin.yaml", "joints:\n  " JOINT "}\n");
  run = RUN("", "dh", "thin.yaml");
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "thin.yaml: note: 1 of 1 links have no mass");
  run_free(&run);
}

static void
help_has_examples(void ** state)
{
  (void)state;
  run_t run = RUN("", "dh", "--help");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "usage: mbdyn dh");
  assert_contains(run.out, "mbdyn dh arm.yaml -o arm.urdf");
  run_free(&run);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(tables_of_robots_become_the_robots),
    cmocka_unit_test(table_of_a_robot_is_readable),
    cmocka_unit_test(offsets_of_the_joint_variable),
    cmocka_unit_test(tables_in_csv),
    cmocka_unit_test(places_and_limits_go_through),
    cmocka_unit_test(bad_tables_are_refused_with_their_line),
    cmocka_unit_test(garbled_tables_do_no_harm),
    cmocka_unit_test(robots_without_a_table_are_refused),
    cmocka_unit_test(names_that_csv_cannot_say),
    cmocka_unit_test(what_is_left_out_is_said),
    cmocka_unit_test(help_has_examples),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
