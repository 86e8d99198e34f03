// The kernels of the one-call forms, on robots whose joints they know, against the
// dense oracle; and what calls leave for later.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/operators/factors.h"
#include "model/engine.h"
#include "simd/instruction_sets.h"
#include "simd/kernels.h"
#include "state/state.h"

static mat_t
mass_of(const dense_t * d, const tree_t * t)
{
  mat_t M = dense_mass(d);
  const mat_t rotors = dense_rotors(t->model);
  for (int k = 0; k < t->model->nv && t->data->terms & MBD_TERM_ROTORS; k++) {
    *at(M, k, k) += rotors.c == 1 ? *at(rotors, k, 0) : *at(rotors, k, k);
  }
  return M;
}

//---------- one state ----------

static void
inverse_dynamics(void ** context)
{
  (void)context;
  FOR_PLAIN_TREES
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    const mat_t qdd = column(m->nv, t->qdd), zero = mat(m->nv, 1);
    mat_t x = mat(m->nv, 1);
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, t->qdd, NULL, x.a));
    assert_mat(x, dense_inverse_dynamics(&d, qdd, NULL), 1e-11, "torques, seed %lu", seed);
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, NULL, NULL, x.a));
    assert_mat(x, dense_inverse_dynamics(&d, zero, NULL), 1e-11, "at rest, seed %lu", seed);
    assert_ok(mbd_bias(m, t->data, x.a));
    assert_mat(x, dense_bias(&d), 1e-11, "bias, seed %lu", seed);
    assert_ok(mbd_gravity(m, t->data, x.a));
    assert_mat(x, dense_gravity(&d), 1e-11, "gravity, seed %lu", seed);
  }
}

// sines are kept from one result to the next, but not from one state to another
static void
results_of_another_state(void ** context)
{
  (void)context;
  FOR_PLAIN_TREES
  {
    const mbd_model_t * m = t->model;
    for (int way = 0; way < 3; way++) {
      mat_t x = mat(m->nv, 1), M = mat(m->nv, m->nv);
      assert_ok(mbd_set_state(m, t->data, t->q, t->v));
      assert_ok(mbd_gravity(m, t->data, x.a));
      assert_ok(mbd_random_configuration(m, 3 * seed + (uint64_t)way, t->q));
      const dense_t d = dense_of(t);
      if (way == 0) {
        assert_ok(mbd_set_state(m, t->data, t->q, t->v));
      } else if (way == 1) {
        assert_ok(mbd_set_position(m, t->data, t->q));
        assert_ok(mbd_set_velocity(m, t->data, t->v));
      } else {
        assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, NULL, NULL, x.a));
      }
      assert_ok(mbd_bias(m, t->data, x.a));
      assert_mat(x, dense_bias(&d), 1e-11, "bias, way %d, seed %lu", way, seed);
      assert_ok(mbd_gravity(m, t->data, x.a));
      assert_mat(x, dense_gravity(&d), 1e-11, "gravity, way %d, seed %lu", way, seed);
      assert_ok(mbd_mass_matrix(m, t->data, M.a));
      assert_mat(M, mass_of(&d, t), 1e-11, "M, way %d, seed %lu", way, seed);
    }
  }
}

static void
mass_matrix_and_forward_dynamics(void ** context)
{
  (void)context;
  FOR_PLAIN_TREES
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    for (uint32_t terms = 0; terms <= MBD_TERM_ROTORS; terms += MBD_TERM_ROTORS) {
      mat_t M = mat(m->nv, m->nv), M_inv = mat(m->nv, m->nv), qdd = mat(m->nv, 1);
      assert_ok(mbd_set_terms(t->data, terms));
      assert_ok(mbd_set_state(m, t->data, t->q, NULL));
      assert_ok(mbd_mass_matrix(m, t->data, M.a));
      assert_mat(M, mass_of(&d, t), 1e-11, "M, terms %u, seed %lu", (unsigned)terms, seed);
      assert_ok(mbd_mass_matrix_inverse(m, t->data, M_inv.a));
      assert_mat(PROD(M_inv, mass_of(&d, t)), eye(m->nv), 1e-8, "M^-1, seed %lu", seed);
      assert_mat(M_inv, tr(M_inv), 0, "M^-1 is symmetric, seed %lu", seed);
      assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, NULL, qdd.a));
      const mat_t rest = sub(column(m->nv, t->tau), dense_bias(&d));
      assert_mat_floor(
        PROD(mass_of(&d, t), qdd), rest, 1e-9, fmax(1, largest_entry(rest)), "qdd, %lu", seed);
    }
  }
}

