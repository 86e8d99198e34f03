/// \file dynamics/observer.h
/// Momentum observer: estimates external torques without measured accelerations.
///
///   mbd_observer_size       size in bytes
///   mbd_observer_init       create an observer in the caller's memory
///   mbd_observer_create     create an observer with malloc     mbd_observer_destroy   free it
///   mbd_observer_reset      reset the state
///   mbd_observer_update     one step: external torque of every joint, contact flags
///   mbd_observer_wrench     equivalent wrench at a frame
///
/// The time derivative of p = M v is tau + C^T v - g - friction + tau_ext. The mean external torque
/// between two updates is therefore
///
///   d = (p_k - p_{k-1}) / dt - (beta_k + beta_{k-1}) / 2,  beta = tau + C^T v - g - friction
///
/// and the estimate is d filtered by one or two first-order lags, discretised exactly:
/// r_k = a r_{k-1} + (1 - a) d, a = exp(-gain dt). They are stable for any gain and any dt, also varying.
#ifndef MBDYN__DYNAMICS__OBSERVER_H_
#define MBDYN__DYNAMICS__OBSERVER_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_observer_options {
  int order;             ///< 1 or 2 lags; default 1
  double gain;           ///< [1/s]: 1 / time constant of a lag; default 30
  double threshold_on;   ///< |torque| [N m, N] that sets the contact flag; default infinite: never
  double threshold_off;  ///< |torque| below which it is cleared; at most threshold_on
} mbd_observer_options_t;

typedef struct mbd_observer {
  const mbd_model_t * model;
  mbd_observer_options_t options;
  bool started;            ///< true after the first update
  double * torque;         ///< estimate of the external torque [nv]
  bool * contact;          ///< set above threshold_on, cleared below threshold_off [nv]
  double * threshold_on;   ///< per degree of freedom; initially options.threshold_on [nv]
  double * threshold_off;  ///< [nv]
  double * lag;            ///< first lag of two [nv]
  double * p;              ///< momentum of the previous step [nv]
  double * beta;           ///< known forces of the previous step [nv]
  double * x;              ///< scratch [nv]
  void * owned;
} mbd_observer_t;

/// Default options: order 1, gain 30/s, no thresholds.
MBD_PUBLIC
mbd_observer_options_t mbd_observer_options_default(void);

/// Size of an observer in bytes; 0 if the model is NULL or not finalized.
MBD_PUBLIC
size_t mbd_observer_size(const mbd_model_t * model);

/// Create an observer in memory owned by the caller.
/// \param[in] options  or NULL for the defaults
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_TOO_SMALL,
///   MBD_ERROR_BAD_ARGUMENT (an option)
///
/// Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_observer_init(
  const mbd_model_t * model, const mbd_observer_options_t * options, void * memory, size_t size,
  mbd_observer_t ** observer);

/// Create an observer with malloc.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_observer_create(
  const mbd_model_t * model, const mbd_observer_options_t * options, mbd_observer_t ** observer);

/// Free an observer created by mbd_observer_create; NULL is allowed.
MBD_PUBLIC
void mbd_observer_destroy(mbd_observer_t * observer);

/// Reset the observer: the next update only initialises it. Call this after a pause or a change of
/// payload.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_observer_reset(mbd_observer_t * observer);

/// One step of the observer. Needs the velocity stage at the end of the step; friction and rotors are
/// included if selected by mbd_set_terms. The first step after a reset gives zero.
/// \param[in] tau  torque of the motors at the end of the step, model->nv [N m, N]
/// \param[in] dt   time since the previous step [s], > 0
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT (dt), MBD_ERROR_NOT_FINITE, MBD_ERROR_MIMIC. On error, the estimate is
///   unchanged.
///
/// Complexity O(N) | Allocates no | Thread-safe per observer and data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_observer_update(
  mbd_observer_t * observer, mbd_data_t * data, const double * tau, double dt);

/// Wrench at a frame that is equivalent to the estimated torques: Lambda J M^-1 tau_ext. Exact if this
/// wrench is the only external force and the frame Jacobian has full row rank; otherwise its observable
/// part. Needs the position stage.
/// \param[out] f  moment and force in the reference
/// \return as mbd_operational_space_inertia
///
/// Complexity O(N) | Allocates no | Thread-safe per observer and data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_observer_wrench(
  const mbd_observer_t * observer, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_force_t * f);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__OBSERVER_H_
