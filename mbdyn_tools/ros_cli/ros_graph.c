// Endpoints on the network with their QoS and nodes. rcl has functions for parts of this that the
// stand-in lacks, so this looks behind its context.
#include "ros_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "impl.h"

//---------- names ----------

// middle part of "prefix/NAMEsuffix" as "/NAME", or NULL
static char *
strip(const char * text, const char * prefix, const char * suffix)
{
  const size_t p = strlen(prefix), s = strlen(suffix), n = strlen(text);
  if (n <= p + s || strncmp(text, prefix, p) != 0 || text[p] != '/') return NULL;
  return strcmp(text + n - s, suffix) == 0 ? strndup(text + p, n - p - s) : NULL;
}

// "a::msg::dds_::B_" is "a/msg/B"; the suffix goes
static char *
ros_type(const char * dds, const char * suffix)
{
  const char * kind = strstr(dds, "::");
  const char * mark = strstr(dds, "::dds_::");
  const size_t n = strlen(dds), s = strlen(suffix);
  if (!mark || kind >= mark || n < s || strcmp(dds + n - s, suffix) != 0) return strdup(dds);
  const char * name = mark + strlen("::dds_::");
  char * type = malloc(n + 1);
  if (!type) return NULL;
  snprintf(
    type, n + 1, "%.*s/%.*s/%.*s", (int)(kind - dds), dds, (int)(mark - kind - 2), kind + 2,
    (int)(strlen(name) - s), name);
  return type;
}

//---------- QoS ----------

static rmw_time_t
ros_time(dds_duration_t duration)
{
  if (duration == DDS_INFINITY) return (rmw_time_t)RMW_DURATION_INFINITE;
  const uint64_t ns = duration < 0 ? 0 : (uint64_t)duration;
  return (rmw_time_t){ns / 1000000000u, ns % 1000000000u};
}

static rmw_qos_profile_t
ros_qos(const dds_qos_t * dds)
{
  rmw_qos_profile_t qos = {
    .history = RMW_QOS_POLICY_HISTORY_UNKNOWN,
    .reliability = RMW_QOS_POLICY_RELIABILITY_UNKNOWN,
    .durability = RMW_QOS_POLICY_DURABILITY_UNKNOWN,
    .liveliness = RMW_QOS_POLICY_LIVELINESS_UNKNOWN};
  dds_reliability_kind_t reliability;
  dds_durability_kind_t durability;
  dds_history_kind_t history;
  dds_liveliness_kind_t liveliness;
  dds_duration_t time;
  int32_t depth;
  if (dds_qget_reliability(dds, &reliability, &time)) {
    qos.reliability = reliability == DDS_RELIABILITY_RELIABLE
                        ? RMW_QOS_POLICY_RELIABILITY_RELIABLE
                        : RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  }
  if (dds_qget_durability(dds, &durability)) {
    qos.durability = durability == DDS_DURABILITY_VOLATILE
                       ? RMW_QOS_POLICY_DURABILITY_VOLATILE
                       : RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  }
  if (dds_qget_history(dds, &history, &depth)) {
    qos.history = history == DDS_HISTORY_KEEP_LAST ? RMW_QOS_POLICY_HISTORY_KEEP_LAST
                                                   : RMW_QOS_POLICY_HISTORY_KEEP_ALL;
    qos.depth = depth > 0 ? (size_t)depth : 0;
  }
  qos.lifespan = ros_time(dds_qget_lifespan(dds, &time) ? time : DDS_INFINITY);
  qos.deadline = ros_time(dds_qget_deadline(dds, &time) ? time : DDS_INFINITY);
  if (dds_qget_liveliness(dds, &liveliness, &time)) {
    qos.liveliness = liveliness == DDS_LIVELINESS_AUTOMATIC
                       ? RMW_QOS_POLICY_LIVELINESS_AUTOMATIC
                       : RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC;
    qos.liveliness_lease_duration = ros_time(time);
  }
  return qos;
}

//---------- endpoints ----------

