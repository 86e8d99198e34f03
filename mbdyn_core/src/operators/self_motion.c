// Self-motion at run time: start, step, avoid.
#include "mbdyn/self_motion.h"

#include <math.h>
#include <string.h>

#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "operators/self_motion_internal.h"
#include "state/state.h"
#include "util/arena.h"

#define TURN 6.28318530717958647692

enum { MOST_STEPS = 1000, BISECTIONS = 50 };

mbd_self_motion_options_t
mbd_self_motion_options_default(void)
{
  const mbd_self_motion_options_t options = {.step = 0.05, .tolerance = 1e-10, .length = 1000};
  return options;
}

//---------- memory ----------

static size_t
lay_out(const mbd_model_t * model, int nmeasure, char * base, mbd_self_motion_t * motion)
{
  size_t offset = 0;
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  mbdi_arena_take(base, &offset, 1, sizeof *motion);
  motion->curve.rows.model = model;
  motion->curve.rows.nmeasure = nmeasure;
  mbdi_curve_lay_out(&motion->curve, base, &offset);
  motion->q0 = mbdi_arena_take(base, &offset, nq, sizeof(double));
  motion->tangent0 = mbdi_arena_take(base, &offset, nv, sizeof(double));
  motion->forward = mbdi_arena_take(base, &offset, nv, sizeof(double));
  return offset;
}

size_t
mbd_self_motion_size(const mbd_model_t * model, int nmeasure)
{
  mbd_self_motion_t unused;
  return model && model->finalized && nmeasure >= 0 ? lay_out(model, nmeasure, NULL, &unused) : 0;
}

static mbd_status_t
check_options(const mbd_self_motion_options_t * o)
{
  // written so that NaN fails
  const bool good = o->step > 0 && o->tolerance > 0 && o->length > 0 && isfinite(o->t) &&
                    o->nshape >= 0 && o->nobstacle >= 0 && o->step < HUGE_VAL;
  if (!good) return MBD_ERROR_BAD_ARGUMENT;
  return (o->nshape && !o->shape) || (o->nobstacle && !o->obstacle) ? MBD_ERROR_NULL_ARGUMENT
                                                                    : MBD_OK;
}

mbd_status_t
mbd_self_motion_init(
  const mbd_model_t * model, int nmeasure, const mbd_measure_t * measure,
  const mbd_self_motion_options_t * options, void * memory, size_t size, mbd_self_motion_t ** out)
{
  if (!model || !memory || !out || (nmeasure > 0 && !measure)) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (nmeasure < 0) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(mbdi_rows_check(model));
  const mbd_self_motion_options_t defaults = mbd_self_motion_options_default();
  if (!options) options = &defaults;
  CHECK(check_options(options));
  const size_t needed = mbd_self_motion_size(model, nmeasure);
  if (size < needed) return MBD_ERROR_TOO_SMALL;
  memset(memory, 0, needed);
  mbd_self_motion_t * motion = memory;
  (void)lay_out(model, nmeasure, memory, motion);
  motion->options = *options;
  motion->curve.rows.measure = measure;
  motion->curve.rows.t = options->t;
  motion->curve.tolerance = options->tolerance;
  *out = motion;
  return MBD_OK;
}

//---------- limits and obstacles ----------

bool
mbdi_self_motion_turns(const mbd_model_t * model, int dof)
{
  const mbd_body_t * body = &model->body[model->dof_body[dof]];
  switch (body->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS:
    case MBD_JOINT_UNIVERSAL: return true;
    case MBD_JOINT_CYLINDRICAL: return dof == body->v_index;
    default: return false;
  }
}

// distance of x from the nearer limit, after whole turns that make it largest
static double
margin_of(double x, double lower, double upper, bool turns)
{
  if (turns && lower > -HUGE_VAL && upper < HUGE_VAL) {
    x -= TURN * round((x - 0.5 * (lower + upper)) / TURN);
  }
  return fmin(x - lower, upper - x);
}

mbd_status_t
mbdi_self_motion_look(
  mbd_self_motion_t * motion, const double * q, bool turns, mbd_self_motion_state_t * state)
{
  const mbdi_rows_t * rows = &motion->curve.rows;
  const mbd_model_t * model = rows->model;
  const mbd_self_motion_options_t * o = &motion->options;
  state->limit = -1;
  state->margin = HUGE_VAL;
  for (int k = 0; k < model->nv && !o->ignore_limits; k++) {
    const mbd_body_t * body = &model->body[model->dof_body[k]];
    const int at = k - body->v_index;
    if (rows->column[k] < 0 || at >= mbdi_joint_positions(body)) continue;
    if (body->type == MBD_JOINT_CONTINUOUS) continue;
    const double margin = margin_of(
      q[body->q_index + at], body->limits.lower, body->limits.upper,
      turns && mbdi_self_motion_turns(model, k));
    if (margin < state->margin) state->margin = margin, state->limit = k;
  }
  return mbd_clearance(
    model, rows->data, o->nshape, o->shape, o->nobstacle, o->obstacle, &state->clearance);
}

