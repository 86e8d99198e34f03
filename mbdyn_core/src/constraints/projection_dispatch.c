// Chooses the kernels for the instruction set of this machine; MBDYN_KERNELS as in simd/dispatch.c.
#include "constraints/planar_loop.h"
#include "constraints/projection.h"
#include "constraints/row_kernels.h"

#include "tree/tree.h"

#if defined(__x86_64__) && (MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 3)
#define HAS_V3

static bool
use_v3(const mbd_model_t * tree)
{
  // without vector kernels of the tree these use what every machine has
  const struct mbdi_model * m = tree->internal;
  const bool simd = (m->base ? m->base : m->engine) != &mbdi_tree_engine;
  return simd && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
}
#endif

const mbdi_projection_kernels_t *
mbdi_projection_kernels(const mbd_model_t * tree)
{
#ifdef HAS_V3
  if (use_v3(tree)) return &mbdi_projection_kernels_v3;
#endif
  (void)tree;
  return &mbdi_projection_kernels_baseline;
}

const mbdi_row_kernels_t *
mbdi_row_kernels(const mbd_model_t * tree)
{
#ifdef HAS_V3
  if (use_v3(tree)) return &mbdi_row_kernels_v3;
#endif
  (void)tree;
  return &mbdi_row_kernels_baseline;
}

const mbdi_planar_kernels_t *
mbdi_planar_kernels(const mbd_model_t * tree)
{
#ifdef HAS_V3
  if (use_v3(tree)) return &mbdi_planar_kernels_v3;
#endif
  (void)tree;
  return &mbdi_planar_kernels_baseline;
}
