// Derivatives of batches in structures of arrays, in double and single precision, against those of single states.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/dynamics/batch.h"
#include "mbdyn/dynamics/batch_f32.h"
#include "mbdyn/dynamics/derivatives.h"

// two blocks of sixteen, and a part of one
enum { STATES = 37 };

static size_t compared;

typedef struct states {
  size_t nq, nv;
  double *q, *v, *u;
  float *f32_q, *f32_v, *f32_u;
} states_t;

// numbers that floats have
static float *
rounded(double * x, size_t n)
{
  float * y = malloc(n * sizeof *y);
  assert_non_null(y);
  for (size_t k = 0; k < n; k++) x[k] = (double)(y[k] = (float)x[k]);
  return y;
}

static states_t
make_states(const tree_t * t)
{
  const mbd_model_t * m = t->model;
  states_t s = {.nq = (size_t)m->nq, .nv = (size_t)m->nv};
  s.q = calloc(STATES * s.nq, sizeof(double));
  s.v = calloc(STATES * s.nv, sizeof(double));
  s.u = calloc(STATES * s.nv, sizeof(double));
  for (size_t k = 0; k < STATES; k++)
    assert_ok(mbd_random_configuration(m, t->seed * 100 + k, s.q + k * s.nq));
  for (size_t k = 0; k < STATES * s.nv; k++) {
    s.v[k] = sin(1.3 * (double)k);
    s.u[k] = 5 * cos(0.7 * (double)k);
  }
  s.f32_q = rounded(s.q, STATES * s.nq);
  s.f32_v = rounded(s.v, STATES * s.nv);
  s.f32_u = rounded(s.u, STATES * s.nv);
  return s;
}

static void
free_states(states_t s)
{
  free(s.q), free(s.v), free(s.u), free(s.f32_q), free(s.f32_v), free(s.f32_u);
}

// results of n states: matrices whole, and accelerations
typedef struct results {
  double *dq, *dv, *M, *qdd;
} results_t;

static results_t
make_results(const states_t * s)
{
  const size_t size = STATES * s->nv * s->nv;
  return (results_t){
    calloc(size, sizeof(double)), calloc(size, sizeof(double)), calloc(size, sizeof(double)),
    calloc(STATES * s->nv, sizeof(double))};
}

static void
free_results(results_t r)
{
  free(r.dq), free(r.dv), free(r.M), free(r.qdd);
}

static results_t
single_results(tree_t * t, const states_t * s, int n, bool forward)
{
  const mbd_model_t * m = t->model;
  const size_t size = s->nv * s->nv;
  results_t r = make_results(s);
  double * work = calloc(mbd_derivatives_work(m), sizeof *work);
  for (size_t k = 0; k < (size_t)n; k++) {
    const double *q = s->q + k * s->nq, *v = s->v + k * s->nv, *u = s->u + k * s->nv;
    double *dq = r.dq + k * size, *dv = r.dv + k * size, *M = r.M + k * size;
    if (forward)
      assert_ok(mbd_forward_dynamics_derivatives(
        m, t->data, q, v, u, NULL, work, r.qdd + k * s->nv, dq, dv, M));
    else
      assert_ok(mbd_inverse_dynamics_derivatives(m, t->data, q, v, u, NULL, work, dq, dv, M));
  }
  free(work);
  return r;
}

// a matrix of each state from its packed elements; symmetric: those of the lower triangle
static void
unpack(
  const double * packed, size_t n, size_t nv, size_t numbers, const int * row, const int * column,
  bool symmetric, double * out)
{
  for (size_t i = 0; i < n; i++, out += nv * nv) {
    for (size_t k = 0; k < numbers; k++) {
      const size_t r = (size_t)row[k], c = (size_t)column[k];
      out[r * nv + c] = packed[i * numbers + k];
      if (symmetric) out[c * nv + r] = packed[i * numbers + k];
    }
  }
}

