// Torque errors of all samples as quadratic forms of the parameters, one for each joint.
#include "identify_normal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inertia_chart.h"
#include "mbdyn/dynamics/regressor.h"
#include "mbdyn/kinematics.h"
#include "return_if_error.h"

//---------- which parameters ----------

static bool
is_wanted(const normal_t * normal, normal_terms_t terms, int all)
{
  const int drive = all - TEN * normal->model->nbody;
  if (drive < 0) return true;
  return drive % 3 == 2 ? terms.rotors : terms.friction;
}

static void
choose(normal_t * normal, normal_terms_t terms)
{
  normal->n = 0;
  for (int k = 0; k < normal->nall; k++) {
    if (is_wanted(normal, terms, k)) {
      normal->index[normal->n++] = k;
    } else if (terms.no_drives) {
      normal->theta[k] = 0;
    }
  }
}

static size_t
half_size(const normal_t * normal)
{
  return (size_t)normal->n * (size_t)(normal->n + 1) / 2;
}

static bool
allocate_model(normal_t * normal)
{
  const size_t nall = (size_t)normal->nall, nv = (size_t)normal->nv;
  normal->index = calloc(nall + 1, sizeof *normal->index);
  normal->nonzero = calloc(nall + 1, sizeof *normal->nonzero);
  normal->theta = calloc(nall + 1, sizeof *normal->theta);
  normal->y = calloc(nall + 1, sizeof *normal->y);
  normal->Y = calloc(nv * nall + 1, sizeof *normal->Y);
  return normal->index && normal->nonzero && normal->theta && normal->y && normal->Y;
}

static bool
allocate_forms(normal_t * normal)
{
  const size_t n = (size_t)normal->n, nv = (size_t)normal->nv;
  normal->error = calloc(4 * nv + 1, sizeof *normal->error);
  normal->A = calloc(nv * half_size(normal) + 1, sizeof *normal->A);
  normal->b = calloc(nv * n + 1, sizeof *normal->b);
  if (!normal->error || !normal->A || !normal->b) return false;
  normal->c = normal->error + nv;
  normal->tau2 = normal->c + nv;
  normal->v2 = normal->tau2 + nv;
  return true;
}

bool
normal_create(const mbd_model_t * model, normal_terms_t terms, normal_t * normal)
{
  *normal = (normal_t){.model = model, .nv = model->nv};
  normal->nall = mbd_parameter_count(model, true);
  mbd_status_t status = mbd_data_create(model, &normal->data);
  if (status == MBD_OK && !allocate_model(normal)) status = MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK) status = mbd_parameters_get(model, normal->data, true, normal->theta);
  if (status == MBD_OK) {
    choose(normal, terms);
    if (!allocate_forms(normal)) status = MBD_ERROR_OUT_OF_MEMORY;
  }
  if (status != MBD_OK) fprintf(stderr, "mbdyn identify: %s\n", mbd_status_string(status));
  return status == MBD_OK;
}

void
normal_free(normal_t * normal)
{
  mbd_data_destroy(normal->data);
  free(normal->index);
  free(normal->nonzero);
  free(normal->theta);
  free(normal->y);
  free(normal->Y);
  free(normal->error);
  free(normal->A);
  free(normal->b);
  *normal = (normal_t){0};
}

const char *
normal_name(const normal_t * normal, int k, char * name, size_t size)
{
  static const char * const INERTIAL[TEN] = {"mass", "mx",  "my",  "mz",  "ixx",
                                             "ixy",  "ixz", "iyy", "iyz", "izz"};
  static const char * const DRIVE[3] = {"viscous", "coulomb", "rotor"};
  const int all = normal->index[k], drive = all - TEN * normal->model->nbody;
  const mbd_body_t * body = &normal->model->body[drive < 0 ? all / TEN : drive / 3];
  if (drive < 0) {
    snprintf(name, size, "%s %s", body->name, INERTIAL[all % TEN]);
  } else {
    snprintf(name, size, "%s %s", body->joint_name, DRIVE[drive % 3]);
  }
  return name;
}

//---------- samples ----------

mbd_status_t
normal_linearize(normal_t * normal, const sample_t * sample)
{
  const mbd_model_t * model = normal->model;
  RETURN_IF_ERROR(mbd_set_position(model, normal->data, sample->q));
  RETURN_IF_ERROR(mbd_set_velocity(model, normal->data, sample->v));
  RETURN_IF_ERROR(mbd_torque_regressor(model, normal->data, sample->a, true, normal->Y));
  for (int j = 0; j < normal->nv; j++) {
    const double * row = normal->Y + (size_t)j * (size_t)normal->nall;
    normal->error[j] = sample->tau[j];
    for (int k = 0; k < normal->nall; k++) normal->error[j] -= row[k] * normal->theta[k];
  }
  return MBD_OK;
}

// y y^T of one joint, without the zeros: a joint does not feel the bodies that it does not carry
static void
add_row(normal_t * normal, int j)
{
  const double * row = normal->Y + (size_t)j * (size_t)normal->nall;
  double * A = normal->A + (size_t)j * half_size(normal);
  double * b = normal->b + (size_t)j * (size_t)normal->n;
  int count = 0;
  for (int k = 0; k < normal->n; k++) {
    const double y = row[normal->index[k]];
    if (y == 0) continue;
    normal->y[count] = y;
    normal->nonzero[count++] = k;
    b[k] += y * normal->error[j];
  }
  for (int r = 0; r < count; r++) {
    const size_t i = (size_t)normal->nonzero[r];
    double * to = A + i * (i + 1) / 2;
    for (int s = 0; s <= r; s++) to[normal->nonzero[s]] += normal->y[r] * normal->y[s];
  }
}

mbd_status_t
normal_add(normal_t * normal, const sample_t * sample)
{
  RETURN_IF_ERROR(normal_linearize(normal, sample));
  for (int j = 0; j < normal->nv; j++) {
    add_row(normal, j);
    normal->c[j] += normal->error[j] * normal->error[j];
    normal->tau2[j] += sample->tau[j] * sample->tau[j];
    normal->v2[j] += sample->v[j] * sample->v[j];
  }
  normal->nsample++;
  return MBD_OK;
}

//---------- forms ----------

double
normal_error(const normal_t * normal, int j, const double * delta)
{
  const double * row = normal->A + (size_t)j * half_size(normal);
  const double * b = normal->b + (size_t)j * (size_t)normal->n;
  double sum = normal->c[j];
  for (int i = 0; i < normal->n; row += ++i) {
    double product = 0.5 * row[i] * delta[i];
    for (int k = 0; k < i; k++) product += row[k] * delta[k];
    sum += 2 * delta[i] * (product - b[i]);
  }
  // rounding can take it below
  return sum > 0 ? sum : 0;
}

void
normal_sum(const normal_t * normal, const double * weight, double * A, double * b)
{
  const size_t n = (size_t)normal->n;
  memset(A, 0, n * n * sizeof *A);
  memset(b, 0, n * sizeof *b);
  for (int j = 0; j < normal->nv; j++) {
    const double * row = normal->A + (size_t)j * half_size(normal);
    for (size_t i = 0; i < n; row += ++i) {
      for (size_t k = 0; k <= i; k++) A[i * n + k] += weight[j] * row[k];
      b[i] += weight[j] * normal->b[(size_t)j * n + i];
    }
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < i; k++) A[k * n + i] = A[i * n + k];
  }
}
