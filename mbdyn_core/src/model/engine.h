// One table of functions for every kind of model, chosen when the model is made: rigid trees (tree/, with
// vector kernels simd/), loops in independent coordinates (constraints/), flexible links (flexible/). The public
// functions in api/ check model and data and call the table; an entry that is NULL is a function that
// this kind of model does not have (MBD_ERROR_UNSUPPORTED).
#ifndef MODEL__ENGINE_H_
#define MODEL__ENGINE_H_

#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/flexible.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/operators.h"
#include "util/dense.h"

// Types of the functions in the table, so that each engine declares its own by name alone.
typedef mbd_status_t mbdi_stage_fn(const mbd_model_t * model, mbd_data_t * data);
typedef mbd_status_t mbdi_input_fn(const mbd_model_t * model, mbd_data_t * data, const double * x);
typedef mbd_status_t mbdi_output_fn(const mbd_model_t * model, mbd_data_t * data, double * y);
// M of q, or M x
typedef mbd_status_t mbdi_product_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y);
// F and D, or work and a tensor
typedef mbd_status_t mbdi_outputs_fn(
  const mbd_model_t * model, mbd_data_t * data, double * y, double * z);
// tau of qdd, or qdd of tau
typedef mbd_status_t mbdi_dynamics_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * in, const mbd_wrenches_t * f_ext, double * out);
typedef mbd_status_t mbdi_joint_force_fn(
  const mbd_model_t * model, mbd_data_t * data, int body, mbd_force_t * f);
typedef mbd_status_t mbdi_hybrid_dynamics_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const bool * active, const mbd_wrenches_t * f_ext, double * qdd, double * tau);
typedef mbd_status_t mbdi_disturbance_fn(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, double * J_D);
typedef mbd_status_t mbdi_generalized_jacobian_fn(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, int frame,
  mbd_reference_t reference, double * J_G);
typedef mbd_status_t mbdi_sqrt_fn(
  const mbd_model_t * model, mbd_data_t * data, mbd_sqrt_op_t op, const double * x, double * y);
typedef mbd_status_t mbdi_momentum_and_rate_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, double * p, double * pdot);
typedef mbd_status_t mbdi_momentum_rate_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * pdot);
typedef mbd_status_t mbdi_energy_rates_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  mbd_energy_rates_t * rates);
typedef mbd_status_t mbdi_centroidal_momentum_fn(
  const mbd_model_t * model, mbd_data_t * data, mbd_force_t * momentum);
typedef mbd_status_t mbdi_christoffel_fn(
  const mbd_model_t * model, mbd_data_t * data, int k, double * G);
typedef bool mbdi_hinge_gains_fn(
  const mbd_model_t * model, mbd_data_t * data, double * D_inv, double * G);
typedef bool mbdi_inverse_of_fn(
  const mbd_model_t * model, mbd_data_t * data, double * M, double * M_inv);
typedef mbd_status_t mbdi_mass_derivative_fn(
  const mbd_model_t * model, mbd_data_t * data, int j, double * work, double * dM);
// of inverse dynamics: dtau/dq, dtau/dv, M; linearised: qdd, A, B
typedef mbd_status_t mbdi_derivatives_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * in, const mbd_wrenches_t * f_ext, double * work, double * x, double * y,
  double * z);
typedef mbd_status_t mbdi_forward_derivatives_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * dqdd_dq,
  double * dqdd_dv, double * M_inv);
// of lambda^T tau or mu^T qdd, contracted with x; by q twice, q and v, v twice, q and qdd or tau
typedef mbd_status_t mbdi_second_derivatives_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const double * lambda, double * work, double * d2_dq2, double * d2_dqdv,
  double * d2_dv2, double * d2_dqdqdd);
typedef mbd_status_t mbdi_forward_second_derivatives_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const double * mu, double * work, double * qdd, double * d2_dq2,
  double * d2_dqdv, double * d2_dv2, double * d2_dqdtau);
typedef mbd_status_t mbdi_jacobian_fn(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * J);
typedef mbd_status_t mbdi_jacobian_product_fn(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  const double * x, mbd_motion_t * V);
typedef mbd_status_t mbdi_jacobian_bias_fn(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * bias);
typedef mbd_status_t mbdi_compliance_between_fn(
  const mbd_model_t * model, mbd_data_t * data, int frame_i, mbd_reference_t reference_i,
  int frame_j, mbd_reference_t reference_j, double * omega);
typedef mbd_status_t mbdi_frame_compliance_fn(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * C,
  double * length);
typedef mbd_status_t mbdi_parameters_fn(
  const mbd_model_t * model, mbd_data_t * data, bool drives, double * theta);
typedef mbd_status_t mbdi_torque_regressor_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, bool drives, double * Y);
typedef mbd_status_t mbdi_configuration_fn(const mbd_model_t * model, double * q);
typedef mbd_status_t mbdi_random_fn(const mbd_model_t * model, uint64_t seed, double * q);
typedef mbd_status_t mbdi_integrate_fn(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out);
typedef mbd_status_t mbdi_difference_fn(
  const mbd_model_t * model, const double * q0, const double * q1, double * v);
