// Bearings of a model: kept as they were added, put on joints and closures at finalize.
#include <stdlib.h>
#include <string.h>

#include "mbdyn/dynamics/bearing.h"
#include "model/model_internal.h"
#include "util/check.h"

mbd_bearing_spec_t
mbd_bearing_spec_default(void)
{
  return (mbd_bearing_spec_t){.velocity = 2e-3, .smoothing = 2e-3};
}

static mbd_status_t
check_bearing(const mbd_model_t * model, const mbd_bearing_spec_t * spec)
{
  const struct mbdi_model_builder * b = model->internal->builder;
  for (int k = 0; k < b->nbearing; k++) {
    if (strcmp(b->bearing[k].spec.joint, spec->joint) == 0) return MBD_ERROR_DUPLICATE_NAME;
  }
  const double number[] = {spec->mu_static, spec->mu_dynamic, spec->velocity,
                           spec->radius,    spec->span,       spec->key,
                           spec->offset,    spec->preload,    spec->smoothing};
  if (!finite_array(number, 9)) return MBD_ERROR_NOT_FINITE;
  const bool good = spec->mu_dynamic >= 0 && spec->mu_static >= spec->mu_dynamic &&
                    spec->velocity > 0 && spec->radius >= 0 && spec->preload >= 0 &&
                    spec->smoothing > 0;
  return good ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

mbd_status_t
mbd_model_add_bearing(mbd_model_t * model, const mbd_bearing_spec_t * spec, int * bearing)
{
  if (!model || !spec || !spec->joint) return MBD_ERROR_NULL_ARGUMENT;
  if (model->finalized) return MBD_ERROR_FINALIZED;
  mbdi_model_blame(model, spec->joint);
  CHECK(check_bearing(model, spec));
  model->error_name = NULL;
  struct mbdi_model_builder * b = model->internal->builder;
  if (b->nbearing == b->bearing_capacity) {
    const int capacity = b->nbearing == 0 ? 8 : 2 * b->nbearing;
    mbd_bearing_t * grown = realloc(b->bearing, (size_t)capacity * sizeof *grown);
    if (!grown) return MBD_ERROR_OUT_OF_MEMORY;
    b->bearing = grown;
    b->bearing_capacity = capacity;
  }
  mbd_bearing_t * added = &b->bearing[b->nbearing];
  *added = (mbd_bearing_t){.spec = *spec, .body = -1, .closure = -1};
  added->spec.joint = mbdi_copy_string(spec->joint);
  if (!added->spec.joint) return MBD_ERROR_OUT_OF_MEMORY;
  if (bearing) *bearing = b->nbearing;
  b->nbearing++;
  return MBD_OK;
}

void
mbdi_free_bearings(struct mbdi_model_builder * b)
{
  for (int k = 0; k < b->nbearing; k++) free((void *)b->bearing[k].spec.joint);
  free(b->bearing);
}

//---------- finalize ----------

static bool
bears_joint(mbd_joint_type_t type)
{
  return type == MBD_JOINT_REVOLUTE || type == MBD_JOINT_CONTINUOUS ||
         type == MBD_JOINT_PRISMATIC || type == MBD_JOINT_CYLINDRICAL;
}

static bool
bears_closure(mbd_closure_type_t type)
{
  return type == MBD_CLOSURE_REVOLUTE || type == MBD_CLOSURE_PRISMATIC ||
         type == MBD_CLOSURE_CYLINDRICAL || type == MBD_CLOSURE_ON_LINE;
}

static mbd_status_t
resolve(const mbd_model_t * model, mbd_bearing_t * bearing)
{
  const struct mbdi_model_builder * b = model->internal->builder;
  const int item = mbdi_names_find(&b->joints, bearing->spec.joint);
  bearing->body = bearing->closure = -1;
  if (item >= 0) {
    if (!bears_joint(b->item[item].spec.type)) return MBD_ERROR_BAD_JOINT;
    bearing->body = b->frame[item].body;
    return MBD_OK;
  }
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    if (strcmp(c->name, bearing->spec.joint) != 0) continue;
    if (!bears_closure(c->type)) return MBD_ERROR_BAD_JOINT;
    bearing->closure = k;
    return MBD_OK;
  }
  return MBD_ERROR_BAD_JOINT;
}

mbd_status_t
mbdi_resolve_bearings(mbd_model_t * model)
{
  struct mbdi_model_builder * b = model->internal->builder;
  for (int k = 0; k < b->nbearing; k++) {
    model->error_name = b->bearing[k].spec.joint;
    CHECK(resolve(model, &b->bearing[k]));
  }
  model->error_name = NULL;
  model->bearing = b->bearing;
  model->nbearing = b->nbearing;
  return MBD_OK;
}

void
mbdi_forget_bearings(mbd_model_t * model)
{
  model->bearing = NULL;
  model->nbearing = 0;
}
