// What flexible*.c share: how bodies and nodes of flexible links hang on each other, and the workspace.
#ifndef FLEXIBLE_INTERNAL_H_
#define FLEXIBLE_INTERNAL_H_

#include "mbdyn/constraints/closure.h"
#include "mbdyn/flexible/flexible_links.h"
#include "model/engine.h"
#include "sko/sko_engine.h"
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

mbdi_input_fn mbdi_flexible_set_position, mbdi_flexible_set_velocity;

// J x of all carriers, and dJ/dt x (in the world, own axes) unless it is NULL
void mbdi_flexible_motions(
  const mbd_model_t * model, const mbd_data_t * data, const double * x, mbd_motion_t * W,
  mbd_motion_t * dW);

mbdi_accelerate_fn mbdi_flexible_accelerate;
// F is left with the sums over all that each carries
mbdi_gather_forces_fn mbdi_flexible_gather_forces;
mbdi_lay_out_fn mbdi_flexible_lay_out;
mbdi_stage_fn mbdi_flexible_init;
mbdi_set_terms_fn mbdi_flexible_set_terms;
mbdi_inertia_changed_fn mbdi_flexible_inertia_changed;

//---------- dynamics: flexible_dynamics.c ----------

mbdi_sko_fn mbdi_flexible_sko;

// y += s (stiffness eta + damping etadot) in the rows of the modes; q or v may be NULL
void mbdi_flexible_add_springs(
  const mbd_model_t * model, const double * q, const double * v, double s, double * y);

mbdi_dynamics_fn mbdi_flexible_inverse_dynamics, mbdi_flexible_forward_dynamics;
mbdi_output_fn mbdi_flexible_bias, mbdi_flexible_gravity;
mbdi_stage_fn mbdi_flexible_articulated_inertia;
mbdi_product_fn mbdi_flexible_mass_product;
mbdi_solve_fn mbdi_flexible_solve;
mbdi_joint_force_fn mbdi_flexible_joint_force;

//---------- mixed dynamics: flexible_hybrid.c ----------

mbdi_hybrid_dynamics_fn mbdi_flexible_hybrid_dynamics;
mbdi_disturbance_fn mbdi_flexible_disturbance_jacobian;
mbdi_generalized_jacobian_fn mbdi_flexible_generalized_jacobian;

//---------- energy, momentum, Coriolis matrix: flexible_momentum.c ----------

mbdi_output_fn mbdi_flexible_kinetic_energy, mbdi_flexible_potential_energy, mbdi_flexible_momentum;
mbdi_momentum_rate_fn mbdi_flexible_momentum_rate;
mbdi_energy_rates_fn mbdi_flexible_energy_rates;
mbdi_output_fn mbdi_flexible_centroidal_matrix;
mbdi_coriolis_product_fn mbdi_flexible_coriolis_product, mbdi_flexible_coriolis_product_transpose;

//---------- frames: flexible_frames.c ----------

mbdi_body_jacobian_fn mbdi_flexible_body_jacobian;
mbdi_jacobian_fn mbdi_flexible_jacobian, mbdi_flexible_jacobian_rate;
mbdi_jacobian_product_fn mbdi_flexible_jacobian_product;
mbdi_stage_fn mbdi_flexible_compliance;
mbdi_compliance_between_fn mbdi_flexible_compliance_between;
mbdi_frame_compliance_fn mbdi_flexible_frame_compliance;

//---------- derivatives: flexible_derivatives.c ----------

mbdi_work_fn mbdi_flexible_derivatives_work;
mbdi_derivatives_fn mbdi_flexible_inverse_dynamics_derivatives;

#endif  // FLEXIBLE_INTERNAL_H_
