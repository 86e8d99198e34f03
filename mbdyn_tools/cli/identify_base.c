// What of the parameters a robot's torques depend on at all, and how well a motion shows it.
#include "identify_base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linear.h"
#include "mbdyn/dynamics/regressor.h"
#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "return_if_error.h"

//---------- base parameters ----------

// a number in [-3, 3] that is the same on every machine
static double
next_random(uint64_t * state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / (double)(1ull << 53) * 6 - 3;
}

static mbd_status_t
random_regressor(const normal_t * normal, int index, double * q, double * va, double * Y)
{
  const mbd_model_t * model = normal->model;
  uint64_t state = (uint64_t)index * 7919 + 17;
  for (int k = 0; k < 2 * model->nv; k++) va[k] = next_random(&state);
  RETURN_IF_ERROR(mbd_random_configuration(model, (uint64_t)index + 1, q));
  RETURN_IF_ERROR(mbd_set_position(model, normal->data, q));
  RETURN_IF_ERROR(mbd_set_velocity(model, normal->data, va));
  return mbd_torque_regressor(model, normal->data, va + model->nv, true, Y);
}

// regressors of random states, stacked: every dependence between columns that is left is the
// robot's
static mbd_status_t
stack_regressors(const normal_t * normal, int nstate, double * W)
{
  const size_t n = (size_t)normal->n, nall = (size_t)normal->nall, nv = (size_t)normal->nv;
  double * x = calloc((size_t)normal->model->nq + 2 * nv, sizeof *x);
  if (!x) return MBD_ERROR_OUT_OF_MEMORY;
  mbd_status_t status = MBD_OK;
  for (int i = 0; i < nstate && status == MBD_OK; i++) {
    status = random_regressor(normal, i, x, x + normal->model->nq, normal->Y);
    for (size_t j = 0; j < nv; j++, W += n) {
      for (size_t k = 0; k < n; k++) W[k] = normal->Y[j * nall + (size_t)normal->index[k]];
    }
  }
  free(x);
  return status;
}

static mbd_status_t
find_columns(const normal_t * normal, base_t * base)
{
  const int nstate = 3 * normal->n / normal->nv + 20, rows = nstate * normal->nv;
  double * W = calloc((size_t)rows * (size_t)normal->n, sizeof *W);
  if (!W) return MBD_ERROR_OUT_OF_MEMORY;
  mbd_status_t status = stack_regressors(normal, nstate, W);
  if (status == MBD_OK) {
    status = mbd_base_parameters(rows, normal->n, W, 1e-9, base->column, &base->rank, NULL);
  }
  free(W);
  return status;
}

//---------- excitation ----------

// the size that such a parameter has in this body or drive
static double
usual_size(const normal_t * normal, const fit_t * fit, int k)
{
  const int all = normal->index[k], drive = all - TEN * normal->model->nbody;
  if (drive >= 0) {
    // itself, or what makes a hundredth of the joint's torque
    const int j = drive / 3;
    const size_t i = (size_t)k, half = (size_t)normal->n * (size_t)(normal->n + 1) / 2;
    const double column2 = normal->A[(size_t)j * half + i * (i + 1) / 2 + i];
    const double floor = column2 > 0 ? 0.01 * sqrt(normal->tau2[j] / column2) : 0;
    return fmax(fit->theta[k], floor);
  }
  // mass, mass times length, mass times length squared
  const double * body = fit->theta + TEN * (all / TEN);
  const double inertia = 0.5 * (body[4] + body[7] + body[9]);
  const int p = all % TEN;
  return p == 0 ? body[0] : p < 4 ? sqrt(body[0] * inertia) : inertia;
}

// the form of the base parameters with columns scaled to unit length; scales in `length`
static void
scaled_form(const base_t * base, const fit_t * fit, double * S, double * length)
{
  const size_t n = (size_t)fit->n, r = (size_t)base->rank;
  for (size_t i = 0; i < r; i++) {
    const size_t c = (size_t)base->column[i];
    length[i] = sqrt(fit->A[c * n + c]);
  }
  for (size_t i = 0; i < r; i++) {
    for (size_t k = 0; k < r; k++) {
      const double scale = length[i] * length[k];
      const double x = fit->A[(size_t)base->column[i] * n + (size_t)base->column[k]];
      S[i * r + k] = scale > 0 ? x / scale : 0;
    }
  }
}

// eigenvalues of the form tell what is excited; standard deviations come from its inverse
static void
judge(const normal_t * normal, const fit_t * fit, base_t * base, double * S, double * V)
{
  const size_t r = (size_t)base->rank;
  double largest = 0, smallest = HUGE_VAL;
  for (size_t k = 0; k < r; k++) {
    largest = fmax(largest, S[k * r + k]);
    smallest = fmin(smallest, S[k * r + k]);
  }
  const double zero = 1e-12 * largest;
  base->condition = smallest > zero ? sqrt(largest / smallest) : HUGE_VAL;
  for (size_t k = 0; k < r; k++) base->excited += S[k * r + k] > zero;
  for (size_t i = 0; i < r; i++) {
    const double length = base->uncertainty[i];
    double variance = 0;
    for (size_t k = 0; k < r; k++) {
      variance += V[i * r + k] * V[i * r + k] / fmax(S[k * r + k], fmax(zero, 1e-300));
    }
    const double size = usual_size(normal, fit, base->column[i]);
    base->uncertainty[i] = length > 0 && size > 0 ? sqrt(variance) / length / size : HUGE_VAL;
    base->npoor += base->uncertainty[i] > BASE_POOR;
  }
}

bool
base_find(const normal_t * normal, const fit_t * fit, base_t * base)
{
  *base = (base_t){.condition = HUGE_VAL};
  const size_t n = (size_t)normal->n;
  base->column = calloc(n + 1, sizeof *base->column);
  base->uncertainty = calloc(n + 1, sizeof *base->uncertainty);
  double *S = calloc(n * n + 1, sizeof *S), *V = calloc(n * n + 1, sizeof *V);
  mbd_status_t status = MBD_ERROR_OUT_OF_MEMORY;
  if (base->column && base->uncertainty && S && V) status = find_columns(normal, base);
  if (status == MBD_OK) {
    scaled_form(base, fit, S, base->uncertainty);
    linear_eigen(base->rank, S, V);
    judge(normal, fit, base, S, V);
  } else {
    fprintf(stderr, "mbdyn identify: %s\n", mbd_status_string(status));
  }
  free(S);
  free(V);
  return status == MBD_OK;
}

void
base_free(base_t * base)
{
  free(base->column);
  free(base->uncertainty);
  *base = (base_t){0};
}
