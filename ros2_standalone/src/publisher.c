// Publishers.
#include "rcl/publisher.h"

#include <string.h>

#include "impl.h"
#include "rmw/qos_profiles.h"

rcl_publisher_t
rcl_get_zero_initialized_publisher(void)
{
  return (rcl_publisher_t){0};
}

rcl_publisher_options_t
rcl_publisher_get_default_options(void)
{
  return (rcl_publisher_options_t){
    .qos = rmw_qos_profile_default, .allocator = rcl_get_default_allocator()};
}

static rcl_ret_t
open_writer(
  rcl_publisher_impl_t * impl, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support)
{
  rcl_allocator_t a = impl->options.allocator;
  const cdr_members_t * members = sa_members(type_support);
  if (members == NULL) return RCL_RET_ERROR;
  char * topic = sa_dds_name("rt", impl->topic_name, "", &impl->options.qos, a);
  if (topic == NULL) return RCL_RET_BAD_ALLOC;
  rcl_ret_t ret =
    sa_writer_open(&impl->out, node->context, members, topic, &impl->options.qos, NULL);
  a.deallocate(topic, a.state);
  if (ret != RCL_RET_OK) return ret;
  ret = sa_graph_add(node, 0, impl->out.writer);
  if (ret != RCL_RET_OK) sa_writer_close(&impl->out);
  return ret;
}

