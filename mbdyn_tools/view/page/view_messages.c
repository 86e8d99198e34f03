#include "view_messages.h"

#include <math.h>
#include <string.h>

#include "live_kind.h"
#include "view_springs.h"

enum { MOST_ROWS = 256 };

static void
begin(json_out_t * text, const char * type, const char * robot)
{
  json_out_clear(text);
  json_out_object(text, NULL);
  json_out_string(text, "type", type);
  if (robot) json_out_string(text, "robot", robot);
}

static void
end(json_out_t * text)
{
  json_out_end(text);
}

//---------- the whole ----------

void
view_hello(json_out_t * text, const view_facts_t * facts)
{
  begin(text, "hello", NULL);
  json_out_count(text, "version", 1);
  json_out_string(text, "program", facts->program);
  view_time(text, "t", live_wall());
  json_out_number(text, "history", facts->history);
  json_out_count(text, "history_rate", 10);
  json_out_count(text, "rate", 60);
  json_out_list(text, "mesh_packages");
  for (int i = 0; i < facts->nmesh; i++) json_out_string(text, NULL, facts->mesh_package[i]);
  json_out_end(text);
  end(text);
}

static void
put_robots(json_out_t * text, live_t * live, double now)
{
  const live_view_t * view = live_lock(live);
  for (int i = 0; i < view->n; i++) {
    const live_robot_t * r = view->robot[i];
    json_out_object(text, NULL);
    json_out_string(text, "id", r->id);
    json_out_string(text, "node", r->node);
    json_out_string(text, "name", r->model_name);
    json_out_count(text, "joints", (uint64_t)r->n);
    json_out_bool(text, "alive", r->recorded || live_robot_alive(r, now));
    json_out_bool(text, "node_alive", r->recorded || live_robot_node_alive(r, now));
    json_out_bool(text, "recorded", r->recorded);
    json_out_string(text, "state", r->recorded ? r->state : live_robot_state(r, now));
    json_out_string(text, "mode", r->mode);
    json_out_end(text);
  }
  live_unlock(live);
}

void
view_robots(json_out_t * text, const view_sources_t * sources, double now)
{
  begin(text, "robots", NULL);
  json_out_list(text, "robots");
  if (sources->live) put_robots(text, sources->live, now);
  put_robots(text, recording_live(sources->recording), now);
  json_out_end(text);
  end(text);
}

//---------- recording ----------

void
view_playback(json_out_t * text, const recording_state_t * s)
{
  begin(text, "playback", NULL);
  json_out_bool(text, "open", s->open);
  json_out_bool(text, "opening", s->opening);
  json_out_string(text, "name", s->name);
  json_out_string(text, "error", s->error);
  json_out_string(text, "note", s->note);
  view_time(text, "start", s->start);
  view_time(text, "end", s->end);
  view_time(text, "t", s->t);
  json_out_bool(text, "playing", s->playing);
  json_out_bool(text, "seeking", s->seeking);
  json_out_number(text, "rate", s->rate);
  json_out_bool(text, "needs_urdf", s->needs_urdf);
  json_out_list(text, "computed");
  for (int i = 0; i < LIVE_KINDS; i++) {
    if (s->computed >> i & 1) json_out_string(text, NULL, live_kind_name((live_kind_t)i));
  }
  json_out_end(text);
  json_out_string(text, "missing", s->missing);
  end(text);
}

//---------- model ----------

static void
put_joint(json_out_t * text, const live_joint_info_t * j)
{
  json_out_object(text, NULL);
  json_out_string(text, "name", j->name);
  json_out_string(text, "joint", j->joint);
  if (j->type) {
    json_out_string(text, "type", j->type);
    json_out_vector(text, "axis", j->axis, 3);
    json_out_string(text, "unit", j->slides ? "m" : "rad");
  } else {
    json_out_null(text, "type");
    json_out_null(text, "axis");
    json_out_null(text, "unit");
  }
  json_out_object(text, "limits");
  json_out_number(text, "lower", j->lower);
  json_out_number(text, "upper", j->upper);
  json_out_number(text, "velocity", j->velocity);
  json_out_number(text, "effort", j->effort);
  json_out_end(text);
  json_out_end(text);
}

