// Single values of a message: a message in memory is bytes with a table, so every access is a copy.
#include "message_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  REAL32 = rosidl_typesupport_introspection_c__ROS_TYPE_FLOAT,
  REAL64 = rosidl_typesupport_introspection_c__ROS_TYPE_DOUBLE,
  CHAR = rosidl_typesupport_introspection_c__ROS_TYPE_CHAR,
  OCTET = rosidl_typesupport_introspection_c__ROS_TYPE_OCTET,
  UINT8 = rosidl_typesupport_introspection_c__ROS_TYPE_UINT8,
  INT8 = rosidl_typesupport_introspection_c__ROS_TYPE_INT8,
  UINT64 = rosidl_typesupport_introspection_c__ROS_TYPE_UINT64,
  INT64 = rosidl_typesupport_introspection_c__ROS_TYPE_INT64
};

//---------- real numbers ----------

bool
value_is_real(uint8_t type)
{
  return type == REAL32 || type == REAL64;
}

double
value_get_real(uint8_t type, const void * field)
{
  float f;
  double d;
  if (type == REAL64) {
    memcpy(&d, field, sizeof d);
  } else {
    memcpy(&f, field, sizeof f);
    d = (double)f;
  }
  return d;
}

void
value_set_real(uint8_t type, void * field, double x)
{
  const float f = (float)x;
  if (type == REAL64) {
    memcpy(field, &x, sizeof x);
  } else {
    memcpy(field, &f, sizeof f);
  }
}

// reads back as the same number
static bool
is_exact(uint8_t type, const char * text, double x)
{
  const double back = strtod(text, NULL);
  if (type == REAL64) return memcmp(&back, &x, sizeof x) == 0;
  const float a = (float)back, b = (float)x;
  return memcmp(&a, &b, sizeof a) == 0;
}

value_text_t
value_print_real(uint8_t type, const void * field)
{
  value_text_t text = {""};
  const double x = value_get_real(type, field);
  if (!isfinite(x)) {
    snprintf(text.s, sizeof text.s, "%s", isnan(x) ? ".nan" : x > 0 ? ".inf" : "-.inf");
    return text;
  }

  // as few digits as it takes
  for (int digits = type == REAL64 ? 15 : 6; digits <= 17; digits++) {
    snprintf(text.s, sizeof text.s - 2, "%.*g", digits, x);
    if (is_exact(type, text.s, x)) break;
  }
  if (!strpbrk(text.s, ".,e")) strcat(text.s, ".0");
  return text;
}

//---------- integers ----------

static bool
is_signed(uint8_t type)
{
  return type >= INT8 && type <= INT64 && type % 2 == 1;
}

bool
value_is_byte(uint8_t type)
{
  return type == OCTET || type == CHAR || type == UINT8;
}

int64_t
value_get_integer(uint8_t type, const void * field)
{
  const size_t size = cdr_number_size(type);
  uint64_t bits = 0;
  uint8_t u8;
  uint16_t u16;
  uint32_t u32;
  if (size == 1) memcpy(&u8, field, 1), bits = u8;
  if (size == 2) memcpy(&u16, field, 2), bits = u16;
  if (size == 4) memcpy(&u32, field, 4), bits = u32;
  if (size == 8) memcpy(&bits, field, 8);

  // carry the sign up
  const uint64_t sign = (uint64_t)1 << (8 * size - 1);
  if (is_signed(type) && bits & sign) bits |= ~(sign - 1);
  int64_t x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

value_text_t
value_print_integer(uint8_t type, const void * field)
{
  value_text_t text;
  const int64_t x = value_get_integer(type, field);
  if (is_signed(type)) {
    snprintf(text.s, sizeof text.s, "%" PRId64, x);
  } else {
    snprintf(text.s, sizeof text.s, "%" PRIu64, (uint64_t)x);
  }
  return text;
}

bool
value_set_integer(uint8_t type, void * field, uint64_t bits, bool negative)
{
  const size_t size = cdr_number_size(type);
  const uint64_t top = UINT64_MAX >> (64 - 8 * size), high = top >> 1;
  if (negative && (!is_signed(type) || ~bits > high)) return false;
  if (!negative && bits > (is_signed(type) ? high : top)) return false;

  const uint8_t u8 = (uint8_t)bits;
  const uint16_t u16 = (uint16_t)bits;
  const uint32_t u32 = (uint32_t)bits;
  if (size == 1) memcpy(field, &u8, 1);
  if (size == 2) memcpy(field, &u16, 2);
  if (size == 4) memcpy(field, &u32, 4);
  if (size == 8) memcpy(field, &bits, 8);
  return true;
}

//---------- containers ----------

const uint8_t *
value_elements(const cdr_member_t * member, const uint8_t * field, size_t * count)
{
  *count = member->array_size_;
  if (!cdr_is_sequence(member)) return field;
  const cdr_sequence_t s = cdr_get_sequence(field);
  *count = s.size;
  return s.data;
}

bool
value_is_dummy(const cdr_member_t * member)
{
  return strcmp(member->name_, "structure_needs_at_least_one_member") == 0;
}