// Beyond PLAN_LISTED degrees of freedom the matrix is written without a list of blocks: column by
// column against inverse dynamics, each element on the scale of its row and column.
static void
check_matrix(tree_t * t)
{
  const mbd_model_t * m = t->model;
  const size_t nv = (size_t)m->nv;
  mat_t M = mat(m->nv, m->nv), column = mat(m->nv, 1), unit = mat(m->nv, 1), zero = mat(m->nv, 1);
  mat_t expected = mat(m->nv, m->nv);
  const mbd_vec3_t nothing = {0, 0, 0};
  assert_ok(mbd_set_gravity(t->data, nothing));
  memset(M.a, 0xff, nv * nv * sizeof *M.a);
  assert_ok(mbd_set_state(m, t->data, t->q, NULL));
  assert_ok(mbd_mass_matrix(m, t->data, M.a));
  for (size_t k = 0; k < nv; k++) {
    memset(unit.a, 0, nv * sizeof *unit.a);
    unit.a[k] = 1;
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, zero.a, unit.a, NULL, column.a));
    for (size_t j = 0; j < nv; j++) expected.a[j * nv + k] = column.a[j];
  }
  for (size_t j = 0; j < nv; j++) {
    for (size_t k = 0; k < nv; k++) {
      const double scale = sqrt(expected.a[j * nv + j] * expected.a[k * nv + k]);
      assert_true(fabs(M.a[j * nv + k] - expected.a[j * nv + k]) <= 1e-11 * scale);
      assert_true(M.a[j * nv + k] == M.a[k * nv + j]);
      const int low = m->dof_body[j < k ? j : k], high = m->dof_body[j < k ? k : j];
      if (high >= m->body[low].subtree_end) assert_true(M.a[j * nv + k] == 0);
    }
  }
  mats_free();
  tree_free(t);
}

static void
large_mass_matrices(void ** context)
{
  (void)context;
  for (int n = 257; n < 262; n++) check_matrix(chain(n, 3));
  FOR_SEEDS(8)
  {
    tree_options_t options = plain_trees();
    options.min_bodies = options.max_bodies = 270;
    options.forest = seed % 2;
    options.floating_base = seed % 4 < 2;
    tree_t * t = random_tree(seed, &options);
    assert_true(t->model->nv > 256);
    check_matrix(t);
  }
}

// deep trees up to 256 degrees of freedom: chains of revolute and of all joints, and with side branches
static void
deep_mass_matrices(void ** context)
{
  (void)context;
  for (int n = 17; n < 29; n++) {
    check_matrix(chain(n, (uint64_t)n));
    check_matrix(branched_chain(n, (uint64_t)n));
  }
  check_matrix(branched_chain(180, 5));
  FOR_SEEDS(8)
  {
    check_matrix(chain_of_all_joints(30, seed));
  }
}

// a state and one result: all joint types, so that models without kernels do the same
static void
a_state_and_one_result(void ** context)
{
  (void)context;
  const tree_options_t options[2] = {plain_trees(), tree_options_default()};
  for (int kind = 0; kind < 2; kind++) {
    FOR_TREES(TREES / 2, &options[kind])
    {
      const mbd_model_t * m = t->model;
      const dense_t d = dense_of(t);
      const int frame = (int)(seed % (uint64_t)m->nframe);
      const mbd_reference_t reference = (mbd_reference_t)(seed % 3);
      mat_t x = mat(m->nv, 1), J = mat(6, m->nv);
      mbd_motion_t one, staged;
      mbd_force_t momentum, expected;
      assert_ok(mbd_set_state(m, t->data, t->q, t->v));
      assert_ok(mbd_gravity(m, t->data, x.a));
      assert_mat(x, dense_gravity(&d), 1e-11, "gravity, seed %lu", seed);
      assert_ok(mbd_bias(m, t->data, x.a));
      assert_mat(x, dense_bias(&d), 1e-11, "bias, seed %lu", seed);
      assert_ok(mbd_set_state(m, t->data, t->q, t->v));
      assert_ok(mbd_jacobian(m, t->data, frame, reference, J.a));
      assert_mat_floor(
        J, dense_jacobian(&d, frame, reference), 1e-12, 1, "J %d, seed %lu", frame, seed);
      assert_ok(mbd_jacobian_bias(m, t->data, frame, reference, &one));
      assert_ok(mbd_centroidal_momentum(m, t->data, &momentum));
      // the stages come when they are asked for, and give the same
      set_state(t);
      assert_ok(mbd_jacobian_bias(m, t->data, frame, reference, &staged));
      assert_ok(mbd_centroidal_momentum(m, t->data, &expected));
      assert_mat_floor(motion6(one), motion6(staged), 1e-11, 1, "Jdot v, seed %lu", seed);
      assert_mat_floor(force6(momentum), force6(expected), 1e-11, 1, "momentum, seed %lu", seed);
    }
  }
}

