// Files of `mbdyn identify`: tables that are refused, the report, the URDF that is written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "close.h"
#include "mbdyn/urdf.h"

#define HEADER "t,q_shoulder,v_shoulder,a_shoulder,tau_shoulder,q_elbow,v_elbow,a_elbow,tau_elbow\n"
#define ROW(t) t ",0.5,0.1,0.2,11,-0.3,1,0.5,2\n"

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

//---------- tables ----------

static void
tables_that_are_refused(void ** state)
{
  (void)state;
  static const char * const CASES[][2] = {
    {"", "stdin: cannot be read: the file is empty; expected a header"},
    {HEADER, "stdin: no samples below the header"},
    {HEADER "# nothing\n\n", "stdin: no samples below the header"},
    {HEADER ROW("0") "0.1,0.5,0.1,zwei,11,-0.3,1,0.5,2\n",
     "stdin:3: column 4 (a_shoulder): 'zwei' is not a number"},
    {HEADER ROW("0") "0.1,0.5,0.1,1 2,11,-0.3,1,0.5,2\n", "column 4 (a_shoulder): '1 2' is not"},
    {HEADER ROW("0") "0.1,0.5,,1,11,-0.3,1,0.5,2\n", "stdin:3: column 3 (v_shoulder): is empty"},
    {HEADER ROW("0") "0.1,0.5,nan,1,11,-0.3,1,0.5,2\n", "stdin:3: column 3|'nan' is not finite"},
    {HEADER ROW("0") "0.1,0.5,1e999,1,11,-0.3,1,0.5,2\n", "stdin:3: column 3|is not finite"},
    {HEADER "# one\n" ROW("0") "0.1,0.5\n", "stdin:4: expected 9 columns as in the header, got 2"},
    {HEADER ROW("0") ROW("0"),
     "stdin:3: column 1 (t): time 0 is not later than the previous time 0"},
    {HEADER ROW("0.2") ROW("0.1"),
     "stdin:3: column 1 (t): time 0.1 is not later than the previous time 0.2"},
    {"t,q_shoulder,q_shoulder\n", "stdin:1: column 3 (q_shoulder): duplicate of column 2"},
    {"\n# x\nt,q_shoulder\n", "stdin:3: missing columns: v_shoulder, a_shoulder, tau_shoulder"},
    {"time,q_shoulder\n", "stdin:1: missing columns: t, v_shoulder"},
    {"t;q_shoulder\n", "stdin:1: missing columns: t, q_shoulder"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    assert_refused(RUN(CASES[i][0], "identify", "arm.urdf", "--data", "-"), CASES[i][1]);
  }
}

// nearly right names get a hint, and missing derivatives a way out
static void
missing_columns_are_named_with_a_way_out(void ** state)
{
  (void)state;
  assert_refused(
    RUN(
      "t,q_sholder,tau_shoulder,q_elbow,tau_elbow\n", "identify", "arm.urdf", "--data", "-",
      "--differentiate"),
    "missing columns: q_shoulder; is column 'q_sholder' a misspelling of q_shoulder?");
  assert_refused(
    RUN(
      "t,q_shoulder,tau_shoulder,q_elbow,tau_elbow,v_elbow,a_elbow\n", "identify", "arm.urdf",
      "--data", "-"),
    "missing columns: v_shoulder, a_shoulder;|--differentiate computes v and a from q");
}

static void
clocks_that_cannot_be_differentiated(void ** state)
{
  (void)state;
  static const char * const CASES[][2] = {
    {HEADER ROW("0") ROW("0.01") ROW("0.02") ROW("0.05"),
     "stdin:5: column 1 (t): time step of 0.03 s after steps of 0.01 s|constant sample rate"},
    {HEADER ROW("0") ROW("0.01") ROW("0.02"),
     "3 rows are too few for --differentiate: its filter window has 65"},
    {HEADER ROW("0"), "stdin: no samples"},
    {HEADER ROW("0") ROW("0.1"), "--cutoff 10 Hz is too high for 10 samples per second; at most 4"},
    {HEADER ROW("0") ROW("1e-9"), "--cutoff 10 Hz is too low: it needs a filter window of"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    assert_refused(
      RUN(CASES[i][0], "identify", "arm.urdf", "--data", "-", "--differentiate"), CASES[i][1]);
  }
}

//---------- options and robots ----------

static void
options_that_are_refused(void ** state)
{
  (void)state;
  write_file("good.csv", HEADER ROW("0") ROW("1"));
  static const char * const CASES[][4] = {
    {"arm.urdf", "--friction", NULL, "--data FILE.csv is missing"},
    {"arm.urdf", "--data=none.csv", NULL, "none.csv: cannot be read: No such file"},
    {"arm.urdf", "--data=.", NULL, ".: cannot be read"},
    {"arm.urdf", "--data=good.csv", "--output=x.txt", "expected a name ending in .urdf or .json"},
    {"arm.urdf", "--data=good.csv", "--prior=0", "--prior '0': expected a number above 0"},
    {"arm.urdf", "--data=good.csv", "--prior=inf", "expected a number above 0"},
    {"arm.urdf", "--data=good.csv", "--cutoff=fast", "expected a frequency in Hz"},
    {"arm.urdf", "--data=good.csv", "--validate=none.csv", "none.csv: cannot be read"},
    {"arm.urdf", "--data=good.csv", "--output=/nowhere/x.urdf", "/nowhere/x.urdf: cannot be"},
    {"arm.urdf", "--data=good.csv", "--output=/nowhere/x.json", "/nowhere/x.json: cannot be"},
    {"arm.urdf", "--data=-", "--validate=-", "only one of robot, --data and --validate"},
    {"-", "--data=good.csv", "--output=x.urdf", "--output FILE.urdf needs the robot in a file"},
    {"mimic.urdf", "--data=good.csv", NULL, "joint 'right_joint' mimics 'left_joint'"},
    {"rigid.urdf", "--data=good.csv", NULL, "no moving joint"},
    {"arm.urdf", "--data=good.csv", "--base=floating", "joint 'root_joint' is free: only joints"},
    {"broken.urdf", "--data=good.csv", NULL, "broken.urdf:4: error"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    assert_refused(RUN("", "identify", CASES[i][0], CASES[i][1], CASES[i][2]), CASES[i][3]);
  }
}

static void
help_has_an_example(void ** state)
{
  (void)state;
  run_t run = RUN("", "identify", "--help");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "mbdyn identify arm.urdf --data motion.csv --friction");
  run_free(&run);
}

//---------- what is written ----------

// a short table by joint: any motion, torques of a spring, a damper and a mass
static void
write_motion(const char * const * joints, int n)
{
  char table[4000];
  int at = snprintf(table, sizeof table, "t");
  for (int j = 0; j < n; j++) {
    at += snprintf(
      table + at, sizeof table - (size_t)at, ",q_%s,v_%s,a_%s,tau_%s", joints[j], joints[j],
      joints[j], joints[j]);
  }
  at += snprintf(table + at, sizeof table - (size_t)at, ",extra\n");
  for (int i = 0; i < 12; i++) {
    at += snprintf(table + at, sizeof table - (size_t)at, "%d", i);
    for (int j = 0; j < n; j++) {
      const double q = (i * 37 + j * 61) % 23 / 10.0 - 1, v = (i * 29 + j * 7) % 23 / 10.0 - 1;
      const double a = (i * 13 + j * 5) % 23 / 10.0 - 1;
      at += snprintf(
        table + at, sizeof table - (size_t)at, ",%.3f,%.3f,%.3f,%.3f", q, v, a,
        0.1 * q + 2 * v + 100 * a);
    }
    at += snprintf(table + at, sizeof table - (size_t)at, ",0\n");
  }
  write_file("rough.csv", table);
}

static void
the_report_has_its_tables(void ** state)
{
  (void)state;
  write_motion((const char * const[]){"shoulder", "elbow"}, 2);
  run_t run = RUN(
    "", "identify", "arm.urdf", "--data", "rough.csv", "--friction", "--validate", "rough.csv",
    "--output", "rep.json");
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "rough.csv: warning: unused columns: extra");
  assert_contains(run.out, "robot 'arm': 2 moving bodies, 24 parameters with friction");
  assert_contains(run.out, "rough.csv: 12 samples, 11 s");
  assert_contains(run.out, "base parameters: 10; the motion excites 10 of them, condition number");
  assert_contains(run.out, "torque error of rough.csv");
  assert_contains(run.out, "viscous");
  json_t * report = json_load_file("rep.json", 0, NULL);
  assert_non_null(report);
  assert_string_equal(json_string_value(value_at(report, "robot")), "arm");
  json_decref(report);
  run_free(&run);
}

#define BOX                                                                                     \
  "<inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/>" \
  "</inertial>"

// a slider with a motor that has a gear; what is merged into it; a name that needs care
static const char SLIDER[] =
  "<?xml version='1.0'?>\n<robot name='slider'>\n  <!-- keep me -->\n"
  "  <link name='rail'>" BOX
  "</link>\n  <link name='cart'/>\n"
  "  <link name='load--a'>" BOX
  "<visual><geometry><sphere radius='0.1'/></geometry></visual></link>\n"
  "  <joint name='slide' type='prismatic'><parent link='rail'/><child link='cart'/>\n"
  "    <axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='10' velocity='1'/>\n  </joint>\n"
  "  <joint name='weld' type='fixed'><parent link='cart'/><child link='load--a'/>\n"
  "    <origin xyz='0 0 0.5'/></joint>\n"
  "  <transmission name='m'><type>SimpleTransmission</type><joint name='slide'/>\n"
  "    <actuator name='motor'><mechanicalReduction>10</mechanicalReduction></actuator>\n"
  "  </transmission>\n</robot>\n";

// the numbers of the report are in the file that is written, and the rest of it is as it was
static void
the_urdf_has_the_parameters_found(void ** state)
{
  (void)state;
  write_file("slider.urdf", SLIDER);
  write_motion((const char * const[]){"slide"}, 1);
  run_t run = RUN(
    "", "identify", "slider.urdf", "--data", "rough.csv", "--friction", "--rotors", "--json",
    "--output", "new.urdf");
  if (run.code != 0) print_error("%s", run.err);
  assert_int_equal(run.code, 0);
  json_t * report = json_loads(run.out, 0, NULL);
  assert_non_null(report);
  mbd_model_t * found;
  assert_ok(mbdx_urdf_load_file("new.urdf", NULL, &found, NULL));
  double mass, com[3], viscous, rotor;
  numbers_at(report, "bodies/cart/mass", &mass, 1);
  numbers_at(report, "bodies/cart/com", com, 3);
  numbers_at(report, "drives/slide/viscous", &viscous, 1);
  numbers_at(report, "drives/slide/reflected_rotor_inertia", &rotor, 1);
  const mbd_drive_t * drive = &found->body[0].drive;
  // mass and rotor together are what resists the motor
  assert_close((&(double){mass + rotor}), (&(double){100}), 1, 0.01, "moving mass");
  assert_close(&viscous, (&(double){2}), 1, 0.2, "viscous");
  assert_true(rotor > 1);
  assert_close(&found->mass, &mass, 1, 1e-11, "mass");
  assert_close(&found->mass_fixed, (&(double){1}), 1, 0, "mass of the rail");
  assert_close(&drive->viscous, &viscous, 1, 1e-11, "viscous");
  assert_close((&(double){drive->rotor_inertia * 100}), &rotor, 1, 1e-11, "rotor behind a gear");

  run_t text = RUN("", "check", "new.urdf");
  assert_contains(text.out, "0 errors, 0 warnings");
  run_free(&text);
  run_free(&run);
  mbd_model_destroy(found);
  json_decref(report);
}

static void
the_urdf_says_what_was_done(void ** state)
{
  (void)state;
  write_file("slider.urdf", SLIDER);
  write_motion((const char * const[]){"slide"}, 1);
  run_t run = RUN("", "identify", "slider.urdf", "--data", "rough.csv", "--output", "new.urdf");
  assert_int_equal(run.code, 0);
  char text[8000] = "";
  FILE * file = fopen("new.urdf", "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  assert_contains(text, "<!-- inertial parameters by mbdyn identify from 12 samples -->");
  assert_contains(text, "<!-- keep me -->");
  assert_contains(text, "<!-- mbdyn identify: the inertia is included in link cart -->");
  assert_contains(text, "<sphere radius=\"0.1\"/>");
  // no friction was asked for
  assert_null(strstr(text, "<dynamics"));
  run_free(&run);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(tables_that_are_refused),
    cmocka_unit_test(missing_columns_are_named_with_a_way_out),
    cmocka_unit_test(clocks_that_cannot_be_differentiated),
    cmocka_unit_test(options_that_are_refused),
    cmocka_unit_test(help_has_an_example),
    cmocka_unit_test(the_report_has_its_tables),
    cmocka_unit_test(the_urdf_has_the_parameters_found),
    cmocka_unit_test(the_urdf_says_what_was_done),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
