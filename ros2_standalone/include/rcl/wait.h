/// \file rcl/wait.h
/// Wait sets.
/// One per thread; clear and add again before every wait: what is not ready comes back as NULL.
#ifndef RCL__WAIT_H_
#define RCL__WAIT_H_

#include <stdbool.h>
#include <stddef.h>
#include "rcl/client.h"
#include "rcl/event.h"
#include "rcl/guard_condition.h"
#include "rcl/macros.h"
#include "rcl/service.h"
#include "rcl/subscription.h"
#include "rcl/timer.h"
#include "rcl/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rcl_wait_set_impl_s rcl_wait_set_impl_t;

typedef struct rcl_wait_set_s {
  const rcl_subscription_t ** subscriptions;
  size_t size_of_subscriptions;
  const rcl_guard_condition_t ** guard_conditions;
  size_t size_of_guard_conditions;
  const rcl_timer_t ** timers;
  size_t size_of_timers;
  const rcl_client_t ** clients;
  size_t size_of_clients;
  const rcl_service_t ** services;
  size_t size_of_services;
  const rcl_event_t ** events;
  size_t size_of_events;
  rcl_wait_set_impl_t * impl;
} rcl_wait_set_t;

RCL_PUBLIC RCL_WARN_UNUSED rcl_wait_set_t rcl_get_zero_initialized_wait_set(void);
/// number_of_events must be 0.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_wait_set_init(
  rcl_wait_set_t * wait_set, size_t number_of_subscriptions, size_t number_of_guard_conditions,
  size_t number_of_timers, size_t number_of_clients, size_t number_of_services,
  size_t number_of_events, rcl_context_t * context, rcl_allocator_t allocator);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_wait_set_fini(rcl_wait_set_t * wait_set);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_wait_set_get_allocator(const rcl_wait_set_t * wait_set, rcl_allocator_t * allocator);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_wait_set_clear(rcl_wait_set_t * wait_set);
/// \param[out] index  place in wait_set->subscriptions, or NULL
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_wait_set_add_subscription(
  rcl_wait_set_t * wait_set, const rcl_subscription_t * subscription, size_t * index);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_wait_set_add_guard_condition(
  rcl_wait_set_t * wait_set, const rcl_guard_condition_t * guard_condition, size_t * index);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_wait_set_add_timer(rcl_wait_set_t * wait_set, const rcl_timer_t * timer, size_t * index);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_wait_set_add_client(rcl_wait_set_t * wait_set, const rcl_client_t * client, size_t * index);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_wait_set_add_service(rcl_wait_set_t * wait_set, const rcl_service_t * service, size_t * index);
/// \param[in] timeout  nanoseconds; negative: until something happens; 0: look and return
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_wait(rcl_wait_set_t * wait_set, int64_t timeout);
RCL_PUBLIC RCL_WARN_UNUSED bool rcl_wait_set_is_valid(const rcl_wait_set_t * wait_set);

#ifdef __cplusplus
}
#endif

#endif  // RCL__WAIT_H_