static const char *
root_link(const mbd_model_t * model)
{
  for (int i = 0; i < model->nframe; i++) {
    if (model->frame[i].is_link) return model->frame[i].name;
  }
  return "";
}

void
view_model(json_out_t * text, const live_robot_t * r, const char * mechanism)
{
  const mbd_model_t * model = r->model;
  char url[LIVE_NAME + 32] = "/api/robots/";
  strcat(strcat(url, r->id), "/urdf");
  begin(text, "model", r->id);
  json_out_count(text, "version", r->version);
  json_out_string(text, "name", r->model_name);
  json_out_string(text, "root_link", model ? root_link(model) : "");
  json_out_bool(text, "floating", r->floating);
  json_out_string(text, "world_frame", r->world_frame);
  if (model)
    json_out_string(text, "urdf_url", url);
  else
    json_out_null(text, "urdf_url");
  json_out_list(text, "joints");
  for (int i = 0; i < r->n; i++) put_joint(text, &r->joint[i]);
  json_out_end(text);
  json_out_list(text, "links");
  for (int i = 0; model && i < model->nframe; i++) {
    if (model->frame[i].is_link) json_out_string(text, NULL, model->frame[i].name);
  }
  json_out_end(text);
  json_out_list(text, "frames");
  for (int i = 0; i < r->nframe; i++) json_out_string(text, NULL, r->frame[i]);
  json_out_end(text);
  view_springs(text, r, mechanism);
  end(text);
}

void
view_reset(json_out_t * text, const live_robot_t * robot)
{
  begin(text, "reset", robot->id);
  end(text);
}

//---------- samples ----------

static bool
wanted(const view_client_t * client, int joint)
{
  return client->all_joints || client->wanted[joint];
}

static void
put_series(json_out_t * text, const char * key, const view_rows_t * rows, size_t at)
{
  json_out_list(text, key);
  for (size_t i = 0; i < rows->rows; i++)
    json_out_digits(text, NULL, (double)rows->x[i * rows->width + at], 7);
  json_out_end(text);
}

static void
put_columns(json_out_t * text, const view_client_t * client, const view_rows_t * rows)
{
  json_out_object(text, "columns");
  for (int k = 0; k < LIVE_COLUMNS; k++) {
    if (!(client->columns & 1u << k)) continue;
    json_out_list(text, live_column_name((live_column_t)k));
    for (int i = 0; i < rows->joints; i++) {
      if (wanted(client, i)) put_series(text, NULL, rows, (size_t)(k * rows->joints + i));
    }
    json_out_end(text);
  }
  json_out_end(text);
  json_out_object(text, "scalars");
  for (int k = 0; k < LIVE_SCALARS; k++) {
    const size_t at = (size_t)(LIVE_COLUMNS * rows->joints + k);
    put_series(text, live_scalar_name((live_scalar_t)k), rows, at);
  }
  json_out_end(text);
}

static void
put_pose(json_out_t * text, const view_rows_t * rows)
{
  json_out_object(text, "pose");
  view_time(text, "t", rows->pose->t);
  json_out_vector(text, "position", rows->pose->position, rows->joints);
  if (rows->pose->floating && !isnan(rows->pose->base[0]))
    json_out_vector(text, "base", rows->pose->base, 7);
  else
    json_out_null(text, "base");
  json_out_end(text);
}

void
view_samples(json_out_t * text, const view_client_t * client, const view_rows_t * rows)
{
  begin(text, "samples", rows->robot);
  json_out_count(text, "model", rows->model);
  json_out_bool(text, "history", !rows->pose);
  json_out_list(text, "joints");
  for (int i = 0; i < rows->joints; i++) {
    if (wanted(client, i)) json_out_count(text, NULL, (uint64_t)i);
  }
  json_out_end(text);
  json_out_list(text, "t");
  for (size_t i = 0; i < rows->rows; i++) view_time(text, NULL, rows->t[i]);
  json_out_end(text);
  put_columns(text, client, rows);
  if (rows->pose) put_pose(text, rows);
  end(text);
}

