// Force elements at a state: what element.c computes for the engine with elements.
#ifndef TREE__ELEMENT_H_
#define TREE__ELEMENT_H_

#include "mbdyn/dynamics/element.h"
#include "state/state.h"

// Workspace of the elements of a model.
struct mbdi_elements {
  double time;          // of callbacks: mbd_set_time
  mbd_wrench_t * list;  // wrenches of the caller, then of the elements      [3 nframe + 2 nelement]
  double * tau;         // generalised force of the elements                 [nv]
  int * dof;            // degrees of freedom between the two frames         [nv]
  mbd_motion_t * S;     // their axes in the axes of A, minus those of A     [nv]
};

// A scalar law at its coordinate.
typedef struct mbdi_law {
  double f, f_x, f_rate;  // force and its derivatives
  double spring, damper;  // parts of f: stiffness and preload; damping. The rest is the callback's
  double energy;          // of stiffness and preload
} mbdi_law_t;

// An element at a state, in the axes of A, at the origin of A.
typedef struct mbdi_element_at {
  const mbd_element_spec_t * spec;
  mbd_placement_t X_a;  // A in the world
  mbd_placement_t X;    // B in A
  mbd_motion_t V;       // velocity of B relative to A
  mbd_vec3_t p_rate;    // of the origin of B in A
  mbd_force_t axis;     // of a scalar law: rate = axis . V
  double x, rate;
  mbdi_law_t law;
  mbd_vec3_t r;   // rotation vector of a bushing
  mbd_force_t f;  // on B
} mbdi_element_at_t;

// the element at the position stage, and at the velocity stage if `moving`; otherwise at rest
void mbdi_element_at(
  const mbd_model_t * model, const mbd_data_t * data, int k, bool moving, mbdi_element_at_t * at);

// change of at->f for a displacement of B relative to A and a change of at->V
mbd_force_t mbdi_element_vary(const mbdi_element_at_t * at, mbd_motion_t dx, mbd_motion_t dV);

// c of J^-1(r) = 1 - r~/2 + c r~^2, J the left Jacobian of SO(3); and dc/d|r| / |r|
double mbdi_log_rate_factor(double angle, double * slope);

// potential energy
double mbdi_element_energy(const mbdi_element_at_t * at);

// Wrenches of all elements, in world axes at the world's origin: 2 nelement at most; returns how many.
int mbdi_element_wrenches(
  const mbd_model_t * model, const mbd_data_t * data, bool moving, mbd_wrench_t * list);

// tau = generalised force of all elements; uses data->work->F and the list
mbd_status_t mbdi_element_torque(
  const mbd_model_t * model, mbd_data_t * data, bool moving, double * tau);

// F_k += sign * forces of the elements on body k, at its origin in its axes, if MBD_TERM_ELEMENTS is on
void mbdi_add_element_forces(
  const mbd_model_t * model, const mbd_data_t * data, double sign, mbd_force_t * F);

// dq, dv (or NULL) += sign * derivatives of the generalised force, of a rigid tree; rows of nv numbers
void mbdi_add_element_derivatives(
  const mbd_model_t * model, mbd_data_t * data, double sign, double * dq, double * dv);

// MBD_TERM_ELEMENTS is on and the model has elements
static inline bool
mbdi_elements_count(const mbd_model_t * model, const mbd_data_t * data)
{
  return model->nelement > 0 && (data->terms & MBD_TERM_ELEMENTS);
}

// Wrap the engine of a model with elements; the last step of finalize.
void mbdi_engine_add_elements(mbd_model_t * model);

#endif  // TREE__ELEMENT_H_
