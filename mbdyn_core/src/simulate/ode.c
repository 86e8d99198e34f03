// Integrator: memory, step size, stiffness, dense output.
#include "mbdyn/simulate/ode.h"

#include <math.h>
#include <string.h>

#include "simulate/ode_internal.h"
#include "util/arena.h"
#include "util/check.h"

static const char * const NAMES[MBD_METHODS] = {"rkf45",       "rk4", "nystrom4", "semi_implicit",
                                                "trapezoidal", "hht", "sdirk54",  "auto"};

const char *
mbd_method_name(mbd_method_t method)
{
  return (int)method >= 0 && (int)method < MBD_METHODS ? NAMES[method] : "unknown";
}

mbd_ode_options_t
mbd_ode_options_default(void)
{
  mbd_ode_options_t options = {0};
  options.rtol = 1e-6;
  options.atol = 1e-9;
  options.step_max = HUGE_VAL;
  options.alpha = -0.05;
  options.newton_max = 10;
  return options;
}

//---------- memory ----------

static bool
is_valid(const mbd_ode_problem_t * p)
{
  return p && p->n > 0 && p->n < 10000 && p->nquad >= 0 && p->nquad <= MBD_QUADRATURES_MAX && p->f;
}

static size_t
lay_out_ode(const mbd_ode_problem_t * p, char * base, mbd_ode_t * ode)
{
  size_t offset = 0;
  const size_t n = (size_t)p->n, size = p->first_order ? n : 2 * n;
  const size_t rates = size + (size_t)p->nquad, word = sizeof(double);
  mbdi_arena_take(base, &offset, 1, sizeof *ode);
  double ** states[] = {&ode->y,    &ode->y_old, &ode->stage,
                        &ode->next, &ode->error, &ode->newton.trial};
  double ** slopes[] = {&ode->f, &ode->f_old};
  double ** squares[] = {&ode->newton.dx, &ode->newton.dxd, &ode->newton.W};
  // a stage keeps rates in the memory of a state where Jacobians are computed
  for (int i = 0; i < 6; i++) *states[i] = mbdi_arena_take(base, &offset, rates, word);
  for (int i = 0; i < 2; i++) *slopes[i] = mbdi_arena_take(base, &offset, rates, word);
  for (int i = 0; i < MBDI_ODE_STAGES; i++) {
    ode->K[i] = mbdi_arena_take(base, &offset, rates, word);
  }
  for (int i = 0; i < 3; i++) *squares[i] = mbdi_arena_take(base, &offset, n * n, word);
  ode->a = mbdi_arena_take(base, &offset, n, word);
  ode->newton.k = mbdi_arena_take(base, &offset, n, word);
  ode->newton.a = mbdi_arena_take(base, &offset, n, word);
  ode->newton.dk = mbdi_arena_take(base, &offset, n, word);
  ode->newton.pivot = mbdi_arena_take(base, &offset, n, sizeof(int));
  return offset;
}

size_t
mbd_ode_size(const mbd_ode_problem_t * problem)
{
  mbd_ode_t unused;
  return is_valid(problem) ? lay_out_ode(problem, NULL, &unused) : 0;
}

static bool
good_options(const mbd_ode_problem_t * p, const mbd_ode_options_t * o)
{
  const bool second_only = o->method == MBD_METHOD_NYSTROM4 || o->method == MBD_METHOD_HHT ||
                           o->method == MBD_METHOD_SEMI_IMPLICIT;
  return (int)o->method >= 0 && (int)o->method < MBD_METHODS && !(second_only && p->first_order) &&
         o->rtol >= 0 && o->atol >= 0 && o->rtol + o->atol >= 1e-15 && o->step >= 0 &&
         o->step < HUGE_VAL && o->step_min >= 0 && o->step_max > 0 && o->alpha <= 0 &&
         o->alpha >= -1.0 / 3 && o->newton_max > 1;
}