// false if it is no topic and no service of ROS
static bool
read_endpoint(const dds_builtintopic_endpoint_t * dds, bool is_writer, ros_endpoint_t * endpoint)
{
  *endpoint = (ros_endpoint_t){.kind = is_writer ? ROS_PUBLISHER : ROS_SUBSCRIPTION};
  const char * suffix = "_";
  endpoint->name = strip(dds->topic_name, "rt", "");
  if (!endpoint->name) {
    // of a service, the end that has the requests is enough
    endpoint->name = strip(dds->topic_name, "rq", "Request");
    endpoint->kind = is_writer ? ROS_CLIENT : ROS_SERVER;
    suffix = "_Request_";
  }
  if (!endpoint->name) return false;
  endpoint->type = ros_type(dds->type_name, suffix);
  memcpy(endpoint->guid, dds->key.v, sizeof endpoint->guid);
  endpoint->qos = ros_qos(dds->qos);
  return true;
}

static bool
add_endpoint(ros_graph_t * graph, const dds_builtintopic_endpoint_t * dds, bool is_writer)
{
  ros_endpoint_t endpoint;
  if (!read_endpoint(dds, is_writer, &endpoint)) return true;
  ros_endpoint_t * more = realloc(graph->endpoints, (graph->count + 1) * sizeof *graph->endpoints);
  if (more) graph->endpoints = more;
  if (more && endpoint.type) {
    more[graph->count++] = endpoint;
    return true;
  }
  free(endpoint.name);
  free(endpoint.type);
  return false;
}

static bool
add_endpoints(ros_graph_t * graph, dds_entity_t reader, bool is_writer)
{
  enum { BATCH = 4096 };
  void ** samples = calloc(BATCH, sizeof *samples);
  dds_sample_info_t * infos = calloc(BATCH, sizeof *infos);
  const uint32_t mask = DDS_ANY_SAMPLE_STATE | DDS_ANY_VIEW_STATE | DDS_ALIVE_INSTANCE_STATE;
  dds_return_t n = -1;
  if (samples && infos) n = dds_read_mask(reader, samples, infos, BATCH, BATCH, mask);
  bool good = n >= 0;
  for (dds_return_t i = 0; good && i < n; i++) {
    if (infos[i].valid_data) good = add_endpoint(graph, samples[i], is_writer);
  }
  if (n > 0) dds_return_loan(reader, samples, n);
  free(samples);
  free(infos);
  return good;
}

//---------- nodes ----------

static void
set_node(ros_endpoint_t * e, const rmw_dds_common__msg__NodeEntitiesInfo * node)
{
  const char * space = node->node_namespace.data;
  const char * name = node->node_name.data;
  const size_t size = strlen(space) + strlen(name) + 2;
  if (e->node || !(e->node = malloc(size))) return;
  snprintf(e->node, size, "%s%s%s", space, strcmp(space, "/") == 0 ? "" : "/", name);
  e->node_namespace = strdup(space);
}

static void
claim(
  ros_graph_t * graph, const rmw_dds_common__msg__NodeEntitiesInfo * node,
  const rmw_dds_common__msg__Gid__Sequence * gids)
{
  for (size_t i = 0; i < gids->size; i++) {
    for (size_t k = 0; k < graph->count; k++) {
      ros_endpoint_t * e = &graph->endpoints[k];
      if (memcmp(gids->data[i].data, e->guid, sizeof e->guid) == 0) set_node(e, node);
    }
  }
}

static void
add_nodes(ros_graph_t * graph, rcl_context_impl_t * context)
{
  pthread_mutex_lock(&context->peer_lock);
  for (const sa_peer_t * peer = context->peers; peer; peer = peer->next) {
    const rmw_dds_common__msg__NodeEntitiesInfo__Sequence * nodes =
      &peer->info.node_entities_info_seq;
    for (size_t i = 0; i < nodes->size; i++) {
      claim(graph, &nodes->data[i], &nodes->data[i].reader_gid_seq);
      claim(graph, &nodes->data[i], &nodes->data[i].writer_gid_seq);
    }
  }
  pthread_mutex_unlock(&context->peer_lock);
}

//---------- the graph ----------

bool
ros_graph_read(ros_session_t * s, ros_graph_t * graph)
{
  *graph = (ros_graph_t){0};
  rcl_context_impl_t * context = s->support.context.impl;
  const bool good = add_endpoints(graph, context->publications, true) &&
                    add_endpoints(graph, context->subscriptions, false);
  if (!good) {
    ros_complain(s->args, "cannot read the graph");
    ros_graph_free(graph);
    return false;
  }
  add_nodes(graph, context);
  ros_graph_sort(graph);
  return true;
}
