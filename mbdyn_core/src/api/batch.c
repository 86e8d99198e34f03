// Many states: blocks of as many as a vector has elements, dealt out to threads.
#include "mbdyn/dynamics/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraints/embedding_internal.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/forward.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/opspace.h"
#include "model/joint.h"
#include "simd/kernels.h"
#include "simd/simd_args.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "util/arena.h"
#include "util/pool.h"

enum { MOST_THREADS = 1024 };

typedef enum job_kind {
  JOB_INVERSE,
  JOB_BIAS,
  JOB_GRAVITY,
  JOB_MASS,
  JOB_FORWARD,
  JOB_PLACEMENTS,
  JOB_JACOBIAN,
  // those without kernel
  JOB_MASS_INVERSE,
  JOB_JACOBIAN_BIAS,
  JOB_OPERATIONAL_INERTIA,
  JOB_MOMENTUM,
  JOB_INVERSE_DERIVATIVES,
  JOB_FORWARD_DERIVATIVES
} job_kind_t;

// workspace of one thread
typedef struct batch_worker {
  mbd_data_t * data;                  // for states that go one by one, and to name errors
  double *q, *v, *u, *out, *gravity;  // of one block, structures of arrays
  double *general, *S;                // general joints and their motion subspaces
  double * one;                       // of one state: q, v, u, result, something; and its matrix
  void * work;
  mbdi_base_inertia_t * base_inertia;  // or NULL: those of the workspace
  void * memory;
  int failed;
  mbd_status_t status;
} batch_worker_t;

// what a call is about
typedef struct job {
  mbd_batch_t * batch;
  job_kind_t kind;
  int n;
  const double *q, *v, *u;
  double * out;
  size_t width;  // numbers of one result
  // of derivatives: by q (out has them too), by v, mass matrix or its inverse; numbers of each worker
  double *dq, *dv, *M, *work;
  bool soa;   // arrays are structures of arrays
  int parts;  // threads that take part
  mbdi_kernel_frames_t frames;
} job_t;

struct mbd_batch {
  const mbd_model_t * model;
  const mbdi_kernels_t * kernels;  // NULL: none for this model
  mbdi_pool_t * pool;
  int threads, vector_length, failed;
  batch_worker_t * worker;  // [threads]
};

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

// regrouped inertias for the kernels: those of the workspace, or where its engine has none, our own
static const mbdi_base_inertia_t *
base_inertias(const mbdi_plan_t * plan, batch_worker_t * r)
{
  struct mbdi_data * work = r->data->work;
  mbdi_base_inertia_t * M = work->base_inertia ? work->base_inertia : r->base_inertia;
  if (__builtin_expect(!work->base_inertia_ready, 0)) mbdi_base_inertias(plan, r->data->inertia, M);
  work->base_inertia_ready = true;
  return M;
}

// Gravity of all states of a block; not in every call, where the kernel would stall on these stores.
static void
splat_gravity(const mbd_batch_t * batch, batch_worker_t * r)
{
  const int length = batch->vector_length;
  const double g[3] = {r->data->gravity.x, r->data->gravity.y, r->data->gravity.z};
  for (int k = 0; batch->kernels && k < 3; k++) {
    for (int j = 0; j < length; j++) r->gravity[k * length + j] = g[k];
  }
}

// numbers of one state in vectors, from a multiple of the vector length on
static void
scatter(const double * from, int n, int length, int state, double * to)
{
  for (int k = 0; k < n; k++) to[k * length + state] = from[k];
}

// motion subspaces that do not depend on q
static void
constant_subspaces(const mbd_batch_t * batch, batch_worker_t * r)
{
  const mbdi_plan_t * plan = batch->model->internal->plan;
  const int length = batch->vector_length;
  for (int k = 0; batch->kernels && k < plan->ngeneral; k++) {
    const mbd_body_t * body = &batch->model->body[plan->general_body[k]];
    mbd_motion_t S[6];
    mbdi_joint_constant_subspace(body, S);
    for (int state = 0; state < length; state++) {
      scatter(&S->ang.x, 6 * body->nv, length, state, r->S + 6 * body->v_index * length);
    }
  }
}

