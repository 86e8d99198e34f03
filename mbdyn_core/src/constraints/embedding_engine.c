// The table of models with embedded loops, and what follows from that of the spanning tree: velocities of
// all joints are X v, generalised forces X^T tau (15.13).
#include <string.h>

#include "constraints/embedding_internal.h"
#include "mbdyn/dynamics/compliance.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/dynamics/regressor.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/inertia.h"
#include "mbdyn/kinematics.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/dense.h"

//---------- workspace ----------

static void
embedded_set_gravity(mbd_data_t * data, mbd_vec3_t gravity)
{
  mbdi_tree_set_gravity(data, gravity);
  mbdi_tree_set_gravity(data->tree, gravity);
}

static void
embedded_set_terms(mbd_data_t * data, uint32_t terms)
{
  mbdi_tree_set_terms(data, terms);
  mbdi_tree_set_terms(data->tree, terms);
  data->work->embedded->blocks = false;
}

static void
embedded_inertia_changed(mbd_data_t * data)
{
  mbdi_tree_inertia_changed(data);
  mbdi_tree_inertia_changed(data->tree);
  data->work->embedded->blocks = false;
}

static mbd_status_t
embedded_neutral(const mbd_model_t * model, double * q)
{
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  memcpy(q, model->internal->embedding->q_rest, (size_t)model->nq * sizeof *q);
  return MBD_OK;
}

//---------- mass matrix ----------

static mbd_status_t
embedded_mass_matrix(const mbd_model_t * model, mbd_data_t * data, double * M)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!M) return MBD_ERROR_NULL_ARGUMENT;
  if (!data->work->embedded->M) return mbdi_sko_engine_mass_matrix(model, data, M);
  return mbdi_projected_mass_matrix(model, data, M);
}

//---------- energy and momentum ----------

static mbd_status_t
embedded_kinetic_energy(const mbd_model_t * model, mbd_data_t * data, double * energy)
{
  return mbd_kinetic_energy(model->tree, data->tree, energy);
}

static mbd_status_t
embedded_potential_energy(const mbd_model_t * model, mbd_data_t * data, double * energy)
{
  return mbd_potential_energy(model->tree, data->tree, energy);
}

static mbd_status_t
embedded_energy_rates(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  mbd_energy_rates_t * rates)
{
  if (!tau) return mbd_energy_rates(model->tree, data->tree, NULL, f_ext, rates);
  CHECK(mbd_tree_torque(model, tau, data->work->embedded->y_tree));
  return mbd_energy_rates(model->tree, data->tree, data->work->embedded->y_tree, f_ext, rates);
}

static mbd_status_t
embedded_centroidal_matrix(const mbd_model_t * model, mbd_data_t * data, double * A)
{
  if (!A) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_centroidal_matrix(model->tree, data->tree, data->work->embedded->wide));
  mbdi_embedded_reduce_columns(model, data, 6, data->work->embedded->wide, A);
  return MBD_OK;
}

//---------- frames ----------

static void
embedded_bias_stage(const mbd_model_t * model, mbd_data_t * data)
{
  if (stage_any(data, MBD_STAGE_BIAS)) return;
  model->tree->internal->engine->bias_stage(model->tree, data->tree);
  stage_set(data, MBD_STAGE_BIAS);
}

static void
embedded_gather_forces(
  const mbd_model_t * model, const mbd_data_t * data, mbd_force_t * F, double * tau)
{
  mbdi_tree_gather_forces(model->tree, data->tree, F, data->work->embedded->x_tree);
  mbdi_embedded_reduce(model, data, data->work->embedded->x_tree, tau);
}

static mbd_status_t
embedded_jacobian(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * J)
{
  if (!J) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_jacobian(model->tree, data->tree, frame, reference, data->work->embedded->wide));
  mbdi_embedded_reduce_columns(model, data, 6, data->work->embedded->wide, J);
  return MBD_OK;
}

