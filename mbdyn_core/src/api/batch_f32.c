// Many states in single precision: blocks of as many as a vector has elements, dealt out to threads. What
// the kernels cannot compute goes through a batch in double precision.
#include "mbdyn/dynamics/batch_f32.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/dynamics/batch.h"
#include "mbdyn/jacobian.h"
#include "model/joint.h"
#include "simd/kernels_f32.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "util/arena.h"
#include "util/pool.h"

// states of a block, of the longest vector; threads as in batch.c
enum { MOST_STATES = 16, MOST_THREADS = 1024 };

typedef enum job_kind {
  JOB_INVERSE,
  JOB_BIAS,
  JOB_GRAVITY,
  JOB_MASS,
  JOB_FORWARD,
  JOB_PLACEMENTS,
  JOB_JACOBIAN
} job_kind_t;

// workspace of one thread
typedef struct f32_worker {
  mbd_batch_t * exact;           // in double precision, one thread
  double *q, *v, *u, *out;       // of a block of it, contiguous per state
  float *q32, *v32, *u32, *o32;  // of one block, structures of arrays
  float *general, *S;            // general joints and their motion subspaces
  double *rates, *friction;      // of one state
  void * work;
  void * memory;
  int failed;
  mbd_status_t status;
} f32_worker_t;

struct mbd_batch_f32 {
  const mbd_model_t * model;
  const mbdi_kernels_f32_t * kernels;  // NULL: none for this model
  mbdi_plan_f32_t * plan;
  mbdi_base_inertia_t * inertia;  // [2 nbody] scratch
  mbdi_pool_t * pool;
  unsigned terms;
  int threads, length, failed;
  float * gravity;  // vectors
  void * gravity_memory;
  f32_worker_t * worker;  // [threads]
};

// what a call is about
typedef struct f32_job {
  mbd_batch_f32_t * batch;
  job_kind_t kind;
  bool soa;
  int n, parts;
  const float *q, *v, *u;
  float * out;
  size_t width;
  mbdi_kernel_frames_f32_t frames;
} f32_job_t;

//---------- memory ----------

static size_t
lay_out_f32_worker(const mbd_batch_f32_t * batch, char * base, f32_worker_t * r)
{
  const mbd_model_t * m = batch->model;
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, length = (size_t)batch->length;
  const size_t frames = 12 * (size_t)m->nframe, jacobian = 6 * nv;
  const size_t most = frames > jacobian ? frames : jacobian, number = sizeof(double);
  // matrices go one by one
  const size_t out = length * most > nv * nv ? length * most : nv * nv;
  size_t offset = 0;
  r->q = mbdi_arena_take(base, &offset, length * nq * number, 1);
  r->v = mbdi_arena_take(base, &offset, length * nv * number, 1);
  r->u = mbdi_arena_take(base, &offset, length * nv * number, 1);
  r->out = mbdi_arena_take(base, &offset, out * number, 1);
  if (!batch->kernels) return offset;
  const size_t vector = length * sizeof(float), ngeneral = (size_t)batch->plan->ngeneral;
  r->rates = mbdi_arena_take(base, &offset, nv * number, 1);
  r->friction = mbdi_arena_take(base, &offset, nv * number, 1);
  r->q32 = mbdi_arena_take(base, &offset, nq * vector, 1);
  r->v32 = mbdi_arena_take(base, &offset, nv * vector, 1);
  r->u32 = mbdi_arena_take(base, &offset, nv * vector, 1);
  r->general = mbdi_arena_take(base, &offset, ngeneral * GENERAL_NUMBERS * vector, 1);
  r->S = mbdi_arena_take(base, &offset, (ngeneral > 0 ? 6 * nv : 0) * vector, 1);
  r->o32 = mbdi_arena_take(base, &offset, most * vector, 1);
  r->work = mbdi_arena_take(base, &offset, batch->kernels->work(batch->plan), 1);
  return offset;
}

static char *
aligned(void * memory)
{
  char * base = memory;
  return base + (MBDI_ALIGNMENT - (uintptr_t)base % MBDI_ALIGNMENT) % MBDI_ALIGNMENT;
}

