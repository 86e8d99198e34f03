// `mbdyn eval` against closed forms, and the ways to say the same thing.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "cli.h"
#include "close.h"

static const double Q[2] = {0.4, -1.1}, V[2] = {0.8, 1.7}, A[2] = {-0.6, 2.3}, TAU[2] = {5, -1.5};

#define STATE "\"q\": [0.4, -1.1], \"v\": [0.8, 1.7], \"a\": [-0.6, 2.3], \"tau\": [5, -1.5]"

static void
assert_at(const json_t * root, const char * path, const double * expected, size_t n)
{
  double x[36];
  numbers_at(root, path, x, n);
  assert_close(x, expected, n, 1e-13, "%s", path);
}

// torque of the closed form: M a + bias
static void
expected_torque(const arm_t * arm, const double * a, double * tau)
{
  for (int i = 0; i < 2; i++) {
    tau[i] = arm->M[2 * i] * a[0] + arm->M[2 * i + 1] * a[1] + arm->bias[i];
  }
}

// acceleration of the closed form: M^-1 (tau - bias)
static void
expected_acceleration(const arm_t * arm, const double * tau, double * qdd)
{
  const double * M = arm->M;
  const double x[2] = {tau[0] - arm->bias[0], tau[1] - arm->bias[1]};
  const double det = M[0] * M[3] - M[1] * M[2];
  qdd[0] = (M[3] * x[0] - M[1] * x[1]) / det;
  qdd[1] = (M[0] * x[1] - M[2] * x[0]) / det;
}

// every number of a two-link arm is what the textbook says
static void
eval_gives_the_closed_form_of_a_two_link_arm(void ** state)
{
  (void)state;
  const arm_t arm = arm_at(Q, V);
  const double det = arm.M[0] * arm.M[3] - arm.M[1] * arm.M[2];
  const double M_inv[4] = {arm.M[3] / det, -arm.M[1] / det, -arm.M[2] / det, arm.M[0] / det};
  double tau[2], qdd[2];
  expected_torque(&arm, A, tau);
  expected_acceleration(&arm, TAU, qdd);

  json_t * root = EVAL("{\"states\": [{" STATE "}]}", NULL);
  assert_at(root, "states/0/tau", tau, 2);
  assert_at(root, "states/0/qdd", qdd, 2);
  assert_at(root, "states/0/gravity", arm.gravity, 2);
  assert_at(root, "states/0/bias", arm.bias, 2);
  assert_at(root, "states/0/mass_matrix", arm.M, 4);
  assert_at(root, "states/0/mass_matrix_inverse", M_inv, 4);
  assert_at(root, "states/0/coriolis_matrix", arm.C, 4);
  assert_at(root, "states/0/kinetic_energy", &arm.kinetic, 1);
  assert_at(root, "states/0/potential_energy", &arm.potential, 1);
  assert_at(root, "states/0/friction", (const double[]){DAMP1 * V[0], 0}, 2);
  json_decref(root);
}

// centre of mass, and momentum: mass times its velocity; about y what is left of the rotation
static void
centre_of_mass_and_momentum_are_those_of_two_points(void ** state)
{
  (void)state;
  const double s1 = sin(Q[0]), c1 = cos(Q[0]), s2 = sin(Q[0] + Q[1]), c2 = cos(Q[0] + Q[1]);
  const double w1 = V[0], w2 = V[0] + V[1], m = MASS1 + MASS2;
  const double x1 = -C1 * s1, z1 = -C1 * c1, x2 = -L1 * s1 - C2 * s2, z2 = -L1 * c1 - C2 * c2;
  const double vx1 = -C1 * c1 * w1, vz1 = C1 * s1 * w1;
  const double vx2 = -L1 * c1 * w1 - C2 * c2 * w2, vz2 = L1 * s1 * w1 + C2 * s2 * w2;
  const double com[3] = {
    (MASS1 * x1 + MASS2 * x2) / m, (MASS1 * 0.02 - MASS2 * 0.01) / m,
    HEIGHT + (MASS1 * z1 + MASS2 * z2) / m};

  // relative motion of the two masses, and the spin of the links
  const double reduced = MASS1 * MASS2 / m, x = x2 - x1, y = -0.03, z = z2 - z1;
  const double vx = vx2 - vx1, vz = vz2 - vz1;
  const double momentum[6] = {
    MASS1 * vx1 + MASS2 * vx2,
    0,
    MASS1 * vz1 + MASS2 * vz2,
    reduced * y * vz,
    reduced * (z * vx - x * vz) + INERT1 * w1 + INERT2 * w2,
    -reduced * y * vx};

  json_t * root = EVAL("{\"states\": [{" STATE "}]}", NULL);
  assert_at(root, "states/0/com", com, 3);
  assert_at(root, "states/0/centroidal_momentum", momentum, 6);
  json_decref(root);
}

