// All that `mbdyn eval` computes and writes for a state, with the memory of one thread.
#include "eval_worker.h"

#include <stdio.h>

#include "eval_output.h"
#include "return_if_error.h"

bool
eval_worker_create(const mbd_model_t * model, const eval_request_t * request, eval_worker_t * w)
{
  *w = (eval_worker_t){.request = request, .has_stack = request->frames.n > 1};
  mbd_status_t status = mbd_data_create(model, &w->data);
  if (status == MBD_OK) status = mbd_set_terms(w->data, request->terms);
  if (status != MBD_OK) {
    fprintf(stderr, "mbdyn eval: %s\n", mbd_status_string(status));
    return false;
  }
  const bool made = eval_result_create(model, request->frames.n, &w->result) &&
                    (!w->has_stack || eval_stack_create(model, &request->frames, &w->stack)) &&
                    (!request->operators || eval_operators_create(model, &w->operators)) &&
                    (!request->derivatives || eval_derivatives_create(model, &w->derivatives)) &&
                    (!model->tree || eval_loops_create(model, &w->loops));
  if (model->tree) w->result.loops = &w->loops;
  return made;
}

void
eval_worker_free(eval_worker_t * w)
{
  eval_result_free(&w->result);
  eval_operators_free(&w->operators);
  eval_loops_free(&w->loops);
  eval_derivatives_free(&w->derivatives);
  eval_stack_free(&w->stack);
  mbd_data_destroy(w->data);
}

mbd_status_t
eval_worker_compute(eval_worker_t * w, eval_state_t * state, const eval_batched_t * batched)
{
  if (w->result.loops) RETURN_IF_ERROR(eval_loops_close(w->data->model, w->result.loops, state));
  RETURN_IF_ERROR(eval_compute(&w->request->frames, w->data, state, batched, &w->result));
  if (w->has_stack) RETURN_IF_ERROR(eval_stack_compute(w->data, &w->stack));
  if (w->request->operators) RETURN_IF_ERROR(eval_operators_compute(w->data, &w->operators));
  if (w->request->derivatives)
    RETURN_IF_ERROR(eval_derivatives_compute(w->data, state, &w->derivatives));
  return MBD_OK;
}

void
eval_worker_write(const eval_worker_t * w, json_out_t * out)
{
  eval_write_state(
    out, w->data->model, &w->request->frames, &w->result,
    w->request->operators ? &w->operators : NULL, w->has_stack ? &w->stack : NULL,
    w->request->derivatives ? &w->derivatives : NULL);
}
