// What the description of a link must satisfy.
#include <math.h>

#include "mbdyn/spatial.h"
#include "model/joint.h"
#include "model/model_internal.h"
#include "util/check.h"

// Cholesky of A + small * I succeeds: A is positive semidefinite but for rounding
static bool
positive_semidefinite(const mbd_sym3_t * A, double small)
{
  const double xx = A->xx + small, yy = A->yy + small, zz = A->zz + small;
  if (xx < 0 || yy < 0 || zz < 0) return false;
  if (xx == 0) return A->xy == 0 && A->xz == 0 && yy * zz >= A->yz * A->yz;
  const double b = yy - A->xy * A->xy / xx;
  const double c = A->yz - A->xy * A->xz / xx;
  const double d = zz - A->xz * A->xz / xx;
  return b >= 0 && d >= 0 && b * d >= c * c;
}

mbd_status_t
mbdi_check_inertia(const mbd_inertia_t * M)
{
  const double numbers[10] = {M->mass, M->h.x,  M->h.y,  M->h.z,  M->I.xx,
                              M->I.xy, M->I.xz, M->I.yy, M->I.yz, M->I.zz};
  if (!finite_array(numbers, 10)) return MBD_ERROR_NOT_FINITE;
  if (M->mass < 0) return MBD_ERROR_BAD_INERTIA;
  if (M->mass == 0 && mbdu_vec3_norm(M->h) != 0) return MBD_ERROR_BAD_INERTIA;
  const mbd_sym3_t about_com = M->mass > 0 ? mbdu_inertia_about_com(M) : M->I;
  // the shift to the centre of mass loses digits of the size of the inertia about the origin
  const double small = 1e-9 * (fabs(M->I.xx) + fabs(M->I.yy) + fabs(M->I.zz));
  return positive_semidefinite(&about_com, small) ? MBD_OK : MBD_ERROR_BAD_INERTIA;
}

static bool
is_rotation(const mbd_mat3_t * R)
{
  const mbd_mat3_t E = mbdu_mat3_tmul(R, R);
  const mbd_mat3_t I = mbdu_mat3_identity();
  for (int k = 0; k < 9; k++) {
    if (!(fabs(E.m[k] - I.m[k]) < 1e-6)) return false;
  }
  const double * m = R->m;
  return mbdu_vec3_dot(
           mbdu_vec3_cross(mbdu_vec3(m[0], m[1], m[2]), mbdu_vec3(m[3], m[4], m[5])),
           mbdu_vec3(m[6], m[7], m[8])) > 0;
}

mbd_status_t
mbdi_check_placement(const mbd_placement_t * X)
{
  if (!finite_vec3(X->p) || !finite_array(X->R.m, 9)) return MBD_ERROR_NOT_FINITE;
  return is_rotation(&X->R) ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

static mbd_status_t
check_user_joint(const mbd_user_joint_t * user)
{
  if (!user || !user->transform || !user->subspace || !user->subspace_rate) {
    return MBD_ERROR_BAD_JOINT;
  }
  if (user->nq < 1 || user->nq > 8 || user->nv < 1 || user->nv > 6) return MBD_ERROR_BAD_JOINT;
  const bool plain = !user->integrate || !user->difference;
  return plain && user->nq != user->nv ? MBD_ERROR_BAD_JOINT : MBD_OK;
}

static mbd_status_t
check_drive(const mbd_drive_t * d, const mbd_limits_t * l)
{
  const double numbers[5] = {
    d->rotor_inertia, d->gear_ratio, d->viscous, d->coulomb, d->coulomb_velocity};
  if (!finite_array(numbers, 5)) return MBD_ERROR_NOT_FINITE;
  if (d->rotor_inertia < 0 || d->viscous < 0 || d->coulomb < 0) return MBD_ERROR_BAD_JOINT;
  if (d->coulomb > 0 && d->coulomb_velocity <= 0) return MBD_ERROR_BAD_JOINT;
  // written so that not-a-number fails; infinite limits are none
  const bool good = l->lower <= l->upper && l->velocity >= 0 && l->effort >= 0 &&
                    l->acceleration >= 0 && l->deceleration >= 0 && l->jerk >= 0;
  return good ? MBD_OK : MBD_ERROR_BAD_JOINT;
}

static mbd_status_t
check_joint(const mbd_body_spec_t * spec)
{
  if (!mbdi_joint_type_exists(spec->type)) {
    return MBD_ERROR_BAD_JOINT;
  }
  if (mbdi_joint_has_axis(spec->type)) {
    if (!finite_vec3(spec->axis)) return MBD_ERROR_NOT_FINITE;
    if (!(mbdu_vec3_norm(spec->axis) > 1e-12)) return MBD_ERROR_BAD_AXIS;
  }
  if (!finite_array(&spec->pitch, 1)) return MBD_ERROR_NOT_FINITE;
  if (spec->type == MBD_JOINT_USER) CHECK(check_user_joint(spec->user));
  if (spec->mimic.joint) {
    if (mbdi_joint_nv(spec->type, spec->user) != 1) return MBD_ERROR_BAD_JOINT;
    if (!finite_array(&spec->mimic.multiplier, 1)) return MBD_ERROR_NOT_FINITE;
    if (!finite_array(&spec->mimic.offset, 1)) return MBD_ERROR_NOT_FINITE;
  }
  return check_drive(&spec->drive, &spec->limits);
}

mbd_status_t
mbdi_check_numbers(const mbd_body_spec_t * spec)
{
  CHECK(mbdi_check_placement(&spec->placement));
  CHECK(mbdi_check_inertia(&spec->inertia));
  return check_joint(spec);
}

mbd_status_t
mbdi_check_spec(mbd_model_t * model, const mbd_body_spec_t * spec)
{
  const struct mbdi_model_builder * b = model->internal->builder;
  // names first: the model points at the name that an error is about
  const int same = mbdi_names_find(&b->frames, spec->name);
  if (same >= 0) {
    model->error_name = b->item[same].spec.name;
    return MBD_ERROR_DUPLICATE_NAME;
  }
  const int same_joint = mbdi_names_find(&b->joints, spec->joint_name);
  if (same_joint >= 0) {
    model->error_name = b->item[same_joint].spec.joint_name;
    return MBD_ERROR_DUPLICATE_NAME;
  }
  if (spec->parent < MBD_WORLD_BODY || spec->parent >= model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  return mbdi_check_numbers(spec);
}
