/// \file outputs.h
/// What the control thread publishes: preset messages, filled from the controller's results.
///
///   outputs_create, outputs_destroy     publishers and messages for a robot; executor's thread
///   outputs_poll                        who listens; executor's thread, now and then
///   outputs_command                     the command; control thread
///   outputs_cycle                       everything else of a cycle; control thread
///
/// Nothing is computed that nobody listens to.
#ifndef MBDYN_NODE__OUTPUTS_H_
#define MBDYN_NODE__OUTPUTS_H_

#include "controller.h"
#include "gate.h"
#include "node_parameters.h"
#include "rcl/rcl.h"

typedef struct outputs outputs_t;

/// What a cycle knows beside the controller's results.
typedef struct cycle {
  uint64_t number;  ///< since activation
  int64_t stamp;    ///< of the joint state [ns]
  const joint_input_t * input;
  const controller_t * controller;
  const gate_t * gate;
  bool sent;                ///< a command was sent
  uint64_t dropped;         ///< joint states refused
  double age;               ///< from the stamp to the start of the computation [s]
  double compute_time;      ///< so far in this cycle [s]
  double compute_time_max;  ///< of earlier cycles [s]
} cycle_t;

/// \param[out] reason  what could not be made
outputs_t * outputs_create(
  rcl_node_t * node, const node_robot_t * robot, const char * observer_frame, char * reason,
  size_t size);
void outputs_destroy(outputs_t * outputs, rcl_node_t * node);
void outputs_poll(outputs_t * outputs);

/// \param[in] command  [nv]
/// \return false if rcl refused it
bool outputs_command(outputs_t * outputs, const double * command);
/// \param[in] divider  [OUTPUT_COUNT]: every n-th cycle, 0: never
void outputs_cycle(outputs_t * outputs, const int64_t * divider, const cycle_t * cycle);

#endif  // MBDYN_NODE__OUTPUTS_H_
