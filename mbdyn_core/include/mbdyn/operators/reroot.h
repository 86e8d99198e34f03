/// \file operators/reroot.h
/// Re-rooting: a floating-base robot with another link as its base, with conversion of states.
///
///   mbd_reroot_create     model with another link as its base  Jain sec. 17.3
///   mbd_reroot_destroy    free it
///   mbd_reroot_motion     convert q, v and accelerations in either direction
///   mbd_reroot_torque     convert torques in either direction, with equal power
///
/// The free joint of a floating robot is moved from its base to another link of the same tree; the joints
/// between the two are **reversed**: parent and child are exchanged. Names of links, frames and joints,
/// **frame indices** (wrenches, payloads and closures are valid for both models), limits, drives, mimic
/// joints, closures and gravity do not change. Body indices and the order of q and v do, since bodies are
/// numbered from the base.
///
/// **Coordinates of a reversed joint.** Joints with one axis (revolute, continuous, prismatic, helical,
/// cylindrical) keep q, v and tau; their axis is inverted. A universal joint swaps its two coordinates. For
/// a spherical, planar or free joint, q is the inverse placement and v the opposite velocity in the axes of
/// the other body; its position limits are dropped. If such a joint has friction or a rotor, whose effect
/// depends on the coordinates, it becomes a user-defined joint with its original coordinates, as does a
/// user-defined joint. Reversing a joint twice restores it.
///
/// Sources: Jain, section 17.3.
#ifndef MBDYN__OPERATORS__REROOT_H_
#define MBDYN__OPERATORS__REROOT_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Direction of a conversion.
typedef enum mbd_reroot_direction {
  MBD_REROOT_TO_NEW = 0,      ///< from the original model to the new one
  MBD_REROOT_TO_ORIGINAL = 1  ///< from the new model to the original one
} mbd_reroot_direction_t;

typedef struct mbd_reroot {
  const mbd_model_t * from;  ///< original model
  mbd_model_t * model;       ///< new model, finalized; mbd_reroot_destroy frees it
  int base;                  ///< base body of the new model
  int nreversed;             ///< number of reversed moving joints
  /// For each body of the original model, the body of the new model with the same joint. [from->nbody]
  const int * joint;
  struct mbdi_reroot_path * path;  ///< private
} mbd_reroot_t;

/// Create a model with another link as the base.
/// \param[in,out] model   finalized; must outlive the result; only its error_name is written
/// \param[in]     frame   frame index of the link, or of a frame on it
/// \param[out]    reroot  free with mbd_reroot_destroy
/// \return MBD_OK; MBD_ERROR_BAD_ARGUMENT (frame); MBD_ERROR_BAD_JOINT (model->error_name: the base is
///   not on a free joint, or that joint has friction or a rotor);
///   MBD_ERROR_UNSUPPORTED (re-root the tree, then embed it), MBD_ERROR_NOT_FINALIZED,
///   MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_OUT_OF_MEMORY
///
/// Complexity O(N) | Allocates yes | Thread-safe per model | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_reroot_create(mbd_model_t * model, int frame, mbd_reroot_t ** reroot);

/// Free a re-rooting and its new model; NULL is allowed.
MBD_PUBLIC
void mbd_reroot_destroy(mbd_reroot_t * reroot);

/// Convert a motion to the coordinates of the other model. Resulting quaternions have unit norm; that of the
/// base has w >= 0.
/// \param[in]  q, v, qdd  of the source model; v and qdd may be NULL; qdd requires v
/// \param[out] q_out, v_out, qdd_out  of the other model; must not overlap the inputs. v_out and qdd_out are
///   not written, and may be NULL, if v and qdd are NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (direction), MBD_ERROR_NOT_FINITE (or
///   beyond 1e100), MBD_ERROR_BAD_QUATERNION. On error, nothing is written.
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_reroot_motion(
  const mbd_reroot_t * reroot, mbd_reroot_direction_t direction, const double * q, const double * v,
  const double * qdd, double * q_out, double * v_out, double * qdd_out);

/// Convert torques such that both models have the same power tau . v for every motion. The wrench on the old
/// base becomes a wrench on the new base and torques of the joints between the two.
/// \param[in]  q        of the source model
/// \param[in]  tau      of the source model
/// \param[out] tau_out  of the other model; must not overlap the inputs
/// \return as mbd_reroot_motion
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_reroot_torque(
  const mbd_reroot_t * reroot, mbd_reroot_direction_t direction, const double * q,
  const double * tau, double * tau_out);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__REROOT_H_