// numbers of one state in vectors
static void
scatter_f32(const double * from, int n, int length, int state, float * to)
{
  for (int k = 0; k < n; k++) to[k * length + state] = (float)from[k];
}

// motion subspaces that do not depend on q
static void
constant_subspaces_f32(const mbd_batch_f32_t * batch, f32_worker_t * r)
{
  const mbdi_plan_t * plan = batch->model->internal->plan;
  for (int k = 0; batch->kernels && k < plan->ngeneral; k++) {
    const mbd_body_t * body = &batch->model->body[plan->general_body[k]];
    mbd_motion_t S[6];
    mbdi_joint_constant_subspace(body, S);
    for (int state = 0; state < batch->length; state++) {
      scatter_f32(
        &S->ang.x, 6 * body->nv, batch->length, state, r->S + 6 * body->v_index * batch->length);
    }
  }
}

static bool
create_f32_worker(const mbd_batch_f32_t * batch, f32_worker_t * r)
{
  if (mbd_batch_create(batch->model, 1, &r->exact) != MBD_OK) return false;
  r->memory = calloc(1, lay_out_f32_worker(batch, NULL, r) + MBDI_ALIGNMENT);
  if (!r->memory) return false;
  lay_out_f32_worker(batch, aligned(r->memory), r);
  constant_subspaces_f32(batch, r);
  return true;
}

static void
set_f32_parameters(mbd_batch_f32_t * batch, const mbd_data_t * data)
{
  const double g[3] = {data->gravity.x, data->gravity.y, data->gravity.z};
  batch->terms = (unsigned)data->terms;
  if (!batch->kernels) return;
  mbdi_base_inertias(batch->model->internal->plan, data->inertia, batch->inertia);
  mbdi_plan_f32_inertias(batch->plan, batch->inertia);
  for (int state = 0; state < batch->length; state++)
    scatter_f32(g, 3, batch->length, state, batch->gravity);
}

// plan and parameters of a new workspace
static bool
create_f32_plan(mbd_batch_f32_t * batch)
{
  const mbd_model_t * m = batch->model;
  if (!batch->kernels) return true;
  batch->plan = mbdi_plan_f32_create(m);
  batch->inertia = calloc(2 * (size_t)m->nbody + 1, sizeof *batch->inertia);
  batch->gravity_memory = calloc(1, 3 * MOST_STATES * sizeof(float) + MBDI_ALIGNMENT);
  mbd_data_t * data = NULL;
  if (!batch->plan || !batch->inertia || !batch->gravity_memory) return false;
  if (mbd_data_create(m, &data) != MBD_OK) return false;
  batch->gravity = (float *)(void *)aligned(batch->gravity_memory);
  set_f32_parameters(batch, data);
  mbd_data_destroy(data);
  return true;
}

mbd_status_t
mbd_batch_f32_create(const mbd_model_t * model, int threads, mbd_batch_f32_t ** out)
{
  if (!out) return MBD_ERROR_NULL_ARGUMENT;
  if (threads < 1 || threads > MOST_THREADS) return MBD_ERROR_BAD_ARGUMENT;
  // checks that the model can be batched
  mbd_batch_t * first = NULL;
  CHECK(mbd_batch_create(model, 1, &first));
  mbd_batch_destroy(first);
  mbd_batch_f32_t * batch = calloc(1, sizeof *batch);
  if (!batch) return MBD_ERROR_OUT_OF_MEMORY;
  const mbdi_plan_t * plan = model->internal->plan;
  const bool fits =
    plan && plan->simd_supported && model->nelement == 0 && plan->depth <= PLAN_DEEPEST;
  batch->model = model;
  batch->kernels = fits ? mbdi_kernels_f32() : NULL;
  batch->length = batch->kernels ? batch->kernels->vector_length : 1;
  batch->threads = threads;
  batch->failed = -1;
  batch->worker = calloc((size_t)threads, sizeof *batch->worker);
  bool good = batch->worker && create_f32_plan(batch);
  for (int k = 0; good && k < threads; k++) good = create_f32_worker(batch, &batch->worker[k]);
  batch->pool = good ? mbdi_pool_create(threads) : NULL;
  if (!batch->pool) {
    mbd_batch_f32_destroy(batch);
    return MBD_ERROR_OUT_OF_MEMORY;
  }
  *out = batch;
  return MBD_OK;
}

