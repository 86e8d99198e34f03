// A robot as torques, accelerations and mass matrices see it, with as little in it as can be.
//
//   mbd_lean_body_t      a body in axes that are turned about its joint's, so that the way to the next
//                        joint begins with a turn about x alone, as Denavit and Hartenberg have it
//   mbd_lean_inertia_t   what is left of its inertia: the part of a turning body that lies on its axis
//                        (mass, first and second moment along it) moves as the parent does, and is
//                        given to the parent; what a base gives, the world takes
//   mbd_lean_geometry    the former, of a model
//   mbd_lean_inertias    the latter, of inertias in use
#ifndef LEAN_H_
#define LEAN_H_

#include "mbdyn/model.h"

typedef enum mbd_lean_kind {
  LEAN_TWIST,  // turns about z, after a turn about the parent's x
  LEAN_TURN,   // turns about z, after turns about the parent's z and the new x
  LEAN_SLIDE,
  LEAN_FREE
} mbd_lean_kind_t;

// cosine and sine
typedef struct mbd_lean_angle {
  double c, s;
} mbd_lean_angle_t;

// what sweeps read of most bodies is in the first 64 bytes
typedef struct mbd_lean_body {
  double p[3];             // origin of the joint in the parent's axes
  mbd_lean_angle_t twist;  // of kinds that turn: the turn about x
  int32_t parent, kind;
  int32_t q, v;            // where its numbers begin
  int16_t light;           // nothing is left of the mass of its subtree
  int16_t leaf;            // no body hangs on it
  int32_t forks;           // a body other than the next one hangs on it
  mbd_lean_angle_t mount;  // of LEAN_TURN: the turn about z in front of that about x
  mbd_lean_angle_t own;    // how far its axes are turned about z from those of the body
  mbd_lean_angle_t zero;   // the joint's angle at q = 0
  double T[9];             // of all: the turn from the parent's axes to the joint, row by row
  double spare;
} mbd_lean_body_t;

typedef struct mbd_lean_inertia {
  double mass, total;  // of the body, and of its subtree
  mbd_vec3_t h;        // first moment
  mbd_sym3_t J;        // second moments about the origin
} mbd_lean_inertia_t;

struct mbd_plan;
// into the plan
void mbd_lean_geometry(const mbd_model_t * model, struct mbd_plan * plan);
void mbd_lean_inertias(
  const struct mbd_plan * plan, const mbd_inertia_t * inertia, mbd_lean_inertia_t * lean);

#endif  // LEAN_H_