// one general joint of all states of a block; v: with dS/dt
static __attribute__((noinline)) void
load_general_joint(const mbd_batch_t * batch, batch_worker_t * r, int k, bool with_rate)
{
  const mbd_body_t * body = &batch->model->body[batch->model->internal->plan->general_body[k]];
  const mbdi_joint_ops_t * ops = &mbdi_joint_ops[body->type];
  const int length = batch->vector_length;
  double * to = r->general + k * GENERAL_NUMBERS * length;
  double sine[2][8], cosine[2][8];
  for (int a = 0; a < ops->nangle; a++) {
    const double * x = r->q + (body->q_index + ops->first_angle + a) * length;
    batch->kernels->sincos(length, x, sine[a], cosine[a]);
  }
  bool moves = false;
  for (int state = 0; state < length; state++) {
    const double s[2] = {sine[0][state], sine[1][state]};
    const double c[2] = {cosine[0][state], cosine[1][state]};
    double q[8], v[6];
    mbd_placement_t J;
    mbd_motion_t S[6] = {0}, S_rate[6];
    for (int i = 0; i < body->nq; i++) q[i] = r->q[(body->q_index + i) * length + state];
    ops->local(body, q, s, c, &J, S);
    scatter(J.R.m, 9, length, state, to);
    scatter(&J.p.x, 3, length, state, to + 9 * length);
    if (!ops->moving_subspace) continue;
    scatter(&S->ang.x, 6 * body->nv, length, state, r->S + 6 * body->v_index * length);
    if (!with_rate) continue;
    for (int i = 0; i < body->nv; i++) v[i] = r->v[(body->v_index + i) * length + state];
    moves = mbdi_joint_subspace_rate(body, q, v, S_rate);
    scatter(&S_rate->ang.x, 6 * body->nv, length, state, to + GENERAL_S_RATE * length);
  }
  const int64_t flag = moves;
  memcpy(to + GENERAL_MOVES * length, &flag, sizeof flag);
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
  splat_gravity(batch, r);
  constant_subspaces(batch, r);
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
  const bool fits = plan && plan->simd_supported && plan->depth <= PLAN_DEEPEST;
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
    splat_gravity(batch, &batch->worker[k]);
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

//---------- one state at a time ----------

static mbd_status_t
one_placements(const job_t * job, mbd_data_t * data, mbd_placement_t * X)
{
  for (int k = 0; k < job->frames.n; k++)
    CHECK(mbd_frame_placement(job->batch->model, data, job->frames.index[k], &X[k]));
  return MBD_OK;
}

// at positions, and velocities where there are some
static mbd_status_t
one_in_place(const job_t * job, mbd_data_t * data, double * out)
{
  const mbd_model_t * m = job->batch->model;
  const int frame = job->frames.n > 0 ? job->frames.index[0] : -1;
  const mbd_reference_t reference = job->frames.reference;
  switch (job->kind) {
    case JOB_MASS: return mbd_mass_matrix(m, data, out);
    case JOB_GRAVITY: return mbd_gravity(m, data, out);
    case JOB_BIAS: return mbd_bias(m, data, out);
    case JOB_PLACEMENTS: return one_placements(job, data, (mbd_placement_t *)(void *)out);
    case JOB_JACOBIAN: return mbd_jacobian(m, data, frame, reference, out);
    case JOB_MASS_INVERSE: return mbd_mass_matrix_inverse(m, data, out);
    case JOB_JACOBIAN_BIAS:
      return mbd_jacobian_bias(m, data, frame, reference, (mbd_motion_t *)(void *)out);
    case JOB_OPERATIONAL_INERTIA:
      return mbd_operational_space_inertia(m, data, frame, reference, out, NULL);
    default: return mbd_centroidal_momentum(m, data, (mbd_force_t *)(void *)out);
  }
}

// one state in plain arrays
typedef struct state {
  const double *q, *v, *u;
  double * out;
} state_t;

static mbd_status_t
one_state(const job_t * job, mbd_data_t * data, const state_t * s)
{
  const mbd_model_t * m = job->batch->model;
  switch (job->kind) {
    case JOB_INVERSE: return mbd_inverse_dynamics(m, data, s->q, s->v, s->u, NULL, s->out);
    case JOB_FORWARD: return mbd_forward_dynamics(m, data, s->q, s->v, s->u, NULL, s->out);
    case JOB_MASS_INVERSE:
    case JOB_JACOBIAN_BIAS:
    case JOB_OPERATIONAL_INERTIA:
    case JOB_MOMENTUM:
      CHECK(mbd_set_position(m, data, s->q));
      if (s->v) CHECK(mbd_set_velocity(m, data, s->v));
      return one_in_place(job, data, s->out);
    default: CHECK(mbd_set_state(m, data, s->q, s->v)); return one_in_place(job, data, s->out);
  }
}

// derivatives, for which each worker has its part of the caller's memory
static mbd_status_t
one_derivatives(const job_t * job, const batch_worker_t * r, const state_t * s, size_t i)
{
  const mbd_model_t * m = job->batch->model;
  const size_t matrix = i * (size_t)m->nv * (size_t)m->nv;
  double * work = job->work + (size_t)(r - job->batch->worker) * mbd_derivatives_work(m);
  double *dq = job->dq + matrix, *dv = job->dv + matrix, *M = job->M ? job->M + matrix : NULL;
  if (job->kind == JOB_INVERSE_DERIVATIVES)
    return mbd_inverse_dynamics_derivatives(m, r->data, s->q, s->v, s->u, NULL, work, dq, dv, M);
  return mbd_forward_dynamics_derivatives(
    m, r->data, s->q, s->v, s->u, NULL, work, s->out, dq, dv, M);
}

static mbd_status_t
one_of_arrays(const job_t * job, batch_worker_t * r, int i)
{
  const mbd_model_t * m = job->batch->model;
  const size_t at = (size_t)i, nq = (size_t)m->nq, nv = (size_t)m->nv;
  const state_t s = {
    job->q + at * nq, job->v ? job->v + at * nv : NULL, job->u ? job->u + at * nv : NULL,
    job->out + at * job->width};
  if (job->work) return one_derivatives(job, r, &s, at);
  return one_state(job, r->data, &s);
}

// where the numbers of a state begin in a structure of arrays
static size_t
soa_index(int length, int i, size_t width)
{
  return (size_t)(i - i % length) * width + (size_t)(i % length);
}

// numbers of a state out of a structure of arrays; NULL stays so
static const double *
soa_get(int length, int i, size_t width, const double * from, double * to)
{
  if (!from) return NULL;
  from += soa_index(length, i, width);
  for (size_t k = 0; k < width; k++) to[k] = from[k * (size_t)length];
  return to;
}

static void
soa_put(int length, int i, size_t width, const double * from, double * to)
{
  to += soa_index(length, i, width);
  for (size_t k = 0; k < width; k++) to[k * (size_t)length] = from[k];
}

// element (i, j) of a mass matrix may differ from zero, j <= i: the joint of one carries the other's.
// In an embedded model any two may be of one loop.
static bool
related(const mbd_model_t * model, size_t i, size_t j)
{
  return !model->internal->plan || model->internal->plan->subtree_dof_end[j] > (double)i;
}

// such elements, on or below the diagonal
static void
pack_matrix(const mbd_model_t * model, const double * M, double * packed)
{
  const size_t nv = (size_t)model->nv;
  for (size_t i = 0; i < nv; i++) {
    for (size_t j = 0; j <= i; j++) {
      if (related(model, i, j)) *packed++ = M[i * nv + j];
    }
  }
}

static mbd_status_t
one_of_soa(const job_t * job, batch_worker_t * r, int i)
{
  const mbd_batch_t * batch = job->batch;
  const size_t nq = (size_t)batch->model->nq, nv = (size_t)batch->model->nv;
  const int length = batch->vector_length;
  double * x = r->one;
  const state_t s = {
    soa_get(length, i, nq, job->q, x), soa_get(length, i, nv, job->v, x + nq),
    soa_get(length, i, nv, job->u, x + nq + nv), x + nq + 2 * nv};
  if (job->kind != JOB_MASS) {
    CHECK(one_state(job, r->data, &s));
    soa_put(length, i, job->width, s.out, job->out);
    return MBD_OK;
  }
  CHECK(mbd_set_state(batch->model, r->data, s.q, NULL));
  // with kernels, this is to find out what was wrong with the state
  if (batch->kernels) return MBD_OK;
  CHECK(mbd_mass_matrix(batch->model, r->data, x + nq + 4 * nv));
  pack_matrix(batch->model, x + nq + 4 * nv, job->out + (size_t)i * job->width);
  return MBD_OK;
}

//---------- a block of states ----------

// quaternions of a block to unit length; false if one has none
static bool
normalize(const mbdi_plan_t * plan, double * q, int length)
{
  bool good = true;
  for (int i = 0; i < plan->nquaternion; i++) {
    for (int k = 0; k < length; k++) {
      double * at = q + (size_t)plan->quaternion[i].q * (size_t)length + k;
      double x[4];
      for (int j = 0; j < 4; j++) x[j] = at[j * length];
      good = mbdi_quat_normalize_numbers(x) && good;
      for (int j = 0; j < 4; j++) at[j * length] = x[j];
    }
  }
  return good;
}

// friction of a block added to its torques, state by state
static void
add_friction(const job_t * job, const batch_worker_t * r, double sign, double * torques)
{
  const mbd_model_t * m = job->batch->model;
  const size_t nv = (size_t)m->nv, length = (size_t)job->batch->vector_length;
  double *v = r->one, *friction = r->one + nv;
  if (!(r->data->terms & MBD_TERM_FRICTION)) return;
  for (size_t k = 0; k < length; k++) {
    for (size_t j = 0; j < nv; j++) v[j] = r->v[j * length + k], friction[j] = 0;
    mbdi_add_friction(m, v, sign, friction);
    for (size_t j = 0; j < nv; j++) torques[j * length + k] += friction[j];
  }
}

static mbdi_kernel_t
kernel_of(const mbdi_kernels_t * kernels, const job_t * job)
{
  switch (job->kind) {
    case JOB_INVERSE: return kernels->inverse_dynamics;
    case JOB_BIAS: return kernels->bias;
    case JOB_GRAVITY: return kernels->gravity;
    case JOB_MASS:
      if (job->soa) return kernels->mass_packed;
      return job->batch->model->nv <= PLAN_MATRIX ? kernels->mass_matrix : NULL;
    case JOB_FORWARD: return kernels->forward_dynamics;
    case JOB_PLACEMENTS: return kernels->frame_placements;
    case JOB_JACOBIAN: return kernels->frame_jacobian;
    default: return NULL;
  }
}

// inputs of a block into the worker's memory; false: one is not finite, or a quaternion has zero norm
static bool
load_block(const job_t * job, const mbdi_plan_t * plan, batch_worker_t * r, int first, int count)
{
  const mbd_batch_t * batch = job->batch;
  const mbdi_kernels_t * kernels = batch->kernels;
  const size_t nq = (size_t)plan->nq, nv = (size_t)plan->nv, at = (size_t)first;
  const bool forward = job->kind == JOB_FORWARD;
  bool (*const in)(const double *, size_t, int, void *) =
    job->soa ? kernels->load_soa : kernels->aos_to_soa;
  if (!in(job->q + at * nq, nq, count, r->q)) return false;
  if (job->v && !in(job->v + at * nv, nv, count, r->v)) return false;
  if (job->u && !in(job->u + at * nv, nv, count, r->u)) return false;
  if (!job->u && forward) memset(r->u, 0, nv * (size_t)batch->vector_length * sizeof *r->u);
  if (forward) add_friction(job, r, -1, r->u);
  if (
    plan->nquaternion > 0 && !kernels->unit_quaternions(plan, r->q) &&
    !normalize(plan, r->q, batch->vector_length)) {
    return false;
  }
  for (int k = 0; k < plan->ngeneral; k++) load_general_joint(batch, r, k, job->v != NULL);
  return true;
}

// false: something is wrong with a state of the block
static bool
run_block(const job_t * job, batch_worker_t * r, int first, int count)
{
  const mbd_batch_t * batch = job->batch;
  const mbdi_kernels_t * kernels = batch->kernels;
  const mbdi_kernel_t kernel = kernel_of(kernels, job);
  const mbdi_plan_t * plan = batch->model->internal->plan;
  const double * rotor = r->data->terms & MBD_TERM_ROTORS ? plan->rotor : NULL;
  const bool forward = job->kind == JOB_FORWARD, mass = job->kind == JOB_MASS;
  if (!kernel || (forward && rotor && plan->free_rotor)) return false;
  if (!load_block(job, plan, r, first, count)) return false;
  double * out = job->out + (size_t)first * job->width;
  mbdi_kernel_args_t args;
  args.plan = plan;
  args.base_inertia = base_inertias(plan, r);
  args.rotor = rotor;
  args.gravity = r->gravity;
  args.q = r->q;
  args.v = r->v;
  args.u = job->u || forward ? r->u : NULL;
  args.out = mass ? out : r->out;
  args.work = r->work;
  args.frames = &job->frames;
  args.general = r->general;
  args.S = r->S;
  args.count = count;
  if (!kernel(&args)) return false;
  if (mass) return true;
  if (job->kind == JOB_INVERSE) add_friction(job, r, 1, r->out);
  // nothing is written over inputs that may be needed again
  return (job->soa ? kernels->store_soa : kernels->soa_to_aos)(r->out, job->width, count, out);
}

// the block state by state: for models without kernel, and to find out which state it was
static void
run_block_by_state(const job_t * job, batch_worker_t * r, int first, int count)
{
  bool good = true;
  for (int i = first; i < first + count; i++) {
    const mbd_status_t status = (job->soa ? one_of_soa : one_of_arrays)(job, r, i);
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
    if (single || !run_block(job, r, first, count)) run_block_by_state(job, r, first, count);
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

static mbd_status_t
run_job(job_t * job)
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

// one frame, with a result of so many numbers
static mbd_status_t
run_frame(job_t * job, const int * frame, mbd_reference_t reference, size_t width)
{
  if (!job->batch) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(job->batch->model, *frame, reference));
  job->frames = (mbdi_kernel_frames_t){1, frame, job->batch->model->frame, reference};
  job->width = width;
  return run_job(job);
}

static mbd_status_t
run_matrix(job_t * job)
{
  if (!job->batch) return MBD_ERROR_NULL_ARGUMENT;
  job->width = (size_t)job->batch->model->nv * (size_t)job->batch->model->nv;
  return run_job(job);
}

mbd_status_t
mbd_batch_inverse_dynamics(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * qdd, double * tau)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_INVERSE, .n = n, .q = q, .v = v, .u = qdd, .out = tau};
  return run_job(&job);
}