static mbd_status_t
embedded_jacobian_product(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  const double * x, mbd_motion_t * V)
{
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (!x || !V) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(x, model->nv)) return MBD_ERROR_NOT_FINITE;
  mbdi_embedded_expand(model, data, x, data->work->embedded->x_tree);
  return mbd_jacobian_product(
    model->tree, data->tree, frame, reference, data->work->embedded->x_tree, V);
}

static mbd_status_t
embedded_compliance(const mbd_model_t * model, mbd_data_t * data)
{
  CHECK(mbdi_embedded_articulated_inertia(model, data));
  return mbd_sko_compliance(mbdi_embedded_sko(model, data));
}

static mbd_status_t
embedded_frame_compliance(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * C,
  double * length)
{
  CHECK(mbdi_embedded_compliance_between(model, data, frame, reference, frame, reference, C));
  *length = mbdi_path_length(model, data, frame, reference);
  return MBD_OK;
}

//---------- inertial parameters ----------

static mbd_status_t
embedded_parameters_get(const mbd_model_t * model, mbd_data_t * data, bool drives, double * theta)
{
  return mbd_parameters_get(model->tree, data->tree, drives, theta);
}

// X^T of a column of the tree, which is in scratch
static void
reduce_column(
  const mbd_model_t * model, mbd_data_t * data, size_t columns, size_t column, double * Y)
{
  mbdi_embedded_reduce(model, data, data->work->embedded->x_tree, data->work->x);
  for (int k = 0; k < model->nv; k++) Y[(size_t)k * columns + column] = data->work->x[k];
}

// columns of the bodies' parameters, for accelerations A of them or NULL
static void
body_columns(
  const mbd_model_t * model, mbd_data_t * data, const mbd_motion_t * A, size_t columns, double * Y)
{
  const mbd_model_t * tree = model->tree;
  const int each = mbd_parameter_count(model, false) / model->nbody;
  double * all = data->work->embedded->x_tree;
  for (int k = 0; k < each * model->nbody; k++) {
    const int i = k / each;
    memset(all, 0, (size_t)tree->nv * sizeof *all);
    mbdi_parameter_column(tree, data->tree, i, k % each, A ? &A[i] : NULL, 1, 0, all);
    reduce_column(model, data, columns, (size_t)k, Y);
  }
}

static void
drive_columns(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, size_t columns, double * Y)
{
  const mbd_model_t * tree = model->tree;
  const int first = mbd_parameter_count(model, false);
  double * all = data->work->embedded->x_tree;
  for (int k = 0; k < 3 * tree->nv; k++) {
    memset(all, 0, (size_t)tree->nv * sizeof *all);
    all[k / 3] = mbdi_drive_number(tree, data->tree, qdd, k / 3, k % 3);
    reduce_column(model, data, columns, (size_t)(first + k), Y);
  }
}

static mbd_status_t
embedded_torque_regressor(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, bool drives, double * Y)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!Y) return MBD_ERROR_NULL_ARGUMENT;
  if (qdd && !finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  const size_t columns = (size_t)mbd_parameter_count(model, drives);
  memset(Y, 0, (size_t)model->nv * columns * sizeof *Y);
  double * qdd_tree = data->work->embedded->y_tree;
  CHECK(mbd_tree_acceleration(model, data, qdd, qdd_tree));
  mbdi_accelerate(model->tree, data, qdd_tree, mbdu_vec3_neg(data->gravity), data->work->W);
  body_columns(model, data, data->work->W, columns, Y);
  if (drives) drive_columns(model, data, qdd_tree, columns, Y);
  return MBD_OK;
}

static mbd_status_t
embedded_momentum_regressor(const mbd_model_t * model, mbd_data_t * data, double * Y)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!Y) return MBD_ERROR_NULL_ARGUMENT;
  const size_t columns = (size_t)mbd_parameter_count(model, false);
  memset(Y, 0, (size_t)model->nv * columns * sizeof *Y);
  body_columns(model, data, NULL, columns, Y);
  return MBD_OK;
}

//---------- the table ----------

