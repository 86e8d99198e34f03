#include "live_robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live_model.h"

// history of one robot takes no more than this
enum { HISTORY_BYTES = 64 << 20, RECORDED_BYTES = 32 << 20 };

#define NAME_FLOAT64(name) #name,
#define NAME_FLOAT64_INFO(name)
#define NAME_STRING(name)
#define NAME_BOOL(name)
static const char * const COLUMN[LIVE_COLUMNS] = {
#define FIELD(id, name, type, length) NAME_##type(name)
#include "layout/joint_dynamics.inc"
  "residual"};

static const char * const SCALAR[LIVE_SCALARS] = {
  "kinetic_energy", "potential_energy", "power", "input_age", "compute_time", "condition"};

const char *
live_column_name(live_column_t column)
{
  return COLUMN[column];
}

const char *
live_scalar_name(live_scalar_t scalar)
{
  return SCALAR[scalar];
}

//---------- start and end ----------

live_robot_t *
live_robot_create(const char * node, double seconds)
{
  live_robot_t * r = calloc(1, sizeof *r);
  if (!r) return NULL;
  snprintf(r->node, sizeof r->node, "%s", node);
  snprintf(r->id, sizeof r->id, "%s", node[0] == '/' ? node + 1 : node);
  for (char * c = r->id; *c; c++) {
    if (*c == '/') *c = '.';
  }
  for (int i = 0; i < 7; i++) r->base[i] = (double)NAN;
  r->history_seconds = seconds;
  // at first the node has a while to say something
  r->wait_timeout = 1.5;
  return r;
}

static void
free_numbers(live_robot_t * r)
{
  live_thin_fini(&r->row_thin);
  live_thin_fini(&r->history_thin);
  live_rows_fini(&r->rows);
  live_rows_fini(&r->history);
  free(r->joint);
  free(r->now);
  free(r->position);
  r->joint = NULL;
  r->now = NULL;
  r->position = NULL;
  r->n = 0;
  r->width = 0;
}

void
live_robot_destroy(live_robot_t * r)
{
  if (!r) return;
  free_numbers(r);
  for (int i = 0; i < LIVE_KINDS; i++) free(r->message[i].bytes);
  for (int i = 0; i < LIVE_FRAMES; i++) free(r->jacobian[i].bytes);
  mbd_model_destroy(r->model);
  free(r->urdf);
  free(r);
}

//---------- joints ----------

static size_t
history_rows(const live_robot_t * r)
{
  const double wanted = 2 * r->history_seconds / LIVE_HISTORY_PERIOD + 2;
  const double capacity = (double)HISTORY_BYTES / (double)(r->width * sizeof(float));
  return (size_t)fmax(2, fmin(wanted, capacity));
}

static size_t
kept_rows(const live_robot_t * r)
{
  const size_t capacity = RECORDED_BYTES / (r->width * sizeof(float));
  if (!r->recorded) return LIVE_ROW_KEPT;
  return capacity < LIVE_RECORDED_ROWS ? capacity : LIVE_RECORDED_ROWS;
}

// memory for n joints, all numbers unknown; none if out of memory
static bool
set_joints(live_robot_t * r, int n)
{
  free_numbers(r);
  r->version++;
  r->width = (size_t)LIVE_COLUMNS * (size_t)n + LIVE_SCALARS;
  r->joint = calloc((size_t)n + 1, sizeof *r->joint);
  r->now = calloc(r->width, sizeof *r->now);
  r->position = calloc((size_t)n + 1, sizeof *r->position);
  const bool good = r->joint && r->now && r->position &&
                    live_rows_init(&r->rows, r->width, kept_rows(r)) &&
                    live_rows_init(&r->history, r->width, history_rows(r)) &&
                    live_thin_init(&r->row_thin, &r->rows, LIVE_ROW_PERIOD) &&
                    live_thin_init(&r->history_thin, &r->history, LIVE_HISTORY_PERIOD);
  if (!good) return free_numbers(r), false;
  for (size_t i = 0; i < r->width; i++) r->now[i] = NAN;
  for (int i = 0; i < n; i++) r->position[i] = (double)NAN;
  r->n = n;
  return true;
}

