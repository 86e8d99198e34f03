/// \file statistics.h
/// Counts and times of the control thread, read by others while it runs: one writer, relaxed
/// atomics, no locks.
///
///   histogram_t                times on a logarithmic scale, 5 % wide bins, 100 ns to 100 s
///   histogram_add              by the writer
///   histogram_read             a copy, by any reader; its count is the sum of its bins
///   histogram_quantile, histogram_mean    of a copy, or of the difference of two (histogram_since)
#ifndef MBDYN_ROS__STATISTICS_H_
#define MBDYN_ROS__STATISTICS_H_

#include <stdatomic.h>
#include <stdint.h>

/// Bin 0 is for less than 100 ns, bin k for 100 ns * [1.05^(k-1), 1.05^k), the last for all above.
#define HISTOGRAM_BINS 426

typedef struct histogram {
  atomic_uint_least64_t bin[HISTOGRAM_BINS];
  atomic_uint_least64_t sum;  ///< [ns]
  atomic_uint_least64_t max;  ///< [ns], since the start
} histogram_t;

typedef struct histogram_copy {
  uint64_t bin[HISTOGRAM_BINS];
  uint64_t count, sum, max;
} histogram_copy_t;

/// Zeroed memory is an empty histogram. Negative times count as zero.
void histogram_add(histogram_t * histogram, int64_t nanoseconds);
void histogram_read(const histogram_t * histogram, histogram_copy_t * copy);
/// What was added between two copies; max is exact if it grew, else the end of the highest bin that
/// did.
void histogram_since(
  const histogram_copy_t * now, const histogram_copy_t * before, histogram_copy_t * difference);
/// The q-th quantile (0 to 1; 1 is the maximum) within 2.5 % [s]; NaN if empty.
double histogram_quantile(const histogram_copy_t * copy, double q);
double histogram_mean(const histogram_copy_t * copy);  ///< [s]; NaN if empty

#endif  // MBDYN_ROS__STATISTICS_H_
