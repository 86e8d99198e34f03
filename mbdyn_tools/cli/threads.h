/// \file threads.h
/// Threads of a command that has many states to compute.
///
///   threads_default    as many as there are processors
///   threads_take       the value of an option --threads
///   threads_run        parts of a work, one to each thread
#ifndef THREADS_H_
#define THREADS_H_

enum { THREADS_MOST = 256 };

/// Processors that are there, 1 to THREADS_MOST.
int threads_default(void);

/// Read the value of --threads. NULL, or what was expected instead.
const char * threads_take(const char * value, int * threads);

/// Call part(context, 0) to part(context, n - 1), each on a thread of its own, the first on this
/// one; returns when all are done. Where no thread can be had, this one does its part too.
/// \param[in] n  1 to THREADS_MOST
void threads_run(int n, void (*part)(void * context, int part), void * context);

#endif  // THREADS_H_
