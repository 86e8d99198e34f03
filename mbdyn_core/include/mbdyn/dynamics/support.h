/// \file dynamics/support.h
/// Torques of a robot with a floating base that stands on some of its frames.
///
///   mbd_support_default   a point on horizontal ground
///   mbd_support_points    number of contact points of a support
///   mbd_support_point     where one of them is
///   mbd_support_work      size of the work memory
///   mbd_support_torques   joint torques and contact forces of a desired motion
///
/// Nothing drives the six coordinates of the base: what the desired motion needs there, the wrench w,
/// has to come from the ground, with forces f of the contact points in their friction cones:
///
///   M qdd + h = S^T tau + J_c^T f,    w = (M qdd + h)_base = (J_c^T f)_base,    |f_t| <= friction f_n
///
/// 1. Supports at rest: the nearest acceleration in the metric M with J_c qdd + Jdot_c v = 0,
///      qdd + M^-1 J^T Lambda (-Jdot v - J qdd);  what the ground would make of the desired one.
/// 2. Forces: min |f|^2 with G f = w in the round cones. Its dual has six unknowns y, f = P(G^T y), P the
///    projection onto the cones; semismooth Newton steps with line search, in proximal steps that also
///    converge where no such f exists: then to the w nearest to the required one.
/// 3. Nearest is measured by the acceleration that it takes: |w - G f| in the inverse of
///      (M - J^T Lambda J + M / 1000)_base, the inertia of the base while the supports are at rest, or
///      nearly so. This acceleration is subtracted: the rows of the base are satisfied exactly in any case.
///
/// With an exact model and rigid ground the robot then moves with the returned qdd, and the wrench of
/// every support is the sum of its forces.
#ifndef MBDYN__DYNAMICS__SUPPORT_H_
#define MBDYN__DYNAMICS__SUPPORT_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MBD_SUPPORT_POINTS 4

/// A frame that the robot stands on: a point, or a rectangular sole in the frame's x-y plane.
typedef struct mbd_support {
  int frame;
  double x[2],
    y[2];         ///< extent of a sole in the frame's x-y plane, from and to [m]; zeros: a point
  double radius;  ///< of a ball foot [m]: the point is this far below the frame, and it rolls
  mbd_vec3_t normal;  ///< unit normal of the ground, towards the robot, world axes
  double friction;    ///< friction coefficient
  /// Out: forces on the robot, world axes [N]: of the point, or of the corners (x[0], y[0]), (x[1], y[0]),
  /// (x[1], y[1]), (x[0], y[1]).
  mbd_vec3_t force[MBD_SUPPORT_POINTS];
} mbd_support_t;

typedef struct mbd_support_info {
  int iterations;  ///< Newton steps; bounded
  bool reached;    ///< the cones contain forces that give the required wrench
  /// Of the required wrench, what the forces do not give; at the base's origin, world axes [N m, N].
  mbd_force_t missing;
  double normal;  ///< sum of the normal forces [N]
} mbd_support_info_t;

/// A point with normal (0, 0, 1) and friction 0.5. Fill in the frame.
MBD_PUBLIC
mbd_support_t mbd_support_default(void);

/// 1 or 4.
MBD_PUBLIC
int mbd_support_points(const mbd_support_t * support);

/// Position of contact point k in the world. Needs the position stage.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT (frame or k)
///
/// Complexity O(1) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_support_point(
  const mbd_model_t * model, mbd_data_t * data, const mbd_support_t * support, int k,
  mbd_vec3_t * point);

/// Size of the work memory in doubles for n supports; 0 for a model that is NULL or not finalized.
MBD_PUBLIC
size_t mbd_support_work(const mbd_model_t * model, int n);

/// Joint torques and contact forces of a desired motion, as above. Needs the velocity stage.
/// \param[in]     base     body on the free joint; its parent is the world
/// \param[in]     wanted   generalized forces of the desired motion, with those of the base:
///   mbd_inverse_dynamics of qdd, or mbd_gravity                                 [nv]
/// \param[in]     qdd      the desired acceleration, or NULL: supports at rest are not considered [nv]
/// \param[in]     n        number of supports; 0: the robot is in the air
/// \param[in,out] support  frames; their forces are written                      [n]
/// \param[out]    work     mbd_support_work doubles
/// \param[out]    tau      torques, zero on the base; may alias wanted            [nv]
/// \param[out]    qdd_out  the acceleration that they give, or NULL; may alias qdd; without qdd, the
///   deviation from it                                                           [nv]
/// \param[out]    info     or NULL
/// \return MBD_OK, also if the wrench is not reached; MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH,
///   MBD_ERROR_STAGE, MBD_ERROR_BAD_ARGUMENT (n, frame, normal not of unit length, negative friction or
///   radius, a sole without area), MBD_ERROR_BAD_JOINT (base), MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_MASSLESS_SUBTREE. On errors nothing is written.
///
/// Complexity O(N + rows depth + rows^3), at most 100 steps of O(points) | Allocates no |
/// Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_support_torques(
  const mbd_model_t * model, mbd_data_t * data, int base, const double * wanted, const double * qdd,
  int n, mbd_support_t * support, double * work, double * tau, double * qdd_out,
  mbd_support_info_t * info);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__SUPPORT_H_
