// The node graph: one ros_discovery_info sample per participant lists its nodes and their
// endpoints. Ours is published whole at every change; those of others are kept as they come.
#include <stdlib.h>
#include <string.h>

#include "impl.h"

enum { MAX_PEERS = 1024 };
static const cdr_limits_t info_limits = {.max_memory = 1u << 20, .max_depth = 8};

//---------- ours ----------

static void
set_text(rosidl_runtime_c__String * string, char * text)
{
  string->data = text;
  string->size = strlen(text);
  string->capacity = string->size + 1;
}

// called with the lock held; the message borrows what the nodes own
static rcl_ret_t
announce(rcl_context_impl_t * impl)
{
  rmw_dds_common__msg__ParticipantEntitiesInfo info;
  memset(&info, 0, sizeof info);
  memcpy(info.gid.data, impl->guid.v, sizeof impl->guid.v);
  size_t count = 0;
  for (rcl_node_impl_t * node = impl->nodes; node != NULL; node = node->next) count++;
  rmw_dds_common__msg__NodeEntitiesInfo * entries =
    impl->allocator.zero_allocate(count + 1, sizeof *entries, impl->allocator.state);
  if (entries == NULL) return RCL_RET_BAD_ALLOC;
  info.node_entities_info_seq.data = entries;
  info.node_entities_info_seq.size = info.node_entities_info_seq.capacity = count;
  for (rcl_node_impl_t * node = impl->nodes; node != NULL; node = node->next, entries++) {
    set_text(&entries->node_namespace, node->namespace_);
    set_text(&entries->node_name, node->name);
    entries->reader_gid_seq.data = node->readers;
    entries->reader_gid_seq.size = entries->reader_gid_seq.capacity = node->reader_count;
    entries->writer_gid_seq.data = node->writers;
    entries->writer_gid_seq.size = entries->writer_gid_seq.capacity = node->writer_count;
  }
  rcl_ret_t ret = sa_write(&impl->info_writer, &info, NULL);
  impl->allocator.deallocate(info.node_entities_info_seq.data, impl->allocator.state);
  return ret;
}

static void
unlink_node(rcl_context_impl_t * impl, const rcl_node_impl_t * node)
{
  rcl_node_impl_t ** place = &impl->nodes;
  while (*place != NULL && *place != node) place = &(*place)->next;
  if (*place != NULL) *place = node->next;
}

rcl_ret_t
sa_graph_add_node(rcl_context_t * context, rcl_node_impl_t * node)
{
  rcl_context_impl_t * impl = context->impl;
  pthread_mutex_lock(&impl->lock);
  bool first = impl->nodes == NULL;
  rcl_ret_t ret = first ? sa_participant_open(context) : RCL_RET_OK;
  if (ret == RCL_RET_OK) {
    rcl_node_impl_t ** place = &impl->nodes;
    while (*place != NULL) place = &(*place)->next;
    *place = node;
    ret = announce(impl);
    if (ret != RCL_RET_OK) {
      unlink_node(impl, node);
      if (first) sa_participant_close(context);
    }
  }
  pthread_mutex_unlock(&impl->lock);
  return ret;
}

void
sa_graph_remove_node(rcl_context_t * context, rcl_node_impl_t * node)
{
  rcl_context_impl_t * impl = context->impl;
  pthread_mutex_lock(&impl->lock);
  unlink_node(impl, node);
  if (announce(impl) != RCL_RET_OK) rcl_reset_error();
  if (impl->nodes == NULL) sa_participant_close(context);
  pthread_mutex_unlock(&impl->lock);
}

static bool
gid_of(dds_entity_t entity, rmw_dds_common__msg__Gid * gid)
{
  dds_guid_t guid;
  if (dds_get_guid(entity, &guid) < 0) return false;
  memset(gid, 0, sizeof *gid);
  memcpy(gid->data, guid.v, sizeof guid.v);
  return true;
}

static bool
gid_add(
  rmw_dds_common__msg__Gid ** gids, size_t * count, dds_entity_t entity, rcl_allocator_t allocator)
{
  if (entity == 0) return true;
  rmw_dds_common__msg__Gid * more =
    allocator.reallocate(*gids, (*count + 1) * sizeof **gids, allocator.state);
  if (more == NULL) return false;
  *gids = more;
  if (!gid_of(entity, &more[*count])) return false;
  ++*count;
  return true;
}

