#include "live_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/urdf.h"

static const char *
type_name(mbd_joint_type_t type)
{
  switch (type) {
    case MBD_JOINT_REVOLUTE: return "revolute";
    case MBD_JOINT_CONTINUOUS: return "continuous";
    case MBD_JOINT_PRISMATIC: return "prismatic";
    case MBD_JOINT_FREE: return "floating";
    case MBD_JOINT_PLANAR: return "planar";
    case MBD_JOINT_SPHERICAL: return "spherical";
    default: return "other";
  }
}

// the joint that a name of a topic means
static const mbd_body_t *
find_body(const mbd_model_t * model, const char * name, char * joint, size_t size)
{
  int body;
  snprintf(joint, size, "%s", name);
  if (mbd_find_joint(model, joint, &body) == MBD_OK) return &model->body[body];
  char * dot = strrchr(joint, '.');
  if (dot) *dot = 0;
  if (dot && mbd_find_joint(model, joint, &body) == MBD_OK) return &model->body[body];
  snprintf(joint, size, "%s", name);
  return NULL;
}

static bool
slides(const mbd_body_t * body, const char * name)
{
  const char * dot = strrchr(name, '.');
  if (body->nv == 1) return body->type == MBD_JOINT_PRISMATIC;
  return dot && dot[1] == 'v';
}

static void
fill(live_joint_info_t * j, const mbd_model_t * model)
{
  const mbd_body_t * body = find_body(model, j->name, j->joint, sizeof j->joint);
  if (!body) return;
  j->type = type_name(body->type);
  j->slides = slides(body, j->name);
  // the model has turned the joint's frame so that its axis is z
  const mbd_mat3_t * R = &model->frame[body->link_frame].X.R;
  j->axis[0] = R->m[6];
  j->axis[1] = R->m[7];
  j->axis[2] = R->m[8];
  if (body->nv != 1) return;
  j->lower = body->limits.lower;
  j->upper = body->limits.upper;
  j->velocity = body->limits.velocity;
  if (isnan(j->effort)) j->effort = body->limits.effort;
}

void
live_model_joints(live_robot_t * r)
{
  for (int i = 0; i < r->n; i++) {
    live_joint_info_t * j = &r->joint[i];
    snprintf(j->joint, sizeof j->joint, "%s", j->name);
    j->type = NULL;
    j->slides = false;
    j->lower = j->upper = j->velocity = (double)NAN;
    memset(j->axis, 0, sizeof j->axis);
    if (r->model) fill(j, r->model);
  }
}

void
live_robot_set_floating(live_robot_t * r, bool floating)
{
  if (r->floating == floating) return;
  r->floating = floating;
  char * text = r->urdf;
  r->urdf = NULL;
  // read anew, with another joint at its root
  if (text) (void)live_robot_set_urdf(r, text, r->urdf_size);
  free(text);
}

bool
live_robot_set_urdf(live_robot_t * r, const char * text, size_t size)
{
  if (r->urdf && r->urdf_size == size && memcmp(r->urdf, text, size) == 0) return true;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.embed = false;  // takes trees
  options.mimic_independent = true;
  options.base = r->floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  mbd_model_t * model = NULL;
  if (mbdx_urdf_load_string(text, size, NULL, &options, &model, NULL) != MBD_OK) return false;
  char * copy = malloc(size + 1);
  if (!copy) return mbd_model_destroy(model), false;
  memcpy(copy, text, size);
  copy[size] = 0;
  free(r->urdf);
  mbd_model_destroy(r->model);
  r->urdf = copy;
  r->urdf_size = size;
  r->model = model;
  if (!*r->model_name) snprintf(r->model_name, sizeof r->model_name, "%s", model->name);
  live_model_joints(r);
  r->version++;
  return true;
}
