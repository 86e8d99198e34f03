// What follows from the Coriolis matrix: C^T v, Mdot, the gradient of momentum, Christoffel
// symbols.
#include <math.h>
#include <stdlib.h>

#include "core_test.h"
#include "mbdyn/dynamics/coriolis.h"

// finite differences: step, and what is left of them
static const double step = 1e-5, slope_error = 1e-7;

static tree_options_t
one_dof_trees(void)
{
  tree_options_t options = tree_options_default();
  options.one_dof_only = true;
  options.max_bodies = 8;
  return options;
}

// every second robot holds something, every third counts its rotors
static void
load_and_set(const tree_t * t, uint64_t seed)
{
  uint64_t state = seed;
  if (seed % 2) {
    const mbd_inertia_t load = random_inertia(&state);
    const int frame = random_below(&state, t->model->nframe);
    assert_ok(mbd_payload_attach(t->model, t->data, frame, &load));
  }
  assert_ok(mbd_set_terms(t->data, seed % 3 ? 0 : MBD_TERM_ROTORS | MBD_TERM_FRICTION));
  set_state(t);
}

static mat_t
coriolis(const tree_t * t)
{
  mat_t C = mat(t->model->nv, t->model->nv);
  assert_ok(mbd_coriolis_matrix(t->model, t->data, C.a));
  return C;
}

static mat_t
mass_at(const tree_t * t, const double * q)
{
  mat_t M = mat(t->model->nv, t->model->nv);
  assert_ok(mbd_set_state(t->model, t->data, q, NULL));
  assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
  return M;
}

// derivative of the mass matrix along a direction
static mat_t
mass_slope(const tree_t * t, const double * direction)
{
  mat_t ahead = mat(t->model->nq, 1), behind = mat(t->model->nq, 1);
  assert_ok(mbd_integrate(t->model, t->q, direction, step, ahead.a));
  assert_ok(mbd_integrate(t->model, t->q, direction, -step, behind.a));
  const mat_t slope = scale(0.5 / step, sub(mass_at(t, ahead.a), mass_at(t, behind.a)));
  set_state(t);
  return slope;
}

// derivatives of the mass matrix along every degree of freedom; free them
static mat_t *
mass_slopes(const tree_t * t)
{
  const int nv = t->model->nv;
  mat_t * slope = calloc((size_t)nv, sizeof *slope);
  assert_non_null(slope);
  for (int j = 0; j < nv; j++) {
    mat_t unit = mat(nv, 1);
    unit.a[j] = 1;
    slope[j] = mass_slope(t, unit.a);
  }
  return slope;
}

// M_D(x), the gradient of M x
static mat_t
gradient(const tree_t * t, const double * x)
{
  mat_t MD = mat(t->model->nv, t->model->nv);
  assert_ok(mbd_set_velocity(t->model, t->data, x));
  assert_ok(mbd_momentum_gradient(t->model, t->data, MD.a));
  assert_ok(mbd_set_velocity(t->model, t->data, t->v));
  return MD;
}

// all joints have v = qdot: no quasi-velocities
static bool
is_plain(const mbd_model_t * model)
{
  for (int i = 0; i < model->nbody; i++) {
    switch (model->body[i].type) {
      case MBD_JOINT_SPHERICAL:
      case MBD_JOINT_PLANAR:
      case MBD_JOINT_FREE: return false;
      case MBD_JOINT_USER:
        if (model->body[i].nv > 1 && model->body[i].user.integrate) return false;
        break;
      default: break;
    }
  }
  return true;
}

//---------- gradient of the kinetic energy ----------

