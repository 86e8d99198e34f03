// Dynamics with cut joints: Lemma 11.1 and Alg 11.2, with redundant rows left out.
#include "mbdyn/constraints/constrained.h"

#include <math.h>
#include <string.h>

#include "constraints/cut.h"
#include "constraints/cut_planar.h"
#include "mbdyn/dynamics/response.h"
#include "mbdyn/forward.h"
#include "mbdyn/inverse.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/spatial.h"
#include "state/state.h"
#include "tree/element.h"
#include "tree/sweeps.h"
#include "tree/tree.h"

mbd_constrained_options_t
mbd_constrained_options_default(void)
{
  mbd_constrained_options_t options = {0};
  options.damping_ratio = 1;
  options.rank_tolerance = 1e-7;
  options.tolerance = 1e-6;
  return options;
}

size_t
mbd_constrained_work(const mbd_model_t * model)
{
  if (!model || !model->finalized) return 0;
  return mbdi_cut_work(model);
}

static mbd_constrained_t
nothing_found(void)
{
  mbd_constrained_t info = {.error_closure = -1};
  return info;
}

static double
largest_number(const double * x, int n)
{
  double largest = 0;
  for (int k = 0; k < n; k++) largest = fmax(largest, fabs(x[k]));
  return largest;
}

// The calls below need the dynamics of the tree with mimic joints independent; the flag is restored
// on every return.
#define WITH_MIMIC_KEPT(data, call)                 \
  do {                                              \
    const bool before_ = (data)->work->keeps_mimic; \
    (data)->work->keeps_mimic = true;               \
    const mbd_status_t status_ = (call);            \
    (data)->work->keeps_mimic = before_;            \
    return status_;                                 \
  } while (0)

//---------- forward dynamics ----------

// cut->r - G x, and the error if it does not vanish
static mbd_status_t
check_rows(mbdi_cut_t * cut, const double * x, mbd_constrained_t * info)
{
  mbdi_cut_product(cut, x, cut->y);
  for (int k = 0; k < cut->model->nrow; k++) cut->y[k] -= cut->r[k];
  info->residual = mbdi_cut_largest(cut, cut->y, &info->error_closure);
  const double size = fmax(1, largest_number(x, cut->model->nv));
  if (!(info->residual <= cut->options.tolerance * size)) return MBD_ERROR_NOT_ASSEMBLED;
  info->error_closure = -1;
  return MBD_OK;
}

// accelerations and joint reaction forces for qdd, wrenches and multipliers              (5.43)
void
mbdi_constrained_force_stage(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, const mbd_wrenches_t * f_ext,
  const double * lambda)
{
  stage_clear(data, MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL);
  model->internal->engine->accelerate(model, data, qdd, mbdu_vec3_neg(data->gravity), data->A);
  for (int i = 0; i < mbdi_body_count(model); i++) {
    data->f[i] = mbdi_body_force(data, i, data->A[i]);
  }
  mbdi_add_wrenches(model, data, f_ext, -1, data->f);
  mbdi_add_element_forces(model, data, -1, data->f);
  mbdi_closure_add_forces(model, data, lambda, -1, data->f);
  model->internal->engine->gather_forces(model, data, data->f, data->work->x);
  stage_set(data, MBD_STAGE_ACCELERATION | MBD_STAGE_FORCE);
}

mbd_status_t
mbdi_cut_factor(mbdi_cut_t * cut, mbd_constrained_t * info)
{
  CHECK(mbdi_cut_rank(cut, info));
  CHECK(mbdi_cut_check_regular(cut, info));
  CHECK(mbdi_cut_whiten(cut));
  return mbdi_cut_wanted(cut, cut->wanted);
}

