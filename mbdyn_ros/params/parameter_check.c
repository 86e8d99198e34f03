// Does a value fit its line of the table? A copy of the line's type, or a reason.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parameters_internal.h"

//---------- types ----------

bool
param_is_array(param_type_t type)
{
  return type >= PARAM_BYTE_ARRAY && type <= PARAM_STRING_ARRAY;
}

const char *
param_type_name(param_type_t type)
{
  static const char * const names[] = {
    "nothing",      "a bool",       "an integer",       "a double",       "a string",
    "a byte array", "a bool array", "an integer array", "a double array", "a string array"};
  return (unsigned)type < sizeof names / sizeof names[0] ? names[type] : "of an unknown type";
}

static bool
out_of_memory(char * reason, size_t size)
{
  snprintf(reason, size, "cannot be stored: out of memory");
  return false;
}

static bool
numbers_of_integers(const param_value_t * value, param_value_t * fitted, char * reason, size_t size)
{
  *fitted = (param_value_t){.type = PARAM_DOUBLE_ARRAY};
  fitted->numbers = calloc(value->n + 1, sizeof *fitted->numbers);
  if (fitted->numbers == NULL) return out_of_memory(reason, size);
  fitted->n = value->n;
  for (size_t i = 0; i < value->n; i++) fitted->numbers[i] = (double)value->integers[i];
  return true;
}

// a parameter file has no other way to write bytes
static bool
bytes_of_integers(const param_value_t * value, param_value_t * fitted, char * reason, size_t size)
{
  for (size_t i = 0; i < value->n; i++) {
    if (value->integers[i] >= 0 && value->integers[i] <= UINT8_MAX) continue;
    snprintf(
      reason, size, "must be between 0 and 255 in each element, not %lld in element %zu",
      (long long)value->integers[i], i);
    return false;
  }
  *fitted = (param_value_t){.type = PARAM_BYTE_ARRAY};
  fitted->bytes = calloc(value->n + 1, 1);
  if (fitted->bytes == NULL) return out_of_memory(reason, size);
  fitted->n = value->n;
  for (size_t i = 0; i < value->n; i++) fitted->bytes[i] = (uint8_t)value->integers[i];
  return true;
}

static bool
wrong_type(param_type_t type, const param_value_t * value, char * reason, size_t size)
{
  const char * wanted = param_type_name(type);
  if (value->type == PARAM_NOT_SET) {
    snprintf(reason, size, "cannot be unset: it must be %s", wanted);
    return false;
  }
  const bool array = param_is_array(value->type);
  const char * given = array && value->n == 0 ? "an empty array" : param_type_name(value->type);
  // yes, on and 5 are no strings in YAML
  const bool unquoted = type == (array ? PARAM_STRING_ARRAY : PARAM_STRING) &&
                        value->type > PARAM_NOT_SET && value->type < PARAM_STRING_ARRAY;
  const char * advice = unquoted ? ": write it in quotes" : "";
  snprintf(reason, size, "must be %s, not %s%s", wanted, given, advice);
  return false;
}

static bool
convert(
  param_type_t type, const param_value_t * value, param_value_t * fitted, char * reason,
  size_t size)
{
  const bool empty = param_is_array(value->type) && value->n == 0;
  if (value->type == type) {
    return param_value_copy(value, fitted) || out_of_memory(reason, size);
  }
  if (param_is_array(type) && empty) {
    const param_value_t none = {.type = type};
    return param_value_copy(&none, fitted) || out_of_memory(reason, size);
  }
  if (type == PARAM_DOUBLE && value->type == PARAM_INTEGER) {
    *fitted = (param_value_t){.type = type, .number = (double)value->integer};
    return true;
  }
  if (value->type == PARAM_INTEGER_ARRAY && type == PARAM_DOUBLE_ARRAY) {
    return numbers_of_integers(value, fitted, reason, size);
  }
  if (value->type == PARAM_INTEGER_ARRAY && type == PARAM_BYTE_ARRAY) {
    return bytes_of_integers(value, fitted, reason, size);
  }
  return wrong_type(type, value, reason, size);
}

//---------- range ----------

bool
param_has_range(const param_spec_t * spec)
{
  return spec->min < 0 || spec->min > 0 || spec->max < 0 || spec->max > 0;
}

void
param_range_text(const param_spec_t * spec, char * text, size_t size)
{
  if (isinf(spec->max)) {
    snprintf(text, size, "at least %.15g", spec->min);
  } else if (isinf(spec->min)) {
    snprintf(text, size, "at most %.15g", spec->max);
  } else {
    snprintf(text, size, "between %.15g and %.15g", spec->min, spec->max);
  }
}

