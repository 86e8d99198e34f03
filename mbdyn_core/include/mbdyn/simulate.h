/// \file simulate.h
/// Simulation in time.
///
///   simulate/simulation.h  a model in time: chart, integrator, events, energy
///   simulate/chart.h       independent coordinates of models with closures
///   simulate/ode.h         integrators of ordinary differential equations
#ifndef MBDYN__SIMULATE_H_
#define MBDYN__SIMULATE_H_

#include "mbdyn/simulate/chart.h"
#include "mbdyn/simulate/ode.h"
#include "mbdyn/simulate/simulation.h"

#endif  // MBDYN__SIMULATE_H_
