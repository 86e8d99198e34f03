/// \file realtime.h
/// Priority and processor of the threads that a message passes in this process: the middleware's
/// that receive it and ours that answers it.
///
///   realtime_apply     to the control thread and the threads of the middleware
#ifndef MBDYN_ROS__REALTIME_H_
#define MBDYN_ROS__REALTIME_H_

#include <pthread.h>
#include <stdbool.h>

typedef struct realtime_options {
  int priority;      ///< SCHED_FIFO; 0: as it is
  int cpu;           ///< processor to bind to; -1: as it is
  bool lock_memory;  ///< all memory of the process stays resident
} realtime_options_t;

typedef struct realtime_result {
  int threads;           ///< of the middleware that were found, changed or not
  int scheduling_error;  ///< errno of the first refusal of priority or processor; 0: none
  int memory_error;      ///< errno of locking; 0: none
} realtime_result_t;

/// Threads of the middleware are known by the names that Cyclone DDS and newer Fast DDS (that of
/// Jazzy) give them; of a middleware without such names none is found. Those made later are as others
/// are. What is refused is left as it was, and the rest is done.
realtime_result_t realtime_apply(pthread_t control, const realtime_options_t * options);

#endif  // MBDYN_ROS__REALTIME_H_
