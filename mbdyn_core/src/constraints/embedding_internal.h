// Embedded models: groups of bodies as nodes, and what a workspace has for them.
#ifndef EMBEDDING_INTERNAL_H_
#define EMBEDDING_INTERNAL_H_

#include <stdatomic.h>

#include "mbdyn/constraints/embedding.h"
#include "mbdyn/operators/sko.h"
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
  int nclosure, *closure;  // of the tree
  int nrow, nposition;     // rows of them; those of positions
  bool constant;           // couplings alone: X does not depend on q
} mbdi_group_t;

// workspaces for functions that are given none: mbd_integrate and its family
enum { MBD_POOL = 4 };

struct mbd_embedding {
  int ngroup;
  mbdi_group_t * group;  // by their first bodies
  int * group_of;        // group of each body of the tree              [nbody]
  int * slot_of;         // its place there                             [nbody]
  int * column;          // place of each of the tree's dofs in dof[]   [tree->nv]
  int naggregate;        // groups with closures
  int * aggregate;       // which they are
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
  double * Y;                // nrow x ndof: rows as velocities see them             (15.24)
  double * LU;               // the same, eliminated
  int *row, *col;            // pivots: row[k] of LU and col[k], a place in dof[]
  double * X;                // ndof x nind                                         (15.25)
  double * dX;               // dX/dt                                               (15.26)
  mbd_placement_t * places;  // bodies in the group's parent, of several
} mbdi_loop_t;

struct mbd_embedded {
  double time;
  bool blocks;     // A, H, M and J of the engine are of this state
  bool constants;  // X of constant groups is there
  bool rates;      // dX/dt is of this velocity
  mbd_sko_t * sko;
  mbdi_loop_t * loop;  // [ngroup]
  double condition;
  int worst;                // aggregate with that condition, or -1
  double *v_tree, *xd;      // velocities of all joints; Xdot v      [tree->nv]
  double *x_tree, *y_tree;  // scratch                               [tree->nv]
  double *q_tree, *q_step;  // scratch                               [tree->nq]
  double *unit_i, *unit_j;  // scratch: six forces on a node
  double *wide, *narrow;    // scratch                               [6 tree->nv], [6 nv]
  double * rows;            // scratch: rows of one group, four times
  double * gram;            // scratch: square of its dependent ones
  double * dY;              // scratch: rates of its rows
  double * v_kept;          // velocity while others are tried       [nv]
  mbd_motion_t * columns;   // scratch: hinge columns of a group's bodies
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

// no closure holds the body and others together
bool mbdi_embedded_is_free_base(const mbd_model_t * model, int body);

size_t mbdi_embedded_lay_out(const mbd_model_t * model, char * base, mbd_data_t * d);
mbd_status_t mbdi_embedded_init(const mbd_model_t * model, mbd_data_t * data);

//---------- state: embedding_state.c ----------

// an embedded model and a workspace of it
mbd_status_t mbdi_embedded_check(const mbd_model_t * model, const mbd_data_t * data);

mbd_status_t mbdi_embedded_set_position(
  const mbd_model_t * model, mbd_data_t * data, const double * q);
// the same with gaps up to `tolerance` closed
mbd_status_t mbdi_embedded_set_position_from(
  const mbd_model_t * model, mbd_data_t * data, const double * q, double tolerance);
mbd_status_t mbdi_embedded_set_velocity(
  const mbd_model_t * model, mbd_data_t * data, const double * v);
mbd_status_t mbdi_embedded_set_acceleration(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd);

// rows of a group at the tree's configuration, in loop->Y
void mbdi_loop_rows(
  const mbd_model_t * tree, const mbd_data_t * on, const struct mbd_embedding * e,
  const mbdi_group_t * group, double * Y);

// x_tree = X x; y = X^T y_tree; both may not alias
void mbdi_embedded_expand(
  const mbd_model_t * model, const mbd_data_t * data, const double * x, double * x_tree);
void mbdi_embedded_reduce(
  const mbd_model_t * model, const mbd_data_t * data, const double * y_tree, double * y);

// out (rows x nv) = T (rows x tree->nv) X
void mbdi_embedded_reduce_columns(
  const mbd_model_t * model, const mbd_data_t * data, int rows, const double * T, double * out);

// stages of the workspace are those of the tree's
void mbdi_embedded_sync(mbd_data_t * data);

//---------- dynamics: embedding_dynamics.c ----------

mbd_status_t mbdi_embedded_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau);
mbd_status_t mbdi_embedded_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd);
mbd_status_t mbdi_embedded_bias(const mbd_model_t * model, mbd_data_t * data, double * h);
mbd_status_t mbdi_embedded_gravity(const mbd_model_t * model, mbd_data_t * data, double * g);
mbd_status_t mbdi_embedded_momentum(const mbd_model_t * model, mbd_data_t * data, double * p);
mbd_status_t mbdi_embedded_momentum_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * pdot);
mbd_status_t mbdi_embedded_mass_matrix(
  const mbd_model_t * model, mbd_data_t * data, const double * q, double * M);
