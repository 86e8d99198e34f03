#include "param_peer.h"

#include "rcl/arguments.h"
#include "rcl/error_handling.h"
#include "rcl/graph.h"
#include "rcl_yaml_param_parser/parser.h"
#include "rcutils/logging.h"
#include "rmw/qos_profiles.h"

enum { TIMEOUT_S = 20, TEXT = 8192 };

const param_spec_t param_table[P_COUNT] = {
  [P_RATE] = {"rate", PARAM_DOUBLE, "100.0", "Cycles per second [Hz].", 1, 1000, NULL, false},
  [P_STEPS] = {"steps", PARAM_INTEGER, "5", "Steps.", 0.5, 9.5, NULL, false},
  [P_ON] = {"on", PARAM_BOOL, "true", "On or off.", 0, 0, NULL, false},
  [P_ON_STALE] = {"on_stale", PARAM_STRING, "hold", "What then.", 0, 0, "zero|hold", false},
  [P_KEY] = {"key", PARAM_BYTE_ARRAY, "[1, 255]", "Bytes.", 0, 0, NULL, false},
  [P_MASK] = {"mask", PARAM_BOOL_ARRAY, "[true, false]", "Mask.", 0, 0, NULL, false},
  [P_IDS] = {"ids", PARAM_INTEGER_ARRAY, "[3, 4]", "Numbers.", 1, HUGE_VAL, NULL, false},
  [P_GRAVITY] = {"gravity", PARAM_DOUBLE_ARRAY, "[0, 0, -9.5]", "Gravity.", -20, 20, NULL, false},
  [P_TERMS] = {"publish.terms", PARAM_STRING_ARRAY, "[a, b]", "Terms.", 0, 0, "a|b|c", false},
  [P_ARM_TORQUE] = {"limits.arm.torque", PARAM_DOUBLE, "7", "Limit.", 0, 0, NULL, false},
  [P_TORQUE] = {"limits.torque", PARAM_DOUBLE, "8", "Limit.", 0, HUGE_VAL, NULL, false},
  [P_SPEED] = {"limits.speed", PARAM_DOUBLE, "9", "Limit.", 0, 0, NULL, false},
  [P_DESCRIPTION] = {"robot_description", PARAM_STRING, "", "URDF.", 0, 0, NULL, false},
  [P_FIXED] = {"fixed", PARAM_STRING, "x", "Fixed.", 0, 0, NULL, true},
  [P_SIM_TIME] = {"use_sim_time", PARAM_BOOL, "false", "/clock.", 0, 0, NULL, true},
};

static void
must(rcl_ret_t ret, const char * what)
{
  if (ret != RCL_RET_OK) fail_msg("%s: %d: %s", what, ret, rcl_get_error_string().str);
}

//---------- node ----------

void
param_node_open(param_node_t * node, const char * const * arguments, const rcl_params_t * extra)
{
  *node = (param_node_t){.allocator = rcl_get_default_allocator()};
  const char * argv[32] = {"test"};
  int argc = 1;
  for (; arguments != NULL && arguments[argc - 1] != NULL; argc++) argv[argc] = arguments[argc - 1];
  must(rclc_support_init(&node->support, argc, argv, &node->allocator), "support");
  must(rclc_node_init_default(&node->node, "arm", "left", &node->support), "node");
  const rcl_arguments_t * global = &node->support.context.global_arguments;
  must(rcl_arguments_get_param_overrides(global, &node->overrides), "overrides");
  node->server = param_server_init(&node->node, param_table, P_COUNT, node->overrides, extra);
  must(
    rclc_executor_init(
      &node->executor, &node->support.context, PARAM_SERVER_HANDLES, &node->allocator),
    "executor");
  if (node->server != NULL) assert_true(param_server_add(node->server, &node->executor));
}

void
param_node_close(param_node_t * node)
{
  must(rclc_executor_fini(&node->executor), "executor");
  param_server_fini(node->server);
  if (node->overrides != NULL) rcl_yaml_node_struct_fini(node->overrides);
  must(rcl_node_fini(&node->node), "node");
  must(rclc_support_fini(&node->support), "support");
}

//---------- client ----------

