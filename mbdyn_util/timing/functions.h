/// \file functions.h
/// What can be measured, by name.
///
///   bench_functions           name, key for the command line, kind of each function
///   bench_result_size         numbers of a result
///   bench_states_per_call     1, or the batch
///   bench_select_functions    "id,fd,mass" -> bits
#ifndef FUNCTIONS_H_
#define FUNCTIONS_H_

#include <stddef.h>
#include <stdint.h>

#include "bench_plugin.h"

typedef struct bench_function_info {
  const char * key;   ///< for the command line
  const char * name;  ///< for people
  bool dense;         ///< has nv^2 numbers, or takes a matrix of them on its way in many libraries
  bool batch;
  bool f32;                 ///< in single precision
  bench_function_t single;  ///< what a batch function does for one state; else the function itself
} bench_function_info_t;

extern const bench_function_info_t bench_functions[BENCH_FUNCTIONS];

/// A function in a set of functions.
#define BENCH_BIT(function) (UINT64_C(1) << (function))

/// All of them.
#define BENCH_ALL_FUNCTIONS (BENCH_BIT(BENCH_FUNCTIONS) - 1)

/// Numbers that bench_plugin_t.result writes.
size_t bench_result_size(const bench_robot_t * robot, bench_function_t function);

/// States that one call computes.
int bench_states_per_call(const bench_robot_t * robot, bench_function_t function);

/// Keys separated by commas as bits. On an unknown key, false and where it starts in `wrong`.
bool bench_select_functions(const char * keys, uint64_t * bits, const char ** wrong);

#endif  // FUNCTIONS_H_
