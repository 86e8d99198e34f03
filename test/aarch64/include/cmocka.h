/// \file cmocka.h
/// As much of cmocka's interface as the tests of the core use, for processors that Debian's package
/// is not installed for. The first failure ends the program.
#ifndef CMOCKA_H_
#define CMOCKA_H_

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
  const char * name;
  void (*function)(void ** state);
};

#define cmocka_unit_test(f) \
  {                         \
#f, f                   \
  }

static inline _Noreturn void
_fail(const char * file, int line)
{
  printf("%s:%d: error: failure\n[  FAILED  ]\n", file, line);
  fflush(stdout);
  exit(1);
}

static inline void
print_error(const char * format, ...)
{
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
}
#define print_message print_error

#define fail_msg(...)                   \
  do {                                  \
    print_error("ERROR: " __VA_ARGS__); \
    _fail(__FILE__, __LINE__);          \
  } while (0)
#define fail() _fail(__FILE__, __LINE__)
#define assert_true(c)                       \
  do {                                       \
    if (!(c)) fail_msg("%s is false\n", #c); \
  } while (0)
#define assert_false(c)            assert_true(!(c))
#define assert_null(p)             assert_true((p) == NULL)
#define assert_non_null(p)         assert_true((p) != NULL)
#define assert_ptr_equal(a, b)     assert_true((a) == (b))
#define assert_int_equal(a, b)     assert_true((intmax_t)(a) == (intmax_t)(b))
#define assert_int_not_equal(a, b) assert_true((intmax_t)(a) != (intmax_t)(b))
#define assert_in_range(x, low, high) \
  assert_true((uintmax_t)(x) >= (uintmax_t)(low) && (uintmax_t)(x) <= (uintmax_t)(high))
#define assert_string_equal(a, b)     assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, n)  assert_true(memcmp(a, b, n) == 0)

static inline int
cmocka_run_tests_(const struct CMUnitTest * test, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    void * state = NULL;
    printf("[ RUN      ] %s\n", test[i].name);
    fflush(stdout);
    test[i].function(&state);
    printf("[       OK ] %s\n", test[i].name);
  }
  return 0;
}

#define cmocka_run_group_tests(tests, setup, teardown) \
  ((void)(setup), (void)(teardown), cmocka_run_tests_(tests, sizeof(tests) / sizeof *(tests)))

#endif  // CMOCKA_H_
