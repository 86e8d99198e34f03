// Service servers.
#include "rcl/service.h"

#include <string.h>

#include "impl.h"
#include "rmw/qos_profiles.h"

enum { MARK_SIZE = 96, MAX_MATCHES = 256 };

rcl_service_t
rcl_get_zero_initialized_service(void)
{
  return (rcl_service_t){0};
}

rcl_service_options_t
rcl_service_get_default_options(void)
{
  return (rcl_service_options_t){
    .qos = rmw_qos_profile_services_default, .allocator = rcl_get_default_allocator()};
}

rcl_ret_t
rcl_service_init(
  rcl_service_t * service, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name,
  const rcl_service_options_t * options)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(service, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(options, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ALLOCATOR(&options->allocator, return RCL_RET_INVALID_ARGUMENT);
  if (!rcl_node_is_valid(node)) return RCL_RET_NODE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(type_support, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(service_name, RCL_RET_INVALID_ARGUMENT);
  if (service->impl != NULL) {
    RCL_SET_ERROR_MSG("service already initialized, or not zero-initialized");
    return RCL_RET_ALREADY_INIT;
  }
  rcl_allocator_t a = options->allocator;
  rcl_service_impl_t * impl = a.zero_allocate(1, sizeof *impl, a.state);
  if (impl == NULL) return RCL_RET_BAD_ALLOC;
  impl->options = *options;
  rcl_ret_t ret =
    sa_service_open(&impl->ends, node, type_support, service_name, &options->qos, true, a);
  if (ret == RCL_RET_OK) {
    service->impl = impl;
  } else {
    a.deallocate(impl, a.state);
  }
  return ret;
}

rcl_ret_t
rcl_service_fini(rcl_service_t * service, rcl_node_t * node)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(service, RCL_RET_SERVICE_INVALID);
  if (!rcl_node_is_valid_except_context(node)) return RCL_RET_NODE_INVALID;
  if (service->impl == NULL) return RCL_RET_OK;
  rcl_allocator_t a = service->impl->options.allocator;
  sa_service_close(&service->impl->ends, node, a);
  a.deallocate(service->impl, a.state);
  service->impl = NULL;
  return RCL_RET_OK;
}

rcl_ret_t
rcl_take_request_with_info(
  const rcl_service_t * service, rmw_service_info_t * request_header, void * ros_request)
{
  if (!rcl_service_is_valid(service)) return RCL_RET_SERVICE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(request_header, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(ros_request, RCL_RET_INVALID_ARGUMENT);
  bool taken = sa_service_take(&service->impl->ends, 0, request_header, ros_request);
  return taken ? RCL_RET_OK : RCL_RET_SERVICE_TAKE_FAILED;
}

rcl_ret_t
rcl_take_request(
  const rcl_service_t * service, rmw_request_id_t * request_header, void * ros_request)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(request_header, RCL_RET_INVALID_ARGUMENT);
  rmw_service_info_t info;
  rcl_ret_t ret = rcl_take_request_with_info(service, &info, ros_request);
  if (ret == RCL_RET_OK) *request_header = info.request_id;
  return ret;
}

//---------- replies ----------

typedef enum { CLIENT_GONE, CLIENT_NOT_YET, CLIENT_READY } client_state_t;

// has a reader of replies with this mark been matched?
static bool
reply_reader_is_matched(dds_entity_t writer, const char * mark)
{
  dds_instance_handle_t readers[MAX_MATCHES];
  dds_return_t n = dds_get_matched_subscriptions(writer, readers, MAX_MATCHES);
  if (n > MAX_MATCHES) return true;
  bool found = false;
  for (dds_return_t i = 0; i < n && !found; i++) {
    dds_builtintopic_endpoint_t * reader = dds_get_matched_subscription_data(writer, readers[i]);
    char other[MARK_SIZE];
    found = reader != NULL && sa_user_data(reader->qos, "clientid", other, sizeof other) &&
            strcmp(other, mark) == 0;
    sa_endpoint_free(reader);
  }
  return found;
}

static client_state_t
client_state(const sa_service_t * ends, dds_instance_handle_t request_writer)
{
  dds_builtintopic_endpoint_t * writer =
    dds_get_matched_publication_data(ends->in.reader, request_writer);
  if (writer == NULL) return CLIENT_GONE;
  char mark[MARK_SIZE];
  bool marked = sa_user_data(writer->qos, "clientid", mark, sizeof mark);
  sa_endpoint_free(writer);
  // a client without a mark cannot be waited for
  if (!marked || reply_reader_is_matched(ends->out.writer, mark)) return CLIENT_READY;
  return CLIENT_NOT_YET;
}

rcl_ret_t
rcl_send_response(
  const rcl_service_t * service, rmw_request_id_t * response_header, void * ros_response)
{
  if (!rcl_service_is_valid(service)) return RCL_RET_SERVICE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(response_header, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(ros_response, RCL_RET_INVALID_ARGUMENT);
  const sa_service_t * ends = &service->impl->ends;
  cdr_request_id_t id = {.sequence = response_header->sequence_number};
  dds_instance_handle_t writer;
  memcpy(&id.guid, response_header->writer_guid, sizeof id.guid);
  memcpy(&writer, response_header->writer_guid + sizeof id.guid, sizeof writer);

  // a reply to a reader that is not matched yet would be lost
  client_state_t state = client_state(ends, writer);
  for (int ms = 0; state == CLIENT_NOT_YET && ms < 100; ms += 2) {
    dds_sleepfor(DDS_MSECS(2));
    state = client_state(ends, writer);
  }
  if (state == CLIENT_GONE) return RCL_RET_OK;
  if (state == CLIENT_READY) return sa_write(&ends->out, ros_response, &id);
  RCL_SET_ERROR_MSG("the client's reply reader has not been discovered");
  return RCL_RET_TIMEOUT;
}

//---------- questions ----------

bool
rcl_service_is_valid(const rcl_service_t * service)
{
  RCL_CHECK_FOR_NULL_WITH_MSG(service, "service is NULL", return false);
  RCL_CHECK_FOR_NULL_WITH_MSG(service->impl, "service is not initialized", return false);
  return true;
}

const char *
rcl_service_get_service_name(const rcl_service_t * service)
{
  return rcl_service_is_valid(service) ? service->impl->ends.name : NULL;
}

const rcl_service_options_t *
rcl_service_get_options(const rcl_service_t * service)
{
  return rcl_service_is_valid(service) ? &service->impl->options : NULL;
}