// kinetic energy against v^T M v / 2 of the dense mass matrix, potential energy against the sum over the
// placements of the bodies
static void
energies(void ** context)
{
  (void)context;
  int compared = 0;
  const tree_options_t options[2] = {plain_trees(), tree_options_default()};
  for (int kind = 0; kind < 2; kind++) {
    FOR_TREES(TREES / 2, &options[kind])
    {
      const mbd_model_t * m = t->model;
      const dense_t d = dense_of(t);
      const mat_t v = column(m->nv, t->v);
      double kinetic, potential, sum = 0;
      assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_ROTORS : 0));
      const double expected = 0.5 * scalar(PROD(tr(v), mass_of(&d, t), v));
      assert_ok(mbd_set_state(m, t->data, t->q, t->v));
      assert_ok(mbd_potential_energy(m, t->data, &potential));
      assert_ok(mbd_kinetic_energy(m, t->data, &kinetic));
      assert_near(kinetic, expected, 1e-12 * fmax(1, expected), "kinetic energy, seed %lu", seed);
      assert_ok(mbd_complete_stages(m, t->data));
      double size = 1;
      for (int i = 0; i < m->nbody; i++) {
        const mbd_inertia_t * M = &t->data->inertia[i];
        const mbd_placement_t * X = &t->data->X_world[i];
        const mbd_vec3_t h =
          mbdu_vec3_add(mbdu_vec3_scale(M->mass, X->p), mbdu_mat3_vec(&X->R, M->h));
        sum -= mbdu_vec3_dot(m->gravity, h);
        size += fabs(mbdu_vec3_dot(m->gravity, h));
      }
      assert_near(potential, sum, 1e-13 * size, "potential energy, seed %lu", seed);
      compared += 2;
    }
  }
  assert_count(compared, 2 * TREES);
}

// what the observer keeps of a state: M v, and tau + C^T v - g - friction
static void
momentum_of_the_joints(void ** context)
{
  (void)context;
  const tree_options_t options[2] = {plain_trees(), tree_options_default()};
  for (int kind = 0; kind < 2; kind++) {
    FOR_TREES(TREES / 2, &options[kind])
    {
      const mbd_model_t * m = t->model;
      const dense_t d = dense_of(t);
      assert_ok(mbd_set_terms(t->data, MBD_TERM_ROTORS | MBD_TERM_FRICTION));
      const mat_t M = mass_of(&d, t);
      mbd_observer_t * observer;
      mat_t rate = mat(m->nv, 1), x = mat(m->nv, 1);
      assert_ok(mbd_observer_create(m, NULL, &observer));
      set_state(t);
      assert_ok(mbd_momentum_rate(m, t->data, t->tau, NULL, rate.a));
      assert_ok(mbd_set_state(m, t->data, t->q, t->v));
      assert_ok(mbd_observer_update(observer, t->data, t->tau, 1e-3));
      const mat_t p = column(m->nv, observer->p), beta = column(m->nv, observer->beta);
      assert_mat_floor(p, PROD(M, column(m->nv, t->v)), 1e-11, 1, "M v, seed %lu", seed);
      assert_mat_floor(beta, rate, 1e-11, 1, "rate, seed %lu", seed);
      assert_ok(mbd_set_state(m, t->data, t->q, NULL));
      assert_int_equal(mbd_observer_update(observer, t->data, t->tau, 1e-3), MBD_ERROR_STAGE);
      assert_ok(mbd_mass_product(m, t->data, t->qdd, x.a));
      assert_mat_floor(x, PROD(M, column(m->nv, t->qdd)), 1e-11, 1, "M x, seed %lu", seed);
      mbd_observer_destroy(observer);
    }
  }
}

