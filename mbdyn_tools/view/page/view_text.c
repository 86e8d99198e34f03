#include "view_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//---------- buffer ----------

char *
view_text_data(view_text_t * text)
{
  return text->room + VIEW_TEXT_FRONT;
}

void
view_text_clear(view_text_t * text)
{
  text->size = 0;
  text->ok = true;
}

void
view_text_fini(view_text_t * text)
{
  free(text->room);
  memset(text, 0, sizeof *text);
}

static bool
reserve(view_text_t * text, size_t n)
{
  if (!text->ok) return false;
  if (text->room && text->capacity - text->size > n) return true;
  size_t capacity = text->capacity ? text->capacity : 4096;
  while (capacity - text->size <= n) capacity *= 2;
  char * more = realloc(text->room, VIEW_TEXT_FRONT + capacity);
  if (!more) return text->ok = false;
  text->room = more;
  text->capacity = capacity;
  return true;
}

void
view_put(view_text_t * text, const char * characters, size_t n)
{
  if (!reserve(text, n)) return;
  memcpy(view_text_data(text) + text->size, characters, n);
  text->size += n;
}

static void
put(view_text_t * text, char c)
{
  view_put(text, &c, 1);
}

//---------- structure ----------

void
view_key(view_text_t * text, const char * key)
{
  const char last = text->size > 0 ? view_text_data(text)[text->size - 1] : '{';
  if (last != '{' && last != '[' && last != ':') put(text, ',');
  if (!key) return;
  put(text, '"');
  view_put(text, key, strlen(key));
  view_put(text, "\":", 2);
}

void
view_open(view_text_t * text, const char * key, char bracket)
{
  view_key(text, key);
  put(text, bracket);
}

void
view_close(view_text_t * text, char bracket)
{
  put(text, bracket);
}

//---------- text ----------

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

static void
put_character(view_text_t * text, const unsigned char * s, size_t n)
{
  char escape[8];
  if (n == 0) {
    put(text, '?');
  } else if (*s == '"' || *s == '\\') {
    put(text, '\\');
    put(text, (char)*s);
  } else if (*s < 0x20 || *s == 0x7F) {
    snprintf(escape, sizeof escape, "\\u%04x", *s);
    view_put(text, escape, 6);
  } else {
    view_put(text, (const char *)s, n);
  }
}

void
view_bytes(view_text_t * text, const char * key, const char * value, size_t n)
{
  view_key(text, key);
  put(text, '"');
  for (size_t i = 0; i < n;) {
    const unsigned char * s = (const unsigned char *)value + i;
    const size_t length = utf8_length(s, n - i);
    put_character(text, s, length);
    i += length ? length : 1;
  }
  put(text, '"');
}

void
view_string(view_text_t * text, const char * key, const char * value)
{
  view_bytes(text, key, value, strlen(value));
}

void
view_wire(view_text_t * text, const char * key, wire_text_t value)
{
  view_bytes(text, key, value.data, value.size);
}

//---------- numbers ----------

static void
put_number(view_text_t * text, const char * key, const char * format, double x)
{
  char number[40];
  view_key(text, key);
  const int n = isfinite(x) ? snprintf(number, sizeof number, format, x)
                            : snprintf(number, sizeof number, "null");
  view_put(text, number, (size_t)n);
}

void
view_number(view_text_t * text, const char * key, double x)
{
  put_number(text, key, "%.17g", x);
}

void
view_short(view_text_t * text, float x)
{
  put_number(text, NULL, "%.7g", (double)x);
}

void
view_time(view_text_t * text, const char * key, double t)
{
  put_number(text, key, "%.6f", t);
}

void
view_count(view_text_t * text, const char * key, uint64_t n)
{
  char number[24];
  view_key(text, key);
  snprintf(number, sizeof number, "%llu", (unsigned long long)n);
  view_put(text, number, strlen(number));
}

void
view_flag(view_text_t * text, const char * key, bool flag)
{
  view_key(text, key);
  view_put(text, flag ? "true" : "false", flag ? 4 : 5);
}

void
view_null(view_text_t * text, const char * key)
{
  view_key(text, key);
  view_put(text, "null", 4);
}

//---------- arrays ----------

void
view_names(view_text_t * text, const char * key, const wire_names_t * names)
{
  size_t at = 0;
  view_open(text, key, '[');
  for (uint32_t i = 0; i < names->n; i++) view_wire(text, NULL, wire_next_name(names, &at));
  view_close(text, ']');
}

void
view_numbers(view_text_t * text, const char * key, const wire_numbers_t * numbers)
{
  view_open(text, key, '[');
  for (uint32_t i = 0; i < numbers->n; i++) view_number(text, NULL, wire_number(numbers, i));
  view_close(text, ']');
}

void
view_vector(view_text_t * text, const char * key, const double * x, int n)
{
  view_open(text, key, '[');
  for (int i = 0; i < n; i++) view_number(text, NULL, x[i]);
  view_close(text, ']');
}