// by differences at constant v, every joint type; and half of M_D^T v                    (18.38)
static void
energy_changes_as_differences_say(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load_and_set(t, seed);
    const mbd_model_t * m = t->model;
    mat_t slope = mat(m->nv, 1), expected = mat(m->nv, 1), q = mat(m->nq, 1);
    assert_ok(mbd_kinetic_energy_gradient(m, t->data, slope.a));
    const mat_t half = scale(0.5, PROD(tr(gradient(t, t->v)), column(m->nv, t->v)));
    assert_mat_floor(slope, half, 1e-11, 1, "M_D^T v / 2, seed %lu", seed);
    static const double offset[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
    for (int j = 0; j < m->nv; j++) {
      mat_t unit = mat(m->nv, 1);
      unit.a[j] = 1;
      for (int k = 0; k < 4; k++) {
        double energy;
        dense_step_all(m, t->q, unit.a, offset[k] * 1e-3, q.a);
        assert_ok(mbd_set_position(m, t->data, q.a));
        assert_ok(mbd_set_velocity(m, t->data, t->v));
        assert_ok(mbd_kinetic_energy(m, t->data, &energy));
        expected.a[j] += weight[k] / 12e-3 * energy;
      }
    }
    const double size = fmax(1, largest_entry(expected));
    assert_mat_floor(slope, expected, 1e-7, size, "seed %lu", seed);
  }
}

// C v = Mdot v - dKe/dq where v = qdot: Newton-Euler, sweeps of C, and energy        (18.41), Ex 18.9
static void
bias_from_energy(void ** context)
{
  (void)context;
  const tree_options_t options = one_dof_trees();
  int seen = 0;
  FOR_TREES(2 * TREES, seed <= robots(TREES) ? &options : NULL)
  {
    load_and_set(t, seed);
    const mbd_model_t * m = t->model;
    if (!is_plain(m)) continue;
    seen++;
    const dense_t d = dense_at(m, t->data->inertia, t->q, t->v, m->gravity);
    mat_t slope = mat(m->nv, 1), rate = mat(m->nv, m->nv);
    assert_ok(mbd_kinetic_energy_gradient(m, t->data, slope.a));
    assert_ok(mbd_mass_matrix_rate(m, t->data, rate.a));
    const mat_t Cv = sub(dense_bias(&d), dense_gravity(&d));
    const double size = fmax(1, largest_entry(rate));
    assert_mat_floor(sub(PROD(rate, d.v), slope), Cv, 1e-10, size, "seed %lu", seed);
    // v . (Mdot v - 2 C v) = 0                                                     Ex 4.4
    const double work = scalar(PROD(tr(d.v), sub(PROD(rate, d.v), scale(2, Cv))));
    assert_close_floor(&work, (double[]){0}, 1, 1e-10, size, "work, seed %lu", seed);
  }
  assert_count(seen, TREES);
}

//---------- C^T v and Mdot ----------

// the sweep gives the product with the transpose, and Mdot v = C v + C^T v
static void
transpose_product_is_that_of_the_matrix(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load_and_set(t, seed);
    const int nv = t->model->nv;
    const mat_t C = coriolis(t), v = column(nv, t->v);
    mat_t y = mat(nv, 1), rate = mat(nv, nv);
    assert_ok(mbd_coriolis_transpose_product(t->model, t->data, y.a));
    assert_ok(mbd_mass_matrix_rate(t->model, t->data, rate.a));
    const double size = fmax(1, largest_entry(C));
    assert_mat_floor(y, PROD(tr(C), v), 1e-12, size, "C^T v, seed %lu", seed);
    assert_mat_floor(PROD(rate, v), SUM(PROD(C, v), y), 1e-12, size, "Mdot v, seed %lu", seed);
    assert_mat(rate, tr(rate), 0, "symmetry, seed %lu", seed);
  }
}

// neither route uses C: C^T v = Mdot v - C v, with Mdot by differences, C v by Newton-Euler (5.25)
static void
transpose_product_by_differences(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load_and_set(t, seed);
    const dense_t d = dense_at(t->model, t->data->inertia, t->q, t->v, t->model->gravity);
    mat_t y = mat(d.nv, 1);
    assert_ok(mbd_coriolis_transpose_product(t->model, t->data, y.a));
    const mat_t rate = mass_slope(t, t->v);
    const mat_t Cv = sub(dense_bias(&d), dense_gravity(&d));
    const double size = fmax(1, largest_entry(rate));
    assert_mat_floor(y, sub(PROD(rate, d.v), Cv), slope_error, size, "seed %lu", seed);
  }
}

