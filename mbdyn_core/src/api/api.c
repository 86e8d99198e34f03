// Public functions that depend on the kind of model: model and data are checked here, once, and the
// engine does the rest.
#include "model/engine.h"
#include "state/state.h"

#define CALL(function, ...)                                               \
  do {                                                                    \
    if (!model || !data) return MBD_ERROR_NULL_ARGUMENT;                  \
    if (data->model != model) return MBD_ERROR_MODEL_MISMATCH;            \
    if (!model->internal->engine->function) return MBD_ERROR_UNSUPPORTED; \
    return model->internal->engine->function(__VA_ARGS__);                \
  } while (0)

// without a workspace
#define CALL_MODEL(function, ...)                                         \
  do {                                                                    \
    if (!model) return MBD_ERROR_NULL_ARGUMENT;                           \
    if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;                \
    if (!model->internal->engine->function) return MBD_ERROR_UNSUPPORTED; \
    return model->internal->engine->function(__VA_ARGS__);                \
  } while (0)

//---------- state ----------

mbd_status_t
mbd_set_state(const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v)
{
  CHECK(check_any(model, data, 0));
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  if (model->internal->engine->load_state) {
    const uint32_t stage = v ? MBD_STAGE_DEFERRED_VELOCITY : MBD_STAGE_DEFERRED_POSITION;
    return model->internal->engine->load_state(model, data, q, v, NULL, NULL, stage);
  }
  CHECK(model->internal->engine->set_position(model, data, q));
  return v ? model->internal->engine->set_velocity(model, data, v) : MBD_OK;
}

//---------- functions of one shape ----------

// a vector in, a number, vector or matrix out, two of them, or nothing but a stage
#define INPUT(name, function)                                                       \
  mbd_status_t name(const mbd_model_t * model, mbd_data_t * data, const double * x) \
  {                                                                                 \
    CALL(function, model, data, x);                                                 \
  }
#define OUTPUT(name, function)                                                \
  mbd_status_t name(const mbd_model_t * model, mbd_data_t * data, double * y) \
  {                                                                           \
    CALL(function, model, data, y);                                           \
  }
#define OUTPUTS(name, function)                                                           \
  mbd_status_t name(const mbd_model_t * model, mbd_data_t * data, double * y, double * z) \
  {                                                                                       \
    CALL(function, model, data, y, z);                                                    \
  }
#define STAGE(name, function)                                     \
  mbd_status_t name(const mbd_model_t * model, mbd_data_t * data) \
  {                                                               \
    CALL(function, model, data);                                  \
  }

// clang-format off
INPUT(mbd_set_position, set_position)
INPUT(mbd_set_velocity, set_velocity)
INPUT(mbd_set_acceleration, set_acceleration)
OUTPUT(mbd_bias, bias)
OUTPUT(mbd_gravity, gravity)
OUTPUT(mbd_mass_matrix, mass_matrix)
OUTPUT(mbd_mass_matrix_inverse, mass_matrix_inverse)
OUTPUT(mbd_mass_log_determinant, mass_log_determinant)
OUTPUT(mbd_mass_trace, mass_trace)
OUTPUT(mbd_kinetic_energy, kinetic_energy)
OUTPUT(mbd_potential_energy, potential_energy)
OUTPUT(mbd_momentum, momentum)
OUTPUT(mbd_centroidal_matrix, centroidal_matrix)
OUTPUT(mbd_coriolis_matrix, coriolis_matrix)
OUTPUT(mbd_coriolis_transpose_product, coriolis_transpose_product)
OUTPUT(mbd_momentum_gradient, momentum_gradient)
OUTPUT(mbd_kinetic_energy_gradient, kinetic_energy_gradient)
OUTPUT(mbd_momentum_regressor, momentum_regressor)
OUTPUTS(mbd_mass_factors, mass_factors)
OUTPUTS(mbd_christoffel_tensor, christoffel_tensor)
OUTPUTS(mbd_mass_matrix_tensor, mass_matrix_tensor)
STAGE(mbd_articulated_inertia, articulated_inertia)
STAGE(mbd_compliance, compliance)
// clang-format on

//---------- inverse and forward dynamics ----------

mbd_status_t
mbd_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau)
{
  CALL(inverse_dynamics, model, data, q, v, qdd, f_ext, tau);
}

mbd_status_t
mbd_joint_force(const mbd_model_t * model, mbd_data_t * data, int body, mbd_force_t * f)
{
  CALL(joint_force, model, data, body, f);
}

mbd_status_t
mbd_hybrid_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const bool * active, const mbd_wrenches_t * f_ext, double * qdd, double * tau)
{
  CALL(hybrid_dynamics, model, data, q, v, active, f_ext, qdd, tau);
}

mbd_status_t
mbd_disturbance_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, double * J_D)
{
  CALL(disturbance_jacobian, model, data, active, J_D);
}

mbd_status_t
mbd_generalized_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, int frame,
  mbd_reference_t reference, double * J_G)
{
  CALL(generalized_jacobian, model, data, active, frame, reference, J_G);
}

mbd_status_t
mbd_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd)
{
  CALL(forward_dynamics, model, data, q, v, tau, f_ext, qdd);
}

//---------- mass matrix, its inverse and factors ----------

mbd_status_t
mbd_mass_product(const mbd_model_t * model, mbd_data_t * data, const double * x, double * y)
{
  CALL(mass_product, model, data, x, y);
}

