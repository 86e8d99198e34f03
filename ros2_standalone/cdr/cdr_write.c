// Message -> bytes. One walk serves both passes: without a buffer it only counts.
#include "cdr_internal.h"

typedef struct writer {
  uint8_t * data;  // after the encapsulation; NULL to count only
  size_t pos;
  size_t size;
  bool swap;
} writer_t;

static bool write_members(writer_t * w, const cdr_members_t * members, const uint8_t * message);

// zero bytes up to a multiple of a power of two
static bool
write_align(writer_t * w, size_t alignment)
{
  const size_t pad = (0 - w->pos) & (alignment - 1);
  if (pad > w->size - w->pos) return false;
  if (w->data && pad) memset(w->data + w->pos, 0, pad);
  w->pos += pad;
  return true;
}

static bool
write_numbers(writer_t * w, const void * from, size_t count, size_t size)
{
  if (count == 0) return true;
  if (!write_align(w, size) || !cdr_fits(count, size, w->size - w->pos)) return false;
  if (w->data && w->swap) cdr_copy_swapped(w->data + w->pos, from, count, size);
  if (w->data && !w->swap) memcpy(w->data + w->pos, from, count * size);
  w->pos += count * size;
  return true;
}

static bool
write_length(writer_t * w, size_t length)
{
  const uint32_t n = (uint32_t)length;
  return length <= UINT32_MAX && write_numbers(w, &n, 1, sizeof n);
}

static bool
write_string(writer_t * w, const cdr_member_t * member, const void * field)
{
  rosidl_runtime_c__String s;
  memcpy(&s, field, sizeof s);
  const size_t n = s.data ? s.size : 0;
  if (member->string_upper_bound_ && n > member->string_upper_bound_) return false;
  if (n >= UINT32_MAX || !write_length(w, n + 1) || n + 1 > w->size - w->pos) return false;
  if (w->data) {
    if (n) memcpy(w->data + w->pos, s.data, n);
    w->data[w->pos + n] = 0;
  }
  w->pos += n + 1;
  return true;
}

// elements of an array or sequence, or the one of a plain field
static bool
write_elements(writer_t * w, const cdr_member_t * member, const uint8_t * data, size_t count)
{
  const size_t number = cdr_number_size(member->type_id_);
  if (number) return write_numbers(w, data, count, number);

  const size_t stride = count ? cdr_element_size(member) : 0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t * element = data + i * stride;
    if (member->type_id_ == CDR_STRING) {
      if (!write_string(w, member, element)) return false;
    } else if (member->type_id_ == CDR_MESSAGE) {
      if (!write_members(w, cdr_submembers(member), element)) return false;
    } else {
      return false;
    }
  }
  return true;
}

static bool
write_field(writer_t * w, const cdr_member_t * member, const uint8_t * field)
{
  if (!member->is_array_) return write_elements(w, member, field, 1);
  if (!cdr_is_sequence(member)) return write_elements(w, member, field, member->array_size_);

  const cdr_sequence_t s = cdr_get_sequence(field);
  if (member->is_upper_bound_ && s.size > member->array_size_) return false;
  return write_length(w, s.size) && write_elements(w, member, s.data, s.size);
}

static bool
write_members(writer_t * w, const cdr_members_t * members, const uint8_t * message)
{
  for (uint32_t i = 0; i < members->member_count_; i++) {
    const cdr_member_t * member = &members->members_[i];
    if (!write_field(w, member, message + member->offset_)) return false;
  }
  return true;
}

//---------- the public functions ----------

static bool
write_body(
  writer_t * w, const cdr_members_t * members, const cdr_request_id_t * id, const void * message)
{
  w->swap = !cdr_host_is_little_endian();
  if (id && !write_numbers(w, &id->guid, 1, 8)) return false;
  if (id && !write_numbers(w, &id->sequence, 1, 8)) return false;
  return write_members(w, members, message);
}

static size_t
size_of(const cdr_members_t * members, const cdr_request_id_t * id, const void * message)
{
  if (!members || !message) return 0;
  writer_t w = {.size = SIZE_MAX / 2};
  return write_body(&w, members, id, message) ? w.pos + CDR_ENCAPSULATION : 0;
}

static bool
write_all(
  const cdr_members_t * members, const cdr_request_id_t * id, const void * message,
  uint8_t * buffer, size_t size)
{
  if (!members || !message || !buffer || size < CDR_ENCAPSULATION) return false;
  memcpy(buffer, (const uint8_t[]){0, 1, 0, 0}, CDR_ENCAPSULATION);
  writer_t w = {.data = buffer + CDR_ENCAPSULATION, .size = size - CDR_ENCAPSULATION};
  if (!write_body(&w, members, id, message)) return false;

  // what DDS sends after it, if it fits
  while (w.pos % 4 && w.pos < w.size) w.data[w.pos++] = 0;
  return true;
}

size_t
cdr_size(const cdr_members_t * members, const void * message)
{
  return size_of(members, NULL, message);
}

bool
cdr_write(const cdr_members_t * members, const void * message, uint8_t * buffer, size_t size)
{
  return write_all(members, NULL, message, buffer, size);
}

size_t
cdr_service_size(const cdr_members_t * members, const void * message)
{
  const cdr_request_id_t id = {0, 0};
  return size_of(members, &id, message);
}

bool
cdr_service_write(
  const cdr_members_t * members, const cdr_request_id_t * id, const void * message,
  uint8_t * buffer, size_t size)
{
  return id && write_all(members, id, message, buffer, size);
}

const char *
cdr_unsupported(const cdr_members_t * members)
{
  for (uint32_t i = 0; i < members->member_count_; i++) {
    const cdr_member_t * member = &members->members_[i];
    if (member->type_id_ == CDR_MESSAGE) {
      const char * inner = cdr_unsupported(cdr_submembers(member));
      if (inner) return inner;
    } else if (member->type_id_ != CDR_STRING && !cdr_number_size(member->type_id_)) {
      return member->name_;
    }
  }
  return NULL;
}
