/// \file demo_motion.h
/// Motions of the demo in closed form: from pose to pose with the least jerk, at rest in each,
///
///   q(t) = a + (b - a) s(t / T),   s(x) = 10 x^3 - 15 x^4 + 6 x^5,
///
/// so that where the robot ought to be is known at any time, and not by the node's own reckoning.
///
///   demo_motion_plan        through poses within the robot's limits
///   demo_motion_at          position, velocity, acceleration at a time
///   demo_blend              s and its derivatives
#ifndef DEMO_MOTION_H_
#define DEMO_MOTION_H_

#include "demo_robot.h"

/// Most parts of a motion.
#define DEMO_SEGMENTS 64

typedef struct demo_motion {
  int n;           ///< joints
  int nsegment;    ///< from pose to pose
  double segment;  ///< duration of each [s], a multiple of DEMO_STEP
  double scale;    ///< 1: as far as it would; less where limits of velocity or effort say so
  double pose[DEMO_SEGMENTS + 1][DEMO_JOINTS];
} demo_motion_t;

/// Time between two points of a trajectory that is sent [s]. The quintic through them is the motion
/// itself.
#define DEMO_STEP 0.05

/// s(x) and its derivatives by x; x is cut to 0 to 1.
void demo_blend(double x, double s[3]);

/// From a pose, at rest, and back to home in about that time.
void demo_motion_plan(
  demo_motion_t * motion, demo_robot_t * robot, const double * from, double seconds);

double demo_motion_duration(const demo_motion_t * motion);

/// Before the start the first pose, after the end the last. v and a may be NULL.
void demo_motion_at(const demo_motion_t * motion, double t, double * q, double * v, double * a);

#endif  // DEMO_MOTION_H_
