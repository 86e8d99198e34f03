// KDL's inverse kinematics behind a C interface, on the chain of a model.
#ifndef IK_PEER_H_
#define IK_PEER_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ik_peer ik_peer_t;

typedef enum ik_peer_method { IK_PEER_LMA, IK_PEER_NR_JL } ik_peer_method_t;

// chain from the base to a frame, revolute and prismatic joints only; NULL if it has others
ik_peer_t * ik_peer_create(const mbd_model_t * model, int frame);
void ik_peer_destroy(ik_peer_t * peer);

// joints on the path and their numbers in q
int ik_peer_joints(const ik_peer_t * peer);
int ik_peer_number(const ik_peer_t * peer, int k);

// true if KDL says that it has solved; q of the joints on the path
bool ik_peer_solve(
  ik_peer_t * peer, ik_peer_method_t method, const mbd_placement_t * pose, const double * seed,
  double * q);

// pose of the frame, by KDL
void ik_peer_pose(ik_peer_t * peer, const double * q, mbd_placement_t * pose);

#ifdef __cplusplus
}
#endif

#endif  // IK_PEER_H_
