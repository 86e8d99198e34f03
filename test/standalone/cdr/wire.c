#include "wire.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "json_file.h"

void *
message_new(const cdr_members_t * members)
{
  void * message = calloc(1, members->size_of_);
  assert_non_null(message);
  members->init_function(message, ROSIDL_RUNTIME_C_MSG_INIT_ALL);
  return message;
}

void
message_free(const cdr_members_t * members, void * message)
{
  members->fini_function(message);
  free(message);
}

const cdr_members_t *
members_of(const char * type)
{
  const cdr_members_t * members = ros2_type_members(ros2_find_type(type));
  if (!members) fail_msg("type %s is not known", type);
  return members;
}

uint8_t *
from_hex(const char * hex, size_t * size)
{
  uint8_t * bytes = malloc(strlen(hex) / 2 + 1);
  assert_non_null(bytes);
  *size = 0;
  for (const char * p = hex; *p;) {
    if (isspace((unsigned char)*p)) {
      p++;
      continue;
    }
    char pair[3] = {p[0], p[1], 0};
    bytes[(*size)++] = (uint8_t)strtoul(pair, NULL, 16);
    p += 2;
  }
  return bytes;
}

uint8_t *
encode(const cdr_members_t * members, const void * message, size_t * size)
{
  *size = cdr_size(members, message);
  assert_true(*size > 0);
  uint8_t * bytes = malloc(*size);
  assert_non_null(bytes);
  assert_true(cdr_write(members, message, bytes, *size));
  return bytes;
}

void
assert_bytes(const char * what, const uint8_t * a, size_t a_size, const uint8_t * b, size_t b_size)
{
  size_t i = 0;
  while (i < a_size && i < b_size && a[i] == b[i]) i++;
  if (i == a_size && i == b_size) return;
  fail_msg("%s: %zu and %zu bytes, which differ from byte %zu on", what, a_size, b_size, i);
}

int
wire_for_each(const char * path, void (*test)(const vector_t * v))
{
  json_t * file = json_file_load(path);
  int count = 0;
  size_t i;
  json_t * item;
  json_array_foreach(json_object_get(file, "vectors"), i, item)
  {
    vector_t v = {.name = json_string_value(json_object_get(item, "name"))};
    v.members = members_of(json_string_value(json_object_get(item, "ros_type")));
    v.fields = json_object_get(item, "fields");
    v.bytes = from_hex(json_string_value(json_object_get(item, "cdr_hex")), &v.size);
    const char * swapped = json_string_value(json_object_get(item, "big_endian_hex"));
    size_t size;
    v.big_endian = swapped ? from_hex(swapped, &size) : NULL;
    test(&v);
    free(v.bytes), free(v.big_endian);
    count++;
  }
  json_decref(file);
  return count;
}