// from the free accelerations in cut->x to those with closures, there; multipliers in cut->r
static mbd_status_t
correct(mbdi_cut_t * cut, const mbd_wrenches_t * f_ext, mbd_constrained_t * info)
{
  const mbd_model_t * model = cut->model;
  double * step = cut->g;
  copy_array(cut->r, cut->wanted, cut->nrow);
  // gamma - G qdd_f                                                               (11.9b)
  mbdi_cut_product(cut, cut->x, cut->y);
  for (int k = 0; k < model->nrow; k++) cut->r[k] -= cut->y[k];
  double * white = cut->tall;
  mbdi_cut_solve(cut, cut->r, white);
  CHECK(mbdi_cut_root(cut, MBD_SQRT_INVERSE_TRANSPOSE, white, step));
  for (int k = 0; k < model->nv; k++) cut->x[k] += step[k];
  copy_array(cut->r, cut->wanted, cut->nrow);
  CHECK(check_rows(cut, cut->x, info));
  CHECK(mbdi_cut_multipliers(cut, white, cut->r));
  if (cut->without_forces)
    forget_acceleration(cut->data);
  else
    mbdi_constrained_force_stage(model, cut->data, cut->x, f_ext, cut->r);
  return finite_array(cut->x, model->nv) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// the same for a deferred stage
static void
deferred_force_stage(const mbd_model_t * model, mbd_data_t * data, const mbd_wrenches_t * f_ext)
{
  mbdi_constrained_force_stage(model, data, data->work->qdd, f_ext, data->work->lambda);
}

// Planar loops by projection. *solved is false where the general rows are needed.
static mbd_status_t
forward_planar(
  mbdi_cut_t * cut, const double * q, const double * v, const double * tau,
  const mbd_wrenches_t * f_ext, double * qdd, double * lambda, mbd_constrained_t * info,
  bool * solved)
{
  const mbd_model_t * model = cut->model;
  mbd_data_t * data = cut->data;
  CHECK(mbdi_cut_planar_forward(cut, q, v, tau, f_ext, info, solved));
  if (!*solved) return MBD_OK;
  data->work->closure_force_stage = deferred_force_stage;
  if (stage_any(data, MBD_STAGE_DEFERRED)) {
    stage_set(data, MBD_STAGE_DEFERRED_CLOSURES);
  } else {
    // more wrenches than the workspace holds
    mbdi_constrained_force_stage(model, data, data->work->qdd, f_ext, data->work->lambda);
  }
  if (lambda) memcpy(lambda, data->work->lambda, (size_t)model->nrow * sizeof *lambda);
  memcpy(qdd, cut->x, (size_t)model->nv * sizeof *qdd);
  return MBD_OK;
}

// The general rows. They are factorised here, or were before: `factor`.
static mbd_status_t
forward_general(
  mbdi_cut_t * cut, const double * q, const double * v, const double * tau,
  const mbd_wrenches_t * f_ext, bool factor, double * qdd, double * lambda,
  mbd_constrained_t * info)
{
  const mbd_model_t * model = cut->model;
  CHECK(model->internal->engine->forward_dynamics(model, cut->data, q, v, tau, f_ext, cut->x));
  // the forces of the free tree are not needed
  forget_deferred_acceleration(cut->data);
  CHECK(check_cut(model, cut->data, MBD_STAGE_VELOCITY));
  mbd_status_t status = factor ? mbdi_cut_factor(cut, info) : MBD_OK;
  if (status == MBD_OK) status = correct(cut, f_ext, info);
  if (status != MBD_OK) {
    // invalidate the accelerations of the unconstrained tree
    forget_acceleration(cut->data);
    return status;
  }
  memcpy(qdd, cut->x, (size_t)model->nv * sizeof *qdd);
  if (lambda) memcpy(lambda, cut->r, (size_t)model->nrow * sizeof *lambda);
  return MBD_OK;
}

mbd_status_t
mbdi_cut_forward_again(
  mbdi_cut_t * cut, const double * tau, const mbd_wrenches_t * f_ext, double * qdd, double * lambda)
{
  mbd_constrained_t info = nothing_found();
  WITH_MIMIC_KEPT(
    cut->data, forward_general(cut, NULL, NULL, tau, f_ext, false, qdd, lambda, &info));
}

static mbd_status_t
forward(
  mbdi_cut_t * cut, const double * q, const double * v, const double * tau,
  const mbd_wrenches_t * f_ext, double * qdd, double * lambda, mbd_constrained_t * info)
{
  if (q && v && mbdi_cut_is_planar(cut)) {
    bool solved = false;
    const mbd_status_t status = forward_planar(cut, q, v, tau, f_ext, qdd, lambda, info, &solved);
    if (status != MBD_OK || solved) return status;
  }
  return forward_general(cut, q, v, tau, f_ext, true, qdd, lambda, info);
}

mbd_status_t
mbd_constrained_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, const mbd_constrained_options_t * options,
  double * work, double * qdd, double * lambda, mbd_constrained_t * info)
{
  mbd_constrained_t unasked;
  if (!info) info = &unasked;
  *info = nothing_found();
  mbdi_cut_t cut;
  CHECK(check_cut(model, data, 0));
  CHECK(mbdi_cut_begin(&cut, model, data, options, work));
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  cut.M = cut.dense;
  WITH_MIMIC_KEPT(data, forward(&cut, q, v, tau, f_ext, qdd, lambda, info));
}