mbd_status_t
mbd_ode_init(
  const mbd_ode_problem_t * problem, const mbd_ode_options_t * options, void * memory, size_t size,
  mbd_ode_t ** out)
{
  if (!problem || !memory || !out) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_ode_options_t o = options ? *options : mbd_ode_options_default();
  if (!is_valid(problem) || !good_options(problem, &o)) return MBD_ERROR_BAD_ARGUMENT;
  if (size < mbd_ode_size(problem)) return MBD_ERROR_TOO_SMALL;
  mbd_ode_t * ode = memory;
  memset(memory, 0, mbd_ode_size(problem));
  lay_out_ode(problem, memory, ode);
  ode->problem = *problem;
  ode->options = o;
  ode->n = problem->n;
  ode->size = problem->first_order ? problem->n : 2 * problem->n;
  ode->info.method = o.method == MBD_METHOD_AUTO ? MBD_METHOD_RKF45 : o.method;
  const bool stepped = o.method == MBD_METHOD_RK4 || o.method == MBD_METHOD_NYSTROM4 ||
                       o.method == MBD_METHOD_SEMI_IMPLICIT;
  ode->options.fixed |= stepped;
  if (ode->options.fixed && o.step == 0) ode->options.step = 1e-3;
  ode->info.x = ode->y;
  ode->info.xd = problem->first_order ? NULL : ode->y + ode->n;
  ode->info.xdd = ode->f + ode->size - ode->n;
  ode->info.quad = ode->quad;
  *out = ode;
  return MBD_OK;
}

const mbd_ode_info_t *
mbd_ode_info(const mbd_ode_t * ode)
{
  return ode ? &ode->info : NULL;
}

//---------- rates and norms ----------

