// rclc: what an executor serves.
#include <string.h>

#include "rclc/executor.h"

#define CHECK(pointer) RCL_CHECK_ARGUMENT_FOR_NULL(pointer, RCL_RET_INVALID_ARGUMENT)

// the wait set is made anew in the next spin
static rcl_ret_t
forget_wait_set(rclc_executor_t * executor)
{
  if (!rcl_wait_set_is_valid(&executor->wait_set)) return RCL_RET_OK;
  return rcl_wait_set_fini(&executor->wait_set);
}

// takes the next place; the caller has filled in the rest
static rcl_ret_t
add(rclc_executor_t * executor, const rclc_executor_handle_t * handle, size_t * counter)
{
  if (executor->index >= executor->max_handles) {
    RCL_SET_ERROR_MSG("the executor is full: increase number_of_handles in rclc_executor_init");
    return RCL_RET_ERROR;
  }
  executor->handles[executor->index] = *handle;
  executor->handles[executor->index].initialized = true;
  executor->index++;
  ++*counter;
  return forget_wait_set(executor);
}

rcl_ret_t
rclc_executor_add_subscription(
  rclc_executor_t * executor, rcl_subscription_t * subscription, void * msg,
  rclc_subscription_callback_t callback, rclc_executor_handle_invocation_t invocation)
{
  CHECK(executor);
  CHECK(subscription);
  CHECK(msg);
  CHECK(callback);
  rclc_executor_handle_t handle = {
    .type = RCLC_SUBSCRIPTION,
    .invocation = invocation,
    .subscription = subscription,
    .data = msg,
    .subscription_callback = callback};
  return add(executor, &handle, &executor->info.number_of_subscriptions);
}

rcl_ret_t
rclc_executor_add_subscription_with_context(
  rclc_executor_t * executor, rcl_subscription_t * subscription, void * msg,
  rclc_subscription_callback_with_context_t callback, void * context,
  rclc_executor_handle_invocation_t invocation)
{
  CHECK(executor);
  CHECK(subscription);
  CHECK(msg);
  CHECK(callback);
  rclc_executor_handle_t handle = {
    .type = RCLC_SUBSCRIPTION_WITH_CONTEXT,
    .invocation = invocation,
    .subscription = subscription,
    .data = msg,
    .callback_context = context,
    .subscription_callback_with_context = callback};
  return add(executor, &handle, &executor->info.number_of_subscriptions);
}

rcl_ret_t
rclc_executor_add_timer(rclc_executor_t * executor, rcl_timer_t * timer)
{
  CHECK(executor);
  CHECK(timer);
  rclc_executor_handle_t handle = {.type = RCLC_TIMER, .timer = timer};
  return add(executor, &handle, &executor->info.number_of_timers);
}

rcl_ret_t
rclc_executor_add_client(
  rclc_executor_t * executor, rcl_client_t * client, void * response_msg,
  rclc_client_callback_t callback)
{
  CHECK(executor);
  CHECK(client);
  CHECK(response_msg);
  CHECK(callback);
  rclc_executor_handle_t handle = {
    .type = RCLC_CLIENT, .client = client, .data = response_msg, .client_callback = callback};
  return add(executor, &handle, &executor->info.number_of_clients);
}

rcl_ret_t
rclc_executor_add_client_with_request_id(
  rclc_executor_t * executor, rcl_client_t * client, void * response_msg,
  rclc_client_callback_with_request_id_t callback)
{
  CHECK(executor);
  CHECK(client);
  CHECK(response_msg);
  CHECK(callback);
  rclc_executor_handle_t handle = {
    .type = RCLC_CLIENT_WITH_REQUEST_ID,
    .client = client,
    .data = response_msg,
    .client_callback_with_reqid = callback};
  return add(executor, &handle, &executor->info.number_of_clients);
}

// a server, its callback still to be set
static rclc_executor_handle_t
service_handle(
  rclc_executor_handle_type_t type, rcl_service_t * service, void * request, void * response)
{
  return (rclc_executor_handle_t){
    .type = type, .service = service, .data = request, .data_response_msg = response};
}

rcl_ret_t
rclc_executor_add_service(
  rclc_executor_t * executor, rcl_service_t * service, void * request_msg, void * response_msg,
  rclc_service_callback_t callback)
{
  CHECK(executor);
  CHECK(service);
  CHECK(request_msg);
  CHECK(response_msg);
  CHECK(callback);
  rclc_executor_handle_t handle = service_handle(RCLC_SERVICE, service, request_msg, response_msg);
  handle.service_callback = callback;
  return add(executor, &handle, &executor->info.number_of_services);
}

