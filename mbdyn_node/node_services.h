/// \file node_services.h
/// Services of the node beside parameters and lifecycle:
///
///   ~/inverse_dynamics, ~/forward_dynamics    of a state that is given, or of the current one
///   ~/linearize                               the robot near such a state: A, B
///   ~/set_payload, ~/clear_payload            loads, between two cycles
///   ~/load_model                              another robot description, while not active
#ifndef MBDYN_NODE__NODE_SERVICES_H_
#define MBDYN_NODE__NODE_SERVICES_H_

#include <stdbool.h>
#include "rclc/executor.h"

#define NODE_SERVICE_HANDLES 6

struct mbdyn_node;
typedef struct node_services node_services_t;

node_services_t * node_services_create(struct mbdyn_node * node);
bool node_services_add(node_services_t * services, rclc_executor_t * executor);
void node_services_destroy(node_services_t * services);

#endif  // MBDYN_NODE__NODE_SERVICES_H_