mbd_status_t
mbd_batch_bias(mbd_batch_t * batch, int n, const double * q, const double * v, double * h)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_BIAS, .n = n, .q = q, .v = v, .out = h};
  return run_job(&job);
}

mbd_status_t
mbd_batch_gravity(mbd_batch_t * batch, int n, const double * q, double * g)
{
  job_t job = {.batch = batch, .kind = JOB_GRAVITY, .n = n, .q = q, .out = g};
  return run_job(&job);
}

mbd_status_t
mbd_batch_forward_dynamics(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * tau, double * qdd)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_FORWARD, .n = n, .q = q, .v = v, .u = tau, .out = qdd};
  return run_job(&job);
}

mbd_status_t
mbd_batch_mass_matrix(mbd_batch_t * batch, int n, const double * q, double * M)
{
  job_t job = {.batch = batch, .kind = JOB_MASS, .n = n, .q = q, .out = M};
  return run_matrix(&job);
}

mbd_status_t
mbd_batch_mass_matrix_inverse(mbd_batch_t * batch, int n, const double * q, double * M_inv)
{
  job_t job = {.batch = batch, .kind = JOB_MASS_INVERSE, .n = n, .q = q, .out = M_inv};
  return run_matrix(&job);
}

mbd_status_t
mbd_batch_frame_placements(
  mbd_batch_t * batch, int n, const double * q, int nframe, const int * frame, mbd_placement_t * X)
{
  if (!batch || !frame) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * m = batch->model;
  if (nframe < 1 || nframe > m->nframe) return MBD_ERROR_BAD_ARGUMENT;
  for (int k = 0; k < nframe; k++) CHECK(check_frame(m, frame[k], MBD_LOCAL));
  job_t job = {.batch = batch, .kind = JOB_PLACEMENTS, .n = n, .q = q, .out = (double *)(void *)X};
  job.frames = (mbdi_kernel_frames_t){nframe, frame, m->frame, MBD_LOCAL};
  job.width = 12 * (size_t)nframe;
  return run_job(&job);
}