static void
gid_remove(rmw_dds_common__msg__Gid * gids, size_t * count, dds_entity_t entity)
{
  rmw_dds_common__msg__Gid gid;
  if (entity == 0 || !gid_of(entity, &gid)) return;
  for (size_t i = 0; i < *count; i++) {
    if (memcmp(&gids[i], &gid, sizeof gid) != 0) continue;
    memmove(&gids[i], &gids[i + 1], (*count - i - 1) * sizeof gid);
    --*count;
    return;
  }
}

rcl_ret_t
sa_graph_add(const rcl_node_t * node, dds_entity_t reader, dds_entity_t writer)
{
  rcl_context_impl_t * impl = node->context->impl;
  rcl_node_impl_t * n = node->impl;
  rcl_allocator_t a = n->options.allocator;
  pthread_mutex_lock(&impl->lock);
  bool added = gid_add(&n->readers, &n->reader_count, reader, a) &&
               gid_add(&n->writers, &n->writer_count, writer, a);
  rcl_ret_t ret = added ? announce(impl) : RCL_RET_BAD_ALLOC;
  pthread_mutex_unlock(&impl->lock);
  return ret;
}

void
sa_graph_remove(const rcl_node_t * node, dds_entity_t reader, dds_entity_t writer)
{
  rcl_context_impl_t * impl = node->context->impl;
  pthread_mutex_lock(&impl->lock);
  gid_remove(node->impl->readers, &node->impl->reader_count, reader);
  gid_remove(node->impl->writers, &node->impl->writer_count, writer);
  if (announce(impl) != RCL_RET_OK) rcl_reset_error();
  pthread_mutex_unlock(&impl->lock);
}

//---------- others ----------

static void
peer_free(sa_peer_t * peer)
{
  rmw_dds_common__msg__ParticipantEntitiesInfo__fini(&peer->info);
  free(peer);
}

static void
peer_remove(rcl_context_impl_t * impl, const uint8_t * guid)
{
  sa_peer_t ** place = &impl->peers;
  while (*place != NULL && memcmp((*place)->info.gid.data, guid, 16) != 0) {
    place = &(*place)->next;
  }
  sa_peer_t * peer = *place;
  if (peer == NULL) return;
  *place = peer->next;
  peer_free(peer);
}

static sa_peer_t *
peer_read(rcl_context_impl_t * impl, const raw_sample_t * sample)
{
  sa_peer_t * peer = calloc(1, sizeof *peer);
  if (peer == NULL) return NULL;
  bool good =
    rmw_dds_common__msg__ParticipantEntitiesInfo__init(&peer->info) &&
    cdr_read(impl->info_reader.members, sample->data, sample->size, &info_limits, &peer->info);
  if (good) return peer;
  peer_free(peer);
  return NULL;
}

static size_t
peer_count(const rcl_context_impl_t * impl)
{
  size_t count = 0;
  for (const sa_peer_t * peer = impl->peers; peer != NULL; peer = peer->next) count++;
  return count;
}

static void
graph_changed(rcl_context_impl_t * impl)
{
  if (rcl_trigger_guard_condition(&impl->graph_guard) != RCL_RET_OK) rcl_reset_error();
}

static void
on_info(dds_entity_t reader, void * arg)
{
  (void)reader;
  rcl_context_impl_t * impl = arg;
  dds_sample_info_t info;
  raw_sample_t * sample;
  pthread_mutex_lock(&impl->peer_lock);
  while ((sample = sa_take(&impl->info_reader, &info)) != NULL) {
    sa_peer_t * peer = peer_read(impl, sample);
    ddsi_serdata_unref(&sample->base);
    if (peer == NULL) {
      sa_count_dropped(&impl->info_reader);
      continue;
    }
    peer_remove(impl, (const uint8_t *)peer->info.gid.data);
    if (peer_count(impl) < MAX_PEERS) {
      peer->next = impl->peers;
      impl->peers = peer;
    } else {
      peer_free(peer);
    }
  }
  pthread_mutex_unlock(&impl->peer_lock);
  graph_changed(impl);
}

