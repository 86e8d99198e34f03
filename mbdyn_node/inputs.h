/// \file inputs.h
/// Subscriptions of the control thread, and what their messages do to the controller. Messages are
/// taken as bytes: no heap, nothing to leak.
///
///   inputs_create, inputs_destroy   executor's thread
///   inputs_wait                     until a message, a wake-up or a time
///   inputs_take                     everything that has come; how many joint states were good
#ifndef MBDYN_NODE__INPUTS_H_
#define MBDYN_NODE__INPUTS_H_

#include "controller.h"
#include "joint_input.h"
#include "node_parameters.h"
#include "rcl/rcl.h"
#include "ros_process.h"

typedef enum node_input {
  INPUT_JOINT_STATES,
  INPUT_ODOM,
  INPUT_TARGET_POSE,
  INPUT_TARGET_TWIST,
  INPUT_TARGET_WRENCH,
  INPUT_GRAVITY,
  INPUT_WRENCH,
  INPUT_CONTROLLER_STATE,
  INPUT_COUNT
} node_input_t;

typedef struct inputs inputs_t;

/// \param[in]  floating  subscribe to odom
/// \param[in]  reliable  joint_states
/// \param[out] reason    what could not be made
inputs_t * inputs_create(
  rcl_node_t * node, const node_robot_t * robot, rcl_guard_condition_t * wake, bool floating,
  bool reliable, char * reason, size_t size);
void inputs_destroy(inputs_t * inputs, rcl_node_t * node);

/// \param[in] nanoseconds  at most
/// \return false if rcl_wait failed: the context has ended
bool inputs_wait(inputs_t * inputs, int64_t nanoseconds);

/// \return joint states taken
int inputs_take(
  inputs_t * inputs, joint_input_t * joints, controller_t * controller, const ros_clock_t * clock);

/// Messages other than joint states that were refused, whole: nothing of one remains.
typedef struct inputs_counts {
  uint64_t refused;        ///< all
  uint64_t beyond_limits;  ///< of these, references beyond a joint's limits
  uint64_t steps;          ///< of these, references further away than max_reference_step
  int joint;               ///< body whose reference was refused last
} inputs_counts_t;

inputs_counts_t inputs_refused(const inputs_t * inputs);

/// Topic of an input as it is written, and its type, for the documentation.
const char * inputs_topic(node_input_t input);

#endif  // MBDYN_NODE__INPUTS_H_
