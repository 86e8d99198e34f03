/// \file dynamics/dissipation.h
/// Joint friction derived from a dissipation function (Angeles, section 7.8).
///
///   mbd_dissipation_default   no friction
///   mbd_dissipation_force     delta = -dD/dv, to be added to the torques  Angeles (7.132), (7.138)
///   mbd_rayleigh_function     D(v) itself
///   mbd_dissipation_power     dissipated power -delta . v, never negative
///
/// For each joint, with |v| smoothed by r(v) = sqrt(v^2 + s^2) - s:
///
///   D = b/2 v^2 + c r + (e/k) (1 - exp(-k r))
///   delta = -b v - (c + e exp(-k r)) v / sqrt(v^2 + s^2)
///
/// with b viscous friction, c Coulomb friction, e Stribeck friction at low speed and k its decay. With
/// s = 0 this is the function of Angeles, with delta = 0 at rest; with s > 0 it is smooth at v = 0, for
/// simulation. The dissipated energy is the integral of the power; D is half the power for viscous
/// friction and equal to it for Coulomb friction.
///
/// mbd_friction (inverse.h) is the friction of the drives of a model: viscous, and Coulomb with tanh.
#ifndef MBDYN__DYNAMICS__DISSIPATION_H_
#define MBDYN__DYNAMICS__DISSIPATION_H_

#include "mbdyn/status.h"
#include "mbdyn/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Friction of one joint; all values are non-negative.
typedef struct mbd_dissipation {
  double viscous;   ///< b [N m s/rad or N s/m]                        Angeles (7.128)
  double coulomb;   ///< c [N m or N]                                  Angeles (7.133)
  double stribeck;  ///< e, in addition to c at low speed [N m or N]      Angeles (7.136)
  double decay;     ///< k, decay of e with speed [s/rad or s/m]; 0: no decay
  double smooth;    ///< s, smoothing velocity [rad/s or m/s]
} mbd_dissipation_t;

/// Default: no friction.
MBD_PUBLIC
mbd_dissipation_t mbd_dissipation_default(void);

/// Generalized forces of friction.
/// \param[in]  n         number of joints
/// \param[in]  friction  [n]
/// \param[in]  v         [n] [rad/s or m/s]
/// \param[out] delta     [n] [N m or N], opposed to v; may alias v
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (negative n or coefficient),
///   MBD_ERROR_NOT_FINITE; delta is not written on error
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_dissipation_force(
  int n, const mbd_dissipation_t * friction, const double * v, double * delta);

/// Rayleigh's dissipation function of all joints.
/// \param[out] D  [W]
/// \return as mbd_dissipation_force
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_rayleigh_function(
  int n, const mbd_dissipation_t * friction, const double * v, double * D);

/// Power dissipated by friction.
/// \param[out] power  -delta . v [W]
/// \return as mbd_dissipation_force
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_dissipation_power(
  int n, const mbd_dissipation_t * friction, const double * v, double * power);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__DISSIPATION_H_
