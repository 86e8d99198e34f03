// Contacts and limits as a complementarity problem on the compliance that closures leave: 11.5.
#include "mbdyn/constraints/contact.h"

#include <math.h>
#include <string.h>

#include "constraints/complementarity.h"
#include "constraints/cut.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/forward.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/spatial.h"
#include "simd/kernels.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "util/arena.h"
#include "util/dense.h"

// arguments and workspace of a call
typedef struct scene {
  const mbd_model_t * model;
  mbd_data_t * data;
  mbd_contact_options_t options;
  double dt;  // 0: accelerations
  int n;
  mbd_contact_t * contact;
  const double * limit;                   // forces of the call before, or NULL
  const mbd_joint_friction_t * friction;  // or NULL
  int njoint;                             // degrees of freedom with friction
  mbdi_cut_t cut;
  // rows of all contacts, two limits of each degree of freedom, friction of each joint
  mbdi_complementarity_t lcp;
  double * motion;       // velocities (accelerations) with closures alone, then zeros  [lcp.n]
  double * velocity;     // of the state, then zeros                                    [lcp.n]
  double * white;        // `motion` less that without closures, whitened               [nv]
  double * row;          // J of one row                                                [nv]
  double * J;            // Jacobians of the frames of one contact                  [2][6 nv]
  double * basis;        // six rows of two links, and two more                       [8 lcp.n]
  double * white_basis;  // the six as the mass matrix sees them                      [6 lcp.n]
  int * support;         // joints that they depend on                                  [nv]
  int nnear, *near;      // limits that are near                                    [2 nv]
  bool * listed;         // contacts, then limits, that are rows of the problem    [n + 2 nv]
  // of friction in joints
  double * M;     // and memory of its factors
  double * X;     // of an embedded model                                     [njoint nv]
  double * S;     // resistances in the step                                  [njoint]
  double * tree;  // velocities of all joints                                 [njoint]
} scene_t;

mbd_contact_t
mbd_contact_default(void)
{
  mbd_contact_t contact = {.frame_a = MBD_WORLD_BODY, .frame_b = MBD_WORLD_BODY};
  contact.normal.z = 1;
  return contact;
}

mbd_contact_options_t
mbd_contact_options_default(void)
{
  mbd_contact_options_t o = {.closures = mbd_constrained_options_default()};
  o.limits = true;
  o.limit_margin = 0.1;
  o.recovery = 0.2;
  o.impact = 0.01;
  o.touch = 1e-6;
  o.slip = 1e-6;
  o.tolerance = 1e-9;
  o.iterations = 10000;
  o.fallback = true;
  return o;
}

// arrays of a call in work (NULL: none); returns how many doubles. njoint: with friction, 0: none
static size_t
lay_out(scene_t * s, const mbd_model_t * model, int n, int njoint, double * work)
{
  const size_t nv = (size_t)model->nv, joints = (size_t)njoint;
  const int nlimit = 2 * model->nv + njoint;
  size_t at = mbdi_cut_work(model);
  at += mbdi_complementarity_init(&s->lcp, model->nv, n, nlimit, work ? work + at : NULL);
#define TAKE(field, count) s->field = mbdi_arena_work(work, &at, (count), sizeof *s->field)
  TAKE(motion, (size_t)s->lcp.n);
  TAKE(velocity, (size_t)s->lcp.n);
  TAKE(white, nv);
  TAKE(row, nv);
  TAKE(J, 12 * nv);
  TAKE(basis, 8 * (size_t)s->lcp.n);
  TAKE(white_basis, 6 * (size_t)s->lcp.n);
  TAKE(support, nv);
  TAKE(near, 2 * nv);
  TAKE(listed, (size_t)n + 2 * nv);
  TAKE(M, njoint > 0 ? nv * nv + mbdi_mass_factor_work(model->nv) : 0);
  TAKE(X, model->tree ? joints * nv : 0);
  TAKE(S, joints);
  TAKE(tree, joints);
#undef TAKE
  return at;
}

static int
all_joints(const mbd_model_t * model)
{
  return model->tree ? model->tree->nv : model->nv;
}

size_t
mbd_contact_work(const mbd_model_t * model, int n)
{
  if (!model || !model->finalized || n < 0) return 0;
  scene_t unused;
  return lay_out(&unused, model, n, 0, NULL);
}

size_t
mbd_friction_step_work(const mbd_model_t * model, int n)
{
  if (!model || !model->finalized || n < 0) return 0;
  scene_t unused;
  return lay_out(&unused, model, n, all_joints(model), NULL);
}

