// Subscriptions.
#include "rcl/subscription.h"

#include <string.h>

#include "impl.h"
#include "rmw/qos_profiles.h"
#include "rmw/rmw.h"

rcl_subscription_t
rcl_get_zero_initialized_subscription(void)
{
  return (rcl_subscription_t){0};
}

rcl_subscription_options_t
rcl_subscription_get_default_options(void)
{
  return (rcl_subscription_options_t){
    .qos = rmw_qos_profile_default, .allocator = rcl_get_default_allocator()};
}

rcl_ret_t
rcl_subscription_options_fini(rcl_subscription_options_t * option)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(option, RCL_RET_INVALID_ARGUMENT);
  return RCL_RET_OK;
}

static rcl_ret_t
open_reader(
  rcl_subscription_impl_t * impl, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support)
{
  rcl_allocator_t a = impl->options.allocator;
  const cdr_members_t * members = sa_members(type_support);
  if (members == NULL) return RCL_RET_ERROR;
  char * topic = sa_dds_name("rt", impl->topic_name, "", &impl->options.qos, a);
  if (topic == NULL) return RCL_RET_BAD_ALLOC;
  rcl_ret_t ret = sa_reader_open(
    &impl->in, node->context, members, topic, &impl->options.qos, NULL,
    impl->options.rmw_subscription_options.ignore_local_publications);
  a.deallocate(topic, a.state);
  if (ret != RCL_RET_OK) return ret;
  ret = sa_graph_add(node, impl->in.reader, 0);
  if (ret != RCL_RET_OK) sa_reader_close(&impl->in);
  return ret;
}

