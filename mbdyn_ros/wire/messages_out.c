// Every builder below follows its .msg file field by field.
#include "messages_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "writer.h"

//---------- filling ----------

void
out_message_fini(out_message_t * message)
{
  free(message->bytes);
  *message = (out_message_t){0};
}

void
out_stamp(out_message_t * message, int64_t nanoseconds)
{
  if (message->stamp_at == 0) return;
  const int64_t second = 1000000000;
  int64_t sec = nanoseconds / second, rest = nanoseconds % second;
  if (rest < 0) sec--, rest += second;

  // a stamp has 32 bits of seconds
  if (sec > INT32_MAX) sec = INT32_MAX;
  if (sec < INT32_MIN) sec = INT32_MIN;
  wire_store_u32(message->bytes + message->stamp_at, (uint32_t)sec);
  wire_store_u32(message->bytes + message->stamp_at + 4, (uint32_t)rest);
}

void
out_numbers(out_message_t * message, int k, const double * x)
{
  const out_slot_t slot = message->slot[k];
  if (slot.n) wire_store_f64s(message->bytes + slot.at, x, slot.n);
}

void
out_number(out_message_t * message, int k, double x)
{
  const out_slot_t slot = message->slot[k];
  if (slot.n) wire_store_f64s(message->bytes + slot.at, &x, 1);
}

void
out_flags(out_message_t * message, int k, const bool * x)
{
  const out_slot_t slot = message->slot[k];
  for (size_t i = 0; i < slot.n; i++) message->bytes[slot.at + i] = x[i] ? 1 : 0;
}

void
out_u32(out_message_t * message, int k, uint32_t x)
{
  const out_slot_t slot = message->slot[k];
  if (slot.n) wire_store_u32(message->bytes + slot.at, x);
}

void
out_u64(out_message_t * message, int k, uint64_t x)
{
  const out_slot_t slot = message->slot[k];
  if (slot.n) wire_store_u64(message->bytes + slot.at, x);
}

//---------- parts of messages ----------

static wire_writer_t
start(out_message_t * m)
{
  *m = (out_message_t){0};
  return wire_writer_open();
}

static wire_writer_t
start_stamped(out_message_t * m, const char * frame_id)
{
  wire_writer_t w = start(m);
  m->stamp_at = wire_put_u32(&w, 0);
  wire_put_u32(&w, 0);
  wire_put_string(&w, frame_id);
  return w;
}

static bool
finish(out_message_t * m, wire_writer_t * w)
{
  m->bytes = wire_writer_close(w, &m->size);
  if (!m->bytes) *m = (out_message_t){0};
  return m->bytes != NULL;
}

static void
put_names(wire_writer_t * w, out_names_t names)
{
  wire_put_count(w, names.n);
  for (size_t i = 0; i < names.n && w->ok; i++) wire_put_string(w, names.name[i]);
}

// n doubles in a row
static void
put_slot(wire_writer_t * w, out_message_t * m, int k, size_t n)
{
  m->slot[k] = (out_slot_t){wire_put_f64s(w, (double)NAN, n), n};
}

static void
put_sequence(wire_writer_t * w, out_message_t * m, int k, size_t n)
{
  wire_put_count(w, n);
  put_slot(w, m, k, n);
}

static void
put_flags(wire_writer_t * w, out_message_t * m, int k, size_t n)
{
  wire_put_count(w, n);
  m->slot[k] = (out_slot_t){w->size, n};
  for (size_t i = 0; i < n && w->ok; i++) wire_put_u8(w, 0);
}

static void
put_slot_u32(wire_writer_t * w, out_message_t * m, int k)
{
  m->slot[k] = (out_slot_t){wire_put_u32(w, 0), 1};
}

static void
put_slot_u64(wire_writer_t * w, out_message_t * m, int k)
{
  m->slot[k] = (out_slot_t){wire_put_u64(w, 0), 1};
}

// rows and columns of a matrix, and how many numbers it has
static size_t
put_shape(wire_writer_t * w, size_t rows, size_t cols)
{
  wire_put_u32(w, (uint32_t)rows);
  wire_put_u32(w, (uint32_t)cols);
  return rows * cols;
}

// linear_x ... angular_z, after a frame's name and a dot if there is one
static void
put_directions(wire_writer_t * w, const char * frame)
{
  static const char * const direction[] = {".linear_x",  ".linear_y",  ".linear_z",
                                           ".angular_x", ".angular_y", ".angular_z"};
  for (int i = 0; i < 6; i++) wire_put_joined(w, frame, direction[i] + (frame ? 0 : 1));
}

static void
put_task_rows(wire_writer_t * w, out_names_t frames)
{
  wire_put_count(w, 6 * frames.n);
  for (size_t i = 0; i < frames.n && w->ok; i++) put_directions(w, frames.name[i]);
}

//---------- standard messages ----------

bool
out_joint_state_build(out_message_t * m, const char * frame_id, out_names_t names)
{
  wire_writer_t w = start_stamped(m, frame_id);
  put_names(&w, names);
  for (int k = OUT_JS_POSITION; k <= OUT_JS_EFFORT; k++) put_sequence(&w, m, k, names.n);
  return finish(m, &w);
}

bool
out_array_build(out_message_t * m, size_t n)
{
  wire_writer_t w = start(m);
  wire_put_count(&w, 0);  // dimensions
  wire_put_u32(&w, 0);    // data_offset
  put_sequence(&w, m, OUT_ARRAY_DATA, n);
  return finish(m, &w);
}