// the head names the joints in order, and what moves is told from what does not
static void
model_and_conventions_are_told(void ** state)
{
  (void)state;
  json_t * root = EVAL("{\"states\": []}", "--gravity=0.1,-0.2,-3.7", "--reference", "local");
  assert_string_equal(json_string_value(value_at(root, "model/name")), "arm");
  assert_string_equal(json_string_value(value_at(root, "model/joints/0")), "shoulder");
  assert_string_equal(json_string_value(value_at(root, "model/joints/1")), "elbow");
  assert_string_equal(json_string_value(value_at(root, "model/joint_info/1/type")), "continuous");
  assert_int_equal(json_integer_value(value_at(root, "model/nq")), 2);
  assert_int_equal(json_integer_value(value_at(root, "model/nv")), 2);
  assert_at(root, "model/mass", (const double[]){MASS1 + MASS2}, 1);
  assert_at(root, "model/mass_fixed", (const double[]){2}, 1);
  assert_string_equal(json_string_value(value_at(root, "conventions/base")), "fixed");
  assert_string_equal(json_string_value(value_at(root, "conventions/reference")), "local");
  assert_int_equal(json_array_size(value_at(root, "states")), 0);

  // what was given comes back as the same doubles
  double gravity[3];
  numbers_at(root, "conventions/gravity", gravity, 3);
  assert_true(gravity[0] == 0.1 && gravity[1] == -0.2 && gravity[2] == -3.7);
  json_decref(root);
}

// states by joint name, in any order, are states by index; what is missing is at rest
static void
names_and_missing_fields_mean_the_same(void ** state)
{
  (void)state;
  json_t * root = EVAL(
    "{\"states\": [{" STATE
    "},"
    "{\"q\": {\"elbow\": -1.1, \"shoulder\": 0.4}, \"v\": {\"shoulder\": 0.8, \"elbow\": [1.7]},"
    " \"a\": {\"elbow\": 2.3, \"shoulder\": -0.6}, \"tau\": {\"shoulder\": 5, \"elbow\": -1.5}},"
    "{}, {\"q\": [0, 0], \"v\": [0, 0], \"a\": [0, 0], \"tau\": [0, 0], \"f_ext\": {}},"
    "{\"q\": {\"elbow\": 0.5}, \"v\": {}}, {\"q\": [0, 0.5]}]}",
    "--frame", "tool");
  for (int i = 0; i < 6; i += 2) {
    char one[16], other[16];
    snprintf(one, sizeof one, "states/%d", i);
    snprintf(other, sizeof other, "states/%d", i + 1);
    assert_true(json_equal(value_at(root, one), value_at(root, other)));
  }
  assert_false(json_equal(value_at(root, "states/0"), value_at(root, "states/2")));
  json_decref(root);
}

