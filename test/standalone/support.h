/// \file support.h
/// Tests of ros2_standalone: short ways to common things; process.h has the domain of their own.
///
///   session_t          support and one node
///   wait_until         poll a condition
///   start_role         this program again, as another process
#ifndef SUPPORT_H_
#define SUPPORT_H_

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <sys/types.h>

#include "process.h"
#include "rcl/error_handling.h"
#include "rcl/rcl.h"
#include "rclc/rclc.h"
#include "rosidl_runtime_c/message_type_support_struct.h"
#include "rosidl_runtime_c/service_type_support_struct.h"

#define JOINT_STATE ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState)
#define STRING      ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String)
#define SET_BOOL    ROSIDL_GET_SRV_TYPE_SUPPORT(std_srvs, srv, SetBool)

/// A call that must work; says what went wrong if not.
#define OK(call)                                                                               \
  do {                                                                                         \
    rcl_ret_t ret_ = (call);                                                                   \
    if (ret_ != RCL_RET_OK) fail_msg("%s -> %d: %s", #call, ret_, rcl_get_error_string().str); \
  } while (0)

/// A call that must fail with this code; the error is reset.
#define FAILS(call, code)                                                 \
  do {                                                                    \
    rcl_ret_t ret_ = (call);                                              \
    rcl_reset_error();                                                    \
    if (ret_ != (code)) fail_msg("%s -> %d, not %s", #call, ret_, #code); \
  } while (0)

typedef struct {
  rcl_allocator_t allocator;
  rclc_support_t support;
  rcl_node_t node;
} session_t;

/// Support and a node, with these arguments (NULL at the end) after the program's name.
void session_open(session_t * session, const char * node_name, const char * const * arguments);
void session_close(session_t * session);

/// True once the condition is; false after so many milliseconds.
bool wait_until(bool (*condition)(void *), void * arg, int milliseconds);
/// Waits until a publisher has matched so many subscriptions.
bool wait_matched(const rcl_publisher_t * publisher, size_t count, int milliseconds);
/// Waits for one message and takes it as bytes.
rcl_ret_t take_within(
  session_t * session, const rcl_subscription_t * subscription, rcl_serialized_message_t * bytes,
  int milliseconds);

/// Until now_ns() says so.
void sleep_until(int64_t time_ns);

/// This program with "role NAME" as arguments.
pid_t start_role(const char * name);
/// The role that the program was started for, or NULL.
const char * role_of(int argc, char ** argv);
/// Waits for a child; its exit code, or 128 + signal.
int exit_code(pid_t child);

#endif  // SUPPORT_H_
