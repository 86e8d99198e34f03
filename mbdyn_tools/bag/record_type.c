// Offered QoS of topics, as text.
#include "record_type.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rmw/qos_profiles.h"

static void
put_time(FILE * out, const char * name, rmw_time_t time)
{
  // rosbag2 knows no larger time than what 63 bits of nanoseconds can hold
  const uint64_t most = 9223372036u, rest = 854775807u;
  const bool endless = time.sec > most || (time.sec == most && time.nsec >= rest);
  fprintf(
    out, "  %s:\n    sec: %" PRIu64 "\n    nsec: %" PRIu64 "\n", name, endless ? most : time.sec,
    endless ? rest : time.nsec);
}

static void
put_profile(FILE * out, const rmw_qos_profile_t * qos)
{
  fprintf(
    out, "- history: %d\n  depth: %zu\n  reliability: %d\n  durability: %d\n", (int)qos->history,
    qos->depth, (int)qos->reliability, (int)qos->durability);
  put_time(out, "deadline", qos->deadline);
  put_time(out, "lifespan", qos->lifespan);
  fprintf(out, "  liveliness: %d\n", (int)qos->liveliness);
  put_time(out, "liveliness_lease_duration", qos->liveliness_lease_duration);
  fputs("  avoid_ros_namespace_conventions: false\n", out);
}

char *
raw_qos_print(const ros_graph_t * graph, const char * topic)
{
  char * text = NULL;
  size_t size;
  FILE * out = open_memstream(&text, &size);
  if (!out) return NULL;
  const ros_endpoint_t * e = NULL;
  while ((e = ros_graph_find(graph, ROS_PUBLISHER, topic, e)) != NULL) put_profile(out, &e->qos);
  if (fclose(out) != 0) {
    free(text);
    return NULL;
  }
  // as rosbag2 writes it: without a line end at the end
  if (size > 0) text[size - 1] = '\0';
  return text;
}

// some profile says so, by number or by word
static bool
says(const char * text, const char * key, const char * number, const char * word)
{
  for (const char * at = text; (at = strstr(at, key)) != NULL;) {
    at += strlen(key);
    const char * value = at + strspn(at, " ");
    if (strncmp(value, number, 1) == 0 || strncmp(value, word, strlen(word)) == 0) return true;
  }
  return false;
}

rmw_qos_profile_t
raw_qos_parse(const char * text)
{
  rmw_qos_profile_t qos = rmw_qos_profile_default;
  // a burst must not overtake itself
  qos.depth = 1000;
  const bool best_effort = says(text, "reliability:", "2", "best_effort");
  const bool reliable = says(text, "reliability:", "1", "reliable");
  if (best_effort && !reliable) qos.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  if (says(text, "durability:", "1", "transient_local")) {
    qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
    // latched: a late subscriber gets the last one
    const char * depth = strstr(text, "depth:");
    const long n = depth ? strtol(depth + 6, NULL, 10) : 1;
    qos.depth = n > 0 && n <= 1000 ? (size_t)n : 1;
  }
  return qos;
}
