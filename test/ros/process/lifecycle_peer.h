/// \file lifecycle_peer.h
/// A managed node that does nothing but write down what is asked of it, and a client that asks.
///
///   set_up, set_up_without_hooks, tear_down   both, matched, for cmocka
///   hooks_return                              what the node makes of it
///   ask, change                               a request and its answer
///   expect_...                                what the client sees, and what the node was told
#ifndef LIFECYCLE_PEER_H_
#define LIFECYCLE_PEER_H_

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>

#include "lifecycle.h"
#include "lifecycle_msgs/srv/change_state.h"
#include "lifecycle_msgs/srv/get_available_states.h"
#include "lifecycle_msgs/srv/get_available_transitions.h"
#include "lifecycle_msgs/srv/get_state.h"
#include "mbdyn_ros/process/ros_process.h"
#include "test/dds/session.h"

/// Hooks write down that they were called, and in which state.
typedef struct robot {
  session_t session;
  rclc_executor_t executor;
  spinner_t spinner;
  lifecycle_t * lifecycle;
  pthread_mutex_t lock;       // of what follows
  lifecycle_result_t result;  // what hooks return
  bool recovers;
  bool restless;  // hooks try to make a transition
  char calls[256];
} robot_t;

/// One client for every service, and a subscription to ~/transition_event.
typedef struct client {
  session_t session;
  rcl_client_t change, get, states, transitions, graph;
  rcl_subscription_t events;
} client_t;

extern robot_t robot;
extern client_t client;

int set_up(void ** state);
int set_up_without_hooks(void ** state);
int tear_down(void ** state);

/// Fails the test if there is no answer.
/// \param[in] repeat  the request is harmless: send it again if there is no answer yet
void ask(const rcl_client_t * service, const void * request, void * response, bool repeat);

/// What hooks return from now on.
void hooks_return(lifecycle_result_t result, bool recovers);

/// ~/change_state: what the node answers.
bool change(uint8_t id, const char * label);

void expect_state(int id, const char * label);
/// Lines such as "1 configure 1 unconfigured 10 configuring".
void expect_transitions(const rcl_client_t * service, const char * expected);
/// The events since the last time, in lines like these, and no others.
void expect_events(const char * expected);
/// The hooks called since the last time: lines such as "configure in 10", the state they ran in.
void expect_calls(const char * expected);

#endif  // LIFECYCLE_PEER_H_
