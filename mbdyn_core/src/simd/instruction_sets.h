// Instruction sets that kernels are compiled for, and what a machine has of them.
//
//   mbdi_feature_t            one extension of x86-64: its name, and where cpuid has it
//   mbdi_kernel_features      what a compilation of the kernels needs
//   mbdi_machine_features     what this machine has, and its operating system keeps
//   mbdi_kernels_level        the best compilation for a machine
#ifndef INSTRUCTION_SETS_H_
#define INSTRUCTION_SETS_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct mbdi_feature {
  const char * name;   // as in /proc/cpuinfo
  const char * macro;  // by which the compiler says that it uses it
  int level;           // of the first compilation that has it: 3 (x86-64-v3) or 4 (-v4)
  uint32_t leaf;       // of cpuid, subleaf 0
  int reg, bit;        // 0 eax, 1 ebx, 2 ecx, 3 edx
} mbdi_feature_t;

enum { MBD_FEATURES = 21 };
extern const mbdi_feature_t mbdi_feature[MBD_FEATURES];

// one bit for each of the table, and one for each register file that the operating system has to
// save
enum { MBD_OS_YMM = MBD_FEATURES, MBD_OS_ZMM };

// bits of level 3 or 4; none for level 1
uint32_t mbdi_kernel_features(int level);

uint32_t mbdi_machine_features(void);

// 4, 3 or 1: the best whose features are all there
int mbdi_kernels_level(uint32_t features);

#endif  // INSTRUCTION_SETS_H_
