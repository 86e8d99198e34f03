// Tables of mbdyn's own messages (message_layout.h) against the .msg files, by what rosidl generates
// from them; the reader and the writer that follow the tables against bytes of a real ROS 2. Nothing
// here names a field: one that is new is compared, too.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/msg/dynamics_summary.h"
#include "mbdyn/msg/jacobian.h"
#include "mbdyn/msg/joint_dynamics_array.h"
#include "mbdyn/msg/joint_torques.h"
#include "mbdyn/msg/mass_matrix.h"
#include "mbdyn/msg/operational_space_inertia.h"
#include "mbdyn/msg/singularity.h"
#include "messages_out.h"
#include "rosidl_typesupport_introspection_c/field_types.h"
#include "wire.h"

typedef rosidl_typesupport_introspection_c__MessageMember member_t;
typedef rosidl_runtime_c__double__Sequence doubles_t;
typedef rosidl_runtime_c__boolean__Sequence booleans_t;
typedef rosidl_runtime_c__int32__Sequence integers_t;
typedef rosidl_runtime_c__String__Sequence strings_t;

static const wire_layout_t * const LAYOUTS[] = {
  &wire_layout_joint_torques,
  &wire_layout_joint_dynamics,
  &wire_layout_mass_matrix,
  &wire_layout_jacobian,
  &wire_layout_operational_space_inertia,
  &wire_layout_dynamics_summary,
  &wire_layout_singularity};
enum { NLAYOUT = sizeof LAYOUTS / sizeof LAYOUTS[0] };

//---------- tables and .msg files ----------

// "float64[]" and the like, as a .msg file has it
static const char *
msg_type(wire_type_t type)
{
  switch (type) {
    case WIRE_HEADER: return "std_msgs/Header";
    case WIRE_STRING: return "string";
    case WIRE_STRINGS: return "string[]";
    case WIRE_UINT8: return "uint8";
    case WIRE_UINT32: return "uint32";
    case WIRE_UINT64: return "uint64";
    case WIRE_BOOL: return "bool";
    case WIRE_FLOAT64:
    case WIRE_FLOAT64_INFO: return "float64";
    case WIRE_VECTOR3: return "geometry_msgs/Vector3";
    case WIRE_POINT: return "geometry_msgs/Point";
    case WIRE_FLOAT64S:
    case WIRE_FLOAT64S_OR_NONE: return "float64[]";
    case WIRE_BOOLS_OR_NONE: return "bool[]";
    case WIRE_INT32S: return "int32[]";
  }
  return "";
}

static void
generated_type(const member_t * m, char * text, size_t size)
{
  const char * name = "?";
  char nested[128];
  switch (m->type_id_) {
    case rosidl_typesupport_introspection_c__ROS_TYPE_STRING: name = "string"; break;
    case rosidl_typesupport_introspection_c__ROS_TYPE_UINT8: name = "uint8"; break;
    case rosidl_typesupport_introspection_c__ROS_TYPE_INT32: name = "int32"; break;
    case rosidl_typesupport_introspection_c__ROS_TYPE_UINT32: name = "uint32"; break;
    case rosidl_typesupport_introspection_c__ROS_TYPE_UINT64: name = "uint64"; break;
    case rosidl_typesupport_introspection_c__ROS_TYPE_BOOLEAN: name = "bool"; break;
    case rosidl_typesupport_introspection_c__ROS_TYPE_DOUBLE: name = "float64"; break;
    case rosidl_typesupport_introspection_c__ROS_TYPE_MESSAGE: {
      const cdr_members_t * members = m->members_->data;
      const char * end = strstr(members->message_namespace_, "__msg");
      assert_non_null(end);
      snprintf(
        nested, sizeof nested, "%.*s/%s", (int)(end - members->message_namespace_),
        members->message_namespace_, members->message_name_);
      name = nested;
      break;
    }
    default: break;
  }
  snprintf(text, size, "%s%s", name, m->is_array_ && m->array_size_ == 0 ? "[]" : "");
}

