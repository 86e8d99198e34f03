// urdfdom behind plain C: text in, numbers out. No C++ type or exception crosses.
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
  URDF_PLANAR,
  URDF_SPHERICAL  // MJCF only
} urdf_joint_type_t;

typedef enum urdf_shim_result {
  URDF_SHIM_OK = 0,
  URDF_SHIM_REFUSED,
  URDF_SHIM_OUT_OF_MEMORY
} urdf_shim_result_t;

typedef struct urdf_shim_link {
  const char * name;
  bool has_inertial;
  double xyz[3], quat[4];  // inertial frame in the link frame; x y z w
  double mass;
  double I[6];  // xx xy xz yy yz zz
} urdf_shim_link_t;

typedef struct urdf_shim_joint {
  const char * name;
  urdf_joint_type_t type;
  const char *parent, *child;
  double xyz[3], quat[4];  // joint frame in the parent link frame
  double axis[3];          // of any length
  bool has_limit;
  double lower, upper, effort, velocity;
  double damping, friction;
  const char * mimic;  // joint, or NULL
  double multiplier, offset;
} urdf_shim_joint_t;

// what urdfdom made of a text; free with urdf_shim_free
typedef struct urdf_shim_robot {
  int nlink, njoint;
  const urdf_shim_link_t * link;    // [nlink] by name
  const urdf_shim_joint_t * joint;  // [njoint] by name
  void * owner;
} urdf_shim_robot_t;

/// Read a robot.
/// \param[out] robot    all zero unless OK
/// \param[out] message  first error that urdfdom logged, even if OK; "" if none or not known
urdf_shim_result_t urdf_shim_parse(
  const char * text, size_t size, urdf_shim_robot_t * robot, char * message, size_t message_size);

void urdf_shim_free(urdf_shim_robot_t * robot);

#ifdef __cplusplus
}
#endif

#endif  // URDF_SHIM_H_
