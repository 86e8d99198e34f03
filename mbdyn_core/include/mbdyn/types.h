/// \file types.h
/// Basic types: vectors, matrices, placements, spatial vectors and inertias.
///
///   mbd_vec3_t, mbd_mat3_t, mbd_sym3_t    three-vectors, matrices (row-major), symmetric matrices
///   mbd_motion_t, mbd_force_t             spatial velocity or acceleration, spatial force
///   mbd_placement_t                       pose of one frame in another
///   mbd_inertia_t                         ten inertial parameters of a rigid body
///   mbd_sym6_t                            articulated inertia or compliance, 21 numbers
///   mbd_reference_t                       reference point and axes of a 6-vector
///
/// All quantities are in SI units and radians. Spatial vectors are angular first, as in Jain,
/// section 1.3; the fields are named, so that the order rarely matters.
#ifndef MBDYN__TYPES_H_
#define MBDYN__TYPES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_vec3 {
  double x, y, z;
} mbd_vec3_t;

/// Row-major 3x3 matrix.
typedef struct mbd_mat3 {
  double m[9];
} mbd_mat3_t;

/// Symmetric 3x3 matrix.
typedef struct mbd_sym3 {
  double xx, xy, xz, yy, yz, zz;
} mbd_sym3_t;

/// Unit quaternion, scalar last.
typedef struct mbd_quat {
  double x, y, z, w;
} mbd_quat_t;

/// Spatial velocity [rad/s, m/s] or acceleration [rad/s^2, m/s^2] at the origin of a frame.
typedef struct mbd_motion {
  mbd_vec3_t ang, lin;
} mbd_motion_t;

/// Spatial force at the origin of a frame: moment [N m] and force [N]; or momentum.
typedef struct mbd_force {
  mbd_vec3_t ang, lin;
} mbd_force_t;

/// Pose of frame B in frame A: x_A = R x_B + p.
typedef struct mbd_placement {
  mbd_mat3_t R;
  mbd_vec3_t p;
} mbd_placement_t;

/// Inertia of a rigid body about the origin of a frame, in that frame's axes, Jain (2.7).
typedef struct mbd_inertia {
  double mass;   ///< [kg]
  mbd_vec3_t h;  ///< first moment, mass times centre of mass [kg m]
  mbd_sym3_t I;  ///< rotational inertia about the frame's origin, not the centre of mass [kg m^2]
} mbd_inertia_t;

/// Symmetric 6x6 matrix [J H; H^T M], angular first: 21 numbers.
typedef struct mbd_sym6 {
  mbd_sym3_t J;
  mbd_mat3_t H;
  mbd_sym3_t M;
} mbd_sym6_t;

/// Reference point and axes of a 6-vector.
typedef enum mbd_reference {
  MBD_LOCAL = 0,               ///< origin of the frame, axes of the frame
  MBD_WORLD = 1,               ///< origin of the world, axes of the world
  MBD_LOCAL_WORLD_ALIGNED = 2  ///< origin of the frame, axes of the world: the usual choice
} mbd_reference_t;

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__TYPES_H_
