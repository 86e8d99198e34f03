// The XML parser against libxml2: files, texts written for it, and random changes of them. Both must
// accept the same and make the same tree. Left out is what only ours refuses: DOCTYPE, instructions
// with a '>', other encodings, limits.
#include <dirent.h>
#include <libxml/parser.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf_internal.h"
#include "urdf_test.h"

typedef struct counts {
  int same, refused, left_out, elements;
  long line;      // of the element before
  bool no_lines;  // are compared
} counts_t;

//---------- one text ----------

// errors of namespaces are none: many files have prefixes without a declaration
static void
on_error(
  void * wrong,
#if LIBXML_VERSION >= 21200
  const xmlError * error
#else
  xmlErrorPtr error
#endif
)
{
  if (error->domain != XML_FROM_NAMESPACE && error->level >= XML_ERR_ERROR) *(bool *)wrong = true;
}

// libxml2's tree, or NULL if it refuses the text
static xmlDocPtr
read_by_libxml2(const char * text, size_t size)
{
  const bool latin1 = size > 50 && memcmp(text, "<?xml", 5) == 0 && strstr(text, "8859-1");
  bool wrong = false;
  xmlSetStructuredErrorFunc(&wrong, on_error);
  const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOENT |
                      XML_PARSE_IGNORE_ENC | XML_PARSE_HUGE | XML_PARSE_NOCDATA;
  xmlDocPtr doc = xmlReadMemory(text, (int)size, NULL, latin1 ? "ISO-8859-1" : "UTF-8", options);
  xmlSetStructuredErrorFunc(NULL, NULL);
  if (wrong && doc) xmlFreeDoc(doc);
  return wrong ? NULL : doc;
}

static bool
same_name(const char * ours, const xmlNs * ns, const xmlChar * name)
{
  const char * prefix = ns && ns->prefix ? (const char *)ns->prefix : "";
  const size_t n = strlen(prefix);
  if (n > 0 && (strncmp(ours, prefix, n) != 0 || ours[n] != ':')) return false;
  return strcmp(ours + (n > 0 ? n + 1 : 0), (const char *)name) == 0;
}

static bool
same_attributes(const urdf_attribute_t * a, const xmlNode * theirs)
{
  const xmlAttr * b = theirs->properties;
  for (; a; a = a->next) {
    // libxml2 has them in another list
    if (strcmp(a->name, "xmlns") == 0 || strncmp(a->name, "xmlns:", 6) == 0) continue;
    if (!b || !same_name(a->name, b->ns, b->name)) return false;
    const char * value = b->children ? (const char *)b->children->content : "";
    if (strcmp(a->value, value) != 0 || (b->children && b->children->next)) return false;
    b = b->next;
  }
  return !b;
}

// text of their element between two tags: that which ours keeps
static bool
same_text(const urdf_node_t * a, const xmlNode * b)
{
  char text[4096] = "", kept[4096] = "";
  bool any = false;
  for (const xmlNode * n = b->children;; n = n->next) {
    if (n && (n->type == XML_TEXT_NODE || n->type == XML_CDATA_SECTION_NODE)) {
      if (strlen(text) + strlen((const char *)n->content) >= sizeof text) return true;
      strcat(text, (const char *)n->content);
      any = any || *n->content;
    } else if (!n || n->type == XML_ELEMENT_NODE) {
      if (*kept == 0 && text[strspn(text, " \t\r\n")]) strcpy(kept, text);
      *text = 0;
    }
    if (!n) break;
  }
  if (*kept == 0 && any) strcpy(kept, " ");
  return strcmp(a->text ? a->text : "", kept) == 0;
}

static const xmlNode *
next_element(const xmlNode * n)
{
  while (n && n->type != XML_ELEMENT_NODE) n = n->next;
  return n;
}

// elements in document order; depth is limited by ours
static bool
same_tree(const urdf_node_t * a, const xmlNode * b, counts_t * counts)
{
  for (b = next_element(b); a && b; a = a->next, b = next_element(b->next)) {
    counts->elements++;
    // libxml2 knows the line on which a tag ends
    const long line = xmlGetLineNo(b);
    if (!counts->no_lines && (a->line < counts->line || a->line > line)) return false;
    counts->line = line;
    if (!same_name(a->name, b->ns, b->name) || !same_attributes(a->attribute, b)) return false;
    if (!same_text(a, b) || !same_tree(a->child, b->children, counts)) return false;
  }
  return !a && !b;
}

