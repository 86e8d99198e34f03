// What a page may say: subscribe, unsubscribe, playback, self_motion, ping.
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view_client.h"

static const char * const KIND[VIEW_KINDS] = {
  "mass_matrix", "jacobian",        "operational_space_inertia",
  "summary",     "external_wrench", "singularity",
  "saturated",   "status",          "diagnostics"};

//---------- answers ----------

static void
answer(view_client_t * c, json_t * message)
{
  // its only real number is a time: 16 digits are microseconds
  char * text = json_dumps(message, JSON_COMPACT | JSON_REAL_PRECISION(16));
  // one that does not fit or comes too soon is lost: the page asks faster than it reads
  if (text && strlen(text) < VIEW_REPLY && c->nreply < VIEW_REPLIES) {
    strcpy(c->reply[c->nreply++], text);
  }
  free(text);
  json_decref(message);
}

__attribute__((format(printf, 3, 0))) static bool
refuse_request(view_client_t * c, const char * code, const char * what, const char * name)
{
  char message[200];
  snprintf(message, sizeof message, what, name);
  json_t * text = json_string(message);
  // a name that was cut within a character is no text
  if (!text) text = json_string(code);
  answer(c, json_pack("{s:s, s:s, s:o}", "type", "error", "code", code, "message", text));
  return false;
}

//---------- parts of a subscription ----------

typedef struct subscription {
  int robot;
  bool any_robot, recorded;
  bool all_joints;
  char (*name)[LIVE_NAME];
  int nname;
  unsigned columns, kinds;
  double rate, history;
} subscription_t;

static bool
read_number(
  view_client_t * c, const json_t * request, const char * key, double least, double most,
  double otherwise, double * out)
{
  const json_t * value = json_object_get(request, key);
  *out = otherwise;
  if (!value || json_is_null(value)) return true;
  const double x = json_is_number(value) ? json_number_value(value) : (double)NAN;
  if (!(x >= least && x <= most))
    return refuse_request(c, "bad_request", "%s is out of range", key);
  *out = x;
  return true;
}

typedef const char * (*name_fn)(int i);

static const char *
column_name(int i)
{
  return live_column_name((live_column_t)i);
}

static const char *
kind_name(int i)
{
  return KIND[i];
}

// bits of the names in a list; null: all
static bool
read_names(
  view_client_t * c, const json_t * request, const char * key, const char * code, int n,
  name_fn name_of, unsigned * bits)
{
  const json_t * list = json_object_get(request, key);
  *bits = (1u << n) - 1;
  if (!list || json_is_null(list)) return true;
  if (!json_is_array(list)) return refuse_request(c, "bad_request", "%s is not a list", key);
  *bits = 0;
  for (size_t k = 0; k < json_array_size(list); k++) {
    const char * name = json_string_value(json_array_get(list, k));
    int i = 0;
    while (i < n && (!name || strcmp(name, name_of(i)) != 0)) i++;
    if (i == n) return refuse_request(c, code, "there is no '%.100s'", name ? name : "(not text)");
    *bits |= 1u << i;
  }
  return true;
}

static bool
select_robot(
  view_client_t * c, const json_t * request, const live_view_t * view, subscription_t * w)
{
  const json_t * value = json_object_get(request, "robot");
  w->robot = view->n > 0 ? 0 : -1;
  w->any_robot = !value || json_is_null(value);
  if (w->any_robot) return true;
  const char * id = json_string_value(value);
  for (int i = 0; id && i < view->n; i++) {
    if (strcmp(view->robot[i]->id, id) == 0) return w->robot = i, true;
  }
  return refuse_request(c, "unknown_robot", "there is no robot '%.100s'", id ? id : "(not text)");
}

static bool
knows_joint(const live_robot_t * r, const char * name)
{
  for (int i = 0; i < r->n; i++) {
    if (strcmp(r->joint[i].name, name) == 0) return true;
  }
  return false;
}

static bool
select_joints(
  view_client_t * c, const json_t * request, const live_view_t * view, subscription_t * w)
{
  const json_t * list = json_object_get(request, "joints");
  w->all_joints = !list || json_is_null(list);
  if (w->all_joints) return true;
  const size_t n = json_array_size(list);
  if (!json_is_array(list) || n > LIVE_JOINTS) {
    return refuse_request(c, "bad_request", "%s is not a list of names", "joints");
  }
  w->name = calloc(n + 1, sizeof *w->name);
  if (!w->name) return refuse_request(c, "bad_request", "%s: out of memory", "joints");
  const live_robot_t * r = w->robot >= 0 ? view->robot[w->robot] : NULL;
  for (size_t k = 0; k < n; k++) {
    const char * name = json_string_value(json_array_get(list, k));
    if (!name || strlen(name) >= LIVE_NAME || (r && r->n > 0 && !knows_joint(r, name))) {
      return refuse_request(
        c, "unknown_joint", "there is no joint '%.100s'", name ? name : "(not text)");
    }
    strcpy(w->name[w->nname++], name);
  }
  return true;
}

//---------- requests ----------

static void
apply_subscription(view_client_t * c, subscription_t * w)
{
  free(c->name);
  c->subscribed = true;
  c->any_robot = w->any_robot;
  c->recorded = w->recorded;
  c->robot = w->robot;
  c->all_joints = w->all_joints;
  c->name = w->name;
  c->nname = w->nname;
  c->columns = w->columns;
  c->kinds = w->kinds;
  c->rate = w->rate;
  c->history = w->history;
  w->name = NULL;
  // everything is new to it
  c->model = 0;
  memset(c->sent, 0, sizeof c->sent);
  memset(c->sent_jacobian, 0, sizeof c->sent_jacobian);
  memset(c->due, 0, sizeof c->due);
  memset(c->due_jacobian, 0, sizeof c->due_jacobian);
}