// Mdot along the motion; rotors and friction have no part in it
static void
mass_rate_by_differences(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load_and_set(t, seed);
    mat_t rate = mat(t->model->nv, t->model->nv);
    assert_ok(mbd_mass_matrix_rate(t->model, t->data, rate.a));
    const mat_t slope = mass_slope(t, t->v);
    assert_mat_floor(rate, slope, slope_error, 1, "seed %lu", seed);
  }
}

//---------- gradient of momentum ----------

// column j of M_D: derivative of M v along degree of freedom j                     (4.28)
static void
gradient_by_differences(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load_and_set(t, seed);
    const int nv = t->model->nv;
    const mat_t MD = gradient(t, t->v), v = column(nv, t->v);
    mat_t * slope = mass_slopes(t);
    for (int j = 0; j < nv; j++) {
      const mat_t expected = PROD(slope[j], v);
      const double size = fmax(1, largest_entry(MD));
      assert_mat_floor(
        block(MD, 0, j, nv, 1), expected, slope_error, size, "%s, column %d, seed %lu",
        mbd_joint_type_name(t->model->body[t->model->dof_body[j]].type), j, seed);
    }
    free(slope);
  }
}

// kinetic energy at a configuration, velocity kept
static double
kinetic_at(const tree_t * t, const double * q)
{
  double energy;
  assert_ok(mbd_set_position(t->model, t->data, q));
  assert_ok(mbd_set_velocity(t->model, t->data, t->v));
  assert_ok(mbd_kinetic_energy(t->model, t->data, &energy));
  return energy;
}

// M_D(x) v = Mdot x, M_D^T v = 2 dKe/dq: on every joint type           (4.28) to (4.32)
static void
gradient_gives_rate_of_mass_and_slope_of_energy(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load_and_set(t, seed);
    const int nv = t->model->nv;
    const mat_t v = column(nv, t->v), x = column(nv, t->tau);
    mat_t rate = mat(nv, nv), slope = mat(nv, 1);
    assert_ok(mbd_mass_matrix_rate(t->model, t->data, rate.a));
    const mat_t MD = gradient(t, t->v), MDx = gradient(t, t->tau);
    assert_mat_floor(PROD(MD, v), PROD(rate, v), 1e-11, 1, "Mdot v, seed %lu", seed);
    assert_mat_floor(PROD(MDx, v), PROD(rate, x), 1e-11, 1, "Mdot x, seed %lu", seed);
    for (int j = 0; j < nv; j++) {
      mat_t unit = mat(nv, 1), q1 = mat(t->model->nq, 1), q0 = mat(t->model->nq, 1);
      unit.a[j] = 1;
      assert_ok(mbd_integrate(t->model, t->q, unit.a, step, q1.a));
      assert_ok(mbd_integrate(t->model, t->q, unit.a, -step, q0.a));
      slope.a[j] = (kinetic_at(t, q1.a) - kinetic_at(t, q0.a)) / (2 * step);
    }
    const double size = fmax(1, kinetic_at(t, t->q));
    assert_mat_floor(
      PROD(tr(MD), v), scale(2, slope), slope_error, size, "2 dKe/dq, seed %lu", seed);
  }
}

// C v = (M_D - 1/2 M_D^T) v where v = qdot; without differences             (4.31), (4.32)
static void
bias_from_the_gradient(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.max_bodies = 5;
  int plain = 0, turning_axes = 0;
  FOR_TREES(4 * TREES, &options)
  {
    if (!is_plain(t->model)) continue;
    load_and_set(t, seed);
    const mat_t v = column(t->model->nv, t->v), C = coriolis(t), MD = gradient(t, t->v);
    const mat_t expected = PROD(sub(MD, scale(0.5, tr(MD))), v);
    assert_mat_floor(PROD(C, v), expected, 1e-11, 1, "seed %lu", seed);
    plain++;
    for (int i = 0; i < t->model->nbody; i++) {
      turning_axes += t->model->body[i].type == MBD_JOINT_UNIVERSAL;
      turning_axes += t->model->body[i].type == MBD_JOINT_USER;
    }
  }
  assert_count(plain, TREES);
  assert_count(turning_axes, 100);
}

