// Batches in structures of arrays, as the batch kernels read them: no transposition of inputs and results.
#include "api/batch_internal.h"
#include "mbdyn/inertia.h"
#include "mbdyn/kinematics.h"
#include "state/state.h"

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

mbd_status_t
mbdi_batch_state_soa(const job_t * job, batch_worker_t * r, int i)
{
  const mbd_batch_t * batch = job->batch;
  const size_t nq = (size_t)batch->model->nq, nv = (size_t)batch->model->nv;
  const int length = batch->vector_length;
  double * x = r->one;
  const state_t s = {
    soa_get(length, i, nq, job->q, x), soa_get(length, i, nv, job->v, x + nq),
    soa_get(length, i, nv, job->u, x + nq + nv), x + nq + 2 * nv};
  if (job->kind != JOB_MASS) {
    CHECK(mbdi_batch_one_state(job, r->data, &s));
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
  return mbdi_batch_run(&job);
}

mbd_status_t
mbd_batch_bias_soa(mbd_batch_t * batch, int n, const double * q, const double * v, double * h)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_BIAS, .n = n, .q = q, .v = v, .out = h, .soa = true};
  return mbdi_batch_run(&job);
}

mbd_status_t
mbd_batch_gravity_soa(mbd_batch_t * batch, int n, const double * q, double * g)
{
  job_t job = {.batch = batch, .kind = JOB_GRAVITY, .n = n, .q = q, .out = g, .soa = true};
  return mbdi_batch_run(&job);
}

mbd_status_t
mbd_batch_forward_dynamics_soa(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * tau, double * qdd)
{
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_FORWARD, .n = n, .q = q, .v = v, .u = tau, .out = qdd};
  job.soa = true;
  return mbdi_batch_run(&job);
}

mbd_status_t
mbd_batch_mass_matrix_soa(mbd_batch_t * batch, int n, const double * q, double * M)
{
  if (!batch) return MBD_ERROR_NULL_ARGUMENT;
  job_t job = {.batch = batch, .kind = JOB_MASS, .n = n, .q = q, .out = M, .soa = true};
  job.width = mbd_batch_mass_numbers(batch);
  return mbdi_batch_run(&job);
}
