/// \file options.h
/// The command line of mbdyn_bench.
///
///   bench_options_t     what was asked for
///   options_parse
#ifndef OPTIONS_H_
#define OPTIONS_H_

#include "robot.h"

enum { MAX_ROBOTS = 64, MAX_PATHS = 32, MAX_FRAMES = 16 };

/// A robot that was asked for: a file, or a chain of so many bodies.
typedef struct wanted_robot {
  const char * file;  ///< NULL for a chain
  int chain;
  bool floating;
} wanted_robot_t;

typedef struct bench_options {
  wanted_robot_t robot[MAX_ROBOTS];
  int nrobot;
  const char * plugins[MAX_PATHS];  ///< files and folders
  int nplugins;
  const char * frame[MAX_FRAMES];
  int nframe;
  uint64_t functions;
  int rounds, nstate, batch, dense;
  double seconds, limit, tolerance;
  unsigned long long seed;
  bool callgrind, wall, cold, list;
  const char *json, *markdown, *svg;
} bench_options_t;

/// Parse the command line.
/// \return -1 to go on, else the exit code: 0 after --help, 2 after a message on stderr
int options_parse(int argc, char ** argv, bench_options_t * options);

#endif  // OPTIONS_H_
