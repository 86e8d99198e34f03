#include "recording_topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
last_part(const char * topic)
{
  const char * slash = strrchr(topic, '/');
  return slash ? slash + 1 : topic;
}

static bool
is_cdr(const bag_topic_t * topic)
{
  return strcmp(topic->format, "cdr") == 0;
}

//---------- robots ----------

static recorded_robot_t *
add_robot(recording_topics_t * t, const char * node)
{
  for (int i = 0; i < t->n; i++) {
    if (strcmp(t->robot[i].node, node) == 0) return &t->robot[i];
  }
  if (t->n == LIVE_ROBOTS || strlen(node) >= LIVE_NAME) return NULL;
  recorded_robot_t * r = &t->robot[t->n++];
  *r = (recorded_robot_t){.states = -1, .odometry = -1, .description = -1};
  snprintf(r->node, sizeof r->node, "%s", node);
  return r;
}

// "/ns/mbdyn/mass_matrix" is of "/ns/mbdyn", whatever else that node published
static void
find_node(recording_topics_t * t, const bag_topic_t * topic)
{
  char node[LIVE_NAME];
  live_kind_t kind;
  const char * end = strrchr(topic->name, '/');
  if (strncmp(topic->type, "mbdyn/msg/", 10) != 0 || !end || end == topic->name) return;
  if ((size_t)(end - topic->name) >= sizeof node) return;
  snprintf(node, sizeof node, "%.*s", (int)(end - topic->name), topic->name);
  if (live_kind_of_output(node, topic->name, topic->type, &kind)) (void)add_robot(t, node);
}

// "/ns" of "/ns/name"
static size_t
namespace_size(const char * name)
{
  return (size_t)(last_part(name) - name) - (name[0] == '/' ? 1 : 0);
}

// by its namespace, else the shortest name that ends so; -1: none
static int
find_input(const bag_info_t * info, const char * node, live_kind_t kind, const char * leaf)
{
  int best = -1;
  const size_t n = namespace_size(node);
  for (uint32_t i = 0; i < info->ntopic; i++) {
    const bag_topic_t * topic = &info->topic[i];
    if (!is_cdr(topic) || strcmp(topic->type, live_kind_type(kind)) != 0) continue;
    if (strcmp(last_part(topic->name), leaf) != 0) continue;
    const bool own = namespace_size(topic->name) == n && strncmp(topic->name, node, n) == 0;
    if (own) return (int)i;
    if (best < 0 || strlen(topic->name) < strlen(info->topic[best].name)) best = (int)i;
  }
  return best;
}

static void
find_inputs(recorded_robot_t * r, const bag_info_t * info)
{
  if (r->states < 0) r->states = find_input(info, r->node, LIVE_JOINT_STATES, "joint_states");
  r->odometry = find_input(info, r->node, LIVE_ODOMETRY, "odom");
  r->description = find_input(info, r->node, LIVE_DESCRIPTION, "robot_description");
}

static bool
is_used(const recording_topics_t * t, int topic)
{
  for (int i = 0; i < t->n; i++) {
    if (t->robot[i].states == topic) return true;
  }
  return false;
}

// joint states that no node used
static void
find_lone_states(recording_topics_t * t, const bag_info_t * info, const char * leaf)
{
  for (uint32_t i = 0; i < info->ntopic; i++) {
    const bag_topic_t * topic = &info->topic[i];
    live_kind_t kind;
    if (!is_cdr(topic) || strcmp(topic->type, live_kind_type(LIVE_JOINT_STATES)) != 0) continue;
    if (leaf && strcmp(last_part(topic->name), leaf) != 0) continue;
    bool output = false;
    for (int k = 0; k < t->n; k++) {
      output = output || live_kind_of_output(t->robot[k].node, topic->name, topic->type, &kind);
    }
    if (output || is_used(t, (int)i)) continue;
    recorded_robot_t * r = add_robot(t, topic->name);
    if (!r) continue;
    r->states = (int)i;
    find_inputs(r, info);
  }
}

//---------- topics ----------

static void
set_kind(recording_topics_t * t, int robot, int topic, live_kind_t kind)
{
  if (topic < 0) return;
  t->kind[(size_t)robot * t->ntopic + (size_t)topic] = (int8_t)kind;
  t->robot[robot].kinds |= 1u << kind;
  t->wanted[topic] = true;
}

static void
set_kinds(recording_topics_t * t, int robot, const bag_info_t * info)
{
  const recorded_robot_t * r = &t->robot[robot];
  for (uint32_t i = 0; i < info->ntopic; i++) {
    live_kind_t kind;
    if (!is_cdr(&info->topic[i])) continue;
    if (live_kind_of_output(r->node, info->topic[i].name, info->topic[i].type, &kind)) {
      set_kind(t, robot, (int)i, kind);
    }
  }
  set_kind(t, robot, r->states, LIVE_JOINT_STATES);
  set_kind(t, robot, r->odometry, LIVE_ODOMETRY);
  set_kind(t, robot, r->description, LIVE_DESCRIPTION);
}

bool
recording_topics_find(recording_topics_t * t, const bag_info_t * info)
{
  *t = (recording_topics_t){.ntopic = info->ntopic, .diagnostics = -1};
  for (uint32_t i = 0; i < info->ntopic; i++) {
    if (is_cdr(&info->topic[i])) find_node(t, &info->topic[i]);
    const bool diagnostics =
      strcmp(info->topic[i].name, "/diagnostics") == 0 &&
      strcmp(info->topic[i].type, "diagnostic_msgs/msg/DiagnosticArray") == 0;
    if (diagnostics) t->diagnostics = (int)i;
  }
  for (int i = 0; i < t->n; i++) find_inputs(&t->robot[i], info);
  find_lone_states(t, info, "joint_states");
  if (t->n == 0) find_lone_states(t, info, NULL);
  const size_t cells = (size_t)t->n * t->ntopic + 1;
  t->kind = malloc(cells);
  t->wanted = calloc((size_t)t->ntopic + 1, sizeof *t->wanted);
  if (!t->kind || !t->wanted) return recording_topics_free(t), false;
  memset(t->kind, -1, cells);
  for (int i = 0; i < t->n; i++) set_kinds(t, i, info);
  if (t->diagnostics >= 0) t->wanted[t->diagnostics] = true;
  return true;
}

void
recording_topics_free(recording_topics_t * t)
{
  free(t->kind);
  free(t->wanted);
  *t = (recording_topics_t){.diagnostics = -1};
}

int
recording_topics_kind(const recording_topics_t * t, int robot, uint32_t topic)
{
  return t->kind[(size_t)robot * t->ntopic + topic];
}
