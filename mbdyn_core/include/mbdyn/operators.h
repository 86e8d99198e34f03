/// \file operators.h
/// The mass matrix as a product of operators, and other formulations of the same dynamics.
///
///   operators/spatial_operators.h  phi, psi, joint forces   operators/factors.h      M = L D L^T
///   operators/sko.h          SKO models, nodes of any size  operators/diagonal.h     quasi-velocities
///   operators/sparse_mass.h  sparse storage of M            operators/graph.h        bodies, joints
///   operators/free_flyer.h   floating-base robots           operators/reroot.h       another base
///   operators/dh.h           Denavit-Hartenberg tables      operators/noc.h          Angeles' NOC
///   operators/divide.h       divide and conquer, long chains by threads
#ifndef MBDYN__OPERATORS_H_
#define MBDYN__OPERATORS_H_

#include "mbdyn/operators/dh.h"
#include "mbdyn/operators/diagonal.h"
#include "mbdyn/operators/divide.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/operators/free_flyer.h"
#include "mbdyn/operators/graph.h"
#include "mbdyn/operators/noc.h"
#include "mbdyn/operators/reroot.h"
#include "mbdyn/operators/sko.h"
#include "mbdyn/operators/sparse_mass.h"
#include "mbdyn/operators/spatial_operators.h"

#endif  // MBDYN__OPERATORS_H_
