// Batches of states: workspaces, and blocks of as many states as a vector has elements, dealt out to threads.
#include <stdlib.h>
#include <string.h>

#include "api/batch_internal.h"
#include "constraints/embedding_internal.h"
#include "state/state.h"
#include "util/arena.h"

enum { MOST_THREADS = 1024 };

//---------- memory ----------

static size_t
lay_out_worker(const mbd_batch_t * batch, char * base, batch_worker_t * r)
{
  const mbd_model_t * m = batch->model;
  const size_t number = (size_t)batch->vector_length * sizeof(double), nv = (size_t)m->nv;
  const size_t matrix = batch->kernels ? 0 : nv * nv;
  size_t offset = 0;
  r->one = mbdi_arena_take(base, &offset, ((size_t)m->nq + 4 * nv + matrix) * sizeof(double), 1);
  if (!batch->kernels) return offset;
  r->q = mbdi_arena_take(base, &offset, (size_t)m->nq * number, 1);
  r->v = mbdi_arena_take(base, &offset, nv * number, 1);
  r->u = mbdi_arena_take(base, &offset, nv * number, 1);
  r->gravity = mbdi_arena_take(base, &offset, 3 * number, 1);
  const size_t ngeneral = (size_t)m->internal->plan->ngeneral;
  r->general = mbdi_arena_take(base, &offset, ngeneral * GENERAL_NUMBERS * number, 1);
  r->S = mbdi_arena_take(base, &offset, (ngeneral > 0 ? 6 * nv : 0) * number, 1);
  // a Jacobian or placements of all frames; torques are less
  const size_t jacobian = 6 * nv, frames = 12 * (size_t)m->nframe;
  r->out = mbdi_arena_take(base, &offset, (jacobian > frames ? jacobian : frames) * number, 1);
  if (!r->data->work->base_inertia) {
    r->base_inertia = mbdi_arena_take(base, &offset, 2 * (size_t)m->nbody, sizeof *r->base_inertia);
  }
  r->work = mbdi_arena_take(base, &offset, batch->kernels->work(m->internal->plan), 1);
  return offset;
}

static bool
create_worker(const mbd_batch_t * batch, batch_worker_t * r)
{
  if (mbd_data_create(batch->model, &r->data) != MBD_OK) return false;
  const size_t size = lay_out_worker(batch, NULL, r);
  r->memory = calloc(1, size + MBDI_ALIGNMENT);
  if (!r->memory) return false;
  char * base = r->memory;
  lay_out_worker(
    batch, base + (MBDI_ALIGNMENT - (uintptr_t)base % MBDI_ALIGNMENT) % MBDI_ALIGNMENT, r);
  mbdi_batch_splat_gravity(batch, r);
  mbdi_batch_constant_subspaces(batch, r);
  return true;
}

mbd_status_t
mbd_batch_create(const mbd_model_t * model, int threads, mbd_batch_t ** out)
{
  if (!model || !out) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  // drivers that depend on time: states have none
  if (model->internal->embedding && mbdi_embedded_driven(model)) return MBD_ERROR_UNSUPPORTED;
  if (threads < 1 || threads > MOST_THREADS) return MBD_ERROR_BAD_ARGUMENT;
  mbd_batch_t * batch = calloc(1, sizeof *batch);
  if (!batch) return MBD_ERROR_OUT_OF_MEMORY;
  const mbdi_plan_t * plan = model->internal->plan;
  const bool fits =
    plan && plan->simd_supported && model->nelement == 0 && plan->depth <= PLAN_DEEPEST;
  batch->model = model;
  batch->kernels = fits ? mbdi_kernels_batch() : NULL;
  batch->threads = threads;
  batch->vector_length = fits ? batch->kernels->vector_length : 1;
  batch->failed = -1;
  batch->worker = calloc((size_t)threads, sizeof *batch->worker);
  bool good = batch->worker;
  for (int k = 0; good && k < threads; k++) good = create_worker(batch, &batch->worker[k]);
  batch->pool = good ? mbdi_pool_create(threads) : NULL;
  if (!batch->pool) {
    mbd_batch_destroy(batch);
    return MBD_ERROR_OUT_OF_MEMORY;
  }
  *out = batch;
  return MBD_OK;
}

void
mbd_batch_destroy(mbd_batch_t * batch)
{
  if (!batch) return;
  mbdi_pool_destroy(batch->pool);
  for (int k = 0; batch->worker && k < batch->threads; k++) {
    mbd_data_destroy(batch->worker[k].data);
    free(batch->worker[k].memory);
  }
  free(batch->worker);
  free(batch);
}

mbd_status_t
mbd_batch_set_parameters_from(mbd_batch_t * batch, const mbd_data_t * data)
{
  if (!batch || !data) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * m = batch->model;
  if (data->model != m) return MBD_ERROR_MODEL_MISMATCH;
  for (int k = 0; k < batch->threads; k++) {
    mbd_data_t * to = batch->worker[k].data;
    stage_reset(to, 0);
    to->gravity = data->gravity;
    to->terms = data->terms;
    if (m->tree) {
      stage_reset(to->tree, 0);
      to->tree->gravity = data->gravity;
      to->tree->terms = data->terms;
      to->tree->work->base_inertia_ready = false;
      to->work->embedded->blocks = false;
    }
    if (m->flexible) m->internal->engine->inertia_changed(to);
    const size_t bodies = (size_t)mbdi_body_count(m);
    memcpy(to->inertia, data->inertia, bodies * sizeof *to->inertia);
    to->work->base_inertia_ready = false;
    memcpy(to->work->moments, data->work->moments, bodies * sizeof *to->work->moments);
    memcpy(to->payload, data->payload, (size_t)m->nframe * sizeof *to->payload);
    mbdi_batch_splat_gravity(batch, &batch->worker[k]);
  }
  return MBD_OK;
}

