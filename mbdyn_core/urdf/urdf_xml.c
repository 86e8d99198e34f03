// XML: bytes to a tree of elements with line numbers. A strict parser of what a robot needs (XML 1.0,
// Fifth Edition, section numbers in parentheses): no DOCTYPE, hence no entities but the five of XML;
// prefixes stay part of names. It works on a copy of the text, in which names and values are
// terminated where they stand. Nothing is fetched, expanded or printed, and nothing recurses.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "urdf_internal.h"

//---------- names ----------

// (4), (4a): may stand in a name, or at its beginning
static bool
is_name_character(unsigned code, bool begins)
{
  static const unsigned begin[][2] = {
    {':', ':'},       {'A', 'Z'},       {'_', '_'},       {'a', 'z'},
    {0xc0, 0xd6},     {0xd8, 0xf6},     {0xf8, 0x2ff},    {0x370, 0x37d},
    {0x37f, 0x1fff},  {0x200c, 0x200d}, {0x2070, 0x218f}, {0x2c00, 0x2fef},
    {0x3001, 0xd7ff}, {0xf900, 0xfdcf}, {0xfdf0, 0xfffd}, {0x10000, 0xeffff}};
  static const unsigned further[][2] = {
    {'-', '.'}, {'0', '9'}, {0xb7, 0xb7}, {0x300, 0x36f}, {0x203f, 0x2040}};
  for (size_t k = 0; k < sizeof begin / sizeof begin[0]; k++) {
    if (code >= begin[k][0] && code <= begin[k][1]) return true;
  }
  for (size_t k = 0; !begins && k < sizeof further / sizeof further[0]; k++) {
    if (code >= further[k][0] && code <= further[k][1]) return true;
  }
  return false;
}

//---------- parsing ----------

static bool
starts_with(const char * s, const char * text)
{
  return strncmp(s, text, strlen(text)) == 0;
}

typedef struct parse {
  urdf_loader_t * loader;
  char * at;            // the next byte, of text that ends in a zero
  int line;             // of that byte
  urdf_node_t * node;   // the element that is open
  urdf_node_t ** next;  // where the next element goes
  int depth, nodes;
  int most_depth, most_tag;
} parse_t;

static bool wrong(parse_t * p, const char * hint, const char * format, ...)
  __attribute__((format(printf, 3, 4)));

// false, with a sentence about the line that is being read
static bool
wrong(parse_t * p, const char * hint, const char * format, ...)
{
  char message[256];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  // quotes what was found in the file: made safe as a name is, without the quotes
  if (!hint && *p->at == 0) hint = "is the end of the file missing?";
  urdf_text_t safe = urdf_name(message);
  safe.s[strlen(safe.s) - 1] = 0;
  const urdf_place_t place = {"XML", NULL, p->line};
  urdf_fail(p->loader, MBD_ERROR_XML, place, hint, "%s", safe.s + 1);
  return false;
}

static bool
limit(parse_t * p, int line, const char * hint, const char * format, int most)
{
  const urdf_place_t place = {"file", NULL, line};
  urdf_fail(p->loader, MBD_ERROR_LIMIT, place, hint, format, most);
  return false;
}

// true if there was any
static bool
skip_blanks(parse_t * p)
{
  const char * begin = p->at;
  for (; urdf_is_blank(*p->at); p->at++) p->line += *p->at == '\n';
  return p->at > begin;
}

// the name at the next byte, which is not terminated; NULL if there is none
static char *
read_name(parse_t * p)
{
  char * begin = p->at;
  for (;;) {
    while (*p->at >= 'a' && *p->at <= 'z') p->at++;
    unsigned code = (unsigned char)*p->at;
    int n = 1;
    if (code >= 0x80) n = urdf_decode((const unsigned char *)p->at, &code);
    if (!is_name_character(code, p->at == begin)) break;
    p->at += n;
  }
  return p->at > begin ? begin : NULL;
}

// value of a hexadecimal or decimal digit; 16 or more if it is none
static unsigned
digit_of(char c, bool hex)
{
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  const char lower = (char)(c | 0x20);
  return hex && lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a' + 10) : 16;
}