//---------- arguments ----------

static mbd_status_t
check_contact(const mbd_model_t * model, const mbd_contact_t * c)
{
  const double numbers[3] = {c->gap, c->friction, c->restitution};
  if (!finite_vec3(c->point) || !finite_vec3(c->normal) || !finite_array(numbers, 3)) {
    return MBD_ERROR_NOT_FINITE;
  }
  const bool frames = c->frame_a >= MBD_WORLD_BODY && c->frame_a < model->nframe &&
                      c->frame_b >= 0 && c->frame_b < model->nframe;
  const bool good = frames && fabs(mbdu_vec3_norm(c->normal) - 1) < 1e-6 && c->friction >= 0 &&
                    c->restitution >= 0 && c->restitution <= 1;
  return good ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

// resistances are numbers from 0 on; dry friction may be infinite
static mbd_status_t
check_friction(const mbd_joint_friction_t * f, int n)
{
  if (f->n != n) return MBD_ERROR_BAD_ARGUMENT;
  for (int k = 0; k < n; k++) {
    const double dry = f->dry ? f->dry[k] : 0, viscous = f->viscous ? f->viscous[k] : 0;
    const double impulse = f->impulse ? f->impulse[k] : 0;
    if (isnan(dry) || !isfinite(viscous) || !isfinite(impulse)) return MBD_ERROR_NOT_FINITE;
    if (dry < 0 || viscous < 0) return MBD_ERROR_BAD_ARGUMENT;
  }
  return MBD_OK;
}

static mbd_status_t
check_options(const mbd_contact_options_t * o)
{
  const bool good = o->limit_margin >= 0 && o->recovery >= 0 && o->recovery <= 1 &&
                    o->impact >= 0 && o->touch >= 0 && o->slip >= 0 && o->tolerance > 0 &&
                    o->iterations > 0;
  return good ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

static mbd_status_t
begin(
  scene_t * s, const mbd_model_t * model, mbd_data_t * data, int n, mbd_contact_t * contact,
  const mbd_contact_options_t * options, double * work, const double * limit)
{
  CHECK(check_any(model, data, 0));
  // a deferred velocity stage stays deferred for forward dynamics, and without active contacts
  if (!stage_has_velocity(data)) return MBD_ERROR_STAGE;
  if (!work || (n > 0 && !contact)) return MBD_ERROR_NULL_ARGUMENT;
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  s->model = model;
  s->data = data;
  s->options = options ? *options : mbd_contact_options_default();
  CHECK(check_options(&s->options));
  for (int k = 0; k < n; k++) CHECK(check_contact(model, &contact[k]));
  if (limit && !finite_array(limit, model->nv)) return MBD_ERROR_NOT_FINITE;
  s->njoint = s->friction ? all_joints(model) : 0;
  if (s->friction) CHECK(check_friction(s->friction, s->njoint));
  CHECK(mbdi_cut_begin(&s->cut, model, data, &s->options.closures, work));
  s->n = n;
  s->contact = contact;
  s->limit = limit;
  lay_out(s, model, n, s->njoint, work);
  s->lcp.kernels = mbdi_row_kernels(model);
  s->cut.M = s->njoint > 0 ? s->M : s->cut.dense;
  return MBD_OK;
}

//---------- with closures alone ----------

// right-hand side of the closures: rates after the step, or accelerations
static mbd_status_t
wanted_rows(scene_t * s, double * r)
{
  const mbd_constrained_options_t * o = &s->options.closures;
  const int m = s->cut.nrow;
  if (m == 0) return MBD_OK;
  if (s->dt == 0) return mbdi_cut_wanted(&s->cut, r);
  // rows of closures and contacts alike are those of the beginning of the step: they fit each other,
  // and gamma comes in with the next step, when v no longer fits G
  CHECK(mbd_closure_target(s->model, o->t + s->dt, r));
  if (o->stabilisation == 0) return MBD_OK;
  const double part = fmin(o->stabilisation, 1 / s->dt);
  CHECK(mbd_closure_error(s->model, s->data, o->t, s->cut.y));
  for (int k = 0; k < m; k++) r[k] -= part * s->cut.y[k];
  return MBD_OK;
}

// Forward dynamics of the state. Placements that are there, from which the contact points were found,
// are kept, but kernels take the state alone.
static mbd_status_t
forward(scene_t * s, const double * tau, const mbd_wrenches_t * f_ext)
{
  const uint32_t known = MBD_STAGE_POSITION | MBD_STAGE_VELOCITY, stages = stage_bits(s->data);
  const struct mbdi_model * m = s->model->internal;
  const bool by_kernel = m->plan && m->plan->kernels && !m->base && (stages & known) == known;
  if (by_kernel) stage_reset(s->data, MBD_STAGE_DEFERRED_VELOCITY);
  const mbd_status_t status =
    mbd_forward_dynamics(s->model, s->data, NULL, NULL, tau, f_ext, s->motion);
  if (by_kernel) stage_reset(s->data, stages);
  return status;
}

// s->motion without closures and contacts
static mbd_status_t
move_freely(scene_t * s, const double * tau, const mbd_wrenches_t * f_ext)
{
  CHECK(forward(s, tau, f_ext));
  // neither they nor the forces through the joints are needed: stages are completed without them
  forget_deferred_acceleration(s->data);
  for (int k = 0; s->dt > 0 && k < s->model->nv; k++) {
    s->motion[k] = s->data->v[k] + s->dt * s->motion[k];
  }
  return MBD_OK;
}

//---------- friction of the joints ----------

// velocities of all joints at the independent ones
static mbd_status_t
joint_velocities(scene_t * s, const double * v, double * out)
{
  if (s->model->tree) return mbd_tree_velocity(s->model, s->data, v, out);
  memcpy(out, v, (size_t)s->njoint * sizeof *out);
  return MBD_OK;
}

// x = X^T tau of all joints
static void
reduce_torques(const scene_t * s, const double * tau, double * x)
{
  const int nv = s->model->nv;
  if (!s->model->tree) {
    memcpy(x, tau, (size_t)nv * sizeof *x);
    return;
  }
  memset(x, 0, (size_t)nv * sizeof *x);
  for (int i = 0; i < s->njoint; i++) {
    for (int k = 0; tau[i] != 0 && k < nv; k++) x[k] += s->X[i * nv + k] * tau[i];
  }
}

// viscous friction of the velocities after the step: (M + h S) w = M (v + h M^-1 (tau - C))
static mbd_status_t
damp(scene_t * s)
{
  const mbd_joint_friction_t * f = s->friction;
  CHECK(check_any(s->model, s->data, MBD_STAGE_VELOCITY));
  if (s->model->tree) CHECK(mbd_embedding_matrix(s->model, s->data, s->X));
  for (int i = 0; i < s->njoint; i++) s->S[i] = f->viscous ? s->dt * f->viscous[i] : 0;
  s->cut.S = s->S;
  s->cut.X = s->model->tree ? s->X : NULL;
  s->cut.nresist = s->njoint;
  CHECK(mbdi_cut_factorize(&s->cut));
  if (!f->viscous) return MBD_OK;
  CHECK(joint_velocities(s, s->motion, s->tree));
  for (int i = 0; i < s->njoint; i++) s->tree[i] *= s->S[i];
  double * x = s->row;
  reduce_torques(s, s->tree, x);
  CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE, x, x));
  CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE_TRANSPOSE, x, x));
  for (int k = 0; k < s->model->nv; k++) s->motion[k] -= x[k];
  return MBD_OK;
}

