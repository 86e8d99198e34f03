/// \file ros2_control.h
/// Interfaces of the joints in `<ros2_control>` of a URDF.
///
///   mbdx_ros2_control_load_string   URDF text -> joints with their command and state interfaces
///   mbdx_ros2_control_free          free them
///
/// mbdx_urdf_load_file reports joints without an effort command interface or a position state interface.
/// Library mbdyn_urdf.
#ifndef MBDYN__ROS2_CONTROL_H_
#define MBDYN__ROS2_CONTROL_H_

#include <stddef.h>

#include "mbdyn/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Interfaces, a set of bits. Others, such as those of a driver alone, are not listed.
typedef enum mbdx_interface {
  MBDX_INTERFACE_POSITION = 1,
  MBDX_INTERFACE_VELOCITY = 2,
  MBDX_INTERFACE_EFFORT = 4,
  MBDX_INTERFACE_ACCELERATION = 8
} mbdx_interface_t;

/// A joint of `<ros2_control>`.
typedef struct mbdx_controlled_joint {
  char * name;
  int line;          ///< of the file
  unsigned command;  ///< `<command_interface>`, bits of mbdx_interface_t
  unsigned state;    ///< `<state_interface>`, bits of mbdx_interface_t
} mbdx_controlled_joint_t;

typedef struct mbdx_ros2_control {
  int n;
  mbdx_controlled_joint_t *
    joint;  ///< [n], in the order of the file; one in several components is listed once
} mbdx_ros2_control_t;

/// Joints of all `<ros2_control>` elements of a robot; none is no error.
/// \param[in]  xml      URDF text, see mbdx_urdf_load_string; MJCF has nothing to list
/// \param[out] control  NULL on error; free with mbdx_ros2_control_free
/// \return MBD_OK, MBD_ERROR_XML, MBD_ERROR_URDF (no robot), MBD_ERROR_LIMIT, MBD_ERROR_NULL_ARGUMENT,
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_ros2_control_load_string(
  const char * xml, size_t size, mbdx_ros2_control_t ** control);

/// Free the joints; NULL is allowed.
MBD_PUBLIC
void mbdx_ros2_control_free(mbdx_ros2_control_t * control);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__ROS2_CONTROL_H_
