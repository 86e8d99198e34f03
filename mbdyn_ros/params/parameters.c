// Values of a table: made, copied, found, read.
#include "parameters.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "parameters_internal.h"

//---------- one value ----------

void
param_value_fini(param_value_t * value)
{
  for (size_t i = 0; value->strings != NULL && i < value->n; i++) free(value->strings[i]);
  free(value->strings);
  free(value->string);
  free(value->bytes);
  free(value->booleans);
  free(value->integers);
  free(value->numbers);
  *value = (param_value_t){0};
}

// never NULL but when out of memory
static void *
duplicate(const void * from, size_t n, size_t size)
{
  void * copy = calloc(n + 1, size);
  if (copy != NULL && n > 0) memcpy(copy, from, n * size);
  return copy;
}

static char **
duplicate_strings(char * const * from, size_t n)
{
  char ** copy = calloc(n + 1, sizeof *copy);
  for (size_t i = 0; copy != NULL && i < n; i++) {
    copy[i] = strdup(from[i]);
    if (copy[i] != NULL) continue;
    while (i > 0) free(copy[--i]);
    free(copy);
    return NULL;
  }
  return copy;
}

bool
param_value_copy(const param_value_t * from, param_value_t * to)
{
  const size_t n = from->n;
  param_value_t copy = {
    .type = from->type,
    .boolean = from->boolean,
    .integer = from->integer,
    .number = from->number,
    .n = param_is_array(from->type) ? n : 0};
  bool ok = true;
  switch (from->type) {
    case PARAM_STRING:
      ok = (copy.string = strdup(from->string != NULL ? from->string : "")) != NULL;
      break;
    case PARAM_BYTE_ARRAY: ok = (copy.bytes = duplicate(from->bytes, n, 1)) != NULL; break;
    case PARAM_BOOL_ARRAY:
      ok = (copy.booleans = duplicate(from->booleans, n, sizeof(bool))) != NULL;
      break;
    case PARAM_INTEGER_ARRAY:
      ok = (copy.integers = duplicate(from->integers, n, sizeof(int64_t))) != NULL;
      break;
    case PARAM_DOUBLE_ARRAY:
      ok = (copy.numbers = duplicate(from->numbers, n, sizeof(double))) != NULL;
      break;
    case PARAM_STRING_ARRAY:
      ok = (copy.strings = duplicate_strings(from->strings, n)) != NULL;
      break;
    default: break;
  }
  *to = ok ? copy : (param_value_t){0};
  return ok;
}

static bool
same_array(const void * a, const void * b, size_t n, size_t size)
{
  return n == 0 || memcmp(a, b, n * size) == 0;
}

bool
param_value_same(const param_value_t * a, const param_value_t * b)
{
  if (a->type != b->type || a->n != b->n) return false;
  switch (a->type) {
    case PARAM_BOOL: return a->boolean == b->boolean;
    case PARAM_INTEGER: return a->integer == b->integer;
    case PARAM_DOUBLE: return a->number == b->number;
    case PARAM_STRING: return strcmp(a->string, b->string) == 0;
    case PARAM_BYTE_ARRAY: return same_array(a->bytes, b->bytes, a->n, 1);
    case PARAM_BOOL_ARRAY: return same_array(a->booleans, b->booleans, a->n, sizeof(bool));
    case PARAM_INTEGER_ARRAY: return same_array(a->integers, b->integers, a->n, sizeof(int64_t));
    case PARAM_DOUBLE_ARRAY: return same_array(a->numbers, b->numbers, a->n, sizeof(double));
    default: break;
  }
  for (size_t i = 0; i < a->n; i++) {
    if (strcmp(a->strings[i], b->strings[i]) != 0) return false;
  }
  return true;
}

//---------- all values ----------

static bool
set_default(param_values_t * values, size_t index)
{
  const param_spec_t * spec = &values->spec[index];
  if (spec->name == NULL || param_find(values, spec->name) != (int)index) return false;
  param_value_t value;
  char reason[PARAM_REASON];
  if (!param_parse(spec->type, spec->initial != NULL ? spec->initial : "", &value)) return false;
  const bool ok = param_fit(spec, &value, &values->value[index], reason, sizeof reason);
  param_value_fini(&value);
  return ok;
}

static param_values_t *
values_alloc(const param_spec_t * spec, size_t n)
{
  param_values_t * values = calloc(1, sizeof *values);
  if (values == NULL) return NULL;
  *values = (param_values_t){.spec = spec, .n = n, .value = calloc(n + 1, sizeof *values->value)};
  if (values->value != NULL) return values;
  free(values);
  return NULL;
}

