// Products with the innovations factors by sweeps: Lem 9.1, 9.2 applied to (7.14) and (7.18).
#include "mbdyn/operators/factors.h"

#include <math.h>
#include <string.h>

#include "mbdyn/forward.h"
#include "mbdyn/inertia.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/dense.h"

// arguments of a product, and the articulated stage where `factored`
static mbd_status_t
prepare(
  const mbd_model_t * model, mbd_data_t * data, bool factored, const double * x, const double * y)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!x || !y) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(x, model->nv)) return MBD_ERROR_NOT_FINITE;
  return factored ? mbd_articulated_inertia(model, data) : MBD_OK;
}

mbd_status_t
mbdi_tree_mass_product(const mbd_model_t * model, mbd_data_t * data, const double * x, double * y)
{
  CHECK(prepare(model, data, false, x, y));
  // M x = H phi M phi^T H^T x: velocities out, momenta back                        (4.6)
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    mbd_motion_t V = joint_motion(body, data->S + body->v_index, x + body->v_index);
    if (body->parent >= 0) {
      V = mbdu_motion_add(V, mbdu_motion_to_child(&data->X_parent[i], data->work->W[body->parent]));
    }
    data->work->W[i] = V;
    data->work->F[i] = mbdu_inertia_mul(&data->inertia[i], V);
  }
  mbdi_tree_gather_forces(model, data, data->work->F, data->work->x);
  for (int k = 0; k < model->nv; k++) {
    data->work->x[k] += joint_rotor(data, &model->body[model->dof_body[k]]) * x[k];
  }
  return copy_checked(y, data->work->x, model->nv);
}

//---------- F = I + H phi K and its inverse ----------

void
mbdi_factor_apply(const mbd_model_t * model, mbd_data_t * data, bool inverse, double * x)
{
  memset(data->work->F, 0, (size_t)model->nbody * sizeof *data->work->F);
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbd_body_t * body = &model->body[i];
    double * part = x + body->v_index;
    double hinge[6], old[6];
    joint_project(body, data->S + body->v_index, data->work->F[i], hinge);
    for (int k = 0; k < body->nv; k++) {
      old[k] = part[k];
      part[k] += inverse ? -hinge[k] : hinge[k];
    }
    if (body->parent < 0) continue;
    // w_p += phi (w + G x); for the inverse taubar w + G x = w + G (x - H w)
    const mbd_force_t w =
      mbdu_force_add(data->work->F[i], joint_gain(data, body, inverse ? part : old));
    data->work->F[body->parent] =
      mbdu_force_add(data->work->F[body->parent], mbdu_force_to_parent(&data->X_parent[i], w));
  }
}

void
mbdi_factor_apply_transpose(const mbd_model_t * model, mbd_data_t * data, bool inverse, double * x)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    double * part = x + body->v_index;
    mbd_motion_t u = {{0, 0, 0}, {0, 0, 0}};
    if (body->parent >= 0)
      u = mbdu_motion_to_child(&data->X_parent[i], data->work->W[body->parent]);
    double old[6];
    for (int k = 0; k < body->nv; k++) {
      old[k] = part[k];
      const double gain = mbdu_power(data->G[body->v_index + k], u);
      part[k] += inverse ? -gain : gain;
    }
    // v = u + S x; for the inverse taubar^T u + S x = u + S (x - G^T u)
    const mbd_motion_t step = joint_motion(body, data->S + body->v_index, inverse ? part : old);
    data->work->W[i] = mbdu_motion_add(u, step);
  }
}

void
mbdi_tree_solve(const mbd_model_t * model, mbd_data_t * data, double * x)
{
  mbdi_factor_apply(model, data, true, x);
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    double part[6];
    joint_D_inv(data, body, x + body->v_index, part);
    memcpy(x + body->v_index, part, (size_t)body->nv * sizeof *part);
  }
  mbdi_factor_apply_transpose(model, data, true, x);
}

