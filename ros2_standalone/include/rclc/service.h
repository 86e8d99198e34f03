/// \file rclc/service.h
/// Service servers.
#ifndef RCLC__SERVICE_H_
#define RCLC__SERVICE_H_

#include "rcl/service.h"
#include "rclc/types.h"
#include "rclc/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

RCLC_PUBLIC rcl_ret_t rclc_service_init_default(
  rcl_service_t * service, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name);
RCLC_PUBLIC rcl_ret_t rclc_service_init_best_effort(
  rcl_service_t * service, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name);
RCLC_PUBLIC rcl_ret_t rclc_service_init(
  rcl_service_t * service, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name,
  const rmw_qos_profile_t * qos_profile);

#ifdef __cplusplus
}
#endif

#endif  // RCLC__SERVICE_H_