// s->motion with the closures kept and no contact
static mbd_status_t
keep_closures(scene_t * s, mbd_constrained_t * info)
{
  const mbd_model_t * model = s->model;
  mbdi_cut_t * cut = &s->cut;
  CHECK(check_any(model, s->data, MBD_STAGE_VELOCITY));
  CHECK(mbdi_cut_rank(cut, info));
  CHECK(mbdi_cut_whiten(cut));
  CHECK(wanted_rows(s, cut->r));
  mbdi_cut_product(cut, s->motion, cut->y);
  for (int k = 0; k < cut->nrow; k++) cut->r[k] -= cut->y[k];
  mbdi_cut_solve(cut, cut->r, s->white);
  CHECK(mbdi_cut_root(cut, MBD_SQRT_INVERSE_TRANSPOSE, s->white, cut->x));
  for (int k = 0; k < model->nv; k++) s->motion[k] += cut->x[k];
  CHECK(wanted_rows(s, cut->r));
  mbdi_cut_product(cut, s->motion, cut->y);
  for (int k = 0; k < cut->nrow; k++) cut->y[k] -= cut->r[k];
  info->residual = mbdi_cut_largest(cut, cut->y, &info->error_closure);
  double size = 1;
  for (int k = 0; k < model->nv; k++) size = fmax(size, fabs(s->motion[k]));
  if (!(info->residual <= s->options.closures.tolerance * size)) return MBD_ERROR_NOT_ASSEMBLED;
  info->error_closure = -1;
  return MBD_OK;
}

