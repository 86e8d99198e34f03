/// \file operators.h
/// Spatial operators, factorisations of the mass matrix, and other formulations of the dynamics.
///
///   operators/spatial_operators.h  phi, psi, joint forces   operators/factors.h      M = F D F^T
///   operators/sko.h          SKO models, nodes of any size  operators/diagonal.h     quasi-velocities
///   operators/sparse_mass.h  sparse storage of M            operators/graph.h        spanning trees
///   operators/free_flyer.h   floating-base robots           operators/reroot.h       another base
///   operators/dh.h           Denavit-Hartenberg tables      operators/noc.h          Angeles' NOC
///   operators/divide.h       divide and conquer: long chains on several threads
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
