// A managed node and a client of it, in one process but on two DDS participants.
#include "lifecycle_peer.h"

#include <stdio.h>
#include <string.h>

#include "lifecycle_internal.h"
#include "rosidl_runtime_c/string_functions.h"
#include "test/support/process.h"

//---------- the node ----------

robot_t robot;

static lifecycle_result_t
note(robot_t * r, const char * what)
{
  const int state = (int)lifecycle_state(r->lifecycle);
  pthread_mutex_lock(&r->lock);
  const size_t length = strlen(r->calls);
  snprintf(r->calls + length, sizeof r->calls - length, "%s in %d\n", what, state);
  for (int i = LIFECYCLE_CONFIGURE; r->restless && i <= LIFECYCLE_SHUTDOWN; i++) {
    const lifecycle_result_t nested = lifecycle_change(r->lifecycle, (lifecycle_request_t)i);
    if (nested != LIFECYCLE_REFUSED) strcat(r->calls, "nested!\n");
  }
  const lifecycle_result_t result = r->result;
  pthread_mutex_unlock(&r->lock);
  return result;
}

void
hooks_return(lifecycle_result_t result, bool recovers)
{
  pthread_mutex_lock(&robot.lock);
  robot.result = result;
  robot.recovers = recovers;
  pthread_mutex_unlock(&robot.lock);
}

static lifecycle_result_t
on_configure(void * context)
{
  return note(context, "configure");
}

static lifecycle_result_t
on_cleanup(void * context)
{
  return note(context, "cleanup");
}

static lifecycle_result_t
on_activate(void * context)
{
  return note(context, "activate");
}

static lifecycle_result_t
on_deactivate(void * context)
{
  return note(context, "deactivate");
}

static lifecycle_result_t
on_shutdown(void * context, lifecycle_state_t from)
{
  char what[32];
  snprintf(what, sizeof what, "shutdown from %d", (int)from);
  return note(context, what);
}

static bool
on_recover(void * context)
{
  note(context, "recover");
  return ((robot_t *)context)->recovers;
}

//---------- the client ----------

client_t client;

void
ask(const rcl_client_t * service, const void * request, void * response, bool repeat)
{
  const int64_t end = now_ns() + 10000000000;
  int64_t sequence = 0;
  OK(rcl_send_request(service, request, &sequence));
  while (now_ns() < end) {
    if (!session_wait(&client.session, NULL, service, repeat ? 200 : 5000)) {
      if (repeat) OK(rcl_send_request(service, request, &sequence));
      continue;
    }
    rmw_request_id_t id;
    const rcl_ret_t ret = rcl_take_response(service, &id, response);
    rcl_reset_error();
    if (ret == RCL_RET_OK && id.sequence_number == sequence) return;
  }
  fail_msg("no answer from %s", rcl_client_get_service_name(service));
}

static bool
ask_change(uint8_t id, const char * label, bool repeat)
{
  lifecycle_msgs__srv__ChangeState_Request request;
  lifecycle_msgs__srv__ChangeState_Response response;
  assert_true(lifecycle_msgs__srv__ChangeState_Request__init(&request));
  assert_true(lifecycle_msgs__srv__ChangeState_Response__init(&response));
  request.transition.id = id;
  assert_true(rosidl_runtime_c__String__assign(&request.transition.label, label));
  ask(&client.change, &request, &response, repeat);
  const bool success = response.success;
  lifecycle_msgs__srv__ChangeState_Request__fini(&request);
  lifecycle_msgs__srv__ChangeState_Response__fini(&response);
  return success;
}

bool
change(uint8_t id, const char * label)
{
  return ask_change(id, label, false);
}

void
expect_state(int id, const char * label)
{
  lifecycle_msgs__srv__GetState_Request request = {0};
  lifecycle_msgs__srv__GetState_Response response;
  assert_true(lifecycle_msgs__srv__GetState_Response__init(&response));
  ask(&client.get, &request, &response, true);
  assert_int_equal(response.current_state.id, id);
  assert_string_equal(response.current_state.label.data, label);
  lifecycle_msgs__srv__GetState_Response__fini(&response);
}

static void
add_line(
  char * text, size_t size, const lifecycle_msgs__msg__Transition * t,
  const lifecycle_msgs__msg__State * start, const lifecycle_msgs__msg__State * goal)
{
  const size_t length = strlen(text);
  snprintf(
    text + length, size - length, "%d %s %d %s %d %s\n", t->id, t->label.data, start->id,
    start->label.data, goal->id, goal->label.data);
}

void
expect_transitions(const rcl_client_t * service, const char * expected)
{
  lifecycle_msgs__srv__GetAvailableTransitions_Request request = {0};
  lifecycle_msgs__srv__GetAvailableTransitions_Response response;
  assert_true(lifecycle_msgs__srv__GetAvailableTransitions_Response__init(&response));
  ask(service, &request, &response, true);
  char text[2048] = "";
  for (size_t i = 0; i < response.available_transitions.size; i++) {
    const lifecycle_msgs__msg__TransitionDescription * t = &response.available_transitions.data[i];
    add_line(text, sizeof text, &t->transition, &t->start_state, &t->goal_state);
  }
  assert_string_equal(text, expected);
  lifecycle_msgs__srv__GetAvailableTransitions_Response__fini(&response);
}

