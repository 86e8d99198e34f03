/// \file ros_process.h
/// A process with one ROS node: command line, logging, signals, end. Shared by mbdyn_node and
/// mbdyn_sim; the component shim does without it.
///
///   ros_process_open     signals blocked, context, logging to /rosout, node
///   ros_process_printed  exit code after --help
///   ros_process_wait     until SIGINT or SIGTERM (or ros_process_finish)
///   ros_process_leave    what follows is clean-up, and may take 0.8 s
///   ros_process_close    everything given back
///   spinner_start, spinner_stop    a thread that spins an rclc executor
///   ros_clock_t          now: of the machine, or of /clock with use_sim_time
#ifndef MBDYN_ROS__ROS_PROCESS_H_
#define MBDYN_ROS__ROS_PROCESS_H_

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "log.h"
#include "rcl/rcl.h"
#include "rclc/executor.h"
#include "rclc/rclc.h"
#include "rosgraph_msgs/msg/clock.h"

typedef struct ros_process {
  rcl_allocator_t allocator;
  rclc_support_t support;
  rcl_node_t node;
  rcl_params_t * overrides;  ///< of the command line and its files, or NULL
  int stage;                 ///< how much is open
} ros_process_t;

/// Blocks SIGINT, SIGTERM and (unless it is ignored, as by nohup) SIGHUP: threads of DDS inherit
/// that. Ignores SIGPIPE. Cyclone DDS is told to drop messages above 32 MiB, unless CYCLONEDDS_URI says
/// otherwise. Then context, logging, node. Arguments that are not for ROS, or that ROS
/// does not know, are an error: options of the program's own must be gone from argv. One at a time.
/// \return false after a message on stderr (exit code 2 is the custom); nothing is left open then
bool ros_process_open(ros_process_t * process, int argc, char ** argv, const char * name);
/// Exit code of a program that only had to print, as for --help: 0, or 2 if that was not possible.
int ros_process_printed(void);
/// On the thread that has opened the process.
/// \return the signal; 0 after ros_process_finish
int ros_process_wait(void);
/// From any thread: ros_process_wait returns, for a node that shuts itself down.
void ros_process_finish(void);
/// Nothing that matters is left to do: flushes stdio, and a watchdog ends the process with this
/// code if ros_process_close has not returned in 0.8 s (a peer that has just died lets DDS wait up
/// to 1 s for each publisher). To be called once the last command is sent and threads have ended,
/// before publishers are finalized.
void ros_process_leave(int exit_code);
/// After everything that belongs to the node; ros_process_leave(0) if that has not been called.
void ros_process_close(ros_process_t * process);

/// A thread for an executor. All signals are blocked in it.
typedef struct spinner {
  rclc_executor_t * executor;
  rcl_guard_condition_t wake;
  pthread_t thread;
  char name[16];  ///< of the thread, as much as Linux keeps
  atomic_bool stop;
  bool running;
} spinner_t;

#define SPINNER_HANDLES 1

/// The guard condition, into the executor: once, before spinner_start. False after a message.
bool spinner_init(spinner_t * spinner, rcl_context_t * context, rclc_executor_t * executor);
/// \param[in] thread_name  what `top -H` shows; 15 characters
bool spinner_start(spinner_t * spinner, const char * thread_name);
/// Wakes and joins it; may be called twice, but not from a callback.
void spinner_stop(spinner_t * spinner);
/// After rclc_executor_fini.
void spinner_fini(spinner_t * spinner);

/// Nanoseconds since 1970, or of the simulation. Reading is lock-free and from any thread.
typedef struct ros_clock {
  bool simulated;
  atomic_int_least64_t now;  ///< last /clock; 0: none yet
  rcl_subscription_t subscription;
  rosgraph_msgs__msg__Clock message;
} ros_clock_t;

#define ROS_CLOCK_HANDLES 1

/// \param[in] simulated  use_sim_time: subscribe to /clock (best effort, depth 1)
bool ros_clock_init(ros_clock_t * clock, rcl_node_t * node, bool simulated);
bool ros_clock_add(ros_clock_t * clock, rclc_executor_t * executor);  ///< nothing if not simulated
int64_t ros_clock_now(const ros_clock_t * clock);                     ///< 0 before the first /clock
void ros_clock_fini(ros_clock_t * clock, rcl_node_t * node);

/// Nanoseconds of a clock that never jumps.
int64_t steady_now(void);

#endif  // MBDYN_ROS__ROS_PROCESS_H_
