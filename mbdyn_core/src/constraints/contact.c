// Contacts and limits as a complementarity problem on the compliance that closures leave: 11.5.
#include <math.h>
#include <string.h>

#include "constraints/contact_internal.h"
#include "mbdyn/forward.h"
#include "mbdyn/spatial.h"
#include "simd/kernels.h"
#include "state/state.h"
#include "util/arena.h"
#include "util/dense.h"

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
lay_out(mbdi_scene_t * s, const mbd_model_t * model, int n, int njoint, double * work)
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
  mbdi_scene_t unused;
  return lay_out(&unused, model, n, 0, NULL);
}

size_t
mbd_friction_step_work(const mbd_model_t * model, int n)
{
  if (!model || !model->finalized || n < 0) return 0;
  mbdi_scene_t unused;
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
  mbdi_scene_t * s, const mbd_model_t * model, mbd_data_t * data, int n, mbd_contact_t * contact,
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
wanted_rows(mbdi_scene_t * s, double * r)
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
forward(mbdi_scene_t * s, const double * tau, const mbd_wrenches_t * f_ext)
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
move_freely(mbdi_scene_t * s, const double * tau, const mbd_wrenches_t * f_ext)
{
  CHECK(forward(s, tau, f_ext));
  // neither they nor the forces through the joints are needed: stages are completed without them
  forget_deferred_acceleration(s->data);
  for (int k = 0; s->dt > 0 && k < s->model->nv; k++) {
    s->motion[k] = s->data->v[k] + s->dt * s->motion[k];
  }
  return MBD_OK;
}

// s->motion with the closures kept and no contact
static mbd_status_t
keep_closures(mbdi_scene_t * s, mbd_constrained_t * info)
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

//---------- where nothing touches ----------

// True if no contact and no limit needs a force: then no forces are the solution, and rows and
// compliances need not be computed. Not applicable with closures, whose forces act on the contacts.
static bool
stays_open(const mbdi_scene_t * s)
{
  if (s->cut.nrow > 0 || s->options.closures.rank > 0) return false;
  if (s->friction && s->friction->dry) return false;
  for (int n = 0; n < s->nnear; n++) {
    if (!mbdi_limit_stays_open(s, s->near[n])) return false;
  }
  for (int k = 0; k < s->n; k++) {
    if (!mbdi_contact_stays_open(s, &s->contact[k])) return false;
  }
  return true;
}

static mbd_status_t
write_open(mbdi_scene_t * s, double * out, double * limit, mbd_contact_info_t * info)
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

//---------- results ----------

static void
write_contact(mbdi_scene_t * s, int k)
{
  mbd_contact_t * c = &s->contact[k];
  const double * p = s->lcp.p + 3 * (size_t)k;
  mbd_vec3_t t[2];
  mbdi_contact_tangents(c->normal, t);
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
closure_share(mbdi_scene_t * s, double * lambda)
{
  const int nv = s->model->nv;
  double * total = s->white;
  for (int k = 0; k < nv; k++) total[k] += s->lcp.x[k];
  for (int i = 0; i < mbdi_complementarity_rows(&s->lcp); i++) {
    if (s->lcp.p[i] == 0) continue;
    if (i < 3 * s->n)
      CHECK(mbdi_contact_row(s, i));
    else
      mbdi_joint_row(s, i);
    CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE, s->row, s->cut.x));
    for (int k = 0; k < nv; k++) total[k] -= s->lcp.p[i] * s->cut.x[k];
  }
  return mbdi_cut_multipliers(&s->cut, total, lambda);
}

static mbd_status_t
write_results(
  mbdi_scene_t * s, double * out, double * limit, double * lambda, mbd_contact_info_t * info)
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
  mbdi_write_friction(s);
  return MBD_OK;
}

//---------- a call ----------

// more: the solution has to be found again
static mbd_status_t
list_more(mbdi_scene_t * s, bool * more)
{
  *more = false;
  // those that count are all listed
  if (s->dt == 0) return MBD_OK;
  double * after = s->cut.g;
  CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE_TRANSPOSE, s->lcp.x, after));
  for (int k = 0; k < s->model->nv; k++) after[k] += s->motion[k];
  CHECK(mbdi_list_more_contacts(s, after, more));
  return mbdi_list_more_limits(s, after, more);
}

// what kernels multiply rows with
static void
pad(mbdi_scene_t * s)
{
  const int nv = s->model->nv;
  memcpy(s->velocity, s->data->v, (size_t)nv * sizeof *s->velocity);
  for (int k = nv; k < s->lcp.n; k++) s->motion[k] = s->velocity[k] = 0;
}

static mbd_status_t
solve(
  mbdi_scene_t * s, const double * tau, const mbd_wrenches_t * f_ext, double * out, double * limit,
  double * lambda, mbd_contact_info_t * info)
{
  CHECK(move_freely(s, tau, f_ext));
  if (s->friction) CHECK(mbdi_damp_joints(s));
  mbdi_find_limits(s);
  if (stays_open(s)) return write_open(s, out, limit, info);
  CHECK(keep_closures(s, &info->closures));
  pad(s);
  CHECK(mbdi_list_contacts(s));
  CHECK(mbdi_list_limits(s));
  CHECK(mbdi_list_friction(s));
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
  mbdi_scene_t * s, const double * tau, const mbd_wrenches_t * f_ext, double * out, double * limit,
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
  mbdi_scene_t s = {.dt = dt, .friction = friction};
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
  mbdi_scene_t s = {.dt = 0};
  CHECK(begin(&s, model, data, n, contact, options, work, limit));
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  return solve_with_mimic_kept(&s, tau, f_ext, qdd, limit, lambda, info);
}
