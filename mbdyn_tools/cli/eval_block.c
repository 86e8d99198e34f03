// States of `mbdyn eval` a block at a time, through the batch and through threads.
#include "eval_block.h"

#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/dynamics/batch.h"
#include "return_if_error.h"
#include "threads.h"

enum {
  MOST_STATES = 512,       // in a block
  MOST_NUMBERS = 1 << 19,  // in a block: 4 MB
  WORTH_A_THREAD = 8,      // states
};

//---------- memory ----------

// numbers that a state takes in a block
static size_t
numbers_of_state(const mbd_model_t * m, int nframe)
{
  const size_t nv = (size_t)m->nv, wrench = sizeof(mbd_wrench_t) / sizeof(double);
  return (size_t)m->nq + 7 * nv + nv * nv + 6 * nv * (size_t)nframe + wrench * (size_t)m->nframe +
         1;
}

static bool
out_of_memory(void)
{
  fputs("mbdyn eval: out of memory\n", stderr);
  return false;
}

// one state goes its own way, as do robots with loops
static bool
make_batch(eval_block_t * b)
{
  const mbd_model_t * m = b->input->model;
  const size_t nv = (size_t)m->nv, capacity = (size_t)b->capacity,
               nframe = (size_t)b->request->frames.n;
  if (b->capacity == 1 || m->tree || mbd_batch_create(m, b->threads, &b->batch) != MBD_OK)
    return true;
  if (mbd_batch_set_parameters_from(b->batch, b->slice[0].worker.data) != MBD_OK) return false;
  double * x = calloc(capacity * (4 * nv + nv * nv + 6 * nv * nframe) + 1, sizeof *x);
  b->tau = x;
  if (!x) return out_of_memory();
  b->gravity = x + capacity * nv;
  b->bias = x + 2 * capacity * nv;
  b->qdd = x + 3 * capacity * nv;
  b->M = x + 4 * capacity * nv;
  b->jacobian = b->M + capacity * nv * nv;
  return true;
}

bool
eval_block_create(
  const eval_input_t * input, const eval_request_t * request, int threads, eval_block_t * b)
{
  const size_t fit = MOST_NUMBERS / numbers_of_state(input->model, request->frames.n);
  size_t capacity = fit < 1 ? 1 : fit > MOST_STATES ? MOST_STATES : fit;
  if (capacity > input->nstate) capacity = input->nstate > 0 ? input->nstate : 1;
  const int worth = (int)(capacity + WORTH_A_THREAD - 1) / WORTH_A_THREAD;
  *b = (eval_block_t){.input = input, .request = request, .capacity = (int)capacity};
  b->threads = threads < worth ? threads : worth;
  b->slice = calloc((size_t)b->threads, sizeof *b->slice);
  if (!b->slice) return out_of_memory();
  for (int k = 0; k < b->threads; k++) {
    if (!eval_worker_create(input->model, request, &b->slice[k].worker)) return false;
  }
  return eval_states_create(input, b->capacity, &b->states) && make_batch(b);
}

void
eval_block_free(eval_block_t * b)
{
  for (int k = 0; b->slice && k < b->threads; k++) eval_worker_free(&b->slice[k].worker);
  free(b->slice);
  eval_states_free(&b->states);
  mbd_batch_destroy(b->batch);
  free(b->tau);  // and all behind it
}

//---------- the batch ----------

static mbd_status_t
compute_batched(eval_block_t * b)
{
  const eval_states_t * s = &b->states;
  const eval_frames_t * frames = &b->request->frames;
  const size_t jacobians = (size_t)b->capacity * 6 * (size_t)b->input->model->nv;
  RETURN_IF_ERROR(mbd_batch_inverse_dynamics(b->batch, b->n, s->q, s->v, s->a, b->tau));
  RETURN_IF_ERROR(mbd_batch_gravity(b->batch, b->n, s->q, b->gravity));
  RETURN_IF_ERROR(mbd_batch_bias(b->batch, b->n, s->q, s->v, b->bias));
  RETURN_IF_ERROR(mbd_batch_forward_dynamics(b->batch, b->n, s->q, s->v, s->tau, b->qdd));
  RETURN_IF_ERROR(mbd_batch_mass_matrix(b->batch, b->n, s->q, b->M));
  for (int f = 0; f < frames->n; f++) {
    double * J = b->jacobian + (size_t)f * jacobians;
    RETURN_IF_ERROR(
      mbd_batch_jacobian(b->batch, b->n, s->q, frames->frame[f], frames->reference, J));
  }
  return MBD_OK;
}

