/// \file dynamics/momentum.h
/// Generalised and centroidal momentum, their rates, and the power balance.
///
///   mbd_momentum              p = M v, O(N)                                        Jain (4.42)
///   mbd_momentum_rate         pdot = tau + C^T v - g + J^T f                       Jain (4.43)
///   mbd_energy_rates          power balance                                       Jain (4.34)
///   mbd_centroidal_matrix     A: momentum about the centre of mass = A v           Jain (4.14)
///   mbd_centroidal_bias       Adot v
///   mbd_average_velocity      velocity of a rigid body with the same momentum      Jain Ex. 4.1
///   mbd_com_jacobian          velocity of the centre of mass = J v
///   mbd_momentum_nulling      base velocity for zero momentum                      Jain Ex. 4.1.4
///
/// inertia.h has the momentum itself (mbd_centroidal_momentum).
#ifndef MBDYN__DYNAMICS__MOMENTUM_H_
#define MBDYN__DYNAMICS__MOMENTUM_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Generalised momentum p = M v, including rotors if selected by mbd_set_terms. The inverse v = M^-1 p
/// is mbd_mass_solve. Needs the velocity stage.
/// \param[out] p  model->nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_MIMIC
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_momentum(const mbd_model_t * model, mbd_data_t * data, double * p);

/// Time derivative of the generalised momentum, which does not require accelerations:
///   pdot = tau + C^T v - g + sum_k J_k^T f_k, minus friction if selected by mbd_set_terms
/// Needs the velocity stage.
/// \param[in]  tau    model->nv, or NULL: zero
/// \param[in]  f_ext  wrenches on frames, or NULL
/// \param[out] pdot   model->nv; may alias tau
/// \return as mbd_momentum, and MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_momentum_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * pdot);

/// Powers [W]; kinetic + potential = actuation + external - friction.
typedef struct mbd_power_balance {
  double kinetic;    ///< rate of the kinetic energy
  double potential;  ///< rate of the potential energy
  double actuation;  ///< tau . v
  double external;   ///< power of the external wrenches
  double friction;   ///< dissipated power; 0 unless friction is selected by mbd_set_terms
} mbd_energy_rates_t;

/// Power balance of the robot. Needs the velocity stage.
/// \param[in] tau    model->nv, or NULL: zero
/// \param[in] f_ext  wrenches on frames, or NULL
/// \return as mbd_momentum_rate
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_energy_rates(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  mbd_energy_rates_t * rates);

/// Centroidal momentum matrix A: momentum of all moving bodies about their centre of mass, in world
/// axes, is A v. Needs the position stage.
/// \param[out] A  row-major 6 x nv: rows 0-2 angular, 3-5 linear
/// \return as mbd_momentum, and MBD_ERROR_MASSLESS_SUBTREE if no moving body has mass
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_centroidal_matrix(const mbd_model_t * model, mbd_data_t * data, double * A);

/// Adot v: the rate of the centroidal momentum at zero joint acceleration; its linear part divided by the
/// mass is Jdot v of the centre of mass. Needs the velocity stage.
/// \return as mbd_centroidal_matrix
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_centroidal_bias(const mbd_model_t * model, mbd_data_t * data, mbd_force_t * bias);

/// Average velocity: that of a rigid body with the robot's composite inertia and momentum, at the centre
/// of mass in world axes. Needs the velocity stage.
/// \return as mbd_centroidal_matrix; MBD_ERROR_SINGULAR if all mass lies on one line
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_average_velocity(const mbd_model_t * model, mbd_data_t * data, mbd_motion_t * V);

/// Jacobian of the centre of mass of all moving bodies, in world axes. Needs the position stage.
/// \param[out] J  row-major 3 x nv
/// \return as mbd_centroidal_matrix
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_com_jacobian(const mbd_model_t * model, mbd_data_t * data, double * J);

/// Velocity of a floating base for which the momentum of its tree is zero, with unchanged velocities of
/// all other joints. Needs the velocity stage.
/// \param[in]  body  floating base body; in an embedded model it must not be part of a loop
/// \param[out] v     model->nv: the current velocity with the entries of the base replaced
/// \return as mbd_average_velocity, and MBD_ERROR_BAD_ARGUMENT (body)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_momentum_nulling(
  const mbd_model_t * model, mbd_data_t * data, int body, double * v);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__MOMENTUM_H_
