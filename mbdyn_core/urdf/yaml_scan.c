#include "yaml_scan.h"

#include <yaml.h>

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
  int depth, anchors, documents;
} scan_t;

static const char *
look_at(scan_t * s, const yaml_event_t * event)
{
  const unsigned char * anchor = NULL;
  switch (event->type) {
    case YAML_DOCUMENT_START_EVENT: s->documents++; break;
    case YAML_SEQUENCE_START_EVENT:
      s->depth++;
      anchor = event->data.sequence_start.anchor;
      break;
    case YAML_MAPPING_START_EVENT:
      s->depth++;
      anchor = event->data.mapping_start.anchor;
      break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: s->depth--; break;
    case YAML_SCALAR_EVENT: anchor = event->data.scalar.anchor; break;
    case YAML_ALIAS_EVENT: anchor = event->data.alias.anchor; break;
    default: break;
  }
  s->anchors += anchor != NULL;
  if (s->documents > 1) return "has a second document";
  if (s->depth > YAML_MAX_DEPTH) return "is nested more than 64 deep";
  return s->anchors > YAML_MAX_ANCHORS ? "has more than 1000 anchors and aliases" : NULL;
}

yaml_problem_t
yaml_scan(const char * text, size_t size)
{
  yaml_parser_t parser;
  yaml_problem_t problem = {NULL, 1, true};
  if (!few_directives(text, size, &problem.line)) problem.what = "has more than 16 directives";
  if (problem.what || !yaml_parser_initialize(&parser)) return problem;
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  scan_t s = {0, 0, 0};
  for (bool more = true; more && !problem.what;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) break;
    problem.what = look_at(&s, &event);
    problem.line = event.start_mark.line + 1;
    more = event.type != YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  problem.limit = s.documents <= 1;
  yaml_parser_delete(&parser);
  return problem;
}
