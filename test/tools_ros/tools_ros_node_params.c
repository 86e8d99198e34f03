// The parameter services of the test node, by hand.
#include <stdio.h>
#include <string.h>

#include "rcl_interfaces/msg/floating_point_range.h"
#include "rcl_interfaces/msg/parameter_descriptor.h"
#include "rcl_interfaces/msg/parameter_value.h"
#include "rcl_interfaces/msg/set_parameters_result.h"
#include "rcl_interfaces/srv/describe_parameters.h"
#include "rcl_interfaces/srv/get_parameter_types.h"
#include "rcl_interfaces/srv/get_parameters.h"
#include "rcl_interfaces/srv/list_parameters.h"
#include "rcl_interfaces/srv/set_parameters.h"
#include "rcl_interfaces/srv/set_parameters_atomically.h"
#include "rclc/rclc.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "tools_ros_node.h"

enum { INTEGER = 2, DOUBLE = 3, STRING = 4, DOUBLES = 8 };

static double rate = 100;
static char label[64] = "demo";

static const struct {
  const char * name;
  uint8_t type;
} PARAMS[] = {{"rate", DOUBLE}, {"label", STRING}, {"limits.torque", INTEGER}, {"gains", DOUBLES}};

enum { COUNT = sizeof PARAMS / sizeof PARAMS[0] };

static int
find(const rosidl_runtime_c__String * name)
{
  for (int i = 0; i < COUNT; i++) {
    if (strcmp(PARAMS[i].name, name->data) == 0) return i;
  }
  return -1;
}

// a sequence of new elements in place of what the last answer left there
#define RENEW(type, sequence, size)         \
  do {                                      \
    type##__Sequence__fini(sequence);       \
    type##__Sequence__init(sequence, size); \
  } while (0)

//---------- reading ----------

static void
on_list(const void * request, void * response)
{
  (void)request;
  rcl_interfaces__srv__ListParameters_Response * r = response;
  RENEW(rosidl_runtime_c__String, &r->result.names, COUNT);
  for (int i = 0; i < COUNT; i++) {
    rosidl_runtime_c__String__assign(&r->result.names.data[i], PARAMS[i].name);
  }
}

static void
on_get(const void * request, void * response)
{
  const rcl_interfaces__srv__GetParameters_Request * q = request;
  rcl_interfaces__srv__GetParameters_Response * r = response;
  RENEW(rcl_interfaces__msg__ParameterValue, &r->values, q->names.size);
  for (size_t i = 0; i < q->names.size; i++) {
    rcl_interfaces__msg__ParameterValue * value = &r->values.data[i];
    const int which = find(&q->names.data[i]);
    if (which < 0) continue;
    value->type = PARAMS[which].type;
    if (which == 0) value->double_value = rate;
    if (which == 1) rosidl_runtime_c__String__assign(&value->string_value, label);
    if (which == 2) value->integer_value = 42;
    if (which == 3 && rosidl_runtime_c__double__Sequence__init(&value->double_array_value, 2)) {
      value->double_array_value.data[0] = 1;
      value->double_array_value.data[1] = 1e-5;
    }
  }
}

static void
on_types(const void * request, void * response)
{
  const rcl_interfaces__srv__GetParameterTypes_Request * q = request;
  rcl_interfaces__srv__GetParameterTypes_Response * r = response;
  RENEW(rosidl_runtime_c__uint8, &r->types, q->names.size);
  for (size_t i = 0; i < q->names.size; i++) {
    const int which = find(&q->names.data[i]);
    r->types.data[i] = which < 0 ? 0 : PARAMS[which].type;
  }
}

static void
on_describe(const void * request, void * response)
{
  const rcl_interfaces__srv__DescribeParameters_Request * q = request;
  rcl_interfaces__srv__DescribeParameters_Response * r = response;
  RENEW(rcl_interfaces__msg__ParameterDescriptor, &r->descriptors, q->names.size);
  for (size_t i = 0; i < q->names.size; i++) {
    rcl_interfaces__msg__ParameterDescriptor * d = &r->descriptors.data[i];
    const int which = find(&q->names.data[i]);
    rosidl_runtime_c__String__assign(&d->name, q->names.data[i].data);
    if (which < 0) continue;
    d->type = PARAMS[which].type;
    d->read_only = which == 2;
    if (which != 0) continue;
    rosidl_runtime_c__String__assign(&d->description, "updates per second");
    RENEW(rcl_interfaces__msg__FloatingPointRange, &d->floating_point_range, 1);
    d->floating_point_range.data[0].from_value = 1;
    d->floating_point_range.data[0].to_value = 1000;
  }
}

//---------- writing ----------

