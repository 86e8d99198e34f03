/// \file simulate.h
/// Simulation in time.
///
///   simulate/simulation.h  simulation of a model: integration, events, energy balance
///   simulate/chart.h       local minimal coordinates of models with closures
///   simulate/driven.h      kinematics of driven mechanisms: lock-up, bifurcations
///   simulate/ode.h         integrators of ordinary differential equations
#ifndef MBDYN__SIMULATE_H_
#define MBDYN__SIMULATE_H_

#include "mbdyn/simulate/chart.h"
#include "mbdyn/simulate/driven.h"
#include "mbdyn/simulate/ode.h"
#include "mbdyn/simulate/simulation.h"

#endif  // MBDYN__SIMULATE_H_
