// The mass matrix as an operator: products, solves, square roots, factors, determinant, trace.
#include "mbdyn/operators/factors.h"

#include <string.h>

#include "by_hand.h"
#include "state/state.h"

static mat_t
product(const tree_t * t, mat_t x)
{
  mat_t y = mat(x.r, 1);
  assert_ok(mbd_mass_product(t->model, t->data, x.a, y.a));
  return y;
}

static mat_t
solve(const tree_t * t, mat_t x)
{
  mat_t y = mat(x.r, 1);
  assert_ok(mbd_mass_solve(t->model, t->data, x.a, y.a));
  return y;
}

static mat_t
root(const tree_t * t, mbd_sqrt_op_t op, mat_t x)
{
  mat_t y = mat(x.r, 1);
  assert_ok(mbd_mass_sqrt(t->model, t->data, op, x.a, y.a));
  return y;
}

// the square root as a matrix, column by column
static mat_t
root_matrix(const tree_t * t, mbd_sqrt_op_t op)
{
  const int nv = t->model->nv;
  mat_t L = mat(nv, nv);
  for (int k = 0; k < nv; k++) set_block(L, 0, k, root(t, op, unit_column(nv, k)));
  return L;
}

static void
factors(const tree_t * t, mat_t * F, mat_t * D)
{
  const int nv = t->model->nv;
  *F = mat(nv, nv), *D = mat(nv, nv);
  assert_ok(mbd_mass_factors(t->model, t->data, F->a, D->a));
}

// each robot without and with rotors
#define FOR_TREES_AND_ROTORS(d, terms)                             \
  FOR_TREES(TREES, NULL)                                           \
  for (dense_t d = dense_of(t), *once = &d; once; once = NULL)     \
    for (uint32_t terms = 0; terms <= MBD_TERM_ROTORS; terms += 2) \
      for (int again = (state_at(t, terms), 1); again; again = 0)

//---------- against dense matrices ----------

// M x = H phi M phi^T H^T x and its inverse, any number of right-hand sides    (4.6), (7.18)
static void
products_and_solves(void ** context)
{
  (void)context;
  FOR_TREES_AND_ROTORS(d, terms)
  {
    uint64_t state = seed;
    const mat_t M = mass_with(&d, terms), M_inv = inverse(M);
    for (int k = 0; k < 5; k++) {
      const mat_t x = random_column(d.nv, &state);
      assert_mat(product(t, x), PROD(M, x), 1e-11, "M x, terms %u, %lu", (unsigned)terms, seed);
      assert_mat(solve(t, x), PROD(M_inv, x), 1e-9, "M^-1 x, terms %u, %lu", (unsigned)terms, seed);
      assert_mat(solve(t, product(t, x)), x, 1e-9, "M^-1 M x, seed %lu", seed);
      assert_mat(product(t, solve(t, x)), x, 1e-9, "M M^-1 x, seed %lu", seed);
    }
  }
}

// M = L L^T, L upper triangular, and the other three products belong to the same L       (7.14)
static void
square_roots(void ** context)
{
  (void)context;
  FOR_TREES_AND_ROTORS(d, terms)
  {
    const mat_t L = root_matrix(t, MBD_SQRT), Lt = root_matrix(t, MBD_SQRT_TRANSPOSE);
    const mat_t L_inv = root_matrix(t, MBD_SQRT_INVERSE);
    const mat_t Lt_inv = root_matrix(t, MBD_SQRT_INVERSE_TRANSPOSE);
    assert_mat(PROD(L, Lt), mass_with(&d, terms), 1e-10, "L L^T, seed %lu", seed);
    assert_mat(Lt, tr(L), 1e-12, "L^T, seed %lu", seed);
    assert_mat(Lt_inv, tr(L_inv), 1e-12, "L^-T, seed %lu", seed);
    const double size = fmax(1, largest_entry(L) * largest_entry(L_inv));
    assert_mat_floor(PROD(L, L_inv), eye(d.nv), 1e-12, size, "L L^-1, seed %lu", seed);
    assert_mat_floor(PROD(L_inv, L), eye(d.nv), 1e-12, size, "L^-1 L, seed %lu", seed);
    for (int i = 0; i < d.nv; i++) {
      for (int j = 0; j < i; j++) assert_true(*at(L, i, j) == 0);
    }
  }
}

