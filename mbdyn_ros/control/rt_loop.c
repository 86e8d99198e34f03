// The cycle of the control loop, and gaps between its states.
#include "rt_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//---------- set-up ----------

static joint_input_t *
create_input(
  const mbd_model_t * model, joint_input_options_t options, const char * const * optional, size_t n)
{
  const char ** list = calloc(n + 1, sizeof *list);
  if (!list) return NULL;
  for (size_t i = 0; i < n; i++) list[i] = optional[i];
  options.optional = list;
  joint_input_t * input = joint_input_create(model, &options);
  free(list);
  return input;
}

bool
rt_loop_init(
  rt_loop_t * loop, const node_robot_t * robot, loop_settings_t * settings,
  const char * const * optional, size_t noptional, const mbd_model_t * flexible)
{
  const mbd_model_t * model = robot->model;
  *loop = (rt_loop_t){.robot = robot, .settings = settings};
  loop->input = create_input(model, settings->input, optional, noptional);
  loop->controller = controller_create(model);
  loop->gate = gate_create((size_t)model->nv);
  loop->gravity = calloc((size_t)model->nv + 1, sizeof *loop->gravity);
  if (!loop->input || !loop->controller || !loop->gate || !loop->gravity) return false;
  return !flexible || controller_set_flexible(loop->controller, flexible) == MBD_OK;
}

void
rt_loop_fini(rt_loop_t * loop)
{
  joint_input_destroy(loop->input);
  controller_destroy(loop->controller);
  gate_destroy(loop->gate);
  free(loop->gravity);
}

loop_settings_t *
rt_loop_use(rt_loop_t * loop, loop_settings_t * settings)
{
  loop_settings_t * old = loop->settings;
  const size_t bytes = (size_t)loop->robot->model->nv * sizeof(double);
  loop->settings = settings;
  controller_apply(loop->controller, settings->controller);
  joint_input_tune(loop->input, &settings->input);
  memcpy(loop->gate->limit, settings->limit, bytes);
  memcpy(loop->gate->slew, settings->slew, bytes);
  return old;
}

//---------- commands ----------

static bool
send_command(rt_loop_t * loop)
{
  loop->sent = loop->send(loop->context, loop->gate->command);
  return loop->sent;
}

// torques that hold the robot at the last state as far as they are ours to send; NULL if there was none
static const double *
last_gravity(rt_loop_t * loop)
{
  const controller_t * c = loop->controller;
  if (loop->cycles == 0) return NULL;
  if (loop->settings->controller->command_terms & TERM_GRAVITY) {
    return controller_hold_torques(loop->controller, loop->gravity) == MBD_OK ? loop->gravity
                                                                              : NULL;
  }
  memset(loop->gravity, 0, (size_t)c->model->nv * sizeof *loop->gravity);
  return loop->gravity;
}

void
rt_loop_activate(rt_loop_t * loop)
{
  gate_restart(loop->gate);
  controller_restart(loop->controller);
  loop->active = true;
  loop->cycles = 0;
  loop->sent = loop->commanding = false;
  loop->last_stamp = loop->last_arrival = loop->gap_begin = 0;
  loop->periods = 0;
}

void
rt_loop_deactivate(rt_loop_t * loop, gate_action_t action)
{
  if (!loop->active) return;
  loop->active = false;
  if (gate_last(loop->gate, &loop->settings->gate, action, last_gravity(loop))) send_command(loop);
  controller_forget_world(loop->controller);
}

// what joints that are not commanded would need is not sent, and must not saturate the gate
static bool
pass_gate(rt_loop_t * loop, double dt)
{
  const node_robot_t * robot = loop->robot;
  double * wanted = loop->controller->command;
  // a robot that is held before a singularity obeys nobody else
  const bool added = loop->feedforward && !loop->controller->component.held;
  for (int k = 0; k < robot->model->nv; k++) {
    if (added) wanted[k] += loop->feedforward[k];
    if (!robot->commanded[k]) wanted[k] = 0;
  }
  return gate_pass(loop->gate, &loop->settings->gate, wanted, dt);
}

// the command of this cycle, if there is to be one.
// \return false if it was not finite: then this cycle does not count as one
static bool
command_cycle(rt_loop_t * loop, double dt, bool * sent)
{
  const loop_settings_t * s = loop->settings;
  const uint64_t divider = (uint64_t)s->divider[OUTPUT_COMMAND], bad = loop->gate->count.not_finite;
  const bool was = loop->commanding;
  loop->commanding = loop->controller->commanding && divider > 0;
  *sent = false;
  if (was && !loop->commanding) {
    // nothing more will come: controllers are not to keep the last torque
    *sent =
      gate_last(loop->gate, &s->gate, s->on_deactivate, last_gravity(loop)) && send_command(loop);
    gate_restart(loop->gate);
    loop->sent = false;
  } else if (loop->commanding && loop->cycles % divider == 0) {
    *sent = pass_gate(loop, dt * (double)divider) && send_command(loop);
  }
  return loop->gate->count.not_finite == bad;
}

