// Parts of `mbdyn identify`: charts of inertia, smoothing, small algebra.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "excitation.h"
#include "identify_fit.h"
#include "identify_normal.h"
#include "inertia_chart.h"
#include "linear.h"
#include "mbdyn/dynamics/regressor.h"
#include "mbdyn/inverse.h"
#include "mbdyn/urdf.h"
#include "smooth.h"

static const double PI = 3.14159265358979323846;

static double
uniform(uint64_t * state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / (double)(1ull << 52) - 1;
}

//---------- charts ----------

// a box of 2 kg off its frame's origin
static const double BOX[TEN] = {2, 0.2, -0.1, 0.4, 0.11, 0.012, -0.04, 0.13, 0.02, 0.06};

// zero is the body itself, any other point is a body, and every step has a slope
static void
every_point_of_a_chart_is_a_body(void ** state)
{
  (void)state;
  inertia_chart_t chart;
  assert_true(chart_create(BOX, &chart));
  double theta[TEN], eta[TEN] = {0};
  chart_point(&chart, eta, theta, NULL);
  assert_close(theta, BOX, TEN, 1e-14, "the body itself");
  uint64_t seed = 5;
  for (int trial = 0; trial < 1000; trial++) {
    for (int k = 0; k < TEN; k++) eta[k] = 2 * uniform(&seed);
    double margin;
    chart_point(&chart, eta, theta, NULL);
    assert_ok(mbd_parameters_check(theta, &margin));
    assert_true(margin > 0);
  }
}

// the slope is the derivative, by central differences
static void
the_slope_of_a_chart_is_its_derivative(void ** state)
{
  (void)state;
  inertia_chart_t chart;
  assert_true(chart_create(BOX, &chart));
  uint64_t seed = 6;
  const double h = 1e-6;
  for (int trial = 0; trial < 50; trial++) {
    double eta[TEN], theta[TEN], slope[TEN * TEN], expected[TEN * TEN];
    for (int k = 0; k < TEN; k++) eta[k] = uniform(&seed);
    chart_point(&chart, eta, theta, slope);
    for (int k = 0; k < TEN; k++) {
      double less[TEN], more[TEN];
      const double keep = eta[k];
      eta[k] = keep - h, chart_point(&chart, eta, less, NULL);
      eta[k] = keep + h, chart_point(&chart, eta, more, NULL);
      eta[k] = keep;
      for (int i = 0; i < TEN; i++) expected[TEN * i + k] = (more[i] - less[i]) / (2 * h);
    }
    assert_close(slope, expected, TEN * TEN, 1e-8, "trial %d", trial);
  }
}

// bodies that cannot exist, or are flat, become bodies near by
static void
impossible_bodies_are_mended(void ** state)
{
  (void)state;
  static const double BAD[4][TEN] = {
    {0},
    {1, 0, 0, 0, 0.1, 0, 0, 0.1, 0, 0.2},      // a disc
    {1, 0, 0, 0, 0.1, 0, 0, 0.1, 0, 0.3},      // breaks the triangle inequality
    {1, 1, 0, 0, 0.01, 0, 0, 0.01, 0, 0.01}};  // a centre of mass outside of the mass
  for (int i = 0; i < 4; i++) {
    inertia_chart_t chart;
    double theta[TEN], margin;
    const double zero[TEN] = {0};
    assert_false(chart_create(BAD[i], &chart));
    chart_point(&chart, zero, theta, NULL);
    assert_ok(mbd_parameters_check(theta, &margin));
    assert_true(margin >= 0.99e-3);
    if (BAD[i][0] > 0) assert_close(theta, BAD[i], 4, 1e-12, "mass and first moment, %d", i);
  }
}

//---------- smoothing ----------

// amplitudes of q, v, a over the true ones, for a sine of a frequency through the low-pass
static void
gain_at(double frequency, double cutoff, double * gain)
{
  smooth_t smooth;
  const double step = 0.005, w = 2 * PI * frequency;
  double most[3] = {0};
  assert_true(smooth_create(1, 1, step, cutoff, &smooth));
  for (int i = 0; i < 4000; i++) {
    const double t = step * i, sample[2] = {t, sin(w * t)};
    double rider, x, dx, ddx;
    if (!smooth_push(&smooth, sample, &rider, &x, &dx, &ddx)) continue;
    // no delay: what comes out belongs to the rider's time
    const double s = sin(w * rider), c = cos(w * rider);
    if (frequency <= 0.5 * cutoff) {
      assert_true(fabs(x - s) < 1e-3 && fabs(dx / w - c) < 1e-3 && fabs(ddx / w / w + s) < 1e-3);
    }
    most[0] = fmax(most[0], fabs(x));
    most[1] = fmax(most[1], fabs(dx / w));
    most[2] = fmax(most[2], fabs(ddx / w / w));
  }
  smooth_free(&smooth);
  memcpy(gain, most, sizeof most);
}

// what the manual says: all below half the cut-off, half at it, nothing above one and a half
static void
the_low_pass_is_as_documented(void ** state)
{
  (void)state;
  double gain[3];
  gain_at(2, 10, gain);
  for (int k = 0; k < 3; k++) assert_true(fabs(gain[k] - 1) < 1e-3);
  gain_at(5, 10, gain);
  for (int k = 0; k < 3; k++) assert_true(fabs(gain[k] - 1) < 1e-3);
  gain_at(10, 10, gain);
  assert_true(fabs(gain[0] - 0.5) < 0.01);
  gain_at(15.1, 10, gain);
  for (int k = 0; k < 3; k++) assert_true(gain[k] < 1e-3);
}