static void
copy_text(char * to, size_t size, wire_text_t text)
{
  snprintf(to, size, "%.*s", (int)(text.size < 4096 ? text.size : 4096), text.data);
}

static bool
same_name(const live_joint_info_t * joint, wire_text_t name)
{
  char text[LIVE_NAME];
  copy_text(text, sizeof text, name);
  return strcmp(joint->name, text) == 0;
}

// the joints are those of this message; false if it is not whole
static bool
know_joints(live_robot_t * r, const wire_joints_t * message)
{
  wire_joints_t walk = *message;
  wire_joint_dynamics_t joint;
  bool same = message->n == (uint32_t)r->n;
  for (uint32_t i = 0; i < message->n; i++) {
    if (!wire_next_joint(&walk, &joint)) return false;
    same = same && same_name(&r->joint[i], joint.name);
  }
  if (same) return true;
  if (message->n == 0 || message->n > LIVE_JOINTS || !set_joints(r, (int)message->n)) return false;
  walk = *message;
  for (int i = 0; i < r->n && wire_next_joint(&walk, &joint); i++) {
    copy_text(r->joint[i].name, sizeof r->joint[i].name, joint.name);
    r->joint[i].effort = joint.limit;
  }
  live_model_joints(r);
  return true;
}

static bool
know_names(live_robot_t * r, const wire_names_t * names)
{
  if (r->n > 0) return true;
  size_t at = 0;
  if (names->n == 0 || names->n > LIVE_JOINTS || !set_joints(r, (int)names->n)) return false;
  for (int i = 0; i < r->n; i++) {
    copy_text(r->joint[i].name, sizeof r->joint[i].name, wire_next_name(names, &at));
  }
  live_model_joints(r);
  return true;
}

static int
find_joint(const live_robot_t * r, wire_text_t name, int guess)
{
  if (guess < r->n && same_name(&r->joint[guess], name)) return guess;
  for (int i = 0; i < r->n; i++) {
    if (same_name(&r->joint[i], name)) return i;
  }
  return -1;
}

//---------- rows ----------

static float *
number(live_robot_t * r, live_column_t column, int joint)
{
  return &r->now[(size_t)column * (size_t)r->n + (size_t)joint];
}

float
live_robot_number(const live_robot_t * r, live_column_t column, int joint)
{
  return r->now[(size_t)column * (size_t)r->n + (size_t)joint];
}

static void
beat(live_beat_t * b, double now)
{
  if (b->last > 0) b->gap = fmax(now - b->last, 0.9 * b->gap);
  b->last = now;
}

static double
silence_limit(const live_beat_t * b)
{
  return fmin(fmax(0.4, 2 * b->gap), 5);
}

static void
clear_rows(live_robot_t * r)
{
  live_rows_clear(&r->rows);
  live_rows_clear(&r->history);
  live_thin_clear(&r->row_thin);
  live_thin_clear(&r->history_thin);
}

// false if time stands still
static bool
new_time(live_robot_t * r, int64_t stamp, double now, double wall)
{
  const double t = stamp ? 1e-9 * (double)stamp : wall;
  beat(&r->numbers, now);
  if (t == r->t) return false;
  if (t < r->t) {
    // a little is disorder on the way, more is another beginning
    if (r->t - t < 0.5) return false;
    r->resets++;
    clear_rows(r);
  }
  r->t = t;
  return true;
}

static void
add_row(live_robot_t * r)
{
  live_thin_add(&r->row_thin, r->t, r->now);
  live_thin_add(&r->history_thin, r->t, r->now);
}

