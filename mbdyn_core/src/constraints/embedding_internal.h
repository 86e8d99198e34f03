// Embedded models: groups of bodies as nodes, and what a workspace has for them.
#ifndef EMBEDDING_INTERNAL_H_
#define EMBEDDING_INTERNAL_H_

#include <stdatomic.h>

#include "constraints/planar_loop.h"
#include "constraints/projection.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/operators/sko.h"
#include "sko/sko_engine.h"
#include "state/state.h"

// a node of the engine: one body, or the bodies that closures hold together
typedef struct mbdi_group {
  int nbody, *body;        // ascending
  int * inside;            // place of the body's parent in body[], or -1: it is the group's parent
  int parent;              // body that carries them all, or MBD_WORLD_BODY
  int ndof, *dof;          // of the tree, ascending
  int nind, *ind;          // places of the independent ones in dof[], ascending
  int ndep, *dep;          // and of the others
  int * v;                 // numbers of the independent ones in v         [nind]
  int number;              // first of its numbers in X of all groups: ndep x nind
  int nclosure, *closure;  // of the tree
  int nrow, nposition;     // rows of them; those of positions
  bool constant;           // couplings alone: X does not depend on q
  mbdi_planar_t * planar;  // rows in two dimensions, or NULL
} mbdi_group_t;

// workspaces for functions that are given none: mbd_integrate and its family
enum { MBD_POOL = 4 };

struct mbdi_embedding {
  int ngroup;
  mbdi_group_t * group;          // by their first bodies
  int * group_of;                // group of each body of the tree              [nbody]
  int * slot_of;                 // its place there                             [nbody]
  int * column;                  // place of each of the tree's dofs in dof[]   [tree->nv]
  int naggregate;                // groups with closures
  int * aggregate;               // which they are
  int nplanar;                   // bodies of those that are planar
  bool others;                   // there are groups with closures that are not
  bool spatial;                  // of which some need placements in space
  bool driven;                   // closures have drivers
  mbdi_projection_t projection;  // X of all groups, its numbers in those of a workspace
  int nprojection;               // how many these are
  const mbdi_projection_kernels_t * kernels;
  mbd_sko_shape_t * shape;
  mbd_body_t * body;
  int *dof_body, *dof_tree;
  double * q_rest;  // assembled                                       [nq]
  double tolerance;
  bool own_tree;
  mbd_data_t * pool[MBD_POOL];
  atomic_flag taken[MBD_POOL];
};

// a group's rows at the present configuration
typedef struct mbdi_loop {
  double * Y;                  // nrow x ndof: rows as velocities see them             (15.24)
  double * LU;                 // the same, eliminated; of planar ones with one pin, see `factored`
  bool factored;               // LU is of this position
  double inverse[4];           // of the dependent columns of such a pin
  mbdi_planar_place_t * flat;  // placements of a planar loop's bodies
  mbdi_planar_pin_place_t * pin;  // and of its pins
  int *row, *col;                 // pivots: row[k] of LU and col[k], a place in dof[]
  double * X;                     // ndof x nind                                         (15.25)
  double * dX;                    // dX/dt                                               (15.26)
  mbd_placement_t * places;       // bodies in the group's parent, of several
} mbdi_loop_t;

