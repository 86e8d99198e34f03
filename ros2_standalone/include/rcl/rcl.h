/// \file rcl/rcl.h
/// What the real one includes: no graph, no logging, no error handling.
#ifndef RCL__RCL_H_
#define RCL__RCL_H_

#include "rcl/init.h"
#include "rcl/node.h"
#include "rcl/publisher.h"
#include "rcl/subscription.h"
#include "rcl/wait.h"

#endif  // RCL__RCL_H_