//---------- rows ----------

static void
leave_row_out(scene_t * s, int i)
{
  s->lcp.on[i] = false;
  s->lcp.p[i] = s->lcp.motion[i] = 0;
}

// Row i of the problem, which is there as the mass matrix sees it: closures kept; `offset` is what gaps
// and restitution add to its motion.
static void
finish_row(scene_t * s, int i, double motion, double offset)
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
  if (sqrt(mbdi_dot(nv, B, B)) <= s->options.closures.rank_tolerance * all) leave_row_out(s, i);
}

// Jacobians of a contact's frames, in s->J
static mbd_status_t
contact_frames(scene_t * s, const mbd_contact_t * c)
{
  CHECK(mbd_jacobian(s->model, s->data, c->frame_b, MBD_WORLD, s->J));
  if (c->frame_a < 0) return MBD_OK;
  const size_t numbers = 6 * (size_t)s->model->nv;
  double * J_a = s->J + numbers;
  CHECK(mbd_jacobian(s->model, s->data, c->frame_a, MBD_WORLD, J_a));
  for (size_t k = 0; k < numbers; k++) s->J[k] -= J_a[k];
  return MBD_OK;
}

// s->row: velocity along e of B's point less A's, from the Jacobians
static void
contact_row(scene_t * s, const mbd_contact_t * c, mbd_vec3_t e)
{
  const size_t nv = (size_t)s->model->nv;
  const mbd_vec3_t moment = mbdu_vec3_cross(c->point, e);
  const double * J = s->J;
  for (size_t k = 0; k < nv; k++) {
    s->row[k] = moment.x * J[k] + moment.y * J[nv + k] + moment.z * J[2 * nv + k] +
                e.x * J[3 * nv + k] + e.y * J[4 * nv + k] + e.z * J[5 * nv + k];
  }
}

// acceleration of a frame's point at zero joint acceleration
static mbd_status_t
point_bias(const scene_t * s, int frame, mbd_vec3_t point, mbd_vec3_t * a)
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
step_offset(const scene_t * s, const mbd_contact_t * c, double before)
{
  const bool hits = before < -s->options.impact && c->gap <= -before * s->dt;
  if (hits && c->restitution > 0) return c->restitution * before;
  return (c->gap > 0 ? 1 : s->options.recovery) * c->gap / s->dt;
}

// two directions that make a right-handed set with the normal
static void
tangents_of(mbd_vec3_t n, mbd_vec3_t * t)
{
  const mbd_vec3_t e = fabs(n.x) < 0.7 ? mbdu_vec3(1, 0, 0) : mbdu_vec3(0, 1, 0);
  t[0] = mbdu_vec3_cross(e, n);
  t[0] = mbdu_vec3_scale(1 / mbdu_vec3_norm(t[0]), t[0]);
  t[1] = mbdu_vec3_cross(n, t[0]);
}

//---------- rows of the contacts of two links ----------

static int
body_of(const scene_t * s, int frame)
{
  return frame < 0 ? MBD_WORLD_BODY : s->model->frame[frame].body;
}

// joints on the way from two bodies to their bases, ascending; returns how many
static int
joints_below(const scene_t * s, int a, int b, int * support)
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
set_basis(scene_t * s, const mbd_contact_t * c, int nrow)
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
basis_motion(const scene_t * s, int nrow, const double * x, double * V)
{
  static const double none[6] = {0};
  s->lcp.kernels->product(nrow, s->lcp.n, s->basis, x, none, V);
}

// three rows of contact k from nrow of the basis at a point of it, and its motions before and after
static mbd_status_t
set_contact(
  scene_t * s, int k, mbd_vec3_t origin, int nrow, const double * before, const double * after)
{
  const mbd_contact_t * c = &s->contact[k];
  mbd_vec3_t e[3] = {c->normal}, bias_a, bias_b;
  double u[3] = {0};
  tangents_of(c->normal, e + 1);
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
      leave_row_out(s, i);
      continue;
    }
    const double w = mbdi_dot(nrow, row, after) + mbdu_vec3_dot(e[j], bias);
    const double offset = s->dt > 0 && j == 0 ? step_offset(s, c, u[0]) : 0;
    s->lcp.p[i] = c->mode == MBD_CONTACT_OPEN ? 0 : mbdu_vec3_dot(c->force, e[j]);
    s->lcp.kernels->combine(
      nrow, s->lcp.n, s->white_basis, row, s->lcp.B + (size_t)i * (size_t)s->lcp.n);
    finish_row(s, i, w, offset);
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
end_of_links(const scene_t * s, int first, int end)
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
set_contacts(scene_t * s, int first, int end)
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

