/// \file node_peer.h
/// The other side of mbdyn_node in a test: starts it as a process, is its robot, listens to all it
/// says, calls its services. One thread uses a peer; only the stream has a thread of its own.
///
///   peer_open, peer_close         participant, publisher of joint_states, subscriptions
///   peer_start, peer_stop         the node; its exit code
///   peer_spin, peer_wait          listening
///   peer_listen, peer_publisher   any other topic
///   peer_set_state, peer_publish, peer_publish_now, peer_publish_bytes    joint states
///   peer_bring_up, peer_step      until it commands; one joint state, one command
///   peer_stream_start, peer_stream_stop    joint states at a rate, in the background
///   peer_value, peer_count, peer_wait_count    from /diagnostics
///   peer_logged                   from /rosout
///   peer_call                     a service (node_peer_calls.c, as all below)
///   peer_change_state, peer_state
///   peer_set_...                  a parameter: "" or why not
///   peer_get                      a parameter as text
///
/// Every command that comes is checked: finite, within peer->limit. peer_close fails the test if one
/// was not.
#ifndef NODE_PEER_H_
#define NODE_PEER_H_

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "diagnostic_msgs/msg/diagnostic_array.h"
#include "sensor_msgs/msg/joint_state.h"
#include "test/dds/session.h"
#include "test/support/process.h"

#define PEER_ROBOT     MBDYN_SOURCE_DIR "/config/robots/arm7.urdf"
#define PEER_ROBOT_ARG "-p", "robot_description_file:=" PEER_ROBOT
/// For steps at the test's own pace: nothing is stale, each joint state gives a command, and gains
/// are as they are set although no robot would take them at a few commands per second.
#define PEER_CALM_ARG                                                               \
  "-p", "timeout:=30.0", "-p", "good_inputs:=1", "-p", "max_rate:=1000000.0", "-p", \
    "bound_gains:=false"

enum {
  PEER_JOINTS = 7,  // of that robot: joint1 to joint7
  PEER_NUMBERS = 64,
  PEER_LISTENERS = 32,
  PEER_PUBLISHERS = 16,
  PEER_CLIENTS = 24,
  PEER_TIMEOUT = 15000  // for what must happen [ms]
};

/// Effort limits of that robot, in the order of its joints.
extern const double PEER_LIMIT[PEER_JOINTS];

struct peer;

typedef struct peer_listener {
  rcl_subscription_t subscription;
  void * message;   // the last one
  uint64_t count;   // messages so far
  int64_t arrival;  // of the last [ns], steady clock
  void (*on_message)(struct peer * peer, struct peer_listener * listener);  // or NULL
} peer_listener_t;

typedef struct peer_client {
  char name[96];
  rcl_client_t client;
} peer_client_t;

typedef struct peer_stream {
  pthread_t thread;
  atomic_bool stop;
  bool running;
  double rate;
  rcl_publisher_t publisher;
  atomic_uint_least64_t sent;
} peer_stream_t;

typedef struct peer {
  session_t session;
  process_t node;
  rcl_publisher_t joint_states;
  sensor_msgs__msg__JointState state;  // what peer_publish sends

  int nlistener, npublisher, nclient;
  peer_listener_t listener[PEER_LISTENERS];
  rcl_publisher_t publisher[PEER_PUBLISHERS];
  peer_client_t client[PEER_CLIENTS];
  peer_stream_t stream;

  // ~/command
  peer_listener_t * commands;
  size_t ncommand;
  double command[PEER_NUMBERS];  // the last one
  double limit[PEER_NUMBERS];    // of each number; infinite: none
  uint64_t bad;                  // commands that were not finite or beyond limits
  char bad_text[256];            // the first of them

  peer_listener_t * reports;                     // /diagnostics
  diagnostic_msgs__msg__DiagnosticArray report;  // the last of the node
  peer_listener_t * events;                      // ~/transition_event
  char event_text[4096];                         // lines "unconfigured>configuring"
  peer_listener_t * log;                         // /rosout
  char log_text[16384];                          // lines "WARN text", the newest of them
} peer_t;

//---------- participants ----------

/// Node /peer on the domain of the environment (own_domain); the node under test is /mbdyn.
void peer_open(peer_t * peer);
/// Ends what is still running, and fails the test if a command was bad.
void peer_close(peer_t * peer);

/// Its log goes to /rosout alone, unless MBDYN_TEST_VERBOSE is set.
/// \param[in] arguments  after --ros-args, NULL at the end: PEER_ROBOT_ARG, "-p", "mode:=passive"
void peer_start(peer_t * peer, const char * const * arguments);
/// The same of another program that is the node: its path, its own arguments, NULL.
void peer_start_as(peer_t * peer, const char * const * program, const char * const * arguments);
/// Waits for its end; fails the test if that takes longer than PEER_TIMEOUT.
/// \param[in] signal  0: none, it ends by itself
/// \return exit code, or 128 + signal
int peer_stop(peer_t * peer, int signal);
bool peer_is_alive(peer_t * peer);

