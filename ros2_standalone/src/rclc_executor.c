// rclc: the executor.
#include "rclc/executor.h"

#include <string.h>

#include "rcutils/time.h"

// prints the error of a call that failed, as rclc does it
static rcl_ret_t
report(rcl_ret_t ret, const char * what)
{
  if (ret == RCL_RET_OK) return ret;
  RCUTILS_LOG_ERROR_NAMED("rclc", "%s failed (%d): %s", what, ret, rcl_get_error_string().str);
  rcl_reset_error();
  return ret;
}

rclc_executor_t
rclc_executor_get_zero_initialized_executor(void)
{
  return (rclc_executor_t){0};
}

static bool
is_valid(const rclc_executor_t * executor)
{
  RCL_CHECK_FOR_NULL_WITH_MSG(executor, "executor is NULL", return false);
  RCL_CHECK_FOR_NULL_WITH_MSG(executor->handles, "executor is not initialized", return false);
  return executor->max_handles > 0;
}

rcl_ret_t
rclc_executor_init(
  rclc_executor_t * executor, rcl_context_t * context, const size_t number_of_handles,
  const rcl_allocator_t * allocator)
{
  RCL_CHECK_FOR_NULL_WITH_MSG(executor, "executor is NULL", return RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_FOR_NULL_WITH_MSG(context, "context is NULL", return RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ALLOCATOR_WITH_MSG(allocator, "allocator is NULL", return RCL_RET_INVALID_ARGUMENT);
  if (number_of_handles == 0) {
    RCL_SET_ERROR_MSG("number_of_handles must be 1 or more");
    return RCL_RET_INVALID_ARGUMENT;
  }
  *executor = (rclc_executor_t){
    .context = context,
    .max_handles = number_of_handles,
    .allocator = allocator,
    .timeout_ns = 1000000000u,
    .trigger_function = rclc_executor_trigger_any,
    .data_comm_semantics = RCLCPP_EXECUTOR};
  executor->handles =
    allocator->zero_allocate(number_of_handles, sizeof *executor->handles, allocator->state);
  if (executor->handles == NULL) return RCL_RET_BAD_ALLOC;
  for (size_t i = 0; i < number_of_handles; i++) executor->handles[i].type = RCLC_NONE;
  return RCL_RET_OK;
}

rcl_ret_t
rclc_executor_fini(rclc_executor_t * executor)
{
  if (!is_valid(executor)) return RCL_RET_OK;
  executor->allocator->deallocate(executor->handles, executor->allocator->state);
  executor->handles = NULL;
  executor->max_handles = 0;
  executor->index = 0;
  executor->info = (rclc_executor_handle_counters_t){0};
  if (rcl_wait_set_is_valid(&executor->wait_set)) {
    report(rcl_wait_set_fini(&executor->wait_set), "rcl_wait_set_fini");
  }
  return RCL_RET_OK;
}

rcl_ret_t
rclc_executor_set_timeout(rclc_executor_t * executor, const uint64_t timeout_ns)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(executor, RCL_RET_INVALID_ARGUMENT);
  if (!is_valid(executor)) return RCL_RET_ERROR;
  executor->timeout_ns = timeout_ns;
  return RCL_RET_OK;
}

rcl_ret_t
rclc_executor_set_semantics(rclc_executor_t * executor, rclc_executor_semantics_t semantics)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(executor, RCL_RET_INVALID_ARGUMENT);
  if (!is_valid(executor)) return RCL_RET_ERROR;
  executor->data_comm_semantics = semantics;
  return RCL_RET_OK;
}

rcl_ret_t
rclc_executor_set_trigger(
  rclc_executor_t * executor, rclc_executor_trigger_t trigger_function, void * trigger_object)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(executor, RCL_RET_INVALID_ARGUMENT);
  executor->trigger_function = trigger_function;
  executor->trigger_object = trigger_object;
  return RCL_RET_OK;
}

//---------- waiting ----------

rcl_ret_t
rclc_executor_prepare(rclc_executor_t * executor)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(executor, RCL_RET_INVALID_ARGUMENT);
  if (rcl_wait_set_is_valid(&executor->wait_set)) return RCL_RET_OK;
  executor->wait_set = rcl_get_zero_initialized_wait_set();
  const rclc_executor_handle_counters_t * n = &executor->info;
  rcl_ret_t ret = rcl_wait_set_init(
    &executor->wait_set, n->number_of_subscriptions, n->number_of_guard_conditions,
    n->number_of_timers, n->number_of_clients, n->number_of_services, n->number_of_events,
    executor->context, *executor->allocator);
  return report(ret, "rcl_wait_set_init");
}

