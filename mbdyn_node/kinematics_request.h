/// \file kinematics_request.h
/// Parts of requests of kinematics, as the core has them, and of their answers.
///
///   kinematics_axes, kinematics_frame, kinematics_pose
///   kinematics_failure   why no configuration was found, and what to do
///   fill_pose
#ifndef MBDYN_NODE__KINEMATICS_REQUEST_H_
#define MBDYN_NODE__KINEMATICS_REQUEST_H_

#include "geometry_msgs/msg/pose.h"
#include "ik_search.h"
#include "node_internal.h"

/// Where a reason goes.
typedef struct kinematics_reason {
  char * text;
  size_t size;
} kinematics_reason_t;

/// \return false
__attribute__((format(printf, 2, 3))) bool kinematics_refuse(
  kinematics_reason_t reason, const char * format, ...);

/// \param[in]  names  linear_x, ..., angular_z; none: all
/// \param[out] axis   angular first
bool kinematics_axes(
  const rosidl_runtime_c__String__Sequence * names, bool axis[6], kinematics_reason_t reason);

/// \param[in] name  "": operational_frame, or the tip of the robot
bool kinematics_frame(
  mbdyn_node_t * node, const char * name, int * frame, kinematics_reason_t reason);

/// \param[in] what  "pose", "pose 2"
bool kinematics_pose(
  const geometry_msgs__msg__Pose * pose, const char * what, mbd_placement_t * X,
  kinematics_reason_t reason);

void fill_pose(const mbd_placement_t * X, geometry_msgs__msg__Pose * pose);

/// Why a search found no configuration: UNREACHABLE 1, AT_LIMIT 2, TIMEOUT 3 of the services.
/// \param[in] joint  at its limit, or NULL
uint8_t kinematics_failure(
  const ik_search_t * search, const char * joint, char * text, size_t size);

#endif  // MBDYN_NODE__KINEMATICS_REQUEST_H_
