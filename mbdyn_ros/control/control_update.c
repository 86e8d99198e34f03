// mbdyn/control.h, the control thread: no heap, no lock, no output.
#include <math.h>
#include <string.h>

#include "control_internal.h"
#include "mbdyn/dynamics/observer.h"

//---------- what others have posted ----------

static void
take_mail(mbdc_controller_t * c)
{
  loop_settings_t * settings = (loop_settings_t *)mailbox_take(&c->settings_box);
  if (settings) mailbox_return(&c->settings_box, &rt_loop_use(&c->rt, settings)->mail);
  trajectory_t * trajectory = (trajectory_t *)mailbox_take(&c->trajectory_box);
  if (trajectory) {
    trajectory_t * old = c->rt.controller->trajectory;
    controller_follow(c->rt.controller, trajectory);
    if (old) mailbox_return(&c->trajectory_box, &old->mail);
  }
}

//---------- states and references by index ----------

static bool
take_state(mbdc_controller_t * c, const mbdc_input_t * in)
{
  if (!in->position) return false;
  if (c->base > 0) {
    if (!in->base_pose || !in->base_twist) return false;
    if (!joint_input_take_base_values(c->rt.input, in->base_pose, in->base_twist, c->arrival)) {
      return false;
    }
    if (c->njoint == 0) return true;
  }
  return joint_input_take_values(
    c->rt.input, c->base, in->position, in->velocity, in->effort, c->arrival);
}

static double
number_or_nan(const double * x, int i)
{
  return x ? x[i] : (double)NAN;
}

// \param[out] x  position, velocity and acceleration of a joint's reference
// \return whether it was given
static bool
joint_reference(const mbdc_controller_t * c, const mbdc_input_t * in, int i, double * x)
{
  const mbd_body_t * body = &c->model->body[c->model->dof_body[c->dof[i]]];
  const double q = number_or_nan(in->position_reference, i);
  const double v = number_or_nan(in->velocity_reference, i);
  const double a = number_or_nan(in->acceleration_reference, i);
  const bool given = !isnan(q) || !isnan(v);
  const double last = c->stream.q[body->q_index];
  x[0] = isnan(q) ? (isnan(v) ? last : last + 1e-9 * (double)in->period * v) : q;
  x[1] = isnan(v) ? 0 : v;
  x[2] = given && !isnan(a) ? a : 0;
  return given;
}

static bool
is_given(const double * x, int n)
{
  for (int i = 0; x && i < n; i++) {
    if (!isnan(x[i])) return true;
  }
  return false;
}

// References of motion: all of them, or nothing. Joints without one keep theirs, at rest.
static bool
take_motion(mbdc_controller_t * c, const mbdc_input_t * in)
{
  controller_t * controller = c->rt.controller;
  const bool given =
    is_given(in->position_reference, c->njoint) || is_given(in->velocity_reference, c->njoint);
  // a stream that has ended
  if (!given && !controller->stream.known) return true;
  if (!stream_begin(&c->stream, controller)) return false;
  for (int i = 0; i < c->njoint; i++) {
    double x[3];
    if (c->dof[i] < 0 || c->model->body[c->model->dof_body[c->dof[i]]].nv != 1) continue;
    const bool moves = joint_reference(c, in, i, x);
    const int body = c->model->dof_body[c->dof[i]];
    // where it was may be outside of limits that have come since
    if (!moves) {
      c->stream.v[c->dof[i]] = c->stream.a[c->dof[i]] = 0;
    } else if (!stream_joint(&c->stream, controller, body, x)) {
      return false;
    }
  }
  stream_commit(&c->stream, controller, given ? c->arrival : controller->stream.time);
  return true;
}

// Efforts that are added to the command. One that is gone counts until target_timeout.
static bool
take_efforts(mbdc_controller_t * c, const mbdc_input_t * in)
{
  const double timeout = c->rt.settings->controller->target_timeout;
  bool any = false, good = true;
  for (int i = 0; i < c->njoint; i++) {
    const int k = c->dof[i];
    if (k < 0) continue;
    const double x = number_or_nan(in->effort_reference, i);
    good = good && !isinf(x);
    if (isfinite(x)) {
      c->feedforward[k] = x;
      c->effort_since[k] = c->arrival;
    } else if (timeout > 0 && 1e-9 * (double)(c->arrival - c->effort_since[k]) > timeout) {
      c->feedforward[k] = 0;
    }
    any = any || c->feedforward[k] != 0;
  }
  c->rt.feedforward = any ? c->feedforward : NULL;
  return good;
}

static void
take_references(mbdc_controller_t * c, const mbdc_input_t * in)
{
  const bool motion = take_motion(c, in), efforts = take_efforts(c, in);
  // none can be taken before the first cycle, in which all holds
  if ((!motion && c->rt.controller->referenced) || !efforts) c->refused_references++;
}

