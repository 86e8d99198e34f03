// Predictor along the tangent, corrector by Newton steps of least norm.
#include "operators/curve.h"

#include <math.h>
#include <string.h>

#include "state/state.h"
#include "util/arena.h"
#include "util/dense.h"

// steps at which the tangent turns more are halved; shorter ones than this end at a singularity
#define TURN_COSINE 0.97
#define SHORTEST    1e-8

void
mbdi_curve_lay_out(mbdi_curve_t * curve, char * base, size_t * offset)
{
  const size_t nq = (size_t)curve->rows.model->nq, nv = (size_t)curve->rows.model->nv;
  mbdi_rows_lay_out(&curve->rows, base, offset);
  double ** part[] = {
    &curve->q, &curve->q_next, &curve->tangent, &curve->tangent_next, &curve->chord};
  for (int i = 0; i < 5; i++) {
    *part[i] = mbdi_arena_take(base, offset, i < 2 ? nq : nv, sizeof(double));
  }
}

mbd_status_t
mbdi_curve_begin(mbdi_curve_t * curve, const double * forward)
{
  mbdi_rows_t * rows = &curve->rows;
  enum { ITERATIONS = 20 };
  CHECK(mbdi_rows_correct(rows, curve->tolerance, ITERATIONS, curve->q, NULL));
  CHECK(mbdi_rows_factor(rows));
  mbdi_rows_tangent(rows, curve->tangent);
  int largest = 0;
  for (int k = 1; k < rows->n; k++) {
    if (fabs(curve->tangent[k]) > fabs(curve->tangent[largest]) + 1e-9) largest = k;
  }
  const double along =
    forward ? mbdi_dot(rows->n, forward, curve->tangent) : curve->tangent[largest];
  for (int k = 0; along < 0 && k < rows->n; k++) curve->tangent[k] = -curve->tangent[k];
  curve->logarithm = mbdi_rows_determinant(rows, curve->tangent, &curve->sign);
  return MBD_OK;
}

// a step of exactly this predictor length; false if it is too long. *arc is its length along the curve.
static bool
try_step(mbdi_curve_t * curve, double h, double * arc, double * logarithm, mbd_status_t * status)
{
  enum { ITERATIONS = 5 };
  mbdi_rows_t * rows = &curve->rows;
  double * next = curve->tangent_next;
  for (int k = 0; k < rows->n; k++) rows->step[k] = h * curve->tangent[k];
  *status = mbdi_rows_move(rows, rows->step, curve->q, curve->q_next);
  if (*status != MBD_OK) return false;
  *status = mbdi_rows_correct(rows, curve->tolerance, ITERATIONS, curve->q_next, NULL);
  if (*status == MBD_OK) *status = mbdi_rows_factor(rows);
  if (*status == MBD_OK) {
    *status = mbdi_rows_difference(rows, curve->q, curve->q_next, curve->chord);
  }
  if (*status != MBD_OK) {
    const bool numeric = *status == MBD_ERROR_NOT_CONVERGED || *status == MBD_ERROR_SINGULAR;
    if (numeric) *status = MBD_OK;
    return false;
  }
  mbdi_rows_tangent(rows, next);
  const double along = mbdi_dot(rows->n, next, curve->tangent);
  for (int k = 0; along < 0 && k < rows->n; k++) next[k] = -next[k];
  int sign;
  *logarithm = mbdi_rows_determinant(rows, next, &sign);
  const double chord = sqrt(mbdi_dot(rows->n, curve->chord, curve->chord));
  const double straight = mbdi_dot(rows->n, curve->chord, curve->tangent);
  // an arc of a circle with these tangents
  const double half = 0.5 * acos(fmin(fabs(along), 1));
  *arc = half > 1e-4 ? chord * half / sin(half) : chord;
  return fabs(along) > TURN_COSINE && sign == curve->sign && h * straight > 0 &&
         fabs(straight) > TURN_COSINE * chord && chord < 2 * fabs(h);
}

bool
mbdi_curve_step(mbdi_curve_t * curve, double * h, mbd_status_t * status)
{
  double arc, logarithm;
  *status = MBD_OK;
  for (double length = *h; fabs(length) > SHORTEST || length == *h; length *= 0.5) {
    if (try_step(curve, length, &arc, &logarithm, status)) {
      curve->logarithm = logarithm;
      *h = length > 0 ? arc : -arc;
      return true;
    }
    if (*status != MBD_OK || length == 0) return false;
  }
  return false;
}

void
mbdi_curve_accept(mbdi_curve_t * curve)
{
  copy_array(curve->q, curve->q_next, curve->rows.model->nq);
  copy_array(curve->tangent, curve->tangent_next, curve->rows.n);
}

mbd_status_t
mbdi_curve_between(mbdi_curve_t * curve, double fraction)
{
  enum { ITERATIONS = 20 };
  mbdi_rows_t * rows = &curve->rows;
  for (int k = 0; k < rows->n; k++) rows->step[k] = fraction * curve->chord[k];
  CHECK(mbdi_rows_move(rows, rows->step, curve->q, curve->q_next));
  return mbdi_rows_correct(rows, curve->tolerance, ITERATIONS, curve->q_next, NULL);
}