typedef size_t mbdi_lay_out_fn(const mbd_model_t * model, char * base, mbd_data_t * data);
typedef mbd_status_t mbdi_load_state_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * u, double * to_u, uint32_t stage);
typedef mbd_status_t mbdi_mass_and_torques_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, double * sine, double * cosine,
  double * M, double * tau, bool * done);
typedef void mbdi_complete_fn(const mbd_model_t * model, mbd_data_t * data);
typedef void mbdi_accelerate_fn(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd, mbd_vec3_t base,
  mbd_motion_t * A);
typedef void mbdi_gather_forces_fn(
  const mbd_model_t * model, const mbd_data_t * data, mbd_force_t * F, double * tau);
typedef void mbdi_solve_fn(const mbd_model_t * model, mbd_data_t * data, double * x);
typedef void mbdi_reduce_fn(
  const mbd_model_t * model, const mbd_data_t * data, const double * y_tree, double * y);
typedef void mbdi_body_jacobian_fn(
  const mbd_model_t * model, const mbd_data_t * data, int body, const mbd_placement_t * at,
  double * J);
typedef void mbdi_set_gravity_fn(mbd_data_t * data, mbd_vec3_t gravity);
typedef void mbdi_set_terms_fn(mbd_data_t * data, uint32_t terms);
typedef void mbdi_inertia_changed_fn(mbd_data_t * data);
typedef size_t mbdi_work_fn(const mbd_model_t * model);
typedef bool mbdi_is_free_base_fn(const mbd_model_t * model, int body);
typedef bool mbdi_is_driven_fn(const mbd_model_t * model);
typedef mbd_sko_t * mbdi_sko_fn(const mbd_model_t * model, mbd_data_t * data);
typedef void mbdi_coriolis_product_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y);