mbd_status_t
mbdi_ode_rates(mbd_ode_t * ode, double t, const double * y, double * f)
{
  const int n = ode->n, first = ode->size - n;
  ode->info.evaluations++;
  if (first) copy_array(f, y + n, n);
  CHECK(ode->problem.f(ode->problem.ctx, t, y, first ? y + n : NULL, f + first));
  return finite_array(f, ode->size + ode->problem.nquad) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

double
mbdi_ode_norm(const mbd_ode_t * ode, const double * e, const double * a, const double * b)
{
  double sum = 0;
  for (int i = 0; i < ode->size; i++) {
    const double most = fmax(fabs(a[i]), fabs(b[i]));
    const double x = e[i] / (ode->options.atol + ode->options.rtol * most);
    sum += x * x;
  }
  return sqrt(sum / ode->size);
}

static int
order_of_estimate(const mbd_ode_t * ode)
{
  return ode->info.method == MBD_METHOD_RKF45 ? 4 : ode->info.method == MBD_METHOD_SDIRK54 ? 3 : 2;
}

// first step: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4
static mbd_status_t
first_step(mbd_ode_t * ode)
{
  const double d0 = mbdi_ode_norm(ode, ode->y, ode->y, ode->y);
  const double d1 = mbdi_ode_norm(ode, ode->f, ode->y, ode->y);
  const double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  for (int i = 0; i < ode->size; i++) ode->stage[i] = ode->y[i] + h0 * ode->f[i];
  CHECK(mbdi_ode_rates(ode, ode->info.t + h0, ode->stage, ode->K[1]));
  for (int i = 0; i < ode->size; i++) ode->error[i] = (ode->K[1][i] - ode->f[i]) / h0;
  const double d2 = mbdi_ode_norm(ode, ode->error, ode->y, ode->y);
  const double most = fmax(d1, d2);
  const double h1 =
    most > 1e-15 ? pow(0.01 / most, 1.0 / (order_of_estimate(ode) + 1)) : fmax(1e-6, 1e-3 * h0);
  ode->info.step = fmin(100 * h0, h1);
  return MBD_OK;
}

mbd_status_t
mbd_ode_set(mbd_ode_t * ode, double t, const double * x, const double * xd, bool restart)
{
  if (!ode || !x || (!xd && !ode->problem.first_order)) return MBD_ERROR_NULL_ARGUMENT;
  const int n = ode->n, first = ode->size - n;
  if (!finite_array(&t, 1) || !finite_array(x, n) || (first && !finite_array(xd, n))) {
    return MBD_ERROR_NOT_FINITE;
  }
  memmove(ode->y, x, (size_t)n * sizeof *x);
  if (first) memmove(ode->y + n, xd, (size_t)n * sizeof *xd);
  ode->has_state = ode->has_step = false;
  ode->newton.has_jacobian = false;
  ode->info.t = ode->info.t_begin = t;
  memset(ode->quad, 0, sizeof ode->quad);
  CHECK(mbdi_ode_rates(ode, t, ode->y, ode->f));
  copy_array(ode->a, ode->f + first, n);
  if (restart || ode->info.step == 0) {
    ode->stiff_in_row = ode->since_check = 0;
    ode->info.step = ode->options.step;
    // last evaluation as promised: at the state
    if (ode->info.step == 0) {
      CHECK(first_step(ode));
      CHECK(mbdi_ode_rates(ode, t, ode->y, ode->f));
    }
  }
  ode->has_state = true;
  return MBD_OK;
}

//---------- stiffness ----------

enum { CHECK_EVERY = 20, STIFF_CHECKS = 5 };
// h times the rate at which explicit steps become unstable, and the least at which they are called stiff: friction that
// sticks can keep them in a cycle of two steps just below the limit
static const double STABILITY_LIMIT = 2.5, STIFF_FROM = 2;

// largest rate of the problem seen along the last error: stiff components dominate it
static mbd_status_t
rate_along_error(mbd_ode_t * ode, double * rate)
{
  double e = 0, y = 0, change = 0;
  for (int i = 0; i < ode->size; i++) {
    e += ode->error[i] * ode->error[i];
    y += ode->y[i] * ode->y[i];
  }
  *rate = 0;
  if (!(e > 0)) return MBD_OK;
  const double eps = 1e-7 * (1 + sqrt(y)) / sqrt(e);
  for (int i = 0; i < ode->size; i++) ode->stage[i] = ode->y[i] + eps * ode->error[i];
  CHECK(mbdi_ode_rates(ode, ode->info.t, ode->stage, ode->K[1]));
  for (int i = 0; i < ode->size; i++) {
    change += (ode->K[1][i] - ode->f[i]) * (ode->K[1][i] - ode->f[i]);
  }
  *rate = sqrt(change / e) / eps;
  return MBD_OK;
}

static mbd_status_t
check_stiffness(mbd_ode_t * ode)
{
  if (ode->options.fixed || !ode->has_step || ++ode->since_check < CHECK_EVERY) return MBD_OK;
  ode->since_check = 0;
  const double h = ode->info.t - ode->info.t_begin;
  if (ode->info.method == MBD_METHOD_RKF45) {
    double rate;
    CHECK(rate_along_error(ode, &rate));
    ode->stiff_in_row = h * rate > STIFF_FROM ? ode->stiff_in_row + 1 : 0;
    if (ode->stiff_in_row == 0) ode->info.stiff = false;
    if (ode->stiff_in_row < STIFF_CHECKS) return MBD_OK;
    ode->info.stiff = true;
    if (ode->options.method == MBD_METHOD_AUTO) ode->info.method = MBD_METHOD_SDIRK54;
  } else if (ode->options.method == MBD_METHOD_AUTO) {
    // the explicit step would be five times larger
    if (5 * h * mbdi_ode_jacobian_rate(ode) > STABILITY_LIMIT) return MBD_OK;
    ode->info.method = MBD_METHOD_RKF45;
    ode->info.stiff = false;
    ode->stiff_in_row = 0;
  }
  return MBD_OK;
}

//---------- steps ----------

// largest step that ends at t_end without leaving a sliver
static double
limit_step(const mbd_ode_t * ode, double h, double t_end)
{
  const double left = t_end - ode->info.t;
  h = fmin(h, ode->options.step_max);
  if (h >= left * (1 - 1e-6)) return left;
  return !ode->options.fixed && h > left / 2 ? left / 2 : h;
}

static mbd_status_t
attempt(mbd_ode_t * ode, double h, double * error)
{
  bool estimated = false;
  if (mbdi_method_is_implicit(ode->info.method)) {
    CHECK(mbdi_ode_implicit(ode, h, &estimated));
  } else {
    CHECK(mbdi_ode_explicit(ode, h, &estimated));
  }
  if (!finite_array(ode->next, ode->size)) return MBD_ERROR_NOT_FINITE;
  *error = -1;
  if (!estimated || ode->options.fixed) return MBD_OK;
  *error = mbdi_ode_norm(ode, ode->error, ode->y, ode->next);
  return *error < HUGE_VAL ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

static void
swap(double ** a, double ** b)
{
  double * c = *a;
  *a = *b;
  *b = c;
}

// the step becomes the state
static mbd_status_t
accept(mbd_ode_t * ode, double t)
{
  const int n = ode->n, first = ode->size - n;
  const bool implicit = mbdi_method_is_implicit(ode->info.method);
  double * xd = first ? ode->next + n : NULL;
  if (ode->problem.project) CHECK(ode->problem.project(ode->problem.ctx, t, ode->next, xd));
  CHECK(mbdi_ode_rates(ode, t, ode->next, ode->K[1]));
  if (implicit) copy_array(ode->K[1] + first, ode->newton.k, n);
  swap(&ode->a, &ode->newton.a);
  swap(&ode->y_old, &ode->y), swap(&ode->y, &ode->next);
  swap(&ode->f_old, &ode->f), swap(&ode->f, &ode->K[1]);
  memcpy(ode->quad, ode->quad_next, sizeof ode->quad);
  ode->info.t_begin = ode->info.t;
  ode->info.t = t;
  ode->info.x = ode->y;
  ode->info.xd = first ? ode->y + n : NULL;
  ode->info.xdd = ode->f + first;
  ode->info.steps++;
  ode->newton.age++;
  ode->has_step = true;
  return MBD_OK;
}

static bool
is_numerical(mbd_status_t status)
{
  return status >= 300 && status < 400;
}

static mbd_status_t
step(mbd_ode_t * ode, double t_end)
{
  double wanted = ode->info.step, growth = 5;
  for (;;) {
    const double h = limit_step(ode, wanted, t_end), t = ode->info.t;
    const bool last = h >= t_end - t;
    const double least = fmax(ode->options.step_min, 4 * 2.3e-16 * fabs(t));
    if (!last && !(h > least)) return MBD_ERROR_STEP;
    double error = -1;
    mbd_status_t status = attempt(ode, h, &error);
    if (status == MBD_OK && error < 1) {
      status = accept(ode, last ? t_end : t + h);
      if (status == MBD_OK) {
        const int order = order_of_estimate(ode) + 1;
        ode->info.error = fmax(error, 0);
        if (ode->options.fixed) return MBD_OK;
        // without an estimate the step stays
        const double factor =
          error < 0 ? 1 : fmin(growth, 0.9 * pow(fmax(error, 1e-10), -1.0 / order));
        // a step that was cut short at t_end says nothing against the one wanted
        ode->info.step = fmax(h * fmax(factor, 0.2), h < wanted ? wanted : 0);
        ode->info.step = fmin(ode->info.step, ode->options.step_max);
        return MBD_OK;
      }
    }
    if (ode->options.fixed || (status != MBD_OK && !is_numerical(status))) return status;
    ode->info.rejected++;
    growth = 1;
    // a trial that fails without an estimate must not end at t_end again
    if (!(h > least)) return MBD_ERROR_STEP;
    wanted = status != MBD_OK
               ? h / 4
               : h * fmax(0.2, 0.9 * pow(error, -1.0 / (order_of_estimate(ode) + 1)));
  }
}

mbd_status_t
mbd_ode_step(mbd_ode_t * ode, double t_end)
{
  if (!ode) return MBD_ERROR_NULL_ARGUMENT;
  if (!ode->has_state) return MBD_ERROR_STAGE;
  if (!finite_array(&t_end, 1) || !(t_end > ode->info.t)) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(check_stiffness(ode));
  return step(ode, t_end);
}

//---------- dense output ----------

// Hermite polynomials of value and derivatives at both ends, s in [0, 1]: coefficients of those at the
// beginning; those of the end by symmetry
static double
quintic(const double p[6], double s, int derivative)
{
  // p = value, slope, half curvature at 0, then the three that fit the other end
  double sum = 0;
  for (int k = 5; k >= derivative; k--) {
    double factor = 1;
    for (int j = 0; j < derivative; j++) factor *= k - j;
    sum = sum * s + factor * p[k];
  }
  return sum;
}

mbd_status_t
mbd_ode_at(const mbd_ode_t * ode, double t, double * x, double * xd, double * xdd)
{
  if (!ode) return MBD_ERROR_NULL_ARGUMENT;
  if (!ode->has_step) return MBD_ERROR_STAGE;
  const double h = ode->info.t - ode->info.t_begin, s = (t - ode->info.t_begin) / h;
  if (!(s >= 0 && s <= 1)) return MBD_ERROR_BAD_ARGUMENT;
  const int n = ode->n, first = ode->size - n;
  for (int i = 0; i < n; i++) {
    const double a = ode->y_old[i], b = ode->y[i], va = h * ode->f_old[i], vb = h * ode->f[i];
    double p[6] = {a, va, 0, 0, 0, 0};
    if (first) {
      const double ca = h * h / 2 * ode->f_old[n + i], cb = h * h / 2 * ode->f[n + i];
      const double d = b - a - va - ca, e = vb - va - 2 * ca, g = cb - ca;
      p[2] = ca;
      p[3] = 10 * d - 4 * e + g;
      p[4] = -15 * d + 7 * e - 2 * g;
      p[5] = 6 * d - 3 * e + g;
    } else {
      p[2] = 3 * (b - a) - 2 * va - vb;
      p[3] = 2 * (a - b) + va + vb;
    }
    if (x) x[i] = quintic(p, s, 0);
    if (xd && first) xd[i] = quintic(p, s, 1) / h;
    if (xdd) xdd[i] = first ? quintic(p, s, 2) / (h * h) : quintic(p, s, 1) / h;
  }
  return MBD_OK;
}
