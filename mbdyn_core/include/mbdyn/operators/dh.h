/// \file operators/dh.h
/// Serial chains as tables of Denavit and Hartenberg, both ways.
///
///   mbd_dh_row_default      a row to fill in
///   mbd_dh_options_default  for mbd_dh_from_model
///   mbd_dh_row_transform    what a row does at a joint coordinate
///   mbd_dh_convert          standard <-> modified
///   mbd_dh_to_model         table -> finalized model
///   mbd_dh_from_model       serial chain, or the path to a frame -> table
///
/// A row has four numbers. With Rz, Tz, Rx, Tx for turns about and shifts along an axis:
///
///   standard (distal):    Rz(theta) Tz(d) Tx(a) Rx(alpha)   joint first; frame at the next joint
///   modified (proximal):  Rx(alpha) Tx(a) Rz(theta) Tz(d)   joint last; frame at its own joint
///
/// The joint's coordinate q is added to theta (revolute, continuous) or to d (prismatic). The product
/// of the rows stands between `base`, which is in the world, and `tool`, which is on the last link:
///
///   X_tool = base A_1(q_1) ... A_n(q_n) tool
///
/// The frame of link i is what row i ends in; inertias are about it. Angeles (7.22) writes b for d.
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

/// A joint and the link that it carries.
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
  int body;  ///< by mbd_dh_from_model: body of the model, whose q_index and v_index say where q is
} mbd_dh_row_t;

typedef struct mbd_dh {
  const char * name;  ///< of the robot
  mbd_dh_convention_t convention;
  int n;                   ///< joints
  mbd_dh_row_t * row;      ///< [n], the caller's
  mbd_placement_t base;    ///< where the first row starts, in the world
  mbd_placement_t tool;    ///< on the last link, in its frame
  const char * tool_name;  ///< name of that frame, or NULL: none
  mbd_vec3_t gravity;      ///< in world axes [m/s^2]
  /// By mbd_dh_from_model: how far the table is from the model, at q = 0: largest distance of a joint
  /// axis [m] and largest angle [rad]. Round-off, unless `parallel` made axes parallel that are not.
  double distance, angle;
  int left_out;  ///< by mbd_dh_from_model: moving bodies that are not on the path to the tip
} mbd_dh_t;

/// How mbd_dh_from_model goes about it.
typedef struct mbd_dh_options {
  mbd_dh_convention_t convention;
  /// Frame that becomes the tool, or -1: the model must be one chain, and its last link is the tool.
  /// What hangs beside the path to it is left out, with its inertia.
  int tip;
  /// Axes at an angle of less than this are parallel [rad]. Between axes that are nearly parallel
  /// the common normal is far away: d is then large.
  double parallel;
} mbd_dh_options_t;

/// Standard, tip -1, parallel below 1e-9.
MBD_PUBLIC
mbd_dh_options_t mbd_dh_options_default(void);

/// Revolute, zeros, no inertia, no limits, no drive, no names.
MBD_PUBLIC
mbd_dh_row_t mbd_dh_row_default(void);

/// The frame that a row ends in, in the one that it starts from.
/// \param[in] q  joint coordinate [rad or m]
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
mbd_placement_t mbd_dh_row_transform(
  const mbd_dh_row_t * row, mbd_dh_convention_t convention, double q);

/// The same chain in the other convention: alpha and a move to the row after or before, to the base
/// or to the tool; inertias move along with the frames of the links. q stays what it is.
/// \param[in,out] table       rows are changed in place
/// \param[in]     convention  wanted; nothing is done if it is so already
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (n, convention),
///   MBD_ERROR_BAD_JOINT (a joint that neither turns nor slides), MBD_ERROR_NOT_FINITE
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_dh_convert(mbd_dh_t * table, mbd_dh_convention_t convention);

/// A model of the chain. Link frames are at their joints, as in URDF, with the joint along z: in the
/// modified convention they are the frames of the table. Links without a name are called link1 ...,
/// joints joint1 ...; the tool is a frame of the last link if it has a name.
/// \param[out] model  finalized; free with mbd_model_destroy; NULL on an error
/// \param[out] bad    row that caused the error, or -1; may be NULL
/// \return as mbd_dh_convert and mbd_model_add_body
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_dh_to_model(const mbd_dh_t * table, mbd_model_t ** model, int * bad);

/// A table of a model: the same joints, coordinates, masses and tool. The z axes are the joints'
/// own; x axes are chosen so that theta is between -90 and 90 degrees, which may make a negative.
/// The first frame is the point of the first axis that is nearest to the world's origin.
/// \param[in]     options  or NULL for the defaults
/// \param[in,out] table    row has room for `capacity`; everything else is filled in. Names are those
///   of the model and live as long as it does
/// \param[out]    bad      body that caused the error, or -1; may be NULL
/// \return MBD_OK; MBD_ERROR_BAD_JOINT (a joint on the path that neither turns nor slides),
///   MBD_ERROR_MIMIC (a joint that follows another), MBD_ERROR_NOT_SERIAL (tip -1 and not one chain),
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