#define SET_FLOAT64(id, name) *number(r, LIVE_##id, i) = (float)joint->name;
#define SET_FLOAT64_INFO(id, name)
#define SET_STRING(id, name)
#define SET_BOOL(id, name)

static void
set_columns(live_robot_t * r, int i, const wire_joint_dynamics_t * joint)
{
#define FIELD(id, name, type, length) SET_##type(id, name)
#include "layout/joint_dynamics.inc"
}

static bool
take_joints(live_robot_t * r, const uint8_t * bytes, size_t size, double now, double wall)
{
  wire_joints_t message;
  wire_joint_dynamics_t joint;
  if (!wire_read_joints(bytes, size, &message) || !know_joints(r, &message)) return false;
  if (!new_time(r, message.header.stamp, now, wall)) return true;
  bool changed = false;
  for (int i = 0; i < r->n && wire_next_joint(&message, &joint); i++) {
    set_columns(r, i, &joint);
    r->position[i] = joint.position;
    r->joint[i].effort = joint.limit;
    changed = changed || r->joint[i].saturated != joint.saturated;
    r->joint[i].saturated = joint.saturated;
  }
  if (changed || r->saturated_version == 0) r->saturated_version++;
  add_row(r);
  return true;
}

// only where the node says nothing itself
static bool
take_states(live_robot_t * r, const uint8_t * bytes, size_t size, double now, double wall)
{
  wire_joint_state_t m;
  if (!wire_read_joint_state(bytes, size, &m)) return false;
  if (r->met <= 0) r->met = now;
  if (now - r->met < r->wait_timeout) return true;
  if (live_robot_node_alive(r, now) && r->message[LIVE_JOINT_DYNAMICS].version > 0) return true;
  if (!know_names(r, &m.names) || !new_time(r, m.stamp, now, wall)) return true;
  size_t at = 0;
  const float nothing = NAN;
  for (size_t i = 0; i < r->width; i++) r->now[i] = nothing;
  for (uint32_t k = 0; k < m.names.n; k++) {
    const int i = find_joint(r, wire_next_name(&m.names, &at), (int)k);
    if (i < 0) continue;
    if (m.position.n) r->position[i] = wire_number(&m.position, k);
    *number(r, LIVE_POSITION, i) = (float)r->position[i];
    if (m.velocity.n) *number(r, LIVE_VELOCITY, i) = (float)wire_number(&m.velocity, k);
    if (m.effort.n) *number(r, LIVE_MEASURED, i) = (float)wire_number(&m.effort, k);
  }
  r->message[LIVE_JOINT_DYNAMICS].version = 0;
  add_row(r);
  return true;
}

static bool
take_residual(live_robot_t * r, const uint8_t * bytes, size_t size)
{
  wire_joint_state_t m;
  if (!wire_read_joint_state(bytes, size, &m)) return false;
  size_t at = 0;
  for (uint32_t k = 0; k < m.names.n && m.effort.n; k++) {
    const int i = find_joint(r, wire_next_name(&m.names, &at), (int)k);
    if (i >= 0) *number(r, LIVE_RESIDUAL, i) = (float)wire_number(&m.effort, k);
  }
  return true;
}

//---------- other messages ----------

static bool
keep_bytes(live_bytes_t * to, const uint8_t * bytes, size_t size)
{
  if (size > to->capacity) {
    uint8_t * more = realloc(to->bytes, size);
    if (!more) return false;
    to->bytes = more;
    to->capacity = size;
  }
  memcpy(to->bytes, bytes, size);
  to->size = size;
  to->version++;
  return true;
}

