// What the engines of embedded loops and of flexible links share.
#include "sko/sko_engine.h"

#include <string.h>

#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/spatial.h"
#include "state/state.h"

//---------- mass matrix ----------

mbd_status_t
mbdi_sko_engine_mass_matrix(const mbd_model_t * model, mbd_data_t * data, double * M)
{
  CHECK(check_any_dynamics(model, data, 0));
  if (!M) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  return mbd_sko_mass_matrix(model->internal->engine->sko(model, data), M);
}

mbd_status_t
mbdi_sko_engine_mass_matrix_inverse(const mbd_model_t * model, mbd_data_t * data, double * M_inv)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!M_inv) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(model->internal->engine->articulated_inertia(model, data));
  mbd_sko_t * sko = model->internal->engine->sko(model, data);
  const size_t nv = (size_t)model->nv;
  for (size_t c = 0; c < nv; c++) {
    for (size_t k = 0; k < nv; k++) data->work->x[k] = k == c;
    CHECK(mbd_sko_mass_solve(sko, data->work->x, data->work->x));
    // symmetric to the last bit: the upper half counts
    for (size_t k = 0; k <= c; k++) M_inv[k * nv + c] = M_inv[c * nv + k] = data->work->x[k];
  }
  return MBD_OK;
}

mbd_status_t
mbdi_sko_engine_mass_sqrt(
  const mbd_model_t * model, mbd_data_t * data, mbd_sqrt_op_t op, const double * x, double * y)
{
  static const mbd_sko_factor_t same[] = {
    [MBD_SQRT] = MBD_SKO_ROOT,
    [MBD_SQRT_TRANSPOSE] = MBD_SKO_ROOT_TRANSPOSE,
    [MBD_SQRT_INVERSE] = MBD_SKO_ROOT_INVERSE,
    [MBD_SQRT_INVERSE_TRANSPOSE] = MBD_SKO_ROOT_INVERSE_TRANSPOSE};
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!x || !y) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(x, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(model->internal->engine->articulated_inertia(model, data));
  if ((int)op < MBD_SQRT || (int)op > MBD_SQRT_INVERSE_TRANSPOSE) return MBD_ERROR_BAD_ARGUMENT;
  return mbd_sko_factor(model->internal->engine->sko(model, data), same[op], x, y);
}

mbd_status_t
mbdi_sko_engine_mass_factors(const mbd_model_t * model, mbd_data_t * data, double * F, double * D)
{
  CHECK(model->internal->engine->articulated_inertia(model, data));
  mbd_sko_t * sko = model->internal->engine->sko(model, data);
  const size_t nv = (size_t)model->nv;
  if (D) memset(D, 0, nv * nv * sizeof *D);
  for (int k = 0; D && k < sko->nnode; k++) {
    const mbd_sko_node_t * node = &sko->node[k];
    for (int i = 0; i < node->r * node->r; i++) {
      D[(size_t)node->dof[i / node->r] * nv + (size_t)node->dof[i % node->r]] = node->D[i];
    }
  }
  for (size_t c = 0; F && c < nv; c++) {
    for (size_t k = 0; k < nv; k++) data->work->x[k] = k == c;
    CHECK(mbd_sko_factor(sko, MBD_SKO_F, data->work->x, data->work->x));
    for (size_t k = 0; k < nv; k++) F[k * nv + c] = data->work->x[k];
  }
  return MBD_OK;
}

mbd_status_t
mbdi_sko_engine_mass_log_determinant(const mbd_model_t * model, mbd_data_t * data, double * log_det)
{
  CHECK(model->internal->engine->articulated_inertia(model, data));
  return mbd_sko_log_determinant(model->internal->engine->sko(model, data), log_det);
}

mbd_status_t
mbdi_sko_engine_mass_trace(const mbd_model_t * model, mbd_data_t * data, double * trace)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!trace) return MBD_ERROR_NULL_ARGUMENT;
  return mbd_sko_mass_trace(model->internal->engine->sko(model, data), trace);
}

