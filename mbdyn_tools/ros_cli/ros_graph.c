// Endpoints of topics with their QoS and nodes, by the graph functions of rcl.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rcl/error_handling.h"
#include "ros_graph.h"

typedef rcl_ret_t (*info_function_t)(
  const rcl_node_t *, rcutils_allocator_t *, const char *, bool, rcl_topic_endpoint_info_array_t *);

// "/ns/name"; NULL if nobody has said whose it is
static char *
node_name(const rmw_topic_endpoint_info_t * info)
{
  const char * space = info->node_namespace;
  const char * name = info->node_name;
  if (!space || !name || strcmp(name, "_NODE_NAME_UNKNOWN_") == 0) return NULL;
  const size_t size = strlen(space) + strlen(name) + 2;
  char * text = malloc(size);
  if (text) snprintf(text, size, "%s%s%s", space, strcmp(space, "/") == 0 ? "" : "/", name);
  return text;
}

static bool
add_endpoint(ros_graph_t * graph, const char * topic, const rmw_topic_endpoint_info_t * info)
{
  ros_endpoint_t * more = realloc(graph->endpoints, (graph->count + 1) * sizeof *more);
  if (!more) return false;
  graph->endpoints = more;
  ros_endpoint_t * e = &more[graph->count];
  *e = (ros_endpoint_t){
    .kind = info->endpoint_type == RMW_ENDPOINT_PUBLISHER ? ROS_PUBLISHER : ROS_SUBSCRIPTION,
    .name = strdup(topic),
    .type = strdup(info->topic_type),
    .node = node_name(info),
    .qos = info->qos_profile};
  if (e->node) e->node_namespace = strdup(info->node_namespace);
  memcpy(e->guid, info->endpoint_gid, sizeof e->guid);
  if (e->name && e->type) {
    graph->count++;
    return true;
  }
  free(e->name);
  free(e->type);
  free(e->node);
  free(e->node_namespace);
  return false;
}

static bool
add_endpoints(ros_session_t * s, ros_graph_t * graph, const char * topic, info_function_t get)
{
  rcl_topic_endpoint_info_array_t infos = rcl_get_zero_initialized_topic_endpoint_info_array();
  bool good = get(&s->node, &s->allocator, topic, false, &infos) == RCL_RET_OK;
  for (size_t i = 0; good && i < infos.size; i++) {
    good = add_endpoint(graph, topic, &infos.info_array[i]);
  }
  ros_ignore(rcl_topic_endpoint_info_array_fini(&infos, &s->allocator));
  return good;
}

bool
ros_graph_read(ros_session_t * s, ros_graph_t * graph)
{
  *graph = (ros_graph_t){0};
  rcl_names_and_types_t topics = rcl_get_zero_initialized_names_and_types();
  bool good = rcl_get_topic_names_and_types(&s->node, &s->allocator, false, &topics) == RCL_RET_OK;
  for (size_t i = 0; good && i < topics.names.size; i++) {
    const char * topic = topics.names.data[i];
    good = add_endpoints(s, graph, topic, rcl_get_publishers_info_by_topic) &&
           add_endpoints(s, graph, topic, rcl_get_subscriptions_info_by_topic);
  }
  if (!good) {
    ros_complain(s->args, "cannot read the graph");
    ros_graph_free(graph);
  }
  ros_ignore(rcl_names_and_types_fini(&topics));
  ros_graph_sort(graph);
  return good;
}
