// Robots with loops, gears and rotors on the command line.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "close.h"
#include "process.h"

#define FINGER  MBDYN_SOURCE_DIR "/config/robots/finger.urdf"
#define GRIPPER MBDYN_SOURCE_DIR "/test/data/mimic_gripper.urdf"

static double
number_at_path(const json_t * root, const char * path)
{
  double x;
  numbers_at(root, path, &x, 1);
  return x;
}

static json_t *
eval_finger(double knuckle, double speed)
{
  char text[200];
  snprintf(
    text, sizeof text,
    "{\"states\": [{\"q\": {\"knuckle\": %.17g}, \"v\": {\"knuckle\": %.17g}, "
    "\"tau\": {\"knuckle\": 0.01}}]}",
    knuckle, speed);
  static const char * const args[] = {"eval",        FINGER,          "--frame=distal",
                                      "--frame=rod", "--derivatives", NULL};
  return run_json(text, args);
}

// where the rod's end and its pin on the distal link are, from the frames alone: the loop is closed
static void
the_file_beside_the_robot_closes_its_loop(void ** state)
{
  (void)state;
  json_t * root = eval_finger(0.6, 1);
  double rod[7], distal[7];
  numbers_at(root, "states/0/frames/rod/pose", rod, 7);
  numbers_at(root, "states/0/frames/distal/pose", distal, 7);
  // rotations about y: the points are (x, 0, 0) of the rod and (0.004, 0, -0.005) of the tip's link
  const double length = 0.038078865529319536;
  const double a = 2 * atan2(rod[4], rod[6]), b = 2 * atan2(distal[4], distal[6]);
  const double end[2] = {rod[0] + length * cos(a), rod[2] - length * sin(a)};
  const double pin[2] = {
    distal[0] + 0.004 * cos(b) - 0.005 * sin(b), distal[2] - 0.004 * sin(b) - 0.005 * cos(b)};
  assert_close(end, pin, 2, 1e-9, "pin");
  json_decref(root);
}

// velocities of all joints are those of positions a little later, and accelerations of velocities
static void
all_joints_move_as_the_loop_says(void ** state)
{
  (void)state;
  static const char * const joints[] = {"tip", "rod_foot"};
  const double h = 1e-5;
  json_t *now = eval_finger(0.6, 1), *before = eval_finger(0.6 - h, 1),
         *later = eval_finger(0.6 + h, 1);
  const double qdd = number_at_path(now, "states/0/joint_accelerations/knuckle");
  assert_true(fabs(qdd) > 1);
  for (int k = 0; k < 2; k++) {
    char path[64];
    snprintf(path, sizeof path, "states/0/joint_positions/%s", joints[k]);
    const double rate = (number_at_path(later, path) - number_at_path(before, path)) / (2 * h);
    snprintf(path, sizeof path, "states/0/joint_velocities/%s", joints[k]);
    const double v = number_at_path(now, path);
    assert_true(fabs(v - rate) < 1e-7);
    // a = r qdd + dr/dt, r the ratio of velocities
    const double turn = (number_at_path(later, path) - number_at_path(before, path)) / (2 * h);
    snprintf(path, sizeof path, "states/0/joint_accelerations/%s", joints[k]);
    assert_true(fabs(number_at_path(now, path) - (v * qdd + turn)) < 1e-5 * fabs(qdd));
  }
  json_decref(now), json_decref(before), json_decref(later);
}

