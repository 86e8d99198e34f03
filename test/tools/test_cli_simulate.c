// `mbdyn simulate`: figures of Haug's book through the command, its files, wrong input, Ctrl-C.
// Reference values are those of docs/simulate.md, computed independently in minimal coordinates.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bag.h"
#include "cli.h"
#include "process.h"
#include "reader.h"
#include "table.h"

#define MECHANISMS MBDYN_SOURCE_DIR "/config/mechanisms/"

static void
assert_near(double x, double expected, double tolerance)
{
  if (!(fabs(x - expected) <= tolerance)) fail_msg("%.12g, not %.12g", x, expected);
}

//---------- the book's figures ----------

static void
quick_return_has_the_state_of_the_book(void ** state)
{
  (void)state;
  run_t run = RUN(
    "", "simulate", MECHANISMS "quick_return.mechanism.yaml", "--csv", "-", "--rtol", "1e-11",
    "--output-rate", "7");
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "quick_return: bodies 4, closures 2, degrees of freedom 1");
  assert_contains(run.err, "not stiff");
  table_t t = parse_table(run.out);
  // 0, 1/7, ... 17/7 and the end
  assert_int_equal(t.rows, 19);
  assert_near(cell(&t, 1, "t"), 1.0 / 7, 1e-11);
  assert_near(cell(&t, 18, "t"), 2.5, 0);
  assert_near(cell(&t, 18, "q_shaft"), 13.211524026, 2e-8);
  assert_near(cell(&t, 18, "v_shaft"), 5.856173553, 2e-8);
  assert_near(cell(&t, 18, "q_guide"), -0.984706095, 2e-8);
  for (int i = 0; i < t.rows; i++) {
    const double energy = cell(&t, i, "kinetic") + cell(&t, i, "potential");
    const double start = cell(&t, 0, "kinetic") + cell(&t, 0, "potential");
    assert_near(energy, start, 1e-4);
  }
  free_table(&t);
  run_free(&run);
}

static void
double_pendulum_has_the_position_of_the_book(void ** state)
{
  (void)state;
  static const char * const coordinates[] = {"tree", "cartesian"};
  for (int k = 0; k < 2; k++) {
    run_t run = RUN(
      "", "simulate", MECHANISMS "double_pendulum_rod.mechanism.yaml", "--csv", "run.csv", "--rtol",
      "1e-11", "--coordinates", coordinates[k], "--output-rate", "1");
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "simulated    20 s");
    run_free(&run);
    FILE * file = fopen("run.csv", "r");
    char text[60000];
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    table_t t = parse_table(text);
    assert_int_equal(t.rows, 21);
    assert_near(cell(&t, 20, "q_second.px"), 0.496820081, 1e-7);
    assert_near(cell(&t, 20, "q_second.pz"), -2.904161526, 1e-7);
    // the rod pulls along the line between its ends
    const double x = cell(&t, 20, "force_rod.x"), y = cell(&t, 20, "force_rod.y"),
                 z = cell(&t, 20, "force_rod.z");
    assert_near(sqrt(x * x + y * y + z * z), 1823.1836, 1e-2);
    free_table(&t);
  }
}

static void
other_methods_agree(void ** state)
{
  (void)state;
  run_t run = RUN(
    "", "simulate", MECHANISMS "double_pendulum_springs.mechanism.yaml", "--method", "rkf45",
    "--compare", "nystrom4", "--time", "2", "--step", "1e-3");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "nystrom4 against rkf45");
  const char * text = strstr(run.out, "largest difference ");
  assert_non_null(text);
  const double difference = strtod(text + strlen("largest difference "), NULL);
  assert_true(difference > 0 && difference < 1e-6);
  // and of velocities
  text = strstr(run.out, "of velocities ");
  assert_non_null(text);
  const double faster = strtod(text + strlen("of velocities "), NULL);
  assert_true(faster > difference && faster < 1e-4);
  run_free(&run);
}