// quasi-velocities L^T v have unit mass: half their square is the kinetic energy       (4.51)
static void
energy_of_quasi_velocities(void ** context)
{
  (void)context;
  FOR_TREES_AND_ROTORS(d, terms)
  {
    double energy;
    const mat_t u = root(t, MBD_SQRT_TRANSPOSE, column(d.nv, t->v));
    assert_ok(mbd_kinetic_energy(t->model, t->data, &energy));
    assert_near(0.5 * scalar(PROD(tr(u), u)) / energy, 1, 1e-11, "seed %lu", seed);
  }
}

// F = I + H phi K and D are those of the oracle, M = F D F^T           (7.14), (9.38), (9.49)
static void
factors_are_those_of_the_operators(void ** context)
{
  (void)context;
  FOR_TREES_AND_ROTORS(d, terms)
  {
    mat_t F, D;
    factors(t, &F, &D);
    const dense_ab_t ab = dense_articulated(&d, terms ? dense_rotors(t->model).a : NULL);
    const mat_t unit = SUM(eye(d.nv), PROD(d.H, d.phi, ab.K));
    assert_mat(F, unit, 1e-10, "F, terms %u, seed %lu", (unsigned)terms, seed);
    assert_mat(D, ab.D, 1e-10, "D, terms %u, seed %lu", (unsigned)terms, seed);
    assert_mat(PROD(F, D, tr(F)), mass_with(&d, terms), 1e-10, "F D F^T, seed %lu", seed);
    // the gain is P H^T D^-1 with the rotors in D, so that H phi G is F without them alone (9.38)
    if (terms == 0) assert_mat(F, PROD(d.H, d.phi, ab.G), 1e-10, "H phi G, seed %lu", seed);
    // (I + H phi K)(I - H psi K) = I                                              (7.17), (9.50)
    const mat_t back = sub(eye(d.nv), PROD(d.H, ab.psi, ab.K));
    const double size = fmax(1, largest_entry(F) * largest_entry(back));
    assert_mat_floor(PROD(F, back), eye(d.nv), 1e-10, size, "inverse factor, seed %lu", seed);
    assert_near(determinant(F), 1, 1e-9, "determinant, seed %lu", seed);
  }
}

// unit upper triangular; D in blocks; both zero between bodies of different branches
static void
shape_of_the_factors(void ** context)
{
  (void)context;
  tally_t zeros = {0};
  FOR_TREES(TREES, NULL)
  {
    mat_t F, D;
    state_at(t, 0);
    factors(t, &F, &D);
    for (int i = 0; i < F.r; i++) {
      for (int j = 0; j < F.r; j++) {
        const int bi = t->model->dof_body[i], bj = t->model->dof_body[j];
        const double f = *at(F, i, j);
        if (i == j) assert_true(f == 1);
        if (tally(&zeros, i != j && (bi == bj || !dense_is_ancestor(t->model, bi, bj))))
          assert_true(f == 0);
        if (bi != bj) assert_true(*at(D, i, j) == 0);
      }
    }
    // either may be left out
    mat_t F2 = mat(F.r, F.r), D2 = mat(F.r, F.r);
    assert_ok(mbd_mass_factors(t->model, t->data, F2.a, NULL));
    assert_ok(mbd_mass_factors(t->model, t->data, NULL, D2.a));
    assert_ok(mbd_mass_factors(t->model, t->data, NULL, NULL));
    assert_mat(F2, F, 0, "F alone, seed %lu", seed);
    assert_mat(D2, D, 0, "D alone, seed %lu", seed);
  }
  assert_enough(&zeros, 0.4);
}

// L = F D^1/2: the inverse of F takes it to a root of D, joint by joint
static void
square_root_is_factor_times_root(void ** context)
{
  (void)context;
  FOR_TREES_AND_ROTORS(d, terms)
  {
    mat_t F, D;
    factors(t, &F, &D);
    const mat_t rest = PROD(inverse(F), root_matrix(t, MBD_SQRT));
    const double size = fmax(1, largest_entry(F) * largest_entry(D));
    assert_mat_floor(PROD(rest, tr(rest)), D, 1e-11, size, "D, seed %lu", seed);
    for (int i = 0; i < d.nv; i++) {
      for (int j = 0; j < d.nv; j++) {
        if (t->model->dof_body[i] == t->model->dof_body[j]) continue;
        assert_true(fabs(*at(rest, i, j)) <= 1e-11 * size);
      }
    }
  }
}

