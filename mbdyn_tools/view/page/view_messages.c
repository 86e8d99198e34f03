#include "view_messages.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 256 };

static void
begin(view_text_t * text, const char * type, const char * robot)
{
  view_text_clear(text);
  view_open(text, NULL, '{');
  view_string(text, "type", type);
  if (robot) view_string(text, "robot", robot);
}

static void
end(view_text_t * text)
{
  view_close(text, '}');
}

//---------- the whole ----------

void
view_hello(view_text_t * text, const view_facts_t * facts)
{
  begin(text, "hello", NULL);
  view_count(text, "version", 1);
  view_string(text, "program", facts->program);
  view_time(text, "t", live_wall());
  view_number(text, "history", facts->history);
  view_count(text, "history_rate", 10);
  view_count(text, "rate", 60);
  view_open(text, "mesh_packages", '[');
  for (int i = 0; i < facts->nmesh; i++) view_string(text, NULL, facts->mesh_package[i]);
  view_close(text, ']');
  end(text);
}

void
view_robots(view_text_t * text, const live_view_t * view, double now)
{
  begin(text, "robots", NULL);
  view_open(text, "robots", '[');
  for (int i = 0; i < view->n; i++) {
    const live_robot_t * r = view->robot[i];
    view_open(text, NULL, '{');
    view_string(text, "id", r->id);
    view_string(text, "node", r->node);
    view_string(text, "name", r->model_name);
    view_count(text, "joints", (uint64_t)r->n);
    view_flag(text, "alive", live_robot_alive(r, now));
    view_string(text, "state", r->state);
    view_string(text, "mode", r->mode);
    view_close(text, '}');
  }
  view_close(text, ']');
  end(text);
}

//---------- model ----------

