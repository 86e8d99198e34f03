#include "messages_in.h"

#include <string.h>

//---------- names ----------

wire_text_t
wire_next_name(const wire_names_t * names, size_t * at)
{
  // a sequence's elements start at a multiple of four, which is all that strings need
  wire_reader_t r = {names->data, names->bytes, *at, names->swap, *at < names->bytes};
  const wire_text_t name = wire_string(&r);
  *at = wire_ok(&r) ? r.at : names->bytes;
  return name;
}

bool
wire_names_equal(const wire_names_t * a, const wire_names_t * b)
{
  if (a->n != b->n) return false;
  if (a->n == 0) return true;
  const bool alike = a->bytes == b->bytes && a->swap == b->swap;
  if (alike && memcmp(a->data, b->data, a->bytes) == 0) return true;
  size_t at_a = 0, at_b = 0;
  for (uint32_t i = 0; i < a->n; i++) {
    const wire_text_t x = wire_next_name(a, &at_a), y = wire_next_name(b, &at_b);
    if (x.size != y.size || memcmp(x.data, y.data, x.size) != 0) return false;
  }
  return true;
}

wire_names_t
wire_names(wire_reader_t * r)
{
  wire_names_t names = {.n = wire_u32(r), .swap = r->swap};
  if (names.n > WIRE_MAX_NAMES) r->ok = false;
  if (!wire_ok(r)) return (wire_names_t){0};
  const size_t start = r->at;
  for (uint32_t i = 0; i < names.n && wire_ok(r); i++) (void)wire_string(r);
  names.data = r->data + start;
  names.bytes = r->at - start;
  return names;
}

// one number per name, or none
static wire_numbers_t
read_per_name(wire_reader_t * r, uint32_t names)
{
  const wire_numbers_t s = wire_f64_sequence(r);
  if (s.n != 0 && s.n != names) r->ok = false;
  return s;
}

//---------- header and end ----------

int64_t
wire_stamp(wire_reader_t * r)
{
  const int64_t sec = wire_i32(r), nanosec = wire_u32(r);
  if (sec < 0 || nanosec >= 1000000000) r->ok = false;
  return sec * 1000000000 + nanosec;
}

// what a reader has after an error does not matter: every message is checked once, at its end
bool
wire_at_end(const wire_reader_t * r)
{
  return wire_ok(r) && r->size - r->at <= 3;
}

//---------- the messages ----------

bool
wire_read_joint_state(const uint8_t * buffer, size_t size, wire_joint_state_t * out)
{
  wire_reader_t r = wire_open(buffer, size);
  out->stamp = wire_stamp(&r);
  out->frame_id = wire_string(&r);
  out->names = wire_names(&r);
  out->position = read_per_name(&r, out->names.n);
  out->velocity = read_per_name(&r, out->names.n);
  out->effort = read_per_name(&r, out->names.n);
  return wire_at_end(&r);
}

bool
wire_read_numbers(const uint8_t * buffer, size_t size, wire_numbers_t * out)
{
  wire_reader_t r = wire_open(buffer, size);
  // each dimension takes bytes: however large the count, the buffer ends the loop
  const uint32_t dimensions = wire_u32(&r);
  for (uint32_t i = 0; i < dimensions && wire_ok(&r); i++) {
    (void)wire_string(&r);  // label
    (void)wire_u32(&r);     // size
    (void)wire_u32(&r);     // stride
  }
  (void)wire_u32(&r);  // data_offset
  *out = wire_f64_sequence(&r);
  return wire_at_end(&r);
}

static bool
read_stamped(const uint8_t * buffer, size_t size, size_t n, wire_stamped_t * out)
{
  wire_reader_t r = wire_open(buffer, size);
  out->stamp = wire_stamp(&r);
  out->frame_id = wire_string(&r);
  memset(out->x, 0, sizeof out->x);
  wire_f64_array(&r, out->x, n);
  return wire_at_end(&r);
}

bool
wire_read_pose(const uint8_t * buffer, size_t size, wire_stamped_t * out)
{
  return read_stamped(buffer, size, 7, out);
}

bool
wire_read_twist(const uint8_t * buffer, size_t size, wire_stamped_t * out)
{
  return read_stamped(buffer, size, 6, out);
}

bool
wire_read_wrench(const uint8_t * buffer, size_t size, wire_stamped_t * out)
{
  return read_stamped(buffer, size, 6, out);
}

bool
wire_read_vector(const uint8_t * buffer, size_t size, wire_stamped_t * out)
{
  return read_stamped(buffer, size, 3, out);
}

bool
wire_read_odometry(const uint8_t * buffer, size_t size, wire_odometry_t * out)
{
  enum { COVARIANCE = 36 };
  wire_reader_t r = wire_open(buffer, size);
  out->stamp = wire_stamp(&r);
  out->frame_id = wire_string(&r);
  out->child_frame_id = wire_string(&r);
  wire_f64_array(&r, out->pose, 7);
  wire_f64_array(&r, NULL, COVARIANCE);
  wire_f64_array(&r, out->twist, 6);
  wire_f64_array(&r, NULL, COVARIANCE);
  return wire_at_end(&r);
}

bool
wire_read_controller_state(const uint8_t * buffer, size_t size, wire_reference_t * out)
{
  wire_reader_t r = wire_open(buffer, size);
  out->stamp = wire_stamp(&r);
  (void)wire_string(&r);  // frame_id
  out->names = wire_names(&r);
  out->position = read_per_name(&r, out->names.n);
  out->velocity = read_per_name(&r, out->names.n);
  out->acceleration = read_per_name(&r, out->names.n);
  (void)wire_f64_sequence(&r);  // effort
  (void)wire_i32(&r);           // time_from_start
  (void)wire_u32(&r);
  return wire_ok(&r);
}