int
mbd_batch_vector_length(const mbd_batch_t * batch)
{
  return batch ? batch->vector_length : 0;
}

int
mbd_batch_threads(const mbd_batch_t * batch)
{
  return batch ? batch->threads : 0;
}

int
mbd_batch_failed(const mbd_batch_t * batch)
{
  return batch ? batch->failed : -1;
}

const char *
mbd_batch_kernels(const mbd_batch_t * batch)
{
  return batch && batch->kernels ? batch->kernels->name : "none";
}

//---------- threads ----------

// the block state by state: for models without kernel, and to find out which state it was
static void
run_block_by_state(const job_t * job, batch_worker_t * r, int first, int count)
{
  bool good = true;
  for (int i = first; i < first + count; i++) {
    const mbd_status_t status = (job->soa ? mbdi_batch_state_soa : mbdi_batch_state_aos)(job, r, i);
    good = good && status == MBD_OK;
    if (status == MBD_OK || r->status != MBD_OK) continue;
    r->status = status;
    r->failed = i;
  }
  // states that are fine of themselves, and matrices too large for numbers
  if (!good || r->status != MBD_OK || !job->batch->kernels) return;
  if (!job->soa || job->kind != JOB_MASS) return;
  r->status = MBD_ERROR_NOT_FINITE;
  r->failed = first;
}

static void
run_part(void * context, int part)
{
  const job_t * job = context;
  const mbd_batch_t * batch = job->batch;
  batch_worker_t * r = &batch->worker[part];
  const int length = batch->vector_length, blocks = (job->n + length - 1) / length;
  const int from = (int)((int64_t)blocks * part / job->parts);
  const int to = (int)((int64_t)blocks * (part + 1) / job->parts);
  r->status = MBD_OK;
  r->failed = -1;
  for (int b = from; b < to; b++) {
    const int first = b * length, count = job->n - first < length ? job->n - first : length;
    // a block of one is what the kernels for one state are for; of mass matrices in either layout
    // only batch kernels give the same bits
    const bool single = !batch->kernels || (count == 1 && job->kind != JOB_MASS);
    if (single || !mbdi_batch_run_block(job, r, first, count))
      run_block_by_state(job, r, first, count);
  }
}

// Time of one state [ns] as measured with AVX2, low rather than high: an estimate that is too small
// only leaves threads unused.
static double
time_of_state(const job_t * job)
{
  // of a body
  static const double PER_BODY[] = {
    [JOB_INVERSE] = 6,
    [JOB_BIAS] = 5,
    [JOB_GRAVITY] = 3,
    [JOB_MASS] = 5,
    [JOB_FORWARD] = 10,
    [JOB_PLACEMENTS] = 3,
    [JOB_JACOBIAN] = 5,
    [JOB_MASS_INVERSE] = 30,
    [JOB_JACOBIAN_BIAS] = 20,
    [JOB_MOMENTUM] = 20,
    [JOB_OPERATIONAL_INERTIA] = 40,
    [JOB_INVERSE_DERIVATIVES] = 100,
    [JOB_FORWARD_DERIVATIVES] = 200};
  const mbd_model_t * m = job->batch->model;
  const double per_body = PER_BODY[job->kind];
  if (!m->internal->engine->rigid_tree) return 20 * per_body * m->nbody;
  const bool matrix = job->kind == JOB_MASS || job->kind == JOB_MASS_INVERSE;
  const double squares = matrix ? 0.5 * m->nv * m->nv : 0;
  return squares + (job->batch->kernels ? 1 : 4) * per_body * m->nbody;
}

// Threads that pay: each gets 50 us or more. Two virtual processors are as fast as one from 20 us each
// on.
static int
parts_of(const job_t * job)
{
  const double parts = time_of_state(job) * job->n / 5e4;
  const int most = job->batch->threads;
  return parts < 2 ? 1 : parts < most ? (int)parts : most;
}

mbd_status_t
mbdi_batch_run(job_t * job)
{
  mbd_batch_t * batch = job->batch;
  if (!batch || !job->q || !job->out) return MBD_ERROR_NULL_ARGUMENT;
  if (job->n < 0) return MBD_ERROR_BAD_ARGUMENT;
  const mbd_model_t * m = batch->model;
  if (m->nmimic != 0 && !m->mimic_independent) return MBD_ERROR_MIMIC;
  if (job->width == 0) job->width = (size_t)m->nv;
  batch->failed = -1;
  if (job->n == 0) return MBD_OK;
  job->parts = parts_of(job);
  mbdi_pool_run(batch->pool, job->parts, run_part, job);
  for (int k = 0; k < job->parts; k++) {
    if (batch->worker[k].status == MBD_OK) continue;
    batch->failed = batch->worker[k].failed;
    return batch->worker[k].status;
  }
  return MBD_OK;
}
