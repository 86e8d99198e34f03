/// \file lifecycle_internal.h
/// What lifecycle.c (the machine) and lifecycle_services.c (its services) share.
///
///   struct lifecycle          all there is
///   lifecycle_run             one transition, with its hooks and events
///   lifecycle_services_open, lifecycle_services_close
#ifndef MBDYN_ROS__LIFECYCLE_INTERNAL_H_
#define MBDYN_ROS__LIFECYCLE_INTERNAL_H_

#include <stdatomic.h>

#include "lifecycle.h"
#include "lifecycle_msgs/msg/state.h"
#include "lifecycle_msgs/msg/transition_description.h"
#include "lifecycle_msgs/msg/transition_event.h"
#include "lifecycle_msgs/srv/change_state.h"
#include "lifecycle_msgs/srv/get_available_states.h"
#include "lifecycle_msgs/srv/get_available_transitions.h"
#include "lifecycle_msgs/srv/get_state.h"
#include "lifecycle_table.h"

/// Name below the node's and type of every service; LIFECYCLE_HANDLES of them.
#define LIFECYCLE_SERVICE_LIST(X)                       \
  X(change_state, ChangeState)                          \
  X(get_state, GetState)                                \
  X(get_available_states, GetAvailableStates)           \
  X(get_available_transitions, GetAvailableTransitions) \
  X(get_transition_graph, GetAvailableTransitions)

#define LIFECYCLE_SERVICE_FIELDS(name, Type)         \
  struct {                                           \
    rcl_service_t service;                           \
    bool open;                                       \
    lifecycle_msgs__srv__##Type##_Request request;   \
    lifecycle_msgs__srv__##Type##_Response response; \
  } name;

struct lifecycle {
  rcl_node_t * node;
  lifecycle_hooks_t hooks;
  atomic_int state;  // lifecycle_state_t
  rcl_publisher_t events;
  bool events_open;
  lifecycle_msgs__msg__TransitionEvent event;
  LIFECYCLE_SERVICE_LIST(LIFECYCLE_SERVICE_FIELDS)
};

/// \param[in] transition  leaves the present state, or NULL
lifecycle_result_t lifecycle_run(
  lifecycle_t * lifecycle, const lifecycle_transition_t * transition);

bool lifecycle_services_open(lifecycle_t * lifecycle);
/// Those that are open.
void lifecycle_services_close(lifecycle_t * lifecycle);

#endif  // MBDYN_ROS__LIFECYCLE_INTERNAL_H_