static void
tables_have_the_fields_of_the_messages(void ** state)
{
  (void)state;
  int compared = 0;
  for (int i = 0; i < NLAYOUT; i++) {
    const cdr_members_t * members = members_of(LAYOUTS[i]->type);
    for (uint32_t k = 0; k < members->member_count_ || (int)k < LAYOUTS[i]->n; k++) {
      if (k >= members->member_count_ || (int)k >= LAYOUTS[i]->n)
        fail_msg(
          "%s: %d rows in the table, %u fields in the message", LAYOUTS[i]->type, LAYOUTS[i]->n,
          members->member_count_);
      const wire_field_t * f = &LAYOUTS[i]->field[k];
      char type[160];
      generated_type(&members->members_[k], type, sizeof type);
      if (strcmp(f->name, members->members_[k].name_) != 0 || strcmp(msg_type(f->type), type) != 0)
        fail_msg(
          "%s, field %u: the table says %s %s, the message %s %s", LAYOUTS[i]->type, k,
          msg_type(f->type), f->name, type, members->members_[k].name_);
      compared++;
    }
  }
  // what holds the joints is written by hand
  const cdr_members_t * array = members_of("mbdyn/msg/JointDynamicsArray");
  assert_int_equal(array->member_count_, 2);
  assert_string_equal(array->members_[0].name_, "header");
  assert_string_equal(array->members_[1].name_, "joints");
  print_message("             %d fields of %d messages\n", compared, NLAYOUT);
  assert_true(compared >= 79);
}

//---------- reading ----------

static bool
same_text(wire_text_t a, const rosidl_runtime_c__String * b)
{
  return a.size == b->size && memcmp(a.data, b->data, a.size) == 0;
}

static bool
same_names(const wire_names_t * a, const strings_t * b)
{
  size_t at = 0;
  if (a->n != b->size) return false;
  for (uint32_t i = 0; i < a->n; i++) {
    if (!same_text(wire_next_name(a, &at), &b->data[i])) return false;
  }
  return true;
}

static bool
same_numbers(const wire_numbers_t * a, const doubles_t * b)
{
  if (a->n != b->size) return false;
  for (uint32_t i = 0; i < a->n; i++) {
    const double x = wire_number(a, i);
    if (memcmp(&x, &b->data[i], sizeof x) != 0) return false;
  }
  return true;
}

static bool
same_integers(const wire_integers_t * a, const integers_t * b)
{
  if (a->n != b->size) return false;
  for (uint32_t i = 0; i < a->n; i++) {
    if (wire_integer(a, i) != b->data[i]) return false;
  }
  return true;
}

static bool
same_flags(const wire_bools_t * a, const booleans_t * b)
{
  if (a->n != b->size) return false;
  for (uint32_t i = 0; i < a->n; i++) {
    if ((a->data[i] != 0) != b->data[i]) return false;
  }
  return true;
}

static bool
same_header(const wire_header_t * a, const std_msgs__msg__Header * b)
{
  return a->stamp == b->stamp.sec * 1000000000ll + b->stamp.nanosec &&
         same_text(a->frame_id, &b->frame_id);
}

// a: in a view; b: in a message
static bool
same_field(wire_type_t type, const void * a, const void * b)
{
  switch (type) {
    case WIRE_HEADER: return same_header(a, b);
    case WIRE_STRING: return same_text(*(const wire_text_t *)a, b);
    case WIRE_STRINGS: return same_names(a, b);
    case WIRE_UINT8: return memcmp(a, b, 1) == 0;
    case WIRE_UINT32: return memcmp(a, b, 4) == 0;
    case WIRE_UINT64: return memcmp(a, b, 8) == 0;
    case WIRE_BOOL: return *(const bool *)a == *(const bool *)b;
    case WIRE_FLOAT64:
    case WIRE_FLOAT64_INFO: return memcmp(a, b, sizeof(double)) == 0;
    case WIRE_VECTOR3:
    case WIRE_POINT: return memcmp(a, b, 3 * sizeof(double)) == 0;
    case WIRE_FLOAT64S:
    case WIRE_FLOAT64S_OR_NONE: return same_numbers(a, b);
    case WIRE_BOOLS_OR_NONE: return same_flags(a, b);
    case WIRE_INT32S: return same_integers(a, b);
  }
  return false;
}

static int fields_read, messages_read, messages_written;

