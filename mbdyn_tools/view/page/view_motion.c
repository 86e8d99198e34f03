#include "view_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"
#include "self_motion_search.h"

enum { POINTS = 180, TEXT = 256 };

// the server has one thread: other pages wait for so long
static const double STEP = 0.1, TIMEOUT = 0.1;

struct view_motion {
  char id[LIVE_NAME], frame[LIVE_NAME];
  char * urdf;
  size_t size;
  bool floating;
  int n;
  char (*joint)[LIVE_NAME];
  double * position;
  double base[7];
};

view_motion_t *
view_motion_create(const live_robot_t * r, const char * frame, const double * position, int n)
{
  view_motion_t * m = calloc(1, sizeof *m);
  if (!m) return NULL;
  snprintf(m->id, sizeof m->id, "%s", r->id);
  snprintf(m->frame, sizeof m->frame, "%s", frame);
  m->floating = r->floating;
  m->n = r->n;
  m->joint = calloc((size_t)r->n + 1, sizeof *m->joint);
  m->position = calloc((size_t)r->n + 1, sizeof *m->position);
  m->urdf = r->urdf ? malloc(r->urdf_size + 1) : NULL;
  if (!m->joint || !m->position || (r->urdf && !m->urdf)) return view_motion_destroy(m), NULL;
  for (int i = 0; i < r->n; i++) {
    memcpy(m->joint[i], r->joint[i].joint, LIVE_NAME);
    m->position[i] = !position ? r->position[i] : i < n ? position[i] : (double)NAN;
  }
  memcpy(m->base, r->base, sizeof m->base);
  if (r->urdf) memcpy(m->urdf, r->urdf, m->size = r->urdf_size);
  return m;
}

void
view_motion_destroy(view_motion_t * m)
{
  if (!m) return;
  free(m->urdf);
  free(m->joint);
  free(m->position);
  free(m);
}

//---------- the curve ----------

// a model and what is computed with it
typedef struct curve {
  mbd_model_t * model;
  mbd_data_t * data;
  double * q;
  self_motion_search_t * search;
} curve_t;

static void
curve_free(curve_t * c)
{
  self_motion_destroy(c->search);
  mbd_data_destroy(c->data);
  mbd_model_destroy(c->model);
  free(c->q);
}

// positions by name; those of joints that are not known stay neutral
static bool
set_configuration(const view_motion_t * m, curve_t * c)
{
  c->q = calloc((size_t)c->model->nq + 1, sizeof *c->q);
  if (!c->q || mbd_neutral(c->model, c->q) != MBD_OK) return false;
  for (int i = 0; i < m->n; i++) {
    int body;
    if (mbd_find_joint(c->model, m->joint[i], &body) != MBD_OK) continue;
    if (c->model->body[body].nq != 1) continue;
    if (!isfinite(m->position[i])) return false;
    c->q[c->model->body[body].q_index] = m->position[i];
  }
  if (m->floating && isfinite(m->base[0])) memcpy(c->q, m->base, sizeof m->base);
  return true;
}

// \return false with a reason
static bool
trace(const view_motion_t * m, curve_t * c, char * reason)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  int frame;
  options.base = m->floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options.embed = false;
  if (
    !m->urdf ||
    mbdx_urdf_load_string(m->urdf, m->size, NULL, &options, &c->model, NULL) != MBD_OK) {
    return snprintf(reason, TEXT, "there is no robot description"), false;
  }
  if (mbd_find_frame(c->model, m->frame, &frame) != MBD_OK) {
    return snprintf(reason, TEXT, "the robot has no link '%.100s'", m->frame), false;
  }
  if (mbd_data_create(c->model, &c->data) != MBD_OK || !set_configuration(m, c)) {
    return snprintf(reason, TEXT, "not all joint positions are known"), false;
  }
  c->search = self_motion_create(c->model, c->data, frame);
  if (!c->search) return snprintf(reason, TEXT, "out of memory"), false;
  c->search->step = STEP;
  c->search->timeout = TIMEOUT;
  mbd_status_t status = self_motion_begin(c->search, c->q);
  const int freedom = c->search->state.freedom;
  if (status == MBD_OK) status = self_motion_curve(c->search);
  if (status == MBD_ERROR_BAD_ARGUMENT && freedom == 0) {
    snprintf(
      reason, TEXT, "not redundant: the pose of %.100s leaves no degree of freedom", m->frame);
  } else if (status == MBD_ERROR_BAD_ARGUMENT && freedom > 1) {
    snprintf(
      reason, TEXT, "the pose of %.100s leaves %d degrees of freedom: not a curve", m->frame,
      freedom);
  } else if (status == MBD_ERROR_SINGULAR) {
    snprintf(reason, TEXT, "the robot is at a singularity");
  } else if (status != MBD_OK) {
    snprintf(reason, TEXT, "%s", mbd_status_string(status));
  }
  return status == MBD_OK;
}

//---------- the message ----------

// rows of positions in the order of the robot's joints
static void
put_rows(json_out_t * text, const view_motion_t * m, const curve_t * c)
{
  const mbd_self_motion_curve_t * curve = &c->search->curve;
  const int stride = (curve->n + POINTS - 1) / POINTS;
  json_out_list(text, "s");
  for (int i = 0; i < curve->n; i += stride) json_out_digits(text, NULL, curve->s[i], 7);
  json_out_end(text);
  json_out_list(text, "position");
  for (int i = 0; i < curve->n; i += stride) {
    const double * q = curve->q + (size_t)i * (size_t)c->model->nq;
    json_out_list(text, NULL);
    for (int k = 0; k < m->n; k++) {
      int body;
      const bool known =
        mbd_find_joint(c->model, m->joint[k], &body) == MBD_OK && c->model->body[body].nq == 1;
      json_out_digits(text, NULL, known ? q[c->model->body[body].q_index] : (double)NAN, 6);
    }
    json_out_end(text);
  }
  json_out_end(text);
}

static void
put_end(
  json_out_t * text, const char * key, const curve_t * c, mbd_self_motion_end_t end, int limit)
{
  const char * at = end == MBD_SELF_MOTION_SINGULAR ? "singularity" : "";
  if (end == MBD_SELF_MOTION_LIMIT && limit >= 0)
    at = c->model->body[c->model->dof_body[limit]].joint_name;
  json_out_string(text, key, at);
}

void
view_motion(json_out_t * text, const view_motion_t * m)
{
  curve_t c = {0};
  char reason[TEXT] = "out of memory";
  const bool good = m && trace(m, &c, reason);
  json_out_clear(text);
  json_out_object(text, NULL);
  json_out_string(text, "type", "self_motion");
  json_out_string(text, "robot", m ? m->id : "");
  json_out_string(text, "frame", m ? m->frame : "");
  json_out_string(text, "error", good ? "" : reason);
  if (good) {
    const mbd_self_motion_curve_t * curve = &c.search->curve;
    json_out_bool(text, "closed", curve->closed);
    json_out_bool(text, "whole", !c.search->timed_out);
    json_out_number(text, "length", curve->length);
    put_rows(text, m, &c);
    json_out_list(text, "arcs");
    for (int k = 0; k < curve->narc; k++) {
      json_out_object(text, NULL);
      json_out_number(text, "begin", curve->arc[k].begin);
      json_out_number(text, "end", curve->arc[k].end);
      put_end(text, "begin_at", &c, curve->arc[k].begin_at, curve->arc[k].begin_limit);
      put_end(text, "end_at", &c, curve->arc[k].end_at, curve->arc[k].end_limit);
      json_out_end(text);
    }
    json_out_end(text);
  }
  json_out_end(text);
  curve_free(&c);
}