//---------- rows of limits ----------

// s->near: limits that are near, 2 k the lower one of joint k, 2 k + 1 the upper one
static void
find_limits(scene_t * s)
{
  const double margin = s->dt == 0 ? s->options.touch : s->options.limit_margin;
  s->nnear = 0;
  for (int k = 0; s->options.limits && k < s->model->nv; k++) {
    const mbd_body_t * body = &s->model->body[s->model->dof_body[k]];
    if (body->nv != 1 || body->nq != 1) continue;
    const double q = s->data->q[body->q_index];
    if (q - body->limits.lower <= margin) s->near[s->nnear++] = 2 * k;
    if (body->limits.upper - q <= margin) s->near[s->nnear++] = 2 * k + 1;
  }
}

// sign of a limit, and what is added to the motion away from it; false if it does not count
static bool
limit_counts(const scene_t * s, int i, double * sign, double * offset)
{
  const int k = i / 2, upper = i % 2;
  const mbd_body_t * body = &s->model->body[s->model->dof_body[k]];
  *sign = upper ? -1 : 1;
  *offset = 0;
  const double at = upper ? body->limits.upper : body->limits.lower;
  const double gap = *sign * (s->data->q[body->q_index] - at);
  if (s->dt == 0) return *sign * s->data->v[k] <= s->options.slip;
  *offset = (gap > 0 ? 1 : s->options.recovery) * gap / s->dt;
  return true;
}

static mbd_status_t
set_limit(scene_t * s, int i, double sign, double offset)
{
  const int row = 3 * s->n + i, k = i / 2;
  double * B = s->lcp.B + (size_t)row * (size_t)s->lcp.n;
  memset(B, 0, (size_t)s->lcp.n * sizeof *B);
  B[k] = sign;
  CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE, B, B));
  s->lcp.p[row] = s->limit ? fmax(0, sign * s->limit[k]) : 0;
  finish_row(s, row, sign * s->motion[k], offset);
  return MBD_OK;
}

//---------- rows of dry friction ----------

static int
friction_row(const scene_t * s, int joint)
{
  return 3 * s->n + 2 * s->model->nv + joint;
}

// velocity of a joint as a row
static void
joint_row(const scene_t * s, int joint, double * row)
{
  const int nv = s->model->nv;
  if (s->model->tree) {
    memcpy(row, s->X + joint * nv, (size_t)nv * sizeof *row);
    return;
  }
  memset(row, 0, (size_t)nv * sizeof *row);
  row[joint] = 1;
}

static mbd_status_t
list_friction(scene_t * s)
{
  const mbd_joint_friction_t * f = s->friction;
  for (int i = 0; i < 2 * s->model->nv + s->njoint; i++) s->lcp.bound[i] = 0;
  for (int i = 0; i < s->njoint; i++) leave_row_out(s, friction_row(s, i));
  if (!f || !f->dry) return MBD_OK;
  CHECK(joint_velocities(s, s->motion, s->tree));
  for (int i = 0; i < s->njoint; i++) {
    const int row = friction_row(s, i);
    const double most = s->dt * f->dry[i];
    if (most == 0) continue;
    double * B = s->lcp.B + (size_t)row * (size_t)s->lcp.n;
    memset(B, 0, (size_t)s->lcp.n * sizeof *B);
    joint_row(s, i, B);
    CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE, B, B));
    s->lcp.bound[2 * s->model->nv + i] = most;
    s->lcp.p[row] = f->impulse ? fmax(-most, fmin(most, f->impulse[i])) : 0;
    finish_row(s, row, s->tree[i], 0);
  }
  return MBD_OK;
}

static void
write_friction(scene_t * s)
{
  const mbd_joint_friction_t * f = s->friction;
  if (!f || !f->impulse) return;
  for (int i = 0; i < s->njoint; i++) f->impulse[i] = s->lcp.p[friction_row(s, i)];
}

//---------- results ----------

