// Rows of contacts: motion of two links' points, as the mass matrix sees it.
#include <math.h>
#include <string.h>

#include "constraints/contact_internal.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/spatial.h"
#include "state/state.h"
#include "util/dense.h"

//---------- any row ----------

void
mbdi_scene_leave_row_out(mbdi_scene_t * s, int i)
{
  s->lcp.on[i] = false;
  s->lcp.p[i] = s->lcp.motion[i] = 0;
}

void
mbdi_scene_finish_row(mbdi_scene_t * s, int i, double motion, double offset)
{
  const int nv = s->model->nv;
  double * B = s->lcp.B + (size_t)i * (size_t)s->lcp.n;
  s->lcp.on[i] = true;
  s->lcp.motion[i] = motion;
  s->lcp.bias[i] = motion + offset;
  if (s->cut.nrow == 0) return;
  const double all = sqrt(mbdi_dot(nv, B, B));
  mbdi_lq_null_part(&s->cut.W, B);
  // directions fixed by closures have no compliance: the remainder is rounding error
  if (sqrt(mbdi_dot(nv, B, B)) <= s->options.closures.rank_tolerance * all)
    mbdi_scene_leave_row_out(s, i);
}

bool
mbdi_scene_joins(double w, double offset, double free)
{
  return !(w + offset > 1e-6 * (fabs(w) + fabs(offset) + fabs(free)));
}

//---------- one contact ----------

// Jacobians of a contact's frames, in s->J
static mbd_status_t
contact_frames(mbdi_scene_t * s, const mbd_contact_t * c)
{
  CHECK(mbd_jacobian(s->model, s->data, c->frame_b, MBD_WORLD, s->J));
  if (c->frame_a < 0) return MBD_OK;
  const size_t numbers = 6 * (size_t)s->model->nv;
  double * J_a = s->J + numbers;
  CHECK(mbd_jacobian(s->model, s->data, c->frame_a, MBD_WORLD, J_a));
  for (size_t k = 0; k < numbers; k++) s->J[k] -= J_a[k];
  return MBD_OK;
}

// acceleration of a frame's point at zero joint acceleration
static mbd_status_t
point_bias(const mbdi_scene_t * s, int frame, mbd_vec3_t point, mbd_vec3_t * a)
{
  mbd_motion_t A, V;
  mbd_placement_t X;
  *a = mbdu_vec3(0, 0, 0);
  if (frame < 0) return MBD_OK;
  CHECK(mbd_jacobian_bias(s->model, s->data, frame, MBD_LOCAL_WORLD_ALIGNED, &A));
  CHECK(mbd_frame_velocity(s->model, s->data, frame, MBD_LOCAL_WORLD_ALIGNED, &V));
  CHECK(mbd_frame_placement(s->model, s->data, frame, &X));
  const mbd_vec3_t r = mbdu_vec3_sub(point, X.p);
  const mbd_vec3_t turning = mbdu_vec3_cross(V.ang, mbdu_vec3_cross(V.ang, r));
  *a = mbdu_vec3_add(mbdu_vec3_add(A.lin, mbdu_vec3_cross(A.ang, r)), turning);
  return MBD_OK;
}

// offset of the normal velocity after a step in its inequality: gaps close, penetration is corrected,
// impacts have restitution
static double
step_offset(const mbdi_scene_t * s, const mbd_contact_t * c, double before)
{
  const bool hits = before < -s->options.impact && c->gap <= -before * s->dt;
  if (hits && c->restitution > 0) return c->restitution * before;
  return (c->gap > 0 ? 1 : s->options.recovery) * c->gap / s->dt;
}

void
mbdi_contact_tangents(mbd_vec3_t n, mbd_vec3_t * t)
{
  const mbd_vec3_t e = fabs(n.x) < 0.7 ? mbdu_vec3(1, 0, 0) : mbdu_vec3(0, 1, 0);
  t[0] = mbdu_vec3_cross(e, n);
  t[0] = mbdu_vec3_scale(1 / mbdu_vec3_norm(t[0]), t[0]);
  t[1] = mbdu_vec3_cross(n, t[0]);
}

mbd_status_t
mbdi_contact_row(mbdi_scene_t * s, int i)
{
  const mbd_contact_t * c = &s->contact[i / 3];
  const size_t nv = (size_t)s->model->nv;
  mbd_vec3_t e[3] = {c->normal};
  mbdi_contact_tangents(c->normal, e + 1);
  CHECK(contact_frames(s, c));
  const mbd_vec3_t along = e[i % 3], moment = mbdu_vec3_cross(c->point, along);
  const double * J = s->J;
  for (size_t k = 0; k < nv; k++) {
    s->row[k] = moment.x * J[k] + moment.y * J[nv + k] + moment.z * J[2 * nv + k] +
                along.x * J[3 * nv + k] + along.y * J[4 * nv + k] + along.z * J[5 * nv + k];
  }
  return MBD_OK;
}