static mbd_status_t
report(mbd_self_motion_t * motion, mbd_self_motion_state_t * state)
{
  state->freedom = 1;
  state->s = motion->s;
  state->manipulability = exp(motion->curve.logarithm);
  CHECK(mbd_set_position(motion->curve.rows.model, motion->curve.rows.data, motion->curve.q));
  return mbdi_self_motion_look(motion, motion->curve.q, false, state);
}

//---------- start ----------

static void
remember_direction(mbd_self_motion_t * motion)
{
  const mbdi_rows_t * rows = &motion->curve.rows;
  for (int k = 0; k < rows->model->nv; k++) {
    motion->forward[k] = rows->column[k] >= 0 ? motion->curve.tangent[rows->column[k]] : 0;
  }
}

static mbd_status_t
begin(mbd_self_motion_t * motion, const double * value, bool again, mbd_self_motion_state_t * state)
{
  mbdi_rows_t * rows = &motion->curve.rows;
  for (int k = 0; k < rows->nmeasure; k++) {
    double now;
    CHECK(mbd_measure(rows->model, rows->data, &rows->measure[k], &now, NULL, NULL));
    rows->wanted[k] = value ? value[k] : now;
  }
  if (!finite_array(rows->wanted, rows->nmeasure)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_rows_choose(rows, motion->curve.q, false));
  state->freedom = rows->n - rows->rank;
  if (state->freedom != 1) return MBD_ERROR_BAD_ARGUMENT;
  double * forward = motion->tangent0;
  for (int k = 0; k < rows->model->nv; k++) {
    if (rows->column[k] >= 0) forward[rows->column[k]] = motion->forward[k];
  }
  CHECK(mbdi_curve_begin(&motion->curve, again ? forward : NULL));
  motion->s = 0;
  remember_direction(motion);
  return report(motion, state);
}

mbd_status_t
mbd_self_motion_start(
  mbd_self_motion_t * motion, mbd_data_t * data, const double * value, double * q,
  mbd_self_motion_state_t * state)
{
  mbd_self_motion_state_t unused, *r = state ? state : &unused;
  if (!motion || !q) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * model = motion->curve.rows.model;
  CHECK(check_cut(model, data, 0));
  *r = (mbd_self_motion_state_t){.limit = -1};
  CHECK(mbd_set_position(model, data, q));
  motion->curve.rows.data = data;
  copy_array(motion->curve.q, q, model->nq);
  const bool again = motion->started;
  motion->started = false;
  CHECK(begin(motion, value, again, r));
  motion->started = true;
  copy_array(q, motion->curve.q, model->nq);
  return MBD_OK;
}

//---------- step ----------

static mbd_status_t
check_started(mbd_self_motion_t * motion, mbd_data_t * data)
{
  if (!motion) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_any(motion->curve.rows.model, data, 0));
  motion->curve.rows.data = data;
  return motion->started ? MBD_OK : MBD_ERROR_STAGE;
}

// the last point of the step to q_next at which there is room of `least`; *h is its length then
static mbd_status_t
stop_before(mbd_self_motion_t * motion, double least, double * h)
{
  mbdi_curve_t * curve = &motion->curve;
  double low = 0, high = 1;
  mbd_self_motion_state_t state;
  for (int i = 0; i < BISECTIONS && (high - low) * fabs(*h) > 1e-13; i++) {
    const double middle = 0.5 * (low + high);
    CHECK(mbdi_curve_between(curve, middle));
    CHECK(mbdi_self_motion_look(motion, curve->q_next, false, &state));
    *(mbdi_self_motion_room(&state) >= least ? &low : &high) = middle;
  }
  CHECK(mbdi_curve_between(curve, low));
  *h *= low;
  copy_array(curve->q, curve->q_next, curve->rows.model->nq);
  copy_array(curve->chord, curve->tangent, curve->rows.n);
  return mbdi_curve_begin(curve, curve->chord);
}

// one step of at most `most`; state->end says what ended it, state->s is its length
static mbd_status_t
step_once(mbd_self_motion_t * motion, double most, double room, mbd_self_motion_state_t * state)
{
  mbdi_curve_t * curve = &motion->curve;
  mbd_status_t status;
  double h = most;
  state->end = MBD_SELF_MOTION_REGULAR;
  if (!mbdi_curve_step(curve, &h, &status)) {
    state->end = MBD_SELF_MOTION_SINGULAR;
    state->s = 0;
    return status;
  }
  CHECK(mbdi_self_motion_look(motion, curve->q_next, false, state));
  // beyond a limit, it must get no worse
  const double least = fmin(room, 0), now = mbdi_self_motion_room(state);
  if (now < least - 1e-12) {
    state->end =
      state->margin < state->clearance.distance ? MBD_SELF_MOTION_LIMIT : MBD_SELF_MOTION_OBSTACLE;
    CHECK(stop_before(motion, least, &h));
  } else {
    mbdi_curve_accept(curve);
  }
  state->s = h;
  return MBD_OK;
}

