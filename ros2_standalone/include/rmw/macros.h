/// \file rmw/macros.h
/// Kept for includes; the macros are in visibility_control.h.
#ifndef RMW__MACROS_H_
#define RMW__MACROS_H_

#include "rmw/visibility_control.h"

#endif  // RMW__MACROS_H_
