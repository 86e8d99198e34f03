/// \file functions.h
/// Table of the functions that can be measured.
///
///   bench_functions           key for the command line, name and properties of each function
///   bench_result_size         number of doubles in a result
///   bench_states_per_call     1, or the batch size
///   bench_select_functions    "id,fd,mass" -> bits
#ifndef FUNCTIONS_H_
#define FUNCTIONS_H_

#include <stddef.h>
#include <stdint.h>

#include "bench_plugin.h"

typedef struct bench_function_info {
  const char * key;   ///< for the command line
  const char * name;  ///< for tables
  bool dense;         ///< the result, or an intermediate matrix in many libraries, has nv^2 entries
  bool batch;
  bool f32;                 ///< in single precision
  bench_function_t single;  ///< function for one state: of a batch function, or itself
} bench_function_info_t;

extern const bench_function_info_t bench_functions[BENCH_FUNCTIONS];

/// Bit of a function in a set of functions.
#define BENCH_BIT(function) (UINT64_C(1) << (function))

/// Set of all functions.
#define BENCH_ALL_FUNCTIONS (BENCH_BIT(BENCH_FUNCTIONS) - 1)

/// Number of doubles that bench_plugin_t.result writes.
size_t bench_result_size(const bench_robot_t * robot, bench_function_t function);

/// Number of states per call.
int bench_states_per_call(const bench_robot_t * robot, bench_function_t function);

/// Parse comma-separated keys into a set. False for an unknown key; `wrong` points to it.
bool bench_select_functions(const char * keys, uint64_t * bits, const char ** wrong);

#endif  // FUNCTIONS_H_
