#include "view_client.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view_messages.h"
#include "view_motion.h"

// numbers in one message, and rows in one that is live
enum { MOST_NUMBERS = 100000, MOST_HISTORY = 500, MOST_ROWS = 24 };

static const double PERIOD[VIEW_KINDS] = {0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.5, 0.5};

void
view_client_init(view_client_t * client)
{
  memset(client, 0, sizeof *client);
  client->robot = -1;
}

void
view_client_fini(view_client_t * client)
{
  free(client->name);
  free(client->motion_position);
  client->name = NULL;
  client->motion_position = NULL;
}

void
view_scratch_fini(view_scratch_t * scratch)
{
  json_out_fini(&scratch->text);
  free(scratch->t);
  free(scratch->x);
  free(scratch->bytes);
  memset(scratch, 0, sizeof *scratch);
}

//---------- greeting, robots, answers ----------

static uint64_t
hash(const char * text, size_t n)
{
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < n; i++) h = (h ^ (uint8_t)text[i]) * 1099511628211u;
  return h;
}

static bool
next_robots(view_client_t * c, const view_sources_t * sources, view_scratch_t * s, double now)
{
  if (now < c->due_robots) return false;
  c->due_robots = now + 0.1;
  view_robots(&s->text, sources, now);
  const uint64_t h = s->text.ok ? hash(json_out_text(&s->text), s->text.size) : c->robots;
  if (h == c->robots) return false;
  c->robots = h;
  return true;
}

// its state when that changes, its clock now and then
static bool
next_playback(view_client_t * c, recording_t * recording, view_scratch_t * s, double now)
{
  recording_state_t state;
  recording_state(recording, &state);
  const bool none = !state.open && !state.opening && !state.error[0];
  const bool moved = c->recorded && state.t != c->playback_t && now >= c->due_playback;
  if (none || (state.version == c->playback && !moved)) return false;
  c->playback = state.version;
  c->playback_t = state.t;
  c->due_playback = now + 0.1;
  view_playback(&s->text, &state);
  return true;
}

static bool
next_reply(view_client_t * c, view_scratch_t * s)
{
  if (c->nreply == 0) return false;
  json_out_clear(&s->text);
  json_out_raw(&s->text, c->reply[0], strlen(c->reply[0]));
  memmove(c->reply[0], c->reply[1], sizeof c->reply[0] * (size_t)(--c->nreply));
  return true;
}

//---------- model ----------

// which joints its names mean now
static void
choose_joints(view_client_t * c, const live_robot_t * r)
{
  memset(c->wanted, 0, sizeof c->wanted);
  for (int k = 0; k < c->nname; k++) {
    for (int i = 0; i < r->n; i++) {
      if (strcmp(c->name[k], r->joint[i].name) == 0) c->wanted[i] = true;
    }
  }
}

// rows begin anew: those of the past that it asked for, then what comes
static void
start_rows(view_client_t * c, const live_robot_t * r)
{
  c->history_at = c->history_end = r->history.next;
  c->next_row = c->whole_rows = r->rows.next;
  if (r->recorded) c->next_row = live_rows_oldest(&r->rows);
  if (r->recorded) return;
  if (c->history <= 0 || r->n == 0) return;
  c->history_at = live_rows_first_after(&r->history, r->t - c->history);
  if (c->history_at == c->history_end) {
    c->next_row = live_rows_first_after(&r->rows, r->t - c->history);
    return;
  }
  double last;
  float * row = malloc(r->width * sizeof *row);
  if (!row) return;
  live_rows_copy(&r->history, c->history_end - 1, 1, &last, row);
  c->next_row = live_rows_first_after(&r->rows, last);
  free(row);
}

static bool
next_model(
  view_client_t * c, const live_robot_t * r, const view_facts_t * facts, view_scratch_t * s)
{
  if (c->model == r->version) return false;
  c->model = r->version;
  c->resets = r->resets;
  choose_joints(c, r);
  start_rows(c, r);
  c->history = 0;
  view_model(&s->text, r, facts->mechanism);
  return true;
}

static bool
next_reset(view_client_t * c, const live_robot_t * r, view_scratch_t * s)
{
  if (c->resets == r->resets) return false;
  c->resets = r->resets;
  c->next_row = live_rows_oldest(&r->rows);
  c->whole_rows = r->recorded ? r->rows.next : 0;
  c->history_at = c->history_end;
  view_reset(&s->text, r);
  return true;
}

//---------- samples ----------

static bool
reserve(view_scratch_t * s, size_t rows, size_t numbers)
{
  if (rows > s->rows) {
    double * t = realloc(s->t, rows * sizeof *t);
    if (!t) return false;
    s->t = t;
    s->rows = rows;
  }
  if (numbers > s->numbers) {
    float * x = realloc(s->x, numbers * sizeof *x);
    if (!x) return false;
    s->x = x;
    s->numbers = numbers;
  }
  return true;
}

