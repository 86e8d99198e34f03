/// \file flexible_state.h
/// Several calls in one, for tests of models with flexible links.
///
///   flexible_state     q and v, or rest
///   flexible_frame     placement and velocity of a frame, in its own axes
///   flexible_energy    kinetic, of the weight, of the strain
///   flexible_step      mbd_step with memory of its own
#ifndef FLEXIBLE_STATE_H_
#define FLEXIBLE_STATE_H_

#include <stdlib.h>

#include "mbdyn/flexible.h"
#include "mbdyn/mbdyn.h"

/// \param[in] v  or NULL: zero
static inline mbd_status_t
flexible_state(const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v)
{
  double * rest = calloc((size_t)model->nv + 1, sizeof *rest);
  const mbd_status_t status = mbd_set_state(model, data, q, v ? v : rest);
  free(rest);
  return status;
}

/// \param[out] X, V  or NULL
static inline mbd_status_t
flexible_frame(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_placement_t * X, mbd_motion_t * V)
{
  mbd_placement_t unused;
  const mbd_status_t status = mbd_frame_placement(model, data, frame, X ? X : &unused);
  if (status != MBD_OK || !V) return status;
  return mbd_frame_velocity(model, data, frame, MBD_LOCAL, V);
}

/// \param[out] kinetic, weight, strain  or NULL
static inline mbd_status_t
flexible_energy(
  const mbd_model_t * model, mbd_data_t * data, double * kinetic, double * weight, double * strain)
{
  double T = 0, U = 0, V = 0;
  if (kinetic) *kinetic = 0;
  if (weight) *weight = 0;
  if (strain) *strain = 0;
  mbd_status_t status = mbd_potential_energy(model, data, &U);
  if (status == MBD_OK) status = mbd_flexible_strain_energy(model, data, &V);
  if (status == MBD_OK && kinetic) status = mbd_kinetic_energy(model, data, &T);
  if (status != MBD_OK) return status;
  if (kinetic) *kinetic = T;
  if (weight) *weight = U - V;
  if (strain) *strain = V;
  return MBD_OK;
}

static inline mbd_status_t
flexible_step(
  const mbd_model_t * model, mbd_data_t * data, double * q, double * v, const double * tau,
  const mbd_wrenches_t * f_ext, double dt)
{
  double * work = calloc(mbd_step_work(model), sizeof *work);
  const mbd_status_t status = mbd_step(model, data, q, v, tau, f_ext, dt, work);
  free(work);
  return status;
}

#endif  // FLEXIBLE_STATE_H_
