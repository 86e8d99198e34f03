#include "recording.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bag.h"
#include "mbdyn/urdf.h"
#include "message_layout.h"
#include "recording_compute.h"
#include "recording_topics.h"

// messages taken with the robots locked, and between two looks at what is asked for
enum { BATCH = 64 };

static const double SHORTEST_BEFORE = 2;  // so that slow topics are known at a moment [s]
static const double REST_PERIOD = 0.1;    // of computed matrices, in the recording's time [s]
static const long PACE = 5000000;         // between two looks at the clock [ns]

// what is asked for, until the thread takes it
typedef struct requests {
  bool end, open, seek, urdf;
  char *path, *name;
  bool temporary;
  double t, before;
} requests_t;

// a robot and how the recording feeds it
typedef struct feed {
  live_robot_t * robot;
  recording_compute_t * compute;  // NULL: nothing is computed
  int count[LIVE_KINDS];          // of computed messages, among the robot's counts
  double rest;                    // when matrices were computed last
  double since;                   // first message after a jump; 0: none yet
  bool joints;                    // the terms of the joints are computed, not recorded
} feed_t;

struct recording {
  live_t * live;
  pthread_t thread;
  bool running;
  pthread_mutex_t lock;
  pthread_cond_t wake, opened;
  recording_state_t state;  // under the lock, as the next three
  requests_t requests;
  char * urdf;  // for robots without a description
  size_t urdf_size;

  // of the thread alone
  bag_reader_t * bag;
  recording_topics_t topics;
  int8_t * count;  // [robot][topic] of the robot's counts
  feed_t feed[LIVE_ROBOTS];
  bag_message_t pending;
  bool has_pending, ended;
  int64_t last;               // log time of the last message that was read
  double position;            // the moment that is shown
  double clock, clock_start;  // monotonic clock at clock_start of the recording
  double ticked;              // when rates were computed last
};

static double
seconds_of(int64_t time)
{
  return 1e-9 * (double)time;
}

static int64_t
time_of(double seconds)
{
  const double most = 9e18;
  return (int64_t)fmin(fmax(seconds * 1e9, -most), most);
}

//---------- state ----------

static void
lock(recording_t * r)
{
  pthread_mutex_lock(&r->lock);
}

static void
unlock(recording_t * r)
{
  pthread_mutex_unlock(&r->lock);
}

static void
say_error(recording_t * r, const char * text)
{
  lock(r);
  snprintf(r->state.error, sizeof r->state.error, "%s", text);
  r->state.version++;
  unlock(r);
}

static void
say_seeking(recording_t * r, bool seeking)
{
  lock(r);
  r->state.seeking = seeking;
  r->state.version++;
  unlock(r);
}

// what the reader has found to be damaged, and whether it has come to the end because of it
static void
say_note(recording_t * r)
{
  const bag_info_t * info = bag_info(r->bag);
  const char * note = bag_note(r->bag);
  char text[sizeof r->state.note];
  // topics that are not looked at may go on a little
  const int64_t margin = 500000000;
  const bool cut = r->ended && r->last > 0 && r->last < info->end - margin && *note;
  const double at = seconds_of(r->last - info->start), all = seconds_of(info->end - info->start);
  if (cut)
    snprintf(text, sizeof text, "%s; nothing can be read after %.3f of %.3f s", note, at, all);
  else
    snprintf(text, sizeof text, "%s", note);
  lock(r);
  // a jump back does not make the file whole
  if (strlen(text) > strlen(r->state.note)) {
    snprintf(r->state.note, sizeof r->state.note, "%s", text);
    r->state.version++;
  }
  unlock(r);
}

static void
say_missing(recording_t * r, const char * joint)
{
  lock(r);
  if (strcmp(r->state.missing, joint) != 0) {
    snprintf(r->state.missing, sizeof r->state.missing, "%s", joint);
    r->state.version++;
  }
  unlock(r);
}

static bool
interrupted(recording_t * r)
{
  lock(r);
  const bool yes = r->requests.end || r->requests.open || r->requests.seek || r->requests.urdf;
  unlock(r);
  return yes;
}

//---------- messages to robots ----------

