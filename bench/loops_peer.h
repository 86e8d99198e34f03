/// \file loops_peer.h
/// Forward dynamics with loops by another library, for bench_loops.
///
///   loops_case_t   spanning tree with its closures, and states
///   loops_peer_t   a library
///   loops_peers    those that were found
#ifndef LOOPS_PEER_H_
#define LOOPS_PEER_H_

#include <stdbool.h>

#include "mbdyn/constraints.h"
#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Joints are revolute, of a free base or fixed; closures are pins of planar linkages.
typedef struct loops_case {
  const mbd_model_t * tree;
  int nstate;
  const double * q;    ///< loops closed          [nstate x nq]
  const double * v;    ///< with them             [nstate x nv]
  const double * tau;  ///< of all joints         [nstate x nv]
} loops_case_t;

/// A library, or one of its methods. What `load` does is not timed.
typedef struct loops_peer {
  const char * name;
  void * (*load)(const loops_case_t * robot);  ///< NULL: it cannot
  bool (*run)(void * loaded, int state);
  void (*result)(
    void * loaded, int state, double * a);  ///< of the last run, ours by convention [nv]
  void (*unload)(void * loaded);
} loops_peer_t;

/// Ends with a name of NULL.
extern const loops_peer_t loops_pinocchio[], loops_rbdl[];

#ifdef __cplusplus
}
#endif

#endif  // LOOPS_PEER_H_
