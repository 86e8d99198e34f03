/// \file recording_compute.h
/// What a recording does not have but its joint states and URDF tell: the terms, matrices and energies
/// that mbdyn_node would have published, by the node's own controller in mode passive.
///
///   recording_compute_create, _destroy
///   recording_compute_restart      another moment: velocities and accelerations are estimated anew
///   recording_compute_take         a message: joint states or odometry
///   recording_compute_give         the terms of the newest state to a robot
///   recording_compute_give_rest    matrices and summary of it
#ifndef RECORDING_COMPUTE_H_
#define RECORDING_COMPUTE_H_

#include "live_robot.h"

typedef struct recording_compute recording_compute_t;

/// Kinds that can be computed, as bits of live_kind_t.
unsigned recording_compute_kinds(void);

/// \param[in] kinds  bits of live_kind_t that are wanted
/// \return NULL if the text is no robot that has a model here, or out of memory
recording_compute_t * recording_compute_create(
  const char * urdf, size_t size, bool floating, unsigned kinds);
void recording_compute_destroy(recording_compute_t * compute);

void recording_compute_restart(recording_compute_t * compute);

/// \param[in] time  log time [ns]
/// \return true if the state of the whole robot is known now
bool recording_compute_take(
  recording_compute_t * compute, live_kind_t kind, const uint8_t * bytes, size_t size,
  int64_t time);

/// Joint that no message has; "" if all are known.
const char * recording_compute_missing(const recording_compute_t * compute);

/// Terms and observer of the state that was taken last.
/// \param[in] count  [LIVE_KINDS] of the robot's counts, by kind
void recording_compute_give(
  recording_compute_t * compute, live_robot_t * robot, const int * count, double now, double wall);
/// Mass matrix, Jacobians, inertia and summary; does nothing twice for one state.
void recording_compute_give_rest(
  recording_compute_t * compute, live_robot_t * robot, const int * count, double now, double wall);

#endif  // RECORDING_COMPUTE_H_