struct mbdi_embedded {
  double time;
  struct mbdi_closure_form * form;  // of each closure at this position     [tree->nclosure]
  bool placed;                      // placements of the tree are of this position
  bool blocks;                      // A, H, M and J of the engine are of this state
  bool constants;                   // X of constant groups is there
  bool rates;                       // dX/dt is of this velocity
  mbd_sko_t * sko;
  mbdi_loop_t * loop;  // [ngroup]
  double condition;
  int worst;                      // aggregate with that condition, or -1
  double *v_tree, *xd;            // velocities of all joints; Xdot v      [tree->nv]
  double * qdd_tree;              // accelerations of a deferred stage     [tree->nv]
  double *x_tree, *y_tree;        // scratch                               [tree->nv]
  mbdi_projection_t projection;   // X of this position
  double *M, *M_r;                // scratch: M of the tree, X^T M X; NULL of large models
  double * D_inv;                 // scratch: of the factors of the latter
  double *angle, *sine, *cosine;  // of all planar loops: q of their bodies            [nplanar]
  double *dh_sine, *dh_cosine;    // of the tree's DH angles, if
  bool angles;                    // these are of this position
  mbdi_planar_motion_t * motion;  // scratch: of one of them
  double *q_tree, *q_step;        // scratch                               [tree->nq]
  double *unit_i, *unit_j;        // scratch: six forces on a node
  double *wide, *narrow;          // scratch                               [6 tree->nv], [6 nv]
  double * rows;                  // scratch: rows of one group, four times
  double * gram;                  // scratch: square of its dependent ones
  double * dY;                    // scratch: rates of its rows
  mbd_motion_t * columns;         // scratch: hinge columns of a group's bodies
};

//---------- elimination: eliminate.c ----------

// Gauss elimination of A (nrow x ncol, in place) with complete pivoting over all rows and the
// columns col[0..ncand); col lists all columns. On return row[k], col[k] are pivot k for k < the
// rank, which is returned. Pivots at most tolerance times the largest count as none. *least is the
// smallest pivot over the largest, 1 where there is none.
int mbdi_eliminate(
  int nrow, int ncol, double * A, int ncand, int * col, int * row, double tolerance,
  double * least);

// x[col[k]] of the pivots, with A x = b and the other columns' x zero (not written); b is
// overwritten. Returns the largest of what rows without a pivot are left with.
double mbdi_eliminated_solve(
  int nrow, int ncol, const double * A, int rank, const int * col, const int * row, double * b,
  double * x);

extern const mbdi_engine_t mbdi_embedding_engine;  // embedding_engine.c

//---------- model: embedding.c ----------

void mbdi_embedding_destroy(mbd_model_t * model);

// groups of bodies that the closures of a tree hold together: all fields of e down to `aggregate`
mbd_status_t mbdi_groups_create(mbd_model_t * tree, struct mbdi_embedding * e);
void mbdi_groups_free(struct mbdi_embedding * e);

// no closure holds the body and others together
mbdi_is_free_base_fn mbdi_embedded_is_free_base;

mbdi_lay_out_fn mbdi_embedded_lay_out;
mbdi_stage_fn mbdi_embedded_init;

//---------- position: embedding_position.c ----------

mbdi_input_fn mbdi_embedded_set_position;
// the same with placements deferred unless closures need them
mbdi_input_fn mbdi_embedded_load_position;
// the same two with gaps up to `tolerance` closed
mbd_status_t mbdi_embedded_set_position_from(
  const mbd_model_t * model, mbd_data_t * data, const double * q, double tolerance);
mbd_status_t mbdi_embedded_load_position_from(
  const mbd_model_t * model, mbd_data_t * data, const double * q, double tolerance);

// placements of all bodies, if they are not of this position yet
void mbdi_embedded_place(const mbd_model_t * model, mbd_data_t * data);

// LU of a group's rows at the present position, where that is not there yet
void mbdi_loop_factor(const mbdi_group_t * group, mbdi_loop_t * loop);

// a planar loop with two rows, whose dependent columns have an inverse
static inline bool
has_one_pin(const mbdi_group_t * group)
{
  return group->planar && group->planar->npin == 1;
}

// x_tree[dependent ones] += sign Y1^-1 r of one pin
void mbdi_add_pin(
  const mbdi_group_t * group, const mbdi_loop_t * loop, double sign, const double * r, double * x);

// numbers of the pins' rows among all rows of the group, the others zero
void mbdi_put_pins(const mbdi_group_t * group, const double * from, double * rows);

// rows of a group at the tree's configuration, in loop->Y
void mbdi_loop_rows(
  const mbd_model_t * tree, const mbd_data_t * on, const struct mbdi_embedding * e,
  const mbdi_group_t * group, double * Y);

