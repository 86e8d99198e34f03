/// \file rcl/context.h
/// One context: arguments, DDS participant, the nodes in it.
#ifndef RCL__CONTEXT_H_
#define RCL__CONTEXT_H_

#include <stdalign.h>
#include <stdbool.h>
#include "rcl/allocator.h"
#include "rcl/arguments.h"
#include "rcl/init_options.h"
#include "rcl/macros.h"
#include "rcl/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t rcl_context_instance_id_t;
typedef struct rcl_context_impl_s rcl_context_impl_t;

typedef struct rcl_context_s {
  rcl_arguments_t global_arguments;
  rcl_context_impl_t * impl;
  alignas(8) uint8_t instance_id_storage[sizeof(uint_least64_t)];
} rcl_context_t;

RCL_PUBLIC RCL_WARN_UNUSED rcl_context_t rcl_get_zero_initialized_context(void);
/// After rcl_shutdown only.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_context_fini(rcl_context_t * context);
RCL_PUBLIC RCL_WARN_UNUSED const rcl_init_options_t * rcl_context_get_init_options(
  const rcl_context_t * context);
/// 0 before rcl_init and after rcl_shutdown.
RCL_PUBLIC RCL_WARN_UNUSED rcl_context_instance_id_t
rcl_context_get_instance_id(const rcl_context_t * context);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_context_get_domain_id(rcl_context_t * context, size_t * domain_id);
RCL_PUBLIC RCL_WARN_UNUSED bool rcl_context_is_valid(const rcl_context_t * context);

#ifdef __cplusplus
}
#endif

#endif  // RCL__CONTEXT_H_
