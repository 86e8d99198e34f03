/// \file quiet_list.h
/// Calls with the heap watched, and a list of them.
///
///   QUIET            a call that gives MBD_OK
///   QUIET_VALUE      a call that gives something else
#ifndef QUIET_LIST_H_
#define QUIET_LIST_H_

#include "close.h"
#include "heap_count.h"
#include "mbdyn/mbdyn.h"

/// Functions that were called, each once.
enum { MOST_CALLS = 512 };
extern char called[MOST_CALLS][64];
extern int ncalled;

/// While an embedded model is called: functions may refuse it, and these do.
extern int embedded;
extern char refused[MOST_CALLS][64];
extern int nrefused;

/// Put the function of a call on either list.
void remember(const char * call);
void remember_refused(const char * call);

// run a call with malloc watched; its status must be MBD_OK
#define QUIET(call)                                                             \
  do {                                                                          \
    remember(#call);                                                            \
    armed = 1;                                                                  \
    const mbd_status_t status_ = (call);                                        \
    armed = 0;                                                                  \
    if (touched) print_error("%s touched the heap %d times\n", #call, touched); \
    assert_int_equal(touched, 0);                                               \
    if (embedded && status_ == MBD_ERROR_UNSUPPORTED) {                         \
      remember_refused(#call);                                                  \
      break;                                                                    \
    }                                                                           \
    if (status_ != MBD_OK) print_error("%s\n", #call);                          \
    assert_int_equal(status_, MBD_OK);                                          \
  } while (0)

// the same for functions that return something else
#define QUIET_VALUE(call)         \
  do {                            \
    remember(#call);              \
    armed = 1;                    \
    (void)(call);                 \
    armed = 0;                    \
    assert_int_equal(touched, 0); \
  } while (0)

#endif  // QUIET_LIST_H_
