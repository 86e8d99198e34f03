/// \file rcl/node.h
/// Nodes: names, namespaces, remapping.
#ifndef RCL__NODE_H_
#define RCL__NODE_H_

#include <stdint.h>
#include "rcl/allocator.h"
#include "rcl/arguments.h"
#include "rcl/context.h"
#include "rcl/guard_condition.h"
#include "rcl/macros.h"
#include "rcl/node_options.h"
#include "rcl/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rcl_node_impl_s rcl_node_impl_t;

typedef struct rcl_node_s {
  rcl_context_t * context;
  rcl_node_impl_t * impl;
} rcl_node_t;

RCL_PUBLIC RCL_WARN_UNUSED rcl_node_t rcl_get_zero_initialized_node(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_node_init(
  rcl_node_t * node, const char * name, const char * namespace_, rcl_context_t * context,
  const rcl_node_options_t * options);
/// Last of all: its publishers, subscriptions, services and clients must be gone.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_node_fini(rcl_node_t * node);
RCL_PUBLIC bool rcl_node_is_valid(const rcl_node_t * node);
RCL_PUBLIC bool rcl_node_is_valid_except_context(const rcl_node_t * node);
RCL_PUBLIC RCL_WARN_UNUSED const char * rcl_node_get_name(const rcl_node_t * node);
RCL_PUBLIC RCL_WARN_UNUSED const char * rcl_node_get_namespace(const rcl_node_t * node);
RCL_PUBLIC RCL_WARN_UNUSED const char * rcl_node_get_fully_qualified_name(const rcl_node_t * node);
/// "left.arm" for /left/arm: log with this name to reach /rosout.
RCL_PUBLIC RCL_WARN_UNUSED const char * rcl_node_get_logger_name(const rcl_node_t * node);
RCL_PUBLIC RCL_WARN_UNUSED const rcl_node_options_t * rcl_node_get_options(const rcl_node_t * node);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_node_get_domain_id(const rcl_node_t * node, size_t * domain_id);
RCL_PUBLIC RCL_WARN_UNUSED uint64_t rcl_node_get_rcl_instance_id(const rcl_node_t * node);
/// Triggered whenever nodes, topics or services come or go.
RCL_PUBLIC RCL_WARN_UNUSED const rcl_guard_condition_t * rcl_node_get_graph_guard_condition(
  const rcl_node_t * node);
/// Expands and, unless only_expand, remaps a topic or service name (caller frees).
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_node_resolve_name(
  const rcl_node_t * node, const char * input_name, rcl_allocator_t allocator, bool is_service,
  bool only_expand, char ** output_name);

#ifdef __cplusplus
}
#endif

#endif  // RCL__NODE_H_
