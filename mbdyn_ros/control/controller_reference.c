// Where the joints are to be, and what acceleration takes them there.
#include <math.h>
#include <string.h>

#include "controller_private.h"

static double
trajectory_time(const controller_t * c, int64_t now)
{
  return c->trajectory->started ? fmax(1e-9 * (double)(now - c->trajectory->start), 0) : 0;
}

mbd_status_t
controller_begin(controller_t * c, const controller_cycle_t * cycle)
{
  struct controller_private * p = c->p;
  if (p->begin) {
    memcpy(p->hold, cycle->input->q, (size_t)c->model->nq * sizeof(double));
    memset(p->integral, 0, (size_t)c->model->nv * sizeof(double));
    // one that came before this state is old, or was filled up from an older state
    c->stream.known = false;
    p->begin = false;
    // after a pause the joints may be anywhere
    const double * max_step = c->settings->max_step;
    if (p->following && trajectory_step(c->trajectory, cycle->now, p->hold, max_step) >= 0) {
      p->following = false;
      p->sampled_at = trajectory_time(c, cycle->now);
      c->jumps++;
    }
  }
  if (p->begin_task && c->settings->task_frame >= 0) {
    CHECK(mbd_frame_placement(c->model, c->data, c->settings->task_frame, &p->task_hold));
    p->begin_task = false;
  }
  return MBD_OK;
}

// a reference says where the independent joints are to be: the others, where the loops want them,
// from where they were last
static mbd_status_t
close_reference(controller_t * c)
{
  if (!c->model->tree) return MBD_OK;
  CHECK(mbd_set_position(c->model, c->p->at_reference, c->q_ref));
  memcpy(c->q_ref, c->p->at_reference->q, (size_t)c->model->nq * sizeof(double));
  return MBD_OK;
}

static void
take_reference(controller_t * c, const controller_cycle_t * cycle)
{
  const size_t nq = (size_t)c->model->nq * sizeof(double);
  const size_t nv = (size_t)c->model->nv * sizeof(double);
  const bool follow = controller_mode_needs(c->settings->mode, NEEDS_REFERENCE);
  memcpy(c->q_ref, follow ? c->p->hold : cycle->input->q, nq);
  memset(c->v_ref, 0, nv);
  memset(c->a_ref, 0, nv);
  c->tracking = c->p->sampled = false;
  if (follow && c->stream.known) {
    c->p->following = c->p->stopping = false;
    memcpy(c->q_ref, c->stream.q, nq);
    if (!controller_fresh(c, c->stream.time, cycle)) return;
    memcpy(c->v_ref, c->stream.v, nv);
    memcpy(c->a_ref, c->stream.a, nv);
    c->tracking = true;
  } else if (follow && c->p->following) {
    c->tracking = trajectory_sample(c->trajectory, cycle->now, c->q_ref, c->v_ref, c->a_ref);
    c->p->sampled = true;
    c->p->sampled_at = trajectory_time(c, cycle->now);
  } else if (follow && c->p->stopping) {
    c->tracking = c->p->stopping = controller_stop_sample(c, cycle->now);
  }
}

mbd_status_t
controller_update_reference(controller_t * c, const controller_cycle_t * cycle)
{
  take_reference(c, cycle);
  return close_reference(c);
}

mbd_status_t
controller_feedback(
  controller_t * c, const joint_input_t * input, controller_gains_t gains, double * a)
{
  double * e = c->p->error;
  CHECK(mbd_difference(c->model, input->q, c->q_ref, e));
  for (int k = 0; k < c->model->nv; k++) {
    const double s = controller_bound_slowdown(c, gains.parameter, k, gains.kd[k]);
    a[k] = c->a_ref[k] + s * s * gains.kp[k] * e[k] + s * gains.kd[k] * (c->v_ref[k] - input->v[k]);
  }
  return MBD_OK;
}
