/// \file limit_stops.h
/// Position limits of joints in a simulation on charts: which one is nearest, and stops as one-sided springs and
/// dampers.
///
///   limit_stops_open      limits of a model, and springs for its inertia at a configuration
///   limit_stops_close
///   limit_stops_nearest   distance to the nearest limit, negative beyond it
///   limit_stops_push      add the torques of the stops
#ifndef LIMIT_STOPS_H_
#define LIMIT_STOPS_H_

#include "mbdyn/mbdyn.h"

/// Stops of a joint of mass m are springs of m w^2 and dampers of 2 m w. Joints that rest on them with a torque are
/// torque / (m w^2) beyond their limits. This is w [rad/s] unless steps are longer than LIMIT_STOPS_STEP / w: a longer
/// step may not see a stop, for the first stage beyond it throws the others back, and has no weight in rkf45.
#define LIMIT_STOPS_FREQUENCY 300.0
#define LIMIT_STOPS_STEP      0.5

typedef struct limit_stops {
  int n;
  double frequency;  ///< w; 0: stops do not push
  struct limit_stop {
    int body, q_index, v_index;
    double lower, upper;
    double mass;  ///< at the joint
  } * stop;
} limit_stops_t;

/// A limit that is near.
typedef struct near_limit {
  double gap;  ///< [rad or m]; HUGE_VAL: there are no limits
  int stop;    ///< or -1
  bool upper;
} near_limit_t;

/// \param[in] data  gravity and terms do not matter; its stages are those of q afterwards
/// \param[in] frequency  of the stops; 0: they do not push
/// \return MBD_OK, or the error of inverse dynamics; close it all the same
mbd_status_t limit_stops_open(
  limit_stops_t * s, const mbd_model_t * model, mbd_data_t * data, const double * q,
  double frequency);
void limit_stops_close(limit_stops_t * s);

near_limit_t limit_stops_nearest(const limit_stops_t * s, const double * q);

/// A stop only pushes; its damper acts in proportion to the depth up to 0.1 mm or 0.1 mrad.
void limit_stops_push(const limit_stops_t * s, const double * q, const double * v, double * tau);

#endif  // LIMIT_STOPS_H_
