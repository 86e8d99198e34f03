// Integrators: order of every method, error control, stiff problems, dense output, refusals.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/simulate/ode.h"

static mbd_ode_t *
make(const mbd_ode_problem_t * problem, const mbd_ode_options_t * options)
{
  mbd_ode_t * ode;
  const size_t size = mbd_ode_size(problem);
  assert_ok(mbd_ode_init(problem, options, malloc(size), size, &ode));
  return ode;
}

static void
step_to(mbd_ode_t * ode, double t_end)
{
  while (mbd_ode_info(ode)->t < t_end) assert_ok(mbd_ode_step(ode, t_end));
}

//---------- order ----------

// x = (sin t, exp(-t/2)), nonlinear, coupled by position, velocity and time
static mbd_status_t
known(void * ctx, double t, const double * x, const double * xd, double * out)
{
  (void)ctx;
  const double circle = x[0] * x[0] + xd[0] * xd[0] - 1, decay = x[1] - exp(-t / 2);
  out[0] = -x[0] - 0.5 * circle * xd[0] + 0.3 * decay;
  out[1] = -xd[1] / 2 - decay + 0.3 * circle * x[1];
  return MBD_OK;
}

static mbd_status_t
known_first(void * ctx, double t, const double * y, const double * unused, double * out)
{
  (void)unused;
  out[0] = y[2], out[1] = y[3];
  return known(ctx, t, y, y + 2, out + 2);
}

static void
exact(double t, double y[4])
{
  y[0] = sin(t), y[1] = exp(-t / 2), y[2] = cos(t), y[3] = -exp(-t / 2) / 2;
}

// error at t = 2 with a fixed step
static double
error_of(mbd_method_t method, bool first_order, double h)
{
  const mbd_ode_problem_t problem = {
    .n = first_order ? 4 : 2, .first_order = first_order, .f = first_order ? known_first : known};
  mbd_ode_options_t options = mbd_ode_options_default();
  options.method = method;
  options.fixed = true;
  options.step = h;
  options.rtol = options.atol = 1e-11;
  mbd_ode_t * ode = make(&problem, &options);
  double y[4], largest = 0;
  exact(0, y);
  assert_ok(mbd_ode_set(ode, 0, y, first_order ? NULL : y + 2, true));
  step_to(ode, 2);
  exact(2, y);
  const mbd_ode_info_t * info = mbd_ode_info(ode);
  assert_int_equal(info->steps, (long)(2 / h + 0.5));
  for (int i = 0; i < 4; i++) {
    const double is = first_order || i < 2 ? info->x[i] : info->xd[i - 2];
    largest = larger(largest, fabs(is - y[i]));
  }
  free(ode);
  return largest;
}

static void
every_method_has_its_order(void ** state)
{
  (void)state;
  static const double order[MBD_METHODS] = {5, 4, 4, 1, 2, 2, 4, 5};
  for (int method = 0; method < MBD_METHODS; method++) {
    const bool second_only = method == MBD_METHOD_NYSTROM4 || method == MBD_METHOD_HHT ||
                             method == MBD_METHOD_SEMI_IMPLICIT;
    for (int first_order = 0; first_order <= !second_only; first_order++) {
      const double h = order[method] == 1 ? 0.001 : order[method] == 2 ? 0.01 : 0.05;
      const double coarse = error_of((mbd_method_t)method, first_order, h);
      const double fine = error_of((mbd_method_t)method, first_order, h / 2);
      const double measured = log2(coarse / fine);
      print_message(
        "%-14s order %d: %.3f, error %.1e at %g s\n", mbd_method_name((mbd_method_t)method),
        2 - first_order, measured, fine, h / 2);
      assert_true(fabs(measured - order[method]) < 0.1);
    }
  }
}

//---------- error control ----------

