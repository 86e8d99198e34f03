/// \file commands.h
/// From command messages to motor torques. No ROS but its bytes; no heap after commands_create. A
/// message is taken whole or refused whole, and counted; what was commanded before then stays.
///
///   commands_create, commands_destroy
///   commands_take_array      std_msgs/Float64MultiArray, in the order of the command joints
///   commands_take_by_name    sensor_msgs/JointState: efforts; joints not in it keep theirs
///   commands_clear           no torque
#ifndef MBDYN_SIM__COMMANDS_H_
#define MBDYN_SIM__COMMANDS_H_

#include "mbdyn/mbdyn.h"

typedef struct command_counts {
  uint64_t taken;
  uint64_t malformed;   ///< bytes that are no such message, or are too many
  uint64_t length;      ///< not as many numbers as command joints, or as names; none at all
  uint64_t not_finite;  ///< a number is not
  uint64_t unknown;     ///< a name that the robot does not have, or twice
} command_counts_t;

typedef struct commands {
  const mbd_model_t * model;
  size_t n;      ///< command joints
  double * tau;  ///< [nv]
  command_counts_t count;
  struct commands_private * p;
} commands_t;

/// \param[in] dof  degree of freedom of each command joint [n]
commands_t * commands_create(const mbd_model_t * model, const int * dof, size_t n);
void commands_destroy(commands_t * commands);

bool commands_take_array(commands_t * commands, const uint8_t * bytes, size_t size);
bool commands_take_by_name(commands_t * commands, const uint8_t * bytes, size_t size);
void commands_clear(commands_t * commands);

#endif  // MBDYN_SIM__COMMANDS_H_