void
mbd_batch_f32_destroy(mbd_batch_f32_t * batch)
{
  if (!batch) return;
  mbdi_pool_destroy(batch->pool);
  for (int k = 0; batch->worker && k < batch->threads; k++) {
    mbd_batch_destroy(batch->worker[k].exact);
    free(batch->worker[k].memory);
  }
  free(batch->worker);
  free(batch->plan);
  free(batch->inertia);
  free(batch->gravity_memory);
  free(batch);
}

mbd_status_t
mbd_batch_f32_set_parameters_from(mbd_batch_f32_t * batch, const mbd_data_t * data)
{
  if (!batch || !data) return MBD_ERROR_NULL_ARGUMENT;
  for (int k = 0; k < batch->threads; k++)
    CHECK(mbd_batch_set_parameters_from(batch->worker[k].exact, data));
  set_f32_parameters(batch, data);
  return MBD_OK;
}

int
mbd_batch_f32_vector_length(const mbd_batch_f32_t * batch)
{
  return batch ? batch->length : 0;
}

int
mbd_batch_f32_failed(const mbd_batch_f32_t * batch)
{
  return batch ? batch->failed : -1;
}

const char *
mbd_batch_f32_kernels(const mbd_batch_f32_t * batch)
{
  return batch && batch->kernels ? batch->kernels->name : "none";
}

size_t
mbd_batch_f32_mass_numbers(const mbd_batch_f32_t * batch)
{
  return batch ? mbd_batch_mass_numbers(batch->worker->exact) : 0;
}

mbd_status_t
mbd_batch_f32_mass_pattern(const mbd_batch_f32_t * batch, int * row, int * column)
{
  return batch ? mbd_batch_mass_pattern(batch->worker->exact, row, column)
               : MBD_ERROR_NULL_ARGUMENT;
}

//---------- in double precision ----------

// index of entry k of state i
static size_t
index_f32(const f32_job_t * job, int i, size_t width, size_t k)
{
  const size_t at = (size_t)i, length = (size_t)job->batch->length;
  return job->soa ? (at / length * width + k) * length + at % length : at * width + k;
}

// states to doubles; NULL of NULL
static const double *
widen(const f32_job_t * job, int first, int count, int width, const float * from, double * to)
{
  if (!from) return NULL;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < width; k++)
      to[i * width + k] = (double)from[index_f32(job, first + i, (size_t)width, (size_t)k)];
  }
  return to;
}

static mbd_status_t
run_exact(
  const f32_job_t * job, f32_worker_t * r, int count, const double * q, const double * v,
  const double * u)
{
  const int * frame = job->frames.index;
  switch (job->kind) {
    case JOB_INVERSE: return mbd_batch_inverse_dynamics(r->exact, count, q, v, u, r->out);
    case JOB_BIAS: return mbd_batch_bias(r->exact, count, q, v, r->out);
    case JOB_GRAVITY: return mbd_batch_gravity(r->exact, count, q, r->out);
    case JOB_MASS: return mbd_batch_mass_matrix(r->exact, count, q, r->out);
    case JOB_FORWARD: return mbd_batch_forward_dynamics(r->exact, count, q, v, u, r->out);
    case JOB_PLACEMENTS:
      return mbd_batch_frame_placements(
        r->exact, count, q, job->frames.n, frame, (mbd_placement_t *)(void *)r->out);
    default: return mbd_batch_jacobian(r->exact, count, q, *frame, job->frames.reference, r->out);
  }
}

// the first of n numbers of r->out that is too large for a float, or -1
static int
too_large(const double * x, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    if (!(fabs(x[k]) < 3.4028235677973366e38)) return (int)k;
  }
  return -1;
}

// entry (i, j), j <= i, of a mass matrix may differ from zero
static bool
related_f32(const mbd_model_t * model, size_t i, size_t j)
{
  return !model->internal->plan || model->internal->plan->subtree_dof_end[j] > (double)i;
}

