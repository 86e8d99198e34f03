// Tables in YAML or CSV as records of keys and values.
#include "dh_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "yaml_tree.h"

enum { MOST_ROWS = 4096, LONGEST_VALUE = 1024 };

bool
dh_text_refuse(const dh_text_t * text, long line, const char * format, ...)
{
  if (line > 0) {
    fprintf(stderr, "%s:%ld: ", text->source, line);
  } else {
    fprintf(stderr, "%s: ", text->source);
  }
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  return false;
}

//---------- records ----------

bool
dh_add_cell(dh_text_t * text, dh_record_t * record, const char * key, const char * value, long line)
{
  for (int i = 0; i < record->n; i++) {
    if (strcmp(record->cell[i].key, key) != 0) continue;
    return dh_text_refuse(
      text, line, "duplicate '%.60s', first defined in line %ld", key, record->cell[i].line);
  }
  dh_cell_t * grown = realloc(record->cell, (size_t)(record->n + 1) * sizeof *grown);
  if (!grown) return dh_text_refuse(text, line, "out of memory");
  record->cell = grown;
  dh_cell_t * cell = &grown[record->n++];
  *cell = (dh_cell_t){strdup(key), strdup(value), line};
  return cell->key && cell->value ? true : dh_text_refuse(text, line, "out of memory");
}

dh_record_t *
dh_add_row(dh_text_t * text, long line)
{
  if (text->nrow == MOST_ROWS) {
    dh_text_refuse(text, line, "more than %d joints", MOST_ROWS);
    return NULL;
  }
  dh_record_t * grown = realloc(text->row, (size_t)(text->nrow + 1) * sizeof *grown);
  if (!grown) {
    dh_text_refuse(text, line, "out of memory");
    return NULL;
  }
  text->row = grown;
  grown[text->nrow] = (dh_record_t){.line = line};
  return &grown[text->nrow++];
}

static void
free_record(dh_record_t * record)
{
  for (int i = 0; i < record->n; i++) free(record->cell[i].key), free(record->cell[i].value);
  free(record->cell);
}

void
dh_text_free(dh_text_t * text)
{
  free_record(&text->head);
  for (int i = 0; i < text->nrow; i++) free_record(&text->row[i]);
  free(text->row);
  *text = (dh_text_t){0};
}

bool
dh_text_read(const char * path, bool csv, dh_text_t * text)
{
  *text = (dh_text_t){.source = text_source_name(path)};
  size_t size;
  char * bytes = text_read_all(path, &size);
  if (!bytes) return false;
  bool good = csv ? dh_read_csv(bytes, size, text) : dh_read_yaml(bytes, size, text);
  free(bytes);
  if (good && text->nrow == 0) good = dh_text_refuse(text, 0, "has no joints");
  return good;
}

//---------- CSV ----------

// the text up to a separator, without blanks and quotes around it
static char *
cut(char ** rest, char separator)
{
  char * field = *rest;
  char * end = strchr(field, separator);
  *rest = end ? end + 1 : NULL;
  if (!end) end = field + strlen(field);
  field += strspn(field, " \t");
  while (end > field && strchr(" \t\r", end[-1])) end--;
  if (end - field >= 2 && *field == '"' && end[-1] == '"') field++, end--;
  *end = 0;
  return field;
}

enum { MOST_COLUMNS = 64 };

static bool
read_row(dh_text_t * text, char * line, long number, char * const * name, int ncolumn)
{
  dh_record_t * row = dh_add_row(text, number);
  if (!row) return false;
  int c = 0;
  for (char * rest = line; rest; c++) {
    const char * value = cut(&rest, ',');
    // an empty field says nothing
    if (c >= ncolumn || !*value) continue;
    if (!dh_add_cell(text, row, name[c], value, number)) return false;
  }
  if (c == ncolumn) return true;
  return dh_text_refuse(text, number, "expected %d columns as in the header, got %d", ncolumn, c);
}

bool
dh_read_csv(char * bytes, size_t size, dh_text_t * text)
{
  char * whole = malloc(size + 1);
  if (!whole) return dh_text_refuse(text, 0, "out of memory");
  memcpy(whole, bytes, size);
  whole[size] = 0;
  char * name[MOST_COLUMNS];
  int ncolumn = 0;
  long number = 0;
  bool good = strlen(whole) == size ? true : dh_text_refuse(text, 0, "contains a zero byte");
  for (char * rest = whole; good && rest;) {
    char * line = rest;
    char * end = strchr(line, '\n');
    if (end) *end = 0;
    rest = end ? end + 1 : NULL;
    number++;
    if (number == 1 && strncmp(line, "\xEF\xBB\xBF", 3) == 0) line += 3;
    const char first = line[strspn(line, " \t\r")];
    if (first == 0 || first == '#') continue;
    if (ncolumn > 0) {
      good = read_row(text, line, number, name, ncolumn);
      continue;
    }
    for (char * header = line; header && ncolumn < MOST_COLUMNS;)
      name[ncolumn++] = cut(&header, ',');
  }
  free(whole);
  return good;
}

//---------- YAML ----------