static void
set_one(const rcl_interfaces__msg__Parameter * p, rcl_interfaces__msg__SetParametersResult * result)
{
  const char * reason = "";
  const int which = find(&p->name);
  if (which < 0) {
    reason = "no such parameter";
  } else if (p->value.type != PARAMS[which].type) {
    reason = "wrong type";
  } else if (which == 2) {
    reason = "read only";
  } else if (which == 0 && !(p->value.double_value >= 1 && p->value.double_value <= 1000)) {
    reason = "out of range";
  } else if (which == 0) {
    rate = p->value.double_value;
  } else {
    snprintf(label, sizeof label, "%s", p->value.string_value.data);
  }
  result->successful = reason[0] == '\0';
  rosidl_runtime_c__String__assign(&result->reason, reason);
}

static void
on_set(const void * request, void * response)
{
  const rcl_interfaces__srv__SetParameters_Request * q = request;
  rcl_interfaces__srv__SetParameters_Response * r = response;
  RENEW(rcl_interfaces__msg__SetParametersResult, &r->results, q->parameters.size);
  for (size_t i = 0; i < q->parameters.size; i++) {
    set_one(&q->parameters.data[i], &r->results.data[i]);
  }
}

static void
on_set_atomically(const void * request, void * response)
{
  (void)request;
  rcl_interfaces__srv__SetParametersAtomically_Response * r = response;
  r->result.successful = false;
  rosidl_runtime_c__String__assign(&r->result.reason, "not in this test");
}

//---------- start and end ----------

static rcl_interfaces__srv__ListParameters_Request list_request;
static rcl_interfaces__srv__ListParameters_Response list_response;
static rcl_interfaces__srv__GetParameters_Request get_request;
static rcl_interfaces__srv__GetParameters_Response get_response;
static rcl_interfaces__srv__GetParameterTypes_Request types_request;
static rcl_interfaces__srv__GetParameterTypes_Response types_response;
static rcl_interfaces__srv__DescribeParameters_Request describe_request;
static rcl_interfaces__srv__DescribeParameters_Response describe_response;
static rcl_interfaces__srv__SetParameters_Request set_request;
static rcl_interfaces__srv__SetParameters_Response set_response;
static rcl_interfaces__srv__SetParametersAtomically_Request atomic_request;
static rcl_interfaces__srv__SetParametersAtomically_Response atomic_response;
static rcl_service_t services[PARAM_SERVICE_COUNT];
static int service_count;

static bool
add(
  const rcl_node_t * node, rclc_executor_t * executor, const rosidl_service_type_support_t * type,
  const char * name, void * request, void * response, rclc_service_callback_t callback)
{
  rcl_service_t * service = &services[service_count++];
  *service = rcl_get_zero_initialized_service();
  return rclc_service_init_default(service, node, type, name) == RCL_RET_OK &&
         rclc_executor_add_service(executor, service, request, response, callback) == RCL_RET_OK;
}

#define ADD(Type, name, prefix, callback)                                          \
  (rcl_interfaces__srv__##Type##_Request__init(&prefix##_request) &&               \
   rcl_interfaces__srv__##Type##_Response__init(&prefix##_response) &&             \
   add(                                                                            \
     node, executor, ROSIDL_GET_SRV_TYPE_SUPPORT(rcl_interfaces, srv, Type), name, \
     &prefix##_request, &prefix##_response, callback))

bool
params_open(const rcl_node_t * node, rclc_executor_t * executor)
{
  return ADD(ListParameters, "~/list_parameters", list, on_list) &&
         ADD(GetParameters, "~/get_parameters", get, on_get) &&
         ADD(GetParameterTypes, "~/get_parameter_types", types, on_types) &&
         ADD(DescribeParameters, "~/describe_parameters", describe, on_describe) &&
         ADD(SetParameters, "~/set_parameters", set, on_set) &&
         ADD(SetParametersAtomically, "~/set_parameters_atomically", atomic, on_set_atomically);
}

void
params_close(rcl_node_t * node)
{
  for (int i = 0; i < service_count; i++) {
    if (rcl_service_fini(&services[i], node) != RCL_RET_OK) return;
  }
  rcl_interfaces__srv__ListParameters_Request__fini(&list_request);
  rcl_interfaces__srv__ListParameters_Response__fini(&list_response);
  rcl_interfaces__srv__GetParameters_Request__fini(&get_request);
  rcl_interfaces__srv__GetParameters_Response__fini(&get_response);
  rcl_interfaces__srv__GetParameterTypes_Request__fini(&types_request);
  rcl_interfaces__srv__GetParameterTypes_Response__fini(&types_response);
  rcl_interfaces__srv__DescribeParameters_Request__fini(&describe_request);
  rcl_interfaces__srv__DescribeParameters_Response__fini(&describe_response);
  rcl_interfaces__srv__SetParameters_Request__fini(&set_request);
  rcl_interfaces__srv__SetParameters_Response__fini(&set_response);
  rcl_interfaces__srv__SetParametersAtomically_Request__fini(&atomic_request);
  rcl_interfaces__srv__SetParametersAtomically_Response__fini(&atomic_response);
}
