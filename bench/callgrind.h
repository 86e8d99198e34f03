/// \file callgrind.h
/// Instructions per call: this program under valgrind's callgrind.
///
///   callgrind_restart    start over under valgrind, and wait
///   callgrind_begin      in the program that was started over: count from here on
///   callgrind_can_run    whether valgrind knows all instructions of a call
#ifndef CALLGRIND_H_
#define CALLGRIND_H_

#include "measure.h"

/// Run this program again with the same arguments under valgrind.
/// \return its exit code; -1, after a message on stderr, if that cannot be done
int callgrind_restart(char ** argv);

/// True in the program that callgrind_restart started: measuring counts instructions.
bool callgrind_begin(void);

/// Whether a call can be run: valgrind may not know all instructions of the processor.
bool callgrind_can_run(const bench_entry_t * entry);

#endif  // CALLGRIND_H_
