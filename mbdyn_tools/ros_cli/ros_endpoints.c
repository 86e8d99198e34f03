// What can be asked of a graph that has been read, wherever it came from.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rmw/qos_profiles.h"
#include "ros_graph.h"
#include "ros_topic.h"

static int
compare(const void * a, const void * b)
{
  const ros_endpoint_t * x = a;
  const ros_endpoint_t * y = b;
  const int names = strcmp(x->name, y->name);
  return names ? names : strcmp(x->type, y->type);
}

void
ros_graph_sort(ros_graph_t * graph)
{
  if (graph->count) qsort(graph->endpoints, graph->count, sizeof *graph->endpoints, compare);
}

void
ros_graph_free(ros_graph_t * graph)
{
  for (size_t i = 0; i < graph->count; i++) {
    free(graph->endpoints[i].name);
    free(graph->endpoints[i].type);
    free(graph->endpoints[i].node);
    free(graph->endpoints[i].node_namespace);
  }
  free(graph->endpoints);
  *graph = (ros_graph_t){0};
}

const ros_endpoint_t *
ros_graph_find(
  const ros_graph_t * graph, unsigned kinds, const char * name, const ros_endpoint_t * from)
{
  const ros_endpoint_t * end = graph->endpoints + graph->count;
  for (const ros_endpoint_t * e = from ? from + 1 : graph->endpoints; e != end; e++) {
    if ((e->kind & kinds) && strcmp(e->name, name) == 0) return e;
  }
  return NULL;
}

ros_wake_t
ros_graph_wait_topic(ros_session_t * s, unsigned kinds, const char * name, ros_graph_t * graph)
{
  const int64_t until = ros_after(ros_or(s->args->wait, 3));
  *graph = (ros_graph_t){0};
  for (;;) {
    ros_graph_free(graph);
    if (!ros_graph_read(s, graph)) return ROS_FAILED;
    if (ros_graph_find(graph, kinds, name, NULL)) return ROS_WOKEN;
    const ros_wake_t wake = ros_wait(s, (ros_waited_t){.graph = true}, until);
    if (wake != ROS_WOKEN) return wake;
  }
}

//---------- topics ----------

bool
ros_topic_several_types(const ros_args_t * args, const ros_graph_t * graph, const char * topic)
{
  const unsigned kinds = ROS_PUBLISHER | ROS_SUBSCRIPTION;
  const ros_endpoint_t * first = ros_graph_find(graph, kinds, topic, NULL);
  for (const ros_endpoint_t * e = first; e; e = ros_graph_find(graph, kinds, topic, e)) {
    if (strcmp(e->type, first->type) == 0) continue;
    fprintf(
      stderr, "mbdyn %s: '%s' has several types (%s, %s): choose one with --type\n", args->command,
      topic, first->type, e->type);
    return true;
  }
  return false;
}

rmw_qos_profile_t
ros_topic_qos(const ros_graph_t * graph, const char * topic)
{
  rmw_qos_profile_t qos = rmw_qos_profile_default;
  size_t count = 0, reliable = 0, latched = 0;
  const ros_endpoint_t * e = NULL;
  while ((e = ros_graph_find(graph, ROS_PUBLISHER, topic, e)) != NULL) {
    count++;
    reliable += e->qos.reliability == RMW_QOS_POLICY_RELIABILITY_RELIABLE;
    latched += e->qos.durability == RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  }
  if (reliable < count) qos.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  if (count > 0 && latched == count) qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  return qos;
}