static void
error_follows_the_tolerance(void ** state)
{
  (void)state;
  static const mbd_method_t methods[] = {
    MBD_METHOD_RKF45, MBD_METHOD_TRAPEZOIDAL, MBD_METHOD_HHT, MBD_METHOD_SDIRK54, MBD_METHOD_AUTO};
  const mbd_ode_problem_t problem = {.n = 2, .f = known};
  for (int k = 0; k < 5; k++) {
    const bool second = methods[k] == MBD_METHOD_TRAPEZOIDAL || methods[k] == MBD_METHOD_HHT;
    for (double tolerance = 1e-4; tolerance > (second ? 1e-7 : 1e-11); tolerance *= 1e-2) {
      mbd_ode_options_t options = mbd_ode_options_default();
      options.method = methods[k];
      options.rtol = options.atol = tolerance;
      mbd_ode_t * ode = make(&problem, &options);
      double y[4], largest = 0;
      exact(0, y);
      assert_ok(mbd_ode_set(ode, 0, y, y + 2, true));
      step_to(ode, 10);
      exact(10, y);
      const mbd_ode_info_t * info = mbd_ode_info(ode);
      for (int i = 0; i < 2; i++) {
        largest = larger(largest, fabs(info->x[i] - y[i]));
        largest = larger(largest, fabs(info->xd[i] - y[2 + i]));
      }
      print_message(
        "%-12s rtol %.0e: error %.1e, %ld steps, %ld rejected, %ld evaluations\n",
        mbd_method_name(methods[k]), tolerance, largest, info->steps, info->rejected,
        info->evaluations);
      // at most what steps may add; phases are not corrected
      assert_true(largest < 3 * tolerance * (double)info->steps);
      assert_true(largest > 1e-4 * tolerance);
      assert_false(info->stiff);
      free(ode);
    }
  }
}

//---------- stiff problems ----------

// van der Pol, x'' = mu (1 - x^2) x' - x
static mbd_status_t
van_der_pol(void * ctx, double t, const double * x, const double * xd, double * out)
{
  (void)t;
  out[0] = *(double *)ctx * (1 - x[0] * x[0]) * xd[0] - x[0];
  return MBD_OK;
}

static mbd_status_t
van_der_pol_jacobian(
  void * ctx, double t, const double * x, const double * xd, double * dx, double * dxd)
{
  (void)t;
  const double mu = *(double *)ctx;
  dx[0] = -2 * mu * x[0] * xd[0] - 1;
  dxd[0] = mu * (1 - x[0] * x[0]);
  return MBD_OK;
}

// x(t) of mu = 1000 in [1, 1.1] from an implicit relation on the slow manifold, by tight sdirk54
static void
relaxation_oscillation(void ** state)
{
  (void)state;
  double mu = 1000, x = 2, xd = 0, reference = 0;
  static const mbd_method_t methods[] = {MBD_METHOD_SDIRK54, MBD_METHOD_SDIRK54, MBD_METHOD_AUTO};
  for (int k = 0; k < 3; k++) {
    const mbd_ode_problem_t problem = {
      .n = 1, .f = van_der_pol, .jacobian = k == 0 ? NULL : van_der_pol_jacobian, .ctx = &mu};
    mbd_ode_options_t options = mbd_ode_options_default();
    options.method = methods[k];
    options.rtol = options.atol = k == 0 ? 1e-9 : 1e-7;
    mbd_ode_t * ode = make(&problem, &options);
    assert_ok(mbd_ode_set(ode, 0, &x, &xd, true));
    step_to(ode, 500);
    const mbd_ode_info_t * info = mbd_ode_info(ode);
    print_message(
      "van der Pol, %s: x(500) = %.9f, %ld steps, %ld evaluations, %ld Jacobians\n",
      mbd_method_name(methods[k]), info->x[0], info->steps, info->evaluations, info->jacobians);
    if (k == 0) {
      reference = info->x[0];
      // slow manifold: ln x - x^2 / 2 = -t / mu + c to first order
      assert_true(fabs(log(reference) - reference * reference / 2 - (log(2) - 2 + 0.5)) < 2e-3);
    }
    assert_true(fabs(info->x[0] - reference) < 1e-5);
    // explicit steps would be 3 / 3000 s long: half a million
    assert_true(info->steps < 3000);
    assert_int_equal(info->stiff, k == 2);
    free(ode);
  }
}

