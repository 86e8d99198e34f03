/// \file operators/reroot.h
/// Re-rooting: a floating-base robot with another link as its base, with conversion of states.
///
///   mbd_reroot_create     the model with a link of your choice as its base  Jain sec. 17.3
///   mbd_reroot_destroy    give it back
///   mbd_reroot_motion     q, v and accelerations, there and back
///   mbd_reroot_torque     torques, there and back: the power is the same
///
/// A link of a tree that a free joint carries becomes what the free joint carries; the joints between
/// it and the former base are **reversed**: what was the parent is now carried. All else stays: link,
/// frame and joint names, **frame indices** (wrenches, payloads and closures are good for both
/// models), limits, drives, mimic joints, closures, gravity. Body numbers and the order of q and v
/// change, as bodies are numbered from the base.
///
/// **Coordinates of a reversed joint.** Joints of one axis (revolute, continuous, prismatic, helical,
/// cylindrical) keep q, v and tau: their axis is turned round. A universal joint swaps its two. A
/// spherical, planar or free joint stays one, with the inverse placement for q and the opposite
/// velocity, seen from the other side, for v; its limits of position are dropped, as they do not
/// carry over. If such a joint has friction or a rotor, which would not be the same in other
/// coordinates, it becomes a user-defined joint with the coordinates that it had, and so does a
/// user-defined joint. Reversed once more, each is what it was.
///
/// Sources: Jain, section 17.3.
#ifndef MBDYN__OPERATORS__REROOT_H_
#define MBDYN__OPERATORS__REROOT_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which way a state goes.
typedef enum mbd_reroot_way {
  MBD_REROOT_THERE = 0,  ///< from the model as given to the new one
  MBD_REROOT_BACK = 1    ///< from the new one to the model as given
} mbd_reroot_way_t;

typedef struct mbd_reroot {
  const mbd_model_t * from;  ///< the model as given
  mbd_model_t * model;       ///< the new one; finalized; mbd_reroot_destroy frees it
  int base;                  ///< its base body
  int nreversed;             ///< moving joints that are reversed
  /// Body of the new model whose joint is that of each body of the model as given. [from->nbody]
  const int * joint;
  struct mbdi_reroot_path * path;  ///< private
} mbd_reroot_t;

/// Make a link the base.
/// \param[in,out] model   finalized; must outlive the result; only its error_name is written
/// \param[in]     frame   frame index of the link; for a frame that is no link, the link that has it
/// \param[out]    reroot  free with mbd_reroot_destroy
/// \return MBD_OK; MBD_ERROR_BAD_ARGUMENT (frame); MBD_ERROR_BAD_JOINT (model->error_name: the base is
///   not carried by a free joint, or that joint has friction or a rotor, which no other link could
///   have); MBD_ERROR_UNSUPPORTED (re-root the tree, then embed it), MBD_ERROR_NOT_FINALIZED,
///   MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_OUT_OF_MEMORY
///
/// Complexity O(N) | Allocates yes | Thread-safe per model | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_reroot_create(mbd_model_t * model, int frame, mbd_reroot_t ** reroot);

/// Free it with its model; NULL is allowed.
MBD_PUBLIC
void mbd_reroot_destroy(mbd_reroot_t * reroot);

/// A motion in the coordinates of the other model. Quaternions have unit length on return; that of
/// the base has w >= 0.
/// \param[in]  q, v, qdd  of the model that `way` begins at; v and qdd may be NULL, and qdd needs v
/// \param[out] q_out, v_out, qdd_out  of the other; they may not overlap the input. Those of v_out
///   and qdd_out whose input is NULL are not written, and may be NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (way), MBD_ERROR_NOT_FINITE (or
///   beyond 1e100), MBD_ERROR_BAD_QUATERNION. On error, nothing is written.
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_reroot_motion(
  const mbd_reroot_t * reroot, mbd_reroot_way_t way, const double * q, const double * v,
  const double * qdd, double * q_out, double * v_out, double * qdd_out);

/// Torques that do the same: tau . v of one model is that of the other for every motion. Torques on
/// the base, which are a wrench on that link, become one on the other base with joint torques that
/// undo what it would do on the way.
/// \param[in]  q        of the model that `way` begins at
/// \param[in]  tau      of that model
/// \param[out] tau_out  of the other; may not overlap the input
/// \return as mbd_reroot_motion
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_reroot_torque(
  const mbd_reroot_t * reroot, mbd_reroot_way_t way, const double * q, const double * tau,
  double * tau_out);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__REROOT_H_
