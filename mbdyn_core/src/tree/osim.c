// Operational-space compliance by the O(N) sweep (Alg 10.3) and its inverse.
#include "mbdyn/opspace.h"

#include <math.h>
#include <string.h>

#include "mbdyn/forward.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/dense.h"

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
mbdi_tree_compliance(const mbd_model_t * model, mbd_data_t * data)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (stage_any(data, MBD_STAGE_COMPLIANCE)) return MBD_OK;
  CHECK(mbd_articulated_inertia(model, data));
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    mbd_sym6_t Y = {0};
    if (body->parent >= 0) Y = mbdu_sym6_to_child(&data->X_parent[i], &data->Y[body->parent]);
    add_hinge(data, body, &Y);
    data->Y[i] = Y;
  }
  stage_set(data, MBD_STAGE_COMPLIANCE);
  return MBD_OK;
}

double
mbdi_path_length(
  const mbd_model_t * model, const mbd_data_t * data, int frame, mbd_reference_t reference)
{
  double length = mbdu_vec3_norm(mbdi_reference_in_body(model, data, frame, reference).p);
  for (int i = model->frame[frame].body; i >= 0; i = model->body[i].parent) {
    length += mbdu_vec3_norm(data->X_parent[i].p);
  }
  return length;
}

mbd_status_t
mbdi_tree_frame_compliance(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * C,
  double * length)
{
  CHECK(check_frame(model, frame, reference));
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  const int body = model->frame[frame].body;
  *length = 0;
  memset(C, 0, 36 * sizeof *C);
  if (body < 0) return MBD_OK;
  CHECK(mbd_compliance(model, data));
  // phi^T(k, O) Y_k phi(k, O)                                                      (10.18)
  const mbd_placement_t X = mbdi_reference_in_body(model, data, frame, reference);
  const mbd_sym6_t Y = mbdu_sym6_to_child(&X, &data->Y[body]);
  mbdu_sym6_full(&Y, C);
  *length = mbdi_path_length(model, data, frame, reference);
  return MBD_OK;
}

mbd_status_t
mbd_operational_space_compliance(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * compliance)
{
  double length;
  if (!compliance) return MBD_ERROR_NULL_ARGUMENT;
  return mbdi_frame_compliance(model, data, frame, reference, compliance, &length);
}

//---------- inertia ----------

void
mbdi_compliance_size(const double * C, int stride, double length, double * angular, double * linear)
{
  double D[6];
  for (int k = 0; k < 6; k++) D[k] = C[k * (stride + 1)];
  // traces are invariant to rotation. A scale per axis would amplify an axis whose entries are only
  // rounding error, as would a linear scale that is only rounding error
  *angular = D[0] + D[1] + D[2];
  *linear = fmax(D[3] + D[4] + D[5], length * length * *angular);
}

void
mbdi_compliance_scales(const double * C, int stride, double length, double * w)
{
  double angular, linear;
  mbdi_compliance_size(C, stride, length, &angular, &linear);
  angular = angular > 0 ? 1 / sqrt(angular) : 0;
  linear = linear > 0 ? 1 / sqrt(linear) : 0;
  for (int i = 0; i < 3; i++) w[i] = angular, w[i + 3] = linear;
}

mbd_status_t
mbd_operational_space_inertia(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * inertia, int * rank)
{
  if (!inertia) return MBD_ERROR_NULL_ARGUMENT;
  double C[36], w[6], work[2 * 36], length;
  CHECK(mbdi_frame_compliance(model, data, frame, reference, C, &length));
  mbdi_compliance_scales(C, 6, length, w);
  const int found = mbdi_invert_semidefinite(
    model->internal->engine->invert, 6, C, w, MBD_SMALLEST_COMPLIANCE, 0, work, inertia, NULL);
  if (rank) *rank = found;
  return MBD_OK;
}