//---------- contacts of two links ----------

static int
body_of(const mbdi_scene_t * s, int frame)
{
  return frame < 0 ? MBD_WORLD_BODY : s->model->frame[frame].body;
}

// joints on the way from two bodies to their bases, ascending; returns how many
static int
joints_below(const mbdi_scene_t * s, int a, int b, int * support)
{
  int at = s->model->nv;
  while (a >= 0 || b >= 0) {
    const int next = a > b ? a : b;
    const mbd_body_t * body = &s->model->body[next];
    for (int k = body->nv - 1; k >= 0; k--) support[--at] = body->v_index + k;
    if (a == next) a = body->parent;
    if (b == next) b = body->parent;
  }
  const int count = s->model->nv - at;
  memmove(support, support + at, (size_t)count * sizeof *support);
  return count;
}

// s->basis: velocity of B's point less A's in world axes, and angular velocity; as the mass matrix sees
// them in s->white_basis. The first nrow of these six rows.
static mbd_status_t
set_basis(mbdi_scene_t * s, const mbd_contact_t * c, int nrow)
{
  const int nv = s->model->nv, wide = s->lcp.n;
  const mbd_vec3_t r = c->point;
  CHECK(contact_frames(s, c));
  const double * J = s->J;
  double * row = s->basis;
  for (int k = 0; k < nv; k++, J++, row++) {
    const mbd_vec3_t ang = {J[0], J[nv], J[2 * nv]}, lin = {J[3 * nv], J[4 * nv], J[5 * nv]};
    const mbd_vec3_t at = mbdu_vec3_add(lin, mbdu_vec3_cross(ang, r));
    row[0] = at.x, row[wide] = at.y, row[2 * wide] = at.z;
    row[3 * wide] = ang.x, row[4 * wide] = ang.y, row[5 * wide] = ang.z;
  }
  for (int k = nv; k < wide; k++, row++) {
    for (int j = 0; j < 6; j++) row[j * wide] = 0;
  }
  if (s->cut.factorized && !s->model->tree) {
    const int count = joints_below(s, body_of(s, c->frame_a), body_of(s, c->frame_b), s->support);
    mbdi_mass_factor_whiten(
      &s->cut.factor, count, s->support, nrow, wide, s->basis, s->white_basis);
    return MBD_OK;
  }
  for (int j = 0; j < nrow; j++) {
    double * white = s->white_basis + j * wide;
    CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE, s->basis + j * wide, white));
    for (int k = nv; k < wide; k++) white[k] = 0;
  }
  return MBD_OK;
}

// motion of the basis at joint motions x
static void
basis_motion(const mbdi_scene_t * s, int nrow, const double * x, double * V)
{
  static const double none[6] = {0};
  s->lcp.kernels->product(nrow, s->lcp.n, s->basis, x, none, V);
}

// three rows of contact k from nrow of the basis at a point of it, and its motions before and after
static mbd_status_t
set_contact(
  mbdi_scene_t * s, int k, mbd_vec3_t origin, int nrow, const double * before, const double * after)
{
  const mbd_contact_t * c = &s->contact[k];
  mbd_vec3_t e[3] = {c->normal}, bias_a, bias_b;
  double u[3] = {0};
  mbdi_contact_tangents(c->normal, e + 1);
  mbd_vec3_t bias = {0, 0, 0};
  if (s->dt == 0) {
    CHECK(point_bias(s, c->frame_a, c->point, &bias_a));
    CHECK(point_bias(s, c->frame_b, c->point, &bias_b));
    bias = mbdu_vec3_sub(bias_b, bias_a);
  }
  bool counts = true;
  for (int j = 0; j < 3; j++) {
    const int i = 3 * k + j;
    const mbd_vec3_t moment = mbdu_vec3_cross(mbdu_vec3_sub(c->point, origin), e[j]);
    const double row[6] = {e[j].x, e[j].y, e[j].z, moment.x, moment.y, moment.z};
    u[j] = mbdi_dot(nrow, row, before);
    if (j == 0 && s->dt == 0) counts = c->gap <= s->options.touch && u[0] <= s->options.slip;
    if (!counts || (j > 0 && !(c->friction > 0))) {
      mbdi_scene_leave_row_out(s, i);
      continue;
    }
    const double w = mbdi_dot(nrow, row, after) + mbdu_vec3_dot(e[j], bias);
    const double offset = s->dt > 0 && j == 0 ? step_offset(s, c, u[0]) : 0;
    s->lcp.p[i] = c->mode == MBD_CONTACT_OPEN ? 0 : mbdu_vec3_dot(c->force, e[j]);
    s->lcp.kernels->combine(
      nrow, s->lcp.n, s->white_basis, row, s->lcp.B + (size_t)i * (size_t)s->lcp.n);
    mbdi_scene_finish_row(s, i, w, offset);
  }
  if (!(s->lcp.p[3 * k] > 0)) s->lcp.p[3 * k] = s->lcp.p[3 * k + 1] = s->lcp.p[3 * k + 2] = 0;
  s->lcp.mu[k] = c->friction;
  const double slip = hypot(u[1], u[2]);
  const bool slides = s->dt == 0 && counts && slip > s->options.slip && c->friction > 0;
  s->lcp.slip[2 * k] = slides ? u[1] / slip : 0;
  s->lcp.slip[2 * k + 1] = slides ? u[2] / slip : 0;
  return MBD_OK;
}