static void
narrow_packed(const f32_job_t * job, int i, const double * M)
{
  const size_t nv = (size_t)job->batch->model->nv;
  size_t at = 0;
  for (size_t r = 0; r < nv; r++) {
    for (size_t c = 0; c <= r; c++) {
      if (related_f32(job->batch->model, r, c))
        job->out[index_f32(job, i, job->width, at++)] = (float)M[r * nv + c];
    }
  }
}

// a block of at most the vector length; matrices one by one
static void
run_block_exact(const f32_job_t * job, f32_worker_t * r, int first, int count)
{
  const mbd_model_t * m = job->batch->model;
  const bool packed = job->kind == JOB_MASS && job->soa;
  const size_t width = packed ? (size_t)m->nv * (size_t)m->nv : job->width;
  const double * q = widen(job, first, count, m->nq, job->q, r->q);
  const double * v = widen(job, first, count, m->nv, job->v, r->v);
  const double * u = widen(job, first, count, m->nv, job->u, r->u);
  mbd_status_t status = run_exact(job, r, count, q, v, u);
  int failed = status == MBD_OK ? -1 : first + mbd_batch_failed(r->exact);
  const int large = status == MBD_OK ? too_large(r->out, (size_t)count * width) : -1;
  if (large >= 0) {
    status = MBD_ERROR_NOT_FINITE;
    failed = first + large / (int)width;
  }
  if (status != MBD_OK) {
    if (r->status == MBD_OK) r->status = status, r->failed = failed;
    return;
  }
  for (int i = 0; i < count; i++) {
    if (packed) {
      narrow_packed(job, first + i, r->out + (size_t)i * width);
      continue;
    }
    for (size_t k = 0; k < width; k++)
      job->out[index_f32(job, first + i, width, k)] = (float)r->out[(size_t)i * width + k];
  }
}

//---------- a block of states ----------

// one general joint of all states of a block
static void
load_general_f32(const mbd_batch_f32_t * batch, f32_worker_t * r, int k, bool with_rate)
{
  const mbd_body_t * body = &batch->model->body[batch->model->internal->plan->general_body[k]];
  const mbdi_joint_ops_t * ops = &mbdi_joint_ops[body->type];
  const int length = batch->length;
  float * to = r->general + k * GENERAL_NUMBERS * length;
  bool moves = false;
  for (int state = 0; state < length; state++) {
    double q[8], v[6], s[2] = {0}, c[2] = {0};
    mbd_placement_t J;
    mbd_motion_t S[6] = {0}, S_rate[6];
    for (int i = 0; i < body->nq; i++) q[i] = (double)r->q32[(body->q_index + i) * length + state];
    for (int a = 0; a < ops->nangle; a++) {
      s[a] = sin(q[ops->first_angle + a]);
      c[a] = cos(q[ops->first_angle + a]);
    }
    ops->local(body, q, s, c, &J, S);
    scatter_f32(J.R.m, 9, length, state, to);
    scatter_f32(&J.p.x, 3, length, state, to + 9 * length);
    if (!ops->moving_subspace) continue;
    scatter_f32(&S->ang.x, 6 * body->nv, length, state, r->S + 6 * body->v_index * length);
    if (!with_rate) continue;
    for (int i = 0; i < body->nv; i++) v[i] = (double)r->v32[(body->v_index + i) * length + state];
    moves = mbdi_joint_subspace_rate(body, q, v, S_rate);
    scatter_f32(&S_rate->ang.x, 6 * body->nv, length, state, to + GENERAL_S_RATE * length);
  }
  const int64_t flag = moves;
  memcpy(to + GENERAL_MOVES * length, &flag, sizeof flag);
}

// friction of a block added to its torques
static void
add_friction_f32(
  const mbd_batch_f32_t * batch, const f32_worker_t * r, double sign, float * torques)
{
  const int nv = batch->model->nv, length = batch->length;
  if (!(batch->terms & MBD_TERM_FRICTION)) return;
  for (int k = 0; k < length; k++) {
    for (int j = 0; j < nv; j++) {
      r->rates[j] = (double)r->v32[j * length + k];
      r->friction[j] = 0;
    }
    mbdi_add_friction(batch->model, r->rates, sign, r->friction);
    for (int j = 0; j < nv; j++) torques[j * length + k] += (float)r->friction[j];
  }
}

