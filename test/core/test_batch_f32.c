// Batches in single precision against double precision, state by state, with the same inputs.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/dynamics/batch.h"
#include "mbdyn/dynamics/batch_f32.h"

// more than two blocks of sixteen, and a part of one
enum { STATES = 37 };

typedef struct both {
  size_t nq, nv;
  float *q, *v, *u, *x, *y;
  double *Q, *V, *U, *X;
} both_t;

static both_t
make_both(const mbd_model_t * m, unsigned long seed)
{
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  const size_t most = nv * nv + 6 * nv + 36;
  both_t s = {.nq = nq, .nv = nv};
  s.q = calloc(STATES * nq, sizeof(float)), s.Q = calloc(STATES * nq, sizeof(double));
  s.v = calloc(STATES * nv, sizeof(float)), s.V = calloc(STATES * nv, sizeof(double));
  s.u = calloc(STATES * nv, sizeof(float)), s.U = calloc(STATES * nv, sizeof(double));
  s.x = calloc(48 * most, sizeof(float)), s.X = calloc(STATES * most, sizeof(double));
  s.y = calloc(48 * most, sizeof(float));
  for (size_t k = 0; k < STATES; k++)
    assert_ok(mbd_random_configuration(m, seed * 100 + k, s.Q + k * nq));
  for (size_t k = 0; k < STATES * nq; k++) s.Q[k] = (double)(s.q[k] = (float)s.Q[k]);
  for (size_t k = 0; k < STATES * nv; k++) {
    s.V[k] = (double)(s.v[k] = (float)sin(1.3 * (double)k));
    s.U[k] = (double)(s.u[k] = (float)(5 * cos(0.7 * (double)k)));
  }
  return s;
}

static void
free_both(both_t s)
{
  free(s.q), free(s.v), free(s.u), free(s.x), free(s.y);
  free(s.Q), free(s.V), free(s.U), free(s.X);
}

typedef enum function {
  INVERSE,
  BIAS,
  GRAVITY,
  MASS,
  PLACEMENTS,
  JACOBIAN,
  FORWARD,
  FUNCTIONS
} function_t;

static size_t compared;
static double largest[FUNCTIONS];

// error of each state relative to the largest element of its result; returns the largest
static double
error_of(function_t function, const float * x, const double * X, size_t n, size_t width)
{
  double worst = 0;
  for (size_t i = 0; i < n; i++) {
    double scale = 0, error = 0;
    for (size_t k = 0; k < width; k++) {
      scale = fmax(scale, fabs(X[i * width + k]));
      error = fmax(error, fabs((double)x[i * width + k] - X[i * width + k]));
      assert_true(isfinite(x[i * width + k]));
    }
    compared += width;
    if (scale > 1e-6) worst = fmax(worst, error / scale);
  }
  largest[function] = fmax(largest[function], worst);
  return worst;
}

