/// \file joint_messages.h
/// Messages as bytes and small robots, for tests of the joint input. Written by hand from the CDR
/// rules, independent of the node's own code.
///
///   joint_state_t, write_joint_state    sensor_msgs/JointState
///   write_odometry                      nav_msgs/Odometry
///   robot_joint_t, make_robot           a robot of given joints
#ifndef JOINT_MESSAGES_H_
#define JOINT_MESSAGES_H_

#include "mbdyn/mbdyn.h"

enum { MESSAGE_CAPACITY = 1 << 18 };

typedef struct joint_state {
  int64_t stamp;  // [ns]
  uint32_t n;
  const char * const * name;
  const double *position, *velocity, *effort;  // [n], NULL for an empty sequence
  bool big_endian;
  uint8_t padding;  // what padding is filled with
} joint_state_t;

/// \return size; at most MESSAGE_CAPACITY
size_t write_joint_state(const joint_state_t * message, uint8_t * buffer);

size_t write_odometry(int64_t stamp, const double pose[7], const double twist[6], uint8_t * buffer);

/// A joint and the link that it carries, which is called "link_of_" and the joint.
typedef struct robot_joint {
  const char * name;
  mbd_joint_type_t type;
  const char * mimic;  // or NULL
  double multiplier, offset;
} robot_joint_t;

/// A chain of joints, numbered as given. mbd_model_destroy it.
mbd_model_t * make_robot(const robot_joint_t * joint, int n);

#endif  // JOINT_MESSAGES_H_
