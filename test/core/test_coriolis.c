// The Coriolis matrix: Christoffel symbols, skew symmetry, work.
#include <math.h>
#include <stdlib.h>

#include "core_test.h"
#include "mbdyn/dynamics/coriolis.h"

static mat_t
coriolis(const tree_t * t)
{
  mat_t C = mat(t->model->nv, t->model->nv);
  set_state(t);
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

// rate of the mass matrix along the motion
static mat_t
mass_rate(const tree_t * t)
{
  const double h = 1e-5;
  return scale(0.5 / h, sub(mass_at(t, q_later(t, h).a), mass_at(t, q_later(t, -h).a)));
}

// C v is the bias without gravity                                         (5.25), (4.26)
static void
coriolis_matrix_gives_the_bias(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mat_t C = coriolis(t);
    const dense_t d = dense_of(t);
    const mat_t Cv = PROD(C, d.v);
    const double size = fmax(1, largest_entry(C));
    assert_mat_floor(
      Cv, sub(dense_bias(&d), dense_gravity(&d)), 1e-11, size, "dense, seed %lu", seed);
    mat_t h = mat(d.nv, 1), g = mat(d.nv, 1);
    assert_ok(mbd_bias(t->model, t->data, h.a));
    assert_ok(mbd_gravity(t->model, t->data, g.a));
    assert_mat_floor(Cv, sub(h, g), 1e-11, size, "bias, seed %lu", seed);
  }
}

// Mdot - 2 C is skew, on every joint type: C + C^T = Mdot                      exercise 4.4
static void
rate_of_mass_minus_twice_coriolis_is_skew(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mat_t C = coriolis(t), rate = mass_rate(t);
    const double size = fmax(1, largest_entry(rate));
    assert_mat_floor(SUM(C, tr(C)), rate, 1e-7, size, "C + C^T, seed %lu", seed);
    // so that it does no work
    const mat_t v = column(t->model->nv, t->v);
    const mat_t work = PROD(tr(v), sub(rate, scale(2, C)), v);
    assert_near(scalar(work) / size, 0, 1e-6, "work, seed %lu", seed);
  }
}

static void
coriolis_matrix_is_linear_in_velocity(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mat_t C = coriolis(t);
    for (int i = 0; i < t->model->nv; i++) t->v[i] *= -2;
    assert_mat_floor(coriolis(t), scale(-2, C), 1e-12, 1, "seed %lu", seed);
  }
}

//---------- Christoffel symbols ----------

// dM/dq_k for every k
static mat_t *
mass_gradient(const tree_t * t)
{
  const double h = 1e-5;
  mat_t * slope = calloc((size_t)t->model->nv, sizeof *slope);
  assert_non_null(slope);
  for (int k = 0; k < t->model->nv; k++) {
    mat_t q = column(t->model->nq, t->q);
    q.a[k] = t->q[k] + h;
    const mat_t M1 = mass_at(t, q.a);
    q.a[k] = t->q[k] - h;
    slope[k] = scale(0.5 / h, sub(M1, mass_at(t, q.a)));
  }
  return slope;
}

// 1/2 (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i)                                     (4.35)
static double
christoffel(const mat_t * slope, int i, int j, int k)
{
  return 0.5 * (*at(slope[k], i, j) + *at(slope[j], i, k) - *at(slope[i], j, k));
}

static tree_options_t
one_dof_trees(void)
{
  tree_options_t options = tree_options_default();
  options.one_dof_only = true;
  options.max_bodies = 8;
  return options;
}

// C(i,j) = sum_k Chr_i(j,k) v_k where v = qdot                               (4.39)
static void
coriolis_matrix_is_made_of_christoffel_symbols(void ** context)
{
  (void)context;
  const tree_options_t options = one_dof_trees();
  FOR_TREES(TREES, &options)
  {
    const int nv = t->model->nv;
    const mat_t C = coriolis(t);
    mat_t * slope = mass_gradient(t);
    mat_t expected = mat(nv, nv);
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j < nv; j++) {
        for (int k = 0; k < nv; k++) {
          *at(expected, i, j) += christoffel(slope, i, j, k) * t->v[k];
        }
      }
    }
    assert_mat_floor(C, expected, 1e-7, 1, "seed %lu", seed);
    free(slope);
  }
}

