/// \file rclc/timer.h
/// Timers on the steady clock.
#ifndef RCLC__TIMER_H_
#define RCLC__TIMER_H_

#include "rcl/timer.h"
#include "rclc/types.h"
#include "rclc/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

RCLC_PUBLIC rcl_ret_t rclc_timer_init_default(
  rcl_timer_t * timer, rclc_support_t * support, const uint64_t timeout_ns,
  const rcl_timer_callback_t callback);

#ifdef __cplusplus
}
#endif

#endif  // RCLC__TIMER_H_
