// The table and its texts: defaults are read, Markdown is written.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parameters_internal.h"

//---------- single values ----------

static bool
parse_bool(const char * text, bool * value)
{
  *value = strcmp(text, "true") == 0;
  return *value || strcmp(text, "false") == 0;
}

static bool
parse_integer(const char * text, int64_t * value)
{
  char * end;
  errno = 0;
  const long long number = strtoll(text, &end, 10);
  *value = number;
  return end != text && *end == '\0' && errno == 0;
}

static bool
parse_number(const char * text, double * value)
{
  char * end;
  *value = strtod(text, &end);
  return end != text && *end == '\0';
}

static bool
parse_byte(const char * text, uint8_t * value)
{
  int64_t number;
  const bool ok = parse_integer(text, &number) && number >= 0 && number <= UINT8_MAX;
  *value = ok ? (uint8_t)number : 0;
  return ok;
}

// quotes around it are not part of it
static bool
parse_string(const char * text, char ** value)
{
  const size_t length = strlen(text);
  const bool quoted =
    length >= 2 && (text[0] == '"' || text[0] == '\'') && text[length - 1] == text[0];
  *value = quoted ? strndup(text + 1, length - 2) : strdup(text);
  return *value != NULL;
}

//---------- arrays ----------

static bool
parse_element(param_value_t * array, size_t i, const char * text)
{
  switch (array->type) {
    case PARAM_BYTE_ARRAY: return parse_byte(text, &array->bytes[i]);
    case PARAM_BOOL_ARRAY: return parse_bool(text, &array->booleans[i]);
    case PARAM_INTEGER_ARRAY: return parse_integer(text, &array->integers[i]);
    case PARAM_DOUBLE_ARRAY: return parse_number(text, &array->numbers[i]);
    case PARAM_STRING_ARRAY: return parse_string(text, &array->strings[i]);
    default: return false;
  }
}

static bool
reserve(param_value_t * array, size_t n)
{
  switch (array->type) {
    case PARAM_BYTE_ARRAY: return (array->bytes = calloc(n, 1)) != NULL;
    case PARAM_BOOL_ARRAY: return (array->booleans = calloc(n, sizeof(bool))) != NULL;
    case PARAM_INTEGER_ARRAY: return (array->integers = calloc(n, sizeof(int64_t))) != NULL;
    case PARAM_DOUBLE_ARRAY: return (array->numbers = calloc(n, sizeof(double))) != NULL;
    case PARAM_STRING_ARRAY: return (array->strings = calloc(n, sizeof(char *))) != NULL;
    default: return false;
  }
}

// cuts the first element off a list, without the blanks around it; NULL at the end
static char *
next_element(char ** rest)
{
  char * element = strsep(rest, ",");
  if (element == NULL) return NULL;
  element += strspn(element, " ");
  size_t length = strlen(element);
  while (length > 0 && element[length - 1] == ' ') length--;
  element[length] = '\0';
  return element;
}

static bool
parse_array(const char * text, param_value_t * value)
{
  const size_t length = strlen(text);
  if (length < 2 || text[0] != '[' || text[length - 1] != ']') return false;
  char * list = strndup(text + 1, length - 2);
  if (list == NULL || !reserve(value, length)) {
    free(list);
    return false;
  }
  char * rest = list + strspn(list, " ");
  if (*rest == '\0') rest = NULL;
  bool ok = true;
  for (char * e = next_element(&rest); ok && e != NULL; e = next_element(&rest)) {
    ok = *e != '\0' && parse_element(value, value->n, e);
    if (ok) value->n++;
  }
  free(list);
  return ok;
}

bool
param_parse(param_type_t type, const char * text, param_value_t * value)
{
  *value = (param_value_t){.type = type};
  bool ok = false;
  switch (type) {
    case PARAM_BOOL: ok = parse_bool(text, &value->boolean); break;
    case PARAM_INTEGER: ok = parse_integer(text, &value->integer); break;
    case PARAM_DOUBLE: ok = parse_number(text, &value->number); break;
    case PARAM_STRING: ok = parse_string(text, &value->string); break;
    default: ok = param_is_array(type) && parse_array(text, value); break;
  }
  if (!ok) param_value_fini(value);
  return ok;
}

//---------- words ----------

void
param_choices_text(const param_spec_t * spec, const char * quote, char * text, size_t size)
{
  // how a choice of nothing is written
  const char * nothing = quote[0] == '\'' ? "" : "\"\"";
  size_t used = (size_t)snprintf(text, size, "one of ");
  for (const char * c = spec->choices; c != NULL && used < size;) {
    const int length = (int)strcspn(c, "|");
    const bool last = c[length] == '\0';
    used += (size_t)snprintf(
      text + used, size - used, "%s%.*s%s%s%s", quote, length, c, length > 0 ? "" : nothing, quote,
      last ? "" : ", ");
    c = last ? NULL : c + length + 1;
  }
}

//---------- Markdown ----------

// a bar would end the cell
static void
print_cell(const char * text, FILE * to)
{
  for (; *text != '\0'; text++) {
    if (*text == '|') fputc('\\', to);
    fputc(*text == '\n' ? ' ' : *text, to);
  }
}

// " Between 0 and 10." after what is there
static void
print_sentence(char * text, FILE * to)
{
  text[0] = (char)toupper((unsigned char)text[0]);
  fprintf(to, " %s.", text);
}

static void
print_row(const param_spec_t * spec, FILE * to)
{
  const char * initial = spec->initial != NULL ? spec->initial : "";
  const char * type = param_type_name(spec->type);
  fprintf(to, "| `%s` | %s | `", spec->name, type + strcspn(type, " ") + 1);
  print_cell(initial[0] != '\0' ? initial : "\"\"", to);
  fputs("` | ", to);
  print_cell(spec->description, to);
  char text[PARAM_REASON];
  if (param_has_range(spec)) {
    param_range_text(spec, text, sizeof text);
    print_sentence(text, to);
  }
  if (spec->choices != NULL) {
    param_choices_text(spec, "`", text, sizeof text);
    print_sentence(text, to);
  }
  if (spec->read_only) fputs(" Read-only.", to);
  fputs(" |\n", to);
}

void
param_print_table(const param_spec_t * spec, size_t n, FILE * to)
{
  fputs("| parameter | type | default | description |\n| --- | --- | --- | --- |\n", to);
  for (size_t i = 0; i < n; i++) print_row(&spec[i], to);
}
