/// \file self_motion_search.h
/// Self-motion of a frame within a time: traced in slices, each twice as long as the last, until the curve is
/// whole, or the next slice would not end in time. No ROS; the node's service and mbdyn view.
///
///   self_motion_create, self_motion_destroy
///   self_motion_begin    at a configuration
///   self_motion_curve    the whole curve
///   self_motion_move     along it by a length
///   self_motion_avoid    to the nearest configuration with clearance
///
/// A slice is not interrupted: the first one is 4 rad of the curve, some milliseconds for an arm.
#ifndef MBDYN_ROS__SELF_MOTION_SEARCH_H_
#define MBDYN_ROS__SELF_MOTION_SEARCH_H_

#include "mbdyn/self_motion.h"

enum { SELF_MOTION_ARCS = 256, SELF_MOTION_POINTS = 20000 };

typedef struct self_motion_search {
  const mbd_model_t * model;
  mbd_data_t * data;
  int frame;
  bool axis[6];  ///< components that are held, as in mbd_ik_target_t
  bool ignore_limits;
  double step;               ///< [rad, m]
  int nobstacle;             ///< in the world
  mbd_capsule_t * obstacle;  ///< the caller's; must outlive the search
  double link_radius;        ///< of capsules from joint to joint [m]
  double clearance;          ///< that the obstacles are to have [m]
  double timeout;            ///< [s]

  // results
  mbd_self_motion_state_t
    state;  ///< of the last motion; its clearance is from the obstacles themselves
  mbd_self_motion_curve_t curve;
  bool timed_out;
  double time;  ///< so far [s]

  mbd_measure_t measure[12];
  int nmeasure, nshape;
  mbd_shape_t * shape;
  mbd_self_motion_t * motion;
  double * q;  ///< where it began [nq]
} self_motion_search_t;

/// All components, step 0.05, timeout 0.2, no obstacles.
/// \return NULL if out of memory
self_motion_search_t * self_motion_create(const mbd_model_t * model, mbd_data_t * data, int frame);
void self_motion_destroy(self_motion_search_t * search);

/// Holds the pose of a configuration; its base too if the root is free.
/// \return as mbd_self_motion_init and mbd_self_motion_start, with state.freedom
mbd_status_t self_motion_begin(self_motion_search_t * search, const double * q);

/// \return as mbd_self_motion_trace
mbd_status_t self_motion_curve(self_motion_search_t * search);

/// \param[out] q  where it got
/// \return as mbd_self_motion_step
mbd_status_t self_motion_move(self_motion_search_t * search, double length, double * q);

/// \param[in] reach  longest motion
/// \return as mbd_self_motion_avoid
mbd_status_t self_motion_avoid(self_motion_search_t * search, double reach, double * q);

/// Distance of the robot from the obstacles; infinite if there are none.
/// \param[in] data  position stage
double self_motion_clearance(self_motion_search_t * search);

#endif  // MBDYN_ROS__SELF_MOTION_SEARCH_H_