static void
a_state_and_its_errors(void ** context)
{
  (void)context;
  tree_t * t = chain(5, 2);
  const mbd_model_t * m = t->model;
  double x[5], J[30];
  mbd_motion_t V;
  mbd_force_t h;
  assert_int_equal(mbd_set_state(NULL, t->data, t->q, t->v), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_set_state(m, NULL, t->q, t->v), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_set_state(m, t->data, NULL, t->v), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_jacobian(m, t->data, 0, MBD_LOCAL, J), MBD_ERROR_STAGE);
  // a configuration alone
  assert_ok(mbd_set_state(m, t->data, t->q, NULL));
  assert_ok(mbd_gravity(m, t->data, x));
  assert_ok(mbd_jacobian(m, t->data, 0, MBD_LOCAL, J));
  assert_int_equal(mbd_jacobian(m, t->data, m->nframe, MBD_LOCAL, J), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_jacobian(m, t->data, 0, MBD_LOCAL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_bias(m, t->data, x), MBD_ERROR_STAGE);
  assert_int_equal(mbd_jacobian_bias(m, t->data, 0, MBD_LOCAL, &V), MBD_ERROR_STAGE);
  assert_int_equal(mbd_centroidal_momentum(m, t->data, &h), MBD_ERROR_STAGE);
  // a bad one is refused
  assert_ok(mbd_set_state(m, t->data, t->q, t->v));
  t->v[3] = HUGE_VAL;
  assert_int_equal(mbd_set_state(m, t->data, t->q, t->v), MBD_ERROR_NOT_FINITE);
  t->v[3] = 1, t->q[4] = nan("");
  assert_int_equal(mbd_set_state(m, t->data, t->q, t->v), MBD_ERROR_NOT_FINITE);
  tree_free(t);
}

// forces through all joints are those of the dense operators
static void
assert_joint_forces(const tree_t * t, mat_t qdd, uint64_t seed)
{
  const mbd_model_t * m = t->model;
  const dense_t d = dense_of(t);
  const mat_t f = dense_force(&d, qdd, NULL);
  for (int i = 0; i < m->nbody; i++) {
    mbd_force_t found;
    assert_ok(mbd_joint_force(m, t->data, i, &found));
    const mat_t phi = phi6(inverse4(placement4(&m->frame[m->body[i].link_frame].X)));
    assert_mat_floor(
      force6(found), PROD(phi, block(f, 6 * i, 0, 6, 1)), 1e-11, 10, "joint %d, seed %lu", i, seed);
  }
}

// every stage that a one-call form left is there when it is asked for
static void
stages_for_later(void ** context)
{
  (void)context;
  FOR_PLAIN_TREES
  {
    const mbd_model_t * m = t->model;
    const int frame = m->nframe - 1;
    double tau[128];
    mbd_motion_t A, expected;
    mbd_data_t * other;
    assert_true(m->nv <= 128);
    assert_ok(mbd_data_create(m, &other));
    assert_ok(mbd_set_position(m, other, t->q));
    assert_ok(mbd_set_velocity(m, other, t->v));
    assert_ok(mbd_set_acceleration(m, other, t->qdd));
    assert_ok(mbd_frame_acceleration(m, other, frame, MBD_LOCAL, &expected));
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, t->qdd, NULL, tau));
    assert_ok(mbd_frame_acceleration(m, t->data, frame, MBD_LOCAL, &A));
    assert_mat(motion6(A), motion6(expected), 1e-12, "acceleration, seed %lu", seed);
    assert_joint_forces(t, column(m->nv, t->qdd), seed);
    // and not what an earlier state left
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, NULL, NULL, tau));
    assert_ok(mbd_complete_stages(m, t->data));
    assert_true(t->data->work->stage & MBD_STAGE_FORCE);
    assert_false(t->data->work->stage & MBD_STAGE_DEFERRED);
    assert_joint_forces(t, mat(m->nv, 1), seed);
    mbd_data_destroy(other);
  }
}

// a state that nothing was computed from yet gives what the stages give
static void
states_for_later(void ** context)
{
  (void)context;
  const tree_options_t options = tree_options_default();
  FOR_TREES(40, &options)
  {
    const mbd_model_t * m = t->model;
    const int frame = m->nframe - 1;
    mbd_motion_t V, expected;
    mbd_placement_t X, place;
    mat_t tau = mat(m->nv, 1);
    assert_ok(mbd_set_position(m, t->data, t->q));
    assert_ok(mbd_set_velocity(m, t->data, t->v));
    assert_ok(mbd_frame_velocity(m, t->data, frame, MBD_LOCAL, &expected));
    assert_ok(mbd_frame_placement(m, t->data, frame, &place));

    assert_ok(mbd_set_state(m, t->data, t->q, t->v));
    assert_ok(mbd_frame_velocity(m, t->data, frame, MBD_LOCAL, &V));
    assert_mat(motion6(V), motion6(expected), 1e-13, "velocity, seed %lu", seed);
    assert_ok(mbd_set_state(m, t->data, t->q, NULL));
    assert_ok(mbd_frame_placement(m, t->data, frame, &X));
    assert_mat(placement4(&X), placement4(&place), 1e-13, "placement, seed %lu", seed);
    assert_int_equal(mbd_bias(m, t->data, tau.a), MBD_ERROR_STAGE);
    assert_int_equal(mbd_set_state(m, t->data, NULL, t->v), MBD_ERROR_NULL_ARGUMENT);
    t->v[0] = HUGE_VAL;
    assert_int_equal(mbd_set_state(m, t->data, t->q, t->v), MBD_ERROR_NOT_FINITE);
  }
}

