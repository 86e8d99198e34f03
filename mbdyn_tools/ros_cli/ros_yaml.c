// YAML of the command line as JSON values, and JSON values as YAML.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "ros_message.h"

enum { MAX_DEPTH = 32 };

typedef struct parser {
  yaml_parser_t yaml;
  char * error;
  size_t error_size;
} parser_t;

static json_t * read_value(parser_t * p, const yaml_event_t * event, int depth);

//---------- scalars ----------

static bool
is_one_of(const char * text, const char * const * words)
{
  for (; *words; words++) {
    if (strcasecmp(text, *words) == 0) return true;
  }
  return false;
}

// a number, or NULL; whole numbers that do not fit stay text
static json_t *
number(const char * text)
{
  const char * digits = text + (text[0] == '-' || text[0] == '+');
  if (!isdigit((unsigned char)digits[0]) && digits[0] != '.') return NULL;
  char * end;
  errno = 0;
  const bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  const long long whole = strtoll(text, &end, hex ? 16 : 10);
  if (end != text && !*end) return errno ? json_string(text) : json_integer(whole);
  if (hex) return NULL;
  const double real = strtod(text, &end);
  return end != text && !*end ? json_real(real) : NULL;
}

// a word without quotes
static json_t *
plain(const char * text)
{
  static const char * const nothing[] = {"", "~", "null", NULL};
  static const char * const yes[] = {"true", "yes", "on", NULL};
  static const char * const no[] = {"false", "no", "off", NULL};
  if (is_one_of(text, nothing)) return json_null();
  if (is_one_of(text, yes)) return json_true();
  if (is_one_of(text, no)) return json_false();
  json_t * value = number(text);
  return value ? value : json_string(text);
}

static json_t *
read_scalar(const yaml_event_t * event)
{
  const char * text = (const char *)event->data.scalar.value;
  const size_t length = event->data.scalar.length;
  if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) return json_stringn(text, length);
  return plain(text);
}

//---------- structure ----------

static json_t *
fail(parser_t * p, const yaml_event_t * event, const char * what)
{
  snprintf(
    p->error, p->error_size, "line %zu, column %zu: %s", event->start_mark.line + 1,
    event->start_mark.column + 1, what);
  return NULL;
}

static bool
next(parser_t * p, yaml_event_t * event)
{
  if (yaml_parser_parse(&p->yaml, event)) return true;
  snprintf(
    p->error, p->error_size, "line %zu, column %zu: %s", p->yaml.problem_mark.line + 1,
    p->yaml.problem_mark.column + 1, p->yaml.problem ? p->yaml.problem : "not YAML");
  return false;
}

// the next value, or NULL with *end set at the end of a list or object
static json_t *
read_next(parser_t * p, int depth, bool * end)
{
  yaml_event_t event;
  *end = false;
  if (!next(p, &event)) return NULL;
  *end = event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
  json_t * value = *end ? NULL : read_value(p, &event, depth);
  yaml_event_delete(&event);
  return value;
}

static json_t *
read_list(parser_t * p, int depth)
{
  json_t * list = json_array();
  for (;;) {
    bool end;
    json_t * value = read_next(p, depth + 1, &end);
    if (!value && end) return list;
    if (!value || json_array_append_new(list, value) != 0) break;
  }
  json_decref(list);
  return NULL;
}

static bool
read_pair(parser_t * p, json_t * object, int depth, bool * end)
{
  yaml_event_t key;
  if (!next(p, &key)) return false;
  *end = key.type == YAML_MAPPING_END_EVENT;
  bool good = false;
  const char * name = key.type == YAML_SCALAR_EVENT ? (char *)key.data.scalar.value : NULL;
  if (*end) {
    good = true;
  } else if (!name) {
    fail(p, &key, "a name was expected");
  } else if (json_object_get(object, name)) {
    fail(p, &key, "this name is there twice");
  } else {
    bool ignored;
    json_t * value = read_next(p, depth + 1, &ignored);
    good = value && json_object_set_new(object, name, value) == 0;
  }
  yaml_event_delete(&key);
  return good;
}