//---------- algebra ----------

static void
solutions_and_eigenvectors_satisfy_their_equations(void ** state)
{
  (void)state;
  enum { N = 12 };
  uint64_t seed = 9;
  double B[N * N], A[N * N] = {0}, copy[N * N], V[N * N], b[N], x[N], Ax[N] = {0};
  for (int i = 0; i < N * N; i++) B[i] = uniform(&seed);
  for (int i = 0; i < N; i++) x[i] = b[i] = uniform(&seed);
  for (int i = 0; i < N * N * N; i++) {
    A[i / N] += B[i / N / N * N + i % N] * B[i / N % N * N + i % N];
  }
  memcpy(copy, A, sizeof A);
  assert_true(linear_solve(N, copy, x));
  for (int i = 0; i < N * N; i++) Ax[i / N] += A[i] * x[i % N];
  assert_close(Ax, b, N, 1e-9, "A x");

  memcpy(copy, A, sizeof A);
  linear_eigen(N, copy, V);
  double left[N * N] = {0}, right[N * N];
  for (int i = 0; i < N * N * N; i++)
    left[i / N] += A[i / N / N * N + i % N] * V[i % N * N + i / N % N];
  for (int i = 0; i < N * N; i++) right[i] = V[i] * copy[(N + 1) * (i % N)];
  assert_close(left, right, N * N, 1e-12, "A V");

  // not positive definite
  memcpy(copy, A, sizeof A);
  copy[N + 1] = -1;
  assert_false(linear_solve(N, copy, x));
}

//---------- fit ----------

// two seconds of another robot's torques
static void
add_samples(normal_t * normal, const mbd_model_t * truth)
{
  excitation_t motion;
  mbd_data_t * data;
  double q[MAX_JOINTS], v[MAX_JOINTS], a[MAX_JOINTS], tau[MAX_JOINTS];
  uint64_t seed = 11;
  excitation_create(truth, 8, &motion);
  assert_ok(mbd_data_create(truth, &data));
  assert_ok(mbd_set_terms(data, MBD_TERM_FRICTION | MBD_TERM_ROTORS));
  for (int i = 0; i < 200; i++) {
    excitation_at(&motion, 0.01 * i, q, v, a);
    assert_ok(mbd_inverse_dynamics(truth, data, q, v, a, NULL, tau));
    for (int j = 0; j < truth->nv; j++) tau[j] += 0.3 * gaussian(&seed);
    assert_ok(normal_add(normal, &(sample_t){0.01 * i, q, v, a, tau}));
  }
  mbd_data_destroy(data);
}

// what is minimised, from its definition
static double
cost_of(const fit_t * fit, const double * z)
{
  double theta[150], delta[150], cost = 0;
  for (int i = 0; i < fit->nbody; i++) {
    chart_point(&fit->chart[i], z + TEN * i, theta + TEN * i, NULL);
  }
  for (int k = TEN * fit->nbody; k < fit->n; k++) theta[k] = z[k] * z[k];
  for (int k = 0; k < fit->n; k++) {
    delta[k] = theta[k] - fit->normal->theta[fit->normal->index[k]];
    cost += fit->prior * pow((z[k] - fit->goal[k]) / fit->scale[k], 2);
  }
  for (int j = 0; j < fit->nv; j++) {
    cost += normal_error(fit->normal, j, delta) / pow(fit->sigma[j], 2);
  }
  return cost;
}

// no number can be moved to a lower cost: a fifth of its standard deviation costs a 25th
static void
the_fit_is_a_minimum(void ** state)
{
  (void)state;
  mbd_model_t * urdf;
  const char * path = MBDYN_SOURCE_DIR "/config/robots/arm7.urdf";
  assert_ok(mbdx_urdf_load_file(path, NULL, &urdf, NULL));
  mbd_model_t * truth = other_robot(urdf, 12, 0.1, NULL);
  normal_t normal;
  fit_t fit;
  assert_true(normal_create(urdf, (normal_terms_t){true, true, false}, &normal));
  add_samples(&normal, truth);
  assert_true(fit_create(&normal, 10, &fit));
  fit_run(&fit, NULL);
  assert_true(fit.converged && fit.n == 91);
  const double least = cost_of(&fit, fit.z);
  for (int k = 0; k < fit.n; k++) {
    const double keep = fit.z[k], curvature = fit.H[k * fit.n + k], h = 0.2 / sqrt(curvature);
    for (int sign = -1; sign <= 1; sign += 2) {
      fit.z[k] = keep + sign * h;
      const double cost = cost_of(&fit, fit.z);
      if (!(cost > least)) print_error("number %d: %.9g after %.9g\n", k, cost, least);
      assert_true(cost > least);
    }
    fit.z[k] = keep;
  }
  fit_free(&fit);
  normal_free(&normal);
  mbd_model_destroy(truth);
  mbd_model_destroy(urdf);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_point_of_a_chart_is_a_body),
    cmocka_unit_test(the_slope_of_a_chart_is_its_derivative),
    cmocka_unit_test(impossible_bodies_are_mended),
    cmocka_unit_test(the_low_pass_is_as_documented),
    cmocka_unit_test(solutions_and_eigenvectors_satisfy_their_equations),
    cmocka_unit_test(the_fit_is_a_minimum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
