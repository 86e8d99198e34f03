#include "writer.h"

#include <stdlib.h>
#include <string.h>

#include "byte_order.h"

enum { ENCAPSULATION = 4 };

//---------- numbers at an address ----------

void
wire_store_u32(uint8_t * to, uint32_t x)
{
  for (int i = 0; i < 4; i++) to[i] = (uint8_t)(x >> 8 * i);
}

void
wire_store_u64(uint8_t * to, uint64_t x)
{
  for (int i = 0; i < 8; i++) to[i] = (uint8_t)(x >> 8 * i);
}

void
wire_store_f64s(uint8_t * to, const double * x, size_t n)
{
  if (n == 0) return;
  if (wire_host_is_little_endian()) {
    memcpy(to, x, n * sizeof *x);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    uint64_t u;
    memcpy(&u, &x[i], sizeof u);
    wire_store_u64(to + 8 * i, u);
  }
}

//---------- bytes that grow ----------

// capacity for n more bytes
static bool
reserve(wire_writer_t * w, size_t n)
{
  if (!w->ok) return false;
  if (n <= w->capacity - w->size) return true;
  w->ok = false;
  if (n > SIZE_MAX / 4 - w->size) return false;
  const size_t capacity = 2 * (w->size + n);
  uint8_t * bytes = realloc(w->bytes, capacity);
  if (!bytes) return false;
  w->bytes = bytes;
  w->capacity = capacity;
  w->ok = true;
  return true;
}

// zeros up to the alignment, then n bytes to be written; NULL on failure
static uint8_t *
add(wire_writer_t * w, size_t n, size_t alignment)
{
  const size_t pad = (ENCAPSULATION - w->size) & (alignment - 1);
  if (!reserve(w, pad + n)) return NULL;
  memset(w->bytes + w->size, 0, pad);
  uint8_t * to = w->bytes + w->size + pad;
  w->size += pad + n;
  return to;
}

wire_writer_t
wire_writer_open(void)
{
  wire_writer_t w = {.ok = true};
  uint8_t * to = add(&w, ENCAPSULATION, 1);
  if (to) memcpy(to, (const uint8_t[]){0, 1, 0, 0}, ENCAPSULATION);
  return w;
}

size_t
wire_put_u8(wire_writer_t * w, uint8_t x)
{
  uint8_t * to = add(w, 1, 1);
  if (to) *to = x;
  return w->size - 1;
}

size_t
wire_put_u32(wire_writer_t * w, uint32_t x)
{
  uint8_t * to = add(w, 4, 4);
  if (to) wire_store_u32(to, x);
  return w->size - 4;
}

size_t
wire_put_u64(wire_writer_t * w, uint64_t x)
{
  uint8_t * to = add(w, 8, 8);
  if (to) wire_store_u64(to, x);
  return w->size - 8;
}

size_t
wire_put_f64s(wire_writer_t * w, double x, size_t n)
{
  if (n == 0) return w->size;
  if (n > SIZE_MAX / 16) w->ok = false;
  uint8_t * to = w->ok ? add(w, 8 * n, 8) : NULL;
  if (!to) return 0;
  for (size_t i = 0; i < n; i++) wire_store_f64s(to + 8 * i, &x, 1);
  return w->size - 8 * n;
}

void
wire_put_count(wire_writer_t * w, size_t n)
{
  if (n > UINT32_MAX) w->ok = false;
  wire_put_u32(w, (uint32_t)n);
}

void
wire_put_joined(wire_writer_t * w, const char * first, const char * second)
{
  const size_t a = first ? strlen(first) : 0, b = second ? strlen(second) : 0;
  wire_put_count(w, a + b + 1);
  uint8_t * to = add(w, a + b + 1, 1);
  if (!to) return;
  if (a) memcpy(to, first, a);
  if (b) memcpy(to + a, second, b);
  to[a + b] = 0;
}

void
wire_put_string(wire_writer_t * w, const char * text)
{
  wire_put_joined(w, text, NULL);
}

uint8_t *
wire_writer_close(wire_writer_t * w, size_t * size)
{
  (void)add(w, 0, 4);
  uint8_t * bytes = w->bytes;
  *size = w->size;
  if (!w->ok) {
    free(bytes);
    bytes = NULL;
    *size = 0;
  }
  *w = (wire_writer_t){0};
  return bytes;
}
