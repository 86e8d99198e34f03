// What servers and clients have in common: two topics, a header in front of every sample, and a
// mark in the user data that tells which reader and writer belong together.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "impl.h"
#include "rosidl_typesupport_introspection_c/identifier.h"
#include "rosidl_typesupport_introspection_c/service_introspection.h"

// prefix of the participant, then a number, as hex bytes: "serviceid= 1.10.c9...;"
static void
make_mark(rcl_context_impl_t * impl, bool is_server, char * mark, size_t size)
{
  pthread_mutex_lock(&impl->lock);
  uint32_t number = ++impl->last_service_id;
  pthread_mutex_unlock(&impl->lock);
  uint8_t id[16];
  memcpy(id, impl->guid.v, 12);
  for (int i = 0; i < 4; i++) id[12 + i] = (uint8_t)(number >> (24 - 8 * i));
  int n = snprintf(mark, size, "%s=%2x", is_server ? "serviceid" : "clientid", id[0]);
  for (int i = 1; i < 16; i++) n += snprintf(mark + n, size - (size_t)n, ".%x", id[i]);
  snprintf(mark + n, size - (size_t)n, ";");
}

static rcl_ret_t
open_ends(
  sa_service_t * service, const rcl_node_t * node, const cdr_members_t * in,
  const cdr_members_t * out, const char * topics[2], const rmw_qos_profile_t * qos, bool is_server)
{
  char mark[96];
  make_mark(node->context->impl, is_server, mark, sizeof mark);
  rcl_ret_t ret =
    sa_writer_open(&service->out, node->context, out, topics[is_server ? 1 : 0], qos, mark);
  if (ret != RCL_RET_OK) return ret;
  ret =
    sa_reader_open(&service->in, node->context, in, topics[is_server ? 0 : 1], qos, mark, false);
  if (ret != RCL_RET_OK) {
    sa_writer_close(&service->out);
    return ret;
  }
  ret = sa_graph_add(node, service->in.reader, service->out.writer);
  if (ret != RCL_RET_OK) {
    sa_reader_close(&service->in);
    sa_writer_close(&service->out);
  }
  return ret;
}

rcl_ret_t
sa_service_open(
  sa_service_t * service, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * name,
  const rmw_qos_profile_t * qos, bool is_server, rcl_allocator_t a)
{
  const rosidl_service_type_support_t * introspection =
    get_service_typesupport_handle(type_support, rosidl_typesupport_introspection_c__identifier);
  if (introspection == NULL) return RCL_RET_ERROR;
  const rosidl_typesupport_introspection_c__ServiceMembers * members = introspection->data;
  const cdr_members_t * request = members->request_members_;
  const cdr_members_t * reply = members->response_members_;
  if (cdr_unsupported(request) != NULL || cdr_unsupported(reply) != NULL) {
    RCL_SET_ERROR_MSG("unsupported field type in the service");
    return RCL_RET_ERROR;
  }
  rcl_ret_t ret = sa_endpoint_name(node, name, true, a, &service->name);
  if (ret != RCL_RET_OK) return ret;
  char * request_topic = sa_dds_name("rq", service->name, "Request", qos, a);
  char * reply_topic = sa_dds_name("rr", service->name, "Reply", qos, a);
  ret = RCL_RET_BAD_ALLOC;
  if (request_topic != NULL && reply_topic != NULL) {
    const char * topics[2] = {request_topic, reply_topic};
    ret = open_ends(
      service, node, is_server ? request : reply, is_server ? reply : request, topics, qos,
      is_server);
  }
  a.deallocate(request_topic, a.state);
  a.deallocate(reply_topic, a.state);
  if (ret != RCL_RET_OK) a.deallocate(service->name, a.state);
  return ret;
}

void
sa_service_close(sa_service_t * service, const rcl_node_t * node, rcl_allocator_t a)
{
  sa_graph_remove(node, service->in.reader, service->out.writer);
  sa_reader_close(&service->in);
  sa_writer_close(&service->out);
  a.deallocate(service->name, a.state);
}

bool
sa_service_take(
  sa_service_t * service, uint64_t only_for, rmw_service_info_t * info, void * message)
{
  dds_sample_info_t sample_info;
  raw_sample_t * sample;
  bool taken = false;
  while (!taken && (sample = sa_take(&service->in, &sample_info)) != NULL) {
    cdr_request_id_t id = {0, 0};
    bool good = cdr_service_peek(sample->data, sample->size, &id);
    bool mine = good && (only_for == 0 || only_for == id.guid);
    if (mine) {
      good = cdr_service_read(service->in.members, sample->data, sample->size, NULL, &id, message);
    }
    ddsi_serdata_unref(&sample->base);
    if (!good) sa_count_dropped(&service->in);
    taken = mine && good;
    if (!taken) continue;
    memcpy(info->request_id.writer_guid, &id.guid, sizeof id.guid);
    memcpy(
      info->request_id.writer_guid + sizeof id.guid, &sample_info.publication_handle,
      sizeof sample_info.publication_handle);
    info->request_id.sequence_number = id.sequence;
    info->source_timestamp = sample_info.source_timestamp;
    info->received_timestamp = 0;
  }
  return taken;
}

bool
sa_user_data(const dds_qos_t * qos, const char * key, char * value, size_t size)
{
  void * data = NULL;
  size_t length = 0;
  if (!dds_qget_userdata(qos, &data, &length) || data == NULL) return false;
  // dds_qget_userdata ends the copy with a NUL
  size_t n = strlen(key);
  bool found = false;
  for (const char * text = data; text != NULL && *text != '\0' && !found;) {
    size_t item = strcspn(text, ";");
    found = item > n && strncmp(text, key, n) == 0 && text[n] == '=';
    if (found) snprintf(value, size, "%.*s", (int)(item - n - 1), text + n + 1);
    text = text[item] == '\0' ? NULL : text + item + 1;
  }
  dds_free(data);
  return found;
}

void
sa_endpoint_free(dds_builtintopic_endpoint_t * endpoint)
{
  if (endpoint == NULL) return;
  dds_delete_qos(endpoint->qos);
  dds_free(endpoint->topic_name);
  dds_free(endpoint->type_name);
  dds_free(endpoint);
}
