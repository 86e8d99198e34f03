// Jacobians and compliances of frames of a model with flexible links: 6 x nv, modes and all.
#include <string.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/jacobian.h"

static void
add_column(double * J, size_t nv, int column, mbd_motion_t V)
{
  const double number[6] = {V.ang.x, V.ang.y, V.ang.z, V.lin.x, V.lin.y, V.lin.z};
  for (size_t row = 0; row < 6; row++) J[row * nv + (size_t)column] += number[row];
}

static const mbdi_carrier_t *
carrier_of(const mbd_model_t * model, int body)
{
  const struct mbdi_flexible_layout * layout = model->flexible->layout;
  return &layout->carrier[layout->carrier_of[body]];
}

// columns (or their rates) of all carriers below a body, at a frame of the world      (3.53), (13.31)
static void
path_columns(
  const mbd_model_t * model, const mbd_data_t * data, int body, const mbd_placement_t * at,
  mbd_motion_t * const * column, double * J)
{
  const size_t nv = (size_t)model->nv;
  const mbd_placement_t world = mbdu_placement_inverse(at);
  memset(J, 0, 6 * nv * sizeof *J);
  while (body >= 0) {
    const mbdi_carrier_t * c = carrier_of(model, body);
    const mbd_placement_t X = mbdu_placement_mul(&world, &data->X_world[body]);
    for (int k = 0; k < c->n; k++) {
      add_column(J, nv, c->dof + k, mbdu_motion_to_parent(&X, column[body][k]));
    }
    body = c->up;
  }
}

void
mbdi_flexible_body_jacobian(
  const mbd_model_t * model, const mbd_data_t * data, int body, const mbd_placement_t * at,
  double * J)
{
  path_columns(model, data, body, at, data->work->flexible->column, J);
}

mbd_status_t
mbdi_flexible_jacobian(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * J)
{
  if (!J) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  const mbd_placement_t at = mbdi_reference_in_world(model, data, frame, reference);
  mbdi_flexible_body_jacobian(model, data, model->frame[frame].body, &at, J);
  return MBD_OK;
}

mbd_status_t
mbdi_flexible_jacobian_product(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  const double * x, mbd_motion_t * V)
{
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (!x || !V) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  if (!finite_array(x, model->nv)) return MBD_ERROR_NOT_FINITE;
  memset(V, 0, sizeof *V);
  const int body = model->frame[frame].body;
  if (body < 0) return MBD_OK;
  mbdi_flexible_motions(model, data, x, data->work->W, NULL);
  const mbd_placement_t X = mbdi_reference_in_body(model, data, frame, reference);
  *V = mbdu_motion_to_child(&X, data->work->W[body]);
  return MBD_OK;
}

mbd_status_t
mbdi_flexible_jacobian_rate(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * J_rate)
{
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  if (!J_rate) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  const int nv = model->nv, body = model->frame[frame].body;
  const mbd_placement_t at = mbdi_reference_in_world(model, data, frame, reference);
  path_columns(model, data, body, &at, data->work->flexible->rate, J_rate);
  if (body < 0 || reference == MBD_WORLD) return MBD_OK;
  // less the motion of the reference itself: with the frame, or with its point alone
  mbd_motion_t moves = mbdu_motion_to_parent(&data->X_world[body], data->V[body]);
  moves = mbdu_motion_to_child(&at, moves);
  if (reference == MBD_LOCAL_WORLD_ALIGNED) moves.ang = mbdu_vec3(0, 0, 0);
  double * J = data->work->E;
  mbdi_flexible_body_jacobian(model, data, body, &at, J);
  for (int k = 0; k < nv; k++) {
    const mbd_motion_t V = {
      {J[k], J[nv + k], J[2 * nv + k]}, {J[3 * nv + k], J[4 * nv + k], J[5 * nv + k]}};
    add_column(J_rate, (size_t)nv, k, mbdu_motion_cross(V, moves));
  }
  return MBD_OK;
}

//---------- compliance ----------

mbd_status_t
mbdi_flexible_compliance(const mbd_model_t * model, mbd_data_t * data)
{
  return mbdi_flexible_articulated_inertia(model, data);
}

// J_i M^-1 J_j^T, a unit wrench at j after the other
mbd_status_t
mbdi_flexible_compliance_between(
  const mbd_model_t * model, mbd_data_t * data, int frame_i, mbd_reference_t reference_i,
  int frame_j, mbd_reference_t reference_j, double * omega)
{
  if (!omega) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame_i, reference_i));
  CHECK(check_frame(model, frame_j, reference_j));
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  memset(omega, 0, 36 * sizeof *omega);
  const int body = model->frame[frame_i].body;
  if (body < 0 || model->frame[frame_j].body < 0) return MBD_OK;
  CHECK(mbdi_flexible_articulated_inertia(model, data));
  const mbd_placement_t X = mbdi_reference_in_body(model, data, frame_i, reference_i);
  for (int c = 0; c < 6; c++) {
    double e[6] = {0};
    e[c] = 1;
    const mbd_wrench_t w = {frame_j, reference_j, {{e[0], e[1], e[2]}, {e[3], e[4], e[5]}}};
    const mbd_wrenches_t one = {1, &w};
    memset(data->work->F, 0, (size_t)mbdi_body_count(model) * sizeof *data->work->F);
    mbdi_add_wrenches(model, data, &one, 1, data->work->F);
    mbdi_flexible_gather_forces(model, data, data->work->F, data->work->x);
    mbdi_flexible_solve(model, data, data->work->x);
    const mbd_motion_t A = mbdu_motion_to_child(&X, data->work->W[body]);
    const double number[6] = {A.ang.x, A.ang.y, A.ang.z, A.lin.x, A.lin.y, A.lin.z};
    for (int row = 0; row < 6; row++) omega[6 * row + c] = number[row];
  }
  return MBD_OK;
}

mbd_status_t
mbdi_flexible_frame_compliance(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * C,
  double * length)
{
  CHECK(mbdi_flexible_compliance_between(model, data, frame, reference, frame, reference, C));
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < i; j++) C[6 * i + j] = C[6 * j + i] = 0.5 * (C[6 * i + j] + C[6 * j + i]);
  }
  *length = mbdu_vec3_norm(mbdi_reference_in_body(model, data, frame, reference).p);
  for (int i = model->frame[frame].body; i >= 0; i = carrier_of(model, i)->up) {
    *length += mbdu_vec3_norm(data->X_parent[i].p);
  }
  return MBD_OK;
}