static rcl_ret_t
wait_for_handle(rcl_wait_set_t * set, rclc_executor_handle_t * handle)
{
  switch (handle->type) {
    case RCLC_SUBSCRIPTION:
    case RCLC_SUBSCRIPTION_WITH_CONTEXT:
      return rcl_wait_set_add_subscription(set, handle->subscription, &handle->index);
    case RCLC_TIMER: return rcl_wait_set_add_timer(set, handle->timer, &handle->index);
    case RCLC_SERVICE:
    case RCLC_SERVICE_WITH_REQUEST_ID:
    case RCLC_SERVICE_WITH_CONTEXT:
      return rcl_wait_set_add_service(set, handle->service, &handle->index);
    case RCLC_CLIENT:
    case RCLC_CLIENT_WITH_REQUEST_ID:
      return rcl_wait_set_add_client(set, handle->client, &handle->index);
    case RCLC_GUARD_CONDITION:
      return rcl_wait_set_add_guard_condition(set, handle->gc, &handle->index);
    default: return RCL_RET_ERROR;
  }
}

static bool
is_ready(const rcl_wait_set_t * set, const rclc_executor_handle_t * handle)
{
  switch (handle->type) {
    case RCLC_SUBSCRIPTION:
    case RCLC_SUBSCRIPTION_WITH_CONTEXT: return set->subscriptions[handle->index] != NULL;
    case RCLC_TIMER: return set->timers[handle->index] != NULL;
    case RCLC_SERVICE:
    case RCLC_SERVICE_WITH_REQUEST_ID:
    case RCLC_SERVICE_WITH_CONTEXT: return set->services[handle->index] != NULL;
    case RCLC_CLIENT:
    case RCLC_CLIENT_WITH_REQUEST_ID: return set->clients[handle->index] != NULL;
    case RCLC_GUARD_CONDITION: return set->guard_conditions[handle->index] != NULL;
    default: return false;
  }
}

//---------- serving ----------

// data that turns out not to be there is no error
static rcl_ret_t
take_data(rclc_executor_handle_t * handle)
{
  if (!handle->data_available) return RCL_RET_OK;
  rcl_ret_t ret = RCL_RET_OK;
  switch (handle->type) {
    case RCLC_SUBSCRIPTION:
    case RCLC_SUBSCRIPTION_WITH_CONTEXT:
      ret = rcl_take(handle->subscription, handle->data, NULL, NULL);
      break;
    case RCLC_SERVICE:
    case RCLC_SERVICE_WITH_REQUEST_ID:
    case RCLC_SERVICE_WITH_CONTEXT:
      ret = rcl_take_request(handle->service, &handle->req_id, handle->data);
      break;
    case RCLC_CLIENT:
    case RCLC_CLIENT_WITH_REQUEST_ID:
      ret = rcl_take_response(handle->client, &handle->req_id, handle->data);
      break;
    default: break;
  }
  bool nothing = ret == RCL_RET_SUBSCRIPTION_TAKE_FAILED || ret == RCL_RET_SERVICE_TAKE_FAILED ||
                 ret == RCL_RET_CLIENT_TAKE_FAILED;
  if (nothing) handle->data_available = false;
  return nothing ? RCL_RET_OK : report(ret, "taking a message");
}

static rcl_ret_t
answer(rclc_executor_handle_t * handle)
{
  if (handle->type == RCLC_SERVICE) {
    handle->service_callback(handle->data, handle->data_response_msg);
  } else if (handle->type == RCLC_SERVICE_WITH_REQUEST_ID) {
    handle->service_callback_with_reqid(handle->data, &handle->req_id, handle->data_response_msg);
  } else {
    handle->service_callback_with_context(
      handle->data, handle->data_response_msg, handle->callback_context);
  }
  rcl_ret_t ret = rcl_send_response(handle->service, &handle->req_id, handle->data_response_msg);
  return report(ret, "rcl_send_response");
}

static rcl_ret_t
execute(rclc_executor_handle_t * handle)
{
  const void * data = handle->data_available ? handle->data : NULL;
  if (!handle->data_available && handle->invocation != ALWAYS) return RCL_RET_OK;
  rcl_ret_t ret = RCL_RET_OK;
  switch (handle->type) {
    case RCLC_SUBSCRIPTION: handle->subscription_callback(data); break;
    case RCLC_SUBSCRIPTION_WITH_CONTEXT:
      handle->subscription_callback_with_context(data, handle->callback_context);
      break;
    case RCLC_TIMER:
      ret = rcl_timer_call(handle->timer);
      if (ret == RCL_RET_TIMER_CANCELED) {
        rcl_reset_error();
        ret = RCL_RET_OK;
      }
      return report(ret, "rcl_timer_call");
    case RCLC_SERVICE:
    case RCLC_SERVICE_WITH_REQUEST_ID:
    case RCLC_SERVICE_WITH_CONTEXT: return answer(handle);
    case RCLC_CLIENT: handle->client_callback(data); break;
    case RCLC_CLIENT_WITH_REQUEST_ID:
      handle->client_callback_with_reqid(data, &handle->req_id);
      break;
    case RCLC_GUARD_CONDITION: handle->gc_callback(); break;
    default: break;
  }
  return RCL_RET_OK;
}