// a spring and damper of K = C = 1e6 beside a slow oscillator that drives them
static mbd_status_t
stiff_spring(void * ctx, double t, const double * x, const double * xd, double * out)
{
  const double K = *(double *)ctx;
  (void)t;
  out[0] = -x[0];
  out[1] = -K * (x[1] - x[0]) - K * (xd[1] - xd[0]) - x[0];
  return MBD_OK;
}

static void
explicit_steps_say_stiff(void ** state)
{
  (void)state;
  double K = 1e6;
  const double x[2] = {1, 1.00001}, xd[2] = {0, 0};
  const mbd_ode_problem_t problem = {.n = 2, .f = stiff_spring, .ctx = &K};
  static const mbd_method_t methods[] = {
    MBD_METHOD_RKF45, MBD_METHOD_AUTO, MBD_METHOD_SDIRK54, MBD_METHOD_TRAPEZOIDAL, MBD_METHOD_HHT};
  for (int k = 0; k < 5; k++) {
    mbd_ode_options_t options = mbd_ode_options_default();
    options.method = methods[k];
    mbd_ode_t * ode = make(&problem, &options);
    assert_ok(mbd_ode_set(ode, 0, x, xd, true));
    const double end = k == 0 ? 0.002 : 2;
    step_to(ode, end);
    const mbd_ode_info_t * info = mbd_ode_info(ode);
    print_message(
      "K = C = 1e6, %-11s: %ld steps to %g s, %ld evaluations\n", mbd_method_name(methods[k]),
      info->steps, end, info->evaluations);
    // both follow cos t, and so does the spring
    assert_true(fabs(info->x[0] - cos(end)) < 1e-4);
    assert_true(fabs(info->x[1] - cos(end)) < 1e-4);
    assert_int_equal(info->stiff, k <= 1);
    assert_true(k == 0 || info->steps < 5000);
    assert_true(k != 1 || info->method == MBD_METHOD_SDIRK54);
    free(ode);
  }
}

// stiff until t = 1, then not
static mbd_status_t
stiff_at_first(void * ctx, double t, const double * x, const double * xd, double * out)
{
  (void)ctx;
  const double c = 1e5 * exp(-20 * t);
  out[0] = -c * (xd[0] + sin(t)) - cos(t) + (cos(t) - x[0]) - xd[0] - sin(t);
  return MBD_OK;
}

static void
auto_goes_back(void ** state)
{
  (void)state;
  const double x = 1, xd = 0;
  const mbd_ode_problem_t problem = {.n = 1, .f = stiff_at_first};
  mbd_ode_options_t options = mbd_ode_options_default();
  options.method = MBD_METHOD_AUTO;
  mbd_ode_t * ode = make(&problem, &options);
  assert_ok(mbd_ode_set(ode, 0, &x, &xd, true));
  bool was_implicit = false;
  while (mbd_ode_info(ode)->t < 10) {
    assert_ok(mbd_ode_step(ode, 10));
    was_implicit |= mbd_ode_info(ode)->method == MBD_METHOD_SDIRK54;
  }
  assert_true(was_implicit);
  assert_int_equal(mbd_ode_info(ode)->method, MBD_METHOD_RKF45);
  assert_false(mbd_ode_info(ode)->stiff);
  assert_true(fabs(mbd_ode_info(ode)->x[0] - cos(10)) < 1e-5);
  free(ode);
}

//---------- step underflow and errors ----------

// x = 1 / (1 - t)
static mbd_status_t
blow_up(void * ctx, double t, const double * x, const double * xd, double * out)
{
  (void)ctx, (void)t, (void)xd;
  out[0] = 2 * x[0] * x[0] * x[0];
  return MBD_OK;
}

