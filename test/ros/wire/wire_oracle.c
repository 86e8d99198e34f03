#include "wire_oracle.h"

#include <stdlib.h>
#include <string.h>

#include "cdr_internal.h"
#include "ros2_types.h"
#include "rosidl_runtime_c/string_functions.h"

//---------- types ----------

const cdr_members_t *
oracle_members(const oracle_kind_t * kind)
{
  return ros2_type_members(ros2_find_type(kind->type));
}

const cdr_members_t *
oracle_needed(const oracle_kind_t * kind)
{
  // header, names, reference
  static cdr_members_t first;
  if (kind->whole) return oracle_members(kind);
  first = *oracle_members(kind);
  first.member_count_ = 3;
  return &first;
}

const oracle_kind_t *
oracle_find(const char * type)
{
  size_t count;
  const oracle_kind_t * kind = oracle_kinds(&count);
  for (size_t i = 0; i < count; i++) {
    if (strcmp(kind[i].type, type) == 0) return &kind[i];
  }
  return NULL;
}

//---------- random content ----------

uint64_t
oracle_below(uint64_t * state, uint64_t n)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % n;
}

void
oracle_any(uint64_t * state, void * to, size_t bytes)
{
  uint8_t * byte = to;
  for (size_t i = 0; i < bytes; i++) byte[i] = (uint8_t)oracle_below(state, 256);
}

static void
random_string(uint64_t * state, rosidl_runtime_c__String * to)
{
  char text[16];
  const size_t n = (size_t)oracle_below(state, sizeof text);
  for (size_t i = 0; i < n; i++) text[i] = (char)('!' + oracle_below(state, 94));
  if (!rosidl_runtime_c__String__assignn(to, text, n)) abort();
}

static void random_fields(uint64_t * state, const cdr_members_t * members, uint8_t * message);

static void
random_field(uint64_t * state, const cdr_member_t * member, uint8_t * field, size_t count)
{
  if (cdr_is_sequence(member)) {
    if (!member->resize_function(field, count)) abort();
    field = cdr_get_sequence(field).data;
  }
  const size_t stride = cdr_element_size(member);
  for (size_t i = 0; i < count; i++) {
    if (member->type_id_ == CDR_STRING) {
      random_string(state, (rosidl_runtime_c__String *)(void *)(field + i * stride));
    } else if (member->type_id_ == CDR_MESSAGE) {
      random_fields(state, cdr_submembers(member), field + i * stride);
    } else {
      oracle_any(state, field + i * stride, stride);
    }
  }
}

static void
random_fields(uint64_t * state, const cdr_members_t * members, uint8_t * message)
{
  for (uint32_t i = 0; i < members->member_count_; i++) {
    const cdr_member_t * member = &members->members_[i];
    size_t count = member->is_array_ ? member->array_size_ : 1;
    if (cdr_is_sequence(member)) count = (size_t)oracle_below(state, 6);
    random_field(state, member, message + member->offset_, count);
  }
}

void *
oracle_new(const oracle_kind_t * kind)
{
  const cdr_members_t * members = oracle_members(kind);
  void * message = calloc(1, members->size_of_);
  if (!message) abort();
  members->init_function(message, ROSIDL_RUNTIME_C_MSG_INIT_ALL);
  return message;
}

void
oracle_free(const oracle_kind_t * kind, void * message)
{
  oracle_members(kind)->fini_function(message);
  free(message);
}

void *
oracle_random(const oracle_kind_t * kind, uint64_t * state)
{
  void * message = oracle_new(kind);
  random_fields(state, oracle_members(kind), message);
  kind->repair(message, state);
  return message;
}

//---------- bytes ----------

static void
reverse(uint8_t * data, size_t * at, size_t size)
{
  *at = (*at + size - 1) & ~(size - 1);
  for (size_t i = 0; i < size / 2; i++) {
    const uint8_t byte = data[*at + i];
    data[*at + i] = data[*at + size - 1 - i];
    data[*at + size - 1 - i] = byte;
  }
  *at += size;
}

// turns every number around; the message says where they are
static void
reverse_fields(uint8_t * data, size_t * at, const cdr_members_t * members, const uint8_t * message)
{
  for (uint32_t i = 0; i < members->member_count_; i++) {
    const cdr_member_t * member = &members->members_[i];
    const uint8_t * field = message + member->offset_;
    size_t count = member->is_array_ ? member->array_size_ : 1;
    if (cdr_is_sequence(member)) {
      reverse(data, at, 4);
      count = cdr_get_sequence(field).size;
      field = cdr_get_sequence(field).data;
    }
    const size_t stride = count ? cdr_element_size(member) : 0;
    for (size_t k = 0; k < count; k++, field += stride) {
      if (member->type_id_ == CDR_STRING) {
        rosidl_runtime_c__String s;
        memcpy(&s, field, sizeof s);
        reverse(data, at, 4);
        *at += s.size + 1;
      } else if (member->type_id_ == CDR_MESSAGE) {
        reverse_fields(data, at, cdr_submembers(member), field);
      } else {
        reverse(data, at, stride);
      }
    }
  }
}

uint8_t *
oracle_encode(const oracle_kind_t * kind, const void * message, bool big_endian, size_t * size)
{
  const cdr_members_t * members = oracle_members(kind);
  *size = cdr_size(members, message);
  uint8_t * bytes = malloc(*size);
  if (!bytes || !cdr_write(members, message, bytes, *size)) abort();
  if (big_endian) {
    size_t at = 0;
    bytes[1] = 0;
    reverse_fields(bytes + CDR_ENCAPSULATION, &at, members, message);
    if (at != *size - CDR_ENCAPSULATION) abort();
  }
  return bytes;
}

//---------- the verdict ----------

// shortest beginning that the codec takes: more bytes never make it refuse what fewer did not
static size_t
shortest(const cdr_members_t * members, const uint8_t * bytes, size_t size, void * message)
{
  size_t low = 0;
  while (low < size) {
    const size_t middle = low + (size - low) / 2;
    if (cdr_read(members, bytes, middle, NULL, message)) {
      size = middle;
    } else {
      low = middle + 1;
    }
  }
  return size;
}

bool
oracle_agrees(const oracle_kind_t * kind, const uint8_t * bytes, size_t size)
{
  const cdr_members_t * members = oracle_needed(kind);
  void * message = oracle_new(kind);
  oracle_result_t result;
  memset(&result, 0xa5, sizeof result);
  const bool taken = kind->read(bytes, size, &result);

  bool expected = cdr_read(members, bytes, size, NULL, message) && kind->valid(message);
  if (expected && kind->whole)
    expected = size - shortest(members, bytes, size, message) <= 3 &&
               cdr_read(members, bytes, size, NULL, message);
  const bool agrees = taken == expected && (!taken || kind->same(&result, message));
  oracle_free(kind, message);
  return agrees;
}
