/// \file constraints/gear.h
/// Motors as what they are: rotors that sit on one link, turn with a joint by a gear, and carry their
/// own spin about.
///
///   mbd_motor_spec_default    a motor to fill in
///   mbd_model_add_motor       a rotor on a link, geared to a joint: exact dynamics (chapter 12)
///   mbd_model_add_motors      one for every drive with rotor inertia
///   mbd_elastic_torque        springs between motors and joints: elastic transmissions
///   mbd_rotor_error           what the usual approximation gets wrong
///
/// The usual approximation adds ratio^2 J to the diagonal of the mass matrix (MBD_TERM_ROTORS). It
/// leaves out that the rotor turns with the link it sits on, too: terms ratio J between joints, and
/// the gyroscopic moments of a spinning rotor that is carried about. Here the rotor is a body, and
/// the gear a coupling: mbd_model_embed makes one degree of freedom of motor and joint, at little
/// more than the cost of the joint alone.
#ifndef MBDYN__CONSTRAINTS__GEAR_H_
#define MBDYN__CONSTRAINTS__GEAR_H_

#include "mbdyn/constraints/closure.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A motor, as given to mbd_model_add_motor.
typedef struct mbd_motor_spec {
  const char * name;      ///< of the rotor: link and, with "_spin" after it, joint; unique
  const char * joint;     ///< that it drives: of one degree of freedom; may be added later
  int mount;              ///< frame index of the link it sits on, or MBD_WORLD_BODY
  mbd_placement_t X;      ///< rotor frame in that link; it turns about `axis` through its origin
  mbd_vec3_t axis;        ///< in the rotor frame
  double ratio;           ///< rotor angle per joint coordinate [1, or rad/m]; may be negative
  mbd_inertia_t inertia;  ///< of the rotor about the rotor frame's origin: symmetric about its axis
  /// The link's inertia has the rotor in it already, as if it were fixed to it: what spins is taken
  /// off the link again.
  bool in_link;
  /// No gear: the rotor turns freely, and mbd_elastic_torque ties it to its joint.
  bool elastic;
} mbd_motor_spec_t;

/// About z at the origin of the world, ratio 1, no inertia: to be filled in.
MBD_PUBLIC
mbd_motor_spec_t mbd_motor_spec_default(void);

/// Add a motor: a body on its mount, and the coupling q_rotor = ratio q_joint.
/// \param[in,out] model  not yet finalized
/// \param[in]     spec   names are copied
/// \param[out]    frame  of the rotor, or NULL
/// \return as mbd_model_add_body and mbd_model_add_closure; MBD_ERROR_BAD_INERTIA if the inertia is
///   not symmetric about the axis, or more than the link has
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_add_motor(mbd_model_t * model, const mbd_motor_spec_t * spec, int * frame);

/// A motor for every drive with rotor inertia (mbd_drive_t) of a joint that turns or slides: on the
/// link that carries the joint, at the joint, about its axis, its mass already in the link. These
/// drives then have no rotor inertia any more, so that MBD_TERM_ROTORS does not count it twice.
/// \param[in,out] model  not yet finalized
/// \param[out]    n      motors that were added, or NULL
/// \return as mbd_model_add_motor
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_add_motors(mbd_model_t * model, int * n);

/// A spring and a damper between a motor and a joint, in the joint's coordinate.
typedef struct mbd_elastic {
  int motor, joint;  ///< bodies: mbd_find_joint
  double ratio;      ///< rotor angle per joint coordinate, not zero
  double stiffness;  ///< [N m/rad or N/m]
  double damping;    ///< [N m s/rad or N s/m]
} mbd_elastic_t;

/// Add the torques of elastic transmissions: with e = q_motor / ratio - q_joint,
///   tau_joint += k e + d e',  tau_motor -= (k e + d e') / ratio
/// so that motors of series-elastic joints can be driven by their own torques.
/// \param[in]     q, v     of a model whose motors are joints of their own
/// \param[in]     elastic  [n]
/// \param[in,out] tau      model->nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_BAD_ARGUMENT (bodies
///   that are not of one degree of freedom, ratio 0), MBD_ERROR_NOT_FINITE; tau is then as it was
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_elastic_torque(
  const mbd_model_t * model, const mbd_elastic_t * elastic, int n, const double * q,
  const double * v, double * tau);

/// What the diagonal approximation gets wrong in the mass matrix: the largest difference of an entry
/// to that with the motors as bodies, by the root of the diagonal entries of its row and column.
/// \param[in]  exact     mass matrix of the embedded model with motors, row-major n x n
/// \param[in]  diagonal  mass matrix with reflected inertia on the diagonal
/// \param[out] row, column  where, or NULL
/// \return 0 where they agree
MBD_PUBLIC
double mbd_rotor_error(
  int n, const double * exact, const double * diagonal, int * row, int * column);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CONSTRAINTS__GEAR_H_