static mbd_status_t
refuses(void * ctx, double t, const double * x, const double * xd, double * out)
{
  (void)x, (void)xd;
  out[0] = 0;
  return t > 0.5 ? *(mbd_status_t *)ctx : MBD_OK;
}

static void
step_underflow_is_a_status(void ** state)
{
  (void)state;
  static const mbd_method_t methods[] = {
    MBD_METHOD_RKF45, MBD_METHOD_SDIRK54, MBD_METHOD_TRAPEZOIDAL, MBD_METHOD_HHT, MBD_METHOD_AUTO};
  for (int k = 0; k < 5; k++) {
    const mbd_ode_problem_t problem = {.n = 1, .f = blow_up};
    mbd_ode_options_t options = mbd_ode_options_default();
    options.method = methods[k];
    options.step_min = 1e-7;
    mbd_ode_t * ode = make(&problem, &options);
    const double one = 1;
    assert_ok(mbd_ode_set(ode, 0, &one, &one, true));
    mbd_status_t status = MBD_OK;
    while (status == MBD_OK && mbd_ode_info(ode)->t < 2) status = mbd_ode_step(ode, 2);
    assert_int_equal(status, MBD_ERROR_STEP);
    assert_true(fabs(mbd_ode_info(ode)->t - 1) < 1e-3);
    free(ode);
  }
  // numerical errors of f are met by smaller steps, others not
  const mbd_status_t errors[] = {MBD_ERROR_LOCKED, MBD_ERROR_STAGE};
  for (int k = 0; k < 2; k++) {
    mbd_status_t error = errors[k];
    const mbd_ode_problem_t problem = {.n = 1, .f = refuses, .ctx = &error};
    mbd_ode_t * ode = make(&problem, NULL);
    const double zero = 0;
    assert_ok(mbd_ode_set(ode, 0, &zero, &zero, true));
    mbd_status_t status = MBD_OK;
    while (status == MBD_OK) status = mbd_ode_step(ode, 1);
    assert_int_equal(status, k == 0 ? MBD_ERROR_STEP : MBD_ERROR_STAGE);
    assert_true(k == 1 || fabs(mbd_ode_info(ode)->t - 0.5) < 1e-12);
    free(ode);
  }
}

static void
wrong_arguments(void ** state)
{
  (void)state;
  mbd_ode_problem_t problem = {.n = 2, .f = known};
  mbd_ode_options_t options = mbd_ode_options_default();
  mbd_ode_t * ode;
  char memory[8];
  assert_int_equal(mbd_ode_init(&problem, NULL, memory, 8, &ode), MBD_ERROR_TOO_SMALL);
  assert_int_equal(mbd_ode_init(NULL, NULL, memory, 8, &ode), MBD_ERROR_NULL_ARGUMENT);
  options.rtol = -1;
  assert_int_equal(mbd_ode_init(&problem, &options, memory, 8, &ode), MBD_ERROR_BAD_ARGUMENT);
  // below rounding, steps would shrink without end
  options.rtol = options.atol = 1e-30;
  assert_int_equal(mbd_ode_init(&problem, &options, memory, 8, &ode), MBD_ERROR_BAD_ARGUMENT);
  options = mbd_ode_options_default();
  options.alpha = 0.1;
  assert_int_equal(mbd_ode_init(&problem, &options, memory, 8, &ode), MBD_ERROR_BAD_ARGUMENT);
  options = mbd_ode_options_default();
  options.method = MBD_METHOD_NYSTROM4;
  problem.first_order = true;
  assert_int_equal(mbd_ode_init(&problem, &options, memory, 8, &ode), MBD_ERROR_BAD_ARGUMENT);
  problem.n = 0;
  assert_int_equal(mbd_ode_size(&problem), 0);
  problem.n = 2, problem.first_order = false;
  ode = make(&problem, NULL);
  double x[2] = {0, 1}, xd[2] = {1, NAN};
  assert_int_equal(mbd_ode_step(ode, 1), MBD_ERROR_STAGE);
  assert_int_equal(mbd_ode_at(ode, 0, x, NULL, NULL), MBD_ERROR_STAGE);
  assert_int_equal(mbd_ode_set(ode, 0, x, xd, true), MBD_ERROR_NOT_FINITE);
  assert_int_equal(mbd_ode_set(ode, 0, x, NULL, true), MBD_ERROR_NULL_ARGUMENT);
  xd[1] = -0.5;
  assert_ok(mbd_ode_set(ode, 1, x, xd, true));
  assert_int_equal(mbd_ode_step(ode, 1), MBD_ERROR_BAD_ARGUMENT);
  assert_ok(mbd_ode_step(ode, 2));
  assert_int_equal(mbd_ode_at(ode, 0.9, x, NULL, NULL), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_ode_at(ode, 2.1, x, NULL, NULL), MBD_ERROR_BAD_ARGUMENT);
  free(ode);
}

