// Log lines: one place where they are escaped and throttled.
#include "log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "rcutils/error_handling.h"
#include "ros_process.h"

//---------- text ----------

// bytes of the UTF-8 character at s; 0 if it is malformed
static int
decode(const unsigned char * s, unsigned * code)
{
  static const struct {
    unsigned char mask, lead;
    unsigned smallest;
  } KIND[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
  int more = 0;
  while (more < 4 && (s[0] & KIND[more].mask) != KIND[more].lead) more++;
  if (more == 4) return 0;
  *code = s[0] & (unsigned char)~KIND[more].mask;
  for (int k = 1; k <= more; k++) {
    if ((s[k] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (s[k] & 0x3fu);
  }
  const bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
  return *code < KIND[more].smallest || *code > 0x10ffff || surrogate ? 0 : more + 1;
}

static bool
is_printable(unsigned code)
{
  const bool control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  // zero width and direction marks, line separators, invisible operators, byte order mark
  const bool unseen = (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
                      (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
  return !control && !unseen;
}

char *
text_printable(const char * text, char * out, size_t size)
{
  const unsigned char * s = (const unsigned char *)text;
  size_t n = 0, whole = 0;  // where "..." still fits
  while (*s) {
    char piece[8];
    unsigned code = 0;
    const int bytes = decode(s, &code);
    if (bytes > 0 && is_printable(code))
      snprintf(piece, sizeof piece, "%.*s", bytes, (const char *)s);
    else if (bytes > 2)
      snprintf(piece, sizeof piece, "\\u%04x", code & 0xffff);
    else
      snprintf(piece, sizeof piece, "\\x%02x", s[0]);
    const size_t length = strlen(piece);
    if (n + length + 1 > size) {
      memcpy(out + whole, "...", 4);
      return out;
    }
    memcpy(out + n, piece, length);
    n += length;
    if (n + 4 <= size) whole = n;
    // an escaped byte is one byte, of whatever it was a part
    s += bytes > 2 || (bytes > 0 && is_printable(code)) ? bytes : 1;
  }
  out[n] = 0;
  return out;
}

//---------- lines ----------

// lines that this place still has in this second
static int
lines_left(log_site_t * site)
{
  const int64_t second = steady_now() / 1000000000;
  if (atomic_exchange(&site->second, second) != second) atomic_store(&site->count, 0);
  return LOG_BURST - atomic_fetch_add(&site->count, 1);
}

void
log_line(
  log_site_t * site, const rcutils_log_location_t * location, int severity, const char * name,
  const char * format, ...)
{
  char raw[LOG_LINE_MAX], line[LOG_LINE_MAX];
  if (!g_rcutils_logging_initialized && rcutils_logging_initialize() != RCUTILS_RET_OK) {
    rcutils_reset_error();
  }
  if (!rcutils_logging_logger_is_enabled_for(name, severity)) return;
  const int left = lines_left(site);
  if (left <= 0) return;
  va_list list;
  va_start(list, format);
  vsnprintf(raw, sizeof raw, format, list);
  va_end(list);
  text_printable(raw, line, sizeof line);
  const char * end =
    left == 1 ? " (further messages of this kind are suppressed for up to 1 s)" : "";
  rcutils_log(location, severity, name, "%s%s", line, end);
}
