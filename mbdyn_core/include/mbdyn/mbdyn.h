/// \file mbdyn.h
/// Everything in mbdyn_core: real-time multibody dynamics of robots, in C.
///
///   types.h       vectors, placements, inertias         spatial.h     their algebra
///   order.h       angular first <-> linear first        status.h      errors
///   model.h       the robot, constant                   data.h        a thread's workspace
///   kinematics.h  placements, velocities                jacobian.h    Jacobians and products
///   inverse.h     torques from motion                   forward.h     motion from torques
///   inertia.h     mass matrix, energy, momentum         factors.h     mass matrix as an operator
///   opspace.h     operational space of one frame        task.h        of many frames, by rows
///   compliance.h  how every body answers a push         response.h    what wrenches alone do
///   coriolis.h    Coriolis matrix, Mdot, Christoffel    momentum.h    Hamiltonian form, centroidal
///   operators.h   phi, psi, views of joint forces       observer.h    external torques
///   regressor.h   linear in the parameters              payload.h     tools and loads
///   integrate.h   configurations as a manifold          batch.h       many states at once
///   hybrid.h      torques here, accelerations there     sko.h         engine for nodes of any size
///   derivatives.h by the state                          diagonal.h    quasi-velocities of unit mass
///   dh.h          Denavit-Hartenberg tables             noc.h         chains, by Angeles' method
///   dissipation.h friction from a dissipation function  flexible.h    links that bend
///   free_flyer.h  no link is special                    reroot.h      another link as the base
///   graph.h       bodies and joints as a graph          sparse_mass.h M without its zeros
///   limits.h      position limits, of loops too
///   divide.h      assembly at handles, long chains by threads
///
/// Reading robots from URDF is in urdf.h (library mbdyn_urdf), which this header leaves out: the
/// core needs nothing but libc, its threads and libm.
#ifndef MBDYN__MBDYN_H_
#define MBDYN__MBDYN_H_

#include "mbdyn/assembly.h"
#include "mbdyn/batch.h"
#include "mbdyn/closure.h"
#include "mbdyn/compliance.h"
#include "mbdyn/constrained.h"
#include "mbdyn/contact.h"
#include "mbdyn/coriolis.h"
#include "mbdyn/data.h"
#include "mbdyn/derivatives.h"
#include "mbdyn/dh.h"
#include "mbdyn/diagonal.h"
#include "mbdyn/dissipation.h"
#include "mbdyn/divide.h"
#include "mbdyn/embedding.h"
#include "mbdyn/factors.h"
#include "mbdyn/flexible.h"
#include "mbdyn/forward.h"
#include "mbdyn/free_flyer.h"
#include "mbdyn/gear.h"
#include "mbdyn/graph.h"
#include "mbdyn/hybrid.h"
#include "mbdyn/inertia.h"
#include "mbdyn/integrate.h"
#include "mbdyn/inverse.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/limits.h"
#include "mbdyn/model.h"
#include "mbdyn/momentum.h"
#include "mbdyn/noc.h"
#include "mbdyn/observer.h"
#include "mbdyn/operators.h"
#include "mbdyn/opspace.h"
#include "mbdyn/order.h"
#include "mbdyn/payload.h"
#include "mbdyn/regressor.h"
#include "mbdyn/reroot.h"
#include "mbdyn/response.h"
#include "mbdyn/sko.h"
#include "mbdyn/sparse_mass.h"
#include "mbdyn/spatial.h"
#include "mbdyn/status.h"
#include "mbdyn/task.h"
#include "mbdyn/types.h"

#endif  // MBDYN__MBDYN_H_
