#include "recording.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mbdyn/urdf.h"
#include "recording_internal.h"

static const long PACE = 5000000;  // playback period [ns]

//---------- state ----------

void
recording_lock(recording_t * r)
{
  pthread_mutex_lock(&r->lock);
}

void
recording_unlock(recording_t * r)
{
  pthread_mutex_unlock(&r->lock);
}

void
recording_set_error(recording_t * r, const char * text)
{
  recording_lock(r);
  snprintf(r->state.error, sizeof r->state.error, "%s", text);
  r->state.version++;
  recording_unlock(r);
}

bool
recording_is_interrupted(recording_t * r)
{
  recording_lock(r);
  const bool yes = r->requests.end || r->requests.open || r->requests.seek || r->requests.urdf;
  recording_unlock(r);
  return yes;
}

//---------- opening ----------

static void
open_recording(recording_t * r, const requests_t * w)
{
  bag_error_t error;
  recording_close_bag(r);
  recording_lock(r);
  r->state.playing = false;
  r->state.open = false;
  r->state.error[0] = r->state.note[0] = 0;
  r->state.version++;
  recording_unlock(r);
  const bool good = recording_open_bag(r, w->path, &error);
  if (w->temporary) (void)unlink(w->path);
  if (good) {
    recording_load_descriptions(r);
    recording_update_models(r);
    const bag_info_t * info = bag_info(r->bag);
    recording_lock(r);
    r->state.open = true;
    r->state.start = recording_seconds(info->start);
    r->state.end = recording_seconds(info->end);
    snprintf(r->state.name, sizeof r->state.name, "%s", w->name);
    recording_unlock(r);
    recording_update_note(r);
    recording_seek(r, recording_first_joint_time(r), 0);
  } else {
    recording_close_bag(r);
    recording_set_error(r, error.text);
  }
  recording_lock(r);
  if (!good) r->state.seeking = false;
  r->state.opening = false;
  r->state.version++;
  pthread_cond_broadcast(&r->opened);
  recording_unlock(r);
}

static void
apply_urdf(recording_t * r)
{
  if (!r->bag) return;
  (void)live_lock(r->live);
  for (int i = 0; i < r->topics.n; i++) {
    live_robot_t * robot = r->feed[i].robot;
    recording_lock(r);
    if (r->topics.robot[i].description < 0 || !robot->urdf) {
      (void)live_robot_set_urdf(robot, r->urdf, r->urdf_size);
    }
    recording_unlock(r);
  }
  live_unlock(r->live);
  recording_update_models(r);
  recording_seek(r, r->position, RECORDING_BEFORE / 6);
}

//---------- thread ----------

// playback continues where it was paused
static void
start_clock(recording_t * r, bool * running, bool playing)
{
  if (playing && !*running) {
    r->clock = live_monotonic();
    r->clock_start = r->position;
  }
  if (!playing && *running && r->bag) recording_flush_robots(r);
  *running = playing;
}

// called with the lock
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
    recording_lock(r);
    if (!running) wait_for_requests(r);
    const requests_t w = r->requests;
    r->requests = (requests_t){.end = w.end};
    recording_unlock(r);
    if (w.open) open_recording(r, &w);
    free(w.path);
    free(w.name);
    if (w.end) return NULL;
    if (w.urdf) apply_urdf(r);
    if (w.seek && r->bag) recording_seek(r, w.t, w.before);
    recording_lock(r);
    const bool playing = r->state.playing;
    const double wanted = r->state.rate;
    recording_unlock(r);
    if (rate != wanted && r->bag) {
      r->clock = live_monotonic();
      r->clock_start = r->position;
      rate = wanted;
    }
    start_clock(r, &running, playing && r->bag);
    if (!running) continue;
    recording_play(r, rate);
    const struct timespec pace = {0, PACE};
    nanosleep(&pace, NULL);
  }
}

//---------- interface ----------

// signals are handled by other threads
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
  recording_lock(r);
  r->requests.end = true;
  pthread_cond_broadcast(&r->wake);
  recording_unlock(r);
  if (r->running) pthread_join(r->thread, NULL);
  if (r->live) recording_close_bag(r);
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
  recording_lock(r);
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
  recording_unlock(r);
  return true;
}

bool
recording_wait(recording_t * r)
{
  recording_lock(r);
  while (r->state.opening) pthread_cond_wait(&r->opened, &r->lock);
  const bool open = r->state.open;
  recording_unlock(r);
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
  recording_lock(r);
  free(r->urdf);
  r->urdf = copy;
  r->urdf_size = size;
  r->requests.urdf = true;
  pthread_cond_broadcast(&r->wake);
  recording_unlock(r);
  return true;
}

// with the lock; pages see the target at once, not the time before it
static void
request_seek(recording_t * r, double t, double before)
{
  recording_state_t * s = &r->state;
  r->requests.seek = true;
  r->requests.t = t;
  r->requests.before = fmin(fmax(before, 0), RECORDING_BEFORE);
  s->seeking = true;
  s->t = fmin(fmax(t, s->start), s->end);
}

void
recording_request(recording_t * r, const recording_request_t * q)
{
  recording_lock(r);
  recording_state_t * s = &r->state;
  // play at the end restarts from the beginning
  const bool restart = q->set_playing && q->playing && !q->set_t && s->t >= s->end;
  if (q->set_rate) s->rate = fmin(fmax(q->rate, RECORDING_SLOWEST), RECORDING_FASTEST);
  if (q->set_t && s->open && isfinite(q->t)) request_seek(r, q->t, q->before);
  if (q->set_playing && s->open) {
    if (restart) request_seek(r, s->start, 0);
    s->playing = q->playing;
  }
  s->version++;
  pthread_cond_broadcast(&r->wake);
  recording_unlock(r);
}

void
recording_state(recording_t * r, recording_state_t * out)
{
  recording_lock(r);
  *out = r->state;
  recording_unlock(r);
}

live_t *
recording_live(recording_t * r)
{
  return r->live;
}