//---------- gaps ----------

static void
abandon(rt_loop_t * loop, double at, rt_gap_reason_t reason)
{
  loop->gaps.abandoned++;
  loop->gaps.abandoned_at = at;
  loop->gaps.reason = reason;
}

// commands stop, and with them the trajectory
static void
begin_gap(rt_loop_t * loop, int64_t now)
{
  double at;
  const bool following = controller_following(loop->controller, &at) && loop->controller->tracking;
  loop->gap_begin = loop->last_arrival;
  loop->gaps.silence = 1e-9 * (double)(now - loop->last_message);
  memcpy(loop->gaps.missing, loop->input->missing_name, sizeof loop->gaps.missing);
  if (following && loop->settings->resume) {
    controller_pause(loop->controller);
  } else {
    controller_restart(loop->controller);
    if (following) abandon(loop, at, GAP_STALE);
  }
}

// after a cycle with a result
static void
end_gap(rt_loop_t * loop, int64_t arrival)
{
  rt_gaps_t * gaps = &loop->gaps;
  double at;
  const bool following = controller_following(loop->controller, &at);
  if (loop->controller->jumps != loop->jumps) abandon(loop, at, GAP_STEP);
  const uint64_t across = loop->controller->component.abandoned;
  if (across != loop->across) abandon(loop, at, GAP_COMPONENT);
  loop->across = across;
  loop->jumps = loop->controller->jumps;
  if (loop->gap_begin == 0) return;
  gaps->ended++;
  gaps->length = 1e-9 * (double)(arrival - loop->gap_begin);
  gaps->continued = following;
  gaps->continued_at = at;
  loop->gap_begin = 0;
}

void
rt_loop_start_over(rt_loop_t * loop)
{
  double at;
  if (controller_following(loop->controller, &at) && loop->controller->tracking) {
    abandon(loop, at, GAP_CLOCK_JUMP);
  }
  gate_restart(loop->gate);
  controller_restart(loop->controller);
  loop->last_stamp = loop->last_arrival = 0;
}

void
rt_loop_look(rt_loop_t * loop, int64_t arrival)
{
  // a clock that was set back: nothing from before counts
  if (loop->input->count.clock_jumps != loop->clock_jumps) rt_loop_start_over(loop);
  loop->clock_jumps = loop->input->count.clock_jumps;
  loop->whole = joint_input_state(loop->input, arrival);
}

bool
rt_loop_watch(rt_loop_t * loop, int64_t arrival)
{
  const double silence = 1e-9 * (double)(arrival - loop->last_arrival);
  if (loop->last_arrival == 0 || silence <= loop->settings->input.timeout) return false;
  if (gate_stale(loop->gate, &loop->settings->gate, last_gravity(loop))) send_command(loop);
  begin_gap(loop, arrival);
  loop->sent = false;
  loop->last_arrival = 0;
  return true;
}

//---------- cycles ----------

// since the last cycle [s]; 0 where that is no use
static double
time_step(const rt_loop_t * loop, int64_t arrival)
{
  const int64_t stamp = loop->input->stamp;
  if (loop->last_arrival == 0) return 0;
  const int64_t step =
    stamp != 0 && loop->last_stamp != 0 ? stamp - loop->last_stamp : arrival - loop->last_arrival;
  return step > 0 && step < 1000000000 ? 1e-9 * (double)step : 0;
}

// Time between commands, for the bound of gains: a mean of the last periods, in which a gap counts as
// four, as it is not another rate yet. Before the first period all that is known is when a state
// would be stale.
static double
sample_time(rt_loop_t * loop, double dt)
{
  enum { PERIODS = 32 };
  const int64_t divider = loop->settings->divider[OUTPUT_COMMAND];
  if (dt > 0) {
    const double step = loop->periods < PERIODS ? dt : fmin(dt, 4 * loop->period);
    loop->periods += loop->periods < PERIODS;
    loop->period += (step - loop->period) / loop->periods;
  }
  const double period = loop->periods > 0 ? loop->period : loop->settings->input.timeout;
  return divider > 1 ? period * (double)divider : period;
}

rt_result_t
rt_loop_cycle(rt_loop_t * loop, int64_t now, int64_t arrival)
{
  controller_t * c = loop->controller;
  const int64_t stamp = loop->input->stamp;
  const double dt = time_step(loop, arrival);
  c->sample_time = sample_time(loop, dt);
  c->sample_time_guessed = loop->periods < 8;
  const mbd_status_t status =
    controller_step(c, loop->input, now, arrival, dt, loop->sent ? loop->gate->command : NULL);
  if (status != MBD_OK) {
    loop->compute_errors++;
    loop->last_error = status;
    return RT_FAILED;
  }
  bool sent;
  if (!command_cycle(loop, dt, &sent)) return RT_FAILED;
  loop->cycles++;
  loop->last_stamp = stamp;
  loop->last_arrival = arrival;
  end_gap(loop, arrival);
  return sent ? RT_SENT : RT_COMPUTED;
}
