// Little-endian bytes: a buffer that grows, and a cursor that never leaves what it was given.
#ifndef BYTES_H_
#define BYTES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bytes {
  uint8_t * data;
  size_t size, capacity;
  bool failed;  // out of memory: nothing is added any more
} bytes_t;

void bytes_free(bytes_t * b);
// capacity for so many more; false if out of memory
bool bytes_reserve(bytes_t * b, size_t more);
void put_raw(bytes_t * b, const void * data, size_t size);
void put_u8(bytes_t * b, uint8_t x);
void put_u16(bytes_t * b, uint16_t x);
void put_u32(bytes_t * b, uint32_t x);
void put_u64(bytes_t * b, uint64_t x);
void put_text(bytes_t * b, const char * text);  // length, then bytes
// a length that is not known yet: where it is; and its value, the bytes since then
size_t put_length_u32(bytes_t * b);
size_t put_length_u64(bytes_t * b);
void end_length_u32(bytes_t * b, size_t at);
void end_length_u64(bytes_t * b, size_t at);

typedef struct cursor {
  const uint8_t *at, *end;
  bool ok;  // false after reading past the end; everything is zero then
} cursor_t;

// text that is not terminated
typedef struct span {
  const uint8_t * data;
  size_t size;
} span_t;

cursor_t cursor_of(const void * data, size_t size);
size_t cursor_left(const cursor_t * c);
uint8_t get_u8(cursor_t * c);
uint16_t get_u16(cursor_t * c);
uint32_t get_u32(cursor_t * c);
uint64_t get_u64(cursor_t * c);
span_t get_span(cursor_t * c, uint64_t size);
span_t get_text(cursor_t * c);  // length of 32 bits, then bytes
bool span_is(span_t s, const char * text);
// terminated copy, cut at the first NUL; NULL if out of memory
char * span_copy(span_t s);

#endif  // BYTES_H_
