// Lean robots: axes and inertias.
#include "simd/lean.h"

#include <math.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "simd/kernels.h"

static bool
turns(mbd_joint_type_t type)
{
  return type == MBD_JOINT_REVOLUTE || type == MBD_JOINT_CONTINUOUS;
}

//---------- axes ----------

// below this, a number between 0 and 1 is rounding
static const double ROUNDING = 1e-15;

// axes of joints that are closer to parallel meet too far away
static const double LEAST_SINE = 0.25;

// the first body that turns on one that turns, or NULL
static const mbd_body_t *
next_turn(const mbd_model_t * model, int i)
{
  for (int k = i + 1; turns(model->body[i].type) && k < model->body[i].subtree_end; k++) {
    const mbd_body_t * child = &model->body[k];
    if (child->parent == i && turns(child->type)) return child;
  }
  return NULL;
}

// The axis of the next joint is to be normal to x; x is to be on the common normal of both.
static void
own_axes(const mbd_body_t * next, mbdi_lean_body_t * to)
{
  const double *m = next->X_tree.R.m, length = hypot(m[2], m[5]);
  const mbd_vec3_t p = next->X_tree.p;
  const double off = hypot(p.x, p.y);
  if (length > ROUNDING) {
    to->own = (mbdi_lean_angle_t){m[5] / length, -m[2] / length};
    const double along = (to->own.c * p.y - to->own.s * p.x) / length;
    if (length > LEAST_SINE) to->lift = p.z - along * m[8];
  } else {
    if (off > ROUNDING) to->own = (mbdi_lean_angle_t){p.x / off, p.y / off};
    to->lift = p.z;
  }
}

static mbd_mat3_t
about_z(mbdi_lean_angle_t a)
{
  return (mbd_mat3_t){{a.c, -a.s, 0, a.s, a.c, 0, 0, 0, 1}};
}

// R = T Rz(zero), where T x is horizontal: x itself, if R z allows
static void
split_turn(const mbd_mat3_t * R, mbdi_lean_body_t * to)
{
  const double *m = R->m, length = hypot(m[2], m[5]);
  const bool twist = fabs(m[2]) <= ROUNDING;
  const double c = twist ? 1 : -m[5] / length, s = twist ? 0 : m[2] / length;
  const double T[9] = {c, -s * m[8], m[2], s, c * m[8], m[5], 0, s * m[2] - c * m[5], m[8]};
  memcpy(to->T, T, sizeof T);
  to->kind = twist ? LEAN_TWIST : LEAN_TURN;
  to->mount = (mbdi_lean_angle_t){c, s};
  to->twist = (mbdi_lean_angle_t){m[8], T[7]};
  to->zero.c = T[0] * m[0] + T[3] * m[3] + T[6] * m[6];
  to->zero.s = T[1] * m[0] + T[4] * m[3] + T[7] * m[6];
}

// Whether the origin p is on the joint's axis as seen from the parent's x, but for rounding; then it is
// put there.
static bool
on_normal(double size, mbdi_lean_body_t * to)
{
  const mbdi_lean_angle_t t = to->twist;
  const double *p = to->p, off = t.c * p[1] + t.s * p[2];
  size += fabs(p[0]) + fabs(p[1]) + fabs(p[2]);
  if (to->kind != LEAN_TWIST || fabs(off) > 4 * ROUNDING * size) return false;
  to->foot = p[0];
  to->along = t.c * p[2] - t.s * p[1];
  return true;
}

// the way to the parent, whose origin has been moved along its axis by `size` at most
static void
turning_way(double size, mbdi_lean_body_t * to)
{
  const double c = to->twist.c, s = to->twist.s;
  to->square = (mbdi_lean_squares_t){c * c, s * s, c * s, 2 * c * s, c * c - s * s};
  to->way = WAY_TURN;
  if (on_normal(size, to)) {
    to->way = fabs(c) <= ROUNDING && s < 0 ? WAY_RIGHT : WAY_TWIST;
    if (s == 0 && c == 1) to->way = WAY_PARALLEL;
  }
  to->along += to->lift;
  to->p[0] += to->lift * to->T[2];
  to->p[1] += to->lift * to->T[5];
  to->p[2] += to->lift * to->T[8];
}

