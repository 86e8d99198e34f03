/// \file stream.h
/// A reference of joints that comes cycle by cycle, in place of a trajectory. All of one is checked before any of it
/// counts. No heap after stream_init.
///
///   stream_init, stream_fini
///   stream_begin     from the reference as it is now
///   stream_joint     a joint of it
///   stream_commit    it counts from now on
#ifndef MBDYN_ROS__STREAM_H_
#define MBDYN_ROS__STREAM_H_

#include "controller.h"

typedef struct stream {
  double *q, *v, *a;       ///< while it is checked, of the model's sizes
  bool * met;              ///< bodies in it
  uint64_t beyond_limits;  ///< joints refused for the limits of a joint, ever
  uint64_t steps;          ///< for being further away than max_step
  int joint;               ///< body that was refused last
} stream_t;

/// False if out of memory; stream_fini all the same.
bool stream_init(stream_t * stream, const mbd_model_t * model);
void stream_fini(stream_t * stream);

/// \return false before the first step of the controller: what a reference does not name has none yet
bool stream_begin(stream_t * stream, const controller_t * controller);
/// \param[in] body  of one degree of freedom
/// \param[in] x     position, velocity, acceleration
/// \return false if it is not finite, beyond the limits, too far from the reference, or there twice: drop all of it
bool stream_joint(stream_t * stream, const controller_t * controller, int body, const double * x);
/// \param[in] arrival  of the steady clock [ns]
void stream_commit(const stream_t * stream, controller_t * controller, int64_t arrival);

#endif  // MBDYN_ROS__STREAM_H_
