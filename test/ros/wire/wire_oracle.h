/// \file wire_oracle.h
/// The generated types and the codec of the stand-in as oracle for what the node reads by itself.
/// Shared by the tests and the fuzzer: no cmocka here.
///
///   oracle_kinds      every message that the node reads
///   oracle_random     one of random content, which the node takes
///   oracle_encode     its bytes, of either endianness
///   oracle_agrees     the node's verdict on any bytes is that of the codec
#ifndef WIRE_ORACLE_H_
#define WIRE_ORACLE_H_

#include "cdr.h"
#include "messages_in.h"

/// What any of the readers gives.
typedef union oracle_result {
  wire_joint_state_t joint_state;
  wire_numbers_t numbers;
  wire_stamped_t stamped;
  wire_odometry_t odometry;
  wire_reference_t reference;
} oracle_result_t;

typedef struct oracle_kind {
  const char * type;  ///< "sensor_msgs/msg/JointState"
  bool (*read)(const uint8_t * buffer, size_t size, oracle_result_t * out);
  /// What the node asks for beyond the layout.
  bool (*valid)(const void * message);
  /// Every field is the message's, to the bit.
  bool (*same)(const oracle_result_t * read, const void * message);
  /// Makes a random message valid.
  void (*repair)(void * message, uint64_t * state);
  bool whole;  ///< the reader looks at all of it
} oracle_kind_t;

const oracle_kind_t * oracle_kinds(size_t * count);
/// NULL if the node does not read it.
const oracle_kind_t * oracle_find(const char * type);

/// All fields; those that the node looks at.
const cdr_members_t * oracle_members(const oracle_kind_t * kind);
const cdr_members_t * oracle_needed(const oracle_kind_t * kind);

/// Uniform below n, and any bytes, from a 64-bit state.
uint64_t oracle_below(uint64_t * state, uint64_t n);
void oracle_any(uint64_t * state, void * to, size_t bytes);

void * oracle_new(const oracle_kind_t * kind);
void oracle_free(const oracle_kind_t * kind, void * message);
void * oracle_random(const oracle_kind_t * kind, uint64_t * state);

/// Bytes on the heap, exactly as many as there are.
uint8_t * oracle_encode(
  const oracle_kind_t * kind, const void * message, bool big_endian, size_t * size);

/// The node takes these bytes if and only if the codec does, the message is valid, and at most three
/// bytes follow it; and then every field is the same.
bool oracle_agrees(const oracle_kind_t * kind, const uint8_t * bytes, size_t size);

#endif  // WIRE_ORACLE_H_
