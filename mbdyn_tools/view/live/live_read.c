#include "live_read.h"

enum { MOST_ROWS = 4096 };

static bool
at_end(const wire_reader_t * r)
{
  return wire_ok(r) && r->size - r->at <= 3;
}

static int64_t
read_header(wire_reader_t * r, wire_text_t * frame_id)
{
  const int64_t sec = wire_i32(r), nanosec = wire_u32(r);
  if (sec < 0 || nanosec >= 1000000000) r->ok = false;
  *frame_id = wire_string(r);
  return sec * 1000000000 + nanosec;
}

static wire_names_t
read_names(wire_reader_t * r)
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

static uint64_t
read_u64(wire_reader_t * r)
{
  // eight bytes are eight bytes: as a double they pass unchanged
  union {
    double f;
    uint64_t u;
  } both = {.f = wire_f64(r)};
  return both.u;
}

//---------- joints ----------

bool
live_read_joints(const uint8_t * buffer, size_t size, live_joints_t * out)
{
  out->reader = wire_open(buffer, size);
  out->stamp = read_header(&out->reader, &out->frame_id);
  out->n = wire_u32(&out->reader);
  if (out->n > WIRE_MAX_NAMES) out->reader.ok = false;
  return wire_ok(&out->reader);
}

bool
live_next_joint(live_joints_t * joints, live_joint_t * out)
{
  wire_reader_t * r = &joints->reader;
  out->name = wire_string(r);
  wire_f64_array(r, out->x, LIVE_JOINT_NUMBERS);
  out->saturated = wire_u8(r) != 0;
  return wire_ok(r);
}

//---------- matrices ----------

static void
read_shape(wire_reader_t * r, live_matrix_t * out)
{
  out->row_names = read_names(r);
  out->col_names = read_names(r);
  out->rows = wire_u32(r);
  out->cols = wire_u32(r);
  out->data = wire_f64_sequence(r);
  const bool fits = out->rows <= MOST_ROWS && out->cols <= MOST_ROWS &&
                    out->rows == out->row_names.n && out->cols == out->col_names.n &&
                    out->data.n == out->rows * out->cols;
  if (!fits) r->ok = false;
}

bool
live_read_mass_matrix(const uint8_t * buffer, size_t size, live_matrix_t * out)
{
  wire_reader_t r = wire_open(buffer, size);
  *out = (live_matrix_t){0};
  out->stamp = read_header(&r, &out->frame_id);
  read_shape(&r, out);
  out->extra = wire_f64_sequence(&r);
  out->condition = wire_f64(&r);
  return at_end(&r);
}

bool
live_read_jacobian(const uint8_t * buffer, size_t size, live_matrix_t * out)
{
  wire_reader_t r = wire_open(buffer, size);
  *out = (live_matrix_t){0};
  out->stamp = read_header(&r, &out->frame_id);
  out->frame = wire_string(&r);
  out->reference = wire_u8(&r);
  out->point_frame = wire_string(&r);
  out->axes_frame = wire_string(&r);
  read_shape(&r, out);
  out->extra = wire_f64_sequence(&r);
  return at_end(&r);
}

bool
live_read_inertia(const uint8_t * buffer, size_t size, live_matrix_t * out)
{
  wire_reader_t r = wire_open(buffer, size);
  *out = (live_matrix_t){0};
  out->stamp = read_header(&r, &out->frame_id);
  out->frames = read_names(&r);
  out->reference = wire_u8(&r);
  out->point_frames = read_names(&r);
  out->axes_frames = read_names(&r);
  read_shape(&r, out);
  out->extra = wire_f64_sequence(&r);
  out->rank = wire_u32(&r);
  out->condition = wire_f64(&r);
  return at_end(&r);
}

//---------- summary ----------

bool
live_read_summary(const uint8_t * buffer, size_t size, live_summary_t * out)
{
  wire_reader_t r = wire_open(buffer, size);
  out->stamp = read_header(&r, &out->frame_id);
  out->model_name = wire_string(&r);
  out->mode = wire_string(&r);
  out->degrees_of_freedom = wire_u32(&r);
  wire_f64_array(&r, out->energies, 3);
  out->mass = wire_f64(&r);
  double * const vector[] = {
    out->gravity, out->center_of_mass, out->com_velocity, out->linear, out->angular};
  for (int i = 0; i < 5; i++) wire_f64_array(&r, vector[i], 3);
  out->condition = wire_f64(&r);
  out->log_det = wire_f64(&r);
  out->links = read_names(&r);
  out->effective_mass = wire_f64_sequence(&r);
  out->cycles = read_u64(&r);
  out->dropped = read_u64(&r);
  out->saturated_joints = wire_u32(&r);
  out->input_age = wire_f64(&r);
  out->compute_time = wire_f64(&r);
  out->compute_time_max = wire_f64(&r);
  return at_end(&r) && out->effective_mass.n == out->links.n;
}

//---------- diagnostics ----------

bool
live_read_diagnostics(const uint8_t * buffer, size_t size, live_statuses_t * out)
{
  wire_text_t frame_id;
  out->reader = wire_open(buffer, size);
  out->stamp = read_header(&out->reader, &frame_id);
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
  return at_end(&r);
}
