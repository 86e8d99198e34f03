/// \file rclc/publisher.h
/// Publishers: default is reliable and 10 deep, best effort is for sensor data.
#ifndef RCLC__PUBLISHER_H_
#define RCLC__PUBLISHER_H_

#include "rcl/publisher.h"
#include "rclc/types.h"
#include "rclc/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

RCLC_PUBLIC rcl_ret_t rclc_publisher_init_default(
  rcl_publisher_t * publisher, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name);
RCLC_PUBLIC rcl_ret_t rclc_publisher_init_best_effort(
  rcl_publisher_t * publisher, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name);
RCLC_PUBLIC rcl_ret_t rclc_publisher_init(
  rcl_publisher_t * publisher, const rcl_node_t * node,
  const rosidl_message_type_support_t * type_support, const char * topic_name,
  const rmw_qos_profile_t * qos_profile);

#ifdef __cplusplus
}
#endif

#endif  // RCLC__PUBLISHER_H_
