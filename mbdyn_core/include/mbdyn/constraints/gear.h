/// \file constraints/gear.h
/// Geared motors with exact rotor dynamics, and elastic transmissions.
///
///   mbd_motor_spec_default    default motor description
///   mbd_model_add_motor       add a rotor on a link, geared to a joint (Jain, chapter 12)
///   mbd_model_add_motors      add a motor for every drive with rotor inertia
///   mbd_elastic_torque        torques of elastic transmissions
///   mbd_rotor_error           error of the reflected-inertia approximation
///
/// The usual approximation adds the reflected inertia ratio^2 J to the diagonal of the mass matrix
/// (MBD_TERM_ROTORS). It neglects that the rotor also moves with the link on which it is mounted: coupling
/// terms ratio J between joints, and gyroscopic moments of the spinning rotor. Here the rotor is a body and
/// the gear a coupling; mbd_model_embed combines motor and joint into one degree of freedom, at little more
/// than the cost of the joint alone.
#ifndef MBDYN__CONSTRAINTS__GEAR_H_
#define MBDYN__CONSTRAINTS__GEAR_H_

#include "mbdyn/constraints/closure.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Description of a motor for mbd_model_add_motor.
typedef struct mbd_motor_spec {
  const char * name;      ///< unique name of the rotor link; its joint is NAME_spin
  const char * joint;     ///< driven joint with one degree of freedom; may be added later
  int mount;              ///< frame index of the link it is mounted on, or MBD_WORLD_BODY
  mbd_placement_t X;      ///< rotor frame in that link; it rotates about `axis` through its origin
  mbd_vec3_t axis;        ///< in the rotor frame
  double ratio;           ///< rotor angle per joint coordinate [1, or rad/m]; may be negative
  mbd_inertia_t inertia;  ///< of the rotor about the rotor frame's origin: symmetric about its axis
  /// The link's inertia already includes the rotor, as if it were fixed: the rotor inertia is subtracted
  /// from the link.
  bool in_link;
  /// No rigid gear: the rotor rotates freely, coupled to its joint by mbd_elastic_torque.
  bool elastic;
} mbd_motor_spec_t;

/// Default motor: axis z at the world origin, ratio 1, no inertia.
MBD_PUBLIC
mbd_motor_spec_t mbd_motor_spec_default(void);

/// Add a motor: a body on its mount, and the coupling q_rotor = ratio q_joint.
/// \param[in,out] model  not yet finalized
/// \param[in]     spec   names are copied
/// \param[out]    frame  frame index of the rotor, or NULL
/// \return as mbd_model_add_body and mbd_model_add_closure; MBD_ERROR_BAD_INERTIA if the inertia is
///   not symmetric about the axis, or exceeds that of the link (in_link)
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_add_motor(mbd_model_t * model, const mbd_motor_spec_t * spec, int * frame);

/// Add a motor for every drive with rotor inertia (mbd_drive_t) of a revolute or prismatic joint: on the
/// parent link, at the joint, about its axis, with its mass already included in the link. The rotor
/// inertia of these drives is set to zero, so that MBD_TERM_ROTORS does not count it twice.
/// \param[in,out] model  not yet finalized
/// \param[out]    n      number of motors added, or NULL
/// \return as mbd_model_add_motor
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_add_motors(mbd_model_t * model, int * n);

/// A spring and a damper between a motor and a joint, in the joint's coordinate.
typedef struct mbd_elastic {
  int motor, joint;  ///< body indices from mbd_find_joint
  double ratio;      ///< rotor angle per joint coordinate, not zero
  double stiffness;  ///< [N m/rad or N/m]
  double damping;    ///< [N m s/rad or N s/m]
} mbd_elastic_t;

/// Add the torques of elastic transmissions: with e = q_motor / ratio - q_joint,
///   tau_joint += k e + d e',  tau_motor -= (k e + d e') / ratio
/// for series-elastic actuators.
/// \param[in]     q, v     of a model with elastic motors
/// \param[in]     elastic  [n]
/// \param[in,out] tau      model->nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_BAD_ARGUMENT (bodies
///   without exactly one degree of freedom, ratio 0), MBD_ERROR_NOT_FINITE; on error, tau is unchanged
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_elastic_torque(
  const mbd_model_t * model, const mbd_elastic_t * elastic, int n, const double * q,
  const double * v, double * tau);

/// Error of the reflected-inertia approximation in the mass matrix: the largest difference of an entry
/// from the exact one, relative to sqrt(M_ii M_jj).
/// \param[in]  exact     mass matrix of the embedded model with motors, row-major n x n
/// \param[in]  diagonal  mass matrix with reflected inertia on the diagonal
/// \param[out] row, column  of that entry, or NULL
/// \return the relative error, 0 if the matrices agree
MBD_PUBLIC
double mbd_rotor_error(
  int n, const double * exact, const double * diagonal, int * row, int * column);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CONSTRAINTS__GEAR_H_
