// What flexible*.c share: how bodies and nodes of flexible links hang on each other, and the workspace.
#ifndef FLEXIBLE_INTERNAL_H_
#define FLEXIBLE_INTERNAL_H_

#include "mbdyn/constraints/closure.h"
#include "mbdyn/flexible/flexible_links.h"
#include "model/engine.h"
#include "state/state.h"
#include "tree/sweeps.h"

enum { MBDI_MODES_MAX = 100 };  // of one flexible link

// A body of a joint, the link frame of a flexible link, or one of its nodes: everything that has a
// placement, a velocity and an inertia of its own. Nodes of a link share its modes.
typedef struct mbdi_carrier {
  int body;           // its place in model->body and in the arrays of a workspace
  int up;             // place of what it hangs on, or -1: the world
  int part;           // flexible link, or -1: body of a joint
  int node;           // of a flexible link, or -1: its link frame
  mbd_placement_t X;  // at rest in what it hangs on; of a body: the rigid parent's body frame
  int dof, n;         // velocities that move it there: first of them, and how many
} mbdi_carrier_t;

// a node of the SKO engine: the body of a joint (n = 6), or a flexible link (n = 6 and its modes)
typedef struct mbdi_flexible_unit {
  int body;  // of a joint, or -1
  int part;  // flexible link, or -1
  int up;    // place of the carrier that it hangs on, or -1
} mbdi_flexible_unit_t;

struct mbdi_flexible_layout {
  int nunit, ncarrier;
  mbdi_flexible_unit_t * unit;  // parents first                                    [nunit]
  mbd_sko_shape_t * shape;      //                                                  [nunit]
  mbdi_carrier_t * carrier;     // in the order of the units; nodes after their link frame
  int * carrier_of;             // of each body or node
  int * link_frame;             // place of each link's frame; its nodes follow     [npart]
  size_t ncolumn;               // columns of all carriers, and of the hinges of flexible links
  mbd_body_t * body;            // what model->body points to
  mbd_frame_t * frame;
  int * dof_body;
  mbd_closure_t * closure;
};

struct mbdi_flexible_data {
  mbd_motion_t ** column;   // velocity by one unit of each of its velocities, own axes    [bodies]
  mbd_motion_t ** rate;     // d/dt of these in the world, own axes                        [bodies]
  mbd_placement_t * hinge;  // of each flexible link, as its shapes move it                [npart]
  mbd_sko_t * sko;
  bool blocks;        // of sko: they are those of the position and the inertias
  double *x, *y, *v;  // scratch                                                     [nv]
  double * q;         //                                                             [nq]
  double *M, *K;      // of frequencies and deflections               [nv x nv], [2 nv x nv]
};

extern const mbdi_engine_t mbdi_flexible_engine;

void mbdi_flexible_destroy(mbd_model_t * model);

//---------- modal bodies ----------

mbd_status_t mbdi_modal_body_copy(const mbd_modal_body_t * from, mbd_modal_body_t ** body);

// modal mass of the nodes at rest; with the link frame on the hinge, or as the shapes are
void mbdi_modal_node_mass(const mbd_modal_body_t * body, bool from_hinge, double * mass);

// Nodes of a flexible link in its link frame, and their columns; those of the hinge are seen from the
// link frame at rest. X and column begin with the link frame.
void mbdi_flexible_place_nodes(
  const mbd_modal_body_t * body, const double * eta, mbd_placement_t * hinge, mbd_placement_t * X,
  mbd_motion_t * const * column);

// d/dt of the numbers of the columns
void mbdi_flexible_move_nodes(
  const mbd_modal_body_t * body, const double * eta, const double * etadot,
  const mbd_placement_t * hinge, const mbd_placement_t * X, mbd_motion_t * const * column,
  mbd_motion_t * const * rate);

//---------- sweeps: flexible_state.c ----------

// position or velocity stage
mbd_status_t mbdi_flexible_set_position(
  const mbd_model_t * model, mbd_data_t * data, const double * q);
mbd_status_t mbdi_flexible_set_velocity(
  const mbd_model_t * model, mbd_data_t * data, const double * v);

// q and v of a call, or the stages as they are
mbd_status_t mbdi_flexible_take_state(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v);

// accelerations of all carriers by those of joints and modes (NULL: zero) and of the world
void mbdi_flexible_accelerate(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd, mbd_vec3_t base,
  mbd_motion_t * A);

// J x of all carriers, and dJ/dt x (in the world, own axes) unless it is NULL
void mbdi_flexible_motions(
  const mbd_model_t * model, const mbd_data_t * data, const double * x, mbd_motion_t * W,
  mbd_motion_t * dW);

// tau = J^T F; F is left with the sums over all that each carries
void mbdi_flexible_gather_forces(
  const mbd_model_t * model, const mbd_data_t * data, mbd_force_t * F, double * tau);

size_t mbdi_flexible_lay_out(const mbd_model_t * model, char * base, mbd_data_t * data);
mbd_status_t mbdi_flexible_init(const mbd_model_t * model, mbd_data_t * data);
void mbdi_flexible_set_terms(mbd_data_t * data, uint32_t terms);
void mbdi_flexible_inertia_changed(mbd_data_t * data);
void mbdi_flexible_bias_stage(const mbd_model_t * model, mbd_data_t * data);

//---------- dynamics: flexible_dynamics.c ----------

