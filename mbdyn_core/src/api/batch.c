// Batches of states in double precision: what batch.inc leaves to this file, functions without batch kernel,
// and states one by one.
#include "api/batch_internal.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/forward.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/opspace.h"

#define BATCH(name)            mbd_batch_##name
#define BATCH_T                mbd_batch_t
#define BATCH_STRUCT           mbd_batch
#define NUMBER                 double
#define PLAN_T                 const mbdi_plan_t
#define KERNELS_T              mbdi_kernels_t
#define KERNELS()              mbdi_kernels_batch()
#define KERNEL_T               mbdi_kernel_t
#define KERNEL_ARGS_T          mbdi_kernel_args_t
#define KERNEL_FRAMES_T        mbdi_kernel_frames_t
#define BASE_INERTIA(batch, r) base_inertias((batch)->plan, r)
#define FRAMES(batch)          (batch)->model->frame
#define FRAME_T                mbd_frame_t
#define ONE_STATE              one_state_aos
#define DERIVATIVES(model)     (&mbdi_derivative_kernels(model)->batch)

#include "api/batch.inc"

//---------- workspaces ----------

static bool
create_plan(mbd_batch_t * batch)
{
  batch->plan = batch->model->internal->plan;
  return true;
}

// the plan is the model's
static void
destroy_plan(mbd_batch_t * batch)
{
  (void)batch;
}

static bool
create_data(const mbd_batch_t * batch, worker_t * r)
{
  return mbd_data_create(batch->model, &r->data) == MBD_OK;
}

static void
destroy_data(worker_t * r)
{
  mbd_data_destroy(r->data);
}

static void
copy_inertias(const mbd_batch_t * batch, worker_t * r)
{
  (void)batch, (void)r;  // kernels read those of the workspace
}

// q, v, u, result, something; and a matrix
static size_t
scratch_numbers(const mbd_batch_t * batch)
{
  const size_t nv = (size_t)batch->model->nv;
  return (size_t)batch->model->nq + 4 * nv + nv * nv;
}

mbd_data_t *
mbdi_batch_data(const mbd_batch_t * batch)
{
  return batch->worker->data;
}

mbd_status_t
mbd_batch_set_parameters_from(mbd_batch_t * batch, const mbd_data_t * data)
{
  if (!batch || !data) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * m = batch->model;
  if (data->model != m) return MBD_ERROR_MODEL_MISMATCH;
  for (int k = 0; k < batch->threads; k++) {
    mbd_data_t * to = batch->worker[k].data;
    const size_t bodies = (size_t)mbdi_body_count(m);
    memcpy(to->inertia, data->inertia, bodies * sizeof *to->inertia);
    memcpy(to->work->moments, data->work->moments, bodies * sizeof *to->work->moments);
    memcpy(to->payload, data->payload, (size_t)m->nframe * sizeof *to->payload);
    m->internal->engine->set_gravity(to, data->gravity);
    m->internal->engine->set_terms(to, data->terms);
    m->internal->engine->inertia_changed(to);
    copy_parameters(batch, &batch->worker[k]);
  }
  return MBD_OK;
}

int
mbd_batch_threads(const mbd_batch_t * batch)
{
  return batch ? batch->threads : 0;
}

//---------- one state ----------

static void
sincos_states(const mbd_batch_t * batch, const double * x, double * sine, double * cosine)
{
  batch->kernels->sincos(batch->vector_length, x, sine, cosine);
}

