/// \file rcl/remap.h
/// Remapping rules; local ones come before global ones, the first match counts.
#ifndef RCL__REMAP_H_
#define RCL__REMAP_H_

#include "rcl/allocator.h"
#include "rcl/arguments.h"
#include "rcl/macros.h"
#include "rcl/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \param[out] output_name  NULL if no rule matches (caller frees)
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_remap_topic_name(
  const rcl_arguments_t * local_arguments, const rcl_arguments_t * global_arguments,
  const char * topic_name, const char * node_name, const char * node_namespace,
  rcl_allocator_t allocator, char ** output_name);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_remap_service_name(
  const rcl_arguments_t * local_arguments, const rcl_arguments_t * global_arguments,
  const char * service_name, const char * node_name, const char * node_namespace,
  rcl_allocator_t allocator, char ** output_name);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_remap_node_name(
  const rcl_arguments_t * local_arguments, const rcl_arguments_t * global_arguments,
  const char * node_name, rcl_allocator_t allocator, char ** output_name);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_remap_node_namespace(
  const rcl_arguments_t * local_arguments, const rcl_arguments_t * global_arguments,
  const char * node_name, rcl_allocator_t allocator, char ** output_namespace);

#ifdef __cplusplus
}
#endif

#endif  // RCL__REMAP_H_
