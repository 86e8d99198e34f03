// Derivatives of one block of states, by kernels: revolute, prismatic and free joints, up to
// DERIVATIVE_BATCH_LARGEST degrees of freedom. Others go state by state.
#include <stdlib.h>
#include <string.h>

#include "api/batch_internal.h"
#include "state/state.h"

bool
mbdi_batch_prepare_derivatives(mbd_batch_t * batch)
{
  const mbd_model_t * m = batch->model;
  const mbdi_derivative_kernels_t * kernels = mbdi_derivative_kernels(m);
  if (!batch->kernels || (int)kernels->vector_length != batch->vector_length) return true;
  if (m->nv < 1 || m->nv > DERIVATIVE_BATCH_LARGEST || m->internal->plan->ngeneral > 0) return true;
  // the bodies themselves, as the frames of the kernel that places them
  batch->body_frame = calloc((size_t)m->nbody, sizeof *batch->body_frame);
  batch->body_index = calloc((size_t)m->nbody, sizeof *batch->body_index);
  if (!batch->body_frame || !batch->body_index) return false;
  for (int i = 0; i < m->nbody; i++) {
    batch->body_frame[i].body = i;
    batch->body_frame[i].X = (mbd_placement_t){{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};
    batch->body_index[i] = i;
  }
  batch->derivatives = kernels;
  return true;
}

// false: no kernel for this model, or something is wrong with a state of the block
bool
mbdi_batch_derivative_block(const job_t * job, batch_worker_t * r, int first, int count)
{
  const mbd_batch_t * batch = job->batch;
  const mbd_model_t * m = batch->model;
  const mbdi_kernels_t * kernels = batch->kernels;
  const bool forward = job->kind == JOB_FORWARD_DERIVATIVES;
  const size_t nv = (size_t)m->nv, size = nv * nv, at = (size_t)first * size;
  mbdi_kernel_args_t args;
  if (!batch->derivatives) return false;
  if (forward && m->internal->plan->free_rotor && (r->data->terms & MBD_TERM_ROTORS)) return false;
  if (!mbdi_batch_load_block(job, r, first, count, &args)) return false;
  if (forward) {
    if (!kernels->forward_dynamics(&args)) return false;
    memcpy(r->u, r->out, nv * (size_t)batch->vector_length * sizeof *r->u);
  }
  const mbdi_kernel_frames_t frames = {m->nbody, batch->body_index, batch->body_frame, MBD_LOCAL};
  args.frames = &frames;
  kernels->frame_placements(&args);
  const mbdi_derivative_batch_t derivatives = {m, r->data, r->out, r->v, args.u, r->derivatives};
  double * const out[3] = {job->dq + at, job->dv + at, job->M ? job->M + at : NULL};
  const void * matrix[3];
  batch->derivatives->batch_inverse(&derivatives, matrix);
  for (int k = 0; k < 3; k++) {
    if (forward) matrix[k] = batch->derivatives->batch_solve(&derivatives, k);
    if (!out[k]) continue;
    if (!batch->derivatives->batch_store(&derivatives, matrix[k], !forward, count, out[k]))
      return false;
  }
  return !forward || kernels->soa_to_aos(r->u, nv, count, job->out + (size_t)first * nv);
}
