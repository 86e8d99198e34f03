// Batches of states in single precision. What the kernels cannot compute goes through a batch in double
// precision.
#include "mbdyn/dynamics/batch_f32.h"

#include "api/batch_internal.h"
#include "mbdyn/dynamics/derivatives.h"
#include "simd/kernels_f32.h"

#define BATCH(name)            mbd_batch_f32_##name
#define BATCH_T                mbd_batch_f32_t
#define BATCH_STRUCT           mbd_batch_f32
#define NUMBER                 float
#define PLAN_T                 mbdi_plan_f32_t
#define KERNELS_T              mbdi_kernels_f32_t
#define KERNELS()              mbdi_kernels_f32()
#define KERNEL_T               mbdi_kernel_f32_t
#define KERNEL_ARGS_T          mbdi_kernel_args_f32_t
#define KERNEL_FRAMES_T        mbdi_kernel_frames_f32_t
#define BASE_INERTIA(batch, r) (batch)->plan->base_inertia
#define FRAMES(batch)          ((batch)->plan ? (batch)->plan->frame : NULL)
#define FRAME_T                mbdi_frame_f32_t
#define DERIVATIVES(model)     mbdi_derivative_kernels_f32(model)

#include "api/batch.inc"

//---------- workspaces ----------

static bool
create_plan(mbd_batch_f32_t * batch)
{
  batch->plan = mbdi_plan_f32_create(batch->model);
  return batch->plan;
}

static void
destroy_plan(mbd_batch_f32_t * batch)
{
  free(batch->plan);
}

static bool
create_data(const mbd_batch_f32_t * batch, worker_t * r)
{
  if (mbd_batch_create(batch->model, 1, &r->exact) != MBD_OK) return false;
  r->data = mbdi_batch_data(r->exact);
  return true;
}

static void
destroy_data(worker_t * r)
{
  mbd_batch_destroy(r->exact);
}

// q, v, u and results of a block in double precision; matrices go one by one
static size_t
scratch_numbers(const mbd_batch_f32_t * batch)
{
  const size_t nv = (size_t)batch->model->nv, length = (size_t)batch->vector_length;
  const size_t most = length * mbdi_batch_numbers(batch->model);
  return length * ((size_t)batch->model->nq + 2 * nv) + (most > nv * nv ? most : nv * nv);
}

// rounded, in the plan that all workers share
static void
copy_inertias(const mbd_batch_f32_t * batch, worker_t * r)
{
  mbdi_plan_f32_inertias(batch->plan, base_inertias(batch->model->internal->plan, r));
}

mbd_status_t
mbd_batch_f32_set_parameters_from(mbd_batch_f32_t * batch, const mbd_data_t * data)
{
  if (!batch || !data) return MBD_ERROR_NULL_ARGUMENT;
  for (int k = 0; k < batch->threads; k++) {
    CHECK(mbd_batch_set_parameters_from(batch->worker[k].exact, data));
    copy_parameters(batch, &batch->worker[k]);
  }
  return MBD_OK;
}

//---------- in double precision ----------

static void
sincos_states(const mbd_batch_f32_t * batch, const float * x, double * sine, double * cosine)
{
  for (int k = 0; k < batch->vector_length; k++)
    sine[k] = sin((double)x[k]), cosine[k] = cos((double)x[k]);
}

// where the numbers of a state begin, and the distance to the next one
static size_t
state_begin(const job_t * job, int i, size_t width, size_t * step)
{
  *step = job->soa ? (size_t)job->batch->vector_length : 1;
  return job->soa ? soa_begin(job->batch, i, width) : (size_t)i * width;
}

// states to doubles; NULL of NULL
static const double *
widen(const job_t * job, int first, int count, int width, const float * from, double * to)
{
  if (!from) return NULL;
  for (int i = 0; i < count; i++) {
    size_t step;
    const float * x = from + state_begin(job, first + i, (size_t)width, &step);
    for (int k = 0; k < width; k++) to[i * width + k] = (double)x[(size_t)k * step];
  }
  return to;
}

static mbd_status_t
run_exact(
  const job_t * job, mbd_batch_t * exact, int count, const double * q, const double * v,
  const double * u, double * out)
{
  const int * frame = job->frames.index;
  switch (job->kind) {
    case JOB_INVERSE: return mbd_batch_inverse_dynamics(exact, count, q, v, u, out);
    case JOB_BIAS: return mbd_batch_bias(exact, count, q, v, out);
    case JOB_GRAVITY: return mbd_batch_gravity(exact, count, q, out);
    case JOB_MASS: return mbd_batch_mass_matrix(exact, count, q, out);
    case JOB_FORWARD: return mbd_batch_forward_dynamics(exact, count, q, v, u, out);
    case JOB_PLACEMENTS:
      return mbd_batch_frame_placements(
        exact, count, q, job->frames.n, frame, (mbd_placement_t *)(void *)out);
    default: return mbd_batch_jacobian(exact, count, q, *frame, job->frames.reference, out);
  }
}

