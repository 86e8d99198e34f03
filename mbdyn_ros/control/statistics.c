#include "statistics.h"

#include <math.h>
#include <stdbool.h>

static const double LOWEST = 100.0;  // [ns]
static const double WIDTH = 1.05;
static const double NANOSECONDS = 1e-9;

static int
bin_of(uint64_t nanoseconds)
{
  if ((double)nanoseconds < LOWEST) return 0;
  const int k = 1 + (int)(log((double)nanoseconds / LOWEST) / log(WIDTH));
  return k < HISTOGRAM_BINS ? k : HISTOGRAM_BINS - 1;
}

// upper end of a bin [ns]
static double
bin_end(int k)
{
  return LOWEST * pow(WIDTH, k);
}

// there is one writer: no read-modify-write that the bus would have to lock
static void
grow(atomic_uint_least64_t * number, uint64_t by)
{
  const uint64_t old = atomic_load_explicit(number, memory_order_relaxed);
  atomic_store_explicit(number, old + by, memory_order_relaxed);
}

void
histogram_add(histogram_t * histogram, int64_t nanoseconds)
{
  const uint64_t ns = nanoseconds > 0 ? (uint64_t)nanoseconds : 0;
  grow(&histogram->bin[bin_of(ns)], 1);
  grow(&histogram->sum, ns);
  if (ns > atomic_load_explicit(&histogram->max, memory_order_relaxed)) {
    atomic_store_explicit(&histogram->max, ns, memory_order_relaxed);
  }
}

void
histogram_read(const histogram_t * histogram, histogram_copy_t * copy)
{
  copy->count = 0;
  for (int k = 0; k < HISTOGRAM_BINS; k++) {
    copy->bin[k] = atomic_load_explicit(&histogram->bin[k], memory_order_relaxed);
    copy->count += copy->bin[k];
  }
  copy->sum = atomic_load_explicit(&histogram->sum, memory_order_relaxed);
  copy->max = atomic_load_explicit(&histogram->max, memory_order_relaxed);
}

void
histogram_since(
  const histogram_copy_t * now, const histogram_copy_t * before, histogram_copy_t * difference)
{
  const bool grew = now->max > before->max;
  const uint64_t now_max = now->max;
  int highest = -1;
  difference->count = 0;
  difference->sum = now->sum - before->sum;
  for (int k = 0; k < HISTOGRAM_BINS; k++) {
    difference->bin[k] = now->bin[k] - before->bin[k];
    difference->count += difference->bin[k];
    if (difference->bin[k]) highest = k;
  }
  const double end = highest < 0 ? 0 : bin_end(highest);
  difference->max = grew || (double)now_max < end ? now_max : (uint64_t)end;
}

double
histogram_quantile(const histogram_copy_t * copy, double q)
{
  if (copy->count == 0) return (double)NAN;
  const double max = (double)copy->max;
  if (q >= 1) return max * NANOSECONDS;
  const double rank = fmax(1, ceil(q * (double)copy->count));
  uint64_t below = 0;
  int k = 0;
  for (; k < HISTOGRAM_BINS; k++) {
    below += copy->bin[k];
    if ((double)below >= rank) break;
  }
  if (k >= HISTOGRAM_BINS - 1) return max * NANOSECONDS;
  // the geometric middle is at most half a bin away
  const double middle = k == 0 ? LOWEST / 2 : bin_end(k) / sqrt(WIDTH);
  return fmin(middle, max) * NANOSECONDS;
}

double
histogram_mean(const histogram_copy_t * copy)
{
  if (copy->count == 0) return (double)NAN;
  return (double)copy->sum / (double)copy->count * NANOSECONDS;
}
