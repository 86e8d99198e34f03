// One-call forms by kernel: what the functions of the core call before they go their general way.
#ifndef FAST_H_
#define FAST_H_

#include "mbdyn/data.h"
#include "simd/kernels.h"

// inertias of a lean robot, made when they are first asked for
static inline const mbdi_lean_inertia_t *
mbdi_fast_lean(const mbd_model_t * model, mbd_data_t * data)
{
  if (__builtin_expect(!data->lean_ready, 0)) {
    mbdi_lean_inertias(model->plan, data->inertia, data->lean);
    data->lean_ready = true;
  }
  return data->lean;
}

// arguments with everything but u and out
static inline void
mbdi_fast_args(const mbd_model_t * model, mbd_data_t * data, mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = model->plan;
  args->plan = plan;
  args->inertia = data->inertia;
  args->moments = data->moments;
  args->lean = mbdi_fast_lean(model, data);
  args->rotor = data->terms & MBD_TERM_ROTORS ? plan->rotor : NULL;
  args->gravity = &data->gravity;
  args->q = data->q;
  args->v = data->v;
  args->u = NULL;
  args->out = data->x;
  args->work = data->kernel;
  // the memory has something else in it now
  data->stage &= ~(uint32_t)MBD_STAGE_FACTORED;
}

// articulated bodies of the state for the kernels of operational space, unless they are there; false
// if it has to go the general way, also to find out which joint nothing resists
bool mbdi_fast_articulated(const mbd_model_t * model, mbd_data_t * data, mbdi_kernel_args_t * args);

// nv numbers to the caller; false, and nothing is written: not all are finite
static inline bool
mbdi_fast_deliver(const mbd_model_t * model, const double * from, double * to)
{
  return model->plan->one->take_numbers(model->nv, from, to);
}

#endif  // FAST_H_
