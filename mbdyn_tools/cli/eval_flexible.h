/// \file eval_flexible.h
/// `mbdyn eval` of a robot with flexible links.
///
///   eval_flexible    all states of the input to a file
#ifndef EVAL_FLEXIBLE_H_
#define EVAL_FLEXIBLE_H_

#include "eval_input.h"
#include "eval_output.h"

/// Evaluate every state and write the results; nothing is written if a state cannot be evaluated.
/// \param[in] input   with its flexible set
/// \param[in] path    file, or NULL: standard output
/// \return false after a message
bool eval_flexible(
  const eval_input_t * input, const eval_frames_t * frames, const eval_conventions_t * conventions,
  const char * path);

#endif  // EVAL_FLEXIBLE_H_