static view_rows_t
rows_of(const live_robot_t * r, const view_scratch_t * s, size_t rows)
{
  return (view_rows_t){
    .robot = r->id,
    .model = r->version,
    .joints = r->n,
    .rows = rows,
    .width = r->width,
    .t = s->t,
    .x = s->x};
}

// called with the lock; rows are copied, text is made without it
static bool
take_history(view_client_t * c, const live_robot_t * r, view_scratch_t * s, view_rows_t * rows)
{
  const uint64_t oldest = live_rows_oldest(&r->history);
  if (c->history_at < oldest) c->history_at = oldest;
  if (c->history_at >= c->history_end) return false;
  const size_t most = MOST_NUMBERS / r->width > 1 ? MOST_NUMBERS / r->width : 1;
  size_t n = (size_t)(c->history_end - c->history_at);
  if (n > MOST_HISTORY) n = MOST_HISTORY;
  if (n > most) n = most;
  if (!reserve(s, n, n * r->width)) return false;
  live_rows_copy(&r->history, c->history_at, n, s->t, s->x);
  c->history_at += n;
  *rows = rows_of(r, s, n);
  return true;
}

// of a recording, before the moment it jumped to: all of them, in parts
static bool
take_whole_rows(view_client_t * c, const live_robot_t * r, view_scratch_t * s, view_rows_t * rows)
{
  const size_t most = MOST_NUMBERS / r->width > 1 ? MOST_NUMBERS / r->width : 1;
  size_t n = (size_t)(c->whole_rows - c->next_row);
  if (n > MOST_HISTORY) n = MOST_HISTORY;
  if (n > most) n = most;
  if (!reserve(s, n, n * r->width)) return false;
  live_rows_copy(&r->rows, c->next_row, n, s->t, s->x);
  c->next_row += n;
  *rows = rows_of(r, s, n);
  return true;
}

static bool
take_rows(view_client_t * c, const live_robot_t * r, view_scratch_t * s, view_rows_t * rows)
{
  const uint64_t oldest = live_rows_oldest(&r->rows);
  if (c->next_row < oldest) {
    c->thinned += oldest - c->next_row;
    c->next_row = oldest;
  }
  if (c->next_row < c->whole_rows) return take_whole_rows(c, r, s, rows);
  const size_t n = (size_t)(r->rows.next - c->next_row);
  if (n == 0 || !reserve(s, n, n * r->width)) return false;
  live_rows_copy(&r->rows, c->next_row, n, s->t, s->x);
  c->next_row = r->rows.next;
  // who asked for few messages gets all rows in them; who is too slow for many gets fewer rows
  const size_t asked = 2 * (size_t)(40 / c->rate), most = asked > MOST_ROWS ? asked : MOST_ROWS;
  const size_t kept = live_rows_merge(s->t, s->x, r->width, n, most);
  c->thinned += n - kept;
  *rows = rows_of(r, s, kept);
  return true;
}

static void
take_pose(const live_robot_t * r, view_pose_t * pose)
{
  pose->t = r->t;
  pose->floating = r->floating;
  memcpy(pose->position, r->position, (size_t)r->n * sizeof *r->position);
  memcpy(pose->base, r->base, sizeof pose->base);
}

// \return whether there is something to say; the lock is open then
static bool
next_samples(
  view_client_t * c, live_t * live, const live_robot_t * r, view_scratch_t * s, double now)
{
  view_rows_t rows;
  view_pose_t pose;
  const bool past = take_history(c, r, s, &rows);
  if (!past) {
    if (now < c->due_samples || !take_rows(c, r, s, &rows)) return false;
    // what is late does not come in a heap
    if (c->next_row >= c->whole_rows) c->due_samples = fmax(c->due_samples + 1 / c->rate, now);
    take_pose(r, &pose);
    rows.pose = &pose;
  }
  // robots are never destroyed while the server runs, and their IDs never change
  live_unlock(live);
  view_samples(&s->text, c, &rows);
  return true;
}

//---------- the rest ----------

static bool
copy_bytes(view_scratch_t * s, const live_bytes_t * from)
{
  if (from->size > s->capacity) {
    uint8_t * more = realloc(s->bytes, from->size);
    if (!more) return false;
    s->bytes = more;
    s->capacity = from->size;
  }
  memcpy(s->bytes, from->bytes, from->size);
  return true;
}

typedef bool (*bytes_fn)(json_out_t *, const char *, const uint8_t *, size_t);

static const struct {
  live_kind_t from;
  bytes_fn make;
} OF_BYTES[VIEW_KINDS] = {
  [VIEW_MASS_MATRIX] = {LIVE_MASS_MATRIX, view_mass_matrix},
  [VIEW_INERTIA] = {LIVE_OPERATIONAL_INERTIA, view_inertia},
  [VIEW_SUMMARY] = {LIVE_DYNAMICS, view_summary},
  [VIEW_WRENCH] = {LIVE_EXTERNAL_WRENCH, view_wrench},
  [VIEW_SINGULARITY] = {LIVE_SINGULARITY, view_singularity}};

