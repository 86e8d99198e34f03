/// \file contact_peer.h
/// Time steps with contact by another library, for bench_contact.
///
///   contact_case_t   robot, contacts, and states
///   contact_peer_t   a library
#ifndef CONTACT_PEER_H_
#define CONTACT_PEER_H_

#include <stdbool.h>

#include "mbdyn/constraints.h"
#include "mbdyn/model.h"

/// A free base and joints of one degree of freedom; contacts with planes of the world.
typedef struct contact_case {
  const char * file;  ///< URDF
  const mbd_model_t * model;
  double time_step;
  int n;
  const mbd_contact_t * contact;  ///< frames and normals                             [n]
  const mbd_vec3_t * foot;        ///< what touches, in its frame                     [n]
  const mbd_vec3_t * wall;        ///< a point of the plane that it touches           [n]
  int nstate;
  const double *q, *v, *tau;  ///< nstate x nq, nstate x nv
  double friction;
} contact_case_t;

/// A library, or one of its methods. What `load` does is not timed.
typedef struct contact_peer {
  const char * name;
  void * (*load)(const contact_case_t * robot);  ///< NULL: it cannot
  bool (*run)(void * loaded, int state);
  int (*active)(const void * loaded);  ///< contacts of the last run
  void (*unload)(void * loaded);
} contact_peer_t;

/// Ends with a name of NULL.
extern const contact_peer_t contact_mujoco[];

#endif  // CONTACT_PEER_H_
