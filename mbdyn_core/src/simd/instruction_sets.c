#include "simd/instruction_sets.h"

// Everything that the two levels have beyond the baseline of x86-64, whichever of it the kernels
// are compiled with: a compiler may use all that its flags allow, and the flags may change.
const mbdi_feature_t mbdi_feature[MBD_FEATURES] = {
  {"pni", "__SSE3__", 3, 1, 2, 0},
  {"ssse3", "__SSSE3__", 3, 1, 2, 9},
  {"fma", "__FMA__", 3, 1, 2, 12},
  {"cx16", "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16", 3, 1, 2, 13},
  {"sse4_1", "__SSE4_1__", 3, 1, 2, 19},
  {"sse4_2", "__SSE4_2__", 3, 1, 2, 20},
  {"movbe", "__MOVBE__", 3, 1, 2, 22},
  {"popcnt", "__POPCNT__", 3, 1, 2, 23},
  {"xsave", "__XSAVE__", 3, 1, 2, 26},
  {"avx", "__AVX__", 3, 1, 2, 28},
  {"f16c", "__F16C__", 3, 1, 2, 29},
  {"bmi1", "__BMI__", 3, 7, 1, 3},
  {"avx2", "__AVX2__", 3, 7, 1, 5},
  {"bmi2", "__BMI2__", 3, 7, 1, 8},
  {"lahf_lm", "__LAHF_SAHF__", 3, 0x80000001, 2, 0},
  {"abm", "__LZCNT__", 3, 0x80000001, 2, 5},
  {"avx512f", "__AVX512F__", 4, 7, 1, 16},
  {"avx512dq", "__AVX512DQ__", 4, 7, 1, 17},
  {"avx512cd", "__AVX512CD__", 4, 7, 1, 28},
  {"avx512bw", "__AVX512BW__", 4, 7, 1, 30},
  {"avx512vl", "__AVX512VL__", 4, 7, 1, 31}};

uint32_t
mbdi_kernel_features(int level)
{
  uint32_t bits = 0;
  for (int k = 0; k < MBD_FEATURES; k++) bits |= mbdi_feature[k].level <= level ? 1u << k : 0;
  if (level >= 3) bits |= 1u << MBD_OS_YMM;
  if (level >= 4) bits |= 1u << MBD_OS_ZMM;
  return bits;
}

int
mbdi_kernels_level(uint32_t features)
{
  for (int level = 4; level >= 3; level--) {
    const uint32_t needed = mbdi_kernel_features(level);
    if ((features & needed) == needed) return level;
  }
  return 1;
}

#ifdef __x86_64__
#include <cpuid.h>

// register files that the operating system saves: extended control register 0
static uint32_t
saved_registers(void)
{
  uint32_t eax, ebx, ecx, edx;
  enum { OSXSAVE = 27, XMM_YMM = 0x6, OPMASK_ZMM = 0xe0 };
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx >> OSXSAVE & 1)) return 0;
  __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
  const bool ymm = (eax & XMM_YMM) == XMM_YMM, zmm = (eax & OPMASK_ZMM) == OPMASK_ZMM;
  return (ymm ? 1u << MBD_OS_YMM : 0) | (ymm && zmm ? 1u << MBD_OS_ZMM : 0);
}

uint32_t
mbdi_machine_features(void)
{
  uint32_t bits = saved_registers();
  for (int k = 0; k < MBD_FEATURES; k++) {
    const mbdi_feature_t * f = &mbdi_feature[k];
    uint32_t r[4];
    if (!__get_cpuid_count(f->leaf, 0, &r[0], &r[1], &r[2], &r[3])) continue;
    bits |= (r[f->reg] >> f->bit & 1) << k;
  }
  return bits;
}

#else

uint32_t
mbdi_machine_features(void)
{
  return 0;
}

#endif