// M_D = grad_q (M v): C v = (M_D - 1/2 M_D^T) v, Mdot v = M_D v     (4.28) to (4.32)
static void
bias_from_the_gradient_of_momentum(void ** context)
{
  (void)context;
  const tree_options_t options = one_dof_trees();
  FOR_TREES(TREES, &options)
  {
    const int nv = t->model->nv;
    const mat_t v = column(nv, t->v), x = column(nv, t->tau), C = coriolis(t);
    mat_t * slope = mass_gradient(t);
    mat_t MD = mat(nv, nv), MDx = mat(nv, nv), dKe = mat(nv, 1);
    for (int j = 0; j < nv; j++) {
      set_block(MD, 0, j, PROD(slope[j], v));
      set_block(MDx, 0, j, PROD(slope[j], x));
      dKe.a[j] = 0.5 * scalar(PROD(tr(v), slope[j], v));
    }
    const mat_t rate = mass_rate(t);
    assert_mat_floor(
      PROD(C, v), PROD(sub(MD, scale(0.5, tr(MD))), v), 1e-6, 1, "C v, seed %lu", seed);
    assert_mat_floor(PROD(rate, v), PROD(MD, v), 1e-6, 1, "Mdot v, seed %lu", seed);
    assert_mat_floor(PROD(rate, x), PROD(MDx, v), 1e-6, 1, "Mdot x, seed %lu", seed);
    assert_mat_floor(scale(2, dKe), PROD(tr(MD), v), 1e-6, 1, "dKe/dq, seed %lu", seed);
    free(slope);
  }
}

// symmetries, and those that a tree adds                          (4.36) to (4.38), (4.41)
static void
symmetries_of_christoffel_symbols(void ** context)
{
  (void)context;
  const tree_options_t options = one_dof_trees();
  FOR_TREES(TREES, &options)
  {
    const int nv = t->model->nv;
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    mat_t * slope = mass_gradient(t);
    double size = 1;
    for (int k = 0; k < nv; k++) size = fmax(size, largest_entry(slope[k]));
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j < nv; j++) {
        for (int k = 0; k < nv; k++) {
          const double c = christoffel(slope, i, j, k);
          assert_near(c, christoffel(slope, i, k, j), 1e-13 * size, "symmetry, %lu", seed);
          const double sum = christoffel(slope, j, i, k) + christoffel(slope, k, j, i);
          assert_near(*at(slope[i], k, j), sum, 1e-7 * size, "dM/dq, seed %lu", seed);
          // a hinge turns everything beyond it as one
          if (j > i || j > k) continue;
          assert_near(c, -christoffel(slope, k, j, i), 1e-7 * size, "tree, seed %lu", seed);
          assert_near(christoffel(slope, i, j, i), 0, 1e-7 * size, "tree, seed %lu", seed);
        }
      }
    }
    free(slope);
  }
}

//---------- behaviour ----------

static void
stages_and_arguments(void ** context)
{
  (void)context;
  tree_t *t = random_tree(11, NULL), *other = random_tree(12, NULL);
  mat_t C = mat(t->model->nv, t->model->nv);
  assert_status(mbd_coriolis_matrix(t->model, t->data, C.a), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(t->model, t->data, t->q));
  assert_status(mbd_coriolis_matrix(t->model, t->data, C.a), MBD_ERROR_STAGE);
  set_state(t);
  assert_status(mbd_coriolis_matrix(t->model, t->data, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_coriolis_matrix(NULL, t->data, C.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_coriolis_matrix(t->model, NULL, C.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_coriolis_matrix(other->model, t->data, C.a), MBD_ERROR_MODEL_MISMATCH);
  tree_free(other);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(coriolis_matrix_gives_the_bias),
    cmocka_unit_test(rate_of_mass_minus_twice_coriolis_is_skew),
    cmocka_unit_test(coriolis_matrix_is_linear_in_velocity),
    cmocka_unit_test(coriolis_matrix_is_made_of_christoffel_symbols),
    cmocka_unit_test(bias_from_the_gradient_of_momentum),
    cmocka_unit_test(symmetries_of_christoffel_symbols),
    cmocka_unit_test(stages_and_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
