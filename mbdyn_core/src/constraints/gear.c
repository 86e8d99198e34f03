// Motors as bodies with couplings, and springs between the two.
#include "mbdyn/constraints/gear.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "model/model_internal.h"
#include "state/state.h"

enum { NAME_MOST = 512 };

mbd_motor_spec_t
mbd_motor_spec_default(void)
{
  mbd_motor_spec_t spec = {0};
  spec.mount = MBD_WORLD_BODY;
  spec.X = mbdu_placement_identity();
  spec.axis = mbdu_vec3(0, 0, 1);
  spec.ratio = 1;
  return spec;
}

//---------- inertia ----------

// the unit axis; false for a zero vector
static bool
unit_axis(mbd_vec3_t axis, mbd_vec3_t * unit)
{
  const double length = mbdu_vec3_norm(axis);
  if (!finite_vec3(axis) || !(length > 0)) return false;
  *unit = mbdu_vec3_scale(1 / length, axis);
  return true;
}

// centre of mass on the axis, and the same moment across it in every direction: the numbers of the
// inertia do not change as the rotor turns
static bool
is_symmetric(const mbd_inertia_t * M, mbd_vec3_t a)
{
  const double size = fabs(M->I.xx) + fabs(M->I.yy) + fabs(M->I.zz);
  const double spin = mbdu_vec3_dot(a, mbdu_sym3_vec(&M->I, a));
  const double across = 0.5 * (M->I.xx + M->I.yy + M->I.zz - spin);
  const mbd_vec3_t along = mbdu_vec3_scale(mbdu_vec3_dot(M->h, a), a);
  double worst = mbdu_vec3_norm(mbdu_vec3_sub(M->h, along)) * 1e3;
  const mbd_mat3_t I = mbdu_sym3_to_mat3(&M->I);
  const double n[3] = {a.x, a.y, a.z};
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      const double expected = across * (r == c) + (spin - across) * n[r] * n[c];
      worst = fmax(worst, fabs(I.m[3 * r + c] - expected));
    }
  }
  return worst <= 1e-9 * size;
}

// spin inertia of the rotor, in the axes of the link: J a a^T
static mbd_sym3_t
spin_in_link(const mbd_motor_spec_t * spec, mbd_vec3_t axis, double sign)
{
  const double J = sign * mbdu_vec3_dot(axis, mbdu_sym3_vec(&spec->inertia.I, axis));
  const mbd_vec3_t a = mbdu_mat3_vec(&spec->X.R, axis);
  return (mbd_sym3_t){J * a.x * a.x, J * a.x * a.y, J * a.x * a.z,
                      J * a.y * a.y, J * a.y * a.z, J * a.z * a.z};
}

// the inertia of a link must contain that of its rotor
static bool
has_moments(const mbd_sym3_t * I)
{
  return I->xx >= 0 && I->yy >= 0 && I->zz >= 0;
}

//---------- motors ----------

// the rotor as a body: full inertia, or only the spin inertia if the rest is in the link
static mbd_body_spec_t
rotor_body(const mbd_motor_spec_t * spec, mbd_vec3_t axis, const char * joint)
{
  mbd_body_spec_t body = mbd_body_spec_default();
  body.name = spec->name;
  body.joint_name = joint;
  body.parent = spec->mount;
  body.type = MBD_JOINT_CONTINUOUS;
  body.axis = axis;
  body.placement = spec->X;
  body.inertia = spec->inertia;
  if (spec->in_link) {
    mbd_motor_spec_t own = *spec;
    own.X = mbdu_placement_identity();
    body.inertia = (mbd_inertia_t){0, {0, 0, 0}, spin_in_link(&own, axis, 1)};
  }
  return body;
}

static mbd_status_t
add_gear(mbd_model_t * model, const mbd_motor_spec_t * spec, const char * joint)
{
  mbd_closure_spec_t gear = mbd_closure_spec_default();
  char name[NAME_MOST];
  snprintf(name, sizeof name, "%s_gear", spec->name);
  gear.name = name;
  gear.type = MBD_CLOSURE_COUPLING;
  gear.ncoupled = 2;
  gear.joint[0] = joint, gear.coefficient[0] = 1;
  gear.joint[1] = spec->joint, gear.coefficient[1] = -spec->ratio;
  return mbd_model_add_closure(model, &gear, NULL);
}