static void
put_joint(view_text_t * text, const live_joint_info_t * j)
{
  view_open(text, NULL, '{');
  view_string(text, "name", j->name);
  view_string(text, "joint", j->joint);
  if (j->type) {
    view_string(text, "type", j->type);
    view_vector(text, "axis", j->axis, 3);
    view_string(text, "unit", j->slides ? "m" : "rad");
  } else {
    view_null(text, "type");
    view_null(text, "axis");
    view_null(text, "unit");
  }
  view_open(text, "limits", '{');
  view_number(text, "lower", j->lower);
  view_number(text, "upper", j->upper);
  view_number(text, "velocity", j->velocity);
  view_number(text, "effort", j->effort);
  view_close(text, '}');
  view_close(text, '}');
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
view_model(view_text_t * text, const live_robot_t * r)
{
  const mbd_model_t * model = r->model;
  char url[LIVE_NAME + 32] = "/api/robots/";
  strcat(strcat(url, r->id), "/urdf");
  begin(text, "model", r->id);
  view_count(text, "version", r->version);
  view_string(text, "name", r->model_name);
  view_string(text, "root_link", model ? root_link(model) : "");
  view_flag(text, "floating", r->floating);
  view_string(text, "world_frame", r->world_frame);
  if (model)
    view_string(text, "urdf_url", url);
  else
    view_null(text, "urdf_url");
  view_open(text, "joints", '[');
  for (int i = 0; i < r->n; i++) put_joint(text, &r->joint[i]);
  view_close(text, ']');
  view_open(text, "links", '[');
  for (int i = 0; model && i < model->nframe; i++) {
    if (model->frame[i].is_link) view_string(text, NULL, model->frame[i].name);
  }
  view_close(text, ']');
  view_open(text, "frames", '[');
  for (int i = 0; i < r->nframe; i++) view_string(text, NULL, r->frame[i]);
  view_close(text, ']');
  end(text);
}

void
view_reset(view_text_t * text, const live_robot_t * robot)
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
put_series(view_text_t * text, const char * key, const view_rows_t * rows, size_t at)
{
  view_open(text, key, '[');
  for (size_t i = 0; i < rows->rows; i++) view_short(text, rows->x[i * rows->width + at]);
  view_close(text, ']');
}

static void
put_columns(view_text_t * text, const view_client_t * client, const view_rows_t * rows)
{
  view_open(text, "columns", '{');
  for (int k = 0; k < LIVE_COLUMNS; k++) {
    if (!(client->columns & 1u << k)) continue;
    view_open(text, live_column_name((live_column_t)k), '[');
    for (int i = 0; i < rows->joints; i++) {
      if (wanted(client, i)) put_series(text, NULL, rows, (size_t)(k * rows->joints + i));
    }
    view_close(text, ']');
  }
  view_close(text, '}');
  view_open(text, "scalars", '{');
  for (int k = 0; k < LIVE_SCALARS; k++) {
    const size_t at = (size_t)(LIVE_COLUMNS * rows->joints + k);
    put_series(text, live_scalar_name((live_scalar_t)k), rows, at);
  }
  view_close(text, '}');
}

static void
put_pose(view_text_t * text, const view_rows_t * rows)
{
  view_open(text, "pose", '{');
  view_time(text, "t", rows->pose->t);
  view_vector(text, "position", rows->pose->position, rows->joints);
  if (rows->pose->floating && !isnan(rows->pose->base[0]))
    view_vector(text, "base", rows->pose->base, 7);
  else
    view_null(text, "base");
  view_close(text, '}');
}

void
view_samples(view_text_t * text, const view_client_t * client, const view_rows_t * rows)
{
  begin(text, "samples", rows->robot);
  view_count(text, "model", rows->model);
  view_flag(text, "history", !rows->pose);
  view_open(text, "joints", '[');
  for (int i = 0; i < rows->joints; i++) {
    if (wanted(client, i)) view_count(text, NULL, (uint64_t)i);
  }
  view_close(text, ']');
  view_open(text, "t", '[');
  for (size_t i = 0; i < rows->rows; i++) view_time(text, NULL, rows->t[i]);
  view_close(text, ']');
  put_columns(text, client, rows);
  if (rows->pose) put_pose(text, rows);
  end(text);
}

//---------- matrices ----------

static void
put_matrix(view_text_t * t, const live_matrix_t * m)
{
  view_count(t, "rows", m->rows);
  view_count(t, "cols", m->cols);
  view_numbers(t, "data", &m->data);
}

static bool
fits(const live_matrix_t * m)
{
  return m->rows <= MOST_ROWS && m->cols <= MOST_ROWS;
}

bool
view_mass_matrix(view_text_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  live_matrix_t m;
  if (!live_read_mass_matrix(bytes, size, &m) || !fits(&m)) return false;
  begin(t, "mass_matrix", robot);
  view_time(t, "t", 1e-9 * (double)m.stamp);
  view_names(t, "names", &m.row_names);
  put_matrix(t, &m);
  view_number(t, "condition", m.condition);
  end(t);
  return true;
}

bool
view_jacobian(view_text_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  live_matrix_t m;
  if (!live_read_jacobian(bytes, size, &m) || !fits(&m)) return false;
  begin(t, "jacobian", robot);
  view_time(t, "t", 1e-9 * (double)m.stamp);
  view_wire(t, "frame", m.frame);
  view_count(t, "reference", m.reference);
  view_wire(t, "point_frame", m.point_frame);
  view_wire(t, "axes_frame", m.axes_frame);
  view_names(t, "row_names", &m.row_names);
  view_names(t, "col_names", &m.col_names);
  put_matrix(t, &m);
  view_numbers(t, "bias", &m.extra);
  end(t);
  return true;
}

bool
view_inertia(view_text_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  live_matrix_t m;
  if (!live_read_inertia(bytes, size, &m) || !fits(&m)) return false;
  begin(t, "operational_space_inertia", robot);
  view_time(t, "t", 1e-9 * (double)m.stamp);
  view_names(t, "frames", &m.frames);
  view_count(t, "reference", m.reference);
  view_names(t, "point_frames", &m.point_frames);
  view_names(t, "axes_frames", &m.axes_frames);
  view_names(t, "names", &m.row_names);
  put_matrix(t, &m);
  view_numbers(t, "compliance", &m.extra);
  view_count(t, "rank", m.rank);
  view_number(t, "condition", m.condition);
  end(t);
  return true;
}

//---------- numbers of the robot as a whole ----------

bool
view_summary(view_text_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  live_summary_t m;
  if (!live_read_summary(bytes, size, &m)) return false;
  begin(t, "summary", robot);
  view_time(t, "t", 1e-9 * (double)m.stamp);
  view_wire(t, "model_name", m.model_name);
  view_wire(t, "mode", m.mode);
  view_count(t, "degrees_of_freedom", m.degrees_of_freedom);
  view_number(t, "kinetic_energy", m.energies[0]);
  view_number(t, "potential_energy", m.energies[1]);
  view_number(t, "power", m.energies[2]);
  view_number(t, "mass", m.mass);
  view_vector(t, "gravity", m.gravity, 3);
  view_vector(t, "center_of_mass", m.center_of_mass, 3);
  view_vector(t, "com_velocity", m.com_velocity, 3);
  view_vector(t, "linear_momentum", m.linear, 3);
  view_vector(t, "angular_momentum", m.angular, 3);
  view_number(t, "condition", m.condition);
  view_number(t, "log_det", m.log_det);
  view_names(t, "links", &m.links);
  view_numbers(t, "effective_mass", &m.effective_mass);
  view_count(t, "cycles", m.cycles);
  view_count(t, "dropped", m.dropped);
  view_count(t, "saturated_joints", m.saturated_joints);
  view_number(t, "input_age", m.input_age);
  view_number(t, "compute_time", m.compute_time);
  view_number(t, "compute_time_max", m.compute_time_max);
  end(t);
  return true;
}

bool
view_wrench(view_text_t * t, const char * robot, const uint8_t * bytes, size_t size)
{
  wire_stamped_t m;
  if (!wire_read_wrench(bytes, size, &m)) return false;
  begin(t, "external_wrench", robot);
  view_time(t, "t", 1e-9 * (double)m.stamp);
  view_wire(t, "frame", m.frame_id);
  view_vector(t, "force", m.x, 3);
  view_vector(t, "torque", m.x + 3, 3);
  end(t);
  return true;
}

void
view_saturated(view_text_t * text, const live_robot_t * r)
{
  begin(text, "saturated", r->id);
  view_time(text, "t", r->t);
  view_open(text, "joints", '[');
  for (int i = 0; i < r->n; i++) {
    if (r->joint[i].saturated) view_count(text, NULL, (uint64_t)i);
  }
  view_close(text, ']');
  end(text);
}

//---------- how things are going ----------

void
view_status(view_text_t * text, const live_robot_t * r, uint64_t thinned)
{
  begin(text, "status", r->id);
  view_time(text, "t", r->t);
  view_string(text, "state", r->state);
  view_string(text, "mode", r->mode);
  if (r->threshold > 0)
    view_number(text, "threshold", r->threshold);
  else
    view_null(text, "threshold");
  view_open(text, "topics", '[');
  for (int i = 0; i < r->ncount; i++) {
    const live_count_t * c = &r->count[i];
    view_open(text, NULL, '{');
    view_string(text, "topic", c->topic);
    view_string(text, "type", c->type);
    view_number(text, "hz", c->hz);
    view_number(text, "age", c->age);
    view_count(text, "count", c->count);
    view_close(text, '}');
  }
  view_close(text, ']');
  view_count(text, "thinned", thinned);
  end(text);
}

static void
put_status(view_text_t * text, const live_status_text_t * s)
{
  const char * at = s->text;
  view_open(text, NULL, '{');
  view_string(text, "name", at);
  view_count(text, "level", s->level);
  at = live_text_next(at);
  view_string(text, "message", at);
  at = live_text_next(at);
  view_string(text, "hardware_id", at);
  at = live_text_next(at);
  view_open(text, "values", '{');
  for (uint32_t i = 0; i < s->pairs; i++) {
    const char * value = live_text_next(at);
    // a key is any text: escaped as a value, then a colon
    view_string(text, NULL, at);
    view_put(text, ":", 1);
    view_string(text, NULL, value);
    at = live_text_next(value);
  }
  view_close(text, '}');
  view_close(text, '}');
}

void
view_diagnostics(view_text_t * text, const live_diagnostics_t * d)
{
  begin(text, "diagnostics", NULL);
  view_time(text, "t", live_wall());
  view_open(text, "status", '[');
  for (int i = 0; i < d->n; i++) put_status(text, &d->status[i]);
  view_close(text, ']');
  end(text);
}
