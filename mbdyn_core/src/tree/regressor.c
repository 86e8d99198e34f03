// Regressors: body forces are linear in the ten inertial parameters; the recursion to the base keeps them
// linear.
#include "mbdyn/dynamics/regressor.h"

#include <math.h>
#include <string.h>

#include "model/joint.h"
#include "model/model_internal.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/dense.h"

enum { TEN = 10 };

//---------- parameters ----------

int
mbd_parameter_count(const mbd_model_t * model, bool drives)
{
  if (!model || !model->finalized) return 0;
  // drives of all joints, dependent ones of loops included
  return TEN * model->nbody + (drives ? 3 * mbdi_spanning_tree(model)->nv : 0);
}

static void
write_inertia(const mbd_inertia_t * M, double * theta)
{
  const double ten[TEN] = {M->mass, M->h.x,  M->h.y,  M->h.z,  M->I.xx,
                           M->I.xy, M->I.xz, M->I.yy, M->I.yz, M->I.zz};
  memcpy(theta, ten, sizeof ten);
}

static const mbd_placement_t *
link_in_body(const mbd_model_t * model, int i)
{
  return &model->frame[model->body[i].link_frame].X;
}

mbd_status_t
mbdi_tree_parameters_get(const mbd_model_t * model, mbd_data_t * data, bool drives, double * theta)
{
  CHECK(check_data(model, data, 0));
  if (!theta) return MBD_ERROR_NULL_ARGUMENT;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_placement_t body_in_link = mbdu_placement_inverse(link_in_body(model, i));
    const mbd_inertia_t M = mbdu_inertia_to_parent(&body_in_link, &data->inertia[i]);
    write_inertia(&M, theta + TEN * i);
  }
  for (int k = 0; drives && k < model->nv; k++) {
    const mbd_drive_t * drive = &model->body[model->dof_body[k]].drive;
    double * three = theta + TEN * model->nbody + 3 * k;
    three[0] = drive->viscous;
    three[1] = drive->coulomb;
    three[2] = drive->gear_ratio * drive->gear_ratio * drive->rotor_inertia;
  }
  return MBD_OK;
}

// all mass in the origin
static bool
is_point(const double * theta)
{
  bool zero = true;
  for (int p = 1; p < TEN; p++) zero = zero && theta[p] == 0;
  return zero;
}

mbd_status_t
mbd_parameters_check(const double * theta, double * margin)
{
  if (!theta) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(theta, TEN)) return MBD_ERROR_NOT_FINITE;
  if (margin) *margin = 0;
  const mbd_inertia_t M = mbdi_inertia_from_parameters(theta);
  if (!(M.mass > 0)) return MBD_ERROR_BAD_INERTIA;
  // second moments tr(I)/2 - I, in units of mass: divided by the square of a length of the body
  const double half = 0.5 * (M.I.xx + M.I.yy + M.I.zz);
  if (!(half > 0)) return is_point(theta) ? MBD_OK : MBD_ERROR_BAD_INERTIA;
  const double l2 = half / M.mass, l = sqrt(l2);
  double A[16] = {
    (half - M.I.xx) / l2,
    -M.I.xy / l2,
    -M.I.xz / l2,
    M.h.x / l,
    -M.I.xy / l2,
    (half - M.I.yy) / l2,
    -M.I.yz / l2,
    M.h.y / l,
    -M.I.xz / l2,
    -M.I.yz / l2,
    (half - M.I.zz) / l2,
    M.h.z / l,
    M.h.x / l,
    M.h.y / l,
    M.h.z / l,
    M.mass};
  const double trace = A[0] + A[5] + A[10] + A[15];
  double V[16];
  mbdi_eigen_symmetric(4, A, V);
  const double smallest = fmin(fmin(A[0], A[5]), fmin(A[10], A[15])) / trace;
  if (margin) *margin = smallest;
  // a planar body is valid; the tolerance covers rounding error
  return smallest > -1e-12 ? MBD_OK : MBD_ERROR_BAD_INERTIA;
}

//---------- regressors ----------