static void
check_function(
  const mbd_model_t * m, mbd_batch_t * b, mbd_batch_f32_t * f, both_t * s, int n, function_t k)
{
  const int frame[3] = {m->nframe - 1, 0, m->nframe / 2}, nframe = m->nframe < 3 ? m->nframe : 3;
  const mbd_reference_t reference = (mbd_reference_t)(n % 3);
  size_t width = s->nv;
  switch (k) {
    case INVERSE:
      assert_ok(mbd_batch_inverse_dynamics(b, n, s->Q, s->V, s->U, s->X));
      assert_ok(mbd_batch_f32_inverse_dynamics(f, n, s->q, s->v, s->u, s->x));
      break;
    case BIAS:
      assert_ok(mbd_batch_bias(b, n, s->Q, s->V, s->X));
      assert_ok(mbd_batch_f32_bias(f, n, s->q, s->v, s->x));
      break;
    case GRAVITY:
      assert_ok(mbd_batch_gravity(b, n, s->Q, s->X));
      assert_ok(mbd_batch_f32_gravity(f, n, s->q, s->x));
      break;
    case MASS:
      width = s->nv * s->nv;
      assert_ok(mbd_batch_mass_matrix(b, n, s->Q, s->X));
      assert_ok(mbd_batch_f32_mass_matrix(f, n, s->q, s->x));
      break;
    case PLACEMENTS:
      width = 12 * (size_t)nframe;
      assert_ok(mbd_batch_frame_placements(b, n, s->Q, nframe, frame, (mbd_placement_t *)s->X));
      assert_ok(mbd_batch_f32_frame_placements(f, n, s->q, nframe, frame, s->x));
      break;
    case JACOBIAN:
      width = 6 * s->nv;
      assert_ok(mbd_batch_jacobian(b, n, s->Q, frame[0], reference, s->X));
      assert_ok(mbd_batch_f32_jacobian(f, n, s->q, frame[0], reference, s->x));
      break;
    default:
      assert_ok(mbd_batch_forward_dynamics(b, n, s->Q, s->V, s->U, s->X));
      assert_ok(mbd_batch_f32_forward_dynamics(f, n, s->q, s->v, s->u, s->x));
      break;
  }
  const double error = error_of(k, s->x, s->X, (size_t)n, width);
  // terms of inverse dynamics may cancel; forward dynamics by the condition of the mass matrix
  static const double LIMIT[] = {
    [INVERSE] = 1e-4,    [BIAS] = 3e-5,     [GRAVITY] = 3e-5, [MASS] = 2e-6,
    [PLACEMENTS] = 2e-6, [JACOBIAN] = 2e-6, [FORWARD] = 2e-3};
  const double limit = LIMIT[k];
  if (!(error < limit)) print_error("function %d, %d states: error %g\n", k, n, error);
  assert_true(error < limit);
}

// the torques of the accelerations are the torques: an error that does not depend on the condition
static void
check_residual(mbd_batch_t * b, mbd_batch_f32_t * f, both_t * s)
{
  assert_ok(mbd_batch_f32_forward_dynamics(f, STATES, s->q, s->v, s->u, s->x));
  for (size_t k = 0; k < STATES * s->nv; k++) s->X[k] = (double)s->x[k];
  double * tau = calloc(STATES * s->nv, sizeof *tau);
  double * bias = calloc(STATES * s->nv, sizeof *bias);
  assert_ok(mbd_batch_inverse_dynamics(b, STATES, s->Q, s->V, s->X, tau));
  assert_ok(mbd_batch_bias(b, STATES, s->Q, s->V, bias));
  for (size_t i = 0; i < STATES; i++) {
    double scale = 0, error = 0;
    for (size_t k = i * s->nv; k < (i + 1) * s->nv; k++) {
      scale = fmax(scale, fabs(s->U[k]) + fabs(bias[k]));
      error = fmax(error, fabs(tau[k] - s->U[k]));
    }
    if (!(error < 2e-3 * scale)) print_error("residual %g of %g\n", error, scale);
    assert_true(error < 2e-3 * scale);
    compared++;
  }
  free(tau), free(bias);
}

