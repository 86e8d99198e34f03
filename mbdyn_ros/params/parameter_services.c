// The six services of a node's parameters, as rclcpp answers them.
//
// Memory: rmw makes the sequences of a request anew each time it takes one, whatever was there. So
// a request is emptied when its callback ends, and a response, which is sent after the callback,
// when the next one begins.
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "parameter_messages.h"
#include "parameter_server_internal.h"
#include "rcl_interfaces/msg/set_parameters_result.h"
#include "rcl_interfaces/srv/describe_parameters.h"
#include "rcl_interfaces/srv/get_parameter_types.h"
#include "rcl_interfaces/srv/get_parameters.h"
#include "rcl_interfaces/srv/list_parameters.h"
#include "rcl_interfaces/srv/set_parameters.h"
#include "rcl_interfaces/srv/set_parameters_atomically.h"
#include "rclc/service.h"
#include "rmw/qos_profiles.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

// type, name
#define SERVICES(X)                                     \
  X(GetParameters, get_parameters)                      \
  X(GetParameterTypes, get_parameter_types)             \
  X(SetParameters, set_parameters)                      \
  X(SetParametersAtomically, set_parameters_atomically) \
  X(DescribeParameters, describe_parameters)            \
  X(ListParameters, list_parameters)

//---------- reading ----------

static int
find(const param_server_t * server, const rosidl_runtime_c__String * name)
{
  const char * text = param_text(name);
  return text != NULL ? param_find(server->values, text) : -1;
}

// names that are all declared; a much longer list than the table asks for the same ones again
static bool
all_known(const param_server_t * server, const rosidl_runtime_c__String__Sequence * names)
{
  bool known = names->size <= 2 * server->values->n + 16;
  for (size_t i = 0; known && i < names->size; i++) known = find(server, &names->data[i]) >= 0;
  return known;
}

// an undeclared name makes the whole answer empty, here and in the next two: so does rclcpp
static bool
get_parameters(
  param_server_t * server, const rcl_interfaces__srv__GetParameters_Request * request,
  rcl_interfaces__srv__GetParameters_Response * response)
{
  const size_t n = all_known(server, &request->names) ? request->names.size : 0;
  bool ok = rcl_interfaces__msg__ParameterValue__Sequence__init(&response->values, n);
  for (size_t i = 0; ok && i < n; i++) {
    const int index = find(server, &request->names.data[i]);
    ok = param_to_message(&server->values->value[index], &response->values.data[i]);
  }
  return ok;
}

static bool
get_parameter_types(
  param_server_t * server, const rcl_interfaces__srv__GetParameterTypes_Request * request,
  rcl_interfaces__srv__GetParameterTypes_Response * response)
{
  const size_t n = all_known(server, &request->names) ? request->names.size : 0;
  bool ok = rosidl_runtime_c__uint8__Sequence__init(&response->types, n);
  for (size_t i = 0; ok && i < n; i++) {
    const int index = find(server, &request->names.data[i]);
    response->types.data[i] = (uint8_t)server->values->spec[index].type;
  }
  return ok;
}

static bool
describe_parameters(
  param_server_t * server, const rcl_interfaces__srv__DescribeParameters_Request * request,
  rcl_interfaces__srv__DescribeParameters_Response * response)
{
  const size_t n = all_known(server, &request->names) ? request->names.size : 0;
  bool ok = rcl_interfaces__msg__ParameterDescriptor__Sequence__init(&response->descriptors, n);
  for (size_t i = 0; ok && i < n; i++) {
    const int index = find(server, &request->names.data[i]);
    ok = param_describe(&server->values->spec[index], &response->descriptors.data[i]);
  }
  return ok;
}

//---------- writing ----------

typedef rcl_interfaces__msg__SetParametersResult result_t;

static bool
put_result(result_t * result, bool successful, const char * reason)
{
  char text[2 * PARAM_REASON];
  result->successful = successful;
  return rosidl_runtime_c__String__assign(
    &result->reason, successful ? "" : text_printable(reason, text, sizeof text));
}

