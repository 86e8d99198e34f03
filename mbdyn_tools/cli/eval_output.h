/// \file eval_output.h
/// What `mbdyn eval` writes.
///
///   eval_reference_name   "local", "world", "local_world_aligned"
///   eval_write_head       model and conventions, up to the list of states
///   eval_write_state      one state
///   eval_write_tail       the end
#ifndef EVAL_OUTPUT_H_
#define EVAL_OUTPUT_H_

#include <stdbool.h>

#include "eval_derivatives.h"
#include "eval_operators.h"
#include "eval_result.h"
#include "json_out.h"

/// What the results are about.
typedef struct eval_conventions {
  mbd_vec3_t gravity;
  bool floating;
  uint32_t terms;  ///< bits of mbd_term_t
  mbd_reference_t reference;
} eval_conventions_t;

const char * eval_reference_name(mbd_reference_t reference);

/// \param[in] flexible  flexible links, or NULL: none do
void eval_write_head(
  json_out_t * out, const mbd_model_t * model, const mbd_model_t * flexible,
  const eval_conventions_t * conventions);

/// One state.
/// \param[in] operators  or NULL: not asked for
/// \param[in] stack      or NULL: a single frame, or none
void eval_write_state(
  json_out_t * out, const mbd_model_t * model, const eval_frames_t * frames,
  const eval_result_t * result, const eval_operators_t * operators, const eval_stack_t * stack,
  const eval_derivatives_t * derivatives);
void eval_write_tail(json_out_t * out);

#endif  // EVAL_OUTPUT_H_