mbd_status_t
mbd_batch_jacobian(
  mbd_batch_t * batch, int n, const double * q, int frame, mbd_reference_t reference, double * J)
{
  if (!batch) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_JACOBIAN, .n = n, .q = q, .out = J};
  return run_frame(&job, &frame, reference, 6 * (size_t)batch->model->nv);
}

mbd_status_t
mbd_batch_jacobian_bias(
  mbd_batch_t * batch, int n, const double * q, const double * v, int frame,
  mbd_reference_t reference, mbd_motion_t * bias)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_JACOBIAN_BIAS, .n = n, .q = q, .v = v};
  job.out = (double *)(void *)bias;
  return run_frame(&job, &frame, reference, 6);
}

mbd_status_t
mbd_batch_operational_space_inertia(
  mbd_batch_t * batch, int n, const double * q, int frame, mbd_reference_t reference,
  double * Lambda)
{
  job_t job = {.batch = batch, .kind = JOB_OPERATIONAL_INERTIA, .n = n, .q = q, .out = Lambda};
  return run_frame(&job, &frame, reference, 36);
}

mbd_status_t
mbd_batch_centroidal_momentum(
  mbd_batch_t * batch, int n, const double * q, const double * v, mbd_force_t * momentum)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_MOMENTUM, .n = n, .q = q, .v = v, .width = 6};
  job.out = (double *)(void *)momentum;
  return run_job(&job);
}

