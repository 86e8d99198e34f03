// Building a model: links and frames are collected as items until mbd_model_finalize.
#include "mbdyn/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "model/engine.h"
#include "model/joint_reversed.h"
#include "model/model_internal.h"
#include "util/check.h"

char *
mbdi_copy_string(const char * s)
{
  const size_t n = strlen(s) + 1;
  char * copy = malloc(n);
  if (copy) memcpy(copy, s, n);
  return copy;
}

mbd_model_t *
mbdi_model_alloc(void)
{
  struct {
    mbd_model_t model;
    struct mbdi_model internal;
  } * block = calloc(1, sizeof *block);
  if (!block) return NULL;
  block->model.internal = &block->internal;
  return &block->model;
}

mbd_status_t
mbd_model_create(const char * name, mbd_model_t ** model)
{
  if (!name || !model) return MBD_ERROR_NULL_ARGUMENT;
  *model = NULL;
  mbd_model_t * m = mbdi_model_alloc();
  struct mbdi_model_builder * b = calloc(1, sizeof *b);
  if (b) b->name = mbdi_copy_string(name);
  if (!m || !b || !b->name) {
    if (b) free(b->name);
    free(b);
    free(m);
    return MBD_ERROR_OUT_OF_MEMORY;
  }
  m->internal->builder = b;
  m->name = b->name;
  m->gravity = mbdu_vec3(0, 0, -9.81);
  *model = m;
  return MBD_OK;
}

static void
free_item(mbdi_item_t * item)
{
  free((void *)item->spec.name);
  free((void *)item->spec.joint_name);
  free((void *)item->spec.mimic.joint);
  free((void *)item->spec.user);
  free(item->reversed);
}

void
mbdi_model_free(mbd_model_t * model)
{
  struct mbdi_model_builder * b = model->internal->builder;
  for (int i = 0; i < model->nframe; i++) free_item(&b->item[i]);
  mbdi_names_free(&b->frames);
  mbdi_names_free(&b->joints);
  free(b->item);
  free(b->body);
  free(b->frame);
  free(b->dof_body);
  free(b->curved);
  mbdi_free_closures(b);
  mbdi_free_elements(b);
  mbdi_free_bearings(b);
  free(b->name);
  free(b);
  free(model);
}

mbd_body_spec_t
mbd_body_spec_default(void)
{
  mbd_body_spec_t spec = {0};
  spec.parent = MBD_WORLD_BODY;
  spec.type = MBD_JOINT_FIXED;
  spec.axis = mbdu_vec3(0, 0, 1);
  spec.placement = mbdu_placement_identity();
  spec.limits.lower = -HUGE_VAL;
  spec.limits.upper = HUGE_VAL;
  spec.limits.velocity = HUGE_VAL;
  spec.limits.effort = HUGE_VAL;
  spec.limits.acceleration = spec.limits.deceleration = spec.limits.jerk = HUGE_VAL;
  spec.drive.gear_ratio = 1;
  spec.drive.coulomb_velocity = 0.01;
  spec.mimic.multiplier = 1;
  return spec;
}

//---------- adding ----------

static bool
reserve_item(mbd_model_t * model)
{
  struct mbdi_model_builder * b = model->internal->builder;
  if (model->nframe < b->capacity) return true;
  const int capacity = b->capacity == 0 ? 32 : 2 * b->capacity;
  mbdi_item_t * grown = realloc(b->item, (size_t)capacity * sizeof *grown);
  if (!grown) return false;
  b->item = grown;
  b->capacity = capacity;
  return true;
}

// copies of everything that a description points to; false when out of memory
static bool
copy_spec(const mbd_body_spec_t * from, mbdi_item_t * to)
{
  to->spec = *from;
  to->spec.name = mbdi_copy_string(from->name);
  to->spec.joint_name = from->joint_name ? mbdi_copy_string(from->joint_name) : NULL;
  to->spec.mimic.joint = from->mimic.joint ? mbdi_copy_string(from->mimic.joint) : NULL;
  to->spec.user = NULL;
  bool good = to->spec.name && (to->spec.joint_name || !from->joint_name) &&
              (to->spec.mimic.joint || !from->mimic.joint);
  if (good && from->type == MBD_JOINT_USER) {
    mbd_user_joint_t * user = malloc(sizeof *user);
    if (user) *user = *from->user;
    to->spec.user = user;
    good = user != NULL;
  }
  if (!good) free_item(to);
  return good;
}

static mbd_status_t
add_item(mbd_model_t * model, const mbd_body_spec_t * spec, bool is_link, int * frame)
{
  struct mbdi_model_builder * b = model->internal->builder;
  mbdi_item_t item = {.is_link = is_link};
  if (!reserve_item(model) || !copy_spec(spec, &item)) return MBD_ERROR_OUT_OF_MEMORY;
  if (!mbdi_names_add(&b->frames, item.spec.name, model->nframe)) {
    free_item(&item);
    return MBD_ERROR_OUT_OF_MEMORY;
  }
  b->item[model->nframe] = item;
  *frame = model->nframe++;
  if (!is_link) return MBD_OK;
  // a link whose joint name cannot be remembered stays; the model is unusable but consistent
  return mbdi_names_add(&b->joints, item.spec.joint_name, *frame) ? MBD_OK
                                                                  : MBD_ERROR_OUT_OF_MEMORY;
}

