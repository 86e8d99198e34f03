/// \file ros_service.h
/// Calling services of any known type.
///
///   ros_call        request message -> response message
///   ros_call_json   the same with JSON
///   ros_call_node   the same for a service below a node's name
#ifndef ROS_SERVICE_H_
#define ROS_SERVICE_H_

#include "ros_common.h"
#include "ros_message.h"

/// Waits for the service (--wait, 3 s), then for its answer (--timeout, 10 s).
/// \param[in]  service  absolute name
/// \param[out] code     exit code if it fails; a message has been printed then
/// \return for ros_message_free, or NULL
void * ros_call(
  ros_session_t * session, const char * service, const ros2_type_t * type, const void * request,
  int * code);

/// \param[in] request  reference is stolen
/// \return new reference, or NULL
json_t * ros_call_json(
  ros_session_t * session, const char * service, const char * type, json_t * request, int * code);

/// \param[in] node     absolute name
/// \param[in] service  "get_state" for NODE/get_state
json_t * ros_call_node(
  ros_session_t * session, const char * node, const char * service, const char * type,
  json_t * request, int * code);

#endif  // ROS_SERVICE_H_
