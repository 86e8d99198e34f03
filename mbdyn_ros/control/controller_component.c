// Staying in a component of the configuration space: a command that would take the task frame across a
// singularity is replaced by one that stops the robot before it.
//
// Foreseen are, h = component_horizon,
//   where the robot goes:      q + v h + a h^2 / 2, a the acceleration that the command asks for
//   where the reference goes:  q_ref + v_ref h, in modes whose reference is that of joints
// and on the way there the side of the singularities (singularity_side) must not change.
//
// While it holds, the robot follows e' = -w e to q_hold = q + v / w with w = 2 / h, critically damped:
// exponential without overshoot, half as far as was foreseen. Targets that lead across are dropped. The hold
// ends with the next target that does not; in modes without targets when the robot is moved away from the
// singularity.
#include <math.h>
#include <string.h>

#include "controller_private.h"
#include "mbdyn/operators/factors.h"
#include "singularity.h"

// Less than this far ahead a direction is noise, or slow: it counts as if it were this long [rad, m]
static const double LEAST = 1e-3;

// longest step between two looks at the side [rad, m]
static const double STRIDE = 0.1;

typedef struct guard {
  mbd_task_t task;
  mbd_tasks_t tasks;
  double length;  // of singularity_length
  double w;       // rate at which the robot stops [1/s]
  double volume;  // of singularity_side at the measured state
} guard_t;

// 2 / h, as far as the robot takes it: its damping is twice that
static double
stop_rate(const controller_t * c)
{
  const double w = 2 / c->settings->component_horizon;
  if (c->sample_time_guessed || !(c->sample_time > 0)) return w;
  return fmin(w, 0.5 * controller_bound_most(c));
}

static bool
guards(const controller_t * c)
{
  const controller_settings_t * s = c->settings;
  bool any = false;
  for (int k = 0; k < 6; k++) any = any || s->task_row[k];
  return s->stay_in_component && c->commanding && s->task_frame >= 0 && any;
}

static mbd_status_t
side_at(
  controller_t * c, const guard_t * g, const double * q, bool begin, double * N, int * side,
  double * volume)
{
  CHECK(mbd_set_position(c->model, c->p->foreseen, q));
  return singularity_side(
    c->model, c->p->foreseen, &g->tasks, g->length, begin, N, c->p->side_work, side, volume);
}

// the side of the measured state; the robot may have been pushed across
static mbd_status_t
follow_side(controller_t * c, guard_t * g, const double * q)
{
  controller_component_t * k = &c->component;
  int side;
  CHECK(side_at(c, g, q, k->side == 0, c->p->null_space, &side, &g->volume));
  if (side == 0 || side == k->side) return MBD_OK;
  if (k->side != 0) k->crossings++;
  k->side = side;
  return MBD_OK;
}

// a way from the measured state
typedef struct way {
  double far;   // [rad, m]
  bool across;  // the side changes on it; also where loops cannot be closed
  bool away;    // it leads away from the singularity
} way_t;

static way_t
look_along(controller_t * c, const guard_t * g, const double * q, double * d)
{
  struct controller_private * p = c->p;
  enum { MOST = 16 };
  const int nv = c->model->nv;
  double volume = 0;
  way_t way = {.far = 0};
  for (int k = 0; k < nv; k++) way.far = fmax(way.far, fabs(d[k]));
  if (!(way.far > 0)) return way;
  const double ahead = fmax(way.far, LEAST);
  for (int k = 0; k < nv; k++) d[k] *= ahead / way.far;
  const int n = (int)fmin(ceil(ahead / STRIDE), MOST);
  memcpy(p->null_ahead, p->null_space, (size_t)nv * (size_t)nv * sizeof(double));
  for (int i = 1; i <= n && !way.across; i++) {
    int side = 0;
    way.across = mbd_integrate(c->model, q, d, (double)i / n, p->ahead) != MBD_OK ||
                 side_at(c, g, p->ahead, false, p->null_ahead, &side, &volume) != MBD_OK ||
                 side != c->component.side;
  }
  way.away = !way.across && way.far >= LEAST && volume > g->volume;
  return way;
}

//---------- what is foreseen ----------

// c->acceleration is estimated where nothing is followed, springs and wrenches included; else they add to it
static mbd_status_t
foresee_robot(controller_t * c, const guard_t * g, const controller_cycle_t * cycle, way_t * way)
{
  const double h = 2 / g->w, *a = c->acceleration;
  double * d = c->p->step_ahead;
  memset(d, 0, (size_t)c->model->nv * sizeof *d);
  bool more = false;
  for (int k = 0; k < c->model->nv; k++) more = more || c->p->added[k] != 0;
  if (more && controller_mode_needs(c->settings->mode, NEEDS_REFERENCE)) {
    CHECK(mbd_mass_solve(c->model, c->data, c->p->added, d));
  }
  for (int k = 0; k < c->model->nv; k++) {
    d[k] = h * cycle->input->v[k] + 0.5 * h * h * (a[k] + d[k]);
  }
  *way = look_along(c, g, cycle->input->q, d);
  return MBD_OK;
}

