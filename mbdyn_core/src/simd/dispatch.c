// Chooses the kernels for the instruction set of this machine.
//
// MBDYN_KERNELS is -1 for none, 0 for the best, or a limit for tests: 1 and 2 the baseline kernels (as on a
// machine without AVX2), 3 or 4 these levels at most. Sets above that are not compiled.
#include <stdlib.h>
#include <string.h>

#include "simd/instruction_sets.h"
#include "simd/kernels.h"
#include "simd/kernels_f32.h"

bool
mbdi_simd_enabled(void)
{
  const char * simd = getenv("MBDYN_SIMD");
  return MBDYN_KERNELS >= 0 && !(simd && strcmp(simd, "off") == 0);
}

#if MBDYN_KERNELS < 0

const mbdi_kernels_t *
mbdi_kernels_single(void)
{
  return NULL;
}

const mbdi_kernels_t *
mbdi_kernels_batch(void)
{
  return NULL;
}

const mbdi_kernels_f32_t *
mbdi_kernels_f32(void)
{
  return NULL;
}

#else

extern const mbdi_kernels_t mbdi_kernels_baseline, mbdi_kernels_batch_baseline;
extern const mbdi_kernels_f32_t mbdi_kernels_f32_baseline;

#ifdef __x86_64__

// asked for once: a virtual machine takes microseconds for each cpuid
static int
level(void)
{
  static _Atomic int known;
  if (known == 0) known = mbdi_kernels_level(mbdi_machine_features());
  return MBDYN_KERNELS != 0 && MBDYN_KERNELS < known ? MBDYN_KERNELS : known;
}

#if MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 3
extern const mbdi_kernels_t mbdi_kernels_v3, mbdi_kernels_batch_v3;
extern const mbdi_kernels_f32_t mbdi_kernels_f32_v3;
#else
#define mbdi_kernels_v3       mbdi_kernels_baseline
#define mbdi_kernels_batch_v3 mbdi_kernels_batch_baseline
#define mbdi_kernels_f32_v3   mbdi_kernels_f32_baseline
#endif
#if MBDYN_KERNELS == 0 || MBDYN_KERNELS >= 4
extern const mbdi_kernels_t mbdi_kernels_v4, mbdi_kernels_batch_v4;
extern const mbdi_kernels_f32_t mbdi_kernels_f32_v4;
#else
#define mbdi_kernels_v4       mbdi_kernels_v3
#define mbdi_kernels_batch_v4 mbdi_kernels_batch_v3
#define mbdi_kernels_f32_v4   mbdi_kernels_f32_v3
#endif

const mbdi_kernels_t *
mbdi_kernels_single(void)
{
  const int best = level();
  return best == 4 ? &mbdi_kernels_v4 : best == 3 ? &mbdi_kernels_v3 : &mbdi_kernels_baseline;
}

const mbdi_kernels_t *
mbdi_kernels_batch(void)
{
  const int best = level();
  if (best == 4) return &mbdi_kernels_batch_v4;
  return best == 3 ? &mbdi_kernels_batch_v3 : &mbdi_kernels_batch_baseline;
}

const mbdi_kernels_f32_t *
mbdi_kernels_f32(void)
{
  const int best = level();
  if (best == 4) return &mbdi_kernels_f32_v4;
  return best == 3 ? &mbdi_kernels_f32_v3 : &mbdi_kernels_f32_baseline;
}

#else  // the compiler's instruction set is the only one

const mbdi_kernels_t *
mbdi_kernels_single(void)
{
  return &mbdi_kernels_baseline;
}

const mbdi_kernels_t *
mbdi_kernels_batch(void)
{
  return &mbdi_kernels_batch_baseline;
}

const mbdi_kernels_f32_t *
mbdi_kernels_f32(void)
{
  return &mbdi_kernels_f32_baseline;
}

#endif

#endif