static mbdi_kernel_f32_t
kernel_f32(const f32_job_t * job)
{
  const mbdi_kernels_f32_t * kernels = job->batch->kernels;
  switch (job->kind) {
    case JOB_INVERSE: return kernels->inverse_dynamics;
    case JOB_BIAS: return kernels->bias;
    case JOB_GRAVITY: return kernels->gravity;
    case JOB_MASS:
      if (job->soa) return kernels->mass_packed;
      return job->batch->model->nv <= PLAN_MATRIX_F32 ? kernels->mass_matrix : NULL;
    case JOB_FORWARD: return kernels->forward_dynamics;
    case JOB_PLACEMENTS: return kernels->frame_placements;
    default: return kernels->frame_jacobian;
  }
}

// inputs of a block; false: one is not finite, or a quaternion has no direction in single precision
static bool
load_f32(const f32_job_t * job, f32_worker_t * r, int first, int count)
{
  const mbd_batch_f32_t * batch = job->batch;
  const mbdi_kernels_f32_t * kernels = batch->kernels;
  const size_t nq = (size_t)batch->plan->nq, nv = (size_t)batch->plan->nv, at = (size_t)first;
  const bool forward = job->kind == JOB_FORWARD;
  bool (*const in)(const float *, size_t, int, void *) =
    job->soa ? kernels->load_soa : kernels->aos_to_soa;
  if (!in(job->q + at * nq, nq, count, r->q32)) return false;
  if (job->v && !in(job->v + at * nv, nv, count, r->v32)) return false;
  if (job->u && !in(job->u + at * nv, nv, count, r->u32)) return false;
  if (!job->u && forward) memset(r->u32, 0, nv * (size_t)batch->length * sizeof *r->u32);
  if (forward) add_friction_f32(batch, r, -1, r->u32);
  if (batch->plan->nquaternion > 0 && !kernels->unit_quaternions(batch->plan, r->q32)) return false;
  for (int k = 0; k < batch->plan->ngeneral; k++) load_general_f32(batch, r, k, job->v != NULL);
  return true;
}

// false: the block is left to double precision
static bool
run_block_f32(const f32_job_t * job, f32_worker_t * r, int first, int count)
{
  const mbd_batch_f32_t * batch = job->batch;
  const mbdi_kernels_f32_t * kernels = batch->kernels;
  const mbdi_kernel_f32_t kernel = kernel_f32(job);
  const bool rotors = batch->terms & MBD_TERM_ROTORS, forward = job->kind == JOB_FORWARD;
  const bool mass = job->kind == JOB_MASS;
  if (!kernel || (forward && rotors && batch->model->internal->plan->free_rotor)) return false;
  if (!load_f32(job, r, first, count)) return false;
  float * out = job->out + (size_t)first * job->width;
  const mbdi_kernel_args_f32_t args = {
    .plan = batch->plan,
    .base_inertia = batch->plan->base_inertia,
    .rotor = rotors ? batch->plan->rotor : NULL,
    .gravity = batch->gravity,
    .q = r->q32,
    .v = r->v32,
    .u = job->u || forward ? r->u32 : NULL,
    .out = mass ? out : r->o32,
    .work = r->work,
    .frames = &job->frames,
    .general = r->general,
    .S = r->S,
    .count = count};
  if (!kernel(&args)) return false;
  if (mass) return true;
  if (job->kind == JOB_INVERSE) add_friction_f32(batch, r, 1, r->o32);
  return (job->soa ? kernels->store_soa : kernels->soa_to_aos)(r->o32, job->width, count, out);
}

static void
run_f32_part(void * context, int part)
{
  const f32_job_t * job = context;
  const mbd_batch_f32_t * batch = job->batch;
  f32_worker_t * r = &batch->worker[part];
  const int length = batch->length, blocks = (job->n + length - 1) / length;
  const int from = (int)((int64_t)blocks * part / job->parts);
  const int to = (int)((int64_t)blocks * (part + 1) / job->parts);
  r->status = MBD_OK;
  r->failed = -1;
  for (int b = from; b < to; b++) {
    const int first = b * length, count = job->n - first < length ? job->n - first : length;
    if (batch->kernels && run_block_f32(job, r, first, count)) continue;
    if (job->kind != JOB_MASS) {
      run_block_exact(job, r, first, count);
      continue;
    }
    for (int i = first; i < first + count; i++) run_block_exact(job, r, i, 1);
  }
}

