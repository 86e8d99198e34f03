// The machine of a managed node: transitions, hooks, ~/transition_event.
#include "lifecycle.h"

#include <stdlib.h>

#include "lifecycle_internal.h"
#include "rcl/error_handling.h"
#include "rcutils/time.h"
#include "ros_process.h"
#include "rosidl_runtime_c/message_type_support_struct.h"
#include "rosidl_runtime_c/string_functions.h"

//---------- events ----------

// false if out of memory
static bool
fill_event(lifecycle_msgs__msg__TransitionEvent * event, const lifecycle_transition_t * t)
{
  rcutils_time_point_value_t now = 0;
  if (rcutils_system_time_now(&now) != RCUTILS_RET_OK) rcutils_reset_error();
  event->timestamp = (uint64_t)now;
  event->transition.id = t->id;
  event->start_state.id = (uint8_t)t->start;
  event->goal_state.id = (uint8_t)t->goal;
  return rosidl_runtime_c__String__assign(&event->transition.label, t->label) &&
         rosidl_runtime_c__String__assign(
           &event->start_state.label, lifecycle_state_name(t->start)) &&
         rosidl_runtime_c__String__assign(&event->goal_state.label, lifecycle_state_name(t->goal));
}

// into the goal state of a transition, and tell everybody
static void
enter(lifecycle_t * lifecycle, const lifecycle_transition_t * t)
{
  atomic_store(&lifecycle->state, (int)t->goal);
  const bool told = fill_event(&lifecycle->event, t) &&
                    rcl_publish(&lifecycle->events, &lifecycle->event, NULL) == RCL_RET_OK;
  if (told) return;
  rcl_reset_error();
  NODE_LOG(
    lifecycle->node, WARN, "cannot publish the transition to state %s",
    lifecycle_state_name(t->goal));
}

//---------- hooks ----------

// what the node does on its way through a transition state
static lifecycle_result_t
pass(lifecycle_t * lifecycle, lifecycle_state_t state, lifecycle_state_t from)
{
  const lifecycle_hooks_t * hooks = &lifecycle->hooks;
  lifecycle_result_t (*hook)(void * context) = NULL;
  switch (state) {
    case LIFECYCLE_CONFIGURING: hook = hooks->configure; break;
    case LIFECYCLE_CLEANINGUP: hook = hooks->cleanup; break;
    case LIFECYCLE_ACTIVATING: hook = hooks->activate; break;
    case LIFECYCLE_DEACTIVATING: hook = hooks->deactivate; break;
    case LIFECYCLE_SHUTTINGDOWN:
      return hooks->shutdown ? hooks->shutdown(hooks->context, from) : LIFECYCLE_DONE;
    case LIFECYCLE_ERRORPROCESSING:
      return hooks->recover && hooks->recover(hooks->context) ? LIFECYCLE_DONE : LIFECYCLE_REFUSED;
    default: break;
  }
  return hook ? hook(hooks->context) : LIFECYCLE_DONE;
}

static const char *
label_of(lifecycle_result_t result)
{
  if (result == LIFECYCLE_DONE) return LIFECYCLE_LABEL_DONE;
  return result == LIFECYCLE_REFUSED ? LIFECYCLE_LABEL_REFUSED : LIFECYCLE_LABEL_BROKEN;
}

//---------- transitions ----------

static void
report(
  const lifecycle_t * lifecycle, const lifecycle_transition_t * asked, lifecycle_result_t result)
{
  const char * start = lifecycle_state_name(asked->start);
  const char * now = lifecycle_state_name(lifecycle_state(lifecycle));
  if (result == LIFECYCLE_DONE) {
    NODE_LOG(lifecycle->node, INFO, "%s: %s -> %s", asked->label, start, now);
  } else if (result == LIFECYCLE_REFUSED) {
    NODE_LOG(lifecycle->node, WARN, "%s refused: %s -> %s", asked->label, start, now);
  } else {
    NODE_LOG(lifecycle->node, ERROR, "%s failed: %s -> %s", asked->label, start, now);
  }
}

lifecycle_result_t
lifecycle_run(lifecycle_t * lifecycle, const lifecycle_transition_t * asked)
{
  if (asked == NULL) return LIFECYCLE_REFUSED;
  enter(lifecycle, asked);
  const lifecycle_result_t result = pass(lifecycle, asked->goal, asked->start);
  enter(lifecycle, lifecycle_by_label(asked->goal, label_of(result)));
  if (lifecycle_state(lifecycle) == LIFECYCLE_ERRORPROCESSING) {
    const lifecycle_result_t end = pass(lifecycle, LIFECYCLE_ERRORPROCESSING, asked->start);
    enter(lifecycle, lifecycle_by_label(LIFECYCLE_ERRORPROCESSING, label_of(end)));
  }
  report(lifecycle, asked, result);
  return result;
}

lifecycle_result_t
lifecycle_change(lifecycle_t * lifecycle, lifecycle_request_t request)
{
  static const char * const LABELS[] = {
    [LIFECYCLE_CONFIGURE] = "configure", [LIFECYCLE_CLEANUP] = "cleanup",
    [LIFECYCLE_ACTIVATE] = "activate",   [LIFECYCLE_DEACTIVATE] = "deactivate",
    [LIFECYCLE_SHUTDOWN] = "shutdown",
  };
  if (request < LIFECYCLE_CONFIGURE || request > LIFECYCLE_SHUTDOWN) return LIFECYCLE_REFUSED;
  return lifecycle_run(lifecycle, lifecycle_by_label(lifecycle_state(lifecycle), LABELS[request]));
}

lifecycle_state_t
lifecycle_state(const lifecycle_t * lifecycle)
{
  return (lifecycle_state_t)atomic_load(&lifecycle->state);
}

//---------- start and end ----------

lifecycle_t *
lifecycle_create(rcl_node_t * node, lifecycle_hooks_t hooks)
{
  lifecycle_t * lifecycle = calloc(1, sizeof *lifecycle);
  if (lifecycle == NULL) return NULL;
  lifecycle->node = node;
  lifecycle->hooks = hooks;
  atomic_init(&lifecycle->state, LIFECYCLE_UNCONFIGURED);
  lifecycle->events = rcl_get_zero_initialized_publisher();
  const rosidl_message_type_support_t * type =
    ROSIDL_GET_MSG_TYPE_SUPPORT(lifecycle_msgs, msg, TransitionEvent);
  lifecycle->events_open =
    lifecycle_msgs__msg__TransitionEvent__init(&lifecycle->event) &&
    rclc_publisher_init_default(&lifecycle->events, node, type, "~/transition_event") == RCL_RET_OK;
  if (lifecycle->events_open && lifecycle_services_open(lifecycle)) return lifecycle;
  NODE_LOG(node, ERROR, "cannot create the lifecycle services");
  lifecycle_destroy(lifecycle);
  return NULL;
}

void
lifecycle_destroy(lifecycle_t * lifecycle)
{
  if (lifecycle == NULL) return;
  lifecycle_services_close(lifecycle);
  if (lifecycle->events_open) {
    if (rcl_publisher_fini(&lifecycle->events, lifecycle->node) != RCL_RET_OK) rcl_reset_error();
  }
  lifecycle_msgs__msg__TransitionEvent__fini(&lifecycle->event);
  free(lifecycle);
}
