/// \file constraints/constrained.h
/// Dynamics with the closures kept by forces: cut joints, in all coordinates of the spanning tree.
///
///   mbd_constrained_options_default     time, open closures, stabilisation, tolerances
///   mbd_constrained_work                numbers of work memory
///   mbd_constrained_forward_dynamics    accelerations, multipliers, joint forces      Jain Alg. 11.2
///   mbd_constrained_inverse_dynamics    torques of given actuators for a motion
///   mbd_constrained_response            accelerations that torques alone cause        Jain (11.11)
///   mbd_move_squeeze                    the part of torques that moves, and the rest  Jain (11.14)
///   mbd_closing_impulse                 velocities after closures have snapped shut
///   mbd_closure_torque                  G^T lambda
///   mbd_closure_wrench                  what a closure exerts
///
/// With M qdd + C = tau + G^T lambda and G qdd = gamma Jain (11.5), the tree's free acceleration is
/// corrected by the least change, by kinetic energy, that obeys the rows. The rows are seen through
/// the innovations factor of the mass matrix, D^-1/2 (I - H psi K) G^T, one O(N) sweep each, whose
/// products are the compliance G M^-1 G^T Jain (11.22); they are factorised as they are, not their
/// products, so that no digits are lost.
///
/// **Redundant rows** (assembly.h) are left out. Accelerations and joint torques do not depend on
/// which; of the multipliers, which then are not unique, those of least norm come out.
///
/// **Multipliers** lambda[r] of a closure between frames are forces on B's link, and opposite ones on
/// A's, along what row r measures: [N] for points, [N m] for angles, in axes of A. Of a coupling,
/// coefficient * lambda is the torque on each joint. Of rows of velocity, the force of the ground.
///
/// **Singular configurations**, where loops branch or lock (a parallelogram that lies flat), have rows
/// that imply each other there and nowhere else: G leaves more motions than the loops have. If rows
/// are redundant, the second rates that one of these motions gives them are compared, and
/// MBD_ERROR_LOCKED is returned where they contradict each other. Set options.rank to the rank that
/// G has elsewhere to save that, or to -1 for the accelerations that G alone determines.
///
/// **Mimic joints** are rows like others here, whatever mbd_model_set_mimic_independent says.
///
/// The tree itself must have inertia along every joint (MBD_ERROR_MASSLESS_SUBTREE): give massless
/// rods a little, or a distance closure in their place. Nothing here keeps the loops closed in
/// positions: use stabilisation, mbd_assemble now and then, or embedding.h.
#ifndef MBDYN__CONSTRAINTS__CONSTRAINED_H_
#define MBDYN__CONSTRAINTS__CONSTRAINED_H_

#include "mbdyn/constraints/closure.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_constrained_options {
  double t;               ///< time of drivers [s]
  const bool * open;      ///< closures that do not act, or NULL: all act               [nclosure]
  double stabilisation;   ///< frequency at which errors decay, Baumgarte [rad/s]; default 0: off
  double damping_ratio;   ///< of that decay; default 1
  double rank_tolerance;  ///< as in assembly.h; default 1e-7
  double tolerance;       ///< by how much redundant rows may miss G qdd = gamma, of the size of the
                          ///< accelerations; default 1e-6
  int rank;               ///< rank that G must have: where it is less, the loops are singular and
                          ///< MBD_ERROR_LOCKED is returned. 0, the default: that of configurations
                          ///< nearby; -1: any
  const double * weight;  ///< of actuators in mbd_constrained_inverse_dynamics, or NULL: ones  [nv]
} mbd_constrained_options_t;

/// What was found on the way.
typedef struct mbd_constrained {
  int rank;           ///< independent rows
  int nredundant;     ///< rows that act but add nothing
  int mobility;       ///< degrees of freedom that are left
  double residual;    ///< largest miss of a row [m/s^2, rad/s^2] (of an impulse: [m/s, rad/s])
  int error_closure;  ///< closure that an error is about, or -1
} mbd_constrained_t;

/// t = 0, all closures act, no stabilisation, and the defaults above.
MBD_PUBLIC
mbd_constrained_options_t mbd_constrained_options_default(void);

/// Numbers (double) of work memory for the functions here; 0 for a model that is not finalized.
MBD_PUBLIC
size_t mbd_constrained_work(const mbd_model_t * model);

