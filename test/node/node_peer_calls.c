// Services of the node, called.
#include <stdio.h>
#include <string.h>

#include "lifecycle_msgs/srv/change_state.h"
#include "lifecycle_msgs/srv/get_state.h"
#include "node_peer.h"
#include "rcl/graph.h"
#include "rcl_interfaces/msg/parameter.h"
#include "rcl_interfaces/msg/parameter_type.h"
#include "rcl_interfaces/srv/get_parameters.h"
#include "rcl_interfaces/srv/set_parameters.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

#define SERVICE(package, name) ROSIDL_GET_SRV_TYPE_SUPPORT(package, srv, name)

typedef rcl_interfaces__msg__ParameterValue value_t;

//---------- any ----------

static rcl_client_t *
client_of(peer_t * peer, const rosidl_service_type_support_t * type, const char * name)
{
  for (int i = 0; i < peer->nclient; i++) {
    if (strcmp(peer->client[i].name, name) == 0) return &peer->client[i].client;
  }
  assert_true(peer->nclient < PEER_CLIENTS);
  peer_client_t * client = &peer->client[peer->nclient++];
  snprintf(client->name, sizeof client->name, "%s", name);
  client->client = rcl_get_zero_initialized_client();
  // replies to other clients come here too
  OK(rclc_client_init(
    &client->client, &peer->session.node, type, name, &rmw_qos_profile_parameters));
  return &client->client;
}

static void
wait_for_server(peer_t * peer, const rcl_client_t * client)
{
  bool there = false;
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  while (!there && now_ns() < end) {
    OK(rcl_service_server_is_available(&peer->session.node, client, &there));
    if (!there) peer_spin(peer, 5);
  }
  if (!there) fail_msg("no server %s", rcl_client_get_service_name(client));
}

static bool
take_answer(
  peer_t * peer, const rcl_client_t * client, int64_t sequence, void * response, int milliseconds)
{
  const int64_t end = now_ns() + (int64_t)milliseconds * 1000000;
  while (now_ns() < end) {
    rmw_request_id_t id;
    const rcl_ret_t ret = rcl_take_response(client, &id, response);
    if (ret == RCL_RET_OK && id.sequence_number == sequence) return true;
    rcl_reset_error();
    if (ret != RCL_RET_OK) session_wait(&peer->session, NULL, client, 100);
    peer_spin(peer, 0);
  }
  return false;
}

void
peer_call(
  peer_t * peer, const rosidl_service_type_support_t * type, const char * name,
  const void * request, void * response)
{
  const rcl_client_t * client = client_of(peer, type, name);
  wait_for_server(peer, client);
  for (int tries = 0; tries < PEER_TIMEOUT / 1000; tries++) {
    int64_t sequence;
    OK(rcl_send_request(client, request, &sequence));
    if (take_answer(peer, client, sequence, response, 1000)) return;
  }
  fail_msg("no answer from %s; log: %s", name, peer->log_text);
}

void
peer_call_once(
  peer_t * peer, const rosidl_service_type_support_t * type, const char * name,
  const void * request, void * response)
{
  const rcl_client_t * client = client_of(peer, type, name);
  int64_t sequence;
  OK(rcl_send_request(client, request, &sequence));
  if (take_answer(peer, client, sequence, response, 4 * PEER_TIMEOUT)) return;
  fail_msg("no answer from %s; log: %s", name, peer->log_text);
}

//---------- lifecycle ----------

bool
peer_change_state(peer_t * peer, const char * label)
{
  lifecycle_msgs__srv__ChangeState_Request request = {0};
  lifecycle_msgs__srv__ChangeState_Response response = {0};
  assert_true(lifecycle_msgs__srv__ChangeState_Request__init(&request));
  assert_true(lifecycle_msgs__srv__ChangeState_Response__init(&response));
  assert_true(rosidl_runtime_c__String__assign(&request.transition.label, label));
  peer_call(peer, SERVICE(lifecycle_msgs, ChangeState), "/mbdyn/change_state", &request, &response);
  const bool success = response.success;
  lifecycle_msgs__srv__ChangeState_Request__fini(&request);
  lifecycle_msgs__srv__ChangeState_Response__fini(&response);
  return success;
}

const char *
peer_state(peer_t * peer)
{
  static char text[32];
  lifecycle_msgs__srv__GetState_Request request = {0};
  lifecycle_msgs__srv__GetState_Response response = {0};
  assert_true(lifecycle_msgs__srv__GetState_Response__init(&response));
  peer_call(peer, SERVICE(lifecycle_msgs, GetState), "/mbdyn/get_state", &request, &response);
  snprintf(text, sizeof text, "%s", response.current_state.label.data);
  lifecycle_msgs__srv__GetState_Response__fini(&response);
  return text;
}

//---------- parameters ----------

typedef rcl_interfaces__srv__SetParameters_Request change_t;

static value_t *
start_change(change_t * change, const char * name, uint8_t type)
{
  assert_true(rcl_interfaces__srv__SetParameters_Request__init(change));
  assert_true(rcl_interfaces__msg__Parameter__Sequence__init(&change->parameters, 1));
  rcl_interfaces__msg__Parameter * parameter = &change->parameters.data[0];
  assert_true(rosidl_runtime_c__String__assign(&parameter->name, name));
  parameter->value.type = type;
  return &parameter->value;
}

