// The assertions of this folder fail when they should: each case is a test of its own program, and
// its exit status is compared here.
#define _POSIX_C_SOURCE 200809L  // setenv

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "close.h"
#include "matrix.h"
#include "tally.h"

//---------- assert_close ----------

// two numbers against 1 and 2
static void
against_one_and_two(double a, double b)
{
  assert_close(((double[]){a, b}), ((double[]){1, 2}), 2, 1e-9, "numbers");
}

static void
equal(void ** context)
{
  (void)context;
  against_one_and_two(1, 2 + 1e-9);
  assert_near(larger(larger(3, 5), 4), 5, 0, "larger");
  assert_true(largest_entry(mat(2, 2)) == 0);
}

static void
different(void ** context)
{
  (void)context;
  against_one_and_two(1, 2 + 1e-8);
}

static void
not_a_number(void ** context)
{
  (void)context;
  against_one_and_two((double)NAN, 2);
}

static void
infinite(void ** context)
{
  (void)context;
  against_one_and_two(1, HUGE_VAL);
}

// an infinite scale says nothing of what is compared
static void
infinite_scale(void ** context)
{
  (void)context;
  assert_close_floor(((double[]){1}), ((double[]){2}), 1, 1e-9, HUGE_VAL, "numbers");
}

static void
not_a_number_among_largest(void ** context)
{
  (void)context;
  mat_t A = mat(2, 2);
  A.a[1] = (double)NAN;
  assert_true(largest_entry(A) == 0);
}

static void
not_a_number_is_larger(void ** context)
{
  (void)context;
  assert_true(larger(larger(0, (double)NAN), 1) < 2);
}

static void
other_shape(void ** context)
{
  (void)context;
  assert_mat(mat(2, 3), mat(3, 2), 1, "zeros");
}

static void
bad_status(void ** context)
{
  (void)context;
  assert_ok(MBD_ERROR_STAGE);
}

//---------- counts ----------

// one of three is compared, of 600 with the default number of robots
static void
third_of_all(double share)
{
  tally_t cases = {0};
  FOR_SEEDS(600) tally(&cases, seed % 3 == 0);
  assert_enough(&cases, share);
}

static void
enough_compared(void ** context)
{
  (void)context;
  third_of_all(0.33);
}

static void
too_few_compared(void ** context)
{
  (void)context;
  third_of_all(0.5);
}

static void
nothing_compared(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_SEEDS(TREES) tally(&cases, false);
  assert_enough(&cases, 0);
}

static void
no_case_at_all(void ** context)
{
  (void)context;
  const tally_t cases = {0};
  assert_enough(&cases, 0);
}

static void
count_of_all(void ** context)
{
  (void)context;
  int found = 0;
  FOR_SEEDS(TREES) found++;
  assert_count(found, TREES);
}

static void
count_of_half(void ** context)
{
  (void)context;
  int found = 0;
  FOR_SEEDS(TREES) found += seed % 2 == 0;
  assert_count(found, TREES);
}

static void
robots_by_count(void ** context)
{
  (void)context;
  assert_int_equal(robots(TREES), 40);
  assert_int_equal(robots(50), 10);
  assert_int_equal(robots(6), 5);
  assert_int_equal(robots(3), 3);
}

//---------- all of them ----------

typedef struct {
  const char * name;
  CMUnitTestFunction test;
  const char * robots;  // MBDYN_TEST_ROBOTS
  bool passes;
} case_t;

static const case_t CASES[] = {
  {"equal", equal, "", true},
  {"different", different, "", false},
  {"not_a_number", not_a_number, "", false},
  {"infinite", infinite, "", false},
  {"infinite_scale", infinite_scale, "", false},
  {"not_a_number_among_largest", not_a_number_among_largest, "", false},
  {"not_a_number_is_larger", not_a_number_is_larger, "", false},
  {"other_shape", other_shape, "", false},
  {"bad_status", bad_status, "", false},
  {"enough_compared", enough_compared, "", true},
  {"enough_compared", enough_compared, "10%", true},
  {"too_few_compared", too_few_compared, "", false},
  {"too_few_compared", too_few_compared, "50%", false},
  {"nothing_compared", nothing_compared, "", false},
  {"no_case_at_all", no_case_at_all, "", false},
  {"no_case_at_all", no_case_at_all, "10%", false},
  {"count_of_all", count_of_all, "", true},
  {"count_of_all", count_of_all, "30", true},
  {"count_of_all", count_of_all, "300%", true},
  {"count_of_half", count_of_half, "", false},
  {"count_of_half", count_of_half, "80", false},
  {"robots_by_count", robots_by_count, "40", true},
  {"robots_by_count", robots_by_count, "20%", true},
  {"robots_by_count", robots_by_count, "forty", false},
  {"robots_by_count", robots_by_count, "-5", false},
  {"robots_by_count", robots_by_count, "40 %", false},
};

// in a process of its own, where cmocka has no other test
static bool
passes(const case_t * c)
{
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    setenv("MBDYN_TEST_ROBOTS", c->robots, 1);
    if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL) {
      _exit(99);
    }
    const struct CMUnitTest tests[] = {{c->name, c->test, NULL, NULL, NULL}};
    _exit(cmocka_run_group_tests(tests, NULL, NULL));
  }
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) == 99)
    abort();
  return WEXITSTATUS(status) == 0;
}

int
main(void)
{
  int wrong = 0;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const case_t * c = &CASES[i];
    if (passes(c) == c->passes) continue;
    wrong++;
    printf(
      "%s, MBDYN_TEST_ROBOTS='%s': must %s\n", c->name, c->robots, c->passes ? "pass" : "fail");
  }
  printf("%zu cases, %d wrong\n", sizeof CASES / sizeof *CASES, wrong);
  return wrong != 0;
}
