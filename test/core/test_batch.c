// Batches: many states as SoA and over threads, against one state after the other and the dense oracle.
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/dynamics/batch.h"
#include "mbdyn/dynamics/derivatives.h"

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
  assert_ok(mbd_batch_set_parameters_from(b, t->data));
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
    assert_ok(mbd_set_state(m, t->data, s->q + k * nq, NULL));
    assert_ok(mbd_mass_matrix(m, t->data, s->one));
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
  assert_ok(mbd_batch_set_parameters_from(b, t->data));
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

// Numbers of single states, but for rounding: kernels of several states have another order of sums. They are of the
// size of the matrix.
static void
assert_close_matrix(const double * x, const double * expected, size_t n, const char * what)
{
  double size = 1;
  for (size_t k = 0; k < n; k++) size = fmax(size, fabs(expected[k]));
  for (size_t k = 0; k < n; k++) {
    if (fabs(x[k] - expected[k]) <= 1e-9 * size) continue;
    fail_msg("%s: element %zu is %.17g, not %.17g", what, k, x[k], expected[k]);
  }
}

static void
check_many_derivatives(tree_t * t, mbd_batch_t * b, const many_t * s, int n)
{
  const mbd_model_t * m = t->model;
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, size = nv * nv, all = size * (size_t)n;
  const size_t single = mbd_derivatives_work(m);
  double * x = malloc((3 * all + 3 * size + nv * (size_t)(n + 1)) * sizeof *x);
  double * work = malloc(single * (size_t)mbd_batch_threads(b) * sizeof *work);
  double *dq = x, *dv = dq + all, *M = dv + all, *one = M + all, *qdd = one + 3 * size;
  double * one_qdd = qdd + nv * (size_t)n;
  size_t compared = 0;
  assert_non_null(x);
  assert_non_null(work);
  for (int forward = 0; forward < 2; forward++) {
    if (forward)
      assert_ok(
        mbd_batch_forward_dynamics_derivatives(b, n, s->q, s->v, s->u, work, qdd, dq, dv, M));
    else
      assert_ok(mbd_batch_inverse_dynamics_derivatives(b, n, s->q, s->v, s->u, work, dq, dv, M));
    for (size_t k = 0; k < (size_t)n; k++) {
      const double *q = s->q + k * nq, *v = s->v + k * nv, *u = s->u + k * nv;
      double *a = one, *c = one + size, *d = one + 2 * size;
      if (forward)
        assert_ok(
          mbd_forward_dynamics_derivatives(m, t->data, q, v, u, NULL, work, one_qdd, a, c, d));
      else
        assert_ok(mbd_inverse_dynamics_derivatives(m, t->data, q, v, u, NULL, work, a, c, d));
      assert_close_matrix(dq + k * size, a, size, forward ? "dqdd/dq" : "dtau/dq");
      assert_close_matrix(dv + k * size, c, size, forward ? "dqdd/dv" : "dtau/dv");
      assert_close_matrix(M + k * size, d, size, forward ? "M^-1" : "M");
      if (forward) assert_close_matrix(qdd + k * nv, one_qdd, nv, "qdd");
      compared++;
    }
  }
  assert_int_equal(compared, 2 * n);
  free(x), free(work);
}

// a SoA array that begins at an odd address of numbers, filled with what is no number
static double *
soa_of(const mbd_batch_t * b, int n, size_t width, const double * from)
{
  const size_t size = mbd_batch_soa_size(b, n, width) + 1;
  double * x = malloc(size * sizeof *x);
  assert_non_null(x);
  for (size_t k = 0; k < size; k++) x[k] = (double)NAN;
  if (from) assert_ok(mbd_batch_to_soa(b, n, width, from, x + 1));
  return x;
}

// SoA result against that of plain arrays: the same numbers
static void
check_soa_of(const mbd_batch_t * b, int n, size_t width, const double * soa, const double * x)
{
  double * back = malloc((size_t)n * width * sizeof *back);
  assert_non_null(back);
  assert_ok(mbd_batch_from_soa(b, n, width, soa + 1, back));
  assert_memory_equal(back, x, (size_t)n * width * sizeof *back);
  free(back);
}

