// A look at the bytes before anything is read, and a copy of them to parse: size, encoding, characters.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "urdf_internal.h"

bool
urdf_is_character(unsigned code)
{
  if (code < 0x20) return urdf_is_blank((char)code);
  return code <= 0x10ffff && (code < 0xd800 || code >= 0xe000) && code != 0xfffe && code != 0xffff;
}

char *
urdf_encode(char * to, unsigned code)
{
  if (code < 0x80) {
    *to++ = (char)code;
    return to;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes behind the first
  *to++ = (char)(unsigned char)(0xff00u >> (more + 1) | code >> 6 * more);
  for (int k = more - 1; k >= 0; k--) *to++ = (char)(0x80 | (code >> 6 * k & 0x3f));
  return to;
}

int
urdf_line_at(const char * xml, const char * at)
{
  int line = 1;
  for (const char * s = xml; s < at; s++) line += *s == '\n';
  return line;
}

bool
urdf_refuse(
  urdf_loader_t * loader, mbd_status_t status, int line, const char * hint, const char * what)
{
  const urdf_place_t place = {"file", NULL, line};
  urdf_fail(loader, status, place, hint, "%s", what);
  return false;
}

// a copy of the text in UTF-8 with a line feed at the end of each line (2.11), or NULL, mostly with a
// sentence
static char *
copy_text(urdf_loader_t * loader, const char * xml, size_t size, bool latin1)
{
  char * copy = urdf_allocate_in_tree(loader, (latin1 ? 2 * size : size) + 1);
  char * to = copy;
  const char * end = xml + size;
  for (const char * s = xml; copy && s < end; s++) {
    const char * begin = s;
    while (s < end && ((*s >= ' ' && *s <= '~') || *s == '\n' || *s == '\t')) s++;
    memcpy(to, begin, (size_t)(s - begin));
    to += s - begin;
    if (s == end) break;
    const unsigned char c = (unsigned char)*s;
    if (c == '\r') {
      if (s + 1 < end && s[1] == '\n') s++;
      *to++ = '\n';
    } else if (latin1 && c >= 0x80) {
      to = urdf_encode(to, c);
    } else {
      // at the end of the text a character may be cut: the bytes behind it are zeros
      unsigned char bytes[4] = {0};
      memcpy(bytes, s, end - s < 4 ? (size_t)(end - s) : 4);
      unsigned code;
      const int n = urdf_decode(bytes, &code);
      if (n == 0 || !urdf_is_character(code)) {
        const urdf_place_t place = {"XML", NULL, loader->line_base + urdf_line_at(xml, s)};
        urdf_fail(
          loader, MBD_ERROR_XML, place, n == 0 ? "save the file as UTF-8" : NULL,
          n == 0 ? "byte 0x%02x is not part of a UTF-8 character"
                 : "character 0x%02x is not allowed",
          n == 0 ? c : code);
        return NULL;
      }
      memcpy(to, s, (size_t)n);
      to += n;
      s += n - 1;
    }
  }
  if (copy) *to = 0;
  return copy;
}

// first occurrence of a text in [s, end), or NULL
static const char *
find(const char * s, const char * end, const char * text)
{
  const size_t n = strlen(text);
  for (; (size_t)(end - s) >= n; s++) {
    s = memchr(s, text[0], (size_t)(end - s) - n + 1);
    if (!s || memcmp(s, text, n) == 0) return s;
  }
  return NULL;
}

// the encoding that an XML declaration names, into a buffer; "" if none
static void
declared_encoding(const char * xml, const char * end, char * name, size_t size)
{
  *name = 0;
  if (end - xml < 5 || memcmp(xml, "<?xml", 5) != 0) return;
  const char * close = find(xml, end, "?>");
  const char * s = close ? find(xml, close, "encoding") : NULL;
  if (!s) return;
  while (s < close && *s != '"' && *s != '\'') s++;
  size_t n = 0;
  for (const char * c = s + 1; c < close && *c != *s && n + 1 < size; c++) name[n++] = *c;
  name[n] = 0;
}

char *
urdf_scan(urdf_loader_t * loader, const char * xml, size_t size)
{
  static const char * const known[5] = {"UTF-8", "UTF8", "US-ASCII", "ASCII", "ISO-8859-1"};
  const char * zero = memchr(xml, 0, size < URDF_MAX_BYTES ? size : URDF_MAX_BYTES);
  const int base = loader->line_base;
  const urdf_place_t place = {"file", NULL, base + (size > URDF_MAX_BYTES ? 0 : 1)};
  if (size > URDF_MAX_BYTES) {
    urdf_fail(
      loader, MBD_ERROR_LIMIT, place,
      "remove what the model does not need, or build it in C with mbd_model_add_body",
      "is larger than %d MB", URDF_MAX_BYTES / (1024 * 1024));
    return NULL;
  }
  if (zero) {
    const int line = base + urdf_line_at(xml, zero);
    urdf_refuse(loader, MBD_ERROR_XML, line, "save it as text in UTF-8", "contains a zero byte");
    return NULL;
  }
  // a byte order mark
  if (size >= 3 && memcmp(xml, "\xef\xbb\xbf", 3) == 0) xml += 3, size -= 3;
  size_t blank = 0;
  while (blank < size && urdf_is_blank(xml[blank])) blank++;
  if (blank == size) {
    urdf_refuse(loader, MBD_ERROR_XML, base, NULL, "is empty");
    return NULL;
  }
  char name[40];
  declared_encoding(xml, xml + size, name, sizeof name);
  int k = 0;
  while (k < 5 && *name && strcasecmp(name, known[k]) != 0) k++;
  if (k < 5) return copy_text(loader, xml, size, *name && k == 4);
  urdf_fail(
    loader, MBD_ERROR_XML, place, "save it as UTF-8", "encoding %s is not supported",
    urdf_value(name).s);
  return NULL;
}
