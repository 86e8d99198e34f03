/// \file dynamics/regressor.h
/// Regressors: dynamics as a linear function of the inertial parameters, and base parameters.
///
///   mbd_parameter_count         number of parameters of a model
///   mbd_parameters_get          current parameters
///   mbd_parameters_check        physical consistency of the parameters of one body
///   mbd_model_with_parameters   copy of a model with other parameters
///   mbd_torque_regressor        tau = Y theta
///   mbd_momentum_regressor      p = M v = Y theta
///   mbd_energy_regressor        kinetic and potential energy, one row each
///   mbd_base_parameters         identifiable parameters by QR with column pivoting
///
/// Parameters: for each moving body, in the order of the bodies, ten numbers about the origin of
/// its link frame in link axes: mass, first moment x y z, inertia xx xy xz yy yz zz (mbd_inertia_t,
/// including merged links). With drives, these are followed by three parameters per degree of freedom:
/// viscous friction, Coulomb friction, reflected rotor inertia. For an embedded model (embedding.h) the
/// drives of all joints of the spanning tree are included, also those of dependent joints.
#ifndef MBDYN__DYNAMICS__REGRESSOR_H_
#define MBDYN__DYNAMICS__REGRESSOR_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Number of parameters: 10 nbody, plus 3 nv (of the spanning tree) with drives; 0 if the model is NULL
/// or not finalized.
MBD_PUBLIC
int mbd_parameter_count(const mbd_model_t * model, bool drives);

/// Current parameters, including payloads.
/// \param[out] theta  mbd_parameter_count doubles
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_parameters_get(
  const mbd_model_t * model, mbd_data_t * data, bool drives, double * theta);

/// Check the physical consistency of the ten parameters of a body: positive mass, and a positive
/// semidefinite pseudo-inertia matrix [tr(I)/2 - I, h; h^T, m].
/// \param[in]  theta   ten parameters
/// \param[out] margin  smallest eigenvalue of that matrix, scaled to equal units, over its trace; > 0
///   for a body with volume, 0 for a planar body, a rod or a point; or NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_INERTIA
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_parameters_check(const double * theta, double * margin);

/// Copy of a model with other parameters. Links that were merged into a moving body become massless
/// frames: their inertia is part of the body's parameters.
/// \param[in]  theta  mbd_parameter_count(model, drives) values
/// \param[out] out    a new, finalized model; free with mbd_model_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_INERTIA, MBD_ERROR_BAD_JOINT (negative friction, or different drive parameters
///   for degrees of freedom of one joint), MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_with_parameters(
  const mbd_model_t * model, bool drives, const double * theta, mbd_model_t ** out);

/// Torque regressor: tau = Y theta is the inverse dynamics of the rigid bodies (and drives). Needs the
/// velocity stage.
/// \param[in]  qdd  model->nv, or NULL: zero
/// \param[out] Y    row-major nv x mbd_parameter_count
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE, MBD_ERROR_MIMIC
///
/// Complexity O(N depth) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_torque_regressor(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, bool drives, double * Y);

/// Momentum regressor: p = M v = Y theta of the rigid bodies. Needs the velocity stage.
/// \param[out] Y  row-major nv x 10 nbody
/// \return as mbd_torque_regressor
///
/// Complexity O(N depth) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_momentum_regressor(const mbd_model_t * model, mbd_data_t * data, double * Y);

/// Energy regressors: kinetic and potential energy as products of a row with the bodies' parameters.
/// Needs the velocity stage.
/// \param[out] kinetic, potential  10 nbody numbers each; either may be NULL
/// \return as mbd_torque_regressor
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_energy_regressor(
  const mbd_model_t * model, mbd_data_t * data, double * kinetic, double * potential);

/// Base parameters by QR with column pivoting of stacked regressors W: independent columns, and the
/// dependence of the others on them. With A = W[:, pivot], A[:, rank..] = A[:, ..rank] K, and the base
/// parameters are theta[pivot[..rank]] + K theta[pivot[rank..]].
/// \param[in]     rows, columns  of W, rows >= columns
/// \param[in,out] W              row-major; overwritten
/// \param[in]     tolerance      columns with a residual below tolerance times the largest column of W
///   are dependent, e.g. 1e-9
/// \param[out]    pivot          column indices [columns]
/// \param[out]    rank           number of independent columns
/// \param[out]    K              row-major rank x (columns - rank); columns^2 / 4 doubles suffice; or
///   NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE
///
/// Complexity O(rows columns^2) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_base_parameters(
  int rows, int columns, double * W, double tolerance, int * pivot, int * rank, double * K);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__REGRESSOR_H_
