// The kernels of the one-call forms and of batches, on robots whose joints they know, against the
// dense oracle; and what calls leave for later.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"

static tree_options_t
plain_trees(void)
{
  tree_options_t options = tree_options_default();
  options.plain = true;
  return options;
}

#define FOR_PLAIN_TREES                          \
  const tree_options_t options_ = plain_trees(); \
  FOR_TREES(TREES, &options_)

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
      assert_ok(mbd_mass_matrix(m, t->data, t->q, M.a));
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
check_large(tree_t * t)
{
  const mbd_model_t * m = t->model;
  const size_t nv = (size_t)m->nv;
  mat_t M = mat(m->nv, m->nv), column = mat(m->nv, 1), unit = mat(m->nv, 1), zero = mat(m->nv, 1);
  mat_t expected = mat(m->nv, m->nv);
  const mbd_vec3_t nothing = {0, 0, 0};
  assert_true(m->nv > 256);
  assert_ok(mbd_set_gravity(t->data, nothing));
  memset(M.a, 0xff, nv * nv * sizeof *M.a);
  assert_ok(mbd_mass_matrix(m, t->data, t->q, M.a));
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
  for (int n = 257; n < 262; n++) check_large(chain(n, 3));
  for (uint64_t seed = 1; seed <= 8; seed++) {
    tree_options_t options = plain_trees();
    options.min_bodies = options.max_bodies = 270;
    options.forest = seed % 2;
    options.floating_base = seed % 4 < 2;
    check_large(random_tree(seed, &options));
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
    for (int i = 0; i < m->nbody; i++) {
      mbd_force_t f;
      assert_ok(mbd_joint_force(m, t->data, i, &f));
    }
    // and not what an earlier state left
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, NULL, NULL, tau));
    assert_ok(mbd_complete_stages(m, t->data));
    assert_true(t->data->stage & MBD_STAGE_FORCE);
    assert_false(t->data->stage & MBD_STAGE_LATER);
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
  FOR_PLAIN_TREES
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    const mbd_inertia_t load = {2, {0.1, 0, 0}, {0.1, 0, 0, 0.1, 0, 0.1}};
    const int frame = m->nframe - 1;
    const mat_t J = dense_jacobian(&d, frame, MBD_LOCAL);
    mat_t C = mat(6, 6), again = mat(6, 6), x = mat(m->nv, 1);
    if (m->frame[frame].body < 0) continue;
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
    if (largest_entry(C) < 1e-9) continue;
    assert_ok(mbd_payload_attach(m, t->data, frame, &load));
    assert_ok(mbd_operational_space_compliance(m, t->data, frame, MBD_LOCAL, again.a));
    assert_true(largest_entry(sub(again, C)) > 1e-9 * largest_entry(C));
  }
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
  assert_ok(mbd_mass_matrix(m, t->data, t->q, M));
  assert_int_equal(mbd_bias(m, t->data, g), MBD_ERROR_STAGE);
  assert_ok(mbd_gravity(m, t->data, g));
  mbd_data_destroy(other);
  tree_free(t);
}

//---------- many states ----------

enum { STATES = 21 };

typedef struct many {
  double *q, *v, *u, *x, *M, *one;
} many_t;

static many_t
make_many(const tree_t * t)
{
  const mbd_model_t * m = t->model;
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  many_t s = {calloc(STATES * nq, 8), calloc(STATES * nv, 8),      calloc(STATES * nv, 8),
              calloc(STATES * nv, 8), calloc(STATES * nv * nv, 8), calloc(nv * nv, 8)};
  for (size_t k = 0; k < STATES; k++) {
    assert_ok(mbd_random_configuration(m, t->seed * 100 + k, s.q + k * nq));
    for (size_t j = 0; j < nv; j++) {
      s.v[k * nv + j] = sin(1.3 * (double)(k * nv + j));
      s.u[k * nv + j] = 5 * cos(0.7 * (double)(k * nv + j));
    }
  }
  return s;
}

static void
free_many(many_t s)
{
  free(s.q), free(s.v), free(s.u), free(s.x), free(s.M), free(s.one);
}