mbd_status_t
mbd_batch_inverse_dynamics_derivatives(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * qdd, double * work,
  double * dtau_dq, double * dtau_dv, double * M)
{
  if (!v || !work || !dtau_dq || !dtau_dv) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_INVERSE_DERIVATIVES, .n = n, .q = q, .v = v, .u = qdd};
  job.out = job.dq = dtau_dq;
  job.dv = dtau_dv;
  job.M = M;
  job.work = work;
  return run_job(&job);
}

mbd_status_t
mbd_batch_forward_dynamics_derivatives(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * tau, double * work,
  double * qdd, double * dqdd_dq, double * dqdd_dv, double * M_inv)
{
  if (!v || !work || !dqdd_dq || !dqdd_dv || !M_inv) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_FORWARD_DERIVATIVES, .n = n, .q = q, .v = v, .u = tau};
  job.out = qdd;
  job.dq = dqdd_dq;
  job.dv = dqdd_dv;
  job.M = M_inv;
  job.work = work;
  return run_job(&job);
}

//---------- structures of arrays ----------

size_t
mbd_batch_soa_size(const mbd_batch_t * batch, int n, size_t width)
{
  if (!batch || n <= 0) return 0;
  const size_t length = (size_t)batch->vector_length;
  return ((size_t)n + length - 1) / length * length * width;
}