// only ours refuses it
static bool
is_left_out(const urdf_loader_t * loader)
{
  static const char * const own[] = {"DOCTYPE", "contains a '>'", "is not supported", "zero byte"};
  if (loader->status == MBD_ERROR_LIMIT) return true;
  for (size_t k = 0; loader->nentry > 0 && k < sizeof own / sizeof own[0]; k++) {
    if (strstr(loader->entry[0].entry.text, own[k])) return true;
  }
  return false;
}

static void
free_loader(urdf_loader_t * loader)
{
  urdf_free_entries(loader);
  urdf_free_tree(loader);
}

static void
compare(const char * what, const char * text, size_t size, counts_t * counts)
{
  urdf_loader_t loader = {.source = "text"};
  const bool good = urdf_parse_xml(&loader, text, size);
  assert_false(loader.out_of_memory);
  assert_int_equal(good, loader.nentry == 0);
  if (!good && is_left_out(&loader)) {
    counts->left_out++;
    free_loader(&loader);
    return;
  }
  xmlDocPtr doc = read_by_libxml2(text, size);
  counts->line = 1;
  counts->no_lines = strchr(text, '\r') != NULL;  // libxml2 does not count what ends in \r alone
  const bool same =
    good == (doc != NULL) && (!good || same_tree(loader.root, doc->children, counts));
  if (!same) {
    print_error(
      "%s: ours %s, libxml2 %s; %s:\n%.*s\n", what, good ? "accepts" : "refuses",
      doc ? "accepts" : "refuses", good ? "" : loader.entry[0].entry.text, (int)size, text);
    fail();
  }
  counts->same++;
  counts->refused += !good;
  if (doc) xmlFreeDoc(doc);
  free_loader(&loader);
}

//---------- texts ----------

