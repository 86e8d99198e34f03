// Mixed dynamics: half of the accelerations and half of the torques given.
#include "mbdyn/dynamics/hybrid.h"

#include <string.h>

#include "by_hand.h"

enum { BODIES_MOST = 64 };

// a pattern of the robot's own: `kind` 0 all passive, 1 all active, else drawn from the seed
static void
pattern(const tree_t * t, uint64_t seed, int kind, bool * active)
{
  uint64_t state = 977 * seed + (uint64_t)kind;
  assert_true(t->model->nbody <= BODIES_MOST);
  for (int i = 0; i < t->model->nbody; i++) {
    active[i] = kind < 2 ? kind == 1 : random_signed(&state) > 0;
  }
}

static bool
is_active(const tree_t * t, const bool * active, int dof)
{
  return active[t->model->dof_body[dof]];
}

//---------- the equation of motion ----------

// inverse dynamics says which torques go with an acceleration: each half gives the other back
static void
halves_complete_each_other(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    bool active[BODIES_MOST];
    for (int kind = 0; kind < 5; kind++) {
      pattern(t, seed, kind, active);
      const uint32_t terms = (uint32_t)(seed % 4);
      mat_t tau = mat(m->nv, 1), qdd = mat(m->nv, 1), torque = mat(m->nv, 1);
      assert_ok(mbd_set_terms(t->data, terms));
      assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, t->qdd, &t->f_ext, tau.a));
      for (int k = 0; k < m->nv; k++) {
        const bool given = is_active(t, active, k);
        qdd.a[k] = given ? t->qdd[k] : (double)NAN;
        torque.a[k] = given ? (double)NAN : tau.a[k];
      }
      assert_ok(mbd_hybrid_dynamics(m, t->data, t->q, t->v, active, &t->f_ext, qdd.a, torque.a));
      assert_mat_floor(qdd, column(m->nv, t->qdd), 1e-8, 1, "qdd, kind %d, %lu", kind, seed);
      assert_mat_floor(torque, tau, 1e-8, 1, "torque, kind %d, %lu", kind, seed);
    }
  }
}

// forces through the joints are those of inverse dynamics, and accelerations those of the frames
static void
leaves_forces_and_accelerations(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    bool active[BODIES_MOST];
    pattern(t, seed, 2, active);
    mat_t tau = mat(m->nv, 1), qdd = column(m->nv, t->qdd);
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, t->qdd, &t->f_ext, tau.a));
    mat_t expected = mat(6 * m->nbody, 1), found = mat(6 * m->nbody, 1);
    for (int pass = 0; pass < 2; pass++) {
      if (pass == 1)
        assert_ok(mbd_hybrid_dynamics(m, t->data, NULL, NULL, active, &t->f_ext, qdd.a, tau.a));
      for (int i = 0; i < m->nbody; i++) {
        mbd_force_t f;
        assert_ok(mbd_joint_force(m, t->data, i, &f));
        set_block(pass ? found : expected, 6 * i, 0, force6(f));
      }
    }
    assert_mat_floor(found, expected, 1e-8, 1, "seed %lu", seed);
  }
}

// the articulated stage of forward dynamics is not taken from the mixed inertias
static void
forward_dynamics_is_not_disturbed(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    bool active[BODIES_MOST];
    pattern(t, seed, 3, active);
    mat_t before = mat(m->nv, m->nv), after = mat(m->nv, m->nv), J_D = mat(m->nv, m->nv);
    set_state(t);
    assert_ok(mbd_mass_matrix_inverse(m, t->data, before.a));
    assert_ok(mbd_disturbance_jacobian(m, t->data, active, J_D.a));
    assert_ok(mbd_mass_matrix_inverse(m, t->data, after.a));
    assert_mat(after, before, 0, "seed %lu", seed);
  }
}

//---------- Jacobians ----------

