/// \file simulate_peer.h
/// Mechanisms in time by another library, for bench_simulate.
///
///   simulate_case_t     a mechanism: initial state, duration, values at the end
///   simulate_result_t   what a run gives
///   simulate_method_t   an integrator of a library
#ifndef SIMULATE_PEER_H_
#define SIMULATE_PEER_H_

#include <math.h>
#include <stdbool.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/// E. J. Haug, Computer-Aided Kinematics and Dynamics of Mechanical Systems, volume II, 5.4.4 and 5.8.2;
/// config/mechanisms has the data.
typedef enum simulate_kind { SIMULATE_ROD = 0, SIMULATE_QUICK_RETURN = 1 } simulate_kind_t;

/// Values at the end are x and z of the second sphere, or the angle of the crank and the position of the
/// cutter, from integrations in minimal coordinates.
typedef struct simulate_case {
  const char *name, *file;
  simulate_kind_t kind;
  double time, target;  ///< [s]; largest error at the end that counts
  double end[2];
  /// of the quick return: angles of bar and crank, positions of the cutter and of the key along the bar;
  /// their velocities
  double q[4], v[4];
} simulate_case_t;

typedef struct simulate_result {
  double end[2];
  double row;  ///< largest error of the length of the rod at the end [m]
  double cpu;  ///< of the simulation alone [s]
  long evaluations;
} simulate_result_t;

/// \param[in] accuracy  tolerance of the error control, or the step of methods without it
/// \return false if the library cannot
typedef struct simulate_method {
  const char * name;
  bool fixed;  ///< accuracy is a step
  int index;
  bool (*run)(const simulate_case_t * c, int index, double accuracy, simulate_result_t * result);
} simulate_method_t;

/// End with a name of NULL.
extern const simulate_method_t simulate_simbody[], simulate_mujoco[];

/// CPU time of this thread [s].
static inline double
simulate_cpu(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#ifdef __cplusplus
}
#endif

#endif  // SIMULATE_PEER_H_
