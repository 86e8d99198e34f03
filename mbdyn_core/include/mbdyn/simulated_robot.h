/// \file simulated_robot.h
/// A simulated robot by index: commands of the joints in, measured state out. What mbdyn_sim steps (docs/run.md), as a
/// library without ROS, for tests and for drivers that stand in for a robot.
///
///   mbds_parameter_at         the table of parameters: those of mbdyn_sim
///   mbds_create               robot from a description and parameters
///   mbds_destroy
///   mbds_warning              what the loader warned about
///   mbds_joint_count, mbds_joint_name, mbds_joint_find   joints, in the order of all arrays
///   mbds_floating             does it have a floating base
///
///   mbds_reset                back to the start
///   mbds_step                 commands for a time
///   mbds_measure              what the sensors see
///   mbds_push                 a force for a time
///   mbds_get_status           counters, energy
///
/// Library mbdyn_simulation (CMake mbdyn::mbdyn_simulation).
///
/// **Time.** mbds_step takes the period in equal steps, as many as are nearest to `rate` per second. Nothing else happens between the calls: a robot
/// whose caller stops stands still.
///
/// **Brakes** hold it until the first command, with `hold_until_command` (default).
///
/// **Drives.** An effort is the motor's torque, within the limit of the URDF. A position or velocity is followed by a drive of
/// the robot that knows its dynamics,
///
///   tau = M a + C v + g + friction,   a = w^2 (q_d - q) - 2 w v,   or a = 2 w (v_d - v),   w = 60 rad/s,
///
/// within the same limit.
///
/// **Threads.** A robot belongs to one thread at a time; there is no other state.
#ifndef MBDYN__SIMULATED_ROBOT_H_
#define MBDYN__SIMULATED_ROBOT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mbdyn/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A simulated robot.
typedef struct mbds_robot mbds_robot_t;

/// The k-th parameter that a robot has: name, default, and what it is. Parameters of topics and time are left out.
/// \return false if there are no more than k
///
/// Allocates no | Thread-safe yes
MBD_PUBLIC
bool mbds_parameter_at(
  size_t k, const char ** name, const char ** initial, const char ** description);

/// Create a robot at rest at `initial_positions`.
/// \param[in] urdf    text
/// \param[in] length  of it [bytes]
/// \param[in] name, value  n parameters, as text: "noise.position", "1e-4"; "initial_positions", "[0.1, 0.2]". See
///   docs/reference.md
/// \param[out] reason  what is wrong, with file and line or parameter; may be NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FOUND (a parameter's name), MBD_ERROR_BAD_ARGUMENT (its value, or
///   the robot), MBD_ERROR_OUT_OF_MEMORY. On error, *robot is NULL.
///
/// Allocates yes | Thread-safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbds_create(
  const char * urdf, size_t length, int n, const char * const * name, const char * const * value,
  mbds_robot_t ** robot, char * reason, size_t size);

/// Free a robot; NULL is allowed.
MBD_PUBLIC
void mbds_destroy(mbds_robot_t * robot);

/// Warnings about the description, a line each; NULL: none.
MBD_PUBLIC
const char * mbds_warning(const mbds_robot_t * robot);

/// Length of all arrays of joints: joints with a position, dependent and mimic joints included.
MBD_PUBLIC
int mbds_joint_count(const mbds_robot_t * robot);

/// Name of a joint, "joint" or "joint.vx"; NULL if there is none.
MBD_PUBLIC
const char * mbds_joint_name(const mbds_robot_t * robot, int joint);

/// Index of a joint, or -1.
MBD_PUBLIC
int mbds_joint_find(const mbds_robot_t * robot, const char * name);

/// True if the root link moves freely (`base`).
MBD_PUBLIC
bool mbds_floating(const mbds_robot_t * robot);

/// What a joint's command is.
typedef enum mbds_drive {
  MBDS_OFF,       ///< no torque, value is not read
  MBDS_EFFORT,    ///< [N m, N]
  MBDS_VELOCITY,  ///< [rad/s, m/s]; not for joints that depend on others
  MBDS_POSITION   ///< [rad, m]; not for joints that depend on others
} mbds_drive_t;

typedef struct mbds_command {
  mbds_drive_t drive;
  double value;  ///< not finite: the joint's last value for this drive stays; none yet: MBDS_OFF
} mbds_command_t;

/// Back to the start: at rest at `initial_positions`, brakes engaged, no pushes, no commands. Time goes on.
/// \return MBD_OK, or why the configuration is refused
///
/// Allocates no | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbds_reset(mbds_robot_t * robot);

/// Move on.
/// \param[in] command  of each joint [mbds_joint_count]
/// \param[in] period   [s], 0 to 1
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (period), or why the dynamics fail: then the robot
///   stands still, with the same status, until mbds_reset
///
/// Complexity O(N) to O(N^3) | Allocates no | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbds_step(mbds_robot_t * robot, const mbds_command_t * command, double period);

/// The newest measurement that has arrived, with `noise`, `delay` and `dropout`.
/// \param[out] position, velocity, effort  of each joint; effort is that of the motors; may be NULL
/// \param[out] base  of a floating base, without noise: x y z, quaternion x y z w, linear and angular velocity in its axes
///   [13]; or NULL
///
/// Complexity O(N) | Allocates no | Real-time safe yes
MBD_PUBLIC
void mbds_measure(
  mbds_robot_t * robot, double * position, double * velocity, double * effort, double * base);

/// A force on a link or frame, from the next step on; another one on the same frame replaces it.
/// \param[in] frame    name
/// \param[in] wrench   force [N], moment [N m] at its origin, in axes of the world [6]
/// \param[in] seconds  0: take it off
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FOUND (frame), MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_ARGUMENT
///   (seconds), MBD_ERROR_LIMIT (pushes at a time)
///
/// Allocates no | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbds_push(
  mbds_robot_t * robot, const char * frame, const double * wrench, double seconds);

typedef struct mbds_status {
  double time;                ///< simulated since mbds_create [s]
  bool braked;                ///< no command yet
  mbd_status_t fault;         ///< why it stands still until mbds_reset
  uint64_t steps;             ///< of the integrator
  uint64_t stops;             ///< times that a joint ran into a position limit
  uint64_t not_finite;        ///< commands that were not finite
  double kinetic, potential;  ///< energy [J]; NaN: not known
} mbds_status_t;

/// \return by value: nothing of it changes later
///
/// Complexity O(N) | Allocates no | Real-time safe yes
MBD_PUBLIC
mbds_status_t mbds_get_status(mbds_robot_t * robot);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__SIMULATED_ROBOT_H_
