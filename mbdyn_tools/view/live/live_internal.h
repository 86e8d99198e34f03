/// \file live_internal.h
/// What the files of the listening thread share.
#ifndef LIVE_INTERNAL_H_
#define LIVE_INTERNAL_H_

#include <pthread.h>
#include <stdatomic.h>

#include "live.h"
#include "rcl_interfaces/srv/get_parameters.h"
#include "serialized.h"

/// A subscription.
typedef struct live_topic {
  rcl_subscription_t subscription;
  live_robot_t * robot;  ///< NULL: /diagnostics
  live_kind_t kind;
  int count;  ///< of the robot's counts
  char name[LIVE_NAME];
} live_topic_t;

/// Questions to a node about its parameters.
typedef struct live_question {
  rcl_client_t client;
  bool open, waiting;
  bool whole;  ///< robot_description has been asked for
  double asked;
  rcl_interfaces__srv__GetParameters_Request request;
} live_question_t;

enum { LIVE_ALL_TOPICS = LIVE_ROBOTS * LIVE_TOPICS + 1 };

struct live {
  ros_session_t * session;
  live_options_t options;
  pthread_mutex_t lock;
  live_view_t view;  ///< under the lock
  pthread_t thread;
  bool running;
  atomic_bool ending;
  live_topic_t * topic[LIVE_ALL_TOPICS];
  int ntopic;
  live_question_t question[LIVE_ROBOTS];
  rcl_wait_set_t waits;
  bool waits_open;
  size_t waits_capacity[2];  ///< subscriptions, clients
  serialized_t bytes;
  double next_look, next_tick;
};

/// Looks for robots and topics; the calling thread is the listening one, as for all below.
void live_find(live_t * live);
bool live_subscribe(live_t * live, live_robot_t * robot, live_kind_t kind, const char * topic);
void live_unsubscribe_all(live_t * live);

/// Asks the robot's node now and then.
void live_ask(live_t * live, int robot, double now);
void live_answer(live_t * live, int robot);
void live_ask_end(live_t * live);

#endif  // LIVE_INTERNAL_H_