// force of body i, in its body frame, per parameter p, for motions V and A in link axes
static mbd_force_t
unit_force(const mbd_placement_t * link, int p, const mbd_motion_t * V, const mbd_motion_t * A)
{
  double unit[TEN] = {0};
  unit[p] = 1;
  const mbd_inertia_t M = mbdi_inertia_from_parameters(unit);
  mbd_force_t f = {{0, 0, 0}, {0, 0, 0}};
  if (A) f = mbdu_inertia_mul(&M, *A);
  // b = bar(V) M V with an acceleration, the momentum M V without
  const mbd_force_t h = mbdu_inertia_mul(&M, *V);
  f = mbdu_force_add(f, A ? mbdu_force_cross(*V, h) : h);
  return mbdu_force_to_parent(link, f);
}

// a column of a regressor: a force on body i, projected on the joint of i and of its ancestors
static void
hand_down(
  const mbd_model_t * model, const mbd_data_t * data, int i, mbd_force_t f, size_t columns,
  size_t column, double * Y)
{
  for (;;) {
    const mbd_body_t * body = &model->body[i];
    double y[6];
    joint_project(body, data->S + body->v_index, f, y);
    for (int k = 0; k < body->nv; k++) Y[(size_t)(body->v_index + k) * columns + column] = y[k];
    if (body->parent < 0) return;
    f = mbdu_force_to_parent(&data->X_parent[i], f);
    i = body->parent;
  }
}

double
mbdi_drive_number(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd, int k, int p)
{
  const mbd_drive_t * drive = &model->body[model->dof_body[k]].drive;
  if (p == 0) return data->v[k];
  if (p == 1) return drive->coulomb_velocity > 0 ? tanh(data->v[k] / drive->coulomb_velocity) : 0;
  return qdd ? qdd[k] : 0;
}

void
mbdi_parameter_column(
  const mbd_model_t * model, const mbd_data_t * data, int i, int p, const mbd_motion_t * A,
  size_t columns, size_t column, double * Y)
{
  const mbd_placement_t * link = link_in_body(model, i);
  const mbd_motion_t V_link = mbdu_motion_to_child(link, data->V[i]);
  const mbd_motion_t A_link = A ? mbdu_motion_to_child(link, *A) : V_link;
  const mbd_force_t f = unit_force(link, p, &V_link, A ? &A_link : NULL);
  hand_down(model, data, i, f, columns, column, Y);
}

static void
drive_columns(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd, size_t columns,
  double * Y)
{
  for (int k = 0; k < model->nv; k++) {
    double * three = Y + (size_t)k * columns + (size_t)(TEN * model->nbody + 3 * k);
    for (int p = 0; p < 3; p++) three[p] = mbdi_drive_number(model, data, qdd, k, p);
  }
}

mbd_status_t
mbdi_tree_torque_regressor(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, bool drives, double * Y)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!Y) return MBD_ERROR_NULL_ARGUMENT;
  if (qdd && !finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  const size_t columns = (size_t)mbd_parameter_count(model, drives);
  memset(Y, 0, (size_t)model->nv * columns * sizeof *Y);
  mbdi_accelerate(model, data, qdd, mbdu_vec3_neg(data->gravity), data->work->W);
  for (int k = 0; k < TEN * model->nbody; k++) {
    const int i = k / TEN;
    mbdi_parameter_column(model, data, i, k % TEN, &data->work->W[i], columns, (size_t)k, Y);
  }
  if (drives) drive_columns(model, data, qdd, columns, Y);
  return MBD_OK;
}

mbd_status_t
mbdi_tree_momentum_regressor(const mbd_model_t * model, mbd_data_t * data, double * Y)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!Y) return MBD_ERROR_NULL_ARGUMENT;
  const size_t columns = (size_t)mbd_parameter_count(model, false);
  memset(Y, 0, (size_t)model->nv * columns * sizeof *Y);
  for (int k = 0; k < TEN * model->nbody; k++) {
    mbdi_parameter_column(model, data, k / TEN, k % TEN, NULL, columns, (size_t)k, Y);
  }
  return MBD_OK;
}

