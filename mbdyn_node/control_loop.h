/// \file control_loop.h
/// The control thread: waits for joint states, computes, gates, publishes. From the executor's side:
///
///   loop_create, loop_destroy     for one robot; the thread runs in between, idle at first
///   loop_activate                 commands and results from the next joint state on
///   loop_deactivate               sends the last command, then idle again
///   loop_settings_post            new settings, between two cycles
///   loop_trajectory_post          a trajectory to follow
///   loop_trajectory_stop          ... that is followed no further
///   loop_poll                     who listens to what; gives back what the thread is done with
///   loop_state                    what the thread last saw and did
///
/// On its own side: no heap, no lock, no print once it runs.
#ifndef MBDYN_NODE__CONTROL_LOOP_H_
#define MBDYN_NODE__CONTROL_LOOP_H_

#include "inputs.h"
#include "node_parameters.h"
#include "realtime.h"
#include "ros_process.h"
#include "rt_loop.h"
#include "statistics.h"

typedef struct control_loop control_loop_t;

typedef struct loop_options {
  rcl_node_t * node;
  const ros_clock_t * clock;
  const node_robot_t * robot;
  const param_values_t * values;  ///< during loop_create alone
  loop_settings_t * settings;     ///< the loop takes them over, also when it fails
  const mbd_model_t * flexible;   ///< the robot with flexible links, or NULL
} loop_options_t;

/// What the thread tells. Counters grow from loop_create on.
typedef struct loop_state {
  int64_t stamp;  ///< of the newest joint state taken [ns]; 0: none
  bool whole;     ///< every joint is known and fresh
  bool active;
  bool velocities_given;  ///< none of them had to be differentiated
  bool effort_known;
  controller_mode_t mode;
  bool gravity_message;  ///< gravity is that of a message, not of the parameter
  bool tracking;         ///< following a trajectory or a streamed reference
  int contacts;          ///< joints whose external torque is above the threshold
  uint64_t cycles;       ///< since activation
  uint64_t compute_errors;
  mbd_status_t last_error;
  uint64_t publish_errors;
  inputs_counts_t refused;  ///< messages other than joint states
  uint64_t skipped;         ///< joint states that came faster than max_rate
  int64_t last_message;     ///< arrival of the last joint state, steady clock [ns]; 0: none
  rt_gaps_t gaps;
  joint_input_counts_t input;
  gate_counts_t gate;
  controller_bound_t bound;
  int supports;           ///< frames that the robot stands on
  double support_normal;  ///< sum of their normal forces in the last cycle [N]
  uint64_t
    support_limited;       ///< cycles whose motion forces within the friction cones could not give
  double support_missing;  ///< force that was missing in the last of them [N]
  controller_component_t component;
  int external_frame;  ///< of external_force, -1: not known (publish.markers is off, no observer)
  mbd_force_t external_force;      ///< at its origin, world axes
  controller_progress_t progress;  ///< of the trajectory
  double sample_time;              ///< between commands [s]; 0: none yet
  char unknown_name[JOINT_INPUT_NAME];
  char missing_name[JOINT_INPUT_NAME];
} loop_state_t;

/// What follows the state in memory: q [nq], v [nv], then those of the reference.
static inline const double *
loop_numbers(const loop_state_t * state)
{
  return (const double *)(const void *)(state + 1);
}

/// Times of the thread [ns]; read with histogram_read.
typedef struct loop_times {
  histogram_t interval;  ///< between joint states
  histogram_t age;       ///< of a joint state when its cycle starts, where it has a stamp
  histogram_t compute;   ///< from the start of a cycle to its command
  histogram_t cycle;     ///< to the last of its messages
} loop_times_t;

/// \param[out] reason  what could not be made
control_loop_t * loop_create(const loop_options_t * options, char * reason, size_t size);
void loop_destroy(control_loop_t * loop);

void loop_activate(control_loop_t * loop);
/// Returns when the last command has been sent.
/// \param[in] shutdown  on_shutdown instead of on_deactivate
/// \return false if the thread did not answer in half a second: it will send the last command, and
///   no other, once it runs again. loop_destroy waits for that
bool loop_deactivate(control_loop_t * loop, bool shutdown);

void loop_settings_post(control_loop_t * loop, loop_settings_t * settings);
void loop_trajectory_post(control_loop_t * loop, trajectory_t * trajectory);
/// Takes its reference to rest (controller_stop), unless another is followed by then.
/// \param[in] id  of one that was posted
void loop_trajectory_stop(control_loop_t * loop, uint64_t id);
void loop_poll(control_loop_t * loop);

/// Stable until the next call; NULL before the first.
const loop_state_t * loop_state(control_loop_t * loop);
const loop_times_t * loop_times(const control_loop_t * loop);
/// What came of the priority, the processor and the locked memory that were asked for.
const realtime_result_t * loop_realtime(const control_loop_t * loop);

#endif  // MBDYN_NODE__CONTROL_LOOP_H_
