/// \file wire.h
/// Messages and vectors for the tests of the codec.
///
///   wire_for_each    every vector of a file: type, fields, bytes
///   message_new      a message of any type, initialised
///   from_hex         bytes of a hexadecimal text, spaces allowed
#ifndef WIRE_H_
#define WIRE_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cdr.h"
#include "message_json.h"
#include "ros2_types.h"

typedef struct vector {
  const char * name;
  const cdr_members_t * members;
  const json_t * fields;
  uint8_t * bytes;
  size_t size;
  uint8_t * big_endian;  // the same from a big-endian peer, or NULL
} vector_t;

/// Vectors made by an encoder in Python, those of a real ROS 2, and the first as a real ROS 2 has them.
#define OWN_VECTORS      MBDYN_SOURCE_DIR "/test/data/wire/own.json"
#define REAL_VECTORS     MBDYN_SOURCE_DIR "/test/data/wire/humble.json.zst"
#define REAL_OWN_VECTORS MBDYN_SOURCE_DIR "/test/data/wire/humble_own.json"

/// Calls a test on every vector of a file; fails if there is no such file.
/// \return how many there were
int wire_for_each(const char * path, void (*test)(const vector_t * v));

/// A message that message_free takes.
void * message_new(const cdr_members_t * members);
void message_free(const cdr_members_t * members, void * message);

/// Fields of a type that has to be known.
const cdr_members_t * members_of(const char * type);

/// Bytes on the heap.
uint8_t * from_hex(const char * hex, size_t * size);

/// The message as bytes on the heap.
uint8_t * encode(const cdr_members_t * members, const void * message, size_t * size);

/// Fail unless two buffers are equal; prints where they part.
void assert_bytes(
  const char * what, const uint8_t * a, size_t a_size, const uint8_t * b, size_t b_size);

#endif  // WIRE_H_
