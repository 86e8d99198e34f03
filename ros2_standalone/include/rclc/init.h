/// \file rclc/init.h
/// Start and stop.
#ifndef RCLC__INIT_H_
#define RCLC__INIT_H_

#include "rcl/allocator.h"
#include "rcl/init_options.h"
#include "rclc/types.h"
#include "rclc/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

RCLC_PUBLIC rcl_ret_t rclc_support_init(
  rclc_support_t * support, int argc, char const * const * argv, rcl_allocator_t * allocator);
RCLC_PUBLIC rcl_ret_t rclc_support_init_with_options(
  rclc_support_t * support, int argc, char const * const * argv, rcl_init_options_t * init_options,
  rcl_allocator_t * allocator);
RCLC_PUBLIC rcl_ret_t rclc_support_fini(rclc_support_t * support);

#ifdef __cplusplus
}
#endif

#endif  // RCLC__INIT_H_