static bool
add(
  param_change_t * change, const rcl_interfaces__msg__Parameter * parameter, char * reason,
  size_t size)
{
  const char * name = param_text(&parameter->name);
  char what[80];
  param_value_t view;
  if (!param_view(&parameter->value, &view, what, sizeof what)) {
    snprintf(reason, size, "parameter '%.200s' %s", name != NULL ? name : "", what);
    return false;
  }
  const bool ok = param_change_add(change, name, &view, reason, size);
  param_view_fini(&view);
  return ok;
}

// all of these, or none
static bool
set_all(
  param_server_t * server, const rcl_interfaces__msg__Parameter * parameters, size_t n,
  result_t * result)
{
  char reason[PARAM_REASON] = "";
  param_change_t change;
  bool ok = param_change_open(&change, server, reason, sizeof reason);
  if (!ok) return put_result(result, false, reason);
  for (size_t i = 0; ok && i < n; i++) ok = add(&change, &parameters[i], reason, sizeof reason);
  if (n > 0) ok = ok && param_change_commit(&change, reason, sizeof reason);
  param_change_close(&change);
  return put_result(result, ok, reason);
}

// each for itself
static bool
set_parameters(
  param_server_t * server, const rcl_interfaces__srv__SetParameters_Request * request,
  rcl_interfaces__srv__SetParameters_Response * response)
{
  const size_t n = request->parameters.size;
  bool ok = rcl_interfaces__msg__SetParametersResult__Sequence__init(&response->results, n);
  for (size_t i = 0; ok && i < n; i++) {
    ok = set_all(server, &request->parameters.data[i], 1, &response->results.data[i]);
  }
  return ok;
}

static bool
set_parameters_atomically(
  param_server_t * server, const rcl_interfaces__srv__SetParametersAtomically_Request * request,
  rcl_interfaces__srv__SetParametersAtomically_Response * response)
{
  return set_all(server, request->parameters.data, request->parameters.size, &response->result);
}

//---------- listing ----------

static uint64_t
dots(const char * name)
{
  uint64_t n = 0;
  for (; *name != '\0'; name++) n += *name == '.';
  return n;
}

// is it the prefix itself, or below it and not too deep?
static bool
is_below(const char * name, const char * prefix, uint64_t depth)
{
  const size_t length = strlen(prefix);
  if (strncmp(name, prefix, length) != 0) return false;
  const char * rest = name + length;
  return rest[0] == '\0' || (rest[0] == '.' && (depth == 0 || dots(rest) < depth));
}

static bool
is_listed(const char * name, const rcl_interfaces__srv__ListParameters_Request * request)
{
  const rosidl_runtime_c__String__Sequence * prefixes = &request->prefixes;
  if (prefixes->size == 0) return request->depth == 0 || dots(name) < request->depth;
  for (size_t i = 0; i < prefixes->size; i++) {
    const char * prefix = param_text(&prefixes->data[i]);
    if (prefix != NULL && is_below(name, prefix, request->depth)) return true;
  }
  return false;
}

// adds what is before the last dot, if it is not there yet
static bool
add_prefix(const char * name, rosidl_runtime_c__String__Sequence * prefixes)
{
  const char * dot = strrchr(name, '.');
  if (dot == NULL) return true;
  const size_t length = (size_t)(dot - name);
  for (size_t i = 0; i < prefixes->size; i++) {
    const rosidl_runtime_c__String * p = &prefixes->data[i];
    if (p->size == length && memcmp(p->data, name, length) == 0) return true;
  }
  return rosidl_runtime_c__String__assignn(&prefixes->data[prefixes->size++], name, length);
}