typedef struct mbdi_engine {
  bool rigid_tree;  // data has the stages of a rigid tree: what src/tree and src/operators need
  bool cut_loops;   // closures are not part of the dynamics: mbd_constrained_* closes them

  //---------- public functions of the same names ----------

  mbdi_input_fn *set_position, *set_velocity, *set_acceleration;
  mbdi_dynamics_fn *inverse_dynamics, *forward_dynamics;
  mbdi_output_fn *bias, *gravity;
  mbdi_joint_force_fn * joint_force;
  mbdi_hybrid_dynamics_fn * hybrid_dynamics;
  mbdi_disturbance_fn * disturbance_jacobian;
  mbdi_generalized_jacobian_fn * generalized_jacobian;
  mbdi_stage_fn * articulated_inertia;
  mbdi_product_fn * mass_product;
  mbdi_output_fn *mass_matrix, *mass_matrix_inverse, *mass_log_determinant, *mass_trace;
  mbdi_sqrt_fn * mass_sqrt;
  mbdi_outputs_fn * mass_factors;
  mbdi_output_fn *kinetic_energy, *potential_energy, *momentum;
  mbdi_momentum_rate_fn * momentum_rate;
  mbdi_energy_rates_fn * energy_rates;
  mbdi_centroidal_momentum_fn * centroidal_momentum;
  mbdi_output_fn * centroidal_matrix;
  mbdi_output_fn *coriolis_matrix, *coriolis_transpose_product;
  mbdi_output_fn *momentum_gradient, *kinetic_energy_gradient;
  mbdi_christoffel_fn * christoffel;
  mbdi_mass_derivative_fn * mass_matrix_derivative;
  mbdi_outputs_fn *christoffel_tensor, *mass_matrix_tensor;
  mbdi_work_fn * derivatives_work;  // the last 2 nv^2 numbers are free for two matrices
  mbdi_derivatives_fn *inverse_dynamics_derivatives, *linearize;
  mbdi_forward_derivatives_fn * forward_dynamics_derivatives;
  mbdi_work_fn * second_derivatives_work;  // NULL: none of the following two
  mbdi_second_derivatives_fn * inverse_second_derivatives;
  mbdi_forward_second_derivatives_fn * forward_second_derivatives;
  mbdi_jacobian_fn *jacobian, *jacobian_rate;
  mbdi_jacobian_product_fn * jacobian_product;
  mbdi_jacobian_bias_fn * jacobian_bias;
  mbdi_stage_fn * compliance;
  mbdi_compliance_between_fn * compliance_between;
  mbdi_parameters_fn * parameters_get;
  mbdi_torque_regressor_fn * torque_regressor;
  mbdi_output_fn * momentum_regressor;
  mbdi_configuration_fn *neutral, *normalize;
  mbdi_random_fn * random_configuration;
  mbdi_integrate_fn * integrate;
  mbdi_difference_fn * difference;

  //---------- memory ----------

  // pointers of a workspace into the block at base, or none if base is NULL; returns its size
  mbdi_lay_out_fn * lay_out_workspace;
  mbdi_stage_fn * init;

  //---------- between the functions above ----------

  // p and its rate from one sweep, for the observer; NULL: momentum_rate and momentum
  mbdi_momentum_and_rate_fn * momentum_and_rate;
  // mass matrix and inverse dynamics of a state whose stages are deferred, with the sines of its angles
  // (mbdi_kernels_t.dh_sincos, or NULL); *done false, or NULL: one after the other
  mbdi_mass_and_torques_fn * mass_and_torques;
  // q, and v and u unless they are NULL, to data->q, data->v and to_u, if all are finite; stages that
  // depend on them are deferred
  mbdi_load_state_fn * load_state;
  mbdi_complete_fn * position_stage;
  // mbd_complete_stages of this kind of model; NULL: that of a tree
  mbdi_stage_fn * complete_stages;
  // external wrenches of a deferred force stage; NULL: none
  mbd_wrenches_t (*deferred_wrenches)(const mbd_data_t * data);
  // accelerations of the bodies from those of the joints (NULL: zero) and of the world
  mbdi_accelerate_fn * accelerate;
  // data->A_bias: accelerations of the bodies at zero joint acceleration
  mbdi_complete_fn * bias_stage;
  // gravity, terms or inertias of the workspace have changed
  mbdi_set_gravity_fn * set_gravity;
  mbdi_set_terms_fn * set_terms;
  mbdi_inertia_changed_fn * inertia_changed;
  // tau = S^T of the forces F on the bodies, which are summed from tips to bases          (5.38)
  mbdi_gather_forces_fn * gather_forces;
  // the articulated stage, by kernel or by mbd_articulated_inertia, of one or more solves
  mbdi_stage_fn * prepare_solve;
  // D^-1 as data->D_inv, G at the parents' origins in world axes [nv][8]; false, or NULL: there are none
  mbdi_hinge_gains_fn * hinge_gains;
  // the inverse of a small mass matrix, in rows of a multiple of four numbers on lines of the cache, which are
  // overwritten: above the diagonal it need not be that; false, or NULL: there is none, or it has lost too many
  // digits. M NULL: is there one?
  mbdi_inverse_of_fn * inverse_of;
  // x := M^-1 x, and the accelerations of the bodies in data->work->W
  mbdi_solve_fn * solve;
  // y = X^T y_tree: a generalised force of the spanning tree on the independent velocities
  mbdi_reduce_fn * reduce;
  // 6 x nv Jacobian of a body (or -1) at a frame of the world; NULL: columns of S on the way to the base
  mbdi_body_jacobian_fn * body_jacobian;
  // compliance of a frame (6 x 6), and the length of the path from the base to it
  mbdi_frame_compliance_fn * frame_compliance;
  // no loop holds this base; NULL: there are no loops
  mbdi_is_free_base_fn * is_free_base;
  // a driver of an embedded loop depends on time; NULL: there are none
  mbdi_is_driven_fn * is_driven;
  // the SKO engine with the blocks of the position; y = C x and C^T x at the velocity stage: what
  // sko/sko_engine.h needs
  mbdi_sko_fn * sko;
  mbdi_coriolis_product_fn *coriolis_product, *coriolis_product_transpose;
  // 1-norm of A^-1 of a definite A = W C W, and W A^-1 W; 0 at a pivot not above the floor
  mbdi_invert_t invert;
} mbdi_engine_t;

// bodies, and nodes of flexible links: entries of model->body and of the arrays of a workspace
static inline int
mbdi_body_count(const mbd_model_t * model)
{
  return model->nbody + model->nnode;
}

// The private part of a model.
struct mbdi_model {
  const mbdi_engine_t * engine;  // the functions of this kind of model
  struct mbdi_model_builder *
    builder;                          // what it was built from; NULL of an embedded or flexible one
  struct mbdi_plan * plan;            // what kernels read, or NULL
  struct mbdi_embedding * embedding;  // of an embedded model (embedding_internal.h)
  struct mbdi_cut_plan * cut_plan;    // of a tree with planar loops (cut_planar.h), or NULL
  // joints that do more than q + v dt when they are integrated; those between two of them have
  // consecutive numbers in q and in v
  const int * curved;
  int ncurved;
  bool branched;  // a body has two children, or there are two roots
  // of a model with force elements: `engine` points to `with_elements`, which is `base` with elements
  // (tree/element_engine.c)
  const mbdi_engine_t * base;
  mbdi_engine_t with_elements;
};

// an empty model with its private part, in one block of the heap, or NULL
mbd_model_t * mbdi_model_alloc(void);

// the spanning tree of a model with embedded loops; the model itself of any other
static inline const mbd_model_t *
mbdi_spanning_tree(const mbd_model_t * model)
{
  return model->tree ? model->tree : model;
}

// the model that links and joints were added to
static inline const mbd_model_t *
mbdi_built_model(const mbd_model_t * model)
{
  return model->flexible ? model->flexible->rigid : mbdi_spanning_tree(model);
}

// the workspace of the spanning tree
static inline mbd_data_t *
mbdi_spanning_data(mbd_data_t * data)
{
  return data->tree ? data->tree : data;
}

#endif  // MODEL__ENGINE_H_
