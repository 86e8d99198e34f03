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
  rt_loop_t rt;
  inputs_t * inputs;
  outputs_t * outputs;
  loop_phase_t phase;
  uint64_t publish_errors, skipped;
  double compute_time_max;

  // shared
  mailbox_t settings_box, trajectory_box;
  snapshot_t state;
  loop_times_t times;
  atomic_int wanted, reached;
  atomic_uint_least64_t stop;  // trajectory to be stopped; 0: none
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

static bool send_command(void * context, const double * command);

static bool
create_control(control_loop_t * loop, const loop_options_t * options, char * reason, size_t size)
{
  const mbd_model_t * model = loop->robot->model;
  size_t n;
  const char * const * optional = param_strings(options->values, P_OPTIONAL_JOINTS, &n);
  const bool created =
    rt_loop_init(&loop->rt, loop->robot, options->settings, optional, n, options->flexible);
  loop->rt.send = send_command;
  loop->rt.context = loop;
  return (created && snapshot_init(&loop->state, state_size(model))) ||
         creation_failed(reason, size, "out of memory");
}

static bool
create_io(control_loop_t * loop, const loop_options_t * options, char * reason, size_t size)
{
  const int frame = loop->rt.settings->controller->observer_frame;
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
  loop->rt.settings->mail.destroy(&loop->rt.settings->mail);
  if (loop->rt.controller && loop->rt.controller->trajectory) {
    mail_t * mail = &loop->rt.controller->trajectory->mail;
    mail->destroy(mail);
  }
  mailbox_fini(&loop->settings_box);
  mailbox_fini(&loop->trajectory_box);
  inputs_destroy(loop->inputs, loop->node);
  outputs_destroy(loop->outputs, loop->node);
  if (loop->wake_open && rcl_guard_condition_fini(&loop->wake) != RCL_RET_OK) rcl_reset_error();
  snapshot_fini(&loop->state);
  rt_loop_fini(&loop->rt);
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
loop_trajectory_stop(control_loop_t * loop, uint64_t id)
{
  atomic_store(&loop->stop, id);
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
take_mail(control_loop_t * loop)
{
  loop_settings_t * settings = (loop_settings_t *)mailbox_take(&loop->settings_box);
  if (settings) mailbox_return(&loop->settings_box, &rt_loop_use(&loop->rt, settings)->mail);
  trajectory_t * trajectory = (trajectory_t *)mailbox_take(&loop->trajectory_box);
  if (trajectory) {
    trajectory_t * old = loop->rt.controller->trajectory;
    controller_follow(loop->rt.controller, trajectory);
    if (old) mailbox_return(&loop->trajectory_box, &old->mail);
  }
  const uint64_t stop = atomic_exchange(&loop->stop, 0);
  if (stop != 0 && controller_progress(loop->rt.controller).id == stop) {
    controller_stop(loop->rt.controller);
  }
}

// \return false if it was not sent
static bool
send_command(void * context, const double * command)
{
  control_loop_t * loop = context;
  // deactivated since this cycle began: nothing but the last command of change_phase may follow
  if (loop->phase == LOOP_ACTIVE && atomic_load(&loop->wanted) != LOOP_ACTIVE) return false;
  const bool sent = outputs_command(loop->outputs, command);
  if (!sent) loop->publish_errors++;
  return sent;
}

static void
change_phase(control_loop_t * loop)
{
  const loop_phase_t wanted = (loop_phase_t)atomic_load(&loop->wanted);
  if (wanted == loop->phase) return;
  const loop_settings_t * s = loop->rt.settings;
  loop->phase = wanted;
  if (wanted == LOOP_ACTIVE) {
    rt_loop_activate(&loop->rt);
  } else {
    rt_loop_deactivate(&loop->rt, wanted == LOOP_IDLE ? s->on_deactivate : s->on_shutdown);
  }
  atomic_store(&loop->reached, wanted);
}

static void
publish_cycle(control_loop_t * loop, int64_t started, bool sent, double age)
{
  const joint_input_counts_t * count = &loop->rt.input->count;
  const int64_t computed = steady_now();
  const cycle_t cycle = {
    .number = loop->rt.cycles,
    .stamp = loop->rt.input->stamp,
    .input = loop->rt.input,
    .controller = loop->rt.controller,
    .gate = loop->rt.gate,
    .sent = sent,
    .dropped = count->messages - count->taken,
    .age = age,
    .compute_time = 1e-9 * (double)(computed - started),
    .compute_time_max = loop->compute_time_max};
  histogram_add(&loop->times.compute, computed - started);
  loop->compute_time_max = fmax(loop->compute_time_max, cycle.compute_time);
  outputs_cycle(loop->outputs, loop->rt.settings->divider, &cycle);
  histogram_add(&loop->times.cycle, steady_now() - started);
}

// joint state to command to everything else
static void
do_cycle(control_loop_t * loop, int64_t arrival)
{
  const int64_t now = ros_clock_now(loop->clock), stamp = loop->rt.input->stamp;
  const double age = stamp != 0 ? 1e-9 * (double)(now - stamp) : 0;
  if (stamp != 0) histogram_add(&loop->times.age, now - stamp);
  const rt_result_t result = rt_loop_cycle(&loop->rt, now, arrival);
  if (result != RT_FAILED) publish_cycle(loop, arrival, result == RT_SENT, age);
}

// for ~/markers
static void
observe_force(const control_loop_t * loop, loop_state_t * s)
{
  const controller_t * c = loop->rt.controller;
  const int frame = c->settings->observer && loop->rt.cycles > 0 ? c->settings->observer_frame : -1;
  s->external_frame = -1;
  if (!loop->rt.settings->markers || frame < 0) return;
  if (
    mbd_observer_wrench(c->observer, c->data, frame, MBD_LOCAL_WORLD_ALIGNED, &s->external_force) ==
    MBD_OK) {
    s->external_frame = frame;
  }
}

static void
publish_snapshot(control_loop_t * loop)
{
  const mbd_model_t * model = loop->robot->model;
  const joint_input_t * input = loop->rt.input;
  loop_state_t * s = snapshot_write(&loop->state);
  s->stamp = input->stamp;
  s->whole = loop->rt.whole;
  s->active = loop->phase == LOOP_ACTIVE;
  s->effort_known = input->effort_known;
  s->mode = loop->rt.settings->controller->mode;
  s->gravity_message = controller_gravity_known(loop->rt.controller, steady_now());
  s->tracking = loop->rt.controller->tracking;
  s->cycles = loop->rt.cycles;
  s->compute_errors = loop->rt.compute_errors;
  s->last_error = loop->rt.last_error;
  s->publish_errors = loop->publish_errors;
  s->refused = inputs_refused(loop->inputs);
  s->skipped = loop->skipped;
  s->last_message = loop->rt.last_message;
  s->gaps = loop->rt.gaps;
  s->input = input->count;
  s->gate = loop->rt.gate->count;
  s->bound = loop->rt.controller->bound;
  s->supports = loop->rt.settings->controller->nsupport;
  s->support_normal = loop->rt.controller->support.info.normal;
  s->support_limited = loop->rt.controller->support.limited;
  s->support_missing = loop->rt.controller->support.missing;
  s->component = loop->rt.controller->component;
  observe_force(loop, s);
  s->progress = controller_progress(loop->rt.controller);
  s->sample_time = loop->rt.controller->sample_time;
  s->contacts = 0;
  s->velocities_given = true;
  for (int k = 0; k < model->nv; k++) {
    s->contacts +=
      loop->rt.settings->controller->observer && loop->rt.controller->observer->contact[k];
    s->velocities_given = s->velocities_given && input->velocity_given[k];
  }
  memcpy(s->unknown_name, input->unknown_name, sizeof s->unknown_name);
  memcpy(s->missing_name, input->missing_name, sizeof s->missing_name);
  // the reference is where it is before the first cycle
  const controller_t * c = loop->rt.controller;
  const double * parts[4] = {
    input->q, input->v, loop->rt.cycles > 0 ? c->q_ref : input->q,
    loop->rt.cycles > 0 ? c->v_ref : input->v};
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
  if (loop->rt.last_message != 0) {
    histogram_add(&loop->times.interval, arrival - loop->rt.last_message);
  }
  loop->rt.last_message = arrival;
}

static void
spin_once(control_loop_t * loop)
{
  take_mail(loop);
  change_phase(loop);
  if (loop->phase == LOOP_ENDED) return;
  const int taken = inputs_take(loop->inputs, loop->rt.input, loop->rt.controller, loop->clock);
  const int64_t arrival = steady_now();
  if (taken > 0) count_interval(loop, arrival);
  rt_loop_look(&loop->rt, arrival);
  if (loop->phase == LOOP_ACTIVE) {
    const double since = 1e-9 * (double)(arrival - loop->rt.last_arrival);
    if (taken > 0 && loop->rt.whole) {
      if (since >= loop->rt.settings->min_interval)
        do_cycle(loop, arrival);
      else
        loop->skipped++;
    }
    rt_loop_watch(&loop->rt, steady_now());
  }
  publish_snapshot(loop);
}

// until the input would be stale, or a while
static int64_t
wait_timeout(const control_loop_t * loop)
{
  const int64_t idle = 100000000;
  if (loop->phase != LOOP_ACTIVE || loop->rt.last_arrival == 0) return idle;
  const int64_t timeout = (int64_t)(1e9 * loop->rt.settings->input.timeout);
  const int64_t left = loop->rt.last_arrival + timeout + 1000 - steady_now();
  return left < 0 ? 0 : left < idle ? left : idle;
}

static void *
control_thread(void * argument)
{
  control_loop_t * loop = argument;
  rt_loop_use(&loop->rt, loop->rt.settings);
  publish_snapshot(loop);
  while (loop->phase != LOOP_ENDED) {
    // a context that has ended: wait for the next phase without busy waiting
    if (!inputs_wait(loop->inputs, wait_timeout(loop)))
      nanosleep(&(struct timespec){0, 1000000}, NULL);
    spin_once(loop);
  }
  return NULL;
}
