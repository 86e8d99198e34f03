// Sine and cosine of the kernels against those of the C library in long double: within one unit in
// the last place up to SINCOS_LARGEST, and as good beyond.
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "close.h"
#include "simd/kernels.h"

extern const mbdi_kernels_t KERNELS_UNDER_TEST;

// distance in units of the last place of the expected value
static double
ulps(double x, long double expected)
{
  const double size = fabs((double)expected);
  const double unit = nextafter(size, 2) - size;
  return (double)fabsl((long double)x - expected) / unit;
}

static double
worst_of(const double * x, int n)
{
  double sine[4], cosine[4], worst = 0;
  KERNELS_UNDER_TEST.sincos(n, x, sine, cosine);
  for (int k = 0; k < n; k++) {
    worst = larger(worst, ulps(sine[k], sinl((long double)x[k])));
    worst = larger(worst, ulps(cosine[k], cosl((long double)x[k])));
  }
  return worst;
}

static double
next(uint64_t * state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static void
within_one_unit(void ** context)
{
  (void)context;
  static const double ranges[] = {1e5, 1e3, 10, 1, 1e-3, 1e-8};
  uint64_t state = 1;
  double worst = 0, x[4];
  for (int i = 0; i < 60000; i++) {
    for (int k = 0; k < 4; k++) x[k] = ranges[i % 6] * next(&state);
    worst = larger(worst, worst_of(x, 4));
  }
  printf("             worst %.3f units\n", worst);
  assert_true(worst < 1);
}

// next to multiples of pi/2, where almost everything cancels
static void
near_quarters(void ** context)
{
  (void)context;
  double worst = 0;
  for (int n = -63000; n <= 63000; n += 7) {
    const double at = (double)(n * 1.570796326794896619231L);
    const double x[3] = {at, nextafter(at, HUGE_VAL), nextafter(at, -HUGE_VAL)};
    worst = larger(worst, worst_of(x, 3));
  }
  printf("             worst %.3f units\n", worst);
  assert_true(worst < 1);
}

static void
beyond(void ** context)
{
  (void)context;
  const double x[4] = {1.1e5, -3e7, 1e15, 1e300};
  double sine[4], cosine[4];
  KERNELS_UNDER_TEST.sincos(4, x, sine, cosine);
  for (int k = 0; k < 4; k++) {
    assert_true(sine[k] == sin(x[k]));
    assert_true(cosine[k] == cos(x[k]));
  }
}

int
main(void)
{
#ifdef KERNELS_NEED
  if (!__builtin_cpu_supports(KERNELS_NEED) || !__builtin_cpu_supports("fma")) {
    puts("skipped: this machine has no " KERNELS_NEED);
    return 0;
  }
#endif
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(within_one_unit), cmocka_unit_test(near_quarters), cmocka_unit_test(beyond)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