//---------- state: embedding_state.c ----------

// an embedded model and a workspace of it
mbd_status_t mbdi_embedded_arguments(const mbd_model_t * model, const mbd_data_t * data);
// the same, with deferred stages completed
mbd_status_t mbdi_embedded_check(const mbd_model_t * model, mbd_data_t * data);
mbdi_stage_fn mbdi_embedded_complete_stages;

mbdi_input_fn mbdi_embedded_set_velocity, mbdi_embedded_set_acceleration;
// velocities of all joints, drivers included
mbd_status_t mbdi_embedded_tree_velocity(
  const mbd_model_t * model, mbd_data_t * data, const double * v, double * v_tree);
// the same of the state, and Xdot v; stages of velocity are deferred
mbdi_input_fn mbdi_embedded_load_velocity;

// x_tree = X x; y = X^T y_tree; both may not alias
void mbdi_embedded_expand(
  const mbd_model_t * model, const mbd_data_t * data, const double * x, double * x_tree);
mbdi_reduce_fn mbdi_embedded_reduce;

// out (rows x nv) = T (rows x tree->nv) X
void mbdi_embedded_reduce_columns(
  const mbd_model_t * model, const mbd_data_t * data, int rows, const double * T, double * out);

// stages of the workspace are those of the tree's
void mbdi_embedded_sync(mbd_data_t * data);

//---------- dynamics: embedding_dynamics.c ----------

mbdi_dynamics_fn mbdi_embedded_inverse_dynamics, mbdi_embedded_forward_dynamics;
mbdi_output_fn mbdi_embedded_bias, mbdi_embedded_gravity, mbdi_embedded_momentum;
mbdi_momentum_rate_fn mbdi_embedded_momentum_rate;
mbdi_product_fn mbdi_embedded_mass_product;
mbdi_compliance_between_fn mbdi_embedded_compliance_between;
mbdi_stage_fn mbdi_embedded_articulated_inertia;

mbdi_sko_fn mbdi_embedded_sko;

// motions of the bodies in data->work->W
mbdi_solve_fn mbdi_embedded_solve;

//---------- small models: embedding_projected.c ----------

// qdd of the loaded state, not yet a stage; the tree's velocity stage is deferred. *solved is false if
// the mass matrix is too ill-conditioned.
mbd_status_t mbdi_projected_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * qdd, bool * solved);
mbdi_output_fn mbdi_projected_mass_matrix;

//---------- rates: embedding_rates.c ----------

// dX/dt of the velocity stage; x_tree = dX/dt x; y += dX/dt^T y_tree
void mbdi_embedded_expand_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * x_tree);
void mbdi_embedded_add_rate(
  const mbd_model_t * model, mbd_data_t * data, int rows, const double * T, double * out);

mbdi_coriolis_product_fn mbdi_embedded_coriolis_product, mbdi_embedded_coriolis_product_transpose;
mbdi_jacobian_fn mbdi_embedded_jacobian_rate;

//---------- derivatives: embedding_derivatives.c ----------

mbdi_work_fn mbdi_embedded_derivatives_work;
mbdi_derivatives_fn mbdi_embedded_inverse_dynamics_derivatives, mbdi_embedded_linearize;

//---------- manifold: embedding_manifold.c ----------

// an assembled, regular configuration near the guess (NULL: the neutral one)
mbd_status_t mbdi_reference_configuration(
  mbd_model_t * tree, mbd_data_t * data, const double * guess, double * q);

mbdi_is_driven_fn mbdi_embedded_driven;

mbdi_integrate_fn mbdi_embedded_integrate;
mbdi_difference_fn mbdi_embedded_difference;
mbdi_configuration_fn mbdi_embedded_normalize;
mbdi_random_fn mbdi_embedded_random_configuration;

#endif  // EMBEDDING_INTERNAL_H_
