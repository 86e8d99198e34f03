// The mass matrix by rows of ancestors. The row of an ancestor is the beginning of the row of what it
// carries, column for column: sums over common ancestors are over contiguous numbers.
#include "mbdyn/operators/sparse_mass.h"

#include <stdlib.h>
#include <string.h>

#include "mbdyn/inertia.h"
#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"

//---------- pattern ----------

// parent of degree of freedom k: the one before in its joint, or the last of the parent's
static int
carrier(const mbd_model_t * model, int k)
{
  const mbd_body_t * body = &model->body[model->dof_body[k]];
  if (k > body->v_index) return k - 1;
  if (body->parent < 0) return -1;
  const mbd_body_t * parent = &model->body[body->parent];
  return parent->v_index + parent->nv - 1;
}

mbd_status_t
mbd_sparsity_create(const mbd_model_t * model, mbd_sparsity_t ** sparsity)
{
  if (!model || !sparsity) return MBD_ERROR_NULL_ARGUMENT;
  *sparsity = NULL;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  const size_t nv = (size_t)model->nv;
  // one block: the struct, rows, parents
  char * block = malloc(sizeof(mbd_sparsity_t) + (nv + 1) * sizeof(size_t) + nv * sizeof(int));
  if (!block) return MBD_ERROR_OUT_OF_MEMORY;
  mbd_sparsity_t * s = (mbd_sparsity_t *)(void *)block;
  size_t * row = (size_t *)(void *)(s + 1);
  int * parent = (int *)(void *)(row + nv + 1);
  row[0] = 0;
  for (int k = 0; k < model->nv; k++) {
    parent[k] = carrier(model, k);
    const size_t above = parent[k] < 0 ? 0 : row[parent[k] + 1] - row[parent[k]];
    row[k + 1] = row[k] + above + 1;
  }
  *s = (mbd_sparsity_t){.nv = model->nv, .nnz = row[nv], .row = row, .parent = parent};
  *sparsity = s;
  return MBD_OK;
}

void
mbd_sparsity_destroy(mbd_sparsity_t * sparsity)
{
  free(sparsity);
}

// numbers of row k before its diagonal
static size_t
depth(const mbd_sparsity_t * s, int k)
{
  return s->row[k + 1] - s->row[k] - 1;
}

//---------- the matrix ----------

// row k: force on the subtree for column k of S, transformed from body to body to the base
static void
mass_row(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_sparsity_t * s, int k, double * M)
{
  double * row = M + s->row[k];
  int i = model->dof_body[k];
  mbd_force_t F = mbdu_inertia_mul(&data->R[i], data->S[k]);
  for (;;) {
    const mbd_body_t * body = &model->body[i];
    double y[6];
    joint_project(body, data->S + body->v_index, F, y);
    for (int j = 0; j < body->nv && body->v_index + j <= k; j++) {
      row[depth(s, body->v_index + j)] = y[j];
    }
    if (body->parent < 0) break;
    F = mbdu_force_to_parent(&data->X_parent[i], F);
    i = body->parent;
  }
  row[depth(s, k)] += joint_rotor(data, &model->body[model->dof_body[k]]);
}

// the pattern is that of the model
static bool
fits(const mbd_model_t * model, const mbd_sparsity_t * s)
{
  if (s->nv != model->nv) return false;
  for (int k = 0; k < s->nv; k++) {
    if (s->parent[k] != carrier(model, k)) return false;
  }
  return true;
}

mbd_status_t
mbd_sparse_mass(
  const mbd_model_t * model, mbd_data_t * data, const mbd_sparsity_t * sparsity, double * M)
{
  CHECK(check_dynamics(model, data, 0));
  if (!sparsity || !M) return MBD_ERROR_NULL_ARGUMENT;
  if (!fits(model, sparsity)) return MBD_ERROR_MODEL_MISMATCH;
  CHECK(mbd_composite_inertia(model, data));
  for (int k = 0; k < model->nv; k++) mass_row(model, data, sparsity, k, M);
  return MBD_OK;
}