// what is where in a packed matrix, and whole ones made of it
static void
check_soa_mass(mbd_batch_t * b, const many_t * s, int n, size_t nv, const double * q)
{
  const size_t width = mbd_batch_mass_numbers(b), vector = (size_t)mbd_batch_vector_length(b);
  double *M = soa_of(b, n, width, NULL), *whole = malloc((size_t)n * nv * nv * sizeof *whole);
  int *row = calloc(width, sizeof *row), *column = calloc(width, sizeof *column);
  assert_ok(mbd_batch_mass_matrix(b, n, s->q, s->M));
  assert_ok(mbd_batch_mass_matrix_soa(b, n, q + 1, M + 1));
  assert_ok(mbd_batch_mass_from_soa(b, n, M + 1, whole));
  // one of them may be computed state by state
  for (size_t i = 0; i < (size_t)n; i++)
    assert_close(whole + i * nv * nv, s->M + i * nv * nv, nv * nv, 1e-12, "M of state %zu", i);
  assert_ok(mbd_batch_mass_pattern(b, row, column));
  size_t zeros = 0;
  for (size_t i = 0; i < (size_t)n; i++) {
    for (size_t k = 0; k < width; k++) {
      const double x = M[1 + (i / vector * width + k) * vector + i % vector];
      const size_t at = i * nv * nv + (size_t)row[k] * nv + (size_t)column[k];
      assert_true(column[k] <= row[k] && whole[at] == x);
      whole[at] = s->M[at] = 0;
    }
    // nothing else is left below the diagonal
    for (size_t r = 0; r < nv; r++) {
      for (size_t c = 0; c <= r; c++)
        zeros += whole[(i * nv + r) * nv + c] != 0 || s->M[(i * nv + r) * nv + c] != 0;
    }
  }
  assert_int_equal(zeros, 0);
  free(M), free(whole), free(row), free(column);
}

static void
check_soa(tree_t * t, mbd_batch_t * b, const many_t * s, int n)
{
  const size_t nq = (size_t)t->model->nq, nv = (size_t)t->model->nv;
  double *q = soa_of(b, n, nq, s->q), *v = soa_of(b, n, nv, s->v);
  double *u = soa_of(b, n, nv, s->u), *x = soa_of(b, n, nv, NULL);
  assert_ok(mbd_batch_set_parameters_from(b, t->data));
  assert_ok(mbd_batch_inverse_dynamics(b, n, s->q, s->v, s->u, s->x));
  assert_ok(mbd_batch_inverse_dynamics_soa(b, n, q + 1, v + 1, u + 1, x + 1));
  check_soa_of(b, n, nv, x, s->x);
  assert_ok(mbd_batch_forward_dynamics(b, n, s->q, s->v, s->u, s->x));
  assert_ok(mbd_batch_forward_dynamics_soa(b, n, q + 1, v + 1, u + 1, x + 1));
  check_soa_of(b, n, nv, x, s->x);
  assert_ok(mbd_batch_forward_dynamics(b, n, s->q, s->v, NULL, s->x));
  assert_ok(mbd_batch_forward_dynamics_soa(b, n, q + 1, v + 1, NULL, x + 1));
  check_soa_of(b, n, nv, x, s->x);
  assert_ok(mbd_batch_bias(b, n, s->q, s->v, s->x));
  assert_ok(mbd_batch_bias_soa(b, n, q + 1, v + 1, x + 1));
  check_soa_of(b, n, nv, x, s->x);
  assert_ok(mbd_batch_gravity(b, n, s->q, s->x));
  assert_ok(mbd_batch_gravity_soa(b, n, q + 1, x + 1));
  check_soa_of(b, n, nv, x, s->x);
  check_soa_mass(b, s, n, nv, q);
  free(q), free(v), free(u), free(x);
}

// robots whose memory one kernel needs, and the others do not
static void
long_robots(void ** context)
{
  (void)context;
  const int length[] = {1, 7, 33, 64, 100, 300};
  for (size_t k = 0; k < sizeof length / sizeof *length; k++) {
    tree_t * t = chain(length[k], 3);
    many_t s = make_many(t);
    mbd_batch_t * b;
    assert_ok(mbd_batch_create(t->model, 1, &b));
    assert_ok(mbd_batch_set_parameters_from(b, t->data));
    check_many_frames(t, b, &s, STATES);
    check_many_others(t, b, &s, STATES);
    if (length[k] <= 100) check_many_derivatives(t, b, &s, STATES);
    mbd_batch_destroy(b);
    free_many(s);
    tree_free(t);
  }
}

