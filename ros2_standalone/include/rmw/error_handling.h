/// \file rmw/error_handling.h
/// Error text: rcutils' own.
#ifndef RMW__ERROR_HANDLING_H_
#define RMW__ERROR_HANDLING_H_

#include "rcutils/error_handling.h"

#define RMW_SET_ERROR_MSG    RCUTILS_SET_ERROR_MSG
#define rmw_get_error_string rcutils_get_error_string
#define rmw_reset_error      rcutils_reset_error
#define rmw_error_is_set     rcutils_error_is_set

#endif  // RMW__ERROR_HANDLING_H_