// the environment pushes at the tool, in tool axes: tau = M a + bias - J^T f, and qdd inversely
static void
wrenches_are_at_the_link_in_link_axes(void ** state)
{
  (void)state;
  const double f[6] = {1.5, -2, 3, 0.4, -0.5, 0.6};
  const arm_t arm = arm_at(Q, V);

  // tool axes in the world: about z of the link by 90 degrees, then about y by q1 + q2
  const double c = cos(Q[0] + Q[1]), s = sin(Q[0] + Q[1]);
  const double fx = -c * f[1] + s * f[2], fz = s * f[1] + c * f[2], ny = f[3];
  const double * J = arm.jacobian;
  double push[2], tau[2], loaded[2], qdd[2];
  for (int i = 0; i < 2; i++) push[i] = J[i] * fx + J[4 + i] * fz + ny;
  expected_torque(&arm, A, tau);
  for (int i = 0; i < 2; i++) tau[i] -= push[i], loaded[i] = TAU[i] + push[i];
  expected_acceleration(&arm, loaded, qdd);

  json_t * root =
    EVAL("{\"states\": [{" STATE ", \"f_ext\": {\"tool\": [1.5, -2, 3, 0.4, -0.5, 0.6]}}]}", NULL);
  assert_at(root, "states/0/tau", tau, 2);
  assert_at(root, "states/0/qdd", qdd, 2);
  assert_at(root, "states/0/bias", arm.bias, 2);
  json_decref(root);
}

// friction counts only when asked for
static void
friction_is_counted_on_request(void ** state)
{
  (void)state;
  const arm_t arm = arm_at(Q, V);
  double tau[2], qdd[2];
  expected_torque(&arm, A, tau);
  tau[0] += DAMP1 * V[0];
  expected_acceleration(&arm, (const double[]){TAU[0] - DAMP1 * V[0], TAU[1]}, qdd);

  json_t * root = EVAL("{\"states\": [{" STATE "}]}", "--with", "friction,rotors");
  assert_at(root, "states/0/tau", tau, 2);
  assert_at(root, "states/0/qdd", qdd, 2);
  assert_at(root, "states/0/bias", arm.bias, 2);
  assert_string_equal(json_string_value(value_at(root, "conventions/terms/0")), "friction");
  assert_string_equal(json_string_value(value_at(root, "conventions/terms/1")), "rotors");
  json_decref(root);
}

// a floating robot without torque falls freely, whatever its pose: all of it by g
static void
a_floating_robot_falls(void ** state)
{
  (void)state;
  const char * input =
    "{\"states\": [{\"q\": [1, 2, 3, 0.70710678118654757, 0, 0, 0.70710678118654757, 0.4, -1.1]},"
    "{\"q\": {\"root_joint\": [1, 2, 3, 2, 0, 0, 2], \"shoulder\": 0.4, \"elbow\": -1.1}}]}";
  json_t * root = EVAL(input, "--base", "floating");

  // turned by 90 degrees about x, the root link's y axis is the world's z
  const double fall[8] = {0, -GRAV, 0, 0, 0, 0, 0, 0};
  assert_at(root, "states/0/qdd", fall, 8);
  assert_at(root, "states/1/qdd", fall, 8);
  double gravity[8];
  numbers_at(root, "states/0/gravity", gravity, 8);
  assert_close(&gravity[1], (&(const double){(2 + MASS1 + MASS2) * GRAV}), 1, 1e-13, "weight");
  assert_at(root, "model/mass", (const double[]){2 + MASS1 + MASS2}, 1);
  assert_at(root, "model/mass_fixed", (const double[]){0}, 1);
  assert_string_equal(json_string_value(value_at(root, "model/joints/0")), "root_joint");
  json_decref(root);
}

// robots that cannot move have states too
static void
a_rigid_robot_has_empty_results(void ** state)
{
  (void)state;
  json_t * root = run_json(
    "{\"states\": [{}]}", (const char * const[]){"eval", "rigid.urdf", "--frame", "base", NULL});
  assert_int_equal(json_array_size(value_at(root, "states/0/tau")), 0);
  assert_int_equal(json_array_size(value_at(root, "states/0/mass_matrix")), 0);
  assert_true(json_is_null(value_at(root, "states/0/com")));
  assert_int_equal(json_integer_value(value_at(root, "states/0/frames/base/rank")), 0);
  json_decref(root);
}

