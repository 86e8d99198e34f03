// Contact of two surfaces, and the rows of on_surface, touch and roll.
//
//   mbdi_contact                    where they are closest along the normal of A
//   mbdi_contact_rows               rows as functionals of the motion of B relative to A
//   mbdi_contact_rates              how these change while B moves
//   mbdi_contact_quadratic_change   variation of (rate of the rows) . V
//
// All vectors are in axes of A.
#ifndef SURFACE_H_
#define SURFACE_H_

#include "mbdyn/constraints/closure.h"

typedef struct mbdi_contact {
  mbd_vec3_t n;  // normal of A, to its outside
  mbd_vec3_t k;  // from the contact point of B to B's origin
  double gap;    // from A to B along n
  double slope;  // length of the gradient that n was made of, negative inside
  double side;   // tangents are smooth except where n = -side z
} mbdi_contact_t;

mbdi_contact_t mbdi_contact(
  const mbd_surface_t * a, const mbd_surface_t * b, const mbd_placement_t * X);

// one row along n, or two along the tangents
void mbdi_contact_rows(bool roll, const mbdi_contact_t * contact, mbd_force_t * functional);

void mbdi_contact_rates(
  const mbd_closure_t * c, const mbd_placement_t * X, const mbdi_contact_t * contact,
  mbd_motion_t V, mbd_force_t * rate);

// the displacement of B is `moved`, that of V is dV
void mbdi_contact_quadratic_change(
  const mbd_closure_t * c, const mbd_placement_t * X, const mbdi_contact_t * contact,
  mbd_motion_t moved, mbd_motion_t V, mbd_motion_t dV, double * change);

#endif  // SURFACE_H_
