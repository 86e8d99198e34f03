// libxml2: bytes to a tree that carries line numbers. Nothing is fetched, expanded or printed.
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "urdf_internal.h"

//---------- parsing ----------

// what the callbacks of one parse share
typedef struct parse {
  urdf_loader_t * loader;
  startElementNsSAX2Func start;  // libxml2's own
  int depth, nodes;
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
start_line(const xmlParserInput * input)
{
  int line = input->line;
  const xmlChar * s = input->cur;
  while (s > input->base && s[-1] != '<') line -= *--s == '\n';
  return s > input->base && line > 0 ? line : input->line;
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
on_start(
  void * context, const xmlChar * name, const xmlChar * prefix, const xmlChar * uri, int nns,
  const xmlChar ** ns, int nattribute, int ndefaulted, const xmlChar ** attribute)
{
  xmlParserCtxtPtr c = context;
  parse_t * p = parse_of(context);
  if (p->stopped) return;
  const int line = start_line(c->input);
  if (!within_limits(p, c, line, nattribute, nns)) return;
  p->start(context, name, prefix, uri, nns, ns, nattribute, ndefaulted, attribute);
  // the tree keeps 16 bits of a line, our own field all of them
  if (c->node) c->node->_private = (void *)(intptr_t)line;
}

static void
on_end(void * context, const xmlChar * name, const xmlChar * prefix, const xmlChar * uri)
{
  parse_of(context)->depth--;
  xmlSAX2EndElementNs(context, name, prefix, uri);
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
  p->start = context->sax->startElementNs;
  context->sax->startElementNs = on_start;
  context->sax->endElementNs = on_end;
  context->sax->internalSubset = on_doctype;
  // of no use to us: not in the tree; CDATA becomes text
  context->sax->comment = NULL;
  context->sax->processingInstruction = NULL;
  context->sax->cdataBlock = NULL;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

// the tree, or NULL; errors go to the handler of this thread
static xmlDocPtr
read_tree(parse_t * p, const char * xml, size_t size, const char * encoding)
{
  xmlParserCtxtPtr context = xmlNewParserCtxt();
  if (!context) {
    p->out_of_memory = true;
    return NULL;
  }
  set_callbacks(context, p);
  // huge: libxml2's own limit is on bytes and below ours; depth and size have been looked after
  const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                      XML_PARSE_BIG_LINES | XML_PARSE_IGNORE_ENC | XML_PARSE_HUGE;
  xmlDocPtr doc = xmlCtxtReadMemory(context, xml, (int)size, NULL, encoding, options);
  // libxml2 says nothing only if it had no memory to say it
  if (!doc && !p->stopped && p->error_line == 0) p->out_of_memory = true;
  xmlFreeParserCtxt(context);
  return doc;
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
  loader->doc = read_tree(&p, xml, size, encoding);
  xmlSetStructuredErrorFunc(old_context, old);
  if (p.out_of_memory) {
    loader->out_of_memory = true;
  } else if (!p.stopped && p.error_line > 0) {
    say_xml_error(loader, &p);
  }
  return loader->doc && !p.stopped && p.error_line == 0 && !loader->out_of_memory;
}

//---------- looking at the tree ----------

int
urdf_line(const xmlNode * node)
{
  return (int)(intptr_t)node->_private;
}

xmlNode *
urdf_element(xmlNode * node)
{
  while (node && node->type != XML_ELEMENT_NODE) node = node->next;
  return node;
}

const char *
urdf_local_name(const xmlNode * node, urdf_text_t * prefix)
{
  const char * name = (const char *)node->name;
  const char * colon = strchr(name, ':');
  prefix->s[0] = 0;
  if (node->ns && node->ns->prefix) {
    snprintf(prefix->s, sizeof prefix->s, "%s", (const char *)node->ns->prefix);
  } else if (colon) {
    // a prefix that is not declared stays part of the name
    snprintf(prefix->s, sizeof prefix->s, "%.*s", (int)(colon - name), name);
    return colon + 1;
  }
  return name;
}

bool
urdf_is(const xmlNode * node, const char * name)
{
  const bool prefixed = node->ns && node->ns->prefix;
  return !prefixed && strcmp((const char *)node->name, name) == 0;
}

static bool
is_prefixed(const xmlAttr * attribute)
{
  return attribute->ns || strchr((const char *)attribute->name, ':');
}

const char *
urdf_attribute(const xmlNode * node, const char * name)
{
  for (const xmlAttr * a = node->properties; a; a = a->next) {
    if (is_prefixed(a) || strcmp((const char *)a->name, name) != 0) continue;
    // without a DOCTYPE there are no entities: the value is one text, or nothing
    return a->children && a->children->content ? (const char *)a->children->content : "";
  }
  return NULL;
}

static void
say_prefixed(
  urdf_loader_t * loader, const xmlNode * node, urdf_place_t place, const xmlAttr * attribute)
{
  const bool declared = attribute->ns && attribute->ns->prefix;
  char name[URDF_MAX_NAME];
  snprintf(
    name, sizeof name, "%s%s%s", declared ? (const char *)attribute->ns->prefix : "",
    declared ? ":" : "", (const char *)attribute->name);
  urdf_say(
    loader, MBDX_NOTE, place, NULL, "attribute %s of %s has another namespace and is ignored",
    urdf_name(name).s, urdf_tag(node).s);
}

static void
check_attributes(
  urdf_loader_t * loader, mbdx_severity_t severity, const xmlNode * node, urdf_place_t place,
  const char * const * known)
{
  for (const xmlAttr * a = node->properties; a; a = a->next) {
    if (is_prefixed(a)) {
      say_prefixed(loader, node, place, a);
      continue;
    }
    const char * const * k = known;
    while (*k && strcmp((const char *)a->name, *k) != 0) k++;
    if (*k) continue;
    const bool refused = severity == MBDX_ERROR;
    urdf_say(
      loader, severity, place, refused ? "correct the name, or remove it" : NULL,
      refused ? "attribute %s of %s is unknown" : "attribute %s of %s is ignored",
      urdf_name((const char *)a->name).s, urdf_tag(node).s);
  }
}

void
urdf_warn_attributes(
  urdf_loader_t * loader, const xmlNode * node, urdf_place_t place, const char * const * known)
{
  check_attributes(loader, MBDX_WARNING, node, place, known);
}

void
urdf_refuse_attributes(
  urdf_loader_t * loader, const xmlNode * node, urdf_place_t place, const char * const * known)
{
  check_attributes(loader, MBDX_ERROR, node, place, known);
}

const char *
urdf_attribute_since(
  urdf_loader_t * loader, const xmlNode * node, urdf_place_t place, const char * name, int version)
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
urdf_warn_text(urdf_loader_t * loader, const xmlNode * node, urdf_place_t place)
{
  for (const xmlNode * n = node->children; n; n = n->next) {
    if (n->type != XML_TEXT_NODE) continue;
    const char * text = n->content ? (const char *)n->content : "";
    text += strspn(text, " \t\r\n");
    if (*text == 0) continue;
    urdf_say(
      loader, MBDX_WARNING, place, NULL, "text %s in %s is ignored", urdf_value(text).s,
      urdf_tag(node).s);
    return;
  }
}

xmlNode *
urdf_only_child(urdf_loader_t * loader, const xmlNode * node, urdf_place_t place, const char * name)
{
  xmlNode * first = NULL;
  for (xmlNode * n = urdf_element(node->children); n; n = urdf_element(n->next)) {
    if (!urdf_is(n, name)) continue;
    if (!first) {
      first = n;
      continue;
    }
    place.line = urdf_line(n);
    urdf_say(
      loader, MBDX_ERROR, place, "keep one", "has a second <%s>; the first is on line %d", name,
      urdf_line(first));
    break;
  }
  return first;
}
