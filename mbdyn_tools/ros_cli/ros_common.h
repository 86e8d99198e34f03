/// \file ros_common.h
/// What the ROS commands share: a node of their own, waiting, signals.
///
///   ros_open, ros_close      a node for the time of one command
///   ros_wait                 until data, a change of the graph, a time, or Ctrl-C
///   ros_settle               until the graph has become quiet
///   ros_resolve              a name as the user wrote it -> absolute, remapped
///   ros_complain             one line on stderr, with what rcl said
///   ros_nobody               one line on stderr, where nothing was found
///   ros_names_print          names, with types if asked for
///   ros_is_hidden            a name with a part that begins with _
#ifndef ROS_COMMON_H_
#define ROS_COMMON_H_

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rcl/graph.h"
#include "rcl/wait.h"
#include "rclc/rclc.h"
#include "ros_args.h"

#define ROS_NEVER INT64_MAX

typedef struct ros_session {
  const ros_args_t * args;
  rcl_allocator_t allocator;
  rclc_support_t support;
  rcl_node_t node;
  rcl_guard_condition_t stop_guard;
  rcl_wait_set_t waits;
  int stage;  ///< how much of it is open
  pthread_t watcher;
  sigset_t old_mask;
  atomic_bool closing;
  atomic_bool stopped;  ///< Ctrl-C
} ros_session_t;

/// False after a message on stderr; nothing is left open then.
bool ros_open(ros_session_t * session, const ros_args_t * args);
void ros_close(ros_session_t * session);

/// Nanoseconds of a clock that never jumps.
int64_t ros_now(void);
/// The time that is so many seconds from now.
int64_t ros_after(double seconds);
/// Seconds of an option, or its default if it was not given.
double ros_or(double given, double otherwise);

typedef enum ros_wake { ROS_WOKEN, ROS_TIMED_OUT, ROS_STOPPED, ROS_FAILED } ros_wake_t;

/// What one ros_wait waits for besides time and Ctrl-C.
typedef struct ros_waited {
  const rcl_subscription_t * subscription;
  const rcl_client_t * client;
  bool graph;
} ros_waited_t;

/// \param[in] until  as ros_now has it, or ROS_NEVER
ros_wake_t ros_wait(ros_session_t * session, ros_waited_t what, int64_t until);

/// Waits until others on the network are known: --wait if given, else until nothing has changed for
/// a while. False after Ctrl-C.
bool ros_settle(ros_session_t * session);

/// To be freed; NULL after a message if the name is not valid.
char * ros_resolve(ros_session_t * session, const char * name, bool is_service);

/// "mbdyn COMMAND: WHAT: what rcl said". Returns CLI_TROUBLE.
int ros_complain(const ros_args_t * args, const char * what);

/// No `what` ("node", "topic") is on the network: one line on stderr. \return CLI_FOUND
int ros_nobody(const ros_args_t * args, const char * what);

/// For results of clean-up calls: errors there are of no use to anybody.
void ros_ignore(rcl_ret_t ret);

bool ros_is_hidden(const char * name);

/// One name per line; returns how many.
size_t ros_names_print(const rcl_names_and_types_t * names, const ros_args_t * args);

#endif  // ROS_COMMON_H_
