// Rows of closures as functionals of a relative motion, shared by closure.c and its users.
#ifndef CLOSURE_INTERNAL_H_
#define CLOSURE_INTERNAL_H_

#include "constraints/surface.h"
#include "mbdyn/constraints/closure.h"

// The rows of a closure between frames. V is the motion of B's body less that of A's body (of B's
// body alone for rows over the world), both at the origin and in the axes of `at`. Row r changes by
// functional[r] . V; on a force of size lambda[r] at `at`, functional[r] is what acts on B's body and
// its opposite on A's.
typedef struct mbdi_closure_form {
  mbd_placement_t at;  // in the world: axes of A, origin of B (of A for rows over the world)
  mbd_placement_t X;   // B in A
  double c[MBD_CLOSURE_ROWS_MAX];  // values, drivers not taken off
  mbd_force_t functional[MBD_CLOSURE_ROWS_MAX];
  mbdi_contact_t contact;  // of surfaces
} mbdi_closure_form_t;

// rows of no_slip and rolling are of the velocity of B's body over the world, all others of B in A
static inline bool
mbdi_closure_is_over_world(const mbd_closure_t * c)
{
  return c->type == MBD_CLOSURE_NO_SLIP || c->type == MBD_CLOSURE_ROLLING;
}

// needs the position stage; not for couplings
mbdi_closure_form_t mbdi_closure_form(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c);

// Rows of G of one closure: those of G that begin at `G`, `stride` apart, are cleared in [0, stride)
// and filled. column[k] is where degree of freedom k of the tree goes, or -1 for nowhere; NULL: k.
void mbdi_closure_fill(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, const int * column,
  int stride, double * G);

// mbdi_closure_fill, _fill_bias and _fill_error with the form of the closure at the present position, which is evaluated once for all of
// them; not for couplings.
void mbdi_closure_form_fill(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c,
  const mbdi_closure_form_t * form, const int * column, int stride, double * G);
mbd_status_t mbdi_closure_form_bias(
  const mbd_data_t * data, const mbd_closure_t * c, const mbdi_closure_form_t * form, double t,
  double * gamma);
mbd_status_t mbdi_closure_form_error(
  const mbd_closure_t * c, const mbdi_closure_form_t * form, double t, double * d);

// d/dt of what mbdi_closure_fill gives, column not NULL; needs the velocity stage
void mbdi_closure_fill_rate(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, const int * column,
  int stride, double * dG);

// Motions of bodies in their axes, and how they change while the robot is displaced: velocities, and
// accelerations at zero acceleration of all joints.
typedef struct mbdi_body_changes {
  mbd_motion_t *V, *A, *dV, *dA;  // [nbody]
} mbdi_body_changes_t;

// variation of gamma of one closure for a displacement, given as the velocity stage of data
void mbdi_closure_bias_change(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c,
  const mbdi_body_changes_t * changes, double * dgamma);

// y = G x of one closure, without forming G; needs the position stage
void mbdi_closure_product(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, const double * x,
  double * y);

// gamma of one closure; needs the bias stage
mbd_status_t mbdi_closure_fill_bias(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, double t,
  double * gamma);

// d of one closure; needs the position stage
mbd_status_t mbdi_closure_fill_error(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, double t,
  double * d);

// largest possible change of each closure row per unit of one degree of freedom: its scale in rank
// decisions, independent of units; needs the position stage
void mbdi_closure_scale(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, double * scale);

// the row is an angle [rad], not a length [m]
bool mbdi_closure_is_angle(const mbd_model_t * model, const mbd_closure_t * c, int row);

// closure that a row belongs to
int mbdi_closure_of_row(const mbd_model_t * model, int row);

// s, its rate and second rate at t for the driver of a closure
mbd_status_t mbdi_closure_drive(const mbd_closure_t * c, double t, double s[3]);

#endif  // CLOSURE_INTERNAL_H_
