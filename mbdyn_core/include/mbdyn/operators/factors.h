/// \file operators/factors.h
/// The mass matrix as an operator: products and solves in O(N), without forming it.
///
///   mbd_mass_product            y = M x                                       Jain (4.6)
///   mbd_mass_solve              y = M^-1 x                                    Jain (7.18)
///   mbd_mass_sqrt               y = L x, L^T x, L^-1 x or L^-T x, M = L L^T   Jain (7.14)
///   mbd_mass_factors            the factors F = I + H phi K and D themselves  Jain (7.14)
///   mbd_mass_log_determinant    log det M = sum of log det D                  Jain (9.53)
///   mbd_mass_trace              trace M = sum of trace H R H^T                Jain (4.21)
///   mbd_mass_condition          largest by smallest eigenvalue of M
///
/// Innovations factorisation: M = F D F^T, M^-1 = (I - H psi K)^T D^-1 (I - H psi K). With bodies
/// numbered base to tip F is unit upper triangular. The factors are the articulated stage: computed
/// once for a configuration, used for any number of right-hand sides. Rotor inertia is counted in
/// if mbd_set_terms says so.
#ifndef MBDYN__OPERATORS__FACTORS_H_
#define MBDYN__OPERATORS__FACTORS_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which product with the square root L = F D^1/2 of the mass matrix.
typedef enum mbd_sqrt_op {
  MBD_SQRT = 0,                   ///< L x: white noise in, velocities' momenta of covariance M out
  MBD_SQRT_TRANSPOSE = 1,         ///< L^T x: quasi-velocities of unit mass; 1/2 |L^T v|^2 is energy
  MBD_SQRT_INVERSE = 2,           ///< L^-1 x
  MBD_SQRT_INVERSE_TRANSPOSE = 3  ///< L^-T x: white noise in, velocities of covariance M^-1 out
} mbd_sqrt_op_t;

/// y = M x. Needs the position stage.
/// \param[in]  x  model->nv
/// \param[out] y  model->nv; may alias x
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE, MBD_ERROR_MIMIC
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_product(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y);

/// y = M^-1 x. Needs the position stage; computes the articulated stage if need be.
/// \return as mbd_mass_product, and MBD_ERROR_MASSLESS_SUBTREE (data->error_body)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_solve(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y);

/// A product with the square root of the mass matrix. Needs the position stage.
/// \return as mbd_mass_solve, and MBD_ERROR_BAD_ARGUMENT (op)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_sqrt(
  const mbd_model_t * model, mbd_data_t * data, mbd_sqrt_op_t op, const double * x, double * y);

/// The factors themselves. Needs the position stage.
/// \param[out] F  I + H phi K, row-major nv x nv, or NULL
/// \param[out] D  block-diagonal hinge inertias, row-major nv x nv, or NULL
/// \return as mbd_mass_solve
///
/// Complexity O(N^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_factors(const mbd_model_t * model, mbd_data_t * data, double * F, double * D);

/// log det M (natural). Needs the position stage.
/// \return as mbd_mass_solve
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_log_determinant(
  const mbd_model_t * model, mbd_data_t * data, double * log_det);

/// trace M. Needs the position stage.
/// \return as mbd_mass_product
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_trace(const mbd_model_t * model, mbd_data_t * data, double * trace);

/// Condition number of the mass matrix: its largest eigenvalue by its smallest. Needs the position
/// stage.
/// \param[in]  work       2 nv^2 numbers
/// \param[out] condition  at least 1; 1 for a robot without joints
/// \return as mbd_mass_product, and MBD_ERROR_SINGULAR if M is not positive definite
///
/// Complexity O(N^3) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_condition(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * condition);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__FACTORS_H_