//---------- response, move and squeeze, impulses ----------

static mbd_status_t
response(mbdi_cut_t * cut, const double * tau, double * qdd)
{
  mbd_constrained_t info = nothing_found();
  CHECK(mbdi_cut_rank(cut, &info));
  CHECK(mbdi_cut_check_regular(cut, &info));
  CHECK(mbdi_cut_whiten(cut));
  // m^-T (I - Q1^T Q1) m^-1 tau                                                   (11.22)
  CHECK(mbdi_cut_root(cut, MBD_SQRT_INVERSE, tau, cut->x));
  mbdi_lq_null_part(&cut->W, cut->x);
  return mbdi_cut_root(cut, MBD_SQRT_INVERSE_TRANSPOSE, cut->x, qdd);
}

mbd_status_t
mbd_constrained_response(
  const mbd_model_t * model, mbd_data_t * data, const double * tau,
  const mbd_constrained_options_t * options, double * work, double * qdd)
{
  mbdi_cut_t cut;
  CHECK(mbdi_cut_begin(&cut, model, data, options, work));
  CHECK(check_cut(model, data, MBD_STAGE_POSITION));
  if (!tau || !qdd) return MBD_ERROR_NULL_ARGUMENT;
  cut.M = cut.dense;
  WITH_MIMIC_KEPT(data, response(&cut, tau, qdd));
}

static mbd_status_t
check_weights(const double * weight, int n)
{
  for (int k = 0; weight && k < n; k++) {
    if (!finite_array(&weight[k], 1)) return MBD_ERROR_NOT_FINITE;
    if (!(weight[k] > 0)) return MBD_ERROR_BAD_ARGUMENT;
  }
  return MBD_OK;
}

mbd_status_t
mbd_move_squeeze(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const double * weight,
  const mbd_constrained_options_t * options, double * work, double * move, double * squeeze)
{
  mbdi_cut_t cut;
  mbd_constrained_t info = nothing_found();
  CHECK(mbdi_cut_begin(&cut, model, data, options, work));
  CHECK(check_cut(model, data, MBD_STAGE_POSITION));
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(check_weights(weight, model->nv));
  CHECK(mbdi_cut_rank(&cut, &info));
  CHECK(mbdi_cut_check_regular(&cut, &info));
  // rows and torques by the roots of the weights: P is then an orthogonal projector
  const int nv = model->nv;
  mbdi_cut_fill(&cut, cut.W.A);
  for (int r = 0; r < model->nrow; r++) cut.W.scale[r] = cut.G.scale[r];
  for (int k = 0; k < nv; k++) {
    const double root = weight ? sqrt(weight[k]) : 1;
    for (int r = 0; r < model->nrow; r++) cut.W.A[(size_t)r * (size_t)nv + (size_t)k] *= root;
    cut.x[k] = root * tau[k];
  }
  mbdi_lq_factor(&cut.W, 0, cut.G.rank);
  mbdi_lq_null_part(&cut.W, cut.x);
  for (int k = 0; k < nv; k++) {
    const double moves = cut.x[k] / (weight ? sqrt(weight[k]) : 1), all = tau[k];
    if (move) move[k] = moves;
    if (squeeze) squeeze[k] = all - moves;
  }
  return MBD_OK;
}