// the layouts give the same bits
static void
check_soa(mbd_batch_f32_t * f, both_t * s)
{
  const size_t nq = s->nq, nv = s->nv, numbers = mbd_batch_f32_mass_numbers(f);
  float * a[4];
  const float * from[3] = {s->q, s->v, s->u};
  const size_t width[3] = {nq, nv, nv};
  for (int k = 0; k < 3; k++) {
    a[k] = malloc(mbd_batch_f32_soa_size(f, STATES, width[k]) * sizeof(float));
    assert_ok(mbd_batch_f32_to_soa(f, STATES, width[k], from[k], a[k]));
  }
  const size_t most = numbers > nv ? numbers : nv;
  a[3] = malloc(mbd_batch_f32_soa_size(f, STATES, most) * sizeof(float));
  for (int k = 0; k < 4; k++) {
    switch (k) {
      case 0:
        assert_ok(mbd_batch_f32_inverse_dynamics_soa(f, STATES, a[0], a[1], a[2], a[3]));
        assert_ok(mbd_batch_f32_inverse_dynamics(f, STATES, s->q, s->v, s->u, s->y));
        break;
      case 1:
        assert_ok(mbd_batch_f32_bias_soa(f, STATES, a[0], a[1], a[3]));
        assert_ok(mbd_batch_f32_bias(f, STATES, s->q, s->v, s->y));
        break;
      case 2:
        assert_ok(mbd_batch_f32_gravity_soa(f, STATES, a[0], a[3]));
        assert_ok(mbd_batch_f32_gravity(f, STATES, s->q, s->y));
        break;
      default:
        assert_ok(mbd_batch_f32_forward_dynamics_soa(f, STATES, a[0], a[1], a[2], a[3]));
        assert_ok(mbd_batch_f32_forward_dynamics(f, STATES, s->q, s->v, s->u, s->y));
        break;
    }
    assert_ok(mbd_batch_f32_from_soa(f, STATES, nv, a[3], s->x));
    assert_memory_equal(s->x, s->y, STATES * nv * sizeof(float));
    compared += STATES * nv;
  }
  int *row = malloc(numbers * sizeof *row), *column = malloc(numbers * sizeof *column);
  assert_ok(mbd_batch_f32_mass_pattern(f, row, column));
  assert_ok(mbd_batch_f32_mass_matrix_soa(f, STATES, a[0], a[3]));
  assert_ok(mbd_batch_f32_mass_matrix(f, STATES, s->q, s->y));
  float * packed = malloc(STATES * numbers * sizeof *packed);
  assert_ok(mbd_batch_f32_from_soa(f, STATES, numbers, a[3], packed));
  for (size_t i = 0; i < STATES; i++) {
    for (size_t k = 0; k < numbers; k++) {
      const float full = s->y[i * nv * nv + (size_t)row[k] * nv + (size_t)column[k]];
      assert_true(packed[i * numbers + k] == full);
      compared++;
    }
  }
  free(row), free(column), free(packed);
  for (int k = 0; k < 4; k++) free(a[k]);
}

static void
check_model(const mbd_model_t * m, const mbd_data_t * data, unsigned long seed, bool forward)
{
  both_t s = make_both(m, seed);
  mbd_batch_t * b;
  mbd_batch_f32_t * f;
  assert_ok(mbd_batch_create(m, 1, &b));
  assert_ok(mbd_batch_f32_create(m, 1, &f));
  if (data) assert_ok(mbd_batch_set_parameters_from(b, data));
  if (data) assert_ok(mbd_batch_f32_set_parameters_from(f, data));
  const int sizes[] = {1, 4, 7, 16, 31, STATES};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (int k = 0; k < (forward ? FUNCTIONS : FORWARD); k++)
      check_function(m, b, f, &s, sizes[i], (function_t)k);
  }
  if (forward) check_residual(b, f, &s);
  check_soa(f, &s);
  mbd_batch_destroy(b), mbd_batch_f32_destroy(f);
  free_both(s);
}

static void
random_robots(void ** context)
{
  (void)context;
  compared = 0;
  FOR_TREES(60, NULL)
  {
    check_model(t->model, NULL, seed, true);
    const mbd_inertia_t load = {2, {0.2, -0.1, 0.3}, {0.5, 0.01, -0.02, 0.6, 0.03, 0.4}};
    assert_ok(mbd_payload_attach(t->model, t->data, t->model->nframe - 1, &load));
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(1, 2, 3)));
    t->data->terms = seed % 2 ? MBD_TERM_FRICTION | MBD_TERM_ROTORS : 0;
    check_model(t->model, t->data, seed, true);
  }
  assert_true(compared > 10000);
  static const char * const NAME[] = {"inverse",    "bias",     "gravity", "mass",
                                      "placements", "Jacobian", "forward"};
  for (int k = 0; k < FUNCTIONS; k++)
    print_message("%s: largest error %.1e\n", NAME[k], largest[k]);
}

