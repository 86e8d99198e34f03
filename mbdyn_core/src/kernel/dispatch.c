// Which compilation of the kernels this machine can run.
#include "kernels.h"

extern const mbd_kernels_t mbd_kernels_baseline, mbd_kernels_many_baseline;

#ifdef __x86_64__

extern const mbd_kernels_t mbd_kernels_v3, mbd_kernels_many_v3;
extern const mbd_kernels_t mbd_kernels_v4, mbd_kernels_many_v4;

// the build can insist on one set, for tests; MBDYN_KERNELS is 0 (best), 1 (baseline), 3 or 4
static int
level(void)
{
  int best = 1;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    best = 3;
    if (
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd")) {
      best = 4;
    }
  }
  return MBDYN_KERNELS != 0 && MBDYN_KERNELS < best ? MBDYN_KERNELS : best;
}

const mbd_kernels_t *
mbd_kernels_one(void)
{
  const int best = level();
  return best == 4 ? &mbd_kernels_v4 : best == 3 ? &mbd_kernels_v3 : &mbd_kernels_baseline;
}

const mbd_kernels_t *
mbd_kernels_many(void)
{
  const int best = level();
  if (best == 4) return &mbd_kernels_many_v4;
  return best == 3 ? &mbd_kernels_many_v3 : &mbd_kernels_many_baseline;
}

#else  // the compiler's instruction set is the only one

const mbd_kernels_t *
mbd_kernels_one(void)
{
  return &mbd_kernels_baseline;
}

const mbd_kernels_t *
mbd_kernels_many(void)
{
  return &mbd_kernels_many_baseline;
}

#endif