//---------- Christoffel symbols ----------

// slices G_k of a position, the velocity being set again; free them
static mat_t *
slices(const tree_t * t)
{
  const int nv = t->model->nv;
  mat_t * G = calloc((size_t)nv, sizeof *G);
  assert_non_null(G);
  for (int k = 0; k < nv; k++) {
    G[k] = mat(nv, nv);
    assert_ok(mbd_christoffel(t->model, t->data, k, G[k].a));
  }
  assert_ok(mbd_set_velocity(t->model, t->data, t->v));
  return G;
}

// C = sum_k G_k v_k on every joint type; C v by Newton-Euler         (4.39), (5.25)
static void
slices_add_up_to_the_coriolis_matrix(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load_and_set(t, seed);
    const dense_t d = dense_at(t->model, t->data->inertia, t->q, t->v, t->model->gravity);
    mat_t * G = slices(t);
    mat_t sum = mat(d.nv, d.nv);
    for (int k = 0; k < d.nv; k++) sum = SUM(sum, scale(t->v[k], G[k]));
    const mat_t C = coriolis(t);
    assert_mat_floor(sum, C, 1e-12, 1, "C, seed %lu", seed);
    const mat_t Cv = sub(dense_bias(&d), dense_gravity(&d));
    const double size = fmax(1, largest_entry(C));
    assert_mat_floor(PROD(sum, d.v), Cv, 1e-11, size, "C v, seed %lu", seed);
    free(G);
  }
}

// Chr_i(j,k) = G_k(i,j) = 1/2 (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) where v = qdot    (4.35)
static void
slices_are_christoffel_symbols(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.max_bodies = 4;
  int plain = 0;
  FOR_TREES(3 * TREES, &options)
  {
    if (!is_plain(t->model)) continue;
    set_state(t);
    plain++;
    const int nv = t->model->nv;
    mat_t *G = slices(t), *slope = mass_slopes(t);
    for (int k = 0; k < nv; k++) {
      mat_t expected = mat(nv, nv);
      for (int i = 0; i < nv; i++) {
        for (int j = 0; j < nv; j++) {
          *at(expected, i, j) =
            0.5 * (*at(slope[k], i, j) + *at(slope[j], i, k) - *at(slope[i], j, k));
        }
      }
      assert_mat_floor(G[k], expected, slope_error, 1, "slice %d, seed %lu", k, seed);
    }
    free(G);
    free(slope);
  }
  assert_count(plain, TREES);
}

// Chr_i(j,k) = Chr_i(k,j), dM_kj/dq_i = Chr_j(i,k) + Chr_k(j,i)             (4.36), (4.37)
static void
symmetries_of_the_slices(void ** context)
{
  (void)context;
  tally_t plain_trees = {0};
  tree_options_t options = tree_options_default();
  options.max_bodies = 4;
  FOR_TREES(3 * TREES, &options)
  {
    if (!tally(&plain_trees, is_plain(t->model))) continue;
    set_state(t);
    const int nv = t->model->nv;
    mat_t *G = slices(t), *slope = mass_slopes(t);
    for (int i = 0; i < nv; i++) {
      const double size = fmax(1, largest_entry(slope[i]));
      for (int j = 0; j < nv; j++) {
        for (int k = 0; k < nv; k++) {
          assert_near(
            *at(G[k], i, j), *at(G[j], i, k), 1e-12 * size, "%d %d %d, seed %lu", i, j, k, seed);
          const double sum = *at(G[k], j, i) + *at(G[i], k, j);
          assert_near(
            sum, *at(slope[i], k, j), slope_error * size, "dM_%d%d/dq_%d, seed %lu", k, j, i, seed);
        }
      }
    }
    free(G);
    free(slope);
  }
  assert_enough(&plain_trees, 0.3);
}

