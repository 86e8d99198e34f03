/// \file sim_node.h
/// The simulated robot as a node: parameters, services and diagnostics on the executor's thread, the
/// simulation on a thread of its own (sim_loop.h).
///
///   sim_node_create    robot, parameters, services, topics; starts both threads
///   sim_node_destroy
#ifndef MBDYN_SIM__SIM_NODE_H_
#define MBDYN_SIM__SIM_NODE_H_

#include "rcl/rcl.h"
#include "rcl_yaml_param_parser/types.h"

typedef struct sim_node sim_node_t;

/// \param[in] node       stays the caller's, outlives this
/// \param[in] overrides  of the command line, or NULL
/// \return NULL after a log line that says why
sim_node_t * sim_node_create(rcl_node_t * node, const rcl_params_t * overrides);
void sim_node_destroy(sim_node_t * node);

#endif  // MBDYN_SIM__SIM_NODE_H_
