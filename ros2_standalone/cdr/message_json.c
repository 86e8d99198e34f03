// Messages <-> JSON: a walk over the introspection tables, field by field.
#include "message_json.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "cdr_internal.h"
#include "message_value.h"
#include "rosidl_runtime_c/string_functions.h"

typedef struct reader {
  char * error;
  size_t error_size;
  char path[256];  // of the field at hand: "header.stamp.sec", "points[2].effort"
} reader_t;

static bool members_from_json(
  reader_t * r, const cdr_members_t * members, const json_t * object, uint8_t * message);

// always false
static bool
fail(reader_t * r, const char * format, ...)
{
  if (!r->error || r->error_size == 0) return false;
  const int n = snprintf(r->error, r->error_size, "%s%s", r->path, r->path[0] ? ": " : "");
  if (n < 0 || (size_t)n >= r->error_size) return false;
  va_list list;
  va_start(list, format);
  vsnprintf(r->error + n, r->error_size - (size_t)n, format, list);
  va_end(list);
  return false;
}

static size_t
path_push(reader_t * r, const char * format, ...)
{
  const size_t old = strlen(r->path);
  va_list list;
  va_start(list, format);
  vsnprintf(r->path + old, sizeof r->path - old, format, list);
  va_end(list);
  return old;
}

//---------- JSON -> message: single values ----------

static bool
real_from_json(reader_t * r, uint8_t type, const json_t * value, void * field)
{
  static const struct {
    const char * text;
    double value;
  } words[] = {{"nan", (double)NAN},  {"inf", (double)INFINITY},  {"-inf", -(double)INFINITY},
               {".nan", (double)NAN}, {".inf", (double)INFINITY}, {"-.inf", -(double)INFINITY}};
  double x = json_number_value(value);
  bool known = json_is_number(value);
  for (size_t i = 0; i < sizeof words / sizeof words[0] && json_is_string(value); i++) {
    if (strcmp(json_string_value(value), words[i].text) != 0) continue;
    x = words[i].value;
    known = true;
  }
  if (!known) return fail(r, "expected a number");
  value_set_real(type, field, x);
  return true;
}

// the number of the only character of a string, for bytes
static bool
code_point(const char * s, uint64_t * code)
{
  const unsigned char a = (unsigned char)s[0], b = a ? (unsigned char)s[1] : 0;
  if (a < 0x80 && b == 0) {
    *code = a;
    return true;
  }
  if (b == 0 || s[2] != 0) return false;
  *code = (uint64_t)((a & 0x1f) << 6 | (b & 0x3f));
  return a >= 0xc2 && a <= 0xc3;
}

static bool
integer_from_json(reader_t * r, uint8_t type, const json_t * value, void * field)
{
  uint64_t bits = (uint64_t)json_integer_value(value);
  bool negative = json_is_integer(value) && json_integer_value(value) < 0;
  if (json_is_string(value) && type == rosidl_typesupport_introspection_c__ROS_TYPE_UINT64) {
    char * end;
    bits = strtoull(json_string_value(value), &end, 10);
    if (*end || end == json_string_value(value)) return fail(r, "expected an integer");
  } else if (json_is_string(value) && value_is_byte(type)) {
    if (!code_point(json_string_value(value), &bits)) return fail(r, "expected one byte");
  } else if (!json_is_integer(value)) {
    return fail(r, "expected an integer");
  }
  if (!value_set_integer(type, field, bits, negative)) return fail(r, "out of range");
  return true;
}

static bool
string_from_json(
  reader_t * r, const cdr_member_t * member, const json_t * value, rosidl_runtime_c__String * s)
{
  if (!json_is_string(value)) return fail(r, "expected a string");
  const char * text = json_string_value(value);
  const size_t n = strlen(text), bound = member->string_upper_bound_;
  if (bound && n > bound) return fail(r, "at most %zu characters are allowed", bound);
  return rosidl_runtime_c__String__assignn(s, text, n) || fail(r, "out of memory");
}

static bool
element_from_json(reader_t * r, const cdr_member_t * member, const json_t * value, void * field)
{
  const uint8_t type = member->type_id_;
  if (type == CDR_MESSAGE) return members_from_json(r, cdr_submembers(member), value, field);
  if (type == CDR_STRING) return string_from_json(r, member, value, field);
  if (type == CDR_BOOL) {
    if (!json_is_boolean(value)) return fail(r, "expected true or false");
    *(bool *)field = json_is_true(value);
    return true;
  }
  if (value_is_real(type)) return real_from_json(r, type, value, field);
  if (cdr_number_size(type)) return integer_from_json(r, type, value, field);
  return fail(r, "fields of this type are not supported");
}

//---------- JSON -> message: arrays and objects ----------