// The functions of one precision: NAME of them, NUMBER, CONVERT of states (contiguous doubles) from structures of
// arrays.
#define RESULTS_OF(NAME, NUMBER, FIELD)                                                          \
  static NUMBER * NAME##_array(const NAME##_t * b, int n, size_t width, const NUMBER * from)     \
  {                                                                                              \
    const size_t size = NAME##_soa_size(b, n, width) + 1;                                        \
    NUMBER * x = malloc(size * sizeof *x);                                                       \
    assert_non_null(x);                                                                          \
    for (size_t k = 0; k < size; k++) x[k] = (NUMBER)NAN;                                        \
    if (from) assert_ok(NAME##_to_soa(b, n, width, from, x + 1));                                \
    return x;                                                                                    \
  }                                                                                              \
  static double * NAME##_contiguous(const NAME##_t * b, int n, size_t width, NUMBER * soa)       \
  {                                                                                              \
    NUMBER * x = calloc((size_t)n * width + 1, sizeof *x);                                       \
    double * y = calloc((size_t)n * width + 1, sizeof *y);                                       \
    assert_ok(NAME##_from_soa(b, n, width, soa + 1, x));                                         \
    for (size_t k = 0; k < (size_t)n * width; k++) y[k] = (double)x[k];                          \
    free(x), free(soa);                                                                          \
    return y;                                                                                    \
  }                                                                                              \
  static results_t NAME##_results(NAME##_t * b, const states_t * s, int n, bool forward)         \
  {                                                                                              \
    const size_t nv = s->nv, full = nv * nv;                                                     \
    const size_t numbers = forward ? full : NAME##_derivative_numbers(b);                        \
    const size_t mass = forward ? full : NAME##_mass_numbers(b);                                 \
    results_t r = make_results(s);                                                               \
    NUMBER * q = NAME##_array(b, n, s->nq, s->FIELD##q);                                         \
    NUMBER *v = NAME##_array(b, n, nv, s->FIELD##v), *u = NAME##_array(b, n, nv, s->FIELD##u);   \
    NUMBER *dq = NAME##_array(b, n, numbers, NULL), *dv = NAME##_array(b, n, numbers, NULL);     \
    NUMBER *M = NAME##_array(b, n, mass, NULL), *qdd = NAME##_array(b, n, nv, NULL);             \
    double * work = malloc(NAME##_derivatives_work(b) * sizeof *work);                           \
    if (forward)                                                                                 \
      assert_ok(NAME##_forward_dynamics_derivatives_soa(                                         \
        b, n, q + 1, v + 1, u + 1, work, qdd + 1, dq + 1, dv + 1, M + 1));                       \
    else                                                                                         \
      assert_ok(NAME##_inverse_dynamics_derivatives_soa(                                         \
        b, n, q + 1, v + 1, u + 1, work, dq + 1, dv + 1, M + 1));                                \
    double *a = NAME##_contiguous(b, n, numbers, dq), *c = NAME##_contiguous(b, n, numbers, dv); \
    double * d = NAME##_contiguous(b, n, mass, M);                                               \
    const size_t pairs = full + 1;                                                               \
    int *row = calloc(pairs, sizeof *row), *column = calloc(pairs, sizeof *column);              \
    if (forward) {                                                                               \
      double * e = NAME##_contiguous(b, n, nv, qdd);                                             \
      memcpy(r.dq, a, (size_t)n * full * sizeof *a);                                             \
      memcpy(r.dv, c, (size_t)n * full * sizeof *a);                                             \
      memcpy(r.M, d, (size_t)n * full * sizeof *a);                                              \
      memcpy(r.qdd, e, (size_t)n * nv * sizeof *a);                                              \
      free(e);                                                                                   \
    } else {                                                                                     \
      free(qdd);                                                                                 \
      assert_ok(NAME##_derivative_pattern(b, row, column));                                      \
      unpack(a, (size_t)n, nv, numbers, row, column, false, r.dq);                               \
      unpack(c, (size_t)n, nv, numbers, row, column, false, r.dv);                               \
      assert_ok(NAME##_mass_pattern(b, row, column));                                            \
      unpack(d, (size_t)n, nv, mass, row, column, true, r.M);                                    \
    }                                                                                            \
    free(q), free(v), free(u), free(work), free(a), free(c), free(d), free(row), free(column);   \
    return r;                                                                                    \
  }

RESULTS_OF(mbd_batch, double, )
RESULTS_OF(mbd_batch_f32, float, f32_)

// matrices whole, as the library stores them
static results_t
whole_results(mbd_batch_t * b, const states_t * s, int n, bool forward)
{
  results_t r = make_results(s);
  double * work = malloc(mbd_batch_derivatives_work(b) * sizeof *work);
  assert_non_null(work);
  if (forward)
    assert_ok(
      mbd_batch_forward_dynamics_derivatives(b, n, s->q, s->v, s->u, work, r.qdd, r.dq, r.dv, r.M));
  else
    assert_ok(
      mbd_batch_inverse_dynamics_derivatives(b, n, s->q, s->v, s->u, work, r.dq, r.dv, r.M));
  free(work);
  return r;
}

// relative to the largest element of a state
static void
assert_states(
  const double * x, const double * expected, size_t n, size_t width, double tolerance,
  const char * what)
{
  for (size_t i = 0; i < n; i++, x += width, expected += width) {
    double size = 1;
    for (size_t k = 0; k < width; k++) size = fmax(size, fabs(expected[k]));
    for (size_t k = 0; k < width; k++, compared++) {
      if (fabs(x[k] - expected[k]) <= tolerance * size) continue;
      fail_msg("%s of state %zu: element %zu is %.9g, not %.9g", what, i, k, x[k], expected[k]);
    }
  }
}

static void
assert_results(
  results_t r, results_t expected, const states_t * s, int n, double tolerance, bool forward)
{
  const size_t size = s->nv * s->nv, states = (size_t)n;
  assert_states(r.dq, expected.dq, states, size, tolerance, forward ? "dqdd/dq" : "dtau/dq");
  assert_states(r.dv, expected.dv, states, size, tolerance, forward ? "dqdd/dv" : "dtau/dv");
  assert_states(r.M, expected.M, states, size, tolerance, forward ? "M^-1" : "M");
  assert_states(r.qdd, expected.qdd, states, s->nv, tolerance, "qdd");
  free_results(r);
}

static void
check_model(tree_t * t, int threads, double f32_tolerance)
{
  const int sizes[] = {1, 3, STATES};
  states_t s = make_states(t);
  mbd_batch_t * b;
  mbd_batch_f32_t * f;
  assert_ok(mbd_batch_create(t->model, threads, &b));
  assert_ok(mbd_batch_f32_create(t->model, threads, &f));
  assert_ok(mbd_batch_set_parameters_from(b, t->data));
  assert_ok(mbd_batch_f32_set_parameters_from(f, t->data));
  for (int k = 0; k < 6; k++) {
    const bool forward = k % 2;
    const int n = sizes[k / 2];
    const results_t expected = single_results(t, &s, n, forward);
    assert_results(mbd_batch_results(b, &s, n, forward), expected, &s, n, 1e-9, forward);
    assert_results(whole_results(b, &s, n, forward), expected, &s, n, 1e-9, forward);
    const double tolerance = forward ? 100 * f32_tolerance : f32_tolerance;
    assert_results(mbd_batch_f32_results(f, &s, n, forward), expected, &s, n, tolerance, forward);
    free_results(expected);
  }
  mbd_batch_destroy(b), mbd_batch_f32_destroy(f);
  free_states(s);
}

static void
random_robots(void ** context)
{
  (void)context;
  compared = 0;
  const tree_options_t options[2] = {plain_trees(), tree_options_default()};
  for (int kind = 0; kind < 2; kind++) {
    FOR_TREES(30, &options[kind])
    {
      assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_FRICTION | MBD_TERM_ROTORS : 0));
      if (seed % 3 == 0) assert_ok(mbd_set_gravity(t->data, mbdu_vec3(1, 2, 3)));
      check_model(t, 1 + (int)(seed % 3), 1e-4);
    }
  }
  assert_true(compared > 100000);
}

// the largest with kernels for all results, one beyond, and one with branches
static void
long_robots(void ** context)
{
  (void)context;
  for (int k = 0; k < 4; k++) {
    const int sizes[] = {7, 64, 70, 40};
    tree_t * t = k < 3 ? chain(sizes[k], 3) : branched_chain(sizes[k], 3);
    check_model(t, 2, 1e-3);
    tree_free(t);
  }
}

// a state whose inertias overflow leaves nothing behind in the memory of the kernels
static void
after_overflow(void ** context)
{
  (void)context;
  const tree_options_t options = plain_trees();
  size_t sliders = 0;
  compared = 0;
  FOR_TREES(30, &options)
  {
    const mbd_model_t * m = t->model;
    int sliding = -1;
    for (int i = 1; i < m->nbody; i++) {
      if (m->body[i].type == MBD_JOINT_PRISMATIC) sliding = m->body[i].q_index;
    }
    if (sliding < 0) continue;
    sliders++;
    states_t s = make_states(t);
    mbd_batch_t * b;
    assert_ok(mbd_batch_create(m, 1, &b));
    assert_ok(mbd_batch_set_parameters_from(b, t->data));
    const results_t expected = whole_results(b, &s, STATES, true);
    double * work = malloc(mbd_batch_derivatives_work(b) * sizeof *work);
    results_t r = make_results(&s);
    double * q = s.q + 2 * s.nq + (size_t)sliding;
    const double keep = *q;
    for (double large = 1e60; large < 1e300; large *= 1e20) {
      *q = large;
      const mbd_status_t status = mbd_batch_forward_dynamics_derivatives(
        b, STATES, s.q, s.v, s.u, work, r.qdd, r.dq, r.dv, r.M);
      assert_true(status == MBD_OK || mbd_batch_failed(b) == 2);
      *q = keep;
      assert_results(whole_results(b, &s, STATES, true), expected, &s, STATES, 0, true);
    }
    free(work);
    free_results(r), free_results(expected);
    mbd_batch_destroy(b);
    free_states(s);
  }
  assert_true(sliders > 0 && compared > 1000);
}

static void
errors(void ** context)
{
  (void)context;
  tree_t * t = chain(7, 3);
  states_t s = make_states(t);
  mbd_batch_t * b;
  assert_ok(mbd_batch_create(t->model, 1, &b));
  const size_t nv = s.nv, length = (size_t)mbd_batch_vector_length(b);
  double * work = malloc(mbd_batch_derivatives_work(b) * sizeof *work);
  double *q = mbd_batch_array(b, STATES, nv, s.q), *v = mbd_batch_array(b, STATES, nv, s.v);
  double *dq = mbd_batch_array(b, STATES, nv * nv, NULL), *M = mbd_batch_array(b, STATES, nv, NULL);
  double * dv = mbd_batch_array(b, STATES, nv * nv, NULL);
#define INVERSE(B, Q, WORK, DV) \
  mbd_batch_inverse_dynamics_derivatives_soa(B, STATES, Q, v + 1, NULL, WORK, dq + 1, DV, NULL)
  assert_ok(INVERSE(b, q + 1, work, dv + 1));
  // number 2 of state 30
  double * bad = q + 1 + (30 / length * nv + 2) * length + 30 % length;
  const double keep = *bad;
  *bad = (double)INFINITY;
  assert_int_equal(INVERSE(b, q + 1, work, dv + 1), MBD_ERROR_NOT_FINITE);
  assert_int_equal(mbd_batch_failed(b), 30);
  *bad = keep;
  // finite, but not what follows from it
  bad = v + 1 + (30 / length * nv + 2) * length + 30 % length;
  *bad = 1e200;
  assert_int_equal(INVERSE(b, q + 1, work, dv + 1), MBD_ERROR_NOT_FINITE);
  assert_int_equal(mbd_batch_failed(b), 30);
  // products of such numbers are finite: as those of a single state
  *bad = 1e153;
  assert_ok(INVERSE(b, q + 1, work, dv + 1));
  *bad = 1;
  assert_ok(INVERSE(b, q + 1, work, dv + 1));
  assert_int_equal(INVERSE(NULL, q + 1, work, dv + 1), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(INVERSE(b, NULL, work, dv + 1), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(INVERSE(b, q + 1, NULL, dv + 1), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(INVERSE(b, q + 1, work, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(
    mbd_batch_forward_dynamics_derivatives_soa(
      b, STATES, q + 1, v + 1, NULL, work, M + 1, dq + 1, dv + 1, NULL),
    MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_batch_derivative_numbers(b), nv * nv);
  assert_int_equal(mbd_batch_derivative_numbers(NULL), 0);
  assert_int_equal(mbd_batch_derivatives_work(NULL), 0);
  int unused[49];
  assert_int_equal(mbd_batch_derivative_pattern(b, unused, NULL), MBD_ERROR_NULL_ARGUMENT);
  mbd_batch_destroy(b);
  free(work), free(q), free(v), free(dq), free(dv), free(M);
  free_states(s);
  tree_free(t);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_robots), cmocka_unit_test(long_robots),
    cmocka_unit_test(after_overflow), cmocka_unit_test(errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
