// Denavit-Hartenberg frames and base inertial parameters.
#include "simd/dh_frames.h"

#include <math.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "simd/kernels.h"

static bool
is_revolute(mbd_joint_type_t type)
{
  return type == MBD_JOINT_REVOLUTE || type == MBD_JOINT_CONTINUOUS;
}

//---------- frames ----------

// below this, a number between 0 and 1 is rounding
static const double ROUNDING = 1e-15;

// joint axes closer to parallel than this have their common normal too far away
static const double LEAST_SINE = 0.25;

// the first revolute child of a revolute body, or NULL
static const mbd_body_t *
next_revolute_child(const mbd_model_t * model, int i)
{
  for (int k = i + 1; is_revolute(model->body[i].type) && k < model->body[i].subtree_end; k++) {
    const mbd_body_t * child = &model->body[k];
    if (child->parent == i && is_revolute(child->type)) return child;
  }
  return NULL;
}

// x along the common normal of this joint axis and the next
static void
set_theta_offset(const mbd_body_t * next, mbdi_dh_body_t * to)
{
  const double *m = next->X_tree.R.m, length = hypot(m[2], m[5]);
  const mbd_vec3_t p = next->X_tree.p;
  const double off = hypot(p.x, p.y);
  if (length > ROUNDING) {
    to->theta_offset = (mbdi_angle_t){m[5] / length, -m[2] / length};
    const double dh_d = (to->theta_offset.c * p.y - to->theta_offset.s * p.x) / length;
    if (length > LEAST_SINE) to->d_offset = p.z - dh_d * m[8];
  } else {
    if (off > ROUNDING) to->theta_offset = (mbdi_angle_t){p.x / off, p.y / off};
    to->d_offset = p.z;
  }
}

static mbd_mat3_t
about_z(mbdi_angle_t a)
{
  return (mbd_mat3_t){{a.c, -a.s, 0, a.s, a.c, 0, 0, 0, 1}};
}

// R = T Rz(theta0) with the x axis of T in the parent's x-y plane; a rotation about x where
// possible
static void
split_rotation(const mbd_mat3_t * R, mbdi_dh_body_t * to)
{
  const double *m = R->m, length = hypot(m[2], m[5]);
  const bool dh = fabs(m[2]) <= ROUNDING;
  const double c = dh ? 1 : -m[5] / length, s = dh ? 0 : m[2] / length;
  const double T[9] = {c, -s * m[8], m[2], s, c * m[8], m[5], 0, s * m[2] - c * m[5], m[8]};
  memcpy(to->T, T, sizeof T);
  to->kind = dh ? KIND_REVOLUTE_DH : KIND_REVOLUTE_GENERAL;
  to->mount_angle = (mbdi_angle_t){c, s};
  to->alpha = (mbdi_angle_t){m[8], T[7]};
  to->theta0.c = T[0] * m[0] + T[3] * m[3] + T[6] * m[6];
  to->theta0.s = T[1] * m[0] + T[4] * m[3] + T[7] * m[6];
}

// true if the common normal goes through both origins up to rounding: sets the DH lengths
static bool
on_normal(double size, mbdi_dh_body_t * to)
{
  const mbdi_angle_t t = to->alpha;
  const double *p = to->p, off = t.c * p[1] + t.s * p[2];
  size += fabs(p[0]) + fabs(p[1]) + fabs(p[2]);
  if (to->kind != KIND_REVOLUTE_DH || fabs(off) > 4 * ROUNDING * size) return false;
  to->dh_a = p[0];
  to->dh_d = t.c * p[2] - t.s * p[1];
  return true;
}

// transform to the parent, whose origin was shifted along its axis by `size` at most
static void
set_transform(double size, mbdi_dh_body_t * to)
{
  const double c = to->alpha.c, s = to->alpha.s;
  to->alpha_products = (mbdi_angle_products_t){c * c, s * s, c * s, 2 * c * s, c * c - s * s};
  to->transform = TRANSFORM_REVOLUTE;
  if (on_normal(size, to)) {
    to->transform = fabs(c) <= ROUNDING && s < 0 ? TRANSFORM_ALPHA_90 : TRANSFORM_DH;
    if (s == 0 && c == 1) to->transform = TRANSFORM_ALPHA_0;
  }
  to->dh_d += to->d_offset;
  to->p[0] += to->d_offset * to->T[2];
  to->p[1] += to->d_offset * to->T[5];
  to->p[2] += to->d_offset * to->T[8];
}

