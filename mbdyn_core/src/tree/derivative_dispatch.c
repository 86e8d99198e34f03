// Chooses the kernels of derivatives for the instruction set of this machine; MBDYN_KERNELS as in
// simd/dispatch.c.
#include "tree/derivative_kernels.h"
#include "tree/tree.h"

enum { BASELINE, V3, V4 };

static int
instruction_set(const mbd_model_t * model)
{
#if defined(__x86_64__) && (MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 3)
  // without vector kernels the others use what every machine has
  const struct mbdi_model * m = model->internal;
  if ((m->base ? m->base : m->engine) == &mbdi_tree_engine) return BASELINE;
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi2");
#if MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 4
  if (
    v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
    __builtin_cpu_supports("avx512cd"))
    return V4;
#endif
  if (v3) return V3;
#endif
  (void)model;
  return BASELINE;
}

const mbdi_derivative_kernels_t *
mbdi_derivative_kernels(const mbd_model_t * model)
{
  switch (instruction_set(model)) {
#if defined(__x86_64__) && (MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 4)
    case V4: return &mbdi_derivative_kernels_v4;
#endif
#if defined(__x86_64__) && (MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 3)
    case V3: return &mbdi_derivative_kernels_v3;
#endif
    default: return &mbdi_derivative_kernels_baseline;
  }
}

const mbdi_derivative_batch_kernels_t *
mbdi_derivative_kernels_f32(const mbd_model_t * model)
{
  switch (instruction_set(model)) {
#if defined(__x86_64__) && (MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 4)
    case V4: return &mbdi_derivative_kernels_f32_v4;
#endif
#if defined(__x86_64__) && (MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 3)
    case V3: return &mbdi_derivative_kernels_f32_v3;
#endif
    default: return &mbdi_derivative_kernels_f32_baseline;
  }
}
