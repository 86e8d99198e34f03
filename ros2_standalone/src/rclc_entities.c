// rclc: support, nodes, and what nodes have, with less to say than in rcl. What goes wrong is
// printed here and the error reset, as rclc does it.
#include <time.h>

#include "rcl/error_handling.h"
#include "rcl/init.h"
#include "rclc/client.h"
#include "rclc/node.h"
#include "rclc/publisher.h"
#include "rclc/rclc.h"
#include "rclc/service.h"
#include "rclc/sleep.h"
#include "rclc/subscription.h"
#include "rclc/timer.h"
#include "rcutils/logging_macros.h"
#include "rmw/qos_profiles.h"

// prints the error of a call that failed
static rcl_ret_t
report(rcl_ret_t ret, const char * what)
{
  if (ret == RCL_RET_OK) return ret;
  RCUTILS_LOG_ERROR_NAMED("rclc", "%s failed: %s", what, rcl_get_error_string().str);
  rcl_reset_error();
  return ret;
}

#define CHECK(pointer) \
  RCL_CHECK_FOR_NULL_WITH_MSG(pointer, #pointer " is NULL", return RCL_RET_INVALID_ARGUMENT)

//---------- support ----------

rcl_ret_t
rclc_support_init(
  rclc_support_t * support, int argc, char const * const * argv, rcl_allocator_t * allocator)
{
  CHECK(support);
  CHECK(allocator);
  rcl_init_options_t options = rcl_get_zero_initialized_init_options();
  rcl_ret_t ret = report(rcl_init_options_init(&options, *allocator), "rcl_init_options_init");
  if (ret != RCL_RET_OK) return ret;
  ret = rclc_support_init_with_options(support, argc, argv, &options, allocator);
  report(rcl_init_options_fini(&options), "rcl_init_options_fini");
  return ret;
}

rcl_ret_t
rclc_support_init_with_options(
  rclc_support_t * support, int argc, char const * const * argv, rcl_init_options_t * init_options,
  rcl_allocator_t * allocator)
{
  CHECK(support);
  CHECK(init_options);
  CHECK(allocator);
  support->context = rcl_get_zero_initialized_context();
  rcl_ret_t ret = report(rcl_init(argc, argv, init_options, &support->context), "rcl_init");
  if (ret != RCL_RET_OK) return ret;
  support->allocator = allocator;
  return report(rcl_clock_init(RCL_STEADY_TIME, &support->clock, allocator), "rcl_clock_init");
}

rcl_ret_t
rclc_support_fini(rclc_support_t * support)
{
  CHECK(support);
  rcl_ret_t clock = report(rcl_clock_fini(&support->clock), "rcl_clock_fini");
  rcl_ret_t shutdown = report(rcl_shutdown(&support->context), "rcl_shutdown");
  rcl_ret_t context = report(rcl_context_fini(&support->context), "rcl_context_fini");
  bool good = clock == RCL_RET_OK && shutdown == RCL_RET_OK && context == RCL_RET_OK;
  return good ? RCL_RET_OK : RCL_RET_ERROR;
}

//---------- node ----------

rcl_ret_t
rclc_node_init_default(
  rcl_node_t * node, const char * name, const char * namespace_, rclc_support_t * support)
{
  rcl_node_options_t options = rcl_node_get_default_options();
  return rclc_node_init_with_options(node, name, namespace_, support, &options);
}

rcl_ret_t
rclc_node_init_with_options(
  rcl_node_t * node, const char * name, const char * namespace_, rclc_support_t * support,
  rcl_node_options_t * node_ops)
{
  CHECK(node);
  CHECK(name);
  CHECK(namespace_);
  CHECK(support);
  CHECK(node_ops);
  *node = rcl_get_zero_initialized_node();
  rcl_ret_t ret = rcl_node_init(node, name, namespace_, &support->context, node_ops);
  return report(ret, "rcl_node_init");
}

//---------- publisher, subscription ----------

rcl_ret_t
rclc_publisher_init(
  rcl_publisher_t * publisher, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name,
  const rmw_qos_profile_t * qos_profile)
{
  CHECK(publisher);
  CHECK(node);
  CHECK(type_support);
  CHECK(topic_name);
  CHECK(qos_profile);
  *publisher = rcl_get_zero_initialized_publisher();
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos = *qos_profile;
  rcl_ret_t ret = rcl_publisher_init(publisher, node, type_support, topic_name, &options);
  return report(ret, "rcl_publisher_init");
}

rcl_ret_t
rclc_publisher_init_default(
  rcl_publisher_t * publisher, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name)
{
  return rclc_publisher_init(publisher, node, type_support, topic_name, &rmw_qos_profile_default);
}

rcl_ret_t
rclc_publisher_init_best_effort(
  rcl_publisher_t * publisher, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name)
{
  return rclc_publisher_init(
    publisher, node, type_support, topic_name, &rmw_qos_profile_sensor_data);
}

rcl_ret_t
rclc_subscription_init(
  rcl_subscription_t * subscription, rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name,
  const rmw_qos_profile_t * qos_profile)
{
  CHECK(subscription);
  CHECK(node);
  CHECK(type_support);
  CHECK(topic_name);
  CHECK(qos_profile);
  *subscription = rcl_get_zero_initialized_subscription();
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  options.qos = *qos_profile;
  rcl_ret_t ret = rcl_subscription_init(subscription, node, type_support, topic_name, &options);
  return report(ret, "rcl_subscription_init");
}

rcl_ret_t
rclc_subscription_init_default(
  rcl_subscription_t * subscription, rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name)
{
  return rclc_subscription_init(
    subscription, node, type_support, topic_name, &rmw_qos_profile_default);
}

rcl_ret_t
rclc_subscription_init_best_effort(
  rcl_subscription_t * subscription, rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name)
{
  return rclc_subscription_init(
    subscription, node, type_support, topic_name, &rmw_qos_profile_sensor_data);
}

//---------- service, client ----------

rcl_ret_t
rclc_service_init(
  rcl_service_t * service, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name,
  const rmw_qos_profile_t * qos_profile)
{
  CHECK(service);
  CHECK(node);
  CHECK(type_support);
  CHECK(service_name);
  CHECK(qos_profile);
  *service = rcl_get_zero_initialized_service();
  rcl_service_options_t options = rcl_service_get_default_options();
  options.qos = *qos_profile;
  rcl_ret_t ret = rcl_service_init(service, node, type_support, service_name, &options);
  return report(ret, "rcl_service_init");
}

rcl_ret_t
rclc_service_init_default(
  rcl_service_t * service, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name)
{
  return rclc_service_init(
    service, node, type_support, service_name, &rmw_qos_profile_services_default);
}

rcl_ret_t
rclc_service_init_best_effort(
  rcl_service_t * service, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name)
{
  return rclc_service_init(service, node, type_support, service_name, &rmw_qos_profile_sensor_data);
}

rcl_ret_t
rclc_client_init(
  rcl_client_t * client, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name,
  const rmw_qos_profile_t * qos_profile)
{
  CHECK(client);
  CHECK(node);
  CHECK(type_support);
  CHECK(service_name);
  CHECK(qos_profile);
  *client = rcl_get_zero_initialized_client();
  rcl_client_options_t options = rcl_client_get_default_options();
  options.qos = *qos_profile;
  rcl_ret_t ret = rcl_client_init(client, node, type_support, service_name, &options);
  return report(ret, "rcl_client_init");
}

rcl_ret_t
rclc_client_init_default(
  rcl_client_t * client, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name)
{
  return rclc_client_init(
    client, node, type_support, service_name, &rmw_qos_profile_services_default);
}

rcl_ret_t
rclc_client_init_best_effort(
  rcl_client_t * client, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name)
{
  return rclc_client_init(client, node, type_support, service_name, &rmw_qos_profile_sensor_data);
}

//---------- timer, sleep ----------

rcl_ret_t
rclc_timer_init_default(
  rcl_timer_t * timer, rclc_support_t * support, const uint64_t timeout_ns,
  const rcl_timer_callback_t callback)
{
  CHECK(timer);
  CHECK(support);
  *timer = rcl_get_zero_initialized_timer();
  rcl_ret_t ret = rcl_timer_init(
    timer, &support->clock, &support->context, (int64_t)timeout_ns, callback, *support->allocator);
  return report(ret, "rcl_timer_init");
}

void
rclc_sleep_ms(unsigned int ms)
{
  struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
  nanosleep(&time, NULL);
}
