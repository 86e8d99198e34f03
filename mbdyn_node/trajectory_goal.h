/// \file trajectory_goal.h
/// One goal of the action FollowJointTrajectory, from its check to its end. On the executor's thread; the
/// trajectory itself is followed, watched and stopped by the control thread (controller_stop.c).
///
///   trajectory_goal_start      checks a goal, and lets the control thread follow it
///   trajectory_goal_cancel     takes its reference to rest
///   trajectory_goal_watch      what has become of it
///   trajectory_goal_feedback
///   trajectory_goal_clear
#ifndef MBDYN_NODE__TRAJECTORY_GOAL_H_
#define MBDYN_NODE__TRAJECTORY_GOAL_H_

#include "control_msgs/action/follow_joint_trajectory.h"
#include "node_internal.h"

typedef struct trajectory_goal {
  uint64_t id;  // of the trajectory
  size_t njoint;
  int *dof, *q_index;            // [njoint]
  double *position, *velocity;   // goal tolerances; 0: any [njoint]
  double *path, *path_velocity;  // path tolerances, for what is said [njoint]
  double time, duration;         // goal time, 0: any; length of the trajectory [s]
  uint64_t abandoned;            // trajectories that had been before
  bool canceled;
  control_msgs__action__FollowJointTrajectory_Feedback feedback;
  bool open;
} trajectory_goal_t;

/// \param[out] goal    zero, or cleared; if it is refused it is cleared
/// \param[out] reason  why it is refused
/// \return error_code of the result: 0 if the trajectory is followed from now on
int32_t trajectory_goal_start(
  mbdyn_node_t * node, const control_msgs__action__FollowJointTrajectory_Goal * message,
  trajectory_goal_t * goal, char * reason, size_t size);
void trajectory_goal_cancel(mbdyn_node_t * node, trajectory_goal_t * goal);

/// What the result will say.
typedef struct trajectory_verdict {
  int8_t status;  // of action_msgs/GoalStatus
  int32_t code;
  char text[REASON_MAX];
} trajectory_verdict_t;

/// \return false: it goes on
bool trajectory_goal_watch(
  mbdyn_node_t * node, const trajectory_goal_t * goal, trajectory_verdict_t * verdict);
/// Writes goal->feedback. \return false: there is none yet
bool trajectory_goal_feedback(mbdyn_node_t * node, trajectory_goal_t * goal);
void trajectory_goal_clear(trajectory_goal_t * goal);

#endif  // MBDYN_NODE__TRAJECTORY_GOAL_H_
