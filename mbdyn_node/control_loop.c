// The control thread. Above: what the executor's thread calls. Below: what the thread does.
#include "control_loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "outputs.h"

// what the executor wants of the thread, and what the thread has reached
typedef enum loop_phase { LOOP_IDLE, LOOP_ACTIVE, LOOP_SHUTDOWN, LOOP_ENDED } loop_phase_t;

struct control_loop {
  rcl_node_t * node;
  const ros_clock_t * clock;
  const node_robot_t * robot;

  // the thread's own
  joint_input_t * input;
  controller_t * controller;
  gate_t * gate;
  inputs_t * inputs;
  outputs_t * outputs;
  loop_settings_t * settings;
  loop_phase_t phase;
  uint64_t cycles, compute_errors, publish_errors, skipped, clock_jumps;
  mbd_status_t last_error;
  bool whole, sent, commanding;
  double * gravity;                  // [nv]
  int64_t last_stamp, last_arrival;  // of the last cycle
  int64_t last_message;              // arrival of the last joint state
  int64_t gap_begin;                 // last cycle before joint states stopped; 0: they come
  uint64_t jumps, across;            // as the controller last had them
  loop_gaps_t gaps;
  double compute_time_max;
  double period;  // between cycles [s]
  int periods;    // that are in it

  // shared
  mailbox_t settings_box, trajectory_box;
  snapshot_t state;
  loop_times_t times;
  atomic_int wanted, reached;
  rcl_guard_condition_t wake;
  pthread_t thread;
  bool wake_open, running;
  realtime_result_t realtime;
};

static void * control_thread(void * argument);

//---------- from the executor's side ----------

static bool
creation_failed(char * reason, size_t size, const char * what)
{
  snprintf(reason, size, "%s", what);
  return false;
}

static size_t
state_size(const mbd_model_t * model)
{
  return sizeof(loop_state_t) + 2 * (size_t)(model->nq + model->nv) * sizeof(double);
}

static bool
create_control(control_loop_t * loop, const loop_options_t * options, char * reason, size_t size)
{
  const mbd_model_t * model = loop->robot->model;
  joint_input_options_t input = loop->settings->input;
  size_t n;
  const char * const * optional = param_strings(options->values, P_OPTIONAL_JOINTS, &n);
  const char ** list = calloc(n + 1, sizeof *list);
  for (size_t i = 0; list && i < n; i++) list[i] = optional[i];
  input.optional = list;
  loop->input = list ? joint_input_create(model, &input) : NULL;
  free(list);
  loop->controller = controller_create(model);
  loop->gate = gate_create((size_t)model->nv);
  loop->gravity = calloc((size_t)model->nv + 1, sizeof *loop->gravity);
  if (!loop->input || !loop->controller || !loop->gate || !loop->gravity) {
    return creation_failed(reason, size, "out of memory");
  }
  if (options->flexible && controller_set_flexible(loop->controller, options->flexible) != MBD_OK) {
    return creation_failed(reason, size, "out of memory");
  }
  return snapshot_init(&loop->state, state_size(model)) ||
         creation_failed(reason, size, "out of memory");
}

static bool
create_io(control_loop_t * loop, const loop_options_t * options, char * reason, size_t size)
{
  const int frame = loop->settings->controller->observer_frame;
  const char * observer_frame = frame >= 0 ? loop->robot->model->frame[frame].name : "";
  const bool floating = strcmp(param_string(options->values, P_BASE), "floating") == 0;
  const bool reliable = param_bool(options->values, P_JOINT_STATES_RELIABLE);
  loop->wake = rcl_get_zero_initialized_guard_condition();
  loop->wake_open =
    rcl_guard_condition_init(
      &loop->wake, loop->node->context, rcl_guard_condition_get_default_options()) == RCL_RET_OK;
  if (!loop->wake_open) return creation_failed(reason, size, "cannot create the guard condition");
  loop->outputs = outputs_create(loop->node, loop->robot, observer_frame, reason, size);
  if (!loop->outputs) return false;
  loop->inputs =
    inputs_create(loop->node, loop->robot, &loop->wake, floating, reliable, reason, size);
  return loop->inputs;
}

