/// \file cdr.h
/// Messages to bytes and back: what ROS 2 puts on the wire (CDR, XCDR1), by introspection.
///
///   cdr_unsupported     a field that cannot be sent, before anything is sent
///   cdr_size            bytes that a message takes
///   cdr_write           message -> bytes, little endian
///   cdr_read            bytes -> message, of either endianness
///   cdr_service_size, cdr_service_write, cdr_service_read, cdr_service_peek
///                       the same with the header of requests and replies
///
/// Layout: 4 bytes of encapsulation, then the fields; every number is aligned to its size, counted
/// from the end of the encapsulation. A string is its length with the final NUL, then its bytes; a
/// sequence is its count, then its elements. A message without fields is one zero byte.
///
/// A buffer comes from the network and may hold anything: cdr_read never reads outside it, and
/// never allocates what its size does not justify. Types with wstring, wchar or long double are
/// refused: ROS 2 implementations do not agree on them.
#ifndef CDR_H_
#define CDR_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rosidl_typesupport_introspection_c/message_introspection.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The generated description of a message: handle->data of its introspection type support.
typedef rosidl_typesupport_introspection_c__MessageMembers cdr_members_t;

/// What one cdr_read may use.
typedef struct cdr_limits {
  size_t max_memory;   ///< bytes of sequences and strings that it may allocate anew
  unsigned max_depth;  ///< messages within messages
} cdr_limits_t;

/// Limits that stand for NULL: 64 MiB, 32 levels.
extern const cdr_limits_t cdr_default_limits;

/// What ties a reply to its request.
typedef struct cdr_request_id {
  uint64_t guid;     ///< of the client; opaque
  int64_t sequence;  ///< number of the request
} cdr_request_id_t;

/// Name of the first field (at any depth) whose type cannot be sent, or NULL if all can.
const char * cdr_unsupported(const cdr_members_t * members);

/// Bytes that cdr_write needs, encapsulation included, without final padding; 0 if the message
/// cannot be written: a field is over its bound or of an unsupported type.
///
/// Complexity O(fields + elements that are not numbers) | Allocates no | Thread-safe yes
size_t cdr_size(const cdr_members_t * members, const void * message);

/// Writes a message. If the buffer is large enough, up to 3 zero bytes follow, to a multiple of 4.
/// \param[in]  message  initialised; a NULL string counts as empty
/// \param[out] buffer   size bytes, at least cdr_size
/// \return false if the message does not fit or cannot be written
///
/// Allocates no | Thread-safe yes | Real-time safe yes
bool cdr_write(const cdr_members_t * members, const void * message, uint8_t * buffer, size_t size);

/// Reads a message into one that is initialised, and reuses its memory: sequences and strings are
/// allocated anew only when they grow beyond the longest so far.
///
/// As rmw_cyclonedds does: any bool but 0 is true; a string of length 0 is empty; a string ends at
/// its first NUL; options of the encapsulation and bytes after the message are not looked at.
/// Refused: an encapsulation other than CDR_BE and CDR_LE, data that ends too soon, a string
/// without NUL, a sequence longer than its bound or than the bytes left can hold, what the limits
/// forbid.
///
/// \param[in]     buffer   encapsulation and fields
/// \param[in]     limits   or NULL for cdr_default_limits
/// \param[in,out] message  after a failure some fields are read and others not, but all are valid
/// \return false if refused or out of memory
///
/// Allocates when a field grows | Thread-safe per message | Real-time safe once the message has
/// grown
bool cdr_read(
  const cdr_members_t * members, const uint8_t * buffer, size_t size, const cdr_limits_t * limits,
  void * message);

/// As cdr_size, with the 16 bytes that tie a reply to its request.
size_t cdr_service_size(const cdr_members_t * members, const void * message);

/// As cdr_write, with the header.
bool cdr_service_write(
  const cdr_members_t * members, const cdr_request_id_t * id, const void * message,
  uint8_t * buffer, size_t size);

/// As cdr_read, with the header.
bool cdr_service_read(
  const cdr_members_t * members, const uint8_t * buffer, size_t size, const cdr_limits_t * limits,
  cdr_request_id_t * id, void * message);

/// The header alone, to tell whose reply it is before reading the rest.
/// \return false if there is none
bool cdr_service_peek(const uint8_t * buffer, size_t size, cdr_request_id_t * id);

#ifdef __cplusplus
}
#endif

#endif  // CDR_H_
