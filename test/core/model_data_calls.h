/// \file model_data_calls.h
/// Every public function of a model and a workspace, as one table, with arguments it can be called
/// with: frame_in in reference_in, body 0, the state q_in and `in`, output arrays that are large enough.
///
///   calls, ncalls      the table
///   calls_prepare      arguments for a model with at most CALL_NUMBERS numbers in any result
///   nulled             number of the pointer argument (1, 2, ...) that is NULL instead, or 0
#ifndef MODEL_DATA_CALLS_H_
#define MODEL_DATA_CALLS_H_

#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/flexible.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/operators.h"

enum { CALL_NUMBERS = 8192, CALL_OUTPUTS = 6 };

static int nulled;

static double q_in[64], in[CALL_NUMBERS], out[CALL_OUTPUTS][CALL_NUMBERS];
static bool flags[64], flags_out[64];
static int integer;
static const int zero = 0;
static int frame_in;
static mbd_reference_t reference_in = MBD_LOCAL;
static mbd_wrench_t wrench;
static mbd_wrenches_t wrenches = {1, &wrench};
static mbd_task_t task;
static mbd_tasks_t tasks = {1, &task};
static const mbd_vec3_t x_axis = {1, 0, 0};
static mbd_force_t force[64];
static mbd_motion_t motion[64];
static mbd_sym6_t sixes[64];
static mbd_inertia_t inertia;
static mbd_sparsity_t * sparsity;
static mbd_assembly_t assembly;
static mbd_constrained_t constrained;
static mbd_bearing_info_t bearing_info;
static mbd_contact_info_t contact_info;
static mbd_bearing_friction_t bearing_friction;
static mbd_support_t support;
static mbd_support_info_t support_info;
static mbd_subsystem_t subsystem;
static mbd_momentum_integrals_t momentum_integrals;
static mbd_vec3_t vec3;
static mbd_placement_t placement;
static mbd_energy_rates_t energy_rates;
static mbd_element_state_t element_state;
static mbd_force_views_t force_views;
static mbd_task_info_t task_info;
static mbd_limit_t limit;
static mbd_ik_target_t ik_target;
static mbd_ik_targets_t ik_targets = {1, &ik_target};
static mbd_ik_result_t ik_result[4];
static mbd_ik_measure_t ik_measure;
static mbd_ik_form_t ik_form;
static mbd_measure_t measure;
static mbd_shape_t capsule_on;
static mbd_capsule_t capsule;
static mbd_clearance_t clearance;
static mbd_manipulator_t * manipulator;

