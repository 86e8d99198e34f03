// Implicit steps, Haug 4.8.1.2, 4.8.2.2 and (HHT) 7.2.5: Newton's method for the x'' of each stage.
#include <math.h>
#include <string.h>

#include "simulate/ode_internal.h"
#include "util/check.h"

// SDIRK54: five stages of order 4, stiffly accurate, L-stable; embedded order 3; Haug 4.8.1.2
enum { STAGES = 5 };
static const double SDIRK_C[STAGES] = {1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1};
static const double SDIRK_A[STAGES][STAGES] = {
  {1.0 / 4},
  {1.0 / 2, 1.0 / 4},
  {17.0 / 50, -1.0 / 25, 1.0 / 4},
  {371.0 / 1360, -137.0 / 2720, 15.0 / 544, 1.0 / 4},
  {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4}};
static const double SDIRK_D[STAGES] = {59.0 / 48, -17.0 / 96, 225.0 / 32, -85.0 / 12, 0};

// Newton's changes are this much smaller than the error that is allowed
static const double NEWTON_SHARE = 0.01;

//---------- linear algebra ----------

static bool
factorize(int n, double * A, int * pivot)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    }
    pivot[k] = best;
    if (!(fabs(A[best * n + k]) > 0)) return false;
    for (int j = 0; best != k && j < n; j++) {
      const double swap = A[k * n + j];
      A[k * n + j] = A[best * n + j];
      A[best * n + j] = swap;
    }
    for (int i = k + 1; i < n; i++) {
      const double factor = A[i * n + k] /= A[k * n + k];
      for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  return true;
}

static void
solve(int n, const double * A, const int * pivot, double * x)
{
  for (int k = 0; k < n; k++) {
    const double swap = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = swap;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) x[i] -= A[i * n + j] * x[j];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= A[i * n + j] * x[j];
    x[i] /= A[i * n + i];
  }
}

//---------- Jacobian ----------

// column j of d out / d (number `index` of the state), by a difference to the rates in K[1]
static mbd_status_t
difference(mbd_ode_t * ode, int index, double * J, int j)
{
  const int n = ode->n, first = ode->size - n;
  double * y = ode->newton.trial;
  memcpy(y, ode->y, (size_t)ode->size * sizeof *y);
  // forward differences of rounding sqrt(eps): Newton needs no more
  const double eps = 1.5e-8 * fmax(fabs(y[index]), fmax(1e-3, ode->options.atol));
  y[index] += eps;
  CHECK(mbdi_ode_rates(ode, ode->info.t, y, ode->stage));
  for (int i = 0; i < n; i++) J[i * n + j] = (ode->stage[first + i] - ode->K[1][first + i]) / eps;
  return MBD_OK;
}

static mbd_status_t
update_jacobian(mbd_ode_t * ode)
{
  mbdi_newton_t * newton = &ode->newton;
  const int n = ode->n;
  const bool second = !ode->problem.first_order;
  newton->has_jacobian = newton->factorized = false;
  if (ode->problem.jacobian) {
    CHECK(ode->problem.jacobian(
      ode->problem.ctx, ode->info.t, ode->y, second ? ode->y + n : NULL, newton->dx,
      second ? newton->dxd : NULL));
  } else {
    // not ode->f: what Newton has left in its x'' would be divided by eps
    CHECK(mbdi_ode_rates(ode, ode->info.t, ode->y, ode->K[1]));
    for (int j = 0; j < n; j++) {
      CHECK(difference(ode, j, newton->dx, j));
      if (second) CHECK(difference(ode, n + j, newton->dxd, j));
    }
  }
  ode->info.jacobians++;
  newton->has_jacobian = newton->fresh = true;
  newton->age = 0;
  return MBD_OK;
}

static mbd_status_t
update_factors(mbd_ode_t * ode, double cx, double cd, double s)
{
  mbdi_newton_t * newton = &ode->newton;
  const int n = ode->n;
  if (newton->factorized && newton->cx == cx && newton->cd == cd && newton->s == s) return MBD_OK;
  for (int i = 0; i < n * n; i++) {
    const double rate =
      ode->problem.first_order ? cd * newton->dx[i] : cd * newton->dxd[i] + cx * newton->dx[i];
    newton->W[i] = (i % (n + 1) == 0) - s * rate;
  }
  newton->factorized = factorize(n, newton->W, newton->pivot);
  newton->cx = cx, newton->cd = cd, newton->s = s;
  return newton->factorized ? MBD_OK : MBD_ERROR_SINGULAR;
}

