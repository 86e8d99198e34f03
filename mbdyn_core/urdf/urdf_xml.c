// libxml2's parser: bytes to a tree of elements with line numbers. Nothing is fetched, expanded or printed.
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf_internal.h"

//---------- memory ----------

enum { BLOCK_BYTES = 32 * 1024 };

typedef struct block {
  struct block * before;
  size_t used, size;
  max_align_t bytes[];
} block_t;

// memory that lives as long as the tree, or NULL
static void *
allocate_in_tree(urdf_loader_t * loader, size_t size)
{
  block_t * block = loader->tree_memory;
  size = (size + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
  if (!block || block->size - block->used < size) {
    const size_t bytes = size > BLOCK_BYTES ? size : BLOCK_BYTES;
    block_t * more = malloc(sizeof *more + bytes);
    if (!more) return NULL;
    *more = (block_t){block, 0, bytes};
    loader->tree_memory = block = more;
  }
  void * memory = (char *)block->bytes + block->used;
  block->used += size;
  return memory;
}

void
urdf_free_tree(urdf_loader_t * loader)
{
  for (block_t * block = loader->tree_memory; block;) {
    block_t * before = block->before;
    free(block);
    block = before;
  }
  if (loader->tree_names) xmlDictFree(loader->tree_names);
  loader->tree_names = NULL;
  loader->tree_memory = NULL;
  loader->root = NULL;
}

//---------- parsing ----------

// what the callbacks of one parse share
typedef struct parse {
  urdf_loader_t * loader;
  urdf_node_t * node;   // the element that is open
  urdf_node_t ** next;  // where the next element goes
  char * text;          // since the last tag
  size_t length, capacity;
  int depth, nodes;
  int line;        // at which the last tag or text ends
  int error_line;  // of the first error, 0 if none
  int error_code;
  char message[256];  // and what it was
  bool stopped;       // by us, with a sentence
  bool out_of_memory;
} parse_t;

static parse_t *
parse_of(void * context)
{
  return ((xmlParserCtxtPtr)context)->_private;
}

static void
stop(parse_t * p, xmlParserCtxtPtr context)
{
  p->stopped = true;
  xmlStopParser(context);
}

// line on which the tag begins that the parser has just read
static int
start_line(const parse_t * p, const xmlParserInput * input)
{
  if (input->line == p->line) return p->line;
  const xmlChar * s = input->cur;
  while (s > input->base && s[-1] != '<') s--;
  if (s == input->base) return input->line;
  int line = input->line;
  for (; (s = memchr(s, '\n', (size_t)(input->cur - s))) != NULL; s++) line--;
  return line > 0 ? line : input->line;
}

// true if the tree may have one more element; otherwise stops with a sentence
static bool
within_limits(parse_t * p, xmlParserCtxtPtr context, int line, int nattribute, int nnamespace)
{
  p->depth++;
  p->nodes += 1 + nattribute + nnamespace;
  const urdf_place_t place = {"file", NULL, line};
  const char * says = NULL;
  int limit = 0;
  if (p->depth > URDF_MAX_DEPTH) {
    says = "elements are nested more than %d deep";
    limit = URDF_MAX_DEPTH;
  } else if (p->nodes > URDF_MAX_NODES) {
    says = "has more than %d elements and attributes";
    limit = URDF_MAX_NODES;
  } else if (nnamespace > URDF_MAX_NAMESPACES) {
    says = "an element declares more than %d namespaces";
    limit = URDF_MAX_NAMESPACES;
  }
  if (!says) return true;
  urdf_fail(p->loader, MBD_ERROR_LIMIT, place, NULL, says, limit);
  stop(p, context);
  return false;
}

static void
lack_memory(parse_t * p, xmlParserCtxtPtr context)
{
  p->out_of_memory = true;
  stop(p, context);
}

// a copy of n characters, or NULL
static const char *
copy_text(parse_t * p, const void * from, size_t n)
{
  char * to = allocate_in_tree(p->loader, n + 1);
  if (!to) return NULL;
  memcpy(to, from, n);
  to[n] = 0;
  return to;
}

// the name, with its prefix if that is not declared; NULL without memory. Names and prefixes are in
// libxml2's dictionary, which the loader keeps.
static const char *
full_name(parse_t * p, const xmlChar * name, const xmlChar * prefix, bool declared)
{
  if (!prefix || declared) return (const char *)name;
  const size_t n = strlen((const char *)name), before = strlen((const char *)prefix);
  char * full = allocate_in_tree(p->loader, before + n + 2);
  if (!full) return NULL;
  memcpy(full, prefix, before);
  full[before] = ':';
  memcpy(full + before + 1, name, n + 1);
  return full;
}

static bool
is_blank(const char * text, size_t n)
{
  for (; n > 0; n--, text++) {
    if (*text != ' ' && *text != '\n' && *text != '\t' && *text != '\r') return false;
  }
  return true;
}

// the text since the last tag belongs to the element that is open
static bool
keep_text(parse_t * p)
{
  const size_t n = p->length;
  p->length = 0;
  if (n == 0 || !p->node) return true;
  const char * before = p->node->text;
  const bool blank = is_blank(p->text, n);
  if (before && (blank || !is_blank(before, strlen(before)))) return true;
  p->node->text = blank ? " " : copy_text(p, p->text, n);
  return p->node->text;
}

static bool
add_attributes(parse_t * p, urdf_node_t * node, int n, const xmlChar ** from)
{
  urdf_attribute_t * list = n > 0 ? allocate_in_tree(p->loader, (size_t)n * sizeof *list) : NULL;
  if (n > 0 && !list) return false;
  node->attribute = list;
  // name, prefix, namespace, begin and end of the value
  for (int k = 0; k < n; k++, from += 5) {
    list[k].name = full_name(p, from[0], from[1], from[2]);
    list[k].prefix = from[2] ? (const char *)from[1] : NULL;
    list[k].value = copy_text(p, from[3], (size_t)(from[4] - from[3]));
    list[k].next = k + 1 < n ? &list[k + 1] : NULL;
    if (!list[k].name || !list[k].value) return false;
  }
  return true;
}

// the element below the one that is open, or NULL
static urdf_node_t *
add_node(parse_t * p, const xmlChar * name, const xmlChar * prefix, const xmlChar * uri)
{
  urdf_node_t * node = allocate_in_tree(p->loader, sizeof *node);
  if (!node) return NULL;
  memset(node, 0, sizeof *node);
  node->parent = p->node;
  node->name = full_name(p, name, prefix, uri);
  node->prefix = uri ? (const char *)prefix : NULL;
  node->name_space = (const char *)uri;
  if (!node->name) return NULL;
  *p->next = node;
  return node;
}

static void
on_start(
  void * context, const xmlChar * name, const xmlChar * prefix, const xmlChar * uri, int nns,
  const xmlChar ** ns, int nattribute, int ndefaulted, const xmlChar ** attribute)
{
  (void)ns, (void)ndefaulted;
  xmlParserCtxtPtr c = context;
  parse_t * p = parse_of(context);
  if (p->stopped) return;
  const int line = start_line(p, c->input);
  if (!within_limits(p, c, line, nattribute, nns)) return;
  urdf_node_t * node = keep_text(p) ? add_node(p, name, prefix, uri) : NULL;
  if (!node || !add_attributes(p, node, nattribute, attribute)) {
    lack_memory(p, c);
    return;
  }
  node->line = line;
  p->line = c->input->line;
  if (!p->loader->root) p->loader->root = node;
  p->node = node;
  p->next = &node->child;
}

static void
on_end(void * context, const xmlChar * name, const xmlChar * prefix, const xmlChar * uri)
{
  (void)name, (void)prefix, (void)uri;
  parse_t * p = parse_of(context);
  if (p->stopped) return;
  if (!keep_text(p)) {
    lack_memory(p, context);
    return;
  }
  p->line = ((xmlParserCtxtPtr)context)->input->line;
  p->depth--;
  p->next = &p->node->next;
  p->node = p->node->parent;
}

static void
on_text(void * context, const xmlChar * text, int n)
{
  parse_t * p = parse_of(context);
  const size_t length = (size_t)n;
  if (p->stopped) return;
  if (p->capacity - p->length < length) {
    const size_t capacity = 2 * (p->length + length);
    char * more = realloc(p->text, capacity);
    if (!more) {
      lack_memory(p, context);
      return;
    }
    p->text = more;
    p->capacity = capacity;
  }
  p->line = ((xmlParserCtxtPtr)context)->input->line;
  memcpy(p->text + p->length, text, length);
  p->length += length;
}

static void
on_doctype(void * context, const xmlChar * name, const xmlChar * id, const xmlChar * uri)
{
  (void)name, (void)id, (void)uri;
  xmlParserCtxtPtr c = context;
  const urdf_place_t place = {"file", NULL, c->input->line};
  if (parse_of(context)->stopped) return;
  urdf_fail(
    parse_of(context)->loader, MBD_ERROR_XML, place, "remove it", "DOCTYPE is not supported");
  stop(parse_of(context), c);
}

#if LIBXML_VERSION >= 21200
typedef const xmlError * error_arg_t;
#else
typedef xmlErrorPtr error_arg_t;
#endif

// keeps the first error; a prefix without a declaration is none, many files have them
static void
on_error(void * user, error_arg_t error)
{
  parse_t * p = user;
  if (error->code == XML_ERR_NO_MEMORY) p->out_of_memory = true;
  if (error->domain == XML_FROM_NAMESPACE || error->level < XML_ERR_ERROR) return;
  if (p->error_line > 0) return;
  p->error_line = error->line > 0 ? error->line : 1;
  p->error_code = error->code;
  snprintf(p->message, sizeof p->message, "%s", error->message ? error->message : "unknown error");
  p->message[strcspn(p->message, "\r\n")] = 0;
}

static void
say_xml_error(urdf_loader_t * loader, const parse_t * p)
{
  // quotes what was found in the file: made safe as a name is, without the quotes
  urdf_text_t message = urdf_name(p->message);
  message.s[strlen(message.s) - 1] = 0;
  const urdf_place_t place = {"XML", NULL, p->error_line};
  const bool cut = p->error_code == XML_ERR_TAG_NOT_FINISHED;
  urdf_fail(
    loader, MBD_ERROR_XML, place, cut ? "is the end of the file missing?" : NULL, "%s",
    message.s + 1);
}

static void
set_callbacks(xmlParserCtxtPtr context, parse_t * p)
{
  context->_private = p;
  p->next = &p->loader->root;
  context->sax->startElementNs = on_start;
  context->sax->endElementNs = on_end;
  context->sax->internalSubset = on_doctype;
  context->sax->characters = on_text;
  context->sax->ignorableWhitespace = on_text;
  // of no use to us: not in the tree; CDATA becomes text
  context->sax->comment = NULL;
  context->sax->processingInstruction = NULL;
  context->sax->cdataBlock = NULL;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

// the tree; errors go to the handler of this thread
static void
read_tree(parse_t * p, const char * xml, size_t size, const char * encoding)
{
  xmlParserCtxtPtr context = xmlNewParserCtxt();
  if (!context) {
    p->out_of_memory = true;
    return;
  }
  set_callbacks(context, p);
  xmlDictReference(context->dict);
  p->loader->tree_names = context->dict;
  // entities: the five of XML alone, as there is no DOCTYPE
  // huge: libxml2's own limit is on bytes and below ours; depth and size have been looked after
  const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOENT |
                      XML_PARSE_IGNORE_ENC | XML_PARSE_HUGE;
  xmlDocPtr doc = xmlCtxtReadMemory(context, xml, (int)size, NULL, encoding, options);
  // libxml2 says nothing only if it had no memory to say it
  if (!doc && !p->stopped && p->error_line == 0) p->out_of_memory = true;
  if (doc) xmlFreeDoc(doc);
  xmlFreeParserCtxt(context);
  free(p->text);
}

bool
urdf_parse_xml(urdf_loader_t * loader, const char * xml, size_t size, const char * encoding)
{
  pthread_once(&once, xmlInitParser);
  // libxml2 keeps the handler per thread: put back what was there
  xmlStructuredErrorFunc old = xmlStructuredError;
  void * old_context = xmlStructuredErrorContext;
  parse_t p = {.loader = loader};
  xmlSetStructuredErrorFunc(&p, on_error);
  read_tree(&p, xml, size, encoding);
  xmlSetStructuredErrorFunc(old_context, old);
  if (p.out_of_memory) {
    loader->out_of_memory = true;
  } else if (!p.stopped && p.error_line > 0) {
    say_xml_error(loader, &p);
  }
  return loader->root && !p.stopped && p.error_line == 0 && !loader->out_of_memory;
}

//---------- looking at the tree ----------

const char *
urdf_local_name(const urdf_node_t * node, urdf_text_t * prefix)
{
  const char * name = node->name;
  const char * colon = strchr(name, ':');
  prefix->s[0] = 0;
  if (node->prefix) {
    snprintf(prefix->s, sizeof prefix->s, "%s", node->prefix);
  } else if (colon) {
    // a prefix that is not declared stays part of the name
    snprintf(prefix->s, sizeof prefix->s, "%.*s", (int)(colon - name), name);
    return colon + 1;
  }
  return name;
}

bool
urdf_is(const urdf_node_t * node, const char * name)
{
  return !node->prefix && node->name[0] == name[0] && strcmp(node->name, name) == 0;
}

static bool
is_prefixed(const urdf_attribute_t * attribute)
{
  return attribute->prefix || strchr(attribute->name, ':');
}

const char *
urdf_attribute(const urdf_node_t * node, const char * name)
{
  for (const urdf_attribute_t * a = node->attribute; a; a = a->next) {
    if (!is_prefixed(a) && strcmp(a->name, name) == 0) return a->value;
  }
  return NULL;
}

static void
say_prefixed(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place,
  const urdf_attribute_t * attribute)
{
  const bool declared = attribute->prefix != NULL;
  char name[URDF_MAX_NAME];
  snprintf(
    name, sizeof name, "%s%s%s", declared ? attribute->prefix : "", declared ? ":" : "",
    attribute->name);
  urdf_say(
    loader, MBDX_NOTE, place, NULL, "attribute %s of %s has another namespace and is ignored",
    urdf_name(name).s, urdf_tag(node).s);
}

static void
check_attributes(
  urdf_loader_t * loader, mbdx_severity_t severity, const urdf_node_t * node, urdf_place_t place,
  const char * const * known)
{
  for (const urdf_attribute_t * a = node->attribute; a; a = a->next) {
    if (is_prefixed(a)) {
      say_prefixed(loader, node, place, a);
      continue;
    }
    const char * const * k = known;
    while (*k && strcmp(a->name, *k) != 0) k++;
    if (*k) continue;
    const bool refused = severity == MBDX_ERROR;
    urdf_say(
      loader, severity, place, refused ? "correct the name, or remove it" : NULL,
      refused ? "attribute %s of %s is unknown" : "attribute %s of %s is ignored",
      urdf_name(a->name).s, urdf_tag(node).s);
  }
}

void
urdf_warn_attributes(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * const * known)
{
  check_attributes(loader, MBDX_WARNING, node, place, known);
}

void
urdf_refuse_attributes(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * const * known)
{
  check_attributes(loader, MBDX_ERROR, node, place, known);
}

const char *
urdf_attribute_since(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * name,
  int version)
{
  const char * text = urdf_attribute(node, name);
  if (!text || loader->robot.version >= version) return text;
  char hint[80];
  snprintf(hint, sizeof hint, "write version=\"1.%d\" in <robot>, or remove it", version);
  urdf_say(
    loader, MBDX_ERROR, place, hint,
    "attribute %s of %s requires URDF 1.%d, but the file has version 1.%d", urdf_name(name).s,
    urdf_tag(node).s, version, loader->robot.version);
  return NULL;
}

void
urdf_warn_text(urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place)
{
  const char * text = node->text ? node->text : "";
  text += strspn(text, " \t\r\n");
  if (*text == 0) return;
  urdf_say(
    loader, MBDX_WARNING, place, NULL, "text %s in %s is ignored", urdf_value(text).s,
    urdf_tag(node).s);
}

urdf_node_t *
urdf_only_child(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * name)
{
  urdf_node_t * first = NULL;
  for (urdf_node_t * n = node->child; n; n = n->next) {
    if (!urdf_is(n, name)) continue;
    if (!first) {
      first = n;
      continue;
    }
    place.line = n->line;
    urdf_say(
      loader, MBDX_ERROR, place, "keep one", "has a second <%s>; the first is on line %d", name,
      first->line);
    break;
  }
  return first;
}
