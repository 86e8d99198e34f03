// ~/push and ~/reset. A request is read into the memory of the last one, which the real rmw does not
// free: it is given back and made anew after each call.
#include <math.h>

#include "rcl/error_handling.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sim_node_internal.h"

//---------- push ----------

static bool
is_finite(const geometry_msgs__msg__Vector3 * x)
{
  return isfinite(x->x) && isfinite(x->y) && isfinite(x->z);
}

// what is wrong with a request, or NULL
static const char *
read_push(sim_node_t * node, const mbdyn__srv__ApplyWrench_Request * request, plant_push_t * push)
{
  const geometry_msgs__msg__Vector3 *f = &request->wrench.force, *m = &request->wrench.torque;
  if (mbd_find_frame(node->robot.model, request->frame.data, &push->frame) != MBD_OK) {
    return "the robot has no such link or frame";
  }
  if (!is_finite(f) || !is_finite(m)) return "the wrench is not finite";
  if (!isfinite(request->duration)) return "the duration is not finite; negative: until replaced";
  switch (request->reference) {
    case mbdyn__srv__ApplyWrench_Request__LOCAL: push->reference = MBD_LOCAL; break;
    case mbdyn__srv__ApplyWrench_Request__LOCAL_WORLD_ALIGNED:
      push->reference = MBD_LOCAL_WORLD_ALIGNED;
      break;
    default: return "reference must be LOCAL (0) or LOCAL_WORLD_ALIGNED (2)";
  }
  push->f = (mbd_force_t){{m->x, m->y, m->z}, {f->x, f->y, f->z}};
  push->remaining = request->duration < 0 ? HUGE_VAL : request->duration;
  return NULL;
}

static void
on_push(const void * request_message, void * response_message, void * context)
{
  sim_node_t * node = context;
  const mbdyn__srv__ApplyWrench_Request * request = request_message;
  mbdyn__srv__ApplyWrench_Response * response = response_message;
  plant_push_t push;
  const char * wrong = read_push(node, request, &push);
  if (wrong == NULL && !sim_loop_push(node->loop, &push)) wrong = "too many requests; try again";
  response->success = wrong == NULL;
  rosidl_runtime_c__String__assign(&response->message, wrong != NULL ? wrong : "");
  mbdyn__srv__ApplyWrench_Request__fini(&node->push_request);
  mbdyn__srv__ApplyWrench_Request__init(&node->push_request);
}

//---------- reset ----------

static void
on_reset(const void * request, void * response_message, void * context)
{
  (void)request;
  sim_node_t * node = context;
  std_srvs__srv__Trigger_Response * response = response_message;
  response->success = sim_loop_reset(node->loop);
  const char * text =
    response->success ? "reset to the initial state" : "too many requests; try again";
  rosidl_runtime_c__String__assign(&response->message, text);
}

//---------- both ----------

bool
sim_services_init(sim_node_t * node)
{
  node->push = rcl_get_zero_initialized_service();
  node->reset = rcl_get_zero_initialized_service();
  node->push_open = rclc_service_init_default(
                      &node->push, node->node, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, ApplyWrench),
                      SIM_SERVICES[SIM_SERVICE_PUSH].name) == RCL_RET_OK;
  node->reset_open =
    rclc_service_init_default(
      &node->reset, node->node, ROSIDL_GET_SRV_TYPE_SUPPORT(std_srvs, srv, Trigger),
      SIM_SERVICES[SIM_SERVICE_RESET].name) == RCL_RET_OK;
  return node->push_open && node->reset_open &&
         mbdyn__srv__ApplyWrench_Request__init(&node->push_request) &&
         mbdyn__srv__ApplyWrench_Response__init(&node->push_response) &&
         std_srvs__srv__Trigger_Request__init(&node->reset_request) &&
         std_srvs__srv__Trigger_Response__init(&node->reset_response);
}

bool
sim_services_add(sim_node_t * node)
{
  return rclc_executor_add_service_with_context(
           &node->executor, &node->push, &node->push_request, &node->push_response, on_push,
           node) == RCL_RET_OK &&
         rclc_executor_add_service_with_context(
           &node->executor, &node->reset, &node->reset_request, &node->reset_response, on_reset,
           node) == RCL_RET_OK;
}

void
sim_services_fini(sim_node_t * node)
{
  if (node->push_open) sim_ignore(rcl_service_fini(&node->push, node->node));
  if (node->reset_open) sim_ignore(rcl_service_fini(&node->reset, node->node));
  mbdyn__srv__ApplyWrench_Request__fini(&node->push_request);
  mbdyn__srv__ApplyWrench_Response__fini(&node->push_response);
  std_srvs__srv__Trigger_Request__fini(&node->reset_request);
  std_srvs__srv__Trigger_Response__fini(&node->reset_response);
}
