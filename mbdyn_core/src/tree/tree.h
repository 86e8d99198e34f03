// Rigid trees by the recursions of the book, one algorithm a file; the reference for simd/. Model and
// data have been checked: see model/engine.h for what the functions do.
#ifndef TREE__TREE_H_
#define TREE__TREE_H_

#include "model/engine.h"

extern const mbdi_engine_t mbdi_tree_engine;

//---------- state ----------

mbd_status_t mbdi_tree_set_position(const mbd_model_t * model, mbd_data_t * data, const double * q);
mbd_status_t mbdi_tree_set_velocity(const mbd_model_t * model, mbd_data_t * data, const double * v);
mbd_status_t mbdi_tree_set_acceleration(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd);

//---------- inverse and forward dynamics ----------

mbd_status_t mbdi_tree_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau);
mbd_status_t mbdi_tree_bias(const mbd_model_t * model, mbd_data_t * data, double * h);
mbd_status_t mbdi_tree_gravity(const mbd_model_t * model, mbd_data_t * data, double * g);
mbd_status_t mbdi_tree_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd);

//---------- mass matrix, its inverse and factors ----------

mbd_status_t mbdi_tree_articulated_inertia(const mbd_model_t * model, mbd_data_t * data);
mbd_status_t mbdi_tree_mass_matrix(
  const mbd_model_t * model, mbd_data_t * data, const double * q, double * M);
mbd_status_t mbdi_tree_mass_matrix_inverse(
  const mbd_model_t * model, mbd_data_t * data, double * M_inv);
mbd_status_t mbdi_tree_mass_product(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y);
mbd_status_t mbdi_tree_mass_sqrt(
  const mbd_model_t * model, mbd_data_t * data, mbd_sqrt_op_t op, const double * x, double * y);
mbd_status_t mbdi_tree_mass_factors(
  const mbd_model_t * model, mbd_data_t * data, double * F, double * D);
mbd_status_t mbdi_tree_mass_log_determinant(
  const mbd_model_t * model, mbd_data_t * data, double * log_det);
mbd_status_t mbdi_tree_mass_trace(const mbd_model_t * model, mbd_data_t * data, double * trace);

//---------- energy and momentum ----------

mbd_status_t mbdi_tree_kinetic_energy(
  const mbd_model_t * model, mbd_data_t * data, double * energy);
mbd_status_t mbdi_tree_potential_energy(
  const mbd_model_t * model, mbd_data_t * data, double * energy);
mbd_status_t mbdi_tree_momentum(const mbd_model_t * model, mbd_data_t * data, double * p);
mbd_status_t mbdi_tree_momentum_and_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, double * p, double * pdot);
mbd_status_t mbdi_tree_momentum_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * pdot);
mbd_status_t mbdi_tree_energy_rates(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  mbd_energy_rates_t * rates);
mbd_status_t mbdi_tree_centroidal_momentum(
  const mbd_model_t * model, mbd_data_t * data, mbd_force_t * momentum);
mbd_status_t mbdi_tree_centroidal_matrix(const mbd_model_t * model, mbd_data_t * data, double * A);
mbd_status_t mbdi_tree_com_jacobian(const mbd_model_t * model, mbd_data_t * data, double * J);

//---------- coriolis matrix, derivatives of the mass matrix ----------

mbd_status_t mbdi_tree_coriolis_matrix(const mbd_model_t * model, mbd_data_t * data, double * C);
mbd_status_t mbdi_tree_coriolis_transpose_product(
  const mbd_model_t * model, mbd_data_t * data, double * y);
mbd_status_t mbdi_tree_momentum_gradient(const mbd_model_t * model, mbd_data_t * data, double * MD);
mbd_status_t mbdi_tree_kinetic_energy_gradient(
  const mbd_model_t * model, mbd_data_t * data, double * gradient);
mbd_status_t mbdi_tree_christoffel(const mbd_model_t * model, mbd_data_t * data, int k, double * G);
mbd_status_t mbdi_tree_christoffel_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * G);
mbd_status_t mbdi_tree_mass_matrix_derivative(
  const mbd_model_t * model, mbd_data_t * data, int j, double * work, double * dM);
mbd_status_t mbdi_tree_mass_matrix_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * dM);

//---------- derivatives of the dynamics ----------

mbd_status_t mbdi_tree_inverse_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * work, double * dtau_dq,
  double * dtau_dv, double * M);
mbd_status_t mbdi_tree_forward_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * dqdd_dq,
  double * dqdd_dv, double * M_inv);
mbd_status_t mbdi_tree_linearize(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * A,
  double * B);
mbd_status_t mbdi_tree_jacobian_rate(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * J_rate);

//---------- jacobians and operational-space compliance ----------

mbd_status_t mbdi_tree_jacobian(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * J);
mbd_status_t mbdi_tree_jacobian_product(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  const double * x, mbd_motion_t * V);
mbd_status_t mbdi_tree_jacobian_bias(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * bias);
mbd_status_t mbdi_tree_compliance(const mbd_model_t * model, mbd_data_t * data);
mbd_status_t mbdi_tree_compliance_between(
  const mbd_model_t * model, mbd_data_t * data, int frame_i, mbd_reference_t reference_i,
  int frame_j, mbd_reference_t reference_j, double * omega);

//---------- inertial parameters ----------

mbd_status_t mbdi_tree_parameters_get(
  const mbd_model_t * model, mbd_data_t * data, bool drives, double * theta);
mbd_status_t mbdi_tree_torque_regressor(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, bool drives, double * Y);
mbd_status_t mbdi_tree_momentum_regressor(const mbd_model_t * model, mbd_data_t * data, double * Y);

//---------- configuration manifold ----------

mbd_status_t mbdi_tree_neutral(const mbd_model_t * model, double * q);
mbd_status_t mbdi_tree_normalize(const mbd_model_t * model, double * q);
mbd_status_t mbdi_tree_random_configuration(const mbd_model_t * model, uint64_t seed, double * q);
mbd_status_t mbdi_tree_integrate(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out);
mbd_status_t mbdi_tree_difference(
  const mbd_model_t * model, const double * q0, const double * q1, double * v);

//---------- between them ----------

size_t mbdi_tree_lay_out(const mbd_model_t * model, char * base, mbd_data_t * data);
mbd_status_t mbdi_tree_init(const mbd_model_t * model, mbd_data_t * data);
mbd_status_t mbdi_tree_load_state(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * u, double * to_u, uint32_t stage);
void mbdi_tree_position_stage(const mbd_model_t * model, mbd_data_t * data);
void mbdi_tree_bias_stage(const mbd_model_t * model, mbd_data_t * data);
void mbdi_tree_set_gravity(mbd_data_t * data, mbd_vec3_t gravity);
void mbdi_tree_set_terms(mbd_data_t * data, uint32_t terms);
void mbdi_tree_inertia_changed(mbd_data_t * data);
void mbdi_tree_gather_forces(
  const mbd_model_t * model, const mbd_data_t * data, mbd_force_t * F, double * tau);
void mbdi_tree_solve(const mbd_model_t * model, mbd_data_t * data, double * x);
void mbdi_tree_reduce(
  const mbd_model_t * model, const mbd_data_t * data, const double * y_tree, double * y);
mbd_status_t mbdi_tree_frame_compliance(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * C,
  double * length);
mbd_status_t mbdi_tree_task_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double * J);
size_t mbdi_tree_derivatives_work(const mbd_model_t * model);

#endif  // TREE__TREE_H_
