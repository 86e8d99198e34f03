/// \file dynamics.h
/// Further dynamics: derivatives, batches, identification, observers.
///
///   dynamics/batch.h        many states at once           dynamics/derivatives.h  state derivatives
///   dynamics/batch_f32.h    the same in single precision  dynamics/second_derivatives.h  Hessians
///   dynamics/coriolis.h     Coriolis matrix, Christoffel  dynamics/momentum.h     momentum, power
///   dynamics/regressor.h    inertial parameters           dynamics/observer.h     external torques
///   dynamics/hybrid.h       some joints torque-driven, others acceleration-driven
///   dynamics/task.h         operational-space dynamics and control of several frames
///   dynamics/compliance.h   operational-space compliance of every body
///   dynamics/response.h     accelerations due to wrenches, velocity jumps due to impulses
///   dynamics/dissipation.h  friction with Stribeck effect, from a dissipation function
///   dynamics/element.h      springs, bushings and actuators between links
///   dynamics/bearing.h      joint friction that grows with the load
///   dynamics/support.h      torques and contact forces of robots that stand on frames
#ifndef MBDYN__DYNAMICS_H_
#define MBDYN__DYNAMICS_H_

#include "mbdyn/dynamics/batch.h"
#include "mbdyn/dynamics/batch_f32.h"
#include "mbdyn/dynamics/bearing.h"
#include "mbdyn/dynamics/compliance.h"
#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/dynamics/dissipation.h"
#include "mbdyn/dynamics/element.h"
#include "mbdyn/dynamics/hybrid.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/dynamics/observer.h"
#include "mbdyn/dynamics/regressor.h"
#include "mbdyn/dynamics/response.h"
#include "mbdyn/dynamics/second_derivatives.h"
#include "mbdyn/dynamics/support.h"
#include "mbdyn/dynamics/task.h"

#endif  // MBDYN__DYNAMICS_H_
