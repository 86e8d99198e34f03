// `mbdyn kinematics`: closed forms through the command, lock-up, bifurcations, implied rows, wrong input.
#include <math.h>
#include <stdio.h>

#include "cli.h"
#include "close.h"
#include "table.h"

#define MECHANISMS MBDYN_SOURCE_DIR "/config/mechanisms/"
#define ROBOTS     MBDYN_SOURCE_DIR "/config/robots/"

static void
near(double x, double expected, double tolerance, const char * what)
{
  if (!(fabs(x - expected) <= tolerance)) fail_msg("%s: %.12g, not %.12g", what, x, expected);
}

// x = r cos(a) + sqrt(l^2 - r^2 sin(a)^2), a = rate t, with its rates by the chain rule
static void
slider_of(double r, double l, double rate, double t, double x[3])
{
  const double s = r * sin(rate * t), c = r * cos(rate * t), root = sqrt(l * l - s * s);
  const double first = -s * c / root, w = rate;
  x[0] = c + root;
  x[1] = w * (-s + first);
  // d/da of s c / root
  x[2] = w * w * (-c - ((c * c - s * s) / root + s * s * c * c / (root * root * root)));
}

static void
driven_slider_crank_has_the_closed_form(void ** state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    run_t run = RUN(
      "", "kinematics", MECHANISMS "driven_slider_crank.mechanism.yaml", "--grid", "0:2:0.01",
      "--csv", "-", "--coordinates", k ? "cartesian" : "tree");
    assert_int_equal(run.code, 0);
    assert_contains(run.err, "drivers      motor\n");
    assert_contains(run.err, "mobility     1 by rank, 1 by counting rows; 0 of ");
    assert_contains(run.err, "201 of 201 times\n");
    table_t t = parse_table(run.out);
    assert_int_equal(t.rows, 201);
    for (int i = 0; i < t.rows; i++) {
      double x[3];
      near(cell(&t, i, "t"), 0.01 * i, 1e-14, "t");
      slider_of(1, 1.01, 4, 0.01 * i, x);
      near(cell(&t, i, "y_x"), x[0], 1e-9, "x");
      near(cell(&t, i, "yd_x"), x[1], 1e-8, "its rate");
      near(cell(&t, i, "ydd_x"), x[2], 1e-5, "its second rate");
      near(cell(&t, i, "a_shaft"), 0, 1e-9, "acceleration of the driven joint");
      assert_true(cell(&t, i, "smallest") > 1e-3);
    }
    // of the book
    near(cell(&t, 200, "y_x"), 0.0576507965, 1e-9, "x");
    near(cell(&t, 200, "yd_x"), -1.1230530700, 1e-9, "its rate");
    near(cell(&t, 200, "ydd_x"), 38.2069687171, 4e-8, "its second rate");
    free_table(&t);
    run_free(&run);
  }
}

// no drivers in the file: the shaft is driven at its initial velocity
static void
initial_velocities_drive(void ** state)
{
  (void)state;
  run_t run = RUN(
    "", "kinematics", MECHANISMS "slider_crank.mechanism.yaml", "--grid", "0:2:0.01", "--csv", "-");
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "drivers      shaft\n");
  table_t t = parse_table(run.out);
  assert_int_equal(t.rows, 201);
  for (int i = 0; i < t.rows; i++) {
    double x[3];
    slider_of(1.5, 2, 10, 0.01 * i, x);
    near(cell(&t, i, "q_shaft"), 0.1 * i, 1e-9, "shaft");
    near(cell(&t, i, "q_guide"), x[0], 1e-9, "guide");
    near(cell(&t, i, "v_guide"), x[1], 1e-8, "its velocity");
    near(cell(&t, i, "a_guide"), x[2], 1e-6, "its acceleration");
  }
  free_table(&t);
  run_free(&run);
}

