// A model rebuilt from another one's links and frames, with other parameters.
#include <string.h>

#include "mbdyn/dynamics/regressor.h"
#include "mbdyn/spatial.h"
#include "model/engine.h"
#include "model/model_internal.h"
#include "util/check.h"

mbd_inertia_t
mbdi_inertia_from_parameters(const double * t)
{
  mbd_inertia_t M = {t[0], {t[1], t[2], t[3]}, {t[4], t[5], t[6], t[7], t[8], t[9]}};
  return M;
}

// the description of a link with its share of the parameters
static mbd_body_spec_t
changed_spec(const mbd_model_t * model, int frame, bool drives, const double * theta)
{
  mbd_body_spec_t spec = model->internal->builder->item[frame].spec;
  const int i = model->frame[frame].body;
  if (i < 0) return spec;
  if (model->body[i].link_frame != frame) {
    // merged: its share is in the body's ten
    memset(&spec.inertia, 0, sizeof spec.inertia);
    return spec;
  }
  spec.inertia = mbdi_inertia_from_parameters(theta + 10 * i);
  if (drives) {
    const double * three = theta + 10 * model->nbody + 3 * model->body[i].v_index;
    // without a gear the motor turns with the joint
    if (spec.drive.gear_ratio == 0) spec.drive.gear_ratio = 1;
    spec.drive.viscous = three[0];
    spec.drive.coulomb = three[1];
    spec.drive.rotor_inertia = three[2] / (spec.drive.gear_ratio * spec.drive.gear_ratio);
  }
  return spec;
}

// a joint has one drive, the same for all its degrees of freedom
static mbd_status_t
check_drives(const mbd_model_t * model, const double * theta)
{
  for (int k = 0; k < model->nv; k++) {
    const int first = model->body[model->dof_body[k]].v_index;
    const double * drives = theta + 10 * model->nbody;
    for (int p = 0; p < 3; p++) {
      if (drives[3 * k + p] != drives[3 * first + p]) return MBD_ERROR_BAD_JOINT;
    }
  }
  return MBD_OK;
}

static mbd_status_t
copy_items(const mbd_model_t * model, bool drives, const double * theta, mbd_model_t * out)
{
  CHECK(mbdi_copy_items(model, out));
  for (int frame = 0; frame < model->nframe; frame++) {
    const mbd_body_spec_t spec = changed_spec(model, frame, drives, theta);
    CHECK(mbdi_check_numbers(&spec));
    out->internal->builder->item[frame].spec.inertia = spec.inertia;
    out->internal->builder->item[frame].spec.drive = spec.drive;
  }
  return mbd_model_finalize(out);
}

mbd_status_t
mbd_model_with_parameters(
  const mbd_model_t * model, bool drives, const double * theta, mbd_model_t ** out)
{
  if (!model || !theta || !out) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  *out = NULL;
  if (!finite_array(theta, mbd_parameter_count(model, drives))) return MBD_ERROR_NOT_FINITE;
  if (drives) CHECK(check_drives(model, theta));
  mbd_model_t * made = NULL;
  CHECK(mbd_model_create(model->name, &made));
  const mbd_status_t status = copy_items(model, drives, theta, made);
  if (status != MBD_OK) {
    mbd_model_destroy(made);
    return status;
  }
  *out = made;
  return MBD_OK;
}
