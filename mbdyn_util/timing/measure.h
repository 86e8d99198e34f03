/// \file measure.h
/// Measures time or instructions per call.
///
///   bench_entry_t        a call to measure
///   bench_measure        measure several entries in interleaved rounds
///   bench_fastest        fastest entry in a short trial
///   bench_empty_call     overhead of the loop
///   bench_use_wall_clock measure wall-clock time instead of processor time
///   bench_use_cold_caches evict the caches before each call
///   bench_use_counter    count instructions instead of nanoseconds
///   bench_run            repeat calls
#ifndef MEASURE_H_
#define MEASURE_H_

#include "bench_plugin.h"

/// An implementation of a plug-in, with a loaded robot.
typedef struct bench_entry {
  const bench_robot_t * robot;
  void * loaded;
  const bench_variant_t * variant;
  int state;           ///< state of the next call
  double min, median;  ///< results per state [ns], or instructions
} bench_entry_t;

/// Measure n entries in `rounds` interleaved rounds, about `seconds` in total per entry. Long calls get fewer
/// rounds, at least three. False if out of memory.
bool bench_measure(bench_entry_t * entry, int n, int rounds, double seconds);

/// Index of the fastest of n entries.
int bench_fastest(bench_entry_t * entry, int n);

/// Time of an empty call [ns].
double bench_empty_call(void);

/// Measure wall-clock time. The default is the processor time of the calling thread, which excludes other
/// programs, but also other threads of a library.
void bench_use_wall_clock(void);

/// Evict level 1 and 2 caches before each call, and measure wall-clock time. `seconds` has no effect.
void bench_use_cold_caches(void);

/// Count instructions with this function from now on; it runs `calls` calls of an entry.
void bench_use_counter(double (*counter)(bench_entry_t * entry, int calls));

/// Run `calls` calls, cycling through the states. Consecutive calls have different states, so that cached
/// results give no advantage.
void bench_run(bench_entry_t * entry, int calls);

#endif  // MEASURE_H_
