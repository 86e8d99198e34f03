// Opening a recording: its robots, their descriptions and models.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message_layout.h"
#include "recording_internal.h"

// the first message of a topic; false if there is none
static bool
first_message(recording_t * r, int topic, bag_message_t * message)
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

// A robot with odometry has a floating base, unless joint_dynamics of its node has no base coordinates.
static bool
is_floating(recording_t * r, int robot)
{
  bag_message_t m;
  wire_joints_t joints;
  wire_joint_dynamics_t first;
  if (r->topics.robot[robot].odometry < 0) return false;
  const int topic = topic_of_kind(r, robot, LIVE_JOINT_DYNAMICS);
  if (topic < 0 || !first_message(r, topic, &m)) return true;
  if (!wire_read_joints(m.data, m.size, &joints) || !wire_next_joint(&joints, &first)) return false;
  return first.name.size > 3 && memcmp(first.name.data + first.name.size - 3, ".vx", 3) == 0;
}

static void
load_description(recording_t * r, int robot)
{
  bag_message_t m;
  wire_text_t text;
  live_robot_t * to = r->feed[robot].robot;
  const bool floating = is_floating(r, robot);
  const bool got = first_message(r, r->topics.robot[robot].description, &m) &&
                   live_read_text(m.data, m.size, &text);
  (void)live_lock(r->live);
  to->floating = floating;
  const bool known = got && live_robot_set_urdf(to, text.data, text.size);
  recording_lock(r);
  if (!known && r->urdf) (void)live_robot_set_urdf(to, r->urdf, r->urdf_size);
  recording_unlock(r);
  live_unlock(r->live);
}

static void
create_compute(recording_t * r, int robot)
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

void
recording_load_descriptions(recording_t * r)
{
  for (int i = 0; i < r->topics.n; i++) load_description(r, i);
}

void
recording_update_models(recording_t * r)
{
  unsigned computed = 0;
  bool missing = false;
  for (int i = 0; i < r->topics.n; i++) {
    create_compute(r, i);
    if (r->feed[i].compute) computed |= recording_compute_kinds() & ~r->topics.robot[i].kinds;
    missing = missing || !r->feed[i].robot->urdf;
  }
  recording_lock(r);
  r->state.computed = computed;
  r->state.needs_urdf = missing;
  r->state.missing[0] = 0;
  r->state.version++;
  recording_unlock(r);
}

static live_robot_t *
make_robot(live_view_t * view, int i)
{
  char id[32] = "/recording";
  if (view->robot[i]) return view->robot[i];
  // the ID does not change when another recording is opened
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

double
recording_first_joint_time(recording_t * r)
{
  bag_message_t m;
  int topic = topic_of_kind(r, 0, LIVE_JOINT_DYNAMICS);
  if (topic < 0) topic = r->topics.robot[0].states;
  if (!first_message(r, topic, &m)) return recording_seconds(bag_info(r->bag)->start);
  // the resolution of a double of seconds since 1970 is 0.24 us
  return recording_seconds(m.log_time + 1000);
}

void
recording_close_bag(recording_t * r)
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

bool
recording_open_bag(recording_t * r, const char * path, bag_error_t * error)
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
      "'%.300s': none of its %u topics has joint states (sensor_msgs/msg/JointState) or messages "
      "of "
      "mbdyn_node",
      path, info->ntopic);
    return false;
  }
  r->count = calloc((size_t)r->topics.n * info->ntopic + 1, 1);
  return r->count && make_robots(r);
}
