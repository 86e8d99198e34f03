/// \file demo_watch.h
/// The demo's ears: a thread that takes what the robot and the node publish and measures it.
///
///   demo_watch_start, demo_watch_stop
///   demo_watch_lock, demo_watch_unlock    around every look at its measures, and at the robot
///   demo_now                              the clock of stamps
#ifndef DEMO_WATCH_H_
#define DEMO_WATCH_H_

#include <pthread.h>
#include <stdatomic.h>

#include "demo_measure.h"
#include "ros_common.h"

/// What it listens to.
typedef enum demo_topic {
  DEMO_STATES,
  DEMO_COMMANDS,
  DEMO_TORQUES,
  DEMO_TERMS,
  DEMO_EXTERNAL,
  DEMO_WRENCH,
  DEMO_DIAGNOSTICS,
  DEMO_ODOM,
  DEMO_TOPICS
} demo_topic_t;

typedef struct demo_watch {
  ros_session_t * session;
  demo_measures_t measures;  ///< under the lock
  pthread_mutex_t lock;
  pthread_t thread;
  bool running;
  atomic_bool ending;
  rcl_wait_set_t waits;
  bool waits_open;
  rcl_subscription_t subscription[DEMO_TOPICS];
  bool open[DEMO_TOPICS];
  void * message[DEMO_TOPICS];
  int order[DEMO_JOINTS];  ///< where the joints of joint_states go; -1: nowhere
  double number[3][DEMO_JOINTS];
} demo_watch_t;

/// False after a message on stderr; demo_watch_stop is due in any case.
bool demo_watch_start(demo_watch_t * watch, ros_session_t * session, demo_robot_t * robot);
void demo_watch_stop(demo_watch_t * watch);

void demo_watch_lock(demo_watch_t * watch);
void demo_watch_unlock(demo_watch_t * watch);

/// Nanoseconds of the machine's clock.
int64_t demo_now(void);

#endif  // DEMO_WATCH_H_
