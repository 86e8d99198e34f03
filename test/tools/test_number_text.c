// Numbers as text against the fewest digits for which printf's text reads back.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "number_text.h"

static long compared;

static bool
reads_back(double x, int n, char digits[40])
{
  snprintf(digits, 40, "%.*e", n - 1, x);
  return strtod(digits, NULL) == x;
}

// the fewest digits that read back, by printf and strtod alone
static void
shortest(double x, char text[64])
{
  char digits[40];
  // a number of 14 digits or fewer shows with 14 as well
  int n = fabs(x) < 2.3e-308 || reads_back(x, 14, digits) ? 1 : 15;
  if (!isfinite(x) || x == 0) {
    snprintf(text, 64, "%g", x);
    return;
  }
  while (!reads_back(x, n, digits)) n++;
  const int power = atoi(strchr(digits, 'e') + 1);
  if (power < -4 || power >= 16) {
    snprintf(text, 64, "%.*g", n > 15 || fabs(x) < 2.3e-308 ? n : 15, x);
  } else {
    snprintf(text, 64, "%.*f", n - 1 > power ? n - 1 - power : 0, strtod(digits, NULL));
  }
}

static void
expect_same(double x)
{
  char ours[NUMBER_TEXT_SIZE], theirs[64];
  const char * end = number_text(x, ours);
  shortest(x, theirs);
  if (strcmp(ours, theirs) != 0) fail_msg("%a: '%s', not '%s'", x, ours, theirs);
  assert_ptr_equal(end, ours + strlen(theirs));
  const double back = strtod(ours, NULL);
  if (!isnan(x)) assert_memory_equal(&back, &x, sizeof x);
  compared++;
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

// as people write them
static void
short_numbers(void ** state)
{
  (void)state;
  static const char * const TEXT[] = {"9.81", "0.1",   "0.3",    "-2.5",     "1e-10",
                                      "100",  "0.333", "3.1416", "1234.5678"};
  char text[NUMBER_TEXT_SIZE];
  for (size_t i = 0; i < sizeof TEXT / sizeof TEXT[0]; i++) {
    number_text(strtod(TEXT[i], NULL), text);
    assert_string_equal(text, TEXT[i]);
  }
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
    cmocka_unit_test(random_numbers), cmocka_unit_test(short_numbers)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  printf("%ld numbers compared\n", compared);
  return failed;
}
