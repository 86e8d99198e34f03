/// \file return_if_error.h
/// Handing an error of the library on.
#ifndef RETURN_IF_ERROR_H_
#define RETURN_IF_ERROR_H_

#include "mbdyn/status.h"

/// Return from a function of type mbd_status_t if a call of the library fails.
#define RETURN_IF_ERROR(call)              \
  do {                                     \
    const mbd_status_t status_ = (call);   \
    if (status_ != MBD_OK) return status_; \
  } while (0)

#endif  // RETURN_IF_ERROR_H_
