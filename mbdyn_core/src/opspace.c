// Operational-space compliance by the O(N) sweep (Alg 10.3) and its inverse.
#include "mbdyn/opspace.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "joint.h"
#include "mbdyn/forward.h"
#include "sweeps.h"

// a direction whose share of the compliance is this small cannot be told from rounding
#define SMALLEST_COMPLIANCE 1e-12

// Y = Y+ - S Z^T - Z S^T + S L S^T, Z = Y+ G, L = D^-1 + G^T Z, for one joint        (10.22)
static void
add_hinge(const mbd_data_t * data, const mbd_body_t * body, mbd_sym6_t * Y)
{
  const mbd_motion_t * S = data->S + body->v_index;
  const mbd_force_t * G = data->G + body->v_index;
  const double * D_inv = data->D_inv + body->d_index;
  mbd_motion_t W[6];
  mbd_motion_t Z[6];
  for (int k = 0; k < body->nv; k++) Z[k] = mbdu_sym6_mul_force(Y, G[k]);

  // W_k = 1/2 sum_l L_kl S_l - Z_k, so that the change is sum_k (S_k W_k^T + W_k S_k^T)
  for (int k = 0; k < body->nv; k++) {
    W[k] = mbdu_motion_scale(-1, Z[k]);
    for (int l = 0; l < body->nv; l++) {
      const double L = D_inv[k * body->nv + l] + mbdu_power(G[k], Z[l]);
      W[k] = mbdu_motion_add(W[k], mbdu_motion_scale(0.5 * L, S[l]));
    }
  }
  for (int k = 0; k < body->nv; k++) {
    mbdu_sym6_add_outer(Y, 1, S[k].ang, S[k].lin, W[k].ang, W[k].lin);
  }
}

mbd_status_t
mbd_compliance(const mbd_model_t * model, mbd_data_t * data)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (data->stage & MBD_STAGE_COMPLIANCE) return MBD_OK;
  CHECK(mbd_articulated_inertia(model, data));
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    mbd_sym6_t Y = {0};
    if (body->parent >= 0) Y = mbdu_sym6_to_child(&data->X_parent[i], &data->Y[body->parent]);
    add_hinge(data, body, &Y);
    data->Y[i] = Y;
  }
  data->stage |= MBD_STAGE_COMPLIANCE;
  return MBD_OK;
}

mbd_status_t
mbd_operational_space_compliance(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * compliance)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!compliance) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  memset(compliance, 0, 36 * sizeof *compliance);
  const int body = model->frame[frame].body;
  if (body < 0) return MBD_OK;
  CHECK(mbd_compliance(model, data));
  // phi^T(k, O) Y_k phi(k, O)                                                      (10.18)
  const mbd_placement_t X = mbd_reference_in_body(model, data, frame, reference);
  const mbd_sym6_t Y = mbdu_sym6_to_child(&X, &data->Y[body]);
  mbdu_sym6_full(&Y, compliance);
  return MBD_OK;
}

//---------- inverse of a symmetric positive semidefinite 6 x 6 matrix ----------

// how far the frame's reference is from the base, along the bodies that carry it
static double
reach(const mbd_model_t * model, const mbd_data_t * data, int frame, mbd_reference_t reference)
{
  double length = mbdu_vec3_norm(mbd_reference_in_body(model, data, frame, reference).p);
  for (int i = model->frame[frame].body; i >= 0; i = model->body[i].parent) {
    length += mbdu_vec3_norm(data->X_parent[i].p);
  }
  return length;
}

// A = W C W with no number above one, W = diag(w) of one scale for turning and one for moving: a
// scale for each axis would make much of an axis along which there is nothing but rounding
static void
scale_to_unit_size(const double * C, double length, double A[6][6], double * w)
{
  // traces: the same in all axes
  const double turn = C[0] + C[7] + C[14];
  const double move = fmax(C[21] + C[28] + C[35], length * length * turn);
  for (int i = 0; i < 3; i++) {
    w[i] = turn > 0 ? 1 / sqrt(turn) : 0;
    w[i + 3] = move > 0 ? 1 / sqrt(move) : 0;
  }
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) A[i][j] = w[i] * C[6 * i + j] * w[j];
  }
}

// one Jacobi rotation that clears A[p][q]; V gathers the rotations
static void
jacobi_rotation(double A[6][6], double V[6][6], int p, int q)
{
  if (A[p][q] == 0) return;
  const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 6; k++) {
    const double kp = A[k][p], kq = A[k][q];
    A[k][p] = c * kp - s * kq;
    A[k][q] = s * kp + c * kq;
  }
  for (int k = 0; k < 6; k++) {
    const double pk = A[p][k], qk = A[q][k];
    A[p][k] = c * pk - s * qk;
    A[q][k] = s * pk + c * qk;
    const double vp = V[k][p], vq = V[k][q];
    V[k][p] = c * vp - s * vq;
    V[k][q] = s * vp + c * vq;
  }
}

// eigenvectors in the columns of V, eigenvalues on the diagonal of A
static void
eigen_symmetric(double A[6][6], double V[6][6])
{
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) V[i][j] = i == j;
  }
  // converges quadratically: a fixed number of rounds is a bound on time, and more than enough
  for (int round = 0; round < 12; round++) {
    double off = 0;
    for (int p = 0; p < 5; p++) {
      for (int q = p + 1; q < 6; q++) off += A[p][q] * A[p][q];
    }
    if (off == 0) return;
    for (int p = 0; p < 5; p++) {
      for (int q = p + 1; q < 6; q++) jacobi_rotation(A, V, p, q);
    }
  }
}

// pseudo-inverse from eigenvalues, leaving out those that are rounding; returns the rank
static int
pseudo_inverse(double A[6][6], double inverse[6][6])
{
  double V[6][6];
  eigen_symmetric(A, V);
  int rank = 0;
  memset(inverse, 0, 36 * sizeof(double));
  for (int k = 0; k < 6; k++) {
    // no number was above one, so that the eigenvalues are between 0 and 2
    if (!(A[k][k] > SMALLEST_COMPLIANCE)) continue;
    rank++;
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) inverse[i][j] += V[i][k] * V[j][k] / A[k][k];
    }
  }
  return rank;
}

mbd_status_t
mbd_operational_space_inertia(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * inertia, int * rank)
{
  if (!inertia) return MBD_ERROR_NULL_ARGUMENT;
  double C[36];
  CHECK(mbd_operational_space_compliance(model, data, frame, reference, C));
  double A[6][6], inverse[6][6], w[6];
  scale_to_unit_size(C, reach(model, data, frame, reference), A, w);
  const int found = pseudo_inverse(A, inverse);
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++)
      inertia[6 * i + j] = w[i] * 0.5 * (inverse[i][j] + inverse[j][i]) * w[j];
  }
  if (rank) *rank = found;
  return MBD_OK;
}
