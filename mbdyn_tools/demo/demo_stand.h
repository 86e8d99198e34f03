/// \file demo_stand.h
/// A robot that stands: its feet, how low it can go, and poses of steps in place. All of it is found from
/// its description: feet are links named *_sole (REP-120) or *_foot, their shapes those of <collision>.
///
///   demo_stand_init, demo_stand_fini
///   demo_stand_move      a motion from pose to pose, in so much time each
#ifndef DEMO_STAND_H_
#define DEMO_STAND_H_

#include "demo_motion.h"

/// Most feet of a robot that the demo shows.
#define DEMO_FEET 8

typedef struct demo_foot {
  const char * name;
  int frame;
  double sole[4];  ///< x from, to, y from, to in the frame; zeros: a point
  double radius;   ///< of a ball
} demo_foot_t;

typedef struct demo_stand {
  int n;  ///< feet; 0: the robot is bolted to the world
  demo_foot_t foot[DEMO_FEET];
  mbd_model_t * model;  ///< with a free base, joints in the order of the demo's robot
  double mass;          ///< [kg]
  double straight;      ///< height of the base with straight legs [m]
  double depth;         ///< of the squat below the home pose [m]
  double squat[DEMO_JOINTS];
  bool steps;   ///< the weight can be shifted off each foot
  double lift;  ///< of a step [m]
  double sway;  ///< time to shift the weight [s]
  double swayed[DEMO_FEET][DEMO_JOINTS];
  double lifted[DEMO_FEET][DEMO_JOINTS];
} demo_stand_t;

/// Sets robot->home to a pose with bent legs. No feet, if the robot has none of these names.
/// \param[in]  urdf     file of the robot
/// \param[in]  list     names of feet, with commas between them; NULL: found; "none": no feet
/// \param[out] reason   why the robot cannot stand on these
bool demo_stand_init(
  demo_stand_t * stand, demo_robot_t * robot, const char * urdf, const char * list, char * reason,
  size_t size);
void demo_stand_fini(demo_stand_t * stand);

/// n poses from the first one on, each reached in `seconds`.
void demo_stand_move(
  demo_motion_t * motion, const demo_robot_t * robot, int n, const double * const * pose,
  double seconds);

#endif  // DEMO_STAND_H_