// all functions, state by state against the one-state calls
static void
check_many(tree_t * t, mbd_batch_t * b, const many_t * s, int n)
{
  const mbd_model_t * m = t->model;
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  const unsigned long seed = t->seed;
  assert_ok(mbd_batch_like(b, t->data));
  assert_ok(mbd_batch_inverse_dynamics(b, n, s->q, s->v, s->u, s->x));
  for (size_t k = 0; k < (size_t)n; k++) {
    const double *q = s->q + k * nq, *v = s->v + k * nv, *u = s->u + k * nv;
    assert_ok(mbd_inverse_dynamics(m, t->data, q, v, u, NULL, s->one));
    assert_close(s->x + k * nv, s->one, nv, 1e-11, "inverse, state %zu, seed %lu", k, seed);
  }
  assert_ok(mbd_batch_forward_dynamics(b, n, s->q, s->v, s->u, s->x));
  for (size_t k = 0; k < (size_t)n; k++) {
    const double *q = s->q + k * nq, *v = s->v + k * nv, *u = s->u + k * nv;
    assert_ok(mbd_forward_dynamics(m, t->data, q, v, u, NULL, s->one));
    assert_close(s->x + k * nv, s->one, nv, 1e-8, "forward, state %zu, seed %lu", k, seed);
  }
  assert_ok(mbd_batch_mass_matrix(b, n, s->q, s->M));
  for (size_t k = 0; k < (size_t)n; k++) {
    assert_ok(mbd_mass_matrix(m, t->data, s->q + k * nq, s->one));
    assert_close(s->M + k * nv * nv, s->one, nv * nv, 1e-11, "M, state %zu, seed %lu", k, seed);
  }
  assert_ok(mbd_batch_bias(b, n, s->q, s->v, s->x));
  assert_ok(mbd_batch_gravity(b, n, s->q, s->M));
  for (size_t k = 0; k < (size_t)n; k++) {
    assert_ok(mbd_set_position(m, t->data, s->q + k * nq));
    assert_ok(mbd_set_velocity(m, t->data, s->v + k * nv));
    assert_ok(mbd_bias(m, t->data, s->one));
    assert_close(s->x + k * nv, s->one, nv, 1e-11, "bias, state %zu, seed %lu", k, seed);
    assert_ok(mbd_gravity(m, t->data, s->one));
    assert_close(s->M + k * nv, s->one, nv, 1e-11, "gravity, state %zu, seed %lu", k, seed);
  }
}

// what a batch was told once is not what it is told later
static void
check_many_change(tree_t * t, mbd_batch_t * b, const many_t * s)
{
  const mbd_model_t * m = t->model;
  const mbd_inertia_t load = {2, {0.2, -0.1, 0.3}, {0.5, 0.01, -0.02, 0.6, 0.03, 0.4}};
  const mbd_vec3_t gravity = t->data->gravity;
  assert_ok(mbd_payload_attach(m, t->data, m->nframe - 1, &load));
  assert_ok(mbd_set_gravity(t->data, mbdu_vec3(1, 2, 3)));
  check_many(t, b, s, STATES);
  assert_ok(mbd_payload_clear(m, t->data));
  assert_ok(mbd_set_gravity(t->data, gravity));
  assert_ok(mbd_batch_like(b, t->data));
}