const mbdi_engine_t mbdi_embedding_engine = {
  .rigid_tree = false,
  .set_position = mbdi_embedded_set_position,
  .set_velocity = mbdi_embedded_set_velocity,
  .set_acceleration = mbdi_embedded_set_acceleration,
  .inverse_dynamics = mbdi_embedded_inverse_dynamics,
  .bias = mbdi_embedded_bias,
  .gravity = mbdi_embedded_gravity,
  .forward_dynamics = mbdi_embedded_forward_dynamics,
  .articulated_inertia = mbdi_embedded_articulated_inertia,
  .mass_matrix = embedded_mass_matrix,
  .mass_matrix_inverse = mbdi_sko_engine_mass_matrix_inverse,
  .mass_product = mbdi_embedded_mass_product,
  .mass_sqrt = mbdi_sko_engine_mass_sqrt,
  .mass_factors = mbdi_sko_engine_mass_factors,
  .mass_log_determinant = mbdi_sko_engine_mass_log_determinant,
  .mass_trace = mbdi_sko_engine_mass_trace,
  .potential_energy = embedded_potential_energy,
  .kinetic_energy = embedded_kinetic_energy,
  .momentum = mbdi_embedded_momentum,
  .momentum_rate = mbdi_embedded_momentum_rate,
  .energy_rates = embedded_energy_rates,
  .centroidal_momentum = mbdi_tree_centroidal_momentum,
  .centroidal_matrix = embedded_centroidal_matrix,
  .coriolis_matrix = mbdi_sko_engine_coriolis_matrix,
  .coriolis_transpose_product = mbdi_sko_engine_coriolis_transpose_product,
  .momentum_gradient = mbdi_sko_engine_momentum_gradient,
  .kinetic_energy_gradient = mbdi_sko_engine_kinetic_energy_gradient,
  .christoffel = mbdi_sko_engine_christoffel,
  .christoffel_tensor = mbdi_sko_engine_christoffel_tensor,
  .mass_matrix_derivative = mbdi_sko_engine_mass_matrix_derivative,
  .mass_matrix_tensor = mbdi_sko_engine_mass_matrix_tensor,
  .inverse_dynamics_derivatives = mbdi_embedded_inverse_dynamics_derivatives,
  .forward_dynamics_derivatives = mbdi_tree_forward_dynamics_derivatives,
  .linearize = mbdi_embedded_linearize,
  .jacobian_rate = mbdi_embedded_jacobian_rate,
  .jacobian = embedded_jacobian,
  .jacobian_product = embedded_jacobian_product,
  .jacobian_bias = mbdi_tree_jacobian_bias,
  .compliance = embedded_compliance,
  .compliance_between = mbdi_embedded_compliance_between,
  .parameters_get = embedded_parameters_get,
  .torque_regressor = embedded_torque_regressor,
  .momentum_regressor = embedded_momentum_regressor,
  .neutral = embedded_neutral,
  .normalize = mbdi_embedded_normalize,
  .random_configuration = mbdi_embedded_random_configuration,
  .integrate = mbdi_embedded_integrate,
  .difference = mbdi_embedded_difference,
  .lay_out_workspace = mbdi_embedded_lay_out,
  .init = mbdi_embedded_init,
  .complete_stages = mbdi_embedded_complete_stages,
  .bias_stage = embedded_bias_stage,
  .set_gravity = embedded_set_gravity,
  .set_terms = embedded_set_terms,
  .inertia_changed = embedded_inertia_changed,
  .gather_forces = embedded_gather_forces,
  .prepare_solve = mbdi_embedded_articulated_inertia,
  .solve = mbdi_embedded_solve,
  .reduce = mbdi_embedded_reduce,
  .frame_compliance = embedded_frame_compliance,
  .derivatives_work = mbdi_embedded_derivatives_work,
  .is_free_base = mbdi_embedded_is_free_base,
  .is_driven = mbdi_embedded_driven,
  .sko = mbdi_embedded_sko,
  .coriolis_product = mbdi_embedded_coriolis_product,
  .coriolis_product_transpose = mbdi_embedded_coriolis_product_transpose,
  .invert = mbdi_invert_definite,
};