static mbd_status_t
one_placements(const job_t * job, mbd_data_t * data, mbd_placement_t * X)
{
  // the first one finds out where the bodies are
  CHECK(mbd_frame_placement(job->batch->model, data, job->frames.index[0], &X[0]));
  for (int k = 1; k < job->frames.n; k++)
    X[k] = mbdi_frame_in_world(job->batch->model, data, job->frames.index[k]);
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

static mbd_status_t
one_state(
  const job_t * job, mbd_data_t * data, const double * q, const double * v, const double * u,
  double * out)
{
  const mbd_model_t * m = job->batch->model;
  switch (job->kind) {
    case JOB_INVERSE: return mbd_inverse_dynamics(m, data, q, v, u, NULL, out);
    case JOB_FORWARD: return mbd_forward_dynamics(m, data, q, v, u, NULL, out);
    case JOB_MASS_INVERSE:
    case JOB_JACOBIAN_BIAS:
    case JOB_OPERATIONAL_INERTIA:
    case JOB_MOMENTUM:
      CHECK(mbd_set_position(m, data, q));
      if (v) CHECK(mbd_set_velocity(m, data, v));
      return one_in_place(job, data, out);
    default: CHECK(mbd_set_state(m, data, q, v)); return one_in_place(job, data, out);
  }
}

static mbd_status_t
one_state_aos(const job_t * job, worker_t * r, int i)
{
  const mbd_model_t * m = job->batch->model;
  const size_t at = (size_t)i, nv = (size_t)m->nv, matrix = at * nv * nv;
  const double *q = job->q + at * (size_t)m->nq, *v = job->v ? job->v + at * nv : NULL;
  const double * u = job->u ? job->u + at * nv : NULL;
  double * out = job->out + at * job->width;
  if (!job->work) return one_state(job, r->data, q, v, u, out);
  // derivatives, for which each worker has its part of the caller's memory
  double * work = job->work + (size_t)(r - job->batch->worker) * mbd_derivatives_work(m);
  double *dq = job->dq + matrix, *dv = job->dv + matrix, *M = job->M ? job->M + matrix : NULL;
  if (job->kind == JOB_INVERSE_DERIVATIVES)
    return mbd_inverse_dynamics_derivatives(m, r->data, q, v, u, NULL, work, dq, dv, M);
  return mbd_forward_dynamics_derivatives(m, r->data, q, v, u, NULL, work, out, dq, dv, M);
}

// numbers of state i out of a structure of arrays; NULL stays so
static const double *
gather(const mbd_batch_t * batch, int i, size_t width, const double * from, double * to)
{
  if (!from) return NULL;
  from += soa_begin(batch, i, width);
  for (size_t k = 0; k < width; k++) to[k] = from[k * (size_t)batch->vector_length];
  return to;
}

// derivatives, in the worker's part of the caller's memory
static mbd_status_t
one_derivatives_soa(
  const job_t * job, worker_t * r, int i, const double * q, const double * v, const double * u)
{
  const mbd_model_t * m = job->batch->model;
  const size_t nv = (size_t)m->nv;
  double *work = derivative_work(job, r), *out[4];
  if (job->kind == JOB_FORWARD_DERIVATIVES) {
    size_t width;
    for (int k = 0; k < 4; k++) out[k] = gathered_derivatives(job, work, i, k, &width);
    return mbd_forward_dynamics_derivatives(
      m, r->data, q, v, u, NULL, work, out[3], out[0], out[1], out[2]);
  }
  for (size_t k = 0; k < 3; k++) out[k] = work + mbd_derivatives_work(m) + nv + k * nv * nv;
  CHECK(mbd_inverse_dynamics_derivatives(m, r->data, q, v, u, NULL, work, out[0], out[1], out[2]));
  gather_derivatives(job, work, i, NULL, out[0], out[1], out[2]);
  return MBD_OK;
}

static mbd_status_t
one_state_soa(const job_t * job, worker_t * r, int i)
{
  const mbd_batch_t * batch = job->batch;
  const mbd_model_t * m = batch->model;
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  double *x = r->one, *out = x + nq + 2 * nv, *matrix = x + nq + 4 * nv;
  const double * q = gather(batch, i, nq, job->q, x);
  const double * v = gather(batch, i, nv, job->v, x + nq);
  const double * u = gather(batch, i, nv, job->u, x + nq + nv);
  if (job->work) return one_derivatives_soa(job, r, i, q, v, u);
  if (job->kind != JOB_MASS) {
    CHECK(one_state(job, r->data, q, v, u, out));
    scatter(
      out, (int)job->width, batch->vector_length, 0, job->out + soa_begin(batch, i, job->width));
    return MBD_OK;
  }
  CHECK(mbd_set_state(m, r->data, q, NULL));
  CHECK(mbd_mass_matrix(m, r->data, matrix));
  if (batch->kernels && !finite_array(matrix, m->nv * m->nv)) return MBD_ERROR_NOT_FINITE;
  pack_matrix(job, i, matrix);
  return MBD_OK;
}

// related elements to complete matrices; one vector behind them is zero, if not all are related
static void
store_related(const mbd_batch_t * batch, bool mass, double * from, int count, double * to)
{
  const size_t nv = (size_t)batch->model->nv, length = (size_t)batch->vector_length;
  const size_t n = mass ? mbd_batch_mass_numbers(batch) : mbd_batch_derivative_numbers(batch);
  if (n < nv * nv) memset(from + n * length, 0, length * sizeof *from);
  batch->kernels->matrix_to_aos(
    from, mass ? batch->mass_elements : batch->derivative_elements, nv * nv, count, to);
}

static bool
derivative_block(const job_t * job, worker_t * r, int first, int count)
{
  const mbd_batch_t * batch = job->batch;
  const bool forward = job->kind == JOB_FORWARD_DERIVATIVES;
  const size_t nv = (size_t)batch->model->nv, at = (size_t)first * nv * nv;
  double * const to[3] = {job->dq + at, job->dv + at, job->M ? job->M + at : NULL};
  void * out[3];
  mbdi_derivative_batch_t block;
  if (!derivative_args(job, r, first, count, &block)) return false;
  const mbdi_derivative_batch_kernels_t * kernels = batch->derivatives->kernels;
  for (int k = 0; k < 3; k++) out[k] = to[k] ? kernels->matrix(&block, k) : NULL;
  if (!(forward ? kernels->forward : kernels->inverse)(&block, out)) return false;
  for (int k = 0; k < 3; k++) {
    if (to[k] && forward)
      batch->kernels->matrix_to_aos(out[k], NULL, nv * nv, count, to[k]);
    else if (to[k])
      store_related(batch, k == 2, out[k], count, to[k]);
  }
  return !forward || batch->kernels->soa_to_aos(r->u, nv, count, job->out + (size_t)first * nv);
}

static void
run_block_by_state(const job_t * job, worker_t * r, int first, int count, bool kernel)
{
  if (
    kernel && job->work &&
    (job->soa ? derivative_block_soa : derivative_block)(job, r, first, count))
    return;
  for (int i = first; i < first + count; i++) {
    const mbd_status_t status = (job->soa ? one_state_soa : one_state_aos)(job, r, i);
    if (status != MBD_OK) fail_state(r, status, i);
  }
  if (job->work && job->soa) scatter_derivatives(job, derivative_work(job, r), first, count);
}

// Measured on Zen 5 with vectors of two, four and eight, of 7 to 100 degrees of freedom: an estimate that is too
// large leaves a few states to the kernels for one.
static double
time_of_block(const mbd_batch_t * batch, job_kind_t kind, bool soa)
{
  // of vectors of two, four and eight: functions of bodies, complete matrices, derivatives of inverse and forward dynamics
  static const double BODIES[3] = {0.45, 0.88, 1}, MATRIX[3] = {0.28, 1, 1};
  static const double INVERSE[3] = {0.36, 0.75, 1}, FORWARD[3] = {0.35, 0.62, 1};
  static const double JACOBIAN[2][3] = {{1.4, 5.2, 5.2}, {2.4, 7, 6.4}};
  const mbd_model_t * m = batch->model;
  const double nv = m->nv, n = (double)mbd_batch_derivative_numbers(batch);
  const int length = batch->vector_length == 8 ? 2 : batch->vector_length == 4 ? 1 : 0;
  double time = 2;
  switch (kind) {
    case JOB_INVERSE:
    case JOB_BIAS: time = BODIES[length] * (nv < 24 ? 2.1 : 2.6); break;
    case JOB_GRAVITY: time = BODIES[length] * (nv < 24 ? 2.4 : 3.3); break;
    case JOB_MASS: time = soa ? 2 : MATRIX[length] * (2.2 + 0.06 * nv); break;
    case JOB_PLACEMENTS: time = length == 0 ? 2 : 2.5; break;
    case JOB_JACOBIAN:
      time = nv < 12 ? 3.6 * MATRIX[length] : JACOBIAN[m->internal->branched][length];
      break;
    case JOB_INVERSE_DERIVATIVES:
      time = soa ? (n < 1500 || length < 2 ? 2 : 3) : INVERSE[length] * (2.5 + 2.1e-3 * n);
      break;
    case JOB_FORWARD_DERIVATIVES:
      time = (soa ? 0.65 : 1) * FORWARD[length] * (1.7 + 1.9e-3 * n);
      break;
    default: break;
  }
  // one state is what the kernels for one state are for
  return fmax(2, time);
}

double
mbdi_batch_time(const mbd_model_t * m, job_kind_t kind, bool kernels)
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
  if (!m->internal->engine->rigid_tree) return 20 * PER_BODY[kind] * m->nbody;
  const bool matrix = kind == JOB_MASS || kind == JOB_MASS_INVERSE;
  return (matrix ? 0.5 * m->nv * m->nv : 0) + (kernels ? 1 : 4) * PER_BODY[kind] * m->nbody;
}

