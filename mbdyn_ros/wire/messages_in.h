/// \file messages_in.h
/// What comes from the network, as views into the received bytes: nothing is copied but numbers.
/// Bytes may be anything; every function returns false for what is not the message. Up to three
/// bytes may follow the message.
///
///   wire_read_joint_state        sensor_msgs/JointState
///   wire_read_numbers            std_msgs/Float64MultiArray
///   wire_read_pose, _twist, _wrench, _vector    geometry_msgs/...Stamped
///   wire_read_odometry           nav_msgs/Odometry
///   wire_read_controller_state   control_msgs/JointTrajectoryControllerState, its reference
///   wire_stamp, wire_names, wire_at_end    parts of messages
///   wire_next_name, wire_names_equal    lists of names in them
///
/// Every stamp must have sec >= 0 and nanosec < 1e9, or the message is refused. Numbers may be
/// infinite or NaN.
#ifndef MBDYN_ROS__MESSAGES_IN_H_
#define MBDYN_ROS__MESSAGES_IN_H_

#include "reader.h"

/// More names than this in a message are refused.
#define WIRE_MAX_NAMES 4096

typedef struct wire_names {
  const uint8_t * data;  ///< the sequence's elements, first byte after its count
  size_t bytes;          ///< of all of it; a copy of them works as well as the buffer
  uint32_t n;
  bool swap;
} wire_names_t;

/// A sequence of strings.
wire_names_t wire_names(wire_reader_t * r);
/// builtin_interfaces/Time [ns].
int64_t wire_stamp(wire_reader_t * r);
/// All was there, and at most three bytes of padding follow.
bool wire_at_end(const wire_reader_t * r);

/// Walks through names: *at starts at 0. After the last one it is the empty text.
wire_text_t wire_next_name(const wire_names_t * names, size_t * at);

/// The same names in the same order. Costs one memcmp if the bytes are the same, too; they need not
/// be: padding between names may differ from message to message (Fast DDS does not clear it).
bool wire_names_equal(const wire_names_t * a, const wire_names_t * b);

typedef struct wire_joint_state {
  int64_t stamp;  ///< [ns]; 0: none
  wire_text_t frame_id;
  wire_names_t names;
  /// Each has as many numbers as there are names, or none; other lengths are refused.
  wire_numbers_t position, velocity, effort;
} wire_joint_state_t;

bool wire_read_joint_state(const uint8_t * buffer, size_t size, wire_joint_state_t * out);

/// Data of a Float64MultiArray; the layout is skipped.
bool wire_read_numbers(const uint8_t * buffer, size_t size, wire_numbers_t * out);

/// Header and up to seven numbers in the order of the message.
typedef struct wire_stamped {
  int64_t stamp;
  wire_text_t frame_id;
  double x[7];
} wire_stamped_t;

bool wire_read_pose(const uint8_t * buffer, size_t size, wire_stamped_t * out);  ///< x y z, x y z w
bool wire_read_twist(const uint8_t * buffer, size_t size, wire_stamped_t * out);  ///< lin, ang
bool wire_read_wrench(
  const uint8_t * buffer, size_t size, wire_stamped_t * out);  ///< force, torque
bool wire_read_vector(const uint8_t * buffer, size_t size, wire_stamped_t * out);

typedef struct wire_odometry {
  int64_t stamp;
  wire_text_t frame_id, child_frame_id;
  double pose[7];   ///< x y z, quaternion x y z w, in frame_id
  double twist[6];  ///< linear, angular, in child_frame_id
} wire_odometry_t;

bool wire_read_odometry(const uint8_t * buffer, size_t size, wire_odometry_t * out);

typedef struct wire_reference {
  int64_t stamp;
  wire_names_t names;
  wire_numbers_t position, velocity, acceleration;  ///< as many as names, or none
} wire_reference_t;

/// header, joint_names, reference (a JointTrajectoryPoint); what follows is not looked at. Before
/// Humble the field was called `desired`: the same bytes.
bool wire_read_controller_state(const uint8_t * buffer, size_t size, wire_reference_t * out);

#endif  // MBDYN_ROS__MESSAGES_IN_H_
