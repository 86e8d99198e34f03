// Checks of numbers, and returning on errors.
#ifndef UTIL__CHECK_H_
#define UTIL__CHECK_H_

#include <stdbool.h>
#include <stddef.h>

#include "mbdyn/status.h"
#include "mbdyn/types.h"

#define CHECK(call)                                    \
  do {                                                 \
    const mbd_status_t check_status_ = (call);         \
    if (check_status_ != MBD_OK) return check_status_; \
  } while (0)

// true if all n numbers are finite: zero times infinity or not-a-number is not-a-number
static inline bool
finite_array(const double * x, int n)
{
  // in parts that need not wait for each other
  double a = 0, b = 0, c = 0, d = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    a += 0 * x[i], b += 0 * x[i + 1], c += 0 * x[i + 2], d += 0 * x[i + 3];
  }
  for (; i < n; i++) a += 0 * x[i];
  return a + b + (c + d) == 0;
}

// few numbers, for which a call of memcpy takes longer
static inline void
copy_array(double * to, const double * from, int n)
{
  for (int i = 0; i < n; i++) to[i] = from[i];
}

// false, and nothing is copied: not all are finite
static inline bool
copy_if_finite(double * to, const double * from, int n)
{
  if (!finite_array(from, n)) return false;
  copy_array(to, from, n);
  return true;
}

// the same as a status
static inline mbd_status_t
copy_checked(double * to, const double * from, int n)
{
  return copy_if_finite(to, from, n) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// of an n x n matrix, or NULL
static inline bool
finite_square(const double * A, int n)
{
  for (int row = 0; A && row < n; row++) {
    if (!finite_array(A + (size_t)row * (size_t)n, n)) return false;
  }
  return true;
}

static inline bool
finite_vec3(mbd_vec3_t x)
{
  return finite_array(&x.x, 1) && finite_array(&x.y, 1) && finite_array(&x.z, 1);
}

#endif  // UTIL__CHECK_H_
