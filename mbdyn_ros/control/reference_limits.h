/// \file reference_limits.h
/// What a reference of a joint may be: trajectories and streamed references are refused beyond it.
///
///   reference_fault            the first number of a reference that is not finite or beyond a limit
///   reference_velocity_limit   of the URDF, or REFERENCE_MAX_VELOCITY where it has none
#ifndef MBDYN_ROS__REFERENCE_LIMITS_H_
#define MBDYN_ROS__REFERENCE_LIMITS_H_

#include <math.h>

#include "mbdyn/mbdyn.h"

/// How far a position may be outside the limits: what rounding and unit conversions do.
#define REFERENCE_TOLERANCE 1e-6
/// Of a joint without a velocity limit, or with the zero that some URDFs write for none [rad/s, m/s].
#define REFERENCE_MAX_VELOCITY 1000.0

typedef enum reference_fault {
  REFERENCE_GOOD,
  REFERENCE_NOT_FINITE,
  REFERENCE_POSITION,
  REFERENCE_VELOCITY,
  REFERENCE_ACCELERATION
} reference_fault_t;

static inline double
reference_velocity_limit(const mbd_limits_t * limits)
{
  const double limit = limits->velocity;
  return limit > 0 && limit < REFERENCE_MAX_VELOCITY ? limit : REFERENCE_MAX_VELOCITY;
}

/// \param[in] max_acceleration  0: none
static inline reference_fault_t
reference_fault(const mbd_limits_t * limits, double max_acceleration, double x, double v, double a)
{
  if (!isfinite(x) || !isfinite(v) || !isfinite(a)) return REFERENCE_NOT_FINITE;
  if (!(x >= limits->lower - REFERENCE_TOLERANCE && x <= limits->upper + REFERENCE_TOLERANCE)) {
    return REFERENCE_POSITION;
  }
  if (fabs(v) > (1 + REFERENCE_TOLERANCE) * reference_velocity_limit(limits)) {
    return REFERENCE_VELOCITY;
  }
  if (max_acceleration > 0 && fabs(a) > max_acceleration) return REFERENCE_ACCELERATION;
  return REFERENCE_GOOD;
}

#endif  // MBDYN_ROS__REFERENCE_LIMITS_H_
