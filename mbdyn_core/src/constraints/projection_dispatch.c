// Chooses the kernels for the instruction set of this machine; MBDYN_KERNELS as in simd/dispatch.c.
#include "constraints/projection.h"

#include "tree/tree.h"

const mbdi_projection_kernels_t *
mbdi_projection_kernels(const mbd_model_t * tree)
{
#if defined(__x86_64__) && (MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 3)
  // without vector kernels of the tree these use what every machine has
  const struct mbdi_model * m = tree->internal;
  const bool simd = (m->base ? m->base : m->engine) != &mbdi_tree_engine;
  if (
    simd && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
    __builtin_cpu_supports("bmi2"))
    return &mbdi_projection_kernels_v3;
#endif
  (void)tree;
  return &mbdi_projection_kernels_baseline;
}
