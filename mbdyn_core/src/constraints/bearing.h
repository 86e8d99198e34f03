// Bearings: their loads, speeds and unit friction at a state.
#ifndef CONSTRAINTS__BEARING_H_
#define CONSTRAINTS__BEARING_H_

#include "mbdyn/dynamics/bearing.h"

// a bearing at a state
typedef struct mbdi_bearing_at {
  bool slides, turns;                // which motion its joint leaves
  double shift;                      // of point 1 from side B along z
  double speed, omega;               // of B in A, along and about z
  double force, torque;              // friction of unit load on B, along and about z
  double force_slope, torque_slope;  // their derivatives to speed and omega
} mbdi_bearing_at_t;

// needs the velocity stage
void mbdi_bearing_at(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_bearing_t * b,
  mbdi_bearing_at_t * at);

// friction of a load: on the joint in tau, or on the links of a closure in `list`; returns how many
// wrenches there are in it
int mbdi_bearing_apply(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_bearing_t * b,
  const mbdi_bearing_at_t * at, double load, double * tau, mbd_wrench_t * list);

// force through the joint on B at point 1 in axes of the joint, after forward dynamics
mbd_status_t mbdi_bearing_force(
  const mbd_model_t * model, mbd_data_t * data, const mbd_bearing_t * b,
  const mbdi_bearing_at_t * at, const double * lambda, double f[6]);

// load of a force, and its derivative
double mbdi_bearing_load(
  const mbd_model_t * model, const mbd_bearing_t * b, const double f[6], double df[6]);

// change of the forces above by unit loads, F[6 (i n + j)] of bearing i by the load of j, after
// mbd_bearing_forward_dynamics with this work and number of wrenches
const double * mbdi_bearing_responses(const mbd_model_t * model, int nwrench, double * work);

#endif  // CONSTRAINTS__BEARING_H_
