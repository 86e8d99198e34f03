/// \file sim_loop.h
/// The stepping thread: takes commands, steps the plant, publishes what the sensors see. From the
/// executor's side:
///
///   sim_loop_create, sim_loop_destroy     the thread runs in between
///   sim_loop_settings        new settings, between two steps
///   sim_loop_push            a push, from the next step on
///   sim_loop_reset           back to the start, at the next step
///   sim_loop_state           what the thread last did
///   sim_loop_step_times      how long steps take
///
/// On its own side: no heap, no lock, no print.
///
/// A step ends at its time on the machine's clock: commands that have come by then act in it, and
/// its joint state has that time as its stamp. Steps that are late are made up for, up to 0.1 s;
/// beyond that the simulation is slower than asked for.
#ifndef MBDYN_SIM__SIM_LOOP_H_
#define MBDYN_SIM__SIM_LOOP_H_

#include "commands.h"
#include "plant.h"
#include "rcl/rcl.h"
#include "sim_settings.h"
#include "statistics.h"

typedef struct sim_loop sim_loop_t;

typedef struct sim_loop_options {
  rcl_node_t * node;
  const sim_robot_t * robot;
  const param_values_t * values;  ///< during sim_loop_create alone
  sim_settings_t * settings;      ///< the loop takes them over, also when it fails
} sim_loop_options_t;

typedef struct sim_loop_state {
  double time;  ///< of the simulation [s]
  uint64_t steps;
  uint64_t overruns;   ///< steps that began more than a period late
  uint64_t slips;      ///< times that lost time was given up
  uint64_t published;  ///< joint states
  uint64_t publish_errors;
  uint64_t lost;  ///< joint states, by dropout
  uint64_t stops;
  uint64_t timeouts;  ///< number of command timeouts
  command_counts_t commands;
  bool held;           ///< by the brakes
  bool let_go;         ///< by the motors
  mbd_status_t fault;  ///< why it stands still until a reset; MBD_OK: it does not
  int pushes;
  plant_integration_t integration;  ///< of a chart integrator
  plant_touch_t touch;              ///< of ground and exact friction
  double kinetic, potential;        ///< [J], a tenth of a second old at most
} sim_loop_state_t;

/// \param[out] reason  what could not be made
sim_loop_t * sim_loop_create(const sim_loop_options_t * options, char * reason, size_t size);
void sim_loop_destroy(sim_loop_t * loop);

void sim_loop_settings(sim_loop_t * loop, sim_settings_t * settings);
/// Both: false if the thread has too many requests before it.
bool sim_loop_push(sim_loop_t * loop, const plant_push_t * push);
bool sim_loop_reset(sim_loop_t * loop);

/// Stable until the next call; NULL before the first step.
const sim_loop_state_t * sim_loop_state(sim_loop_t * loop);
const histogram_t * sim_loop_step_times(const sim_loop_t * loop);

#endif  // MBDYN_SIM__SIM_LOOP_H_
