/// \file shapes.h
/// Shapes of links from URDF: spheres, boxes, cylinders and capsules of `<collision>`.
///
///   mbdx_shapes_load_string   URDF text -> shapes
///   mbdx_shapes_free          free shapes
///
/// Meshes are not supported; they are reported as warnings. Library mbdyn_urdf.
#ifndef MBDYN__SHAPES_H_
#define MBDYN__SHAPES_H_

#include "mbdyn/urdf.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mbdx_shape_type {
  MBDX_SHAPE_SPHERE = 0,    ///< radius
  MBDX_SHAPE_BOX = 1,       ///< size
  MBDX_SHAPE_CYLINDER = 2,  ///< radius, length along z
  MBDX_SHAPE_CAPSULE = 3    ///< radius, length of the cylinder along z between two half-balls
} mbdx_shape_type_t;

/// A shape of a link, its centre at the origin of X.
typedef struct mbdx_shape {
  char * link;
  mbdx_shape_type_t type;
  mbd_placement_t X;      ///< in the link frame
  mbd_vec3_t size;        ///< [m]
  double radius, length;  ///< [m]
  int line;               ///< of the file
} mbdx_shape_t;

typedef struct mbdx_shapes {
  int n;
  mbdx_shape_t * shape;  ///< [n], in the order of the file
} mbdx_shapes_t;

/// Shapes of a robot, from `<collision>` of its links.
/// \param[in]  xml     URDF text, see mbdx_urdf_load_string
/// \param[in]  source  name in the report; NULL: "robot_description"
/// \param[out] shapes  NULL on error; free with mbdx_shapes_free
/// \param[out] report  entries about shapes alone, unless the text is no robot; created except on
///   MBD_ERROR_NULL_ARGUMENT and MBD_ERROR_OUT_OF_MEMORY; may be NULL
/// \return as mbdx_urdf_load_string
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_shapes_load_string(
  const char * xml, size_t size, const char * source, mbdx_shapes_t ** shapes,
  mbdx_report_t ** report);

/// Free shapes; NULL is allowed.
MBD_PUBLIC
void mbdx_shapes_free(mbdx_shapes_t * shapes);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__SHAPES_H_
