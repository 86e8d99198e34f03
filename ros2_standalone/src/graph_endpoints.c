// Publishers and subscriptions of a topic with their nodes and QoS.
#include <stdlib.h>
#include <string.h>

#include "impl.h"
#include "rcl/graph.h"
#include "rcutils/strdup.h"

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

//---------- nodes ----------

static bool
has_gid(const rmw_dds_common__msg__Gid * gids, size_t n, const uint8_t * gid)
{
  for (size_t i = 0; i < n; i++) {
    if (memcmp(gids[i].data, gid, sizeof(dds_guid_t)) == 0) return true;
  }
  return false;
}

// called with both locks held
static void
find_node(
  const rcl_context_impl_t * impl, const uint8_t * gid, const char ** name, const char ** space)
{
  for (const rcl_node_impl_t * n = impl->nodes; n != NULL; n = n->next) {
    if (has_gid(n->readers, n->reader_count, gid) || has_gid(n->writers, n->writer_count, gid)) {
      *name = n->name, *space = n->namespace_;
      return;
    }
  }
  for (const sa_peer_t * peer = impl->peers; peer != NULL; peer = peer->next) {
    const rmw_dds_common__msg__NodeEntitiesInfo__Sequence * nodes =
      &peer->info.node_entities_info_seq;
    for (size_t i = 0; i < nodes->size; i++) {
      const rmw_dds_common__msg__NodeEntitiesInfo * n = &nodes->data[i];
      if (
        has_gid(n->reader_gid_seq.data, n->reader_gid_seq.size, gid) ||
        has_gid(n->writer_gid_seq.data, n->writer_gid_seq.size, gid)) {
        *name = n->node_name.data, *space = n->node_namespace.data;
        return;
      }
    }
  }
}

//---------- endpoints ----------

typedef struct found {
  const char * topic;  // "rt/name"
  rmw_endpoint_type_t type;
  rcl_allocator_t allocator;
  rmw_topic_endpoint_info_array_t * out;
  size_t capacity;
  bool good;
} found_t;

static void
add_endpoint(const dds_builtintopic_endpoint_t * endpoint, void * arg)
{
  found_t * f = arg;
  rmw_topic_endpoint_info_array_t * out = f->out;
  if (!f->good || strcmp(endpoint->topic_name, f->topic) != 0) return;
  if (out->size == f->capacity) {
    const size_t capacity = f->capacity == 0 ? 8 : 2 * f->capacity;
    void * more = f->allocator.reallocate(
      out->info_array, capacity * sizeof *out->info_array, f->allocator.state);
    f->good = more != NULL;
    if (!f->good) return;
    out->info_array = more;
    f->capacity = capacity;
  }
  rmw_topic_endpoint_info_t * info = &out->info_array[out->size];
  *info = (rmw_topic_endpoint_info_t){
    .topic_type = sa_ros_type(endpoint->type_name, "_", f->allocator),
    .endpoint_type = f->type,
    .qos_profile = ros_qos(endpoint->qos)};
  memcpy(info->endpoint_gid, endpoint->key.v, sizeof endpoint->key.v);
  f->good = info->topic_type != NULL;
  out->size++;
}

static void
set_node(rcl_context_impl_t * impl, rmw_topic_endpoint_info_t * info, found_t * f)
{
  const char *name = "_NODE_NAME_UNKNOWN_", *space = "_NODE_NAMESPACE_UNKNOWN_";
  find_node(impl, info->endpoint_gid, &name, &space);
  info->node_name = rcutils_strdup(name, f->allocator);
  info->node_namespace = rcutils_strdup(space, f->allocator);
  f->good = f->good && info->node_name != NULL && info->node_namespace != NULL;
}

static rcl_ret_t
get_info(
  const rcl_node_t * node, rcutils_allocator_t * allocator, const char * topic, bool no_mangle,
  rmw_endpoint_type_t type, rcl_topic_endpoint_info_array_t * out)
{
  if (!rcl_node_is_valid(node)) return RCL_RET_NODE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(allocator, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(topic, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(out, RCL_RET_INVALID_ARGUMENT);
  if (out->info_array != NULL) return RCL_RET_INVALID_ARGUMENT;
  rcl_context_impl_t * impl = node->context->impl;
  rmw_qos_profile_t mangled = {.avoid_ros_namespace_conventions = no_mangle};
  char * dds = sa_dds_name("rt", topic, "", &mangled, *allocator);
  if (dds == NULL) return RCL_RET_BAD_ALLOC;
  found_t found = {dds, type, *allocator, out, 0, true};
  rcl_ret_t ret = sa_for_each_endpoint(
    type == RMW_ENDPOINT_PUBLISHER ? impl->publications : impl->subscriptions, add_endpoint,
    &found);
  pthread_mutex_lock(&impl->lock);
  pthread_mutex_lock(&impl->peer_lock);
  for (size_t i = 0; i < out->size; i++) set_node(impl, &out->info_array[i], &found);
  pthread_mutex_unlock(&impl->peer_lock);
  pthread_mutex_unlock(&impl->lock);
  allocator->deallocate(dds, allocator->state);
  if (ret == RCL_RET_OK && !found.good) ret = RCL_RET_BAD_ALLOC;
  if (ret != RCL_RET_OK) (void)!rmw_topic_endpoint_info_array_fini(out, allocator);
  return ret;
}

rcl_ret_t
rcl_get_publishers_info_by_topic(
  const rcl_node_t * node, rcutils_allocator_t * allocator, const char * topic_name, bool no_mangle,
  rcl_topic_endpoint_info_array_t * publishers_info)
{
  return get_info(node, allocator, topic_name, no_mangle, RMW_ENDPOINT_PUBLISHER, publishers_info);
}

rcl_ret_t
rcl_get_subscriptions_info_by_topic(
  const rcl_node_t * node, rcutils_allocator_t * allocator, const char * topic_name, bool no_mangle,
  rcl_topic_endpoint_info_array_t * subscriptions_info)
{
  return get_info(
    node, allocator, topic_name, no_mangle, RMW_ENDPOINT_SUBSCRIPTION, subscriptions_info);
}

rmw_topic_endpoint_info_array_t
rmw_get_zero_initialized_topic_endpoint_info_array(void)
{
  return (rmw_topic_endpoint_info_array_t){0};
}

rmw_ret_t
rmw_topic_endpoint_info_array_fini(
  rmw_topic_endpoint_info_array_t * array, rcutils_allocator_t * allocator)
{
  if (array == NULL || allocator == NULL) return RMW_RET_INVALID_ARGUMENT;
  for (size_t i = 0; i < array->size; i++) {
    const rmw_topic_endpoint_info_t * info = &array->info_array[i];
    const char * text[3] = {info->node_name, info->node_namespace, info->topic_type};
    for (int k = 0; k < 3; k++) {
      if (text[k]) allocator->deallocate((char *)(uintptr_t)text[k], allocator->state);
    }
  }
  if (array->info_array) allocator->deallocate(array->info_array, allocator->state);
  *array = rmw_get_zero_initialized_topic_endpoint_info_array();
  return RMW_RET_OK;
}
