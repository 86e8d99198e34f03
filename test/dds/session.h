/// \file session.h
/// What the helper programs have in common: a node on the rclc API, and the messages they send.
///
///   session_open, session_close    support and one node
///   joint_state_set, joint_state_is    message k of a stream, and is it that one?
///   message_bytes, joint_state_bytes   the same on the wire
///   session_wait                   wait for one subscription or client
#ifndef SESSION_H_
#define SESSION_H_

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "rcl/error_handling.h"
#include "rcl/rcl.h"
#include "rclc/executor.h"
#include "rclc/rclc.h"
#include "rmw/qos_profiles.h"
#include "rosidl_runtime_c/message_type_support_struct.h"
#include "rosidl_runtime_c/service_type_support_struct.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/string.h"
#include "std_srvs/srv/set_bool.h"

#ifdef __cplusplus
extern "C" {
#endif

#define JOINT_STATE ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState)
#define STRING      ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String)
#define SET_BOOL    ROSIDL_GET_SRV_TYPE_SUPPORT(std_srvs, srv, SetBool)

/// A call that must work: the program ends with a message if it does not.
#define OK(call) session_check((call), #call, __FILE__, __LINE__)
void session_check(rcl_ret_t ret, const char * call, const char * file, int line);

typedef struct {
  rcl_allocator_t allocator;
  rclc_support_t support;
  rcl_node_t node;
} session_t;

/// Set by SIGTERM and SIGINT.
extern volatile sig_atomic_t session_stop;

/// \param[in] rosout  with a /rosout publisher
void session_open(session_t * session, const char * node_name, bool rosout);
void session_close(session_t * session);

/// True once the subscription or client (one of them NULL) has something.
bool session_wait(
  session_t * session, const rcl_subscription_t * subscription, const rcl_client_t * client,
  int milliseconds);

/// Message k of a stream: 7 joints, all values from k.
void joint_state_init(sensor_msgs__msg__JointState * message, const char * frame);
void joint_state_set(sensor_msgs__msg__JointState * message, uint32_t k);
bool joint_state_is(const sensor_msgs__msg__JointState * message, uint32_t k);

/// The bytes of any message on the wire, by rmw_serialize.
/// \return how many
size_t message_bytes(
  const rosidl_message_type_support_t * type, const void * message, uint8_t * buffer, size_t size);

/// The bytes of message k, padded to a multiple of four.
/// \return how many
size_t joint_state_bytes(uint32_t k, const char * frame, uint8_t * buffer, size_t size);

/// Keep-last profile.
rmw_qos_profile_t profile(bool reliable, bool latched, size_t depth);

#ifdef __cplusplus
}
#endif

#endif  // SESSION_H_