// a pendulum at rest with gravity compensated stays; with a constant torque on the axis it accelerates
static void
torques_act(void ** state)
{
  (void)state;
  write_file(
    "wheel.mechanism.yaml",
    "bodies:\n  - {name: wheel, mass: 2, com: [0.1, 0, 0], inertia: [2, 2, 3]}\n"
    "gravity: [0, -9.8, 0]\njoints:\n  - {name: axle, type: continuous, a: world, b: wheel}\n");
  run_t run = RUN(
    "", "simulate", "wheel.mechanism.yaml", "--time", "1", "--torque", "gravity", "--initial",
    "axle=0.5:0.25", "--csv", "-");
  assert_int_equal(run.code, 0);
  table_t t = parse_table(run.out);
  assert_near(cell(&t, t.rows - 1, "q_axle"), 0.75, 1e-7);
  assert_near(cell(&t, 0, "tau_axle"), 2 * 9.8 * 0.1 * cos(0.5), 1e-9);
  free_table(&t);
  run_free(&run);
  run = RUN(
    "", "simulate", "wheel.mechanism.yaml", "--time", "1", "--torque", "axle=1.51", "--gravity",
    "0,0,-1", "--csv", "-");
  assert_int_equal(run.code, 0);
  t = parse_table(run.out);
  // 3 + 2 0.1^2 kg m^2
  assert_near(cell(&t, t.rows - 1, "v_axle"), 1.51 / 3.02, 1e-7);
  free_table(&t);
  run_free(&run);
}

static void
a_stiff_problem_is_called_stiff(void ** state)
{
  (void)state;
  write_file(
    "stiff.mechanism.yaml",
    "gravity: [0, 0, 0]\nbodies:\n  - {name: bar, mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n  - {name: axle, type: continuous, a: world, b: bar}\n"
    "forces:\n  - {name: damper, type: joint, joint: axle, stiffness: 1000, damping: 100000}\n"
    "initial:\n  axle: {q: 1, v: 0}\n");
  run_t run = RUN("", "simulate", "stiff.mechanism.yaml", "--time", "1", "--method", "rkf45");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "try --method auto or sdirk54");
  run_free(&run);
  run = RUN("", "simulate", "stiff.mechanism.yaml", "--time", "1");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "stiff, sdirk54 in");
  run_free(&run);
}

//---------- position limits ----------

// A sled of 2 kg pushed by 4 N from rest: at its limit of 0.25 m after 0.5 s, at 1 m/s. A URDF joint, too.
static void
limits_of_joints(void ** state)
{
  (void)state;
  write_file(
    "sled.mechanism.yaml",
    "gravity: [0, 0, 0]\nbodies:\n  - {name: sled, mass: 2, inertia: [1, 1, 1]}\n"
    "joints:\n  - {name: rail, type: prismatic, a: world, b: sled, lower: -1, upper: 0.25}\n");
  write_file(
    "carriage.urdf",
    "<robot name='sled'><link name='base'/><link name='sled'><inertial><mass value='2'/>"
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='rail' type='prismatic'><parent link='base'/><child link='sled'/>"
    "<axis xyz='0 0 1'/><limit lower='-1' upper='0.25' effort='9' velocity='9'/></joint></robot>");
  static const char * const FILES[2] = {"sled.mechanism.yaml", "carriage.urdf"};
  for (int k = 0; k < 2; k++) {
    const char * file = FILES[k];
    run_t run =
      RUN("", "simulate", file, "--gravity", "0,0,0", "--time", "2", "--torque", "rail=4");
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "joint 'rail' reaches its upper limit 0.25 at 0.5 s and passes it");
    assert_contains(run.out, "largest excess 3.75 of 'rail'");
    run_free(&run);
    run = RUN(
      "", "simulate", file, "--gravity", "0,0,0", "--time", "2", "--torque", "rail=4", "--limits",
      "stop", "--csv", "-");
    assert_int_equal(run.code, 0);
    assert_contains(run.err, "simulated    0.5 s");
    assert_contains(run.err, "upper limit 0.25 at 0.5 s: the run ends there");
    table_t t = parse_table(run.out);
    assert_near(cell(&t, t.rows - 1, "q_rail"), 0.25, 0.011);
    assert_true(t.rows >= 50 && t.rows <= 51);
    free_table(&t);
    run_free(&run);
    // springs of 2 kg 300^2 / s^2: the sled rests 4 N / 180000 N/m beyond; its speed is lost
    run = RUN(
      "", "simulate", file, "--gravity", "0,0,0", "--time", "2", "--torque", "rail=4", "--limits",
      "spring", "--csv", "-");
    assert_int_equal(run.code, 0);
    assert_contains(run.err, "held by its stop, 1.8e+05 per unit");
    t = parse_table(run.out);
    assert_near(cell(&t, t.rows - 1, "q_rail"), 0.25 + 4 / 180000.0, 1e-8);
    assert_near(cell(&t, t.rows - 1, "v_rail"), 0, 1e-6);
    assert_near(cell(&t, t.rows - 1, "tau_rail"), 0, 1e-3);
    for (int i = 0; i < t.rows; i++) assert_true(cell(&t, i, "q_rail") < 0.252);
    free_table(&t);
    run_free(&run);
    // it starts beyond
    run =
      RUN("", "simulate", file, "--gravity", "0,0,0", "--initial", "rail=-1.5", "--limits", "stop");
    assert_int_equal(run.code, 0);
    assert_contains(
      run.out, "joint 'rail' is beyond its lower limit -1 at 0 s: the run ends there");
    run_free(&run);
  }
}

