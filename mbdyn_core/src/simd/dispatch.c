// Which compilation of the kernels this machine can run.
//
// MBDYN_KERNELS is 0 for the best, or what a build insists on, for tests: 1 the baseline kernels, 2
// what a machine without AVX2 does, 3 or 4 these levels at most. Sets above that are not compiled.
#include "simd/instruction_sets.h"
#include "simd/kernels.h"

extern const mbdi_kernels_t mbdi_kernels_baseline, mbdi_kernels_many_baseline;

#ifdef __x86_64__

static int
level(void)
{
  const int best = mbdi_kernels_level(mbdi_machine_features());
  return MBDYN_KERNELS != 0 && MBDYN_KERNELS < best ? MBDYN_KERNELS : best;
}

#if MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 3
extern const mbdi_kernels_t mbdi_kernels_v3, mbdi_kernels_many_v3;
#else
#define mbdi_kernels_v3      mbdi_kernels_baseline
#define mbdi_kernels_many_v3 mbdi_kernels_many_baseline
#endif
#if MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 4
extern const mbdi_kernels_t mbdi_kernels_v4, mbdi_kernels_many_v4;
#else
#define mbdi_kernels_v4      mbdi_kernels_v3
#define mbdi_kernels_many_v4 mbdi_kernels_many_v3
#endif

const mbdi_kernels_t *
mbdi_kernels_one(void)
{
  const int best = level();
  return best == 4 ? &mbdi_kernels_v4 : best == 3 ? &mbdi_kernels_v3 : &mbdi_kernels_baseline;
}

const mbdi_kernels_t *
mbdi_kernels_many(void)
{
  const int best = level();
  if (best == 4) return &mbdi_kernels_many_v4;
  return best == 3 ? &mbdi_kernels_many_v3 : &mbdi_kernels_many_baseline;
}

#else  // the compiler's instruction set is the only one

static int
level(void)
{
  return 1;
}

const mbdi_kernels_t *
mbdi_kernels_one(void)
{
  return &mbdi_kernels_baseline;
}

const mbdi_kernels_t *
mbdi_kernels_many(void)
{
  return &mbdi_kernels_many_baseline;
}

#endif

bool
mbdi_kernels_one_pay(void)
{
  return level() >= 3 || MBDYN_KERNELS == 1;
}