// joint states are shown by themselves only where nothing can be computed from them
static bool
feed_compute(recording_t * r, feed_t * f, live_kind_t kind, const bag_message_t * m)
{
  const double t = seconds_of(m->log_time);
  if (kind != LIVE_JOINT_STATES && kind != LIVE_ODOMETRY) return false;
  if (f->since <= 0) f->since = t;
  if (recording_compute_take(f->compute, kind, m->data, m->size, m->log_time)) {
    recording_compute_give(f->compute, f->robot, f->count, t, t);
    if (t - f->rest >= REST_PERIOD || t < f->rest) {
      recording_compute_give_rest(f->compute, f->robot, f->count, t, t);
      f->rest = t;
    }
    return f->joints && kind == LIVE_JOINT_STATES;
  }
  const char * missing = recording_compute_missing(f->compute);
  if (!f->joints || kind != LIVE_JOINT_STATES) return false;
  if (!*missing) return true;
  if (t - f->since > 1) say_missing(r, missing);
  return t - f->since <= 1;
}

static void
take_message(recording_t * r, live_view_t * view, const bag_message_t * m)
{
  const double t = seconds_of(m->log_time);
  if ((int)m->topic == r->topics.diagnostics) {
    live_take_diagnostics(view, m->data, m->size);
    return;
  }
  for (int i = 0; i < r->topics.n; i++) {
    const int kind = recording_topics_kind(&r->topics, i, m->topic);
    feed_t * f = &r->feed[i];
    if (kind < 0 || m->size > LIVE_MESSAGE) continue;
    const bool computed = f->compute && feed_compute(r, f, (live_kind_t)kind, m);
    const int count = r->count[(size_t)i * r->topics.ntopic + m->topic];
    if (!computed) {
      (void)live_robot_take(f->robot, (live_kind_t)kind, count, m->data, m->size, t, t);
    } else if (count >= 0) {
      f->robot->count[count].count++;
    }
  }
}

//---------- reading ----------

// false at the end, or if the file cannot be read on
static bool
fetch(recording_t * r)
{
  bag_error_t error;
  if (r->has_pending) return true;
  if (r->ended) return false;
  const int got = bag_next(r->bag, &r->pending, &error);
  r->has_pending = got > 0;
  if (got > 0) {
    r->last = r->pending.log_time;
    return true;
  }
  r->ended = true;
  say_note(r);
  if (got < 0) say_error(r, error.text);
  return false;
}

// messages up to a time; false if something else is asked for meanwhile
static bool
read_until(recording_t * r, int64_t until)
{
  bool more = true;
  while (more) {
    if (interrupted(r)) return false;
    live_view_t * view = live_lock(r->live);
    for (int i = 0; i < BATCH && more; i++) {
      more = fetch(r) && r->pending.log_time <= until;
      if (!more) break;
      take_message(r, view, &r->pending);
      r->has_pending = false;
    }
    live_unlock(r->live);
  }
  return true;
}

static void
settle(recording_t * r)
{
  (void)live_lock(r->live);
  for (int i = 0; i < r->topics.n; i++) {
    feed_t * f = &r->feed[i];
    if (f->compute) {
      recording_compute_give_rest(f->compute, f->robot, f->count, r->position, r->position);
    }
    live_robot_settle(f->robot);
  }
  live_unlock(r->live);
}

static void
tick(recording_t * r)
{
  if (r->position - r->ticked < 1) return;
  (void)live_lock(r->live);
  for (int i = 0; i < r->topics.n; i++) {
    live_robot_tick(r->feed[i].robot, r->position - r->ticked);
  }
  live_unlock(r->live);
  r->ticked = r->position;
}

static void
hold(recording_t * r, bool holding)
{
  (void)live_lock(r->live);
  for (int i = 0; i < r->topics.n; i++) r->feed[i].robot->held = holding;
  live_unlock(r->live);
}

