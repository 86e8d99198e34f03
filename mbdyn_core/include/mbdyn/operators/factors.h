/// \file operators/factors.h
/// The mass matrix as an operator: products and solves in O(N), without forming it.
///
///   mbd_mass_product            y = M x                                       Jain (4.6)
///   mbd_mass_solve              y = M^-1 x                                    Jain (7.18)
///   mbd_mass_sqrt               y = L x, L^T x, L^-1 x or L^-T x, M = L L^T   Jain (7.14)
///   mbd_mass_factors            the factors F = I + H phi K and D             Jain (7.14)
///   mbd_mass_log_determinant    log det M = sum of log det D                  Jain (9.53)
///   mbd_mass_trace              trace M = sum of trace H R H^T                Jain (4.21)
///   mbd_mass_condition          ratio of largest to smallest eigenvalue of M
///
/// Innovations factorisation: M = F D F^T, M^-1 = (I - H psi K)^T D^-1 (I - H psi K). With bodies
/// numbered from base to tip, F is unit upper triangular. The factors are the articulated stage:
/// computed once per configuration and used for any number of right-hand sides. Rotor inertia is
/// included if selected by mbd_set_terms.
#ifndef MBDYN__OPERATORS__FACTORS_H_
#define MBDYN__OPERATORS__FACTORS_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Products with the square root L = F D^1/2 of the mass matrix.
typedef enum mbd_sqrt_op {
  MBD_SQRT = 0,                   ///< L x: white noise to momenta with covariance M
  MBD_SQRT_TRANSPOSE = 1,         ///< L^T x: quasi-velocities; 1/2 |L^T v|^2 is the kinetic energy
  MBD_SQRT_INVERSE = 2,           ///< L^-1 x
  MBD_SQRT_INVERSE_TRANSPOSE = 3  ///< L^-T x: white noise to velocities with covariance M^-1
} mbd_sqrt_op_t;

/// Product y = M x. Needs the position stage.
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

/// Solve y = M^-1 x. Needs the position stage; computes the articulated stage if necessary.
/// \return as mbd_mass_product, and MBD_ERROR_MASSLESS_SUBTREE (data->error_body)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_solve(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y);

/// Product with the square root of the mass matrix. Needs the position stage.
/// \return as mbd_mass_solve, and MBD_ERROR_BAD_ARGUMENT (op)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_sqrt(
  const mbd_model_t * model, mbd_data_t * data, mbd_sqrt_op_t op, const double * x, double * y);

/// The innovations factors F and D as matrices. Needs the position stage.
/// \param[out] F  I + H phi K, row-major nv x nv, or NULL
/// \param[out] D  block-diagonal hinge inertias, row-major nv x nv, or NULL
/// \return as mbd_mass_solve
///
/// Complexity O(N^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_factors(const mbd_model_t * model, mbd_data_t * data, double * F, double * D);

/// Natural logarithm of det M. Needs the position stage.
/// \return as mbd_mass_solve
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_log_determinant(
  const mbd_model_t * model, mbd_data_t * data, double * log_det);

/// Trace of M. Needs the position stage.
/// \return as mbd_mass_product
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_trace(const mbd_model_t * model, mbd_data_t * data, double * trace);

/// Condition number of the mass matrix: ratio of its largest to its smallest eigenvalue. Needs the
/// position stage.
/// \param[in]  work       2 nv^2 doubles
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
