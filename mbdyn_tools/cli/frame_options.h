/// \file frame_options.h
/// Options that eval and codegen share.
///
///   frame_names_take    --frame LINK, as often as given
///   frame_names_find    the frames of a robot that they name
///   reference_take      --reference REFERENCE
///   terms_take          --with friction,rotors,elements
#ifndef FRAME_OPTIONS_H_
#define FRAME_OPTIONS_H_

#include "mbdyn/mbdyn.h"

typedef struct frame_names {
  int n, capacity;
  const char ** name;  ///< [n], in the order given, none twice; to be freed
} frame_names_t;

// NULL, or what was expected instead

const char * frame_names_take(frame_names_t * names, const char * value);
const char * reference_take(mbd_reference_t * reference, const char * value);
const char * terms_take(uint32_t * terms, const char * value);

/// \param[in]  path  of the robot, for the message
/// \param[out] to    [n]
/// \return false after a message on stderr
bool frame_names_find(
  const frame_names_t * names, const char * path, const mbd_model_t * model, int * to);

#endif  // FRAME_OPTIONS_H_