//---------- dense output, integrals, projection ----------

static mbd_status_t
cubic(void * ctx, double t, const double * x, const double * xd, double * out)
{
  (void)ctx, (void)x, (void)xd;
  out[0] = 1 + t * (2 + t * (3 - 4 * t));
  out[1] = xd[0];
  return MBD_OK;
}

static void
dense_output_is_quintic(void ** state)
{
  (void)state;
  const mbd_ode_problem_t problem = {.n = 1, .nquad = 1, .f = cubic};
  mbd_ode_options_t options = mbd_ode_options_default();
  options.fixed = true;
  options.step = 0.5;
  mbd_ode_t * ode = make(&problem, &options);
  const double zero = 0;
  int compared = 0;
  assert_ok(mbd_ode_set(ode, 0, &zero, &zero, true));
  while (mbd_ode_info(ode)->t < 2) {
    assert_ok(mbd_ode_step(ode, 2));
    for (int k = 0; k <= 4; k++, compared++) {
      const double t = mbd_ode_info(ode)->t_begin + 0.125 * k;
      double is[3];
      assert_ok(mbd_ode_at(ode, t, &is[0], &is[1], &is[2]));
      const double want[3] = {
        t * t / 2 + t * t * t / 3 + t * t * t * t / 4 - t * t * t * t * t / 5,
        t + t * t + t * t * t - t * t * t * t, 1 + 2 * t + 3 * t * t - 4 * t * t * t};
      assert_close(is, want, 3, 1e-13, "dense output at %g", t);
    }
  }
  assert_int_equal(compared, 20);
  // the integral of x' is x
  assert_true(fabs(mbd_ode_info(ode)->quad[0] - mbd_ode_info(ode)->x[0]) < 1e-13);
  free(ode);
}

// between steps as good as at their ends, on a problem of both orders
static void
dense_output_follows(void ** state)
{
  (void)state;
  for (int first_order = 0; first_order < 2; first_order++) {
    const mbd_ode_problem_t problem = {
      .n = first_order ? 4 : 2, .first_order = first_order, .f = first_order ? known_first : known};
    mbd_ode_options_t options = mbd_ode_options_default();
    options.rtol = options.atol = 1e-9;
    options.step_max = first_order ? 0.02 : HUGE_VAL;
    mbd_ode_t * ode = make(&problem, &options);
    double y[4], is[8], largest = 0;
    exact(0, y);
    assert_ok(mbd_ode_set(ode, 0, y, first_order ? NULL : y + 2, true));
    while (mbd_ode_info(ode)->t < 5) {
      assert_ok(mbd_ode_step(ode, 5));
      const mbd_ode_info_t * info = mbd_ode_info(ode);
      for (int k = 0; k <= 8; k++) {
        const double t = fmin(info->t_begin + (info->t - info->t_begin) * k / 8, info->t);
        assert_ok(mbd_ode_at(ode, t, is, first_order ? NULL : is + 2, NULL));
        exact(t, y);
        for (int i = 0; i < 4; i++) largest = larger(largest, fabs(is[i] - y[i]));
      }
    }
    print_message("dense output, order %d: largest error %.1e\n", 2 - first_order, largest);
    assert_true(largest < 1e-7);
    free(ode);
  }
}