// that of a task is a posture, which moves the frame as far as the command lets it
static mbd_status_t
foresee_reference(
  controller_t * c, const guard_t * g, const controller_cycle_t * cycle, bool * across)
{
  double * d = c->p->step_ahead;
  const controller_mode_t mode = c->settings->mode;
  if (!controller_mode_needs(mode, NEEDS_REFERENCE) || controller_mode_needs(mode, NEEDS_TASK)) {
    return MBD_OK;
  }
  CHECK(mbd_difference(c->model, cycle->input->q, c->q_ref, d));
  for (int k = 0; k < c->model->nv; k++) d[k] += 2 / g->w * c->v_ref[k];
  *across = *across || look_along(c, g, cycle->input->q, d).across;
  return MBD_OK;
}

// whether there is a command again; targets that led across are gone
static mbd_status_t
commanded(controller_t * c, const controller_cycle_t * cycle, const way_t * way, bool * anew)
{
  const controller_targets_t * t = &c->targets;
  double * d = c->p->step_ahead;
  if (!controller_mode_needs(c->settings->mode, NEEDS_REFERENCE)) {
    // whoever moves the robot by hand
    *anew = way->away;
    return MBD_OK;
  }
  CHECK(mbd_difference(c->model, c->p->component_q, c->q_ref, d));
  *anew = t->pose_known || (t->twist_known && controller_fresh(c, t->twist_time, cycle));
  for (int k = 0; k < c->model->nv; k++) *anew = *anew || fabs(d[k]) >= LEAST;
  return MBD_OK;
}

//---------- holding ----------

static void
drop_targets(controller_t * c)
{
  if (c->p->following) c->component.abandoned++;
  c->p->following = c->p->stopping = c->stream.known = c->tracking = c->targets.pose_known = false;
  memset(c->p->integral, 0, (size_t)c->model->nv * sizeof(double));
}

static mbd_status_t
begin_hold(controller_t * c, const guard_t * g, const controller_cycle_t * cycle)
{
  c->component.held = true;
  c->component.holds++;
  return mbd_integrate(c->model, cycle->input->q, cycle->input->v, 1 / g->w, c->p->component_q);
}

// the command that stops the robot, in place of that of the mode
static mbd_status_t
hold(controller_t * c, const guard_t * g, const controller_cycle_t * cycle)
{
  struct controller_private * p = c->p;
  const size_t nv = (size_t)c->model->nv * sizeof(double);
  const controller_gains_t gains = {p->hold_kp, p->hold_kd, "component_horizon"};
  for (int k = 0; k < c->model->nv; k++) p->hold_kp[k] = g->w * g->w, p->hold_kd[k] = 2 * g->w;
  memcpy(c->q_ref, p->component_q, (size_t)c->model->nq * sizeof(double));
  memset(c->v_ref, 0, nv);
  memset(c->a_ref, 0, nv);
  memset(p->added, 0, nv);
  // the task holds where it is once it may move again
  p->begin_task = true;
  CHECK(controller_feedback(c, cycle->input, gains, c->acceleration));
  if (c->settings->nsupport > 0) CHECK(controller_support_base(c, c->data, c->acceleration));
  CHECK(controller_motion_terms(c, c->data, cycle));
  c->p->friction = c->friction;
  return controller_sum_terms(c, c->settings->command_terms | TERM_INERTIA, ~0u);
}

mbd_status_t
controller_keep_component(controller_t * c, const controller_cycle_t * cycle)
{
  controller_component_t * k = &c->component;
  if (!guards(c)) {
    k->held = false;
    k->side = 0;
    return MBD_OK;
  }
  guard_t g = {.task = singularity_task(c->settings->task_frame, c->settings->task_row)};
  g.tasks = (mbd_tasks_t){1, &g.task};
  g.length = singularity_length(c->model, c->settings->task_frame);
  g.w = stop_rate(c);
  CHECK(follow_side(c, &g, cycle->input->q));
  // at a singularity there is no side to stay on yet
  if (k->side == 0) return MBD_OK;

  way_t way;
  CHECK(foresee_robot(c, &g, cycle, &way));
  CHECK(foresee_reference(c, &g, cycle, &way.across));
  if (way.across) {
    drop_targets(c);
    if (!k->held) CHECK(begin_hold(c, &g, cycle));
  } else if (k->held) {
    bool anew;
    CHECK(commanded(c, cycle, &way, &anew));
    k->held = !anew;
  }
  return k->held ? hold(c, &g, cycle) : MBD_OK;
}