param_values_t *
param_values_create(const param_spec_t * spec, size_t n)
{
  param_values_t * values = values_alloc(spec, n);
  bool ok = values != NULL;
  for (size_t i = 0; ok && i < n; i++) ok = set_default(values, i);
  if (ok) return values;
  param_values_destroy(values);
  return NULL;
}

param_values_t *
param_values_copy(const param_values_t * values)
{
  param_values_t * copy = values_alloc(values->spec, values->n);
  bool ok = copy != NULL;
  for (size_t i = 0; ok && i < values->n; i++) {
    ok = param_value_copy(&values->value[i], &copy->value[i]);
  }
  if (ok) return copy;
  param_values_destroy(copy);
  return NULL;
}

void
param_values_destroy(param_values_t * values)
{
  if (values == NULL) return;
  for (size_t i = 0; i < values->n; i++) param_value_fini(&values->value[i]);
  free(values->value);
  free(values);
}

bool
param_values_set(
  param_values_t * values, int index, const param_value_t * value, char * reason, size_t size)
{
  if (index < 0 || (size_t)index >= values->n) {
    snprintf(reason, size, "is not declared");
    return false;
  }
  param_value_t fitted;
  if (!param_fit(&values->spec[index], value, &fitted, reason, size)) return false;
  param_value_fini(&values->value[index]);
  values->value[index] = fitted;
  return true;
}

//---------- names ----------

int
param_find(const param_values_t * values, const char * name)
{
  for (size_t i = 0; i < values->n; i++) {
    if (strcmp(values->spec[i].name, name) == 0) return (int)i;
  }
  return -1;
}

static bool
same_letter(char a, char b)
{
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t
least(size_t a, size_t b)
{
  return a < b ? a : b;
}

// letters to insert, drop or change to get from one name to the other (Levenshtein)
static size_t
distance(const char * a, const char * b)
{
  const size_t n = strlen(b);
  size_t row[PARAM_LONGEST_NAME + 1];
  for (size_t j = 0; j <= n; j++) row[j] = j;
  for (size_t i = 0; a[i] != '\0'; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < n; j++) {
      const size_t change = diagonal + (same_letter(a[i], b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = least(change, least(row[j], row[j + 1]) + 1);
    }
  }
  return row[n];
}

// "torques" for "publish.torques" is as good as one wrong letter
static bool
is_last_part(const char * whole, const char * part)
{
  const char * dot = strrchr(whole, '.');
  return dot != NULL && strcmp(dot + 1, part) == 0;
}

const char *
param_closest(const param_values_t * values, const char * name)
{
  const size_t length = strnlen(name, PARAM_LONGEST_NAME + 1);
  if (length == 0 || length > PARAM_LONGEST_NAME) return NULL;
  const char * closest = NULL;
  size_t best = length / 3 + 2;
  for (size_t i = 0; i < values->n; i++) {
    const char * other = values->spec[i].name;
    if (strlen(other) > PARAM_LONGEST_NAME) continue;
    const size_t d = is_last_part(other, name) ? 1 : distance(name, other);
    if (d >= best) continue;
    best = d;
    closest = other;
  }
  return closest;
}

void
param_unknown(const param_values_t * values, const char * name, char * text, size_t size)
{
  const char * closest = param_closest(values, name);
  if (closest != NULL) {
    snprintf(text, size, "parameter '%s' is not declared; did you mean '%s'?", name, closest);
  } else {
    snprintf(text, size, "parameter '%.200s' is not declared", name);
  }
}

//---------- reading ----------

static const param_value_t *
get(const param_values_t * values, int index, param_type_t type)
{
  assert(index >= 0 && (size_t)index < values->n && values->value[index].type == type);
  (void)type;
  return &values->value[index];
}

bool
param_bool(const param_values_t * values, int index)
{
  return get(values, index, PARAM_BOOL)->boolean;
}

int64_t
param_integer(const param_values_t * values, int index)
{
  return get(values, index, PARAM_INTEGER)->integer;
}

double
param_double(const param_values_t * values, int index)
{
  return get(values, index, PARAM_DOUBLE)->number;
}

const char *
param_string(const param_values_t * values, int index)
{
  return get(values, index, PARAM_STRING)->string;
}

const double *
param_doubles(const param_values_t * values, int index, size_t * n)
{
  const param_value_t * value = get(values, index, PARAM_DOUBLE_ARRAY);
  *n = value->n;
  return value->numbers;
}

const char * const *
param_strings(const param_values_t * values, int index, size_t * n)
{
  const param_value_t * value = get(values, index, PARAM_STRING_ARRAY);
  *n = value->n;
  return (const char * const *)value->strings;
}