//---------- wrong input ----------

typedef struct wrong {
  const char *text, *message;
} wrong_t;

#define BODY   "bodies:\n  - {name: bar, mass: 1, inertia: [1, 1, 1]}\n"
#define JOINT  "joints:\n  - {name: axle, type: continuous, a: world, b: bar}\n"
#define DRIVER "drivers:\n  - {name: motor, joint: axle, rate: 1}\n"

// a crank of 1 m, driven, and a bar of 1.2 m whose end stays at x = 1.5: until cos(angle) = 0.3
#define LOCK_UP                                                                     \
  "bodies:\n  - {name: crank, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"                 \
  "  - {name: bar, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"                            \
  "  - {name: bob, mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"          \
  "joints:\n  - {name: shaft, type: revolute, a: world, b: crank}\n"                \
  "  - {name: pin, type: revolute, a: {link: crank, xyz: [1, 0, 0]}, b: bar}\n"     \
  "  - {name: hook, type: revolute, a: bar, b: bob}\n"                              \
  "closures:\n  - {name: slot, type: on_plane, b: {link: bar, xyz: [1.2, 0, 0]},\n" \
  "     a: {link: world, xyz: [1.5, 0, 0], axis: [1, 0, 0]}}\n"                     \
  "drivers:\n  - {name: motor, joint: shaft, rate: 1}\n"

static void
wrong_files_are_explained(void ** state)
{
  (void)state;
  static const wrong_t WRONG[] = {
    {BODY "jionts: []\n",
     "wrong.mechanism.yaml:3: error: file: key \"jionts\" is unknown; known keys"},
    {BODY JOINT "closures:\n  - {name: rod, type: distance, distance: 5, a: bar, b: {link: world, "
                "xyz: [1, 0, 0]}}\n",
     "wrong.mechanism.yaml:6: error: closure 'rod': the initial state cannot be assembled: a gap "
     "of "
     "4 m remains in the best configuration; check frames and lengths"},
    {BODY JOINT DRIVER,
     "wrong.mechanism.yaml:6: start: driver 'motor': no degree of freedom is left to simulate: 1 "
     "driver prescribes all of the motion; remove a driver"},
    {BODY JOINT DRIVER
     "closures:\n  - {name: rod, type: distance, distance: 5, a: world, b: {link: bar, xyz: [1, 0, "
     "0]}}\n",
     "a gap of 4 m remains"},
    {BODY JOINT
     "closures:\n  - {name: bolt, type: weld, a: {link: world, xyz: [0, 0, 0]}, b: bar}\n",
     "wrong.mechanism.yaml:6: start: closure 'bolt': no degree of freedom is left: the closures "
     "lock "
     "the mechanism; remove a closure"},
    {"bodies:\n  - {name: bar, mass: 0, inertia: [0, 0, 0]}\n" JOINT,
     "wrong.mechanism.yaml:4: start: joint 'axle': a joint moves a subtree that has no inertia "
     "along "
     "its motion; give the body mass and inertia"},
    {"bodies:\n  - {name: bar, mass: .nan, inertia: [1, 1, 1]}\n" JOINT,
     "wrong.mechanism.yaml:2: error: body 'bar': mass \".nan\" is not a number; write a finite "
     "number"},
    {LOCK_UP,
     "wrong.mechanism.yaml:10: t = 1.26610367 s: closure 'slot': the mechanism cannot move on, or "
     "branches: the closure is singular here; end the simulation before with --time"},
    {"bodies:\n  - {name: drawer, mass: 1, com: [0, 0.1, 0], inertia: [1, 1, 1]}\n"
     "joints:\n  - {name: rail, type: prismatic, a: world, b: drawer}\n"
     "forces:\n  - {name: pull, type: wrench, a: world, b: {link: drawer, xyz: [0, 0.3, 0]}, "
     "force: [0, 0, 10]}\n"
     "bearings:\n  - {joint: rail, mu_static: 0.5, mu_dynamic: 0.5, span: 0.02}\n"
     "initial: {rail: {v: 1}}\ngravity: [0, 0, 0]\n",
     "wrong.mechanism.yaml:4: start: joint 'rail': contact forces, or the loads of bearings, were "
     "not "
     "found; bearings jam"},
    {"gravity: [0, 0, 0]\nbodies:\n  - {name: sled, mass: 1, inertia: [1, 1, 1]}\n"
     "joints:\n  - {name: rail, type: prismatic, a: world, b: sled}\n"
     "forces:\n  - {name: s, type: joint, joint: rail, stiffness: -1.0e9, damping: -1.0e6}\n"
     "initial: {rail: 1}\n",
     "wrong.mechanism.yaml:5: t = 0.000340"},
    {BODY JOINT "simulate: {method: rk9}\n", "rk9"},
    {"", "wrong.mechanism.yaml"},
  };
  for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
    write_file("wrong.mechanism.yaml", WRONG[i].text);
    run_t run = RUN("", "simulate", "wrong.mechanism.yaml", "--time", "2");
    if (run.code != 2) fail_msg("case %zu: exit code %d", i, run.code);
    assert_contains(run.err, WRONG[i].message);
    // once: a missing key and a wrong one are different errors
    assert_null(strstr(run.err, "is missing"));
    run_free(&run);
  }
}

