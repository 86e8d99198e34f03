/// \file operators/free_flyer.h
/// Free-flying robots: base-invariant forward dynamics, momentum integrals and zero-reaction motion.
///
///   mbd_free_flyer_work         size of the work memory
///   mbd_effective_inertia       effective inertia of the robot at every link, O(N)        Jain (17.50)
///   mbd_free_flyer_dynamics     forward dynamics from both sides of each hinge           Jain (17.11)
///   mbd_momentum_integrals      conserved quantities                                     Jain sec. 16.4.1
///   mbd_coupling_inertia        coupling inertia between joints and base                 Jain (16.28)
///   mbd_zero_reaction_work      size of the work memory for zero-reaction motion
///   mbd_zero_reaction_velocity  nearest joint velocities without base reaction
///   mbd_zero_reaction_acceleration   nearest accelerations without base reaction
///
/// Each hinge divides a free-flying robot in two; the articulated inertia P of the outer part and S of
/// the inner part, with their residual forces, give the acceleration of a link without those of the
/// other links:
///   A_k = -(P_k + S_k)^-1 (z_k + zd_k - P_k a_k)
/// P + S is the inverse of the operational-space compliance. Every base body must be on a free joint.
/// Sources: Jain, section 16.4 and chapter 17. reroot.h makes another link the base.
///
/// **Zero reaction.** Joint motion of a floating robot disturbs its base, except for velocities in the
/// null space of the coupling inertia, B v = 0, and accelerations with B qdd = -(bias). An arm with six
/// joints has no such motion for the full pose of the base, and a three-dimensional space for its
/// attitude, with free translation of the base.
#ifndef MBDYN__OPERATORS__FREE_FLYER_H_
#define MBDYN__OPERATORS__FREE_FLYER_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Size of `work` in doubles for the functions below; 0 if the model is NULL or not finalized.
MBD_PUBLIC
size_t mbd_free_flyer_work(const mbd_model_t * model);

/// Effective inertia of the robot at each body, with all joints free to move. Requires the position stage.
/// \param      work     mbd_free_flyer_work(model) doubles
/// \param[out] inertia  in the body frames: P + S [nbody]
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE, MBD_ERROR_MIMIC,
///   MBD_ERROR_UNSUPPORTED, MBD_ERROR_MASSLESS_SUBTREE, MBD_ERROR_BAD_JOINT (a base is not on
///   a free joint; data->error_body)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_effective_inertia(
  const mbd_model_t * model, mbd_data_t * data, double * work, mbd_sym6_t * inertia);

/// Base-invariant forward dynamics: two sweeps, then each link and joint independently. Same result as
/// mbd_forward_dynamics, including friction and rotors, at about twice its cost.
/// \param[in]  q, v   as mbd_forward_dynamics
/// \param[in]  tau    joint torques; those of the free base are wrenches on it; or NULL
/// \param[in]  f_ext  wrenches on frames, or NULL
/// \param      work   mbd_free_flyer_work(model) doubles
/// \param[out] qdd    model->nv
/// \return as mbd_effective_inertia and mbd_forward_dynamics
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_free_flyer_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd);

//---------- momentum ----------

/// Conserved quantities of a free flyer in uniform gravity g without external wrenches and payload
/// changes, for any joint motion. World axes.
typedef struct mbd_motion_constants {
  double mass;         ///< of the tree [kg]
  mbd_vec3_t linear;   ///< p - m g t [kg m/s]
  mbd_vec3_t angular;  ///< angular momentum about the centre of mass [kg m^2/s]
  mbd_vec3_t com;      ///< c - p t / m + g t^2 / 2: the centre of mass at time zero [m]
  /// com x linear + angular: without gravity, the angular momentum about the world origin
  mbd_vec3_t about_origin;
} mbd_momentum_integrals_t;

/// Conserved quantities of one tree. Requires the velocity stage.
/// \param[in]  body  base body on a free joint
/// \param[in]  t     time since the reference time of the constants [s]; 0: constants referred to now
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_MIMIC, MBD_ERROR_UNSUPPORTED, MBD_ERROR_BAD_ARGUMENT (body), MBD_ERROR_NOT_FINITE (t),
///   MBD_ERROR_MASSLESS_SUBTREE
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_momentum_integrals(
  const mbd_model_t * model, mbd_data_t * data, int body, double t, mbd_momentum_integrals_t * out);

//---------- zero reaction ----------

/// Part of the base motion that is held.
typedef enum mbd_hold {
  MBD_HOLD_POSE = 0,     ///< pose: six rows
  MBD_HOLD_ATTITUDE = 1  ///< attitude: three rows; translation is free
} mbd_hold_t;

/// Coupling inertia B: the momentum of the tree at the base's origin, in base axes, is
///   h = R V_base + B v
/// with R the composite inertia of the base, Jain (16.28). For MBD_HOLD_ATTITUDE, h is the angular momentum
/// about the centre of mass, which is independent of the linear velocity of the base. Requires the position
/// stage.
/// \param[in]  body  base body on a free joint
/// \param[out] B     row-major 6 x nv, angular first, or 3 x nv; zero for the base and other trees
/// \return as mbd_momentum_integrals, and MBD_ERROR_BAD_ARGUMENT (hold)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_coupling_inertia(
  const mbd_model_t * model, mbd_data_t * data, int body, mbd_hold_t hold, double * B);

/// Size of `work` in doubles for the functions below; 0 if the model is NULL or not finalized.
MBD_PUBLIC
size_t mbd_zero_reaction_work(const mbd_model_t * model);

/// Projection on the reaction null space: v = (1 - B^+ B) desired, the nearest joint velocities (least
/// squares) without momentum transfer to the base. Requires the position stage.
/// \param[in]  desired  velocities, model->nv
/// \param      work     mbd_zero_reaction_work(model) doubles
/// \param[out] v        model->nv; may alias desired. The held base velocities and those of other trees are as
///   in desired; with MBD_HOLD_ATTITUDE the linear velocity of the base compensates the linear momentum of
///   the joints
/// \param[out] rank     rank of B, or NULL: the space of reactionless motion has as many dimensions as joint
///   degrees of freedom, minus rank
/// \return as mbd_coupling_inertia, and MBD_ERROR_NOT_FINITE (desired)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_zero_reaction_velocity(
  const mbd_model_t * model, mbd_data_t * data, int body, mbd_hold_t hold, const double * desired,
  double * work, double * v, int * rank);

/// Nearest joint accelerations (least squares) with which the base accelerates as desired without a wrench on
/// it. Requires the velocity stage.
/// \param[in]  desired  model->nv; for the base: acceleration relative to free fall, zero: undisturbed (with
///   MBD_HOLD_ATTITUDE only the angular part is used)
/// \param      work     mbd_zero_reaction_work(model) doubles
/// \param[out] qdd      model->nv; may alias desired. It includes the gravitational acceleration of the base:
///   mbd_inverse_dynamics of qdd has a zero base wrench
/// \param[out] rank     as above, or NULL
/// \return as mbd_zero_reaction_velocity, and MBD_ERROR_UNDERACTUATED (not feasible; nothing is written)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_zero_reaction_acceleration(
  const mbd_model_t * model, mbd_data_t * data, int body, mbd_hold_t hold, const double * desired,
  double * work, double * qdd, int * rank);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__FREE_FLYER_H_
