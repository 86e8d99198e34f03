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

typedef struct mbdi_engine {
  bool rigid_tree;  // data has the stages of a rigid tree: what src/tree and src/operators need
  bool cut_loops;   // closures are not part of the dynamics: mbd_constrained_* closes them

  //---------- state ----------

  mbd_status_t (*set_position)(const mbd_model_t * model, mbd_data_t * data, const double * q);
  mbd_status_t (*set_velocity)(const mbd_model_t * model, mbd_data_t * data, const double * v);
  mbd_status_t (*set_acceleration)(
    const mbd_model_t * model, mbd_data_t * data, const double * qdd);

  //---------- inverse and forward dynamics ----------

  mbd_status_t (*inverse_dynamics)(
    const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
    const double * qdd, const mbd_wrenches_t * f_ext, double * tau);
  mbd_status_t (*bias)(const mbd_model_t * model, mbd_data_t * data, double * h);
  mbd_status_t (*gravity)(const mbd_model_t * model, mbd_data_t * data, double * g);
  mbd_status_t (*forward_dynamics)(
    const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
    const double * tau, const mbd_wrenches_t * f_ext, double * qdd);

  //---------- mass matrix, its inverse and factors ----------

  mbd_status_t (*articulated_inertia)(const mbd_model_t * model, mbd_data_t * data);
  mbd_status_t (*mass_matrix)(
    const mbd_model_t * model, mbd_data_t * data, const double * q, double * M);
  mbd_status_t (*mass_matrix_inverse)(const mbd_model_t * model, mbd_data_t * data, double * M_inv);
  mbd_status_t (*mass_product)(
    const mbd_model_t * model, mbd_data_t * data, const double * x, double * y);
  mbd_status_t (*mass_sqrt)(
    const mbd_model_t * model, mbd_data_t * data, mbd_sqrt_op_t op, const double * x, double * y);
  mbd_status_t (*mass_factors)(
    const mbd_model_t * model, mbd_data_t * data, double * F, double * D);
  mbd_status_t (*mass_log_determinant)(
    const mbd_model_t * model, mbd_data_t * data, double * log_det);
  mbd_status_t (*mass_trace)(const mbd_model_t * model, mbd_data_t * data, double * trace);

  //---------- energy and momentum ----------

  mbd_status_t (*kinetic_energy)(const mbd_model_t * model, mbd_data_t * data, double * energy);
  mbd_status_t (*potential_energy)(const mbd_model_t * model, mbd_data_t * data, double * energy);
  mbd_status_t (*momentum)(const mbd_model_t * model, mbd_data_t * data, double * p);
  /// p and its rate from one sweep, for the observer; NULL: momentum_rate and momentum
  mbd_status_t (*momentum_and_rate)(
    const mbd_model_t * model, mbd_data_t * data, const double * tau, double * p, double * pdot);
  mbd_status_t (*momentum_rate)(
    const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
    double * pdot);
  mbd_status_t (*energy_rates)(
    const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
    mbd_energy_rates_t * rates);
  mbd_status_t (*centroidal_momentum)(
    const mbd_model_t * model, mbd_data_t * data, mbd_force_t * momentum);
  mbd_status_t (*centroidal_matrix)(const mbd_model_t * model, mbd_data_t * data, double * A);
  mbd_status_t (*com_jacobian)(const mbd_model_t * model, mbd_data_t * data, double * J);

  //---------- coriolis matrix, derivatives of the mass matrix ----------

  mbd_status_t (*coriolis_matrix)(const mbd_model_t * model, mbd_data_t * data, double * C);
  mbd_status_t (*coriolis_transpose_product)(
    const mbd_model_t * model, mbd_data_t * data, double * y);
  mbd_status_t (*momentum_gradient)(const mbd_model_t * model, mbd_data_t * data, double * MD);
  mbd_status_t (*kinetic_energy_gradient)(
    const mbd_model_t * model, mbd_data_t * data, double * gradient);
  mbd_status_t (*christoffel)(const mbd_model_t * model, mbd_data_t * data, int k, double * G);
  mbd_status_t (*christoffel_tensor)(
    const mbd_model_t * model, mbd_data_t * data, double * work, double * G);
  mbd_status_t (*mass_matrix_derivative)(
    const mbd_model_t * model, mbd_data_t * data, int j, double * work, double * dM);
  mbd_status_t (*mass_matrix_tensor)(
    const mbd_model_t * model, mbd_data_t * data, double * work, double * dM);

  //---------- derivatives of the dynamics ----------

  mbd_status_t (*inverse_dynamics_derivatives)(
    const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
    const double * qdd, const mbd_wrenches_t * f_ext, double * work, double * dtau_dq,
    double * dtau_dv, double * M);
  mbd_status_t (*forward_dynamics_derivatives)(
    const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
    const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * dqdd_dq,
    double * dqdd_dv, double * M_inv);
  mbd_status_t (*linearize)(
    const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
    const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * A,
    double * B);
  mbd_status_t (*jacobian_rate)(
    const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
    double * J_rate);

  //---------- jacobians and operational-space compliance ----------

  mbd_status_t (*jacobian)(
    const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * J);
  mbd_status_t (*jacobian_product)(
    const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
    const double * x, mbd_motion_t * V);
  mbd_status_t (*jacobian_bias)(
    const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
    mbd_motion_t * bias);
  mbd_status_t (*compliance)(const mbd_model_t * model, mbd_data_t * data);
  mbd_status_t (*compliance_between)(
    const mbd_model_t * model, mbd_data_t * data, int frame_i, mbd_reference_t reference_i,
    int frame_j, mbd_reference_t reference_j, double * omega);

  //---------- inertial parameters ----------

  mbd_status_t (*parameters_get)(
    const mbd_model_t * model, mbd_data_t * data, bool drives, double * theta);
  mbd_status_t (*torque_regressor)(
    const mbd_model_t * model, mbd_data_t * data, const double * qdd, bool drives, double * Y);
  mbd_status_t (*momentum_regressor)(const mbd_model_t * model, mbd_data_t * data, double * Y);

  //---------- configuration manifold ----------

  mbd_status_t (*neutral)(const mbd_model_t * model, double * q);
  mbd_status_t (*normalize)(const mbd_model_t * model, double * q);
  mbd_status_t (*random_configuration)(const mbd_model_t * model, uint64_t seed, double * q);
  mbd_status_t (*integrate)(
    const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out);
  mbd_status_t (*difference)(
    const mbd_model_t * model, const double * q0, const double * q1, double * v);

  //---------- memory ----------

  // pointers of a workspace into the block at base, or none if base is NULL; returns its size
  size_t (*lay_out)(const mbd_model_t * model, char * base, mbd_data_t * data);
  mbd_status_t (*init)(const mbd_model_t * model, mbd_data_t * data);

  //---------- between the functions above ----------

  // q, and v and u unless they are NULL, to data->q, data->v and to_u, if all are finite; stages that
  // depend on them are deferred
  mbd_status_t (*load_state)(
    const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
    const double * u, double * to_u, uint32_t stage);
  void (*position_stage)(const mbd_model_t * model, mbd_data_t * data);
  // external wrenches of a deferred force stage; NULL: none
  mbd_wrenches_t (*deferred_wrenches)(const mbd_data_t * data);
  // accelerations of the bodies from those of the joints (NULL: zero) and of the world
  void (*accelerate)(
    const mbd_model_t * model, const mbd_data_t * data, const double * qdd, mbd_vec3_t base,
    mbd_motion_t * A);
  // data->A_bias: accelerations of the bodies at zero joint acceleration
  void (*bias_stage)(const mbd_model_t * model, mbd_data_t * data);
  // gravity, terms or inertias of the workspace have changed
  void (*set_gravity)(mbd_data_t * data, mbd_vec3_t gravity);
  void (*set_terms)(mbd_data_t * data, uint32_t terms);
  void (*inertia_changed)(mbd_data_t * data);
  // tau = S^T of the forces F on the bodies, which are summed from tips to bases          (5.38)
  void (*gather_forces)(
    const mbd_model_t * model, const mbd_data_t * data, mbd_force_t * F, double * tau);
  // the articulated stage, by kernel or by mbd_articulated_inertia, of one or more solves
  mbd_status_t (*prepare_solve)(const mbd_model_t * model, mbd_data_t * data);
  // x := M^-1 x, and the accelerations of the bodies in data->W
  void (*solve)(const mbd_model_t * model, mbd_data_t * data, double * x);
  // y = X^T y_tree: a generalised force of the spanning tree on the independent velocities
  void (*reduce)(
    const mbd_model_t * model, const mbd_data_t * data, const double * y_tree, double * y);
  // 6 x nv Jacobian of a body (or -1) at a frame of the world; NULL: columns of S on the way to the base
  void (*body_jacobian)(
    const mbd_model_t * model, const mbd_data_t * data, int body, const mbd_placement_t * at,
    double * J);
  // compliance of a frame (6 x 6), and the length of the path from the base to it
  mbd_status_t (*frame_compliance)(
    const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * C,
    double * length);
  mbd_status_t (*task_jacobian)(
    const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double * J);
  size_t (*derivatives_work)(const mbd_model_t * model);
  // no loop holds this base; NULL: there are no loops
  bool (*is_free_base)(const mbd_model_t * model, int body);
  // 1-norm of A^-1 of a definite A = W C W, and W A^-1 W; 0 at a pivot not above the floor
  double (*invert)(
    int n, double floor, const double * C, const double * w, double * work, double * inverse);
} mbdi_engine_t;

// bodies, and nodes of flexible links: entries of model->body and of the arrays of a workspace
static inline int
mbdi_body_count(const mbd_model_t * model)
{
  return model->nbody + model->nnode;
}

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