double
mbdi_ode_jacobian_rate(const mbd_ode_t * ode)
{
  double dx = 0, dxd = 0;
  if (!ode->newton.has_jacobian) return 0;
  for (int i = 0; i < ode->n * ode->n; i++) {
    dx += ode->newton.dx[i] * ode->newton.dx[i];
    if (!ode->problem.first_order) dxd += ode->newton.dxd[i] * ode->newton.dxd[i];
  }
  return ode->problem.first_order ? sqrt(dx) : sqrt(dxd) + sqrt(sqrt(dx));
}

//---------- stages ----------

typedef struct stage {
  double t, cx, cd, s;
  const double * base;  // state at k = 0                                          [size]
  const double * r;     // or NULL: zero                                           [n]
} stage_t;

// state at k = newton->k, into newton->trial
static void
state_of_stage(mbd_ode_t * ode, const stage_t * stage)
{
  const int n = ode->n, first = ode->size - n;
  double * y = ode->newton.trial;
  for (int i = 0; i < n; i++) {
    if (first) y[i] = stage->base[i] + stage->cx * ode->newton.k[i];
    y[first + i] = stage->base[first + i] + stage->cd * ode->newton.k[i];
  }
}

// size of dk as a change of the state
static double
norm_of_change(const mbd_ode_t * ode, const stage_t * stage)
{
  const int n = ode->n, first = ode->size - n;
  const double *y = ode->newton.trial, *dk = ode->newton.dk;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double rtol = ode->options.rtol + 1e-13;
    const double d = stage->cd * dk[i] / (ode->options.atol + rtol * fabs(y[first + i]));
    const double x = first ? stage->cx * dk[i] / (ode->options.atol + rtol * fabs(y[i])) : 0;
    sum += d * d + x * x;
  }
  return sqrt(sum / ode->size);
}

// From k in newton->k to the solution there, its state in newton->trial, its rates in f.
static mbd_status_t
iterate(mbd_ode_t * ode, const stage_t * stage, double * f)
{
  mbdi_newton_t * newton = &ode->newton;
  const int n = ode->n, first = ode->size - n;
  double before = HUGE_VAL;
  CHECK(update_factors(ode, stage->cx, stage->cd, stage->s));
  for (int round = 0; round < ode->options.newton_max; round++) {
    state_of_stage(ode, stage);
    CHECK(mbdi_ode_rates(ode, stage->t, newton->trial, f));
    for (int i = 0; i < n; i++) {
      newton->dk[i] = stage->s * f[first + i] + (stage->r ? stage->r[i] : 0) - newton->k[i];
    }
    solve(n, newton->W, newton->pivot, newton->dk);
    for (int i = 0; i < n; i++) newton->k[i] += newton->dk[i];
    ode->info.newton++;
    const double change = norm_of_change(ode, stage), rate = change / before;
    if (!(change < 1e300)) return MBD_ERROR_NOT_CONVERGED;
    // what is left after this change: geometric
    const double left = round == 0 ? change : change * rate / (1 - fmin(rate, 0.99));
    if (
      change == 0 || (round > 0 && rate < 1 && left < NEWTON_SHARE) ||
      change < 1e-3 * NEWTON_SHARE) {
      state_of_stage(ode, stage);
      if (first) memcpy(f, newton->trial + n, (size_t)n * sizeof *f);
      for (int i = 0; i < n; i++) {
        f[first + i] = (newton->k[i] - (stage->r ? stage->r[i] : 0)) / stage->s;
      }
      return MBD_OK;
    }
    if (rate > 2) return MBD_ERROR_NOT_CONVERGED;
    before = change;
  }
  return MBD_ERROR_NOT_CONVERGED;
}

//---------- methods ----------

// e := (1 - h a J)^-1 e, which keeps estimates of stiff components from being too large
static void
filter_error(mbd_ode_t * ode, double ha)
{
  const int n = ode->n, first = ode->size - n;
  mbdi_newton_t * newton = &ode->newton;
  double *e = ode->error, *d = newton->dk;
  for (int i = 0; i < n; i++) {
    d[i] = e[first + i];
    for (int j = 0; first && j < n; j++) d[i] += ha * newton->dx[i * n + j] * e[j];
  }
  solve(n, newton->W, newton->pivot, d);
  for (int i = 0; i < n; i++) {
    e[first + i] = d[i];
    if (first) e[i] += ha * d[i];
  }
}

