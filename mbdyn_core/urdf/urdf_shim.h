// urdfdom behind plain C: text in, numbers out. No C++ type, exception or memory crosses.
#ifndef URDF_SHIM_H_
#define URDF_SHIM_H_

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum urdf_joint_type {
  URDF_UNKNOWN = 0,
  URDF_REVOLUTE,
  URDF_CONTINUOUS,
  URDF_PRISMATIC,
  URDF_FIXED,
  URDF_FLOATING,
  URDF_PLANAR
} urdf_joint_type_t;

typedef enum urdf_shim_result {
  URDF_SHIM_OK = 0,
  URDF_SHIM_REFUSED,  // by urdfdom, or it made something else of the text
  URDF_SHIM_OUT_OF_MEMORY
} urdf_shim_result_t;

typedef struct urdf_shim_link {
  bool has_inertial;
  double xyz[3], quat[4];  // inertial frame in the link frame; x y z w
  double mass;
  double I[6];       // xx xy xz yy yz zz
  int parent_joint;  // -1 for the root
  int nchild;
} urdf_shim_link_t;

typedef struct urdf_shim_joint {
  urdf_joint_type_t type;
  int parent, child;
  double xyz[3], quat[4];  // joint frame in the parent link frame
  double axis[3];
  bool has_limit;
  double lower, upper, effort, velocity;
  double damping, friction;
  int mimic;  // joint, or -1
  double multiplier, offset;
} urdf_shim_joint_t;

/// Read a robot whose links are named l0, l1, ... and whose joints j0, j1, ...
/// \param[out] link, joint   [nlink], [njoint]
/// \param[out] message       what is wrong, ends in 0
urdf_shim_result_t urdf_shim_parse(
  const char * text, size_t size, int nlink, urdf_shim_link_t * link, int njoint,
  urdf_shim_joint_t * joint, char * message, size_t message_size);

#ifdef __cplusplus
}
#endif

#endif  // URDF_SHIM_H_