static void
write_contact(scene_t * s, int k)
{
  mbd_contact_t * c = &s->contact[k];
  const double * p = s->lcp.p + 3 * (size_t)k;
  mbd_vec3_t t[2];
  tangents_of(c->normal, t);
  c->force = mbdu_vec3_scale(p[0], c->normal);
  for (int j = 0; j < 2; j++) c->force = mbdu_vec3_add(c->force, mbdu_vec3_scale(p[1 + j], t[j]));
  c->mode = MBD_CONTACT_OPEN;
  const double *w = s->lcp.w + 3 * (size_t)k, *square = s->lcp.square + 3 * (size_t)k;
  const double rounding = s->options.tolerance * s->lcp.scale;
  // forces and slips below this have no effect: rounding error
  if (!(p[0] * sqrt(square[0]) > 1e-3 * rounding)) return;
  const bool on_cone = hypot(p[1], p[2]) >= c->friction * p[0] * (1 - 1e-9);
  const bool slips = hypot(w[1], w[2]) > 10 * rounding * sqrt(square[0] + square[1] + square[2]);
  const bool slid = s->lcp.slip[2 * k] != 0 || s->lcp.slip[2 * k + 1] != 0;
  c->mode = on_cone && (slips || slid) ? MBD_CONTACT_SLIDE : MBD_CONTACT_STICK;
}

// multipliers of the closures: motion minus the contribution of the contacts
static mbd_status_t
closure_share(scene_t * s, double * lambda)
{
  const int nv = s->model->nv;
  double * total = s->white;
  for (int k = 0; k < nv; k++) total[k] += s->lcp.x[k];
  for (int i = 0; i < mbdi_complementarity_rows(&s->lcp); i++) {
    if (s->lcp.p[i] == 0) continue;
    if (i < 3 * s->n) {
      const mbd_contact_t * c = &s->contact[i / 3];
      mbd_vec3_t e[3] = {c->normal};
      tangents_of(c->normal, e + 1);
      CHECK(contact_frames(s, c));
      contact_row(s, c, e[i % 3]);
    } else if (i >= friction_row(s, 0)) {
      joint_row(s, i - friction_row(s, 0), s->row);
    } else {
      memset(s->row, 0, (size_t)nv * sizeof *s->row);
      s->row[(i - 3 * s->n) / 2] = (i - 3 * s->n) % 2 ? -1 : 1;
    }
    CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE, s->row, s->cut.x));
    for (int k = 0; k < nv; k++) total[k] -= s->lcp.p[i] * s->cut.x[k];
  }
  return mbdi_cut_multipliers(&s->cut, total, lambda);
}

static mbd_status_t
write_results(scene_t * s, double * out, double * limit, double * lambda, mbd_contact_info_t * info)
{
  const int nv = s->model->nv;
  CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE_TRANSPOSE, s->lcp.x, s->cut.x));
  for (int k = 0; k < nv; k++) s->motion[k] += s->cut.x[k];
  if (!finite_array(s->motion, nv)) return MBD_ERROR_NOT_FINITE;
  if (lambda) CHECK(closure_share(s, lambda));
  memcpy(out, s->motion, (size_t)nv * sizeof *out);
  for (int k = 0; k < s->n; k++) {
    write_contact(s, k);
    info->nactive += s->contact[k].mode != MBD_CONTACT_OPEN;
  }
  for (int k = 0; k < nv; k++) {
    const double * p = s->lcp.p + 3 * (size_t)s->n + 2 * (size_t)k;
    info->nactive += (p[0] > 0) + (p[1] > 0);
    if (limit) limit[k] = p[0] - p[1];
  }
  write_friction(s);
  return MBD_OK;
}

//---------- where nothing touches ----------

// velocity along the normal of B's point less A's, of joint velocities x
static mbd_status_t
normal_velocity(const scene_t * s, const mbd_contact_t * c, const double * x, double * out)
{
  mbd_motion_t V[2] = {0};
  CHECK(mbd_jacobian_product(s->model, s->data, c->frame_b, MBD_WORLD, x, &V[0]));
  if (c->frame_a >= 0)
    CHECK(mbd_jacobian_product(s->model, s->data, c->frame_a, MBD_WORLD, x, &V[1]));
  const mbd_motion_t D = mbdu_motion_sub(V[0], V[1]);
  *out = mbdu_vec3_dot(c->normal, mbdu_vec3_add(D.lin, mbdu_vec3_cross(D.ang, c->point)));
  return MBD_OK;
}

// false if the contact may need a force
static bool
contact_stays_open(const scene_t * s, const mbd_contact_t * c)
{
  double after, before = 0;
  if (s->dt == 0) return c->gap > s->options.touch;
  if (normal_velocity(s, c, s->motion, &after) != MBD_OK) return false;
  // approaching contacts may have restitution
  if (c->restitution > 0 && normal_velocity(s, c, s->data->v, &before) != MBD_OK) return false;
  return after + step_offset(s, c, before) >= 0;
}

static bool
limit_stays_open(const scene_t * s, int i)
{
  double sign, offset;
  if (!limit_counts(s, i, &sign, &offset)) return true;
  return s->dt > 0 && sign * s->motion[i / 2] + offset >= 0;
}

