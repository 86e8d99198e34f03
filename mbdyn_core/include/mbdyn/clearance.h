/// \file clearance.h
/// Distance of a robot from obstacles; links and obstacles are spheres and capsules.
///
///   mbd_shape_default     a sphere of radius zero at the origin of frame 0
///   mbd_capsule_distance  distance of two capsules
///   mbd_clearance         smallest distance of shapes on frames from obstacles in the world
#ifndef MBDYN__CLEARANCE_H_
#define MBDYN__CLEARANCE_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// All points within a radius of the segment from a to b; a sphere if a = b.
typedef struct mbd_capsule {
  mbd_vec3_t a, b;  ///< [m]
  double radius;    ///< [m], not negative
} mbd_capsule_t;

/// A capsule on a frame, in its axes.
typedef struct mbd_shape {
  int frame;
  mbd_capsule_t capsule;
} mbd_shape_t;

/// Result of mbd_clearance.
typedef struct mbd_clearance_result {
  double distance;      ///< [m]; negative if they overlap; infinite without shapes or obstacles
  int shape, obstacle;  ///< the nearest pair, or -1
} mbd_clearance_t;

/// A sphere of radius zero at the origin of frame 0.
MBD_PUBLIC
mbd_shape_t mbd_shape_default(void);

/// Distance of two capsules [m]; if they overlap, minus the depth to which their segments are inside.
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
double mbd_capsule_distance(const mbd_capsule_t * a, const mbd_capsule_t * b);

/// Smallest distance of shapes from obstacles. Shapes are not compared with each other. Needs the position
/// stage.
/// \param[in]  obstacle  in the world
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE, MBD_ERROR_BAD_ARGUMENT
///   (frame, a negative number or radius), MBD_ERROR_NOT_FINITE
///
/// Complexity O(shapes obstacles) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_clearance(
  const mbd_model_t * model, mbd_data_t * data, int nshape, const mbd_shape_t * shape,
  int nobstacle, const mbd_capsule_t * obstacle, mbd_clearance_t * clearance);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CLEARANCE_H_