// Threads that pay: 50 us or more for each, see batch.c. Half the time of a state in double precision.
static int
f32_parts(const f32_job_t * job)
{
  static const double PER_BODY[] = {
    [JOB_INVERSE] = 3, [JOB_BIAS] = 2.5,       [JOB_GRAVITY] = 1.5, [JOB_MASS] = 2.5,
    [JOB_FORWARD] = 5, [JOB_PLACEMENTS] = 1.5, [JOB_JACOBIAN] = 2.5};
  const mbd_model_t * m = job->batch->model;
  const double squares = job->kind == JOB_MASS ? 0.25 * m->nv * m->nv : 0;
  const double time = squares + (job->batch->kernels ? 1 : 20) * PER_BODY[job->kind] * m->nbody;
  const double parts = time * job->n / 5e4;
  return parts < 2 ? 1 : parts < job->batch->threads ? (int)parts : job->batch->threads;
}

static mbd_status_t
run_f32(f32_job_t * job)
{
  mbd_batch_f32_t * batch = job->batch;
  if (!batch || !job->q || !job->out) return MBD_ERROR_NULL_ARGUMENT;
  if (job->n < 0) return MBD_ERROR_BAD_ARGUMENT;
  const mbd_model_t * m = batch->model;
  if (m->nmimic != 0 && !m->mimic_independent) return MBD_ERROR_MIMIC;
  if (job->width == 0) job->width = (size_t)m->nv;
  batch->failed = -1;
  if (job->n == 0) return MBD_OK;
  job->parts = f32_parts(job);
  mbdi_pool_run(batch->pool, job->parts, run_f32_part, job);
  for (int k = 0; k < job->parts; k++) {
    if (batch->worker[k].status == MBD_OK) continue;
    batch->failed = batch->worker[k].failed;
    return batch->worker[k].status;
  }
  return MBD_OK;
}

//---------- functions ----------

mbd_status_t
mbd_batch_f32_inverse_dynamics(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, const float * qdd, float * tau)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  f32_job_t job = {
    .batch = batch, .kind = JOB_INVERSE, .n = n, .q = q, .v = v, .u = qdd, .out = tau};
  return run_f32(&job);
}

mbd_status_t
mbd_batch_f32_bias(mbd_batch_f32_t * batch, int n, const float * q, const float * v, float * h)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  f32_job_t job = {.batch = batch, .kind = JOB_BIAS, .n = n, .q = q, .v = v, .out = h};
  return run_f32(&job);
}

mbd_status_t
mbd_batch_f32_gravity(mbd_batch_f32_t * batch, int n, const float * q, float * g)
{
  f32_job_t job = {.batch = batch, .kind = JOB_GRAVITY, .n = n, .q = q, .out = g};
  return run_f32(&job);
}

mbd_status_t
mbd_batch_f32_forward_dynamics(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, const float * tau, float * qdd)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  f32_job_t job = {
    .batch = batch, .kind = JOB_FORWARD, .n = n, .q = q, .v = v, .u = tau, .out = qdd};
  return run_f32(&job);
}

mbd_status_t
mbd_batch_f32_mass_matrix(mbd_batch_f32_t * batch, int n, const float * q, float * M)
{
  if (!batch) return MBD_ERROR_NULL_ARGUMENT;
  f32_job_t job = {.batch = batch, .kind = JOB_MASS, .n = n, .q = q, .out = M};
  job.width = (size_t)batch->model->nv * (size_t)batch->model->nv;
  return run_f32(&job);
}