//---------- determinant and trace ----------

// twice the sum of the logarithms of the diagonal of a Cholesky factor
static double
log_determinant(mat_t M)
{
  mat_t L = mat_from(M.r, M.c, M.a);
  double sum = 0;
  for (int j = 0; j < L.r; j++) {
    const double pivot = *at(L, j, j);
    assert_true(pivot > 0);
    sum += log(pivot);
    for (int i = j + 1; i < L.r; i++) {
      const double f = *at(L, i, j) / pivot;
      for (int k = j; k < L.r; k++) *at(L, i, k) -= f * *at(L, j, k);
    }
  }
  return sum;
}

// log det M = sum of log det D, trace M = sum of trace H R H^T          (9.53), (4.21)
static void
determinant_and_trace(void ** context)
{
  (void)context;
  FOR_TREES_AND_ROTORS(d, terms)
  {
    double log_det, sum;
    mat_t F, D;
    factors(t, &F, &D);
    const mat_t M = mass_with(&d, terms);
    assert_ok(mbd_mass_log_determinant(t->model, t->data, &log_det));
    assert_ok(mbd_mass_trace(t->model, t->data, &sum));
    assert_near(log_det, log_determinant(M), 1e-10, "M, terms %u, %lu", (unsigned)terms, seed);
    assert_near(log_det, log_determinant(D), 1e-10, "D, terms %u, %lu", (unsigned)terms, seed);
    assert_near(sum / trace(M), 1, 1e-12, "trace, terms %u, %lu", (unsigned)terms, seed);
  }
}

// largest eigenvalue of a symmetric positive definite matrix, by the power method
static double
largest_eigenvalue(mat_t A)
{
  mat_t x = mat(A.r, 1);
  for (int i = 0; i < A.r; i++) *at(x, i, 0) = 1 + 0.1 * i;
  double norm = 0;
  for (int turn = 0; turn < 1000; turn++) {
    x = PROD(A, x);
    norm = 0;
    for (int i = 0; i < A.r; i++) norm += *at(x, i, 0) * *at(x, i, 0);
    norm = sqrt(norm);
    for (int i = 0; i < A.r; i++) *at(x, i, 0) /= norm;
  }
  return norm;
}

static void
condition_by_the_power_method(void ** context)
{
  (void)context;
  FOR_SEEDS(12)
  {
    tree_t * t = chain(6, (unsigned)seed);
    double work[72], condition;
    mat_t M_inv = mat(6, 6), M = mat(6, 6);
    assert_ok(mbd_set_state(t->model, t->data, t->q, NULL));
    assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
    assert_ok(mbd_mass_matrix_inverse(t->model, t->data, M_inv.a));
    assert_ok(mbd_mass_condition(t->model, t->data, work, &condition));
    const double expected = largest_eigenvalue(M) * largest_eigenvalue(M_inv);
    assert_near(condition / expected, 1, 1e-6, "seed %lu", seed);
    mats_free();
    tree_free(t);
  }
}

// a sum of logarithms over many bodies loses nothing
static void
determinant_of_a_long_chain(void ** context)
{
  (void)context;
  tree_t * t = chain(400, 3);
  double log_det, heavy;
  mat_t M = mat(400, 400);
  assert_ok(mbd_set_state(t->model, t->data, t->q, NULL));
  assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
  assert_ok(mbd_mass_log_determinant(t->model, t->data, &log_det));
  assert_near(log_det, log_determinant(M), 1e-9, "400 bodies");
  // the drives stiffen every joint
  assert_ok(mbd_set_terms(t->data, MBD_TERM_ROTORS));
  assert_ok(mbd_mass_log_determinant(t->model, t->data, &heavy));
  assert_true(heavy > log_det);
  tree_free(t);
  mats_free();
}

//---------- stages ----------

