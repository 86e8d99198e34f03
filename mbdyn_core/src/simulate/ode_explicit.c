// Explicit Runge-Kutta steps, Haug 4.8.1.1 and 4.8.2.1.
#include <string.h>

#include "simulate/ode_internal.h"
#include "util/check.h"

typedef struct tableau {
  int stages;
  double c[MBDI_ODE_STAGES];
  double a[MBDI_ODE_STAGES][MBDI_ODE_STAGES];
  double b[MBDI_ODE_STAGES];
  double e[MBDI_ODE_STAGES];  // b less the weights of the embedded method; zeros: there is none
} tableau_t;

static const tableau_t RK4 = {
  .stages = 4,
  .c = {0, 0.5, 0.5, 1},
  .a = {{0}, {0.5}, {0, 0.5}, {0, 0, 1}},
  .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

// Fehlberg; the fifth-order weights are those that count
static const tableau_t RKF45 = {
  .stages = 6,
  .c = {0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1, 1.0 / 2},
  .a =
    {{0},
     {1.0 / 4},
     {3.0 / 32, 9.0 / 32},
     {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
     {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
     {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40}},
  .b = {16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55},
  .e = {
    16.0 / 135 - 25.0 / 216, 0, 6656.0 / 12825 - 1408.0 / 2565, 28561.0 / 56430 - 2197.0 / 4104,
    -9.0 / 50 + 1.0 / 5, 2.0 / 55}};

// y = y0 + h sum of w_j K_j
static void
combine(const mbd_ode_t * ode, double h, const double * w, int stages, double * y)
{
  for (int i = 0; i < ode->size; i++) {
    double sum = 0;
    for (int j = 0; j < stages; j++) sum += w[j] * ode->K[j][i];
    y[i] = ode->y[i] + h * sum;
  }
}

static void
integrals(mbd_ode_t * ode, double h, const double * w, int stages)
{
  for (int i = 0; i < ode->problem.nquad; i++) {
    double sum = 0;
    for (int j = 0; j < stages; j++) sum += w[j] * ode->K[j][ode->size + i];
    ode->quad_next[i] = ode->quad[i] + h * sum;
  }
}

static mbd_status_t
runge_kutta(mbd_ode_t * ode, const tableau_t * rk, double h)
{
  for (int i = 1; i < rk->stages; i++) {
    combine(ode, h, rk->a[i], i, ode->stage);
    CHECK(mbdi_ode_rates(ode, ode->info.t + rk->c[i] * h, ode->stage, ode->K[i]));
  }
  combine(ode, h, rk->b, rk->stages, ode->next);
  integrals(ode, h, rk->b, rk->stages);
  for (int i = 0; i < ode->size; i++) {
    double sum = 0;
    for (int j = 0; j < rk->stages; j++) sum += rk->e[j] * ode->K[j][i];
    ode->error[i] = h * sum;
  }
  return MBD_OK;
}

// Haug 4.8.2.1: two stages share their position
static mbd_status_t
nystrom4(mbd_ode_t * ode, double h)
{
  const int n = ode->n;
  const double t = ode->info.t, *x = ode->y, *xd = ode->y + n;
  double *s = ode->stage, *sd = s + n;
  const double *k1 = ode->K[0] + n, *k2 = ode->K[1] + n, *k3 = ode->K[2] + n, *k4 = ode->K[3] + n;
  for (int i = 0; i < n; i++) {
    s[i] = x[i] + h / 2 * xd[i] + h * h / 8 * k1[i];
    sd[i] = xd[i] + h / 2 * k1[i];
  }
  CHECK(mbdi_ode_rates(ode, t + h / 2, s, ode->K[1]));
  for (int i = 0; i < n; i++) sd[i] = xd[i] + h / 2 * k2[i];
  CHECK(mbdi_ode_rates(ode, t + h / 2, s, ode->K[2]));
  for (int i = 0; i < n; i++) {
    s[i] = x[i] + h * xd[i] + h * h / 2 * k3[i];
    sd[i] = xd[i] + h * k3[i];
  }
  CHECK(mbdi_ode_rates(ode, t + h, s, ode->K[3]));
  for (int i = 0; i < n; i++) {
    ode->next[i] = x[i] + h * xd[i] + h * h / 6 * (k1[i] + k2[i] + k3[i]);
    ode->next[n + i] = xd[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  integrals(ode, h, RK4.b, 4);
  return MBD_OK;
}

static mbd_status_t
semi_implicit(mbd_ode_t * ode, double h)
{
  const int n = ode->n;
  const double one = 1;
  for (int i = 0; i < n; i++) {
    ode->next[n + i] = ode->y[n + i] + h * ode->K[0][n + i];
    ode->next[i] = ode->y[i] + h * ode->next[n + i];
  }
  integrals(ode, h, &one, 1);
  return MBD_OK;
}

mbd_status_t
mbdi_ode_explicit(mbd_ode_t * ode, double h, bool * estimated)
{
  const size_t count = (size_t)(ode->size + ode->problem.nquad);
  memcpy(ode->K[0], ode->f, count * sizeof *ode->f);
  *estimated = ode->info.method == MBD_METHOD_RKF45;
  switch (ode->info.method) {
    case MBD_METHOD_RK4: return runge_kutta(ode, &RK4, h);
    case MBD_METHOD_NYSTROM4: return nystrom4(ode, h);
    case MBD_METHOD_SEMI_IMPLICIT: return semi_implicit(ode, h);
    default: return runge_kutta(ode, &RKF45, h);
  }
}
