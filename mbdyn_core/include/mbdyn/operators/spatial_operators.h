/// \file operators/spatial_operators.h
/// Products with the spatial operators phi and psi, and decompositions of joint forces.
///
///   mbd_phi_product, mbd_phi_transpose_product    rigid propagation of forces, of motions  Jain (3.36)
///   mbd_psi_product, mbd_psi_transpose_product    articulated propagation                  Jain (7.6)
///   mbd_cross_inertia                 block of phi M phi^T for a pair of bodies            Jain (4.10)
///   mbd_composite_inverse_dynamics    inverse dynamics by composite bodies                 Jain Alg. 5.3
///   mbd_joint_force_views             joint force by terminal, composite and articulated inertia
///
/// Arrays over bodies are in *body frames* (model.h): the link frame of body i is
/// model->frame[model->body[i].link_frame].X in it.
#ifndef MBDYN__OPERATORS__SPATIAL_OPERATORS_H_
#define MBDYN__OPERATORS__SPATIAL_OPERATORS_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// y_k = x_k + sum over children phi(k,j) y_j: total force on each subtree. Needs the position stage.
/// \param[in]  x  force of each body [nbody]
/// \param[out] y  [nbody]; may alias x
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_phi_product(
  const mbd_model_t * model, mbd_data_t * data, const mbd_force_t * x, mbd_force_t * y);

/// y_k = x_k + phi^T(p,k) y_p: motions propagated from the bases to the tips. Needs the position stage.
/// \param[in]  x  motion of each body [nbody]
/// \param[out] y  [nbody]; may alias x
/// \return as mbd_phi_product
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_phi_transpose_product(
  const mbd_model_t * model, mbd_data_t * data, const mbd_motion_t * x, mbd_motion_t * y);

/// y_k = x_k + sum over children psi(k,j) y_j, psi = phi (I - G H): forces transmitted by
/// articulated joints. Needs the position stage; computes the articulated stage if necessary.
/// \return as mbd_phi_product and mbd_articulated_inertia
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_psi_product(
  const mbd_model_t * model, mbd_data_t * data, const mbd_force_t * x, mbd_force_t * y);

/// y_k = x_k + psi^T(p,k) y_p.
/// \return as mbd_psi_product
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_psi_transpose_product(
  const mbd_model_t * model, mbd_data_t * data, const mbd_motion_t * x, mbd_motion_t * y);

/// Block (i,j) of phi M phi^T: momentum of the subtree of body i per unit velocity of joint j. It is
/// phi(i,j) R_j if i is an ancestor of j, R_i phi^T(j,i) if j is an ancestor of i, and zero for unrelated
/// bodies. Needs the position stage.
/// \param[out] block  row-major 6 x 6, angular first; rows in body frame i, columns in body frame j
/// \return as mbd_phi_product, and MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(N) for the first call per configuration, then O(depth) | Allocates no |
/// Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_cross_inertia(
  const mbd_model_t * model, mbd_data_t * data, int body_i, int body_j, double * block);

/// Inverse dynamics by composite rigid bodies: the torques of mbd_inverse_dynamics, and as intermediate
/// results the composite inertias data->R and the forces data->f. Needs the velocity stage.
///   f_k = R_k alpha_k + y_k                                           Jain (5.44)-(5.46)
/// \param[in]  qdd    model->nv, or NULL: zero
/// \param[in]  f_ext  wrenches on frames, or NULL
/// \param[out] tau    model->nv; may alias qdd
/// \return as mbd_inverse_dynamics
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_composite_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, const mbd_wrenches_t * f_ext,
  double * tau);

/// Three decompositions of the force through a joint: an inertia times the acceleration of the body
/// (relative to free fall), and a residual force. Jain Table 6.1
typedef struct mbd_force_views {
  mbd_force_t terminal;          ///< inertia of the body alone
  mbd_force_t terminal_rest;     ///< remainder: forces of the outboard bodies
  mbd_force_t composite;         ///< composite inertia of the subtree, joints locked
  mbd_force_t composite_rest;    ///< remainder: motion of the outboard joints
  mbd_force_t articulated;       ///< articulated inertia of the subtree, joints free
  mbd_force_t articulated_rest;  ///< remainder: torques of the outboard joints
} mbd_force_views_t;

/// Decompositions of the force through a joint, after mbd_inverse_dynamics or mbd_forward_dynamics, at
/// the origin of the link frame, in link axes.
/// \param[in] body  index from mbd_find_joint
/// \return as mbd_joint_force and mbd_articulated_inertia
///
/// Complexity O(1) after forward dynamics and mbd_composite_inertia, else O(N) | Allocates no |
/// Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_joint_force_views(
  const mbd_model_t * model, mbd_data_t * data, int body, mbd_force_views_t * views);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__SPATIAL_OPERATORS_H_