static void
lock_up_is_reported_and_rows_are_kept(void ** state)
{
  (void)state;
  run_t run = RUN(
    "", "kinematics", MECHANISMS "locking_slider_crank.mechanism.yaml", "--grid", "0:2:0.01",
    "--csv", "rows.csv");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "grid         0 to 1.27 s, 128 of 201 times\n");
  const char * at = strstr(run.out, "lock-up      t = ");
  assert_non_null(at);
  near(strtod(at + strlen("lock-up      t = "), NULL), 1.275636596, 1e-6, "lock-up");
  assert_contains(run.out, "s: driver 'motor' (line ");
  assert_contains(run.out, "the closures allow no motion beyond");
  run_free(&run);
  char text[1 << 16];
  FILE * file = fopen("rows.csv", "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  table_t t = parse_table(text);
  assert_int_equal(t.rows, 128);
  near(cell(&t, 127, "t"), 1.27, 1e-12, "last time");
  free_table(&t);
}

static void
bifurcations_and_implied_rows_are_named(void ** state)
{
  (void)state;
  run_t run =
    RUN("", "kinematics", MECHANISMS "branching_slider_crank.mechanism.yaml", "--grid", "0:6:0.1");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "bifurcation  t = 1.270796327 s: closure 'rod' (line ");
  assert_contains(run.out, "bifurcation  t = 4.41238898");
  run_free(&run);
  run = RUN("", "kinematics", MECHANISMS "three_rods.mechanism.yaml", "--grid", "0:1:0.1");
  assert_int_equal(run.code, 0);
  assert_contains(
    run.out,
    "mobility     1 by rank, 0 by counting rows; 1 of 4 rows is implied by those before them\n"
    "implied      rod_3\n");
  run_free(&run);
}

static void
page_is_self_contained(void ** state)
{
  (void)state;
  run_t run = RUN(
    "", "kinematics", MECHANISMS "windshield_wiper.mechanism.yaml", "--grid", "0:1:0.05", "--plot",
    "wiper.html");
  assert_int_equal(run.code, 0);
  run_free(&run);
  FILE * file = fopen("wiper.html", "r");
  assert_non_null(file);
  static char text[1 << 20];
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  assert_contains(text, "driven kinematics");
  assert_contains(text, "second rates of the outputs");
  assert_contains(text, "</html>");
  assert_null(strstr(text, "src=\"http"));
}

#define DRIVEN(drivers)                                                                      \
  "bodies:\n"                                                                                \
  "  - {name: crank, mass: 1, inertia: [1, 1, 1]}\n"                                         \
  "  - {name: slider, mass: 1, inertia: [1, 1, 1], xyz: [3, 0, 0]}\n"                        \
  "joints:\n"                                                                                \
  "  - {name: shaft, type: continuous, a: world, b: crank}\n"                                \
  "  - {name: guide, type: prismatic, a: {link: world, axis: [1, 0, 0]}, b: {link: slider, " \
  "axis: [1, 0, 0]}}\n"                                                                      \
  "closures:\n"                                                                              \
  "  - {name: rod, type: distance, distance: 2, a: {link: crank, xyz: [1, 0, 0]}, b: "       \
  "slider}\n" drivers