// C v is the bias less gravity, and C half the rate of the one number of the mass matrix
static void
coriolis_matrix_of_a_loop(void ** state)
{
  (void)state;
  const double h = 1e-5;
  json_t *now = eval_finger(0.6, 1), *before = eval_finger(0.6 - h, 1),
         *later = eval_finger(0.6 + h, 1);
  const char * mass = "states/0/mass_matrix/0/0";
  const double C = number_at_path(now, "states/0/coriolis_matrix/0/0");
  const double bias = number_at_path(now, "states/0/bias/0");
  const double gravity = number_at_path(now, "states/0/gravity/0");
  const double rate = (number_at_path(later, mass) - number_at_path(before, mass)) / (2 * h);
  assert_true(fabs(C) > 1e-8 && fabs(C - (bias - gravity)) < 1e-9 * fabs(C));
  assert_true(fabs(2 * C - rate) < 1e-6 * fabs(rate));
  json_decref(now), json_decref(before), json_decref(later);
}

// dtau/dq and dqdd/dq of the knuckle by differences of what other states give
static void
derivatives_of_a_loop(void ** state)
{
  (void)state;
  const double h = 1e-5;
  json_t * root[3];
  for (int k = 0; k < 3; k++) root[k] = eval_finger(0.6 + (k - 1) * h, 1);
  const char * const pairs[2][2] = {{"tau/0", "dtau_dq/0/0"}, {"qdd/0", "dqdd_dq/0/0"}};
  for (int k = 0; k < 2; k++) {
    char number[64], slope[64];
    snprintf(number, sizeof number, "states/0/%s", pairs[k][0]);
    snprintf(slope, sizeof slope, "states/0/%s", pairs[k][1]);
    const double expected =
      (number_at_path(root[2], number) - number_at_path(root[0], number)) / (2 * h);
    const double found = number_at_path(root[1], slope);
    assert_true(fabs(found) > 1e-6 && fabs(found - expected) < 1e-5 * fabs(expected));
  }
  for (int k = 0; k < 3; k++) json_decref(root[k]);
}

// the work of the rod on the tip's link: what the tree's torques lack is G^T lambda
static void
forces_in_the_loop_are_reported(void ** state)
{
  (void)state;
  json_t * root = eval_finger(0.6, 0);
  double force[5];
  numbers_at(root, "states/0/closure_forces/rod_pin", force, 5);
  // planar: no force along y, no moments about x and z that the plane does not need
  assert_true(hypot(force[0], force[1]) > 1e-3);
  for (int k = 2; k < 5; k++) assert_true(fabs(force[k]) < 1e-9);
  json_decref(root);
}

static void
info_names_loops_and_mobility(void ** state)
{
  (void)state;
  run_t run = RUN("", "info", FINGER);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "rod_pin");
  assert_contains(run.out, "on world: proximal, distal, rod; 3 joint velocities, 1 independent");
  assert_contains(run.out, "mobility 1: of 3");
  assert_contains(run.out, "3 moving joints, nq 3, nv 1 independent of 3 in the tree; ");
  run_free(&run);
  run = RUN("", "info", "--loops", "none", FINGER);
  assert_null(strstr(run.out, "mobility"));
  assert_contains(run.out, "3 moving joints, nq 3, nv 3; ");
  run_free(&run);
  run = RUN("", "info", GRIPPER);
  assert_contains(run.out, "1 finger_right - 1 finger_left = 0");
  assert_contains(run.out, "mobility 2: of 4");
  run_free(&run);
  static const char * const args[] = {"info", "--json", GRIPPER, NULL};
  json_t * root = run_json("", args);
  assert_int_equal(json_array_size(json_object_get(root, "closures")), 2);
  assert_int_equal(json_array_size(json_object_get(root, "independent")), 2);
  assert_int_equal(json_integer_value(json_object_get(root, "nv")), 2);
  assert_int_equal(json_integer_value(json_object_get(root, "tree_nv")), 4);
  json_decref(root);
  static const char * const tree_args[] = {"info", "--json", "--loops", "none", FINGER, NULL};
  root = run_json("", tree_args);
  assert_int_equal(json_integer_value(json_object_get(root, "nv")), 3);
  assert_null(json_object_get(root, "tree_nv"));
  json_decref(root);
}