// Pages see the robots again when the moment is reached: not the way there.
static void
seek(recording_t * r, double t, double before)
{
  const bag_info_t * info = bag_info(r->bag);
  bag_error_t error;
  const double start = seconds_of(info->start), end = seconds_of(info->end);
  const double to = fmin(fmax(t, start), end), from = to - fmax(before, SHORTEST_BEFORE);
  hold(r, true);
  say_seeking(r, true);
  r->has_pending = r->ended = false;
  r->last = 0;
  if (!bag_select(r->bag, r->topics.wanted, time_of(from), INT64_MAX, &error)) {
    r->ended = true;
    say_error(r, error.text);
  }
  (void)live_lock(r->live);
  for (int i = 0; i < r->topics.n; i++) {
    live_robot_rewind(r->feed[i].robot);
    r->feed[i].since = r->feed[i].rest = 0;
    if (r->feed[i].compute) recording_compute_restart(r->feed[i].compute);
  }
  live_unlock(r->live);
  r->position = to;
  // the end is the last message, whatever doubles make of its time
  const bool whole = read_until(r, to >= end ? info->end : time_of(to));
  if (!whole) return;
  settle(r);
  r->ticked = fmax(from, start);
  tick(r);
  hold(r, false);
  lock(r);
  r->state.seeking = false;
  r->state.t = r->position;
  r->state.version++;
  unlock(r);
  r->clock = live_monotonic();
  r->clock_start = r->position;
}

//---------- opening ----------

static bool
only_topic(recording_t * r, int topic, bag_message_t * message)
{
  bag_error_t error;
  bool * wanted = calloc((size_t)r->topics.ntopic + 1, sizeof *wanted);
  if (!wanted || topic < 0) return free(wanted), false;
  wanted[topic] = true;
  const bool got = bag_select(r->bag, wanted, INT64_MIN, INT64_MAX, &error) &&
                   bag_next(r->bag, message, &error) > 0;
  free(wanted);
  return got;
}

static int
topic_of_kind(const recording_t * r, int robot, live_kind_t kind)
{
  for (uint32_t i = 0; i < r->topics.ntopic; i++) {
    if (recording_topics_kind(&r->topics, robot, i) == (int)kind) return (int)i;
  }
  return -1;
}

// the base of a robot with odometry, unless its node said otherwise
static bool
is_floating(recording_t * r, int robot)
{
  bag_message_t m;
  wire_joints_t joints;
  wire_joint_dynamics_t first;
  if (r->topics.robot[robot].odometry < 0) return false;
  const int topic = topic_of_kind(r, robot, LIVE_JOINT_DYNAMICS);
  if (topic < 0 || !only_topic(r, topic, &m)) return true;
  if (!wire_read_joints(m.data, m.size, &joints) || !wire_next_joint(&joints, &first)) return false;
  return first.name.size > 3 && memcmp(first.name.data + first.name.size - 3, ".vx", 3) == 0;
}

static void
describe(recording_t * r, int robot)
{
  bag_message_t m;
  wire_text_t text;
  live_robot_t * to = r->feed[robot].robot;
  const bool floating = is_floating(r, robot);
  const bool got =
    only_topic(r, r->topics.robot[robot].description, &m) && live_read_text(m.data, m.size, &text);
  (void)live_lock(r->live);
  to->floating = floating;
  const bool known = got && live_robot_set_urdf(to, text.data, text.size);
  lock(r);
  if (!known && r->urdf) (void)live_robot_set_urdf(to, r->urdf, r->urdf_size);
  unlock(r);
  live_unlock(r->live);
}

static void
make_compute(recording_t * r, int robot)
{
  feed_t * f = &r->feed[robot];
  const recorded_robot_t * about = &r->topics.robot[robot];
  const unsigned kinds = recording_compute_kinds() & ~about->kinds;
  recording_compute_destroy(f->compute);
  f->compute = NULL;
  if (!f->robot->urdf || about->states < 0 || kinds == 0) return;
  f->compute =
    recording_compute_create(f->robot->urdf, f->robot->urdf_size, f->robot->floating, kinds);
  if (!f->compute) return;
  f->joints = kinds >> LIVE_JOINT_DYNAMICS & 1;
  (void)live_lock(r->live);
  for (int k = 0; k < LIVE_KINDS; k++) {
    if (!(kinds >> k & 1) || f->count[k] >= 0) continue;
    char topic[LIVE_NAME];
    snprintf(topic, sizeof topic, "%s (computed)", live_kind_name((live_kind_t)k));
    f->count[k] = live_robot_add_topic(f->robot, topic, live_kind_type((live_kind_t)k));
  }
  live_unlock(r->live);
}

