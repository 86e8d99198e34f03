#include "json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number_text.h"

json_out_t
json_out_open(FILE * file)
{
  json_out_t out = {.file = file, .first = true};
  return out;
}

//---------- buffer ----------

void
json_out_clear(json_out_t * out)
{
  *out = (json_out_t){.ok = true, .buffer = out->buffer, .capacity = out->capacity, .first = true};
}

char *
json_out_text(json_out_t * out)
{
  return out->buffer + JSON_OUT_FRONT;
}

void
json_out_fini(json_out_t * out)
{
  free(out->buffer);
  memset(out, 0, sizeof *out);
}

static bool
reserve(json_out_t * out, size_t n)
{
  if (!out->ok) return false;
  if (out->buffer && out->capacity - out->size > n) return true;
  size_t capacity = out->capacity ? out->capacity : 4096;
  while (capacity - out->size <= n) capacity *= 2;
  char * more = realloc(out->buffer, JSON_OUT_FRONT + capacity);
  if (!more) return out->ok = false;
  out->buffer = more;
  out->capacity = capacity;
  return true;
}

//---------- characters ----------

void
json_out_raw(json_out_t * out, const char * characters, size_t n)
{
  if (out->file) {
    fwrite(characters, 1, n, out->file);
  } else if (reserve(out, n)) {
    memcpy(json_out_text(out) + out->size, characters, n);
    out->size += n;
  }
}

static void
write_text(json_out_t * out, const char * text)
{
  json_out_raw(out, text, strlen(text));
}

