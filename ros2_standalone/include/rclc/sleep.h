/// \file rclc/sleep.h
/// Sleep.
#ifndef RCLC__SLEEP_H_
#define RCLC__SLEEP_H_

#include "rclc/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

RCLC_PUBLIC void rclc_sleep_ms(unsigned int ms);

#ifdef __cplusplus
}
#endif

#endif  // RCLC__SLEEP_H_
