#include "view_messages.h"

#include <math.h>
#include <string.h>

#include "live_kind.h"

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
    json_out_bool(text, "recorded", r->recorded);
    json_out_string(text, "state", r->state);
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
view_model(json_out_t * text, const live_robot_t * r)
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

//---------- matrices ----------

static void
put_matrix(json_out_t * t, const live_matrix_t * m)
{
  json_out_count(t, "rows", m->rows);
  json_out_count(t, "cols", m->cols);
  view_numbers(t, "data", &m->data);
}

static bool
fits(const live_matrix_t * m)
{
  return m->rows <= MOST_ROWS && m->cols <= MOST_ROWS;
}

bool
view_mass_matrix(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  live_matrix_t m;
  if (!live_read_mass_matrix(bytes, size, &m) || !fits(&m)) return false;
  begin(t, "mass_matrix", robot);
  view_time(t, "t", 1e-9 * (double)m.stamp);
  view_names(t, "names", &m.row_names);
  put_matrix(t, &m);
  json_out_number(t, "condition", m.condition);
  end(t);
  return true;
}

bool
view_jacobian(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  live_matrix_t m;
  if (!live_read_jacobian(bytes, size, &m) || !fits(&m)) return false;
  begin(t, "jacobian", robot);
  view_time(t, "t", 1e-9 * (double)m.stamp);
  view_text(t, "frame", m.frame);
  json_out_count(t, "reference", m.reference);
  view_text(t, "point_frame", m.point_frame);
  view_text(t, "axes_frame", m.axes_frame);
  view_names(t, "row_names", &m.row_names);
  view_names(t, "col_names", &m.col_names);
  put_matrix(t, &m);
  view_numbers(t, "bias", &m.extra);
  end(t);
  return true;
}

bool
view_inertia(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  live_matrix_t m;
  if (!live_read_inertia(bytes, size, &m) || !fits(&m)) return false;
  begin(t, "operational_space_inertia", robot);
  view_time(t, "t", 1e-9 * (double)m.stamp);
  view_names(t, "frames", &m.frames);
  json_out_count(t, "reference", m.reference);
  view_names(t, "point_frames", &m.point_frames);
  view_names(t, "axes_frames", &m.axes_frames);
  view_names(t, "names", &m.row_names);
  put_matrix(t, &m);
  view_numbers(t, "compliance", &m.extra);
  json_out_count(t, "rank", m.rank);
  json_out_number(t, "condition", m.condition);
  end(t);
  return true;
}

//---------- numbers of the robot as a whole ----------

bool
view_summary(json_out_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  live_summary_t m;
  if (!live_read_summary(bytes, size, &m)) return false;
  begin(t, "summary", robot);
  view_time(t, "t", 1e-9 * (double)m.stamp);
  view_text(t, "model_name", m.model_name);
  view_text(t, "mode", m.mode);
  json_out_count(t, "degrees_of_freedom", m.degrees_of_freedom);
  json_out_number(t, "kinetic_energy", m.energies[0]);
  json_out_number(t, "potential_energy", m.energies[1]);
  json_out_number(t, "power", m.energies[2]);
  json_out_number(t, "mass", m.mass);
  json_out_vector(t, "gravity", m.gravity, 3);
  json_out_vector(t, "center_of_mass", m.center_of_mass, 3);
  json_out_vector(t, "com_velocity", m.com_velocity, 3);
  json_out_vector(t, "linear_momentum", m.linear, 3);
  json_out_vector(t, "angular_momentum", m.angular, 3);
  json_out_number(t, "condition", m.condition);
  json_out_number(t, "log_det", m.log_det);
  view_names(t, "links", &m.links);
  view_numbers(t, "effective_mass", &m.effective_mass);
  json_out_count(t, "cycles", m.cycles);
  json_out_count(t, "dropped", m.dropped);
  json_out_count(t, "saturated_joints", m.saturated_joints);
  json_out_number(t, "input_age", m.input_age);
  json_out_number(t, "compute_time", m.compute_time);
  json_out_number(t, "compute_time_max", m.compute_time_max);
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
  json_out_string(text, "state", r->state);
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