mbd_status_t
mbd_energy_regressor(
  const mbd_model_t * model, mbd_data_t * data, double * kinetic, double * potential)
{
  CHECK(check_any(model, data, 0));
  // flexible modes are not described by ten inertial parameters
  if (model->flexible) return MBD_ERROR_UNSUPPORTED;
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  for (int i = 0; i < model->nbody; i++) {
    const mbd_placement_t * link = link_in_body(model, i);
    const mbd_motion_t V = mbdu_motion_to_child(link, data->V[i]);
    const mbd_placement_t X = mbdu_placement_mul(&data->X_world[i], link);
    const mbd_vec3_t g = mbdu_mat3_tvec(&X.R, data->gravity);
    for (int p = 0; p < TEN; p++) {
      double unit[TEN] = {0};
      unit[p] = 1;
      const mbd_inertia_t M = mbdi_inertia_from_parameters(unit);
      if (kinetic) kinetic[TEN * i + p] = 0.5 * mbdu_power(mbdu_inertia_mul(&M, V), V);
      // - m g . x: the origin's height and the first moment's
      if (potential) {
        potential[TEN * i + p] =
          -M.mass * mbdu_vec3_dot(data->gravity, X.p) - mbdu_vec3_dot(g, M.h);
      }
    }
  }
  return MBD_OK;
}

//---------- base parameters ----------

// norm of column j from row k on
static double
tail_norm(int rows, int columns, const double * W, int k, int j)
{
  double sum = 0;
  for (int i = k; i < rows; i++) {
    const double x = W[(size_t)i * (size_t)columns + (size_t)j];
    sum += x * x;
  }
  return sqrt(sum);
}

static void
swap_columns(int rows, int columns, double * W, int a, int b, int * pivot)
{
  for (int i = 0; a != b && i < rows; i++) {
    double * row = W + (size_t)i * (size_t)columns;
    const double keep = row[a];
    row[a] = row[b];
    row[b] = keep;
  }
  const int keep = pivot[a];
  pivot[a] = pivot[b];
  pivot[b] = keep;
}

// Householder reflection that clears column k below row k, on columns k + 1 and on
static void
reflect(int rows, int columns, double * W, int k, double norm)
{
  const size_t n = (size_t)columns;
  double * diagonal = &W[(size_t)k * n + (size_t)k];
  const double alpha = *diagonal > 0 ? -norm : norm;
  // v = column - alpha e, in place; v^T v = 2 norm (norm + |diagonal|)
  const double vv = 2 * norm * (norm + fabs(*diagonal));
  *diagonal -= alpha;
  for (size_t j = (size_t)k + 1; j < n; j++) {
    double dot = 0;
    for (size_t i = (size_t)k; i < (size_t)rows; i++) dot += W[i * n + (size_t)k] * W[i * n + j];
    const double factor = 2 * dot / vv;
    for (size_t i = (size_t)k; i < (size_t)rows; i++) W[i * n + j] -= factor * W[i * n + (size_t)k];
  }
  *diagonal = alpha;
}

// K = R11^-1 R12 by back substitution
static void
dependent_columns(int columns, const double * W, int rank, double * K)
{
  const size_t n = (size_t)columns, r = (size_t)rank, m = n - r;
  for (size_t j = 0; j < m; j++) {
    for (size_t i = r; i-- > 0;) {
      double sum = W[i * n + r + j];
      for (size_t k = i + 1; k < r; k++) sum -= W[i * n + k] * K[k * m + j];
      K[i * m + j] = sum / W[i * n + i];
    }
  }
}

mbd_status_t
mbd_base_parameters(
  int rows, int columns, double * W, double tolerance, int * pivot, int * rank, double * K)
{
  if (!W || !pivot || !rank) return MBD_ERROR_NULL_ARGUMENT;
  if (columns < 1 || rows < columns || !(tolerance > 0 && tolerance < 1)) {
    return MBD_ERROR_BAD_ARGUMENT;
  }
  for (int i = 0; i < rows; i++) {
    if (!finite_array(W + (size_t)i * (size_t)columns, columns)) return MBD_ERROR_NOT_FINITE;
  }
  for (int j = 0; j < columns; j++) pivot[j] = j;
  double largest = 0;
  int k = 0;
  for (; k < columns; k++) {
    int best = k;
    double norm = 0;
    for (int j = k; j < columns; j++) {
      const double tail = tail_norm(rows, columns, W, k, j);
      if (tail > norm) norm = tail, best = j;
    }
    if (k == 0) largest = norm;
    if (!(norm > tolerance * largest)) break;
    swap_columns(rows, columns, W, k, best, pivot);
    reflect(rows, columns, W, k, norm);
  }
  *rank = k;
  if (K) dependent_columns(columns, W, k, K);
  return MBD_OK;
}