static mbd_status_t
impulse(
  mbdi_cut_t * cut, const double * v, const mbd_wrenches_t * impulses, double * v_out,
  double * Lambda, mbd_constrained_t * info)
{
  const mbd_model_t * model = cut->model;
  double * white = cut->tall;
  CHECK(mbd_impulse_response(model, cut->data, impulses, cut->x));
  for (int k = 0; k < model->nv; k++) cut->x[k] += v[k];
  CHECK(mbdi_cut_rank(cut, info));
  CHECK(mbdi_cut_check_regular(cut, info));
  CHECK(mbdi_cut_whiten(cut));
  CHECK(mbd_closure_target(model, cut->options.t, cut->r));
  mbdi_cut_product(cut, cut->x, cut->y);
  for (int k = 0; k < model->nrow; k++) cut->r[k] -= cut->y[k];
  mbdi_cut_solve(cut, cut->r, white);
  CHECK(mbdi_cut_root(cut, MBD_SQRT_INVERSE_TRANSPOSE, white, cut->g));
  for (int k = 0; k < model->nv; k++) cut->x[k] += cut->g[k];
  CHECK(mbd_closure_target(model, cut->options.t, cut->r));
  CHECK(check_rows(cut, cut->x, info));
  CHECK(mbdi_cut_multipliers(cut, white, cut->r));
  CHECK(copy_checked(v_out, cut->x, model->nv));
  if (Lambda) memcpy(Lambda, cut->r, (size_t)model->nrow * sizeof *Lambda);
  return MBD_OK;
}

mbd_status_t
mbd_closing_impulse(
  const mbd_model_t * model, mbd_data_t * data, const double * v, const mbd_wrenches_t * impulses,
  const mbd_constrained_options_t * options, double * work, double * v_out, double * Lambda,
  mbd_constrained_t * info)
{
  mbd_constrained_t unasked;
  if (!info) info = &unasked;
  *info = nothing_found();
  mbdi_cut_t cut;
  CHECK(mbdi_cut_begin(&cut, model, data, options, work));
  CHECK(check_cut(model, data, MBD_STAGE_POSITION));
  if (!v || !v_out) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  cut.M = cut.dense;
  WITH_MIMIC_KEPT(data, impulse(&cut, v, impulses, v_out, Lambda, info));
}

//---------- multipliers as forces ----------

mbd_status_t
mbd_closure_torque(
  const mbd_model_t * model, mbd_data_t * data, const double * lambda, double * tau)
{
  CHECK(check_cut(model, data, MBD_STAGE_POSITION));
  if (!lambda || !tau) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(lambda, model->nrow)) return MBD_ERROR_NOT_FINITE;
  memset(data->work->F, 0, (size_t)mbdi_body_count(model) * sizeof *data->work->F);
  mbdi_closure_add_forces(model, data, lambda, 1, data->work->F);
  model->internal->engine->gather_forces(model, data, data->work->F, tau);
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    for (int j = 0; c->type == MBD_CLOSURE_COUPLING && j < c->ncoupled; j++) {
      tau[model->body[c->coupled[j]].v_index] += c->coefficient[j] * lambda[c->row];
    }
  }
  return MBD_OK;
}

mbd_status_t
mbd_closure_wrench(
  const mbd_model_t * model, mbd_data_t * data, int closure, const double * lambda, mbd_force_t * f)
{
  CHECK(check_cut(model, data, MBD_STAGE_POSITION));
  if (!lambda || !f) return MBD_ERROR_NULL_ARGUMENT;
  if (closure < 0 || closure >= model->nclosure) return MBD_ERROR_BAD_ARGUMENT;
  const mbd_closure_t * c = &model->closure[closure];
  if (c->type == MBD_CLOSURE_COUPLING) return MBD_ERROR_BAD_ARGUMENT;
  if (!finite_array(lambda + c->row, c->nrow)) return MBD_ERROR_NOT_FINITE;
  const mbdi_closure_form_t form = mbdi_closure_form(model, data, c);
  *f = mbdi_closure_force(c, &form, lambda);
  return MBD_OK;
}

//---------- inverse dynamics ----------

// distribution of tau* = M qdd + C among actuators and multipliers
typedef struct shares {
  const bool * actuated;
  int nfree, nactuated;  // degrees of freedom without and with actuator
  mbdi_lq_t A;  // rows: joints without actuator; columns: multipliers in the rows' own sizes
  mbdi_lq_t B;  // rows: multipliers that these leave open; columns: actuated joints
} shares_t;