rcl_ret_t
rclc_executor_add_service_with_request_id(
  rclc_executor_t * executor, rcl_service_t * service, void * request_msg, void * response_msg,
  rclc_service_callback_with_request_id_t callback)
{
  CHECK(executor);
  CHECK(service);
  CHECK(request_msg);
  CHECK(response_msg);
  CHECK(callback);
  rclc_executor_handle_t handle =
    service_handle(RCLC_SERVICE_WITH_REQUEST_ID, service, request_msg, response_msg);
  handle.service_callback_with_reqid = callback;
  return add(executor, &handle, &executor->info.number_of_services);
}

rcl_ret_t
rclc_executor_add_service_with_context(
  rclc_executor_t * executor, rcl_service_t * service, void * request_msg, void * response_msg,
  rclc_service_callback_with_context_t callback, void * context)
{
  CHECK(executor);
  CHECK(service);
  CHECK(request_msg);
  CHECK(response_msg);
  CHECK(callback);
  rclc_executor_handle_t handle =
    service_handle(RCLC_SERVICE_WITH_CONTEXT, service, request_msg, response_msg);
  handle.service_callback_with_context = callback;
  handle.callback_context = context;
  return add(executor, &handle, &executor->info.number_of_services);
}

rcl_ret_t
rclc_executor_add_guard_condition(
  rclc_executor_t * executor, rcl_guard_condition_t * gc, rclc_gc_callback_t callback)
{
  CHECK(executor);
  CHECK(gc);
  CHECK(callback);
  rclc_executor_handle_t handle = {.type = RCLC_GUARD_CONDITION, .gc = gc, .gc_callback = callback};
  return add(executor, &handle, &executor->info.number_of_guard_conditions);
}

//---------- removal ----------

void *
rclc_executor_handle_get_ptr(rclc_executor_handle_t * handle)
{
  RCL_CHECK_FOR_NULL_WITH_MSG(handle, "handle is NULL", return NULL);
  switch (handle->type) {
    case RCLC_SUBSCRIPTION:
    case RCLC_SUBSCRIPTION_WITH_CONTEXT: return handle->subscription;
    case RCLC_TIMER: return handle->timer;
    case RCLC_CLIENT:
    case RCLC_CLIENT_WITH_REQUEST_ID: return handle->client;
    case RCLC_SERVICE:
    case RCLC_SERVICE_WITH_REQUEST_ID:
    case RCLC_SERVICE_WITH_CONTEXT: return handle->service;
    case RCLC_GUARD_CONDITION: return handle->gc;
    default: return NULL;
  }
}

// the others keep their order
static rcl_ret_t
take_out(rclc_executor_t * executor, const void * object, size_t * counter)
{
  for (size_t i = 0; i < executor->index; i++) {
    if (rclc_executor_handle_get_ptr(&executor->handles[i]) != object) continue;
    size_t rest = executor->index - i - 1;
    memmove(&executor->handles[i], &executor->handles[i + 1], rest * sizeof *executor->handles);
    executor->index--;
    memset(&executor->handles[executor->index], 0, sizeof *executor->handles);
    executor->handles[executor->index].type = RCLC_NONE;
    --*counter;
    return forget_wait_set(executor);
  }
  RCL_SET_ERROR_MSG("handle not found in the executor");
  return RCL_RET_ERROR;
}

rcl_ret_t
rclc_executor_remove_subscription(
  rclc_executor_t * executor, const rcl_subscription_t * subscription)
{
  CHECK(executor);
  CHECK(subscription);
  return take_out(executor, subscription, &executor->info.number_of_subscriptions);
}

rcl_ret_t
rclc_executor_remove_timer(rclc_executor_t * executor, const rcl_timer_t * timer)
{
  CHECK(executor);
  CHECK(timer);
  return take_out(executor, timer, &executor->info.number_of_timers);
}

rcl_ret_t
rclc_executor_remove_client(rclc_executor_t * executor, const rcl_client_t * client)
{
  CHECK(executor);
  CHECK(client);
  return take_out(executor, client, &executor->info.number_of_clients);
}

rcl_ret_t
rclc_executor_remove_service(rclc_executor_t * executor, const rcl_service_t * service)
{
  CHECK(executor);
  CHECK(service);
  return take_out(executor, service, &executor->info.number_of_services);
}

rcl_ret_t
rclc_executor_remove_guard_condition(
  rclc_executor_t * executor, const rcl_guard_condition_t * guard_condition)
{
  CHECK(executor);
  CHECK(guard_condition);
  return take_out(executor, guard_condition, &executor->info.number_of_guard_conditions);
}
