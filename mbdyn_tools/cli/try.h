/// \file try.h
/// Handing an error of the library on.
#ifndef TRY_H_
#define TRY_H_

#include "mbdyn/status.h"

/// Return from a function of type mbd_status_t if a call of the library fails.
#define TRY(call)                                \
  do {                                           \
    const mbd_status_t try_status = (call);      \
    if (try_status != MBD_OK) return try_status; \
  } while (0)

#endif  // TRY_H_
