/// \file constraints/embedding.h
/// Constraint embedding: exact O(N) dynamics of loops and gears in minimal (independent) velocities.
///
///   mbd_embed_options_default   default options
///   mbd_model_embed             embed the closures of a spanning tree: a model without closures
///   mbd_model_rechoose          embedding with independent velocities suited to a configuration
///   mbd_convert_velocity        convert a velocity from one embedding to another
///   mbd_set_time                set the time of drivers
///   mbd_integrate_in            mbd_integrate in the caller's workspace, with drivers
///   mbd_tree_velocity           velocities of all joints: X v + x0
///   mbd_tree_acceleration       accelerations of all joints: X qdd + Xdot v
///   mbd_tree_torque             torques of all joints from those of the independent joints
///   mbd_reduce_velocity         independent velocities from the velocities of all joints
///   mbd_reduce_torque           X^T tau: torques of all joints reduced to the independent joints
///   mbd_embedding_matrix        X
///   mbd_embedding_rate          dX/dt
///   mbd_embedding_condition     conditioning of the independent velocities
///   mbd_closure_forces          forces in the cut joints
///   mbd_aggregate_count, mbd_aggregate_info    groups of bodies in loops
///
/// In an embedded model, **q is the configuration of the spanning tree** with closed loops, and **v, qdd
/// and tau contain only the independent degrees of freedom**: model->dof_tree has their indices in the
/// tree, and body[i].nv counts them. mbd_set_position closes small remaining gaps. Functions of the core
/// accept such a model like any other, or return MBD_ERROR_UNSUPPORTED.
///
/// The bodies of a loop become one node of the tree (sko.h) whose hinge has the independent velocities:
/// no multipliers, no constraint drift, no stabilisation. Source: Jain, chapters 14 and 15.
#ifndef MBDYN__CONSTRAINTS__EMBEDDING_H_
#define MBDYN__CONSTRAINTS__EMBEDDING_H_

#include "mbdyn/constraints/closure.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_embed_options {
  /// Configuration of the tree from which the loops are closed; it selects the assembly branch (elbow up
  /// or down). NULL: neutral configuration.
  const double * q;
  /// Independent joints, in order of preference. The remaining ones are chosen: in a coupling the first
  /// joint is dependent, otherwise by conditioning at q.
  const char * const * independent;
  int nindependent;
  /// Largest gap that mbd_set_position closes [m, rad]; larger ones are an error.
  double tolerance;
  /// mbd_model_destroy of the new model also frees the tree.
  bool own_tree;
} mbd_embed_options_t;

/// Default options: no preferred joints; gaps up to 0.05, so that approximate positions of dependent joints
/// are accepted; the caller owns the tree.
MBD_PUBLIC
mbd_embed_options_t mbd_embed_options_default(void);

/// Create an embedded model of a spanning tree with any number of closures.
///
/// For each closure, the bodies on the paths from both ends up to their common ancestor form a group;
/// groups that share a body are merged. Each group then has one parent body, so that the groups form a
/// tree again, Jain Lemma 14.5.
/// \param[in,out] tree     finalized; must outlive the new model; only its error_name is written
/// \param[in]     options  or NULL
/// \param[out]    model    free with mbd_model_destroy
/// \return MBD_OK; MBD_ERROR_NOT_ASSEMBLED, MBD_ERROR_LOCKED (no mobility without drivers that
///   prescribe it, or singular at all examined configurations), MBD_ERROR_BAD_CLOSURE
///   (tree->error_name is the closure); MBD_ERROR_NOT_FOUND (unknown independent joint),
///   MBD_ERROR_UNSUPPORTED (already embedded), MBD_ERROR_NOT_FINALIZED, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe per tree | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_embed(
  mbd_model_t * tree, const mbd_embed_options_t * options, mbd_model_t ** model);

/// New embedding of the same tree with independent velocities that are well conditioned at q, for use
/// where mbd_embedding_condition is large. The old model and its v are unchanged; mbd_convert_velocity
/// converts velocities. Ownership of the tree stays with the old model.
/// \param[in] model  an embedded model
/// \param[in] q      configuration with closed loops, model->nq
/// \return as mbd_model_embed, and MBD_ERROR_BAD_ARGUMENT (a model that is not embedded)
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_rechoose(const mbd_model_t * model, const double * q, mbd_model_t ** better);

/// Convert a velocity of `from`, at the state of data, to `to`, an embedding of the same tree.
/// \param[in]  data  of from; needs the position stage
/// \param[in]  v     from->nv
/// \param[out] v_to  to->nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_convert_velocity(
  const mbd_model_t * from, mbd_data_t * data, const double * v, const mbd_model_t * to,
  double * v_to);

/// Set the time of drivers and of the callbacks of force elements [s]; 0 in a new workspace. With
/// time-dependent drivers this invalidates all stages, and mbd_set_position must follow.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_BAD_ARGUMENT
///   (a model that is neither embedded nor has force elements), MBD_ERROR_NOT_FINITE
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_time(const mbd_model_t * model, mbd_data_t * data, double t);

