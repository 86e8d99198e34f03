/// \file tally.h
/// How many random robots a property test goes through, and how many of them it compared.
///
///   MBDYN_TEST_ROBOTS   in the environment scales all numbers of robots: `20%`, or `40` for 40 in
///                       place of the usual 200 (which is 20% too); `500%` for a long search. At
///                       least 5 robots are left to a test that has so many.
///
///   robots, FOR_SEEDS   a number of robots after this scale; a loop over so many seeds
///   tally               counts what a filter lets through, returns the filter's answer
///   assert_enough       fails unless the filter let this share through
///   assert_count        fails unless something was seen so often, scaled as robots are
#ifndef TALLY_H_
#define TALLY_H_

// cmocka wants these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Robots of a property test that has n of them by default.
enum { TREES = 200 };

uint64_t robots(int n);

#define FOR_SEEDS(n) for (uint64_t seed = 1; seed <= robots(n); seed++)

/// What a property test compared, and what its filter kept out.
typedef struct {
  int compared, skipped;
} tally_t;

/// Count one case: `if (!tally(&cases, rank == 6)) continue;`
bool tally(tally_t * cases, bool use);

/// Fail unless at least this share of all cases was compared, and one at least. With fewer robots
/// than by default three standard deviations less are enough.
void assert_enough_(const tally_t * cases, double share, const char * file, int line);

#define assert_enough(cases, share) assert_enough_(cases, share, __FILE__, __LINE__)

/// Fail unless count >= least; least is scaled as robots are, with the same allowance.
void assert_count_(double count, double least, const char * what, const char * file, int line);

#define assert_count(count, least) assert_count_(count, least, #count, __FILE__, __LINE__)

#ifdef __cplusplus
}
#endif

#endif  // TALLY_H_