/// Accelerations under torques, wrenches, gravity and the closures.
///
///   qdd = qdd_f + M^-1 G^T lambda,   G M^-1 G^T lambda = gamma - G qdd_f     Jain (11.8), (11.9)
///
/// With stabilisation w and damping ratio z, gamma is less 2 z w (G v - U) + w^2 d.
/// \param[in,out] data     acceleration and force stages are set: mbd_joint_force and
///   mbd_frame_acceleration are those of the constrained motion
/// \param[in]     q        model->nq; NULL: the position stage as it is
/// \param[in]     v        model->nv; NULL: the velocity stage as it is (q must be NULL too)
/// \param[in]     tau      model->nv, or NULL: zero
/// \param[in]     f_ext    wrenches on frames, or NULL
/// \param[in]     options  NULL: the default ones
/// \param[out]    work     mbd_constrained_work numbers
/// \param[out]    qdd      model->nv; may alias tau
/// \param[out]    lambda   model->nrow, zero for open closures; or NULL
/// \param[out]    info     or NULL
/// \return MBD_OK; as mbd_forward_dynamics; MBD_ERROR_LOCKED (a singular configuration;
///   info->error_closure); MBD_ERROR_NOT_ASSEMBLED (redundant rows contradict each other: the state does not obey the
///   closures; info->error_closure); MBD_ERROR_BAD_ARGUMENT (options). On an error qdd and lambda are not
///   written.
///
/// Complexity O(N rows + nv rows^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_constrained_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, const mbd_constrained_options_t * options,
  double * work, double * qdd, double * lambda, mbd_constrained_t * info);

/// Torques of the actuated joints that give a motion which obeys the closures, G qdd = gamma.
///
///   S tau + G^T lambda = M qdd + C - J^T f_ext,   S: the actuated degrees of freedom
///
/// Joints without actuator are moved through the loops, which takes certain multipliers. Multipliers
/// that this leaves open are internal forces: the nearest to `wish` if it is given (in the rows'
/// own sizes), else those with the least sum of weight * tau^2                     Jain Ex. 11.2.
/// \param[in]  qdd       model->nv; NULL: zero
/// \param[in]  actuated  model->nv, or NULL: all
/// \param[in]  wish      multipliers wanted, model->nrow; or NULL: least torques
/// \param[out] tau       model->nv, zero where there is no actuator; may alias qdd
/// \param[out] lambda    model->nrow, or NULL
/// \param[out] info      rank and mobility are of G, residual of G qdd = gamma; or NULL
/// \return MBD_OK; MBD_ERROR_UNDERACTUATED (no torques of these actuators give this motion;
///   mbd_error_joint_name: a joint that nothing moves as it should);
///   MBD_ERROR_NOT_ASSEMBLED (qdd does not obey the closures within options->tolerance);
///   otherwise as mbd_constrained_forward_dynamics
///
/// Complexity O(nv rows^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_constrained_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, const bool * actuated, const double * wish,
  const mbd_constrained_options_t * options, double * work, double * tau, double * lambda,
  mbd_constrained_t * info);

/// Y_C tau: the accelerations that torques cause on top of whatever the robot does, the closures
/// kept. Zero for torques that only squeeze. Needs the position stage.
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

/// Split torques into a part that moves the robot and a part that only loads the closures:
/// squeeze = P tau, move = tau - P tau, P = G^T (G W G^T)^-1 G W           Jain (11.14), (11.15).
/// `move` gives the same motion as tau, with the least sum of weight * torque^2. Needs the position
/// stage; takes no inertia.
/// \param[in]  tau      model->nv
/// \param[in]  weight   diagonal of W, each more than zero, or NULL: ones   [nv]
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

/// Velocities right after the closures have begun to hold, and impulses have acted:
///
///   v_out = v + M^-1 (sum J^T p + G^T Lambda),   G v_out = U
///
/// No work is gained: v_out is the nearest velocity by kinetic energy. Needs the position stage.
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

/// G^T lambda: joint torques that multipliers are. Needs the position stage.
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

/// Wrench that a closure exerts on B's link, at the origin of B (of A for rows of velocity) in the
/// axes of A; on A's link acts its opposite. Needs the position stage.
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
