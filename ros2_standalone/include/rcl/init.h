/// \file rcl/init.h
/// Start and stop.
#ifndef RCL__INIT_H_
#define RCL__INIT_H_

#include "rcl/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads the arguments and the environment; the DDS participant comes with the first node.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_init(
  int argc, char const * const * argv, const rcl_init_options_t * options, rcl_context_t * context);
/// Makes the context invalid. Wakes nobody: trigger a guard condition for that.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_shutdown(rcl_context_t * context);

#ifdef __cplusplus
}
#endif

#endif  // RCL__INIT_H_