static void
soa_and_its_errors(void ** context)
{
  (void)context;
  tree_t * t = chain(5, 3);
  many_t s = make_many(t);
  mbd_batch_t * b;
  assert_ok(mbd_batch_create(t->model, 2, &b));
  double *q = soa_of(b, STATES, 5, s.q), *v = soa_of(b, STATES, 5, s.v);
  double * M = soa_of(b, STATES, mbd_batch_mass_numbers(b), NULL);
  const size_t vector = (size_t)mbd_batch_vector_length(b);
  for (size_t bad = 0; bad < STATES; bad += 4) {
    double *number = &q[1 + (bad / vector * 5 + 2) * vector + bad % vector], keep = *number;
    *number = bad % 8 ? HUGE_VAL : (double)NAN;
    const mbd_status_t status = mbd_batch_bias_soa(b, STATES, q + 1, v + 1, M + 1);
    assert_int_equal(status, MBD_ERROR_NOT_FINITE);
    assert_int_equal(mbd_batch_failed(b), bad);
    assert_int_equal(mbd_batch_mass_matrix_soa(b, STATES, q + 1, M + 1), MBD_ERROR_NOT_FINITE);
    assert_int_equal(mbd_batch_failed(b), bad);
    *number = keep;
  }
  // vector elements without a state may hold anything
  for (size_t k = 0; k < vector - STATES % vector && STATES % vector; k++) {
    q[1 + (STATES / vector * 5 + 1) * vector + STATES % vector + k] = (double)NAN;
  }
  assert_ok(mbd_batch_mass_matrix_soa(b, STATES, q + 1, M + 1));
  assert_int_equal(mbd_batch_soa_size(b, 0, 5), 0);
  assert_int_equal(mbd_batch_soa_size(b, 1, 5), 5 * vector);
  assert_int_equal(mbd_batch_mass_matrix_soa(NULL, 1, q, M), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_batch_bias_soa(b, 1, q, NULL, M), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_batch_gravity_soa(b, -1, q + 1, M), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_batch_to_soa(b, -1, 5, s.q, q), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_batch_from_soa(b, 1, 5, NULL, q), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_batch_mass_from_soa(b, 1, M, NULL), MBD_ERROR_NULL_ARGUMENT);
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
      // but where the library under test has no kernels
      const char * set = getenv("MBDYN_TEST_KERNELS");
      const bool none = set && strcmp(set, "none") == 0;
      if (!none) assert_true(mbd_batch_vector_length(b) >= 2);
      check_many(t, b, &s, STATES);
      check_many(t, b, &s, 1);
      check_many_change(t, b, &s);
      check_many_frames(t, b, &s, STATES);
      check_many_frames(t, b, &s, 2);
      check_many_others(t, b, &s, 5);
      check_many_derivatives(t, b, &s, 11);
      check_soa(t, b, &s, STATES);
      check_soa(t, b, &s, 1);
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
  assert_ok(mbd_batch_set_parameters_from(b, data));
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
    assert_ok(mbd_set_state(m, data, q, NULL));
    assert_ok(mbd_mass_matrix(m, data, M.a));
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
    mbd_batch_t * b;
    assert_ok(mbd_batch_create(other.model, 1, &b));
    check_many(&other, b, &s, STATES);
    mbd_batch_destroy(b);
    free_many(s);
    mbd_data_destroy(other.data);
    mbd_model_destroy(other.model);
  }
}