typedef struct yaml {
  dh_text_t * text;
  yaml_document_t * doc;
} yaml_t;

static const char *
scalar_of(const yaml_node_t * node)
{
  if (node->type != YAML_SCALAR_NODE) return NULL;
  const char * value = (const char *)node->data.scalar.value;
  return strlen(value) == node->data.scalar.length && strlen(value) < LONGEST_VALUE ? value : NULL;
}

// a value, or a list of them with blanks in between, into `value`
static bool
value_of(yaml_t * y, const char * key, const yaml_node_t * node, char * value)
{
  const char * scalar = scalar_of(node);
  if (scalar) return strcpy(value, scalar), true;
  size_t size = 0;
  value[0] = 0;
  if (node->type == YAML_SEQUENCE_NODE) {
    const yaml_node_item_t * item = node->data.sequence.items.start;
    for (; item < node->data.sequence.items.top; item++) {
      const char * part = scalar_of(yaml_document_get_node(y->doc, *item));
      if (!part || size + strlen(part) + 2 > LONGEST_VALUE) break;
      size += (size_t)snprintf(value + size, LONGEST_VALUE - size, "%s%s", size ? " " : "", part);
    }
    if (item == node->data.sequence.items.top) return true;
  }
  return dh_text_refuse(
    y->text, yaml_tree_line(node), "'%.60s' must be a value or a list of values", key);
}

// every pair of a mapping into a record; keys get a prefix
static bool
read_mapping(yaml_t * y, const yaml_node_t * node, const char * prefix, dh_record_t * record)
{
  char value[LONGEST_VALUE], full[128];
  for (const yaml_node_pair_t * p = node->data.mapping.pairs.start;
       p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t * key_node = yaml_document_get_node(y->doc, p->key);
    const char * key = scalar_of(key_node);
    if (!key || strlen(key) > 60) {
      return dh_text_refuse(y->text, yaml_tree_line(key_node), "a key must be a short plain word");
    }
    snprintf(full, sizeof full, "%s%s", prefix, key);
    const yaml_node_t * node_value = yaml_document_get_node(y->doc, p->value);
    if (!value_of(y, full, node_value, value)) return false;
    if (!dh_add_cell(y->text, record, full, value, yaml_tree_line(key_node))) return false;
  }
  return true;
}

static bool
read_joints(yaml_t * y, const yaml_node_t * node)
{
  if (node->type != YAML_SEQUENCE_NODE) {
    return dh_text_refuse(
      y->text, yaml_tree_line(node), "'joints' must be a list; start each joint with '- '");
  }
  for (const yaml_node_item_t * item = node->data.sequence.items.start;
       item < node->data.sequence.items.top; item++) {
    const yaml_node_t * joint = yaml_document_get_node(y->doc, *item);
    if (joint->type != YAML_MAPPING_NODE) {
      return dh_text_refuse(
        y->text, yaml_tree_line(joint),
        "a joint has no keys; write {a: 0, alpha: 0, d: 0, theta: 0}");
    }
    dh_record_t * row = dh_add_row(y->text, yaml_tree_line(joint));
    if (!row || !read_mapping(y, joint, "", row)) return false;
  }
  return true;
}

static bool
read_entry(yaml_t * y, const yaml_node_t * key_node, const yaml_node_t * value_node)
{
  char value[LONGEST_VALUE], prefix[64];
  const char * key = scalar_of(key_node);
  if (!key || strlen(key) > 60) {
    return dh_text_refuse(y->text, yaml_tree_line(key_node), "a key must be a short plain word");
  }
  if (strcmp(key, "joints") == 0) return read_joints(y, value_node);
  if (value_node->type == YAML_MAPPING_NODE) {
    snprintf(prefix, sizeof prefix, "%s.", key);
    return read_mapping(y, value_node, prefix, &y->text->head);
  }
  return value_of(y, key, value_node, value) &&
         dh_add_cell(y->text, &y->text->head, key, value, yaml_tree_line(key_node));
}

static bool
read_document(yaml_t * y)
{
  const yaml_node_t * root = yaml_document_get_root_node(y->doc);
  if (!root || root->type != YAML_MAPPING_NODE) {
    return dh_text_refuse(
      y->text, root ? yaml_tree_line(root) : 1,
      "is not a DH table; expected 'joints:' followed by a list");
  }
  for (const yaml_node_pair_t * p = root->data.mapping.pairs.start;
       p < root->data.mapping.pairs.top; p++) {
    const yaml_node_t * key = yaml_document_get_node(y->doc, p->key);
    if (!read_entry(y, key, yaml_document_get_node(y->doc, p->value))) return false;
  }
  return true;
}

bool
dh_read_yaml(const char * bytes, size_t size, dh_text_t * text)
{
  yaml_fault_t fault;
  yaml_t y = {text, yaml_tree_read(bytes, size, true, &fault)};
  if (!y.doc) {
    const char * before = fault.kind == YAML_FAULT_SYNTAX ? "is not YAML: " : "";
    return dh_text_refuse(text, (long)fault.line, "%s%s", before, fault.what);
  }
  const bool good = read_document(&y);
  yaml_tree_free(y.doc);
  return good;
}
