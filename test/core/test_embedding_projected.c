// Forward dynamics of small embedded models, by the projected mass matrix of the tree with q and v given:
// against the SKO engine (inverse of M), the dense saddle system, and stages set one by one.
#include <math.h>

#include "loops.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/dynamics/momentum.h"

enum { ROBOTS = 150, WRENCHES = 2 };

static mat_t
random_column(int n, uint64_t seed)
{
  mat_t x = mat(n, 1);
  uint64_t state = seed * 31 + 5;
  for (int k = 0; k < n; k++) x.a[k] = random_signed(&state);
  return x;
}

static double
size_of(mat_t A)
{
  return fmax(1, largest_entry(A));
}

static mbd_wrenches_t
random_wrenches(const closed_t * c, uint64_t seed, mbd_wrench_t * w)
{
  uint64_t state = seed + 9;
  for (int k = 0; k < WRENCHES; k++) {
    w[k] = (mbd_wrench_t){0};
    w[k].frame = c->t->link[random_below(&state, c->t->nlink)].frame;
    w[k].f.ang = random_vec3(&state, 1);
    w[k].f.lin = random_vec3(&state, 3);
  }
  return (mbd_wrenches_t){WRENCHES, w};
}

// qdd = M^-1 (tau - h), M^-1 by the SKO engine and h by inverse dynamics; M M^-1 = 1
static void
agrees_with_the_sko_engine(void ** context)
{
  (void)context;
  int compared = 0;
  FOR_SEEDS(ROBOTS)
  {
    closed_t c = closed_tree(seed, NULL, 1 + (int)(seed % 4), (int)(seed / 4 % 3));
    if (embed(&c, NULL, 0) && c.model->nv > 0) {
      const int nv = c.model->nv;
      mbd_wrench_t w[WRENCHES];
      const mbd_wrenches_t f = random_wrenches(&c, seed, w);
      const mat_t tau = random_column(nv, seed);
      mat_t qdd = mat(nv, 1), h = mat(nv, 1), M = mat(nv, nv), M_inv = mat(nv, nv);
      assert_ok(mbd_set_terms(c.data, seed % 2 ? MBD_TERM_ROTORS | MBD_TERM_FRICTION : 0));
      assert_ok(mbd_forward_dynamics(c.model, c.data, c.t->q, c.v.a, tau.a, &f, qdd.a));
      assert_ok(mbd_inverse_dynamics(c.model, c.data, NULL, NULL, NULL, &f, h.a));
      assert_ok(mbd_mass_matrix(c.model, c.data, M.a));
      assert_ok(mbd_mass_matrix_inverse(c.model, c.data, M_inv.a));
      const double size = size_of(M_inv) * fmax(size_of(tau), size_of(h));
      assert_mat_floor(qdd, PROD(M_inv, sub(tau, h)), 1e-9, size, "qdd, %lu", seed);
      mat_t one = mat(nv, nv);
      for (int k = 0; k < nv; k++) *at(one, k, k) = 1;
      assert_mat_floor(PROD(M, M_inv), one, 1e-9, size_of(M) * size_of(M_inv), "M, %lu", seed);
      compared++;
    }
    closed_free(&c);
  }
  assert_count(compared, 100);
}