static void
describe_all(recording_t * r)
{
  unsigned computed = 0;
  bool missing = false;
  for (int i = 0; i < r->topics.n; i++) {
    make_compute(r, i);
    if (r->feed[i].compute) computed |= recording_compute_kinds() & ~r->topics.robot[i].kinds;
    missing = missing || !r->feed[i].robot->urdf;
  }
  lock(r);
  r->state.computed = computed;
  r->state.needs_urdf = missing;
  r->state.missing[0] = 0;
  r->state.version++;
  unlock(r);
}

static live_robot_t *
make_robot(live_view_t * view, int i)
{
  char id[32] = "/recording";
  if (view->robot[i]) return view->robot[i];
  // the ID stays when another recording is opened
  if (i > 0) snprintf(id, sizeof id, "/recording%d", i + 1);
  view->robot[i] = live_robot_create(id, 0);
  if (view->robot[i]) live_robot_record(view->robot[i]);
  return view->robot[i];
}

static bool
make_robots(recording_t * r)
{
  const bag_info_t * info = bag_info(r->bag);
  live_view_t * view = live_lock(r->live);
  bool good = true;
  view->n = 0;
  for (int i = 0; i < r->topics.n && good; i++) {
    live_robot_t * robot = make_robot(view, i);
    feed_t * f = &r->feed[i];
    *f = (feed_t){.robot = robot};
    good = robot != NULL;
    if (!good) break;
    live_robot_reuse(robot, r->topics.robot[i].node);
    robot->held = true;
    robot->wait_timeout = r->topics.robot[i].kinds >> LIVE_JOINT_DYNAMICS & 1 ? 1.5 : 0;
    for (int k = 0; k < LIVE_KINDS; k++) f->count[k] = -1;
    for (uint32_t k = 0; k < info->ntopic; k++) {
      const bool used = recording_topics_kind(&r->topics, i, k) >= 0;
      r->count[(size_t)i * info->ntopic + k] =
        (int8_t)(used ? live_robot_add_topic(robot, info->topic[k].name, info->topic[k].type) : -1);
    }
    view->n++;
  }
  view->version++;
  live_diagnostics_fini(&view->diagnostics);
  live_unlock(r->live);
  return good;
}

// when its joints are heard of first: there is nothing to see before
static double
first_moment(recording_t * r)
{
  bag_message_t m;
  int topic = topic_of_kind(r, 0, LIVE_JOINT_DYNAMICS);
  if (topic < 0) topic = r->topics.robot[0].states;
  if (!only_topic(r, topic, &m)) return seconds_of(bag_info(r->bag)->start);
  // a double of seconds since 1970 has steps of a quarter of a microsecond
  return seconds_of(m.log_time + 1000);
}

static void
forget(recording_t * r)
{
  (void)live_lock(r->live);
  for (int i = 0; i < r->topics.n; i++) r->feed[i].robot->held = true;
  live_unlock(r->live);
  for (int i = 0; i < LIVE_ROBOTS; i++) recording_compute_destroy(r->feed[i].compute);
  memset(r->feed, 0, sizeof r->feed);
  bag_free(r->bag);
  recording_topics_free(&r->topics);
  free(r->count);
  r->bag = NULL;
  r->count = NULL;
  r->has_pending = false;
  r->ended = true;
}

// false with an error
static bool
open_bag(recording_t * r, const char * path, bag_error_t * error)
{
  snprintf(error->text, sizeof error->text, "out of memory");
  r->bag = bag_open_quick(path, error);
  if (!r->bag) return false;
  const bag_info_t * info = bag_info(r->bag);
  if (info->start == 0 && info->end == 0) {
    snprintf(error->text, sizeof error->text, "'%.300s': the recording contains no messages", path);
    return false;
  }
  if (!recording_topics_find(&r->topics, info)) return false;
  if (r->topics.n == 0) {
    snprintf(
      error->text, sizeof error->text,
      "'%.300s': found neither joint states (sensor_msgs/msg/JointState) nor topics of "
      "mbdyn_node among its %u topics",
      path, info->ntopic);
    return false;
  }
  r->count = calloc((size_t)r->topics.n * info->ntopic + 1, 1);
  return r->count && make_robots(r);
}