static void
open_one(
  param_client_t * client, rcl_client_t * service, const rosidl_service_type_support_t * type,
  const char * name)
{
  char full[64];
  snprintf(full, sizeof full, "/left/arm/%s", name);
  *service = rcl_get_zero_initialized_client();
  must(rclc_client_init(service, &client->node, type, full, &rmw_qos_profile_parameters), full);
  const int64_t end = now_ns() + TIMEOUT_S * INT64_C(1000000000);
  for (bool there = false; !there;) {
    must(rcl_service_server_is_available(&client->node, service, &there), full);
    if (there) break;
    if (now_ns() > end) fail_msg("%s is not there", full);
    sleep_ms(10);
  }
}

#define OPEN(service, Type, name) \
  open_one(client, &client->service, ROSIDL_GET_SRV_TYPE_SUPPORT(rcl_interfaces, srv, Type), name)

void
param_client_open(param_client_t * client, rclc_support_t * support, rclc_executor_t * server)
{
  *client = (param_client_t){.server = server};
  must(rclc_node_init_default(&client->node, "client", "", support), "client");
  OPEN(get, GetParameters, "get_parameters");
  OPEN(types, GetParameterTypes, "get_parameter_types");
  OPEN(set, SetParameters, "set_parameters");
  OPEN(atomic, SetParametersAtomically, "set_parameters_atomically");
  OPEN(describe, DescribeParameters, "describe_parameters");
  OPEN(list, ListParameters, "list_parameters");
  client->events = rcl_get_zero_initialized_subscription();
  must(
    rclc_subscription_init(
      &client->events, &client->node,
      ROSIDL_GET_MSG_TYPE_SUPPORT(rcl_interfaces, msg, ParameterEvent), "/parameter_events",
      &rmw_qos_profile_parameter_events),
    "events");
}

void
param_client_close(param_client_t * client)
{
  rcl_client_t * all[] = {&client->get,    &client->types,    &client->set,
                          &client->atomic, &client->describe, &client->list};
  for (size_t i = 0; i < 6; i++) must(rcl_client_fini(all[i], &client->node), "client");
  must(rcl_subscription_fini(&client->events, &client->node), "events");
  must(rcl_node_fini(&client->node), "client");
}

// until the service has something, or for half a second
static void
wait(param_client_t * client, const rcl_client_t * service)
{
  if (client->server != NULL) {
    rcl_ret_t ret = rclc_executor_spin_some(client->server, RCL_MS_TO_NS(500));
    if (ret != RCL_RET_TIMEOUT) must(ret, "spin");
    return;
  }
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  rcl_context_t * context = client->node.context;
  must(rcl_wait_set_init(&set, 0, 0, 0, 1, 0, 0, context, rcl_get_default_allocator()), "wait set");
  must(rcl_wait_set_add_client(&set, service, NULL), "wait set");
  rcl_ret_t ret = rcl_wait(&set, RCL_MS_TO_NS(500));
  if (ret != RCL_RET_TIMEOUT) must(ret, "wait");
  rcl_reset_error();
  must(rcl_wait_set_fini(&set), "wait set");
}

// answers of earlier, repeated requests are not ours; a request may be lost while we are discovered
void
ask(param_client_t * client, rcl_client_t * service, const void * request, void * response)
{
  const int64_t end = now_ns() + TIMEOUT_S * INT64_C(1000000000);
  int64_t sequence = 0, sent = 0;
  while (now_ns() < end) {
    if (now_ns() - sent > INT64_C(3000000000)) {
      must(rcl_send_request(service, request, &sequence), "request");
      sent = now_ns();
    }
    wait(client, service);
    rmw_request_id_t id;
    rcl_ret_t ret;
    while ((ret = rcl_take_response(service, &id, response)) == RCL_RET_OK) {
      if (id.sequence_number == sequence) return;
    }
    if (ret != RCL_RET_CLIENT_TAKE_FAILED) must(ret, "answer");
  }
  fail_msg("no answer");
}

//---------- text ----------

static char text[TEXT];

static void
add_text(const char * format, ...)
{
  const size_t length = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + length, sizeof text - length, format, arguments);
  va_end(arguments);
}

