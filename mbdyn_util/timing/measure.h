/// \file measure.h
/// Time, or instructions, of calls.
///
///   bench_entry_t        a call to measure
///   bench_measure        several of them, rounds interleaved
///   bench_fastest        the quickest of several, found out in a short time
///   bench_empty_call     what the loop itself takes
///   bench_use_wall_clock count the time that others have the processor in as well
///   bench_use_counter    count instructions in place of nanoseconds
#ifndef MEASURE_H_
#define MEASURE_H_

#include "bench_plugin.h"

/// A way of a plug-in with a robot loaded in it.
typedef struct bench_entry {
  const bench_robot_t * robot;
  void * loaded;
  const bench_way_t * way;
  int state;           ///< where the next call goes on
  double min, median;  ///< results per state [ns], or instructions
} bench_entry_t;

/// Times of n entries: `rounds` rounds, in each of which every entry has its turn, about `seconds`
/// for each entry in all. What takes long gets fewer rounds, but three. False without memory.
bool bench_measure(bench_entry_t * entry, int n, int rounds, double seconds);

/// Index of the fastest of n entries.
int bench_fastest(bench_entry_t * entry, int n);

/// Time of a call that does nothing [ns].
double bench_empty_call(void);

/// Time by the clock on the wall. Otherwise it is the processor time of this thread, which other
/// programs do not add to; a library that has threads of its own needs the clock on the wall.
void bench_use_wall_clock(void);

/// Ask this for a number of instructions, from now on: it runs `calls` calls of an entry.
void bench_use_counter(double (*counter)(bench_entry_t * entry, int calls));

/// Make this many calls, one state after the other. The same state never comes twice in a row, so
/// that a library which keeps results has nothing from it.
void bench_run(bench_entry_t * entry, int calls);

#endif  // MEASURE_H_
