/// \file lifecycle.h
/// A managed node: states, the five lifecycle services, ~/transition_event.
///
///   lifecycle_create, lifecycle_destroy
///   lifecycle_add         its services into an executor (LIFECYCLE_HANDLES handles)
///   lifecycle_change      the node makes a transition of its own
///   lifecycle_state       where it is
///
/// All calls on the executor's thread (or before it runs); lifecycle_state from any thread.
#ifndef MBDYN_ROS__LIFECYCLE_H_
#define MBDYN_ROS__LIFECYCLE_H_

#include <stdbool.h>
#include "rcl/rcl.h"
#include "rclc/executor.h"

#define LIFECYCLE_HANDLES 5

/// Numbers of lifecycle_msgs/msg/State.
typedef enum lifecycle_state {
  LIFECYCLE_UNCONFIGURED = 1,
  LIFECYCLE_INACTIVE = 2,
  LIFECYCLE_ACTIVE = 3,
  LIFECYCLE_FINALIZED = 4,
  LIFECYCLE_CONFIGURING = 10,
  LIFECYCLE_CLEANINGUP = 11,
  LIFECYCLE_SHUTTINGDOWN = 12,
  LIFECYCLE_ACTIVATING = 13,
  LIFECYCLE_DEACTIVATING = 14,
  LIFECYCLE_ERRORPROCESSING = 15
} lifecycle_state_t;

/// What can be asked for; numbers of lifecycle_msgs/msg/Transition. Shutdown has three numbers on
/// the wire, by state: all stand for this one.
typedef enum lifecycle_request {
  LIFECYCLE_CONFIGURE = 1,
  LIFECYCLE_CLEANUP = 2,
  LIFECYCLE_ACTIVATE = 3,
  LIFECYCLE_DEACTIVATE = 4,
  LIFECYCLE_SHUTDOWN = 5
} lifecycle_request_t;

/// What a hook makes of its transition.
typedef enum lifecycle_result {
  LIFECYCLE_DONE,     ///< goal state
  LIFECYCLE_REFUSED,  ///< back to the state before; a refused shutdown is finalized all the same
  LIFECYCLE_BROKEN    ///< error processing, then unconfigured (recover says yes) or finalized
} lifecycle_result_t;

/// Called on the executor's thread, in the transition's state; NULL: nothing to do, and nothing can
/// be recovered. A hook cannot make another transition: lifecycle_change is refused in there.
typedef struct lifecycle_hooks {
  void * context;
  lifecycle_result_t (*configure)(void * context);
  lifecycle_result_t (*cleanup)(void * context);
  lifecycle_result_t (*activate)(void * context);
  lifecycle_result_t (*deactivate)(void * context);
  lifecycle_result_t (*shutdown)(void * context, lifecycle_state_t from);
  /// After BROKEN: everything is given back and the node may start again from unconfigured.
  bool (*recover)(void * context);
} lifecycle_hooks_t;

typedef struct lifecycle lifecycle_t;

/// Unconfigured, with its services and publisher; NULL after a log line.
lifecycle_t * lifecycle_create(rcl_node_t * node, lifecycle_hooks_t hooks);
/// False after a log line if the executor has too few handles.
bool lifecycle_add(lifecycle_t * lifecycle, rclc_executor_t * executor);
lifecycle_state_t lifecycle_state(const lifecycle_t * lifecycle);
/// With hooks, events and a log line, as if a client had asked. REFUSED too if the state has no
/// such transition.
lifecycle_result_t lifecycle_change(lifecycle_t * lifecycle, lifecycle_request_t request);
/// As ROS tools print it: "unconfigured".
const char * lifecycle_state_name(lifecycle_state_t state);
/// After rclc_executor_fini, before the node goes; makes no transition. NULL is fine.
void lifecycle_destroy(lifecycle_t * lifecycle);

#endif  // MBDYN_ROS__LIFECYCLE_H_
