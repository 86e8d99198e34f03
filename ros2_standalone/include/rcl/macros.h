/// \file rcl/macros.h
/// Small helpers.
#ifndef RCL__MACROS_H_
#define RCL__MACROS_H_

#include "rcl/visibility_control.h"
#include "rcutils/macros.h"

#define RCL_UNUSED(x) RCUTILS_UNUSED(x)

#endif  // RCL__MACROS_H_