mbd_placement_t
mbdi_in_dh_frame(const mbdi_plan_t * plan, int body, mbd_placement_t X)
{
  if (body < 0) return X;
  const mbdi_dh_body_t * b = &plan->dh[body];
  if (b->theta_offset.c == 1 && b->d_offset == 0) return X;
  const mbd_mat3_t offset = about_z(b->theta_offset);
  X.R = mbdu_mat3_tmul(&offset, &X.R);
  X.p = mbdu_mat3_tvec(&offset, X.p);
  X.p.z -= b->d_offset;
  return X;
}

static void
dh_body(const mbd_model_t * model, int i, mbdi_plan_t * plan)
{
  const mbd_body_t *from = &model->body[i], *next = next_revolute_child(model, i);
  double d_offset = 0;
  mbdi_dh_body_t * to = &plan->dh[i];
  *to = (mbdi_dh_body_t){.parent = from->parent, .q = from->q_index, .v = from->v_index};
  to->general = plan->body[i].kind == PLAN_GENERAL ? plan->ngeneral : -1;
  if (to->general >= 0) plan->general_body[plan->ngeneral++] = i;
  to->kind = from->type == MBD_JOINT_FREE ? KIND_FREE : KIND_PRISMATIC;
  if (to->general >= 0) to->kind = KIND_GENERAL;
  to->leaf = from->subtree_end == i + 1;
  to->transform = to->kind == KIND_PRISMATIC ? TRANSFORM_PRISMATIC : TRANSFORM_FREE;
  to->theta_offset = to->theta0 = (mbdi_angle_t){1, 0};
  if (next) set_theta_offset(next, to);
  mbd_placement_t X = from->X_tree;
  if (from->parent >= 0) {
    X = mbdi_in_dh_frame(plan, from->parent, X);
    d_offset = plan->dh[from->parent].d_offset;
  }
  memcpy(to->p, &X.p, sizeof to->p);
  memcpy(to->T, X.R.m, sizeof to->T);
  if (!is_revolute(from->type)) return;
  const mbd_mat3_t offset = about_z(to->theta_offset), R = mbdu_mat3_mul(&X.R, &offset);
  split_rotation(&R, to);
  set_transform(fabs(d_offset), to);
}

static int16_t
form_of(const mbdi_dh_body_t * b)
{
  if (b->transform == TRANSFORM_ALPHA_90) return KIND_DH_ALPHA_90;
  return b->transform == TRANSFORM_ALPHA_0 ? KIND_DH_ALPHA_0 : (int16_t)b->kind;
}

static void
dh_frame(const mbd_model_t * model, int k, mbdi_plan_t * plan)
{
  const mbd_frame_t * from = &model->frame[k];
  const mbd_placement_t X = mbdi_in_dh_frame(plan, from->body, from->X);
  mbdi_plan_frame_t * to = &plan->frame[k];
  to->body = from->body;
  for (int j = 0; j < 9; j++) to->column[j % 3][j / 3] = X.R.m[j];
  memcpy(to->origin, &X.p, sizeof X.p);
  for (int j = 0; j < 3; j++) {
    const double * c = to->column[j];
    const mbd_vec3_t arm = mbdu_vec3_cross(X.p, mbdu_vec3(c[0], c[1], c[2]));
    memcpy(to->arm[j], &arm, sizeof arm);
  }
}

void
mbdi_dh_frames(const mbd_model_t * model, mbdi_plan_t * plan)
{
  for (int i = 0; i < model->nbody; i++) {
    dh_body(model, i, plan);
    plan->theta0_cosine[i] = plan->dh[i].theta0.c;
    plan->theta0_sine[i] = plan->dh[i].theta0.s;
    plan->dh[i].massless_subtree = is_revolute(model->body[i].type);
    plan->dh[i].form = form_of(&plan->dh[i]);
    if (model->body[i].type == MBD_JOINT_SPHERICAL) plan->dh[i].form = KIND_SPHERICAL;
  }
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbdi_dh_body_t * b = &plan->dh[i];
    if (b->parent < 0) continue;
    if (!b->massless_subtree) plan->dh[b->parent].massless_subtree = false;
    if (b->parent != i - 1) plan->dh[b->parent].has_branch = true;
  }
  for (int k = 0; k < model->nframe; k++) dh_frame(model, k, plan);
}