// the last frames of the robot and its Jacobians, which are 12 and 6 nv numbers
static void
check_many_frames(tree_t * t, mbd_batch_t * b, const many_t * s, int n)
{
  const mbd_model_t * m = t->model;
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  const unsigned long seed = t->seed;
  const int nframe = m->nframe < 3 ? m->nframe : 3;
  const int frame[3] = {m->nframe - 1, 0, m->nframe / 2};
  const mbd_reference_t reference = (mbd_reference_t)(seed % 3);
  mbd_placement_t X[STATES * 3], one;
  double * J = calloc(STATES * 6 * nv, sizeof *J);
  assert_ok(mbd_batch_frame_placements(b, n, s->q, nframe, frame, X));
  assert_ok(mbd_batch_jacobian(b, n, s->q, frame[0], reference, J));
  for (size_t k = 0; k < (size_t)n; k++) {
    assert_ok(mbd_set_position(m, t->data, s->q + k * nq));
    for (int i = 0; i < nframe; i++) {
      const mbd_placement_t * got = &X[k * (size_t)nframe + (size_t)i];
      assert_ok(mbd_frame_placement(m, t->data, frame[i], &one));
      assert_close(got->R.m, one.R.m, 9, 1e-12, "rotation, state %zu, seed %lu", k, seed);
      assert_close(&got->p.x, &one.p.x, 3, 1e-12, "origin, state %zu, seed %lu", k, seed);
    }
    double * expected = calloc(6 * nv, sizeof *expected);
    assert_ok(mbd_jacobian(m, t->data, frame[0], reference, expected));
    assert_close(J + k * 6 * nv, expected, 6 * nv, 1e-11, "J, state %zu, seed %lu", k, seed);
    free(expected);
  }
  free(J);
}

// what goes by threads alone
static void
check_many_others(tree_t * t, mbd_batch_t * b, const many_t * s, int n)
{
  const mbd_model_t * m = t->model;
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  const int frame = m->nframe - 1;
  mbd_motion_t bias[STATES], one_bias;
  mbd_force_t momentum[STATES], one_momentum;
  double Lambda[STATES * 36], one[36];
  assert_ok(mbd_batch_mass_matrix_inverse(b, n, s->q, s->M));
  assert_ok(mbd_batch_jacobian_bias(b, n, s->q, s->v, frame, MBD_WORLD, bias));
  assert_ok(mbd_batch_operational_space_inertia(b, n, s->q, frame, MBD_LOCAL, Lambda));
  assert_ok(mbd_batch_centroidal_momentum(b, n, s->q, s->v, momentum));
  for (size_t k = 0; k < (size_t)n; k++) {
    assert_ok(mbd_set_position(m, t->data, s->q + k * nq));
    assert_ok(mbd_set_velocity(m, t->data, s->v + k * nv));
    assert_ok(mbd_mass_matrix_inverse(m, t->data, s->one));
    assert_close(s->M + k * nv * nv, s->one, nv * nv, 1e-12, "M inverse, state %zu", k);
    assert_ok(mbd_jacobian_bias(m, t->data, frame, MBD_WORLD, &one_bias));
    assert_close(&bias[k].ang.x, &one_bias.ang.x, 6, 1e-12, "Jdot v, state %zu", k);
    assert_ok(mbd_operational_space_inertia(m, t->data, frame, MBD_LOCAL, one, NULL));
    assert_close(Lambda + 36 * k, one, 36, 1e-12, "Lambda, state %zu", k);
    assert_ok(mbd_centroidal_momentum(m, t->data, &one_momentum));
    assert_close(&momentum[k].ang.x, &one_momentum.ang.x, 6, 1e-12, "momentum, state %zu", k);
  }
}

// an array in lanes that begins at an odd address of numbers, filled with what is no number
static double *
lanes_of(const mbd_batch_t * b, int n, size_t width, const double * from)
{
  const size_t size = mbd_batch_lanes_size(b, n, width) + 1;
  double * x = malloc(size * sizeof *x);
  assert_non_null(x);
  for (size_t k = 0; k < size; k++) x[k] = (double)NAN;
  if (from) assert_ok(mbd_batch_to_lanes(b, n, width, from, x + 1));
  return x;
}

// result in lanes against that of plain arrays: the same numbers
static void
check_lanes_of(const mbd_batch_t * b, int n, size_t width, const double * lanes, const double * x)
{
  double * back = malloc((size_t)n * width * sizeof *back);
  assert_non_null(back);
  assert_ok(mbd_batch_from_lanes(b, n, width, lanes + 1, back));
  assert_memory_equal(back, x, (size_t)n * width * sizeof *back);
  free(back);
}

