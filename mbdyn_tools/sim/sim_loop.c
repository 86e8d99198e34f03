// The stepping thread. Above: what the executor's thread calls. Below: what the thread does.
#include "sim_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "ros_process.h"
#include "sim_topics.h"

// lateness that is made up for, and the longest sleep without a look at what is wanted [ns]
enum { CATCH_UP = 100000000, NAP = 50000000 };
// requests that can wait for the next step
enum { REQUESTS = 64 };

typedef struct request {
  bool reset;  // else a push
  plant_push_t push;
} request_t;

struct sim_loop {
  const sim_robot_t * robot;

  // the thread's own
  plant_t * plant;
  sensors_t * sensors;
  commands_t * commands;
  sim_topics_t * topics;
  sim_settings_t * settings;
  sensor_sample_t truth;
  sim_loop_state_t state;
  double rate;
  uint64_t divider;       // steps per joint state
  bool simulated_stamps;  // time of the simulation
  int payload_frame;
  uint64_t last_command;  // step of it
  int64_t deadline;       // of the steady clock, when the last step was due
  int64_t offset;         // from the steady clock to that of the machine
  uint64_t energy_step;   // when the energy was last computed

  // shared
  mailbox_t settings_box;
  request_t request[REQUESTS];
  atomic_size_t written, read;
  snapshot_t snapshot;
  histogram_t step_times;
  atomic_bool stop;
  pthread_t thread;
  bool running;
};

static void * sim_thread(void * argument);

//---------- from the executor's side ----------

static bool
create_plant(sim_loop_t * loop, const param_values_t * values)
{
  const size_t n = (size_t)loop->robot->njoint;
  const double publish_rate = param_double(values, SIM_PUBLISH_RATE);
  loop->rate = param_double(values, SIM_RATE);
  const double divider = publish_rate > 0 ? round(loop->rate / publish_rate) : 1;
  loop->divider = divider > 1 ? (uint64_t)divider : 1;
  loop->simulated_stamps = param_bool(values, SIM_PUBLISH_CLOCK);
  loop->payload_frame = -1;
  const size_t on_their_way = (size_t)(SIM_DELAY_MAX * loop->rate / (double)loop->divider) + 2;
  loop->sensors = sensors_create(n, on_their_way, (uint64_t)param_integer(values, SIM_SEED));
  loop->commands =
    commands_create(loop->robot->model, loop->robot->command_dof, (size_t)loop->robot->ncommand);
  double * truth = calloc(3 * n + 1, sizeof *truth);
  loop->truth.position = truth;
  if (truth == NULL || loop->sensors == NULL || loop->commands == NULL) return false;
  loop->truth.velocity = truth + n;
  loop->truth.effort = truth + 2 * n;
  return snapshot_init(&loop->snapshot, sizeof loop->state);
}

static bool
start_thread(sim_loop_t * loop)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  loop->running = pthread_create(&loop->thread, NULL, sim_thread, loop) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (loop->running) pthread_setname_np(loop->thread, "mbdyn_step");
  return loop->running;
}

sim_loop_t *
sim_loop_create(const sim_loop_options_t * options, char * reason, size_t size)
{
  sim_loop_t * loop = calloc(1, sizeof *loop);
  const char * missing = "out of memory";
  if (loop == NULL) {
    options->settings->mail.destroy(&options->settings->mail);
    snprintf(reason, size, "%s", missing);
    return NULL;
  }
  loop->robot = options->robot;
  loop->settings = options->settings;
  mailbox_init(&loop->settings_box);
  bool good = create_plant(loop, options->values);
  if (good) {
    missing = "the robot's dynamics cannot be computed";
    loop->plant = plant_create(loop->robot->embedded ? loop->robot->embedded : loop->robot->model);
  }
  if (
    loop->plant && loop->robot->flexible &&
    !plant_set_flexible(loop->plant, loop->robot->flexible)) {
    missing = "the dynamics of the flexible links cannot be computed";
    good = false;
  }
  if (good && loop->plant) {
    good = plant_set_contacts(loop->plant, loop->robot->ncontact, loop->robot->contact);
    if (!good) missing = "out of memory";
  }
  if (good && loop->plant && loop->robot->chart) {
    missing =
      "the chart integrator cannot start: the loops lock or cannot be closed, or drivers leave no "
      "motion";
    good = plant_set_chart(loop->plant, loop->robot->chart, loop->robot->method);
  }
  if (good && loop->plant != NULL) {
    missing = "cannot create the topics";
    loop->topics = sim_topics_create(options->node, loop->robot, options->values);
  }
  if (loop->topics != NULL) {
    missing = "cannot start the simulation thread";
    if (start_thread(loop)) return loop;
  }
  snprintf(reason, size, "%s", missing);
  sim_loop_destroy(loop);
  return NULL;
}