static void
wrong_options_are_explained(void ** state)
{
  (void)state;
  static const char * const WRONG[][3] = {
    {"--method", "rk5", "expected auto, rkf45"},
    {"--rtol", "1e-30", "between 1e-14 and 1"},
    {"--time", "-1", "positive number"},
    {"--initial", "shafd=1", "did you mean 'shaft'"},
    {"--initial", "shaft", "JOINT=Q"},
    {"--torque", "shaft=x", "JOINT=TORQUE"},
    {"--torque", "nobody=1", "no such joint"},
    {"--limits", "hard", "report, stop or spring"},
    {"--csv", "nowhere/run.csv", "cannot write 'nowhere/run.csv'"},
  };
  for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
    run_t run =
      RUN("", "simulate", MECHANISMS "quick_return.mechanism.yaml", WRONG[i][0], WRONG[i][1], NULL);
    assert_int_equal(run.code, 2);
    assert_contains(run.err, WRONG[i][2]);
    run_free(&run);
  }
  run_t run =
    RUN("", "simulate", MECHANISMS "quick_return.mechanism.yaml", "--initial", "shaft=1,pivot=0.2");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "closure 'slot'");
  run_free(&run);
  run =
    RUN("", "simulate", MECHANISMS "quick_return.mechanism.yaml", "--method", "rk4", "--step", "1");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "try a smaller --step");
  run_free(&run);
}

// any robot, with the loops file beside it
static void
robots_are_simulated(void ** state)
{
  (void)state;
  run_t run = RUN("", "simulate", "arm.urdf", "--time", "1", "--without", "friction");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "bodies 2, closures 0, degrees of freedom 2");
  run_free(&run);
  run = RUN(
    "", "simulate", MBDYN_SOURCE_DIR "/config/robots/finger.urdf", "--time", "0.2", "--initial",
    "knuckle=0.5", "--torque", "gravity");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "bodies 3, closures 1, degrees of freedom 1");
  run_free(&run);
}

//---------- a mechanism file beside a URDF ----------

#define BESIDE                                                              \
  "forces:\n  - {name: spring, type: joint, joint: joint2, stiffness: 3}\n" \
  "drivers:\n  - {name: motor, joint: joint1, value: 0.3, rate: 2}\n"       \
  "initial: {joint2: {q: 0.4, v: -1}}\n"                                    \
  "simulate: {time: 1.5, rtol: 1.0e-11}\n"

// second link of test/data/double_pendulum.urdf, by the equations in that file, while the first turns at 2 rad/s
static double
driven_pendulum(double t, double q)
{
  const double angle = 0.3 + 2 * t + q;
  return (-0.5 * sin(q) * 4 - 9.81 * 0.5 * sin(angle) - 3 * q) / 0.3;
}