mbd_status_t mbdi_embedded_mass_product(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y);
mbd_status_t mbdi_embedded_mass_matrix_inverse(
  const mbd_model_t * model, mbd_data_t * data, double * M_inv);
mbd_status_t mbdi_embedded_mass_factors(
  const mbd_model_t * model, mbd_data_t * data, double * F, double * D);
mbd_status_t mbdi_embedded_mass_trace(const mbd_model_t * model, mbd_data_t * data, double * trace);
mbd_status_t mbdi_embedded_compliance_between(
  const mbd_model_t * model, mbd_data_t * data, int frame_i, mbd_reference_t reference_i,
  int frame_j, mbd_reference_t reference_j, double * omega);
mbd_status_t mbdi_embedded_articulated_inertia(const mbd_model_t * model, mbd_data_t * data);

// the engine with the blocks of the present configuration; NULL never
mbd_sko_t * mbdi_embedded_sko(const mbd_model_t * model, mbd_data_t * data);

// x := M^-1 x; needs the articulated stage; motions of the bodies in data->W
void mbdi_embedded_solve(const mbd_model_t * model, mbd_data_t * data, double * x);

//---------- rates: embedding_rates.c ----------

// dX/dt of the velocity stage; x_tree = dX/dt x; y += dX/dt^T y_tree
void mbdi_embedded_expand_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * x_tree);
void mbdi_embedded_add_rate(
  const mbd_model_t * model, mbd_data_t * data, int rows, const double * T, double * out);

// what a workspace has before other velocities are tried: MBD_ERROR_UNSUPPORTED if drivers depend on
// time, which would add theirs; data->embedded->v_kept has the velocity
typedef struct mbdi_kept {
  uint32_t stage, tree_stage;
} mbdi_kept_t;

mbd_status_t mbdi_embedded_keep_velocity(
  const mbd_model_t * model, mbd_data_t * data, mbdi_kept_t * kept);
// the velocity stage of unit velocity j
mbd_status_t mbdi_embedded_try_velocity(const mbd_model_t * model, mbd_data_t * data, int j);
// back to what there was; returns `status`
mbd_status_t mbdi_embedded_restore_velocity(
  const mbd_model_t * model, mbd_data_t * data, const mbdi_kept_t * kept, mbd_status_t status);

mbd_status_t mbdi_embedded_coriolis_matrix(
  const mbd_model_t * model, mbd_data_t * data, double * C);
mbd_status_t mbdi_embedded_coriolis_transpose_product(
  const mbd_model_t * model, mbd_data_t * data, double * y);
mbd_status_t mbdi_embedded_momentum_gradient(
  const mbd_model_t * model, mbd_data_t * data, double * MD);
mbd_status_t mbdi_embedded_kinetic_energy_gradient(
  const mbd_model_t * model, mbd_data_t * data, double * gradient);
// C at unit velocities first to last - 1, one matrix after the other; or C + C^T
mbd_status_t mbdi_embedded_unit_matrices(
  const mbd_model_t * model, mbd_data_t * data, int first, int last, bool symmetric, double * G);
mbd_status_t mbdi_embedded_jacobian_rate(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * J_rate);

//---------- derivatives: embedding_derivatives.c ----------

size_t mbdi_embedded_derivatives_work(const mbd_model_t * model);
mbd_status_t mbdi_embedded_inverse_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * work, double * dtau_dq,
  double * dtau_dv, double * M);
mbd_status_t mbdi_embedded_forward_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * dqdd_dq,
  double * dqdd_dv, double * M_inv);
mbd_status_t mbdi_embedded_linearize(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * A,
  double * B);

//---------- manifold: embedding_manifold.c ----------

// an assembled, regular configuration near the guess (NULL: the neutral one)
mbd_status_t mbdi_reference_configuration(
  mbd_model_t * tree, mbd_data_t * data, const double * guess, double * q);

// a driver depends on time
bool mbdi_embedded_driven(const mbd_model_t * model);

mbd_status_t mbdi_embedded_integrate(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out);
mbd_status_t mbdi_embedded_difference(
  const mbd_model_t * model, const double * q0, const double * q1, double * v);
mbd_status_t mbdi_embedded_normalize(const mbd_model_t * model, double * q);
mbd_status_t mbdi_embedded_random_configuration(
  const mbd_model_t * model, uint64_t seed, double * q);

#endif  // EMBEDDING_INTERNAL_H_
