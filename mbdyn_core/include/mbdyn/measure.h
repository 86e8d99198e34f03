/// \file measure.h
/// Measures: scalar functions y(q) of the configuration, such as inputs and outputs of a manipulator.
///
///   mbd_measure_default     the angle of nothing: fill in the type and what it needs
///   mbd_measure_joint       measure of a joint coordinate
///   mbd_measure             value, gradient and bias acceleration
///   mbd_measure_type_name   "joint", "distance", ...
///
/// A measure depends on the pose of frame B in frame A, or on a joint coordinate. With the velocity v of the
/// model,
///
///   dy/dt = g v,   d^2y/dt^2 = g dv/dt + b
///
/// where g is the gradient and b the bias. Both are exact at any configuration. They are the rows of an input
/// or output equation (Haug 9.2) at velocity and acceleration level.
///
/// **Angles** are between -pi and pi: compare them by mbdu_angle_between, spatial.h. Joint coordinates count
/// turns.
#ifndef MBDYN__MEASURE_H_
#define MBDYN__MEASURE_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is measured. Axes and origins are those of the frames A and B of the measure.
typedef enum mbd_measure_type {
  MBD_MEASURE_JOINT = 0,       ///< coordinate of a joint [rad, m]
  MBD_MEASURE_DISTANCE = 1,    ///< distance of the origins [m], as of a leg or cylinder
  MBD_MEASURE_X = 2,           ///< x of B's origin in A [m]
  MBD_MEASURE_Y = 3,           ///< y
  MBD_MEASURE_Z = 4,           ///< z
  MBD_MEASURE_ANGLE = 5,       ///< angle of B's x axis about A's z axis [rad], Haug 2.4.4
  MBD_MEASURE_ROTATION_X = 6,  ///< x, in axes of A, of the rotation vector that takes A to B [rad]
  MBD_MEASURE_ROTATION_Y = 7,  ///< y
  MBD_MEASURE_ROTATION_Z = 8,  ///< z
  MBD_MEASURE_USER = 9         ///< function of the caller
} mbd_measure_type_t;

/// Number of measure types.
#define MBD_MEASURE_TYPES 10

/// A measure of the caller; the position stage is set, for b the velocity stage too. Must be a pure function.
/// \param[out] value     y
/// \param[out] gradient  g, model->nv; or NULL
/// \param[out] bias      b; or NULL
/// \return MBD_OK, or an error, which mbd_measure returns
typedef mbd_status_t (*mbd_measure_fn)(
  void * ctx, const mbd_model_t * model, mbd_data_t * data, double * value, double * gradient,
  double * bias);

/// A measure.
typedef struct mbd_measurement {
  const char * name;  ///< for messages, or NULL
  mbd_measure_type_t type;
  int body;        ///< of type joint: index of the moving body, mbd_find_joint
  int coordinate;  ///< of type joint: 0, or 1 for the second of cylindrical and universal joints
  int frame_a, frame_b;      ///< frame indices, or MBD_WORLD_BODY
  mbd_placement_t X_a, X_b;  ///< A in frame_a, B in frame_b
  mbd_measure_fn at;         ///< of type user
  void * ctx;                ///< passed to `at`
} mbd_measure_t;

/// Default measure: both frames are the world, placements are identities.
MBD_PUBLIC
mbd_measure_t mbd_measure_default(void);

/// Measure of the coordinate of a joint, by name.
/// \param[out] measure  its name is that of the joint in the model
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FOUND, MBD_ERROR_BAD_JOINT (a type whose coordinates
///   are not integrals of its velocities: spherical, planar, free, user-defined)
///
/// Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_measure_joint(
  const mbd_model_t * model, const char * joint, mbd_measure_t * measure);

/// Value, gradient and bias of a measure. Needs the position stage, for the bias the velocity stage.
/// \param[out] value     y [m, rad]; or NULL
/// \param[out] gradient  g, model->nv numbers; or NULL
/// \param[out] bias      b [m/s^2, rad/s^2]; or NULL
/// \return MBD_OK; MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE;
///   MBD_ERROR_BAD_ARGUMENT (type, body, coordinate, frame); MBD_ERROR_BAD_JOINT (as mbd_measure_joint);
///   MBD_ERROR_UNSUPPORTED (type joint of a model with embedded loops); MBD_ERROR_SINGULAR (gradient or bias at
///   distance zero, of an angle where B's x axis is along A's z axis, or of a rotation by half a turn);
///   MBD_ERROR_NOT_FINITE (a placement, or a result). On error, results are not to be used.
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_measure(
  const mbd_model_t * model, mbd_data_t * data, const mbd_measure_t * measure, double * value,
  double * gradient, double * bias);

/// Name of a measure type: "joint", "distance", "x", ...; "unknown" for other values. Never NULL.
MBD_PUBLIC
const char * mbd_measure_type_name(mbd_measure_type_t type);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__MEASURE_H_
