/// \file robot.h
/// A robot to measure: from a URDF file or generated, with its frames and states.
///
///   bench_settings_t     how many states, which frames
///   bench_case_t         a robot with all that is asked of it
///   bench_case_file      from a URDF file, fixed joints merged
///   bench_case_chain     a chain of N bodies
///   bench_case_free
#ifndef ROBOT_H_
#define ROBOT_H_

#include <stddef.h>
#include <stdint.h>

#include "bench_plugin.h"

typedef struct bench_settings {
  uint64_t seed;  ///< of states, and of chains
  int nstate;     ///< made a multiple of batch
  int batch;
  int nframe;
  const char * const * frame;  ///< links to ask for; none: tips are chosen  [nframe]
} bench_settings_t;

typedef struct bench_case {
  bench_robot_t robot;  ///< what plug-ins see; points into the rest
  uint64_t functions;   ///< bits of those that have an answer for it
  char * name;
  bench_link_t * link;
  char * link_names;  ///< of all links and joints, one after the other
  char * urdf;
  const char ** joint;
  const char ** frame;
  double * states;
} bench_case_t;

/// Read a robot; joints of one degree of freedom alone. NULL with the reason in why (BENCH_WHY).
bench_case_t * bench_case_file(
  const char * path, bool floating, const bench_settings_t * settings, char * why);

/// A chain of n bodies on revolute joints about x, y and z in turn, 0.5 m and about 1 kg each,
/// folded like a carpenter's rule, so that it stays of moderate size at any length.
bench_case_t * bench_case_chain(
  int n, bool floating, const bench_settings_t * settings, char * why);

void bench_case_free(bench_case_t * c);

#endif  // ROBOT_H_