void
expect_events(const char * expected)
{
  char text[1024] = "";
  size_t lines = 0, wanted = 0;
  for (const char * c = expected; *c; c++) wanted += *c == '\n';
  lifecycle_msgs__msg__TransitionEvent event;
  assert_true(lifecycle_msgs__msg__TransitionEvent__init(&event));
  while (lines < wanted && session_wait(&client.session, &client.events, NULL, 10000)) {
    while (rcl_take(&client.events, &event, NULL, NULL) == RCL_RET_OK) {
      add_line(text, sizeof text, &event.transition, &event.start_state, &event.goal_state);
      assert_true(event.timestamp > 1600000000000000000);
      lines++;
    }
    rcl_reset_error();
  }
  assert_string_equal(text, expected);
  assert_false(session_wait(&client.session, &client.events, NULL, 0));
  lifecycle_msgs__msg__TransitionEvent__fini(&event);
}

void
expect_calls(const char * expected)
{
  char calls[sizeof robot.calls];
  pthread_mutex_lock(&robot.lock);
  memcpy(calls, robot.calls, sizeof calls);
  robot.calls[0] = '\0';
  pthread_mutex_unlock(&robot.lock);
  assert_string_equal(calls, expected);
}

//---------- set-up ----------

static void
open_robot(lifecycle_hooks_t hooks)
{
  memset(&robot, 0, sizeof robot);
  pthread_mutex_init(&robot.lock, NULL);
  session_open(&robot.session, "robot", false);
  robot.executor = rclc_executor_get_zero_initialized_executor();
  rcl_context_t * context = &robot.session.support.context;
  const size_t handles = LIFECYCLE_HANDLES + SPINNER_HANDLES;
  OK(rclc_executor_init(&robot.executor, context, handles, &robot.session.allocator));
  robot.lifecycle = lifecycle_create(&robot.session.node, hooks);
  assert_non_null(robot.lifecycle);
  assert_true(lifecycle_add(robot.lifecycle, &robot.executor));
  assert_true(spinner_init(&robot.spinner, context, &robot.executor));
  assert_true(spinner_start(&robot.spinner, "robot"));
}

static void
open_clients(void)
{
#define CLIENT(field, Type, name)                                                                \
  client.field = rcl_get_zero_initialized_client();                                              \
  OK(rclc_client_init_default(                                                                   \
    &client.field, &client.session.node, ROSIDL_GET_SRV_TYPE_SUPPORT(lifecycle_msgs, srv, Type), \
    "/robot/" name))
  CLIENT(change, ChangeState, "change_state");
  CLIENT(get, GetState, "get_state");
  CLIENT(states, GetAvailableStates, "get_available_states");
  CLIENT(transitions, GetAvailableTransitions, "get_available_transitions");
  CLIENT(graph, GetAvailableTransitions, "get_transition_graph");
#undef CLIENT
  client.events = rcl_get_zero_initialized_subscription();
  const rmw_qos_profile_t qos = profile(true, false, 100);
  OK(rclc_subscription_init(
    &client.events, &client.session.node,
    ROSIDL_GET_MSG_TYPE_SUPPORT(lifecycle_msgs, msg, TransitionEvent), "/robot/transition_event",
    &qos));
}

static void
open_client(void)
{
  memset(&client, 0, sizeof client);
  session_open(&client.session, "client", false);
  open_clients();
  // the server must know the client too: what is sent before that is lost
  assert_false(ask_change(200, "", true));
  size_t listeners = 0;
  for (int i = 0; i < 5000 && listeners == 0; i++) {
    OK(rcl_publisher_get_subscription_count(&robot.lifecycle->events, &listeners));
    if (listeners == 0) sleep_ms(2);
  }
  assert_int_equal(listeners, 1);
}

int
set_up(void ** state)
{
  (void)state;
  open_robot((lifecycle_hooks_t){
    &robot, on_configure, on_cleanup, on_activate, on_deactivate, on_shutdown, on_recover});
  open_client();
  return 0;
}

int
set_up_without_hooks(void ** state)
{
  (void)state;
  open_robot((lifecycle_hooks_t){0});
  open_client();
  return 0;
}

int
tear_down(void ** state)
{
  (void)state;
  OK(rcl_client_fini(&client.change, &client.session.node));
  OK(rcl_client_fini(&client.get, &client.session.node));
  OK(rcl_client_fini(&client.states, &client.session.node));
  OK(rcl_client_fini(&client.transitions, &client.session.node));
  OK(rcl_client_fini(&client.graph, &client.session.node));
  OK(rcl_subscription_fini(&client.events, &client.session.node));
  session_close(&client.session);

  spinner_stop(&robot.spinner);
  spinner_stop(&robot.spinner);
  OK(rclc_executor_fini(&robot.executor));
  spinner_fini(&robot.spinner);
  lifecycle_destroy(robot.lifecycle);
  pthread_mutex_destroy(&robot.lock);
  session_close(&robot.session);
  return 0;
}
