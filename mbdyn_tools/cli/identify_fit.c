// Parameters that explain the torques, and that bodies and drives can have.
#include "identify_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linear.h"

enum { MOST_STEPS = 200, MOST_ROUNDS = 30 };

// costs are in squared standard deviations: parameters move far less than their uncertainty for
// this
static const double SMALL_GAIN = 1e-3;

//---------- memory ----------

static bool
allocate(fit_t * fit)
{
  const size_t n = (size_t)fit->n, nv = (size_t)fit->nv, nbody = (size_t)fit->nbody;
  fit->chart = calloc(nbody + 1, sizeof *fit->chart);
  fit->mended = calloc(nbody + 1, sizeof *fit->mended);
  double * x = calloc(3 * n * n + 8 * n + 2 * nv + TEN * TEN * nbody + 1, sizeof *x);
  fit->block = x;
  if (!fit->chart || !fit->mended || !x) return false;
  fit->A = x, x += n * n;
  fit->H = x, x += n * n;
  fit->work = x, x += n * n;
  double ** const vectors[] = {&fit->z, &fit->goal,     &fit->scale, &fit->theta,
                               &fit->b, &fit->gradient, &fit->trial, &fit->delta};
  for (int i = 0; i < 8; i++, x += n) *vectors[i] = x;
  fit->sigma = x, x += nv;
  fit->weight = x, x += nv;
  fit->slope = x;
  return true;
}

void
fit_free(fit_t * fit)
{
  free(fit->chart);
  free(fit->mended);
  free(fit->block);
  *fit = (fit_t){0};
}

//---------- free numbers ----------

// a drive's parameter is the square of a free number
static void
start_drive(fit_t * fit, int k)
{
  const normal_t * normal = fit->normal;
  const int drive = normal->index[k] - TEN * fit->nbody, j = drive / 3;
  const size_t row = (size_t)k, half = (size_t)normal->n * (size_t)(normal->n + 1) / 2;
  const double column2 = normal->A[(size_t)j * half + row * (row + 1) / 2 + row];
  const double urdf = normal->theta[normal->index[k]];

  // what would make half of the joint's torque is a large change
  double size = column2 > 0 ? 0.5 * sqrt(normal->tau2[j] / column2) : 0;
  if (!(size > urdf)) size = urdf;
  if (!(size > 0)) size = 1e-3;
  fit->goal[k] = sqrt(urdf);
  fit->scale[k] = sqrt(size);
  // from zero no derivative leads away
  fit->z[k] = sqrt(urdf > 0.1 * size ? urdf : 0.1 * size);
}

// parameters for free numbers; the derivatives of the charts on request
static void
evaluate(fit_t * fit, const double * z, double * theta, double * slope)
{
  for (int i = 0; i < fit->nbody; i++) {
    double * to = slope ? slope + TEN * TEN * i : NULL;
    chart_point(&fit->chart[i], z + TEN * i, theta + TEN * i, to);
  }
  for (int k = TEN * fit->nbody; k < fit->n; k++) theta[k] = z[k] * z[k];
  for (int k = 0; k < fit->n; k++) {
    fit->delta[k] = theta[k] - fit->normal->theta[fit->normal->index[k]];
  }
}

bool
fit_create(const normal_t * normal, double prior, fit_t * fit)
{
  *fit = (fit_t){.normal = normal, .n = normal->n, .nv = normal->nv, .prior = prior};
  fit->nbody = normal->model->nbody;
  if (!allocate(fit)) {
    fputs("mbdyn identify: out of memory\n", stderr);
    return false;
  }
  for (int i = 0; i < fit->nbody; i++) {
    fit->mended[i] = !chart_create(normal->theta + TEN * i, &fit->chart[i]);
  }
  for (int k = 0; k < TEN * fit->nbody; k++) fit->scale[k] = 1;
  for (int k = TEN * fit->nbody; k < fit->n; k++) start_drive(fit, k);
  evaluate(fit, fit->z, fit->theta, NULL);
  return true;
}

//---------- cost ----------

static double
distance2(const fit_t * fit, const double * z)
{
  double sum = 0;
  for (int k = 0; k < fit->n; k++) {
    const double d = (z[k] - fit->goal[k]) / fit->scale[k];
    sum += d * d;
  }
  return sum;
}

// of the free numbers z; sets theta and delta, and the slopes on request
static double
cost_at(fit_t * fit, const double * z, double * slope)
{
  evaluate(fit, z, fit->theta, slope);
  double sum = fit->prior * distance2(fit, z);
  for (int j = 0; j < fit->nv; j++) {
    sum += fit->weight[j] * normal_error(fit->normal, j, fit->delta);
  }
  return sum;
}