// the first of n numbers that is too large for a float, or -1
static int
too_large(const double * x, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    if (!(fabs(x[k]) < 3.4028235677973366e38)) return (int)k;
  }
  return -1;
}

// states that fit into the scratch memory
static void
run_states_exact(const job_t * job, worker_t * r, int first, int count)
{
  const mbd_model_t * m = job->batch->model;
  const bool packed = job->kind == JOB_MASS && job->soa;
  const size_t width = packed ? (size_t)m->nv * (size_t)m->nv : job->width;
  double *x_q = r->one, *x_v = x_q + count * m->nq, *x_u = x_v + count * m->nv;
  double * out = x_u + count * m->nv;
  const double * q = widen(job, first, count, m->nq, job->q, x_q);
  const double * v = widen(job, first, count, m->nv, job->v, x_v);
  const double * u = widen(job, first, count, m->nv, job->u, x_u);
  const mbd_status_t status = run_exact(job, r->exact, count, q, v, u, out);
  const int large = status == MBD_OK ? too_large(out, (size_t)count * width) : -1;
  if (status != MBD_OK) {
    fail_state(r, status, first + mbd_batch_failed(r->exact));
  } else if (large >= 0) {
    fail_state(r, MBD_ERROR_NOT_FINITE, first + large / (int)width);
  }
  for (int i = 0; status == MBD_OK && large < 0 && i < count; i++, out += width) {
    size_t step;
    float * to = job->out + state_begin(job, first + i, width, &step);
    for (size_t k = 0; !packed && k < width; k++) to[k * step] = (float)out[k];
    if (packed) pack_matrix(job, first + i, out);
  }
}

// derivatives of one state
static void
run_derivatives_exact(const job_t * job, worker_t * r, int i)
{
  const mbd_model_t * m = job->batch->model;
  const size_t nv = (size_t)m->nv;
  double *x_q = r->one, *x_v = x_q + m->nq, *x_u = x_v + m->nv;
  double * work = derivative_work(job, r);
  double *qdd = work + mbd_derivatives_work(m), *dq = qdd + nv, *dv = dq + nv * nv;
  double * M = dv + nv * nv;
  const double * q = widen(job, i, 1, m->nq, job->q, x_q);
  const double * v = widen(job, i, 1, m->nv, job->v, x_v);
  const double * u = widen(job, i, 1, m->nv, job->u, x_u);
  const bool forward = job->kind == JOB_FORWARD_DERIVATIVES;
  memset(qdd, 0, nv * sizeof *qdd);
  mbd_status_t status =
    forward ? mbd_batch_forward_dynamics_derivatives(r->exact, 1, q, v, u, work, qdd, dq, dv, M)
            : mbd_batch_inverse_dynamics_derivatives(r->exact, 1, q, v, u, work, dq, dv, M);
  if (status == MBD_OK && too_large(qdd, 3 * nv * nv + nv) >= 0) status = MBD_ERROR_NOT_FINITE;
  if (status != MBD_OK)
    fail_state(r, status, i);
  else
    gather_derivatives(job, work, i, qdd, dq, dv, M);
}

static void
run_block_by_state(const job_t * job, worker_t * r, int first, int count, bool kernel)
{
  if (job->work) {
    if (kernel && derivative_block_soa(job, r, first, count)) return;
    for (int i = first; i < first + count; i++) run_derivatives_exact(job, r, i);
    scatter_derivatives(job, derivative_work(job, r), first, count);
    return;
  }
  const int together = job->kind == JOB_MASS ? 1 : count;
  for (int i = first; i < first + count; i += together) run_states_exact(job, r, i, together);
}

// double precision takes longer
static double
time_of_block(const mbd_batch_f32_t * batch, job_kind_t kind, bool soa)
{
  (void)batch, (void)kind, (void)soa;
  return 2;
}

static double
time_of_state(const job_t * job)
{
  const bool kernels = job->batch->kernels;
  return (kernels ? 0.5 : 1) * mbdi_batch_time(job->batch->model, job->kind, kernels);
}

mbd_status_t
mbd_batch_f32_frame_placements(
  mbd_batch_f32_t * batch, int n, const float * q, int nframe, const int * frame, float * X)
{
  return run_placements(batch, n, q, nframe, frame, X);
}
