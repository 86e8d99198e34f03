#include "sim_messages.h"

#include <string.h>

#include "writer.h"

enum { SLOT_POSITION, SLOT_VELOCITY, SLOT_EFFORT };
enum { SLOT_POSE, SLOT_TWIST };
enum { COVARIANCE = 36 };

static wire_writer_t
open_message(out_message_t * m)
{
  memset(m, 0, sizeof *m);
  return wire_writer_open();
}

static bool
close_message(out_message_t * m, wire_writer_t * w)
{
  m->bytes = wire_writer_close(w, &m->size);
  return m->bytes != NULL;
}

static void
put_stamp(out_message_t * m, wire_writer_t * w)
{
  m->stamp_at = wire_put_u32(w, 0);
  wire_put_u32(w, 0);
}

static void
put_numbers(out_message_t * m, wire_writer_t * w, int slot, size_t n)
{
  m->slot[slot].n = n;
  m->slot[slot].at = wire_put_f64s(w, 0, n);
}

//---------- joint states ----------

bool
sim_joint_state_build(out_message_t * m, out_names_t names, bool velocity, bool effort)
{
  wire_writer_t w = open_message(m);
  const size_t n[3] = {names.n, velocity ? names.n : 0, effort ? names.n : 0};
  put_stamp(m, &w);
  wire_put_string(&w, "");
  wire_put_count(&w, names.n);
  for (size_t i = 0; i < names.n; i++) wire_put_string(&w, names.name[i]);
  for (int slot = SLOT_POSITION; slot <= SLOT_EFFORT; slot++) {
    wire_put_count(&w, n[slot]);
    put_numbers(m, &w, slot, n[slot]);
  }
  return close_message(m, &w);
}

void
sim_joint_state_fill(out_message_t * m, const sensor_sample_t * sample)
{
  out_stamp(m, sample->stamp);
  // a slot without numbers takes none
  out_numbers(m, SLOT_POSITION, sample->position);
  out_numbers(m, SLOT_VELOCITY, sample->velocity);
  out_numbers(m, SLOT_EFFORT, sample->effort);
}

//---------- odometry ----------

bool
sim_odometry_build(out_message_t * m, const char * frame_id, const char * child_frame_id)
{
  wire_writer_t w = open_message(m);
  put_stamp(m, &w);
  wire_put_string(&w, frame_id);
  wire_put_string(&w, child_frame_id);
  put_numbers(m, &w, SLOT_POSE, 7);
  wire_put_f64s(&w, 0, COVARIANCE);
  put_numbers(m, &w, SLOT_TWIST, 6);
  wire_put_f64s(&w, 0, COVARIANCE);
  return close_message(m, &w);
}

void
sim_odometry_fill(out_message_t * m, const sensor_sample_t * sample)
{
  out_stamp(m, sample->stamp);
  out_numbers(m, SLOT_POSE, sample->base);
  out_numbers(m, SLOT_TWIST, sample->base + 7);
}

//---------- clock ----------

bool
sim_clock_build(out_message_t * m)
{
  wire_writer_t w = open_message(m);
  put_stamp(m, &w);
  return close_message(m, &w);
}