mbd_status_t
mbd_batch_to_soa(const mbd_batch_t * batch, int n, size_t width, const double * from, double * to)
{
  if (!batch || !from || !to) return MBD_ERROR_NULL_ARGUMENT;
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  const int length = batch->vector_length, whole = (n + length - 1) / length * length;
  for (int i = 0; i < whole; i++) {
    soa_put(length, i, width, from + (size_t)(i < n ? i : n - 1) * width, to);
  }
  return MBD_OK;
}

mbd_status_t
mbd_batch_from_soa(const mbd_batch_t * batch, int n, size_t width, const double * from, double * to)
{
  if (!batch || !from || !to) return MBD_ERROR_NULL_ARGUMENT;
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  for (int i = 0; i < n; i++) soa_get(batch->vector_length, i, width, from, to + (size_t)i * width);
  return MBD_OK;
}

size_t
mbd_batch_mass_numbers(const mbd_batch_t * batch)
{
  if (!batch) return 0;
  const size_t nv = (size_t)batch->model->nv;
  return batch->model->internal->plan ? batch->model->internal->plan->packed_row_begin[nv]
                                      : nv * (nv + 1) / 2;
}

mbd_status_t
mbd_batch_mass_pattern(const mbd_batch_t * batch, int * row, int * column)
{
  if (!batch || !row || !column) return MBD_ERROR_NULL_ARGUMENT;
  for (int i = 0; i < batch->model->nv; i++) {
    for (int j = 0; j <= i; j++) {
      if (related(batch->model, (size_t)i, (size_t)j)) *row++ = i, *column++ = j;
    }
  }
  return MBD_OK;
}

