/// \file close.h
/// Comparing numbers in tests: a failure prints where, which index, and both numbers.
///
///   assert_close        two arrays within a tolerance relative to the largest number in them
///   assert_ok           a status is MBD_OK
///   larger              maximum that not-a-number wins
#ifndef CLOSE_H_
#define CLOSE_H_

// cmocka wants these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mbdyn/status.h"

/// Fail unless |a_i - b_i| <= tolerance * max(1e-300, floor, max |a|, max |b|) for all i; `floor`
/// is the scale below which numbers count as zero (0 for none). Infinity and not-a-number never pass.
/// The format and what follows say what is compared, e.g. "M, seed %d", seed.
void assert_close_(
  const double * a, const double * b, size_t n, double tolerance, double floor, const char * file,
  int line, const char * format, ...) __attribute__((format(printf, 8, 9)));

#define assert_close(a, b, n, tolerance, ...) \
  assert_close_(a, b, (size_t)(n), tolerance, 1e-12, __FILE__, __LINE__, __VA_ARGS__)

/// The larger number; not-a-number if either is: fmax would pass over a wrong result.
static inline double
larger(double a, double b)
{
  return a != a || a > b ? a : b;
}

/// Fail with the name of the status unless it is MBD_OK.
void assert_ok_(mbd_status_t status, const char * call, const char * file, int line);

#define assert_ok(call) assert_ok_(call, #call, __FILE__, __LINE__)

#endif  // CLOSE_H_
