/// \file eval_block.h
/// States of `mbdyn eval` a block at a time: what the batch kernels can do at once goes through
/// them, the rest and the text of the results is dealt out to threads. Memory does not grow with the
/// number of states; results do not depend on the number of threads.
///
///   eval_block_create, eval_block_free
///   eval_block_run      a block of the document, in order
#ifndef EVAL_BLOCK_H_
#define EVAL_BLOCK_H_

#include <stdbool.h>

#include "eval_input.h"
#include "eval_worker.h"
#include "json_out.h"
#include "mbdyn/dynamics/batch.h"

/// The states that one thread has of a block.
typedef struct eval_slice {
  eval_worker_t worker;
  char * text;  ///< their results
  size_t size;
  int failed;           ///< first state of the block that failed, or -1
  mbd_status_t status;  ///< why, or MBD_OK: not_finite says it
  const char * not_finite;
} eval_slice_t;

typedef struct eval_block {
  const eval_input_t * input;
  const eval_request_t * request;
  int threads, capacity;
  eval_states_t states;
  mbd_batch_t * batch;  ///< NULL: one state, or a model that no batch takes
  double *tau, *gravity, *bias, *qdd, *M, *jacobian;  ///< of the batch; [capacity] each
  eval_slice_t * slice;                               ///< [threads]
  // while it runs
  size_t first;           ///< number of its first state
  int n;                  ///< states in it
  bool batched;           ///< the batch has computed
  const json_out_t * at;  ///< where results go
} eval_block_t;

/// Memory and threads, no more than the states are worth. False after a message; free it all the
/// same.
/// \param[in] input, request  must outlive the block
bool eval_block_create(
  const eval_input_t * input, const eval_request_t * request, int threads, eval_block_t * block);
void eval_block_free(eval_block_t * block);

/// Evaluate the states from `first` on, as many as fit, and write them. False after a message.
/// \param out   in the list of states; an error of its file is the caller's to see
/// \param next  first state that is left
bool eval_block_run(eval_block_t * block, size_t first, json_out_t * out, size_t * next);

#endif  // EVAL_BLOCK_H_