void
sim_loop_destroy(sim_loop_t * loop)
{
  if (loop == NULL) return;
  atomic_store(&loop->stop, true);
  if (loop->running) pthread_join(loop->thread, NULL);
  if (loop->settings != NULL) loop->settings->mail.destroy(&loop->settings->mail);
  mailbox_fini(&loop->settings_box);
  sim_topics_destroy(loop->topics);
  plant_destroy(loop->plant);
  sensors_destroy(loop->sensors);
  commands_destroy(loop->commands);
  snapshot_fini(&loop->snapshot);
  free(loop->truth.position);
  free(loop);
}

void
sim_loop_settings(sim_loop_t * loop, sim_settings_t * settings)
{
  mailbox_post(&loop->settings_box, &settings->mail);
}

static bool
add_request(sim_loop_t * loop, const request_t * request)
{
  const size_t written = atomic_load_explicit(&loop->written, memory_order_relaxed);
  const size_t read = atomic_load_explicit(&loop->read, memory_order_acquire);
  if (written - read == REQUESTS) return false;
  loop->request[written % REQUESTS] = *request;
  atomic_store_explicit(&loop->written, written + 1, memory_order_release);
  return true;
}

bool
sim_loop_push(sim_loop_t * loop, const plant_push_t * push)
{
  const request_t request = {.push = *push};
  return add_request(loop, &request);
}

bool
sim_loop_reset(sim_loop_t * loop)
{
  const request_t request = {.reset = true};
  return add_request(loop, &request);
}

const sim_loop_state_t *
sim_loop_state(sim_loop_t * loop)
{
  mailbox_collect(&loop->settings_box);
  return snapshot_read(&loop->snapshot);
}

const histogram_t *
sim_loop_step_times(const sim_loop_t * loop)
{
  return &loop->step_times;
}

//---------- what the executor wants ----------

static void
reset(sim_loop_t * loop)
{
  const mbdx_mechanism_t * mechanism = loop->robot->mechanism;
  mbd_status_t status = plant_reset(loop->plant, loop->settings->initial);
  if (status == MBD_OK && mechanism && !loop->settings->hold_until_command) {
    status = plant_set_velocity(loop->plant, mechanism->v);
  }
  loop->state.fault = status;
  loop->state.held = loop->settings->hold_until_command;
  loop->state.let_go = false;
  loop->last_command = loop->state.steps;
  commands_clear(loop->commands);
  sensors_clear(loop->sensors);
}

static void
use_settings(sim_loop_t * loop)
{
  const sim_settings_t * s = loop->settings;
  plant_set_options(loop->plant, &s->plant);
  mbd_status_t status = MBD_OK;
  if (loop->payload_frame >= 0 && loop->payload_frame != s->payload_frame) {
    status = plant_payload(loop->plant, loop->payload_frame, NULL);
  }
  if (s->payload_frame >= 0 && status == MBD_OK) {
    status = plant_payload(loop->plant, s->payload_frame, &s->payload);
  }
  if (status != MBD_OK) loop->state.fault = status;
  loop->payload_frame = s->payload_frame;
  if (!s->hold_until_command) loop->state.held = false;
}

static void
take_settings(sim_loop_t * loop)
{
  sim_settings_t * settings = (sim_settings_t *)mailbox_take(&loop->settings_box);
  if (settings == NULL) return;
  sim_settings_t * old = loop->settings;
  loop->settings = settings;
  use_settings(loop);
  mailbox_return(&loop->settings_box, &old->mail);
}

static void
take_requests(sim_loop_t * loop)
{
  const size_t written = atomic_load_explicit(&loop->written, memory_order_acquire);
  size_t read = atomic_load_explicit(&loop->read, memory_order_relaxed);
  for (; read != written; read++) {
    const request_t * request = &loop->request[read % REQUESTS];
    if (request->reset)
      reset(loop);
    else
      plant_push(loop->plant, &request->push);
  }
  atomic_store_explicit(&loop->read, read, memory_order_release);
}

//---------- time ----------

static int64_t
machine_now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// from one clock to the other: as it was while that is nearly true, so that stamps are as far apart
// as the steps
static void
compare_clocks(sim_loop_t * loop)
{
  const int64_t before = steady_now(), machine = machine_now(), after = steady_now();
  // held up in between: the next time will tell
  if (after - before > 100000 && loop->offset != 0) return;
  const int64_t offset = machine - before;
  if (llabs(offset - loop->offset) > 1000000) loop->offset = offset;
}

