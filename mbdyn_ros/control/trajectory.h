/// \file trajectory.h
/// A joint trajectory, sampled in time. Between two points it is, for each joint,
///   quintic           where both have velocities and accelerations
///   cubic             where both have velocities
///   a straight line   else
///
///   trajectory_create    from points by name, checked; executor's thread
///   trajectory_admit     does it begin near the reference as it is now?
///   trajectory_begin_at  one that begins where the reference is, which has moved on; control thread, no heap
///   trajectory_sample    position, velocity, acceleration at a time; control thread, no heap
#ifndef MBDYN_ROS__TRAJECTORY_H_
#define MBDYN_ROS__TRAJECTORY_H_

#include "mailbox.h"
#include "mbdyn/mbdyn.h"

/// A point; arrays have as many numbers as there are joints, or are NULL. Positions must be there,
/// and velocities where there are accelerations.
typedef struct trajectory_point {
  double time;  ///< from the start [s], growing from point to point
  const double * position;
  const double * velocity;
  const double * acceleration;
} trajectory_point_t;

/// A planner keeps its points within the limits; the polynomials between them may go beyond by this
/// part of the velocity limit and of the range of positions.
#define TRAJECTORY_OVERSHOOT_VELOCITY 0.5
#define TRAJECTORY_OVERSHOOT_POSITION 0.02

typedef struct trajectory {
  mail_t mail;      ///< mail.destroy is set
  uint64_t id;      ///< the caller's
  int64_t start;    ///< [ns] of the node's clock; 0: when it is first sampled, then that time
  bool started;     ///< start is known
  int begins;       ///< derivatives that the point at zero has, if it was added; else -1
  double duration;  ///< [s]
  int njoint;
  int npoint;  ///< with the one at zero, if it was added
  int * dof;   ///< where each joint goes in v; joints of one degree of freedom alone
  int * q_index;
  double * time;         ///< [npoint]
  double * coefficient;  ///< [npoint - 1][njoint][6]: polynomial in the time since the point
  double * first;        ///< positions of the first point [njoint]
  double * last;         ///< positions of the last point [njoint]
  /// how far a joint may be from it on the way, position and velocity [njoint]; 0, as created: any
  double *path_position, *path_velocity;
} trajectory_t;

/// The first point may be later than zero: from_position and from_velocity (of the model's q and v,
/// where the robot is now) are then the point at zero, with no acceleration. from_velocity may be
/// NULL: at rest.
/// \param[in] max_acceleration  [nv]; 0, or NULL: any
/// \param[out] reason  what is wrong: unknown or repeated joint, one of several degrees of freedom,
///   times that do not grow, a number that is not finite or beyond the joint's limits of position and
///   velocity (reference_limits.h; between two points by more than TRAJECTORY_OVERSHOOT_*) or beyond
///   max_acceleration, nothing to begin with
/// \return NULL on any error
trajectory_t * trajectory_create(
  const mbd_model_t * model, int njoint, const char * const * name, int npoint,
  const trajectory_point_t * point, const double * from_position, const double * from_velocity,
  const double * max_acceleration, int64_t start, char * reason, size_t size);

/// The first joint whose reference would jump by more than it may.
/// \return its number in the trajectory, or -1; arguments as of trajectory_admit. No heap
int trajectory_step(
  const trajectory_t * trajectory, int64_t now, const double * from, const double * max_step);
/// Would the reference not jump?
/// \param[in] now   [ns] of the node's clock: one whose start is past begins in its middle
/// \param[in] from  where the reference is now [nq]
/// \param[in] max_step  [nv]; 0: any
/// \param[out] reason  which joint, and by how much
bool trajectory_admit(
  const trajectory_t * trajectory, const mbd_model_t * model, int64_t now, const double * from,
  const double * max_step, char * reason, size_t size);

/// From from_position and from_velocity of trajectory_create to the reference of the moment in which it is
/// taken over, so that there is no step. Nothing if it has a start, or a first point at zero.
void trajectory_begin_at(trajectory_t * trajectory, const double * q, const double * v);

/// Writes the joints that it has into q, v and a of the model; before the start the first point at
/// rest, from the end on the last at rest.
/// \return false once the end is past
bool trajectory_sample(trajectory_t * trajectory, int64_t now, double * q, double * v, double * a);

#endif  // MBDYN_ROS__TRAJECTORY_H_
