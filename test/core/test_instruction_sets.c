// The choice of kernels: every feature that they were compiled with is asked for, and where one is
// missing a lesser set is taken.
#define _POSIX_C_SOURCE 200809L  // strdup
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "simd/instruction_sets.h"

static void
a_missing_feature_takes_the_level_away(void ** context)
{
  (void)context;
  const uint32_t v3 = mbdi_kernel_features(3), v4 = mbdi_kernel_features(4);
  int counted[2] = {0, 0};
  assert_int_equal(mbdi_kernel_features(1), 0);
  assert_int_equal(mbdi_kernels_level(0), 1);
  assert_int_equal(mbdi_kernels_level(v3), 3);
  assert_int_equal(mbdi_kernels_level(v4), 4);
  assert_int_equal(mbdi_kernels_level(~0u), 4);
  assert_int_equal(v3 & ~v4, 0);
  for (int k = 0; k <= MBD_OS_ZMM; k++) {
    const uint32_t bit = 1u << k;
    const bool in_v3 = v3 & bit;
    assert_true(v4 & bit);
    assert_int_equal(mbdi_kernels_level(v4 & ~bit), in_v3 ? 1 : 3);
    if (in_v3) assert_int_equal(mbdi_kernels_level(v3 & ~bit), 1);
    counted[in_v3]++;
  }
  assert_int_equal(counted[1], 17);
  assert_int_equal(counted[0], 6);
}

// by name: what the levels of x86-64 are made of
static void
levels_have_what_they_are_known_for(void ** context)
{
  (void)context;
  static const char * const names[2][16] = {
    {"pni", "ssse3", "fma", "cx16", "sse4_1", "sse4_2", "movbe", "popcnt", "xsave", "avx", "f16c",
     "bmi1", "avx2", "bmi2", "lahf_lm", "abm"},
    {"avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"}};
  int found = 0;
  for (int level = 3; level <= 4; level++) {
    for (int i = 0; i < 16 && names[level - 3][i]; i++) {
      for (int k = 0; k < MBD_FEATURES; k++) {
        if (strcmp(mbdi_feature[k].name, names[level - 3][i]) != 0) continue;
        assert_int_equal(mbdi_feature[k].level, level);
        found++;
      }
    }
  }
  assert_int_equal(found, MBD_FEATURES);
}

// macros that the compiler defines with the flags of a level, and not without
static void
check_macros(const char * macros, int level)
{
  char * text = strdup(macros);
  assert_non_null(text);
  int known = 0;
  for (char * m = strtok(text, " "); m; m = strtok(NULL, " ")) {
    // what is faster with FMA, and an instruction of SSE4.2
    if (strncmp(m, "__FP_FAST_", 10) == 0) continue;
    if (strcmp(m, "__CRC32__") == 0) m = "__SSE4_2__";
    bool found = false;
    for (int k = 0; k < MBD_FEATURES; k++) {
      found = found || (!strcmp(mbdi_feature[k].macro, m) && mbdi_feature[k].level <= level);
    }
    if (!found) print_error("level %d: %s is not asked for\n", level, m);
    assert_true(found);
    known++;
  }
  free(text);
  printf("             level %d: %d macros\n", level, known);
  assert_true(known >= (level == 3 ? 10 : 15));
}

static void
all_that_kernels_were_compiled_with_is_asked_for(void ** context)
{
  (void)context;
  check_macros(V3_MACROS, 3);
  check_macros(V4_MACROS, 4);
  // and that of the whole level
  check_macros(
    "__AVX2__ __AVX__ __BMI2__ __BMI__ __CRC32__ __F16C__ __FMA__ __LAHF_SAHF__ __LZCNT__ "
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16 __MOVBE__ __POPCNT__ __SSE3__ __SSE4_1__ __SSE4_2__ "
    "__SSSE3__ __XSAVE__",
    3);
}

// where cpuid has each: by what the kernel of the operating system found there
static void
the_machine_is_read_right(void ** context)
{
  (void)context;
  static char line[20000];
  FILE * file = fopen("/proc/cpuinfo", "r");
  bool found = false;
  while (file && !found && fgets(line, sizeof line - 1, file)) {
    found = strncmp(line, "flags", 5) == 0;
  }
  if (file) fclose(file);
  if (!found) skip();
  line[strcspn(line, "\n")] = ' ';
  const uint32_t bits = mbdi_machine_features();
  int there = 0;
  for (int k = 0; k < MBD_FEATURES; k++) {
    char word[40];
    snprintf(word, sizeof word, " %s ", mbdi_feature[k].name);
    const bool listed = strstr(line, word), read = bits >> k & 1;
    if (listed != read) print_error("%s: %d in /proc/cpuinfo\n", mbdi_feature[k].name, listed);
    assert_int_equal(listed, read);
    there += read;
  }
  printf("             %d features, level %d\n", there, mbdi_kernels_level(bits));
  // flags of AVX are listed only if the registers are saved
  assert_int_equal(bits >> MBD_OS_YMM & 1, strstr(line, " avx ") != NULL);
  assert_int_equal(bits >> MBD_OS_ZMM & 1, strstr(line, " avx512f ") != NULL);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_missing_feature_takes_the_level_away),
    cmocka_unit_test(levels_have_what_they_are_known_for),
    cmocka_unit_test(all_that_kernels_were_compiled_with_is_asked_for),
    cmocka_unit_test(the_machine_is_read_right)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
