/// \file rcl/node_options.h
/// Options of a node.
#ifndef RCL__NODE_OPTIONS_H_
#define RCL__NODE_OPTIONS_H_

#include "rcl/allocator.h"
#include "rcl/arguments.h"
#include "rcl/domain_id.h"
#include "rcl/macros.h"
#include "rcl/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rcl_node_options_s {
  rcl_allocator_t allocator;
  bool use_global_arguments;
  rcl_arguments_t arguments;  // rules of this node alone; they come before the global ones
  bool enable_rosout;
  rmw_qos_profile_t rosout_qos;
} rcl_node_options_t;

RCL_PUBLIC RCL_WARN_UNUSED rcl_node_options_t rcl_node_get_default_options(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_node_options_copy(const rcl_node_options_t * options, rcl_node_options_t * options_out);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_node_options_fini(rcl_node_options_t * options);

#ifdef __cplusplus
}
#endif

#endif  // RCL__NODE_OPTIONS_H_