static bool
take_summary(live_robot_t * r, const uint8_t * bytes, size_t size)
{
  wire_dynamics_summary_t m;
  if (!wire_read_message(&wire_layout_dynamics_summary, bytes, size, &m)) return false;
  copy_text(r->model_name, sizeof r->model_name, m.model_name);
  copy_text(r->mode, sizeof r->mode, m.mode);
  copy_text(r->world_frame, sizeof r->world_frame, m.header.frame_id);
  if (r->n > 0) {
    float * s = r->now + (size_t)LIVE_COLUMNS * (size_t)r->n;
    s[LIVE_KINETIC] = (float)m.kinetic_energy;
    s[LIVE_POTENTIAL] = (float)m.potential_energy;
    s[LIVE_POWER] = (float)m.power;
    s[LIVE_AGE] = (float)m.input_age;
    s[LIVE_COMPUTE] = (float)m.compute_time;
    s[LIVE_CONDITION] = (float)m.mass_matrix_condition;
  }
  return keep_bytes(&r->message[LIVE_DYNAMICS], bytes, size);
}

static bool
take_jacobian(live_robot_t * r, const uint8_t * bytes, size_t size)
{
  wire_jacobian_t m;
  char name[LIVE_NAME];
  if (!wire_read_message(&wire_layout_jacobian, bytes, size, &m)) return false;
  copy_text(name, sizeof name, m.frame);
  int i = 0;
  while (i < r->nframe && strcmp(r->frame[i], name) != 0) i++;
  if (i == LIVE_FRAMES) return true;
  if (i == r->nframe) {
    snprintf(r->frame[r->nframe++], LIVE_NAME, "%s", name);
    r->version++;
  }
  return keep_bytes(&r->jacobian[i], bytes, size);
}

static bool
take_odometry(live_robot_t * r, const uint8_t * bytes, size_t size)
{
  wire_odometry_t m;
  if (!wire_read_odometry(bytes, size, &m)) return false;
  memcpy(r->base, m.pose, sizeof r->base);
  return true;
}

static bool
take_description(live_robot_t * r, const uint8_t * bytes, size_t size)
{
  wire_text_t text;
  return live_read_text(bytes, size, &text) && live_robot_set_urdf(r, text.data, text.size);
}

static bool
take_kind(
  live_robot_t * r, live_kind_t kind, const uint8_t * bytes, size_t size, double now, double wall)
{
  wire_mass_matrix_t mass;
  wire_operational_space_inertia_t inertia;
  wire_singularity_t singularity;
  wire_stamped_t wrench;
  switch (kind) {
    case LIVE_JOINT_DYNAMICS:
      if (!take_joints(r, bytes, size, now, wall)) return false;
      r->message[kind].version++;
      return true;
    case LIVE_JOINT_STATES: return take_states(r, bytes, size, now, wall);
    case LIVE_EXTERNAL_TORQUE: return take_residual(r, bytes, size);
    case LIVE_DYNAMICS: return take_summary(r, bytes, size);
    case LIVE_MASS_MATRIX:
      return wire_read_message(&wire_layout_mass_matrix, bytes, size, &mass) &&
             keep_bytes(&r->message[kind], bytes, size);
    case LIVE_JACOBIAN: return take_jacobian(r, bytes, size);
    case LIVE_OPERATIONAL_INERTIA:
      return wire_read_message(&wire_layout_operational_space_inertia, bytes, size, &inertia) &&
             keep_bytes(&r->message[kind], bytes, size);
    case LIVE_SINGULARITY:
      return wire_read_message(&wire_layout_singularity, bytes, size, &singularity) &&
             keep_bytes(&r->message[kind], bytes, size);
    case LIVE_EXTERNAL_WRENCH:
      return wire_read_wrench(bytes, size, &wrench) && keep_bytes(&r->message[kind], bytes, size);
    case LIVE_ODOMETRY: return take_odometry(r, bytes, size);
    case LIVE_DESCRIPTION: return take_description(r, bytes, size);
    default: return false;
  }
}

// where every message with a header has its stamp
static double
age_of(live_kind_t kind, const uint8_t * bytes, size_t size, double wall)
{
  wire_reader_t r = wire_open(bytes, size);
  const int32_t sec = wire_i32(&r);
  const uint32_t nanosec = wire_u32(&r);
  if (kind == LIVE_DESCRIPTION || !wire_ok(&r) || (sec == 0 && nanosec == 0)) return (double)NAN;
  return wall - ((double)sec + 1e-9 * nanosec);
}

