/// \file rcl/graph.h
/// Who else is there: nodes, topics, counts.
#ifndef RCL__GRAPH_H_
#define RCL__GRAPH_H_

#include "rcl/client.h"
#include "rcl/macros.h"
#include "rcl/node.h"
#include "rcutils/types/string_array.h"
#include "rmw/names_and_types.h"
#include "rmw/topic_endpoint_info_array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef rmw_names_and_types_t rcl_names_and_types_t;

typedef rmw_topic_endpoint_info_array_t rcl_topic_endpoint_info_array_t;

#define rcl_get_zero_initialized_names_and_types rmw_get_zero_initialized_names_and_types
#define rcl_get_zero_initialized_topic_endpoint_info_array \
  rmw_get_zero_initialized_topic_endpoint_info_array
#define rcl_topic_endpoint_info_array_fini rmw_topic_endpoint_info_array_fini

RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_names_and_types_fini(rcl_names_and_types_t * names_and_types);
/// \param[in,out] node_names, node_namespaces  zero-initialized; rcutils_string_array_fini them
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_get_node_names(
  const rcl_node_t * node, rcl_allocator_t allocator, rcutils_string_array_t * node_names,
  rcutils_string_array_t * node_namespaces);
/// \param[in] no_demangle  true: DDS names as they are, all of them
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_get_topic_names_and_types(
  const rcl_node_t * node, rcl_allocator_t * allocator, bool no_demangle,
  rcl_names_and_types_t * topic_names_and_types);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_get_service_names_and_types(
  const rcl_node_t * node, rcl_allocator_t * allocator,
  rcl_names_and_types_t * service_names_and_types);
/// Topics that a node subscribes to; RCL_RET_NODE_NAME_NON_EXISTENT if nobody has announced it.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_get_subscriber_names_and_types_by_node(
  const rcl_node_t * node, rcl_allocator_t * allocator, bool no_demangle, const char * node_name,
  const char * node_namespace, rcl_names_and_types_t * topic_names_and_types);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_get_publisher_names_and_types_by_node(
  const rcl_node_t * node, rcl_allocator_t * allocator, bool no_demangle, const char * node_name,
  const char * node_namespace, rcl_names_and_types_t * topic_names_and_types);
/// Services that a node serves, or calls.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_get_service_names_and_types_by_node(
  const rcl_node_t * node, rcl_allocator_t * allocator, const char * node_name,
  const char * node_namespace, rcl_names_and_types_t * service_names_and_types);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_get_client_names_and_types_by_node(
  const rcl_node_t * node, rcl_allocator_t * allocator, const char * node_name,
  const char * node_namespace, rcl_names_and_types_t * service_names_and_types);
/// \param[in,out] publishers_info  zero-initialized; rcl_topic_endpoint_info_array_fini it
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_get_publishers_info_by_topic(
  const rcl_node_t * node, rcutils_allocator_t * allocator, const char * topic_name, bool no_mangle,
  rcl_topic_endpoint_info_array_t * publishers_info);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_get_subscriptions_info_by_topic(
  const rcl_node_t * node, rcutils_allocator_t * allocator, const char * topic_name, bool no_mangle,
  rcl_topic_endpoint_info_array_t * subscriptions_info);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_count_publishers(const rcl_node_t * node, const char * topic_name, size_t * count);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_count_subscribers(const rcl_node_t * node, const char * topic_name, size_t * count);
/// A server whose request reader and reply writer are both matched.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_service_server_is_available(
  const rcl_node_t * node, const rcl_client_t * client, bool * is_available);

#ifdef __cplusplus
}
#endif

#endif  // RCL__GRAPH_H_