mbd_status_t
mbd_batch_mass_from_soa(const mbd_batch_t * batch, int n, const double * from, double * M)
{
  if (!batch || !from || !M) return MBD_ERROR_NULL_ARGUMENT;
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  const size_t nv = (size_t)batch->model->nv, width = mbd_batch_mass_numbers(batch);
  const size_t length = (size_t)batch->vector_length;
  for (int s = 0; s < n; s++, M += nv * nv) {
    const double * x = from + soa_index(batch->vector_length, s, width);
    for (size_t i = 0; i < nv; i++) {
      for (size_t j = 0; j <= i; j++) {
        const bool carries = related(batch->model, i, j);
        M[i * nv + j] = M[j * nv + i] = carries ? *x : 0;
        if (carries) x += length;
      }
    }
  }
  return MBD_OK;
}

mbd_status_t
mbd_batch_inverse_dynamics_soa(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * qdd, double * tau)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_INVERSE, .n = n, .q = q, .v = v, .u = qdd, .out = tau};
  job.soa = true;
  return run_job(&job);
}

mbd_status_t
mbd_batch_bias_soa(mbd_batch_t * batch, int n, const double * q, const double * v, double * h)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_BIAS, .n = n, .q = q, .v = v, .out = h, .soa = true};
  return run_job(&job);
}

mbd_status_t
mbd_batch_gravity_soa(mbd_batch_t * batch, int n, const double * q, double * g)
{
  job_t job = {.batch = batch, .kind = JOB_GRAVITY, .n = n, .q = q, .out = g, .soa = true};
  return run_job(&job);
}

mbd_status_t
mbd_batch_forward_dynamics_soa(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * tau, double * qdd)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_FORWARD, .n = n, .q = q, .v = v, .u = tau, .out = qdd};
  job.soa = true;
  return run_job(&job);
}

mbd_status_t
mbd_batch_mass_matrix_soa(mbd_batch_t * batch, int n, const double * q, double * M)
{
  if (!batch) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_MASS, .n = n, .q = q, .out = M, .soa = true};
  job.width = mbd_batch_mass_numbers(batch);
  return run_job(&job);
}
