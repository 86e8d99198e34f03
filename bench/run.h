/// \file run.h
/// Measuring one robot with all libraries.
///
///   run_settings_t   how long, what, how exactly
///   bench_run_case   load, check that results agree, measure
#ifndef RUN_H_
#define RUN_H_

#include "report.h"
#include "robot.h"

typedef struct run_settings {
  uint64_t functions;  ///< bits
  int rounds;
  double seconds;               ///< for each function and library
  double limit;                 ///< what would take longer than this in one call is left out [s]
  double tolerance;             ///< relative agreement to ask for where the plug-in says nothing
  const bench_row_t * shorter;  ///< the same for a shorter chain, to guess from; or NULL
} run_settings_t;

/// Measure a robot. Disagreement is printed on stderr, counted in report->mismatches, and not
/// measured. False without memory.
bool bench_run_case(
  bench_case_t * c, const run_settings_t * settings, bench_report_t * report, bench_row_t * row);

#endif  // RUN_H_