// the SKO engine with the blocks of the position
mbd_sko_t * mbdi_flexible_sko(const mbd_model_t * model, mbd_data_t * data);

// y += s (stiffness eta + damping etadot) in the rows of the modes; etadot may be NULL
void mbdi_flexible_add_springs(
  const mbd_model_t * model, const double * q, const double * v, double s, double * y);

// torques of the weight alone, without springs, in y; data->F is scratch
void mbdi_flexible_weight(const mbd_model_t * model, mbd_data_t * data, double * y);

mbd_status_t mbdi_flexible_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau);
mbd_status_t mbdi_flexible_bias(const mbd_model_t * model, mbd_data_t * data, double * h);
mbd_status_t mbdi_flexible_gravity(const mbd_model_t * model, mbd_data_t * data, double * g);
mbd_status_t mbdi_flexible_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd);
mbd_status_t mbdi_flexible_set_acceleration(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd);
mbd_status_t mbdi_flexible_articulated_inertia(const mbd_model_t * model, mbd_data_t * data);
mbd_status_t mbdi_flexible_mass_matrix(
  const mbd_model_t * model, mbd_data_t * data, const double * q, double * M);
mbd_status_t mbdi_flexible_mass_matrix_inverse(
  const mbd_model_t * model, mbd_data_t * data, double * M_inv);
mbd_status_t mbdi_flexible_mass_product(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y);
mbd_status_t mbdi_flexible_mass_sqrt(
  const mbd_model_t * model, mbd_data_t * data, mbd_sqrt_op_t op, const double * x, double * y);
mbd_status_t mbdi_flexible_mass_factors(
  const mbd_model_t * model, mbd_data_t * data, double * F, double * D);
mbd_status_t mbdi_flexible_mass_log_determinant(
  const mbd_model_t * model, mbd_data_t * data, double * log_det);
mbd_status_t mbdi_flexible_mass_trace(const mbd_model_t * model, mbd_data_t * data, double * trace);
void mbdi_flexible_solve(const mbd_model_t * model, mbd_data_t * data, double * x);

//---------- energy, momentum, Coriolis matrix: flexible_momentum.c ----------

mbd_status_t mbdi_flexible_kinetic_energy(
  const mbd_model_t * model, mbd_data_t * data, double * energy);
mbd_status_t mbdi_flexible_potential_energy(
  const mbd_model_t * model, mbd_data_t * data, double * energy);
mbd_status_t mbdi_flexible_momentum(const mbd_model_t * model, mbd_data_t * data, double * p);
mbd_status_t mbdi_flexible_momentum_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * pdot);
mbd_status_t mbdi_flexible_energy_rates(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  mbd_energy_rates_t * rates);
mbd_status_t mbdi_flexible_centroidal_matrix(
  const mbd_model_t * model, mbd_data_t * data, double * A);
mbd_status_t mbdi_flexible_com_jacobian(const mbd_model_t * model, mbd_data_t * data, double * J);
mbd_status_t mbdi_flexible_coriolis_matrix(
  const mbd_model_t * model, mbd_data_t * data, double * C);
mbd_status_t mbdi_flexible_coriolis_transpose_product(
  const mbd_model_t * model, mbd_data_t * data, double * y);
mbd_status_t mbdi_flexible_momentum_gradient(
  const mbd_model_t * model, mbd_data_t * data, double * MD);
mbd_status_t mbdi_flexible_kinetic_energy_gradient(
  const mbd_model_t * model, mbd_data_t * data, double * gradient);
mbd_status_t mbdi_flexible_christoffel(
  const mbd_model_t * model, mbd_data_t * data, int k, double * G);
mbd_status_t mbdi_flexible_christoffel_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * G);
mbd_status_t mbdi_flexible_mass_matrix_derivative(
  const mbd_model_t * model, mbd_data_t * data, int j, double * work, double * dM);
mbd_status_t mbdi_flexible_mass_matrix_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * dM);

//---------- frames: flexible_frames.c ----------

void mbdi_flexible_body_jacobian(
  const mbd_model_t * model, const mbd_data_t * data, int body, const mbd_placement_t * at,
  double * J);
mbd_status_t mbdi_flexible_jacobian(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * J);
mbd_status_t mbdi_flexible_jacobian_product(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  const double * x, mbd_motion_t * V);
mbd_status_t mbdi_flexible_jacobian_rate(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * J_rate);
mbd_status_t mbdi_flexible_compliance(const mbd_model_t * model, mbd_data_t * data);
mbd_status_t mbdi_flexible_compliance_between(
  const mbd_model_t * model, mbd_data_t * data, int frame_i, mbd_reference_t reference_i,
  int frame_j, mbd_reference_t reference_j, double * omega);
mbd_status_t mbdi_flexible_frame_compliance(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * C,
  double * length);
mbd_status_t mbdi_flexible_task_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double * J);

//---------- derivatives: flexible_derivatives.c ----------

size_t mbdi_flexible_derivatives_work(const mbd_model_t * model);
mbd_status_t mbdi_flexible_inverse_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * work, double * dtau_dq,
  double * dtau_dv, double * M);
mbd_status_t mbdi_flexible_forward_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * dqdd_dq,
  double * dqdd_dv, double * M_inv);
mbd_status_t mbdi_flexible_linearize(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * A,
  double * B);

#endif  // FLEXIBLE_INTERNAL_H_
