// Inverse kinematics: Levenberg-Marquardt on the configuration manifold, with bounds and restarts.
#include "mbdyn/ik.h"

#include <math.h>
#include <string.h>

#include "operators/ik_internal.h"
#include "state/state.h"

enum { CANDIDATES = 6, GUIDED_RESTARTS = 8 };

mbd_ik_options_t
mbd_ik_options_default(void)
{
  const mbd_ik_options_t options = {
    .position = 1e-6, .rotation = 1e-6, .iterations = 60, .restarts = 100};
  return options;
}

mbd_status_t
mbdi_ik_check_options(const mbd_ik_options_t * o)
{
  // written so that NaN fails
  const bool tolerances = o->position > 0 && o->rotation > 0 && o->length >= 0;
  return tolerances && o->iterations >= 1 && o->restarts >= 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

// steps are trusted for a radian
static void
shorten_step(mbdi_ik_t * ik)
{
  double most = 0;
  for (int c = 0; c < ik->n; c++) most = fmax(most, fabs(ik->step[c]));
  for (int c = 0; most > 1 && c < ik->n; c++) ik->step[c] /= most;
}

// no descent is left: the gradient without the joints that a limit holds
static bool
stationary(const mbdi_ik_t * ik)
{
  double size = 0;
  for (int c = 0; c < ik->n; c++) {
    const bool out = (ik->g[c] > 0 && !(ik->above[c] > 0)) || (ik->g[c] < 0 && !(ik->below[c] < 0));
    if (!out) size = fmax(size, fabs(ik->g[c]));
  }
  return size <= 1e-8 * sqrt(2 * ik->error);
}

static double
half_square(const double * e, int m)
{
  double sum = 0;
  for (int i = 0; i < m; i++) sum += e[i] * e[i];
  return 0.5 * sum;
}

mbd_status_t
mbdi_ik_descend(
  mbdi_ik_t * ik, const mbd_ik_options_t * options, int patience, mbd_ik_result_t * result)
{
  CHECK(mbdi_ik_errors(ik, ik->q, ik->e, &ik->position, &ik->rotation));
  ik->error = half_square(ik->e, ik->m);
  result->outcome = MBD_IK_ITERATIONS;
  double factor = 1;
  bool moved = true;
  for (int i = 0, slow = 0; !mbdi_ik_reached(options, ik->position, ik->rotation); i++) {
    if (i == options->iterations || slow > patience) return MBD_OK;
    if (moved) {
      mbdi_ik_jacobian(ik);
      mbdi_ik_bound_step(ik);
    }
    result->iterations++;
    mbdi_ik_step(ik, factor * ik->error);
    if (stationary(ik)) {
      result->outcome = MBD_IK_UNREACHABLE;
      return MBD_OK;
    }
    shorten_step(ik);
    CHECK(mbdi_ik_move(ik, ik->q, ik->q_trial));
    double position, rotation;
    CHECK(mbdi_ik_errors(ik, ik->q_trial, ik->e_trial, &position, &rotation));
    const double error = half_square(ik->e_trial, ik->m);
    moved = error < ik->error;
    factor = moved ? fmax(factor / 4, 1e-3) : 8 * factor;
    slow = error < 0.9 * ik->error ? 0 : slow + 1;
    if (!moved) {
      // nothing but rounding is left to gain
      if (factor * ik->error > 1e8) return result->outcome = MBD_IK_UNREACHABLE, MBD_OK;
      continue;
    }
    copy_array(ik->q, ik->q_trial, ik->model->nq);
    copy_array(ik->e, ik->e_trial, ik->m);
    ik->error = error, ik->position = position, ik->rotation = rotation;
  }
  result->outcome = MBD_IK_SOLVED;
  return MBD_OK;
}

// the seed within its limits; without one, the middle of them
mbd_status_t
mbdi_ik_take_seed(mbdi_ik_t * ik, const double * seed)
{
  if (!seed) CHECK(mbd_neutral(ik->model, ik->q));
  if (seed && !copy_if_finite(ik->q, seed, ik->model->nq)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbd_normalize(ik->model, ik->q));
  for (int c = 0; c < ik->n; c++) {
    if (ik->number[c] < 0) continue;
    double * x = &ik->q[ik->number[c]];
    const double low = ik->lower[c], high = ik->upper[c];
    if (!seed && low > -HUGE_VAL && high < HUGE_VAL) *x = 0.5 * (low + high);
    *x = fmin(fmax(*x, low), high);
    if (mbdi_ik_is_far(ik, c, *x)) *x = fmin(fmax(0, low), high);
  }
  return MBD_OK;
}

// the joint that a limit holds back most, or -1
static int
held_joint(const mbdi_ik_t * ik)
{
  int worst = -1;
  double most = 1e-9 * sqrt(2 * ik->error);
  for (int c = 0; c < ik->n; c++) {
    const bool out = (ik->g[c] > 0 && !(ik->above[c] > 0)) || (ik->g[c] < 0 && !(ik->below[c] < 0));
    if (out && fabs(ik->g[c]) > most) worst = ik->dof[c], most = fabs(ik->g[c]);
  }
  return worst;
}

// the nearest pose that was found, from ik->q_best on
static mbd_status_t
settle(mbdi_ik_t * ik, const mbd_ik_options_t * options, mbd_ik_result_t * result)
{
  // with an error that remains, convergence is linear
  mbd_ik_options_t longer = *options;
  longer.iterations = options->iterations < 1000 ? 30 * options->iterations : options->iterations;
  copy_array(ik->q, ik->q_best, ik->model->nq);
  CHECK(mbdi_ik_descend(ik, &longer, longer.iterations, result));
  if (result->outcome == MBD_IK_SOLVED) return MBD_OK;
  // the gradient where it ended
  CHECK(mbdi_ik_errors(ik, ik->q, ik->e, &ik->position, &ik->rotation));
  mbdi_ik_jacobian(ik);
  mbdi_ik_bound_step(ik);
  mbdi_ik_step(ik, ik->error);
  result->limit = held_joint(ik);
  if (result->limit >= 0 && result->outcome == MBD_IK_UNREACHABLE)
    result->outcome = MBD_IK_AT_LIMIT;
  return MBD_OK;
}

// a start with a small error: the best of some random configurations. The first restarts alone: where they
// fail, the error is a bad guide
static mbd_status_t
restart(mbdi_ik_t * ik, uint64_t seed, int k)
{
  uint64_t random = seed + (uint64_t)k * CANDIDATES;
  mbdi_ik_random(ik, random, ik->q_best, ik->q);
  if (k > GUIDED_RESTARTS) return MBD_OK;
  CHECK(mbdi_ik_errors(ik, ik->q, ik->e, &ik->position, &ik->rotation));
  double least = half_square(ik->e, ik->m);
  for (int i = 1; i < CANDIDATES; i++) {
    mbdi_ik_random(ik, ++random, ik->q_best, ik->q_trial);
    CHECK(mbdi_ik_errors(ik, ik->q_trial, ik->e, &ik->position, &ik->rotation));
    const double error = half_square(ik->e, ik->m);
    if (error < least) {
      least = error;
      copy_array(ik->q, ik->q_trial, ik->model->nq);
    }
  }
  return MBD_OK;
}

mbd_status_t
mbd_ik(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets,
  const mbd_ik_options_t * options, const double * seed, double * work, double * q,
  mbd_ik_result_t * result)
{
  const mbd_ik_options_t defaults = mbd_ik_options_default();
  if (!options) options = &defaults;
  if (!q || !result) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbdi_ik_check_options(options));
  mbdi_ik_t ik;
  CHECK(mbdi_ik_begin(model, data, targets, options->length, options->ignore_limits, work, &ik));
  CHECK(mbdi_ik_take_seed(&ik, seed));
  if (options->posture && !finite_array(options->posture, model->nq)) return MBD_ERROR_NOT_FINITE;
  mbd_ik_result_t r = {.limit = -1};
  double best = HUGE_VAL;
  double * start = ik.q_best;
  for (int k = 0; k <= options->restarts; k++) {
    if (k > 0) CHECK(restart(&ik, options->random_seed, k));
    r.starts++;
    CHECK(mbdi_ik_descend(&ik, options, 2, &r));
    if (ik.error < best) {
      best = ik.error;
      copy_array(start, ik.q, model->nq);
    }
    if (r.outcome == MBD_IK_SOLVED) break;
  }
  if (r.outcome != MBD_IK_SOLVED) CHECK(settle(&ik, options, &r));
  if (seed) mbdi_ik_unwind(&ik, seed, ik.q);
  if (options->posture) CHECK(mbdi_ik_relax(&ik, options, &r));
  CHECK(mbdi_ik_errors(&ik, ik.q, ik.e, &r.position, &r.rotation));
  copy_array(q, ik.q, model->nq);
  *result = r;
  return MBD_OK;
}

