/// \file live.h
/// What `mbdyn view` and `mbdyn top` receive: a thread that finds robots on the ROS graph and
/// subscribes to the topics of their nodes.
///
///   live_start, live_stop
///   live_create                without ROS: the caller adds robots and messages
///   live_lock, live_unlock     around every look at the robots
///   live_monotonic, live_wall  clocks [s]
///
/// It never publishes; subscriptions are best effort, so that no publisher waits for them. A robot is a
/// node that publishes ~/joint_dynamics; what it subscribes to tells joint_states, odom and
/// robot_description. Robots stay known when they go.
#ifndef LIVE_H_
#define LIVE_H_

#include "live_diagnostics.h"
#include "live_robot.h"
#include "ros_common.h"

typedef struct live live_t;

typedef struct live_options {
  double history;     ///< seconds that are kept of each robot
  const char * node;  ///< only this node, "/ns/mbdyn"; NULL: all
} live_options_t;

/// What is known; under the lock.
typedef struct live_view {
  live_robot_t * robot[LIVE_ROBOTS];  ///< in the order in which they were found
  int n;
  live_diagnostics_t diagnostics;
  uint64_t version;  ///< grows when robots come, go or change their state
} live_view_t;

/// NULL after a message on stderr. The session must outlive it.
live_t * live_start(ros_session_t * session, const live_options_t * options);
/// No ROS and no thread: for a recording. NULL if out of memory.
live_t * live_create(void);
void live_stop(live_t * live);

live_view_t * live_lock(live_t * live);
void live_unlock(live_t * live);

/// Takes a diagnostics message, and state and mode of the robots from it; under the lock.
void live_take_diagnostics(live_view_t * view, const uint8_t * bytes, size_t size);

double live_monotonic(void);
double live_wall(void);

#endif  // LIVE_H_