// &#228; or &#xe4; at the next byte: its character to *to
static bool
read_character(parse_t * p, char ** to)
{
  const bool hex = p->at[2] == 'x';
  char * s = p->at + 2 + hex;
  unsigned code = 0;
  for (unsigned d; (d = digit_of(*s, hex)) < 16; s++) {
    if (code <= 0x10ffff) code = code * (hex ? 16 : 10) + d;
  }
  // no digits are character 0, which there is not
  if (*s != ';' || !urdf_is_character(code)) {
    return wrong(p, NULL, "'%.*s' is not a character", (int)strcspn(p->at, " \n\"'<>"), p->at);
  }
  p->at = s + 1;
  *to = urdf_encode(*to, code);
  return true;
}

// a reference (4.1) at the next byte, which is '&': its character to *to
static bool
read_reference(parse_t * p, char ** to)
{
  static const char * const name[5] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
  if (p->at[1] == '#') return read_character(p, to);
  for (int k = 0; k < 5; k++) {
    if (!starts_with(p->at, name[k])) continue;
    p->at += strlen(name[k]);
    *(*to)++ = "<>&\"'"[k];
    return true;
  }
  const int n = (int)strcspn(p->at, " \t\n;<>\"'");
  if (n == 1 || p->at[n] != ';') return wrong(p, "write &amp;", "an & begins no entity");
  return wrong(p, NULL, "Entity '%.*s' not defined", n - 1, p->at + 1);
}

//---------- tags ----------

// an attribute value (10) at the next byte; tabs and line feeds become blanks (3.3.3)
static char *
read_value(parse_t * p)
{
  const char quote = *p->at;
  char * begin = ++p->at;
  for (char * to = begin;;) {
    // what stands for itself
    const char * s = p->at;
    while ((unsigned char)*s >= ' ' && *s != quote && *s != '&' && *s != '<') *to++ = *s++;
    p->at += s - p->at;
    if (*s == quote) {
      *to = 0;
      p->at++;
      return begin;
    }
    if (*s == '&') {
      if (!read_reference(p, &to)) return NULL;
    } else if (urdf_is_blank(*s)) {
      p->line += *s == '\n';
      *to++ = ' ';
      p->at++;
    } else {
      wrong(
        p, *s ? "is a quote missing?" : NULL, *s ? "a value contains '<'" : "a value has no end");
      return NULL;
    }
  }
}

// name = "value" at the next byte, or NULL with a sentence
static urdf_attribute_t *
read_attribute(parse_t * p)
{
  urdf_attribute_t * a = urdf_allocate_in_tree(p->loader, sizeof *a);
  if (!a) return NULL;
  a->next = NULL;
  char * name = read_name(p);
  char * end = p->at;
  skip_blanks(p);
  if (!name || *p->at != '=') {
    const int n = (int)(end - (name ? name : end));
    wrong(
      p, NULL, name ? "attribute %.*s has no value" : "a tag has no '>'%.*s", n, name ? name : "");
    return NULL;
  }
  p->at++;
  skip_blanks(p);
  *end = 0;
  if (*p->at != '"' && *p->at != '\'') {
    wrong(p, NULL, "the value of attribute %s is not in quotes", name);
    return NULL;
  }
  a->name = name;
  a->value = read_value(p);
  return a->value ? a : NULL;
}

// attributes up to the first character that begins none; *list is the first of them
static bool
read_attributes(parse_t * p, urdf_attribute_t ** list)
{
  const char * begin = p->at;
  const int line = p->line;
  int n = 0;
  for (urdf_attribute_t ** next = list;; n++) {
    const bool blank = skip_blanks(p);
    if (*p->at == '>' || *p->at == '/' || *p->at == '?' || *p->at == 0) break;
    if (!blank) return wrong(p, NULL, "a blank is missing between attributes");
    if (!(*next = read_attribute(p))) return false;
    next = &(*next)->next;
    if (p->at - begin > p->most_tag) {
      return limit(
        p, line, "is a quote or a '>' missing?", "a tag is longer than %d bytes", p->most_tag);
    }
  }
  p->nodes += n;
  if (n > URDF_MAX_ATTRIBUTES) {
    return limit(p, line, NULL, "an element has more than %d attributes", URDF_MAX_ATTRIBUTES);
  }
  for (const urdf_attribute_t * a = *list; a; a = a->next) {
    for (const urdf_attribute_t * b = a->next; b; b = b->next) {
      if (strcmp(a->name, b->name) == 0) return wrong(p, NULL, "Attribute %s redefined", a->name);
    }
  }
  return true;
}

