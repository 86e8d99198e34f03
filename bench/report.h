/// \file report.h
/// Results of a benchmark run, and their output formats.
///
///   bench_cell_t       one function of one robot by one library
///   bench_row_t        a robot
///   bench_report_t     everything
///   report_text        tables for the terminal
///   report_markdown    tables for a document
///   report_json        for programs
///   report_svg         bars by function and library, and growth with the length of a chain
#ifndef REPORT_H_
#define REPORT_H_

#include <stdint.h>
#include <stdio.h>

#include "plugins.h"

typedef struct bench_cell {
  bool measured;
  double min, median;    ///< per state [ns], or instructions
  const char * variant;  ///< the fastest one, or NULL if there is just one
  double error;          ///< largest relative difference from the reference; 0 for the reference
} bench_cell_t;

/// A robot and its numbers.
typedef struct bench_row {
  char name[64];
  int chain;  ///< bodies of a generated chain, else 0
  int nv, nframe;
  bool floating;
  char frames[256];
  double load_seconds[BENCH_MAX_PLUGINS];
  char refused[BENCH_MAX_PLUGINS][BENCH_WHY];  ///< why a library did not take the robot, or ""
  bench_cell_t cell[BENCH_FUNCTIONS][BENCH_MAX_PLUGINS];
} bench_row_t;

typedef struct bench_report {
  const bench_plugins_t * plugins;
  uint64_t functions;  ///< bits of those asked for
  bool instructions;   ///< counted, not timed
  bool wall;           ///< by the clock on the wall, not processor time
  bool cold;           ///< with cold caches
  int rounds, nstate, batch;
  double seconds, empty_call;
  unsigned long long seed;
  char machine[128];
  int mismatches;
  int n;
  bench_row_t * row;  ///< [n]
} bench_report_t;

/// The smallest number that a peer has for a function, or 0: what ours is held against. A batch is
/// held against one state at a time as well.
double report_best_peer(const bench_report_t * report, const bench_row_t * row, int function);

/// Whether any library has a number for a function.
bool report_has(const bench_report_t * report, const bench_row_t * row, int function);

/// "7 degrees of freedom, fixed base, tip link7"
void report_describe(const bench_row_t * row, char * text, size_t size);

/// A number of three digits or more as people write it: 0.87, 12.3, 456, 78900.
void report_number(double x, char * text, size_t size);

void report_text(const bench_report_t * report, FILE * to);
void report_text_row(const bench_report_t * report, const bench_row_t * row, FILE * to);
void report_markdown(const bench_report_t * report, FILE * to);
void report_json(const bench_report_t * report, FILE * to);
void report_svg(const bench_report_t * report, FILE * to);

#endif  // REPORT_H_