mbd_status_t
mbd_mass_sqrt(
  const mbd_model_t * model, mbd_data_t * data, mbd_sqrt_op_t op, const double * x, double * y)
{
  CALL(mass_sqrt, model, data, op, x, y);
}

//---------- energy and momentum ----------

mbd_status_t
mbd_momentum_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * pdot)
{
  CALL(momentum_rate, model, data, tau, f_ext, pdot);
}

mbd_status_t
mbd_energy_rates(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  mbd_energy_rates_t * rates)
{
  CALL(energy_rates, model, data, tau, f_ext, rates);
}

mbd_status_t
mbd_centroidal_momentum(const mbd_model_t * model, mbd_data_t * data, mbd_force_t * momentum)
{
  CALL(centroidal_momentum, model, data, momentum);
}

//---------- Coriolis matrix, derivatives of the mass matrix ----------

mbd_status_t
mbd_christoffel(const mbd_model_t * model, mbd_data_t * data, int k, double * G)
{
  CALL(christoffel, model, data, k, G);
}

mbd_status_t
mbd_mass_matrix_derivative(
  const mbd_model_t * model, mbd_data_t * data, int j, double * work, double * dM)
{
  CALL(mass_matrix_derivative, model, data, j, work, dM);
}

//---------- derivatives of the dynamics ----------

size_t
mbd_derivatives_work(const mbd_model_t * model)
{
  return model && model->finalized ? model->internal->engine->derivatives_work(model) : 0;
}

mbd_status_t
mbd_inverse_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * work, double * dtau_dq,
  double * dtau_dv, double * M)
{
  CALL(inverse_dynamics_derivatives, model, data, q, v, qdd, f_ext, work, dtau_dq, dtau_dv, M);
}

mbd_status_t
mbd_forward_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * dqdd_dq,
  double * dqdd_dv, double * M_inv)
{
  CALL(
    forward_dynamics_derivatives, model, data, q, v, tau, f_ext, work, qdd, dqdd_dq, dqdd_dv,
    M_inv);
}

size_t
mbd_second_derivatives_work(const mbd_model_t * model)
{
  if (!model || !model->finalized) return 0;
  const mbdi_engine_t * engine = model->internal->engine;
  return engine->second_derivatives_work ? engine->second_derivatives_work(model) : 0;
}

mbd_status_t
mbd_inverse_dynamics_second_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const double * lambda, double * work, double * d2_dq2, double * d2_dqdv,
  double * d2_dv2, double * d2_dqdqdd)
{
  CALL(
    inverse_second_derivatives, model, data, q, v, qdd, lambda, work, d2_dq2, d2_dqdv, d2_dv2,
    d2_dqdqdd);
}

mbd_status_t
mbd_forward_dynamics_second_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const double * mu, double * work, double * qdd, double * d2_dq2,
  double * d2_dqdv, double * d2_dv2, double * d2_dqdtau)
{
  CALL(
    forward_second_derivatives, model, data, q, v, tau, mu, work, qdd, d2_dq2, d2_dqdv, d2_dv2,
    d2_dqdtau);
}

mbd_status_t
mbd_linearize(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * A,
  double * B)
{
  CALL(linearize, model, data, q, v, tau, f_ext, work, qdd, A, B);
}

mbd_status_t
mbd_jacobian_rate(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * J_rate)
{
  CALL(jacobian_rate, model, data, frame, reference, J_rate);
}

//---------- Jacobians and operational-space compliance ----------

mbd_status_t
mbd_jacobian(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * J)
{
  CALL(jacobian, model, data, frame, reference, J);
}

mbd_status_t
mbd_jacobian_product(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  const double * x, mbd_motion_t * V)
{
  CALL(jacobian_product, model, data, frame, reference, x, V);
}

mbd_status_t
mbd_jacobian_bias(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * bias)
{
  CALL(jacobian_bias, model, data, frame, reference, bias);
}

mbd_status_t
mbd_compliance_between(
  const mbd_model_t * model, mbd_data_t * data, int frame_i, mbd_reference_t reference_i,
  int frame_j, mbd_reference_t reference_j, double * omega)
{
  CALL(compliance_between, model, data, frame_i, reference_i, frame_j, reference_j, omega);
}

//---------- inertial parameters ----------

mbd_status_t
mbd_parameters_get(const mbd_model_t * model, mbd_data_t * data, bool drives, double * theta)
{
  CALL(parameters_get, model, data, drives, theta);
}

mbd_status_t
mbd_torque_regressor(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, bool drives, double * Y)
{
  CALL(torque_regressor, model, data, qdd, drives, Y);
}

//---------- configuration manifold ----------

mbd_status_t
mbd_neutral(const mbd_model_t * model, double * q)
{
  CALL_MODEL(neutral, model, q);
}

mbd_status_t
mbd_normalize(const mbd_model_t * model, double * q)
{
  CALL_MODEL(normalize, model, q);
}

mbd_status_t
mbd_random_configuration(const mbd_model_t * model, uint64_t seed, double * q)
{
  CALL_MODEL(random_configuration, model, seed, q);
}

mbd_status_t
mbd_integrate(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out)
{
  CALL_MODEL(integrate, model, q, v, dt, q_out);
}

mbd_status_t
mbd_difference(const mbd_model_t * model, const double * q0, const double * q1, double * v)
{
  CALL_MODEL(difference, model, q0, q1, v);
}
