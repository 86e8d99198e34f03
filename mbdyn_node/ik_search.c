#include "ik_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ros_process.h"
#include "singularity.h"

#define CHECK(call)                        \
  do {                                     \
    const mbd_status_t status_ = (call);   \
    if (status_ != MBD_OK) return status_; \
  } while (0)

enum { FIRST_SLICE = 7, MOST_RESTARTS = 100 };

static const double TURN = 6.28318530717958647692;

ik_search_t *
ik_search_create(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets, int most)
{
  const size_t work = mbd_ik_work(model, targets), nq = (size_t)model->nq;
  ik_search_t * s = work > 0 ? calloc(1, sizeof *s) : NULL;
  if (!s) return NULL;
  s->model = model;
  s->data = data;
  s->targets = *targets;
  s->most = most;
  s->q = calloc((size_t)(most + 1) * nq + work, sizeof *s->q);
  if (!s->q) {
    free(s);
    return NULL;
  }
  s->trial = s->q + (size_t)most * nq;
  s->work = s->trial + nq;
  return s;
}

void
ik_search_destroy(ik_search_t * s)
{
  if (!s) return;
  free(s->q);
  free(s);
}

// largest difference of a degree of freedom from the seed
static double
distance(const ik_search_t * s, const double * q)
{
  double most = 0;
  if (mbd_difference(s->model, s->seed, q, s->work) != MBD_OK) return HUGE_VAL;
  for (int k = 0; k < s->model->nv; k++) most = fmax(most, fabs(s->work[k]));
  return most;
}

//---------- swivel ----------

static bool
has_swivel(const ik_search_t * s)
{
  return s->closed.form == MBD_IK_SHOULDER_AND_WRIST;
}

double
ik_search_swivel(const ik_search_t * s, const double * q)
{
  double angle[7], swivel;
  if (!has_swivel(s)) return (double)NAN;
  for (int k = 0; k < s->closed.n; k++) angle[k] = q[s->closed.q_index[k]];
  return mbd_ik_swivel(&s->closed, angle, &swivel) == MBD_OK ? swivel : (double)NAN;
}

// an angle into its limits, as near to that of the seed as whole turns can bring it; false: there is none
static bool
turn_into_limits(const ik_search_t * s, int q_index, double * x)
{
  const mbd_body_t * body = s->model->body;
  while (body->q_index != q_index || body->nq == 0) body++;
  const double near = *x - TURN * round((*x - s->seed[q_index]) / TURN);
  for (int k = 0; k < 3; k++) {
    const double turned = near + (k == 0 ? 0 : k == 1 ? TURN : -TURN);
    const bool within = turned >= body->limits.lower && turned <= body->limits.upper;
    if (within || body->type == MBD_JOINT_CONTINUOUS) return *x = turned, true;
  }
  return false;
}

// a solution into its place: sorted by distance from the seed
static void
insert(ik_search_t * s, const double * q)
{
  const size_t nq = (size_t)s->model->nq;
  const double far = distance(s, q);
  int at = s->n;
  while (at > 0 && distance(s, s->q + (size_t)(at - 1) * nq) > far) at--;
  if (at == s->most) return;
  if (s->n < s->most) s->n++;
  memmove(
    s->q + (size_t)(at + 1) * nq, s->q + (size_t)at * nq, (size_t)(s->n - 1 - at) * nq * sizeof *q);
  memcpy(s->q + (size_t)at * nq, q, nq * sizeof *q);
}

