// Two passes: the first looks at events, which takes linear time, and refuses what libyaml would need
// too long for; the second lets libyaml make the tree.
#include "yaml_tree.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int
yaml_tree_line(const yaml_node_t * node)
{
  return node->start_mark.line < INT_MAX ? (int)node->start_mark.line + 1 : 0;
}

//---------- first pass ----------

// directives are all read before the first event comes
static bool
few_directives(const char * text, size_t size, size_t * line)
{
  int found = 0;
  bool begins = true;
  *line = 1;
  for (size_t i = 0; i < size; i++) {
    if (begins && text[i] == '%' && ++found > YAML_MAX_DIRECTIVES) return false;
    begins = text[i] == '\n';
    if (begins) ++*line;
  }
  return true;
}

typedef struct scan {
  bool aliases;
  int depth, anchors, documents;
  size_t nodes;     // so far: libyaml numbers them in the order of their events
  size_t * tagged;  // those with a tag in the text
  size_t ntagged;
} scan_t;

static yaml_fault_kind_t
add_node(scan_t * s, bool tagged)
{
  s->nodes++;
  if (!tagged) return YAML_FAULT_NONE;
  if ((s->ntagged & (s->ntagged - 1)) == 0) {  // full at each power of two
    const size_t capacity = s->ntagged ? 2 * s->ntagged : 1;
    size_t * more = realloc(s->tagged, capacity * sizeof *more);
    if (!more) return YAML_FAULT_MEMORY;
    s->tagged = more;
  }
  s->tagged[s->ntagged++] = s->nodes;
  return YAML_FAULT_NONE;
}

static yaml_fault_kind_t
scan_event(scan_t * s, const yaml_event_t * event)
{
  const unsigned char * anchor = NULL;
  yaml_fault_kind_t kind = YAML_FAULT_NONE;
  switch (event->type) {
    case YAML_DOCUMENT_START_EVENT: s->documents++; break;
    case YAML_SEQUENCE_START_EVENT:
      s->depth++;
      anchor = event->data.sequence_start.anchor;
      kind = add_node(s, event->data.sequence_start.tag != NULL);
      break;
    case YAML_MAPPING_START_EVENT:
      s->depth++;
      anchor = event->data.mapping_start.anchor;
      kind = add_node(s, event->data.mapping_start.tag != NULL);
      break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: s->depth--; break;
    case YAML_SCALAR_EVENT:
      anchor = event->data.scalar.anchor;
      kind = add_node(s, event->data.scalar.tag != NULL);
      break;
    case YAML_ALIAS_EVENT:
      if (!s->aliases) return YAML_FAULT_ALIAS;
      anchor = event->data.alias.anchor;
      break;
    default: break;
  }
  s->anchors += anchor != NULL;
  if (s->documents > 1) return YAML_FAULT_DOCUMENTS;
  if (s->depth > YAML_MAX_DEPTH) return YAML_FAULT_DEPTH;
  return s->anchors > YAML_MAX_ANCHORS ? YAML_FAULT_LIMIT : kind;
}

static yaml_fault_t
fault_at(yaml_fault_kind_t kind, const yaml_mark_t * mark)
{
  static const char * const WHAT[] = {
    [YAML_FAULT_MEMORY] = "out of memory",
    [YAML_FAULT_DOCUMENTS] = "has a second document",
    [YAML_FAULT_ALIAS] = "has an alias",
    [YAML_FAULT_DEPTH] = "is nested more than 64 deep",
    [YAML_FAULT_LIMIT] = "has more than 1000 anchors and aliases"};
  return (yaml_fault_t){kind, WHAT[kind], mark->line + 1, mark->column + 1};
}

static yaml_fault_t
fault_of_parser(const yaml_parser_t * parser)
{
  if (parser->error == YAML_MEMORY_ERROR) {
    return fault_at(YAML_FAULT_MEMORY, &parser->problem_mark);
  }
  return (yaml_fault_t){
    YAML_FAULT_SYNTAX, parser->problem ? parser->problem : "cannot be read",
    parser->problem_mark.line + 1, parser->problem_mark.column + 1};
}