static void
open_recording(recording_t * r, const requests_t * w)
{
  bag_error_t error;
  forget(r);
  lock(r);
  r->state.playing = false;
  r->state.open = false;
  r->state.error[0] = r->state.note[0] = 0;
  r->state.version++;
  unlock(r);
  const bool good = open_bag(r, w->path, &error);
  if (w->temporary) (void)unlink(w->path);
  if (good) {
    for (int i = 0; i < r->topics.n; i++) describe(r, i);
    describe_all(r);
    const bag_info_t * info = bag_info(r->bag);
    lock(r);
    r->state.open = true;
    r->state.start = seconds_of(info->start);
    r->state.end = seconds_of(info->end);
    snprintf(r->state.name, sizeof r->state.name, "%s", w->name);
    unlock(r);
    say_note(r);
    seek(r, first_moment(r), 0);
  } else {
    forget(r);
    say_error(r, error.text);
  }
  lock(r);
  r->state.opening = false;
  r->state.version++;
  pthread_cond_broadcast(&r->opened);
  unlock(r);
}

static void
take_urdf(recording_t * r)
{
  if (!r->bag) return;
  (void)live_lock(r->live);
  for (int i = 0; i < r->topics.n; i++) {
    live_robot_t * robot = r->feed[i].robot;
    lock(r);
    if (r->topics.robot[i].description < 0 || !robot->urdf) {
      (void)live_robot_set_urdf(robot, r->urdf, r->urdf_size);
    }
    unlock(r);
  }
  live_unlock(r->live);
  describe_all(r);
  // what was computed without it is computed now
  seek(r, r->position, RECORDING_BEFORE / 6);
}

//---------- thread ----------

static void
play(recording_t * r, double rate)
{
  const double now = live_monotonic(), end = seconds_of(bag_info(r->bag)->end);
  const double target = r->clock_start + (now - r->clock) * rate;
  if (!read_until(r, time_of(target))) return;
  // a rate that the machine cannot keep up with does not pile up
  r->clock = now;
  r->clock_start = r->position = fmin(target, end);
  tick(r);
  const bool over = r->ended || target >= end;
  if (over) settle(r);
  lock(r);
  r->state.t = r->position;
  if (over) {
    r->state.playing = false;
    r->state.version++;
  }
  unlock(r);
}

// the clock of the recording starts where it stopped
static void
start_clock(recording_t * r, bool * running, bool playing)
{
  if (playing && !*running) {
    r->clock = live_monotonic();
    r->clock_start = r->position;
  }
  if (!playing && *running && r->bag) settle(r);
  *running = playing;
}

// with the lock; until there is something to do
static void
wait_for_requests(recording_t * r)
{
  const requests_t * w = &r->requests;
  while (!w->end && !w->open && !w->seek && !w->urdf && !r->state.playing) {
    pthread_cond_wait(&r->wake, &r->lock);
  }
}

static void *
run_playback(void * argument)
{
  recording_t * r = argument;
  bool running = false;
  double rate = 1;
  for (;;) {
    lock(r);
    if (!running) wait_for_requests(r);
    const requests_t w = r->requests;
    r->requests = (requests_t){.end = w.end};
    unlock(r);
    if (w.open) open_recording(r, &w);
    free(w.path);
    free(w.name);
    if (w.end) return NULL;
    if (w.urdf) take_urdf(r);
    if (w.seek && r->bag) seek(r, w.t, w.before);
    lock(r);
    const bool playing = r->state.playing;
    const double wanted = r->state.rate;
    unlock(r);
    if (rate != wanted && r->bag) {
      r->clock = live_monotonic();
      r->clock_start = r->position;
      rate = wanted;
    }
    start_clock(r, &running, playing && r->bag);
    if (!running) continue;
    play(r, rate);
    const struct timespec pace = {0, PACE};
    nanosleep(&pace, NULL);
  }
}

//---------- from outside ----------

// signals are the main thread's, or of whoever waits for them
static bool
start_thread(recording_t * r)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool good = pthread_create(&r->thread, NULL, run_playback, r) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return good;
}

