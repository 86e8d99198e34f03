/// \file load_peer.h
/// Loading a URDF by another library, for bench_load.
#ifndef LOAD_PEER_H_
#define LOAD_PEER_H_

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a library made of a robot: the same for all.
typedef struct load_result {
  int nv;       ///< degrees of freedom
  double mass;  ///< of all moving bodies
} load_result_t;

/// Text to model by Pinocchio's buildModelFromXML, freed again; false if it fails.
bool load_pinocchio(const char * urdf, bool floating, load_result_t * result);

#ifdef __cplusplus
}
#endif

#endif  // LOAD_PEER_H_