// True if no contact and no limit needs a force: then no forces are the solution, and rows and
// compliances need not be computed. Not applicable with closures, whose forces act on the contacts.
static bool
stays_open(const scene_t * s)
{
  if (s->cut.nrow > 0 || s->options.closures.rank > 0) return false;
  if (s->friction && s->friction->dry) return false;
  for (int n = 0; n < s->nnear; n++) {
    if (!limit_stays_open(s, s->near[n])) return false;
  }
  for (int k = 0; k < s->n; k++) {
    if (!contact_stays_open(s, &s->contact[k])) return false;
  }
  return true;
}

static mbd_status_t
write_open(scene_t * s, double * out, double * limit, mbd_contact_info_t * info)
{
  const int nv = s->model->nv;
  if (!finite_array(s->motion, nv)) return MBD_ERROR_NOT_FINITE;
  info->closures.mobility = nv;
  copy_array(out, s->motion, nv);
  for (int k = 0; limit && k < nv; k++) limit[k] = 0;
  for (int k = 0; k < s->n; k++) {
    s->contact[k].force = mbdu_vec3(0, 0, 0);
    s->contact[k].mode = MBD_CONTACT_OPEN;
  }
  for (int i = 0; s->friction && s->friction->impulse && i < s->njoint; i++)
    s->friction->impulse[i] = 0;
  return MBD_OK;
}

//---------- contacts that take part ----------

// an inactive contact: no force
static void
leave_out(scene_t * s, int k)
{
  for (int j = 0; j < 3; j++) leave_row_out(s, 3 * k + j);
  s->lcp.mu[k] = s->contact[k].friction;
  s->lcp.slip[2 * k] = s->lcp.slip[2 * k + 1] = 0;
}

// Rows of the contacts that had a force, or would be gone through without any: the others are listed if
// the forces of these push them together.
static mbd_status_t
list_contacts(scene_t * s)
{
  for (int k = 0; k < s->n; k++) {
    const mbd_contact_t * c = &s->contact[k];
    s->listed[k] = s->dt == 0 || c->mode != MBD_CONTACT_OPEN || !contact_stays_open(s, c);
    if (!s->listed[k]) leave_out(s, k);
  }
  for (int k = 0, end; k < s->n; k = end) {
    end = s->listed[k] ? end_of_links(s, k, s->n) : k + 1;
    if (s->listed[k]) CHECK(set_contacts(s, k, end));
  }
  return MBD_OK;
}

// the same of the limits
static mbd_status_t
list_limits(scene_t * s)
{
  for (int i = 0; i < 2 * s->model->nv; i++) leave_row_out(s, 3 * s->n + i);
  for (int n = 0; n < s->nnear; n++) {
    const int i = s->near[n];
    double sign, offset;
    bool * listed = &s->listed[s->n + i];
    *listed = limit_counts(s, i, &sign, &offset);
    if (!*listed) continue;
    const bool pushed = s->limit && sign * s->limit[i / 2] > 0;
    *listed = s->dt == 0 || pushed || !(sign * s->motion[i / 2] + offset >= 0);
    if (*listed) CHECK(set_limit(s, i, sign, offset));
  }
  return MBD_OK;
}

// Contacts and limits that are not listed and that the motion w goes through, or brings to rest, are:
// these may share the forces.
static bool
joins(double w, double offset, double free)
{
  return !(w + offset > 1e-6 * (fabs(w) + fabs(offset) + fabs(free)));
}

static mbd_status_t
list_more_contacts(scene_t * s, const double * after, bool * more)
{
  for (int k = 0; k < s->n; k++) {
    const mbd_contact_t * c = &s->contact[k];
    double w, free, before = 0;
    if (s->listed[k]) continue;
    CHECK(normal_velocity(s, c, after, &w));
    CHECK(normal_velocity(s, c, s->motion, &free));
    if (c->restitution > 0) CHECK(normal_velocity(s, c, s->data->v, &before));
    if (!joins(w, step_offset(s, c, before), free)) continue;
    s->listed[k] = *more = true;
    CHECK(set_contacts(s, k, k + 1));
  }
  return MBD_OK;
}

static mbd_status_t
list_more_limits(scene_t * s, const double * after, bool * more)
{
  for (int n = 0; n < s->nnear; n++) {
    const int i = s->near[n];
    double sign, offset;
    if (s->listed[s->n + i] || !limit_counts(s, i, &sign, &offset)) continue;
    if (!joins(sign * after[i / 2], offset, s->motion[i / 2])) continue;
    s->listed[s->n + i] = *more = true;
    CHECK(set_limit(s, i, sign, offset));
  }
  return MBD_OK;
}