static json_t *
read_object(parser_t * p, int depth)
{
  json_t * object = json_object();
  bool end = false;
  while (read_pair(p, object, depth, &end)) {
    if (end) return object;
  }
  json_decref(object);
  return NULL;
}

static json_t *
read_value(parser_t * p, const yaml_event_t * event, int depth)
{
  if (depth > MAX_DEPTH) return fail(p, event, "nested too deeply");
  switch (event->type) {
    case YAML_SCALAR_EVENT: {
      json_t * value = read_scalar(event);
      return value ? value : fail(p, event, "not UTF-8");
    }
    case YAML_SEQUENCE_START_EVENT: return read_list(p, depth);
    case YAML_MAPPING_START_EVENT: return read_object(p, depth);
    default: return fail(p, event, "aliases are not supported");
  }
}

//---------- documents ----------

// the value between the start and the end of a document
static json_t *
read_document(parser_t * p)
{
  json_t * root = NULL;
  for (bool done = false; !done;) {
    yaml_event_t event;
    if (!next(p, &event)) break;
    if (event.type == YAML_STREAM_END_EVENT) {
      root = json_null();
      done = true;
    } else if (event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_START_EVENT) {
      root = read_value(p, &event, 0);
      done = true;
    }
    yaml_event_delete(&event);
  }
  return root;
}

// nothing may follow the first document
static bool
read_end(parser_t * p)
{
  for (;;) {
    yaml_event_t event;
    if (!next(p, &event)) return false;
    const yaml_event_type_t type = event.type;
    if (type == YAML_DOCUMENT_START_EVENT) fail(p, &event, "one value was expected, not several");
    yaml_event_delete(&event);
    if (type == YAML_DOCUMENT_START_EVENT) return false;
    if (type == YAML_STREAM_END_EVENT || type == YAML_NO_EVENT) return true;
  }
}

json_t *
ros_yaml_parse(const char * text, char * error, size_t error_size)
{
  // JSON is nearly all YAML, but not quite
  json_t * json = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
  if (json) return json;
  parser_t p = {.error = error, .error_size = error_size};
  snprintf(error, error_size, "out of memory");
  if (!yaml_parser_initialize(&p.yaml)) return NULL;
  yaml_parser_set_input_string(&p.yaml, (const unsigned char *)text, strlen(text));
  json_t * root = read_document(&p);
  if (root && !read_end(&p)) {
    json_decref(root);
    root = NULL;
  }
  yaml_parser_delete(&p.yaml);
  return root;
}

//---------- printing ----------

// would the word without quotes be read as this text?
static bool
needs_quotes(const char * text)
{
  json_t * value = plain(text);
  const bool word = json_is_string(value);
  json_decref(value);
  return !word || isspace((unsigned char)text[strlen(text) - 1]) ||
         strpbrk(text, ":#,[]{}'\"\n\t\\&*!|>%@`") || strchr("?= ", text[0]) ||
         (text[0] == '-' && strchr("- ", text[1]));
}

// as short as it can be, and never like a whole number
static void
print_real(double value, FILE * out)
{
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  fprintf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

void
ros_yaml_print_flow(const json_t * value, FILE * out)
{
  if (json_is_real(value)) {
    print_real(json_real_value(value), out);
  } else if (json_is_string(value) && !needs_quotes(json_string_value(value))) {
    fputs(json_string_value(value), out);
  } else if (json_is_array(value)) {
    fputc('[', out);
    for (size_t i = 0; i < json_array_size(value); i++) {
      if (i) fputs(", ", out);
      ros_yaml_print_flow(json_array_get(value, i), out);
    }
    fputc(']', out);
  } else {
    // what JSON writes with quotes YAML reads as well
    json_dumpf(value, out, JSON_ENCODE_ANY);
  }
}

void
ros_yaml_print(const json_t * value, int indent, FILE * out)
{
  const char * name;
  json_t * field;
  json_object_foreach((json_t *)(uintptr_t)value, name, field)
  {
    fprintf(out, "%*s%s:", indent, "", name);
    if (json_is_object(field)) {
      fputc('\n', out);
      ros_yaml_print(field, indent + 2, out);
    } else {
      fputc(' ', out);
      ros_yaml_print_flow(field, out);
      fputc('\n', out);
    }
  }
}