rcl_ret_t
rcl_publisher_init(
  rcl_publisher_t * publisher, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name,
  const rcl_publisher_options_t * options)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(options, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ALLOCATOR(&options->allocator, return RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(publisher, RCL_RET_INVALID_ARGUMENT);
  if (publisher->impl != NULL) {
    RCL_SET_ERROR_MSG("publisher already initialized, or not zero-initialized");
    return RCL_RET_ALREADY_INIT;
  }
  if (!rcl_node_is_valid(node)) return RCL_RET_NODE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(type_support, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(topic_name, RCL_RET_INVALID_ARGUMENT);
  rcl_allocator_t a = options->allocator;
  rcl_publisher_impl_t * impl = a.zero_allocate(1, sizeof *impl, a.state);
  if (impl == NULL) return RCL_RET_BAD_ALLOC;
  impl->context = node->context;
  impl->options = *options;
  impl->actual_qos = sa_actual_qos(&options->qos);

  rcl_ret_t ret = sa_endpoint_name(node, topic_name, false, a, &impl->topic_name);
  if (ret == RCL_RET_OK) ret = open_writer(impl, node, type_support);
  if (ret == RCL_RET_OK) {
    publisher->impl = impl;
    return RCL_RET_OK;
  }
  a.deallocate(impl->topic_name, a.state);
  a.deallocate(impl, a.state);
  return ret;
}

rcl_ret_t
rcl_publisher_fini(rcl_publisher_t * publisher, rcl_node_t * node)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(publisher, RCL_RET_PUBLISHER_INVALID);
  if (!rcl_node_is_valid_except_context(node)) return RCL_RET_NODE_INVALID;
  rcl_publisher_impl_t * impl = publisher->impl;
  if (impl == NULL) return RCL_RET_OK;
  rcl_allocator_t a = impl->options.allocator;
  sa_graph_remove(node, 0, impl->out.writer);
  sa_writer_close(&impl->out);
  a.deallocate(impl->topic_name, a.state);
  a.deallocate(impl, a.state);
  publisher->impl = NULL;
  return RCL_RET_OK;
}

rcl_ret_t
rcl_publish(
  const rcl_publisher_t * publisher, const void * ros_message,
  rmw_publisher_allocation_t * allocation)
{
  (void)allocation;
  if (!rcl_publisher_is_valid(publisher)) return RCL_RET_PUBLISHER_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(ros_message, RCL_RET_INVALID_ARGUMENT);
  return sa_write(&publisher->impl->out, ros_message, NULL);
}

rcl_ret_t
rcl_publish_serialized_message(
  const rcl_publisher_t * publisher, const rcl_serialized_message_t * serialized_message,
  rmw_publisher_allocation_t * allocation)
{
  (void)allocation;
  if (!rcl_publisher_is_valid(publisher)) return RCL_RET_PUBLISHER_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(serialized_message, RCL_RET_INVALID_ARGUMENT);
  size_t length = serialized_message->buffer_length;
  raw_sample_t * sample = raw_sample_new(publisher->impl->out.type, length);
  if (sample == NULL) return RCL_RET_BAD_ALLOC;
  if (length > 0) memcpy(sample->data, serialized_message->buffer, length);
  if (dds_writecdr(publisher->impl->out.writer, &sample->base) >= 0) return RCL_RET_OK;
  RCL_SET_ERROR_MSG("cannot publish data");
  return RCL_RET_ERROR;
}

rcl_ret_t
rcl_publisher_assert_liveliness(const rcl_publisher_t * publisher)
{
  if (!rcl_publisher_is_valid(publisher)) return RCL_RET_PUBLISHER_INVALID;
  return dds_assert_liveliness(publisher->impl->out.writer) >= 0 ? RCL_RET_OK : RCL_RET_ERROR;
}

rcl_ret_t
rcl_publisher_wait_for_all_acked(const rcl_publisher_t * publisher, rcl_duration_value_t timeout)
{
  if (!rcl_publisher_is_valid(publisher)) return RCL_RET_PUBLISHER_INVALID;
  dds_return_t ret =
    dds_wait_for_acks(publisher->impl->out.writer, timeout < 0 ? DDS_INFINITY : timeout);
  if (ret == DDS_RETCODE_TIMEOUT) return RCL_RET_TIMEOUT;
  return ret >= 0 ? RCL_RET_OK : RCL_RET_ERROR;
}

//---------- questions ----------

bool
rcl_publisher_is_valid_except_context(const rcl_publisher_t * publisher)
{
  RCL_CHECK_FOR_NULL_WITH_MSG(publisher, "publisher is NULL", return false);
  RCL_CHECK_FOR_NULL_WITH_MSG(publisher->impl, "publisher is not initialized", return false);
  return true;
}

bool
rcl_publisher_is_valid(const rcl_publisher_t * publisher)
{
  if (!rcl_publisher_is_valid_except_context(publisher)) return false;
  if (rcl_context_is_valid(publisher->impl->context)) return true;
  RCL_SET_ERROR_MSG("publisher's context is not valid");
  return false;
}

const char *
rcl_publisher_get_topic_name(const rcl_publisher_t * publisher)
{
  return rcl_publisher_is_valid_except_context(publisher) ? publisher->impl->topic_name : NULL;
}

const rcl_publisher_options_t *
rcl_publisher_get_options(const rcl_publisher_t * publisher)
{
  return rcl_publisher_is_valid_except_context(publisher) ? &publisher->impl->options : NULL;
}

rcl_context_t *
rcl_publisher_get_context(const rcl_publisher_t * publisher)
{
  return rcl_publisher_is_valid_except_context(publisher) ? publisher->impl->context : NULL;
}

const rmw_qos_profile_t *
rcl_publisher_get_actual_qos(const rcl_publisher_t * publisher)
{
  return rcl_publisher_is_valid_except_context(publisher) ? &publisher->impl->actual_qos : NULL;
}

rcl_ret_t
rcl_publisher_get_subscription_count(const rcl_publisher_t * publisher, size_t * count)
{
  if (!rcl_publisher_is_valid(publisher)) return RCL_RET_PUBLISHER_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(count, RCL_RET_INVALID_ARGUMENT);
  dds_publication_matched_status_t status;
  if (dds_get_publication_matched_status(publisher->impl->out.writer, &status) < 0) {
    return RCL_RET_ERROR;
  }
  *count = status.current_count;
  return RCL_RET_OK;
}
