// Playback: passes the messages of a recording up to a time to the robots of the view.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "recording_internal.h"

// messages per lock of the robots; requests are checked in between
enum { BATCH = 64 };

static const double SHORTEST_BEFORE = 2;  // read before a seek target, for slow topics [s]
static const double REST_PERIOD = 0.1;    // of computed matrices, in recording time [s]

double
recording_seconds(int64_t time)
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
set_seeking(recording_t * r, bool seeking)
{
  recording_lock(r);
  r->state.seeking = seeking;
  r->state.version++;
  recording_unlock(r);
}

void
recording_update_note(recording_t * r)
{
  const bag_info_t * info = bag_info(r->bag);
  const char * note = bag_note(r->bag);
  char text[sizeof r->state.note];
  // topics that are not read may continue for a little longer
  const int64_t margin = 500000000;
  const bool cut = r->ended && r->last > 0 && r->last < info->end - margin && *note;
  const double at = recording_seconds(r->last - info->start),
               all = recording_seconds(info->end - info->start);
  if (cut)
    snprintf(text, sizeof text, "%s; nothing can be read after %.3f of %.3f s", note, at, all);
  else
    snprintf(text, sizeof text, "%s", note);
  recording_lock(r);
  // damage remains known after a seek
  if (strlen(text) > strlen(r->state.note)) {
    snprintf(r->state.note, sizeof r->state.note, "%s", text);
    r->state.version++;
  }
  recording_unlock(r);
}

static void
set_missing_joint(recording_t * r, const char * joint)
{
  recording_lock(r);
  if (strcmp(r->state.missing, joint) != 0) {
    snprintf(r->state.missing, sizeof r->state.missing, "%s", joint);
    r->state.version++;
  }
  recording_unlock(r);
}

//---------- messages to robots ----------

// True if joint_dynamics are computed from the message: joint states are shown on their own otherwise.
static bool
feed_compute(recording_t * r, feed_t * f, live_kind_t kind, const bag_message_t * m)
{
  const double t = recording_seconds(m->log_time);
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
  if (t - f->since > 1) set_missing_joint(r, missing);
  return t - f->since <= 1;
}

static void
apply_message(recording_t * r, live_view_t * view, const bag_message_t * m)
{
  const double t = recording_seconds(m->log_time);
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

// false at the end, or if the file cannot be read any further
static bool
read_next(recording_t * r)
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
  recording_update_note(r);
  if (got < 0) recording_set_error(r, error.text);
  return false;
}

// reads messages up to a time; false if a request arrives meanwhile
static bool
read_until(recording_t * r, int64_t until)
{
  bool more = true;
  while (more) {
    if (recording_is_interrupted(r)) return false;
    live_view_t * view = live_lock(r->live);
    for (int i = 0; i < BATCH && more; i++) {
      more = read_next(r) && r->pending.log_time <= until;
      if (!more) break;
      apply_message(r, view, &r->pending);
      r->has_pending = false;
    }
    live_unlock(r->live);
  }
  return true;
}

void
recording_flush_robots(recording_t * r)
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
  recording_update_note(r);
  r->ticked = r->position;
}

static void
hold_robots(recording_t * r, bool holding)
{
  (void)live_lock(r->live);
  for (int i = 0; i < r->topics.n; i++) r->feed[i].robot->held = holding;
  live_unlock(r->live);
}

// Pages do not see the states in between: robots are held until the target is reached.
void
recording_seek(recording_t * r, double t, double before)
{
  const bag_info_t * info = bag_info(r->bag);
  bag_error_t error;
  const double start = recording_seconds(info->start), end = recording_seconds(info->end);
  const double to = fmin(fmax(t, start), end), from = to - fmax(before, SHORTEST_BEFORE);
  hold_robots(r, true);
  set_seeking(r, true);
  r->has_pending = r->ended = false;
  r->last = 0;
  if (!bag_select(r->bag, r->topics.wanted, time_of(from), INT64_MAX, &error)) {
    r->ended = true;
    recording_set_error(r, error.text);
  }
  (void)live_lock(r->live);
  for (int i = 0; i < r->topics.n; i++) {
    live_robot_rewind(r->feed[i].robot);
    r->feed[i].since = r->feed[i].rest = 0;
    if (r->feed[i].compute) recording_compute_restart(r->feed[i].compute);
  }
  live_unlock(r->live);
  r->position = to;
  // exact, as a double of seconds since 1970 is rounded
  const bool whole = read_until(r, to >= end ? info->end : time_of(to));
  if (!whole) return;
  recording_flush_robots(r);
  r->ticked = fmax(from, start);
  tick(r);
  hold_robots(r, false);
  recording_lock(r);
  r->state.seeking = false;
  r->state.t = r->position;
  r->state.version++;
  recording_unlock(r);
  r->clock = live_monotonic();
  r->clock_start = r->position;
}

void
recording_play(recording_t * r, double rate)
{
  const double now = live_monotonic(), end = recording_seconds(bag_info(r->bag)->end);
  const double target = r->clock_start + (now - r->clock) * rate;
  if (!read_until(r, time_of(target))) return;
  // a lag is not caught up if the machine is too slow for the rate
  r->clock = now;
  r->clock_start = r->position = fmin(target, end);
  tick(r);
  const bool over = r->ended || target >= end;
  if (over) recording_flush_robots(r);
  recording_lock(r);
  // a seek requested meanwhile has set both already
  if (!r->requests.seek) {
    r->state.t = r->position;
    r->state.version += over;
    if (over) r->state.playing = false;
  }
  recording_unlock(r);
}
