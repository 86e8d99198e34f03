/// \file demo_robot.h
/// The robot of the demo: any that has joints of one degree of freedom alone. What it can do is
/// found from its description: no robot is known by name.
///
///   demo_robot_init, demo_robot_fini
///   demo_robot_tip_rank      directions in which the tip can be moved
///   demo_robot_push          a force that the tip can bear
///   demo_robot_line          a direction and length that the tip can go along
///   demo_robot_load_of       how much of the motors' limits a motion takes
#ifndef DEMO_ROBOT_H_
#define DEMO_ROBOT_H_

#include <stdbool.h>

#include "mbdyn/mbdyn.h"

/// Most joints that the demo shows.
#define DEMO_JOINTS 128

/// Most joints of a robot with loops and gears, with those that these move.
#define DEMO_CONFIGURATION 512

/// Where a joint moves in the demo, and what it may.
typedef struct demo_joint {
  const char * name;
  bool slides;       ///< [m, N] in place of [rad, N m]
  double middle;     ///< of the range that is used
  double half;       ///< half of that range
  double velocity;   ///< limit; infinite if there is none
  double effort;     ///< likewise
  bool before_tip;   ///< moves the tip
  double stiffness;  ///< acceleration per error that the node is to have there [1/s^2]
} demo_joint_t;

/// q, v, a and torques are in the order of the model, one number per joint that is not moved by a
/// loop or gear.
#define DEMO_PUSH 20.0  ///< at the tip, at most [N]

typedef struct demo_robot {
  const mbd_model_t * model;
  mbd_data_t * data;
  int n;
  demo_joint_t joint[DEMO_JOINTS];
  double home[DEMO_JOINTS];  ///< where it starts: the tip moves well there, and weighs little
  int tip;                   ///< frame
  /// last configuration of a robot with loops: all its joints
  double closed[DEMO_CONFIGURATION];
} demo_robot_t;

/// \param[in]  model   must outlive it
/// \param[out] reason  what is wrong with the robot
bool demo_robot_init(demo_robot_t * robot, const mbd_model_t * model, char * reason, size_t size);
void demo_robot_fini(demo_robot_t * robot);

/// Position stage of the workspace at these joints; what loops and gears move follows.
mbd_status_t demo_robot_place(demo_robot_t * robot, const double * joints);

const char * demo_robot_tip(const demo_robot_t * robot);

/// Smallest effort limit of its joints; 1 if there is none [N m, N].
double demo_robot_weakest(const demo_robot_t * robot);

/// 0 to 6, at the pose.
int demo_robot_tip_rank(demo_robot_t * robot, const double * q);

/// The force in world axes, of most_newtons or less, that the robot bears at the pose: it gives way
/// by little, and no motor comes near its limit.
mbd_vec3_t demo_robot_push(demo_robot_t * robot, const double * q, double most_newtons);

/// A force in world axes that moves a robot without feedback gently: no joint accelerates by more
/// than this [rad/s^2; a tenth for m/s^2].
mbd_vec3_t demo_robot_nudge(demo_robot_t * robot, const double * q, double acceleration);

/// Largest joint torque of a force at the tip, at the pose; 0 if it cannot be computed [N m, N].
double demo_robot_push_torque(demo_robot_t * robot, const double * q, mbd_vec3_t force);

/// Along which the tip can best be moved at the pose, in world axes; as long as it is to go.
mbd_vec3_t demo_robot_line(demo_robot_t * robot, const double * q, double length);

/// Torque of a motion by the largest part of a limit that it takes; 0 if there are no limits.
/// \param[in] v, a  NULL: at rest
double demo_robot_load_of(
  demo_robot_t * robot, const double * q, const double * v, const double * a);

#endif  // DEMO_ROBOT_H_
