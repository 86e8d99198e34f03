// Derivatives of batches in structures of arrays, in double and single precision, for plugin_mbdyn.c.
#ifndef TIMING__SOA_DERIVATIVES_H_
#define TIMING__SOA_DERIVATIVES_H_

#include "bench_plugin.h"
#include "mbdyn/mbdyn.h"

typedef struct soa_derivatives soa_derivatives_t;

// states of the robot and memory for their results; NULL if out of memory
soa_derivatives_t * soa_derivatives_create(const mbd_model_t * model, const bench_robot_t * robot);

// NULL is allowed
void soa_derivatives_destroy(soa_derivatives_t * s);

// Derivatives of inverse or forward dynamics of as many states as a batch has, from one on: BENCH_SOA_... and
// BENCH_F32_..._DERIVATIVES.
mbd_status_t soa_derivatives_run(soa_derivatives_t * s, bench_function_t function, int state);

// results of the last call, three whole matrices of each state; false if out of memory
bool soa_derivatives_result(const soa_derivatives_t * s, bench_function_t function, double * out);

#endif  // TIMING__SOA_DERIVATIVES_H_
