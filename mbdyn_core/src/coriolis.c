// Coriolis matrix by composite bodies: sums over subtrees of M_k and B_k, handed down to the bases.
#include "mbdyn/coriolis.h"

#include <string.h>

#include "check.h"
#include "joint.h"
#include "mbdyn/inertia.h"
#include "sweeps.h"

static mbd_motion_t
unit_motion(int k)
{
  mbd_motion_t e = {{k == 0, k == 1, k == 2}, {k == 3, k == 4, k == 5}};
  return e;
}

static void
put_column(double * B, int column, mbd_force_t f)
{
  const double numbers[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
  for (int row = 0; row < 6; row++) B[6 * row + column] += numbers[row];
}

// B x, or B^T x
static mbd_force_t
multiply(const double * B, bool transposed, mbd_motion_t V)
{
  const double x[6] = {V.ang.x, V.ang.y, V.ang.z, V.lin.x, V.lin.y, V.lin.z};
  double y[6] = {0};
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) y[i] += (transposed ? B[6 * j + i] : B[6 * i + j]) * x[j];
  }
  mbd_force_t f = {{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
  return f;
}

// B = 1/2 (bar(V) M - M tilde(V) - hat(M V)), column by column; -hat(h) x = bar(x) h   (1.27)
static void
body_matrix(const mbd_inertia_t * M, mbd_motion_t V, double * B)
{
  const mbd_force_t h = mbdu_inertia_mul(M, V);
  for (int k = 0; k < 6; k++) {
    const mbd_motion_t e = unit_motion(k);
    mbd_force_t column = mbdu_force_cross(V, mbdu_inertia_mul(M, e));
    column = mbdu_force_sub(column, mbdu_inertia_mul(M, mbdu_motion_cross(V, e)));
    column = mbdu_force_add(column, mbdu_force_cross(e, h));
    put_column(B, k, mbdu_force_scale(0.5, column));
  }
}

// B_p += phi B phi^T
static void
add_to_parent(const mbd_placement_t * X, const double * B, double * B_parent)
{
  for (int k = 0; k < 6; k++) {
    const mbd_motion_t e = mbdu_motion_to_child(X, unit_motion(k));
    put_column(B_parent, k, mbdu_force_to_parent(X, multiply(B, false, e)));
  }
}

static void
subtree_matrices(const mbd_model_t * model, mbd_data_t * data)
{
  memset(data->B, 0, 36 * (size_t)model->nbody * sizeof *data->B);
  for (int i = model->nbody - 1; i >= 0; i--) {
    double * B = data->B + 36 * (size_t)i;
    body_matrix(&data->inertia[i], data->V[i], B);
    const int parent = model->body[i].parent;
    if (parent >= 0) add_to_parent(&data->X_parent[i], B, data->B + 36 * (size_t)parent);
  }
}

// d/dt in the world of column k of S, in body axes
static mbd_motion_t
column_rate(const mbd_model_t * model, const mbd_data_t * data, int k)
{
  const int i = model->dof_body[k];
  return mbdu_motion_add(mbdu_motion_cross(data->V[i], data->S[k]), data->S_rate[k]);
}

// row and column k of C as far as bodies that carry body k are concerned
static void
fill_row_and_column(const mbd_model_t * model, const mbd_data_t * data, int k, double * C)
{
  const size_t nv = (size_t)model->nv, column = (size_t)k;
  int i = model->dof_body[k];
  const double * B = data->B + 36 * (size_t)i;
  const mbd_motion_t S = data->S[k];
  mbd_force_t inertial = mbdu_inertia_mul(&data->R[i], S);
  mbd_force_t adjoint = multiply(B, true, S);
  mbd_force_t F = mbdu_force_add(
    mbdu_inertia_mul(&data->R[i], column_rate(model, data, k)), multiply(B, false, S));

  for (bool same_body = true;; same_body = false) {
    const mbd_body_t * body = &model->body[i];
    for (int j = body->v_index; j < body->v_index + body->nv; j++) {
      const size_t row = (size_t)j;
      // C(j,k) = S_j^T (R S'_k + B S_k), C(k,j) = S'_j^T R S_k + S_j^T B^T S_k
      C[row * nv + column] = mbdu_power(F, data->S[j]);
      if (same_body) continue;
      C[column * nv + row] =
        mbdu_power(inertial, column_rate(model, data, j)) + mbdu_power(adjoint, data->S[j]);
    }
    if (body->parent < 0) return;
    const mbd_placement_t * X = &data->X_parent[i];
    F = mbdu_force_to_parent(X, F);
    inertial = mbdu_force_to_parent(X, inertial);
    adjoint = mbdu_force_to_parent(X, adjoint);
    i = body->parent;
  }
}

mbd_status_t
mbd_coriolis_matrix(const mbd_model_t * model, mbd_data_t * data, double * C)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!C) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_composite_inertia(model, data));
  subtree_matrices(model, data);
  const size_t nv = (size_t)model->nv;
  memset(C, 0, nv * nv * sizeof *C);
  for (int k = 0; k < model->nv; k++) fill_row_and_column(model, data, k, C);
  return MBD_OK;
}