static double
driven_pendulum_at(double t_end)
{
  enum { STEPS = 20000 };
  double q = 0.4, v = -1;
  const double h = t_end / STEPS;
  for (int i = 0; i < STEPS; i++) {
    const double t = i * h, a1 = driven_pendulum(t, q);
    const double v2 = v + h / 2 * a1, a2 = driven_pendulum(t + h / 2, q + h / 2 * v);
    const double v3 = v + h / 2 * a2, a3 = driven_pendulum(t + h / 2, q + h / 2 * v2);
    const double v4 = v + h * a3, a4 = driven_pendulum(t + h, q + h * v3);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return q;
}

static void
copy_pendulum(void)
{
  char text[20000];
  FILE * file = fopen(MBDYN_SOURCE_DIR "/test/data/double_pendulum.urdf", "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  write_file("pendulum.urdf", text);
}

static void
a_mechanism_file_beside_a_urdf_applies(void ** state)
{
  (void)state;
  copy_pendulum();
  write_file("pendulum.mechanism.yaml", BESIDE);
  run_t run = RUN("", "simulate", "pendulum.urdf", "--csv", "-", "--output-rate", "2");
  assert_int_equal(run.code, 0);
  table_t t = parse_table(run.out);
  assert_int_equal(t.rows, 4);
  for (int i = 0; i < t.rows; i++) {
    assert_near(cell(&t, i, "q_joint1"), 0.3 + 2 * cell(&t, i, "t"), 1e-9);
    assert_near(cell(&t, i, "q_joint2"), driven_pendulum_at(cell(&t, i, "t")), 1e-8);
  }
  free_table(&t);
  run_free(&run);
  // without the file: at rest
  run = RUN(
    "", "simulate", "pendulum.urdf", "--loops", "none", "--csv", "-", "--output-rate", "1",
    "--time", "1");
  assert_int_equal(run.code, 0);
  t = parse_table(run.out);
  assert_near(cell(&t, 1, "q_joint2"), 0, 1e-12);
  free_table(&t);
  run_free(&run);
}

static void
bearings_beside_a_urdf_brake(void ** state)
{
  (void)state;
  static const char * const files[] = {
    "initial: {joint1: {v: 3}}\n",
    "initial: {joint1: {v: 3}}\n"
    "bearings:\n  - {joint: joint1, mu_static: 0.2, mu_dynamic: 0.2, radius: 0.05}\n"};
  double energy[2];
  copy_pendulum();
  for (int k = 0; k < 2; k++) {
    write_file("pendulum.mechanism.yaml", files[k]);
    run_t run =
      RUN("", "simulate", "pendulum.urdf", "--csv", "-", "--output-rate", "1", "--time", "1");
    assert_int_equal(run.code, 0);
    if (k == 0) assert_null(strstr(run.err, "bearings"));
    if (k == 1) assert_contains(run.err, "bearings     1, largest condition number ");
    assert_null(strstr(run.err, "jam"));
    table_t t = parse_table(run.out);
    energy[k] = cell(&t, 1, "kinetic") + cell(&t, 1, "potential") - cell(&t, 0, "kinetic") -
                cell(&t, 0, "potential");
    free_table(&t);
    run_free(&run);
  }
  assert_near(energy[0], 0, 1e-5);
  // 3 kg at up to 3 rad/s through 0.01 m of effective radius: around 0.3 N m
  assert_true(energy[1] < -0.1 && energy[1] > -2);
}

static void
wrong_files_beside_a_urdf_are_explained(void ** state)
{
  (void)state;
  static const wrong_t WRONG[] = {
    {"bodies:\n  - {name: bar, mass: 1}\n",
     "2: error: file: bodies is only for mechanisms without"},
    {"joints: []\n", "1: error: file: joints is only for mechanisms without a URDF"},
    {"gravity: [0, 0, 0]\n", "gravity is only"},
    {"drivers:\n  - {name: m, joint: elbow}\n", "2: error: driver 'm': there is no joint 'elbow'"},
    {"bearings:\n  - {joint: elbow}\n", "2: error: bearing 'elbow': there is no joint or closure"},
    {"initial: {elbow: 1}\n", "1: error: initial 'elbow': there is no joint"},
    {"initial: {joint1: [1, 2]}\n", "1: error: initial 'joint1': a joint of type continuous has 1"},
    {"closures:\n  - {name: rod, type: distance, distance: 9, a: world, b: link2}\n",
     "2: error: closure 'rod': the initial state cannot be assembled: a gap of"},
    {"drivers:\n  - {name: m, joint: joint1}\n  - {name: n, joint: joint2}\n",
     "3: start: driver 'n': no degree of freedom is left to simulate: 2 drivers prescribe all"},
    {"closures:\n  - {name: gear, type: coupling, joints: {joint1: 1, joint2: 1}}\n"
     "drivers:\n  - {name: m, joint: joint1}\n  - {name: n, joint: joint2, value: 1}\n",
     "5: error: driver 'n': over-driven: 2 drivers, but the closures leave 1 degree of freedom"},
  };
  copy_pendulum();
  for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
    write_file("pendulum.mechanism.yaml", WRONG[i].text);
    run_t run = RUN("", "simulate", "pendulum.urdf");
    if (run.code != 2) fail_msg("case %zu: exit code %d", i, run.code);
    assert_contains(run.err, "pendulum.mechanism.yaml:");
    assert_contains(run.err, WRONG[i].message);
    run_free(&run);
  }
  write_file("pendulum.loops.yaml", "closures: []\n");
  run_t run = RUN("", "simulate", "pendulum.urdf");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "pendulum.loops.yaml is beside it, too");
  run_free(&run);
  remove("pendulum.loops.yaml");
}

