/// \file eval_worker.h
/// All that `mbdyn eval` computes and writes for a state, with the memory of one thread.
///
///   eval_request_t                          what was asked for
///   eval_worker_create, eval_worker_free    memory
///   eval_worker_compute                     a state
///   eval_worker_write                       what was computed last
#ifndef EVAL_WORKER_H_
#define EVAL_WORKER_H_

#include <stdbool.h>

#include "eval_derivatives.h"
#include "eval_loops.h"
#include "eval_operators.h"
#include "eval_result.h"
#include "json_out.h"

typedef struct eval_request {
  eval_frames_t frames;
  uint32_t terms;  ///< bits of mbd_term_t
  bool operators, derivatives;
} eval_request_t;

typedef struct eval_worker {
  const eval_request_t * request;
  mbd_data_t * data;
  bool has_stack;  ///< several frames have an operational space together
  eval_result_t result;
  eval_loops_t loops;
  eval_operators_t operators;
  eval_stack_t stack;
  eval_derivatives_t derivatives;
} eval_worker_t;

/// False after a message; free it all the same.
/// \param[in] model, request  must outlive the worker
bool eval_worker_create(
  const mbd_model_t * model, const eval_request_t * request, eval_worker_t * worker);
void eval_worker_free(eval_worker_t * worker);

/// Compute everything for a state; loops are closed in it. On an error mbd_error_joint_name(data) may
/// have the joint.
/// \param[in] batched  what is known already, or NULL: nothing
mbd_status_t eval_worker_compute(
  eval_worker_t * worker, eval_state_t * state, const eval_batched_t * batched);

void eval_worker_write(const eval_worker_t * worker, json_out_t * out);

#endif  // EVAL_WORKER_H_
