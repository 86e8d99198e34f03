// The inside of the node: what its files share. All of it belongs to the executor's thread.
#ifndef MBDYN_NODE__NODE_INTERNAL_H_
#define MBDYN_NODE__NODE_INTERNAL_H_

#include "control_loop.h"
#include "diagnostic_msgs/msg/diagnostic_array.h"
#include "lifecycle.h"
#include "mbdyn/urdf.h"
#include "node.h"
#include "node_kinematics.h"
#include "node_parameters.h"
#include "node_services.h"
#include "parameter_server.h"
#include "ros_process.h"
#include "trajectory_msgs/msg/joint_trajectory.h"

enum { REASON_MAX = 1024 };

// text of a robot description, and where it came from
typedef struct description {
  char * text;  // NULL: none yet
  size_t size;
  char source[256];
  uint64_t version;  // counts texts
} description_t;

// a robot that was read, with all that hangs on it
typedef struct loaded {
  mbd_model_t * model;
  mbd_model_t * flexible;  // the same with flexible links, or NULL
  node_robot_t robot;
  mbd_data_t * data;  // workspace of the executor's thread
  uint64_t hash;      // FNV-1a of the text
  uint64_t version;   // of the description
  int nwarning;
  char ** warning;
} loaded_t;

// counters of the last report, so that a change can be told
typedef struct diagnostics {
  rcl_publisher_t publisher;
  bool open;
  diagnostic_msgs__msg__DiagnosticArray message;
  histogram_copy_t interval, age, compute, cycle, scratch, since;
  loop_state_t last;      // of the last message, without its numbers
  loop_state_t reported;  // of the last tick
  bool gains_bounded;     // in the second before the last message
  bool support_limited;   // likewise
  bool singular;          // the operational frame was near a singularity then
  int64_t next;           // steady clock
  char abandoned[512];    // the last trajectory that was: when and why
} diagnostics_t;

typedef struct trajectory_input {
  rcl_subscription_t subscription;
  rcl_publisher_t publisher;
  bool subscription_open, publisher_open;
  trajectory_msgs__msg__JointTrajectory message;
  int64_t next_complaint, next_word;  // in the log, steady clock
  uint64_t last_id;                   // of the trajectories made so far
} trajectory_input_t;

typedef struct trajectory_action trajectory_action_t;
typedef struct node_markers node_markers_t;

enum { NODE_PAYLOAD_PARAMETERS = 4 };

// whose the load is that payload.* have
typedef struct payload_parameters {
  bool lent;     // a service's, until the robot goes: then they get back their own
  bool writing;  // a service is setting them
  bool restore;  // their own are due at the next tick
  param_value_t own[NODE_PAYLOAD_PARAMETERS];
} payload_parameters_t;

struct mbdyn_node {
  rcl_node_t * node;
  void (*finished)(void * context);
  void * context;

  rcl_allocator_t allocator;  // of the executor
  rclc_executor_t executor;
  spinner_t spinner;
  ros_clock_t clock;
  rcl_clock_t steady;
  rcl_timer_t timer;
  bool executor_open, spinner_open, clock_open, steady_open, timer_open;

  param_server_t * parameters;
  lifecycle_t * lifecycle;
  node_services_t * services;
  node_kinematics_t * kinematics;
  trajectory_input_t trajectory;
  trajectory_action_t * action;  // NULL: not served
  node_markers_t * markers;
  diagnostics_t diagnostics;
  rcl_subscription_t description_subscription;
  bool description_open;

  description_t description;
  char * parameter_text;  // robot_description as the parameter last had it
  uint64_t too_large;     // descriptions refused for their size
  uint64_t trimmed;       // of those, and of parameters, whose memory has been given back
  int64_t trim_at;        // when to do so, steady clock; 0: never
  uint64_t tried;         // version of the description that configure last failed with
  bool start_pending;     // autostart has not yet activated
  bool stopping;
  loaded_t * loaded;  // while configured
  control_loop_t * loop;
  node_payloads_t payloads;
  payload_parameters_t payload;
  loop_settings_t * checked;  // settings that a parameter check has built
  bool payload_changed;       // in that check
};