// operational space from a state alone, twice in a row, and after what changes it in between
static void
operational_space(void ** context)
{
  (void)context;
  tally_t soft = {0};
  tally_t moving = {0};
  FOR_PLAIN_TREES
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    const mbd_inertia_t load = {2, {0.1, 0, 0}, {0.1, 0, 0, 0.1, 0, 0.1}};
    const int frame = m->nframe - 1;
    const mat_t J = dense_jacobian(&d, frame, MBD_LOCAL);
    mat_t C = mat(6, 6), again = mat(6, 6), x = mat(m->nv, 1);
    if (!tally(&moving, m->frame[frame].body >= 0)) continue;
    assert_ok(mbd_set_state(m, t->data, t->q, NULL));
    for (uint32_t terms = 0; terms <= MBD_TERM_ROTORS; terms += MBD_TERM_ROTORS) {
      assert_ok(mbd_set_terms(t->data, terms));
      assert_ok(mbd_operational_space_compliance(m, t->data, frame, MBD_LOCAL, C.a));
      const mat_t expected = PROD(J, inverse(mass_of(&d, t)), tr(J));
      const double scale = fmax(1e-3, largest_entry(expected));
      assert_mat_floor(C, expected, 1e-8, scale, "terms %u, %lu", (unsigned)terms, seed);
    }
    // once more; after another kernel; after the stages; after a payload, which must show
    assert_ok(mbd_operational_space_compliance(m, t->data, frame, MBD_LOCAL, again.a));
    assert_mat(again, C, 0, "again, seed %lu", seed);
    assert_ok(mbd_gravity(m, t->data, x.a));
    assert_ok(mbd_operational_space_compliance(m, t->data, frame, MBD_LOCAL, again.a));
    assert_mat(again, C, 0, "after gravity, seed %lu", seed);
    assert_ok(mbd_complete_stages(m, t->data));
    assert_ok(mbd_operational_space_compliance(m, t->data, frame, MBD_LOCAL, again.a));
    assert_mat(again, C, 0, "after the stages, seed %lu", seed);
    if (!tally(&soft, largest_entry(C) >= 1e-9)) continue;
    assert_ok(mbd_payload_attach(m, t->data, frame, &load));
    assert_ok(mbd_operational_space_compliance(m, t->data, frame, MBD_LOCAL, again.a));
    assert_true(largest_entry(sub(again, C)) > 1e-9 * largest_entry(C));
  }
  assert_enough(&moving, 0.6);
  assert_enough(&soft, 0.9);
}

// a payload, gravity or terms in between: positions and velocities stay, forces do not
static void
changes_before_the_stages_are_there(void ** context)
{
  (void)context;
  tree_t * t = chain(5, 2);
  const mbd_model_t * m = t->model;
  const mbd_inertia_t load = {2, {0.1, 0, 0}, {0.1, 0, 0, 0.1, 0, 0.1}};
  double tau[5], g[5], expected[5];
  mbd_force_t f;
  mbd_data_t * other;
  assert_ok(mbd_data_create(m, &other));
  assert_ok(mbd_payload_attach(m, other, m->nframe - 1, &load));
  assert_ok(mbd_set_position(m, other, t->q));
  assert_ok(mbd_gravity(m, other, expected));

  assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, t->qdd, NULL, tau));
  assert_ok(mbd_payload_attach(m, t->data, m->nframe - 1, &load));
  assert_ok(mbd_gravity(m, t->data, g));
  assert_close(g, expected, 5, 1e-12, "%s", "gravity with the load");
  assert_int_equal(mbd_joint_force(m, t->data, 0, &f), MBD_ERROR_STAGE);

  assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, t->qdd, NULL, tau));
  assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
  assert_int_equal(mbd_joint_force(m, t->data, 0, &f), MBD_ERROR_STAGE);
  assert_ok(mbd_gravity(m, t->data, g));
  for (int k = 0; k < 5; k++) assert_true(g[k] == 0);

  // configurations alone
  double M[25];
  assert_ok(mbd_set_state(m, t->data, t->q, NULL));
  assert_ok(mbd_mass_matrix(m, t->data, M));
  assert_int_equal(mbd_bias(m, t->data, g), MBD_ERROR_STAGE);
  assert_ok(mbd_gravity(m, t->data, g));
  mbd_data_destroy(other);
  tree_free(t);
}

// angles beyond what the kernels' sine takes
static void
huge_angles(void ** context)
{
  (void)context;
  tree_t * t = chain(6, 8);
  const double angles[] = {9e4, -1.1e5, 3e7, 1e15, -4e5, 0.5};
  mat_t x = mat(6, 1);
  // the oracle gets the same turns as small angles: it takes halves, which do not reach so far
  for (int k = 0; k < 6; k++) t->q[k] = atan2(sin(angles[k]), cos(angles[k]));
  const dense_t d = dense_of(t);
  assert_ok(mbd_inverse_dynamics(t->model, t->data, angles, t->v, t->qdd, NULL, x.a));
  assert_mat(x, dense_inverse_dynamics(&d, column(6, t->qdd), NULL), 1e-11, "%s", "huge angles");
  mats_free();
  tree_free(t);
}

//---------- against src/tree ----------

// the same robot without kernels
static tree_t *
reference_tree(uint64_t seed, const tree_options_t * options)
{
  assert_int_equal(setenv("MBDYN_SIMD", "off", 1), 0);
  tree_t * t = random_tree(seed, options);
  assert_int_equal(unsetenv("MBDYN_SIMD"), 0);
  assert_false(
    t->model->internal->plan->single_supported || t->model->internal->plan->simd_supported);
  return t;
}

// n wrenches: those of the robot again and again
static mbd_wrenches_t
wrench_list(const tree_t * t, int n, mbd_wrench_t * w)
{
  for (int k = 0; k < n; k++) {
    w[k] = t->wrench[k % t->nwrench];
    w[k].reference = (mbd_reference_t)(k % 3);
    w[k].frame = (t->wrench[k % t->nwrench].frame + k) % t->model->nframe;
  }
  return (mbd_wrenches_t){n, w};
}

