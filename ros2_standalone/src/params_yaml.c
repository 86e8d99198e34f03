// Parameters in YAML: whole files, and single values from the command line.
// Aliases are refused, so no file can grow when read.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "params.h"
#include "rcutils/error_handling.h"
#include "rcutils/isalnum_no_locale.h"
#include "rcutils/strdup.h"
#include "yaml_tree.h"

// each parameter is looked for among all before it
enum { NAME_SIZE = 512, MAX_PARAMETERS = 10000 };

typedef struct {
  yaml_document_t * tree;
  int count;  // of parameters read
  rcl_params_t * params;
} reader_t;

static bool
fail(const yaml_node_t * node, const char * why)
{
  if (!rcutils_error_is_set()) {
    RCUTILS_SET_ERROR_MSG_WITH_FORMAT_STRING("%s at line %d", why, yaml_tree_line(node));
  }
  return false;
}

static const yaml_node_t *
node_at(const reader_t * reader, int index)
{
  return yaml_document_get_node(reader->tree, index);
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
is_missing(const yaml_node_t * node)
{
  yaml_scalar_style_t style = node->data.scalar.style;
  return node->data.scalar.length == 0 && style != YAML_SINGLE_QUOTED_SCALAR_STYLE &&
         style != YAML_DOUBLE_QUOTED_SCALAR_STYLE;
}

static scalar_t
to_scalar(const yaml_node_t * node)
{
  scalar_t scalar = {.kind = IS_STRING, .text = (const char *)node->data.scalar.value};
  yaml_scalar_style_t style = node->data.scalar.style;
  const char * tag = (const char *)node->tag;
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

// an empty one leaves the value empty
static bool
read_sequence(const reader_t * reader, const yaml_node_t * list, rcl_variant_t * value)
{
  scalar_kind_t kind = IS_STRING;
  const yaml_node_item_t * first = list->data.sequence.items.start;
  for (const yaml_node_item_t * item = first; item < list->data.sequence.items.top; item++) {
    const yaml_node_t * node = node_at(reader, *item);
    if (node->type != YAML_SCALAR_NODE) return fail(node, "a sequence may only contain scalars");
    if (is_missing(node)) return fail(node, "missing value");
    scalar_t scalar = to_scalar(node);
    if (item > first && scalar.kind != kind) {
      return fail(node, "all values of a sequence must be of the same type");
    }
    kind = scalar.kind;
    if (!push_scalar(&scalar, value, &reader->params->allocator)) {
      return fail(node, "out of memory");
    }
  }
  return true;
}

// a value replaces what was there
static bool
read_value(
  reader_t * reader, const yaml_node_t * from, const char * node_name, const char * param_name)
{
  if (++reader->count > MAX_PARAMETERS) return fail(from, "more than 10000 parameters");
  rcl_variant_t * value = rcl_yaml_node_struct_get(node_name, param_name, reader->params);
  if (value == NULL) return fail(from, "out of memory");
  sa_variant_clear(value, &reader->params->allocator);
  if (from->type == YAML_SEQUENCE_NODE) return read_sequence(reader, from, value);
  if (is_missing(from)) return fail(from, "missing value");
  scalar_t scalar = to_scalar(from);
  return set_scalar(&scalar, value, &reader->params->allocator) || fail(from, "out of memory");
}

//---------- names ----------

static bool
join(const yaml_node_t * key, char * joined, const char * prefix, char separator)
{
  const char * name = (const char *)key->data.scalar.value;
  if (name[0] == '\0') return fail(key, "there is an empty key");
  bool apart = prefix[0] != '\0' && name[0] != separator;
  int n = apart ? snprintf(joined, NAME_SIZE, "%s%c%s", prefix, separator, name)
                : snprintf(joined, NAME_SIZE, "%s%s", prefix, name);
  return (n > 0 && n < NAME_SIZE) || fail(key, "a name is too long");
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
read_params(reader_t * reader, const yaml_node_t * map, const char * node_name, const char * prefix)
{
  const yaml_node_pair_t * pair = map->data.mapping.pairs.start;
  for (; pair < map->data.mapping.pairs.top; pair++) {
    const yaml_node_t * key = node_at(reader, pair->key);
    const yaml_node_t * value = node_at(reader, pair->value);
    if (key->type != YAML_SCALAR_NODE) return fail(key, "a key must be plain text");
    char name[NAME_SIZE];
    if (!join(key, name, prefix, '.')) return false;
    bool good = value->type == YAML_MAPPING_NODE ? read_params(reader, value, node_name, name)
                                                 : read_value(reader, value, node_name, name);
    if (!good) return false;
  }
  return true;
}

// node names, nested or with slashes, down to ros__parameters
static bool
read_nodes(reader_t * reader, const yaml_node_t * map, const char * prefix)
{
  const yaml_node_pair_t * pair = map->data.mapping.pairs.start;
  for (; pair < map->data.mapping.pairs.top; pair++) {
    const yaml_node_t * key = node_at(reader, pair->key);
    const yaml_node_t * value = node_at(reader, pair->value);
    if (key->type != YAML_SCALAR_NODE) return fail(key, "a key must be plain text");
    bool params = strcmp((const char *)key->data.scalar.value, "ros__parameters") == 0;
    if (params && !is_node_name(prefix)) {
      return fail(key, "there is no valid node name before ros__parameters");
    }
    char name[NAME_SIZE];
    if (!params && !join(key, name, prefix, '/')) return false;
    if (value->type != YAML_MAPPING_NODE) {
      return fail(value, params ? "missing value" : "there is a value before ros__parameters");
    }
    bool good = params ? read_params(reader, value, prefix, "") : read_nodes(reader, value, name);
    if (!good) return false;
  }
  return true;
}

//---------- documents ----------

static void
set_error(const char * what, const yaml_fault_t * fault)
{
  switch (fault->kind) {
    case YAML_FAULT_FILE:
      RCUTILS_SET_ERROR_MSG_WITH_FORMAT_STRING("cannot open '%s'", what);
      return;
    case YAML_FAULT_SYNTAX: what = "not valid YAML"; break;
    case YAML_FAULT_ALIAS: what = "aliases are not supported"; break;
    case YAML_FAULT_DOCUMENTS: what = "there is a second document"; break;
    default: what = fault->what;
  }
  RCUTILS_SET_ERROR_MSG_WITH_FORMAT_STRING("%s at line %zu", what, fault->line);
}

bool
rcl_parse_yaml_file(const char * file_path, rcl_params_t * params)
{
  RCUTILS_CHECK_ARGUMENT_FOR_NULL(file_path, false);
  RCUTILS_CHECK_ARGUMENT_FOR_NULL(params, false);
  yaml_fault_t fault;
  reader_t reader = {.tree = yaml_tree_read_file(file_path, false, &fault), .params = params};
  if (reader.tree == NULL) {
    set_error(file_path, &fault);
    return false;
  }
  const yaml_node_t * root = yaml_document_get_root_node(reader.tree);
  bool good = true;
  if (root != NULL && root->type != YAML_MAPPING_NODE) {
    good = fail(root, "there is a value before ros__parameters");
  } else if (root != NULL) {
    good = read_nodes(&reader, root, "");
  }
  yaml_tree_free(reader.tree);
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
  if (node_name[0] == '\0' || param_name[0] == '\0' || yaml_value[0] == '\0') return false;
  if (rcl_yaml_node_struct_get(node_name, param_name, params) == NULL) return false;
  yaml_fault_t fault;
  reader_t reader = {
    .tree = yaml_tree_read(yaml_value, strlen(yaml_value), false, &fault), .params = params};
  if (reader.tree == NULL) {
    set_error(yaml_value, &fault);
    return false;
  }
  const yaml_node_t * root = yaml_document_get_root_node(reader.tree);
  bool good = true;
  if (root != NULL && root->type == YAML_MAPPING_NODE) {
    good = fail(root, "a value must not be a map");
  } else if (root != NULL) {
    good = read_value(&reader, root, node_name, param_name);
  }
  yaml_tree_free(reader.tree);
  return good;
}