// accelerations of all joints are those of the tree with multipliers
static void
agrees_with_the_saddle_system(void ** context)
{
  (void)context;
  int compared = 0;
  FOR_SEEDS(ROBOTS)
  {
    closed_t c = closed_tree(seed, NULL, 1 + (int)(seed % 3), (int)(seed % 2));
    if (embed(&c, NULL, 0) && c.model->nv > 0) {
      const mbd_model_t * tree = c.tree;
      const mat_t tau = random_column(c.model->nv, seed);
      mat_t qdd = mat(c.model->nv, 1), all = mat(tree->nv, 1), tau_tree = mat(tree->nv, 1);
      assert_ok(mbd_forward_dynamics(c.model, c.data, c.t->q, c.v.a, tau.a, NULL, qdd.a));
      assert_ok(mbd_tree_acceleration(c.model, c.data, qdd.a, all.a));
      assert_ok(mbd_tree_velocity(c.model, c.data, NULL, c.v_tree.a));
      assert_ok(mbd_tree_torque(c.model, tau.a, tau_tree.a));
      const dense_t d = dense_at(tree, NULL, c.data->q, c.v_tree.a, tree->gravity);
      mat_t G = mat(tree->nrow, tree->nv), gamma = mat(tree->nrow, 1), expected, lambda;
      assert_ok(mbd_set_position(tree, c.on, c.data->q));
      assert_ok(mbd_set_velocity(tree, c.on, c.v_tree.a));
      assert_ok(mbd_closure_jacobian(tree, c.on, G.a));
      assert_ok(mbd_closure_bias(tree, c.on, 0, gamma.a));
      double condition;
      assert_ok(mbd_embedding_condition(c.model, c.data, &condition, NULL));
      if (condition < 1e3) {
        kkt(dense_mass(&d), G, gamma, sub(tau_tree, dense_bias(&d)), &expected, &lambda);
        assert_mat_floor(all, expected, 1e-8, size_of(expected), "qdd, %lu", seed);
        compared++;
      }
    }
    closed_free(&c);
  }
  assert_count(compared, 100);
}

// what is deferred is what the stages set one by one are
static void
deferred_stages_are_the_same(void ** context)
{
  (void)context;
  int compared = 0;
  FOR_SEEDS(ROBOTS)
  {
    closed_t c = closed_tree(seed, NULL, 1 + (int)(seed % 4), (int)(seed / 4 % 3));
    if (embed(&c, NULL, 0) && c.model->nv > 0) {
      const mat_t tau = random_column(c.model->nv, seed);
      const int frame = c.t->link[c.t->nlink - 1].frame;
      mat_t qdd = mat(c.model->nv, 1), again = mat(c.model->nv, 1);
      mbd_motion_t A, B;
      double first, second;
      if (seed % 2) {
        assert_ok(mbd_forward_dynamics(c.model, c.data, c.t->q, c.v.a, tau.a, NULL, qdd.a));
      } else {
        memcpy(qdd.a, tau.a, (size_t)c.model->nv * sizeof *qdd.a);
        assert_ok(mbd_inverse_dynamics(c.model, c.data, c.t->q, c.v.a, tau.a, NULL, again.a));
      }
      assert_ok(mbd_frame_acceleration(c.model, c.data, frame, MBD_LOCAL, &A));
      assert_ok(mbd_kinetic_energy(c.model, c.data, &first));
      assert_ok(mbd_set_position(c.model, c.data, c.t->q));
      assert_ok(mbd_set_velocity(c.model, c.data, c.v.a));
      assert_ok(mbd_set_acceleration(c.model, c.data, qdd.a));
      assert_ok(mbd_frame_acceleration(c.model, c.data, frame, MBD_LOCAL, &B));
      assert_ok(mbd_kinetic_energy(c.model, c.data, &second));
      const mbd_motion_t d = mbdu_motion_sub(A, B);
      const double size = 1 + mbdu_vec3_norm(B.ang) + mbdu_vec3_norm(B.lin);
      assert_true(mbdu_vec3_norm(d.ang) + mbdu_vec3_norm(d.lin) < 1e-9 * size);
      assert_true(fabs(first - second) <= 1e-12 * (1 + second));
      // dynamics of the stages that are up to date
      if (seed % 2) {
        assert_ok(mbd_forward_dynamics(c.model, c.data, NULL, NULL, tau.a, NULL, again.a));
        assert_mat_floor(again, qdd, 1e-12, size_of(qdd), "qdd again, %lu", seed);
      }
      compared++;
    }
    closed_free(&c);
  }
  assert_count(compared, 100);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(agrees_with_the_sko_engine),
    cmocka_unit_test(agrees_with_the_saddle_system),
    cmocka_unit_test(deferred_stages_are_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
