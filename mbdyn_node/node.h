/// \file node.h
/// The node: joint states in, torques, Jacobians and mass matrices out. A struct, not globals:
/// several can live in a process.
///
///   mbdyn_node_create    parameters, services, executor
///   mbdyn_node_start     its threads
///   mbdyn_node_stop      last command, threads joined
///   mbdyn_node_destroy
///   mbdyn_node_describe  topics, services and parameters as Markdown tables
#ifndef MBDYN_NODE__NODE_H_
#define MBDYN_NODE__NODE_H_

#include <stdbool.h>
#include <stdio.h>

#include "rcl/rcl.h"
#include "rcl_yaml_param_parser/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbdyn_node mbdyn_node_t;

typedef struct mbdyn_node_options {
  rcl_node_t * node;               ///< stays the caller's, outlives this
  const rcl_params_t * overrides;  ///< of the command line, or NULL
  const rcl_params_t * extra;      ///< on top of them (component container), or NULL
  /// Called once the lifecycle has come to its end (shutdown transition), or NULL.
  void (*finished)(void * context);
  void * context;
} mbdyn_node_options_t;

/// \return NULL after log lines that say why
mbdyn_node_t * mbdyn_node_create(const mbdyn_node_options_t * options);
bool mbdyn_node_start(mbdyn_node_t * node);
/// May be called twice.
void mbdyn_node_stop(mbdyn_node_t * node);
void mbdyn_node_destroy(mbdyn_node_t * node);

void mbdyn_node_describe(FILE * to);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN_NODE__NODE_H_