static inline void
calls_prepare(const double * configuration, int nq)
{
  memcpy(q_in, configuration, (size_t)nq * sizeof *q_in);
  for (int k = 0; k < CALL_NUMBERS; k++) in[k] = 0.1 + 0.01 * (k % 7);
  for (int k = 0; k < 64; k++) flags[k] = true;
  task = mbdu_task_frame(frame_in, reference_in);
  bearing_friction = mbd_bearing_friction_default();
  bearing_friction.load = out[4], bearing_friction.sticks = flags_out;
  ik_target = mbdu_ik_pose(frame_in, (mbd_placement_t){.R = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}});
  measure = mbd_measure_default();
  measure.type = MBD_MEASURE_X, measure.frame_b = frame_in;
  wrench = (mbd_wrench_t){frame_in, reference_in, {{0.1, 0.2, 0.3}, {1, 2, 3}}};
  inertia = mbdu_inertia_from_com(0.5, x_axis, (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
}

#define P(number, pointer) (nulled == (number) ? NULL : (pointer))

// function, how many pointers it takes, arguments for model m and workspace d
// clang-format off
#define CALLS(X) \
  X(mbd_assemble, 4, (m, d, NULL, P(1, q_in), P(2, out[0]), P(3, out[1]), P(4, &assembly))) \
  X(mbd_project_velocity, 4, (m, d, NULL, P(1, in), P(2, out[0]), P(3, out[1]), P(4, &assembly))) \
  X(mbd_closure_rank, 3, (m, d, NULL, P(1, out[0]), P(2, flags_out), P(3, &integer))) \
  X(mbd_closure_error, 1, (m, d, 0.01, P(1, out[0]))) \
  X(mbd_closure_jacobian, 1, (m, d, P(1, out[0]))) \
  X(mbd_closure_bias, 1, (m, d, 0.01, P(1, out[0]))) \
  X(mbd_compliance_between, 1, (m, d, frame_in, reference_in, frame_in, reference_in, P(1, out[0]))) \
  X(mbd_mobility, 2, (m, d, frame_in, reference_in, P(1, &integer), P(2, out[0]))) \
  X(mbd_effective_mass, 1, (m, d, 0, x_axis, x_axis, P(1, out[0]))) \
  X(mbd_constrained_forward_dynamics, 8, \
    (m, d, P(1, q_in), P(2, in), P(3, in), P(4, &wrenches), NULL, P(5, out[0]), P(6, out[1]), \
     P(7, out[2]), P(8, &constrained))) \
  X(mbd_constrained_inverse_dynamics, 10, \
    (m, d, P(1, q_in), P(2, in), P(3, in), P(4, &wrenches), P(5, flags), P(6, in), NULL, \
     P(7, out[0]), P(8, out[1]), P(9, out[2]), P(10, &constrained))) \
  X(mbd_bearing_forward_dynamics, 9, \
    (m, d, P(1, q_in), P(2, in), P(3, in), P(4, &wrenches), NULL, P(5, out[0]), P(6, out[1]), \
     P(7, out[2]), P(8, out[3]), P(9, &bearing_info))) \
  X(mbd_constrained_response, 3, (m, d, P(1, in), NULL, P(2, out[0]), P(3, out[1]))) \
  X(mbd_move_squeeze, 5, \
    (m, d, P(1, in), P(2, in), NULL, P(3, out[0]), P(4, out[1]), P(5, out[2]))) \
  X(mbd_closing_impulse, 6, \
    (m, d, P(1, in), P(2, &wrenches), NULL, P(3, out[0]), P(4, out[1]), P(5, out[2]), \
     P(6, &constrained))) \
  X(mbd_closure_torque, 2, (m, d, P(1, in), P(2, out[0]))) \
  X(mbd_closure_wrench, 2, (m, d, 0, P(1, in), P(2, force))) \
  X(mbd_contact_step, 7, \
    (m, d, P(1, in), P(2, &wrenches), 0.01, 0, NULL, NULL, P(3, out[0]), P(4, out[1]), \
     P(5, out[2]), P(6, out[3]), P(7, &contact_info))) \
  X(mbd_friction_step, 7, \
    (m, d, P(1, in), P(2, &wrenches), 0.01, 0, NULL, NULL, NULL, P(3, out[0]), P(4, out[1]), \
     P(5, out[2]), P(6, out[3]), P(7, &contact_info))) \
  X(mbd_bearing_step, 8, \
    (m, d, P(1, in), P(2, &wrenches), 0.01, 0, NULL, NULL, P(3, &bearing_friction), NULL, \
     P(4, out[0]), P(5, out[1]), P(6, out[2]), P(7, out[3]), P(8, &contact_info))) \
  X(mbd_support_point, 2, (m, d, P(1, &support), 0, P(2, &vec3))) \
  X(mbd_support_torques, 5, \
    (m, d, 0, P(1, in), NULL, 1, P(2, &support), P(3, out[0]), P(4, out[1]), NULL, \
     P(5, &support_info))) \
  X(mbd_contact_acceleration, 7, \
    (m, d, P(1, in), P(2, &wrenches), 0, NULL, NULL, P(3, out[0]), P(4, out[1]), P(5, out[2]), \
     P(6, out[3]), P(7, &contact_info))) \
  X(mbd_coriolis_matrix, 1, (m, d, P(1, out[0]))) \
  X(mbd_coriolis_transpose_product, 1, (m, d, P(1, out[0]))) \
  X(mbd_mass_matrix_rate, 1, (m, d, P(1, out[0]))) \
  X(mbd_momentum_gradient, 1, (m, d, P(1, out[0]))) \
  X(mbd_kinetic_energy_gradient, 1, (m, d, P(1, out[0]))) \
  X(mbd_christoffel, 1, (m, d, 0, P(1, out[0]))) \
  X(mbd_complete_stages, 0, (m, d)) \
  X(mbd_inverse_dynamics_derivatives, 8, \
    (m, d, P(1, q_in), P(2, in), P(3, in), P(4, &wrenches), P(5, out[0]), P(6, out[1]), \
     P(7, out[2]), P(8, out[3]))) \
  X(mbd_forward_dynamics_derivatives, 9, \
    (m, d, P(1, q_in), P(2, in), P(3, in), P(4, &wrenches), P(5, out[0]), P(6, out[1]), \
     P(7, out[2]), P(8, out[3]), P(9, out[4]))) \
  X(mbd_inverse_dynamics_second_derivatives, 9, \
    (m, d, P(1, q_in), P(2, in), P(3, in), P(4, in), P(5, out[0]), P(6, out[1]), P(7, out[2]), \
     P(8, out[3]), P(9, out[4]))) \
  X(mbd_forward_dynamics_second_derivatives, 10, \
    (m, d, P(1, q_in), P(2, in), P(3, in), P(4, in), P(5, out[0]), P(6, out[1]), P(7, out[2]), \
     P(8, out[3]), P(9, out[4]), P(10, out[5]))) \
  X(mbd_linearize, 8, \
    (m, d, P(1, q_in), P(2, in), P(3, in), P(4, &wrenches), P(5, out[0]), P(6, out[1]), \
     P(7, out[2]), P(8, out[3]))) \
  X(mbd_mass_matrix_derivative, 2, (m, d, 0, P(1, out[0]), P(2, out[1]))) \
  X(mbd_mass_matrix_tensor, 2, (m, d, P(1, out[0]), P(2, out[1]))) \
  X(mbd_christoffel_tensor, 2, (m, d, P(1, out[0]), P(2, out[1]))) \
  X(mbd_jacobian_rate, 1, (m, d, frame_in, reference_in, P(1, out[0]))) \
  X(mbd_articulated_rate, 4, (m, d, P(1, in), P(2, sixes), P(3, force), P(4, out[0]))) \
  X(mbd_log_determinant_gradient, 1, (m, d, P(1, out[0]))) \
  X(mbd_factor_rates, 5, \
    (m, d, P(1, in), P(2, out[0]), P(3, out[1]), P(4, out[2]), P(5, out[3]))) \
  X(mbd_factor_rate_product, 2, (m, d, P(1, out[0]), P(2, out[1]))) \
  X(mbd_quasi_coriolis, 2, (m, d, P(1, out[0]), P(2, out[1]))) \
  X(mbd_unnormalized_coriolis, 2, (m, d, P(1, out[0]), P(2, out[1]))) \
  X(mbd_quasi_velocity_damping, 2, (m, d, P(1, in), P(2, out[0]))) \
  X(mbd_subsystem_robot, 4, (m, d, P(1, in), P(2, &wrenches), 0, P(3, &zero), P(4, &subsystem))) \
  X(mbd_convert_velocity, 3, (m, d, P(1, in), P(2, m), P(3, out[0]))) \
  X(mbd_set_time, 0, (m, d, 0.01)) \
  X(mbd_integrate_in, 3, (m, d, P(1, q_in), P(2, in), 0.01, P(3, out[0]))) \
  X(mbd_tree_velocity, 2, (m, d, P(1, in), P(2, out[0]))) \
  X(mbd_tree_acceleration, 2, (m, d, P(1, in), P(2, out[0]))) \
  X(mbd_reduce_torque, 2, (m, d, P(1, in), P(2, out[0]))) \
  X(mbd_embedding_matrix, 1, (m, d, P(1, out[0]))) \
  X(mbd_embedding_rate, 1, (m, d, P(1, out[0]))) \
  X(mbd_embedding_condition, 2, (m, d, P(1, out[0]), P(2, &integer))) \
  X(mbd_closure_forces, 4, (m, d, P(1, in), P(2, in), P(3, &wrenches), P(4, out[0]))) \
  X(mbd_mass_product, 2, (m, d, P(1, in), P(2, out[0]))) \
  X(mbd_mass_solve, 2, (m, d, P(1, in), P(2, out[0]))) \
  X(mbd_mass_sqrt, 2, (m, d, MBD_SQRT, P(1, in), P(2, out[0]))) \
  X(mbd_mass_factors, 2, (m, d, P(1, out[0]), P(2, out[1]))) \
  X(mbd_mass_log_determinant, 1, (m, d, P(1, out[0]))) \
  X(mbd_mass_trace, 1, (m, d, P(1, out[0]))) \
  X(mbd_mass_condition, 2, (m, d, P(1, out[0]), P(2, out[1]))) \
  X(mbd_flexible_frequencies, 1, (m, d, true, P(1, out[0]))) \
  X(mbd_flexible_static, 1, (m, d, P(1, out[0]))) \
  X(mbd_flexible_strain_energy, 1, (m, d, P(1, out[0]))) \
  X(mbd_step, 5, \
    (m, d, P(1, out[0]), P(2, out[1]), P(3, in), P(4, &wrenches), 1e-3, P(5, out[2]))) \
  X(mbd_forward_dynamics, 5, (m, d, P(1, q_in), P(2, in), P(3, in), P(4, &wrenches), P(5, out[0]))) \
  X(mbd_articulated_inertia, 0, (m, d)) \
  X(mbd_mass_matrix_inverse, 1, (m, d, P(1, out[0]))) \
  X(mbd_effective_inertia, 2, (m, d, P(1, out[0]), P(2, sixes))) \
  X(mbd_free_flyer_dynamics, 6, \
    (m, d, P(1, q_in), P(2, in), P(3, in), P(4, &wrenches), P(5, out[0]), P(6, out[1]))) \
  X(mbd_momentum_integrals, 1, (m, d, 0, 0.01, P(1, &momentum_integrals))) \
  X(mbd_coupling_inertia, 1, (m, d, 0, (mbd_hold_t)0, P(1, out[0]))) \
  X(mbd_zero_reaction_velocity, 4, \
    (m, d, 0, (mbd_hold_t)0, P(1, in), P(2, out[0]), P(3, out[1]), P(4, &integer))) \
  X(mbd_zero_reaction_acceleration, 4, \
    (m, d, 0, (mbd_hold_t)0, P(1, in), P(2, out[0]), P(3, out[1]), P(4, &integer))) \
  X(mbd_hybrid_dynamics, 6, \
    (m, d, P(1, q_in), P(2, in), P(3, flags), P(4, &wrenches), P(5, out[0]), P(6, out[1]))) \
  X(mbd_disturbance_jacobian, 2, (m, d, P(1, flags), P(2, out[0]))) \
  X(mbd_generalized_jacobian, 2, (m, d, P(1, flags), frame_in, reference_in, P(2, out[0]))) \
  X(mbd_hybrid_control, 6, \
    (m, d, P(1, q_in), P(2, in), P(3, flags), frame_in, reference_in, motion[0], P(4, out[0]), P(5, out[1]), \
     P(6, &integer))) \
  X(mbd_mass_matrix, 1, (m, d, P(1, out[0]))) \
  X(mbd_composite_inertia, 0, (m, d)) \
  X(mbd_kinetic_energy, 1, (m, d, P(1, out[0]))) \
  X(mbd_potential_energy, 1, (m, d, P(1, out[0]))) \
  X(mbd_center_of_mass, 2, (m, d, P(1, out[0]), P(2, &vec3))) \
  X(mbd_centroidal_momentum, 1, (m, d, P(1, force))) \
  X(mbd_inverse_dynamics, 5, (m, d, P(1, q_in), P(2, in), P(3, in), P(4, &wrenches), P(5, out[0]))) \
  X(mbd_bias, 1, (m, d, P(1, out[0]))) \
  X(mbd_gravity, 1, (m, d, P(1, out[0]))) \
  X(mbd_joint_force, 1, (m, d, 0, P(1, force))) \
  X(mbd_jacobian, 1, (m, d, frame_in, reference_in, P(1, out[0]))) \
  X(mbd_jacobian_product, 2, (m, d, frame_in, reference_in, P(1, in), P(2, motion))) \
  X(mbd_jacobian_transpose_product, 2, (m, d, P(1, &wrenches), P(2, out[0]))) \
  X(mbd_jacobian_bias, 1, (m, d, frame_in, reference_in, P(1, motion))) \
  X(mbd_set_position, 1, (m, d, P(1, q_in))) \
  X(mbd_set_velocity, 1, (m, d, P(1, in))) \
  X(mbd_set_state, 2, (m, d, P(1, q_in), P(2, in))) \
  X(mbd_set_acceleration, 1, (m, d, P(1, in))) \
  X(mbd_frame_placement, 1, (m, d, 0, P(1, &placement))) \
  X(mbd_frame_velocity, 1, (m, d, frame_in, reference_in, P(1, motion))) \
  X(mbd_frame_acceleration, 1, (m, d, frame_in, reference_in, P(1, motion))) \
  X(mbd_limit_gaps, 4, (m, d, P(1, &limit), P(2, out[0]), P(3, out[1]), P(4, out[2]))) \
  X(mbd_momentum, 1, (m, d, P(1, out[0]))) \
  X(mbd_momentum_rate, 3, (m, d, P(1, in), P(2, &wrenches), P(3, out[0]))) \
  X(mbd_element_torque, 1, (m, d, P(1, out[0]))) \
  X(mbd_element_state, 1, (m, d, 0, P(1, &element_state))) \
  X(mbd_energy_rates, 3, (m, d, P(1, in), P(2, &wrenches), P(3, &energy_rates))) \
  X(mbd_centroidal_matrix, 1, (m, d, P(1, out[0]))) \
  X(mbd_centroidal_bias, 1, (m, d, P(1, force))) \
  X(mbd_average_velocity, 1, (m, d, P(1, motion))) \
  X(mbd_com_jacobian, 1, (m, d, P(1, out[0]))) \
  X(mbd_momentum_nulling, 1, (m, d, 0, P(1, out[0]))) \
  X(mbd_phi_product, 2, (m, d, P(1, force), P(2, force))) \
  X(mbd_phi_transpose_product, 2, (m, d, P(1, motion), P(2, motion))) \
  X(mbd_psi_product, 2, (m, d, P(1, force), P(2, force))) \
  X(mbd_psi_transpose_product, 2, (m, d, P(1, motion), P(2, motion))) \
  X(mbd_cross_inertia, 1, (m, d, 0, 0, P(1, out[0]))) \
  X(mbd_composite_inverse_dynamics, 3, (m, d, P(1, in), P(2, &wrenches), P(3, out[0]))) \
  X(mbd_joint_force_views, 1, (m, d, 0, P(1, &force_views))) \
  X(mbd_compliance, 0, (m, d)) \
  X(mbd_operational_space_compliance, 1, (m, d, frame_in, reference_in, P(1, out[0]))) \
  X(mbd_operational_space_inertia, 2, (m, d, frame_in, reference_in, P(1, out[0]), P(2, &integer))) \
  X(mbd_payload_attach, 1, (m, d, 0, P(1, &inertia))) \
  X(mbd_payload_remove, 0, (m, d, 0)) \
  X(mbd_payload_clear, 0, (m, d)) \
  X(mbd_parameters_get, 1, (m, d, true, P(1, out[0]))) \
  X(mbd_torque_regressor, 2, (m, d, P(1, in), true, P(2, out[0]))) \
  X(mbd_momentum_regressor, 1, (m, d, P(1, out[0]))) \
  X(mbd_energy_regressor, 2, (m, d, P(1, out[0]), P(2, out[1]))) \
  X(mbd_force_response, 2, (m, d, P(1, &wrenches), P(2, out[0]))) \
  X(mbd_impulse_response, 2, (m, d, P(1, &wrenches), P(2, out[0]))) \
  X(mbd_response_acceleration, 1, (m, d, frame_in, reference_in, P(1, motion))) \
  X(mbd_sparse_mass, 2, (m, d, P(1, sparsity), P(2, out[0]))) \
  X(mbd_task_jacobian, 2, (m, d, P(1, &tasks), P(2, out[0]))) \
  X(mbd_task_bias, 2, (m, d, P(1, &tasks), P(2, out[0]))) \
  X(mbd_task_compliance, 2, (m, d, P(1, &tasks), P(2, out[0]))) \
  X(mbd_task_inertia, 4, \
    (m, d, P(1, &tasks), NULL, P(2, out[0]), P(3, out[1]), P(4, &task_info))) \
  X(mbd_task_forces, 5, (m, d, P(1, &tasks), P(2, in), P(3, out[0]), P(4, out[1]), P(5, out[2]))) \
  X(mbd_task_inverse, 4, (m, d, P(1, &tasks), P(2, in), P(3, out[0]), P(4, out[1]))) \
  X(mbd_task_nullspace, 4, (m, d, P(1, &tasks), P(2, in), P(3, out[0]), P(4, out[1]))) \
  X(mbd_task_control, 6, \
    (m, d, P(1, &tasks), P(2, in), P(3, in), P(4, in), P(5, out[0]), P(6, out[1]))) \
  X(mbd_ik, 5, \
    (m, d, P(1, &ik_targets), NULL, P(2, q_in), P(3, out[0]), P(4, out[1]), P(5, ik_result))) \
  X(mbd_ik_track, 6, \
    (m, d, P(1, &ik_targets), NULL, P(2, q_in), P(3, out[0]), P(4, out[1]), P(5, out[2]), \
     P(6, ik_result))) \
  X(mbd_ik_measure, 4, \
    (m, d, P(1, &ik_targets), NULL, P(2, q_in), P(3, out[0]), P(4, &ik_measure))) \
  X(mbd_ik_all, 7, \
    (m, d, P(1, &ik_targets), NULL, P(2, q_in), 4, P(3, out[0]), P(4, out[1]), P(5, &integer), \
     P(6, ik_result), P(7, &ik_form))) \
  X(mbd_measure, 1, (m, d, P(1, &measure), out[0], out[1], out[2])) \
  X(mbd_clearance, 3, (m, d, 1, P(1, &capsule_on), 1, P(2, &capsule), P(3, &clearance))) \
  X(mbd_manipulator_init, 5, \
    (m, d, 1, P(1, &measure), 1, P(2, &measure), P(3, q_in), NULL, P(4, out[0]), \
     sizeof out, NULL, P(5, &manipulator)))
// clang-format on

#define CALL_FUNCTION(function, pointers, arguments)                         \
  static mbd_status_t call_##function(const mbd_model_t * m, mbd_data_t * d) \
  {                                                                          \
    return function arguments;                                               \
  }
CALLS(CALL_FUNCTION)
#undef CALL_FUNCTION

typedef struct call {
  const char * name;
  int pointers;
  mbd_status_t (*run)(const mbd_model_t * m, mbd_data_t * d);
} call_t;

#define CALL_ROW(function, pointers, arguments) {#function, pointers, call_##function},
static const call_t calls[] = {CALLS(CALL_ROW)};
#undef CALL_ROW

enum { ncalls = sizeof calls / sizeof *calls };

#endif  // MODEL_DATA_CALLS_H_