static mbd_status_t
sdirk54(mbd_ode_t * ode, double h)
{
  const int n = ode->n, first = ode->size - n, all = ode->size + ode->problem.nquad;
  const double ha = h / 4;
  for (int i = 0; i < STAGES; i++) {
    for (int k = 0; k < ode->size; k++) {
      double sum = 0;
      for (int j = 0; j < i; j++) sum += SDIRK_A[i][j] * ode->K[j][k];
      ode->stage[k] = ode->y[k] + h * sum;
    }
    for (int k = 0; first && k < n; k++) ode->stage[k] += ha * ode->stage[n + k];
    const stage_t stage = {
      .t = ode->info.t + SDIRK_C[i] * h, .cx = ha * ha, .cd = ha, .s = 1, .base = ode->stage};
    CHECK(iterate(ode, &stage, ode->K[i]));
  }
  // stiffly accurate: the last stage is the result
  memcpy(ode->next, ode->newton.trial, (size_t)ode->size * sizeof *ode->next);
  for (int k = 0; k < all; k++) {
    double sum = 0, error = 0;
    for (int j = 0; j < STAGES; j++) {
      sum += SDIRK_A[STAGES - 1][j] * ode->K[j][k];
      error += (SDIRK_A[STAGES - 1][j] - SDIRK_D[j]) * ode->K[j][k];
    }
    if (k < ode->size) {
      ode->error[k] = h * error;
    } else {
      ode->quad_next[k - ode->size] = ode->quad[k - ode->size] + h * sum;
    }
  }
  filter_error(ode, ha);
  return MBD_OK;
}

// Error of a second-order method from the third derivative, by the rates at both ends of the step and at
// the beginning of the one before; false if there was none.
static bool
third_derivative(mbd_ode_t * ode, double h, double factor)
{
  if (!ode->has_step) return false;
  const double h1 = ode->info.t - ode->info.t_begin;
  for (int i = 0; i < ode->size; i++) {
    const double now = (ode->K[0][i] - ode->f[i]) / h, then = (ode->f[i] - ode->f_old[i]) / h1;
    ode->error[i] = factor * h * h * h * 2 * (now - then) / (h + h1);
  }
  return true;
}

// Trapezoidal rule and HHT: Newmark's formulas with accelerations a = (1 + alpha) g - alpha g_before
static mbd_status_t
newmark(mbd_ode_t * ode, double h, double alpha, bool * estimated)
{
  const int n = ode->n, first = ode->size - n;
  const double beta = (1 - alpha) * (1 - alpha) / 4, delta = (1 - 2 * alpha) / 2;
  double * r = ode->K[1];
  for (int i = 0; i < n; i++) {
    const double a = ode->a[i], v = ode->y[first + i];
    if (first) ode->stage[i] = ode->y[i] + h * v + h * h * (0.5 - beta) * a;
    ode->stage[first + i] = v + h * (1 - delta) * a;
    r[i] = -alpha * ode->f[first + i];
  }
  const stage_t stage = {
    .t = ode->info.t + h,
    .cx = beta * h * h,
    .cd = delta * h,
    .s = 1 + alpha,
    .base = ode->stage,
    .r = r};
  CHECK(iterate(ode, &stage, ode->K[0]));
  memcpy(ode->newton.a, ode->newton.k, (size_t)n * sizeof(double));
  memcpy(ode->next, ode->newton.trial, (size_t)ode->size * sizeof *ode->next);
  for (int i = 0; i < ode->problem.nquad; i++) {
    ode->quad_next[i] = ode->quad[i] + h / 2 * (ode->f[ode->size + i] + ode->K[0][ode->size + i]);
  }
  *estimated = third_derivative(ode, h, beta - 1.0 / 6);
  if (*estimated && alpha == 0) filter_error(ode, h / 2);
  return MBD_OK;
}

static mbd_status_t
attempt(mbd_ode_t * ode, double h, bool * estimated)
{
  const int n = ode->n, first = ode->size - n;
  memcpy(ode->newton.k, ode->f + first, (size_t)n * sizeof(double));
  *estimated = true;
  if (ode->info.method == MBD_METHOD_SDIRK54) {
    CHECK(sdirk54(ode, h));
  } else {
    const double alpha = ode->info.method == MBD_METHOD_HHT ? ode->options.alpha : 0;
    CHECK(newmark(ode, h, alpha, estimated));
  }
  // x'' of the new state as the method has it: an evaluation would amplify what Newton has left
  const double * last = ode->info.method == MBD_METHOD_SDIRK54 ? ode->K[STAGES - 1] : ode->K[0];
  memcpy(ode->newton.k, last + first, (size_t)n * sizeof(double));
  return MBD_OK;
}

// steps after which a Jacobian is computed again
enum { OLD_JACOBIAN = 20 };

mbd_status_t
mbdi_ode_implicit(mbd_ode_t * ode, double h, bool * estimated)
{
  mbdi_newton_t * newton = &ode->newton;
  newton->fresh = false;
  if (!newton->has_jacobian || newton->age >= OLD_JACOBIAN) CHECK(update_jacobian(ode));
  mbd_status_t status = attempt(ode, h, estimated);
  if (status == MBD_ERROR_NOT_CONVERGED && !newton->fresh) {
    CHECK(update_jacobian(ode));
    status = attempt(ode, h, estimated);
  }
  return status;
}
