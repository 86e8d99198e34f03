/// \file mbdyn.h
/// Real-time multibody dynamics of robots, in C: what most programs need.
///
///   types.h       vectors, placements, inertias         spatial.h     their algebra
///   status.h      error codes                           order.h       angular first <-> linear first
///   model.h       the robot, constant                   data.h        a thread's workspace
///   kinematics.h  placements, velocities                jacobian.h    Jacobians and products
///   inverse.h     inverse dynamics, gravity, bias       forward.h     forward dynamics
///   inertia.h     mass matrix, energy, momentum         opspace.h     operational space of a frame
///   integrate.h   configurations as a manifold          payload.h     tools and loads
///
/// The rest is in four folders, each with a header of its name that includes all of it:
///
///   dynamics.h     derivatives, batches, Coriolis matrix, regressor, momentum observer, ...
///   constraints.h  loop closures, gears, contact, joint limits
///   flexible.h     flexible links
///   operators.h    spatial operators, factorizations, graphs, Denavit-Hartenberg tables, ...
///
/// Reading robots from URDF is in urdf.h (library mbdyn_urdf), which this header leaves out: the
/// core needs nothing but libc, its threads and libm.
#ifndef MBDYN__MBDYN_H_
#define MBDYN__MBDYN_H_

#include "mbdyn/data.h"
#include "mbdyn/forward.h"
#include "mbdyn/inertia.h"
#include "mbdyn/integrate.h"
#include "mbdyn/inverse.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/model.h"
#include "mbdyn/opspace.h"
#include "mbdyn/order.h"
#include "mbdyn/payload.h"
#include "mbdyn/spatial.h"
#include "mbdyn/status.h"
#include "mbdyn/types.h"
#include "mbdyn/visibility.h"

#endif  // MBDYN__MBDYN_H_