static bool
array_from_json(reader_t * r, const cdr_member_t * member, const json_t * value, uint8_t * field)
{
  if (!json_is_array(value)) return fail(r, "expected an array");
  const size_t count = json_array_size(value), bound = member->array_size_;
  uint8_t * data = field;
  if (cdr_is_sequence(member)) {
    if (member->is_upper_bound_ && count > bound) return fail(r, "at most %zu are allowed", bound);
    if (!member->resize_function(field, count)) return fail(r, "out of memory");
    data = cdr_get_sequence(field).data;
  } else if (count != bound) {
    return fail(r, "expected %zu elements, not %zu", bound, count);
  }

  const size_t stride = count ? cdr_element_size(member) : 0;
  for (size_t i = 0; i < count; i++) {
    const size_t old = path_push(r, "[%zu]", i);
    if (!element_from_json(r, member, json_array_get(value, i), data + i * stride)) return false;
    r->path[old] = 0;
  }
  return true;
}

static bool
unknown_field(reader_t * r, const cdr_members_t * members, const char * key)
{
  char names[256] = "";
  for (uint32_t i = 0; i < members->member_count_; i++) {
    const size_t n = strlen(names);
    snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "", members->members_[i].name_);
  }
  return fail(r, "no field '%s' in %s; its fields are: %s", key, members->message_name_, names);
}

static const cdr_member_t *
find_member(const cdr_members_t * members, const char * name)
{
  for (uint32_t i = 0; i < members->member_count_; i++) {
    if (strcmp(members->members_[i].name_, name) == 0) return &members->members_[i];
  }
  return NULL;
}

static bool
members_from_json(
  reader_t * r, const cdr_members_t * members, const json_t * object, uint8_t * message)
{
  if (!json_is_object(object)) return fail(r, "expected an object {field: value, ...}");
  const char * key;
  json_t * value;
  json_object_foreach((json_t *)(uintptr_t)object, key, value)
  {
    const cdr_member_t * member = find_member(members, key);
    if (!member) return unknown_field(r, members, key);
    const size_t old = path_push(r, "%s%s", r->path[0] ? "." : "", key);
    uint8_t * field = message + member->offset_;
    if (
      member->is_array_ ? !array_from_json(r, member, value, field)
                        : !element_from_json(r, member, value, field)) {
      return false;
    }
    r->path[old] = 0;
  }
  return true;
}

bool
message_from_json(
  const cdr_members_t * members, const json_t * object, void * message, char * error,
  size_t error_size)
{
  reader_t r = {.error = error, .error_size = error_size};
  return members_from_json(&r, members, object, message);
}

//---------- message -> JSON ----------

// text, with U+FFFD for each byte above 127 if it is not UTF-8
static json_t *
string_to_json(const rosidl_runtime_c__String * s)
{
  json_t * json = json_stringn(s->data ? s->data : "", s->data ? s->size : 0);
  if (json) return json;
  char * text = malloc(3 * s->size + 1);
  size_t n = 0;
  if (!text) return NULL;
  for (size_t i = 0; i < s->size; i++) {
    if ((unsigned char)s->data[i] < 0x80) {
      text[n++] = s->data[i];
    } else {
      memcpy(text + n, "\xef\xbf\xbd", 3);
      n += 3;
    }
  }
  json = json_stringn(text, n);
  free(text);
  return json;
}

static json_t *
number_to_json(uint8_t type, const void * field)
{
  if (value_is_real(type)) {
    const double x = value_get_real(type, field);
    if (isnan(x)) return json_string("nan");
    return isinf(x) ? json_string(x > 0 ? "inf" : "-inf") : json_real(x);
  }
  const value_text_t text = value_print_integer(type, field);
  const int64_t x = value_get_integer(type, field);
  return x < 0 && text.s[0] != '-' ? json_string(text.s) : json_integer(x);
}

static json_t *
element_to_json(const cdr_member_t * member, const void * field)
{
  const uint8_t type = member->type_id_;
  if (type == CDR_MESSAGE) return message_to_json(cdr_submembers(member), field);
  if (type == CDR_STRING) return string_to_json(field);
  if (type == CDR_BOOL) return json_boolean(*(const bool *)field);
  return cdr_number_size(type) ? number_to_json(type, field) : json_null();
}

static json_t *
array_to_json(const cdr_member_t * member, const uint8_t * field)
{
  size_t count;
  const uint8_t * data = value_elements(member, field, &count);
  json_t * array = json_array();
  const size_t stride = count ? cdr_element_size(member) : 0;
  for (size_t i = 0; array && i < count; i++) {
    if (json_array_append_new(array, element_to_json(member, data + i * stride)) == 0) continue;
    json_decref(array);
    return NULL;
  }
  return array;
}

json_t *
message_to_json(const cdr_members_t * members, const void * message)
{
  json_t * object = json_object();
  for (uint32_t i = 0; object && i < members->member_count_; i++) {
    const cdr_member_t * member = &members->members_[i];
    const uint8_t * field = (const uint8_t *)message + member->offset_;
    if (value_is_dummy(member)) continue;
    json_t * value =
      member->is_array_ ? array_to_json(member, field) : element_to_json(member, field);
    if (json_object_set_new(object, member->name_, value) == 0) continue;
    json_decref(object);
    return NULL;
  }
  return object;
}
