/// \file mjcf.h
/// MJCF, the file format of MuJoCo: the same strict loader and the same reports as of URDF.
///
///   mbdx_mjcf_load_file     MJCF file, with the files it includes -> finalized model
///   mbdx_mjcf_load_string   MJCF text -> finalized model
///
/// Functions that take URDF take MJCF as well: `<mujoco>` as the outermost element selects this reader, also in
/// mbdx_urdf_load_file, in mechanisms, tools and node. The functions here refuse everything else.
///
/// **What is read** (docs/mjcf.md has all of it): default classes and childclass, include, compiler (angle, eulerseq,
/// autolimits, inertiafromgeom, balanceinertia, boundmass, boundinertia, settotalmass), gravity, bodies with any number
/// of hinge, slide and ball joints or a free joint, inertial or the shapes of geoms, armature as the rotor's inertia,
/// damping and frictionloss, springs as force elements (element.h), limits, motors as limits of effort, equalities of
/// type connect, weld and joint as closures, sites as frames. Defaults are those of MuJoCo 3.
///
/// **What is not** (tendons, composites, plugins, flexible bodies, forces of fluids, meshes without inertial) is an
/// error with its name and line; what has no effect on dynamics is noted.
///
/// **Coordinates** are those of MuJoCo, but in the order of this library: quaternions are x y z w, joints are sorted by
/// name among siblings, and the velocity of a free joint is in axes of the body, linear first.
///
/// Limits of size are those of URDF, for all included files together; elements are nested at most 256 deep.
#ifndef MBDYN__MJCF_H_
#define MBDYN__MJCF_H_

#include "mbdyn/urdf.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Load a robot from an MJCF file. Included files are looked up in its folder.
/// \param[in]  path     file
/// \param[in]  options  as of URDF, or NULL; base must be MBDX_BASE_FIXED: what floats has a free joint in the
///   file. `gravity` other than the default overrides that of the file
/// \param[out] model    finalized; NULL on error; free with mbd_model_destroy
/// \param[out] report   as mbdx_urdf_load_file; lines of included files have their names
/// \return as mbdx_urdf_load_file; MBD_ERROR_URDF for a file that has errors
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_mjcf_load_file(
  const char * path, const mbdx_urdf_options_t * options, mbd_model_t ** model,
  mbdx_report_t ** report);

/// Load a robot from MJCF text, which cannot include files.
/// \param[in] xml     text as of mbdx_urdf_load_string
/// \param[in] size    size in bytes
/// \param[in] source  name in the report; NULL: "MJCF"
/// \return as mbdx_mjcf_load_file
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_mjcf_load_string(
  const char * xml, size_t size, const char * source, const mbdx_urdf_options_t * options,
  mbd_model_t ** model, mbdx_report_t ** report);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__MJCF_H_
