// Inverse kinematics in a control loop: damped least squares within the velocity limits.
#include <math.h>
#include <string.h>

#include "operators/ik_internal.h"
#include "state/state.h"

mbd_ik_track_options_t
mbd_ik_track_options_default(void)
{
  const mbd_ik_track_options_t options = {
    .dt = 1e-3,
    .iterations = 2,
    .velocity = HUGE_VAL,
    .singular = 0.05,
    .damping = 0.05,
    .posture_rate = 1};
  return options;
}

static mbd_status_t
check_options(const mbd_ik_track_options_t * o)
{
  // written so that NaN fails
  const bool times = o->dt > 0 && isfinite(o->dt) && o->iterations >= 1 && o->velocity > 0;
  const bool damped = o->singular >= 0 && o->damping >= 0 && isfinite(o->damping);
  const bool posture = o->posture_rate >= 0 && isfinite(o->posture_rate);
  return times && damped && posture && o->length >= 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

// what is left of the velocity limits after the displacement d, and of the position limits
static void
bound_step(mbdi_ik_t * ik, const mbd_ik_track_options_t * o, const double * d)
{
  const mbd_model_t * model = ik->model;
  for (int c = 0; c < ik->n; c++) {
    const int dof = ik->dof[c];
    const double limit = model->body[model->dof_body[dof]].limits.velocity;
    const double most = o->dt * (o->ignore_limits ? o->velocity : fmin(o->velocity, limit));
    ik->below[c] = fmin(-most - d[dof], 0), ik->above[c] = fmax(most - d[dof], 0);
    if (ik->number[c] < 0) continue;
    const double x = ik->q[ik->number[c]];
    ik->below[c] = fmin(fmax(ik->below[c], ik->lower[c] - x), 0);
    ik->above[c] = fmax(fmin(ik->above[c], ik->upper[c] - x), 0);
  }
}

static double
damping_of(mbdi_ik_t * ik, const mbd_ik_track_options_t * o)
{
  double smallest, largest;
  mbdi_ik_singular_values(ik, &smallest, &largest);
  // that of the errors brings the arm to rest where the targets are out of reach
  double errors = 0;
  for (int i = 0; i < ik->m; i++) errors += 0.5 * ik->e[i] * ik->e[i];
  if (!(smallest < o->singular)) return errors;
  const double ratio = smallest / o->singular;
  return errors + o->damping * o->damping * (1 - ratio * ratio);
}

// q outside its limits is not moved into them at once: limits bound every step to its side
static mbd_status_t
one_step(mbdi_ik_t * ik, const mbd_ik_track_options_t * o, const double * q0, bool first)
{
  double * d = ik->q_best;  // of nv <= nq numbers
  CHECK(mbd_difference(ik->model, q0, ik->q, d));
  mbdi_ik_jacobian(ik);
  // the posture moves the first step; those after it correct the errors
  memset(ik->toward, 0, (size_t)ik->n * sizeof *ik->toward);
  if (o->posture && first)
    CHECK(mbdi_ik_toward_posture(ik, o->posture, fmin(o->posture_rate * o->dt, 1), NULL));
  bound_step(ik, o, d);
  mbdi_ik_step_toward(ik, damping_of(ik, o));
  memset(ik->v, 0, (size_t)ik->model->nv * sizeof *ik->v);
  for (int c = 0; c < ik->n; c++) ik->v[ik->dof[c]] = ik->step[c];
  CHECK(mbd_integrate(ik->model, ik->q, ik->v, 1, ik->q));
  return mbdi_ik_errors(ik, ik->q, ik->e, &ik->position, &ik->rotation);
}

mbd_status_t
mbd_ik_track(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets,
  const mbd_ik_track_options_t * options, const double * q0, double * work, double * q, double * v,
  mbd_ik_result_t * result)
{
  const mbd_ik_track_options_t defaults = mbd_ik_track_options_default();
  if (!options) options = &defaults;
  if (!q0 || !q) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_options(options));
  mbdi_ik_t ik;
  CHECK(mbdi_ik_begin(model, data, targets, options->length, options->ignore_limits, work, &ik));
  if (!copy_if_finite(ik.q, q0, model->nq)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbd_normalize(model, ik.q));
  if (options->posture && !finite_array(options->posture, model->nq)) return MBD_ERROR_NOT_FINITE;
  copy_array(ik.q_trial, ik.q, model->nq);
  CHECK(mbdi_ik_errors(&ik, ik.q, ik.e, &ik.position, &ik.rotation));
  mbd_ik_result_t r = {.outcome = MBD_IK_ITERATIONS, .limit = -1, .starts = 1};
  const mbd_ik_options_t reached = mbd_ik_options_default();
  for (; r.iterations < options->iterations; r.iterations++) {
    const bool still = ik.position < 1e-12 && ik.rotation < 1e-12;
    if (still && !(options->posture && r.iterations == 0)) break;
    CHECK(one_step(&ik, options, ik.q_trial, r.iterations == 0));
  }
  if (mbdi_ik_reached(&reached, ik.position, ik.rotation)) r.outcome = MBD_IK_SOLVED;
  r.position = ik.position, r.rotation = ik.rotation;
  if (v) {
    CHECK(mbd_difference(model, ik.q_trial, ik.q, ik.v));
    for (int k = 0; k < model->nv; k++) v[k] = ik.v[k] / options->dt;
  }
  copy_array(q, ik.q, model->nq);
  if (result) *result = r;
  return MBD_OK;
}