// the factors are computed once for a configuration, and not again for the next right-hand side
static void
factors_are_kept(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const mbd_model_t * m = t->model;
    mbd_data_t * d = t->data;
    const mat_t x = random_column(m->nv, &state);
    assert_ok(mbd_set_position(m, d, t->q));
    const uint32_t articulated = MBD_STAGE_ARTICULATED | MBD_STAGE_ARTICULATED_SIMD;
    assert_false(d->work->stage & articulated);
    const mat_t y = solve(t, x), u = root(t, MBD_SQRT, x);
    assert_true(d->work->stage & articulated);
    // another inertia behind its back, which would be seen if they were computed again
    const mbd_inertia_t keep = d->inertia[0];
    mbd_sym3_t * I = &d->inertia[0].I;
    d->inertia[0].mass += 1, I->xx += 1, I->yy += 1, I->zz += 1;
    for (int k = 0; k < 3; k++) {
      solve(t, random_column(m->nv, &state));
      assert_mat(solve(t, x), y, 0, "solve %d, seed %lu", k, seed);
      assert_mat(root(t, MBD_SQRT, x), u, 0, "root %d, seed %lu", k, seed);
    }
    // a velocity does not make them stale, a position does
    assert_ok(mbd_set_velocity(m, d, t->v));
    assert_mat(solve(t, x), y, 0, "after a velocity, seed %lu", seed);
    assert_ok(mbd_set_position(m, d, t->q));
    assert_true(largest_entry(sub(solve(t, x), y)) > 0);
    d->inertia[0] = keep;
    assert_ok(mbd_set_position(m, d, t->q));
    assert_mat(solve(t, x), y, 0, "again, seed %lu", seed);
  }
}

// a load in the hand counts at once
static void
payloads_count(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const int f = random_below(&state, t->model->nframe);
    const mbd_inertia_t load = random_inertia(&state);
    const mat_t x = random_column(t->model->nv, &state);
    double log_det, sum;
    state_at(t, 0);
    solve(t, x);
    assert_ok(mbd_payload_attach(t->model, t->data, f, &load));
    const dense_t d = dense_at(t->model, t->data->inertia, t->q, t->v, t->model->gravity);
    const mat_t M = dense_mass(&d);
    assert_mat(product(t, x), PROD(M, x), 1e-11, "M x, seed %lu", seed);
    assert_mat(solve(t, PROD(M, x)), x, 1e-9, "M^-1 x, seed %lu", seed);
    assert_ok(mbd_mass_log_determinant(t->model, t->data, &log_det));
    assert_ok(mbd_mass_trace(t->model, t->data, &sum));
    assert_near(log_det, log_determinant(M), 1e-10, "determinant, seed %lu", seed);
    assert_near(sum / trace(M), 1, 1e-12, "trace, seed %lu", seed);
  }
}

static void
results_may_replace_arguments(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    uint64_t state = seed;
    const mat_t x = random_column(t->model->nv, &state);
    state_at(t, MBD_TERM_ROTORS);
    mat_t y = SUM(x);
    assert_ok(mbd_mass_product(t->model, t->data, y.a, y.a));
    assert_mat(y, product(t, x), 0, "product, seed %lu", seed);
    y = SUM(x);
    assert_ok(mbd_mass_solve(t->model, t->data, y.a, y.a));
    assert_mat(y, solve(t, x), 0, "solve, seed %lu", seed);
    for (int op = MBD_SQRT; op <= MBD_SQRT_INVERSE_TRANSPOSE; op++) {
      y = SUM(x);
      assert_ok(mbd_mass_sqrt(t->model, t->data, (mbd_sqrt_op_t)op, y.a, y.a));
      assert_mat(y, root(t, (mbd_sqrt_op_t)op, x), 0, "root %d, seed %lu", op, seed);
    }
  }
}

//---------- errors ----------

// every function of the header gives the same status, and none writes
static void
all_refuse(
  const mbd_model_t * m, mbd_data_t * d, const double * x, mbd_status_t product_status,
  mbd_status_t solve_status)
{
  double y[64], number = 7;
  for (int k = 0; k < 64; k++) y[k] = 7;
  assert_status(mbd_mass_product(m, d, x, y), product_status);
  assert_status(mbd_mass_solve(m, d, x, y), solve_status);
  for (int op = MBD_SQRT; op <= MBD_SQRT_INVERSE_TRANSPOSE; op++) {
    assert_status(mbd_mass_sqrt(m, d, (mbd_sqrt_op_t)op, x, y), solve_status);
  }
  if (product_status != MBD_OK) assert_true(y[0] == 7);
  for (int k = m ? m->nv : 0; k < 64; k++) assert_true(y[k] == 7);
  if (solve_status == MBD_ERROR_NOT_FINITE) return;
  number = 7;
  assert_status(mbd_mass_log_determinant(m, d, &number), solve_status);
  assert_true(number == 7);
  assert_status(mbd_mass_factors(m, d, y, y), solve_status);
  assert_status(mbd_mass_trace(m, d, &number), product_status);
}