static void
compare(const char * what, const wire_layout_t * layout, const void * view, const void * message)
{
  const cdr_members_t * members = members_of(layout->type);
  for (int k = 0; k < layout->n; k++) {
    const wire_field_t * f = &layout->field[k];
    const void * theirs = (const char *)message + members->members_[k].offset_;
    if (!same_field(f->type, (const char *)view + f->offset, theirs))
      fail_msg("%s: another %s", what, f->name);
    fields_read++;
  }
}

static void
read_joints(const vector_t * v, const uint8_t * bytes)
{
  const mbdyn__msg__JointDynamicsArray * message;
  wire_joints_t walk;
  wire_joint_dynamics_t joint;
  void * decoded = message_new(v->members);
  assert_true(cdr_read(v->members, bytes, v->size, NULL, decoded));
  message = decoded;
  assert_true(wire_read_joints(bytes, v->size, &walk));
  assert_true(same_header(&walk.header, &message->header));
  assert_int_equal(walk.n, message->joints.size);
  for (uint32_t i = 0; i < walk.n; i++) {
    assert_true(wire_next_joint(&walk, &joint));
    compare(v->name, &wire_layout_joint_dynamics, &joint, &message->joints.data[i]);
  }
  assert_true(wire_at_end(&walk.reader));
  message_free(v->members, decoded);
  messages_read++;
}

static const wire_layout_t *
layout_of(const vector_t * v)
{
  for (int i = 0; i < NLAYOUT; i++) {
    if (members_of(LAYOUTS[i]->type) == v->members) return LAYOUTS[i];
  }
  return NULL;
}

static void
read_one(const vector_t * v, const wire_layout_t * layout, const uint8_t * bytes)
{
  void * view = calloc(1, layout->view_size);
  void * message = message_new(v->members);
  assert_true(cdr_read(v->members, bytes, v->size, NULL, message));
  if (!wire_read_message(layout, bytes, v->size, view)) fail_msg("%s is refused", v->name);
  compare(v->name, layout, view, message);
  // exactly as large as what may be read, so that a sanitizer sees one byte too many
  for (size_t n = 0; n < v->size; n++) {
    uint8_t * cut = malloc(n ? n : 1);
    memcpy(cut, bytes, n);
    if (wire_read_message(layout, cut, n, view))
      fail_msg("%s: %zu of %zu bytes will do", v->name, n, v->size);
    free(cut);
  }
  message_free(v->members, message);
  free(view);
  messages_read++;
}

static void
read_vector(const vector_t * v)
{
  const wire_layout_t * layout = layout_of(v);
  const uint8_t * bytes[2] = {v->bytes, v->big_endian};
  for (int k = 0; k < 2 && bytes[k]; k++) {
    if (layout) read_one(v, layout, bytes[k]);
    if (v->members == members_of("mbdyn/msg/JointDynamicsArray")) read_joints(v, bytes[k]);
  }
}

static void
messages_are_read(void ** state)
{
  (void)state;
  messages_read = fields_read = 0;
  assert_true(wire_for_each(REAL_OWN_VECTORS, read_vector) >= 18);
  print_message("             %d of a real ROS 2, %d fields\n", messages_read, fields_read);
  assert_true(messages_read >= 8 && fields_read >= 100);
  // the other endianness
  messages_read = 0;
  assert_true(wire_for_each(OWN_VECTORS, read_vector) >= 18);
  assert_true(messages_read >= 16);
}

//---------- writing ----------

typedef struct texts {
  const char * text[16];
  size_t n;
} texts_t;

static texts_t
texts_of(const strings_t * s)
{
  texts_t t = {.n = s->size};
  assert_true(s->size <= 16);
  for (size_t i = 0; i < s->size; i++) t.text[i] = s->data[i].data;
  return t;
}

#define NAMES(t) ((out_names_t){(t).n, (t).text})

