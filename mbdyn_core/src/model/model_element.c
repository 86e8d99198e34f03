// Force elements of a model: kept as they were added, put on the bodies at finalize.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/dynamics/element.h"
#include "mbdyn/spatial.h"
#include "model/model_internal.h"
#include "util/check.h"

static const char * const NAMES[MBD_ELEMENT_TYPES] = {
  [MBD_ELEMENT_SPRING] = "spring",   [MBD_ELEMENT_TORSION] = "torsion",
  [MBD_ELEMENT_BUSHING] = "bushing", [MBD_ELEMENT_JOINT] = "joint",
  [MBD_ELEMENT_WRENCH] = "wrench",
};

static bool
is_type(mbd_element_type_t type)
{
  return (int)type >= 0 && (int)type < MBD_ELEMENT_TYPES;
}

const char *
mbd_element_type_name(mbd_element_type_t type)
{
  return is_type(type) ? NAMES[type] : "unknown";
}

mbd_element_spec_t
mbd_element_spec_default(void)
{
  mbd_element_spec_t spec = {0};
  spec.frame_a = spec.frame_b = MBD_WORLD_BODY;
  spec.X_a = spec.X_b = mbdu_placement_identity();
  return spec;
}

//---------- adding ----------

static mbd_status_t
check_frames(const mbd_model_t * model, const mbd_element_spec_t * spec)
{
  const int frame[2] = {spec->frame_a, spec->frame_b};
  for (int k = 0; k < 2; k++) {
    if (frame[k] < MBD_WORLD_BODY || frame[k] >= model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  }
  CHECK(mbdi_check_placement(&spec->X_a));
  CHECK(mbdi_check_placement(&spec->X_b));
  return spec->frame_a == spec->frame_b ? MBD_ERROR_BAD_ARGUMENT : MBD_OK;
}

static mbd_status_t
check_element(const mbd_model_t * model, const mbd_element_spec_t * spec)
{
  const struct mbdi_model_builder * b = model->internal->builder;
  for (int k = 0; k < b->nelement; k++) {
    if (strcmp(b->element_spec[k].name, spec->name) == 0) return MBD_ERROR_DUPLICATE_NAME;
  }
  if (!is_type(spec->type)) return MBD_ERROR_BAD_ARGUMENT;
  const double number[] = {spec->stiffness, spec->damping, spec->rest, spec->preload, spec->ramp};
  const bool finite = finite_array(number, 5) && finite_array(spec->stiffness6, 6) &&
                      finite_array(spec->damping6, 6) && finite_vec3(spec->wrench.ang) &&
                      finite_vec3(spec->wrench.lin);
  if (!finite) return MBD_ERROR_NOT_FINITE;
  const bool scalar = spec->type != MBD_ELEMENT_BUSHING && spec->type != MBD_ELEMENT_WRENCH;
  if ((int)spec->one_sided < MBD_ONE_SIDED_BOTH || (int)spec->one_sided > MBD_ONE_SIDED_PULL)
    return MBD_ERROR_BAD_ARGUMENT;
  if (!scalar && (spec->at || spec->one_sided != MBD_ONE_SIDED_BOTH)) return MBD_ERROR_BAD_ARGUMENT;
  if (spec->ramp < 0) return MBD_ERROR_BAD_ARGUMENT;
  if (spec->type != MBD_ELEMENT_JOINT) return check_frames(model, spec);
  return spec->joint ? MBD_OK : MBD_ERROR_NULL_ARGUMENT;
}

static void
free_spec(mbd_element_spec_t * spec)
{
  free((void *)spec->name);
  free((void *)spec->joint);
}

static bool
copy_spec(const mbd_element_spec_t * from, mbd_element_spec_t * to)
{
  *to = *from;
  const bool joint = from->type == MBD_ELEMENT_JOINT;
  to->name = mbdi_copy_string(from->name);
  to->joint = joint ? mbdi_copy_string(from->joint) : NULL;
  if (to->name && (to->joint || !joint)) return true;
  free_spec(to);
  return false;
}

static bool
reserve_element(struct mbdi_model_builder * b)
{
  if (b->nelement < b->element_capacity) return true;
  const int capacity = b->element_capacity == 0 ? 8 : 2 * b->element_capacity;
  mbd_element_spec_t * grown = realloc(b->element_spec, (size_t)capacity * sizeof *grown);
  if (!grown) return false;
  b->element_spec = grown;
  b->element_capacity = capacity;
  return true;
}

mbd_status_t
mbd_model_add_element(mbd_model_t * model, const mbd_element_spec_t * spec, int * element)
{
  if (!model || !spec || !spec->name) return MBD_ERROR_NULL_ARGUMENT;
  if (model->finalized) return MBD_ERROR_FINALIZED;
  mbdi_model_blame(model, spec->name);
  CHECK(check_element(model, spec));
  model->error_name = NULL;
  struct mbdi_model_builder * b = model->internal->builder;
  if (!reserve_element(b) || !copy_spec(spec, &b->element_spec[b->nelement]))
    return MBD_ERROR_OUT_OF_MEMORY;
  if (element) *element = b->nelement;
  b->nelement++;
  return MBD_OK;
}

void
mbdi_free_elements(struct mbdi_model_builder * b)
{
  for (int k = 0; k < b->nelement; k++) free_spec(&b->element_spec[k]);
  free(b->element_spec);
  free(b->element);
}

//---------- finalize ----------

static bool
has_one_axis(mbd_joint_type_t type)
{
  return type == MBD_JOINT_REVOLUTE || type == MBD_JOINT_CONTINUOUS ||
         type == MBD_JOINT_PRISMATIC || type == MBD_JOINT_HELICAL;
}

// the child body of the joint, and the frames of its two links
static mbd_status_t
resolve_joint(const struct mbdi_model_builder * b, mbd_element_t * e)
{
  const int item = mbdi_names_find(&b->joints, e->spec.joint);
  if (item < 0 || !has_one_axis(b->item[item].spec.type)) return MBD_ERROR_BAD_JOINT;
  e->body = b->frame[item].body;
  e->spec.frame_b = b->body[e->body].link_frame;
  const int parent = b->body[e->body].parent;
  e->spec.frame_a = parent < 0 ? MBD_WORLD_BODY : b->body[parent].link_frame;
  e->spec.X_a = e->spec.X_b = mbdu_placement_identity();
  return MBD_OK;
}

mbd_status_t
mbdi_resolve_elements(mbd_model_t * model)
{
  struct mbdi_model_builder * b = model->internal->builder;
  if (b->nelement == 0) return MBD_OK;
  b->element = calloc((size_t)b->nelement, sizeof *b->element);
  if (!b->element) return MBD_ERROR_OUT_OF_MEMORY;
  for (int k = 0; k < b->nelement; k++) {
    mbd_element_t * e = &b->element[k];
    e->spec = b->element_spec[k];
    e->body = -1;
    model->error_name = e->spec.name;
    if (e->spec.type == MBD_ELEMENT_JOINT) CHECK(resolve_joint(b, e));
    // one per cent of the rest length, Haug 4.5.1
    if (e->spec.ramp == 0) e->spec.ramp = 0.01 * fabs(e->spec.rest);
    if (e->spec.ramp == 0) e->spec.ramp = 0.01;
  }
  model->error_name = NULL;
  model->element = b->element;
  model->nelement = b->nelement;
  return MBD_OK;
}

void
mbdi_forget_elements(mbd_model_t * model)
{
  free(model->internal->builder->element);
  model->internal->builder->element = NULL;
  model->element = NULL;
  model->nelement = 0;
}

mbd_status_t
mbd_find_element(const mbd_model_t * model, const char * name, int * element)
{
  if (!model || !name || !element) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  for (int k = 0; k < model->nelement; k++) {
    if (strcmp(model->element[k].spec.name, name) != 0) continue;
    *element = k;
    return MBD_OK;
  }
  return MBD_ERROR_NOT_FOUND;
}