// clang-format off
static const char * const texts[] = {
  "<a/>", "<a></a>", "<a b='1' c=\"2\"/>", "<a b = '1'\n\tc\r\n=\r\"2\" />", "<a></a >", "<a></ a>",
  "< a/>", "<a / >", "<a b=1/>", "<a b/>", "<a b=\"1\"c=\"2\"/>", "<a b='1' b='2'/>", "<a b='<'/>",
  "<a b='>'/>", "<a b='&lt;&gt;&amp;&quot;&apos;'/>", "<a b='&#65;&#x42;&#xe4;&#8364;&#x1F916;'/>",
  "<a b='&#10;&#9;&#13; \t\n\r\r\n'/>", "<a b='&#0;'/>", "<a b='&#xD800;'/>", "<a b='&#xFFFF;'/>",
  "<a b='&#x110000;'/>", "<a b='&#4294967361;'/>", "<a b='&#0000000000000065;'/>", "<a b='&#;'/>",
  "<a b='&#x;'/>", "<a b='&#X41;'/>", "<a b='&#65'/>", "<a b='&;'/>", "<a b='& x'/>", "<a b='&x;'/>",
  "<a>&x;</a>", "<a>&#66;&lt;</a>", "<a>x & y</a>", "<a>x\r\ny\rz</a>", "<a>]]></a>", "<a>]]&gt;</a>",
  "<a>]] ></a>", "<a> <b/> x <c/> y </a>", "<a> <b/> </a>", "<a>x<!-- y -->z</a>", "<a>x<?p y?>z</a>",
  "<a><![CDATA[<b>&amp;]]]]></a>", "<a>x<![CDATA[]]></a>", "<a><![CDATA[ ]]>y</a>", "<a><![CDATA[x]]</a>",
  "<![CDATA[x]]><a/>", "<a/><![CDATA[]]>", "<!-- c --><a/><!-- d -->", "<a><!-- -- --></a>",
  "<a><!-- x ---></a>", "<a><!----></a>", "<a><!--></a>", "<a><!-->--></a>", "<a><!- x --></a>",
  "<a><!X></a>", "<a><? x?></a>", "<a><?x?></a>", "<a><?x ?></a>", "<a><?x?y?></a>", "<a><?x y</a>",
  "<a><?xml version='1.0'?></a>", "<a><?XML?></a>", "<a><?xmlx y?></a>", " <?xml version='1.0'?><a/>",
  "<?xml version='1.0'?><a/>", "<?xml version='1.1'?><a/>", "<?xml version='2.0'?><a/>",
  "<?xml version=\"1.0\" encoding='utf-8' standalone='yes' ?><a/>", "<?xml encoding='UTF-8'?><a/>",
  "<?xml version='1.0' standalone='no'?><a/>", "<?xml version='1.0' standalone='maybe'?><a/>",
  "<?xml version='1.0' standalone='no' encoding='UTF-8'?><a/>", "<?xml version='1.0' x='y'?><a/>",
  "<?xml version='1.0'encoding='UTF-8'?><a/>", "<?xml version='1.'?><a/>", "<?xml version=''?><a/>",
  "<?xml version='1.0' encoding=''?><a/>", "<?xml version='1.0'><a/>", "<?xml?><a/>",
  "<?xml version='1.0' encoding='ISO-8859-1'?>\n<a b='\xe4\xff'>\xe9</a>",
  "\xef\xbb\xbf<a/>", "\xef\xbb\xbf\xef\xbb\xbf<a/>", "<a b='\xc3\xa4\xe2\x82\xac\xf0\x9f\xa4\x96'/>",
  "<\xc3\xa4 \xc3\xb6='1'/>", "<a\xc2\xb7/>", "<\xc2\xb7/>", "<\xc3\x97/>", "<a b='\xe4'/>",
  "<a b='\xc0\x80'/>", "<a b='\xed\xa0\x80'/>", "<a b='\xef\xbf\xbf'/>", "<a b='\xf4\x90\x80\x80'/>",
  "<a b='\x01'/>", "<a>\x1f</a>", "<a>\x7f</a>", "<a b='\xe2\x82'/>", "<a/>\xe2\x82", "<a-b.c_1/>",
  "<1a/>", "<-a/>", "<.a/>", "<_a/>", "<:a/>", "<a:b/>", "<a:b:c/>", "<a: />", "<a:b c:d='1'/>",
  "<a:b xmlns:a='u' a:c='1' c='2'><a:d/><e xmlns='v'/></a:b>", "<a xmlns:b='u' xmlns:b='v'/>",
  "<a xmlns='u' xmlns='v'/>", "<a xml:lang='en' xml:space='default'/>", "<a xmlns:b=''/>",
  "<a", "<a ", "<a b", "<a b=", "<a b='", "<a b='1'", "<a/", "<a>", "<a><b>", "<a></b>", "<a></a",
  "<a></", "<", "</a>", "<a/></a>", "<a/><b/>", "<a/>x", "x<a/>", "x", "<a/>&lt;", "<a/><", "<a/> \n",
  "<!---->", "<a><b></a></b>", "<a></a b='1'>", "<a></ab>", "<ab></a>", "<a>\n<b\nc='\n'/>\n</a>",
  "<a b='\n'><c/></a>", "<a>\n<b/>\n<?x\n?><c/><!--\n--><d/><![CDATA[\n]]><e/></a\n>", "<a b='1'/ >", "<a//>", "<a b='1'?>", "<a?>", "<!DOCTYPE a><a/>", "<a><![cdata[x]]></a>",
};
// clang-format on

static void
texts_are_read_as_by_libxml2(void ** state)
{
  (void)state;
  counts_t counts = {0};
  const int n = (int)(sizeof texts / sizeof texts[0]);
  for (int k = 0; k < n; k++) {
    char what[30];
    snprintf(what, sizeof what, "text %d", k);
    compare(what, texts[k], strlen(texts[k]), &counts);
  }
  assert_int_equal(counts.same + counts.left_out, n);
  assert_int_equal(counts.left_out, 1);
  assert_in_range(counts.refused, 75, 95);
}

//---------- files and random changes ----------

// a small robot that has a bit of everything
static const char robot[] =
  "<?xml version=\"1.0\"?>\n<!-- arm -->\n<robot name=\"r&#228;\" xmlns:d='u'>\n"
  "  <link name=\"a\"><visual/><!-- <x> --></link>\n<link name='b'\n>\n<inertial>\n"
  "<mass value=\"1.5\"/></inertial>text &lt; &amp;<![CDATA[ <z> ]]> end</link>\n"
  "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>\n"
  "<?pi some data?><d:extra d:x='1' x=\"2\"></d:extra><!--- -->\n</robot>\n";

static uint64_t
draw(uint64_t * seed, uint64_t n)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (*seed >> 33) % n;
}

