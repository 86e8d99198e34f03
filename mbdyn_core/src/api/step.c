// One step in time: Runge-Kutta of fourth order, free of commutators (Celledoni, Marthinsen and Owren),
// which is the classical method where v is the rate of q.
#include <string.h>

#include "mbdyn/forward.h"
#include "mbdyn/integrate.h"
#include "state/state.h"

typedef struct job {
  const mbd_model_t * model;
  mbd_data_t * data;
  const double * tau;
  const mbd_wrenches_t * f_ext;
  double *q0, *qs[2];       // [nq]
  double *v0, *sum, *k[8];  // [nv]
} job_t;

static size_t
lay_out_step(const mbd_model_t * model, double * work, job_t * job)
{
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  if (work) {
    job->q0 = work, job->qs[0] = work + nq, job->qs[1] = work + 2 * nq;
    job->v0 = work + 3 * nq, job->sum = job->v0 + nv;
    for (size_t s = 0; s < 8; s++) job->k[s] = job->sum + (s + 1) * nv;
  }
  return 3 * nq + 10 * nv + 1;
}

size_t
mbd_step_work(const mbd_model_t * model)
{
  job_t unused;
  return model && model->finalized ? lay_out_step(model, NULL, &unused) : 0;
}

// rates of stage s at q and v0 + h * (rate of the stage before); they go to k[2 s], k[2 s + 1]
static mbd_status_t
stage(const job_t * job, int s, const double * q, double h)
{
  double *speed = job->k[2 * s], *rate = job->k[2 * s + 1];
  for (int i = 0; i < job->model->nv; i++) {
    speed[i] = job->v0[i] + (s > 0 ? h * job->k[2 * s - 1][i] : 0);
  }
  return mbd_forward_dynamics(job->model, job->data, q, speed, job->tau, job->f_ext, rate);
}

// to = from moved by h (w0 k0 + ... + w3 k3)
static mbd_status_t
move(const job_t * job, const double * from, double h, const double w[4], double * to)
{
  for (int i = 0; i < job->model->nv; i++) {
    job->sum[i] = 0;
    for (int s = 0; s < 4; s++) {
      if (w[s] != 0) job->sum[i] += w[s] * job->k[2 * s][i];
    }
  }
  return mbd_integrate(job->model, from, job->sum, h, to);
}

static mbd_status_t
stages(const job_t * job, double h)
{
  static const double half_0[4] = {0.5, 0, 0, 0}, half_1[4] = {0, 0.5, 0, 0},
                      last[4] = {-0.5, 0, 1, 0}, one[4] = {0.25, 1.0 / 6, 1.0 / 6, -1.0 / 12},
                      two[4] = {-1.0 / 12, 1.0 / 6, 1.0 / 6, 0.25};
  double * const * qs = job->qs;
  CHECK(stage(job, 0, job->q0, 0));
  CHECK(move(job, job->q0, h, half_0, qs[0]));
  CHECK(stage(job, 1, qs[0], 0.5 * h));
  CHECK(move(job, job->q0, h, half_1, qs[1]));
  CHECK(stage(job, 2, qs[1], 0.5 * h));
  CHECK(move(job, qs[0], h, last, qs[1]));
  CHECK(stage(job, 3, qs[1], h));
  CHECK(move(job, job->q0, h, one, qs[0]));
  return move(job, qs[0], h, two, qs[0]);
}

mbd_status_t
mbd_step(
  const mbd_model_t * model, mbd_data_t * data, double * q, double * v, const double * tau,
  const mbd_wrenches_t * f_ext, double dt, double * work)
{
  CHECK(check_any(model, data, 0));
  if (!q || !v || !work) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(&dt, 1) || !finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  job_t job = {.model = model, .data = data, .tau = tau, .f_ext = f_ext};
  lay_out_step(model, work, &job);
  memcpy(job.q0, q, (size_t)model->nq * sizeof *q);
  memcpy(job.v0, v, (size_t)model->nv * sizeof *v);
  CHECK(stages(&job, dt));
  for (int i = 0; i < model->nv; i++) {
    job.v0[i] += dt / 6 * (job.k[1][i] + 2 * (job.k[3][i] + job.k[5][i]) + job.k[7][i]);
  }
  if (!finite_array(job.v0, model->nv)) return MBD_ERROR_NOT_FINITE;
  memcpy(q, job.qs[0], (size_t)model->nq * sizeof *q);
  memcpy(v, job.v0, (size_t)model->nv * sizeof *v);
  return MBD_OK;
}
