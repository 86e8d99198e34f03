/// \file joint_input.h
/// From joint states as they come (any order, several publishers, parts of the robot, unknown
/// joints) to q and v of the model. Control thread only; no heap after joint_input_create.
///
///   joint_input_create, joint_input_destroy, joint_input_tune
///   joint_input_take      one message: refused whole, or taken joint by joint
///   joint_input_take_base the same of odometry
///   joint_input_take_values, joint_input_take_base_values    the same by index
///   joint_input_state     is the whole robot known and fresh?
///   joint_input_restart   forget everything but the layouts
///   joint_dof_name        what messages call a degree of freedom
///
/// **Names.** A *layout* is a list of names as it came; the last JOINT_INPUT_LAYOUTS of them are
/// remembered with where each name goes, so that a known layout costs one memcmp. Names that the
/// robot does not have are ignored. Joints of one degree of freedom are read by name; a joint of
/// several degrees is read from "joint.vx"-like names only if its q and v have the same length
/// (cylindrical, universal, planar), otherwise from odometry (the free base) or not at all: then it
/// stays missing, unless it is optional. A mimic joint that no message has follows its leader.
///
/// **Velocity** that is not given is differentiated and low-passed (exactly: the step response of
/// the filter does not depend on the sampling), starting from zero; so is acceleration, from
/// velocity. A driver says NaN for the velocity of a joint that has no sensor: that counts as not
/// given, unless it was given before. Angles of continuous joints may wrap.
///
/// **Stamps** must grow from message to message of a layout, and from sample to sample of a joint
/// (where two layouts have the same joint, the newer stamp wins; the older one is heard again when
/// the newer has been silent for timeout). Stamps that stay behind for timeout mean that the clock
/// has jumped: everything starts over as by joint_input_restart, and count.clock_jumps grows.
/// Messages without a stamp (0) are told apart by their arrival.
#ifndef MBDYN_ROS__JOINT_INPUT_H_
#define MBDYN_ROS__JOINT_INPUT_H_

#include "mbdyn/mbdyn.h"
#include "messages_in.h"

#define JOINT_INPUT_LAYOUTS 16
#define JOINT_INPUT_NAME    128
/// No sensor means a number beyond these: a wheel that counts its turns for years stays below.
#define JOINT_INPUT_FARTHEST 1e9  ///< position [rad, m], also of odometry
#define JOINT_INPUT_FASTEST  1e6  ///< velocity [rad/s, m/s], also of odometry

typedef struct joint_input_options {
  double timeout;              ///< a joint not heard of for so long is stale [s]
  bool check_stamp;            ///< refuse stamps that are older or younger than timeout
  double velocity_cutoff;      ///< low-pass of differentiated velocities [Hz]; 0: none
  double acceleration_cutoff;  ///< the same of accelerations
  /// joints that may be missing: taken at zero (or as mimic) until heard of. Names, NULL at the end;
  /// copied
  const char * const * optional;
} joint_input_options_t;

/// Why messages were refused, or what was odd about them: counters, only ever growing.
typedef struct joint_input_counts {
  uint64_t messages;  ///< all
  uint64_t taken;
  uint64_t malformed;   ///< not the message, arrays of wrong lengths, no positions, zero quaternion
  uint64_t duplicates;  ///< a joint of the robot twice
  uint64_t not_finite;  ///< position, velocity or effort; effort may be NaN
  /// position outside the joint's limits by more than its range and a turn, or beyond
  /// JOINT_INPUT_FARTHEST; velocity beyond JOINT_INPUT_FASTEST
  uint64_t implausible;
  uint64_t late;       ///< stamp older than timeout
  uint64_t future;     ///< stamp younger than now by more than timeout
  uint64_t backwards;  ///< stamp not after the previous one
  uint64_t no_joint;   ///< no name of the robot in it
  /// lists of names seen for the first time (or again after being forgotten)
  uint64_t new_layouts;
  uint64_t clock_jumps;     ///< stamps that stayed backwards for timeout: everything starts over
  uint64_t differentiated;  ///< taken without velocity of some joint
  uint32_t unknown_joints;  ///< names of the last new layout that the robot does not have
  uint32_t missing_joints;  ///< that no message has so far; optional and mimic joints not counted
} joint_input_counts_t;

