/// \file reader.h
/// A bounded reader of CDR bytes, of either endianness: what the control thread uses instead of
/// message structures. Never reads outside the buffer, never allocates. After a failure everything
/// reads as zero and wire_ok is false: check once, at the end.
///
///   wire_open                          the encapsulation
///   wire_u8, wire_i32, wire_u32, wire_u64, wire_f64    numbers, aligned
///   wire_f64_array, wire_bytes         numbers in a row, without a count
///   wire_string, wire_text_is          a view into the buffer
///   wire_f64_sequence                  a view of doubles
///   wire_number, wire_copy_numbers     one of them, all of them
///   wire_i32_sequence, wire_integer    a view of integers, one of them
///
/// Layout: 4 bytes of encapsulation, then the fields; every number is aligned to its size, counted
/// from the end of the encapsulation. A string is its length with the final NUL, then its bytes; a
/// sequence is its count, then its elements, which are only aligned if there are any.
///
/// As rmw_cyclonedds does: a string of length 0 is empty, options of the encapsulation are not
/// looked at, padding may be anything (Fast DDS leaves there what was there before).
#ifndef MBDYN_ROS__WIRE_READER_H_
#define MBDYN_ROS__WIRE_READER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wire_reader {
  const uint8_t * data;  ///< after the encapsulation
  size_t size, at;
  bool swap;  ///< the other endianness
  bool ok;
} wire_reader_t;

/// Text in the buffer, without the final NUL; it ends at the first NUL.
typedef struct wire_text {
  const char * data;
  uint32_t size;
} wire_text_t;

/// A sequence of doubles in the buffer, at any address: to be read by the functions alone.
typedef struct wire_numbers {
  const uint8_t * data;
  uint32_t n;
  bool swap;
} wire_numbers_t;

/// A sequence of 32-bit integers, likewise.
typedef struct wire_integers {
  const uint8_t * data;
  uint32_t n;
  bool swap;
} wire_integers_t;

/// Encapsulations other than CDR_BE and CDR_LE are refused.
wire_reader_t wire_open(const uint8_t * buffer, size_t size);
bool wire_ok(const wire_reader_t * r);
uint8_t wire_u8(wire_reader_t * r);
int32_t wire_i32(wire_reader_t * r);
uint32_t wire_u32(wire_reader_t * r);
uint64_t wire_u64(wire_reader_t * r);
double wire_f64(wire_reader_t * r);
/// n doubles; x may be NULL to skip them.
void wire_f64_array(wire_reader_t * r, double * x, size_t n);
/// n bytes in the buffer; NULL if they are not all there, or none.
const uint8_t * wire_bytes(wire_reader_t * r, uint32_t n);
/// Refused if its last byte is not NUL. Never NULL.
wire_text_t wire_string(wire_reader_t * r);
wire_numbers_t wire_f64_sequence(wire_reader_t * r);
/// Element i < n.
double wire_number(const wire_numbers_t * s, uint32_t i);
/// All n of them.
void wire_copy_numbers(const wire_numbers_t * s, double * x);
wire_integers_t wire_i32_sequence(wire_reader_t * r);
/// Element i < n.
int32_t wire_integer(const wire_integers_t * s, uint32_t i);
bool wire_text_is(wire_text_t text, const char * string);

#endif  // MBDYN_ROS__WIRE_READER_H_