// J_D = -M_pp^-1 M_pa and J_G = J_a + J_p J_D by dense matrices          lemmas 16.3, 16.4
static void
jacobians_are_those_of_the_blocks(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    bool active[BODIES_MOST];
    pattern(t, seed, 2 + (int)(seed % 3), active);
    state_at(t, 0);
    // M with the active rows and columns replaced by those of one: its inverse has M_pp^-1
    const mat_t M = mass_with(&d, 0);
    mat_t passive = eye(m->nv), across = mat(m->nv, m->nv), J_D = mat(m->nv, m->nv);
    for (int i = 0; i < m->nv; i++) {
      for (int j = 0; j < m->nv; j++) {
        if (is_active(t, active, i)) continue;
        *at(is_active(t, active, j) ? across : passive, i, j) = *at(M, i, j);
      }
    }
    const mat_t expected = scale(-1, PROD(inverse(passive), across));
    assert_ok(mbd_disturbance_jacobian(m, t->data, active, J_D.a));
    assert_mat_floor(J_D, expected, 1e-8, 1, "J_D, seed %lu", seed);

    mat_t pick = mat(m->nv, m->nv);
    for (int k = 0; k < m->nv; k++) *at(pick, k, k) = is_active(t, active, k);
    for (int f = 0; f < m->nframe; f++) {
      const mbd_reference_t reference = (mbd_reference_t)(f % 3);
      mat_t J_G = mat(6, m->nv);
      assert_ok(mbd_generalized_jacobian(m, t->data, active, f, reference, J_G.a));
      const mat_t J = dense_jacobian(&d, f, reference);
      assert_mat_floor(J_G, PROD(J, SUM(pick, expected)), 1e-8, 1, "frame %d, %lu", f, seed);
    }
  }
}

// a free-flying base that nothing pushes keeps its momentum: its row of M v does not change
static void
a_free_base_keeps_its_momentum(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.floating_base = true;
  options.forest = false;
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    bool active[BODIES_MOST];
    for (int i = 0; i < m->nbody; i++) active[i] = i > 0;
    mat_t J_D = mat(m->nv, m->nv), pick = mat(m->nv, m->nv);
    state_at(t, 0);
    assert_ok(mbd_disturbance_jacobian(m, t->data, active, J_D.a));
    for (int k = 0; k < m->nv; k++) *at(pick, k, k) = is_active(t, active, k);
    const dense_t d = dense_of(t);
    const mat_t momentum = PROD(mass_with(&d, 0), SUM(pick, J_D));
    const double size = largest_entry(mass_with(&d, 0)) * fmax(1, largest_entry(J_D));
    assert_mat_floor(block(momentum, 0, 0, 6, m->nv), mat(6, m->nv), 1e-9, size, "%lu", seed);
  }
}

//---------- control ----------

// of the body with most degrees of freedom between it and the world
static int
farthest_frame(const mbd_model_t * m)
{
  int frame = 0, most = 0;
  for (int i = 0; i < m->nbody; i++) {
    int dofs = 0;
    for (int k = i; k >= 0; k = m->body[k].parent) dofs += m->body[k].nv;
    if (dofs > most) most = dofs, frame = m->body[i].link_frame;
  }
  return frame;
}

