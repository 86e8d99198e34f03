// `mbdyn eval --operators`, and the operational space of several frames at once.
#include <math.h>
#include <stdio.h>

#include "arm.h"
#include "cli.h"
#include "close.h"
#include "matrix.h"

static const double Q[2] = {0.4, -1.1}, V[2] = {0.8, 1.7};

#define STATES "{\"states\": [{\"q\": [0.4, -1.1], \"v\": [0.8, 1.7]}]}"

#define ARM7_STATE                                                                                \
  "{\"states\": [{\"q\": {\"joint1\": 0.7, \"joint2\": 0.4, \"joint3\": -0.5, \"joint4\": -1.8, " \
  "\"joint5\": 0.3, \"joint6\": 1, \"joint7\": 0.2}}]}"

#define ARM7 MBDYN_SOURCE_DIR "/config/robots/arm7.urdf"

// a matrix of the first state
static mat_t
matrix_at(const json_t * root, const char * path, int rows, int columns)
{
  char full[128];
  snprintf(full, sizeof full, "states/0/%s", path);
  mat_t A = mat(rows, columns);
  numbers_at(root, full, A.a, (size_t)(rows * columns));
  return A;
}

static json_t *
eval_operators(void)
{
  return EVAL(STATES, "--operators");
}

// M = F D F^T, F unit upper triangular, D diagonal: determinant and trace follow
static void
factors_multiply_to_the_mass_matrix(void ** state)
{
  (void)state;
  json_t * root = eval_operators();
  const arm_t arm = arm_at(Q, V);
  const mat_t F = matrix_at(root, "operators/factor", 2, 2);
  const mat_t D = matrix_at(root, "operators/hinge_inertia", 2, 2);
  const mat_t M = mat_from(2, 2, arm.M);
  assert_mat(PROD(F, D, tr(F)), M, 1e-14, "F D F^T");
  assert_true(*at(F, 0, 0) == 1 && *at(F, 1, 1) == 1 && *at(F, 1, 0) == 0);
  assert_true(*at(D, 0, 1) == 0 && *at(D, 1, 0) == 0);
  const mat_t log_det = matrix_at(root, "operators/log_det_mass_matrix", 1, 1);
  const mat_t sum = matrix_at(root, "operators/trace_mass_matrix", 1, 1);
  assert_near(scalar(log_det), log(determinant(M)), 1e-13, "log det");
  assert_near(scalar(sum), trace(M), 1e-13, "trace");
  json_decref(root);
  mats_free();
}

// rates and momenta against the closed form: only q2 changes the mass matrix
static void
rates_and_momenta_are_those_of_the_closed_form(void ** state)
{
  (void)state;
  json_t * root = eval_operators();
  const arm_t arm = arm_at(Q, V);
  const mat_t C = mat_from(2, 2, arm.C), M = mat_from(2, 2, arm.M), v = column(2, V);
  const double h = -MASS2 * L1 * C2 * sin(Q[1]);
  const double gradient[4] = {0, h * (2 * V[0] + V[1]), 0, h * V[0]};
  assert_mat(matrix_at(root, "operators/mass_matrix_rate", 2, 2), SUM(C, tr(C)), 1e-13, "Mdot");
  assert_mat(matrix_at(root, "operators/coriolis_transpose_v", 2, 1), PROD(tr(C), v), 1e-13, "C'v");
  assert_mat(matrix_at(root, "operators/momentum", 2, 1), PROD(M, v), 1e-13, "M v");
  const mat_t MD = matrix_at(root, "operators/momentum_gradient", 2, 2);
  assert_mat(MD, mat_from(2, 2, gradient), 1e-13, "M_D");
  json_decref(root);
  mats_free();
}

// the matrices of the whole robot times v are what eval says without --operators
static void
centroidal_matrices_give_the_momentum(void ** state)
{
  (void)state;
  json_t * root = eval_operators();
  const mat_t v = column(2, V);
  const mat_t A = matrix_at(root, "operators/centroidal_matrix", 6, 2);
  const mat_t J = matrix_at(root, "operators/com_jacobian", 3, 2);
  const mat_t momentum = matrix_at(root, "centroidal_momentum", 6, 1);
  assert_mat(PROD(A, v), momentum, 1e-13, "centroidal momentum");
  assert_mat(scale(MASS1 + MASS2, PROD(J, v)), block(momentum, 0, 0, 3, 1), 1e-13, "m v_com");
  json_decref(root);
  mats_free();
}

