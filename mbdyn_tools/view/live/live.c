// The listening thread: waits, takes, looks around.
#include "live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "live_internal.h"
#include "rcl/error_handling.h"

static double
clock_now(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double
live_monotonic(void)
{
  return clock_now(CLOCK_MONOTONIC);
}

double
live_wall(void)
{
  return clock_now(CLOCK_REALTIME);
}

//---------- waiting ----------

// the wait set has capacity for all, made anew when there is more
static bool
make_wait_set(live_t * live)
{
  const size_t subscriptions = (size_t)live->ntopic, clients = (size_t)live->view.n;
  const bool fits = live->waits_open && subscriptions == live->waits_capacity[0] &&
                    clients == live->waits_capacity[1];
  if (fits) return true;
  if (live->waits_open) ros_ignore(rcl_wait_set_fini(&live->waits));
  live->waits = rcl_get_zero_initialized_wait_set();
  const rcl_ret_t ret = rcl_wait_set_init(
    &live->waits, subscriptions, 1, 0, clients, 0, 0, &live->session->support.context,
    live->session->allocator);
  if (ret != RCL_RET_OK) rcl_reset_error();
  live->waits_open = ret == RCL_RET_OK;
  live->waits_capacity[0] = subscriptions;
  live->waits_capacity[1] = clients;
  return live->waits_open;
}

static rcl_ret_t
fill(live_t * live)
{
  rcl_ret_t ret = rcl_wait_set_clear(&live->waits);
  const rcl_guard_condition_t * graph = rcl_node_get_graph_guard_condition(&live->session->node);
  if (ret == RCL_RET_OK) ret = rcl_wait_set_add_guard_condition(&live->waits, graph, NULL);
  for (int i = 0; i < live->ntopic && ret == RCL_RET_OK; i++) {
    ret = rcl_wait_set_add_subscription(&live->waits, &live->topic[i]->subscription, NULL);
  }
  for (int i = 0; i < live->view.n && ret == RCL_RET_OK; i++) {
    if (!live->question[i].waiting) continue;
    ret = rcl_wait_set_add_client(&live->waits, &live->question[i].client, NULL);
  }
  return ret;
}

static void
rest(long nanoseconds)
{
  const struct timespec time = {0, nanoseconds};
  nanosleep(&time, NULL);
}

static bool
wait_for_messages(live_t * live)
{
  const int64_t tenth = 100000000;
  rcl_ret_t ret = make_wait_set(live) ? fill(live) : RCL_RET_ERROR;
  if (ret == RCL_RET_OK) ret = rcl_wait(&live->waits, tenth);
  if (ret != RCL_RET_OK) rcl_reset_error();
  if (ret != RCL_RET_OK && ret != RCL_RET_TIMEOUT) rest(tenth);
  return ret == RCL_RET_OK;
}

//---------- taking ----------

// what the node says of itself; its status is called after it
static void
take_state(live_view_t * view)
{
  const live_diagnostics_t * d = &view->diagnostics;
  for (int i = 0; i < view->n; i++) {
    live_robot_t * r = view->robot[i];
    const size_t n = strlen(r->node);
    for (int k = 0; k < d->n; k++) {
      if (strncmp(d->status[k].text, r->node, n) != 0 || d->status[k].text[n] != ':') continue;
      const char * state = live_diagnostics_value(&d->status[k], "state");
      const char * mode = live_diagnostics_value(&d->status[k], "mode");
      if (state) snprintf(r->state, sizeof r->state, "%s", state);
      if (d->status[k].version == d->version) r->told = live_monotonic();
      if (mode) snprintf(r->mode, sizeof r->mode, "%s", mode);
    }
  }
}

void
live_take_diagnostics(live_view_t * view, const uint8_t * bytes, size_t size)
{
  if (live_diagnostics_take(&view->diagnostics, bytes, size)) take_state(view);
}

static void
take_all(live_t * live, live_topic_t * topic)
{
  // no more than this in one turn: others want their share
  for (int i = 0; i < 256 && serialized_take(&live->bytes, &topic->subscription); i++) {
    const uint8_t * bytes = live->bytes.message.buffer;
    const size_t size = live->bytes.message.buffer_length;
    pthread_mutex_lock(&live->lock);
    if (topic->robot) {
      (void)live_robot_take(
        topic->robot, topic->kind, topic->count, bytes, size, live_monotonic(), live_wall());
    } else {
      live_take_diagnostics(&live->view, bytes, size);
    }
    pthread_mutex_unlock(&live->lock);
  }
}

static void
look_around(live_t * live, bool graph_changed)
{
  const double now = live_monotonic(), often = 0.2, seldom = 2;
  if (graph_changed && live->next_look > now + often) live->next_look = now + often;
  if (now >= live->next_look) {
    live_find(live);
    live->next_look = now + seldom;
  }
  for (int i = 0; i < live->view.n; i++) live_ask(live, i, now);
  if (now < live->next_tick) return;
  pthread_mutex_lock(&live->lock);
  for (int i = 0; i < live->view.n; i++) {
    live_robot_tick(live->view.robot[i], 1 + now - live->next_tick);
  }
  pthread_mutex_unlock(&live->lock);
  live->next_tick = now + 1;
}

static void *
listen(void * argument)
{
  // some messages at a time: fewer turns, and nobody on this machine has to make room for us
  const long batch = 4000000;
  live_t * live = argument;
  live->next_tick = live_monotonic() + 1;
  while (!atomic_load(&live->ending)) {
    const bool woken = wait_for_messages(live);
    const bool graph = woken && live->waits.guard_conditions[0] != NULL;
    if (woken) {
      for (int i = 0; i < live->ntopic; i++) {
        if (live->waits.subscriptions[i]) take_all(live, live->topic[i]);
      }
      for (int i = 0; i < live->view.n; i++) {
        if (live->question[i].waiting) live_answer(live, i);
      }
    }
    look_around(live, graph);
    if (woken) rest(batch);
  }
  return NULL;
}

//---------- start and end ----------

live_t *
live_create(void)
{
  live_t * live = calloc(1, sizeof *live);
  if (live) pthread_mutex_init(&live->lock, NULL);
  return live;
}

live_t *
live_start(ros_session_t * session, const live_options_t * options)
{
  live_t * live = live_create();
  if (!live) return ros_complain(session->args, "out of memory"), NULL;
  live->session = session;
  live->options = *options;
  live->waits = rcl_get_zero_initialized_wait_set();
  const bool good = serialized_init(&live->bytes, LIVE_MESSAGE) &&
                    live_subscribe(live, NULL, LIVE_KINDS, "/diagnostics");
  live->running = good && pthread_create(&live->thread, NULL, listen, live) == 0;
  if (live->running) return live;
  ros_complain(session->args, "cannot listen");
  live_stop(live);
  return NULL;
}

void
live_stop(live_t * live)
{
  if (!live) return;
  atomic_store(&live->ending, true);
  if (live->running) pthread_join(live->thread, NULL);
  live_ask_end(live);
  if (live->waits_open) ros_ignore(rcl_wait_set_fini(&live->waits));
  live_unsubscribe_all(live);
  for (int i = 0; i < LIVE_ROBOTS; i++) live_robot_destroy(live->view.robot[i]);
  live_diagnostics_fini(&live->view.diagnostics);
  serialized_fini(&live->bytes);
  pthread_mutex_destroy(&live->lock);
  free(live);
}

live_view_t *
live_lock(live_t * live)
{
  pthread_mutex_lock(&live->lock);
  return &live->view;
}

void
live_unlock(live_t * live)
{
  pthread_mutex_unlock(&live->lock);
}