// in naps, so that the end is not kept waiting by a slow simulation
static void
sleep_until(sim_loop_t * loop, int64_t deadline)
{
  for (int64_t now = steady_now(); now < deadline && !atomic_load(&loop->stop);
       now = steady_now()) {
    const int64_t until = deadline - now > NAP ? now + NAP : deadline;
    const struct timespec time = {(time_t)(until / 1000000000), (long)(until % 1000000000)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
  }
}

static void
wait_for_step(sim_loop_t * loop)
{
  const double factor = loop->settings->real_time_factor;
  const int64_t now = steady_now();
  if (factor == 0) {
    loop->deadline = now;
    return;
  }
  const int64_t period = llround(1e9 / (loop->rate * factor));
  loop->deadline += period;
  if (now - loop->deadline > period) loop->state.overruns++;
  if (now - loop->deadline > CATCH_UP) {
    loop->deadline = now;
    loop->state.slips++;
  }
  sleep_until(loop, loop->deadline);
}

static int64_t
simulated_now(const sim_loop_t * loop)
{
  return llround((double)loop->state.steps * (1e9 / loop->rate));
}

//---------- a step ----------

static void
take_commands(sim_loop_t * loop)
{
  sim_loop_state_t * s = &loop->state;
  if (sim_topics_take(loop->topics, loop->commands)) {
    loop->last_command = s->steps;
    s->held = s->let_go = false;
  }
  const double silence = (double)(s->steps - loop->last_command) / loop->rate;
  const double timeout = loop->settings->command_timeout;
  const bool driven = loop->commands->count.taken > 0 && !s->held && !s->let_go;
  if (timeout > 0 && silence > timeout && driven) {
    commands_clear(loop->commands);
    s->let_go = true;
    s->timeouts++;
  }
  s->commands = loop->commands->count;
}

static void
advance(sim_loop_t * loop)
{
  sim_loop_state_t * s = &loop->state;
  const double dt = 1 / loop->rate;
  if (s->fault != MBD_OK)
    plant_hold(loop->plant, dt);
  else if (s->held)
    s->fault = plant_brake(loop->plant, dt);
  else
    s->fault = plant_step(loop->plant, loop->commands->tau, dt);
  s->steps++;
}

static void
measure(sim_loop_t * loop)
{
  const plant_t * plant = loop->plant;
  const sim_robot_t * robot = loop->robot;
  sensor_sample_t * truth = &loop->truth;
  truth->time = simulated_now(loop);
  truth->stamp = loop->simulated_stamps ? truth->time : loop->deadline + loop->offset;
  for (int i = 0; i < robot->njoint; i++) {
    truth->position[i] = plant->q[robot->joint[i].q_index];
    truth->velocity[i] = plant->v[robot->joint[i].v_index];
    truth->effort[i] = plant->effort[robot->joint[i].v_index];
  }
  if (robot->base >= 0) {
    const mbd_body_t * body = &robot->model->body[robot->base];
    memcpy(truth->base, plant->q + body->q_index, 7 * sizeof(double));
    memcpy(truth->base + 7, plant->v + body->v_index, 6 * sizeof(double));
  }
  sensors_measure(loop->sensors, &loop->settings->sensors, truth);
}

static void
publish(sim_loop_t * loop)
{
  sim_loop_state_t * s = &loop->state;
  const int64_t now = simulated_now(loop);
  if (s->steps % loop->divider == 0) {
    compare_clocks(loop);
    measure(loop);
    if (!sim_topics_contacts(loop->topics, loop->plant, loop->truth.stamp)) s->publish_errors++;
    if (!sim_topics_clock(loop->topics, now)) s->publish_errors++;
  }
  const sensor_sample_t * sample;
  while ((sample = sensors_next(loop->sensors, &loop->settings->sensors, now)) != NULL) {
    if (sim_topics_publish(loop->topics, sample))
      s->published++;
    else
      s->publish_errors++;
  }
  s->lost = loop->sensors->lost;
}

static void
publish_snapshot(sim_loop_t * loop)
{
  sim_loop_state_t * s = &loop->state;
  const double since = (double)(s->steps - loop->energy_step) / loop->rate;
  if (since >= 0.1 || s->steps == 1) {
    loop->energy_step = s->steps;
    if (plant_energy(loop->plant, &s->kinetic, &s->potential) != MBD_OK) s->kinetic = nan("");
  }
  s->time = (double)s->steps / loop->rate;
  s->stops = loop->plant->stops;
  s->pushes = loop->plant->npush;
  s->integration = loop->plant->integration;
  s->touch = loop->plant->touch;
  memcpy(snapshot_write(&loop->snapshot), s, sizeof *s);
  snapshot_publish(&loop->snapshot);
}

static void *
sim_thread(void * argument)
{
  // wake when the time has come, not when it suits the kernel (50 us by default)
  prctl(PR_SET_TIMERSLACK, 1ul);
  sim_loop_t * loop = argument;
  use_settings(loop);
  reset(loop);
  loop->deadline = steady_now();
  while (!atomic_load(&loop->stop)) {
    wait_for_step(loop);
    const int64_t started = steady_now();
    take_settings(loop);
    take_requests(loop);
    take_commands(loop);
    advance(loop);
    publish(loop);
    publish_snapshot(loop);
    histogram_add(&loop->step_times, steady_now() - started);
  }
  return NULL;
}
