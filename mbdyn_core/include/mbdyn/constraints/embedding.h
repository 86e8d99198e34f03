/// \file constraints/embedding.h
/// Constraint embedding: a model with loops and gears in independent velocities, exact and O(N).
///
///   mbd_embed_options_default   what may be chosen
///   mbd_model_embed             the spanning tree and its closures as one model without closures
///   mbd_model_rechoose          the same with independent velocities that suit a configuration
///   mbd_convert_velocity        a velocity of one embedding as that of another
///   mbd_set_time                time of drivers
///   mbd_integrate_in            mbd_integrate in the caller's workspace, drivers going on
///   mbd_tree_velocity           velocities of all joints: X v + x0
///   mbd_tree_acceleration       accelerations of all joints: X qdd + Xdot v
///   mbd_tree_torque             torques of independent joints among those of all joints
///   mbd_reduce_velocity         independent ones of the velocities of all joints
///   mbd_reduce_torque           X^T tau: torques of all joints as the independent ones feel them
///   mbd_embedding_matrix        X
///   mbd_embedding_rate          dX/dt
///   mbd_embedding_condition     how well the independent velocities determine the rest
///   mbd_closure_forces          forces in the cut joints
///   mbd_aggregate_count, mbd_aggregate_info    which bodies the loops hold together
///
/// In the model that mbd_model_embed makes, **q is the configuration of the spanning tree** (a
/// point at which the loops are closed, as a quaternion is one of unit length), and **v, qdd and
/// tau are of the independent degrees of freedom alone**: model->dof_tree has their numbers in the
/// tree, and body[i].nv counts them. mbd_set_position closes what is left of a small gap. Functions
/// of the core take such a model like any other, or return MBD_ERROR_UNSUPPORTED.
///
/// The bodies of a loop become one node of the tree (sko.h) whose hinge has the independent
/// velocities. No multipliers, no drift, no stabilisation. Sources: Jain, chapters 14 and 15.
#ifndef MBDYN__CONSTRAINTS__EMBEDDING_H_
#define MBDYN__CONSTRAINTS__EMBEDDING_H_

#include "mbdyn/constraints/closure.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_embed_options {
  /// A configuration of the tree from which the loops can be closed: its branch (elbow up or down)
  /// is the one that counts. NULL: the neutral one.
  const double * q;
  /// Joints whose velocities are to be independent, the most wanted first. What is not said is
  /// chosen: in a coupling the first joint follows the others, and else by conditioning at q.
  const char * const * independent;
  int nindependent;
  /// A gap that mbd_set_position closes by itself [m, rad]; larger ones are refused.
  double tolerance;
  /// mbd_model_destroy of the new model frees the tree, too.
  bool own_tree;
} mbd_embed_options_t;

/// No wishes; gaps up to 0.05, so that dependent joints need not be known well; the tree stays the
/// caller's.
MBD_PUBLIC
mbd_embed_options_t mbd_embed_options_default(void);

/// A model in independent velocities of a spanning tree with closures (none is fine).
///
/// For each closure the bodies on both ways up to the body that carries both ends are held
/// together; such groups are merged where they share a body. Each then hangs on one body, so that
/// they make a tree again Jain Lemma 14.5.
/// \param[in,out] tree     finalized; must outlive the new model; only its error_name is written
/// \param[in]     options  or NULL
/// \param[out]    model    give it to mbd_model_destroy
/// \return MBD_OK; MBD_ERROR_NOT_ASSEMBLED, MBD_ERROR_LOCKED (nothing is left to move, though
///   drivers do not say so; or singular wherever it was looked at), MBD_ERROR_BAD_CLOSURE
///   (tree->error_name has the closure); MBD_ERROR_NOT_FOUND (a wish is no joint of the tree),
///   MBD_ERROR_UNSUPPORTED (it is embedded already), MBD_ERROR_NOT_FINALIZED, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe per tree | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_embed(
  mbd_model_t * tree, const mbd_embed_options_t * options, mbd_model_t ** model);

/// A new model of the same tree whose independent velocities suit q: what to do where
/// mbd_embedding_condition is large. The old model stays as it is, and so does the meaning of its
/// v; mbd_convert_velocity takes velocities over. The tree stays with the old model.
/// \param[in] model  an embedded model
/// \param[in] q      where the loops are closed, model->nq
/// \return as mbd_model_embed, and MBD_ERROR_BAD_ARGUMENT (a model that is not embedded)
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_rechoose(const mbd_model_t * model, const double * q, mbd_model_t ** better);

/// v of `from`, in the state that data has, as a velocity of `to`, an embedding of the same tree.
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

