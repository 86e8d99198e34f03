// Parameters in YAML: whole files, and single values from the command line.
// Read event by event: aliases are refused, depth is limited, so no file can grow when read.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "params.h"
#include "rcutils/error_handling.h"
#include "rcutils/isalnum_no_locale.h"
#include "rcutils/strdup.h"

// each parameter is looked for among all before it
enum { NAME_ROOM = 512, MAX_DEPTH = 32, MAX_PARAMETERS = 10000 };

typedef struct {
  yaml_parser_t yaml;
  yaml_event_t event;  // the last one read; owned
  bool has_event;
  int count;  // of parameters read
  rcl_params_t * params;
} reader_t;

static size_t
line_of(const reader_t * reader)
{
  return reader->has_event ? reader->event.start_mark.line + 1 : reader->yaml.problem_mark.line + 1;
}

static bool
fail(const reader_t * reader, const char * why)
{
  if (!rcutils_error_is_set()) {
    RCUTILS_SET_ERROR_MSG_WITH_FORMAT_STRING("%s at line %zu", why, line_of(reader));
  }
  return false;
}

static bool
next(reader_t * reader)
{
  if (reader->has_event) yaml_event_delete(&reader->event);
  reader->has_event = yaml_parser_parse(&reader->yaml, &reader->event) != 0;
  if (!reader->has_event) return fail(reader, "not valid YAML");
  if (reader->event.type == YAML_ALIAS_EVENT) return fail(reader, "aliases are not supported");
  return true;
}

//---------- values ----------

typedef enum { IS_BOOL, IS_INTEGER, IS_DOUBLE, IS_STRING } scalar_kind_t;

typedef struct {
  scalar_kind_t kind;
  bool truth;
  int64_t integer;
  double number;
  const char * text;
} scalar_t;

static bool
one_of(const char * text, const char * const * words)
{
  for (; *words != NULL; words++) {
    if (strcmp(text, *words) == 0) return true;
  }
  return false;
}

static bool
to_bool(const char * text, scalar_t * scalar)
{
  static const char * const yes[] = {"Y",    "y",    "yes", "Yes", "YES", "true",
                                     "True", "TRUE", "on",  "On",  "ON",  NULL};
  static const char * const no[] = {"N",     "n",     "no",  "No",  "NO",  "false",
                                    "False", "FALSE", "off", "Off", "OFF", NULL};
  scalar->truth = one_of(text, yes);
  return scalar->truth || one_of(text, no);
}

static bool
to_double(const char * text, scalar_t * scalar)
{
  static const char * const special[] = {".nan",  ".NaN",  ".NAN",  ".inf",  ".Inf",
                                         ".INF",  "+.inf", "+.Inf", "+.INF", "-.inf",
                                         "-.Inf", "-.INF", NULL};
  char * end = NULL;
  errno = 0;
  if (one_of(text, special)) {
    scalar->number = strtod(strchr(text, '.') + 1, &end);
    if (text[0] == '-') scalar->number = -scalar->number;
    return true;
  }
  scalar->number = strtod(text, &end);
  return errno == 0 && end != text && *end == '\0';
}

// nothing at all, or an empty block
static bool
is_missing(const yaml_event_t * event)
{
  yaml_scalar_style_t style = event->data.scalar.style;
  return event->data.scalar.length == 0 && style != YAML_SINGLE_QUOTED_SCALAR_STYLE &&
         style != YAML_DOUBLE_QUOTED_SCALAR_STYLE;
}

static scalar_t
to_scalar(const yaml_event_t * event)
{
  scalar_t scalar = {.kind = IS_STRING, .text = (const char *)event->data.scalar.value};
  yaml_scalar_style_t style = event->data.scalar.style;
  const char * tag = (const char *)event->data.scalar.tag;
  bool quoted =
    style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
  if (quoted || (tag != NULL && strcmp(tag, YAML_STR_TAG) == 0)) return scalar;

  char * end = NULL;
  errno = 0;
  scalar.integer = strtoll(scalar.text, &end, 0);
  bool is_integer = errno == 0 && end != scalar.text && *end == '\0';
  if (to_bool(scalar.text, &scalar)) {
    scalar.kind = IS_BOOL;
  } else if (is_integer) {
    scalar.kind = IS_INTEGER;
  } else if (to_double(scalar.text, &scalar)) {
    scalar.kind = IS_DOUBLE;
  }
  return scalar;
}

static void *
boxed(const void * bytes, size_t size, const rcutils_allocator_t * allocator)
{
  void * box = allocator->allocate(size, allocator->state);
  if (box != NULL) memcpy(box, bytes, size);
  return box;
}

