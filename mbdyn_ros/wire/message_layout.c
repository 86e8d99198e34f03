#include "message_layout.h"

#include <string.h>

//---------- tables ----------

#define ROW(view, field, kind, many)                            \
  {                                                             \
    .name = #field, .type = WIRE_##kind, .length = WIRE_##many, \
    .offset = offsetof(wire_##view##_t, field)                  \
  }

#define LAYOUT(view, name)                                                            \
  const wire_layout_t wire_layout_##view = {                                          \
    "mbdyn/msg/" name, sizeof FIELDS_##view / sizeof FIELDS_##view[0], FIELDS_##view, \
    sizeof(wire_##view##_t)}

static const wire_field_t FIELDS_joint_torques[] = {
#define FIELD(id, name, type, length) ROW(joint_torques, name, type, length),
#include "layout/joint_torques.inc"
};
LAYOUT(joint_torques, "JointTorques");

static const wire_field_t FIELDS_joint_dynamics[] = {
#define FIELD(id, name, type, length) ROW(joint_dynamics, name, type, length),
#include "layout/joint_dynamics.inc"
};
LAYOUT(joint_dynamics, "JointDynamics");

static const wire_field_t FIELDS_mass_matrix[] = {
#define FIELD(id, name, type, length) ROW(mass_matrix, name, type, length),
#include "layout/mass_matrix.inc"
};
LAYOUT(mass_matrix, "MassMatrix");

static const wire_field_t FIELDS_jacobian[] = {
#define FIELD(id, name, type, length) ROW(jacobian, name, type, length),
#include "layout/jacobian.inc"
};
LAYOUT(jacobian, "Jacobian");

static const wire_field_t FIELDS_operational_space_inertia[] = {
#define FIELD(id, name, type, length) ROW(operational_space_inertia, name, type, length),
#include "layout/operational_space_inertia.inc"
};
LAYOUT(operational_space_inertia, "OperationalSpaceInertia");

static const wire_field_t FIELDS_dynamics_summary[] = {
#define FIELD(id, name, type, length) ROW(dynamics_summary, name, type, length),
#include "layout/dynamics_summary.inc"
};
LAYOUT(dynamics_summary, "DynamicsSummary");

static const wire_field_t FIELDS_singularity[] = {
#define FIELD(id, name, type, length) ROW(singularity, name, type, length),
#include "layout/singularity.inc"
};
LAYOUT(singularity, "Singularity");

//---------- reading ----------

typedef struct lengths {
  uint32_t n[WIRE_LENGTHS];
  bool known[WIRE_LENGTHS];
} lengths_t;

// the first field that has a length sets it, later ones have to agree
static void
check_length(wire_reader_t * r, lengths_t * lengths, wire_length_t length, uint32_t n)
{
  if (length == WIRE_ROWS_COLS) {
    const uint64_t all = (uint64_t)lengths->n[WIRE_ROWS] * lengths->n[WIRE_COLS];
    if (n != all) r->ok = false;
  } else if (!lengths->known[length]) {
    lengths->n[length] = n;
    lengths->known[length] = true;
  } else if (n != lengths->n[length]) {
    r->ok = false;
  }
}

static void
read_field(wire_reader_t * r, lengths_t * lengths, const wire_field_t * f, void * to)
{
  switch (f->type) {
    case WIRE_HEADER: {
      wire_header_t * header = to;
      header->stamp = wire_stamp(r);
      header->frame_id = wire_string(r);
      break;
    }
    case WIRE_STRING: *(wire_text_t *)to = wire_string(r); break;
    case WIRE_STRINGS: {
      wire_names_t * names = to;
      *names = wire_names(r);
      check_length(r, lengths, f->length, names->n);
      break;
    }
    case WIRE_UINT8: *(uint8_t *)to = wire_u8(r); break;
    case WIRE_UINT32: {
      uint32_t * n = to;
      *n = wire_u32(r);
      if (f->length != WIRE_ONE) check_length(r, lengths, f->length, *n);
      break;
    }
    case WIRE_UINT64: *(uint64_t *)to = wire_u64(r); break;
    case WIRE_BOOL: *(bool *)to = wire_u8(r) != 0; break;
    case WIRE_FLOAT64:
    case WIRE_FLOAT64_INFO: *(double *)to = wire_f64(r); break;
    case WIRE_VECTOR3:
    case WIRE_POINT: wire_f64_array(r, ((wire_vector3_t *)to)->x, 3); break;
    case WIRE_FLOAT64S:
    case WIRE_FLOAT64S_OR_NONE: {
      wire_numbers_t * numbers = to;
      *numbers = wire_f64_sequence(r);
      if (numbers->n == 0 && f->type == WIRE_FLOAT64S_OR_NONE) break;
      check_length(r, lengths, f->length, numbers->n);
      break;
    }
    case WIRE_BOOLS_OR_NONE: {
      wire_bools_t * bools = to;
      bools->n = wire_u32(r);
      bools->data = wire_bytes(r, bools->n);
      if (bools->n > 0) check_length(r, lengths, f->length, bools->n);
      break;
    }
    case WIRE_INT32S: {
      wire_integers_t * integers = to;
      *integers = wire_i32_sequence(r);
      check_length(r, lengths, f->length, integers->n);
      break;
    }
  }
}

static void
read_fields(wire_reader_t * r, const wire_layout_t * layout, void * view)
{
  lengths_t lengths = {0};
  for (int k = 0; k < layout->n; k++) {
    read_field(r, &lengths, &layout->field[k], (char *)view + layout->field[k].offset);
  }
}

bool
wire_read_message(const wire_layout_t * layout, const uint8_t * buffer, size_t size, void * view)
{
  wire_reader_t r = wire_open(buffer, size);
  memset(view, 0, layout->view_size);
  read_fields(&r, layout, view);
  return wire_at_end(&r);
}

bool
wire_read_joints(const uint8_t * buffer, size_t size, wire_joints_t * out)
{
  wire_reader_t * r = &out->reader;
  *r = wire_open(buffer, size);
  out->header.stamp = wire_stamp(r);
  out->header.frame_id = wire_string(r);
  out->n = wire_u32(r);
  if (out->n > WIRE_MAX_NAMES) r->ok = false;
  return wire_ok(r);
}

bool
wire_next_joint(wire_joints_t * joints, wire_joint_dynamics_t * out)
{
  read_fields(&joints->reader, &wire_layout_joint_dynamics, out);
  return wire_ok(&joints->reader);
}