bool
out_wrench_build(out_message_t * m, const char * frame_id)
{
  wire_writer_t w = start_stamped(m, frame_id);
  put_slot(&w, m, OUT_WRENCH, 6);
  return finish(m, &w);
}

//---------- joints ----------

bool
out_joint_torques_build(out_message_t * m, const char * frame_id, out_names_t names)
{
  wire_writer_t w = start_stamped(m, frame_id);
  put_names(&w, names);
  for (int k = OUT_JT_TOTAL; k <= OUT_JT_COMMAND; k++) put_sequence(&w, m, k, names.n);
  put_flags(&w, m, OUT_JT_SATURATED, names.n);
  return finish(m, &w);
}

enum { JOINT_NUMBERS = 12 };

bool
out_joint_dynamics_build(out_joint_dynamics_message_t * m, const char * frame_id, out_names_t names)
{
  m->n = names.n;
  m->offset = calloc(names.n ? names.n : 1, sizeof *m->offset);
  wire_writer_t w = start_stamped(&m->message, frame_id);
  wire_put_count(&w, names.n);
  for (size_t i = 0; m->offset && i < names.n && w.ok; i++) {
    wire_put_string(&w, names.name[i]);
    m->offset[i] = wire_put_f64s(&w, (double)NAN, JOINT_NUMBERS);
    wire_put_u8(&w, 0);
  }
  if (finish(&m->message, &w) && m->offset) return true;
  out_joint_dynamics_fini(m);
  return false;
}

void
out_joint_dynamics_set(out_joint_dynamics_message_t * m, size_t i, const out_joint_dynamics_t * x)
{
  const double numbers[JOINT_NUMBERS] = {x->position, x->velocity, x->acceleration, x->measured,
                                         x->total,    x->gravity,  x->coriolis,     x->inertia,
                                         x->friction, x->external, x->command,      x->limit};
  uint8_t * to = m->message.bytes + m->offset[i];
  wire_store_f64s(to, numbers, JOINT_NUMBERS);
  to[8 * JOINT_NUMBERS] = x->saturated ? 1 : 0;
}

void
out_joint_dynamics_fini(out_joint_dynamics_message_t * m)
{
  out_message_fini(&m->message);
  free(m->offset);
  m->offset = NULL;
  m->n = 0;
}

//---------- matrices ----------

bool
out_mass_matrix_build(out_message_t * m, const char * frame_id, out_names_t names)
{
  wire_writer_t w = start_stamped(m, frame_id);
  put_names(&w, names);
  put_names(&w, names);
  put_sequence(&w, m, OUT_MM_DATA, put_shape(&w, names.n, names.n));
  put_sequence(&w, m, OUT_MM_DIAGONAL, names.n);
  put_slot(&w, m, OUT_MM_CONDITION, 1);
  return finish(m, &w);
}

bool
out_jacobian_build(
  out_message_t * m, const char * frame, uint8_t reference, const char * point_frame,
  const char * axes_frame, out_names_t columns)
{
  wire_writer_t w = start_stamped(m, axes_frame);
  wire_put_string(&w, frame);
  wire_put_u8(&w, reference);
  wire_put_string(&w, point_frame);
  wire_put_string(&w, axes_frame);
  wire_put_count(&w, 6);
  put_directions(&w, NULL);
  put_names(&w, columns);
  put_sequence(&w, m, OUT_J_DATA, put_shape(&w, 6, columns.n));
  put_sequence(&w, m, OUT_J_BIAS, 6);
  return finish(m, &w);
}

bool
out_operational_space_inertia_build(
  out_message_t * m, const char * frame_id, out_names_t frames, uint8_t reference,
  out_names_t point_frames, out_names_t axes_frames)
{
  wire_writer_t w = start_stamped(m, frame_id);
  put_names(&w, frames);
  wire_put_u8(&w, reference);
  put_names(&w, point_frames);
  put_names(&w, axes_frames);
  put_task_rows(&w, frames);
  put_task_rows(&w, frames);
  const size_t n = put_shape(&w, 6 * frames.n, 6 * frames.n);
  put_sequence(&w, m, OUT_OSI_DATA, n);
  put_sequence(&w, m, OUT_OSI_COMPLIANCE, n);
  put_slot_u32(&w, m, OUT_OSI_RANK);
  put_slot(&w, m, OUT_OSI_CONDITION, 1);
  return finish(m, &w);
}

//---------- summary ----------

bool
out_summary_build(
  out_message_t * m, const char * frame_id, const char * model_name, const char * mode,
  uint32_t degrees_of_freedom, out_names_t links)
{
  wire_writer_t w = start_stamped(m, frame_id);
  wire_put_string(&w, model_name);
  wire_put_string(&w, mode);
  wire_put_u32(&w, degrees_of_freedom);
  put_slot(&w, m, OUT_DS_ENERGIES, 3);
  put_slot(&w, m, OUT_DS_MASS, 1 + 5 * 3);
  put_slot(&w, m, OUT_DS_CONDITION, 2);
  put_names(&w, links);
  put_sequence(&w, m, OUT_DS_EFFECTIVE, links.n);
  put_slot_u64(&w, m, OUT_DS_CYCLES);
  put_slot_u64(&w, m, OUT_DS_DROPPED);
  put_slot_u32(&w, m, OUT_DS_SATURATED);
  put_slot(&w, m, OUT_DS_TIMES, 3);
  return finish(m, &w);
}