// libxml2 takes such names apart in several ways, all of them against the rules for namespaces
static bool
has_odd_prefix(const char * text)
{
  for (const char * s = text; (s = strchr(s, ':')) != NULL; s++) {
    if (s[1] < 'a' || s[1] > 'z') return true;
  }
  return false;
}

// one to three changes: bytes replaced, removed, inserted, parts of it repeated
static size_t
change(char * text, size_t size, size_t capacity, uint64_t * seed)
{
  static const char * const piece[] = {"<",      ">",
                                       "/",      "\"",
                                       "'",      "&",
                                       ";",      "&#",
                                       "&#x",    "--",
                                       "]]>",    "<!--",
                                       "-->",    "<![CDATA[",
                                       "?>",     "<?",
                                       "<?xml ", " ",
                                       "\n",     "\r\n",
                                       "\t",     "=",
                                       "a",      "1",
                                       "-",      "\xc3",
                                       "\xa4",   "\xe2\x82\xac",
                                       "\xff",   "\x02",
                                       "</",     "/>",
                                       "<!",     "xmlns:a='b' ",
                                       " a=''",  "&lt;",
                                       "]]",     "?"};
  for (uint64_t times = 1 + draw(seed, 3); times > 0; times--) {
    const size_t at = (size_t)draw(seed, size + 1);
    const size_t cut = draw(seed, 2) ? 0 : (size_t)draw(seed, 1 + (size - at < 9 ? size - at : 9));
    const char * put = piece[draw(seed, sizeof piece / sizeof piece[0])];
    size_t n = strlen(put);
    char copy[32];
    if (draw(seed, 6) == 0 && size > 40) {
      memcpy(copy, text + draw(seed, size - 30), sizeof copy - 2);
      put = copy;
      n = 1 + (size_t)draw(seed, 30);
    }
    if (draw(seed, 8) == 0) n = 0;
    if (size - cut + n > capacity) continue;
    memmove(text + at + n, text + at + cut, size - at - cut);
    memcpy(text + at, put, n);
    size = size - cut + n;
  }
  text[size] = 0;
  return size;
}

static void
changed_texts_are_read_as_by_libxml2(void ** state)
{
  (void)state;
  enum { TIMES = 60000 };
  counts_t counts = {0};
  for (uint64_t k = 0; k < TIMES; k++) {
    char text[sizeof robot + 200], what[40];
    uint64_t seed = k;
    const char * from = k % 4 ? robot : texts[k / 4 % (sizeof texts / sizeof texts[0])];
    snprintf(text, sizeof text, "%s", from);
    snprintf(what, sizeof what, "seed %d", (int)k);
    const size_t size = change(text, strlen(from), sizeof text - 1, &seed);
    if (has_odd_prefix(text)) {
      counts.left_out++;
    } else {
      compare(what, text, size, &counts);
    }
  }
  assert_int_equal(counts.same + counts.left_out, TIMES);
  assert_in_range(counts.left_out, 1, TIMES / 10);
  assert_in_range(counts.refused, TIMES / 2, TIMES - TIMES / 20);
}

static void
compare_folder(const char * folder, size_t skip, counts_t * counts)
{
  char path[500];
  snprintf(path, sizeof path, "%s/%s", MBDYN_SOURCE_DIR, folder);
  DIR * dir = opendir(path);
  assert_non_null(dir);
  for (struct dirent * e; (e = readdir(dir)) != NULL;) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s/%.200s", MBDYN_SOURCE_DIR, folder, e->d_name);
    FILE * file = fopen(path, "rb");
    assert_non_null(file);
    enum { MOST = 200000 };
    char * text = calloc(MOST, 1);
    assert_non_null(text);
    const size_t size = fread(text, 1, MOST, file);  // 0 of a folder
    fclose(file);
    if (size > skip) compare(path, text + skip, size - skip, counts);
    free(text);
  }
  closedir(dir);
}

static void
files_are_read_as_by_libxml2(void ** state)
{
  (void)state;
  counts_t counts = {0};
  compare_folder("test/data", 0, &counts);
  compare_folder("test/data/bad", 0, &counts);
  compare_folder("config/robots", 0, &counts);
  compare_folder("test/fuzz/corpus_urdf", 1, &counts);  // the first byte is for options
  assert_true(counts.same >= 40);
  assert_true(counts.elements >= 1000);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(texts_are_read_as_by_libxml2),
    cmocka_unit_test(changed_texts_are_read_as_by_libxml2),
    cmocka_unit_test(files_are_read_as_by_libxml2),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