mbd_status_t
mbd_model_add_motor(mbd_model_t * model, const mbd_motor_spec_t * spec, int * frame)
{
  if (!model || !spec || !spec->name || !spec->joint) return MBD_ERROR_NULL_ARGUMENT;
  if (model->finalized) return MBD_ERROR_FINALIZED;
  char joint[NAME_MOST];
  mbd_vec3_t axis;
  if (!finite_array(&spec->ratio, 1)) return MBD_ERROR_NOT_FINITE;
  if (strlen(spec->name) > NAME_MOST / 2) return MBD_ERROR_BAD_ARGUMENT;
  if (spec->mount < MBD_WORLD_BODY || spec->mount >= model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  snprintf(joint, sizeof joint, "%s_spin", spec->name);
  mbdi_model_blame(model, spec->name);
  if (!unit_axis(spec->axis, &axis)) return MBD_ERROR_BAD_AXIS;
  CHECK(mbdi_check_inertia(&spec->inertia));
  if (!is_symmetric(&spec->inertia, axis)) return MBD_ERROR_BAD_INERTIA;

  mbd_sym3_t left = {0, 0, 0, 0, 0, 0};
  const bool taken = spec->in_link && spec->mount >= 0;
  if (taken) {
    left = mbdu_sym3_add(
      model->internal->builder->item[spec->mount].spec.inertia.I, spin_in_link(spec, axis, -1));
    if (!has_moments(&left)) return MBD_ERROR_BAD_INERTIA;
  }
  const mbd_body_spec_t body = rotor_body(spec, axis, joint);
  int added;
  CHECK(mbd_model_add_body(model, &body, &added));
  if (taken) model->internal->builder->item[spec->mount].spec.inertia.I = left;
  if (frame) *frame = added;
  return spec->elastic ? MBD_OK : add_gear(model, spec, joint);
}

static bool
has_rotor(const mbdi_item_t * item)
{
  const mbd_joint_type_t type = item->spec.type;
  return item->is_link && item->spec.drive.rotor_inertia > 0 &&
         (type == MBD_JOINT_REVOLUTE || type == MBD_JOINT_CONTINUOUS ||
          type == MBD_JOINT_PRISMATIC);
}

// the motor of a drive. A thin disc: what is across its axis is in the link, whatever it is
static mbd_status_t
motor_of_drive(mbd_model_t * model, int link)
{
  const mbd_body_spec_t * body = &model->internal->builder->item[link].spec;
  const double J = body->drive.rotor_inertia;
  char name[NAME_MOST];
  mbd_motor_spec_t spec = mbd_motor_spec_default();
  mbd_vec3_t a;
  if (!unit_axis(body->axis, &a)) return MBD_ERROR_BAD_AXIS;
  snprintf(name, sizeof name, "%.200s_motor", body->joint_name);
  spec.name = name;
  spec.joint = body->joint_name;
  spec.mount = body->parent;
  spec.X = body->placement;
  spec.axis = a;
  spec.ratio = body->drive.gear_ratio;
  spec.inertia.I = (mbd_sym3_t){J * a.x * a.x, J * a.x * a.y, J * a.x * a.z,
                                J * a.y * a.y, J * a.y * a.z, J * a.z * a.z};
  // the inertia of a massless link (or the world) contains no rotor
  spec.in_link =
    spec.mount >= 0 && model->internal->builder->item[spec.mount].spec.inertia.mass > 0;
  mbd_status_t status = mbd_model_add_motor(model, &spec, NULL);
  if (status == MBD_ERROR_BAD_INERTIA) {
    spec.in_link = false;
    status = mbd_model_add_motor(model, &spec, NULL);
  }
  return status;
}

mbd_status_t
mbd_model_add_motors(mbd_model_t * model, int * n)
{
  if (!model) return MBD_ERROR_NULL_ARGUMENT;
  if (model->finalized) return MBD_ERROR_FINALIZED;
  const int links = model->nframe;
  int added = 0;
  for (int i = 0; i < links; i++) {
    if (!has_rotor(&model->internal->builder->item[i])) continue;
    CHECK(motor_of_drive(model, i));
    model->internal->builder->item[i].spec.drive.rotor_inertia = 0;
    added++;
  }
  if (n) *n = added;
  return MBD_OK;
}

//---------- springs ----------

static bool
is_one_dof(const mbd_model_t * model, int body)
{
  return body >= 0 && body < model->nbody && model->body[body].nv == 1 && model->body[body].nq == 1;
}

mbd_status_t
mbd_elastic_torque(
  const mbd_model_t * model, const mbd_elastic_t * elastic, int n, const double * q,
  const double * v, double * tau)
{
  if (!model || (!elastic && n > 0) || !q || !v || !tau) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  for (int k = 0; k < n; k++) {
    const mbd_elastic_t * s = &elastic[k];
    const double numbers[3] = {1 / s->ratio, s->stiffness, s->damping};
    if (!is_one_dof(model, s->motor) || !is_one_dof(model, s->joint) || s->ratio == 0)
      return MBD_ERROR_BAD_ARGUMENT;
    if (!finite_array(numbers, 3)) return MBD_ERROR_NOT_FINITE;
  }
  if (!finite_array(q, model->nq) || !finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  for (int k = 0; k < n; k++) {
    const mbd_elastic_t * s = &elastic[k];
    const mbd_body_t *motor = &model->body[s->motor], *joint = &model->body[s->joint];
    const double stretch = q[motor->q_index] / s->ratio - q[joint->q_index];
    const double rate = v[motor->v_index] / s->ratio - v[joint->v_index];
    const double force = s->stiffness * stretch + s->damping * rate;
    tau[joint->v_index] += force;
    tau[motor->v_index] -= force / s->ratio;
  }
  return MBD_OK;
}

double
mbd_rotor_error(int n, const double * exact, const double * diagonal, int * row, int * column)
{
  double worst = 0;
  if (row) *row = 0;
  if (column) *column = 0;
  for (int i = 0; exact && diagonal && i < n; i++) {
    for (int j = 0; j < n; j++) {
      const double size = sqrt(exact[i * n + i] * exact[j * n + j]);
      const double error = fabs(exact[i * n + j] - diagonal[i * n + j]) / size;
      if (!(error > worst)) continue;
      worst = error;
      if (row) *row = i;
      if (column) *column = j;
    }
  }
  return worst;
}