static const char *
send_change(peer_t * peer, change_t * change)
{
  static char reason[2048];
  rcl_interfaces__srv__SetParameters_Response response = {0};
  assert_true(rcl_interfaces__srv__SetParameters_Response__init(&response));
  peer_call(
    peer, SERVICE(rcl_interfaces, SetParameters), "/mbdyn/set_parameters", change, &response);
  assert_int_equal(response.results.size, 1);
  const rcl_interfaces__msg__SetParametersResult * result = &response.results.data[0];
  snprintf(reason, sizeof reason, "%s", result->successful ? "" : result->reason.data);
  // a refusal says why
  assert_true(result->successful || *reason);
  rcl_interfaces__srv__SetParameters_Request__fini(change);
  rcl_interfaces__srv__SetParameters_Response__fini(&response);
  return reason;
}

const char *
peer_set_bool(peer_t * peer, const char * name, bool value)
{
  change_t change = {0};
  start_change(&change, name, rcl_interfaces__msg__ParameterType__PARAMETER_BOOL)->bool_value =
    value;
  return send_change(peer, &change);
}

const char *
peer_set_integer(peer_t * peer, const char * name, int64_t value)
{
  change_t change = {0};
  start_change(&change, name, rcl_interfaces__msg__ParameterType__PARAMETER_INTEGER)
    ->integer_value = value;
  return send_change(peer, &change);
}

const char *
peer_set_double(peer_t * peer, const char * name, double value)
{
  change_t change = {0};
  start_change(&change, name, rcl_interfaces__msg__ParameterType__PARAMETER_DOUBLE)->double_value =
    value;
  return send_change(peer, &change);
}

const char *
peer_set_string(peer_t * peer, const char * name, const char * value)
{
  change_t change = {0};
  value_t * to = start_change(&change, name, rcl_interfaces__msg__ParameterType__PARAMETER_STRING);
  assert_true(rosidl_runtime_c__String__assign(&to->string_value, value));
  return send_change(peer, &change);
}

const char *
peer_set_doubles(peer_t * peer, const char * name, size_t n, const double * value)
{
  change_t change = {0};
  value_t * to =
    start_change(&change, name, rcl_interfaces__msg__ParameterType__PARAMETER_DOUBLE_ARRAY);
  assert_true(rosidl_runtime_c__double__Sequence__init(&to->double_array_value, n));
  for (size_t i = 0; i < n; i++) to->double_array_value.data[i] = value[i];
  return send_change(peer, &change);
}

const char *
peer_set_strings(peer_t * peer, const char * name, size_t n, const char * const * value)
{
  change_t change = {0};
  value_t * to =
    start_change(&change, name, rcl_interfaces__msg__ParameterType__PARAMETER_STRING_ARRAY);
  assert_true(rosidl_runtime_c__String__Sequence__init(&to->string_array_value, n));
  for (size_t i = 0; i < n; i++) {
    assert_true(rosidl_runtime_c__String__assign(&to->string_array_value.data[i], value[i]));
  }
  return send_change(peer, &change);
}

// the elements of an array, or the one of a scalar
static size_t
element(const value_t * v, size_t i, char * text, size_t size)
{
  switch (v->type) {
    case rcl_interfaces__msg__ParameterType__PARAMETER_BOOL:
      snprintf(text, size, "%s", v->bool_value ? "true" : "false");
      return 1;
    case rcl_interfaces__msg__ParameterType__PARAMETER_INTEGER:
      snprintf(text, size, "%lld", (long long)v->integer_value);
      return 1;
    case rcl_interfaces__msg__ParameterType__PARAMETER_DOUBLE:
      snprintf(text, size, "%.15g", v->double_value);
      return 1;
    case rcl_interfaces__msg__ParameterType__PARAMETER_STRING:
      snprintf(text, size, "%s", v->string_value.data);
      return 1;
    case rcl_interfaces__msg__ParameterType__PARAMETER_DOUBLE_ARRAY:
      if (i < v->double_array_value.size) {
        snprintf(text, size, "%.15g", v->double_array_value.data[i]);
      }
      return v->double_array_value.size;
    case rcl_interfaces__msg__ParameterType__PARAMETER_STRING_ARRAY:
      if (i < v->string_array_value.size) {
        snprintf(text, size, "%s", v->string_array_value.data[i].data);
      }
      return v->string_array_value.size;
    default: return 0;
  }
}

static void
print_value(const value_t * v, char * text, size_t size)
{
  const bool array = v->type > rcl_interfaces__msg__ParameterType__PARAMETER_STRING;
  char part[512];
  size_t length = 0;
  text[0] = 0;
  if (array) length += (size_t)snprintf(text, size, "[");
  for (size_t i = 0; i < element(v, i, part, sizeof part) && length < size - 600; i++) {
    length += (size_t)snprintf(text + length, size - length, "%s%s", i ? ", " : "", part);
  }
  if (array) snprintf(text + length, size - length, "]");
}

const char *
peer_get(peer_t * peer, const char * name)
{
  static char text[2048];
  rcl_interfaces__srv__GetParameters_Request request = {0};
  rcl_interfaces__srv__GetParameters_Response response = {0};
  assert_true(rcl_interfaces__srv__GetParameters_Request__init(&request));
  assert_true(rcl_interfaces__srv__GetParameters_Response__init(&response));
  assert_true(rosidl_runtime_c__String__Sequence__init(&request.names, 1));
  assert_true(rosidl_runtime_c__String__assign(&request.names.data[0], name));
  peer_call(
    peer, SERVICE(rcl_interfaces, GetParameters), "/mbdyn/get_parameters", &request, &response);
  text[0] = 0;
  if (response.values.size == 1) print_value(&response.values.data[0], text, sizeof text);
  rcl_interfaces__srv__GetParameters_Request__fini(&request);
  rcl_interfaces__srv__GetParameters_Response__fini(&response);
  return text;
}
