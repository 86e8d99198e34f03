// The secondary target of inverse kinematics: of all configurations that reach the targets, one that is nearest
// to a posture.
#include <math.h>
#include <string.h>

#include "operators/ik_internal.h"
#include "state/state.h"

static const double LONGEST = 0.5;  // step of a joint [rad, m]

mbd_status_t
mbdi_ik_toward_posture(mbdi_ik_t * ik, const double * posture, double gain, double * most)
{
  CHECK(mbd_difference(ik->model, ik->q, posture, ik->v));
  double largest = 0;
  for (int c = 0; c < ik->n; c++) {
    const double d = ik->v[ik->dof[c]];
    largest = fmax(largest, fabs(d));
    ik->toward[c] = gain * d;
  }
  if (most) *most = largest;
  return isfinite(largest) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// |posture - q|^2 of the columns, which are left in `toward`
static mbd_status_t
distance(mbdi_ik_t * ik, const double * posture, double * square, double * most)
{
  CHECK(mbdi_ik_toward_posture(ik, posture, 1, most));
  *square = 0;
  for (int c = 0; c < ik->n; c++) *square += ik->toward[c] * ik->toward[c];
  return MBD_OK;
}

// share of the step to take, by how much the last share of the last one has changed it (Barzilai and Borwein, IMA
// Journal of Numerical Analysis 8, 1988): the targets' curvature makes full steps too long or too short
static double
next_share(const mbdi_ik_t * ik, double share)
{
  double square = 0, change = 0;
  for (int c = 0; c < ik->n; c++) {
    square += ik->past[c] * ik->past[c];
    change += ik->past[c] * (ik->past[c] - ik->step[c]);
  }
  return change > 0.1 * share * square ? fmax(share * square / change, 0.05) : 10;
}

// Steps along the targets' null space, each followed by one back to the targets. What does not bring the posture
// nearer is taken back, and half of it tried.
mbd_status_t
mbdi_ik_relax(mbdi_ik_t * ik, const mbd_ik_options_t * options, mbd_ik_result_t * result)
{
  const mbd_model_t * model = ik->model;
  double square, next, share = 1;
  bool moved = false;
  // errors of the targets hide what a small step gains
  mbd_ik_options_t exact = *options;
  exact.position = fmin(options->position, 1e-10), exact.rotation = fmin(options->rotation, 1e-10);
  if (result->outcome == MBD_IK_SOLVED) mbdi_ik_unwind(ik, options->posture, ik->q);
  CHECK(distance(ik, options->posture, &square, &result->posture));
  if (result->outcome != MBD_IK_SOLVED) return MBD_OK;
  CHECK(mbdi_ik_errors(ik, ik->q, ik->e, &ik->position, &ik->rotation));
  for (int i = 0; i < options->iterations && share > 1e-3; i++) {
    double largest = 0;
    mbd_ik_result_t back = *result;
    copy_array(ik->q_best, ik->q, model->nq);
    mbdi_ik_jacobian(ik);
    mbdi_ik_bound_step(ik);
    mbdi_ik_step_toward(ik, 0);
    for (int c = 0; c < ik->n; c++) largest = fmax(largest, fabs(ik->step[c]));
    if (largest < 1e-7) break;
    if (moved) share = next_share(ik, share);
    share = fmin(share, LONGEST / largest);
    copy_array(ik->past, ik->step, ik->n);
    for (int c = 0; c < ik->n; c++) {
      ik->step[c] = fmin(fmax(share * ik->step[c], ik->below[c]), ik->above[c]);
    }
    CHECK(mbdi_ik_move(ik, ik->q_best, ik->q));
    CHECK(mbdi_ik_descend(ik, &exact, 2, &back));
    result->iterations = back.iterations;
    CHECK(distance(ik, options->posture, &next, &back.posture));
    moved = back.outcome == MBD_IK_SOLVED && next < square;
    if (moved) {
      square = next, result->posture = back.posture;
    } else {
      share /= 2;
      copy_array(ik->q, ik->q_best, model->nq);
      CHECK(distance(ik, options->posture, &next, &back.posture));
      CHECK(mbdi_ik_errors(ik, ik->q, ik->e, &ik->position, &ik->rotation));
    }
  }
  return MBD_OK;
}
