/// \file byte_order.h
/// Which end comes first here.
#ifndef MBDYN_ROS__WIRE_BYTE_ORDER_H_
#define MBDYN_ROS__WIRE_BYTE_ORDER_H_

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// A constant to the compiler.
static inline bool
wire_host_is_little_endian(void)
{
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return first == 1;
}

#endif  // MBDYN_ROS__WIRE_BYTE_ORDER_H_
