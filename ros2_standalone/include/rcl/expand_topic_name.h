/// \file rcl/expand_topic_name.h
/// Names as a user writes them made absolute.
#ifndef RCL__EXPAND_TOPIC_NAME_H_
#define RCL__EXPAND_TOPIC_NAME_H_

#include "rcl/allocator.h"
#include "rcl/macros.h"
#include "rcl/types.h"
#include "rcutils/types/string_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \param[in] substitutions  more {words}, may be empty
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_expand_topic_name(
  const char * input_topic_name, const char * node_name, const char * node_namespace,
  const rcutils_string_map_t * substitutions, rcl_allocator_t allocator, char ** output_topic_name);

#ifdef __cplusplus
}
#endif

#endif  // RCL__EXPAND_TOPIC_NAME_H_