static bool
is_actuated(const shares_t * s, int k)
{
  return !s->actuated || s->actuated[k];
}

static double
root_of_weight(const mbdi_cut_t * cut, int k)
{
  return cut->options.weight ? sqrt(cut->options.weight[k]) : 1;
}

// W's memory holds G with its rows divided by their scales, which move to cut->r: G's memory is
// needed for B. Multipliers times scales are what the unknowns are.
static void
scale_rows(mbdi_cut_t * cut)
{
  const size_t nv = (size_t)cut->model->nv;
  mbdi_cut_fill(cut, cut->W.A);
  for (int r = 0; r < cut->model->nrow; r++) {
    cut->r[r] = cut->G.scale[r];
    for (size_t k = 0; k < nv; k++) cut->W.A[(size_t)r * nv + k] /= cut->r[r];
  }
}

// remaining torque of tau* at joint k for the multipliers (times scales)
static double
left_at(const mbdi_cut_t * cut, const double * multiplier, int k)
{
  double sum = cut->x[k];
  for (int r = 0; r < cut->model->nrow; r++) {
    sum -= cut->W.A[(size_t)r * (size_t)cut->model->nv + (size_t)k] * multiplier[r];
  }
  return sum;
}

// multipliers nearest to the given ones that balance the passive joints
static mbd_status_t
carry_unactuated(mbdi_cut_t * cut, shares_t * s, double * multiplier)
{
  const int m = cut->model->nrow, nv = cut->model->nv;
  double *step = cut->small, *y = cut->small + m;
  mbdi_lq_init(&s->A, s->nfree, m, cut->tall);
  for (int k = 0, row = 0; k < nv; k++) {
    if (is_actuated(s, k)) continue;
    double * a = s->A.A + (size_t)row * (size_t)m;
    for (int r = 0; r < m; r++) a[r] = cut->W.A[(size_t)r * (size_t)nv + (size_t)k];
    // relative to the largest torque of a row on the joint
    s->A.scale[row] = largest_number(a, m);
    cut->g[row++] = left_at(cut, multiplier, k);
  }
  mbdi_lq_factor(&s->A, cut->options.rank_tolerance, -1);
  mbdi_lq_solve(&s->A, cut->g, y, step, NULL);
  for (int r = 0; r < m; r++) multiplier[r] += step[r];
  const double size = cut->options.tolerance * largest_number(cut->x, nv);
  for (int k = 0; k < nv; k++) {
    if (is_actuated(s, k)) continue;
    if (!(fabs(left_at(cut, multiplier, k)) <= size)) {
      cut->data->error_body = cut->model->dof_body[k];
      return MBD_ERROR_UNDERACTUATED;
    }
  }
  return MBD_OK;
}

// basis vector i of the multipliers without torque on the passive joints
static void
internal_direction(const mbdi_cut_t * cut, const shares_t * s, int i, double * n)
{
  memset(n, 0, (size_t)cut->model->nrow * sizeof *n);
  n[s->A.rank + i] = 1;
  mbd_lq_Q_transpose(&s->A, n);
}

// undetermined multipliers: those with minimum-norm torques                            (Ex 11.2)
static void
spare_actuators(mbdi_cut_t * cut, shares_t * s, double * multiplier)
{
  const int m = cut->model->nrow, nv = cut->model->nv, open = m - s->A.rank;
  double *n = cut->small, *z = cut->small + m;
  mbdi_lq_init(&s->B, open, s->nactuated, cut->G.A);
  for (int i = 0; i < open; i++) {
    internal_direction(cut, s, i, n);
    double * b = s->B.A + (size_t)i * (size_t)s->nactuated;
    for (int k = 0, column = 0; k < nv; k++) {
      if (!is_actuated(s, k)) continue;
      double sum = 0;
      for (int r = 0; r < m; r++) sum += n[r] * cut->W.A[(size_t)r * (size_t)nv + (size_t)k];
      b[column++] = root_of_weight(cut, k) * sum;
    }
    s->B.scale[i] = 1;
  }
  mbdi_lq_factor(&s->B, cut->options.rank_tolerance, -1);
  for (int k = 0, column = 0; k < nv; k++) {
    if (is_actuated(s, k)) {
      cut->g[column++] = root_of_weight(cut, k) * left_at(cut, multiplier, k);
    }
  }
  mbdi_lq_solve_transpose(&s->B, cut->g, z);
  for (int i = 0; i < open; i++) {
    internal_direction(cut, s, i, n);
    for (int r = 0; r < m; r++) multiplier[r] += z[i] * n[r];
  }
}