//---------- Coriolis matrix ----------

mbd_status_t
mbdi_sko_engine_coriolis_matrix(const mbd_model_t * model, mbd_data_t * data, double * C)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!C) return MBD_ERROR_NULL_ARGUMENT;
  const size_t nv = (size_t)model->nv;
  double *unit = data->work->nu, *column = data->work->x;
  for (size_t c = 0; c < nv; c++) {
    for (size_t k = 0; k < nv; k++) unit[k] = k == c;
    model->internal->engine->coriolis_product(model, data, unit, column);
    for (size_t k = 0; k < nv; k++) C[k * nv + c] = column[k];
  }
  return MBD_OK;
}

mbd_status_t
mbdi_sko_engine_coriolis_transpose_product(const mbd_model_t * model, mbd_data_t * data, double * y)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!y) return MBD_ERROR_NULL_ARGUMENT;
  model->internal->engine->coriolis_product_transpose(model, data, data->v, data->work->x);
  memcpy(y, data->work->x, (size_t)model->nv * sizeof *y);
  return MBD_OK;
}

//---------- along each degree of freedom ----------

mbd_status_t
mbdi_keep_velocity(const mbd_model_t * model, mbd_data_t * data, mbdi_kept_t * kept)
{
  if (model->internal->engine->is_driven && model->internal->engine->is_driven(model))
    return MBD_ERROR_UNSUPPORTED;
  // the bias stage is of the velocity that is tried last
  kept->stage = stage_bits(data) & ~(uint32_t)MBD_STAGE_BIAS;
  kept->tree_stage = stage_bits(mbdi_spanning_data(data)) & ~(uint32_t)MBD_STAGE_BIAS;
  memcpy(data->work->qdd, data->v, (size_t)model->nv * sizeof *data->v);
  return MBD_OK;
}

mbd_status_t
mbdi_try_velocity(const mbd_model_t * model, mbd_data_t * data, int j)
{
  for (int k = 0; k < model->nv; k++) data->work->nu[k] = k == j;
  return model->internal->engine->set_velocity(model, data, data->work->nu);
}

mbd_status_t
mbdi_restore_velocity(
  const mbd_model_t * model, mbd_data_t * data, const mbdi_kept_t * kept, mbd_status_t status)
{
  if (kept->stage & MBD_STAGE_VELOCITY) {
    CHECK(model->internal->engine->set_velocity(model, data, data->work->qdd));
  }
  stage_reset(data, kept->stage);
  stage_reset(mbdi_spanning_data(data), kept->tree_stage);
  return status;
}

// column j is dM/dq_j v, and dM/dq_j = C + C^T at unit velocity j
static mbd_status_t
momentum_gradient_columns(const mbd_model_t * model, mbd_data_t * data, double * MD)
{
  const size_t nv = (size_t)model->nv;
  const double * v = data->work->qdd;
  for (size_t j = 0; j < nv; j++) {
    CHECK(mbdi_try_velocity(model, data, (int)j));
    model->internal->engine->coriolis_product(model, data, v, data->work->x);
    model->internal->engine->coriolis_product_transpose(model, data, v, data->work->nu);
    for (size_t k = 0; k < nv; k++) MD[k * nv + j] = data->work->x[k] + data->work->nu[k];
  }
  return MBD_OK;
}

mbd_status_t
mbdi_sko_engine_momentum_gradient(const mbd_model_t * model, mbd_data_t * data, double * MD)
{
  mbdi_kept_t kept;
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!MD) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbdi_keep_velocity(model, data, &kept));
  return mbdi_restore_velocity(model, data, &kept, momentum_gradient_columns(model, data, MD));
}