// what the joints' errors are worth, from their size so far
static double
reweight(fit_t * fit)
{
  const double count = (double)fit->normal->nsample;
  double largest = 0, change = 0;
  for (int j = 0; j < fit->nv; j++) largest = fmax(largest, fit->normal->tau2[j] / count);
  // no sensor is that good
  const double least = 1e-14 * largest + 1e-300;
  for (int j = 0; j < fit->nv; j++) {
    const double sigma2 = fmax(normal_error(fit->normal, j, fit->delta) / count, least);
    const double sigma = sqrt(sigma2);
    change = fmax(change, fabs(sigma - fit->sigma[j]) / sigma);
    fit->sigma[j] = sigma;
    fit->weight[j] = 1 / sigma2;
  }
  normal_sum(fit->normal, fit->weight, fit->A, fit->b);
  return change;
}

//---------- a step ----------

// y = T x or T^T x of one block of derivatives
static double
slope_times(const fit_t * fit, int k, const double * row)
{
  if (k >= TEN * fit->nbody) return 2 * fit->z[k] * row[k];
  const int body = k / TEN;
  const double * slope = fit->slope + TEN * TEN * body;
  double sum = 0;
  for (int i = 0; i < TEN; i++) sum += row[TEN * body + i] * slope[TEN * i + k % TEN];
  return sum;
}

// H = T^T A T, in two passes that each multiply rows by T
static void
curvature(fit_t * fit)
{
  const size_t n = (size_t)fit->n;
  double * row = fit->trial;
  for (size_t i = 0; i < n; i++) {
    for (int k = 0; k < fit->n; k++) {
      fit->H[(size_t)k * n + i] = slope_times(fit, k, fit->A + i * n);
    }
  }
  for (size_t i = 0; i < n; i++) {
    memcpy(row, fit->H + i * n, n * sizeof *row);
    for (int k = 0; k < fit->n; k++) fit->H[i * n + (size_t)k] = slope_times(fit, k, row);
  }
}

// the gradient, halved: T^T (A delta - b), and the prior's
static void
descent(fit_t * fit)
{
  const size_t n = (size_t)fit->n;
  double * excess = fit->trial;
  for (size_t i = 0; i < n; i++) {
    excess[i] = -fit->b[i];
    for (size_t k = 0; k < n; k++) excess[i] += fit->A[i * n + k] * fit->delta[k];
  }
  for (int k = 0; k < fit->n; k++) {
    const double stiffness = fit->prior / (fit->scale[k] * fit->scale[k]);
    fit->gradient[k] = slope_times(fit, k, excess) + stiffness * (fit->z[k] - fit->goal[k]);
    fit->H[(size_t)k * n + (size_t)k] += stiffness;
    // a square that is driven to zero has a curvature of its own
    const bool square = k >= TEN * fit->nbody;
    if (square && excess[k] > 0) fit->H[(size_t)k * n + (size_t)k] += 2 * excess[k];
  }
}

// z moved against the gradient; false if the damped curvature is not positive definite
static bool
propose(fit_t * fit, double damping)
{
  const size_t n = (size_t)fit->n;
  double * work = fit->work;
  memcpy(work, fit->H, n * n * sizeof *work);
  for (size_t k = 0; k < n; k++) {
    work[k * n + k] *= 1 + damping;
    fit->trial[k] = -fit->gradient[k];
  }
  if (!linear_solve(fit->n, work, fit->trial)) return false;
  for (size_t k = 0; k < n; k++) fit->trial[k] += fit->z[k];
  return true;
}

// Levenberg-Marquardt for given weights; true when no step helps any more
static bool
minimize(fit_t * fit, void (*progress)(int, double))
{
  double damping = 1e-3, cost = cost_at(fit, fit->z, fit->slope);
  int idle = 0;
  for (int step = 0; step < MOST_STEPS; step++) {
    curvature(fit);
    descent(fit);
    double lower = cost;
    bool better = false;
    for (; !better && damping < 1e12; damping *= 8) {
      lower = propose(fit, damping) ? cost_at(fit, fit->trial, NULL) : HUGE_VAL;
      better = lower < cost;
      if (better) break;
    }
    if (better) memcpy(fit->z, fit->trial, (size_t)fit->n * sizeof *fit->z);
    idle = better && cost - lower > SMALL_GAIN ? 0 : idle + 1;
    cost = cost_at(fit, fit->z, fit->slope);
    damping = fmax(damping / 10, 1e-12);
    fit->iterations++;
    if (progress) progress(fit->iterations, cost);
    if (!better || idle == 3) return true;
  }
  return false;
}

void
fit_run(fit_t * fit, void (*progress)(int step, double cost))
{
  reweight(fit);
  for (fit->rounds = 1; fit->rounds < MOST_ROUNDS; fit->rounds++) {
    fit->converged = minimize(fit, progress);
    if (reweight(fit) < 1e-3) break;
  }
}
