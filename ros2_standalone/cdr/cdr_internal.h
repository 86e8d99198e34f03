// What reader and writer share: sizes of field types, and how rosidl lays out its containers.
#ifndef CDR_INTERNAL_H_
#define CDR_INTERNAL_H_

#include <string.h>

#include "cdr.h"
#include "rosidl_runtime_c/string.h"
#include "rosidl_typesupport_introspection_c/field_types.h"

typedef rosidl_typesupport_introspection_c__MessageMember cdr_member_t;

enum {
  CDR_ENCAPSULATION = 4,
  CDR_SERVICE_HEADER = 16,
  CDR_BOOL = rosidl_typesupport_introspection_c__ROS_TYPE_BOOLEAN,
  CDR_STRING = rosidl_typesupport_introspection_c__ROS_TYPE_STRING,
  CDR_MESSAGE = rosidl_typesupport_introspection_c__ROS_TYPE_MESSAGE
};

// every rosidl sequence looks like this; it is copied in and out, never aliased
typedef struct cdr_sequence {
  void * data;
  size_t size;
  size_t capacity;
} cdr_sequence_t;

static inline cdr_sequence_t
cdr_get_sequence(const void * field)
{
  cdr_sequence_t s;
  memcpy(&s, field, sizeof s);
  return s;
}

static inline void
cdr_set_sequence(void * field, const cdr_sequence_t * s)
{
  memcpy(field, s, sizeof *s);
}

// bytes of a number on the wire, which are those in memory and its alignment; 0 for other types
static inline size_t
cdr_number_size(uint8_t type)
{
  static const uint8_t size[] = {0, 4, 8, 0, 1, 0, 1, 1, 1, 1, 2, 2, 4, 4, 8, 8};
  return type < sizeof size ? size[type] : 0;
}

// whether count numbers of 1, 2, 4 or 8 bytes fit: shifts by 0 to 3 in place of a division
static inline bool
cdr_fits(size_t count, size_t size, size_t capacity)
{
  return count <= capacity >> ((size >> 1) - (size >> 3));
}

static inline bool
cdr_is_sequence(const cdr_member_t * member)
{
  return member->is_array_ && (member->array_size_ == 0 || member->is_upper_bound_);
}

static inline const cdr_members_t *
cdr_submembers(const cdr_member_t * member)
{
  return member->members_->data;
}

// bytes of one element in memory
static inline size_t
cdr_element_size(const cdr_member_t * member)
{
  if (member->type_id_ == CDR_MESSAGE) return cdr_submembers(member)->size_of_;
  if (member->type_id_ == CDR_STRING) return sizeof(rosidl_runtime_c__String);
  return cdr_number_size(member->type_id_);
}

static inline bool
cdr_host_is_little_endian(void)
{
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return first == 1;
}

// copy numbers and turn the bytes of each around
static inline void
cdr_copy_swapped(uint8_t * to, const uint8_t * from, size_t count, size_t size)
{
  for (size_t i = 0; i < count * size; i += size) {
    for (size_t k = 0; k < size; k++) to[i + k] = from[i + size - 1 - k];
  }
}

#endif  // CDR_INTERNAL_H_