bool
live_robot_take(
  live_robot_t * r, live_kind_t kind, int count, const uint8_t * bytes, size_t size, double now,
  double wall)
{
  if (kind == LIVE_JOINT_STATES) beat(&r->joint_states, now);
  if (!take_kind(r, kind, bytes, size, now, wall)) return false;
  const bool input = kind == LIVE_JOINT_STATES || kind == LIVE_ODOMETRY || kind == LIVE_DESCRIPTION;
  if (!input) beat(&r->node_messages, now);
  if (count >= 0 && count < r->ncount) {
    r->count[count].count++;
    r->count[count].age = age_of(kind, bytes, size, wall);
  }
  return true;
}

//---------- recordings ----------

void
live_robot_record(live_robot_t * r)
{
  r->recorded = true;
  r->history_seconds = 0;
}

static void
forget_message(live_bytes_t * message)
{
  message->size = 0;
  // none is the message of size 0, not of version 0: pages compare versions
  if (message->version > 0) message->version++;
}

void
live_robot_rewind(live_robot_t * r)
{
  const float nothing = NAN;
  clear_rows(r);
  for (size_t i = 0; i < r->width; i++) r->now[i] = nothing;
  for (int i = 0; i < LIVE_KINDS; i++) forget_message(&r->message[i]);
  for (int i = 0; i < LIVE_FRAMES; i++) forget_message(&r->jacobian[i]);
  r->t = r->met = 0;
  r->numbers = r->node_messages = r->joint_states = (live_beat_t){0};
  r->resets++;
}

void
live_robot_reuse(live_robot_t * r, const char * node)
{
  live_robot_rewind(r);
  free_numbers(r);
  snprintf(r->node, sizeof r->node, "%s", node);
  r->model_name[0] = r->state[0] = r->mode[0] = r->world_frame[0] = 0;
  r->nframe = r->ncount = 0;
  r->floating = false;
  for (int i = 0; i < 7; i++) r->base[i] = (double)NAN;
  mbd_model_destroy(r->model);
  free(r->urdf);
  r->model = NULL;
  r->urdf = NULL;
  r->urdf_size = 0;
  r->version++;
}

void
live_robot_settle(live_robot_t * r)
{
  if (r->n == 0) return;
  live_thin_flush(&r->row_thin);
  live_rows_replace_last(&r->rows, r->t, r->now);
}

//---------- topics ----------

int
live_robot_add_topic(live_robot_t * r, const char * topic, const char * type)
{
  if (r->ncount == LIVE_TOPICS) return -1;
  live_count_t * c = &r->count[r->ncount];
  *c = (live_count_t){.type = type, .age = (double)NAN};
  snprintf(c->topic, sizeof c->topic, "%s", topic);
  return r->ncount++;
}

void
live_robot_tick(live_robot_t * r, double seconds)
{
  for (int i = 0; i < r->ncount; i++) {
    live_count_t * c = &r->count[i];
    c->hz = (double)(c->count - c->counted) / seconds;
    c->counted = c->count;
  }
}

bool
live_robot_alive(const live_robot_t * r, double now)
{
  return r->numbers.last > 0 && now - r->numbers.last < silence_limit(&r->numbers);
}

bool
live_robot_node_alive(const live_robot_t * r, double now)
{
  const live_beat_t *node = &r->node_messages, *states = &r->joint_states;
  // compared with the joint states, not with the clock: both are late where this process was
  const double until = states->last > 0 ? states->last : now;
  return node->last > 0 && until - node->last < silence_limit(node);
}

const char *
live_robot_state(const live_robot_t * r, double now)
{
  return r->told > 0 && now - r->told < 3 ? r->state : "";
}