mbd_status_t
mbd_mass_solve(const mbd_model_t * model, mbd_data_t * data, const double * x, double * y)
{
  // for a rigid tree a state suffices; no stage needs to be computed
  const bool tree = model && model->internal->engine && model->internal->engine->rigid_tree;
  CHECK(check_any_dynamics(model, data, tree ? 0 : MBD_STAGE_POSITION));
  if (!stage_has_position(data)) return MBD_ERROR_STAGE;
  if (!x || !y) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(x, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(model->internal->engine->prepare_solve(model, data));
  memcpy(data->work->x, x, (size_t)model->nv * sizeof *x);
  model->internal->engine->solve(model, data, data->work->x);
  return copy_checked(y, data->work->x, model->nv);
}

//---------- square root ----------

// D^-1 = C C^T with C lower triangular, row-major n x n in 36 numbers
static void
cholesky(const double * A, int n, double * C)
{
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; k++) sum -= C[i * n + k] * C[j * n + k];
      C[i * n + j] = i < j ? 0 : i == j ? sqrt(sum) : sum / C[j * n + j];
    }
  }
}

// x := D^1/2 x with D^1/2 = C^-T, or its transpose, inverse, inverse transpose
static void
apply_D_root(mbd_sqrt_op_t op, const double * C, int n, double * x)
{
  double y[6];
  switch (op) {
    case MBD_SQRT:
      for (int i = n - 1; i >= 0; i--) {
        y[i] = x[i];
        for (int k = i + 1; k < n; k++) y[i] -= C[k * n + i] * y[k];
        y[i] /= C[i * n + i];
      }
      break;
    case MBD_SQRT_TRANSPOSE:
      for (int i = 0; i < n; i++) {
        y[i] = x[i];
        for (int k = 0; k < i; k++) y[i] -= C[i * n + k] * y[k];
        y[i] /= C[i * n + i];
      }
      break;
    case MBD_SQRT_INVERSE:
      for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = i; k < n; k++) y[i] += C[k * n + i] * x[k];
      }
      break;
    default:
      for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = 0; k <= i; k++) y[i] += C[i * n + k] * x[k];
      }
      break;
  }
  memcpy(x, y, (size_t)n * sizeof *x);
}

void
mbdi_hinge_root(const mbd_data_t * data, const mbd_body_t * body, double * C)
{
  cholesky(data->D_inv + body->d_index, body->nv, C);
}

void
mbdi_hinge_roots_apply(
  const mbd_model_t * model, const mbd_data_t * data, mbd_sqrt_op_t op, double * x)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const bool inverse = op == MBD_SQRT_INVERSE || op == MBD_SQRT_INVERSE_TRANSPOSE;
    double C[36];
    if (body->nv == 1) {
      const double root = sqrt(data->D_inv[body->d_index]);
      x[body->v_index] = inverse ? root * x[body->v_index] : x[body->v_index] / root;
      continue;
    }
    mbdi_hinge_root(data, body, C);
    apply_D_root(op, C, body->nv, x + body->v_index);
  }
}

mbd_status_t
mbdi_tree_mass_sqrt(
  const mbd_model_t * model, mbd_data_t * data, mbd_sqrt_op_t op, const double * x, double * y)
{
  CHECK(prepare(model, data, true, x, y));
  if ((int)op < MBD_SQRT || (int)op > MBD_SQRT_INVERSE_TRANSPOSE) return MBD_ERROR_BAD_ARGUMENT;
  memcpy(data->work->x, x, (size_t)model->nv * sizeof *x);
  switch (op) {
    case MBD_SQRT:
      mbdi_hinge_roots_apply(model, data, op, data->work->x);
      mbdi_factor_apply(model, data, false, data->work->x);
      break;
    case MBD_SQRT_TRANSPOSE:
      mbdi_factor_apply_transpose(model, data, false, data->work->x);
      mbdi_hinge_roots_apply(model, data, op, data->work->x);
      break;
    case MBD_SQRT_INVERSE:
      mbdi_factor_apply(model, data, true, data->work->x);
      mbdi_hinge_roots_apply(model, data, op, data->work->x);
      break;
    case MBD_SQRT_INVERSE_TRANSPOSE:
      mbdi_hinge_roots_apply(model, data, op, data->work->x);
      mbdi_factor_apply_transpose(model, data, true, data->work->x);
      break;
  }
  return copy_checked(y, data->work->x, model->nv);
}

