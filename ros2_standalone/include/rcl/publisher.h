/// \file rcl/publisher.h
/// Publishers.
#ifndef RCL__PUBLISHER_H_
#define RCL__PUBLISHER_H_

#include "rcl/macros.h"
#include "rcl/node.h"
#include "rcl/time.h"
#include "rosidl_runtime_c/message_type_support_struct.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rcl_publisher_impl_s rcl_publisher_impl_t;

typedef struct rcl_publisher_s {
  rcl_publisher_impl_t * impl;
} rcl_publisher_t;

typedef struct rcl_publisher_options_s {
  rmw_qos_profile_t qos;
  rcl_allocator_t allocator;
  rmw_publisher_options_t rmw_publisher_options;
} rcl_publisher_options_t;

RCL_PUBLIC RCL_WARN_UNUSED rcl_publisher_t rcl_get_zero_initialized_publisher(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_publisher_options_t rcl_publisher_get_default_options(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_publisher_init(
  rcl_publisher_t * publisher, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name,
  const rcl_publisher_options_t * options);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_publisher_fini(rcl_publisher_t * publisher, rcl_node_t * node);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_publish(
  const rcl_publisher_t * publisher, const void * ros_message,
  rmw_publisher_allocation_t * allocation);
/// The bytes go out as they are: nothing is checked.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_publish_serialized_message(
  const rcl_publisher_t * publisher, const rcl_serialized_message_t * serialized_message,
  rmw_publisher_allocation_t * allocation);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_publisher_assert_liveliness(const rcl_publisher_t * publisher);
/// \param[in] timeout  nanoseconds, negative for no limit
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_publisher_wait_for_all_acked(const rcl_publisher_t * publisher, rcl_duration_value_t timeout);
RCL_PUBLIC RCL_WARN_UNUSED const char * rcl_publisher_get_topic_name(
  const rcl_publisher_t * publisher);
RCL_PUBLIC RCL_WARN_UNUSED const rcl_publisher_options_t * rcl_publisher_get_options(
  const rcl_publisher_t * publisher);
RCL_PUBLIC RCL_WARN_UNUSED rcl_context_t * rcl_publisher_get_context(
  const rcl_publisher_t * publisher);
RCL_PUBLIC bool rcl_publisher_is_valid(const rcl_publisher_t * publisher);
RCL_PUBLIC bool rcl_publisher_is_valid_except_context(const rcl_publisher_t * publisher);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_publisher_get_subscription_count(
  const rcl_publisher_t * publisher, size_t * subscription_count);
RCL_PUBLIC RCL_WARN_UNUSED const rmw_qos_profile_t * rcl_publisher_get_actual_qos(
  const rcl_publisher_t * publisher);

#ifdef __cplusplus
}
#endif

#endif  // RCL__PUBLISHER_H_
