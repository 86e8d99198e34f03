/// \file free_flyer.h
/// Robots whose base floats, seen from any of their links: no link is special.
///
///   mbd_free_flyer_work         numbers of working memory that a model needs
///   mbd_effective_inertia       inertia of the whole robot as every link shows it, O(N)   (17.50)
///   mbd_free_flyer_dynamics     forward dynamics from both sides of each hinge            (17.11)
///
/// Each hinge divides a free-flying robot in two; the articulated inertia P of the outer part and S of
/// the inner part, with their residual forces, give the acceleration of a link without those of the
/// others:
///   A_k = -(P_k + S_k)^-1 (z_k + zd_k - P_k a_k)
/// P + S is the inverse of the operational-space compliance. Every base body must be carried by a free
/// joint. Sources: Jain, chapter 17.
#ifndef MBDYN__FREE_FLYER_H_
#define MBDYN__FREE_FLYER_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Numbers that `work` of the functions below must have room for; 0 if the model is NULL or not
/// finalized.
MBD_PUBLIC
size_t mbd_free_flyer_work(const mbd_model_t * model);

/// Inertia of the whole robot that each body shows when it is pushed, joints free. Needs the position
/// stage.
/// \param      work     mbd_free_flyer_work(model) numbers
/// \param[out] inertia  in the body frames: P + S [nbody]
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE, MBD_ERROR_MIMIC,
///   MBD_ERROR_EMBEDDED, MBD_ERROR_MASSLESS_SUBTREE, MBD_ERROR_BAD_JOINT (a base that is not free;
///   data->culprit)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_effective_inertia(
  const mbd_model_t * model, mbd_data_t * data, double * work, mbd_sym6_t * inertia);

/// Forward dynamics that treats all links alike: two sweeps, then every link and joint by itself. The
/// same as mbd_forward_dynamics, at about twice its cost; friction and rotors are counted as there.
/// \param[in]  q, v   as mbd_forward_dynamics
/// \param[in]  tau    joint torques; those of the free base are wrenches on it; or NULL
/// \param[in]  f_ext  wrenches on frames, or NULL
/// \param      work   mbd_free_flyer_work(model) numbers
/// \param[out] qdd    model->nv
/// \return as mbd_effective_inertia and mbd_forward_dynamics
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_free_flyer_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__FREE_FLYER_H_