mbd_status_t
mbd_self_motion_step(
  mbd_self_motion_t * motion, mbd_data_t * data, double ds, double * q,
  mbd_self_motion_state_t * state)
{
  mbd_self_motion_state_t r = {.limit = -1};
  CHECK(check_started(motion, data));
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  if (!isfinite(ds)) return MBD_ERROR_NOT_FINITE;
  if (fabs(ds) > MOST_STEPS * motion->options.step) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(report(motion, &r));
  double left = fabs(ds);
  mbd_self_motion_end_t end = MBD_SELF_MOTION_REGULAR;
  for (int i = 0; left > 1e-14 && end == MBD_SELF_MOTION_REGULAR; i++) {
    if (i == 4 * MOST_STEPS) {
      end = MBD_SELF_MOTION_LENGTH;
      break;
    }
    const double h = fmin(left, motion->options.step), room = mbdi_self_motion_room(&r);
    CHECK(step_once(motion, ds < 0 ? -h : h, room, &r));
    end = r.end;
    left -= fabs(r.s);
    motion->s += r.s;
  }
  remember_direction(motion);
  CHECK(report(motion, &r));
  r.end = end;
  copy_array(q, motion->curve.q, motion->curve.rows.model->nq);
  if (state) *state = r;
  return MBD_OK;
}

//---------- avoid ----------

static void
save(mbd_self_motion_t * motion)
{
  copy_array(motion->q0, motion->curve.q, motion->curve.rows.model->nq);
  copy_array(motion->tangent0, motion->curve.tangent, motion->curve.rows.n);
}

static void
restore(mbd_self_motion_t * motion)
{
  copy_array(motion->curve.q, motion->q0, motion->curve.rows.model->nq);
  copy_array(motion->curve.tangent, motion->tangent0, motion->curve.rows.n);
}

// room within limits, and the clearance that is wanted
static double
room_with(const mbd_self_motion_state_t * state, double clearance)
{
  return fmin(state->margin, state->clearance.distance - clearance);
}

// march in one direction until there is room, then back to where it begins; *s is infinite if there is none
static mbd_status_t
march(mbd_self_motion_t * motion, double direction, double reach, double clearance, double * s)
{
  mbdi_curve_t * curve = &motion->curve;
  mbd_self_motion_state_t state;
  double gone = 0;
  *s = HUGE_VAL;
  while (gone < reach) {
    mbd_status_t status;
    double h = direction * fmin(motion->options.step, reach - gone);
    if (!mbdi_curve_step(curve, &h, &status)) return status;
    CHECK(mbdi_self_motion_look(motion, curve->q_next, false, &state));
    if (room_with(&state, clearance) >= 0) {
      double low = 0, high = 1;
      for (int i = 0; i < BISECTIONS && (high - low) * fabs(h) > 1e-13; i++) {
        const double middle = 0.5 * (low + high);
        CHECK(mbdi_curve_between(curve, middle));
        CHECK(mbdi_self_motion_look(motion, curve->q_next, false, &state));
        *(room_with(&state, clearance) >= 0 ? &high : &low) = middle;
      }
      CHECK(mbdi_curve_between(curve, high));
      *s = gone + high * fabs(h);
      return MBD_OK;
    }
    gone += fabs(h);
    mbdi_curve_accept(curve);
  }
  return MBD_OK;
}

mbd_status_t
mbd_self_motion_avoid(
  mbd_self_motion_t * motion, mbd_data_t * data, double clearance, double reach, double * q,
  mbd_self_motion_state_t * state)
{
  mbd_self_motion_state_t r = {.limit = -1};
  CHECK(check_started(motion, data));
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  if (!isfinite(clearance) || !isfinite(reach)) return MBD_ERROR_NOT_FINITE;
  if (!(reach >= 0 && reach <= MOST_STEPS * motion->options.step)) return MBD_ERROR_BAD_ARGUMENT;
  mbdi_curve_t * curve = &motion->curve;
  CHECK(report(motion, &r));
  if (!(room_with(&r, clearance) >= 0)) {
    double ahead, back;
    save(motion);
    mbd_status_t status = march(motion, 1, reach, clearance, &ahead);
    if (status == MBD_OK) {
      if (ahead < HUGE_VAL) copy_array(q, curve->q_next, curve->rows.model->nq);
      restore(motion);
      status = march(motion, -1, fmin(reach, ahead), clearance, &back);
    }
    if (status != MBD_OK || fmin(ahead, back) == HUGE_VAL) {
      restore(motion);
      return status != MBD_OK ? status : MBD_ERROR_NO_SOLUTION;
    }
    copy_array(curve->q, back < ahead ? curve->q_next : q, curve->rows.model->nq);
    copy_array(curve->chord, curve->tangent, curve->rows.n);
    CHECK(mbdi_curve_begin(curve, curve->chord));
    motion->s += back < ahead ? -back : ahead;
    remember_direction(motion);
    CHECK(report(motion, &r));
  }
  copy_array(q, curve->q, curve->rows.model->nq);
  if (state) *state = r;
  return MBD_OK;
}
