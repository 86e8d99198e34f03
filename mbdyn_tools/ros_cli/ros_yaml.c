// YAML of the command line as JSON values, and JSON values as YAML and JSON.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "number_text.h"
#include "ros_message.h"
#include "yaml_tree.h"

typedef struct reader {
  yaml_document_t * tree;
  char * error;
  size_t error_size;
} reader_t;

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
unquoted_scalar(const char * text)
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
read_scalar(const yaml_node_t * node)
{
  const char * text = (const char *)node->data.scalar.value;
  const size_t length = node->data.scalar.length;
  if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) return json_stringn(text, length);
  return unquoted_scalar(text);
}

//---------- structure ----------

static json_t * read_value(const reader_t * r, int index);

static json_t *
fail(const reader_t * r, const yaml_node_t * node, const char * what)
{
  snprintf(
    r->error, r->error_size, "line %zu, column %zu: %s", node->start_mark.line + 1,
    node->start_mark.column + 1, what);
  return NULL;
}

static json_t *
read_list(const reader_t * r, const yaml_node_t * node)
{
  json_t * list = json_array();
  const yaml_node_item_t * item = node->data.sequence.items.start;
  for (; item < node->data.sequence.items.top; item++) {
    json_t * value = read_value(r, *item);
    if (value && json_array_append_new(list, value) == 0) continue;
    json_decref(list);
    return NULL;
  }
  return list;
}

static bool
read_pair(const reader_t * r, const yaml_node_pair_t * pair, json_t * object)
{
  const yaml_node_t * key = yaml_document_get_node(r->tree, pair->key);
  if (key->type != YAML_SCALAR_NODE) return fail(r, key, "expected a name");
  const char * name = (const char *)key->data.scalar.value;
  if (json_object_get(object, name)) return fail(r, key, "duplicate name");
  json_t * value = read_value(r, pair->value);
  return value && json_object_set_new(object, name, value) == 0;
}

static json_t *
read_object(const reader_t * r, const yaml_node_t * node)
{
  json_t * object = json_object();
  const yaml_node_pair_t * pair = node->data.mapping.pairs.start;
  for (; pair < node->data.mapping.pairs.top; pair++) {
    if (read_pair(r, pair, object)) continue;
    json_decref(object);
    return NULL;
  }
  return object;
}

static json_t *
read_value(const reader_t * r, int index)
{
  const yaml_node_t * node = yaml_document_get_node(r->tree, index);
  if (node->type == YAML_SEQUENCE_NODE) return read_list(r, node);
  if (node->type == YAML_MAPPING_NODE) return read_object(r, node);
  json_t * value = read_scalar(node);
  return value ? value : fail(r, node, "not UTF-8");
}

static const char *
fault_text(const yaml_fault_t * fault)
{
  switch (fault->kind) {
    case YAML_FAULT_ALIAS: return "aliases are not supported";
    case YAML_FAULT_DEPTH: return "nested too deeply";
    case YAML_FAULT_DOCUMENTS: return "expected a single value";
    default: return fault->what;
  }
}

json_t *
ros_yaml_parse(const char * text, char * error, size_t error_size)
{
  // JSON is nearly all YAML, but not quite
  json_t * json = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
  if (json) return json;
  yaml_fault_t fault;
  reader_t r = {yaml_tree_read(text, strlen(text), false, &fault), error, error_size};
  if (!r.tree) {
    snprintf(
      error, error_size, "line %zu, column %zu: %s", fault.line, fault.column, fault_text(&fault));
    return NULL;
  }
  snprintf(error, error_size, "out of memory");
  // the first node is the root
  json_t * root = yaml_document_get_root_node(r.tree) ? read_value(&r, 1) : json_null();
  yaml_tree_free(r.tree);
  return root;
}

//---------- printing ----------

// would the word without quotes be read as this text?
static bool
needs_quotes(const char * text)
{
  json_t * value = unquoted_scalar(text);
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
  char text[NUMBER_TEXT_SIZE];
  number_text(value, text);
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

//---------- JSON ----------

// jansson prints every real number with the same number of digits
void
ros_json_print(const json_t * value, FILE * out)
{
  const char *name, *between = "";
  json_t * field;
  if (json_is_real(value)) {
    print_real(json_real_value(value), out);
  } else if (json_is_array(value)) {
    fputc('[', out);
    for (size_t i = 0; i < json_array_size(value); i++) {
      fputs(i ? ", " : "", out);
      ros_json_print(json_array_get(value, i), out);
    }
    fputc(']', out);
  } else if (json_is_object(value)) {
    fputc('{', out);
    json_object_foreach((json_t *)(uintptr_t)value, name, field)
    {
      fprintf(out, "%s\"%s\": ", between, name);
      ros_json_print(field, out);
      between = ", ";
    }
    fputc('}', out);
  } else {
    json_dumpf(value, out, JSON_ENCODE_ANY);
  }
}