/// Time of drivers [s]; 0 in a new workspace. Where a driver depends on time, all stages become stale:
/// mbd_set_position is next.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_BAD_ARGUMENT
///   (a model that is not embedded), MBD_ERROR_NOT_FINITE
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_time(const mbd_model_t * model, mbd_data_t * data, double t);

/// q moved along v for dt with the loops closed, as mbd_integrate does, which borrows a workspace
/// of the model: this takes the caller's. The time of drivers goes from that of the workspace to dt
/// later; mbd_integrate returns MBD_ERROR_UNSUPPORTED for a model whose drivers depend on time.
/// \param[in,out] data   position stage and time are those of q_out on return
/// \param[in]     q      model->nq
/// \param[in]     v      model->nv
/// \param[in]     dt     [s]
/// \param[out]    q_out  model->nq; may alias q
/// \return as mbd_set_position
///
/// Complexity O(N), a few times | Allocates no | Thread-safe per data | Real-time safe yes
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

/// Torques of the independent joints among those of all joints; the others get none.
/// \param[in]  tau       model->nv
/// \param[out] tau_tree  model->tree->nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (a model that is not embedded)
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_tree_torque(const mbd_model_t * model, const double * tau, double * tau_tree);

/// The independent ones of the velocities of all joints.
/// \return as mbd_tree_torque
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_reduce_velocity(const mbd_model_t * model, const double * v_tree, double * v);

/// X^T tau_tree: motors may be at any joint of a loop. Needs the position stage.
/// \param[in]  tau_tree  model->tree->nv
/// \param[out] tau       model->nv
/// \return as mbd_tree_velocity
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_reduce_torque(
  const mbd_model_t * model, mbd_data_t * data, const double * tau_tree, double * tau);

/// X, the whole of it. Needs the position stage.
/// \param[out] X  row-major model->tree->nv x model->nv
/// \return as mbd_tree_velocity
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_embedding_matrix(const mbd_model_t * model, mbd_data_t * data, double * X);

/// dX/dt, exact: what accelerations, the Coriolis matrix and Jdot are made of. Needs the velocity
/// stage.
/// \param[out] dX  row-major model->tree->nv x model->nv
/// \return as mbd_tree_velocity
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_embedding_rate(const mbd_model_t * model, mbd_data_t * data, double * dX);

/// How much more some dependent joints move than others at this configuration: largest pivot over
/// smallest, of the loop where that is worst. Large (above 1e4, say): the independent velocities
/// are about to lose hold of the loop, and mbd_model_rechoose would find better ones, unless the
/// loop itself is in a singular configuration. Needs the position stage.
/// \param[out] condition  1 where there is no loop
/// \param[out] aggregate  the worst one, or NULL; -1 where there is none
/// \return as mbd_tree_velocity
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_embedding_condition(
  const mbd_model_t * model, mbd_data_t * data, double * condition, int * aggregate);

/// Forces in the cut joints, as multipliers of the rows of the closures: G^T lambda is what is
/// missing in M qdd + h = tau of the tree. Where rows say the same twice, the smallest ones.
/// Needs the velocity stage.
/// \param[in]  qdd       independent accelerations, model->nv: those of mbd_forward_dynamics
/// \param[in]  tau_tree  torques of all joints of the tree, model->tree->nv, or NULL: none
/// \param[in]  f_ext     wrenches on frames, or NULL
/// \param[out] lambda    model->nrow: [N] along and [N m] about the axes of the closure's frame A;
///   what acts on the body of B, and its opposite on the body of A
/// \return as mbd_tree_velocity
///
/// Complexity O(N), cubic in the rows of a loop | Allocates no | Thread-safe per data |
/// Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_forces(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, const double * tau_tree,
  const mbd_wrenches_t * f_ext, double * lambda);

/// Bodies that closures hold together.
typedef struct mbd_aggregate {
  int nbody, nclosure;
  const int * body;     ///< [nbody]
  const int * closure;  ///< [nclosure]
  int parent;           ///< body that carries them, or MBD_WORLD_BODY
  int ndof;             ///< degrees of freedom of their joints
  int nindependent;     ///< of these, independent ones
  const int * dof;      ///< in the tree [ndof]
  bool constant;        ///< couplings alone: X does not depend on q
} mbd_aggregate_t;

/// Groups of bodies that closures hold together; 0 for a model that is not embedded.
MBD_PUBLIC
int mbd_aggregate_count(const mbd_model_t * model);

/// \param[in] k  0 to mbd_aggregate_count - 1
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_aggregate_info(const mbd_model_t * model, int k, mbd_aggregate_t * info);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CONSTRAINTS__EMBEDDING_H_