//---------- recordings ----------

// position of a joint in the last joint state; the number of joint states
static int
read_last(const char * path, const char * joint, double * q)
{
  bag_error_t error;
  bag_reader_t * bag = bag_open(path, &error);
  if (!bag) fail_msg("%s", error.text);
  assert_string_equal(bag_note(bag), "");
  const int topic = bag_find_topic(bag, "/joint_states");
  assert_true(topic >= 0);
  bag_message_t m;
  int n = 0, got;
  assert_true(bag_select(bag, NULL, INT64_MIN, INT64_MAX, &error));
  while ((got = bag_next(bag, &m, &error)) > 0) {
    if ((int)m.topic != topic) continue;
    n++;
    wire_reader_t r = wire_open(m.data, m.size);
    const double stamp = (double)wire_u32(&r) + 1e-9 * (double)wire_u32(&r);
    assert_near(stamp, 1e-9 * (double)m.log_time, 2e-9);
    (void)wire_string(&r);
    const uint32_t joints = wire_u32(&r);
    uint32_t found = joints;
    for (uint32_t i = 0; i < joints; i++) {
      const wire_text_t name = wire_string(&r);
      if (name.size == strlen(joint) && memcmp(name.data, joint, name.size) == 0) found = i;
    }
    assert_true(found < joints);
    assert_int_equal(wire_u32(&r), joints);
    for (uint32_t i = 0; i <= found; i++) *q = wire_f64(&r);
    assert_true(wire_ok(&r));
  }
  assert_int_equal(got, 0);
  bag_free(bag);
  return n;
}

static void
recordings_are_read_back(void ** state)
{
  (void)state;
  // a second run replaces the file
  for (int k = 0; k < 2; k++) {
    run_t run = RUN(
      "", "simulate", MECHANISMS "quick_return.mechanism.yaml", "--rtol", "1e-11", "--mcap",
      "run.mcap");
    assert_int_equal(run.code, 0);
    run_free(&run);
    double q = 0;
    assert_int_equal(read_last("run.mcap", "shaft", &q), 251);
    assert_near(q, 13.211524026, 2e-8);
  }
  bag_error_t error;
  bag_reader_t * bag = bag_open("run.mcap", &error);
  static const char * const TOPICS[] = {
    "/tf",
    "/mbdyn/dynamics",
    "/mbdyn/reactions/rod",
    "/mbdyn/reactions/slot",
    "/mbdyn/reactions/shaft",
    "/mbdyn/simulation/step",
    "/mbdyn/simulation/constraint_error"};
  for (size_t i = 0; i < sizeof TOPICS / sizeof TOPICS[0]; i++) {
    const int topic = bag_find_topic(bag, TOPICS[i]);
    if (topic < 0) fail_msg("no topic %s", TOPICS[i]);
    assert_int_equal(bag_info(bag)->topic[topic].count, 251);
    assert_non_null(bag_info(bag)->topic[topic].definition);
  }
  bag_free(bag);
}

// Newton's law for a wheel whose centre of mass is 0.1 m off its axle: force and moment of the axle, on the
// wheel, from the motion alone
static void
reactions_of_joints_are_recorded(void ** state)
{
  (void)state;
  write_file(
    "swing.mechanism.yaml",
    "bodies:\n  - {name: wheel, mass: 2, com: [0.1, 0, 0], inertia: [2, 2, 3]}\n"
    "gravity: [0, -9.8, 0]\njoints:\n  - {name: axle, type: continuous, a: world, b: wheel}\n"
    "initial: {axle: {q: 0.5, v: 2}}\n");
  run_t run = RUN(
    "", "simulate", "swing.mechanism.yaml", "--time", "1", "--torque", "axle=0.7", "--csv",
    "swing.csv", "--mcap", "swing.mcap");
  assert_int_equal(run.code, 0);
  run_free(&run);
  char * text = file_text("swing.csv");
  table_t t = parse_table(text);
  bag_error_t error;
  bag_reader_t * bag = bag_open("swing.mcap", &error);
  assert_non_null(bag);
  const int topic = bag_find_topic(bag, "/mbdyn/reactions/axle");
  assert_true(topic >= 0);
  bag_message_t message;
  int n = 0;
  assert_true(bag_select(bag, NULL, INT64_MIN, INT64_MAX, &error));
  while (bag_next(bag, &message, &error) > 0) {
    if ((int)message.topic != topic) continue;
    const double q = cell(&t, n, "q_axle"), v = cell(&t, n, "v_axle"), a = cell(&t, n, "a_axle");
    const double x = 0.1 * cos(q), y = 0.1 * sin(q);
    const double want[6] = {2 * (-v * v * x - a * y), 2 * (-v * v * y + a * x + 9.8), 0, 0, 0, 0.7};
    double got[6];
    wire_reader_t r = wire_open(message.data, message.size);
    wire_u32(&r), wire_u32(&r), (void)wire_string(&r);
    for (int k = 0; k < 6; k++) got[k] = wire_f64(&r);
    assert_true(wire_ok(&r));
    for (int k = 0; k < 6; k++) assert_near(got[k], want[k], 1e-6);
    n++;
  }
  assert_int_equal(n, t.rows);
  assert_true(n > 100);
  bag_free(bag);
  free_table(&t);
  free(text);
}

