// A joint seen from the other side: the former parent is carried by the former child.
//
// Any joint, with the coordinates that it has: X' = X^-1, S' = -Ad(X) S. Joints whose own type does
// as well (reroot.c) do not need it.
#ifndef JOINT_REVERSED_H_
#define JOINT_REVERSED_H_

#include "mbdyn/model.h"

// ctx of the user joint that it becomes
typedef struct mbdi_reversed_joint {
  mbd_body_t body;  // type, nq, nv, pitch and user of the joint as it was; X_tree is the identity
  mbd_vec3_t axis;  // of its description
} mbdi_reversed_joint_t;

// what the joint was, from its description
mbdi_reversed_joint_t mbdi_reversed_joint(const mbd_body_spec_t * spec);

// the joint as a user joint with the given ctx, which must outlive it
mbd_user_joint_t mbdi_reversed_user_joint(mbdi_reversed_joint_t * ctx);

#endif  // JOINT_REVERSED_H_
