#include "top_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char * const KEY[TOP_KEYS] = {"order", "name",    "position", "velocity",
                                           "total", "gravity", "residual", "limit"};

const char *
top_key_name(top_key_t key)
{
  return KEY[key];
}

//---------- limits ----------

static void
offer(top_joint_t * j, top_limit_t limit, double used)
{
  if (!isfinite(used) || used <= j->used) return;
  j->used = used;
  j->nearest = limit;
}

// of a position, how far it is from the middle of its range
void
top_used(top_joint_t * j)
{
  j->nearest = TOP_NO_LIMIT;
  j->used = -1;
  const double middle = (j->lower + j->upper) / 2, half = (j->upper - j->lower) / 2;
  if (half > 0) offer(j, TOP_POSITION, fabs(j->x[LIVE_POSITION] - middle) / half);
  if (j->velocity > 0) offer(j, TOP_VELOCITY, fabs(j->x[LIVE_VELOCITY]) / j->velocity);
  if (j->effort > 0) {
    const double sent = j->x[LIVE_COMMAND];
    offer(j, TOP_TORQUE, fabs(isfinite(sent) ? sent : j->x[LIVE_TOTAL]) / j->effort);
  }
  if (j->nearest == TOP_NO_LIMIT) j->used = (double)NAN;
}

//---------- copying ----------

static void
copy_joint(const live_robot_t * r, int i, top_joint_t * j)
{
  const live_joint_info_t * info = &r->joint[i];
  snprintf(j->name, sizeof j->name, "%s", info->name);
  for (int k = 0; k < LIVE_COLUMNS; k++) {
    j->x[k] = (double)live_robot_number(r, (live_column_t)k, i);
  }
  j->lower = info->lower;
  j->upper = info->upper;
  j->velocity = info->velocity;
  j->effort = info->effort;
  j->saturated = info->saturated;
  top_used(j);
}

// the history has two rows per 0.2 s: of each pair the one that is further from zero
static void
copy_sparks(const live_robot_t * r, live_column_t column, top_data_t * d)
{
  const live_rows_t * h = &r->history;
  const uint64_t oldest = live_rows_oldest(h);
  uint64_t pairs = (h->next - oldest) / 2;
  if (pairs > TOP_SPARK) pairs = TOP_SPARK;
  const uint64_t from = h->next - 2 * pairs;
  for (int i = 0; i < d->n; i++) {
    const size_t at = (size_t)column * (size_t)r->n + (size_t)i;
    d->joint[i].nspark = (int)pairs;
    for (uint64_t k = 0; k < pairs; k++) {
      const float a = h->x[(from + 2 * k) % h->capacity * h->width + at];
      const float b = h->x[(from + 2 * k + 1) % h->capacity * h->width + at];
      d->joint[i].spark[k] = isnan(a) || fabsf(b) > fabsf(a) ? b : a;
    }
  }
}

static double
rate_of(const live_robot_t * r, const char * type, const char * ending)
{
  for (int i = 0; i < r->ncount; i++) {
    const size_t n = strlen(r->count[i].topic), e = strlen(ending);
    const bool ends = n >= e && strcmp(r->count[i].topic + n - e, ending) == 0;
    if (ends && strcmp(r->count[i].type, type) == 0) return r->count[i].hz;
  }
  return (double)NAN;
}

static void
copy_robot(const live_robot_t * r, live_column_t spark, top_data_t * d)
{
  wire_dynamics_summary_t summary;
  const live_bytes_t * bytes = &r->message[LIVE_DYNAMICS];
  d->known = true;
  snprintf(d->node, sizeof d->node, "%s", r->node);
  snprintf(d->model, sizeof d->model, "%s", r->model_name);
  const double now = live_monotonic();
  const char * state = live_robot_state(r, now);
  // "active" of a node that has stopped would mislead
  const bool stopped = !live_robot_node_alive(r, now) && (!*state || strcmp(state, "active") == 0);
  snprintf(d->state, sizeof d->state, "%s", stopped ? "NODE IS SILENT" : state);
  snprintf(d->mode, sizeof d->mode, "%s", r->mode);
  d->alive = live_robot_alive(r, now);
  d->t = r->t;
  d->threshold = r->threshold;
  d->dynamics_hz = rate_of(r, "mbdyn/msg/JointDynamicsArray", "");
  // the residual is a JointState too
  d->states_hz = rate_of(r, "sensor_msgs/msg/JointState", "joint_states");
  const bool known =
    bytes->version &&
    wire_read_message(&wire_layout_dynamics_summary, bytes->bytes, bytes->size, &summary);
  d->dropped = known ? summary.dropped : 0;
  d->n = r->n;
  d->nsaturated = 0;
  for (int i = 0; i < r->n; i++) {
    copy_joint(r, i, &d->joint[i]);
    d->nsaturated += d->joint[i].saturated;
  }
  for (int k = 0; k < LIVE_SCALARS; k++) {
    const size_t at = (size_t)LIVE_COLUMNS * (size_t)r->n + (size_t)k;
    d->scalar[k] = r->n > 0 ? (double)r->now[at] : (double)NAN;
  }
  if (r->n > 0) copy_sparks(r, spark, d);
}

void
top_take(top_data_t * d, live_t * live, int robot, live_column_t spark)
{
  const live_view_t * view = live_lock(live);
  d->robots = view->n;
  d->known = false;
  d->n = 0;
  if (view->n > 0) {
    d->robot = ((robot % view->n) + view->n) % view->n;
    copy_robot(view->robot[d->robot], spark, d);
  }
  live_unlock(live);
}

//---------- order ----------

static double
key_of(const top_joint_t * j, top_key_t key)
{
  switch (key) {
    case TOP_BY_POSITION: return fabs(j->x[LIVE_POSITION]);
    case TOP_BY_VELOCITY: return fabs(j->x[LIVE_VELOCITY]);
    case TOP_BY_TOTAL: return fabs(j->x[LIVE_TOTAL]);
    case TOP_BY_GRAVITY: return fabs(j->x[LIVE_GRAVITY]);
    case TOP_BY_RESIDUAL: return fabs(j->x[LIVE_RESIDUAL]);
    case TOP_BY_LIMIT: return j->used;
    default: return 0;
  }
}

// whether a comes before b; what is not known comes last in any case
static bool
before(const top_joint_t * a, const top_joint_t * b, top_key_t key, bool reverse)
{
  if (key == TOP_BY_NAME) {
    const int names = strcmp(a->name, b->name);
    return reverse ? names > 0 : names < 0;
  }
  const double x = key_of(a, key), y = key_of(b, key);
  if (isnan(x) || isnan(y)) return !isnan(x) && isnan(y);
  return reverse ? x < y : x > y;
}

// by insertion: few joints, nearly sorted from one time to the next, and equal ones stay
void
top_sort(const top_data_t * d, top_key_t key, bool reverse, int order[LIVE_JOINTS])
{
  for (int i = 0; i < d->n; i++) {
    if (key == TOP_BY_ORDER) {
      order[i] = reverse ? d->n - 1 - i : i;
      continue;
    }
    int k = i;
    for (; k > 0 && before(&d->joint[i], &d->joint[order[k - 1]], key, reverse); k--) {
      order[k] = order[k - 1];
    }
    order[k] = i;
  }
}