// the same link or frame once more, with what it owns; parents may come later
static mbd_status_t
copy_item(const mbdi_item_t * from, mbd_model_t * to)
{
  int index;
  CHECK(add_item(to, &from->spec, from->is_link, &index));
  mbdi_item_t * item = &to->internal->builder->item[index];
  item->moved = from->moved;
  item->link_in_joint = from->link_in_joint;
  if (!from->reversed) return MBD_OK;
  item->reversed = malloc(sizeof *item->reversed);
  if (!item->reversed) return MBD_ERROR_OUT_OF_MEMORY;
  *item->reversed = *from->reversed;
  ((mbd_user_joint_t *)item->spec.user)->ctx = item->reversed;
  return MBD_OK;
}

mbd_status_t
mbdi_copy_links(const mbd_model_t * from, mbd_model_t * to)
{
  to->gravity = from->gravity;
  to->mimic_independent = from->mimic_independent;
  for (int i = 0; i < from->nframe; i++) CHECK(copy_item(&from->internal->builder->item[i], to));
  return MBD_OK;
}

mbd_status_t
mbdi_copy_items(const mbd_model_t * from, mbd_model_t * to)
{
  CHECK(mbdi_copy_links(from, to));
  for (int k = 0; k < from->internal->builder->nloop; k++) {
    CHECK(mbd_model_add_closure(to, &from->internal->builder->loop[k], NULL));
  }
  for (int k = 0; k < from->internal->builder->nelement; k++) {
    CHECK(mbd_model_add_element(to, &from->internal->builder->element_spec[k], NULL));
  }
  for (int k = 0; k < from->internal->builder->nbearing; k++) {
    CHECK(mbd_model_add_bearing(to, &from->internal->builder->bearing[k].spec, NULL));
  }
  return MBD_OK;
}

// the name of the joint or link of an error, copied: the caller's may not live as long as the model
void
mbdi_model_blame(mbd_model_t * model, const char * name)
{
  char * text = model->internal->builder->error_name;
  strncpy(text, name, sizeof model->internal->builder->error_name - 1);
  model->error_name = text;
}

mbd_status_t
mbd_model_add_body(mbd_model_t * model, const mbd_body_spec_t * spec, int * frame)
{
  if (!model || !spec || !frame || !spec->name || !spec->joint_name) return MBD_ERROR_NULL_ARGUMENT;
  if (model->finalized) return MBD_ERROR_FINALIZED;
  model->error_name = NULL;
  const mbd_status_t status = mbdi_check_spec(model, spec);
  if (status != MBD_OK) {
    if (!model->error_name) mbdi_model_blame(model, spec->name);
    return status;
  }
  return add_item(model, spec, true, frame);
}

mbd_status_t
mbd_model_add_frame(
  mbd_model_t * model, const char * name, int link, const mbd_placement_t * placement, int * frame)
{
  if (!model || !name || !placement || !frame) return MBD_ERROR_NULL_ARGUMENT;
  if (model->finalized) return MBD_ERROR_FINALIZED;
  mbdi_model_blame(model, name);
  if (mbdi_names_find(&model->internal->builder->frames, name) >= 0)
    return MBD_ERROR_DUPLICATE_NAME;
  if (link < MBD_WORLD_BODY || link >= model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(mbdi_check_placement(placement));
  model->error_name = NULL;
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = name;
  spec.parent = link;
  spec.placement = *placement;
  return add_item(model, &spec, false, frame);
}

mbd_status_t
mbd_model_set_gravity(mbd_model_t * model, mbd_vec3_t gravity)
{
  if (!model) return MBD_ERROR_NULL_ARGUMENT;
  if (model->finalized) return MBD_ERROR_FINALIZED;
  if (!finite_vec3(gravity)) return MBD_ERROR_NOT_FINITE;
  model->gravity = gravity;
  return MBD_OK;
}

mbd_status_t
mbd_model_set_mimic_independent(mbd_model_t * model, bool independent)
{
  if (!model) return MBD_ERROR_NULL_ARGUMENT;
  if (model->finalized) return MBD_ERROR_FINALIZED;
  model->mimic_independent = independent;
  return MBD_OK;
}

//---------- looking up ----------

mbd_status_t
mbd_find_frame(const mbd_model_t * model, const char * name, int * frame)
{
  if (!model || !name || !frame) return MBD_ERROR_NULL_ARGUMENT;
  const int found = mbdi_names_find(&mbdi_built_model(model)->internal->builder->frames, name);
  if (found < 0) return MBD_ERROR_NOT_FOUND;
  *frame = found;
  return MBD_OK;
}

mbd_status_t
mbd_find_joint(const mbd_model_t * model, const char * joint_name, int * body)
{
  if (!model || !joint_name || !body) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  const struct mbdi_model_builder * b = mbdi_built_model(model)->internal->builder;
  const int item = mbdi_names_find(&b->joints, joint_name);
  if (item < 0 || b->item[item].spec.type == MBD_JOINT_FIXED) {
    return MBD_ERROR_NOT_FOUND;
  }
  *body = mbdi_built_model(model)->frame[item].body;
  return MBD_OK;
}