static bool
start_thread(control_loop_t * loop, const param_values_t * values, char * reason, size_t size)
{
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  loop->running = pthread_create(&loop->thread, NULL, control_thread, loop) == 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (!loop->running) return creation_failed(reason, size, "cannot start the control thread");
  pthread_setname_np(loop->thread, "mbdyn_control");
  const realtime_options_t options = {
    (int)param_integer(values, P_THREAD_PRIORITY), (int)param_integer(values, P_CPU),
    param_bool(values, P_LOCK_MEMORY)};
  loop->realtime = realtime_apply(loop->thread, &options);
  return true;
}

control_loop_t *
loop_create(const loop_options_t * options, char * reason, size_t size)
{
  control_loop_t * loop = calloc(1, sizeof *loop);
  if (!loop) {
    options->settings->mail.destroy(&options->settings->mail);
    creation_failed(reason, size, "out of memory");
    return NULL;
  }
  loop->node = options->node;
  loop->clock = options->clock;
  loop->robot = options->robot;
  loop->settings = options->settings;
  mailbox_init(&loop->settings_box);
  mailbox_init(&loop->trajectory_box);
  if (
    create_control(loop, options, reason, size) && create_io(loop, options, reason, size) &&
    start_thread(loop, options->values, reason, size)) {
    return loop;
  }
  loop_destroy(loop);
  return NULL;
}

static void
request(control_loop_t * loop, loop_phase_t phase)
{
  atomic_store(&loop->wanted, phase);
  if (rcl_trigger_guard_condition(&loop->wake) != RCL_RET_OK) rcl_reset_error();
}

// \return false after half a second: a cycle takes well under a millisecond, so that the machine is in
// trouble
static bool
wait_reached(control_loop_t * loop, int phase)
{
  const int64_t until = steady_now() + 500000000;
  while (atomic_load(&loop->reached) != phase) {
    if (steady_now() > until) return false;
    nanosleep(&(struct timespec){0, 100000}, NULL);
  }
  return true;
}

void
loop_destroy(control_loop_t * loop)
{
  if (!loop) return;
  if (loop->running) {
    // a deactivation that was not waited for sends its last command first
    while (!wait_reached(loop, atomic_load(&loop->wanted))) continue;
    request(loop, LOOP_ENDED);
    pthread_join(loop->thread, NULL);
  }
  if (loop->settings) loop->settings->mail.destroy(&loop->settings->mail);
  if (loop->controller && loop->controller->trajectory) {
    mail_t * mail = &loop->controller->trajectory->mail;
    mail->destroy(mail);
  }
  mailbox_fini(&loop->settings_box);
  mailbox_fini(&loop->trajectory_box);
  inputs_destroy(loop->inputs, loop->node);
  outputs_destroy(loop->outputs, loop->node);
  if (loop->wake_open && rcl_guard_condition_fini(&loop->wake) != RCL_RET_OK) rcl_reset_error();
  snapshot_fini(&loop->state);
  joint_input_destroy(loop->input);
  controller_destroy(loop->controller);
  gate_destroy(loop->gate);
  free(loop->gravity);
  free(loop);
}

void
loop_activate(control_loop_t * loop)
{
  request(loop, LOOP_ACTIVE);
}

bool
loop_deactivate(control_loop_t * loop, bool shutdown)
{
  const loop_phase_t phase = shutdown ? LOOP_SHUTDOWN : LOOP_IDLE;
  request(loop, phase);
  return wait_reached(loop, phase);
}

void
loop_settings_post(control_loop_t * loop, loop_settings_t * settings)
{
  mailbox_post(&loop->settings_box, &settings->mail);
}