mbd_status_t
mbd_batch_f32_frame_placements(
  mbd_batch_f32_t * batch, int n, const float * q, int nframe, const int * frame, float * X)
{
  if (!batch || !frame) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * m = batch->model;
  if (nframe < 1 || nframe > m->nframe) return MBD_ERROR_BAD_ARGUMENT;
  for (int k = 0; k < nframe; k++) CHECK(check_frame(m, frame[k], MBD_LOCAL));
  f32_job_t job = {.batch = batch, .kind = JOB_PLACEMENTS, .n = n, .q = q, .out = X};
  job.frames =
    (mbdi_kernel_frames_f32_t){nframe, frame, batch->plan ? batch->plan->frame : NULL, MBD_LOCAL};
  job.width = 12 * (size_t)nframe;
  return run_f32(&job);
}

mbd_status_t
mbd_batch_f32_jacobian(
  mbd_batch_f32_t * batch, int n, const float * q, int frame, mbd_reference_t reference, float * J)
{
  if (!batch) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(batch->model, frame, reference));
  f32_job_t job = {.batch = batch, .kind = JOB_JACOBIAN, .n = n, .q = q, .out = J};
  job.frames =
    (mbdi_kernel_frames_f32_t){1, &frame, batch->plan ? batch->plan->frame : NULL, reference};
  job.width = 6 * (size_t)batch->model->nv;
  return run_f32(&job);
}

//---------- structures of arrays ----------

mbd_status_t
mbd_batch_f32_inverse_dynamics_soa(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, const float * qdd, float * tau)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  f32_job_t job = {
    .batch = batch, .kind = JOB_INVERSE, .n = n, .q = q, .v = v, .u = qdd, .out = tau};
  job.soa = true;
  return run_f32(&job);
}

mbd_status_t
mbd_batch_f32_bias_soa(mbd_batch_f32_t * batch, int n, const float * q, const float * v, float * h)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  f32_job_t job = {.batch = batch, .kind = JOB_BIAS, .soa = true, .n = n, .q = q, .v = v, .out = h};
  return run_f32(&job);
}

mbd_status_t
mbd_batch_f32_gravity_soa(mbd_batch_f32_t * batch, int n, const float * q, float * g)
{
  f32_job_t job = {.batch = batch, .kind = JOB_GRAVITY, .soa = true, .n = n, .q = q, .out = g};
  return run_f32(&job);
}

mbd_status_t
mbd_batch_f32_forward_dynamics_soa(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, const float * tau, float * qdd)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  f32_job_t job = {
    .batch = batch, .kind = JOB_FORWARD, .n = n, .q = q, .v = v, .u = tau, .out = qdd};
  job.soa = true;
  return run_f32(&job);
}

mbd_status_t
mbd_batch_f32_mass_matrix_soa(mbd_batch_f32_t * batch, int n, const float * q, float * M)
{
  if (!batch) return MBD_ERROR_NULL_ARGUMENT;
  f32_job_t job = {.batch = batch, .kind = JOB_MASS, .soa = true, .n = n, .q = q, .out = M};
  job.width = mbd_batch_f32_mass_numbers(batch);
  return run_f32(&job);
}

size_t
mbd_batch_f32_soa_size(const mbd_batch_f32_t * batch, int n, size_t width)
{
  if (!batch || n <= 0) return 0;
  const size_t length = (size_t)batch->length;
  return ((size_t)n + length - 1) / length * length * width;
}

mbd_status_t
mbd_batch_f32_to_soa(
  const mbd_batch_f32_t * batch, int n, size_t width, const float * from, float * to)
{
  if (!batch || !from || !to) return MBD_ERROR_NULL_ARGUMENT;
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  const size_t length = (size_t)batch->length, states = (size_t)n;
  const size_t whole = (states + length - 1) / length * length;
  for (size_t i = 0; i < whole; i++) {
    const float * state = from + (i < states ? i : states - 1) * width;
    for (size_t k = 0; k < width; k++)
      to[(i / length * width + k) * length + i % length] = state[k];
  }
  return MBD_OK;
}

mbd_status_t
mbd_batch_f32_from_soa(
  const mbd_batch_f32_t * batch, int n, size_t width, const float * from, float * to)
{
  if (!batch || !from || !to) return MBD_ERROR_NULL_ARGUMENT;
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  const size_t length = (size_t)batch->length;
  for (size_t i = 0; i < (size_t)n; i++) {
    for (size_t k = 0; k < width; k++)
      to[i * width + k] = from[(i / length * width + k) * length + i % length];
  }
  return MBD_OK;
}
