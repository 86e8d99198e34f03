/// \file rclc/rclc.h
/// All of rclc but the executor.
#ifndef RCLC__RCLC_H_
#define RCLC__RCLC_H_

#include <stdbool.h>
#include <stddef.h>
#include "rclc/client.h"
#include "rclc/init.h"
#include "rclc/node.h"
#include "rclc/publisher.h"
#include "rclc/service.h"
#include "rclc/subscription.h"
#include "rclc/timer.h"
#include "rclc/types.h"

#endif  // RCLC__RCLC_H_