// the frame gets the acceleration where the active joints can give it, and the torques are those
// of inverse dynamics
static void
control_gives_the_wanted_acceleration(void ** context)
{
  (void)context;
  tally_t passive = {0};
  // joints enough before the last body
  tree_options_t options = tree_options_default();
  options.min_bodies = 8;
  tally_t reached = {0};
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    bool active[BODIES_MOST];
    pattern(t, seed, 2, active);
    uint64_t state = seed;
    const mbd_motion_t wanted = random_motion(&state);
    const int frame = farthest_frame(m);
    mat_t qdd = mat(m->nv, 1), tau = column(m->nv, t->tau), again = mat(m->nv, 1);
    int rank = -1;
    assert_ok(mbd_hybrid_control(
      m, t->data, t->q, t->v, active, frame, MBD_LOCAL_WORLD_ALIGNED, wanted, qdd.a, tau.a, &rank));
    assert_true(rank >= 0 && rank <= 6);
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, qdd.a, NULL, again.a));
    const double size = fmax(1, largest_entry(qdd));
    assert_mat_floor(tau, again, 1e-7, size, "torque, seed %lu", seed);
    for (int k = 0; k < m->nv; k++) {
      if (tally(&passive, !is_active(t, active, k))) assert_true(tau.a[k] == t->tau[k]);
    }
    if (!tally(&reached, rank == 6 && size <= 1e3)) continue;
    mbd_motion_t A;
    assert_ok(mbd_set_acceleration(m, t->data, qdd.a));
    assert_ok(mbd_frame_acceleration(m, t->data, frame, MBD_LOCAL_WORLD_ALIGNED, &A));
    assert_mat_floor(motion6(A), motion6(wanted), 1e-7, 1, "frame, seed %lu", seed);
  }
  assert_enough(&reached, 0.25);
  assert_enough(&passive, 0.3);
}

//---------- refusals ----------

static void
bad_input_is_refused_and_nothing_written(void ** context)
{
  (void)context;
  tree_t * t = random_tree(7, NULL);
  const mbd_model_t * m = t->model;
  bool active[BODIES_MOST];
  pattern(t, 7, 2, active);
  mat_t qdd = column(m->nv, t->qdd), tau = column(m->nv, t->tau), J = mat(m->nv, m->nv);
  assert_status(
    mbd_hybrid_dynamics(m, t->data, NULL, NULL, active, NULL, qdd.a, tau.a), MBD_ERROR_STAGE);
  assert_status(mbd_disturbance_jacobian(m, t->data, active, J.a), MBD_ERROR_STAGE);
  assert_status(
    mbd_hybrid_dynamics(m, t->data, t->q, t->v, NULL, NULL, qdd.a, tau.a), MBD_ERROR_NULL_ARGUMENT);
  for (int k = 0; k < m->nv; k++) {
    double * given = is_active(t, active, k) ? qdd.a + k : tau.a + k;
    const double was = *given;
    *given = (double)NAN;
    assert_status(
      mbd_hybrid_dynamics(m, t->data, t->q, t->v, active, NULL, qdd.a, tau.a),
      MBD_ERROR_NOT_FINITE);
    *given = was;
  }
  assert_mat(qdd, column(m->nv, t->qdd), 0, "accelerations");
  assert_mat(tau, column(m->nv, t->tau), 0, "torques");
  assert_status(
    mbd_generalized_jacobian(m, t->data, active, m->nframe, MBD_LOCAL, J.a),
    MBD_ERROR_BAD_ARGUMENT);
  tree_free(t);
  mats_free();
}

// a hinge that moves nothing can be driven, but not let go
static void
a_massless_subtree_must_be_active(void ** context)
{
  (void)context;
  mbd_model_t * model = needle_by_hand();
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  const double zero[8] = {0};
  double qdd[8] = {0}, tau[8] = {0};
  bool active[8] = {false};
  assert_status(
    mbd_hybrid_dynamics(model, data, zero, zero, active, NULL, qdd, tau),
    MBD_ERROR_MASSLESS_SUBTREE);
  assert_true(data->error_body >= 0);
  active[data->error_body] = true;
  assert_ok(mbd_hybrid_dynamics(model, data, zero, zero, active, NULL, qdd, tau));
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(halves_complete_each_other),
    cmocka_unit_test(leaves_forces_and_accelerations),
    cmocka_unit_test(forward_dynamics_is_not_disturbed),
    cmocka_unit_test(jacobians_are_those_of_the_blocks),
    cmocka_unit_test(a_free_base_keeps_its_momentum),
    cmocka_unit_test(control_gives_the_wanted_acceleration),
    cmocka_unit_test(bad_input_is_refused_and_nothing_written),
    cmocka_unit_test(a_massless_subtree_must_be_active),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