//---------- inertias ----------

// second moments in the DH frame, which is rotated about z and shifted along it
static mbdi_base_inertia_t
inertia_in_dh_frame(const mbd_inertia_t * M, const mbdi_dh_body_t * b)
{
  const double c = b->theta_offset.c, s = b->theta_offset.s, l = b->d_offset;
  const double half = 0.5 * (M->I.xx + M->I.yy + M->I.zz);
  const double xx = half - M->I.xx, xy = -M->I.xy, xz = -M->I.xz;
  const double yy = half - M->I.yy, yz = -M->I.yz, zz = half - M->I.zz;
  const mbd_vec3_t h = {c * M->h.x + s * M->h.y, c * M->h.y - s * M->h.x, M->h.z - l * M->mass};
  return (mbdi_base_inertia_t){
    M->mass,
    0,
    h,
    {c * c * xx + 2 * c * s * xy + s * s * yy, (c * c - s * s) * xy + c * s * (yy - xx),
     c * xz + s * yz - l * h.x, s * s * xx - 2 * c * s * xy + c * c * yy, c * yz - s * xz - l * h.y,
     zz - l * (h.z + M->h.z)}};
}

// moments of inertia instead of second moments
static mbdi_base_inertia_t
whole_inertia(const mbdi_base_inertia_t * M)
{
  const mbd_sym3_t * J = &M->J;
  mbdi_base_inertia_t whole = *M;
  whole.J = (mbd_sym3_t){J->yy + J->zz, -J->xy, -J->xz, J->xx + J->zz, -J->yz, J->xx + J->yy};
  return whole;
}

// a rod of mass m from p along u with first and second moment h and s along it
static void
add_rod(mbd_vec3_t p, mbd_vec3_t u, double m, double h, double s, mbdi_base_inertia_t * to)
{
  const mbd_vec3_t a = mbdu_vec3_add(mbdu_vec3_scale(m, p), mbdu_vec3_scale(h, u));
  const mbd_vec3_t b = mbdu_vec3_add(mbdu_vec3_scale(h, p), mbdu_vec3_scale(s, u));
  to->mass += m;
  to->h = mbdu_vec3_add(to->h, a);
  to->J.xx += a.x * p.x + b.x * u.x;
  to->J.xy += a.x * p.y + b.x * u.y;
  to->J.xz += a.x * p.z + b.x * u.z;
  to->J.yy += a.y * p.y + b.y * u.y;
  to->J.yz += a.y * p.z + b.y * u.z;
  to->J.zz += a.z * p.z + b.z * u.z;
}

void
mbdi_base_inertias(
  const mbdi_plan_t * plan, const mbd_inertia_t * inertia, mbdi_base_inertia_t * out)
{
  for (int i = 0; i < plan->nbody; i++) {
    out[i] = inertia_in_dh_frame(&inertia[i], &plan->dh[i]);
    out[plan->nbody + i] = whole_inertia(&out[i]);
  }
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbdi_dh_body_t * b = &plan->dh[i];
    mbdi_base_inertia_t * M = &out[i];
    const bool revolute = b->kind == KIND_REVOLUTE_DH || b->kind == KIND_REVOLUTE_GENERAL;
    // those of the children are complete
    if (!revolute) M->total += M->mass;
    if (b->parent >= 0) out[b->parent].total += M->total;
    if (!revolute) continue;
    const mbd_vec3_t p = {b->p[0], b->p[1], b->p[2]}, u = {b->T[2], b->T[5], b->T[8]};
    if (b->parent >= 0) add_rod(p, u, M->mass, M->h.z, M->J.zz, &out[b->parent]);
    M->mass = M->h.z = M->J.zz = 0;
  }
}