static bool
set_scalar(const scalar_t * scalar, rcl_variant_t * value, const rcutils_allocator_t * allocator)
{
  switch (scalar->kind) {
    case IS_BOOL:
      value->bool_value = boxed(&scalar->truth, sizeof scalar->truth, allocator);
      return value->bool_value != NULL;
    case IS_INTEGER:
      value->integer_value = boxed(&scalar->integer, sizeof scalar->integer, allocator);
      return value->integer_value != NULL;
    case IS_DOUBLE:
      value->double_value = boxed(&scalar->number, sizeof scalar->number, allocator);
      return value->double_value != NULL;
    default: value->string_value = rcutils_strdup(scalar->text, *allocator);
  }
  return value->string_value != NULL;
}

// all arrays of numbers look alike: a pointer, then a size
static bool
push_number(void ** array, const void * number, size_t size, const rcutils_allocator_t * allocator)
{
  rcl_byte_array_t * list = *array;
  if (list == NULL) list = allocator->zero_allocate(1, sizeof *list, allocator->state);
  if (list == NULL) return false;
  *array = list;
  uint8_t * more = allocator->reallocate(list->values, (list->size + 1) * size, allocator->state);
  if (more == NULL) return false;
  memcpy(more + list->size * size, number, size);
  list->values = more;
  list->size++;
  return true;
}

static bool
push_string(
  rcutils_string_array_t ** array, const char * text, const rcutils_allocator_t * allocator)
{
  rcutils_string_array_t * list = *array;
  if (list == NULL) list = allocator->zero_allocate(1, sizeof *list, allocator->state);
  if (list == NULL) return false;
  *array = list;
  list->allocator = *allocator;
  char ** more =
    allocator->reallocate(list->data, (list->size + 1) * sizeof(char *), allocator->state);
  if (more == NULL) return false;
  list->data = more;
  list->data[list->size] = rcutils_strdup(text, *allocator);
  if (list->data[list->size] == NULL) return false;
  list->size++;
  return true;
}

static bool
push_scalar(const scalar_t * scalar, rcl_variant_t * value, const rcutils_allocator_t * allocator)
{
  switch (scalar->kind) {
    case IS_BOOL:
      return push_number(
        (void **)&value->bool_array_value, &scalar->truth, sizeof scalar->truth, allocator);
    case IS_INTEGER:
      return push_number(
        (void **)&value->integer_array_value, &scalar->integer, sizeof scalar->integer, allocator);
    case IS_DOUBLE:
      return push_number(
        (void **)&value->double_array_value, &scalar->number, sizeof scalar->number, allocator);
    default: return push_string(&value->string_array_value, scalar->text, allocator);
  }
}

// the sequence has been opened; an empty one leaves the value empty
static bool
read_sequence(reader_t * reader, rcl_variant_t * value)
{
  scalar_kind_t kind = IS_STRING;
  for (size_t n = 0; next(reader); n++) {
    if (reader->event.type == YAML_SEQUENCE_END_EVENT) return true;
    if (reader->event.type != YAML_SCALAR_EVENT) {
      return fail(reader, "a sequence may only have plain values");
    }
    if (is_missing(&reader->event)) return fail(reader, "there is no value");
    scalar_t scalar = to_scalar(&reader->event);
    if (n > 0 && scalar.kind != kind) {
      return fail(reader, "all values of a sequence must be of the same type");
    }
    kind = scalar.kind;
    if (!push_scalar(&scalar, value, &reader->params->allocator)) {
      return fail(reader, "out of memory");
    }
  }
  return false;
}

// a value whose first event has been read; it replaces what was there
static bool
read_value(reader_t * reader, const char * node, const char * name)
{
  if (++reader->count > MAX_PARAMETERS) return fail(reader, "more than 10000 parameters");
  rcl_variant_t * value = rcl_yaml_node_struct_get(node, name, reader->params);
  if (value == NULL) return fail(reader, "out of memory");
  sa_variant_clear(value, &reader->params->allocator);
  if (reader->event.type == YAML_SEQUENCE_START_EVENT) return read_sequence(reader, value);
  if (is_missing(&reader->event)) return fail(reader, "there is no value");
  scalar_t scalar = to_scalar(&reader->event);
  return set_scalar(&scalar, value, &reader->params->allocator) || fail(reader, "out of memory");
}

//---------- names ----------

static bool
join(reader_t * reader, char * joined, const char * prefix, char separator)
{
  const char * name = (const char *)reader->event.data.scalar.value;
  if (name[0] == '\0') return fail(reader, "there is an empty key");
  bool apart = prefix[0] != '\0' && name[0] != separator;
  int n = apart ? snprintf(joined, NAME_ROOM, "%s%c%s", prefix, separator, name)
                : snprintf(joined, NAME_ROOM, "%s%s", prefix, name);
  return (n > 0 && n < NAME_ROOM) || fail(reader, "a name is too long");
}

// words with '/' between them, "*" and "**" among them
static bool
is_node_name(const char * name)
{
  if (name[0] == '/') name++;
  do {
    size_t n = strspn(name, "*");
    if (n == 0) {
      if (name[0] >= '0' && name[0] <= '9') return false;
      while (rcutils_isalnum_no_locale(name[n]) || name[n] == '_') n++;
    } else if (n > 2) {
      return false;
    }
    if (n == 0 || (name[n] != '/' && name[n] != '\0')) return false;
    name += n;
  } while (*name++ == '/');
  return true;
}

