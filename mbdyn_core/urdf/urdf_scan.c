// A look at the bytes before libxml2 sees them: size, encoding, and tags so long that comparing
// their attributes pairwise would take for ever.
#include <string.h>
#include <strings.h>

#include "urdf_internal.h"

static const urdf_place_t whole_file = {"file", NULL, 0};

static int
line_at(const char * xml, const char * at)
{
  int line = 1;
  for (const char * s = xml; s < at; s++) line += *s == '\n';
  return line;
}

// first occurrence of a text in [s, end), or NULL
static const char *
find(const char * s, const char * end, const char * text)
{
  const size_t n = strlen(text);
  for (; (size_t)(end - s) >= n; s++) {
    s = memchr(s, text[0], (size_t)(end - s) - n + 1);
    if (!s) return NULL;
    if (memcmp(s, text, n) == 0) return s;
  }
  return NULL;
}

static bool
starts_with(const char * s, const char * end, const char * text)
{
  const size_t n = strlen(text);
  return (size_t)(end - s) >= n && memcmp(s, text, n) == 0;
}

//---------- tags ----------

// end of a tag that begins at s: the first '>' outside quotes, or end
static const char *
tag_end(const char * s, const char * end)
{
  for (; s < end && *s != '>'; s++) {
    if (*s != '"' && *s != '\'') continue;
    s = memchr(s + 1, *s, (size_t)(end - s) - 1);
    if (!s) return end;
  }
  return s;
}

// end of the markup at s, which is '<', or NULL if it is a tag; comments, CDATA and instructions may
// be long
static const char *
markup_end(const char * s, const char * end)
{
  static const char * const opening[3] = {"<!--", "<![CDATA[", "<?"};
  static const char * const closing[3] = {"-->", "]]>", "?>"};
  for (int k = 0; k < 3; k++) {
    if (!starts_with(s, end, opening[k])) continue;
    // behind the opening: "<!-->" is not a whole comment
    const char * close = find(s + strlen(opening[k]), end, closing[k]);
    return close ? close : end;
  }
  return NULL;
}

// TinyXML, through which urdfdom reads, ends an instruction at the first '>': what follows it would
// be elements that nobody has checked
static bool
scan_instruction(urdf_loader_t * loader, const char * xml, const char * s, const char * close)
{
  const char * mark = s[1] == '?' ? memchr(s, '>', (size_t)(close - s)) : NULL;
  if (!mark) return true;
  const urdf_place_t place = {"file", NULL, line_at(xml, mark)};
  urdf_fail(loader, MBD_ERROR_XML, place, "remove it", "a processing instruction contains a '>'");
  return false;
}

static bool
scan_tags(urdf_loader_t * loader, const char * xml, const char * end)
{
  const char * s = xml;
  while ((s = memchr(s, '<', (size_t)(end - s))) != NULL) {
    loader->nmarkup++;
    const char * close = markup_end(s, end);
    if (close && !scan_instruction(loader, xml, s, close)) return false;
    if (!close) {
      close = tag_end(s, end);
      if (close - s > URDF_MAX_TAG) {
        const urdf_place_t place = {"file", NULL, line_at(xml, s)};
        urdf_fail(
          loader, MBD_ERROR_LIMIT, place, "is a quote or a '>' missing?",
          "a tag is longer than %d bytes", URDF_MAX_TAG);
        return false;
      }
    }
    s = close;
  }
  return true;
}

//---------- encoding ----------

// the encoding that an XML declaration names, into a buffer; "" if none
static void
declared_encoding(const char * xml, const char * end, char * name, size_t size)
{
  *name = 0;
  if (!starts_with(xml, end, "<?xml")) return;
  const char * close = find(xml, end, "?>");
  const char * s = close ? find(xml, close, "encoding") : NULL;
  if (!s) return;
  while (s < close && *s != '"' && *s != '\'') s++;
  size_t n = 0;
  for (const char * c = s + 1; c < close && *c != *s && n + 1 < size; c++) name[n++] = *c;
  name[n] = 0;
}

// the encodings of which each byte below 128 is that character: what the scan of tags relies on
static bool
scan_encoding(urdf_loader_t * loader, const char * xml, const char * end, const char ** encoding)
{
  static const char * const known[5] = {"UTF-8", "UTF8", "US-ASCII", "ASCII", "ISO-8859-1"};
  static const char * const means[5] = {"UTF-8", "UTF-8", "UTF-8", "UTF-8", "ISO-8859-1"};
  char name[40];
  declared_encoding(xml, end, name, sizeof name);
  *encoding = "UTF-8";
  if (*name == 0) return true;
  for (int k = 0; k < 5; k++) {
    if (strcasecmp(name, known[k]) != 0) continue;
    *encoding = means[k];
    return true;
  }
  const urdf_place_t place = {"file", NULL, 1};
  urdf_fail(
    loader, MBD_ERROR_XML, place, "save it as UTF-8", "encoding %s is not supported",
    urdf_value(name).s);
  return false;
}

bool
urdf_scan(urdf_loader_t * loader, const char * xml, size_t size, const char ** encoding)
{
  if (size > URDF_MAX_BYTES) {
    urdf_fail(
      loader, MBD_ERROR_LIMIT, whole_file, NULL, "is larger than %d MB",
      URDF_MAX_BYTES / (1024 * 1024));
    return false;
  }
  const char * end = xml + size;
  const char * zero = memchr(xml, 0, size);
  if (zero) {
    const urdf_place_t place = {"file", NULL, line_at(xml, zero)};
    urdf_fail(loader, MBD_ERROR_XML, place, "save it as text in UTF-8", "contains a zero byte");
    return false;
  }
  if (starts_with(xml, end, "\xef\xbb\xbf")) xml += 3;
  size_t blank = 0;
  while (xml + blank < end && strchr(" \t\r\n", xml[blank])) blank++;
  if (xml + blank == end) {
    urdf_fail(loader, MBD_ERROR_XML, whole_file, NULL, "is empty");
    return false;
  }
  return scan_encoding(loader, xml, end, encoding) && scan_tags(loader, xml, end);
}
