/// \file writer.h
/// CDR bytes that grow, little endian: what messages_out.c builds its messages with. After a failure
/// (out of memory, a count over 32 bits) nothing is written any more and ok is false: check once, at
/// the end. The layout is that of reader.h.
///
///   wire_writer_open     the encapsulation
///   wire_put_u8, wire_put_u32, wire_put_u64    numbers, aligned
///   wire_put_f64s        the same double n times
///   wire_put_string, wire_put_joined           text, two texts as one
///   wire_put_count       of a sequence
///   wire_writer_close    the bytes
///   wire_store_u32, wire_store_u64, wire_store_f64s    numbers at an address, unaligned
#ifndef MBDYN_ROS__WIRE_WRITER_H_
#define MBDYN_ROS__WIRE_WRITER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wire_writer {
  uint8_t * bytes;
  size_t size;  ///< so far, encapsulation included
  size_t capacity;
  bool ok;
} wire_writer_t;

wire_writer_t wire_writer_open(void);
/// Where each begins in the bytes is returned; anything after a failure.
size_t wire_put_u8(wire_writer_t * w, uint8_t x);
size_t wire_put_u32(wire_writer_t * w, uint32_t x);
size_t wire_put_u64(wire_writer_t * w, uint64_t x);
/// Where there are none, nothing is aligned.
size_t wire_put_f64s(wire_writer_t * w, double x, size_t n);
void wire_put_count(wire_writer_t * w, size_t n);
/// NULL counts as empty.
void wire_put_string(wire_writer_t * w, const char * text);
void wire_put_joined(wire_writer_t * w, const char * first, const char * second);
/// Pads to a multiple of four.
/// \param[out] size  of the bytes
/// \return the bytes, from malloc; NULL if anything failed
uint8_t * wire_writer_close(wire_writer_t * w, size_t * size);

void wire_store_u32(uint8_t * to, uint32_t x);
void wire_store_u64(uint8_t * to, uint64_t x);
void wire_store_f64s(uint8_t * to, const double * x, size_t n);

#endif  // MBDYN_ROS__WIRE_WRITER_H_
