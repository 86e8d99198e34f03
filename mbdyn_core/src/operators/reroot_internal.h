// What taking a state from one model to the other needs: reroot.c makes it, reroot_state.c reads it.
#ifndef REROOT_INTERNAL_H_
#define REROOT_INTERNAL_H_

#include "mbdyn/operators/reroot.h"

// one way; the other has the models exchanged
typedef struct mbdi_reroot_path {
  const mbd_model_t *from, *to;
  int root;                // base body of `from`
  int base;                // base body of `to`
  mbd_placement_t X_base;  // link that is the base of `to`, in its body of `from`
  int n;                   // reversed joints
  int * body;              // their bodies of `from`, from the root's side to the new base     [n]
  int * joint;  // body of `to` with the joint of each body of `from`               [nbody]
} mbdi_reroot_path_t;

#endif  // REROOT_INTERNAL_H_