// who has a robot of this name; without a name, or if nobody has, ROS comes first
static bool
is_recorded(const view_sources_t * sources, const json_t * request)
{
  const char * id = json_string_value(json_object_get(request, "robot"));
  live_t * live = recording_live(sources->recording);
  bool found = !sources->live;
  const live_view_t * view = live_lock(live);
  for (int i = 0; id && i < view->n; i++) found = found || strcmp(view->robot[i]->id, id) == 0;
  live_unlock(live);
  return found;
}

static void
subscribe(
  view_client_t * c, const view_sources_t * sources, const view_facts_t * facts,
  const json_t * request)
{
  subscription_t w = {.recorded = is_recorded(sources, request)};
  live_t * live = w.recorded ? recording_live(sources->recording) : sources->live;
  const live_view_t * view = live_lock(live);
  const bool good =
    select_robot(c, request, view, &w) && select_joints(c, request, view, &w) &&
    read_names(c, request, "columns", "unknown_column", LIVE_COLUMNS, column_name, &w.columns) &&
    read_names(c, request, "messages", "bad_request", VIEW_KINDS, kind_name, &w.kinds) &&
    read_number(c, request, "rate", 1, 60, 30, &w.rate) &&
    read_number(c, request, "history", 0, facts->history, 0, &w.history);
  if (good) apply_subscription(c, &w);
  live_unlock(live);
  free(w.name);
}

// the clock of the recording; all pages see the same
static void
playback(view_client_t * c, const view_sources_t * sources, const json_t * request)
{
  recording_request_t q = {0};
  recording_state_t state;
  const json_t * playing = json_object_get(request, "playing");
  recording_state(sources->recording, &state);
  if (!state.open) {
    (void)refuse_request(c, "bad_request", "%s: no recording is open", "playback");
    return;
  }
  if (playing && !json_is_boolean(playing)) {
    (void)refuse_request(c, "bad_request", "%s is neither true nor false", "playing");
    return;
  }
  q.set_playing = playing != NULL;
  q.playing = json_is_true(playing);
  q.set_rate = json_object_get(request, "rate") != NULL;
  q.set_t = json_object_get(request, "t") != NULL;
  const bool good =
    read_number(c, request, "rate", RECORDING_SLOWEST, RECORDING_FASTEST, 1, &q.rate) &&
    read_number(c, request, "t", 0, 1e12, 0, &q.t) &&
    read_number(c, request, "before", 0, RECORDING_BEFORE, 10, &q.before);
  if (good) recording_request(sources->recording, &q);
}

// the curve of configurations with the pose that a frame has; computed here, nothing moves
static void
self_motion(view_client_t * c, const json_t * request)
{
  const char * frame = json_string_value(json_object_get(request, "frame"));
  const json_t * list = json_object_get(request, "position");
  const bool given = list && !json_is_null(list);
  const size_t n = given ? json_array_size(list) : 0;
  if (!c->subscribed) {
    (void)refuse_request(c, "bad_request", "%s: subscribe to a robot first", "self_motion");
  } else if (!frame || strlen(frame) >= LIVE_NAME) {
    (void)refuse_request(c, "bad_request", "%s is not the name of a frame", "frame");
  } else if (given && (!json_is_array(list) || n == 0 || n > LIVE_JOINTS)) {
    (void)refuse_request(c, "bad_request", "%s is not a list of numbers", "position");
  } else {
    double * position = given ? calloc(n, sizeof *position) : NULL;
    for (size_t k = 0; position && k < n; k++) {
      const json_t * x = json_array_get(list, k);
      position[k] = json_is_number(x) ? json_number_value(x) : (double)NAN;
    }
    free(c->motion_position);
    c->motion_position = position;
    c->motion_n = position ? (int)n : 0;
    snprintf(c->motion_frame, sizeof c->motion_frame, "%s", frame);
    c->motion = true;
  }
}

static void
pong(view_client_t * c, const json_t * request)
{
  json_t * id = json_object_get(request, "id");
  const bool fine =
    !id || json_is_number(id) || (json_is_string(id) && json_string_length(id) <= 64);
  if (!fine) {
    (void)refuse_request(c, "bad_request", "%s is neither a number nor a short text", "id");
    return;
  }
  answer(
    c, json_pack("{s:s, s:O, s:f}", "type", "pong", "id", id ? id : json_null(), "t", live_wall()));
}

static bool
too_often(view_client_t * c, double now)
{
  if (now - c->window >= 1) {
    c->window = now;
    c->requests = 0;
  }
  return ++c->requests > VIEW_REQUESTS_PER_SECOND;
}

bool
view_client_request(
  view_client_t * c, const view_sources_t * sources, const view_facts_t * facts, const char * text,
  size_t size, double now)
{
  json_error_t error;
  if (too_often(c, now)) return false;
  json_t * request = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
  const char * type = json_string_value(json_object_get(request, "type"));
  if (!request) {
    (void)refuse_request(c, "bad_json", "not JSON: %.100s", error.text);
  } else if (!type) {
    (void)refuse_request(c, "bad_request", "the text '%s' is missing", "type");
  } else if (strcmp(type, "subscribe") == 0) {
    subscribe(c, sources, facts, request);
  } else if (strcmp(type, "unsubscribe") == 0) {
    c->subscribed = false;
  } else if (strcmp(type, "playback") == 0) {
    playback(c, sources, request);
  } else if (strcmp(type, "self_motion") == 0) {
    self_motion(c, request);
  } else if (strcmp(type, "ping") == 0) {
    pong(c, request);
  } else {
    (void)refuse_request(c, "unknown_type", "unknown request '%.100s'", type);
  }
  json_decref(request);
  return true;
}