//---------- messages of the node ----------

// another key than the field's name; NULL: left out
typedef struct key {
  const char *field, *key;
} view_key_t;

static const view_key_t SUMMARY_KEYS[] = {
  {"mass_matrix_condition", "condition"}, {"log_det_mass_matrix", "log_det"}, {NULL, NULL}};
static const view_key_t SYMMETRIC_KEYS[] = {
  {"row_names", "names"}, {"col_names", NULL}, {"diagonal", NULL}, {NULL, NULL}};
static const view_key_t NO_KEYS[] = {{NULL, NULL}};

static void
put_field(json_out_t * t, const char * key, wire_type_t type, const void * x)
{
  switch (type) {
    case WIRE_HEADER: view_time(t, "t", 1e-9 * (double)((const wire_header_t *)x)->stamp); break;
    case WIRE_STRING: view_text(t, key, *(const wire_text_t *)x); break;
    case WIRE_STRINGS: view_names(t, key, x); break;
    case WIRE_UINT8: json_out_count(t, key, *(const uint8_t *)x); break;
    case WIRE_UINT32: json_out_count(t, key, *(const uint32_t *)x); break;
    case WIRE_UINT64: json_out_count(t, key, *(const uint64_t *)x); break;
    case WIRE_BOOL: json_out_bool(t, key, *(const bool *)x); break;
    case WIRE_FLOAT64:
    case WIRE_FLOAT64_INFO: json_out_number(t, key, *(const double *)x); break;
    case WIRE_VECTOR3:
    case WIRE_POINT: json_out_vector(t, key, ((const wire_vector3_t *)x)->x, 3); break;
    case WIRE_FLOAT64S:
    case WIRE_FLOAT64S_OR_NONE: view_numbers(t, key, x); break;
    case WIRE_BOOLS_OR_NONE: {
      const wire_bools_t * flags = x;
      json_out_list(t, key);
      for (uint32_t i = 0; i < flags->n; i++) json_out_bool(t, NULL, flags->data[i] != 0);
      json_out_end(t);
      break;
    }
    case WIRE_INT32S: {
      const wire_integers_t * integers = x;
      json_out_list(t, key);
      for (uint32_t i = 0; i < integers->n; i++)
        json_out_integer(t, NULL, wire_integer(integers, i));
      json_out_end(t);
      break;
    }
  }
}

// every field of a message, by the table of its layout
static void
put_message(
  json_out_t * t, const wire_layout_t * layout, const view_key_t * keys, const void * view)
{
  for (int k = 0; k < layout->n; k++) {
    const wire_field_t * f = &layout->field[k];
    const view_key_t * other = keys;
    while (other->field && strcmp(other->field, f->name) != 0) other++;
    const char * key = other->field ? other->key : f->name;
    if (key) put_field(t, key, f->type, (const char *)view + f->offset);
  }
}

bool
view_mass_matrix(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  wire_mass_matrix_t m;
  if (!wire_read_message(&wire_layout_mass_matrix, bytes, size, &m)) return false;
  if (m.rows > MOST_ROWS || m.cols > MOST_ROWS) return false;
  begin(t, "mass_matrix", robot);
  put_message(t, &wire_layout_mass_matrix, SYMMETRIC_KEYS, &m);
  end(t);
  return true;
}

bool
view_jacobian(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  wire_jacobian_t m;
  if (!wire_read_message(&wire_layout_jacobian, bytes, size, &m)) return false;
  if (m.rows > MOST_ROWS || m.cols > MOST_ROWS) return false;
  begin(t, "jacobian", robot);
  put_message(t, &wire_layout_jacobian, NO_KEYS, &m);
  end(t);
  return true;
}

