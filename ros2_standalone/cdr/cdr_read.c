// Bytes -> message. Every length is held against what is left before anything is done with it.
#include "cdr_internal.h"
#include "rosidl_runtime_c/string_functions.h"

const cdr_limits_t cdr_default_limits = {.max_memory = (size_t)64 << 20, .max_depth = 32};

typedef struct reader {
  const uint8_t * data;  // after the encapsulation
  size_t pos;
  size_t size;
  bool swap;
  size_t memory;   // bytes that may still be allocated
  unsigned depth;  // levels that may still be entered
} reader_t;

static bool read_members(reader_t * r, const cdr_members_t * members, uint8_t * message);

//---------- numbers ----------

static bool
read_align(reader_t * r, size_t alignment)
{
  const size_t pad = (0 - r->pos) & (alignment - 1);
  if (pad > r->size - r->pos) return false;
  r->pos += pad;
  return true;
}

// there are count numbers: step to the first
static bool
find_numbers(reader_t * r, size_t count, size_t size)
{
  if (count == 0) return true;
  return read_align(r, size) && cdr_fits(count, size, r->size - r->pos);
}

// after find_numbers
static void
take_numbers(reader_t * r, uint8_t type, void * to, size_t count, size_t size)
{
  const uint8_t * from = r->data + r->pos;
  if (count == 0) return;
  if (type == CDR_BOOL) {
    bool * flag = to;
    for (size_t i = 0; i < count; i++) flag[i] = from[i] != 0;
  } else if (r->swap && size > 1) {
    cdr_copy_swapped(to, from, count, size);
  } else {
    memcpy(to, from, count * size);
  }
  r->pos += count * size;
}

static bool
read_numbers(reader_t * r, uint8_t type, void * to, size_t count)
{
  const size_t size = cdr_number_size(type);
  if (!find_numbers(r, count, size)) return false;
  take_numbers(r, type, to, count, size);
  return true;
}

static bool
read_length(reader_t * r, size_t * length)
{
  uint32_t n;
  if (!read_numbers(r, rosidl_typesupport_introspection_c__ROS_TYPE_UINT32, &n, 1)) return false;
  *length = n;
  return true;
}

//---------- memory ----------

static bool
spend(reader_t * r, size_t count, size_t size)
{
  if (size && count > r->memory / size) return false;
  r->memory -= count * size;
  return true;
}

// fewest bytes that a message can take, padding left out
static size_t
least_bytes(const cdr_members_t * members)
{
  size_t sum = 0;
  for (uint32_t i = 0; i < members->member_count_; i++) {
    const cdr_member_t * member = &members->members_[i];
    const size_t number = cdr_number_size(member->type_id_);
    size_t one = number ? number : 4;
    if (member->type_id_ == CDR_MESSAGE) one = least_bytes(cdr_submembers(member));
    if (member->is_array_) one = cdr_is_sequence(member) ? 4 : one * member->array_size_;
    sum += one;
  }
  return sum;
}

// memory for count elements that the bytes left could hold; an old element keeps its memory
static bool
reserve(reader_t * r, const cdr_member_t * member, uint8_t * field, size_t count)
{
  cdr_sequence_t s = cdr_get_sequence(field);
  if (count > s.capacity) {
    const size_t number = cdr_number_size(member->type_id_);
    size_t least = number ? number : 4;
    if (member->type_id_ == CDR_MESSAGE) least = least_bytes(cdr_submembers(member));
    if (least && count > (r->size - r->pos) / least) return false;
    if (!spend(r, count, cdr_element_size(member))) return false;
    return member->resize_function(field, count);
  }
  s.size = count;
  cdr_set_sequence(field, &s);
  return true;
}

//---------- fields ----------

static bool
read_string(reader_t * r, const cdr_member_t * member, void * field)
{
  size_t length;
  if (!read_length(r, &length) || length > r->size - r->pos) return false;
  const char * text = length ? (const char *)r->data + r->pos : "";
  const size_t full = length ? length - 1 : 0;
  if (text[full] != 0) return false;
  if (member->string_upper_bound_ && full > member->string_upper_bound_) return false;
  r->pos += length;

  // in place if it fits
  rosidl_runtime_c__String s;
  memcpy(&s, field, sizeof s);
  const size_t n = strlen(text);
  if (n >= s.capacity)
    return spend(r, n + 1, 1) && rosidl_runtime_c__String__assignn(field, text, n);
  memcpy(s.data, text, n + 1);
  s.size = n;
  memcpy(field, &s, sizeof s);
  return true;
}