// inside ros__parameters; maps in it make names with dots
static bool
read_params(reader_t * reader, const char * node, const char * prefix, int depth)
{
  if (depth > MAX_DEPTH) return fail(reader, "nested too deeply");
  while (next(reader)) {
    if (reader->event.type == YAML_MAPPING_END_EVENT) return true;
    if (reader->event.type != YAML_SCALAR_EVENT) return fail(reader, "a key must be plain text");
    char name[NAME_ROOM];
    if (!join(reader, name, prefix, '.') || !next(reader)) return false;
    bool map = reader->event.type == YAML_MAPPING_START_EVENT;
    if (!(map ? read_params(reader, node, name, depth + 1) : read_value(reader, node, name))) {
      return false;
    }
  }
  return false;
}

// node names, nested or with slashes, down to ros__parameters
static bool
read_nodes(reader_t * reader, const char * prefix, int depth)
{
  if (depth > MAX_DEPTH) return fail(reader, "nested too deeply");
  while (next(reader)) {
    if (reader->event.type == YAML_MAPPING_END_EVENT) return true;
    if (reader->event.type != YAML_SCALAR_EVENT) return fail(reader, "a key must be plain text");
    bool params = strcmp((const char *)reader->event.data.scalar.value, "ros__parameters") == 0;
    if (params && !is_node_name(prefix)) {
      return fail(reader, "there is no valid node name before ros__parameters");
    }
    char name[NAME_ROOM];
    if (!params && !join(reader, name, prefix, '/')) return false;
    if (!next(reader)) return false;
    if (reader->event.type != YAML_MAPPING_START_EVENT) {
      return fail(reader, params ? "there is no value" : "there is a value before ros__parameters");
    }
    if (!(params ? read_params(reader, prefix, "", depth + 1)
                 : read_nodes(reader, name, depth + 1))) {
      return false;
    }
  }
  return false;
}

//---------- documents ----------

static void
reader_close(reader_t * reader)
{
  if (reader->has_event) yaml_event_delete(&reader->event);
  yaml_parser_delete(&reader->yaml);
}

// node is NULL for a file, otherwise the value is for this parameter of it
static bool
read_stream(reader_t * reader, const char * node, const char * name)
{
  int documents = 0;
  while (next(reader)) {
    switch (reader->event.type) {
      case YAML_STREAM_START_EVENT:
      case YAML_DOCUMENT_END_EVENT: break;
      case YAML_DOCUMENT_START_EVENT:
        if (++documents > 1) return fail(reader, "there is a second document");
        break;
      case YAML_STREAM_END_EVENT: return true;
      case YAML_MAPPING_START_EVENT:
        if (node != NULL) return fail(reader, "a value must not be a map");
        if (!read_nodes(reader, "", 0)) return false;
        break;
      default:
        if (node == NULL) return fail(reader, "there is a value before ros__parameters");
        if (!read_value(reader, node, name)) return false;
    }
  }
  return false;
}

bool
rcl_parse_yaml_file(const char * file_path, rcl_params_t * params)
{
  RCUTILS_CHECK_ARGUMENT_FOR_NULL(file_path, false);
  RCUTILS_CHECK_ARGUMENT_FOR_NULL(params, false);
  reader_t reader = {.params = params};
  FILE * file = fopen(file_path, "r");
  if (file == NULL) {
    RCUTILS_SET_ERROR_MSG_WITH_FORMAT_STRING("cannot open '%s'", file_path);
    return false;
  }
  bool good = yaml_parser_initialize(&reader.yaml) != 0;
  if (good) {
    yaml_parser_set_input_file(&reader.yaml, file);
    good = read_stream(&reader, NULL, NULL);
    reader_close(&reader);
  }
  fclose(file);
  return good;
}

bool
rcl_parse_yaml_value(
  const char * node_name, const char * param_name, const char * yaml_value, rcl_params_t * params)
{
  RCUTILS_CHECK_ARGUMENT_FOR_NULL(node_name, false);
  RCUTILS_CHECK_ARGUMENT_FOR_NULL(param_name, false);
  RCUTILS_CHECK_ARGUMENT_FOR_NULL(yaml_value, false);
  RCUTILS_CHECK_ARGUMENT_FOR_NULL(params, false);
  reader_t reader = {.params = params};
  if (node_name[0] == '\0' || param_name[0] == '\0' || yaml_value[0] == '\0') return false;
  if (rcl_yaml_node_struct_get(node_name, param_name, params) == NULL) return false;
  if (yaml_parser_initialize(&reader.yaml) == 0) return false;
  yaml_parser_set_input_string(&reader.yaml, (const unsigned char *)yaml_value, strlen(yaml_value));
  bool good = read_stream(&reader, node_name, param_name);
  reader_close(&reader);
  return good;
}