// bytes of the UTF-8 character at s, of at most n; 0 if it is none
static size_t
utf8_length(const unsigned char * s, size_t n)
{
  if (s[0] < 0x80) return 1;
  const size_t length = s[0] >= 0xC2 && s[0] < 0xE0   ? 2
                        : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
                        : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                                      : 0;
  if (length == 0 || length > n) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((s[i] & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
  const bool surrogate = s[0] == 0xED && s[1] > 0x9F, beyond = s[0] == 0xF4 && s[1] > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

// what stands for a byte that may not be in a string as it is
static void
write_escape(json_out_t * out, unsigned char byte)
{
  static const char NAMED[] = "\"\\\b\f\n\r\t", LETTERS[] = "\"\\bfnrt";
  const char * named = byte ? strchr(NAMED, byte) : NULL;
  char escape[8];
  if (named) {
    snprintf(escape, sizeof escape, "\\%c", LETTERS[named - NAMED]);
  } else {
    snprintf(escape, sizeof escape, "\\u%04X", byte);
  }
  write_text(out, escape);
}

// runs of characters that need no escape go out together
static void
write_string(json_out_t * out, const char * bytes, size_t n)
{
  const unsigned char * s = (const unsigned char *)bytes;
  size_t begin = 0;
  json_out_raw(out, "\"", 1);
  for (size_t i = 0; i < n;) {
    const size_t length = utf8_length(s + i, n - i);
    const bool escaped = s[i] < 0x20 || s[i] == '"' || s[i] == '\\';
    if (length > 0 && !escaped) {
      i += length;
      continue;
    }
    json_out_raw(out, bytes + begin, i - begin);
    if (escaped) {
      write_escape(out, s[i]);
    } else {
      json_out_raw(out, "?", 1);
    }
    begin = ++i;
  }
  json_out_raw(out, bytes + begin, n - begin);
  json_out_raw(out, "\"", 1);
}

//---------- nesting ----------

static void
new_line(json_out_t * out)
{
  json_out_raw(out, "\n", 1);
  for (int i = 0; i < out->depth; i++) json_out_raw(out, " ", 1);
}

// comma, new line and key of the next member
static void
begin_member(json_out_t * out, const char * key)
{
  if (!out->first) json_out_raw(out, ",", 1);
  if (out->depth > 0 && out->file) new_line(out);
  if (key) {
    write_string(out, key, strlen(key));
    write_text(out, out->file ? ": " : ":");
  }
  out->first = false;
}

static void
open_bracket(json_out_t * out, const char * key, const char * bracket, char closing)
{
  begin_member(out, key);
  write_text(out, bracket);
  out->closing[out->depth++] = closing;
  out->first = true;
}

void
json_out_object(json_out_t * out, const char * key)
{
  open_bracket(out, key, "{", '}');
}

void
json_out_list(json_out_t * out, const char * key)
{
  open_bracket(out, key, "[", ']');
}

void
json_out_end(json_out_t * out)
{
  const char closing = out->closing[--out->depth];
  if (!out->first && out->file) new_line(out);
  json_out_raw(out, &closing, 1);
  if (out->depth == 0 && out->file) json_out_raw(out, "\n", 1);
  out->first = false;
}

//---------- numbers ----------

// true after null was written for it
static bool
write_not_finite(json_out_t * out, const char * key, double x)
{
  if (isfinite(x)) return false;
  if (!out->not_finite) out->not_finite = key ? key : "a number";
  write_text(out, "null");
  return true;
}

static void
write_number(json_out_t * out, const char * key, double x)
{
  if (write_not_finite(out, key, x)) return;
  char text[NUMBER_TEXT_SIZE];
  const char * end = number_text(x, text);
  json_out_raw(out, text, (size_t)(end - text));
  // a whole number stays a real one for readers that tell them apart, and keeps the sign of -0
  if (out->file && !strpbrk(text, ".e")) write_text(out, ".0");
}

void
json_out_number(json_out_t * out, const char * key, double x)
{
  begin_member(out, key);
  write_number(out, key, x);
}

void
json_out_digits(json_out_t * out, const char * key, double x, int digits)
{
  char text[40];
  begin_member(out, key);
  if (write_not_finite(out, key, x)) return;
  snprintf(text, sizeof text, "%.*g", digits, x);
  write_text(out, text);
}

void
json_out_decimals(json_out_t * out, const char * key, double x, int decimals)
{
  char text[336];  // DBL_MAX has 309 digits before the point
  begin_member(out, key);
  if (write_not_finite(out, key, x)) return;
  snprintf(text, sizeof text, "%.*f", decimals, x);
  write_text(out, text);
}

static void
write_vector(json_out_t * out, const char * key, const double * x, int n)
{
  write_text(out, "[");
  for (int i = 0; i < n; i++) {
    if (i > 0) write_text(out, out->file ? ", " : ",");
    write_number(out, key, x[i]);
  }
  write_text(out, "]");
}

void
json_out_vector(json_out_t * out, const char * key, const double * x, int n)
{
  begin_member(out, key);
  write_vector(out, key, x, n);
}

void
json_out_matrix(json_out_t * out, const char * key, const double * x, int rows, int columns)
{
  json_out_list(out, key);
  for (int i = 0; i < rows; i++) {
    begin_member(out, NULL);
    write_vector(out, key, &x[(size_t)i * (size_t)columns], columns);
  }
  json_out_end(out);
}

//---------- other values ----------

void
json_out_integer(json_out_t * out, const char * key, int x)
{
  char text[16];
  begin_member(out, key);
  snprintf(text, sizeof text, "%d", x);
  write_text(out, text);
}

void
json_out_count(json_out_t * out, const char * key, uint64_t n)
{
  char text[24];
  begin_member(out, key);
  snprintf(text, sizeof text, "%" PRIu64, n);
  write_text(out, text);
}

void
json_out_bool(json_out_t * out, const char * key, bool x)
{
  begin_member(out, key);
  write_text(out, x ? "true" : "false");
}

void
json_out_bytes(json_out_t * out, const char * key, const char * bytes, size_t n)
{
  begin_member(out, key);
  write_string(out, bytes, n);
}

void
json_out_string(json_out_t * out, const char * key, const char * text)
{
  json_out_bytes(out, key, text, strlen(text));
}

void
json_out_null(json_out_t * out, const char * key)
{
  begin_member(out, key);
  write_text(out, "null");
}