// angles of any size: beyond the reduction in single precision, too
static void
large_angles(void ** context)
{
  (void)context;
  const tree_options_t options = plain_trees();
  FOR_TREES(10, &options)
  {
    const mbd_model_t * m = t->model;
    mbd_batch_t * b;
    mbd_batch_f32_t * f;
    both_t s = make_both(m, seed);
    assert_ok(mbd_batch_create(m, 1, &b));
    assert_ok(mbd_batch_f32_create(m, 1, &f));
    const double turns[] = {100, 8000, 1e6, 1e30};
    for (int a = 0; a < 4; a++) {
      for (int i = 0; i < m->nbody; i++) {
        if (m->body[i].type != MBD_JOINT_REVOLUTE && m->body[i].type != MBD_JOINT_CONTINUOUS)
          continue;
        for (size_t k = 0; k < STATES; k++) {
          const size_t at = k * s.nq + (size_t)m->body[i].q_index;
          s.q[at] = (float)(turns[a] * sin(3.0 * (double)at + a));
          s.Q[at] = (double)s.q[at];
        }
      }
      check_function(m, b, f, &s, STATES, GRAVITY);
      check_function(m, b, f, &s, STATES, PLACEMENTS);
    }
    mbd_batch_destroy(b), mbd_batch_f32_destroy(f);
    free_both(s);
  }
}

static void
threads_and_errors(void ** context)
{
  (void)context;
  enum { MANY = 4000 };
  tree_t * t = random_tree(5, NULL);
  const size_t nq = (size_t)t->model->nq, nv = (size_t)t->model->nv;
  float * q = calloc(MANY * nq, sizeof *q);
  float *v = calloc(MANY * nv, sizeof *v), *x = calloc(MANY * nv, sizeof *x);
  float * y = calloc(MANY * nv, sizeof *y);
  double * Q = calloc(nq, sizeof *Q);
  for (size_t i = 0; i < MANY; i++) {
    assert_ok(mbd_random_configuration(t->model, i, Q));
    for (size_t k = 0; k < nq; k++) q[i * nq + k] = (float)Q[k];
    for (size_t k = 0; k < nv; k++) v[i * nv + k] = (float)sin((double)(i + k));
  }
  mbd_batch_f32_t *one, *three, *none = NULL;
  assert_ok(mbd_batch_f32_create(t->model, 1, &one));
  assert_ok(mbd_batch_f32_create(t->model, 3, &three));
  assert_ok(mbd_batch_f32_forward_dynamics(one, MANY, q, v, NULL, x));
  assert_ok(mbd_batch_f32_forward_dynamics(three, MANY, q, v, NULL, y));
  assert_memory_equal(x, y, MANY * nv * sizeof *x);
  for (int bad = 3; bad < MANY; bad += 777) {
    const size_t at = (size_t)bad * nv;
    const float keep = v[at];
    v[at] = INFINITY;
    memset(y + at, 0, nv * sizeof *y);
    assert_int_equal(mbd_batch_f32_bias(three, MANY, q, v, y), MBD_ERROR_NOT_FINITE);
    assert_int_equal(mbd_batch_f32_failed(three), bad);
    for (size_t k = at; k < at + nv; k++) assert_true(y[k] == 0);
    // finite in double precision, but not as a float
    v[at] = 1e25f;
    assert_int_equal(mbd_batch_f32_bias(three, MANY, q, v, y), MBD_ERROR_NOT_FINITE);
    assert_int_equal(mbd_batch_f32_failed(three), bad);
    v[at] = keep;
  }
  assert_ok(mbd_batch_f32_bias(three, MANY, q, v, y));
  assert_int_equal(mbd_batch_f32_failed(three), -1);
  assert_ok(mbd_batch_f32_bias(three, 0, q, v, y));
  assert_int_equal(mbd_batch_f32_bias(three, -1, q, v, y), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_batch_f32_bias(three, 1, q, NULL, y), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_batch_f32_bias(NULL, 1, q, v, y), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_batch_f32_jacobian(one, 1, q, -1, MBD_LOCAL, y), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_batch_f32_create(t->model, 0, &none), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_batch_f32_create(NULL, 1, &none), MBD_ERROR_NULL_ARGUMENT);
  mbd_batch_f32_destroy(one), mbd_batch_f32_destroy(three), mbd_batch_f32_destroy(NULL);
  free(q), free(v), free(x), free(y), free(Q);
  tree_free(t);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_robots), cmocka_unit_test(large_angles),
    cmocka_unit_test(threads_and_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
