/// \file embedded_robots.h
/// Random robots with loops and gears, embedded, and differences of fourth order to compare with.
///
///   FOR_EMBEDDED        each robot as `the`; begin(seed) of the test sets its motion, or leaves it out
///   embedded_robot      closes the loops and embeds them; false for ill-conditioned ones
///   assert_differences  an exact matrix against one by differences
#ifndef EMBEDDED_ROBOTS_H_
#define EMBEDDED_ROBOTS_H_

#include <math.h>
#include <string.h>

#include "loops.h"
#include "mbdyn/constraints/embedding.h"

/// Where a function is taken, in steps, and its weight over the step.
static const double OFFSET[4] = {-2, -1, 1, 2};
static const double WEIGHT[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

static closed_t the;
static int compared;

#define FOR_EMBEDDED                                                        \
  compared = 0;                                                             \
  for (uint64_t seed = 1; seed <= robots(SEEDS); closed_free(&the), seed++) \
    if (begin(seed))

static inline bool
embedded_robot(uint64_t seed)
{
  tree_options_t options = small_trees();
  memset(&the, 0, sizeof the);
  the = closed_tree(seed, &options, 1 + (int)(seed % 2), 1);
  if (!embed(&the, NULL, 0) || the.model->nv == 0) return false;
  double condition;
  assert_ok(mbd_set_terms(the.data, (uint32_t)(seed % 4)));
  assert_ok(mbd_set_position(the.model, the.data, the.t->q));
  assert_ok(mbd_embedding_condition(the.model, the.data, &condition, NULL));
  return condition <= 20;
}

/// Differences of large curvature are no measure.
static inline void
assert_differences(mat_t a, mat_t b, const char * what, uint64_t seed)
{
  double largest = 1;
  for (int k = 0; k < a.r * a.c; k++) largest = fmax(largest, fmax(fabs(a.a[k]), fabs(b.a[k])));
  for (int k = 0; k < a.r * a.c; k++) {
    if (!(fabs(a.a[k] - b.a[k]) < 2e-5 * largest)) {
      fail_msg("%s, seed %d, [%d]: %.12g, %.12g", what, (int)seed, k, a.a[k], b.a[k]);
    }
  }
  compared++;
}

static inline mat_t
square(void)
{
  return mat(the.model->nv, the.model->nv);
}

#endif  // EMBEDDED_ROBOTS_H_