//---------- listening ----------

/// Waits for anything, and takes all that is there.
void peer_spin(peer_t * peer, int milliseconds);
/// Until a counter (such as peer->commands->count) has come so far.
/// \return false after that time
bool peer_wait(peer_t * peer, const uint64_t * counter, uint64_t at_least, int milliseconds);
/// Takes what comes, for a time.
void peer_listen_for(peer_t * peer, int milliseconds);

/// Subscribes, reliably, a thousand deep.
/// \param[in] message  initialised by the caller; stays his
peer_listener_t * peer_listen(
  peer_t * peer, const rosidl_message_type_support_t * type, const char * topic, void * message);
/// Reliable; ended by peer_close.
rcl_publisher_t * peer_publisher(
  peer_t * peer, const rosidl_message_type_support_t * type, const char * topic);
/// Until a publisher of ours has found a subscriber.
void peer_wait_matched(peer_t * peer, const rcl_publisher_t * publisher);

//---------- joint states ----------

/// Names joint1 to joint7, q and v (NULL: no velocities), no efforts; the stamp stays.
void peer_set_state(peer_t * peer, const double * q, const double * v);
/// peer->state as it is, or with the stamp of now.
void peer_publish(peer_t * peer);
void peer_publish_now(peer_t * peer);
void peer_stamp(peer_t * peer, int64_t nanoseconds);
/// System clock [ns].
int64_t peer_clock(void);
/// Bytes as they are, through any of our publishers.
void peer_publish_bytes(rcl_publisher_t * publisher, const uint8_t * bytes, size_t size);

/// Publishes joint states until a command comes (autostart).
void peer_bring_up(peer_t * peer);
/// The same until the node is active, where no command will come.
void peer_bring_up_silent(peer_t * peer);
/// Publishes the state with the stamp of now until a command comes, usually once.
void peer_step(peer_t * peer);

/// Joint states from another thread and publisher: all joints on sines.
void peer_stream_start(peer_t * peer, double rate);
/// \return messages sent
uint64_t peer_stream_stop(peer_t * peer);

//---------- what the node reports ----------

/// Of the last /diagnostics; NULL if there is no such key.
const char * peer_value(const peer_t * peer, const char * key);
/// -1 if there is no such key.
long long peer_count(const peer_t * peer, const char * key);
/// Waits for a report that says so; fails the test if none does in time.
void peer_wait_count(peer_t * peer, const char * key, long long value);
void peer_wait_value(peer_t * peer, const char * key, const char * value);
/// The first report that was begun after this call.
void peer_wait_report(peer_t * peer);

/// Waits for a log line that has the text in it; fails the test if none comes. Lines of before
/// peer_forget_log do not count.
const char * peer_logged(peer_t * peer, const char * text);
void peer_forget_log(peer_t * peer);

//---------- services ----------

/// Sends the request, and again if there is no answer in a second (what is sent before the server
/// has found us is lost). Fails the test if there is none at all.
/// \param[in] name  such as "/mbdyn/get_state"
void peer_call(
  peer_t * peer, const rosidl_service_type_support_t * type, const char * name,
  const void * request, void * response);

/// The same sent once, for what is too large to be sent every second; after a peer_call to the same
/// server has shown that it listens.
void peer_call_once(
  peer_t * peer, const rosidl_service_type_support_t * type, const char * name,
  const void * request, void * response);

/// \param[in] label  "configure", "activate", "deactivate", "cleanup", "shutdown"
/// \return what the node answers
bool peer_change_state(peer_t * peer, const char * label);
/// "unconfigured", "inactive", ...; valid until the next call
const char * peer_state(peer_t * peer);

/// "" if it was set, else the reason; valid until the next call.
const char * peer_set_bool(peer_t * peer, const char * name, bool value);
const char * peer_set_integer(peer_t * peer, const char * name, int64_t value);
const char * peer_set_double(peer_t * peer, const char * name, double value);
const char * peer_set_string(peer_t * peer, const char * name, const char * value);
const char * peer_set_doubles(peer_t * peer, const char * name, size_t n, const double * value);
const char * peer_set_strings(
  peer_t * peer, const char * name, size_t n, const char * const * value);
/// "true", "5", "0.1", "text", "[1, 2]"; "" if there is no such parameter. Valid until the next call.
const char * peer_get(peer_t * peer, const char * name);

#endif  // NODE_PEER_H_