void
loop_trajectory_post(control_loop_t * loop, trajectory_t * trajectory)
{
  mailbox_post(&loop->trajectory_box, &trajectory->mail);
}

void
loop_poll(control_loop_t * loop)
{
  outputs_poll(loop->outputs);
  mailbox_collect(&loop->settings_box);
  mailbox_collect(&loop->trajectory_box);
}

const loop_state_t *
loop_state(control_loop_t * loop)
{
  return snapshot_read(&loop->state);
}

const loop_times_t *
loop_times(const control_loop_t * loop)
{
  return &loop->times;
}

const realtime_result_t *
loop_realtime(const control_loop_t * loop)
{
  return &loop->realtime;
}

//---------- the thread ----------

static void
use_settings(control_loop_t * loop)
{
  const loop_settings_t * s = loop->settings;
  const size_t bytes = (size_t)loop->robot->model->nv * sizeof(double);
  controller_apply(loop->controller, s->controller);
  joint_input_tune(loop->input, &s->input);
  memcpy(loop->gate->limit, s->limit, bytes);
  memcpy(loop->gate->slew, s->slew, bytes);
}

static void
take_mail(control_loop_t * loop)
{
  loop_settings_t * settings = (loop_settings_t *)mailbox_take(&loop->settings_box);
  if (settings) {
    loop_settings_t * old = loop->settings;
    loop->settings = settings;
    use_settings(loop);
    mailbox_return(&loop->settings_box, &old->mail);
  }
  trajectory_t * trajectory = (trajectory_t *)mailbox_take(&loop->trajectory_box);
  if (trajectory) {
    trajectory_t * old = loop->controller->trajectory;
    controller_follow(loop->controller, trajectory);
    if (old) mailbox_return(&loop->trajectory_box, &old->mail);
  }
}

// \return false if it was not sent
static bool
send_command(control_loop_t * loop)
{
  // deactivated since this cycle began: nothing but the last command of change_phase may follow
  loop->sent = loop->phase != LOOP_ACTIVE || atomic_load(&loop->wanted) == LOOP_ACTIVE;
  if (!loop->sent) return false;
  loop->sent = outputs_command(loop->outputs, loop->gate->command);
  if (!loop->sent) loop->publish_errors++;
  return loop->sent;
}

// torques that hold the robot at the last state as far as they are ours to send; NULL if there was none
static const double *
last_gravity(control_loop_t * loop)
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

static void
change_phase(control_loop_t * loop)
{
  const loop_phase_t wanted = (loop_phase_t)atomic_load(&loop->wanted);
  if (wanted == loop->phase) return;
  const loop_settings_t * s = loop->settings;
  const bool was_active = loop->phase == LOOP_ACTIVE;
  loop->phase = wanted;
  if (wanted == LOOP_ACTIVE) {
    gate_restart(loop->gate);
    controller_restart(loop->controller);
    loop->cycles = 0;
    loop->sent = loop->commanding = false;
    loop->last_stamp = loop->last_arrival = loop->gap_begin = 0;
    loop->periods = 0;
  } else if (was_active) {
    const gate_action_t action = wanted == LOOP_IDLE ? s->on_deactivate : s->on_shutdown;
    if (gate_last(loop->gate, &s->gate, action, last_gravity(loop))) send_command(loop);
    controller_forget_world(loop->controller);
  }
  atomic_store(&loop->reached, wanted);
}

// since the last cycle [s]; 0 where that is no use
static double
time_step(const control_loop_t * loop, int64_t arrival)
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
sample_time(control_loop_t * loop, double dt)
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

static void
publish_cycle(control_loop_t * loop, int64_t started, bool sent, double age)
{
  const joint_input_counts_t * count = &loop->input->count;
  const int64_t computed = steady_now();
  const cycle_t cycle = {
    .number = loop->cycles,
    .stamp = loop->input->stamp,
    .input = loop->input,
    .controller = loop->controller,
    .gate = loop->gate,
    .sent = sent,
    .dropped = count->messages - count->taken,
    .age = age,
    .compute_time = 1e-9 * (double)(computed - started),
    .compute_time_max = loop->compute_time_max};
  histogram_add(&loop->times.compute, computed - started);
  loop->compute_time_max = fmax(loop->compute_time_max, cycle.compute_time);
  outputs_cycle(loop->outputs, loop->settings->divider, &cycle);
  histogram_add(&loop->times.cycle, steady_now() - started);
}

