/// \file dynamics/regressor.h
/// The dynamics as a linear function of the robot's parameters, and parameters as a robot.
///
///   mbd_parameter_count         how many parameters a model has
///   mbd_parameters_get          the parameters in use
///   mbd_parameters_check        one body's ten can be those of a rigid body
///   mbd_model_with_parameters   the same robot with other parameters
///   mbd_torque_regressor        tau = Y theta
///   mbd_momentum_regressor      p = M v = Y theta
///   mbd_energy_regressor        kinetic and potential energy, a row each
///   mbd_base_parameters         which columns count: QR with column pivoting
///
/// Parameters: for each moving body, in the order of the bodies, ten numbers about the origin of
/// its link frame in link axes: mass, first moment x y z, inertia xx xy xz yy yz zz (mbd_inertia_t;
/// what is merged into the body is part of it). With drives, for each degree of freedom three more,
/// after all bodies: viscous friction, Coulomb friction, reflected rotor inertia. Of an embedded model
/// (embedding.h) the drives of all joints of the spanning tree count, dependent ones included.
#ifndef MBDYN__DYNAMICS__REGRESSOR_H_
#define MBDYN__DYNAMICS__REGRESSOR_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// 10 nbody, and 3 nv (of the spanning tree) more with drives; 0 if the model is NULL or not finalized.
MBD_PUBLIC
int mbd_parameter_count(const mbd_model_t * model, bool drives);

/// The parameters in use, payloads included.
/// \param[out] theta  mbd_parameter_count numbers
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_parameters_get(
  const mbd_model_t * model, mbd_data_t * data, bool drives, double * theta);

/// Whether ten parameters can be those of a rigid body: mass positive, and a distribution of
/// positive mass has this inertia (the pseudo-inertia matrix [tr(I)/2 - I, h; h^T, m] is positive
/// semidefinite).
/// \param[in]  theta   ten numbers
/// \param[out] margin  smallest eigenvalue of that matrix, its units made alike, over its trace;
///   > 0 for a body of positive mass everywhere, 0 for a flat one or a point; or NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_INERTIA
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_parameters_check(const double * theta, double * margin);

/// The same robot with other parameters. Links that were merged into a moving body become massless
/// frames of it: their share is in the body's ten.
/// \param[in]  theta  mbd_parameter_count(model, drives) numbers
/// \param[out] out    a new, finalized model; give it to mbd_model_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_INERTIA, MBD_ERROR_BAD_JOINT (negative friction, or drive numbers that differ
///   within a joint), MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_with_parameters(
  const mbd_model_t * model, bool drives, const double * theta, mbd_model_t ** out);

/// tau = Y theta: inverse dynamics of the rigid bodies (and drives). Needs the velocity stage.
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

/// p = M v = Y theta of the rigid bodies. Needs the velocity stage.
/// \param[out] Y  row-major nv x 10 nbody
/// \return as mbd_torque_regressor
///
/// Complexity O(N depth) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_momentum_regressor(const mbd_model_t * model, mbd_data_t * data, double * Y);

/// Kinetic and potential energy as products of a row with the bodies' parameters. Needs the
/// velocity stage.
/// \param[out] kinetic, potential  10 nbody numbers each; either may be NULL
/// \return as mbd_torque_regressor
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_energy_regressor(
  const mbd_model_t * model, mbd_data_t * data, double * kinetic, double * potential);

/// QR with column pivoting of many regressors stacked: which columns are independent, and how the
/// others follow from them. With A = W[:, pivot], the first `rank` columns are the base parameters'
/// and A[:, rank..] = A[:, ..rank] K, so that the base parameters are
/// theta[pivot[..rank]] + K theta[pivot[rank..]].
/// \param[in]     rows, columns  of W, rows >= columns
/// \param[in,out] W              row-major; overwritten
/// \param[in]     tolerance      columns whose rest is below tolerance times the largest column of
/// W
///   count as dependent, e.g. 1e-9
/// \param[out]    pivot          columns
/// \param[out]    rank
/// \param[out]    K              room for rank x (columns - rank), row-major; columns^2 / 4
/// suffices;
///   or NULL
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