static yaml_fault_t
scan_events(scan_t * s, yaml_parser_t * parser)
{
  yaml_fault_t fault = {0};
  for (bool more = true; more && fault.kind == YAML_FAULT_NONE;) {
    yaml_event_t event;
    if (!yaml_parser_parse(parser, &event)) return fault_of_parser(parser);
    const yaml_fault_kind_t kind = scan_event(s, &event);
    if (kind != YAML_FAULT_NONE) fault = fault_at(kind, &event.start_mark);
    more = event.type != YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  return fault;
}

//---------- second pass ----------

// libyaml gives a default tag to nodes without one
static void
remove_default_tags(yaml_document_t * tree, const scan_t * s)
{
  const size_t n = (size_t)(tree->nodes.top - tree->nodes.start);
  for (size_t i = 0, k = 0; i < n; i++) {
    if (k < s->ntagged && s->tagged[k] == i + 1) {
      k++;
      continue;
    }
    free(tree->nodes.start[i].tag);
    tree->nodes.start[i].tag = NULL;
  }
}

typedef yaml_fault_t (*pass_t)(scan_t * s, yaml_parser_t * parser, yaml_document_t * tree);

static yaml_fault_t
first_pass(scan_t * s, yaml_parser_t * parser, yaml_document_t * tree)
{
  (void)tree;
  return scan_events(s, parser);
}

static yaml_fault_t
second_pass(scan_t * s, yaml_parser_t * parser, yaml_document_t * tree)
{
  if (!yaml_parser_load(parser, tree)) return fault_of_parser(parser);
  remove_default_tags(tree, s);
  return (yaml_fault_t){0};
}

static yaml_fault_t
run_pass(pass_t pass, scan_t * s, const char * text, size_t size, yaml_document_t * tree)
{
  yaml_parser_t parser;
  const yaml_mark_t begin = {0, 0, 0};
  if (!yaml_parser_initialize(&parser)) return fault_at(YAML_FAULT_MEMORY, &begin);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  const yaml_fault_t fault = pass(s, &parser, tree);
  yaml_parser_delete(&parser);
  return fault;
}

//---------- texts and files ----------

yaml_document_t *
yaml_tree_read(const char * text, size_t size, bool aliases, yaml_fault_t * fault)
{
  *fault = (yaml_fault_t){0};
  size_t line;
  if (!few_directives(text, size, &line)) {
    *fault = (yaml_fault_t){YAML_FAULT_LIMIT, "has more than 16 directives", line, 1};
    return NULL;
  }
  scan_t s = {.aliases = aliases};
  yaml_document_t * tree = calloc(1, sizeof *tree);
  if (!tree) *fault = fault_at(YAML_FAULT_MEMORY, &(yaml_mark_t){0, 0, 0});
  if (fault->kind == YAML_FAULT_NONE) *fault = run_pass(first_pass, &s, text, size, tree);
  if (fault->kind == YAML_FAULT_NONE) *fault = run_pass(second_pass, &s, text, size, tree);
  free(s.tagged);
  if (fault->kind == YAML_FAULT_NONE) return tree;
  free(tree);
  return NULL;
}

static char *
read_whole(FILE * file, size_t * size, yaml_fault_t * fault)
{
  char * text = NULL;
  size_t capacity = 0;
  *size = 0;
  for (;;) {
    if (*size == capacity) {
      capacity = capacity ? 2 * capacity : 1 << 14;
      char * more = capacity <= YAML_MAX_FILE ? realloc(text, capacity) : NULL;
      if (!more) {
        *fault = capacity <= YAML_MAX_FILE
                   ? (yaml_fault_t){YAML_FAULT_MEMORY, "out of memory", 1, 1}
                   : (yaml_fault_t){YAML_FAULT_LIMIT, "is larger than 64 MiB", 1, 1};
        break;
      }
      text = more;
    }
    const size_t n = fread(text + *size, 1, capacity - *size, file);
    *size += n;
    if (n > 0) continue;
    if (!ferror(file)) return text;
    *fault = (yaml_fault_t){YAML_FAULT_FILE, "cannot be read", 1, 1};
    break;
  }
  free(text);
  return NULL;
}

yaml_document_t *
yaml_tree_read_file(const char * path, bool aliases, yaml_fault_t * fault)
{
  *fault = (yaml_fault_t){YAML_FAULT_FILE, "cannot be opened", 1, 1};
  FILE * file = fopen(path, "r");
  if (!file) return NULL;
  size_t size;
  char * text = read_whole(file, &size, fault);
  fclose(file);
  if (!text) return NULL;
  yaml_document_t * tree = yaml_tree_read(text, size, aliases, fault);
  free(text);
  return tree;
}

void
yaml_tree_free(yaml_document_t * tree)
{
  if (tree) yaml_document_delete(tree);
  free(tree);
}
