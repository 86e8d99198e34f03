// All solutions of inverse kinematics: the branches of a closed form, or restarts without duplicates.
#include <math.h>
#include <string.h>

#include "operators/ik_internal.h"
#include "state/state.h"

// what is kept between two solutions
typedef struct solutions {
  mbdi_ik_t * ik;
  const double * seed;
  double apart;  // solutions that differ by less are one
  int most, n;
  double * q;  // [most nq], sorted
} solutions_t;

// largest difference of a joint
static double
distance(const mbdi_ik_t * ik, const double * a, const double * b)
{
  double most = 0;
  if (mbd_difference(ik->model, a, b, ik->v) != MBD_OK) return 0;
  for (int c = 0; c < ik->n; c++) most = fmax(most, fabs(ik->v[ik->dof[c]]));
  return most;
}

// ik->q into the list; false if it is there, or further from the seed than a full list
static bool
keep(solutions_t * s)
{
  const size_t nq = (size_t)s->ik->model->nq;
  const double * q = s->ik->q;
  for (int k = 0; k < s->n; k++) {
    if (distance(s->ik, s->q + (size_t)k * nq, q) < s->apart) return false;
  }
  const double far = distance(s->ik, s->seed, q);
  int at = s->n;
  while (at > 0 && distance(s->ik, s->seed, s->q + (size_t)(at - 1) * nq) > far) at--;
  if (at == s->most) return false;
  if (s->n < s->most) s->n++;
  double * to = s->q + (size_t)at * nq;
  memmove(to + nq, to, (size_t)(s->n - 1 - at) * nq * sizeof *to);
  memcpy(to, q, nq * sizeof *to);
  return true;
}

static bool
within_limits(const mbdi_ik_t * ik)
{
  for (int c = 0; c < ik->n; c++) {
    if (ik->number[c] < 0) continue;
    const double x = ik->q[ik->number[c]];
    if (!(x >= ik->lower[c] - 1e-9 && x <= ik->upper[c] + 1e-9)) return false;
  }
  return true;
}

// branches for one swivel angle, polished
static mbd_status_t
keep_branches(
  solutions_t * s, const mbd_ik_closed_form_t * closed, const mbd_ik_options_t * options,
  double swivel, mbd_ik_result_t * r)
{
  mbdi_ik_t * ik = s->ik;
  double angle[MBD_IK_BRANCHES][7];
  int n;
  CHECK(mbd_ik_closed_form(closed, &ik->targets->t[0].pose, swivel, angle, &n));
  for (int b = 0; b < n; b++) {
    copy_array(ik->q, s->seed, ik->model->nq);
    for (int k = 0; k < closed->n; k++) ik->q[closed->q_index[k]] = angle[b][k];
    mbdi_ik_unwind(ik, s->seed, ik->q);
    if (!within_limits(ik)) continue;
    CHECK(mbdi_ik_descend(ik, options, 2, r));
    if (r->outcome == MBD_IK_SOLVED) (void)keep(s);
  }
  return MBD_OK;
}

// branches at the seed's swivel angle; where limits allow none, at the nearest one of 36
static mbd_status_t
all_branches(
  solutions_t * s, const mbd_ik_closed_form_t * closed, const mbd_ik_options_t * options,
  mbd_ik_result_t * r)
{
  double swivel = 0, angle[7];
  const bool seven = closed->form == MBD_IK_SHOULDER_AND_WRIST;
  for (int k = 0; k < closed->n; k++) angle[k] = s->seed[closed->q_index[k]];
  if (seven && mbd_ik_swivel(closed, angle, &swivel) != MBD_OK) swivel = 0;
  const double step = acos(-1) / 18;
  for (int k = 0; s->n == 0 && k < (seven ? 36 : 1); k++) {
    const double off = (k % 2 ? 1 : -1) * step * ((k + 1) / 2);
    CHECK(keep_branches(s, closed, options, swivel + off, r));
  }
  return MBD_OK;
}

static mbd_status_t
all_restarts(solutions_t * s, const mbd_ik_options_t * options, mbd_ik_result_t * r)
{
  mbdi_ik_t * ik = s->ik;
  int without = 0;
  for (uint64_t k = 0; without <= options->restarts && s->n < s->most; k++) {
    copy_array(ik->q, s->seed, ik->model->nq);
    if (k > 0) mbdi_ik_random(ik, options->random_seed + k, s->seed, ik->q);
    r->starts++;
    CHECK(mbdi_ik_descend(ik, options, 2, r));
    mbdi_ik_unwind(ik, s->seed, ik->q);
    without = r->outcome == MBD_IK_SOLVED && keep(s) ? 0 : without + 1;
  }
  return MBD_OK;
}

static bool
full_pose(const mbd_ik_targets_t * targets)
{
  bool full = targets->n == 1;
  for (int k = 0; full && k < 6; k++) full = targets->t[0].axis[k];
  return full;
}

mbd_status_t
mbd_ik_all(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets,
  const mbd_ik_options_t * options, const double * seed, int most, double * work, double * q,
  int * n, mbd_ik_result_t * result, mbd_ik_form_t * form)
{
  const mbd_ik_options_t defaults = mbd_ik_options_default();
  if (!options) options = &defaults;
  if (!q || !n || !result) return MBD_ERROR_NULL_ARGUMENT;
  if (most < 1) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(mbdi_ik_check_options(options));
  mbdi_ik_t ik;
  CHECK(mbdi_ik_begin(model, data, targets, options->length, options->ignore_limits, work, &ik));
  CHECK(mbdi_ik_take_seed(&ik, seed));
  copy_array(ik.q_best, ik.q, model->nq);
  mbd_ik_closed_form_t closed = {.form = MBD_IK_NO_FORM};
  if (full_pose(targets)) CHECK(mbd_ik_find_closed_form(model, targets->t[0].frame, &closed));
  mbd_ik_result_t r = {.limit = -1};
  solutions_t s = {&ik, ik.q_best, ik.n > ik.m ? 0.1 : 1e-3, most, 0, q};
  if (closed.form != MBD_IK_NO_FORM) {
    s.apart = 1e-6;
    CHECK(all_branches(&s, &closed, options, &r));
  } else {
    CHECK(all_restarts(&s, options, &r));
  }
  if (form) *form = closed.form;
  *n = s.n;
  if (s.n == 0) return mbd_ik(model, data, targets, options, seed, work, q, result);
  r.outcome = MBD_IK_SOLVED;
  CHECK(mbdi_ik_errors(&ik, q, ik.e, &r.position, &r.rotation));
  *result = r;
  return MBD_OK;
}
