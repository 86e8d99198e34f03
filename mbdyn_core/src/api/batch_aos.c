// Batches in plain arrays, one state after another (array of structures).
#include "api/batch_internal.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/forward.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/opspace.h"
#include "state/state.h"

//---------- one state ----------

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

mbd_status_t
mbdi_batch_one_state(const job_t * job, mbd_data_t * data, const state_t * s)
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

mbd_status_t
mbdi_batch_state_aos(const job_t * job, batch_worker_t * r, int i)
{
  const mbd_model_t * m = job->batch->model;
  const size_t at = (size_t)i, nq = (size_t)m->nq, nv = (size_t)m->nv;
  const state_t s = {
    job->q + at * nq, job->v ? job->v + at * nv : NULL, job->u ? job->u + at * nv : NULL,
    job->out + at * job->width};
  if (job->work) return one_derivatives(job, r, &s, at);
  return mbdi_batch_one_state(job, r->data, &s);
}

//---------- all states ----------

// one frame, with a result of so many numbers
static mbd_status_t
run_frame(job_t * job, const int * frame, mbd_reference_t reference, size_t width)
{
  if (!job->batch) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(job->batch->model, *frame, reference));
  job->frames = (mbdi_kernel_frames_t){1, frame, job->batch->model->frame, reference};
  job->width = width;
  return mbdi_batch_run(job);
}

static mbd_status_t
run_matrix(job_t * job)
{
  if (!job->batch) return MBD_ERROR_NULL_ARGUMENT;
  job->width = (size_t)job->batch->model->nv * (size_t)job->batch->model->nv;
  return mbdi_batch_run(job);
}

mbd_status_t
mbd_batch_inverse_dynamics(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * qdd, double * tau)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_INVERSE, .n = n, .q = q, .v = v, .u = qdd, .out = tau};
  return mbdi_batch_run(&job);
}

mbd_status_t
mbd_batch_bias(mbd_batch_t * batch, int n, const double * q, const double * v, double * h)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_BIAS, .n = n, .q = q, .v = v, .out = h};
  return mbdi_batch_run(&job);
}

mbd_status_t
mbd_batch_gravity(mbd_batch_t * batch, int n, const double * q, double * g)
{
  job_t job = {.batch = batch, .kind = JOB_GRAVITY, .n = n, .q = q, .out = g};
  return mbdi_batch_run(&job);
}

mbd_status_t
mbd_batch_forward_dynamics(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * tau, double * qdd)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_FORWARD, .n = n, .q = q, .v = v, .u = tau, .out = qdd};
  return mbdi_batch_run(&job);
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
  return mbdi_batch_run(&job);
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
  return mbdi_batch_run(&job);
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
  return mbdi_batch_run(&job);
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
  return mbdi_batch_run(&job);
}