// elements of an array or sequence, or the one of a plain field
static bool
read_elements(reader_t * r, const cdr_member_t * member, uint8_t * data, size_t count)
{
  if (cdr_number_size(member->type_id_)) return read_numbers(r, member->type_id_, data, count);

  const size_t stride = count ? cdr_element_size(member) : 0;
  for (size_t i = 0; i < count; i++) {
    uint8_t * element = data + i * stride;
    if (member->type_id_ == CDR_STRING) {
      if (!read_string(r, member, element)) return false;
    } else if (member->type_id_ == CDR_MESSAGE) {
      if (!read_members(r, cdr_submembers(member), element)) return false;
    } else {
      return false;
    }
  }
  return true;
}

static bool
read_sequence(reader_t * r, const cdr_member_t * member, uint8_t * field)
{
  size_t count;
  if (!read_length(r, &count)) return false;
  if (member->is_upper_bound_ && count > member->array_size_) return false;

  // numbers have to be there in full before memory is allocated for them
  const size_t number = cdr_number_size(member->type_id_);
  if (number && !find_numbers(r, count, number)) return false;
  if (!reserve(r, member, field, count)) return false;
  return read_elements(r, member, cdr_get_sequence(field).data, count);
}

static bool
read_members(reader_t * r, const cdr_members_t * members, uint8_t * message)
{
  if (r->depth == 0) return false;
  r->depth--;
  for (uint32_t i = 0; i < members->member_count_; i++) {
    const cdr_member_t * member = &members->members_[i];
    uint8_t * field = message + member->offset_;
    const bool read =
      cdr_is_sequence(member)
        ? read_sequence(r, member, field)
        : read_elements(r, member, field, member->is_array_ ? member->array_size_ : 1);
    if (!read) return false;
  }
  r->depth++;
  return true;
}

//---------- the public functions ----------

static bool
start(reader_t * r, const uint8_t * buffer, size_t size, const cdr_limits_t * limits)
{
  if (!buffer || size < CDR_ENCAPSULATION || buffer[0] != 0 || buffer[1] > 1) return false;
  if (!limits) limits = &cdr_default_limits;
  *r = (reader_t){
    .data = buffer + CDR_ENCAPSULATION,
    .size = size - CDR_ENCAPSULATION,
    .swap = (buffer[1] == 1) != cdr_host_is_little_endian(),
    .memory = limits->max_memory,
    .depth = limits->max_depth};
  return true;
}

static bool
read_header(reader_t * r, cdr_request_id_t * id)
{
  return read_numbers(r, rosidl_typesupport_introspection_c__ROS_TYPE_UINT64, &id->guid, 1) &&
         read_numbers(r, rosidl_typesupport_introspection_c__ROS_TYPE_INT64, &id->sequence, 1);
}

// what is left is padding, or fields that a newer peer has added
static bool
read_rest(reader_t * r, const cdr_members_t * members, void * message)
{
  return members && message && read_members(r, members, message);
}

bool
cdr_read(
  const cdr_members_t * members, const uint8_t * buffer, size_t size, const cdr_limits_t * limits,
  void * message)
{
  reader_t r;
  return start(&r, buffer, size, limits) && read_rest(&r, members, message);
}

bool
cdr_service_read(
  const cdr_members_t * members, const uint8_t * buffer, size_t size, const cdr_limits_t * limits,
  cdr_request_id_t * id, void * message)
{
  reader_t r;
  return id && start(&r, buffer, size, limits) && read_header(&r, id) &&
         read_rest(&r, members, message);
}

bool
cdr_service_peek(const uint8_t * buffer, size_t size, cdr_request_id_t * id)
{
  reader_t r;
  return id && start(&r, buffer, size, NULL) && read_header(&r, id);
}