// forces through all joints, from the stages that a call left for later
static mat_t
joint_forces(const tree_t * t)
{
  const int n = t->model->nbody;
  mat_t x = mat(6 * n, 1);
  for (int i = 0; i < n; i++) {
    mbd_force_t f;
    assert_ok(mbd_joint_force(t->model, t->data, i, &f));
    memcpy(&x.a[6 * i], &f, sizeof f);
  }
  return x;
}

// any joint type; an empty list, few, as many as are kept for later, and more
static void
wrenches(void ** context)
{
  (void)context;
  const int length[] = {0, 1, 4, 16, 17};
  int compared = 0, general = 0;
  FOR_TREES(TREES, NULL)
  {
    tree_t * r = reference_tree(seed, NULL);
    mbd_wrench_t w[17];
    const int nv = t->model->nv;
    for (int k = 0; k < 5 && (t->nwrench > 0 || length[k] == 0); k++) {
      const mbd_wrenches_t list = wrench_list(t, length[k], w);
      mat_t x = mat(nv, 1), y = mat(nv, 1);
      assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, &list, x.a));
      assert_ok(mbd_inverse_dynamics(r->model, r->data, t->q, t->v, t->qdd, &list, y.a));
      assert_mat(x, y, 1e-11, "torques, %d wrenches, seed %lu", length[k], seed);
      assert_mat(joint_forces(t), joint_forces(r), 1e-11, "forces, seed %lu", seed);
      assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, t->tau, &list, x.a));
      assert_ok(mbd_forward_dynamics(r->model, r->data, t->q, t->v, t->tau, &list, y.a));
      assert_mat(x, y, 1e-8, "accelerations, %d wrenches, seed %lu", length[k], seed);
      assert_mat(joint_forces(t), joint_forces(r), 1e-8, "forces, seed %lu", seed);
      compared++;
    }
    general += t->model->internal->plan->ngeneral > 0;
    tree_free(r);
  }
  printf("             %d lists, %d robots with general joints\n", compared, general);
  assert_count(compared, 3 * TREES);
  assert_count(general, TREES / 10);
}

// wrenches of a call that is refused do not get into the stages of the call before it
static void
refused_wrenches(void ** context)
{
  (void)context;
  tree_t * t = chain(5, 3);
  const int nv = t->model->nv;
  mat_t x = mat(nv, 1);
  mbd_wrench_t push = {t->model->nframe - 1, MBD_WORLD, {{1, 2, 3}, {4, 5, 6}}};
  const mbd_wrenches_t list = {1, &push};
  assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, NULL, x.a));
  const mat_t expected = joint_forces(t);
  assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, NULL, x.a));
  const double q = t->q[0];
  t->q[0] = HUGE_VAL;
  assert_int_equal(
    mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, &list, x.a), MBD_ERROR_NOT_FINITE);
  t->q[0] = q;
  assert_mat(joint_forces(t), expected, 0, "%s", "forces of the call before");
  mats_free();
  tree_free(t);
}

// functions of articulated inertias: M^-1 and products with it and with the factors of M
static void
compare_articulated(tree_t * t, tree_t * r, uint64_t seed)
{
  const int nv = t->model->nv;
  mat_t x = mat(nv, 1), y = mat(nv, 1), M = mat(nv, nv), N = mat(nv, nv);
  assert_ok(mbd_mass_matrix_inverse(t->model, t->data, M.a));
  assert_ok(mbd_mass_matrix_inverse(r->model, r->data, N.a));
  assert_mat(M, N, 1e-8, "M^-1, seed %lu", seed);
  assert_ok(mbd_mass_solve(t->model, t->data, t->tau, x.a));
  assert_ok(mbd_mass_solve(r->model, r->data, t->tau, y.a));
  assert_mat(x, y, 1e-8, "M^-1 tau, seed %lu", seed);
  for (int op = MBD_SQRT; op <= MBD_SQRT_INVERSE_TRANSPOSE; op++) {
    assert_ok(mbd_mass_sqrt(t->model, t->data, (mbd_sqrt_op_t)op, t->tau, x.a));
    assert_ok(mbd_mass_sqrt(r->model, r->data, (mbd_sqrt_op_t)op, t->tau, y.a));
    assert_mat(x, y, 1e-8, "root %d, seed %lu", op, seed);
  }
}