// force of the last message of a topic at a time; x, y, z
static bool
force_at(bag_reader_t * bag, const char * name, const bag_message_t * m, double * force)
{
  if ((int)m->topic != bag_find_topic(bag, name)) return false;
  wire_reader_t r = wire_open(m->data, m->size);
  wire_u32(&r), wire_u32(&r), (void)wire_string(&r);
  for (int k = 0; k < 3; k++) force[k] = wire_f64(&r);
  assert_true(wire_ok(&r));
  return true;
}

// In a loop: the crank's centre of mass is at rest on its axis, and the slider moves along x. What the rod does
// to both is in its own topic.
static void
reactions_in_a_loop_balance(void ** state)
{
  (void)state;
  run_t run = RUN(
    "", "simulate", MECHANISMS "slider_crank.mechanism.yaml", "--time", "1", "--mcap", "crank.mcap",
    "--csv", "crank.csv");
  assert_int_equal(run.code, 0);
  run_free(&run);
  char * text = file_text("crank.csv");
  table_t t = parse_table(text);
  bag_error_t error;
  bag_reader_t * bag = bag_open("crank.mcap", &error);
  assert_non_null(bag);
  assert_true(bag_select(bag, NULL, INT64_MIN, INT64_MAX, &error));
  bag_message_t m;
  double rod[3], shaft[3], guide[3], largest = 0;
  int have = 0, n = 0;
  while (bag_next(bag, &m, &error) > 0) {
    have |= force_at(bag, "/mbdyn/reactions/rod", &m, rod) ? 1 : 0;
    have |= force_at(bag, "/mbdyn/reactions/shaft", &m, shaft) ? 2 : 0;
    have |= force_at(bag, "/mbdyn/reactions/guide", &m, guide) ? 4 : 0;
    if (have != 7) continue;
    have = 0;
    assert_near(shaft[0], rod[0], 1e-6);
    assert_near(shaft[1], rod[1] + 9.8, 1e-6);
    assert_near(guide[0], 0, 1e-6);
    assert_near(guide[1], -rod[1] + 20 * 9.8, 1e-6);
    assert_near(rod[0], 20 * cell(&t, n, "a_guide"), 1e-6);
    largest = fmax(largest, fabs(rod[0]));
    n++;
  }
  assert_int_equal(n, t.rows);
  assert_true(largest > 100);
  bag_free(bag);
  free_table(&t);
  free(text);
}

// the momentum observer of `mbdyn analyze` finds no external torque in a simulated motion
static void
analyze_finds_no_external_torque(void ** state)
{
  (void)state;
  run_t run = RUN(
    "", "simulate", "arm.urdf", "--time", "3", "--output-rate", "1000", "--initial",
    "shoulder=0.4:0.5,elbow=-0.7", "--torque", "elbow=0.3", "--mcap", "arm.mcap");
  assert_int_equal(run.code, 0);
  run_free(&run);
  static const char * const args[] = {"analyze", "arm.mcap", "--json", NULL};
  json_t * root = run_json("", args);
  for (int i = 0; i < 2; i++) {
    char path[64];
    double total[2], external[2];
    static const char * const ENDS[2] = {"min", "max"};
    for (int k = 0; k < 2; k++) {
      snprintf(path, sizeof path, "joints/%d/gravity/%s", i, ENDS[k]);
      numbers_at(root, path, &total[k], 1);
      snprintf(path, sizeof path, "joints/%d/external/%s", i, ENDS[k]);
      numbers_at(root, path, &external[k], 1);
    }
    const double most = fmax(fabs(external[0]), fabs(external[1]));
    assert_true(total[1] - total[0] > 0.1);
    if (!(most < 0.01 * (total[1] - total[0]))) fail_msg("external %g", most);
  }
  json_decref(root);
}

