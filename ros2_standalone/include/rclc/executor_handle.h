/// \file rclc/executor_handle.h
/// What an executor keeps of each thing it serves.
#ifndef RCLC__EXECUTOR_HANDLE_H_
#define RCLC__EXECUTOR_HANDLE_H_

#include "rcl/rcl.h"
#include "rclc/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  RCLC_SUBSCRIPTION,
  RCLC_SUBSCRIPTION_WITH_CONTEXT,
  RCLC_TIMER,
  RCLC_CLIENT,
  RCLC_CLIENT_WITH_REQUEST_ID,
  RCLC_SERVICE,
  RCLC_SERVICE_WITH_REQUEST_ID,
  RCLC_SERVICE_WITH_CONTEXT,
  RCLC_ACTION_CLIENT,  // never in the stand-in
  RCLC_ACTION_SERVER,  // never in the stand-in
  RCLC_GUARD_CONDITION,
  RCLC_NONE
} rclc_executor_handle_type_t;

typedef enum { ON_NEW_DATA, ALWAYS } rclc_executor_handle_invocation_t;

typedef void (*rclc_subscription_callback_t)(const void *);
typedef rclc_subscription_callback_t rclc_callback_t;
typedef void (*rclc_subscription_callback_with_context_t)(const void *, void *);
typedef void (*rclc_service_callback_t)(const void *, void *);
typedef void (*rclc_service_callback_with_request_id_t)(const void *, rmw_request_id_t *, void *);
typedef void (*rclc_service_callback_with_context_t)(const void *, void *, void *);
typedef void (*rclc_client_callback_t)(const void *);
typedef void (*rclc_client_callback_with_request_id_t)(const void *, rmw_request_id_t *);
typedef void (*rclc_gc_callback_t)(void);

typedef struct {
  rclc_executor_handle_type_t type;
  rclc_executor_handle_invocation_t invocation;
  union {
    rcl_subscription_t * subscription;
    rcl_timer_t * timer;
    rcl_client_t * client;
    rcl_service_t * service;
    rcl_guard_condition_t * gc;
  };
  void * data;
  rmw_request_id_t req_id;
  void * data_response_msg;
  void * callback_context;
  union {
    rclc_subscription_callback_t subscription_callback;
    rclc_subscription_callback_with_context_t subscription_callback_with_context;
    rclc_service_callback_t service_callback;
    rclc_service_callback_with_request_id_t service_callback_with_reqid;
    rclc_service_callback_with_context_t service_callback_with_context;
    rclc_client_callback_t client_callback;
    rclc_client_callback_with_request_id_t client_callback_with_reqid;
    rclc_gc_callback_t gc_callback;
  };
  size_t index;  // in the wait set's array of its kind
  bool initialized;
  bool data_available;
} rclc_executor_handle_t;

typedef struct {
  size_t number_of_subscriptions;
  size_t number_of_timers;
  size_t number_of_clients;
  size_t number_of_services;
  size_t number_of_action_clients;
  size_t number_of_action_servers;
  size_t number_of_guard_conditions;
  size_t number_of_events;
} rclc_executor_handle_counters_t;

/// The subscription, timer, client, service or guard condition.
RCLC_PUBLIC void * rclc_executor_handle_get_ptr(rclc_executor_handle_t * handle);

#ifdef __cplusplus
}
#endif

#endif  // RCLC__EXECUTOR_HANDLE_H_