static inline const param_values_t *
node_values(const mbdyn_node_t * node)
{
  return param_server_values(node->parameters);
}

// description_source.c
bool description_init(mbdyn_node_t * node);  // from parameters; subscribes
void description_poll(mbdyn_node_t * node);  // takes what the topic has
void description_fini(mbdyn_node_t * node);
// max_description_size
bool description_size_check(mbdyn_node_t * node, size_t bytes, char * reason, size_t size);
void description_trim(mbdyn_node_t * node);  // gives memory of refused ones back
bool description_set(
  mbdyn_node_t * node, const char * text, size_t length, const char * source, char * reason,
  size_t size);
// a file in one of model_directories; of others nothing is said
bool description_read(mbdyn_node_t * node, const char * file, char * reason, size_t size);

// description.c
// NULL and a reason with file and line; warnings are in the result
loaded_t * description_load(
  mbdyn_node_t * node, const description_t * from, bool strict, char * reason, size_t size);
void loaded_destroy(loaded_t * loaded);
// a new text while configured: takes it if it is good and the node is not active
bool description_swap(mbdyn_node_t * node, char * reason, size_t size);

// node_lifecycle.c
lifecycle_hooks_t node_lifecycle_hooks(mbdyn_node_t * node);
// settings from parameters and payloads to the control thread
bool node_settings_refresh(mbdyn_node_t * node, char * reason, size_t size);
bool node_loop_start(mbdyn_node_t * node, loaded_t * loaded, char * reason, size_t size);
// the control thread and all that hangs on the robot; nothing if there is none
void node_robot_drop(mbdyn_node_t * node);

// node_payloads.c
// of the services; the robot is there
bool payloads_set(mbdyn_node_t * node, const node_load_t * load, char * reason, size_t size);
// no frames: all of them
bool payloads_clear(
  mbdyn_node_t * node, const rosidl_runtime_c__String__Sequence * frames, char * reason,
  size_t size);
int payloads_count(const mbdyn_node_t * node, double * mass);
// values as they are without the loads of services: what another robot starts with
param_values_t * payloads_own_values(const mbdyn_node_t * node);
bool payloads_same(const param_values_t * a, const param_values_t * b);
void payloads_taken_over(mbdyn_node_t * node);  // by a client that has set payload.*
void payloads_drop(mbdyn_node_t * node);        // the robot goes
void payloads_restore(mbdyn_node_t * node);
void payloads_fini(mbdyn_node_t * node);

// state_request.c
// gravity, terms and payloads into node->loaded->data as parameters and services have them now
bool node_workspace_prepare(mbdyn_node_t * node, char * reason, size_t size);

// trajectory_input.c
// \param[in] start   [ns]; 0: when it is first sampled
// \param[in] follow  it is to be the reference from now on, which must not jump
// \return NULL and a reason
trajectory_t * trajectory_of_message(
  mbdyn_node_t * node, const trajectory_msgs__msg__JointTrajectory * m, int64_t start, bool follow,
  char * reason, size_t size);
bool trajectory_input_init(mbdyn_node_t * node);
bool trajectory_input_add(mbdyn_node_t * node);
void trajectory_input_fini(mbdyn_node_t * node);

// node_markers.c
bool node_markers_init(mbdyn_node_t * node);
void node_markers_tick(mbdyn_node_t * node);
void node_markers_fini(mbdyn_node_t * node);

// trajectory_action.c; without control_msgs all of it does nothing
bool trajectory_action_init(mbdyn_node_t * node);
bool trajectory_action_add(mbdyn_node_t * node);
void trajectory_action_tick(mbdyn_node_t * node);
// the goal that runs, if there is one
void trajectory_action_abort(mbdyn_node_t * node, const char * why);
void trajectory_action_fini(mbdyn_node_t * node);

// diagnostics.c
// why the control thread has given up a trajectory
void diagnostics_describe_abandoned(
  mbdyn_node_t * node, const rt_gaps_t * gaps, char * text, size_t size);
bool diagnostics_init(mbdyn_node_t * node);
void diagnostics_tick(mbdyn_node_t * node);
void diagnostics_fini(mbdyn_node_t * node);

#endif  // MBDYN_NODE__NODE_INTERNAL_H_