// a link's compliance is J M^-1 J^T of its frame, in its own axes, linear first
static void
compliances_are_those_of_the_links(void ** state)
{
  (void)state;
  static const char * const LINKS[2] = {"upper", "lower"};
  json_t * root =
    EVAL(STATES, "--operators", "--frame=upper", "--frame=lower", "--reference=local");
  const mat_t M_inv = matrix_at(root, "mass_matrix_inverse", 2, 2);
  for (int i = 0; i < 2; i++) {
    char path[64];
    snprintf(path, sizeof path, "frames/%s/jacobian", LINKS[i]);
    const mat_t J = matrix_at(root, path, 6, 2);
    const mat_t Y = PROD(J, M_inv, tr(J));
    snprintf(path, sizeof path, "operators/bodies/%s/compliance_diagonal", LINKS[i]);
    const mat_t diagonal = matrix_at(root, path, 6, 1);
    for (int k = 0; k < 6; k++) {
      assert_near(*at(diagonal, k, 0), *at(Y, k, k), 1e-13, "%s, %d", LINKS[i], k);
    }
    snprintf(path, sizeof path, "operators/bodies/%s/rank", LINKS[i]);
    assert_int_equal((int)scalar(matrix_at(root, path, 1, 1)), i + 1);
  }
  json_decref(root);
  mats_free();
}

// dense: M inverted by elimination, the Jacobians one above the other; Upsilon are the diagonal
// blocks, and the factors and the determinant belong to that M
static void
expect_dense_operators(
  const char * urdf, const char * base, const char * states, int nv, const char * const * link)
{
  const char * args[32] = {"eval", urdf, "--base", base, "--operators", "--reference=local"};
  int n = 0, count = 6;
  for (; link[n]; n++) args[count++] = "--frame", args[count++] = link[n];
  json_t * root = run_json(states, args);
  const mat_t M = matrix_at(root, "mass_matrix", nv, nv), J = mat(6 * n, nv);
  char path[96];
  for (int i = 0; i < n; i++) {
    snprintf(path, sizeof path, "frames/%s/jacobian", link[i]);
    set_block(J, 6 * i, 0, matrix_at(root, path, 6, nv));
  }
  const mat_t Omega = PROD(J, inverse(M), tr(J));
  for (int i = 0; i < n; i++) {
    snprintf(path, sizeof path, "operators/bodies/%s/compliance", link[i]);
    assert_mat(matrix_at(root, path, 6, 6), block(Omega, 6 * i, 6 * i, 6, 6), 1e-10, "%s", path);
  }
  const mat_t F = matrix_at(root, "operators/factor", nv, nv);
  const mat_t D = matrix_at(root, "operators/hinge_inertia", nv, nv);
  assert_mat(PROD(F, D, tr(F)), M, 1e-11, "%s: F D F^T", urdf);
  const double log_det = scalar(matrix_at(root, "operators/log_det_mass_matrix", 1, 1));
  assert_near(log_det, log(determinant(M)), 1e-10, "%s: log det", urdf);
  json_decref(root);
  mats_free();
}

static void
operators_are_those_of_dense_algebra(void ** state)
{
  (void)state;
  expect_dense_operators(
    ARM7, "fixed", ARM7_STATE, 7,
    (const char *[]){"link1", "link2", "link4", "link6", "link7", NULL});
  expect_dense_operators(
    ARM7, "floating", ARM7_STATE, 13, (const char *[]){"base", "link3", "link7", NULL});
  expect_dense_operators(
    MBDYN_SOURCE_DIR "/test/data/branched.urdf", "fixed",
    "{\"states\": [{\"q\": [0.3, -0.2, 0.5, 0.1, -0.7, 0.4, 1.2, -0.9, 0.6]}]}", 9,
    (const char *[]){"a_leaf_1", "b_bough", "c_twig_2", "c_leaf", NULL});
}

// J of two frames, one above the other
static mat_t
stacked_jacobian(const json_t * root, const char * first, const char * second, int nv)
{
  char path[64];
  mat_t J = mat(12, nv);
  snprintf(path, sizeof path, "frames/%s/jacobian", first);
  set_block(J, 0, 0, matrix_at(root, path, 6, nv));
  snprintf(path, sizeof path, "frames/%s/jacobian", second);
  set_block(J, 6, 0, matrix_at(root, path, 6, nv));
  return J;
}

// two joints move two frames in two directions: Lambda is a generalised inverse, in the order given
static void
stacked_inertia_inverts_the_compliance_of_all_frames(void ** state)
{
  (void)state;
  static const char * const ORDER[2][2] = {{"tool", "upper"}, {"upper", "tool"}};
  for (int i = 0; i < 2; i++) {
    json_t * root = EVAL(STATES, "--frame", ORDER[i][0], "--frame", ORDER[i][1]);
    const mat_t J = stacked_jacobian(root, ORDER[i][0], ORDER[i][1], 2);
    const mat_t Y = PROD(J, matrix_at(root, "mass_matrix_inverse", 2, 2), tr(J));
    const mat_t Lambda = matrix_at(root, "operational_space_inertia_stacked", 12, 12);
    assert_mat(PROD(Y, Lambda, Y), Y, 1e-10, "Y Lambda Y");
    assert_mat(PROD(Lambda, Y, Lambda), Lambda, 1e-10, "Lambda Y Lambda");
    assert_int_equal((int)scalar(matrix_at(root, "operational_space_rank", 1, 1)), 2);
    assert_true(json_is_null(value_at(root, "states/0/operational_space_condition")));
    json_decref(root);
    mats_free();
  }
}

