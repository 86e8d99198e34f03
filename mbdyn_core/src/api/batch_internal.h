// Shared by the batches in double (batch.c) and single precision (batch_f32.c).
#ifndef API__BATCH_INTERNAL_H_
#define API__BATCH_INTERNAL_H_

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraints/embedding_internal.h"
#include "mbdyn/dynamics/batch.h"
#include "model/joint.h"
#include "simd/kernels.h"
#include "simd/simd_args.h"
#include "state/state.h"
#include "tree/derivative_kernels.h"
#include "tree/sweeps.h"
#include "util/arena.h"
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
  JOB_FORWARD_DERIVATIVES,
  JOB_KINDS
} job_kind_t;

// numbers of a Jacobian or of placements of all frames; torques are less
static inline size_t
mbdi_batch_numbers(const mbd_model_t * m)
{
  const size_t jacobian = 6 * (size_t)m->nv, frames = 12 * (size_t)m->nframe;
  return jacobian > frames ? jacobian : frames;
}

// Time of one state [ns] as measured with AVX2, low rather than high: an estimate that is too small
// only leaves threads unused.
double mbdi_batch_time(const mbd_model_t * model, job_kind_t kind, bool kernels);

// workspace of the first thread
mbd_data_t * mbdi_batch_data(const mbd_batch_t * batch);

#endif  // API__BATCH_INTERNAL_H_
