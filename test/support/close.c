#include "close.h"

#include <math.h>
#include <stdio.h>

static double
largest(const double * a, const double * b, size_t n, double floor)
{
  double scale = fmax(floor, 1e-300);
  for (size_t i = 0; i < n; i++) scale = fmax(scale, fmax(fabs(a[i]), fabs(b[i])));
  return scale;
}

void
assert_close_(
  const double * a, const double * b, size_t n, double tolerance, double floor, const char * file,
  int line, const char * format, ...)
{
  const double scale = largest(a, b, n, floor);
  for (size_t i = 0; i < n; i++) {
    // written so that NaN fails; an infinite scale would let everything through
    if (fabs(a[i] - b[i]) <= tolerance * scale && isfinite(scale)) continue;
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    print_error(
      "%s: element %zu of %zu: %.17g against %.17g, off by %.3g of scale %.3g (allowed %.3g)\n",
      what, i, n, a[i], b[i], fabs(a[i] - b[i]) / scale, scale, tolerance);
    _fail(file, line);
  }
}

void
assert_ok_(mbd_status_t status, const char * call, const char * file, int line)
{
  if (status == MBD_OK) return;
  print_error("%s returned %s\n", call, mbd_status_name(status));
  _fail(file, line);
}
