/// \file data.h
/// One thread's workspace for one model: the state and everything computed from it.
///
///   mbd_data_size      bytes needed
///   mbd_data_init      lay a workspace out in the caller's memory: no allocation, then or later
///   mbd_data_create    the same with malloc
///   mbd_data_destroy   free what mbd_data_create made
///   mbd_set_gravity    gravity for this workspace (tilted or accelerating base)
///   mbd_set_terms      count friction and rotor inertia in, or not
///   mbd_error_joint_name   joint that the last error is about
///   mbd_complete_stages   compute the stages that a one-call form has deferred
///
/// Results are staged: mbd_set_position, then mbd_set_velocity, then queries. A query asked before
/// its stage returns MBD_ERROR_STAGE; a stage computed from an older state is never reused.
#ifndef MBDYN__DATA_H_
#define MBDYN__DATA_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Terms beside the rigid bodies; all off in a new workspace.
typedef enum mbd_term {
  MBD_TERM_FRICTION = 1 << 0,  ///< viscous and smooth Coulomb friction of the joints
  MBD_TERM_ROTORS = 1 << 1     ///< reflected rotor inertia on the diagonal of the mass matrix
} mbd_term_t;

/// A rigid body held at a frame.
typedef struct mbd_payload {
  bool attached;
  mbd_inertia_t inertia;  ///< about the frame's origin, in the frame's axes
} mbd_payload_t;

typedef struct mbd_data {
  const mbd_model_t * model;
  uint32_t terms;      ///< bits of mbd_term_t: mbd_set_terms
  int error_body;      ///< body that the last error is about, or -1
  mbd_vec3_t gravity;  ///< physical gravity in world axes: mbd_set_gravity

  // inertia in use: model's plus payloads (payload.h)
  mbd_inertia_t * inertia;  // of each body, body frame                            [nbody]
  mbd_payload_t * payload;  // what is attached at each frame                      [nframe]

  // position stage: mbd_set_position
  double * q;                  // configuration, quaternions of unit length       [nq]
  mbd_placement_t * X_parent;  // body frame in its parent's                      [nbody]  (3.9)
  mbd_placement_t * X_world;   // body frame in the world                         [nbody]  (3.10)
  mbd_motion_t * S;            // columns of H^T: motion subspace, body frame     [nv]     (3.11)

  // velocity stage: mbd_set_velocity
  double * v;             // velocity                                        [nv]
  mbd_motion_t * V;       // body velocity, body frame                       [nbody]  (3.19)
  mbd_motion_t * S_rate;  // d/dt of the numbers of S; 0 but universal, user [nv]     (5.10)
  mbd_motion_t * a;       // velocity-dependent hinge acceleration           [nbody]  (5.11)

  // bias stage: mbd_jacobian_bias, mbd_bias
  mbd_motion_t * A_bias;  // body acceleration at zero joint acceleration,   [nbody]
                          // without gravity, body frame

  // acceleration stage: mbd_set_acceleration, mbd_inverse_dynamics, mbd_forward_dynamics
  mbd_motion_t * A;  // body acceleration minus gravity, body frame     [nbody]  (5.23)

  // force stage: mbd_inverse_dynamics
  mbd_force_t * f;  // force of the parent on the body, body frame               [nbody]  (5.28)

  // composite stage: mbd_composite_inertia
  mbd_inertia_t * R;  // inertia of the whole subtree, body frame        [nbody]  (4.8)

  // articulated stage: mbd_articulated_inertia
  mbd_sym6_t * P;   // articulated inertia, body frame                 [nbody]  (6.24)
  mbd_force_t * G;  // columns of P S D^-1: Kalman gain, body frame    [nv]     (6.13)
  double * D_inv;   // inverse hinge inertias, nv x nv blocks          [nD]     (6.13)

  // compliance stage: mbd_compliance
  mbd_sym6_t * Y;  // operational-space compliance, body frame        [nbody]  (10.22)

  // residual stage: mbd_forward_dynamics
  mbd_force_t * z;  // residual force, body frame                                [nbody]  (7.27)

  // response stage: mbd_force_response
  mbd_motion_t * response;  // acceleration that the wrenches cause, body frame   [nbody]

  // of an embedded model (constraints/embedding.h): the arrays of bodies and q above are those of `tree`
  struct mbd_data * tree;  // workspace of the spanning tree, or NULL

  struct mbdi_data * work;  ///< private: which of these are up to date, and scratch memory
} mbd_data_t;

/// Bytes that mbd_data_init needs for this model; 0 if the model is NULL or not finalized.
MBD_PUBLIC
size_t mbd_data_size(const mbd_model_t * model);

/// Lay a workspace out in memory that the caller owns, at any alignment.
/// \param[in]  model   finalized; must outlive the workspace
/// \param[in]  memory  at least mbd_data_size(model) bytes; freeing it ends the workspace
/// \param[out] data    points into memory
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_TOO_SMALL
///
/// Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_data_init(
  const mbd_model_t * model, void * memory, size_t size, mbd_data_t ** data);

/// mbd_data_init in memory from malloc.
/// \return as mbd_data_init, and MBD_ERROR_OUT_OF_MEMORY
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_data_create(const mbd_model_t * model, mbd_data_t ** data);

/// Free a workspace made by mbd_data_create; NULL is fine.
MBD_PUBLIC
void mbd_data_destroy(mbd_data_t * data);

/// Gravity for this workspace: physical vector in world axes [m/s^2]. A base that accelerates by a
/// is a base at rest with gravity - a. Accelerations already computed become stale.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE
///
/// Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_gravity(mbd_data_t * data, mbd_vec3_t gravity);

/// Which terms beside the rigid bodies count in inverse dynamics, forward dynamics, the mass
/// matrix and its inverse, and operational space: an or of mbd_term_t, 0 for none. Other terms than
/// before make accelerations already computed stale.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (unknown bit)
///
/// Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_terms(mbd_data_t * data, uint32_t terms);

/// Compute the stages that a call of inverse or forward dynamics with q and v has deferred.
/// Every function does so by itself when it needs them; call it before reading fields directly.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH
///
/// Complexity O(N), nothing if there is nothing to do | Allocates no | Thread-safe per data |
/// Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_complete_stages(const mbd_model_t * model, mbd_data_t * data);

/// Name of the joint that the last error is about, or NULL.
MBD_PUBLIC
const char * mbd_error_joint_name(const mbd_data_t * data);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DATA_H_