static mbd_status_t
energy_gradient(const mbd_model_t * model, mbd_data_t * data, double * gradient)
{
  const double * v = data->work->qdd;
  for (int j = 0; j < model->nv; j++) {
    CHECK(mbdi_try_velocity(model, data, j));
    model->internal->engine->coriolis_product(model, data, v, data->work->x);
    gradient[j] = 0;
    for (int k = 0; k < model->nv; k++) gradient[j] += v[k] * data->work->x[k];
  }
  return finite_array(gradient, model->nv) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

mbd_status_t
mbdi_sko_engine_kinetic_energy_gradient(
  const mbd_model_t * model, mbd_data_t * data, double * gradient)
{
  mbdi_kept_t kept;
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!gradient) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbdi_keep_velocity(model, data, &kept));
  return mbdi_restore_velocity(model, data, &kept, energy_gradient(model, data, gradient));
}

// Coriolis matrices, or dM/dq_j = C + C^T, at unit velocities first to last - 1
static mbd_status_t
matrices(
  const mbd_model_t * model, mbd_data_t * data, int first, int last, bool symmetric, double * G)
{
  const size_t nv = (size_t)model->nv;
  for (int j = first; j < last; j++, G += nv * nv) {
    CHECK(mbdi_try_velocity(model, data, j));
    CHECK((symmetric ? mbd_mass_matrix_rate : mbd_coriolis_matrix)(model, data, G));
  }
  return MBD_OK;
}

static mbd_status_t
unit_matrices(
  const mbd_model_t * model, mbd_data_t * data, int first, int last, bool symmetric, double * G)
{
  mbdi_kept_t kept;
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!G) return MBD_ERROR_NULL_ARGUMENT;
  if (first < 0 || last > model->nv) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(mbdi_keep_velocity(model, data, &kept));
  return mbdi_restore_velocity(
    model, data, &kept, matrices(model, data, first, last, symmetric, G));
}

mbd_status_t
mbdi_sko_engine_christoffel(const mbd_model_t * model, mbd_data_t * data, int k, double * G)
{
  return unit_matrices(model, data, k, k + 1, false, G);
}

// these need no work, but are called as for a tree, which does

mbd_status_t
mbdi_sko_engine_christoffel_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * G)
{
  return work ? unit_matrices(model, data, 0, model->nv, false, G) : MBD_ERROR_NULL_ARGUMENT;
}

mbd_status_t
mbdi_sko_engine_mass_matrix_derivative(
  const mbd_model_t * model, mbd_data_t * data, int j, double * work, double * dM)
{
  return work ? unit_matrices(model, data, j, j + 1, true, dM) : MBD_ERROR_NULL_ARGUMENT;
}

mbd_status_t
mbdi_sko_engine_mass_matrix_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * dM)
{
  return work ? unit_matrices(model, data, 0, model->nv, true, dM) : MBD_ERROR_NULL_ARGUMENT;
}

//---------- blocks of nodes ----------

void
mbdi_sko_put_motion(mbd_motion_t V, int stride, double * x)
{
  x[0] = V.ang.x, x[stride] = V.ang.y, x[2 * stride] = V.ang.z;
  x[3 * stride] = V.lin.x, x[4 * stride] = V.lin.y, x[5 * stride] = V.lin.z;
}

void
mbdi_sko_put_phi(const mbd_placement_t * X, int stride, double * A)
{
  const double * R = X->R.m;
  const mbd_vec3_t p = X->p;
  for (int c = 0; c < 3; c++) {
    const mbd_vec3_t column = mbdu_vec3(R[c], R[3 + c], R[6 + c]);
    const mbd_vec3_t lever = mbdu_vec3_cross(p, column);
    for (int r = 0; r < 3; r++) {
      A[r * stride + c] = A[(r + 3) * stride + c + 3] = R[3 * r + c];
      A[(r + 3) * stride + c] = 0;
    }
    A[c + 3] = lever.x, A[stride + c + 3] = lever.y, A[2 * stride + c + 3] = lever.z;
  }
}

void
mbdi_sko_put_inertia(const mbd_inertia_t * inertia, int stride, double * M)
{
  const mbd_sym6_t small = mbdu_sym6_from_inertia(inertia);
  double full[36];
  mbdu_sym6_full(&small, full);
  for (int i = 0; i < 6; i++) memcpy(M + i * stride, full + 6 * i, 6 * sizeof *full);
}
