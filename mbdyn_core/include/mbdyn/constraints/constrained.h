/// \file constraints/constrained.h
/// Constrained dynamics with cut joints and multipliers, in all coordinates of the spanning tree.
///
///   mbd_constrained_options_default     time, open closures, stabilisation, tolerances
///   mbd_constrained_work                size of the work memory
///   mbd_constrained_forward_dynamics    accelerations, multipliers, joint forces      Jain Alg. 11.2
///   mbd_constrained_inverse_dynamics    torques of given actuators for a motion
///   mbd_constrained_response            accelerations caused by torques                Jain (11.11)
///   mbd_move_squeeze                    torques split into motion and internal forces Jain (11.14)
///   mbd_closing_impulse                 velocities after closures become active
///   mbd_closure_torque                  G^T lambda
///   mbd_closure_wrench                  wrench of a closure
///
/// The equations are M qdd + C = tau + G^T lambda and G qdd = gamma, Jain (11.5). The free acceleration
/// of the tree is corrected by the smallest change, in the metric of kinetic energy, that satisfies the
/// rows. The rows are transformed by the innovations factor of the mass matrix,
/// D^-1/2 (I - H psi K) G^T, with one O(N) sweep per row; their products are the compliance
/// G M^-1 G^T, Jain (11.22). The transformed rows are factorised without forming these products, which
/// avoids squaring the condition number.
///
/// **Redundant rows** (assembly.h) are dropped. Accelerations and joint torques do not depend on the
/// choice; the multipliers, which are then not unique, have minimum norm.
///
/// **Multipliers** lambda[r] of a closure between frames are forces on B's link, with opposite forces on
/// A's link, along row r: [N] for points, [N m] for angles, in axes of A. For a coupling,
/// coefficient * lambda is the torque on each joint; for nonholonomic rows, the contact force.
///
/// **Singular configurations**, where loops branch or lock (a flat parallelogram), have rows that are
/// redundant only there: the null space of G is larger than the motion of the loops. If rows are
/// redundant, their second derivatives along this null space are compared, and MBD_ERROR_LOCKED is
/// returned if they are inconsistent. Setting options.rank to the regular rank of G avoids this check;
/// -1 accepts any rank.
///
/// **Mimic joints** are always constraint rows here, independent of mbd_model_set_mimic_independent.
///
/// The tree must have inertia along every joint (MBD_ERROR_MASSLESS_SUBTREE): give massless rods a small
/// inertia, or replace them by a distance closure. To limit position drift use stabilisation, call
/// mbd_assemble periodically, or use embedding.h.
#ifndef MBDYN__CONSTRAINTS__CONSTRAINED_H_
#define MBDYN__CONSTRAINTS__CONSTRAINED_H_

#include "mbdyn/constraints/closure.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_constrained_options {
  double t;               ///< time of drivers [s]
  const bool * open;      ///< inactive closures, or NULL: all are active               [nclosure]
  double stabilisation;   ///< frequency at which errors decay, Baumgarte [rad/s]; default 0: off
  double damping_ratio;   ///< of that decay; default 1
  double rank_tolerance;  ///< as in assembly.h; default 1e-7
  double tolerance;  ///< relative residual of G qdd = gamma allowed for redundant rows; default
                     ///< 1e-6
  int rank;          ///< required rank of G: if it is lower, the loops are singular and
                     ///< MBD_ERROR_LOCKED is returned. 0, the default: that of nearby
                     ///< configurations; -1: any
  const double * weight;  ///< of actuators in mbd_constrained_inverse_dynamics, or NULL: ones  [nv]
} mbd_constrained_options_t;

/// Diagnostics of constrained dynamics.
typedef struct mbd_constrained {
  int rank;           ///< independent rows
  int nredundant;     ///< redundant rows
  int mobility;       ///< remaining degrees of freedom
  double residual;    ///< largest residual of a row [m/s^2, rad/s^2] (of an impulse: [m/s, rad/s])
  int error_closure;  ///< closure that caused the error, or -1
} mbd_constrained_t;

/// Default options: t = 0, all closures active, no stabilisation, and the defaults above.
MBD_PUBLIC
mbd_constrained_options_t mbd_constrained_options_default(void);

/// Size of the work memory in doubles; 0 for a model that is not finalized.
MBD_PUBLIC
size_t mbd_constrained_work(const mbd_model_t * model);

/// Accelerations under torques, wrenches, gravity and the closures.
///
///   qdd = qdd_f + M^-1 G^T lambda,   G M^-1 G^T lambda = gamma - G qdd_f     Jain (11.8), (11.9)
///
/// With stabilisation w and damping ratio z, gamma is reduced by 2 z w (G v - U) + w^2 d.
/// \param[in,out] data     acceleration and force stages are set: mbd_joint_force and
///   mbd_frame_acceleration are those of the constrained motion
/// \param[in]     q        model->nq; NULL: the current position stage
/// \param[in]     v        model->nv; NULL: the current velocity stage (q must also be NULL)
/// \param[in]     tau      model->nv, or NULL: zero
/// \param[in]     f_ext    wrenches on frames, or NULL
/// \param[in]     options  NULL: defaults
/// \param[out]    work     mbd_constrained_work doubles
/// \param[out]    qdd      model->nv; may alias tau
/// \param[out]    lambda   model->nrow, zero for open closures; or NULL
/// \param[out]    info     or NULL
/// \return MBD_OK; as mbd_forward_dynamics; MBD_ERROR_LOCKED (a singular configuration;
///   info->error_closure); MBD_ERROR_NOT_ASSEMBLED (redundant rows are inconsistent: the state violates
///   the closures; info->error_closure); MBD_ERROR_BAD_ARGUMENT (options). On error, qdd and lambda are
///   not written.
///
/// Complexity O(N rows + nv rows^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_constrained_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, const mbd_constrained_options_t * options,
  double * work, double * qdd, double * lambda, mbd_constrained_t * info);