//---------- the factors themselves, determinant, trace ----------

// column k of H phi K: its gain, transformed from body to body to the base
static void
factor_column(const mbd_model_t * model, const mbd_data_t * data, int k, double * F)
{
  const size_t nv = (size_t)model->nv, column = (size_t)k;
  F[column * nv + column] = 1;
  mbd_force_t w = data->G[k];
  int i = model->dof_body[k];
  while (model->body[i].parent >= 0) {
    w = mbdu_force_to_parent(&data->X_parent[i], w);
    i = model->body[i].parent;
    const mbd_body_t * body = &model->body[i];
    double hinge[6];
    joint_project(body, data->S + body->v_index, w, hinge);
    for (int j = 0; j < body->nv; j++) F[(size_t)(body->v_index + j) * nv + column] = hinge[j];
  }
}

static void
hinge_inertia_column(const mbd_model_t * model, const mbd_data_t * data, int k, double * D)
{
  const size_t nv = (size_t)model->nv, column = (size_t)k;
  const int i = model->dof_body[k];
  const mbd_body_t * body = &model->body[i];
  double hinge[6];
  joint_project(
    body, data->S + body->v_index, mbdu_sym6_mul_motion(&data->P[i], data->S[k]), hinge);
  for (int j = 0; j < body->nv; j++) D[(size_t)(body->v_index + j) * nv + column] = hinge[j];
  D[column * nv + column] += joint_rotor(data, body);
}

mbd_status_t
mbdi_tree_mass_factors(const mbd_model_t * model, mbd_data_t * data, double * F, double * D)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  CHECK(mbd_articulated_inertia(model, data));
  const size_t bytes = (size_t)model->nv * (size_t)model->nv * sizeof(double);
  if (F) memset(F, 0, bytes);
  if (D) memset(D, 0, bytes);
  for (int k = 0; k < model->nv; k++) {
    if (F) factor_column(model, data, k, F);
    if (D) hinge_inertia_column(model, data, k, D);
  }
  return MBD_OK;
}

mbd_status_t
mbdi_tree_mass_log_determinant(const mbd_model_t * model, mbd_data_t * data, double * log_det)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!log_det) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_articulated_inertia(model, data));
  double sum = 0;
  for (int i = 0; i < model->nbody; i++) {
    const int n = model->body[i].nv;
    double C[36];
    cholesky(data->D_inv + model->body[i].d_index, n, C);
    for (int k = 0; k < n; k++) sum -= 2 * log(C[k * n + k]);
  }
  *log_det = sum;
  return MBD_OK;
}

mbd_status_t
mbdi_tree_mass_trace(const mbd_model_t * model, mbd_data_t * data, double * trace)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!trace) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_composite_inertia(model, data));
  double sum = 0;
  for (int k = 0; k < model->nv; k++) {
    const int i = model->dof_body[k];
    sum += mbdu_power(mbdu_inertia_mul(&data->R[i], data->S[k]), data->S[k]);
    sum += joint_rotor(data, &model->body[i]);
  }
  *trace = sum;
  return MBD_OK;
}

mbd_status_t
mbd_mass_condition(const mbd_model_t * model, mbd_data_t * data, double * work, double * condition)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!work || !condition) return MBD_ERROR_NULL_ARGUMENT;
  const int n = model->nv;
  CHECK(mbd_mass_matrix(model, data, work));
  mbdi_eigen_symmetric(n, work, work + (size_t)n * (size_t)n);
  double largest = 0, smallest = HUGE_VAL;
  for (int k = 0; k < n; k++) {
    largest = fmax(largest, work[k * n + k]);
    smallest = fmin(smallest, work[k * n + k]);
  }
  if (n > 0 && smallest <= 0) return MBD_ERROR_SINGULAR;
  *condition = n > 0 ? largest / smallest : 1;
  return MBD_OK;
}