static void
add_value(const value_t * v)
{
  switch (v->type) {
    case 0: add_text("not set"); break;
    case 1: add_text("bool %d", v->bool_value); break;
    case 2: add_text("integer %lld", (long long)v->integer_value); break;
    case 3: add_text("double %g", v->double_value); break;
    case 4: add_text("string %.100s", v->string_value.data); break;
    case 5:
      add_text("bytes");
      for (size_t i = 0; i < v->byte_array_value.size; i++) {
        add_text(" %d", v->byte_array_value.data[i]);
      }
      break;
    case 6:
      add_text("bools");
      for (size_t i = 0; i < v->bool_array_value.size; i++) {
        add_text(" %d", v->bool_array_value.data[i]);
      }
      break;
    case 7:
      add_text("integers");
      for (size_t i = 0; i < v->integer_array_value.size; i++) {
        add_text(" %lld", (long long)v->integer_array_value.data[i]);
      }
      break;
    case 8:
      add_text("doubles");
      for (size_t i = 0; i < v->double_array_value.size; i++) {
        add_text(" %g", v->double_array_value.data[i]);
      }
      break;
    case 9:
      add_text("strings");
      for (size_t i = 0; i < v->string_array_value.size; i++) {
        add_text(" %s", v->string_array_value.data[i].data);
      }
      break;
    default: add_text("type %d", v->type);
  }
}

// words into a sequence
static void
split(const char * words, rosidl_runtime_c__String__Sequence * to)
{
  size_t n = 0;
  for (const char * w = words; *w != '\0'; w += strcspn(w, " "), w += strspn(w, " ")) n++;
  rosidl_runtime_c__String__Sequence__fini(to);
  assert_true(rosidl_runtime_c__String__Sequence__init(to, n));
  for (size_t i = 0; i < n; i++) {
    const size_t length = strcspn(words, " ");
    assert_true(rosidl_runtime_c__String__assignn(&to->data[i], words, length));
    words += length + strspn(words + length, " ");
  }
}

const char *
get_text(param_client_t * client, const char * names)
{
  rcl_interfaces__srv__GetParameters_Request request;
  rcl_interfaces__srv__GetParameters_Response response;
  assert_true(rcl_interfaces__srv__GetParameters_Request__init(&request));
  assert_true(rcl_interfaces__srv__GetParameters_Response__init(&response));
  split(names, &request.names);
  ask(client, &client->get, &request, &response);
  text[0] = '\0';
  for (size_t i = 0; i < response.values.size; i++) {
    if (i > 0) add_text("; ");
    add_value(&response.values.data[i]);
  }
  rcl_interfaces__srv__GetParameters_Request__fini(&request);
  rcl_interfaces__srv__GetParameters_Response__fini(&response);
  return text;
}

const char *
types_text(param_client_t * client, const char * names)
{
  rcl_interfaces__srv__GetParameterTypes_Request request;
  rcl_interfaces__srv__GetParameterTypes_Response response;
  assert_true(rcl_interfaces__srv__GetParameterTypes_Request__init(&request));
  assert_true(rcl_interfaces__srv__GetParameterTypes_Response__init(&response));
  split(names, &request.names);
  ask(client, &client->types, &request, &response);
  text[0] = '\0';
  for (size_t i = 0; i < response.types.size; i++) add_text("%d", response.types.data[i]);
  rcl_interfaces__srv__GetParameterTypes_Request__fini(&request);
  rcl_interfaces__srv__GetParameterTypes_Response__fini(&response);
  return text;
}

const char *
list_text(param_client_t * client, const char * prefixes, uint64_t depth)
{
  rcl_interfaces__srv__ListParameters_Request request;
  rcl_interfaces__srv__ListParameters_Response response;
  assert_true(rcl_interfaces__srv__ListParameters_Request__init(&request));
  assert_true(rcl_interfaces__srv__ListParameters_Response__init(&response));
  split(prefixes, &request.prefixes);
  request.depth = depth;
  ask(client, &client->list, &request, &response);
  const rosidl_runtime_c__String__Sequence * names = &response.result.names;
  const rosidl_runtime_c__String__Sequence * above = &response.result.prefixes;
  text[0] = '\0';
  for (size_t i = 0; i < names->size; i++) add_text("%s ", names->data[i].data);
  add_text("|");
  for (size_t i = 0; i < above->size; i++) add_text(" %s", above->data[i].data);
  rcl_interfaces__srv__ListParameters_Request__fini(&request);
  rcl_interfaces__srv__ListParameters_Response__fini(&response);
  return text;
}

//---------- setting ----------

value_t *
parameter(parameters_t * list, const char * name, uint8_t type)
{
  // grown by hand: what is there moves along
  parameters_t longer;
  assert_true(rcl_interfaces__msg__Parameter__Sequence__init(&longer, list->size + 1));
  for (size_t i = 0; i < list->size; i++) {
    const rcl_interfaces__msg__Parameter empty = longer.data[i];
    longer.data[i] = list->data[i];
    list->data[i] = empty;
  }
  rcl_interfaces__msg__Parameter__Sequence__fini(list);
  *list = longer;
  rcl_interfaces__msg__Parameter * last = &list->data[list->size - 1];
  assert_true(rosidl_runtime_c__String__assign(&last->name, name));
  last->value.type = type;
  return &last->value;
}

