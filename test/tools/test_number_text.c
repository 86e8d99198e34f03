// Numbers as text against the C library's own.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "number_text.h"

static void
expect_same(double x)
{
  char ours[NUMBER_TEXT_SIZE], theirs[64];
  const char * end = number_text(x, ours);
  snprintf(theirs, sizeof theirs, "%.17g", x);
  if (strcmp(ours, theirs) != 0) fail_msg("%a: '%s', not '%s'", x, ours, theirs);
  assert_ptr_equal(end, ours + strlen(theirs));
}

static void
expect_around(double x)
{
  double near[5] = {x, nextafter(x, 0), nextafter(x, HUGE_VAL)};
  near[3] = nextafter(near[1], 0);
  near[4] = nextafter(near[2], HUGE_VAL);
  for (int i = 0; i < 5; i++) expect_same(near[i]), expect_same(-near[i]);
}

static void
plain_numbers(void ** state)
{
  (void)state;
  static const double X[] = {0,    1,       0.1,     0.5,    2.5,        1e15,  123456789, 1e16,
                             1e17, 1e22,    1e300,   1e-300, 4.9e-324,   0.3,   9.81,      100,
                             1e-4, 9.9e-05, 1.5e-07, 1e-10,  9.9999e-11, 1e-11, 0.001,     25};
  for (size_t i = 0; i < sizeof X / sizeof X[0]; i++) expect_around(X[i]);
  expect_same(-0.0);
  expect_same(HUGE_VAL);
  expect_same((double)NAN);
}

// where the number of digits or the way of writing changes
static void
powers(void ** state)
{
  (void)state;
  for (int k = -320; k <= 308; k++) {
    char text[16];
    snprintf(text, sizeof text, "1e%d", k);
    expect_around(strtod(text, NULL));
  }
  for (int k = -1074; k < 1024; k++) expect_around(ldexp(1, k));
}

// halves of the last digit: whole numbers and quarters near 2^53 and beyond round to even
static void
ties(void ** state)
{
  (void)state;
  for (int k = 0; k < 60; k++) {
    for (int j = 1; j < 2000; j += 2) expect_around(ldexp(1, k) + j / 64.);
  }
}

// every pattern of bits, and numbers as robots have them
static void
random_numbers(void ** state)
{
  (void)state;
  uint64_t seed = 12345;
  for (int i = 0; i < 400000; i++) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint64_t bits = seed ^ (seed >> 29);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (isfinite(x)) expect_same(x);
    const double unit = (double)(bits >> 11) / 9007199254740992.;
    expect_same(ldexp(unit - 0.5, (int)(bits % 90) - 40));
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(plain_numbers), cmocka_unit_test(powers), cmocka_unit_test(ties),
    cmocka_unit_test(random_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