/// A robot with loops or gears (an embedded model): messages may have any of its joints, and must have
/// the independent ones. v, acceleration, effort and velocity_given are of these alone, q is of all.
typedef struct joint_input {
  const mbd_model_t * model;
  joint_input_counts_t count;
  double * q;             ///< [nq], quaternions of unit length
  double * v;             ///< [nv]
  double * acceleration;  ///< estimate, by differentiation of v and low-pass [nv]; 0 until known
  double * effort;        ///< measured [nv]; NaN where unknown
  bool effort_known;      ///< of all one-degree joints, in the newest messages: none is NaN
  bool * velocity_given;  ///< [nv] false: differentiated
  /// of the newest JointState taken (odometry, if the robot has no joints); `now` of that time if
  /// it had none [ns]
  int64_t stamp;
  char unknown_name[JOINT_INPUT_NAME];  ///< first unknown name of the last new layout
  char missing_name[JOINT_INPUT_NAME];  ///< first joint of the model that is missing or stale
  struct joint_input_private * p;
} joint_input_t;

/// \return NULL if out of memory
joint_input_t * joint_input_create(
  const mbd_model_t * model, const joint_input_options_t * options);
void joint_input_destroy(joint_input_t * input);
/// Numbers of the options, while running; `optional` stays as it was.
void joint_input_tune(joint_input_t * input, const joint_input_options_t * options);

/// Takes a JointState.
/// \param[in] now      of the clock that stamps are compared with [ns]
/// \param[in] arrival  of the steady clock [ns]
/// \return true if something of it was taken
bool joint_input_take(
  joint_input_t * input, const uint8_t * buffer, size_t size, int64_t now, int64_t arrival);

/// Takes pose and twist of the free base (model->body[0] of type MBD_JOINT_FREE) from an Odometry:
/// the pose is that of the base link in the world, whatever its frames are called. The quaternion
/// need not be of unit length.
bool joint_input_take_base(
  joint_input_t * input, const uint8_t * buffer, size_t size, int64_t now, int64_t arrival);

/// Takes a state by index: its arrival is its stamp. The same rules as for messages; a joint that may be missing, and
/// whose position is NaN, is not in it.
/// \param[in] first     degree of freedom (of all joints, as messages have them) of the arrays' first number
/// \param[in] velocity  or NULL
/// \param[in] effort    or NULL
bool joint_input_take_values(
  joint_input_t * input, int first, const double * position, const double * velocity,
  const double * effort, int64_t arrival);
/// \param[in] pose   of the base link in the world: x y z, quaternion x y z w
/// \param[in] twist  linear, angular, in its axes
bool joint_input_take_base_values(
  joint_input_t * input, const double * pose, const double * twist, int64_t arrival);

/// \return true if every joint is known and was heard of within timeout; else missing_name says who
///   is not
bool joint_input_state(joint_input_t * input, int64_t arrival);

void joint_input_restart(joint_input_t * input);

/// Velocity of any joint as it was measured, dependent ones included; NaN: not heard of.
/// \param[in] k  degree of freedom, of all joints
double joint_input_velocity(const joint_input_t * input, int k);

/// "joint", or "joint.vx" and the like for the k-th degree of freedom of a joint that has several:
/// vx vy wz (planar), angle displacement (cylindrical), x y (universal), wx wy wz (spherical), vx vy
/// vz wx wy wz (free), 0 1 ... (user). In joint states, "position" of joint.vx is x, and so on.
/// \return its length; name is cut to size as by snprintf
size_t joint_dof_name(const mbd_body_t * body, int k, char * name, size_t size);

#endif  // MBDYN_ROS__JOINT_INPUT_H_