// two hinges one after the other, a rotor at the second: what the diagonal leaves out is ratio J
// between them
static void
rotors_can_be_exact(void ** state)
{
  (void)state;
  write_file(
    "rotor.urdf",
    "<robot name='r' xmlns:drake='http://drake.mit.edu'><link name='base'/>\n"
    "<link name='a'><inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0'\n"
    "  ixz='0' iyz='0'/></inertial></link>\n"
    "<link name='b'><inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0'\n"
    "  ixz='0' iyz='0'/></inertial></link>\n"
    "<joint name='ja' type='continuous'><parent link='base'/><child link='a'/>\n"
    "  <axis xyz='0 0 1'/></joint>\n"
    "<joint name='jb' type='continuous'><parent link='a'/><child link='b'/>\n"
    "  <axis xyz='0 0 1'/></joint>\n"
    "<transmission name='t'><joint name='jb'/><actuator name='m'>\n"
    "  <drake:gear_ratio value='100'/><drake:rotor_inertia value='1e-4'/></actuator>\n"
    "</transmission></robot>\n");
  static const char * const exact[] = {"eval", "rotor.urdf", "--rotors=exact", NULL};
  static const char * const diagonal[] = {"eval", "rotor.urdf", "--with=rotors", NULL};
  double E[4], M[4];
  json_t * root = run_json("{\"states\": [{}]}", exact);
  numbers_at(root, "states/0/mass_matrix", E, 4);
  json_decref(root);
  root = run_json("{\"states\": [{}]}", diagonal);
  numbers_at(root, "states/0/mass_matrix", M, 4);
  json_decref(root);
  // 100 * 1e-4 between the joints; the rotor's own share of turning with a is in a already
  const double expected[4] = {M[0], M[1] + 0.01, M[2] + 0.01, M[3]};
  assert_close(E, expected, 4, 1e-12, "mass matrix");
  run_t run = RUN("", "info", "rotor.urdf");
  assert_contains(run.out, "rotors: the reflected-inertia approximation");
  assert_contains(run.out, "(ja, jb)");
  run_free(&run);
}

//---------- a mechanism file beside a URDF ----------

#define ARM       MBDYN_SOURCE_DIR "/config/robots/balanced_arm.urdf"
#define MECHANISM MBDYN_SOURCE_DIR "/config/robots/balanced_arm.mechanism.yaml"

// torques that hold the arm at shoulder 0.3, elbow -0.6
static void
arm_torques(const char * option, const char * value, double * tau)
{
  const char * const args[] = {"eval", ARM, "--with", "elements", option, value, NULL};
  json_t * root = run_json("{\"states\": [{\"q\": [0.4, 0.3, -0.6]}]}", args);
  numbers_at(root, "states/0/gravity", tau, 3);
  json_decref(root);
}

static void
springs_beside_the_robot_count(void ** state)
{
  (void)state;
  const double g = 9.81, shoulder = 0.3, elbow = -0.6;
  const double weight[3] = {
    0, g * (4 * 0.25 + 2 * 0.5) * cos(shoulder) + g * 2 * 0.2 * cos(shoulder + elbow),
    g * 2 * 0.2 * cos(shoulder + elbow)};
  // from (0, 0.2) to 0.2 (cos, sin): length l, slope of it 0.04 cos / -l
  const double l = sqrt(2 * 0.04 * (1 - sin(shoulder)));
  const double springs[3] = {0, 720 * (l - 0.05) * -0.04 * cos(shoulder) / l, 0.5 * elbow - 3};
  double tau[3], want[3];
  for (int k = 0; k < 3; k++) want[k] = weight[k] + springs[k];
  arm_torques(NULL, NULL, tau);
  assert_close(tau, want, 3, 1e-10, "beside the robot");
  arm_torques("--mechanism", MECHANISM, tau);
  assert_close(tau, want, 3, 1e-10, "--mechanism");
  arm_torques("--mechanism", "none", tau);
  assert_close(tau, weight, 3, 1e-10, "--mechanism none");
  arm_torques("--loops", "none", tau);
  assert_close(tau, weight, 3, 1e-10, "--loops none");
  run_t run = RUN("", "info", ARM);
  assert_contains(run.out, "force 'shoulder_spring': spring between 'column' and 'upper_arm'");
  run_free(&run);
  run = RUN("", "check", ARM);
  assert_int_equal(run.code, 0);
  run_free(&run);
}