static void
stages_and_arguments(void ** context)
{
  (void)context;
  tree_t *t = random_tree(9, NULL), *other = random_tree(10, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  double y[64];
  all_refuse(m, d, t->v, MBD_ERROR_STAGE, MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  all_refuse(NULL, d, t->v, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NULL_ARGUMENT);
  all_refuse(m, NULL, t->v, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NULL_ARGUMENT);
  all_refuse(other->model, d, t->v, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_mass_product(m, d, NULL, y), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mass_product(m, d, t->v, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mass_solve(m, d, NULL, y), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mass_solve(m, d, t->v, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mass_sqrt(m, d, MBD_SQRT, NULL, y), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mass_sqrt(m, d, MBD_SQRT, t->v, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mass_log_determinant(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mass_trace(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  y[0] = 7;
  assert_status(mbd_mass_sqrt(m, d, (mbd_sqrt_op_t)4, t->v, y), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_mass_sqrt(m, d, (mbd_sqrt_op_t)-1, t->v, y), MBD_ERROR_BAD_ARGUMENT);
  assert_true(y[0] == 7);
  tree_free(other);
  tree_free(t);
}

// not a number, infinite, or too large to multiply: nothing is written
static void
numbers_that_are_not_finite(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    const double bad[3] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    for (int k = 0; k < 3; k++) {
      const int where = (int)(seed % (uint64_t)t->model->nv);
      const double keep = t->v[where];
      t->v[where] = bad[k];
      all_refuse(t->model, t->data, t->v, MBD_ERROR_NOT_FINITE, MBD_ERROR_NOT_FINITE);
      t->v[where] = keep;
    }
    mat_t x = mat(t->model->nv, 1), y = mat(t->model->nv, 1);
    for (int k = 0; k < x.r; k++) x.a[k] = 1e308, y.a[k] = 7;
    const mbd_status_t status = mbd_mass_product(t->model, t->data, x.a, y.a);
    if (status == MBD_OK) {
      assert_true(all_finite(y));
    } else {
      assert_int_equal(status, MBD_ERROR_NOT_FINITE);
      for (int k = 0; k < x.r; k++) assert_true(y.a[k] == 7);
    }
  }
}

// a mimic joint is refused; a joint that moves nothing is named, and its mass matrix still there
static void
models_that_have_no_inverse(void ** context)
{
  (void)context;
  mbd_model_t * model[2] = {mimic_by_hand(), needle_by_hand()};
  for (int k = 0; k < 2; k++) {
    const double q[2] = {0.1, 0.2}, v[2] = {1, 2};
    mbd_data_t * d;
    assert_ok(mbd_data_create(model[k], &d));
    assert_ok(mbd_set_position(model[k], d, q));
    if (k == 0) {
      all_refuse(model[k], d, v, MBD_ERROR_MIMIC, MBD_ERROR_MIMIC);
    } else {
      all_refuse(model[k], d, v, MBD_OK, MBD_ERROR_MASSLESS_SUBTREE);
      assert_string_equal(mbd_error_joint_name(d), "pivot");
    }
    mbd_data_destroy(d);
    mbd_model_destroy(model[k]);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(products_and_solves),
    cmocka_unit_test(square_roots),
    cmocka_unit_test(energy_of_quasi_velocities),
    cmocka_unit_test(factors_are_those_of_the_operators),
    cmocka_unit_test(shape_of_the_factors),
    cmocka_unit_test(square_root_is_factor_times_root),
    cmocka_unit_test(determinant_and_trace),
    cmocka_unit_test(condition_by_the_power_method),
    cmocka_unit_test(determinant_of_a_long_chain),
    cmocka_unit_test(factors_are_kept),
    cmocka_unit_test(payloads_count),
    cmocka_unit_test(results_may_replace_arguments),
    cmocka_unit_test(stages_and_arguments),
    cmocka_unit_test(numbers_that_are_not_finite),
    cmocka_unit_test(models_that_have_no_inverse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