mbd_status_t
mbd_sparse_gather(const mbd_sparsity_t * sparsity, const double * dense, double * M)
{
  if (!sparsity || !dense || !M) return MBD_ERROR_NULL_ARGUMENT;
  for (int k = 0; k < sparsity->nv; k++) {
    const double * row = dense + (size_t)k * (size_t)sparsity->nv;
    double * number = M + sparsity->row[k + 1];
    for (int j = k; j >= 0; j = sparsity->parent[j]) *--number = row[j];
  }
  return MBD_OK;
}

mbd_status_t
mbd_sparse_expand(const mbd_sparsity_t * sparsity, const double * M, double * dense)
{
  if (!sparsity || !M || !dense) return MBD_ERROR_NULL_ARGUMENT;
  const size_t nv = (size_t)sparsity->nv;
  memset(dense, 0, nv * nv * sizeof *dense);
  for (int k = 0; k < sparsity->nv; k++) {
    const double * number = M + sparsity->row[k + 1];
    for (int j = k; j >= 0; j = sparsity->parent[j]) {
      number--;
      dense[(size_t)k * nv + (size_t)j] = dense[(size_t)j * nv + (size_t)k] = *number;
    }
  }
  return MBD_OK;
}

mbd_status_t
mbd_sparse_multiply(const mbd_sparsity_t * sparsity, const double * M, const double * x, double * y)
{
  if (!sparsity || !M || !x || !y) return MBD_ERROR_NULL_ARGUMENT;
  if (x == y) return MBD_ERROR_BAD_ARGUMENT;
  for (int k = 0; k < sparsity->nv; k++) {
    const double * number = M + sparsity->row[k + 1] - 1;
    double sum = *number * x[k];
    for (int j = sparsity->parent[k]; j >= 0; j = sparsity->parent[j]) {
      number--;
      sum += *number * x[j];
      y[j] += *number * x[k];
    }
    y[k] = sum;
  }
  return MBD_OK;
}

//---------- factors ----------

mbd_status_t
mbd_sparse_factor(const mbd_sparsity_t * sparsity, double * M)
{
  if (!sparsity || !M) return MBD_ERROR_NULL_ARGUMENT;
  for (int k = sparsity->nv - 1; k >= 0; k--) {
    double * row = M + sparsity->row[k];
    size_t p = depth(sparsity, k);
    const double pivot = row[p];
    // written so that NaN and infinity fail
    if (!(pivot > 0 && 0 * pivot == 0)) return MBD_ERROR_SINGULAR;
    for (int i = sparsity->parent[k]; i >= 0; i = sparsity->parent[i]) {
      double * above = M + sparsity->row[i];
      const double a = row[--p] / pivot;
      for (size_t j = 0; j <= p; j++) above[j] -= a * row[j];
      row[p] = a;
    }
  }
  return MBD_OK;
}

mbd_status_t
mbd_sparse_solve(const mbd_sparsity_t * sparsity, const double * factors, double * x)
{
  if (!sparsity || !factors || !x) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(x, sparsity->nv)) return MBD_ERROR_NOT_FINITE;
  // L^T y = x, tips to base
  for (int k = sparsity->nv - 1; k >= 0; k--) {
    const double * number = factors + sparsity->row[k + 1] - 1;
    for (int j = sparsity->parent[k]; j >= 0; j = sparsity->parent[j]) x[j] -= *--number * x[k];
  }
  // L x = D^-1 y, base to tips
  for (int k = 0; k < sparsity->nv; k++) {
    const double * number = factors + sparsity->row[k + 1] - 1;
    x[k] /= *number;
    for (int j = sparsity->parent[k]; j >= 0; j = sparsity->parent[j]) x[k] -= *--number * x[j];
  }
  return finite_array(x, sparsity->nv) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}