static void
add_result(const rcl_interfaces__msg__SetParametersResult * result)
{
  if (text[0] != '\0') add_text("; ");
  assert_true(!result->successful || result->reason.size == 0);
  add_text("%s", result->successful ? "ok" : result->reason.data);
}

const char *
set(param_client_t * client, parameters_t * list, bool atomic)
{
  // both requests are a list and nothing else
  rcl_interfaces__srv__SetParameters_Request request = {.parameters = *list};
  rcl_interfaces__srv__SetParametersAtomically_Request all = {.parameters = *list};
  text[0] = '\0';
  if (atomic) {
    rcl_interfaces__srv__SetParametersAtomically_Response response;
    assert_true(rcl_interfaces__srv__SetParametersAtomically_Response__init(&response));
    ask(client, &client->atomic, &all, &response);
    add_result(&response.result);
    rcl_interfaces__srv__SetParametersAtomically_Response__fini(&response);
  } else {
    rcl_interfaces__srv__SetParameters_Response response;
    assert_true(rcl_interfaces__srv__SetParameters_Response__init(&response));
    ask(client, &client->set, &request, &response);
    assert_int_equal(response.results.size, list->size);
    for (size_t i = 0; i < response.results.size; i++) add_result(&response.results.data[i]);
    rcl_interfaces__srv__SetParameters_Response__fini(&response);
  }
  rcl_interfaces__msg__Parameter__Sequence__fini(list);
  return text;
}

const char *
set_double(param_client_t * client, const char * name, double number)
{
  parameters_t list = {0};
  parameter(&list, name, 3)->double_value = number;
  return set(client, &list, false);
}

//---------- events ----------

static void
add_parameters(const char * kind, const parameters_t * list)
{
  for (size_t i = 0; i < list->size; i++) {
    add_text("%s%s%s=", i > 0 ? "; " : kind, i > 0 ? "" : " ", list->data[i].name.data);
    add_value(&list->data[i].value);
  }
}

const char *
next_event(param_client_t * client)
{
  rcl_interfaces__msg__ParameterEvent event;
  assert_true(rcl_interfaces__msg__ParameterEvent__init(&event));
  const int64_t end = now_ns() + TIMEOUT_S * INT64_C(1000000000);
  rcl_ret_t ret = RCL_RET_SUBSCRIPTION_TAKE_FAILED;
  while (ret == RCL_RET_SUBSCRIPTION_TAKE_FAILED && now_ns() < end) {
    ret = rcl_take(&client->events, &event, NULL, NULL);
    if (ret == RCL_RET_SUBSCRIPTION_TAKE_FAILED) sleep_ms(1);
  }
  must(ret, "event");
  assert_true(event.stamp.sec > 1700000000 && event.stamp.nanosec < 1000000000);
  assert_int_equal(event.deleted_parameters.size, 0);
  text[0] = '\0';
  add_text("%s: ", event.node.data);
  add_parameters("new", &event.new_parameters);
  add_parameters("changed", &event.changed_parameters);
  rcl_interfaces__msg__ParameterEvent__fini(&event);
  return text;
}

//---------- log ----------

static char log_lines[TEXT];

static void
keep_line(
  const rcutils_log_location_t * location, int severity, const char * name,
  rcutils_time_point_value_t time, const char * format, va_list * arguments)
{
  (void)location;
  (void)time;
  char line[2048];
  vsnprintf(line, sizeof line, format, *arguments);
  const char * level = severity >= RCUTILS_LOG_SEVERITY_ERROR  ? "ERROR"
                       : severity >= RCUTILS_LOG_SEVERITY_WARN ? "WARN"
                                                               : "INFO";
  const size_t length = strlen(log_lines);
  snprintf(log_lines + length, sizeof log_lines - length, "%s %s: %s\n", level, name, line);
}

void
log_start(void)
{
  assert_int_equal(rcutils_logging_initialize(), RCUTILS_RET_OK);
  log_lines[0] = '\0';
  rcutils_logging_set_output_handler(keep_line);
}

const char *
log_text(void)
{
  rcutils_logging_set_output_handler(rcutils_logging_console_output_handler);
  return log_lines;
}
