/// \file rcl/subscription.h
/// Subscriptions.
#ifndef RCL__SUBSCRIPTION_H_
#define RCL__SUBSCRIPTION_H_

#include "rcl/macros.h"
#include "rcl/node.h"
#include "rosidl_runtime_c/message_type_support_struct.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rcl_subscription_impl_s rcl_subscription_impl_t;

typedef struct rcl_subscription_s {
  rcl_subscription_impl_t * impl;
} rcl_subscription_t;

typedef struct rcl_subscription_options_s {
  rmw_qos_profile_t qos;
  rcl_allocator_t allocator;
  rmw_subscription_options_t rmw_subscription_options;
} rcl_subscription_options_t;

RCL_PUBLIC RCL_WARN_UNUSED rcl_subscription_t rcl_get_zero_initialized_subscription(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_subscription_options_t rcl_subscription_get_default_options(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_subscription_options_fini(rcl_subscription_options_t * option);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_subscription_init(
  rcl_subscription_t * subscription, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name,
  const rcl_subscription_options_t * options);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_subscription_fini(rcl_subscription_t * subscription, rcl_node_t * node);
/// Next message that decodes; what does not is dropped and counted.
/// \return RCL_RET_SUBSCRIPTION_TAKE_FAILED when there is none
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_take(
  const rcl_subscription_t * subscription, void * ros_message, rmw_message_info_t * message_info,
  rmw_subscription_allocation_t * allocation);
/// Next message as bytes, padded to a multiple of four. The buffer grows with its own allocator
/// and only if it is too small; an allocator that refuses costs the message (RCL_RET_ERROR).
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_take_serialized_message(
  const rcl_subscription_t * subscription, rcl_serialized_message_t * serialized_message,
  rmw_message_info_t * message_info, rmw_subscription_allocation_t * allocation);
RCL_PUBLIC RCL_WARN_UNUSED const char * rcl_subscription_get_topic_name(
  const rcl_subscription_t * subscription);
RCL_PUBLIC RCL_WARN_UNUSED const rcl_subscription_options_t * rcl_subscription_get_options(
  const rcl_subscription_t * subscription);
RCL_PUBLIC bool rcl_subscription_is_valid(const rcl_subscription_t * subscription);
RCL_PUBLIC RCL_WARN_UNUSED rmw_ret_t rcl_subscription_get_publisher_count(
  const rcl_subscription_t * subscription, size_t * publisher_count);
RCL_PUBLIC RCL_WARN_UNUSED const rmw_qos_profile_t * rcl_subscription_get_actual_qos(
  const rcl_subscription_t * subscription);

#ifdef __cplusplus
}
#endif

#endif  // RCL__SUBSCRIPTION_H_