// error unless G qdd = gamma
static mbd_status_t
check_motion(mbdi_cut_t * cut, const double * qdd, mbd_constrained_t * info)
{
  CHECK(mbdi_cut_rank(cut, info));
  CHECK(mbd_closure_bias(cut->model, cut->data, cut->options.t, cut->r));
  memset(cut->g, 0, (size_t)cut->model->nv * sizeof *cut->g);
  if (qdd) memcpy(cut->g, qdd, (size_t)cut->model->nv * sizeof *qdd);
  return check_rows(cut, cut->g, info);
}

static mbd_status_t
inverse(
  mbdi_cut_t * cut, shares_t * s, const double * desired, const double * qdd,
  const mbd_wrenches_t * f_ext, double * tau, double * lambda, mbd_constrained_t * info)
{
  const mbd_model_t * model = cut->model;
  double * multiplier = cut->y;
  CHECK(check_motion(cut, qdd, info));
  // accelerations are needed again for the joint reaction forces
  if (qdd) memcpy(cut->data->work->qdd, qdd, (size_t)model->nv * sizeof *qdd);
  scale_rows(cut);
  for (int r = 0; r < model->nrow; r++) multiplier[r] = desired ? desired[r] * cut->r[r] : 0;
  CHECK(carry_unactuated(cut, s, multiplier));
  if (!desired) spare_actuators(cut, s, multiplier);
  for (int k = 0; k < model->nv; k++) {
    cut->g[k] = is_actuated(s, k) ? left_at(cut, multiplier, k) : 0;
  }
  for (int r = 0; r < model->nrow; r++) cut->r[r] = multiplier[r] / cut->r[r];
  if (!finite_array(cut->g, model->nv) || !finite_array(cut->r, model->nrow)) {
    return MBD_ERROR_NOT_FINITE;
  }
  mbdi_constrained_force_stage(model, cut->data, qdd ? cut->data->work->qdd : NULL, f_ext, cut->r);
  memcpy(tau, cut->g, (size_t)model->nv * sizeof *tau);
  if (lambda) memcpy(lambda, cut->r, (size_t)model->nrow * sizeof *lambda);
  return MBD_OK;
}

// inverse dynamics of the tree in cut->x, then its distribution
static mbd_status_t
inverse_from_tree(
  mbdi_cut_t * cut, const double * q, const double * v, const bool * actuated,
  const double * desired, const double * qdd, const mbd_wrenches_t * f_ext, double * tau,
  double * lambda, mbd_constrained_t * info)
{
  shares_t s = {.actuated = actuated};
  for (int k = 0; k < cut->model->nv; k++) s.nactuated += is_actuated(&s, k);
  s.nfree = cut->model->nv - s.nactuated;
  CHECK(mbd_inverse_dynamics(cut->model, cut->data, q, v, qdd, f_ext, cut->x));
  CHECK(check_cut(cut->model, cut->data, MBD_STAGE_VELOCITY));
  const mbd_status_t status = inverse(cut, &s, desired, qdd, f_ext, tau, lambda, info);
  if (status != MBD_OK) forget_acceleration(cut->data);
  return status;
}

mbd_status_t
mbd_constrained_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, const bool * actuated, const double * desired,
  const mbd_constrained_options_t * options, double * work, double * tau, double * lambda,
  mbd_constrained_t * info)
{
  mbd_constrained_t unasked;
  if (!info) info = &unasked;
  *info = nothing_found();
  mbdi_cut_t cut;
  CHECK(check_cut(model, data, 0));
  CHECK(mbdi_cut_begin(&cut, model, data, options, work));
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  if (desired && !finite_array(desired, model->nrow)) return MBD_ERROR_NOT_FINITE;
  CHECK(check_weights(cut.options.weight, model->nv));
  WITH_MIMIC_KEPT(
    data, inverse_from_tree(&cut, q, v, actuated, desired, qdd, f_ext, tau, lambda, info));
}
