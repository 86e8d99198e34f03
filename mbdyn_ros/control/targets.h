/// \file targets.h
/// Targets of the task frame, gravity and wrenches, as others ask for them, to the controller: checked, and turned to
/// world axes.
///
///   target_take
#ifndef MBDYN_ROS__TARGETS_H_
#define MBDYN_ROS__TARGETS_H_

#include "controller.h"

typedef enum target_kind {
  TARGET_POSE,     ///< x y z, quaternion x y z w of any length
  TARGET_TWIST,    ///< linear, angular
  TARGET_WRENCH,   ///< that the task frame is to exert: force, moment
  TARGET_GRAVITY,  ///< at most ten times the earth's
  TARGET_ON_FRAME  ///< wrench of the environment on the frame; a second one replaces the first
} target_kind_t;

/// How many numbers a kind has.
int target_numbers(target_kind_t kind);

/// \return whether it can be meant: finite, within bounds, a quaternion with a direction
bool target_sane(target_kind_t kind, const double * x);

/// \param[in] frame    whose axes (and origin, of a pose) x has, in the state last computed; -1: the world
/// \param[in] arrival  of the steady clock [ns]
/// \return false, with nothing changed, if it is refused
bool target_take(
  controller_t * controller, target_kind_t kind, int frame, const double * x, int64_t arrival);

#endif  // MBDYN_ROS__TARGETS_H_