// functions of frames, and momenta; returns the number of frames
static int
compare_frames(tree_t * t, tree_t * r, uint64_t seed)
{
  const int nv = t->model->nv;
  mat_t J = mat(6, nv), K = mat(6, nv), x = mat(6, 1), y = mat(6, 1), C = mat(6, 6), D = mat(6, 6);
  mat_t p = mat(nv, 1), pdot = mat(nv, 1), s = mat(nv, 1), sdot = mat(nv, 1);
  for (int frame = 0; frame < t->model->nframe; frame++) {
    const mbd_reference_t reference = (mbd_reference_t)((seed + (uint64_t)frame) % 3);
    mbd_placement_t X, Y;
    assert_ok(mbd_set_state(t->model, t->data, t->q, t->v));
    assert_ok(mbd_jacobian(t->model, t->data, frame, reference, J.a));
    assert_ok(mbd_jacobian(r->model, r->data, frame, reference, K.a));
    assert_mat_floor(J, K, 1e-11, 1, "J, seed %lu", seed);
    assert_ok(mbd_jacobian_bias(t->model, t->data, frame, reference, (mbd_motion_t *)(void *)x.a));
    assert_ok(mbd_jacobian_bias(r->model, r->data, frame, reference, (mbd_motion_t *)(void *)y.a));
    assert_mat_floor(x, y, 1e-11, 1, "Jdot v, seed %lu", seed);
    assert_ok(mbd_operational_space_compliance(t->model, t->data, frame, reference, C.a));
    assert_ok(mbd_operational_space_compliance(r->model, r->data, frame, reference, D.a));
    assert_mat(C, D, 1e-8, "compliance, seed %lu", seed);
    assert_ok(mbd_frame_placement(t->model, t->data, frame, &X));
    assert_ok(mbd_frame_placement(r->model, r->data, frame, &Y));
    assert_mat_floor(placement4(&X), placement4(&Y), 1e-12, 1, "placement, seed %lu", seed);
  }
  assert_ok(mbd_set_state(t->model, t->data, t->q, t->v));
  assert_ok(mbd_centroidal_momentum(t->model, t->data, (mbd_force_t *)(void *)x.a));
  assert_ok(mbd_centroidal_momentum(r->model, r->data, (mbd_force_t *)(void *)y.a));
  assert_mat_floor(x, y, 1e-11, 1, "momentum, seed %lu", seed);
  assert_ok(t->model->internal->engine->momentum_and_rate(t->model, t->data, t->tau, p.a, pdot.a));
  assert_ok(r->model->internal->engine->momentum_and_rate(r->model, r->data, t->tau, s.a, sdot.a));
  assert_mat_floor(p, s, 1e-11, 1, "momenta of joints, seed %lu", seed);
  assert_mat_floor(pdot, sdot, 1e-11, 1, "rates of momenta, seed %lu", seed);
  return t->model->nframe;
}

// every function that has kernels for general joints, with and without stages
static void
general_joints(void ** context)
{
  (void)context;
  int compared = 0, frames = 0;
  FOR_TREES(TREES, NULL)
  {
    tree_t * r = reference_tree(seed, NULL);
    const int nv = t->model->nv;
    mat_t x = mat(nv, 1), y = mat(nv, 1), M = mat(nv, nv), N = mat(nv, nv);
    for (int staged = 0; staged < 2; staged++) {
      const uint32_t terms = seed % 2 ? MBD_TERM_ROTORS : 0;
      assert_ok(mbd_set_terms(t->data, terms));
      assert_ok(mbd_set_terms(r->data, terms));
      assert_ok(mbd_set_state(t->model, t->data, t->q, t->v));
      assert_ok(mbd_set_state(r->model, r->data, t->q, t->v));
      if (staged) assert_ok(mbd_complete_stages(t->model, t->data));
      assert_ok(mbd_bias(t->model, t->data, x.a));
      assert_ok(mbd_bias(r->model, r->data, y.a));
      assert_mat(x, y, 1e-11, "bias, seed %lu", seed);
      assert_ok(mbd_gravity(t->model, t->data, x.a));
      assert_ok(mbd_gravity(r->model, r->data, y.a));
      assert_mat(x, y, 1e-11, "gravity, seed %lu", seed);
      assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
      assert_ok(mbd_mass_matrix(r->model, r->data, N.a));
      assert_mat(M, N, 1e-11, "mass matrix, seed %lu", seed);
    }
    assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, NULL, x.a));
    assert_ok(mbd_inverse_dynamics(r->model, r->data, t->q, t->v, t->qdd, NULL, y.a));
    assert_mat(x, y, 1e-11, "torques, seed %lu", seed);
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, t->tau, NULL, x.a));
    assert_ok(mbd_forward_dynamics(r->model, r->data, t->q, t->v, t->tau, NULL, y.a));
    assert_mat(x, y, 1e-8, "accelerations, seed %lu", seed);
    assert_ok(mbd_set_state(t->model, t->data, t->q, t->v));
    assert_ok(mbd_set_state(r->model, r->data, t->q, t->v));
    compare_articulated(t, r, seed);
    frames += compare_frames(t, r, seed);
    compared += t->model->internal->plan->ngeneral;
    tree_free(r);
  }
  printf("             %d general joints, %d frames\n", compared, frames);
  assert_count(compared, TREES);
  assert_count(frames, 3 * TREES);
}