static void
lean_body(const mbd_model_t * model, int i, mbdi_plan_t * plan)
{
  const mbd_body_t *from = &model->body[i], *next = next_turn(model, i);
  double lift = 0;
  mbdi_lean_body_t * to = &plan->lean[i];
  *to = (mbdi_lean_body_t){.parent = from->parent, .q = from->q_index, .v = from->v_index};
  to->kind = from->type == MBD_JOINT_FREE ? LEAN_FREE : LEAN_SLIDE;
  to->leaf = from->subtree_end == i + 1;
  to->way = to->kind == LEAN_FREE ? WAY_FREE : WAY_SLIDE;
  to->own = to->zero = (mbdi_lean_angle_t){1, 0};
  if (next) own_axes(next, to);
  mbd_placement_t X = from->X_tree;
  if (from->parent >= 0) {
    const mbd_mat3_t parent = about_z(plan->lean[from->parent].own);
    X.R = mbdu_mat3_tmul(&parent, &X.R);
    X.p = mbdu_mat3_tvec(&parent, X.p);
    lift = plan->lean[from->parent].lift;
    X.p.z -= lift;
  }
  memcpy(to->p, &X.p, sizeof to->p);
  memcpy(to->T, X.R.m, sizeof to->T);
  if (!turns(from->type)) return;
  const mbd_mat3_t own = about_z(to->own), R = mbdu_mat3_mul(&X.R, &own);
  split_turn(&R, to);
  turning_way(fabs(lift), to);
}

static int16_t
form_of(const mbdi_lean_body_t * b)
{
  if (b->way == WAY_RIGHT) return LEAN_RIGHT;
  return b->way == WAY_PARALLEL ? LEAN_PARALLEL : (int16_t)b->kind;
}

void
mbdi_lean_geometry(const mbd_model_t * model, mbdi_plan_t * plan)
{
  for (int i = 0; i < model->nbody; i++) {
    lean_body(model, i, plan);
    plan->zero_cosine[i] = plan->lean[i].zero.c;
    plan->zero_sine[i] = plan->lean[i].zero.s;
    plan->lean[i].light = turns(model->body[i].type);
    plan->lean[i].form = form_of(&plan->lean[i]);
  }
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    if (b->parent < 0) continue;
    if (!b->light) plan->lean[b->parent].light = false;
    if (b->parent != i - 1) plan->lean[b->parent].forks = true;
  }
}

//---------- inertias ----------

// in the lean axes, which are turned about z and moved along it
static mbdi_lean_inertia_t
turned_inertia(const mbd_inertia_t * M, const mbdi_lean_body_t * b)
{
  const double c = b->own.c, s = b->own.s, l = b->lift;
  const double half = 0.5 * (M->I.xx + M->I.yy + M->I.zz);
  const double xx = half - M->I.xx, xy = -M->I.xy, xz = -M->I.xz;
  const double yy = half - M->I.yy, yz = -M->I.yz, zz = half - M->I.zz;
  const mbd_vec3_t h = {c * M->h.x + s * M->h.y, c * M->h.y - s * M->h.x, M->h.z - l * M->mass};
  return (mbdi_lean_inertia_t){
    M->mass,
    0,
    h,
    {c * c * xx + 2 * c * s * xy + s * s * yy, (c * c - s * s) * xy + c * s * (yy - xx),
     c * xz + s * yz - l * h.x, s * s * xx - 2 * c * s * xy + c * c * yy, c * yz - s * xz - l * h.y,
     zz - l * (h.z + M->h.z)}};
}

// moments of inertia for second moments
static mbdi_lean_inertia_t
whole_inertia(const mbdi_lean_inertia_t * M)
{
  const mbd_sym3_t * J = &M->J;
  mbdi_lean_inertia_t whole = *M;
  whole.J = (mbd_sym3_t){J->yy + J->zz, -J->xy, -J->xz, J->xx + J->zz, -J->yz, J->xx + J->yy};
  return whole;
}

// a rod of mass m from p along u with first and second moment h and s along it
static void
add_rod(mbd_vec3_t p, mbd_vec3_t u, double m, double h, double s, mbdi_lean_inertia_t * to)
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
mbdi_lean_inertias(
  const mbdi_plan_t * plan, const mbd_inertia_t * inertia, mbdi_lean_inertia_t * lean)
{
  for (int i = 0; i < plan->nbody; i++) {
    lean[i] = turned_inertia(&inertia[i], &plan->lean[i]);
    lean[plan->nbody + i] = whole_inertia(&lean[i]);
  }
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    mbdi_lean_inertia_t * M = &lean[i];
    const bool turning = b->kind == LEAN_TWIST || b->kind == LEAN_TURN;
    // children have given theirs
    if (!turning) M->total += M->mass;
    if (b->parent >= 0) lean[b->parent].total += M->total;
    if (!turning) continue;
    const mbd_vec3_t p = {b->p[0], b->p[1], b->p[2]}, u = {b->T[2], b->T[5], b->T[8]};
    if (b->parent >= 0) add_rod(p, u, M->mass, M->h.z, M->J.zz, &lean[b->parent]);
    M->mass = M->h.z = M->J.zz = 0;
  }
}