// more: the solution has to be found again
static mbd_status_t
list_more(scene_t * s, bool * more)
{
  *more = false;
  // those that count are all listed
  if (s->dt == 0) return MBD_OK;
  double * after = s->cut.g;
  CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE_TRANSPOSE, s->lcp.x, after));
  for (int k = 0; k < s->model->nv; k++) after[k] += s->motion[k];
  CHECK(list_more_contacts(s, after, more));
  return list_more_limits(s, after, more);
}

// what kernels multiply rows with
static void
pad(scene_t * s)
{
  const int nv = s->model->nv;
  memcpy(s->velocity, s->data->v, (size_t)nv * sizeof *s->velocity);
  for (int k = nv; k < s->lcp.n; k++) s->motion[k] = s->velocity[k] = 0;
}

static mbd_status_t
solve(
  scene_t * s, const double * tau, const mbd_wrenches_t * f_ext, double * out, double * limit,
  double * lambda, mbd_contact_info_t * info)
{
  CHECK(move_freely(s, tau, f_ext));
  if (s->friction) CHECK(damp(s));
  find_limits(s);
  if (stays_open(s)) return write_open(s, out, limit, info);
  CHECK(keep_closures(s, &info->closures));
  pad(s);
  CHECK(list_contacts(s));
  CHECK(list_limits(s));
  CHECK(list_friction(s));
  mbdi_complementarity_info_t solution;
  for (bool more = true; more;) {
    const int left = s->options.iterations - info->iterations;
    solution = mbdi_complementarity_solve(&s->lcp, s->options.tolerance, left);
    info->iterations += solution.iterations;
    CHECK(list_more(s, &more));
  }
  info->residual = solution.residual;
  if (!solution.solved && !s->options.fallback) return MBD_ERROR_NO_SOLUTION;
  CHECK(write_results(s, out, limit, lambda, info));
  return solution.solved ? MBD_OK : MBD_ERROR_NOT_CONVERGED;
}

static mbd_status_t
solve_with_mimic_kept(
  scene_t * s, const double * tau, const mbd_wrenches_t * f_ext, double * out, double * limit,
  double * lambda, mbd_contact_info_t * info)
{
  const bool before = s->data->work->keeps_mimic;
  s->data->work->keeps_mimic = true;
  const mbd_status_t status = solve(s, tau, f_ext, out, limit, lambda, info);
  s->data->work->keeps_mimic = before;
  // invalidate the accelerations of the tree without contacts
  forget_acceleration(s->data);
  return status;
}

static mbd_contact_info_t
nothing_found(void)
{
  mbd_contact_info_t info = {.closures = {.error_closure = -1}};
  return info;
}

mbd_status_t
mbd_contact_step(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double dt, int n, mbd_contact_t * contact, const mbd_contact_options_t * options, double * work,
  double * v_out, double * limit, double * Lambda, mbd_contact_info_t * info)
{
  return mbd_friction_step(
    model, data, tau, f_ext, dt, n, contact, NULL, options, work, v_out, limit, Lambda, info);
}

mbd_status_t
mbd_friction_step(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double dt, int n, mbd_contact_t * contact, const mbd_joint_friction_t * friction,
  const mbd_contact_options_t * options, double * work, double * v_out, double * limit,
  double * Lambda, mbd_contact_info_t * info)
{
  mbd_contact_info_t unasked;
  if (!info) info = &unasked;
  *info = nothing_found();
  scene_t s = {.dt = dt, .friction = friction};
  CHECK(begin(&s, model, data, n, contact, options, work, limit));
  if (!v_out) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(&dt, 1)) return MBD_ERROR_NOT_FINITE;
  if (!(dt > 0)) return MBD_ERROR_BAD_ARGUMENT;
  return solve_with_mimic_kept(&s, tau, f_ext, v_out, limit, Lambda, info);
}

mbd_status_t
mbd_contact_acceleration(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  int n, mbd_contact_t * contact, const mbd_contact_options_t * options, double * work,
  double * qdd, double * limit, double * lambda, mbd_contact_info_t * info)
{
  mbd_contact_info_t unasked;
  if (!info) info = &unasked;
  *info = nothing_found();
  scene_t s = {.dt = 0};
  CHECK(begin(&s, model, data, n, contact, options, work, limit));
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  return solve_with_mimic_kept(&s, tau, f_ext, qdd, limit, lambda, info);
}
