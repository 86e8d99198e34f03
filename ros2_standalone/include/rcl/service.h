/// \file rcl/service.h
/// Service servers.
#ifndef RCL__SERVICE_H_
#define RCL__SERVICE_H_

#include "rcl/macros.h"
#include "rcl/node.h"
#include "rosidl_runtime_c/service_type_support_struct.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rcl_service_impl_s rcl_service_impl_t;

typedef struct rcl_service_s {
  rcl_service_impl_t * impl;
} rcl_service_t;

typedef struct rcl_service_options_s {
  rmw_qos_profile_t qos;
  rcl_allocator_t allocator;
} rcl_service_options_t;

RCL_PUBLIC RCL_WARN_UNUSED rcl_service_t rcl_get_zero_initialized_service(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_service_options_t rcl_service_get_default_options(void);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_service_init(
  rcl_service_t * service, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * service_name,
  const rcl_service_options_t * options);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_service_fini(rcl_service_t * service, rcl_node_t * node);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_take_request_with_info(
  const rcl_service_t * service, rmw_service_info_t * request_header, void * ros_request);
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_take_request(
  const rcl_service_t * service, rmw_request_id_t * request_header, void * ros_request);
/// Waits up to 100 ms until the client's reader is known; RCL_RET_TIMEOUT if it never is.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_send_response(
  const rcl_service_t * service, rmw_request_id_t * response_header, void * ros_response);
RCL_PUBLIC RCL_WARN_UNUSED const char * rcl_service_get_service_name(const rcl_service_t * service);
RCL_PUBLIC RCL_WARN_UNUSED const rcl_service_options_t * rcl_service_get_options(
  const rcl_service_t * service);
RCL_PUBLIC bool rcl_service_is_valid(const rcl_service_t * service);

#ifdef __cplusplus
}
#endif

#endif  // RCL__SERVICE_H_
