/// \file ros_action.h
/// Goals of actions.
///
///   ros_send_goal          from the goal to its result; Ctrl-C cancels it
///   ros_goal_of_point, ros_goal_of_table   goals of FollowJointTrajectory
#ifndef ROS_ACTION_H_
#define ROS_ACTION_H_

#include "ros_common.h"
#include "ros_message.h"

#define ROS_TRAJECTORY_TYPE   "control_msgs/action/FollowJointTrajectory"
#define ROS_TRAJECTORY_ACTION "/mbdyn/follow_joint_trajectory"

/// \return exit code: CLI_OK if it succeeded
/// \param[in] type  "package/action/Name"
/// \param[in] goal  reference is stolen
int ros_send_goal(const ros_args_t * args, const char * action, const char * type, json_t * goal);

/// All joints at rest after --duration (2 s), with --path-tolerance, --goal-tolerance and --goal-time.
/// \param[in] text  JOINT=POSITION
/// \return NULL after a message on stderr
json_t * ros_goal_of_point(const ros_args_t * args, const char * const * text, int n);
/// The same of a table: columns t, q_JOINT, and v_JOINT and a_JOINT of all joints or of none.
json_t * ros_goal_of_table(const ros_args_t * args, const char * path);

#endif  // ROS_ACTION_H_