// built from what its strings say; numbers are filled in by the table
static bool
build(const vector_t * v, const void * message, out_message_t * m)
{
  if (v->members == members_of("mbdyn/msg/JointTorques")) {
    const mbdyn__msg__JointTorques * t = message;
    const texts_t names = texts_of(&t->joint_names);
    return out_joint_torques_build(m, t->header.frame_id.data, NAMES(names));
  }
  if (v->members == members_of("mbdyn/msg/MassMatrix")) {
    const mbdyn__msg__MassMatrix * t = message;
    const texts_t names = texts_of(&t->row_names);
    return out_mass_matrix_build(m, t->header.frame_id.data, NAMES(names));
  }
  if (v->members == members_of("mbdyn/msg/Jacobian")) {
    const mbdyn__msg__Jacobian * t = message;
    const texts_t names = texts_of(&t->col_names);
    return out_jacobian_build(
      m, t->frame.data, t->reference, t->point_frame.data, t->axes_frame.data, NAMES(names));
  }
  if (v->members == members_of("mbdyn/msg/OperationalSpaceInertia")) {
    const mbdyn__msg__OperationalSpaceInertia * t = message;
    const texts_t frames = texts_of(&t->frames), points = texts_of(&t->point_frames),
                  axes = texts_of(&t->axes_frames);
    return out_operational_space_inertia_build(
      m, t->header.frame_id.data, NAMES(frames), t->reference, NAMES(points), NAMES(axes));
  }
  if (v->members == members_of("mbdyn/msg/Singularity")) {
    const mbdyn__msg__Singularity * t = message;
    const texts_t joints = texts_of(&t->joint_names), frames = texts_of(&t->frames);
    return out_singularity_build(m, t->header.frame_id.data, NAMES(joints), NAMES(frames));
  }
  const mbdyn__msg__DynamicsSummary * t = message;
  const texts_t links = texts_of(&t->links);
  return out_summary_build(
    m, t->header.frame_id.data, t->model_name.data, t->mode.data, t->degrees_of_freedom,
    NAMES(links));
}

// false if the message has none of what the writer always writes
static bool
fill(out_message_t * m, int k, wire_type_t type, const void * x)
{
  switch (type) {
    case WIRE_HEADER: {
      const std_msgs__msg__Header * h = x;
      out_stamp(m, h->stamp.sec * 1000000000ll + h->stamp.nanosec);
      return true;
    }
    case WIRE_UINT32: out_u32(m, k, *(const uint32_t *)x); return true;
    case WIRE_UINT64: out_u64(m, k, *(const uint64_t *)x); return true;
    case WIRE_FLOAT64:
    case WIRE_FLOAT64_INFO:
    case WIRE_VECTOR3:
    case WIRE_POINT: out_numbers(m, k, x); return true;
    case WIRE_FLOAT64S:
    case WIRE_FLOAT64S_OR_NONE: {
      const doubles_t * s = x;
      if (s->size != m->slot[k].n) return false;
      out_numbers(m, k, s->data);
      return true;
    }
    case WIRE_BOOLS_OR_NONE: {
      const booleans_t * s = x;
      if (s->size != m->slot[k].n) return false;
      out_flags(m, k, s->data);
      return true;
    }
    case WIRE_BOOL: out_flag(m, k, *(const bool *)x); return true;
    case WIRE_INT32S: {
      const integers_t * s = x;
      if (s->size != m->slot[k].n) return false;
      out_integers(m, k, s->data);
      return true;
    }
    default: return true;
  }
}

static void
assert_written(const vector_t * v, const out_message_t * m)
{
  assert_int_equal(m->size, (v->size + 3) / 4 * 4);
  assert_bytes(v->name, m->bytes, v->size, v->bytes, v->size);
  messages_written++;
}

static void
write_joints(const vector_t * v, const mbdyn__msg__JointDynamicsArray * message)
{
  const char * name[16];
  wire_joints_t walk;
  wire_joint_dynamics_t joint;
  out_joint_dynamics_message_t m;
  assert_true(message->joints.size <= 16);
  for (size_t i = 0; i < message->joints.size; i++) name[i] = message->joints.data[i].name.data;
  const out_names_t names = {message->joints.size, name};
  assert_true(out_joint_dynamics_build(&m, message->header.frame_id.data, names));
  out_stamp(&m.message, message->header.stamp.sec * 1000000000ll + message->header.stamp.nanosec);
  // what messages_are_read has compared
  assert_true(wire_read_joints(v->bytes, v->size, &walk));
  for (size_t i = 0; i < names.n && wire_next_joint(&walk, &joint); i++)
    out_joint_dynamics_set(&m, i, &joint);
  assert_written(v, &m.message);
  out_joint_dynamics_fini(&m);
}