rcl_ret_t
rcl_subscription_init(
  rcl_subscription_t * subscription, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name,
  const rcl_subscription_options_t * options)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(options, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ALLOCATOR(&options->allocator, return RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(subscription, RCL_RET_INVALID_ARGUMENT);
  if (!rcl_node_is_valid(node)) return RCL_RET_NODE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(type_support, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(topic_name, RCL_RET_INVALID_ARGUMENT);
  if (subscription->impl != NULL) {
    RCL_SET_ERROR_MSG("subscription already initialized, or not zero-initialized");
    return RCL_RET_ALREADY_INIT;
  }
  rcl_allocator_t a = options->allocator;
  rcl_subscription_impl_t * impl = a.zero_allocate(1, sizeof *impl, a.state);
  if (impl == NULL) return RCL_RET_BAD_ALLOC;
  impl->options = *options;
  impl->actual_qos = sa_actual_qos(&options->qos);
  impl->actual_qos.lifespan = (rmw_time_t)RMW_DURATION_INFINITE;  // only writers have one

  rcl_ret_t ret = sa_endpoint_name(node, topic_name, false, a, &impl->topic_name);
  if (ret == RCL_RET_OK) ret = open_reader(impl, node, type_support);
  if (ret == RCL_RET_OK) {
    subscription->impl = impl;
    return RCL_RET_OK;
  }
  a.deallocate(impl->topic_name, a.state);
  a.deallocate(impl, a.state);
  return ret;
}

rcl_ret_t
rcl_subscription_fini(rcl_subscription_t * subscription, rcl_node_t * node)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(subscription, RCL_RET_SUBSCRIPTION_INVALID);
  if (!rcl_node_is_valid_except_context(node)) return RCL_RET_NODE_INVALID;
  rcl_subscription_impl_t * impl = subscription->impl;
  if (impl == NULL) return RCL_RET_OK;
  rcl_allocator_t a = impl->options.allocator;
  sa_graph_remove(node, impl->in.reader, 0);
  sa_reader_close(&impl->in);
  a.deallocate(impl->topic_name, a.state);
  a.deallocate(impl, a.state);
  subscription->impl = NULL;
  return RCL_RET_OK;
}

//---------- take ----------

static void
set_info(rmw_message_info_t * message_info, const dds_sample_info_t * info)
{
  if (message_info == NULL) return;
  *message_info = rmw_get_zero_initialized_message_info();
  message_info->source_timestamp = info->source_timestamp;
  message_info->publication_sequence_number = RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED;
  message_info->reception_sequence_number = RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED;
  message_info->publisher_gid.implementation_identifier = rmw_get_implementation_identifier();
  memcpy(
    message_info->publisher_gid.data, &info->publication_handle, sizeof info->publication_handle);
}

rcl_ret_t
rcl_take(
  const rcl_subscription_t * subscription, void * ros_message, rmw_message_info_t * message_info,
  rmw_subscription_allocation_t * allocation)
{
  (void)allocation;
  if (!rcl_subscription_is_valid(subscription)) return RCL_RET_SUBSCRIPTION_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(ros_message, RCL_RET_INVALID_ARGUMENT);
  sa_reader_t * in = &subscription->impl->in;
  dds_sample_info_t info;
  raw_sample_t * sample;
  while ((sample = sa_take(in, &info)) != NULL) {
    bool good = cdr_read(in->members, sample->data, sample->size, NULL, ros_message);
    ddsi_serdata_unref(&sample->base);
    if (good) {
      set_info(message_info, &info);
      return RCL_RET_OK;
    }
    sa_count_dropped(in);
  }
  return RCL_RET_SUBSCRIPTION_TAKE_FAILED;
}

rcl_ret_t
rcl_take_serialized_message(
  const rcl_subscription_t * subscription, rcl_serialized_message_t * serialized_message,
  rmw_message_info_t * message_info, rmw_subscription_allocation_t * allocation)
{
  (void)allocation;
  if (!rcl_subscription_is_valid(subscription)) return RCL_RET_SUBSCRIPTION_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(serialized_message, RCL_RET_INVALID_ARGUMENT);
  dds_sample_info_t info;
  raw_sample_t * sample = sa_take(&subscription->impl->in, &info);
  if (sample == NULL) return RCL_RET_SUBSCRIPTION_TAKE_FAILED;

  // the array's own allocator decides whether it may grow; to no bytes at all it never may
  rcutils_ret_t grown = RCUTILS_RET_OK;
  if (sample->size == 0 || serialized_message->buffer_capacity < sample->size) {
    grown = rcutils_uint8_array_resize(serialized_message, sample->size);
  }
  if (grown == RCUTILS_RET_OK) {
    memcpy(serialized_message->buffer, sample->data, sample->size);
    serialized_message->buffer_length = sample->size;
    set_info(message_info, &info);
  } else {
    sa_count_dropped(&subscription->impl->in);
  }
  ddsi_serdata_unref(&sample->base);
  return grown == RCUTILS_RET_OK ? RCL_RET_OK : RCL_RET_ERROR;
}

//---------- questions ----------

bool
rcl_subscription_is_valid(const rcl_subscription_t * subscription)
{
  RCL_CHECK_FOR_NULL_WITH_MSG(subscription, "subscription is NULL", return false);
  RCL_CHECK_FOR_NULL_WITH_MSG(subscription->impl, "subscription is not initialized", return false);
  return true;
}

const char *
rcl_subscription_get_topic_name(const rcl_subscription_t * subscription)
{
  return rcl_subscription_is_valid(subscription) ? subscription->impl->topic_name : NULL;
}

const rcl_subscription_options_t *
rcl_subscription_get_options(const rcl_subscription_t * subscription)
{
  return rcl_subscription_is_valid(subscription) ? &subscription->impl->options : NULL;
}

const rmw_qos_profile_t *
rcl_subscription_get_actual_qos(const rcl_subscription_t * subscription)
{
  return rcl_subscription_is_valid(subscription) ? &subscription->impl->actual_qos : NULL;
}

rmw_ret_t
rcl_subscription_get_publisher_count(const rcl_subscription_t * subscription, size_t * count)
{
  if (!rcl_subscription_is_valid(subscription)) return RCL_RET_SUBSCRIPTION_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(count, RCL_RET_INVALID_ARGUMENT);
  dds_subscription_matched_status_t status;
  if (dds_get_subscription_matched_status(subscription->impl->in.reader, &status) < 0) {
    return RCL_RET_ERROR;
  }
  *count = status.current_count;
  return RCL_RET_OK;
}