// damped oscillator: energy and what the damper has taken
static mbd_status_t
damped(void * ctx, double t, const double * x, const double * xd, double * out)
{
  (void)ctx, (void)t;
  out[0] = -9 * x[0] - 0.4 * xd[0];
  out[1] = -0.4 * xd[0] * xd[0];
  return MBD_OK;
}

static void
integrals_balance_energy(void ** state)
{
  (void)state;
  for (int method = 0; method < MBD_METHODS; method++) {
    const mbd_ode_problem_t problem = {.n = 1, .nquad = 1, .f = damped};
    mbd_ode_options_t options = mbd_ode_options_default();
    options.method = (mbd_method_t)method;
    options.rtol = options.atol = 1e-9;
    options.alpha = 0;
    mbd_ode_t * ode = make(&problem, &options);
    const double x = 1, xd = 0;
    assert_ok(mbd_ode_set(ode, 0, &x, &xd, true));
    step_to(ode, 3);
    const mbd_ode_info_t * info = mbd_ode_info(ode);
    const double energy = (9 * info->x[0] * info->x[0] + info->xd[0] * info->xd[0]) / 2;
    const double balance = energy - 4.5 - info->quad[0];
    print_message(
      "%-14s energy less work %.1e J\n", mbd_method_name((mbd_method_t)method), balance);
    const bool first = method == MBD_METHOD_SEMI_IMPLICIT;
    const bool second = method == MBD_METHOD_TRAPEZOIDAL || method == MBD_METHOD_HHT;
    assert_true(fabs(balance) < (first ? 1e-2 : second ? 1e-5 : 1e-6));
    assert_true(info->quad[0] < -1);
    free(ode);
  }
}

// a circle: the radius is an invariant
static mbd_status_t
circle(void * ctx, double t, const double * y, const double * unused, double * out)
{
  (void)ctx, (void)t, (void)unused;
  out[0] = -y[1], out[1] = y[0];
  return MBD_OK;
}

static mbd_status_t
to_circle(void * ctx, double t, double * y, double * unused)
{
  (void)ctx, (void)t, (void)unused;
  const double r = hypot(y[0], y[1]);
  y[0] /= r, y[1] /= r;
  return MBD_OK;
}

static void
projection_keeps_invariants(void ** state)
{
  (void)state;
  for (int projected = 0; projected < 2; projected++) {
    const mbd_ode_problem_t problem = {
      .n = 2, .first_order = true, .f = circle, .project = projected ? to_circle : NULL};
    mbd_ode_options_t options = mbd_ode_options_default();
    options.rtol = options.atol = 1e-3;
    mbd_ode_t * ode = make(&problem, &options);
    const double y[2] = {1, 0};
    assert_ok(mbd_ode_set(ode, 0, y, NULL, true));
    step_to(ode, 100);
    const double off = fabs(hypot(mbd_ode_info(ode)->x[0], mbd_ode_info(ode)->x[1]) - 1);
    assert_true(projected ? off < 1e-15 : off > 1e-6);
    free(ode);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_method_has_its_order),
    cmocka_unit_test(error_follows_the_tolerance),
    cmocka_unit_test(relaxation_oscillation),
    cmocka_unit_test(explicit_steps_say_stiff),
    cmocka_unit_test(auto_goes_back),
    cmocka_unit_test(step_underflow_is_a_status),
    cmocka_unit_test(wrong_arguments),
    cmocka_unit_test(dense_output_is_quintic),
    cmocka_unit_test(dense_output_follows),
    cmocka_unit_test(integrals_balance_energy),
    cmocka_unit_test(projection_keeps_invariants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
