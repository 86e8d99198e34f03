// The whole curve of a self-motion: points, windings, arcs.
#include <math.h>
#include <string.h>

#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "operators/self_motion_internal.h"
#include "state/state.h"
#include "util/dense.h"

#define TURN 6.28318530717958647692

//---------- points ----------

static double *
point(const mbd_self_motion_t * motion, const mbd_self_motion_curve_t * curve, int i)
{
  return curve->q + (size_t)i * (size_t)motion->curve.rows.model->nq;
}

static void
measure_point(const mbd_self_motion_t * motion, mbd_self_motion_curve_t * curve)
{
  const double w = exp(motion->curve.logarithm);
  curve->least_manipulability = fmin(curve->least_manipulability, w);
  curve->most_manipulability = fmax(curve->most_manipulability, w);
}

// start less point but for whole turns, in columns
static mbd_status_t
way_home(mbd_self_motion_t * motion, double * way)
{
  mbdi_rows_t * rows = &motion->curve.rows;
  CHECK(mbdi_rows_difference(rows, motion->curve.q, motion->q0, way));
  for (int k = 0; k < rows->model->nv; k++) {
    const int c = rows->column[k];
    if (c >= 0 && mbdi_self_motion_turns(rows->model, k)) way[c] = remainder(way[c], TURN);
  }
  return MBD_OK;
}

// the start lies within the step that would follow; *left is the way to it
static bool
closes(const mbd_self_motion_t * motion, const double * way, double * left)
{
  const mbdi_curve_t * curve = &motion->curve;
  const int n = curve->rows.n;
  const double square = mbdi_dot(n, way, way), ahead = mbdi_dot(n, way, curve->tangent);
  *left = sqrt(square);
  // near and straight ahead, with the same direction
  return ahead >= 0 && *left < motion->options.step &&
         square - ahead * ahead < 0.01 * square + 1e-16 &&
         mbdi_dot(n, curve->tangent, motion->tangent0) > 0.9;
}

// from the point on in one direction, behind the points there are
static mbd_status_t
follow(mbd_self_motion_t * motion, double direction, mbd_self_motion_curve_t * curve)
{
  mbdi_curve_t * c = &motion->curve;
  const int nq = c->rows.model->nq;
  double s = 0;
  mbd_self_motion_end_t end = MBD_SELF_MOTION_LENGTH;
  while (s < motion->options.length && curve->n < curve->most) {
    double left, h = direction * motion->options.step;
    mbd_status_t status;
    // not right after the start
    if (direction > 0 && curve->n > 3) {
      CHECK(way_home(motion, c->chord));
      if (closes(motion, c->chord, &left)) {
        CHECK(mbdi_rows_move(&c->rows, c->chord, c->q, point(motion, curve, curve->n)));
        curve->s[curve->n++] = s + left;
        curve->closed = true;
        return MBD_OK;
      }
    }
    if (!mbdi_curve_step(c, &h, &status)) {
      CHECK(status);
      end = MBD_SELF_MOTION_SINGULAR;
      break;
    }
    mbdi_curve_accept(c);
    measure_point(motion, curve);
    s += fabs(h);
    copy_array(point(motion, curve, curve->n), c->q, nq);
    curve->s[curve->n++] = direction * s;
  }
  *(direction > 0 ? &curve->end : &curve->begin) = end;
  return MBD_OK;
}

static void
swap_points(const mbd_self_motion_t * motion, mbd_self_motion_curve_t * curve, int i, int j)
{
  double *a = point(motion, curve, i), *b = point(motion, curve, j), x;
  for (int k = 0; k < motion->curve.rows.model->nq; k++) x = a[k], a[k] = b[k], b[k] = x;
  x = curve->s[i], curve->s[i] = curve->s[j], curve->s[j] = x;
}

static void
reverse(const mbd_self_motion_t * motion, mbd_self_motion_curve_t * curve, int first, int last)
{
  for (; first < last; first++, last--) swap_points(motion, curve, first, last);
}

static mbd_status_t
find_points(mbd_self_motion_t * motion, mbd_self_motion_curve_t * curve)
{
  mbdi_curve_t * c = &motion->curve;
  const int nq = c->rows.model->nq;
  copy_array(motion->q0, c->q, nq);
  copy_array(motion->tangent0, c->tangent, c->rows.n);
  copy_array(curve->q, c->q, nq);
  curve->s[0] = 0;
  curve->n = 1;
  measure_point(motion, curve);
  CHECK(follow(motion, 1, curve));
  if (curve->closed) return MBD_OK;
  const int ahead = curve->n;
  copy_array(c->q, motion->q0, nq);
  copy_array(c->tangent, motion->tangent0, c->rows.n);
  CHECK(follow(motion, -1, curve));
  // those behind come first
  reverse(motion, curve, 0, ahead - 1);
  reverse(motion, curve, 0, curve->n - 1);
  for (int i = curve->n - 1; i >= 0; i--) curve->s[i] -= curve->s[0];
  return MBD_OK;
}

//---------- arcs ----------

static mbd_status_t
room_at(mbd_self_motion_t * motion, const double * q, mbd_self_motion_state_t * state)
{
  CHECK(mbd_set_position(motion->curve.rows.model, motion->curve.rows.data, q));
  return mbdi_self_motion_look(motion, q, true, state);
}