// new bytes of a kind; the lock is open if there are any
static bool
next_bytes(
  live_t * live, const live_robot_t * r, const live_bytes_t * from, uint64_t * sent,
  view_scratch_t * s, bytes_fn make)
{
  if (from->version == 0 || *sent == from->version) return false;
  *sent = from->version;
  const size_t size = from->size;
  if (!copy_bytes(s, from)) return false;
  live_unlock(live);
  if (make(&s->text, r->id, s->bytes, size)) return true;
  (void)live_lock(live);
  return false;
}

static bool
next_jacobian(
  view_client_t * c, live_t * live, const live_robot_t * r, view_scratch_t * s, double now)
{
  for (int i = 0; i < r->nframe; i++) {
    if (now < c->due_jacobian[i]) continue;
    if (!next_bytes(live, r, &r->jacobian[i], &c->sent_jacobian[i], s, view_jacobian)) continue;
    c->due_jacobian[i] = now + PERIOD[VIEW_JACOBIAN];
    return true;
  }
  return false;
}

// the three that are made with the lock held
static bool
next_state(
  view_client_t * c, live_t * live, const live_view_t * view, const live_robot_t * r,
  view_scratch_t * s, view_kind_t kind)
{
  if (kind == VIEW_SATURATED) {
    if (c->sent[kind] == r->saturated_version) return false;
    c->sent[kind] = r->saturated_version;
    view_saturated(&s->text, r);
  } else if (kind == VIEW_STATUS) {
    view_status(&s->text, r, c->thinned);
  } else {
    if (c->sent[kind] == view->diagnostics.version) return false;
    c->sent[kind] = view->diagnostics.version;
    view_diagnostics(&s->text, &view->diagnostics);
  }
  live_unlock(live);
  return true;
}

static bool
next_kind(
  view_client_t * c, live_t * live, const live_view_t * view, const live_robot_t * r,
  view_scratch_t * s, double now)
{
  for (int k = 0; k < VIEW_KINDS; k++) {
    const view_kind_t kind = (view_kind_t)k;
    if (!(c->kinds & 1u << k) || now < c->due[k]) continue;
    bool made;
    if (kind == VIEW_JACOBIAN)
      made = next_jacobian(c, live, r, s, now);
    else if (OF_BYTES[k].make)
      made = next_bytes(live, r, &r->message[OF_BYTES[k].from], &c->sent[k], s, OF_BYTES[k].make);
    else
      made = next_state(c, live, view, r, s, kind);
    if (!made) continue;
    if (kind != VIEW_JACOBIAN) c->due[k] = now + PERIOD[k];
    return true;
  }
  return false;
}

// computed with the lock open, from a copy of what is known
static bool
next_motion(
  view_client_t * c, live_t * live, const live_robot_t * r, view_scratch_t * s, double now)
{
  view_motion_t * motion = view_motion_create(r, c->motion_frame, c->motion_position, c->motion_n);
  live_unlock(live);
  c->motion = false;
  c->due_motion = now + VIEW_MOTION_PERIOD;
  view_motion(&s->text, motion);
  view_motion_destroy(motion);
  return true;
}

static bool
next_of_robot(
  view_client_t * c, const view_sources_t * sources, const view_facts_t * facts, view_scratch_t * s,
  double now)
{
  live_t * live = c->recorded ? recording_live(sources->recording) : sources->live;
  const live_view_t * view = live_lock(live);
  if (c->any_robot && c->robot < 0 && view->n > 0) c->robot = 0;
  const live_robot_t * r = c->robot >= 0 ? view->robot[c->robot] : NULL;
  if (r && r->n > 0 && !r->held) {
    // a model that came with the jump does not tell that time went back
    const bool told = (c->model > 0 && next_reset(c, r, s)) || next_model(c, r, facts, s);
    if (told) return live_unlock(live), true;
    if (c->motion && now >= c->due_motion) return next_motion(c, live, r, s, now);
    if (next_samples(c, live, r, s, now) || next_kind(c, live, view, r, s, now)) return true;
  }
  live_unlock(live);
  return false;
}

bool
view_client_next(
  view_client_t * c, const view_sources_t * sources, const view_facts_t * facts, view_scratch_t * s,
  double now)
{
  bool made = true;
  if (!c->greeted) {
    c->greeted = true;
    view_hello(&s->text, facts);
  } else {
    made = next_robots(c, sources, s, now) || next_reply(c, s) ||
           next_playback(c, sources->recording, s, now) ||
           (c->subscribed && next_of_robot(c, sources, facts, s, now));
  }
  return made && s->text.ok;
}
