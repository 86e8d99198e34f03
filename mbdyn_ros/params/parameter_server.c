#include "parameter_server.h"

#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "parameter_messages.h"
#include "parameter_overrides.h"
#include "parameter_server_internal.h"
#include "rcl/error_handling.h"
#include "rcl_interfaces/msg/parameter.h"
#include "rcl_interfaces/msg/parameter_event.h"
#include "rclc/publisher.h"
#include "rcutils/time.h"
#include "rmw/qos_profiles.h"
#include "rosidl_runtime_c/string_functions.h"

bool
param_server_report(const param_server_t * server, const char * what, rcl_ret_t ret)
{
  if (ret == RCL_RET_OK) return true;
  // rclc has printed some of its errors and forgotten them
  LOGGER_LOG(
    rcl_node_get_logger_name(server->node), ERROR, "%s: error %d: %s", what, (int)ret,
    rcl_get_error_string().str);
  rcl_reset_error();
  return false;
}

//---------- events ----------

typedef rcl_interfaces__msg__ParameterEvent event_t;

static bool
fill_event(const param_server_t * server, const bool * which, bool new, event_t * event)
{
  const param_values_t * values = server->values;
  rcl_interfaces__msg__Parameter__Sequence * list =
    new ? &event->new_parameters : &event->changed_parameters;
  size_t n = 0;
  for (size_t i = 0; i < values->n; i++) n += which[i];
  bool ok = rcl_interfaces__msg__Parameter__Sequence__init(list, n);
  rcl_interfaces__msg__Parameter * next = list->data;
  for (size_t i = 0; ok && i < values->n; i++) {
    if (!which[i]) continue;
    ok = rosidl_runtime_c__String__assign(&next->name, values->spec[i].name) &&
         param_to_message(&values->value[i], &next->value);
    next++;
  }
  rcutils_time_point_value_t now = 0;
  if (rcutils_system_time_now(&now) != RCUTILS_RET_OK) rcutils_reset_error();
  event->stamp.sec = (int32_t)(now / 1000000000);
  event->stamp.nanosec = (uint32_t)(now % 1000000000);
  return ok && rosidl_runtime_c__String__assign(
                 &event->node, rcl_node_get_fully_qualified_name(server->node));
}

void
param_server_publish(param_server_t * server, const bool * which, bool new)
{
  event_t event;
  bool ok = rcl_interfaces__msg__ParameterEvent__init(&event);
  if (ok) {
    ok = fill_event(server, which, new, &event);
    if (ok) {
      param_server_report(server, "/parameter_events", rcl_publish(&server->events, &event, NULL));
    }
    rcl_interfaces__msg__ParameterEvent__fini(&event);
  }
  if (!ok) param_server_report(server, "/parameter_events", RCL_RET_BAD_ALLOC);
}

//---------- start ----------

// indices in the order of their names; tables are short
static size_t *
sort_names(const param_spec_t * spec, size_t n)
{
  size_t * order = calloc(n + 1, sizeof *order);
  for (size_t i = 0; order != NULL && i < n; i++) {
    size_t j = i;
    for (; j > 0 && strcmp(spec[i].name, spec[order[j - 1]].name) < 0; j--) {
      order[j] = order[j - 1];
    }
    order[j] = i;
  }
  return order;
}

static bool
open_events(param_server_t * server)
{
  const rosidl_message_type_support_t * type =
    ROSIDL_GET_MSG_TYPE_SUPPORT(rcl_interfaces, msg, ParameterEvent);
  return param_server_report(
    server, "/parameter_events",
    rclc_publisher_init(
      &server->events, server->node, type, "/parameter_events", &rmw_qos_profile_parameter_events));
}

static bool
announce(param_server_t * server)
{
  bool * all = calloc(server->values->n + 1, sizeof *all);
  if (all == NULL) return false;
  memset(all, true, server->values->n * sizeof *all);
  param_server_publish(server, all, true);
  free(all);
  return true;
}

param_server_t *
param_server_init(
  rcl_node_t * node, const param_spec_t * spec, size_t n, const rcl_params_t * overrides,
  const rcl_params_t * extra)
{
  const char * logger = rcl_node_get_logger_name(node);
  param_server_t * server = calloc(1, sizeof *server);
  if (server == NULL) return NULL;
  *server = (param_server_t){.node = node, .events = rcl_get_zero_initialized_publisher()};
  server->values = param_values_create(spec, n);
  if (server->values == NULL) LOGGER_LOG(logger, ERROR, "the table of parameters is wrong");
  const char * name = rcl_node_get_fully_qualified_name(node);
  bool ok =
    server->values != NULL && param_overrides_apply(server->values, overrides, extra, name, logger);
  if (ok) server->by_name = sort_names(spec, n);
  ok = ok && server->by_name != NULL && open_events(server) && param_services_open(server) &&
       announce(server);
  if (ok) return server;
  param_server_fini(server);
  return NULL;
}

void
param_server_set_text_limit(param_server_t * server, size_t bytes)
{
  server->text_limit = bytes;
}

uint64_t
param_server_refused_texts(const param_server_t * server)
{
  return server->refused_texts;
}

void
param_server_set_hooks(param_server_t * server, param_hooks_t hooks)
{
  server->hooks = hooks;
}

bool
param_server_add(param_server_t * server, rclc_executor_t * executor)
{
  return param_services_add(server, executor);
}

//---------- use ----------

const param_values_t *
param_server_values(const param_server_t * server)
{
  return server->values;
}

bool
param_server_set(
  param_server_t * server, const char * name, const param_value_t * value, char * reason,
  size_t size)
{
  return param_server_set_all(server, 1, &name, value, reason, size);
}

bool
param_server_set_all(
  param_server_t * server, size_t n, const char * const * name, const param_value_t * value,
  char * reason, size_t size)
{
  param_change_t change;
  if (!param_change_open(&change, server, reason, size)) return false;
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++) {
    ok = param_change_add(&change, name[i], &value[i], reason, size);
  }
  ok = ok && param_change_commit(&change, reason, size);
  param_change_close(&change);
  return ok;
}

//---------- end ----------

void
param_server_fini(param_server_t * server)
{
  if (server == NULL) return;
  param_services_close(server);
  param_server_report(
    server, "/parameter_events", rcl_publisher_fini(&server->events, server->node));
  param_values_destroy(server->values);
  free(server->by_name);
  free(server);
}
