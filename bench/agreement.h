/// \file agreement.h
/// Whether results agree.
///
///   check_t            results of all states by the reference, to hold others against
///   check_begin        those of an entry
///   check_begin_batch  what a batch function has to give, state by state
///   check_against      largest relative difference of another entry
#ifndef AGREEMENT_H_
#define AGREEMENT_H_

#include <stddef.h>

#include "measure.h"
#include "plugins.h"

typedef struct check {
  size_t size;    ///< numbers of a result
  int nstate;     ///< calls that were compared
  double * want;  ///< [nstate x size]
  double * got;   ///< [size]
  // where the largest difference is
  int state;
  size_t element;
  double expected, found;
} check_t;

/// Results of the reference, at as many states as a second allows. False if a call fails, if a
/// number is not finite, or without memory.
bool check_begin(check_t * check, const bench_entry_t * entry, const bench_plugin_t * plugin);

/// Results that a batch function has to give, from an entry that computes one state at a time.
bool check_begin_batch(
  check_t * check, const bench_entry_t * entry, const bench_plugin_t * plugin,
  bench_function_t batch);

/// Largest difference relative to the largest number of a result; infinite if a call fails or a
/// number is not finite.
double check_against(check_t * check, const bench_entry_t * entry, const bench_plugin_t * plugin);

void check_end(check_t * check);

#endif  // AGREEMENT_H_
