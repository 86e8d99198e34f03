/// \file operators/dh.h
/// Denavit-Hartenberg tables: conversion to and from models of serial chains.
///
///   mbd_dh_row_default      default row
///   mbd_dh_options_default  default options of mbd_dh_from_model
///   mbd_dh_row_transform    transform of a row at a joint coordinate
///   mbd_dh_convert          standard <-> modified
///   mbd_dh_to_model         table -> finalized model
///   mbd_dh_from_model       serial chain, or the path to a frame -> table
///
/// A row has four parameters. With rotations Rz, Rx about and translations Tz, Tx along an axis:
///
///   standard (distal):    Rz(theta) Tz(d) Tx(a) Rx(alpha)   joint first; frame at the next joint
///   modified (proximal):  Rx(alpha) Tx(a) Rz(theta) Tz(d)   joint last; frame at its own joint
///
/// The joint coordinate q is added to theta (revolute, continuous) or to d (prismatic). The forward
/// kinematics from `base`, in the world, to `tool`, on the last link, are
///
///   X_tool = base A_1(q_1) ... A_n(q_n) tool
///
/// The frame of link i is the final frame of row i; inertias are about its origin. Angeles (7.22) writes
/// b for d.
#ifndef MBDYN__OPERATORS__DH_H_
#define MBDYN__OPERATORS__DH_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mbd_dh_convention {
  MBD_DH_STANDARD = 0,  ///< Denavit and Hartenberg, Paul, Angeles
  MBD_DH_MODIFIED = 1   ///< Craig, Khalil and Kleinfinger
} mbd_dh_convention_t;

/// A joint and its child link.
typedef struct mbd_dh_row {
  const char * joint_name;
  const char * name;      ///< of the link
  mbd_joint_type_t type;  ///< revolute, continuous or prismatic
  double a;               ///< [m]
  double alpha;           ///< [rad]
  double d;               ///< [m]; prismatic: at q = 0
  double theta;           ///< [rad]; revolute: at q = 0
  mbd_inertia_t inertia;  ///< about the origin of the link's frame, in its axes
  mbd_limits_t limits;
  mbd_drive_t drive;
  int body;  ///< set by mbd_dh_from_model: body of the model, with q_index and v_index of the joint
} mbd_dh_row_t;

typedef struct mbd_dh {
  const char * name;  ///< of the robot
  mbd_dh_convention_t convention;
  int n;                   ///< joints
  mbd_dh_row_t * row;      ///< [n], the caller's
  mbd_placement_t base;    ///< first frame in the world
  mbd_placement_t tool;    ///< on the last link, in its frame
  const char * tool_name;  ///< name of that frame, or NULL: none
  mbd_vec3_t gravity;      ///< in world axes [m/s^2]
  /// Set by mbd_dh_from_model: deviation of the table from the model at q = 0, largest distance of a
  /// joint axis [m] and largest angle [rad]. Rounding errors, unless `parallel` has changed axes.
  double distance, angle;
  int left_out;  ///< set by mbd_dh_from_model: number of moving bodies off the path to the tip
} mbd_dh_t;

/// Options of mbd_dh_from_model.
typedef struct mbd_dh_options {
  mbd_dh_convention_t convention;
  /// Frame that becomes the tool, or -1: the model must be a serial chain, and its last link is the
  /// tool. Bodies off the path to the tip are omitted, with their inertia.
  int tip;
  /// Axes within this angle are treated as parallel [rad]. The common normal of nearly parallel axes is
  /// far away, which makes d large.
  double parallel;
} mbd_dh_options_t;

/// Default options: standard convention, tip -1, parallel below 1e-9.
MBD_PUBLIC
mbd_dh_options_t mbd_dh_options_default(void);

/// Default row: revolute, zeros, no inertia, no limits, no drive, no names.
MBD_PUBLIC
mbd_dh_row_t mbd_dh_row_default(void);

/// Transform of a row: pose of its final frame in its first frame.
/// \param[in] q  joint coordinate [rad or m]
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
mbd_placement_t mbd_dh_row_transform(
  const mbd_dh_row_t * row, mbd_dh_convention_t convention, double q);

/// Convert a table to the other convention: alpha and a move to the next or previous row, to the base or
/// to the tool, and inertias to the new link frames. q is unchanged.
/// \param[in,out] table       rows are changed in place
/// \param[in]     convention  desired convention
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (n, convention),
///   MBD_ERROR_BAD_JOINT (a joint that is neither revolute nor prismatic), MBD_ERROR_NOT_FINITE
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_dh_convert(mbd_dh_t * table, mbd_dh_convention_t convention);

/// Create a model from a table. Link frames are at their joints, as in URDF, with z along the joint
/// axis: in the modified convention they are the frames of the table. Links without a name are named
/// link1 ..., joints joint1 ...; the tool becomes a frame of the last link if it has a name.
/// \param[out] model  finalized; free with mbd_model_destroy; NULL on error
/// \param[out] bad    row that caused the error, or -1; may be NULL
/// \return as mbd_dh_convert and mbd_model_add_body
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_dh_to_model(const mbd_dh_t * table, mbd_model_t ** model, int * bad);

/// Create a table from a model, with the same joints, coordinates, masses and tool. The z axes are the
/// joint axes; x axes are chosen so that theta is between -90 and 90 degrees, which can make a negative.
/// The first frame is at the point of the first axis closest to the world origin.
/// \param[in]     options  or NULL for the defaults
/// \param[in,out] table    row has space for `capacity` rows; everything else is filled in. Names belong
///   to the model
/// \param[out]    bad      body that caused the error, or -1; may be NULL
/// \return MBD_OK; MBD_ERROR_BAD_JOINT (a joint on the path that is neither revolute nor prismatic),
///   MBD_ERROR_MIMIC (a mimic joint), MBD_ERROR_NOT_SERIAL (tip -1 and not a serial chain),
///   MBD_ERROR_TOO_SMALL (capacity), MBD_ERROR_BAD_ARGUMENT (tip fixed to the world, options),
///   MBD_ERROR_UNSUPPORTED, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_dh_from_model(
  const mbd_model_t * model, const mbd_dh_options_t * options, int capacity, mbd_dh_t * table,
  int * bad);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__DH_H_