//---------- results ----------

static void
write_effort(const mbdc_controller_t * c, double * effort)
{
  for (int i = 0; i < c->njoint; i++)
    effort[i] = c->dof[i] < 0 ? 0 : c->rt.gate->command[c->dof[i]];
}

static void
count_joints(const mbdc_controller_t * c, mbdc_status_t * s)
{
  const controller_t * controller = c->rt.controller;
  s->saturated = false;
  s->velocities_given = true;
  s->contacts = 0;
  for (int k = 0; k < c->model->nv; k++) {
    s->saturated = s->saturated || c->rt.gate->saturated[k];
    s->velocities_given = s->velocities_given && c->rt.input->velocity_given[k];
    s->contacts += controller->settings->observer && controller->observer->contact[k];
  }
}

static void
fill_status(mbdc_controller_t * c, mbdc_result_t result)
{
  const controller_t * controller = c->rt.controller;
  const joint_input_counts_t * input = &c->rt.input->count;
  mbdc_status_t * s = &c->status;
  s->active = c->rt.active;
  s->result = result;
  s->tracking = controller->tracking;
  s->efforts_known = c->rt.input->effort_known;
  s->held = controller->component.held;
  s->cycles = c->rt.cycles;
  s->commands = c->commands;
  s->refused_states = input->not_finite + input->implausible + input->malformed;
  s->refused_references = c->refused_references;
  s->refused_targets = c->refused_targets;
  s->not_finite = c->rt.gate->count.not_finite;
  s->compute_errors = c->rt.compute_errors;
  s->error = c->rt.last_error;
  s->saturations = c->rt.gate->count.saturated;
  s->slews = c->rt.gate->count.slewed;
  s->stops = c->rt.gate->count.stale;
  s->abandoned = c->rt.gaps.abandoned;
  s->gains_bounded = controller->bound.cycles;
  s->sample_time = c->rt.periods > 0 ? c->rt.period : 0;
  count_joints(c, s);
  memcpy(s->missing, c->rt.input->missing_name, sizeof s->missing);
}

static void
publish_state(mbdc_controller_t * c)
{
  const controller_t * controller = c->rt.controller;
  const joint_input_t * input = c->rt.input;
  const bool referenced = c->rt.cycles > 0;
  control_snapshot_t * s = snapshot_write(&c->state);
  double * number = (double *)(void *)(s + 1);
  const size_t nq = (size_t)c->model->nq, nv = (size_t)c->model->nv;
  s->status = c->status;
  s->whole = c->rt.whole;
  s->time = c->time;
  memcpy(number, input->q, nq * sizeof *number);
  memcpy(number + nq, input->v, nv * sizeof *number);
  memcpy(number + nq + nv, referenced ? controller->q_ref : input->q, nq * sizeof *number);
  memcpy(number + 2 * nq + nv, referenced ? controller->v_ref : input->v, nv * sizeof *number);
  snapshot_publish(&c->state);
}

//---------- cycles ----------

// the clock of trajectories, and one that only grows
static void
take_time(mbdc_controller_t * c, const mbdc_input_t * in)
{
  // a century is as good as never, and fits
  const int64_t longest = 3000000000000000000;
  const bool first = c->rt.cycles == 0;
  const int64_t period = in->period > 0 ? in->period : first ? 0 : in->time - c->time;
  if (in->time < c->time && !first) rt_loop_start_over(&c->rt);
  c->time = in->time;
  if (period > 0 && period < longest - c->arrival) c->arrival += period;
}

static mbdc_result_t
cycle(mbdc_controller_t * c)
{
  const uint64_t waiting = c->rt.gate->count.waiting;
  switch (rt_loop_cycle(&c->rt, c->time, c->arrival)) {
    case RT_FAILED: return MBDC_REFUSED;
    case RT_SENT: c->commands++; return MBDC_COMMANDED;
    default: return c->rt.gate->count.waiting > waiting ? MBDC_WAITING : MBDC_PASSIVE;
  }
}

static mbdc_result_t
update(mbdc_controller_t * c, const mbdc_input_t * in)
{
  const bool stopped = c->status.result == MBDC_STOPPED;
  take_mail(c);
  take_time(c, in);
  control_take_targets(c);
  const bool taken = take_state(c, in);
  if (taken) c->rt.last_message = c->arrival;
  rt_loop_look(&c->rt, c->arrival);
  if (!c->rt.active) return MBDC_INACTIVE;
  take_references(c, in);
  mbdc_result_t result = taken && c->rt.whole ? cycle(c) : MBDC_REFUSED;
  const bool stale = rt_loop_watch(&c->rt, c->arrival);
  return result == MBDC_REFUSED && (stale || stopped) ? MBDC_STOPPED : result;
}

