/// \file rcl/init_options.h
/// Options of rcl_init.
#ifndef RCL__INIT_OPTIONS_H_
#define RCL__INIT_OPTIONS_H_

#include "rcl/allocator.h"
#include "rcl/macros.h"
#include "rcl/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rcl_init_options_impl_s rcl_init_options_impl_t;

typedef struct rcl_init_options_s {
  rcl_init_options_impl_t * impl;
} rcl_init_options_t;

RCL_PUBLIC RCL_WARN_UNUSED rcl_init_options_t rcl_get_zero_initialized_init_options(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_init_options_init(rcl_init_options_t * init_options, rcl_allocator_t allocator);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_init_options_copy(const rcl_init_options_t * src, rcl_init_options_t * dst);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_init_options_fini(rcl_init_options_t * init_options);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_init_options_get_domain_id(const rcl_init_options_t * init_options, size_t * domain_id);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_init_options_set_domain_id(rcl_init_options_t * init_options, size_t domain_id);
RCL_PUBLIC RCL_WARN_UNUSED const rcl_allocator_t * rcl_init_options_get_allocator(
  const rcl_init_options_t * init_options);

#ifdef __cplusplus
}
#endif

#endif  // RCL__INIT_OPTIONS_H_
