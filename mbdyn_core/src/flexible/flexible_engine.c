// The table of models with flexible links, and their configuration manifold: joints as they are in the
// rigid model, modal coordinates in a vector space behind them.
#include <string.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/integrate.h"
#include "tree/tree.h"
#include "util/dense.h"

static int
first_q(const mbd_model_t * model)
{
  return model->nq - model->flexible->nmode;
}

static mbd_status_t
flexible_neutral(const mbd_model_t * model, double * q)
{
  CHECK(mbdi_tree_neutral(model, q));
  memset(q + first_q(model), 0, (size_t)model->flexible->nmode * sizeof *q);
  return MBD_OK;
}

static mbd_status_t
flexible_normalize(const mbd_model_t * model, double * q)
{
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(q + first_q(model), model->flexible->nmode)) return MBD_ERROR_NOT_FINITE;
  return mbdi_tree_normalize(model->flexible->rigid, q);
}

// links not deflected: what deflection is large depends on the modes
static mbd_status_t
flexible_random_configuration(const mbd_model_t * model, uint64_t seed, double * q)
{
  CHECK(mbdi_tree_random_configuration(model, seed, q));
  memset(q + first_q(model), 0, (size_t)model->flexible->nmode * sizeof *q);
  return MBD_OK;
}

static mbd_status_t
flexible_integrate(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out)
{
  if (!q || !v || !q_out) return MBD_ERROR_NULL_ARGUMENT;
  const int n = model->flexible->nmode, nq = first_q(model), nv = model->nv - n;
  if (!finite_array(q + nq, n) || !finite_array(v + nv, n)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_tree_integrate(model->flexible->rigid, q, v, dt, q_out));
  for (int k = 0; k < n; k++) q_out[nq + k] = q[nq + k] + dt * v[nv + k];
  return MBD_OK;
}

static mbd_status_t
flexible_difference(const mbd_model_t * model, const double * q0, const double * q1, double * v)
{
  if (!q0 || !q1 || !v) return MBD_ERROR_NULL_ARGUMENT;
  const int n = model->flexible->nmode, nq = first_q(model), nv = model->nv - n;
  if (!finite_array(q0 + nq, n) || !finite_array(q1 + nq, n)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_tree_difference(model->flexible->rigid, q0, q1, v));
  for (int k = 0; k < n; k++) v[nv + k] = q1[nq + k] - q0[nq + k];
  return MBD_OK;
}

// Parameters and regressors are not there: a flexible link is described by its modes, not by ten numbers.
const mbdi_engine_t mbdi_flexible_engine = {
  .rigid_tree = false,
  .cut_loops = true,
  .set_position = mbdi_flexible_set_position,
  .set_velocity = mbdi_flexible_set_velocity,
  .set_acceleration = mbdi_tree_set_acceleration,
  .inverse_dynamics = mbdi_flexible_inverse_dynamics,
  .bias = mbdi_flexible_bias,
  .gravity = mbdi_flexible_gravity,
  .forward_dynamics = mbdi_flexible_forward_dynamics,
  .joint_force = mbdi_flexible_joint_force,
  .hybrid_dynamics = mbdi_flexible_hybrid_dynamics,
  .disturbance_jacobian = mbdi_flexible_disturbance_jacobian,
  .generalized_jacobian = mbdi_flexible_generalized_jacobian,
  .articulated_inertia = mbdi_flexible_articulated_inertia,
  .mass_matrix = mbdi_sko_engine_mass_matrix,
  .mass_matrix_inverse = mbdi_sko_engine_mass_matrix_inverse,
  .mass_product = mbdi_flexible_mass_product,
  .mass_sqrt = mbdi_sko_engine_mass_sqrt,
  .mass_factors = mbdi_sko_engine_mass_factors,
  .mass_log_determinant = mbdi_sko_engine_mass_log_determinant,
  .mass_trace = mbdi_sko_engine_mass_trace,
  .kinetic_energy = mbdi_flexible_kinetic_energy,
  .potential_energy = mbdi_flexible_potential_energy,
  .momentum = mbdi_flexible_momentum,
  .momentum_rate = mbdi_flexible_momentum_rate,
  .energy_rates = mbdi_flexible_energy_rates,
  .centroidal_momentum = mbdi_tree_centroidal_momentum,
  .centroidal_matrix = mbdi_flexible_centroidal_matrix,
  .coriolis_matrix = mbdi_sko_engine_coriolis_matrix,
  .coriolis_transpose_product = mbdi_sko_engine_coriolis_transpose_product,
  .momentum_gradient = mbdi_sko_engine_momentum_gradient,
  .kinetic_energy_gradient = mbdi_sko_engine_kinetic_energy_gradient,
  .christoffel = mbdi_sko_engine_christoffel,
  .christoffel_tensor = mbdi_sko_engine_christoffel_tensor,
  .mass_matrix_derivative = mbdi_sko_engine_mass_matrix_derivative,
  .mass_matrix_tensor = mbdi_sko_engine_mass_matrix_tensor,
  .inverse_dynamics_derivatives = mbdi_flexible_inverse_dynamics_derivatives,
  .forward_dynamics_derivatives = mbdi_tree_forward_dynamics_derivatives,
  .linearize = mbdi_tree_linearize,
  .jacobian_rate = mbdi_flexible_jacobian_rate,
  .jacobian = mbdi_flexible_jacobian,
  .jacobian_product = mbdi_flexible_jacobian_product,
  .jacobian_bias = mbdi_tree_jacobian_bias,
  .compliance = mbdi_flexible_compliance,
  .compliance_between = mbdi_flexible_compliance_between,
  .neutral = flexible_neutral,
  .normalize = flexible_normalize,
  .random_configuration = flexible_random_configuration,
  .integrate = flexible_integrate,
  .difference = flexible_difference,
  .lay_out_workspace = mbdi_flexible_lay_out,
  .init = mbdi_flexible_init,
  .accelerate = mbdi_flexible_accelerate,
  .bias_stage = mbdi_tree_bias_stage,
  .set_gravity = mbdi_tree_set_gravity,
  .set_terms = mbdi_flexible_set_terms,
  .inertia_changed = mbdi_flexible_inertia_changed,
  .gather_forces = mbdi_flexible_gather_forces,
  .prepare_solve = mbdi_flexible_articulated_inertia,
  .solve = mbdi_flexible_solve,
  .reduce = mbdi_tree_reduce,
  .body_jacobian = mbdi_flexible_body_jacobian,
  .frame_compliance = mbdi_flexible_frame_compliance,
  .derivatives_work = mbdi_flexible_derivatives_work,
  .sko = mbdi_flexible_sko,
  .coriolis_product = mbdi_flexible_coriolis_product,
  .coriolis_product_transpose = mbdi_flexible_coriolis_product_transpose,
  .invert = mbdi_invert_definite,
};