static int64_t
clamped(double x)
{
  // 2^63 is a double, INT64_MAX is none
  if (x >= 9223372036854775808.0) return INT64_MAX;
  return x <= -9223372036854775808.0 ? INT64_MIN : (int64_t)x;
}

void
param_integer_range(const param_spec_t * spec, int64_t * low, int64_t * high)
{
  const bool any = !param_has_range(spec);
  *low = any ? INT64_MIN : clamped(ceil(spec->min));
  *high = any ? INT64_MAX : clamped(floor(spec->max));
}

// how an element is named in a reason; nothing for a single value
static const char *
element_text(const param_value_t * value, size_t i, char * text, size_t size)
{
  text[0] = '\0';
  if (param_is_array(value->type)) snprintf(text, size, " in element %zu", i);
  return text;
}

static bool
check_integers(const param_spec_t * spec, const param_value_t * value, char * reason, size_t size)
{
  const bool array = value->type == PARAM_INTEGER_ARRAY;
  const int64_t * x = array ? value->integers : &value->integer;
  int64_t low, high;
  param_integer_range(spec, &low, &high);
  for (size_t i = 0; i < (array ? value->n : 1); i++) {
    if (x[i] >= low && x[i] <= high) continue;
    char range[80], where[40];
    param_range_text(spec, range, sizeof range);
    snprintf(
      reason, size, "must be %s, not %lld%s", range, (long long)x[i],
      element_text(value, i, where, sizeof where));
    return false;
  }
  return true;
}

static bool
check_numbers(const param_spec_t * spec, const param_value_t * value, char * reason, size_t size)
{
  const bool array = value->type == PARAM_DOUBLE_ARRAY;
  const double * x = array ? value->numbers : &value->number;
  const bool ranged = param_has_range(spec);
  for (size_t i = 0; i < (array ? value->n : 1); i++) {
    if (isfinite(x[i]) && (!ranged || (x[i] >= spec->min && x[i] <= spec->max))) continue;
    char range[80] = "a finite number", where[40];
    if (ranged) param_range_text(spec, range, sizeof range);
    snprintf(
      reason, size, "must be %s, not %.15g%s", range, x[i],
      element_text(value, i, where, sizeof where));
    return false;
  }
  return true;
}

//---------- choices ----------

int
param_choice(const param_spec_t * spec, const char * text)
{
  const size_t length = strlen(text);
  int k = 0;
  for (const char * c = spec->choices; c != NULL; k++) {
    const char * end = strchr(c, '|');
    const size_t n = end != NULL ? (size_t)(end - c) : strlen(c);
    if (n == length && strncmp(c, text, n) == 0) return k;
    c = end != NULL ? end + 1 : NULL;
  }
  return -1;
}

static bool
check_strings(const param_spec_t * spec, const param_value_t * value, char * reason, size_t size)
{
  const bool array = value->type == PARAM_STRING_ARRAY;
  char * const * x = array ? value->strings : &value->string;
  for (size_t i = 0; spec->choices != NULL && i < (array ? value->n : 1); i++) {
    if (param_choice(spec, x[i]) >= 0) continue;
    char choices[PARAM_REASON - 128], where[40];
    param_choices_text(spec, "'", choices, sizeof choices);
    snprintf(
      reason, size, "must be %s, not '%.60s'%s", choices, x[i],
      element_text(value, i, where, sizeof where));
    return false;
  }
  return true;
}

//---------- all of it ----------

static bool
check(const param_spec_t * spec, const param_value_t * value, char * reason, size_t size)
{
  switch (value->type) {
    case PARAM_INTEGER:
    case PARAM_INTEGER_ARRAY: return check_integers(spec, value, reason, size);
    case PARAM_DOUBLE:
    case PARAM_DOUBLE_ARRAY: return check_numbers(spec, value, reason, size);
    case PARAM_STRING:
    case PARAM_STRING_ARRAY: return check_strings(spec, value, reason, size);
    default: return true;
  }
}

bool
param_fit(
  const param_spec_t * spec, const param_value_t * value, param_value_t * fitted, char * reason,
  size_t size)
{
  *fitted = (param_value_t){0};
  if (!convert(spec->type, value, fitted, reason, size)) return false;
  if (check(spec, fitted, reason, size)) return true;
  param_value_fini(fitted);
  return false;
}
