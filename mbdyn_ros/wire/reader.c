#include "reader.h"

#include <string.h>

#include "byte_order.h"

enum { ENCAPSULATION = 4 };

static uint32_t
swapped(uint32_t u)
{
  return u >> 24 | (u >> 8 & 0xff00) | (u << 8 & 0xff0000) | u << 24;
}

// numbers from the buffer may lie at any address
static uint32_t
load_u32(const uint8_t * from, bool swap)
{
  uint32_t u;
  memcpy(&u, from, sizeof u);
  return swap ? swapped(u) : u;
}

static uint64_t
load_u64(const uint8_t * from, bool swap)
{
  uint64_t u;
  memcpy(&u, from, sizeof u);
  return swap ? (uint64_t)swapped((uint32_t)u) << 32 | swapped((uint32_t)(u >> 32)) : u;
}

static double
load_f64(const uint8_t * from, bool swap)
{
  const uint64_t u = load_u64(from, swap);
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}

// n doubles, unchanged to the bit
static void
load_doubles(const uint8_t * from, bool swap, double * x, size_t n)
{
  if (!swap) {
    if (n) memcpy(x, from, n * sizeof *x);
    return;
  }
  for (size_t i = 0; i < n; i++) x[i] = load_f64(from + 8 * i, true);
}

wire_reader_t
wire_open(const uint8_t * buffer, size_t size)
{
  wire_reader_t r = {0};
  if (!buffer || size < ENCAPSULATION || buffer[0] != 0 || buffer[1] > 1) return r;
  r.data = buffer + ENCAPSULATION;
  r.size = size - ENCAPSULATION;
  r.swap = (buffer[1] == 1) != wire_host_is_little_endian();
  r.ok = true;
  return r;
}

bool
wire_ok(const wire_reader_t * r)
{
  return r->ok;
}

// the next n elements of a size (a power of two), aligned to it; NULL if they are not all there
static const uint8_t *
next_elements(wire_reader_t * r, size_t n, size_t size)
{
  const size_t pad = (0 - r->at) & (size - 1);
  const size_t left = r->size - r->at;
  if (!r->ok || pad > left || n > (left - pad) / size) {
    r->ok = false;
    return NULL;
  }
  const uint8_t * found = r->data + r->at + pad;
  r->at += pad + n * size;
  return found;
}

uint8_t
wire_u8(wire_reader_t * r)
{
  const uint8_t * from = next_elements(r, 1, 1);
  return from ? *from : 0;
}

uint32_t
wire_u32(wire_reader_t * r)
{
  const uint8_t * from = next_elements(r, 1, 4);
  return from ? load_u32(from, r->swap) : 0;
}

uint64_t
wire_u64(wire_reader_t * r)
{
  const uint8_t * from = next_elements(r, 1, 8);
  return from ? load_u64(from, r->swap) : 0;
}

int32_t
wire_i32(wire_reader_t * r)
{
  const uint32_t u = wire_u32(r);
  int32_t i;
  memcpy(&i, &u, sizeof i);
  return i;
}

double
wire_f64(wire_reader_t * r)
{
  const uint8_t * from = next_elements(r, 1, 8);
  return from ? load_f64(from, r->swap) : 0;
}

void
wire_f64_array(wire_reader_t * r, double * x, size_t n)
{
  const uint8_t * from = n ? next_elements(r, n, 8) : NULL;
  if (!x) return;
  if (from) {
    load_doubles(from, r->swap, x, n);
  } else {
    for (size_t i = 0; i < n; i++) x[i] = 0;
  }
}

const uint8_t *
wire_bytes(wire_reader_t * r, uint32_t n)
{
  return n ? next_elements(r, n, 1) : NULL;
}

wire_text_t
wire_string(wire_reader_t * r)
{
  const wire_text_t none = {"", 0};
  const uint32_t length = wire_u32(r);
  if (length == 0) return none;
  const uint8_t * from = next_elements(r, length, 1);
  if (!from) return none;
  if (from[length - 1] != 0) {
    r->ok = false;
    return none;
  }
  const uint8_t * end = memchr(from, 0, length);
  return (wire_text_t){(const char *)from, (uint32_t)(end - from)};
}

wire_numbers_t
wire_f64_sequence(wire_reader_t * r)
{
  wire_numbers_t s = {.n = wire_u32(r), .swap = r->swap};
  if (s.n) s.data = next_elements(r, s.n, 8);
  if (!s.data) s.n = 0;
  return s;
}

double
wire_number(const wire_numbers_t * s, uint32_t i)
{
  return load_f64(s->data + (size_t)8 * i, s->swap);
}

void
wire_copy_numbers(const wire_numbers_t * s, double * x)
{
  load_doubles(s->data, s->swap, x, s->n);
}

wire_integers_t
wire_i32_sequence(wire_reader_t * r)
{
  wire_integers_t s = {.n = wire_u32(r), .swap = r->swap};
  if (s.n) s.data = next_elements(r, s.n, 4);
  if (!s.data) s.n = 0;
  return s;
}

int32_t
wire_integer(const wire_integers_t * s, uint32_t i)
{
  const uint32_t u = load_u32(s->data + (size_t)4 * i, s->swap);
  int32_t x;
  memcpy(&x, &u, sizeof x);
  return x;
}

bool
wire_text_is(wire_text_t text, const char * string)
{
  return strlen(string) == text.size && memcmp(text.data, string, text.size) == 0;
}