static rcl_ret_t
serve(rclc_executor_t * executor)
{
  rclc_executor_handle_t * handles = executor->handles;
  for (size_t i = 0; i < executor->index; i++) {
    handles[i].data_available = is_ready(&executor->wait_set, &handles[i]);
  }
  bool go = executor->trigger_function(
    handles, (unsigned int)executor->max_handles, executor->trigger_object);
  bool let = executor->data_comm_semantics == LET;
  rcl_ret_t ret = RCL_RET_OK;
  for (size_t i = 0; go && let && i < executor->index && ret == RCL_RET_OK; i++) {
    ret = take_data(&handles[i]);
  }
  for (size_t i = 0; go && i < executor->index && ret == RCL_RET_OK; i++) {
    if (!let) ret = take_data(&handles[i]);
    if (ret == RCL_RET_OK) ret = execute(&handles[i]);
  }
  return ret;
}

//---------- spinning ----------

rcl_ret_t
rclc_executor_spin_some(rclc_executor_t * executor, const uint64_t timeout_ns)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(executor, RCL_RET_INVALID_ARGUMENT);
  if (!rcl_context_is_valid(executor->context)) {
    RCL_SET_ERROR_MSG("context is not valid");
    return report(RCL_RET_ERROR, "rclc_executor_spin_some");
  }
  rcl_ret_t ret = rclc_executor_prepare(executor);
  if (ret != RCL_RET_OK) return ret;
  ret = report(rcl_wait_set_clear(&executor->wait_set), "rcl_wait_set_clear");
  for (size_t i = 0; i < executor->index && ret == RCL_RET_OK; i++) {
    ret =
      report(wait_for_handle(&executor->wait_set, &executor->handles[i]), "adding to the wait set");
  }
  if (ret != RCL_RET_OK) return ret;
  ret = rcl_wait(&executor->wait_set, timeout_ns > INT64_MAX ? INT64_MAX : (int64_t)timeout_ns);
  if (ret != RCL_RET_OK && ret != RCL_RET_TIMEOUT) return report(ret, "rcl_wait");
  return serve(executor);
}

rcl_ret_t
rclc_executor_spin(rclc_executor_t * executor)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(executor, RCL_RET_INVALID_ARGUMENT);
  rcl_ret_t ret = RCL_RET_OK;
  while (ret == RCL_RET_OK || ret == RCL_RET_TIMEOUT) {
    ret = rclc_executor_spin_some(executor, executor->timeout_ns);
  }
  RCL_SET_ERROR_MSG("rclc_executor_spin_some failed");
  return ret;
}

rcl_ret_t
rclc_executor_spin_one_period(rclc_executor_t * executor, const uint64_t period)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(executor, RCL_RET_INVALID_ARGUMENT);
  if (
    executor->invocation_time == 0 &&
    rcutils_system_time_now(&executor->invocation_time) != RCUTILS_RET_OK) {
    return RCL_RET_ERROR;
  }
  rcl_ret_t ret = rclc_executor_spin_some(executor, executor->timeout_ns);
  if (ret != RCL_RET_OK && ret != RCL_RET_TIMEOUT) return ret;
  rcutils_time_point_value_t now;
  if (rcutils_system_time_now(&now) != RCUTILS_RET_OK) return RCL_RET_ERROR;
  executor->invocation_time += (int64_t)period;
  int64_t left = executor->invocation_time - now;
  if (left > 0) rclc_sleep_ms((unsigned int)(left / 1000000));
  return ret;
}

rcl_ret_t
rclc_executor_spin_period(rclc_executor_t * executor, const uint64_t period)
{
  rcl_ret_t ret = RCL_RET_OK;
  while (ret == RCL_RET_OK || ret == RCL_RET_TIMEOUT) {
    ret = rclc_executor_spin_one_period(executor, period);
  }
  return ret;
}

//---------- triggers ----------

bool
rclc_executor_trigger_all(rclc_executor_handle_t * handles, unsigned int size, void * obj)
{
  (void)obj;
  for (unsigned int i = 0; i < size && handles[i].initialized; i++) {
    if (!handles[i].data_available) return false;
  }
  return true;
}

bool
rclc_executor_trigger_any(rclc_executor_handle_t * handles, unsigned int size, void * obj)
{
  (void)obj;
  for (unsigned int i = 0; i < size && handles[i].initialized; i++) {
    if (handles[i].data_available) return true;
  }
  return false;
}

bool
rclc_executor_trigger_always(rclc_executor_handle_t * handles, unsigned int size, void * obj)
{
  (void)handles;
  (void)size;
  (void)obj;
  return true;
}

bool
rclc_executor_trigger_one(rclc_executor_handle_t * handles, unsigned int size, void * obj)
{
  for (unsigned int i = 0; i < size && handles[i].initialized; i++) {
    if (handles[i].data_available && rclc_executor_handle_get_ptr(&handles[i]) == obj) return true;
  }
  return false;
}
