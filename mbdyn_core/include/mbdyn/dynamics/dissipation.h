/// \file dynamics/dissipation.h
/// Friction of joints that comes from a dissipation function (Angeles, 7.8).
///
///   mbd_dissipation_default   no friction
///   mbd_dissipation_force     delta = -dD/dv, to be added to the torques  Angeles (7.132), (7.138)
///   mbd_rayleigh_function     D(v) itself
///   mbd_dissipation_power     what is turned into heat: -delta . v, never negative
///
/// Per joint, with |v| made smooth by r(v) = sqrt(v^2 + s^2) - s:
///
///   D = b/2 v^2 + c r + (e/k) (1 - exp(-k r))
///   delta = -b v - (c + e exp(-k r)) v / sqrt(v^2 + s^2)
///
/// b viscous, c Coulomb, e what is added at low speed (Stribeck) and k how fast that dies away. With
/// s = 0 it is the text's, delta being 0 at rest; with s > 0 a simulation can cross v = 0. The energy
/// lost is the integral of the power; D is half of it for viscous friction, all of it for Coulomb's.
///
/// mbd_friction (inverse.h) is what the drives of a model have: viscous and Coulomb with tanh.
#ifndef MBDYN__DYNAMICS__DISSIPATION_H_
#define MBDYN__DYNAMICS__DISSIPATION_H_

#include "mbdyn/status.h"
#include "mbdyn/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Friction of one joint; nothing in it is negative.
typedef struct mbd_dissipation {
  double viscous;   ///< b [N m s/rad or N s/m]                        Angeles (7.128)
  double coulomb;   ///< c [N m or N]                                  Angeles (7.133)
  double stribeck;  ///< e, on top of c when the joint starts to move [N m or N]     Angeles (7.136)
  double decay;     ///< k [s/rad or s/m]; 0: e stays at every speed
  double smooth;    ///< s [rad/s or m/s]
} mbd_dissipation_t;

/// No friction at all.
MBD_PUBLIC
mbd_dissipation_t mbd_dissipation_default(void);

/// Generalized forces of friction.
/// \param[in]  n         joints
/// \param[in]  friction  [n]
/// \param[in]  v         [n] [rad/s or m/s]
/// \param[out] delta     [n] [N m or N]: against v; may alias v
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (n or a number negative),
///   MBD_ERROR_NOT_FINITE; delta is not written on an error
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

/// Power that friction takes out of the robot.
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