// what joints that are not commanded would need is not sent, and must not saturate the gate
static bool
pass_gate(control_loop_t * loop, double dt)
{
  const node_robot_t * robot = loop->robot;
  double * wanted = loop->controller->command;
  for (int k = 0; k < robot->model->nv; k++) {
    if (!robot->commanded[k]) wanted[k] = 0;
  }
  return gate_pass(loop->gate, &loop->settings->gate, wanted, dt);
}

// the command of this cycle, if there is to be one.
// \return false if it was not finite: then this cycle does not count as one
static bool
command_cycle(control_loop_t * loop, double dt, bool * sent)
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
abandon(control_loop_t * loop, double at, loop_gap_reason_t reason)
{
  loop->gaps.abandoned++;
  loop->gaps.abandoned_at = at;
  loop->gaps.reason = reason;
}

// commands stop, and with them the trajectory
static void
begin_gap(control_loop_t * loop, int64_t now)
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
end_gap(control_loop_t * loop, int64_t arrival)
{
  loop_gaps_t * gaps = &loop->gaps;
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

//---------- cycles ----------

// joint state to command to everything else
static void
do_cycle(control_loop_t * loop, int64_t arrival)
{
  controller_t * c = loop->controller;
  const int64_t now = ros_clock_now(loop->clock), stamp = loop->input->stamp;
  const double age = stamp != 0 ? 1e-9 * (double)(now - stamp) : 0;
  const double dt = time_step(loop, arrival);
  if (stamp != 0) histogram_add(&loop->times.age, now - stamp);
  c->sample_time = sample_time(loop, dt);
  c->sample_time_guessed = loop->periods < 8;
  const mbd_status_t status =
    controller_step(c, loop->input, now, arrival, dt, loop->sent ? loop->gate->command : NULL);
  if (status != MBD_OK) {
    loop->compute_errors++;
    loop->last_error = status;
    return;
  }
  bool sent;
  if (!command_cycle(loop, dt, &sent)) return;
  loop->cycles++;
  loop->last_stamp = stamp;
  loop->last_arrival = arrival;
  end_gap(loop, arrival);
  publish_cycle(loop, arrival, sent, age);
}

// has the time since the last cycle become too long?
static void
watch_input(control_loop_t * loop, int64_t now)
{
  const double silence = 1e-9 * (double)(now - loop->last_arrival);
  if (loop->last_arrival == 0 || silence <= loop->settings->input.timeout) return;
  if (gate_stale(loop->gate, &loop->settings->gate, last_gravity(loop))) send_command(loop);
  begin_gap(loop, now);
  loop->sent = false;
  loop->last_arrival = 0;
}

static void
publish_snapshot(control_loop_t * loop)
{
  const mbd_model_t * model = loop->robot->model;
  const joint_input_t * input = loop->input;
  loop_state_t * s = snapshot_write(&loop->state);
  s->stamp = input->stamp;
  s->whole = loop->whole;
  s->active = loop->phase == LOOP_ACTIVE;
  s->effort_known = input->effort_known;
  s->mode = loop->settings->controller->mode;
  s->gravity_message = controller_gravity_known(loop->controller, steady_now());
  s->tracking = loop->controller->tracking;
  s->cycles = loop->cycles;
  s->compute_errors = loop->compute_errors;
  s->last_error = loop->last_error;
  s->publish_errors = loop->publish_errors;
  s->refused = inputs_refused(loop->inputs);
  s->skipped = loop->skipped;
  s->last_message = loop->last_message;
  s->gaps = loop->gaps;
  s->input = input->count;
  s->gate = loop->gate->count;
  s->bound = loop->controller->bound;
  s->supports = loop->settings->controller->nsupport;
  s->support_normal = loop->controller->support.info.normal;
  s->support_limited = loop->controller->support.limited;
  s->support_missing = loop->controller->support.missing;
  s->component = loop->controller->component;
  s->sample_time = loop->controller->sample_time;
  s->contacts = 0;
  s->velocities_given = true;
  for (int k = 0; k < model->nv; k++) {
    s->contacts += loop->settings->controller->observer && loop->controller->observer->contact[k];
    s->velocities_given = s->velocities_given && input->velocity_given[k];
  }
  memcpy(s->unknown_name, input->unknown_name, sizeof s->unknown_name);
  memcpy(s->missing_name, input->missing_name, sizeof s->missing_name);
  // the reference is where it is before the first cycle
  const controller_t * c = loop->controller;
  const double * parts[4] = {
    input->q, input->v, loop->cycles > 0 ? c->q_ref : input->q,
    loop->cycles > 0 ? c->v_ref : input->v};
  double * number = (double *)(void *)(s + 1);
  for (int k = 0; k < 4; k++) {
    const int n = k % 2 == 0 ? model->nq : model->nv;
    memcpy(number, parts[k], (size_t)n * sizeof(double));
    number += n;
  }
  snapshot_publish(&loop->state);
}

static void
count_interval(control_loop_t * loop, int64_t arrival)
{
  if (loop->last_message != 0) {
    histogram_add(&loop->times.interval, arrival - loop->last_message);
  }
  loop->last_message = arrival;
}

// a clock that was set back: nothing from before counts
static void
start_over_after_jump(control_loop_t * loop)
{
  if (loop->input->count.clock_jumps == loop->clock_jumps) return;
  loop->clock_jumps = loop->input->count.clock_jumps;
  double at;
  if (controller_following(loop->controller, &at) && loop->controller->tracking) {
    abandon(loop, at, GAP_CLOCK_JUMP);
  }
  gate_restart(loop->gate);
  controller_restart(loop->controller);
  loop->last_stamp = loop->last_arrival = 0;
}

static void
spin_once(control_loop_t * loop)
{
  take_mail(loop);
  change_phase(loop);
  if (loop->phase == LOOP_ENDED) return;
  const int taken = inputs_take(loop->inputs, loop->input, loop->controller, loop->clock);
  const int64_t arrival = steady_now();
  if (taken > 0) count_interval(loop, arrival);
  start_over_after_jump(loop);
  loop->whole = joint_input_state(loop->input, arrival);
  if (loop->phase == LOOP_ACTIVE) {
    const double since = 1e-9 * (double)(arrival - loop->last_arrival);
    if (taken > 0 && loop->whole) {
      if (since >= loop->settings->min_interval)
        do_cycle(loop, arrival);
      else
        loop->skipped++;
    }
    watch_input(loop, steady_now());
  }
  publish_snapshot(loop);
}

// until the input would be stale, or a while
static int64_t
wait_timeout(const control_loop_t * loop)
{
  const int64_t idle = 100000000;
  if (loop->phase != LOOP_ACTIVE || loop->last_arrival == 0) return idle;
  const int64_t timeout = (int64_t)(1e9 * loop->settings->input.timeout);
  const int64_t left = loop->last_arrival + timeout + 1000 - steady_now();
  return left < 0 ? 0 : left < idle ? left : idle;
}

static void *
control_thread(void * argument)
{
  control_loop_t * loop = argument;
  use_settings(loop);
  publish_snapshot(loop);
  while (loop->phase != LOOP_ENDED) {
    // a context that has ended: wait for the next phase without busy waiting
    if (!inputs_wait(loop->inputs, wait_timeout(loop)))
      nanosleep(&(struct timespec){0, 1000000}, NULL);
    spin_once(loop);
  }
  return NULL;
}