static void
copy_arm(void)
{
  char * text = file_text(ARM);
  write_file("arm.urdf", text);
  free(text);
}

// bearings and drivers are said to be left out; errors have file and line; two files are one too many
static void
mechanism_files_are_explained(void ** state)
{
  (void)state;
  copy_arm();
  write_file(
    "arm.mechanism.yaml",
    "drivers:\n  - {name: m, joint: turn, rate: 1}\n"
    "bearings:\n  - {joint: elbow, mu_static: 0.1, mu_dynamic: 0.1, radius: 0.02}\n"
    "independent: [shoulder]\n");
  run_t run = RUN("", "check", "arm.urdf");
  assert_contains(
    run.out, "arm.mechanism.yaml:2: warning: drivers: prescribe motions in simulations only");
  assert_contains(run.out, "arm.mechanism.yaml:4: warning: bearings: count in simulations only");
  run_free(&run);
  run = RUN("", "check", "--strict", "arm.urdf");
  assert_int_equal(run.code, 1);
  run_free(&run);
  write_file(
    "arm.mechanism.yaml",
    "forces: [{name: s, type: joint, joint: elbow, stiffness: 1, rest: 0}]\n");
  run = RUN("", "codegen", "arm.urdf", "--functions", "gravity", "-o", ".");
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "arm.urdf: force 's': this command leaves out springs");
  run_free(&run);
  run = RUN("", "codegen", "arm.urdf", "--functions", "gravity", "-o", ".", "--mechanism", "none");
  assert_string_equal(run.err, "");
  run_free(&run);
  write_file("arm.mechanism.yaml", "forces:\n  - {name: s, type: sprung, a: base, b: hand}\n");
  run = RUN("", "info", "arm.urdf");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "arm.mechanism.yaml:2: error: force 's': ");
  run_free(&run);
  write_file("arm.mechanism.yaml", "initial: {wrist: 1}\n");
  run = RUN("", "info", "arm.urdf");
  assert_contains(run.err, "arm.mechanism.yaml:1: error: initial 'wrist': there is no joint");
  run_free(&run);
  write_file("arm.mechanism.yaml", "forces: []\n");
  write_file("arm.loops.yaml", "closures: []\n");
  run = RUN("{}", "eval", "arm.urdf");
  assert_int_equal(run.code, 2);
  assert_contains(
    run.err, "arm.loops.yaml is beside it, too; put all of it into one of them, or choose");
  run_free(&run);
  run = RUN("", "info", "--loops", "arm.loops.yaml", "arm.urdf");
  assert_int_equal(run.code, 0);
  run_free(&run);
  run =
    RUN("", "info", "--loops", "arm.loops.yaml", "--mechanism", "arm.mechanism.yaml", "arm.urdf");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "only one of --loops and --mechanism");
  run_free(&run);
  remove("arm.loops.yaml");
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_file_beside_the_robot_closes_its_loop),
    cmocka_unit_test(all_joints_move_as_the_loop_says),
    cmocka_unit_test(coriolis_matrix_of_a_loop),
    cmocka_unit_test(derivatives_of_a_loop),
    cmocka_unit_test(forces_in_the_loop_are_reported),
    cmocka_unit_test(info_names_loops_and_mobility),
    cmocka_unit_test(rotors_can_be_exact),
    cmocka_unit_test(springs_beside_the_robot_count),
    cmocka_unit_test(mechanism_files_are_explained),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