static void
an_interrupted_run_leaves_readable_files(void ** state)
{
  (void)state;
  const int code =
    system("timeout --preserve-status -s INT 1 " MBDYN_CLI " simulate " MECHANISMS
           "quick_return.mechanism.yaml --time 100000 --mcap cut.mcap --csv cut.csv > cut.txt");
  assert_int_equal(code, 0);
  double q;
  const int n = read_last("cut.mcap", "shaft", &q);
  assert_true(n > 10);
  FILE * file = fopen("cut.csv", "r");
  int rows = -1, c;
  while ((c = fgetc(file)) != EOF) rows += c == '\n';
  fclose(file);
  assert_int_equal(rows, n);
  char text[4096];
  file = fopen("cut.txt", "r");
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  assert_contains(text, "(interrupted)");
}

// data of the page of a bundled mechanism
static json_t *
page_of(const char * mechanism)
{
  run_t run = RUN("", "simulate", mechanism, "--time", "0.1", "--plot", "run.html");
  assert_int_equal(run.code, 0);
  run_free(&run);
  FILE * file = fopen("run.html", "r");
  static char text[2000000];
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  assert_null(strstr(text, "@DATA@"));
  assert_null(strstr(text, "@CHARTS@"));
  const char * begin = strstr(text, "application/json\">");
  assert_non_null(begin);
  begin += strlen("application/json\">");
  json_t * root = json_loadb(begin, (size_t)(strstr(begin, "</script>") - begin), 0, NULL);
  assert_non_null(root);
  return root;
}

static void
a_page_is_written(void ** state)
{
  (void)state;
  json_t * root = page_of(MECHANISMS "stewart.mechanism.yaml");
  // time and poses of 13 bodies
  assert_int_equal(json_array_size(value_at(root, "frames/0")), 1 + 13 * 7);
  assert_int_equal(json_array_size(value_at(root, "frames")), 201);
  assert_true(json_array_size(value_at(root, "velocities")) > 6);
  assert_int_equal(json_array_size(value_at(root, "surfaces")), 0);
  json_decref(root);
  // surfaces of touch, once
  root = page_of(MECHANISMS "rolling_ellipsoid.mechanism.yaml");
  assert_int_equal(json_array_size(value_at(root, "surfaces")), 2);
  assert_string_equal(json_string_value(value_at(root, "surfaces/0/type")), "paraboloid");
  assert_string_equal(json_string_value(value_at(root, "surfaces/1/type")), "ellipsoid");
  assert_near(json_number_value(value_at(root, "surfaces/1/size/2")), 0.3, 1e-12);
  assert_true(
    json_integer_value(value_at(root, "surfaces/0/body")) !=
    json_integer_value(value_at(root, "surfaces/1/body")));
  json_decref(root);
  // z of the disk's rim is the axis x of its link
  root = page_of(MECHANISMS "rolling_disk.mechanism.yaml");
  assert_int_equal(json_integer_value(value_at(root, "surfaces/0/body")), -1);
  assert_string_equal(json_string_value(value_at(root, "surfaces/1/type")), "disk");
  assert_near(json_number_value(value_at(root, "surfaces/1/z/0")), 1, 1e-12);
  json_decref(root);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(quick_return_has_the_state_of_the_book),
    cmocka_unit_test(double_pendulum_has_the_position_of_the_book),
    cmocka_unit_test(other_methods_agree),
    cmocka_unit_test(torques_act),
    cmocka_unit_test(a_stiff_problem_is_called_stiff),
    cmocka_unit_test(limits_of_joints),
    cmocka_unit_test(wrong_files_are_explained),
    cmocka_unit_test(wrong_options_are_explained),
    cmocka_unit_test(robots_are_simulated),
    cmocka_unit_test(a_mechanism_file_beside_a_urdf_applies),
    cmocka_unit_test(bearings_beside_a_urdf_brake),
    cmocka_unit_test(wrong_files_beside_a_urdf_are_explained),
    cmocka_unit_test(recordings_are_read_back),
    cmocka_unit_test(reactions_of_joints_are_recorded),
    cmocka_unit_test(reactions_in_a_loop_balance),
    cmocka_unit_test(analyze_finds_no_external_torque),
    cmocka_unit_test(a_page_is_written),
    cmocka_unit_test(an_interrupted_run_leaves_readable_files),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
