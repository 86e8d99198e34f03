/// \file rclc/types.h
/// What an rclc program carries around.
#ifndef RCLC__TYPES_H_
#define RCLC__TYPES_H_

#include "rcl/allocator.h"
#include "rcl/context.h"
#include "rcl/time.h"

typedef struct {
  rcl_context_t context;
  rcl_allocator_t * allocator;
  rcl_clock_t clock;  // steady
} rclc_support_t;

#define RCLC_UNUSED(x) (void)x

#endif  // RCLC__TYPES_H_
