// Numbers as text: x = m 2^e exactly, so x 10^k is a product of integers and a shift, and 128 bits
// hold 17 digits of it and the interval that rounds to x. For 1e-10 <= |x| < 1e16; the others go
// through printf and strtod.
#include "number_text.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 17, FRACTION_BITS = 52, EXPONENT_BIAS = 1023 };

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 u128_t;

static const uint64_t TEN_TO_17 = UINT64_C(100000000000000000);

// 5^0 to 5^27, the last that fits
static const uint64_t FIVES[28] = {
  1,
  5,
  25,
  125,
  625,
  3125,
  15625,
  78125,
  390625,
  1953125,
  9765625,
  48828125,
  244140625,
  1220703125,
  6103515625,
  30517578125,
  152587890625,
  762939453125,
  3814697265625,
  19073486328125,
  95367431640625,
  476837158203125,
  2384185791015625,
  11920928955078125,
  59604644775390625,
  298023223876953125,
  1490116119384765625,
  7450580596923828125};

// x 10^k = whole + rest 2^-bits, and the distances to where another double begins, as rest
typedef struct scaled {
  uint64_t whole;
  u128_t rest, below, above;
  int bits;
} scaled_t;

// m 2^e 10^k; k from 0 to 27, the result below 2^63
static scaled_t
scale(uint64_t m, int e, int k)
{
  // two bits more than it takes: half of the gap below a power of two is a quarter of a unit
  const u128_t product = (u128_t)m * FIVES[k] << 2;
  scaled_t v = {.bits = 2 - e - k};
  v.whole = (uint64_t)(product >> v.bits);
  v.rest = product - ((u128_t)v.whole << v.bits);
  v.above = (u128_t)FIVES[k] << 1;
  v.below = m == UINT64_C(1) << FRACTION_BITS ? v.above >> 1 : v.above;
  return v;
}

// rounded to a multiple of a step, to even; 0 if that is another double
static uint64_t
round_to(const scaled_t * v, uint64_t step, uint64_t m)
{
  const uint64_t digits = v->whole / step;
  const u128_t off = ((u128_t)(v->whole % step) << v->bits) + v->rest;
  const u128_t unit = (u128_t)step << v->bits;
  const bool up = 2 * off > unit || (2 * off == unit && (digits & 1));
  const u128_t error = up ? unit - off : off, most = up ? v->above : v->below;
  const bool same = error < most || (error == most && m % 2 == 0);
  return step == 1 || same ? (digits + (up ? 1 : 0)) * step : 0;
}

// the digits of x = m 2^e > 0, fewer than 17 followed by zeros, and the power of ten of the first;
// 0 if x is too large or too small for 128 bits
static uint64_t
shortest_digits(double x, int * power)
{
  if (!(x >= 1e-10 && x < 1e16)) return 0;
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const int exponent = (int)(bits >> FRACTION_BITS) - EXPONENT_BIAS, e = exponent - FRACTION_BITS;
  const uint64_t one = UINT64_C(1) << FRACTION_BITS, m = (bits & (one - 1)) | one;
  // from the power of two alone it is right, or one too small
  *power = (int)floor(exponent * 0.30102999566398120);
  scaled_t v = scale(m, e, DIGITS - 1 - *power);
  if (v.whole >= TEN_TO_17) v = scale(m, e, DIGITS - 1 - ++*power);
  // 15 digits find every number of 15 digits or fewer, its zeros included
  uint64_t digits = 0;
  for (uint64_t step = 100; step > 0 && digits == 0; step /= 10) digits = round_to(&v, step, m);
  if (digits < TEN_TO_17) return digits;
  ++*power;
  return digits / 10;
}
#else
static uint64_t
shortest_digits(double x, int * power)
{
  (void)x;
  *power = 0;
  return 0;
}
#endif

// by the C library; the fewest digits are 15 or more but for subnormal numbers
static char *
put_slowly(double x, char * text)
{
  int n = 0;
  for (int digits = fabs(x) < DBL_MIN ? 1 : 15; digits <= DIGITS; digits++) {
    n = snprintf(text, NUMBER_TEXT_SIZE, "%.*g", digits, x);
    if (strtod(text, NULL) == x) break;
  }
  return text + n;
}

static char *
append_text(char * to, const char * from, int n)
{
  memcpy(to, from, (size_t)n);
  return to + n;
}

// n digits, the first of them worth 10^power, as %g has them
static char *
put_digits(char * to, const char * digit, int n, int power)
{
  if (power >= 0) {
    to = append_text(to, digit, power + 1);
    if (n > power + 1) {
      *to++ = '.';
      to = append_text(to, digit + power + 1, n - power - 1);
    }
  } else if (power >= -4) {
    to = append_text(to, "0.000", 1 - power);
    to = append_text(to, digit, n);
  } else {
    *to++ = digit[0];
    if (n > 1) *to++ = '.';
    to = append_text(to, digit + 1, n - 1);
    to = append_text(to, "e-", 2);
    *to++ = (char)('0' + -power / 10);
    *to++ = (char)('0' + -power % 10);
  }
  *to = 0;
  return to;
}

char *
number_text(double x, char * text)
{
  int power;
  uint64_t digits = shortest_digits(fabs(x), &power);
  if (digits == 0) return put_slowly(x, text);
  char digit[DIGITS];
  for (int i = DIGITS - 1; i >= 0; i--, digits /= 10) digit[i] = (char)('0' + digits % 10);
  int n = DIGITS;
  while (n > 1 && digit[n - 1] == '0') n--;
  if (signbit(x)) *text++ = '-';
  return put_digits(text, digit, n, power);
}
