// Arguments of the kernels for one state, from a workspace.
#ifndef SIMD_ARGS_H_
#define SIMD_ARGS_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"
#include "simd/kernels.h"
#include "state/state.h"

// base inertias, computed when they are first needed
static inline const mbdi_base_inertia_t *
mbdi_simd_base_inertia(const mbd_model_t * model, mbd_data_t * data)
{
  if (__builtin_expect(!data->work->base_inertia_ready, 0)) {
    mbdi_base_inertias(model->internal->plan, data->inertia, data->work->base_inertia);
    data->work->base_inertia_ready = true;
  }
  return data->work->base_inertia;
}

// Up to this number of wrenches stay in the kernels: they are kept for deferred stages.
#define MBDI_SIMD_WRENCHES 16

// beginning of data->kernel: what outlives the call of a kernel
typedef struct mbdi_simd_memory {
  int nwrench;  // of the deferred force stage,
  int list;     // and in which list; the other one is for the next call
  mbd_wrench_t wrench[2][MBDI_SIMD_WRENCHES];
  double padding;  // that vectors may read
} __attribute__((aligned(64))) mbdi_simd_memory_t;

// then general joints, then sines, then the work memory of the kernels, then that of articulated inertias
static inline mbdi_simd_memory_t *
mbdi_simd_memory(const mbd_data_t * data)
{
  return (mbdi_simd_memory_t *)(void *)data->work->kernel;
}

static inline mbdi_general_joint_t *
mbdi_simd_general(const mbd_data_t * data)
{
  return (mbdi_general_joint_t *)(void *)(mbdi_simd_memory(data) + 1);
}

// bytes of data->kernel
size_t mbdi_simd_memory_size(const mbdi_plan_t * plan);

// arguments of kernels for placements and frames, with everything but v and out
static inline void
mbdi_simd_kinematic_args(
  const mbd_model_t * model, const mbd_data_t * data, mbdi_kernel_args_t * args)
{
  args->plan = model->internal->plan;
  args->q = data->q;
  args->sine = NULL;
  args->work = data->work->kernel + args->plan->work_offset;
}

// arguments with everything but u and out
static inline void
mbdi_simd_args(const mbd_model_t * model, mbd_data_t * data, mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = model->internal->plan;
  args->plan = plan;
  args->inertia = data->inertia;
  args->moments = data->work->moments;
  args->base_inertia = mbdi_simd_base_inertia(model, data);
  args->rotor = data->terms & MBD_TERM_ROTORS ? plan->rotor : NULL;
  args->gravity = &data->gravity;
  args->q = data->q;
  args->v = data->v;
  args->u = NULL;
  args->sine = NULL;
  args->out = data->work->x;
  args->work = data->work->kernel + plan->work_offset;
}

// the same for kernels that take sines: those of a state are computed once
static inline void
mbdi_simd_args_and_sines(const mbd_model_t * model, mbd_data_t * data, mbdi_kernel_args_t * args)
{
  mbdi_simd_args(model, data, args);
  const mbdi_plan_t * plan = args->plan;
  args->sine = (double *)(void *)(data->work->kernel + plan->sine_offset);
  args->cosine = args->sine + (((size_t)plan->nbody + 7) & ~(size_t)7);
  if (stage_any(data, MBD_STAGE_SINES)) return;
  plan->kernels->dh_sincos(plan, data->q, args->sine, args->cosine);
  stage_set(data, MBD_STAGE_SINES);
}

// General joints at data->q and v (NULL: zero) for a kernel, and their subspaces data->S.
void mbdi_simd_general_joints(
  const mbd_model_t * model, mbd_data_t * data, const double * v, mbdi_kernel_args_t * args);

// the same where there are some
static inline void
mbdi_simd_load_general_joints(
  const mbd_model_t * model, mbd_data_t * data, const double * v, mbdi_kernel_args_t * args)
{
  if (__builtin_expect(args->plan->ngeneral == 0, 1)) return;
  args->S = data->S;
  if (__builtin_expect(args->plan->nloaded > 0, 0)) mbdi_simd_general_joints(model, data, v, args);
}

// Articulated inertias of the state for the kernels of operational space, unless they are up to date.
// False if tree/ has to compute them, also to find out which joint moves a subtree without inertia.
bool mbdi_simd_articulated(const mbd_model_t * model, mbd_data_t * data, mbdi_kernel_args_t * args);

// copies nv numbers to the caller if all are finite; false and no copy otherwise
static inline bool
mbdi_simd_copy_if_finite(const mbdi_plan_t * plan, const double * from, double * to)
{
  return plan->kernels->copy_if_finite(plan->nv, from, to);
}

#endif  // SIMD_ARGS_H_