// a floating arm of seven joints moves base and tool as it likes: Lambda is the inverse
static void
stacked_inertia_of_independent_frames_is_the_inverse(void ** state)
{
  (void)state;
  json_t * root = run_json(
    "{\"states\": [{\"q\": {\"joint2\": 0.4, \"joint4\": -1.8, \"joint5\": 0.3, \"joint6\": 1}}]}",
    (const char * const[]){
      "eval", ARM7, "--base", "floating", "--frame", "tool", "--frame", "link0", "--operators",
      NULL});
  const mat_t J = stacked_jacobian(root, "tool", "link0", 13);
  const mat_t Y = PROD(J, matrix_at(root, "mass_matrix_inverse", 13, 13), tr(J));
  const mat_t Lambda = matrix_at(root, "operational_space_inertia_stacked", 12, 12);
  assert_mat(PROD(Lambda, Y), eye(12), 1e-9, "Lambda Y");
  assert_int_equal((int)scalar(matrix_at(root, "operational_space_rank", 1, 1)), 12);
  assert_true(scalar(matrix_at(root, "operational_space_condition", 1, 1)) > 1);
  assert_int_equal((int)scalar(matrix_at(root, "operators/bodies/base/rank", 1, 1)), 6);
  json_decref(root);
  mats_free();
}

// nothing is added that was not asked for, and a robot that cannot move has empty operators
static void
operators_are_added_on_request(void ** state)
{
  (void)state;
  json_t * root = EVAL(STATES, "--frame", "tool");
  const json_t * plain = value_at(root, "states/0");
  assert_null(json_object_get(plain, "operators"));
  assert_null(json_object_get(plain, "operational_space_inertia_stacked"));
  json_decref(root);
  root = run_json(
    "{\"states\": [{}]}", (const char * const[]){"eval", "rigid.urdf", "--operators", NULL});
  assert_int_equal(json_array_size(value_at(root, "states/0/operators/factor")), 0);
  assert_true(json_is_null(value_at(root, "states/0/operators/com_jacobian")));
  assert_int_equal(json_object_size(value_at(root, "states/0/operators/bodies")), 0);
  json_decref(root);
}

// column of d tau or d qdd by q or v, from states that are a little apart
static mat_t
difference_of_states(const char * key, int of_v, int j)
{
  const double h = 1e-4;
  char text[512], path[32];
  double x[2][4];
  for (int s = 0; s < 2; s++) {
    x[s][0] = Q[0], x[s][1] = Q[1], x[s][2] = V[0], x[s][3] = V[1];
    x[s][2 * of_v + j] += s ? h : -h;
  }
  snprintf(
    text, sizeof text,
    "{\"states\": [{\"q\": [%.17g, %.17g], \"v\": [%.17g, %.17g], \"a\": [1, -2], \"tau\": [3, 1]},"
    "{\"q\": [%.17g, %.17g], \"v\": [%.17g, %.17g], \"a\": [1, -2], \"tau\": [3, 1]}]}",
    x[0][0], x[0][1], x[0][2], x[0][3], x[1][0], x[1][1], x[1][2], x[1][3]);
  json_t * root = EVAL(text, "--frame=tool");
  mat_t y[2];
  for (int s = 0; s < 2; s++) {
    y[s] = mat(2, 1);
    snprintf(path, sizeof path, "states/%d/%s", s, key);
    numbers_at(root, path, y[s].a, 2);
  }
  json_decref(root);
  return scale(1 / (2 * h), sub(y[1], y[0]));
}

static void
derivatives_are_differences_of_states(void ** state)
{
  (void)state;
  static const char * const KEYS[4] = {"dtau_dq", "dtau_dv", "dqdd_dq", "dqdd_dv"};
  json_t * root = EVAL(
    "{\"states\": [{\"q\": [0.4, -1.1], \"v\": [0.8, 1.7], \"a\": [1, -2], \"tau\": [3, 1]}]}",
    "--derivatives");
  for (int k = 0; k < 4; k++) {
    mat_t expected = mat(2, 2);
    for (int j = 0; j < 2; j++) {
      set_block(expected, 0, j, difference_of_states(k < 2 ? "tau" : "qdd", k % 2, j));
    }
    assert_mat_floor(matrix_at(root, KEYS[k], 2, 2), expected, 1e-6, 1, "%s", KEYS[k]);
  }
  json_decref(root);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(factors_multiply_to_the_mass_matrix),
    cmocka_unit_test(rates_and_momenta_are_those_of_the_closed_form),
    cmocka_unit_test(centroidal_matrices_give_the_momentum),
    cmocka_unit_test(compliances_are_those_of_the_links),
    cmocka_unit_test(operators_are_those_of_dense_algebra),
    cmocka_unit_test(stacked_inertia_inverts_the_compliance_of_all_frames),
    cmocka_unit_test(stacked_inertia_of_independent_frames_is_the_inverse),
    cmocka_unit_test(operators_are_added_on_request),
    cmocka_unit_test(derivatives_are_differences_of_states),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
