// Cross compliances of two bodies through their closest common ancestor (Lem 10.1).
#include "mbdyn/dynamics/compliance.h"

#include <math.h>
#include <string.h>

#include "mbdyn/opspace.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/dense.h"

int
mbdi_common_body(const mbd_model_t * model, int i, int j)
{
  while (i != j) {
    if (i > j) {
      i = model->body[i].parent;
    } else {
      j = model->body[j].parent;
    }
  }
  return i;
}

// psi(k, i) f: force on body i transmitted to its ancestor k through free joints    (6.29)
static mbd_force_t
hand_down(const mbd_model_t * model, const mbd_data_t * data, int i, int k, mbd_force_t f)
{
  for (; i != k; i = model->body[i].parent) {
    f = joint_transmit_force(data, &model->body[i], f);
    f = mbdu_force_to_parent(&data->X_parent[i], f);
  }
  return f;
}

// unit wrenches at a frame, transmitted to the ancestor k
static void
unit_wrenches(
  const mbd_model_t * model, const mbd_data_t * data, int frame, mbd_reference_t reference, int k,
  mbd_force_t * f)
{
  const mbd_placement_t X = mbdi_reference_in_body(model, data, frame, reference);
  for (int c = 0; c < 6; c++) {
    const mbd_force_t unit = {{c == 0, c == 1, c == 2}, {c == 3, c == 4, c == 5}};
    f[c] = hand_down(model, data, model->frame[frame].body, k, mbdu_force_to_parent(&X, unit));
  }
}

mbd_status_t
mbdi_tree_compliance_between(
  const mbd_model_t * model, mbd_data_t * data, int frame_i, mbd_reference_t reference_i,
  int frame_j, mbd_reference_t reference_j, double * omega)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!omega) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame_i, reference_i));
  CHECK(check_frame(model, frame_j, reference_j));
  if (frame_i == frame_j && reference_i == reference_j) {
    return mbd_operational_space_compliance(model, data, frame_i, reference_i, omega);
  }
  memset(omega, 0, 36 * sizeof *omega);
  const int k = mbdi_common_body(model, model->frame[frame_i].body, model->frame[frame_j].body);
  if (k < 0) return MBD_OK;
  CHECK(mbd_compliance(model, data));
  mbd_force_t fi[6], fj[6];
  unit_wrenches(model, data, frame_i, reference_i, k, fi);
  unit_wrenches(model, data, frame_j, reference_j, k, fj);
  for (int c = 0; c < 6; c++) {
    const mbd_motion_t A = mbdu_sym6_mul_force(&data->Y[k], fj[c]);
    for (int r = 0; r < 6; r++) omega[6 * r + c] = mbdu_power(fi[r], A);
  }
  return MBD_OK;
}

mbd_status_t
mbd_mobility(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, int * rank,
  double * immobile)
{
  if (!rank) return MBD_ERROR_NULL_ARGUMENT;
  double C[36], V[36], w[6], angular, linear, length;
  CHECK(mbdi_frame_compliance(model, data, frame, reference, C, &length));
  mbdi_compliance_size(C, 6, length, &angular, &linear);
  for (int i = 0; i < 3; i++) {
    w[i] = angular > 0 ? 1 / sqrt(angular) : 1;
    w[i + 3] = linear > 0 ? 1 / sqrt(linear) : 1;
  }
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) C[6 * i + j] *= w[i] * w[j];
  }
  mbdi_eigen_symmetric(6, C, V);
  int found = 0, n = 0;
  for (int k = 0; k < 6; k++) {
    if (C[7 * k] > MBD_SMALLEST_COMPLIANCE) {
      found++;
      continue;
    }
    if (!immobile) continue;
    // C W d = 0, so that the direction is W times the eigenvector; Gram-Schmidt among them
    double * d = immobile + 6 * n++;
    for (int i = 0; i < 6; i++) d[i] = w[i] * V[6 * i + k];
    for (int p = 0; p < n - 1; p++) {
      double dot = 0;
      for (int i = 0; i < 6; i++) dot += d[i] * immobile[6 * p + i];
      for (int i = 0; i < 6; i++) d[i] -= dot * immobile[6 * p + i];
    }
    double norm = 0;
    for (int i = 0; i < 6; i++) norm += d[i] * d[i];
    for (int i = 0; i < 6; i++) d[i] /= sqrt(norm);
  }
  *rank = found;
  return MBD_OK;
}

// normalize; also where the square of the length overflows or underflows
static bool
unit_vector(mbd_vec3_t * v)
{
  const double largest = fmax(fmax(fabs(v->x), fabs(v->y)), fabs(v->z));
  if (!(largest > 0)) return false;
  const mbd_vec3_t u = mbdu_vec3(v->x / largest, v->y / largest, v->z / largest);
  *v = mbdu_vec3_scale(1 / mbdu_vec3_norm(u), u);
  return true;
}

mbd_status_t
mbd_effective_mass(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_vec3_t point, mbd_vec3_t direction,
  double * mass)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!mass) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, MBD_LOCAL));
  if (!finite_vec3(point) || !finite_vec3(direction)) return MBD_ERROR_NOT_FINITE;
  if (!unit_vector(&direction)) return MBD_ERROR_BAD_ARGUMENT;
  double C[36], angular, linear, length;
  CHECK(mbdi_frame_compliance(model, data, frame, MBD_LOCAL, C, &length));
  mbdi_compliance_size(C, 6, length, &angular, &linear);
  // wrench at the frame's origin of a unit force at the point
  const mbd_placement_t X = mbdi_frame_in_world(model, data, frame);
  const mbd_vec3_t lin = mbdu_mat3_tvec(&X.R, direction), ang = mbdu_vec3_cross(point, lin);
  const double f[6] = {ang.x, ang.y, ang.z, lin.x, lin.y, lin.z};
  double acceleration = 0;
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) acceleration += f[i] * C[6 * i + j] * f[j];
  }
  // relative to the largest possible compliance for such a force: below it is rounding error
  const double scale = angular * mbdu_vec3_dot(ang, ang) + linear;
  *mass = acceleration > MBD_SMALLEST_COMPLIANCE * scale ? 1 / acceleration : HUGE_VAL;
  return MBD_OK;
}