/// Torques of the actuated joints for a motion that satisfies the closures, G qdd = gamma.
///
///   S tau + G^T lambda = M qdd + C - J^T f_ext,   S: the actuated degrees of freedom
///
/// Passive joints are driven through the loops, which determines part of the multipliers. The rest are
/// internal forces: those nearest to `desired` if it is given (with scaled rows), else those that minimise
/// the sum of weight * tau^2, Jain Ex. 11.2.
/// \param[in]  qdd       model->nv; NULL: zero
/// \param[in]  actuated  model->nv, or NULL: all
/// \param[in]  desired   multipliers, model->nrow; or NULL: minimum torques
/// \param[out] tau       model->nv, zero for passive joints; may alias qdd
/// \param[out] lambda    model->nrow, or NULL
/// \param[out] info      rank and mobility are of G, residual of G qdd = gamma; or NULL
/// \return MBD_OK; MBD_ERROR_UNDERACTUATED (these actuators cannot produce the motion;
///   mbd_error_joint_name is a joint whose acceleration cannot be reached);
///   MBD_ERROR_NOT_ASSEMBLED (qdd violates the closures by more than options->tolerance);
///   otherwise as mbd_constrained_forward_dynamics
///
/// Complexity O(nv rows^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_constrained_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, const bool * actuated, const double * desired,
  const mbd_constrained_options_t * options, double * work, double * tau, double * lambda,
  mbd_constrained_t * info);

/// Accelerations Y_C tau caused by torques with closed loops. Zero for internal (squeeze) torques. Needs
/// the position stage.
/// \param[in]  tau  model->nv
/// \param[out] qdd  model->nv; may alias tau
/// \return as mbd_constrained_forward_dynamics
///
/// Complexity O(N rows + nv rows^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_constrained_response(
  const mbd_model_t * model, mbd_data_t * data, const double * tau,
  const mbd_constrained_options_t * options, double * work, double * qdd);

/// Split torques into a part that moves the robot and a part that only causes internal forces:
/// squeeze = P tau, move = tau - P tau, P = G^T (G W G^T)^-1 G W, Jain (11.14), (11.15). `move` gives
/// the same motion as tau, with the minimum sum of weight * torque^2. Needs the position stage; does not
/// depend on inertia.
/// \param[in]  tau      model->nv
/// \param[in]  weight   diagonal of W, positive, or NULL: ones   [nv]
/// \param[out] move     model->nv, or NULL; may alias tau
/// \param[out] squeeze  model->nv, or NULL; may alias tau
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_LOCKED (a singular configuration)
///
/// Complexity O(nv rows^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_move_squeeze(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const double * weight,
  const mbd_constrained_options_t * options, double * work, double * move, double * squeeze);

/// Velocities after the closures have become active and impulses have acted:
///
///   v_out = v + M^-1 (sum J^T p + G^T Lambda),   G v_out = U
///
/// v_out is the nearest velocity in the metric of kinetic energy, so energy does not increase. Needs the
/// position stage.
/// \param[in]  v         model->nv, before
/// \param[in]  impulses  wrenches on frames in N s and N m s, or NULL
/// \param[out] v_out     model->nv; may alias v
/// \param[out] Lambda    impulses of the closures, model->nrow; or NULL
/// \param[out] info      or NULL
/// \return as mbd_constrained_forward_dynamics
///
/// Complexity O(N rows + nv rows^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closing_impulse(
  const mbd_model_t * model, mbd_data_t * data, const double * v, const mbd_wrenches_t * impulses,
  const mbd_constrained_options_t * options, double * work, double * v_out, double * Lambda,
  mbd_constrained_t * info);

/// Joint torques G^T lambda of the multipliers. Needs the position stage.
/// \param[in]  lambda  model->nrow
/// \param[out] tau     model->nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE
///
/// Complexity O(N + rows depth) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_torque(
  const mbd_model_t * model, mbd_data_t * data, const double * lambda, double * tau);

/// Wrench of a closure on B's link, at the origin of B (of A for no_slip and rolling) in the axes of A; the
/// opposite acts on A's link. Needs the position stage.
/// \param[in]  closure  index; not of a coupling
/// \param[in]  lambda   of all closures, model->nrow
/// \param[out] f        moment [N m] and force [N]
/// \return as mbd_closure_torque, and MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(1) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_wrench(
  const mbd_model_t * model, mbd_data_t * data, int closure, const double * lambda,
  mbd_force_t * f);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CONSTRAINTS__CONSTRAINED_H_