// M^-1 and operational space of trees with many branches, and that it was the kernels that computed them
static void
inverses_of_branched_trees(void ** context)
{
  (void)context;
  int compared = 0, by_kernel = 0, pairs = 0;
  FOR_SEEDS(200)
  {
    tree_options_t options = tree_options_default();
    options.min_bodies = options.max_bodies = 12 + (int)(seed % 20);
    options.forest = seed % 2;
    options.floating_base = seed % 4 < 2;
    tree_t *t = random_tree(seed, &options), *r = reference_tree(seed, &options);
    const int nv = t->model->nv;
    // without kernels where a free joint has a rotor
    const uint32_t terms = seed % 3 == 0 ? MBD_TERM_ROTORS : 0;
    mat_t M = mat(nv, nv), N = mat(nv, nv), C = mat(6, 6), D = mat(6, 6);
    assert_ok(mbd_set_terms(t->data, terms));
    assert_ok(mbd_set_terms(r->data, terms));
    assert_ok(mbd_set_state(t->model, t->data, t->q, NULL));
    assert_ok(mbd_set_state(r->model, r->data, t->q, NULL));
    // twice: what the kernel keeps of the state serves again
    for (int k = 0; k < 2; k++) {
      memset(M.a, 0xff, (size_t)(nv * nv) * sizeof *M.a);
      assert_ok(mbd_mass_matrix_inverse(t->model, t->data, M.a));
      assert_ok(mbd_mass_matrix_inverse(r->model, r->data, N.a));
      assert_mat(M, N, 1e-8, "M^-1, seed %lu", seed);
      assert_mat(M, tr(M), 0, "M^-1 is symmetric, seed %lu", seed);
      for (int frame = 0; frame + 1 < t->model->nframe; frame += 3) {
        const mbd_reference_t reference = (mbd_reference_t)(frame % 3);
        assert_ok(mbd_operational_space_compliance(t->model, t->data, frame, reference, C.a));
        assert_ok(mbd_operational_space_compliance(r->model, r->data, frame, reference, D.a));
        assert_mat(C, D, 1e-8, "compliance of frame %d, seed %lu", frame, seed);
        pairs++;
      }
      compared++;
    }
    if (stage_any(t->data, MBD_STAGE_ARTICULATED_SIMD)) by_kernel++;
    tree_free(t);
    tree_free(r);
    mats_free();
  }
  printf(
    "             %d inverses, %d compliances, %d trees by kernels\n", compared, pairs, by_kernel);
  assert_count(compared, 400);
  assert_count(pairs, 4000);
  const char * asked = getenv("MBDYN_TEST_KERNELS");
  if (!asked || strcmp(asked, "none") != 0) assert_count(by_kernel, 130);
}

static bool
can_run(const char * set)
{
  return mbdi_kernels_level(mbdi_machine_features()) >= (strcmp(set, "v4") == 0 ? 4 : 3);
}

// where the build insists on an instruction set, it is the one that runs
static void
the_set_that_was_asked_for(void ** context)
{
  (void)context;
  const char * asked = getenv("MBDYN_TEST_KERNELS");
  tree_t * t = chain(3, 1);
  mbd_batch_t * b;
  assert_ok(mbd_batch_create(t->model, 1, &b));
  const char * used = mbd_batch_kernels(b);
  const bool single = t->model->internal->plan->single_supported;
  printf("             kernels: %s, for one state: %s\n", used, single ? used : "none");
  const bool plain = asked && strcmp(asked, "plain") == 0;
  if (asked && strcmp(asked, "none") == 0) {
    assert_string_equal(used, "none");
    assert_false(single);
    mbd_batch_destroy(b);
    tree_free(t);
    return;
  }
  if (plain) {
    // without AVX2
    assert_string_equal(used, "baseline");
  } else if (asked && strcmp(asked, used) != 0) {
    // a lesser one for want of instructions
    assert_string_not_equal(asked, "baseline");
    assert_false(can_run(asked));
    printf("             skipped: this machine cannot run %s\n", asked);
  }
  assert_true(single);
  mbd_batch_destroy(b);
  tree_free(t);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_set_that_was_asked_for),
    cmocka_unit_test(inverse_dynamics),
    cmocka_unit_test(results_of_another_state),
    cmocka_unit_test(mass_matrix_and_forward_dynamics),
    cmocka_unit_test(large_mass_matrices),
    cmocka_unit_test(deep_mass_matrices),
    cmocka_unit_test(energies),
    cmocka_unit_test(momentum_of_the_joints),
    cmocka_unit_test(a_state_and_one_result),
    cmocka_unit_test(a_state_and_its_errors),
    cmocka_unit_test(stages_for_later),
    cmocka_unit_test(states_for_later),
    cmocka_unit_test(operational_space),
    cmocka_unit_test(changes_before_the_stages_are_there),
    cmocka_unit_test(huge_angles),
    cmocka_unit_test(wrenches),
    cmocka_unit_test(refused_wrenches),
    cmocka_unit_test(general_joints),
    cmocka_unit_test(inverses_of_branched_trees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
