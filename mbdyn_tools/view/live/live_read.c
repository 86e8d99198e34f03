#include "live_read.h"

bool
live_read_diagnostics(const uint8_t * buffer, size_t size, live_statuses_t * out)
{
  out->reader = wire_open(buffer, size);
  out->stamp = wire_stamp(&out->reader);
  (void)wire_string(&out->reader);  // frame_id
  out->n = wire_u32(&out->reader);
  return wire_ok(&out->reader);
}

bool
live_next_status(live_statuses_t * statuses, live_status_t * out)
{
  wire_reader_t * r = &statuses->reader;
  out->level = wire_u8(r);
  out->name = wire_string(r);
  out->message = wire_string(r);
  out->hardware_id = wire_string(r);
  out->n = wire_u32(r);
  out->values = *r;
  for (uint32_t i = 0; i < out->n && wire_ok(r); i++) {
    (void)wire_string(r);
    (void)wire_string(r);
  }
  return wire_ok(r);
}

bool
live_read_text(const uint8_t * buffer, size_t size, wire_text_t * out)
{
  wire_reader_t r = wire_open(buffer, size);
  *out = wire_string(&r);
  return wire_at_end(&r);
}
