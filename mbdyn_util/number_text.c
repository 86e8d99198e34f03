// Numbers as text: x = m 2^e exactly, so x 10^k is a product of whole numbers and a shift, and 17
// digits of it come out of 128 bits, rounded right. For 1e-10 <= |x| < 1e16; printf has the rest.
#include "number_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 17, FRACTION_BITS = 52, EXPONENT_BIAS = 1023 };

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 u128_t;

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

// m 2^e 10^k, rounded to even; k from 0 to 27, the result below 2^63
static uint64_t
scaled(uint64_t m, int e, int k)
{
  const u128_t product = (u128_t)m * FIVES[k];
  const int shift = -e - k;
  if (shift <= 0) return (uint64_t)(product << -shift);
  const uint64_t whole = (uint64_t)(product >> shift);
  const u128_t rest = product - ((u128_t)whole << shift), half = (u128_t)1 << (shift - 1);
  const bool up = rest > half || (rest == half && (whole & 1));
  return whole + (up ? 1 : 0);
}

// the digits of x, and the power of ten of the first; 0 if x is too large or too small for that
static uint64_t
digits_of(double x, int * power)
{
  if (!(x >= 1e-10 && x < 1e16)) return 0;
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const int exponent = (int)(bits >> FRACTION_BITS) - EXPONENT_BIAS;
  const uint64_t one = UINT64_C(1) << FRACTION_BITS, m = (bits & (one - 1)) | one;
  // from the power of two alone it is right, or one too small
  *power = (int)floor(exponent * 0.30102999566398120);
  uint64_t digits = scaled(m, exponent - FRACTION_BITS, DIGITS - 1 - *power);
  if (digits < UINT64_C(100000000000000000)) return digits;
  ++*power;
  return scaled(m, exponent - FRACTION_BITS, DIGITS - 1 - *power);
}
#else
static uint64_t
digits_of(double x, int * power)
{
  (void)x;
  *power = 0;
  return 0;
}
#endif

static char *
put(char * to, const char * from, int n)
{
  memcpy(to, from, (size_t)n);
  return to + n;
}

// n digits, the first of them worth 10^power, as %g has them
static char *
put_digits(char * to, const char * digit, int n, int power)
{
  if (power >= 0) {
    to = put(to, digit, power + 1);
    if (n > power + 1) {
      *to++ = '.';
      to = put(to, digit + power + 1, n - power - 1);
    }
  } else if (power >= -4) {
    to = put(to, "0.000", 1 - power);
    to = put(to, digit, n);
  } else {
    *to++ = digit[0];
    if (n > 1) *to++ = '.';
    to = put(to, digit + 1, n - 1);
    to = put(to, "e-", 2);
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
  uint64_t digits = digits_of(fabs(x), &power);
  if (digits == 0) return text + snprintf(text, NUMBER_TEXT_SIZE, "%.17g", x);
  char digit[DIGITS];
  for (int i = DIGITS - 1; i >= 0; i--, digits /= 10) digit[i] = (char)('0' + digits % 10);
  int n = DIGITS;
  while (n > 1 && digit[n - 1] == '0') n--;
  if (signbit(x)) *text++ = '-';
  return put_digits(text, digit, n, power);
}