// the branches of the closed form at this angle that are within limits, corrected iteratively
static mbd_status_t
solve_swivel(ik_search_t * s)
{
  double angle[MBD_IK_BRANCHES][7];
  int n;
  mbd_ik_options_t options = mbd_ik_options_default();
  options.restarts = 0;
  CHECK(mbd_ik_closed_form(&s->closed, &s->targets.t[0].pose, s->swivel, angle, &n));
  for (int b = 0; b < n; b++) {
    bool within = true;
    memcpy(s->trial, s->seed, (size_t)s->model->nq * sizeof *s->trial);
    for (int k = 0; within && k < s->closed.n; k++) {
      const int q_index = s->closed.q_index[k];
      s->trial[q_index] = angle[b][k];
      within = turn_into_limits(s, q_index, &s->trial[q_index]);
    }
    if (!within) continue;
    mbd_ik_result_t r;
    CHECK(mbd_ik(s->model, s->data, &s->targets, &options, s->trial, s->work, s->trial, &r));
    if (r.outcome == MBD_IK_SOLVED) insert(s, s->trial);
  }
  if (s->n > 0) {
    mbd_ik_measure_t first;
    CHECK(mbd_ik_measure(s->model, s->data, &s->targets, NULL, s->q, s->work, &first));
    s->result = (mbd_ik_result_t){
      .outcome = MBD_IK_SOLVED,
      .position = first.position,
      .rotation = first.rotation,
      .limit = -1};
    return MBD_OK;
  }
  // the nearest configuration with any swivel angle
  options.restarts = FIRST_SLICE;
  CHECK(mbd_ik(s->model, s->data, &s->targets, &options, s->seed, s->work, s->q, &s->result));
  return MBD_OK;
}

//---------- slices ----------

static mbd_status_t
solve_all(ik_search_t * s, const mbd_ik_options_t * options, bool * finished)
{
  mbd_ik_form_t form;
  CHECK(mbd_ik_all(
    s->model, s->data, &s->targets, options, s->seed, s->most, s->work, s->q, &s->n, &s->result,
    &form));
  *finished = s->n == s->most || (form != MBD_IK_NO_FORM && s->n > 0);
  return MBD_OK;
}

static mbd_status_t
solve_one(ik_search_t * s, const mbd_ik_options_t * options, double length, bool * finished)
{
  mbd_ik_result_t r;
  CHECK(mbd_ik(s->model, s->data, &s->targets, options, s->seed, s->work, s->trial, &r));
  *finished = r.outcome == MBD_IK_SOLVED;
  const double left = hypot(r.position / length, r.rotation);
  if (s->time == 0 || left < hypot(s->result.position / length, s->result.rotation)) {
    memcpy(s->q, s->trial, (size_t)s->model->nq * sizeof *s->q);
    s->result = r;
  }
  s->n = *finished;
  return MBD_OK;
}

static double
seconds_since(int64_t begin)
{
  return 1e-9 * (double)(steady_now() - begin);
}

static mbd_status_t
solve_in_slices(ik_search_t * s, int64_t begin)
{
  mbd_ik_options_t options = mbd_ik_options_default();
  const double length = singularity_length(s->model, s->targets.t[0].frame);
  bool finished = false;
  options.restarts = FIRST_SLICE;
  for (double took = 0;; options.restarts *= 2) {
    CHECK(s->all ? solve_all(s, &options, &finished) : solve_one(s, &options, length, &finished));
    took = seconds_since(begin) - s->time;
    s->time += took;
    if (finished || options.restarts >= MOST_RESTARTS) return MBD_OK;
    s->timed_out = s->time + 2 * took > s->timeout;
    if (s->timed_out) return MBD_OK;
    // other random starts than before; all solutions are searched from the same ones, and more
    if (!s->all) options.random_seed += (uint64_t)options.restarts;
  }
}

mbd_status_t
ik_search_run(ik_search_t * s)
{
  const int64_t begin = steady_now();
  bool full = s->targets.n == 1;
  s->n = 0;
  s->time = 0;
  s->timed_out = false;
  for (int k = 0; full && k < 6; k++) full = s->targets.t[0].axis[k];
  s->closed.form = MBD_IK_NO_FORM;
  if (full) CHECK(mbd_ik_find_closed_form(s->model, s->targets.t[0].frame, &s->closed));
  if (s->use_swivel && !has_swivel(s)) return MBD_ERROR_UNSUPPORTED;
  CHECK(s->use_swivel ? solve_swivel(s) : solve_in_slices(s, begin));
  s->time = seconds_since(begin);
  return MBD_OK;
}
