// Service clients.
#include "rcl/client.h"

#include <string.h>

#include "impl.h"
#include "rcl/graph.h"
#include "rmw/qos_profiles.h"

enum { MARK_SIZE = 96, MAX_MATCHES = 256 };

rcl_client_t
rcl_get_zero_initialized_client(void)
{
  return (rcl_client_t){0};
}

rcl_client_options_t
rcl_client_get_default_options(void)
{
  return (rcl_client_options_t){
    .qos = rmw_qos_profile_services_default, .allocator = rcl_get_default_allocator()};
}

rcl_ret_t
rcl_client_init(
  rcl_client_t * client, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name,
  const rcl_client_options_t * options)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(client, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(options, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ALLOCATOR(&options->allocator, return RCL_RET_INVALID_ARGUMENT);
  if (!rcl_node_is_valid(node)) return RCL_RET_NODE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(type_support, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(service_name, RCL_RET_INVALID_ARGUMENT);
  if (client->impl != NULL) {
    RCL_SET_ERROR_MSG("client already initialized, or not zero-initialized");
    return RCL_RET_ALREADY_INIT;
  }
  rcl_allocator_t a = options->allocator;
  rcl_client_impl_t * impl = a.zero_allocate(1, sizeof *impl, a.state);
  if (impl == NULL) return RCL_RET_BAD_ALLOC;
  impl->options = *options;
  rcl_ret_t ret =
    sa_service_open(&impl->ends, node, type_support, service_name, &options->qos, false, a);
  if (ret == RCL_RET_OK) {
    client->impl = impl;
  } else {
    a.deallocate(impl, a.state);
  }
  return ret;
}

rcl_ret_t
rcl_client_fini(rcl_client_t * client, rcl_node_t * node)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(client, RCL_RET_CLIENT_INVALID);
  if (!rcl_node_is_valid_except_context(node)) return RCL_RET_NODE_INVALID;
  if (client->impl == NULL) return RCL_RET_OK;
  rcl_allocator_t a = client->impl->options.allocator;
  sa_service_close(&client->impl->ends, node, a);
  a.deallocate(client->impl, a.state);
  client->impl = NULL;
  return RCL_RET_OK;
}

rcl_ret_t
rcl_send_request(const rcl_client_t * client, const void * ros_request, int64_t * sequence_number)
{
  // one count for all clients of the process, as rmw_cyclonedds has it
  static atomic_uint last_request;
  if (!rcl_client_is_valid(client)) return RCL_RET_CLIENT_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(ros_request, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(sequence_number, RCL_RET_INVALID_ARGUMENT);
  const sa_service_t * ends = &client->impl->ends;
  cdr_request_id_t id = {
    .guid = ends->out.handle, .sequence = (int64_t)(atomic_fetch_add(&last_request, 1) + 1u)};
  *sequence_number = id.sequence;
  return sa_write(&ends->out, ros_request, &id);
}

rcl_ret_t
rcl_take_response_with_info(
  const rcl_client_t * client, rmw_service_info_t * request_header, void * ros_response)
{
  if (!rcl_client_is_valid(client)) return RCL_RET_CLIENT_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(request_header, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(ros_response, RCL_RET_INVALID_ARGUMENT);
  // replies to other clients come here, too
  sa_service_t * ends = &client->impl->ends;
  bool taken = sa_service_take(ends, ends->out.handle, request_header, ros_response);
  return taken ? RCL_RET_OK : RCL_RET_CLIENT_TAKE_FAILED;
}

rcl_ret_t
rcl_take_response(
  const rcl_client_t * client, rmw_request_id_t * request_header, void * ros_response)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(request_header, RCL_RET_INVALID_ARGUMENT);
  rmw_service_info_t info;
  rcl_ret_t ret = rcl_take_response_with_info(client, &info, ros_response);
  if (ret == RCL_RET_OK) *request_header = info.request_id;
  return ret;
}

//---------- is there a server? ----------

// marks of matched request readers, or of reply writers
static size_t
server_marks(
  const sa_service_t * ends, bool readers, char marks[][MARK_SIZE], size_t capacity,
  size_t * matched)
{
  dds_instance_handle_t handles[MAX_MATCHES];
  dds_return_t n = readers ? dds_get_matched_subscriptions(ends->out.writer, handles, MAX_MATCHES)
                           : dds_get_matched_publications(ends->in.reader, handles, MAX_MATCHES);
  size_t count = 0;
  *matched = n < 0 ? 0 : (size_t)n;
  for (dds_return_t i = 0; i < n && i < MAX_MATCHES && count < capacity; i++) {
    dds_builtintopic_endpoint_t * end =
      readers ? dds_get_matched_subscription_data(ends->out.writer, handles[i])
              : dds_get_matched_publication_data(ends->in.reader, handles[i]);
    if (end != NULL && sa_user_data(end->qos, "serviceid", marks[count], MARK_SIZE)) count++;
    sa_endpoint_free(end);
  }
  return count;
}

rcl_ret_t
rcl_service_server_is_available(
  const rcl_node_t * node, const rcl_client_t * client, bool * is_available)
{
  enum { MAX_SERVERS = 16 };
  if (!rcl_node_is_valid(node)) return RCL_RET_NODE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(client, RCL_RET_INVALID_ARGUMENT);
  if (!rcl_client_is_valid(client)) return RCL_RET_CLIENT_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(is_available, RCL_RET_INVALID_ARGUMENT);
  char wanted[MAX_SERVERS][MARK_SIZE];
  char there[MAX_SERVERS][MARK_SIZE];
  size_t readers = 0;
  size_t writers = 0;
  size_t n = server_marks(&client->impl->ends, true, wanted, MAX_SERVERS, &readers);
  size_t m = server_marks(&client->impl->ends, false, there, MAX_SERVERS, &writers);
  // servers without a mark: both ends are enough
  *is_available = n == 0 && readers > 0 && writers > 0;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < m; k++) {
      if (strcmp(wanted[i], there[k]) == 0) *is_available = true;
    }
  }
  return RCL_RET_OK;
}

//---------- questions ----------

bool
rcl_client_is_valid(const rcl_client_t * client)
{
  RCL_CHECK_FOR_NULL_WITH_MSG(client, "client is NULL", return false);
  RCL_CHECK_FOR_NULL_WITH_MSG(client->impl, "client is not initialized", return false);
  return true;
}

const char *
rcl_client_get_service_name(const rcl_client_t * client)
{
  return rcl_client_is_valid(client) ? client->impl->ends.name : NULL;
}

const rcl_client_options_t *
rcl_client_get_options(const rcl_client_t * client)
{
  return rcl_client_is_valid(client) ? &client->impl->options : NULL;
}