// contacts from `first` on, up to `end`, that are of the same two links and listed; returns the next
static int
end_of_links(const mbdi_scene_t * s, int first, int end)
{
  const mbd_contact_t * c = s->contact;
  const int a = body_of(s, c[first].frame_a), b = body_of(s, c[first].frame_b);
  int k = first + 1;
  while (k < end && s->listed[k] && body_of(s, c[k].frame_a) == a && body_of(s, c[k].frame_b) == b)
    k++;
  return k;
}

// rows of contacts of the same two links
static mbd_status_t
set_contacts(mbdi_scene_t * s, int first, int end)
{
  const mbd_vec3_t origin = s->contact[first].point;
  // velocities of one point, or of a body
  const int nrow = end == first + 1 ? 3 : 6;
  double before[6], after[6];
  CHECK(set_basis(s, &s->contact[first], nrow));
  basis_motion(s, nrow, s->velocity, before);
  basis_motion(s, nrow, s->motion, after);
  for (int k = first; k < end; k++) CHECK(set_contact(s, k, origin, nrow, before, after));
  return MBD_OK;
}

//---------- contacts that take part ----------

// velocity along the normal of B's point less A's, of joint velocities x
static mbd_status_t
normal_velocity(const mbdi_scene_t * s, const mbd_contact_t * c, const double * x, double * out)
{
  mbd_motion_t V[2] = {0};
  CHECK(mbd_jacobian_product(s->model, s->data, c->frame_b, MBD_WORLD, x, &V[0]));
  if (c->frame_a >= 0)
    CHECK(mbd_jacobian_product(s->model, s->data, c->frame_a, MBD_WORLD, x, &V[1]));
  const mbd_motion_t D = mbdu_motion_sub(V[0], V[1]);
  *out = mbdu_vec3_dot(c->normal, mbdu_vec3_add(D.lin, mbdu_vec3_cross(D.ang, c->point)));
  return MBD_OK;
}

bool
mbdi_contact_stays_open(const mbdi_scene_t * s, const mbd_contact_t * c)
{
  double after, before = 0;
  if (s->dt == 0) return c->gap > s->options.touch;
  if (normal_velocity(s, c, s->motion, &after) != MBD_OK) return false;
  // approaching contacts may have restitution
  if (c->restitution > 0 && normal_velocity(s, c, s->data->v, &before) != MBD_OK) return false;
  return after + step_offset(s, c, before) >= 0;
}

// an inactive contact: no force
static void
leave_out(mbdi_scene_t * s, int k)
{
  for (int j = 0; j < 3; j++) mbdi_scene_leave_row_out(s, 3 * k + j);
  s->lcp.mu[k] = s->contact[k].friction;
  s->lcp.slip[2 * k] = s->lcp.slip[2 * k + 1] = 0;
}

mbd_status_t
mbdi_list_contacts(mbdi_scene_t * s)
{
  for (int k = 0; k < s->n; k++) {
    const mbd_contact_t * c = &s->contact[k];
    s->listed[k] = s->dt == 0 || c->mode != MBD_CONTACT_OPEN || !mbdi_contact_stays_open(s, c);
    if (!s->listed[k]) leave_out(s, k);
  }
  for (int k = 0, end; k < s->n; k = end) {
    end = s->listed[k] ? end_of_links(s, k, s->n) : k + 1;
    if (s->listed[k]) CHECK(set_contacts(s, k, end));
  }
  return MBD_OK;
}

mbd_status_t
mbdi_list_more_contacts(mbdi_scene_t * s, const double * after, bool * more)
{
  for (int k = 0; k < s->n; k++) {
    const mbd_contact_t * c = &s->contact[k];
    double w, free, before = 0;
    if (s->listed[k]) continue;
    CHECK(normal_velocity(s, c, after, &w));
    CHECK(normal_velocity(s, c, s->motion, &free));
    if (c->restitution > 0) CHECK(normal_velocity(s, c, s->data->v, &before));
    if (!mbdi_scene_joins(w, step_offset(s, c, before), free)) continue;
    s->listed[k] = *more = true;
    CHECK(set_contacts(s, k, k + 1));
  }
  return MBD_OK;
}