// mimic joints as joints of their own
static void
mimic_joints_can_be_independent(void ** state)
{
  (void)state;
  json_t * root = run_json(
    "{\"states\": [{\"a\": {\"right_joint\": 2}}]}",
    (const char * const[]){"eval", "mimic.urdf", "--mimic", "independent", NULL});
  assert_at(root, "states/0/tau", (const double[]){0, 2}, 2);
  json_decref(root);
}

// files in place of standard input and output; the robot may then come from standard input
static void
files_can_be_named(void ** state)
{
  (void)state;
  write_file("in.json", "{\"states\": [{" STATE "}]}");
  json_t * piped = EVAL("{\"states\": [{" STATE "}]}", NULL);
  run_t run = RUN(ARM_URDF, "eval", "-", "--input=in.json", "--output", "out.json");
  assert_int_equal(run.code, 0);
  assert_string_equal(run.out, "");
  json_t * named = json_load_file("out.json", 0, NULL);
  assert_true(json_equal(piped, named));
  run_free(&run);
  json_decref(piped);
  json_decref(named);
}

// a long trajectory goes through, in the order given
static void
many_states_keep_their_order(void ** state)
{
  (void)state;
  enum { N = 5000 };
  char * text = malloc(64 * N + 64);
  assert_non_null(text);
  char * end = text + sprintf(text, "{\"states\": [");
  for (int i = 0; i < N; i++) end += sprintf(end, "%s{\"a\": [0, %d]}", i ? ", " : "", i);
  strcpy(end, "]}");
  json_t * root = EVAL(text, NULL);
  const double zero[2] = {0, 0};
  const arm_t arm = arm_at(zero, zero);
  for (int i = 0; i < N; i += 499) {
    char path[32];
    snprintf(path, sizeof path, "states/%d/tau", i);
    assert_at(root, path, (const double[]){arm.M[1] * i, arm.M[3] * i}, 2);
  }
  json_decref(root);
  free(text);
}

// numbers read back as the same doubles, with no digit more than that takes
static void
numbers_are_the_shortest_that_read_back(void ** state)
{
  (void)state;
  run_t run = RUN("{\"states\": [{" STATE "}]}", "eval", "arm.urdf");
  const char * at = strstr(run.out, "\"tau\": [");
  assert_non_null(at);
  char * end;
  const double tau = strtod(at + 8, &end);
  const size_t length = (size_t)(end - at - 8);
  char again[40];
  for (int n = 1; n <= 17; n++) {
    snprintf(again, sizeof again, "%.*g", n, tau);
    if (strtod(again, NULL) == tau) break;
  }
  assert_int_equal(strncmp(again, at + 8, length), 0);
  assert_int_equal(strlen(again), length);
  assert_true(length >= 15);
  assert_non_null(strstr(run.out, "-9.81]"));
  run_free(&run);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(eval_gives_the_closed_form_of_a_two_link_arm),
    cmocka_unit_test(centre_of_mass_and_momentum_are_those_of_two_points),
    cmocka_unit_test(model_and_conventions_are_told),
    cmocka_unit_test(names_and_missing_fields_mean_the_same),
    cmocka_unit_test(wrenches_are_at_the_link_in_link_axes),
    cmocka_unit_test(friction_is_counted_on_request),
    cmocka_unit_test(a_floating_robot_falls),
    cmocka_unit_test(a_rigid_robot_has_empty_results),
    cmocka_unit_test(mimic_joints_can_be_independent),
    cmocka_unit_test(files_can_be_named),
    cmocka_unit_test(many_states_keep_their_order),
    cmocka_unit_test(numbers_are_the_shortest_that_read_back),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