static eval_batched_t
batched_of(const eval_block_t * b, int i)
{
  const size_t at = (size_t)i, nv = (size_t)b->input->model->nv;
  return (eval_batched_t){
    .tau = b->tau + at * nv,
    .gravity = b->gravity + at * nv,
    .bias = b->bias + at * nv,
    .qdd = b->qdd + at * nv,
    .M = b->M + at * nv * nv,
    .jacobian = b->jacobian + at * 6 * nv,
    .next_jacobian = (size_t)b->capacity * 6 * nv};
}

//---------- the rest, and the text ----------

static bool
run_state(const eval_block_t * b, eval_slice_t * slice, int i, json_out_t * out)
{
  eval_batched_t batched;
  if (b->batched) batched = batched_of(b, i);
  slice->status =
    eval_worker_compute(&slice->worker, &b->states.state[i], b->batched ? &batched : NULL);
  if (slice->status == MBD_OK) eval_worker_write(&slice->worker, out);
  slice->not_finite = out->not_finite;
  if (slice->status == MBD_OK && !slice->not_finite) return true;
  slice->failed = i;
  return false;
}

static void
run_slice(void * context, int part)
{
  const eval_block_t * b = context;
  eval_slice_t * slice = &b->slice[part];
  const int from = (int)((int64_t)b->n * part / b->threads);
  const int to = (int)((int64_t)b->n * (part + 1) / b->threads);
  slice->failed = -1;
  json_out_t out = *b->at;
  out.first = b->first + (size_t)from == 0;
  out.file = open_memstream(&slice->text, &slice->size);
  if (!out.file) slice->failed = from, slice->status = MBD_ERROR_OUT_OF_MEMORY;
  for (int i = from; i < to && slice->failed < 0; i++) {
    if (!run_state(b, slice, i, &out)) break;
  }
  if (!out.file) return;
  const bool whole = !ferror(out.file), kept = fclose(out.file) == 0 && whole;
  if (!kept && slice->failed < 0) slice->failed = from, slice->status = MBD_ERROR_OUT_OF_MEMORY;
}

//---------- a block ----------

static bool
report_failed_state(const eval_block_t * b, const eval_slice_t * slice)
{
  const char * joint = mbd_error_joint_name(slice->worker.data);
  const size_t index = b->first + (size_t)slice->failed;
  fprintf(stderr, "%s: states[%zu]: ", b->input->source, index);
  if (slice->status == MBD_OK) {
    fprintf(
      stderr, "%s is not finite; the numbers of this state are too large\n", slice->not_finite);
    return false;
  }
  if (joint) fprintf(stderr, "joint '%s': ", joint);
  fprintf(stderr, "%s (%s)\n", mbd_status_string(slice->status), mbd_status_name(slice->status));
  return false;
}

// in order; the first that failed is the one to name
static bool
hand_out(eval_block_t * b, json_out_t * out)
{
  bool good = true;
  for (int k = 0; k < b->threads; k++) {
    eval_slice_t * slice = &b->slice[k];
    if (good && slice->failed >= 0) good = report_failed_state(b, slice);
    if (good) fwrite(slice->text, 1, slice->size, out->file);
    free(slice->text);
    slice->text = NULL;
    slice->size = 0;
  }
  if (b->n > 0) out->first = false;
  return good;
}

bool
eval_block_run(eval_block_t * b, size_t first, json_out_t * out, size_t * next)
{
  const size_t left = b->input->nstate - first;
  b->first = first;
  b->at = out;
  b->n = left < (size_t)b->capacity ? (int)left : b->capacity;
  for (int i = 0; i < b->n; i++) {
    if (!eval_input_state(b->input, first + (size_t)i, &b->states.state[i])) return false;
  }
  // where a state is wrong, the other way names what
  b->batched = b->batch && compute_batched(b) == MBD_OK;
  threads_run(b->threads, run_slice, b);
  *next = first + (size_t)b->n;
  return hand_out(b, out);
}
