#include "self_motion_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mbdyn/mbdyn.h"

#define CHECK(call)                        \
  do {                                     \
    const mbd_status_t status_ = (call);   \
    if (status_ != MBD_OK) return status_; \
  } while (0)

static const double FIRST_SLICE = 4, MOST_LENGTH = 1000;

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// a capsule from each joint to the next one, the last to the frame
static void
make_shapes(self_motion_search_t * s)
{
  const mbd_model_t * model = s->model;
  mbd_vec3_t end = model->frame[s->frame].X.p;
  for (int i = model->frame[s->frame].body; i >= 0; i = model->body[i].parent) {
    mbd_shape_t * shape = &s->shape[s->nshape++];
    *shape = mbd_shape_default();
    shape->frame = model->body[i].link_frame;
    shape->capsule.b = end;
    end = model->body[i].X_tree.p;
  }
}

self_motion_search_t *
self_motion_create(const mbd_model_t * model, mbd_data_t * data, int frame)
{
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  self_motion_search_t * s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->model = model;
  s->data = data;
  s->frame = frame;
  for (int k = 0; k < 6; k++) s->axis[k] = true;
  s->step = 0.05;
  s->timeout = 0.2;
  s->shape = calloc((size_t)model->nbody + 1, sizeof *s->shape);
  s->motion = calloc(1, mbd_self_motion_size(model, 12) + 1);
  s->q = calloc(nq + 1, sizeof *s->q);
  s->curve.most = SELF_MOTION_POINTS;
  s->curve.most_arcs = SELF_MOTION_ARCS;
  s->curve.s = calloc(SELF_MOTION_POINTS, sizeof *s->curve.s);
  s->curve.q = calloc(SELF_MOTION_POINTS * nq, sizeof *s->curve.q);
  s->curve.arc = calloc(SELF_MOTION_ARCS, sizeof *s->curve.arc);
  s->curve.winding = calloc(nv + 1, sizeof *s->curve.winding);
  if (
    s->shape && s->motion && s->q && s->curve.s && s->curve.q && s->curve.arc && s->curve.winding) {
    make_shapes(s);
    return s;
  }
  self_motion_destroy(s);
  return NULL;
}

void
self_motion_destroy(self_motion_search_t * s)
{
  if (!s) return;
  free(s->shape);
  free(s->motion);
  free(s->q);
  free(s->curve.s);
  free(s->curve.q);
  free(s->curve.arc);
  free(s->curve.winding);
  free(s);
}

//---------- start ----------

static mbd_status_t
hold_pose(self_motion_search_t * s, int frame, const bool * axis)
{
  mbd_measure_t all[6];
  mbd_placement_t pose;
  CHECK(mbd_frame_placement(s->model, s->data, frame, &pose));
  mbdu_pose_measures(frame, pose, all);
  // measures are linear first, axes angular first
  for (int k = 0; k < 6; k++) {
    if (!axis || axis[(k + 3) % 6]) s->measure[s->nmeasure++] = all[k];
  }
  return MBD_OK;
}

// the motion from the beginning, with curves as long as this; obstacles are larger by the clearance
static mbd_status_t
restart(self_motion_search_t * s, double length)
{
  const size_t size = mbd_self_motion_size(s->model, 12);
  mbd_self_motion_options_t options = mbd_self_motion_options_default();
  options.step = s->step;
  options.length = length;
  options.ignore_limits = s->ignore_limits;
  options.nshape = s->nobstacle > 0 ? s->nshape : 0;
  options.shape = s->shape;
  options.nobstacle = s->nobstacle;
  options.obstacle = s->obstacle;
  for (int i = 0; i < s->nshape; i++) s->shape[i].capsule.radius = s->link_radius + s->clearance;
  void * memory = s->motion;
  CHECK(
    mbd_self_motion_init(s->model, s->nmeasure, s->measure, &options, memory, size, &s->motion));
  const mbd_status_t status = mbd_self_motion_start(s->motion, s->data, NULL, s->q, &s->state);
  s->state.clearance.distance += s->clearance;
  return status;
}

mbd_status_t
self_motion_begin(self_motion_search_t * s, const double * q)
{
  const double begin = now();
  const mbd_model_t * model = s->model;
  memcpy(s->q, q, (size_t)model->nq * sizeof *q);
  s->time = 0;
  s->nmeasure = 0;
  s->state.freedom = -1;
  CHECK(mbd_set_position(model, s->data, q));
  CHECK(hold_pose(s, s->frame, s->axis));
  if (model->body[0].type == MBD_JOINT_FREE) CHECK(hold_pose(s, model->body[0].link_frame, NULL));
  const mbd_status_t status = restart(s, MOST_LENGTH);
  s->time = now() - begin;
  return status;
}

//---------- slices ----------

// whether a slice that takes twice as long as the last one would end too late
static bool
too_late(self_motion_search_t * s, double took)
{
  s->time += took;
  s->timed_out = s->time + 2 * took > s->timeout;
  return s->timed_out;
}

mbd_status_t
self_motion_curve(self_motion_search_t * s)
{
  for (double length = FIRST_SLICE;; length *= 2) {
    const double begin = now();
    CHECK(restart(s, length));
    const mbd_status_t status = mbd_self_motion_trace(s->motion, s->data, &s->curve);
    // more arcs than there is space for: the first ones
    if (status != MBD_OK && status != MBD_ERROR_TOO_SMALL) return status;
    const bool whole = s->curve.closed || (s->curve.begin != MBD_SELF_MOTION_LENGTH &&
                                           s->curve.end != MBD_SELF_MOTION_LENGTH);
    const double took = now() - begin;
    s->timed_out = false;
    if (whole || length >= MOST_LENGTH) return s->time += took, MBD_OK;
    if (too_late(s, took)) return MBD_OK;
  }
}

mbd_status_t
self_motion_move(self_motion_search_t * s, double length, double * q)
{
  for (double gone = 0;;) {
    const double begin = now(), left = fabs(length) - gone;
    const double part = copysign(fmin(left, FIRST_SLICE), length);
    CHECK(mbd_self_motion_step(s->motion, s->data, part, q, &s->state));
    const double took = now() - begin;
    gone += fabs(part);
    s->timed_out = false;
    if (s->state.end != MBD_SELF_MOTION_REGULAR || gone >= fabs(length)) {
      s->time += took;
      s->state.clearance.distance += s->clearance;
      return MBD_OK;
    }
    if (too_late(s, took)) {
      s->state.clearance.distance += s->clearance;
      return MBD_OK;
    }
  }
}

mbd_status_t
self_motion_avoid(self_motion_search_t * s, double reach, double * q)
{
  for (double length = fmin(reach, FIRST_SLICE);; length = fmin(reach, 2 * length)) {
    const double begin = now();
    const mbd_status_t status = mbd_self_motion_avoid(s->motion, s->data, 0, length, q, &s->state);
    const double took = now() - begin;
    s->timed_out = false;
    if (status != MBD_ERROR_NO_SOLUTION || length >= reach) {
      s->time += took;
      s->state.clearance.distance += s->clearance;
      return status;
    }
    if (too_late(s, took)) return status;
  }
}

double
self_motion_clearance(self_motion_search_t * s)
{
  mbd_clearance_t c = {.distance = HUGE_VAL};
  const mbd_status_t status =
    mbd_clearance(s->model, s->data, s->nshape, s->shape, s->nobstacle, s->obstacle, &c);
  return status == MBD_OK ? c.distance + s->clearance : HUGE_VAL;
}