// what is where in a packed matrix, and whole ones made of it
static void
check_lanes_mass(mbd_batch_t * b, const many_t * s, int n, size_t nv, const double * q)
{
  const size_t width = mbd_batch_mass_numbers(b), lanes = (size_t)mbd_batch_lanes(b);
  double *M = lanes_of(b, n, width, NULL), *whole = malloc((size_t)n * nv * nv * sizeof *whole);
  int *row = calloc(width, sizeof *row), *column = calloc(width, sizeof *column);
  assert_ok(mbd_batch_mass_matrix(b, n, s->q, s->M));
  assert_ok(mbd_batch_mass_matrix_lanes(b, n, q + 1, M + 1));
  assert_ok(mbd_batch_mass_from_lanes(b, n, M + 1, whole));
  assert_memory_equal(whole, s->M, (size_t)n * nv * nv * sizeof *whole);
  assert_ok(mbd_batch_mass_pattern(b, row, column));
  size_t zeros = 0;
  for (size_t i = 0; i < (size_t)n; i++) {
    for (size_t k = 0; k < width; k++) {
      const double x = M[1 + (i / lanes * width + k) * lanes + i % lanes];
      const size_t at = i * nv * nv + (size_t)row[k] * nv + (size_t)column[k];
      assert_true(column[k] <= row[k] && s->M[at] == x);
      s->M[at] = 0;
    }
    // nothing else is left below the diagonal
    for (size_t r = 0; r < nv; r++) {
      for (size_t c = 0; c <= r; c++) zeros += s->M[(i * nv + r) * nv + c] != 0;
    }
  }
  assert_int_equal(zeros, 0);
  free(M), free(whole), free(row), free(column);
}

static void
check_lanes(tree_t * t, mbd_batch_t * b, const many_t * s, int n)
{
  const size_t nq = (size_t)t->model->nq, nv = (size_t)t->model->nv;
  double *q = lanes_of(b, n, nq, s->q), *v = lanes_of(b, n, nv, s->v);
  double *u = lanes_of(b, n, nv, s->u), *x = lanes_of(b, n, nv, NULL);
  assert_ok(mbd_batch_like(b, t->data));
  assert_ok(mbd_batch_inverse_dynamics(b, n, s->q, s->v, s->u, s->x));
  assert_ok(mbd_batch_inverse_dynamics_lanes(b, n, q + 1, v + 1, u + 1, x + 1));
  check_lanes_of(b, n, nv, x, s->x);
  assert_ok(mbd_batch_forward_dynamics(b, n, s->q, s->v, s->u, s->x));
  assert_ok(mbd_batch_forward_dynamics_lanes(b, n, q + 1, v + 1, u + 1, x + 1));
  check_lanes_of(b, n, nv, x, s->x);
  assert_ok(mbd_batch_forward_dynamics(b, n, s->q, s->v, NULL, s->x));
  assert_ok(mbd_batch_forward_dynamics_lanes(b, n, q + 1, v + 1, NULL, x + 1));
  check_lanes_of(b, n, nv, x, s->x);
  assert_ok(mbd_batch_bias(b, n, s->q, s->v, s->x));
  assert_ok(mbd_batch_bias_lanes(b, n, q + 1, v + 1, x + 1));
  check_lanes_of(b, n, nv, x, s->x);
  assert_ok(mbd_batch_gravity(b, n, s->q, s->x));
  assert_ok(mbd_batch_gravity_lanes(b, n, q + 1, x + 1));
  check_lanes_of(b, n, nv, x, s->x);
  check_lanes_mass(b, s, n, nv, q);
  free(q), free(v), free(u), free(x);
}

// robots whose memory one kernel needs, and the others do not
static void
long_robots(void ** context)
{
  (void)context;
  const int length[] = {1, 7, 33, 64, 100};
  for (size_t k = 0; k < sizeof length / sizeof *length; k++) {
    tree_t * t = chain(length[k], 3);
    many_t s = make_many(t);
    mbd_batch_t * b;
    assert_ok(mbd_batch_create(t->model, 1, &b));
    assert_ok(mbd_batch_like(b, t->data));
    check_many_frames(t, b, &s, STATES);
    check_many_others(t, b, &s, STATES);
    mbd_batch_destroy(b);
    free_many(s);
    tree_free(t);
  }
}

