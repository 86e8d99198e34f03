// mbdyn's own messages are written row by row of their tables (message_layout.h).
#include "messages_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "byte_order.h"
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
out_vector(out_message_t * message, int k, double x, double y, double z)
{
  out_numbers(message, k, (const double[3]){x, y, z});
}

void
out_flags(out_message_t * message, int k, const bool * x)
{
  const out_slot_t slot = message->slot[k];
  for (size_t i = 0; i < slot.n; i++) message->bytes[slot.at + i] = x[i] ? 1 : 0;
}

void
out_flag(out_message_t * message, int k, bool x)
{
  const out_slot_t slot = message->slot[k];
  if (slot.n) message->bytes[slot.at] = x ? 1 : 0;
}

void
out_integers(out_message_t * message, int k, const int32_t * x)
{
  const out_slot_t slot = message->slot[k];
  for (size_t i = 0; i < slot.n; i++) {
    wire_store_u32(message->bytes + slot.at + 4 * i, (uint32_t)x[i]);
  }
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
close_message(out_message_t * m, wire_writer_t * w)
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
static out_slot_t
put_numbers(wire_writer_t * w, size_t n)
{
  return (out_slot_t){wire_put_f64s(w, (double)NAN, n), n};
}

static out_slot_t
put_sequence(wire_writer_t * w, size_t n)
{
  wire_put_count(w, n);
  return put_numbers(w, n);
}

static out_slot_t
put_flags(wire_writer_t * w, size_t n)
{
  wire_put_count(w, n);
  const size_t at = w->size;
  for (size_t i = 0; i < n && w->ok; i++) wire_put_u8(w, 0);
  return (out_slot_t){at, n};
}

static out_slot_t
put_integers(wire_writer_t * w, size_t n)
{
  wire_put_count(w, n);
  out_slot_t slot = {w->size, n};
  for (size_t i = 0; i < n && w->ok; i++) {
    const size_t at = wire_put_u32(w, 0);
    if (i == 0) slot.at = at;
  }
  return slot;
}

//---------- standard messages ----------

bool
out_joint_state_build(out_message_t * m, const char * frame_id, out_names_t names)
{
  wire_writer_t w = start_stamped(m, frame_id);
  put_names(&w, names);
  for (int k = OUT_JS_POSITION; k <= OUT_JS_EFFORT; k++) m->slot[k] = put_sequence(&w, names.n);
  return close_message(m, &w);
}

bool
out_array_build(out_message_t * m, size_t n)
{
  wire_writer_t w = start(m);
  wire_put_count(&w, 0);  // dimensions
  wire_put_u32(&w, 0);    // data_offset
  m->slot[OUT_ARRAY_DATA] = put_sequence(&w, n);
  return close_message(m, &w);
}

bool
out_wrench_build(out_message_t * m, const char * frame_id)
{
  wire_writer_t w = start_stamped(m, frame_id);
  m->slot[OUT_WRENCH] = put_numbers(&w, 6);
  return close_message(m, &w);
}

//---------- own messages ----------

static const char * const DIRECTION[6] = {"linear_x",  "linear_y",  "linear_z",
                                          "angular_x", "angular_y", "angular_z"};

// what is known of a field when its message is built
typedef struct out_value {
  const char * text;  // STRING; HEADER: frame_id
  out_names_t names;  // STRINGS
  bool directions;    // STRINGS: six rows per name, "NAME.linear_x" ...
  uint32_t number;    // integers
} out_value_t;

static void
put_directions(wire_writer_t * w, out_names_t frames)
{
  static const char * const row[6] = {".linear_x",  ".linear_y",  ".linear_z",
                                      ".angular_x", ".angular_y", ".angular_z"};
  wire_put_count(w, 6 * frames.n);
  for (size_t i = 0; i < 6 * frames.n && w->ok; i++) {
    wire_put_joined(w, frames.name[i / 6], row[i % 6]);
  }
}

static void
put_strings(wire_writer_t * w, const out_value_t * value, size_t * length)
{
  *length = value->names.n * (value->directions ? 6 : 1);
  if (value->directions)
    put_directions(w, value->names);
  else
    put_names(w, value->names);
}

// names come before what they name: their number is the length of later fields
static out_slot_t
put_field(
  wire_writer_t * w, const wire_field_t * f, const out_value_t * value, size_t length[WIRE_LENGTHS])
{
  length[WIRE_ROWS_COLS] = length[WIRE_ROWS] * length[WIRE_COLS];
  const size_t n = length[f->length];
  const uint32_t number = f->length == WIRE_ONE ? value->number : (uint32_t)n;
  switch (f->type) {
    case WIRE_HEADER: {
      const size_t at = wire_put_u32(w, 0);
      wire_put_u32(w, 0);
      wire_put_string(w, value->text);
      return (out_slot_t){at, 0};
    }
    case WIRE_STRING: wire_put_string(w, value->text); break;
    case WIRE_STRINGS: put_strings(w, value, &length[f->length]); break;
    case WIRE_UINT8: return (out_slot_t){wire_put_u8(w, (uint8_t)number), 1};
    case WIRE_UINT32: return (out_slot_t){wire_put_u32(w, number), 1};
    case WIRE_UINT64: return (out_slot_t){wire_put_u64(w, number), 1};
    case WIRE_BOOL: return (out_slot_t){wire_put_u8(w, number != 0), 1};
    case WIRE_FLOAT64:
    case WIRE_FLOAT64_INFO: return put_numbers(w, 1);
    case WIRE_VECTOR3:
    case WIRE_POINT: return put_numbers(w, 3);
    case WIRE_FLOAT64S:
    case WIRE_FLOAT64S_OR_NONE: return put_sequence(w, n);
    case WIRE_BOOLS_OR_NONE: return put_flags(w, n);
    case WIRE_INT32S: return put_integers(w, n);
  }
  return (out_slot_t){0};
}

static void
put_fields(
  wire_writer_t * w, const wire_layout_t * layout, const out_value_t * value, out_slot_t * slot)
{
  size_t length[WIRE_LENGTHS] = {0};
  for (int k = 0; k < layout->n; k++) slot[k] = put_field(w, &layout->field[k], &value[k], length);
}

// a message whose first field is its header
static bool
build_message(out_message_t * m, const wire_layout_t * layout, const out_value_t * value)
{
  wire_writer_t w = start(m);
  put_fields(&w, layout, value, m->slot);
  m->stamp_at = m->slot[0].at;
  return close_message(m, &w);
}

_Static_assert(
  JT_FIELDS <= OUT_MAX_SLOTS && MM_FIELDS <= OUT_MAX_SLOTS && JAC_FIELDS <= OUT_MAX_SLOTS &&
    OSI_FIELDS <= OUT_MAX_SLOTS && DS_FIELDS <= OUT_MAX_SLOTS && SI_FIELDS <= OUT_MAX_SLOTS,
  "more fields than slots");

bool
out_joint_torques_build(out_message_t * m, const char * frame_id, out_names_t names)
{
  const out_value_t value[JT_FIELDS] = {
    [JT_HEADER] = {.text = frame_id}, [JT_NAMES] = {.names = names}};
  return build_message(m, &wire_layout_joint_torques, value);
}

bool
out_mass_matrix_build(out_message_t * m, const char * frame_id, out_names_t names)
{
  const out_value_t value[MM_FIELDS] = {
    [MM_HEADER] = {.text = frame_id},
    [MM_ROW_NAMES] = {.names = names},
    [MM_COL_NAMES] = {.names = names}};
  return build_message(m, &wire_layout_mass_matrix, value);
}

bool
out_jacobian_build(
  out_message_t * m, const char * frame, uint8_t reference, const char * point_frame,
  const char * axes_frame, out_names_t columns)
{
  const out_value_t value[JAC_FIELDS] = {
    [JAC_HEADER] = {.text = axes_frame},     [JAC_FRAME] = {.text = frame},
    [JAC_REFERENCE] = {.number = reference}, [JAC_POINT_FRAME] = {.text = point_frame},
    [JAC_AXES_FRAME] = {.text = axes_frame}, [JAC_ROW_NAMES] = {.names = {6, DIRECTION}},
    [JAC_COL_NAMES] = {.names = columns}};
  return build_message(m, &wire_layout_jacobian, value);
}

bool
out_operational_space_inertia_build(
  out_message_t * m, const char * frame_id, out_names_t frames, uint8_t reference,
  out_names_t point_frames, out_names_t axes_frames)
{
  const out_value_t value[OSI_FIELDS] = {
    [OSI_HEADER] = {.text = frame_id},
    [OSI_FRAMES] = {.names = frames},
    [OSI_REFERENCE] = {.number = reference},
    [OSI_POINT_FRAMES] = {.names = point_frames},
    [OSI_AXES_FRAMES] = {.names = axes_frames},
    [OSI_ROW_NAMES] = {.names = frames, .directions = true},
    [OSI_COL_NAMES] = {.names = frames, .directions = true}};
  return build_message(m, &wire_layout_operational_space_inertia, value);
}

bool
out_summary_build(
  out_message_t * m, const char * frame_id, const char * model_name, const char * mode,
  uint32_t degrees_of_freedom, out_names_t links)
{
  const out_value_t value[DS_FIELDS] = {
    [DS_HEADER] = {.text = frame_id},
    [DS_MODEL_NAME] = {.text = model_name},
    [DS_MODE] = {.text = mode},
    [DS_DEGREES_OF_FREEDOM] = {.number = degrees_of_freedom},
    [DS_LINKS] = {.names = links}};
  return build_message(m, &wire_layout_dynamics_summary, value);
}

bool
out_singularity_build(
  out_message_t * m, const char * frame_id, out_names_t joints, out_names_t frames)
{
  const out_value_t value[SI_FIELDS] = {
    [SI_HEADER] = {.text = frame_id},
    [SI_NAMES] = {.names = joints},
    [SI_FRAMES] = {.names = frames}};
  return build_message(m, &wire_layout_singularity, value);
}

//---------- joint by joint ----------

bool
out_joint_dynamics_build(out_joint_dynamics_message_t * m, const char * frame_id, out_names_t names)
{
  m->n = names.n;
  m->offset = calloc(names.n ? names.n : 1, sizeof *m->offset);
  wire_writer_t w = start_stamped(&m->message, frame_id);
  wire_put_count(&w, names.n);
  for (size_t i = 0; m->offset && i < names.n && w.ok; i++) {
    const out_value_t value[JD_FIELDS] = {[JD_NAME] = {.text = names.name[i]}};
    out_slot_t slot[JD_FIELDS];
    put_fields(&w, &wire_layout_joint_dynamics, value, slot);
    m->offset[i] = slot[JD_NAME + 1].at;
  }
  if (close_message(&m->message, &w) && m->offset) return true;
  out_joint_dynamics_fini(m);
  return false;
}

static inline void
store_f64(uint8_t * to, double x)
{
  if (wire_host_is_little_endian())
    memcpy(to, &x, sizeof x);
  else
    wire_store_f64s(to, &x, 1);
}

// The first field after the name is eight bytes long, so that from there on CDR aligns fields as the
// structure does. Offsets are constants: this is the largest message of a cycle.
#define JOINT_OFFSET(name) \
  (offsetof(wire_joint_dynamics_t, name) - offsetof(wire_joint_dynamics_t, position))
#define STORE_STRING(name)
#define STORE_FLOAT64(name)      store_f64(to + JOINT_OFFSET(name), x->name);
#define STORE_FLOAT64_INFO(name) store_f64(to + JOINT_OFFSET(name), x->name);
#define STORE_BOOL(name)         to[JOINT_OFFSET(name)] = x->name ? 1 : 0;

void
out_joint_dynamics_set(out_joint_dynamics_message_t * m, size_t i, const wire_joint_dynamics_t * x)
{
  uint8_t * to = m->message.bytes + m->offset[i];
#define FIELD(id, name, type, length) STORE_##type(name)
#include "layout/joint_dynamics.inc"
}

void
out_joint_dynamics_fini(out_joint_dynamics_message_t * m)
{
  out_message_fini(&m->message);
  free(m->offset);
  m->offset = NULL;
  m->n = 0;
}
