/// \file sim_peer.h
/// The real program and everybody it talks to: a node of the test's own on the same DDS domain.
///
///   peer_open, peer_close      the node; the program is ended with it
///   robot_start, robot_end     the program, with parameters
///   expect_refusal             what it says of parameters that it refuses
///   next_state                 the next joint state
///   next_odometry, next_clock, next_description, next_report
///   send_array, send_names, send_junk       commands
///   push, reset, set_parameter, set_text              services
///
/// Whatever does not come in 20 s fails the test.
#ifndef SIM_PEER_H_
#define SIM_PEER_H_

#include "close.h"
#include "diagnostic_msgs/msg/diagnostic_array.h"
#include "mbdyn/srv/apply_wrench.h"
#include "nav_msgs/msg/odometry.h"
#include "process.h"
#include "rcl_interfaces/msg/parameter.h"
#include "rcl_interfaces/msg/parameter_type.h"
#include "rcl_interfaces/srv/set_parameters.h"
#include "rosgraph_msgs/msg/clock.h"
#include "session.h"
#include "std_msgs/msg/float64_multi_array.h"
#include "std_msgs/msg/string.h"
#include "std_srvs/srv/trigger.h"

#define PENDULUM "double_pendulum"
enum { PEER_JOINTS = 16 };

typedef struct peer {
  session_t session;
  process_t robot;
  rcl_subscription_t states, odometry, clock, diagnostics;
  rcl_publisher_t array, names;
  rcl_client_t push, reset, set;
  sensor_msgs__msg__JointState state;
  nav_msgs__msg__Odometry odometry_message;
  diagnostic_msgs__msg__DiagnosticArray report;
} peer_t;

/// A joint state, numbers alone.
typedef struct joint_sample {
  int64_t stamp;  // [ns]
  size_t n, nvelocity, neffort;
  double position[PEER_JOINTS], velocity[PEER_JOINTS], effort[PEER_JOINTS];
} joint_sample_t;

void peer_open(peer_t * peer);
void peer_close(peer_t * peer);

/// \param[in] robot       of test/data
/// \param[in] parameters  "rate:=100.0", ..., NULL at the end; may be NULL
void robot_start(peer_t * peer, const char * robot, const char * const * parameters);
/// \return exit code
int robot_end(peer_t * peer, int signal);

/// The message itself is in peer->state.
joint_sample_t next_state(peer_t * peer);
/// Skips n of them.
void skip_states(peer_t * peer, int n);
/// Throws away what has come.
void drain_states(peer_t * peer);
/// Reads until one has these efforts.
joint_sample_t state_with_effort(peer_t * peer, const double * effort, size_t n);

const nav_msgs__msg__Odometry * next_odometry(peer_t * peer);
int64_t next_clock(peer_t * peer);
/// Of a subscription made now; the caller's, from malloc.
char * next_description(peer_t * peer);
/// The next report; its values by key.
const diagnostic_msgs__msg__DiagnosticStatus * next_report(peer_t * peer);
double report_value(const diagnostic_msgs__msg__DiagnosticStatus * report, const char * key);

/// Wait until the program has the subscription, then send once.
void send_array(peer_t * peer, const double * x, size_t n);
void send_names(peer_t * peer, const char * const * name, const double * effort, size_t n);
void send_junk(peer_t * peer);

typedef struct wrench {
  double force[3], torque[3];
  uint8_t reference;
  double duration;
} wrench_t;

/// The program ends with 1 and says so.
/// \param[in] robot  of test/data
/// \param[in] words  of its log
void expect_refusal(const char * robot, const char * const * parameters, const char * words);

/// "" or what is wrong; stable until the next call.
const char * push(peer_t * peer, const char * frame, const wrench_t * wrench);
void reset(peer_t * peer);
/// "" or why not. Numbers: one is a double, more are a double array.
const char * set_parameter(peer_t * peer, const char * name, const double * x, size_t n);
const char * set_text(peer_t * peer, const char * name, const char * value);

/// A test with the program's peer in the variable `peer`, which ends the robot if it still runs.
#define PEER_TEST(test) \
  cmocka_unit_test_prestate_setup_teardown(test, peer_set_up, peer_tear_down, &peer)
int peer_set_up(void ** state);
int peer_tear_down(void ** state);

#endif  // SIM_PEER_H_
