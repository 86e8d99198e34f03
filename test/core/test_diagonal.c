// Rates of articulated bodies and diagonalised dynamics against differences and energy.
#include "mbdyn/operators/diagonal.h"
#include "mbdyn/operators/factors.h"

#include <string.h>

#include "by_hand.h"

static const double offset[4] = {-2, -1, 1, 2};
static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
#define STEP 1e-3

static double *
work_for(const tree_t * t)
{
  return mat((int)mbd_diagonal_work(t->model), 1).a;
}

static uint32_t
terms_of(uint64_t seed)
{
  return seed % 2 ? MBD_TERM_ROTORS : 0;
}

// position stage at q moved along u for h
static void
move_along(const tree_t * t, const double * u, double h)
{
  mat_t q = mat(t->model->nq, 1);
  dense_step_all(t->model, t->q, u, h, q.a);
  assert_ok(mbd_set_position(t->model, t->data, q.a));
}

//---------- articulated bodies ----------

// P of all bodies, G, and the blocks of D as one column
static mat_t
articulated_numbers(const tree_t * t)
{
  const mbd_model_t * m = t->model;
  assert_ok(mbd_articulated_inertia(m, t->data));
  mat_t x = mat(36 * m->nbody + 6 * m->nv + m->nD, 1);
  for (int i = 0; i < m->nbody; i++) mbdu_sym6_full(&t->data->P[i], x.a + 36 * i);
  for (int k = 0; k < m->nv; k++) set_block(x, 36 * m->nbody + 6 * k, 0, force6(t->data->G[k]));
  for (int i = 0; i < m->nbody; i++) {
    const int n = m->body[i].nv, at_ = m->body[i].d_index;
    const mat_t D = inverse(mat_from(n, n, t->data->D_inv + at_));
    memcpy(x.a + 36 * m->nbody + 6 * m->nv + at_, D.a, (size_t)(n * n) * sizeof *D.a);
  }
  return x;
}

static mat_t
articulated_rates(const tree_t * t, const double * u)
{
  const mbd_model_t * m = t->model;
  mat_t P = mat(21 * m->nbody, 1), G = mat(6 * m->nv, 1);
  mat_t x = mat(36 * m->nbody + 6 * m->nv + m->nD, 1);
  mbd_sym6_t * dP = (void *)P.a;
  mbd_force_t * dG = (void *)G.a;
  double * dD = x.a + 36 * m->nbody + 6 * m->nv;
  assert_ok(mbd_articulated_rate(m, t->data, u, dP, dG, dD));
  for (int i = 0; i < m->nbody; i++) mbdu_sym6_full(&dP[i], x.a + 36 * i);
  for (int k = 0; k < m->nv; k++) set_block(x, 36 * m->nbody + 6 * k, 0, force6(dG[k]));
  return x;
}

static void
articulated_bodies_change_as_differences_say(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    // along the motion, and along one degree of freedom (a sensitivity)
    for (int kind = 0; kind < 2; kind++) {
      const mat_t u =
        kind ? unit_column(m->nv, (int)(seed % (uint64_t)m->nv)) : column(m->nv, t->v);
      mat_t expected = {0, 0, NULL};
      assert_ok(mbd_set_terms(t->data, terms_of(seed)));
      for (int k = 0; k < 4; k++) {
        move_along(t, u.a, offset[k] * STEP);
        const mat_t part = scale(weight[k] / STEP, articulated_numbers(t));
        expected = k ? SUM(expected, part) : part;
      }
      set_state(t);
      const mat_t x = articulated_rates(t, u.a);
      assert_mat_floor(x, expected, 1e-7, 1, "kind %d, seed %lu", kind, seed);
    }
  }
}

static void
log_determinant_changes_as_differences_say(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    assert_ok(mbd_set_terms(t->data, terms_of(seed)));
    mat_t gradient = mat(m->nv, 1), expected = mat(m->nv, 1);
    for (int j = 0; j < m->nv; j++) {
      for (int k = 0; k < 4; k++) {
        double value;
        move_along(t, unit_column(m->nv, j).a, offset[k] * STEP);
        assert_ok(mbd_mass_log_determinant(m, t->data, &value));
        expected.a[j] += weight[k] / STEP * value;
      }
    }
    set_state(t);
    assert_ok(mbd_log_determinant_gradient(m, t->data, gradient.a));
    assert_mat_floor(gradient, expected, 1e-7, 1, "seed %lu", seed);
  }
}

static void
factor_changes_as_differences_say(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    const mat_t v = column(m->nv, t->v);
    assert_ok(mbd_set_terms(t->data, terms_of(seed)));
    mat_t expected = mat(m->nv, 1), rate = mat(m->nv, 1), F = mat(m->nv, m->nv);
    for (int k = 0; k < 4; k++) {
      move_along(t, t->v, offset[k] * STEP);
      assert_ok(mbd_mass_factors(m, t->data, F.a, NULL));
      expected = SUM(expected, scale(weight[k] / STEP, PROD(tr(F), v)));
    }
    set_state(t);
    assert_ok(mbd_factor_rate_product(m, t->data, work_for(t), rate.a));
    assert_mat_floor(rate, expected, 1e-7, 1, "seed %lu", seed);
  }
}

