// A robot as torques, accelerations and mass matrices see it, with as little in it as can be.
//
//   mbdi_lean_body_t      a body in axes that are turned about its joint's, and moved along it, so that
//                        the way to the next joint goes along x, turns about x, and goes along the
//                        next joint's axis: as Denavit and Hartenberg have it
//   mbdi_lean_inertia_t   what is left of its inertia: the part of a turning body that lies on its axis
//                        (mass, first and second moment along it) moves as the parent does, and is
//                        given to the parent; what a base gives, the world takes
//   mbdi_lean_geometry    the former, of a model
//   mbdi_lean_inertias    the latter, of inertias in use
#ifndef LEAN_H_
#define LEAN_H_

#include "mbdyn/model.h"

typedef enum mbdi_lean_kind {
  LEAN_TWIST,  // turns about z, after a turn about the parent's x
  LEAN_TURN,   // turns about z, after turns about the parent's z and the new x
  LEAN_SLIDE,
  LEAN_FREE,
  // Forms of LEAN_TWIST that most robots are made of, for kernels that save by them. Its origin is
  // `foot` along the parent's x and `along` its own axis.
  LEAN_RIGHT,    // a quarter turn about x, with the sine -1: its axis is the parent's y
  LEAN_PARALLEL  // none: its axis is the parent's z
} mbdi_lean_kind_t;

// the way from a body to its parent, where inertias are taken along it
typedef enum mbdi_lean_way {
  WAY_RIGHT,     // along its axis, a quarter turn about the parent's x, along that
  WAY_PARALLEL,  // the same without turn
  WAY_TWIST,     // the same with any turn
  WAY_TURN,      // a joint that turns, of any other kind
  WAY_SLIDE,
  WAY_FREE,
  WAY_ROTOR  // a joint that turns and has a rotor: of inertias about its axis something is left
} mbdi_lean_way_t;

// cosine and sine
typedef struct mbdi_lean_angle {
  double c, s;
} mbdi_lean_angle_t;

// products of them
typedef struct mbdi_lean_squares {
  double cc, ss, cs, sin2, cos2;
} mbdi_lean_squares_t;

// What sweeps read of most bodies is in the first 64 bytes; what they need to take inertias along, in
// the next.
typedef struct mbdi_lean_body {
  double p[3];              // origin of the joint in the parent's axes
  mbdi_lean_angle_t twist;  // of kinds that turn: the turn about x
  int32_t parent, kind;
  int32_t q, v;   // where its numbers begin
  int16_t form;   // the kind, or which form of it
  int16_t light;  // nothing is left of the mass of its subtree
  int16_t leaf;   // no body hangs on it
  int16_t forks;  // a body other than the next one hangs on it

  int32_t way, spare;
  double foot, along;  // of WAY_TWIST and WAY_RIGHT: along the parent's x, along its own axis
  mbdi_lean_squares_t square;  // of the twist

  mbdi_lean_angle_t mount;  // of LEAN_TURN: the turn about z in front of that about x
  mbdi_lean_angle_t own;    // how far its axes are turned about z from those of the body,
  double lift;              // and its origin is moved along z
  mbdi_lean_angle_t zero;   // the joint's angle at q = 0
  double T[9];              // of all: the turn from the parent's axes to the joint, row by row
} mbdi_lean_body_t;

typedef struct mbd_lean_inertia {
  double mass, total;  // of the body, and of its subtree
  mbd_vec3_t h;        // first moment
  mbd_sym3_t J;        // second moments about the origin
} mbdi_lean_inertia_t;

struct mbd_plan;
// into the plan
void mbdi_lean_geometry(const mbd_model_t * model, struct mbd_plan * plan);
// Twice as many as there are bodies: after those that are left the whole ones, about the same origins
// and in the same axes, with moments of inertia for second moments. (Articulated inertias of a long
// chain would lose digits by masses that were given all the way to its base.)
void mbdi_lean_inertias(
  const struct mbd_plan * plan, const mbd_inertia_t * inertia, mbdi_lean_inertia_t * lean);

#endif  // LEAN_H_