/// Integrate q along v for dt with closed loops, like mbd_integrate, but in the caller's workspace. The
/// time of drivers advances by dt; mbd_integrate returns MBD_ERROR_UNSUPPORTED for a model with
/// time-dependent drivers.
/// \param[in,out] data   on return, position stage and time are those of q_out
/// \param[in]     q      model->nq
/// \param[in]     v      model->nv
/// \param[in]     dt     [s]
/// \param[out]    q_out  model->nq; may alias q
/// \return as mbd_set_position
///
/// Complexity O(N) per Newton iteration | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_integrate_in(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v, double dt,
  double * q_out);

/// Velocities of all joints of the tree: X v + x0(t), x0 from drivers. Needs the position stage.
/// \param[in]  v       model->nv, or NULL: those of the velocity stage
/// \param[out] v_tree  model->tree->nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT (a model that is not embedded), MBD_ERROR_NOT_FINITE
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_tree_velocity(
  const mbd_model_t * model, mbd_data_t * data, const double * v, double * v_tree);

/// Accelerations of all joints of the tree: X qdd + Xdot v + dx0/dt. Needs the velocity stage.
/// \param[in]  qdd       model->nv, or NULL: zero
/// \param[out] qdd_tree  model->tree->nv
/// \return as mbd_tree_velocity
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_tree_acceleration(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, double * qdd_tree);

/// Torques of all joints from those of the independent joints; the others are zero.
/// \param[in]  tau       model->nv
/// \param[out] tau_tree  model->tree->nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (a model that is not embedded)
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_tree_torque(const mbd_model_t * model, const double * tau, double * tau_tree);

/// Independent velocities from the velocities of all joints.
/// \return as mbd_tree_torque
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_reduce_velocity(const mbd_model_t * model, const double * v_tree, double * v);

/// Reduce torques of all joints to the independent joints, X^T tau_tree: any joint of a loop can be
/// actuated. Needs the position stage.
/// \param[in]  tau_tree  model->tree->nv
/// \param[out] tau       model->nv
/// \return as mbd_tree_velocity
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_reduce_torque(
  const mbd_model_t * model, mbd_data_t * data, const double * tau_tree, double * tau);

/// The matrix X: velocities of all joints are X v. Needs the position stage.
/// \param[out] X  row-major model->tree->nv x model->nv
/// \return as mbd_tree_velocity
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_embedding_matrix(const mbd_model_t * model, mbd_data_t * data, double * X);

/// Exact time derivative dX/dt. Needs the velocity stage.
/// \param[out] dX  row-major model->tree->nv x model->nv
/// \return as mbd_tree_velocity
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_embedding_rate(const mbd_model_t * model, mbd_data_t * data, double * dX);

/// Conditioning of the independent velocities: ratio of largest to smallest pivot, of the worst loop. If
/// it is large (above about 1e4), the independent velocities barely determine the loop, and
/// mbd_model_rechoose finds better ones, unless the loop itself is singular. Needs the position stage.
/// \param[out] condition  1 if there is no loop
/// \param[out] aggregate  the worst group, or NULL; -1 if there is none
/// \return as mbd_tree_velocity
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_embedding_condition(
  const mbd_model_t * model, mbd_data_t * data, double * condition, int * aggregate);

/// Forces in the cut joints as multipliers of the closure rows: M qdd + h = tau + G^T lambda in the tree.
/// For redundant rows they have minimum norm. Needs the velocity stage.
/// \param[in]  qdd       independent accelerations, model->nv: those of mbd_forward_dynamics
/// \param[in]  tau_tree  torques of all joints of the tree, model->tree->nv, or NULL: none
/// \param[in]  f_ext     wrenches on frames, or NULL
/// \param[out] lambda    model->nrow: [N] along and [N m] about the axes of the closure's frame A;
///   they act on the body of B, and their opposite on the body of A
/// \return as mbd_tree_velocity
///
/// Complexity O(N), cubic in the rows of a loop | Allocates no | Thread-safe per data |
/// Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_forces(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, const double * tau_tree,
  const mbd_wrenches_t * f_ext, double * lambda);

/// A group of bodies connected by closures.
typedef struct mbd_aggregate {
  int nbody, nclosure;
  const int * body;     ///< [nbody]
  const int * closure;  ///< [nclosure]
  int parent;           ///< parent body of the group, or MBD_WORLD_BODY
  int ndof;             ///< degrees of freedom of their joints
  int nindependent;     ///< number of independent ones
  const int * dof;      ///< indices in the tree [ndof]
  bool constant;        ///< only couplings: X does not depend on q
} mbd_aggregate_t;

/// Number of groups of bodies connected by closures; 0 for a model that is not embedded.
MBD_PUBLIC
int mbd_aggregate_count(const mbd_model_t * model);

/// Information about one group.
/// \param[in] k  0 to mbd_aggregate_count - 1
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_aggregate_info(const mbd_model_t * model, int k, mbd_aggregate_t * info);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CONSTRAINTS__EMBEDDING_H_