recording_t *
recording_create(void)
{
  recording_t * r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->topics.diagnostics = -1;
  r->ended = true;
  r->state.rate = 1;
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->wake, NULL);
  pthread_cond_init(&r->opened, NULL);
  r->live = live_create();
  r->running = r->live && start_thread(r);
  if (r->running) return r;
  recording_destroy(r);
  return NULL;
}

void
recording_destroy(recording_t * r)
{
  if (!r) return;
  lock(r);
  r->requests.end = true;
  pthread_cond_broadcast(&r->wake);
  unlock(r);
  if (r->running) pthread_join(r->thread, NULL);
  if (r->live) forget(r);
  live_stop(r->live);
  free(r->requests.path);
  free(r->requests.name);
  free(r->urdf);
  pthread_cond_destroy(&r->wake);
  pthread_cond_destroy(&r->opened);
  pthread_mutex_destroy(&r->lock);
  free(r);
}

static const char *
last_part(const char * path)
{
  const char * end = path + strlen(path);
  while (end > path && end[-1] == '/') end--;
  while (end > path && end[-1] != '/') end--;
  return end;
}

bool
recording_open(recording_t * r, const char * path, const char * name, bool temporary)
{
  requests_t w = {.path = strdup(path), .name = strdup(name ? name : last_part(path))};
  if (!w.path || !w.name) {
    free(w.path);
    free(w.name);
    return false;
  }
  const size_t n = strlen(w.name);
  if (n > 0 && w.name[n - 1] == '/') w.name[n - 1] = 0;
  lock(r);
  free(r->requests.path);
  free(r->requests.name);
  r->requests.open = true;
  r->requests.path = w.path;
  r->requests.name = w.name;
  r->requests.temporary = temporary;
  r->requests.seek = false;
  r->state.opening = true;
  r->state.version++;
  pthread_cond_broadcast(&r->wake);
  unlock(r);
  return true;
}

bool
recording_wait(recording_t * r)
{
  lock(r);
  while (r->state.opening) pthread_cond_wait(&r->opened, &r->lock);
  const bool open = r->state.open;
  unlock(r);
  return open;
}

bool
recording_set_urdf(recording_t * r, const char * text, size_t size, char * reason, size_t capacity)
{
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status = mbdx_urdf_load_string(text, size, "URDF", NULL, &model, &report);
  snprintf(reason, capacity, "%s", mbd_status_string(status));
  for (int i = 0; status != MBD_OK && report && i < report->n; i++) {
    if (report->entry[i].severity != MBDX_ERROR) continue;
    snprintf(reason, capacity, "line %d: %s", report->entry[i].line, report->entry[i].text);
    break;
  }
  mbd_model_destroy(model);
  mbdx_report_free(report);
  char * copy = status == MBD_OK ? malloc(size + 1) : NULL;
  if (!copy) return false;
  memcpy(copy, text, size);
  copy[size] = 0;
  lock(r);
  free(r->urdf);
  r->urdf = copy;
  r->urdf_size = size;
  r->requests.urdf = true;
  pthread_cond_broadcast(&r->wake);
  unlock(r);
  return true;
}

void
recording_request(recording_t * r, const recording_request_t * q)
{
  lock(r);
  recording_state_t * s = &r->state;
  if (q->set_rate) s->rate = fmin(fmax(q->rate, RECORDING_SLOWEST), RECORDING_FASTEST);
  if (q->set_t && s->open && isfinite(q->t)) {
    r->requests.seek = true;
    r->requests.t = q->t;
    r->requests.before = fmin(fmax(q->before, 0), RECORDING_BEFORE);
  }
  if (q->set_playing && s->open) {
    // at the end it begins anew
    if (q->playing && !q->set_t && s->t >= s->end) {
      r->requests.seek = true;
      r->requests.t = s->start;
      r->requests.before = 0;
    }
    s->playing = q->playing;
  }
  s->version++;
  pthread_cond_broadcast(&r->wake);
  unlock(r);
}

void
recording_state(recording_t * r, recording_state_t * out)
{
  lock(r);
  *out = r->state;
  unlock(r);
}

live_t *
recording_live(recording_t * r)
{
  return r->live;
}