bool
view_inertia(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  wire_operational_space_inertia_t m;
  const wire_layout_t * layout = &wire_layout_operational_space_inertia;
  if (!wire_read_message(layout, bytes, size, &m)) return false;
  if (m.rows > MOST_ROWS || m.cols > MOST_ROWS) return false;
  begin(t, "operational_space_inertia", robot);
  put_message(t, layout, SYMMETRIC_KEYS, &m);
  end(t);
  return true;
}

bool
view_singularity(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  wire_singularity_t m;
  if (!wire_read_message(&wire_layout_singularity, bytes, size, &m)) return false;
  begin(t, "singularity", robot);
  put_message(t, &wire_layout_singularity, NO_KEYS, &m);
  end(t);
  return true;
}

bool
view_summary(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  wire_dynamics_summary_t m;
  if (!wire_read_message(&wire_layout_dynamics_summary, bytes, size, &m)) return false;
  begin(t, "summary", robot);
  put_message(t, &wire_layout_dynamics_summary, SUMMARY_KEYS, &m);
  end(t);
  return true;
}

bool
view_wrench(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  wire_stamped_t m;
  if (!wire_read_wrench(bytes, size, &m)) return false;
  begin(t, "external_wrench", robot);
  view_time(t, "t", 1e-9 * (double)m.stamp);
  view_text(t, "frame", m.frame_id);
  json_out_vector(t, "force", m.x, 3);
  json_out_vector(t, "torque", m.x + 3, 3);
  end(t);
  return true;
}

void
view_saturated(json_out_t * text, const live_robot_t * r)
{
  begin(text, "saturated", r->id);
  view_time(text, "t", r->t);
  json_out_list(text, "joints");
  for (int i = 0; i < r->n; i++) {
    if (r->joint[i].saturated) json_out_count(text, NULL, (uint64_t)i);
  }
  json_out_end(text);
  end(text);
}

//---------- how things are going ----------

void
view_status(json_out_t * text, const live_robot_t * r, uint64_t thinned)
{
  begin(text, "status", r->id);
  view_time(text, "t", r->t);
  json_out_string(text, "state", r->recorded ? r->state : live_robot_state(r, live_monotonic()));
  json_out_string(text, "mode", r->mode);
  if (r->threshold > 0)
    json_out_number(text, "threshold", r->threshold);
  else
    json_out_null(text, "threshold");
  json_out_list(text, "topics");
  for (int i = 0; i < r->ncount; i++) {
    const live_count_t * c = &r->count[i];
    json_out_object(text, NULL);
    json_out_string(text, "topic", c->topic);
    json_out_string(text, "type", c->type);
    json_out_number(text, "hz", c->hz);
    json_out_number(text, "age", c->age);
    json_out_count(text, "count", c->count);
    json_out_end(text);
  }
  json_out_end(text);
  json_out_count(text, "thinned", thinned);
  end(text);
}

static void
put_status(json_out_t * text, const live_status_text_t * s)
{
  const char * at = s->text;
  json_out_object(text, NULL);
  json_out_string(text, "name", at);
  json_out_count(text, "level", s->level);
  at = live_text_next(at);
  json_out_string(text, "message", at);
  at = live_text_next(at);
  json_out_string(text, "hardware_id", at);
  at = live_text_next(at);
  json_out_object(text, "values");
  for (uint32_t i = 0; i < s->pairs; i++) {
    const char * value = live_text_next(at);
    json_out_string(text, at, value);
    at = live_text_next(value);
  }
  json_out_end(text);
  json_out_end(text);
}

void
view_diagnostics(json_out_t * text, const live_diagnostics_t * d)
{
  begin(text, "diagnostics", NULL);
  view_time(text, "t", live_wall());
  json_out_list(text, "status");
  for (int i = 0; i < d->n; i++) put_status(text, &d->status[i]);
  json_out_end(text);
  end(text);
}