// dF, d(F^-1) and dD along the motion and along one degree of freedom
static void
factors_change_as_differences_say(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    assert_ok(mbd_set_terms(t->data, terms_of(seed)));
    for (int kind = 0; kind < 2; kind++) {
      const mat_t u = kind ? unit_column(n, (int)(seed % (uint64_t)n)) : column(n, t->v);
      mat_t F = mat(n, n), D = mat(n, n), dM = mat(n, n), M = mat(n, n);
      mat_t expected[3] = {mat(n, n), mat(n, n), mat(n, n)};
      for (int k = 0; k < 4; k++) {
        const double w = weight[k] / STEP;
        move_along(t, u.a, offset[k] * STEP);
        assert_ok(mbd_mass_factors(m, t->data, F.a, D.a));
        expected[0] = SUM(expected[0], scale(w, F));
        expected[1] = SUM(expected[1], scale(w, inverse(F)));
        expected[2] = SUM(expected[2], scale(w, D));
        assert_ok(mbd_mass_matrix(m, t->data, M.a));
        dM = SUM(dM, scale(w, M));
      }
      mat_t dF = mat(n, n), dF_inv = mat(n, n), dD = mat(n, n);
      assert_ok(mbd_set_position(m, t->data, t->q));
      assert_ok(mbd_factor_rates(m, t->data, u.a, work_for(t), dF.a, dF_inv.a, dD.a));
      assert_mat_floor(dF, expected[0], 1e-7, 1, "dF, kind %d, seed %lu", kind, seed);
      assert_mat_floor(dF_inv, expected[1], 1e-7, 1, "d(1/F), kind %d, seed %lu", kind, seed);
      assert_mat_floor(dD, expected[2], 1e-7, 1, "dD, kind %d, seed %lu", kind, seed);
      // M = F D F^T, and F^-1 is the inverse of F                         (Ex 18.12, Ex 18.13)
      assert_ok(mbd_mass_factors(m, t->data, F.a, D.a));
      const mat_t half = PROD(dF, D, tr(F));
      assert_mat_floor(
        SUM(half, tr(half), PROD(F, dD, tr(F))), dM, 1e-7, 1, "dM, kind %d, seed %lu", kind, seed);
      const mat_t product = PROD(inverse(F), dF, inverse(F));
      assert_mat_floor(dF_inv, scale(-1, product), 1e-10, 1, "kind %d, seed %lu", kind, seed);
    }
  }
}

//---------- equations of motion ----------

// d/dt of F^T v or L^T v along the robot's motion
static mat_t
quasi_acceleration(const tree_t * t, bool normalized)
{
  const mbd_model_t * m = t->model;
  mat_t rate = mat(m->nv, 1), x = mat(m->nv, 1), F = mat(m->nv, m->nv);
  for (int k = 0; k < 4; k++) {
    const double h = offset[k] * STEP;
    const mat_t v = v_later(t, h);
    assert_ok(mbd_set_position(m, t->data, q_later(t, h).a));
    if (normalized) {
      assert_ok(mbd_mass_sqrt(m, t->data, MBD_SQRT_TRANSPOSE, v.a, x.a));
    } else {
      assert_ok(mbd_mass_factors(m, t->data, F.a, NULL));
      x = PROD(tr(F), v);
    }
    rate = SUM(rate, scale(weight[k] / STEP, x));
  }
  return rate;
}

// torque of the robot's motion without gravity
static mat_t
torque_of_motion(const tree_t * t)
{
  mat_t tau = mat(t->model->nv, 1);
  assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
  assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, NULL, tau.a));
  return tau;
}

// q_later is of second order only: its error is what the tolerance has to allow
static void
normalized_equation_holds(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    assert_ok(mbd_set_terms(t->data, terms_of(seed)));
    const mat_t rate = quasi_acceleration(t, true), tau = torque_of_motion(t);
    mat_t C = mat(m->nv, 1), zeta = mat(m->nv, 1), eta = mat(m->nv, 1);
    set_state(t);
    assert_ok(mbd_quasi_coriolis(m, t->data, work_for(t), C.a));
    assert_ok(mbd_mass_sqrt(m, t->data, MBD_SQRT_INVERSE, tau.a, zeta.a));
    assert_ok(mbd_mass_sqrt(m, t->data, MBD_SQRT_TRANSPOSE, t->v, eta.a));
    const double size = fmax(1, fmax(largest_entry(C), largest_entry(zeta)));
    assert_mat_floor(SUM(rate, C), zeta, 2e-5, size, "seed %lu", seed);
    // it does no work                                                             lemma 19.5
    const double power = scalar(PROD(tr(eta), C));
    assert_close_floor(
      &power, (double[]){0}, 1, 1e-10, fmax(1, largest_entry(eta) * largest_entry(C)), "%lu", seed);
  }
}