void
mbdc_activate(mbdc_controller_t * controller)
{
  mbdc_controller_t * c = controller;
  if (!c) return;
  take_mail(c);
  // there may have been no update for a while
  joint_input_restart(c->rt.input);
  rt_loop_activate(&c->rt);
  atomic_store(&c->active, true);
  memset(c->feedforward, 0, (size_t)c->model->nv * sizeof *c->feedforward);
  c->rt.feedforward = NULL;
  fill_status(c, MBDC_WAITING);
  publish_state(c);
}

mbdc_result_t
mbdc_update(mbdc_controller_t * controller, const mbdc_input_t * input, double * effort)
{
  if (!controller || !input || !effort) return MBDC_INACTIVE;
  const mbdc_result_t result = update(controller, input);
  fill_status(controller, result);
  write_effort(controller, effort);
  publish_state(controller);
  return result;
}

void
mbdc_deactivate(mbdc_controller_t * controller, double * effort)
{
  if (!controller) return;
  rt_loop_deactivate(&controller->rt, controller->rt.settings->on_deactivate);
  atomic_store(&controller->active, false);
  fill_status(controller, MBDC_INACTIVE);
  if (effort) write_effort(controller, effort);
  publish_state(controller);
}

//---------- read-out ----------

const mbdc_status_t *
mbdc_get_status(const mbdc_controller_t * controller)
{
  return controller ? &controller->status : NULL;
}

mbd_data_t *
mbdc_data(mbdc_controller_t * controller)
{
  return controller ? controller->rt.controller->data : NULL;
}

static const double *
torques(const mbdc_controller_t * c, mbdc_value_t which)
{
  const controller_t * controller = c->rt.controller;
  switch (which) {
    case MBDC_GRAVITY: return controller->gravity;
    case MBDC_CORIOLIS: return controller->coriolis;
    case MBDC_INERTIA: return controller->inertia;
    case MBDC_FRICTION: return controller->friction;
    case MBDC_EXTERNAL: return controller->external;
    case MBDC_TOTAL: return controller->total;
    case MBDC_WANTED: return controller->command;
    case MBDC_EFFORT: return c->rt.gate->command;
    case MBDC_MEASURED: return controller->effort;
    case MBDC_OBSERVED: return controller->observer->torque;
    case MBDC_VELOCITY_REFERENCE: return controller->v_ref;
    case MBDC_ACCELERATION_REFERENCE: return controller->a_ref;
    case MBDC_EFFORT_LIMIT: return c->rt.gate->limit;
    case MBDC_ACCELERATION: return controller->acceleration;
    default: return NULL;
  }
}

// of a joint of all joints, dependent ones included
static double
position(const mbd_model_t * tree, const double * q, int dof)
{
  const mbd_body_t * body = &tree->body[tree->dof_body[dof]];
  return body->nq == body->nv ? q[body->q_index + dof - body->v_index] : (double)NAN;
}

mbd_status_t
mbdc_read(const mbdc_controller_t * controller, mbdc_value_t which, double * value)
{
  const mbdc_controller_t * c = controller;
  if (!c || !value) return MBD_ERROR_NULL_ARGUMENT;
  if ((int)which < 0 || which >= MBDC_VALUES) return MBD_ERROR_BAD_ARGUMENT;
  const double * x = torques(c, which);
  for (int i = 0; i < c->njoint; i++) {
    const int k = c->dof[i];
    if (which == MBDC_POSITION) {
      value[i] = position(c->tree, c->rt.input->q, i + c->base);
    } else if (which == MBDC_POSITION_REFERENCE) {
      value[i] = position(c->tree, c->rt.controller->q_ref, i + c->base);
    } else if (which == MBDC_VELOCITY) {
      value[i] = joint_input_velocity(c->rt.input, i + c->base);
    } else if (which == MBDC_SATURATED) {
      value[i] = k >= 0 && c->rt.gate->saturated[k];
    } else {
      value[i] = k >= 0 ? x[k] : 0;
    }
  }
  return MBD_OK;
}

int
mbdc_observer_frame(const mbdc_controller_t * controller)
{
  return controller ? controller->rt.controller->settings->observer_frame : -1;
}

mbd_status_t
mbdc_external_wrench(mbdc_controller_t * controller, double * wrench)
{
  if (!controller || !wrench) return MBD_ERROR_NULL_ARGUMENT;
  const controller_t * c = controller->rt.controller;
  const int frame = c->settings->observer_frame;
  mbd_force_t f;
  if (frame < 0 || controller->rt.cycles == 0) return MBD_ERROR_STAGE;
  const mbd_status_t status = mbd_observer_wrench(c->observer, c->data, frame, MBD_LOCAL, &f);
  if (status != MBD_OK) return status;
  memcpy(
    wrench, (double[]){f.lin.x, f.lin.y, f.lin.z, f.ang.x, f.ang.y, f.ang.z}, 6 * sizeof(double));
  return MBD_OK;
}
