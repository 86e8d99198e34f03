// Numbers: plain decimal, nothing before or after. The loader runs in the "C" locale of its own
// thread, so strtod reads a point wherever the program runs.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "urdf_internal.h"

static bool
is_space(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *
skip_spaces(const char * s)
{
  while (is_space(*s)) s++;
  return s;
}

static const char *
skip_digits(const char * s)
{
  while (*s >= '0' && *s <= '9') s++;
  return s;
}

// end of the longest number at s: [+-] digits [. digits] [e [+-] digits]; s if there is none
static const char *
number_end(const char * s)
{
  const char * begin = s;
  if (*s == '+' || *s == '-') s++;
  const char * digits = s;
  s = skip_digits(s);
  int count = (int)(s - digits > 0);
  if (*s == '.') {
    digits = ++s;
    s = skip_digits(s);
    count += (int)(s - digits > 0);
  }
  if (count == 0) return begin;
  if (*s == 'e' || *s == 'E') {
    const char * e = s + 1;
    if (*e == '+' || *e == '-') e++;
    if (skip_digits(e) > e) s = skip_digits(e);
  }
  return s;
}

//---------- what to write instead ----------

// the token at s, up to the next space
static void
copy_token(const char * s, char * token, size_t size)
{
  size_t n = 0;
  while (s[n] && !is_space(s[n]) && n + 1 < size) n++;
  memcpy(token, s, n);
  token[n] = 0;
}

// a token with a comma: "1,5" is 1.5 for half of the world
static bool
comma_hint(const char * token, char * hint, size_t size)
{
  const char * comma = strchr(token, ',');
  if (!comma) return false;
  char fixed[64];
  snprintf(fixed, sizeof fixed, "%s", token);
  fixed[comma - token] = '.';
  const bool number = comma[1] && *number_end(fixed) == 0;
  snprintf(hint, size, number ? "write %s" : "put spaces between numbers", fixed);
  return true;
}

// nan, .nan, -.inf, Infinity
static bool
is_not_finite(const char * token)
{
  token += *token == '+' || *token == '-';
  token += *token == '.';
  return strncasecmp(token, "nan", 3) == 0 || strncasecmp(token, "inf", 3) == 0;
}

// what to write for a token that is no number; "" if there is nothing to say
static void
number_hint(const char * text, const char * s, char * hint, size_t size)
{
  char token[64];
  copy_token(s, token, sizeof token);
  const char * end = number_end(token);
  *hint = 0;
  if (strstr(text, "${")) {
    snprintf(hint, size, "this is a xacro expression: run xacro first");
  } else if (is_not_finite(token)) {
    snprintf(hint, size, "write a finite number");
  } else if (comma_hint(token, hint, size)) {
    return;
  } else if (end > token && (*end == 'x' || *end == 'X')) {
    snprintf(hint, size, "write it in decimal");
  } else if (end > token) {
    snprintf(hint, size, "write %.*s", (int)(end - token), token);
  }
}

// the token at s, within text, is no number
static void
not_a_number(
  urdf_loader_t * loader, urdf_place_t place, const char * what, const char * text, const char * s)
{
  if (*s == 0) {
    urdf_say(loader, MBDX_ERROR, place, "write a number", "%s is empty", what);
    return;
  }
  char hint[100];
  number_hint(text, s, hint, sizeof hint);
  urdf_say(
    loader, MBDX_ERROR, place, *hint ? hint : NULL, "%s %s is not a number", what,
    urdf_value(text).s);
}

//---------- reading ----------

// The number at s, if its digits are an integer below 2^53 and its power of ten is exact too: then one
// multiplication or division rounds as strtod does, and several times as fast. False otherwise.
static bool
convert_short(const char * s, double * x)
{
  enum { DIGITS = 19, POWERS = 22 };  // that fit 64 bits; that are exact
  static const double power[POWERS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const bool minus = *s == '-';
  if (minus || *s == '+') s++;
  const char * begin = s;
  uint64_t m = 0;
  for (; *s >= '0' && *s <= '9'; s++) m = 10 * m + (uint64_t)(*s - '0');
  int n = (int)(s - begin), e = 0;
  if (*s == '.') {
    begin = ++s;
    for (; *s >= '0' && *s <= '9'; s++) m = 10 * m + (uint64_t)(*s - '0');
    e = (int)(begin - s);
    n -= e;
  }
  if (n > DIGITS || m > (uint64_t)1 << DBL_MANT_DIG || FLT_EVAL_METHOD != 0) return false;
  if (*s == 'e' || *s == 'E') {
    const bool below = *++s == '-';
    if (below || *s == '+') s++;
    int exponent = 0;
    for (; *s >= '0' && *s <= '9' && exponent < 1000; s++) exponent = 10 * exponent + (*s - '0');
    e += below ? -exponent : exponent;
  }
  if (e > POWERS || e < -POWERS) return false;
  const double digits = (double)m;
  const double size = e < 0 ? digits / power[-e] : digits * power[e];
  *x = minus ? -size : size;
  return true;
}

// the number at s, which is one by its grammar
static bool
convert(
  urdf_loader_t * loader, urdf_place_t place, const char * what, const char * s, const char * text,
  double * x)
{
  if (convert_short(s, x)) return true;
  *x = strtod(s, NULL);
  if (isfinite(*x)) return true;
  urdf_say(loader, MBDX_ERROR, place, NULL, "%s %s is too large", what, urdf_value(text).s);
  return false;
}

bool
urdf_number(
  urdf_loader_t * loader, urdf_place_t place, const char * what, const char * text, double * x)
{
  const char * s = skip_spaces(text);
  const char * end = number_end(s);
  if (end == s || *skip_spaces(end)) {
    not_a_number(loader, place, what, text, s);
    return false;
  }
  return convert(loader, place, what, s, text, x);
}

bool
urdf_number_attribute(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * what,
  const char * name, double * x)
{
  const char * text = urdf_attribute(node, name);
  if (text) return urdf_number(loader, place, what, text, x);
  char hint[64];
  snprintf(hint, sizeof hint, "add %s=\"...\"", name);
  urdf_say(loader, MBDX_ERROR, place, hint, "%s is missing", what);
  return false;
}

bool
urdf_vector(
  urdf_loader_t * loader, urdf_place_t place, const char * what, const char * text, double * x,
  int n)
{
  int count = 0;
  for (const char * s = skip_spaces(text); *s; count++) {
    const char * end = number_end(s);
    if (end == s || (*end && !is_space(*end))) {
      not_a_number(loader, place, what, text, s);
      return false;
    }
    double value;
    if (!convert(loader, place, what, s, text, &value)) return false;
    if (count < n) x[count] = value;
    s = skip_spaces(end);
  }
  if (count == n) return true;
  char hint[64];
  snprintf(
    hint, sizeof hint, "write %s numbers with spaces between them", n == 3 ? "three" : "four");
  urdf_say(
    loader, MBDX_ERROR, place, hint, "%s %s has %d value%s, not %d", what, urdf_value(text).s,
    count, count == 1 ? "" : "s", n);
  return false;
}