// whoever leaves takes its nodes along
static void
on_participant(dds_entity_t reader, void * arg)
{
  rcl_context_impl_t * impl = arg;
  dds_sample_info_t info;
  void * sample = NULL;
  pthread_mutex_lock(&impl->peer_lock);
  while (dds_take(reader, &sample, &info, 1, 1) == 1) {
    const dds_builtintopic_participant_t * participant = sample;
    if (info.instance_state != DDS_ALIVE_INSTANCE_STATE) peer_remove(impl, participant->key.v);
    dds_return_loan(reader, &sample, 1);
    sample = NULL;
  }
  pthread_mutex_unlock(&impl->peer_lock);
  graph_changed(impl);
}

static void
on_endpoint(dds_entity_t reader, void * arg)
{
  (void)reader;
  graph_changed(arg);
}

//---------- start and stop ----------

static bool
follow(rcl_context_impl_t * impl, dds_entity_t reader, dds_on_data_available_fn handler)
{
  dds_listener_t * listener = dds_create_listener(impl);
  if (reader < 0 || listener == NULL) return false;
  dds_lset_data_available(listener, handler);
  bool good = dds_set_listener(reader, listener) >= 0;
  dds_delete_listener(listener);
  // what came before the listener did
  if (good) handler(reader, impl);
  return good;
}

static rcl_ret_t
info_open(rcl_context_t * context)
{
  const cdr_members_t * members =
    sa_members(ROSIDL_GET_MSG_TYPE_SUPPORT(rmw_dds_common, msg, ParticipantEntitiesInfo));
  if (members == NULL) return RCL_RET_ERROR;
  rmw_qos_profile_t qos = {
    .history = RMW_QOS_POLICY_HISTORY_KEEP_LAST,
    .depth = 1,
    .durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL};
  rcl_context_impl_t * impl = context->impl;
  rcl_ret_t ret =
    sa_writer_open(&impl->info_writer, context, members, "ros_discovery_info", &qos, NULL);
  if (ret != RCL_RET_OK) return ret;
  qos.history = RMW_QOS_POLICY_HISTORY_KEEP_ALL;
  return sa_reader_open(
    &impl->info_reader, context, members, "ros_discovery_info", &qos, NULL, true);
}

rcl_ret_t
sa_graph_start(rcl_context_t * context)
{
  rcl_context_impl_t * impl = context->impl;
  dds_entity_t p = impl->participant;
  impl->participants = dds_create_reader(p, DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, NULL, NULL);
  impl->subscriptions = dds_create_reader(p, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL);
  impl->publications = dds_create_reader(p, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL);
  impl->graph_guard = rcl_get_zero_initialized_guard_condition();
  rcl_ret_t ret = rcl_guard_condition_init(
    &impl->graph_guard, context, rcl_guard_condition_get_default_options());
  if (ret == RCL_RET_OK) ret = info_open(context);
  bool good = ret == RCL_RET_OK && follow(impl, impl->participants, on_participant) &&
              follow(impl, impl->info_reader.reader, on_info) &&
              follow(impl, impl->subscriptions, on_endpoint) &&
              follow(impl, impl->publications, on_endpoint);
  if (good) return RCL_RET_OK;
  // the listeners go with the participant; so must what they trigger
  dds_delete(impl->participant);
  (void)!rcl_guard_condition_fini(&impl->graph_guard);
  return RCL_RET_ERROR;
}

void
sa_graph_stop(rcl_context_t * context)
{
  rcl_context_impl_t * impl = context->impl;
  // deleting a reader waits for its listener
  dds_delete(impl->participants);
  dds_delete(impl->subscriptions);
  dds_delete(impl->publications);
  sa_reader_close(&impl->info_reader);
  sa_writer_close(&impl->info_writer);
  if (rcl_guard_condition_fini(&impl->graph_guard) != RCL_RET_OK) rcl_reset_error();
  while (impl->peers != NULL) {
    sa_peer_t * peer = impl->peers;
    impl->peers = peer->next;
    peer_free(peer);
  }
}