static double
time_of_state(const job_t * job)
{
  return mbdi_batch_time(job->batch->model, job->kind, job->batch->kernels);
}

//---------- functions ----------

mbd_status_t
mbd_batch_frame_placements(
  mbd_batch_t * batch, int n, const double * q, int nframe, const int * frame, mbd_placement_t * X)
{
  return run_placements(batch, n, q, nframe, frame, (double *)(void *)X);
}

mbd_status_t
mbd_batch_mass_from_soa(const mbd_batch_t * batch, int n, const double * from, double * M)
{
  if (!batch || !from || !M) return MBD_ERROR_NULL_ARGUMENT;
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  const size_t nv = (size_t)batch->model->nv, width = mbd_batch_mass_numbers(batch);
  const size_t length = (size_t)batch->vector_length;
  for (int s = 0; s < n; s++, M += nv * nv) {
    const double * x = from + soa_begin(batch, s, width);
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
mbd_batch_mass_matrix_inverse(mbd_batch_t * batch, int n, const double * q, double * M_inv)
{
  job_t job = new_job(batch, JOB_MASS_INVERSE, n, q, NULL, NULL, M_inv);
  return run_matrix(&job);
}

mbd_status_t
mbd_batch_jacobian_bias(
  mbd_batch_t * batch, int n, const double * q, const double * v, int frame,
  mbd_reference_t reference, mbd_motion_t * bias)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = new_job(batch, JOB_JACOBIAN_BIAS, n, q, v, NULL, NULL);
  job.out = (double *)(void *)bias;
  return run_frame(&job, &frame, reference, 6);
}

mbd_status_t
mbd_batch_operational_space_inertia(
  mbd_batch_t * batch, int n, const double * q, int frame, mbd_reference_t reference,
  double * Lambda)
{
  job_t job = new_job(batch, JOB_OPERATIONAL_INERTIA, n, q, NULL, NULL, Lambda);
  return run_frame(&job, &frame, reference, 36);
}

mbd_status_t
mbd_batch_centroidal_momentum(
  mbd_batch_t * batch, int n, const double * q, const double * v, mbd_force_t * momentum)
{
  job_t job = new_job(batch, JOB_MOMENTUM, n, q, v, NULL, NULL);
  job.width = 6;
  job.out = (double *)(void *)momentum;
  return run_moving(&job);
}

mbd_status_t
mbd_batch_inverse_dynamics_derivatives(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * qdd, double * work,
  double * dtau_dq, double * dtau_dv, double * M)
{
  if (!work || !dtau_dv) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = new_job(batch, JOB_INVERSE_DERIVATIVES, n, q, v, qdd, NULL);
  job.out = job.dq = dtau_dq;
  job.dv = dtau_dv;
  job.M = M;
  job.work = work;
  return run_moving(&job);
}

mbd_status_t
mbd_batch_forward_dynamics_derivatives(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * tau, double * work,
  double * qdd, double * dqdd_dq, double * dqdd_dv, double * M_inv)
{
  if (!work || !dqdd_dq || !dqdd_dv || !M_inv) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = new_job(batch, JOB_FORWARD_DERIVATIVES, n, q, v, tau, NULL);
  job.out = qdd;
  job.dq = dqdd_dq;
  job.dv = dqdd_dv;
  job.M = M_inv;
  job.work = work;
  return run_moving(&job);
}