// joints that have turned often in some of the states, which only the C library can take
static void
far_turns(void ** context)
{
  (void)context;
  tree_t * t = chain(5, 3);
  many_t s = make_many(t);
  mbd_batch_t * b;
  assert_ok(mbd_batch_create(t->model, 1, &b));
  for (size_t k = 0; k < STATES; k += 3)
    s.q[5 * k + k % 5] += (k % 2 ? -1e13 : 1e17) * (double)(k + 1);
  check_many(t, b, &s, STATES);
  mbd_batch_destroy(b);
  free_many(s);
  tree_free(t);
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

// a slide that counts in which thread it is asked
static pthread_t caller;
static atomic_int elsewhere, all_calls;

static void
slide(void * ctx, const double * q, mbd_placement_t * X)
{
  (void)ctx;
  *X = mbdu_placement_identity();
  X->p.z = q[0];
  all_calls++;
  elsewhere += !pthread_equal(pthread_self(), caller);
}

static void
slide_subspace(void * ctx, const double * q, mbd_motion_t * S)
{
  (void)ctx, (void)q;
  memset(S, 0, sizeof *S);
  S->lin.z = 1;
}

static void
slide_rate(void * ctx, const double * q, const double * v, mbd_motion_t * dS)
{
  (void)ctx, (void)q, (void)v;
  memset(dS, 0, sizeof *dS);
}

static mbd_model_t *
slide_robot(void)
{
  mbd_user_joint_t user = {.nq = 1, .nv = 1, .transform = slide};
  user.subspace = slide_subspace;
  user.subspace_rate = slide_rate;
  mbd_model_t * model;
  assert_ok(mbd_model_create("slides", &model));
  for (int k = 0; k < 4; k++) {
    mbd_body_spec_t spec = mbd_body_spec_default();
    char names[2][8];
    snprintf(names[0], sizeof names[0], "l%d", k);
    snprintf(names[1], sizeof names[1], "j%d", k);
    spec.name = names[0], spec.joint_name = names[1];
    spec.parent = k - 1;
    spec.type = k == 1 ? MBD_JOINT_USER : MBD_JOINT_REVOLUTE;
    spec.user = k == 1 ? &user : NULL;
    spec.axis = mbdu_vec3(k % 2, 1, 0.5);
    spec.placement.p = mbdu_vec3(0.3, 0.1, 0);
    spec.inertia = (mbd_inertia_t){2, {0.1, 0, 0.2}, {1, 0, 0, 1, 0, 1}};
    int frame;
    assert_ok(mbd_model_add_body(model, &spec, &frame));
  }
  assert_ok(mbd_model_finalize(model));
  return model;
}

// few states are not worth a wake-up; for many, others take part; and all give the same bits
static void
threads_where_they_pay(void ** context)
{
  (void)context;
  enum { MANY = 20000 };
  mbd_model_t * model = slide_robot();
  const size_t size = (size_t)MANY * (size_t)model->nv;
  double * x[5];
  for (int k = 0; k < 5; k++) x[k] = calloc(size, sizeof(double));
  for (size_t k = 0; k < size; k++)
    x[0][k] = sin(0.3 * (double)k), x[1][k] = cos(1.7 * (double)k), x[2][k] = sin(2.1 * (double)k);
  caller = pthread_self();
  int compared = 0;
  const int sizes[] = {1, 2, 8, 9, MANY};
  for (int k = 0; k < 5; k++) {
    const int n = sizes[k];
    for (int threads = 1; threads <= 4; threads++) {
      mbd_batch_t * b;
      assert_ok(mbd_batch_create(model, threads, &b));
      elsewhere = all_calls = 0;
      double * out = threads == 1 ? x[3] : x[4];
      // a machine that is busy may not get to the other threads at once
      const bool shared = n == MANY && threads > 1;
      for (int again = 0; again < (shared ? 2000 : 200) && elsewhere == 0; again++) {
        assert_ok(mbd_batch_inverse_dynamics(b, n, x[0], x[1], x[2], out));
      }
      // also those that only pad a block
      assert_true(all_calls >= n);
      assert_int_equal(elsewhere > 0, shared);
      assert_memory_equal(x[3], out, (size_t)n * (size_t)model->nv * sizeof *out);
      compared += threads > 1;
      mbd_batch_destroy(b);
    }
  }
  assert_int_equal(compared, 15);
  for (int k = 0; k < 5; k++) free(x[k]);
  mbd_model_destroy(model);
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

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(batches),
    cmocka_unit_test(long_robots),
    cmocka_unit_test(square_robots),
    cmocka_unit_test(far_turns),
    cmocka_unit_test(a_joint_that_nothing_resists),
    cmocka_unit_test(soa_and_its_errors),
    cmocka_unit_test(threads_change_nothing),
    cmocka_unit_test(threads_where_they_pay),
    cmocka_unit_test(a_bad_state_is_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