static void
bad_use_has_a_way_out(void ** state)
{
  (void)state;
  write_file("none.yaml", DRIVEN(""));
  write_file("empty.yaml", "");
  write_file(
    "long.yaml",
    DRIVEN("drivers:\n  - {name: one, joint: shaft, rate: 1}\nsimulate: {time: 1e9}\n"));
  write_file(
    "many.yaml", DRIVEN("drivers:\n  - {name: one, joint: shaft, rate: 1}\n"
                        "  - {name: two, joint: guide, value: 3}\n"));
  write_file("name.yaml", DRIVEN("drivers:\n  - {name: one, joint: shift, rate: 1}\n"));
  write_file("far.yaml", DRIVEN("drivers:\n  - {name: one, joint: guide, value: 9}\n"));
  write_file("nan.yaml", DRIVEN("drivers:\n  - {name: one, joint: shaft, rate: .nan}\n"));
  write_file("dead.yaml", DRIVEN("drivers:\n  - {name: one, joint: guide, value: 3}\n"));
  static const struct {
    const char * args[8];
    const char * says;
  } CASES[] = {
    {{"kinematics"}, "FILE is missing"},
    {{"kinematics", "nowhere.yaml"}, "nowhere.yaml"},
    {{"kinematics", "none.yaml"}, "no driver, but the closures leave 1 degree of freedom; add"},
    {{"kinematics", "many.yaml"}, "over-driven: 2 drivers, but the closures leave 1 degree"},
    {{"kinematics", "name.yaml"}, "there is no joint 'shift'"},
    {{"kinematics", "far.yaml"}, "far.yaml"},
    {{"kinematics", "nan.yaml"}, "nan.yaml"},
    {{"kinematics", "dead.yaml"}, "velocities are not determined"},
    {{"kinematics", ROBOTS "arm7.urdf"}, "the closures leave 7 degrees of freedom"},
    {{"kinematics", MECHANISMS "rolling_disk.mechanism.yaml"},
     "closure 'grip': prescribes velocities, not positions; use mbdyn simulate"},
    {{"kinematics", "none.yaml", "--grid", "0:1"}, "expected START:END:STEP in seconds"},
    {{"kinematics", "none.yaml", "--grid", "0:nan:0.1"}, "expected START:END:STEP in seconds"},
    {{"kinematics", "none.yaml", "--grid", "1:0:0.1"}, "START below END"},
    {{"kinematics", "none.yaml", "--grid", "0:1:0"}, "STEP positive"},
    {{"kinematics", "none.yaml", "--grid", "0:1:1e-9"}, "at most 1000000 times"},
    {{"kinematics", "none.yaml", "--grid", "0:1e9:1e6"}, "within -100000 to 100000 s"},
    {{"kinematics", "none.yaml", "--grid", "0:1e300:1e299"}, "within -100000 to 100000 s"},
    {{"kinematics", "none.yaml", "--grid", ""}, "expected START:END:STEP in seconds"},
    {{"kinematics", "long.yaml"}, "are more than 1000000 times every 0.01 s; give --grid"},
    {{"kinematics", "empty.yaml", "--grid", "0:1:0.1"}, "empty.yaml: error: file: has no bodies"},
    {{"kinematics", "none.yaml", "--coordinates", "polar"}, "tree or cartesian"},
    {{"kinematics", MECHANISMS "three_rods.mechanism.yaml", "--csv", "no/such/file"},
     "cannot write 'no/such/file'"},
    {{"kinematics", "none.yaml", "--girt", "0:1:1"}, "--girt"},
  };
  for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
    run_t run = run_cli("", NULL, CASES[k].args);
    if (run.code != 2) print_error("%s\n%s\n", CASES[k].says, run.out);
    assert_int_equal(run.code, 2);
    assert_contains(run.err, CASES[k].says);
    run_free(&run);
  }
  // a full disk
  run_t run = run_cli(
    "", "/dev/full",
    (const char * const[]){
      "kinematics", MECHANISMS "three_rods.mechanism.yaml", "--csv", "-", NULL});
  assert_int_equal(run.code, 2);
  run_free(&run);
}

static void
help_shows_the_options(void ** state)
{
  (void)state;
  run_t run = RUN("", "kinematics", "--help");
  assert_int_equal(run.code, 0);
  static const char * const SAYS[] = {
    "--grid START:END:STEP", "--coordinates tree|cartesian", "--csv FILE", "--plot FILE",
    "exit code: 0 success; 1 the mechanism locks; 2 wrong usage"};
  for (size_t k = 0; k < sizeof SAYS / sizeof *SAYS; k++) assert_contains(run.out, SAYS[k]);
  run_free(&run);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(driven_slider_crank_has_the_closed_form),
    cmocka_unit_test(initial_velocities_drive),
    cmocka_unit_test(lock_up_is_reported_and_rows_are_kept),
    cmocka_unit_test(bifurcations_and_implied_rows_are_named),
    cmocka_unit_test(page_is_self_contained),
    cmocka_unit_test(bad_use_has_a_way_out),
    cmocka_unit_test(help_shows_the_options),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