// <?xml version="1.0" encoding="..." standalone="..."?> (2.8)
static bool
read_declaration(parse_t * p)
{
  static const char * const name[3] = {"version", "encoding", "standalone"};
  p->at += strlen("<?xml");
  urdf_attribute_t * list = NULL;
  if (!read_attributes(p, &list)) return false;
  bool good = list && strcmp(list->name, name[0]) == 0;
  int k = 0;
  for (const urdf_attribute_t * a = list; a && good; a = a->next) {
    while (k < 3 && strcmp(a->name, name[k]) != 0) k++;
    const char * v = a->value;
    const bool yes_or_no = !strcmp(v, "yes") || !strcmp(v, "no");
    const bool version = starts_with(v, "1.") && v[2 + strspn(v + 2, "0123456789")] == 0;
    good = k == 0 ? version : k == 1 ? *v != 0 : k == 2 && yes_or_no;
  }
  if (!good || !starts_with(p->at, "?>")) {
    return wrong(p, "write <?xml version=\"1.0\"?>", "the XML declaration is malformed");
  }
  p->at += 2;
  return true;
}

// an element at the next byte, behind its '<'
static bool
read_start_tag(parse_t * p)
{
  urdf_node_t * node = urdf_allocate_in_tree(p->loader, sizeof *node);
  if (!node) return false;
  memset(node, 0, sizeof *node);
  node->line = p->line;
  char * name = read_name(p);
  char * end = p->at;
  if (!name) return wrong(p, NULL, "a '<' begins no tag");
  if (!p->node && p->loader->root)
    return wrong(p, "keep one <robot>", "Extra content at the end of the document");
  if (!read_attributes(p, &node->attribute)) return false;
  const bool empty = *p->at == '/';
  p->at += empty;
  if (*p->at != '>') return wrong(p, NULL, "<%.*s> has no '>'", (int)(end - name), name);
  p->at++;
  *end = 0;
  node->name = name;
  node->parent = p->node;
  if (!p->loader->root) {
    p->loader->root = node;
    if (starts_with(name, "mujoco")) p->most_depth = MJCF_MAX_DEPTH, p->most_tag = MJCF_MAX_TAG;
  }
  *p->next = node;
  p->next = empty ? &node->next : &node->child;
  if (!empty) p->node = node;
  p->depth += !empty;
  if (++p->nodes > URDF_MAX_NODES) {
    return limit(p, node->line, NULL, "has more than %d elements and attributes", URDF_MAX_NODES);
  }
  return p->depth + empty <= p->most_depth ||
         limit(p, node->line, NULL, "elements are nested more than %d deep", p->most_depth);
}

// </name> at the next byte, behind its '<'
static bool
read_end_tag(parse_t * p)
{
  p->at++;
  char * name = read_name(p);
  const char * end = p->at;
  skip_blanks(p);
  const int n = name ? (int)(end - name) : 0;
  if (!p->node)
    return wrong(p, NULL, "Extra content: </%.*s> closes no element", n, name ? name : "");
  const char * open = p->node->name;
  if (n == 0 || strlen(open) != (size_t)n || memcmp(open, name, (size_t)n) != 0) {
    return wrong(
      p, NULL, "Opening and ending tag mismatch: <%s> of line %d and </%.*s>", open, p->node->line,
      n, name ? name : "");
  }
  if (*p->at != '>') return wrong(p, NULL, "</%s has no '>'", open);
  p->at++;
  p->next = &p->node->next;
  p->node = p->node->parent;
  p->depth--;
  return true;
}

//---------- between tags ----------

// TinyXML, through which urdfdom reads, ends an instruction at the first '>': what follows it would
// be elements that nobody has checked
static bool
check_instruction(parse_t * p, const char * close)
{
  const char * mark = memchr(p->at, '>', (size_t)(close - p->at));
  if (mark) {
    const int line = p->line + urdf_line_at(p->at, mark) - 1;
    return urdf_refuse(
      p->loader, MBD_ERROR_XML, line, "remove it", "a processing instruction contains a '>'");
  }
  p->at += 2;
  const char * name = read_name(p);
  const bool reserved = name && p->at - name == 3 && strncasecmp(name, "xml", 3) == 0;
  if (name && !reserved && (p->at == close || urdf_is_blank(*p->at))) return true;
  return wrong(
    p, NULL,
    reserved ? "an XML declaration is not at the beginning" : "a '<?' begins no instruction");
}

// strstr, which measures the whole rest of the text first under the address sanitizer
static const char *
find_mark(const char * s, const char * mark)
{
  while ((s = strchr(s, *mark)) != NULL && !starts_with(s, mark)) s++;
  return s;
}

