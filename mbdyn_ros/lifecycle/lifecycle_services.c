// The five lifecycle services. Taking a request and filling a response make new sequences over the
// old ones in the real rmw: so a response is emptied before it is filled, a request after it is
// read.
#include <stdio.h>
#include <string.h>

#include "lifecycle_internal.h"
#include "rcl/error_handling.h"
#include "rclc/service.h"
#include "ros_process.h"
#include "rosidl_runtime_c/service_type_support_struct.h"
#include "rosidl_runtime_c/string_functions.h"

//---------- messages ----------

static bool
fill_state(lifecycle_msgs__msg__State * message, lifecycle_state_t state)
{
  message->id = (uint8_t)state;
  return rosidl_runtime_c__String__assign(&message->label, lifecycle_state_name(state));
}

static bool
fill_description(
  lifecycle_msgs__msg__TransitionDescription * message, const lifecycle_transition_t * t)
{
  message->transition.id = t->id;
  return rosidl_runtime_c__String__assign(&message->transition.label, t->label) &&
         fill_state(&message->start_state, t->start) && fill_state(&message->goal_state, t->goal);
}

// transitions that leave this state; state 0: all
static void
fill_transitions(
  lifecycle_msgs__srv__GetAvailableTransitions_Response * response, lifecycle_state_t state)
{
  const lifecycle_transition_t * found[LIFECYCLE_TRANSITION_COUNT];
  size_t count = 0;
  for (int i = 0; i < LIFECYCLE_TRANSITION_COUNT; i++) {
    const lifecycle_transition_t * t = &LIFECYCLE_TRANSITIONS[i];
    if (state == 0 || t->start == state) found[count++] = t;
  }
  lifecycle_msgs__msg__TransitionDescription__Sequence * list = &response->available_transitions;
  bool good = lifecycle_msgs__msg__TransitionDescription__Sequence__init(list, count);
  for (size_t i = 0; good && i < count; i++) good = fill_description(&list->data[i], found[i]);
}

//---------- answers ----------

static void
explain(const lifecycle_t * lifecycle, const lifecycle_msgs__msg__Transition * asked)
{
  char list[160] = "";
  const lifecycle_state_t state = lifecycle_state(lifecycle);
  for (int i = 0; i < LIFECYCLE_TRANSITION_COUNT; i++) {
    const lifecycle_transition_t * t = &LIFECYCLE_TRANSITIONS[i];
    if (t->start != state) continue;
    const size_t length = strlen(list);
    snprintf(list + length, sizeof list - length, "%s%s [%d]", length ? ", " : "", t->label, t->id);
  }
  const char * label = asked->label.data ? asked->label.data : "";
  NODE_LOG(
    lifecycle->node, WARN, "no transition '%.32s' [%d] in state %s; available: %s", label,
    asked->id, lifecycle_state_name(state), list[0] ? list : "none");
}

// by label if there is one, as rclcpp does it: callers that know only the label leave the id 0
static void
answer_change_state(
  lifecycle_t * lifecycle, const lifecycle_msgs__srv__ChangeState_Request * request,
  lifecycle_msgs__srv__ChangeState_Response * response)
{
  const lifecycle_msgs__msg__Transition * asked = &request->transition;
  const lifecycle_state_t state = lifecycle_state(lifecycle);
  const bool labelled = asked->label.data != NULL && asked->label.data[0] != '\0';
  const lifecycle_transition_t * transition =
    labelled ? lifecycle_by_label(state, asked->label.data) : lifecycle_by_id(state, asked->id);
  if (transition == NULL) explain(lifecycle, asked);
  response->success = lifecycle_run(lifecycle, transition) == LIFECYCLE_DONE;
}

static void
answer_get_state(
  lifecycle_t * lifecycle, const lifecycle_msgs__srv__GetState_Request * request,
  lifecycle_msgs__srv__GetState_Response * response)
{
  (void)request;
  fill_state(&response->current_state, lifecycle_state(lifecycle));
}

