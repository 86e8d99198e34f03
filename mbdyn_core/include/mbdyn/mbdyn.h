/// \file mbdyn.h
/// Real-time multibody dynamics of robots in C: the functions that most programs need.
///
/// **Prefixes.** `mbd_` is the core library. `mbdu_` are utilities: static inline functions on the
/// types of types.h, without a model. `mbdx_` is the library mbdyn_urdf, which reads files. `MBD_`
/// and `MBDX_` are the constants of these libraries.
///
/// **Books.** Equation numbers name the book: Jain is A. Jain, Robot and Multibody Dynamics: Analysis
/// and Algorithms, Springer 2011. Angeles is J. Angeles, Fundamentals of Robotic Mechanical Systems,
/// chapter 7, Dynamics of Serial Robotic Manipulators. Haug is E. J. Haug, Computer-Aided Kinematics and
/// Dynamics of Mechanical Systems, vol. II: Modern Methods, 3rd edition, 2022.
///
///   types.h       vectors, placements, inertias         spatial.h     spatial algebra
///   status.h      error codes                           order.h       angular first <-> linear first
///   model.h       the robot, constant                   data.h        workspace of one thread
///   kinematics.h  placements, velocities                jacobian.h    Jacobians and products
///   inverse.h     inverse dynamics, gravity, bias       forward.h     forward dynamics
///   inertia.h     mass matrix, energy, momentum         opspace.h     operational space of a frame
///   integrate.h   configurations as a manifold          payload.h     tools and payloads
///   ik.h          inverse kinematics                    measure.h     scalar functions of the configuration
///   manipulator.h inputs and outputs, singularities     self_motion.h redundancy, obstacles (clearance.h)
///
/// The rest is in five folders, each with an umbrella header of the same name:
///
///   dynamics.h     derivatives, batches, Coriolis matrix, regressor, momentum observer, ...
///   constraints.h  loop closures, gears, contact, joint limits
///   simulate.h     simulation in time: integrators, charts, events
///   flexible.h     flexible links
///   operators.h    spatial operators, factorizations, graphs, Denavit-Hartenberg tables, ...
///
/// This header does not include urdf.h, which loads robots from URDF (library mbdyn_urdf): the core
/// depends only on libc, its threads and libm.
#ifndef MBDYN__MBDYN_H_
#define MBDYN__MBDYN_H_

#include "mbdyn/clearance.h"
#include "mbdyn/data.h"
#include "mbdyn/forward.h"
#include "mbdyn/ik.h"
#include "mbdyn/inertia.h"
#include "mbdyn/integrate.h"
#include "mbdyn/inverse.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/manipulator.h"
#include "mbdyn/measure.h"
#include "mbdyn/model.h"
#include "mbdyn/opspace.h"
#include "mbdyn/order.h"
#include "mbdyn/payload.h"
#include "mbdyn/self_motion.h"
#include "mbdyn/spatial.h"
#include "mbdyn/status.h"
#include "mbdyn/types.h"
#include "mbdyn/visibility.h"

#endif  // MBDYN__MBDYN_H_
