/// \file data.h
/// Workspace of one thread for one model: the state and everything computed from it.
///
///   mbd_data_size      size of a workspace in bytes
///   mbd_data_init      create a workspace in the caller's memory, without allocation
///   mbd_data_create    create a workspace with malloc
///   mbd_data_destroy   free a workspace of mbd_data_create
///   mbd_set_gravity    set gravity for this workspace (tilted or accelerating base)
///   mbd_set_terms      include or exclude friction, rotor inertia and force elements
///   mbd_error_joint_name   joint that caused the last error
///   mbd_complete_stages   compute deferred stages
///
/// Results are computed in stages: mbd_set_position, then mbd_set_velocity, then queries. Querying a
/// quantity before its stage has been computed returns MBD_ERROR_STAGE, never a stale result.
#ifndef MBDYN__DATA_H_
#define MBDYN__DATA_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Optional terms in addition to rigid-body dynamics; all off in a new workspace.
typedef enum mbd_term {
  MBD_TERM_FRICTION = 1 << 0,  ///< viscous and smoothed Coulomb friction of the joints
  MBD_TERM_ROTORS = 1 << 1,    ///< reflected rotor inertia on the diagonal of the mass matrix
  MBD_TERM_ELEMENTS = 1 << 2   ///< springs, bushings and actuators between links: element.h
} mbd_term_t;

/// Payload: a rigid body attached to a frame.
typedef struct mbd_payload {
  bool attached;
  mbd_inertia_t inertia;  ///< about the frame's origin, in the frame's axes
} mbd_payload_t;

/// The workspace. Fields are read-only.
typedef struct mbd_data {
  const mbd_model_t * model;
  uint32_t terms;      ///< bits of mbd_term_t: mbd_set_terms
  int error_body;      ///< body that caused the last error, or -1
  mbd_vec3_t gravity;  ///< physical gravity in world axes: mbd_set_gravity

  // current inertia: that of the model plus payloads (payload.h)
  mbd_inertia_t * inertia;  // of each body, body frame                            [nbody]
  mbd_payload_t * payload;  // payload of each frame                               [nframe]

  // position stage: mbd_set_position
  double * q;                  // configuration, quaternions of unit length       [nq]
  mbd_placement_t * X_parent;  // body frame in the parent's body frame     [nbody]  Jain (3.9)
  mbd_placement_t * X_world;   // body frame in the world                   [nbody]  Jain (3.10)
  mbd_motion_t * S;            // motion subspace, columns of H^T, body frame [nv]   Jain (3.11)

  // velocity stage: mbd_set_velocity
  double * v;             // velocity                                        [nv]
  mbd_motion_t * V;       // body velocity, body frame                       [nbody]  Jain (3.19)
  mbd_motion_t * S_rate;  // dS/dt in body axes; only universal, user joints [nv]     Jain (5.10)
  mbd_motion_t * a;       // velocity-dependent hinge acceleration           [nbody]  Jain (5.11)

  // bias stage: mbd_jacobian_bias, mbd_bias
  mbd_motion_t * A_bias;  // body acceleration at zero joint acceleration,   [nbody]
                          // without gravity, body frame

  // acceleration stage: mbd_set_acceleration, mbd_inverse_dynamics, mbd_forward_dynamics
  mbd_motion_t * A;  // body acceleration minus gravity, body frame     [nbody]  Jain (5.23)

  // force stage: mbd_inverse_dynamics
  mbd_force_t * f;  // force of the parent on the body, body frame          [nbody]  Jain (5.28)

  // composite stage: mbd_composite_inertia
  mbd_inertia_t * R;  // inertia of the whole subtree, body frame        [nbody]  Jain (4.8)

  // articulated stage: mbd_articulated_inertia
  mbd_sym6_t * P;   // articulated inertia, body frame                 [nbody]  Jain (6.24)
  mbd_force_t * G;  // columns of P S D^-1: Kalman gain, body frame    [nv]     Jain (6.13)
  double * D_inv;   // inverse hinge inertias, nv x nv blocks          [nD]     Jain (6.13)

  // compliance stage: mbd_compliance
  mbd_sym6_t * Y;  // operational-space compliance, body frame        [nbody]  Jain (10.22)

  // residual stage: mbd_forward_dynamics
  mbd_force_t * z;  // residual force, body frame                           [nbody]  Jain (7.27)

  // response stage: mbd_force_response
  mbd_motion_t * response;  // acceleration caused by the wrenches, body frame    [nbody]

  // embedded models (constraints/embedding.h): the arrays over bodies and q above are those of `tree`
  struct mbd_data * tree;  // workspace of the spanning tree, or NULL

  struct mbdi_data * work;  ///< private: validity flags and scratch memory
} mbd_data_t;

/// Size in bytes of a workspace for this model; 0 if the model is NULL or not finalized.
MBD_PUBLIC
size_t mbd_data_size(const mbd_model_t * model);

/// Create a workspace in memory owned by the caller, at any alignment.
/// \param[in]  model   finalized; must outlive the workspace
/// \param[in]  memory  at least mbd_data_size(model) bytes; must outlive the workspace
/// \param[out] data    points into memory
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_TOO_SMALL
///
/// Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_data_init(
  const mbd_model_t * model, void * memory, size_t size, mbd_data_t ** data);

/// Create a workspace with malloc.
/// \return as mbd_data_init, and MBD_ERROR_OUT_OF_MEMORY
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_data_create(const mbd_model_t * model, mbd_data_t ** data);

/// Free a workspace created by mbd_data_create; NULL is allowed.
MBD_PUBLIC
void mbd_data_destroy(mbd_data_t * data);

/// Set gravity for this workspace: the physical vector in world axes [m/s^2]. A base with the
/// acceleration a is equivalent to a base at rest with gravity - a. Invalidates accelerations.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE
///
/// Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_gravity(mbd_data_t * data, mbd_vec3_t gravity);

/// Select the terms that are included in inverse dynamics, forward dynamics, the mass matrix and its
/// inverse, and operational space: a bitwise or of mbd_term_t, 0 for rigid bodies only. A change
/// invalidates accelerations.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (unknown bit)
///
/// Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_set_terms(mbd_data_t * data, uint32_t terms);

/// Compute the stages that inverse or forward dynamics with q and v, or mbd_set_state, have deferred.
/// Functions compute them when needed; call this before reading fields directly.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH
///
/// Complexity O(N), or O(1) if no stage is deferred | Allocates no | Thread-safe per data |
/// Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_complete_stages(const mbd_model_t * model, mbd_data_t * data);

/// Name of the joint that caused the last error, or NULL.
MBD_PUBLIC
const char * mbd_error_joint_name(const mbd_data_t * data);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DATA_H_