static void
unnormalized_equation_holds(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    assert_ok(mbd_set_terms(t->data, terms_of(seed)));
    const mat_t rate = quasi_acceleration(t, false), tau = torque_of_motion(t);
    mat_t C = mat(m->nv, 1), F = mat(m->nv, m->nv), D = mat(m->nv, m->nv);
    set_state(t);
    assert_ok(mbd_unnormalized_coriolis(m, t->data, work_for(t), C.a));
    assert_ok(mbd_mass_factors(m, t->data, F.a, D.a));
    const mat_t force = PROD(inverse(F), tau);
    const double size = fmax(1, fmax(largest_entry(C), largest_entry(force)));
    assert_mat_floor(SUM(PROD(D, rate), C), force, 2e-5, size, "seed %lu", seed);
  }
}

// exactly, by way of the dense factor: C(q, eta) = L^-1 c - dL/dt^T v, dL/dt by differences
static void
coriolis_is_that_of_the_root(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    assert_ok(mbd_set_terms(t->data, terms_of(seed)));
    mat_t dL_v = mat(m->nv, 1), x = mat(m->nv, 1), C = mat(m->nv, 1), c = mat(m->nv, 1);
    for (int k = 0; k < 4; k++) {
      move_along(t, t->v, offset[k] * STEP);
      assert_ok(mbd_mass_sqrt(m, t->data, MBD_SQRT_TRANSPOSE, t->v, x.a));
      dL_v = SUM(dL_v, scale(weight[k] / STEP, x));
    }
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
    set_state(t);
    assert_ok(mbd_bias(m, t->data, c.a));
    assert_ok(mbd_mass_sqrt(m, t->data, MBD_SQRT_INVERSE, c.a, x.a));
    assert_ok(mbd_quasi_coriolis(m, t->data, work_for(t), C.a));
    const double size = fmax(1, fmax(largest_entry(x), largest_entry(dL_v)));
    assert_mat_floor(C, sub(x, dL_v), 1e-7, size, "seed %lu", seed);
  }
}

//---------- damping ----------

static void
damping_takes_energy_from_each(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    mat_t c = mat(m->nv, 1), tau = mat(m->nv, 1), eta = mat(m->nv, 1);
    uint64_t state = seed;
    double expected = 0;
    set_state(t);
    for (int k = 0; k < m->nv; k++) c.a[k] = random_between(&state, 0, 3);
    assert_ok(mbd_quasi_velocity_damping(m, t->data, c.a, tau.a));
    assert_ok(mbd_mass_sqrt(m, t->data, MBD_SQRT_TRANSPOSE, t->v, eta.a));
    for (int k = 0; k < m->nv; k++) expected -= c.a[k] * eta.a[k] * eta.a[k];
    const double power = scalar(PROD(tr(column(m->nv, t->v)), tau));
    assert_close_floor(&power, &expected, 1, 1e-10, 1, "seed %lu", seed);
    c.a[0] = -1;
    assert_status(mbd_quasi_velocity_damping(m, t->data, c.a, tau.a), MBD_ERROR_BAD_ARGUMENT);
  }
}

static void
bad_input_is_refused(void ** context)
{
  (void)context;
  tree_t * t = random_tree(5, NULL);
  const mbd_model_t * m = t->model;
  mat_t x = mat(m->nv, 1);
  assert_status(mbd_log_determinant_gradient(m, t->data, x.a), MBD_ERROR_STAGE);
  assert_status(mbd_quasi_coriolis(m, t->data, work_for(t), x.a), MBD_ERROR_STAGE);
  set_state(t);
  assert_status(mbd_quasi_coriolis(m, t->data, NULL, x.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_articulated_rate(m, t->data, t->v, NULL, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_factor_rates(m, t->data, t->v, NULL, x.a, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  x.a[0] = (double)NAN;
  assert_status(
    mbd_factor_rates(m, t->data, x.a, work_for(t), NULL, NULL, NULL), MBD_ERROR_NOT_FINITE);
  assert_int_equal(mbd_diagonal_work(NULL), 0);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(articulated_bodies_change_as_differences_say),
    cmocka_unit_test(log_determinant_changes_as_differences_say),
    cmocka_unit_test(factor_changes_as_differences_say),
    cmocka_unit_test(factors_change_as_differences_say),
    cmocka_unit_test(normalized_equation_holds),
    cmocka_unit_test(unnormalized_equation_holds),
    cmocka_unit_test(coriolis_is_that_of_the_root),
    cmocka_unit_test(damping_takes_energy_from_each),
    cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