static void
write_vector(const vector_t * v)
{
  const wire_layout_t * layout = layout_of(v);
  const bool joints = v->members == members_of("mbdyn/msg/JointDynamicsArray");
  if (!layout && !joints) return;
  void * message = message_new(v->members);
  assert_true(cdr_read(v->members, v->bytes, v->size, NULL, message));
  if (joints) {
    write_joints(v, message);
  } else {
    out_message_t m;
    bool whole = true;
    assert_true(build(v, message, &m));
    for (int k = 0; k < layout->n; k++) {
      const void * x = (const char *)message + v->members->members_[k].offset_;
      whole = fill(&m, k, layout->field[k].type, x) && whole;
    }
    if (whole) assert_written(v, &m);
    out_message_fini(&m);
  }
  message_free(v->members, message);
}

static void
messages_are_written(void ** state)
{
  (void)state;
  messages_written = 0;
  wire_for_each(REAL_OWN_VECTORS, write_vector);
  print_message("             %d to the byte as a real ROS 2\n", messages_written);
  assert_true(messages_written >= 6);
  // each type that the node sends; also those that are newer than the recording
  messages_written = 0;
  wire_for_each(OWN_VECTORS, write_vector);
  assert_true(messages_written >= 7);
}

//---------- lengths ----------

static bool
readable(const wire_layout_t * layout, const void * message)
{
  const cdr_members_t * members = members_of(layout->type);
  size_t size;
  uint8_t * bytes = encode(members, message, &size);
  void * view = calloc(1, layout->view_size);
  const bool good = wire_read_message(layout, bytes, size, view);
  free(view), free(bytes);
  return good;
}

// a length that only one field has can be any
static bool
is_shared(const wire_layout_t * layout, wire_length_t length)
{
  int n = length == WIRE_ROWS_COLS;
  for (int k = 0; k < layout->n; k++) n += layout->field[k].length == length;
  return n > 1;
}

static int lengths_tried;

// each sequence and each count of a message one longer or shorter than it is
static void
change_lengths(const vector_t * v)
{
  const wire_layout_t * layout = layout_of(v);
  if (!layout) return;
  void * message = message_new(v->members);
  assert_true(cdr_read(v->members, v->bytes, v->size, NULL, message));
  assert_true(readable(layout, message));
  for (int k = 0; k < layout->n; k++) {
    const wire_field_t * f = &layout->field[k];
    if (f->length == WIRE_ONE || !is_shared(layout, f->length)) continue;
    void * x = (char *)message + v->members->members_[k].offset_;
    if (f->type == WIRE_UINT32) {
      uint32_t * n = x;
      for (int step = -1; step <= 1; step += 2) {
        *n += (uint32_t)step;
        assert_false(readable(layout, message));
        *n -= (uint32_t)step;
        lengths_tried++;
      }
      continue;
    }
    // all sequences of rosidl begin with data and size
    doubles_t * s = x;
    const size_t size = s->size;
    if (size < 2) continue;
    s->size = size - 1;
    if (readable(layout, message)) fail_msg("%s: %s is too short", v->name, f->name);
    const bool may_be_empty = f->type == WIRE_FLOAT64S_OR_NONE || f->type == WIRE_BOOLS_OR_NONE;
    s->size = 0;
    if (readable(layout, message) != may_be_empty) fail_msg("%s: no %s", v->name, f->name);
    s->size = size;
    lengths_tried += 2;
  }
  message_free(v->members, message);
}

static void
lengths_have_to_agree(void ** state)
{
  (void)state;
  lengths_tried = 0;
  wire_for_each(REAL_OWN_VECTORS, change_lengths);
  wire_for_each(OWN_VECTORS, change_lengths);
  print_message("             %d wrong lengths\n", lengths_tried);
  assert_true(lengths_tried >= 130);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(tables_have_the_fields_of_the_messages),
    cmocka_unit_test(messages_are_read),
    cmocka_unit_test(messages_are_written),
    cmocka_unit_test(lengths_have_to_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