//---------- measures ----------

mbd_status_t
mbd_ik_measure(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets,
  const mbd_ik_options_t * options, const double * q, double * work, mbd_ik_measure_t * measure)
{
  if (!q || !measure) return MBD_ERROR_NULL_ARGUMENT;
  mbdi_ik_t ik;
  CHECK(mbdi_ik_begin(model, data, targets, options ? options->length : 0, false, work, &ik));
  mbd_ik_measure_t r = {.limit = -1, .margin = HUGE_VAL};
  CHECK(mbdi_ik_errors(&ik, q, ik.e, &r.position, &r.rotation));
  mbdi_ik_jacobian(&ik);
  mbdi_ik_singular_values(&ik, &r.smallest, &r.largest);
  // squares of singular values are known to rounding
  const bool regular = r.smallest > 1e-7 * r.largest;
  r.condition = regular ? r.largest / r.smallest : HUGE_VAL;
  r.sign = regular ? mbdi_ik_sign(&ik) : 0;
  for (int c = 0; c < ik.n; c++) {
    if (ik.number[c] < 0) continue;
    const double x = q[ik.number[c]], margin = fmin(x - ik.lower[c], ik.upper[c] - x);
    if (margin < r.margin) r.margin = margin, r.limit = ik.dof[c];
  }
  *measure = r;
  return MBD_OK;
}