static void
lanes_and_their_errors(void ** context)
{
  (void)context;
  tree_t * t = chain(5, 3);
  many_t s = make_many(t);
  mbd_batch_t * b;
  assert_ok(mbd_batch_create(t->model, 2, &b));
  double *q = lanes_of(b, STATES, 5, s.q), *v = lanes_of(b, STATES, 5, s.v);
  double * M = lanes_of(b, STATES, mbd_batch_mass_numbers(b), NULL);
  const size_t lanes = (size_t)mbd_batch_lanes(b);
  for (size_t bad = 0; bad < STATES; bad += 4) {
    double *number = &q[1 + (bad / lanes * 5 + 2) * lanes + bad % lanes], keep = *number;
    *number = bad % 8 ? HUGE_VAL : (double)NAN;
    const mbd_status_t status = mbd_batch_bias_lanes(b, STATES, q + 1, v + 1, M + 1);
    assert_int_equal(status, MBD_ERROR_NOT_FINITE);
    assert_int_equal(mbd_batch_failed(b), bad);
    assert_int_equal(mbd_batch_mass_matrix_lanes(b, STATES, q + 1, M + 1), MBD_ERROR_NOT_FINITE);
    assert_int_equal(mbd_batch_failed(b), bad);
    *number = keep;
  }
  // lanes without a state may hold anything
  for (size_t k = 0; k < lanes - STATES % lanes && STATES % lanes; k++) {
    q[1 + (STATES / lanes * 5 + 1) * lanes + STATES % lanes + k] = (double)NAN;
  }
  assert_ok(mbd_batch_mass_matrix_lanes(b, STATES, q + 1, M + 1));
  assert_int_equal(mbd_batch_lanes_size(b, 0, 5), 0);
  assert_int_equal(mbd_batch_lanes_size(b, 1, 5), 5 * lanes);
  assert_int_equal(mbd_batch_mass_matrix_lanes(NULL, 1, q, M), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_batch_bias_lanes(b, 1, q, NULL, M), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_batch_gravity_lanes(b, -1, q + 1, M), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_batch_to_lanes(b, -1, 5, s.q, q), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_batch_from_lanes(b, 1, 5, NULL, q), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_batch_mass_from_lanes(b, 1, M, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_batch_mass_pattern(b, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  mbd_batch_destroy(b);
  free(q), free(v), free(M);
  free_many(s);
  tree_free(t);
}

static void
batches(void ** context)
{
  (void)context;
  const tree_options_t options[2] = {plain_trees(), tree_options_default()};
  for (int kind = 0; kind < 2; kind++) {
    FOR_TREES(40, &options[kind])
    {
      mbd_batch_t * b;
      many_t s = make_many(t);
      assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_FRICTION | MBD_TERM_ROTORS : 0));
      assert_ok(mbd_batch_create(t->model, 1 + (int)(seed % 3), &b));
      if (kind == 0) assert_true(mbd_batch_lanes(b) >= 4);
      check_many(t, b, &s, STATES);
      check_many(t, b, &s, 1);
      check_many_change(t, b, &s);
      check_many_frames(t, b, &s, STATES);
      check_many_frames(t, b, &s, 2);
      check_many_others(t, b, &s, 5);
      check_lanes(t, b, &s, STATES);
      check_lanes(t, b, &s, 1);
      mbd_batch_destroy(b);
      free_many(s);
    }
  }
}

// axes along coordinates, quarter turns, origins on them: what robots are mostly made of
static void
square_up(mbd_body_spec_t * spec, int link, void * arg)
{
  uint64_t * state = arg;
  (void)link;
  const mbd_mat3_t x = {{1, 0, 0, 0, 0, -1, 0, 1, 0}}, z = {{0, -1, 0, 1, 0, 0, 0, 0, 1}};
  spec->placement.R = (mbd_mat3_t){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int k = random_below(state, 4); k > 0; k--) {
    spec->placement.R = mbdu_mat3_mul(&spec->placement.R, random_below(state, 2) ? &x : &z);
  }
  double *p = &spec->placement.p.x, *axis = &spec->axis.x;
  for (int k = 0; k < 3; k++) {
    if (random_below(state, 2)) p[k] = 0;
    axis[k] = 0;
  }
  axis[random_below(state, 3)] = random_below(state, 2) ? 1 : -1;
}

// torques of the accelerations that the batch finds, by the oracle
static void
check_square(const mbd_model_t * m, mbd_data_t * data, const many_t * s, unsigned long seed)
{
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  mat_t x = mat(m->nv, 1), M = mat(m->nv, m->nv);
  mbd_batch_t * b;
  assert_ok(mbd_batch_create(m, 1, &b));
  assert_ok(mbd_batch_like(b, data));
  assert_ok(mbd_batch_forward_dynamics(b, STATES, s->q, s->v, s->u, s->x));
  mbd_batch_destroy(b);
  const mat_t rotors = dense_rotors(m);
  for (size_t k = 0; k < STATES; k++) {
    const double *q = s->q + k * nq, *v = s->v + k * nv;
    const dense_t d = dense_at(m, NULL, q, v, m->gravity);
    const mat_t qdd = column(m->nv, s->x + k * nv), u = column(m->nv, s->u + k * nv);
    mat_t expected = dense_inverse_dynamics(&d, qdd, NULL);
    assert_ok(mbd_inverse_dynamics(m, data, q, v, qdd.a, NULL, x.a));
    for (int j = 0; j < m->nv && data->terms & MBD_TERM_ROTORS; j++) {
      expected.a[j] += qdd.a[j] * (rotors.c == 1 ? *at(rotors, j, 0) : *at(rotors, j, j));
    }
    assert_mat_floor(u, expected, 1e-10, 1, "forward, state %zu, seed %lu", k, seed);
    assert_mat(x, expected, 1e-11, "inverse, state %zu, seed %lu", k, seed);
    if (data->terms) continue;
    assert_ok(mbd_mass_matrix(m, data, q, M.a));
    assert_mat(M, dense_mass(&d), 1e-11, "M, state %zu, seed %lu", k, seed);
  }
}

static void
square_robots(void ** context)
{
  (void)context;
  const tree_options_t options = plain_trees();
  FOR_TREES(60, &options)
  {
    uint64_t arg = 77 * seed;
    tree_t other = *t;
    other.model = rebuild(t, square_up, &arg);
    assert_ok(mbd_data_create(other.model, &other.data));
    many_t s = make_many(&other);
    assert_ok(mbd_set_terms(other.data, seed % 2 ? MBD_TERM_ROTORS : 0));
    check_square(other.model, other.data, &s, seed);
    free_many(s);
    mbd_data_destroy(other.data);
    mbd_model_destroy(other.model);
  }
}

// the last link without mass
static void
make_light(mbd_body_spec_t * spec, int link, void * arg)
{
  const int * last = arg;
  if (link == *last) spec->inertia = (mbd_inertia_t){0};
}

static void
a_joint_that_nothing_resists(void ** context)
{
  (void)context;
  tree_t * t = chain(5, 3);
  int last = t->nlink - 1;
  tree_t other = *t;
  other.model = rebuild(t, make_light, &last);
  many_t s = make_many(&other);
  mbd_batch_t * b;
  assert_ok(mbd_batch_create(other.model, 1, &b));
  assert_int_equal(
    mbd_batch_forward_dynamics(b, STATES, s.q, s.v, s.u, s.x), MBD_ERROR_MASSLESS_SUBTREE);
  assert_int_equal(mbd_batch_failed(b), 0);
  mbd_batch_destroy(b);
  free_many(s);
  mbd_model_destroy(other.model);
  tree_free(t);
}

// the same bits for any number of threads
static void
threads_change_nothing(void ** context)
{
  (void)context;
  tree_t * t = chain(9, 4);
  many_t s = make_many(t);
  double first[STATES * 9];
  for (int threads = 1; threads <= 5; threads++) {
    mbd_batch_t * b;
    assert_ok(mbd_batch_create(t->model, threads, &b));
    assert_int_equal(mbd_batch_threads(b), threads);
    for (int again = 0; again < 50; again++) {
      assert_ok(mbd_batch_forward_dynamics(b, STATES, s.q, s.v, s.u, s.x));
      if (threads == 1) memcpy(first, s.x, sizeof first);
      assert_memory_equal(first, s.x, sizeof first);
    }
    mbd_batch_destroy(b);
  }
  free_many(s);
  tree_free(t);
}

static void
a_bad_state_is_named(void ** context)
{
  (void)context;
  tree_t * t = chain(5, 3);
  many_t s = make_many(t);
  mbd_batch_t * b;
  assert_ok(mbd_batch_create(t->model, 2, &b));
  for (int bad = 0; bad < STATES; bad += 4) {
    const double keep = s.v[bad * 5 + 2];
    s.v[bad * 5 + 2] = HUGE_VAL;
    assert_int_equal(
      mbd_batch_inverse_dynamics(b, STATES, s.q, s.v, s.u, s.x), MBD_ERROR_NOT_FINITE);
    assert_int_equal(mbd_batch_failed(b), bad);
    s.v[bad * 5 + 2] = keep;
  }
  assert_ok(mbd_batch_inverse_dynamics(b, STATES, s.q, s.v, s.u, s.x));
  assert_int_equal(mbd_batch_failed(b), -1);
  assert_ok(mbd_batch_inverse_dynamics(b, 0, s.q, s.v, s.u, s.x));
  assert_int_equal(mbd_batch_inverse_dynamics(b, -1, s.q, s.v, s.u, s.x), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_batch_gravity(b, 1, NULL, s.x), MBD_ERROR_NULL_ARGUMENT);
  mbd_placement_t X;
  const int frame = 0, none = t->model->nframe;
  assert_int_equal(mbd_batch_frame_placements(b, 1, s.q, 1, &none, &X), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_batch_frame_placements(b, 1, s.q, 0, &frame, &X), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_batch_frame_placements(b, 1, s.q, 1, NULL, &X), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_batch_jacobian(b, 1, s.q, -1, MBD_LOCAL, s.M), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_batch_jacobian(NULL, 1, s.q, 0, MBD_LOCAL, s.M), MBD_ERROR_NULL_ARGUMENT);
  mbd_batch_t * none_made = NULL;
  assert_int_equal(mbd_batch_create(t->model, 0, &none_made), MBD_ERROR_BAD_ARGUMENT);
  mbd_batch_destroy(b);
  free_many(s);
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

static bool
can_run(const char * set)
{
#ifdef __x86_64__
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return v3 && (strcmp(set, "v4") != 0 || __builtin_cpu_supports("avx512dq"));
#else
  return strcmp(set, "baseline") == 0;
#endif
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
  printf("             kernels: %s\n", used);
  if (asked && strcmp(asked, used) != 0) {
    // a lesser one for want of instructions
    assert_string_not_equal(asked, "baseline");
    assert_false(can_run(asked));
    printf("             skipped: this machine cannot run %s\n", asked);
  }
  mbd_batch_destroy(b);
  tree_free(t);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_set_that_was_asked_for),
    cmocka_unit_test(inverse_dynamics),
    cmocka_unit_test(mass_matrix_and_forward_dynamics),
    cmocka_unit_test(large_mass_matrices),
    cmocka_unit_test(a_state_and_one_result),
    cmocka_unit_test(a_state_and_its_errors),
    cmocka_unit_test(stages_for_later),
    cmocka_unit_test(states_for_later),
    cmocka_unit_test(operational_space),
    cmocka_unit_test(changes_before_the_stages_are_there),
    cmocka_unit_test(batches),
    cmocka_unit_test(long_robots),
    cmocka_unit_test(square_robots),
    cmocka_unit_test(a_joint_that_nothing_resists),
    cmocka_unit_test(lanes_and_their_errors),
    cmocka_unit_test(threads_change_nothing),
    cmocka_unit_test(a_bad_state_is_named),
    cmocka_unit_test(huge_angles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
