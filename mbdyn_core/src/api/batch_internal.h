// Batches: shared by batch.c (workspaces, threads), batch_block.c (kernels), batch_aos.c and batch_soa.c
// (the two memory layouts).
#ifndef API__BATCH_INTERNAL_H_
#define API__BATCH_INTERNAL_H_

#include "mbdyn/dynamics/batch.h"
#include "simd/kernels.h"
#include "tree/derivative_kernels.h"
#include "util/pool.h"

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
  void * derivatives;                 // work of derivatives, or NULL: state by state
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
  const mbdi_derivative_kernels_t * derivatives;  // or NULL
  mbd_frame_t * body_frame;                       // of the bodies [nbody]
  int * body_index;
  batch_worker_t * worker;  // [threads]
};

// one state in plain arrays
typedef struct state {
  const double *q, *v, *u;
  double * out;
} state_t;

//---------- one block of states: batch_block.c ----------

// gravity and constant motion subspaces, for all states of a block
void mbdi_batch_splat_gravity(const mbd_batch_t * batch, batch_worker_t * r);
void mbdi_batch_constant_subspaces(const mbd_batch_t * batch, batch_worker_t * r);

// false: no kernel for this job, or something is wrong with a state of the block
bool mbdi_batch_run_block(const job_t * job, batch_worker_t * r, int first, int count);

// the same of derivatives: batch_derivatives.c
bool mbdi_batch_derivative_block(const job_t * job, batch_worker_t * r, int first, int count);
// inputs of a block into the worker's memory, and what kernels read of them
bool mbdi_batch_load_block(
  const job_t * job, batch_worker_t * r, int first, int count, mbdi_kernel_args_t * args);
// kernels, and frames of all bodies; false: out of memory
bool mbdi_batch_prepare_derivatives(mbd_batch_t * batch);

//---------- one state ----------

// of plain arrays: batch_aos.c
mbd_status_t mbdi_batch_one_state(const job_t * job, mbd_data_t * data, const state_t * s);
mbd_status_t mbdi_batch_state_aos(const job_t * job, batch_worker_t * r, int i);

// of a structure of arrays: batch_soa.c
mbd_status_t mbdi_batch_state_soa(const job_t * job, batch_worker_t * r, int i);

//---------- all states, by threads: batch.c ----------

mbd_status_t mbdi_batch_run(job_t * job);

#endif  // API__BATCH_INTERNAL_H_