// a hinge turns everything beyond it as one: Chr_i(j,k) = -Chr_k(j,i), Chr_i(j,i) = 0 for j below
// both (numbered base to tip: j <= i, k)                                            (4.38)
static void
antisymmetry_on_a_tree(void ** context)
{
  (void)context;
  const tree_options_t options = one_dof_trees();
  FOR_TREES(TREES, &options)
  {
    load_and_set(t, seed);
    const int nv = t->model->nv;
    mat_t * G = slices(t);
    for (int i = 0; i < nv; i++) {
      for (int k = 0; k < nv; k++) {
        const double size = fmax(1, largest_entry(G[k]));
        for (int j = 0; j <= i && j <= k; j++) {
          assert_near(
            *at(G[k], i, j), -*at(G[i], k, j), 1e-12 * size, "%d %d %d, seed %lu", i, j, k, seed);
          assert_near(*at(G[i], i, j), 0, 1e-12 * size, "%d %d, seed %lu", i, j, seed);
        }
      }
    }
    free(G);
  }
}

//---------- behaviour ----------

// the robots above are of every joint type and every kind of user joint
static void
robots_have_every_joint_type(void ** context)
{
  (void)context;
  int seen[MBD_JOINT_USER + 1] = {0}, turning_users = 0, forests = 0;
  FOR_TREES(TREES, NULL)
  {
    int bases = 0;
    for (int i = 0; i < t->model->nbody; i++) {
      const mbd_body_t * body = &t->model->body[i];
      seen[body->type]++;
      bases += body->parent < 0;
      turning_users += body->type == MBD_JOINT_USER && body->nv == 2;
    }
    forests += bases > 1;
  }
  for (int type = MBD_JOINT_REVOLUTE; type <= MBD_JOINT_USER; type++) {
    assert_count(seen[type], 20);
  }
  assert_count(turning_users, 10);
  assert_count(forests, 20);
}

static void
stages_and_arguments(void ** context)
{
  (void)context;
  tree_t *t = random_tree(11, NULL), *other = random_tree(12, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mat_t A = mat(m->nv, m->nv);
  assert_status(mbd_christoffel(m, d, 0, A.a), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_status(mbd_coriolis_transpose_product(m, d, A.a), MBD_ERROR_STAGE);
  assert_status(mbd_mass_matrix_rate(m, d, A.a), MBD_ERROR_STAGE);
  assert_status(mbd_momentum_gradient(m, d, A.a), MBD_ERROR_STAGE);
  set_state(t);
  assert_status(mbd_christoffel(m, d, -1, A.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_christoffel(m, d, m->nv, A.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_christoffel(m, d, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_coriolis_transpose_product(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mass_matrix_rate(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_momentum_gradient(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_momentum_gradient(NULL, d, A.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_momentum_gradient(other->model, d, A.a), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_mass_matrix_rate(other->model, d, A.a), MBD_ERROR_MODEL_MISMATCH);
  // bad arguments leave the velocity alone; a slice makes it stale, and all that rests on it
  assert_ok(mbd_bias(m, d, A.a));
  assert_ok(mbd_christoffel(m, d, m->nv - 1, A.a));
  assert_status(mbd_bias(m, d, A.a), MBD_ERROR_STAGE);
  assert_status(mbd_coriolis_matrix(m, d, A.a), MBD_ERROR_STAGE);
  assert_ok(mbd_gravity(m, d, A.a));
  tree_free(other);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(energy_changes_as_differences_say),
    cmocka_unit_test(bias_from_energy),
    cmocka_unit_test(transpose_product_is_that_of_the_matrix),
    cmocka_unit_test(transpose_product_by_differences),
    cmocka_unit_test(mass_rate_by_differences),
    cmocka_unit_test(gradient_by_differences),
    cmocka_unit_test(gradient_gives_rate_of_mass_and_slope_of_energy),
    cmocka_unit_test(bias_from_the_gradient),
    cmocka_unit_test(slices_add_up_to_the_coriolis_matrix),
    cmocka_unit_test(slices_are_christoffel_symbols),
    cmocka_unit_test(symmetries_of_the_slices),
    cmocka_unit_test(antisymmetry_on_a_tree),
    cmocka_unit_test(robots_have_every_joint_type),
    cmocka_unit_test(stages_and_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
