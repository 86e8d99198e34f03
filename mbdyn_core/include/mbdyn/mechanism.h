/// \file mechanism.h
/// Mechanisms from a YAML file: bodies and joints as any graph, closures, forces, bearings, drivers, inputs and
/// outputs, contacts, initial state.
///
///   mbdx_mechanism_options_default   coordinates as in the file
///   mbdx_mechanism_load_file         NAME.mechanism.yaml -> mechanism
///   mbdx_mechanism_load_string       YAML text -> mechanism
///   mbdx_mechanism_load_urdf         URDF with a mechanism file beside it -> mechanism
///   mbdx_mechanism_load_urdf_string  URDF text with a mechanism file or text -> mechanism
///   mbdx_mechanism_place             where in its file a part of a mechanism is
///   mbdx_mechanism_free              free a mechanism
///
/// The schema is in docs/mechanism.md. Joints may form any graph: a spanning tree is chosen, and joints
/// outside it become closures (closure.h). Reports have file, line and a hint as those of urdf.h; an
/// unknown key is an error.
///
/// Library mbdyn_urdf. Limits: those of YAML in urdf.h, 4096 bodies or joints, 1024 closures, forces,
/// bearings, drivers or contacts, 256 inputs and outputs, 4096 points of a table or of steps.
#ifndef MBDYN__MECHANISM_H_
#define MBDYN__MECHANISM_H_

#include "mbdyn/measure.h"
#include "mbdyn/shapes.h"
#include "mbdyn/urdf.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Coordinates of a mechanism.
typedef enum mbdx_coordinates {
  MBDX_COORDINATES_FILE = 0,  ///< as the file says; a tree if it does not
  MBDX_COORDINATES_TREE = 1,  ///< joint coordinates of a spanning tree; other joints are closures
  MBDX_COORDINATES_CARTESIAN = 2  ///< every body on a free joint, every joint a closure (Haug)
} mbdx_coordinates_t;

typedef struct mbdx_mechanism_options {
  mbdx_coordinates_t coordinates;
  bool strict;  ///< treat warnings as errors
  /// Without drivers in the file: joints of the section `initial` that have a velocity are driven at it;
  /// default false
  bool drive_initial;
} mbdx_mechanism_options_t;

/// Settings of the section `simulate`; 0, or "" for the method, if the file has none.
typedef struct mbdx_simulate {
  double time, step, max_step;  ///< [s]
  double rtol, atol;
  char method[32];
} mbdx_simulate_t;

/// A mechanism.
typedef struct mbdx_mechanism {
  /// finalized; its closures are cut joints (constrained.h), its elements count with MBD_TERM_ELEMENTS
  mbd_model_t * model;
  double * q;                ///< initial configuration, assembled [model->nq]
  double * v;                ///< initial velocity, projected onto the closures [model->nv]
  int mobility;              ///< degrees of freedom left by the closures
  int nredundant;            ///< redundant position rows
  mbdx_simulate_t simulate;  ///< section `simulate`
  struct mbdx_mechanism_parts * parts;  ///< private: drivers, lines
  int ninput, noutput;
  mbd_measure_t * input;   ///< section `inputs` [ninput]
  mbd_measure_t * output;  ///< section `outputs` [noutput]
  mbdx_shapes_t *
    contacts;  ///< section `contacts`: spheres of radius 0 are points; NULL if there is none
} mbdx_mechanism_t;

/// Default options: coordinates as in the file, not strict.
MBD_PUBLIC
mbdx_mechanism_options_t mbdx_mechanism_options_default(void);

/// Load a mechanism from a file.
/// \param[in]  path       file
/// \param[in]  options    or NULL for the defaults
/// \param[out] mechanism  NULL on error; free with mbdx_mechanism_free
/// \param[out] report     created except on MBD_ERROR_NULL_ARGUMENT and MBD_ERROR_OUT_OF_MEMORY; free
///   with mbdx_report_free; may be NULL
/// \return MBD_OK, MBD_ERROR_FILE, MBD_ERROR_URDF (the report says what is wrong), MBD_ERROR_LIMIT,
///   MBD_ERROR_NULL_ARGUMENT (path, mechanism), MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_mechanism_load_file(
  const char * path, const mbdx_mechanism_options_t * options, mbdx_mechanism_t ** mechanism,
  mbdx_report_t ** report);

/// Load a mechanism from YAML text.
/// \param[in] text    size bytes; need not be terminated by 0
/// \param[in] source  name in the report; NULL: "mechanism"
/// \return as mbdx_mechanism_load_file
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_mechanism_load_string(
  const char * text, size_t size, const char * source, const mbdx_mechanism_options_t * options,
  mbdx_mechanism_t ** mechanism, mbdx_report_t ** report);

/// Load a robot from a URDF, and closures, forces, bearings, drivers, initial state and settings from a
/// mechanism file without bodies and joints. The model is the spanning tree with its closures.
/// \param[in] urdf     file
/// \param[in] path     mechanism file; its sections name links and joints of the URDF
/// \param[in] options  or NULL for the defaults; embed and the loops file are ignored
/// \return as mbdx_mechanism_load_file
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_mechanism_load_urdf(
  const char * urdf, const char * path, const mbdx_urdf_options_t * options,
  mbdx_mechanism_t ** mechanism, mbdx_report_t ** report);

/// The same from URDF text.
/// \param[in] text, size  URDF
/// \param[in] source      name of the URDF in the report; NULL: "robot_description"
/// \param[in] options     loops_file or loops_text is the mechanism file; embed is ignored
/// \return as mbdx_mechanism_load_file; MBD_ERROR_BAD_ARGUMENT if there is no mechanism file in the options
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdx_mechanism_load_urdf_string(
  const char * text, size_t size, const char * source, const mbdx_urdf_options_t * options,
  mbdx_mechanism_t ** mechanism, mbdx_report_t ** report);

/// Where in its file the part of this name is: a closure, driver, joint, body, force, input or output.
/// \param[out] line  from 1; or NULL
/// \return "closure", "driver", "joint", "body", "force", "input" or "output"; NULL if the file has no such name
///
/// Allocates no | Thread-safe yes | Real-time safe no
MBD_PUBLIC
const char * mbdx_mechanism_place(
  const mbdx_mechanism_t * mechanism, const char * name, int * line);

/// Free a mechanism and its model; NULL is allowed.
MBD_PUBLIC
void mbdx_mechanism_free(mbdx_mechanism_t * mechanism);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__MECHANISM_H_