static bool
list_parameters(
  param_server_t * server, const rcl_interfaces__srv__ListParameters_Request * request,
  rcl_interfaces__srv__ListParameters_Response * response)
{
  const param_values_t * values = server->values;
  rosidl_runtime_c__String__Sequence * names = &response->result.names;
  rosidl_runtime_c__String__Sequence * prefixes = &response->result.prefixes;
  bool ok = rosidl_runtime_c__String__Sequence__init(names, values->n) &&
            rosidl_runtime_c__String__Sequence__init(prefixes, values->n);
  if (!ok) return false;
  // memory for all, filled as far as there are any: the rest is freed by capacity
  names->size = prefixes->size = 0;
  for (size_t i = 0; ok && i < values->n; i++) {
    const char * name = values->spec[server->by_name[i]].name;
    if (!is_listed(name, request)) continue;
    ok = rosidl_runtime_c__String__assign(&names->data[names->size++], name) &&
         add_prefix(name, prefixes);
  }
  return ok;
}

//---------- callbacks ----------

// renew_X_request, renew_X_response, on_X
#define CALLBACK(Type, name)                                                              \
  static bool renew_##name##_request(void * message)                                      \
  {                                                                                       \
    rcl_interfaces__srv__##Type##_Request__fini(message);                                 \
    return rcl_interfaces__srv__##Type##_Request__init(message);                          \
  }                                                                                       \
  static bool renew_##name##_response(void * message)                                     \
  {                                                                                       \
    rcl_interfaces__srv__##Type##_Response__fini(message);                                \
    return rcl_interfaces__srv__##Type##_Response__init(message);                         \
  }                                                                                       \
  static void on_##name(const void * request, void * response, void * server)             \
  {                                                                                       \
    const bool ok = renew_##name##_response(response) && name(server, request, response); \
    const bool empty = ok || renew_##name##_response(response);                           \
    const bool ready = renew_##name##_request((void *)request);                           \
    if (!ok || !empty || !ready) complain(server, #name);                                 \
  }

static void
complain(const param_server_t * server, const char * service)
{
  LOGGER_LOG(rcl_node_get_logger_name(server->node), ERROR, "%s: out of memory", service);
}

SERVICES(CALLBACK)

//---------- start and end ----------

struct param_services {
#define MEMBER(Type, name)                              \
  rcl_service_t name;                                   \
  rcl_interfaces__srv__##Type##_Request name##_request; \
  rcl_interfaces__srv__##Type##_Response name##_response;
  SERVICES(MEMBER)
};

static bool
open_one(
  const param_server_t * server, rcl_service_t * service,
  const rosidl_service_type_support_t * type, const char * name)
{
  return param_server_report(
    server, name,
    rclc_service_init(service, server->node, type, name, &rmw_qos_profile_parameters));
}

bool
param_services_open(param_server_t * server)
{
  param_services_t * s = server->services = calloc(1, sizeof *s);
  bool ok = s != NULL;
#define OPEN(Type, name)                                   \
  ok = ok && renew_##name##_request(&s->name##_request) && \
       renew_##name##_response(&s->name##_response) &&     \
       open_one(                                           \
         server, &s->name, ROSIDL_GET_SRV_TYPE_SUPPORT(rcl_interfaces, srv, Type), "~/" #name);
  SERVICES(OPEN)
  return ok;
}

bool
param_services_add(param_server_t * server, rclc_executor_t * executor)
{
  param_services_t * s = server->services;
  bool ok = true;
#define ADD(Type, name)                                \
  ok = ok && param_server_report(                      \
               server, "~/" #name,                     \
               rclc_executor_add_service_with_context( \
                 executor, &s->name, &s->name##_request, &s->name##_response, on_##name, server));
  SERVICES(ADD)
  return ok;
}

void
param_services_close(param_server_t * server)
{
  param_services_t * s = server->services;
  if (s == NULL) return;
#define CLOSE(Type, name)                                                            \
  param_server_report(server, "~/" #name, rcl_service_fini(&s->name, server->node)); \
  rcl_interfaces__srv__##Type##_Request__fini(&s->name##_request);                   \
  rcl_interfaces__srv__##Type##_Response__fini(&s->name##_response);
  SERVICES(CLOSE)
  free(s);
  server->services = NULL;
}