// the point between two where room ends or begins: fraction of the way, and what ends it
static mbd_status_t
find_end(
  mbd_self_motion_t * motion, const mbd_self_motion_curve_t * curve, int i, bool begins, double * s,
  mbd_self_motion_end_t * end, int * limit)
{
  mbdi_curve_t * c = &motion->curve;
  mbd_self_motion_state_t state = {.limit = -1}, outside = {.limit = -1};
  double low = 0, high = 1;
  copy_array(c->q, point(motion, curve, i), c->rows.model->nq);
  CHECK(mbdi_rows_difference(&c->rows, c->q, point(motion, curve, i + 1), c->chord));
  CHECK(room_at(motion, point(motion, curve, begins ? i : i + 1), &outside));
  for (int k = 0; k < 40; k++) {
    const double middle = 0.5 * (low + high);
    CHECK(mbdi_curve_between(c, middle));
    CHECK(mbdi_self_motion_look(motion, c->q_next, true, &state));
    const bool inside = mbdi_self_motion_room(&state) >= 0;
    if (!inside) outside = state;
    *(inside == begins ? &high : &low) = middle;
  }
  *s = curve->s[i] + low * (curve->s[i + 1] - curve->s[i]);
  const bool at_limit = outside.margin < outside.clearance.distance;
  *end = at_limit ? MBD_SELF_MOTION_LIMIT : MBD_SELF_MOTION_OBSTACLE;
  *limit = at_limit ? outside.limit : -1;
  return MBD_OK;
}

// on a closed curve, the arc that ends at the last point goes on at the first one
static void
join_ends(mbd_self_motion_curve_t * curve)
{
  mbd_self_motion_arc_t *first = &curve->arc[0], *last = &curve->arc[curve->narc - 1];
  if (curve->narc < 2 || !curve->closed || first->begin > 0 || last->end < curve->length) return;
  last->end = curve->length + first->end;
  last->end_at = first->end_at, last->end_limit = first->end_limit;
  memmove(first, first + 1, (size_t)(curve->narc - 1) * sizeof *first);
  curve->narc--;
}

static mbd_status_t
find_arcs(mbd_self_motion_t * motion, mbd_self_motion_curve_t * curve)
{
  mbd_self_motion_state_t state = {.limit = -1};
  mbd_self_motion_arc_t arc = {0};
  bool inside = false;
  for (int i = 0; i < curve->n; i++) {
    CHECK(room_at(motion, point(motion, curve, i), &state));
    const bool now = mbdi_self_motion_room(&state) >= 0, last = i == curve->n - 1;
    if (now && !inside) {
      arc = (mbd_self_motion_arc_t){.begin_at = curve->begin, .begin_limit = -1, .end_limit = -1};
      if (i > 0) {
        CHECK(find_end(motion, curve, i - 1, true, &arc.begin, &arc.begin_at, &arc.begin_limit));
      }
    }
    const bool ends = (inside && !now) || (now && last);
    if (inside && !now) {
      CHECK(find_end(motion, curve, i - 1, false, &arc.end, &arc.end_at, &arc.end_limit));
    } else if (ends) {
      arc.end = curve->length, arc.end_at = curve->end;
    }
    if (ends && curve->narc == curve->most_arcs) return MBD_ERROR_TOO_SMALL;
    if (ends) curve->arc[curve->narc++] = arc;
    inside = now;
  }
  join_ends(curve);
  return MBD_OK;
}

static mbd_status_t
count_turns(mbd_self_motion_t * motion, mbd_self_motion_curve_t * curve)
{
  mbdi_rows_t * rows = &motion->curve.rows;
  double * way = rows->step;
  CHECK(mbdi_rows_difference(rows, curve->q, point(motion, curve, curve->n - 1), way));
  for (int k = 0; k < rows->model->nv; k++) {
    const int c = rows->column[k];
    const bool turns = c >= 0 && mbdi_self_motion_turns(rows->model, k);
    curve->winding[k] = curve->closed && turns ? (int)lround(way[c] / TURN) : 0;
  }
  return MBD_OK;
}

static mbd_status_t
trace(mbd_self_motion_t * motion, mbd_self_motion_curve_t * curve)
{
  CHECK(find_points(motion, curve));
  curve->length = curve->s[curve->n - 1];
  if (curve->winding) CHECK(count_turns(motion, curve));
  return curve->arc && curve->most_arcs > 0 ? find_arcs(motion, curve) : MBD_OK;
}

mbd_status_t
mbd_self_motion_trace(
  mbd_self_motion_t * motion, mbd_data_t * data, mbd_self_motion_curve_t * curve)
{
  if (!motion || !curve || !curve->s || !curve->q) return MBD_ERROR_NULL_ARGUMENT;
  mbdi_curve_t * c = &motion->curve;
  const mbd_model_t * model = c->rows.model;
  CHECK(check_any(model, data, 0));
  c->rows.data = data;
  if (!motion->started) return MBD_ERROR_STAGE;
  if (curve->most < 2) return MBD_ERROR_BAD_ARGUMENT;
  curve->n = curve->narc = 0;
  curve->closed = false;
  curve->begin = curve->end = MBD_SELF_MOTION_REGULAR;
  curve->least_manipulability = HUGE_VAL;
  curve->most_manipulability = 0;
  const double logarithm = c->logarithm;
  const mbd_status_t status = trace(motion, curve);
  copy_array(c->q, motion->q0, model->nq);
  copy_array(c->tangent, motion->tangent0, c->rows.n);
  c->logarithm = logarithm;
  CHECK(status);
  return mbd_set_position(model, data, c->q);
}
