// Little-endian bytes: a buffer that grows, and a cursor that never leaves what it was given.
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

//---------- buffer ----------

void
bytes_free(bytes_t * b)
{
  free(b->data);
  *b = (bytes_t){0};
}

bool
bytes_reserve(bytes_t * b, size_t more)
{
  if (b->failed) return false;
  if (b->capacity - b->size >= more) return true;
  size_t capacity = b->capacity ? b->capacity : 256;
  while (capacity - b->size < more && capacity <= SIZE_MAX / 2) capacity *= 2;
  uint8_t * data = capacity - b->size < more ? NULL : realloc(b->data, capacity);
  if (!data) {
    b->failed = true;
    return false;
  }
  b->data = data;
  b->capacity = capacity;
  return true;
}

void
put_raw(bytes_t * b, const void * data, size_t size)
{
  if (size == 0 || !bytes_reserve(b, size)) return;
  memcpy(b->data + b->size, data, size);
  b->size += size;
}

static void
put_number(bytes_t * b, uint64_t x, int n)
{
  uint8_t text[8];
  for (int i = 0; i < n; i++) text[i] = (uint8_t)(x >> (8 * i));
  put_raw(b, text, (size_t)n);
}

void
put_u8(bytes_t * b, uint8_t x)
{
  put_number(b, x, 1);
}

void
put_u16(bytes_t * b, uint16_t x)
{
  put_number(b, x, 2);
}

void
put_u32(bytes_t * b, uint32_t x)
{
  put_number(b, x, 4);
}

void
put_u64(bytes_t * b, uint64_t x)
{
  put_number(b, x, 8);
}

void
put_text(bytes_t * b, const char * text)
{
  const size_t size = strlen(text);
  put_u32(b, (uint32_t)size);
  put_raw(b, text, size);
}

size_t
put_length_u32(bytes_t * b)
{
  put_u32(b, 0);
  return b->size;
}

size_t
put_length_u64(bytes_t * b)
{
  put_u64(b, 0);
  return b->size;
}

static void
end_length(bytes_t * b, size_t at, size_t n)
{
  if (b->failed) return;
  const uint64_t length = b->size - at;
  for (size_t i = 0; i < n; i++) b->data[at - n + i] = (uint8_t)(length >> (8 * i));
}

void
end_length_u32(bytes_t * b, size_t at)
{
  end_length(b, at, 4);
}

void
end_length_u64(bytes_t * b, size_t at)
{
  end_length(b, at, 8);
}

//---------- cursor ----------

cursor_t
cursor_of(const void * data, size_t size)
{
  const uint8_t * at = data;
  return (cursor_t){at, size ? at + size : at, true};
}

size_t
cursor_left(const cursor_t * c)
{
  return (size_t)(c->end - c->at);
}

span_t
get_span(cursor_t * c, uint64_t size)
{
  if (!c->ok || size > cursor_left(c)) {
    c->ok = false;
    c->at = c->end;
    return (span_t){c->end, 0};
  }
  const span_t s = {c->at, (size_t)size};
  c->at += size;
  return s;
}

static uint64_t
get_number(cursor_t * c, size_t n)
{
  const span_t s = get_span(c, n);
  uint64_t x = 0;
  for (size_t i = 0; i < s.size; i++) x |= (uint64_t)s.data[i] << (8 * i);
  return x;
}

uint8_t
get_u8(cursor_t * c)
{
  return (uint8_t)get_number(c, 1);
}

uint16_t
get_u16(cursor_t * c)
{
  return (uint16_t)get_number(c, 2);
}

uint32_t
get_u32(cursor_t * c)
{
  return (uint32_t)get_number(c, 4);
}

uint64_t
get_u64(cursor_t * c)
{
  return get_number(c, 8);
}

span_t
get_text(cursor_t * c)
{
  const uint32_t size = get_u32(c);
  return get_span(c, size);
}

bool
span_is(span_t s, const char * text)
{
  return s.size == strlen(text) && (s.size == 0 || memcmp(s.data, text, s.size) == 0);
}

char *
span_copy(span_t s)
{
  return s.size ? strndup((const char *)s.data, s.size) : calloc(1, 1);
}
