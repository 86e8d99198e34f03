// Which compilation of the kernels this machine can run.
#include <stdlib.h>

#include "kernels.h"

extern const mbd_kernels_t mbd_kernels_baseline, mbd_kernels_many_baseline;
#ifdef __x86_64__
extern const mbd_kernels_t mbd_kernels_v3, mbd_kernels_many_v3;
extern const mbd_kernels_t mbd_kernels_v4, mbd_kernels_many_v4;
#endif

// the build can insist on one set, for tests; MBDYN_KERNELS is 0 (best), 1 (baseline), 3 or 4
static int
level(void)
{
  int best = 1;
#ifdef __x86_64__
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
#endif
  return MBDYN_KERNELS != 0 && MBDYN_KERNELS < best ? MBDYN_KERNELS : best;
}

const mbd_kernels_t *
mbd_kernels_one(void)
{
#ifdef __x86_64__
  const int best = level();
  if (best == 4) return &mbd_kernels_v4;
  if (best == 3) return &mbd_kernels_v3;
#endif
  return &mbd_kernels_baseline;
}

const mbd_kernels_t *
mbd_kernels_many(void)
{
#ifdef __x86_64__
  const int best = level();
  if (best == 4) return &mbd_kernels_many_v4;
  if (best == 3) return &mbd_kernels_many_v3;
#endif
  return &mbd_kernels_many_baseline;
}