// a comment, CDATA or an instruction at the next byte: text of CDATA to *to
static bool
read_markup(parse_t * p, char ** to)
{
  static const char * const opening[3] = {"<!--", "<![CDATA[", "<?"};
  static const char * const closing[3] = {"-->", "]]>", "?>"};
  int k = 0;
  while (k < 3 && !starts_with(p->at, opening[k])) k++;
  if (starts_with(p->at, "<!DOCTYPE")) {
    return urdf_refuse(p->loader, MBD_ERROR_XML, p->line, "remove it", "DOCTYPE is not supported");
  }
  if (k == 3) return wrong(p, NULL, "a '<!' begins no comment");
  if (k == 1 && !p->node) return wrong(p, NULL, "Start tag expected, '<' not found");
  // behind the opening: "<!-->" is not a whole comment
  const char * begin = p->at + strlen(opening[k]);
  const char * close = find_mark(begin, closing[k]);
  if (!close) return wrong(p, NULL, "'%s' has no '%s'", opening[k], closing[k]);
  if (k == 0 && find_mark(begin, "--") < close) return wrong(p, NULL, "a comment contains '--'");
  if (k == 2 && !check_instruction(p, close)) return false;
  const size_t n = (size_t)(close - begin);
  for (const char * s = begin; (s = memchr(s, '\n', (size_t)(close - s))) != NULL; s++) p->line++;
  if (k == 1) {
    memmove(*to, begin, n);
    *to += n;
  }
  p->at += close + strlen(closing[k]) - p->at;
  return true;
}

// the text between two tags belongs to the element that is open: of an element it is the first that is
// not blank
static bool
keep_text(parse_t * p, int line, const char * text, size_t n)
{
  size_t blank = 0;
  while (blank < n && urdf_is_blank(text[blank])) blank++;
  if (!p->node && blank < n) {
    p->line = line + urdf_line_at(text, text + blank) - 1;
    return p->loader->root
             ? wrong(p, "keep one <robot>", "Extra content at the end of the document")
             : wrong(p, "is it a URDF file?", "Start tag expected, '<' not found");
  }
  if (!p->node) return true;
  if (n == 0 || (p->node->text && (blank == n || strcmp(p->node->text, " ") != 0))) return true;
  p->node->text = " ";
  if (blank == n) return true;
  char * copy = urdf_allocate_in_tree(p->loader, n + 1);
  if (!copy) return false;
  memcpy(copy, text, n);
  copy[n] = 0;
  p->node->text = copy;
  return true;
}

// up to the next tag or the end
static bool
read_text(parse_t * p)
{
  char *begin = p->at, *to = begin;
  const int line = p->line;
  for (;;) {
    const char c = *p->at;
    if (c == 0) break;
    if (c == '<') {
      p->loader->nmarkup++;
      if (p->at[1] != '!' && p->at[1] != '?') break;
      if (!read_markup(p, &to)) return false;
    } else if (c == '&' && p->node) {
      if (!read_reference(p, &to)) return false;
    } else {
      if (c == ']' && starts_with(p->at, "]]>"))
        return wrong(p, "write ]]&gt;", "text contains ']]>'");
      p->line += c == '\n';
      *to++ = c;
      p->at++;
    }
  }
  return keep_text(p, line, begin, (size_t)(to - begin));
}

static bool
read_document(parse_t * p)
{
  if (starts_with(p->at, "<?xml") && urdf_is_blank(p->at[5]) && !read_declaration(p)) return false;
  while (read_text(p)) {
    if (*p->at == 0) {
      if (p->loader->root && !p->node) return true;
      if (!p->node) return wrong(p, NULL, "Start tag expected, '<' not found");
      return wrong(p, NULL, "Premature end: <%s> of line %d is open", p->node->name, p->node->line);
    }
    p->at++;
    if (*p->at == '/' ? !read_end_tag(p) : !read_start_tag(p)) return false;
  }
  return false;
}

bool
urdf_parse_xml(urdf_loader_t * loader, const char * xml, size_t size)
{
  parse_t p = {
    .loader = loader,
    .line = loader->line_base + 1,
    .next = &loader->root,
    .most_depth = URDF_MAX_DEPTH,
    .most_tag = URDF_MAX_TAG};
  p.at = urdf_scan(loader, xml, size);
  return p.at && read_document(&p);
}