static void
answer_get_available_states(
  lifecycle_t * lifecycle, const lifecycle_msgs__srv__GetAvailableStates_Request * request,
  lifecycle_msgs__srv__GetAvailableStates_Response * response)
{
  (void)lifecycle;
  (void)request;
  lifecycle_msgs__msg__State__Sequence * list = &response->available_states;
  bool good = lifecycle_msgs__msg__State__Sequence__init(list, LIFECYCLE_STATE_COUNT);
  for (int i = 0; good && i < LIFECYCLE_STATE_COUNT; i++) {
    good = fill_state(&list->data[i], (lifecycle_state_t)LIFECYCLE_STATES[i].id);
  }
}

static void
answer_get_available_transitions(
  lifecycle_t * lifecycle, const lifecycle_msgs__srv__GetAvailableTransitions_Request * request,
  lifecycle_msgs__srv__GetAvailableTransitions_Response * response)
{
  (void)request;
  fill_transitions(response, lifecycle_state(lifecycle));
}

static void
answer_get_transition_graph(
  lifecycle_t * lifecycle, const lifecycle_msgs__srv__GetAvailableTransitions_Request * request,
  lifecycle_msgs__srv__GetAvailableTransitions_Response * response)
{
  (void)lifecycle;
  (void)request;
  fill_transitions(response, (lifecycle_state_t)0);
}

//---------- callbacks: the memory of messages, the same for all ----------

#define CALLBACK(name, Type)                                                       \
  static void on_##name(const void * request, void * response, void * context)     \
  {                                                                                \
    void * used = (void *)(uintptr_t)request;                                      \
    lifecycle_msgs__srv__##Type##_Response__fini(response);                        \
    if (lifecycle_msgs__srv__##Type##_Response__init(response)) {                  \
      answer_##name(context, request, response);                                   \
    }                                                                              \
    lifecycle_msgs__srv__##Type##_Request__fini(used);                             \
    if (!lifecycle_msgs__srv__##Type##_Request__init(used)) rcutils_reset_error(); \
  }

LIFECYCLE_SERVICE_LIST(CALLBACK)

//---------- start and end ----------

#define OPEN(name, Type)                                                                 \
  l->name.service = rcl_get_zero_initialized_service();                                  \
  l->name.open =                                                                         \
    lifecycle_msgs__srv__##Type##_Request__init(&l->name.request) &&                     \
    lifecycle_msgs__srv__##Type##_Response__init(&l->name.response) &&                   \
    rclc_service_init_default(                                                           \
      &l->name.service, l->node, ROSIDL_GET_SRV_TYPE_SUPPORT(lifecycle_msgs, srv, Type), \
      "~/" #name) == RCL_RET_OK;                                                         \
  good = good && l->name.open;

bool
lifecycle_services_open(lifecycle_t * l)
{
  bool good = true;
  LIFECYCLE_SERVICE_LIST(OPEN)
  return good;
}

#define ADD(name, Type)                                                                        \
  good = good && rclc_executor_add_service_with_context(                                       \
                   executor, &l->name.service, &l->name.request, &l->name.response, on_##name, \
                   l) == RCL_RET_OK;

bool
lifecycle_add(lifecycle_t * l, rclc_executor_t * executor)
{
  bool good = true;
  LIFECYCLE_SERVICE_LIST(ADD)
  if (!good) NODE_LOG(l->node, ERROR, "cannot add the lifecycle services to the executor");
  return good;
}

#define CLOSE(name, Type)                                                        \
  if (l->name.open && rcl_service_fini(&l->name.service, l->node) != RCL_RET_OK) \
    rcl_reset_error();                                                           \
  lifecycle_msgs__srv__##Type##_Request__fini(&l->name.request);                 \
  lifecycle_msgs__srv__##Type##_Response__fini(&l->name.response);

void
lifecycle_services_close(lifecycle_t * l)
{
  LIFECYCLE_SERVICE_LIST(CLOSE)
}
